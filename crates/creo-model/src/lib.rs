//! The model of a description: names resolved, rules checked, ids computed, and the plan of its wires.
//!
//! The way of the data is one way: text -> tokens -> tree -> model -> plan -> language model -> files.
//! `resolve` turns trees into a [`Model`], `check` turns a model into a [`CheckedModel`], `plan` into operations.

mod check;
mod model;
mod plan;

pub use check::CheckedModel;
pub use model::*;
pub use plan::*;
