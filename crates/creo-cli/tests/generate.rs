//! `creo generate`: what is written, kept and refused.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::{DATA, Place, Ran};
use std::fs;

/// Every file with its text and time.
fn state(place: &Place, folder: &str) -> Vec<(String, Vec<u8>, std::time::SystemTime)> {
    let files = place.files(folder).into_iter().map(|name| {
        let path = place.path(folder).join(&name);
        (
            name,
            fs::read(&path).expect("a file"),
            fs::metadata(&path).expect("a file").modified().expect("a time"),
        )
    });
    files.collect()
}

#[test]
fn files_are_written_once() {
    let place = Place::with_data();
    place.creo("generate data.creo --target c --out out").exits(0).says("c: ").says("0 unchanged");
    let first = state(&place, "out");
    assert!(first.len() > 5, "{first:?}");
    assert!(place.exists("out/c/.creo-manifest-data"));
    place.creo("generate data.creo --target c --out out").exits(0).says("c: 0 files written");
    assert_eq!(state(&place, "out"), first, "unchanged files are not rewritten");
    place.creo("generate -q data.creo --target c --out out").exits(0).writes_nothing();
}

#[test]
fn every_target_has_a_folder_of_its_own() {
    let place = Place::with_data();
    place.creo("generate data.creo -t java,python -t c,csharp -o out").exits(0);
    for target in creo_check::TARGETS {
        assert!(place.files(&format!("out/{target}")).len() > 1, "{target}");
    }
    // The same in another order, and named twice.
    let first = state(&place, "out");
    place.creo("generate data.creo -t csharp,c,python,java,c -o out").exits(0);
    assert_eq!(state(&place, "out"), first);
}

#[test]
fn the_runtime_can_be_a_package() {
    let place = Place::with_data();
    place.creo("generate data.creo -t c -o with").exits(0);
    place.creo("generate data.creo -t c -o without --runtime package").exits(0);
    assert!(place.files("with").len() > place.files("without").len());
}

#[test]
fn check_compares_and_writes_nothing() {
    let place = Place::with_data();
    place.creo("generate data.creo -t c -o out --check").exits(100).prints("missing: out/c/");
    assert!(!place.exists("out"));
    place.creo("generate data.creo -t c -o out").exits(0);
    place.creo("generate data.creo -t c -o out --check").exits(0).says("as generated");
    place.write("data.creo", DATA.replace("touch", "poke"));
    let before = state(&place, "out");
    place.creo("generate data.creo -t c -o out --check").exits(100).prints("different: out/c/");
    assert_eq!(state(&place, "out"), before);
}

#[test]
fn stale_files_are_reported_and_pruned() {
    let place = Place::new();
    let two = "@PACKAGE(\"one\") struct A { int a; }";
    let other = "@PACKAGE(\"two\") struct B { int b; }";
    place.write("a.creo", two);
    place.creo("generate a.creo -t c -o out").exits(0);
    let of_one = place.files("out/c");
    place.write("a.creo", other);
    place
        .creo("generate a.creo -t c -o out")
        .exits(0)
        .says("warning: out/c/")
        .says("is stale: it is not generated any more; --prune removes it");
    place.creo("generate a.creo -t c -o out --check").exits(100).prints("stale: out/c/");
    let stale: Vec<String> =
        of_one.iter().filter(|f| place.exists(&format!("out/c/{f}")) && f.contains("one")).cloned().collect();
    assert!(stale.len() >= 2, "{of_one:?}");
    // What somebody changed is never removed, nor what creo did not write.
    place.write(&format!("out/c/{}", stale[0]), "mine now");
    place.write("out/c/mine.txt", "mine");
    place
        .creo("generate a.creo -t c -o out --prune")
        .exits(0)
        .says("removed")
        .says("was changed since it was generated");
    assert_eq!(place.read(&format!("out/c/{}", stale[0])), "mine now");
    assert_eq!(place.read("out/c/mine.txt"), "mine");
    for gone in &stale[1..] {
        assert!(!place.exists(&format!("out/c/{gone}")), "{gone}");
    }
    fs::remove_file(place.path(&format!("out/c/{}", stale[0]))).expect("removed");
    place.creo("generate a.creo -t c -o out").exits(0);
    place.creo("generate a.creo -t c -o out --check").exits(0);
}

