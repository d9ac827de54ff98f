//! Prints the codecs of the binary wire: straight-line code with one check for a block of fixed-size fields.

use crate::lang::{Component, Enum, FixedField, Kind, Layout, Record, Slot, Step, Type, Union};
use crate::literals::string;
use crate::names::{Inside, Scope};
use crate::print_binary_values::{get, helpers, offset, put, read, write};
use crate::print_project::{Output, generated};
use crate::print_records::absent;
use creo_codegen::{Files, Writer};

/// The format of generated code, which the runtime must support.
pub const FORMAT: u32 = 1;

pub fn render(out: &Output, ty: &Type, files: &mut Files) {
    out.file(files, &ty.codec, Inside::default(), |w, scope| {
        let class = scope.class(&ty.class);
        w.line(format!("/** How {{@link {class}}} is written to and read from the binary wire. */"));
        generated(w, scope, ty.uses_deprecated);
        w.block(format!("public final class {} {{", ty.codec.simple()), "}", |w| {
            let codec = scope.creo("Codec");
            w.line("/** The pair of functions as an object. */");
            w.line(format!(
                "public static final {codec}<{class}> CODEC = {codec}.of({0}::encode, {0}::decode);",
                ty.codec.simple()
            ));
            format_line(w, scope);
            match &ty.kind {
                Kind::Struct(record) | Kind::Exception(record) => structure(w, scope, ty, record, &class),
                Kind::Enum(e) => enumeration(w, scope, ty, e, &class),
                Kind::Union(union) => self::union(w, scope, ty, union, &class),
            }
            helpers(w, scope, &ty.helpers);
        });
    });
}

/// The handshake with the runtime.
pub fn format_line(w: &mut Writer, scope: &Scope) {
    w.line(format!(
        "private static final int FORMAT = {}.require({FORMAT}, \"{}\");",
        scope.creo("Version"),
        env!("CARGO_PKG_VERSION")
    ));
}

/// The constructor and the functions between values and whole byte arrays.
fn frame(w: &mut Writer, scope: &Scope, codec: &str, class: &str) {
    let (writer, reader, limits) = (scope.creo("Writer"), scope.creo("Reader"), scope.creo("Limits"));
    let exception = scope.creo("CreoException");
    w.blank();
    w.line(format!("private {codec}() {{}}"));
    w.blank();
    w.lines([
        "/**".to_owned(),
        " * The value as bytes.".to_owned(),
        " *".to_owned(),
        format!(" * @throws {exception} {{@code invalid-value}} with its place, or {{@code too-large}}"),
        " */".to_owned(),
    ]);
    w.block(format!("public static byte[] toBytes({class} value) {{"), "}", |w| {
        w.line(format!("{writer} w = {writer}.borrow();"));
        w.line("try {");
        w.line("    encode(w, value);");
        w.line("    return w.toBytes();");
        w.line("} finally {");
        w.line("    w.giveBack();");
        w.line("}");
    });
    w.blank();
    w.lines([
        "/**".to_owned(),
        " * The value of bytes, within the default limits.".to_owned(),
        " *".to_owned(),
        format!(" * @throws {exception} {{@code malformed}} with place and offset, or {{@code too-large}}"),
        " */".to_owned(),
    ]);
    w.block(format!("public static {class} fromBytes(byte[] bytes) {{"), "}", |w| {
        w.line(format!("return fromBytes(bytes, {limits}.DEFAULT);"));
    });
    w.blank();
    w.line("/** The value of bytes, within the given limits. */");
    w.block(format!("public static {class} fromBytes(byte[] bytes, {limits} limits) {{"), "}", |w| {
        w.line(format!("{reader} r = new {reader}(bytes, 0, bytes.length, limits);"));
        w.block("try {", "", |w| {
            w.line(format!("{class} value = decode(r);"));
            w.line("r.finish();");
            w.line("return value;");
        });
        w.block(format!("}} catch ({exception} e) {{"), "}", |w| w.line("throw r.resolve(e);"));
    });
}

