//! Values that suit a description's XML (XML-33, XML-36, XML-38): trimmed strings, strings that are elements, or names of attributes.

use creo_plan::{ArrayLayout, Field, Kind, Name, Node, Plan, Position, StringForm};
use serde_json::{Map, Value as Json};

/// The name of an element that no field declares.
const ANY: &str = "_";

/// Adapts the strings of an object's fields to their forms, keeping lengths where possible.
pub fn record(plan: &Plan, fields: &[Field], object: &mut Json) {
    let Json::Object(object) = object else { return };
    for field in fields {
        if let Some(value) = object.get_mut(&field.name) {
            change(plan, &field.node, value);
        }
    }
}

/// Adapts the strings of a value.
pub fn change(plan: &Plan, node: &Node, value: &mut Json) {
    if node.xml.position == Position::Any {
        return texts(value, &|text| element(ANY, None, text));
    }
    match &node.kind {
        Kind::String(StringForm::Token | StringForm::QName)
        | Kind::Array { layout: ArrayLayout::List, .. } => texts(value, &|text| text.replace(' ', "_")),
        Kind::String(StringForm::Raw) => {
            texts(value, &|text| element(&node.xml.name.local, namespace(plan, &node.xml.name), text))
        }
        Kind::Optional(inner) => change(plan, inner, value),
        Kind::Array { layout: ArrayLayout::Repeated | ArrayLayout::Wrapped, item, .. } => {
            value.as_array_mut().into_iter().flatten().for_each(|value| change(plan, item, value));
        }
        Kind::Map { attributes: true, .. } => {
            if let Json::Object(entries) = value {
                let renamed =
                    std::mem::take(entries).into_iter().map(|(name, value)| (attribute(&name), value));
                *entries = renamed.collect::<Map<String, Json>>();
            }
        }
        Kind::Map { attributes: false, value: item, .. } => {
            if let Json::Object(entries) = value {
                entries.values_mut().for_each(|value| change(plan, item, value));
            }
        }
        Kind::Record(id) | Kind::Union(id) => record(plan, plan.members(*id), value),
        Kind::String(StringForm::Plain)
        | Kind::Scalar(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Enum(_) => {}
    }
}

/// The min bytes of a string, or of each string in an optional or array: 0 except for elements kept as XML.
pub fn min_text(plan: &Plan, node: &Node) -> u64 {
    if node.xml.position == Position::Any {
        return element(ANY, None, "").len() as u64;
    }
    match &node.kind {
        Kind::String(StringForm::Raw) => {
            element(&node.xml.name.local, namespace(plan, &node.xml.name), "").len() as u64
        }
        Kind::Optional(inner) => min_text(plan, inner),
        Kind::Array { layout: ArrayLayout::Repeated | ArrayLayout::Wrapped, item, .. } => {
            min_text(plan, item)
        }
        Kind::String(StringForm::Plain | StringForm::Token | StringForm::QName)
        | Kind::Array { layout: ArrayLayout::List, .. }
        | Kind::Scalar(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Map { .. }
        | Kind::Record(_)
        | Kind::Union(_)
        | Kind::Enum(_) => 0,
    }
}

fn namespace<'p>(plan: &'p Plan, name: &Name) -> Option<&'p str> {
    name.namespace.map(|index| plan.namespaces()[index].as_str())
}

