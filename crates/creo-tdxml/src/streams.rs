//! What a caller hands over: documents, temporary files, and which table is wanted.

use std::io::{self, Read, Seek, Write};

/// A document that can be read again from its beginning.
pub trait Input {
    /// The document from its first byte.
    fn open(&mut self) -> io::Result<Box<dyn Read + '_>>;
}

impl Input for &[u8] {
    fn open(&mut self) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(*self))
    }
}

/// A temporary file: what is written to it can be read again from anywhere.
pub trait Scratch: Read + Write + Seek {}

impl<T: Read + Write + Seek> Scratch for T {}

/// Which of the two tables is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// A row for each value.
    Aggregated,
    /// A row for each element with its values as columns (section 4).
    Record,
}
