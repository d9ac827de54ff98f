//! Codecs of the binary wire: straight-line code, one bounds check for a block of fields of fixed size.

use crate::context::Context;
use crate::lower::{Output, TypeUnit};
use crate::render_union;
use crate::render_values::{Values, at};
use creo_codegen::Writer;
use creo_model::{Constant, TypeKind};
use creo_plan::{Declared, Field, Node, Record, Step};

/// The most bytes of one block.
const MAX_BLOCK: u64 = 4096;

/// The parameters of the codec's methods.
const PARAMETERS: [&str; 3] = ["reader", "writer", "value"];

/// Those, and the locals of reading a union.
const UNION_LOCALS: [&str; 6] = ["reader", "writer", "value", "index", "outer", "result"];

pub fn render(output: &Output, unit: &TypeUnit) -> String {
    let cx = Context::new(output, &unit.namespace, false);
    let decl = output.decl(unit.id);
    cx.file(unit.deprecated_inside, |w| {
        w.line(format!("/// <summary><see cref=\"{}\"/> on the binary wire.</summary>", cx.named_in_full(unit.id)));
        w.line(format!("public static class {}", unit.codec));
        w.block("{", "}", |w| {
            w.line(
                "// Does not compile with a framework that is older than the generator: then generate the framework again, or update its package.",
            );
            w.line(format!("private const bool FrameworkIsNewEnough = {}.IsAtLeast0_1;", cx.framework("RuntimeVersion")));
            w.blank();
            layout(w, &cx, unit);
            w.blank();
            whole(w, &cx, unit);
            w.blank();
            match &decl.kind {
                TypeKind::Struct(_) | TypeKind::Exception(_) => record(w, &cx, unit, output.plan.record(unit.id)),
                TypeKind::Enum(constants) => enumeration(w, &cx, unit, constants),
                TypeKind::Union(_) => union(w, &cx, unit, output.plan.members(unit.id)),
            }
            w.blank();
            if let Declared::Union(union) = output.plan.declared(unit.id) {
                render_union::charges(w, &cx, union);
                w.blank();
            }
            members(w, &cx, unit);
        });
    })
}

/// The type as the description has it, for messages and tools.
fn layout(w: &mut Writer, cx: &Context, unit: &TypeUnit) {
    let decl = cx.output.decl(unit.id);
    let full = cx.output.model.full_name(unit.id);
    let kind = match &decl.kind {
        TypeKind::Struct(_) | TypeKind::Exception(_) => "Struct",
        TypeKind::Enum(_) => "Enum",
        TypeKind::Union(_) => "Union",
    };
    let mut facts = String::new();
    if decl.extensible {
        facts.push_str(", extensible: true");
    }
    if decl.recursive {
        facts.push_str(", recursive: true");
    }
    w.line("/// <summary>The type in the words of the description.</summary>");
    w.line(format!(
        "public static {} Layout {{ get; }} = global::Creo.Layout.{kind}(\"{full}\", Members{facts});",
        cx.framework("Layout")
    ));
}

/// The members of the type's layout.
fn members(w: &mut Writer, cx: &Context, unit: &TypeUnit) {
    let lines = match &cx.output.decl(unit.id).kind {
        TypeKind::Enum(constants) => {
            constants.iter().map(|c| format!("new(\"{}\", null, {}, false),", c.name, c.number)).collect()
        }
        TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) => {
            member_layouts(cx, cx.output.plan.members(unit.id))
        }
    };
    w.line(format!("private static {}[] Members() =>", cx.framework("LayoutMember")));
    w.block("[", "];", |w| w.lines(lines));
}

/// Fields, members or parameters of a layout, an expression each.
pub fn member_layouts(cx: &Context, fields: &[Field]) -> Vec<String> {
    let one = |(index, field): (usize, &Field)| {
        let required = field.default.is_none() && !field.node.is_optional();
        format!("new(\"{}\", {}, {index}, {required}),", field.name, cx.layout(&field.node.ty))
    };
    fields.iter().enumerate().map(one).collect()
}

