//! An XML file as a tree of elements with source positions. Only the text of documentation and of properties of JMS is kept.
//!
//! Refused: document types (so only XML's five entities exist), nesting deeper than [`MAX_DEPTH`], more than [`MAX_ATTRIBUTES`] attributes
//! on an element, and more than [`MAX_ELEMENTS`] elements.

use crate::jms;
use creo_diag::{FileId, Span};
use quick_xml::errors::Error;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use std::collections::BTreeSet;
use std::rc::Rc;

pub const MAX_DEPTH: usize = 200;
pub const MAX_ATTRIBUTES: usize = 1_000;
pub const MAX_ELEMENTS: usize = 1_000_000;

const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// Index of an element in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub u32);

#[derive(Debug)]
pub struct Attribute {
    /// Empty if there is none.
    pub namespace: Rc<str>,
    pub local: String,
    pub value: String,
}

#[derive(Debug)]
pub struct Element {
    /// Empty if there is none.
    pub namespace: Rc<str>,
    pub local: String,
    pub attributes: Vec<Attribute>,
    pub children: Vec<NodeId>,
    /// The text of a `documentation` element and of all its descendants, or of a property of JMS.
    pub text: String,
    /// The span of the start tag.
    pub span: Span,
    /// The namespace declarations in scope.
    scope: u32,
}

impl Element {
    /// The value of an attribute without a namespace.
    pub fn attribute(&self, local: &str) -> Option<&str> {
        self.attribute_in("", local)
    }

    pub fn attribute_in(&self, namespace: &str, local: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|a| a.local == local && *a.namespace == *namespace)
            .map(|a| a.value.as_str())
    }
}

/// The namespace declarations of one element, on top of its parent's.
#[derive(Debug)]
struct Scope {
    parent: Option<u32>,
    bindings: Vec<(String, Rc<str>)>,
}

/// A file's elements, starting with the root.
#[derive(Debug)]
pub struct Tree {
    elements: Vec<Element>,
    scopes: Vec<Scope>,
    /// Undeclared prefixes of elements, and where they are used.
    pub undeclared: Vec<(Span, String)>,
}

/// Why a file is not a tree, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    pub span: Span,
    pub why: String,
}

impl Tree {
    pub fn element(&self, id: NodeId) -> &Element {
        &self.elements[id.0 as usize]
    }

    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The meaning of a prefix at an element; `None` if it is not declared. The empty prefix always has a meaning: at least no namespace.
    pub fn namespace(&self, at: NodeId, prefix: &str) -> Option<Rc<str>> {
        lookup(&self.scopes, Some(self.element(at).scope), prefix)
    }

    pub fn parse(file: FileId, text: &str) -> Result<Tree, Refused> {
        let mut parser = Parser {
            file,
            head: text.len() - text.trim_start().len(),
            elements: Vec::new(),
            scopes: vec![Scope { parent: None, bindings: vec![("xml".to_owned(), XML.into())] }],
            open: Vec::new(),
            documentation: None,
            names: BTreeSet::new(),
            undeclared: Vec::new(),
        };
        if let Some((at, c)) = text.char_indices().find(|(_, c)| !is_xml(*c)) {
            return Err(parser.refuse(
                at,
                at + c.len_utf8(),
                format!("U+{:04X} is no character of XML", u32::from(c)),
            ));
        }
        let mut reader = Reader::from_str(text);
        loop {
            let start = reader.buffer_position() as usize;
            let event = reader.read_event();
            let end = (reader.buffer_position() as usize).min(text.len());
            match event {
                Ok(Event::Eof) => break,
                Ok(event) => parser.event(event, start, end)?,
                Err(error) => {
                    let at = (reader.error_position() as usize).min(text.len());
                    return Err(parser.refuse(at, at, explain(&error)));
                }
            }
        }
        if !parser.open.is_empty() {
            return Err(parser.refuse(text.len(), text.len(), "the file ends within an element".to_owned()));
        }
        if parser.elements.is_empty() {
            return Err(parser.refuse(0, 0, "the file holds no element".to_owned()));
        }
        Ok(Tree { elements: parser.elements, scopes: parser.scopes, undeclared: parser.undeclared })
    }
}

