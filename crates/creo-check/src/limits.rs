//! The limits of a description (LIM-17).

/// LIM-17: the max number of files in a description.
pub const MAX_FILES: usize = 10_000;

/// LIM-17: the max number of types and interfaces in a description.
pub const MAX_TYPES: usize = 100_000;
