//! Unions: a closed hierarchy of records, and its codec.

use crate::context::Context;
use crate::lower::TypeUnit;
use crate::render_values::Values;
use crate::text;
use creo_codegen::Writer;
use creo_plan::{Field, Union};

/// What a member that is kept as its bytes is charged (LIM-18).
const UNKNOWN_MEMBER: u64 = 32;

/// What the value of each member is charged (LIM-18).
pub fn charges(w: &mut Writer, cx: &Context, union: &Union) {
    let charges: Vec<String> = union.charges().map(|charge| charge.to_string()).collect();
    w.line(format!(
        "private static {}<int> Charges => [{}];",
        cx.platform("ReadOnlySpan"),
        charges.join(", ")
    ));
}

pub fn types(w: &mut Writer, cx: &Context, unit: &TypeUnit, members: &[creo_model::Field]) {
    w.line(format!("public abstract record {}", unit.name));
    w.block("{", "}", |w| {
        w.line(format!("private {}()", unit.name));
        w.block("{", "}", |_| {});
        for (member, name) in members.iter().zip(&unit.members) {
            w.blank();
            text::summary(w, member.notes.doc.as_deref());
            text::obsolete(w, cx, member.notes.deprecated.as_deref());
            w.line(format!(
                "public sealed record {}({} Value) : {};",
                name.name,
                cx.ty(&member.ty),
                unit.name
            ));
        }
        if let Some(unknown) = &unit.unknown {
            w.blank();
            w.line(
                "/// <summary>A member that this side does not know: it is written as it was read.</summary>",
            );
            w.line("/// <param name=\"Index\">Its position among the members.</param>");
            w.line("/// <param name=\"Bytes\">Its value on the binary wire.</param>");
            w.line(format!(
                "public sealed record {unknown}(int Index, {}<byte> Bytes) : {};",
                cx.framework("ValueArray"),
                unit.name
            ));
        }
    });
}

pub fn encode(w: &mut Writer, cx: &Context, unit: &TypeUnit, members: &[Field], values: &mut Values) {
    let own = cx.named_in_full(unit.id);
    let writer = cx.framework("Writer");
    w.line("switch (value)");
    w.block("{", "}", |w| {
        for (index, (member, name)) in members.iter().zip(&unit.members).enumerate() {
            let local = values.fresh("member");
            w.line(format!("case {own}.{} {local}:", name.name));
            w.block("{", "}", |w| {
                w.line(format!("writer.WriteCount({index});"));
                if unit.unknown.is_some() {
                    let region = values.fresh("region");
                    w.line(format!("int {region} = writer.OpenRegion();"));
                    values.write(w, &member.node, &format!("{local}.Value"));
                    w.line(format!("writer.CloseRegion({region});"));
                } else {
                    values.write(w, &member.node, &format!("{local}.Value"));
                }
                w.line("break;");
            });
            w.blank();
        }
        if let Some(unknown) = &unit.unknown {
            let local = values.fresh("member");
            let region = values.fresh("region");
            w.line(format!("case {own}.{unknown} {local}:"));
            w.block("{", "}", |w| {
                w.line(format!("writer.WriteCount({local}.Index);"));
                w.line(format!("int {region} = writer.OpenRegion();"));
                w.line(format!("writer.WriteRaw({local}.Bytes);"));
                w.line(format!("writer.CloseRegion({region});"));
                w.line("break;");
            });
            w.blank();
        }
        w.line("default:");
        w.indented(|w| {
            w.line(format!("{writer}.ThrowNull(\"{}\");", cx.output.model.full_name(unit.id)));
            w.line("break;");
        });
    });
}

/// Reads into a local that is declared, `result`.
pub fn decode(w: &mut Writer, cx: &Context, unit: &TypeUnit, members: &[Field], values: &mut Values) {
    let own = cx.named_in_full(unit.id);
    let reader = cx.framework("Reader");
    w.line(format!(
        "int index = reader.ReadMember(Charges, {});",
        if unit.unknown.is_some() { UNKNOWN_MEMBER } else { 0 }
    ));
    if unit.unknown.is_some() {
        w.line("int outer = reader.OpenRegion();");
    }
    w.line(format!("{own} result;"));
    w.line("switch (index)");
    w.block("{", "}", |w| {
        for (index, (member, name)) in members.iter().zip(&unit.members).enumerate() {
            w.line(format!("case {index}:"));
            w.block("{", "}", |w| {
                let value = values.read(w, &member.node);
                w.line(format!("result = new {own}.{}({value});", name.name));
                if unit.unknown.is_some() {
                    w.line("reader.CloseFullRegion(outer);");
                }
                w.line("break;");
            });
            w.blank();
        }
        w.line("default:");
        w.indented(|w| match &unit.unknown {
            Some(unknown) => {
                w.line(format!("result = new {own}.{unknown}(index, reader.ReadRest());"));
                w.line("reader.CloseRegion(outer);");
                w.line("break;");
            }
            None => w.line(format!(
                "throw {reader}.Undeclared(\"{}\", index);",
                cx.output.model.full_name(unit.id)
            )),
        });
    });
}
