//! `creo generate` of several descriptions into one folder: none loses code to another.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::Place;

const TARGETS: &str = "c,csharp,java,python";

fn job(descriptions: &str) -> String {
    let targets = TARGETS.replace(',', "\",\"");
    format!("[[generate]]\ndescriptions = [{descriptions}]\ntargets = [\"{targets}\"]\nout = \"out\"\n")
}

/// Two descriptions of one package; their C and Python code is in files of the package.
fn of_one_package() -> Place {
    let place = Place::new();
    place.write("x.creo", "@PACKAGE(\"org.lab\") struct Sample { int a; } interface A { Sample f(); }");
    place.write("y.creo", "@PACKAGE(\"org.lab\") struct Item { int b; } interface B { Item g(); }");
    place
}

#[test]
fn one_description_does_not_replace_the_code_of_another() {
    let place = of_one_package();
    for target in ["c", "python"] {
        place.creo(&format!("generate x.creo -t {target} -o out")).exits(0);
        let run = place.creo(&format!("generate y.creo -t {target} -o out"));
        run.exits(1).says("error[file-clash]").says("generate these descriptions together");
        place.creo(&format!("generate x.creo -t {target} -o out --check")).exits(0);
    }
    // Together, and then again alone: a run for one of them is not one of another description.
    place.creo("generate x.creo y.creo -t c -o out").exits(0);
    place.creo("generate x.creo y.creo -t c -o out --check").exits(0);
    place.creo("generate y.creo -t python -o out --force").exits(0);
}

#[test]
fn two_jobs_of_a_run_do_not_either() {
    let place = of_one_package();
    place.write("creo.toml", [job("\"x.creo\""), job("\"y.creo\"")].concat());
    place.creo("generate").exits(1).says("error[file-clash]");
    assert!(!place.exists("out/c") && !place.exists("out/python"), "something was written");
    place.write("creo.toml", job("\"x.creo\", \"y.creo\""));
    place.creo("generate").exits(0);
    place.creo("generate --check").exits(0);
}

#[test]
fn descriptions_share_what_they_import() {
    let place = Place::new();
    place.write("common.creo", "@PACKAGE(\"org.common\") struct C { int a; int? b; }");
    place.write("x.creo", "@PACKAGE(\"org.x\") import \"common.creo\"; interface A { C f(); }");
    place.write("y.creo", "@PACKAGE(\"org.y\") import \"common.creo\"; interface B { C g(); }");
    place.write("creo.toml", [job("\"x.creo\""), job("\"y.creo\"")].concat());
    for _ in 0..2 {
        place.creo("generate").exits(0);
        place.creo("generate --check").exits(0);
    }
    for name in ["y", "x"] {
        place.creo(&format!("generate {name}.creo -t {TARGETS} -o out")).exits(0);
        place.creo("generate --check").exits(0);
    }
    // What is shared may change.
    place.write("common.creo", "@PACKAGE(\"org.common\") struct C { int a; int? b; int c; }");
    place.creo("generate").exits(0);
    place.creo("generate --check").exits(0);
}

#[test]
fn what_is_in_the_way_of_one_target_stops_all() {
    let place = of_one_package();
    place.write("out/python/org/lab/__init__.py", "mine\n");
    let run = place.creo(&format!("generate x.creo -t {TARGETS} -o out"));
    run.exits(1).says("is in the way").says("nothing was written");
    assert!(!place.exists("out/c") && !place.exists("out/java"), "something was written");
}

#[test]
fn manifests_of_descriptions_in_other_letters_differ() {
    let place = Place::new();
    for (at, name) in ["日本", "中国", "a b", "a_b"].into_iter().enumerate() {
        place.write(
            &format!("{name}.creo"),
            format!("@PACKAGE(\"p{at}\") struct S {{ int a; }} interface I {{ S f(); }}"),
        );
        let path = format!("{name}.creo");
        place.creo_with(&["generate", &path, "-t", "java,python", "-o", "out", "--prune"]).exits(0);
    }
    for at in 0..4 {
        assert!(place.exists(&format!("out/python/p{at}/__init__.py")), "{at}");
    }
}
