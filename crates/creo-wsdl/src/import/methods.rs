//! From port types and their bindings to interfaces and methods (SOAP-5 to SOAP-10).

use crate::import::draft::plain;
use crate::import::draft::{Decl, Field, Interface, Method, Notes, Rank, Response, Shape, Ty};
use crate::import::encoded::is_encoded;
use crate::import::fields::{Owner, element};
use crate::import::mapper::Mapper;
use crate::import::policy::Demands;
use crate::import::print::most;
use crate::import::selection::Selection;
use crate::import::slots::{Slot, Value, content};
use crate::import::table::{Kind, QName, Spot};
use crate::import::text::capitalised;
use crate::import::wsdl::{
    Bound, BoundOperation, Operation, Part, Services, bound, operations, parts, services,
};
use crate::import::xml::is_name;
use creo_diag::{Code, Diagnostic, quote};
use std::collections::{BTreeMap, BTreeSet};

/// What was found of a service, imported or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub operations: usize,
    pub methods: usize,
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
        self.encoded = self.is_encoded_service(&services);
        let mut counts = Counts::default();
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
            if bound.is_none() && services.others {
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
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for operation in operations(self.table, spot, self.report) {
            let index = *seen.entry(operation.name.clone()).and_modify(|count| *count += 1).or_insert(0);
            if !selection.has_operation(&name.local, &operation.name) {
                continue;
            }
            counts.operations += 1;
            let mut found = None;
            for binding in bindings {
                let says = bound(self.table, binding, &operation, index, self.report);
                let better = match (&found, &says) {
                    (_, None) => false,
                    (None, Some(_)) => true,
                    // The first readable binding wins.
                    (Some((known, _)), Some(new)) => is_encoded(known) && !is_encoded(new),
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

    fn refuse(&mut self, operation: &Operation, code: Code, why: &str) {
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
        if operation.reversed {
            self.refuse(operation, Code::LeftOut, "the service would call its caller");
            return None;
        }
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
        let (input, _) = operation.input.as_ref()?;
        let Message::Parts(input) = self.message(input, operation.spot) else {
            self.refuse(operation, Code::UnknownComponent, "its input message is not there");
            return None;
        };
        let output = match &operation.output {
            None => None,
            Some((message, _)) => match self.message(message, operation.spot) {
                Message::Parts(parts) => Some(parts),
                Message::Missing => {
                    self.refuse(operation, Code::UnknownComponent, "its output message is not there");
                    return None;
                }
            },
        };
        let input = body(input, &says.input, operation.input.as_ref().map(|(message, _)| message));
        let output = output
            .map(|parts| body(parts, &says.output, operation.output.as_ref().map(|(message, _)| message)));
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
            self.document(operation, input, output, &mut method)?;
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
            } else if let Message::Parts(parts) = self.message(&fault.message, fault.spot)
                && let Some(id) = self.exception(fault, operation, &parts)
                && !method.throws.contains(&id)
            {
                method.throws.push(id);
            }
        }
        Some(method)
    }

    // Document style: the body holds the element of a single part.

    fn document(
        &mut self,
        operation: &Operation,
        input: Vec<Part>,
        output: Option<Vec<Part>>,
        method: &mut Method,
    ) -> Option<()> {
        let request = self.only_element(operation, &input, "request")?;
        if let Some((name, spot)) = &request {
            match spot.and_then(|spot| self.unwrapped(spot, &operation.name)) {
                Some(fields) if *name.local == *operation.name || fields.is_empty() => {
                    method.wrapper = Some(name.clone());
                    method.parameters = fields;
                }
                _ => {
                    let field = self.body_field(name, *spot);
                    method.parameters.push(field);
                }
            }
        }
        // An empty body is identified by its action alone (SOAP-7).
        if method.wrapper.is_none() && method.parameters.is_empty() && method.action.as_deref() == Some("") {
            method.action = None;
            method
                .notes
                .comments
                .push("The WSDL has no action for this, and the body is empty: the action is the one that stands for none.".to_owned());
        }
        let Some(output) = output else { return Some(()) };
        let Some((name, spot)) = self.only_element(operation, &output, "response")? else {
            method.response = Some(Response { element: QName::new("", ""), bare: true });
            return Some(());
        };
        // A named type is kept as a value, unless its element is named after the operation.
        let wrapper = spot.filter(|spot| {
            name.local.starts_with(operation.name.as_str())
                || self.table.element(*spot).attribute("type").is_none()
        });
        match wrapper.and_then(|spot| self.unwrapped(spot, &name.local)) {
            Some(mut fields) if fields.len() <= usize::from(method.wrapper.is_some()) => {
                method.result = fields.pop();
                method.response = Some(Response { element: name, bare: false });
            }
            _ => {
                let mut field = self.body_field(&name, spot);
                field.notes.doc.clear();
                method.result = Some(field);
                method.response = Some(Response { element: name, bare: true });
            }
        }
        Some(())
    }

    /// The body's element as a field. An undeclared element is raw XML.
    fn body_field(&mut self, name: &QName, spot: Option<Spot>) -> Field {
        match spot {
            Some(spot) => {
                let mut field = element(self.global_element(name, spot));
                field.default = None;
                field
            }
            None => {
                let mut field = plain(name.local.to_string(), Ty::Word("String"));
                field.xml = Some(name.clone());
                field.marks.raw = true;
                field.notes.comments.push(
                    "The element is declared in none of the files: the whole element, as XML.".to_owned(),
                );
                field
            }
        }
    }

    /// The element of the body's only part, and where it is declared, if it is. `Some(None)`: the body is empty.
    fn only_element(
        &mut self,
        operation: &Operation,
        parts: &[Part],
        which: &str,
    ) -> Option<Option<(QName, Option<Spot>)>> {
        let part = match parts {
            [] => return Some(None),
            [part] => part,
            several => {
                let names: Vec<&str> = several.iter().map(|part| part.name.as_str()).collect();
                let why = format!("the body of its {which} has several elements: {}", names.join(", "));
                self.refuse(operation, Code::LeftOut, &why);
                return None;
            }
        };
        let Some(name) = &part.element else {
            self.refuse(
                operation,
                Code::LeftOut,
                &format!(
                    "the part {} of its {which} has a type and no element, in document style",
                    quote(&part.name)
                ),
            );
            return None;
        };
        let name = self.table.resolve(part.spot, name, self.report);
        Some(Some(match self.table.look_up(Kind::Element, &name, part.spot, self.report) {
            Some((name, spot)) => (name, Some(spot)),
            None => (name, None),
        }))
    }

    /// The fields of a wrapper, whose type must be a plain sequence of elements that nothing extends.
    fn unwrapped(&mut self, spot: Spot, owner: &str) -> Option<Vec<Field>> {
        let owner = capitalised(owner);
        let declared = match self.table.element(spot).attribute("type") {
            Some(name) => {
                let name = self.table.resolve(spot, name, self.report);
                let (name, ty) = self.table.find(Kind::Type, &name).filter(|_| !name.builtin())?;
                if self.table.element(ty).local != "complexType"
                    || self.table.is_abstract(ty)
                    || !self.members_of(&name).is_empty()
                {
                    return None;
                }
                ty
            }
            None => self.table.child(spot, &["complexType"])?,
        };
        if self.opaque(declared).is_some() {
            return None;
        }
        let parts = self.parts(declared, &owner);
        if parts.text.is_some() || !parts.attributes.is_empty() {
            return None;
        }
        let slots = content(parts.slots);
        if !slots.iter().all(|slot| matches!(slot, Slot::Element(_))) {
            return None;
        }
        let mut fields = self.fields(slots, &Owner { name: owner, namespace: self.namespace(declared) });
        for field in &mut fields {
            // Parameters have no defaults.
            field.default = None;
        }
        Some(fields)
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
            method.response = Some(Response { element: response, bare: false });
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
            method.response = Some(Response { element: response, bare: true });
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

/// The parts in the body: those that `soap:body` lists, or all that no header takes.
fn body(parts: Vec<Part>, bound: &Bound, message: Option<&QName>) -> Vec<Part> {
    let in_header = |part: &Part| {
        bound.headers.iter().any(|header| Some(&header.message) == message && header.part == part.name)
    };
    match &bound.parts {
        Some(names) => parts.into_iter().filter(|part| names.contains(&part.name)).collect(),
        None => parts.into_iter().filter(|part| !in_header(part)).collect(),
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
