//! The front end: descriptions are loaded, parsed, resolved and checked (`spec/language.md`).
//!
//! `resolve` turns trees into a model, `check` turns a model into a [`CheckedModel`] with its plan.
//!
//! [`compile_files`] is the whole front end for callers that read files; [`compile`] is the same for texts in memory.

// Every match must handle a new kind of value or type.
#![deny(clippy::wildcard_enum_match_arm)]

mod check;
mod file;
mod ids;
mod limits;
mod literal;
mod load;
mod mistakes;
mod nearest;
mod notes;
mod resolve;
mod scope;
mod xml_annotations;

pub use check::{CheckedModel, Text, is_word};
pub use limits::{MAX_FILES, MAX_TYPES};
pub use load::{Compilation, compile, compile_files, compile_identified, normalise};
pub use mistakes::LoadError;
pub use notes::{TARGETS, package_problem};
pub use xml_annotations::namespace_text_problem as namespace_problem;
