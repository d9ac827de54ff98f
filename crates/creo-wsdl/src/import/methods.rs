//! From port types and their bindings to interfaces and methods (SOAP-5 to SOAP-10).

use crate::import::draft::plain;
use crate::import::draft::{Decl, Field, Interface, Method, Notes, Rank, Response, Shape, Ty};
use crate::import::encoded::is_encoded;
use crate::import::mapper::Mapper;
use crate::import::policy::Demands;
use crate::import::print::most;
use crate::import::selection::Selection;
use crate::import::slots::Value;
use crate::import::table::{Kind, QName, Spot};
use crate::import::text::capitalised;
use crate::import::wsdl::{
    Bound, BoundOperation, Exchange, Operation, Part, Services, bound, operations, parts, services,
};
use crate::import::xml::is_name;
use creo_diag::{Code, Diagnostic, quote};
use std::collections::{BTreeMap, BTreeSet};

/// What was found of a service, imported or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub operations: usize,
    pub methods: usize,
    /// Whether there are bindings, and all are plain HTTP (SOAP-96).
    pub plain_http: bool,
}

/// The outcome of reading a message.
pub enum Message {
    Parts(Vec<Part>),
    /// The message is missing, which is reported.
    Missing,
}

impl Mapper<'_> {
    /// All interfaces.
    pub fn interfaces(
        &mut self,
        selection: &mut Selection<'_>,
        demands: &BTreeMap<QName, Demands>,
    ) -> Counts {
        let services = services(self.table, selection, self.report);
        self.encoded = self.is_encoded_service(&services, selection);
        let plain_http = services.bindings.is_empty() && services.plain_http;
        let mut counts = Counts { plain_http, ..Counts::default() };
        let all: Vec<(QName, Spot)> =
            self.table.all(Kind::PortType).map(|(name, spot)| (name.clone(), spot)).collect();
        let root = self.table.definitions().next();
        for (name, spot) in all {
            let bound = services.bindings.get(&name);
            if bound.is_none() && !services.bindings.is_empty() {
                if root.is_some_and(|root| root.unit == spot.unit)
                    && !services.others
                    && selection.has_all_ports()
                {
                    self.left_out(
                        self.table.span(spot),
                        format!("the port type {} is left out: no SOAP binding has it", quote(&name.local)),
                    );
                }
                continue;
            }
            // A port that is asked for, and whose binding is left out or missing, leaves nothing.
            if bound.is_none() && (services.others || !selection.has_all_ports()) {
                counts.operations += operations(self.table, spot, self.report).len();
                continue;
            }
            let demands = demands.get(&name).cloned().unwrap_or_default();
            self.interface(&name, spot, &services, &demands, selection, &mut counts);
        }
        counts
    }

    fn interface(
        &mut self,
        name: &QName,
        spot: Spot,
        services: &Services,
        demands: &Demands,
        selection: &mut Selection<'_>,
        counts: &mut Counts,
    ) {
        let bindings = services.bindings.get(name).map(Vec::as_slice).unwrap_or_default();
        let mut notes = self.notes(spot);
        if bindings.is_empty() {
            notes
                .comments
                .push("No binding says how this travels: it is taken as document/literal.".to_owned());
        }
        notes.comments.extend(demands.comment());
        self.addressing = demands.addressing;
        let mut lines: Vec<String> = Vec::new();
        for binding in bindings {
            for address in services.addresses.get(&binding.name).into_iter().flatten() {
                lines.push(format!("SOAP {}: {address}", if binding.soap12 { "1.2" } else { "1.1" }));
            }
        }
        lines.dedup();
        if !lines.is_empty() {
            let gap = if notes.doc.is_empty() { "" } else { "\n\n" };
            notes.doc = format!("{}{gap}{}", notes.doc, lines.join("\n"));
        }
        let mut methods = Vec::new();
        let mut soap12 = true;
        for operation in operations(self.table, spot, self.report) {
            if !selection.has_operation(&name.local, &operation.name) {
                continue;
            }
            counts.operations += 1;
            let mut found = None;
            for binding in bindings {
                let says = bound(self.table, binding, &operation, self.report);
                // SOAP-97: of two that are alike the first wins.
                let burden = |says: &BoundOperation| (says.input.mime || says.output.mime, is_encoded(says));
                let better = match (&found, &says) {
                    (_, None) => false,
                    (None, Some(_)) => true,
                    (Some((known, _)), Some(new)) => burden(new) < burden(known),
                };
                if better {
                    found = says.map(|says| (says, binding.soap12));
                }
            }
            let (says, bound_to_12) = match found {
                Some(found) => found,
                None if bindings.is_empty() => (self.unbound(&operation), false),
                None => {
                    self.refuse(&operation, Code::LeftOut, "no binding says how it travels");
                    continue;
                }
            };
            if let Some(method) = self.method(&operation, &says, bound_to_12, name) {
                counts.methods += 1;
                soap12 &= bound_to_12;
                methods.push(method);
            }
        }
        if methods.is_empty() {
            return;
        }
        let wrappers = methods.iter().filter_map(|method| {
            let element = method.wrapper.as_ref().or(method
                .parameters
                .iter()
                .filter(|p| !p.marks.header)
                .find_map(|p| p.xml.as_ref()));
            element.map(|element| &element.namespace)
        });
        let namespace = most(wrappers).unwrap_or_else(|| name.namespace.clone());
        self.draft.interfaces.push(Interface {
            name: name.local.to_string(),
            namespace,
            soap12: soap12 && !self.encoded,
            encoded: self.encoded,
            addressing: demands.addressing,
            methods,
            notes,
        });
    }

    /// The binding assumed for an operation that has none.
    fn unbound(&mut self, operation: &Operation) -> BoundOperation {
        let mut says = BoundOperation::default();
        if let Some((message, _)) = &operation.input
            && let Some((_, spot)) = self.table.find(Kind::Message, message)
        {
            says.rpc = parts(self.table, spot).iter().any(|part| part.element.is_none());
        }
        says
    }

    /// Reports why an operation is left out.
    pub fn refuse(&mut self, operation: &Operation, code: Code, why: &str) {
        let told = format!("the operation {} is left out: {why}", quote(&operation.name));
        self.report.add(&Diagnostic::new(code, self.table.span(operation.spot), told));
    }

    pub fn message(&mut self, name: &QName, from: Spot) -> Message {
        match self.table.look_up(Kind::Message, name, from, self.report) {
            Some((_, spot)) => Message::Parts(parts(self.table, spot)),
            None => Message::Missing,
        }
    }

    fn method(
        &mut self,
        operation: &Operation,
        says: &BoundOperation,
        soap12: bool,
        port_type: &QName,
    ) -> Option<Method> {
        let (input, output) = self.messages(operation)?;
        if is_encoded(says) {
            let why = if !says.rpc {
                "it is document/encoded"
            } else if !self.encoded {
                "it is rpc/encoded, and other operations here are literal"
            } else if soap12 {
                "it is rpc/encoded in SOAP 1.2"
            } else {
                ""
            };
            if !why.is_empty() {
                self.refuse(operation, Code::RpcEncoded, why);
                return None;
            }
        }
        if says.input.mime || says.output.mime {
            self.refuse(operation, Code::LeftOut, "it has MIME attachments (MTOM is the way for bytes here)");
            return None;
        }
        let input = self.body_parts(operation, input, &says.input, "request")?;
        let output = match output {
            None => None,
            Some(message) => Some(self.body_parts(operation, message, &says.output, "response")?),
        };
        let mut method = Method {
            name: operation.name.clone(),
            oneway: output.is_none(),
            wrapper: None,
            parameters: Vec::new(),
            result: None,
            response: None,
            throws: Vec::new(),
            action: Some(self.action(port_type, operation, says)),
            notes: self.notes(operation.spot),
        };
        if self.addressing
            && let (Some(action), Some(other)) =
                (method.action.as_ref().filter(|action| !action.is_empty()), &operation.input_action)
            && action != other
        {
            method
                .notes
                .comments
                .push(format!("The WSDL has another action for WS-Addressing: {}", quote(other)));
        }
        if says.rpc && !is_name(&operation.name) {
            self.refuse(operation, Code::LeftOut, "this is no name of XML");
            return None;
        }
        if says.rpc {
            self.rpc(operation, says, input, output, &port_type.namespace, &mut method)?;
        } else {
            self.document(operation, &input, output.as_deref(), &mut method)?;
        }
        let headers = self.headers(&says.input.headers);
        method.parameters.extend(headers);
        self.answer_headers(operation, says, &mut method);
        for spot in says.input.encoded_headers.iter().chain(&says.output.encoded_headers) {
            let told = format!("a header of {} is left out: it is encoded", quote(&operation.name));
            self.report.add(&Diagnostic::new(Code::RpcEncoded, self.table.span(*spot), told));
        }
        for spot in says.input.header_faults.iter().chain(&says.output.header_faults) {
            self.left_out(
                self.table.span(*spot),
                format!(
                    "a fault of a header of {} is left out: it is a fault like any other",
                    quote(&operation.name)
                ),
            );
        }
        for fault in &operation.faults {
            if method.oneway {
                self.left_out(
                    self.table.span(fault.spot),
                    format!(
                        "the fault {} is left out: {} has no response",
                        quote(&fault.name),
                        quote(&operation.name)
                    ),
                );
            } else if says.encoded_faults.contains(&fault.name) && !self.encoded {
                let told = format!(
                    "the fault {} of {} is left out: it is encoded",
                    quote(&fault.name),
                    quote(&operation.name)
                );
                self.report.add(&Diagnostic::new(Code::RpcEncoded, self.table.span(fault.spot), told));
            } else if let Some(message) = self.fault_message(fault, operation)
                && let Message::Parts(parts) = self.message(message, fault.spot)
                && let Some(id) = self.exception(fault, operation, &parts)
                && !method.throws.contains(&id)
            {
                method.throws.push(id);
            }
        }
        Some(method)
    }

    /// The messages of an operation that a client can call (SOAP-95): of its input, and of its output if it has one.
    fn messages<'o>(&mut self, operation: &'o Operation) -> Option<(&'o QName, Option<&'o QName>)> {
        let why = match operation.exchange {
            Exchange::Call => None,
            Exchange::Notification => Some(
                "it is a notification: the service sends its output unasked, and a client cannot call it",
            ),
            Exchange::SolicitResponse => {
                Some("it is solicit-response: the service asks first, and a client cannot call it")
            }
            Exchange::Nothing => Some("it has neither an input nor an output"),
        };
        if let Some(why) = why {
            self.refuse(operation, Code::LeftOut, why);
            return None;
        }
        let name = |message: &'o Option<(QName, Option<String>)>| message.as_ref().map(|(name, _)| name);
        match (name(&operation.input), name(&operation.output)) {
            (Some(input), output) if operation.nameless.is_none() => Some((input, output)),
            (_, _) => {
                let which = operation.nameless.unwrap_or("input");
                self.refuse(operation, Code::UnknownComponent, &format!("its {which} names no message"));
                None
            }
        }
    }

    /// The parts of a message that are in the body (SOAP-94). `None`: the operation is left out, which is reported.
    fn body_parts(
        &mut self,
        operation: &Operation,
        message: &QName,
        bound: &Bound,
        which: &str,
    ) -> Option<Vec<Part>> {
        let Message::Parts(parts) = self.message(message, operation.spot) else {
            self.refuse(
                operation,
                Code::UnknownComponent,
                &format!("the message of its {which} is not there"),
            );
            return None;
        };
        let table = self.table;
        let in_header = |part: &Part| {
            let named = |spot: &Spot| {
                table.element(*spot).attribute("part").map(str::trim) == Some(part.name.as_str())
            };
            bound.headers.iter().any(|header| header.message == *message && header.part == part.name)
                || bound.encoded_headers.iter().any(named)
        };
        let Some(names) = &bound.parts else {
            return Some(parts.into_iter().filter(|part| !in_header(part)).collect());
        };
        if let Some(name) = names.iter().find(|name| parts.iter().all(|part| part.name != **name)) {
            let why = format!(
                "the body of its {which} has the part {}, and the message has none of that name",
                quote(name)
            );
            self.refuse(operation, Code::UnknownComponent, &why);
            return None;
        }
        let (body, others): (Vec<Part>, Vec<Part>) =
            parts.into_iter().partition(|part| names.contains(&part.name));
        for part in others.iter().filter(|part| !in_header(part)) {
            let told = format!(
                "the part {} of the {which} of {} is left out: neither the body nor a header has it",
                quote(&part.name),
                quote(&operation.name)
            );
            self.left_out(self.table.span(part.spot), told);
        }
        Some(body)
    }

    // RPC style: an element for the operation, with an element for each part.

    fn rpc(
        &mut self,
        operation: &Operation,
        says: &BoundOperation,
        input: Vec<Part>,
        output: Option<Vec<Part>>,
        target: &str,
        method: &mut Method,
    ) -> Option<()> {
        let namespace = |bound: &Bound| bound.namespace.clone().unwrap_or_else(|| target.to_owned());
        method.wrapper = Some(QName::new(namespace(&says.input), operation.name.as_str()));
        method.parameters = self.rpc_parts(operation, &input)?;
        let Some(output) = output else { return Some(()) };
        let name = format!("{}Response", operation.name);
        let response = QName::new(namespace(&says.output), name.as_str());
        let mut fields = self.rpc_parts(operation, &output)?;
        if fields.len() <= 1 {
            method.result = fields.pop();
            method.response = Some(Response { element: response, bare: false, several: false });
        } else {
            let doc = format!("What {} gives.", operation.name);
            let id = self.add(Decl {
                shape: Shape::Struct(fields),
                name: capitalised(&name),
                suffix: "Result",
                rank: Rank::Anonymous,
                xml: None,
                namespace: response.namespace.clone(),
                notes: Notes { doc, comments: Vec::new() },
            });
            method.result = Some(plain("result", Ty::Decl(id)));
            method.response = Some(Response { element: response, bare: true, several: false });
        }
        Some(())
    }

    fn rpc_parts(&mut self, operation: &Operation, parts: &[Part]) -> Option<Vec<Field>> {
        let mut fields = Vec::new();
        let mut seen = BTreeSet::new();
        for part in parts {
            if !is_name(&part.name) {
                self.refuse(
                    operation,
                    Code::LeftOut,
                    &format!("its part {} has no name of XML", quote(&part.name)),
                );
                return None;
            }
            let Some(ty) = &part.ty else {
                let why = format!("the part {} is an element, in rpc style", quote(&part.name));
                self.refuse(operation, Code::LeftOut, &why);
                return None;
            };
            let name = self.table.resolve(part.spot, ty, self.report);
            let value = self.value(&name, part.spot);
            let field = part_field(part, value);
            if !seen.insert(part.name.as_str()) {
                self.refuse(operation, Code::LeftOut, &format!("it has two parts {}", quote(&part.name)));
                return None;
            }
            fields.push(field);
        }
        Some(fields)
    }
}

/// The field of a typed part: an element without a namespace.
pub fn part_field(part: &Part, value: Value) -> Field {
    let mut field = plain(part.name.clone(), value.ty);
    field.xml = Some(QName::new("", part.name.as_str()));
    field.marks.raw = value.raw;
    field.marks.list = value.list;
    field.marks.xsd = value.xsd;
    field.notes.comments.extend(value.comment);
    field
}
