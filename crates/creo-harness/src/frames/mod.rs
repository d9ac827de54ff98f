//! Frames as data: what a case sends, and the expected answers. `conformance/README.md` describes the notation.

use std::io::{Read, Result, Write};

mod answers;
mod connection;
mod player;
mod script;

pub use answers::{AnswerCase, Outcome, SECRET_METADATA, Step, load_answers, read_outcome};
pub use connection::{Connection, Frame, Missing};
pub use player::Player;
pub use script::{Case, Expected, Piece, code_name, frame, leb128, load, method_id, split_count, tick};

/// Takes the preamble of a client, and sends that of a host.
pub fn greet(stream: &mut (impl Read + Write)) -> Result<()> {
    stream.read_exact(&mut [0; 8])?;
    stream.write_all(b"CREO\x01\0\0\0")
}

/// The next frame, from its kind on.
pub fn read_frame(stream: &mut impl Read) -> Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut frame = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut frame)?;
    Ok(frame)
}

/// The body of an answer as text, for searching and displaying it.
pub fn frame_body_text(frame: &Frame) -> String {
    String::from_utf8_lossy(&frame.rest).into_owned()
}
