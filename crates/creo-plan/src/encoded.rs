//! SOAP encoding (SOAP-30, SOAP-31): the types that it reaches, and the values of `xsi:type` and `arrayType`.

use crate::Plan;
use crate::node::{ArrayLayout, Kind, Name, Node, StringForm};
use crate::record::{Declared, Message, Method};
use crate::scalar::{SOAP_ENCODING, XML_SCHEMA, schema_type};
use creo_model::{Primitive, TypeId};
use std::collections::BTreeSet;

/// The types in the start tag of a value in an encoded message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedType {
    /// `xsi:type`.
    pub name: Name,
    /// For an array: `arrayType` without the count.
    pub items: Option<Name>,
}

impl Node {
    /// The XML Schema type of the value's text, if it is not the default of its kind.
    pub fn own_schema(&self) -> Option<&'static str> {
        let usual = match &self.kind {
            Kind::Optional(inner) | Kind::Array { item: inner, layout: ArrayLayout::Repeated, .. } => {
                return inner.own_schema();
            }
            Kind::Scalar(scalar) => schema_type(scalar.primitive()),
            Kind::String(StringForm::Plain) => schema_type(Primitive::String),
            Kind::String(StringForm::Token) => "token",
            Kind::String(StringForm::QName) => "QName",
            Kind::Decimal => schema_type(Primitive::Decimal),
            Kind::Bytes { hex: true } => "hexBinary",
            Kind::Bytes { hex: false } => "base64Binary",
            Kind::String(StringForm::Raw)
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => return None,
        };
        self.schema.filter(|schema| *schema != usual)
    }
}

impl Plan {
    /// The types of values in encoded messages; empty if no interface is encoded.
    pub fn encoded_types(&self) -> BTreeSet<TypeId> {
        let methods = self.interfaces().iter().filter(|interface| interface.encoded);
        self.held(methods.flat_map(|interface| &interface.methods).flat_map(Method::messages))
    }

    /// The types in a value's element; `None` for none. A list of repeated elements has none itself, but its items do.
    pub fn encoded_type(&self, node: &Node) -> Option<EncodedType> {
        let plain = |name: Name| Some(EncodedType { name, items: None });
        match &node.kind {
            Kind::Scalar(_) | Kind::String(_) | Kind::Decimal | Kind::Bytes { .. } => {
                plain(self.in_schema(node.schema?))
            }
            Kind::Optional(inner) => self.encoded_type(inner),
            Kind::Record(id) | Kind::Enum(id) => plain(self.type_name(*id).clone()),
            Kind::Union(id) => {
                let union = self.union(*id);
                let base = union.base.filter(|_| union.derived)?;
                self.encoded_type(&union.members[base].node)
            }
            Kind::Array { item, layout: ArrayLayout::Wrapped, .. } => Some(EncodedType {
                name: Name { local: "Array".to_owned(), namespace: self.known(SOAP_ENCODING) },
                items: Some(self.items(item)),
            }),
            Kind::Array { layout: ArrayLayout::Repeated | ArrayLayout::List, .. } | Kind::Map { .. } => None,
        }
    }

    fn items(&self, item: &Node) -> Name {
        match self.encoded_type(item) {
            None => self.in_schema("anyType"),
            Some(EncodedType { items: Some(items), .. }) => {
                Name { local: items.local + "[]", namespace: items.namespace }
            }
            Some(EncodedType { name, items: None }) => name,
        }
    }

    fn in_schema(&self, local: &str) -> Name {
        Name { local: local.to_owned(), namespace: self.known(XML_SCHEMA) }
    }

    fn known(&self, namespace: &str) -> Option<usize> {
        self.namespaces().iter().position(|known| known == namespace)
    }

    /// The namespaces of an encoded message, sorted: those of its literal form, and those of `xsi:type` and `arrayType`.
    pub(crate) fn encoded_namespaces(&self, message: &Message, literal: Vec<usize>) -> Vec<usize> {
        let mut all: BTreeSet<usize> = literal.into_iter().collect();
        all.extend([XML_SCHEMA, SOAP_ENCODING].into_iter().filter_map(|known| self.known(known)));
        all.extend(self.held([message]).into_iter().filter_map(|id| match self.declared(id) {
            Declared::Record(_) | Declared::Enum(_) => self.type_name(id).namespace,
            Declared::Union(_) => None,
        }));
        all.into_iter().collect()
    }
}
