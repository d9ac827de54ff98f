//! Puts a body into a frame.

use crate::encode::write_count;
use crate::frames::{END, Kind, METADATA, MORE};
use creo_model::Method;

/// The first bytes from each side (TCP-1); compressed bodies are accepted.
pub const PREAMBLE: [u8; 8] = *b"CREO\x01\x01\x00\x00";

/// The ability of a client that reads metadata of answers (TCP-23), in the sixth byte of its preamble.
pub const READS_METADATA: u8 = 0x02;

/// The envelope of a message's body.
#[derive(Clone, Copy, Debug)]
pub enum Envelope<'a> {
    Request {
        method: &'a Method,
        milliseconds: u32,
        metadata: &'a [(String, String)],
    },
    Response,
    Exception,
    /// Of a stream; `end` goes with a client's last items.
    Items {
        end: bool,
    },
}

/// Puts a body into one frame, uncompressed.
///
/// # Panics
/// If the frame would be longer than TCP-7 allows; a body's limit (LIM-1) is far lower.
pub fn frame(envelope: &Envelope<'_>, call: u32, body: &[u8]) -> Vec<u8> {
    let mut out = vec![0; 4];
    match envelope {
        Envelope::Request { method, milliseconds, metadata } => {
            out.extend([Kind::Request.number(), if metadata.is_empty() { 0 } else { METADATA }]);
            out.extend(call.to_be_bytes());
            out.extend(method.id.to_be_bytes());
            out.extend(milliseconds.to_be_bytes());
            if !metadata.is_empty() {
                write_count(&mut out, metadata.len());
                for text in metadata.iter().flat_map(|(key, value)| [key, value]) {
                    write_count(&mut out, text.len());
                    out.extend(text.as_bytes());
                }
            }
        }
        Envelope::Response | Envelope::Exception | Envelope::Items { .. } => {
            let (kind, flags) = match envelope {
                Envelope::Items { end } => (Kind::Items, if *end { END } else { 0 }),
                Envelope::Exception => (Kind::Exception, 0),
                Envelope::Request { .. } | Envelope::Response => (Kind::Response, 0),
            };
            out.extend([kind.number(), flags]);
            out.extend(call.to_be_bytes());
        }
    }
    out.extend(body);
    let length = i32::try_from(out.len() - 4).expect("a frame below 2^31 bytes");
    out[..4].copy_from_slice(&length.to_be_bytes());
    out
}

/// The size of a frame's head: length, kind, flags and call id.
pub const FRAME_HEAD: usize = 10;

/// What a reader of a connection needs to find the end of a frame and of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHead {
    /// The length after the length field itself.
    pub length: usize,
    /// The kind's word; `None` if the kind does not exist.
    pub kind: Option<&'static str>,
    /// Whether the message continues in another frame.
    pub more: bool,
    pub call: u32,
}

impl FrameHead {
    pub fn read(bytes: &[u8; FRAME_HEAD]) -> FrameHead {
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        FrameHead {
            length: number(0) as usize,
            kind: Kind::from_number(bytes[4]).map(Kind::word),
            more: bytes[5] & MORE != 0,
            call: number(6),
        }
    }
}

/// A frame without content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    Cancel,
    Ping,
    Pong,
}

/// The bytes of a frame without body.
pub fn control(control: Control, call: u32) -> Vec<u8> {
    let kind = match control {
        Control::Cancel => Kind::Cancel,
        Control::Ping => Kind::Ping,
        Control::Pong => Kind::Pong,
    };
    let mut out = vec![0, 0, 0, 6, kind.number(), 0];
    out.extend(call.to_be_bytes());
    out
}

/// A credit frame (TCP-32).
pub fn credit(call: u32, bytes: u32) -> Vec<u8> {
    let mut out = vec![0, 0, 0, 10, Kind::Credit.number(), 0];
    out.extend(call.to_be_bytes());
    out.extend(bytes.to_be_bytes());
    out
}
