//! Capacity as tables for people.

use super::answer::{Answer, Row};
use crate::commands::estimate::{self, TOO_LONG, table, time};
use creo_diag::escape_controls;
use creo_queue::Found;

pub fn render(answer: &Answer<'_>) -> String {
    let mut out = format!("{}\n{}\n", heading(answer), table(&cells(answer)));
    if answer.request.calls.len() > 1 {
        out.push_str(&format!("Each method\n{}\n", table(&methods(answer))));
    }
    out.push_str(&notes(answer).join("\n"));
    out.push('\n');
    out
}

pub fn heading(answer: &Answer<'_>) -> String {
    let count = |number: u32, noun: &str| crate::commands::count(number as usize, noun);
    format!(
        "{} calls/s on {} of {}",
        number(answer.rate()),
        count(answer.request.hosts, "host"),
        count(answer.request.cores, "core")
    )
}

/// The heads of the columns and the rows beneath them.
pub fn cells(answer: &Answer<'_>) -> Vec<Vec<String>> {
    let mut head = vec![
        "binding",
        "sharing",
        "utilisation",
        "served",
        "median",
        "p90",
        "p99",
        "waiting",
        "saturates at",
    ];
    if answer.profile.is_some() {
        head.insert(0, "target");
    }
    let goal = answer.request.goal.map(|goal| format!("p99 <= {} to", time(goal)));
    let mut head: Vec<String> = head.into_iter().map(str::to_owned).collect();
    head.extend(goal.into_iter().flat_map(|goal| [goal, "hosts for it".to_owned()]));
    let mut all = vec![head];
    for row in &answer.rows {
        let mut cells = named(answer, row);
        cells.push(row.case.scenario.sharing.word().to_owned());
        match &row.outcome {
            Some(found) => {
                // Unreliable results are marked.
                let doubt = if found.settled { "" } else { " ?" };
                cells.push(format!("{:.1} %", found.utilisation.value * 100.0));
                cells.push(format!("{}/s", number(found.throughput.value)));
                cells.extend(
                    [found.median, found.p90, found.p99].map(|found| format!("{}{doubt}", interval(found))),
                );
                cells.push(number(found.waiting.value));
            }
            None => {
                cells.extend(["saturated".to_owned(), format!("{}/s", number(row.served()))]);
                cells.extend(["-", "-", "-", "grows"].map(str::to_owned));
            }
        }
        cells.push(row.capacity.map_or("-".to_owned(), |capacity| {
            format!("{}/s ({})", number(capacity.rate), capacity.limit.word())
        }));
        if let Some(goal) = &row.goal {
            cells.push(goal.rate.map_or("-".to_owned(), |rate| format!("{}/s", number(rate))));
            cells.push(goal.hosts.map_or("-".to_owned(), |hosts| hosts.to_string()));
        }
        all.push(cells);
    }
    all
}

/// The target, if there are any, and the binding.
fn named(answer: &Answer<'_>, row: &Row) -> Vec<String> {
    let target = answer.profile.map(|_| row.case.target.as_deref().map_or("-".to_owned(), one_line));
    target.into_iter().chain([row.case.binding.to_string()]).collect()
}

/// A row for each method on each binding and target.
pub fn methods(answer: &Answer<'_>) -> Vec<Vec<String>> {
    let mut head = vec!["method", "binding", "calls", "work", "wait", "median", "p90", "p99"];
    if answer.profile.is_some() {
        head.insert(1, "target");
    }
    let mut all = vec![head.into_iter().map(str::to_owned).collect::<Vec<String>>()];
    for (place, call) in answer.request.calls.iter().enumerate() {
        for row in &answer.rows {
            let mut cells = vec![answer.method(call.method)];
            cells.extend(named(answer, row));
            cells.extend([
                format!("{}/s", number(call.rate)),
                duration(call.work.mean()),
                duration(call.wait.mean()),
            ]);
            match row.outcome.as_ref().and_then(|found| found.calls.get(place).copied().flatten()) {
                Some(found) => cells.extend([found.median, found.p90, found.p99].map(time)),
                None => cells.extend(["-", "-", "-"].map(str::to_owned)),
            }
            all.push(cells);
        }
    }
    all
}

/// The assumptions, in sentences.
pub fn notes(answer: &Answer<'_>) -> Vec<String> {
    let request = answer.request;
    let mut notes = Vec::new();
    match answer.profile {
        None => notes.push(
            "Without a profile messages cost no processor time: methods, links and the network alone."
                .to_owned(),
        ),
        Some(profile) if answer.shipped => notes.push(format!("Messages by {}.", estimate::shipped(profile))),
        Some(profile) => notes.push(format!("Messages by a profile of {}.", one_line(&profile.date))),
    }
    notes.push(format!(
        "Network: {} Mbit/s for each host, {} one way. Arrivals: {}. Beside messages and methods a call takes {} of a core.",
        answer.network.bandwidth / 1e6,
        duration(answer.network.latency),
        request.arrivals,
        duration(request.overhead)
    ));
    notes.push(format!(
        "{} calls were simulated (--sample) with the seed {}; the intervals of 95 % are those of the simulation alone.",
        request.run.calls, request.run.seed
    ));
    let doubtful = answer.rows.iter().any(|row| row.outcome.as_ref().is_some_and(|found| !found.settled));
    if doubtful {
        notes.push("?: too few calls were simulated for the interval to be trusted.".to_owned());
    }
    if let Some(methods) = answer.with_streams() {
        notes.push(format!("The items of streams are not priced: {methods}."));
    }
    let listed = |names: &[String]| one_line(&names.join(", "));
    if !answer.left_out.unmeasured.is_empty() {
        notes.push(format!("The profile has no times for {}.", listed(&answer.left_out.unmeasured)));
    }
    if !answer.left_out.too_long.is_empty() {
        notes.push(format!("A message has {TOO_LONG} on {}.", listed(&answer.left_out.too_long)));
    }
    notes
}

/// `1.23 ms +-2 %`
fn interval(found: Found) -> String {
    if found.value <= 0.0 {
        return time(0.0);
    }
    format!("{} +-{:.0} %", time(found.value), (found.high - found.value) / found.value * 100.0)
}

/// A given time, with only its significant digits.
fn duration(ns: f64) -> String {
    if ns == 0.0 { "0".to_owned() } else { time(ns) }
}

/// A text from a possibly hostile file.
pub fn one_line(text: &str) -> String {
    escape_controls(&text.replace('\n', "\\n"))
}

/// Three digits, or all of those before the point.
pub fn number(number: f64) -> String {
    let digits = match number {
        n if n >= 100.0 || n == n.trunc() => 0,
        n if n >= 10.0 => 1,
        n if n >= 0.1 => 2,
        _ => 3,
    };
    format!("{number:.digits$}")
}
