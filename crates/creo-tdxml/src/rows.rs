//! The rows of a table, read from pieces of its text (section 2).

use crate::error::{Failure, Result, malformed, shown};
use crate::escape;
use crate::limits::MAX_DEPTH;
use crate::tokens::number;
use memchr::memchr3;

/// The number of a row's characters that an error shows (TDX-15).
const SHOWN: usize = 100;

/// The maximum bytes of an index.
const MAX_INDEX: usize = MAX_DEPTH * 24;

/// An element of an index: its number and occurrence.
pub type Component = (u32, Option<u32>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    pub components: Vec<Component>,
    pub attribute: Option<u32>,
}

/// Receives the text of a table.
pub trait Consumer {
    fn feed(&mut self, text: &str) -> Result<()>;
    fn finish(&mut self) -> Result<()>;
}

/// Receives rows. A column begins, gets its text in pieces, and ends with the next column or the row.
pub trait Sink {
    fn begin(&mut self, index: &Index) -> Result<()>;
    /// `~` instead of columns.
    fn nothing(&mut self) -> Result<()>;
    fn column(&mut self) -> Result<()>;
    /// A column that is `~`.
    fn empty_column(&mut self) -> Result<()>;
    fn text(&mut self, text: &str) -> Result<()>;
    fn end(&mut self) -> Result<()>;
    fn finish(&mut self) -> Result<()>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Begin,
    Index,
    /// After the index.
    Behind,
    /// After `~`: whether it replaces all columns.
    Nothing(bool),
    ColumnStart,
    Column,
    Escape,
    /// After a carriage return.
    Return,
}

/// Cuts text into rows.
pub struct Lexer<S> {
    pub sink: S,
    state: State,
    number: u64,
    /// Only white space has followed the table's start tag.
    on_first_line: bool,
    /// The row as read so far, for errors.
    row: String,
    index_text: String,
    index: Index,
}

impl<S: Sink> Lexer<S> {
    pub fn new(sink: S) -> Lexer<S> {
        Lexer {
            sink,
            state: State::Begin,
            number: 1,
            on_first_line: true,
            row: String::new(),
            index_text: String::new(),
            index: Index::default(),
        }
    }

    /// Reads one row with a known number.
    pub fn row(&mut self, number: u64, text: &str) -> Result<()> {
        self.number = number;
        self.feed(text)?;
        self.feed("\n")
    }

    fn note(&mut self, text: &str) {
        if self.row.len() < SHOWN * 4 + 4 {
            self.row.extend(text.chars().take(SHOWN + 1));
        }
    }

    /// Takes a part of `rest` and returns its length.
    fn step(&mut self, rest: &str) -> Result<usize> {
        let first = rest.as_bytes()[0];
        match self.state {
            State::Begin => match first {
                b' ' | b'\t' | b'\r' => {}
                // White space up to the first line feed is not a row (TDX-15).
                b'\n' => self.number += u64::from(!std::mem::take(&mut self.on_first_line)),
                b'[' => {
                    self.on_first_line = false;
                    self.row.clear();
                    self.index_text.clear();
                    self.state = State::Index;
                    return Ok(0);
                }
                _ => {
                    self.on_first_line = false;
                    self.row.clear();
                    return malformed("a row does not begin with an index");
                }
            },
            State::Index => {
                let count =
                    rest.bytes().take_while(|b| matches!(b, b'[' | b']' | b'(' | b')' | b'0'..=b'9')).count();
                self.index_text.push_str(&rest[..count]);
                if self.index_text.len() > MAX_INDEX {
                    return malformed("an index is too long");
                }
                if count < rest.len() {
                    self.begin()?;
                }
                return Ok(count);
            }
            State::Behind => match first {
                b'|' => self.state = State::ColumnStart,
                b'~' => self.state = State::Nothing(true),
                b'\n' | b'\r' => self.row_end(first)?,
                _ => return malformed("an index is followed by neither `|` nor `~` nor the end of the row"),
            },
            State::Nothing(row) => match first {
                b'\n' | b'\r' => {
                    self.nothing(row)?;
                    self.row_end(first)?;
                }
                b'|' if !row => {
                    self.nothing(row)?;
                    self.state = State::ColumnStart;
                }
                _ => {
                    return malformed(
                        "something stands behind `~`: as first character of a value it is written `\\~`",
                    );
                }
            },
            State::ColumnStart => {
                if first == b'~' {
                    self.state = State::Nothing(false);
                } else {
                    self.sink.column()?;
                    self.state = State::Column;
                    return Ok(0);
                }
            }
            State::Column => {
                let stops = memchr3(b'\\', b'|', b'\n', rest.as_bytes()).unwrap_or(rest.len());
                let count = memchr::memchr(b'\r', &rest.as_bytes()[..stops]).unwrap_or(stops);
                if count > 0 {
                    self.sink.text(&rest[..count])?;
                    return Ok(count);
                }
                match first {
                    b'\\' => self.state = State::Escape,
                    b'|' => self.state = State::ColumnStart,
                    _ => self.row_end(first)?,
                }
            }
            State::Escape => {
                let c = rest.chars().next().unwrap_or_default();
                let Some(meaning) = escape::meaning(c) else {
                    return malformed("a value has an escape that is none: a backslash is written `\\\\`");
                };
                self.sink.text(meaning.encode_utf8(&mut [0; 4]))?;
                self.state = State::Column;
                return Ok(c.len_utf8());
            }
            State::Return => {
                if first != b'\n' {
                    return malformed("a carriage return stands in a row: it is written `\\r`");
                }
                self.row_end(first)?;
            }
        }
        Ok(1)
    }

