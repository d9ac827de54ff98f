//! Example values: of every kind of type, finite, correct.

mod common;

use common::{method, model};
use creo_inspect::{Limits, Subject, decode, encode, sample};
use creo_json::print_json;
use creo_model::Type;

#[test]
fn every_type_of_the_conformance_descriptions_has_an_example() {
    let values = include_str!("../../../conformance/schemas/values.creo");
    let model = model(values);
    let limits = Limits::default();
    for id in model.type_ids() {
        let ty = Type::Named(id);
        let subject = Subject::Type(&ty);
        let value =
            sample(&model, &subject).unwrap_or_else(|| panic!("no example of {}", model.full_name(id)));
        let bytes = encode(&model, &subject, &value, &limits)
            .unwrap_or_else(|e| panic!("{}: {e}", model.full_name(id)));
        assert_eq!(decode(&model, &subject, &bytes, &limits), Ok(value), "{}", model.full_name(id));
    }
}

#[test]
fn examples_are_small_and_telling() {
    let model = model(
        "struct Data { Meta meta; double[] samples; byte[] raw; Map<String, int> tags; Q? quality; int limit = 100; DateTime at; Decimal price; }
         struct Meta { String description; } enum Q { RAW, CHECKED }
         exception Gone { String why; }
         interface I { Data find(String description, Q[] among) throws Gone; void no(); }",
    );
    let data = r#"{"meta":{"description":"description"},"samples":[1.5],"raw":"AAEC","tags":{"key":1},"quality":"RAW","limit":100,"at":"2026-01-01T00:00:00Z","price":"1.50"}"#;
    let find = method(&model, "find");
    let show = |subject: Subject<'_>| sample(&model, &subject).as_ref().map(print_json);
    assert_eq!(show(Subject::Response(find)).as_deref(), Some(data));
    assert_eq!(
        show(Subject::Request(find)).as_deref(),
        Some(r#"{"description":"description","among":["RAW"]}"#)
    );
    assert_eq!(show(Subject::Exception(find)).as_deref(), Some(r#"{"Gone":{"why":"why"}}"#));
    assert_eq!(show(Subject::Response(method(&model, "no"))).as_deref(), Some("null"));
    assert_eq!(show(Subject::Exception(method(&model, "no"))), None);
}

#[test]
fn an_example_that_would_be_huge_is_not_made() {
    let doubling: String =
        (0..40).map(|i| format!("struct S{i} {{ S{next} a; S{next} b; }}", next = i + 1)).collect();
    let model = model(&(doubling + "struct S40 { byte b; }"));
    let ty = Type::Named(model.find("service.S0").expect("S0"));
    assert_eq!(sample(&model, &Subject::Type(&ty)), None);
}
