//! Errors of a conversion.

use std::fmt;
use std::io;

/// The code of an error, as in `spec/errors.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// TDX-72
    Malformed,
    /// TDX-73
    TooLarge,
}

impl Code {
    pub fn word(self) -> &'static str {
        match self {
            Code::Malformed => "malformed",
            Code::TooLarge => "too-large",
        }
    }
}

/// What is wrong with a document, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub code: Code,
    pub message: String,
    /// The line and column of the input from 1, if known.
    pub position: Option<(u64, u64)>,
    /// The row's number in the table, and its shortened text (TDX-15).
    pub row: Option<(u64, String)>,
    /// Whether the rows might be valid in another order.
    pub(crate) order: bool,
    /// Whether the mistake belongs to no row.
    pub(crate) of_no_row: bool,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some((number, text)) = &self.row {
            write!(f, ", row {number}: {text}")?;
        }
        Ok(())
    }
}

/// Why a conversion failed.
#[derive(Debug)]
pub enum Failure {
    /// The input is invalid.
    Refused(Box<Mistake>),
    /// The input cannot be read.
    Read(io::Error),
    /// The output cannot be written.
    Write(io::Error),
    /// A temporary file cannot be made, written or read.
    Scratch(io::Error),
}

pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub fn new(code: Code, message: impl Into<String>) -> Failure {
        Failure::Refused(Box::new(Mistake {
            code,
            message: message.into(),
            position: None,
            row: None,
            order: false,
            of_no_row: false,
        }))
    }

    /// An error of a row that another order may fix.
    pub(crate) fn out_of_order(message: impl Into<String>) -> Failure {
        Failure::new(Code::Malformed, message).with(|mistake| mistake.order = true)
    }

    /// Changes a mistake in the input; other failures stay unchanged.
    pub(crate) fn with(self, change: impl FnOnce(&mut Mistake)) -> Failure {
        match self {
            Failure::Refused(mut mistake) => {
                change(&mut mistake);
                Failure::Refused(mistake)
            }
            Failure::Read(_) | Failure::Write(_) | Failure::Scratch(_) => self,
        }
    }
}

pub(crate) fn malformed<T>(message: impl Into<String>) -> Result<T> {
    Err(Failure::new(Code::Malformed, message))
}

pub(crate) fn too_large<T>(message: impl Into<String>) -> Result<T> {
    Err(Failure::new(Code::TooLarge, message))
}

/// Hostile text for a message: shortened, without control characters.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 100;
    let mut shown: String =
        text.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}
