//! Types as text wires know them: constants that say how they stand there, and the pair of functions that moves their values.

use crate::context::Context;
use crate::literals::string;
use crate::lower::{MemberUnit, Output, TypeUnit};
use crate::render_text_fields::{self as fields, Extra, Namespaces};
use crate::render_text_values::{is_value_type, read, write};
use crate::render_values::Values;
use creo_codegen::Writer;
use creo_model::text::{self, Place, Value};
use creo_model::{Constant, Field, Type, TypeKind};

/// The parameters of the pair.
const PARAMETERS: [&str; 3] = ["writer", "field", "value"];

pub fn render(output: &Output, unit: &TypeUnit) -> String {
    let cx = Context::new(output, &unit.namespace, false);
    let decl = output.decl(unit.id);
    cx.file(unit.deprecated_inside, |w| {
        w.line(format!("/// <summary><see cref=\"{}\"/> on text wires, such as XML.</summary>", cx.named_in_full(unit.id)));
        w.line(format!("public static class {}", unit.text));
        w.block("{", "}", |w| {
            let full_name = output.model.full_name(unit.id);
            let mut names = Namespaces::default();
            let mut constants = Writer::new("    ");
            let mut pair = Writer::new("    ");
            let (needed, xsi) = match &decl.kind {
                TypeKind::Struct(declared) | TypeKind::Exception(declared) => {
                    let plan = output.text.record(unit.id);
                    record_constants(&mut constants, &cx, plan, declared, &full_name, decl.recursive, "", &mut names);
                    record(&mut pair, &cx, unit, plan, declared);
                    (plan.namespaces.clone(), plan.xsi)
                }
                TypeKind::Enum(declared) => {
                    enumeration(&mut constants, &mut pair, &cx, unit, declared);
                    (output.text.enumeration(unit.id).xml.namespace.into_iter().collect(), false)
                }
                TypeKind::Union(declared) => {
                    let plan = output.text.union(unit.id);
                    union_constants(&mut constants, &cx, plan, &full_name, decl.recursive, &mut names);
                    union(&mut pair, &cx, unit, plan, declared);
                    (plan.namespaces.clone(), plan.xsi)
                }
            };
            let root = names.name(output.text.type_name(unit.id));
            let list = names.list(&needed);
            names.constants(w, &cx);
            w.lines(constants.finish().lines());
            w.blank();
            whole(w, &cx, unit, &format!("{}, new {}(null, {root})", string(&full_name), cx.framework("TextField")), xsi, &list);
            w.lines(pair.finish().lines());
        });
    })
}

/// Whole values as XML.
fn whole(w: &mut Writer, cx: &Context, unit: &TypeUnit, root: &str, xsi: bool, namespaces: &str) {
    let name = cx.named(unit.id);
    w.line("/// <summary>The pair of functions as an object.</summary>");
    let is_enum = matches!(cx.output.decl(unit.id).kind, TypeKind::Enum(_));
    let fact = if is_enum { format!("Form = {}.Enum", cx.framework("TextForm")) } else { "Type = Type".to_owned() };
    w.line(format!(
        "public static {}<{name}> Codec {{ get; }} = new({root} {{ {fact} }}, Write, Read, {xsi}{namespaces});",
        cx.framework("TextCodec"),
    ));
    w.blank();
    w.line("/// <summary>The value as XML, an element of its own.</summary>");
    w.line(format!("public static byte[] ToXml({name} value) => Codec.ToXml(value);"));
    w.blank();
    w.line("/// <summary>The value of XML.</summary>");
    w.line(format!("public static {name} FromXml({}<byte> xml) => Codec.FromXml(xml);", cx.platform("ReadOnlySpan")));
    w.blank();
    w.line("/// <summary>The value as JSON.</summary>");
    w.line(format!("public static byte[] ToJson({name} value) => Codec.ToJson(value);"));
    w.blank();
    w.line("/// <summary>The value of JSON.</summary>");
    w.line(format!("public static {name} FromJson({}<byte> json) => Codec.FromJson(json);", cx.platform("ReadOnlySpan")));
    w.blank();
    w.line("/// <summary>The value as a table in XML, in the record scheme or another.</summary>");
    w.line(format!("public static byte[] ToTdxml({name} value, {}? options = null) => Codec.ToTdxml(value, options);", cx.framework("TableOptions")));
    w.blank();
    w.line("/// <summary>The value of a table in XML.</summary>");
    w.line(format!("public static {name} FromTdxml({}<byte> tdxml) => Codec.FromTdxml(tdxml);", cx.platform("ReadOnlySpan")));
    if !is_enum {
        w.blank();
        w.line("/// <summary>What text wires know of the type. For generated code.</summary>");
        let (class, constant) =
            if matches!(cx.output.decl(unit.id).kind, TypeKind::Union(_)) { ("TextUnion", "Union") } else { ("TextRecord", "Record") };
        w.line(format!("public static {} Type() => {constant};", cx.framework(class)));
    }
}

