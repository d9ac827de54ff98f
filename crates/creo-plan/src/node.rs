//! A value: its type, its operation on the binary wire, and its form on the text wires.

use crate::scalar::{BulkScalar, FixedScalar, schema_type};
use creo_model::{Primitive, Type, TypeId};

/// Sizes on the binary wire, in bytes (MODEL-21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub min_size: u64,
    /// The size, if it is the same for all values.
    pub fixed_size: Option<u64>,
    /// Whether every sequence of `fixed_size` bytes is a valid value, so a reader need not check it.
    pub any_bits: bool,
}

/// A reader's charges for a value against the limit of memory (LIM-18), in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Charges {
    /// For the value of a present optional. Zero for all other values.
    pub own: u64,
    /// For each item of an array, or each entry of a map.
    pub each: u64,
}

/// The name of an element, an attribute or a schema type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    pub local: String,
    /// Index into [`crate::Plan::namespaces`]; `None`: no namespace.
    pub namespace: Option<usize>,
}

/// The position of a value in the XML of its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    Element,
    /// XML-31.
    Attribute,
    /// XML-32.
    Text,
    /// XML-35: the content, without its own element. [`Xml::name`] has no meaning.
    Inline,
    /// XML-36: any element that no other field takes. [`Xml::name`] has no meaning.
    Any,
    /// XML-36: any attribute that no other field takes. [`Xml::name`] has no meaning.
    AnyAttribute,
    /// SOAP-8.
    Header,
}

/// The XML form of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Xml {
    pub name: Name,
    pub position: Position,
    /// Whether null is an empty element with `xsi:nil="true"` instead of no element. Only for optionals.
    pub nillable: bool,
}

/// The value of a field, a parameter, a result, an array, a map or an optional.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub ty: Type,
    pub kind: Kind,
    pub shape: Shape,
    /// The memory of the value without its slot (LIM-18), in bytes.
    pub weight: u64,
    pub charges: Charges,
    pub xml: Xml,
    /// The local name of the XML Schema type of the value's text (XML-38); `None` if it is not a text.
    pub schema: Option<&'static str>,
}

/// The kind of a value, with its inner nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A fixed-size primitive.
    Scalar(FixedScalar),
    String(StringForm),
    Decimal,
    /// `byte[]`.
    Bytes {
        /// XML-38: hexadecimal digits instead of base64.
        hex: bool,
    },
    Array {
        item: Box<Node>,
        /// Set if the binary wire copies the items in bulk.
        bulk: Option<BulkScalar>,
        layout: ArrayLayout,
    },
    Map {
        key: Box<Node>,
        value: Box<Node>,
        /// XML-36: the entries are attributes.
        attributes: bool,
    },
    /// Never directly within another optional.
    Optional(Box<Node>),
    /// A struct or exception.
    Record(TypeId),
    Union(TypeId),
    Enum(TypeId),
}

/// The XML form of a `String`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringForm {
    /// Unchanged.
    Plain,
    /// Read without surrounding white space (XML-38).
    Token,
    /// A complete element (XML-36).
    Raw,
    /// `{uri}local`, with a prefix in XML (XML-48).
    QName,
}

/// The XML form of an array's items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayLayout {
    /// An element for each item, in the position of the array (XML-22). The item's name is that of the array.
    Repeated,
    /// Elements in a wrapper element (XML-23). The item's name is `item`.
    Wrapped,
    /// One text (XML-33). The item's name is empty.
    List,
}

impl Node {
    /// A text wire's charges for a union member.
    pub fn member_charges(&self) -> Charges {
        Charges { own: self.charges.own.max(self.weight), ..self.charges }
    }

    pub fn is_optional(&self) -> bool {
        matches!(self.kind, Kind::Optional(_))
    }

    /// Whether XML may have nothing for the value: it is optional, an array of repeated elements, or a map of attributes.
    pub fn may_be_missing(&self) -> bool {
        match self.kind {
            Kind::Optional(_)
            | Kind::Array { layout: ArrayLayout::Repeated, .. }
            | Kind::Map { attributes: true, .. } => true,
            Kind::Array { layout: ArrayLayout::Wrapped | ArrayLayout::List, .. }
            | Kind::Map { attributes: false, .. }
            | Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => false,
        }
    }

    /// The node itself, or the inner node of an optional.
    pub fn inner(&self) -> &Node {
        match &self.kind {
            Kind::Optional(inner) => inner,
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => self,
        }
    }

    /// The node of an item, if this is the array of a stream's items.
    pub fn stream_item(&self) -> Node {
        match &self.kind {
            Kind::Array { item, .. } => Node::clone(item),
            Kind::Bytes { .. } => Node {
                ty: Type::Primitive(Primitive::Byte),
                kind: Kind::Scalar(FixedScalar::Byte),
                shape: Shape::fixed(1, true),
                weight: 0,
                charges: Charges::default(),
                xml: self.xml.clone(),
                schema: Some(schema_type(Primitive::Byte)),
            },
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => unreachable!("the items of a stream are an array"),
        }
    }

    /// The direct inner nodes.
    pub fn children(&self) -> impl Iterator<Item = &Node> {
        let (first, second) = match &self.kind {
            Kind::Array { item, .. } | Kind::Optional(item) => (Some(item), None),
            Kind::Map { key, value, .. } => (Some(key), Some(value)),
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => (None, None),
        };
        first.into_iter().chain(second).map(Box::as_ref)
    }
}
