//! The model of C code for printing: all names, types and orders are decided.

use crate::scalars::scalar;
use creo_codegen::About;
use creo_model::{Primitive, TypeId};
use std::collections::BTreeMap;

/// One header and one source file for packages that depend on each other.
#[derive(Debug, Default)]
pub struct Unit {
    /// `data` for `data.creo.h` and `data.creo.c`.
    pub stem: String,
    /// Full names of the packages.
    pub packages: Vec<String>,
    /// Stems of packages whose header just includes this one.
    pub forwards: Vec<String>,
    /// Stems of the units that this one uses.
    pub includes: Vec<String>,
    pub enums: Vec<Enum>,
    /// Structs, unions and composites, each before those that contain it by value.
    pub definitions: Vec<Definition>,
    pub services: Vec<Service>,
    /// The code for text wires.
    pub text: Text,
}

/// The C type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `boolean` to `double`, `DateTime`.
    Scalar(Primitive),
    /// `String`, `Decimal`.
    Text(Primitive),
    Bytes,
    /// An array type of the runtime, by the word in its name.
    Bulk(&'static str),
    Enum(EnumRef),
    /// A generated struct with `_encode` and `_decode`: a struct, exception, union or composite.
    Record(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumRef {
    pub name: String,
    pub extensible: bool,
}

impl Ty {
    /// The type in C.
    pub fn c(&self) -> String {
        match self {
            Ty::Scalar(primitive) | Ty::Text(primitive) => scalar(*primitive).ty.to_owned(),
            Ty::Bytes => "creo_bytes".to_owned(),
            Ty::Bulk(word) => format!("creo_{word}_array"),
            Ty::Enum(EnumRef { name, .. }) | Ty::Record(name) => name.clone(),
        }
    }

    /// An expression that reads a value into `place`, an lvalue, and returns whether that succeeded.
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

    /// An expression that writes the value at `place`, an lvalue, and returns whether that succeeded.
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

/// The C representation of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Value,
    /// Next to a flag `has_`: null, or the value.
    Flag,
    /// A pointer: NULL is null.
    Pointer,
    /// A pointer that must not be NULL.
    Required,
}

#[derive(Debug)]
pub struct Field {
    pub name: String,
    /// The declared name, for paths.
    pub declared: String,
    pub ty: Ty,
    pub slot: Slot,
    /// For an optional: the charge for a present value (LIM-18).
    pub charge: u64,
    pub about: About,
    /// The steps of `_init` after clearing to zero; `$` is the field's lvalue.
    pub init: Vec<Init>,
    /// Whether the field keeps the value of `_init` if a region ends before it.
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
    /// Consecutive fixed-size parts: one bounds check.
    Block(Block),
    /// The field at an index, by its own codec.
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
    /// Relative to the value: `point.x`.
    pub path: String,
    /// The path in declared names.
    pub place: String,
    pub offset: u64,
    pub size: u64,
    pub kind: LeafKind,
}

#[derive(Clone, Debug)]
pub enum LeafKind {
    Scalar(Primitive),
    /// An enum with one-byte numbers.
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
    /// The step of `_init` for the first member.
    pub first_init: Option<Init>,
}

#[derive(Debug)]
pub struct Member {
    pub name: String,
    pub declared: String,
    /// The constant for the kind.
    pub constant: String,
    pub ty: Ty,
    /// Whether it is a pointer, since it contains the union.
    pub pointer: bool,
    /// The charge for its value (LIM-18).
    pub charge: u64,
    pub about: About,
}

/// `T[]` with an item type that the runtime does not know.
#[derive(Debug)]
pub struct Array {
    pub name: String,
    pub item: Ty,
    pub least: u64,
    /// The charge for each item (LIM-18).
    pub charge: u64,
    /// For fixed-size items.
    pub block: Option<Block>,
}

#[derive(Debug)]
pub struct Map {
    pub name: String,
    pub entry: String,
    pub key: Ty,
    pub value: Ty,
    pub least: u64,
    /// The charge for each entry (LIM-18).
    pub charge: u64,
}

/// `T?` outside of fields.
#[derive(Debug)]
pub struct Optional {
    pub name: String,
    pub item: Ty,
    /// The charge for a present value (LIM-18).
    pub charge: u64,
}

#[derive(Debug)]
pub struct Service {
    /// The index among the interfaces of the model.
    pub index: usize,
    /// The prefix of its functions' names.
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
    pub idempotent: bool,
    /// A message of it may contain a secret (CALL-66).
    pub secret: bool,
    pub about: About,
    pub parameters: Vec<Field>,
    pub steps: Vec<Step>,
    pub result: Option<Ty>,
    /// In the order of `throws`.
    pub faults: Vec<Fault>,
    /// The outcome's kind constant for the result; empty if the method throws nothing.
    pub result_constant: String,
    /// The result's name in the outcome.
    pub result_member: String,
    pub streams: Option<Streams>,
}

impl Method {
    /// The outcome's type for a method with exceptions, or with a stream as its result.
    pub fn outcome(&self) -> String {
        format!("{}_outcome", self.name)
    }

    pub fn has_outcome(&self) -> bool {
        !self.faults.is_empty() || self.read_items().is_some()
    }

    /// The type and the name of the caller's last pointer, if there is one.
    pub fn out(&self) -> Option<(String, &'static str)> {
        match &self.result {
            _ if self.has_outcome() => Some((self.outcome(), "outcome")),
            Some(result) => Some((result.c(), "result")),
            None => None,
        }
    }

    /// The items of a stream that is the result.
    pub fn read_items(&self) -> Option<&ReadItems> {
        self.streams.as_ref()?.read.as_ref()
    }
}

/// The streams of a method. If its result is one, its outcome has a kind for an item, and the kind of the result is that of the end.
#[derive(Debug)]
pub struct Streams {
    /// The items that the caller writes, and whether functions take a pointer to one.
    pub written: Option<(Ty, bool)>,
    pub read: Option<ReadItems>,
}

#[derive(Debug)]
pub struct ReadItems {
    pub ty: Ty,
    pub constant: String,
    /// The item's name in the outcome.
    pub member: String,
    /// The min size of an item in bytes, and the charge for each (LIM-18).
    pub least: u64,
    pub charge: u64,
}

#[derive(Debug)]
pub struct Fault {
    pub member: String,
    pub constant: String,
    pub id: TypeId,
    pub ty: String,
}

/// The descriptors of a unit, ordered so that each follows those of the file that it points to.
#[derive(Debug, Default)]
pub struct Text {
    pub items: Vec<Item>,
    /// For each type, by its C name: the descriptor of its standalone value, and the functions that write and read it.
    pub roots: BTreeMap<String, Root>,
    /// Interfaces by the C name of their descriptor.
    pub interfaces: Vec<String>,
    /// Types for other units: kind and name of the descriptor.
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
        /// The charge for each entry (LIM-18).
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
    /// The namespaces of a message or a standalone value.
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
    Message {
        name: String,
        message: MessageText,
    },
    Interface {
        name: String,
        full_name: String,
        methods: Option<(String, usize)>,
        soap12: bool,
        /// Whether a method has a stream that the json wire carries.
        lines: bool,
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
    /// The number among the attributes, or among the elements, of its record.
    pub number: usize,
    pub offset: String,
    pub flag: String,
    pub inner: String,
    pub size: String,
    /// The charges for a value, if it is a present optional or a union member, and for an item (LIM-18).
    pub value_charge: u64,
    pub item_charge: u64,
    pub ty: String,
}

#[derive(Debug)]
pub struct RecordText {
    /// Full declared name; for a message, the method's.
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
    /// The names of secrets in its messages (CALL-65).
    pub secrets: Vec<String>,
    /// The constant of the response on the soap wire, if its parts are the members of the result (SOAP-26, SOAP-100).
    pub soap_response: Option<String>,
    /// The descriptor of an item of its only stream (HTTP-30).
    pub item: Option<String>,
}
