//! Puts a body into a frame.

use crate::encode::write_count;
use crate::frames::{Kind, METADATA};
use creo_model::Method;

/// What each side sends first (TCP-1), with the ability to read compressed bodies.
pub const PREAMBLE: [u8; 8] = *b"CREO\x01\x01\x00\x00";

/// What goes around the body of one message.
#[derive(Clone, Copy, Debug)]
pub enum Envelope<'a> {
    Request { method: &'a Method, milliseconds: u32, metadata: &'a [(String, String)] },
    Response,
    Exception,
}

/// Puts a body into one frame, uncompressed.
///
/// # Panics
/// If the frame would be longer than TCP-7 allows: the limit of a body (LIM-1) is far below.
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
        Envelope::Response | Envelope::Exception => {
            let kind = if matches!(envelope, Envelope::Response) { Kind::Response } else { Kind::Exception };
            out.extend([kind.number(), 0]);
            out.extend(call.to_be_bytes());
        }
    }
    out.extend(body);
    let length = i32::try_from(out.len() - 4).expect("a frame below 2^31 bytes");
    out[..4].copy_from_slice(&length.to_be_bytes());
    out
}
