//! Example values.

use crate::Subject;
use crate::least::least_values;
use crate::values::{default_value, exception_name, key_text};
use creo_model::{Field, Model, Primitive, Type, TypeId, TypeKind};
use serde_json::{Map, Value};

/// The maximum number of parts in an example.
const MAX_PARTS: usize = 10_000;

/// The maximum nesting of recursive values in an example.
const MAX_RECURSION: usize = 2;

/// An example value: small, always the same, with every part present where possible. `None` if even the smallest value is too large, or if
/// the subject has no value (the exception of a method that throws none).
pub fn sample(model: &Model, subject: &Subject<'_>) -> Option<Value> {
    let mut sampler = Sampler { model, heights: heights(model), parts: 0 };
    match subject {
        Subject::Type(ty) | Subject::Items(ty) => sampler.value(ty, "value", 0),
        Subject::Request(method) => sampler.record(method.arguments(), 0),
        Subject::Response(method) => {
            method.returns().map_or(Some(Value::Null), |ty| sampler.value(ty, "value", 0))
        }
        Subject::Exception(method) => {
            let id = *method.throws.first()?;
            let value = sampler.named(id, 0)?;
            Some(Value::Object([(exception_name(model, method, id), value)].into_iter().collect()))
        }
    }
}

struct Sampler<'a> {
    model: &'a Model,
    heights: Vec<u64>,
    parts: usize,
}

impl Sampler<'_> {
    fn value(&mut self, ty: &Type, name: &str, recursion: usize) -> Option<Value> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        let deep = |item: &Type| recursion >= MAX_RECURSION && self.reaches_recursion(item);
        Some(match ty {
            Type::Primitive(primitive) => example(*primitive, name),
            Type::Bytes => "AAEC".into(),
            Type::Array(item) if deep(item) => Value::Array(Vec::new()),
            Type::Array(item) => Value::Array(vec![self.value(item, name, recursion)?]),
            Type::Optional(item) if deep(item) => Value::Null,
            Type::Optional(item) => self.value(item, name, recursion)?,
            Type::Map(_, value) if deep(value) => Value::Object(Map::new()),
            Type::Map(key, value) => {
                let key = key_text(&self.value(key, "key", recursion)?);
                let value = self.value(value, name, recursion)?;
                Value::Object([(key, value)].into_iter().collect())
            }
            Type::Named(id) => self.named(*id, recursion)?,
        })
    }

    fn named(&mut self, id: TypeId, recursion: usize) -> Option<Value> {
        let model = self.model;
        let decl = model.ty(id);
        let recursion = recursion + usize::from(decl.recursive);
        match &decl.kind {
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => self.record(fields, recursion),
            TypeKind::Enum(constants) => constants.first().map(|c| Value::String(c.name.clone())),
            TypeKind::Union(members) => {
                let member = if decl.recursive && recursion > MAX_RECURSION {
                    members.iter().min_by_key(|m| height(&m.ty, &self.heights))?
                } else {
                    members.first()?
                };
                let value = self.value(&member.ty, &member.name, recursion)?;
                Some(Value::Object([(member.name.clone(), value)].into_iter().collect()))
            }
        }
    }

    fn record(&mut self, fields: &[Field], recursion: usize) -> Option<Value> {
        let mut object = Map::new();
        for field in fields {
            let value = match &field.default {
                Some(literal) => default_value(self.model, &field.ty, literal),
                None => self.value(&field.ty, &field.name, recursion)?,
            };
            if !value.is_null() {
                object.insert(field.name.clone(), value);
            }
        }
        Some(Value::Object(object))
    }

    fn reaches_recursion(&self, ty: &Type) -> bool {
        match ty {
            Type::Primitive(_) | Type::Bytes => false,
            Type::Array(item) | Type::Optional(item) | Type::Map(_, item) => self.reaches_recursion(item),
            Type::Named(id) => self.model.ty(*id).recursive,
        }
    }
}

fn example(primitive: Primitive, name: &str) -> Value {
    match primitive {
        Primitive::Boolean => true.into(),
        Primitive::Byte | Primitive::Short | Primitive::Int | Primitive::Long => 1.into(),
        Primitive::Char => "a".into(),
        Primitive::Float | Primitive::Double => 1.5.into(),
        Primitive::String => name.into(),
        Primitive::DateTime => "2026-01-01T00:00:00Z".into(),
        Primitive::Decimal => "1.50".into(),
    }
}

/// How many records and unions the shallowest value of each type nests. Following decreasing heights always ends.
fn heights(model: &Model) -> Vec<u64> {
    least_values(model, |decl, heights| {
        let of = |field: &Field| height(&field.ty, heights);
        let inner = match &decl.kind {
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
                fields.iter().map(of).max().unwrap_or(0)
            }
            TypeKind::Enum(_) => 0,
            TypeKind::Union(members) => members.iter().map(of).min().unwrap_or(u64::MAX),
        };
        inner.saturating_add(1)
    })
}

fn height(ty: &Type, heights: &[u64]) -> u64 {
    match ty {
        Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => 0,
        Type::Named(id) => heights[id.0],
    }
}
