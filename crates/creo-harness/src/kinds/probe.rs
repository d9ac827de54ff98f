//! A peer in `probe` mode, and checks of its answers.

use crate::frames::Outcome;
use crate::process::{Program, Running};
use serde_json::Value;
use std::time::Duration;

/// The max time of a call beyond its deadline, with allowance for sanitizers and slow machines.
pub(super) const SLACK: Duration = Duration::from_secs(30);

/// More than a peer's text of 1,000 characters, escaped, and the runtime's own words.
const LONGEST: usize = 3000;

/// A peer that dies or hangs is restarted at most this often.
const STARTS: usize = 8;

/// Checks that an answer of a probe is one of the outcomes.
pub(super) fn one_of(outcomes: &[Outcome], answer: &Value) -> Result<(), String> {
    let problems: Vec<String> = outcomes.iter().filter_map(|outcome| problem(outcome, answer)).collect();
    if problems.len() < outcomes.len() {
        Ok(())
    } else {
        Err(format!("{answer}: {}", problems.join("; or ")))
    }
}

/// Why an answer of a probe differs from the outcome.
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
    let exact =
        [("place", &due.place), ("limit", &due.limit), ("allowed", &due.allowed), ("items", &due.items)];
    for (name, text) in exact {
        if text.is_some() && answer[name].as_str() != text.as_deref() {
            return Some(format!("the {name} is {}", text.as_deref().unwrap_or_default()));
        }
    }
    if let Some(start) = &due.within
        && !answer["place"].as_str().unwrap_or_default().starts_with(start)
    {
        return Some(format!("the place begins with {start}"));
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
    if let Some(text) = due.lacks.iter().find(|text| message.contains(*text)) {
        return Some(format!("the message should not hold {text:?}"));
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
    pub(super) running: Option<Running>,
    starts: usize,
}

impl Probe {
    pub(super) fn new(program: Program) -> Probe {
        Probe { program, running: None, starts: 0 }
    }

    /// Asks one question. A peer that does not answer in time is restarted for the next one.
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
