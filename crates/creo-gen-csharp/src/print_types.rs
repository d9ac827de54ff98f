//! Prints value types: records, enums, exceptions and unions.

use crate::lang::{Enum, Field, Kind, Output, Record, Type, Union};
use crate::names_scope::Scope;
use crate::print_shared::{Frame, about, file, obsolete, summary};
use creo_codegen::{HIDDEN, Writer};

pub fn print(output: &Output, ty: &Type) -> String {
    let frame = Frame {
        output,
        namespace: &ty.classes.class.namespace,
        nests: matches!(ty.kind, Kind::Union(_)),
        touches_deprecated: ty.touches_deprecated,
    };
    file(&frame, |w, scope| {
        about(w, scope, &ty.about);
        let name = &ty.classes.class.name;
        match &ty.kind {
            Kind::Struct(record) => structure(w, scope, name, record),
            Kind::Exception(record) => exception(w, scope, ty, record),
            Kind::Enum(enumeration) => self::enumeration(w, scope, name, enumeration),
            Kind::Union(union) => self::union(w, scope, name, union),
        }
    })
}

fn structure(w: &mut Writer, scope: &Scope, name: &str, record: &Record) {
    let kind = if record.layout.is_some() { "readonly record struct" } else { "sealed record" };
    if record.fields.is_empty() {
        w.line(format!("public {kind} {name};"));
        return;
    }
    w.line(format!("public {kind} {name}"));
    w.block("{", "}", |w| {
        properties(w, scope, &record.fields);
        if record.fields.iter().any(|field| field.about.secret) {
            w.blank();
            let shown = shown(record.fields.iter().map(|f| (&f.name, &f.name, f.about.secret)));
            w.line("/// <inheritdoc/>");
            w.line(format!("public override string ToString() => $\"{name} {{{{ {shown} }}}}\";"));
        }
    });
}

/// Fields with their values, within an interpolated string: the name that is shown, the property, and whether it is secret.
fn shown<'a>(fields: impl Iterator<Item = (&'a String, &'a String, bool)>) -> String {
    let one = |(shown, name, secret)| {
        if secret { format!("{shown} = {HIDDEN}") } else { format!("{shown} = {{{name}}}") }
    };
    fields.map(one).collect::<Vec<_>>().join(", ")
}

fn properties(w: &mut Writer, scope: &Scope, fields: &[Field]) {
    for (i, field) in fields.iter().enumerate() {
        if i > 0 {
            w.blank();
        }
        summary(w, &field.about);
        // A required member must not be deprecated, unless it has to be both.
        let conflict = field.is_required && field.about.deprecated.is_some();
        if conflict {
            w.line("#pragma warning disable CS9042");
        }
        obsolete(w, scope, &field.about);
        let hides = if field.is_message { "new " } else { "" };
        let required = if field.is_required { "required " } else { "" };
        let initializer = field.initializer.as_ref().map_or(String::new(), |value| format!(" = {value};"));
        let ty = field.value.ty.text(scope);
        w.line(format!("public {hides}{required}{ty} {} {{ get; init; }}{initializer}", field.name));
        if conflict {
            w.line("#pragma warning restore CS9042");
        }
    }
}

fn exception(w: &mut Writer, scope: &Scope, ty: &Type, record: &Record) {
    let base = scope.runtime("DeclaredException");
    w.line(format!("public sealed class {} : {base}", ty.classes.class.name));
    w.block("{", "}", |w| {
        if !record.fields.is_empty() {
            properties(w, scope, &record.fields);
            w.blank();
        }
        let description = if record.fields.iter().any(|field| field.is_message && !field.about.secret) {
            "Message".to_owned()
        } else if record.fields.is_empty() {
            format!("\"{}\"", ty.full_name)
        } else {
            let shown = shown(record.fields.iter().map(|f| (&f.wire_name, &f.name, f.about.secret)));
            format!("$\"{} {{{{ {shown} }}}}\"", ty.full_name)
        };
        w.line("/// <inheritdoc/>");
        w.line(format!("protected override string Describe() => {description};"));
    });
}

fn enumeration(w: &mut Writer, scope: &Scope, name: &str, enumeration: &Enum) {
    w.line(format!("public enum {name}"));
    w.block("{", "}", |w| {
        for (i, constant) in enumeration.constants.iter().enumerate() {
            if i > 0 && (constant.about.doc.is_some() || constant.about.deprecated.is_some()) {
                w.blank();
            }
            about(w, scope, &constant.about);
            w.line(format!("{} = {},", constant.name, constant.number));
        }
    });
}

/// A closed hierarchy of records.
fn union(w: &mut Writer, scope: &Scope, name: &str, union: &Union) {
    w.line(format!("public abstract record {name}"));
    w.block("{", "}", |w| {
        w.line(format!("private {name}()"));
        w.block("{", "}", |_| {});
        for member in &union.members {
            w.blank();
            about(w, scope, &member.about);
            let ty = member.value.ty.text(scope);
            let head = format!("public sealed record {}({ty} Value) : {name}", member.name);
            if member.about.secret {
                let text = format!("\"{} {{ Value = {HIDDEN} }}\"", member.name);
                w.line(head);
                w.block("{", "}", |w| w.line(format!("public override string ToString() => {text};")));
            } else {
                w.line(format!("{head};"));
            }
        }
        if let Some(unknown) = &union.unknown {
            w.blank();
            w.line(
                "/// <summary>A member that this side does not know: it is written as it was read.</summary>",
            );
            w.line("/// <param name=\"Index\">Its position among the members.</param>");
            w.line("/// <param name=\"Bytes\">Its value on the binary wire.</param>");
            let bytes = scope.runtime("ValueArray");
            w.line(format!("public sealed record {unknown}(int Index, {bytes}<byte> Bytes) : {name};"));
        }
    });
}
