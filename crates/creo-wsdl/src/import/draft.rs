//! The description as it is put together: declarations that refer to one another by number, and get their names last.

use crate::import::table::QName;
use std::rc::Rc;

/// Index of a [`Decl`] in its draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeclId(pub usize);

/// A type as a field has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ty {
    /// A primitive, by its word.
    Word(&'static str),
    /// `byte[]`
    Bytes,
    /// `Map<String, String>`
    Attributes,
    Decl(DeclId),
    Array(Box<Ty>),
    Optional(Box<Ty>),
}

impl Ty {
    /// Many of it. `byte[]` would be one text of base64, so many bytes that stand alone are numbers of the next larger type.
    pub fn array(self) -> Ty {
        let item = if self == Ty::Word("byte") { Ty::Word("short") } else { self };
        Ty::Array(Box::new(item))
    }

    /// Nothing becomes optional twice.
    pub fn optional(self) -> Ty {
        match self {
            Ty::Optional(_) => self,
            Ty::Word(_) | Ty::Bytes | Ty::Attributes | Ty::Decl(_) | Ty::Array(_) => {
                Ty::Optional(Box::new(self))
            }
        }
    }

    /// Gives the declaration that it names another number.
    pub fn renumber(&mut self, numbers: &[DeclId]) {
        match self {
            Ty::Decl(id) => *id = numbers[id.0],
            Ty::Array(inner) | Ty::Optional(inner) => inner.renumber(numbers),
            Ty::Word(_) | Ty::Bytes | Ty::Attributes => {}
        }
    }

    /// The declaration that it names, wherever.
    pub fn decl(&self) -> Option<DeclId> {
        match self {
            Ty::Decl(id) => Some(*id),
            Ty::Array(inner) | Ty::Optional(inner) => inner.decl(),
            Ty::Word(_) | Ty::Bytes | Ty::Attributes => None,
        }
    }
}

/// The words of `@Xml` on a field, member or parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    pub attribute: bool,
    pub text: bool,
    pub list: bool,
    pub nillable: bool,
    pub inline: bool,
    pub any: bool,
    pub raw: bool,
    pub any_attribute: bool,
    pub base: bool,
    pub header: bool,
    /// `type = ".."`
    pub xsd: Option<&'static str>,
}

/// What a declaration or field carries for readers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The documentation of the source.
    pub doc: String,
    /// What was mapped in a way that may surprise.
    pub comments: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name that is wanted, not yet one of the language.
    pub name: String,
    /// The element or attribute; `None` for what has none of its own (inline, text, any).
    pub xml: Option<QName>,
    pub ty: Ty,
    pub marks: Marks,
    /// A literal of the language.
    pub default: Option<String>,
    pub notes: Notes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    pub text: String,
    pub notes: Notes,
}

impl Shape {
    /// The fields or members; none of an enum.
    pub fn fields(&self) -> &[Field] {
        match self {
            Shape::Struct(fields) | Shape::Exception(fields) | Shape::Union { members: fields, .. } => fields,
            Shape::Enum(_) | Shape::Waiting => &[],
        }
    }

    pub fn fields_mut(&mut self) -> &mut [Field] {
        match self {
            Shape::Struct(fields) | Shape::Exception(fields) | Shape::Union { members: fields, .. } => fields,
            Shape::Enum(_) | Shape::Waiting => &mut [],
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Struct(Vec<Field>),
    Exception(Vec<Field>),
    Enum(Vec<Constant>),
    Union {
        members: Vec<Field>,
        derived: bool,
    },
    /// Found, and not yet built.
    Waiting,
}

/// How early a declaration may choose its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    Type,
    Element,
    Exception,
    Derived,
    Anonymous,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    pub shape: Shape,
    /// The name that is wanted, not yet one of the language.
    pub name: String,
    /// What is put behind the name if another has it.
    pub suffix: &'static str,
    pub rank: Rank,
    /// The name of the schema type, or for an exception of its element.
    pub xml: Option<Rc<str>>,
    pub namespace: Rc<str>,
    pub notes: Notes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    pub element: QName,
    pub bare: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    pub name: String,
    pub oneway: bool,
    /// The wrapper of the request; `None`: bare.
    pub wrapper: Option<QName>,
    pub parameters: Vec<Field>,
    /// Its `xml` is the element within the wrapper of the response, if there is one.
    pub result: Option<Field>,
    pub response: Option<Response>,
    pub throws: Vec<DeclId>,
    pub action: Option<String>,
    pub notes: Notes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    pub name: String,
    pub namespace: Rc<str>,
    /// All methods are bound to SOAP 1.2 alone.
    pub soap12: bool,
    /// All methods are rpc/encoded (SOAP-30).
    pub encoded: bool,
    /// A binding or port demands WS-Addressing.
    pub addressing: bool,
    pub methods: Vec<Method>,
    pub notes: Notes,
}

#[derive(Debug, Default)]
pub struct Draft {
    pub decls: Vec<Decl>,
    pub interfaces: Vec<Interface>,
    pub notes: Notes,
}

/// A field without any XML of its own.
pub fn plain(name: impl Into<String>, ty: Ty) -> Field {
    Field {
        name: name.into(),
        xml: None,
        ty,
        marks: Marks::default(),
        default: None,
        notes: Notes::default(),
    }
}
