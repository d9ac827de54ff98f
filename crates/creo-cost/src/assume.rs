//! Assumptions about values that do not exist yet: lengths, presence, ranges (COST-2 to COST-6); and the parts built from them.

use crate::binding::{Direction, MethodId};
use crate::digits::Range;
use crate::forms;
use crate::leaf::Leaf;
use crate::length::Length;
use crate::part::{Items, Part, RecordLayout};
use crate::paths;
use creo_check::CheckedModel;
use creo_model::{Model, Primitive, TypeId};
use creo_plan::{Declared, Field, Kind, Node, Plan};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

/// The default number of items of an array or map, by the number of collections around it.
pub const ITEMS: [u64; 3] = [10, 5, 2];
/// The default size of a `String`, a `byte[]` or a `Decimal` in bytes.
pub const TEXT: u64 = 16;
pub const BYTES: u64 = 1_000;
pub const DECIMAL: u64 = 8;
/// The default nesting of values of recursive types.
pub const DEPTH: usize = 2;

/// The maximum number of parts in a message.
const MAX_PARTS: usize = 500_000;

/// The assumptions of an estimate, by the full paths of COST-2.
#[derive(Clone, Debug)]
pub struct Assumptions {
    pub lengths: BTreeMap<String, Length>,
    /// The share of values that are present.
    pub present: BTreeMap<String, f64>,
    pub ranges: BTreeMap<String, Range>,
    pub depth: usize,
}

impl Default for Assumptions {
    fn default() -> Assumptions {
        Assumptions {
            lengths: BTreeMap::new(),
            present: BTreeMap::new(),
            ranges: BTreeMap::new(),
            depth: DEPTH,
        }
    }
}

/// A message that is too large for what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// More parts than can be looked at.
    Parts,
    /// More bytes than a message has that can be made and measured.
    Bytes,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Parts => write!(f, "a message has more than {MAX_PARTS} different parts"),
            TooLarge::Bytes => write!(f, "a message has more than 128 MiB, and cannot be measured"),
        }
    }
}

impl std::error::Error for TooLarge {}

/// Builds the parts of messages and values.
pub struct Assumed<'a> {
    model: &'a Model,
    plan: &'a Plan,
    assumptions: &'a Assumptions,
    heights: Vec<u64>,
    parts: usize,
}

/// The context of a value.
#[derive(Clone, Copy, Default)]
struct Around {
    /// The number of arrays and maps around it.
    items: usize,
    /// The number of values of recursive types around it.
    recursion: usize,
}

