//! Cases of `conformance/malformed/tcp-client/*.json`: how a service treats a client's connection, and how the client's call must end.

use super::script::{any, call_id, frame, items, kind, substitute};
use crate::cases::entries;
use crate::repo;
use creo_model::Model;
use serde_json::Value;

/// A step of the played service.
#[derive(Clone, Debug)]
pub enum Step {
    /// Reads frames until a request is complete; it becomes the current call.
    Request,
    /// Reads frames until the current call is cancelled.
    Cancel,
    /// Reads frames until this many pongs have come on the connection.
    Pongs(usize),
    Bytes(Vec<u8>),
    /// Sends this many zero bytes.
    Zeros(u64),
    Frame {
        kind: u8,
        flags: u8,
        call: Id,
        rest: Vec<u8>,
    },
    Pings(u32),
    /// Repeats the steps this many times.
    Times(u64, Vec<Step>),
    /// Repeats the steps until the call has ended.
    Forever(Vec<Step>),
    /// Sends every byte of these steps separately.
    Drip(Vec<Step>),
    Pause(u64),
    /// Closes the connection.
    Close,
}

/// The call id of a frame.
#[derive(Clone, Copy, Debug)]
pub enum Id {
    /// The call id of the last request read.
    Asked,
    /// An unused call id.
    Other,
    Number(u32),
}

/// How a call may end. Missing members are not checked.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The result as text, or the exception's name.
    pub value: Option<String>,
    pub exception: Option<String>,
    pub code: Option<String>,
    pub place: Option<String>,
    /// What the place begins with.
    pub within: Option<String>,
    pub offset: Option<u64>,
    /// Texts that the error's message must contain.
    pub holds: Vec<String>,
    /// Texts that it must not contain.
    pub lacks: Vec<String>,
    /// Texts that its details must contain, by key; `None`: the detail must be absent.
    pub details: Vec<(String, Option<String>)>,
    pub from_peer: Option<bool>,
    /// The exceeded limit and its value (LIM-2).
    pub limit: Option<String>,
    pub allowed: Option<String>,
    /// The numbers of the items that came before the end of a stream, with commas between them.
    pub items: Option<String>,
}

#[derive(Debug)]
pub struct AnswerCase {
    pub name: String,
    /// The called method, one known to a peer's `probe` mode.
    pub call: String,
    /// Whether bodies are tables (TDX-52); otherwise they are of the binary wire.
    pub tables: bool,
    pub deadline_ms: u64,
    pub max_message_size: Option<u64>,
    pub connect_timeout_ms: Option<u64>,
    pub serve: Vec<Step>,
    /// This many connections follow the script; later ones behave well.
    pub connections: usize,
    /// Any of these is accepted.
    pub outcome: Vec<Outcome>,
    /// For clients that do not announce support for compressed bodies.
    pub outcome_without_compression: Vec<Outcome>,
    /// Whether the client closes the connection; if not, the next call uses it. Missing: both are accepted.
    pub closed: Option<bool>,
    /// The next call uses another connection, whichever side closes the first.
    pub another: bool,
    /// Whether data after the answer may make the next call fail once.
    pub unsettled: bool,
    /// What the client's hook for raw messages is to be shown (CALL-60); null for no hook.
    pub shown: Value,
}

impl AnswerCase {
    /// Whether the result of the method that is called is a stream.
    pub fn reads_items(&self) -> bool {
        ["ticks", "stopping"].contains(&self.call.as_str())
    }
}

/// The metadata that a client sends with a call whose messages are shown.
pub const SECRET_METADATA: [(&str, &str); 2] = [("authorization", "Bearer hunter2"), ("my-token", "hunter2")];

pub fn load_answers(model: &Model, only: &str) -> Result<Vec<AnswerCase>, String> {
    let mut cases = Vec::new();
    for entry in entries("malformed/tcp-client", "cases")? {
        if entry.name.contains(only) {
            let case = read(model, entry.name.clone(), &entry.json);
            cases.push(case.map_err(|why| format!("{}: {why}", entry.name))?);
        }
    }
    Ok(cases)
}

