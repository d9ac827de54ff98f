//! Messages, operations, bindings and ports.

use super::node::Node;
use super::options::Options;
use super::problem::Problem;
use super::schema::Said;
use super::schemas::Schemas;
use crate::jms;
use creo_model::{Method, TypeId};
use creo_plan::{Field, Kind, Message, Method as Planned, Name, Position, SOAP_ENCODING, XML_SCHEMA};
use std::collections::BTreeSet;

const HTTP: &str = "http://schemas.xmlsoap.org/soap/http";
const WSAM: &str = "http://www.w3.org/2007/05/addressing/metadata";

/// A SOAP version as bindings name it.
struct Version {
    prefix: &'static str,
    namespace: &'static str,
    name: &'static str,
    binding: &'static str,
    operation: &'static str,
    body: &'static str,
    header: &'static str,
    fault: &'static str,
    address: &'static str,
}

const SOAP11: Version = Version {
    prefix: "soap",
    namespace: "http://schemas.xmlsoap.org/wsdl/soap/",
    name: "Soap11",
    binding: "soap:binding",
    operation: "soap:operation",
    body: "soap:body",
    header: "soap:header",
    fault: "soap:fault",
    address: "soap:address",
};

const SOAP12: Version = Version {
    prefix: "soap12",
    namespace: "http://schemas.xmlsoap.org/wsdl/soap12/",
    name: "Soap12",
    binding: "soap12:binding",
    operation: "soap12:operation",
    body: "soap12:body",
    header: "soap12:header",
    fault: "soap12:fault",
    address: "soap12:address",
};

/// The names of a method's messages.
struct Messages {
    request: String,
    headers: Option<String>,
    /// The message with the parts in the header of the response.
    response_headers: Option<String>,
    response: Option<String>,
    /// The name and message name of each exception.
    faults: Vec<(String, String)>,
}

