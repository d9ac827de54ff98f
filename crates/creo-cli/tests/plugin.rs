//! Third-party targets: programs that do what they should, and programs that do not.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::{Place, Ran};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A place with a program `creo-gen-foo` that is this shell script.
fn place(script: &str) -> Place {
    let place = Place::with_data();
    place.write("bin/creo-gen-foo", format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(place.path("bin/creo-gen-foo"), fs::Permissions::from_mode(0o755))
        .expect("permissions");
    place
}

fn generate(place: &Place, more: &[&str]) -> Ran {
    let path = format!("{}:{}", place.path("bin").display(), std::env::var("PATH").unwrap_or_default());
    let mut command = place.command();
    command.args(["generate", "data.creo", "-t", "foo", "-o", "out"]).args(more).env("PATH", path);
    Ran::of(command.output().expect("creo runs"), "generate -t foo")
}

#[test]
fn a_target_from_the_path() {
    let place = place(
        r#"cat > asked.json
printf '{"files":[{"path":"src/x.go","text":"package x\\n"}],"diagnostics":[{"severity":"warning","code":"careful","message":"a \\u001b warning"}]}'"#,
    );
    generate(&place, &[]).exits(0).says("foo: 1 file written").says("warning[careful]: a \\u001b warning");
    assert_eq!(place.read("out/foo/src/x.go"), "package x\n");
    let asked: serde_json::Value = serde_json::from_str(&place.read("asked.json")).expect("JSON");
    assert_eq!((&asked["format"], &asked["options"]["target"]), (&1.into(), &"foo".into()));
    let options = &asked["options"];
    assert_eq!(options["wires"], serde_json::json!(["binary", "json"]));
    assert_eq!((&options["sides"], &options["runtime"]), (&"both".into(), &"copy".into()));
    assert_eq!(asked["types"][0]["name"], "MetaData");
    generate(&place, &["--check"]).exits(0);
    // It reads its manifest as the built-in targets do.
    place.write("out/foo/src/x.go", "mine");
    generate(&place, &[]).exits(1).says("it was changed since creo generated it");
}

#[test]
fn an_error_of_the_target_is_a_finding() {
    let place = place(
        r#"printf '{"files":[{"path":"a","text":""}],"diagnostics":[{"severity":"error","code":"no-maps","message":"maps are not known"}]}'"#,
    );
    generate(&place, &[]).exits(100).says("error[no-maps]: maps are not known");
    assert!(!place.exists("out"));
    let messages = generate(&place, &["--error-format", "json"]).exits(100).messages();
    assert_eq!(messages[0]["code"], "no-maps");
}

#[test]
fn wrong_answers_write_nothing() {
    for (script, why) in [
        ("exit 3", "creo-gen-foo failed: exit status: 3"),
        ("echo 'it is broken' >&2; exit 1", "it said: it is broken"),
        ("kill -9 $$", "creo-gen-foo failed: signal: 9"),
        ("true", "not JSON"),
        ("echo nonsense", "not JSON"),
        ("printf '\\377'", "not UTF-8"),
        (r#"echo '{"files":[{"path":"../x","text":""}]}'"#, "the path \"../x\" is not allowed"),
        (r#"echo '{"files":[{"path":"/etc/x","text":""}]}'"#, "is not allowed (absolute)"),
        (r#"echo '{"files":[{"path":"a","text":""},{"path":"a","text":""}]}'"#, "the path \"a\" twice"),
        (
            r#"echo '{"files":[{"path":"a","text":""},{"path":"a/b","text":""}]}'"#,
            "is both a file and the folder",
        ),
        (r#"echo '{"files":[],"files":[]}'"#, "occurs twice"),
    ] {
        let place = place(script);
        generate(&place, &[]).exits(1).says(why);
        assert!(!place.exists("out"), "{script}");
    }
}

#[test]
fn a_target_that_hangs_is_ended() {
    // Without end; with its output closed; with a child that keeps the pipes.
    for script in ["exec sleep 1000", "exec sleep 1000 >&- 2>&-", "sleep 5 & exec sleep 1000"] {
        let place = place(script);
        generate(&place, &["--timeout", "1"]).exits(1).says("creo-gen-foo did not end within 1 seconds");
    }
}

#[test]
fn a_target_that_does_not_read_or_never_stops_writing() {
    let quick = place("exec <&-; echo '{}'");
    quick.write("data.creo", format!("/** {} */ struct A {{}}", "x".repeat(1 << 20)));
    generate(&quick, &[]).exits(0).says("foo: 0 files written");
    let endless = place("exec yes");
    generate(&endless, &[]).exits(1).says("creo-gen-foo answered more than 256 MiB");
}

#[test]
fn a_program_that_cannot_run() {
    let place = place("true");
    fs::set_permissions(place.path("bin/creo-gen-foo"), fs::Permissions::from_mode(0o644))
        .expect("permissions");
    generate(&place, &[]).exits(1).says("creo-gen-foo");
    assert!(!place.exists("out"));
}
