use crate::openapi;
use creo_check::compile;
use serde_json::{Value, json};

fn document(description: &str) -> Value {
    let model = compile(&[("a.creo", description)]).unwrap_or_else(|report| panic!("{report:?}"));
    let plan = model.plan();
    let text = openapi(&model, plan, 0, "http://localhost/I");
    assert_eq!(text, openapi(&model, plan, 0, "http://localhost/I"));
    serde_json::from_str(&text).expect("JSON")
}

fn schema(types: &str, name: &str) -> Value {
    document(&format!("{types}\ninterface I {{ void m({name} x); }}"))["components"]["schemas"][name].take()
}

/// JSON-20 to JSON-23, JSON-30.
#[test]
fn a_method_is_a_path() {
    let text = "@PACKAGE(\"p.q\")\nexception No { String why; } exception Never {}\n/** All \"of\" it. */\ninterface I {\n/** Finds. */ @Deprecated(\"no\") int find(String name, int? limit) throws No, Never;\nvoid put(long[] x) throws No;\noneway void tell();\n}";
    let found = document(text);
    assert_eq!(found["openapi"], "3.1.0");
    assert_eq!(found["servers"], json!([{ "url": "http://localhost/I" }]));
    assert_eq!(found["info"]["title"], "I");
    assert_eq!(found["info"]["description"], "All \"of\" it.");
    let find = &found["paths"]["/find"]["post"];
    assert_eq!(
        (&find["operationId"], &find["description"], &find["deprecated"]),
        (&json!("find"), &json!("Finds."), &json!(true))
    );
    let body = &find["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!((&body["required"], &body["additionalProperties"]), (&json!(["name"]), &json!(false)));
    assert_eq!(
        find["responses"]["200"]["content"]["application/json"]["schema"],
        json!({ "type": "integer", "format": "int32" })
    );
    let both = find["responses"]["422"]["content"]["application/problem+json"]["schema"]["oneOf"]
        .as_array()
        .expect("both exceptions");
    assert_eq!(
        both.iter().map(|one| &one["properties"]["type"]["const"]).collect::<Vec<_>>(),
        ["urn:creo:exception:p.q.No", "urn:creo:exception:p.q.Never"]
    );
    let put = &found["paths"]["/put"]["post"]["responses"];
    assert_eq!(
        put["422"]["content"]["application/problem+json"]["schema"]["properties"]["value"],
        json!({ "$ref": "#/components/schemas/No" })
    );
    assert!(put["204"].get("content").is_none());
    let tell = &found["paths"]["/tell"]["post"];
    assert!(tell.get("requestBody").is_none() && tell["responses"]["202"].is_object());
    assert_eq!(
        tell["responses"]["default"]["content"]["application/problem+json"]["schema"]["$ref"],
        "#/components/schemas/Problem"
    );
}

/// JSON-31.
#[test]
fn structs_say_what_must_be_there() {
    let fields = "{ int a; byte[] d; int?[] e; Map<String, double?> f; int? b; String c = \"x\"; }";
    let closed = schema(&format!("struct S {fields}"), "S");
    assert_eq!(
        (&closed["required"], &closed["additionalProperties"]),
        (&json!(["a", "d", "e", "f", "c"]), &json!(false))
    );
    let open = schema(&format!("extensible struct S {fields}"), "S");
    assert_eq!(open["required"], json!(["a", "d", "e", "f"]));
    assert!(open.get("additionalProperties").is_none());
    let properties = &open["properties"];
    assert_eq!(properties["b"], json!({ "type": "integer", "format": "int32" }));
    assert_eq!(properties["c"], json!({ "type": "string", "default": "x" }));
    assert_eq!(properties["d"], json!({ "type": "string", "contentEncoding": "base64" }));
    assert_eq!(properties["e"]["items"]["oneOf"][1], json!({ "type": "null" }));
    assert_eq!(properties["f"]["additionalProperties"]["oneOf"][1], json!({ "type": "null" }));
}

#[test]
fn enums_unions_and_recursion() {
    assert_eq!(schema("enum E { A, B }", "E"), json!({ "type": "string", "enum": ["A", "B"] }));
    assert_eq!(
        schema("extensible enum E { A }", "E")["oneOf"][1],
        json!({ "type": "integer", "minimum": 0 })
    );
    let shape = schema("struct Group { Shape[] all; }\nunion Shape { double circle; Group group; }", "Shape");
    assert_eq!(shape["properties"]["group"], json!({ "$ref": "#/components/schemas/Group" }));
    assert_eq!((&shape["minProperties"], &shape["maxProperties"]), (&json!(1), &json!(1)));
}

#[test]
fn defaults_are_values() {
    let text = "enum E { A, B }\nextensible struct S { long a = 9007199254740993; double b = NaN; float c = 0.1; char d = 'x'; E e = B; int[] f = {}; DateTime g = \"2026-11-21T00:00:00Z\"; Decimal h = 1.50; boolean i = true; }";
    let found = schema(text, "S");
    let defaults: Vec<&Value> = found["properties"]
        .as_object()
        .expect("properties")
        .values()
        .map(|field| &field["default"])
        .collect();
    let wanted = json!(["9007199254740993", "NaN", 0.1, "x", "B", [], "2026-11-21T00:00:00Z", "1.50", true]);
    assert_eq!(json!(defaults), wanted);
}

/// Two types with the same simple name, and one named like the schema of errors.
#[test]
fn names_that_clash_are_full() {
    let model = compile(&[
        (
            "a.creo",
            "@PACKAGE(\"a\")\nimport \"b.creo\";\nstruct T { b.T other; Problem p; }\nstruct Problem {}\nstruct Unused {}\ninterface I { T m(); }",
        ),
        ("b.creo", "@PACKAGE(\"b\")\nstruct T {}"),
    ])
    .expect("a model");
    let found: Value = serde_json::from_str(&openapi(&model, model.plan(), 0, "x")).expect("JSON");
    let names: Vec<&String> = found["components"]["schemas"].as_object().expect("schemas").keys().collect();
    assert_eq!(names, ["a.T", "a.Problem", "b.T", "Problem"]);
    assert_eq!(
        found["components"]["schemas"]["a.T"]["properties"]["other"],
        json!({ "$ref": "#/components/schemas/b.T" })
    );
}
