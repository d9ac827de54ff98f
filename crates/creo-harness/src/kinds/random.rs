//! Random descriptions and values: made from a seed, encoded by the compiler's own encoder, and through every language and back. Then the same bytes with
//! mistakes in them: every decoder refuses what one refuses, and reads what one reads. And the same values on
//! the text wires, written by the naive writers, and with a member missing, unknown or null; and the updates from one to the next.

use super::{members, memory};
use crate::codec::{Answer, Mode, Question, Wire, ask_inspect, ask_peer};
use crate::descriptions;
use crate::languages::Sources;
use crate::options::Options;
use crate::process::{Program, ask};
use crate::random::{Random, Values, description, mutate};
use crate::report::Report;
use crate::{repo, values};
use creo_check::CheckedModel;
use creo_inspect::{Limits, Subject};
use creo_model::Type;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// The number of values of each type, and of broken ones.
const VALUES: usize = 12;
const BROKEN: usize = 24;

const HIDDEN: &str = "tests/compile/hidden.creo";

#[derive(Debug)]
struct Case {
    question: Question,
    /// The index of the description.
    schema: usize,
    /// The value if the bytes are valid.
    value: Option<Value>,
    /// The result of the compiler's decoder.
    answer: Answer,
}

#[derive(Debug)]
struct Schema {
    text: String,
    model: CheckedModel,
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    println!("random: seed {}, {} descriptions", options.seed, options.count);
    let mut schemas = Vec::new();
    for i in 0..options.count {
        let text = description(&mut Random::part(options.seed, i as u64), &format!("case{i}"));
        match descriptions::compile_text(&format!("case{i}.creo"), &text) {
            Ok(model) => schemas.push(Schema { text, model }),
            Err(why) => report.fail(
                format!("case{i}"),
                format!("seed {}: the description is refused: {why}\n{text}", options.seed),
            ),
        }
    }
    // One description has chosen names: they hide what generated code uses.
    let hidden = std::fs::read_to_string(repo::path(HIDDEN)).map_err(|e| format!("{HIDDEN}: {e}"))?;
    let model = descriptions::compile_text("hidden.creo", &hidden)?;
    schemas.push(Schema { text: hidden, model });
    let mut cases = Vec::new();
    for (i, schema) in schemas.iter().enumerate() {
        make(options, i, schema, &mut cases, report);
    }
    cases.retain(|case| options.wants(&case.question.id));
    let questions: Vec<Question> = cases.iter().map(|c| c.question.clone()).collect();

    let texts = as_texts(options, &schemas, &cases)?;
    let updates = as_updates(&schemas, &cases)?;
    report.check("the naive members", members::naive());
    let members = as_members(options, &schemas, &cases)?;
    let measured = measured(&schemas, &cases, &texts)?;
    for (_, needed, question, case) in measured.iter().filter(|(mode, ..)| *mode == Mode::Binary) {
        let result = ask_inspect(&schemas[case.schema].model, question)
            .and_then(|a| memory::check(question, *needed, &a, false));
        report.check(
            format!("inspect {}", question.id),
            result.map_err(|why| format!("seed {}: {why}\n{}", options.seed, schemas[case.schema].text)),
        );
    }

