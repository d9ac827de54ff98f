//! The events of a parser.

use crate::error::Result;

/// An attribute or namespace declaration with its normalized value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribute {
    pub name: String,
    pub value: String,
}

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub struct Tag<'a> {
    pub name: &'a str,
    /// The namespace of the element; empty if it has none.
    pub namespace: &'a str,
    pub attributes: &'a [Attribute],
}

/// Receives a document's content in order.
pub trait Handler {
    fn start(&mut self, tag: &Tag<'_>) -> Result<()>;
    fn end(&mut self) -> Result<()>;
    /// A piece of text. The next piece may belong to the same text.
    fn text(&mut self, text: &str) -> Result<()>;
    fn comment(&mut self, text: &str) -> Result<()>;
    fn instruction(&mut self, target: &str, data: &str) -> Result<()>;
    fn doctype(&mut self) -> Result<()>;
}
