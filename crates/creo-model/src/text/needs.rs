//! The namespaces that a value may need (XML-2), and whether it may need `xsi`.

use super::{Field, Place, Text, TextPlan, Value, XML_NAMESPACE};
use crate::graph::components;
use crate::model::TypeId;

/// A set of namespaces, and behind them `xsi`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Needs(Vec<u64>);

impl Needs {
    fn new(count: usize) -> Needs {
        Needs(vec![0; count / 64 + 1])
    }

    fn add(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn add_all(&mut self, other: &Needs) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// The namespaces, sorted, and whether `xsi` is there.
    fn list(&self, count: usize) -> (Vec<usize>, bool) {
        ((0..count).filter(|index| self.has(*index)).collect(), self.has(count))
    }
}

/// What the types of a plan need where their content stands within an element that has its name already.
struct Contents<'p> {
    plan: &'p TextPlan,
    count: usize,
    /// Its prefix needs no declaration.
    xml: Option<usize>,
    of: Vec<Needs>,
}

impl Contents<'_> {
    fn new(plan: &TextPlan) -> Contents<'_> {
        let count = plan.namespaces.len();
        let xml = plan.namespaces.iter().position(|namespace| namespace == XML_NAMESPACE);
        let mut contents = Contents { plan, count, xml, of: vec![Needs::new(count); plan.types.len()] };
        let edges: Vec<Vec<usize>> = (0..plan.types.len())
            .map(|index| {
                let mut types = Vec::new();
                plan.members(TypeId(index)).iter().for_each(|field| field.value.types(&mut types));
                types.into_iter().map(|id| id.0).collect()
            })
            .collect();
        // Types that hold one another need the same; what they hold besides stands before them.
        for members in components(&edges) {
            let mut needs = Needs::new(count);
            for member in &members {
                contents.own(TypeId(*member), &mut needs);
                edges[*member].iter().for_each(|held| needs.add_all(&contents.of[*held]));
            }
            members.into_iter().for_each(|member| contents.of[member] = needs.clone());
        }
        contents
    }

    fn name(&self, namespace: Option<usize>, needs: &mut Needs) {
        if let Some(namespace) = namespace.filter(|namespace| Some(*namespace) != self.xml) {
            needs.add(namespace);
        }
    }

    /// What a type needs itself, without the types that its fields name.
    fn own(&self, id: TypeId, needs: &mut Needs) {
        match &self.plan.types[id.0] {
            Text::Record(record) => record.fields.iter().for_each(|field| self.field(field, needs)),
            Text::Union(union) if union.derived => {
                for member in &union.members {
                    if let Value::Record(id) = &member.value {
                        self.name(self.plan.record(*id).xml.namespace, needs);
                    }
                }
                needs.add(self.count);
            }
            Text::Union(union) => union.members.iter().for_each(|member| self.field(member, needs)),
            Text::Enum(_) => {}
        }
    }

    /// What a field needs itself.
    fn field(&self, field: &Field, needs: &mut Needs) {
        match field.place {
            // The whole element is text of its own, with its declarations.
            Place::Element | Place::Header if is_raw(&field.value) => {}
            Place::Element | Place::Attribute | Place::Header => self.name(field.xml.namespace, needs),
            Place::Text | Place::Inline | Place::Any | Place::AnyAttribute => {}
        }
        if may_be_nil(field) {
            needs.add(self.count);
        }
    }

    /// What a field needs with all that it holds.
    fn whole(&self, field: &Field, needs: &mut Needs) {
        self.field(field, needs);
        let mut types = Vec::new();
        field.value.types(&mut types);
        types.into_iter().for_each(|id| needs.add_all(&self.of[id.0]));
    }
}

fn is_raw(value: &Value) -> bool {
    match value {
        Value::Raw => true,
        Value::Optional(value) => is_raw(value),
        Value::Repeated(item) | Value::Wrapped(item) => is_raw(&item.value),
        Value::Scalar(_)
        | Value::Bytes { .. }
        | Value::Enum(_)
        | Value::Record(_)
        | Value::Union(_)
        | Value::Token
        | Value::QName
        | Value::List(_)
        | Value::Entries(..)
        | Value::Attributes => false,
    }
}

/// Whether the field or anything of its own form within it is written with `xsi:nil`.
fn may_be_nil(field: &Field) -> bool {
    field.nillable || within(&field.value)
}

fn within(value: &Value) -> bool {
    match value {
        Value::Optional(value) | Value::List(value) => within(value),
        Value::Repeated(item) | Value::Wrapped(item) => may_be_nil(item),
        Value::Entries(key, value) => may_be_nil(key) || may_be_nil(value),
        Value::Scalar(_)
        | Value::Bytes { .. }
        | Value::Enum(_)
        | Value::Record(_)
        | Value::Union(_)
        | Value::Token
        | Value::QName
        | Value::Raw
        | Value::Attributes => false,
    }
}

/// Sets what the types and messages of a plan need.
pub fn set(plan: &mut TextPlan) {
    let contents = Contents::new(plan);
    let count = contents.count;
    let types: Vec<(Vec<usize>, bool)> = (0..plan.types.len())
        .map(|index| {
            let mut needs = contents.of[index].clone();
            contents.name(plan.type_name(TypeId(index)).namespace, &mut needs);
            needs.list(count)
        })
        .collect();
    let messages: Vec<(Vec<usize>, bool)> = plan
        .messages()
        .map(|message| {
            let mut needs = Needs::new(count);
            // The element of a bare body is that of its field.
            if !message.bare {
                contents.name(message.element.namespace, &mut needs);
            }
            message.record.fields.iter().for_each(|field| contents.whole(field, &mut needs));
            needs.list(count)
        })
        .collect();
    for (ty, (namespaces, xsi)) in plan.types.iter_mut().zip(types) {
        match ty {
            Text::Record(record) => (record.namespaces, record.xsi) = (namespaces, xsi),
            Text::Union(union) => (union.namespaces, union.xsi) = (namespaces, xsi),
            Text::Enum(_) => {}
        }
    }
    for (message, (namespaces, xsi)) in plan.messages_mut().zip(messages) {
        (message.record.namespaces, message.record.xsi) = (namespaces, xsi);
    }
}

/// What a value alone needs.
pub fn of_field(plan: &TextPlan, field: &Field) -> (Vec<usize>, bool) {
    let contents = Contents::new(plan);
    let mut needs = Needs::new(contents.count);
    contents.whole(field, &mut needs);
    needs.list(contents.count)
}
