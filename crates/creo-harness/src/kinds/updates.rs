//! Updates of tables (TDX-45, TDX-46): computed from two values, and applied to one. Java and Python support them.

use crate::codec::Wire;
use crate::languages::Language;
use crate::options::Options;
use crate::process::{Program, ask};
use crate::report::Report;
use crate::{repo, values};
use creo_json::parse_json;
use serde_json::{Value, json};
use std::time::Duration;

/// The languages that support updates.
pub const LANGUAGES: [Language; 2] = [Language::Java, Language::Python];

/// The note for a language without updates.
pub fn missing(language: Language) -> String {
    format!("updates of tables in {}: it has none", language.name())
}

/// The folder of the cases in `vectors` and `malformed`.
const FOLDER: &str = "updates";

/// One line of `conformance/vectors/updates/*.json` or `conformance/malformed/updates/*.json`.
#[derive(Debug)]
struct Case {
    name: String,
    row: Value,
    /// The line for a peer.
    line: String,
}

/// All vectors (`member` is `vectors`) or all malformed cases (`cases`).
fn load(folder: &str, member: &str, only: &str) -> Result<Vec<Case>, String> {
    let mut rows = Vec::new();
    for path in repo::files_below(&repo::path(folder).join(FOLDER), "json") {
        let file = parse_json(&repo::read(&path)?).map_err(|e| format!("{}: {e:?}", path.display()))?;
        for row in file[member].as_array().ok_or_else(|| format!("{}: no {member}", path.display()))? {
            let text = |name: &str| {
                row[name].as_str().ok_or_else(|| format!("{}: no {name} in {row}", path.display()))
            };
            let name = format!("{FOLDER}/{}", text("id")?);
            text("doc").and(text("clause")).and(text("type"))?;
            if name.contains(only) {
                rows.push((name, row.clone()));
            }
        }
    }
    let firsts = documents(rows.iter().map(|(_, row)| (&row["type"], &row["value"])))?;
    let seconds = documents(
        rows.iter().filter(|(_, row)| !row["new"].is_null()).map(|(_, row)| (&row["type"], &row["new"])),
    )?;
    let mut seconds = seconds.into_iter();
    let mut cases = Vec::new();
    for ((name, row), first) in rows.into_iter().zip(firsts) {
        let update =
            row["read"].as_str().or(row["update"].as_str()).ok_or_else(|| format!("{name}: no update"))?;
        let mut line =
            json!({"id": name, "type": row["type"], "bytes": first, "update": repo::hex(update.as_bytes())});
        if !row["new"].is_null() {
            line["second"] = json!(seconds.next());
        }
        cases.push(Case { name, line: line.to_string(), row });
    }
    Ok(cases)
}

/// Values as tables in hexadecimal, by the naive writer.
fn documents<'a>(values: impl Iterator<Item = (&'a Value, &'a Value)>) -> Result<Vec<String>, String> {
    let lines: Vec<String> =
        values.map(|(ty, value)| json!({"type": ty, "value": value}).to_string()).collect();
    let schemas = repo::files_in(&repo::path("conformance/schemas"), "creo");
    let naive = Program::new("python3").arg(repo::path(Wire::Tdxml.naive())).arg("--lines").args(schemas);
    let answers = ask(&naive, &lines, Duration::from_secs(60)).into_iter();
    answers
        .map(|answer| {
            let answer: Value = serde_json::from_str(&answer?).map_err(|e| e.to_string())?;
            let document =
                answer["record"].as_str().ok_or_else(|| format!("the naive writer answers {answer}"))?;
            Ok(repo::hex(document.as_bytes()))
        })
        .collect()
}

/// Runs each case in each language that supports updates.
fn run(
    options: &Options,
    report: &mut Report,
    cases: &[Case],
    check: impl Fn(&Case, &Value) -> Result<(), String>,
) {
    if cases.is_empty() {
        return;
    }
    let lines: Vec<String> = cases.iter().map(|case| case.line.clone()).collect();
    for language in options.languages() {
        if !LANGUAGES.contains(&language) {
            report.not_run(missing(language));
            continue;
        }
        let program = match language.ready().and_then(|()| language.conformance_peer()) {
            Ok(program) => program,
            Err(why) => {
                report.fail(language.name(), why);
                continue;
            }
        };
        for (case, answer) in
            cases.iter().zip(ask(&program.arg("tdxml-update"), &lines, Duration::from_secs(60)))
        {
            let result = answer.and_then(|line| {
                let answer = parse_json(&line).map_err(|e| format!("the answer is not JSON: {e:?}"))?;
                check(case, &answer).map_err(|why| {
                    format!("{}: {why}; the answer was {}", case.row, crate::report::cut(&line))
                })
            });
            report.check(format!("{} {}", language.name(), case.name), result);
        }
    }
}

pub fn vectors(options: &Options, report: &mut Report) -> Result<(), String> {
    let cases = load("conformance/vectors", "vectors", &options.only)?;
    run(options, report, &cases, |case, answer| {
        values::same(&case.row["new"], &answer["value"]).map_err(|why| format!("the value differs {why}"))?;
        let made = answer["update"].as_str().map(repo::unhex).transpose()?.unwrap_or_default();
        match case.row["update"].as_str() {
            Some(due) if due.as_bytes() != made => {
                Err(format!("the update made is {}", String::from_utf8_lossy(&made)))
            }
            _ => Ok(()),
        }
    });
    Ok(())
}

pub fn malformed(options: &Options, report: &mut Report) -> Result<(), String> {
    let cases = load("conformance/malformed", "cases", &options.only)?;
    run(options, report, &cases, |case, answer| {
        if answer["error"] != case.row["error"] {
            return Err(format!("{} is due", case.row["error"]));
        }
        let message = answer["message"].as_str().unwrap_or_default();
        let missing = case.row["message"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .find(|text| !message.contains(text));
        missing.map_or(Ok(()), |text| Err(format!("the message says {text:?}")))
    });
    Ok(())
}
