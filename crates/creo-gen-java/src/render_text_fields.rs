//! Prints the constants by which text wires know fields, records and namespaces.

use crate::literals::string;
use crate::names::Scope;
use crate::render_text::Texts;
use creo_codegen::Writer;
use creo_model::text::{Field, Name, Place, Record, Value};
use creo_model::{Charges, Primitive, TypeId};
use std::collections::BTreeSet;

/// The namespaces that a class names, as constants.
#[derive(Default)]
pub struct Namespaces(BTreeSet<usize>);

impl Namespaces {
    /// How the class writes a namespace.
    pub fn of(&mut self, namespace: Option<usize>) -> String {
        match namespace {
            Some(index) => {
                self.0.insert(index);
                format!("N{index}")
            }
            None => "\"\"".to_owned(),
        }
    }

    pub fn name(&mut self, name: &Name) -> String {
        format!("{}, {}", self.of(name.namespace), string(&name.local))
    }

    pub fn list(&mut self, all: &[usize]) -> String {
        all.iter().map(|index| format!(", {}", self.of(Some(*index)))).collect()
    }

    /// Writes the constants.
    pub fn constants(&self, w: &mut Writer, scope: &Scope, texts: &Texts) {
        for index in &self.0 {
            w.line(format!("private static final {} N{index} = {};", scope.lang("String"), string(&texts.plan.namespaces()[*index])));
        }
    }
}

/// What is said of a field besides the field itself.
#[derive(Clone, Copy, Default)]
pub struct Extra<'a> {
    /// It has no name of its own: an item, a key, a value, a result.
    pub unnamed: bool,
    /// A default takes its place.
    pub has_default: bool,
    /// The record or union that holds it, if it is inline: it knows the first names.
    pub starts: Option<(&'a [(Name, usize)], usize)>,
    /// It is a member of a union.
    pub member: bool,
}

/// The expression that makes a field.
pub fn field(field: &Field, extra: Extra, namespaces: &mut Namespaces, scope: &Scope, texts: &Texts) -> String {
    let class = scope.creo("TextField");
    let name = if extra.unnamed { "null".to_owned() } else { string(&field.name) };
    let mut out = match field.place {
        Place::Element => format!("{class}.element({name}, {})", namespaces.name(&field.xml)),
        Place::Header => format!("{class}.element({name}, {}).header()", namespaces.name(&field.xml)),
        Place::Attribute => format!("{class}.attribute({name}, {})", namespaces.name(&field.xml)),
        Place::Text => format!("{class}.text({name})"),
        Place::Inline => format!("{class}.inline({name}){}", starts(extra, namespaces)),
        Place::Any => format!("{class}.any({name})"),
        Place::AnyAttribute => format!("{class}.anyAttribute({name})"),
    };
    if extra.has_default {
        out.push_str(".mayBeMissing()");
    }
    if field.nillable {
        out.push_str(".nillable()");
    }
    out + &form(&field.value, extra, namespaces, scope, texts)
        + &charges(if extra.member { texts.plan.member_charges(field) } else { texts.plan.charges(field) })
}

/// What the field is charged (LIM-18).
pub fn charges(charges: Charges) -> String {
    if charges == Charges::default() { String::new() } else { format!(".charges({}, {})", charges.own, charges.each) }
}

/// The first names of an inline field, by namespace.
fn starts(extra: Extra, namespaces: &mut Namespaces) -> String {
    let Some((all, index)) = extra.starts else { return String::new() };
    let mut out = String::new();
    let own: Vec<&Name> = all.iter().filter(|(_, i)| *i == index).map(|(name, _)| name).collect();
    for part in own.chunk_by(|a, b| a.namespace == b.namespace) {
        let locals: Vec<String> = part.iter().map(|name| string(&name.local)).collect();
        out.push_str(&format!(".starts({}, {})", namespaces.of(part[0].namespace), locals.join(", ")));
    }
    out
}

