//! The language model: what lowering decided, and printing prints.

use crate::names_scope::{Class, Scope};
use crate::scalars::{self, Block, Scalar};
use creo_codegen::About;
use creo_plan::Name;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Everything that is generated for one model.
pub struct Output {
    /// The first line of each file, without its comment mark.
    pub header: String,
    /// The namespace of the runtime.
    pub runtime: String,
    /// The name of the project, and of its file.
    pub project: String,
    /// By index of the type in the model.
    pub types: Vec<Type>,
    pub services: Vec<Service>,
    /// Simple names that generated types and namespaces use.
    pub taken: BTreeSet<String>,
}

/// What there is of a declared type.
#[derive(Debug)]
pub struct Classes {
    /// Of its values.
    pub class: Class,
    /// That of the binary wire.
    pub codec: Class,
    /// That of text wires.
    pub text: Class,
    /// Whether its values are no objects, so that its optional is a `Nullable`.
    pub is_value: bool,
}

/// A type of C#.
#[derive(Clone, Debug)]
pub enum Ty {
    Scalar(Scalar),
    Bytes,
    Array(Box<Ty>),
    Optional(Box<Ty>),
    Map(Box<Ty>, Box<Ty>),
    Declared(Rc<Classes>),
}

impl Ty {
    /// How a file writes the type.
    pub fn text(&self, scope: &Scope) -> String {
        match self {
            Ty::Scalar(scalar) => match scalar.ty {
                scalars::Ty::Keyword(name) | scalars::Ty::Object(name) => name.to_owned(),
                scalars::Ty::Runtime(name) => scope.runtime(name),
            },
            Ty::Bytes => format!("{}<byte>", scope.runtime("ValueArray")),
            Ty::Array(item) => format!("{}<{}>", scope.runtime("ValueArray"), item.text(scope)),
            Ty::Optional(item) => format!("{}?", item.text(scope)),
            Ty::Map(key, value) => {
                format!("{}<{}, {}>", scope.runtime("ValueMap"), key.text(scope), value.text(scope))
            }
            Ty::Declared(classes) => scope.class(&classes.class),
        }
    }

    /// The expression for the type in the words of the description.
    pub fn layout(&self, scope: &Scope) -> String {
        let part = |part: &str| scope.runtime_in_full(&format!("Layout.{part}"));
        match self {
            Ty::Scalar(scalar) => part(scalar.layout),
            Ty::Bytes => part("Bytes"),
            Ty::Array(item) => part(&format!("Array({})", item.layout(scope))),
            Ty::Optional(item) => part(&format!("Optional({})", item.layout(scope))),
            Ty::Map(key, value) => part(&format!("Map({}, {})", key.layout(scope), value.layout(scope))),
            Ty::Declared(classes) => format!("{}.Layout", scope.class(&classes.codec)),
        }
    }

    /// Whether the type's optional is a `Nullable`.
    pub fn is_value(&self) -> bool {
        match self {
            Ty::Scalar(scalar) => match scalar.ty {
                scalars::Ty::Keyword(_) | scalars::Ty::Runtime(_) => true,
                scalars::Ty::Object(_) => false,
            },
            Ty::Bytes | Ty::Array(_) => true,
            Ty::Optional(item) => item.is_value(),
            Ty::Map(..) => false,
            Ty::Declared(classes) => classes.is_value,
        }
    }
}

/// A value of a type, and how it travels.
#[derive(Clone, Debug)]
pub struct Value {
    pub ty: Ty,
    pub code: Code,
    /// The word of the pair of functions that moves it on text wires, if the code is not that of text wires.
    pub text_word: Option<&'static str>,
    /// Set if it moves at a fixed place of a block.
    pub fixed: Option<Fixed>,
}

/// How a value is written and read.
#[derive(Clone, Debug)]
pub enum Code {
    /// By a pair of functions of the runtime: what follows `Read` and `Write` in their names.
    Word(String),
    /// By the classes of its type.
    Declared(Rc<Classes>),
    Optional {
        value: Box<Value>,
        /// For a value that is there (LIM-18).
        charge: u64,
    },
    Items {
        item: Box<Value>,
        /// Of an item.
        min_size: u64,
        /// For each item.
        charge: u64,
    },
    Entries {
        key: Box<Value>,
        value: Box<Value>,
        /// Of an entry.
        min_size: u64,
        /// For each entry.
        charge: u64,
    },
}