    // The batch includes the conformance schemas, which a peer's service and client need.
    let conformance = descriptions::conformance()?;
    let models: Vec<&CheckedModel> = conformance.iter().chain(schemas.iter().map(|s| &s.model)).collect();
    for language in options.languages() {
        let work = repo::build("random").join(language.name());
        let built = language.ready().and_then(|()| {
            let sources = Sources::generate(language, &models, &work.join("generated"))?;
            language.peer(&sources, &models, &work)
        });
        for (name, program) in language.ways(built) {
            let program = match program {
                Ok(program) => program,
                Err(why) => {
                    report.fail(name, format!("seed {}: {why}", options.seed));
                    continue;
                }
            };
            let explain = |why: String, case: &Case, bytes: &str| {
                format!(
                    "seed {}: {why}\ntype: {}\nbytes: {bytes}\nvalue: {}\nsources: {}\ndescription:\n{}",
                    options.seed,
                    case.question.ty,
                    case.value.as_ref().map_or("(broken bytes)".to_owned(), Value::to_string),
                    work.join("generated").display(),
                    schemas[case.schema].text
                )
            };
            for (case, answer) in cases.iter().zip(ask_peer(&program, Mode::Binary, &questions)) {
                let result = answer
                    .and_then(|answer| check(case, &case.question.bytes, &answer))
                    .map_err(|why| explain(why, case, &case.question.bytes));
                report.check(format!("{} {}", name, case.question.id), result);
            }
            for mode in Mode::ALL {
                let asked: Vec<&Text> = texts.iter().filter(|t| t.mode == mode).collect();
                let questions: Vec<Question> = asked.iter().map(|t| t.question.clone()).collect();
                for (text, answer) in asked.iter().zip(ask_peer(&program, mode, &questions)) {
                    let result = answer.and_then(|answer| check(text.case, &text.encoded, &answer));
                    report.check(
                        format!("{} {} {}", name, mode.name(), text.question.id),
                        result.map_err(|why| explain(why, text.case, &shown(&text.question))),
                    );
                }
            }
            for mode in Mode::ALL {
                let asked: Vec<_> = members.iter().filter(|(member, _)| member.mode == mode).collect();
                let questions: Vec<Question> =
                    asked.iter().map(|(member, _)| member.question.clone()).collect();
                for ((member, case), answer) in asked.iter().zip(ask_peer(&program, mode, &questions)) {
                    let result = answer.and_then(|answer| member.check(&answer));
                    report.check(
                        format!("{} {} {}", name, mode.name(), member.question.id),
                        result.map_err(|why| explain(why, case, &member.text)),
                    );
                }
            }
            for mode in Mode::ALL {
                let asked: Vec<_> = measured.iter().filter(|(of, ..)| *of == mode).collect();
                let questions: Vec<Question> =
                    asked.iter().map(|(_, _, question, _)| question.clone()).collect();
                for ((_, needed, question, case), answer) in
                    asked.iter().zip(ask_peer(&program, mode, &questions))
                {
                    let result = answer.and_then(|answer| memory::check(question, *needed, &answer, true));
                    report.check(
                        format!("{} {} {}", name, mode.name(), question.id),
                        result.map_err(|why| explain(why, case, &shown(question))),
                    );
                }
            }
            if super::updates::LANGUAGES.contains(&language) {
                let lines: Vec<String> = updates.iter().map(|u| u.line.clone()).collect();
                for (update, answer) in updates.iter().zip(ask(
                    &program.clone().arg("tdxml-update"),
                    &lines,
                    Duration::from_secs(60),
                )) {
                    let result = answer
                        .and_then(|answer| check_update(update, &answer))
                        .map_err(|why| explain(why, update.case, &update.line));
                    report.check(format!("{} update to {}", name, update.case.question.id), result);
                }
            } else {
                report.not_run(super::updates::missing(language));
            }
        }
    }
    Ok(())
}

/// The text of a question on a text wire.
fn shown(question: &Question) -> String {
    repo::unhex(&question.bytes).map_or_else(|why| why, |bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// An update from one value of a type to another.
#[derive(Debug)]
struct Update<'a> {
    /// The case of the second value.
    case: &'a Case,
    /// The line for a peer in `tdxml-update` mode.
    line: String,
    /// In hexadecimal.
    update: String,
}

/// The updates from each value to the next one of its type, computed by the naive writer (TDX-46).
fn as_updates<'a>(schemas: &[Schema], cases: &'a [Case]) -> Result<Vec<Update<'a>>, String> {
    let whole: Vec<&Case> = cases.iter().filter(|case| case.value.is_some()).collect();
    let pairs: Vec<(&Case, &Case)> = whole
        .windows(2)
        .map(|pair| (pair[0], pair[1]))
        .filter(|(a, b)| a.question.ty == b.question.ty)
        .collect();
    let asked = |(first, second): &(&Case, &Case)| {
        json!({"type": first.question.ty, "value": first.value, "new": second.value}).to_string()
    };
    let lines: Vec<String> = pairs.iter().map(asked).collect();
    let naive =
        Program::new("python3").arg(repo::path(Wire::Tdxml.naive())).arg("--lines").args(written(schemas)?);
    let mut updates = Vec::new();
    for ((_, second), answer) in pairs.into_iter().zip(ask(&naive, &lines, Duration::from_secs(60))) {
        let answer: Value = serde_json::from_str(&answer?)
            .map_err(|e| format!("the naive writer's answer is not JSON: {e}"))?;
        if answer["error"] == "invalid-value" {
            continue;
        }
        let hex = |name: &str| {
            answer[name]
                .as_str()
                .map(|text| repo::hex(text.as_bytes()))
                .ok_or_else(|| format!("the naive writer answers {answer}"))
        };
        let (id, update) = (&second.question.id, hex("update")?);
        let line = json!({"id": id, "type": second.question.ty, "bytes": hex("record")?, "second": hex("second")?, "update": update}).to_string();
        updates.push(Update { case: second, line, update });
    }
    Ok(updates)
}

