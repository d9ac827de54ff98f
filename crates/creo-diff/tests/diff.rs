//! Changes, and whom they break on which wire.

use creo_check::{CheckedModel, compile};
use creo_diff::{Breaks, Change, diff};

fn model(text: &str) -> CheckedModel {
    match compile(&[("test.creo", text)]) {
        Ok(model) => model,
        Err(report) => panic!("{report}in {text}"),
    }
}

const BASE: &str = r#"
struct Plain { int a; String b; }
struct Inner { int x; }
extensible struct Grows { int a; Inner inner; String b = "x"; }
enum Fixed { A, B }
extensible enum Open { A, B }
union Shape { double circle; int[] sides; }
extensible union OpenShape { double circle; int[] sides; }
exception Failed { String why; }
struct Unused { int a; }
interface Service {
    void in(Plain plain, Fixed fixed);
    Plain out() throws Failed;
    void grows(Grows grows);
    Grows grown();
    Open open(Open open);
    void shape(Shape shape);
    OpenShape openShape();
    void other(int a, String b);
}
interface Second { void m(); }
"#;

fn render(change: &Change) -> String {
    let who = |breaks: Breaks| match (breaks.old_clients, breaks.new_clients) {
        (false, false) => "nobody",
        (true, false) => "old",
        (false, true) => "new",
        (true, true) => "all",
    };
    let unnoticed = if change.unnoticed { " unnoticed" } else { "" };
    let methods: Vec<&str> =
        change.methods.iter().map(|name| name.trim_start_matches("service.Service.")).collect();
    let methods = if methods.is_empty() { String::new() } else { format!(" in {}", methods.join(",")) };
    format!(
        "{} {} binary={} named={}{unnoticed}{methods}",
        change.word(),
        change.place,
        who(change.binary),
        who(change.named)
    )
}

#[track_caller]
fn check(old: &str, new: &str, expected: &[&str]) {
    let changed = BASE.replacen(old, new, 1);
    assert!(changed != BASE, "nothing changed");
    let found: Vec<String> = diff(&model(BASE), &model(&changed)).iter().map(render).collect();
    assert_eq!(found, expected, "{old} -> {new}");
}

#[test]
fn the_same_is_no_change() {
    assert_eq!(diff(&model(BASE), &model(BASE)), []);
}

#[test]
fn what_breaks_nobody() {
    check(
        "struct Plain",
        "/** Doc. */ struct Plain",
        &["type-described service.Plain binary=nobody named=nobody"],
    );
    check(
        "int a; String b; }",
        "@Deprecated int a; String b; }",
        &["field-described service.Plain.a binary=nobody named=nobody"],
    );
    check(
        "void other(int a",
        "@Idempotent void other(int a",
        &["method-altered service.Service.other binary=nobody named=nobody"],
    );
    check(
        "int a; String b; }",
        "@Secret int a; String b; }",
        &["field-described service.Plain.a binary=nobody named=nobody"],
    );
    check("void m();", "void m(); void n();", &["method-added service.Second.n binary=nobody named=nobody"]);
    check(
        "interface Second",
        "interface Third {} interface Second",
        &["interface-added service.Third binary=nobody named=nobody"],
    );
    check(
        "struct Unused",
        "struct New {} struct Unused",
        &["type-added service.New binary=nobody named=nobody"],
    );
    check("struct Unused { int a; }", "", &["type-removed service.Unused binary=nobody named=nobody"]);
    check(
        "struct Unused { int a; }",
        "struct Unused { long a; }",
        &["field-altered service.Unused.a binary=nobody named=nobody"],
    );
    check("b = \"x\"", "b = \"y\"", &["field-defaulted service.Grows.b binary=nobody named=nobody"]);
    check(
        "struct Plain { int a;",
        "struct Plain { int a = 1;",
        &["field-defaulted service.Plain.a binary=nobody named=nobody"],
    );
    check(
        "void in(Plain plain, Fixed fixed);\n    Plain out() throws Failed;",
        "Plain out() throws Failed; void in(Plain plain, Fixed fixed);",
        &[],
    );
}

/// Foreign programs may have left out what now has no default.
#[test]
fn a_default_that_goes() {
    check("b = \"x\"", "b", &["field-defaulted service.Grows.b binary=nobody named=all in grown,grows"]);
}

#[test]
fn extensible_types_grow() {
    check(
        "b = \"x\"; }",
        "b = \"x\"; int c = 1; }",
        &["field-added service.Grows.c binary=nobody named=nobody"],
    );
    check(
        "b = \"x\"; }",
        "b = \"x\"; int? c; }",
        &["field-added service.Grows.c binary=nobody named=nobody"],
    );
    check(
        "Open { A, B }",
        "Open { A, B, C }",
        &["constant-added service.Open.C binary=nobody named=all in open"],
    );
    check(
        "OpenShape { double circle; int[] sides; }",
        "OpenShape { double circle; int[] sides; int x; }",
        &["member-added service.OpenShape.x binary=nobody named=old in openShape"],
    );
}