/// Whole values as bytes.
fn whole(w: &mut Writer, cx: &Context, unit: &TypeUnit) {
    let (name, binary) = (cx.named(unit.id), cx.framework("Binary"));
    w.line("/// <summary>The bytes of a value.</summary>");
    w.line(format!("public static byte[] ToBytes({name} value) => {binary}.ToBytes(value, Encode, Layout);"));
    w.blank();
    w.line("/// <summary>The value of some bytes, which must be there to the last and no further.</summary>");
    w.line(format!(
        "public static {name} FromBytes({}<byte> bytes) => {binary}.FromBytes(bytes, Decode, Layout);",
        cx.platform("ReadOnlySpan")
    ));
}

fn record(w: &mut Writer, cx: &Context, unit: &TypeUnit, record: &Record) {
    let fields = record.fields.as_slice();
    if unit.value {
        value_record(w, cx, unit, record);
        return;
    }
    encode_method(w, cx, unit, |w| {
        let mut values = Values::new(cx, PARAMETERS);
        not_null(w, cx, unit);
        descend(w, unit, cx, "writer");
        let accessors: Vec<String> = unit.members.iter().map(|m| format!("value.{}", m.name)).collect();
        if cx.output.decl(unit.id).extensible {
            let region = values.fresh("region");
            w.line(format!("int {region} = writer.OpenRegion();"));
            for (field, accessor) in fields.iter().zip(&accessors) {
                values.write(w, &field.node, accessor);
            }
            w.line(format!("writer.CloseRegion({region});"));
        } else {
            write_fields(w, cx, &mut values, record, &accessors);
        }
        ascend(w, unit, cx, "writer");
    });
    w.blank();
    decode_method(w, cx, unit, |w| {
        let mut values =
            Values::new(cx, PARAMETERS.into_iter().chain(unit.members.iter().map(|m| m.local.as_str())));
        descend(w, unit, cx, "reader");
        if cx.output.decl(unit.id).extensible {
            read_region(w, cx, unit, fields, &mut values);
        } else {
            let locals: Vec<&str> = unit.members.iter().map(|m| m.local.as_str()).collect();
            read_fields(w, cx, &locals, record, &mut values);
        }
        ascend(w, unit, cx, "reader");
        w.line(format!("return new {}", cx.named(unit.id)));
        w.block("{", "};", |w| {
            for member in &unit.members {
                w.line(format!("{} = {},", member.name, member.local));
            }
        });
    });
}

/// A value type: its fields stand at fixed places.
fn value_record(w: &mut Writer, cx: &Context, unit: &TypeUnit, record: &Record) {
    let fields = record.fields.as_slice();
    let values = Values::new(cx, PARAMETERS);
    let size = record.shape.fixed_size.expect("a value type has a fixed size");
    let sizes: Vec<u64> =
        fields.iter().map(|f| cx.output.read_size(&f.node).expect("of fixed size")).collect();
    let offsets: Vec<u64> =
        sizes.iter().scan(0, |sum, size| Some(std::mem::replace(sum, *sum + size))).collect();
    let name = cx.named(unit.id);
    let inline =
        format!("[{}({}.AggressiveInlining)]", cx.platform("MethodImpl"), cx.platform("MethodImplOptions"));
    if cx.output.write_size(cx.output.plan.value(unit.id)).is_some() {
        encode_method(w, cx, unit, |w| w.line(format!("Put(writer.Block({size}), value);")));
        w.blank();
        w.line(&inline);
        w.line(format!("internal static void Put({}<byte> block, {name} value)", cx.platform("Span")));
        w.block("{", "}", |w| {
            for ((field, member), offset) in fields.iter().zip(&unit.members).zip(&offsets) {
                w.line(values.put(&field.node, &at("block", *offset), &format!("value.{}", member.name)));
            }
        });
    } else {
        encode_method(w, cx, unit, |w| {
            let mut values = Values::new(cx, PARAMETERS);
            let accessors: Vec<String> = unit.members.iter().map(|m| format!("value.{}", m.name)).collect();
            write_fields(w, cx, &mut values, record, &accessors);
        });
    }
    w.blank();
    decode_method(w, cx, unit, |w| w.line(format!("return Get(reader.Block({size}));")));
    w.blank();
    w.line(&inline);
    w.line(format!("internal static {name} Get({}<byte> block)", cx.platform("ReadOnlySpan")));
    w.block("{", "}", |w| {
        if fields.is_empty() {
            w.line("return default;");
            return;
        }
        w.line(format!("return new {}", cx.named(unit.id)));
        w.block("{", "};", |w| {
            for ((field, member), offset) in fields.iter().zip(&unit.members).zip(&offsets) {
                w.line(format!("{} = {},", member.name, values.get(&field.node, &at("block", *offset))));
            }
        });
    });
}

