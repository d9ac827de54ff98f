//! Estimates as tables for people.

use super::answer::{Answer, SecurityTimes};
use creo_cost::{MAX_BODY, Row, Security, Spread, Time, Token};

/// A table for each method.
pub fn render(answer: &Answer<'_>) -> String {
    let mut out = String::new();
    for (id, rows) in answer.methods() {
        out.push_str(&format!("{}\n", answer.name(id)));
        out.push_str(&table(&cells(answer, &rows)));
        out.push('\n');
    }
    if let Some((over, methods)) = &answer.over {
        for growth in methods {
            let name = answer.name(growth.method);
            if growth.crossovers.is_empty() {
                out.push_str(&format!("{name}, {over}: the cheapest stays the same\n"));
            }
            for crossover in &growth.crossovers {
                out.push_str(&format!(
                    "{name}, {over}: from {} on, {} is cheaper than {}\n",
                    crossover.length, crossover.to, crossover.from
                ));
            }
        }
        out.push('\n');
    }
    out.push_str(&notes(answer).join("\n"));
    out.push('\n');
    out
}

/// The assumptions, in sentences.
pub fn notes(answer: &Answer<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    match answer.profile {
        None => notes.push("Bytes alone, without a profile.".to_owned()),
        Some(profile) if answer.shipped => notes.push(format!("Times by {}.", shipped(profile))),
        Some(profile) => notes.push(format!(
            "Times by a profile of {}{}, with their 95 % intervals.",
            profile.date,
            machine(profile)
        )),
    }
    notes.push(format!(
        "Network: {} Mbit/s, {} one way.",
        answer.network.bandwidth / 1e6,
        time(answer.network.latency)
    ));
    if let Some(rate) = answer.rate {
        notes.push(format!("Cores of the service at {rate} calls a second."));
    }
    for (direction, security) in ["requests", "responses"].iter().zip(&answer.security) {
        if !security.is_none() {
            notes.push(format!("Security of SOAP {direction}: {}; other wires have none.", parts(security)));
        }
    }
    let times = answer.security_times();
    for (source, before, after) in [
        (SecurityTimes::Measured, "Signatures and encryption in", " by times of the profile."),
        (
            SecurityTimes::Default,
            "Signatures and encryption in",
            " by default times, which were not measured with the profile.",
        ),
        (SecurityTimes::None, "No times of signatures and encryption in", ": the profile has none."),
    ] {
        let targets: Vec<&str> =
            times.iter().filter(|(_, times)| **times == source).map(|(target, _)| *target).collect();
        if !targets.is_empty() {
            notes.push(format!("{before} {}{after}", targets.join(", ")));
        }
    }
    if let Some(methods) = answer.with_streams() {
        notes.push(format!("The items of streams are not priced: {methods}."));
    }
    if !answer.assumptions.lengths.is_empty() {
        let said: Vec<String> =
            answer.assumptions.lengths.iter().map(|(path, length)| format!("{path} = {length}")).collect();
        notes.push(format!("Lengths: {}.", said.join(", ")));
    }
    notes.push(
        "Where no length is said: arrays and maps have 10 items, 5 within another, 2 within those; strings 16 bytes, byte[] 1000, decimals 8."
            .to_owned(),
    );
    notes
}

