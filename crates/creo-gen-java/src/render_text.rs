//! Prints the pairs of functions between values and text wires: they move values, and say as which field.

use crate::file::{Output, suppress};
use crate::lang::{Component, Enum, Kind, Record, Ty, Type, Union};
use crate::literals::string;
use crate::lower::TypeNames;
use crate::names::{Inside, Scope};
use crate::render_codec::{construct, format_line, word};
use crate::render_text_fields::{self as fields, Extra, Namespaces};
use crate::render_types::absent;
use creo_codegen::{Files, Writer};
use creo_model::text::{Field, Place, TextPlan, Value};
use creo_model::{TypeId, text};
use std::collections::BTreeMap;

/// What the texts of all types share.
pub struct Texts<'a> {
    pub plan: &'a TextPlan,
    pub names: &'a [TypeNames],
}

pub fn render(out: &Output, texts: &Texts, id: TypeId, ty: &Type, files: &mut Files) {
    out.file(files, &ty.text, Inside::default(), |w, scope| {
        let class = scope.class(&ty.class);
        w.line(format!("/** How {{@link {class}}} is written to and read from text wires, such as XML. */"));
        suppress(w, scope, ty.uses_deprecated);
        w.block(format!("public final class {} {{", ty.text.simple()), "}", |w| {
            format_line(w, scope);
            let mut names = Namespaces::default();
            let mut constants = Writer::new("    ");
            let mut body = Writer::new("    ");
            let mut helpers = Helpers::default();
            let shape = match &ty.kind {
                Kind::Struct(_) | Kind::Exception(_) => ".shape(RECORD)",
                Kind::Union(_) => ".shape(UNION)",
                Kind::Enum(_) => "",
            };
            let (needed, xsi) = match &ty.kind {
                Kind::Struct(record) | Kind::Exception(record) => {
                    let plan = texts.plan.record(id);
                    record_constants(&mut constants, scope, texts, plan, record, &ty.wire_name, "", &mut names);
                    structure(&mut body, scope, texts, plan, record, &class, &mut helpers);
                    (plan.namespaces.clone(), plan.xsi)
                }
                Kind::Enum(e) => {
                    let plan = texts.plan.enumeration(id);
                    enumeration(&mut constants, &mut body, scope, plan, e, ty);
                    (plan.xml.namespace.into_iter().collect(), false)
                }
                Kind::Union(union) => {
                    let plan = texts.plan.union(id);
                    union_constants(&mut constants, scope, texts, plan, union, &ty.wire_name, &mut names);
                    self::union(&mut body, scope, texts, plan, union, &class, &mut helpers);
                    (plan.namespaces.clone(), plan.xsi)
                }
            };
            let kind = if shape.is_empty() { format!(".is({}.ENUM)", scope.creo("TextType")) } else { String::new() };
            let root = format!("{}.element(null, {}){kind}", scope.creo("TextField"), names.name(texts.plan.type_name(id)));
            let list = names.list(&needed);
            names.constants(w, scope, texts);
            w.lines(constants.finish().lines());
            w.line("/** The pair of functions as an object. */");
            let codec = scope.creo("TextCodec");
            w.line(format!(
                "public static final {codec}<{class}> CODEC = {codec}.of({1}, {root}, {0}::write, {0}::read, {xsi}{list}){shape};",
                ty.text.simple(),
                string(&ty.full_name)
            ));
            frame(w, scope, ty.text.simple(), &class);
            w.lines(body.finish().lines());
            helpers.render(w, scope, texts);
        });
    });
}

