//! A streaming parser of XML 1.0 with namespaces: a processor that does not validate, reads the internal subset of a DTD and nothing else (TDX-60), and
//! hands on text in pieces, so that no document needs more memory than its deepest path.
//!
//! It is our own since both directions need what parsers for trusted input leave out: every rule of well-formedness, entities and default attributes
//! with limits, and texts of any length.

pub mod chars;
mod dtd;
mod entities;
mod input;
mod names;
mod parser;
pub mod write;

pub use names::Namespaces;
pub use parser::{Options, parse};

use crate::error::Result;

/// An attribute or namespace declaration, its value normalised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribute {
    pub name: String,
    pub value: String,
}

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub struct Tag<'a> {
    pub name: &'a str,
    /// The namespace of the element; empty: none.
    pub namespace: &'a str,
    pub attributes: &'a [Attribute],
}

/// Who is told what a document holds, in its order.
pub trait Handler {
    fn start(&mut self, tag: &Tag<'_>) -> Result<()>;
    fn end(&mut self) -> Result<()>;
    /// A piece of text; the next piece may belong to the same text.
    fn text(&mut self, text: &str) -> Result<()>;
    fn comment(&mut self, text: &str) -> Result<()>;
    fn instruction(&mut self, target: &str, data: &str) -> Result<()>;
    fn doctype(&mut self) -> Result<()>;
}
