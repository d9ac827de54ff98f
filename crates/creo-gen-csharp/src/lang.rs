//! The model of C# code, made by lowering and printed by printing.

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

/// The classes of a declared type.
#[derive(Debug)]
pub struct Classes {
    /// The class of its values.
    pub class: Class,
    /// The codec of the binary wire.
    pub codec: Class,
    /// The codec of text wires.
    pub text: Class,
    /// Whether it is a value type, whose optional is a `Nullable`.
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
    /// The type as written in a file.
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

    /// The expression for the type's layout.
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

/// A value's type and encoding.
#[derive(Clone, Debug)]
pub struct Value {
    pub ty: Ty,
    pub code: Code,
    /// The word of the functions for text wires; if none, they have the same code as the binary wire.
    pub text_word: Option<&'static str>,
    /// Set if it can be at a fixed offset of a block.
    pub fixed: Option<Fixed>,
}

/// How a value is written and read.
#[derive(Clone, Debug)]
pub enum Code {
    /// By two functions of the runtime, with this suffix after `Read` and `Write`.
    Word(String),
    /// By the classes of its type.
    Declared(Rc<Classes>),
    Optional {
        value: Box<Value>,
        /// The charge for a present value (LIM-18).
        charge: u64,
    },
    Items {
        item: Box<Value>,
        /// The min size of an item.
        min_size: u64,
        /// The charge for each item.
        charge: u64,
    },
    Entries {
        key: Box<Value>,
        value: Box<Value>,
        /// The min size of an entry.
        min_size: u64,
        /// The charge for each entry.
        charge: u64,
    },
}

/// A fixed-size value.
#[derive(Clone, Debug)]
pub struct Fixed {
    pub size: u64,
    pub slot: Slot,
    /// Whether it is also written there. Values that may be refused are written one by one: the bytes before one then give its path.
    pub is_put: bool,
}

/// How a fixed-size value is read and written at the start of a block.
#[derive(Clone, Debug)]
pub enum Slot {
    Scalar(Block),
    Enum(Rc<Classes>),
    Record(Rc<Classes>),
}

/// A fixed-size field in a block.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The index of the field.
    pub index: usize,
    /// From the start of the block.
    pub offset: u64,
    pub slot: Slot,
}

/// A step of writing or reading fields.
#[derive(Clone, Debug)]
pub enum Step {
    /// Two or more fixed-size fields that share one check.
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
    /// A local variable of the codec.
    pub local: String,
    pub value: Value,
    /// The default of the property, as an expression; nothing if it is required, or if the type's own default value is right.
    pub initializer: Option<String>,
    /// Whether it is required.
    pub is_required: bool,
    /// Whether it is the exception's message: a text field of that name.
    pub is_message: bool,
    /// The value if a region of the binary wire ends before it (MODEL-11); `None` if that is an error.
    pub absent: Option<String>,
    /// The initial value before a text wire has read it.
    pub unread: String,
    pub about: About,
}

/// A struct, an exception, or the content of a message.
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
    /// Whether values are also written at a fixed offset.
    pub is_put: bool,
}

#[derive(Clone, Debug)]
pub struct Union {
    pub members: Vec<Field>,
    /// The charge for each member's value on the binary wire (LIM-18).
    pub charges: Vec<u64>,
    /// The name of the member for unknown ones, if the union is extensible.
    pub unknown: Option<String>,
    pub text: TextUnion,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub constants: Vec<Constant>,
    pub is_extensible: bool,
    /// The declared numbers as a minimal list of ranges.
    pub ranges: Vec<(u32, u32)>,
    /// Whether any constant's text differs from its declared name.
    pub has_own_texts: bool,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub wire_name: String,
    pub name: String,
    pub number: u32,
    /// The text on text wires.
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
    /// The declared name.
    pub wire_name: String,
    /// The name with its package.
    pub full_name: String,
    pub about: About,
    pub kind: Kind,
    pub is_extensible: bool,
    pub is_recursive: bool,
    /// Whether its code uses something deprecated: warnings about that are for users.
    pub touches_deprecated: bool,
    /// A standalone value on text wires.
    pub root: TextField,
    pub needs: Needs,
    /// The namespaces in the class for text wires.
    pub namespaces: Namespaces,
}

/// XML namespaces by the number of their constant.
pub type Namespaces = Vec<(usize, String)>;

/// The XML needs of a standalone value or a message.
#[derive(Clone, Debug)]
pub struct Needs {
    pub xsi: bool,
    /// The numbers of constants.
    pub namespaces: Vec<usize>,
}