/// Constructor and the functions between values and whole texts.
fn frame(w: &mut Writer, scope: &Scope, text: &str, class: &str) {
    let exception = scope.creo("CreoException");
    w.blank();
    w.line(format!("private {text}() {{}}"));
    w.blank();
    w.lines([
        "/**".to_owned(),
        " * The value as XML, an element of its own.".to_owned(),
        " *".to_owned(),
        format!(" * @throws {exception} {{@code invalid-value}} with its place, or {{@code too-large}}"),
        " */".to_owned(),
    ]);
    w.block(format!("public static byte[] toXml({class} value) {{"), "}", |w| w.line("return CODEC.toXml(value);"));
    w.blank();
    w.lines([
        "/**".to_owned(),
        " * The value of XML, within the default limits.".to_owned(),
        " *".to_owned(),
        format!(" * @throws {exception} {{@code malformed}} with place and offset, or {{@code too-large}}"),
        " */".to_owned(),
    ]);
    w.block(format!("public static {class} fromXml(byte[] xml) {{"), "}", |w| w.line("return CODEC.fromXml(xml);"));
    w.blank();
    w.line("/** The value of XML, within the given limits. */");
    let limits = scope.creo("Limits");
    w.block(format!("public static {class} fromXml(byte[] xml, {limits} limits) {{"), "}", |w| w.line("return CODEC.fromXml(xml, limits);"));
}

/// The constants of a record: its fields, and itself, `RECORD{of}`.
#[allow(clippy::too_many_arguments)] // What is written, where to, and with what; each is one thing.
pub fn record_constants(
    w: &mut Writer,
    scope: &Scope,
    texts: &Texts,
    plan: &text::Record,
    record: &Record,
    declared: &str,
    of: &str,
    names: &mut Namespaces,
) {
    for (i, (field, component)) in plan.fields.iter().zip(&record.components).enumerate() {
        let extra = Extra { unnamed: false, has_default: may_default(plan, field, component), starts: Some((&plan.starts, i)), member: false };
        w.line(format!(
            "private static final {0} {2} = {1};",
            scope.creo("TextField"),
            fields::field(field, extra, names, scope, texts),
            fields::constant(of, i)
        ));
    }
    let made = fields::record(plan, declared, record.recursive, of, names, scope, texts);
    w.line(format!("private static final {} RECORD{of} = {made};", scope.creo("TextRecord")));
}

/// Whether the default takes the place of a field that is not there (XML-20, XML-31).
fn may_default(plan: &text::Record, field: &Field, component: &Component) -> bool {
    component.default.is_some() && (plan.extensible || field.place == Place::Attribute)
}

fn structure(w: &mut Writer, scope: &Scope, texts: &Texts, plan: &text::Record, record: &Record, class: &str, helpers: &mut Helpers) {
    let (writer, reader, field) = (scope.creo("TextWriter"), scope.creo("TextReader"), scope.creo("TextField"));
    w.blank();
    w.line("/** Writes a value as what a field says. For generated code. */");
    w.block(format!("public static void write({writer} w, {field} f, {class} v) {{"), "}", |w| {
        w.block("if (v == null) {", "}", |w| w.line("throw w.missing(f);"));
        w.line("w.beginRecord(f, RECORD);");
        write_fields(w, scope, texts, plan, record, "", helpers);
        w.line("w.endRecord(f, RECORD);");
    });
    w.blank();
    w.line("/** Reads the value that the reader has come to. For generated code. */");
    w.block(format!("public static {class} read({reader} r) {{"), "}", |w| {
        read_fields(w, scope, texts, plan, record, "", helpers);
        w.line(format!("return {};", construct(record, class)));
    });
}

fn is_optional(field: &Field) -> bool {
    matches!(field.value, Value::Optional(_))
}

/// Writes the fields that stand in the record's own element: its attributes first.
pub fn write_fields(w: &mut Writer, scope: &Scope, texts: &Texts, plan: &text::Record, record: &Record, of: &str, helpers: &mut Helpers) {
    write_fields_of(w, scope, texts, plan, record, of, false, helpers);
}

