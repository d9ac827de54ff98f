//! Ports, bindings and operations of WSDLs, and which of them are imported.
#![allow(clippy::disallowed_methods)]

mod common;

use common::{check, folder, import_part, import_text, report};
use creo_wsdl::import::{Import, Options};

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

/// What names nothing, or something that is not there, is reported, and the rest is imported.
#[test]
fn what_names_nothing_is_told() {
    let operations = r#"<w:operation name="call"><w:input message="t:a"/><w:output message="t:a"/><w:fault name="F"/><w:fault name="G" message="t:e"/></w:operation>"#;
    let bindings = r#"<w:message name="e"><w:part name="p"/></w:message>
<w:binding name="S" type="t:P"><s:binding transport="x"/><w:operation name="call">
<w:input><s:body use="literal"/><s:header message="t:e" part="p" use="literal"/><s:header message="t:a" use="literal"/></w:input>
<w:output><s:body use="literal"/><s:header part="p" use="literal"/></w:output></w:operation></w:binding>
<w:binding name="N"><s:binding transport="x"/></w:binding>
<w:service name="V"><w:port name="X" binding="t:Nope"/><w:port name="Y"/><w:port name="Z" binding="t:S"><s:address location="http://h/"/></w:port></w:service>"#;
    let wsdl = with_operations(operations, bindings);
    let found = import_text(&wsdl);
    let told = report(&found);
    let expected = [
        "warning[unknown-component]: the fault `F` of `call` is left out: it names no message",
        "warning[left-out]: the fault `G` of `call` is left out: the part `p` of its message has neither an element nor a type",
        "warning[left-out]: the header `p` is left out: this part has neither an element nor a type",
        "warning[unknown-component]: a header is left out: it does not name a message and its part",
        "warning[unknown-component]: the binding `N` is left out: it names no port type",
        "warning[unknown-component]: there is no binding `{urn:t}Nope`",
        "warning[unknown-component]: the port `Y` is left out: it names no binding",
    ];
    assert!(expected.iter().all(|line| told.contains(line)), "{told}");
    // Two headers name nothing.
    assert_eq!((told.lines().count(), found.methods), (expected.len() + 1, 1), "{told}");
    check(&found.text.expect("it is imported"));
    for port in ["X", "Y"] {
        let found = import_part(&wsdl, &Options { ports: vec![port.into()], ..Options::default() });
        let told = report(&found);
        assert!(found.text.is_none() && told.contains("nothing-to-import"), "{told}");
        assert!(expected[5..].iter().any(|line| told.contains(line)), "{told}");
    }
    let found = import_part(&wsdl, &Options { ports: vec!["Z".into()], ..Options::default() });
    assert!(found.text.is_some_and(|text| text.contains("SOAP 1.1: http://h/")));
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
