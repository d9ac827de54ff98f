//! Constants and methods.

use crate::literal::integer;
use crate::mistakes::{
    DuplicateName, DuplicateNumber, InvalidNumber, InvalidOneway, InvalidStream, NotAnException, XmlConflict,
};
use crate::resolve::{Resolved, is_void};
use crate::scope::UNKNOWN;
use creo_diag::{Report, Span};
use creo_model::TypeKind;
use creo_syntax::{DeclarationKind, Field, LiteralKind, Method};
use std::collections::BTreeMap;

/// LANG-20.
const LARGEST_NUMBER: u32 = i32::MAX as u32;

/// LANG-20: gives every constant its number.
pub fn number_constants(resolved: &mut Resolved, report: &mut Report) {
    for (decl, tree) in resolved.model.types.iter_mut().zip(&resolved.types) {
        let (TypeKind::Enum(constants), DeclarationKind::Enum(trees)) = (&mut decl.kind, &tree.kind) else {
            continue;
        };
        // The number of the next constant, unless unknown because of an earlier error.
        let mut next = if tree.is_lossy { None } else { Some(0u32) };
        let mut seen: BTreeMap<u32, Span> = BTreeMap::new();
        for (constant, tree) in constants.iter_mut().zip(trees) {
            let (number, span) = match &tree.number {
                None => (next, tree.name.span),
                Some(literal) => {
                    let LiteralKind::Integer(text) = &literal.kind else {
                        next = None;
                        continue;
                    };
                    let number = integer(text)
                        .and_then(|value| u32::try_from(value).ok())
                        .filter(|value| *value <= LARGEST_NUMBER);
                    if number.is_none() {
                        report.add(&InvalidNumber { span: literal.span, counted: false });
                    }
                    (number, literal.span)
                }
            };
            let Some(number) = number else {
                next = None;
                continue;
            };
            if number > LARGEST_NUMBER {
                report.add(&InvalidNumber { span, counted: true });
                next = None;
                continue;
            }
            constant.number = number;
            next = Some(number + 1);
            match seen.get(&number) {
                Some(first) => report.add(&DuplicateNumber { span, first: *first, number }),
                None => {
                    seen.insert(number, span);
                }
            }
        }
    }
}

/// LANG-22.
pub fn methods(resolved: &Resolved, report: &mut Report) {
    for (interface, tree) in resolved.model.interfaces.iter().zip(&resolved.interfaces) {
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        for (method, tree) in interface.methods.iter().zip(trees) {
            if let Some(oneway) = tree.oneway {
                if !is_void(&tree.result) && tree.streams.is_none() {
                    report.add(&InvalidOneway { span: tree.result.span, oneway, returns: true });
                }
                if let (Some(first), Some(last)) = (tree.throws.first(), tree.throws.last()) {
                    report.add(&InvalidOneway { span: first.span.to(last.span), oneway, returns: false });
                }
            }
            let mut seen = BTreeMap::new();
            for (id, name) in method.throws.iter().zip(&tree.throws) {
                if *id == UNKNOWN {
                    continue;
                }
                if !matches!(resolved.model.ty(*id).kind, TypeKind::Exception(_)) {
                    let keyword = resolved.types[id.0].kind.keyword();
                    let declared = resolved.types[id.0].name.span;
                    report.add(&NotAnException { span: name.span, name: name.text(), keyword, declared });
                }
                if let Some(first) = seen.get(id) {
                    report.add(&DuplicateName {
                        span: name.span,
                        first: *first,
                        name: name.text(),
                        of: "exception",
                    });
                } else {
                    seen.insert(*id, name.span);
                }
            }
        }
    }
}

/// LANG-30.
pub fn streams(resolved: &Resolved, report: &mut Report) {
    for tree in &resolved.interfaces {
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        trees.iter().for_each(|method| streams_of(method, report));
    }
}

fn streams_of(method: &Method, report: &mut Report) {
    let parameters: Vec<(Span, &Field)> =
        method.parameters.iter().filter_map(|field| Some((field.streams?, field))).collect();
    let Some(first) = method.streams.or_else(|| Some(parameters.first()?.0)) else { return };
    if let Some(oneway) = method.oneway {
        let message = "a `oneway` method has no streams";
        report.add(&InvalidStream { span: first, message, because: (oneway, "it is `oneway`"), help: None });
    } else if let Some(last) = method.parameters.last() {
        for (span, _) in parameters.iter().filter(|(_, field)| field.span != last.span) {
            report.add(&InvalidStream {
                span: *span,
                message: "only the last parameter can be a stream",
                because: (last.name.span, "the last parameter"),
                help: Some("move it to the end; a second one needs a method of its own"),
            });
        }
    }
    let heads = parameters.iter().map(|(span, field)| (*span, &field.head, ["Xml"].as_slice()));
    let of_method = (first, &method.head, ["Idempotent", "XmlResponse", "XmlResult"].as_slice());
    for (stream, head, refused) in heads.chain([of_method]) {
        for annotation in &head.annotations {
            let name = annotation.name.text.as_str();
            if refused.contains(&name) {
                let message = match name {
                    "Idempotent" => "a method with a stream is never repeated",
                    "Xml" => "a stream has no place in XML",
                    _ => "a method with a stream has no answer in XML",
                };
                report.add(&XmlConflict {
                    span: annotation.span,
                    message: message.to_owned(),
                    other: Some((stream, "the stream".to_owned())),
                    help: Some(format!("leave out `@{name}`")),
                });
            }
        }
    }
}
