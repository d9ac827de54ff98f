//! The limits of a description (LIM-17).

/// LIM-17: the most files of a description.
pub const MAX_FILES: usize = 10_000;

/// LIM-17: the most types and interfaces of a description.
pub const MAX_TYPES: usize = 100_000;