fn read(model: &Model, name: String, case: &Value) -> Result<AnswerCase, String> {
    let outcome: Vec<Outcome> = any(&case["outcome"]).iter().map(read_outcome).collect::<Result<_, _>>()?;
    if outcome.is_empty() {
        return Err("no outcome".to_owned());
    }
    Ok(AnswerCase {
        name,
        call: case["call"].as_str().unwrap_or("add").to_owned(),
        tables: match &case["wire"] {
            Value::Null => false,
            wire if wire == "tdxml" => true,
            wire => return Err(format!("the wires of these cases are the binary one and tdxml, not {wire}")),
        },
        deadline_ms: case["deadline"].as_u64().unwrap_or(20_000),
        max_message_size: case["maxMessageSize"].as_u64(),
        connect_timeout_ms: case["connectTimeout"].as_u64(),
        serve: steps(model, &case["serve"])?,
        connections: case["connections"].as_u64().map_or(1, |n| n as usize),
        outcome,
        outcome_without_compression: any(&case["outcomeWithoutCompression"])
            .iter()
            .map(read_outcome)
            .collect::<Result<_, _>>()?,
        closed: case["closed"].as_bool(),
        another: case["another"] == true,
        unsettled: case["unsettled"] == true,
        shown: case["shown"].clone(),
    })
}

/// Parses one outcome of a case.
pub fn read_outcome(value: &Value) -> Result<Outcome, String> {
    let text = |name: &str| value[name].as_str().map(str::to_owned);
    let outcome = Outcome {
        value: text("value"),
        exception: text("exception"),
        code: text("error"),
        place: text("place"),
        within: text("within"),
        offset: value["offset"].as_u64(),
        holds: any(&value["message"]).iter().filter_map(|t| t.as_str().map(str::to_owned)).collect(),
        lacks: any(&value["lacks"]).iter().filter_map(|t| t.as_str().map(str::to_owned)).collect(),
        details: value["details"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, text)| (key.clone(), text.as_str().map(str::to_owned)))
            .collect(),
        from_peer: value["fromPeer"].as_bool(),
        limit: text("limit"),
        allowed: text("allowed"),
        items: text("items"),
    };
    if outcome.value.is_none() && outcome.exception.is_none() && outcome.code.is_none() {
        return Err(format!("{value} is no outcome"));
    }
    Ok(outcome)
}

fn steps(model: &Model, value: &Value) -> Result<Vec<Step>, String> {
    items(value).iter().map(|step| read_step(model, step)).collect()
}

fn read_step(model: &Model, step: &Value) -> Result<Step, String> {
    let Some(text) = step.as_str() else {
        return read_object(model, step);
    };
    let inside = text.strip_prefix('<').and_then(|t| t.strip_suffix('>')).unwrap_or_default();
    let (word, number) = inside.split_once(' ').unwrap_or((inside, ""));
    let number = number.parse::<u64>();
    Ok(match (word, number) {
        ("request", _) => Step::Request,
        ("cancel", _) => Step::Cancel,
        ("close", _) => Step::Close,
        ("pongs", Ok(n)) => Step::Pongs(n as usize),
        ("pings", Ok(n)) => Step::Pings(n as u32),
        ("zeros", Ok(n)) => Step::Zeros(n),
        ("pause", Ok(n)) => Step::Pause(n),
        _ => Step::Bytes(substitute(model, text)?),
    })
}

fn read_object(model: &Model, step: &Value) -> Result<Step, String> {
    if !step["forever"].is_null() {
        return Ok(Step::Forever(steps(model, &step["forever"])?));
    }
    if !step["drip"].is_null() {
        return Ok(Step::Drip(steps(model, &step["drip"])?));
    }
    if let Some(times) = step["times"].as_u64() {
        return Ok(Step::Times(times, steps(model, &step["steps"])?));
    }
    let call = match &step["call"] {
        Value::Null => Id::Asked,
        Value::String(word) if word == "other" => Id::Other,
        number => Id::Number(call_id(number).ok_or_else(|| format!("no call id {number}"))?),
    };
    let flags = repo::unhex(step["flags"].as_str().unwrap_or("00"))?;
    let rest = substitute(model, step["rest"].as_str().unwrap_or_default())?;
    Ok(Step::Frame { kind: kind(&step["frame"])?, flags: flags[0], call, rest })
}

impl Step {
    /// The bytes that a step sends, if any.
    pub fn bytes(&self, asked: u32) -> Option<Vec<u8>> {
        match self {
            Step::Bytes(bytes) => Some(bytes.clone()),
            Step::Frame { kind, flags, call, rest } => {
                let call = match call {
                    Id::Asked => asked,
                    Id::Other => asked.wrapping_add(1_000_000),
                    Id::Number(number) => *number,
                };
                Some(frame(*kind, *flags, call, rest))
            }
            Step::Pings(count) => Some((0..*count).flat_map(|id| frame(7, 0, id, &[])).collect()),
            Step::Zeros(count) => Some(vec![0; *count as usize]),
            Step::Request
            | Step::Cancel
            | Step::Pongs(_)
            | Step::Times(..)
            | Step::Forever(_)
            | Step::Drip(_)
            | Step::Pause(_)
            | Step::Close => None,
        }
    }
}
