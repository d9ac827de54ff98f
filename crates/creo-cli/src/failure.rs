//! The outcome of a command.

use creo_diag::reason;
use std::fmt;
use std::io;
use std::path::Path;

/// The outcome of a command that succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Exit code 0.
    Done,
    /// The checked input has problems: exit code 100.
    Findings,
    /// A call returned a declared exception: exit code 3.
    Exception,
}

impl Outcome {
    /// Findings, if there are any.
    pub fn found(any: bool) -> Outcome {
        if any { Outcome::Findings } else { Outcome::Done }
    }

    /// Findings, if either has them.
    pub fn and(self, other: Outcome) -> Outcome {
        if self == Outcome::Done { other } else { self }
    }
}

/// Why a command failed: exit code 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// One line without a full stop, and an optional hint.
    Message { message: String, help: Option<String>, code: Option<&'static str> },
    /// The reader of standard output has closed it.
    PipeClosed,
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Failure {
        Failure::Message { message: message.into(), help: None, code: None }
    }

    /// A failure that programs recognize by its code.
    pub fn coded(code: &'static str, message: impl Into<String>) -> Failure {
        Failure::Message { message: message.into(), help: None, code: Some(code) }
    }

    pub fn help(self, text: impl Into<String>) -> Failure {
        match self {
            Failure::Message { message, code, .. } => {
                Failure::Message { message, help: Some(text.into()), code }
            }
            Failure::PipeClosed => Failure::PipeClosed,
        }
    }

    /// A failed file operation.
    pub fn file(what: &str, path: &Path, error: &io::Error) -> Failure {
        Failure::new(format!("cannot {what} {}: {}", path.display(), reason(error)))
    }
}

impl From<creo_measure::Failure> for Failure {
    fn from(failure: creo_measure::Failure) -> Failure {
        Failure::Message { message: failure.message, help: failure.help, code: None }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Message { message, .. } => f.write_str(message),
            Failure::PipeClosed => f.write_str("the pipe was closed"),
        }
    }
}
