//! Errors for values that cannot be written and bytes that cannot be read.

use std::fmt;

/// The codes of `spec/errors.md` that occur when reading and writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    Malformed,
    InvalidValue,
    TooLarge,
    UnknownMethod,
    ProtocolMismatch,
}

impl Code {
    /// The word of the closed list (ERR-1).
    pub fn word(self) -> &'static str {
        match self {
            Code::Malformed => "malformed",
            Code::InvalidValue => "invalid-value",
            Code::TooLarge => "too-large",
            Code::UnknownMethod => "unknown-method",
            Code::ProtocolMismatch => "protocol-mismatch",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A value that cannot be written: `invalid-value`, or `too-large`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    pub code: Code,
    /// The path in the value: `$.data[3].timestamp`.
    pub place: String,
    pub message: String,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (at {})", self.code, self.message, self.place)
    }
}

impl std::error::Error for ValueError {}

/// Bytes that cannot be read. The text follows ERR-7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireError {
    pub code: Code,
    /// The value that was being read (BIN-15).
    pub place: String,
    /// The offset in the body of the first byte that could not be read.
    pub offset: usize,
    pub message: String,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (at {}, byte {})", self.code, self.message, self.place, self.offset)
    }
}

impl std::error::Error for WireError {}
