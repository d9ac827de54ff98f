//! The services of a WSDL: ports, bindings, operations and messages, as written.

use crate::import::ports::Port;
use crate::import::selection::Selection;
use crate::import::table::{Kind, QName, Spot, Table};
use creo_diag::{Code, Diagnostic, Report, quote};
use std::collections::BTreeMap;

const SOAP11: &str = "http://schemas.xmlsoap.org/wsdl/soap/";
/// The namespaces of WS-Addressing actions.
const ADDRESSING: [&str; 2] =
    ["http://www.w3.org/2007/05/addressing/metadata", "http://www.w3.org/2006/05/addressing/wsdl"];
const SOAP12: &str = "http://schemas.xmlsoap.org/wsdl/soap12/";
const HTTP: &str = "http://schemas.xmlsoap.org/wsdl/http/";
const MIME: &str = "http://schemas.xmlsoap.org/wsdl/mime/";

fn is_soap(namespace: &str) -> bool {
    matches!(namespace, SOAP11 | SOAP12)
}

/// A SOAP binding.
#[derive(Clone, Debug)]
pub struct Binding {
    pub name: QName,
    pub soap12: bool,
    pub rpc: bool,
    /// Its operations by name, in order.
    operations: BTreeMap<String, Vec<Spot>>,
}

/// A `soap:header`.
#[derive(Clone, Debug)]
pub struct Header {
    pub spot: Spot,
    pub message: QName,
    pub part: String,
}

/// A binding's entry for an input or output.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    pub headers: Vec<Header>,
    /// The parts that `soap:body` lists.
    pub parts: Option<Vec<String>>,
    pub namespace: Option<String>,
    pub encoded: bool,
    /// Whether it uses attachments or another form that is not SOAP.
    pub mime: bool,
    /// The locations of `soap:headerfault`.
    pub header_faults: Vec<Spot>,
    /// The locations of headers with `use="encoded"`.
    pub encoded_headers: Vec<Spot>,
}

/// A binding's entry for an operation.
#[derive(Clone, Debug, Default)]
pub struct BoundOperation {
    pub action: Option<String>,
    pub rpc: bool,
    pub input: Bound,
    pub output: Bound,
    /// Names of faults with `use="encoded"`.
    pub encoded_faults: Vec<String>,
}

/// A part of a message.
#[derive(Clone, Debug)]
pub struct Part {
    pub spot: Spot,
    pub name: String,
    pub element: Option<String>,
    pub ty: Option<String>,
}

/// A fault of an operation: its name, and its message if it names one.
#[derive(Clone, Debug)]
pub struct Fault {
    pub spot: Spot,
    pub name: String,
    pub message: Option<QName>,
}

/// An operation of a port type.
#[derive(Clone, Debug)]
pub struct Operation {
    pub spot: Spot,
    pub name: String,
    pub input: Option<(QName, Option<String>)>,
    /// The WS-Addressing action of the input.
    pub input_action: Option<String>,
    pub output: Option<(QName, Option<String>)>,
    pub faults: Vec<Fault>,
    /// How many operations of its name come before it.
    pub index: usize,
    pub exchange: Exchange,
    /// `input` or `output` if it names no message.
    pub nameless: Option<&'static str>,
}

/// Who sends first (WSDL 1.1, 2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// The caller: request-response, or one-way.
    Call,
    /// The service, and it expects no answer.
    Notification,
    /// The service, and the other side answers.
    SolicitResponse,
    /// There is neither an input nor an output.
    Nothing,
}

/// The SOAP bindings of each port type, and the addresses of each binding's ports. Other bindings are reported.
pub struct Services {
    pub bindings: BTreeMap<QName, Vec<Binding>>,
    pub addresses: BTreeMap<QName, Vec<String>>,
    /// Whether bindings other than SOAP were found.
    pub others: bool,
    /// Whether there are such bindings, and all of them are plain HTTP.
    pub plain_http: bool,
}

/// The extension that makes a binding one of SOAP.
fn soap(table: &Table, binding: Spot) -> Option<Spot> {
    table
        .all_children(binding)
        .find(|child| table.element(*child).local == "binding" && is_soap(&table.element(*child).namespace))
}

