//! What a client's hook for raw messages was shown of a call (CALL-60 to CALL-68), by the member `shown` of a case.

use crate::frames::SECRET_METADATA;
use crate::repo;
use serde_json::Value;

/// What no message may contain: the peers send it in header fields, and the cases in answers.
const SECRET: &str = "hunter2";

/// The header fields in which the peers send it.
const FIELDS: [&str; 3] = ["x-api-key", "creo-meta-my-token", "authorization"];

/// How a call travelled.
#[derive(Clone, Copy, Debug)]
pub(super) enum Transport {
    Http,
    /// With this deadline.
    Tcp {
        deadline_ms: u64,
    },
}

/// Checks the messages of one call of a method: a request, and an answer unless that of the case is null.
pub(super) fn check(
    due: &Value,
    call: &str,
    port: u16,
    over: Transport,
    found: &Value,
) -> Result<(), String> {
    let wrong = |why: String| Err(format!("{why}, but was shown {found}"));
    if due["secret"] != "kept" && found.to_string().contains(SECRET) {
        return wrong("the secret is to be hidden".to_owned());
    }
    let messages = found["shown"].as_array().map_or(&[][..], Vec::as_slice);
    let names =
        if due.get("answer") == Some(&Value::Null) { &["request"][..] } else { &["request", "answer"] };
    if messages.len() != names.len() {
        return wrong(format!("due are: {}", names.join(", ")));
    }
    for (name, message) in names.iter().zip(messages) {
        let sent = *name == "request";
        let checked = head(message, call, port, sent, over)
            .and_then(|()| fields(&due[name]["headers"], message, sent, over))
            .and_then(|()| compare(&due[name], message));
        if let Err(why) = checked {
            return wrong(format!("of the {name}, {why}"));
        }
    }
    Ok(())
}

/// Checks what every message has, and the first line of the log.
fn head(message: &Value, call: &str, port: u16, sent: bool, over: Transport) -> Result<(), String> {
    let status = message["status"].as_u64().unwrap_or_default();
    let has_status = !sent && matches!(over, Transport::Http);
    if message["sent"] != sent || message["answer"] == sent || (status != 0) != has_status {
        return Err(
            "it is a request that is sent, or an answer that came; only one of HTTP has a status".to_owned()
        );
    }
    let method = message["method"].as_str().unwrap_or_default();
    if !method.ends_with(&format!(".{call}")) {
        return Err(format!("the method is {call}"));
    }
    let way = if sent { ["sent request", "to"] } else { ["received answer", "from"] };
    let status = if has_status { format!(", status {status}") } else { String::new() };
    let line =
        format!("{} of {method} {} 127.0.0.1:{port}{status}, {} bytes", way[0], way[1], message["length"]);
    match message["text"].as_str().unwrap_or_default().lines().next() {
        Some(found) if found == line => Ok(()),
        _ => Err(format!("the log's first line is {line:?}")),
    }
}

/// Checks the fields: over HTTP those that are due and the secret ones of a request; over TCP all of them.
fn fields(due: &Value, message: &Value, sent: bool, over: Transport) -> Result<(), String> {
    let due = due.as_object().into_iter().flatten();
    let Transport::Tcp { deadline_ms } = over else {
        let secret = FIELDS.iter().filter(|_| sent).map(|name| (*name, Some("***")));
        let mut all = due.map(|(name, value)| (name.as_str(), value.as_str())).chain(secret);
        return all
            .find(|(name, value)| field(message, name) != *value)
            .map_or(Ok(()), |(name, value)| Err(format!("the field {name} is {value:?}")));
    };
    let mut found: Vec<(&str, &str)> = message["headers"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|pair| (pair[0].as_str().unwrap_or_default(), pair[1].as_str().unwrap_or_default()))
        .collect();
    if sent {
        let timeout =
            found.get(2).filter(|(name, _)| *name == "timeout").and_then(|field| field.1.parse().ok());
        if !timeout.is_some_and(|left: u64| (1..=deadline_ms).contains(&left)) {
            return Err(format!("the third field is the timeout, of at most {deadline_ms}"));
        }
        found.remove(2);
    }
    let mut all: Vec<(&str, &str)> =
        due.map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default())).collect();
    if sent {
        all.extend(SECRET_METADATA.map(|(name, _)| (name, "***")));
    }
    // The wire and the kind come first, and the metadata in any order.
    all.sort_unstable_by_key(|(name, _)| (*name != "wire", *name != "kind", *name));
    if let Some(metadata) = found.get_mut(2..) {
        metadata.sort_unstable();
    }
    if found == all { Ok(()) } else { Err(format!("the fields are {all:?}")) }
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
            "headers" => {}
            "bytes" => {
                if message["body"] != *value {
                    return Err(format!("the body is {value}"));
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
