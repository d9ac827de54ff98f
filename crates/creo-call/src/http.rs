//! One request over HTTP/1.1, and its response (`spec/transports/http.md`).

use crate::called::{Options, Side, Trace};
use crate::error::{CallError, shown};
use crate::http_head::{Framing, Head, MAX_HEAD, check_header, is_value, metadata_field};
use crate::link::{Came, Link};
use crate::target::Target;
use creo_json::parse_json;
use serde_json::Value;

/// The number of characters shown of an answer that is not a message of the wire (HTTP-22).
const MAX_SHOWN: usize = 300;

/// A request to post.
pub struct Request<'a> {
    pub path: String,
    /// Fields besides the standard ones.
    pub fields: Vec<(String, String)>,
    pub body: &'a [u8],
}

/// A response.
pub struct Response {
    pub head: Head,
    pub body: Vec<u8>,
}

/// Posts a request, and reads the complete response.
pub fn post(
    target: &Target,
    request: &Request<'_>,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Response, CallError> {
    let mut fields = request.fields.clone();
    for (key, value) in &options.metadata {
        fields.push(metadata_field(key, value)?);
    }
    for (name, value) in &options.headers {
        check_header(name, value)?;
        fields.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        fields.push((name.clone(), value.clone()));
    }
    let mut link = Link::connect(target, options)?;
    let mut head = format!("POST {} HTTP/1.1\r\nHost: {}\r\n", request.path, target.authority());
    for (name, value) in &fields {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!(
        "Content-Length: {}\r\nCreo-Timeout: {}\r\nConnection: close\r\n\r\n",
        request.body.len(),
        link.milliseconds_left().min(999_999_999)
    ));
    trace.text(Side::Client, head.trim_end().as_bytes());
    trace.text(Side::Client, request.body);
    let written = link.write(head.as_bytes())? && link.write(request.body)?;
    let mut incoming = Incoming { link: &mut link, bytes: Vec::new(), at: 0, written };
    let head = loop {
        let head = incoming.head()?;
        trace.text(Side::Service, head.0.as_slice());
        // Of the interim answers, only 101 would end HTTP on the connection.
        if !(100..200).contains(&head.1.status) || head.1.status == 101 {
            break head.1;
        }
    };
    if head.status == 101 {
        return Err(CallError::new("protocol-mismatch", "the service changes to another protocol"));
    }
    let body = incoming.body(head.framing()?, options.limits.max_message_size)?;
    if !body.is_empty() {
        trace.text(Side::Service, &body);
    }
    if let Some(coding) = head.all("content-encoding").find(|coding| !coding.eq_ignore_ascii_case("identity"))
    {
        return Err(CallError::new(
            "protocol-mismatch",
            format!("the answer is encoded as {coding}, which was not asked for"),
        ));
    }
    Ok(Response { head, body })
}

struct Incoming<'a> {
    link: &'a mut Link,
    bytes: Vec<u8>,
    /// The number of consumed bytes.
    at: usize,
    written: bool,
}

