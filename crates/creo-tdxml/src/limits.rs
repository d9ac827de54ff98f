//! TDX-73: limits of a document.

/// Elements open at once.
pub const MAX_DEPTH: usize = 10_000;
/// Bytes of a name with its prefix.
pub const MAX_NAME: usize = 65_536;
/// Attributes and namespace declarations of an element.
pub const MAX_ATTRIBUTES: usize = 65_536;
/// Bytes of a tag, comment, processing instruction, or value that must be held.
pub const MAX_HELD: usize = 64 << 20;
/// Namespace declarations in force at once.
pub const MAX_NAMESPACES: usize = 4_096;
/// Total bytes that entities and default attributes add; each reference counts one more. A large document may have more ...
pub const MAX_EXPANSION: u64 = 16 << 20;
/// ... up to this many times its own size.
pub const MAX_AMPLIFICATION: u64 = 100;
/// Attributes that a DTD declares for an element.
pub const MAX_DECLARED: usize = 1_024;
/// Entities within entities.
pub const MAX_ENTITY_DEPTH: usize = 64;
/// Bytes of a DTD, and of a schema.
pub const MAX_SCHEMA: usize = 64 << 20;
/// Approximate bytes of rows sorted in memory.
pub const MAX_RUN: usize = 64 << 20;
/// TDX-70: a longer text is not held next to attributes.
pub const LONG_TEXT: usize = 1 << 20;
/// TDX-65: longer white space is not layout.
pub const MAX_GAP: usize = 4_096;
