//! Malformed bodies and unwritable values: the error's code and path, by the compiler's decoder and by each language.

use super::memory;
use super::places::names;
use crate::cases::entries;
use crate::codec::{Answer, Question, Refusal, Wire, ask_inspect, ask_peer};
use crate::options::Options;
use crate::process::Program;
use crate::report::Report;
use crate::{descriptions, repo};
use serde_json::Value;
use std::time::Duration;

/// One line of `conformance/malformed/WIRE/*.json`; see `conformance/README.md`.
#[derive(Debug)]
struct Case {
    wire: Wire,
    name: String,
    ty: String,
    bytes: String,
    error: String,
    /// Accepted paths; if empty, any path is accepted.
    places: Vec<String>,
    offset: Option<u64>,
    truncated: bool,
    /// Texts that the error's message must contain.
    message: Vec<String>,
    /// The exceeded limit (LIM-2).
    limit: Option<String>,
    /// LIM-18: with this much memory the value is read; with one byte less it is refused.
    max_memory: Option<u64>,
}

impl Case {
    /// The question with the limit that refuses it.
    fn question(&self) -> Question {
        Question {
            max_memory: self.max_memory.map(|memory| memory - 1),
            ..Question::new(&self.name, &self.ty, &self.bytes)
        }
    }
}

fn load(wire: Wire, only: &str) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for entry in entries(&format!("malformed/{}", wire.folder()), "cases")? {
        let name = format!("{}/{}", wire.folder(), entry.name);
        if !name.contains(only) {
            continue;
        }
        let case = &entry.json;
        cases.push(Case {
            wire,
            name,
            ty: entry.text("type")?,
            bytes: bytes(wire, case).ok_or_else(|| entry.wrong("no bytes"))?,
            error: entry.text("error")?,
            places: texts(&case["place"]),
            offset: case["offset"].as_u64(),
            truncated: case["truncated"] == true,
            message: texts(&case["message"]),
            limit: case["limit"].as_str().map(str::to_owned),
            max_memory: case["maxMemory"].as_u64(),
        });
    }
    Ok(cases)
}

/// One or several texts.
fn texts(member: &Value) -> Vec<String> {
    let several = member.as_array().map_or(std::slice::from_ref(member), Vec::as_slice);
    several.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The bytes of a case, including those of `repeat`, repeated `times` times.
fn bytes(wire: Wire, case: &Value) -> Option<String> {
    let bytes = wire.bytes(case)?;
    match (case["repeat"].as_str(), case["times"].as_u64()) {
        (Some(repeat), Some(times)) => Some(bytes + &repeat.repeat(usize::try_from(times).ok()?)),
        _ => Some(bytes),
    }
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let naive = Program::new("python3")
        .arg(repo::path("conformance/naive/decode.py"))
        .arg("--check")
        .run(Duration::from_secs(120));
    report.check("the naive reader of binary", naive.map(|_| ()));
    let mut all = Vec::new();
    for wire in Wire::ALL {
        let cases = load(wire, &options.only)?;
        let questions: Vec<Question> = cases.iter().map(Case::question).collect();
        all.push((wire, cases, questions));
    }
    // The same cases with sufficient memory, which are read.
    let enough: Vec<(Wire, u64, Question)> = all
        .iter()
        .flat_map(|(wire, cases, _)| cases.iter().filter_map(|case| Some((*wire, case.max_memory?, case))))
        .map(|(wire, memory, case)| {
            let question = Question {
                id: format!("{} with a byte more", case.name),
                max_memory: Some(memory),
                ..case.question()
            };
            (wire, memory, question)
        })
        .collect();
    let model = descriptions::compile_file(&repo::path("conformance/schemas/values.creo"))?;
    for (case, question) in all
        .iter()
        .filter(|(wire, ..)| *wire == Wire::Binary)
        .flat_map(|(_, cases, questions)| cases.iter().zip(questions))
    {
        report.check(
            format!("inspect {}", case.name),
            ask_inspect(&model, question).and_then(|a| check(case, &a, false)),
        );
    }
    for (_, memory, question) in enough.iter().filter(|(wire, ..)| *wire == Wire::Binary) {
        report.check(
            format!("inspect {}", question.id),
            ask_inspect(&model, question).and_then(|a| memory::check(question, *memory, &a, false)),
        );
    }
    for (language, program) in options.peers() {
        let program = match program {
            Ok(program) => program,
            Err(why) => {
                report.fail(language, why);
                continue;
            }
        };
        for (wire, cases, questions) in &all {
            for (case, answer) in cases.iter().zip(ask_peer(&program, wire.mode(), questions)) {
                report
                    .check(format!("{} {}", language, case.name), answer.and_then(|a| check(case, &a, true)));
            }
            let rows: Vec<_> = enough.iter().filter(|(of, ..)| of == wire).collect();
            let questions: Vec<Question> = rows.iter().map(|(_, _, question)| question.clone()).collect();
            for ((_, memory, question), answer) in
                rows.iter().zip(ask_peer(&program, wire.mode(), &questions))
            {
                let result = answer.and_then(|a| memory::check(question, *memory, &a, true));
                report.check(format!("{} {}", language, question.id), result);
            }
        }
    }
    super::writer::run(options, report)?;
    memory::run(options, report)?;
    super::updates::malformed(options, report)
}

/// `details`: the answer names the exceeded limit.
fn check(case: &Case, answer: &Answer, details: bool) -> Result<(), String> {
    let wrong = |why: String| {
        let bytes = repo::unhex(&case.bytes).unwrap_or_default();
        let shown = if case.wire == Wire::Binary {
            case.bytes.clone()
        } else {
            String::from_utf8(bytes).unwrap_or_else(|_| case.bytes.clone())
        };
        Err(format!(
            "{} as {}: {why}; the answer was {}",
            crate::report::cut(&shown),
            case.ty,
            answer.shown()
        ))
    };
    let Answer::Error(Refusal { code, place, offset, message, limit }) = answer else {
        return wrong(format!("{} is due", case.error));
    };
    if *code != case.error {
        return wrong(format!("{} is due", case.error));
    }
    let Some(place) = place else {
        return wrong("it has no place (BIN-15)".to_owned());
    };
    if !place.starts_with('$') {
        return wrong("its place does not begin with $ (BIN-15)".to_owned());
    }
    if !case.places.is_empty() && !case.places.iter().any(|expected| names(place, expected, case.truncated)) {
        return wrong(format!("the place is {}", case.places.join(" or ")));
    }
    if let (Some(expected), Some(offset)) = (case.offset, offset)
        && expected != *offset
    {
        return wrong(format!("the offset is {expected}"));
    }
    // If it is not exact, it is still within the body.
    if case.wire == Wire::Binary && offset.is_none_or(|offset| offset > case.bytes.len() as u64 / 2) {
        return wrong("the offset is a number from 0 to the size of the body (BIN-15)".to_owned());
    }
    let due = case.limit.as_deref().or(case.max_memory.map(|_| "maxMemory"));
    if let (true, Some(due)) = (details, due)
        && limit.as_ref().map(|(name, _)| name.as_str()) != Some(due)
    {
        return wrong(format!("the limit is {due}, and the answer says {limit:?}"));
    }
    if let Some(missing) = case.message.iter().find(|text| !message.contains(*text)) {
        return wrong(format!("the message says {missing:?}"));
    }
    Ok(())
}
