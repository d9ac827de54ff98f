//! A streaming parser of XML 1.0 with namespaces. It does not validate, reads only the internal subset of a DTD (TDX-60), and passes text
//! on in pieces, so a document needs no more memory than its deepest path.
//!
//! Parsers for trusted input lack what both directions need: every rule of well-formedness, limits on entities and default attributes, and
//! texts of any length.

pub mod chars;
mod dtd;
mod entities;
mod handler;
mod input;
mod names;
mod parser;
pub mod write;

pub use handler::{Attribute, Handler, Tag};
pub use names::Namespaces;
pub use parser::{Options, parse};