impl<'a> Assumed<'a> {
    pub fn new(model: &'a CheckedModel, plan: &'a Plan, assumptions: &'a Assumptions) -> Assumed<'a> {
        Assumed { heights: heights(model, plan), model, plan, assumptions, parts: 0 }
    }

    /// A message: a record of the parameters, or of the result if there is one.
    pub fn message(&mut self, id: MethodId, direction: Direction) -> Result<Part, TooLarge> {
        self.parts = 0;
        let (model, plan) = (self.model, self.plan);
        let interface = &model.interfaces[id.interface];
        let method = &interface.methods[id.method];
        let planned = &plan.interface(id.interface).methods[id.method];
        let message = match direction {
            Direction::Request => Some(&planned.request),
            Direction::Response => planned.response.as_ref(),
        };
        let Some(message) = message else {
            return Ok(Part::Record { fields: Vec::new(), layout: RecordLayout::ENTRY });
        };
        let fields = message.record.fields.iter();
        let parts = fields.map(|field| {
            self.value(
                &field.node,
                &paths::of_parameter(model, interface, method, &field.name),
                Around::default(),
            )
        });
        Ok(Part::Record {
            fields: parts.collect::<Result<_, _>>()?,
            layout: RecordLayout::of(plan, &message.record),
        })
    }

    /// A single value. `path` names it, since no description does.
    pub fn alone(&mut self, node: &Node, path: &str) -> Result<Part, TooLarge> {
        self.parts = 0;
        self.value(node, path, Around::default())
    }

    fn value(&mut self, node: &Node, path: &str, around: Around) -> Result<Part, TooLarge> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(TooLarge::Parts);
        }
        let cut = |this: &Self, item: &Node| {
            around.recursion >= this.assumptions.depth && this.reaches_recursion(item)
        };
        let within = Around { items: around.items + 1, ..around };
        Ok(match &node.kind {
            Kind::Scalar(scalar) => self.primitive(scalar.primitive(), path, 0),
            Kind::String(_) => {
                self.primitive(Primitive::String, path, TEXT.max(forms::min_text(self.plan, node)))
            }
            Kind::Decimal => self.primitive(Primitive::Decimal, path, DECIMAL),
            Kind::Bytes { .. } => Part::Leaf(Box::new(Leaf::bytes(&self.length(path, BYTES)))),
            Kind::Array { item, .. } if cut(self, item) => Part::Items(Items::Each(Vec::new())),
            Kind::Array { item, .. } => {
                let count = self.length(path, usual_items(around));
                Part::Items(Items::Alike {
                    count,
                    item: Box::new(self.value(item, &format!("{path}[]"), within)?),
                })
            }
            Kind::Map { value, .. } if cut(self, value) => Part::Entries(Items::Each(Vec::new())),
            Kind::Map { key, value, .. } => {
                let count = self.length(path, usual_items(around));
                let fields = vec![
                    self.value(key, &format!("{path}.key"), within)?,
                    self.value(value, &format!("{path}.value"), within)?,
                ];
                Part::Entries(Items::Alike {
                    count,
                    item: Box::new(Part::Record { fields, layout: RecordLayout::ENTRY }),
                })
            }
            Kind::Optional(inner) => {
                let share = self.assumptions.present.get(path).copied().unwrap_or(1.0);
                if share <= 0.0 || cut(self, inner) {
                    return Ok(Part::Optional { share: 0.0, part: None });
                }
                Part::Optional { share, part: Some(Box::new(self.value(inner, path, around)?)) }
            }
            Kind::Enum(id) => {
                let enumeration = self.plan.enumeration(*id);
                Part::Leaf(Box::new(Leaf::constants(enumeration, &enumeration.constants)))
            }
            Kind::Record(id) => self.record(*id, around)?,
            Kind::Union(id) => self.union(*id, around)?,
        })
    }

    fn primitive(&self, primitive: Primitive, path: &str, usual: u64) -> Part {
        Part::Leaf(Box::new(Leaf::assumed(
            primitive,
            &self.length(path, usual),
            self.assumptions.ranges.get(path).copied(),
        )))
    }

    fn record(&mut self, id: TypeId, around: Around) -> Result<Part, TooLarge> {
        let (model, plan) = (self.model, self.plan);
        let record = plan.record(id);
        let within = Around { recursion: around.recursion + usize::from(record.recursive), ..around };
        let parts = record
            .fields
            .iter()
            .map(|field| self.value(&field.node, &paths::of_field(model, id, &field.name), within));
        Ok(Part::Record { fields: parts.collect::<Result<_, _>>()?, layout: RecordLayout::of(plan, record) })
    }

    fn union(&mut self, id: TypeId, around: Around) -> Result<Part, TooLarge> {
        let (model, plan) = (self.model, self.plan);
        let union = plan.union(id);
        let within = Around { recursion: around.recursion + usize::from(union.recursive), ..around };
        // Where recursion ends, the member with the lowest height is chosen.
        let members = || union.members.iter().enumerate();
        let shortest =
            members().min_by_key(|(_, member)| height(&member.node, &self.heights)).map(|(index, _)| index);
        let ends = union.recursive && within.recursion > self.assumptions.depth;
        let chosen: Vec<(usize, &Field)> =
            members().filter(|(index, _)| !ends || Some(*index) == shortest).collect();
        let share = 1.0 / chosen.len().max(1) as f64;
        let parts = chosen.into_iter().map(|(index, member)| {
            Ok((index, share, self.value(&member.node, &paths::of_field(model, id, &member.name), within)?))
        });
        Ok(Part::Union { members: parts.collect::<Result<_, _>>()?, extensible: union.extensible })
    }

    fn length(&self, path: &str, usual: u64) -> Length {
        self.assumptions.lengths.get(path).cloned().unwrap_or(Length::Fixed(usual))
    }

    fn reaches_recursion(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Scalar(_) | Kind::String(_) | Kind::Decimal | Kind::Bytes { .. } | Kind::Enum(_) => false,
            Kind::Array { item, .. } | Kind::Optional(item) | Kind::Map { value: item, .. } => {
                self.reaches_recursion(item)
            }
            Kind::Record(id) => self.plan.record(*id).recursive,
            Kind::Union(id) => self.plan.union(*id).recursive,
        }
    }
}

fn usual_items(around: Around) -> u64 {
    ITEMS[around.items.min(ITEMS.len() - 1)]
}

/// The height of the shallowest value of each type, which is finite for all types (LANG-14).
///
/// Types are settled in the order of their heights, so a long chain of types takes linear time: a struct when the last of its types is, a
/// union when the first is.
fn heights(model: &Model, plan: &Plan) -> Vec<u64> {
    let mut heights = vec![u64::MAX; model.types.len()];
    let mut users = vec![Vec::new(); model.types.len()];
    let mut open = vec![0usize; model.types.len()];
    for id in model.type_ids() {
        let members = plan.members(id);
        for held in members.iter().filter_map(|field| held(&field.node)) {
            users[held.0].push(id);
            open[id.0] += 1;
        }
        if matches!(plan.declared(id), Declared::Union(_)) {
            open[id.0] = usize::from(!members.is_empty() && open[id.0] == members.len());
        }
    }
    let mut queue: VecDeque<TypeId> = model.type_ids().filter(|id| open[id.0] == 0).collect();
    queue.iter().for_each(|id| heights[id.0] = 1);
    while let Some(id) = queue.pop_front() {
        for user in &users[id.0] {
            open[user.0] = open[user.0].saturating_sub(1);
            if open[user.0] == 0 && heights[user.0] == u64::MAX {
                heights[user.0] = heights[id.0] + 1;
                queue.push_back(*user);
            }
        }
    }
    heights
}

fn height(node: &Node, heights: &[u64]) -> u64 {
    held(node).map_or(0, |id| heights[id.0])
}

/// The type that every value contains.
fn held(node: &Node) -> Option<TypeId> {
    match node.kind {
        Kind::Scalar(_)
        | Kind::String(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Array { .. }
        | Kind::Optional(_)
        | Kind::Map { .. } => None,
        Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => Some(id),
    }
}