/// Writes the fields of a record, those that are headers of a message among them or left out.
#[allow(clippy::too_many_arguments)] // As above.
pub fn write_fields_of(
    w: &mut Writer,
    scope: &Scope,
    texts: &Texts,
    plan: &text::Record,
    record: &Record,
    of: &str,
    headers: bool,
    helpers: &mut Helpers,
) {
    let all: Vec<(usize, &Field, &Component)> = plan.fields.iter().zip(&record.components).enumerate().map(|(i, (f, c))| (i, f, c)).collect();
    let open = plan.attributes || plan.text.is_some_and(|i| is_optional(&plan.fields[i]));
    if open {
        for (i, field, c) in &all {
            match field.place {
                Place::Attribute | Place::AnyAttribute => {
                    write_value(w, scope, texts, &field.value, &c.value.ty, &fields::constant(of, *i), &format!("v.{}()", c.name), helpers)
                }
                Place::Text if is_optional(field) => w.block(format!("if (v.{}() == null) {{", c.name), "}", |w| w.line("w.absentText();")),
                Place::Text | Place::Element | Place::Inline | Place::Any | Place::Header => {}
            }
        }
        let own = if of.is_empty() { "f".to_owned() } else { format!("E{of}") };
        w.line(format!("w.content({own}, RECORD{of});"));
    }
    for (i, field, c) in &all {
        match field.place {
            Place::Attribute => {}
            Place::AnyAttribute => w.line(format!("w.writeAttributesAsMap({}, v.{}());", fields::constant(of, *i), c.name)),
            Place::Header if !headers => {}
            Place::Text | Place::Element | Place::Inline | Place::Any | Place::Header => {
                write_value(w, scope, texts, &field.value, &c.value.ty, &fields::constant(of, *i), &format!("v.{}()", c.name), helpers);
            }
        }
    }
}

/// Reads the fields of a record into locals `f{i}`.
pub fn read_fields(w: &mut Writer, scope: &Scope, texts: &Texts, plan: &text::Record, record: &Record, of: &str, helpers: &mut Helpers) {
    w.line(format!("r.begin(RECORD{of});"));
    for (i, (field, c)) in plan.fields.iter().zip(&record.components).enumerate() {
        let first = if may_default(plan, field, c) { absent(c, scope) } else { nothing(field, &c.value.ty, scope) };
        w.line(format!("{} f{i} = {first};", c.value.ty.text(scope)));
    }
    if plan.fields.is_empty() {
        w.line("r.next(0);");
    } else {
        w.block("for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {", "}", |w| {
            w.block("switch (i) {", "}", |w| {
                for (i, (field, c)) in plan.fields.iter().zip(&record.components).enumerate() {
                    w.line(format!("case {i} -> f{i} = {};", read_value(scope, texts, &field.value, &c.value.ty, helpers)));
                }
                w.line(format!("default -> throw new {}(\"no field \" + i);", scope.lang("IllegalStateException")));
            });
        });
    }
    for (i, field) in plan.fields.iter().enumerate() {
        if let Value::Record(id) = &field.value {
            w.block(format!("if (r.lacks({i})) {{"), "}", |w| {
                w.line(format!("f{i} = {}.read(r);", scope.statics(&texts.names[id.0].text)));
            });
        }
    }
    w.line(format!("r.end(RECORD{of});"));
}

/// What a field has before it was read.
pub fn nothing(field: &Field, ty: &Ty, scope: &Scope) -> String {
    match (&field.value, ty) {
        (_, Ty::Primitive("boolean", _)) => "false".to_owned(),
        (_, Ty::Primitive(..)) => "0".to_owned(),
        (Value::Repeated(_), Ty::Array(item)) => format!("{}.NO_{}S", scope.creo("TextReader"), item.to_uppercase()),
        (Value::Repeated(_), _) => format!("{}.none()", scope.creo("Lists")),
        (Value::Attributes, _) => format!("{}.of()", scope.jdk("java.util", "Map")),
        _ => "null".to_owned(),
    }
}

