//! The parts of an actual value: every length is known, and every text is measured.

use crate::digits::{double_text, float_text};
use crate::leaf::{Kind, Leaf, counted, text_sizes};
use crate::length::Length;
use crate::part::{Items, Part, RecordLayout};
use crate::spread::Spread;
use creo_model::Primitive;
use creo_plan::{FixedScalar, Kind as NodeKind, Node, Plan, Record};
use serde_json::Value;

/// Analyzes values in the notation of `spec/values.md`.
pub struct Observed<'a> {
    plan: &'a Plan,
}

impl<'a> Observed<'a> {
    pub fn new(plan: &'a Plan) -> Observed<'a> {
        Observed { plan }
    }

    /// The parts of a record, given as an object. `None`: the value has another type, or a required field is missing.
    pub fn record(&self, record: &Record, value: &Value) -> Option<Part> {
        let object = value.as_object()?;
        let parts = record
            .fields
            .iter()
            .map(|field| self.value(&field.node, object.get(&field.name).unwrap_or(&Value::Null)));
        Some(Part::Record {
            fields: parts.collect::<Option<_>>()?,
            layout: RecordLayout::of(self.plan, record),
        })
    }

    pub fn value(&self, node: &Node, value: &Value) -> Option<Part> {
        Some(match &node.kind {
            NodeKind::Scalar(scalar) => Part::Leaf(Box::new(leaf(scalar.primitive(), value)?)),
            NodeKind::String(_) => Part::Leaf(Box::new(leaf(Primitive::String, value)?)),
            NodeKind::Decimal => Part::Leaf(Box::new(leaf(Primitive::Decimal, value)?)),
            NodeKind::Bytes { .. } => {
                let text = value.as_str()?;
                let padding = text.bytes().rev().take_while(|b| *b == b'=').count() as u64;
                Part::Leaf(Box::new(Leaf::bytes(&Length::Fixed(text.len() as u64 / 4 * 3 - padding))))
            }
            NodeKind::Array { item, .. } => Part::Items(Items::Each(
                value.as_array()?.iter().map(|v| self.value(item, v)).collect::<Option<_>>()?,
            )),
            NodeKind::Map { key, value: item, .. } => {
                let entry = |(name, value): (&String, &Value)| {
                    let fields = vec![self.value(key, &key_value(key, name)?)?, self.value(item, value)?];
                    Some(Part::Record { fields, layout: RecordLayout::ENTRY })
                };
                Part::Entries(Items::Each(value.as_object()?.iter().map(entry).collect::<Option<_>>()?))
            }
            NodeKind::Optional(_) if value.is_null() => Part::Optional { share: 0.0, part: None },
            NodeKind::Optional(inner) => {
                Part::Optional { share: 1.0, part: Some(Box::new(self.value(inner, value)?)) }
            }
            NodeKind::Enum(id) => {
                let enumeration = self.plan.enumeration(*id);
                let index = enumeration
                    .constants
                    .iter()
                    .position(|constant| value.as_str() == Some(&constant.name))?;
                Part::Leaf(Box::new(Leaf::constants(enumeration, &enumeration.constants[index..=index])))
            }
            NodeKind::Record(id) => self.record(self.plan.record(*id), value)?,
            NodeKind::Union(id) => {
                let union = self.plan.union(*id);
                let (name, inner) = value.as_object()?.iter().next()?;
                let index = union.members.iter().position(|member| member.name == *name)?;
                Part::Union {
                    members: vec![(index, 1.0, self.value(&union.members[index].node, inner)?)],
                    extensible: union.extensible,
                }
            }
        })
    }
}

/// A key of a map as a value (VAL-12).
fn key_value(key: &Node, name: &str) -> Option<Value> {
    Some(match &key.kind {
        NodeKind::Scalar(FixedScalar::Boolean) => Value::Bool(name == "true"),
        NodeKind::Scalar(FixedScalar::Char) if name.chars().count() != 1 => {
            Value::from(name.parse::<i64>().ok()?)
        }
        NodeKind::Scalar(FixedScalar::Byte | FixedScalar::Short | FixedScalar::Int) => {
            Value::from(name.parse::<i64>().ok()?)
        }
        NodeKind::Scalar(
            FixedScalar::Char
            | FixedScalar::Long
            | FixedScalar::Float
            | FixedScalar::Double
            | FixedScalar::DateTime,
        )
        | NodeKind::String(_)
        | NodeKind::Decimal
        | NodeKind::Bytes { .. }
        | NodeKind::Array { .. }
        | NodeKind::Map { .. }
        | NodeKind::Optional(_)
        | NodeKind::Record(_)
        | NodeKind::Union(_)
        | NodeKind::Enum(_) => name.into(),
    })
}

fn leaf(primitive: Primitive, value: &Value) -> Option<Leaf> {
    let kind = Kind::Primitive(primitive);
    let number = |size: u64, text: u64| {
        Leaf::plain(kind, Spread::exact(size), Spread::exact(text), Spread::exact(text))
    };
    let quoted = |leaf: Leaf| Leaf { json: leaf.json.and(2), key: leaf.key, ..leaf };
    Some(match primitive {
        Primitive::Boolean => number(1, if value.as_bool()? { 4 } else { 5 }),
        Primitive::Byte => number(1, value.to_string().len() as u64),
        Primitive::Short => number(2, value.to_string().len() as u64),
        Primitive::Int => number(4, value.to_string().len() as u64),
        Primitive::Long => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let plain = number(8, text.len() as u64);
            // VAL-2
            if text.parse::<i64>().ok()?.unsigned_abs() < 1 << 53 { plain } else { quoted(plain) }
        }
        Primitive::Float | Primitive::Double => {
            let (text, named) = match value.as_str() {
                Some(name) => (if name.starts_with('-') { 4 } else { 3 }, Some(name.len() as u64 + 2)),
                None if primitive == Primitive::Float => (float_text(value.to_string().parse().ok()?), None),
                None => (double_text(value.to_string().parse().ok()?), None),
            };
            let leaf = number(if primitive == Primitive::Float { 4 } else { 8 }, text);
            match named {
                Some(size) => Leaf { json: Spread::exact(size), ..leaf },
                None => leaf,
            }
        }
        Primitive::Char => {
            // A surrogate is a number without quotes (VAL-4).
            let (unit, json) = match value.as_str() {
                Some(text) => (u64::from(u32::from(text.chars().next()?)), text_sizes(text).json + 2),
                None => (value.as_u64()?, value.to_string().len() as u64),
            };
            let key = if value.is_string() { json } else { json + 2 };
            Leaf {
                json: Spread::exact(json),
                key: Spread::exact(key),
                ..number(2, unit.to_string().len() as u64)
            }
        }
        Primitive::DateTime => quoted(number(12, value.as_str()?.len() as u64)),
        Primitive::Decimal => {
            let length = Length::Fixed(value.as_str()?.len() as u64);
            Leaf {
                binary: counted(&length),
                length: Some(length),
                ..quoted(number(0, value.as_str()?.len() as u64))
            }
        }
        Primitive::String => {
            let text = value.as_str()?;
            let (sizes, raw) = (text_sizes(text), Spread::exact(text.len() as u64));
            let length = Length::Fixed(text.len() as u64);
            Leaf {
                kind,
                binary: counted(&length),
                length: Some(length),
                range: None,
                is_fixed: false,
                xml: Spread::exact(sizes.xml),
                attribute: Spread::exact(sizes.attribute),
                table: Spread::exact(sizes.table),
                json: Spread::exact(sizes.json + 2),
                key: Spread::exact(sizes.json + 2),
                raw,
                hex: raw,
            }
        }
    })
}
