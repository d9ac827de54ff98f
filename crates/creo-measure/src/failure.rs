//! Errors of measuring.

use creo_diag::reason;
use std::fmt;
use std::io;
use std::path::Path;

/// Why a measurement failed: one line without a full stop, and perhaps a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub message: String,
    pub help: Option<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), help: None }
    }

    pub(crate) fn help(self, text: impl Into<String>) -> Failure {
        Failure { help: Some(text.into()), ..self }
    }

    /// A failed operation on a file.
    pub(crate) fn file(what: &str, path: &Path, error: &io::Error) -> Failure {
        Failure::new(format!("cannot {what} {}: {}", path.display(), reason(error)))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
