//! Derivation of schema types (XML-37): a member's struct extends the base's struct.

use creo_model::TypeId;
use creo_plan::{ArrayLayout, Declared, Field, Kind, Node, Plan, Position, named};
use std::collections::BTreeMap;

/// The schema types of derived unions.
#[derive(Debug, Default)]
pub struct Derivations {
    /// The type that each struct or union extends.
    parents: BTreeMap<TypeId, TypeId>,
    /// The element type of each derived union whose members extend one another: a struct, or the union itself as an abstract type.
    heads: BTreeMap<TypeId, TypeId>,
}

impl Derivations {
    pub fn new(plan: &Plan, types: &[TypeId]) -> Derivations {
        let unions = || {
            types
                .iter()
                .copied()
                .filter(|id| matches!(plan.declared(*id), Declared::Union(union) if union.derived))
        };
        let mut derivations = Derivations::default();
        // Unions with a base come first: the others are placed above the types that these create.
        for id in unions() {
            let union = plan.union(id);
            if let Some(base) = union.base {
                let members: Vec<TypeId> = members(plan, id);
                let head = members[base];
                let before = derivations.parents.clone();
                if members.iter().all(|member| derivations.extend(plan, *member, head)) {
                    derivations.heads.insert(id, head);
                } else {
                    derivations.parents = before;
                }
            }
        }
        for id in unions().filter(|id| plan.union(*id).base.is_none()) {
            let before = derivations.parents.clone();
            if members(plan, id).iter().all(|member| derivations.put_below(plan, *member, id)) {
                derivations.heads.insert(id, id);
            } else {
                derivations.parents = before;
            }
        }
        derivations
    }

    /// The type that a struct or union extends.
    pub fn parent(&self, id: TypeId) -> Option<TypeId> {
        self.parents.get(&id).copied()
    }

    /// The element type of a derived union, or `None` if no schema type covers all members.
    pub fn head(&self, union: TypeId) -> Option<TypeId> {
        self.heads.get(&union).copied()
    }

    /// Whether other types extend this one.
    pub fn is_extended(&self, id: TypeId) -> bool {
        self.parents.values().any(|parent| *parent == id)
    }

    fn root(&self, id: TypeId) -> TypeId {
        let mut root = id;
        while let Some(parent) = self.parents.get(&root) {
            root = *parent;
        }
        root
    }

    fn is_below(&self, id: TypeId, head: TypeId) -> bool {
        let mut at = id;
        loop {
            if at == head {
                return true;
            }
            match self.parents.get(&at) {
                Some(parent) => at = *parent,
                None => return false,
            }
        }
    }

    /// Makes a struct extend another if it has all the other's fields, in the same order.
    fn extend(&mut self, plan: &Plan, id: TypeId, head: TypeId) -> bool {
        if self.is_below(id, head) {
            return true;
        }
        if self.parents.contains_key(&id) || self.is_below(head, id) || !begins_with(plan, id, head) {
            return false;
        }
        self.parents.insert(id, head);
        true
    }

    /// Makes the root of a struct's chain extend an abstract type.
    fn put_below(&mut self, plan: &Plan, id: TypeId, head: TypeId) -> bool {
        let root = self.root(id);
        if root == head {
            return true;
        }
        // An empty type has element content, which a type with text content cannot extend.
        if plan.members(root).iter().any(|field| field.node.xml.position == Position::Text) {
            return false;
        }
        self.parents.insert(root, head);
        true
    }
}

/// The structs of a derived union.
pub fn members(plan: &Plan, union: TypeId) -> Vec<TypeId> {
    plan.union(union).members.iter().filter_map(|member| named(&member.node.ty)).collect()
}

fn begins_with(plan: &Plan, id: TypeId, head: TypeId) -> bool {
    let (fields, start) = (plan.members(id), plan.members(head));
    let is_attribute =
        |field: &&Field| matches!(field.node.xml.position, Position::Attribute | Position::AnyAttribute);
    let mut elements = fields.iter().filter(|field| !is_attribute(field));
    let same_elements = start
        .iter()
        .filter(|field| !is_attribute(field))
        .all(|field| elements.next().is_some_and(|other| same(plan, field, other)));
    let same_attributes =
        start.iter().filter(is_attribute).all(|field| fields.iter().any(|other| equal(field, other)));
    // A wildcard would also match the elements of the extension.
    let is_open =
        start.iter().any(|field| matches!(field.node.xml.position, Position::Any | Position::AnyAttribute));
    let is_told = !plan.record(id).content.ambiguous && !plan.record(head).content.ambiguous;
    let texts = |fields: &[Field]| fields.iter().any(|field| field.node.xml.position == Position::Text);
    is_told && same_elements && same_attributes && !is_open && texts(fields) == texts(start)
}

/// Whether two fields look the same in a schema, where inline content has no name.
pub fn same(plan: &Plan, one: &Field, other: &Field) -> bool {
    let is_inline = |field: &Field| field.node.xml.position == Position::Inline;
    if is_inline(one) && is_inline(other) {
        same_content(plan, &one.node, &other.node)
    } else {
        equal(one, other)
    }
}

/// Whether two fields are equal except for their defaults.
fn equal(one: &Field, other: &Field) -> bool {
    one.name == other.name && one.node == other.node
}

fn same_content(plan: &Plan, one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (Kind::Optional(one), Kind::Optional(other)) => same_content(plan, one, other),
        (
            Kind::Array { layout: ArrayLayout::Repeated, item: one, .. },
            Kind::Array { layout: ArrayLayout::Repeated, item: other, .. },
        ) => same_content(plan, one, other),
        (Kind::Record(one), Kind::Record(other)) | (Kind::Union(one), Kind::Union(other)) => {
            let (fields, others) = (plan.members(*one), plan.members(*other));
            one == other
                || (fields.len() == others.len()
                    && fields.iter().zip(others).all(|(one, other)| same(plan, one, other)))
        }
        (
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_),
            _,
        ) => false,
    }
}
