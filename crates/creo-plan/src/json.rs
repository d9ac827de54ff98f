//! The model as JSON: for `creo model` and third-party targets (`spec/model.md`, section 4).
//!
//! Members are in the order of the specification, and members without content are omitted. Details that the page leaves open: a default of
//! kind `number` is a string that round-trips in the precision of its field, or `NaN`, `Infinity`, `-Infinity`; of kind `char` it is a
//! string of one character, or the number of a surrogate code unit (VAL-4); of kind `datetime` it follows VAL-6; of kind `empty` it has no
//! value. The value of an annotation's argument is a boolean, number or string; `{"word": "x"}` for a bare word, `{}` for `{}`.

use crate::json_plan::PlanWriter;
use crate::{Plan, record};
use creo_model::{
    Annotation, AnnotationValue, Constant, Field, Interface, Literal, Method, Model, Notes, Package,
    Primitive, TargetNames, Texts, Type, TypeId, TypeKind, date_time_text,
};
use serde_json::{Map, Value, json};

/// The version of this JSON. It increases when a member is removed or changes its meaning.
pub const FORMAT: u32 = 1;

/// The model as one JSON object. The same model gives the same text.
pub fn to_json(model: &Model, plan: &Plan) -> Value {
    let writer = Writer { model, texts: Texts::of(model), plan: PlanWriter { model, plan } };
    object([
        ("creo", json!(env!("CARGO_PKG_VERSION"))),
        ("format", json!(FORMAT)),
        ("source", json!(model.sources)),
        ("namespaces", json!(plan.namespaces())),
        ("packages", model.packages.iter().map(package).collect()),
        ("types", model.type_ids().map(|id| writer.decl(id)).collect()),
        (
            "interfaces",
            model
                .interfaces
                .iter()
                .zip(plan.interfaces())
                .map(|(interface, plan)| writer.interface(interface, plan))
                .collect(),
        ),
    ])
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn package(package: &Package) -> Value {
    let mut json = Map::new();
    json.insert("name".into(), json!(package.name));
    add_targets(&package.targets, &mut json);
    json.insert("namespace".into(), json!(package.namespace));
    add_annotations(&package.annotations, &mut json);
    Value::Object(json)
}

struct Writer<'m> {
    model: &'m Model,
    texts: Texts<'m>,
    plan: PlanWriter<'m>,
}

impl Writer<'_> {
    fn decl(&self, id: TypeId) -> Value {
        let decl = self.model.ty(id);
        let planned = self.plan.plan.members(id);
        let (kind, list, members): (&str, &str, Vec<Value>) = match &decl.kind {
            TypeKind::Struct(fields) => ("struct", "fields", self.fields(fields, planned)),
            TypeKind::Exception(fields) => ("exception", "fields", self.fields(fields, planned)),
            TypeKind::Enum(constants) => ("enum", "constants", constants.iter().map(constant).collect()),
            TypeKind::Union(fields) => ("union", "members", self.fields(fields, planned)),
        };
        let mut json = Map::new();
        json.insert("name".into(), json!(decl.name));
        json.insert("package".into(), json!(self.model.package(decl.package).name));
        json.insert("kind".into(), json!(kind));
        json.insert("extensible".into(), json!(decl.extensible));
        json.insert("recursive".into(), json!(decl.recursive));
        json.insert("signature".into(), json!(self.texts.declaration(id)));
        json.insert("hash".into(), json!(self.texts.hash(id)));
        json.insert("minSize".into(), json!(self.plan.plan.shape(id).min_size));
        add_notes(&decl.notes, &mut json);
        json.insert("plan".into(), self.plan.declared(id));
        json.insert(list.into(), Value::Array(members));
        Value::Object(json)
    }

    fn interface(&self, interface: &Interface, plan: &record::Interface) -> Value {
        let mut json = Map::new();
        json.insert("name".into(), json!(interface.name));
        json.insert("package".into(), json!(self.model.package(interface.package).name));
        json.insert("fingerprint".into(), json!(format!("{:016x}", interface.fingerprint)));
        add_notes(&interface.notes, &mut json);
        json.insert(
            "methods".into(),
            interface
                .methods
                .iter()
                .zip(&plan.methods)
                .map(|(method, plan)| self.method(interface, method, plan))
                .collect(),
        );
        Value::Object(json)
    }

    fn method(&self, interface: &Interface, method: &Method, plan: &record::Method) -> Value {
        let mut json = Map::new();
        json.insert("name".into(), json!(method.name));
        json.insert("id".into(), json!(format!("{:016x}", method.id)));
        json.insert("signature".into(), json!(self.texts.signature(interface, method)));
        json.insert("oneway".into(), json!(method.oneway));
        if method.idempotent {
            json.insert("idempotent".into(), json!(true));
        }
        add_notes(&method.notes, &mut json);
        let arguments = plan.request.record.fields.iter().chain(&plan.stream_parameter);
        let parameters = method.parameters.iter().zip(arguments).map(|(field, plan)| self.field(field, plan));
        json.insert("parameters".into(), parameters.collect());
        json.insert("result".into(), method.result.as_ref().map_or(Value::Null, |ty| self.ty(ty)));
        for (name, streams) in [
            ("streamsResult", method.streams_result),
            ("streamsParameter", method.stream_parameter().is_some()),
        ] {
            if streams {
                json.insert(name.into(), json!(true));
            }
        }
        json.insert(
            "throws".into(),
            method.throws.iter().map(|id| json!(self.model.full_name(*id))).collect(),
        );
        json.insert("plan".into(), self.plan.method(plan));
        Value::Object(json)
    }

    fn fields(&self, fields: &[Field], plans: &[record::Field]) -> Vec<Value> {
        fields.iter().zip(plans).map(|(field, plan)| self.field(field, plan)).collect()
    }

    fn field(&self, field: &Field, plan: &record::Field) -> Value {
        let mut json = Map::new();
        json.insert("name".into(), json!(field.name));
        json.insert("type".into(), self.ty(&field.ty));
        add_notes(&field.notes, &mut json);
        if let Some(default) = &field.default {
            json.insert("default".into(), self.default(&field.ty, default));
        }
        json.insert("plan".into(), self.plan.field(plan));
        Value::Object(json)
    }

    fn ty(&self, ty: &Type) -> Value {
        match ty {
            Type::Primitive(primitive) => {
                object([("kind", json!("primitive")), ("name", json!(primitive.keyword()))])
            }
            Type::Bytes => object([("kind", json!("bytes"))]),
            Type::Array(item) => object([("kind", json!("array")), ("item", self.ty(item))]),
            Type::Optional(item) => object([("kind", json!("optional")), ("item", self.ty(item))]),
            Type::Map(key, value) => {
                object([("kind", json!("map")), ("key", self.ty(key)), ("value", self.ty(value))])
            }
            Type::Named(id) => object([("kind", json!("named")), ("name", json!(self.model.full_name(*id)))]),
        }
    }

    fn default(&self, ty: &Type, default: &Literal) -> Value {
        let (kind, value) = match default {
            Literal::Boolean(value) => ("boolean", json!(value)),
            Literal::Integer(value) => ("integer", json!(value.to_string())),
            Literal::Char(unit) => (
                "char",
                char::from_u32(u32::from(*unit)).map_or_else(|| json!(unit), |c| json!(c.to_string())),
            ),
            Literal::Number(value) => {
                ("number", json!(number_text(*value, *ty == Type::Primitive(Primitive::Float))))
            }
            Literal::String(text) => ("string", json!(text)),
            Literal::DateTime(seconds, nanoseconds) => {
                ("datetime", json!(date_time_text(*seconds, *nanoseconds)))
            }
            Literal::Decimal(text) => ("decimal", json!(text)),
            Literal::Constant(id, index) => ("constant", json!(self.constant_name(*id, *index))),
            Literal::Empty => return object([("kind", json!("empty"))]),
        };
        object([("kind", json!(kind)), ("value", value)])
    }

    fn constant_name(&self, id: TypeId, index: usize) -> &str {
        match &self.model.ty(id).kind {
            TypeKind::Enum(constants) => &constants[index].name,
            TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) => {
                unreachable!("constants are those of enums")
            }
        }
    }
}

