//! The plan: a type as an ordered list of operations, with the facts that make codecs fast and estimates exact.
//!
//! Generators and the cost model both read the plan, so that code and estimate cannot drift apart. The layout is that of
//! `spec/wires/binary.md`; the text wires use the same operations without the byte facts.

use crate::check::CheckedModel;
use crate::memory;
use crate::model::{Field, Model, Primitive, Type, TypeDecl, TypeId, TypeKind};
use std::collections::VecDeque;

/// Byte facts of a value on the binary wire (MODEL-21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The least size in bytes.
    pub least: u64,
    /// The size, if all values have the same.
    pub fixed: Option<u64>,
    /// Whether every sequence of `fixed` bytes is a correct value, so that a view over received bytes needs no check.
    pub any_bits: bool,
}

impl Shape {
    const fn fixed(size: u64, any_bits: bool) -> Shape {
        Shape { least: size, fixed: Some(size), any_bits }
    }

    const fn variable(least: u64) -> Shape {
        Shape { least, fixed: None, any_bits: false }
    }
}

/// What is done for one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A primitive of fixed size: `boolean` to `double`, and `DateTime`.
    Scalar(Primitive),
    /// A count of bytes and UTF-8: `String`, `Decimal`.
    Text(Primitive),
    /// `byte[]`.
    Bytes,
    /// An array of `boolean`, `short`, `char`, `int`, `long`, `float` or `double`: moved in bulk.
    Bulk(Primitive),
    /// A count, then each item.
    Each(Box<Item>),
    /// A count, then key and value of each entry.
    Entries(Box<Item>, Box<Item>),
    /// A byte, then perhaps the value.
    Optional(Box<Item>),
    /// A struct or exception, by its own codec.
    Record(TypeId),
    /// A union, by its own codec.
    Variant(TypeId),
    /// An enum's number as a count.
    Number(TypeId),
}

/// An operation with its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub op: Op,
    pub shape: Shape,
}

/// One step of a record: fields are indices into the record's list of fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Consecutive fields of fixed size, `size` bytes together: one bounds check serves all.
    Block { fields: Vec<BlockField>, size: u64 },
    /// A field of variable size, or any field of an extensible record.
    Field { index: usize, item: Item },
}

/// A field within a block, at a fixed offset from the block's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockField {
    pub index: usize,
    pub offset: u64,
    pub item: Item,
}

/// The plan of all types of a model.
#[derive(Debug)]
pub struct Plan<'m> {
    model: &'m Model,
    shapes: Vec<Shape>,
    weights: Vec<u64>,
}

/// Makes the plan of a model.
pub fn plan(model: &CheckedModel) -> Plan<'_> {
    let model: &Model = model;
    // Least sizes shrink to their fixpoint from "no finite value known yet": LANG-14 promises that all become finite. A type is
    // looked at again when one that it holds has changed, so that a long chain of types costs no more than its length.
    let mut users = vec![Vec::new(); model.types.len()];
    for id in model.type_ids() {
        for field in model.ty(id).fields() {
            if let Type::Named(held) = field.ty {
                users[held.0].push(id);
            }
        }
    }
    let mut shapes = vec![Shape::variable(u64::MAX); model.types.len()];
    let mut queue: VecDeque<TypeId> = model.type_ids().collect();
    let mut queued = vec![true; model.types.len()];
    while let Some(id) = queue.pop_front() {
        queued[id.0] = false;
        let shape = decl_shape(model.ty(id), &shapes);
        if shape == shapes[id.0] {
            continue;
        }
        shapes[id.0] = shape;
        for user in &users[id.0] {
            if !queued[user.0] {
                queued[user.0] = true;
                queue.push_back(*user);
            }
        }
    }
    let weights = memory::weights(model, &shapes);
    Plan { model, shapes, weights }
}

