//! Whole messages over TCP: preamble, frames, chains, metadata, errors (`spec/transports/tcp.md`).

use crate::annotate::{Item, Section};
use crate::decode::{annotate_error, annotate_items, annotate_metadata};
use crate::envelope::READS_METADATA;
use crate::frames::{COMPRESSED, Kind, METADATA, MORE, READS_COMPRESSED, flag_words, foreign_protocol};
use crate::part::{Part, raw, wire_error};
use crate::reader::bytes as bytes_text;
use crate::{Code, Limits, Subject, WireError};
use creo_model::{Interface, Method, Model};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A message that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// `request`, `response`, `exception`, `error`, `cancel`, `ping`, `pong`, `goodbye`, `items`, `credit`.
    pub kind: &'static str,
    pub call: u32,
    /// Interface and method, if known.
    pub method: Option<String>,
    /// For a request with a deadline: milliseconds left.
    pub milliseconds: Option<u32>,
    pub metadata: Map<String, Value>,
    /// The body, if its method is known; the bytes of a credit.
    pub value: Option<Value>,
}

/// A part of one connection: annotated bytes and the messages in them. After a mistake, what came before it is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    pub sections: Vec<Section>,
    pub messages: Vec<Message>,
}

impl Conversation {
    /// The mistake that ended reading, and those in single bodies, which do not end the connection (TCP-11).
    pub fn mistakes(&self) -> impl Iterator<Item = &WireError> {
        self.sections.iter().filter_map(|section| section.mistake.as_ref().map(|(_, error)| error))
    }
}

/// The side that sent some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    Client,
    Service,
}

/// Reads what one side sent, or what both sent in sequence: answers then belong to the earlier requests. Other answers belong to `method`.
/// The bytes may start with a preamble or with a frame.
pub fn read_stream(
    model: &Model,
    bytes: &[u8],
    method: Option<&Method>,
    limits: &Limits,
    shown: usize,
) -> Conversation {
    read(model, bytes, None, method, limits, shown)
}

/// Like [`read_stream`], of what one side sent: it decides which stream of a method with two some items belong to.
pub fn read_side(
    model: &Model,
    bytes: &[u8],
    from: From,
    method: &Method,
    limits: &Limits,
    shown: usize,
) -> Conversation {
    read(model, bytes, Some(from), Some(method), limits, shown)
}

fn read(
    model: &Model,
    bytes: &[u8],
    from: Option<From>,
    method: Option<&Method>,
    limits: &Limits,
    shown: usize,
) -> Conversation {
    let mut stream = Stream {
        model,
        bytes,
        limits,
        shown,
        from,
        asked: false,
        hint: method,
        at: 0,
        tables: false,
        calls: BTreeMap::new(),
        chain: None,
        found: Conversation::default(),
    };
    stream.read();
    stream.found
}

pub(crate) struct Stream<'a> {
    pub(crate) model: &'a Model,
    bytes: &'a [u8],
    pub(crate) limits: &'a Limits,
    pub(crate) shown: usize,
    pub(crate) from: Option<From>,
    /// Whether a request came after the last preamble, so that a client sends.
    pub(crate) asked: bool,
    pub(crate) hint: Option<&'a Method>,
    at: usize,
    /// Whether the bodies are tables instead of the binary wire.
    tables: bool,
    /// Methods of the requests so far, by call id.
    pub(crate) calls: BTreeMap<u32, &'a Method>,
    chain: Option<Chain<'a>>,
    pub(crate) found: Conversation,
}

/// A body with frames still to come (TCP-6).
struct Chain<'a> {
    kind: Kind,
    compressed: bool,
    frames: usize,
    body: Vec<u8>,
    method: Option<&'a Method>,
    message: Message,
}