/// The constants of a record: its fields, and itself, `Record{of}`.
#[allow(clippy::too_many_arguments)] // What is written, where to, and with what; each is one thing.
pub fn record_constants(
    w: &mut Writer,
    cx: &Context,
    plan: &text::Record,
    declared: &[Field],
    name: &str,
    recursive: bool,
    of: &str,
    names: &mut Namespaces,
) {
    for (i, (field, declared)) in plan.fields.iter().zip(declared).enumerate() {
        let extra = Extra { unnamed: false, may_be_missing: may_default(plan, field, declared), starts: Some((&plan.starts, i)), member: false };
        fields::declare(w, cx, &fields::constant(of, i), &fields::field(field, extra, names, cx));
    }
    fields::declare_record(w, cx, plan, name, recursive, of, names);
}

/// Whether the default takes the place of a field that is not there (XML-20, XML-31).
fn may_default(plan: &text::Record, field: &text::Field, declared: &Field) -> bool {
    declared.default.is_some() && (plan.extensible || field.place == Place::Attribute)
}

fn record(w: &mut Writer, cx: &Context, unit: &TypeUnit, plan: &text::Record, declared: &[Field]) {
    write_method(w, cx, unit, |w| {
        if !unit.value {
            not_null(w);
        }
        w.line("writer.BeginRecord(field, Record);");
        let accessors: Vec<String> = unit.members.iter().map(|m| format!("value.{}", m.name)).collect();
        write_fields(w, cx, &mut Values::new(cx, PARAMETERS), plan, declared, &accessors, "field", "");
        w.line("writer.EndRecord(field, Record);");
    });
    read_method(w, cx, unit, |w| {
        read_fields(w, cx, plan, declared, Some(&unit.members), "");
        w.line("reader.End(Record);");
        if unit.members.is_empty() {
            w.line(format!("return new {}();", cx.named(unit.id)));
            return;
        }
        w.line(format!("return new {}", cx.named(unit.id)));
        w.block("{", "};", |w| w.lines(unit.members.iter().enumerate().map(|(i, member)| format!("{} = f{i},", member.name))));
    });
}

fn is_optional(field: &text::Field) -> bool {
    matches!(field.value, Value::Optional(_))
}

/// Writes the fields that stand in the record's own element: its attributes first.
#[allow(clippy::too_many_arguments)] // As above.
pub fn write_fields(
    w: &mut Writer,
    cx: &Context,
    values: &mut Values,
    plan: &text::Record,
    declared: &[Field],
    accessors: &[String],
    own: &str,
    of: &str,
) {
    let open = plan.attributes || plan.text.is_some_and(|i| is_optional(&plan.fields[i]));
    let mut one = |w: &mut Writer, i: usize| {
        write(w, cx, values, &plan.fields[i].value, &declared[i].ty, &fields::constant(of, i), &accessors[i]);
    };
    if open {
        for (i, field) in plan.fields.iter().enumerate() {
            match field.place {
                Place::Attribute | Place::AnyAttribute => one(w, i),
                Place::Text if is_optional(field) => {
                    w.line(format!("if ({} is null)", accessors[i]));
                    w.block("{", "}", |w| w.line("writer.AbsentText();"));
                }
                Place::Text | Place::Element | Place::Inline | Place::Any | Place::Header => {}
            }
        }
        w.line(format!("writer.Content({own}, Record{of});"));
    }
    for (i, field) in plan.fields.iter().enumerate() {
        match field.place {
            Place::Attribute | Place::Header => {}
            Place::AnyAttribute => w.line(format!("writer.WriteAttributeMap({}, {});", fields::constant(of, i), accessors[i])),
            Place::Text | Place::Element | Place::Inline | Place::Any => one(w, i),
        }
    }
}

