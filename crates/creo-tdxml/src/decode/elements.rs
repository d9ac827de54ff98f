//! Elements: their tags, layout, defaults, and required parts.

use super::frame::{Frame, Given};
use super::{Decoder, Subject};
use crate::error::{Failure, Result, malformed, too_large};
use crate::limits::{MAX_DEPTH, MAX_GAP};
use crate::nodes::{indentation, is_gap};
use crate::rows::Component;
use crate::schema::{Column, ElementType, Kind, Type, TypeId};
use crate::xml::{Attribute, write};
use std::rc::Rc;

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The maximum nesting of required elements that have no rows.
const MAX_MADE_UP: usize = 100;

/// An error about something without a row: the row being read is unrelated to it.
fn missing<T>(message: impl Into<String>) -> Result<T> {
    Err(Failure::out_of_order(message).with(|mistake| mistake.of_no_row = true))
}

impl Decoder<'_> {
    fn top(&mut self) -> Result<&mut Frame> {
        match self.open.last_mut() {
            Some(frame) => Ok(frame),
            None => malformed("something stands outside the root"),
        }
    }

    /// The index of the innermost element.
    fn index(&self) -> String {
        let parts = self.open.iter().map(|frame| match frame.component {
            (number, Some(occurrence)) => format!("[{number}]{occurrence}"),
            (number, None) => format!("[{number}]"),
        });
        parts.collect()
    }

    /// A node of a mixed element must have the next number.
    pub(super) fn next_node(&mut self, occurrence: Option<u32>) -> Result<()> {
        let frame = self.top()?;
        if occurrence != Some(frame.nodes) {
            let message = format!(
                "the node {} comes where the node {} is expected",
                occurrence.unwrap_or(0),
                frame.nodes
            );
            return Err(Failure::out_of_order(message));
        }
        frame.nodes += 1;
        Ok(())
    }

    /// The member and occurrence must be the next ones, or belong to a later member.
    pub(super) fn next_member(
        &mut self,
        element: &ElementType,
        place: usize,
        occurrence: Option<u32>,
    ) -> Result<()> {
        let frame = self.top()?;
        let name = &element.members[place].name;
        let expected = match frame.last {
            Some((last, _)) if place < last => {
                return Err(Failure::out_of_order(format!(
                    "`{name}` comes behind `{}`",
                    element.members[last].name
                )));
            }
            Some((last, Some(occurrence))) if place == last => occurrence + 1,
            Some((last, None)) if place == last => {
                return Err(Failure::out_of_order(format!("`{name}` comes twice")));
            }
            _ => 0,
        };
        if let Some(occurrence) = occurrence.filter(|occurrence| *occurrence != expected) {
            let message =
                format!("the occurrence {occurrence} of `{name}` comes where {expected} is expected");
            return Err(Failure::out_of_order(message));
        }
        if element.kind == Kind::Choice && frame.last.is_some_and(|(last, _)| last != place) {
            return malformed(format!("`{name}` stands beside another member of a CHOICE"));
        }
        self.pass_members(element, place)?;
        self.top()?.last = Some((place, occurrence));
        Ok(())
    }

    /// Writes the required members before the one at `until`, or reports them as missing.
    fn pass_members(&mut self, element: &ElementType, until: usize) -> Result<()> {
        let from = self.top()?.last.map_or(0, |(last, _)| last + 1);
        for place in from..until {
            let member = &element.members[place];
            let column = self.top()?.columns.remove(&place);
            self.top()?.last = Some((place, None));
            if let Some(text) = column.or_else(|| {
                member.default.clone().filter(|_| !member.repeats && element.kind == Kind::Sequence)
            }) {
                self.open_child(member.ty, &member.name, (member.number, None))?;
                self.content_text(&text)?;
                self.close()?;
            } else if !member.repeats && !member.optional && element.kind == Kind::Sequence {
                let schema = Rc::clone(&self.schema);
                if matches!(&schema.types[member.ty], Type::Scalar) || self.made_up >= MAX_MADE_UP {
                    let row = if self.record {
                        String::new()
                    } else {
                        format!(": there is no row `{}[{}]`", self.index(), member.number)
                    };
                    return missing(format!("`{}` is missing{row}", member.name));
                }
                // An element without a row is empty (TDX-22).
                self.made_up += 1;
                self.open_child(member.ty, &member.name, (member.number, None))?;
                self.close()?;
                self.made_up -= 1;
            }
        }
        Ok(())
    }

    /// Opens a child of the innermost element. Its start tag waits for its attributes.
    pub(super) fn open_child(&mut self, ty: TypeId, name: &Rc<str>, component: Component) -> Result<()> {
        if self.open.len() >= MAX_DEPTH {
            return too_large(format!("elements nest deeper than {MAX_DEPTH}"));
        }
        self.begin_content()?;
        self.layout(false)?;
        let frame = self.top()?;
        let indent = match &frame.gap {
            Some(gap) => indentation(gap, &frame.indent).to_owned(),
            None => frame.indent.clone(),
        };
        frame.passed();
        self.open.push(Frame::new(ty, Rc::clone(name), component, indent));
        Ok(())
    }

    /// Writes layout before a comment or processing instruction in the innermost element.
    pub(super) fn before_node(&mut self) -> Result<()> {
        self.begin_content()?;
        self.layout(false)?;
        self.top()?.passed();
        Ok(())
    }

    fn layout(&mut self, at_end: bool) -> Result<()> {
        let schema = Rc::clone(&self.schema);
        let frame = self.top()?;
        let Type::Element(ElementType { unit: Some(unit), .. }) = &schema.types[frame.ty] else {
            return Ok(());
        };
        if frame.behind_text {
            return Ok(());
        }
        let gap = format!("\n{}{}", frame.indent, if at_end { "" } else { unit });
        frame.gap = Some(gap.clone()).filter(|gap| gap.len() <= MAX_GAP);
        self.write(&gap)
    }

    /// Writes the innermost element's start tag if it is pending, and its text.
    pub(super) fn begin_content(&mut self) -> Result<()> {
        let schema = Rc::clone(&self.schema);
        let frame = self.top()?;
        if std::mem::replace(&mut frame.started, true) {
            return Ok(());
        }
        let mut attributes = Vec::new();
        let mut text = None;
        let name = Rc::clone(&frame.name);
        if let Type::Element(element) = &schema.types[frame.ty] {
            for (place, attribute) in element.attributes.iter().enumerate() {
                let value = match std::mem::take(frame.given_mut(place)) {
                    Given::Value(value) => value,
                    Given::Gone => continue,
                    Given::Missing => match &attribute.default {
                        Some(default) => default.clone(),
                        None if attribute.optional || frame.nothing => continue,
                        None => {
                            let (name, number) = (&attribute.name, attribute.number);
                            let row = if self.record {
                                String::new()
                            } else {
                                format!(": there is no row `{}({number})`", self.index())
                            };
                            return missing(format!("the attribute `{name}` is missing{row}"));
                        }
                    },
                };
                attributes.push(Attribute { name: attribute.name.to_string(), value });
            }
            text = match frame.text.take() {
                Some(Given::Value(text)) => Some(text),
                Some(Given::Gone) => None,
                Some(Given::Missing) | None => element.text_default.clone().filter(|_| !frame.nothing),
            };
        }
        if frame.nothing {
            attributes.push(Attribute { name: "xmlns:xsi".to_owned(), value: XSI.to_owned() });
            attributes.push(Attribute { name: "xsi:nil".to_owned(), value: "true".to_owned() });
        }
        self.namespaces.open(&name, &attributes)?;
        self.write("<")?;
        self.write(&name)?;
        for attribute in &attributes {
            write::attribute(&attribute.name, &attribute.value, self.out).map_err(Failure::Write)?;
        }
        self.write(">")?;
        match text {
            Some(text) => self.content_text(&text),
            None => Ok(()),
        }
    }

    /// Writes text within the innermost element at once.
    pub(super) fn content_text(&mut self, text: &str) -> Result<()> {
        self.begin_content()?;
        let frame = self.top()?;
        frame.behind_text = true;
        match &mut frame.gap {
            Some(gap) if gap.len() + text.len() <= MAX_GAP && is_gap(text) => gap.push_str(text),
            gap => *gap = None,
        }
        write::text(text, self.out).map_err(Failure::Write)
    }

    /// Begins a column.
    pub(super) fn begin_column(&mut self) -> Result<()> {
        let schema = Rc::clone(&self.schema);
        let (record, columns) = (self.record, self.columns);
        match self.subject {
            Subject::Items(place) => {
                let ty = self.top()?.ty;
                let Type::Element(element) = &schema.types[ty] else {
                    return malformed("the element has nothing in it");
                };
                let member = &element.members[place];
                self.open_child(member.ty, &member.name, (member.number, None))?;
                self.begin_content()
            }
            Subject::Own => {
                let frame = self.top()?;
                match &schema.types[frame.ty] {
                    Type::Element(_) if record => Ok(()),
                    _ if columns > 1 => malformed("a row of this table has one value"),
                    Type::Element(element) if !element.text => {
                        malformed(format!("`{}` has no text of its own", frame.name))
                    }
                    Type::Element(element) if !element.attributes.is_empty() => Ok(()),
                    // The text is present even if it is empty.
                    _ => self.content_text(""),
                }
            }
            _ if columns > 1 => malformed("a row of this table has one value"),
            Subject::Text => self.content_text(""),
            Subject::Attribute(_) | Subject::Comment | Subject::Instruction => Ok(()),
        }
    }

    /// Takes a column that is `~`.
    pub(super) fn no_column(&mut self) -> Result<()> {
        let schema = Rc::clone(&self.schema);
        match self.subject {
            Subject::Items(place) => {
                let ty = self.top()?.ty;
                let Type::Element(element) = &schema.types[ty] else {
                    return malformed("the element has nothing in it");
                };
                let member = &element.members[place];
                self.open_child(member.ty, &member.name, (member.number, None))?;
                self.nil()?;
                self.close()
            }
            Subject::Own if self.record => {
                let ty = self.top()?.ty;
                match &schema.types[ty] {
                    // Missing columns are omitted.
                    Type::Element(element) if self.columns <= element.columns.len() => Ok(()),
                    Type::Element(element) => malformed(format!(
                        "the record has {} columns, and the row more",
                        element.columns.len()
                    )),
                    _ if self.columns > 1 => malformed("a row of this element has one value"),
                    _ => self.nil(),
                }
            }
            _ if self.columns > 1 => malformed("a row of this table has one value"),
            Subject::Attribute(place) => self.give(Column::Attribute(place), Given::Gone),
            Subject::Own => self.nil(),
            Subject::Text | Subject::Comment | Subject::Instruction => {
                malformed("`~` stands where there cannot be nothing")
            }
        }
    }

    /// The innermost element is nil (TDX-14).
    pub(super) fn nil(&mut self) -> Result<()> {
        let frame = self.top()?;
        frame.nothing = true;
        self.begin_content()
    }

    /// Ends the row.
    pub(super) fn end_row(&mut self) -> Result<()> {
        match self.subject {
            Subject::Comment | Subject::Instruction => self.end_node(),
            Subject::Text if self.columns == 0 => self.content_text(""),
            Subject::Attribute(_) if self.columns == 0 && !self.is_nothing => {
                malformed("the row of an attribute has no value")
            }
            Subject::Attribute(_) | Subject::Own | Subject::Items(_) | Subject::Text => Ok(()),
        }
    }

    /// Ends the innermost element, and writes or reports what is missing at its end.
    pub(super) fn close(&mut self) -> Result<()> {
        let schema = Rc::clone(&self.schema);
        self.begin_content()?;
        let frame = self.top()?;
        if let (Type::Element(element), false) = (&schema.types[frame.ty], frame.nothing) {
            if element.kind == Kind::Choice && frame.last.is_none() {
                return missing("a CHOICE holds no member");
            }
            if element.kind == Kind::Sequence {
                self.pass_members(element, element.members.len())?;
            }
            if self.top()?.has_nodes {
                self.layout(true)?;
            }
        }
        if let Some(frame) = self.open.pop() {
            self.namespaces.close();
            self.write("</")?;
            self.write(&frame.name)?;
            self.write(">")?;
        }
        if self.open.is_empty() { self.write("\n") } else { Ok(()) }
    }
}
