//! Build helper of the generators: turns the list of a runtime's emitted files into Rust constants.
//!
//! The framework is real code under `runtimes/<target>/`; `emit.txt` there says which files go out and where to.
//! What users get is, byte for byte, what was tested.
#![allow(clippy::disallowed_methods)] // A build script's helper reads files: that is its purpose.

use std::fmt::Write as _;
use std::path::Path;

/// Reads `runtimes/<runtime>/emit.txt` and writes `framework.rs` to Cargo's `OUT_DIR`:
/// `pub const FRAMEWORK: &[(&str, &str)]`, pairs of emitted path and text, sorted by path.
///
/// A line of the list is `source-path -> emitted-path`, both relative and with `/`; `#` starts a comment.
///
/// # Panics
/// When the list or a file on it cannot be read: a build without its runtime must not succeed.
pub fn embed(runtime: &str) {
    embed_with(runtime, &[]);
}

/// As [`embed`], and in the same file a constant for each module, of the given name: the files of a list such as `java-jms/emit.txt`, whose
/// sources are relative to the folder that it is in.
///
/// # Panics
/// When a list or a file on it cannot be read.
pub fn embed_with(runtime: &str, modules: &[(&str, &str)]) {
    let mut code = constant("FRAMEWORK", "The framework's files", &format!("{runtime}/emit.txt"));
    for (name, list) in modules {
        code.push_str(&constant(name, "The files of a module", list));
    }
    let out = Path::new(&std::env::var("OUT_DIR").expect("set by cargo")).join("framework.rs");
    std::fs::write(&out, code).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
}

/// A constant with the files that a list names.
fn constant(name: &str, what: &str, list: &str) -> String {
    let manifest = std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let list_path = Path::new(&manifest).join("../../runtimes").join(list);
    let list_path = list_path.canonicalize().unwrap_or_else(|e| panic!("{}: {e}", list_path.display()));
    let root = list_path.parent().expect("a file is in a folder").to_owned();
    println!("cargo::rerun-if-changed={}", list_path.display());
    let list = std::fs::read_to_string(&list_path).unwrap_or_else(|e| panic!("{}: {e}", list_path.display()));
    let mut entries = Vec::new();
    for line in list.lines().map(|l| l.split('#').next().unwrap_or_default().trim()) {
        if line.is_empty() {
            continue;
        }
        let (source, emitted) =
            line.split_once("->").unwrap_or_else(|| panic!("{}: no `->` in `{line}`", list_path.display()));
        let source = root.join(source.trim());
        assert!(source.is_file(), "{}: {} is not a file", list_path.display(), source.display());
        println!("cargo::rerun-if-changed={}", source.display());
        entries.push((emitted.trim().to_owned(), source));
    }
    entries.sort();
    let mut code = format!("/// {what}: emitted path and text.\npub const {name}: &[(&str, &str)] = &[\n");
    for (emitted, source) in &entries {
        let _ = writeln!(code, "    ({emitted:?}, include_str!({:?})),", source.display().to_string());
    }
    code.push_str("];\n");
    code
}
