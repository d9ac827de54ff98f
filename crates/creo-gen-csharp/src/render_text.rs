//! Types as text wires know them: constants that say how they stand there, and the pair of functions that moves their values.

use crate::context::Context;
use crate::literals::string;
use crate::lower::{MemberUnit, Output, TypeUnit};
use crate::render_text_fields::{self as fields, Extra, Namespaces};
use crate::render_text_values::{is_value_type, read, write};
use crate::render_values::Values;
use creo_codegen::Writer;
use creo_plan::{Declared, Enum, Kind, Node, Position, Record, Union};

/// The parameters of the pair.
const PARAMETERS: [&str; 3] = ["writer", "field", "value"];

pub fn render(output: &Output, unit: &TypeUnit) -> String {
    let cx = Context::new(output, &unit.namespace, false);
    cx.file(unit.deprecated_inside, |w| {
        w.line(format!(
            "/// <summary><see cref=\"{}\"/> on text wires, such as XML.</summary>",
            cx.named_in_full(unit.id)
        ));
        w.line(format!("public static class {}", unit.text));
        w.block("{", "}", |w| {
            let full_name = output.model.full_name(unit.id);
            let mut names = Namespaces::default();
            let mut constants = Writer::new("    ");
            let mut pair = Writer::new("    ");
            match output.plan.declared(unit.id) {
                Declared::Record(plan) => {
                    record_constants(&mut constants, &cx, plan, &full_name, "", &mut names);
                    record(&mut pair, &cx, unit, plan);
                }
                Declared::Enum(plan) => enumeration(&mut constants, &mut pair, &cx, unit, plan),
                Declared::Union(plan) => {
                    union_constants(&mut constants, &cx, plan, &full_name, &mut names);
                    union(&mut pair, &cx, unit, plan);
                }
            }
            let (needed, xsi) = output.plan.value_needs(unit.id);
            let root = names.name(output.plan.type_name(unit.id));
            let list = names.list(&needed);
            names.constants(w, &cx);
            w.lines(constants.finish().lines());
            w.blank();
            whole(
                w,
                &cx,
                unit,
                &format!("{}, new {}(null, {root})", string(&full_name), cx.framework("TextField")),
                xsi,
                &list,
            );
            w.lines(pair.finish().lines());
        });
    })
}

/// Whole values as XML.
fn whole(w: &mut Writer, cx: &Context, unit: &TypeUnit, root: &str, xsi: bool, namespaces: &str) {
    let name = cx.named(unit.id);
    w.line("/// <summary>The pair of functions as an object.</summary>");
    let is_enum = matches!(cx.output.plan.declared(unit.id), Declared::Enum(_));
    let fact =
        if is_enum { format!("Form = {}.Enum", cx.framework("TextForm")) } else { "Type = Type".to_owned() };
    w.line(format!(
        "public static {}<{name}> Codec {{ get; }} = new({root} {{ {fact} }}, Write, Read, {xsi}{namespaces});",
        cx.framework("TextCodec"),
    ));
    w.blank();
    w.line("/// <summary>The value as XML, an element of its own.</summary>");
    w.line(format!("public static byte[] ToXml({name} value) => Codec.ToXml(value);"));
    w.blank();
    w.line("/// <summary>The value of XML.</summary>");
    w.line(format!(
        "public static {name} FromXml({}<byte> xml) => Codec.FromXml(xml);",
        cx.platform("ReadOnlySpan")
    ));
    w.blank();
    w.line("/// <summary>The value as JSON.</summary>");
    w.line(format!("public static byte[] ToJson({name} value) => Codec.ToJson(value);"));
    w.blank();
    w.line("/// <summary>The value of JSON.</summary>");
    w.line(format!(
        "public static {name} FromJson({}<byte> json) => Codec.FromJson(json);",
        cx.platform("ReadOnlySpan")
    ));
    w.blank();
    w.line("/// <summary>The value as a table in XML, in the record scheme or another.</summary>");
    w.line(format!(
        "public static byte[] ToTdxml({name} value, {}? options = null) => Codec.ToTdxml(value, options);",
        cx.framework("TableOptions")
    ));
    w.blank();
    w.line("/// <summary>The value of a table in XML.</summary>");
    w.line(format!(
        "public static {name} FromTdxml({}<byte> tdxml) => Codec.FromTdxml(tdxml);",
        cx.platform("ReadOnlySpan")
    ));
    if !is_enum {
        w.blank();
        w.line("/// <summary>What text wires know of the type. For generated code.</summary>");
        let (class, constant) = if matches!(cx.output.plan.declared(unit.id), Declared::Union(_)) {
            ("TextUnion", "Union")
        } else {
            ("TextRecord", "Record")
        };
        w.line(format!("public static {} Type() => {constant};", cx.framework(class)));
    }
}

