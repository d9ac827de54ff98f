//! Checks structs whose fields are the parts of answers (SOAP-26, SOAP-100), for a description whose annotations fit each alone.

use super::xml::span_of;
use crate::mistakes::XmlConflict;
use crate::resolve::Resolved;
use creo_diag::{Report, Span};
use creo_model::{Field, Method, Type, TypeId, TypeKind, Xml, XmlWord};
use creo_syntax::{DeclarationKind, Head};

/// Such a struct consists of elements, and is only the result of methods. Its fields are the parts of their responses.
pub fn headers(resolved: &Resolved, report: &mut Report) {
    structs(resolved, report);
    uses(resolved, report);
    answers(resolved, report);
}

fn fields<'t>(resolved: &Resolved<'t>, id: TypeId) -> &'t [creo_syntax::Field] {
    match &resolved.types[id.0].kind {
        DeclarationKind::Struct(fields)
        | DeclarationKind::Exception(fields)
        | DeclarationKind::Union(fields) => fields,
        DeclarationKind::Enum(_) | DeclarationKind::Interface(_) => &[],
    }
}

/// What makes the fields of a struct parts.
#[derive(Clone, Copy)]
struct Mark {
    /// The first field in the header, or the word `parts`.
    span: Span,
    in_header: bool,
}

impl Mark {
    fn word(self) -> &'static str {
        if self.in_header { "header" } else { "parts" }
    }
}

fn mark(resolved: &Resolved, id: TypeId) -> Option<Mark> {
    let declared = resolved.model.ty(id).fields().iter().zip(fields(resolved, id));
    let mut headers = declared.filter(|(field, _)| field.notes.xml().has(XmlWord::Header));
    let header = headers.next().map(|(_, tree)| span_of(&tree.head, "Xml", "header"));
    match header {
        Some(span) => Some(Mark { span, in_header: true }),
        None if resolved.model.is_parts(id) => {
            let span = span_of(&resolved.types[id.0].head, "Xml", "parts");
            Some(Mark { span, in_header: false })
        }
        None => None,
    }
}

fn structs(resolved: &Resolved, report: &mut Report) {
    let model = &resolved.model;
    for id in model.type_ids() {
        let Some(mark) = mark(resolved, id) else { continue };
        let decl = model.ty(id);
        let mut refuse = |span: Span, message: String, help: &str| {
            let told = if mark.in_header { "this field is in the header" } else { "its fields are parts" };
            let other = Some((mark.span, told.to_owned()));
            report.add(&XmlConflict { span, message, other, help: Some(help.to_owned()) });
        };
        let name = resolved.types[id.0].name.span;
        if matches!(decl.kind, TypeKind::Exception(_)) {
            let message = "an exception has nothing in a header".to_owned();
            refuse(name, message, "leave out `header`: its fields are in the detail of the fault");
        } else if decl.extensible {
            let what = if mark.in_header { "with headers" } else { "of parts" };
            let message = format!("a struct {what} is not extensible");
            refuse(name, message, "make a later part optional, and give the struct another name");
        }
        for (field, tree) in decl.fields().iter().zip(fields(resolved, id)) {
            let xml = field.notes.xml();
            let repeated = matches!(field.ty, Type::Array(_)) && !xml.has(XmlWord::List);
            if xml.has(XmlWord::Header) && repeated {
                let message = "a field in the header of an answer is one element".to_owned();
                refuse(tree.name.span, message, "make the array optional: `String[]?`");
            }
            for word in [XmlWord::Attribute, XmlWord::Text] {
                if xml.has(word) {
                    let message = if mark.in_header {
                        format!("beside a header there are elements alone, and not `{}`", word.word())
                    } else {
                        format!("a part is an element, and not `{}`", word.word())
                    };
                    refuse(span_of(&tree.head, "Xml", word.word()), message, "leave it out");
                }
            }
        }
    }
}

