//! A call of the binary wire over TCP (`spec/transports/tcp.md`). This file only finds the ends of frames; `creo-inspect` checks and
//! interprets them.

use crate::called::{Answer, Called, Options, Side, Trace, encoded};
use crate::error::CallError;
use crate::link::{Came, Link, first_bytes_until};
use crate::target::Target;
use creo_inspect::{
    Code, Control, Conversation, Envelope, FRAME_HEAD, FrameHead, Message, PREAMBLE, READS_METADATA, control,
    frame, read_stream,
};
use serde_json::Value;
use std::time::Instant;

/// The call id of the connection's only call.
pub const CALL: u32 = 1;
/// The ping after a oneway request: its pong confirms that the service has read the request.
const PING: u32 = 1;
/// The max number of frames of an answer. No sane service splits a message of 128 MiB further.
pub const MAX_FRAMES: usize = 100_000;
/// The max number of other frames kept for display.
const MAX_OTHERS: usize = 100;
/// Bytes of a frame besides its body: the head, and room for an error's other parts.
pub const FRAME_EXTRA: usize = 65_536;

pub fn call(
    target: &Target,
    called: &Called<'_>,
    value: &Value,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Answer, CallError> {
    let (mut link, written) = open(target, called, value, options, trace)?;
    let method = called.method();
    let mut answer = Incoming { link: &mut link, bytes: Vec::new(), options, awaits_pong: method.oneway };
    let end = answer.read(first_bytes_until());
    if matches!(&end, Err(error) if error.code == "deadline-exceeded") {
        // The call has ended here, whether or not the peer accepts the cancel.
        link.write_last(&control(Control::Cancel, CALL));
        return Err(end.err().unwrap_or_else(|| CallError::new("internal", "")));
    }
    let bytes = answer.bytes;
    let heard = read_stream(called.model, &bytes, Some(method), &options.limits, trace.items());
    trace.bytes(Side::Service, &heard.sections);
    understood(&heard, &bytes, end, called, written, link.address())
}

/// Connects, and sends the request. `false`: the peer did not take all of it.
pub fn open(
    target: &Target,
    called: &Called<'_>,
    value: &Value,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<(Link, bool), CallError> {
    if !options.headers.is_empty() || options.login.is_some() {
        return Err(CallError::new(
            "invalid-value",
            "fields of HTTP were given, and the call goes over TCP: give metadata",
        ));
    }
    let body = encoded(called, value, &options.limits)?;
    let mut link = Link::connect(target, options)?;
    let method = called.method();
    let envelope =
        Envelope::Request { method, milliseconds: link.milliseconds_left(), metadata: &options.metadata };
    let mut request = PREAMBLE.to_vec();
    request[5] |= READS_METADATA;
    request.extend(frame(&envelope, CALL, &body));
    if method.oneway {
        request.extend(control(Control::Ping, PING));
    }
    let sent = read_stream(called.model, &request, Some(method), &options.limits, trace.items());
    trace.bytes(Side::Client, &sent.sections);
    if let Some(mistake) = sent.mistakes().next() {
        return Err(CallError { offset: None, ..CallError::of_wire(mistake.clone()) });
    }
    let written = link.write(&request)?;
    Ok((link, written))
}

/// Why reading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The answer is complete, or no reader could continue.
    Complete,
    /// The peer closed the connection.
    Closed,
    /// The oneway request was read.
    Pong,
    /// The first bytes are not Creo's (TCP-2).
    Foreign,
}

struct Incoming<'a> {
    link: &'a mut Link,
    bytes: Vec<u8>,
    options: &'a Options,
    awaits_pong: bool,
}