fn lookup(scopes: &[Scope], mut scope: Option<u32>, prefix: &str) -> Option<Rc<str>> {
    while let Some(at) = scope {
        let Scope { parent, bindings } = &scopes[at as usize];
        if let Some((_, namespace)) = bindings.iter().find(|(bound, _)| bound == prefix) {
            return Some(namespace.clone());
        }
        scope = *parent;
    }
    prefix.is_empty().then(|| "".into())
}

fn explain(error: &Error) -> String {
    let text = error.to_string();
    text.strip_prefix("ill-formed document: ")
        .or(text.strip_prefix("syntax error: "))
        .unwrap_or(&text)
        .to_owned()
}

struct Parser {
    file: FileId,
    /// Where the text begins, after white space.
    head: usize,
    elements: Vec<Element>,
    scopes: Vec<Scope>,
    open: Vec<NodeId>,
    /// The number of open elements within a documentation element, including itself: they are text.
    documentation: Option<usize>,
    names: BTreeSet<Rc<str>>,
    undeclared: Vec<(Span, String)>,
}

impl Parser {
    fn refuse(&self, start: usize, end: usize, why: impl Into<String>) -> Refused {
        Refused { span: Span::new(self.file, start, end), why: why.into() }
    }

    fn event(&mut self, event: Event<'_>, start: usize, end: usize) -> Result<(), Refused> {
        match event {
            Event::Start(tag) => self.start(&tag, start, end),
            Event::Empty(tag) => {
                self.start(&tag, start, end)?;
                self.end();
                Ok(())
            }
            Event::End(_) => {
                self.end();
                Ok(())
            }
            Event::Text(text) => self.text(&text, start, end),
            Event::CData(text) => self.text(&text, start, end),
            Event::GeneralRef(reference) => {
                let text = format!("&{};", &*reference);
                match unescape(&text) {
                    Ok(text) => self.text(&text, start, end),
                    Err(_) => Err(self.refuse(
                        start,
                        end,
                        format!("the entity {text} is not declared, and document types are not read"),
                    )),
                }
            }
            Event::DocType(_) => Err(self.refuse(start, end, "a document type is not read")),
            // Some services put a line break before it, which other importers accept.
            Event::Decl(_) if start == self.head => Ok(()),
            Event::Decl(_) => {
                Err(self.refuse(start, end, "an XML declaration must be at the start of a file"))
            }
            Event::Comment(_) | Event::PI(_) | Event::Eof => Ok(()),
        }
    }

    fn text(&mut self, text: &str, start: usize, end: usize) -> Result<(), Refused> {
        let Some(open) = self.open.last() else {
            return if text.trim().is_empty() {
                Ok(())
            } else {
                Err(self.refuse(start, end, "there is text outside the root element"))
            };
        };
        let element = &mut self.elements[open.0 as usize];
        if self.documentation.is_some() || jms::is_namespace(&element.namespace) {
            element.text.push_str(text);
        }
        Ok(())
    }

