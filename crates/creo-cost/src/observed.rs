//! The parts of a value that is there: every length known, every text measured.

use crate::digits::{double_text, float_text};
use crate::leaf::{Kind, Leaf, counted, text_sizes};
use crate::length::Length;
use crate::part::{Items, Part, elements};
use crate::spread::Spread;
use creo_model::text::TextPlan;
use creo_model::{CheckedModel, Field, Model, Primitive, Type, TypeId, TypeKind};
use serde_json::Value;

/// Looks at values in the notation of `spec/values.md`.
pub struct Observed<'a> {
    model: &'a Model,
    plan: &'a TextPlan,
}

impl<'a> Observed<'a> {
    pub fn new(model: &'a CheckedModel, plan: &'a TextPlan) -> Observed<'a> {
        Observed { model, plan }
    }

    /// The parameters of a method as an object. `None`: not a value of these types, or a field without value that is not optional.
    pub fn record(&self, fields: &[Field], value: &Value) -> Option<Part> {
        let object = value.as_object()?;
        let parts = fields.iter().map(|field| self.value(&field.ty, object.get(&field.name).unwrap_or(&Value::Null)));
        Some(Part::Record { fields: parts.collect::<Option<_>>()?, extensible: false, elements: true })
    }

    pub fn value(&self, ty: &Type, value: &Value) -> Option<Part> {
        Some(match ty {
            Type::Primitive(primitive) => Part::Leaf(Box::new(leaf(*primitive, value)?)),
            Type::Bytes => {
                let text = value.as_str()?;
                let padding = text.bytes().rev().take_while(|b| *b == b'=').count() as u64;
                Part::Leaf(Box::new(Leaf::bytes(&Length::Fixed(text.len() as u64 / 4 * 3 - padding))))
            }
            Type::Array(item) => Part::Items(Items::Each(value.as_array()?.iter().map(|v| self.value(item, v)).collect::<Option<_>>()?)),
            Type::Map(key, item) => {
                let entry = |(name, value): (&String, &Value)| {
                    let fields = vec![self.key(key, name)?, self.value(item, value)?];
                    Some(Part::Record { fields, extensible: false, elements: true })
                };
                Part::Entries(Items::Each(value.as_object()?.iter().map(entry).collect::<Option<_>>()?))
            }
            Type::Optional(_) if value.is_null() => Part::Optional { share: 0.0, part: None },
            Type::Optional(item) => Part::Optional { share: 1.0, part: Some(Box::new(self.value(item, value)?)) },
            Type::Named(id) => self.named(*id, value)?,
        })
    }

    fn named(&self, id: TypeId, value: &Value) -> Option<Part> {
        let decl = self.model.ty(id);
        Some(match &decl.kind {
            TypeKind::Enum(constants) => {
                let index = constants.iter().position(|c| value.as_str() == Some(&c.name))?;
                let text = self.plan.enumeration(id).texts[index].as_str();
                let only = std::iter::once((constants[index].number, text, constants[index].name.as_str()));
                Part::Leaf(Box::new(Leaf::constants(only)))
            }
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => match self.record(fields, value)? {
                Part::Record { fields, .. } => Part::Record { fields, extensible: decl.extensible, elements: elements(self.plan, id) },
                other => other,
            },
            TypeKind::Union(members) => {
                let (name, inner) = value.as_object()?.iter().next()?;
                let index = members.iter().position(|m| m.name == *name)?;
                Part::Union { members: vec![(index, 1.0, self.value(&members[index].ty, inner)?)], extensible: decl.extensible }
            }
        })
    }

    /// VAL-12
    fn key(&self, ty: &Type, name: &str) -> Option<Part> {
        let parsed = match ty {
            Type::Primitive(Primitive::String | Primitive::DateTime | Primitive::Decimal | Primitive::Float | Primitive::Double) => name.into(),
            Type::Primitive(Primitive::Boolean) => Value::Bool(name == "true"),
            Type::Primitive(Primitive::Char) if name.chars().count() == 1 => name.into(),
            Type::Primitive(Primitive::Long) => name.into(),
            Type::Primitive(_) => Value::from(name.parse::<i64>().ok()?),
            Type::Named(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => name.into(),
        };
        self.value(ty, &parsed)
    }
}

fn leaf(primitive: Primitive, value: &Value) -> Option<Leaf> {
    let kind = Kind::Primitive(primitive);
    let number = |size: u64, text: u64| Leaf::plain(kind, Spread::exact(size), Spread::exact(text), Spread::exact(text));
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
            Leaf { json: Spread::exact(json), key: Spread::exact(key), ..number(2, unit.to_string().len() as u64) }
        }
        Primitive::DateTime => quoted(number(12, value.as_str()?.len() as u64)),
        Primitive::Decimal => {
            let length = Length::Fixed(value.as_str()?.len() as u64);
            Leaf { binary: counted(&length), length: Some(length), ..quoted(number(0, value.as_str()?.len() as u64)) }
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
