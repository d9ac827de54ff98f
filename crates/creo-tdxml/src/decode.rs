//! Turns rows in schema order into a document, one by one.

mod elements;
mod frame;

use crate::error::{Failure, Result, malformed, too_large};
use crate::limits::MAX_HELD;
use crate::rows::{Component, Consumer, Index, Lexer, Sink};
use crate::schema::{Column, Kind, Schema, Type};
use crate::sort::Collector;
use crate::xml::{Namespaces, chars};
use crate::{Input, Scratch, table};
use frame::{Frame, Given};
use std::io::{self, Write};
use std::rc::Rc;

/// Decodes a table whose rows are in schema order.
pub fn stream(input: &mut dyn Input, out: &mut dyn Write) -> Result<()> {
    let input = input.open().map_err(Failure::Read)?;
    table::read(input, |schema, record| Lexer::new(Decoder::new(schema, record, out))).map(|_| ())
}

/// Decodes a table with rows in any order.
pub fn sorted(
    input: &mut dyn Input,
    scratch: &mut dyn FnMut() -> io::Result<Box<dyn Scratch>>,
    out: &mut dyn Write,
) -> Result<()> {
    let mut is_record = false;
    let collector = table::read(input.open().map_err(Failure::Read)?, |schema, record| {
        is_record = record;
        Collector::new(schema, record, scratch)
    })?;
    let mut rows = collector.sorted();
    let mut run = |out: &mut dyn Write| {
        let mut lexer = Lexer::new(Decoder::new(Rc::clone(&rows.schema), is_record, out));
        rows.each(|number, text| lexer.row(number, text))?;
        lexer.finish()
    };
    run(&mut io::sink())?;
    run(out)
}

/// The meaning of the current row's columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    /// The innermost element itself.
    Own,
    Attribute(usize),
    /// Texts of an array: a member of the innermost element.
    Items(usize),
    /// A text among the nodes of a mixed element.
    Text,
    Comment,
    Instruction,
}

struct Decoder<'a> {
    schema: Rc<Schema>,
    record: bool,
    out: &'a mut dyn Write,
    namespaces: Namespaces,
    open: Vec<Frame>,
    root_begun: bool,
    root_ended: bool,
    /// The number of nodes of the document so far, including the root.
    outside: u32,
    subject: Subject,
    columns: usize,
    /// Whether a column has begun and not ended.
    in_column: bool,
    /// Whether the row has `~` instead of columns.
    is_nothing: bool,
    /// A text that is held until it is complete.
    held: String,
    /// The number of nested elements that were created without rows.
    made_up: usize,
}

impl<'a> Decoder<'a> {
    fn new(schema: Rc<Schema>, record: bool, out: &'a mut dyn Write) -> Decoder<'a> {
        Decoder {
            schema,
            record,
            out,
            namespaces: Namespaces::default(),
            open: Vec::new(),
            root_begun: false,
            root_ended: false,
            outside: 0,
            subject: Subject::Own,
            columns: 0,
            in_column: false,
            is_nothing: false,
            held: String::new(),
            made_up: 0,
        }
    }

    fn write(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes()).map_err(Failure::Write)
    }

    /// Moves to the element or node of an index.
    fn go(&mut self, index: &Index) -> Result<()> {
        self.subject = Subject::Own;
        let Some((first, rest)) = index.components.split_first() else {
            return malformed("an index is empty");
        };
        let outside = self.schema.outside.iter().find(|(number, _)| *number == first.0).map(|(_, ty)| *ty);
        if let Some(ty) = outside {
            return self.go_outside(ty, first, rest.is_empty() && index.attribute.is_none());
        }
        if *first != (0, None) {
            return malformed("the index does not begin with `[0]`, the root");
        }
        if self.root_ended {
            return Err(Failure::out_of_order("the root goes on behind a node that stands behind it"));
        }
        self.begin_root();
        let same = self
            .open
            .iter()
            .zip(&index.components)
            .take_while(|(frame, component)| frame.component == **component)
            .count();
        while self.open.len() > same {
            self.close()?;
        }
        let fresh = same < index.components.len();
        for (at, component) in index.components.iter().enumerate().skip(same) {
            self.enter(component, at + 1 == index.components.len())?;
        }
        match index.attribute {
            Some(number) => self.attribute(number),
            None if self.subject == Subject::Own => self.own(fresh),
            None => Ok(()),
        }
    }

    fn begin_root(&mut self) {
        if !std::mem::replace(&mut self.root_begun, true) {
            self.outside += 1;
            self.open.push(Frame::new(
                self.schema.root,
                Rc::clone(&self.schema.root_name),
                (0, None),
                String::new(),
            ));
        }
    }