/// The whole document.
pub fn definitions(schemas: &mut Schemas, options: &Options) -> Result<Node, Problem> {
    let transport = transport(&options.address)?;
    let (model, plan) = (schemas.model, schemas.plan);
    let interface = &model.interfaces[schemas.interface];
    let planned = plan.interface(schemas.interface);
    let target = match planned.namespace {
        Some(namespace) => plan.namespaces()[namespace].clone(),
        // Elements without a namespace need none, but messages and bindings do.
        None => format!("urn:creo:{}", model.package(interface.package).name),
    };
    let tns = |name: &str| format!("tns:{name}");
    let encoded = planned.encoded;
    let addressing = planned.addressing;

    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut messages: Vec<Node> = Vec::new();
    let mut named: Vec<Messages> = Vec::new();
    // Each method's own messages choose their names first.
    let methods = || planned.text_methods(interface);
    methods().for_each(|(method, _)| _ = taken.insert(method.name.clone()));
    for (method, planned) in methods() {
        named.push(method_messages(schemas, method, planned, &mut taken, &mut messages)?);
    }

    let versions: Vec<&Version> = match (options.soap12 && !planned.encoded, planned.soap12) {
        (false, _) => vec![&SOAP11],
        (true, true) => vec![&SOAP12],
        (true, false) => vec![&SOAP11, &SOAP12],
    };
    let mut root =
        Node::new("wsdl:definitions").with("name", &interface.name).with("targetNamespace", &target);
    root = root
        .with("xmlns:wsdl", "http://schemas.xmlsoap.org/wsdl/")
        .with("xmlns:xs", "http://www.w3.org/2001/XMLSchema");
    for version in &versions {
        root = root.with(&format!("xmlns:{}", version.prefix), version.namespace);
    }
    if planned.encoded {
        root = root.with("xmlns:soapenc", SOAP_ENCODING);
    }
    if addressing {
        root = root.with("xmlns:wsp", "http://www.w3.org/ns/ws-policy").with("xmlns:wsam", WSAM);
    }
    if planned.namespace.is_none() {
        root = root.with("xmlns:tns", &target);
    }
    let mut declarations: Vec<(&str, &str)> = schemas.declarations().collect();
    // These have fixed prefixes.
    declarations.retain(|(_, namespace)| !matches!(*namespace, XML_SCHEMA | SOAP_ENCODING));
    declarations.sort_unstable_by_key(|(prefix, _)| (*prefix != "tns", prefix.len(), *prefix));
    root = declarations
        .into_iter()
        .fold(root, |root, (prefix, namespace)| root.with(&format!("xmlns:{prefix}"), namespace));

    let mut port_type =
        documented(Node::new("wsdl:portType").with("name", &interface.name), interface.notes.doc.as_deref());
    for ((method, planned), names) in methods().zip(&named) {
        let name = operation_name(method, planned, encoded);
        let mut operation =
            documented(Node::new("wsdl:operation").with("name", name), method.notes.doc.as_deref());
        // SOAP-45 and SOAP-46.
        let acted = |node: Node, suffix: &str| match addressing {
            true => node.with("wsam:Action", format!("{}{suffix}", planned.action)),
            false => node,
        };
        let input = Node::new("wsdl:input").with("message", tns(&names.request));
        operation = operation.child(acted(input, ""));
        operation = operation.children(
            names
                .response
                .iter()
                .map(|response| acted(Node::new("wsdl:output").with("message", tns(response)), "Response")),
        );
        let faults = names.faults.iter().zip(&method.throws).map(|((name, message), id)| {
            let node = Node::new("wsdl:fault").with("name", name).with("message", tns(message));
            acted(node, &format!("/Fault/{}", fault(schemas, *id)))
        });
        port_type = port_type.child(operation.children(faults));
    }
    let types = Node::new("wsdl:types").children(schemas.nodes());
    root = root.child(types).children(messages).child(port_type);

    let mut service = Node::new("wsdl:service").with("name", &interface.name);
    for version in versions {
        let name = format!("{}{}", interface.name, version.name);
        let mut binding = Node::new("wsdl:binding").with("name", &name).with("type", tns(&interface.name));
        if addressing {
            let anonymous = Node::new("wsam:Addressing").child(Node::new("wsp:Policy"));
            binding = binding.child(Node::new("wsp:Policy").child(anonymous));
        }
        let style = style(encoded);
        binding = binding.child(Node::new(version.binding).with("style", style).with("transport", transport));
        for ((method, planned), names) in methods().zip(&named) {
            let body = |element: &Name| body(schemas, version, encoded, element);
            binding = binding.child(operation(version, method, planned, names, style, &body));
        }
        root = root.child(binding);
        let address = Node::new(version.address).with("location", &options.address);
        service = service.child(
            Node::new("wsdl:port")
                .with("name", format!("{name}Port"))
                .with("binding", tns(&name))
                .child(address),
        );
    }
    Ok(root.child(service))
}

/// The transport for an address (JMS-19).
fn transport(address: &str) -> Result<&'static str, Problem> {
    if !jms::is_address(address) {
        return Ok(HTTP);
    }
    match jms::problem(address) {
        None => Ok(jms::JMS),
        Some(why) => Err(Problem::Address { address: address.to_owned(), why }),
    }
}

fn style(encoded: bool) -> &'static str {
    if encoded { "rpc" } else { "document" }
}

/// The binding's entry for a body.
fn body(schemas: &Schemas, version: &Version, encoded: bool, element: &Name) -> Node {
    let node = Node::new(version.body);
    if !encoded {
        return node.with("use", "literal");
    }
    let node = node.with("use", "encoded").with("encodingStyle", SOAP_ENCODING);
    match element.namespace {
        Some(namespace) => node.with("namespace", &schemas.plan.namespaces()[namespace]),
        None => node,
    }
}

