//! A request over HTTP by hand, and what came back: nothing of a runtime, nor of a library, is in it.

use std::io::{Read, Write};
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

/// Sends bytes, and reads what comes until the service closes the connection.
pub fn exchange(port: u16, request: &[u8]) -> Result<Response, String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).map_err(|e| format!("cannot connect: {e}"))?;
    stream.set_nodelay(true).and_then(|()| stream.set_read_timeout(Some(LIMIT))).map_err(|e| e.to_string())?;
    stream.set_write_timeout(Some(LIMIT)).map_err(|e| e.to_string())?;
    // A service that refuses the head may have closed before it took the rest: what it answered still counts.
    let written = stream.write_all(request);
    let mut bytes = Vec::new();
    let mut buffer = [0; 65_536];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            Err(_) if complete(&bytes) => break,
            Err(why) => return Err(format!("{why} after {:?}; written: {written:?}", String::from_utf8_lossy(&bytes))),
        }
        if complete(&bytes) {
            break;
        }
    }
    parse(&bytes).map_err(|why| format!("{why}: {:?}", String::from_utf8_lossy(&bytes)))
}

fn complete(bytes: &[u8]) -> bool {
    parse(bytes).is_ok()
}

fn parse(bytes: &[u8]) -> Result<Response, String> {
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").ok_or("no head came")?;
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| "the head is no text")?;
    let mut lines = head.split("\r\n");
    let first = lines.next().unwrap_or_default();
    let status = first.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok()).ok_or("no status line")?;
    let mut headers = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':').ok_or_else(|| format!("no header: {line}"))?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut response = Response { status, headers, body: Vec::new() };
    let rest = &bytes[end + 4..];
    response.body = match (response.header("content-length"), response.header("transfer-encoding")) {
        (Some(length), None) => {
            let length: usize = length.parse().map_err(|_| format!("no length: {length}"))?;
            rest.get(..length).ok_or("the body is cut")?.to_vec()
        }
        (None, Some("chunked")) => chunks(rest)?,
        (None, None) => rest.to_vec(),
        both => return Err(format!("lengths that do not go together: {both:?}")),
    };
    Ok(response)
}

fn chunks(mut rest: &[u8]) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|w| w == b"\r\n").ok_or("a chunk is cut")?;
        let size = std::str::from_utf8(&rest[..end]).ok().and_then(|text| usize::from_str_radix(text.trim(), 16).ok()).ok_or("no size of a chunk")?;
        rest = &rest[end + 2..];
        if size == 0 {
            return Ok(body);
        }
        body.extend_from_slice(rest.get(..size).ok_or("a chunk is cut")?);
        rest = rest.get(size + 2..).ok_or("a chunk is cut")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies() {
        let body = |text: &str| parse(text.as_bytes()).map(|r| String::from_utf8(r.body).expect("text"));
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"), Ok("ab".to_owned()));
        assert!(body("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab").is_err());
        assert_eq!(body("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"), Ok("abc".to_owned()));
        assert!(body("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n").is_err());
        assert_eq!(body("HTTP/1.1 204 No Content\r\n\r\n"), Ok(String::new()));
        assert!(body("HTTP/1.1 200 OK\r\n").is_err());
    }
}