fn structure(w: &mut Writer, scope: &Scope, ty: &Type, record: &Record, class: &str) {
    constants(w, scope, record, "");
    if let Some(Layout { size, fields }) = &record.layout {
        w.line("/** The bytes of each value. For generated code. */");
        w.line(format!("public static final int SIZE = {size};"));
        w.line("/** Where its fields stand. For generated code. */");
        w.line(format!(
            "public static final {0} LAYOUT = {0}.of({1});",
            scope.creo("Layout"),
            layout(record, fields, scope)
        ));
    }
    frame(w, scope, ty.codec.simple(), class);
    match &record.layout {
        Some(layout) => fixed(w, scope, record, layout, class),
        None => record_codec(w, scope, record, class, "", "public "),
    }
}

fn layout(record: &Record, fields: &[FixedField], scope: &Scope) -> String {
    let part = |field: &FixedField| {
        let inner = match &field.fixed.slot {
            Slot::Record(codec) => format!("{}.LAYOUT", scope.statics(codec)),
            Slot::Enum(_) | Slot::Scalar(_) => field.fixed.size.to_string(),
        };
        format!("{}, {inner}", string(&record.components[field.index].field.name))
    };
    fields.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// The names of fields for paths, and the layouts of blocks. `of` is the suffix of their names.
pub fn constants(w: &mut Writer, scope: &Scope, record: &Record, of: &str) {
    if !record.components.is_empty() {
        let names: Vec<String> = record.components.iter().map(|c| string(&c.field.name)).collect();
        w.line(format!(
            "private static final {}[] FIELDS{of} = {{{}}};",
            scope.lang("String"),
            names.join(", ")
        ));
    }
    if record.layout.is_some() {
        return;
    }
    for (number, step) in record.steps.iter().enumerate() {
        if let Step::Block { fields, .. } = step {
            w.line(format!(
                "private static final {0} BLOCK{of}_{number} = {0}.of({1});",
                scope.creo("Layout"),
                layout(record, fields, scope)
            ));
        }
    }
}

fn fixed(w: &mut Writer, scope: &Scope, record: &Record, layout: &Layout, class: &str) {
    let (writer, reader, exception) =
        (scope.creo("Writer"), scope.creo("Reader"), scope.creo("CreoException"));
    w.blank();
    w.line("/** Writes a value. */");
    w.block(format!("public static void encode({writer} w, {class} v) {{"), "}", |w| {
        w.line("int p = w.reserve(SIZE);");
        w.line("put(w.buffer(), p, v);");
    });
    w.blank();
    w.line("/** Reads a value. */");
    w.block(format!("public static {class} decode({reader} r) {{"), "}", |w| {
        w.line("int p = r.require(SIZE, LAYOUT);");
        if record.plan.shape.any_bits {
            w.line("return get(r.buffer(), p);");
            return;
        }
        w.block("try {", "", |w| w.line("return get(r.buffer(), p);"));
        w.block(format!("}} catch ({exception} e) {{"), "}", |w| w.line("throw r.resolve(e);"));
    });
    w.blank();
    w.line("/** Writes a value at an index. For generated code. */");
    w.block(format!("public static void put(byte[] b, int p, {class} v) {{"), "}", |w| {
        w.block("if (v == null) {", "}", |w| w.line(format!("throw {exception}.missing();")));
        with_place(
            w,
            scope,
            record.components.iter().any(can_be_null),
            "throw e.in(FIELDS[at]);",
            "0",
            |w| {
                for field in &layout.fields {
                    let (index, c) = (field.index, &record.components[field.index]);
                    if can_be_null(c) && index > 0 {
                        w.line(format!("at = {index};"));
                    }
                    let v = format!("v.{}()", c.name);
                    w.line(put(&field.fixed.slot, "b", &offset("p", field.offset), &v, scope));
                }
            },
        );
    });
    w.blank();
    w.line("/** Reads a value at an index. For generated code. */");
    w.block(format!("public static {class} get(byte[] b, int p) {{"), "}", |w| {
        with_place(w, scope, !record.plan.shape.any_bits, "throw e.in(FIELDS[at]);", "0", |w| {
            for field in &layout.fields {
                let (index, c) = (field.index, &record.components[field.index]);
                if !c.field.node.shape.any_bits && index > 0 {
                    w.line(format!("at = {index};"));
                }
                let value = get(&field.fixed.slot, "b", &offset("p", field.offset), scope);
                w.line(format!("{} f{index} = {value};", c.value.ty.text(scope)));
            }
            w.line(format!("return {};", construct(record, class)));
        });
    });
}

fn can_be_null(c: &Component) -> bool {
    !c.value.ty.is_primitive()
}

pub fn construct(record: &Record, class: &str) -> String {
    if record.is_wide() {
        let all: String =
            record.components.iter().enumerate().map(|(i, c)| format!(".{}(f{i})", c.name)).collect();
        return format!("new {class}.{}(){all}.build()", record.builder);
    }
    let fields = (0..record.components.len()).map(|i| format!("f{i}"));
    let all: Vec<String> = fields.chain(record.stream.iter().map(|_| "null".to_owned())).collect();
    format!("new {class}({})", all.join(", "))
}

/// Wraps lines that may fail: an error then gets its path, at no cost on success.
fn with_place(
    w: &mut Writer,
    scope: &Scope,
    fails: bool,
    rethrow: &str,
    first: &str,
    body: impl FnOnce(&mut Writer),
) {
    if !fails {
        body(w);
        return;
    }
    w.line(format!("int at = {first};"));
    w.block("try {", "", body);
    w.block(format!("}} catch ({} e) {{", scope.creo("CreoException")), "}", |w| w.line(rethrow));
}

/// The two functions of a variable-size record. `of` is the suffix of the names.
pub fn record_codec(w: &mut Writer, scope: &Scope, record: &Record, class: &str, of: &str, access: &str) {
    w.blank();
    if of.is_empty() {
        w.line("/** Writes a value. */");
    }
    w.block(format!("{access}static void encode{of}({} w, {class} v) {{", scope.creo("Writer")), "}", |w| {
        encode_record(w, scope, record, of)
    });
    w.blank();
    if of.is_empty() {
        w.line("/** Reads a value. */");
    }
    w.block(format!("{access}static {class} decode{of}({} r) {{", scope.creo("Reader")), "}", |w| {
        decode_record(w, scope, record, class, of)
    });
}

fn encode_record(w: &mut Writer, scope: &Scope, record: &Record, of: &str) {
    w.block("if (v == null) {", "}", |w| w.line(format!("throw {}.missing();", scope.creo("CreoException"))));
    if record.plan.recursive {
        w.line("w.enter();");
    }
    if record.plan.extensible {
        w.line("int region = w.openRegion();");
    }
    let fails = record.components.iter().any(can_be_null);
    with_place(w, scope, fails, &format!("throw e.in(FIELDS{of}[at]);"), "0", |w| {
        for step in &record.steps {
            match step {
                Step::Block { fields, size } => {
                    let first = fields[0].index;
                    w.line(format!("int p{first} = w.reserve({size});"));
                    w.line(format!("byte[] b{first} = w.buffer();"));
                    for field in fields {
                        let (index, c) = (field.index, &record.components[field.index]);
                        if can_be_null(c) && index > 0 {
                            w.line(format!("at = {index};"));
                        }
                        let (b, p) = (format!("b{first}"), offset(&format!("p{first}"), field.offset));
                        w.line(put(&field.fixed.slot, &b, &p, &format!("v.{}()", c.name), scope));
                    }
                }
                Step::Field(index) => {
                    let c = &record.components[*index];
                    if can_be_null(c) && *index > 0 {
                        w.line(format!("at = {index};"));
                    }
                    w.line(format!("{};", write(&c.value, &format!("v.{}()", c.name), scope)));
                }
            }
        }
    });
    if record.plan.extensible {
        w.line("w.closeRegion(region);");
    }
    if record.plan.recursive {
        w.line("w.leave();");
    }
}

fn decode_record(w: &mut Writer, scope: &Scope, record: &Record, class: &str, of: &str) {
    if record.plan.recursive {
        w.line("r.enter();");
    }
    if record.plan.extensible {
        w.line("long outer = r.openRegion();");
    }
    let fails = !record.components.is_empty();
    with_place(
        w,
        scope,
        fails,
        &format!("throw r.in(e, FIELDS{of}, at);"),
        if starts_with_block(record) { "-1" } else { "0" },
        |w| {
            for (number, step) in record.steps.iter().enumerate() {
                match step {
                    Step::Block { fields, size } => read_block(w, scope, record, number, fields, *size, of),
                    Step::Field(index) => {
                        if number > 0 {
                            w.line(format!("at = {index};"));
                        }
                        read_field(w, scope, record, *index);
                    }
                }
            }
            if record.plan.extensible {
                if fails {
                    w.line("at = -1;");
                }
                w.line("r.closeRegion(outer);");
            }
            if record.plan.recursive {
                w.line("r.leave();");
            }
            w.line(format!("return {};", construct(record, class)));
        },
    );
}

fn starts_with_block(record: &Record) -> bool {
    matches!(record.steps.first(), Some(Step::Block { .. }))
}

fn read_block(
    w: &mut Writer,
    scope: &Scope,
    record: &Record,
    number: usize,
    fields: &[FixedField],
    size: u64,
    of: &str,
) {
    let first = fields[0].index;
    if number > 0 {
        w.line("at = -1;");
    }
    w.line(format!("int p{first} = r.require({size}, BLOCK{of}_{number});"));
    w.line(format!("byte[] b{first} = r.buffer();"));
    for field in fields {
        let (index, c) = (field.index, &record.components[field.index]);
        if !c.field.node.shape.any_bits {
            w.line(format!("at = {index};"));
        }
        let (b, p) = (format!("b{first}"), offset(&format!("p{first}"), field.offset));
        let from = get(&field.fixed.slot, &b, &p, scope);
        w.line(format!("{} f{index} = {from};", c.value.ty.text(scope)));
    }
}

fn read_field(w: &mut Writer, scope: &Scope, record: &Record, index: usize) {
    let c = &record.components[index];
    let value = read(&c.value, scope);
    let ty = c.value.ty.text(scope);
    if !record.plan.extensible {
        w.line(format!("{ty} f{index} = {value};"));
    } else if c.may_be_left_out() {
        w.line(format!("{ty} f{index} = r.inRegion() ? {value} : {};", absent(c, scope)));
    } else {
        if c.value.min_size > 0 {
            w.block("if (!r.inRegion()) {", "}", |w| w.line("throw r.missing();"));
        }
        w.line(format!("{ty} f{index} = {value};"));
    }
}

fn enumeration(w: &mut Writer, scope: &Scope, ty: &Type, e: &Enum, class: &str) {
    let (writer, reader, exception) =
        (scope.creo("Writer"), scope.creo("Reader"), scope.creo("CreoException"));
    let (name, statics) = (string(ty.class.simple()), scope.statics(&ty.class));
    frame(w, scope, ty.codec.simple(), class);
    w.blank();
    w.line("/** Writes a value. */");
    w.block(format!("public static void encode({writer} w, {class} v) {{"), "}", |w| {
        w.block("if (v == null) {", "}", |w| w.line(format!("throw {exception}.missing();")));
        w.line("w.writeCount(v.number());");
    });
    w.blank();
    w.line("/** Reads a value. */");
    w.block(format!("public static {class} decode({reader} r) {{"), "}", |w| {
        if e.plan.extensible {
            w.line(format!("return {statics}.of(r.readCount());"));
            return;
        }
        w.line("int number = r.readCount();");
        w.line(format!("{class} v = {statics}.of(number);"));
        w.block("if (v == null) {", "}", |w| w.line(format!("throw r.unknownNumber(number, {name});")));
        w.line("return v;");
    });
    if !e.plan.is_one_byte() {
        return;
    }
    w.blank();
    w.line("/** Writes a value at an index. For generated code. */");
    w.block(format!("public static void put(byte[] b, int p, {class} v) {{"), "}", |w| {
        w.block("if (v == null) {", "}", |w| w.line(format!("throw {exception}.missing();")));
        w.line("b[p] = (byte) v.number();");
    });
    w.blank();
    w.line("/** Reads a value at an index. For generated code. */");
    w.block(format!("public static {class} get(byte[] b, int p) {{"), "}", |w| {
        w.line(format!("{class} v = {statics}.of(b[p]);"));
        w.block("if (v == null) {", "}", |w| {
            w.line(format!("throw {}.unknownNumber(b, p, {name});", scope.creo("Bytes")))
        });
        w.line("return v;");
    });
}

fn union(w: &mut Writer, scope: &Scope, ty: &Type, union: &Union, class: &str) {
    let (writer, reader, exception) =
        (scope.creo("Writer"), scope.creo("Reader"), scope.creo("CreoException"));
    let names: Vec<String> = union.members.iter().map(|m| string(&m.component.field.name)).collect();
    w.line(format!("private static final {}[] MEMBERS = {{{}}};", scope.lang("String"), names.join(", ")));
    let charges: Vec<String> = union.plan.charges().map(|charge| charge.to_string()).collect();
    w.line(format!("private static final int[] CHARGES = {{{}}};", charges.join(", ")));
    frame(w, scope, ty.codec.simple(), class);
    w.blank();
    w.line("/** Writes a value. */");
    w.block(format!("public static void encode({writer} w, {class} v) {{"), "}", |w| {
        if union.plan.recursive {
            w.line("w.enter();");
        }
        let fails = union.members.iter().any(|m| can_be_null(&m.component));
        with_place(w, scope, fails, "throw at < 0 ? e : e.in(MEMBERS[at]);", "-1", |w| {
            encode_members(w, scope, union, class, fails)
        });
        if union.plan.recursive {
            w.line("w.leave();");
        }
    });
    w.blank();
    w.line("/** Reads a value. */");
    w.block(format!("public static {class} decode({reader} r) {{"), "}", |w| {
        if union.plan.recursive {
            w.line("r.enter();");
        }
        w.line("int index = r.readMember(CHARGES);");
        if union.plan.extensible {
            w.line("long outer = r.openRegion();");
            w.block(format!("if (index >= {}) {{", union.members.len()), "}", |w| {
                w.line(format!("{class} unknown = new {class}.Unknown(index, r.readRegion());"));
                w.line("r.closeRegion(outer);");
                if union.plan.recursive {
                    w.line("r.leave();");
                }
                w.line("return unknown;");
            });
        }
        w.block("try {", "", |w| {
            w.block(format!("{class} v = switch (index) {{"), "};", |w| {
                for (i, m) in union.members.iter().enumerate() {
                    w.line(format!(
                        "case {i} -> new {class}.{}({});",
                        m.class,
                        read(&m.component.value, scope)
                    ));
                }
                w.line(format!("default -> throw r.unknownNumber(index, {});", string(ty.class.simple())));
            });
            if union.plan.extensible {
                w.line("r.closeFullRegion(outer);");
            }
            if union.plan.recursive {
                w.line("r.leave();");
            }
            w.line("return v;");
        });
        w.block(format!("}} catch ({exception} e) {{"), "}", |w| {
            w.line(format!("throw r.in(e, MEMBERS, index < {} ? index : -1);", union.members.len()));
        });
    });
}

fn encode_members(w: &mut Writer, scope: &Scope, union: &Union, class: &str, places: bool) {
    let mut open = "if".to_owned();
    for (i, m) in union.members.iter().enumerate() {
        w.block(format!("{open} (v instanceof {class}.{} m) {{", m.class), "", |w| {
            w.line(format!("w.writeCount({i});"));
            if union.plan.extensible {
                w.line("int region = w.openRegion();");
            }
            if places {
                w.line(format!("at = {i};"));
            }
            w.line(format!("{};", write(&m.component.value, "m.value()", scope)));
            if union.plan.extensible {
                w.line("w.closeRegion(region);");
            }
        });
        open = "} else if".to_owned();
    }
    if union.plan.extensible {
        w.block(format!("{open} (v instanceof {class}.Unknown m) {{"), "", |w| {
            w.line("w.writeCount(m.index());");
            w.line("int region = w.openRegion();");
            w.line("w.writeRaw(m.bytes());");
            w.line("w.closeRegion(region);");
        });
    }
    w.block("} else {", "}", |w| w.line(format!("throw {}.missing();", scope.creo("CreoException"))));
}
