//! Memory (LIM-18): each value is read with exactly the memory that it needs, and refused with one byte less. The memory is computed by a
//! naive implementation of the tables of `spec/limits.md`.

use crate::codec::{Answer, Mode, Question, Refusal, Wire, ask_inspect, ask_peer};
use crate::descriptions;
use crate::options::Options;
use crate::process::{Program, ask};
use crate::repo;
use crate::report::Report;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// A value's charge besides the bytes of its body.
#[derive(Clone, Copy, Debug)]
pub struct Charge {
    binary: u64,
    text: u64,
}

/// The charges of values, whose types the descriptions declare.
pub fn charges<'a>(
    schemas: &[PathBuf],
    values: impl Iterator<Item = (&'a str, &'a Value)>,
) -> Result<Vec<Charge>, String> {
    let lines: Vec<String> =
        values.map(|(ty, value)| json!({"type": ty, "value": value}).to_string()).collect();
    let naive =
        Program::new("python3").arg(repo::path("conformance/naive/memory.py")).arg("--lines").args(schemas);
    let answers = ask(&naive, &lines, Duration::from_secs(60)).into_iter().map(|answer| {
        let answer: Value =
            serde_json::from_str(&answer?).map_err(|e| format!("the naive answer is not JSON: {e}"))?;
        let number = |name: &str| {
            answer["charge"][name].as_u64().ok_or_else(|| format!("the naive answer is {answer}"))
        };
        Ok(Charge { binary: number("binary")?, text: number("text")? })
    });
    answers.collect()
}

/// The memory of a body in a mode.
pub fn needed(charge: Charge, mode: Mode, bytes: &str) -> u64 {
    bytes.len() as u64 / 2 + if mode == Mode::Binary { charge.binary } else { charge.text }
}

/// The question with exactly the needed memory, and with one byte less if that is a valid limit.
pub fn asked(question: &Question, needed: u64) -> Vec<Question> {
    let with = |what: &str, memory: u64| Question {
        id: format!("{} {what}", question.id),
        max_memory: Some(memory),
        ..question.clone()
    };
    let both = [(needed, "within its memory"), (needed.saturating_sub(1), "with a byte too little")];
    both.into_iter().filter(|(memory, _)| *memory > 0).map(|(memory, what)| with(what, memory)).collect()
}

/// What is wrong with an answer to one of [`asked`]. `details`: the answer names the limit.
pub fn check(question: &Question, needed: u64, answer: &Answer, details: bool) -> Result<(), String> {
    let memory = question.max_memory.unwrap_or_default();
    if memory == needed {
        return match answer {
            Answer::Value { .. } => Ok(()),
            Answer::Error(_) => Err(format!("it takes {needed}; the answer was {}", answer.shown())),
        };
    }
    match answer {
        Answer::Error(Refusal { code, place: Some(place), limit, .. })
            if code == "too-large" && place.starts_with('$') =>
        {
            let due = ("maxMemory".to_owned(), memory.to_string());
            if details && limit.as_ref() != Some(&due) {
                return Err(format!(
                    "the limit is maxMemory, {memory} is allowed, and the answer says {limit:?}"
                ));
            }
            Ok(())
        }
        _ => Err(format!(
            "it takes {needed}, {memory} is too little, and too-large with a place is due; the answer was {}",
            answer.shown()
        )),
    }
}

/// Tests each vector of each wire.
pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let naive = Program::new("python3")
        .arg(repo::path("conformance/naive/memory.py"))
        .arg("--check")
        .run(Duration::from_secs(60));
    report.check("the naive memory", naive.map(|_| ()));
    let schemas = repo::files_in(&repo::path("conformance/schemas"), "creo");
    let mut rows = Vec::new();
    for wire in Wire::ALL {
        let vectors = super::vectors::load(wire, &options.only)?;
        let vectors: Vec<_> =
            vectors.iter().filter_map(|vector| Some((vector, vector.value.as_ref()?))).collect();
        let charges = charges(&schemas, vectors.iter().map(|(vector, value)| (vector.ty.as_str(), *value)))?;
        for ((vector, _), charge) in vectors.iter().zip(charges) {
            for reading in &vector.readings {
                let needed = needed(charge, reading.mode, &reading.bytes);
                let question =
                    Question::new(format!("{}{}", vector.name, reading.name), &vector.ty, &reading.bytes);
                rows.extend(
                    asked(&question, needed).into_iter().map(|question| (reading.mode, needed, question)),
                );
            }
        }
    }
    let model = descriptions::compile_file(&repo::path("conformance/schemas/values.creo"))?;
    for (_, needed, question) in rows.iter().filter(|(mode, ..)| *mode == Mode::Binary) {
        report.check(
            format!("inspect {}", question.id),
            ask_inspect(&model, question).and_then(|a| check(question, *needed, &a, false)),
        );
    }
    for (language, program) in options.peers() {
        // A peer that cannot be built has already failed.
        let Ok(program) = program else { continue };
        for mode in Mode::ALL {
            let asked: Vec<_> = rows.iter().filter(|(of, ..)| *of == mode).collect();
            let questions: Vec<Question> = asked.iter().map(|(_, _, question)| question.clone()).collect();
            for ((_, needed, question), answer) in asked.iter().zip(ask_peer(&program, mode, &questions)) {
                let result = answer
                    .and_then(|a| check(question, *needed, &a, true))
                    .map_err(|why| format!("{} as {}: {why}", question.bytes, question.ty));
                report.check(format!("{} {}", language, question.id), result);
            }
        }
    }
    Ok(())
}
