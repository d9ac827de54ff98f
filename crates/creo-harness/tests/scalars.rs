//! The cost of a scalar: a generator names primitives only in `scalars.rs`, the table of its language, and in the places listed here. A new
//! place fails the test, and so does a listed one that no longer exists: the list only gets shorter.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // Tests read files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The names that the enums of primitives have in common (`creo_model::Primitive`).
const SCALARS: [&str; 11] =
    ["Boolean", "Byte", "Short", "Char", "Int", "Long", "Float", "Double", "String", "DateTime", "Decimal"];

/// The enums that list primitives.
const ENUMS: [&str; 3] = ["Primitive", "FixedScalar", "BulkScalar"];

/// The crates under this rule.
const CRATES: [&str; 4] = ["creo-gen-c", "creo-gen-csharp", "creo-gen-java", "creo-gen-python"];

/// A place outside the table.
struct Exception {
    /// The crate and the file.
    file: &'static str,
    scalar: &'static str,
    count: usize,
    /// Why the table cannot say it.
    #[expect(dead_code, reason = "it is for readers")]
    reason: &'static str,
}

const ROW_OF_A_KIND: &str =
    "strings and decimals are kinds of nodes of their own, and this looks their rows up in the table";
const FLOAT_LITERAL: &str =
    "a literal of a float has the precision of a float, and the literal does not say so";

const EXCEPTIONS: [Exception; 17] = [
    Exception { file: "creo-gen-csharp/lower_base.rs", scalar: "String", count: 2, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-csharp/lower_base.rs", scalar: "Decimal", count: 1, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-csharp/lower_text.rs", scalar: "Decimal", count: 1, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-python/lower_text.rs", scalar: "String", count: 1, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-python/lower_values.rs", scalar: "String", count: 2, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-python/lower_text.rs", scalar: "Decimal", count: 1, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-python/lower_values.rs", scalar: "Decimal", count: 2, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-c/lower_base.rs", scalar: "String", count: 1, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-c/lower_base.rs", scalar: "Decimal", count: 1, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-c/lower_text.rs", scalar: "String", count: 1, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-c/lower_text.rs", scalar: "Decimal", count: 1, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-c/lower_types.rs", scalar: "Float", count: 1, reason: FLOAT_LITERAL },
    Exception { file: "creo-gen-java/lang.rs", scalar: "String", count: 1, reason: ROW_OF_A_KIND },
    Exception { file: "creo-gen-java/lang.rs", scalar: "Decimal", count: 1, reason: ROW_OF_A_KIND },
    Exception {
        file: "creo-gen-java/print_binary_values.rs",
        scalar: "Byte",
        count: 2,
        reason: "an item of an array of bytes needs no call",
    },
    Exception {
        file: "creo-gen-java/print_text_fields.rs",
        scalar: "String",
        count: 1,
        reason: ROW_OF_A_KIND,
    },
    Exception {
        file: "creo-gen-java/print_text_fields.rs",
        scalar: "Decimal",
        count: 1,
        reason: ROW_OF_A_KIND,
    },
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it is in the folder of the crates").to_owned()
}

/// The files of a crate, without those of tests, as `crate/file.rs` and their code.
fn sources(name: &str) -> Vec<(String, String)> {
    let folder = crates().join(name).join("src");
    let mut found = Vec::new();
    let mut folders = vec![folder.clone()];
    while let Some(folder_at_hand) = folders.pop() {
        for entry in std::fs::read_dir(&folder_at_hand).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let relative = path.strip_prefix(&folder).expect("it is below the folder").display().to_string();
            if relative.ends_with(".rs") && relative != "tests.rs" {
                let text = std::fs::read_to_string(&path).expect("it is text");
                let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
                found.push((format!("{name}/{relative}"), code));
            }
        }
    }
    found.sort();
    found
}

/// How often code names a scalar.
fn count(code: &str, scalar: &str) -> usize {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let of = |list: &str| {
        let wanted = format!("{list}::{scalar}");
        let places = code.match_indices(&wanted);
        places
            .filter(|(at, _)| {
                !code[..*at].ends_with(is_name) && !code[*at + wanted.len()..].starts_with(is_name)
            })
            .count()
    };
    ENUMS.iter().map(|list| of(list)).sum()
}

#[test]
fn a_scalar_is_a_row() {
    let mut allowed: BTreeMap<(String, &str), usize> =
        EXCEPTIONS.iter().map(|e| ((e.file.to_owned(), e.scalar), e.count)).collect();
    let mut wrong = Vec::new();
    for name in CRATES {
        let sources = sources(name);
        let table = format!("{name}/scalars.rs");
        for scalar in SCALARS {
            for (file, code) in &sources {
                let found = count(code, scalar);
                if *file == table {
                    if found == 0 {
                        wrong.push(format!("{file} has no row of {scalar}"));
                    }
                    continue;
                }
                let listed = allowed.remove(&(file.clone(), scalar)).unwrap_or_default();
                if found != listed {
                    wrong.push(format!("{file} names {scalar} {found} times, and {listed} are listed"));
                }
            }
        }
    }
    wrong.extend(
        allowed.keys().map(|(file, scalar)| format!("{file} is listed with {scalar}, and is not there")),
    );
    assert!(
        wrong.is_empty(),
        "what a language knows of a scalar belongs into the table of scalars.rs:\n{}",
        wrong.join("\n")
    );
}

/// An import of the names themselves would hide them from the count.
#[test]
fn names_of_scalars_are_written_out() {
    for (file, code) in CRATES.iter().flat_map(|name| sources(name)) {
        let hidden = |line: &&str| {
            let line = line.trim_start();
            let imports = line.starts_with("use ") || line.starts_with("pub use ");
            imports
                && ENUMS
                    .iter()
                    .any(|list| line.contains(&format!("{list}::")) || line.contains(&format!("{list} as ")))
        };
        assert_eq!(code.lines().find(hidden), None, "{file}");
    }
}

#[test]
fn counting() {
    let code = "Primitive::Int FixedScalar::Int, Primitive::Integer MyPrimitive::Int; BulkScalar::Int)";
    assert_eq!(count(code, "Int"), 3);
    assert_eq!(count(code, "Long"), 0);
}
