//! Answers of a broken or hostile service to every client. Each call must end as the case says, and the client must remain usable.

use super::http_answers;
use super::probe::{Probe, SLACK, one_of};
use super::raw_messages::{self, Transport};
use crate::descriptions;
use crate::frames::{AnswerCase, Player, Step, load_answers};
use crate::languages::Language;
use crate::options::Options;
use crate::repo;
use crate::report::Report;
use creo_model::Model;
use serde_json::{Value, json};
use std::time::Duration;

/// Cases with longer deadlines are played once.
const MAX_DEADLINE_MS: u64 = 10_000;

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
        let mut probe = Probe::new(program);
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

/// C has only blocking clients, and an outside program is tested in only one way.
fn ways(language: &str) -> &'static [&'static str] {
    match Language::from_name(Language::of_way(language)) {
        None | Some(Language::C) => &["blocking"],
        Some(Language::Java | Language::Python | Language::CSharp) => &["blocking", "async"],
    }
}

/// Plays a case with its deadline. If no request has come by then, the machine is busy: it is played again with more time.
fn run_case(model: &Model, case: &AnswerCase, probe: &mut Probe, is_async: bool) -> Result<(), String> {
    let mut deadline_ms = case.deadline_ms;
    loop {
        let player = Player::start(model, case)?;
        let result = play(&player, case, deadline_ms, probe, is_async);
        let expects_request = matches!(case.serve.first(), Some(Step::Request));
        if result.is_ok() || !expects_request || player.was_asked_in_time() || deadline_ms >= MAX_DEADLINE_MS
        {
            return result;
        }
        deadline_ms *= 4;
    }
}

fn play(
    player: &Player,
    case: &AnswerCase,
    deadline_ms: u64,
    probe: &mut Probe,
    is_async: bool,
) -> Result<(), String> {
    let mut question = json!({"port": player.port, "method": case.call, "deadline": deadline_ms, "async": is_async, "fresh": true});
    if case.tables {
        question["wire"] = json!("tdxml-tcp");
    }
    if let Some(size) = case.max_message_size {
        question["maxMessageSize"] = json!(size);
    }
    if let Some(time) = case.connect_timeout_ms {
        question["connectTimeout"] = json!(time);
    }
    if !case.shown.is_null() {
        question["shown"] = json!(case.shown["max"].as_u64().unwrap_or(65_536));
    }
    let answer = probe.ask(&question, Duration::from_millis(deadline_ms) + SLACK)?;
    player.call_ended();
    // A client that does not support compressed bodies sees frames with an unknown flag (TCP-8).
    let refused = !case.outcome_without_compression.is_empty() && !player.client_inflates();
    let (due, closed) =
        if refused { (&case.outcome_without_compression, Some(true)) } else { (&case.outcome, case.closed) };
    one_of(due, &answer)?;
    let after = |why: String| format!("after {answer}: {why}");
    question["fresh"] = json!(false);
    if !case.shown.is_null() {
        question.as_object_mut().expect("an object").remove("shown");
        question["method"] = json!("shown");
        let mut shown = case.shown.clone();
        if refused {
            // Its frame breaks TCP, so the answer is no message (CALL-61).
            shown["answer"] = Value::Null;
        }
        let over = Transport::Tcp { deadline_ms };
        raw_messages::check(&shown, &case.call, player.port, over, &probe.ask(&question, SLACK)?)
            .map_err(after)?;
    }
    question["method"] = json!("answer");
    question["deadline"] = json!(20_000);
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