/// The steps of fields, or parameters: consecutive ones of fixed size are one block, if they are two at least.
fn steps(record: &Record, size: impl Fn(&Node) -> Option<u64>) -> Vec<Step> {
    let single = |step| match step {
        Step::Run { fields, .. } if fields.len() == 1 => Step::Field(fields[0].index),
        step => step,
    };
    record.steps_by(MAX_BLOCK, size).into_iter().map(single).collect()
}

/// Writes fields, or parameters, one after the other.
pub fn write_fields(
    w: &mut Writer,
    cx: &Context,
    values: &mut Values,
    record: &Record,
    accessors: &[String],
) {
    for step in steps(record, |node| cx.output.write_size(node)) {
        match step {
            Step::Field(index) => values.write(w, &record.fields[index].node, &accessors[index]),
            Step::Run { fields, size } => {
                let block = values.fresh("block");
                w.line(format!("var {block} = writer.Block({size});"));
                for field in fields {
                    w.line(values.put(
                        &record.fields[field.index].node,
                        &at(&block, field.offset),
                        &accessors[field.index],
                    ));
                }
            }
        }
    }
}

/// Reads fields, or parameters, one after the other, each into its local.
pub fn read_fields(w: &mut Writer, cx: &Context, locals: &[&str], record: &Record, values: &mut Values) {
    for step in steps(record, |node| cx.output.read_size(node)) {
        match step {
            Step::Field(index) => values.read_into(w, &record.fields[index].node, locals[index]),
            Step::Run { fields, size } => {
                let block = values.fresh("block");
                w.line(format!("var {block} = reader.Block({size});"));
                for field in fields {
                    let value = values.get(&record.fields[field.index].node, &at(&block, field.offset));
                    w.line(format!("var {} = {value};", locals[field.index]));
                }
            }
        }
    }
}

/// Fields of an extensible type: the region may end before any that has a default (MODEL-11).
fn read_region(w: &mut Writer, cx: &Context, unit: &TypeUnit, fields: &[Field], values: &mut Values) {
    let outer = values.fresh("outer");
    w.line(format!("int {outer} = reader.OpenRegion();"));
    for (field, member) in fields.iter().zip(&unit.members) {
        if field.default.is_none() && !field.node.is_optional() {
            values.read_into(w, &field.node, &member.local);
            continue;
        }
        let default = match (&field.default, &member.initializer) {
            (None, _) => "null",
            (Some(_), Some(text)) => text,
            (Some(_), None) => "default",
        };
        w.line(format!("{} {} = {default};", cx.ty(&field.node.ty), member.local));
        w.line("if (!reader.AtEnd)");
        w.block("{", "}", |w| {
            let value = values.read(w, &field.node);
            w.line(format!("{} = {value};", member.local));
        });
    }
    w.line(format!("reader.CloseRegion({outer});"));
}

