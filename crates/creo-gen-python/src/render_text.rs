//! `creo_text.py`: what the text wires know of a package's types and methods (`docs/adr/0009-one-text-pair.md`). Constants only: the framework makes of them what moves values.

use std::collections::BTreeSet;

use creo_model::{Interface, PackageId, Primitive, TypeId};
use creo_plan::{ArrayLayout, Content, Declared, Enum, Field, Kind, Message, Node, Position, Record, StringForm, Union};

use crate::layout::{Lines, tuple};
use crate::literals::string;
use crate::lower::{InterfaceNames, Lowered, Scope};
use crate::render_codec::{import, import_order};
use crate::scalars;

/// The module of descriptions.
pub fn text_module(lowered: &Lowered, package: PackageId, header: &str) -> String {
    let mut scope = Scope::new(package);
    let mut body = Lines::new();
    let mut render = Render { lowered, scope: &mut scope, namespaces: BTreeSet::new(), own: BTreeSet::new(), out: &mut body };
    for id in lowered.types_of(package) {
        render.described(id);
    }
    for (index, interface) in lowered.interfaces_of(package) {
        render.interface(index, interface, lowered.interface(index));
    }
    let Render { namespaces, own, .. } = render;
    let mut out = Lines::new();
    out.line(format!("# {header}"));
    out.blank();
    out.line("from __future__ import annotations");
    out.blank();
    out.line("from creo import codegen as _creo");
    let foreign = lowered.foreign_imports(&scope);
    if !foreign.is_empty() || !own.is_empty() {
        out.blank();
        out.lines(&foreign);
        if !own.is_empty() {
            let mut sorted: Vec<&str> = own.iter().map(String::as_str).collect();
            sorted.sort_by_key(|name| import_order(name));
            import(&mut out, ".creo_binary", &sorted);
        }
    }
    if !namespaces.is_empty() {
        out.blank();
        for index in namespaces {
            let literal = string(&lowered.plan.namespaces()[index]);
            let one_line = format!("_N{index} = {literal}");
            if out.fits(&one_line) {
                out.line(one_line);
            } else {
                out.line(format!("_N{index} = ("));
                out.indented(|l| l.line(&literal));
                out.line(")");
            }
        }
    }
    let mut text = out.finish();
    text.push_str(&body.finish());
    text
}

/// The name of the constant that holds an interface's methods.
pub fn methods_constant(names: &InterfaceNames) -> String {
    format!("{}_METHODS", names.constant.trim_start_matches('_'))
}

struct Render<'a, 'm> {
    lowered: &'a Lowered<'m>,
    scope: &'a mut Scope,
    namespaces: BTreeSet<usize>,
    own: BTreeSet<String>,
    out: &'a mut Lines,
}

impl Render<'_, '_> {
    fn namespace(&mut self, namespace: Option<usize>) -> String {
        match namespace {
            None => "\"\"".to_owned(),
            Some(index) => {
                self.namespaces.insert(index);
                format!("_N{index}")
            }
        }
    }

    fn described(&mut self, id: TypeId) {
        let names = self.lowered.names(id);
        let constant = format!("{}_TYPE", names.constant);
        self.own.insert(constant.clone());
        let (kind, arguments) = match self.lowered.plan.declared(id) {
            Declared::Record(record) => ("TextRecord", self.record(record, constant)),
            Declared::Enum(enumeration) => ("TextEnum", self.enumeration(enumeration, constant)),
            Declared::Union(union) => ("TextUnion", self.union(union, constant)),
        };
        self.out.gap();
        let open = format!("{}_TEXT: _creo.{kind} = _creo.{kind}(", names.constant);
        if self.out.fits(&open) {
            self.out.list(&open, &arguments, ")");
        } else {
            self.out.line(format!("{}_TEXT: _creo.{kind} = (", names.constant));
            self.out.indented(|l| l.list(&format!("_creo.{kind}("), &arguments, ")"));
            self.out.line(")");
        }
    }

    fn record(&mut self, record: &Record, constant: String) -> Vec<String> {
        let mut arguments = vec![constant, self.namespace(record.xml.namespace), string(&record.xml.local), self.fields(&record.fields)];
        self.content(&mut arguments, &record.fields, &record.content);
        arguments
    }

    fn union(&mut self, union: &Union, constant: String) -> Vec<String> {
        let mut arguments = vec![constant, self.namespace(union.xml.namespace), string(&union.xml.local), self.fields(&union.members)];
        self.content(&mut arguments, &union.members, &union.content);
        if union.derived {
            arguments.push("derived=True".to_owned());
        }
        if let Some(base) = union.base {
            arguments.push(format!("base={base}"));
        }
        let charges: Vec<String> = union.charges().map(|charge| charge.to_string()).collect();
        arguments.push(format!("charges={}", tuple(&charges)));
        arguments
    }

    fn enumeration(&mut self, enumeration: &Enum, constant: String) -> Vec<String> {
        let mut arguments = vec![constant, self.namespace(enumeration.xml.namespace), string(&enumeration.xml.local)];
        if enumeration.has_own_texts() {
            let texts: Vec<String> = enumeration.constants.iter().map(|c| format!("{}: {}", c.number, string(&c.text))).collect();
            arguments.push(format!("{{{}}}", texts.join(", ")));
        }
        arguments
    }

