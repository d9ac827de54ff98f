//! The description language: tokens, tree, formatter (`spec/language.md`, LANG-1 to LANG-11 and LANG-27).
//!
//! [`parse`] never fails and never panics: mistakes are in the report, and the tree holds the rest. Time and memory are linear in the text,
//! and recursion is no deeper than types may nest.

mod comment;
mod format;
mod lexer;
mod limits;
mod mistakes;
mod outline;
mod parser;
mod token;
mod tree;

pub use format::format;
pub use limits::{MAX_FILE_SIZE, MAX_NAME_LENGTH, MAX_TYPE_DEPTH};
pub use outline::outline;
pub use parser::parse;
pub use tree::*;