    fn end(&mut self) {
        match &mut self.documentation {
            Some(depth) if *depth > 1 => {
                *depth -= 1;
                if let Some(open) = self.open.last() {
                    self.elements[open.0 as usize].text.push(' ');
                }
            }
            _ => {
                self.documentation = None;
                self.open.pop();
            }
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, start: usize, end: usize) -> Result<(), Refused> {
        let depth = self.open.len() + self.documentation.unwrap_or(0);
        if depth >= MAX_DEPTH {
            return Err(self.refuse(start, end, format!("elements nest deeper than {MAX_DEPTH}")));
        }
        if let Some(depth) = &mut self.documentation {
            *depth += 1;
            return Ok(());
        }
        if self.open.is_empty() && !self.elements.is_empty() {
            return Err(self.refuse(start, end, "a second root element"));
        }
        if self.elements.len() >= MAX_ELEMENTS {
            return Err(self.refuse(start, end, format!("more than {MAX_ELEMENTS} elements")));
        }
        let parent = self.open.last().copied();
        let parent_scope = parent.map_or(0, |id| self.elements[id.0 as usize].scope);
        let mut bindings: Vec<(String, Rc<str>)> = Vec::new();
        let mut plain: Vec<(String, String)> = Vec::new();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|e| self.refuse(start, end, e.to_string()))?;
            let name: &str = attribute.key.as_ref();
            if !seen.insert(name.to_owned()) {
                return Err(self.refuse(start, end, format!("the attribute {name:?} occurs twice")));
            }
            if seen.len() > MAX_ATTRIBUTES {
                return Err(self.refuse(start, end, format!("more than {MAX_ATTRIBUTES} attributes")));
            }
            // White space is a space, but that of character references is kept (XML 1.0, 2.11 and 3.3.3).
            let value = attribute.value.replace("\r\n", " ").replace(['\t', '\n', '\r'], " ");
            let value = unescape(&value).map_err(|e| self.refuse(start, end, e.to_string()))?.into_owned();
            match name.strip_prefix("xmlns") {
                Some("") => bindings.push((String::new(), self.intern(&value))),
                Some(prefix) if prefix.starts_with(':') => {
                    bindings.push((prefix[1..].to_owned(), self.intern(&value)))
                }
                _ => plain.push((name.to_owned(), value)),
            }
        }
        let scope = if bindings.is_empty() {
            parent_scope
        } else {
            self.scopes.push(Scope { parent: parent.map(|_| parent_scope).or(Some(0)), bindings });
            (self.scopes.len() - 1) as u32
        };
        let mut attributes = Vec::with_capacity(plain.len());
        for (name, value) in plain {
            let (namespace, local) = self.resolve(&name, scope, false, start, end)?;
            attributes.push(Attribute { namespace, local, value });
        }
        let (namespace, local) = self.resolve(tag.name().as_ref(), scope, true, start, end)?;
        if local == "documentation" {
            self.documentation = Some(1);
        }
        let id = NodeId(self.elements.len() as u32);
        let span = Span::new(self.file, start, end);
        self.elements.push(Element {
            namespace,
            local,
            attributes,
            children: Vec::new(),
            text: String::new(),
            span,
            scope,
        });
        if let Some(parent) = parent {
            self.elements[parent.0 as usize].children.push(id);
        }
        self.open.push(id);
        Ok(())
    }

    fn resolve(
        &mut self,
        name: &str,
        scope: u32,
        element: bool,
        start: usize,
        end: usize,
    ) -> Result<(Rc<str>, String), Refused> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        if !is_name(local) || (name.contains(':') && !is_name(prefix)) {
            return Err(self.refuse(start, end, format!("{name:?} is no name")));
        }
        if prefix.is_empty() && !element {
            return Ok((self.intern(""), local.to_owned()));
        }
        match lookup(&self.scopes, Some(scope), prefix) {
            Some(namespace) => Ok((namespace, local.to_owned())),
            // Other importers accept an attribute with an unbound prefix, since no importer looks it up.
            None if !element => Ok((format!("unbound:{prefix}").into(), local.to_owned())),
            // Some files are parts of others that declare these prefixes. Their meaning is known.
            None => {
                let namespace = match prefix {
                    "xs" | "xsd" => "http://www.w3.org/2001/XMLSchema".to_owned(),
                    "wsdl" => "http://schemas.xmlsoap.org/wsdl/".to_owned(),
                    "soap" => "http://schemas.xmlsoap.org/wsdl/soap/".to_owned(),
                    _ => format!("unbound:{prefix}"),
                };
                self.undeclared.push((Span::new(self.file, start, end), prefix.to_owned()));
                Ok((namespace.into(), local.to_owned()))
            }
        }
    }

    fn intern(&mut self, text: &str) -> Rc<str> {
        if let Some(known) = self.names.get(text) {
            return known.clone();
        }
        let new: Rc<str> = text.into();
        self.names.insert(new.clone());
        new
    }
}

