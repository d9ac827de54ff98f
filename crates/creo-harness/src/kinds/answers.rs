//! What a broken or hostile service sends, to every client: each call must end as the case says, and the client must go on working.

use super::http_answers;
use crate::descriptions;
use crate::frames::{AnswerCase, Outcome, Player, load_answers};
use crate::languages::Language;
use crate::options::Options;
use crate::process::{Program, Running};
use crate::repo;
use crate::report::Report;
use creo_model::Model;
use serde_json::{Value, json};
use std::time::Duration;

/// How long a call may take beyond its deadline, sanitizers and slow machines included.
pub(super) const SLACK: Duration = Duration::from_secs(30);

/// More than a peer's text of 1,000 characters, escaped, and what a runtime says itself.
const LONGEST: usize = 3000;

/// After so many starts a peer that dies or hangs is not started again.
const STARTS: usize = 8;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let model = descriptions::compile_file(&repo::path("conformance/schemas/matrix.creo"))?;
    let cases = load_answers(&model, &options.only)?;
    let over_http = http_answers::load(&options.only)?;
    for (language, program) in options.peers() {
        let program = match program {
            Ok(program) => program.arg("probe"),
            Err(why) => {
                report.fail(language, why);
                continue;
            }
        };
        let mut probe = Probe { program, running: None, starts: 0 };
        for way in ways(language) {
            for case in &cases {
                let result = run_case(&model, case, &mut probe, *way == "async");
                report.check(format!("{} {way} {}", language, case.name), result);
            }
            for case in &over_http {
                let result = case.run(&mut probe, *way == "async");
                report.check(format!("{} {way} {}", language, case.name), result);
            }
        }
        if let Some(running) = probe.running.take() {
            report.check(format!("{}: the peer ends with its input", language), running.finish(SLACK));
        }
    }
    Ok(())
}

/// C has blocking clients alone, and of a program that is no language's nothing more is asked.
fn ways(language: &str) -> &'static [&'static str] {
    match Language::from_name(language) {
        None | Some(Language::C) => &["blocking"],
        Some(Language::Java | Language::Python | Language::CSharp) => &["blocking", "async"],
    }
}

fn run_case(model: &Model, case: &AnswerCase, probe: &mut Probe, is_async: bool) -> Result<(), String> {
    let player = Player::start(model, case)?;
    let mut question = json!({"port": player.port, "method": case.call, "deadline": case.deadline_ms, "async": is_async, "fresh": true});
    if let Some(size) = case.max_message_size {
        question["maxMessageSize"] = json!(size);
    }
    if let Some(time) = case.connect_timeout_ms {
        question["connectTimeout"] = json!(time);
    }
    let answer = probe.ask(&question, Duration::from_millis(case.deadline_ms) + SLACK)?;
    player.call_ended();
    // To a client that does not read compressed bodies they are frames with an unknown flag (TCP-8).
    let refused = !case.outcome_without_compression.is_empty() && !player.client_inflates();
    let (due, closed) =
        if refused { (&case.outcome_without_compression, Some(true)) } else { (&case.outcome, case.closed) };
    one_of(due, &answer)?;
    let after = |why: String| format!("after {answer}: {why}");
    question["method"] = json!("answer");
    question["deadline"] = json!(20_000);
    question["fresh"] = json!(false);
    let mut next = probe.ask(&question, Duration::from_secs(20) + SLACK).map_err(after)?;
    if case.unsettled && next["error"].is_string() {
        next = probe.ask(&question, Duration::from_secs(20) + SLACK).map_err(after)?;
    }
    if next["value"] != "42" {
        let problem =
            player.verdict(None, false).err().map_or(String::new(), |problem| format!("; {problem}"));
        return Err(after(format!("the next call of the same client ended with {next}{problem}")));
    }
    player.verdict(closed, case.another).map_err(after)
}

/// Whether an answer of a probe is one of the outcomes.
pub(super) fn one_of(outcomes: &[Outcome], answer: &Value) -> Result<(), String> {
    let problems: Vec<String> = outcomes.iter().filter_map(|outcome| problem(outcome, answer)).collect();
    if problems.len() < outcomes.len() {
        Ok(())
    } else {
        Err(format!("{answer}: {}", problems.join("; or ")))
    }
}

/// Why an answer of a probe is not the outcome.
fn problem(due: &Outcome, answer: &Value) -> Option<String> {
    let texts = [("value", &due.value), ("exception", &due.exception), ("error", &due.code)];
    for (name, text) in texts {
        if answer[name].as_str() != text.as_deref() {
            return Some(
                text.as_ref()
                    .map_or(format!("no {name} is due"), |text| format!("the {name} {text:?} is due")),
            );
        }
    }
    for (name, text) in [("place", &due.place), ("limit", &due.limit), ("allowed", &due.allowed)] {
        if text.is_some() && answer[name].as_str() != text.as_deref() {
            return Some(format!("the {name} is {}", text.as_deref().unwrap_or_default()));
        }
    }
    if let Some(offset) = due.offset
        && answer["offset"].as_u64() != Some(offset)
    {
        return Some(format!("the offset is {offset}"));
    }
    if let Some(from_peer) = due.from_peer
        && answer["fromPeer"].as_bool() != Some(from_peer)
    {
        return Some(format!("that it came from the peer is {from_peer}"));
    }
    let message = answer["message"].as_str().unwrap_or_default();
    if due.code.is_some() && (message.chars().any(char::is_control) || message.chars().count() > LONGEST) {
        return Some("the error's text is to be one line, cut, and safe to print (ERR-8)".to_owned());
    }
    for (key, text) in &due.details {
        let found = answer["details"][key].as_str();
        if text.as_deref().map_or(found.is_some(), |text| !found.unwrap_or_default().contains(text)) {
            return Some(format!(
                "the detail {key} should {}",
                text.as_ref().map_or("be absent".to_owned(), |text| format!("hold {text:?}"))
            ));
        }
    }
    due.holds
        .iter()
        .find(|text| !message.contains(*text))
        .map(|text| format!("the message should hold {text:?}"))
}

/// A peer in `probe` mode.
#[derive(Debug)]
pub(super) struct Probe {
    program: Program,
    running: Option<Running>,
    starts: usize,
}

impl Probe {
    /// One question, one answer. A peer that gives none in time is started anew for the next one.
    pub(super) fn ask(&mut self, question: &Value, limit: Duration) -> Result<Value, String> {
        if self.running.is_none() {
            if self.starts == STARTS {
                return Err(format!("not asked: the peer was started {STARTS} times and failed each time"));
            }
            self.starts += 1;
            self.running = Some(self.program.start()?);
        }
        let running = self.running.as_mut().expect("started");
        let answer = running.say(&question.to_string()).and_then(|()| running.line(limit));
        let answer = answer.and_then(|line| {
            serde_json::from_str(&line)
                .map_err(|why| format!("the peer said {line:?}, which is not JSON: {why}"))
        });
        if answer.is_err() {
            self.running = None;
        }
        answer
    }
}
