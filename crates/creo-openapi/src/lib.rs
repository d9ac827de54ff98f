//! OpenAPI from a description: the output of `creo export openapi`, and a service's answer to `?openapi` (`spec/wires/json.md`, section 4).
//!
//! One document of version 3.1 for each interface. The same description always gives the same text.

// A new kind of value or type must be handled everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

mod names;
mod schema;

use creo_check::CheckedModel;
use creo_codegen::{Document, DocumentKind};
use creo_model::{Interface, Method, TypeId};
use creo_plan::Plan;
use schema::{Schemas, describe};
use serde_json::{Map, Value, json};

/// The OpenAPI document of each interface, for services to publish.
pub fn documents(model: &CheckedModel, plan: &Plan) -> Vec<Document> {
    let all = model.interfaces.iter().enumerate().map(|(index, interface)| Document {
        kind: DocumentKind::OpenApi,
        interface: model.interface_name(interface),
        text: openapi(model, plan, index, creo_codegen::ADDRESS),
    });
    all.collect()
}

/// The document of the interface with this index, served at `address`.
pub fn openapi(model: &CheckedModel, plan: &Plan, index: usize, address: &str) -> String {
    let interface = &model.interfaces[index];
    let schemas = Schemas::new(model, plan, index);
    let mut info = Map::new();
    info.insert("title".into(), json!(interface.name));
    // Documents with the same version have the same content.
    info.insert("version".into(), json!(format!("{:016x}", interface.fingerprint)));
    describe(&interface.notes, &mut info);
    let methods = plan.interface(index).json_methods(interface);
    let path = |(method, planned): (&Method, &creo_plan::Method)| {
        (format!("/{}", method.name), json!({ "post": operation(&schemas, interface, method, planned) }))
    };
    let paths: Map<String, Value> = methods.map(path).collect();
    let document = json!({
        "openapi": "3.1.0",
        "info": info,
        "servers": [{ "url": address }],
        "paths": paths,
        "components": { "schemas": schemas.components() },
    });
    format!("{document:#}\n")
}

fn operation(
    schemas: &Schemas,
    interface: &Interface,
    method: &Method,
    planned: &creo_plan::Method,
) -> Value {
    let mut operation = Map::new();
    operation.insert("operationId".into(), json!(method.name));
    operation.insert("tags".into(), json!([interface.name]));
    describe(&method.notes, &mut operation);
    if let (Some(_), Some(item)) = (&planned.stream_parameter, planned.item_node()) {
        let first = Value::Object(schemas.object(&method.parameters, &planned.request.record));
        operation.insert("requestBody".into(), sent(first, schemas.value(item)));
    } else if !method.parameters.is_empty() {
        let schema = schemas.object(&method.parameters, &planned.request.record);
        operation.insert(
            "requestBody".into(),
            json!({ "required": true, "content": { "application/json": { "schema": schema } } }),
        );
    }
    let mut responses = Map::new();
    let (status, response) = match planned.result() {
        Some(result) => (
            "200",
            json!({ "description": "The result.", "content": { "application/json": { "schema": schemas.value(result) } } }),
        ),
        None if planned.stream_result.is_some() => {
            ("200", given(planned.item_node().map(|item| schemas.value(item))))
        }
        None if method.oneway => ("202", json!({ "description": "The call has arrived." })),
        None => ("204", json!({ "description": "Done." })),
    };
    responses.insert(status.into(), response);
    if !method.throws.is_empty() {
        responses.insert("422".into(), exceptions(schemas, &method.throws));
    }
    responses.insert(
        "default".into(),
        problem(&json!({ "$ref": "#/components/schemas/Problem" }), "Any other error."),
    );
    operation.insert("responses".into(), Value::Object(responses));
    Value::Object(operation)
}

/// An object with one member, as each line of a stream is (HTTP-30).
fn line(name: &str, value: &Value) -> Value {
    json!({
        "type": "object",
        "properties": { name: value },
        "required": [name],
        "additionalProperties": false,
    })
}

fn last() -> Value {
    line("end", &json!({ "type": "boolean", "const": true }))
}

/// The body of a request with a stream (HTTP-33), whose first line is an object of parameters.
fn sent(first: Value, item: Value) -> Value {
    json!({
        "required": true,
        "description": "Lines, each of which has the schema: first the object of the parameters, then the items, then the end.",
        "content": { "application/x-ndjson": { "schema": { "oneOf": [first, line("item", &item), last()] } } },
    })
}

/// The response that is a stream (HTTP-31, HTTP-32).
fn given(item: Option<Value>) -> Value {
    let item = item.unwrap_or_else(|| json!({}));
    let problem = json!({ "$ref": "#/components/schemas/Problem" });
    let lines = json!({ "oneOf": [line("item", &item), last(), line("error", &problem)] });
    json!({
        "description": "A stream. Each line has the schema: the items, then the end or an error. As text/event-stream, if Accept prefers it, \
                        the events item, end and error have what these members have as their data.",
        "content": { "application/x-ndjson": { "schema": lines }, "text/event-stream": { "schema": { "type": "string" } } },
    })
}

/// The problem documents of declared exceptions (JSON-22).
fn exceptions(schemas: &Schemas, throws: &[TypeId]) -> Value {
    let names: Vec<String> = throws.iter().map(|id| schemas.model().ty(*id).name.clone()).collect();
    let mut all: Vec<Value> = throws.iter().map(|id| exception(schemas, *id)).collect();
    let schema = if all.len() == 1 { all.remove(0) } else { json!({ "oneOf": all }) };
    problem(&schema, &format!("{}.", names.join(" or ")))
}

fn exception(schemas: &Schemas, id: TypeId) -> Value {
    let kind = format!("urn:creo:exception:{}", schemas.model().full_name(id));
    let name = schemas.model().ty(id).name.clone();
    json!({
        "title": format!("{name}Problem"),
        "type": "object",
        "properties": {
            "type": { "type": "string", "const": kind },
            "title": { "type": "string", "const": name },
            "status": { "type": "integer", "const": 422 },
            "value": schemas.named(id),
        },
        "required": ["type", "title", "status", "value"],
    })
}

fn problem(schema: &Value, description: &str) -> Value {
    json!({ "description": description, "content": { "application/problem+json": { "schema": schema } } })
}

#[cfg(test)]
mod tests;
