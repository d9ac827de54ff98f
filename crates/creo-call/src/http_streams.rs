//! A call with one stream, on the json wire over HTTP (HTTP-30 to HTTP-37).

use crate::called::{Answer, Called, Login, Options, Side, Trace, canonical};
use crate::duplex::{Duplex, Heard, Written};
use crate::error::{CallError, shown};
use crate::http::{MAX_SHOWN, exchange, open, respond, words_of};
use crate::http_head::Head;
use crate::http_read::{Body, Feed, Incoming};
use crate::json;
use crate::lines::{LAST, LINES, Line, Lines, line, read, received};
use crate::link::Link;
use crate::source::{Asked, Event, Events, Source, Streams};
use crate::target::Target;
use creo_model::Type;
use serde_json::Value;
use std::time::Duration;

/// How long a peer may take nothing before the program looks whether it has answered instead.
const LOOK_FOR_ANSWER: Duration = Duration::from_millis(50);

/// Calls a method that has one stream, and waits for its end.
pub fn call(
    target: &Target,
    called: &Called<'_>,
    value: &Value,
    streams: Streams<'_>,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Answer, CallError> {
    match (&called.method().result, called.method().stream_parameter()) {
        (_, Some(parameter)) => send(target, called, value, &parameter.ty, streams.source, options, trace),
        (Some(item), None) => receive(target, called, value, item, streams, options, trace),
        (None, None) => json::call(target, called, value, options, trace),
    }
}

/// A call whose result is a stream.
fn receive(
    target: &Target,
    called: &Called<'_>,
    value: &Value,
    item: &Type,
    mut streams: Streams<'_>,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Answer, CallError> {
    let body = canonical(called, value, &options.limits)?.to_string();
    let request = json::request(target, called, body.as_bytes(), "application/json", LINES)?;
    let (mut incoming, head) = exchange(target, &request, options, trace)?;
    if !is_stream(&head) {
        let response = respond(&mut incoming, head, request.shows, options, trace)?;
        return json::failure(target, called, &response, options);
    }
    let mut results = Results { called, item, options, trace, count: 0 };
    let mut lines = Lines::new(options.limits.max_message_size);
    let mut body = Body::new(head.framing()?, u64::MAX);
    while let Some(piece) = body.next(&mut incoming)? {
        let (mut complete, mut items) = (Vec::new(), Vec::new());
        let fits = lines.add(&piece, &mut complete);
        let last = results.read(&complete, &mut items);
        if !items.is_empty() {
            streams.give(items)?;
        }
        match last? {
            Some(Line::Error(problem)) => {
                return json::problem(called, &problem, options, || said(target, &problem));
            }
            Some(_) => return Ok(Answer::Nothing),
            None => fits?,
        }
    }
    let message = format!("the answer of {} was cut: it has no last line", target.authority());
    Err(CallError::new("unavailable", message))
}

fn is_stream(head: &Head) -> bool {
    head.status == 200
        && head.media_type() == LINES
        && head.parameter("charset").is_none_or(|charset| charset.eq_ignore_ascii_case("utf-8"))
        && head.coding().is_none()
}

/// The error for a last line that no clause explains.
fn said(target: &Target, problem: &Value) -> CallError {
    let mut message =
        format!("the last line of {} says neither an exception nor an error", target.authority());
    let words = words_of(problem);
    if !words.is_empty() {
        message.push_str(&format!(": {}", shown(&words, MAX_SHOWN)));
    }
    CallError { from_peer: true, ..CallError::new("protocol-mismatch", message) }
}

/// The lines of a result.
struct Results<'a> {
    called: &'a Called<'a>,
    item: &'a Type,
    options: &'a Options,
    trace: &'a mut dyn Trace,
    /// The items so far.
    count: u64,
}

impl Results<'_> {
    /// Adds what the lines say to `items`, up to the last line of the stream, which is returned, or a mistake.
    fn read(&mut self, lines: &[Vec<u8>], items: &mut Vec<Value>) -> Result<Option<Line>, CallError> {
        for line in lines {
            self.trace.text(Side::Service, line);
            match read(line)? {
                Line::Nothing => {}
                Line::Item(item) => {
                    items.push(received(self.called, self.item, &item, self.count, &self.options.limits)?);
                    self.count += 1;
                }
                last @ (Line::End | Line::Error(_)) => return Ok(Some(last)),
            }
        }
        Ok(None)
    }
}

