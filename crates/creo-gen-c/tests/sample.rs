//! The C runtime's own tests and fuzz targets use generated code that is kept beside them, so that they need no compiler for descriptions.
//! It must be what this generator makes. `CREO_REFRESH=1` writes it anew, and the run still fails, so that no one refreshes without looking.
#![allow(clippy::disallowed_methods)] // A test that compares files reads them.

use creo_codegen::{Framework, Input, Target};
use creo_model::compile;
use std::path::Path;

#[test]
fn the_runtimes_sample_is_what_is_generated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes/c/tests/sample");
    let text = std::fs::read_to_string(folder.join("sample.creo")).expect("the sample's description");
    let model = compile(&[("sample.creo", &text)]).unwrap_or_else(|report| panic!("{report}"));
    let files = creo_gen_c::C.generate(&Input { model: &model, framework: Framework::Omit, documents: &[], with: &[] });
    let mut stale = Vec::new();
    for name in ["sample.creo.h", "sample.creo.c", "sample.text.h", "sample.text.c"] {
        let generated = ["include", "src"].iter().find_map(|part| files.get(&format!("{part}/{name}"))).expect("the sample's code");
        let path = folder.join(name);
        if std::fs::read_to_string(&path).unwrap_or_default() != generated {
            stale.push(name);
            if std::env::var("CREO_REFRESH").is_ok() {
                std::fs::write(&path, generated).expect("the sample can be written");
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
    let input = Input { model: &model, framework: Framework::Emit, documents: &[], with: &[] };
    assert_eq!(creo_gen_c::C.generate(&input), creo_gen_c::C.generate(&input));
}
