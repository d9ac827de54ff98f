//! Small WSDLs and what becomes of them, as data: `tests/import/NAME/in.wsdl` (or `in.xsd`), what it imports beside it, the description in `out.creo` and what is
//! told in `report.txt`. A missing file means that nothing is expected. A folder `catalogue` is given as such. A `lenient.creo` is what becomes of it with `--lenient`.
//!
//! With `CREO_UPDATE` set, the expected files are rewritten, and the test still fails: review the changes first.
#![allow(clippy::disallowed_methods)]

use creo_check::{LoadError, compile_files};
use creo_diag::Sources;
use creo_wsdl::import::{Files, Import, Options, Unread, import};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/import")
}

/// Files of a folder.
struct Folder(PathBuf);

impl Files for Folder {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Unread> {
        std::fs::read(self.0.join(path)).map_err(|_| Unread::Missing)
    }
}

/// Files in memory.
struct Memory(BTreeMap<String, Vec<u8>>);

impl Files for Memory {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Unread> {
        self.0.get(path).cloned().ok_or(Unread::Missing)
    }
}

fn import_text(text: &str) -> Import {
    import_part(text, &Options::default())
}

fn import_part(text: &str, options: &Options) -> Import {
    import(
        "in.wsdl",
        options,
        &mut Memory(BTreeMap::from([("in.wsdl".to_owned(), text.as_bytes().to_vec())])),
    )
}

fn report(found: &Import) -> String {
    let mut text = String::new();
    for told in found.report.diagnostics() {
        let file = found.sources.file(told.primary.span.file);
        let at = file.position(told.primary.span.start);
        let _ = writeln!(
            text,
            "{}:{}:{}: {}[{}]: {}",
            file.name(),
            at.line,
            at.column,
            told.severity,
            told.code,
            told.message
        );
    }
    text
}

/// The description compiles without a word, and is as `creo fmt` leaves it.
fn check(text: &str) {
    let compilation =
        compile_files(&["in.creo"], &mut |_: &str| Ok::<_, LoadError>(text.as_bytes().to_vec()))
            .expect("it is there");
    assert!(compilation.report.is_empty(), "{}\n{text}", compilation.report);
    let mut sources = Sources::new();
    let id = sources.add("in.creo", text);
    let tree = creo_syntax::parse(sources.file(id), &mut creo_diag::Report::new());
    assert_eq!(creo_syntax::format(sources.file(id), &tree), text);
}

