//! What is read or written, and within which limits.

use creo_model::{Method, Type};

/// What some bytes are to be: a value of a type, or the body of a message (BIN-14).
#[derive(Clone, Copy, Debug)]
pub enum Subject<'m> {
    /// A value of a type; its place is `$`.
    Type(&'m Type),
    /// The parameters; as JSON an object of their names.
    Request(&'m Method),
    /// The result; as JSON the value, `null` for `void`.
    Response(&'m Method),
    /// One of the exceptions; as JSON an object with one member, named by the exception: `{"NotFound": {...}}`. Where a method throws two exceptions of
    /// the same simple name, the full names.
    Exception(&'m Method),
}

/// The limits that an encoder and a decoder of single messages know (`spec/limits.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// LIM-1
    pub max_message_size: usize,
    /// LIM-4
    pub max_depth: usize,
    /// LIM-5
    pub max_empty_items: usize,
    /// LIM-6
    pub max_metadata_size: usize,
    /// LIM-18; four times `max_message_size` unless it is given.
    pub max_memory: Option<u64>,
}

impl Limits {
    /// LIM-18
    pub fn memory(&self) -> u64 {
        self.max_memory.unwrap_or(4 * self.max_message_size as u64)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_message_size: 134_217_728,
            max_depth: 100,
            max_empty_items: 65_536,
            max_metadata_size: 16_384,
            max_memory: None,
        }
    }
}