    /// A comment or processing instruction outside the root (TDX-66).
    fn go_outside(&mut self, ty: usize, component: &Component, alone: bool) -> Result<()> {
        while !self.open.is_empty() {
            self.close()?;
        }
        self.root_ended = self.root_begun;
        let Some(occurrence) = component.1.filter(|_| alone) else {
            return malformed("what stands outside the root has an occurrence, and nothing beneath it");
        };
        if occurrence != self.outside {
            let message = format!(
                "the node {occurrence} of the document comes where the node {} is expected",
                self.outside
            );
            return Err(Failure::out_of_order(message));
        }
        self.outside += 1;
        self.subject = if matches!(self.schema.types[ty], Type::Comment) {
            Subject::Comment
        } else {
            Subject::Instruction
        };
        Ok(())
    }

    /// Opens the child of the innermost element for a part of an index.
    fn enter(&mut self, component: &Component, last: bool) -> Result<()> {
        let schema = Rc::clone(&self.schema);
        let Some(frame) = self.open.last().filter(|frame| !frame.nothing) else {
            return malformed("the element is nothing, and has nothing in it");
        };
        let (element, place) = schema.child(frame.ty, component)?;
        let member = &element.members[place];
        let (_, occurrence) = *component;
        element.check_occurrence(&schema, self.record, place, occurrence)?;
        let node = match &schema.types[member.ty] {
            Type::Text => Some(Subject::Text),
            Type::Comment => Some(Subject::Comment),
            Type::Instruction => Some(Subject::Instruction),
            Type::Scalar | Type::Element(_) | Type::Named(_) => None,
        };
        if element.kind == Kind::Mixed {
            self.next_node(occurrence)?;
        } else {
            self.next_member(element, place, occurrence)?;
            if self.record && member.repeats && matches!(schema.types[member.ty], Type::Scalar) {
                if !last {
                    return malformed(format!("`{}` has nothing in it but text", member.name));
                }
                self.subject = Subject::Items(place);
                return Ok(());
            }
        }
        if let Some(subject) = node {
            if !last {
                return malformed(format!("`{}` is no element", member.name));
            }
            self.subject = subject;
            return if subject == Subject::Text { self.begin_content() } else { self.before_node() };
        }
        self.open_child(member.ty, &member.name, *component)
    }

    /// Begins the row of an attribute of the innermost element.
    fn attribute(&mut self, number: u32) -> Result<()> {
        let schema = Rc::clone(&self.schema);
        let Some(frame) = self.open.last_mut().filter(|_| self.subject == Subject::Own) else {
            return malformed("only elements have attributes");
        };
        let (element, place) = schema.attribute(frame.ty, number)?;
        if self.record {
            return malformed(format!(
                "`{}` is a column of its record, and has no row",
                element.attributes[place].name
            ));
        }
        if frame.started || frame.nothing {
            return Err(Failure::out_of_order(format!(
                "the attribute `{}` comes behind what the element holds",
                element.attributes[place].name
            )));
        }
        if frame.given(place) != &Given::Missing {
            return Err(Failure::out_of_order("the index comes twice"));
        }
        self.subject = Subject::Attribute(place);
        Ok(())
    }

    /// Begins the row of the innermost element itself.
    fn own(&mut self, fresh: bool) -> Result<()> {
        let Some(frame) = self.open.last_mut() else { return Ok(()) };
        if frame.own {
            return Err(Failure::out_of_order("the index comes twice"));
        }
        // Rows that continue the index came before. A row without columns adds nothing then, but the order is wrong.
        if !fresh && (frame.started || frame.has_given()) {
            return Err(Failure::out_of_order("the row comes behind those that continue its index"));
        }
        frame.own = true;
        Ok(())
    }

    /// Takes text of the row's subject: it is written at once if possible, else held.
    fn take(&mut self, text: &str) -> Result<()> {
        let schema = Rc::clone(&self.schema);
        let holds = match self.subject {
            Subject::Attribute(_) | Subject::Comment | Subject::Instruction => true,
            Subject::Text | Subject::Items(_) => false,
            Subject::Own => match self.open.last().map(|frame| &schema.types[frame.ty]) {
                Some(Type::Element(element)) => self.record || !element.attributes.is_empty(),
                _ => false,
            },
        };
        if !holds {
            return self.content_text(text);
        }
        self.held.push_str(text);
        if self.held.len() > MAX_HELD {
            too_large(format!("a value that must be held is longer than {MAX_HELD} bytes"))
        } else {
            Ok(())
        }
    }

