//! The second pass over a document, which writes its rows one by one (TDX-70).

use crate::error::{Code, Failure, Result, too_large};
use crate::escape;
use crate::nodes::{Before, Nodes};
use crate::plan::{COMMENT_OUTSIDE, Content, Definition, INSTRUCTION_OUTSIDE, Plan, Target};
use crate::xml::Attribute;
use crate::{Scheme, limits::MAX_HELD};
use std::io::Write;

/// The largest number of an index (TDX-10).
const MAX_NUMBER: u32 = 0x7fff_ffff;

struct Open {
    target: Target,
    /// The path's length after this element.
    path: usize,
    /// Whether something of it is in the table.
    said: bool,
    /// Whether a row has begun and waits for its text or end.
    row: bool,
    in_text: bool,
    has_nodes: bool,
    /// Rows of attributes, or columns of a record, that wait for the text before the first node; `None` if absent.
    waiting: Vec<Option<String>>,
    flushed: bool,
    /// The last member and its occurrence; in a mixed element the number of nodes.
    member: Option<usize>,
    occurrence: u32,
    /// In a record: the column of the parent that takes the text.
    column: Option<usize>,
}

/// Writes the rows of a document with a known plan.
pub struct Rows<'a> {
    plan: &'a Plan,
    scheme: Scheme,
    out: &'a mut dyn Write,
    path: Vec<u8>,
    open: Vec<Open>,
    /// The number of nodes outside the root so far, including the root.
    outside: u32,
}

fn changed() -> Failure {
    Failure::new(Code::Malformed, "the document has changed while it was read")
}

