//! `creo pack`: packages by the rules of their registries, whole or not at all. That they can be installed and used is what `tests/pack/run.py` says.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::{Place, Ran};
use std::fs;

const LAB: &str = "@PACKAGE(\"org.example.lab\") import \"common.creo\"; struct Sample { Point at; } /** <b>\"&\u{202e}*\\/ */ interface Lab { Sample f(Sample s); }";
const COMMON: &str = "@PACKAGE(\"org.example.common\") struct Point { int x; }";

fn place() -> Place {
    let place = Place::new();
    place.write("lab.creo", LAB);
    place.write("common.creo", COMMON);
    place
}

/// Text that is in an archive of which each file is compressed cannot be looked for; names of files of a ZIP archive can.
fn names(place: &Place, file: &str, name: &str) -> bool {
    let bytes = fs::read(place.path(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    bytes.windows(name.len()).any(|window| window == name.as_bytes())
}

#[test]
fn packages_are_called_as_registries_ask() {
    let place = place();
    place
        .creo("pack lab.creo --version 1.4.0-rc.2 -t python,c,csharp")
        .exits(0)
        .says("dist/lab-1.4.0-rc.2.tar.gz: ");
    assert_eq!(
        place.files("dist"),
        ["lab-1.4.0-rc.2.tar.gz", "lab-1.4.0rc2-py3-none-any.whl", "lab.1.4.0-rc.2.nupkg"]
    );
    let wheel = "dist/lab-1.4.0rc2-py3-none-any.whl";
    for name in [
        "org/example/lab/__init__.py",
        "org/example/lab/py.typed",
        "org/example/lab/common/__init__.py",
        "org/example/lab/creo/__init__.py",
        "lab-1.4.0rc2.dist-info/RECORD",
    ] {
        assert!(names(&place, wheel, name), "{name}");
    }
    assert!(!names(&place, wheel, "org/example/common"), "what is imported is in the package's own");
    let package = "dist/lab.1.4.0-rc.2.nupkg";
    for name in [
        "lab.nuspec",
        "[Content_Types].xml",
        "_rels/.rels",
        "Org.Example.Lab.Creo/Errors.cs",
        "Lab/LabClient.cs",
    ] {
        assert!(names(&place, package, name), "{name}");
    }
}

#[test]
fn the_same_descriptions_give_the_same_bytes() {
    let place = place();
    for out in ["one", "two"] {
        place.creo(&format!("pack lab.creo --version 1.0.0 -t python,c,csharp -o {out}")).exits(0);
    }
    let files = place.files("one");
    assert_eq!(files.len(), 3);
    for file in files {
        let read = |out: &str| fs::read(place.path(&format!("{out}/{file}"))).expect("a file");
        assert!(read("one") == read("two"), "{file}");
    }
}

#[test]
fn a_project_says_what_is_packed() {
    let place = place();
    place.creo("pack --version 1.0.0").exits(1).says("creo.toml");
    place.write(
        "creo.toml",
        "[[generate]]\ndescriptions = [\"lab.creo\"]\ntargets = [\"python\", \"go\"]\nout = \"generated\"\nwires = [\"json\"]\n",
    );
    place.creo("pack --version 1.0.0").exits(0);
    assert_eq!(place.files("dist"), ["lab-1.0.0-py3-none-any.whl"]);
    let wheel = "dist/lab-1.0.0-py3-none-any.whl";
    assert!(names(&place, wheel, "creo/json.py") && !names(&place, wheel, "creo/soap.py"));
    place.creo("pack --version 1.0.0 -t c --name Water-Level").exits(0);
    assert!(place.exists("dist/Water-Level-1.0.0.tar.gz"));
}

#[test]
fn wrong_input_has_codes() {
    let place = place();
    place.write("a b.creo", COMMON);
    for (arguments, code, why) in [
        (vec!["lab.creo", "--version", "1.4"], "invalid-version", "\"1.4\""),
        (vec!["lab.creo", "--version", "../../x"], "invalid-version", "1.4.0-rc.3"),
        (vec!["lab.creo", "--version", "1.4.0-SNAPSHOT"], "invalid-version", "SNAPSHOT"),
        (vec!["a b.creo", "--version", "1.0.0"], "invalid-name", "--name"),
        (vec!["lab.creo", "--version", "1.0.0", "--name", "../x"], "invalid-name", "--name"),
        (vec!["lab.creo", "--version", "1.0.0", "--package", "Org/X"], "invalid-name", "--package"),
        (
            vec!["lab.creo", "--version", "1.0.0", "--runtime", "package", "--runtime-from", "python=x\ny"],
            "invalid-coordinates",
            "--runtime-from",
        ),
    ] {
        let all: Vec<&str> = ["pack"].into_iter().chain(arguments).chain(["-t", "python"]).collect();
        place.creo_with(&all).exits(1).says(&format!("error[{code}]")).says(why);
        place.creo(&format!("explain {code}")).exits(0);
    }
    place.creo("pack lab.creo --version 1.0.0 -t go").exits(1).says("no package for the target \"go\"");
    place.creo("pack lab.creo --version 1.0.0 -t c --runtime-from c=x").exits(1).says("--runtime package");
    place.creo("pack lab.creo --version 1.0.0 -t c --wires smoke").exits(1).says("is no wire");
    place.creo("pack lab.creo").exits(2);
    place.write("bad.creo", "struct A { Nope n; }");
    place.creo("pack bad.creo --version 1.0.0").exits(100).says("error[unknown-type]");
    assert!(!place.exists("dist"), "nothing is written");
}

/// Runs with a java that says this to `--list-modules`, and that to `-version`.
#[cfg(unix)]
fn with_java(place: &Place, modules: &str, version: &str) -> Ran {
    use std::os::unix::fs::PermissionsExt;
    place.write(
        "jdk/bin/java",
        format!(
            "#!/bin/sh\ncase $1 in\n--list-modules) printf '{modules}' ;;\n-version) printf '{version}' >&2 ;;\nesac\n"
        ),
    );
    fs::set_permissions(place.path("jdk/bin/java"), fs::Permissions::from_mode(0o755)).expect("permissions");
    let mut command = place.command();
    command.env("JAVA_HOME", place.path("jdk")).args(["pack", "lab.creo", "--version", "1.0.0"]);
    Ran::of(command.output().expect("creo runs"), "pack")
}

#[cfg(unix)]
#[test]
fn a_jdk_that_will_not_do_is_named() {
    let place = place();
    for (modules, version, found) in [
        ("", "openjdk version \"1.8.0_392\"\\n", "is Java 1.8.0_392"),
        ("java.base@11.0.2\\njdk.compiler@11.0.2\\njdk.javadoc@11.0.2\\n", "", "is Java 11.0.2"),
        ("java.base@17.0.15\\njava.logging@17.0.15\\n", "", "is Java 17.0.15 without a compiler"),
        ("", "\\033[2J", "is Java of an unknown version"),
    ] {
        let ran = with_java(&place, modules, version).exits(1).says("error[no-jdk]").says(found);
        assert!(
            ran.err.contains("from version 17 on") && ran.err.contains("--target python,c,csharp"),
            "{}",
            ran.err
        );
        assert!(!ran.err.contains('\u{1b}'), "{:?}", ran.err);
    }
    with_java(&place, "java.base@17\\njdk.compiler@17\\n", "")
        .exits(1)
        .says("without javadoc")
        .says("--no-docs");
    let mut command = place.command();
    command.env("JAVA_HOME", place.path("nothing")).args(["pack", "lab.creo", "--version", "1.0.0"]);
    Ran::of(command.output().expect("creo runs"), "pack").exits(1).says("there is no java at JAVA_HOME");
    // It compiles nothing, and says why.
    with_java(&place, "java.base@17\\njdk.compiler@17\\njdk.javadoc@17\\n", "")
        .exits(1)
        .says("bin/java ended with");
    assert!(!place.exists("dist"), "nothing is written, for no target");
}
