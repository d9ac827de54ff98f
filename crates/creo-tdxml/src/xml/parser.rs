//! The document: prolog, elements, references.

use super::chars::{is_name, is_name_byte, is_space};
use super::entities::{Dtd, Entity, built_in, character};
use super::input::Input;
use super::{Attribute, Handler, Namespaces, Tag};
use crate::error::{Result, malformed, shown, too_large};
use crate::limits::{
    MAX_AMPLIFICATION, MAX_ATTRIBUTES, MAX_DEPTH, MAX_ENTITY_DEPTH, MAX_EXPANSION, MAX_HELD, MAX_NAME,
};
use memchr::{memchr2, memmem};
use std::io::Read;
use std::rc::Rc;

/// Options of the parser.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// A prefix that needs no declaration, and its namespace.
    pub prefix: Option<(&'a str, &'a str)>,
}

/// Parses a document up to its end or the first mistake.
pub fn parse<R: Read, H: Handler>(reader: R, options: Options<'_>, handler: &mut H) -> Result<()> {
    let mut parser = Parser {
        input: Input::new(reader)
            .map_err(|failure| failure.with(|mistake| mistake.position = Some((1, 1))))?,
        dtd: Dtd::default(),
        namespaces: options
            .prefix
            .map_or_else(Namespaces::default, |(prefix, namespace)| Namespaces::with(prefix, namespace)),
        names: String::new(),
        open: Vec::new(),
        attributes: Vec::new(),
        expanded: 0,
    };
    parser.document(handler).map_err(|failure| {
        let position = parser.input.position();
        failure.with(|mistake| {
            // A row describes the position better.
            if mistake.row.is_none() && !mistake.of_no_row {
                mistake.position.get_or_insert(position);
            }
        })
    })
}

pub(super) struct Parser<R> {
    pub input: Input<R>,
    pub dtd: Dtd,
    namespaces: Namespaces,
    /// The names of all open elements in one string, and their start offsets.
    names: String,
    open: Vec<usize>,
    /// Reused from tag to tag.
    attributes: Vec<Attribute>,
    expanded: u64,
}

impl<R: Read> Parser<R> {
    fn document<H: Handler>(&mut self, handler: &mut H) -> Result<()> {
        if self.input.looking_at("<?xml")?
            && !self.input.have().as_bytes().get(5).is_some_and(|b| is_name_byte(*b))
        {
            self.declaration()?;
        }
        let mut doctype = false;
        loop {
            self.input.skip_space()?;
            match self.input.peek()? {
                None => return malformed("there is no element"),
                Some(b'<') => {}
                Some(_) => return malformed("text stands outside of the root element"),
            }
            if self.input.looking_at("<!DOCTYPE")? {
                if doctype {
                    return malformed("a second document type declaration");
                }
                doctype = true;
                handler.doctype()?;
                self.doctype()?;
            } else if !self.outside(handler)? {
                break;
            }
        }
        self.start_tag(handler)?;
        self.content(handler)?;
        loop {
            self.input.skip_space()?;
            match self.input.peek()? {
                None => return Ok(()),
                Some(b'<') if self.outside(handler)? => {}
                Some(_) => return malformed("something stands behind the root element"),
            }
        }
    }

