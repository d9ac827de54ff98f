//! The program as a whole: usage, help, version, explanations, completions.

mod common;

use common::Place;

#[test]
fn wrong_usage_exits_with_2() {
    let place = Place::with_data();
    for arguments in [
        "",
        "nope",
        "check",
        "check --nope data.creo",
        "generate data.creo",
        "generate data.creo -t c",
        "fmt",
        "--color pink check data.creo",
        "completions tcl",
    ] {
        let ran = place.creo(arguments).exits(2);
        assert!(ran.out.is_empty() && !ran.err.is_empty(), "{arguments}");
    }
    place.creo("generate data.creo -t c -o out --timeout 0").exits(2);
    place.creo("generate data.creo -t c -o out --check --prune").exits(2);
}

#[test]
fn help_and_version() {
    let place = Place::new();
    assert_eq!(place.creo("--version").exits(0).out, format!("creo {}\n", env!("CARGO_PKG_VERSION")));
    place.creo("--help").exits(0).prints("Exit codes: 0 all is well");
    for command in [
        "check",
        "fmt",
        "generate",
        "pack",
        "model",
        "inspect",
        "estimate",
        "capacity",
        "new",
        "diff",
        "explain",
        "completions",
    ] {
        place.creo(&format!("{command} --help")).exits(0).prints("Usage: creo ").prints("--error-format");
        place.creo("--help").prints(command);
    }
}

#[test]
fn the_model_is_json() {
    let place = Place::with_data();
    let json = place.creo("model data.creo").exits(0).json();
    assert_eq!(json["format"], 1);
    assert_eq!(json["source"][0], "data.creo");
    assert_eq!(json["interfaces"][0]["methods"][1]["throws"][0], "org.example.data.NotFound");
    place.write("bad.creo", "struct A { Nope n; }");
    let ran = place.creo("model bad.creo").exits(100).says("error[unknown-type]");
    assert_eq!(ran.out, "");
}

#[test]
fn codes_are_explained() {
    let place = Place::new();
    place
        .creo("explain unknown-type")
        .exits(0)
        .prints("unknown-type: a type that is declared nowhere in sight\n\n")
        .prints("LANG-19");
    place.creo("explain deadline-exceeded").exits(0).prints("TCP-12");
    place.creo("explain").exits(0).prints("unknown-type").prints("malformed");
    place.creo("explain nope").exits(1).says("there is no code \"nope\"");
}

#[test]
fn completions_for_every_shell() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        place.creo(&format!("completions {shell}")).exits(0).prints("inspect");
    }
}
