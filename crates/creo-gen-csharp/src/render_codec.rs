//! Codecs of the binary wire: straight-line code, one bounds check for a block of fields of fixed size.

use crate::context::Context;
use crate::lower::{Output, TypeUnit};
use crate::render_union;
use crate::render_values::{Values, at};
use creo_codegen::Writer;
use creo_model::{Constant, Field, Type, TypeKind};

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
                TypeKind::Struct(fields) | TypeKind::Exception(fields) => record(w, &cx, unit, fields),
                TypeKind::Enum(constants) => enumeration(w, &cx, unit, constants),
                TypeKind::Union(members) => union(w, &cx, unit, members),
            }
            w.blank();
            if let TypeKind::Union(members) = &decl.kind {
                render_union::charges(w, &cx, members);
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
    w.line(format!("public static {} Layout {{ get; }} = global::Creo.Layout.{kind}(\"{full}\", Members{facts});", cx.framework("Layout")));
}

/// The members of the type's layout.
fn members(w: &mut Writer, cx: &Context, unit: &TypeUnit) {
    let lines = match &cx.output.decl(unit.id).kind {
        TypeKind::Enum(constants) => constants.iter().map(|c| format!("new(\"{}\", null, {}, false),", c.name, c.number)).collect(),
        TypeKind::Struct(fields) | TypeKind::Exception(fields) | TypeKind::Union(fields) => member_layouts(cx, fields),
    };
    w.line(format!("private static {}[] Members() =>", cx.framework("LayoutMember")));
    w.block("[", "];", |w| w.lines(lines));
}