/// The constants of a record: its fields, and itself, `Record{of}`.
pub fn record_constants(
    w: &mut Writer,
    cx: &Context,
    plan: &Record,
    name: &str,
    of: &str,
    names: &mut Namespaces,
) {
    for (i, field) in plan.fields.iter().enumerate() {
        let extra = Extra {
            may_be_missing: field.default_if_missing,
            starts: Some((&plan.content.first, i)),
            ..Extra::default()
        };
        fields::declare(w, cx, &fields::constant(of, i), &fields::field(field, extra, names, cx));
    }
    fields::declare_record(w, cx, plan, name, of, names);
}

fn record(w: &mut Writer, cx: &Context, unit: &TypeUnit, plan: &Record) {
    write_method(w, cx, unit, |w| {
        if !unit.value {
            not_null(w);
        }
        w.line("writer.BeginRecord(field, Record);");
        let accessors: Vec<String> = unit.members.iter().map(|m| format!("value.{}", m.name)).collect();
        write_fields(w, &mut Values::new(cx, PARAMETERS), plan, &accessors, "field", "");
        w.line("writer.EndRecord(field, Record);");
    });
    read_method(w, cx, unit, |w| {
        read_fields(w, cx, plan, Some(&unit.members), "");
        w.line("reader.End(Record);");
        if unit.members.is_empty() {
            w.line(format!("return new {}();", cx.named(unit.id)));
            return;
        }
        w.line(format!("return new {}", cx.named(unit.id)));
        w.block("{", "};", |w| {
            w.lines(unit.members.iter().enumerate().map(|(i, member)| format!("{} = f{i},", member.name)))
        });
    });
}

/// Writes the fields that stand in the record's own element: its attributes first.
pub fn write_fields(
    w: &mut Writer,
    values: &mut Values,
    plan: &Record,
    accessors: &[String],
    own: &str,
    of: &str,
) {
    let open = plan.has_attributes || plan.text.is_some_and(|i| plan.fields[i].node.is_optional());
    let mut write_field = |w: &mut Writer, i: usize| {
        write(w, values, &plan.fields[i].node, &fields::constant(of, i), &accessors[i]);
    };
    if open {
        for (i, field) in plan.fields.iter().enumerate() {
            match field.node.xml.position {
                Position::Attribute | Position::AnyAttribute => write_field(w, i),
                Position::Text if field.node.is_optional() => {
                    w.line(format!("if ({} is null)", accessors[i]));
                    w.block("{", "}", |w| w.line("writer.AbsentText();"));
                }
                Position::Text | Position::Element | Position::Inline | Position::Any | Position::Header => {}
            }
        }
        w.line(format!("writer.Content({own}, Record{of});"));
    }
    for (i, field) in plan.fields.iter().enumerate() {
        match field.node.xml.position {
            Position::Attribute | Position::Header => {}
            Position::AnyAttribute => {
                w.line(format!("writer.WriteAttributeMap({}, {});", fields::constant(of, i), accessors[i]))
            }
            Position::Text | Position::Element | Position::Inline | Position::Any => write_field(w, i),
        }
    }
}

