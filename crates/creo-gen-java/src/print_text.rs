//! Prints the functions between values and text wires: they pass on values with their fields.

use crate::lang::{Component, Enum, Kind, Record, Type, Union};
use crate::literals::string;
use crate::names::{Inside, Scope};
use crate::print_binary::{construct, format_line};
use crate::print_project::{Output, generated};
use crate::print_records::absent;
use crate::print_text_fields::{Descriptors, Texts, constant};
use crate::print_text_values::Values;
use creo_codegen::{Files, Wire, Writer};
use creo_plan::Position;

pub fn render(out: &Output, texts: &Texts, ty: &Type, files: &mut Files) {
    out.file(files, &ty.text, Inside::default(), |w, scope| {
        let class = scope.class(&ty.class);
        w.line(format!("/** How {{@link {class}}} is written to and read from text wires, such as XML. */"));
        generated(w, scope, ty.uses_deprecated);
        w.block(format!("public final class {} {{", ty.text.simple()), "}", |w| {
            format_line(w, scope);
            let mut descriptors = Descriptors::new(texts, scope, texts.encoded.contains(&ty.id));
            let mut values = Values::new(texts.classes, scope);
            let mut constants = Writer::new("    ");
            let mut body = Writer::new("    ");
            let shape = match &ty.kind {
                Kind::Struct(record) | Kind::Exception(record) => {
                    descriptors.record_constants(&mut constants, record, &ty.wire_name, "");
                    structure(&mut body, scope, record, &class, &mut values);
                    ".shape(RECORD)"
                }
                Kind::Enum(e) => {
                    enumeration(&mut constants, &mut body, scope, e, ty);
                    ""
                }
                Kind::Union(union) => {
                    descriptors.union_constants(&mut constants, union.plan, &ty.wire_name);
                    self::union(&mut body, scope, union, &class, &mut values);
                    ".shape(UNION)"
                }
            };
            let kind = if shape.is_empty() { format!(".is({}.ENUM)", scope.creo("TextType")) } else { String::new() };
            let name = descriptors.name(texts.plan.type_name(ty.id));
            let root = format!("{}.element(null, {name}){kind}", scope.creo("TextField"));
            let (namespaces, xsi) = texts.plan.value_needs(ty.id);
            let list = descriptors.list(&namespaces);
            descriptors.constants(w);
            w.lines(constants.finish().lines());
            w.line("/** The pair of functions as an object. */");
            let codec = scope.creo("TextCodec");
            w.line(format!(
                "public static final {codec}<{class}> CODEC = {codec}.of({1}, {root}, {0}::write, {0}::read, {xsi}{list}){shape};",
                ty.text.simple(),
                string(&ty.full_name)
            ));
            w.blank();
            w.line(format!("private {}() {{}}", ty.text.simple()));
            for wire in out.wires.iter() {
                whole_texts(w, scope, wire, &class);
            }
            w.lines(body.finish().lines());
            values.print_helpers(w);
        });
    });
}

/// The functions between values and whole XML or JSON texts. Tables have options and are written by the runtime's class.
fn whole_texts(w: &mut Writer, scope: &Scope, wire: Wire, class: &str) {
    let (name, what, shown) = match wire {
        Wire::Soap => ("Xml", "XML, an element of its own", "XML"),
        Wire::Json => ("Json", "JSON", "JSON"),
        Wire::Binary | Wire::Tdxml => return,
    };
    let (exception, runtime, limits) = (scope.creo("CreoException"), scope.creo(name), scope.creo("Limits"));
    let parameter = name.to_ascii_lowercase();
    w.blank();
    w.lines([
        "/**".to_owned(),
        format!(" * The value as {what}."),
        " *".to_owned(),
        format!(" * @throws {exception} {{@code invalid-value}} with its place, or {{@code too-large}}"),
        " */".to_owned(),
    ]);
    w.block(format!("public static byte[] to{name}({class} value) {{"), "}", |w| {
        w.line(format!("return {runtime}.write(CODEC, value);"))
    });
    w.blank();
    w.lines([
        "/**".to_owned(),
        format!(" * The value of {shown}, within the default limits."),
        " *".to_owned(),
        format!(" * @throws {exception} {{@code malformed}} with place and offset, or {{@code too-large}}"),
        " */".to_owned(),
    ]);
    w.block(format!("public static {class} from{name}(byte[] {parameter}) {{"), "}", |w| {
        w.line(format!("return {runtime}.read(CODEC, {parameter});"))
    });
    w.blank();
    w.line(format!("/** The value of {shown}, within the given limits. */"));
    w.block(format!("public static {class} from{name}(byte[] {parameter}, {limits} limits) {{"), "}", |w| {
        w.line(format!("return {runtime}.read(CODEC, {parameter}, limits);"))
    });
}

