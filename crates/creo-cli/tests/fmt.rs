//! `creo fmt`: in place, checked, as a diff, from standard input.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::{DATA, Place};
use std::fs;

const UGLY: &str = "struct   A{\nint a ;\n   // a remark\nint b=5;};\n";

const NEAT: &str = "struct A {\n    int a;\n    // a remark\n    int b = 5;\n}\n";

#[test]
fn files_are_formatted_in_place() {
    let place = Place::with_data();
    place.write("ugly.creo", UGLY);
    place.creo("fmt ugly.creo data.creo").exits(0).says("formatted ugly.creo");
    assert_eq!(place.read("ugly.creo"), NEAT);
    assert_eq!(place.read("data.creo"), DATA);
    let time = fs::metadata(place.path("ugly.creo")).expect("a file").modified().expect("a time");
    place.creo("fmt ugly.creo data.creo").exits(0).writes_nothing();
    assert_eq!(fs::metadata(place.path("ugly.creo")).expect("a file").modified().expect("a time"), time);
    assert_eq!(place.files("."), ["data.creo", "ugly.creo"]);
}

#[test]
fn check_names_what_is_not_formatted() {
    let place = Place::with_data();
    place.write("ugly.creo", UGLY);
    let ran = place.creo("fmt --check ugly.creo data.creo").exits(100).says("1 file not formatted");
    assert_eq!(ran.out, "ugly.creo\n");
    assert_eq!(place.read("ugly.creo"), UGLY);
    place.creo("fmt --check data.creo").exits(0).writes_nothing();
}

#[test]
fn diff_shows_what_would_change() {
    let place = Place::new();
    place.write("ugly.creo", UGLY);
    let ran = place.creo("fmt --diff ugly.creo").exits(0);
    assert_eq!(
        ran.out,
        "--- ugly.creo\n+++ ugly.creo (formatted)\n@@ -1,4 +1,5 @@\n-struct   A{\n-int a ;\n-   // a remark\n-int b=5;};\n+struct A {\n+    int a;\n+    // a remark\n+    int b = 5;\n+}\n"
    );
    assert_eq!(place.read("ugly.creo"), UGLY);
    place.creo("fmt --diff --check ugly.creo").exits(100).prints("+struct A {");
}

#[test]
fn a_diff_holds_the_lines_of_the_file() {
    let place = Place::new();
    // Control characters, escaped and literal, a carriage return within a line, and no line feed at the end.
    place.write("odd.creo", "@X(\"\\u0009 \\u000d\")\nstruct A {\r\n\tint a;\r// b\u{1b}\n}");
    let ran = place.creo("fmt --diff odd.creo").exits(0);
    let removed: Vec<&str> =
        ran.out.split('\n').filter(|line| line.starts_with([' ', '-']) && !line.starts_with("---")).collect();
    assert_eq!(removed, [" @X(\"\\u0009 \\u000d\")", "-struct A {\r", "-\tint a;\r// b\\u001b", "-}"]);
    assert!(ran.out.contains("-}\n\\ No newline at end of file\n"), "{}", ran.out);
}

#[test]
fn standard_input_to_standard_output() {
    let place = Place::new();
    assert_eq!(place.creo_reading("fmt -", UGLY.as_bytes()).exits(0).out, NEAT);
    assert_eq!(place.creo_reading("fmt -", NEAT.as_bytes()).exits(0).out, NEAT);
    assert_eq!(place.creo_reading("fmt --check -", UGLY.as_bytes()).exits(100).out, "<stdin>\n");
    let ran = place.creo_reading("fmt -", b"struct {").exits(100).says("<stdin>:1:8");
    assert_eq!(ran.out, "");
}

#[test]
fn a_file_with_syntax_errors_stays_as_it_is() {
    let place = Place::new();
    place.write("bad.creo", "struct   A {");
    place.write("ugly.creo", UGLY);
    place
        .creo("fmt bad.creo nope.creo ugly.creo")
        .exits(1)
        .says("error[expected-token]")
        .says("cannot read nope.creo")
        .says("formatted ugly.creo");
    assert_eq!(place.read("bad.creo"), "struct   A {");
    place.creo("fmt bad.creo").exits(100);
    // Names that are not known are no matter of form.
    place.write("unknown.creo", "struct  A { Nope n; }");
    place.creo("fmt unknown.creo").exits(0);
    assert_eq!(place.read("unknown.creo"), "struct A { Nope n; }\n");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    place.write("real/ugly.creo", UGLY);
    fs::set_permissions(place.path("real/ugly.creo"), fs::Permissions::from_mode(0o640))
        .expect("permissions");
    symlink("real/ugly.creo", place.path("link.creo")).expect("a link");
    place.creo("fmt link.creo").exits(0);
    assert!(fs::symlink_metadata(place.path("link.creo")).expect("a link").is_symlink());
    assert_eq!(place.read("real/ugly.creo"), NEAT);
    assert_eq!(
        fs::metadata(place.path("real/ugly.creo")).expect("a file").permissions().mode() & 0o777,
        0o640
    );
}