/// A character of XML 1.0.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r') || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'))
}

/// The longest name that a description can have (XML-30).
const LONGEST_NAME: usize = 1_000;

/// A name without a colon, as in XML 1.0 (fifth edition).
pub fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    let more = |c: char| {
        starts_name(c)
            || matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
    };
    text.len() <= LONGEST_NAME && characters.next().is_some_and(starts_name) && characters.all(more)
}

fn starts_name(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '_' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
        | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}'
        | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Tree, String> {
        Tree::parse(FileId(0), text).map_err(|refused| refused.why)
    }

    #[test]
    fn elements_have_namespaces_and_places() {
        let tree = parse("<a xmlns='u'>\n<p:b xmlns:p='v' p:x='1' y='&lt;&#65;'/></a>").expect("well-formed");
        let root = tree.element(tree.root());
        assert_eq!((&*root.namespace, root.local.as_str()), ("u", "a"));
        let child = tree.element(root.children[0]);
        assert_eq!((&*child.namespace, child.span.start), ("v", 14));
        assert_eq!(
            (child.attribute("y"), child.attribute_in("v", "x"), child.attribute("x")),
            (Some("<A"), Some("1"), None)
        );
        assert_eq!(tree.namespace(root.children[0], "").as_deref(), Some("u"));
        assert_eq!(tree.namespace(tree.root(), "p"), None);
    }

    #[test]
    fn white_space_of_references_is_kept() {
        let tree = parse("<a b='&#13;&#10;&#9;' c='\r\n\t\n'/>").expect("well-formed");
        let root = tree.element(tree.root());
        assert_eq!((root.attribute("b"), root.attribute("c")), (Some("\r\n\t"), Some("   ")));
    }

    #[test]
    fn white_space_may_precede_the_declaration() {
        assert!(parse("\r\n <?xml version='1.0'?><a/>").is_ok());
        assert!(parse("<!-- x --><?xml version='1.0'?><a/>").is_err());
    }

    #[test]
    fn documentation_is_text() {
        let tree =
            parse("<a><documentation>One <b>two<i/></b> &amp; <![CDATA[<three>]]></documentation><b/></a>")
                .expect("well-formed");
        let root = tree.element(tree.root());
        assert_eq!(tree.element(root.children[0]).text, "One two   & <three>");
        assert_eq!(root.children.len(), 2);
    }

    #[test]
    fn what_is_not_well_formed_is_refused() {
        for text in [
            "",
            "x",
            "<a",
            "<a>",
            "<a></b>",
            "<a/><b/>",
            "<a/>x",
            "<a b='1' b='2'/>",
            "<a>&x;</a>",
            "<a b='&x;'/>",
            "<!DOCTYPE a><a/>",
            "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
            "<1/>",
            "<a:b:c xmlns:a='u'/>",
            "<a \u{1}/>",
            "<a b/>",
            "<a b=c/>",
            "<a/><?xml version='1.0'?>",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn limits_hold() {
        assert!(parse(&"<a>".repeat(1_000_000)).is_err_and(|why| why.contains("nest deeper")));
        let flood: String = (0..2_000).map(|i| format!(" a{i}=''")).collect();
        assert!(parse(&format!("<a{flood}/>")).is_err_and(|why| why.contains("attributes")));
        assert!(
            parse(&format!("<a>{}</a>", "<b/>".repeat(MAX_ELEMENTS)))
                .is_err_and(|why| why.contains("elements"))
        );
        let deep = format!("<documentation>{}", "<a>".repeat(1_000));
        assert!(parse(&deep).is_err_and(|why| why.contains("nest deeper")));
    }
}