#[test]
fn what_creo_did_not_write_is_never_overwritten() {
    let place = Place::with_data();
    place.write("out/c/Makefile", "mine");
    place
        .creo("generate data.creo -t c -o out")
        .exits(1)
        .says("out/c/Makefile is in the way: creo did not generate it")
        .says("--force");
    assert_eq!(place.files("out"), ["c/Makefile"], "nothing was written");
    assert_eq!(place.read("out/c/Makefile"), "mine");
    place.creo("generate data.creo -t c -o out --force").exits(0);
    assert_ne!(place.read("out/c/Makefile"), "mine");
    // A generated file that was changed by hand is somebody's work.
    let text = place.read("out/c/Makefile") + "\n# mine\n";
    place.write("out/c/Makefile", &text);
    place.creo("generate data.creo -t c -o out").exits(1).says("it was changed since creo generated it");
    assert_eq!(place.read("out/c/Makefile"), text);
    place.creo("generate data.creo -t c -o out --force").exits(0);
    place.creo("generate data.creo -t c -o out --check").exits(0);
    // The same text from elsewhere is not in the way.
    fs::remove_file(place.path("out/c/.creo-manifest-data")).expect("removed");
    place.creo("generate data.creo -t c -o out").exits(0);
    assert!(place.exists("out/c/.creo-manifest-data"));
}

#[test]
fn folders_and_files_in_the_way() {
    let place = Place::with_data();
    place.write("file", "x");
    place.creo("generate data.creo -t c -o file").exits(1).says("file is in the way: it is not a folder");
    place.write("out/c", "x");
    place.creo("generate data.creo -t c -o out").exits(1).says("out/c is in the way: it is not a folder");
    fs::create_dir_all(place.path("out2/c/Makefile")).expect("a folder");
    place
        .creo("generate data.creo -t c -o out2")
        .exits(1)
        .says("out2/c/Makefile is in the way: it is a folder");
    place.creo("generate data.creo -t c -o out2 --force").exits(1).says("cannot write out2/c/Makefile");
    place.write("out3/c/include", "x");
    place
        .creo("generate data.creo -t c -o out3")
        .exits(1)
        .says("out3/c/include is in the way: it is not a folder");
    assert_eq!(place.files("out3"), ["c/include"]);
    fs::create_dir_all(place.path("out4/c/.creo-manifest-data")).expect("a folder");
    place
        .creo("generate data.creo -t c -o out4")
        .exits(1)
        .says(".creo-manifest-data is in the way: it is not a file");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let place = Place::with_data();
    fs::create_dir_all(place.path("elsewhere")).expect("a folder");
    place.write("victim", "mine");
    fs::create_dir_all(place.path("out/c")).expect("a folder");
    symlink(place.path("elsewhere"), place.path("out/c/src")).expect("a link");
    place
        .creo("generate data.creo -t c -o out")
        .exits(1)
        .says("out/c/src is a symbolic link, which creo does not follow");
    place.creo("generate data.creo -t c -o out --force").exits(1).says("symbolic link");
    assert!(place.files("elsewhere").is_empty());
    symlink(place.path("elsewhere"), place.path("linked")).expect("a link");
    fs::create_dir(place.path("out2")).expect("a folder");
    symlink(place.path("elsewhere"), place.path("out2/c")).expect("a link");
    place
        .creo("generate data.creo -t c -o out2")
        .exits(1)
        .says("out2/c is a symbolic link, which creo does not follow");
    // A link in place of a file is in the way; with --force it is replaced, and what it led to is untouched.
    fs::create_dir_all(place.path("out3/c")).expect("a folder");
    symlink(place.path("victim"), place.path("out3/c/Makefile")).expect("a link");
    place
        .creo("generate data.creo -t c -o out3")
        .exits(1)
        .says("out3/c/Makefile is in the way: it is a symbolic link");
    place.creo("generate data.creo -t c -o out3 --force").exits(0);
    assert_eq!(place.read("victim"), "mine");
    assert!(!fs::symlink_metadata(place.path("out3/c/Makefile")).expect("a file").is_symlink());
    // Files generated earlier behind what is now a link are forgotten, not removed.
    place.write("elsewhere/gone.c", "mine");
    let hash = "0".repeat(64);
    let manifest = place.read("out3/c/.creo-manifest-data") + &format!("{hash}  linked/gone.c\n");
    place.write("out3/c/.creo-manifest-data", manifest);
    symlink(place.path("elsewhere"), place.path("out3/c/linked")).expect("a link");
    place.creo("generate data.creo -t c -o out3 --prune").exits(0);
    assert_eq!(place.read("elsewhere/gone.c"), "mine");
    fs::remove_file(place.path("elsewhere/gone.c")).expect("removed");
    // The folder that the user names may be a link.
    place.creo("generate data.creo -t c -o linked").exits(0);
    assert!(place.exists("elsewhere/c/Makefile"));
}