    fn content(&mut self, arguments: &mut Vec<String>, fields: &[Field], content: &Content) {
        if !content.namespaces.is_empty() {
            let all: Vec<String> = content.namespaces.iter().map(|n| self.namespace(Some(*n))).collect();
            arguments.push(format!("namespaces={}", tuple(&all)));
        }
        if content.xsi {
            arguments.push("xsi=True".to_owned());
        }
        // The runtime finds the elements that begin a field by itself, unless some are inline.
        if fields.iter().all(|f| f.node.xml.position != Position::Inline) {
            return;
        }
        let all: Vec<String> =
            content.first.iter().map(|(name, index)| format!("({}, {}, {index})", string(&name.local), self.namespace(name.namespace))).collect();
        arguments.push(format!("starts={}", tuple(&all)));
    }

    fn fields(&mut self, fields: &[Field]) -> String {
        let all: Vec<String> = fields.iter().map(|f| self.field(f)).collect();
        format!("lambda: {}", tuple(&all))
    }

    fn field(&mut self, field: &Field) -> String {
        self.part(&field.name, &field.node)
    }

    /// A field, or an item, key or value that is an element of its own.
    fn part(&mut self, name: &str, node: &Node) -> String {
        let xml = &node.xml;
        let (named, place) = match xml.position {
            Position::Element => (true, None),
            Position::Attribute => (true, Some("ATTRIBUTE")),
            Position::Text => (false, Some("TEXT")),
            Position::Inline => (false, Some("INLINE")),
            Position::Any => (false, Some("ANY")),
            Position::AnyAttribute => (false, Some("ANY_ATTRIBUTE")),
            Position::Header => (true, Some("HEADER")),
        };
        let namespace = if named { self.namespace(xml.name.namespace) } else { "\"\"".to_owned() };
        let mut arguments = vec![string(name), namespace, self.value(node)];
        if named && xml.name.local != name {
            arguments.push(format!("local={}", string(&xml.name.local)));
        }
        arguments.extend(place.map(|p| format!("place=_creo.{p}")));
        if xml.nillable {
            arguments.push("nillable=True".to_owned());
        }
        format!("_creo.TextField({})", arguments.join(", "))
    }

    fn value(&mut self, node: &Node) -> String {
        let scalar = |primitive: Primitive| format!("_creo.TEXT_{}", scalars::words(primitive).constant);
        // What is charged for a value that is there, and for each item or entry (LIM-18).
        let (own, each) = (node.charges.own, node.charges.each);
        match &node.kind {
            Kind::Scalar(fixed) => scalar(fixed.primitive()),
            Kind::String(StringForm::Plain) => scalar(Primitive::String),
            Kind::String(StringForm::Token) => "_creo.TEXT_TOKEN".to_owned(),
            Kind::String(StringForm::Raw) => "_creo.TEXT_RAW".to_owned(),
            Kind::Decimal => scalar(Primitive::Decimal),
            Kind::Bytes { hex: false } => "_creo.TEXT_BASE64".to_owned(),
            Kind::Bytes { hex: true } => "_creo.TEXT_HEX".to_owned(),
            Kind::Map { attributes: true, .. } => "_creo.TEXT_ATTRIBUTES".to_owned(),
            Kind::Map { key, value, attributes: false } => {
                format!("_creo.TextEntries({}, {}, {each})", self.part("key", key), self.part("value", value))
            }
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => {
                self.lowered.of_text(*id, format!("{}_TEXT", self.lowered.names(*id).constant), self.scope)
            }
            Kind::Optional(inner) => format!("_creo.TextOptional({}, {own})", self.value(inner)),
            Kind::Array { item, layout: ArrayLayout::Repeated, .. } => {
                let nillable = if item.xml.nillable { ", nillable=True" } else { "" };
                format!("_creo.TextRepeated({}, {each}{nillable})", self.value(item))
            }
            Kind::Array { item, layout: ArrayLayout::Wrapped, .. } => format!("_creo.TextWrapped({}, {each})", self.part("item", item)),
            Kind::Array { item, layout: ArrayLayout::List, .. } => format!("_creo.TextList({}, {each})", self.value(item)),
        }
    }

    fn interface(&mut self, index: usize, interface: &Interface, names: &InterfaceNames) {
        let texts = self.lowered.plan.interface(index);
        let mut entries: Vec<(String, Vec<String>)> = Vec::new();
        for (method, text) in interface.methods.iter().zip(&texts.methods) {
            let mut arguments = vec![string(&text.action), self.message(&text.request)];
            arguments.push(text.response.as_ref().map_or("None".to_owned(), |response| self.message(response)));
            let throws: Vec<String> =
                method.throws.iter().map(|id| self.lowered.of_text(*id, format!("{}_TEXT", self.lowered.names(*id).constant), self.scope)).collect();
            if !throws.is_empty() {
                arguments.push(format!("lambda: {}", tuple(&throws)));
            }
            entries.push((format!("{}: _creo.TextMethod", string(&method.name)), arguments));
        }
        self.out.gap();
        let constant = methods_constant(names);
        if entries.is_empty() {
            self.out.line(format!("{constant}: dict[str, _creo.TextMethod] = {{}}"));
            return;
        }
        self.out.line(format!("{constant} = {{"));
        self.out.indented(|l| {
            for (open, arguments) in &entries {
                l.list(&format!("{open}("), arguments, "),");
            }
        });
        self.out.line("}");
    }

    fn message(&mut self, message: &Message) -> String {
        let mut arguments = vec![self.namespace(message.element.namespace), string(&message.element.local), self.fields(&message.record.fields)];
        self.content(&mut arguments, &message.record.fields, &message.record.content);
        if message.bare {
            arguments.push("bare=True".to_owned());
        }
        format!("_creo.TextMessage({})", arguments.join(", "))
    }
}
