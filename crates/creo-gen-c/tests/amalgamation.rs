//! The runtime in two files with the parts that programs need: C11 without warnings for gcc and clang, the header also as C++; only what
//! the header declares is exported; and calls work as with the separate files. A module is another pair of files.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // A test that compiles C writes files and starts compilers.

use creo_check::{CheckedModel, compile};
use creo_codegen::{Files, Input, Module, Needs, Runtime, Target, Wire, Wires};
use creo_gen_c::{C, HEADER, SOURCE, amalgamated_runtime};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What programs may choose besides the binary wire. `creo-harness copies` compiles others.
const CHOICES: [&[Wire]; 4] = [&[], &[Wire::Json], &[Wire::Soap], &Wire::ALL];
const WARNINGS: [&str; 6] = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-Iinclude"];

fn needs(wires: &[Wire]) -> Needs {
    Needs { wires: Wires::of(wires.iter().copied()), with: BTreeSet::from(Module::PARTS), streams: true }
}

/// The same without streams, several addresses and retries.
fn least(wires: &[Wire]) -> Needs {
    Needs { with: BTreeSet::new(), streams: false, ..needs(wires) }
}

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

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("amalgamation").join(name)
}

/// A folder with the two files.
fn folder(name: &str, needs: &Needs) -> PathBuf {
    let folder = place(name);
    let made = amalgamated_runtime(needs);
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
        scope.spawn(|| left.iter().for_each(|chosen| compiles(chosen, &needs(chosen))));
        right.iter().for_each(|chosen| compiles(chosen, &needs(chosen)));
        compiles(&[], &least(&[]));
    });
}

