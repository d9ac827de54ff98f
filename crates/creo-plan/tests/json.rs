//! MODEL-30: the model as JSON.

use creo_check::compile;
use creo_plan::to_json;

#[track_caller]
fn json(files: &[(&str, &str)]) -> serde_json::Value {
    match compile(files) {
        Ok(model) => to_json(&model, model.plan()),
        Err(report) => panic!("{report}"),
    }
}

/// What [`plans`] is about.
fn remove_plans(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(members) => {
            members.shift_remove("plan");
            members.values_mut().for_each(remove_plans);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(remove_plans),
        _ => {}
    }
}

#[test]
fn a_model_is_written_whole() {
    let mut found = json(&[
        (
            "dir/data.creo",
            r#"@PACKAGE("org.example.data", python = "example_data")
            @X(a = 1, "text", 1.5, true, word, {})
            import "more/x.creo";
            /** Doc. */ @Deprecated @Name(java = "D", c = "d") struct Data { q.Other o; double[] samples = {}; @Deprecated("text") Map<String, byte[]>? m; }
            extensible enum Quality { RAW, GOOD = 7 }
            union Shape { double circle; Shape[] shapes; }
            exception NotFound { }
            interface DataService { @Idempotent oneway void touch(String a); Data retrieve(/** P. */ int b) throws NotFound; }"#,
        ),
        ("dir/more/x.creo", "@PACKAGE(\"q\") @NAMESPACE(\"urn:q\") struct Other {}"),
    ]);
    remove_plans(&mut found);
    let ids: Vec<&serde_json::Value> =
        found["interfaces"][0]["methods"].as_array().expect("a list").iter().map(|m| &m["id"]).collect();
    let expected = serde_json::json!({
        "creo": env!("CARGO_PKG_VERSION"),
        "format": 1,
        "source": ["data.creo", "x.creo"],
        "namespaces": ["urn:creo:org.example.data", "urn:q"],
        "packages": [
            { "name": "org.example.data", "targets": { "python": "example_data" }, "namespace": "urn:creo:org.example.data",
              "annotations": [{ "name": "X", "arguments": [
                  { "name": "a", "value": 1 }, { "value": "text" }, { "value": 1.5 }, { "value": true }, { "value": { "word": "word" } }, { "value": {} } ] }] },
            { "name": "q", "namespace": "urn:q" },
        ],
        "types": [
            { "name": "Data", "package": "org.example.data", "kind": "struct", "extensible": false, "recursive": false,
              "signature": "struct org.example.data.Data{q.Other o;double[] samples;Map<String,byte[]>? m;}",
              "hash": "cc15e2ec549aaaf12d54fe568b3ac4bede776adfa65825b45ac9240d67ea95c5", "minSize": 2,
              "doc": "Doc.", "deprecated": true, "targets": { "c": "d", "java": "D" },
              "fields": [
                  { "name": "o", "type": { "kind": "named", "name": "q.Other" } },
                  { "name": "samples", "type": { "kind": "array", "item": { "kind": "primitive", "name": "double" } }, "default": { "kind": "empty" } },
                  { "name": "m", "type": { "kind": "optional", "item": { "kind": "map", "key": { "kind": "primitive", "name": "String" }, "value": { "kind": "bytes" } } },
                    "deprecated": "text" } ] },
            { "name": "Quality", "package": "org.example.data", "kind": "enum", "extensible": true, "recursive": false,
              "signature": "extensible enum org.example.data.Quality",
              "hash": "045ea6eee89b998b0624ed654e6738941098c0985eb9171afe74551c84be08d0", "minSize": 1,
              "constants": [{ "name": "RAW", "number": 0 }, { "name": "GOOD", "number": 7 }] },
            { "name": "Shape", "package": "org.example.data", "kind": "union", "extensible": false, "recursive": true,
              "signature": "union org.example.data.Shape{double circle;org.example.data.Shape[] shapes;}",
              "hash": "45410c3749ad620e8c15945a76692e98e0ef3c60949c315c9916e40e6bbc3448", "minSize": 2,
              "members": [
                  { "name": "circle", "type": { "kind": "primitive", "name": "double" } },
                  { "name": "shapes", "type": { "kind": "array", "item": { "kind": "named", "name": "org.example.data.Shape" } } } ] },
            { "name": "NotFound", "package": "org.example.data", "kind": "exception", "extensible": false, "recursive": false,
              "signature": "exception org.example.data.NotFound{}",
              "hash": "091700083ce58a9b10886047682809c8e4f4ebd943c2cc5d0ddb4565e4266ef3", "minSize": 0,
              "fields": [] },
            { "name": "Other", "package": "q", "kind": "struct", "extensible": false, "recursive": false,
              "signature": "struct q.Other{}",
              "hash": "cf5015cba313b647767a1126825cb055501a70f6ffacbe88e8735a0264395c5e", "minSize": 0,
              "fields": [] },
        ],
        "interfaces": [
            { "name": "DataService", "package": "org.example.data", "fingerprint": found["interfaces"][0]["fingerprint"],
              "methods": [
                  { "name": "touch", "id": ids[0], "signature": "method org.example.data.DataService.touch(String a)->void oneway", "oneway": true, "idempotent": true, "parameters": [{ "name": "a", "type": { "kind": "primitive", "name": "String" } }],
                    "result": null, "throws": [] },
                  { "name": "retrieve", "id": ids[1],
                    "signature": "method org.example.data.DataService.retrieve(int b)->org.example.data.Data throws org.example.data.NotFound", "oneway": false,
                    "parameters": [{ "name": "b", "type": { "kind": "primitive", "name": "int" }, "doc": "P." }],
                    "result": { "kind": "named", "name": "org.example.data.Data" }, "throws": ["org.example.data.NotFound"] } ] },
        ],
    });
    // The text, not the value: the order of members is promised too.
    assert_eq!(found.to_string(), expected.to_string());
    assert!(ids.iter().all(|id| id.as_str().is_some_and(|id| id.len() == 16)));
}

