//! Frames as data: what a case sends, and what must come back. The notation is described in `conformance/README.md`.

mod answers;
mod connection;
mod player;
mod script;

pub use answers::{AnswerCase, Outcome, load_answers, read_outcome};
pub use connection::{Connection, Frame, Missing};
pub use player::Player;
pub use script::{Case, Expected, Piece, code_name, load, method_id};

/// The body of an answer as text, for looking up words in it and for showing it.
pub fn frame_body_text(frame: &Frame) -> String {
    String::from_utf8_lossy(&frame.rest).into_owned()
}