/// Refuses such a struct anywhere but as a result.
fn uses(resolved: &Resolved, report: &mut Report) {
    let model = &resolved.model;
    let mut look = |ty: &Type, span: Span| {
        for id in ty.names().filter(|id| model.is_parts(*id)) {
            let Some(mark) = mark(resolved, id) else { continue };
            let name = &model.ty(id).name;
            let message = if mark.in_header {
                format!("`{name}` has fields in the header of answers, so it is only a result")
            } else {
                format!("the fields of `{name}` are the parts of answers, so it is only a result")
            };
            let help = format!("make it the result of a method itself, or leave out `{}`", mark.word());
            let other = Some((mark.span, "this is one".to_owned()));
            report.add(&XmlConflict { span, message, other, help: Some(help) });
        }
    };
    for id in model.type_ids() {
        for (field, tree) in model.ty(id).fields().iter().zip(fields(resolved, id)) {
            look(&field.ty, tree.name.span);
        }
    }
    for (interface, tree) in model.interfaces.iter().zip(&resolved.interfaces) {
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        for (method, tree) in interface.methods.iter().zip(trees) {
            for (field, tree) in method.parameters.iter().zip(&tree.parameters) {
                look(&field.ty, tree.name.span);
            }
            if let Some(ty) = method.result.as_ref().filter(|_| model.result_in_parts(method).is_none()) {
                look(ty, tree.name.span);
            }
        }
    }
}

fn answers(resolved: &Resolved, report: &mut Report) {
    let model = &resolved.model;
    for (interface, tree) in model.interfaces.iter().zip(&resolved.interfaces) {
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        for (method, own) in interface.methods.iter().zip(trees) {
            let Some(id) = model.result_in_parts(method) else { continue };
            let Some(mark) = mark(resolved, id) else { continue };
            let mut refuse = |span: Span, message: &str, help: &str| {
                let told = if mark.in_header { "its result has a header" } else { "its result is of parts" };
                report.add(&XmlConflict {
                    span,
                    message: message.to_owned(),
                    other: Some((mark.span, told.to_owned())),
                    help: Some(help.to_owned()),
                });
            };
            if interface.notes.xml().has(XmlWord::Encoded) {
                let (message, help) = if mark.in_header {
                    ("the answers of an encoded interface have no headers", "leave out `header`")
                } else {
                    ("the answers of an encoded interface have one element", "leave out `parts`")
                };
                refuse(own.name.span, message, help);
            }
            if let Some(said) = own.head.annotations.iter().find(|said| said.name.text == "XmlResult") {
                let help = "annotate the fields of the struct";
                refuse(said.span, "the fields of this result are the parts of the answer", help);
            }
            if method.response_xml().has(XmlWord::Bare) {
                bare(resolved, id, mark, method, &own.head, &mut refuse);
            } else if !mark.in_header {
                let message = "the parts of this result are in an element of the response";
                refuse(own.name.span, message, "write `@XmlResponse(bare)`, or leave out `parts`");
            }
        }
    }
}

/// The body of a bare response holds the elements of the fields outside of the header. A single one is named by the response.
fn bare(
    resolved: &Resolved,
    id: TypeId,
    mark: Mark,
    method: &Method,
    head: &Head,
    refuse: &mut impl FnMut(Span, &str, &str),
) {
    let response = method.response_xml();
    let declared = resolved.model.ty(id).fields().iter().zip(fields(resolved, id));
    let body: Vec<(&Field, &creo_syntax::Field)> =
        declared.filter(|(field, _)| !field.notes.xml().has(XmlWord::Header)).collect();
    if let ([] | [_], false) = (body.as_slice(), mark.in_header) {
        let message = "a struct of parts has several fields";
        refuse(resolved.types[id.0].name.span, message, "make its only field the result");
        return;
    }
    let own = |xml: &Xml| {
        let named = [("name", xml.name.is_some()), ("namespace", xml.namespace.is_some())];
        named.into_iter().filter(|(_, said)| *said).map(|(word, _)| word)
    };
    if body.len() != 1 {
        let message = if body.is_empty() {
            "the body of this response is empty, so no element has a name"
        } else {
            "the elements of this response have the names of the fields"
        };
        if let Some(word) = own(response).next() {
            refuse(span_of(head, "XmlResponse", word), message, "leave out `bare`, or the name");
        }
    }
    for (field, tree) in &body {
        let xml = field.notes.xml();
        let words = [XmlWord::Inline, XmlWord::Any, XmlWord::AnyAttribute];
        let said = words.into_iter().filter(|word| xml.has(*word)).map(XmlWord::word);
        let named = own(xml).filter(|_| body.len() == 1);
        for word in said.chain(named) {
            let (message, help) = if body.len() == 1 {
                (
                    "this field is the element of a bare response",
                    "name the element by `@XmlResponse(bare, name = \"..\")`",
                )
            } else {
                ("this field is an element of a bare response", "leave it out")
            };
            refuse(span_of(&tree.head, "Xml", word), message, help);
        }
    }
}