fn operation(
    version: &Version,
    method: &Method,
    planned: &Planned,
    names: &Messages,
    style: &str,
    body: &dyn Fn(&Name) -> Node,
) -> Node {
    let with_headers = |node: Node, message: &Option<String>, of: &Message| {
        let header = |message: &String, field: &Field| {
            let header = Node::new(version.header).with("message", format!("tns:{message}"));
            header.with("part", &field.name).with("use", "literal")
        };
        let all = message.iter().flat_map(|message| {
            headers(&of.record.fields).map(move |field| header(message, field)).collect::<Vec<_>>()
        });
        node.children(all)
    };
    let input = with_headers(Node::new("wsdl:input"), &names.headers, &planned.request);
    let operation = Node::new("wsdl:operation").with("name", operation_name(method, planned, style == "rpc"));
    let operation = operation
        .child(Node::new(version.operation).with("soapAction", &planned.action).with("style", style));
    let operation = operation.child(input.child(body(&planned.request.element)));
    let operation = operation.children(response(planned).map(|answer| {
        let output = with_headers(Node::new("wsdl:output"), &names.response_headers, answer);
        output.child(body(&answer.element))
    }));
    operation.children(names.faults.iter().map(|(name, _)| {
        let fault = Node::new(version.fault).with("name", name).with("use", "literal");
        Node::new("wsdl:fault").with("name", name).child(fault)
    }))
}

/// The response on the soap wire.
fn response(planned: &Planned) -> Option<&Message> {
    planned.soap_response.as_ref().or(planned.response.as_ref())
}

fn headers(fields: &[Field]) -> impl Iterator<Item = &Field> {
    fields.iter().filter(|field| field.node.xml.position == Position::Header)
}

/// The name, or a variant of it that no message has.
fn free(taken: &mut BTreeSet<String>, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    let mut count = 2;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}_{count}");
        count += 1;
    }
    name
}

/// A message whose parts are elements.
fn message(name: &str, parts: impl IntoIterator<Item = (String, String)>) -> Node {
    message_of(name, "element", parts)
}

/// A message of parts, each with its name and its `element` or `type`.
fn message_of(name: &str, kind: &str, parts: impl IntoIterator<Item = (String, String)>) -> Node {
    let parts =
        parts.into_iter().map(|(part, what)| Node::new("wsdl:part").with("name", part).with(kind, what));
    Node::new("wsdl:message").with("name", name).children(parts)
}

/// The element of an rpc message has the name of its operation.
fn operation_name<'m>(method: &'m Method, planned: &'m Planned, encoded: bool) -> &'m str {
    if encoded { &planned.request.element.local } else { &method.name }
}

/// The message of an encoded request or response: a typed part for each element within the message's element.
fn encoded_message<'m>(
    schemas: &mut Schemas<'m>,
    name: &str,
    message: &'m Message,
    fields: &[(&'m Field, Said<'m>)],
) -> Result<Node, Problem> {
    let (model, plan) = (schemas.model, schemas.plan);
    let mut all: Vec<(&Field, Said)> = fields.to_vec();
    // The fields of a bare response are elements within the message's element.
    if let ([(only, _)], true) = (fields, message.bare)
        && let Kind::Record(id) = only.node.kind
    {
        let said = model.ty(id).fields().iter();
        let said = said.map(|field| Said { xml: field.notes.xml(), doc: field.notes.doc.as_deref() });
        all = plan.members(id).iter().zip(said).collect();
    }
    let mut parts = Vec::new();
    for (field, said) in all {
        let ty = schemas.part_type(message.element.namespace, field, said)?;
        parts.push((field.node.xml.name.local.clone(), ty));
    }
    Ok(message_of(name, "type", parts))
}

/// The parts of a literal body, each with its name and element: one for each element of the body.
fn body_parts(schemas: &Schemas, message: &Message, fields: &[(&Field, Said)]) -> Vec<(String, String)> {
    match fields {
        [] if message.bare => Vec::new(),
        // SOAP-91
        [_, _, ..] if message.bare => {
            let part =
                |(field, _): &(&Field, Said)| (field.name.clone(), schemas.prefixed(&field.node.xml.name));
            fields.iter().map(part).collect()
        }
        [..] => vec![("parameters".to_owned(), schemas.prefixed(&message.element))],
    }
}

