//! WSDL from descriptions: `export/NAME.creo` and its output in `export/NAME.wsdl`.
//!
//! With `CREO_UPDATE` set, the expected files are rewritten, and the test still fails: review the changes first.
#![allow(clippy::disallowed_methods)]

use creo_check::{CheckedModel, compile};
use creo_wsdl::export::{ADDRESS, Options, Problem, documents, wsdl};
use creo_wsdl::import::{self, import};
use std::path::{Path, PathBuf};

fn model(text: &str) -> CheckedModel {
    match compile(&[("test.creo", text)]) {
        Ok(model) => model,
        Err(report) => panic!("{report}in {text}"),
    }
}

fn export(text: &str) -> Result<String, Problem> {
    let model = model(text);
    wsdl(&model, model.plan(), 0, &Options { address: "http://localhost/?a=1&b=2".into(), soap12: true })
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export")
}

#[track_caller]
fn golden(name: &str, source: &Path) {
    let expected_path = folder().join(format!("{name}.wsdl"));
    let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
    let found = export(&std::fs::read_to_string(source).expect("the description is there"))
        .expect("a schema can say it");
    if found != expected {
        if std::env::var("CREO_UPDATE").is_ok() {
            std::fs::write(&expected_path, &found).expect("it can be written");
        }
        let first = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
        panic!("{name}.wsdl is not as expected: {first:?}");
    }
}

/// What services mostly have.
#[test]
fn data() {
    golden("data", &folder().join("data.creo"));
}

/// Everything that a description says of its XML (XML-30).
#[test]
fn facts() {
    golden("facts", &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/schemas/xml.creo"));
}

/// Clashing names and namespaces, hostile text, derivations, nested inline types.
#[test]
fn edge() {
    golden("edge", &folder().join("edge.creo"));
}

/// Elements and types whose classes in Java would be called the same.
#[test]
fn classes() {
    golden("classes", &folder().join("classes.creo"));
}

/// Nothing has a namespace.
#[test]
fn none() {
    golden("none", &folder().join("none.creo"));
}

#[test]
fn the_address_and_versions() {
    let model = model("interface I { void m(); }");
    let plan = model.plan();
    let text = wsdl(&model, plan, 0, &Options { address: "http://x/?a&\"<".into(), soap12: false })
        .expect("a schema can say it");
    assert!(
        text.contains("<soap:address location=\"http://x/?a&amp;&quot;&lt;\"/>") && !text.contains("soap12"),
        "{text}"
    );
    let all = documents(&model, plan);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].interface, "service.I");
    assert_eq!(all[0].text.matches(ADDRESS).count(), 2);
}

/// SOAP-24: a WSDL's SOAP version survives import and export.
#[test]
fn the_version_survives_a_round_trip() {
    struct One(String);
    impl import::Files for One {
        fn read(&mut self, _: &str) -> Result<Vec<u8>, import::Unread> {
            Ok(self.0.clone().into_bytes())
        }
    }
    for soap12 in [true, false] {
        let said = if soap12 { "@Xml(soap12) " } else { "" };
        let first = export(&format!("{said}interface I {{ void m(int a); }}")).expect("a schema can say it");
        assert_eq!(first.contains("<soap:binding"), !soap12, "{first}");
        assert!(first.contains("<soap12:binding"), "{first}");
        let text =
            import("in.wsdl", &import::Options::default(), &mut One(first)).text.expect("it is imported");
        assert_eq!(text.contains("@Xml(soap12)"), soap12, "{text}");
        let second = export(&text).expect("a schema can say it");
        assert_eq!(second.contains("<soap:binding"), !soap12, "{second}");
    }
}

struct One(String);

impl import::Files for One {
    fn read(&mut self, _: &str) -> Result<Vec<u8>, import::Unread> {
        Ok(self.0.clone().into_bytes())
    }
}