fn union(w: &mut Writer, cx: &Context, unit: &TypeUnit, members: &[Field]) {
    encode_method(w, cx, unit, |w| {
        let mut values = Values::new(cx, UNION_LOCALS);
        descend(w, unit, cx, "writer");
        render_union::encode(w, cx, unit, members, &mut values);
        ascend(w, unit, cx, "writer");
    });
    w.blank();
    decode_method(w, cx, unit, |w| {
        let mut values = Values::new(cx, UNION_LOCALS);
        descend(w, unit, cx, "reader");
        render_union::decode(w, cx, unit, members, &mut values);
        ascend(w, unit, cx, "reader");
        w.line("return result;");
    });
}

fn enumeration(w: &mut Writer, cx: &Context, unit: &TypeUnit, constants: &[Constant]) {
    let (name, full) = (cx.named(unit.id), cx.output.model.full_name(unit.id));
    if cx.output.decl(unit.id).extensible {
        encode_method(w, cx, unit, |w| w.line("writer.WriteCount((int)value);"));
        w.blank();
        decode_method(w, cx, unit, |w| w.line(format!("return ({})reader.ReadNumber();", cx.named(unit.id))));
        return;
    }
    encode_method(w, cx, unit, |w| {
        w.line("if (!IsDeclared((int)value))");
        w.block("{", "}", |w| {
            w.line(format!("throw {}.Undeclared(\"{full}\", (int)value);", cx.framework("Writer")))
        });
        w.line("writer.WriteCount((int)value);");
    });
    w.blank();
    decode_method(w, cx, unit, |w| w.line("return FromNumber(reader.ReadNumber());"));
    w.blank();
    w.line(format!("internal static {name} FromNumber(int number) =>"));
    w.indented(|w| {
        w.line(format!(
            "IsDeclared(number) ? ({name})number : throw {}.Undeclared(\"{full}\", number);",
            cx.framework("Reader")
        ));
    });
    w.blank();
    w.line(format!("private static bool IsDeclared(int number) => number is {};", declared(constants)));
}

/// The pattern of the declared numbers, as few ranges as there are.
fn declared(constants: &[Constant]) -> String {
    let mut numbers: Vec<u32> = constants.iter().map(|c| c.number).collect();
    numbers.sort_unstable();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let pattern = |(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("(>= {first} and <= {last})") }
    };
    ranges.iter().map(pattern).collect::<Vec<_>>().join(" or ")
}

fn encode_method(w: &mut Writer, cx: &Context, unit: &TypeUnit, body: impl FnOnce(&mut Writer)) {
    w.line("/// <summary>Writes a value.</summary>");
    w.line(format!(
        "public static void Encode({} writer, {} value)",
        cx.framework("Writer"),
        cx.named(unit.id)
    ));
    w.block("{", "}", body);
}

fn decode_method(w: &mut Writer, cx: &Context, unit: &TypeUnit, body: impl FnOnce(&mut Writer)) {
    w.line("/// <summary>Reads a value.</summary>");
    w.line(format!("public static {} Decode(ref {} reader)", cx.named(unit.id), cx.framework("Reader")));
    w.block("{", "}", body);
}

fn not_null(w: &mut Writer, cx: &Context, unit: &TypeUnit) {
    w.line("if (value is null)");
    w.block("{", "}", |w| {
        w.line(format!("{}.ThrowNull(\"{}\");", cx.framework("Writer"), cx.output.model.full_name(unit.id)))
    });
}

fn descend(w: &mut Writer, unit: &TypeUnit, cx: &Context, what: &str) {
    if cx.output.decl(unit.id).recursive {
        w.line(format!("{what}.Descend(\"{}\");", cx.output.model.full_name(unit.id)));
    }
}

fn ascend(w: &mut Writer, unit: &TypeUnit, cx: &Context, what: &str) {
    if cx.output.decl(unit.id).recursive {
        w.line(format!("{what}.Ascend();"));
    }
}
