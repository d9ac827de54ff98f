//! A streaming parser of XML 1.0 with namespaces: a processor that does not validate, reads the internal subset of a DTD and nothing else (TDX-60), and
//! hands on text in pieces, so that no document needs more memory than its deepest path.
//!
//! It is our own since both directions need what parsers for trusted input leave out: every rule of well-formedness, entities and default attributes
//! with limits, and texts of any length.

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