/// Fields, members or parameters of a layout, an expression each.
pub fn member_layouts(cx: &Context, fields: &[Field]) -> Vec<String> {
    let one = |(index, field): (usize, &Field)| {
        let required = field.default.is_none() && !matches!(field.ty, Type::Optional(_));
        format!("new(\"{}\", {}, {index}, {required}),", field.name, cx.layout(&field.ty))
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
    w.line(format!("public static {name} FromBytes({}<byte> bytes) => {binary}.FromBytes(bytes, Decode, Layout);", cx.platform("ReadOnlySpan")));
}

fn record(w: &mut Writer, cx: &Context, unit: &TypeUnit, fields: &[Field]) {
    if unit.value {
        value_record(w, cx, unit, fields);
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
                values.write(w, &field.ty, accessor);
            }
            w.line(format!("writer.CloseRegion({region});"));
        } else {
            write_fields(w, cx, &mut values, fields, &accessors);
        }
        ascend(w, unit, cx, "writer");
    });
    w.blank();
    decode_method(w, cx, unit, |w| {
        let mut values = Values::new(cx, PARAMETERS.into_iter().chain(unit.members.iter().map(|m| m.local.as_str())));
        descend(w, unit, cx, "reader");
        if cx.output.decl(unit.id).extensible {
            read_region(w, cx, unit, fields, &mut values);
        } else {
            let locals: Vec<&str> = unit.members.iter().map(|m| m.local.as_str()).collect();
            read_fields(w, cx, &locals, fields, &mut values);
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
fn value_record(w: &mut Writer, cx: &Context, unit: &TypeUnit, fields: &[Field]) {
    let values = Values::new(cx, PARAMETERS);
    let size = cx.output.plan.shape(unit.id).fixed.expect("a value type has a fixed size");
    let sizes: Vec<u64> = fields.iter().map(|f| cx.output.read_size(&f.ty).expect("of fixed size")).collect();
    let offsets: Vec<u64> = sizes.iter().scan(0, |sum, size| Some(std::mem::replace(sum, *sum + size))).collect();
    let name = cx.named(unit.id);
    let inline = format!("[{}({}.AggressiveInlining)]", cx.platform("MethodImpl"), cx.platform("MethodImplOptions"));
    if cx.output.write_size(&Type::Named(unit.id)).is_some() {
        encode_method(w, cx, unit, |w| w.line(format!("Put(writer.Block({size}), value);")));
        w.blank();
        w.line(&inline);
        w.line(format!("internal static void Put({}<byte> block, {name} value)", cx.platform("Span")));
        w.block("{", "}", |w| {
            for ((field, member), offset) in fields.iter().zip(&unit.members).zip(&offsets) {
                w.line(values.put(&field.ty, &at("block", *offset), &format!("value.{}", member.name)));
            }
        });
    } else {
        encode_method(w, cx, unit, |w| {
            let mut values = Values::new(cx, PARAMETERS);
            let accessors: Vec<String> = unit.members.iter().map(|m| format!("value.{}", m.name)).collect();
            write_fields(w, cx, &mut values, fields, &accessors);
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
                w.line(format!("{} = {},", member.name, values.get(&field.ty, &at("block", *offset))));
            }
        });
    });
}

/// Groups fields: consecutive ones of fixed size are one block.
fn groups(fields: &[Field], size: impl Fn(&Type) -> Option<u64>) -> Vec<(Vec<usize>, u64)> {
    let mut groups: Vec<(Vec<usize>, u64)> = Vec::new();
    let mut open = false;
    for (index, field) in fields.iter().enumerate() {
        match size(&field.ty) {
            Some(size) => {
                match groups.last_mut() {
                    Some((indices, total)) if open && *total + size <= MAX_BLOCK => {
                        indices.push(index);
                        *total += size;
                    }
                    _ => groups.push((vec![index], size)),
                }
                open = true;
            }
            None => {
                groups.push((vec![index], 0));
                open = false;
            }
        }
    }
    groups
}

/// Writes fields, or parameters, one after the other.
pub fn write_fields(w: &mut Writer, cx: &Context, values: &mut Values, fields: &[Field], accessors: &[String]) {
    for (indices, size) in groups(fields, |ty| cx.output.write_size(ty)) {
        if let [index] = indices[..] {
            values.write(w, &fields[index].ty, &accessors[index]);
            continue;
        }
        let block = values.fresh("block");
        w.line(format!("var {block} = writer.Block({size});"));
        let mut offset = 0;
        for index in indices {
            w.line(values.put(&fields[index].ty, &at(&block, offset), &accessors[index]));
            offset += cx.output.write_size(&fields[index].ty).expect("of fixed size");
        }
    }
}

/// Reads fields, or parameters, one after the other, each into its local.
pub fn read_fields(w: &mut Writer, cx: &Context, locals: &[&str], fields: &[Field], values: &mut Values) {
    for (indices, size) in groups(fields, |ty| cx.output.read_size(ty)) {
        if let [index] = indices[..] {
            values.read_into(w, &fields[index].ty, locals[index]);
            continue;
        }
        let block = values.fresh("block");
        w.line(format!("var {block} = reader.Block({size});"));
        let mut offset = 0;
        for index in indices {
            let value = values.get(&fields[index].ty, &at(&block, offset));
            w.line(format!("var {} = {value};", locals[index]));
            offset += cx.output.read_size(&fields[index].ty).expect("of fixed size");
        }
    }
}

/// Fields of an extensible type: the region may end before any that has a default (MODEL-11).
fn read_region(w: &mut Writer, cx: &Context, unit: &TypeUnit, fields: &[Field], values: &mut Values) {
    let outer = values.fresh("outer");
    w.line(format!("int {outer} = reader.OpenRegion();"));
    for (field, member) in fields.iter().zip(&unit.members) {
        if field.default.is_none() && !matches!(field.ty, Type::Optional(_)) {
            values.read_into(w, &field.ty, &member.local);
            continue;
        }
        let default = match (&field.default, &member.initializer) {
            (None, _) => "null",
            (Some(_), Some(text)) => text,
            (Some(_), None) => "default",
        };
        w.line(format!("{} {} = {default};", cx.ty(&field.ty), member.local));
        w.line("if (!reader.AtEnd)");
        w.block("{", "}", |w| {
            let value = values.read(w, &field.ty);
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
        w.block("{", "}", |w| w.line(format!("throw {}.Undeclared(\"{full}\", (int)value);", cx.framework("Writer"))));
        w.line("writer.WriteCount((int)value);");
    });
    w.blank();
    decode_method(w, cx, unit, |w| w.line("return FromNumber(reader.ReadNumber());"));
    w.blank();
    w.line(format!("internal static {name} FromNumber(int number) =>"));
    w.indented(|w| {
        w.line(format!("IsDeclared(number) ? ({name})number : throw {}.Undeclared(\"{full}\", number);", cx.framework("Reader")));
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
    w.line(format!("public static void Encode({} writer, {} value)", cx.framework("Writer"), cx.named(unit.id)));
    w.block("{", "}", body);
}

fn decode_method(w: &mut Writer, cx: &Context, unit: &TypeUnit, body: impl FnOnce(&mut Writer)) {
    w.line("/// <summary>Reads a value.</summary>");
    w.line(format!("public static {} Decode(ref {} reader)", cx.named(unit.id), cx.framework("Reader")));
    w.block("{", "}", body);
}

fn not_null(w: &mut Writer, cx: &Context, unit: &TypeUnit) {
    w.line("if (value is null)");
    w.block("{", "}", |w| w.line(format!("{}.ThrowNull(\"{}\");", cx.framework("Writer"), cx.output.model.full_name(unit.id))));
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
