//! Values and messages as annotated bytes, computed only from the model.
//!
//! A second, deliberately simple implementation of `spec/wires/binary.md`, `spec/values.md` and `spec/transports/tcp.md`. It walks the
//! model for every value, shares nothing with generated code or the plan, and prefers an obvious line to a fast one. `creo inspect` shows
//! its results, and conformance vectors are checked against it.

// A new kind of value or type must be handled everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

mod annotate;
mod decimal;
mod decode;
mod encode;
mod envelope;
mod error;
mod frames;
mod items;
mod least;
mod memory;
mod message;
mod part;
mod place;
mod raw_log;
mod reader;
mod render;
mod sample;
mod spell;
mod subject;
mod time;
mod values;

pub use annotate::{Item, Section, What};
pub use decode::{annotate, decode};
pub use encode::{ERROR_CODES, encode};
pub use envelope::{
    Control, Envelope, FRAME_HEAD, FrameHead, PREAMBLE, READS_METADATA, control, credit, frame,
};
pub use error::{Code, ValueError, WireError};
pub use message::{Conversation, From, Message, read_side, read_stream};
pub use raw_log::{LogError, Logged, read_log};
pub use render::{Style, items_json, render};
pub use sample::sample;
pub use spell::spell;
pub use subject::{Limits, Subject};
pub use time::{format as format_instant, instant_of, parse_local as parse_instant_local};

use place::{MAX_NESTING, Place, Step};
