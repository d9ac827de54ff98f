//! The namespaces that a value may need (XML-2), and whether it may need `xsi`.

use crate::Plan;
use crate::node::{ArrayLayout, Kind, Node, Position, StringForm};
use crate::record::{Declared, Message};
use creo_model::graph::components;
use creo_model::{TypeId, XML_NAMESPACE};

/// A set of namespaces, followed by `xsi`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Used(Vec<u64>);

impl Used {
    fn new(count: usize) -> Used {
        Used(vec![0; count / 64 + 1])
    }

    fn add(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn add_all(&mut self, other: &Used) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// The namespaces, sorted, and whether `xsi` is among them.
    fn list(&self, count: usize) -> (Vec<usize>, bool) {
        ((0..count).filter(|index| self.has(*index)).collect(), self.has(count))
    }
}

/// The namespaces that types use inside an element that already has its name.
pub struct Namespaces<'p> {
    plan: &'p Plan,
    count: usize,
    /// Its prefix needs no declaration.
    xml: Option<usize>,
    of: Vec<Used>,
}

impl Namespaces<'_> {
    pub fn new(plan: &Plan) -> Namespaces<'_> {
        let count = plan.namespaces.len();
        let xml = plan.namespaces.iter().position(|namespace| namespace == XML_NAMESPACE);
        let mut all = Namespaces { plan, count, xml, of: vec![Used::new(count); plan.types.len()] };
        let edges: Vec<Vec<usize>> = (0..plan.types.len())
            .map(|index| {
                let types = plan.members(TypeId(index)).iter().flat_map(|field| field.node.ty.names());
                types.map(|id| id.0).collect()
            })
            .collect();
        // Mutually recursive types use the same; other types that they contain come first.
        for members in components(&edges) {
            let mut used = Used::new(count);
            for member in &members {
                all.own(TypeId(*member), &mut used);
                edges[*member].iter().for_each(|held| used.add_all(&all.of[*held]));
            }
            members.into_iter().for_each(|member| all.of[member] = used.clone());
        }
        all
    }

    /// For a standalone value of a declared type.
    pub fn of_type(&self, id: TypeId) -> (Vec<usize>, bool) {
        let mut used = self.of[id.0].clone();
        self.name(self.plan.type_name(id).namespace, &mut used);
        used.list(self.count)
    }

    pub fn of_message(&self, message: &Message) -> (Vec<usize>, bool) {
        let mut used = Used::new(self.count);
        // The element of a bare body is that of its field.
        if !message.bare {
            self.name(message.element.namespace, &mut used);
        }
        for field in &message.record.fields {
            self.node(&field.node, &mut used);
            field.node.ty.names().for_each(|id| used.add_all(&self.of[id.0]));
        }
        used.list(self.count)
    }

    fn name(&self, namespace: Option<usize>, used: &mut Used) {
        if let Some(namespace) = namespace.filter(|namespace| Some(*namespace) != self.xml) {
            used.add(namespace);
        }
    }

    /// The namespaces of a type itself, without its fields' types.
    fn own(&self, id: TypeId, used: &mut Used) {
        match &self.plan.types[id.0] {
            Declared::Union(union) if union.derived => {
                for member in &union.members {
                    if let Kind::Record(id) = member.node.kind {
                        self.name(self.plan.record(id).xml.namespace, used);
                    }
                }
                used.add(self.count);
            }
            Declared::Record(_) | Declared::Union(_) => {
                self.plan.members(id).iter().for_each(|field| self.node(&field.node, used))
            }
            Declared::Enum(_) => {}
        }
    }

    /// The namespaces of a field's value.
    fn node(&self, node: &Node, used: &mut Used) {
        match node.xml.position {
            // The whole element is text with its own declarations.
            Position::Element | Position::Header if is_raw(node) => {}
            Position::Element | Position::Attribute | Position::Header => {
                self.name(node.xml.name.namespace, used)
            }
            Position::Text | Position::Inline | Position::Any | Position::AnyAttribute => {}
        }
        if may_be_nil(node) {
            used.add(self.count);
        }
    }
}

fn is_raw(node: &Node) -> bool {
    match &node.kind {
        Kind::String(form) => *form == StringForm::Raw,
        Kind::Optional(inner) => is_raw(inner),
        Kind::Array { item, layout: ArrayLayout::Repeated | ArrayLayout::Wrapped, .. } => is_raw(item),
        Kind::Array { layout: ArrayLayout::List, .. }
        | Kind::Scalar(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Map { .. }
        | Kind::Record(_)
        | Kind::Union(_)
        | Kind::Enum(_) => false,
    }
}

/// Whether the value, or one directly in it, is written with `xsi:nil`.
fn may_be_nil(node: &Node) -> bool {
    node.xml.nillable || node.children().any(may_be_nil)
}