fn structure<'a>(w: &mut Writer, scope: &Scope, record: &'a Record, class: &str, values: &mut Values<'a>) {
    let (writer, reader, field) =
        (scope.creo("TextWriter"), scope.creo("TextReader"), scope.creo("TextField"));
    w.blank();
    w.line("/** Writes a value as what a field says. For generated code. */");
    w.block(format!("public static void write({writer} w, {field} f, {class} v) {{"), "}", |w| {
        w.block("if (v == null) {", "}", |w| w.line("throw w.missing(f);"));
        w.line("w.beginRecord(f, RECORD);");
        write_fields(w, record, "", Headers::Omit, values);
        w.line("w.endRecord(f, RECORD);");
    });
    w.blank();
    w.line("/** Reads the value that the reader has come to. For generated code. */");
    w.block(format!("public static {class} read({reader} r) {{"), "}", |w| {
        read_fields(w, scope, record, "", values);
        w.line(format!("return {};", construct(record, class)));
    });
}

/// How header fields of a message are handled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Headers {
    Write,
    Omit,
}

/// Writes the fields of a record, attributes first. `of` distinguishes the records of a class.
pub fn write_fields<'a>(
    w: &mut Writer,
    record: &'a Record,
    of: &str,
    headers: Headers,
    values: &mut Values<'a>,
) {
    let plan = record.plan;
    if plan.has_attributes || plan.text.is_some_and(|i| plan.fields[i].node.is_optional()) {
        for (i, c) in record.components.iter().enumerate() {
            match c.field.node.xml.position {
                Position::Attribute | Position::AnyAttribute => write_field(w, i, c, of, values),
                Position::Text if c.is_optional() => {
                    w.block(format!("if (v.{}() == null) {{", c.name), "}", |w| w.line("w.absentText();"));
                }
                Position::Text | Position::Element | Position::Inline | Position::Any | Position::Header => {}
            }
        }
        let own = if of.is_empty() { "f".to_owned() } else { format!("E{of}") };
        w.line(format!("w.content({own}, RECORD{of});"));
    }
    for (i, c) in record.components.iter().enumerate() {
        match c.field.node.xml.position {
            Position::Attribute => {}
            Position::AnyAttribute => {
                w.line(format!("w.writeAttributesAsMap({}, v.{}());", constant(of, i), c.name));
            }
            Position::Header if headers == Headers::Omit => {}
            Position::Text | Position::Element | Position::Inline | Position::Any | Position::Header => {
                write_field(w, i, c, of, values);
            }
        }
    }
}

/// Writes the field at an index of a record.
pub fn write_field<'a>(w: &mut Writer, index: usize, c: &'a Component, of: &str, values: &mut Values<'a>) {
    values.write(w, &c.field.node, &constant(of, index), &format!("v.{}()", c.name));
}

/// Reads the fields of a record into local variables `f{i}`.
pub fn read_fields<'a>(w: &mut Writer, scope: &Scope, record: &'a Record, of: &str, values: &mut Values<'a>) {
    w.line(format!("r.begin(RECORD{of});"));
    for (i, c) in record.components.iter().enumerate() {
        let initial =
            if c.field.default_if_missing { absent(c, scope) } else { values.initial(&c.field.node) };
        w.line(format!("{} f{i} = {initial};", c.value.ty.text(scope)));
    }
    if record.components.is_empty() {
        w.line("r.next(0);");
    } else {
        w.block("for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {", "}", |w| {
            w.block("switch (i) {", "}", |w| {
                for (i, c) in record.components.iter().enumerate() {
                    w.line(format!("case {i} -> f{i} = {};", values.read(&c.field.node)));
                }
                w.line(format!(
                    "default -> throw new {}(\"no field \" + i);",
                    scope.lang("IllegalStateException")
                ));
            });
        });
    }
    for (i, c) in record.components.iter().enumerate() {
        values.read_lacking(w, i, &c.field.node, &format!("f{i}"));
    }
    w.line(format!("r.end(RECORD{of});"));
}