#[test]
fn defaults() {
    let found = json(&[(
        "a.creo",
        r#"enum E { A, B }
        struct S {
            boolean a = true; byte b = -0x1; long c = 9223372036854775807; float d = 0.1; double e = 0.1; double f = -1e300; float g = NaN; double h = -Infinity;
            String i = "\u0000\"é"; char j = 'é'; char k = '\uD83D'; E l = B; DateTime m = "2026-11-21T10:31:56.2500+01:00"; Decimal n = -1.50; Decimal o = 1e3;
            byte[] p = {}; double q = 3; float r = 16777217;
        }"#,
    )]);
    let fields = found["types"][1]["fields"].as_array().expect("a list");
    let defaults: Vec<String> = fields.iter().map(|field| field["default"].to_string()).collect();
    let expected = [
        r#"{"kind":"boolean","value":true}"#,
        r#"{"kind":"integer","value":"-1"}"#,
        r#"{"kind":"integer","value":"9223372036854775807"}"#,
        r#"{"kind":"number","value":"0.1"}"#,
        r#"{"kind":"number","value":"0.1"}"#,
        r#"{"kind":"number","value":"-1e300"}"#,
        r#"{"kind":"number","value":"NaN"}"#,
        r#"{"kind":"number","value":"-Infinity"}"#,
        r#"{"kind":"string","value":"\u0000\"é"}"#,
        r#"{"kind":"char","value":"é"}"#,
        r#"{"kind":"char","value":55357}"#,
        r#"{"kind":"constant","value":"B"}"#,
        r#"{"kind":"datetime","value":"2026-11-21T09:31:56.250Z"}"#,
        r#"{"kind":"decimal","value":"-1.50"}"#,
        r#"{"kind":"decimal","value":"1000"}"#,
        r#"{"kind":"empty"}"#,
        r#"{"kind":"number","value":"3.0"}"#,
        r#"{"kind":"number","value":"16777216.0"}"#,
    ];
    assert_eq!(defaults, expected);
}