#[test]
fn extensible_types_do_not_change_otherwise() {
    let all = " binary=all named=all unnoticed in grown,grows";
    check("Grows { int a;", "Grows { long a;", &[&format!("field-altered service.Grows.a{all}")]);
    check(
        "Grows { int a;",
        "Grows { int renamed;",
        &["field-renamed service.Grows.a binary=nobody named=all in grown,grows"],
    );
    check(
        "Grows { int a; Inner",
        "Grows { Inner",
        &["field-removed service.Grows.a binary=all named=all unnoticed in grown,grows"],
    );
    check(
        "Grows { int a; Inner inner;",
        "Grows { Inner inner; int a;",
        &["field-reordered service.Grows binary=all named=nobody unnoticed in grown,grows"],
    );
    check(
        "Grows { int a;",
        "Grows { int a; int z;",
        &["field-added service.Grows.z binary=all named=all unnoticed in grown,grows"],
    );
    check(
        "extensible struct Grows",
        "struct Grows",
        &["type-altered service.Grows binary=all named=nobody in grown,grows"],
    );
    // A plain type used in an extensible one is not part of ids either.
    check(
        "Inner { int x; }",
        "Inner { int x; int y; }",
        &["field-added service.Inner.y binary=all named=all unnoticed in grown,grows"],
    );
    check(
        "Inner { int x; }",
        "Inner { int y; }",
        &["field-renamed service.Inner.x binary=nobody named=all in grown,grows"],
    );
    check(
        "Open { A, B }",
        "Open { A = 1, B }",
        &[
            "constant-altered service.Open.A binary=all named=nobody unnoticed in open",
            "constant-altered service.Open.B binary=all named=nobody unnoticed in open",
        ],
    );
    check(
        "Open { A, B }",
        "Open { A }",
        &["constant-removed service.Open.B binary=nobody named=all in open"],
    );
}

#[test]
fn a_new_field_without_a_value_for_old_writers() {
    let old = "extensible struct Q { int a; } interface I { void in(Q q); } interface J { Q out(); }";
    let new = old.replace("int a;", "int a; int b;");
    let changes: Vec<String> = diff(&model(old), &model(&new)).iter().map(render).collect();
    assert_eq!(
        changes,
        ["field-added service.Q.b binary=all named=all unnoticed in service.I.in,service.J.out"]
    );
    let only_in = |text: &str| text.replace(" interface J { Q out(); }", "");
    let changes: Vec<String> =
        diff(&model(&only_in(old)), &model(&only_in(&new))).iter().map(render).collect();
    assert_eq!(changes, ["field-added service.Q.b binary=old named=old unnoticed in service.I.in"]);
}

#[test]
fn plain_types_change() {
    check(
        "Plain { int a;",
        "Plain { long a;",
        &["field-altered service.Plain.a binary=all named=all in in,out"],
    );
    check(
        "Plain { int a;",
        "Plain { int z;",
        &["field-renamed service.Plain.a binary=all named=all in in,out"],
    );
    check(
        "Plain { int a; String b; }",
        "Plain { String b; int a; }",
        &["field-reordered service.Plain binary=all named=nobody in in,out"],
    );
    check(
        "Plain { int a;",
        "Plain { int a; int? c;",
        &["field-added service.Plain.c binary=all named=all in in,out"],
    );
    check(
        "Fixed { A, B }",
        "Fixed { A, B, C }",
        &["constant-added service.Fixed.C binary=all named=new in in"],
    );
    check("Fixed { A, B }", "Fixed { A }", &["constant-removed service.Fixed.B binary=all named=old in in"]);
    check(
        "Fixed { A, B }",
        "Fixed { A, Z }",
        &["constant-renamed service.Fixed.B binary=all named=all in in"],
    );
    check(
        "Fixed { A, B }",
        "Fixed { B = 1, A = 0 }",
        &["constant-reordered service.Fixed binary=all named=nobody in in"],
    );
    check(
        "Shape { double circle; int[] sides; }",
        "Shape { double circle; }",
        &["member-removed service.Shape.sides binary=all named=old in shape"],
    );
    check(
        "Shape { double circle; int[] sides; }",
        "Shape { int[] sides; double circle; }",
        &["member-reordered service.Shape binary=all named=nobody in shape"],
    );
    check(
        "struct Inner { int x; }",
        "union Inner { int x; }",
        &["type-altered service.Inner binary=all named=all unnoticed in grown,grows"],
    );
    check(
        "struct Plain",
        "extensible struct Plain",
        &["type-altered service.Plain binary=all named=nobody in in,out"],
    );
}

