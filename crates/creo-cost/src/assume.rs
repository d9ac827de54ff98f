//! What is assumed of values that nobody has yet: lengths, what is there, ranges (COST-2 to COST-6); and the parts that follow from it.

use crate::binding::{Direction, MethodId};
use crate::digits::Range;
use crate::forms;
use crate::leaf::Leaf;
use crate::length::Length;
use crate::part::{Items, Part, elements};
use crate::paths;
use creo_model::text::{self, TextPlan};
use creo_model::{CheckedModel, Field, Model, Primitive, Type, TypeId, TypeKind};
use std::collections::BTreeMap;
use std::fmt;

/// How many items an array or map has, by how many others enclose it, unless it is said.
pub const ITEMS: [u64; 3] = [10, 5, 2];
/// How many bytes a `String`, a `byte[]` and a `Decimal` have, unless it is said.
pub const TEXT: u64 = 16;
pub const BYTES: u64 = 1_000;
pub const DECIMAL: u64 = 8;
/// How many values of recursive types are within one another, unless it is said.
pub const DEPTH: usize = 2;

/// The parts that a message may have before nothing is said about it.
const MAX_PARTS: usize = 500_000;

/// The assumptions of an estimate, by the full paths of COST-2.
#[derive(Clone, Debug)]
pub struct Assumptions {
    pub lengths: BTreeMap<String, Length>,
    /// The share of values that are there.
    pub present: BTreeMap<String, f64>,
    pub ranges: BTreeMap<String, Range>,
    pub depth: usize,
}

impl Default for Assumptions {
    fn default() -> Assumptions {
        Assumptions { lengths: BTreeMap::new(), present: BTreeMap::new(), ranges: BTreeMap::new(), depth: DEPTH }
    }
}

/// A message of more parts than can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a message has more than {MAX_PARTS} different parts")
    }
}

impl std::error::Error for TooLarge {}

/// Makes the parts of messages and values.
pub struct Assumed<'a> {
    model: &'a Model,
    plan: &'a TextPlan,
    assumptions: &'a Assumptions,
    heights: Vec<u64>,
    parts: usize,
}

/// Where a value stands.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The bytes that its XML has at least, if it is a string.
    least: u64,
    /// Arrays and maps around it.
    items: usize,
    /// Values of recursive types around it.
    recursion: usize,
}

