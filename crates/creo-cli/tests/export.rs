//! `creo export`: the output files, and the choice of the interface.

mod common;

use common::Place;

#[test]
fn wsdl_on_standard_output() {
    let place = Place::with_data();
    let ran = place.creo("export wsdl data.creo --address http://localhost/d?a=1&b=2").exits(0);
    assert!(
        ran.out.starts_with(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<wsdl:definitions name=\"DataService\""
        ),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.matches("location=\"http://localhost/d?a=1&amp;b=2\"").count(), 2);
    assert_eq!(ran.err, "");
    assert_eq!(place.files("."), ["data.creo"]);
    let plain = place.creo("export wsdl data.creo").exits(0).out;
    assert_eq!(plain.matches("location=\"http://localhost/DataService\"").count(), 2);
    assert_eq!(place.creo("export wsdl data.creo --soap11").exits(0).out.matches("location=").count(), 1);
}

#[test]
fn wsdl_in_a_file() {
    let place = Place::with_data();
    let ran = place.creo("export wsdl data.creo -o data.wsdl").exits(0).says("data.wsdl written");
    assert_eq!(ran.out, "");
    assert_eq!(place.read("data.wsdl"), place.creo("export wsdl data.creo").exits(0).out);
    place.creo("export -q wsdl data.creo -o data.wsdl").exits(0).writes_nothing();
    place.creo("export wsdl data.creo -o missing/data.wsdl").exits(1).says("cannot write missing/data.wsdl");
}

/// JMS-19.
#[test]
fn wsdl_for_jms() {
    let place = Place::with_data();
    let ran = place.creo("export wsdl data.creo --address jms:queue:data?priority=9&timeToLive=5").exits(0);
    assert_eq!(ran.out.matches("transport=\"http://www.w3.org/2010/soapjms/\"").count(), 2);
    assert_eq!(ran.out.matches("location=\"jms:queue:data?priority=9&amp;timeToLive=5\"").count(), 2);
    place.write("service.wsdl", &ran.out);
    place.creo("import service.wsdl --out imported --strict").exits(0);
    let imported = place.read("imported/service.creo");
    assert!(imported.contains("SOAP 1.1: jms:queue:data?priority=9&timeToLive=5"), "{imported}");
    let ran = place.creo("export wsdl data.creo --address jms:queue:data?priority=10").exits(1);
    ran.says("error[invalid-value]")
        .says("`jms:queue:data?priority=10` is no address of JMS: priority is a number from 0 to 9");
}

/// JSON-25.
#[test]
fn openapi() {
    let place = Place::with_data();
    let ran = place.creo("export openapi data.creo --address http://localhost/\"d\"").exits(0);
    assert!(
        ran.out.starts_with("{\n  \"openapi\": \"3.1.0\",")
            && ran.out.contains(r#""url": "http://localhost/\"d\"""#),
        "{}",
        ran.out
    );
    place.creo("export openapi data.creo -o data.json").exits(0).says("data.json written");
    assert!(place.read("data.json").contains("\"url\": \"http://localhost/DataService\""));
    place.creo("export openapi data.creo --soap11").exits(1).says("--soap11 is about a WSDL");
    place.creo("export openapi data.creo --address jms:queue:data").exits(1).says("is about HTTP");
}

#[test]
fn one_of_several_interfaces() {
    let place = Place::new();
    place.write("two.creo", "@PACKAGE(\"p\")\nimport \"other.creo\";\ninterface A { void a(); }\ninterface B { void b(); }\nstruct S { q.T t; }\n");
    place.write("other.creo", "@PACKAGE(\"q\")\nstruct T {}\ninterface B { void b(); }\n");
    place.creo("export wsdl two.creo").exits(1).says("several interfaces").says("p.A, p.B, q.B");
    place
        .creo("export wsdl two.creo --interface B")
        .exits(1)
        .says("several interfaces are called `B`")
        .says("p.A, p.B, q.B");
    place
        .creo("export wsdl two.creo --interface C")
        .exits(1)
        .says("there is no interface `C`")
        .says("p.A, p.B, q.B");
    assert!(
        place
            .creo("export wsdl two.creo --interface A")
            .exits(0)
            .out
            .contains("targetNamespace=\"urn:creo:p\"")
    );
    assert!(
        place
            .creo("export wsdl two.creo --interface q.B")
            .exits(0)
            .out
            .contains("targetNamespace=\"urn:creo:q\"")
    );
}

#[test]
fn what_cannot_be_exported() {
    let place = Place::new();
    place.write("none.creo", "struct A {}");
    place.creo("export wsdl none.creo").exits(1).says("the description has no interface");
    place.write("bad.creo", "struct A { Strin a; }");
    place.creo("export wsdl bad.creo").exits(100).says("error[unknown-type]");
    place.write("same.creo", "interface I { void find(int a); void findResponse(int b); }");
    place
        .creo("export wsdl same.creo")
        .exits(1)
        .says("service.I has no WSDL: two different elements are called `findResponse`");
    place.creo("export wsdl missing.creo").exits(1).says("cannot read missing.creo");
    place.creo("export html none.creo").exits(2);
}