/// Adds a method's messages, and their elements to the schemas.
fn method_messages<'m>(
    schemas: &mut Schemas<'m>,
    method: &'m Method,
    planned: &'m Planned,
    taken: &mut BTreeSet<String>,
    messages: &mut Vec<Node>,
) -> Result<Messages, Problem> {
    let encoded = schemas.plan.interface(schemas.interface).encoded;
    let said = |index: usize| {
        let parameter = &method.parameters[index];
        Said { xml: parameter.notes.xml(), doc: parameter.notes.doc.as_deref() }
    };
    let (mut body, mut in_header) = (Vec::new(), Vec::new());
    for (index, field) in planned.request.record.fields.iter().enumerate() {
        if field.node.xml.position == Position::Header {
            schemas.header(field, said(index))?;
            in_header.push((field.name.clone(), schemas.prefixed(&field.node.xml.name)));
        } else {
            body.push((field, said(index)));
        }
    }
    if encoded {
        messages.push(encoded_message(schemas, &method.name, &planned.request, &body)?);
    } else {
        schemas.body(&planned.request, &body)?;
        messages.push(message(&method.name, body_parts(schemas, &planned.request, &body)));
    }
    let headers = (!in_header.is_empty()).then(|| {
        let name = free(taken, &format!("{}Headers", method.name));
        messages.push(message(&name, in_header));
        name
    });
    let mut response_name = None;
    let mut response_headers = None;
    if let Some(answer) = response(planned) {
        let model = schemas.model;
        // SOAP-26, SOAP-100: the fields of the result are the parts.
        let parts = model.result_in_parts(method).map(|id| model.ty(id).fields());
        let said = |index: usize| match parts {
            Some(fields) => Said { xml: fields[index].notes.xml(), doc: fields[index].notes.doc.as_deref() },
            None => Said { xml: method.result_xml(), doc: None },
        };
        let (mut result, mut in_header) = (Vec::new(), Vec::new());
        for (index, field) in answer.record.fields.iter().enumerate() {
            if field.node.xml.position == Position::Header {
                schemas.header(field, said(index))?;
                in_header.push((field.name.clone(), schemas.prefixed(&field.node.xml.name)));
            } else {
                result.push((field, said(index)));
            }
        }
        let name = free(taken, &format!("{}Response", method.name));
        if encoded {
            messages.push(encoded_message(schemas, &name, answer, &result)?);
        } else {
            schemas.body(answer, &result)?;
            messages.push(message(&name, body_parts(schemas, answer, &result)));
        }
        response_name = Some(name);
        response_headers = (!in_header.is_empty()).then(|| {
            let name = free(taken, &format!("{}ResponseHeaders", method.name));
            messages.push(message(&name, in_header));
            name
        });
    }
    let mut faults = Vec::new();
    let mut fault_names = BTreeSet::new();
    for id in &method.throws {
        let name = fault(schemas, *id);
        let name = free(&mut fault_names, &name);
        let element = schemas.prefixed(&schemas.plan.record(*id).xml);
        let message_name = free(taken, &format!("{}{name}Fault", method.name));
        messages.push(message(&message_name, [("fault".to_owned(), element)]));
        faults.push((name, message_name));
    }
    Ok(Messages { request: method.name.clone(), headers, response: response_name, response_headers, faults })
}

fn fault(schemas: &Schemas, id: TypeId) -> String {
    schemas.model.ty(id).name.clone()
}

fn documented(node: Node, doc: Option<&str>) -> Node {
    match doc {
        Some(doc) => node.child(Node::new("wsdl:documentation").text(doc)),
        None => node,
    }
}
