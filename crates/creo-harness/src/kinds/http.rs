//! Handwritten HTTP requests against the Java service: framing; statuses, media types and bodies of the json and tdxml wires. Whatever a
//! case does, the service must answer a good call afterwards.

use super::http_framing;
use crate::cases::entries;
use crate::http::shown;
use crate::http::{Response, exchange};
use crate::options::Options;
use crate::repo;
use crate::report::Report;
use crate::service::Service;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::io::{Read, Write};

/// The members of a problem document in their order (JSON-22, JSON-23).
const PROBLEM: [&str; 6] = ["type", "title", "status", "detail", "details", "value"];

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let mut service = Service::start()?;
    let port = service.http.ok_or("the service has no port for HTTP")?;
    for entry in entries("malformed/http", "cases")? {
        let (name, case) = (&entry.name, &entry.json);
        if !options.wants(name) {
            continue;
        }
        if case.get("raw").is_some() {
            report.check(name, http_framing::check(case, port));
        } else {
            let answer = request(case).and_then(|bytes| exchange(port, &bytes));
            report.check(
                name,
                answer
                    .and_then(|answer| check(case, &answer))
                    .map_err(|why| format!("{}: {why}", case["request"])),
            );
        }
        report.check(format!("{name}, a good call afterwards"), good_call(port));
        if !service.is_alive() {
            return Err(format!("the service died of {name}; {}", service.complaint()));
        }
    }
    report.check("the service ends when it is asked to", service.stop());
    Ok(())
}

fn good_call(port: u16) -> Result<(), String> {
    let answer = exchange(port, http_framing::GOOD_CALL.as_bytes())?;
    if answer.status == 200 && answer.body == b"42" {
        Ok(())
    } else {
        Err(format!("it answers {}", shown(&answer)))
    }
}

/// The bytes to send; see `conformance/README.md`.
fn request(case: &Value) -> Result<Vec<u8>, String> {
    let mut body = match (case["body"].as_str(), case["bytes"].as_str()) {
        (_, Some(hex)) => repo::unhex(hex)?,
        (text, None) => text.unwrap_or_default().as_bytes().to_vec(),
    };
    if case["gzip"] == true {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        body = encoder.write_all(&body).and_then(|()| encoder.finish()).map_err(|e| e.to_string())?;
    }
    let mut head =
        format!("{} HTTP/1.1\r\nHost: 127.0.0.1\r\n", case["request"].as_str().ok_or("no request")?);
    let mut lengths = false;
    for (name, value) in case["headers"].as_object().into_iter().flatten() {
        lengths |= ["content-length", "transfer-encoding"].contains(&name.to_ascii_lowercase().as_str());
        let values = value.as_array().map_or_else(|| vec![value], |values| values.iter().collect());
        for value in values.into_iter().filter_map(Value::as_str) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
    }
    if !lengths {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    Ok([head.as_bytes(), b"Connection: close\r\n\r\n", &body].concat())
}

fn check(case: &Value, answer: &Response) -> Result<(), String> {
    let wrong = |why: String| Err(format!("{why}; the answer was {}", shown(answer)));
    if case["status"].as_u64() != Some(u64::from(answer.status)) {
        return wrong(format!("the status is {}", case["status"]));
    }
    if let Some(due) = case["type"].as_str() {
        let media = answer
            .header("content-type")
            .unwrap_or_default()
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        if media != due {
            return wrong(format!("the media type is {due}"));
        }
    }
    for (name, value) in case["header"].as_object().into_iter().flatten() {
        let came = answer.header(name);
        if came != value.as_str() {
            return wrong(format!("the header {name} is {value}"));
        }
    }
    let mut body = answer.body.clone();
    if answer.header("content-encoding") == Some("gzip") {
        body.clear();
        GzDecoder::new(answer.body.as_slice())
            .read_to_end(&mut body)
            .map_err(|e| format!("the answer's gzip: {e}"))?;
    }
    let text = String::from_utf8(body).map_err(|_| "the answer is no UTF-8")?;
    if let Some(due) = case["answer"].as_str()
        && due != text
    {
        return wrong(format!("the body is {due:?}"));
    }
    for due in case["holds"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !text.contains(due) {
            return wrong(format!("the body holds {due:?}"));
        }
    }
    for secret in ["secret", "Exception", "java."] {
        if text.contains(secret)
            && !case["answer"].as_str().is_some_and(|due| due.contains(secret))
            && answer.status >= 500
        {
            return wrong(format!("the body holds {secret:?} (ERR-6)"));
        }
    }
    match case.get("problem") {
        Some(due) => problem(case, due, &text).or_else(wrong),
        None => Ok(()),
    }
}

/// Checks a problem document, which must have at least the expected members in order.
fn problem(case: &Value, due: &Value, text: &str) -> Result<(), String> {
    let came: Value = serde_json::from_str(text).map_err(|e| format!("the body is no JSON: {e}"))?;
    if case["type"] != "application/problem+json" {
        return Err("the case says no media type".to_owned());
    }
    if came["status"] != case["status"] {
        return Err(format!("the member status is {}", case["status"]));
    }
    let members: Vec<&String> = came.as_object().into_iter().flatten().map(|(name, _)| name).collect();
    let order: Vec<Option<usize>> =
        members.iter().map(|name| PROBLEM.iter().position(|known| known == name)).collect();
    if order.iter().any(Option::is_none) || !order.is_sorted() {
        return Err(format!("the members are some of {PROBLEM:?} in this order"));
    }
    within(due, &came, "$")
}

fn within(due: &Value, came: &Value, place: &str) -> Result<(), String> {
    match due {
        Value::Object(members) => members
            .iter()
            .try_for_each(|(name, due)| within(due, &came[name.as_str()], &format!("{place}.{name}"))),
        due if due == came => Ok(()),
        due => Err(format!("at {place} is {due}")),
    }
}
