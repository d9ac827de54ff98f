//! Values that the XML of a description takes (XML-33, XML-36, XML-38): strings that are read without white space around them, that are elements, or the names of attributes.

use creo_model::text::{Field, Name, Place, TextPlan, Value};
use serde_json::{Map, Value as Json};

/// What an element is called that no field declares.
const ANY: &str = "_";

/// Changes the strings of an object of fields where their form asks for it, and keeps their lengths where that can be.
pub fn record(plan: &TextPlan, fields: &[Field], object: &mut Json) {
    let Json::Object(object) = object else { return };
    for form in fields {
        if let Some(value) = object.get_mut(&form.name) {
            field(plan, form, value);
        }
    }
}

pub fn field(plan: &TextPlan, form: &Field, value: &mut Json) {
    match form.place {
        Place::Any => texts(value, &|text| element(ANY, None, text)),
        _ => change(plan, &form.value, &form.xml, value),
    }
}

/// The bytes that a string of a field has at least, or each of its items has: 0 but for elements that are kept as XML.
pub fn least(plan: &TextPlan, form: &Field) -> u64 {
    if form.place == Place::Any { element(ANY, None, "").len() as u64 } else { of_value(plan, &form.value, &form.xml) }
}

fn of_value(plan: &TextPlan, form: &Value, name: &Name) -> u64 {
    match form {
        Value::Raw => element(&name.local, name.namespace.map(|index| plan.namespaces()[index].as_str()), "").len() as u64,
        Value::Optional(inner) => of_value(plan, inner, name),
        Value::Repeated(item) | Value::Wrapped(item) => least(plan, item),
        _ => 0,
    }
}

fn change(plan: &TextPlan, form: &Value, name: &Name, value: &mut Json) {
    match (form, value) {
        (Value::Token | Value::QName | Value::List(_), value) => texts(value, &|text| text.replace(' ', "_")),
        (Value::Raw, value) => {
            let namespace = name.namespace.map(|index| plan.namespaces()[index].as_str());
            texts(value, &|text| element(&name.local, namespace, text));
        }
        (Value::Optional(inner), value) if !value.is_null() => change(plan, inner, name, value),
        (Value::Repeated(item) | Value::Wrapped(item), Json::Array(items)) => items.iter_mut().for_each(|value| field(plan, item, value)),
        (Value::Entries(_, item), Json::Object(entries)) => entries.values_mut().for_each(|value| field(plan, item, value)),
        (Value::Attributes, Json::Object(entries)) => {
            let renamed = std::mem::take(entries).into_iter().map(|(name, value)| (attribute(&name), value));
            *entries = renamed.collect::<Map<String, Json>>();
        }
        (Value::Record(id), value) => record(plan, &plan.record(*id).fields, value),
        (Value::Union(id), value) => record(plan, &plan.union(*id).members, value),
        _ => {}
    }
}

/// Changes a string, or all of an array.
fn texts(value: &mut Json, change: &dyn Fn(&str) -> String) {
    match value {
        Json::String(text) => *text = change(text),
        Json::Array(items) => items.iter_mut().for_each(|item| texts(item, change)),
        _ => {}
    }
}

/// An element as long as a text, or without content if it has to be longer.
fn element(name: &str, namespace: Option<&str>, text: &str) -> String {
    let declared =
        namespace.map_or(String::new(), |uri| format!(" xmlns=\"{}\"", uri.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")));
    let tags = 2 * name.len() + declared.len() + "<></>".len();
    let mut end = text.len().saturating_sub(tags);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // White space at an end would be kept, but is nothing that documents have there.
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
    use creo_model::{compile, text::text_plan};
    use serde_json::json;

    #[test]
    fn an_element_takes_its_tags() {
        let model = compile(&[(
            "x.creo",
            r#"@NAMESPACE("urn:x") struct S { @Xml(raw) String? page; @Xml(raw) String[] p; @Xml(any) String any; String plain; } interface I { void f(S s); }"#,
        )])
        .expect("a description");
        let plan = text_plan(&model);
        let id = model.type_ids().next().expect("a struct");
        let found: Vec<u64> = plan.record(id).fields.iter().map(|field| least(&plan, field)).collect();
        assert_eq!(found, ["<page xmlns=\"urn:x\"></page>", "<p xmlns=\"urn:x\"></p>", "<_></_>", ""].map(|text| text.len() as u64));
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
            let assumed = Assumed::new(sizes.model(), sizes.plan(), &assumptions).message(id, direction).expect("a message");
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
        let plan = text_plan(&model);
        let inner = json!({"day": " a", "words": [], "page": "", "others": [], "rest": {}, "plain": " p"});
        let mut value = json!({"s": {
            "day": " a b ", "words": ["a b", "c"], "page": "0123456789 0123456789 012345678", "others": ["abcdefgh j", "x"],
            "rest": {" 1.a": "v w"}, "plain": " p ", "within": inner,
        }});
        record(&plan, &plan.interface(0).methods[0].request.record.fields, &mut value);
        let inner = json!({"day": "_a", "words": [], "page": "<page xmlns=\"urn:x\"></page>", "others": [], "rest": {}, "plain": " p"});
        let expected = json!({"s": {
            "day": "_a_b_", "words": ["a_b", "c"], "page": "<page xmlns=\"urn:x\">0123</page>", "others": ["<_>abc</_>", "<_></_>"],
            "rest": {"_1_a": "v w"}, "plain": " p ", "within": inner,
        }});
        assert_eq!(value, expected);
    }
}
