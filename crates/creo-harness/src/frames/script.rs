//! Converts the notation of cases in `conformance/malformed/tcp*/*.json` into bytes; and the cases of `tcp`.

use crate::cases::entries;
use crate::repo;
use creo_inspect::ERROR_CODES;
use creo_model::Model;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::Value;
use std::io::Write;

/// What is sent, piece by piece.
#[derive(Clone, Debug)]
pub enum Piece {
    Bytes(Vec<u8>),
    /// Sends this many zero bytes.
    Zeros(u64),
    /// Reads this many answers before continuing.
    Wait(usize),
    /// Reads until credit arrives.
    Credit,
    /// Waits this many milliseconds.
    Pause(u64),
}

/// An expected frame. Missing members are not checked.
#[derive(Clone, Debug)]
pub struct Expected {
    pub kind: u8,
    /// Any of these call ids is accepted.
    pub calls: Vec<u32>,
    pub body: Option<Vec<u8>>,
    /// Any of these error numbers is accepted.
    pub codes: Vec<u8>,
    /// Texts that the error's message or details must contain.
    pub holds: Vec<String>,
    pub place: Option<String>,
}

#[derive(Debug)]
pub struct Case {
    pub name: String,
    pub send: Vec<Piece>,
    pub expect: Vec<Expected>,
    pub ordered: bool,
    /// The beginning of the answer if it is not a frame.
    pub text: Option<String>,
    /// Whether the service closes the connection; if not, a good call must succeed on it. Missing: both are accepted.
    pub closed: Option<bool>,
    /// Whether the client closes it right after sending.
    pub close: bool,
    pub drip: bool,
    /// Whether to use a port that accepts only the binary wire.
    pub tcp_only: bool,
    pub connections: usize,
    /// Answers for these call ids are optional, one for each, and ignored.
    pub ignore: Vec<u32>,
    /// Pongs are optional and ignored.
    pub ignore_pongs: bool,
}

const KINDS: [&str; 12] = [
    "",
    "request",
    "response",
    "exception",
    "error",
    "data",
    "cancel",
    "ping",
    "pong",
    "goodbye",
    "items",
    "credit",
];

pub fn code_name(number: u8) -> &'static str {
    ERROR_CODES.get(usize::from(number).wrapping_sub(1)).copied().unwrap_or("an unknown code")
}

pub fn load(model: &Model, only: &str) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for entry in entries("malformed/tcp", "cases")? {
        if entry.name.contains(only) {
            let case = read(model, entry.name.clone(), &entry.json);
            cases.push(case.map_err(|why| format!("{}: {why}", entry.name))?);
        }
    }
    Ok(cases)
}

fn read(model: &Model, name: String, case: &Value) -> Result<Case, String> {
    let mut send = Vec::new();
    for piece in items(&case["send"]) {
        send.push(read_piece(model, piece)?);
    }
    Ok(Case {
        name,
        send,
        expect: items(&case["expect"]).iter().map(read_expected).collect::<Result<_, _>>()?,
        ordered: case["ordered"] == true,
        text: case["text"].as_str().map(str::to_owned),
        closed: case["closed"].as_bool(),
        close: case["close"] == true,
        drip: case["drip"] == true,
        tcp_only: case["tcpOnly"] == true,
        connections: case["connections"].as_u64().map_or(1, |n| n as usize),
        ignore: items(&case["ignore"]).iter().filter_map(call_id).collect(),
        ignore_pongs: case["ignorePongs"] == true,
    })
}

pub fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub fn call_id(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|n| u32::try_from(n).ok())
}

/// One value, or a list of alternatives.
pub fn any(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values.clone(),
        Value::Null => Vec::new(),
        one => vec![one.clone()],
    }
}

fn read_expected(value: &Value) -> Result<Expected, String> {
    let kind = kind(&value["kind"])?;
    let codes = any(&value["code"])
        .iter()
        .map(|word| {
            ERROR_CODES
                .iter()
                .position(|c| word == c)
                .map(|n| n as u8 + 1)
                .ok_or_else(|| format!("no code {word}"))
        })
        .collect::<Result<_, _>>()?;
    let texts = any(&value["details"]).into_iter().chain(any(&value["message"]));
    Ok(Expected {
        kind,
        calls: any(&value["call"]).iter().filter_map(call_id).collect(),
        body: value["body"].as_str().map(repo::unhex).transpose()?,
        codes,
        holds: texts.filter_map(|t| t.as_str().map(str::to_owned)).collect(),
        place: value["place"].as_str().map(str::to_owned),
    })
}

pub fn kind(value: &Value) -> Result<u8, String> {
    match value {
        Value::Number(number) => {
            number.as_u64().and_then(|n| u8::try_from(n).ok()).ok_or_else(|| format!("no kind {number}"))
        }
        word => {
            KINDS.iter().position(|k| word == k).map(|n| n as u8).ok_or_else(|| format!("no kind {word}"))
        }
    }
}

