//! The constants by which text wires know fields, records and namespaces.

use crate::context::Context;
use crate::literals::string;
use creo_codegen::Writer;
use creo_plan::{ArrayLayout, Charges, Field, FixedScalar, Kind, Name, Node, Position, Record, StringForm};
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
            w.line(format!(
                "private const string N{index} = {};",
                string(&cx.output.plan.namespaces()[*index])
            ));
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
    node(&field.node, &name, extra, namespaces, cx)
}

fn node(node: &Node, name: &str, extra: Extra, namespaces: &mut Namespaces, cx: &Context) -> String {
    let place = |word: &str| format!("{}.{word}", cx.framework("TextPlace"));
    let mut facts = Vec::new();
    let arguments = match node.xml.position {
        Position::Element => format!("{name}, {}", namespaces.name(&node.xml.name)),
        Position::Header => {
            facts.push("IsHeader = true".to_owned());
            format!("{name}, {}", namespaces.name(&node.xml.name))
        }
        Position::Attribute => format!("{name}, {}, {}", namespaces.name(&node.xml.name), place("Attribute")),
        Position::Text => format!("{name}, place: {}", place("Text")),
        Position::Inline => {
            facts.extend(starts(extra, namespaces, cx));
            format!("{name}, place: {}", place("Inline"))
        }
        Position::Any => format!("{name}, place: {}", place("Any")),
        Position::AnyAttribute => format!("{name}, place: {}", place("AnyAttribute")),
    };
    if extra.may_be_missing {
        facts.push("MayBeMissing = true".to_owned());
    }
    if node.xml.nillable {
        facts.push("IsNillable = true".to_owned());
    }
    form(node, extra, &mut facts, namespaces, cx);
    charges(if extra.member { node.member_charges() } else { node.charges }, &mut facts);
    made(&arguments, &facts, cx)
}

/// What the field is charged (LIM-18).
fn charges(charges: Charges, facts: &mut Vec<String>) {
    let all = [("ValueCharge", charges.own), ("EachCharge", charges.each)];
    facts.extend(
        all.iter().filter(|(_, charge)| *charge > 0).map(|(fact, charge)| format!("{fact} = {charge}")),
    );
}

/// A member of a union that is told by `xsi:type`.
pub fn derived(member: &Field, ty: &Name, base: bool, namespaces: &mut Namespaces, cx: &Context) -> String {
    let arguments =
        format!("{}, {}, {}.Derived", string(&member.name), namespaces.name(ty), cx.framework("TextPlace"));
    let mut facts: Vec<String> = base.then(|| "IsBase = true".to_owned()).into_iter().collect();
    form(&member.node, Extra::default(), &mut facts, namespaces, cx);
    charges(member.node.member_charges(), &mut facts);
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
            format!(
                "new {}({}, {})",
                cx.framework("TextStarts"),
                namespaces.of(part[0].namespace),
                locals.join(", ")
            )
        })
        .collect();
    (!parts.is_empty()).then(|| format!("Starts = [{}]", parts.join(", ")))
}

/// What the form of the value adds to its field.
fn form(value: &Node, extra: Extra, facts: &mut Vec<String>, namespaces: &mut Namespaces, cx: &Context) {
    let nested = Extra { unnamed: true, starts: extra.starts, ..Extra::default() };
    let form_of = |word: &str| format!("Form = {}.{word}", cx.framework("TextForm"));
    match &value.kind {
        Kind::String(StringForm::Plain | StringForm::Raw) | Kind::Map { attributes: true, .. } => {}
        Kind::String(StringForm::Token) => facts.push("IsToken = true".to_owned()),
        Kind::String(StringForm::QName) => {
            facts.extend(["IsToken = true".to_owned(), "IsQualifiedName = true".to_owned()])
        }
        Kind::Scalar(scalar) => facts.push(form_of(match scalar {
            FixedScalar::Boolean => "Boolean",
            FixedScalar::Byte
            | FixedScalar::Short
            | FixedScalar::Char
            | FixedScalar::Int
            | FixedScalar::Long => "Integer",
            FixedScalar::Float | FixedScalar::Double => "Real",
            FixedScalar::DateTime => "Time",
        })),
        Kind::Decimal => facts.push(form_of("Decimal")),
        Kind::Enum(_) => facts.push(form_of("Enum")),
        Kind::Record(id) | Kind::Union(id) => facts.push(format!("Type = {}.Type", cx.text(*id))),
        Kind::Bytes { hex } => {
            facts.push(form_of("Bytes"));
            if *hex {
                facts.push("IsHex = true".to_owned());
            }
        }
        Kind::Optional(inner) => {
            facts.push("IsOptional = true".to_owned());
            form(inner, extra, facts, namespaces, cx);
        }
        Kind::Array { item, layout: ArrayLayout::Repeated, .. } => {
            facts.push(format!("Item = {}", node(item, "null", nested, namespaces, cx)))
        }
        Kind::Array { item, layout: ArrayLayout::Wrapped, .. } => {
            facts.push("IsWrapped = true".to_owned());
            facts.push(format!("Item = {}", node(item, "null", nested, namespaces, cx)));
        }
        Kind::Array { item, layout: ArrayLayout::List, .. } => {
            let mut inner = Vec::new();
            form(item, nested, &mut inner, namespaces, cx);
            facts.push("IsWrapped = true".to_owned());
            facts.push(format!(
                "Item = {}",
                made(&format!("null, place: {}.Listed", cx.framework("TextPlace")), &inner, cx)
            ));
        }
        Kind::Map { key, value, attributes: false } => {
            facts.push(format!("Key = {}", node(key, "null", nested, namespaces, cx)));
            facts.push(format!("Value = {}", node(value, "null", nested, namespaces, cx)));
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
pub fn declare_record(
    w: &mut Writer,
    cx: &Context,
    record: &Record,
    declared: &str,
    of: &str,
    namespaces: &mut Namespaces,
) {
    let class = cx.framework("TextRecord");
    let fields: String = (0..record.fields.len()).map(|i| format!(", {}", constant(of, i))).collect();
    let mut facts = Vec::new();
    if record.extensible {
        facts.push("IsExtensible = true");
    }
    if record.recursive {
        facts.push("IsRecursive = true");
    }
    let facts = if facts.is_empty() { String::new() } else { format!(" {{ {} }}", facts.join(", ")) };
    let name = namespaces.name(&record.xml);
    w.line(format!(
        "private static readonly {class} Record{of} = new({}, {name}{fields}){facts};",
        string(declared)
    ));
}
