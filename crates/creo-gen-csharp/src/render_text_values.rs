//! Statements that write values to text wires, and expressions that read them.

use crate::context::Context;
use crate::render_values::{Values, word};
use creo_codegen::Writer;
use creo_model::{Primitive, Type, TypeKind};
use creo_plan::{Kind, Node, StringForm};

/// Writes the statements that write the value `v` as the field `f`.
pub fn write(w: &mut Writer, values: &mut Values, node: &Node, f: &str, v: &str) {
    let cx = values.context();
    match &node.kind {
        Kind::Scalar(scalar) => w.line(format!("writer.Write{}({f}, {v});", word(scalar.primitive()))),
        Kind::Decimal => w.line(format!("writer.Write{}({f}, {v});", word(Primitive::Decimal))),
        Kind::String(StringForm::Plain | StringForm::Token | StringForm::QName) => {
            w.line(format!("writer.WriteString({f}, {v});"))
        }
        Kind::String(StringForm::Raw) => w.line(format!("writer.WriteRaw({f}, {v});")),
        Kind::Bytes { .. } => w.line(format!("writer.WriteBytes({f}, {v});")),
        Kind::Map { attributes: true, .. } => w.line(format!("writer.WriteAttributes({f}, {v});")),
        Kind::Enum(id) | Kind::Record(id) | Kind::Union(id) => {
            w.line(format!("{}.Write(writer, {f}, {v});", cx.text(*id)))
        }
        Kind::Optional(inner) => {
            let local = values.fresh("present");
            w.line(format!("if ({v} is {{ }} {local})"));
            w.block("{", "}", |w| write(w, values, inner, f, &local));
            w.line("else");
            w.block("{", "}", |w| w.line(format!("writer.WriteAbsent({f});")));
        }
        Kind::Array { bulk: Some(bulk), .. } => {
            w.line(format!("writer.Write{}s({f}, {v});", word(bulk.scalar().primitive())))
        }
        Kind::Array { item, bulk: None, .. } => {
            let (items, field) = (values.fresh("items"), values.fresh("itemField"));
            w.line(format!("var {items} = {v}.Span;"));
            w.line(format!("var {field} = writer.BeginItems({f}, {items}.Length);"));
            values.repeat(w, &format!("{items}.Length"), |values, w, i| {
                w.line(format!("writer.Item({i});"));
                write(w, values, item, &field, &format!("{items}[{i}]"));
            });
            w.line(format!("writer.EndItems({f});"));
        }
        Kind::Map { key, value, attributes: false } => {
            let (entries, field) = (values.fresh("entries"), values.fresh("partField"));
            w.line(format!("var {entries} = ({v} ?? throw writer.Missing({f})).Entries;"));
            w.line(format!("writer.BeginEntries({f}, {entries}.Length);"));
            values.repeat(w, &format!("{entries}.Length"), |values, w, i| {
                w.line(format!("var {field} = writer.Key({f}, {i});"));
                write(w, values, key, &field, &format!("{entries}[{i}].Key"));
                w.line(format!("{field} = writer.Value({f});"));
                write(w, values, value, &field, &format!("{entries}[{i}].Value"));
                w.line(format!("writer.EndEntry({f});"));
            });
            w.line(format!("writer.EndEntries({f});"));
        }
    }
}

/// The expression that reads a value.
pub fn read(cx: &Context, node: &Node) -> String {
    match &node.kind {
        Kind::Scalar(scalar) => format!("reader.Read{}()", word(scalar.primitive())),
        Kind::Decimal => format!("reader.Read{}()", word(Primitive::Decimal)),
        Kind::String(StringForm::Plain | StringForm::Token | StringForm::QName) => {
            "reader.ReadString()".to_owned()
        }
        Kind::String(StringForm::Raw) => "reader.ReadRaw()".to_owned(),
        Kind::Bytes { .. } => "reader.ReadBytes()".to_owned(),
        Kind::Map { attributes: true, .. } => "reader.ReadAttributes()".to_owned(),
        Kind::Enum(id) | Kind::Record(id) | Kind::Union(id) => format!("{}.Read(reader)", cx.text(*id)),
        Kind::Optional(inner) => {
            let value = read(cx, inner);
            format!(
                "reader.ReadNil() ? null : {}",
                if is_value_type(cx, &inner.ty) { format!("({}){value}", cx.ty(&node.ty)) } else { value }
            )
        }
        Kind::Array { bulk: Some(bulk), .. } => format!("reader.Read{}s()", word(bulk.scalar().primitive())),
        Kind::Array { item, bulk: None, .. } => {
            format!("reader.ReadItems<{}>({})", cx.ty(&item.ty), function(cx, item))
        }
        Kind::Map { key, value, attributes: false } => {
            format!(
                "reader.ReadEntries<{}, {}>({}, {})",
                cx.ty(&key.ty),
                cx.ty(&value.ty),
                function(cx, key),
                function(cx, value)
            )
        }
    }
}

/// The function that reads a value.
fn function(cx: &Context, node: &Node) -> String {
    match &node.kind {
        Kind::Enum(id) | Kind::Record(id) | Kind::Union(id) => format!("{}.Read", cx.text(*id)),
        Kind::Scalar(_)
        | Kind::Decimal
        | Kind::String(_)
        | Kind::Bytes { .. }
        | Kind::Optional(_)
        | Kind::Array { .. }
        | Kind::Map { .. } => {
            format!("static reader => {}", read(cx, node))
        }
    }
}

/// Whether the type's optional is a `Nullable`.
pub fn is_value_type(cx: &Context, ty: &Type) -> bool {
    match ty {
        Type::Primitive(Primitive::String) | Type::Map(..) => false,
        Type::Primitive(_) | Type::Bytes | Type::Array(_) => true,
        Type::Optional(inner) => is_value_type(cx, inner),
        Type::Named(id) => match cx.output.decl(*id).kind {
            TypeKind::Enum(_) => true,
            TypeKind::Struct(_) => cx.output.unit(*id).value,
            TypeKind::Exception(_) | TypeKind::Union(_) => false,
        },
    }
}
