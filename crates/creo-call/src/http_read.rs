//! Reads a response: its head, and its body in pieces as they come (HTTP-16, HTTP-19).

use crate::called::{Side, Trace};
use crate::error::CallError;
use crate::hidden;
use crate::http_head::{Framing, Head, MAX_HEAD, is_value};
use crate::link::{Came, Link, PIECE};

/// The connection that a response comes from.
pub trait Feed {
    fn address(&self) -> &str;

    /// Waits for bytes, and appends them to `into`. `false` at the end of the connection.
    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool, CallError>;
}

impl Feed for Link {
    fn address(&self) -> &str {
        Link::address(self)
    }

    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool, CallError> {
        Ok(self.read(into, PIECE, None)? == Came::Bytes)
    }
}

/// What comes from a connection.
pub struct Incoming<F> {
    pub feed: F,
    /// What has come, with consumed bytes before it.
    pub bytes: Vec<u8>,
    /// The number of consumed bytes.
    at: usize,
    /// Whether the service took the whole request.
    pub written: bool,
}

impl<F: Feed> Incoming<F> {
    pub fn new(feed: F, written: bool) -> Incoming<F> {
        Incoming { feed, bytes: Vec::new(), at: 0, written }
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    fn more(&mut self) -> Result<bool, CallError> {
        // Drops consumed bytes once moving the rest pays off.
        if self.at == self.bytes.len() || self.at > PIECE {
            self.bytes.drain(..self.at);
            self.at = 0;
        }
        self.feed.more(&mut self.bytes)
    }

    /// The error for an end of the connection, which `what` says more of.
    pub fn cut(&self, what: &str) -> CallError {
        let early = if self.written { "" } else { ", and did not take the whole request" };
        CallError::new("unavailable", format!("{} closed the connection {what}{early}", self.feed.address()))
    }

    /// The head of the answer, after those of interim answers.
    pub fn head(&mut self, trace: &mut dyn Trace) -> Result<Head, CallError> {
        loop {
            if let Some(head) = self.head_that_came(trace)? {
                return Ok(head);
            }
            if !self.more()? {
                return Err(self.cut("before its answer"));
            }
        }
    }

    /// The head of the answer, if it has come to its end.
    pub fn head_that_came(&mut self, trace: &mut dyn Trace) -> Result<Option<Head>, CallError> {
        while let Some((raw, head)) = self.any_head()? {
            trace.text(Side::Service, &hidden::head(&raw));
            match head.status {
                // Of the interim answers, only this one ends HTTP on the connection.
                101 => {
                    let message = "the service changes to another protocol";
                    return Err(CallError::new("protocol-mismatch", message));
                }
                100..200 => {}
                _ => return Ok(Some(head)),
            }
        }
        Ok(None)
    }

    /// A head that has come to its end, raw and parsed.
    fn any_head(&mut self) -> Result<Option<(Vec<u8>, Head)>, CallError> {
        let rest = self.rest();
        let end = rest.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end.filter(|end| *end <= MAX_HEAD) {
            let head = rest[..end + 1].to_vec();
            self.at += end + 4;
            return Ok(Some((head.clone(), Head::parse(&head)?)));
        }
        if rest.len() > MAX_HEAD {
            return Err(CallError::new(
                "too-large",
                format!("the answer's head has more than {MAX_HEAD} bytes"),
            ));
        }
        // Another protocol may never send an empty line.
        let start = rest.len().min(7);
        if rest[..start] != b"HTTP/1."[..start] {
            let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            let line = &rest[..end.min(40)];
            let what = match line {
                [0x15 | 0x16, 0x03, ..] => "TLS".to_owned(),
                [b'C', b'R', b'E', b'O', ..] => "Creo's binary wire: leave out http://".to_owned(),
                _ => format!("{:?}", String::from_utf8_lossy(line)),
            };
            return Err(CallError::new("protocol-mismatch", format!("the answer is no HTTP but {what}")));
        }
        Ok(None)
    }

    /// A body to its end, of at most so many bytes.
    pub fn body(&mut self, framing: Framing, most: usize) -> Result<Vec<u8>, CallError> {
        let mut pieces = Body::new(framing, most as u64);
        let mut body = Vec::new();
        while let Some(piece) = pieces.next(self)? {
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }

    /// The next bytes, at least one and at most `most`; none at the end of the connection.
    fn some(&mut self, most: u64) -> Result<Vec<u8>, CallError> {
        if self.rest().is_empty() && !self.more()? {
            return Ok(Vec::new());
        }
        let count = usize::try_from(most).unwrap_or(usize::MAX).min(self.rest().len());
        let piece = self.rest()[..count].to_vec();
        self.at += count;
        Ok(piece)
    }

    /// The CR LF at the end of a chunk.
    fn chunk_end(&mut self) -> Result<(), CallError> {
        while self.rest().len() < 2 {
            if !self.more()? {
                return Err(self.cut("in the middle of its answer"));
            }
        }
        if !self.rest().starts_with(b"\r\n") {
            return Err(CallError::new("protocol-mismatch", "a chunk of the answer has no end"));
        }
        self.at += 2;
        Ok(())
    }

    fn trailers(&mut self) -> Result<(), CallError> {
        let mut size = 0;
        loop {
            let line = self.line()?;
            size += line.len() + 2;
            if line.is_empty() {
                return Ok(());
            }
            if size > MAX_HEAD {
                return Err(CallError::new(
                    "too-large",
                    format!("the answer's trailers have more than {MAX_HEAD} bytes"),
                ));
            }
        }
    }

    /// A line without its line end.
    fn line(&mut self) -> Result<Vec<u8>, CallError> {
        loop {
            let rest = self.rest();
            if let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
                let line = rest[..end].to_vec();
                self.at += end + 2;
                if !is_value(&line) {
                    return Err(CallError::new(
                        "protocol-mismatch",
                        "a line of the answer has control characters",
                    ));
                }
                return Ok(line);
            }
            if rest.len() > MAX_HEAD {
                return Err(CallError::new(
                    "too-large",
                    format!("a line of the answer has more than {MAX_HEAD} bytes"),
                ));
            }
            if !self.more()? {
                return Err(self.cut("in the middle of its answer"));
            }
        }
    }
}

/// A body that is read as it comes.
pub struct Body {
    rest: Rest,
    taken: u64,
    most: u64,
}

/// What is still to come of a body.
#[derive(Clone, Copy)]
enum Rest {
    Bytes(u64),
    Chunk(u64),
    ChunkEnd,
    ChunkSize,
    ToTheEnd,
}

impl Body {
    /// A body of at most so many bytes.
    pub fn new(framing: Framing, most: u64) -> Body {
        let rest = match framing {
            Framing::None => Rest::Bytes(0),
            Framing::Length(length) => Rest::Bytes(length),
            Framing::Chunked => Rest::ChunkSize,
            Framing::ToTheEnd => Rest::ToTheEnd,
        };
        Body { rest, taken: 0, most }
    }

