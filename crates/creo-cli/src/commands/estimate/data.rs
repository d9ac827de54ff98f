//! Estimates for programs.

use super::answer::Answer;
use creo_cost::{Allowance, Message, Spread, Time};
use serde_json::{Value, json};

fn spread(spread: Spread) -> Value {
    json!({ "least": spread.least, "expected": spread.expected, "most": spread.most, "exact": spread.is_exact() })
}

fn time(found: Option<Time>) -> Value {
    found.map_or(Value::Null, |t| json!({ "ns": t.ns, "low": t.low, "high": t.high }))
}

fn message(message: &Message) -> Value {
    json!({
        "body": spread(message.body),
        "security": message.security,
        "transport": spread(message.transport),
        "serialize": time(message.serialize),
        "deserialize": time(message.deserialize),
        "network": time(message.network),
        "exceeds": exceeds(message.allowance()),
    })
}

/// Which `maxMessageSize` is too small for a message (COST-16).
fn exceeds(allowance: Allowance) -> Value {
    match allowance {
        Allowance::Default => Value::Null,
        Allowance::Raised => "default".into(),
        Allowance::Never => "any".into(),
    }
}

/// COST-28
pub fn json(answer: &Answer<'_>) -> String {
    let rows: Vec<Value> = answer
        .rows
        .iter()
        .map(|row| {
            let mut object = json!({
                "method": answer.name(row.method),
                "binding": row.binding.to_string(),
                "target": row.target,
                "request": message(&row.request),
                "response": row.response.as_ref().map(message),
                "total": time(row.total()),
                "share": row.share(),
                "cores": answer.rate.map(|rate| cores(time(row.cores(rate)))),
            });
            // COST-17: its items are not priced.
            if answer.sizes.method(row.method).1.has_streams() {
                object["streams"] = true.into();
            }
            object
        })
        .collect();
    let over = answer.over.as_ref().map(|(said, methods)| {
        let methods: Vec<Value> = methods
            .iter()
            .map(|growth| {
                json!({
                    "method": answer.name(growth.method),
                    "series": growth.series.iter().map(|s| json!({ "name": s.name(), "points": s.points })).collect::<Vec<_>>(),
                    "crossovers": growth.crossovers.iter().map(|c| json!({ "length": c.length, "from": c.from, "to": c.to })).collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({ "length": said, "methods": methods })
    });
    let lengths: serde_json::Map<String, Value> = answer
        .assumptions
        .lengths
        .iter()
        .map(|(path, length)| (path.clone(), length.to_string().into()))
        .collect();
    let security: serde_json::Map<String, Value> = answer
        .security_times()
        .into_iter()
        .map(|(target, times)| (target.to_owned(), times.word().into()))
        .collect();
    let result = json!({
        "format": 1,
        "network": { "bitsPerSecond": answer.network.bandwidth, "latencyNs": answer.network.latency },
        "rate": answer.rate,
        "profile": answer.profile.map(|p| json!({ "date": p.date, "creo": p.creo, "machine": p.machine, "shipped": answer.shipped })),
        "security": security,
        "lengths": lengths,
        "rows": rows,
        "over": over,
    });
    format!("{}\n", creo_json::print_json(&result))
}

/// Cores are not nanoseconds.
fn cores(found: Value) -> Value {
    match found {
        Value::Object(mut members) => {
            let cores = members.remove("ns").unwrap_or(Value::Null);
            json!({ "cores": cores, "low": members.remove("low"), "high": members.remove("high") })
        }
        other => other,
    }
}

/// A line a row, numbers in bytes and nanoseconds.
pub fn csv(answer: &Answer<'_>) -> String {
    let mut out = String::from(
        "method,binding,target,request_least,request_expected,request_most,response_least,response_expected,response_most,transport,\
         serialize_ns,deserialize_ns,network_ns,total_ns,total_low_ns,total_high_ns,share,cores\n",
    );
    let number = |number: Option<f64>| number.map_or(String::new(), |n| n.to_string());
    for row in &answer.rows {
        let three =
            |spread: Spread| [spread.least.to_string(), spread.expected.to_string(), spread.most.to_string()];
        let response = row.response.map_or([String::new(), String::new(), String::new()], |r| three(r.body));
        let both = |of: fn(&Message) -> Option<Time>| {
            let second = row.response.as_ref().map_or(Some(0.0), |r| of(r).map(|t| t.ns));
            number(of(&row.request).zip(second).map(|(first, second)| first.ns + second))
        };
        let transport =
            row.response.map_or(row.request.transport, |r| row.request.transport.plus(r.transport));
        let mut cells =
            vec![answer.name(row.method), row.binding.to_string(), row.target.clone().unwrap_or_default()];
        cells.extend(three(row.request.body));
        cells.extend(response);
        cells.extend([
            transport.expected.to_string(),
            both(|m| m.serialize),
            both(|m| m.deserialize),
            number(row.network().map(|t| t.ns)),
            number(row.total().map(|t| t.ns)),
            number(row.total().map(|t| t.low)),
            number(row.total().map(|t| t.high)),
            number(row.share()),
            number(answer.rate.and_then(|rate| row.cores(rate)).map(|t| t.ns)),
        ]);
        out.push_str(&cells.join(","));
        out.push('\n');
    }
    out
}
