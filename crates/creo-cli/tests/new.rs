//! `creo new`: a project that builds and runs, and never overwrites.
//!
//! The projects are built with the languages' own tools. A tool that is not there fails the test, unless its language is taken out by name:
//! `CREO_WITHOUT=java,python cargo test`.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::Place;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

fn without(language: &str) -> bool {
    let taken_out = std::env::var("CREO_WITHOUT").unwrap_or_default();
    let out = taken_out.split(',').any(|l| l == language);
    if out {
        eprintln!("{language} was taken out by CREO_WITHOUT");
    }
    out
}

/// Runs a tool in a folder; it must end well. Gives its output.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("PYTHONPATH", "generated/python")
        .stdin(Stdio::null())
        .output();
    let output = output.unwrap_or_else(|e| panic!("{program}: {e}; CREO_WITHOUT takes a language out"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{program} {arguments:?}\n{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// The service, which ends with the test.
struct Service {
    child: Child,
    port: String,
}

impl Service {
    fn start(project: &Path, package: &str) -> Service {
        let classes = project.join("java/target/classes");
        fs::create_dir_all(&classes).expect("a folder");
        let mut sources = Vec::new();
        java_files(&project.join("java"), &mut sources);
        java_files(&project.join("generated/java"), &mut sources);
        let mut arguments = vec!["--release", "17", "-Werror", "-Xlint:all", "-d", "java/target/classes"];
        arguments.extend(sources.iter().map(String::as_str));
        run(project, "javac", &arguments);
        let mut java = Command::new("java");
        java.args(["-cp", "java/target/classes", &format!("{package}.app.Main"), "0"])
            .current_dir(project)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = java.spawn().expect("java runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let port =
            line.trim().strip_prefix("serving on port ").unwrap_or_else(|| panic!("{line}")).to_owned();
        Service { child, port }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn java_files(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            java_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "java") {
            found.push(path.to_str().expect("UTF-8").to_owned());
        }
    }
}

#[test]
fn a_project_has_all_it_needs() {
    let place = Place::new();
    place.creo("new my-service").exits(0).says("Created my-service/. See my-service/README.md");
    for file in [
        ".gitignore",
        "README.md",
        "creo.toml",
        "my-service.creo",
        "java/pom.xml",
        "java/src/main/java/org/example/my_service/app/Main.java",
        "python/pyproject.toml",
        "python/client.py",
        "c/Makefile",
        "c/CMakeLists.txt",
        "c/client.c",
        "csharp/Client.csproj",
        "csharp/Program.cs",
        "generated/java/.creo-manifest-my-service",
        "generated/csharp/Org.Example.MyService/Org.Example.MyService.csproj",
    ] {
        assert!(place.exists(&format!("my-service/{file}")), "{file}");
    }
    for file in place.files("my-service") {
        let text = place.read(&format!("my-service/{file}"));
        for mark in [
            "@NAME@",
            "@WORD@",
            "@JAVA@",
            "@JAVA_PATH@",
            "@PYTHON@",
            "@C@",
            "@C_UPPER@",
            "@CSHARP@",
            "@CSHARP_PROJECT@",
            "@TARGETS@",
        ] {
            assert!(!text.contains(mark), "{mark} in {file}");
        }
    }
    place.creo("fmt --check my-service/my-service.creo").exits(0);
    place
        .creo("generate my-service/my-service.creo -t java,python,c,csharp -o my-service/generated --check")
        .exits(0);
    assert!(fs::read_dir(place.root()).expect("a folder").count() == 1, "nothing else is left");
}

#[test]
fn languages_are_a_choice() {
    let place = Place::new();
    place.creo("new one --target python").exits(0);
    assert!(
        place.exists("one/python/client.py") && !place.exists("one/java") && !place.exists("one/generated/c")
    );
    assert!(!place.read("one/README.md").contains("Java"));
    place.creo("new two --target python,go").exits(1).says("there is no project for the target \"go\"");
    assert!(!place.exists("two"));
}

#[test]
fn nothing_is_overwritten() {
    let place = Place::new();
    place.write("file", "mine");
    fs::create_dir(place.path("folder")).expect("a folder");
    place.creo("new file").exits(1).says("file already exists");
    place.creo("new folder").exits(1).says("folder already exists");
    assert_eq!(place.read("file"), "mine");
    assert!(place.files("folder").is_empty());
}

#[test]
fn names_of_projects() {
    let place = Place::new();
    for name in ["..", ".", "a/b", "/tmp/x", "1a", "a b", "é", "", "creo_x", &"x".repeat(65)] {
        place.creo_with(&["new", name]).exits(1).says("is no name of a project");
    }
    place.creo_with(&["new", "-x"]).exits(2);
    assert!(place.files(".").is_empty());
}

#[test]
fn the_languages_of_a_project_talk_to_one_another() {
    if without("java") {
        return;
    }
    let place = Place::new();
    // Names that are words of the languages, or of the runtime, build as well.
    for (name, package) in [
        ("measurements", "org.example.measurements"),
        ("int", "org.example.int_"),
        ("creo", "org.example.creo"),
    ] {
        place.creo(&format!("new {name}")).exits(0);
        let project = place.path(name);
        let service = Service::start(&project, package);
        let check = |language: &str, output: String| {
            assert!(
                output.contains(&format!("{language}: ")) && output.contains("there is no series nothing"),
                "{output}"
            );
        };
        let client = format!("{package}.app.Client");
        check(
            "java",
            run(&project, "java", &["-cp", "java/target/classes", &client, "127.0.0.1", &service.port]),
        );
        if !without("python") {
            check("python", run(&project, "python3", &["python/client.py", "127.0.0.1", &service.port]));
        }
        if !without("c") {
            // One project is built with its own flags; names do not matter to the optimizer, which takes long for the runtime.
            let flags: &[&str] = if name == "measurements" { &[] } else { &["CFLAGS=-O0"] };
            run(&project, "make", &[&["-s", "-C", "c"][..], flags].concat());
            check("c", run(&project, "c/build/client", &["127.0.0.1", &service.port]));
        }
    }
}
