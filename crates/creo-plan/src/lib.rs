//! The plan of a description: every value as a typed node, with its operation, its sizes, its memory and its form in XML.
//!
//! Generators, exporters and the cost model read the plan and nothing else about wires, so that code, schemas and estimates cannot drift apart.
//! The layouts are those of `spec/wires/binary.md`, `spec/wires/xml.md` and `spec/wires/soap.md`.

mod build;
mod first;
mod json;
mod json_plan;
mod leaf;
mod memory;
mod namespaces;
mod node;
mod record;
mod scalar;
mod shape;

pub use build::{default_action, draft, namespaces};
pub use first::{Grammar, InlineContent, MAX_FIRST, inline_edges, inline_type, is_repeated};
pub use json::{FORMAT, to_json};
pub use leaf::{Leaf, LeafKind, LeafLimits};
pub use node::{ArrayLayout, Charges, Kind, Name, Node, Position, Shape, StringForm, Xml};
pub use record::{
    Constant, Content, Declared, Enum, Field, Interface, Message, Method, Record, RunField, Step, Union,
};
pub use scalar::{BulkScalar, FixedScalar};
pub use shape::count_size;

use creo_model::{Model, Type, TypeId};
use std::collections::BTreeSet;

/// The plan of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    namespaces: Vec<String>,
    types: Vec<Declared>,
    values: Vec<Node>,
    interfaces: Vec<Interface>,
}

/// Makes the plan of a model that `creo-check` accepts.
///
/// # Panics
/// If the first sets of the model are larger than [`MAX_FIRST`].
pub fn plan(model: &Model) -> Plan {
    finish(draft(model))
}

fn finish(mut plan: Plan) -> Plan {
    let mut grammar = Grammar::new(&plan).expect("`check` counted the first sets");
    let namespaces = namespaces::Namespaces::new(&plan);
    let of_type = |index: usize| {
        let id = TypeId(index);
        let (namespaces, xsi) = namespaces.of_type(id);
        Content {
            first: grammar.named(grammar.first(id)),
            ambiguous: grammar.is_ambiguous_type(id),
            namespaces,
            xsi,
        }
    };
    let contents: Vec<Content> = (0..plan.types.len()).map(of_type).collect();
    let of_message = |message: &Message| {
        let fields = &message.record.fields;
        let first = grammar.first_set(fields).expect("`check` counted the first sets");
        let (namespaces, xsi) = namespaces.of_message(message);
        Content {
            first: grammar.named(&first),
            ambiguous: grammar.is_ambiguous(fields, &first, false),
            namespaces,
            xsi,
        }
    };
    let in_messages: Vec<Content> = plan.messages().map(of_message).collect();
    for (declared, content) in plan.types.iter_mut().zip(contents) {
        match declared {
            Declared::Record(record) => record.content = content,
            Declared::Union(union) => union.content = content,
            Declared::Enum(_) => {}
        }
    }
    for (message, content) in plan.messages_mut().zip(in_messages) {
        message.record.content = content;
    }
    plan
}

impl Plan {
    /// All namespaces of the description, sorted. That of `xml:lang` ([`creo_model::XML_NAMESPACE`]), whose prefix is `xml`, is among them
    /// if an attribute is in it.
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
    /// If the type is no union.
    pub fn union(&self, id: TypeId) -> &Union {
        match &self.types[id.0] {
            Declared::Union(union) => union,
            Declared::Record(_) | Declared::Enum(_) => panic!("the type is a union"),
        }
    }

    /// # Panics
    /// If the type is no enum.
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

    /// The fields of a struct or exception, the members of a union; none of an enum.
    pub fn members(&self, id: TypeId) -> &[Field] {
        match &self.types[id.0] {
            Declared::Record(record) => &record.fields,
            Declared::Union(union) => &union.members,
            Declared::Enum(_) => &[],
        }
    }

    /// The types that the methods of the interface at `index` reach.
    pub fn reached(&self, index: usize) -> BTreeSet<TypeId> {
        let mut work: Vec<TypeId> = Vec::new();
        for method in &self.interfaces[index].methods {
            for message in std::iter::once(&method.request).chain(&method.response) {
                message.record.fields.iter().for_each(|field| field.node.add_named(&mut work));
            }
            work.extend(&method.throws);
        }
        let mut reached = BTreeSet::new();
        while let Some(id) = work.pop() {
            if reached.insert(id) {
                self.members(id).iter().for_each(|field| field.node.add_named(&mut work));
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

    /// A value of a declared type alone (XML-3), named as its type.
    pub fn value(&self, id: TypeId) -> &Node {
        &self.values[id.0]
    }

    /// The namespaces that a value of a declared type alone may need, sorted, and whether it may need `xsi`.
    pub fn value_needs(&self, id: TypeId) -> (Vec<usize>, bool) {
        match &self.types[id.0] {
            Declared::Record(Record { content, .. }) | Declared::Union(Union { content, .. }) => {
                (content.namespaces.clone(), content.xsi)
            }
            Declared::Enum(enumeration) => (enumeration.xml.namespace.into_iter().collect(), false),
        }
    }

    fn messages(&self) -> impl Iterator<Item = &Message> {
        let methods = self.interfaces.iter().flat_map(|interface| &interface.methods);
        methods.flat_map(|method| std::iter::once(&method.request).chain(&method.response))
    }

    fn messages_mut(&mut self) -> impl Iterator<Item = &mut Message> {
        let methods = self.interfaces.iter_mut().flat_map(|interface| &mut interface.methods);
        methods.flat_map(|method| std::iter::once(&mut method.request).chain(&mut method.response))
    }

    /// Whether a node is, or holds by value, an enum: at any depth of structs.
    pub fn holds_enum(&self, node: &Node) -> bool {
        match node.kind {
            Kind::Enum(_) => true,
            Kind::Record(id) => self.record(id).fields.iter().any(|field| self.holds_enum(&field.node)),
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Union(_) => false,
        }
    }
}

/// The declared type that a type is by itself; `None` of all others.
pub fn named(ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Named(id) => Some(*id),
        Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => None,
    }
}
