//! A request over HTTP by hand, and what came back: nothing of a runtime, nor of a library, is in it.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The longest to wait for bytes that must come.
const LIMIT: Duration = Duration::from_secs(20);

/// An answer.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    /// Names in small letters.
    pub headers: Vec<(String, String)>,
    /// As it came, but for chunks.
    pub body: Vec<u8>,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// An answer on one line, cut.
pub fn shown(answer: &Response) -> String {
    crate::report::cut(&format!(
        "{} {:?} {:?}",
        answer.status,
        answer.headers,
        String::from_utf8_lossy(&answer.body)
    ))
}

/// Connects to a port of this machine. `limit`: for each read and write.
pub fn connect(port: u16, limit: Duration) -> Result<TcpStream, String> {
    let stream = TcpStream::connect(("127.0.0.1", port)).map_err(|e| format!("cannot connect: {e}"))?;
    let set = stream.set_nodelay(true);
    let set = set.and_then(|()| stream.set_read_timeout(Some(limit)));
    set.and_then(|()| stream.set_write_timeout(Some(limit))).map_err(|e| e.to_string())?;
    Ok(stream)
}

/// A connection to a service.
pub struct Connection {
    stream: TcpStream,
    /// What came and was not taken yet.
    bytes: Vec<u8>,
    ended: bool,
}

impl Connection {
    pub fn open(port: u16) -> Result<Connection, String> {
        Ok(Connection { stream: connect(port, LIMIT)?, bytes: Vec::new(), ended: false })
    }

    /// Sends bytes. A service that refuses the head may close before it has read the rest: its answer still counts, so a failure shows only when there is none.
    pub fn send(&mut self, request: &[u8]) -> Result<(), String> {
        self.stream.write_all(request).map_err(|e| e.to_string())
    }

    /// The next response other than 1xx. `bare`: it has no body, whatever its fields say.
    pub fn response(&mut self, bare: bool) -> Result<Response, String> {
        loop {
            match parse(&self.bytes, bare, self.ended)
                .map_err(|why| format!("{why}: {:?}", String::from_utf8_lossy(&self.bytes)))?
            {
                Some((response, length)) => {
                    self.bytes.drain(..length);
                    if response.status >= 200 {
                        return Ok(response);
                    }
                }
                None => self.read()?,
            }
        }
    }

    /// Waits until the service closes the connection; nothing may come before.
    pub fn end(&mut self) -> Result<(), String> {
        while !self.ended && self.bytes.is_empty() {
            self.read()?;
        }
        if self.bytes.is_empty() {
            Ok(())
        } else {
            Err(format!("more came: {:?}", String::from_utf8_lossy(&self.bytes)))
        }
    }

    fn read(&mut self) -> Result<(), String> {
        let mut buffer = [0; 65_536];
        match self.stream.read(&mut buffer) {
            Ok(count) => {
                self.ended = count == 0;
                self.bytes.extend_from_slice(&buffer[..count]);
                Ok(())
            }
            // A service that has not read everything may reset the connection.
            Err(why) if [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe].contains(&why.kind()) => {
                self.ended = true;
                Ok(())
            }
            Err(why) => Err(format!("{why} after {:?}", String::from_utf8_lossy(&self.bytes))),
        }
    }
}

/// Sends a request over a new connection, and reads the answer.
pub fn exchange(port: u16, request: &[u8]) -> Result<Response, String> {
    let mut connection = Connection::open(port)?;
    let sent = connection.send(request);
    connection.response(false).map_err(|why| format!("{why}; written: {sent:?}"))
}

/// The response at the beginning of the bytes, and its length; `None` if bytes are missing.
fn parse(bytes: &[u8], bare: bool, ended: bool) -> Result<Option<(Response, usize)>, String> {
    let missing = |what: &str| if ended { Err(what.to_owned()) } else { Ok(None) };
    let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") else {
        return missing("no head came");
    };
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| "the head is no text")?;
    let mut lines = head.split("\r\n");
    let first = lines.next().unwrap_or_default();
    let status = first
        .strip_prefix("HTTP/1.1 ")
        .and_then(|rest| rest.get(..3)?.parse().ok())
        .ok_or("no status line")?;
    let mut headers = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':').ok_or_else(|| format!("no header: {line}"))?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut response = Response { status, headers, body: Vec::new() };
    let rest = &bytes[end + 4..];
    let body = match (response.header("content-length"), response.header("transfer-encoding")) {
        _ if bare || status < 200 || status == 204 || status == 304 => Some((Vec::new(), 0)),
        (Some(length), None) => {
            let length: usize = length.parse().map_err(|_| format!("no length: {length}"))?;
            rest.get(..length).map(|body| (body.to_vec(), length))
        }
        (None, Some("chunked")) => chunks(rest)?,
        (None, None) => ended.then(|| (rest.to_vec(), rest.len())),
        both => return Err(format!("lengths that do not go together: {both:?}")),
    };
    match body {
        Some((body, length)) => {
            response.body = body;
            Ok(Some((response, end + 4 + length)))
        }
        None => missing("the body is cut"),
    }
}

/// The content of chunks, and their total length; `None` if bytes are missing.
fn chunks(bytes: &[u8]) -> Result<Option<(Vec<u8>, usize)>, String> {
    let mut body = Vec::new();
    let mut at = 0;
    loop {
        let Some(end) = bytes[at..].windows(2).position(|w| w == b"\r\n") else {
            return Ok(None);
        };
        let size = std::str::from_utf8(&bytes[at..at + end])
            .ok()
            .and_then(|text| u32::from_str_radix(text, 16).ok())
            .ok_or("no size of a chunk")? as usize;
        at += end + 2;
        let Some(chunk) = bytes.get(at..at + size + 2) else {
            return Ok(None);
        };
        if &chunk[size..] != b"\r\n" {
            return Err("no line end after a chunk".to_owned());
        }
        body.extend_from_slice(&chunk[..size]);
        at += size + 2;
        if size == 0 {
            return Ok(Some((body, at)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies() {
        let body = |text: &str, ended| {
            parse(text.as_bytes(), false, ended).map(|found| {
                found.map(|(r, length)| (String::from_utf8(r.body).expect("text"), text.len() - length))
            })
        };
        let whole = |text: &str, rest| Ok(Some((text.to_owned(), rest)));
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", false), whole("ab", 0));
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP", false), whole("ab", 4));
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", false), Ok(None));
        assert!(body("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", true).is_err());
        assert_eq!(
            body(
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
                false
            ),
            whole("abc", 0)
        );
        assert_eq!(body("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n", false), Ok(None));
        assert_eq!(body("HTTP/1.1 204 No Content\r\n\r\n", false), whole("", 0));
        assert_eq!(body("HTTP/1.1 200 OK\r\n\r\nab", true), whole("ab", 0));
        assert_eq!(body("HTTP/1.1 200 OK\r\n", false), Ok(None));
        assert!(body("HTTP/1.1 200 OK\r\n", true).is_err());
    }
}
