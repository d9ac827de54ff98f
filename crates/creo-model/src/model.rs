//! The types of the model: a description with resolved names. See `spec/model.md`.

use crate::xml::{Xml, XmlWord};

/// A primitive type of the language (LANG, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Primitive {
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
    String,
    DateTime,
    Decimal,
}

impl Primitive {
    /// All primitives, in the order of the specification's table.
    pub const ALL: [Primitive; 11] = [
        Primitive::Boolean,
        Primitive::Byte,
        Primitive::Short,
        Primitive::Char,
        Primitive::Int,
        Primitive::Long,
        Primitive::Float,
        Primitive::Double,
        Primitive::String,
        Primitive::DateTime,
        Primitive::Decimal,
    ];

    /// The keyword of the language, also the name in the model's JSON and in signatures.
    pub fn keyword(self) -> &'static str {
        match self {
            Primitive::Boolean => "boolean",
            Primitive::Byte => "byte",
            Primitive::Short => "short",
            Primitive::Char => "char",
            Primitive::Int => "int",
            Primitive::Long => "long",
            Primitive::Float => "float",
            Primitive::Double => "double",
            Primitive::String => "String",
            Primitive::DateTime => "DateTime",
            Primitive::Decimal => "Decimal",
        }
    }

    /// The primitive that `keyword` names.
    pub fn from_keyword(keyword: &str) -> Option<Primitive> {
        Primitive::ALL.into_iter().find(|p| p.keyword() == keyword)
    }
}

/// Index of a [`Package`] in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackageId(pub usize);

/// Index of a [`TypeDecl`] in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub usize);

/// The type of a field, member, parameter or result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    Primitive(Primitive),
    /// `byte[]`. Never `Array(Primitive(Byte))`.
    Bytes,
    Array(Box<Type>),
    /// Never directly within another optional.
    Optional(Box<Type>),
    Map(Box<Type>, Box<Type>),
    Named(TypeId),
}

impl Type {
    /// The declared types that it refers to, through arrays, optionals and maps.
    pub fn names(&self) -> impl Iterator<Item = TypeId> {
        let mut left = vec![self];
        std::iter::from_fn(move || {
            loop {
                match left.pop()? {
                    Type::Primitive(_) | Type::Bytes => {}
                    Type::Array(item) | Type::Optional(item) => left.push(item),
                    Type::Map(key, value) => left.extend([value.as_ref(), key.as_ref()]),
                    Type::Named(id) => return Some(*id),
                }
            }
        })
    }
}

/// A default value, already checked against its field's type (LANG-21).
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Boolean(bool),
    /// For byte, short, int and long.
    Integer(i64),
    /// For char: the code unit.
    Char(u16),
    /// For float: the value rounded to binary32. For double: the value.
    Number(f64),
    String(String),
    /// Seconds since 1970-01-01T00:00:00Z, nanoseconds.
    DateTime(i64, u32),
    /// In canonical form (BIN-12).
    Decimal(String),
    /// The index of the constant in the enum's list.
    Constant(TypeId, usize),
    /// `{}`: no items, bytes or entries.
    Empty,
}

/// Target-specific names: `@Name(java = "x")` gives `("java", "x")`. Sorted by target.
pub type TargetNames = Vec<(String, String)>;

/// An annotation that the language does not know, or one about XML; kept for plug-ins and exporters.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    pub name: String,
    pub arguments: Vec<AnnotationArgument>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AnnotationArgument {
    pub name: Option<String>,
    pub value: AnnotationValue,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AnnotationValue {
    Boolean(bool),
    Integer(i64),
    Number(f64),
    String(String),
    /// A word without quotes.
    Word(String),
    Empty,
}

/// Properties of every declaration, field, constant, member, method and parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// The documentation comment's text (LANG-2), lines joined by `\n`. Hostile text: escape it.
    pub doc: Option<String>,
    /// `@Deprecated`: its text, empty if it has none.
    pub deprecated: Option<String>,
    /// `@Secret`: generated code does not show the value as text.
    pub secret: bool,
    /// `@Name`.
    pub targets: TargetNames,
    /// Unknown and XML annotations in source order.
    pub annotations: Vec<Annotation>,
    /// `@Xml`.
    pub xml: Option<Box<Xml>>,
}

