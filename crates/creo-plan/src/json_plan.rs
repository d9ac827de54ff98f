//! The plan as JSON (MODEL-32), as parts of the model's.

use crate::Plan;
use crate::node::{ArrayLayout, Charges, Kind, Name, Node, Position, Shape, StringForm, Xml};
use crate::record::{Content, Declared, Field, Message, Method, Record, Step};
use creo_model::{Model, TypeId};
use serde_json::{Map, Value, json};

/// Writes parts of a plan.
pub struct PlanWriter<'m> {
    pub model: &'m Model,
    pub plan: &'m Plan,
}

impl PlanWriter<'_> {
    pub fn declared(&self, id: TypeId) -> Value {
        let kind = match self.plan.declared(id) {
            Declared::Record(_) => "record",
            Declared::Union(_) => "union",
            Declared::Enum(_) => "enum",
        };
        let mut json = members([("kind", json!(kind)), ("name", json!(self.model.full_name(id)))]);
        json.extend(shape(self.plan.shape(id)));
        json.insert("weight".into(), json!(self.plan.value(id).weight));
        json.insert("xml".into(), self.name(self.plan.type_name(id)));
        match self.plan.declared(id) {
            Declared::Record(record) => self.record(record, &mut json),
            Declared::Union(union) => {
                if union.derived {
                    json.insert("derived".into(), json!(true));
                    json.insert("base".into(), json!(union.base));
                }
                self.content(&union.content, &mut json);
            }
            Declared::Enum(enumeration) => {
                let texts: Vec<&str> =
                    enumeration.constants.iter().map(|constant| constant.text.as_str()).collect();
                json.insert("texts".into(), json!(texts));
            }
        }
        Value::Object(json)
    }

    pub fn field(&self, field: &Field) -> Value {
        let mut json = self.node_members(&field.node);
        json.insert("mayBeMissing".into(), json!(field.may_be_missing()));
        Value::Object(json)
    }

    pub fn method(&self, method: &Method) -> Value {
        let mut json = Map::new();
        json.insert("action".into(), json!(method.action));
        json.insert("request".into(), self.message(&method.request));
        if let Some(response) = &method.response {
            json.insert("response".into(), self.message(response));
        }
        if let Some(response) = &method.soap_response {
            let mut parts = self.message(response);
            let fields =
                response.record.fields.iter().map(|field| Value::Object(self.node_members(&field.node)));
            parts["fields"] = fields.collect();
            json.insert("soapResponse".into(), parts);
        }
        let stream = method.stream_result.as_ref().map(|items| &items.node);
        if let Some(result) = method.result().or(stream) {
            json.insert("result".into(), Value::Object(self.node_members(result)));
        }
        Value::Object(json)
    }

    fn message(&self, message: &Message) -> Value {
        let mut json = Map::new();
        json.insert("element".into(), self.name(&message.element));
        json.insert("bare".into(), json!(message.bare));
        self.record(&message.record, &mut json);
        Value::Object(json)
    }

    fn record(&self, record: &Record, json: &mut Map<String, Value>) {
        json.insert("steps".into(), record.steps(u64::MAX).iter().map(step).collect());
        if let Some(text) = record.text {
            json.insert("text".into(), json!(text));
        }
        if let Some(any) = record.any {
            json.insert("any".into(), json!(any));
        }
        self.content(&record.content, json);
    }

    fn content(&self, content: &Content, json: &mut Map<String, Value>) {
        let first = |(name, field): &(Name, usize)| {
            let mut json = self.name(name);
            json["field"] = json!(field);
            json
        };
        json.insert("first".into(), content.first.iter().map(first).collect());
        json.insert(
            "namespaces".into(),
            content.namespaces.iter().map(|index| json!(self.plan.namespaces()[*index])).collect(),
        );
        json.insert("xsi".into(), json!(content.xsi));
        if content.ambiguous {
            json.insert("ambiguous".into(), json!(true));
        }
    }

    fn name(&self, name: &Name) -> Value {
        let mut json = Map::new();
        json.insert("name".into(), json!(name.local));
        if let Some(namespace) = name.namespace {
            json.insert("namespace".into(), json!(self.plan.namespaces()[namespace]));
        }
        Value::Object(json)
    }

    fn xml(&self, xml: &Xml) -> Value {
        let (position, is_named) = match xml.position {
            Position::Element => ("element", true),
            Position::Attribute => ("attribute", true),
            Position::Header => ("header", true),
            Position::Text => ("text", false),
            Position::Inline => ("inline", false),
            Position::Any => ("any", false),
            Position::AnyAttribute => ("anyAttribute", false),
        };
        let mut json = if is_named { self.name(&xml.name) } else { Value::Object(Map::new()) };
        json["position"] = json!(position);
        if xml.nillable {
            json["nillable"] = json!(true);
        }
        json
    }

    fn node(&self, node: &Node) -> Value {
        Value::Object(self.node_members(node))
    }

    fn node_members(&self, node: &Node) -> Map<String, Value> {
        let mut json = match &node.kind {
            Kind::Scalar(scalar) => {
                members([("kind", json!("scalar")), ("scalar", json!(scalar.primitive().keyword()))])
            }
            Kind::String(form) => members([("kind", json!("string")), ("form", json!(string_form(*form)))]),
            Kind::Decimal => members([("kind", json!("decimal"))]),
            Kind::Bytes { hex } => members([
                ("kind", json!("bytes")),
                ("form", json!(if *hex { "hexadecimal" } else { "base64" })),
            ]),
            Kind::Array { item, bulk, layout } => members([
                ("kind", json!("array")),
                ("bulk", json!(bulk.is_some())),
                ("layout", json!(array_layout(*layout))),
                ("item", self.node(item)),
            ]),
            Kind::Map { key, value, attributes } => members([
                ("kind", json!("map")),
                ("attributes", json!(attributes)),
                ("key", self.node(key)),
                ("value", self.node(value)),
            ]),
            Kind::Optional(inner) => members([("kind", json!("optional")), ("item", self.node(inner))]),
            Kind::Record(id) => {
                members([("kind", json!("record")), ("name", json!(self.model.full_name(*id)))])
            }
            Kind::Union(id) => {
                members([("kind", json!("union")), ("name", json!(self.model.full_name(*id)))])
            }
            Kind::Enum(id) => members([("kind", json!("enum")), ("name", json!(self.model.full_name(*id)))]),
        };
        json.extend(shape(node.shape));
        json.insert("weight".into(), json!(node.weight));
        json.insert("charges".into(), charges(node));
        json.insert("xml".into(), self.xml(&node.xml));
        json
    }
}

