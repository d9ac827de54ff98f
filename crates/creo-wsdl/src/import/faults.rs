//! From faults to exceptions (SOAP-10).

use crate::import::draft::plain;
use crate::import::draft::{Decl, DeclId, Notes, Rank, Shape, Ty};
use crate::import::mapper::{Key, Mapper};
use crate::import::slots::Value;
use crate::import::table::{Kind, QName, Spot};
use crate::import::text::capitalised;
use crate::import::wsdl::{Fault, Operation, Part};
use creo_diag::{Code, Diagnostic, quote};

enum Content {
    Complex(Spot),
    Raw,
    Text(Value),
}

impl Mapper<'_> {
    /// The message that a fault names. One that names none is reported.
    pub fn fault_message<'f>(&mut self, fault: &'f Fault, operation: &Operation) -> Option<&'f QName> {
        if fault.message.is_none() {
            let told = format!(
                "the fault {} of {} is left out: it names no message",
                quote(&fault.name),
                quote(&operation.name)
            );
            let span = self.table.span(fault.spot);
            self.report.add(&Diagnostic::new(Code::UnknownComponent, span, told));
        }
        fault.message.as_ref()
    }

    /// The exception for a fault whose message has these parts.
    pub fn exception(&mut self, fault: &Fault, operation: &Operation, parts: &[Part]) -> Option<DeclId> {
        let part = match parts {
            [part] => part,
            parts => {
                let told = format!(
                    "the fault {} of {} is left out: its message has {} parts",
                    quote(&fault.name),
                    quote(&operation.name),
                    parts.len()
                );
                self.left_out(self.table.span(fault.spot), told);
                return None;
            }
        };
        let (key, xml, value, doc) = match (&part.element, &part.ty) {
            (Some(name), _) => {
                let name = self.table.resolve(part.spot, name, self.report);
                let (name, spot) = self.table.look_up(Kind::Element, &name, part.spot, self.report)?;
                let key = Key::Exception(name.clone());
                if let Some(known) = self.known(&key) {
                    return Some(known);
                }
                (key, name, self.content_of(spot), self.doc(spot))
            }
            (None, Some(ty)) => {
                let key = Key::PartException(part.spot);
                if let Some(known) = self.known(&key) {
                    return Some(known);
                }
                let name = self.table.resolve(part.spot, ty, self.report);
                let content = self.content_of_type(&name, part.spot);
                (key, QName::new("", part.name.as_str()), content, String::new())
            }
            (None, None) => {
                let told = format!(
                    "the fault {} of {} is left out: the part {} of its message has neither an element nor a type",
                    quote(&fault.name),
                    quote(&operation.name),
                    quote(&part.name)
                );
                self.left_out(self.table.span(fault.spot), told);
                return None;
            }
        };
        let mut notes = Notes { doc, comments: Vec::new() };
        let fields = match value {
            Content::Complex(spot) => {
                let (fields, comments) = self.fields_of(spot, &capitalised(&xml.local));
                notes.comments = comments;
                if notes.doc.is_empty() {
                    notes.doc = self.doc(spot);
                }
                fields
            }
            Content::Raw => {
                notes.comments.push("Any content: its elements, as XML.".to_owned());
                let mut field = plain("any", Ty::Word("String").array());
                field.marks.any = true;
                vec![field]
            }
            Content::Text(value) => {
                let mut field = plain("value", value.ty);
                field.marks.text = true;
                field.marks.list = value.list;
                field.marks.xsd = value.xsd;
                field.notes.comments.extend(value.comment);
                vec![field]
            }
        };
        let local = xml.local.clone();
        Some(self.declare(key, || Decl {
            shape: Shape::Exception(fields),
            name: local.to_string(),
            suffix: "Fault",
            rank: Rank::Exception,
            xml: Some(local),
            namespace: xml.namespace,
            notes,
        }))
    }

    /// The content of a fault's element.
    fn content_of(&mut self, spot: Spot) -> Content {
        if let Some(inner) = self.table.child(spot, &["complexType"]) {
            return if self.opaque(inner).is_some() { Content::Raw } else { Content::Complex(inner) };
        }
        match self.table.element(spot).attribute("type") {
            Some(name) => {
                let name = self.table.resolve(spot, name, self.report);
                self.content_of_type(&name, spot)
            }
            None => {
                let context = self.table.element(spot).attribute("name").unwrap_or("Fault").to_owned();
                let value = self.element_value(spot, &context, Rank::Element);
                if value.raw { Content::Raw } else { Content::Text(value) }
            }
        }
    }

    fn content_of_type(&mut self, name: &QName, from: Spot) -> Content {
        if let Some((_, spot)) = self.table.find(Kind::Type, name).filter(|_| !name.builtin())
            && self.table.element(spot).local == "complexType"
        {
            return if self.opaque(spot).is_some() { Content::Raw } else { Content::Complex(spot) };
        }
        let value = self.value(name, from);
        if value.raw { Content::Raw } else { Content::Text(value) }
    }
}
