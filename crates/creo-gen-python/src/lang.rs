//! The model of Python code, made by lowering and printed by printing.

use std::collections::BTreeSet;

use creo_codegen::About;

use crate::code::Code;
use crate::scalars::Made;

/// A package.
#[derive(Debug)]
pub struct Package {
    /// `org/example/data`.
    pub folder: String,
    pub init: Init,
    /// None if the package has no types.
    pub types: Option<TypesModule>,
    pub binary: BinaryModule,
    pub text: TextModule,
    /// None if the package has no interfaces.
    pub clients: Option<ClientModule>,
}

impl Package {
    /// Whether a module imports `codegen.columns`.
    pub fn uses_columns(&self) -> bool {
        let types = self.types.as_ref().map(|types| &types.imports);
        let clients = self.clients.as_ref().map(|clients| &clients.imports);
        [types, Some(&self.binary.imports), clients].into_iter().flatten().any(|imports| imports.columns)
    }
}

/// The imports of generated modules from the standard library: modules with their names, sorted.
pub const STANDARD: &[(&str, &[&str])] = &[
    ("collections.abc", &["Iterable", "Mapping", "Sequence"]),
    ("decimal", &["Decimal"]),
    ("struct", &["Struct as _Struct"]),
    ("types", &["MappingProxyType"]),
    ("typing", &["Any", "ClassVar", "Final", "Union", "final"]),
];

/// The imports of a module, other than the runtime names in its statements.
#[derive(Debug, Default)]
pub struct Imports {
    /// Names of [`STANDARD`], and `enum`, which is imported as a module.
    pub standard: BTreeSet<&'static str>,
    /// The runtime's `codegen.columns`, as `_columns`.
    pub columns: bool,
    /// The runtime's `codegen.streams`, as `_streams`.
    pub streams: bool,
    /// Modules of other packages.
    pub foreign: Vec<Foreign>,
    /// Names from the package's own `creo_binary` and `creo_types`, sorted.
    pub binary: Vec<String>,
    pub types: Vec<String>,
}

/// A module of another package: `from ..data import creo_types as _data`.
#[derive(Debug)]
pub struct Foreign {
    pub package: String,
    pub module: &'static str,
    pub alias: String,
}

/// `__init__.py`. All names are sorted.
#[derive(Debug)]
pub struct Init {
    /// The declared name.
    pub package: String,
    pub types: Vec<String>,
    pub clients: Vec<String>,
    /// Functions that read unions: each with its name, the constant of `creo_binary`, and the method of that constant.
    pub readers: Vec<Reader>,
    pub exported: Vec<String>,
}

/// A function that reads a union.
#[derive(Clone, Debug)]
pub struct Reader {
    pub name: String,
    pub constant: String,
    pub method: &'static str,
}

/// `creo_types.py`.
#[derive(Debug)]
pub struct TypesModule {
    pub imports: Imports,
    /// Whether the types use the runtime.
    pub uses_runtime: bool,
    pub types: Vec<Type>,
}

#[derive(Debug)]
pub enum Type {
    Enum(EnumClass),
    Struct(Class),
    Exception(Class),
    Union(UnionClasses),
}

#[derive(Debug)]
pub struct EnumClass {
    pub name: String,
    pub about: About,
    pub extensible: bool,
    pub constants: Vec<Constant>,
}

#[derive(Debug)]
pub struct Constant {
    pub name: String,
    pub number: u32,
    pub about: About,
}

/// A struct or exception.
#[derive(Debug)]
pub struct Class {
    pub name: String,
    /// The base class in the runtime, for a struct.
    pub base: &'static str,
    pub about: About,
    pub fields: Vec<ClassField>,
}

/// A field in a constructor.
#[derive(Debug)]
pub struct ClassField {
    pub name: String,
    pub about: About,
    pub taken: Code,
    pub held: Code,
    pub default: DefaultValue,
    /// Converts the argument to the attribute.
    pub value: Code,
    /// Whether it is keyword-only in the constructor: it follows a default and has none.
    pub by_keyword: bool,
    /// The function that sets the attribute of a struct.
    pub setter: String,
}

/// The default of a constructor's parameter.
#[derive(Debug)]
pub enum DefaultValue {
    None,
    Code(Code),
    /// Evaluated when an object is made: when the class is made, not all packages are loaded.
    Late,
}

/// A union: a class for each member, and their common alias.
#[derive(Debug)]
pub struct UnionClasses {
    pub alias: String,
    pub about: About,
    pub members: Vec<MemberClass>,
    pub extensible: bool,
}

#[derive(Debug)]
pub struct MemberClass {
    pub name: String,
    pub about: About,
    pub taken: Code,
    pub held: Code,
    /// Converts the argument to the attribute.
    pub value: Code,
}