/// What the form of the value adds to its field.
fn form(value: &Value, extra: Extra, namespaces: &mut Namespaces, scope: &Scope, texts: &Texts) -> String {
    let nested = Extra { unnamed: true, has_default: false, starts: extra.starts, member: false };
    match value {
        Value::Scalar(p) => kind(*p).map_or_else(String::new, |kind| is(kind, scope)),
        Value::Enum(_) => is("ENUM", scope),
        Value::Record(_) => is("RECORD", scope),
        Value::Union(_) => is("UNION", scope),
        Value::Bytes { hex: false } => is("BYTES", scope),
        Value::Bytes { hex: true } => format!("{}.hex()", is("BYTES", scope)),
        Value::Token => ".token()".to_owned(),
        Value::QName => ".qualifiedName()".to_owned(),
        Value::Raw => ".raw()".to_owned(),
        Value::Optional(inner) => format!(".optional(){}", form(inner, extra, namespaces, scope, texts)),
        Value::Repeated(item) => format!(".repeated({})", field(item, nested, namespaces, scope, texts)),
        Value::Wrapped(item) => format!(".wrapping({})", field(item, nested, namespaces, scope, texts)),
        Value::List(item) => format!(".wrapping({}.listed(){})", scope.creo("TextField"), form(item, nested, namespaces, scope, texts)),
        Value::Entries(key, value) => {
            format!(".entries({}, {})", field(key, nested, namespaces, scope, texts), field(value, nested, namespaces, scope, texts))
        }
        Value::Attributes => ".mayBeMissing()".to_owned(),
    }
}

fn is(kind: &str, scope: &Scope) -> String {
    format!(".is({}.{kind})", scope.creo("TextType"))
}

/// The constant of `TextType` for a primitive; none for what a field is if nothing is said.
fn kind(primitive: Primitive) -> Option<&'static str> {
    match primitive {
        Primitive::Boolean => Some("BOOLEAN"),
        Primitive::Byte | Primitive::Short | Primitive::Char | Primitive::Int | Primitive::Long => Some("INTEGER"),
        Primitive::Float | Primitive::Double => Some("REAL"),
        Primitive::String => None,
        Primitive::DateTime => Some("DATE_TIME"),
        Primitive::Decimal => Some("DECIMAL"),
    }
}

/// What tells a record or union which structs and unions its fields hold; nothing if they hold none.
pub fn holds<'a>(fields: impl Iterator<Item = &'a Field>, scope: &Scope, texts: &Texts) -> String {
    let mut held = Vec::new();
    fields.for_each(|field| collect(&field.value, &mut held));
    if held.is_empty() {
        return String::new();
    }
    let codecs: Vec<String> = held.iter().map(|id| format!("{}.CODEC", scope.statics(&texts.names[id.0].text))).collect();
    format!(".holds(() -> new {}<?>[] {{{}}})", scope.creo("TextCodec"), codecs.join(", "))
}

/// Gathers the structs and unions of a value in the order in which the framework asks for them.
fn collect(value: &Value, held: &mut Vec<TypeId>) {
    match value {
        Value::Record(id) | Value::Union(id) => held.push(*id),
        Value::Optional(inner) => collect(inner, held),
        Value::Repeated(item) | Value::Wrapped(item) => collect(&item.value, held),
        Value::Entries(_, value) => collect(&value.value, held),
        Value::Scalar(_) | Value::Bytes { .. } | Value::Enum(_) | Value::Token | Value::QName | Value::Raw | Value::List(_) | Value::Attributes => {}
    }
}

/// The constant of the field at an index. `of` tells the records of a class apart.
pub fn constant(of: &str, index: usize) -> String {
    if of.is_empty() { format!("F{index}") } else { format!("F{of}_{index}") }
}

/// The expression that makes a record of its fields' constants.
pub fn record(record: &Record, declared: &str, recursive: bool, of: &str, namespaces: &mut Namespaces, scope: &Scope, texts: &Texts) -> String {
    let fields: Vec<String> = (0..record.fields.len()).map(|i| constant(of, i)).collect();
    let mut out = format!("{}.of({}, {})", scope.creo("TextRecord"), string(declared), namespaces.name(&record.xml));
    out.push_str(&format!(".fields({})", fields.join(", ")));
    out.push_str(&holds(record.fields.iter(), scope, texts));
    if record.extensible {
        out.push_str(".extensible()");
    }
    if recursive {
        out.push_str(".recursive()");
    }
    out
}
