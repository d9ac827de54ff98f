//! The element names that can begin a value, and those that can follow it (XML-20, XML-35).

use crate::Plan;
use crate::node::{ArrayLayout, Kind, Name, Position};
use crate::record::{Declared, Field};
use creo_model::TypeId;
use creo_model::graph::components;
use std::collections::BTreeMap;

/// The max number of names in all first sets together: if every type is inline in every other, they grow without bound.
pub const MAX_FIRST: usize = 4_000_000;

/// The content of an inline type as seen from outside.
#[derive(Clone, Debug, Default)]
pub struct InlineContent {
    /// Names that can begin it.
    pub first: Vec<usize>,
    /// Names that can continue a complete value.
    pub tail: Vec<usize>,
    /// Whether it may have no element.
    pub nullable: bool,
    /// The nesting depth of inline types in it.
    pub depth: usize,
}

/// The first sets of all types and messages. Names are represented by numbers.
#[derive(Debug)]
pub struct Grammar {
    names: BTreeMap<Name, usize>,
    by_number: Vec<Name>,
    contents: Vec<InlineContent>,
    /// The first set of each type: name and field or member, in the order of the fields.
    first: Vec<Vec<(usize, usize)>>,
    /// Whether each type is ambiguous.
    ambiguous: Vec<bool>,
    left: usize,
}

impl Grammar {
    /// For a plan without inline recursion. The error is the first type whose first set is too large.
    pub fn new(plan: &Plan) -> Result<Grammar, TypeId> {
        let count = plan.types.len();
        let mut grammar = Grammar {
            names: BTreeMap::new(),
            by_number: Vec::new(),
            contents: vec![InlineContent::default(); count],
            first: vec![Vec::new(); count],
            ambiguous: vec![false; count],
            left: MAX_FIRST,
        };
        let edges = inline_edges(plan);
        let mut is_inline = vec![false; count];
        let in_messages = plan
            .messages()
            .flat_map(|(message, _)| &message.record.fields)
            .filter_map(inline_type)
            .map(|id| id.0);
        in_messages.chain(edges.iter().flatten().copied()).for_each(|index| is_inline[index] = true);
        // A type comes after its inline types.
        for index in components(&edges).into_iter().flatten() {
            let fields = plan.members(TypeId(index));
            let is_union = match &plan.types[index] {
                // Its members have no elements of their own.
                Declared::Union(union) if union.derived => continue,
                Declared::Union(_) => true,
                Declared::Record(_) | Declared::Enum(_) => false,
            };
            grammar.first[index] = grammar.first_set(fields).ok_or(TypeId(index))?;
            grammar.ambiguous[index] = grammar.is_ambiguous(fields, &grammar.first[index], is_union);
            if is_inline[index] {
                let content = if is_union { grammar.choice(index, fields) } else { grammar.sequence(fields) };
                grammar.left = grammar
                    .left
                    .checked_sub(content.first.len() + content.tail.len())
                    .ok_or(TypeId(index))?;
                grammar.contents[index] = content;
            }
        }
        Ok(grammar)
    }

    /// For a type that is inline somewhere.
    pub fn content(&self, id: TypeId) -> &InlineContent {
        &self.contents[id.0]
    }

    /// For a struct, exception or union: names and the fields that they begin.
    pub fn first(&self, id: TypeId) -> &[(usize, usize)] {
        &self.first[id.0]
    }

