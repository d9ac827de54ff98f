//! The plan of a model, and queries on it.

use crate::node::{Name, Node, Shape};
use crate::record::{Declared, Enum, Field, Interface, Message, Method, Record, Union};
use creo_model::{Type, TypeId};
use std::collections::BTreeSet;

/// The plan of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub(crate) namespaces: Vec<String>,
    pub(crate) types: Vec<Declared>,
    pub(crate) values: Vec<Node>,
    pub(crate) interfaces: Vec<Interface>,
}

impl Plan {
    /// All namespaces of the description, sorted. That of `xml:lang` ([`creo_model::XML_NAMESPACE`]), with the prefix `xml`, is included if
    /// an attribute is in it.
    pub fn namespaces(&self) -> &[String] {
        &self.namespaces
    }

    pub fn declared(&self, id: TypeId) -> &Declared {
        &self.types[id.0]
    }

    /// A struct or exception.
    ///
    /// # Panics
    /// If the type is an enum or a union.
    pub fn record(&self, id: TypeId) -> &Record {
        match &self.types[id.0] {
            Declared::Record(record) => record,
            Declared::Union(_) | Declared::Enum(_) => panic!("the type is a struct or exception"),
        }
    }

    /// # Panics
    /// If the type is not a union.
    pub fn union(&self, id: TypeId) -> &Union {
        match &self.types[id.0] {
            Declared::Union(union) => union,
            Declared::Record(_) | Declared::Enum(_) => panic!("the type is a union"),
        }
    }

    /// # Panics
    /// If the type is not an enum.
    pub fn enumeration(&self, id: TypeId) -> &Enum {
        match &self.types[id.0] {
            Declared::Enum(enumeration) => enumeration,
            Declared::Record(_) | Declared::Union(_) => panic!("the type is an enum"),
        }
    }

    /// The interface at `index` of the model's interfaces.
    pub fn interface(&self, index: usize) -> &Interface {
        &self.interfaces[index]
    }

    pub fn interfaces(&self) -> &[Interface] {
        &self.interfaces
    }

    /// Whether a method has streams.
    pub fn has_streams(&self) -> bool {
        self.interfaces.iter().flat_map(|interface| &interface.methods).any(Method::has_streams)
    }

    /// The fields of a struct or exception, or the members of a union; none for an enum.
    pub fn members(&self, id: TypeId) -> &[Field] {
        match &self.types[id.0] {
            Declared::Record(record) => &record.fields,
            Declared::Union(union) => &union.members,
            Declared::Enum(_) => &[],
        }
    }

    /// The types that the text wires carry for the interface at `index`: those that its methods without streams reach.
    pub fn reached(&self, index: usize) -> BTreeSet<TypeId> {
        let methods = || self.interfaces[index].methods.iter().filter(|method| !method.has_streams());
        let mut reached = self.held(methods().flat_map(Method::messages));
        reached.extend(self.closure(methods().flat_map(|method| &method.throws).copied().collect()));
        reached
    }

    /// The types that the json wire carries for the interface at `index`: those that its methods reach, but for those with two streams.
    pub fn reached_by_json(&self, index: usize) -> BTreeSet<TypeId> {
        let methods = || self.interfaces[index].methods.iter().filter(|method| method.is_carried_by_json());
        let mut reached =
            self.held(methods().flat_map(Method::messages).chain(methods().flat_map(|m| &m.item)));
        reached.extend(self.closure(methods().flat_map(|method| &method.throws).copied().collect()));
        reached
    }

    /// The types of the values in messages.
    pub(crate) fn held<'p>(&self, messages: impl IntoIterator<Item = &'p Message>) -> BTreeSet<TypeId> {
        let fields = messages.into_iter().flat_map(|message| &message.record.fields);
        self.closure(fields.flat_map(|field| field.node.ty.names()).collect())
    }

    /// The types and all types that they contain.
    pub(crate) fn closure(&self, mut work: Vec<TypeId>) -> BTreeSet<TypeId> {
        let mut reached = BTreeSet::new();
        while let Some(id) = work.pop() {
            if reached.insert(id) {
                work.extend(self.members(id).iter().flat_map(|field| field.node.ty.names()));
            }
        }
        reached
    }

    /// The name of a schema type.
    pub fn type_name(&self, id: TypeId) -> &Name {
        match &self.types[id.0] {
            Declared::Record(record) => &record.xml,
            Declared::Union(union) => &union.xml,
            Declared::Enum(enumeration) => &enumeration.xml,
        }
    }

    pub fn shape(&self, id: TypeId) -> Shape {
        match &self.types[id.0] {
            Declared::Record(record) => record.shape,
            Declared::Union(union) => union.shape,
            Declared::Enum(enumeration) => enumeration.shape,
        }
    }

    /// A standalone value of a declared type (XML-3), with the name of its type.
    pub fn value(&self, id: TypeId) -> &Node {
        &self.values[id.0]
    }

    /// The namespaces that a standalone value of a declared type may need, sorted, and whether it may need `xsi`.
    pub fn value_needs(&self, id: TypeId) -> (Vec<usize>, bool) {
        match &self.types[id.0] {
            Declared::Record(Record { content, .. }) | Declared::Union(Union { content, .. }) => {
                (content.namespaces.clone(), content.xsi)
            }
            Declared::Enum(enumeration) => (enumeration.xml.namespace.into_iter().collect(), false),
        }
    }

    /// All messages, and whether each is encoded (SOAP-30).
    pub(crate) fn messages(&self) -> impl Iterator<Item = (&Message, bool)> {
        self.interfaces.iter().flat_map(|interface| {
            let messages = interface.methods.iter().flat_map(Method::messages);
            messages.map(|message| (message, interface.encoded))
        })
    }

    pub(crate) fn messages_mut(&mut self) -> impl Iterator<Item = &mut Message> {
        let methods = self.interfaces.iter_mut().flat_map(|interface| &mut interface.methods);
        methods.flat_map(|method| {
            std::iter::once(&mut method.request).chain(&mut method.response).chain(&mut method.soap_response)
        })
    }
}

/// The declared type of a type, if it is one directly; `None` for all others.
pub fn named(ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Named(id) => Some(*id),
        Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => None,
    }
}
