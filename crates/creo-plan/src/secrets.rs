//! Secrets in the messages of text wires.

use crate::node::{Kind, Node, Position, StringForm};
use crate::plan::Plan;
use crate::record::Method;
use creo_model::Model;
use std::collections::BTreeSet;

/// Stands for a secret that has no name of its own in XML.
const NAMELESS: &str = "*";

/// The names that values with `@Secret` have in the messages of a method on the text wires (CALL-65), sorted; [`NAMELESS`] if one has none, or one that
/// is not ASCII. Items of streams are no messages (CALL-61).
pub fn secrets(model: &Model, plan: &Plan, method: &Method) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut types = plan.held(method.messages());
    types.extend(plan.closure(method.throws.clone()));
    for id in types {
        for (declared, field) in model.ty(id).fields().iter().zip(plan.members(id)) {
            if declared.notes.secret {
                names.insert(field.name.clone());
                names.insert(name_in_xml(&field.node));
            }
        }
    }
    let ascii = |name: String| if name.is_ascii() { name } else { NAMELESS.to_owned() };
    names.into_iter().map(ascii).collect::<BTreeSet<_>>().into_iter().collect()
}

fn name_in_xml(node: &Node) -> String {
    match node.xml.position {
        Position::Element | Position::Attribute | Position::Header if !is_raw(node) => {
            node.xml.name.local.clone()
        }
        Position::Element
        | Position::Attribute
        | Position::Header
        | Position::Text
        | Position::Inline
        | Position::Any
        | Position::AnyAttribute => NAMELESS.to_owned(),
    }
}

/// Whether the value, or an item of it, is a complete element.
fn is_raw(node: &Node) -> bool {
    node.kind == Kind::String(StringForm::Raw) || node.children().any(is_raw)
}

#[cfg(test)]
mod tests {
    use super::secrets;
    use creo_check::compile;

    #[test]
    fn names_of_secrets() {
        let model = compile(&[(
            "main.creo",
            r#"struct Card { @Secret String number; @Secret @Xml(name = "CVC") int code; String owner; }
               struct Text { @Secret @Xml(text) String value; }
               exception Denied { @Secret String why; }
               interface I {
                   Card[] cards(String owner) throws Denied;
                   void put(Map<String, Text> texts);
                   void none(String a);
                   stream Card all(Card first) throws Denied;
                   void upload(Card first, stream int more);
               }"#,
        )]);
        let model = model.unwrap_or_else(|report| panic!("{report}"));
        let plan = crate::plan(&model);
        let names: Vec<_> =
            plan.interface(0).methods.iter().map(|method| secrets(&model, &plan, method).join(" ")).collect();
        assert_eq!(names, ["CVC code number why", "* value", "", "CVC code number why", "CVC code number"]);
    }
}
