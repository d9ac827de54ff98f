//! Writes the head of a request, and reads that of a response (HTTP-19).

use crate::error::{CallError, shown};

/// LIM-26: the max bytes and fields of a head.
pub const MAX_HEAD: usize = 65_536;
const MAX_FIELDS: usize = 200;

/// A field with its name in lower case.
pub type Field = (String, String);

/// The head of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub status: u16,
    /// Without meaning; escaped.
    pub reason: String,
    pub old: bool,
    pub fields: Vec<Field>,
}

/// How a body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    None,
    Length(u64),
    Chunked,
    ToTheEnd,
}

fn mismatch(message: impl AsRef<str>) -> CallError {
    CallError::new("protocol-mismatch", message)
}

/// A token of HTTP, such as the name of a field.
fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// Whether a field may have the value: no control characters except tabs.
pub fn is_value(text: &[u8]) -> bool {
    text.iter().all(|b| *b == b'\t' || (*b >= 0x20 && *b != 0x7f))
}

impl Head {
    /// Parses a head without the empty line at its end.
    pub fn parse(bytes: &[u8]) -> Result<Head, CallError> {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        for line in bytes.split(|b| *b == b'\n') {
            let Some((b'\r', line)) = line.split_last() else {
                return Err(mismatch("a line of the answer's head does not end with CR LF"));
            };
            match (line.first(), lines.len()) {
                // RFC 9112, 5.2: the value continues after a space.
                (Some(b' ' | b'\t'), 2..) => {
                    let last = lines.last_mut().expect("there are two");
                    last.push(b' ');
                    last.extend(line);
                }
                _ => lines.push(line.to_vec()),
            }
        }
        let mut lines = lines.into_iter();
        let first = lines.next().unwrap_or_default();
        let (status, reason, old) = status_line(&first)?;
        let fields = lines.map(|line| field(&line)).collect::<Result<Vec<Field>, CallError>>()?;
        if fields.len() > MAX_FIELDS {
            return Err(CallError::new("too-large", format!("the answer has more than {MAX_FIELDS} fields")));
        }
        Ok(Head { status, reason, old, fields })
    }

    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The media type in lower case without parameters; empty if there is none (HTTP-23: the first of several).
    pub fn media_type(&self) -> String {
        let first = self.all("content-type").next().unwrap_or_default();
        first.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// A parameter of the media type.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let first = self.all("content-type").next()?;
        first.split(';').skip(1).find_map(|part| {
            let (known, value) = part.split_once('=')?;
            known.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"').to_owned())
        })
    }

    pub fn framing(&self) -> Result<Framing, CallError> {
        if (100..200).contains(&self.status) || self.status == 204 || self.status == 304 {
            return Ok(Framing::None);
        }
        let lengths: Vec<&str> =
            self.all("content-length").flat_map(|v| v.split(',')).map(str::trim).collect();
        let codings: Vec<&str> = self.all("transfer-encoding").collect();
        match (&codings[..], lengths.split_first()) {
            ([], None) => Ok(Framing::ToTheEnd),
            ([], Some((first, rest))) => {
                let digits = !first.is_empty() && first.bytes().all(|b| b.is_ascii_digit());
                match first.parse::<u64>() {
                    Ok(length) if digits && length >> 63 == 0 && rest.iter().all(|other| other == first) => {
                        Ok(Framing::Length(length))
                    }
                    _ => Err(mismatch(format!("the answer's length is {}", lengths.join(", ")))),
                }
            }
            ([coding], None) if coding.eq_ignore_ascii_case("chunked") => Ok(Framing::Chunked),
            ([_, ..], Some(_)) => Err(mismatch("the answer has a length and a transfer coding")),
            ([..], None) => Err(mismatch(format!("the answer's transfer coding is {}", codings.join(", ")))),
        }
    }

    /// The coding of the body, unless it is none.
    pub fn coding(&self) -> Option<&str> {
        self.all("content-encoding").find(|coding| !coding.eq_ignore_ascii_case("identity"))
    }

    /// Status and reason for messages.
    pub fn status_text(&self) -> String {
        format!("{} {}", self.status, self.reason).trim_end().to_owned()
    }
}

fn status_line(line: &[u8]) -> Result<(u16, String, bool), CallError> {
    let wrong = || {
        let start: String = String::from_utf8_lossy(&line[..line.len().min(40)]).into_owned();
        mismatch(format!("the answer is no HTTP/1.1: it begins with {start:?}"))
    };
    let rest = line.strip_prefix(b"HTTP/1.").ok_or_else(wrong)?;
    let (minor, rest) = rest.split_first().filter(|(b, _)| b.is_ascii_digit()).ok_or_else(wrong)?;
    let rest = rest.strip_prefix(b" ").ok_or_else(wrong)?;
    if rest.len() < 3 || !rest[..3].iter().all(u8::is_ascii_digit) || !is_value(rest) {
        return Err(wrong());
    }
    let (digits, reason) = rest.split_at(3);
    if reason.first().is_some_and(|b| *b != b' ') {
        return Err(wrong());
    }
    let status = digits.iter().fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0'));
    if status < 100 {
        return Err(wrong());
    }
    let reason = String::from_utf8_lossy(reason).trim().to_owned();
    Ok((status, shown(&reason, 300), *minor == b'0'))
}