    /// Reads a comment or processing instruction; false if neither comes next.
    fn outside<H: Handler>(&mut self, handler: &mut H) -> Result<bool> {
        if self.input.take("<!--")? {
            let text = self.comment()?;
            handler.comment(&text)?;
        } else if self.input.take("<?")? {
            let (target, data) = self.instruction()?;
            handler.instruction(&target, &data)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Reads the XML declaration, whose encoding is already in use.
    fn declaration(&mut self) -> Result<()> {
        self.input.advance("<?xml".len());
        let mut text = String::new();
        self.input.take_until("?>", &mut text, MAX_NAME, "the XML declaration")?;
        let mut rest = text.as_str();
        let mut last = 0;
        loop {
            let trimmed = rest.trim_start_matches(|c: char| c.is_ascii() && is_space(c as u8));
            if trimmed.is_empty() {
                break;
            }
            let spaced = trimmed.len() < rest.len();
            let Some((name, behind)) = trimmed.split_once('=') else {
                return malformed("the XML declaration cannot be read");
            };
            let behind = behind.trim_start();
            let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''));
            let Some((value, behind)) = quote.and_then(|quote| behind[1..].split_once(quote)) else {
                return malformed("the XML declaration cannot be read");
            };
            let place = match name.trim_end() {
                "version"
                    if value
                        .strip_prefix("1.")
                        .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) =>
                {
                    1
                }
                "encoding" if value.starts_with(|c: char| c.is_ascii_alphabetic()) => 2,
                "standalone" if matches!(value, "yes" | "no") => {
                    self.dtd.standalone = value == "yes";
                    3
                }
                _ => 0,
            };
            if place <= last || !spaced || (last == 0 && place != 1) {
                return malformed("the XML declaration cannot be read");
            }
            last = place;
            rest = behind;
        }
        if last == 0 { malformed("the XML declaration names no version") } else { Ok(()) }
    }

    /// Reads a comment after `<!--`.
    pub fn comment(&mut self) -> Result<String> {
        let mut text = String::new();
        self.input.take_until("--", &mut text, MAX_HELD, "a comment")?;
        if !self.input.take(">")? {
            return malformed("`--` stands in a comment");
        }
        Ok(text)
    }

    /// Reads a processing instruction after `<?`: its target and data.
    pub fn instruction(&mut self) -> Result<(String, String)> {
        let target = self.local_name("a processing instruction")?;
        if target.eq_ignore_ascii_case("xml") {
            return malformed("an XML declaration stands elsewhere than at the beginning");
        }
        let mut data = String::new();
        if !self.input.take("?>")? {
            if !self.input.skip_space()? {
                return malformed(format!("`{}` is no target of a processing instruction", shown(&target)));
            }
            self.input.take_until("?>", &mut data, MAX_HELD, "a processing instruction")?;
        }
        Ok((target, data))
    }

    /// Reads a name with any colons.
    pub fn name(&mut self, what: &str) -> Result<String> {
        let mut name = String::new();
        self.append_name(&mut name)?;
        if is_name(&name) {
            Ok(name)
        } else {
            malformed(format!("{what} has no name, or a wrong one: `{}`", shown(&name)))
        }
    }

    /// Reads a name without colons, which namespaces require except for elements and attributes.
    pub fn local_name(&mut self, what: &str) -> Result<String> {
        let name = self.name(what)?;
        if name.contains(':') {
            malformed(format!("{what} has a colon in its name: `{}`", shown(&name)))
        } else {
            Ok(name)
        }
    }

    /// Appends all bytes that a name may hold.
    fn append_name(&mut self, to: &mut String) -> Result<()> {
        let before = to.len();
        loop {
            let rest = self.input.rest()?;
            let count = rest.bytes().take_while(|b| is_name_byte(*b)).count();
            to.push_str(&rest[..count]);
            let all = count == rest.len();
            self.input.advance(count);
            if to.len() - before > MAX_NAME {
                return too_large(format!("a name is longer than {MAX_NAME} bytes"));
            }
            if !all || count == 0 {
                return Ok(());
            }
        }
    }

    fn start_tag<H: Handler>(&mut self, handler: &mut H) -> Result<()> {
        self.input.advance(1);
        if self.open.len() >= MAX_DEPTH {
            return too_large(format!("elements nest deeper than {MAX_DEPTH}"));
        }
        let begin = self.names.len();
        let mut names = std::mem::take(&mut self.names);
        let read = self.append_name(&mut names);
        self.names = names;
        read?;
        self.open.push(begin);
        let mut attributes = std::mem::take(&mut self.attributes);
        let read = self.attributes(&mut attributes);
        self.attributes = attributes;
        let (empty, mut used) = read?;
        let name = &self.names[begin..];
        let added = self.dtd.apply(name, &mut self.attributes, &mut used);
        if added > 0 {
            self.charge(added)?;
        }
        let name = &self.names[begin..];
        let attributes = &self.attributes[..used];
        self.namespaces.open(name, attributes)?;
        handler.start(&Tag { name, namespace: self.namespaces.of(name), attributes })?;
        if empty { self.close(handler) } else { Ok(()) }
    }

    /// Reads attributes up to the end of the tag. Returns whether the element is empty, and the number of attributes.
    fn attributes(&mut self, attributes: &mut Vec<Attribute>) -> Result<(bool, usize)> {
        let (mut used, mut held) = (0, 0);
        loop {
            let spaced = self.input.skip_space()?;
            if self.input.take(">")? {
                return Ok((false, used));
            }
            if self.input.take("/>")? {
                return Ok((true, used));
            }
            if !spaced {
                let tag = &self.names[*self.open.last().unwrap_or(&0)..];
                return malformed(format!("the tag `{}` is not as a tag must be", shown(tag)));
            }
            if used >= MAX_ATTRIBUTES {
                return too_large(format!("an element has more than {MAX_ATTRIBUTES} attributes"));
            }
            if used == attributes.len() {
                attributes.push(Attribute::default());
            }
            let attribute = &mut attributes[used];
            attribute.name.clear();
            attribute.value.clear();
            self.append_name(&mut attribute.name)?;
            self.input.skip_space()?;
            if !self.input.take("=")? {
                return malformed(format!("the attribute `{}` has no value", shown(&attribute.name)));
            }
            self.input.skip_space()?;
            self.value(&mut attribute.value)?;
            held += attribute.name.len() + attribute.value.len();
            if held > MAX_HELD {
                return too_large(format!("a tag is longer than {MAX_HELD} bytes"));
            }
            used += 1;
        }
    }

    /// Reads a quoted attribute value, normalized as CDATA.
    pub fn value(&mut self, to: &mut String) -> Result<()> {
        let quote = match self.input.peek()? {
            Some(quote @ (b'"' | b'\'')) => quote,
            Some(_) | None => return malformed("the value of an attribute has no quotes"),
        };
        self.input.advance(1);
        loop {
            let rest = self.input.rest()?;
            let Some(count) =
                rest.bytes().position(|b| b == quote || matches!(b, b'<' | b'&' | b'\t' | b'\n' | b'\r'))
            else {
                if rest.is_empty() {
                    return malformed("the value of an attribute has no end");
                }
                let count = rest.len();
                to.push_str(rest);
                self.input.advance(count);
                if to.len() > MAX_HELD {
                    return too_large(format!("an attribute is longer than {MAX_HELD} bytes"));
                }
                continue;
            };
            let stop = rest.as_bytes()[count];
            to.push_str(&rest[..count]);
            self.input.advance(count);
            match stop {
                b'&' => {
                    let reference = self.reference()?;
                    self.expand_reference(&reference, to, &mut Vec::new())?;
                }
                b'<' => return malformed("`<` stands in the value of an attribute"),
                stop => {
                    self.input.advance(1);
                    if stop == quote {
                        return Ok(());
                    }
                    to.push(' ');
                }
            }
        }
    }

    /// Reads a reference: the text between `&` and `;`.
    fn reference(&mut self) -> Result<String> {
        self.input.advance(1);
        let mut name = String::new();
        if self.input.take("#")? {
            name.push('#');
        }
        self.append_name(&mut name)?;
        if !self.input.take(";")? {
            return malformed("`&` is not followed by a name and `;`");
        }
        Ok(name)
    }

    /// Counts the bytes of an entity or default against the limit.
    pub fn charge(&mut self, bytes: usize) -> Result<()> {
        self.expanded += bytes as u64 + 1;
        if self.expanded > MAX_EXPANSION + MAX_AMPLIFICATION * self.input.size {
            return too_large(format!(
                "entities and defaults expand to more than {MAX_EXPANSION} bytes and {MAX_AMPLIFICATION} times the document"
            ));
        }
        Ok(())
    }

    /// Appends the meaning of a reference in an attribute's value.
    fn expand_reference(
        &mut self,
        reference: &str,
        to: &mut String,
        within: &mut Vec<Rc<str>>,
    ) -> Result<()> {
        if let Some(number) = reference.strip_prefix('#') {
            to.push(character(number)?);
            return Ok(());
        }
        if let Some(c) = built_in(reference) {
            to.push(c);
            return Ok(());
        }
        let text = match self.dtd.entities.get_key_value(reference) {
            Some((name, Entity::Internal(text))) if !within.contains(name) => {
                let (name, text) = (Rc::clone(name), Rc::clone(text));
                within.push(name);
                text
            }
            _ => return self.dtd.refuse(reference),
        };
        if within.len() > MAX_ENTITY_DEPTH {
            return too_large(format!("entities nest deeper than {MAX_ENTITY_DEPTH}"));
        }
        self.charge(text.len())?;
        let mut rest: &str = &text;
        while let Some(at) = rest.bytes().position(|b| matches!(b, b'<' | b'&' | b'\t' | b'\n' | b'\r')) {
            to.push_str(&rest[..at]);
            let behind = &rest[at + 1..];
            match rest.as_bytes()[at] {
                b'<' => {
                    return malformed(format!(
                        "`<` stands in the value of an attribute, by way of the entity `{}`",
                        shown(reference)
                    ));
                }
                b'&' => {
                    let inner =
                        behind.split_once(';').filter(|(name, _)| name.starts_with('#') || is_name(name));
                    let Some((inner, behind)) = inner else {
                        return malformed("`&` is not followed by a name and `;`");
                    };
                    self.expand_reference(inner, to, within)?;
                    rest = behind;
                }
                _ => {
                    to.push(' ');
                    rest = behind;
                }
            }
        }
        to.push_str(rest);
        within.pop();
        Ok(())
    }

    /// Reads the content of the root and its end.
    fn content<H: Handler>(&mut self, handler: &mut H) -> Result<()> {
        while !self.open.is_empty() {
            match self.input.peek()? {
                Some(b'<') => self.markup(handler)?,
                Some(b'&') => self.content_reference(handler)?,
                Some(_) => self.text(handler)?,
                None => match self.input.frames.pop() {
                    Some(frame) if frame.depth == self.open.len() => {}
                    Some(frame) => {
                        return malformed(format!(
                            "an element begins in the entity `{}` and does not end there",
                            shown(&frame.name)
                        ));
                    }
                    None => {
                        let name = &self.names[*self.open.last().unwrap_or(&0)..];
                        return malformed(format!("the element `{}` has no end", shown(name)));
                    }
                },
            }
        }
        // The root begins in the document, so it ends there.
        Ok(())
    }

    fn text<H: Handler>(&mut self, handler: &mut H) -> Result<()> {
        let rest = self.input.have();
        let count = memchr2(b'<', b'&', rest.as_bytes()).unwrap_or(rest.len());
        if let Some(at) = memmem::find(&rest.as_bytes()[..count], b"]]>") {
            self.input.advance(at);
            return malformed("`]]>` stands in text");
        }
        let sure = if count == rest.len() { before_brackets(rest) } else { count };
        if sure > 0 {
            handler.text(&rest[..sure])?;
            self.input.advance(sure);
            return Ok(());
        }
        if self.input.looking_at("]]>")? {
            return malformed("`]]>` stands in text");
        }
        handler.text("]")?;
        self.input.advance(1);
        Ok(())
    }

    fn markup<H: Handler>(&mut self, handler: &mut H) -> Result<()> {
        // One check covers the common case.
        if !self.input.looking_at("<!")? && !self.input.looking_at("<?")? {
            return if self.input.take("</")? { self.end_tag(handler) } else { self.start_tag(handler) };
        }
        if self.outside(handler)? {
            return Ok(());
        }
        if self.input.take("<![CDATA[")? {
            self.cdata(handler)
        } else {
            malformed("`<!` begins neither a comment nor a CDATA section")
        }
    }

    fn cdata<H: Handler>(&mut self, handler: &mut H) -> Result<()> {
        loop {
            let rest = self.input.rest()?;
            if rest.is_empty() {
                return malformed("a CDATA section has no end");
            }
            if let Some(count) = memmem::find(rest.as_bytes(), b"]]>") {
                if count > 0 {
                    handler.text(&rest[..count])?;
                }
                self.input.advance(count + 3);
                return Ok(());
            }
            let sure = before_brackets(rest);
            if sure > 0 {
                handler.text(&rest[..sure])?;
                self.input.advance(sure);
            } else if !self.input.looking_at("]]>")? {
                handler.text("]")?;
                self.input.advance(1);
            }
        }
    }

    fn end_tag<H: Handler>(&mut self, handler: &mut H) -> Result<()> {
        if let Some(frame) = self.input.frames.last().filter(|frame| frame.depth >= self.open.len()) {
            return malformed(format!(
                "an element ends in the entity `{}` and does not begin there",
                shown(&frame.name)
            ));
        }
        let begin = *self.open.last().unwrap_or(&0);
        let length = self.names.len() - begin;
        let names = std::mem::take(&mut self.names);
        let mut same = self.input.take(&names[begin..]);
        if matches!(same, Ok(true)) {
            // The name must end here too.
            same = self.input.peek().map(|next| !next.is_some_and(is_name_byte));
        }
        self.names = names;
        if !same? {
            let name = shown(&self.names[begin..begin + length]);
            return malformed(format!("the end tag of `{name}` is missing or another"));
        }
        self.input.skip_space()?;
        if !self.input.take(">")? {
            return malformed("an end tag is not as an end tag must be");
        }
        self.close(handler)
    }

    fn close<H: Handler>(&mut self, handler: &mut H) -> Result<()> {
        if let Some(begin) = self.open.pop() {
            self.names.truncate(begin);
        }
        self.namespaces.close();
        handler.end()
    }

    fn content_reference<H: Handler>(&mut self, handler: &mut H) -> Result<()> {
        let reference = self.reference()?;
        if let Some(number) = reference.strip_prefix('#') {
            return handler.text(character(number)?.encode_utf8(&mut [0; 4]));
        }
        if let Some(c) = built_in(&reference) {
            return handler.text(c.encode_utf8(&mut [0; 4]));
        }
        let frames = &self.input.frames;
        let (name, text) = match self.dtd.entities.get_key_value(reference.as_str()) {
            Some((name, Entity::Internal(text))) if !frames.iter().any(|frame| frame.name == *name) => {
                (Rc::clone(name), Rc::clone(text))
            }
            _ => return self.dtd.refuse(&reference),
        };
        if frames.len() >= MAX_ENTITY_DEPTH {
            return too_large(format!("entities nest deeper than {MAX_ENTITY_DEPTH}"));
        }
        self.charge(text.len())?;
        self.input.enter(name, text, self.open.len());
        Ok(())
    }
}

/// The position of trailing brackets that may begin `]]>`.
fn before_brackets(piece: &str) -> usize {
    let bytes = piece.as_bytes();
    let brackets = bytes.iter().rev().take(2).take_while(|b| **b == b']').count();
    bytes.len() - brackets
}