/// LIM-18. On the binary wire the items of a bulk array are just bytes of the body.
fn charges(node: &Node) -> Value {
    let Charges { own, each } = node.charges;
    let charged = if let Kind::Optional(inner) = &node.kind { inner } else { node };
    let is_bulk = matches!(charged.kind, Kind::Array { bulk: Some(_), .. });
    json!({ "own": own, "each": each, "eachBinary": if is_bulk { 0 } else { each } })
}

fn members<const N: usize>(members: [(&str, Value); N]) -> Map<String, Value> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn string_form(form: StringForm) -> &'static str {
    match form {
        StringForm::Plain => "plain",
        StringForm::Token => "token",
        StringForm::Raw => "raw",
        StringForm::QName => "qname",
    }
}

fn array_layout(layout: ArrayLayout) -> &'static str {
    match layout {
        ArrayLayout::Repeated => "repeated",
        ArrayLayout::Wrapped => "wrapped",
        ArrayLayout::List => "list",
    }
}

fn shape(shape: Shape) -> Map<String, Value> {
    let mut json = members([("minSize", json!(shape.min_size))]);
    if let Some(size) = shape.fixed_size {
        json.insert("fixedSize".into(), json!(size));
        json.insert("anyBits".into(), json!(shape.any_bits));
    }
    json
}

fn step(step: &Step) -> Value {
    match step {
        Step::Run { fields, size } => {
            let fields: Vec<Value> = fields
                .iter()
                .map(|field| json!({ "field": field.index, "offset": field.offset, "size": field.size }))
                .collect();
            json!({ "run": fields, "size": size })
        }
        Step::Field(index) => json!({ "field": index }),
    }
}