fn field(line: &[u8]) -> Result<Field, CallError> {
    let colon = line.iter().position(|b| *b == b':');
    let (name, value) = colon.map_or((line, &line[..0]), |at| (&line[..at], &line[at + 1..]));
    let name = str::from_utf8(name).unwrap_or_default();
    if colon.is_none() || !is_token(name) || !is_value(value) {
        return Err(mismatch("a field of the answer's head is none"));
    }
    let value = String::from_utf8_lossy(value).trim_matches([' ', '\t']).to_owned();
    Ok((name.to_ascii_lowercase(), value))
}

/// HTTP-8: the field of a metadata entry.
pub fn metadata_field(key: &str, value: &str) -> Result<Field, CallError> {
    let fine = (1..=64).contains(&key.len())
        && key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'.' || b == b'-');
    if !fine {
        return Err(CallError::new("invalid-value", format!("{key:?} is no key of metadata")));
    }
    if ["authorization", "traceparent", "tracestate"].contains(&key) {
        if !value.bytes().all(|b| (0x20..=0x7e).contains(&b)) {
            return Err(CallError::new(
                "invalid-value",
                format!("the value of {key} is not printable ASCII"),
            ));
        }
        return Ok((key.to_owned(), value.to_owned()));
    }
    let mut escaped = String::new();
    for b in value.bytes() {
        if (0x21..=0x7e).contains(&b) && b != b'%' {
            escaped.push(char::from(b));
        } else {
            escaped.push_str(&format!("%{b:02X}"));
        }
    }
    Ok((format!("Creo-Meta-{key}"), escaped))
}

/// Checks fields of the caller: none may affect message framing.
pub fn check_header(name: &str, value: &str) -> Result<(), CallError> {
    const OURS: [&str; 7] =
        ["host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te"];
    let why = if !is_token(name) {
        format!("{name:?} is no name of a field of HTTP")
    } else if OURS.contains(&name.to_ascii_lowercase().as_str()) {
        format!("the field {name} is the program's own")
    } else if !is_value(value.as_bytes()) {
        format!("the value of {name} has control characters")
    } else {
        return Ok(());
    };
    Err(CallError::new("invalid-value", why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Head, String> {
        Head::parse(text.as_bytes()).map_err(|error| format!("{}: {error}", error.code))
    }

    #[test]
    fn heads() {
        let head = parse("HTTP/1.1 200 OK\r\nContent-Type: Text/XML; Charset=\"utf-8\"\r\nA: b\r\n  c\r")
            .expect("a head");
        assert_eq!((head.status, head.reason.as_str(), head.old), (200, "OK", false));
        assert_eq!(
            (head.media_type().as_str(), head.parameter("charset")),
            ("text/xml", Some("utf-8".to_owned()))
        );
        assert_eq!(head.all("a").collect::<Vec<_>>(), ["b   c"]);
        assert_eq!(head.framing(), Ok(Framing::ToTheEnd));
        assert!(parse("HTTP/1.0 204\r").is_ok_and(|head| head.old && head.framing() == Ok(Framing::None)));
        for wrong in [
            "",
            "\r",
            "SSH-2.0-OpenSSH\r",
            "HTTP/2 200 OK\r",
            "HTTP/1.1 20 OK\r",
            "HTTP/1.1 200OK\r",
            "HTTP/1.1 099 OK\r",
            "HTTP/1.1 200 O\u{1b}K\r",
            "HTTP/1.1 200 OK\nA: b\r",
            "HTTP/1.1 200 OK\r\nA : b\r",
            "HTTP/1.1 200 OK\r\n: b\r",
            "HTTP/1.1 200 OK\r\n folded\r",
            "HTTP/1.1 200 OK\r\nA: b\0\r",
        ] {
            assert!(parse(wrong).is_err_and(|why| why.starts_with("protocol-mismatch")), "{wrong:?}");
        }
        assert!(
            parse(&format!("HTTP/1.1 200 OK\r{}", "\nA: b\r".repeat(201)))
                .is_err_and(|why| why.starts_with("too-large"))
        );
    }

    #[test]
    fn two_readers_agree_where_a_body_ends() {
        let framing = |fields: &str| {
            parse(&format!("HTTP/1.1 200 OK\r\n{fields}\r"))
                .and_then(|h| h.framing().map_err(|e| e.to_string()))
        };
        assert_eq!(framing("Content-Length: 12"), Ok(Framing::Length(12)));
        assert_eq!(framing("Content-Length: 12, 12\r\nContent-Length: 12"), Ok(Framing::Length(12)));
        assert_eq!(framing("Transfer-Encoding: Chunked"), Ok(Framing::Chunked));
        for wrong in [
            "Content-Length: ",
            "Content-Length: +1",
            "Content-Length: 1, 2",
            "Content-Length: 9223372036854775808",
            "Content-Length: 1\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        ] {
            assert!(framing(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn fields_of_the_caller() {
        assert!(check_header("X-A", "b c").is_ok());
        for (name, value) in
            [("A b", ""), ("", ""), ("Host", "x"), ("content-LENGTH", "1"), ("A", "b\r\nC: d")]
        {
            assert!(check_header(name, value).is_err(), "{name:?}");
        }
        assert_eq!(metadata_field("a.b", "é %"), Ok(("Creo-Meta-a.b".to_owned(), "%C3%A9%20%25".to_owned())));
        assert_eq!(
            metadata_field("authorization", "Bearer x"),
            Ok(("authorization".to_owned(), "Bearer x".to_owned()))
        );
        assert!(
            metadata_field("A", "").is_err()
                && metadata_field("", "").is_err()
                && metadata_field("traceparent", "\n").is_err()
        );
    }
}
