//! Plans for programs.

use super::answer::Answer;
use super::text::one_line;
use creo_queue::{Found, Load, Outcome};
use serde_json::{Value, json};

fn found(found: Found) -> Value {
    json!({ "value": found.value, "low": found.low, "high": found.high })
}

fn outcome(answer: &Answer<'_>, outcome: &Outcome) -> Value {
    let methods: serde_json::Map<String, Value> = answer
        .request
        .calls
        .iter()
        .zip(&outcome.calls)
        .map(|(call, of)| {
            let times =
                of.map(|of| json!({ "calls": of.calls, "median": of.median, "p90": of.p90, "p99": of.p99 }));
            (answer.method(call.method), times.unwrap_or(Value::Null))
        })
        .collect();
    json!({
        "utilisation": found(outcome.utilisation),
        "throughput": found(outcome.throughput),
        "mean": found(outcome.mean),
        "median": found(outcome.median),
        "p90": found(outcome.p90),
        "p99": found(outcome.p99),
        "waiting": found(outcome.waiting),
        "longest": outcome.longest,
        "methods": methods,
        "settled": outcome.settled,
    })
}

fn load(load: &Load) -> Value {
    json!({ "rate": load.rate, "utilisation": load.outcome.utilisation.value, "median": load.outcome.median.value, "p99": load.outcome.p99.value })
}

/// COST-56; times are nanoseconds.
pub fn json(answer: &Answer<'_>) -> String {
    let request = answer.request;
    let rows: Vec<Value> = answer
        .rows
        .iter()
        .map(|row| {
            json!({
                "binding": row.case.binding.to_string(),
                "target": row.case.target,
                "sharing": row.case.scenario.sharing.word(),
                "threads": row.case.scenario.threads,
                "saturated": row.outcome.is_none(),
                "outcome": row.outcome.as_ref().map(|of| outcome(answer, of)),
                "capacity": row.capacity.map(|capacity| json!({ "rate": capacity.rate, "limit": capacity.limit.word() })),
                "goal": row.goal.as_ref().map(|goal| json!({ "rate": goal.rate, "hosts": goal.hosts })),
                "loads": row.loads.iter().map(load).collect::<Vec<Value>>(),
            })
        })
        .collect();
    let calls: Vec<Value> = request
        .calls
        .iter()
        .map(|call| json!({ "method": answer.method(call.method), "rate": call.rate, "work": call.work.to_string(), "wait": call.wait.to_string() }))
        .collect();
    let result = json!({
        "format": 1,
        "calls": calls,
        "rate": answer.rate(),
        "arrivals": request.arrivals.to_string(),
        "hosts": request.hosts,
        "cores": request.cores,
        "overhead": request.overhead,
        "broker": request.broker,
        "goal": request.goal,
        "network": { "bitsPerSecond": answer.network.bandwidth, "latencyNs": answer.network.latency },
        "profile": answer.profile.map(|p| json!({ "date": p.date, "creo": p.creo, "machine": p.machine, "shipped": answer.shipped })),
        "sample": request.run.calls,
        "seed": request.run.seed,
        "rows": rows,
        "leftOut": answer.left_out.unmeasured,
        "tooLong": answer.left_out.too_long,
    });
    format!("{}\n", creo_json::print_json(&result))
}

/// The name of a target comes from the profile, which is not trusted.
fn field(text: &str) -> String {
    let text = one_line(text);
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// A line for all calls of a binding and target, followed by one for each method.
pub fn csv(answer: &Answer<'_>) -> String {
    let mut out = String::from(
        "target,binding,sharing,method,rate,saturated,utilisation,throughput,mean_ns,median_ns,median_low_ns,median_high_ns,p90_ns,p90_low_ns,p90_high_ns,p99_ns,p99_low_ns,p99_high_ns,\
         waiting,longest,settled,capacity,limit,goal_rate,goal_hosts\n",
    );
    let number = |number: Option<f64>| number.map_or(String::new(), |n| n.to_string());
    for row in &answer.rows {
        let case = [
            field(row.case.target.as_deref().unwrap_or("")),
            row.case.binding.to_string(),
            row.case.scenario.sharing.word().to_owned(),
        ];
        let of = row.outcome.as_ref();
        let mut cells = case.to_vec();
        cells.extend([String::new(), answer.rate().to_string(), of.is_none().to_string()]);
        cells.extend(
            [of.map(|o| o.utilisation.value), Some(row.served()), of.map(|o| o.mean.value)].map(number),
        );
        for quantile in [|o: &Outcome| o.median, |o: &Outcome| o.p90, |o: &Outcome| o.p99] {
            let found = of.map(quantile);
            cells.extend([found.map(|f| f.value), found.map(|f| f.low), found.map(|f| f.high)].map(number));
        }
        cells.extend([
            number(of.map(|o| o.waiting.value)),
            of.map_or(String::new(), |o| o.longest.to_string()),
        ]);
        cells.push(of.map_or(String::new(), |o| o.settled.to_string()));
        cells.extend([
            number(row.capacity.map(|c| c.rate)),
            row.capacity.map_or(String::new(), |c| c.limit.word().to_owned()),
        ]);
        let goal = row.goal.as_ref();
        cells.extend([
            number(goal.and_then(|g| g.rate)),
            goal.and_then(|g| g.hosts).map_or(String::new(), |hosts| hosts.to_string()),
        ]);
        out.push_str(&format!("{}\n", cells.join(",")));
        for (place, call) in answer.request.calls.iter().enumerate() {
            let times = of.and_then(|of| of.calls.get(place).copied().flatten());
            let [median, p90, p99] =
                [times.map(|t| t.median), times.map(|t| t.p90), times.map(|t| t.p99)].map(number);
            out.push_str(&format!(
                "{},{},{},{},,,,{median},,,{p90},,,{p99},,,,,,,,,\n",
                case.join(","),
                answer.method(call.method),
                call.rate,
                of.is_none()
            ));
        }
    }
    out
}
