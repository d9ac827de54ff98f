//! What the caller supplies: documents, temporary files, and the choice of table.

use std::io::{self, Read, Seek, Write};

/// A document that can be read again from the start.
pub trait Input {
    /// Opens the document at its first byte.
    fn open(&mut self) -> io::Result<Box<dyn Read + '_>>;
}

impl Input for &[u8] {
    fn open(&mut self) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(*self))
    }
}

/// A temporary file: written data can be read again from any position.
pub trait Scratch: Read + Write + Seek {}

impl<T: Read + Write + Seek> Scratch for T {}

/// The table format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// A row for each value.
    Aggregated,
    /// A row for each element with its values as columns (section 4).
    Record,
}
