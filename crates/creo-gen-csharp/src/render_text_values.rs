//! Statements that write values to text wires, and expressions that read them.

use crate::context::Context;
use crate::render_values::{Values, word};
use creo_codegen::Writer;
use creo_model::text::Value;
use creo_model::{Primitive, Type, TypeKind};

/// The word in the names of the calls that move an array of primitives at once.
fn bulk(ty: &Type, item: &Value) -> Option<&'static str> {
    let (Type::Array(inner), Value::Scalar(primitive)) = (ty, item) else { return None };
    match (inner.as_ref(), primitive) {
        (Type::Primitive(p), _) if p != primitive => None,
        (
            Type::Primitive(_),
            Primitive::Boolean | Primitive::Short | Primitive::Char | Primitive::Int | Primitive::Long | Primitive::Float | Primitive::Double,
        ) => Some(word(*primitive)),
        _ => None,
    }
}

/// The items of an array, in whichever way they stand.
fn item_of(value: &Value) -> Option<&Value> {
    match value {
        Value::Repeated(field) | Value::Wrapped(field) => Some(&field.value),
        Value::List(item) => Some(item),
        Value::Scalar(_)
        | Value::Bytes { .. }
        | Value::Enum(_)
        | Value::Record(_)
        | Value::Union(_)
        | Value::Token
        | Value::QName
        | Value::Raw
        | Value::Optional(_)
        | Value::Entries(..)
        | Value::Attributes => None,
    }
}

fn item_type(ty: &Type) -> &Type {
    match ty {
        Type::Array(item) => item,
        Type::Optional(inner) => item_type(inner),
        Type::Primitive(_) | Type::Bytes | Type::Map(..) | Type::Named(_) => unreachable!("only arrays have items"),
    }
}

/// Writes the statements that write the value `v` as the field `f`.
pub fn write(w: &mut Writer, cx: &Context, values: &mut Values, value: &Value, ty: &Type, f: &str, v: &str) {
    match value {
        Value::Scalar(p) => w.line(format!("writer.Write{}({f}, {v});", word(*p))),
        Value::Token | Value::QName => w.line(format!("writer.WriteString({f}, {v});")),
        Value::Bytes { .. } => w.line(format!("writer.WriteBytes({f}, {v});")),
        Value::Raw => w.line(format!("writer.WriteRaw({f}, {v});")),
        Value::Attributes => w.line(format!("writer.WriteAttributes({f}, {v});")),
        Value::Enum(id) | Value::Record(id) | Value::Union(id) => w.line(format!("{}.Write(writer, {f}, {v});", cx.text(*id))),
        Value::Optional(inner) => {
            let Type::Optional(present) = ty else { unreachable!("the type of an optional is one") };
            let local = values.fresh("present");
            w.line(format!("if ({v} is {{ }} {local})"));
            w.block("{", "}", |w| write(w, cx, values, inner, present, f, &local));
            w.line("else");
            w.block("{", "}", |w| w.line(format!("writer.WriteAbsent({f});")));
        }
        Value::Repeated(_) | Value::Wrapped(_) | Value::List(_) => {
            let item = item_of(value).expect("an array");
            if let Some(word) = bulk(ty, item) {
                w.line(format!("writer.Write{word}s({f}, {v});"));
                return;
            }
            let (items, field) = (values.fresh("items"), values.fresh("itemField"));
            w.line(format!("var {items} = {v}.Span;"));
            w.line(format!("var {field} = writer.BeginItems({f}, {items}.Length);"));
            values.repeat(w, &format!("{items}.Length"), |values, w, i| {
                w.line(format!("writer.Item({i});"));
                write(w, cx, values, item, item_type(ty), &field, &format!("{items}[{i}]"));
            });
            w.line(format!("writer.EndItems({f});"));
        }
        Value::Entries(key, value) => {
            let Type::Map(key_type, value_type) = ty else { unreachable!("entries are of maps") };
            let (entries, field) = (values.fresh("entries"), values.fresh("partField"));
            w.line(format!("var {entries} = ({v} ?? throw writer.Missing({f})).Entries;"));
            w.line(format!("writer.BeginEntries({f}, {entries}.Length);"));
            values.repeat(w, &format!("{entries}.Length"), |values, w, i| {
                w.line(format!("var {field} = writer.Key({f}, {i});"));
                write(w, cx, values, &key.value, key_type, &field, &format!("{entries}[{i}].Key"));
                w.line(format!("{field} = writer.Value({f});"));
                write(w, cx, values, &value.value, value_type, &field, &format!("{entries}[{i}].Value"));
                w.line(format!("writer.EndEntry({f});"));
            });
            w.line(format!("writer.EndEntries({f});"));
        }
    }
}

/// The expression that reads a value.
pub fn read(cx: &Context, value: &Value, ty: &Type) -> String {
    match value {
        Value::Scalar(p) => format!("reader.Read{}()", word(*p)),
        Value::Token | Value::QName => "reader.ReadString()".to_owned(),
        Value::Bytes { .. } => "reader.ReadBytes()".to_owned(),
        Value::Raw => "reader.ReadRaw()".to_owned(),
        Value::Attributes => "reader.ReadAttributes()".to_owned(),
        Value::Enum(id) | Value::Record(id) | Value::Union(id) => format!("{}.Read(reader)", cx.text(*id)),
        Value::Optional(inner) => {
            let Type::Optional(present) = ty else { unreachable!("the type of an optional is one") };
            let value = read(cx, inner, present);
            format!("reader.ReadNil() ? null : {}", if is_value_type(cx, present) { format!("({}){value}", cx.ty(ty)) } else { value })
        }
        Value::Repeated(_) | Value::Wrapped(_) | Value::List(_) => {
            let item = item_of(value).expect("an array");
            match bulk(ty, item) {
                Some(word) => format!("reader.Read{word}s()"),
                None => format!("reader.ReadItems<{}>({})", cx.ty(item_type(ty)), function(cx, item, item_type(ty))),
            }
        }
        Value::Entries(key, value) => {
            let Type::Map(key_type, value_type) = ty else { unreachable!("entries are of maps") };
            format!(
                "reader.ReadEntries<{}, {}>({}, {})",
                cx.ty(key_type),
                cx.ty(value_type),
                function(cx, &key.value, key_type),
                function(cx, &value.value, value_type)
            )
        }
    }
}

/// The function that reads a value.
fn function(cx: &Context, value: &Value, ty: &Type) -> String {
    match value {
        Value::Enum(id) | Value::Record(id) | Value::Union(id) => format!("{}.Read", cx.text(*id)),
        Value::Scalar(_)
        | Value::Bytes { .. }
        | Value::Token
        | Value::QName
        | Value::Raw
        | Value::Optional(_)
        | Value::Repeated(_)
        | Value::Wrapped(_)
        | Value::List(_)
        | Value::Entries(..)
        | Value::Attributes => format!("static reader => {}", read(cx, value, ty)),
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