impl<'a> Stream<'a> {
    fn read(&mut self) {
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            // A frame's length cannot read "CREO", which is far above any limit.
            let go_on = if rest.starts_with(b"CREO") {
                self.preamble(rest)
            } else if self.at == 0 && foreign_protocol(rest).is_some() {
                self.foreign(rest)
            } else {
                self.frame(rest)
            };
            if !go_on {
                return;
            }
        }
        if let Some(chain) = self.chain.take() {
            let message = format!("the chain of call {} is not finished", chain.message.call);
            let part =
                Part::new(&self.bytes[self.at..], self.at, format!("body of {}", describe(&chain.message)));
            self.push(part.ended(0, Code::Malformed, message));
        }
    }

    pub(crate) fn push(&mut self, section: Section) -> bool {
        let fine = section.mistake.is_none();
        self.found.sections.push(section);
        fine
    }

    fn foreign(&mut self, rest: &'a [u8]) -> bool {
        let name = foreign_protocol(rest).unwrap_or("unknown");
        let part = Part::new(&rest[..rest.len().min(16)], self.at, "no preamble".to_owned());
        self.push(part.ended(0, Code::ProtocolMismatch, format!("the bytes look like {name}, not like Creo")))
    }

    /// TCP-1
    fn preamble(&mut self, rest: &'a [u8]) -> bool {
        let mut part = Part::new(&rest[..rest.len().min(8)], self.at, "preamble".to_owned());
        if rest.len() < 8 {
            let end = rest.len();
            return self.push(part.ended(
                end,
                Code::Malformed,
                "the bytes end within the preamble".to_owned(),
            ));
        }
        part.note(4, "protocol", "letters", "CREO".into());
        part.note(1, "version", "u8", rest[4].into());
        if rest[4] != 1 {
            return self.push(part.ended(4, Code::ProtocolMismatch, format!("version {} of Creo", rest[4])));
        }
        part.note(
            1,
            "abilities",
            "u8",
            match rest[5] & (READS_COMPRESSED | READS_METADATA) {
                0 => "none".into(),
                READS_COMPRESSED => "reads compressed bodies".into(),
                READS_METADATA => "reads metadata of answers".into(),
                _ => "reads compressed bodies, metadata of answers".into(),
            },
        );
        let wire = match rest[6] {
            0 => "binary",
            1 => "tdxml",
            other => {
                return self.push(part.ended(
                    6,
                    Code::ProtocolMismatch,
                    format!("the wire {other}, where there are 0, the binary wire, and 1, tdxml"),
                ));
            }
        };
        part.note(1, "wire", "u8", wire.into());
        part.note(1, "zero", "u8", rest[7].into());
        // The client chooses; the server writes 0 there.
        self.tables |= rest[6] == 1;
        self.asked = false;
        self.at += 8;
        self.push(part.done())
    }

    /// Reads one frame (TCP-5). `false`: the next frame's start is unknown.
    fn frame(&mut self, rest: &'a [u8]) -> bool {
        if rest.len() < 10 {
            let part = Part::new(rest, self.at, "frame".to_owned());
            return self.push(part.ended(
                rest.len(),
                Code::Malformed,
                "the bytes end within the head of a frame".to_owned(),
            ));
        }
        let number = |at: usize| u32::from_be_bytes(rest[at..at + 4].try_into().expect("four bytes"));
        let (length, call) = (number(0) as usize, number(6));
        let here = rest.len().min(length.saturating_add(4));
        let kind = Kind::from_number(rest[4]);
        let title = format!("{} frame, call {call}", kind.map_or("unknown", Kind::word));
        let mut part = Part::new(&rest[..here.max(10)], self.at, title);
        part.note(4, "length", "u32", length.into());
        if length > 0x7fff_ffff {
            return self.push(part.ended(0, Code::TooLarge, "a frame of 2^31 bytes or more".to_owned()));
        }
        let Some(kind) = kind else {
            return self.push(part.ended(4, Code::Malformed, format!("{} is no kind of frame", rest[4])));
        };
        if length < kind.least_length() {
            return self.push(part.ended(
                0,
                Code::Malformed,
                format!("a {} frame has a length of {} or more", kind.word(), kind.least_length()),
            ));
        }
        part.note(1, "kind", "u8", kind.word().into());
        let flags = rest[5];
        if flags & !kind.flags() != 0 {
            return self.push(part.ended(
                5,
                Code::Malformed,
                format!("flags {flags:02x} on a {} frame", kind.word()),
            ));
        }
        part.note(1, "flags", "u8", flag_words(flags).into());
        part.note(4, "call", "u32", call.into());
        if kind == Kind::Error && call == 0 && flags & METADATA != 0 {
            let message = "an error about the connection has no metadata".to_owned();
            return self.push(part.ended(5, Code::Malformed, message));
        }
        if let Some((at, message)) = self.out_of_order(kind, call, length) {
            return self.push(part.ended(at, Code::Malformed, message));
        }
        self.at += here;
        let missing = length + 4 - here;
        if missing > 0 && !kind.has_body() || here < kind.least_length() + 4 {
            return self.push(part.ended(
                here,
                Code::Malformed,
                format!("the bytes end {} before the frame does", bytes_text(missing)),
            ));
        }
        if !kind.has_body() {
            if kind == Kind::Cancel && self.chain.as_ref().is_some_and(|chain| chain.message.call == call) {
                self.chain = None;
            }
            let mut message = Message::new(kind, call);
            if kind == Kind::Credit {
                let bytes = number(10);
                part.note(4, "bytes", "u32", bytes.into());
                if bytes == 0 || bytes > 0x7fff_ffff {
                    let message = format!("a credit of {bytes} bytes, where there are 1 to 2^31 - 1");
                    return self.push(part.ended(10, Code::Malformed, message));
                }
                message.value = Some(bytes.into());
            }
            self.found.messages.push(message);
            return self.push(part.done());
        }
        if kind == Kind::Items {
            return self.items_frame(part, flags, call, missing);
        }
        self.asked |= kind == Kind::Request;
        self.body(part, kind, flags, call, missing)
    }

    /// The byte and reason if the frame is not allowed here (TCP-5, TCP-6, TCP-9).
    fn out_of_order(&self, kind: Kind, call: u32, length: usize) -> Option<(usize, String)> {
        if !kind.has_body() && length > kind.least_length() {
            let (least, word) = (kind.least_length(), kind.word());
            return Some((
                least + 4,
                format!("{} after the end of a {word} frame", bytes_text(length - least)),
            ));
        }
        if kind.may_interrupt() {
            return None;
        }
        match &self.chain {
            None if kind == Kind::Data => Some((4, "a data frame without a chain".to_owned())),
            Some(chain) if kind != Kind::Data || chain.message.call != call => Some((
                4,
                format!(
                    "a {} frame of call {call} within the chain of call {}",
                    kind.word(),
                    chain.message.call
                ),
            )),
            _ => (call == 0 && kind == Kind::Request).then(|| (6, "a request with the call id 0".to_owned())),
        }
    }

    fn body(&mut self, mut part: Part<'a>, kind: Kind, flags: u8, call: u32, missing: usize) -> bool {
        let mut chain = match self.chain.take() {
            Some(chain) => chain,
            None => {
                let method = if kind == Kind::Request {
                    let id = u64::from_be_bytes(part.bytes[10..18].try_into().expect("eight bytes"));
                    find_method(self.model, id)
                } else {
                    let asked = self.calls.get(&call).copied().or(self.hint);
                    asked.and_then(|m| find_method(self.model, m.id).or(Some((None, m))))
                };
                let mut message = Message::new(kind, call);
                message.method = method.map(|(interface, m)| {
                    interface
                        .map_or(m.name.clone(), |i| format!("{}.{}", self.model.interface_name(i), m.name))
                });
                Chain {
                    kind,
                    compressed: flags & COMPRESSED != 0,
                    frames: 0,
                    body: Vec::new(),
                    method: method.map(|(_, m)| m),
                    message,
                }
            }
        };
        if let Err((at, error)) = self.before_body(&mut part, &mut chain, kind, flags, missing) {
            return self.push(part.failed(at, error));
        }
        chain.frames += 1;
        let start = part.at;
        let bytes = &part.bytes[start..];
        if chain.body.len() + bytes.len() + missing > self.limits.max_message_size {
            let message = format!(
                "a body of {} bytes, and maxMessageSize is {}",
                chain.body.len() + bytes.len() + missing,
                self.limits.max_message_size
            );
            return self.push(part.ended(start, Code::TooLarge, message));
        }
        if missing > 0 {
            if chain.frames == 1 && !chain.compressed {
                let (items, _) = self.items(&chain, bytes);
                part.inline(items, start);
            }
            let end = part.bytes.len();
            return self.push(part.ended(
                end,
                Code::Malformed,
                format!("the bytes end {} before the frame does", bytes_text(missing)),
            ));
        }
        if flags & MORE == 0 && chain.frames == 1 && !chain.compressed {
            let (items, outcome) = self.items(&chain, bytes);
            part.inline(items, start);
            let section = match outcome {
                Ok(value) => {
                    chain.message.value = value;
                    part.done()
                }
                Err(error) => part.failed(start + error.offset.min(bytes.len()), error),
            };
            // A mistake in a body concerns one call: the frames after it can be read (TCP-11).
            self.push(section);
            self.finish(chain);
            return true;
        }
        part.part_of_body(chain.frames);
        chain.body.extend(bytes);
        self.push(part.done());
        if flags & MORE != 0 {
            self.chain = Some(chain);
            return true;
        }
        self.whole_chain(chain);
        true
    }

    /// The assembled and decompressed body of a chain, as a separate section.
    fn whole_chain(&mut self, mut chain: Chain<'a>) {
        let mut title = format!(
            "body of {}, from {} frame{}",
            describe(&chain.message),
            chain.frames,
            if chain.frames == 1 { "" } else { "s" }
        );
        let mut bytes = std::mem::take(&mut chain.body);
        if chain.compressed {
            title.push_str(", inflated");
            match decompress_to_vec_zlib_with_limit(&bytes, self.limits.max_message_size) {
                Ok(inflated) => bytes = inflated,
                Err(error) => {
                    let too_large = error.status == miniz_oxide::inflate::TINFLStatus::HasMoreOutput;
                    let (code, message) = if too_large {
                        (
                            Code::TooLarge,
                            format!(
                                "inflates to more than maxMessageSize, which is {}",
                                self.limits.max_message_size
                            ),
                        )
                    } else {
                        (Code::Malformed, "not a zlib stream".to_owned())
                    };
                    let error = WireError { code, place: "$".to_owned(), offset: 0, message };
                    self.push(Section {
                        title,
                        bytes,
                        base: 0,
                        items: Vec::new(),
                        mistake: Some((0, error)),
                    });
                    self.finish(chain);
                    return;
                }
            }
        }
        let (items, outcome) = self.items(&chain, &bytes);
        let mistake = match outcome {
            Ok(value) => {
                chain.message.value = value;
                None
            }
            Err(error) => Some((error.offset.min(bytes.len()), error)),
        };
        self.push(Section { title, bytes, base: 0, items, mistake });
        self.finish(chain);
    }

    fn finish(&mut self, chain: Chain<'a>) {
        if let (Kind::Request, Some(method)) = (chain.kind, chain.method) {
            self.calls.insert(chain.message.call, method);
        }
        self.found.messages.push(chain.message);
    }

    /// What stands before the body of a frame.
    fn before_body(
        &self,
        part: &mut Part<'a>,
        chain: &mut Chain<'a>,
        kind: Kind,
        flags: u8,
        missing: usize,
    ) -> Result<(), (usize, WireError)> {
        if kind == Kind::Request {
            self.request_head(part, chain)?;
        }
        if flags & METADATA == 0 { Ok(()) } else { self.metadata(part, chain, missing) }
    }

    /// Method id and time left (TCP-12).
    fn request_head(&self, part: &mut Part<'a>, chain: &mut Chain<'a>) -> Result<(), (usize, WireError)> {
        let id = &part.bytes[10..18];
        let name = chain.message.method.clone().unwrap_or_else(|| "unknown".to_owned());
        let hex: String = id.iter().map(|b| format!("{b:02x}")).collect();
        let left = u32::from_be_bytes(part.bytes[18..22].try_into().expect("four bytes"));
        part.note(8, "method", "u64", format!("{hex} {name}").into());
        part.note(4, "milliseconds left", "u32", if left == 0 { "no deadline".into() } else { left.into() });
        chain.message.milliseconds = (left > 0).then_some(left);
        if chain.method.is_none() {
            return Err((
                10,
                wire_error(Code::UnknownMethod, 10, format!("no method of the description has the id {hex}")),
            ));
        }
        Ok(())
    }

    /// TCP-17, TCP-23
    fn metadata(
        &self,
        part: &mut Part<'a>,
        chain: &mut Chain<'a>,
        missing: usize,
    ) -> Result<(), (usize, WireError)> {
        let start = part.at;
        let (items, outcome) = annotate_metadata(self.model, &part.bytes[start..], self.limits, self.shown);
        part.inline(items, start);
        let (pairs, size) = outcome.map_err(|mut error| {
            if missing > 0 {
                error.message.push_str(", and the frame is not complete");
            }
            (start + error.offset, error)
        })?;
        part.at = start + size;
        let refuse = |code, message: String| {
            (start, WireError { code, place: "$metadata".to_owned(), offset: 0, message })
        };
        if pairs.len() > 64 {
            return Err(refuse(
                Code::TooLarge,
                format!("{} pairs of metadata, and 64 are allowed", pairs.len()),
            ));
        }
        if size > self.limits.max_metadata_size {
            return Err(refuse(
                Code::TooLarge,
                format!("{size} bytes of metadata, and maxMetadataSize is {}", self.limits.max_metadata_size),
            ));
        }
        let wrong = |key: &&String| {
            !(1..=64).contains(&key.len())
                || key
                    .bytes()
                    .any(|b| !(b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'.' || b == b'-'))
        };
        if let Some(key) = pairs.keys().find(wrong) {
            return Err(refuse(Code::Malformed, format!("{key:?} is no key of metadata")));
        }
        chain.message.metadata = pairs;
        Ok(())
    }

    /// The items of a body, and its value if the method is known.
    fn items(&self, chain: &Chain<'a>, bytes: &[u8]) -> (Vec<Item>, Result<Option<Value>, WireError>) {
        let subject = match (chain.kind, chain.method) {
            (Kind::Error, _) => {
                let (items, outcome) = annotate_error(self.model, bytes, self.limits, self.shown);
                return (items, outcome.map(Some));
            }
            // The document unchanged: its rows are text and explain themselves.
            _ if self.tables => {
                return (
                    vec![raw(0, bytes.len(), "document of the tdxml wire")],
                    Ok(str::from_utf8(bytes).ok().map(Value::from)),
                );
            }
            (Kind::Request, Some(method)) => Subject::Request(method),
            (Kind::Response, Some(method)) => Subject::Response(method),
            (Kind::Exception, Some(method)) => Subject::Exception(method),
            _ => {
                let item = raw(0, bytes.len(), "body of a method that is not known");
                return (if bytes.is_empty() { Vec::new() } else { vec![item] }, Ok(None));
            }
        };
        let (items, outcome) = annotate_items(self.model, &subject, bytes, self.limits, self.shown);
        (items, outcome.map(Some))
    }
}

impl Message {
    pub(crate) fn new(kind: Kind, call: u32) -> Message {
        Message {
            kind: kind.word(),
            call,
            method: None,
            milliseconds: None,
            metadata: Map::new(),
            value: None,
        }
    }
}

fn describe(message: &Message) -> String {
    format!("the {} of call {}", message.kind, message.call)
}

pub(crate) fn find_method(model: &Model, id: u64) -> Option<(Option<&Interface>, &Method)> {
    model
        .interfaces
        .iter()
        .flat_map(|i| i.methods.iter().map(move |m| (Some(i), m)))
        .find(|(_, m)| m.id == id)
}
