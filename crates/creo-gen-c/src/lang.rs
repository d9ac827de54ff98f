//! The model of C that rendering prints: every name, type and order is decided.

use crate::scalars::scalar;
use creo_codegen::About;
use creo_model::{Primitive, TypeId};
use std::collections::BTreeMap;

/// One header and one source file: the packages that need one another.
#[derive(Debug, Default)]
pub struct Unit {
    /// `data` for `data.creo.h` and `data.creo.c`.
    pub stem: String,
    /// Full names of the packages.
    pub packages: Vec<String>,
    /// Stems of packages whose header only includes this one.
    pub forwards: Vec<String>,
    /// Stems of the units that this one uses.
    pub includes: Vec<String>,
    pub enums: Vec<Enum>,
    /// Structs, unions and composites, each before those that hold it by value.
    pub definitions: Vec<Definition>,
    pub services: Vec<Service>,
    /// What the text wires need.
    pub text: Text,
}

/// A type as a value's place in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `boolean` to `double`, `DateTime`.
    Scalar(Primitive),
    /// `String`, `Decimal`.
    Text(Primitive),
    Bytes,
    /// An array that the runtime knows, by the word in its name.
    Bulk(&'static str),
    Enum(EnumRef),
    /// A struct of ours with `_encode` and `_decode`: a struct, exception, union or composite.
    Record(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumRef {
    pub name: String,
    pub extensible: bool,
}

impl Ty {
    /// The type as it is written.
    pub fn c(&self) -> String {
        match self {
            Ty::Scalar(primitive) | Ty::Text(primitive) => scalar(*primitive).ty.to_owned(),
            Ty::Bytes => "creo_bytes".to_owned(),
            Ty::Bulk(word) => format!("creo_{word}_array"),
            Ty::Enum(EnumRef { name, .. }) | Ty::Record(name) => name.clone(),
        }
    }

    /// An expression that reads a value into `place`, an lvalue, and says whether that succeeded.
    pub fn read(&self, place: &str) -> String {
        let to = address(place);
        match self {
            Ty::Scalar(primitive) | Ty::Text(primitive) => {
                format!("creo_read_{}(reader, {to})", scalar(*primitive).word)
            }
            Ty::Bytes => format!("creo_read_bytes(reader, {to})"),
            Ty::Bulk(word) => format!("creo_read_{word}_array(reader, {to})"),
            Ty::Enum(EnumRef { name, .. }) | Ty::Record(name) => format!("{name}_decode(reader, {to})"),
        }
    }

    /// An expression that writes the value at `place`, an lvalue, and says whether that succeeded.
    pub fn write(&self, place: &str) -> String {
        match self {
            Ty::Scalar(primitive) | Ty::Text(primitive) => {
                format!("creo_write_{}(writer, {place})", scalar(*primitive).word)
            }
            Ty::Bytes => format!("creo_write_bytes(writer, {place})"),
            Ty::Bulk(word) => format!("creo_write_{word}_array(writer, {place})"),
            Ty::Enum(EnumRef { name, .. }) => format!("{name}_encode(writer, {place})"),
            Ty::Record(name) => format!("{name}_encode(writer, {})", address(place)),
        }
    }
}

/// The address of an lvalue, without `&*`.
fn address(place: &str) -> String {
    place.strip_prefix('*').map_or_else(|| format!("&{place}"), ToOwned::to_owned)
}

#[derive(Debug)]
pub struct Enum {
    pub id: TypeId,
    pub name: String,
    /// Full declared name.
    pub full_name: String,
    pub about: About,
    pub extensible: bool,
    pub constants: Vec<EnumConstant>,
}

#[derive(Debug)]
pub struct EnumConstant {
    pub name: String,
    pub declared: String,
    pub number: u32,
    pub about: About,
}

#[derive(Debug)]
pub enum Definition {
    Record(Record),
    Union(Union),
    Array(Array),
    Map(Map),
    Optional(Optional),
}

/// How a field holds its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Value,
    /// Beside a flag `has_`: nothing, or the value.
    Flag,
    /// A pointer: NULL is nothing.
    Pointer,
    /// A pointer that may not be NULL.
    Required,
}

#[derive(Debug)]
pub struct Field {
    pub name: String,
    /// The declared name, for places.
    pub declared: String,
    pub ty: Ty,
    pub slot: Slot,
    /// If it is an optional: for a value that is there (LIM-18).
    pub charge: u64,
    pub about: About,
    /// What `_init` does beside setting all to zero; `$` stands for the field's lvalue.
    pub init: Vec<Init>,
    /// Whether a region that ends before the field leaves it as `_init` made it.
    pub may_be_missing: bool,
}

/// One step of an `_init` function.
#[derive(Debug)]
pub enum Init {
    /// `place = expression`
    Assign(String),
    /// Text of a string or decimal.
    Text(String),
    /// Seconds and nanoseconds.
    Instant(i64, u32),
    /// `NAME_init(&place)`
    Call(String),
}

#[derive(Debug)]
pub struct Record {
    pub id: TypeId,
    pub name: String,
    /// Full declared name.
    pub full_name: String,
    pub about: About,
    pub extensible: bool,
    pub recursive: bool,
    pub fields: Vec<Field>,
    pub steps: Vec<Step>,
}

/// One step of a record's codec.
#[derive(Debug)]
pub enum Step {
    /// Consecutive parts of fixed size: one bounds check.
    Block(Block),
    /// The field of that index, by its own codec.
    Field(usize),
}

#[derive(Clone, Debug)]
pub struct Block {
    pub size: u64,
    pub leaves: Vec<Leaf>,
}

/// A part of a block.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Behind the value: `point.x`.
    pub path: String,
    /// In declared names, for places.
    pub place: String,
    pub offset: u64,
    pub size: u64,
    pub kind: LeafKind,
}