/// Changes a string, or all strings of an array.
fn texts(value: &mut Json, change: &dyn Fn(&str) -> String) {
    match value {
        Json::String(text) => *text = change(text),
        Json::Array(items) => items.iter_mut().for_each(|item| texts(item, change)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => {}
    }
}

/// An element as long as a text, or an empty one if that is longer.
fn element(name: &str, namespace: Option<&str>, text: &str) -> String {
    let declared = namespace.map_or(String::new(), |uri| {
        format!(" xmlns=\"{}\"", uri.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;"))
    });
    let tags = 2 * name.len() + declared.len() + "<></>".len();
    let mut end = text.len().saturating_sub(tags);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // White space at an end would be kept, but documents have none there.
    format!("<{name}{declared}>{}</{name}>", text[..end].replace(' ', "_"))
}

fn attribute(name: &str) -> String {
    let mut name = name.replace([' ', '.'], "_");
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.replace_range(..name.chars().next().map_or(0, char::len_utf8), "_");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::prepare;
    use crate::{Assumed, Assumptions, Direction, Part, Sizes, Wire};
    use creo_check::compile;
    use serde_json::json;

    #[test]
    fn an_element_takes_its_tags() {
        let model = compile(&[(
            "x.creo",
            r#"@NAMESPACE("urn:x") struct S { @Xml(raw) String? page; @Xml(raw) String[] p; @Xml(any) String any; String plain; } interface I { void f(S s); }"#,
        )])
        .expect("a description");
        let plan = model.plan();
        let id = model.type_ids().next().expect("a struct");
        let found: Vec<u64> =
            plan.record(id).fields.iter().map(|field| min_text(plan, &field.node)).collect();
        assert_eq!(
            found,
            ["<page xmlns=\"urn:x\"></page>", "<p xmlns=\"urn:x\"></p>", "<_></_>", ""]
                .map(|text| text.len() as u64)
        );
    }

    /// In parameters, fields and items (COST-4).
    #[test]
    fn a_length_is_assumed_that_an_element_can_have() {
        let model = compile(&[(
            "x.creo",
            r#"@NAMESPACE("urn:a-name-of-some-length") struct S { @Xml(raw) String? page; @Xml(raw) String[] pages; String plain; }
            interface I { S f(@Xml(raw) String page, S[] s); }"#,
        )])
        .expect("a description");
        let sizes = Sizes::new(&model);
        let id = sizes.methods().next().expect("a method");
        let assumptions = Assumptions::default();
        for direction in [Direction::Request, Direction::Response] {
            let assumed = Assumed::new(sizes.model(), sizes.plan(), &assumptions)
                .message(id, direction)
                .expect("a message");
            let made = prepare(&sizes, id, direction, &assumptions, 1, 0.0).expect("a message");
            let size = |part: &Part| sizes.body(Wire::Binary, id, direction, part).expect("a size");
            assert_eq!(size(&assumed), size(&made.part), "{direction:?}: {}", made.value);
        }
    }

    #[test]
    fn strings_are_what_their_form_takes() {
        let model = compile(&[(
            "x.creo",
            r#"@NAMESPACE("urn:x")
            struct S {
                @Xml(type = "date") String day;
                @Xml(list, attribute) String[] words;
                @Xml(raw) String page;
                @Xml(any) String[] others;
                @Xml(anyAttribute) Map<String, String> rest;
                String plain;
                S? within;
            }
            interface I { void f(S s); }"#,
        )])
        .expect("a description");
        let plan = model.plan();
        let inner = json!({"day": " a", "words": [], "page": "", "others": [], "rest": {}, "plain": " p"});
        let mut value = json!({"s": {
            "day": " a b ", "words": ["a b", "c"], "page": "0123456789 0123456789 012345678", "others": ["abcdefgh j", "x"],
            "rest": {" 1.a": "v w"}, "plain": " p ", "within": inner,
        }});
        record(plan, &plan.interface(0).methods[0].request.record.fields, &mut value);
        let inner = json!({"day": "_a", "words": [], "page": "<page xmlns=\"urn:x\"></page>", "others": [], "rest": {}, "plain": " p"});
        let expected = json!({"s": {
            "day": "_a_b_", "words": ["a_b", "c"], "page": "<page xmlns=\"urn:x\">0123</page>", "others": ["<_>abc</_>", "<_></_>"],
            "rest": {"_1_a": "v w"}, "plain": " p ", "within": inner,
        }});
        assert_eq!(value, expected);
    }
}
