//! Diagnostics: codes, spans, sources, and the report that all stages add to.
//!
//! A mistake is a small type that implements [`Diagnose`]. This crate neither reads files nor prints: the caller adds texts to [`Sources`]
//! and renders the content of a [`Report`].

mod code;
mod diagnostic;
mod json;
mod quote;
mod reason;
mod report;
mod source;

pub use code::{Code, Severity};
pub use diagnostic::{Diagnose, Diagnostic, Fix, Label};
pub use json::to_json;
pub use quote::{escape_controls, quote};
pub use reason::reason;
pub use report::Report;
pub use source::{FileId, Position, SourceFile, Sources, Span};
