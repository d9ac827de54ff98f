//! The constants by which text wires know fields, records and namespaces.

use crate::context::Context;
use crate::literals::string;
use creo_codegen::Writer;
use creo_model::text::{Field, Name, Place, Record, Value};
use creo_model::{Charges, Primitive};
use std::collections::BTreeSet;

/// The namespaces that a class names, as constants.
#[derive(Default)]
pub struct Namespaces(BTreeSet<usize>);

impl Namespaces {
    /// How the class writes a namespace.
    fn of(&mut self, namespace: Option<usize>) -> String {
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

    /// Those that a value or message can need, as further arguments.
    pub fn list(&mut self, all: &[usize]) -> String {
        all.iter().map(|index| format!(", {}", self.of(Some(*index)))).collect()
    }

    /// Writes the constants.
    pub fn constants(&self, w: &mut Writer, cx: &Context) {
        for index in &self.0 {
            w.line(format!("private const string N{index} = {};", string(&cx.output.text.namespaces()[*index])));
        }
        if !self.0.is_empty() {
            w.blank();
        }
    }
}

/// What is said of a field besides the field itself.
#[derive(Clone, Copy, Default)]
pub struct Extra<'a> {
    /// It has no name of its own: an item, a key, a value, a result.
    pub unnamed: bool,
    /// A default takes its place where it is missing.
    pub may_be_missing: bool,
    /// The record or union that holds it, which knows the first names of what is inline, and its index there.
    pub starts: Option<(&'a [(Name, usize)], usize)>,
    /// It is a member of a union.
    pub member: bool,
}

/// The expression that makes a field.
pub fn field(field: &Field, extra: Extra, namespaces: &mut Namespaces, cx: &Context) -> String {
    let name = if extra.unnamed { "null".to_owned() } else { string(&field.name) };
    let place = |word: &str| format!("{}.{word}", cx.framework("TextPlace"));
    let mut facts = Vec::new();
    let arguments = match field.place {
        Place::Element => format!("{name}, {}", namespaces.name(&field.xml)),
        Place::Header => {
            facts.push("IsHeader = true".to_owned());
            format!("{name}, {}", namespaces.name(&field.xml))
        }
        Place::Attribute => format!("{name}, {}, {}", namespaces.name(&field.xml), place("Attribute")),
        Place::Text => format!("{name}, place: {}", place("Text")),
        Place::Inline => {
            facts.extend(starts(extra, namespaces, cx));
            format!("{name}, place: {}", place("Inline"))
        }
        Place::Any => format!("{name}, place: {}", place("Any")),
        Place::AnyAttribute => format!("{name}, place: {}", place("AnyAttribute")),
    };
    if extra.may_be_missing {
        facts.push("MayBeMissing = true".to_owned());
    }
    if field.nillable {
        facts.push("IsNillable = true".to_owned());
    }
    form(&field.value, extra, &mut facts, namespaces, cx);
    let text = &cx.output.text;
    charges(if extra.member { text.member_charges(field) } else { text.charges(field) }, &mut facts);
    made(&arguments, &facts, cx)
}

/// What the field is charged (LIM-18).
fn charges(charges: Charges, facts: &mut Vec<String>) {
    let all = [("ValueCharge", charges.own), ("EachCharge", charges.each)];
    facts.extend(all.iter().filter(|(_, charge)| *charge > 0).map(|(fact, charge)| format!("{fact} = {charge}")));
}

/// A member of a union that is told by `xsi:type`.
pub fn derived(member: &Field, ty: &Name, base: bool, namespaces: &mut Namespaces, cx: &Context) -> String {
    let arguments = format!("{}, {}, {}.Derived", string(&member.name), namespaces.name(ty), cx.framework("TextPlace"));
    let mut facts: Vec<String> = base.then(|| "IsBase = true".to_owned()).into_iter().collect();
    form(&member.value, Extra::default(), &mut facts, namespaces, cx);
    charges(cx.output.text.member_charges(member), &mut facts);
    made(&arguments, &facts, cx)
}

fn made(arguments: &str, facts: &[String], cx: &Context) -> String {
    let facts = if facts.is_empty() { String::new() } else { format!(" {{ {} }}", facts.join(", ")) };
    format!("new {}({arguments}){facts}", cx.framework("TextField"))
}

/// The first names of an inline field, by namespace.
fn starts(extra: Extra, namespaces: &mut Namespaces, cx: &Context) -> Option<String> {
    let (all, index) = extra.starts?;
    let own: Vec<&Name> = all.iter().filter(|(_, i)| *i == index).map(|(name, _)| name).collect();
    let parts: Vec<String> = own
        .chunk_by(|a, b| a.namespace == b.namespace)
        .map(|part| {
            let locals: Vec<String> = part.iter().map(|name| string(&name.local)).collect();
            format!("new {}({}, {})", cx.framework("TextStarts"), namespaces.of(part[0].namespace), locals.join(", "))
        })
        .collect();
    (!parts.is_empty()).then(|| format!("Starts = [{}]", parts.join(", ")))
}

/// What the form of the value adds to its field.
fn form(value: &Value, extra: Extra, facts: &mut Vec<String>, namespaces: &mut Namespaces, cx: &Context) {
    let nested = Extra { unnamed: true, starts: extra.starts, ..Extra::default() };
    let form_of = |word: &str| format!("Form = {}.{word}", cx.framework("TextForm"));
    match value {
        Value::Scalar(Primitive::String) | Value::Raw | Value::Attributes => {}
        Value::Scalar(Primitive::Boolean) => facts.push(form_of("Boolean")),
        Value::Scalar(Primitive::Byte | Primitive::Short | Primitive::Char | Primitive::Int | Primitive::Long) => facts.push(form_of("Integer")),
        Value::Scalar(Primitive::Float | Primitive::Double) => facts.push(form_of("Real")),
        Value::Scalar(Primitive::DateTime) => facts.push(form_of("Time")),
        Value::Scalar(Primitive::Decimal) => facts.push(form_of("Decimal")),
        Value::Enum(_) => facts.push(form_of("Enum")),
        Value::Record(id) | Value::Union(id) => facts.push(format!("Type = {}.Type", cx.text(*id))),
        Value::Bytes { hex } => {
            facts.push(form_of("Bytes"));
            if *hex {
                facts.push("IsHex = true".to_owned());
            }
        }
        Value::Token => facts.push("IsToken = true".to_owned()),
        Value::QName => facts.extend(["IsToken = true".to_owned(), "IsQualifiedName = true".to_owned()]),
        Value::Optional(inner) => {
            facts.push("IsOptional = true".to_owned());
            form(inner, extra, facts, namespaces, cx);
        }
        Value::Repeated(item) => facts.push(format!("Item = {}", field(item, nested, namespaces, cx))),
        Value::Wrapped(item) => {
            facts.push("IsWrapped = true".to_owned());
            facts.push(format!("Item = {}", field(item, nested, namespaces, cx)));
        }
        Value::List(item) => {
            let mut inner = Vec::new();
            form(item, nested, &mut inner, namespaces, cx);
            facts.push("IsWrapped = true".to_owned());
            facts.push(format!("Item = {}", made(&format!("null, place: {}.Listed", cx.framework("TextPlace")), &inner, cx)));
        }
        Value::Entries(key, value) => {
            facts.push(format!("Key = {}", field(key, nested, namespaces, cx)));
            facts.push(format!("Value = {}", field(value, nested, namespaces, cx)));
        }
    }
}

/// The constant of the field at an index. `of` tells the records of a class apart.
pub fn constant(of: &str, index: usize) -> String {
    if of.is_empty() { format!("F{index}") } else { format!("F{of}_{index}") }
}

/// Writes the constant of a field.
pub fn declare(w: &mut Writer, cx: &Context, name: &str, made: &str) {
    w.line(format!("private static readonly {} {name} = {made};", cx.framework("TextField")));
}

/// Writes the constant of a record, made of those of its fields: `Record{of}`.
pub fn declare_record(w: &mut Writer, cx: &Context, record: &Record, declared: &str, recursive: bool, of: &str, namespaces: &mut Namespaces) {
    let class = cx.framework("TextRecord");
    let fields: String = (0..record.fields.len()).map(|i| format!(", {}", constant(of, i))).collect();
    let mut facts = Vec::new();
    if record.extensible {
        facts.push("IsExtensible = true");
    }
    if recursive {
        facts.push("IsRecursive = true");
    }
    let facts = if facts.is_empty() { String::new() } else { format!(" {{ {} }}", facts.join(", ")) };
    let name = namespaces.name(&record.xml);
    w.line(format!("private static readonly {class} Record{of} = new({}, {name}{fields}){facts};", string(declared)));
}
