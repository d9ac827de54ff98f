//! The model of a description: types, interfaces and methods with resolved names and ids (`spec/model.md`).
//!
//! Data flows one way: text -> tokens -> tree -> model -> plan -> language model -> files. `creo-check` builds models from texts, and
//! `creo-plan` plans from models.

// A new kind of type must be met everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

pub mod graph;
mod ids;
mod instant;
mod model;
mod xml;

pub use ids::{Texts, method_text, set_ids};
pub use instant::date_time_text;
pub use model::*;
pub use xml::{
    BYTES_TYPES, DECIMAL_TYPES, INT_TYPES, LONG_TYPES, SHORT_TYPES, STRING_TYPES, XML_NAMESPACE, Xml, XmlWord,
};