    /// For a message; `None` if it is too large.
    pub fn first_set(&mut self, fields: &[Field]) -> Option<Vec<(usize, usize)>> {
        let mut all = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            match field.node.xml.position {
                Position::Element => {
                    self.left = self.left.checked_sub(1)?;
                    all.push((self.number(&field.node.xml.name), index));
                }
                Position::Inline => {
                    let Some(id) = inline_type(field) else { continue };
                    let first = &self.contents[id.0].first;
                    self.left = self.left.checked_sub(first.len())?;
                    all.extend(first.iter().map(|name| (*name, index)));
                }
                Position::Attribute
                | Position::Text
                | Position::Any
                | Position::AnyAttribute
                | Position::Header => {}
            }
        }
        Some(all)
    }

    /// The name with a number.
    pub fn name(&self, number: usize) -> &Name {
        &self.by_number[number]
    }

    /// Names in place of their numbers.
    pub(crate) fn named(&self, first: &[(usize, usize)]) -> Vec<(Name, usize)> {
        first.iter().map(|(name, index)| (self.name(*name).clone(), *index)).collect()
    }

    pub(crate) fn is_ambiguous_type(&self, id: TypeId) -> bool {
        self.ambiguous[id.0]
    }

    /// Whether an element can belong to two of the fields, or to inline content of one: the first that can take it then does (XML-35).
    pub(crate) fn is_ambiguous(&self, fields: &[Field], first: &[(usize, usize)], is_union: bool) -> bool {
        if fields.iter().filter_map(inline_type).any(|id| self.ambiguous[id.0]) {
            return true;
        }
        if is_union {
            return false;
        }
        let owners: BTreeMap<usize, usize> = first.iter().copied().collect();
        // For each field, the last one that can follow it directly.
        let mut reach = vec![0; fields.len()];
        for index in (0..fields.len()).rev() {
            let next = index + 1;
            reach[index] = match fields.get(next) {
                Some(field) if self.after(field).1 || field.default_if_missing => reach[next],
                Some(_) => next,
                None => index,
            };
        }
        let clashes = |index: usize, name: &usize| {
            owners.get(name).is_some_and(|owner| *owner > index && *owner <= reach[index])
        };
        let mut inline =
            fields.iter().enumerate().filter(|(_, field)| field.node.xml.position == Position::Inline);
        inline.any(|(index, field)| self.after(field).0.iter().any(|name| clashes(index, name)))
    }

    /// The names that can continue a field, and whether it may have no element.
    fn after(&self, field: &Field) -> (Vec<usize>, bool) {
        let may_be_missing = field.node.may_be_missing();
        match (field.node.xml.position, inline_type(field)) {
            (Position::Inline, Some(id)) => {
                let content = &self.contents[id.0];
                let mut tail = content.tail.clone();
                if is_repeated(&field.node.kind) {
                    tail.extend(&content.first);
                }
                (tail, may_be_missing || content.nullable)
            }
            (Position::Element, _) => (Vec::new(), may_be_missing),
            (
                Position::Inline
                | Position::Attribute
                | Position::Text
                | Position::Any
                | Position::AnyAttribute
                | Position::Header,
                _,
            ) => (Vec::new(), true),
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
        match field.node.xml.position {
            Position::Element => vec![self.number(&field.node.xml.name)],
            Position::Inline => {
                inline_type(field).map_or_else(Vec::new, |id| self.contents[id.0].first.clone())
            }
            Position::Attribute
            | Position::Text
            | Position::Any
            | Position::AnyAttribute
            | Position::Header => Vec::new(),
        }
    }

    fn depth(&self, fields: &[Field]) -> usize {
        fields.iter().filter_map(inline_type).map(|id| self.contents[id.0].depth + 1).max().unwrap_or(0)
    }

    /// A struct: its fields in their order.
    fn sequence(&mut self, fields: &[Field]) -> InlineContent {
        let mut content =
            InlineContent { nullable: true, depth: self.depth(fields), ..InlineContent::default() };
        for field in fields {
            content.first.extend(self.first_of(field));
            if !self.after(field).1 && !field.default_if_missing {
                content.nullable = false;
                break;
            }
        }
        for field in fields.iter().rev() {
            let (tail, nullable) = self.after(field);
            content.tail.extend(tail);
            if nullable || field.default_if_missing {
                let first = self.first_of(field);
                content.tail.extend(first);
            } else {
                break;
            }
        }
        content
    }

    /// A union: one of its members, which has at least one element.
    fn choice(&mut self, index: usize, members: &[Field]) -> InlineContent {
        let mut content = InlineContent { depth: self.depth(members), ..InlineContent::default() };
        content.first = self.first[index].iter().map(|(name, _)| *name).collect();
        for member in members {
            content.tail.extend(self.after(member).0);
        }
        content
    }
}

/// Whether the value has an element for each item of an array.
pub fn is_repeated(kind: &Kind) -> bool {
    matches!(kind, Kind::Array { layout: ArrayLayout::Repeated, .. })
}

/// The struct or union whose content is inline.
pub fn inline_type(field: &Field) -> Option<TypeId> {
    if field.node.xml.position != Position::Inline {
        return None;
    }
    let mut node = &field.node;
    loop {
        match &node.kind {
            Kind::Optional(inner) => node = inner,
            Kind::Array { item, layout: ArrayLayout::Repeated, .. } => node = item,
            Kind::Record(id) | Kind::Union(id) => return Some(*id),
            Kind::Array { layout: ArrayLayout::Wrapped | ArrayLayout::List, .. }
            | Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Map { .. }
            | Kind::Enum(_) => return None,
        }
    }
}

/// The inline types of each type.
pub fn inline_edges(plan: &Plan) -> Vec<Vec<usize>> {
    let edges = |index| plan.members(TypeId(index)).iter().filter_map(inline_type).map(|id| id.0).collect();
    (0..plan.types.len()).map(edges).collect()
}