/// A call whose last parameter is a stream.
fn send(
    target: &Target,
    called: &Called<'_>,
    value: &Value,
    item: &Type,
    source: Option<Box<dyn Source>>,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Answer, CallError> {
    if let Some(Login::Digest(_)) = options.login {
        let message = "a call that sends a stream does not log in by digest: its items cannot be sent again";
        return Err(CallError::new("invalid-value", message));
    }
    let first = canonical(called, value, &options.limits)?.to_string() + "\n";
    let request = json::request(target, called, b"", LINES, "application/json")?;
    let (link, head) = open(target, &request, "Transfer-Encoding: chunked", options, trace)?;
    let feed = Talk::new(link)?;
    let source = source.map(|source| feed.events.of(source));
    let mut sending = Sending {
        called,
        item,
        options,
        trace,
        incoming: Incoming::new(feed, true),
        source,
        taken: None,
        count: 0,
    };
    let head = sending.until_the_answer(&head, &first)?;
    let Sending { mut incoming, trace, .. } = sending;
    let response = respond(&mut incoming, head, request.shows, options, trace)?;
    json::answer(target, called, &response, options)
}

/// A connection that is read while it is written.
struct Talk {
    duplex: Duplex,
    events: Events,
}

impl Talk {
    fn new(link: Link) -> Result<Talk, CallError> {
        let talk = Talk { duplex: Duplex::new(link)?, events: Events::new() };
        talk.events.hear(&talk.duplex)?;
        Ok(talk)
    }
}

impl Feed for Talk {
    fn address(&self) -> &str {
        self.duplex.address()
    }

    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool, CallError> {
        loop {
            match self.events.wait(&self.duplex)? {
                Event::Heard(Heard::Bytes(bytes)) => {
                    return self.duplex.received(&bytes, into).map(|()| true);
                }
                Event::Heard(Heard::End) => return Ok(false),
                Event::Heard(Heard::Failure(error)) => return Err(self.duplex.lost(&error)),
                // The call has its answer, and needs no more items.
                Event::Taken(_) => {}
            }
        }
    }
}

/// The stream of the parameter.
struct Sending<'a> {
    called: &'a Called<'a>,
    item: &'a Type,
    options: &'a Options,
    trace: &'a mut dyn Trace,
    incoming: Incoming<Talk>,
    /// Until it has ended, or the peer takes no more.
    source: Option<Asked>,
    /// What the source gave last.
    taken: Option<Vec<Value>>,
    /// The items so far.
    count: u64,
}

impl Sending<'_> {
    /// Sends the request, until the head of the answer is there.
    fn until_the_answer(&mut self, head: &str, first: &str) -> Result<Head, CallError> {
        // What had come before the thread began to read.
        if let Some(head) = self.happened(Event::Heard(Heard::Bytes(Vec::new())))? {
            return Ok(head);
        }
        let has_no_items = self.source.is_none();
        let lines = if has_no_items { [first, LAST].concat() } else { first.to_owned() };
        if let Some(head) = self.write(head, &lines, has_no_items)? {
            return Ok(head);
        }
        loop {
            if let Some(source) = &mut self.source {
                source.ask();
            }
            let event = self.incoming.feed.events.wait(&self.incoming.feed.duplex)?;
            if let Some(head) = self.happened(event)? {
                return Ok(head);
            }
            let Some(items) = self.taken.take().filter(|_| self.source.is_some()) else { continue };
            if items.is_empty() {
                self.source = None;
            }
            let lines = if items.is_empty() { LAST.to_owned() } else { self.lines(&items)? };
            if let Some(head) = self.write("", &lines, items.is_empty())? {
                return Ok(head);
            }
        }
    }

    fn lines(&mut self, items: &[Value]) -> Result<String, CallError> {
        let mut lines = String::new();
        for item in items {
            lines += &line(self.called, self.item, item, self.count, &self.options.limits)?;
            self.count += 1;
        }
        Ok(lines)
    }

    /// Handles an event. The head of the answer ends the sending.
    fn happened(&mut self, event: Event) -> Result<Option<Head>, CallError> {
        match event {
            Event::Heard(Heard::Bytes(bytes)) => {
                self.incoming.feed.duplex.received(&bytes, &mut self.incoming.bytes)?;
                self.incoming.head_that_came(self.trace)
            }
            Event::Heard(Heard::End) => Err(self.incoming.cut("before its answer")),
            Event::Heard(Heard::Failure(error)) => Err(self.incoming.feed.duplex.lost(&error)),
            Event::Taken(items) => {
                if let Some(source) = &mut self.source {
                    source.gave();
                }
                self.taken = Some(items?);
                Ok(None)
            }
        }
    }

    /// Sends lines as a chunk, after a head. An answer that comes first ends it.
    fn write(&mut self, head: &str, lines: &str, is_last: bool) -> Result<Option<Head>, CallError> {
        self.trace.text(Side::Client, lines.as_bytes());
        let end = if is_last { "0\r\n\r\n" } else { "" };
        let bytes = format!("{head}{:x}\r\n{lines}\r\n{end}", lines.len()).into_bytes();
        let mut rest = &bytes[..];
        loop {
            match self.incoming.feed.duplex.write_within(&mut rest, Some(LOOK_FOR_ANSWER))? {
                Written::All => return Ok(None),
                Written::Refused => {
                    self.incoming.written = false;
                    self.source = None;
                    return Ok(None);
                }
                Written::Part => {}
            }
            while let Some(event) = self.incoming.feed.events.next() {
                if let Some(head) = self.happened(event)? {
                    return Ok(Some(head));
                }
            }
        }
    }
}
