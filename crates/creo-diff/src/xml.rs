//! Differences in the XML mapping, for the soap wire (XML-30 to XML-39, SOAP-5 to SOAP-8).
//!
//! Each difference is reported once where it originates: a package's new namespace, say, is not repeated for its contents.

use super::change::{Breaks, Noun, Verb};
use super::differ::{Differ, Effect, one};
use super::texts::Texts;
use creo_model::{Constant, Field, Interface, Method, TypeId, XmlWord};
use creo_plan::{ArrayLayout, Kind, Message, Name, Node, Plan, Position, StringForm};
use std::sync::Arc;

/// A name in readable form.
fn name(plan: &Plan, name: &Name) -> String {
    match name.namespace {
        Some(namespace) => format!("{{{}}}{}", plan.namespaces()[namespace], name.local),
        None => name.local.clone(),
    }
}

/// The elements of an answer that are in its header (SOAP-26), and those that are in a bare body (SOAP-100), in readable form.
fn parts(plan: &Plan, method: &creo_plan::Method) -> (String, String) {
    let named = |is_in_header: bool| {
        let responses = method.soap_response.iter().filter(|response| is_in_header || response.bare);
        let fields = responses.flat_map(|response| &response.record.fields);
        let parts = fields.filter(|field| (field.node.xml.position == Position::Header) == is_in_header);
        let names: Vec<String> =
            parts.map(|field| format!("`{}`", name(plan, &field.node.xml.name))).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    (named(true), named(false))
}

/// The position of a value in XML, in words.
fn position(node: &Node) -> &'static str {
    match node.xml.position {
        Position::Element => "an element",
        Position::Attribute => "an attribute",
        Position::Text => "the text",
        Position::Inline => "inline",
        Position::Any => "any element",
        Position::AnyAttribute => "any attribute",
        Position::Header => "a header",
    }
}

/// The form of a value without its type, which is reported elsewhere. A token is read like any text.
fn form(node: &Node) -> String {
    match &node.kind {
        Kind::String(StringForm::Raw) => "raw".into(),
        Kind::String(StringForm::QName) => "a qualified name".into(),
        Kind::Scalar(_)
        | Kind::Decimal
        | Kind::String(StringForm::Plain | StringForm::Token)
        | Kind::Enum(_) => "text".into(),
        Kind::Bytes { hex } => if *hex { "hexadecimal" } else { "base64" }.into(),
        Kind::Record(_) | Kind::Union(_) => "content".into(),
        Kind::Optional(inner) => form(inner),
        Kind::Array { item, layout, .. } => {
            let layout = match layout {
                ArrayLayout::Repeated => "elements",
                ArrayLayout::Wrapped => "items",
                ArrayLayout::List => "list",
            };
            format!("{layout} of {}", form(item))
        }
        Kind::Map { attributes, .. } => if *attributes { "attributes" } else { "entries" }.into(),
    }
}

/// The difference in a value's XML; `None` if readers accept both.
fn difference(texts: &Texts, old: &Node, new: &Node) -> Option<String> {
    let named = matches!(old.xml.position, Position::Element | Position::Attribute | Position::Header);
    let (was, is) = (name(texts.old, &old.xml.name), name(texts.new, &new.xml.name));
    if position(old) != position(new) {
        Some(format!("in XML it was {} and is {}", position(old), position(new)))
    } else if named && was != is {
        Some(format!("in XML it was called `{was}` and is called `{is}`"))
    } else if form(old) != form(new) {
        Some(format!("in XML it was written as {} and is written as {}", form(old), form(new)))
    } else {
        None
    }
}

const SAME: &str = "something else is said of its XML, which reads the same";