impl<'a> Assumed<'a> {
    pub fn new(model: &'a CheckedModel, plan: &'a TextPlan, assumptions: &'a Assumptions) -> Assumed<'a> {
        Assumed { heights: heights(model), model, plan, assumptions, parts: 0 }
    }

    /// A message: a record of the parameters, or of the result if there is one.
    pub fn message(&mut self, id: MethodId, direction: Direction) -> Result<Part, TooLarge> {
        self.parts = 0;
        let (model, plan) = (self.model, self.plan);
        let interface = &model.interfaces[id.interface];
        let method = &interface.methods[id.method];
        let text = &plan.interface(id.interface).methods[id.method];
        let (values, message): (Vec<(&str, &Type)>, _) = match direction {
            Direction::Request => (method.parameters.iter().map(|parameter| (parameter.name.as_str(), &parameter.ty)).collect(), Some(&text.request)),
            Direction::Response => (method.result.iter().map(|ty| ("result", ty)).collect(), text.response.as_ref()),
        };
        let forms = message.map_or(&[][..], |message| &message.record.fields);
        let fields = values.into_iter().enumerate().map(|(index, (name, ty))| {
            let place = Place { least: least(plan, forms, index), ..Place::default() };
            self.value(ty, &paths::of_parameter(model, interface, method, name), place)
        });
        Ok(Part::Record { fields: fields.collect::<Result<_, _>>()?, extensible: false, elements: true })
    }

    /// A value alone; the path names what no description does.
    pub fn alone(&mut self, ty: &Type, path: &str) -> Result<Part, TooLarge> {
        self.parts = 0;
        self.value(ty, path, Place::default())
    }

    fn value(&mut self, ty: &Type, path: &str, place: Place) -> Result<Part, TooLarge> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(TooLarge);
        }
        let cut = |this: &Self, item: &Type| place.recursion >= this.assumptions.depth && this.reaches_recursion(item);
        Ok(match ty {
            Type::Primitive(primitive) => {
                let usual = if *primitive == Primitive::Decimal { DECIMAL } else { TEXT.max(place.least) };
                Part::Leaf(Box::new(Leaf::assumed(*primitive, &self.length(path, usual), self.assumptions.ranges.get(path).copied())))
            }
            Type::Bytes => Part::Leaf(Box::new(Leaf::bytes(&self.length(path, BYTES)))),
            Type::Array(item) if cut(self, item) => Part::Items(Items::Each(Vec::new())),
            Type::Array(item) => {
                let count = self.length(path, usual_items(place));
                let within = Place { items: place.items + 1, ..place };
                Part::Items(Items::Alike { count, item: Box::new(self.value(item, &format!("{path}[]"), within)?) })
            }
            Type::Map(_, value) if cut(self, value) => Part::Entries(Items::Each(Vec::new())),
            Type::Map(key, value) => {
                let count = self.length(path, usual_items(place));
                let within = Place { least: 0, items: place.items + 1, ..place };
                let fields = vec![self.value(key, &format!("{path}.key"), within)?, self.value(value, &format!("{path}.value"), within)?];
                Part::Entries(Items::Alike { count, item: Box::new(Part::Record { fields, extensible: false, elements: true }) })
            }
            Type::Optional(item) => {
                let share = self.assumptions.present.get(path).copied().unwrap_or(1.0);
                if share <= 0.0 || cut(self, item) {
                    return Ok(Part::Optional { share: 0.0, part: None });
                }
                Part::Optional { share, part: Some(Box::new(self.value(item, path, place)?)) }
            }
            Type::Named(id) => self.named(*id, place)?,
        })
    }

    fn named(&mut self, id: TypeId, place: Place) -> Result<Part, TooLarge> {
        let (model, plan) = (self.model, self.plan);
        let decl = model.ty(id);
        let place = Place { least: 0, recursion: place.recursion + usize::from(decl.recursive), ..place };
        Ok(match &decl.kind {
            TypeKind::Enum(constants) => {
                let texts = &self.plan.enumeration(id).texts;
                Part::Leaf(Box::new(Leaf::constants(constants.iter().zip(texts).map(|(c, text)| (c.number, text.as_str(), c.name.as_str())))))
            }
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
                let forms = &plan.record(id).fields;
                let parts = fields.iter().enumerate().map(|(index, field)| {
                    let place = Place { least: least(plan, forms, index), ..place };
                    self.value(&field.ty, &paths::of_field(model, id, field), place)
                });
                Part::Record { fields: parts.collect::<Result<_, _>>()?, extensible: decl.extensible, elements: elements(self.plan, id) }
            }
            TypeKind::Union(members) => {
                // Where recursion ends, the member that ends soonest stands there.
                let shortest = members.iter().enumerate().min_by_key(|(_, m)| height(&m.ty, &self.heights)).map(|(index, _)| index);
                let ends = decl.recursive && place.recursion > self.assumptions.depth;
                let chosen: Vec<(usize, &Field)> = members.iter().enumerate().filter(|(index, _)| !ends || Some(*index) == shortest).collect();
                let share = 1.0 / chosen.len().max(1) as f64;
                let parts =
                    chosen.into_iter().map(|(index, member)| Ok((index, share, self.value(&member.ty, &paths::of_field(model, id, member), place)?)));
                Part::Union { members: parts.collect::<Result<_, _>>()?, extensible: decl.extensible }
            }
        })
    }

    fn length(&self, path: &str, usual: u64) -> Length {
        self.assumptions.lengths.get(path).cloned().unwrap_or(Length::Fixed(usual))
    }

    fn reaches_recursion(&self, ty: &Type) -> bool {
        match ty {
            Type::Primitive(_) | Type::Bytes => false,
            Type::Array(item) | Type::Optional(item) | Type::Map(_, item) => self.reaches_recursion(item),
            Type::Named(id) => self.model.ty(*id).recursive,
        }
    }
}

fn least(plan: &TextPlan, forms: &[text::Field], index: usize) -> u64 {
    forms.get(index).map_or(0, |form| forms::least(plan, form))
}

fn usual_items(place: Place) -> u64 {
    ITEMS[place.items.min(ITEMS.len() - 1)]
}

/// How deep the least deep value of each type is: finite for all (LANG-14).
fn heights(model: &Model) -> Vec<u64> {
    let mut heights = vec![u64::MAX; model.types.len()];
    loop {
        let mut changed = false;
        for id in model.type_ids() {
            let found = match &model.ty(id).kind {
                TypeKind::Enum(_) => 1,
                TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
                    fields.iter().map(|f| height(&f.ty, &heights)).max().unwrap_or(0).saturating_add(1)
                }
                TypeKind::Union(members) => members.iter().map(|m| height(&m.ty, &heights)).min().unwrap_or(0).saturating_add(1),
            };
            if found < heights[id.0] {
                heights[id.0] = found;
                changed = true;
            }
        }
        if !changed {
            return heights;
        }
    }
}

fn height(ty: &Type, heights: &[u64]) -> u64 {
    match ty {
        Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => 0,
        Type::Named(id) => heights[id.0],
    }
}
