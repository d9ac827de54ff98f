//! Lowering of `creo_text.py`: a package's types and methods for text wires (`docs/adr/0009-one-text-pair.md`).

use std::collections::BTreeSet;

use creo_model::{PackageId, Primitive, TypeId};
use creo_plan::{
    ArrayLayout, Content, Declared, Enum, Field, Kind, Message, Name, Node, Position, Record, StringForm,
    Union,
};

use crate::code::Code;
use crate::lang::{TextInterface, TextModule, TextType};
use crate::literals::string;
use crate::lower_scope::{Lower, Module, Scope};
use crate::scalars;

/// The module of descriptions.
pub fn text_module(lower: &Lower, package: PackageId) -> TextModule {
    let mut texts = Texts {
        scope: Scope::new(lower, package, Some(Module::Text)),
        namespaces: BTreeSet::new(),
        encoded: false,
        encoded_types: lower.plan.encoded_types(),
    };
    let types = lower.package(package).types.iter().map(|id| texts.declared(*id)).collect();
    let interfaces = lower.package(package).interfaces.iter().map(|index| texts.interface(*index)).collect();
    let Texts { scope, namespaces, .. } = texts;
    let namespaces = namespaces
        .into_iter()
        .map(|index| (namespace_constant(index), lower.plan.namespaces()[index].clone()))
        .collect();
    TextModule { namespaces, types, interfaces, imports: scope.imports() }
}

fn namespace_constant(index: usize) -> String {
    format!("_N{index}")
}

/// The state of making a module.
struct Texts<'a> {
    scope: Scope<'a>,
    /// The indices of used ones.
    namespaces: BTreeSet<usize>,
    /// Whether the described values occur in encoded messages (SOAP-31).
    encoded: bool,
    /// The types in encoded messages.
    encoded_types: BTreeSet<TypeId>,
}

