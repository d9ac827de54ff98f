//! What is read or written, and the limits.

use creo_model::{Method, Type};

/// The meaning of some bytes: a value of a type, or the body of a message (BIN-14).
#[derive(Clone, Copy, Debug)]
pub enum Subject<'m> {
    /// A value of a type, with the path `$`.
    Type(&'m Type),
    /// The parameters; in JSON an object by name.
    Request(&'m Method),
    /// The result; in JSON the value, or `null` for `void`.
    Response(&'m Method),
    /// One of the exceptions; in JSON an object with one member named after it: `{"NotFound": {...}}`. If a method throws two exceptions
    /// with the same simple name, full names are used.
    Exception(&'m Method),
    /// The items in a frame of a stream, by the type of their array (TCP-30); in JSON an array.
    Items(&'m Type),
}

/// The limits for encoding and decoding single messages (`spec/limits.md`).
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
    /// LIM-18; the default is four times `max_message_size`.
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