fn enumeration(constants: &mut Writer, w: &mut Writer, scope: &Scope, e: &Enum, ty: &Type) {
    let (class, statics, declared) = (scope.class(&ty.class), scope.statics(&ty.class), &ty.wire_name);
    let (writer, reader, field, enumeration) =
        (scope.creo("TextWriter"), scope.creo("TextReader"), scope.creo("TextField"), scope.creo("TextEnum"));
    let text = scope.lang("String");
    let texts: Vec<String> = e.plan.constants.iter().map(|c| string(&c.text)).collect();
    let names: Vec<String> = e.plan.constants.iter().map(|c| string(&c.name)).collect();
    let named = if e.plan.has_own_texts() { format!(".names({})", names.join(", ")) } else { String::new() };
    let numbers: Vec<String> = e.plan.constants.iter().map(|c| c.number.to_string()).collect();
    let maker = if e.plan.extensible { "extensible" } else { "of" };
    constants.line(format!(
        "private static final {enumeration} ENUM = {enumeration}.{maker}({}, new {text}[] {{{}}}, new int[] {{{}}}){named};",
        string(declared),
        texts.join(", "),
        numbers.join(", ")
    ));
    w.blank();
    w.line("/** Writes a value as what a field says. For generated code. */");
    w.block(format!("public static void write({writer} w, {field} f, {class} v) {{"), "}", |w| {
        w.block("if (v == null) {", "}", |w| w.line("throw w.missing(f);"));
        w.line("w.writeEnum(f, ENUM, v.number());");
    });
    w.blank();
    w.line("/** Reads the value that the reader has come to. For generated code. */");
    w.block(format!("public static {class} read({reader} r) {{"), "}", |w| {
        w.line(format!("return {statics}.of(r.readEnum(ENUM));"))
    });
}

fn union<'a>(w: &mut Writer, scope: &Scope, union: &'a Union, class: &str, values: &mut Values<'a>) {
    let (writer, reader, field) =
        (scope.creo("TextWriter"), scope.creo("TextReader"), scope.creo("TextField"));
    w.blank();
    w.line("/** Writes a value as what a field says. For generated code. */");
    w.block(format!("public static void write({writer} w, {field} f, {class} v) {{"), "}", |w| {
        let mut open = "if".to_owned();
        for (i, m) in union.members.iter().enumerate() {
            w.block(format!("{open} (v instanceof {class}.{} m) {{", m.class), "", |w| {
                w.line(format!("{field} member = w.beginUnion(f, UNION, {i});"));
                values.write(w, &m.component.field.node, "member", "m.value()");
            });
            open = "} else if".to_owned();
        }
        if union.plan.extensible {
            w.block(format!("{open} (v instanceof {class}.Unknown m) {{"), "", |w| {
                w.line("throw w.unknownMember(f, UNION, m.index());")
            });
        }
        w.block("} else {", "}", |w| w.line("throw w.missing(f);"));
        w.line("w.endUnion(f, UNION);");
    });
    w.blank();
    w.line("/** Reads the value that the reader has come to. For generated code. */");
    w.block(format!("public static {class} read({reader} r) {{"), "}", |w| {
        w.block(format!("{class} v = switch (r.member(UNION)) {{"), "};", |w| {
            for (i, m) in union.members.iter().enumerate() {
                let value = values.read(&m.component.field.node);
                w.line(format!("case {i} -> new {class}.{}({value});", m.class));
            }
            w.line(format!(
                "default -> throw new {}(\"no such member\");",
                scope.lang("IllegalStateException")
            ));
        });
        w.line("r.endUnion(UNION);");
        w.line("return v;");
    });
}
