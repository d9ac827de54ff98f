//! No description makes resolving or checking panic, and every later stage takes what they accept. The bytes are two files that may import one
//! another, separated by a byte 0.
#![no_main]

use creo_check::{LoadError, compile_files};
use creo_diag::to_json as diagnostic_json;
use creo_diff::diff;
use creo_plan::to_json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (root, other) = match bytes.iter().position(|b| *b == 0) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &b"@PACKAGE(\"other\") struct Thing { int a; } enum Quality { X }"[..]),
    };
    let mut load = |name: &str| match name {
        "a.creo" => Ok(root.to_vec()),
        "b.creo" => Ok(other.to_vec()),
        _ => Err(LoadError::NotFound),
    };
    let Ok(compilation) = compile_files(&["a.creo"], &mut load) else { return };
    for diagnostic in compilation.report.diagnostics() {
        let _ = diagnostic_json(diagnostic, &compilation.sources).to_string();
    }
    assert_eq!(compilation.model.is_none(), compilation.report.has_errors());
    let Some(model) = compilation.model else { return };
    for id in model.type_ids() {
        assert!(model.plan().shape(id).min_size < u64::MAX, "an endless type got through");
    }
    let text = to_json(&model, model.plan()).to_string();
    let again: serde_json::Value = serde_json::from_str(&text).expect("the model's JSON is JSON");
    assert_eq!(again.to_string(), text);
    assert!(diff(&model, &model).is_empty());
});