/// `creo_binary.py`.
#[derive(Debug)]
pub struct BinaryModule {
    pub imports: Imports,
    /// The `struct` formats of `_S0`, `_S1` ..
    pub layouts: Vec<String>,
    pub codecs: Vec<Codec>,
    pub methods: Vec<MethodCodec>,
    /// Functions for values nested too deeply for the language's loops.
    pub parts: Vec<Part>,
    pub descriptions: Vec<Description>,
}

/// The codec of a declared type.
#[derive(Debug)]
pub struct Codec {
    /// `decode_<function>`, `encode_<function>`.
    pub function: String,
    /// The annotation of values.
    pub class: String,
    pub form: Form,
}

#[derive(Debug)]
pub enum Form {
    Enum(EnumCodec),
    Record(RecordCodec),
    Union(UnionCodec),
}

/// How an enum's number is read.
#[derive(Debug)]
pub enum EnumCodec {
    /// From one byte, by the table with this name.
    Byte(String),
    /// By the table with this name.
    Closed(String),
    Extensible,
}

#[derive(Debug)]
pub struct RecordCodec {
    pub recursive: bool,
    pub extensible: bool,
    pub reads: Vec<FieldRead>,
    /// For each field, its keyword if it is keyword-only in the constructor.
    pub keywords: Vec<Option<String>>,
    /// The attributes to write.
    pub values: Vec<String>,
    pub writes: Vec<FieldWrite>,
    /// The layout of arrays of this struct.
    pub block: Option<Block>,
}

#[derive(Debug)]
pub struct UnionCodec {
    pub recursive: bool,
    /// For an extensible union, the charge of an unknown member (LIM-18).
    pub unknown: Option<u64>,
    pub members: Vec<MemberCodec>,
}

#[derive(Debug)]
pub struct MemberCodec {
    pub class: String,
    /// LIM-18.
    pub charge: u64,
    pub read: Read,
    pub write: Write,
}

/// How fields are read, in order.
#[derive(Debug)]
pub enum FieldRead {
    /// Consecutive fixed-size fields.
    Run(FixedRead),
    Field(Read),
    /// A field that older writers omit: its default, if the region ends before it.
    Growing {
        annotation: Code,
        default: Code,
        read: Read,
    },
}

