//! Errors of calls: a code of the closed list (ERR-1), and details.

use creo_diag::escape_controls;
use creo_inspect::{ERROR_CODES, ValueError, WireError};
use serde_json::Value;
use std::fmt;

/// The max number of characters shown of a peer's text (ERR-8).
const MAX_TEXT: usize = 1_000;

/// What lenient reading would do with what strict reading refuses (XML-52).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    Skips,
    Misses,
    Accepts,
}

impl Hint {
    fn words(self) -> &'static str {
        match self {
            Hint::Skips => " (lenient reading would skip it)",
            Hint::Misses => " (lenient reading would take it as missing)",
            Hint::Accepts => " (lenient reading would accept it)",
        }
    }
}

/// A call without an answer of its method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallError {
    /// A code of ERR-1.
    pub code: &'static str,
    /// One line, escaped for terminals.
    pub message: String,
    /// Follows the message.
    pub hint: Option<Hint>,
    /// The path in the value.
    pub place: Option<String>,
    /// The offset in the body.
    pub offset: Option<usize>,
    /// ERR-4, escaped like the message.
    pub details: Vec<(String, String)>,
    /// Whether the service reported it.
    pub from_peer: bool,
}

impl CallError {
    pub(crate) fn new(code: &'static str, message: impl AsRef<str>) -> CallError {
        CallError {
            code,
            message: shown(message.as_ref(), MAX_TEXT),
            hint: None,
            place: None,
            offset: None,
            details: Vec::new(),
            from_peer: false,
        }
    }

    /// Of several hints, the first is that of the error.
    pub(crate) fn hinted(mut self, hint: Hint) -> CallError {
        self.hint.get_or_insert(hint);
        self
    }

    /// The caller's value does not fit the method.
    pub(crate) fn of_value(error: ValueError) -> CallError {
        CallError { place: Some(error.place), ..CallError::new(error.code.word(), error.message) }
    }

    /// A value from a text wire does not fit the description.
    pub(crate) fn of_received(error: ValueError) -> CallError {
        let code = if error.code == creo_inspect::Code::TooLarge { "too-large" } else { "malformed" };
        CallError { place: Some(shown(&error.place, MAX_TEXT)), ..CallError::new(code, error.message) }
    }

    /// Bytes of the binary wire are invalid.
    pub(crate) fn of_wire(error: WireError) -> CallError {
        let place = (error.place != "frame").then(|| shown(&error.place, MAX_TEXT));
        CallError { place, offset: Some(error.offset), ..CallError::new(error.code.word(), error.message) }
    }

    /// An error from a service. An unknown code becomes `internal` (ERR-2).
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

    /// Adds the peer's address unless the message already names it.
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
        f.write_str(self.hint.map_or("", Hint::words))?;
        match (&self.place, self.offset) {
            (Some(place), Some(offset)) => write!(f, " (at {place}, byte {offset})"),
            (Some(place), None) => write!(f, " (at {place})"),
            (None, Some(offset)) => write!(f, " (at byte {offset})"),
            (None, None) => Ok(()),
        }
    }
}

impl std::error::Error for CallError {}

/// A peer's text on one line, shortened and escaped for terminals.
pub(crate) fn shown(text: &str, most: usize) -> String {
    let cut: String = text.chars().take(most).collect();
    let end = if cut.len() < text.len() { "…" } else { "" };
    format!("{}{end}", escape_controls(&cut.replace('\n', "\\n")))
}
