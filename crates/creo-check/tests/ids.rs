//! MODEL-2 to MODEL-6, against digests that were made with `sha256sum` and with `conformance/naive/ids.py`.

use creo_check::{CheckedModel, compile};
use creo_model::method_text;

fn model(text: &str) -> CheckedModel {
    match compile(&[("test.creo", text)]) {
        Ok(model) => model,
        Err(report) => panic!("{report}"),
    }
}

fn ids(model: &CheckedModel) -> Vec<String> {
    model
        .interfaces
        .iter()
        .flat_map(|interface| &interface.methods)
        .map(|method| format!("{:016x}", method.id))
        .collect()
}

const DATA: &str = r#"
@PACKAGE("org.example.data")
struct MetaData { String description; long timestamp; }
struct Data { MetaData metadata; double[] samples; }
exception NotFound { String description; }
interface DataService { void storeData(Data[] data); Data retrieveData(String description) throws NotFound; }
"#;

/// The worked example of `spec/model.md`.
#[test]
fn the_worked_example() {
    let model = model(DATA);
    assert_eq!(ids(&model), ["81f89674658a8771", "af4d4242a1c17c8c"]);
    assert_eq!(format!("{:016x}", model.interfaces[0].fingerprint), "437ba31d1a76c06a");
    let text = method_text(&model, &model.interfaces[0], &model.interfaces[0].methods[1]);
    assert_eq!(
        text,
        "method org.example.data.DataService.retrieveData(String description)->org.example.data.Data throws org.example.data.NotFound\n\
         uses org.example.data.Data 4057f57fdd463af82fd07a7462313dda834b87f32bc51c60768ffe4f865fb19d\n\
         uses org.example.data.NotFound a26aa43810ec66d2dcf915ba49e6fffa231c54933d345c7e5d660419ca934bdb\n"
    );
}

const ALL_KINDS: &str = r#"
enum E { A, B = 7 }
extensible struct Q { String description; E? e; int limit = 100; }
union U { double circle; Q[] q; }
extensible exception X { E e; }
interface I { oneway void m(Map<String, E?[]> a, byte[] b); U n(Q q) throws X; }
"#;

#[test]
fn signatures_of_all_kinds() {
    assert_eq!(ids(&model(ALL_KINDS)), ["2a518359099b4bba", "6cf55299c604b900"]);
}

/// MODEL-6.
#[test]
fn what_changes_no_id() {
    let before = ids(&model(DATA));
    let grown = DATA
        .replace("interface DataService {", "@Deprecated interface DataService { void added(NewType x);")
        .replace("struct Data {", "struct NewType {}\n/** Doc. */ @Name(java = \"D\") struct Data {")
        .replace("long timestamp;", "long timestamp = 5;");
    let after = ids(&model(&grown));
    assert_eq!(after[1..], before[..]);
    let before = ids(&model(ALL_KINDS));
    let grown = ALL_KINDS
        .replace("int limit = 100;", "int limit = 100; E grown = B;")
        .replace("X { E e; }", "X { E e; U? u; }");
    assert_eq!(ids(&model(&grown)), before);
}

#[test]
fn what_changes_ids() {
    let before = ids(&model(ALL_KINDS));
    for (old, new, changes) in [
        ("B = 7", "B = 8", [true, false]),
        ("A, B", "B2, B", [true, false]),
        ("double circle", "float circle", [false, true]),
        ("double circle", "double disc", [false, true]),
        ("extensible struct Q", "struct Q", [false, true]),
        ("oneway void m", "void m", [true, false]),
        ("byte[] b", "byte[] c", [true, false]),
        ("U n(", "U o(", [false, true]),
        (" throws X", "", [false, true]),
        ("interface I", "interface J", [true, true]),
        ("\nenum E", "@PACKAGE(\"p\")\nenum E", [true, true]),
    ] {
        let after = ids(&model(&ALL_KINDS.replacen(old, new, 1)));
        assert_eq!([before[0] != after[0], before[1] != after[1]], changes, "{old} -> {new}");
    }
}

#[test]
fn types_that_reach_one_another_have_one_hash() {
    let text = "struct T { T[] left; U? right; } union U { T t; int end; } interface I { void m(U u, T t); }";
    let model = model(text);
    let text = method_text(&model, &model.interfaces[0], &model.interfaces[0].methods[0]);
    let expected = "method service.I.m(service.U u,service.T t)->void\n\
                    uses service.T 7f60608348a75850618fa2177fa55a7d97b4bed52920f9212094c705b008f882\n\
                    uses service.U 7f60608348a75850618fa2177fa55a7d97b4bed52920f9212094c705b008f882\n";
    assert_eq!(text, expected);
}

/// Cycles, types before and after them, and names whose order by code point differs from a dictionary's.
#[test]
#[allow(clippy::disallowed_methods)] // the cases are in a file
fn the_ids_of_a_second_implementation() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/ids.json");
    let text = std::fs::read_to_string(path).expect("the cases are there");
    let cases: serde_json::Value = serde_json::from_str(&text).expect("the cases are JSON");
    for case in cases["cases"].as_array().expect("a list") {
        let model = model(case["text"].as_str().expect("a text"));
        let expected = case["ids"].as_object().expect("ids by name");
        let mut found = Vec::new();
        for interface in &model.interfaces {
            let name = model.interface_name(interface);
            found.extend(
                interface.methods.iter().map(|method| (format!("{name}.{}", method.name), method.id)),
            );
            found.push((name, interface.fingerprint));
        }
        assert_eq!(found.len(), expected.len());
        for (name, id) in found {
            assert_eq!(
                expected.get(&name).and_then(|id| id.as_str()),
                Some(format!("{id:016x}").as_str()),
                "{name} in {}",
                case["text"]
            );
        }
    }
}
