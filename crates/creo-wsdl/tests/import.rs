//! Small WSDLs and what becomes of them, as data: `tests/import/NAME/in.wsdl` (or `in.xsd`), what it imports beside it, the description in `out.creo` and what is
//! told in `report.txt`. A missing file means that nothing is expected. A folder `catalogue` is given as such. A `lenient.creo` is what becomes of it with `--lenient`.
//!
//! With `CREO_UPDATE` set, the expected files are rewritten, and the test still fails: review the changes first.
#![allow(clippy::disallowed_methods)]

mod common;

use common::{Memory, check, folder, import_text, report};
use creo_wsdl::import::{Files, Options, Unread, import};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Files of a folder.
struct Folder(PathBuf);

impl Files for Folder {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Unread> {
        std::fs::read(self.0.join(path)).map_err(|_| Unread::Missing)
    }
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

/// Of two declarations of one name the first is taken, and another is reported unless it says the same.
#[test]
fn second_declarations_are_told() {
    let first = r#"<xs:complexType name="T"><xs:sequence><xs:element name="x" type="xs:int" minOccurs="0"/></xs:sequence></xs:complexType>"#;
    let alike = r#"<xs:complexType name=" T "><xs:annotation><xs:documentation>again</xs:documentation></xs:annotation>
<xs:sequence><xs:element minOccurs="0" xmlns:other="http://www.w3.org/2001/XMLSchema" type="other:int" name="x"/></xs:sequence></xs:complexType>"#;
    let content = r#"<xs:sequence><xs:element name="t" type="t:T"/></xs:sequence>"#;
    for (second, differs) in [
        (first.to_owned(), false),
        (alike.to_owned(), false),
        (first.replace("xs:int", "xs:long"), true),
        (first.replace("xs:int", "t:int"), true),
        (first.replace("minOccurs=\"0\"", ""), true),
        (first.replace("<xs:sequence>", "<xs:sequence><xs:any/>"), true),
        (r#"<xs:simpleType name="T"><xs:restriction base="xs:int"/></xs:simpleType>"#.to_owned(), true),
    ] {
        let found = import_text(&with_content(&format!("{first}{second}"), content));
        let told = report(&found);
        let expected = "warning[left-out]: the type `{urn:t}T` is left out: another type of this name came first, and they differ";
        assert_eq!((told.contains(expected), !told.is_empty()), (differs, differs), "{second}: {told}");
        let text = found.text.expect("it is imported");
        check(&text);
        assert!(text.contains("int? x;"), "{text}");
    }
    let message = r#"<w:message name="in"><w:part name="p" element="t:Call"/></w:message>"#;
    let wsdl = with_content("", content);
    for (other, count) in [(message.to_owned(), 0), (message.replace("Call", "T"), 1)] {
        let told = report(&import_text(&wsdl.replace(message, &format!("{message}{other}"))));
        assert_eq!(told.matches("the message `{urn:t}in` is left out").count(), count, "{told}");
    }
}
