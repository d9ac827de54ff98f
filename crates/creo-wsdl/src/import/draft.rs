//! The description under construction. Declarations refer to each other by number and get their names last.

use crate::import::table::QName;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Index of a [`Decl`] in its draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeclId(pub usize);

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ty {
    /// A primitive, by its keyword.
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
    /// An array of this type. `byte[]` would be one base64 text, so an array of single bytes uses the next larger type.
    pub fn array(self) -> Ty {
        let item = if self == Ty::Word("byte") { Ty::Word("short") } else { self };
        Ty::Array(Box::new(item))
    }

    /// Makes the type optional unless it already is.
    pub fn optional(self) -> Ty {
        match self {
            Ty::Optional(_) => self,
            Ty::Word(_) | Ty::Bytes | Ty::Attributes | Ty::Decl(_) | Ty::Array(_) => {
                Ty::Optional(Box::new(self))
            }
        }
    }

    /// Replaces the number of the referenced declaration.
    pub fn renumber(&mut self, numbers: &[DeclId]) {
        match self {
            Ty::Decl(id) => *id = numbers[id.0],
            Ty::Array(inner) | Ty::Optional(inner) => inner.renumber(numbers),
            Ty::Word(_) | Ty::Bytes | Ty::Attributes => {}
        }
    }

    /// The referenced declaration, at any depth.
    pub fn decl(&self) -> Option<DeclId> {
        match self {
            Ty::Decl(id) => Some(*id),
            Ty::Array(inner) | Ty::Optional(inner) => inner.decl(),
            Ty::Word(_) | Ty::Bytes | Ty::Attributes => None,
        }
    }
}

/// The arguments of `@Xml` on a field, member or parameter.
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

/// Notes of a declaration or field for readers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The documentation from the source.
    pub doc: String,
    /// Notes about surprising mappings.
    pub comments: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The wanted name, not yet a valid name of the language.
    pub name: String,
    /// The element or attribute; `None` for inline content, text and wildcards.
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
    /// The fields or members; empty for an enum.
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
    /// Found but not built yet.
    Waiting,
}

/// The priority of a declaration when names are chosen.
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
    /// The wanted name, not yet a valid name of the language.
    pub name: String,
    /// The suffix for the name if another declaration has it.
    pub suffix: &'static str,
    pub rank: Rank,
    /// The name of the schema type, or of the element for an exception.
    pub xml: Option<Rc<str>>,
    pub namespace: Rc<str>,
    pub notes: Notes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// Of several elements in the body the first; without a name if the body is empty.
    pub element: QName,
    pub bare: bool,
    /// SOAP-100: the fields of the result, which is a struct, are the elements of the body, besides those in the header.
    pub several: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    pub name: String,
    pub oneway: bool,
    /// The request's wrapper; `None` if the message is bare.
    pub wrapper: Option<QName>,
    pub parameters: Vec<Field>,
    /// The result. Its `xml` is the element within the response's wrapper, if there is one.
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
    /// Whether all methods are bound to SOAP 1.2 only.
    pub soap12: bool,
    /// Whether all methods are rpc/encoded (SOAP-30).
    pub encoded: bool,
    /// Whether a binding or port requires WS-Addressing.
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

impl Draft {
    /// The structs whose fields are the elements of bodies (SOAP-100).
    pub fn bodies(&self) -> BTreeSet<DeclId> {
        let methods = self.interfaces.iter().flat_map(|interface| &interface.methods);
        let several =
            methods.filter(|method| method.response.as_ref().is_some_and(|response| response.several));
        several.filter_map(|method| method.result.as_ref()?.ty.decl()).collect()
    }
}

/// A field without XML annotations.
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
