//! A tree without positions.

use crate::tree::{
    Annotation, DeclarationKind, Field, Head, Literal, LiteralKind, Tree, TypeName, TypeRef, TypeRefKind,
};
use creo_diag::Span;
use std::fmt::Write;

/// A tree's content as text without positions: equal for texts with the same meaning. Used by the formatter's tests.
pub fn outline(tree: &Tree) -> String {
    let mut out = String::new();
    tree.notes.iter().for_each(|note| annotation(note, &mut out));
    for import in &tree.imports {
        let _ = writeln!(out, "import {:?}", import.path);
    }
    for declaration in &tree.declarations {
        head(&declaration.head, &mut out);
        let extensible = if declaration.extensible.is_some() { "extensible " } else { "" };
        let _ = writeln!(out, "{extensible}{} {}", declaration.kind.keyword(), declaration.name.text);
        match &declaration.kind {
            DeclarationKind::Struct(fields)
            | DeclarationKind::Exception(fields)
            | DeclarationKind::Union(fields) => {
                fields.iter().for_each(|f| field(f, &mut out));
            }
            DeclarationKind::Enum(constants) => {
                for constant in constants {
                    head(&constant.head, &mut out);
                    let number = constant.number.as_ref().map(literal);
                    let _ = writeln!(out, "  constant {} {number:?}", constant.name.text);
                }
            }
            DeclarationKind::Interface(methods) => {
                for method in methods {
                    head(&method.head, &mut out);
                    let throws: Vec<String> = method.throws.iter().map(TypeName::text).collect();
                    let oneway = method.oneway.is_some();
                    let _ = writeln!(
                        out,
                        "  method {}{} {} oneway={oneway} throws={throws:?}",
                        stream(method.streams),
                        ty(&method.result),
                        method.name.text
                    );
                    method.parameters.iter().for_each(|p| field(p, &mut out));
                }
            }
        }
    }
    out
}

fn head(head: &Head, out: &mut String) {
    if let Some(doc) = &head.doc {
        let _ = writeln!(out, "doc {doc:?}");
    }
    head.annotations.iter().for_each(|a| annotation(a, out));
}

fn annotation(annotation: &Annotation, out: &mut String) {
    let _ = write!(out, "@{}", annotation.name.text);
    for argument in &annotation.arguments {
        let _ =
            write!(out, " {:?}={}", argument.name.as_ref().map(|name| &name.text), literal(&argument.value));
    }
    out.push('\n');
}

fn field(field: &Field, out: &mut String) {
    head(&field.head, out);
    let (stream, ty) = (stream(field.streams), ty(&field.ty));
    let _ = writeln!(out, "    {stream}{ty} {} {:?}", field.name.text, field.default.as_ref().map(literal));
}

fn stream(word: Option<Span>) -> &'static str {
    if word.is_some() { "stream " } else { "" }
}

fn literal(literal: &Literal) -> String {
    match &literal.kind {
        LiteralKind::String(text) => format!("{text:?}"),
        LiteralKind::Character(unit) => format!("'{unit:04x}'"),
        LiteralKind::Integer(text) | LiteralKind::Decimal(text) | LiteralKind::Word(text) => text.clone(),
        LiteralKind::Empty => "{}".to_owned(),
        LiteralKind::Unknown => "?".to_owned(),
    }
}

fn ty(ty_ref: &TypeRef) -> String {
    match &ty_ref.kind {
        TypeRefKind::Name(name) => name.text(),
        TypeRefKind::Array(item) => format!("{}[]", ty(item)),
        TypeRefKind::Optional(item) => format!("{}?", ty(item)),
        TypeRefKind::Map(key, value) => format!("Map<{}, {}>", ty(key), ty(value)),
        TypeRefKind::Unknown => "?".to_owned(),
    }
}
