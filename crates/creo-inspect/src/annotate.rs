//! The parts of a listing of annotated bytes.

use crate::WireError;
use serde_json::Value;

/// The meaning of a range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A value made of the deeper items that follow. Its range covers all of them.
    Group,
    /// A value of a primitive type, an enum's number, or the bytes of a byte string.
    Scalar,
    /// The number of items, bytes or entries that follow.
    Count,
    /// The size in bytes of a region (BIN-8).
    Size,
    /// The byte before an optional value.
    Presence,
    /// The number of a union's member, or of the exception that was thrown.
    Index,
    /// A field that the bytes omit, which has its default (MODEL-11): no bytes.
    Default,
    /// Bytes of a newer description, skipped or kept unchanged (MODEL-11, MODEL-13).
    Unknown,
    /// Items that were read and checked but are not listed individually.
    Elided,
    /// A part of a preamble or frame.
    Frame,
}

impl What {
    /// The word used in the listing's JSON.
    pub fn word(self) -> &'static str {
        match self {
            What::Group => "group",
            What::Scalar => "value",
            What::Count => "count",
            What::Size => "size",
            What::Presence => "presence",
            What::Index => "index",
            What::Default => "default",
            What::Unknown => "unknown",
            What::Elided => "elided",
            What::Frame => "frame",
        }
    }
}

/// A range of bytes and its meaning. Items are in byte order, groups before their parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The bytes `start..end` of the section.
    pub start: usize,
    pub end: usize,
    /// The number of groups around it.
    pub depth: usize,
    /// The path of the value (BIN-15); empty for parts of a frame.
    pub place: String,
    /// The last step of the path, for a listing that indents.
    pub label: String,
    pub what: What,
    /// The type as spelled in its description, or the unit of a count.
    pub ty: String,
    /// `None` for groups and unreadable values.
    pub value: Option<Value>,
}

/// Bytes that belong together, with their items, and the mistake that ended reading, if any.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    pub title: String,
    pub bytes: Vec<u8>,
    /// The offset of the section's first byte in the input.
    pub base: usize,
    pub items: Vec<Item>,
    /// The mistake and the index of its byte in this section.
    pub mistake: Option<(usize, WireError)>,
}
