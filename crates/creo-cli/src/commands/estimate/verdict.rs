//! The conclusions of an estimate: the cheapest binding and its advantage, where the time is spent, how many cores a load needs.

use super::answer::Answer;
use super::text::{self, TOO_LONG, time};
use crate::commands::count;
use crate::verdict::{HOST, OTHERS, Verdict, bytes, factor, other_wires, shares};
use creo_cost::{Allowance, Binding, Message, Row, Wire};
use std::collections::{BTreeMap, BTreeSet};

/// Below this share of a core a call takes no time that was measured.
const MIN_CORES: f64 = 1e-15;

/// One call of each method on a binding and target.
struct Sum<'a> {
    binding: Binding,
    target: Option<&'a str>,
    rows: Vec<&'a Row>,
}

impl Sum<'_> {
    /// Without a profile, that of the network.
    fn time(&self) -> f64 {
        self.rows.iter().filter_map(|row| row.total().or(row.network())).map(|time| time.ns).sum()
    }

    /// How the longest message of all fits into `maxMessageSize`.
    fn allowance(&self) -> Allowance {
        self.rows.iter().map(|row| row.allowance()).max().unwrap_or(Allowance::Default)
    }

    fn bytes(&self) -> f64 {
        self.rows.iter().map(|row| row.bytes().expected).sum()
    }

    /// The value by which rows are compared.
    fn measure(&self) -> f64 {
        self.rows.iter().map(|row| row.measure()).sum()
    }

    /// Cores of the service for one call of each method per second.
    fn cores(&self) -> Option<f64> {
        self.rows.iter().map(|row| row.cores(1.0).map(|cores| cores.ns)).sum()
    }

    fn of_messages(&self, of: fn(&Message) -> Option<creo_cost::Time>) -> f64 {
        let messages = self.rows.iter().flat_map(|row| std::iter::once(&row.request).chain(&row.response));
        messages.filter_map(of).map(|time| time.ns).sum()
    }

    fn count_messages(&self) -> usize {
        self.rows.iter().map(|row| 1 + usize::from(row.response.is_some())).sum()
    }
}

pub fn verdict(answer: &Answer<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let sums = sums(answer);
    let target = standing(sums.iter().filter_map(|sum| sum.target));
    let of_target: Vec<&Sum<'_>> = sums.iter().filter(|sum| sum.target == target).collect();
    let Some((best, others)) = of_target.split_first() else {
        match too_long(answer) {
            Some(method) => {
                verdict.say(
                    "cheapest",
                    format!("none: a message of {method} has {TOO_LONG} on each binding, more than any maxMessageSize allows"),
                );
                verdict.say(
                    "lengths",
                    "those of arrays within arrays multiply: say shorter ones with --length, or leave optionals out with --present PATH=0",
                );
            }
            None => verdict.say("cheapest", "unknown: the profile has no times for these messages"),
        }
        verdict.say("basis", "every row: --all");
        return verdict;
    };
    let timed = answer.profile.is_some();

    let calls = match best.rows.len() {
        1 => format!("a call of {}", answer.name(best.rows[0].method)),
        more => format!("one call of each of {}", count(more, "method")),
    };
    let sides = target.map_or(String::new(), |target| format!(", {target} on both sides"));
    let cost = if timed { format!("{} and ", time(best.time())) } else { String::new() };
    let limit = match best.allowance() {
        Allowance::Default => "",
        Allowance::Raised | Allowance::Never => "; set maxMessageSize above its 128 MiB",
    };
    verdict.say(
        "cheapest",
        format!("{}: {cost}{} for {calls}{sides}{limit}", best.binding, bytes(best.bytes())),
    );

    let mut others: Vec<String> = other_wires(best.binding.wire, others, |sum| sum.binding.wire)
        .into_iter()
        .enumerate()
        .map(|(number, other)| {
            let (time, size) = (factor(other.time() / best.time()), factor(other.bytes() / best.bytes()));
            match (timed, number) {
                (true, 0) => format!("{} {time} times the time and {size} times the bytes", other.binding),
                (true, _) => format!("{} {time} and {size}", other.binding),
                (false, 0) => format!("{} {size} times the bytes", other.binding),
                (false, _) => format!("{} {size}", other.binding),
            }
        })
        .collect();
    others.extend(too_long_on(answer).map(|wires| format!("{TOO_LONG} on {wires}")));
    if !others.is_empty() {
        verdict.say("others", others.join("; "));
    }
    let mut by_target: Vec<String> = sums
        .iter()
        .filter(|sum| sum.binding == best.binding)
        .filter_map(|sum| Some(format!("{} {}", sum.target?, time(sum.time()))))
        .collect();
    by_target.sort_unstable();
    if by_target.len() > 1 {
        verdict.say("by language", format!("{} on {}", by_target.join(", "), best.binding));
    }
    verdict.say("time goes to", parts(answer, best));
    if let Some(growth) = growth(answer) {
        verdict.say("overtaking", growth);
    } else if let Some(cores) = best.cores().filter(|cores| *cores > MIN_CORES) {
        verdict.say("hosts", hosts(answer, cores));
    }
    if let Some(methods) = answer.with_streams() {
        verdict.say("not priced", format!("the items of streams: {methods}"));
    }
    verdict.say("basis", basis(answer));
    verdict
}