impl Notes {
    /// The name that `@Name` gives for `target`.
    pub fn target_name(&self, target: &str) -> Option<&str> {
        self.targets.iter().find(|(t, _)| t == target).map(|(_, n)| n.as_str())
    }

    /// The arguments of `@Xml`; the defaults if there is none.
    pub fn xml(&self) -> &Xml {
        self.xml.as_deref().unwrap_or(Xml::none())
    }
}

/// The package of files that do not name one.
pub const DEFAULT_PACKAGE: &str = "service";

#[derive(Clone, Debug, PartialEq)]
pub struct Package {
    /// Dotted name; [`DEFAULT_PACKAGE`] if the file names none.
    pub name: String,
    /// Target-specific names, from `@PACKAGE(.., python = "x")`.
    pub targets: TargetNames,
    /// The name in targets without a specific one, if generated code is placed elsewhere. It never affects a wire.
    pub place: Option<String>,
    /// XML namespace.
    pub namespace: String,
    pub annotations: Vec<Annotation>,
}

impl Package {
    /// The package's name in `target`: the specific or the common one.
    pub fn name_for(&self, target: &str) -> &str {
        let common = self.place.as_deref().unwrap_or(&self.name);
        self.targets.iter().find(|(t, _)| t == target).map_or(common, |(_, n)| n.as_str())
    }
}