pub fn services(table: &Table, selection: &Selection<'_>, report: &mut Report) -> Services {
    let (bindings, addresses) = (BTreeMap::new(), BTreeMap::new());
    let mut found = Services { bindings, addresses, others: false, plain_http: false };
    for (name, spot) in table.all(Kind::Binding) {
        if !selection.has_binding(name) {
            continue;
        }
        let Some(soap) = soap(table, spot) else {
            let http = table
                .all_children(spot)
                .map(|child| table.element(child))
                .find(|e| e.local == "binding" && &*e.namespace == HTTP);
            found.plain_http = http.is_some() && (found.plain_http || !found.others);
            found.others = true;
            let what = match http {
                Some(http) => {
                    format!("plain HTTP ({}), without SOAP", http.attribute("verb").unwrap_or("no verb"))
                }
                None => "not SOAP".to_owned(),
            };
            let told = format!("the binding {} is left out: it is {what}", quote(&name.local));
            report.add(&Diagnostic::new(Code::LeftOut, table.span(spot), told));
            continue;
        };
        let element = table.element(soap);
        let Some(port_type) = table.element(spot).attribute("type") else {
            let told = format!("the binding {} is left out: it names no port type", quote(&name.local));
            report.add(&Diagnostic::new(Code::UnknownComponent, table.span(spot), told));
            continue;
        };
        let port_type = table.resolve(spot, port_type, report);
        let Some((port_type, _)) = table.look_up(Kind::PortType, &port_type, spot, report) else { continue };
        let mut operations: BTreeMap<String, Vec<Spot>> = BTreeMap::new();
        for operation in table.children(spot).filter(|child| table.element(*child).local == "operation") {
            let name = table.element(operation).attribute("name").unwrap_or("").trim().to_owned();
            operations.entry(name).or_default().push(operation);
        }
        let binding = Binding {
            operations,
            name: name.clone(),
            soap12: &*element.namespace == SOAP12,
            rpc: element.attribute("style").map(str::trim) == Some("rpc"),
        };
        found.bindings.entry(port_type).or_default().push(binding);
    }
    for bindings in found.bindings.values_mut() {
        bindings.sort_by(|a, b| (a.soap12, &a.name).cmp(&(b.soap12, &b.name)));
    }
    for definitions in table.definitions() {
        for service in table.children(definitions).filter(|child| table.element(*child).local == "service") {
            for port in table.children(service).filter(|child| table.element(*child).local == "port") {
                if !selection.has_port(port) {
                    continue;
                }
                let element = table.element(port);
                let Some(binding) = element.attribute("binding") else {
                    let name = quote(element.attribute("name").unwrap_or("").trim());
                    let told = format!("the port {name} is left out: it names no binding");
                    report.add(&Diagnostic::new(Code::UnknownComponent, element.span, told));
                    continue;
                };
                let binding = table.resolve(port, binding, report);
                let Some((binding, spot)) = table.look_up(Kind::Binding, &binding, port, report) else {
                    continue;
                };
                let Some(soap) = soap(table, spot) else { continue };
                let transport = table.element(soap).attribute("transport").unwrap_or("");
                let address = Port { table, service, port, binding: spot, transport }.address(report);
                let known = found.addresses.entry(binding).or_default();
                known.extend(address.filter(|address| !known.contains(address)));
            }
        }
    }
    found
}

pub fn operations(table: &Table, port_type: Spot, report: &mut Report) -> Vec<Operation> {
    let mut found = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for spot in table.children(port_type).filter(|child| table.element(*child).local == "operation") {
        let name = table.element(spot).attribute("name").unwrap_or("").trim().to_owned();
        let before = seen.entry(name.clone()).or_default();
        let index = *before;
        *before += 1;
        let mut operation = Operation {
            spot,
            index,
            name,
            input: None,
            input_action: None,
            output: None,
            faults: Vec::new(),
            exchange: Exchange::Nothing,
            nameless: None,
        };
        for child in table.children(spot) {
            let element = table.element(child);
            let (exchange, nameless) = match (element.local.as_str(), operation.exchange) {
                ("input", Exchange::Nothing) => (Exchange::Call, Some("input")),
                ("input", Exchange::Notification) => (Exchange::SolicitResponse, Some("input")),
                ("output", Exchange::Nothing) => (Exchange::Notification, Some("output")),
                ("input", exchange) => (exchange, Some("input")),
                ("output", exchange) => (exchange, Some("output")),
                (_, exchange) => (exchange, None),
            };
            operation.exchange = exchange;
            let own = element.attribute("name").map(|name| name.trim().to_owned());
            let message = element.attribute("message").map(|name| table.resolve(child, name, report));
            if element.local == "fault" {
                operation.faults.push(Fault { spot: child, name: own.unwrap_or_default(), message });
                continue;
            }
            let Some(message) = message else {
                operation.nameless = operation.nameless.or(nameless);
                continue;
            };
            match element.local.as_str() {
                "input" => {
                    operation.input = Some((message, own));
                    let action = ADDRESSING.iter().find_map(|space| element.attribute_in(space, "Action"));
                    operation.input_action =
                        action.map(|action| action.trim().to_owned()).filter(|action| !action.is_empty());
                }
                "output" => operation.output = Some((message, own)),
                _ => {}
            }
        }
        found.push(operation);
    }
    found
}