impl Plan<'_> {
    /// The facts of a declared type.
    pub fn shape(&self, id: TypeId) -> Shape {
        self.shapes[id.0]
    }

    /// The weight of a declared type (LIM-18).
    pub(crate) fn declared_weight(&self, id: TypeId) -> u64 {
        self.weights[id.0]
    }

    pub(crate) fn into_weights(self) -> Vec<u64> {
        self.weights
    }

    /// The operation for a value of type `ty`.
    pub fn item(&self, ty: &Type) -> Item {
        let op = match ty {
            Type::Primitive(p) => match p {
                Primitive::String | Primitive::Decimal => Op::Text(*p),
                Primitive::Boolean
                | Primitive::Byte
                | Primitive::Short
                | Primitive::Char
                | Primitive::Int
                | Primitive::Long
                | Primitive::Float
                | Primitive::Double
                | Primitive::DateTime => Op::Scalar(*p),
            },
            Type::Bytes => Op::Bytes,
            Type::Array(item) => match item.as_ref() {
                Type::Primitive(
                    p @ (Primitive::Boolean
                    | Primitive::Short
                    | Primitive::Char
                    | Primitive::Int
                    | Primitive::Long
                    | Primitive::Float
                    | Primitive::Double),
                ) => Op::Bulk(*p),
                other => Op::Each(Box::new(self.item(other))),
            },
            Type::Optional(item) => Op::Optional(Box::new(self.item(item))),
            Type::Map(key, value) => Op::Entries(Box::new(self.item(key)), Box::new(self.item(value))),
            Type::Named(id) => match self.model.ty(*id).kind {
                TypeKind::Struct(_) | TypeKind::Exception(_) => Op::Record(*id),
                TypeKind::Union(_) => Op::Variant(*id),
                TypeKind::Enum(_) => Op::Number(*id),
            },
        };
        Item { op, shape: type_shape(ty, &self.shapes) }
    }

    /// The steps of a struct or exception, in wire order. Fields of an extensible record are a step each, since its region may end between any two (BIN-8).
    pub fn record(&self, id: TypeId) -> Vec<Step> {
        let decl = self.model.ty(id);
        self.steps(decl.fields(), !decl.extensible)
    }

    /// The steps of a request's body: its parameters (BIN-14).
    pub fn parameters(&self, parameters: &[Field]) -> Vec<Step> {
        self.steps(parameters, true)
    }

    fn steps(&self, fields: &[Field], blocks: bool) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let item = self.item(&field.ty);
            match item.shape.fixed {
                Some(size) if blocks => {
                    if !matches!(steps.last(), Some(Step::Block { .. })) {
                        steps.push(Step::Block { fields: Vec::new(), size: 0 });
                    }
                    if let Some(Step::Block { fields, size: total }) = steps.last_mut() {
                        fields.push(BlockField { index, offset: *total, item });
                        *total += size;
                    }
                }
                _ => steps.push(Step::Field { index, item }),
            }
        }
        steps
    }
}

fn decl_shape(decl: &TypeDecl, shapes: &[Shape]) -> Shape {
    match &decl.kind {
        TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
            if decl.extensible {
                // An older writer's value may end before any field that has a default, and before the first field there is nothing.
                let least = fields
                    .iter()
                    .take_while(|f| f.default.is_none() && !matches!(f.ty, Type::Optional(_)))
                    .fold(0u64, |sum, f| sum.saturating_add(type_shape(&f.ty, shapes).least));
                return Shape::variable(least.saturating_add(4));
            }
            fields.iter().map(|f| type_shape(&f.ty, shapes)).fold(Shape::fixed(0, true), |sum, s| Shape {
                least: sum.least.saturating_add(s.least),
                fixed: sum.fixed.zip(s.fixed).map(|(a, b)| a.saturating_add(b)),
                any_bits: sum.any_bits && s.any_bits,
            })
        }
        TypeKind::Enum(constants) => {
            if !decl.extensible && constants.iter().all(|c| c.number < 0x80) {
                Shape::fixed(1, false)
            } else if decl.extensible {
                Shape::variable(1)
            } else {
                Shape::variable(constants.iter().map(|c| count_size(c.number.into())).min().unwrap_or(u64::MAX))
            }
        }
        TypeKind::Union(members) => {
            if decl.extensible {
                // An unknown member may be empty.
                return Shape::variable(5);
            }
            let least = members
                .iter()
                .enumerate()
                .map(|(index, m)| type_shape(&m.ty, shapes).least.saturating_add(count_size(index as u64)))
                .min()
                .unwrap_or(u64::MAX);
            Shape::variable(least)
        }
    }
}

fn type_shape(ty: &Type, shapes: &[Shape]) -> Shape {
    match ty {
        Type::Primitive(p) => match p {
            Primitive::Boolean => Shape::fixed(1, false),
            Primitive::Byte => Shape::fixed(1, true),
            Primitive::Short | Primitive::Char => Shape::fixed(2, true),
            Primitive::Int | Primitive::Float => Shape::fixed(4, true),
            Primitive::Long | Primitive::Double => Shape::fixed(8, true),
            Primitive::DateTime => Shape::fixed(12, false),
            Primitive::String => Shape::variable(1),
            Primitive::Decimal => Shape::variable(2),
        },
        Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => Shape::variable(1),
        Type::Named(id) => shapes[id.0],
    }
}

/// The bytes of a count on the binary wire (BIN-2).
pub fn count_size(count: u64) -> u64 {
    match count {
        0..=0x7f => 1,
        0x80..=0x3fff => 2,
        0x4000..=0x1f_ffff => 3,
        0x20_0000..=0xfff_ffff => 4,
        _ => 5,
    }
}
