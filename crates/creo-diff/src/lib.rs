//! What changed between two versions of a description, and whom it breaks: `creo diff OLD NEW`.
//!
//! The binary wire depends on method ids and layouts, the text wires (soap, tdxml, json) on names. A change to a type breaks the calls that
//! carry it. Sides with different method ids fail at once (`unknown-method`). An extensible type counts in ids only by its name, so an
//! incompatible change inside it goes unnoticed until a value is misread; it is marked as [`Change::unnoticed`].

// A new kind of value or type must be handled everywhere.
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

/// All changes from `old` to `new`: packages, then types, then interfaces, in the order of the old description, with additions last.
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
