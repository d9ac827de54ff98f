//! JSON Schema of types (JSON-31).

use crate::names::{PROBLEM, names};
use creo_check::CheckedModel;
use creo_model::{Field, Literal, Notes, Primitive, TypeId, date_time_text};
use creo_plan::{Declared, Enum, FixedScalar, Kind, Node, Plan, Record, Union};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// ±(2^53 - 1): the integers that a JavaScript number represents exactly (VAL-2).
const MAX_SAFE: i64 = (1 << 53) - 1;

/// Builds the schemas of one document.
pub struct Schemas<'m> {
    model: &'m CheckedModel,
    plan: &'m Plan,
    names: BTreeMap<TypeId, String>,
}

impl<'m> Schemas<'m> {
    pub fn new(model: &'m CheckedModel, plan: &'m Plan, interface: usize) -> Schemas<'m> {
        Schemas { model, plan, names: names(model, plan, interface) }
    }

    pub fn model(&self) -> &'m CheckedModel {
        self.model
    }

    /// All named schemas in the order of the description, followed by that of errors.
    pub fn components(&self) -> Map<String, Value> {
        let types = self.names.iter().map(|(id, name)| (name.clone(), self.declaration(*id)));
        types.chain([(PROBLEM.to_owned(), problem())]).collect()
    }

    pub fn named(&self, id: TypeId) -> Value {
        json!({ "$ref": format!("#/components/schemas/{}", self.names[&id]) })
    }

    /// A result, an item or a map's value, where null is `null`.
    pub fn value(&self, node: &Node) -> Value {
        match &node.kind {
            Kind::Optional(inner) => json!({ "oneOf": [self.value(inner), { "type": "null" }] }),
            Kind::Scalar(known) => scalar(known.primitive()),
            Kind::String(_) => scalar(Primitive::String),
            Kind::Decimal => scalar(Primitive::Decimal),
            Kind::Bytes { .. } => json!({ "type": "string", "contentEncoding": "base64" }),
            Kind::Array { item, .. } => json!({ "type": "array", "items": self.value(item) }),
            Kind::Map { value, .. } => json!({ "type": "object", "additionalProperties": self.value(value) }),
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => self.named(*id),
        }
    }

    fn declaration(&self, id: TypeId) -> Value {
        let decl = self.model.ty(id);
        let mut schema = match self.plan.declared(id) {
            Declared::Record(record) => self.object(decl.fields(), record),
            Declared::Enum(planned) => enumeration(planned),
            Declared::Union(union) => self.union(decl.fields(), union),
        };
        describe(&decl.notes, &mut schema);
        Value::Object(schema)
    }

    /// The object of a record, or of a request's parameters.
    pub fn object(&self, declared: &[Field], record: &Record) -> Map<String, Value> {
        let fields = declared.iter().zip(&record.fields);
        let properties: Map<String, Value> =
            fields.map(|(declared, field)| (field.name.clone(), self.field(declared, field))).collect();
        let always = record.fields.iter().filter(|field| !record.json_may_miss(field));
        let required: Vec<&str> = always.map(|field| field.name.as_str()).collect();
        let mut schema = Map::new();
        schema.insert("type".into(), json!("object"));
        schema.insert("properties".into(), json!(properties));
        if !required.is_empty() {
            schema.insert("required".into(), json!(required));
        }
        if !record.extensible {
            schema.insert("additionalProperties".into(), json!(false));
        }
        schema
    }

    /// A null field is omitted, so its schema is that of a present value.
    fn field(&self, declared: &Field, field: &creo_plan::Field) -> Value {
        let node = field.node.inner();
        let mut schema = self.value(node);
        if let Value::Object(schema) = &mut schema {
            describe(&declared.notes, schema);
            if let Some(default) = field.default.as_ref().and_then(|default| self.default(default, node)) {
                schema.insert("default".into(), default);
            }
        }
        schema
    }

    /// An object, from which client generators can make a class, instead of a choice of objects, which may be recursive.
    fn union(&self, declared: &[Field], union: &Union) -> Map<String, Value> {
        let member = |(declared, member): (&Field, &creo_plan::Field)| {
            let mut schema = self.value(&member.node);
            if let Value::Object(schema) = &mut schema {
                describe(&declared.notes, schema);
            }
            (member.name.clone(), schema)
        };
        let mut schema = Map::new();
        schema.insert("type".into(), json!("object"));
        schema.insert(
            "properties".into(),
            Value::Object(declared.iter().zip(&union.members).map(member).collect()),
        );
        schema.insert("minProperties".into(), json!(1));
        schema.insert("maxProperties".into(), json!(1));
        schema.insert("additionalProperties".into(), json!(false));
        schema
    }

    /// In the notation of `spec/values.md`.
    fn default(&self, literal: &Literal, node: &Node) -> Option<Value> {
        Some(match literal {
            Literal::Boolean(value) => json!(value),
            Literal::Integer(value) if (-MAX_SAFE..=MAX_SAFE).contains(value) => json!(value),
            Literal::Integer(value) => json!(value.to_string()),
            Literal::Char(unit) => {
                char::from_u32(u32::from(*unit)).map_or_else(|| json!(unit), |c| json!(c.to_string()))
            }
            Literal::Number(value) if value.is_nan() => json!("NaN"),
            Literal::Number(value) if value.is_infinite() => {
                json!(if *value > 0.0 { "Infinity" } else { "-Infinity" })
            }
            // The shortest digits have the field's precision.
            #[expect(clippy::cast_possible_truncation, reason = "the value has been rounded to binary32")]
            Literal::Number(value) if node.kind == Kind::Scalar(FixedScalar::Float) => {
                serde_json::from_str(&format!("{}", *value as f32)).ok()?
            }
            Literal::Number(value) => json!(value),
            Literal::String(value) | Literal::Decimal(value) => json!(value),
            Literal::DateTime(seconds, nanoseconds) => json!(date_time_text(*seconds, *nanoseconds)),
            Literal::Constant(id, index) => json!(self.plan.enumeration(*id).constants[*index].name),
            Literal::Empty => match node.kind {
                Kind::Array { .. } => json!([]),
                Kind::Map { .. } => json!({}),
                Kind::Bytes { .. } => json!(""),
                Kind::Scalar(_)
                | Kind::String(_)
                | Kind::Decimal
                | Kind::Optional(_)
                | Kind::Record(_)
                | Kind::Union(_)
                | Kind::Enum(_) => {
                    return None;
                }
            },
        })
    }
}

