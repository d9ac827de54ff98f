//! Which element names begin what, and which may follow (XML-20, XML-35).

use super::{Field, Name, Place, Text, TextPlan, Value};
use crate::graph::components;
use crate::model::{Model, TypeId};
use std::collections::BTreeMap;

/// The most names that begin something, of all types together: a description in which everything stands inline in everything has no end of them.
pub const MAX_STARTS: usize = 4_000_000;

/// What the content of a type looks like from outside, where it stands inline.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// Names that begin it.
    pub first: Vec<usize>,
    /// Names that may go on behind a value that is complete.
    pub tail: Vec<usize>,
    /// Whether it may have no element at all.
    pub nullable: bool,
    /// How deep inline types nest in it.
    pub depth: usize,
}

/// Whether an element may have its place in two of the fields, or in what stands inline in one: then the first that can take it does (XML-35).
fn is_ambiguous(grammar: &Grammar, fields: &[Field], starts: &[(usize, usize)], is_union: bool, may_miss: &dyn Fn(usize) -> bool) -> bool {
    if fields.iter().filter_map(inline_type).any(|id| grammar.ambiguous[id.0]) {
        return true;
    }
    if is_union {
        return false;
    }
    let owners: BTreeMap<usize, usize> = starts.iter().copied().collect();
    // For each field the last one that may follow it directly.
    let mut reach = vec![0; fields.len()];
    for index in (0..fields.len()).rev() {
        let next = index + 1;
        reach[index] = match fields.get(next) {
            Some(field) if grammar.behind(field).1 || may_miss(next) => reach[next],
            Some(_) => next,
            None => index,
        };
    }
    let clashes = |index: usize, name: &usize| owners.get(name).is_some_and(|owner| *owner > index && *owner <= reach[index]);
    let inline = fields.iter().enumerate().filter(|(_, field)| field.place == Place::Inline);
    inline.into_iter().any(|(index, field)| grammar.behind(field).0.iter().any(|name| clashes(index, name)))
}

/// The beginnings of all types and messages. Names are numbers here.
#[derive(Debug)]
pub struct Grammar {
    names: BTreeMap<Name, usize>,
    by_number: Vec<Name>,
    contents: Vec<Content>,
    /// For each type its starts: name and field or member, in the order of the fields.
    starts: Vec<Vec<(usize, usize)>>,
    /// For each type whether it is ambiguous.
    ambiguous: Vec<bool>,
    left: usize,
}

impl Grammar {
    /// Of a plan in which no type stands inline within itself. The error is the first type that is too much.
    pub fn new(model: &Model, plan: &TextPlan) -> Result<Grammar, TypeId> {
        let count = plan.types.len();
        let mut grammar = Grammar {
            names: BTreeMap::new(),
            by_number: Vec::new(),
            contents: vec![Content::default(); count],
            starts: vec![Vec::new(); count],
            ambiguous: vec![false; count],
            left: MAX_STARTS,
        };
        let edges = inline_edges(plan);
        let mut is_inline = vec![false; count];
        let in_messages = plan.messages().flat_map(|message| &message.record.fields).filter_map(inline_type).map(|id| id.0);
        in_messages.chain(edges.iter().flatten().copied()).for_each(|index| is_inline[index] = true);
        // What a type holds inline stands before it.
        for index in components(&edges).into_iter().flatten() {
            let fields = plan.members(TypeId(index));
            let is_union = match &plan.types[index] {
                // Its members have no elements of their own.
                Text::Union(union) if union.derived => continue,
                Text::Union(_) => true,
                Text::Record(_) | Text::Enum(_) => false,
            };
            grammar.starts[index] = grammar.starts_of(fields).ok_or(TypeId(index))?;
            let may_miss = |at: usize| model.types[index].extensible && model.types[index].fields()[at].default.is_some();
            grammar.ambiguous[index] = is_ambiguous(&grammar, fields, &grammar.starts[index], is_union, &may_miss);
            if is_inline[index] {
                let content = if is_union { grammar.choice(index, fields) } else { grammar.sequence(fields, &may_miss) };
                grammar.left = grammar.left.checked_sub(content.first.len() + content.tail.len()).ok_or(TypeId(index))?;
                grammar.contents[index] = content;
            }
        }
        Ok(grammar)
    }

    /// Of a type that stands inline somewhere.
    pub fn content(&self, id: TypeId) -> &Content {
        &self.contents[id.0]
    }

    /// Of a struct, exception or union: names and the fields that they begin.
    pub fn starts(&self, id: TypeId) -> &[(usize, usize)] {
        &self.starts[id.0]
    }

