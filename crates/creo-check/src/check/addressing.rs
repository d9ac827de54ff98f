//! The requirements of WS-Addressing (SOAP-40).

use super::xml::span_of;
use crate::mistakes::XmlConflict;
use crate::resolve::Resolved;
use creo_diag::Report;
use creo_model::XmlWord;
use creo_plan::Plan;
use creo_syntax::DeclarationKind;

/// Interfaces with `addressing`: each of their methods has an action.
pub fn addressing(resolved: &Resolved, plan: &Plan, report: &mut Report) {
    for (index, (interface, tree)) in resolved.model.interfaces.iter().zip(&resolved.interfaces).enumerate() {
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        if !interface.notes.xml().has(XmlWord::Addressing) {
            continue;
        }
        for (method, tree) in plan.interface(index).methods.iter().zip(trees) {
            if method.action.is_empty() {
                let at = span_of(&tree.head, "Xml", "action");
                let message =
                    "a method with an empty action, which WS-Addressing has no request for".to_owned();
                let other = Some((
                    span_of(&resolved.interfaces[index].head, "Xml", "addressing"),
                    "the interface has `addressing`".to_owned(),
                ));
                let help = Some("leave out `action`, or give it a text".to_owned());
                report.add(&XmlConflict { span: at, message, other, help });
            }
        }
    }
}
