//! The names of the targets: what cannot derive them from [`TARGETS`], because it is text or another language's program, says the same.

#![allow(clippy::disallowed_methods)] // It reads what it compares.

use creo_check::TARGETS;
use std::path::Path;

fn assert_says(path: &str, list: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(text.contains(list), "{path} does not say {list}");
}

#[test]
fn the_specification_names_the_targets() {
    let [others @ .., last] = TARGETS.map(|target| format!("`{target}`"));
    assert_says("spec/language.md", &format!("The built-in targets are {} and {last}.", others.join(", ")));
}

#[test]
fn documentation_names_the_targets() {
    for path in ["docs/soap.md", "docs/cli.md"] {
        assert_says(path, &TARGETS.join(","));
    }
    assert_says("docs/cli.md", &format!("help: it knows {}", TARGETS.join(", ")));
}

#[test]
fn scripts_name_the_targets() {
    let list = TARGETS.map(|target| format!("{target:?}")).join(", ");
    for path in ["scripts/test.py", "tests/jms/callers.py"] {
        assert_says(path, &format!("LANGUAGES = [{list}]"));
    }
    for path in ["bench/all.py", "bench/harness/response_build.py", "bench/harness/response_peers.py"] {
        assert_says(path, &format!("LANGUAGES = ({list})"));
    }
    assert_says("bench/harness/cost.py", &format!("ALL = ({list})"));
}
