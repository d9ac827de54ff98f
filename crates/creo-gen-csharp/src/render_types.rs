//! Value types: records, enums and exceptions.

use crate::context::Context;
use crate::lower::{Output, TypeUnit};
use crate::render_union;
use crate::text;
use creo_codegen::Writer;
use creo_model::{Constant, Field, TypeKind};

pub fn render(output: &Output, unit: &TypeUnit) -> String {
    let decl = output.decl(unit.id);
    let cx = Context::new(output, &unit.namespace, matches!(decl.kind, TypeKind::Union(_)));
    cx.file(unit.deprecated_inside, |w| {
        text::summary(w, decl.notes.doc.as_deref());
        text::obsolete(w, &cx, decl.notes.deprecated.as_deref());
        match &decl.kind {
            TypeKind::Struct(fields) => record(w, &cx, unit, fields),
            TypeKind::Exception(fields) => exception(w, &cx, unit, fields),
            TypeKind::Enum(constants) => enumeration(w, &cx, unit, constants),
            TypeKind::Union(members) => render_union::types(w, &cx, unit, members),
        }
    })
}

fn record(w: &mut Writer, cx: &Context, unit: &TypeUnit, fields: &[Field]) {
    let kind = if unit.value { "readonly record struct" } else { "sealed record" };
    if fields.is_empty() {
        w.line(format!("public {kind} {};", unit.name));
        return;
    }
    w.line(format!("public {kind} {}", unit.name));
    w.block("{", "}", |w| properties(w, cx, unit, fields));
}

fn properties(w: &mut Writer, cx: &Context, unit: &TypeUnit, fields: &[Field]) {
    for (i, (field, member)) in fields.iter().zip(&unit.members).enumerate() {
        if i > 0 {
            w.blank();
        }
        text::summary(w, field.notes.doc.as_deref());
        // A required member may not be deprecated, unless there is nothing else that it could be.
        let conflict = member.required && field.notes.deprecated.is_some();
        if conflict {
            w.line("#pragma warning disable CS9042");
        }
        text::obsolete(w, cx, field.notes.deprecated.as_deref());
        let hides = if member.is_message { "new " } else { "" };
        let required = if member.required { "required " } else { "" };
        let initializer = member.initializer.as_ref().map_or(String::new(), |value| format!(" = {value};"));
        w.line(format!(
            "public {hides}{required}{} {} {{ get; init; }}{initializer}",
            cx.ty(&field.ty),
            member.name
        ));
        if conflict {
            w.line("#pragma warning restore CS9042");
        }
    }
}

fn exception(w: &mut Writer, cx: &Context, unit: &TypeUnit, fields: &[Field]) {
    w.line(format!("public sealed class {} : {}", unit.name, cx.framework("DeclaredException")));
    w.block("{", "}", |w| {
        if !fields.is_empty() {
            properties(w, cx, unit, fields);
            w.blank();
        }
        let description = match unit.members.iter().find(|m| m.is_message) {
            Some(_) => "Message".to_owned(),
            None if fields.is_empty() => format!("\"{}\"", cx.output.model.full_name(unit.id)),
            None => {
                let shown: Vec<String> = fields
                    .iter()
                    .zip(&unit.members)
                    .map(|(f, m)| format!("{} = {{{}}}", f.name, m.name))
                    .collect();
                format!("$\"{} {{{{ {} }}}}\"", cx.output.model.full_name(unit.id), shown.join(", "))
            }
        };
        w.line("/// <inheritdoc/>");
        w.line(format!("protected override string Describe() => {description};"));
    });
}

fn enumeration(w: &mut Writer, cx: &Context, unit: &TypeUnit, constants: &[Constant]) {
    w.line(format!("public enum {}", unit.name));
    w.block("{", "}", |w| {
        for (i, (constant, member)) in constants.iter().zip(&unit.members).enumerate() {
            if i > 0 && (constant.notes.doc.is_some() || constant.notes.deprecated.is_some()) {
                w.blank();
            }
            text::summary(w, constant.notes.doc.as_deref());
            text::obsolete(w, cx, constant.notes.deprecated.as_deref());
            w.line(format!("{} = {},", member.name, constant.number));
        }
    });
}