fn item_ty(ty: &Ty) -> Ty {
    match ty {
        Ty::List(item) => item.as_ref().clone(),
        Ty::Primitive(..) | Ty::Array(_) | Ty::Class(_) | Ty::Map(..) => unreachable!("only lists have items that are written one by one"),
    }
}

fn bulk(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Array("boolean") => Some("Booleans"),
        Ty::Array("short") => Some("Shorts"),
        Ty::Array("char") => Some("Chars"),
        Ty::Array("int") => Some("Ints"),
        Ty::Array("long") => Some("Longs"),
        Ty::Array("float") => Some("Floats"),
        Ty::Array("double") => Some("Doubles"),
        Ty::Array(_) | Ty::Primitive(..) | Ty::Class(_) | Ty::List(_) | Ty::Map(..) => None,
    }
}

/// Writes the statements that write the value `v` as the field `f`.
#[allow(clippy::too_many_arguments)] // What is written, where to, and with what; each is one thing.
pub fn write_value(w: &mut Writer, scope: &Scope, texts: &Texts, value: &Value, ty: &Ty, f: &str, v: &str, helpers: &mut Helpers) {
    match value {
        Value::Scalar(p) => w.line(format!("w.write{}({f}, {v});", word(*p))),
        Value::Token | Value::QName => w.line(format!("w.writeString({f}, {v});")),
        Value::Bytes { .. } => w.line(format!("w.writeBytes({f}, {v});")),
        Value::Raw => w.line(format!("w.writeRaw({f}, {v});")),
        Value::Attributes => w.line(format!("w.writeAttributes({f}, {v});")),
        Value::Enum(id) | Value::Record(id) | Value::Union(id) => w.line(format!("{}.write(w, {f}, {v});", scope.statics(&texts.names[id.0].text))),
        Value::Optional(inner) => {
            w.block(format!("if ({v} == null) {{"), "", |w| w.line(format!("w.absent({f});")));
            w.block("} else {", "}", |w| write_value(w, scope, texts, inner, ty, f, v, helpers));
        }
        Value::Repeated(_) | Value::Wrapped(_) | Value::List(_) | Value::Entries(..) => match bulk(ty) {
            Some(word) => w.line(format!("w.write{word}({f}, {v});")),
            None => w.line(format!("write{}(w, {f}, {v});", helpers.of(value, ty, texts))),
        },
    }
}

/// The expression that reads a value.
pub fn read_value(scope: &Scope, texts: &Texts, value: &Value, ty: &Ty, helpers: &mut Helpers) -> String {
    match value {
        Value::Scalar(p) => format!("r.read{}()", word(*p)),
        Value::Token | Value::QName => "r.readString()".to_owned(),
        Value::Bytes { .. } => "r.readBytes()".to_owned(),
        Value::Raw => "r.readRaw()".to_owned(),
        Value::Attributes => "r.readAttributes()".to_owned(),
        Value::Enum(id) | Value::Record(id) | Value::Union(id) => format!("{}.read(r)", scope.statics(&texts.names[id.0].text)),
        Value::Optional(inner) => format!("r.nil() ? null : {}", read_value(scope, texts, inner, ty, helpers)),
        Value::Repeated(_) | Value::Wrapped(_) | Value::List(_) | Value::Entries(..) => match bulk(ty) {
            Some(word) => format!("r.read{word}()"),
            None => format!("read{}(r)", helpers.of(value, ty, texts)),
        },
    }
}

/// The pairs of methods for lists and maps of one class: one for each form of value.
#[derive(Default)]
pub struct Helpers {
    list: Vec<(String, Value, Ty)>,
    by_form: BTreeMap<String, usize>,
}

impl Helpers {
    /// What follows `read` and `write` in the names of the pair.
    fn of(&mut self, value: &Value, ty: &Ty, texts: &Texts) -> String {
        let form = form(value, ty, texts);
        if let Some(index) = self.by_form.get(&form) {
            return self.list[*index].0.clone();
        }
        let name = format!("{}_{}", if matches!(value, Value::Entries(..)) { "Map" } else { "List" }, self.list.len());
        self.by_form.insert(form, self.list.len());
        self.list.push((name.clone(), value.clone(), ty.clone()));
        name
    }

