//! The rules of `spec/language.md`, one call each. Only `check` makes a [`CheckedModel`].

mod addressing;
mod defaults;
mod encoded;
mod finite;
mod headers;
mod members;
mod names;
mod types;
mod xml;
mod xml_content;

use crate::file::File;
use crate::ids::set_ids;
use crate::resolve::Resolved;
use creo_diag::{Report, SourceFile, Sources};
use creo_model::{Model, PackageId, TargetNames};
use creo_plan::Plan;
pub use names::is_word;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A model that follows every rule, with its plan. Generators get nothing else, so they never see an invalid one.
#[derive(Clone)]
pub struct CheckedModel {
    model: Model,
    plan: Plan,
    texts: Arc<[Text]>,
    /// For each interface, the texts of its description: its own file and its imports.
    texts_of: Arc<[Vec<usize>]>,
}

/// A file of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The name by which it was loaded.
    pub name: String,
    pub text: String,
}

/// Omits the source texts.
impl fmt::Debug for CheckedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckedModel")
            .field("model", &self.model)
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}

/// Ignores the source texts.
impl PartialEq for CheckedModel {
    fn eq(&self, other: &CheckedModel) -> bool {
        self.model == other.model && self.plan == other.plan
    }
}

impl CheckedModel {
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The files of an interface: its own and its imports.
    pub fn texts_of(&self, interface: usize) -> Vec<&Text> {
        let files = self.texts_of.get(interface).map(Vec::as_slice).unwrap_or_default();
        files.iter().map(|file| &self.texts[*file]).collect()
    }

    /// `interfaces`: the file of each interface.
    pub(crate) fn made_of(self, sources: &Sources, files: &[File], interfaces: &[usize]) -> CheckedModel {
        let reached = |from: &usize| {
            let mut reached = BTreeSet::from([*from]);
            let mut waiting = vec![*from];
            while let Some(file) = waiting.pop() {
                waiting.extend(files[file].imports.iter().flatten().filter(|next| reached.insert(**next)));
            }
            reached.into_iter().collect()
        };
        let texts_of = interfaces.iter().map(reached).collect();
        let text = |file: &SourceFile| Text { name: file.name().to_owned(), text: file.text().to_owned() };
        CheckedModel { texts: sources.iter().map(text).collect(), texts_of, ..self }
    }

    /// Renames a package in targets: to `place`, or to a target's own name in `targets`. Ids and everything on the wire stay the same.
    pub fn place_package(&mut self, id: PackageId, place: &str, targets: TargetNames) {
        let package = &mut self.model.packages[id.0];
        package.place = Some(place.to_owned());
        package.targets = targets;
    }
}

impl Deref for CheckedModel {
    type Target = Model;

    fn deref(&self) -> &Model {
        &self.model
    }
}

/// Checks a resolved model. Returns nothing if the report has an error, of this stage or an earlier one.
///
/// Every rule checks the whole model and reports all violations, independent of other rules; known errors (an unknown name, an unreadable
/// member) are skipped.
pub(crate) fn check(mut resolved: Resolved, report: &mut Report) -> Option<CheckedModel> {
    // Names first, since they depend on nothing else.
    names::reserved(&resolved, report); // LANG-3, LANG-4
    names::distinct(&resolved, report); // LANG-17

    // Types as written, then their contents together.
    types::not_empty(&resolved, report); // LANG-15
    types::places(&resolved, report); // LANG-12, LANG-13
    finite::finite(&resolved, report); // LANG-14

    // Numbers and defaults are set here as well as checked. A default may name a constant of any enum; its index in the list is stored.
    members::number_constants(&mut resolved, report); // LANG-20
    defaults::set_defaults(&mut resolved, report); // LANG-21
    defaults::growing_types(&resolved, report); // LANG-23

    members::methods(&resolved, report); // LANG-22
    members::streams(&resolved, report); // LANG-30
    xml::facts(&resolved, report); // XML-30 to XML-39

    // Ids require a description without errors; the layouts are final at this point.
    if report.has_errors() {
        return None;
    }
    headers::headers(&resolved, report); // SOAP-26, SOAP-100
    xml_content::readable(&resolved, report); // XML-20, XML-35: first sets are known once all annotations fit.
    set_ids(&mut resolved, report); // MODEL-4, MODEL-5, MODEL-20
    (!report.has_errors()).then(|| CheckedModel {
        plan: creo_plan::plan(&resolved.model),
        model: resolved.model,
        texts: Arc::default(),
        texts_of: Arc::default(),
    })
}