#[derive(Clone, Debug)]
pub enum LeafKind {
    Scalar(Primitive),
    /// An enum whose numbers all take one byte.
    Enum(String),
}

#[derive(Debug)]
pub struct Union {
    pub id: TypeId,
    pub name: String,
    /// Full declared name.
    pub full_name: String,
    pub about: About,
    pub extensible: bool,
    pub recursive: bool,
    pub members: Vec<Member>,
    /// What `_init` does for the first member.
    pub first_init: Option<Init>,
}

#[derive(Debug)]
pub struct Member {
    pub name: String,
    pub declared: String,
    /// Constant for the kind.
    pub constant: String,
    pub ty: Ty,
    /// Held by pointer, since it holds the union.
    pub pointer: bool,
    /// For its value (LIM-18).
    pub charge: u64,
    pub about: About,
}

/// `T[]` of items that the runtime does not know.
#[derive(Debug)]
pub struct Array {
    pub name: String,
    pub item: Ty,
    pub least: u64,
    /// For each item (LIM-18).
    pub charge: u64,
    /// For items of fixed size.
    pub block: Option<Block>,
}

#[derive(Debug)]
pub struct Map {
    pub name: String,
    pub entry: String,
    pub key: Ty,
    pub value: Ty,
    pub least: u64,
    /// For each entry (LIM-18).
    pub charge: u64,
}

/// `T?` where it is not a field.
#[derive(Debug)]
pub struct Optional {
    pub name: String,
    pub item: Ty,
    /// For a value that is there (LIM-18).
    pub charge: u64,
}

#[derive(Debug)]
pub struct Service {
    /// Among the interfaces of the model.
    pub index: usize,
    /// The base of its functions' names.
    pub name: String,
    pub full_name: String,
    pub fingerprint: u64,
    pub about: About,
    pub methods: Vec<Method>,
}

#[derive(Debug)]
pub struct Method {
    pub name: String,
    pub declared: String,
    pub id: u64,
    pub oneway: bool,
    pub about: About,
    pub parameters: Vec<Field>,
    pub steps: Vec<Step>,
    pub result: Option<Ty>,
    /// In the order of `throws`.
    pub faults: Vec<Fault>,
    /// Constant of the outcome's kind for the result; empty if the method throws nothing.
    pub result_constant: String,
    /// The result's name in the outcome.
    pub result_member: String,
}

#[derive(Debug)]
pub struct Fault {
    pub member: String,
    pub constant: String,
    pub id: TypeId,
    pub ty: String,
}

