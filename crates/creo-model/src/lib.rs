//! The model of a description: names resolved, rules checked, ids computed, and the plan of its wires.
//!
//! The way of the data is one way: text -> tokens -> tree -> model -> plan -> language model -> files.
//! `resolve` turns trees into a [`Model`], `check` turns a model into a [`CheckedModel`], `plan` into operations.
//!
//! [`compile_files`] is the whole front end for callers that read files; [`compile`] is the same for texts in memory.

mod check;
mod diff;
pub mod graph;
mod ids;
mod json;
mod literal;
mod load;
mod memory;
mod mistakes;
mod model;
mod nearest;
mod notes;
mod plan;
mod resolve;
mod scope;
pub mod text;
mod xml;

pub use check::{CheckedModel, is_word};
pub use diff::{Breaks, Change, Noun, Verb, diff};
pub use ids::method_text;
pub use json::{FORMAT, to_json};
pub use literal::date_time_text;
pub use load::{Compilation, LoadError, MAX_FILES, compile, compile_files};
pub use memory::Charges;
pub use model::*;
pub use plan::*;
pub use resolve::MAX_TYPES;
pub use xml::namespace_text_problem as namespace_problem;
