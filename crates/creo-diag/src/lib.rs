//! Diagnostics: codes, spans, sources, and the report in which every stage collects what it found.
//!
//! A mistake is a small type that knows how to [`Diagnose`] itself. This crate neither reads files nor prints: a caller hands
//! texts to [`Sources`] and renders what a [`Report`] holds.

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