    /// Ends a column that has begun.
    fn end_column(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.in_column) {
            return Ok(());
        }
        let held = std::mem::take(&mut self.held);
        let schema = Rc::clone(&self.schema);
        match self.subject {
            Subject::Attribute(place) => self.give(Column::Attribute(place), Given::Value(held)),
            Subject::Own => match self.open.last().map(|frame| &schema.types[frame.ty]) {
                Some(Type::Element(element)) if self.record => match element.columns.get(self.columns - 1) {
                    Some(column) => self.give(*column, Given::Value(held)),
                    None => malformed(format!(
                        "the record has {} columns, and the row more",
                        element.columns.len()
                    )),
                },
                Some(Type::Element(element)) if !element.attributes.is_empty() => {
                    self.give(Column::Text, Given::Value(held))
                }
                _ => Ok(()),
            },
            Subject::Items(_) => self.close(),
            Subject::Text => Ok(()),
            Subject::Comment | Subject::Instruction => {
                self.held = held;
                Ok(())
            }
        }
    }

    fn give(&mut self, column: Column, value: Given) -> Result<()> {
        if let Some(frame) = self.open.last_mut() {
            match column {
                Column::Attribute(place) => *frame.given_mut(place) = value,
                Column::Text => frame.text = Some(value),
                Column::Member(place) => {
                    if let Given::Value(value) = value {
                        frame.columns.insert(place, value);
                    }
                }
            }
        }
        Ok(())
    }

    /// A comment or processing instruction is complete.
    fn end_node(&mut self) -> Result<()> {
        let held = std::mem::take(&mut self.held);
        if self.subject == Subject::Comment {
            if held.contains("--") || held.ends_with('-') {
                return malformed("`--` cannot stand in a comment");
            }
            self.write(&format!("<!--{held}-->"))?;
        } else {
            let target = held.split_once(' ').map_or(held.as_str(), |(target, _)| target);
            let right =
                chars::is_local_name(target) && !target.eq_ignore_ascii_case("xml") && !held.contains("?>");
            if !right {
                return malformed("the value is no processing instruction");
            }
            self.write(&format!("<?{held}?>"))?;
        }
        if self.open.is_empty() { self.write("\n") } else { Ok(()) }
    }

    /// Adds the path of the innermost element, by names, to an error.
    fn placed<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|failure| {
            failure.with(|mistake| {
                if !self.open.is_empty() && !mistake.message.contains(" (at ") {
                    let names = self.open.iter().map(|frame| match frame.component.1 {
                        Some(occurrence) => format!("{}[{occurrence}]", frame.name),
                        None => frame.name.to_string(),
                    });
                    let place = names.collect::<Vec<_>>().join(".");
                    mistake.message = format!("{} (at {})", mistake.message, crate::error::shown(&place));
                }
            })
        })
    }
}

impl Sink for Decoder<'_> {
    fn begin(&mut self, index: &Index) -> Result<()> {
        self.columns = 0;
        self.in_column = false;
        self.is_nothing = false;
        self.held.clear();
        let result = self.go(index);
        self.placed(result)
    }

    fn nothing(&mut self) -> Result<()> {
        self.is_nothing = true;
        let result = match self.subject {
            Subject::Attribute(place) => self.give(Column::Attribute(place), Given::Gone),
            Subject::Own => self.nil(),
            Subject::Items(_) | Subject::Text | Subject::Comment | Subject::Instruction => {
                malformed("`~` stands where there cannot be nothing")
            }
        };
        self.placed(result)
    }

    fn column(&mut self) -> Result<()> {
        let result = self.end_column().and_then(|()| {
            self.columns += 1;
            self.in_column = true;
            self.begin_column()
        });
        self.placed(result)
    }

    fn empty_column(&mut self) -> Result<()> {
        let result = self.end_column().and_then(|()| {
            self.columns += 1;
            self.no_column()
        });
        self.placed(result)
    }

    fn text(&mut self, text: &str) -> Result<()> {
        let result = self.take(text);
        self.placed(result)
    }

    fn end(&mut self) -> Result<()> {
        let result = self.end_column().and_then(|()| self.end_row());
        self.placed(result)
    }

    fn finish(&mut self) -> Result<()> {
        // TDX-52: an empty table means an empty root.
        self.subject = Subject::Own;
        self.begin_root();
        while !self.open.is_empty() {
            let result = self.close();
            self.placed(result)?;
        }
        Ok(())
    }
}
