//! The runtime in two files, by the parts that a program needs: C11 without warnings for gcc and clang, the header also C++; nothing is exported but what the
//! header declares; and calls work as they do with the runtime's own files.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // A test that compiles C writes files and starts compilers.

use creo_codegen::Module;
use creo_gen_c::{HEADER, SOURCE, amalgamated_runtime};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What programs may choose: the binary wire over TCP, each text wire, and all.
const CHOICES: [&[&str]; 6] =
    [&["tcp"], &["tcp", "json"], &["xml"], &["soap"], &["tdxml"], &["tcp", "json", "soap+tdxml"]];
const WARNINGS: [&str; 6] = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-Iinclude"];

fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|e| panic!("{program}: {e}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "in {}: {program} {}\n{}{}",
        folder.display(),
        arguments.join(" "),
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
    std::fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// A folder with the two files.
fn folder(name: &str, chosen: &[&'static str], modules: &[Module]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("amalgamation").join(name);
    let made = amalgamated_runtime(chosen, modules).expect("each has what it includes");
    write(&folder.join(HEADER), &made.header);
    write(&folder.join(SOURCE), &made.source);
    folder
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect()
}

#[test]
fn each_choice_compiles_and_exports_what_its_header_declares() {
    let (left, right) = CHOICES.split_at(CHOICES.len() - 1);
    std::thread::scope(|scope| {
        scope.spawn(|| left.iter().for_each(|chosen| compiles(chosen)));
        right.iter().for_each(|chosen| compiles(chosen));
    });
}

fn compiles(chosen: &[&'static str]) {
    let folder = folder(&chosen.join("_"), chosen, &[]);
    for (compiler, level) in [("clang", "-O1"), ("gcc", "-O2")] {
        let flags = [&WARNINGS[..], &["-std=c11", level, "-fPIC", "-c", SOURCE, "-o", "creo.o"]].concat();
        run(&folder, compiler, &flags);
    }
    write(&folder.join("all.cpp"), "#include <creo/creo.h>\n");
    for compiler in ["g++", "clang++"] {
        run(&folder, compiler, &[&WARNINGS[..], &["-std=c++17", "-fsyntax-only", "all.cpp"]].concat());
    }
    run(&folder, "gcc", &["-shared", "creo.o", "-o", "libcreo.so"]);
    let exported = run(&folder, "nm", &["-D", "--defined-only", "libcreo.so"]);
    let header = std::fs::read_to_string(folder.join(HEADER)).expect("it was written");
    let declared = words(&header);
    let exported: Vec<&str> = exported.lines().filter_map(|line| line.split_whitespace().last()).collect();
    assert!(exported.contains(&"creo_writer_init"), "{chosen:?}: {exported:?}");
    for name in exported {
        assert!(name.starts_with("creo_") && declared.contains(name), "{chosen:?} exports {name}");
    }
}

/// The module for JMS joins them, where its library is.
#[test]
fn a_module_compiles_with_them() {
    let folder = folder("jms", &["tcp"], &[Module::Jms]);
    let flags = Command::new("pkg-config").args(["--cflags", "libqpid-proton"]).output();
    let Some(found) = flags.ok().filter(|output| output.status.success()) else {
        println!("jms, not compiled: libqpid-proton is not installed");
        return;
    };
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    let found: Vec<&str> = found.split_whitespace().collect();
    for compiler in ["gcc", "clang"] {
        let flags = [&WARNINGS[..], &found, &["-std=c11", "-O1", "-c", SOURCE, "-o", "creo.o"]].concat();
        run(&folder, compiler, &flags);
    }
}

/// A program carries the text of the parts that it chose, and no other.
#[test]
fn a_choice_has_its_parts_alone() {
    let source = |chosen| amalgamated_runtime(chosen, &[]).expect("each has what it includes").source;
    for (chosen, others) in [
        (&["tcp"][..], &["http", "json", "xml", "soap", "tdxml"][..]),
        (&["json"], &["xml", "soap", "tdxml"]),
        (&["soap"], &["json", "tdxml"]),
        (&["tdxml"], &["json", "soap"]),
    ] {
        let source = source(chosen);
        assert!(chosen.iter().all(|part| source.contains(&format!("\n * creo/{part}/"))), "{chosen:?}");
        for other in others {
            assert!(!source.contains(&format!("\n * creo/{other}/")), "{chosen:?} has {other}");
        }
    }
}

/// The runtime's tests of calls, with its two files instead of its own: generated code, a server, and all wires over TCP and HTTP.
#[test]
fn calls_work() {
    let folder = folder("calls", &["tcp", "json", "soap+tdxml"], &[]);
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes/c/tests");
    let tests = tests.canonicalize().expect("the runtime's tests");
    // What includes a header of the runtime gets the one that there is.
    for header in ["channel.h", "client.h", "http.h", "json.h", "soap.h", "soap_tables.h", "tdxml.h", "xml.h"]
    {
        write(&folder.join("include/creo").join(header), "#include <creo/creo.h>\n");
    }
    let path = |name: &str| tests.join(name).display().to_string();
    let sample = format!("-I{}", path("sample"));
    let fixed = [path("server.c"), path("sample/sample.creo.c"), path("sample/sample.text.c")];
    let mut objects: Vec<String> = Vec::new();
    let flags = [
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-g",
        "-O1",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
        "-Iinclude",
        &sample,
    ];
    let mut compile = |source: &str, object: &str| {
        run(&folder, "gcc", &[&flags[..], &["-c", source, "-o", object]].concat());
        objects.push(object.to_owned());
    };
    compile(SOURCE, "creo.o");
    for (number, source) in fixed.iter().enumerate() {
        compile(source, &format!("fixed_{number}.o"));
    }
    for test in ["test_client", "test_values", "test_wires"] {
        let source = path(&format!("{test}.c"));
        let linked: Vec<&str> = objects.iter().map(String::as_str).collect();
        run(
            &folder,
            "gcc",
            &[&flags[..], &[&source], &linked, &["-lcmocka", "-lpthread", "-lm", "-o", test]].concat(),
        );
        run(&folder, &folder.join(test).display().to_string(), &[]);
    }
}