impl Texts<'_> {
    fn namespace(&mut self, namespace: Option<usize>) -> String {
        match namespace {
            None => "\"\"".to_owned(),
            Some(index) => {
                self.namespaces.insert(index);
                namespace_constant(index)
            }
        }
    }

    fn declared(&mut self, id: TypeId) -> TextType {
        let constant = self.scope.type_constant(id);
        self.encoded = self.encoded_types.contains(&id);
        let (kind, arguments) = match self.scope.lower.plan.declared(id) {
            Declared::Record(record) => ("TextRecord", self.record(record, constant)),
            Declared::Enum(enumeration) => ("TextEnum", self.enumeration(enumeration, constant)),
            Declared::Union(union) => ("TextUnion", self.union(union, constant)),
        };
        TextType { constant: self.scope.text(id), kind, arguments }
    }

    fn named(&mut self, constant: String, xml: &Name) -> Vec<Code> {
        [constant, self.namespace(xml.namespace), string(&xml.local)].map(Code::from).to_vec()
    }

    fn record(&mut self, record: &Record, constant: String) -> Vec<Code> {
        let mut arguments = self.named(constant, &record.xml);
        arguments.push(self.fields(&record.fields));
        self.content(&mut arguments, &record.fields, &record.content);
        arguments
    }

    fn union(&mut self, union: &Union, constant: String) -> Vec<Code> {
        let mut arguments = self.named(constant, &union.xml);
        arguments.push(self.fields(&union.members));
        self.content(&mut arguments, &union.members, &union.content);
        if union.derived {
            arguments.push("derived=True".into());
        }
        if let Some(base) = union.base {
            arguments.push(format!("base={base}").into());
        }
        arguments.push(Code::tuple(union.charges().map(|charge| charge.to_string())).after("charges="));
        arguments
    }

    fn enumeration(&mut self, enumeration: &Enum, constant: String) -> Vec<Code> {
        let mut arguments = self.named(constant, &enumeration.xml);
        if enumeration.has_own_texts() {
            arguments.push(Code::dict(
                enumeration.constants.iter().map(|c| format!("{}: {}", c.number, string(&c.text))),
            ));
        }
        arguments
    }

    fn content(&mut self, arguments: &mut Vec<Code>, fields: &[Field], content: &Content) {
        if !content.namespaces.is_empty() {
            let all: Vec<String> = content.namespaces.iter().map(|n| self.namespace(Some(*n))).collect();
            arguments.push(Code::tuple(all).after("namespaces="));
        }
        if content.xsi {
            arguments.push("xsi=True".into());
        }
        // The runtime itself finds the elements that begin a field, unless some are inline.
        if fields.iter().all(|f| f.node.xml.position != Position::Inline) {
            return;
        }
        let all: Vec<Code> = content
            .first
            .iter()
            .map(|(name, index)| {
                Code::tuple([string(&name.local), self.namespace(name.namespace), index.to_string()])
            })
            .collect();
        arguments.push(Code::tuple(all).after("starts="));
    }

    fn fields(&mut self, fields: &[Field]) -> Code {
        let all: Vec<Code> = fields.iter().map(|f| self.field(f)).collect();
        Code::tuple(all).after("lambda: ")
    }

    fn field(&mut self, field: &Field) -> Code {
        self.part(&field.name, &field.node)
    }

    /// A field, or an item, key or value with its own element.
    fn part(&mut self, name: &str, node: &Node) -> Code {
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
        let mut arguments = vec![string(name).into(), namespace.into(), self.value(node)];
        if named && xml.name.local != name {
            arguments.push(format!("local={}", string(&xml.name.local)).into());
        }
        arguments.extend(place.map(|p| Code::Text(format!("place=_creo.{p}"))));
        if xml.nillable {
            arguments.push("nillable=True".into());
        }
        if let Some(schema) = node.own_schema().filter(|_| self.encoded) {
            arguments.push(format!("schema={}", string(schema)).into());
        }
        Code::call("_creo.TextField", arguments)
    }

    fn value(&mut self, node: &Node) -> Code {
        let scalar =
            |primitive: Primitive| Code::Text(format!("_creo.TEXT_{}", scalars::scalar(primitive).constant));
        // The charges for a present value, and for each item or entry (LIM-18).
        let (own, each) =
            (Code::Text(node.charges.own.to_string()), Code::Text(node.charges.each.to_string()));
        match &node.kind {
            Kind::Scalar(fixed) => scalar(fixed.primitive()),
            Kind::String(StringForm::Plain) => scalar(Primitive::String),
            Kind::String(StringForm::Token) => "_creo.TEXT_TOKEN".into(),
            Kind::String(StringForm::QName) => "_creo.TEXT_QNAME".into(),
            Kind::String(StringForm::Raw) => "_creo.TEXT_RAW".into(),
            Kind::Decimal => scalar(Primitive::Decimal),
            Kind::Bytes { hex: false } => "_creo.TEXT_BASE64".into(),
            Kind::Bytes { hex: true } => "_creo.TEXT_HEX".into(),
            Kind::Map { attributes: true, .. } => "_creo.TEXT_ATTRIBUTES".into(),
            Kind::Map { key, value, attributes: false } => {
                Code::call("_creo.TextEntries", [self.part("key", key), self.part("value", value), each])
            }
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => self.scope.text(*id).into(),
            Kind::Optional(inner) => Code::call("_creo.TextOptional", [self.value(inner), own]),
            Kind::Array { item, layout: ArrayLayout::Repeated, .. } => {
                let nillable = item.xml.nillable.then(|| "nillable=True".into());
                Code::call("_creo.TextRepeated", [self.value(item), each].into_iter().chain(nillable))
            }
            Kind::Array { item, layout: ArrayLayout::Wrapped, .. } => {
                Code::call("_creo.TextWrapped", [self.part("item", item), each])
            }
            Kind::Array { item, layout: ArrayLayout::List, .. } => {
                Code::call("_creo.TextList", [self.value(item), each])
            }
        }
    }

    fn interface(&mut self, index: usize) -> TextInterface {
        let lower = self.scope.lower;
        let planned = lower.plan.interface(index);
        self.encoded = planned.encoded;
        let mut methods = Vec::new();
        for (method, text) in planned.json_methods(&lower.model.interfaces[index]) {
            let response = text.response.as_ref().filter(|_| text.stream_result.is_none());
            let response = response.map_or("None".into(), |response| self.message(response));
            let mut arguments = vec![string(&text.action).into(), self.message(&text.request), response];
            if !text.throws.is_empty() {
                let throws = text.throws.iter().map(|id| self.scope.text(*id));
                arguments.push(Code::tuple(throws.collect::<Vec<_>>()).after("lambda: "));
            }
            if let Some(item) = &text.item {
                arguments.push(self.message(item).after("item="));
            }
            if planned.soap12 {
                arguments.push("version=\"1.2\"".into());
            }
            if planned.encoded {
                arguments.push("encoded=True".into());
            }
            if planned.addressing {
                arguments.push("addressing=True".into());
            }
            if let Some(response) = &text.soap_response {
                arguments.push(self.message(response).after("soap_response="));
            }
            methods.push((method.name.clone(), arguments));
        }
        TextInterface { constant: lower.interface(index).methods_constant(), methods }
    }

    fn message(&mut self, message: &Message) -> Code {
        let mut arguments = vec![
            self.namespace(message.element.namespace).into(),
            string(&message.element.local).into(),
            self.fields(&message.record.fields),
        ];
        self.content(&mut arguments, &message.record.fields, &message.record.content);
        if message.bare {
            arguments.push("bare=True".into());
        }
        Code::call("_creo.TextMessage", arguments)
    }
}