/// A value of fixed size.
#[derive(Clone, Debug)]
pub struct Fixed {
    pub size: u64,
    pub slot: Slot,
    /// Whether it is written there, too. Values that can be refused are written one after the other, so that the bytes before them say where they are.
    pub is_put: bool,
}

/// How a value of fixed size moves at the start of a block.
#[derive(Clone, Debug)]
pub enum Slot {
    Scalar(Block),
    Enum(Rc<Classes>),
    Record(Rc<Classes>),
}

/// A field of fixed size within a block.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Of the field.
    pub index: usize,
    /// From the start of the block.
    pub offset: u64,
    pub slot: Slot,
}

/// A step of writing or reading fields.
#[derive(Clone, Debug)]
pub enum Step {
    /// Fields of fixed size, two at least: one check serves all.
    Block { fields: Vec<Placed>, size: u64 },
    /// The index of a field.
    Field(usize),
}

/// A field of a struct or exception, a member of a union, a parameter, a result.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in the description.
    pub wire_name: String,
    /// The property, nested type or parameter.
    pub name: String,
    /// A local of the codec.
    pub local: String,
    pub value: Value,
    /// The default of the property, as an expression; nothing if it must be given, or if the type's own default value will do.
    pub initializer: Option<String>,
    /// Whether a caller must give it.
    pub is_required: bool,
    /// The exception's own message: a text that the description calls so.
    pub is_message: bool,
    /// What it is where a region of the binary wire ends before it (MODEL-11); `None`: no region may.
    pub absent: Option<String>,
    /// What it is before a text wire brought it, or if that need not.
    pub unread: String,
    pub about: About,
}

/// A struct, an exception, or what a message holds.
#[derive(Clone, Debug)]
pub struct Record {
    pub fields: Vec<Field>,
    pub writes: Vec<Step>,
    pub reads: Vec<Step>,
    pub is_extensible: bool,
    /// Set if it is a value type.
    pub layout: Option<Layout>,
    pub text: TextRecord,
}

/// The layout of a value type.
#[derive(Clone, Debug)]
pub struct Layout {
    pub size: u64,
    pub fields: Vec<Placed>,
    /// Whether values are written at a fixed place, too.
    pub is_put: bool,
}

#[derive(Clone, Debug)]
pub struct Union {
    pub members: Vec<Field>,
    /// What the value of each is charged on the binary wire (LIM-18).
    pub charges: Vec<u64>,
    /// The name of the member that stands for unknown ones, if the union is extensible.
    pub unknown: Option<String>,
    pub text: TextUnion,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub constants: Vec<Constant>,
    pub is_extensible: bool,
    /// The declared numbers, as few ranges as there are.
    pub ranges: Vec<(u32, u32)>,
    /// Whether text wires call any constant other than the description does.
    pub has_own_texts: bool,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub wire_name: String,
    pub name: String,
    pub number: u32,
    /// On text wires.
    pub text: String,
    pub about: About,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Struct(Record),
    Exception(Record),
    Enum(Enum),
    Union(Union),
}

/// A declared type.
pub struct Type {
    pub classes: Rc<Classes>,
    /// The file of each class.
    pub path: String,
    pub codec_path: String,
    pub text_path: String,
    /// As declared.
    pub wire_name: String,
    /// With its package.
    pub full_name: String,
    pub about: About,
    pub kind: Kind,
    pub is_extensible: bool,
    pub is_recursive: bool,
    /// Whether its code touches something deprecated: warnings about that are for users.
    pub touches_deprecated: bool,
    /// A value alone on text wires.
    pub root: TextField,
    pub needs: Needs,
    /// Those that the class of text wires names.
    pub namespaces: Namespaces,
}

/// Namespaces of XML by the numbers of their constants.
pub type Namespaces = Vec<(usize, String)>;

/// What a value alone or a message may need in XML.
#[derive(Clone, Debug)]
pub struct Needs {
    pub xsi: bool,
    /// Numbers of constants.
    pub namespaces: Vec<usize>,
}