fn scalar(primitive: Primitive) -> Value {
    let real = |format: &str| json!({ "oneOf": [{ "type": "number", "format": format }, { "type": "string", "enum": ["NaN", "Infinity", "-Infinity"] }] });
    let integer = |format: &str, least: i64, most: i64| json!({ "type": "integer", "format": format, "minimum": least, "maximum": most });
    match primitive {
        Primitive::Boolean => json!({ "type": "boolean" }),
        Primitive::Byte => integer("int8", i8::MIN.into(), i8::MAX.into()),
        Primitive::Short => integer("int16", i16::MIN.into(), i16::MAX.into()),
        Primitive::Int => json!({ "type": "integer", "format": "int32" }),
        Primitive::Long => {
            json!({ "oneOf": [{ "type": "integer", "format": "int64" }, { "type": "string", "pattern": "^-?[0-9]+$" }] })
        }
        Primitive::Char => {
            json!({ "oneOf": [{ "type": "string", "minLength": 1, "maxLength": 1 }, { "type": "integer", "minimum": 0, "maximum": 65535 }] })
        }
        Primitive::Float => real("float"),
        Primitive::Double => real("double"),
        Primitive::String => json!({ "type": "string" }),
        Primitive::DateTime => json!({ "type": "string", "format": "date-time" }),
        Primitive::Decimal => json!({ "type": "string", "pattern": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$" }),
    }
}

fn enumeration(planned: &Enum) -> Map<String, Value> {
    let names: Vec<&str> = planned.constants.iter().map(|constant| constant.name.as_str()).collect();
    let known = Map::from_iter([("type".to_owned(), json!("string")), ("enum".to_owned(), json!(names))]);
    if !planned.extensible {
        return known;
    }
    Map::from_iter([("oneOf".to_owned(), json!([known, { "type": "integer", "minimum": 0 }]))])
}

/// JSON-23.
fn problem() -> Value {
    json!({
        "description": "A problem document of RFC 9457.",
        "type": "object",
        "properties": {
            "type": { "type": "string" },
            "title": { "type": "string" },
            "status": { "type": "integer" },
            "detail": { "type": "string" },
            "details": { "type": "object", "additionalProperties": { "type": "string" } },
        },
        "required": ["type", "title", "status"],
    })
}

/// Adds the documentation of an element.
pub fn describe(notes: &Notes, object: &mut Map<String, Value>) {
    if let Some(doc) = &notes.doc {
        object.insert("description".into(), json!(doc));
    }
    if notes.deprecated.is_some() {
        object.insert("deprecated".into(), json!(true));
    }
}