    fn begin(&mut self) -> Result<()> {
        parse_index(&self.index_text, &mut self.index)?;
        self.state = State::Behind;
        self.sink.begin(&self.index)
    }

    fn nothing(&mut self, row: bool) -> Result<()> {
        if row { self.sink.nothing() } else { self.sink.empty_column() }
    }

    fn row_end(&mut self, with: u8) -> Result<()> {
        if with == b'\r' {
            self.state = State::Return;
            return Ok(());
        }
        self.sink.end()?;
        self.state = State::Begin;
        self.number += 1;
        Ok(())
    }

    fn placed(&self, failure: Failure) -> Failure {
        failure.with(|mistake| {
            if !mistake.of_no_row {
                mistake.row.get_or_insert((self.number, cut(&self.row)));
            }
        })
    }
}

/// The beginning of a row.
pub fn cut(row: &str) -> String {
    shown(row.trim_end_matches(['\n', '\r']))
}

impl<S: Sink> Consumer for Lexer<S> {
    fn feed(&mut self, text: &str) -> Result<()> {
        let mut rest = text;
        while !rest.is_empty() {
            match self.step(rest) {
                Ok(count) => {
                    if self.state != State::Begin {
                        self.note(&rest[..count]);
                    }
                    rest = &rest[count..];
                }
                Err(failure) => {
                    self.note(rest.split('\n').next().unwrap_or_default());
                    return Err(self.placed(failure));
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        let result = match self.state {
            State::Begin => Ok(()),
            State::Index => self.begin().and_then(|()| self.sink.end()),
            State::Behind | State::Column => self.sink.end(),
            State::Nothing(row) => self.nothing(row).and_then(|()| self.sink.end()),
            State::ColumnStart => self.sink.column().and_then(|()| self.sink.end()),
            State::Escape => malformed("a value ends with a backslash"),
            State::Return => malformed("a carriage return stands in a row: it is written `\\r`"),
        };
        result.map_err(|failure| self.placed(failure))?;
        self.sink.finish()
    }
}

/// Reads an index (TDX-10).
pub fn parse_index(text: &str, index: &mut Index) -> Result<()> {
    index.components.clear();
    index.attribute = None;
    let wrong = || malformed(format!("`{}` is no index", shown(text)));
    let mut rest = text;
    while let Some(behind) = rest.strip_prefix('[') {
        let Some((element, behind)) = behind.split_once(']') else { return wrong() };
        let Some(element) = number(element) else { return wrong() };
        let end = behind.find(['[', '(', ')', ']']).unwrap_or(behind.len());
        let occurrence = if end == 0 { None } else { number(&behind[..end]) };
        if end > 0 && occurrence.is_none() {
            return wrong();
        }
        index.components.push((element, occurrence));
        rest = &behind[end..];
    }
    if let Some(attribute) = rest.strip_prefix('(') {
        index.attribute = attribute.strip_suffix(')').and_then(number);
        rest = if index.attribute.is_some() { "" } else { rest };
    }
    if !rest.is_empty() || index.components.is_empty() {
        return wrong();
    }
    if index.components.len() > MAX_DEPTH {
        return crate::error::too_large(format!("elements nest deeper than {MAX_DEPTH}"));
    }
    Ok(())
}
