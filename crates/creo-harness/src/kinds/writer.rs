//! Unwritable values (BIN-17): the error's code and path in each language. The naive encoder refuses the same (`encode.py --check`).

use super::places::names;
use crate::cases::entries;
use crate::languages::Language;
use crate::options::{OUTSIDE, Options};
use crate::process::ask;
use crate::report::Report;
use serde_json::{Value, json};
use std::time::Duration;

/// One line of `conformance/malformed/writer/*.json`; see `conformance/README.md`.
#[derive(Debug)]
struct Case {
    name: String,
    /// The question to a peer.
    line: String,
    error: String,
    place: String,
    /// The languages whose types cannot hold the value.
    cannot: Vec<String>,
}

fn load(only: &str) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for entry in entries("malformed/writer", "cases")? {
        let (name, case) = (format!("writer/{}", entry.name), &entry.json);
        entry.text("value")?;
        if name.contains(only) {
            cases.push(Case {
                name,
                line: json!({"id": case["id"], "type": entry.text("type")?}).to_string(),
                error: entry.text("error")?,
                place: entry.text("place")?,
                cannot: case["cannot"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
            });
        }
    }
    Ok(cases)
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let cases = load(&options.only)?;
    for (language, program) in options.peers() {
        // A peer that cannot be built has already failed.
        let Ok(program) = program else { continue };
        let lines: Vec<String> = cases.iter().map(|case| case.line.clone()).collect();
        for (case, answer) in cases.iter().zip(ask(&program.arg("writer"), &lines, Duration::from_secs(60))) {
            let result = answer.and_then(|line| check(case, language, &line));
            report.check(format!("{} {}", language, case.name), result);
        }
    }
    Ok(())
}

fn check(case: &Case, language: &str, line: &str) -> Result<(), String> {
    let answer: Value =
        serde_json::from_str(line).map_err(|why| format!("the answer is not JSON: {why}: {line}"))?;
    let shown = || crate::report::cut(line);
    // The types of an outside program are not known here.
    if language == OUTSIDE && answer["cannot"] == true {
        return Ok(());
    }
    if case.cannot.iter().any(|name| name == Language::of_way(language)) {
        let is_said = answer["cannot"] == true;
        return if is_said {
            Ok(())
        } else {
            Err(format!(
                "the types of the language hold no such value, says the case; the answer was {}",
                shown()
            ))
        };
    }
    if answer["error"] != case.error.as_str() {
        return Err(format!("{} is due; the answer was {}", case.error, shown()));
    }
    match answer["place"].as_str() {
        Some(place) if names(place, &case.place, false) => Ok(()),
        _ => Err(format!("the place is {}; the answer was {}", case.place, shown())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_written_or_not_tried_fails() {
        let case = Case {
            name: "writer/values/x".to_owned(),
            line: String::new(),
            error: "invalid-value".to_owned(),
            place: "$.texts[1]".to_owned(),
            cannot: vec!["c".to_owned()],
        };
        assert_eq!(check(&case, "java", r#"{"error": "invalid-value", "place": "$.texts"}"#), Ok(()));
        assert_eq!(check(&case, "c", r#"{"cannot": true}"#), Ok(()));
        assert_eq!(check(&case, OUTSIDE, r#"{"cannot": true}"#), Ok(()));
        for (language, line) in [
            ("java", r#"{"bytes": "00"}"#),
            ("java", r#"{"cannot": true}"#),
            ("java", r#"{"error": "malformed", "place": "$.texts[1]"}"#),
            ("java", r#"{"error": "invalid-value", "place": "$"}"#),
            ("java", r#"{"error": "invalid-value"}"#),
            ("c", r#"{"error": "invalid-value", "place": "$.texts[1]"}"#),
        ] {
            assert!(check(&case, language, line).is_err(), "{language} {line}");
        }
    }
}