impl<'a> Rows<'a> {
    pub fn new(plan: &'a Plan, scheme: Scheme, out: &'a mut dyn Write) -> Rows<'a> {
        Rows { plan, scheme, out, path: Vec::new(), open: Vec::new(), outside: 0 }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(Failure::Write)
    }

    fn write_value(&mut self, text: &str, first: bool) -> Result<()> {
        escape::write(text, first, self.out).map_err(Failure::Write)
    }

    /// Writes the path, `suffix`, and a column.
    fn row(&mut self, suffix: &str, value: &str) -> Result<()> {
        self.out.write_all(&self.path).map_err(Failure::Write)?;
        self.write(suffix.as_bytes())?;
        self.write(b"|")?;
        self.write_value(value, true)?;
        self.write(b"\n")
    }

    fn top(&mut self) -> Result<(&mut Open, Option<&'a Definition>)> {
        let plan = self.plan;
        let open = self.open.last_mut().ok_or_else(changed)?;
        let definition = match open.target {
            Target::Leaf => None,
            Target::Definition(index) => Some(&plan.definitions[index]),
        };
        Ok((open, definition))
    }

    /// Ends the open row, if any.
    fn end_row(&mut self) -> Result<()> {
        let (open, _) = self.top()?;
        if std::mem::take(&mut open.row) { self.write(b"\n") } else { Ok(()) }
    }

    /// Writes pending rows, since nothing can come before them any more.
    fn flush(&mut self) -> Result<()> {
        self.end_row()?;
        let scheme = self.scheme;
        let (open, _) = self.top()?;
        if std::mem::replace(&mut open.flushed, true) {
            return Ok(());
        }
        let mut waiting = std::mem::take(&mut open.waiting);
        match scheme {
            Scheme::Aggregated => {
                for (number, value) in waiting.iter().enumerate() {
                    if let Some(value) = value {
                        self.row(&format!("({number})"), value)?;
                        self.top()?.0.said = true;
                    }
                }
            }
            Scheme::Record => {
                while matches!(waiting.last(), Some(None)) {
                    waiting.pop();
                }
                if !waiting.is_empty() {
                    self.out.write_all(&self.path).map_err(Failure::Write)?;
                    for value in &waiting {
                        self.write(b"|")?;
                        match value {
                            Some(value) => self.write_value(value, true)?,
                            None => self.write(b"~")?,
                        }
                    }
                    self.write(b"\n")?;
                    self.top()?.0.said = true;
                }
            }
        }
        Ok(())
    }

    /// Takes text before the first node: all of it, or its first piece.
    fn leading(&mut self, text: &str) -> Result<()> {
        let scheme = self.scheme;
        let (open, definition) = self.top()?;
        let definition = definition.ok_or_else(changed)?;
        let first = !std::mem::replace(&mut open.in_text, true);
        if definition.text_is_node {
            return self.node_text(text, first);
        }
        match scheme {
            Scheme::Record => {
                // Attributes come first, then the text.
                let column = definition.attributes.len();
                if open.waiting.len() <= column {
                    open.waiting.resize(column + 1, None);
                }
                let held = open.waiting[column].get_or_insert_default();
                held.push_str(text);
                if held.len() > MAX_HELD {
                    too_large(format!("a text is longer than {MAX_HELD} bytes"))
                } else {
                    Ok(())
                }
            }
            Scheme::Aggregated => {
                open.said = true;
                open.row = true;
                if first {
                    self.out.write_all(&self.path).map_err(Failure::Write)?;
                    self.write(b"|")?;
                }
                self.write_value(text, first)
            }
        }
    }

    /// Takes a text that is a node, or its next piece.
    fn node_text(&mut self, text: &str, first: bool) -> Result<()> {
        if first {
            let (_, definition) = self.top()?;
            let Some(Content::Mixed { text: number, .. }) = definition.map(|d| d.content) else {
                return Err(changed());
            };
            self.flush()?;
            let from = self.path.len();
            self.node(number)?;
            self.out.write_all(&self.path).map_err(Failure::Write)?;
            self.path.truncate(from);
            self.write(b"|")?;
            self.top()?.0.row = true;
        }
        self.write_value(text, first)
    }

    /// Appends the index of the next node of a mixed element to the path.
    fn node(&mut self, number: usize) -> Result<()> {
        let (open, _) = self.top()?;
        let occurrence = open.occurrence;
        if occurrence > MAX_NUMBER {
            return too_large(format!("an element holds more than {MAX_NUMBER} nodes"));
        }
        open.occurrence += 1;
        open.said = true;
        self.path.extend_from_slice(format!("[{number}]{occurrence}").as_bytes());
        Ok(())
    }

    /// Handles the gap or text before a node, or before the end tag of an element with nodes.
    fn before(&mut self, before: Before<'_>, indent: &str, at_end: bool) -> Result<()> {
        let (open, definition) = self.top()?;
        let definition = definition.ok_or_else(changed)?;
        let first = !open.has_nodes;
        if let Before::Gap(gap) = before {
            let usual = match &definition.unit {
                Some(unit) => {
                    let rest = gap.strip_prefix('\n').and_then(|rest| rest.strip_prefix(indent));
                    rest == Some(if at_end { "" } else { unit })
                }
                None => gap.is_empty(),
            };
            if !usual && first {
                self.leading(gap)?;
            } else if !usual {
                self.node_text(gap, true)?;
            }
        }
        self.end_row()?;
        let (open, _) = self.top()?;
        open.in_text = false;
        open.has_nodes |= !at_end;
        Ok(())
    }

    /// Writes a comment or processing instruction.
    fn other(
        &mut self,
        kind: fn(Content) -> Option<usize>,
        outside: u32,
        value: &str,
        before: Before<'_>,
        indent: &str,
    ) -> Result<()> {
        if self.open.is_empty() {
            let index = format!("[{outside}]{}", self.outside);
            self.outside += 1;
            return self.row(&index, value);
        }
        self.before(before, indent, false)?;
        self.flush()?;
        let number = self.top()?.1.and_then(|definition| kind(definition.content)).ok_or_else(changed)?;
        let from = self.path.len();
        self.node(number)?;
        self.row("", value)?;
        self.path.truncate(from);
        Ok(())
    }

    /// Enters the child element `name` of the innermost element. Returns its target, and its column in a record.
    fn child(&mut self, name: &str) -> Result<(Target, Option<usize>, bool)> {
        let scheme = self.scheme;
        let (open, definition) = self.top()?;
        let definition = definition.ok_or_else(changed)?;
        let number = *definition.member_numbers.get(name).ok_or_else(changed)?;
        let member = &definition.members[number];
        if definition.content != Content::Ordered {
            self.flush()?;
            self.node(number)?;
            return Ok((member.target, None, false));
        }
        if open.member.is_some_and(|last| last > number || (last == number && !member.repeats)) {
            return Err(changed());
        }
        let again = open.member == Some(number);
        open.occurrence = if again { open.occurrence + 1 } else { 0 };
        open.member = Some(number);
        let occurrence = open.occurrence;
        if occurrence > MAX_NUMBER {
            return too_large(format!("an element holds more than {MAX_NUMBER} others of one name"));
        }
        if scheme == Scheme::Record && member.target == Target::Leaf {
            if !member.repeats {
                let column = definition.attributes.len() + usize::from(definition.has_text()) + number;
                if open.waiting.len() <= column {
                    open.waiting.resize(column + 1, None);
                }
                open.waiting[column] = Some(String::new());
                return Ok((Target::Leaf, Some(column), false));
            }
            // All items are columns of one row (TDX-31), which stays open.
            if !again {
                self.flush()?;
                self.out.write_all(&self.path).map_err(Failure::Write)?;
                self.write(format!("[{number}]").as_bytes())?;
                let (open, _) = self.top()?;
                (open.said, open.row) = (true, true);
            }
            self.write(b"|")?;
            return Ok((Target::Leaf, None, true));
        }
        self.flush()?;
        self.top()?.0.said = true;
        let index = if member.repeats { format!("[{number}]{occurrence}") } else { format!("[{number}]") };
        self.path.extend_from_slice(index.as_bytes());
        Ok((member.target, None, false))
    }
}