/// Checks that a peer computes the update and applies it.
fn check_update(update: &Update, answer: &str) -> Result<(), String> {
    let answer: Value =
        creo_json::parse_json(answer).map_err(|e| format!("the answer is not JSON: {e:?}"))?;
    let due = update.case.value.as_ref().ok_or("a case without value")?;
    values::same(due, &answer["value"])
        .map_err(|why| format!("the value differs {why}; the answer was {answer}"))?;
    if answer["update"] == update.update.as_str() {
        Ok(())
    } else {
        Err(format!("another update is made: {answer}; {} is due", update.update))
    }
}

/// Creates values and broken bytes for each type of a description.
fn make(options: &Options, number: usize, schema: &Schema, cases: &mut Vec<Case>, report: &mut Report) {
    let model = &schema.model;
    let mut random = Random::part(options.seed, 1_000_000 + number as u64);
    for id in model.type_ids() {
        let ty = Type::Named(id);
        let mut values = Values::new(model, Random::new(random.bits()));
        for i in 0..VALUES {
            let value = values.named(id);
            let name = format!("case{number} {} {i}", model.full_name(id));
            let bytes = match creo_inspect::encode(model, &Subject::Type(&ty), &value, &Limits::default()) {
                Ok(bytes) => bytes,
                Err(error) => {
                    report.fail(
                        &name,
                        format!(
                            "seed {}: the value cannot be encoded: {error}\n{value}\n{}",
                            options.seed, schema.text
                        ),
                    );
                    continue;
                }
            };
            let mut add = |name: String, bytes: &[u8], value: Option<Value>, report: &mut Report| {
                let question = Question::new(&name, &model.full_name(id), &repo::hex(bytes));
                match ask_inspect(model, &question) {
                    Ok(answer) => cases.push(Case { question, schema: number, value, answer }),
                    Err(why) => {
                        report.fail(name, format!("seed {}: inspect: {why}\n{}", options.seed, schema.text))
                    }
                }
            };
            for j in 0..BROKEN / VALUES {
                add(format!("{name} broken {j}"), &mutate(&mut random, &bytes), None, report);
            }
            add(name, &bytes, Some(value), report);
        }
    }
    // The compiler's decoder must return the value.
    for case in cases.iter().filter(|c| c.schema == number) {
        if let Some(value) = &case.value {
            report.check(
                format!("inspect {}", case.question.id),
                check(
                    case,
                    &case.question.bytes,
                    &Answer::Value { value: value.clone(), bytes: case.question.bytes.clone() },
                ),
            );
        }
    }
}

/// A valid value on a text wire.
#[derive(Debug)]
struct Text<'a> {
    case: &'a Case,
    mode: Mode,
    question: Question,
    /// The expected text when it is encoded again.
    encoded: String,
}

/// The valid values on the text wires, without those that a wire cannot represent.
fn as_texts<'a>(options: &Options, schemas: &[Schema], cases: &'a [Case]) -> Result<Vec<Text<'a>>, String> {
    let files = written(schemas)?;
    let whole: Vec<&Case> = cases.iter().filter(|case| case.value.is_some()).collect();
    let lines: Vec<String> =
        whole.iter().map(|case| json!({"type": case.question.ty, "value": case.value}).to_string()).collect();
    let mut random = Random::part(options.seed, 2_000_000);
    let mut texts = Vec::new();
    for wire in Wire::TEXT {
        let naive = Program::new("python3").arg(repo::path(wire.naive())).arg("--lines").args(files.clone());
        for (case, answer) in whole.iter().zip(ask(&naive, &lines, Duration::from_secs(60))) {
            let answer: Value = serde_json::from_str(&answer?)
                .map_err(|e| format!("the naive writer's answer is not JSON: {e}"))?;
            let mut add = |mode: Mode, bytes: &[u8], encoded: &str| {
                let question = Question { bytes: repo::hex(bytes), ..case.question.clone() };
                texts.push(Text { case, mode, question, encoded: repo::hex(encoded.as_bytes()) });
            };
            match (wire, answer[wire.folder()].as_str(), answer["error"].as_str()) {
                (_, _, Some("invalid-value")) => {}
                (Wire::Tdxml, ..) => {
                    for (mode, form) in Mode::TABLES {
                        let document = answer[form]
                            .as_str()
                            .ok_or_else(|| format!("the naive writer answers {answer}"))?;
                        add(mode, document.as_bytes(), document);
                        add(mode, shuffled(&mut random, document).as_bytes(), document);
                    }
                }
                (_, Some(text), _) => add(wire.mode(), text.as_bytes(), text),
                _ => return Err(format!("the naive writer answers {answer}")),
            }
        }
    }
    Ok(texts)
}

