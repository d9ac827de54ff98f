//! Parts in the headers of requests (SOAP-8) and of responses (SOAP-26).

use crate::import::draft::{Decl, Field, Method, Notes, Rank, Shape, Ty, plain};
use crate::import::fields::element;
use crate::import::mapper::Mapper;
use crate::import::methods::{Message, part_field};
use crate::import::table::{Kind, QName};
use crate::import::text::capitalised;
use crate::import::wsdl::{BoundOperation, Header, Operation};
use creo_diag::{Code, Diagnostic, quote};

impl Mapper<'_> {
    /// The parts in the header, each once.
    pub fn headers(&mut self, headers: &[Header]) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        for header in headers {
            let Message::Parts(found) = self.message(&header.message, header.spot) else { continue };
            let Some(part) = found.into_iter().find(|part| part.name == header.part) else {
                let told = format!(
                    "the message {} has no part {}",
                    quote(&header.message.to_string()),
                    quote(&header.part)
                );
                self.report.add(&Diagnostic::new(Code::UnknownComponent, self.table.span(header.spot), told));
                continue;
            };
            let mut field = match (&part.element, &part.ty) {
                (Some(name), _) => {
                    let name = self.table.resolve(part.spot, name, self.report);
                    let Some((name, spot)) = self.table.look_up(Kind::Element, &name, part.spot, self.report)
                    else {
                        continue;
                    };
                    element(self.global_element(&name, spot))
                }
                (None, Some(ty)) => {
                    let name = self.table.resolve(part.spot, ty, self.report);
                    let value = self.value(&name, part.spot);
                    part_field(&part, value)
                }
                (None, None) => {
                    let told = format!(
                        "the header {} is left out: this part has neither an element nor a type",
                        quote(&part.name)
                    );
                    self.left_out(self.table.span(part.spot), told);
                    continue;
                }
            };
            if fields.iter().any(|other| other.xml == field.xml) {
                continue;
            }
            // A WSDL does not say whether a header is required.
            field.ty = field.ty.optional();
            field.marks.header = true;
            field.marks.nillable = false;
            field.default = None;
            fields.push(field);
        }
        fields
    }

    /// SOAP-26: parts in the header of a response and its result are the fields of one struct.
    pub fn answer_headers(&mut self, operation: &Operation, says: &BoundOperation, method: &mut Method) {
        if self.encoded {
            for header in &says.output.headers {
                let told = format!(
                    "the header {} of the response of {} is left out: messages of SOAP encoding have none",
                    quote(&header.part),
                    quote(&operation.name)
                );
                self.left_out(self.table.span(header.spot), told);
            }
            return;
        }
        let headers = self.headers(&says.output.headers);
        let Some(response) = &method.response else { return };
        let body = match (&method.result, response.bare) {
            (Some(Field { ty: Ty::Decl(id), .. }), true) if response.several => Some(*id),
            _ => None,
        };
        let taken: Vec<&QName> = match (body, &method.result) {
            (Some(id), _) => {
                self.draft.decls[id.0].shape.fields().iter().filter_map(|field| field.xml.as_ref()).collect()
            }
            (None, Some(result)) if !response.bare => result.xml.iter().collect(),
            (None, _) => Vec::new(),
        };
        let (in_body, headers): (Vec<Field>, Vec<Field>) = headers
            .into_iter()
            .partition(|header| header.xml.as_ref().is_some_and(|xml| taken.contains(&xml)));
        for header in in_body {
            let told = format!(
                "the header {} of the response of {} is left out: its body has the same element",
                quote(&header.name),
                quote(&operation.name)
            );
            self.left_out(self.table.span(operation.spot), told);
        }
        if headers.is_empty() {
            return;
        }
        let doc = format!("What {} gives, with the headers of its answer.", operation.name);
        if let Some(id) = body {
            let decl = &mut self.draft.decls[id.0];
            decl.notes.doc = doc;
            if let Shape::Struct(fields) = &mut decl.shape {
                fields.extend(headers);
            }
            return;
        }
        // An empty body has no element.
        let namespace = match (&*response.element.namespace, headers.first().and_then(|h| h.xml.as_ref())) {
            ("", Some(header)) => header.namespace.clone(),
            _ => response.element.namespace.clone(),
        };
        let mut fields = Vec::new();
        if let Some(mut result) = method.result.take() {
            result.marks.nillable &= !response.bare;
            if response.bare {
                // The response itself names the body's element.
                result.xml = None;
            }
            fields.push(result);
        }
        fields.extend(headers);
        let id = self.add(Decl {
            shape: Shape::Struct(fields),
            name: capitalised(&format!("{}Answer", operation.name)),
            suffix: "Result",
            rank: Rank::Anonymous,
            xml: None,
            namespace,
            notes: Notes { doc, comments: Vec::new() },
        });
        method.result = Some(plain("result", Ty::Decl(id)));
    }
}