#[test]
fn a_hostile_manifest_removes_nothing_outside() {
    let place = Place::with_data();
    place.write("victim", "mine");
    // The hash of "mine": it would be creo's own file, if the path were allowed.
    let hash = "c63bb40a8b5ba0ea3ed5bb25a2b7c3b6f60b3b4a9b84e6d1c2b3b3ee6d7d5f8b";
    place.write(
        "out/c/.creo-manifest-data",
        format!("{hash}  ../../victim\n{hash}  /etc/hostname\n{hash}  ..\n"),
    );
    place.creo("generate data.creo -t c -o out --prune").exits(0);
    assert_eq!(place.read("victim"), "mine");
    place.write("out/c/.creo-manifest-data", vec![0xffu8; 10_000]);
    place.creo("generate data.creo -t c -o out").exits(0);
    place.creo("generate data.creo -t c -o out --check").exits(0);
}

#[test]
fn mistakes_leave_everything_as_it_was() {
    let place = Place::with_data();
    place.creo("generate data.creo -t c -o out").exits(0);
    let before = state(&place, "out");
    place.write("data.creo", "struct A { Nope n; }");
    place.creo("generate data.creo -t c -o out --prune").exits(100).says("error[unknown-type]");
    assert_eq!(state(&place, "out"), before);
    // One target that fails keeps the others from being written.
    place.write("data.creo", DATA.replace("touch", "poke"));
    place.creo("generate data.creo -t c,nope -o out").exits(1).says("there is no target \"nope\"");
    assert_eq!(state(&place, "out"), before);
}

#[test]
fn descriptions_that_are_generated_apart_keep_their_files() {
    let place = Place::new();
    place.write("a.creo", "@PACKAGE(\"one\") struct A { int a; } interface S { void s(A a); }");
    place.write("b.creo", "@PACKAGE(\"two\") struct B { int b; } interface T { void t(B b); }");
    for (target, first, second) in [
        ("java", "one/A.java", "two/B.java"),
        ("python", "one/__init__.py", "two/__init__.py"),
        ("c", "a.mk", "b.cmake"),
        ("csharp", "One/A.cs", "Two/B.cs"),
    ] {
        place.creo(&format!("generate a.creo -t {target} -o out")).exits(0);
        let ran = place.creo(&format!("generate b.creo -t {target} -o out --prune")).exits(0);
        assert!(!ran.err.contains("stale") && !ran.err.contains("removed"), "{ran:?}");
        assert!(
            place.exists(&format!("out/{target}/{first}")) && place.exists(&format!("out/{target}/{second}"))
        );
        for description in ["a", "b"] {
            place.creo(&format!("generate {description}.creo -t {target} -o out --check")).exits(0);
            assert!(place.exists(&format!("out/{target}/.creo-manifest-{description}")));
        }
        // What only one of them had goes with it; what both have stays.
        place.write("a.creo", "@PACKAGE(\"one\") struct C { int a; }");
        place.creo(&format!("generate a.creo -t {target} -o out --prune --wires binary")).exits(0);
        place.creo(&format!("generate b.creo -t {target} -o out --check")).exits(0);
        place.write("a.creo", "@PACKAGE(\"one\") struct A { int a; } interface S { void s(A a); }");
    }
}

