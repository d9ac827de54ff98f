//! The description language: tokens, tree, formatter (`spec/language.md`, LANG-1 to LANG-11 and LANG-27).
//!
//! [`parse`] never fails and never panics: what it could not read is in the report, and the tree holds the rest. Its time and memory grow
//! linearly with the text, and no text makes it recurse deeper than types may nest.

mod comment;
mod format;
mod lexer;
mod mistakes;
mod outline;
mod parser;
mod token;
mod tree;

pub use format::format;
pub use outline::outline;
pub use parser::parse;
pub use tree::*;

/// LANG-10: the largest file, in bytes.
pub const MAX_FILE_SIZE: usize = 16 * 1024 * 1024;

/// LANG-10: how deep types nest.
pub const MAX_TYPE_DEPTH: usize = 32;

/// LANG-3: the longest name, in characters.
pub const MAX_NAME_LENGTH: usize = 128;
