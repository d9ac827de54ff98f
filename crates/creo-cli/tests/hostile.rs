//! Files and surroundings that mean no good: nothing panics, nothing hostile reaches a terminal, every failure is named.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::{Place, Ran};
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn what_cannot_be_read_is_named() {
    let place = Place::new();
    place.write("a-file", "");
    fs::create_dir(place.path("a-folder")).expect("a folder");
    for command in
        ["check", "fmt", "model", "generate -t c -o out", "inspect --type A --sample", "diff a-file"]
    {
        place
            .creo(&format!("{command} nope.creo"))
            .exits(1)
            .says("cannot read nope.creo: there is no such file");
        place.creo(&format!("{command} a-folder")).exits(1).says("cannot read a-folder: it is a folder");
        place.creo(&format!("{command} a-file/x.creo")).exits(1).says("cannot read a-file/x.creo");
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("secret.creo", "struct A {}");
    place.write("a.creo", "import \"secret.creo\"; struct B { A a; }");
    fs::set_permissions(place.path("secret.creo"), fs::Permissions::from_mode(0o000)).expect("permissions");
    let run =
        |file: &str| Ran::of(as_nobody(&place).args(["check", file]).output().expect("creo runs"), file);
    run("secret.creo").exits(1).says("cannot read secret.creo: permission denied");
    run("a.creo").exits(100).says("error[import-not-found]").says("permission denied");
}

/// The program as an unprivileged user, if the tests run as root.
#[cfg(unix)]
fn as_nobody(place: &Place) -> Command {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let mut command = place.command();
    if fs::metadata(place.root()).expect("the place").uid() == 0 {
        fs::set_permissions(place.root(), fs::Permissions::from_mode(0o755)).expect("permissions");
        // Other users may not be able to reach the program itself.
        let copy = place.path("creo-copy");
        fs::copy(env!("CARGO_BIN_EXE_creo"), &copy).expect("a copy");
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).expect("permissions");
        let mut other = Command::new(copy);
        other.current_dir(place.root()).uid(65534).gid(65534).stdin(Stdio::null());
        command = other;
    }
    command
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::with_data();
    place.write("ugly.creo", "struct   A{}");
    fs::create_dir(place.path("out")).expect("a folder");
    fs::set_permissions(place.path("out"), fs::Permissions::from_mode(0o555)).expect("permissions");
    fs::set_permissions(place.path("ugly.creo"), fs::Permissions::from_mode(0o444)).expect("permissions");
    let run = |arguments: &[&str]| {
        Ran::of(as_nobody(&place).args(arguments).output().expect("creo runs"), &arguments.join(" "))
    };
    run(&["generate", "data.creo", "-t", "c", "-o", "out"]).exits(1).says("permission denied");
    run(&["fmt", "ugly.creo"]).exits(1).says("cannot write ugly.creo: permission denied");
    assert_eq!(place.read("ugly.creo"), "struct   A{}");
}

#[test]
fn bytes_that_are_not_utf_8() {
    let place = Place::new();
    place.write("latin.creo", b"struct A { String \xe9t\xe9; }");
    place.creo("check latin.creo").exits(100).says("error[invalid-encoding]").says("latin.creo:1:19");
    place.creo("fmt latin.creo").exits(100);
    assert_eq!(fs::read(place.path("latin.creo")).expect("the file"), b"struct A { String \xe9t\xe9; }");
    place.write("utf16.creo", b"\xff\xfes\0t\0r\0u\0c\0t\0");
    place.creo("check utf16.creo").exits(100);
    place.write("zeros.creo", vec![0u8; 100_000]);
    place.creo("check zeros.creo").exits(100);
    place.write("bom.creo", "\u{feff}struct A {}\n");
    place.creo("check bom.creo").exits(0);
}

#[test]
fn nothing_hostile_reaches_the_terminal() {
    let place = Place::new();
    let hostile = "// \u{1b}[2J\u{1b}]0;x\u{7}\nstruct A { Nope\u{202e} a; /* \u{85}\u{9b}31m \u{2066} */ Nope\u{7f} b; }\n@Foo(\"\u{1b}[31m\u{202e}\") struct B { String c = \"\u{200b}\u{1b}\"; int d = \"\u{1b}[0m\"; }\n";
    place.write("h.creo", hostile);
    for format in ["text", "json", "msbuild"] {
        let ran = place.creo(&format!("check --color never --error-format {format} h.creo")).exits(100);
        assert_tame(&ran.err);
    }
    place.write("ok.creo", "/** \u{1b}[2J\u{202e} */ struct A { String c = \"\\u001b[31m\\u202e\"; }");
    assert_tame(&place.creo("model ok.creo").exits(0).out);
    assert_tame(&place.creo("inspect ok.creo --type A --sample").exits(0).out);
    assert_tame(&place.creo("inspect ok.creo --type A --sample --format json").exits(0).out);
    let ran = place
        .creo_with(&[
            "inspect",
            "ok.creo",
            "--type",
            "A",
            "--value",
            "{\"c\": \"\\u001b[2J\", \"\u{1b}[31m\": 1}",
        ])
        .exits(1);
    assert_tame(&ran.err);
    assert_tame(&place.creo_with(&["check", "\u{1b}[31m\u{202e}.creo"]).exits(1).err);
    assert_tame(&place.creo_with(&["explain", "\u{1b}[31m"]).exits(1).err);
    place.write("\u{1b}[31m.creo", "struct A { B b; }");
    assert_tame(&place.creo_with(&["check", "\u{1b}[31m.creo"]).exits(100).err);
    place.write("diff.creo", "struct A { int a;   /* \u{1b}[2J\u{202e} */ }");
    assert_tame(&place.creo("fmt --diff diff.creo").exits(0).out);
}

