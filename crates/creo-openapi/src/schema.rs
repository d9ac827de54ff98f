//! JSON Schema of types (JSON-31).

use crate::describe;
use crate::names::{PROBLEM, names};

use creo_model::{CheckedModel, Constant, Field, Interface, Literal, Primitive, Type, TypeDecl, TypeId, TypeKind, date_time_text};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// ±(2^53 - 1): what a JavaScript number holds exactly (VAL-2).
const MAX_SAFE: i64 = (1 << 53) - 1;

/// Makes the schemas of one document.
pub struct Schemas<'m> {
    model: &'m CheckedModel,
    names: BTreeMap<TypeId, String>,
}

impl<'m> Schemas<'m> {
    pub fn new(model: &'m CheckedModel, interface: &Interface) -> Schemas<'m> {
        Schemas { model, names: names(model, interface) }
    }

    pub fn model(&self) -> &'m CheckedModel {
        self.model
    }

    /// All named schemas, in the order of the description, and that of errors behind them.
    pub fn components(&self) -> Map<String, Value> {
        let types = self.names.iter().map(|(id, name)| (name.clone(), self.declaration(self.model.ty(*id))));
        types.chain([(PROBLEM.to_owned(), problem())]).collect()
    }

    /// The object of a request's parameters.
    pub fn parameters(&self, parameters: &[Field]) -> Value {
        Value::Object(self.object(parameters, false))
    }

    pub fn named(&self, id: TypeId) -> Value {
        json!({ "$ref": format!("#/components/schemas/{}", self.names[&id]) })
    }

    /// A result, an item, a value of a map: where nothing is `null`.
    pub fn value(&self, ty: &Type) -> Value {
        match ty {
            Type::Optional(inner) => json!({ "oneOf": [self.value(inner), { "type": "null" }] }),
            Type::Primitive(primitive) => scalar(*primitive),
            Type::Bytes => json!({ "type": "string", "contentEncoding": "base64" }),
            Type::Array(item) => json!({ "type": "array", "items": self.value(item) }),
            Type::Map(_, value) => json!({ "type": "object", "additionalProperties": self.value(value) }),
            Type::Named(id) => self.named(*id),
        }
    }

    fn declaration(&self, decl: &TypeDecl) -> Value {
        let mut schema = match &decl.kind {
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => self.object(fields, decl.extensible),
            TypeKind::Enum(constants) => enumeration(constants, decl.extensible),
            TypeKind::Union(members) => self.union(members),
        };
        describe(&decl.notes, &mut schema);
        Value::Object(schema)
    }

    fn object(&self, fields: &[Field], extensible: bool) -> Map<String, Value> {
        let properties: Map<String, Value> = fields.iter().map(|field| (field.name.clone(), self.field(field))).collect();
        let may_miss = |field: &&Field| matches!(field.ty, Type::Optional(_)) || (extensible && field.default.is_some());
        let required: Vec<&str> = fields.iter().filter(|field| !may_miss(field)).map(|field| field.name.as_str()).collect();
        let mut schema = Map::new();
        schema.insert("type".into(), json!("object"));
        schema.insert("properties".into(), json!(properties));
        if !required.is_empty() {
            schema.insert("required".into(), json!(required));
        }
        if !extensible {
            schema.insert("additionalProperties".into(), json!(false));
        }
        schema
    }

    /// A field that is nothing is left out, and so its schema is that of what is there.
    fn field(&self, field: &Field) -> Value {
        let ty = match &field.ty {
            Type::Optional(inner) => inner,
            ty => ty,
        };
        let mut schema = self.value(ty);
        if let Value::Object(schema) = &mut schema {
            describe(&field.notes, schema);
            if let Some(default) = field.default.as_ref().and_then(|default| self.default(default, ty)) {
                schema.insert("default".into(), default);
            }
        }
        schema
    }

    /// An object, of which generators of clients can make a class, and not a choice of objects, which may hold itself.
    fn union(&self, members: &[Field]) -> Map<String, Value> {
        let member = |member: &Field| {
            let mut schema = self.value(&member.ty);
            if let Value::Object(schema) = &mut schema {
                describe(&member.notes, schema);
            }
            (member.name.clone(), schema)
        };
        let mut schema = Map::new();
        schema.insert("type".into(), json!("object"));
        schema.insert("properties".into(), Value::Object(members.iter().map(member).collect()));
        schema.insert("minProperties".into(), json!(1));
        schema.insert("maxProperties".into(), json!(1));
        schema.insert("additionalProperties".into(), json!(false));
        schema
    }

    /// As values are written (`spec/values.md`).
    fn default(&self, literal: &Literal, ty: &Type) -> Option<Value> {
        Some(match literal {
            Literal::Boolean(value) => json!(value),
            Literal::Integer(value) if (-MAX_SAFE..=MAX_SAFE).contains(value) => json!(value),
            Literal::Integer(value) => json!(value.to_string()),
            Literal::Char(unit) => char::from_u32(u32::from(*unit)).map_or_else(|| json!(unit), |c| json!(c.to_string())),
            Literal::Number(value) if value.is_nan() => json!("NaN"),
            Literal::Number(value) if value.is_infinite() => json!(if *value > 0.0 { "Infinity" } else { "-Infinity" }),
            // The shortest digits are those of the field's own precision.
            #[expect(clippy::cast_possible_truncation, reason = "the value has been rounded to binary32")]
            Literal::Number(value) if *ty == Type::Primitive(Primitive::Float) => serde_json::from_str(&format!("{}", *value as f32)).ok()?,
            Literal::Number(value) => json!(value),
            Literal::String(value) | Literal::Decimal(value) => json!(value),
            Literal::DateTime(seconds, nanoseconds) => json!(date_time_text(*seconds, *nanoseconds)),
            Literal::Constant(id, index) => match &self.model.ty(*id).kind {
                TypeKind::Enum(constants) => json!(constants[*index].name),
                _ => return None,
            },
            Literal::Empty => match ty {
                Type::Array(_) => json!([]),
                Type::Map(..) => json!({}),
                Type::Bytes => json!(""),
                _ => return None,
            },
        })
    }
}

fn scalar(primitive: Primitive) -> Value {
    let real =
        |format: &str| json!({ "oneOf": [{ "type": "number", "format": format }, { "type": "string", "enum": ["NaN", "Infinity", "-Infinity"] }] });
    let integer = |format: &str, least: i64, most: i64| json!({ "type": "integer", "format": format, "minimum": least, "maximum": most });
    match primitive {
        Primitive::Boolean => json!({ "type": "boolean" }),
        Primitive::Byte => integer("int8", i8::MIN.into(), i8::MAX.into()),
        Primitive::Short => integer("int16", i16::MIN.into(), i16::MAX.into()),
        Primitive::Int => json!({ "type": "integer", "format": "int32" }),
        Primitive::Long => json!({ "oneOf": [{ "type": "integer", "format": "int64" }, { "type": "string", "pattern": "^-?[0-9]+$" }] }),
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

fn enumeration(constants: &[Constant], extensible: bool) -> Map<String, Value> {
    let names: Vec<&str> = constants.iter().map(|constant| constant.name.as_str()).collect();
    let known = json!({ "type": "string", "enum": names });
    match known {
        Value::Object(known) if !extensible => known,
        known => Map::from_iter([("oneOf".to_owned(), json!([known, { "type": "integer", "minimum": 0 }]))]),
    }
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
