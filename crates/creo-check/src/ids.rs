//! MODEL-4: no two methods of a description have the same id.

use crate::mistakes::DuplicateId;
use crate::resolve::Resolved;
use creo_diag::{Report, Span};
use creo_syntax::DeclarationKind;
use std::collections::BTreeMap;

/// MODEL-4, MODEL-5, MODEL-20: completes a model without errors.
pub fn set_ids(resolved: &mut Resolved, report: &mut Report) {
    creo_model::set_ids(&mut resolved.model);
    let mut seen: BTreeMap<u64, Span> = BTreeMap::new();
    for (interface, tree) in resolved.model.interfaces.iter().zip(&resolved.interfaces) {
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        for (method, tree) in interface.methods.iter().zip(trees) {
            if let Some(first) = seen.insert(method.id, tree.name.span) {
                report.add(&DuplicateId { span: tree.name.span, first, name: method.name.clone() });
            }
        }
    }
}
