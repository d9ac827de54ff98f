//! A peer's XML document as a tree, within the limits of XML-40 to XML-43. The parser of `creo-tdxml` checks well-formedness; the further
//! rules of XML-41 are checked here.

use crate::called::Reading;
use crate::error::{CallError, Hint};
use creo_inspect::Limits;
use creo_tdxml::xml::{Handler, Options, Tag, parse};
use creo_tdxml::{Code, Failure, Result};
use std::rc::Rc;

/// LIM-20 to LIM-23
const MAX_DEPTH: usize = 500;
const MAX_ATTRIBUTES: usize = 256;
const MAX_NAME: usize = 1_024;
const MAX_NAMESPACES: usize = 1_024;

pub const XML: &str = "http://www.w3.org/XML/1998/namespace";
pub const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The approximate memory of an element and of an attribute besides their texts.
const ELEMENT: u64 = 160;
const ATTRIBUTE: u64 = 64;

/// A namespace declaration, linked to those around it.
#[derive(Debug)]
pub struct Scope {
    prefix: String,
    namespace: Rc<str>,
    outer: Option<Rc<Scope>>,
}

/// An attribute that is not a namespace declaration.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Empty if there is none.
    pub namespace: Rc<str>,
    pub local: String,
    pub value: String,
}

#[derive(Debug)]
pub struct Element {
    /// With its prefix, as written.
    name: String,
    /// Empty if there is none.
    pub namespace: Rc<str>,
    pub attributes: Vec<Attribute>,
    /// All attributes as written, including declarations.
    written: Vec<(String, String)>,
    pub children: Vec<Child>,
    scope: Option<Rc<Scope>>,
}

#[derive(Debug)]
pub enum Child {
    Element(Element),
    Text(String),
}

impl Element {
    pub fn local(&self) -> &str {
        local(&self.name)
    }

    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        })
    }

    /// The first child with a local name, in any namespace.
    pub fn child(&self, local: &str) -> Option<&Element> {
        self.elements().find(|child| child.local() == local)
    }

    /// The text between the elements.
    pub fn text(&self) -> String {
        let texts = self.children.iter().map(|child| match child {
            Child::Text(text) => text.as_str(),
            Child::Element(_) => "",
        });
        texts.collect()
    }

    pub fn attribute(&self, namespace: &str, local: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|a| a.local == local && *a.namespace == *namespace)
            .map(|a| a.value.as_str())
    }

    /// The meaning of a prefix here; `None` if it has none. The empty prefix is the default namespace, which may be none.
    pub fn bound(&self, prefix: &str) -> Option<&str> {
        bound(&self.scope, prefix)
    }

    /// Local name and namespace, for messages.
    pub fn described(&self) -> String {
        if self.namespace.is_empty() {
            self.local().to_owned()
        } else {
            format!("{{{}}}{}", self.namespace, self.local())
        }
    }

    /// The element as a separate text (XML-36), equivalent to the original, with an end tag for each element and double quotes.
    pub fn source(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, None);
        let mut added = String::new();
        let declares = |prefix: &str| {
            let name = if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{prefix}") };
            self.written.iter().any(|(known, _)| *known == name)
        };
        let mut all: Vec<(&str, &str)> = Vec::new();
        let mut scope = &self.scope;
        while let Some(each) = scope {
            if !all.iter().any(|(prefix, _)| *prefix == each.prefix) {
                all.push((&each.prefix, &each.namespace));
            }
            scope = &each.outer;
        }
        all.sort_unstable();
        for (prefix, namespace) in all {
            if declares(prefix) || (!prefix.is_empty() && !mentions(&text, prefix)) {
                continue;
            }
            if prefix.is_empty() {
                if !namespace.is_empty() {
                    write_attribute(&mut added, "xmlns", namespace);
                }
            } else {
                write_attribute(&mut added, &format!("xmlns:{prefix}"), namespace);
            }
        }
        text.clear();
        self.write(&mut text, Some(&added));
        text
    }

    fn write(&self, out: &mut String, added: Option<&str>) {
        out.push('<');
        out.push_str(&self.name);
        out.push_str(added.unwrap_or_default());
        for (name, value) in &self.written {
            write_attribute(out, name, value);
        }
        out.push('>');
        for child in &self.children {
            match child {
                Child::Element(element) => element.write(out, None),
                Child::Text(text) => write_text(out, text),
            }
        }
        out.push_str("</");
        out.push_str(&self.name);
        out.push('>');
    }
}

fn local(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, local)| local)
}

fn bound<'s>(scope: &'s Option<Rc<Scope>>, prefix: &str) -> Option<&'s str> {
    let mut scope = scope;
    while let Some(each) = scope {
        if each.prefix == prefix {
            return Some(&each.namespace);
        }
        scope = &each.outer;
    }
    match prefix {
        "" => Some(""),
        "xml" => Some(XML),
        _ => None,
    }
}

/// Whether a text contains a prefix with a colon as a whole name.
fn mentions(text: &str, prefix: &str) -> bool {
    let wanted = format!("{prefix}:");
    text.match_indices(&wanted).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, ':' | '_' | '-' | '.' | '\u{b7}'))
    })
}

/// XML-12
pub fn write_text(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\r' => out.push_str("&#13;"),
            c => out.push(c),
        }
    }
}