/// How a value is read.
#[derive(Debug)]
pub enum Read {
    Fixed(FixedRead),
    /// By a function of the runtime, with the arguments after `b, p`.
    Helper(&'static str, String),
    /// By a decoder of a module, `decode_data`, or by a part.
    Function(String),
    Items {
        min_size: u64,
        charge: u64,
        annotation: Code,
        item: Box<Read>,
    },
    /// Items without bytes.
    EmptyItems {
        charge: u64,
        item: Box<Read>,
    },
    Entries {
        min_size: u64,
        charge: u64,
        key: Box<(Code, Read)>,
        value: Box<(Code, Read)>,
    },
    Optional {
        annotation: Code,
        charge: u64,
        value: Box<Read>,
    },
}

/// Fixed-size values that are read with one call.
#[derive(Debug)]
pub struct FixedRead {
    pub unpack: Unpack,
    /// In bytes.
    pub size: u64,
    pub values: Vec<Value>,
}

#[derive(Debug)]
pub enum Unpack {
    Nothing,
    /// One byte.
    Byte,
    /// By the layout with this name.
    By(String),
}

/// A value made from numbers, each of which is used once, in order.
#[derive(Clone, Debug)]
pub enum Value {
    Number,
    Made(Made, Vec<Value>),
    /// A constant of an enum: the table by number.
    Constant(String),
    /// A struct: the class, and its constructor's arguments with their keywords.
    Struct(String, Vec<(Option<String>, Value)>),
}

/// How fields are written, in order.
#[derive(Debug)]
pub enum FieldWrite {
    /// Consecutive fixed-size fields.
    Run(FixedWrite),
    Field(usize, Write),
}

/// How a value is written.
#[derive(Debug)]
pub enum Write {
    Fixed(FixedWrite),
    /// By a function of the runtime, with the arguments after `w` and the value.
    Helper(&'static str, String),
    /// By an encoder of a module, `encode_data`, or by a part.
    Function(String),
    Text,
    Bytes,
    Number,
    /// Items without bytes are only counted.
    Items(Option<Box<Write>>),
    Entries {
        key: Box<Write>,
        value: Box<Write>,
    },
    Optional(Box<Write>),
}

/// Fixed-size values that are written together.
#[derive(Debug)]
pub enum FixedWrite {
    Nothing,
    /// A single number, by the runtime table with its bytes.
    Bytes(&'static str, Packed),
    /// By the layout with this name.
    Pack(String, Vec<Packed>),
}

/// A number of a value.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The index of the value among the written ones.
    pub value: usize,
    /// The attributes of the path to the number, each with its dot.
    pub path: String,
    pub made: Made,
}

/// The layout of arrays of a struct.
#[derive(Debug)]
pub struct Block {
    pub constant: String,
    /// The fields, with their conversion from numbers.
    pub fields: Vec<(String, Value)>,
    pub columns: Vec<Column>,
}

#[derive(Debug)]
pub struct Column {
    pub name: String,
    /// `struct`'s code, or `?`, `S`, `N`, `E`.
    pub code: &'static str,
    /// For an enum, its table by number.
    pub table: Option<String>,
    pub number: Packed,
}

/// The codecs of a method's bodies.
#[derive(Debug)]
pub struct MethodCodec {
    /// `encode_<function>_arguments`.
    pub function: String,
    pub arguments: Arguments,
    pub result: Option<ResultCodec>,
    /// `decode_<function>_items`, of a stream of results.
    pub items: Option<ResultCodec>,
    /// `encode_<function>_items`, of a parameter that is a stream.
    pub sent: Option<ItemsCodec>,
    /// For services.
    pub service: Option<ServiceCodec>,
}

/// Writes the array of a stream's items.
#[derive(Debug)]
pub struct ItemsCodec {
    pub annotation: Code,
    /// The conversion of the received items, if they need one.
    pub held: Option<Code>,
    pub write: Write,
}

#[derive(Debug)]
pub struct Arguments {
    pub annotation: Code,
    /// The local variables with the received values.
    pub locals: Vec<String>,
    /// Local variables derived from others.
    pub made: Vec<(String, Code)>,
    /// The local variables to write.
    pub values: Vec<String>,
    pub writes: Vec<FieldWrite>,
}

#[derive(Debug)]
pub struct ResultCodec {
    pub annotation: Code,
    pub read: Read,
}

#[derive(Debug)]
pub struct ServiceCodec {
    pub annotation: Code,
    pub reads: Vec<FieldRead>,
    pub result: Option<(Code, Write)>,
}

/// A codec function of a part of a value.
#[derive(Debug)]
pub struct Part {
    pub name: String,
    pub annotation: Code,
    pub direction: Direction,
}

#[derive(Debug)]
pub enum Direction {
    Read(Read),
    Write(Write),
}

/// The description of a type, with its codecs.
#[derive(Debug)]
pub struct Description {
    pub constant: String,
    /// A class of the runtime: `StructType`.
    pub kind: &'static str,
    pub class: String,
    pub arguments: Vec<Code>,
}

/// `creo_text.py`.
#[derive(Debug)]
pub struct TextModule {
    pub imports: Imports,
    /// Constants with their texts.
    pub namespaces: Vec<(String, String)>,
    pub types: Vec<TextType>,
    pub interfaces: Vec<TextInterface>,
}

#[derive(Debug)]
pub struct TextType {
    pub constant: String,
    /// A class of the runtime: `TextRecord`.
    pub kind: &'static str,
    pub arguments: Vec<Code>,
}

#[derive(Debug)]
pub struct TextInterface {
    pub constant: String,
    /// Methods by their declared names, with the arguments of `TextMethod`.
    pub methods: Vec<(String, Vec<Code>)>,
}

/// `creo_client.py`.
#[derive(Debug)]
pub struct ClientModule {
    pub imports: Imports,
    pub interfaces: Vec<Interface>,
}

#[derive(Debug)]
pub struct Interface {
    /// The constant with its description.
    pub constant: String,
    /// The name with its package.
    pub full_name: String,
    pub fingerprint: u64,
    /// The constant of `creo_text` with its methods.
    pub text_constant: String,
    pub methods: Vec<Method>,
    /// The classes.
    pub client: Client,
    pub async_client: Client,
}

#[derive(Debug)]
pub struct Client {
    pub name: String,
    pub about: About,
}

#[derive(Debug)]
pub struct Method {
    pub name: String,
    pub about: About,
    /// The constant with its description.
    pub constant: String,
    /// The declared name.
    pub declared: String,
    pub id: u64,
    /// The encoder in `creo_binary`.
    pub encoder: String,
    pub fields: Vec<Code>,
    /// The decoder and the description of the result.
    pub result: Option<(String, Code)>,
    pub result_annotation: Code,
    pub streams: Option<Streams>,
    pub throws: Vec<Code>,
    pub oneway: bool,
    pub idempotent: bool,
    /// The names of secrets in its messages (CALL-65).
    pub secrets: Vec<String>,
    pub parameters: Vec<Parameter>,
}

/// The streams of a method; it has at least one.
#[derive(Debug)]
pub struct Streams {
    /// The decoder and the description of the array of its results.
    pub items: Option<(String, Code)>,
    /// The encoder and the description of the array of its parameter.
    pub sent: Option<(String, Code)>,
    /// The annotation of an item of its results.
    pub result: Option<Code>,
    /// The parameter that is a stream, with the annotation of an item.
    pub parameter: Option<Parameter>,
}

#[derive(Debug)]
pub struct Parameter {
    pub name: String,
    pub annotation: Code,
    /// Whether it may be omitted: it is null then.
    pub may_be_left_out: bool,
}
