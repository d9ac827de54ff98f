//! A call of the soap wire over HTTP (`spec/wires/soap.md`): SOAP 1.1 and 1.2, without attachments.

use crate::addressing::{self, Addressing};
use crate::called::{Answer, Called, Options, Trace, canonical, received};
use crate::error::{CallError, shown};
use crate::hidden;
use crate::http::{Request, Response, post};
use crate::target::Target;
use crate::xml_read::{Elements, Reader};
use crate::xml_text::is_space;
use crate::xml_tree::{Element, read};
use crate::xml_write::{Writer, declarations};
use creo_inspect::Subject;
use creo_plan::{Content, Field, Message, Method, Name, Position, Record};
use serde_json::{Map, Value};

const SOAP11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const SOAP12: &str = "http://www.w3.org/2003/05/soap-envelope";
const ERROR: &str = "urn:creo:error";
/// The max length of a fault's parts in an error's details.
const MAX_DETAIL: usize = 1_000;

pub fn call(
    target: &Target,
    called: &Called<'_>,
    value: &Value,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Answer, CallError> {
    let Target::Http { path, tls, .. } = target else {
        return Err(CallError::new(
            "invalid-value",
            "the soap wire goes over HTTP alone: write http:// before the host",
        ));
    };
    let value = canonical(called, value, &options.limits)?;
    let interface = called.model.plan().interface(called.interface);
    let method = &interface.methods[called.method];
    if interface.encoded {
        return Err(CallError::new(
            "invalid-value",
            format!("the messages of {} are rpc/encoded, which `creo call` does not write", called.name()),
        ));
    }
    let namespace = if interface.soap12 { SOAP12 } else { SOAP11 };
    let usual = format!("/{}", called.interface().name);
    let path = if path.is_empty() { usual } else { path.clone() };
    let addressed = interface.addressing.then(|| {
        let scheme = if *tls { "https" } else { "http" };
        let url = format!("{scheme}://{}{path}", target.authority());
        addressing::request(&method.action, &url, method.response.is_none())
    });
    let body = envelope(called, method, namespace, addressed.as_ref(), &value, options)?;
    let mut fields = Vec::new();
    if interface.soap12 {
        let action =
            if method.action.is_empty() { String::new() } else { format!("; action=\"{}\"", method.action) };
        fields.push(("Content-Type".to_owned(), format!("application/soap+xml; charset=utf-8{action}")));
    } else {
        fields.push(("Content-Type".to_owned(), "text/xml; charset=utf-8".to_owned()));
        fields.push(("SOAPAction".to_owned(), format!("\"{}\"", method.action)));
    }
    let request = Request { path, fields, authorization: None, body: body.as_bytes(), shows: hidden::xml };
    let response = post(target, &request, options, trace)?;
    answered(target, called, method, addressed.as_ref(), &response, options)
}

/// SOAP-1
fn envelope(
    called: &Called<'_>,
    method: &Method,
    namespace: &str,
    addressed: Option<&Addressing>,
    value: &Value,
    options: &Options,
) -> Result<String, CallError> {
    let plan = called.model.plan();
    let Message { element, bare, record } = &method.request;
    let empty = Map::new();
    let object = value.as_object().unwrap_or(&empty);
    let mut writer = Writer::new(plan, &record.content.namespaces, options.limits);
    let of = |name: &str| object.get(name).unwrap_or(&Value::Null);
    for field in record.fields.iter().filter(|field| is_header(field)) {
        writer.field(field, of(&field.name))?;
    }
    let blocks = addressed.map_or("", |addressed| &addressed.blocks);
    let header = format!("{blocks}{}", std::mem::take(&mut writer.out));
    let name = writer.qualified(element);
    if !bare {
        writer.out.push_str(&format!("<{name}>"));
    }
    for field in record.fields.iter().filter(|field| !is_header(field)) {
        writer.field(field, of(&field.name))?;
    }
    if !bare {
        writer.out.push_str(&format!("</{name}>"));
    }
    let header = if header.is_empty() { header } else { format!("<soap:Header>{header}</soap:Header>") };
    let declared = declarations(plan, &record.content.namespaces, record.content.xsi);
    Ok(format!(
        "<soap:Envelope xmlns:soap=\"{namespace}\"{declared}>{header}<soap:Body>{}</soap:Body></soap:Envelope>",
        writer.out
    ))
}

/// SOAP-15
fn answered(
    target: &Target,
    called: &Called<'_>,
    method: &Method,
    addressed: Option<&Addressing>,
    response: &Response,
    options: &Options,
) -> Result<Answer, CallError> {
    let fine = (200..300).contains(&response.head.status);
    let media = response.head.media_type();
    if response.body.is_empty() {
        // HTTP-3
        let void = method.response.as_ref().is_none_or(|response| response.record.fields.is_empty());
        return if fine && void { Ok(Answer::Nothing) } else { Err(response.foreign(target)) };
    }
    if media == "multipart/related" {
        return Err(CallError::new(
            "protocol-mismatch",
            "the answer has attachments (MTOM), which `creo call` does not read",
        ));
    }
    let claims = fine && ["text/xml", "application/soap+xml"].contains(&media.as_str());
    let root = match read(&encoded(response), options.reading, &options.limits) {
        Ok(root) => root,
        Err(error) if claims || error.code == "too-large" => {
            return Err(CallError { place: Some("$result".to_owned()), ..error });
        }
        Err(_) => return Err(response.foreign(target)),
    };
    if root.local() != "Envelope" || (*root.namespace != *SOAP11 && *root.namespace != *SOAP12) {
        return Err(match (claims, root.local()) {
            (true, "Envelope") => CallError::new(
                "protocol-mismatch",
                format!("the answer's envelope is of the namespace {}", root.namespace),
            ),
            (true, _) => CallError::new(
                "malformed",
                format!("the answer is {}, no envelope of SOAP", root.described()),
            ),
            (false, _) => response.foreign(target),
        });
    }
    if let Some(fault) = root
        .child("Body")
        .and_then(|body| body.elements().next())
        .filter(|fault| fault.local() == "Fault" && fault.namespace == root.namespace)
    {
        return faulty(called, method, fault, options);
    }
    if !fine {
        return Err(response.foreign(target));
    }
    let body = body_of(&Reader::new(called.model.plan(), "$result", options.reading), &root)?;
    let response = method.soap_response.as_ref().or(method.response.as_ref());
    understand(called, response, &root, options)?;
    if let Some(addressed) = addressed {
        addressed.check(&root)?;
    }
    result(called, response, &root, body, options)
}

/// The body of an envelope, which is after the header, and the last.
fn body_of<'e>(reader: &Reader<'_>, envelope: &'e Element) -> Result<&'e Element, CallError> {
    let is = |part: &Element, local: &str| part.namespace == envelope.namespace && part.local() == local;
    let mut parts = reader.children(envelope)?.into_iter().peekable();
    if let Some(header) = parts.next_if(|part| is(part, "Header")) {
        reader.children(header)?;
    }
    match (parts.next(), parts.next()) {
        (Some(body), None) if is(body, "Body") => Ok(body),
        (Some(body), Some(more)) if is(body, "Body") => reader.unexpected(more, "nothing"),
        (Some(other), _) => reader.unexpected(other, "Header, Body"),
        (None, _) => reader.wrong("the envelope has no body"),
    }
}

/// The body with its media type's charset as an XML declaration, unless it has one or needs none (XML-46).
fn encoded(response: &Response) -> Vec<u8> {
    let body = &response.body;
    let charset = response.head.parameter("charset").unwrap_or_default();
    let known = charset.is_empty()
        || ["utf-8", "utf8", "utf-16"].iter().any(|own| charset.eq_ignore_ascii_case(own))
        || !charset.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        || body.starts_with(b"<?xml");
    if known {
        return body.clone();
    }
    [format!("<?xml version=\"1.0\" encoding=\"{charset}\"?>").as_bytes(), body].concat()
}

fn header(envelope: &Element) -> impl Iterator<Item = &Element> {
    envelope.child("Header").into_iter().flat_map(Element::elements)
}

/// SOAP-4, SOAP-25
fn understand(
    called: &Called<'_>,
    response: Option<&Message>,
    envelope: &Element,
    options: &Options,
) -> Result<(), CallError> {
    let reader = Reader::new(called.model.plan(), "$result", options.reading);
    let header = header(envelope);
    let namespace = &*envelope.namespace;
    let known = |block: &Element| {
        let name = match &*block.namespace {
            "" => block.local().to_owned(),
            namespace => format!("{{{namespace}}}{}", block.local()),
        };
        let parts = response.into_iter().flat_map(|response| &response.record.fields);
        options.understood.contains(&name)
            || parts.filter(|field| is_header(field)).any(|field| reader.is(block, &field.node.xml.name))
    };
    let must = header.filter(|block| {
        let flag = block.attribute(namespace, "mustUnderstand").map(str::trim);
        let role = block.attribute(namespace, "actor").or(block.attribute(namespace, "role"));
        let ours = role.is_none_or(|role| {
            role.is_empty()
                || role.ends_with("/actor/next")
                || role.ends_with("/role/next")
                || role.ends_with("/ultimateReceiver")
        });
        matches!(flag, Some("1" | "true")) && ours && !addressing::is_block(block) && !known(block)
    });
    match must.into_iter().next() {
        Some(block) => Err(CallError::new(
            "protocol-mismatch",
            format!(
                "the answer's header {} must be understood, and is not known: name it by --understood if it may be skipped",
                block.described()
            ),
        )),
        None => Ok(()),
    }
}

/// SOAP-5, SOAP-6
fn result(
    called: &Called<'_>,
    response: Option<&Message>,
    envelope: &Element,
    body: &Element,
    options: &Options,
) -> Result<Answer, CallError> {
    let mut reader = Reader::new(called.model.plan(), "$result", options.reading);
    let elements = reader.children(body)?;
    let Some(Message { element, bare, record }) = response else {
        return reader.wrong("a oneway method was answered with a message");
    };
    let mut object = Map::new();
    let in_parts = called.model.result_in_parts(called.method()).is_some();
    if in_parts {
        let headers = headers(record);
        let blocks = header(envelope)
            .filter(|block| headers.content.first.iter().any(|(name, _)| reader.is(block, name)));
        reader.fields(&headers, &mut Elements::new(blocks.collect()), &mut object)?;
    }
    let several = record.fields.iter().filter(|field| !is_header(field)).count() > 1;
    let read = if *bare && !several {
        reader.bare(record, &mut Elements::new(elements), &mut object)
    } else {
        let inner = if *bare { elements } else { wrapped(&reader, element, &elements)? };
        reader.fields(record, &mut Elements::new(inner), &mut object)
    };
    let value = if in_parts {
        read?;
        Value::Object(object)
    } else {
        // The result itself is the root of paths.
        read.map_err(|mut error| {
            error.place = error.place.map(|place| place.replacen("$result.result", "$result", 1));
            error
        })?;
        match record.fields.first() {
            Some(field) => object.remove(&field.name).unwrap_or(Value::Null),
            None => return Ok(Answer::Nothing),
        }
    };
    received(called, &Subject::Response(called.method()), &value, &options.limits).map(Answer::Result)
}

/// The content of the one element of a body.
fn wrapped<'e>(
    reader: &Reader<'_>,
    name: &Name,
    elements: &[&'e Element],
) -> Result<Vec<&'e Element>, CallError> {
    match elements {
        [] => reader.wrong(format!("the body is empty, and not {}", name.local)),
        [only] if reader.is(only, name) => reader.message(only),
        [first, more, ..] if reader.is(first, name) => reader.unexpected(more, "nothing"),
        [other, ..] => reader.wrong(format!("the body holds {}, and not {}", other.described(), name.local)),
    }
}