/// A field of a struct or exception, a member of a union, or a parameter of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    /// Whether it is a stream of items of this type (LANG-30). Only for the last parameter of a method.
    pub streams: bool,
    /// Only for fields of structs and exceptions.
    pub default: Option<Literal>,
    pub notes: Notes,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub name: String,
    /// 0 to 2^31 - 1.
    pub number: u32,
    pub notes: Notes,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    Struct(Vec<Field>),
    Exception(Vec<Field>),
    /// Never empty.
    Enum(Vec<Constant>),
    /// Never empty.
    Union(Vec<Field>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct TypeDecl {
    pub name: String,
    pub package: PackageId,
    pub kind: TypeKind,
    pub extensible: bool,
    /// MODEL-20.
    pub recursive: bool,
    pub notes: Notes,
}

impl TypeDecl {
    /// The fields of a struct or exception, or the members of a union; empty for an enum.
    pub fn fields(&self) -> &[Field] {
        match &self.kind {
            TypeKind::Struct(fields) | TypeKind::Exception(fields) | TypeKind::Union(fields) => fields,
            TypeKind::Enum(_) => &[],
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    pub name: String,
    /// MODEL-4.
    pub id: u64,
    pub oneway: bool,
    /// `@Idempotent`: a client may repeat a call (CALL-20).
    pub idempotent: bool,
    pub parameters: Vec<Field>,
    /// `None` for `void`.
    pub result: Option<Type>,
    /// Whether the result is a stream of items of its type (LANG-30).
    pub streams_result: bool,
    /// Exceptions, in declared order.
    pub throws: Vec<TypeId>,
    pub notes: Notes,
    /// `@XmlResponse`.
    pub response_xml: Option<Box<Xml>>,
    /// `@XmlResult`.
    pub result_xml: Option<Box<Xml>>,
}

impl Method {
    /// The arguments of `@XmlResponse`; the defaults if there is none.
    pub fn response_xml(&self) -> &Xml {
        self.response_xml.as_deref().unwrap_or(Xml::none())
    }

    /// The arguments of `@XmlResult`; the defaults if there is none.
    pub fn result_xml(&self) -> &Xml {
        self.result_xml.as_deref().unwrap_or(Xml::none())
    }

    /// Whether its result or its last parameter is a stream. Only the binary wire carries such a method (CALL-47).
    pub fn has_streams(&self) -> bool {
        self.streams_result || self.stream_parameter().is_some()
    }

    /// The parameter that is a stream.
    pub fn stream_parameter(&self) -> Option<&Field> {
        self.parameters.last().filter(|parameter| parameter.streams)
    }

    /// The parameters that are values: what a request contains.
    pub fn arguments(&self) -> &[Field] {
        &self.parameters[..self.parameters.len() - usize::from(self.stream_parameter().is_some())]
    }

    /// The result that a response contains; `None` for `void` and for a stream.
    pub fn returns(&self) -> Option<&Type> {
        self.result.as_ref().filter(|_| !self.streams_result)
    }

    /// The declared types of its parameters, result and exceptions.
    pub fn names(&self) -> impl Iterator<Item = TypeId> {
        let types = self.parameters.iter().map(|parameter| &parameter.ty).chain(&self.result);
        types.flat_map(Type::names).chain(self.throws.iter().copied())
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    pub name: String,
    pub package: PackageId,
    /// MODEL-5.
    pub fingerprint: u64,
    pub methods: Vec<Method>,
    pub notes: Notes,
}

/// A description with resolved names. `creo-check` checks it against the rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Base names of the source files, starting with the one named first; for headers of generated files.
    pub sources: Vec<String>,
    /// Sorted by name.
    pub packages: Vec<Package>,
    /// The distinct packages of the named files, starting with the first file's; those of other files are imported.
    pub named: Vec<PackageId>,
    /// In the order of files, then of declarations.
    pub types: Vec<TypeDecl>,
    pub interfaces: Vec<Interface>,
}

impl Model {
    pub fn package(&self, id: PackageId) -> &Package {
        &self.packages[id.0]
    }

    pub fn ty(&self, id: TypeId) -> &TypeDecl {
        &self.types[id.0]
    }

    /// The struct that is the result of a method, if its fields are the parts of the response on the soap wire.
    pub fn result_in_parts(&self, method: &Method) -> Option<TypeId> {
        let Some(Type::Named(id)) = method.returns() else { return None };
        self.is_parts(*id).then_some(*id)
    }

    /// Whether the fields of a struct are the parts of a response: elements in the header (SOAP-26) or in the body (SOAP-100).
    pub fn is_parts(&self, id: TypeId) -> bool {
        let decl = self.ty(id);
        decl.notes.xml().has(XmlWord::Parts)
            || decl.fields().iter().any(|field| field.notes.xml().has(XmlWord::Header))
    }

    /// Package, dot, name (MODEL-1).
    pub fn full_name(&self, id: TypeId) -> String {
        let decl = self.ty(id);
        format!("{}.{}", self.package(decl.package).name, decl.name)
    }

    /// Package, dot, name (MODEL-1).
    pub fn interface_name(&self, interface: &Interface) -> String {
        format!("{}.{}", self.package(interface.package).name, interface.name)
    }

    /// The type with the given full name.
    pub fn find(&self, full_name: &str) -> Option<TypeId> {
        (0..self.types.len()).map(TypeId).find(|id| self.full_name(*id) == full_name)
    }

    /// Whether anything customizes its XML (`@Xml`, `@XmlResponse`, `@XmlResult`, `@NAMESPACE`), as in every imported description: then
    /// some partner reads that XML.
    pub fn has_xml(&self) -> bool {
        let of_field = |field: &Field| field.notes.xml.is_some();
        let of_type = |decl: &TypeDecl| {
            let constants = match &decl.kind {
                TypeKind::Enum(constants) => constants.as_slice(),
                TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) => &[],
            };
            decl.notes.xml.is_some()
                || decl.fields().iter().any(of_field)
                || constants.iter().any(|constant| constant.notes.xml.is_some())
        };
        let of_method = |method: &Method| {
            method.notes.xml.is_some()
                || method.response_xml.is_some()
                || method.result_xml.is_some()
                || method.parameters.iter().any(of_field)
        };
        let of_package = |package: &Package| package.namespace != format!("urn:creo:{}", package.name);
        self.packages.iter().any(of_package)
            || self.types.iter().any(of_type)
            || self
                .interfaces
                .iter()
                .any(|interface| interface.notes.xml.is_some() || interface.methods.iter().any(of_method))
    }

    pub fn type_ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len()).map(TypeId)
    }
}