#[test]
fn descriptions_that_are_generated_together_share_everything() {
    let place = Place::new();
    place.write("types.creo", "@PACKAGE(\"shared\") struct Point { int x; }");
    place.write("a.creo", "@PACKAGE(\"one\") import \"types.creo\"; interface S { void s(Point p); }");
    fs::create_dir(place.path("b")).expect("a folder");
    place.write("b/b.creo", "@PACKAGE(\"two\") import \"../types.creo\"; interface T { void t(Point p); }");
    place.creo("generate a.creo b/b.creo a.creo -t java -o out").exits(0);
    let files = place.files("out/java");
    for path in ["one/S.java", "two/T.java", "shared/Point.java", ".creo-manifest-a+b"] {
        assert!(files.iter().any(|file| file == path), "{path}: {files:?}");
    }
    place.creo("generate a.creo b/b.creo -t java -o out --check").exits(0);
    place.creo("generate a.creo nowhere.creo -t java -o out").exits(1).says("cannot read nowhere.creo");
    place.write("b/b.creo", "@PACKAGE(\"one\") interface S { void t(); }");
    place.creo("generate a.creo b/b.creo -t java -o out").exits(100).says("error");
}

#[test]
fn a_config_file_says_what_to_generate() {
    let place = Place::with_data();
    place.creo("generate").exits(1).says("there is no creo.toml here").says("creo generate lab.creo");
    place.write("other.creo", "@PACKAGE(\"other\") struct Other { int i; }");
    place.write(
        "creo.toml",
        "[[generate]]\ndescriptions = [\"data.creo\"]\ntargets = [\"java\", \"c\"]\nout = \"generated\"\nsides = \"client\"\n\n[[generate]]\ndescriptions = [\"other.creo\"]\ntargets = [\"python\"]\nout = \"py\"\nruntime = \"package\"\n",
    );
    place.creo("generate --check").exits(100).prints("missing: generated/c/");
    place.creo("generate").exits(0).says("java: ").says("python: ");
    assert!(place.exists("generated/java") && place.exists("generated/c") && place.exists("py/python/other"));
    assert!(!place.exists("py/python/creo"), "the runtime is a package");
    assert!(
        !place
            .files("generated/java")
            .iter()
            .any(|file| file.ends_with("Endpoint.java") && !file.starts_with("creo/"))
    );
    place.creo("generate --check").exits(0);
    // From a folder below it does the same.
    fs::create_dir(place.path("below")).expect("a folder");
    place.creo_in("below", "generate --check").exits(0).says("java: ");
    // One description with an error keeps the other from being written.
    let before = state(&place, ".");
    place.write("data.creo", DATA.replace("touch", "poke"));
    place.write("other.creo", "struct Other { what i; }");
    place.creo("generate").exits(100).says("unknown-type");
    let after = state(&place, ".");
    let changed: Vec<&String> =
        after.iter().zip(&before).filter(|(a, b)| a != b).map(|((name, ..), _)| name).collect();
    assert_eq!(changed, ["data.creo", "other.creo"]);
    place.write("creo.toml", "[[generate]]\ndescriptions = [\"data.creo\"]\ntarget = [\"java\"]\n");
    place.creo("generate").exits(1).says("creo.toml:3:1: unknown field `target`");
    for arguments in
        ["generate -t java", "generate -o out", "generate data.creo -t java", "generate --wires json"]
    {
        place.creo(arguments).exits(2);
    }
}