fn compiles(chosen: &[Wire], needs: &Needs) {
    let name: Vec<&str> = chosen.iter().map(|wire| wire.name()).collect();
    let folder = folder(&format!("of_{}_{}", name.join("_"), needs.streams), needs);
    // All warnings of clang come from its front end; some of gcc's come from the optimizer. The runtime with all wires has the functions of
    // the others, so it alone is optimized as much as programs are, which takes twice as long.
    let level = if chosen.len() == Wire::ALL.len() { "-O3" } else { "-O1" };
    for (compiler, level) in [("clang", "-O0"), ("gcc", level)] {
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

fn model(name: &str, text: &str) -> CheckedModel {
    compile(&[(name, text)]).unwrap_or_else(|report| panic!("{report}"))
}

fn write_all(folder: &Path, files: &Files) {
    files.iter().for_each(|(path, text)| write(&folder.join(path), text));
}

/// The module for JMS, where its library is: next to the copied runtime, whose internals it finds, and next to the runtime as a library.
#[test]
fn a_module_is_linked_with_the_runtime() {
    let asked = |what: &str| {
        let output = Command::new("pkg-config").args([what, "libqpid-proton"]).output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(
            String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        )
    };
    let (Some(flags), Some(libraries)) = (asked("--cflags"), asked("--libs")) else {
        println!("jms, not compiled: libqpid-proton is not installed");
        return;
    };
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let libraries: Vec<&str> = libraries.iter().map(String::as_str).collect();
    let model = model("a.creo", "@PACKAGE(\"a\") interface S { int get(); }");
    let main = "#include \"a.text.h\"\n#include <creo/jms.h>\n\nint main(void)\n{\n    static creo_jms jms;\n    creo_error error;\n    \
        if (!creo_jms_init(&jms, \"127.0.0.1\", 1, \"jms:queue:x\", CREO_JMS_SOAP, &a_s_text, creo_allocator_libc(), &error))\n        return 1;\n    \
        int32_t result;\n    creo_arena arena;\n    creo_arena_init(&arena, creo_allocator_libc());\n    bool answered = a_s_get(&jms.client, &arena, &result, &error);\n    \
        creo_arena_free(&arena);\n    creo_jms_free(&jms);\n    return answered || error.code != CREO_UNAVAILABLE;\n}\n";
    for (name, runtime) in [("jms_copy", Runtime::Copy), ("jms_package", Runtime::Package)] {
        let folder = place(name);
        let input = Input { runtime, with: &[Module::Jms], ..Input::new(&C, &model) };
        write_all(&folder, &C.generate(&input));
        write(&folder.join("main.c"), main);
        let mut sources = vec!["main.c", "src/a.creo.c", "src/a.text.c", "src/creo_jms.c"];
        let mut include = vec!["-Iinclude"];
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes/c");
        let package = package.canonicalize().expect("the runtime");
        let header = format!("-I{}", package.join("include").display());
        let library = folder.join("libcreo.a").display().to_string();
        match runtime {
            Runtime::Copy => sources.push(SOURCE),
            Runtime::Package => {
                build_package(&package, &folder, &library);
                sources.push(&library);
                include.push(&header);
            }
        }
        for compiler in ["gcc", "clang"] {
            let warnings = &WARNINGS[..WARNINGS.len() - 1];
            let all = [
                warnings,
                &include,
                &flags,
                &["-std=c11", "-O0", "-o", "main"],
                &sources,
                &libraries,
                &["-lm"],
            ];
            run(&folder, compiler, &all.concat());
            run(&folder, &folder.join("main").display().to_string(), &[]);
        }
    }
}

/// The runtime as a library, of the files in its folders.
fn build_package(package: &Path, folder: &Path, library: &str) {
    let list = std::fs::read_to_string(package.join("emit.txt")).expect("the list of files");
    let include = format!("-I{}", package.join("include").display());
    let mut objects = Vec::new();
    for path in list.lines().filter(|line| line.ends_with(".c")) {
        let object = folder.join(format!("{}.o", path.replace('/', "_"))).display().to_string();
        let source = package.join(path).display().to_string();
        run(folder, "gcc", &["-std=c11", "-O0", &include, "-c", &source, "-o", &object]);
        objects.push(object);
    }
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    // Objects of an earlier run are not for this library.
    if Path::new(library).exists() {
        std::fs::remove_file(library).expect("the library can be removed");
    }
    run(folder, "ar", &[&["rcs", library][..], &objects].concat());
}

/// A program carries the text of the parts that it chose, and no other.
#[test]
fn a_choice_has_its_parts_alone() {
    for (chosen, parts, others) in [
        (&[][..], &["tcp"][..], &["http", "json", "xml", "soap", "tdxml"][..]),
        (&[Wire::Json], &["tcp", "http", "json"], &["xml", "soap", "tdxml"]),
        (&[Wire::Soap], &["tcp", "xml", "soap"], &["json", "tdxml"]),
        (&[Wire::Tdxml], &["tcp", "tdxml"], &["json", "soap"]),
        (&[Wire::Soap, Wire::Tdxml], &["soap", "tdxml", "soap+tdxml"], &["json"]),
    ] {
        let source = amalgamated_runtime(&needs(chosen)).source;
        for part in parts {
            assert!(source.contains(&format!("\n * {part}/")), "{chosen:?} lacks {part}");
        }
        for other in others {
            assert!(!source.contains(&format!("\n * {other}/")), "{chosen:?} has {other}");
        }
        let without = amalgamated_runtime(&least(chosen));
        for other in ["tcp+streams", "balance", "retries"] {
            assert!(source.contains(&format!("\n * {other}/")), "{chosen:?} lacks {other}");
            assert!(!without.source.contains(&format!("\n * {other}/")), "{chosen:?} has {other}");
        }
        assert!(
            !["stream.h", "addresses.h", "retries.h"].iter().any(|name| without.header.contains(name)),
            "{chosen:?}"
        );
    }
}

/// The runtime of a folder serves all descriptions in it: their code, made apart for different wires, is one program, whichever is linked first.
#[test]
fn descriptions_in_one_folder_share_a_runtime_with_all_that_they_need() {
    let folder = place("together");
    let (a, b) = (
        model("a.creo", "@PACKAGE(\"a\") struct A { int x; }"),
        model("b.creo", "@PACKAGE(\"b\") struct B { String? y; }"),
    );
    let binary = least(&[Wire::Binary]);
    let others = Needs { with: BTreeSet::from([Module::Jms]), ..least(&[Wire::Json]) };
    let input = |model, own: &Needs, others| {
        let own = own.wires;
        Input { runtime: Runtime::Copy, wires: own, others, ..Input::new(&C, model) }
    };
    let (of_a, of_b) = (
        C.generate(&input(&a, &binary, &others)),
        C.generate(&Input { with: &[Module::Jms], ..input(&b, &others, &binary) }),
    );
    for path in [HEADER, SOURCE, "Makefile", "CMakeLists.txt"] {
        assert_eq!(of_a.get(path), of_b.get(path), "{path}");
    }
    assert!(of_a.get("src/a.text.c").is_none() && of_a.get("include/creo/jms.h").is_none());
    assert!(of_b.get("src/b.text.c").is_some() && of_b.get("include/creo/jms.h").is_some());
    let alone = C.generate(&input(&a, &binary, Needs::none()));
    write_all(&folder.join("alone"), &alone);
    let of_b = C.generate(&input(&b, &least(&[Wire::Json]), &binary));
    write_all(&folder, &C.generate(&input(&a, &binary, &least(&[Wire::Json]))));
    write_all(&folder, &of_b);
    let main = "#include \"a.creo.h\"\n#include \"b.text.h\"\n\nint main(void)\n{\n    creo_arena arena;\n    creo_arena_init(&arena, creo_allocator_libc());\n    \
        creo_error error;\n    creo_bytes json;\n    b_b value;\n    b_b_init(&value);\n    value.has_y = true;\n    value.y = creo_text(\"1\");\n    a_a other;\n    a_a_init(&other);\n    \
        creo_writer writer;\n    creo_writer_init(&writer, &arena, NULL, &error);\n    bool done = a_a_encode(&writer, &other) && b_b_to_json(&value, &arena, &json, &error) && json.size == 9;\n    \
        creo_arena_free(&arena);\n    return done ? 0 : 1;\n}\n";
    write(&folder.join("main.c"), main);
    run(&folder, "make", &["-s", "CFLAGS=-O0 -Werror"]);
    for libraries in [["-lcreo_a", "-lcreo_b"], ["-lcreo_b", "-lcreo_a"]] {
        run(
            &folder,
            "gcc",
            &[&WARNINGS[..], &["-std=c11", "main.c", "-Lbuild"], &libraries, &["-o", "main"]].concat(),
        );
        run(&folder, &folder.join("main").display().to_string(), &[]);
    }
    // With the runtime of another folder, which lacks a wire or streams, the code says so.
    let streams = model("c.creo", "@PACKAGE(\"c\") interface C { stream int get(); }");
    let of_c = C.generate(&Input { wires: Wires::of([Wire::Binary]), ..Input::new(&C, &streams) });
    write_all(&folder.join("alone"), &of_c);
    for (header, lacks) in [("include/b.text.h", "speaks json"), ("alone/include/c.creo.h", "has streams")] {
        let output = Command::new("gcc")
            .args(["-std=c11", "-Ialone/include", "-Iinclude", "-fsyntax-only", "-x", "c"])
            .arg(header)
            .current_dir(&folder)
            .output()
            .expect("gcc");
        let said = String::from_utf8_lossy(&output.stderr);
        let why = format!("This code {lacks}, and the copy of the Creo runtime that was found does not");
        assert!(!output.status.success() && said.contains(&why), "{said}");
    }
}

/// The runtime's call tests with the two files: generated code, a server, and all wires over TCP and HTTP.
#[test]
fn calls_work() {
    let folder = folder("calls", &needs(&Wire::ALL));
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes/c/tests");
    let tests = tests.canonicalize().expect("the runtime's tests");
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
        // The sanitizers find the same, and more optimization takes three times as long.
        "-O0",
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