fn is_header(field: &Field) -> bool {
    field.node.xml.position == Position::Header
}

/// The parts of a response that are in the header, as a record of their own (SOAP-26).
fn headers(record: &Record) -> Record {
    let mut fields: Vec<Field> = record.fields.iter().filter(|field| is_header(field)).cloned().collect();
    fields.iter_mut().for_each(|field| field.node.xml.position = Position::Element);
    let first =
        fields.iter().enumerate().map(|(index, field)| (field.node.xml.name.clone(), index)).collect();
    let content = Content { first, ..record.content.clone() };
    Record { fields, any: None, text: None, content, ..record.clone() }
}

/// SOAP-13, SOAP-14
fn faulty(
    called: &Called<'_>,
    method: &Method,
    fault: &Element,
    options: &Options,
) -> Result<Answer, CallError> {
    let text = |element: Option<&Element>| {
        element.map_or_else(String::new, |e| e.text().trim_matches(is_space).to_owned())
    };
    let code_of = fault.child("Code");
    let code = match code_of {
        Some(code) => text(code.child("Value")),
        None => text(fault.child("faultcode")),
    };
    let said = match fault.child("Reason") {
        Some(reason) => text(reason.child("Text")),
        None => text(fault.child("faultstring")),
    };
    let said = if said.is_empty() { "a fault without a text".to_owned() } else { said };
    let detail = fault.child("detail").or(fault.child("Detail"));
    let mut details: Vec<(String, String)> = Vec::new();
    let plan = called.model.plan();
    for element in detail.into_iter().flat_map(Element::elements) {
        if *element.namespace == *ERROR && element.local() == "error" {
            let code = element.attribute("", "code").unwrap_or_default();
            let pairs = element.elements().filter(|each| each.local() == "detail");
            let pairs =
                pairs.map(|each| (each.attribute("", "key").unwrap_or_default().to_owned(), each.text()));
            return Err(CallError::from_service(code, &said, pairs.collect()));
        }
        let mut reader = Reader::new(plan, "$exception", options.reading);
        let Some(id) = method.throws.iter().find(|id| reader.is(element, &plan.record(**id).xml)) else {
            continue;
        };
        let node = creo_plan::Node { kind: creo_plan::Kind::Record(*id), ..plan.value(*id).clone() };
        let read = reader.element(&node, element).and_then(|value| {
            let exception = Value::Object([(called.exception_name(*id), value)].into_iter().collect());
            received(called, &Subject::Exception(called.method()), &exception, &options.limits)
        });
        match read {
            Ok(exception) => return Ok(Answer::Exception(exception)),
            Err(error) if error.code == "too-large" => return Err(error),
            Err(error) => {
                details.push(("fault-problem".to_owned(), error.to_string()));
                break;
            }
        }
    }
    let subcode = code_of.and_then(|code| code.child("Subcode")).and_then(|subcode| subcode.child("Value"));
    let actor = fault.child("faultactor").or(fault.child("Role"));
    for (key, value) in
        [("fault-code", code.clone()), ("fault-subcode", text(subcode)), ("fault-actor", text(actor))]
    {
        if !value.is_empty() {
            details.push((key.to_owned(), value));
        }
    }
    if let Some(detail) = detail {
        details.push(("fault-detail".to_owned(), shown(&detail.source(), MAX_DETAIL)));
    }
    let local = code.rsplit([':', '}']).next().unwrap_or_default();
    let known = match local.split('.').next().unwrap_or_default() {
        "Client" | "Sender" => "malformed",
        "VersionMismatch" | "MustUnderstand" => "protocol-mismatch",
        _ => "internal",
    };
    Err(CallError::from_service(known, &said, details))
}