impl Differ<'_> {
    /// Compares a field or member of a type.
    pub(super) fn xml_of_field(
        &mut self,
        types: (TypeId, TypeId),
        noun: Noun,
        at: &str,
        (old, new): (&Field, &Field),
        indices: (usize, usize),
    ) {
        if old.name != new.name || old.notes.xml() == new.notes.xml() {
            return;
        }
        let (was, is) = (
            &self.texts.old.members(types.0)[indices.0].node,
            &self.texts.new.members(types.1)[indices.1].node,
        );
        match difference(&self.texts, was, is) {
            Some(text) => self.xml_breaks(types, noun, at, text),
            None => self.add(noun, Verb::Described, at.to_owned(), SAME.into(), Effect::none()),
        }
    }

    fn xml_breaks(&mut self, (before, after): (TypeId, TypeId), noun: Noun, at: &str, text: String) {
        let named = self.readers(before, after, true, true);
        let methods = self.layout(before, after).methods;
        self.add(noun, Verb::Altered, at.to_owned(), text, Effect { named, methods, ..Effect::none() });
    }

    pub(super) fn xml_of_constant(
        &mut self,
        types: (TypeId, TypeId),
        at: &str,
        old: &Constant,
        new: &Constant,
    ) {
        let (was, is) = (
            old.notes.xml().name.as_ref().unwrap_or(&old.name),
            new.notes.xml().name.as_ref().unwrap_or(&new.name),
        );
        if old.name == new.name && was != is {
            self.xml_breaks(types, Noun::Constant, at, format!("its text in XML was `{was}` and is `{is}`"));
        }
    }

    /// Compares the XML of a type, and its name if it is sent.
    pub(super) fn xml_of_type(&mut self, before: TypeId, after: TypeId, at: &str) {
        let (old, new) = (self.old.ty(before), self.new.ty(after));
        let (was, is) = (self.texts.old.type_name(before), self.texts.new.type_name(after));
        let other_name = was.local != is.local && self.texts.is_named(before, after);
        let (said_before, said_after) = (old.notes.xml(), new.notes.xml());
        let other_word = |word: XmlWord| said_before.has(word) != said_after.has(word);
        let (was, is) = (name(self.texts.old, was), name(self.texts.new, is));
        let text = if other_name {
            format!("in XML it was called `{was}` and is called `{is}`")
        } else if said_before == said_after {
            return;
        } else if said_before.namespace != said_after.namespace && was != is {
            format!("its namespace was that of `{was}` and is that of `{is}`")
        } else if other_word(XmlWord::Unqualified) {
            format!(
                "its elements have {} namespace now",
                if said_after.has(XmlWord::Unqualified) { "no" } else { "a" }
            )
        } else if other_word(XmlWord::Derived) {
            format!(
                "its members are {} told by `xsi:type`",
                if said_after.has(XmlWord::Derived) { "now" } else { "no longer" }
            )
        } else {
            return self.add(Noun::Type, Verb::Described, at.to_owned(), SAME.into(), Effect::none());
        };
        self.xml_breaks((before, after), Noun::Type, at, text);
    }

    pub(super) fn xml_of_interface(
        &mut self,
        (before, after): (usize, usize),
        old: &Interface,
        new: &Interface,
        at: &str,
    ) {
        let (was, is) = (old.notes.xml().has(XmlWord::Soap12), new.notes.xml().has(XmlWord::Soap12));
        if was != is {
            let version = |soap12| if soap12 { "1.2" } else { "1.1" };
            let text = format!(
                "new clients write SOAP {} and not {}, unless they are told otherwise; services read both",
                version(is),
                version(was)
            );
            self.add(Noun::Interface, Verb::Described, at.to_owned(), text, Effect::none());
        }
        let (was, is) = (old.notes.xml().has(XmlWord::Addressing), new.notes.xml().has(XmlWord::Addressing));
        if was != is {
            let text = format!(
                "new clients write {} headers of WS-Addressing, unless they are told otherwise; services read both",
                if is { "the" } else { "no" }
            );
            self.add(Noun::Interface, Verb::Described, at.to_owned(), text, Effect::none());
        }
        let methods = || -> Arc<[Arc<str>]> {
            old.methods.iter().map(|method| format!("{at}.{}", method.name).into()).collect()
        };
        let (was, is) = (old.notes.xml().has(XmlWord::Encoded), new.notes.xml().has(XmlWord::Encoded));
        if was != is {
            let form = |encoded| if encoded { "rpc/encoded" } else { "literal" };
            let text = format!("its SOAP messages were {} and are {}", form(was), form(is));
            let effect = Effect { named: Breaks::EVERYBODY, methods: methods(), ..Effect::none() };
            self.add(Noun::Interface, Verb::Altered, at.to_owned(), text, effect);
        }
        if old.notes.xml().namespace == new.notes.xml().namespace {
            return;
        }
        let namespace = |plan: &Plan, index: usize| match plan.interface(index).namespace {
            Some(namespace) => format!("`{}`", plan.namespaces()[namespace]),
            None => "none".to_owned(),
        };
        let (was, is) = (namespace(self.texts.old, before), namespace(self.texts.new, after));
        if was == is {
            return self.add(Noun::Interface, Verb::Described, at.to_owned(), SAME.into(), Effect::none());
        }
        let effect = Effect { named: Breaks::EVERYBODY, methods: methods(), ..Effect::none() };
        self.add(
            Noun::Interface,
            Verb::Altered,
            at.to_owned(),
            format!("its namespace was {was} and is {is}"),
            effect,
        );
    }

    /// Compares a method of both versions, given the indices of interfaces and methods.
    pub(super) fn xml_of_method(
        &mut self,
        (old, new): (&Method, &Method),
        before: (usize, usize),
        after: (usize, usize),
        at: &str,
    ) {
        let said = |method: &Method| {
            (method.notes.xml().clone(), method.response_xml().clone(), method.result_xml().clone())
        };
        let was = &self.texts.old.interface(before.0).methods[before.1];
        let is = &self.texts.new.interface(after.0).methods[after.1];
        let ((old_headers, old_body), (new_headers, new_body)) =
            (parts(self.texts.old, was), parts(self.texts.new, is));
        if said(old) == said(new) && old_headers == new_headers && old_body == new_body {
            return;
        }
        let element = |plan: &Plan, message: Option<&Message>| {
            message.map(|message| {
                format!("`{}`{}", name(plan, &message.element), if message.bare { ", bare" } else { "" })
            })
        };
        let elements = |message: fn(&creo_plan::Method) -> Option<&Message>| {
            (element(self.texts.old, message(was)), element(self.texts.new, message(is)))
        };
        let request = elements(|method| Some(&method.request));
        let response = elements(|method| method.response.as_ref());
        let unqualified = |method: &Method| method.notes.xml().has(XmlWord::Unqualified);
        let text = match (request, response, was.result(), is.result()) {
            ((Some(was), Some(is)), _, _, _) if was != is => {
                Some(format!("the element of its request was {was} and is {is}"))
            }
            (_, (Some(was), Some(is)), _, _) if was != is => {
                Some(format!("the element of its response was {was} and is {is}"))
            }
            (_, _, Some(was), Some(is)) if difference(&self.texts, was, is).is_some() => {
                difference(&self.texts, was, is).map(|text| format!("its result: {text}"))
            }
            _ if old_headers != new_headers => {
                Some(format!("the headers of its answer were {old_headers} and are {new_headers}"))
            }
            _ if old_body != new_body => {
                Some(format!("the elements of its answer's body were {old_body} and are {new_body}"))
            }
            _ if unqualified(old) != unqualified(new) => {
                Some(format!("its elements have {} namespace now", if unqualified(new) { "no" } else { "a" }))
            }
            _ if was.action != is.action => {
                Some(format!("its action was `{}` and is `{}`", was.action, is.action))
            }
            _ => None,
        };
        match text {
            // A renamed method was reported already.
            Some(_) if old.name != new.name => {}
            Some(text) => {
                let effect = Effect { named: Breaks::EVERYBODY, methods: one(at), ..Effect::none() };
                self.add(Noun::Method, Verb::Altered, at.to_owned(), text, effect);
            }
            None => self.add(Noun::Method, Verb::Described, at.to_owned(), SAME.into(), Effect::none()),
        }
    }

    /// Compares a parameter, given messages by interface, method and parameter.
    pub(super) fn xml_of_parameter(
        &mut self,
        (old, new): (&Field, &Field),
        before: [usize; 3],
        after: [usize; 3],
        method: &str,
        at: &str,
    ) {
        if old.name != new.name || old.notes.xml() == new.notes.xml() {
            return;
        }
        let field = |plan: &Plan, [interface, method, parameter]: [usize; 3]| {
            plan.interface(interface).methods[method].request.record.fields[parameter].node.clone()
        };
        match difference(&self.texts, &field(self.texts.old, before), &field(self.texts.new, after)) {
            Some(text) => {
                let effect = Effect { named: Breaks::EVERYBODY, methods: one(method), ..Effect::none() };
                self.add(Noun::Parameter, Verb::Altered, at.to_owned(), text, effect);
            }
            None => self.add(Noun::Parameter, Verb::Described, at.to_owned(), SAME.into(), Effect::none()),
        }
    }
}