/// A field on text wires.
#[derive(Clone, Debug)]
pub struct TextField {
    pub name: Option<String>,
    /// The name of its element or attribute, if any.
    pub xml: Option<Name>,
    /// The constant of `TextPlace`, unless it is an element.
    pub place: Option<&'static str>,
    pub facts: Vec<Fact>,
}

/// A property of a field.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A property that is true.
    Is(&'static str),
    Charge(&'static str, u64),
    /// The constant of `TextForm`.
    Form(&'static str),
    /// The text class of the type; `None` for the field's own class.
    Type(Option<Rc<Classes>>),
    /// The first names of inline content, by namespace.
    Starts(Vec<(Option<usize>, Vec<String>)>),
    Field(&'static str, TextField),
    /// The name of an XML Schema type for SOAP encoding.
    Schema(&'static str, Name),
}

/// A record on text wires.
#[derive(Clone, Debug)]
pub struct TextRecord {
    /// The suffix of its constants and functions, which distinguishes the records of a class.
    pub suffix: String,
    pub name: String,
    pub xml: Name,
    pub fields: Vec<TextField>,
    /// The properties that are true.
    pub facts: Vec<&'static str>,
    pub writes: Vec<TextStep>,
    /// The inline struct fields, which are present even without elements.
    pub inline: Vec<usize>,
}

/// A step of writing a record to text wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStep {
    /// The index of a field.
    Field(usize),
    /// A field for any attribute, where elements are written.
    AttributeMap(usize),
    /// The text field, which may be absent.
    AbsentText(usize),
    /// The end of the attributes.
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
    /// The class with the methods' text descriptions.
    pub texts: Class,
    pub methods_path: String,
    pub client_path: String,
    pub texts_path: String,
    /// The name with its package.
    pub full_name: String,
    pub fingerprint: u64,
    pub is_soap12: bool,
    /// Whether the messages use SOAP encoding.
    pub is_encoded: bool,
    /// Whether clients write WS-Addressing blocks.
    pub has_addressing: bool,
    pub about: About,
    pub touches_deprecated: bool,
    /// In declared order.
    pub methods: Vec<Method>,
    /// The namespaces in the class for text wires.
    pub namespaces: Namespaces,
    /// The namespaces in a class that writes both messages of each method.
    pub namespaces_both_ways: Namespaces,
}

pub struct Method {
    /// The descriptor's property in the methods' class.
    pub descriptor: String,
    pub wire_name: String,
    pub id: u64,
    pub idempotent: bool,
    /// The names of secrets in its messages (CALL-65).
    pub secrets: Vec<String>,
    /// The client's method; the asynchronous one has the suffix `Async`.
    pub name: String,
    /// The client's generated parameters, after the user's.
    pub options: String,
    pub cancellation: String,
    pub action: String,
    pub request: Message,
    /// `None`: the method is `oneway`.
    pub response: Option<Message>,
    /// The response on the soap wire, and the struct of the result, if its fields are the parts of that (SOAP-26, SOAP-100).
    pub soap_response: Option<(Message, Rc<Classes>)>,
    /// The items of the last parameter, if it is a stream. It is not a field of the request.
    pub sent: Option<Stream>,
    /// The items of the result, if it is a stream. It is not a field of the response.
    pub received: Option<Stream>,
    /// A message whose only field is an item, if the method has one stream and the json wire is among those of the code (HTTP-30).
    pub line: Option<Message>,
    pub throws: Vec<Rc<Classes>>,
    pub about: About,
}

impl Method {
    pub fn result(&self) -> Option<&Field> {
        self.response.as_ref()?.record.fields.first()
    }

    /// Whether a text wire among those of the code carries the method (CALL-47).
    pub fn has_text(&self) -> bool {
        !self.has_streams() || self.line.is_some()
    }

    pub fn has_streams(&self) -> bool {
        self.sent.is_some() || self.received.is_some()
    }

    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        std::iter::once(&self.request).chain(&self.response)
    }
}

/// A stream of items.
pub struct Stream {
    /// The parameter; empty for a result.
    pub name: String,
    pub about: About,
    pub item: Value,
    /// The items of a frame: an array.
    pub items: Value,
}

/// The parameters of a method, or its result.
pub struct Message {
    pub record: Record,
    /// The element around the fields; `None` for none.
    pub element: Option<TextField>,
    pub needs: Needs,
    /// Set if fields are in the header.
    pub header: Option<Header>,
}

/// How to write a message with header fields.
pub struct Header {
    pub writes: Vec<TextStep>,
    /// For the whole message on wires without headers.
    pub all: Vec<TextStep>,
    /// The message's content in the body.
    pub body: Body,
}

pub struct Body {
    pub record: Record,
    /// For each field of the message, its index in the body.
    pub indices: Vec<Option<usize>>,
}
