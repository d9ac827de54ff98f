//! Prints the codecs of the binary wire: straight-line code, one check for a block of fixed fields.

use crate::file::{Output, suppress};
use crate::lang::{Code, Component, Enum, Kind, Record, Step, Type, Union};
use crate::literals::string;
use crate::names::{Inside, Scope};
use crate::render_helpers::{helpers, read, write};
use crate::render_types::absent;
use creo_codegen::{Files, Writer};
use creo_model::Primitive;

/// The form of generated code, which the runtime must serve.
pub const FORMAT: u32 = 1;

pub fn render(out: &Output, ty: &Type, files: &mut Files) {
    out.file(files, &ty.codec, Inside::default(), |w, scope| {
        let class = scope.class(&ty.class);
        w.line(format!("/** How {{@link {class}}} is written to and read from the binary wire. */"));
        suppress(w, scope, ty.uses_deprecated);
        w.block(format!("public final class {} {{", ty.codec.simple()), "}", |w| {
            let codec = scope.creo("Codec");
            w.line("/** The pair of functions as an object. */");
            w.line(format!("public static final {codec}<{class}> CODEC = {codec}.of({0}::encode, {0}::decode);", ty.codec.simple()));
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
    w.line(format!("private static final int FORMAT = {}.require({FORMAT}, \"{}\");", scope.creo("Version"), env!("CARGO_PKG_VERSION")));
}

/// Constructor and the functions between values and whole arrays of bytes.
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
        w.line(format!("{writer} w = new {writer}();"));
        w.line("encode(w, value);");
        w.line("return w.toBytes();");
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
    if let Some(size) = record.fixed {
        w.line("/** The bytes of each value. For generated code. */");
        w.line(format!("public static final int SIZE = {size};"));
        w.line("/** Where its fields stand. For generated code. */");
        w.line(format!("public static final {0} LAYOUT = {0}.of({1});", scope.creo("Layout"), layout(record, &all_fields(record), scope)));
    }
    frame(w, scope, ty.codec.simple(), class);
    match record.fixed {
        Some(_) => fixed(w, scope, record, class),
        None => record_codec(w, scope, record, class, "", "public "),
    }
}

fn all_fields(record: &Record) -> Vec<(usize, u64)> {
    let mut offset = 0;
    let place = |(i, c): (usize, &Component)| {
        let here = offset;
        offset += c.fixed.unwrap_or(0);
        (i, here)
    };
    record.components.iter().enumerate().map(place).collect()
}

fn layout(record: &Record, fields: &[(usize, u64)], scope: &Scope) -> String {
    let one = |(index, _): &(usize, u64)| {
        let c = &record.components[*index];
        let inner = match &c.value.code {
            Code::Coded(codec) if !c.is_enum => format!("{}.LAYOUT", scope.statics(codec)),
            _ => c.fixed.unwrap_or(0).to_string(),
        };
        format!("{}, {inner}", string(&c.wire_name))
    };
    fields.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The names of fields for places, and the layouts of blocks. `of` is what their names end with.
pub fn constants(w: &mut Writer, scope: &Scope, record: &Record, of: &str) {
    if !record.components.is_empty() {
        let names: Vec<String> = record.components.iter().map(|c| string(&c.wire_name)).collect();
        w.line(format!("private static final {}[] FIELDS{of} = {{{}}};", scope.lang("String"), names.join(", ")));
    }
    if record.fixed.is_some() {
        return;
    }
    for (number, step) in record.steps.iter().enumerate() {
        if let Step::Block { fields, .. } = step {
            w.line(format!("private static final {0} BLOCK{of}_{number} = {0}.of({1});", scope.creo("Layout"), layout(record, fields, scope)));
        }
    }
}

fn fixed(w: &mut Writer, scope: &Scope, record: &Record, class: &str) {
    let (writer, reader, exception) = (scope.creo("Writer"), scope.creo("Reader"), scope.creo("CreoException"));
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
        if record.any_bits {
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
        with_place(w, scope, record.components.iter().any(can_be_null), "throw e.in(FIELDS[at]);", "0", |w| {
            for (index, offset) in all_fields(record) {
                let c = &record.components[index];
                if can_be_null(c) && index > 0 {
                    w.line(format!("at = {index};"));
                }
                w.line(put(c, "b", "p", offset, scope));
            }
        });
    });
    w.blank();
    w.line("/** Reads a value at an index. For generated code. */");
    w.block(format!("public static {class} get(byte[] b, int p) {{"), "}", |w| {
        with_place(w, scope, !record.any_bits, "throw e.in(FIELDS[at]);", "0", |w| {
            for (index, offset) in all_fields(record) {
                let c = &record.components[index];
                if !c.any_bits && index > 0 {
                    w.line(format!("at = {index};"));
                }
                w.line(format!("{} f{index} = {};", c.value.ty.text(scope), get(c, "b", "p", offset, scope)));
            }
            w.line(format!("return {};", construct(record, class)));
        });
    });
}

fn can_be_null(c: &Component) -> bool {
    !c.value.ty.is_primitive()
}

fn at(p: &str, offset: u64) -> String {
    if offset == 0 { p.to_owned() } else { format!("{p} + {offset}") }
}

/// Writes a component at an offset from the index `p` of the buffer `b`.
fn put(c: &Component, b: &str, p: &str, offset: u64, scope: &Scope) -> String {
    let p = at(p, offset);
    let v = format!("v.{}()", c.name);
    match &c.value.code {
        Code::Scalar(Primitive::Byte) => format!("{b}[{p}] = {v};"),
        Code::Scalar(primitive) => format!("{}.put{}({b}, {p}, {v});", scope.creo("Bytes"), word(*primitive)),
        Code::Coded(codec) => format!("{}.put({b}, {p}, {v});", scope.statics(codec)),
        Code::Text(_) | Code::Texts | Code::Bytes | Code::Bulk(_) | Code::Helper(_) => unreachable!("not of fixed size"),
    }
}

/// Reads a component at an offset from the index `p` of the buffer `b`.
fn get(c: &Component, b: &str, p: &str, offset: u64, scope: &Scope) -> String {
    let p = at(p, offset);
    match &c.value.code {
        Code::Scalar(Primitive::Byte) => format!("{b}[{p}]"),
        Code::Scalar(primitive) => format!("{}.get{}({b}, {p})", scope.creo("Bytes"), word(*primitive)),
        Code::Coded(codec) => format!("{}.get({b}, {p})", scope.statics(codec)),
        Code::Text(_) | Code::Texts | Code::Bytes | Code::Bulk(_) | Code::Helper(_) => unreachable!("not of fixed size"),
    }
}

/// What follows `read`, `write`, `get` and `put` in the runtime's names.
pub fn word(p: Primitive) -> &'static str {
    match p {
        Primitive::Boolean => "Boolean",
        Primitive::Byte => "Byte",
        Primitive::Short => "Short",
        Primitive::Char => "Char",
        Primitive::Int => "Int",
        Primitive::Long => "Long",
        Primitive::Float => "Float",
        Primitive::Double => "Double",
        Primitive::String => "String",
        Primitive::DateTime => "Instant",
        Primitive::Decimal => "Decimal",
    }
}

pub fn construct(record: &Record, class: &str) -> String {
    if record.is_wide() {
        let all: String = record.components.iter().enumerate().map(|(i, c)| format!(".{}(f{i})", c.name)).collect();
        return format!("new {class}.Builder(){all}.build()");
    }
    let all: Vec<String> = (0..record.components.len()).map(|i| format!("f{i}")).collect();
    format!("new {class}({})", all.join(", "))
}

/// Wraps lines that may fail so that the error learns its place, which costs nothing while they do not.
fn with_place(w: &mut Writer, scope: &Scope, fails: bool, rethrow: &str, first: &str, body: impl FnOnce(&mut Writer)) {
    if !fails {
        body(w);
        return;
    }
    w.line(format!("int at = {first};"));
    w.block("try {", "", body);
    w.block(format!("}} catch ({} e) {{", scope.creo("CreoException")), "}", |w| w.line(rethrow));
}

/// The pair of functions of a record of variable size. `of` is what the names end with.
pub fn record_codec(w: &mut Writer, scope: &Scope, record: &Record, class: &str, of: &str, access: &str) {
    w.blank();
    if of.is_empty() {
        w.line("/** Writes a value. */");
    }
    w.block(format!("{access}static void encode{of}({} w, {class} v) {{", scope.creo("Writer")), "}", |w| encode_record(w, scope, record, of));
    w.blank();
    if of.is_empty() {
        w.line("/** Reads a value. */");
    }
    w.block(format!("{access}static {class} decode{of}({} r) {{", scope.creo("Reader")), "}", |w| decode_record(w, scope, record, class, of));
}

fn encode_record(w: &mut Writer, scope: &Scope, record: &Record, of: &str) {
    w.block("if (v == null) {", "}", |w| w.line(format!("throw {}.missing();", scope.creo("CreoException"))));
    if record.recursive {
        w.line("w.enter();");
    }
    if record.extensible {
        w.line("int region = w.openRegion();");
    }
    let fails = record.components.iter().any(can_be_null);
    with_place(w, scope, fails, &format!("throw e.in(FIELDS{of}[at]);"), "0", |w| {
        for step in &record.steps {
            match step {
                Step::Block { fields, size } => {
                    let first = fields[0].0;
                    w.line(format!("int p{first} = w.reserve({size});"));
                    w.line(format!("byte[] b{first} = w.buffer();"));
                    for (index, offset) in fields {
                        let c = &record.components[*index];
                        if can_be_null(c) && *index > 0 {
                            w.line(format!("at = {index};"));
                        }
                        w.line(put(c, &format!("b{first}"), &format!("p{first}"), *offset, scope));
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
    if record.extensible {
        w.line("w.closeRegion(region);");
    }
    if record.recursive {
        w.line("w.leave();");
    }
}

fn decode_record(w: &mut Writer, scope: &Scope, record: &Record, class: &str, of: &str) {
    if record.recursive {
        w.line("r.enter();");
    }
    if record.extensible {
        w.line("long outer = r.openRegion();");
    }
    let fails = !record.components.is_empty();
    with_place(w, scope, fails, &format!("throw r.in(e, FIELDS{of}, at);"), if starts_with_block(record) { "-1" } else { "0" }, |w| {
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
        if record.extensible {
            if fails {
                w.line("at = -1;");
            }
            w.line("r.closeRegion(outer);");
        }
        if record.recursive {
            w.line("r.leave();");
        }
        w.line(format!("return {};", construct(record, class)));
    });
}

fn starts_with_block(record: &Record) -> bool {
    matches!(record.steps.first(), Some(Step::Block { .. }))
}

fn read_block(w: &mut Writer, scope: &Scope, record: &Record, number: usize, fields: &[(usize, u64)], size: u64, of: &str) {
    let first = fields[0].0;
    if number > 0 {
        w.line("at = -1;");
    }
    w.line(format!("int p{first} = r.require({size}, BLOCK{of}_{number});"));
    w.line(format!("byte[] b{first} = r.buffer();"));
    for (index, offset) in fields {
        let c = &record.components[*index];
        if !c.any_bits {
            w.line(format!("at = {index};"));
        }
        let from = get(c, &format!("b{first}"), &format!("p{first}"), *offset, scope);
        w.line(format!("{} f{index} = {from};", c.value.ty.text(scope)));
    }
}

fn read_field(w: &mut Writer, scope: &Scope, record: &Record, index: usize) {
    let c = &record.components[index];
    let value = read(&c.value, scope);
    let ty = c.value.ty.text(scope);
    if !record.extensible {
        w.line(format!("{ty} f{index} = {value};"));
    } else if c.optional || c.default.is_some() {
        w.line(format!("{ty} f{index} = r.inRegion() ? {value} : {};", absent(c, scope)));
    } else {
        if c.value.least > 0 {
            w.block("if (!r.inRegion()) {", "}", |w| w.line("throw r.missing();"));
        }
        w.line(format!("{ty} f{index} = {value};"));
    }
}

fn enumeration(w: &mut Writer, scope: &Scope, ty: &Type, e: &Enum, class: &str) {
    let (writer, reader, exception) = (scope.creo("Writer"), scope.creo("Reader"), scope.creo("CreoException"));
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
        if e.extensible {
            w.line(format!("return {statics}.of(r.readCount());"));
            return;
        }
        w.line("int number = r.readCount();");
        w.line(format!("{class} v = {statics}.of(number);"));
        w.block("if (v == null) {", "}", |w| w.line(format!("throw r.unknownNumber(number, {name});")));
        w.line("return v;");
    });
    if !e.one_byte {
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
        w.block("if (v == null) {", "}", |w| w.line(format!("throw {}.unknownNumber(b, p, {name});", scope.creo("Bytes"))));
        w.line("return v;");
    });
}

fn union(w: &mut Writer, scope: &Scope, ty: &Type, union: &Union, class: &str) {
    let (writer, reader, exception) = (scope.creo("Writer"), scope.creo("Reader"), scope.creo("CreoException"));
    let names: Vec<String> = union.members.iter().map(|m| string(&m.component.wire_name)).collect();
    w.line(format!("private static final {}[] MEMBERS = {{{}}};", scope.lang("String"), names.join(", ")));
    let charges: Vec<String> = union.charges.iter().map(u64::to_string).collect();
    w.line(format!("private static final int[] CHARGES = {{{}}};", charges.join(", ")));
    frame(w, scope, ty.codec.simple(), class);
    w.blank();
    w.line("/** Writes a value. */");
    w.block(format!("public static void encode({writer} w, {class} v) {{"), "}", |w| {
        if union.recursive {
            w.line("w.enter();");
        }
        let fails = union.members.iter().any(|m| can_be_null(&m.component));
        with_place(w, scope, fails, "throw at < 0 ? e : e.in(MEMBERS[at]);", "-1", |w| encode_members(w, scope, union, class, fails));
        if union.recursive {
            w.line("w.leave();");
        }
    });
    w.blank();
    w.line("/** Reads a value. */");
    w.block(format!("public static {class} decode({reader} r) {{"), "}", |w| {
        if union.recursive {
            w.line("r.enter();");
        }
        w.line("int index = r.readMember(CHARGES);");
        if union.extensible {
            w.line("long outer = r.openRegion();");
            w.block(format!("if (index >= {}) {{", union.members.len()), "}", |w| {
                w.line(format!("{class} unknown = new {class}.Unknown(index, r.readRegion());"));
                w.line("r.closeRegion(outer);");
                if union.recursive {
                    w.line("r.leave();");
                }
                w.line("return unknown;");
            });
        }
        w.block("try {", "", |w| {
            w.block(format!("{class} v = switch (index) {{"), "};", |w| {
                for (i, m) in union.members.iter().enumerate() {
                    w.line(format!("case {i} -> new {class}.{}({});", m.class, read(&m.component.value, scope)));
                }
                w.line(format!("default -> throw r.unknownNumber(index, {});", string(ty.class.simple())));
            });
            if union.extensible {
                w.line("r.closeFullRegion(outer);");
            }
            if union.recursive {
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
            if union.extensible {
                w.line("int region = w.openRegion();");
            }
            if places {
                w.line(format!("at = {i};"));
            }
            w.line(format!("{};", write(&m.component.value, "m.value()", scope)));
            if union.extensible {
                w.line("w.closeRegion(region);");
            }
        });
        open = "} else if".to_owned();
    }
    if union.extensible {
        w.block(format!("{open} (v instanceof {class}.Unknown m) {{"), "", |w| {
            w.line("w.writeCount(m.index());");
            w.line("int region = w.openRegion();");
            w.line("w.writeRaw(m.bytes());");
            w.line("w.closeRegion(region);");
        });
    }
    w.block("} else {", "}", |w| w.line(format!("throw {}.missing();", scope.creo("CreoException"))));
}