/// SOAP-46: the WSDL of an interface with addressing says so, and is imported as the same interface.
#[test]
fn addressing_survives_a_round_trip() {
    let text = "exception Gone { int a; }\n@Xml(addressing)\ninterface Stock {\n    int count(String sku) throws Gone;\n    oneway void touch();\n}\n";
    let wsdl = export(text).expect("a schema can say it");
    for said in [
        "<wsdl:input message=\"tns:count\" wsam:Action=\"urn:creo:service:Stock/count\"/>",
        "<wsdl:output message=\"tns:countResponse\" wsam:Action=\"urn:creo:service:Stock/countResponse\"/>",
        "wsam:Action=\"urn:creo:service:Stock/count/Fault/Gone\"",
        "<wsdl:input message=\"tns:touch\" wsam:Action=\"urn:creo:service:Stock/touch\"/>",
    ] {
        assert!(wsdl.contains(said), "{said} in {wsdl}");
    }
    assert_eq!(wsdl.matches("<wsam:Addressing>").count(), 2, "{wsdl}");
    let imported = import("in.wsdl", &import::Options::default(), &mut One(wsdl));
    let text = imported.text.expect("it is imported");
    assert!(text.contains("@Xml(addressing)\ninterface Stock {"), "{text}");
    assert!(!text.contains("action ="), "{text}");
    assert_eq!(imported.report.to_string(), "");
    assert!(!export("interface Plain { void a(); }").expect("a schema can say it").contains("wsam"));
}

