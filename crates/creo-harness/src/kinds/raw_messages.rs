//! What a client's hook for raw messages was shown of a call (CALL-60 to CALL-68), by the member `shown` of a case.

use crate::languages::Language;
use crate::repo;
use serde_json::Value;

/// What no message may contain: the peers send it in header fields, and the cases in answers.
const SECRET: &str = "hunter2";

/// How a call travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transport {
    Http,
    Tcp,
}

impl Transport {
    /// The fields in which the peers send the secret.
    fn fields(self) -> &'static [&'static str] {
        match self {
            Transport::Http => &["x-api-key", "creo-meta-my-token", "authorization"],
            Transport::Tcp => &["my-token", "authorization"],
        }
    }
}

/// Whether a language shows messages over TCP.
pub(super) fn is_shown_over_tcp(language: Option<Language>) -> bool {
    match language {
        Some(Language::Java | Language::Python) => true,
        None | Some(Language::C | Language::CSharp) => false,
    }
}

/// Checks the messages of one call: a request and an answer.
pub(super) fn check(due: &Value, call: &str, over: Transport, found: &Value) -> Result<(), String> {
    let wrong = |why: String| Err(format!("{why}, but was shown {found}"));
    if due["secret"] != "kept" && found.to_string().contains(SECRET) {
        return wrong("the secret is to be hidden".to_owned());
    }
    let messages = found["shown"].as_array().map_or(&[][..], Vec::as_slice);
    let [request, answer] = messages else {
        return wrong("a request and an answer are due".to_owned());
    };
    for (message, sent) in [(request, true), (answer, false)] {
        let plain = sent || over == Transport::Tcp;
        if message["sent"] != sent || message["answer"] == sent || (message["status"] == 0) != plain {
            return wrong("the request is sent, and the answer comes, over HTTP with a status".to_owned());
        }
        if !message["method"].as_str().unwrap_or_default().ends_with(&format!(".{call}")) {
            return wrong(format!("the method is {call}"));
        }
    }
    if let Some(name) = over.fields().iter().find(|name| field(request, name) != Some("***")) {
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
            "hex" => {
                if message["body"] != *value {
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
            "length" | "hidden" | "cut" => {
                if message[name] != *value {
                    return Err(format!("the {name} is {value}"));
                }
            }
            _ => return Err(format!("nothing is known of {name}")),
        }
    }
    Ok(())
}
