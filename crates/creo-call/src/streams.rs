//! A call with streams, over TCP (`spec/transports/tcp.md`, section 4).
//!
//! One thread reads the connection, one waits for the program's items, and the caller's does everything else: it gets all that happens from
//! one queue.

use crate::called::{Answer, Called, Options, Side, Trace};
use crate::duplex::{Duplex, Heard};
use crate::error::CallError;
use crate::link::first_bytes_until;
use crate::source::{Asked, Event, Events, Streams, of_item};
use crate::target::Target;
use crate::tcp::{CALL, End, FRAME_EXTRA, MAX_FRAMES, open, preamble, understood};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use creo_inspect::{
    Control, Conversation, Envelope, FRAME_HEAD, FrameHead, From, Subject, control, credit, encode, frame,
    read_side, read_stream,
};
use creo_model::Type;
use serde_json::Value;
use std::collections::VecDeque;

/// The credit of each direction when a call begins (TCP-32).
const FIRST_CREDIT: i64 = 262_144;
/// The service gets credit when this many bytes were taken, half of the first.
const ENOUGH: usize = 131_072;
/// The largest credit.
const MAX_CREDIT: i64 = 0x7fff_ffff;
/// The max bytes of a frame with more than one item (TCP-30).
const FRAME_BYTES: usize = 65_536;

/// Calls a method that has streams, on the binary wire, and waits for its end.
pub fn call(
    target: &Target,
    called: &Called<'_>,
    value: &Value,
    streams: Streams<'_>,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Answer, CallError> {
    let (mut link, written) = open(target, called, value, options, trace)?;
    let mut bytes = Vec::new();
    let before = preamble(&mut link, &mut bytes, first_bytes_until());
    if matches!(&before, Err(error) if error.code == "deadline-exceeded") {
        link.write_last(&control(Control::Cancel, CALL));
    }
    let before = before?;
    let heard = read_stream(called.model, &bytes, None, &options.limits, 0);
    trace.bytes(Side::Service, &heard.sections);
    if let Some(end) = before {
        return understood(&heard, &bytes, Ok(end), called, written, link.address());
    }
    let Streams { source, sink } = streams;
    let events = Events::new();
    let mut run = Run {
        called,
        options,
        trace,
        streams: Streams { source: None, sink },
        duplex: Duplex::new(link)?,
        bytes: Vec::new(),
        answer: Vec::new(),
        frames: 0,
        taken: 0,
        sending: called.method().stream_parameter().map(|parameter| Sending {
            item: &parameter.ty,
            count: 0,
            credit: FIRST_CREDIT,
            frames: VecDeque::new(),
            source: source.map(|source| events.of(source)),
            is_done: !written,
        }),
    };
    events.hear(&run.duplex)?;
    let ended = run.until_the_end(&events);
    if ended.is_err() && run.answer.is_empty() {
        // The call has ended here, whether or not the peer accepts the cancel.
        run.duplex.write_last(&control(Control::Cancel, CALL));
    }
    let end = ended?;
    bytes.extend(&run.answer);
    let heard =
        read_side(called.model, &bytes, From::Service, called.method(), &options.limits, run.trace.items());
    // The first is the preamble.
    run.trace.bytes(Side::Service, &heard.sections[1..]);
    understood(&heard, &bytes, Ok(end), called, written, run.duplex.address())
}

/// The stream of the parameter.
struct Sending<'a> {
    item: &'a Type,
    /// The items so far.
    count: u64,
    credit: i64,
    /// Frames that wait for credit.
    frames: VecDeque<Vec<u8>>,
    source: Option<Asked>,
    /// Whether the end was sent, or cannot be sent.
    is_done: bool,
}

