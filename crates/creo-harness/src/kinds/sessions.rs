//! Redirects, cookies and credentials of clients over HTTP (HTTP-40 to HTTP-51), in cases of `conformance/malformed/http-client/sessions.json`.

use super::digests;
use serde_json::Value;

/// The members of a case that are options of the client, by the names that a peer's `probe` mode knows.
const OPTIONS: [&str; 5] = ["redirects", "cookies", "basic", "bearer", DIGEST];
const DIGEST: &str = "digest";

/// What a client with such options sends, and what it gets.
#[derive(Debug)]
pub(super) struct Session {
    options: Vec<(&'static str, Value)>,
    /// The answers after the first, with `{port}` for the port of the server.
    then: Vec<Vec<u8>>,
    /// For each request what its head must have; `!NAME`: a field that it must not have; `digest …`: what
    /// [`digests::check`] takes.
    requests: Vec<Vec<String>>,
}

impl Session {
    /// The session of a case, if it has one; `response` makes the bytes of an answer.
    pub(super) fn read(
        case: &Value,
        response: impl Fn(&Value) -> Result<Vec<u8>, String>,
    ) -> Result<Option<Session>, String> {
        let Some(requests) = case["requests"].as_array() else { return Ok(None) };
        let texts = |request: &Value| {
            let lines = request.as_array().ok_or("a request is a list of texts")?;
            lines.iter().map(|line| line.as_str().map(str::to_owned).ok_or("a line is a text")).collect()
        };
        Ok(Some(Session {
            options: OPTIONS
                .into_iter()
                .filter(|name| !case[*name].is_null())
                .map(|name| (name, case[name].clone()))
                .collect(),
            then: case["then"].as_array().into_iter().flatten().map(&response).collect::<Result<_, _>>()?,
            requests: requests.iter().map(texts).collect::<Result<_, _>>()?,
        }))
    }

    /// Adds the options to a question of a probe.
    pub(super) fn ask(&self, question: &mut Value) {
        for (name, value) in &self.options {
            question[*name] = value.clone();
        }
    }

    /// The answers after the first.
    pub(super) fn answers(&self, port: u16) -> impl Iterator<Item = Vec<u8>> {
        self.then.iter().map(move |bytes| self.placed(bytes, port))
    }

    /// An answer with the port of the server.
    pub(super) fn placed(&self, bytes: &[u8], port: u16) -> Vec<u8> {
        match std::str::from_utf8(bytes) {
            Ok(text) => placed(text, port).into_bytes(),
            Err(_) => bytes.to_vec(),
        }
    }

    /// Checks the heads of all requests that came.
    pub(super) fn check(&self, heads: &[String], port: u16) -> Result<(), String> {
        if heads.len() != self.requests.len() {
            return Err(format!("{} requests are due, and these came: {heads:?}", self.requests.len()));
        }
        for (head, due) in heads.iter().zip(&self.requests) {
            for line in due {
                let line = placed(line, port);
                if let Some(due) = line.strip_prefix("digest ") {
                    digests::check(head, due)?;
                } else if !has(head, &line) {
                    return Err(format!("{line:?} is due in {head:?}"));
                }
            }
        }
        Ok(())
    }
}

fn placed(text: &str, port: u16) -> String {
    text.replace("{port}", &port.to_string())
}

/// Whether a head begins with a line, has a field, or lacks one.
fn has(head: &str, line: &str) -> bool {
    let mut fields = head.lines().skip(1).filter_map(|field| field.split_once(':'));
    if let Some(name) = line.strip_prefix('!') {
        return !fields.any(|(came, _)| came.eq_ignore_ascii_case(name));
    }
    match line.split_once(": ") {
        Some((name, value)) => {
            fields.any(|(came, text)| came.eq_ignore_ascii_case(name) && text.trim() == value)
        }
        None => head.starts_with(line),
    }
}
