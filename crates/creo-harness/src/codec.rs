//! Talks to peers in the modes that decode and encode values, and to the compiler's encoder and decoder.

use crate::process::{Program, ask};
use crate::repo;
use creo_inspect::{Limits, Subject};
use creo_json::parse_json;
use creo_model::{Model, Type};
use serde_json::{Value, json};
use std::time::Duration;

/// A peer that needs longer for one line has hung.
const LIMIT: Duration = Duration::from_secs(60);

/// A wire with its own vectors of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    Binary,
    /// Single values as XML (XML-3).
    Xml,
    Json,
    /// Single values as tables (TDX-3).
    Tdxml,
}

impl Wire {
    pub const ALL: [Wire; 4] = [Wire::Binary, Wire::Xml, Wire::Json, Wire::Tdxml];

    /// The wires for which a naive writer can write any value.
    pub const TEXT: [Wire; 3] = [Wire::Xml, Wire::Json, Wire::Tdxml];

    /// The folder's name in `conformance/vectors` and `conformance/malformed`; for a text wire also the member with the input.
    pub fn folder(self) -> &'static str {
        match self {
            Wire::Binary => "binary",
            Wire::Xml => "xml",
            Wire::Json => "json",
            Wire::Tdxml => "tdxml",
        }
    }

    /// The naive second implementation, which checks the vectors.
    pub fn naive(self) -> &'static str {
        match self {
            Wire::Binary => "conformance/naive/encode.py",
            Wire::Xml => "conformance/naive/write_xml.py",
            Wire::Json => "conformance/naive/write_json.py",
            Wire::Tdxml => "conformance/naive/write_tdxml.py",
        }
    }

    /// The mode that reads this wire; its output may differ.
    pub fn mode(self) -> Mode {
        match self {
            Wire::Binary => Mode::Binary,
            Wire::Xml => Mode::Xml,
            Wire::Json => Mode::Json,
            Wire::Tdxml => Mode::Record,
        }
    }

    /// The bytes of a vector or case in hexadecimal: `bytes`, or the text in the member named after the wire.
    pub fn bytes(self, row: &Value) -> Option<String> {
        match (row["bytes"].as_str(), row[self.folder()].as_str()) {
            (Some(bytes), _) => Some(bytes.to_owned()),
            (None, Some(text)) if self != Wire::Binary => Some(repo::hex(text.as_bytes())),
            _ => None,
        }
    }
}

/// The mode of a peer: what it reads, and what it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Binary,
    Xml,
    Json,
    /// Reads any table, writes the record scheme.
    Record,
    /// Reads any table, writes the aggregated scheme.
    Aggregated,
    /// Reads any table, writes the record scheme with a schema.
    Schema,
}

impl Mode {
    pub const ALL: [Mode; 6] =
        [Mode::Binary, Mode::Xml, Mode::Json, Mode::Record, Mode::Aggregated, Mode::Schema];

    /// The forms of a table, with the members of a vector that contain them.
    pub const TABLES: [(Mode, &'static str); 3] =
        [(Mode::Record, "record"), (Mode::Aggregated, "aggregated"), (Mode::Schema, "schema")];

    /// The name of the mode for peers.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Binary => "codec",
            Mode::Xml => "soap",
            Mode::Json => "json",
            Mode::Record => "tdxml",
            Mode::Aggregated => "tdxml-aggregated",
            Mode::Schema => "tdxml-schema",
        }
    }
}

/// Bytes to decode as a type.
#[derive(Clone, Debug)]
pub struct Question {
    pub id: String,
    pub ty: String,
    pub bytes: String,
    /// LIM-18, unless it is the default.
    pub max_memory: Option<u64>,
}

impl Question {
    /// A question with the default limits.
    pub fn new(id: impl Into<String>, ty: &str, bytes: &str) -> Question {
        Question { id: id.into(), ty: ty.to_owned(), bytes: bytes.to_owned(), max_memory: None }
    }

    fn line(&self) -> String {
        let mut line = json!({"id": self.id, "type": self.ty, "bytes": self.bytes});
        if let Some(memory) = self.max_memory {
            line["maxMemory"] = memory.into();
        }
        line.to_string()
    }
}

/// The outcome of decoding.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The value, and its bytes when encoded again.
    Value {
        value: Value,
        bytes: String,
    },
    Error(Refusal),
}

/// An error of a peer.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: String,
    pub place: Option<String>,
    pub offset: Option<u64>,
    pub message: String,
    /// The exceeded limit and its value.
    pub limit: Option<(String, String)>,
}

/// Asks a peer. Returns one answer per question, in order; an `Err` is a failure of the peer, not of the bytes.
pub fn ask_peer(program: &Program, mode: Mode, questions: &[Question]) -> Vec<Result<Answer, String>> {
    let lines: Vec<String> = questions.iter().map(Question::line).collect();
    let answers = ask(&program.clone().arg(mode.name()), &lines, LIMIT);
    questions
        .iter()
        .zip(answers)
        .map(|(question, answer)| answer.and_then(|line| read_answer(question, &line)))
        .collect()
}

fn read_answer(question: &Question, line: &str) -> Result<Answer, String> {
    let shown = || crate::report::cut(line);
    let answer = parse_json(line).map_err(|e| format!("the answer is not JSON: {e:?}: {}", shown()))?;
    if answer["id"] != question.id.as_str() {
        return Err(format!("the answer is for another question: {}", shown()));
    }
    if let Some(code) = answer["error"].as_str() {
        let text = |name: &str| answer[name].as_str().map(str::to_owned);
        return Ok(Answer::Error(Refusal {
            code: code.to_owned(),
            place: text("place"),
            offset: answer["offset"].as_u64(),
            message: text("message").unwrap_or_default(),
            limit: text("limit").zip(text("allowed")),
        }));
    }
    match (answer.get("value"), answer["bytes"].as_str()) {
        (Some(value), Some(bytes)) => Ok(Answer::Value { value: value.clone(), bytes: bytes.to_owned() }),
        _ => Err(format!("the answer has neither an error nor value and bytes: {}", shown())),
    }
}

/// Asks the compiler's decoder and encoder (`creo inspect`).
pub fn ask_inspect(model: &Model, question: &Question) -> Result<Answer, String> {
    let id = model.find(&question.ty).ok_or_else(|| format!("no type {}", question.ty))?;
    let ty = Type::Named(id);
    let subject = Subject::Type(&ty);
    let limits = Limits { max_memory: question.max_memory, ..Limits::default() };
    match creo_inspect::decode(model, &subject, &repo::unhex(&question.bytes)?, &limits) {
        Ok(value) => {
            let bytes = creo_inspect::encode(model, &subject, &value, &limits)
                .map_err(|e| format!("what was decoded cannot be encoded: {e}"))?;
            Ok(Answer::Value { value, bytes: repo::hex(&bytes) })
        }
        Err(error) => Ok(Answer::Error(Refusal {
            code: error.code.word().to_owned(),
            place: Some(error.place),
            offset: Some(error.offset as u64),
            message: error.message,
            limit: None,
        })),
    }
}

impl Answer {
    /// One line for a failure report.
    pub fn shown(&self) -> String {
        match self {
            Answer::Value { value, bytes } => {
                crate::report::cut(&format!("the value {value}, which is {bytes} again"))
            }
            Answer::Error(Refusal { code, place, offset, message, .. }) => {
                format!(
                    "{code}: {message} (at {}, byte {})",
                    place.as_deref().unwrap_or("?"),
                    offset.map_or("?".to_owned(), |o| o.to_string())
                )
            }
        }
    }
}
