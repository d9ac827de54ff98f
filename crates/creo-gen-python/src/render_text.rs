//! `creo_text.py`: what the text wires know of a package's types and methods (`docs/adr/0009-one-text-pair.md`). Constants only: the framework makes of them what moves values.

use std::collections::BTreeSet;

use creo_model::text::{Enum, Field, Message, Name, Place, Record, TextPlan, Union, Value};
use creo_model::{Charges, Interface, PackageId, Primitive, TypeId, TypeKind};

use crate::layout::{Lines, tuple};
use crate::literals::string;
use crate::lower::{InterfaceNames, Lowered, Scope};
use crate::render_codec::{import, import_order};

/// The module of descriptions.
pub fn text_module(lowered: &Lowered, package: PackageId, header: &str) -> String {
    let mut scope = Scope::new(package);
    let mut body = Lines::new();
    let mut render = Render { lowered, plan: &lowered.text, scope: &mut scope, namespaces: BTreeSet::new(), own: BTreeSet::new(), out: &mut body };
    for id in lowered.types_of(package) {
        render.described(id);
    }
    for (index, interface) in lowered.model.interfaces.iter().enumerate().filter(|(_, i)| i.package == package) {
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
            let literal = string(&lowered.text.namespaces()[index]);
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
    plan: &'a TextPlan,
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
        let plan = self.plan;
        let (kind, arguments) = match &self.lowered.model.ty(id).kind {
            TypeKind::Struct(_) | TypeKind::Exception(_) => ("TextRecord", self.record(plan.record(id), constant)),
            TypeKind::Enum(constants) => {
                let numbers: Vec<u32> = constants.iter().map(|c| c.number).collect();
                let names: Vec<&str> = constants.iter().map(|c| c.name.as_str()).collect();
                ("TextEnum", self.enumeration(plan.enumeration(id), &numbers, &names, constant))
            }
            TypeKind::Union(_) => ("TextUnion", self.union(plan.union(id), constant)),
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
        self.needs(&mut arguments, &record.namespaces, record.xsi);
        self.starts(&mut arguments, &record.fields, &record.starts);
        arguments
    }

    fn union(&mut self, union: &Union, constant: String) -> Vec<String> {
        let mut arguments = vec![constant, self.namespace(union.xml.namespace), string(&union.xml.local), self.fields(&union.members)];
        self.needs(&mut arguments, &union.namespaces, union.xsi);
        self.starts(&mut arguments, &union.members, &union.starts);
        if union.derived {
            arguments.push("derived=True".to_owned());
        }
        if let Some(base) = union.base {
            arguments.push(format!("base={base}"));
        }
        let charges: Vec<String> = union.members.iter().map(|member| self.plan.weight(&member.value).to_string()).collect();
        arguments.push(format!("charges={}", tuple(&charges)));
        arguments
    }

    fn enumeration(&mut self, enumeration: &Enum, numbers: &[u32], names: &[&str], constant: String) -> Vec<String> {
        let mut arguments = vec![constant, self.namespace(enumeration.xml.namespace), string(&enumeration.xml.local)];
        if enumeration.texts.iter().zip(names).any(|(text, name)| text != name) {
            let texts: Vec<String> = numbers.iter().zip(&enumeration.texts).map(|(number, text)| format!("{number}: {}", string(text))).collect();
            arguments.push(format!("{{{}}}", texts.join(", ")));
        }
        arguments
    }

    fn needs(&mut self, arguments: &mut Vec<String>, namespaces: &[usize], xsi: bool) {
        if !namespaces.is_empty() {
            let all: Vec<String> = namespaces.iter().map(|n| self.namespace(Some(*n))).collect();
            arguments.push(format!("namespaces={}", tuple(&all)));
        }
        if xsi {
            arguments.push("xsi=True".to_owned());
        }
    }

    /// The framework finds the elements that begin a field by itself, unless some stand inline.
    fn starts(&mut self, arguments: &mut Vec<String>, fields: &[Field], starts: &[(Name, usize)]) {
        if fields.iter().all(|f| f.place != Place::Inline) {
            return;
        }
        let all: Vec<String> =
            starts.iter().map(|(name, index)| format!("({}, {}, {index})", string(&name.local), self.namespace(name.namespace))).collect();
        arguments.push(format!("starts={}", tuple(&all)));
    }

    fn fields(&mut self, fields: &[Field]) -> String {
        let all: Vec<String> = fields.iter().map(|f| self.field(f)).collect();
        format!("lambda: {}", tuple(&all))
    }

    fn field(&mut self, field: &Field) -> String {
        let named = !matches!(field.place, Place::Inline | Place::Any | Place::AnyAttribute | Place::Text);
        let namespace = if named { self.namespace(field.xml.namespace) } else { "\"\"".to_owned() };
        let mut arguments = vec![string(&field.name), namespace, self.value(&field.value)];
        if named && field.xml.local != field.name {
            arguments.push(format!("local={}", string(&field.xml.local)));
        }
        let place = match field.place {
            Place::Element => None,
            Place::Attribute => Some("ATTRIBUTE"),
            Place::Text => Some("TEXT"),
            Place::Inline => Some("INLINE"),
            Place::Any => Some("ANY"),
            Place::AnyAttribute => Some("ANY_ATTRIBUTE"),
            Place::Header => Some("HEADER"),
        };
        arguments.extend(place.map(|p| format!("place=_creo.{p}")));
        if field.nillable {
            arguments.push("nillable=True".to_owned());
        }
        format!("_creo.TextField({})", arguments.join(", "))
    }

    fn value(&mut self, value: &Value) -> String {
        // What is charged for a value that is there, and for each item or entry (LIM-18).
        let Charges { own, each } = self.plan.value_charges(value);
        match value {
            Value::Scalar(p) => format!("_creo.TEXT_{}", scalar(*p)),
            Value::Bytes { hex: false } => "_creo.TEXT_BASE64".to_owned(),
            Value::Bytes { hex: true } => "_creo.TEXT_HEX".to_owned(),
            Value::Token => "_creo.TEXT_TOKEN".to_owned(),
            Value::QName => "_creo.TEXT_QNAME".to_owned(),
            Value::Raw => "_creo.TEXT_RAW".to_owned(),
            Value::Attributes => "_creo.TEXT_ATTRIBUTES".to_owned(),
            Value::Enum(id) | Value::Record(id) | Value::Union(id) => {
                self.lowered.of_text(*id, format!("{}_TEXT", self.lowered.names(*id).constant), self.scope)
            }
            Value::Optional(inner) => format!("_creo.TextOptional({}, {own})", self.value(inner)),
            Value::Repeated(item) => {
                let nillable = if item.nillable { ", nillable=True" } else { "" };
                format!("_creo.TextRepeated({}, {each}{nillable})", self.value(&item.value))
            }
            Value::Wrapped(item) => format!("_creo.TextWrapped({}, {each})", self.field(item)),
            Value::List(item) => format!("_creo.TextList({}, {each})", self.value(item)),
            Value::Entries(key, item) => format!("_creo.TextEntries({}, {}, {each})", self.field(key), self.field(item)),
        }
    }

    fn interface(&mut self, index: usize, interface: &Interface, names: &InterfaceNames) {
        let plan = self.plan;
        let texts = plan.interface(index);
        let mut entries: Vec<(String, Vec<String>)> = Vec::new();
        for (method, text) in interface.methods.iter().zip(&texts.methods) {
            let mut arguments = vec![string(&text.action), self.message(&text.request)];
            arguments.push(text.response.as_ref().map_or("None".to_owned(), |response| self.message(response)));
            let throws: Vec<String> =
                method.throws.iter().map(|id| self.lowered.of_text(*id, format!("{}_TEXT", self.lowered.names(*id).constant), self.scope)).collect();
            if !throws.is_empty() {
                arguments.push(format!("lambda: {}", tuple(&throws)));
            }
            if texts.soap12 {
                arguments.push("version=\"1.2\"".to_owned());
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
        self.needs(&mut arguments, &message.record.namespaces, message.record.xsi);
        self.starts(&mut arguments, &message.record.fields, &message.record.starts);
        if message.bare {
            arguments.push("bare=True".to_owned());
        }
        format!("_creo.TextMessage({})", arguments.join(", "))
    }
}

fn scalar(p: Primitive) -> &'static str {
    match p {
        Primitive::Boolean => "BOOLEAN",
        Primitive::Byte => "BYTE",
        Primitive::Short => "SHORT",
        Primitive::Char => "CHAR",
        Primitive::Int => "INT",
        Primitive::Long => "LONG",
        Primitive::Float => "FLOAT",
        Primitive::Double => "DOUBLE",
        Primitive::String => "STRING",
        Primitive::DateTime => "DATE_TIME",
        Primitive::Decimal => "DECIMAL",
    }
}
