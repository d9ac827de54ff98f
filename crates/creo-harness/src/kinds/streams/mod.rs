//! Streams of clients (TCP-30 to TCP-36, CALL-40 to CALL-44), against a host that plays `Streams` and misbehaves. After each case the same
//! client must be able to make another call.

mod call;
mod case;
mod host;
mod results;
mod sources;
mod troubles;
mod values;

use super::probe::{Probe, SLACK};
use crate::descriptions;
use crate::frames::frame;
use crate::languages::Language;
use crate::options::Options;
use crate::repo;
use crate::report::Report;
use call::Call;
use case::{After, Case, ticks};
use host::{Host, Line};
use serde_json::Value;
use std::time::Duration;
use values::{Ids, Method};

/// The call after a case.
const GOOD: i64 = 3;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let model = descriptions::compile_file(&repo::path("conformance/schemas/matrix.creo"))?;
    let ids = Ids::of(&model)?;
    let cases: Vec<Case> = [results::cases(), sources::cases(), troubles::cases()].concat();
    for (language, program) in options.peers() {
        let program = match program {
            Ok(program) => program.arg("streams"),
            Err(why) => {
                report.fail(language, why);
                continue;
            }
        };
        let mut probe = Probe::new(program);
        let ways: &[bool] = match Language::from_name(Language::of_way(language)) {
            None | Some(Language::C) => &[false],
            Some(Language::Java | Language::Python | Language::CSharp) => &[false, true],
        };
        for is_async in ways {
            let way = if *is_async { "async" } else { "blocking" };
            for case in cases.iter().filter(|case| options.wants(case.name)) {
                report
                    .check(format!("{language} {way} {}", case.name), play(case, &mut probe, ids, *is_async));
            }
        }
        if let Some(running) = probe.running.take() {
            report.check(format!("{language}: the peer ends with its input"), running.finish(SLACK));
        }
    }
    Ok(())
}

fn play(case: &Case, probe: &mut Probe, ids: Ids, is_async: bool) -> Result<(), String> {
    let play = case.play;
    let host = Host::start(ids, Box::new(move |line, id| play(&Call::new(line, id))), good)?;
    let limit = Duration::from_millis(case.ask.deadline) + SLACK;
    let answer = probe.ask(&case.ask.line(host.port, is_async, true), limit);
    let told = |why: String| {
        let told = answer.as_ref().map_or_else(|why| format!("no answer ({why})"), Value::to_string);
        format!("{told}: {why}")
    };
    if let (_, Some(problem)) = host.problem() {
        return Err(told(problem));
    }
    let said = answer.clone()?;
    case.answered(&said).map_err(told)?;
    let after = |why: String| format!("after {said}: {why}");
    // A script may still be writing what the client reads only with the next call.
    let next = probe.ask(&ticks(GOOD).line(host.port, is_async, false), SLACK).map_err(after)?;
    host.played().map_err(after)?;
    let first = host.lines.lock().expect("no panic")[0].clone();
    let seen = first.state().calls.values().next().cloned().ok_or("there was no call")?;
    case.called(&said, &seen).map_err(after)?;
    if (next["end"].as_str(), next["items"].as_i64(), next["sum"].as_i64())
        != (Some("value"), Some(GOOD), Some(3))
    {
        return Err(after(format!("the next call of the same client ended with {next}")));
    }
    let (connections, problem) = host.problem();
    if let Some(problem) = problem {
        return Err(after(problem));
    }
    match case.after {
        After::Same if connections == 1 || !is_async && seen.cancelled => Ok(()),
        After::Same => {
            Err(after(format!("the client made {connections} connections, where the first was in order")))
        }
        After::Closed => host.first_is_closed().map_err(after),
        After::Another if connections > 1 => Ok(()),
        After::Another => Err(after("the next call went over the first connection".to_owned())),
        After::Either => Ok(()),
    }
}

/// Answers the call after a case.
fn good(line: &Line, id: u32) -> Result<(), String> {
    let call = Call::new(line, id);
    let seen = call.seen();
    if (seen.method, &seen.arguments) != (Method::Ticks, &Method::Ticks.arguments(GOOD)) {
        return Err(format!("{seen:?} is not what was asked"));
    }
    let mut bytes = call.items_frame(0..GOOD);
    bytes.extend(frame(2, 0, id, &[]));
    call.send(&bytes)
}
