//! The limits of a description (LANG-3, LANG-10).

/// LANG-10: the maximum size of a file in bytes.
pub const MAX_FILE_SIZE: usize = 16 * 1024 * 1024;

/// LANG-10: the maximum nesting of types.
pub const MAX_TYPE_DEPTH: usize = 32;

/// LANG-3: the maximum length of a name in characters.
pub const MAX_NAME_LENGTH: usize = 128;