#[test]
fn names_of_types_are_in_ids() {
    let renamed = BASE.replace("Plain", "Simple");
    let found: Vec<String> = diff(&model(BASE), &model(&renamed)).iter().map(render).collect();
    assert_eq!(found, ["type-renamed service.Plain binary=all named=nobody in in,out"]);
    let moved = format!("@PACKAGE(\"moved\"){BASE}");
    let found: Vec<String> = diff(&model(BASE), &model(&moved)).iter().map(|c| c.word()).collect();
    assert_eq!(found, ["package-renamed"]);
    let namespace = format!("@NAMESPACE(\"urn:x\"){BASE}");
    let found: Vec<Change> = diff(&model(BASE), &model(&namespace));
    assert_eq!(
        (found.len(), found[0].word().as_str(), found[0].binary, found[0].named),
        (1, "package-altered", Breaks::NOBODY, Breaks::EVERYBODY)
    );
}

/// The changes between two descriptions of a file of package `b` that imports one of another package.
fn two_packages(old: (&str, &str), new: (&str, &str)) -> Vec<String> {
    let model = |(main, other): (&str, &str)| {
        let main = format!("@PACKAGE(\"b\") import \"t.creo\"; {main}");
        compile(&[("main.creo", &main), ("t.creo", other)]).unwrap_or_else(|report| panic!("{report}"))
    };
    diff(&model(old), &model(new)).iter().map(render).collect()
}

#[test]
fn a_type_in_another_package_has_another_name() {
    let main = "struct Keep { int y; } interface S { T get(); Keep k(); Other o(); Grows g(); } extensible struct Grows { T t; } ";
    let (moved, rest) = ("struct T { int x; } ", "struct Other { int z; }");
    let with = |namespace: &str, text: &str| format!("@PACKAGE(\"a\") {namespace} {text}");
    let after = format!("{moved}{main}");
    let found = two_packages((main, &with("", &format!("{moved}{rest}"))), (&after, &with("", rest)));
    assert_eq!(found, ["type-renamed a.T binary=all named=all in b.S.g,b.S.get"]);
    // In the same namespace only ids show it.
    let same = "@NAMESPACE(\"urn:creo:b\")";
    let found = two_packages((main, &with(same, &format!("{moved}{rest}"))), (&after, &with(same, rest)));
    assert_eq!(found, ["type-renamed a.T binary=all named=nobody in b.S.get"]);
}

#[test]
fn a_package_breaks_the_calls_that_carry_its_types() {
    let main = "interface S { a.T get(); void none(); Grows g(); } extensible struct Grows { a.T t; }";
    let other = "@PACKAGE(\"a\") struct T { int x; }";
    let renamed = (main.replace("a.T", "a2.T"), other.replace("\"a\"", "\"a2\""));
    let found = two_packages((main, other), (&renamed.0, &renamed.1));
    assert_eq!(found, ["package-renamed a binary=all named=all in b.S.g,b.S.get"]);
    let found = two_packages((main, other), (main, &other.replace("struct", "@NAMESPACE(\"urn:x\") struct")));
    assert_eq!(found, ["package-altered a binary=nobody named=all in b.S.g,b.S.get"]);
}

#[test]
fn many_methods_that_carry_many_types() {
    // A chain of types, and methods that each carry all of them.
    let count = 3000;
    let types: String =
        (0..count).map(|i| format!("extensible struct T{i} {{ T{}[] t; }} ", (i + 1) % count)).collect();
    let methods: String = (0..count).map(|i| format!("T0 m{i}(T0 t); ")).collect();
    let text = format!("{types} interface S {{ {methods} }}");
    let changes = diff(&model(&text), &model(&text.replace("T0[] t;", "T0[] u;")));
    assert_eq!(changes.len(), 1);
    assert_eq!((changes[0].word().as_str(), changes[0].methods.len()), ("field-renamed", count));
}

#[test]
fn many_changes_of_many_types_and_methods() {
    let count = 2000;
    let types: String = (0..count).map(|i| format!("struct T{i} {{ T{}[] t; }} ", (i + 1) % count)).collect();
    let methods: String = (0..count).map(|i| format!("T{i} m{i}(T0 t); void old{i}(int a{i}); ")).collect();
    let text = format!("{types} interface S {{ {methods} }}");
    let changes = diff(
        &model(&text),
        &model(&text.replace("[] t; }", "[] t; int more; }").replace("void old", "void new")),
    );
    let of = |word: &str| changes.iter().filter(|change| change.word() == word).count();
    assert_eq!((of("field-added"), of("method-renamed"), changes.len()), (count, count, 2 * count));
    assert!(changes.iter().all(|change| change.breaks()
        && change.methods.len() == if change.word() == "field-added" { count } else { 1 }));
}