impl Incoming<'_> {
    fn read(&mut self, first: Instant) -> Result<End, CallError> {
        if let Some(end) = preamble(self.link, &mut self.bytes, first)? {
            return Ok(end);
        }
        let (mut frames, mut others) = (0, 0);
        loop {
            let at = self.bytes.len();
            if !self.fill(at + FRAME_HEAD)? {
                return Ok(End::Closed);
            }
            let head: [u8; FRAME_HEAD] = self.bytes[at..].try_into().expect("that many bytes were read");
            let head = FrameHead::read(&head);
            let Some(kind) = head.kind.filter(|_| head.length >= FRAME_HEAD - 4) else {
                return Ok(End::Complete);
            };
            let most = self.options.limits.max_message_size;
            if head.length > most + FRAME_EXTRA || self.bytes.len() > 2 * (most + FRAME_EXTRA) {
                return Err(CallError::new(
                    "too-large",
                    format!("the answer has more bytes than maxMessageSize, which is {most}"),
                ));
            }
            if !self.fill(at + 4 + head.length)? {
                return Ok(End::Closed);
            }
            if kind == "ping" && head.length == FRAME_HEAD - 4 {
                self.link.write(&control(Control::Pong, head.call))?;
            }
            let ends = match kind {
                "pong" => (self.awaits_pong && head.call == PING).then_some(End::Pong),
                // An error with call id 0 concerns the connection (TCP-20).
                "error" => (head.call == CALL || head.call == 0).then_some(End::Complete),
                "response" | "exception" | "data" => (head.call == CALL).then_some(End::Complete),
                "cancel" | "ping" | "goodbye" => None,
                // Of a call that is not under way (TCP-33): nobody knows what they say.
                "items" | "credit" if head.call != CALL => {
                    self.bytes.truncate(at);
                    continue;
                }
                // Services do not send these.
                _ => Some(End::Complete),
            };
            match ends {
                Some(end) if !head.more => return Ok(end),
                Some(_) => {
                    frames += 1;
                    if frames > MAX_FRAMES {
                        return Err(CallError::new(
                            "too-large",
                            format!("the answer has more than {MAX_FRAMES} frames"),
                        ));
                    }
                }
                None => {
                    others += 1;
                    if others > MAX_OTHERS {
                        self.bytes.truncate(at);
                    }
                }
            }
        }
    }

    /// Reads until `wanted` bytes are available; `false` if the connection ends earlier.
    fn fill(&mut self, wanted: usize) -> Result<bool, CallError> {
        while self.bytes.len() < wanted {
            let missing = wanted - self.bytes.len();
            if self.link.read(&mut self.bytes, missing, None)? == Came::End {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Reads the service's preamble. If there is none, the reason why there is nothing more to read.
pub fn preamble(link: &mut Link, bytes: &mut Vec<u8>, first: Instant) -> Result<Option<End>, CallError> {
    // The fourth byte at the latest decides about the protocol, the fifth about the version (TCP-2).
    loop {
        let seen = bytes.len().min(4);
        if bytes[..seen] != PREAMBLE[..seen] || bytes.get(4).is_some_and(|version| *version != 1) {
            return Ok(Some(End::Foreign));
        }
        if bytes.len() == PREAMBLE.len() {
            return Ok(None);
        }
        match link.read(bytes, PREAMBLE.len() - bytes.len(), Some(first))? {
            Came::Bytes => {}
            Came::End => return Ok(Some(End::Closed)),
            Came::Silence => {
                return Err(CallError::new(
                    "protocol-mismatch",
                    format!(
                        "{} accepted the connection and did not answer with Creo's preamble within 10000 ms; the port perhaps speaks HTTP or TLS",
                        link.address()
                    ),
                ));
            }
        }
    }
}

/// The meaning of the frames for the call.
pub fn understood(
    heard: &Conversation,
    bytes: &[u8],
    end: Result<End, CallError>,
    called: &Called<'_>,
    written: bool,
    address: &str,
) -> Result<Answer, CallError> {
    let of_call = |message: &&Message| match message.kind {
        "response" | "exception" => message.call == CALL,
        "error" => message.call == CALL || message.call == 0,
        _ => false,
    };
    // An invalid body gives a message without a value: the mistake is more specific.
    let message = heard.messages.iter().find(of_call);
    if let Some(Message { kind, value: Some(value), .. }) = message {
        return match *kind {
            "response" if called.method().returns().is_none() => Ok(Answer::Nothing),
            "response" => Ok(Answer::Result(value.clone())),
            "exception" => Ok(Answer::Exception(value.clone())),
            _ => Err(from_service(value)),
        };
    }
    match end? {
        End::Foreign => Err(match heard.mistakes().find(|mistake| mistake.code == Code::ProtocolMismatch) {
            Some(mistake) => CallError { offset: None, ..CallError::of_wire(mistake.clone()) },
            None => {
                let first: Vec<String> = bytes.iter().take(8).map(|b| format!("{b:02x}")).collect();
                CallError::new(
                    "protocol-mismatch",
                    format!("{address} answered with the bytes {}, which are not Creo's", first.join(" ")),
                )
            }
        }),
        End::Pong => Ok(Answer::Nothing),
        End::Closed if heard.messages.is_empty() && heard.sections.is_empty() => Err(CallError::new(
            "unavailable",
            format!("{address} closed the connection before Creo's preamble"),
        )),
        End::Closed => {
            let early = if written { "" } else { ", and did not take the whole request" };
            Err(CallError::new(
                "unavailable",
                format!("{address} closed the connection before its answer{early}"),
            ))
        }
        End::Complete => Err(match heard.mistakes().next() {
            Some(mistake) => CallError::of_wire(mistake.clone()),
            None => CallError::new("malformed", "the service sent a frame that no service sends"),
        }),
    }
}

/// ERR-3
fn from_service(value: &Value) -> CallError {
    let code = value
        .get("code")
        .map_or_else(String::new, |code| code.as_str().map_or_else(|| code.to_string(), str::to_owned));
    let message = value.get("message").and_then(Value::as_str).unwrap_or_default();
    CallError::from_service(&code, message, CallError::details(value.get("details")))
}