#[test]
fn a_copied_runtime_moves_to_a_package_of_its_own() {
    let place = Place::new();
    place.write("a.creo", "@PACKAGE(\"org.lab\") struct A { int a; } interface S { A s(A a); }");
    place
        .creo("generate a.creo -t java,python,csharp -o out --with jms --runtime-package org.lab.creo")
        .exits(0);
    for (target, moved) in [
        ("java", ["org/lab/creo/codegen/Writer.java", "org/lab/creo/jms/JmsHost.java"]),
        ("python", ["org/lab/creo/__init__.py", "org/lab/creo/jms.py"]),
        ("csharp", ["Org.Lab.Creo/Org.Lab.Creo.csproj", "Org.Lab.Creo/Jms/JmsBroker.cs"]),
    ] {
        let files = place.files(&format!("out/{target}"));
        for path in moved {
            assert!(files.iter().any(|file| file == path), "{path}: {files:?}");
        }
        let ours = |file: &String| {
            ["org/", "Org.Lab", "build.", ".creo-manifest"].iter().any(|start| file.starts_with(start))
        };
        assert!(files.iter().all(ours), "{files:?}");
        for file in files.iter().filter(|file| !file.starts_with('.')) {
            let text = place.read(&format!("out/{target}/{file}"));
            for left in [
                "package creo.",
                "import creo.",
                "from creo ",
                "from creo.",
                "import creo\n",
                "using Creo",
                "namespace Creo",
            ] {
                assert!(!text.lines().any(|line| format!("{line}\n").starts_with(left)), "{file}: {left}");
            }
        }
    }
    for (arguments, why) in [
        ("-t java --runtime-package org.lab", "error[package-clash]"),
        ("-t java --runtime-package org", "error[package-clash]"),
        ("-t python --runtime-package org.lab", "error[package-clash]"),
        ("-t csharp --runtime-package org.lab", "error[package-clash]"),
        ("-t csharp --runtime-package Org", "error[package-clash]"),
    ] {
        place.creo(&format!("generate a.creo -o bad {arguments}")).exits(100).says(why);
    }
    for (arguments, why) in [
        ("-t java --runtime-package org.class.lab", "that is no name of a package in java"),
        ("-t python --runtime-package org.lambda", "that is no name of a package in python"),
        ("-t java --runtime-package a..b", "that is no name"),
        ("-t java --runtime-package ../x", "that is no name"),
        ("-t c --runtime-package lab", "the runtime of c is in no package"),
        ("-t java --runtime package --runtime-package lab", "--runtime copy"),
    ] {
        place.creo(&format!("generate a.creo -o bad {arguments}")).exits(1).says(why);
    }
    assert!(!place.exists("bad"));
}

#[test]
fn wires_and_sides_that_do_not_exist() {
    let place = Place::with_data();
    place
        .creo("generate data.creo -t java -o out --wires binary,cbor")
        .exits(1)
        .says("\"cbor\" is no wire")
        .says("--wires takes binary, soap, tdxml, json, all");
    place.creo("generate data.creo -t java -o out --sides server").exits(2);
    place
        .creo("generate data.creo -t java,python -o out --sides service")
        .exits(1)
        .says("the target python has no service hosts");
    assert!(!place.exists("out"));
}

/// What each target generates for a description with these options, but for the folder's name.
fn same(place: &Place, one: &str, other: &str) {
    for (options, out) in [(one, "one"), (other, "other")] {
        place.creo(&format!("generate {options} -t java,python,c,csharp -o {out} --prune --force")).exits(0);
    }
    let texts = |out: &str| -> Vec<(String, Vec<u8>)> {
        state(place, out).into_iter().map(|(name, text, _)| (name, text)).collect()
    };
    assert!(texts("one") == texts("other"), "{one} is not {other}");
}

#[test]
fn wires_that_a_copy_has_by_default() {
    let place = Place::with_data();
    same(&place, "data.creo", "data.creo --wires json,binary");
    same(&place, "data.creo --wires all", "data.creo --wires binary,soap,tdxml,json");
    same(&place, "data.creo --runtime package", "data.creo --runtime package --wires all");
    same(&place, "data.creo --with jms", "data.creo --with jms --wires all");
    // Each thing that says how XML looks brings SOAP.
    for text in [
        "@NAMESPACE(\"urn:other\") struct A { int a; }",
        "@Xml(name = \"b\") struct A { int a; }",
        "struct A { @Xml(name = \"b\") int a; }",
        "enum A { @Xml(name = \"b\") A }",
        "union A { @Xml(name = \"b\") int a; int c; }",
        "exception A { @Xml(attribute) int a; }",
        "interface A { @Xml(name = \"b\") void a(); }",
        "interface A { void a(@Xml(name = \"b\") int a); }",
        "interface A { @XmlResponse(name = \"b\") void a(); }",
        "interface A { @XmlResult(name = \"b\") int a(); }",
    ] {
        place.write("a.creo", format!("@PACKAGE(\"one\") {text}"));
        same(&place, "a.creo", "a.creo --wires binary,soap,json");
    }
    // So is a partner's imported WSDL.
    place.write("data.wsdl", include_str!("../../../tests/import/soap12/in.wsdl"));
    place.creo("import data.wsdl --out imported").exits(0);
    let imported = format!("imported/{}", place.files("imported").join(" imported/"));
    same(&place, &imported, &format!("{imported} --wires binary,soap,json"));
}