/// SOAP-26: headers of answers survive export and import.
#[test]
fn headers_of_answers_survive_a_round_trip() {
    let text = "struct Session { String id; }\nstruct LoginAnswer {\n    String user;\n    @Xml(header) Session? session;\n}\ninterface Accounts {\n    LoginAnswer login(String name);\n}\n";
    let wsdl = export(text).expect("a schema can say it");
    assert_eq!(wsdl.matches("<soap:header ").count(), 1, "{wsdl}");
    assert_eq!(wsdl.matches("<soap12:header ").count(), 1, "{wsdl}");
    let imported = import("in.wsdl", &import::Options::default(), &mut One(wsdl.clone()));
    assert_eq!(imported.report.to_string(), "");
    let text = imported.text.expect("it is imported");
    assert!(text.contains("    String user;\n    @Xml(header) Session? session;\n}"), "{text}");
    assert!(text.contains("    LoginAnswer login(String name);"), "{text}");
    let headers = |wsdl: &str| {
        wsdl.lines().filter(|line| line.contains("header")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(headers(&export(&text).expect("a schema can say it")), headers(&wsdl));
}

/// SOAP-91: several elements in a body survive export and import.
#[test]
fn several_elements_survive_a_round_trip() {
    let text = "struct Item { String sku; }\ninterface Stock {\n    @Xml(bare, action = \"urn:put\")\n    long put(@Xml(header) String Session, Item Item, @Xml(namespace = \"urn:o\") String? Note, int[] Counts);\n}\n";
    let wsdl = export(text).expect("a schema can say it");
    for (part, element) in [("Item", "tns:Item"), ("Note", "n1:Note"), ("Counts", "tns:Counts")] {
        assert!(wsdl.contains(&format!("<wsdl:part name=\"{part}\" element=\"{element}\"/>")), "{wsdl}");
    }
    let imported = import("in.wsdl", &import::Options::default(), &mut One(wsdl.clone()));
    assert_eq!(imported.report.to_string(), "");
    let text = imported.text.expect("it is imported");
    assert!(text.contains("@Xml(bare, action = \"urn:put\")"), "{text}");
    let parts = |wsdl: &str| {
        wsdl.lines().filter(|line| line.contains("<wsdl:part ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(parts(&export(&text).expect("a schema can say it")), parts(&wsdl));
}

/// SOAP-100: the same of a response, with a header beside them.
#[test]
fn several_elements_of_an_answer_survive_a_round_trip() {
    let text = "@Xml(parts)\nstruct PutAnswer {\n    long Id;\n    @Xml(namespace = \"urn:o\") String? Note;\n}\nstruct GetAnswer {\n    String Sku;\n    int? Count;\n    @Xml(header) String? Session;\n}\ninterface Stock {\n    @XmlResponse(bare)\n    PutAnswer put(String sku);\n\n    @XmlResponse(bare)\n    GetAnswer get(long id);\n}\n";
    let wsdl = export(text).expect("a schema can say it");
    for (part, element) in
        [("Id", "tns:Id"), ("Note", "n1:Note"), ("Sku", "tns:Sku"), ("Session", "tns:Session")]
    {
        assert!(wsdl.contains(&format!("<wsdl:part name=\"{part}\" element=\"{element}\"/>")), "{wsdl}");
    }
    assert!(!wsdl.contains("\"PutAnswer\"") && !wsdl.contains("\"GetAnswer\""), "{wsdl}");
    let imported = import("in.wsdl", &import::Options::default(), &mut One(wsdl.clone()));
    assert_eq!(imported.report.to_string(), "");
    let text = imported.text.expect("it is imported");
    assert!(text.contains("@Xml(parts)\nstruct PutAnswer {\n    long Id;\n"), "{text}");
    assert!(
        text.contains(
            "struct GetAnswer {\n    String Sku;\n    int? Count;\n    @Xml(header) String? Session;\n}"
        ),
        "{text}"
    );
    assert!(text.contains("    @XmlResponse(bare)\n    PutAnswer put(String sku);"), "{text}");
    // The documentation of the interface, which has the addresses, was none.
    let again = export(&text).expect("a schema can say it");
    let messages = |wsdl: &str| wsdl.split("<wsdl:portType").next().map(str::to_owned);
    assert_eq!(messages(&again), messages(&wsdl));
}

/// The lines of the interface `Stock` without comments.
fn stock(text: &str) -> Vec<String> {
    let at = text.find("interface Stock").expect("it has the interface");
    let lines = text[at..].lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(str::to_owned).collect()
}

/// SOAP-92, SOAP-93: several parts and parts of a type are exported as they were imported, with an element for each part.
#[test]
fn what_was_imported_of_parts_is_exported() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/import/parts");
    let first = std::fs::read_to_string(folder.join("out.creo")).expect("the file is there");
    let wsdl = export(&first).expect("a schema can say it");
    let imported = import("in.wsdl", &import::Options::default(), &mut One(wsdl));
    assert_eq!(imported.report.to_string(), "");
    assert_eq!(stock(&imported.text.expect("it is imported")), stock(&first));
}

/// SOAP-30: the WSDL of an encoded interface is imported as the same interface.
#[test]
fn encoding_survives_a_round_trip() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/import/encoded");
    let first = std::fs::read_to_string(folder.join("out.creo")).expect("the file is there");
    let wsdl = export(&first).expect("a schema can say it");
    assert!(wsdl.contains("style=\"rpc\"") && !wsdl.contains("style=\"document\""), "{wsdl}");
    assert!(wsdl.contains("wsdl:arrayType=\"tns:Item[]\""), "{wsdl}");
    let imported = import("in.wsdl", &import::Options::default(), &mut One(wsdl));
    assert_eq!(stock(&imported.text.expect("it is imported")), stock(&first));
}

#[test]
fn what_a_schema_cannot_say() {
    let two = export("interface I { void find(int a); void findResponse(int b); }")
        .expect_err("two elements have one name");
    assert_eq!(
        two,
        Problem::SameElement { name: "findResponse".into(), namespace: "urn:creo:service".into() }
    );
    assert!(two.to_string().contains("`findResponse` in the namespace `urn:creo:service`"));
    let same = export("interface I { void find(); void findResponse(); }").expect("both are empty");
    assert_eq!(same.matches("<xs:element name=\"findResponse\">").count(), 1);
    let refs = export(
        "struct S { @Xml(namespace = \"urn:x\") int a; } struct T { @Xml(namespace = \"urn:x\") String a; } interface I { void m(S s, T t); }",
    );
    assert_eq!(refs, Err(Problem::SameElement { name: "a".into(), namespace: "urn:x".into() }));
    let types = "@Xml(derived) union A { S s; } @Xml(derived) union B { T t; } struct S {} @Xml(name = \"S\") struct T {} interface I { void m(A a, B b); }";
    assert_eq!(
        export(types),
        Err(Problem::SameType { name: "S".into(), namespace: "urn:creo:service".into() })
    );
    let types: String = (0..100_u32).map(|i| format!("struct T{i} {{ @Xml(inline) U u; }} ")).collect();
    let fields: String = (0..20_001).map(|i| format!("int a{i}; ")).collect();
    let parameters: Vec<String> = (0..100).map(|i| format!("T{i} p{i}")).collect();
    let large =
        format!("union U {{ {fields} }} {types} interface I {{ void m({}); }}", parameters.join(", "));
    assert_eq!(export(&large), Err(Problem::TooLarge));
}

/// Only what an interface needs, and no other part of the description.
#[test]
fn only_what_is_needed() {
    let one = "struct S { T? t; } struct T {} interface I { void m(S s); }";
    let more = format!(
        "{one} @Xml(namespace = \"urn:a\") struct More {{ int a; }} interface J {{ void n(More more); }}"
    );
    assert_eq!(export(one), export(&more));
}

/// Documentation is hostile text.
#[test]
fn documentation_is_escaped() {
    let text =
        export("/** ]]> <script> & \u{9b}31m */ interface I { /** </wsdl:documentation> */ void m(/** \" */ int a); }").expect("a schema can say it");
    assert!(
        text.contains("<wsdl:documentation>]]&gt; &lt;script&gt; &amp; &#x9B;31m</wsdl:documentation>"),
        "{text}"
    );
    assert!(text.contains("&lt;/wsdl:documentation&gt;"));
}

struct Memory(Vec<u8>);

impl import::Files for Memory {
    fn read(&mut self, _path: &str) -> Result<Vec<u8>, import::Unread> {
        Ok(self.0.clone())
    }
}

/// The description imported from a description's WSDL.
fn imported(text: &str) -> String {
    let wsdl = export(text).expect("a schema can say it");
    let import = import("test.wsdl", &import::Options::default(), &mut Memory(wsdl.into_bytes()));
    import.text.unwrap_or_else(|| panic!("{}", import.report))
}

/// Without where the services are, which the importer puts into documentation.
fn without_addresses(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("* SOAP 1."));
    lines.filter(|line| line.trim() != "*").map(|line| format!("{line}\n")).collect()
}

/// A schema is complete: importing and exporting it again gives the same.
#[test]
fn there_and_back() {
    for name in ["data", "facts", "edge", "classes"] {
        let folder = if name == "facts" {
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/schemas")
        } else {
            folder()
        };
        let file = folder.join(if name == "facts" { "xml.creo".to_owned() } else { format!("{name}.creo") });
        let back = |text: &str| without_addresses(&imported(text));
        let once = back(&std::fs::read_to_string(file).expect("the description is there"));
        let twice = back(&once);
        // Elements of another namespace may come back by way of a type of that.
        let (one, other) = if name == "edge" { (twice.clone(), back(&twice)) } else { (once, twice) };
        let first = one.lines().zip(other.lines()).find(|(one, other)| one != other);
        assert!(one == other, "{name}: {first:?}");
    }
}

/// JMS-19: a WSDL for JMS is imported as the same description, with the same address.
#[test]
fn jms_survives_a_round_trip() {
    let address =
        "jms:queue:a%20b?replyToName=c%26d&priority=9&deliveryMode=PERSISTENT&x=%3C\"<&targetService=o.P";
    for (soap12, version) in [(false, "1.1"), (true, "1.2")] {
        let said = if soap12 { "@Xml(soap12) " } else { "" };
        let text = format!("{said}interface I {{ int m(int a); }}");
        let model = model(&text);
        let options = Options { address: address.to_owned(), soap12 };
        let first = wsdl(&model, model.plan(), 0, &options).expect("a schema can say it");
        assert_eq!(first.matches("transport=\"http://www.w3.org/2010/soapjms/\"").count(), 1, "{first}");
        assert!(!first.contains("soap/http"), "{first}");
        let found = import("in.wsdl", &import::Options::default(), &mut One(first.clone()));
        assert!(found.report.is_empty(), "{}", found.report);
        let imported = found.text.expect("it is imported");
        let told = imported.split_once(&format!("SOAP {version}:")).expect("the address is told").1;
        assert_eq!(told.split_whitespace().find(|word| *word != "*"), Some(address), "{imported}");
        let compiled = self::model(&imported);
        let second = wsdl(&compiled, compiled.plan(), 0, &options).expect("a schema can say it");
        let bare = |text: &str| {
            let lines = text
                .lines()
                .filter(|line| !line.contains("wsdl:documentation") && !line.contains("jms:queue"));
            lines.map(|line| format!("{line}\n")).collect::<String>()
        };
        assert_eq!(bare(&second), bare(&first));
    }
}

/// JMS-19: addresses that no client could use.
#[test]
fn addresses_of_jms_are_checked() {
    let model = model("interface I { void m(); }");
    for wrong in [
        "jms:",
        "jms:queue:",
        "JMS:jndi:data",
        "jms:queue:data?priority=10",
        "jms:queue:data?priority=1&priority=1",
        "jms:queue:data\n",
        "jms:queue:da\u{1}ta",
        "jms:queue:data?jndiURL=x",
    ] {
        let found = wsdl(&model, model.plan(), 0, &Options { address: wrong.to_owned(), soap12: true });
        assert!(
            matches!(&found, Err(problem @ Problem::Address { address, .. })
                if address == wrong && problem.to_string().contains("is no address of JMS: ")),
            "{wrong}: {found:?}"
        );
    }
}
