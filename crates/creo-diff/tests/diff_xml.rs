//! What changes of XML annotations break.

use creo_check::{CheckedModel, compile};
use creo_diff::{Breaks, Change, diff};

fn model(text: &str) -> CheckedModel {
    match compile(&[("test.creo", text)]) {
        Ok(model) => model,
        Err(report) => panic!("{report}in {text}"),
    }
}

const BASE: &str = r#"
struct Plain { int a; String? b; @Xml(attribute) int c; @Xml(type = "date") String d; byte[] e; int[] f; }
struct Group { int ga; int gb; }
struct Holder { @Xml(inline) Group g; }
enum E { A, @Xml(name = "bee") B }
extensible enum Open { A }
union U { int ua; int ub; }
@Xml(derived) union Animal { Dog dog; Cat cat; }
struct Dog { int x; }
struct Cat { int x; }
exception Failed { String why; }
interface Service {
    void in(Plain plain, E e, @Xml(name = "u-u") U u);
    Animal out() throws Failed;
    Holder held();
    @Xml(action = "urn:act") Open open();
    @Xml(bare) Group bare(Group group);
}
"#;

fn render(change: &Change) -> String {
    let who = |breaks: Breaks| match (breaks.old_clients, breaks.new_clients) {
        (false, false) => "nobody",
        (true, false) => "old",
        (false, true) => "new",
        (true, true) => "all",
    };
    let methods: Vec<&str> =
        change.methods.iter().map(|name| name.trim_start_matches("service.Service.")).collect();
    let methods = if methods.is_empty() { String::new() } else { format!(" in {}", methods.join(",")) };
    format!(
        "{} {} binary={} named={}{methods}: {}",
        change.word(),
        change.place,
        who(change.binary),
        who(change.named),
        change.text
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
fn fields() {
    let plain = "binary=nobody named=all in in";
    let name = format!(
        "field-altered service.Plain.a {plain}: in XML it was called `{{urn:creo:service}}a` and is called `{{urn:creo:service}}x`"
    );
    check("int a;", "@Xml(name = \"x\") int a;", &[&name]);
    let namespace = format!(
        "field-altered service.Plain.a {plain}: in XML it was called `{{urn:creo:service}}a` and is called `a`"
    );
    check("int a;", "@Xml(namespace = \"\") int a;", &[&namespace]);
    check(
        "int a;",
        "@Xml(name = \"a\") int a;",
        &[
            "field-described service.Plain.a binary=nobody named=nobody: something else is said of its XML, which reads the same",
        ],
    );
    check(
        "String? b;",
        "@Xml(nillable) String? b;",
        &[
            "field-described service.Plain.b binary=nobody named=nobody: something else is said of its XML, which reads the same",
        ],
    );
    check(
        "@Xml(attribute) int c",
        "int c",
        &[&format!("field-altered service.Plain.c {plain}: in XML it was an attribute and is an element")],
    );
    check(
        "\"date\"",
        "\"token\"",
        &[
            "field-described service.Plain.d binary=nobody named=nobody: something else is said of its XML, which reads the same",
        ],
    );
    let hex = format!(
        "field-altered service.Plain.e {plain}: in XML it was written as base64 and is written as hexadecimal"
    );
    check("byte[] e", "@Xml(type = \"hexBinary\") byte[] e", &[&hex]);
    let list = format!(
        "field-altered service.Plain.f {plain}: in XML it was written as elements of text and is written as list of text"
    );
    check("int[] f", "@Xml(list) int[] f", &[&list]);
    check(
        "@Xml(inline) Group g",
        "Group g",
        &[
            "field-altered service.Holder.g binary=nobody named=all in held: in XML it was inline and is an element",
        ],
    );
}

/// XML-35: within inline content the order counts.
#[test]
fn the_order_of_inline_content() {
    let expected =
        "field-reordered service.Group binary=all named=all in bare,held: the fields are in another order";
    check("int ga; int gb;", "int gb; int ga;", &[expected]);
}

#[test]
fn types() {
    let namespace = "type-altered service.Plain binary=nobody named=all in in: its namespace was that of `{urn:creo:service}Plain` and is that of `{urn:x}Plain`";
    check("struct Plain", "@Xml(namespace = \"urn:x\") struct Plain", &[namespace]);
    check(
        "struct Plain",
        "@Xml(name = \"P\") struct Plain",
        &[
            "type-described service.Plain binary=nobody named=nobody: something else is said of its XML, which reads the same",
        ],
    );
    check(
        "struct Plain",
        "@Xml(unqualified) struct Plain",
        &["type-altered service.Plain binary=nobody named=all in in: its elements have no namespace now"],
    );
    let dog = "type-altered service.Dog binary=nobody named=all in out: in XML it was called `{urn:creo:service}Dog` and is called `{urn:creo:service}Hound`";
    check("struct Dog", "@Xml(name = \"Hound\") struct Dog", &[dog]);
    let failed = "type-altered service.Failed binary=nobody named=all in out: in XML it was called `{urn:creo:service}Failed` and is called `{urn:creo:service}F`";
    check("exception Failed", "@Xml(name = \"F\") exception Failed", &[failed]);
    check(
        "@Xml(derived) union",
        "union",
        &[
            "type-altered service.Animal binary=nobody named=all in out: its members are no longer told by `xsi:type`",
        ],
    );
    let renamed = [
        "type-renamed service.Failed binary=all named=nobody in out: the type is now called `Gone`",
        "type-altered service.Failed binary=nobody named=all in out: in XML it was called `{urn:creo:service}Failed` and is called `{urn:creo:service}Gone`",
    ];
    let changed = BASE.replace("Failed", "Gone");
    let found: Vec<String> = diff(&model(BASE), &model(&changed)).iter().map(render).collect();
    assert_eq!(found, renamed);
}

/// XML-16
#[test]
fn constants() {
    check(
        "\"bee\"",
        "\"bumble\"",
        &[
            "constant-altered service.E.B binary=nobody named=all in in: its text in XML was `bee` and is `bumble`",
        ],
    );
    check(
        "Open { A }",
        "Open { A, B }",
        &["constant-added service.Open.B binary=nobody named=old in open: the constant is new"],
    );
}

#[test]
fn methods() {
    check(
        "urn:act",
        "urn:do",
        &[
            "method-altered service.Service.open binary=nobody named=all in open: its action was `urn:act` and is `urn:do`",
        ],
    );
    let element = "method-altered service.Service.held binary=nobody named=all in held: the element of its request was `{urn:creo:service}held` and is `{urn:creo:service}h`";
    check("Holder held()", "@Xml(name = \"h\") Holder held()", &[element]);
    let response = "method-altered service.Service.held binary=nobody named=all in held: the element of its response was `{urn:creo:service}heldResponse` and is `{urn:creo:service}r`";
    check("Holder held()", "@XmlResponse(name = \"r\") Holder held()", &[response]);
    let result = "method-altered service.Service.held binary=nobody named=all in held: its result: in XML it was called `{urn:creo:service}result` and is called `{urn:creo:service}out`";
    check("Holder held()", "@XmlResult(name = \"out\") Holder held()", &[result]);
    let bare = "method-altered service.Service.bare binary=nobody named=all in bare: the element of its request was `{urn:creo:service}group`, bare and is `{urn:creo:service}bare`";
    check("@Xml(bare) ", "", &[bare]);
    let parameter = "parameter-altered service.Service.in.u binary=nobody named=all in in: in XML it was called `{urn:creo:service}u-u` and is called `{urn:creo:service}u`";
    check("@Xml(name = \"u-u\") U", "U", &[parameter]);
    let header = "parameter-altered service.Service.in.e binary=nobody named=all in in: in XML it was an element and is a header";
    check("E e,", "@Xml(header) E e,", &[header]);
    let interface = "interface-altered service.Service binary=nobody named=all in in,out,held,open,bare: its namespace was `urn:creo:service` and is `urn:x`";
    check("interface Service", "@Xml(namespace = \"urn:x\") interface Service", &[interface]);
}

/// SOAP-100.
#[test]
fn elements_of_a_body() {
    let text = |marks: &str, field: &str| {
        format!("{marks} struct Pair {{ int a; {field} }} interface I {{ @XmlResponse(bare) Pair pair(); }}")
    };
    let altered = |old: &str, new: &str| {
        let found = diff(&model(old), &model(new)).iter().map(render).collect::<Vec<_>>();
        found.into_iter().filter(|line| line.starts_with("method-altered")).collect::<Vec<_>>()
    };
    let (one, two) = (text("", "int b;"), text("@Xml(parts)", "int b;"));
    let parts = "`{urn:creo:service}a`, `{urn:creo:service}b`";
    let told = "method-altered service.I.pair binary=nobody named=all in service.I.pair: the elements of its answer's body";
    assert_eq!(altered(&one, &two), [format!("{told} were none and are {parts}")]);
    let other = text("@Xml(parts)", "@Xml(name = \"c\") int b;");
    let parts_of_other = "`{urn:creo:service}a`, `{urn:creo:service}c`";
    assert_eq!(altered(&two, &other), [format!("{told} were {parts} and are {parts_of_other}")]);
    assert_eq!(altered(&two, &two), [""; 0]);
}
