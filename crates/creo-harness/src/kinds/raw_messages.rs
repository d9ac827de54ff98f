//! What a client's hook for raw messages was shown of a call (CALL-60 to CALL-68), by the member `shown` of a case.

use crate::repo;
use serde_json::Value;

/// What no message may contain: the peers send it in header fields, and the cases in answers.
const SECRET: &str = "hunter2";

/// The fields in which the peers send it.
const FIELDS: [&str; 3] = ["x-api-key", "creo-meta-my-token", "authorization"];

/// Checks the messages of one call: a request and an answer.
pub(super) fn check(due: &Value, call: &str, found: &Value) -> Result<(), String> {
    let wrong = |why: String| Err(format!("{why}, but was shown {found}"));
    if due["secret"] != "kept" && found.to_string().contains(SECRET) {
        return wrong("the secret is to be hidden".to_owned());
    }
    let messages = found["shown"].as_array().map_or(&[][..], Vec::as_slice);
    let [request, answer] = messages else {
        return wrong("a request and an answer are due".to_owned());
    };
    for (message, sent) in [(request, true), (answer, false)] {
        if message["sent"] != sent || message["answer"] == sent || (message["status"] == 0) != sent {
            return wrong("the request is sent, and the answer comes with a status".to_owned());
        }
        if !message["method"].as_str().unwrap_or_default().ends_with(&format!(".{call}")) {
            return wrong(format!("the method is {call}"));
        }
    }
    if let Some(name) = FIELDS.iter().find(|name| field(request, name) != Some("***")) {
        return wrong(format!("the field {name} of the request is ***"));
    }
    for (name, message) in [("request", request), ("answer", answer)] {
        if let Err(why) = compare(&due[name], message) {
            return wrong(format!("of the {name}, {why}"));
        }
    }
    Ok(())
}

fn field<'m>(message: &'m Value, name: &str) -> Option<&'m str> {
    let pairs = message["headers"].as_array()?.iter();
    let mut named =
        pairs.filter(|pair| pair[0].as_str().is_some_and(|found| found.eq_ignore_ascii_case(name)));
    named.next().and_then(|pair| pair[1].as_str())
}

fn compare(due: &Value, message: &Value) -> Result<(), String> {
    for (name, value) in due.as_object().into_iter().flatten() {
        match name.as_str() {
            "headers" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    if field(message, name) != value.as_str() {
                        return Err(format!("the field {name} is {value}"));
                    }
                }
            }
            "body" => {
                let body = repo::unhex(message["body"].as_str().unwrap_or_default())?;
                if value.as_str().map(str::as_bytes) != Some(&body) {
                    return Err(format!("the body is {value}"));
                }
            }
            "text" | "indented" => {
                let text = message[name].as_str().unwrap_or_default();
                let body = text.split_once("\n| \n").map_or("", |(_, body)| body);
                if Some(body) != value.as_str() {
                    return Err(format!("the {name} after the fields is {value}, not {body:?}"));
                }
            }
            "length" | "hidden" => {
                if message[name] != *value {
                    return Err(format!("the {name} is {value}"));
                }
            }
            _ => return Err(format!("nothing is known of {name}")),
        }
    }
    Ok(())
}