    /// Of a message; nothing if it is too much.
    pub fn starts_of(&mut self, fields: &[Field]) -> Option<Vec<(usize, usize)>> {
        let mut starts = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            match (field.place, inline_type(field)) {
                (Place::Element, _) => {
                    self.left = self.left.checked_sub(1)?;
                    starts.push((self.number(&field.xml), index));
                }
                (Place::Inline, Some(id)) => {
                    let first = &self.contents[id.0].first;
                    self.left = self.left.checked_sub(first.len())?;
                    starts.extend(first.iter().map(|name| (*name, index)));
                }
                (Place::Inline | Place::Attribute | Place::Text | Place::Any | Place::AnyAttribute | Place::Header, _) => {}
            }
        }
        Some(starts)
    }

    /// The name of a number.
    pub fn name(&self, number: usize) -> &Name {
        &self.by_number[number]
    }

    /// The names that may go on behind a field, and whether it may have no element at all.
    pub fn behind(&self, field: &Field) -> (Vec<usize>, bool) {
        let (repeated, optional) = (matches!(field.value, Value::Repeated(_)), matches!(field.value, Value::Optional(_)));
        match (field.place, inline_type(field)) {
            (Place::Inline, Some(id)) => {
                let content = &self.contents[id.0];
                let mut tail = content.tail.clone();
                if repeated {
                    tail.extend(&content.first);
                }
                (tail, repeated || optional || content.nullable)
            }
            (Place::Element, _) => (Vec::new(), repeated || optional),
            (Place::Inline | Place::Attribute | Place::Text | Place::Any | Place::AnyAttribute | Place::Header, _) => (Vec::new(), true),
        }
    }

    fn number(&mut self, name: &Name) -> usize {
        if let Some(number) = self.names.get(name) {
            return *number;
        }
        let number = self.names.len();
        self.names.insert(name.clone(), number);
        self.by_number.push(name.clone());
        number
    }

    fn first_of(&mut self, field: &Field) -> Vec<usize> {
        match (field.place, inline_type(field)) {
            (Place::Element, _) => vec![self.number(&field.xml)],
            (Place::Inline, Some(id)) => self.contents[id.0].first.clone(),
            (Place::Inline | Place::Attribute | Place::Text | Place::Any | Place::AnyAttribute | Place::Header, _) => Vec::new(),
        }
    }

    fn depth(&self, fields: &[Field]) -> usize {
        fields.iter().filter_map(inline_type).map(|id| self.contents[id.0].depth + 1).max().unwrap_or(0)
    }

    /// A struct: its fields in their order.
    fn sequence(&mut self, fields: &[Field], may_miss: &dyn Fn(usize) -> bool) -> Content {
        let mut content = Content { nullable: true, depth: self.depth(fields), ..Content::default() };
        for (index, field) in fields.iter().enumerate() {
            content.first.extend(self.first_of(field));
            if !self.behind(field).1 && !may_miss(index) {
                content.nullable = false;
                break;
            }
        }
        for (index, field) in fields.iter().enumerate().rev() {
            let (tail, nullable) = self.behind(field);
            content.tail.extend(tail);
            if nullable || may_miss(index) {
                let first = self.first_of(field);
                content.tail.extend(first);
            } else {
                break;
            }
        }
        content
    }

    /// A union: one of its members, which has at least one element.
    fn choice(&mut self, index: usize, members: &[Field]) -> Content {
        let mut content = Content { depth: self.depth(members), ..Content::default() };
        content.first = self.starts[index].iter().map(|(name, _)| *name).collect();
        for member in members {
            content.tail.extend(self.behind(member).0);
        }
        content
    }
}

/// The struct or union whose content stands inline.
pub fn inline_type(field: &Field) -> Option<TypeId> {
    if field.place != Place::Inline {
        return None;
    }
    let mut value = &field.value;
    loop {
        match value {
            Value::Optional(item) => value = item,
            Value::Repeated(item) => value = &item.value,
            Value::Record(id) | Value::Union(id) => return Some(*id),
            Value::Scalar(_)
            | Value::Bytes { .. }
            | Value::Enum(_)
            | Value::Token
            | Value::QName
            | Value::Raw
            | Value::Wrapped(_)
            | Value::List(_)
            | Value::Entries(..)
            | Value::Attributes => return None,
        }
    }
}

/// For each type those that it holds inline.
pub fn inline_edges(plan: &TextPlan) -> Vec<Vec<usize>> {
    let edges = |index| plan.members(TypeId(index)).iter().filter_map(inline_type).map(|id| id.0).collect();
    (0..plan.types.len()).map(edges).collect()
}

/// Sets the starts of a plan.
pub fn set(model: &Model, plan: &mut TextPlan) {
    let mut grammar = Grammar::new(model, plan).expect("`check` counted them");
    let mut in_messages: Vec<(Vec<(usize, usize)>, bool)> = Vec::new();
    for message in plan.messages() {
        let fields = &message.record.fields;
        let starts = grammar.starts_of(fields).expect("`check` counted them");
        let ambiguous = is_ambiguous(&grammar, fields, &starts, false, &|_| false);
        in_messages.push((starts, ambiguous));
    }
    let named = |starts: &[(usize, usize)]| starts.iter().map(|(name, index)| (grammar.name(*name).clone(), *index)).collect::<Vec<_>>();
    for ((ty, starts), ambiguous) in plan.types.iter_mut().zip(&grammar.starts).zip(&grammar.ambiguous) {
        match ty {
            Text::Record(record) => (record.starts, record.ambiguous) = (named(starts), *ambiguous),
            Text::Union(union) => (union.starts, union.ambiguous) = (named(starts), *ambiguous),
            Text::Enum(_) => {}
        }
    }
    for (message, (starts, ambiguous)) in plan.messages_mut().zip(&in_messages) {
        (message.record.starts, message.record.ambiguous) = (named(starts), *ambiguous);
    }
}