    /// Prints the pairs, and those that they need themselves.
    pub fn render(&mut self, w: &mut Writer, scope: &Scope, texts: &Texts) {
        let mut next = 0;
        while next < self.list.len() {
            let (name, value, ty) = self.list[next].clone();
            next += 1;
            match &value {
                Value::Repeated(item) | Value::Wrapped(item) => items(w, scope, texts, &name, &item.value, &ty, self),
                Value::List(item) => items(w, scope, texts, &name, item, &ty, self),
                Value::Entries(key, value) => entries(w, scope, texts, &name, &key.value, &value.value, &ty, self),
                Value::Scalar(_)
                | Value::Token
                | Value::QName
                | Value::Bytes { .. }
                | Value::Raw
                | Value::Attributes
                | Value::Enum(_)
                | Value::Record(_)
                | Value::Union(_)
                | Value::Optional(_) => unreachable!("only lists and maps have helpers"),
            }
        }
    }
}

/// What tells helpers apart: the types, without the names of fields.
fn form(value: &Value, ty: &Ty, texts: &Texts) -> String {
    match value {
        Value::Scalar(p) => format!("{p:?}"),
        Value::Token | Value::QName => "String".to_owned(),
        Value::Bytes { .. } => "Bytes".to_owned(),
        Value::Raw => "Raw".to_owned(),
        Value::Attributes => "Attributes".to_owned(),
        Value::Enum(id) | Value::Record(id) | Value::Union(id) => texts.names[id.0].class.package.clone() + "." + &texts.names[id.0].class.name,
        Value::Optional(inner) => format!("?({})", form(inner, ty, texts)),
        Value::Repeated(item) | Value::Wrapped(item) => match ty {
            Ty::List(inner) => format!("[{}]", form(&item.value, inner, texts)),
            Ty::Primitive(..) | Ty::Array(_) | Ty::Class(_) | Ty::Map(..) => format!("{ty:?}"),
        },
        Value::List(item) => match ty {
            Ty::List(inner) => format!("[{}]", form(item, inner, texts)),
            Ty::Primitive(..) | Ty::Array(_) | Ty::Class(_) | Ty::Map(..) => format!("{ty:?}"),
        },
        Value::Entries(key, value) => match ty {
            Ty::Map(k, v) => format!("{{{}:{}}}", form(&key.value, k, texts), form(&value.value, v, texts)),
            Ty::Primitive(..) | Ty::Array(_) | Ty::Class(_) | Ty::List(_) => unreachable!("entries are of maps"),
        },
    }
}

#[allow(clippy::too_many_arguments)] // As above.
fn items(w: &mut Writer, scope: &Scope, texts: &Texts, name: &str, item: &Value, ty: &Ty, helpers: &mut Helpers) {
    let (writer, reader, field) = (scope.creo("TextWriter"), scope.creo("TextReader"), scope.creo("TextField"));
    let (list, inner) = (ty.text(scope), item_ty(ty));
    w.blank();
    w.block(format!("private static void write{name}({writer} w, {field} f, {list} v) {{"), "}", |w| {
        w.block("if (v == null) {", "}", |w| w.line("throw w.missing(f);"));
        w.line(format!("{list} items = {}.indexed(v);", scope.creo("Lists")));
        w.line("int n = items.size();");
        w.line(format!("{field} item = w.beginItems(f, n);"));
        w.block("for (int i = 0; i < n; i++) {", "}", |w| {
            w.line("w.item(i);");
            w.line(format!("{} each = items.get(i);", inner.boxed().text(scope)));
            write_value(w, scope, texts, item, &inner, "item", "each", helpers);
        });
        w.line("w.endItems(f);");
    });
    w.blank();
    w.block(format!("private static {list} read{name}({reader} r) {{"), "}", |w| {
        w.line(format!("{}[] items = {{}};", scope.lang("Object")));
        w.line("int n = 0;");
        w.line("r.beginItems();");
        w.block("while (r.nextItem()) {", "}", |w| {
            w.block("if (n == items.length) {", "}", |w| w.line(format!("items = {reader}.grown(items);")));
            w.line(format!("items[n++] = {};", read_value(scope, texts, item, &inner, helpers)));
        });
        w.line(format!("return {}.frozen(items, n);", scope.creo("Lists")));
    });
}