impl Incoming<'_> {
    fn more(&mut self, most: usize) -> Result<bool, CallError> {
        Ok(self.link.read(&mut self.bytes, most, None)? == Came::Bytes)
    }

    fn cut(&self, what: &str) -> CallError {
        let early = if self.written { "" } else { ", and did not take the whole request" };
        CallError::new("unavailable", format!("{} closed the connection {what}{early}", self.link.address()))
    }

    /// A head, raw and parsed.
    fn head(&mut self) -> Result<(Vec<u8>, Head), CallError> {
        loop {
            let rest = &self.bytes[self.at..];
            let end = rest.windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(end) = end.filter(|end| *end <= MAX_HEAD) {
                let head = rest[..end + 1].to_vec();
                self.at += end + 4;
                return Ok((head.clone(), Head::parse(&head)?));
            }
            // Another protocol may never send an empty line.
            let start = rest.len().min(7);
            if rest[..start] != b"HTTP/1."[..start] || rest.len() > MAX_HEAD {
                let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                return Err(if rest.len() > MAX_HEAD {
                    CallError::new("too-large", format!("the answer's head has more than {MAX_HEAD} bytes"))
                } else {
                    let line = &rest[..end.min(40)];
                    let what = match line {
                        [0x15 | 0x16, 0x03, ..] => "TLS".to_owned(),
                        [b'C', b'R', b'E', b'O', ..] => "Creo's binary wire: leave out http://".to_owned(),
                        _ => format!("{:?}", String::from_utf8_lossy(line)),
                    };
                    CallError::new("protocol-mismatch", format!("the answer is no HTTP but {what}"))
                });
            }
            if !self.more(16 << 10)? {
                return Err(self.cut("before its answer"));
            }
        }
    }

    fn body(&mut self, framing: Framing, most: usize) -> Result<Vec<u8>, CallError> {
        let too_large = || {
            CallError::new(
                "too-large",
                format!("the answer has more bytes than maxMessageSize, which is {most}"),
            )
        };
        match framing {
            Framing::None => Ok(Vec::new()),
            Framing::Length(length) => {
                let length = usize::try_from(length).ok().filter(|l| *l <= most).ok_or_else(too_large)?;
                self.need(length)?;
                self.bytes.truncate(self.at + length);
                Ok(self.bytes.split_off(self.at))
            }
            Framing::ToTheEnd => {
                while self.bytes.len() - self.at <= most {
                    if !self.more(64 << 10)? {
                        return Ok(self.bytes.split_off(self.at));
                    }
                }
                Err(too_large())
            }
            Framing::Chunked => {
                let mut body = Vec::new();
                loop {
                    let size = chunk_size(&self.line()?)?;
                    if size == 0 {
                        break;
                    }
                    let size = usize::try_from(size)
                        .ok()
                        .filter(|size| *size <= most - body.len())
                        .ok_or_else(too_large)?;
                    self.need(size + 2)?;
                    let data = &self.bytes[self.at..self.at + size + 2];
                    if !data.ends_with(b"\r\n") {
                        return Err(CallError::new("protocol-mismatch", "a chunk of the answer has no end"));
                    }
                    body.extend_from_slice(&data[..size]);
                    self.at += size + 2;
                    // Drops consumed bytes once moving the rest pays off.
                    if self.at > 64 << 10 {
                        self.bytes.drain(..self.at);
                        self.at = 0;
                    }
                }
                let mut trailers = 0;
                loop {
                    let line = self.line()?;
                    trailers += line.len() + 2;
                    if line.is_empty() {
                        return Ok(body);
                    }
                    if trailers > MAX_HEAD {
                        return Err(CallError::new(
                            "too-large",
                            format!("the answer's trailers have more than {MAX_HEAD} bytes"),
                        ));
                    }
                }
            }
        }
    }

    /// Waits until this many bytes are available.
    fn need(&mut self, count: usize) -> Result<(), CallError> {
        while self.bytes.len() - self.at < count {
            let missing = count - (self.bytes.len() - self.at);
            if !self.more(missing)? {
                return Err(self.cut("in the middle of its answer"));
            }
        }
        Ok(())
    }

    /// A line without its line end.
    fn line(&mut self) -> Result<Vec<u8>, CallError> {
        loop {
            let rest = &self.bytes[self.at..];
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
            if !self.more(4 << 10)? {
                return Err(self.cut("in the middle of its answer"));
            }
        }
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

impl Response {
    /// The error for an answer that is not a message of the wire (HTTP-3, HTTP-22).
    pub fn foreign(&self, target: &Target) -> CallError {
        let code = match self.head.status {
            401 | 407 => "unauthenticated",
            403 => "permission-denied",
            404 | 502..=504 => "unavailable",
            413 => "too-large",
            429 => "overloaded",
            300..=399 => "unavailable",
            _ => "protocol-mismatch",
        };
        let mut message = format!("{} answered {}", target.authority(), self.head.status_text());
        match self.head.media_type() {
            media if media.is_empty() => message.push_str(", without a media type"),
            media => message.push_str(&format!(", {}", shown(&media, MAX_SHOWN))),
        }
        let named: &[&str] = match self.head.status {
            401 => &["www-authenticate"],
            407 => &["proxy-authenticate"],
            300..=399 => &["location"],
            _ => &[],
        };
        for name in named {
            for value in self.head.all(name) {
                message.push_str(&format!(", {name}: {}", shown(value, MAX_SHOWN)));
            }
        }
        let said = self.words();
        if !said.is_empty() {
            message.push_str(&format!(": {}", shown(&said, MAX_SHOWN)));
        }
        CallError { from_peer: true, ..CallError::new(code, message) }
    }

    fn words(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        if self.head.media_type() == "application/problem+json"
            && let Ok(problem) = parse_json(&text)
        {
            let words =
                ["title", "detail"].into_iter().filter_map(|name| problem.get(name).and_then(Value::as_str));
            return words.collect::<Vec<_>>().join(": ");
        }
        text.trim().to_owned()
    }
}