/// The whole values with a member changed, each with the case that it was made of.
fn as_members<'a>(
    options: &Options,
    schemas: &[Schema],
    cases: &'a [Case],
) -> Result<Vec<(members::Member, &'a Case)>, String> {
    let whole: Vec<(&Case, &Value)> =
        cases.iter().filter_map(|case| Some((case, case.value.as_ref()?))).collect();
    let mut random = Random::part(options.seed, 4_000_000);
    let values = whole.iter().map(|(case, value)| (&case.question, *value));
    let changed = members::changed(&written(schemas)?, values, &mut random)?;
    let of = whole.into_iter().zip(changed);
    Ok(of.flat_map(|((case, _), changed)| changed.into_iter().map(move |member| (member, case))).collect())
}

/// Each valid value with exactly the memory that it needs, and with one byte less.
fn measured<'a>(
    schemas: &[Schema],
    cases: &'a [Case],
    texts: &[Text<'a>],
) -> Result<Vec<(Mode, u64, Question, &'a Case)>, String> {
    let whole: Vec<(&Case, &Value)> =
        cases.iter().filter_map(|case| Some((case, case.value.as_ref()?))).collect();
    let charges = memory::charges(
        &written(schemas)?,
        whole.iter().map(|(case, value)| (case.question.ty.as_str(), *value)),
    )?;
    let mut measured = Vec::new();
    for ((case, _), charge) in whole.into_iter().zip(charges) {
        let of =
            texts.iter().filter(|text| std::ptr::eq(text.case, case)).map(|text| (text.mode, &text.question));
        for (mode, question) in std::iter::once((Mode::Binary, &case.question)).chain(of) {
            let needed = memory::needed(charge, mode, &question.bytes);
            measured.extend(
                memory::asked(question, needed).into_iter().map(|question| (mode, needed, question, case)),
            );
        }
    }
    Ok(measured)
}

/// The descriptions as files, for the naive writers.
fn written(schemas: &[Schema]) -> Result<Vec<PathBuf>, String> {
    let folder = repo::build("random").join("descriptions");
    let mut files = Vec::new();
    for (i, schema) in schemas.iter().enumerate() {
        files.push(folder.join(format!("case{i}.creo")));
        repo::write(&files[i], &schema.text)?;
    }
    Ok(files)
}

/// The same table with its rows in another order (TDX-13).
fn shuffled(random: &mut Random, document: &str) -> String {
    let start = document.find("T>\n").map_or(0, |at| at + 3);
    let end = document.rfind("</").and_then(|at| document[..at].rfind("</")).unwrap_or(document.len());
    let mut rows: Vec<&str> = document[start..end].split_inclusive('\n').collect();
    for i in (1..rows.len()).rev() {
        rows.swap(i, random.below(i + 1));
    }
    format!("{}{}{}", &document[..start], rows.concat(), &document[end..])
}

fn check(case: &Case, question: &str, answer: &Answer) -> Result<(), String> {
    match (&case.answer, answer) {
        (Answer::Value { value: expected, .. }, Answer::Value { value, bytes }) => {
            values::same(expected, value).map_err(|why| format!("the value differs {why}"))?;
            // If broken bytes can be read, the output may differ: unknown parts are dropped.
            match &case.value {
                Some(_) if bytes != question => Err(format!("encoded again it is {bytes}")),
                _ => Ok(()),
            }
        }
        (Answer::Error(expected), Answer::Error(error)) if expected.code == error.code => Ok(()),
        (expected, actual) => Err(format!("it was {}, and should be {}", actual.shown(), expected.shown())),
    }
}
