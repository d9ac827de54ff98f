//! Values and messages as annotated bytes, computed from the model alone.
//!
//! A second, deliberately simple implementation of `spec/wires/binary.md`, `spec/values.md` and `spec/transports/tcp.md`: it walks the model for every
//! value, shares nothing with generated code or with the plan, and prefers one obvious line to a fast one. `creo inspect` shows what it finds,
//! and conformance vectors are checked with it.

mod annotate;
mod decimal;
mod decode;
mod encode;
mod envelope;
mod frames;
mod least;
mod memory;
mod message;
mod part;
mod reader;
mod render;
mod sample;
mod spell;
mod time;
mod values;

pub use annotate::{Item, Section, What};
pub use decode::{annotate, decode};
pub use encode::{ERROR_CODES, encode};
pub use envelope::{Envelope, PREAMBLE, frame};
pub use message::{Conversation, Message, read_stream};
pub use render::{Style, items_json, render};
pub use sample::sample;
pub use spell::spell;

use creo_model::{Method, Type};
use std::fmt;

/// What some bytes are to be: a value of a type, or the body of a message (BIN-14).
#[derive(Clone, Copy, Debug)]
pub enum Subject<'m> {
    /// A value of a type; its place is `$`.
    Type(&'m Type),
    /// The parameters; as JSON an object of their names.
    Request(&'m Method),
    /// The result; as JSON the value, `null` for `void`.
    Response(&'m Method),
    /// One of the exceptions; as JSON an object with one member, named by the exception: `{"NotFound": {...}}`. Where a method throws two exceptions of
    /// the same simple name, the full names.
    Exception(&'m Method),
}

/// The limits that an encoder and a decoder of single messages know (`spec/limits.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// LIM-1
    pub max_message_size: usize,
    /// LIM-4
    pub max_depth: usize,
    /// LIM-5
    pub max_empty_items: usize,
    /// LIM-6
    pub max_metadata_size: usize,
    /// LIM-18; four times `max_message_size` unless it is given.
    pub max_memory: Option<u64>,
}

impl Limits {
    /// LIM-18
    pub fn memory(&self) -> u64 {
        self.max_memory.unwrap_or(4 * self.max_message_size as u64)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_message_size: 134_217_728,
            max_depth: 100,
            max_empty_items: 65_536,
            max_metadata_size: 16_384,
            max_memory: None,
        }
    }
}

/// The codes of `spec/errors.md` that reading and writing meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    Malformed,
    InvalidValue,
    TooLarge,
    UnknownMethod,
    ProtocolMismatch,
}

impl Code {
    /// The word of the closed list (ERR-1).
    pub fn word(self) -> &'static str {
        match self {
            Code::Malformed => "malformed",
            Code::InvalidValue => "invalid-value",
            Code::TooLarge => "too-large",
            Code::UnknownMethod => "unknown-method",
            Code::ProtocolMismatch => "protocol-mismatch",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A value that cannot be written: `invalid-value`, or `too-large`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    pub code: Code,
    /// Where in the value: `$.data[3].timestamp`.
    pub place: String,
    pub message: String,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (at {})", self.code, self.message, self.place)
    }
}

impl std::error::Error for ValueError {}

/// Bytes that cannot be read. Its text is that of ERR-7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireError {
    pub code: Code,
    /// The value that was being read (BIN-15).
    pub place: String,
    /// The first byte, counted in the body, of what could not be read.
    pub offset: usize,
    pub message: String,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (at {}, byte {})", self.code, self.message, self.place, self.offset)
    }
}

impl std::error::Error for WireError {}

/// How deep values may nest before this crate, which recurses, gives up with `too-large`. A recursive type meets LIM-4 long before; this binds
/// descriptions that nest thousands of different types.
const MAX_NESTING: usize = 4_000;

/// A step from a value to a part of it.
#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    /// A field, a parameter, or a member of a union.
    Field(&'a str),
    Item(usize),
    Entry(usize),
    Key,
    Value,
}

/// The way from the root to the value at hand; written out only when somebody asks.
#[derive(Debug)]
struct Place<'a> {
    root: &'static str,
    steps: Vec<Step<'a>>,
}

impl<'a> Place<'a> {
    fn new(subject: &Subject<'_>) -> Place<'a> {
        let root = match subject {
            Subject::Type(_) | Subject::Request(_) => "$",
            Subject::Response(_) => "$result",
            Subject::Exception(_) => "$exception",
        };
        Place { root, steps: Vec::new() }
    }

    fn write(&self) -> String {
        let mut text = self.root.to_owned();
        self.steps.iter().for_each(|step| step.write(&mut text));
        text
    }

    /// What stands before a value in a listing: the last step, or the root.
    fn label(&self) -> String {
        let mut text = String::new();
        match self.steps.last() {
            Some(step) => step.write(&mut text),
            None => text.push_str(self.root),
        }
        text.strip_prefix('.').map(str::to_owned).unwrap_or(text)
    }
}

impl Step<'_> {
    fn write(&self, text: &mut String) {
        match self {
            Step::Field(name) => {
                text.push('.');
                text.push_str(name);
            }
            Step::Item(index) => text.push_str(&format!("[{index}]")),
            Step::Entry(index) => text.push_str(&format!("{{{index}}}")),
            Step::Key => text.push_str(".key"),
            Step::Value => text.push_str(".value"),
        }
    }
}