#[test]
fn methods_change() {
    check(
        "void other(int a, String b);",
        "",
        &["method-removed service.Service.other binary=old named=old in other"],
    );
    check(
        "void other(",
        "void another(",
        &["method-renamed service.Service.other binary=all named=all in other"],
    );
    check(
        "void other(int a",
        "oneway void other(int a",
        &["method-altered service.Service.other binary=all named=all in other"],
    );
    check(
        "void other(int a",
        "int other(int a",
        &["method-altered service.Service.other binary=all named=all in other"],
    );
    check(
        "other(int a, String b)",
        "other(String b, int a)",
        &["parameter-reordered service.Service.other binary=all named=nobody in other"],
    );
    check(
        "other(int a, String b)",
        "other(int a)",
        &["parameter-removed service.Service.other.b binary=all named=all in other"],
    );
    check(
        "other(int a, String b)",
        "other(int a, String b, int? c)",
        &["parameter-added service.Service.other.c binary=all named=new in other"],
    );
    check(
        "other(int a, String b)",
        "other(int z, String b)",
        &["parameter-renamed service.Service.other.a binary=all named=all in other"],
    );
    check(
        "other(int a, String b)",
        "other(long a, String b)",
        &["parameter-altered service.Service.other.a binary=all named=all in other"],
    );
    check(
        "out() throws Failed",
        "out()",
        &["method-altered service.Service.out binary=all named=new in out"],
    );
    check(
        "grown();",
        "grown() throws Failed;",
        &["method-altered service.Service.grown binary=all named=old in grown"],
    );
    check(
        "interface Second { void m(); }",
        "",
        &["interface-removed service.Second binary=old named=old in service.Second.m"],
    );
}

/// What only methods with streams carry breaks nobody on the text wires, which do not carry such methods.
#[test]
fn streams() {
    let base = "struct Item { int a; String b; } extensible struct Grows { int a; }
        interface Service {
            Item[] plain(); stream Item items(int a); int sum(int a, stream long numbers); stream Grows grows(stream Grows g) throws X;
        }
        exception X { int a; } exception Y { int b; }";
    let check = |old: &str, new: &str, expected: &[&str]| {
        let changed = base.replacen(old, new, 1);
        assert!(changed != base, "nothing changed");
        let changes = diff(&model(base), &model(&changed));
        let found: Vec<String> =
            changes.iter().map(|change| format!("{}: {}", render(change), change.text)).collect();
        assert_eq!(found, expected, "{old} -> {new}");
    };
    check(
        "stream Item items",
        "Item items",
        &[
            "method-altered service.Service.items binary=all named=new in items: the result was `stream service.Item` and is `service.Item`",
        ],
    );
    check(
        "Item[] plain",
        "stream Item plain",
        &[
            "method-altered service.Service.plain binary=all named=old in plain: the result was `service.Item[]` and is `stream service.Item`",
        ],
    );
    check(
        "stream Item items",
        "stream Grows items",
        &[
            "method-altered service.Service.items binary=all named=nobody in items: the result was `stream service.Item` and is `stream service.Grows`",
        ],
    );
    check(
        "stream long numbers",
        "@Xml(name = \"n\") long numbers",
        &[
            "parameter-altered service.Service.sum.numbers binary=all named=new in sum: the type was `stream long` and is `long`",
        ],
    );
    check(
        "sum(int a",
        "sum(@Xml(name = \"x\") long a",
        &[
            "parameter-altered service.Service.sum.a binary=all named=nobody in sum: the type was `int` and is `long`",
        ],
    );
    check(
        "stream Item items(int a); ",
        "",
        &["method-removed service.Service.items binary=old named=nobody in items: the method is gone"],
    );
    check(
        "throws X",
        "throws Y",
        &[
            "method-altered service.Service.grows binary=all named=nobody in grows: the method threw `service.X` and throws `service.Y`",
        ],
    );
    check(
        "Grows { int a; }",
        "Grows { int b; }",
        &["field-renamed service.Grows.a binary=nobody named=nobody: the field is now called `b`"],
    );
    check(
        "struct Grows { int a; }",
        "union Grows { int a; }",
        &["type-altered service.Grows binary=all named=nobody in grows: it was a struct and is a union"],
    );
    check(
        "Item { int a;",
        "Item { long a;",
        &[
            "field-altered service.Item.a binary=all named=all in items,plain: the type was `int` and is `long`",
        ],
    );
    // A method that is renamed is found by the rest of its signature, of which `stream` is a part.
    check(
        "stream Item items",
        "stream Item others",
        &[
            "method-renamed service.Service.items binary=all named=nobody in items: the method is now called `others`",
        ],
    );
}
