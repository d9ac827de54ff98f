//! The C runtime's tests and fuzz targets use generated code stored next to them, so they need no compiler for descriptions. It must equal
//! this generator's output. `CREO_REFRESH=1` rewrites it, and the run still fails: review the changes first.
#![allow(clippy::disallowed_methods)] // A test that compares files reads them.

use creo_check::compile;
use creo_codegen::{Input, Runtime, Target};
use creo_gen_c::C;
use std::path::Path;

#[test]
fn the_runtimes_sample_is_what_is_generated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes/c/tests/sample");
    let mut stale = Vec::new();
    for sample in ["sample", "encoded", "probe"] {
        let description = format!("{sample}.creo");
        let text = std::fs::read_to_string(folder.join(&description)).expect("the sample's description");
        let model = compile(&[(&description, &text)]).unwrap_or_else(|report| panic!("{report}"));
        let files = C.generate(&Input::new(&C, &model));
        for name in ["creo.h", "creo.c", "text.h", "text.c"].map(|part| format!("{sample}.{part}")) {
            let generated = ["include", "src"]
                .iter()
                .find_map(|part| files.get(&format!("{part}/{name}")))
                .expect("the sample's code");
            let path = folder.join(&name);
            if std::fs::read_to_string(&path).unwrap_or_default() != generated {
                if std::env::var("CREO_REFRESH").is_ok() {
                    std::fs::write(&path, generated).expect("the sample can be written");
                }
                stale.push(name);
            }
        }
    }
    assert!(stale.is_empty(), "not what is generated now: {stale:?} in {}", folder.display());
}

/// The same description gives the same files, in every run.
#[test]
fn output_is_deterministic() {
    let text = "struct B { int x; } struct A { B[] b; Map<String, B> m; B? o; } interface S { A get(A a); }";
    let model = compile(&[("a.creo", text)]).unwrap_or_else(|report| panic!("{report}"));
    let input = Input { runtime: Runtime::Copy, ..Input::new(&C, &model) };
    assert_eq!(C.generate(&input), creo_gen_c::C.generate(&input));
}

fn codec(text: &str) -> String {
    let model = compile(&[("a.creo", text)]).unwrap_or_else(|report| panic!("{report}"));
    let files = C.generate(&Input::new(&C, &model));
    files.get("src/a.creo.c").expect("the package's code").to_owned()
}

/// Annotations of an optional field concern its value, not its presence.
#[test]
fn docs_are_at_the_value() {
    let text = "@PACKAGE(\"a\") struct A { /** The limit. */ int? limit; @Deprecated(\"gone\") String? text; /** The next. */ A? next; }";
    let model = compile(&[("a.creo", text)]).unwrap_or_else(|report| panic!("{report}"));
    let files = C.generate(&Input::new(&C, &model));
    let header = files.get("include/a.creo.h").expect("the package's header");
    for lines in [
        "    bool has_limit;\n    /** The limit. */\n    int32_t limit;\n",
        "    bool has_text;\n    /** @deprecated gone */\n    creo_string text;\n",
        "    /** The next. */\n    const a_a *next;\n",
    ] {
        assert!(header.contains(lines), "{lines}\n{header}");
    }
}

/// The codec of a struct without fields sets its one byte, so no block takes its place, however many of them a struct holds.
#[test]
fn structs_without_fields_are_in_no_block() {
    let mut text = "@PACKAGE(\"a\") struct S0 {}".to_owned();
    for level in 1..16 {
        let fields: Vec<String> = (0..16).map(|field| format!("S{} f{field};", level - 1)).collect();
        text.push_str(&format!("struct S{level} {{ {} }}", fields.join(" ")));
    }
    text.push_str("struct Holder { S15 many; int number; } struct Outer { int before; Holder holder; int after; int last; }");
    let code = codec(&text);
    assert!(code.contains("a_s15_decode(reader, &value->many)"));
    assert!(code.contains("creo_read_int(reader, &value->number)"));
    assert!(code.contains("a_holder_decode(reader, &value->holder)"));
    assert!(code.contains("creo_read_block(reader, 8)"));
}

/// Structs within structs share a block with their neighbours up to 16 levels, and up to 64 parts.
#[test]
fn large_and_deep_structs_are_in_no_block() {
    let bytes = |count: usize| (0..count).map(|field| format!("byte f{field};")).collect::<String>();
    let mut text = format!(
        "@PACKAGE(\"a\") struct Fits {{ {} }} struct Large {{ {} }} struct D0 {{ byte x; }}",
        bytes(64),
        bytes(65)
    );
    for level in 1..18 {
        text.push_str(&format!("struct D{level} {{ D{} d; }}", level - 1));
    }
    text.push_str("struct Holder { int a; Fits fits; Large large; D15 fitting; D16 deep; D16[] items; D17[] deepItems; }");
    let code = codec(&text);
    let holder = &code[code.find("bool a_holder_decode(creo_reader").expect("the holder's decoder")..];
    assert!(holder.contains("creo_read_block(reader, 68)"));
    assert!(holder.contains("a_large_decode(reader, &value->large)"));
    assert!(!holder.contains("a_d15_decode(reader, &value->fitting)"));
    assert!(holder.contains("a_d16_decode(reader, &value->deep)"));
    let array = |name: &str| {
        let rest =
            &code[code.find(&format!("bool {name}_decode(creo_reader")).expect("the array's decoder")..];
        rest[..rest.find("\n}").expect("its end")].to_owned()
    };
    assert!(array("a_d16_array").contains("at += 1"));
    assert!(array("a_d17_array").contains("a_d17_decode(reader, &items[i])"));
}

/// Each request of an interface with `addressing` says so, and no other (SOAP-40).
#[test]
fn requests_with_addressing_say_so() {
    let text = |annotation: &str| {
        let text = format!(
            "@PACKAGE(\"a\") {annotation} interface S {{ int add(int x); oneway void note(); }} interface T {{ void go(); }}"
        );
        let model = compile(&[("a.creo", &text)]).unwrap_or_else(|report| panic!("{report}"));
        C.generate(&Input::new(&C, &model)).get("src/a.text.c").expect("the descriptors").to_owned()
    };
    let addressed = text("@Xml(addressing)");
    let flagged = |line: &&str| line.contains("CREO_RECORD_ADDRESSED");
    assert_eq!(addressed.lines().filter(flagged).count(), 2, "{addressed}");
    assert!(addressed.lines().filter(flagged).all(|line| line.contains("a:S/")));
    assert!(text("@Xml(addressing, encoded)").contains("CREO_RECORD_ENCODED | CREO_RECORD_ADDRESSED"));
    assert_eq!(addressed.replace("CREO_RECORD_ADDRESSED", "0"), text(""));
}
