//! The conclusions of a simulation: the fastest binding and its advantage, where the time is spent, how many hosts the load needs.

use super::answer::{Answer, Row};
use super::text::{heading, number, one_line};
use crate::commands::estimate::{standing, time};
use crate::verdict::{Verdict, factor, other_wires, shares};
use creo_queue::{Call, Sharing};

pub fn verdict(answer: &Answer<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    verdict.say("load", heading(answer));
    let rows = rows(answer);
    let Some((best, others)) = rows.split_first() else { return verdict };
    match &best.outcome {
        Some(found) => {
            let doubt = if found.settled { "" } else { ", but too few calls were simulated (--sample)" };
            verdict.say(
                "fastest",
                format!(
                    "{}: half of the calls within {}, 99 of 100 within {}; hosts are {:.0} % busy{doubt}",
                    best.name(),
                    time(found.median.value),
                    time(found.p99.value),
                    found.utilisation.value * 100.0
                ),
            );
        }
        None => verdict.say("fastest", format!("none can serve the load; {}", end(best))),
    }
    if !others.is_empty() {
        verdict.say("others", held(best, others));
    }
    if let Some(parts) = parts(best) {
        verdict.say("time goes to", parts);
    }
    verdict.say("hosts", hosts(answer, best));
    if let Some(methods) = answer.with_streams() {
        verdict.say("not priced", format!("the items of streams: {methods}"));
    }
    verdict.say("basis", "a simulation; tables and assumptions: --all");
    verdict
}

/// The rows of the representative target.
pub fn rows<'a>(answer: &'a Answer<'_>) -> Vec<&'a Row> {
    let target = standing(answer.rows.iter().filter_map(|row| row.case.target.as_deref()));
    answer.rows.iter().filter(|row| row.case.target.as_deref() == target).collect()
}

impl Row {
    /// `java soap+http`
    pub fn name(&self) -> String {
        let binding = self.case.binding;
        self.case
            .target
            .as_ref()
            .map_or_else(|| binding.to_string(), |target| format!("{} {binding}", one_line(target)))
    }
}

/// The limiting resource.
pub fn limit(row: &Row) -> String {
    row.capacity.map_or("never saturates".to_owned(), |capacity| {
        format!("saturates at {}/s ({})", number(capacity.rate), capacity.limit.word())
    })
}

fn end(row: &Row) -> String {
    format!("{} {}", row.name(), limit(row))
}

/// Compares other wires with the fastest.
fn held(best: &Row, others: &[&Row]) -> String {
    let mut told: Vec<String> = Vec::new();
    for row in other_wires(best.case.binding.wire, others, |row| row.case.binding.wire) {
        let times = if told.is_empty() { " times as long for 99 of 100" } else { "" };
        told.push(match (&row.outcome, &best.outcome) {
            (Some(found), Some(fastest)) if fastest.p99.value > 0.0 => {
                let ratio = factor(found.p99.value / fastest.p99.value);
                format!("{} {ratio}{times}", row.name())
            }
            _ => end(row),
        });
    }
    told.join("; ")
}

/// Where the mean time of a call is spent; the rest is spent in queues.
fn parts(row: &Row) -> Option<String> {
    let found = row.outcome.as_ref()?;
    let scenario = &row.case.scenario;
    let rate: f64 = scenario.rate();
    let mean = |of: &dyn Fn(&Call) -> f64| {
        scenario.calls.iter().map(|call| of(call) * call.rate).sum::<f64>() / rate
    };
    let costs = |call: &Call, of: fn(&creo_queue::Cost) -> f64| {
        call.costs.iter().map(of).sum::<f64>() / call.costs.len() as f64
    };
    // A message through a queue takes two trips.
    let (journeys, broker) = match scenario.sharing {
        Sharing::Queue => (2.0, scenario.broker),
        _ => (1.0, 0.0),
    };
    let messages = |call: &Call| if call.answers { 2.0 } else { 1.0 };
    let (work, wait) = (mean(&|call| call.work.mean()), mean(&|call| call.wait.mean()));
    let processor = mean(&|call| costs(call, |c| c.client_before + c.before + c.after + c.client_after));
    let network = mean(&|call| {
        messages(call) * (scenario.latency * journeys + broker)
            + costs(call, |c| c.request + c.response) * journeys
    });
    let queues = (found.mean.value - work - wait - processor - network).max(0.0);
    Some(shares(&[
        ("work of the methods", work),
        ("their waiting for others", wait),
        ("messages and overhead", processor),
        ("network", network),
        ("queues", queues),
    ]))
}

fn hosts(answer: &Answer<'_>, best: &Row) -> String {
    match (answer.request.goal, &best.goal) {
        (Some(goal), Some(found)) => {
            let enough = found.hosts.map_or("no number of hosts is enough".to_owned(), |hosts| {
                format!("{} needed", crate::commands::count(hosts as usize, "host"))
            });
            let rate = found.rate.map_or(String::new(), |rate| {
                format!(
                    "; {} do it up to {}/s",
                    crate::commands::count(answer.request.hosts as usize, "host"),
                    number(rate)
                )
            });
            format!("{enough} for 99 of 100 calls within {}{rate} ({})", time(goal), best.name())
        }
        _ => format!("{}; --goal TIME says how many a response time needs", end(best)),
    }
}
