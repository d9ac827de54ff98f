//! `creo import`: what is written where, what is mapped to which file, and how it ends.

mod common;

use common::Place;

const SHOP: &str = r#"<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:shop" xmlns:o="urn:other" targetNamespace="urn:shop">
<types><xs:schema targetNamespace="urn:shop"><xs:import namespace="urn:other" schemaLocation="http://schemas.example.org/other.xsd"/>
<xs:element name="Order" type="o:Order"/></xs:schema></types>
<message name="Order"><part name="p" element="t:Order"/></message>
<portType name="Shop"><operation name="Place"><input message="t:Order"/></operation></portType>
</definitions>"#;

const OTHER: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:other">
<xs:complexType name="Order"><xs:sequence><xs:element name="item" type="xs:string"/></xs:sequence></xs:complexType>
<xs:complexType name="Unused"><xs:sequence/></xs:complexType></xs:schema>"#;

fn place() -> Place {
    let place = Place::new();
    place.write("shop.wsdl", SHOP);
    place.write("schemas/deep/other.xsd", OTHER);
    place
}

#[test]
fn files_are_mapped_and_never_fetched() {
    let place = place();
    place.creo("import shop.wsdl --out none").exits(0).says("warning[schema-not-found]").says("warning[unknown-component]").says("--include");
    assert!(place.read("none/shop.creo").contains("@Xml(raw) String Order"));
    place.creo("import shop.wsdl --out none2 --strict").exits(100).says("nothing is written");
    assert!(!place.path("none2").exists());
    for (number, include) in
        ["http://schemas.example.org/other.xsd=schemas/deep/other.xsd", "urn:other=schemas/deep/other.xsd", "schemas"].into_iter().enumerate()
    {
        let ran = place.creo(&format!("import shop.wsdl --out a{number} --strict --include {include}")).exits(0);
        assert!(ran.err.ends_with(&format!("a{number}/shop.creo: 1 method, 1 type\n")), "{}", ran.err);
        assert!(place.read(&format!("a{number}/shop.creo")).contains("struct Order {\n    String item;\n}"));
        place.creo(&format!("check a{number}/shop.creo")).exits(0).says("without mistakes");
        place.creo(&format!("fmt --check a{number}/shop.creo")).exits(0);
    }
}

#[test]
fn the_package_and_the_types_are_chosen() {
    let place = place();
    place.creo("import shop.wsdl --out a --include schemas --package org.example.mine --all-types").exits(0);
    let text = place.read("a/shop.creo");
    assert!(text.contains("@PACKAGE(\"org.example.mine\")") && text.contains("struct Unused {}"), "{text}");
    place.creo("import shop.wsdl --out a --package 1.x").exits(1).says("no name of a package");
}

#[test]
fn a_description_is_not_overwritten() {
    let place = place();
    place.creo("import shop.wsdl --out a --include schemas").exits(0);
    place.creo("import shop.wsdl --out a --include schemas").exits(0);
    place.write("a/shop.creo", "struct Mine {}\n");
    place.creo("import shop.wsdl --out a --include schemas").exits(1).says("is in the way").says("--force");
    assert_eq!(place.read("a/shop.creo"), "struct Mine {}\n");
    place.creo("import shop.wsdl --out a --include schemas --force").exits(0);
    assert!(place.read("a/shop.creo").contains("struct Order"));
}

#[test]
fn what_cannot_be_read_is_told() {
    let place = place();
    place.creo("import none.wsdl --out a").exits(1).says("there is no such file");
    place.creo("import shop.wsdl --out a --include nowhere").exits(1).says("is no folder");
    place.creo("import shop.wsdl --out a --include urn:x=nowhere.xsd").exits(1).says("there is no such file");
    place.write("page.wsdl", "<!DOCTYPE html><html></html>");
    place.creo("import page.wsdl --out a").exits(100).says("error[unreadable-xml]").says("document type");
    place.write("page.wsdl", "<html></html>");
    place.creo("import page.wsdl --out a").exits(100).says("error[not-wsdl]");
    assert!(!place.path("a").exists());
}