/// The descriptors of a unit, in an order in which each stands behind those that it points to within the file.
#[derive(Debug, Default)]
pub struct Text {
    pub items: Vec<Item>,
    /// For each type, by its C name: that of its value alone, and of the functions that write and read it.
    pub roots: BTreeMap<String, Root>,
    /// Interfaces by their C name: that of its descriptor.
    pub interfaces: Vec<String>,
    /// Types that other units may use: kind and name of the descriptor.
    pub shared: Vec<(&'static str, String)>,
}

#[derive(Debug, Clone)]
pub struct Root {
    pub name: String,
    pub to_xml: String,
    pub from_xml: String,
    pub to_json: String,
    pub from_json: String,
    pub to_tdxml: String,
    pub from_tdxml: String,
}

#[derive(Debug)]
pub enum Item {
    Space {
        name: String,
        uri: String,
    },
    Arguments {
        name: String,
        parameters: Vec<(String, Slot, String)>,
    },
    Clear {
        name: String,
        init: String,
        ty: String,
    },
    Fields {
        name: String,
        fields: Vec<FieldText>,
    },
    Starts {
        name: String,
        starts: Vec<(NameText, usize)>,
    },
    Map {
        name: String,
        key: String,
        value: String,
        entry: String,
        keys: String,
        /// For each entry (LIM-18).
        charge: u64,
    },
    Record {
        name: String,
        record: RecordText,
    },
    Union {
        name: String,
        union: UnionText,
    },
    Enum {
        name: String,
        full_name: String,
        xml: NameText,
        list: String,
        constants: Vec<(String, String, u32)>,
        extensible: bool,
    },
    /// The namespaces of a message or a value alone.
    Spaces {
        name: String,
        items: Vec<String>,
    },
    Root {
        name: String,
        field: FieldText,
        spaces: SpacesText,
    },
    Exceptions {
        name: String,
        exceptions: Vec<(String, String)>,
    },
    Methods {
        name: String,
        methods: Vec<MethodText>,
    },
    Interface {
        name: String,
        full_name: String,
        methods: Option<(String, usize)>,
        soap12: bool,
    },
}

#[derive(Debug, Clone)]
pub struct NameText {
    pub local: String,
    /// The constant of the namespace.
    pub space: Option<String>,
}

#[derive(Debug, Clone)]
pub struct FieldText {
    pub name: Option<String>,
    pub xml: NameText,
    pub place: &'static str,
    pub kind: String,
    pub slot: &'static str,
    pub flags: Vec<&'static str>,
    /// Among the attributes, or among the elements, of what holds it.
    pub number: usize,
    pub offset: String,
    pub flag: String,
    pub inner: String,
    pub size: String,
    /// For a value, if it is an optional that has one or a member of a union, and for an item (LIM-18).
    pub value_charge: u64,
    pub item_charge: u64,
    pub ty: String,
}

#[derive(Debug)]
pub struct RecordText {
    /// Full declared name; of a message, the method's.
    pub full_name: String,
    pub xml: NameText,
    pub fields: Option<(String, usize)>,
    pub flags: Vec<&'static str>,
    pub size: String,
    pub text: Option<usize>,
    pub any: Option<usize>,
    pub starts: Option<(String, usize)>,
    pub clear: Option<String>,
}

#[derive(Debug)]
pub struct UnionText {
    pub full_name: String,
    pub xml: NameText,
    pub members: (String, usize),
    pub flags: Vec<&'static str>,
    pub ty: String,
    pub base: Option<usize>,
    pub starts: Option<(String, usize)>,
}

#[derive(Debug)]
pub struct SpacesText {
    pub list: Option<(String, usize)>,
    pub xsi: bool,
}

#[derive(Debug)]
pub struct MessageText {
    pub element: NameText,
    pub bare: bool,
    pub record: RecordText,
    pub spaces: SpacesText,
}

#[derive(Debug)]
pub struct MethodText {
    pub id: u64,
    pub action: String,
    pub request: MessageText,
    pub response: Option<MessageText>,
    pub exceptions: Option<(String, usize)>,
    pub kind: String,
}