/// The name of a method that no binding can carry.
fn too_long(answer: &Answer<'_>) -> Option<String> {
    let never = |rows: &[&Row]| rows.iter().all(|row| row.allowance() == Allowance::Never);
    answer.methods().into_iter().find(|(_, rows)| never(rows)).map(|(id, _)| answer.name(id))
}

/// The wires on which a method has a message that is too long to be sent, if there are some.
fn too_long_on(answer: &Answer<'_>) -> Option<String> {
    let never = answer.rows.iter().filter(|row| row.allowance() == Allowance::Never);
    let never: BTreeSet<Wire> = never.map(|row| row.binding.wire).collect();
    let all: BTreeSet<Wire> = answer.rows.iter().map(|row| row.binding.wire).collect();
    match never.len() {
        0 => None,
        count if count > 1 && count + 1 == all.len() => Some("all other wires".to_owned()),
        _ => Some(never.into_iter().map(Wire::word).collect::<Vec<_>>().join(", ")),
    }
}

/// The cheapest first. A binding that one of the methods has no row or time for, or a message that is too long for it, is none for all of them.
fn sums<'a>(answer: &'a Answer<'_>) -> Vec<Sum<'a>> {
    let mut found: BTreeMap<(Option<&str>, Binding), Vec<&Row>> = BTreeMap::new();
    for row in &answer.rows {
        found.entry((row.target.as_deref(), row.binding)).or_default().push(row);
    }
    let methods = answer.methods().len();
    let whole = |rows: &[&Row]| {
        rows.len() == methods
            && rows.iter().all(|row| row.allowance() != Allowance::Never)
            && (answer.profile.is_none() || rows.iter().all(|row| row.total().is_some()))
    };
    let mut sums: Vec<Sum<'_>> = found
        .into_iter()
        .filter(|(_, rows)| whole(rows))
        .map(|((target, binding), rows)| Sum { binding, target, rows })
        .collect();
    sums.sort_by(|a, b| a.measure().total_cmp(&b.measure()));
    sums
}

/// The representative target.
pub fn standing<'a>(targets: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    targets.min_by_key(|target| (*target != HOST, *target))
}

/// Where the time of the cheapest is spent, and which method takes most of it.
fn parts(answer: &Answer<'_>, best: &Sum<'_>) -> String {
    let latency = answer.network.latency * best.count_messages() as f64;
    let network: f64 = best.rows.iter().filter_map(|row| row.network()).map(|time| time.ns).sum();
    let found = shares(&[
        ("network latency", latency),
        ("network bandwidth", (network - latency).max(0.0)),
        ("writing messages", best.of_messages(|message| message.serialize)),
        ("reading messages", best.of_messages(|message| message.deserialize)),
    ]);
    let dearest = best.rows.iter().max_by(|a, b| a.measure().total_cmp(&b.measure()));
    match dearest.filter(|_| best.rows.len() > 1) {
        Some(row) => {
            let share = row.measure() / best.measure() * 100.0;
            format!("{found}; {} has {share:.0} % of all", answer.name(row.method))
        }
        None => found,
    }
}

/// Where one binding overtakes another.
fn growth(answer: &Answer<'_>) -> Option<String> {
    let (said, methods) = answer.over.as_ref()?;
    let path = said.split('=').next().unwrap_or(said);
    let all: Vec<String> = methods
        .iter()
        .flat_map(|growth| growth.overtaking())
        .map(|found| format!("from {path}={} on, {} is cheaper than {}", found.length, found.to, found.from))
        .collect();
    Some(match all.len() {
        0 => format!("{said}: the cheapest stays the same"),
        more if more > OTHERS => {
            format!("{}; {} more with --all", all[..OTHERS].join("; "), more - OTHERS)
        }
        _ => all.join("; "),
    })
}

/// Without the methods' own work.
fn hosts(answer: &Answer<'_>, cores: f64) -> String {
    let Some(rate) = answer.rate else {
        let calls = 1.0 / cores;
        let calls = if calls >= 1e6 { format!("{:.1} million", calls / 1e6) } else { format!("{calls:.0}") };
        return format!(
            "one core of the service handles the messages of {calls} calls/s (their own work: creo capacity)"
        );
    };
    let busy = cores * rate;
    let whole = busy.ceil().max(1.0);
    let of = if whole > 1.0 { "of them" } else { "of it" };
    let whole = count(whole as usize, "core");
    format!(
        "{whole}: messages keep {busy:.3} {of} busy at {rate} calls/s of each method (their own work: creo capacity)"
    )
}

fn basis(answer: &Answer<'_>) -> String {
    let of = match answer.profile {
        None => "bytes alone, without a profile".to_owned(),
        Some(profile) if answer.shipped && !profile.is_of(creo_measure::machine::processor().as_deref()) => {
            format!(
                "measured{}, this machine has a different CPU: run `creo calibrate`",
                text::machine(profile)
            )
        }
        Some(profile) => format!("measured{}", text::machine(profile)),
    };
    format!("{of}; tables and assumptions: --all")
}