#[test]
fn descriptions_are_as_expected() {
    let update = std::env::var("CREO_UPDATE").is_ok();
    let mut wrong = Vec::new();
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    cases.sort();
    assert!(!cases.is_empty());
    for case in cases {
        let root = if case.join("in.xsd").exists() { "in.xsd" } else { "in.wsdl" };
        let catalogue = std::fs::read_dir(case.join("catalogue")).into_iter().flatten().flatten();
        let mut catalogue: Vec<String> =
            catalogue.map(|entry| format!("catalogue/{}", entry.file_name().to_string_lossy())).collect();
        catalogue.sort();
        let options = Options {
            catalogue,
            include: vec![("urn:mapped".to_owned(), "mapped/types.xsd".to_owned())],
            ..Options::default()
        };
        let lenient = Options { lenient: true, ..options.clone() };
        let lenient = import(root, &lenient, &mut Folder(case.clone())).text.unwrap_or_default();
        let found = import(root, &options, &mut Folder(case.clone()));
        assert_eq!(import(root, &options, &mut Folder(case.clone())).text, found.text, "twice the same");
        if let Some(text) = found.text.as_ref().filter(|_| !update) {
            check(text);
            check(&lenient);
        }
        let mut expected =
            vec![("out.creo", found.text.clone().unwrap_or_default()), ("report.txt", report(&found))];
        if case.join("lenient.creo").exists() {
            expected.push(("lenient.creo", lenient));
        }
        for (name, text) in expected {
            let path = case.join(name);
            let expected = std::fs::read_to_string(&path).unwrap_or_default();
            if expected == text {
                continue;
            }
            wrong.push(format!("{}: expected\n{expected}\nfound\n{text}", path.display()));
            if update && text.is_empty() {
                std::fs::remove_file(&path).expect("it was there");
            } else if update {
                std::fs::write(&path, text).expect("it can be written");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A WSDL with one method, whose request has the content.
fn with_content(types: &str, content: &str) -> String {
    format!(
        r#"<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:t="urn:t" targetNamespace="urn:t">
<w:types><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t" elementFormDefault="qualified">{types}
<xs:element name="Call"><xs:complexType>{content}</xs:complexType></xs:element></xs:schema></w:types>
<w:message name="in"><w:part name="p" element="t:Call"/></w:message>
<w:portType name="P"><w:operation name="Send"><w:input message="t:in"/></w:operation></w:portType>
<w:binding name="B" type="t:P"><s:binding transport="x"/><w:operation name="Send"><w:input><s:body use="literal"/></w:input></w:operation></w:binding>
</w:definitions>"#
    )
}

#[test]
fn what_is_no_wsdl_is_told() {
    let cases = [
        ("", "unreadable-xml"),
        ("<a/>", "not-wsdl"),
        ("<html><body>Not found</body></html>", "not-wsdl"),
        ("<description xmlns='http://www.w3.org/ns/wsdl'/>", "not-wsdl"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "unreadable-xml"),
        ("<definitions xmlns='http://schemas.xmlsoap.org/wsdl/'/>", "nothing-to-import"),
        ("<definitions xmlns='http://schemas.xmlsoap.org/wsdl/'", "unreadable-xml"),
    ];
    for (text, code) in cases {
        let found = import_text(text);
        assert!(found.text.is_none(), "{text}");
        assert!(report(&found).contains(code), "{text}: {}", report(&found));
    }
    let missing = import("none.wsdl", &Options::default(), &mut Memory(BTreeMap::new()));
    assert!(missing.text.is_none() && missing.report.has_errors());
}

/// Imports compile, whatever the namespace; what no description can express is reported at its place.
#[test]
fn namespaces_are_taken_or_reported() {
    let wsdl = with_content("", r#"<xs:sequence><xs:element name="a" type="xs:int"/></xs:sequence>"#);
    for (namespace, code) in [
        ("http://example.org/\u{e9}\u{65e5}", ""),
        ("${package}/{name}", "odd-namespace"),
        ("plain", "odd-namespace"),
        ("a|b^c`d\\e", "odd-namespace"),
        ("it's&amp;", "odd-namespace"),
        ("http://www.w3.org/2001/XMLSchema-instance", "invalid-namespace"),
        ("http://www.w3.org/2000/xmlns/", "invalid-namespace"),
        ("two words", "invalid-namespace"),
        ("&lt;name>", "invalid-namespace"),
    ] {
        let found = import_text(&wsdl.replace("urn:t", namespace));
        let told = report(&found);
        assert_eq!(
            told.contains("in.wsdl:") && told.contains(code),
            !told.is_empty() || !code.is_empty(),
            "{namespace}: {told}"
        );
        assert!(!code.is_empty() || told.is_empty(), "{namespace}: {told}");
        match found.text {
            Some(text) => check(&text),
            None => assert_eq!(code, "invalid-namespace", "{told}"),
        }
    }
}

/// Groups that hold groups twice double at each step: the budget ends it.
#[test]
fn groups_do_not_multiply_without_end() {
    let mut types = String::from(
        r#"<xs:group name="g0"><xs:sequence><xs:element name="a" type="xs:int"/></xs:sequence></xs:group>"#,
    );
    for level in 1..60 {
        let inner = level - 1;
        let _ = write!(
            types,
            r#"<xs:group name="g{level}"><xs:sequence><xs:group ref="t:g{inner}"/><xs:group ref="t:g{inner}"/></xs:sequence></xs:group>"#
        );
    }
    let found = import_text(&with_content(&types, r#"<xs:sequence><xs:group ref="t:g59"/></xs:sequence>"#));
    assert!(report(&found).contains("import-too-large"), "{}", report(&found));
    assert!(found.text.is_none());
}

/// XML-34, XML-35: a nillable element may be missing, so it does not tell one group from the next.
#[test]
fn groups_of_nillable_elements_are_looser() {
    let a = r#"<xs:element name="a" type="xs:int" nillable="true"/>"#;
    let b = r#"<xs:element name="b" type="xs:int" nillable="true"/>"#;
    let c = r#"<xs:element name="c" nillable="true"><xs:simpleType><xs:list itemType="xs:int"/></xs:simpleType></xs:element>"#;
    for (content, expected) in [
        (format!(r#"<xs:sequence maxOccurs="unbounded">{a}{b}</xs:sequence>"#), "int? a;"),
        (
            format!(r#"<xs:choice maxOccurs="unbounded"><xs:sequence>{a}{b}</xs:sequence>{c}</xs:choice>"#),
            "String? c;",
        ),
        (format!(r#"<xs:choice maxOccurs="unbounded">{a}{c}</xs:choice>"#), "String? c;"),
        (format!("<xs:choice>{a}{c}</xs:choice>"), "@Xml(list, nillable) int[]? c;"),
    ] {
        let found = import_text(&with_content("", &content));
        let text = found.text.clone().unwrap_or_else(|| panic!("{content}: {}", report(&found)));
        check(&text);
        assert!(text.contains("union CallChoice {") && text.contains(expected), "{text}");
    }
}

#[test]
fn circles_end() {
    let types = r#"
<xs:group name="g"><xs:sequence><xs:element name="a" type="xs:int"/><xs:group ref="t:g"/></xs:sequence></xs:group>
<xs:attributeGroup name="h"><xs:attribute name="b"/><xs:attributeGroup ref="t:h"/></xs:attributeGroup>
<xs:complexType name="c"><xs:complexContent><xs:extension base="t:d"/></xs:complexContent></xs:complexType>
<xs:complexType name="d"><xs:complexContent><xs:extension base="t:c"/></xs:complexContent></xs:complexType>
<xs:simpleType name="e"><xs:restriction base="t:f"/></xs:simpleType>
<xs:simpleType name="f"><xs:restriction base="t:e"/></xs:simpleType>
<xs:simpleType name="u"><xs:union memberTypes="t:u t:l"/></xs:simpleType>
<xs:simpleType name="l"><xs:list itemType="t:u"/></xs:simpleType>
<xs:element name="x" substitutionGroup="t:y"/><xs:element name="y" substitutionGroup="t:x"/>
<xs:complexType name="node"><xs:sequence><xs:element name="next" type="t:node"/></xs:sequence></xs:complexType>"#;
    let content = r#"<xs:sequence><xs:group ref="t:g"/><xs:element name="c" type="t:c"/><xs:element name="e" type="t:e"/><xs:element name="u" type="t:u"/>
<xs:element ref="t:x"/><xs:element name="n" type="t:node"/></xs:sequence><xs:attributeGroup ref="t:h"/>"#;
    let found = import_text(&with_content(types, content));
    let text = found.text.expect("it is imported");
    check(&text);
    assert!(text.contains("node? next;"), "{text}");
}

/// Types that extend one another, element by element, a thousand deep and more.
#[test]
fn long_chains_end() {
    let mut types = String::from(
        r#"<xs:complexType name="c0"><xs:sequence><xs:element name="a0" type="xs:int"/></xs:sequence></xs:complexType>"#,
    );
    for n in 1..1_500 {
        let _ = write!(
            types,
            r#"<xs:complexType name="c{n}"><xs:complexContent><xs:extension base="t:c{}"><xs:sequence><xs:element name="a{n}" type="xs:int"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>"#,
            n - 1
        );
    }
    let found = import_text(&with_content(
        &types,
        r#"<xs:sequence><xs:element name="c" type="t:c1499"/></xs:sequence>"#,
    ));
    assert!(found.text.is_some(), "{}", report(&found));
    let mut simple =
        String::from(r#"<xs:simpleType name="s0"><xs:restriction base="xs:int"/></xs:simpleType>"#);
    for n in 1..5_000 {
        let _ = write!(
            simple,
            r#"<xs:simpleType name="s{n}"><xs:restriction base="t:s{}"/></xs:simpleType>"#,
            n - 1
        );
    }
    assert!(import_text(&with_content(&simple, r#"<xs:attribute name="s" type="t:s4999"/>"#)).text.is_some());
}

/// Names with any characters, documentation that would end a comment, values that would end a string.
#[test]
fn hostile_texts_stay_texts() {
    let types = r#"
<xs:simpleType name="E"><xs:restriction base="xs:string"><xs:enumeration value="&quot;;}"/><xs:enumeration value="\"/><xs:enumeration value="&#9;"/>
<xs:enumeration value="a b"/><xs:enumeration value="a-b"/><xs:enumeration value="a&#x202e;b"/><xs:enumeration value="*/"/></xs:restriction></xs:simpleType>
<xs:complexType name="creo_x"><xs:annotation><xs:documentation>*/ struct Evil {} /* // &#x2028; \u002a/</xs:documentation></xs:annotation>
<xs:sequence><xs:element name="日本" type="t:E" default="&quot;;}"/><xs:element name="creo_y" type="xs:string" default="*/&quot;&#10;x"/></xs:sequence></xs:complexType>
<xs:complexType name="struct"><xs:sequence/></xs:complexType><xs:complexType name="String"><xs:sequence/></xs:complexType>"#;
    let content = r#"<xs:sequence><xs:element name="a.b-c" type="t:creo_x"/><xs:element name="s" type="t:struct"/><xs:element name="t" type="t:String"/></xs:sequence>"#;
    let found = import_text(&with_content(types, content));
    let text = found.text.expect("it is imported");
    check(&text);
    assert!(!text.lines().any(|line| line.trim_start().starts_with("struct Evil")), "{text}");
}

/// A default or an enumeration is the schema's value, or a comment.
#[test]
fn values_of_the_schema_are_kept() {
    let types = r#"
<xs:simpleType name="E"><xs:restriction base="xs:string"><xs:enumeration value="a&#9;b"/><xs:enumeration value="a b"/><xs:enumeration value="a  b"/></xs:restriction></xs:simpleType>
<xs:simpleType name="F"><xs:restriction base="t:G"><xs:enumeration value="a&#9;b"/><xs:enumeration value="c"/></xs:restriction></xs:simpleType>
<xs:simpleType name="G"><xs:restriction base="xs:token"/></xs:simpleType>"#;
    for (ty, default, expected) in [
        (
            "xs:unsignedLong",
            "18446744073709551615",
            "@Xml(type = \"unsignedLong\") Decimal x = 18446744073709551615;",
        ),
        ("xs:decimal", "-0123456789012345678901.50", "Decimal x = -123456789012345678901.50;"),
        ("xs:string", "&#13;&#10;\r\n", r#"String x = "\r\n ";"#),
        ("xs:normalizedString", " a&#10;\n", r#"String x = " a  ";"#),
        ("xs:token", " a&#10;\nb ", r#"String x = "a b";"#),
        ("xs:float", "1e40", "// The schema's default: 1e40\n    float x;"),
        ("xs:double", "1e400", "// The schema's default: 1e400\n    double x;"),
        ("xs:float", "-0", "float x = -0.0;"),
        ("t:E", "a&#9;b", r#"@Xml(name = "a\tb") a_b,"#),
        ("t:E", "a  b", r#"@Xml(name = "a  b")"#),
        ("t:E", "a b", r#"@Xml(name = "a b")"#),
        ("t:F", "c", r#"@Xml(name = "a b") a_b,"#),
    ] {
        let content = format!(
            r#"<xs:sequence><xs:element name="in"><xs:complexType><xs:sequence><xs:element name="x" type="{ty}" default="{default}"/></xs:sequence></xs:complexType></xs:element></xs:sequence>"#
        );
        let found = import_text(&with_content(types, &content));
        let text = found.text.clone().unwrap_or_else(|| panic!("{ty} {default}: {}", report(&found)));
        check(&text);
        assert!(text.contains(expected), "{ty} {default}: {text}");
    }
}

/// Pieces of a WSDL, cut at any place: an answer, never a panic.
#[test]
fn broken_files_are_answered() {
    let whole = std::fs::read_to_string(folder().join("content/in.wsdl")).expect("the file is there");
    let step = (whole.len() / 60).max(1);
    for cut in (0..whole.len()).step_by(step).filter(|cut| whole.is_char_boundary(*cut)) {
        assert!(import_text(&whole[..cut]).text.is_none());
        let without = format!("{}{}", &whole[..cut], whole.get(cut + step..).unwrap_or(""));
        if let Some(text) = import_text(&without).text {
            check(&text);
        }
    }
    let changes = [
        ("type=\"", "type=\"x"),
        ("xs:sequence", "xs:choice"),
        ("name=\"", "name=\" "),
        ("base=\"", "base=\"t:"),
        ("ref=\"t:", "ref=\""),
        ("urn:", "urn: "),
    ];
    for (word, other) in changes {
        if let Some(text) = import_text(&whole.replace(word, other)).text {
            check(&text);
        }
    }
}

#[test]
fn many_elements_are_imported() {
    let elements: String = (0..50_000).fold(String::new(), |mut text, n| {
        let _ = write!(text, "<xs:element name=\"e{n}\" type=\"xs:int\"/>");
        text
    });
    let found = import_text(&with_content("", &format!("<xs:sequence>{elements}</xs:sequence>")));
    assert!(found.text.is_some_and(|text| text.contains("int e49999")));
}

/// Another order of files gives the same description.
#[test]
fn the_order_of_files_does_not_matter() {
    let wsdl = |first: &str, second: &str| {
        format!(
            r#"<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:a="urn:a" xmlns:b="urn:b" targetNamespace="urn:t"><w:types>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t"><xs:import namespace="urn:{first}" schemaLocation="{first}.xsd"/>
<xs:import namespace="urn:{second}" schemaLocation="{second}.xsd"/>
<xs:complexType name="Both"><xs:sequence><xs:element name="x" type="a:Status"/><xs:element name="y" type="b:Status"/></xs:sequence></xs:complexType></xs:schema></w:types>
</w:definitions>"#
        )
    };
    let xsd = |name: &str, other: &str| {
        format!(
            r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:{name}"><xs:import namespace="urn:{other}" schemaLocation="{other}.xsd"/>
<xs:complexType name="Status"><xs:sequence><xs:element name="{name}" type="xs:int"/></xs:sequence></xs:complexType></xs:schema>"#
        )
    };
    let all = |first, second| {
        let files = [("in.wsdl", wsdl(first, second)), ("a.xsd", xsd("a", "b")), ("b.xsd", xsd("b", "a"))];
        let files = files.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect();
        import("in.wsdl", &Options::default(), &mut Memory(files)).text.expect("it is imported")
    };
    let text = all("a", "b");
    check(&text);
    assert!(text.contains("struct StatusType"), "{text}");
    assert_eq!(text, all("b", "a"));
}

#[test]
fn a_part_of_a_service_can_be_asked_for() {
    let text = std::fs::read_to_string(folder().join("addressing/in.wsdl")).expect("the file is there");
    let part = |ports: &[&str], operations: &[&str]| {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        import_part(
            &text,
            &Options { ports: owned(ports), operations: owned(operations), ..Options::default() },
        )
    };
    let interfaces = |found: &Import| -> Vec<String> {
        let text = found.text.clone().expect("it is imported");
        check(&text);
        let lines = text.lines().filter_map(|line| line.strip_prefix("interface "));
        lines.map(|line| line.trim_end_matches(" {").to_owned()).collect()
    };
    let found = part(&["O"], &[]);
    assert_eq!((interfaces(&found), found.operations, found.methods), (vec!["Orders".to_owned()], 3, 3));
    // Demands of other ports are not reported.
    assert_eq!(found.report.diagnostics().len(), 1, "{}", report(&found));
    let found = part(&["O", "P"], &["Ping"]);
    assert_eq!((interfaces(&found), found.operations), (vec!["Orders".into(), "Ported".into()], 2));
    assert!(!found.text.expect("it is imported").contains("Find("));
    let found = part(&[], &["Orders.Find"]);
    assert_eq!((interfaces(&found), found.methods), (vec!["Orders".into()], 1));
    for (ports, operations, told) in [
        (&["Q"][..], &[][..], "no port is called `Q`"),
        (&[], &["Pong"], "no operation is called `Pong`"),
        (&["D"], &["Find"], "no operation is called `Find`"),
        (&[], &["Find", "Either.Find"], "no operation is called `Either.Find`"),
    ] {
        let found = part(ports, operations);
        assert!(found.text.is_none() && report(&found).contains(told), "{told}: {}", report(&found));
    }
}

/// JMS-20: properties that are valid alone, and make an address too long.
#[test]
fn an_address_of_jms_stays_short() {
    let text = std::fs::read_to_string(folder().join("jms/in.wsdl")).expect("the file is there");
    let long = "a".repeat(5_000);
    for (part, location) in [
        (text.replace("answers &amp; more", &long), "jms:queue:slow%20one"),
        (text.replace("jms:queue:slow%20one", &format!("jms:queue:{long}")), &*format!("jms:queue:{long}")),
    ] {
        let found = import_part(&part, &Options { ports: vec!["Slow".into()], ..Options::default() });
        let told = report(&found);
        assert!(told.contains("odd-address") && told.contains("more than 4096 characters"), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        let text = found.text.expect("it is imported");
        check(&text);
        let words: Vec<&str> = text.split_whitespace().filter(|word| word.starts_with("jms:")).collect();
        assert_eq!(words, [location]);
    }
}

/// JMS-20: only what is selected counts.
#[test]
fn ports_of_jms_can_be_chosen() {
    let text = std::fs::read_to_string(folder().join("jms/in.wsdl")).expect("the file is there");
    let found = import_part(&text, &Options { ports: vec!["Whole".into()], ..Options::default() });
    let text = found.text.expect("it is imported");
    assert!(text.contains("@Xml(soap12)") && text.contains("SOAP 1.2: jms:topic:all?timeToLive=1"), "{text}");
    assert_eq!(text.matches("jms:").count(), 1, "{text}");
}

/// A WSDL whose port type has the operations, with the bindings.
fn with_operations(operations: &str, bindings: &str) -> String {
    format!(
        r#"<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:h="http://schemas.xmlsoap.org/wsdl/http/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">
<w:types><xs:schema targetNamespace="urn:t"><xs:element name="A" type="xs:int"/><xs:complexType name="T"><xs:sequence/></xs:complexType></xs:schema></w:types>
<w:message name="a"><w:part name="a" element="t:A"/></w:message><w:message name="n"><w:part name="n" type="xs:int"/></w:message>
<w:portType name="P">{operations}</w:portType>{bindings}</w:definitions>"#
    )
}

/// SOAP-96: plain HTTP alone says what it is; beside SOAP it is a warning; the types can be had.
#[test]
fn plain_http_is_named() {
    let get = r#"<w:binding name="G" type="t:P"><h:binding verb="GET"/><w:operation name="get"><h:operation location="/get"/><w:input><h:urlEncoded/></w:input></w:operation></w:binding>"#;
    let other = r#"<w:binding name="X" type="t:P"><x:binding xmlns:x="urn:x"/></w:binding>"#;
    let soap = r#"<w:binding name="S" type="t:P"><s:binding style="rpc" transport="x"/><w:operation name="get"><w:input><s:body use="literal"/></w:input></w:operation></w:binding>"#;
    let operations = r#"<w:operation name="get"><w:input message="t:n"/></w:operation>"#;
    let named = "warning[left-out]: the binding `G` is left out: it is plain HTTP (GET), without SOAP";
    let only = "error[nothing-to-import]: no operation is left to import: the bindings are plain HTTP";
    for (bindings, is_only) in
        [(get.to_owned(), true), (format!("{get}{other}"), false), (format!("{other}{get}"), false)]
    {
        let wsdl = with_operations(operations, &bindings);
        let found = import_text(&wsdl);
        let told = report(&found);
        assert!(found.text.is_none() && told.contains(named), "{told}");
        assert_eq!(told.contains(only), is_only, "{told}");
        let types = import_part(&wsdl, &Options { all_types: true, ..Options::default() });
        assert!(types.text.as_ref().is_some_and(|text| text.contains("struct T {")), "{}", report(&types));
    }
    let found = import_text(&with_operations(operations, &format!("{get}{soap}")));
    assert!(report(&found).contains(named) && found.text.is_some_and(|text| text.contains("get(int n)")));
}

/// SOAP-95: an operation that the service begins is a warning, and only that.
#[test]
fn what_no_client_can_call_is_a_warning() {
    let operations = r#"<w:operation name="told"><w:output message="t:a"/></w:operation>
<w:operation name="asked"><w:output message="t:a"/><w:input message="t:a"/></w:operation><w:operation name="call"><w:input message="t:a"/></w:operation>"#;
    let binding = r#"<w:binding name="S" type="t:P"><s:binding transport="x"/><w:operation name="told"><w:output><s:body use="literal"/></w:output></w:operation>
<w:operation name="asked"/><w:operation name="call"><w:input><s:body use="literal"/></w:input></w:operation></w:binding>"#;
    let found = import_text(&with_operations(operations, binding));
    let told = report(&found);
    assert!(
        told.contains("warning[left-out]: the operation `told` is left out: it is a notification"),
        "{told}"
    );
    assert!(
        told.contains("warning[left-out]: the operation `asked` is left out: it is solicit-response"),
        "{told}"
    );
    assert_eq!((told.lines().count(), found.operations, found.methods), (2, 3, 1), "{told}");
    check(&found.text.expect("it is imported"));
}

/// SOAP-98: what a client cannot call, or does not want, does not decide whether the others are encoded.
#[test]
fn only_what_is_called_decides_on_encoding() {
    let operations = r#"<w:operation name="old"><w:input message="t:n"/></w:operation><w:operation name="new"><w:input message="t:n"/></w:operation>
<w:operation name="told"><w:output message="t:n"/></w:operation>"#;
    let binding = r#"<w:binding name="S" type="t:P"><s:binding style="rpc" transport="x"/><w:operation name="old"><w:input><s:body use="encoded"/></w:input></w:operation>
<w:operation name="new"><w:input><s:body use="literal"/></w:input></w:operation><w:operation name="told"><w:output><s:body use="literal"/></w:output></w:operation></w:binding>"#;
    let wsdl = with_operations(operations, binding);
    for (asked, encoded) in [("old", true), ("new", false)] {
        let found = import_part(&wsdl, &Options { operations: vec![asked.into()], ..Options::default() });
        assert_eq!(report(&found), "");
        let text = found.text.expect("it is imported");
        check(&text);
        assert_eq!(text.contains("@Xml(encoded)"), encoded, "{text}");
    }
    let without = wsdl.replace(r#"<w:operation name="new"><w:input message="t:n"/></w:operation>"#, "");
    let found = import_text(&without);
    assert_eq!(report(&found).lines().count(), 1, "{}", report(&found));
    assert!(found.text.is_some_and(|text| text.contains("@Xml(encoded)")));
}

/// Of several services, those whose ports are selected are imported.
#[test]
fn ports_of_several_services_can_be_chosen() {
    let text = std::fs::read_to_string(folder().join("parts/in.wsdl")).expect("the file is there");
    for (port, there) in [
        ("Soap", "http://stock.example.org/soap"),
        ("Stock.Soap", "http://stock.example.org/soap"),
        ("Other", "http://second.example.org/soap"),
    ] {
        let found = import_part(&text, &Options { ports: vec![port.into()], ..Options::default() });
        let text = found.text.expect("it is imported");
        assert!(
            text.contains(&format!("SOAP 1.1: {there}")) && text.matches("http://").count() == 1,
            "{text}"
        );
    }
    let found = import_part(&text, &Options { ports: vec!["Second.Soap".into()], ..Options::default() });
    assert!(report(&found).contains("no port is called `Second.Soap`"), "{}", report(&found));
    let found = import_part(&text, &Options { ports: vec!["Get".into()], ..Options::default() });
    assert!(
        found.text.is_none() && report(&found).contains("plain HTTP, without SOAP"),
        "{}",
        report(&found)
    );
    let found = import_part(&text, &Options { ports: vec!["Soap12".into()], ..Options::default() });
    assert!(found.text.is_some_and(|text| text.contains("@Xml(soap12)") && text.contains("urn:scan\"")));
}
