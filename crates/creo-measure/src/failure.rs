//! Why something could not be measured.

use creo_diag::reason;
use std::fmt;
use std::io;
use std::path::Path;

/// Why something could not be measured: one line without a full stop, and perhaps what to do about it.
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

    /// Something that could not be done with a file.
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
