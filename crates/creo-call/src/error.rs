//! How a call fails: a code of the closed list (ERR-1), and what is known besides.

use creo_diag::escape_controls;
use creo_inspect::{ERROR_CODES, ValueError, WireError};
use serde_json::Value;
use std::fmt;

/// The most characters of a peer's text that are shown (ERR-8).
const MAX_TEXT: usize = 1_000;

/// A call that has no answer of its method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallError {
    /// A word of ERR-1.
    pub code: &'static str,
    /// On one line, nothing in it that could drive a terminal.
    pub message: String,
    /// Where in the value.
    pub place: Option<String>,
    /// The byte of the body.
    pub offset: Option<usize>,
    /// ERR-4, escaped like the message.
    pub details: Vec<(String, String)>,
    /// Whether the service said so.
    pub from_peer: bool,
}

impl CallError {
    pub(crate) fn new(code: &'static str, message: impl AsRef<str>) -> CallError {
        CallError {
            code,
            message: shown(message.as_ref(), MAX_TEXT),
            place: None,
            offset: None,
            details: Vec::new(),
            from_peer: false,
        }
    }

    /// The caller's value does not fit the method.
    pub(crate) fn of_value(error: ValueError) -> CallError {
        CallError { place: Some(error.place), ..CallError::new(error.code.word(), error.message) }
    }

    /// What a text wire brought does not fit the description.
    pub(crate) fn of_received(error: ValueError) -> CallError {
        let code = if error.code == creo_inspect::Code::TooLarge { "too-large" } else { "malformed" };
        CallError { place: Some(shown(&error.place, MAX_TEXT)), ..CallError::new(code, error.message) }
    }

    /// What the binary wire brought does not follow it.
    pub(crate) fn of_wire(error: WireError) -> CallError {
        let place = (error.place != "frame").then(|| shown(&error.place, MAX_TEXT));
        CallError { place, offset: Some(error.offset), ..CallError::new(error.code.word(), error.message) }
    }

    /// What a service said. A code that is none of the list is `internal` (ERR-2).
    pub(crate) fn from_service(code: &str, message: &str, details: Vec<(String, String)>) -> CallError {
        let known = ERROR_CODES.into_iter().find(|known| *known == code);
        let mut error = match known {
            Some(code) => CallError::new(code, message),
            None => CallError::new("internal", format!("{message} (the service's code is {code})")),
        };
        error.details =
            details.iter().map(|(key, value)| (shown(key, 250), shown(value, MAX_TEXT))).collect();
        error.place = error.details.iter().find(|(key, _)| key == "place").map(|(_, place)| place.clone());
        error.from_peer = true;
        error
    }

    /// The details of a JSON object whose members are texts.
    pub(crate) fn details(object: Option<&Value>) -> Vec<(String, String)> {
        let members = object.and_then(Value::as_object).into_iter().flatten();
        members
            .map(|(key, value)| {
                (key.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            })
            .collect()
    }

    /// Adds the address of the other side, where the message does not name it.
    pub(crate) fn at_peer(mut self, address: &str) -> CallError {
        if self.from_peer || self.code == "deadline-exceeded" {
            self.details.push(("peer".to_owned(), address.to_owned()));
        }
        self
    }
}

impl fmt::Display for CallError {
    /// ERR-7
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match (&self.place, self.offset) {
            (Some(place), Some(offset)) => write!(f, " (at {place}, byte {offset})"),
            (Some(place), None) => write!(f, " (at {place})"),
            (None, Some(offset)) => write!(f, " (at byte {offset})"),
            (None, None) => Ok(()),
        }
    }
}

impl std::error::Error for CallError {}

/// A text of a peer: one line, cut, and with nothing in it that could drive a terminal.
pub(crate) fn shown(text: &str, most: usize) -> String {
    let cut: String = text.chars().take(most).collect();
    let end = if cut.len() < text.len() { "…" } else { "" };
    format!("{}{end}", escape_controls(&cut.replace('\n', "\\n")))
}
