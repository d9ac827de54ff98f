//! Frames as data: what a case sends, and the expected answers. `conformance/README.md` describes the notation.

mod answers;
mod connection;
mod player;
mod script;

pub use answers::{AnswerCase, Outcome, load_answers, read_outcome};
pub use connection::{Connection, Frame, Missing};
pub use player::Player;
pub use script::{Case, Expected, Piece, code_name, frame, leb128, load, method_id, split_count, tick};

/// The body of an answer as text, for searching and displaying it.
pub fn frame_body_text(frame: &Frame) -> String {
    String::from_utf8_lossy(&frame.rest).into_owned()
}