fn constant(constant: &Constant) -> Value {
    let mut json = Map::new();
    json.insert("name".into(), json!(constant.name));
    json.insert("number".into(), json!(constant.number));
    add_notes(&constant.notes, &mut json);
    Value::Object(json)
}

/// The shortest text that round-trips: as a `float` if `narrow`.
fn number_text(value: f64, narrow: bool) -> String {
    if value.is_nan() {
        "NaN".into()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity".into() } else { "-Infinity".into() }
    } else if narrow {
        // The value was rounded to binary32 when it was read, so this is exact.
        format!("{:?}", value as f32)
    } else {
        format!("{value:?}")
    }
}

fn add_notes(notes: &Notes, json: &mut Map<String, Value>) {
    if let Some(doc) = &notes.doc {
        json.insert("doc".into(), json!(doc));
    }
    match notes.deprecated.as_deref() {
        None => {}
        Some("") => {
            json.insert("deprecated".into(), json!(true));
        }
        Some(text) => {
            json.insert("deprecated".into(), json!(text));
        }
    }
    if notes.secret {
        json.insert("secret".into(), json!(true));
    }
    add_targets(&notes.targets, json);
    add_annotations(&notes.annotations, json);
}

fn add_targets(targets: &TargetNames, json: &mut Map<String, Value>) {
    if !targets.is_empty() {
        let names = targets.iter().map(|(target, name)| (target.clone(), json!(name))).collect();
        json.insert("targets".into(), Value::Object(names));
    }
}

fn add_annotations(annotations: &[Annotation], json: &mut Map<String, Value>) {
    if !annotations.is_empty() {
        json.insert("annotations".into(), annotations.iter().map(annotation).collect());
    }
}

fn annotation(annotation: &Annotation) -> Value {
    let arguments = annotation.arguments.iter().map(|argument| {
        let mut json = Map::new();
        if let Some(name) = &argument.name {
            json.insert("name".into(), json!(name));
        }
        let value = match &argument.value {
            AnnotationValue::Boolean(value) => json!(value),
            AnnotationValue::Integer(value) => json!(value),
            AnnotationValue::Number(value) if value.is_finite() => json!(value),
            AnnotationValue::Number(value) => json!(number_text(*value, false)),
            AnnotationValue::String(text) => json!(text),
            AnnotationValue::Word(word) => object([("word", json!(word))]),
            AnnotationValue::Empty => Value::Object(Map::new()),
        };
        json.insert("value".into(), value);
        Value::Object(json)
    });
    object([("name", json!(annotation.name)), ("arguments", arguments.collect())])
}