/// Reads the fields of a record into locals `f{i}`; the end of the record is left.
pub fn read_fields(w: &mut Writer, cx: &Context, plan: &text::Record, declared: &[Field], members: Option<&[MemberUnit]>, of: &str) {
    w.line(format!("reader.Begin(Record{of});"));
    for (i, (field, declared)) in plan.fields.iter().zip(declared).enumerate() {
        let initializer = members.and_then(|m| m[i].initializer.clone()).filter(|_| declared.default.is_some());
        let first = initializer.unwrap_or_else(|| nothing(cx, field, &declared.ty));
        w.line(format!("{} f{i} = {first};", cx.ty(&declared.ty)));
    }
    if plan.fields.is_empty() {
        w.line("reader.Next(0);");
        return;
    }
    w.line("for (int i = reader.Next(0); i >= 0; i = reader.Next(i + 1))");
    w.block("{", "}", |w| {
        w.line("switch (i)");
        w.block("{", "}", |w| {
            for (i, (field, declared)) in plan.fields.iter().zip(declared).enumerate() {
                w.line(format!("case {i}:"));
                w.indented(|w| {
                    w.line(format!("f{i} = {};", read(cx, &field.value, &declared.ty)));
                    w.line("break;");
                });
            }
        });
    });
    for (i, field) in plan.fields.iter().enumerate() {
        if let (Place::Inline, Value::Record(id)) = (field.place, &field.value) {
            w.line(format!("if (reader.Lacks({i}))"));
            w.block("{", "}", |w| w.line(format!("f{i} = {}.Read(reader);", cx.text(*id))));
        }
    }
}

/// What a field has before it was read, or if it need not be there.
fn nothing(cx: &Context, field: &text::Field, ty: &Type) -> String {
    match (&field.value, ty) {
        (Value::Optional(_), _) => "null".to_owned(),
        (_, Type::Map(..)) => "[]".to_owned(),
        _ if is_value_type(cx, ty) => "default".to_owned(),
        _ => "null!".to_owned(),
    }
}

fn union_constants(w: &mut Writer, cx: &Context, plan: &text::Union, declared: &str, recursive: bool, names: &mut Namespaces) {
    for (i, member) in plan.members.iter().enumerate() {
        let made = match (&member.value, plan.derived) {
            (Value::Record(id), true) => fields::derived(member, &cx.output.text.record(*id).xml, plan.base == Some(i), names, cx),
            _ => fields::field(member, Extra { starts: Some((&plan.starts, i)), member: true, ..Extra::default() }, names, cx),
        };
        fields::declare(w, cx, &format!("Member{i}"), &made);
    }
    let members: String = (0..plan.members.len()).map(|i| format!(", Member{i}")).collect();
    let facts: Vec<&str> = [(plan.derived, "IsDerived = true"), (recursive, "IsRecursive = true")].iter().filter(|f| f.0).map(|f| f.1).collect();
    let facts = if facts.is_empty() { String::new() } else { format!(" {{ {} }}", facts.join(", ")) };
    w.line(format!("private static readonly {} Union = new({}{members}){facts};", cx.framework("TextUnion"), string(declared)));
}