/// A field as text wires know it.
#[derive(Clone, Debug)]
pub struct TextField {
    pub name: Option<String>,
    /// Of its element or attribute, where it has one.
    pub xml: Option<Name>,
    /// The constant of `TextPlace`, if it is no element.
    pub place: Option<&'static str>,
    pub facts: Vec<Fact>,
}

/// What else is said of a field.
#[derive(Clone, Debug)]
pub enum Fact {
    /// The property is true.
    Is(&'static str),
    Charge(&'static str, u64),
    /// The constant of `TextForm`.
    Form(&'static str),
    /// The class of text wires knows the type; `None`: the class that names the field.
    Type(Option<Rc<Classes>>),
    /// The first names of what is inline, by namespace.
    Starts(Vec<(Option<usize>, Vec<String>)>),
    Field(&'static str, TextField),
    /// The name of a type of XML Schema, which SOAP encoding says.
    Schema(&'static str, Name),
}

/// A record as text wires know it.
#[derive(Clone, Debug)]
pub struct TextRecord {
    /// Tells the records of one class apart: what the names of its constants and functions end with.
    pub suffix: String,
    pub name: String,
    pub xml: Name,
    pub fields: Vec<TextField>,
    /// The properties that are true.
    pub facts: Vec<&'static str>,
    pub writes: Vec<TextStep>,
    /// The fields that are inline structs, which are there even if no element of theirs is.
    pub inline: Vec<usize>,
}

/// A step of writing a record to text wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStep {
    /// The index of a field.
    Field(usize),
    /// The field takes any attribute, where elements are written.
    AttributeMap(usize),
    /// The field is the text, which may be missing.
    AbsentText(usize),
    /// The attributes end.
    Content,
}

#[derive(Clone, Debug)]
pub struct TextUnion {
    pub members: Vec<TextField>,
    /// The properties that are true.
    pub facts: Vec<&'static str>,
}

/// An interface.
pub struct Service {
    pub index: usize,
    /// The class of the descriptors.
    pub methods_class: Class,
    pub client: Class,
    /// The class that knows the methods as text.
    pub texts: Class,
    pub methods_path: String,
    pub client_path: String,
    pub texts_path: String,
    /// With its package.
    pub full_name: String,
    pub fingerprint: u64,
    pub is_soap12: bool,
    /// The messages are of SOAP encoding.
    pub is_encoded: bool,
    /// Clients write the blocks of WS-Addressing.
    pub has_addressing: bool,
    pub about: About,
    pub touches_deprecated: bool,
    /// In declared order.
    pub methods: Vec<Method>,
    /// Those that the class of text wires names.
    pub namespaces: Namespaces,
    /// Those that a class names which writes both messages of each method.
    pub namespaces_both_ways: Namespaces,
}

pub struct Method {
    /// The descriptor, a property of the methods' class.
    pub descriptor: String,
    pub wire_name: String,
    pub id: u64,
    /// The client's method; the asynchronous one ends in `Async`.
    pub name: String,
    /// The client's parameters of our own, after the user's.
    pub options: String,
    pub cancellation: String,
    pub action: String,
    pub request: Message,
    /// `None`: the method is `oneway`.
    pub response: Option<Message>,
    pub throws: Vec<Rc<Classes>>,
    pub about: About,
}

impl Method {
    pub fn result(&self) -> Option<&Field> {
        self.response.as_ref()?.record.fields.first()
    }

    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        std::iter::once(&self.request).chain(&self.response)
    }
}

/// The parameters of a method, or its result.
pub struct Message {
    pub record: Record,
    /// The element around the fields; `None`: there is none.
    pub element: Option<TextField>,
    pub needs: Needs,
    /// Set if fields are in the header.
    pub header: Option<Header>,
}

/// How a message is written of which fields are in the header.
pub struct Header {
    pub writes: Vec<TextStep>,
    /// Of the whole message on wires that know no header.
    pub all: Vec<TextStep>,
    /// What the body holds of the message.
    pub body: Body,
}

pub struct Body {
    pub record: Record,
    /// For each field of the message, its index in the body.
    pub indices: Vec<Option<usize>>,
}
