//! `creo import`: the output files, the mapping of locations to files, and the exit codes.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // Tests of a program make pipes and links.

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
    place
        .creo("import shop.wsdl --out none")
        .exits(0)
        .says("warning[schema-not-found]")
        .says("warning[unknown-component]")
        .says("--include");
    assert!(place.read("none/shop.creo").contains("@Xml(raw) String Order"));
    place.creo("import shop.wsdl --out none2 --strict").exits(100).says("nothing is written");
    assert!(!place.path("none2").exists());
    for (number, include) in [
        "http://schemas.example.org/other.xsd=schemas/deep/other.xsd",
        "urn:other=schemas/deep/other.xsd",
        "schemas",
    ]
    .into_iter()
    .enumerate()
    {
        let ran =
            place.creo(&format!("import shop.wsdl --out a{number} --strict --include {include}")).exits(0);
        assert!(ran.err.ends_with(&format!("a{number}/shop.creo: 1 method, 1 type\n")), "{}", ran.err);
        assert!(place.read(&format!("a{number}/shop.creo")).contains("struct Order {\n    String item;\n}"));
        place.creo(&format!("check a{number}/shop.creo")).exits(0).says(" OK");
        place.creo(&format!("fmt --check a{number}/shop.creo")).exits(0);
    }
}

#[test]
fn a_lenient_import_makes_fields_optional() {
    let place = place();
    place.creo("import shop.wsdl --out a --include schemas --lenient").exits(0);
    let text = place.read("a/shop.creo");
    assert!(text.contains("// Imported with --lenient: "), "{text}");
    assert!(text.contains("struct Order {\n    String? item;\n}"), "{text}");
    place.creo("check a/shop.creo").exits(0).says(" OK");
}