impl Sending<'_> {
    /// Puts items into frames; none for the end.
    fn add(&mut self, items: &[Value], called: &Called<'_>, options: &Options) -> Result<(), CallError> {
        let mut pending: (u32, Vec<u8>) = (0, Vec::new());
        for value in items {
            let item = encode(called.model, &Subject::Type(self.item), value, &options.limits);
            let item = item.map_err(|error| of_item(CallError::of_value(error), self.count))?;
            self.count += 1;
            if pending.0 > 0 && pending.1.len() + item.len() + 5 > FRAME_BYTES {
                self.frames.push_back(items_frame(&std::mem::take(&mut pending), false));
            }
            pending.0 += 1;
            pending.1.extend(item);
        }
        self.frames.push_back(items_frame(&pending, items.is_empty()));
        Ok(())
    }
}

/// TCP-30: a count, then the items.
fn items_frame((count, items): &(u32, Vec<u8>), end: bool) -> Vec<u8> {
    let mut body = Vec::new();
    let mut rest = *count;
    while rest > 0x7f {
        body.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    body.push(rest as u8);
    body.extend(items);
    frame(&Envelope::Items { end }, CALL, &body)
}

struct Run<'a> {
    called: &'a Called<'a>,
    options: &'a Options,
    trace: &'a mut dyn Trace,
    streams: Streams<'a>,
    duplex: Duplex,
    /// What has come, from the beginning of a frame.
    bytes: Vec<u8>,
    /// The frames of the answer.
    answer: Vec<u8>,
    frames: usize,
    /// The bytes of items that were taken since it got credit.
    taken: usize,
    sending: Option<Sending<'a>>,
}