/// Reads the fields of a record into locals `f{i}`; the end of the record is left.
pub fn read_fields(w: &mut Writer, cx: &Context, plan: &Record, members: Option<&[MemberUnit]>, of: &str) {
    w.line(format!("reader.Begin(Record{of});"));
    for (i, field) in plan.fields.iter().enumerate() {
        let initializer = members.and_then(|m| m[i].initializer.clone()).filter(|_| field.default.is_some());
        let first = initializer.unwrap_or_else(|| nothing(cx, &field.node));
        w.line(format!("{} f{i} = {first};", cx.ty(&field.node.ty)));
    }
    if plan.fields.is_empty() {
        w.line("reader.Next(0);");
        return;
    }
    w.line("for (int i = reader.Next(0); i >= 0; i = reader.Next(i + 1))");
    w.block("{", "}", |w| {
        w.line("switch (i)");
        w.block("{", "}", |w| {
            for (i, field) in plan.fields.iter().enumerate() {
                w.line(format!("case {i}:"));
                w.indented(|w| {
                    w.line(format!("f{i} = {};", read(cx, &field.node)));
                    w.line("break;");
                });
            }
        });
    });
    for (i, field) in plan.fields.iter().enumerate() {
        if let (Position::Inline, Kind::Record(id)) = (field.node.xml.position, &field.node.kind) {
            w.line(format!("if (reader.Lacks({i}))"));
            w.block("{", "}", |w| w.line(format!("f{i} = {}.Read(reader);", cx.text(*id))));
        }
    }
}

/// What a field has before it was read, or if it need not be there.
fn nothing(cx: &Context, node: &Node) -> String {
    match node.kind {
        Kind::Optional(_) => "null".to_owned(),
        Kind::Map { .. } => "[]".to_owned(),
        Kind::Scalar(_)
        | Kind::String(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Array { .. }
        | Kind::Record(_)
        | Kind::Union(_)
        | Kind::Enum(_) => if is_value_type(cx, &node.ty) { "default" } else { "null!" }.to_owned(),
    }
}

fn union_constants(w: &mut Writer, cx: &Context, plan: &Union, declared: &str, names: &mut Namespaces) {
    for (i, member) in plan.members.iter().enumerate() {
        let made = match (&member.node.kind, plan.derived) {
            (Kind::Record(id), true) => {
                fields::derived(member, &cx.output.plan.record(*id).xml, plan.base == Some(i), names, cx)
            }
            _ => fields::field(
                member,
                Extra { starts: Some((&plan.content.first, i)), member: true, ..Extra::default() },
                names,
                cx,
            ),
        };
        fields::declare(w, cx, &format!("Member{i}"), &made);
    }
    let members: String = (0..plan.members.len()).map(|i| format!(", Member{i}")).collect();
    let facts: Vec<&str> = [(plan.derived, "IsDerived = true"), (plan.recursive, "IsRecursive = true")]
        .iter()
        .filter(|f| f.0)
        .map(|f| f.1)
        .collect();
    let facts = if facts.is_empty() { String::new() } else { format!(" {{ {} }}", facts.join(", ")) };
    w.line(format!(
        "private static readonly {} Union = new({}{members}){facts};",
        cx.framework("TextUnion"),
        string(declared)
    ));
}

fn union(w: &mut Writer, cx: &Context, unit: &TypeUnit, plan: &Union) {
    let own = cx.named_in_full(unit.id);
    write_method(w, cx, unit, |w| {
        let mut values = Values::new(cx, PARAMETERS);
        w.line("switch (value)");
        w.block("{", "}", |w| {
            for (i, (member, name)) in plan.members.iter().zip(&unit.members).enumerate() {
                let (local, field) = (values.fresh("member"), values.fresh("memberField"));
                w.line(format!("case {own}.{} {local}:", name.name));
                w.block("{", "}", |w| {
                    w.line(format!("var {field} = writer.BeginUnion(field, Union, {i});"));
                    write(w, &mut values, &member.node, &field, &format!("{local}.Value"));
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
            for (i, (member, name)) in plan.members.iter().zip(&unit.members).enumerate() {
                w.line(format!("{i} => new {own}.{}({}),", name.name, read(cx, &member.node)));
            }
            w.line(format!(
                "_ => throw new {}(\"no such member\"),",
                cx.platform("InvalidOperationException")
            ));
        });
        w.line("reader.EndUnion(Union);");
        w.line("return value;");
    });
}

fn enumeration(constants: &mut Writer, w: &mut Writer, cx: &Context, unit: &TypeUnit, plan: &Enum) {
    let texts: Vec<String> = plan.constants.iter().map(|constant| string(&constant.text)).collect();
    let numbers: Vec<String> = plan.constants.iter().map(|c| c.number.to_string()).collect();
    let mut facts = Vec::new();
    if plan.extensible {
        facts.push("IsExtensible = true".to_owned());
    }
    if plan.has_own_texts() {
        let names: Vec<String> = plan.constants.iter().map(|constant| string(&constant.name)).collect();
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
