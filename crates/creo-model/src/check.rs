//! The rules of `spec/language.md`, one call each. Only `check` makes a [`CheckedModel`].

use crate::model::Model;
use std::ops::Deref;

/// A model that follows every rule. Generators get nothing else, so they never meet a wrong one.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedModel(Model);

impl Deref for CheckedModel {
    type Target = Model;

    fn deref(&self) -> &Model {
        &self.0
    }
}
