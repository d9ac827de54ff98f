//! Values in the notation of `spec/values.md`.

use crate::time;
use creo_model::{Literal, Method, Model, Primitive, Type, TypeId, TypeKind};
use serde_json::{Map, Value};

/// The name of an exception in JSON: simple, unless the method throws two with that name.
pub(crate) fn exception_name(model: &Model, method: &Method, id: TypeId) -> String {
    let name = &model.ty(id).name;
    let alone = method.throws.iter().filter(|other| model.ty(**other).name == *name).count() == 1;
    if alone { name.clone() } else { model.full_name(id) }
}

/// A default as JSON (VAL).
pub(crate) fn default_value(model: &Model, ty: &Type, literal: &Literal) -> Value {
    match literal {
        Literal::Boolean(value) => Value::Bool(*value),
        Literal::Integer(value) => long_value(*value),
        Literal::Char(unit) => char_value(*unit),
        Literal::Number(value) if *ty == Type::Primitive(Primitive::Float) => float_value(*value as f32),
        Literal::Number(value) => double_value(*value),
        Literal::String(text) | Literal::Decimal(text) => Value::String(text.clone()),
        Literal::DateTime(seconds, nanos) => Value::String(time::format(*seconds, *nanos)),
        Literal::Constant(id, index) => match &model.ty(*id).kind {
            TypeKind::Enum(constants) => Value::String(constants[*index].name.clone()),
            TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) => Value::Null,
        },
        Literal::Empty => match ty {
            Type::Map(..) => Value::Object(Map::new()),
            Type::Bytes => Value::String(String::new()),
            Type::Array(_) | Type::Primitive(_) | Type::Optional(_) | Type::Named(_) => {
                Value::Array(Vec::new())
            }
        },
    }
}

/// VAL-2
pub(crate) fn long_value(value: i64) -> Value {
    const EXACT: i64 = (1 << 53) - 1;
    if (-EXACT..=EXACT).contains(&value) { value.into() } else { Value::String(value.to_string()) }
}

/// VAL-3
pub(crate) fn double_value(value: f64) -> Value {
    if value.is_finite() { value.into() } else { named_number(value) }
}

/// VAL-3: the shortest number that parses as the same `float`.
pub(crate) fn float_value(value: f32) -> Value {
    if value.is_finite() { value.into() } else { named_number(value.into()) }
}

fn named_number(value: f64) -> Value {
    let name = match value {
        v if v.is_nan() => "NaN",
        v if v > 0.0 => "Infinity",
        _ => "-Infinity",
    };
    name.into()
}

/// VAL-4
pub(crate) fn char_value(unit: u16) -> Value {
    char::from_u32(unit.into()).map_or_else(|| unit.into(), |c| Value::String(c.to_string()))
}

/// VAL-12
pub(crate) fn key_text(key: &Value) -> String {
    if let Value::String(text) = key { text.clone() } else { key.to_string() }
}
