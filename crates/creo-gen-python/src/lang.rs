//! The language model: what lowering decided, and printing prints.

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

/// What generated modules import from the standard library: modules with their names, sorted.
pub const STANDARD: &[(&str, &[&str])] = &[
    ("collections.abc", &["Iterable", "Mapping", "Sequence"]),
    ("decimal", &["Decimal"]),
    ("struct", &["Struct as _Struct"]),
    ("types", &["MappingProxyType"]),
    ("typing", &["Any", "ClassVar", "Final", "Union", "final"]),
];

/// What a module imports, other than what its statements use of the runtime.
#[derive(Debug, Default)]
pub struct Imports {
    /// Names of [`STANDARD`], and `enum`, which is imported as a module.
    pub standard: BTreeSet<&'static str>,
    /// The runtime's `codegen.columns`, as `_columns`.
    pub columns: bool,
    /// Modules of other packages.
    pub foreign: Vec<Foreign>,
    /// Names of the package's own `creo_binary` and `creo_types`, sorted.
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
    /// As declared.
    pub package: String,
    pub types: Vec<String>,
    pub clients: Vec<String>,
    /// Functions that read unions: each with its name, the constant of `creo_binary`, and that one's method.
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
    /// The class of the runtime, if it is a struct.
    pub base: &'static str,
    pub about: About,
    pub fields: Vec<ClassField>,
}

/// A field as constructors see it.
#[derive(Debug)]
pub struct ClassField {
    pub name: String,
    pub about: About,
    pub taken: Code,
    pub held: Code,
    pub default: DefaultValue,
    /// Makes the attribute of the argument.
    pub value: Code,
    /// Whether the constructor takes it by keyword only: it follows a default and has none itself.
    pub by_keyword: bool,
    /// The function that sets the attribute of a struct.
    pub setter: String,
}

/// What a constructor takes if a field is left out.
#[derive(Debug)]
pub enum DefaultValue {
    None,
    Code(Code),
    /// What is named when an object is made: when the class is, not all packages are there.
    Late,
}

/// A union: a class for each member, and the alias of all.
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
    /// Makes the attribute of the argument.
    pub value: Code,
}

/// `creo_binary.py`.
#[derive(Debug)]
pub struct BinaryModule {
    pub imports: Imports,
    /// What each of `_S0`, `_S1` .. packs, as `struct` takes it.
    pub layouts: Vec<String>,
    pub codecs: Vec<Codec>,
    pub methods: Vec<MethodCodec>,
    /// Functions for what lies so deep that the language could not nest its loops.
    pub parts: Vec<Part>,
    pub descriptions: Vec<Description>,
}

/// The codec of a declared type.
#[derive(Debug)]
pub struct Codec {
    /// `decode_<function>`, `encode_<function>`.
    pub function: String,
    /// What values are annotated with.
    pub class: String,
    pub form: Form,
}

#[derive(Debug)]
pub enum Form {
    Enum(EnumCodec),
    Record(RecordCodec),
    Union(UnionCodec),
}

/// How the number of an enum is read.
#[derive(Debug)]
pub enum EnumCodec {
    /// From one byte, by the table of this name.
    Byte(String),
    /// By the table of this name.
    Closed(String),
    Extensible,
}

#[derive(Debug)]
pub struct RecordCodec {
    pub recursive: bool,
    pub extensible: bool,
    pub reads: Vec<FieldRead>,
    /// For each field, its keyword if the constructor takes it by keyword only.
    pub keywords: Vec<Option<String>>,
    /// The attributes that are written.
    pub values: Vec<String>,
    pub writes: Vec<FieldWrite>,
    /// How arrays of this struct lie in bytes.
    pub block: Option<Block>,
}

#[derive(Debug)]
pub struct UnionCodec {
    pub recursive: bool,
    /// Of an extensible union, what an unknown member is charged (LIM-18).
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

/// How fields are read, in their order.
#[derive(Debug)]
pub enum FieldRead {
    /// Consecutive fields of fixed size.
    Run(FixedRead),
    Field(Read),
    /// A field that older writers leave out: its default, if the region ends before it.
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
    /// By a function of the runtime, with what follows `b, p` of its arguments.
    Helper(&'static str, String),
    /// By a decoder of a module, `decode_data`, or by a part.
    Function(String),
    Items {
        min_size: u64,
        charge: u64,
        annotation: Code,
        item: Box<Read>,
    },
    /// Items of no bytes.
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

/// Values of fixed size that are read with one call.
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
    /// By the layout of this name.
    By(String),
}

/// A value that is made of numbers, each of which is used once, in order.
#[derive(Clone, Debug)]
pub enum Value {
    Number,
    Made(Made, Vec<Value>),
    /// A constant of an enum: the table by number.
    Constant(String),
    /// A struct: the class, and the arguments of its constructor, with their keywords.
    Struct(String, Vec<(Option<String>, Value)>),
}

/// How fields are written, in their order.
#[derive(Debug)]
pub enum FieldWrite {
    /// Consecutive fields of fixed size.
    Run(FixedWrite),
    Field(usize, Write),
}

/// How a value is written.
#[derive(Debug)]
pub enum Write {
    Fixed(FixedWrite),
    /// By a function of the runtime, with what follows `w` and the value of its arguments.
    Helper(&'static str, String),
    /// By an encoder of a module, `encode_data`, or by a part.
    Function(String),
    Text,
    Bytes,
    Number,
    /// Items that have no bytes are only counted.
    Items(Option<Box<Write>>),
    Entries {
        key: Box<Write>,
        value: Box<Write>,
    },
    Optional(Box<Write>),
}

/// Values of fixed size that are written together.
#[derive(Debug)]
pub enum FixedWrite {
    Nothing,
    /// An only number, by the table of the runtime that has its bytes.
    Bytes(&'static str, Packed),
    /// By the layout of this name.
    Pack(String, Vec<Packed>),
}

/// A number of a value.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The index of the value among those that are written.
    pub value: usize,
    /// The attributes that lead to the number, each after its dot.
    pub path: String,
    pub made: Made,
}

/// How arrays of a struct lie in bytes.
#[derive(Debug)]
pub struct Block {
    pub constant: String,
    /// The fields, with what makes them of the numbers.
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
    /// What a service would do.
    pub service: Option<ServiceCodec>,
}

#[derive(Debug)]
pub struct Arguments {
    pub annotation: Code,
    /// The locals that hold what comes.
    pub locals: Vec<String>,
    /// Locals that are made of others.
    pub made: Vec<(String, Code)>,
    /// The locals that are written.
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

/// What the codecs of a type hang on.
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
    /// The constant that describes it.
    pub constant: String,
    /// With its package.
    pub full_name: String,
    pub fingerprint: u64,
    /// The constant of `creo_text` that holds its methods.
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
    /// The constant that describes it.
    pub constant: String,
    /// As declared.
    pub declared: String,
    pub id: u64,
    /// Of `creo_binary`.
    pub encoder: String,
    pub fields: Vec<Code>,
    /// The decoder and the description of what comes back.
    pub result: Option<(String, Code)>,
    pub result_annotation: Code,
    pub throws: Vec<Code>,
    pub oneway: bool,
    pub parameters: Vec<Parameter>,
}

#[derive(Debug)]
pub struct Parameter {
    pub name: String,
    pub annotation: Code,
    /// Whether it may be left out: it is null then.
    pub may_be_left_out: bool,
}
