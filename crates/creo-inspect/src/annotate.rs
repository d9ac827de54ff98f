//! What a listing of annotated bytes is made of.

use crate::WireError;
use serde_json::Value;

/// What a stretch of bytes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A value that is made of the deeper items that follow; its own stretch holds all of them.
    Group,
    /// A value of a primitive type, an enum's number, the bytes of a byte string.
    Scalar,
    /// How many items, bytes or entries follow.
    Count,
    /// The size in bytes of a region (BIN-8).
    Size,
    /// The byte before an optional value.
    Presence,
    /// The number of a union's member, or of the exception that was thrown.
    Index,
    /// A field that the bytes leave out and its default stands for (MODEL-11): no bytes.
    Default,
    /// Bytes of a newer description, skipped or kept as they are (MODEL-11, MODEL-13).
    Unknown,
    /// Items that were read and checked, and are not listed one by one.
    Elided,
    /// A part of a preamble or frame.
    Frame,
}

impl What {
    /// The word in the listing's JSON.
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

/// A stretch of bytes and its meaning. Items stand in the order of the bytes, a group before its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The bytes `start..end` of the section.
    pub start: usize,
    pub end: usize,
    /// How many groups hold it.
    pub depth: usize,
    /// The place of the value (BIN-15); empty for parts of a frame.
    pub place: String,
    /// The last step of the place, for a listing that shows the depth.
    pub label: String,
    pub what: What,
    /// The type, as its description spells it, or what a count counts.
    pub ty: String,
    /// `None` for groups, and for what could not be read.
    pub value: Option<Value>,
}

/// Bytes that belong together, with their items, and the mistake that ended the reading, if there was one.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    pub title: String,
    pub bytes: Vec<u8>,
    /// Where the section's first byte stands in what was given.
    pub base: usize,
    pub items: Vec<Item>,
    /// The mistake and the index of its byte in this section.
    pub mistake: Option<(usize, WireError)>,
}