/// MODEL-32
#[test]
fn plans() {
    let found = json(&[(
        "a.creo",
        r#"@NAMESPACE("urn:a")
        enum E { @Xml(name = "a b") A }
        struct S { int a; E b; @Xml(attribute) String? c; int[] d; }
        union U { S s; }
        interface I { @Xml(action = "urn:m") S? m(Map<String, byte[]> a); }"#,
    )]);
    let int = serde_json::json!({
        "kind": "scalar", "scalar": "int", "minSize": 4, "fixedSize": 4, "anyBits": true, "weight": 0, "charges": { "own": 0, "each": 0, "eachBinary": 0 },
    });
    let with = |node: &serde_json::Value, name: &str, member: serde_json::Value| {
        let mut node = node.clone();
        node[name] = member;
        node
    };
    let element =
        |name: &str| serde_json::json!({ "name": name, "namespace": "urn:a", "position": "element" });
    let attribute = serde_json::json!({ "name": "c", "position": "attribute" });
    let fields = found["types"][1]["fields"].as_array().expect("a list");
    assert_eq!(fields[0]["plan"], with(&with(&int, "xml", element("a")), "mayBeMissing", false.into()));
    assert_eq!(
        fields[2]["plan"],
        serde_json::json!({
            "kind": "optional", "minSize": 1, "weight": 0, "charges": { "own": 32, "each": 0, "eachBinary": 0 }, "xml": attribute, "mayBeMissing": true,
            "item": {
                "kind": "string", "form": "plain", "minSize": 1, "weight": 32, "charges": { "own": 0, "each": 0, "eachBinary": 0 }, "xml": attribute,
            },
        })
    );
    assert_eq!(
        fields[3]["plan"],
        serde_json::json!({
            "kind": "array", "bulk": true, "layout": "repeated", "minSize": 1, "weight": 128, "charges": { "own": 0, "each": 4, "eachBinary": 0 },
            "xml": element("d"), "mayBeMissing": true, "item": with(&int, "xml", element("d")),
        })
    );
    let plan = |index: usize| &found["types"][index]["plan"];
    assert_eq!(
        *plan(0),
        serde_json::json!({
            "kind": "enum", "name": "service.E", "minSize": 1, "fixedSize": 1, "anyBits": false, "weight": 0,
            "xml": { "name": "E", "namespace": "urn:a" }, "texts": ["a b"],
        })
    );
    assert_eq!(
        *plan(1),
        serde_json::json!({
            "kind": "record", "name": "service.S", "minSize": 7, "weight": 200, "xml": { "name": "S", "namespace": "urn:a" },
            "steps": [
                { "run": [{ "field": 0, "offset": 0, "size": 4 }, { "field": 1, "offset": 4, "size": 1 }], "size": 5 },
                { "field": 2 }, { "field": 3 },
            ],
            "first": [
                { "name": "a", "namespace": "urn:a", "field": 0 }, { "name": "b", "namespace": "urn:a", "field": 1 },
                { "name": "d", "namespace": "urn:a", "field": 3 },
            ],
            "namespaces": ["urn:a"], "xsi": false,
        })
    );
    let method = &found["interfaces"][0]["methods"][0]["plan"];
    assert_eq!(method["action"], "urn:m");
    assert_eq!(method["request"]["element"], serde_json::json!({ "name": "m", "namespace": "urn:a" }));
    assert_eq!(
        method["response"]["element"],
        serde_json::json!({ "name": "mResponse", "namespace": "urn:a" })
    );
    assert_eq!(method["result"]["kind"], "optional");
    let parameter = &found["interfaces"][0]["methods"][0]["parameters"][0]["plan"];
    assert_eq!((&parameter["kind"], &parameter["value"]["form"]), (&"map".into(), &"base64".into()));
}

/// Sizes that no number holds are cut off, and nothing fails.
#[test]
fn sizes_beyond_all_numbers() {
    let mut text = "struct S0 { int a; int b; }".to_owned();
    (1..70).for_each(|i| text.push_str(&format!("struct S{i} {{ S{0} a; S{0} b; }}", i - 1)));
    let found = json(&[("a.creo", &text)]);
    assert_eq!(found["types"][69]["plan"]["fixedSize"], u64::MAX);
    assert_eq!(found["types"][69]["plan"]["steps"].as_array().map(Vec::len), Some(2));
}

/// LANG-30.
#[test]
fn streams() {
    let found = json(&[(
        "a.creo",
        "struct S { int a; } interface I { stream S out(int a); int in(String s, stream long l); stream byte both(stream byte b); }",
    )]);
    let method = |index: usize| &found["interfaces"][0]["methods"][index];
    let names = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().expect("an object").keys().cloned().collect()
    };
    assert_eq!(method(0)["signature"], "method service.I.out(int a)->stream service.S");
    assert_eq!(method(1)["signature"], "method service.I.in(String s,stream long l)->int");
    let (start, end) = (["name", "id", "signature", "oneway", "parameters", "result"], ["throws", "plan"]);
    let with = |own: &[&str]| -> Vec<String> {
        start.iter().chain(own).chain(&end).map(|name| (*name).to_owned()).collect()
    };
    assert_eq!(names(method(0)), with(&["streamsResult"]));
    assert_eq!(names(method(1)), with(&["streamsParameter"]));
    assert_eq!(names(method(2)), with(&["streamsResult", "streamsParameter"]));
    assert_eq!(method(0)["result"], serde_json::json!({ "kind": "named", "name": "service.S" }));
    let plan = &method(0)["plan"];
    assert_eq!(plan["result"]["kind"], "array");
    assert_eq!(
        (&plan["result"]["item"]["name"], &plan["result"]["minSize"]),
        (&"service.S".into(), &1.into())
    );
    assert_eq!(plan["response"]["steps"], serde_json::json!([]));
    let stream = &method(1)["parameters"][1];
    assert_eq!((&stream["name"], &stream["type"]["name"]), (&"l".into(), &"long".into()));
    assert_eq!(
        (&stream["plan"]["kind"], &stream["plan"]["bulk"], &stream["plan"]["item"]["scalar"]),
        (&"array".into(), &true.into(), &"long".into())
    );
    assert_eq!(method(1)["plan"]["request"]["steps"], serde_json::json!([{ "field": 0 }]));
    assert_eq!(
        (&method(2)["plan"]["result"]["kind"], &method(2)["parameters"][0]["plan"]["kind"]),
        (&"bytes".into(), &"bytes".into())
    );
}
