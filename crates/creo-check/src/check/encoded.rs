//! The requirements of SOAP encoding (SOAP-30).

use super::xml::span_of;
use crate::mistakes::XmlConflict;
use crate::resolve::Resolved;
use creo_diag::{Report, Span};
use creo_model::XmlWord;
use creo_plan::{ArrayLayout, Declared, Kind, Node, Plan, Position};
use creo_syntax::DeclarationKind;

/// Interfaces that are `encoded`: their methods must not be `bare`, and no element that they reach may have a namespace.
pub fn encoded(resolved: &Resolved, plan: &Plan, report: &mut Report) {
    let model = &resolved.model;
    for (index, (interface, tree)) in model.interfaces.iter().zip(&resolved.interfaces).enumerate() {
        let xml = interface.notes.xml();
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        if !xml.has(XmlWord::Encoded) {
            continue;
        }
        let at = span_of(&tree.head, "Xml", "encoded");
        let mut conflict = |span: Span, message: String, help: &str| {
            let other = Some((at, "the interface is encoded".to_owned()));
            report.add(&XmlConflict { span, message, other, help: Some(help.to_owned()) });
        };
        if xml.has(XmlWord::Soap12) {
            let message = "encoded messages are SOAP 1.1".to_owned();
            conflict(span_of(&tree.head, "Xml", "soap12"), message, "leave one out");
        }
        for (method, tree) in interface.methods.iter().zip(trees) {
            if method.notes.xml().has(XmlWord::Bare) {
                let message =
                    "the parameters of an encoded method are elements within one of the method".to_owned();
                conflict(span_of(&tree.head, "Xml", "bare"), message, "leave out `bare`");
            }
        }
        // The text wires do not carry streams.
        let methods = plan.interface(index).methods.iter().zip(trees);
        for (method, tree) in methods.filter(|(method, _)| !method.has_streams()) {
            let parameters = method.request.record.fields.iter().zip(&tree.parameters);
            let mut parts: Vec<(&Node, Span)> = parameters
                .filter(|(field, _)| field.node.xml.position != Position::Header)
                .map(|(field, tree)| (&field.node, tree.name.span))
                .collect();
            if method.response.as_ref().is_some_and(|response| !response.bare) {
                parts.extend(method.result().map(|node| (node, tree.name.span)));
            }
            for (node, span) in parts {
                if node.xml.position != Position::Element || is_repeated_array(node) {
                    let message = "a parameter or result of an encoded method is one element".to_owned();
                    conflict(span, message, "make an array optional: `String[]?`");
                } else if has_namespace(node) {
                    let message = "the elements of encoded messages have no namespace".to_owned();
                    conflict(span, message, "leave out `namespace`");
                }
            }
        }
        for id in plan.reached(index) {
            // The members of a derived union have no elements of their own.
            let derived = matches!(plan.declared(id), Declared::Union(union) if union.derived);
            if !derived && plan.members(id).iter().any(|field| has_namespace(&field.node)) {
                let message = format!(
                    "the elements of `{}` have a namespace, and those of encoded messages have none",
                    model.ty(id).name
                );
                conflict(resolved.types[id.0].name.span, message, "make the type `@Xml(unqualified)`");
            }
        }
    }
}

/// Whether the value is an element in a namespace.
fn has_namespace(node: &Node) -> bool {
    node.xml.position == Position::Element && node.xml.name.namespace.is_some()
}

fn is_repeated_array(node: &Node) -> bool {
    matches!(node.kind, Kind::Array { layout: ArrayLayout::Repeated, .. })
}