/// `token of a user, signature`
fn parts(security: &Security) -> String {
    let token = match security.token {
        None => None,
        Some(Token::Text) => Some("token with a password"),
        Some(Token::Digest) => Some("token with a digest"),
    };
    let flag = |is: bool, word: &'static str| is.then_some(word);
    let all = [
        token,
        flag(security.timestamp || security.signed, "timestamp"),
        flag(security.signed, "signature"),
        flag(security.encrypted, "encryption"),
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The source of the times if no profile was given.
pub fn shipped(profile: &creo_cost::Profile) -> String {
    let here = if profile.is_of(creo_measure::machine::processor().as_deref()) {
        ", of the kind that this machine has"
    } else {
        ": this machine has a different CPU; run `creo calibrate`"
    };
    format!("the profile that comes with creo, measured on {}{}{here}", profile.date, machine(profile))
}

pub fn machine(profile: &creo_cost::Profile) -> String {
    profile.machine.get("processor").map_or(String::new(), |processor| format!(" on {processor}"))
}

/// The heads of the columns and the rows beneath them.
pub fn cells(answer: &Answer<'_>, rows: &[&Row]) -> Vec<Vec<String>> {
    let timed = answer.profile.is_some();
    let is_secured = rows.iter().any(|row| secured(row).is_some());
    let mut head = vec!["binding", "request", "response", "transport"];
    if is_secured {
        head.insert(3, "security");
    }
    if timed {
        head.insert(0, "target");
        head.extend(["serialize", "deserialize"]);
    }
    head.push("network");
    if timed {
        head.extend(["total", "share"]);
        if answer.rate.is_some() {
            head.push("cores");
        }
    }
    let mut all = vec![head.into_iter().map(str::to_owned).collect()];
    for row in rows {
        let mut cells = vec![
            row.binding.to_string(),
            spread(row.request.body),
            row.response.map_or("-".to_owned(), |response| spread(response.body)),
            spread(
                row.response
                    .map_or(row.request.transport, |response| row.request.transport.plus(response.transport)),
            ),
        ];
        if is_secured {
            cells.insert(3, secured(row).map_or("-".to_owned(), |bytes| format!("{bytes:.0}")));
        }
        if timed {
            cells.insert(0, row.target.clone().unwrap_or_else(|| "-".to_owned()));
            let both = |of: fn(&creo_cost::Message) -> Option<Time>| {
                of(&row.request).and_then(|first| {
                    row.response.as_ref().map_or(Some(first), |second| Some(first.plus(of(second)?)))
                })
            };
            cells.push(interval(both(|message| message.serialize)));
            cells.push(interval(both(|message| message.deserialize)));
        }
        cells.push(row.network().map_or("-".to_owned(), |network| time(network.ns)));
        if timed {
            cells.push(interval(row.total()));
            cells.push(row.share().map_or("-".to_owned(), |share| format!("{:.0} %", share * 100.0)));
            if let Some(rate) = answer.rate {
                cells.push(row.cores(rate).map_or("-".to_owned(), |cores| format!("{:.3}", cores.ns)));
            }
        }
        all.push(cells);
    }
    all
}

/// The bytes of both messages that security added.
fn secured(row: &Row) -> Option<f64> {
    let response = row.response.and_then(|response| response.security);
    match (row.request.security, response) {
        (None, None) => None,
        (first, second) => Some(first.unwrap_or(0.0) + second.unwrap_or(0.0)),
    }
}

/// The headings of columns with names.
const NAMES: [&str; 4] = ["target", "binding", "sharing", "method"];

/// Aligned columns: the first to the left, numbers to the right.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|i| rows.iter().filter_map(|row| row.get(i)).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    let left = |i: usize| {
        rows.first().and_then(|head| head.get(i)).is_some_and(|head| NAMES.contains(&head.as_str()))
    };
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, cell) in row.iter().enumerate() {
            let room = " ".repeat(widths[i] - cell.chars().count());
            let cell = if left(i) { format!("{cell}{room}") } else { format!("{room}{cell}") };
            line.push_str("  ");
            line.push_str(&cell);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// `19`, or `~17.9 (10..24)`; of what is too long to be sent no more than that.
pub fn spread(spread: Spread) -> String {
    if spread.expected > MAX_BODY {
        return TOO_LONG.to_owned();
    }
    if spread.is_exact() {
        return spread.least.to_string();
    }
    let most = if spread.most == u64::MAX { String::new() } else { spread.most.to_string() };
    format!("~{:.0} ({}..{most})", spread.expected, spread.least)
}

/// The bytes of a message that no `maxMessageSize` allows (COST-16).
pub const TOO_LONG: &str = "over 2 GiB";

/// `1.23 us`
pub fn time(ns: f64) -> String {
    let (number, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "us"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    let digits = if number >= 100.0 {
        0
    } else if number >= 10.0 {
        1
    } else {
        2
    };
    format!("{number:.digits$} {unit}")
}

/// A time with its interval: `1.23 us +-8 %`.
fn interval(found: Option<Time>) -> String {
    match found {
        None => "-".to_owned(),
        Some(found) if found.ns <= 0.0 => time(0.0),
        Some(found) => {
            let reach = (found.high - found.low) / 2.0 / found.ns * 100.0;
            // Of a time that is hardly more than nothing, any error is a large part.
            let reach = if reach > 1e4 { "over 10000".to_owned() } else { format!("{reach:.0}") };
            format!("{} +-{reach} %", time(found.ns))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(spread(Spread::exact(19)), "19");
        assert_eq!(spread(Spread { least: 1, expected: 2.6, most: 9 }), "~3 (1..9)");
        assert_eq!(spread(Spread { least: 1, expected: 2.6, most: u64::MAX }), "~3 (1..)");
        assert_eq!([0.0, 12.34, 123_456.0, 1.5e9].map(time), ["0.00 ns", "12.3 ns", "123 us", "1.50 s"]);
        assert_eq!(interval(Some(Time { ns: 100.0, low: 90.0, high: 110.0 })), "100 ns +-10 %");
        assert_eq!(interval(Some(Time { ns: 5e-324, low: 0.0, high: 110.0 })), "0.00 ns +-over 10000 %");
        assert_eq!(spread(Spread::exact(u64::MAX)), "over 2 GiB");
    }
}