#[test]
fn the_package_and_the_types_are_chosen() {
    let place = place();
    place.creo("import shop.wsdl --out a --include schemas --package org.example.mine --all-types").exits(0);
    let text = place.read("a/shop.creo");
    assert!(text.contains("@PACKAGE(\"org.example.mine\")") && text.contains("struct Unused {}"), "{text}");
    for package in ["1.x", "org..x", "org.creo_x", "x-y"] {
        let command = format!("import shop.wsdl --out a --package {package}");
        place.creo(&command).exits(1).says("no name of a package");
    }
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
fn a_url_is_to_be_saved_first() {
    let place = Place::new();
    for command in [
        "import http://h/S?wsdl --out a",
        "check https://h/S?wsdl",
        "generate HTTP://h/S?wsdl --target java --out a",
    ] {
        place
            .creo(command)
            .exits(1)
            .says("is a URL, and nothing is fetched")
            .says("curl --globoff -o service.wsdl -- '");
    }
    let ran = place
        .command()
        .args(["import", "http://h/a'$(x)\u{1b}[2J", "--out", "a"])
        .output()
        .expect("creo runs");
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(!told.contains('\u{1b}') && !told.contains("curl -"), "{told}");
    let ran = place.command().args(["import", "http://h/a'$(x)", "--out", "a"]).output().expect("creo runs");
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(told.contains(r"-- 'http://h/a'\''$(x)'"), "{told}");
    assert!(!place.path("a").exists());
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

/// `a/shop.wsdl`, which imports a location, with files around it: `secret.xsd` would be a good schema, `passwd` is no XML.
fn with_location(location: &str) -> Place {
    let place = Place::new();
    place.write("secret.xsd", OTHER);
    place.write("passwd", "root:x:0:0:root\n");
    locate(&place, location);
    place
}

fn locate(place: &Place, location: &str) {
    place.write("a/shop.wsdl", SHOP.replace("http://schemas.example.org/other.xsd", location));
}

const READ: &str = "struct Order {\n    String item;\n}";

#[test]
fn a_wsdl_opens_no_file_outside_its_folder() {
    let place = with_location("");
    let absolute = place.path("secret.xsd").display().to_string();
    let outside = [
        "../secret.xsd",
        "../passwd",
        "../none.xsd",
        "x/../../secret.xsd",
        "..\\secret.xsd",
        "%2e%2e/secret.xsd",
        "../../../../../etc/passwd",
        "../none/deep/x.xsd",
    ];
    for location in outside {
        locate(&place, location);
        let ran =
            place.creo("import a/shop.wsdl --out out --force").exits(0).says("warning[schema-not-found]");
        let ran = ran
            .says(
                "is not read: it is outside the folder of the imported file, and --include does not name it",
            )
            .says("--include LOCATION=FILE");
        let name = location.rsplit(['/', '\\']).next().unwrap_or(location);
        assert!(ran.err.contains(&format!("{name}` is not read")), "the message names the file: {}", ran.err);
        assert!(!ran.err.contains("root:"), "{}", ran.err);
        assert!(!place.read("out/shop.creo").contains(READ), "{location}");
    }
    for location in
        [absolute.clone(), format!("file://{absolute}"), "/dev/zero".to_owned(), "C:\\secret.xsd".to_owned()]
    {
        locate(&place, &location);
        place
            .creo("import a/shop.wsdl --out out --force")
            .exits(0)
            .says("is not read: it is an absolute path")
            .says("--include LOCATION=FILE");
        assert!(!place.read("out/shop.creo").contains(READ), "{location}");
    }
    // From its own folder, where the folder has no name.
    locate(&place, "../secret.xsd");
    let output = place
        .command()
        .current_dir(place.path("a"))
        .args(["import", "shop.wsdl", "--out", "out"])
        .output()
        .expect("creo runs");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && told.contains("`../secret.xsd` is not read"), "{told}");
    assert!(!place.read("a/out/shop.creo").contains(READ));
}

#[test]
fn the_user_allows_files_outside_the_folder() {
    let place = with_location("../secret.xsd");
    let absolute = place.path("secret.xsd").display().to_string();
    place.creo("import a/shop.wsdl --out file --strict --include ../secret.xsd=secret.xsd").exits(0);
    place.creo("import a/shop.wsdl --out space --strict --include urn:other=secret.xsd").exits(0);
    place.creo("import a/shop.wsdl --out folder --strict --include .").exits(0);
    locate(&place, &absolute);
    place
        .creo(&format!("import a/shop.wsdl --out absolute --strict --include {absolute}=secret.xsd"))
        .exits(0);
    // A file of an included folder may only refer to files in that folder.
    locate(&place, "http://example.org/first.xsd");
    let first = |location: &str| {
        format!(
            r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:other"><xs:include schemaLocation="{location}"/></xs:schema>"#
        )
    };
    place.write("b/c/first.xsd", first("../other.xsd"));
    place.write("b/other.xsd", OTHER);
    place.creo("import a/shop.wsdl --out below --strict --include b").exits(0);
    place
        .creo("import a/shop.wsdl --out apart --include b/c")
        .exits(0)
        .says("b/other.xsd` is not read: it is outside");
    for out in ["file", "space", "folder", "absolute", "below"] {
        assert!(place.read(&format!("{out}/shop.creo")).contains(READ), "{out}");
    }
    assert!(!place.read("apart/shop.creo").contains(READ));
}

#[cfg(unix)]
#[test]
fn links_are_judged_by_where_they_lead() {
    use std::os::unix::fs::symlink;
    let place = with_location("link.xsd");
    symlink(place.path("secret.xsd"), place.path("a/link.xsd")).expect("a link");
    place
        .creo("import a/shop.wsdl --out file")
        .exits(0)
        .says("a/link.xsd` is not read: it is outside the folder");
    place.creo("import a/shop.wsdl --out named --strict --include link.xsd=secret.xsd").exits(0);
    place.creo("import a/shop.wsdl --out linked --strict --include link.xsd=a/link.xsd").exits(0);
    locate(&place, "folder/secret.xsd");
    symlink(place.root(), place.path("a/folder")).expect("a link");
    place
        .creo("import a/shop.wsdl --out folder")
        .exits(0)
        .says("a/folder/secret.xsd` is not read: it is outside the folder");
    locate(&place, "gone.xsd");
    symlink("nowhere.xsd", place.path("a/gone.xsd")).expect("a link");
    place.creo("import a/shop.wsdl --out gone").exits(0).says("there is no file for `gone.xsd`");
    locate(&place, "circle.xsd");
    symlink("circle.xsd", place.path("a/circle.xsd")).expect("a link");
    place.creo("import a/shop.wsdl --out circle").exits(0).says("a/circle.xsd` is not read");
    // One that stays below the folder is a file like any other, and so is a link that the user imports.
    locate(&place, "inner.xsd");
    place.write("a/real/other.xsd", OTHER);
    symlink("real/other.xsd", place.path("a/inner.xsd")).expect("a link");
    place.creo("import a/shop.wsdl --out inner --strict").exits(0);
    std::fs::create_dir(place.path("b")).expect("a folder");
    symlink("../a/shop.wsdl", place.path("b/shop.wsdl")).expect("a link");
    place.creo("import b/shop.wsdl --out root --include a").exits(0);
    for (out, read) in [
        ("file", false),
        ("named", true),
        ("linked", true),
        ("folder", false),
        ("gone", false),
        ("circle", false),
        ("inner", true),
        ("root", true),
    ] {
        assert_eq!(place.read(&format!("{out}/shop.creo")).contains(READ), read, "{out}");
    }
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_opened() {
    let place = with_location("pipe.xsd");
    let made =
        std::process::Command::new("mkfifo").arg(place.path("a/pipe.xsd")).status().expect("mkfifo runs");
    assert!(made.success());
    place
        .creo("import a/shop.wsdl --out out")
        .exits(0)
        .says("a/pipe.xsd` is not read: it is not a regular file")
        .says("--include");
    place
        .creo("import a/shop.wsdl --out out --include pipe.xsd=a/pipe.xsd")
        .exits(1)
        .says("cannot read a/pipe.xsd: it is not a regular file");
    place
        .creo("import a/shop.wsdl --out out --include pipe.xsd=/dev/zero")
        .exits(1)
        .says("cannot read /dev/zero: it is not a regular file");
    place
        .creo("import a/shop.wsdl --out out --include pipe.xsd=a")
        .exits(1)
        .says("a is a folder")
        .says("--include FOLDER");
    place
        .creo("import a/pipe.xsd --out out")
        .exits(1)
        .says("cannot read a/pipe.xsd: it is not a regular file");
    place.creo("import /dev/zero --out out").exits(1).says("it is not a regular file");
    let _listener = std::os::unix::net::UnixListener::bind(place.path("a/socket.xsd")).expect("a socket");
    locate(&place, "socket.xsd");
    place
        .creo("import a/shop.wsdl --out out")
        .exits(0)
        .says("a/socket.xsd` is not read: it is not a regular file");
    std::os::unix::fs::symlink("/dev/zero", place.path("a/zero.xsd")).expect("a link");
    locate(&place, "zero.xsd");
    place
        .creo("import a/shop.wsdl --out out")
        .exits(0)
        .says("a/zero.xsd` is not read: it is outside the folder");
    place.write("a/folder.xsd/x", "");
    locate(&place, "folder.xsd");
    place
        .creo("import a/shop.wsdl --out out")
        .exits(0)
        .says("a/folder.xsd` is not read: it is a folder")
        .says("--include");
    // A pipe in a folder that the user names is not one of its schemas.
    locate(&place, "http://example.org/pipe.xsd");
    place
        .creo("import a/shop.wsdl --out out --include a")
        .exits(0)
        .says("there is no file for `http://example.org/pipe.xsd`");
    // Neither does a description open one.
    let made =
        std::process::Command::new("mkfifo").arg(place.path("pipe.creo")).status().expect("mkfifo runs");
    assert!(made.success());
    place.write("main.creo", "import \"pipe.creo\";\nstruct A {}\n");
    place.creo("check main.creo").exits(100).says("error[import-not-found]").says("it is not a regular file");
}

#[test]
fn nothing_is_shown_of_a_file_that_is_no_schema() {
    let place = with_location("notes.txt");
    place.write("a/notes.txt", "password: hunter2\n<xs:schema/>");
    let ran = place
        .creo("import a/shop.wsdl --out out")
        .exits(100)
        .says("error[unreadable-xml]: the file is not XML")
        .says("a/notes.txt");
    assert!(!ran.err.contains("hunter2"), "{}", ran.err);
    place.write("main.creo", "import \"a/notes.txt\";\nstruct A {}\n");
    let ran = place
        .creo("check main.creo")
        .exits(100)
        .says("error[invalid-import]: the path of an import does not end in .creo");
    assert!(!ran.err.contains("hunter2"), "{}", ran.err);
}