fn read_piece(model: &Model, piece: &Value) -> Result<Piece, String> {
    if let Some(text) = piece.as_str() {
        let inside = text.strip_prefix('<').and_then(|t| t.strip_suffix('>')).unwrap_or_default();
        if let Some((word, number)) = inside.split_once(' ') {
            let number: u64 = number.parse().unwrap_or(0);
            match word {
                "zeros" => return Ok(Piece::Zeros(number)),
                "wait" => return Ok(Piece::Wait(number as usize)),
                "pause" => return Ok(Piece::Pause(number)),
                "pings" => {
                    return Ok(Piece::Bytes(
                        (0..number as u32).flat_map(|call| frame(7, 0, call, &[])).collect(),
                    ));
                }
                _ => {}
            }
        }
        if inside == "credit" {
            return Ok(Piece::Credit);
        }
        // Calls that are under way until the end of the connection: half a minute, or until their streams end.
        for (word, rest) in
            [(" sleeps", "<Trouble.sleep> 00000000 00007530"), (" sums", "<Streams.sum> 00000000")]
        {
            if let Some(count) = inside.strip_suffix(word).and_then(|n| n.parse().ok()) {
                return Ok(Piece::Bytes(requests(count, &substitute(model, rest)?)));
            }
        }
        return substitute(model, text).map(Piece::Bytes);
    }
    let rest = substitute(model, piece["rest"].as_str().unwrap_or_default())?;
    let flags = repo::unhex(piece["flags"].as_str().unwrap_or("00"))?;
    let call = call_id(&piece["call"]).ok_or("a frame without a call id")?;
    Ok(Piece::Bytes(frame(kind(&piece["frame"])?, flags[0], call, &rest)))
}

/// A frame including its length.
pub fn frame(kind: u8, flags: u8, call: u32, rest: &[u8]) -> Vec<u8> {
    let mut bytes = ((6 + rest.len()) as u32).to_be_bytes().to_vec();
    bytes.extend([kind, flags]);
    bytes.extend(call.to_be_bytes());
    bytes.extend(rest);
    bytes
}

/// The calls 1 to `count`.
fn requests(count: u32, rest: &[u8]) -> Vec<u8> {
    (1..=count).flat_map(|call| frame(1, 0, call, rest)).collect()
}

/// A count.
pub fn leb128(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// The count at the front, and what follows it.
pub fn split_count(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let size = bytes.iter().take(5).position(|byte| *byte < 128)? + 1;
    let count = bytes[..size].iter().rev().fold(0, |count, byte| count << 7 | usize::from(byte & 127));
    Some((count, &bytes[size..]))
}

/// `tick(index)`, with another number.
pub fn tick(index: i64, number: i64) -> Vec<u8> {
    let text = format!("tick {index}");
    let mut bytes = number.to_be_bytes().to_vec();
    bytes.extend(leb128(text.len()));
    bytes.extend(text.as_bytes());
    bytes.push(2);
    bytes.extend((index as f64).to_be_bytes());
    bytes.extend((index as f64 + 0.5).to_be_bytes());
    bytes
}

pub fn method_id(model: &Model, name: &str) -> Result<u64, String> {
    let (interface, method) = name.split_once('.').ok_or_else(|| format!("no method {name}"))?;
    model
        .interfaces
        .iter()
        .find(|i| i.name == interface)
        .and_then(|i| i.methods.iter().find(|m| m.name == method))
        .map(|m| m.id)
        .ok_or_else(|| format!("no method {name}"))
}

/// Hexadecimal digits with `<...>` in between.
pub fn substitute(model: &Model, text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        bytes.extend(repo::unhex(&rest[..start])?);
        let end = rest.find('>').ok_or_else(|| format!("no > in {text}"))?;
        let (word, argument) = rest[start + 1..end].split_once(' ').unwrap_or((&rest[start + 1..end], ""));
        match word {
            "preamble" => bytes.extend(repo::unhex("4352454f01000000")?),
            "zlib" => bytes.extend(zlib(&repo::unhex(argument)?)),
            "zlib-cut" => {
                let whole = zlib(&repo::unhex(argument)?);
                bytes.extend(&whole[..whole.len() - 6]);
            }
            "zlib-wrong" => {
                let mut wrong = zlib(&repo::unhex(argument)?);
                *wrong.last_mut().expect("a checksum") ^= 1;
                bytes.extend(wrong);
            }
            "zlib-zeros" => {
                let (first, count) =
                    argument.split_once(' ').ok_or_else(|| format!("no number in {text}"))?;
                let count: usize = count.parse().map_err(|_| format!("no number in {text}"))?;
                let mut whole = repo::unhex(first)?;
                whole.resize(whole.len() + count, 0);
                bytes.extend(zlib(&whole));
            }
            "ticks" => {
                let count: usize = argument.parse().map_err(|_| format!("no number in {text}"))?;
                bytes.extend(leb128(count));
                (0..count as i64).for_each(|index| bytes.extend(tick(index, index)));
            }
            "longs" => {
                let count: usize = argument.parse().map_err(|_| format!("no number in {text}"))?;
                bytes.extend(leb128(count));
                (0..count as u64).for_each(|number| bytes.extend(number.to_be_bytes()));
            }
            method => bytes.extend(method_id(model, method)?.to_be_bytes()),
        }
        rest = &rest[end + 1..];
    }
    bytes.extend(repo::unhex(rest)?);
    Ok(bytes)
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory does not fail")
}
