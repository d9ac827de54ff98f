//! What changed between two versions of a description, and whom it breaks: `creo diff OLD NEW`.
//!
//! The binary wire goes by method ids and layouts, the text wires (soap, tdxml, json) by names. A change to a type breaks those calls that carry
//! the type. Sides with different method ids notice at once (`unknown-method`); behind an extensible type, which counts in ids by its name alone, a
//! wrong change goes unnoticed until a value is misread. Such a change is marked as [`Change::unnoticed`].

// A new kind of value or type must be met everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

mod change;
mod differ;
mod matching;
mod members;
mod reach;
mod texts;
mod xml;

pub use change::{Breaks, Change, Noun, Verb};

use creo_check::CheckedModel;
use creo_model::Model;
use differ::Differ;
use matching::Matching;
use reach::Reach;
use texts::Texts;

/// All changes from `old` to `new`: packages, then types, then interfaces, each in the order of the old description, what was added last.
pub fn diff(old: &CheckedModel, new: &CheckedModel) -> Vec<Change> {
    let texts = Texts::new(old, new);
    let (old, new): (&Model, &Model) = (old, new);
    let matching = Matching::new(old, new);
    let reach = Reach::new(old, new, &matching);
    let mut differ = Differ { old, new, matching, reach, texts, changes: Vec::new() };
    differ.packages();
    differ.types();
    differ.interfaces();
    differ.changes
}
