//! TDX-73: what no document may exceed.

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
/// Bytes that entities and default attributes add, all together; each reference counts one more. A large document may hold more of them ...
pub const MAX_EXPANSION: u64 = 16 << 20;
/// ... as many times its own bytes.
pub const MAX_AMPLIFICATION: u64 = 100;
/// Attributes that a DTD declares for an element.
pub const MAX_DECLARED: usize = 1_024;
/// Entities within entities.
pub const MAX_ENTITY_DEPTH: usize = 64;
/// Bytes of a DTD, and of a schema.
pub const MAX_SCHEMA: usize = 64 << 20;
/// Bytes of rows that are sorted in memory, about.
pub const MAX_RUN: usize = 64 << 20;
/// TDX-70: a text longer than this is not held beside attributes.
pub const LONG_TEXT: usize = 1 << 20;
/// TDX-65: white space up to here may be layout.
pub const MAX_GAP: usize = 4_096;