/// XML-12
pub fn write_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Reads a document.
pub fn read(bytes: &[u8], reading: Reading, limits: &Limits) -> std::result::Result<Element, CallError> {
    let mut builder = Builder {
        reading,
        hint: None,
        open: Vec::new(),
        root: None,
        declared: Vec::new(),
        held: bytes.len() as u64,
        most: limits.memory(),
    };
    let ended = parse(bytes, Options::default(), &mut builder);
    match (ended, builder.root) {
        (Ok(()), Some(root)) => Ok(root),
        (Ok(()), None) => Err(CallError::new("malformed", "there is no element")),
        (Err(Failure::Refused(mistake)), _) => {
            let position = mistake
                .position
                .map_or_else(String::new, |(line, column)| format!(" (line {line}, column {column})"));
            let error = CallError::new(mistake.code.word(), format!("{}{position}", mistake.message));
            Err(CallError { hint: builder.hint, ..error })
        }
        (Err(_), _) => Err(CallError::new("malformed", "the text cannot be read")),
    }
}

struct Builder {
    reading: Reading,
    /// Of the error that ended the parser.
    hint: Option<Hint>,
    open: Vec<Element>,
    root: Option<Element>,
    /// The number of declarations in scope for each open element.
    declared: Vec<usize>,
    /// The memory used and its limit (LIM-18).
    held: u64,
    most: u64,
}

fn refuse<T>(code: Code, message: impl Into<String>) -> Result<T> {
    Err(Failure::new(code, message))
}

impl Builder {
    fn charge(&mut self, bytes: u64) -> Result<()> {
        self.held += bytes;
        if self.held > self.most {
            return refuse(
                Code::TooLarge,
                format!("the text takes more memory than maxMemory, which is {}", self.most),
            );
        }
        Ok(())
    }
}

impl Handler for Builder {
    fn start(&mut self, tag: &Tag<'_>) -> Result<()> {
        if self.open.len() >= MAX_DEPTH {
            return refuse(
                Code::TooLarge,
                format!("more elements are open at once than maxXmlDepth, which is {MAX_DEPTH}"),
            );
        }
        if tag.attributes.len() > MAX_ATTRIBUTES {
            return refuse(
                Code::TooLarge,
                format!("an element has more attributes than maxXmlAttributes, which is {MAX_ATTRIBUTES}"),
            );
        }
        let longest = tag.attributes.iter().map(|a| a.name.len()).chain([tag.name.len()]).max().unwrap_or(0);
        if longest > MAX_NAME {
            return refuse(
                Code::TooLarge,
                format!("a name has more bytes than maxXmlName, which is {MAX_NAME}"),
            );
        }
        let texts: usize = tag.attributes.iter().map(|a| 2 * (a.name.len() + a.value.len())).sum();
        self.charge(ELEMENT + (tag.name.len() + texts) as u64 + ATTRIBUTE * tag.attributes.len() as u64)?;
        let mut scope = self.open.last().and_then(|outer| outer.scope.clone());
        let mut declared = self.declared.last().copied().unwrap_or(0);
        for attribute in tag.attributes {
            let prefix = match attribute.name.as_str() {
                "xmlns" => "",
                name => match name.strip_prefix("xmlns:") {
                    Some(prefix) => prefix,
                    None => continue,
                },
            };
            declared += 1;
            let namespace = attribute.value.as_str().into();
            scope = Some(Rc::new(Scope { prefix: prefix.to_owned(), namespace, outer: scope }));
        }
        if declared > MAX_NAMESPACES {
            return refuse(
                Code::TooLarge,
                format!("more declarations are in scope than maxXmlNamespaces, which is {MAX_NAMESPACES}"),
            );
        }
        self.declared.push(declared);
        let own = tag.attributes.iter().filter(|a| a.name != "xmlns" && !a.name.starts_with("xmlns:"));
        let attributes = own.map(|a| Attribute {
            namespace: match a.name.split_once(':') {
                Some((prefix, _)) => bound(&scope, prefix).unwrap_or_default().into(),
                None => "".into(),
            },
            local: local(&a.name).to_owned(),
            value: a.value.clone(),
        });
        self.open.push(Element {
            name: tag.name.to_owned(),
            namespace: tag.namespace.into(),
            attributes: attributes.collect(),
            written: tag.attributes.iter().map(|a| (a.name.clone(), a.value.clone())).collect(),
            children: Vec::new(),
            scope,
        });
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        self.declared.pop();
        if let Some(element) = self.open.pop() {
            match self.open.last_mut() {
                Some(outer) => outer.children.push(Child::Element(element)),
                None => self.root = Some(element),
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<()> {
        self.charge(text.len() as u64)?;
        if let Some(element) = self.open.last_mut() {
            match element.children.last_mut() {
                Some(Child::Text(before)) => before.push_str(text),
                _ => element.children.push(Child::Text(text.to_owned())),
            }
        }
        Ok(())
    }

    fn comment(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    fn instruction(&mut self, _: &str, _: &str) -> Result<()> {
        if self.reading == Reading::Lenient {
            return Ok(());
        }
        self.hint = Some(Hint::Skips);
        refuse(Code::Malformed, "a processing instruction is refused")
    }

    fn doctype(&mut self) -> Result<()> {
        refuse(Code::Malformed, "a document type declaration is refused")
    }
}