#[track_caller]
fn assert_tame(text: &str) {
    let wild = text.chars().find(|c| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    });
    assert_eq!(wild, None, "{text:?}");
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let folder = place.root().join(OsStr::from_bytes(b"d\xff"));
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join(OsStr::from_bytes(b"a\xfe.creo")), "import \"t.creo\"; struct A { T t; }")
        .expect("a file");
    fs::write(folder.join("t.creo"), "struct T {}").expect("a file");
    let run = |arguments: &[&[u8]]| {
        let arguments: Vec<&OsStr> = arguments.iter().map(|a| OsStr::from_bytes(a)).collect();
        Ran::of(place.command().args(&arguments).output().expect("creo runs"), "non-UTF-8 arguments")
    };
    run(&[b"check", b"d\xff/a\xfe.creo"]).exits(0);
    run(&[b"fmt", b"--check", b"d\xff/a\xfe.creo"]).exits(100);
    run(&[b"model", b"d\xff/a\xfe.creo"]).exits(0);
    run(&[b"generate", b"d\xff/a\xfe.creo", b"-t", b"c", b"-o", b"out\xff"]).exits(0);
    run(&[b"generate", b"d\xff/a\xfe.creo", b"-t", b"c", b"-o", b"out\xff", b"--check"]).exits(0);
    run(&[b"check", b"gone\xff.creo"]).exits(1);
    run(&[b"explain", b"\xff"]).exits(2);
}

#[test]
fn a_description_that_nests_without_mercy() {
    let place = Place::new();
    place.write("deep.creo", format!("struct A {{ int{} a; }}", "[]".repeat(100_000)));
    place.creo("check deep.creo").exits(100).says("error[too-deep]");
    place.write(
        "maps.creo",
        format!("struct A {{ {}int{} a; }}", "Map<int, ".repeat(10_000), ">".repeat(10_000)),
    );
    place.creo("check maps.creo").exits(100).says("error[too-deep]");
    place.write("braces.creo", "{".repeat(200_000));
    place.creo("check braces.creo").exits(100);
    let chain: String = (0..5_000).map(|i| format!("struct S{i} {{ S{} s; }}\n", i + 1)).collect();
    place.write("chain.creo", chain + "struct S5000 { int i; }");
    place.creo("check chain.creo").exits(0);
    place.creo("model chain.creo").exits(0);
    place.creo("inspect chain.creo --type S4000 --sample").exits(0);
    place.creo("inspect chain.creo --type S0 --hex 00000000").exits(100).prints("too-large");
}

#[test]
fn a_pipe_that_closes_is_no_panic() {
    let place = Place::new();
    let many: String = (0..3_000).map(|i| format!("struct S{i} {{ int i; }}\n")).collect();
    place.write("many.creo", many);
    for arguments in [
        &["model", "many.creo"][..],
        &["explain"],
        &["inspect", "many.creo", "--type", "S1", "--sample"],
        &["completions", "bash"],
    ] {
        let mut child = place
            .command()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("creo runs");
        drop(child.stdout.take());
        let ran = Ran::of(child.wait_with_output().expect("creo ends"), &arguments.join(" "));
        assert_eq!(ran.exits(0).err, "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_a_failure() {
    let place = Place::with_data();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = place
        .command()
        .args(["model", "data.creo"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .expect("creo runs");
    Ran::of(output, "model > /dev/full").exits(1).says("cannot write to standard output: the disk is full");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_whole_leaves_the_old_one() {
    let place = Place::new();
    let long: String = (0..2_000).map(|i| format!("struct   S{i} {{int i;}}\n")).collect();
    place.write("long.creo", &long);
    let script = format!("trap '' XFSZ; ulimit -f 8; exec {} fmt long.creo", env!("CARGO_BIN_EXE_creo"));
    let output =
        Command::new("sh").args(["-c", &script]).current_dir(place.root()).output().expect("sh runs");
    Ran::of(output, "fmt with little room")
        .exits(1)
        .says("cannot write")
        .says("long.creo: the file would be larger than is allowed here");
    assert_eq!(place.read("long.creo"), long);
    assert_eq!(place.files("."), ["long.creo"], "no temporary file is left");
}
