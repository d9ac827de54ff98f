//! MODEL-2 to MODEL-6, against digests that were made with `sha256sum`.

use creo_model::{CheckedModel, compile, method_text};

fn model(text: &str) -> CheckedModel {
    match compile(&[("test.creo", text)]) {
        Ok(model) => model,
        Err(report) => panic!("{report}"),
    }
}

fn ids(model: &CheckedModel) -> Vec<String> {
    model.interfaces.iter().flat_map(|interface| &interface.methods).map(|method| format!("{:016x}", method.id)).collect()
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
    assert_eq!(ids(&model), ["979bbd6c53eb4f44", "103a6443d3659f37"]);
    assert_eq!(format!("{:016x}", model.interfaces[0].fingerprint), "7c2593e6b1904242");
    let text = method_text(&model, &model.interfaces[0], &model.interfaces[0].methods[1]);
    assert_eq!(
        text,
        "method org.example.data.DataService.retrieveData(String description)->org.example.data.Data throws org.example.data.NotFound\n\
         struct org.example.data.Data{org.example.data.MetaData metadata;double[] samples;}\n\
         struct org.example.data.MetaData{String description;long timestamp;}\n\
         exception org.example.data.NotFound{String description;}\n"
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
    assert_eq!(ids(&model(ALL_KINDS)), ["6a253b40e59c07c4", "6f93adf094b740ed"]);
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
    let grown = ALL_KINDS.replace("int limit = 100;", "int limit = 100; E grown = B;").replace("X { E e; }", "X { E e; U? u; }");
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
fn a_method_of_a_recursive_type_has_an_end() {
    let text = "struct T { T[] left; U? right; } union U { T t; int end; } interface I { void m(T t); }";
    let model = model(text);
    let text = method_text(&model, &model.interfaces[0], &model.interfaces[0].methods[0]);
    let expected =
        "method service.I.m(service.T t)->void\nstruct service.T{service.T[] left;service.U? right;}\nunion service.U{service.T t;int end;}\n";
    assert_eq!(text, expected);
}
