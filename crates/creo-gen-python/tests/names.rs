//! What one file of generated Python defines: a second function of a name would replace the first.
#![allow(clippy::disallowed_methods)] // A test of a description in a file reads it.

use creo_check::compile;
use creo_codegen::{Input, Target};
use creo_gen_python::Python;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn nothing_is_defined_twice() {
    for name in ["named_alike", "clashes", "own_words", "words_python"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/compile/{name}.creo"));
        let text = std::fs::read_to_string(path).expect("the description");
        let model = compile(&[(name, &text)]).unwrap_or_else(|report| panic!("{report}"));
        let files = Python.generate(&Input::new(&Python, &model));
        let mut count = 0;
        for (path, code) in files.iter().filter(|(path, _)| path.contains("creo_")) {
            let mut known = BTreeSet::new();
            // Definitions and constants of the module, not those of classes.
            for line in code.lines() {
                let defined = line.strip_prefix("def ").or_else(|| line.strip_prefix("class "));
                let assigned =
                    line.split_once(": Final").or_else(|| line.split_once(" = ")).map(|(left, _)| left);
                let what = match (defined, assigned) {
                    (Some(rest), _) => rest.split(['(', ':']).next().unwrap_or(rest),
                    (None, Some(left)) if left.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => left,
                    _ => continue,
                };
                assert!(known.insert(what.to_owned()), "{name}, {path}: {what} is defined twice");
                count += 1;
            }
        }
        assert!(count > 10, "{name}: only {count} definitions were found");
    }
}