fn union(w: &mut Writer, cx: &Context, unit: &TypeUnit, plan: &text::Union, declared: &[Field]) {
    let own = cx.named_in_full(unit.id);
    write_method(w, cx, unit, |w| {
        let mut values = Values::new(cx, PARAMETERS);
        w.line("switch (value)");
        w.block("{", "}", |w| {
            for (i, ((member, declared), name)) in plan.members.iter().zip(declared).zip(&unit.members).enumerate() {
                let (local, field) = (values.fresh("member"), values.fresh("memberField"));
                w.line(format!("case {own}.{} {local}:", name.name));
                w.block("{", "}", |w| {
                    w.line(format!("var {field} = writer.BeginUnion(field, Union, {i});"));
                    write(w, cx, &mut values, &member.value, &declared.ty, &field, &format!("{local}.Value"));
                    w.line("break;");
                });
                w.blank();
            }
            if let Some(unknown) = &unit.unknown {
                let local = values.fresh("member");
                w.line(format!("case {own}.{unknown} {local}:"));
                w.indented(|w| w.line(format!("throw writer.UnknownMember(field, Union, {local}.Index);")));
            }
            w.line("default:");
            w.indented(|w| w.line("throw writer.Missing(field);"));
        });
        w.line("writer.EndUnion(field, Union);");
    });
    read_method(w, cx, unit, |w| {
        w.line(format!("{own} value = reader.Member(Union) switch"));
        w.block("{", "};", |w| {
            for (i, ((member, declared), name)) in plan.members.iter().zip(declared).zip(&unit.members).enumerate() {
                w.line(format!("{i} => new {own}.{}({}),", name.name, read(cx, &member.value, &declared.ty)));
            }
            w.line(format!("_ => throw new {}(\"no such member\"),", cx.platform("InvalidOperationException")));
        });
        w.line("reader.EndUnion(Union);");
        w.line("return value;");
    });
}

fn enumeration(constants: &mut Writer, w: &mut Writer, cx: &Context, unit: &TypeUnit, declared: &[Constant]) {
    let plan = cx.output.text.enumeration(unit.id);
    let texts: Vec<String> = plan.texts.iter().map(|text| string(text)).collect();
    let numbers: Vec<String> = declared.iter().map(|c| c.number.to_string()).collect();
    let mut facts = Vec::new();
    if plan.extensible {
        facts.push("IsExtensible = true".to_owned());
    }
    if plan.texts.iter().zip(declared).any(|(text, constant)| *text != constant.name) {
        let names: Vec<String> = declared.iter().map(|constant| string(&constant.name)).collect();
        facts.push(format!("Names = [{}]", names.join(", ")));
    }
    let facts = if facts.is_empty() { String::new() } else { format!(" {{ {} }}", facts.join(", ")) };
    let name = string(&cx.output.decl(unit.id).name);
    constants.line(format!(
        "private static readonly {} Enum = new({name}, [{}], [{}]){facts};",
        cx.framework("TextEnum"),
        texts.join(", "),
        numbers.join(", ")
    ));
    write_method(w, cx, unit, |w| w.line("writer.WriteEnum(field, Enum, (int)value);"));
    read_method(w, cx, unit, |w| w.line(format!("return ({})reader.ReadEnum(Enum);", cx.named(unit.id))));
}

fn not_null(w: &mut Writer) {
    w.line("if (value is null)");
    w.block("{", "}", |w| w.line("throw writer.Missing(field);"));
}

fn write_method(w: &mut Writer, cx: &Context, unit: &TypeUnit, body: impl FnOnce(&mut Writer)) {
    w.blank();
    w.line("/// <summary>Writes a value as what a field says. For generated code.</summary>");
    w.line(format!(
        "public static void Write({} writer, {} field, {} value)",
        cx.framework("TextWireWriter"),
        cx.framework("TextField"),
        cx.named(unit.id)
    ));
    w.block("{", "}", body);
}

fn read_method(w: &mut Writer, cx: &Context, unit: &TypeUnit, body: impl FnOnce(&mut Writer)) {
    w.blank();
    w.line("/// <summary>Reads the value that the reader has come to. For generated code.</summary>");
    w.line(format!("public static {} Read({} reader)", cx.named(unit.id), cx.framework("TextWireReader")));
    w.block("{", "}", body);
}