#[allow(clippy::too_many_arguments)] // As above.
fn entries(w: &mut Writer, scope: &Scope, texts: &Texts, name: &str, key: &Value, value: &Value, ty: &Ty, helpers: &mut Helpers) {
    let (writer, reader, field) = (scope.creo("TextWriter"), scope.creo("TextReader"), scope.creo("TextField"));
    let Ty::Map(k, v) = ty else { unreachable!("entries are of maps") };
    let map = ty.text(scope);
    let arguments = format!("{}, {}", k.boxed().text(scope), v.boxed().text(scope));
    let present = |part: &str, ty: &Ty, value: &Value| {
        let plain = ty.is_primitive() && !matches!(value, Value::Optional(_));
        if plain { format!("{}.present({part})", scope.creo("Values")) } else { part.to_owned() }
    };
    w.blank();
    w.block(format!("private static void write{name}({writer} w, {field} f, {map} v) {{"), "}", |w| {
        w.block("if (v == null) {", "}", |w| w.line("throw w.missing(f);"));
        w.line("w.beginEntries(f, v.size());");
        w.line("int i = 0;");
        w.block(format!("for ({}.Entry<{arguments}> entry : v.entrySet()) {{", scope.jdk("java.util", "Map")), "}", |w| {
            w.line(format!("{field} key = w.key(f, i++);"));
            w.line(format!("{} k = entry.getKey();", k.boxed().text(scope)));
            write_value(w, scope, texts, key, k, "key", &present("k", k, key), helpers);
            w.line(format!("{field} value = w.value(f);"));
            w.line(format!("{} each = entry.getValue();", v.boxed().text(scope)));
            write_value(w, scope, texts, value, v, "value", &present("each", v, value), helpers);
            w.line("w.endEntry(f);");
        });
        w.line("w.endEntries(f);");
    });
    w.blank();
    w.block(format!("private static {map} read{name}({reader} r) {{"), "}", |w| {
        w.line(format!("{map} map = new {}<>();", scope.jdk("java.util", "LinkedHashMap")));
        w.line("r.beginEntries();");
        w.block("while (r.nextEntry()) {", "}", |w| {
            w.line(format!("{} k = null;", k.boxed().text(scope)));
            w.line(format!("{} each = null;", v.boxed().text(scope)));
            w.block("for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {", "}", |w| {
                w.block("if (i == 0) {", "", |w| w.line(format!("k = {};", read_value(scope, texts, key, k, helpers))));
                w.block("} else {", "}", |w| w.line(format!("each = {};", read_value(scope, texts, value, v, helpers))));
            });
            w.line("r.endEntry();");
            w.block("if (map.containsKey(k)) {", "}", |w| w.line("throw r.duplicateKey();"));
            w.line("map.put(k, each);");
        });
        w.line(format!("return {}.frozen(map);", scope.creo("Lists")));
    });
}