pub fn parts(table: &Table, message: Spot) -> Vec<Part> {
    let parts = table.children(message).filter(|child| table.element(*child).local == "part");
    parts
        .map(|spot| {
            let element = table.element(spot);
            let text = |name: &str| {
                element.attribute(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
            };
            Part { spot, name: text("name").unwrap_or_default(), element: text("element"), ty: text("type") }
        })
        .collect()
}

/// A binding's entry for an operation. Of several with one name: the one with the same input and output names, or in the same position.
pub fn bound(
    table: &Table,
    binding: &Binding,
    operation: &Operation,
    report: &mut Report,
) -> Option<BoundOperation> {
    let same = binding.operations.get(&operation.name)?;
    let spot = match same.as_slice() {
        [] => return None,
        [only] => *only,
        several => {
            let label = |spot: Spot, which: &str| {
                table
                    .child(spot, &[which])
                    .and_then(|child| table.element(child).attribute("name"))
                    .map(str::trim)
            };
            let wanted = operation.input.as_ref().and_then(|(_, name)| name.as_deref());
            let by_name = several.iter().find(|spot| wanted.is_some() && label(**spot, "input") == wanted);
            *by_name.or(several.get(operation.index)).unwrap_or(&several[0])
        }
    };
    let mut found = BoundOperation { rpc: binding.rpc, ..BoundOperation::default() };
    for child in table.all_children(spot) {
        let element = table.element(child);
        match element.local.as_str() {
            "operation" if is_soap(&element.namespace) => {
                found.action = element.attribute("soapAction").map(|action| action.trim().to_owned());
                if let Some(style) = element.attribute("style") {
                    found.rpc = style.trim() == "rpc";
                }
            }
            "input" => found.input = direction(table, child, report),
            "output" => found.output = direction(table, child, report),
            "fault" => {
                let fault = table
                    .all_children(child)
                    .map(|c| table.element(c))
                    .find(|e| e.local == "fault" && is_soap(&e.namespace));
                if fault.is_some_and(|fault| fault.attribute("use").map(str::trim) == Some("encoded")) {
                    found.encoded_faults.extend(element.attribute("name").map(|name| name.trim().to_owned()));
                }
            }
            _ => {}
        }
    }
    Some(found)
}

fn direction(table: &Table, spot: Spot, report: &mut Report) -> Bound {
    let mut bound = Bound::default();
    for child in table.all_children(spot) {
        let element = table.element(child);
        if &*element.namespace == MIME {
            bound.mime = true;
        }
        if !is_soap(&element.namespace) {
            continue;
        }
        let encoded = element.attribute("use").map(str::trim) == Some("encoded");
        match element.local.as_str() {
            "body" => {
                bound.encoded |= encoded;
                bound.namespace = element.attribute("namespace").map(|namespace| namespace.trim().to_owned());
                bound.parts = element
                    .attribute("parts")
                    .map(|parts| parts.split_whitespace().map(str::to_owned).collect());
            }
            "header" => {
                if encoded {
                    bound.encoded_headers.push(child);
                    continue;
                }
                bound
                    .header_faults
                    .extend(table.all_children(child).filter(|c| table.element(*c).local == "headerfault"));
                let (Some(message), Some(part)) = (element.attribute("message"), element.attribute("part"))
                else {
                    let told = "a header is left out: it does not name a message and its part";
                    report.add(&Diagnostic::new(Code::UnknownComponent, element.span, told));
                    continue;
                };
                let message = table.resolve(child, message, report);
                bound.headers.push(Header { spot: child, message, part: part.trim().to_owned() });
            }
            "headerfault" => bound.header_faults.push(child),
            _ => {}
        }
    }
    bound
}
