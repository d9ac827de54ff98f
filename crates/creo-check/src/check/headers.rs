//! Checks structs with fields in the header of answers (SOAP-26), for a description whose annotations fit each alone.

use super::xml::span_of;
use crate::mistakes::XmlConflict;
use crate::resolve::Resolved;
use creo_diag::{Report, Span};
use creo_model::{Type, TypeId, TypeKind, Xml, XmlWord};
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

/// The first field in the header.
fn first_header(resolved: &Resolved, id: TypeId) -> Option<Span> {
    let declared = resolved.model.ty(id).fields().iter().zip(fields(resolved, id));
    let mut headers = declared.filter(|(field, _)| field.notes.xml().has(XmlWord::Header));
    headers.next().map(|(_, tree)| span_of(&tree.head, "Xml", "header"))
}

fn structs(resolved: &Resolved, report: &mut Report) {
    let model = &resolved.model;
    for id in model.type_ids() {
        let Some(header) = first_header(resolved, id) else { continue };
        let decl = model.ty(id);
        let mut refuse = |span: Span, message: String, help: &str| {
            let other = Some((header, "this field is in the header".to_owned()));
            report.add(&XmlConflict { span, message, other, help: Some(help.to_owned()) });
        };
        let name = resolved.types[id.0].name.span;
        if matches!(decl.kind, TypeKind::Exception(_)) {
            let message = "an exception has nothing in a header".to_owned();
            refuse(name, message, "leave out `header`: its fields are in the detail of the fault");
        } else if decl.extensible {
            let message = "a struct with headers is not extensible".to_owned();
            refuse(name, message, "make a later header optional, and give the struct another name");
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
                    let message =
                        format!("beside a header there are elements alone, and not `{}`", word.word());
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
        for id in ty.names().filter(|id| model.has_headers(*id)) {
            let other = first_header(resolved, id).map(|span| (span, "this is one".to_owned()));
            let message = format!(
                "`{}` has fields in the header of answers, so it is only a result",
                model.ty(id).name
            );
            let help = "make it the result of a method itself, or leave out `header`".to_owned();
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
            if let Some(ty) = method.result.as_ref().filter(|_| model.result_with_headers(method).is_none()) {
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
            let Some(id) = model.result_with_headers(method) else { continue };
            let Some(header) = first_header(resolved, id) else { continue };
            let mut refuse = |span: Span, message: &str, help: &str| {
                let other = Some((header, "its result has a header".to_owned()));
                report.add(&XmlConflict {
                    span,
                    message: message.to_owned(),
                    other,
                    help: Some(help.to_owned()),
                });
            };
            if interface.notes.xml().has(XmlWord::Encoded) {
                refuse(
                    own.name.span,
                    "the answers of an encoded interface have no headers",
                    "leave out `header`",
                );
            }
            if let Some(said) = own.head.annotations.iter().find(|said| said.name.text == "XmlResult") {
                let help = "annotate the fields of the struct";
                refuse(said.span, "the fields of this result are the parts of the answer", help);
            }
            if method.response_xml().has(XmlWord::Bare) {
                bare(resolved, id, method.response_xml(), &own.head, &mut refuse);
            }
        }
    }
}

/// The body of a bare response is the element of its only field outside of the header, or empty.
fn bare(
    resolved: &Resolved,
    id: TypeId,
    response: &Xml,
    head: &Head,
    refuse: &mut impl FnMut(Span, &str, &str),
) {
    let declared = resolved.model.ty(id).fields().iter().zip(fields(resolved, id));
    let body: Vec<_> = declared.filter(|(field, _)| !field.notes.xml().has(XmlWord::Header)).collect();
    match body.as_slice() {
        [] => {
            let word = if response.name.is_some() { "name" } else { "namespace" };
            if response.name.is_some() || response.namespace.is_some() {
                let message = "the body of this response is empty, so no element has a name";
                refuse(span_of(head, "XmlResponse", word), message, "leave out `bare`, or the name");
            }
        }
        [(field, tree)] => {
            let xml = field.notes.xml();
            let words = [XmlWord::Inline, XmlWord::Any, XmlWord::AnyAttribute];
            let said = words.into_iter().filter(|word| xml.has(*word)).map(XmlWord::word);
            let named = [("name", xml.name.is_some()), ("namespace", xml.namespace.is_some())];
            let named = named.into_iter().filter(|(_, said)| *said).map(|(word, _)| word);
            for word in said.chain(named) {
                let help = "name the element by `@XmlResponse(bare, name = \"..\")`";
                refuse(
                    span_of(&tree.head, "Xml", word),
                    "this field is the element of a bare response",
                    help,
                );
            }
        }
        [_, (_, second), ..] => {
            let message = "a bare response has one field beside headers at most";
            refuse(second.name.span, message, "put them into a struct, or leave out `bare`");
        }
    }
}