#[test]
fn names_of_targets() {
    let place = Place::with_data();
    for name in ["", "..", "a/b", "C", "-x", "é", "a b"] {
        let argument = format!("--target={name}");
        let ran = place.creo_with(&["generate", "data.creo", &argument, "--out", "out"]);
        assert!(matches!(ran.code, Some(1 | 2)), "{name}: {ran:?}");
    }
    assert!(!place.exists("out"));
}

#[test]
fn an_interrupted_run_can_be_repeated() {
    let place = Place::with_data();
    place.creo("generate data.creo -t c -o out").exits(0);
    let manifest = place.read("out/c/.creo-manifest-data");
    place.write("new.creo", DATA.replace("touch", "poke"));
    place.creo("generate new.creo -t c -o other").exits(0);
    let name = place
        .files("out/c")
        .into_iter()
        .find(|f| f.ends_with(".c") && place.read(&format!("out/c/{f}")).contains("touch"))
        .expect("a source");
    // As a run leaves it that was ended in the middle: some files are new, and the manifest knows both.
    fs::copy(place.path(&format!("other/c/{name}")), place.path(&format!("out/c/{name}"))).expect("copied");
    place.write("out/c/.creo-manifest-data", manifest + &place.read("other/c/.creo-manifest-new"));
    place.creo("generate data.creo -t c -o out").exits(0);
    place.creo("generate data.creo -t c -o out --check").exits(0);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_files() {
    let place = Place::with_data();
    place.creo("generate data.creo -t c -o out").exits(0);
    let before = state(&place, "out");
    let many: String = (0..500).map(|i| format!("struct S{i} {{ int i; }}\n")).collect();
    place.write("data.creo", DATA.to_owned() + &many);
    let script = format!(
        "trap '' XFSZ; ulimit -f 100; exec {} generate data.creo -t c -o out",
        env!("CARGO_BIN_EXE_creo")
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(place.root())
        .output()
        .expect("sh runs");
    Ran::of(output, "generate with little room")
        .exits(1)
        .says("cannot write out/c/")
        .says("the file would be larger than is allowed here");
    // Every file is whole: the old one or the new one.
    let after = state(&place, "out");
    place.creo("generate data.creo -t c -o out").exits(0);
    let new = state(&place, "out");
    for (name, text, _) in after.iter().filter(|(name, ..)| !name.ends_with(".creo-manifest-data")) {
        let is_in = |state: &[(String, Vec<u8>, std::time::SystemTime)]| {
            state.iter().any(|(n, t, _)| n == name && t == text)
        };
        assert!(is_in(&before) || is_in(&new), "{name}");
    }
}

#[test]
fn runs_at_once_into_one_folder() {
    let place = Place::with_data();
    place.write("other.creo", DATA.replace("org.example.data", "org.example.other"));
    for _ in 0..3 {
        let children: Vec<_> = ["data.creo", "other.creo", "data.creo", "other.creo"]
            .iter()
            .map(|file| {
                place
                    .command()
                    .args(["generate", file, "-t", "c", "-o", "out"])
                    .stderr(std::process::Stdio::piped())
                    .spawn()
                    .expect("creo runs")
            })
            .collect();
        for child in children {
            Ran::of(child.wait_with_output().expect("creo ends"), "generate at once").exits(0);
        }
        for file in ["data.creo", "other.creo"] {
            place.creo(&format!("generate {file} -t c -o out --check")).exits(0);
        }
        assert!(place.files("out").iter().all(|f| !f.ends_with(".tmp")));
    }
}

#[test]
fn what_one_language_cannot_say_is_refused_for_it_alone() {
    let place = Place::with_data();
    let parameters: Vec<String> = (0..200).map(|i| format!("double p{i}")).collect();
    place.write(
        "wide.creo",
        format!("@PACKAGE(\"a.b\") interface Wide {{ void call({}); }}", parameters.join(", ")),
    );
    place.creo("check wide.creo").exits(0);
    let refused = "error[too-many-parameters]: the method `a.b.Wide.call` has 200 parameters that take the place of 400";
    place.creo("generate wide.creo -t java,python -o out").exits(100).says(refused);
    assert!(!place.exists("out"), "nothing was written");
    place.creo("generate wide.creo -t python -o out").exits(0);
    place.creo("explain too-many-parameters").exits(0).prints("254");
}