impl Run<'_> {
    fn until_the_end(&mut self, events: &Events) -> Result<End, CallError> {
        let mut event = Event::Heard(Heard::Bytes(Vec::new()));
        loop {
            match event {
                Event::Heard(Heard::Bytes(bytes)) => {
                    self.duplex.received(&bytes, &mut self.bytes)?;
                    if self.heard()? {
                        return Ok(End::Complete);
                    }
                }
                Event::Heard(Heard::End) => return Ok(End::Closed),
                Event::Heard(Heard::Failure(error)) => return Err(self.duplex.lost(&error)),
                Event::Taken(items) => {
                    let items = items?;
                    if let Some(sending) = &mut self.sending {
                        sending.add(&items, self.called, self.options)?;
                        if let Some(source) = &mut sending.source {
                            source.gave();
                        }
                        if items.is_empty() {
                            sending.source = None;
                        }
                    }
                }
            }
            self.send()?;
            event = events.wait(&self.duplex)?;
        }
    }

    /// Sends what there is credit for, and asks for more.
    fn send(&mut self) -> Result<(), CallError> {
        loop {
            let Some(sending) = self.sending.as_mut().filter(|sending| !sending.is_done) else {
                return Ok(());
            };
            if sending.credit <= 0 {
                return Ok(());
            }
            let Some(frame) = sending.frames.pop_front() else {
                match &mut sending.source {
                    Some(source) => {
                        source.ask();
                        return Ok(());
                    }
                    None => sending.add(&[], self.called, self.options)?,
                }
                continue;
            };
            sending.credit -= (frame.len() - FRAME_HEAD) as i64;
            let is_last = sending.source.is_none() && sending.frames.is_empty();
            let sent = self.read(From::Client, &frame);
            debug_assert_eq!(sent.mistakes().count(), 0);
            let written = self.duplex.write(&frame)?;
            if let Some(sending) = &mut self.sending {
                sending.is_done = is_last || !written;
            }
        }
    }

    /// Handles all whole frames. `true`: the answer is there.
    fn heard(&mut self) -> Result<bool, CallError> {
        let mut at = 0;
        while let Some(head) = self.bytes.get(at..at + FRAME_HEAD) {
            let head = FrameHead::read(&head.try_into().expect("as many as were got"));
            let most = self.options.limits.max_message_size;
            if head.length > most + FRAME_EXTRA {
                let message = format!("a frame has more bytes than maxMessageSize, which is {most}");
                return Err(CallError::new("too-large", message));
            }
            let end = at + 4 + head.length;
            // A frame that is too short for its head is one of the mistakes that the reader names.
            if self.bytes.len() < end.max(at + FRAME_HEAD) {
                break;
            }
            let frame = self.bytes[at..end.max(at + FRAME_HEAD)].to_vec();
            at = end;
            if self.frame(&head, &frame)? {
                return Ok(true);
            }
        }
        self.bytes.drain(..at);
        Ok(false)
    }

    /// Handles a frame. `true`: it completes the answer.
    fn frame(&mut self, head: &FrameHead, frame: &[u8]) -> Result<bool, CallError> {
        let kind = head.kind.filter(|_| head.length >= FRAME_HEAD - 4);
        match kind {
            Some("response" | "exception" | "data") if head.call == CALL => {
                return self.answered(head, frame);
            }
            Some("error") if head.call == CALL || head.call == 0 => return self.answered(head, frame),
            // Of calls that are not under way (TCP-9, TCP-33).
            Some("response" | "exception" | "data" | "error" | "items" | "credit") if head.call != CALL => {
                return Ok(false);
            }
            Some("request") => return Err(malformed("the service sent a frame that no service sends")),
            Some(_) | None => {}
        }
        let found = self.read(From::Service, frame);
        if let Some(mistake) = found.mistakes().next() {
            return Err(CallError::of_wire(mistake.clone()));
        }
        let value = found.messages.into_iter().next().and_then(|message| message.value);
        match (kind, value) {
            (Some("items"), Some(value)) => self.items(value, frame.len() - FRAME_HEAD).map(|()| false),
            (Some("credit"), Some(value)) => self.credited(value.as_i64().unwrap_or(0)).map(|()| false),
            (Some("ping"), _) => self.duplex.write(&control(Control::Pong, head.call)).map(|_| false),
            (Some("cancel"), _) => {
                // It abandons its chain, and the call's answer follows (TCP-6).
                self.answer.clear();
                Ok(false)
            }
            (Some("pong" | "goodbye"), _) => Ok(false),
            _ => Err(malformed("the service sent a frame without content")),
        }
    }

    fn answered(&mut self, head: &FrameHead, frame: &[u8]) -> Result<bool, CallError> {
        self.answer.extend_from_slice(frame);
        self.frames += 1;
        let most = self.options.limits.max_message_size;
        if self.frames > MAX_FRAMES || self.answer.len() > 2 * (most + FRAME_EXTRA) {
            let message = format!("the answer has more bytes than maxMessageSize, which is {most}");
            return Err(CallError::new("too-large", message));
        }
        Ok(!head.more)
    }

    fn items(&mut self, value: Value, bytes: usize) -> Result<(), CallError> {
        if !self.answer.is_empty() {
            return Err(malformed("the service sent items within its answer"));
        }
        self.streams.give(listed(value))?;
        // Items are taken as they are read, so the service never has less than half of its credit.
        self.taken += bytes;
        if self.taken >= ENOUGH {
            let more = u32::try_from(std::mem::take(&mut self.taken)).expect("a frame is below 2^31 bytes");
            let frame = credit(CALL, more);
            self.read(From::Client, &frame);
            // What the service has sent can still be read.
            self.duplex.write(&frame)?;
        }
        Ok(())
    }

    fn credited(&mut self, bytes: i64) -> Result<(), CallError> {
        let Some(sending) = &mut self.sending else {
            return Err(malformed("the service gave credit, and the method takes no stream"));
        };
        sending.credit += bytes;
        if sending.credit > MAX_CREDIT {
            return Err(malformed("the service gave more credit than 2^31 - 1 bytes"));
        }
        Ok(())
    }

    /// What the frames of one side say, which is also traced.
    fn read(&mut self, from: From, frames: &[u8]) -> Conversation {
        let method = self.called.method();
        let shown = self.trace.items();
        let found = read_side(self.called.model, frames, from, method, &self.options.limits, shown);
        let side = if from == From::Client { Side::Client } else { Side::Service };
        self.trace.bytes(side, &found.sections);
        found
    }
}

/// The items in a frame. Those of `stream byte` are a byte string there.
fn listed(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        Value::String(text) => {
            let bytes = BASE64_STANDARD.decode(text).unwrap_or_default();
            bytes.into_iter().map(|byte| Value::from(byte as i8)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

fn malformed(message: &str) -> CallError {
    CallError::new("malformed", message)
}