fn enumeration(constants: &mut Writer, w: &mut Writer, scope: &Scope, plan: &text::Enum, e: &Enum, ty: &Type) {
    let (class, statics, declared) = (scope.class(&ty.class), scope.statics(&ty.class), &ty.wire_name);
    let (writer, reader, field, enumeration) = (scope.creo("TextWriter"), scope.creo("TextReader"), scope.creo("TextField"), scope.creo("TextEnum"));
    let text = scope.lang("String");
    let texts: Vec<String> = plan.texts.iter().map(|t| string(t)).collect();
    let names: Vec<String> = e.constants.iter().map(|c| string(&c.wire_name)).collect();
    let named = if names == texts { String::new() } else { format!(".names({})", names.join(", ")) };
    let numbers: Vec<String> = e.constants.iter().map(|c| c.number.to_string()).collect();
    let maker = if plan.extensible { "extensible" } else { "of" };
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
    w.block(format!("public static {class} read({reader} r) {{"), "}", |w| w.line(format!("return {statics}.of(r.readEnum(ENUM));")));
}

fn union_constants(w: &mut Writer, scope: &Scope, texts: &Texts, plan: &text::Union, union: &Union, declared: &str, names: &mut Namespaces) {
    let field = scope.creo("TextField");
    for (i, member) in plan.members.iter().enumerate() {
        let made = match (&member.value, plan.derived) {
            (Value::Record(id), true) => {
                let base = if plan.base == Some(i) { ".base()" } else { "" };
                let charges = fields::charges(texts.plan.member_charges(member));
                format!("{field}.derived({}, {}){base}{charges}", string(&member.name), names.name(&texts.plan.record(*id).xml))
            }
            _ => fields::field(
                member,
                Extra { unnamed: false, has_default: false, starts: Some((&plan.starts, i)), member: true },
                names,
                scope,
                texts,
            ),
        };
        w.line(format!("private static final {field} M{i} = {made};"));
    }
    let members: Vec<String> = (0..plan.members.len()).map(|i| format!("M{i}")).collect();
    let mut made = format!("{0}.of({1}).members({2})", scope.creo("TextUnion"), string(declared), members.join(", "));
    made.push_str(&fields::holds(plan.members.iter(), scope, texts));
    if plan.derived {
        made.push_str(".derived()");
    }
    if union.recursive {
        made.push_str(".recursive()");
    }
    w.line(format!("private static final {} UNION = {made};", scope.creo("TextUnion")));
}

fn union(w: &mut Writer, scope: &Scope, texts: &Texts, plan: &text::Union, union: &Union, class: &str, helpers: &mut Helpers) {
    let (writer, reader, field) = (scope.creo("TextWriter"), scope.creo("TextReader"), scope.creo("TextField"));
    w.blank();
    w.line("/** Writes a value as what a field says. For generated code. */");
    w.block(format!("public static void write({writer} w, {field} f, {class} v) {{"), "}", |w| {
        let mut open = "if".to_owned();
        for (i, (m, member)) in union.members.iter().zip(&plan.members).enumerate() {
            w.block(format!("{open} (v instanceof {class}.{} m) {{", m.class), "", |w| {
                w.line(format!("{field} member = w.beginUnion(f, UNION, {i});"));
                write_value(w, scope, texts, &member.value, &m.component.value.ty, "member", "m.value()", helpers);
            });
            open = "} else if".to_owned();
        }
        if union.extensible {
            w.block(format!("{open} (v instanceof {class}.Unknown m) {{"), "", |w| w.line("throw w.unknownMember(f, UNION, m.index());"));
        }
        w.block("} else {", "}", |w| w.line("throw w.missing(f);"));
        w.line("w.endUnion(f, UNION);");
    });
    w.blank();
    w.line("/** Reads the value that the reader has come to. For generated code. */");
    w.block(format!("public static {class} read({reader} r) {{"), "}", |w| {
        w.block(format!("{class} v = switch (r.member(UNION)) {{"), "};", |w| {
            for (i, (m, member)) in union.members.iter().zip(&plan.members).enumerate() {
                w.line(format!("case {i} -> new {class}.{}({});", m.class, read_value(scope, texts, &member.value, &m.component.value.ty, helpers)));
            }
            w.line(format!("default -> throw new {}(\"no such member\");", scope.lang("IllegalStateException")));
        });
        w.line("r.endUnion(UNION);");
        w.line("return v;");
    });
}
