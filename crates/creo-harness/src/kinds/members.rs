//! Members that are missing, unknown or null on the text wires: made of whole values by a naive program, which also says what the specification makes of them. Every
//! language reads the same value, or refuses with the same code at the same place.

use super::places::names;
use crate::codec::{Answer, Mode, Question, Refusal, Wire};
use crate::process::{Program, ask};
use crate::random::Random;
use crate::{repo, values};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// A naive program that needs longer for one line hangs.
const LIMIT: Duration = Duration::from_secs(60);

/// The naive program's worked examples.
pub fn naive() -> Result<(), String> {
    program().arg("--check").run(LIMIT).map(|_| ())
}

fn program() -> Program {
    Program::new("python3").arg(repo::path("conformance/naive/members.py"))
}

/// A value with one member changed, on one wire.
#[derive(Debug)]
pub struct Member {
    pub mode: Mode,
    pub question: Question,
    /// The text of the question.
    pub text: String,
    due: Due,
}

#[derive(Debug)]
enum Due {
    Value { value: Value, encoded: String },
    Error { code: String, place: String },
}

/// What becomes of values when a member of each is changed, for each the list; the values have questions that name them and their types.
pub fn changed<'a>(
    schemas: &[PathBuf],
    values: impl Iterator<Item = (&'a Question, &'a Value)>,
    random: &mut Random,
) -> Result<Vec<Vec<Member>>, String> {
    let values: Vec<_> = values.collect();
    let lines: Vec<String> = values
        .iter()
        .map(|(question, value)| {
            json!({"type": question.ty, "value": value, "seed": random.bits()}).to_string()
        })
        .collect();
    let answers = ask(&program().arg("--lines").args(schemas), &lines, LIMIT);
    values.iter().zip(answers).map(|((question, _), answer)| read(question, &answer?)).collect()
}

fn read(question: &Question, line: &str) -> Result<Vec<Member>, String> {
    let wrong = || format!("the naive program answers {}", crate::report::cut(line));
    let answer: Value = creo_json::parse_json(line).map_err(|_| wrong())?;
    if answer["error"] == "invalid-value" {
        return Ok(Vec::new());
    }
    let member = |row: &Value| {
        let text = |name: &str| row[name].as_str().map(str::to_owned).ok_or_else(wrong);
        let wire = Wire::TEXT.into_iter().find(|wire| row["wire"] == wire.folder()).ok_or_else(wrong)?;
        let due = match row.get("value") {
            Some(value) => {
                Due::Value { value: value.clone(), encoded: repo::hex(text("encoded")?.as_bytes()) }
            }
            None => Due::Error { code: text("error")?, place: text("place")? },
        };
        let shown = text("text")?;
        let id = format!("{} {}", question.id, text("what")?);
        let question = Question::new(id, &question.ty, &repo::hex(shown.as_bytes()));
        Ok(Member { mode: wire.mode(), question, text: shown, due })
    };
    answer["members"].as_array().ok_or_else(wrong)?.iter().map(member).collect()
}

impl Member {
    /// What is wrong with a peer's answer.
    pub fn check(&self, answer: &Answer) -> Result<(), String> {
        match (&self.due, answer) {
            (Due::Value { value: due, encoded }, Answer::Value { value, bytes }) => {
                values::same(due, value).map_err(|why| format!("the value differs {why}"))?;
                if bytes == encoded {
                    Ok(())
                } else {
                    Err(format!("encoded again it is {bytes}, and should be {encoded}"))
                }
            }
            (Due::Error { code, place }, Answer::Error(Refusal { code: found, place: Some(at), .. }))
                if code == found && names(at, place, false) =>
            {
                Ok(())
            }
            (Due::Value { value, .. }, answer) => {
                Err(format!("it was {}, and should be the value {value}", answer.shown()))
            }
            (Due::Error { code, place }, answer) => {
                Err(format!("it was {}, and should be {code} at {place}", answer.shown()))
            }
        }
    }
}