impl Nodes for Rows<'_> {
    fn start(
        &mut self,
        name: &str,
        attributes: &[Attribute],
        before: Before<'_>,
        indent: &str,
    ) -> Result<()> {
        let mut path = self.path.len();
        let (target, column, item) = if self.open.is_empty() {
            self.outside += 1;
            path = 0;
            self.path.extend_from_slice(b"[0]");
            (Target::Definition(0), None, false)
        } else {
            self.gap_before_item(before, indent, name)?;
            self.child(name)?
        };
        let mut waiting = Vec::new();
        if let Target::Definition(index) = target {
            let definition = self.plan.definitions.get(index).ok_or_else(changed)?;
            for attribute in attributes {
                let number =
                    *definition.attribute_numbers.get(attribute.name.as_str()).ok_or_else(changed)?;
                match &definition.attributes[number].default {
                    Some(default) if *default == attribute.value => {}
                    Some(_) => return Err(changed()),
                    None => {
                        if waiting.len() <= number {
                            waiting.resize(number + 1, None);
                        }
                        waiting[number] = Some(attribute.value.clone());
                    }
                }
            }
        } else if !attributes.is_empty() {
            return Err(changed());
        }
        if target == Target::Leaf && column.is_none() && !item {
            self.out.write_all(&self.path).map_err(Failure::Write)?;
            self.write(b"|")?;
        }
        self.open.push(Open {
            target,
            path,
            said: false,
            row: target == Target::Leaf && column.is_none() && !item,
            in_text: false,
            has_nodes: false,
            waiting,
            flushed: false,
            member: None,
            occurrence: 0,
            column,
        });
        Ok(())
    }

    fn end(&mut self, before: Before<'_>, indent: &str) -> Result<()> {
        let (open, definition) = self.top()?;
        match definition {
            None => {
                let gap = match before {
                    Before::Gap(gap) => gap,
                    Before::Text => "",
                };
                if !gap.is_empty() {
                    self.leaf_text(gap)?;
                }
                self.end_row()?;
            }
            Some(_) => {
                if open.has_nodes {
                    self.before(before, indent, true)?;
                } else if let Before::Gap(gap) = before
                    && !gap.is_empty()
                {
                    self.leading(gap)?;
                }
                self.flush()?;
                if !self.top()?.0.said {
                    self.out.write_all(&self.path).map_err(Failure::Write)?;
                    self.write(b"\n")?;
                }
            }
        }
        if let Some(closed) = self.open.pop() {
            self.path.truncate(closed.path);
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<()> {
        let (open, definition) = self.top()?;
        if definition.is_none() {
            return self.leaf_text(text);
        }
        if !open.has_nodes {
            return self.leading(text);
        }
        let first = !std::mem::replace(&mut open.in_text, true);
        self.node_text(text, first)
    }

    fn comment(&mut self, text: &str, before: Before<'_>, indent: &str) -> Result<()> {
        let kind = |content| match content {
            Content::Mixed { comment, .. } => Some(comment),
            Content::Ordered => None,
        };
        self.other(kind, COMMENT_OUTSIDE, text, before, indent)
    }

    fn instruction(&mut self, value: &str, before: Before<'_>, indent: &str) -> Result<()> {
        let kind = |content| match content {
            Content::Mixed { instruction, .. } => Some(instruction),
            Content::Ordered => None,
        };
        self.other(kind, INSTRUCTION_OUTSIDE, value, before, indent)
    }
}

impl Rows<'_> {
    /// Like [`Rows::before`], but the row of an array of texts stays open for its next item.
    fn gap_before_item(&mut self, before: Before<'_>, indent: &str, name: &str) -> Result<()> {
        let (open, definition) = self.top()?;
        let same = open.member.is_some_and(|member| {
            definition.is_some_and(|d| d.members.get(member).is_some_and(|m| &*m.name == name))
        });
        let open_array = open.row && open.has_nodes && !open.in_text && same;
        if open_array {
            open.row = false;
        }
        self.before(before, indent, false)?;
        if open_array {
            self.top()?.0.row = true;
        }
        Ok(())
    }

    /// Takes the text of an element that has nothing else, or its next piece.
    fn leaf_text(&mut self, text: &str) -> Result<()> {
        let (open, _) = self.top()?;
        let first = !std::mem::replace(&mut open.in_text, true);
        let column = open.column;
        let Some(column) = column else { return self.write_value(text, first) };
        let parent = self.open.len().checked_sub(2).ok_or_else(changed)?;
        let held = self.open[parent].waiting.get_mut(column).and_then(Option::as_mut).ok_or_else(changed)?;
        held.push_str(text);
        if held.len() > MAX_HELD {
            too_large(format!("a text is longer than {MAX_HELD} bytes"))
        } else {
            Ok(())
        }
    }
}