    /// Waits for the next bytes, at least one; `None` at the end of the body. A size that is too large is refused when it is announced.
    pub fn next<F: Feed>(&mut self, incoming: &mut Incoming<F>) -> Result<Option<Vec<u8>>, CallError> {
        loop {
            match self.rest {
                Rest::Bytes(0) => return Ok(None),
                Rest::Bytes(left) => {
                    let piece = self.piece(incoming, left)?;
                    self.rest = Rest::Bytes(left - piece.len() as u64);
                    return Ok(Some(piece));
                }
                Rest::Chunk(left) => {
                    let piece = self.piece(incoming, left)?;
                    let left = left - piece.len() as u64;
                    self.rest = if left == 0 { Rest::ChunkEnd } else { Rest::Chunk(left) };
                    return Ok(Some(piece));
                }
                Rest::ChunkEnd => {
                    incoming.chunk_end()?;
                    self.rest = Rest::ChunkSize;
                }
                Rest::ChunkSize => {
                    let size = chunk_size(&incoming.line()?)?;
                    if size == 0 {
                        incoming.trailers()?;
                    }
                    self.rest = if size == 0 { Rest::Bytes(0) } else { Rest::Chunk(size) };
                }
                Rest::ToTheEnd => {
                    let piece = incoming.some(PIECE as u64)?;
                    if piece.is_empty() {
                        return Ok(None);
                    }
                    self.take(piece.len() as u64)?;
                    return Ok(Some(piece));
                }
            }
        }
    }

    /// A piece of what has a known size.
    fn piece<F: Feed>(&mut self, incoming: &mut Incoming<F>, left: u64) -> Result<Vec<u8>, CallError> {
        self.take(left)?;
        let piece = incoming.some(left)?;
        self.taken -= left - piece.len() as u64;
        if piece.is_empty() { Err(incoming.cut("in the middle of its answer")) } else { Ok(piece) }
    }

    fn take(&mut self, bytes: u64) -> Result<(), CallError> {
        self.taken = self.taken.saturating_add(bytes);
        if self.taken > self.most {
            let most = self.most;
            let message = format!("the answer has more bytes than maxMessageSize, which is {most}");
            return Err(CallError::new("too-large", message));
        }
        Ok(())
    }
}

/// HTTP-16
fn chunk_size(line: &[u8]) -> Result<u64, CallError> {
    let text = str::from_utf8(line).unwrap_or_default();
    let size = text.split(';').next().unwrap_or_default().trim_end_matches([' ', '\t']);
    let digits = size.trim_start_matches('0');
    let fine = !size.is_empty() && size.bytes().all(|b| b.is_ascii_hexdigit()) && digits.len() <= 16;
    let number = if digits.is_empty() { Ok(0) } else { u64::from_str_radix(digits, 16) };
    match number {
        Ok(number) if fine && number >> 63 == 0 => Ok(number),
        _ => Err(CallError::new("protocol-mismatch", "a chunk of the answer has no size")),
    }
}
