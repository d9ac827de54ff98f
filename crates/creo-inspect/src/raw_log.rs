//! Raw messages in a log (CALL-68), read back. A log may hold anything else, too.

use crate::annotate::Section;
use crate::decode::{annotate, annotate_error};
use crate::{Limits, Subject};
use creo_model::{Method, Model};
use serde_json::Value;

/// How the first line of a message names its direction and kind, and what is before the peer.
const HEADS: [(&str, bool, bool, &str); 4] = [
    ("sent request", true, false, " to "),
    ("sent answer", true, true, " to "),
    ("received request", false, false, " from "),
    ("received answer", false, true, " from "),
];

/// The media type of the binary wire over JMS.
const BINARY: &str = "application/vnd.creo.binary";

/// A message of the binary wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The number of its first line in the log.
    pub line: usize,
    /// Its first line, without what the log has before it.
    pub head: String,
    pub sent: bool,
    pub answer: bool,
    /// The full name of the interface, a dot and the name of the method, if it was known.
    pub method: Option<String>,
    /// The size of the whole body in bytes.
    pub length: u64,
    pub fields: Vec<(String, String)>,
    /// The body, or its first bytes; empty if it was hidden.
    pub body: Vec<u8>,
    /// How many bytes after them were left out.
    pub cut: u64,
    /// Why the body is not shown.
    pub hidden: Option<String>,
}

impl Logged {
    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// `request`, `oneway`, `response`, `exception`, `error`, or what a peer wrote instead.
    pub fn kind(&self) -> &str {
        let told = self.field("kind").or_else(|| self.field("Creo_kind"));
        told.unwrap_or(if self.answer { "response" } else { "request" })
    }

    /// The bytes with their meaning, and their value, as a message of this method; `None` if there is no such message. That a message ends early
    /// is no mistake if it was cut.
    pub fn annotate(
        &self,
        model: &Model,
        method: Option<&Method>,
        limits: &Limits,
        shown: usize,
    ) -> Option<(Section, Option<Value>)> {
        let (mut section, outcome) = match (self.kind(), method) {
            ("error", _) => {
                let (items, outcome) = annotate_error(model, &self.body, limits, shown);
                let mistake =
                    outcome.as_ref().err().map(|error| (error.offset.min(self.body.len()), error.clone()));
                let section =
                    Section { title: "error".to_owned(), bytes: self.body.clone(), base: 0, items, mistake };
                (section, outcome)
            }
            (kind, Some(method)) => {
                let subject = match kind {
                    "request" | "oneway" => Subject::Request(method),
                    "response" => Subject::Response(method),
                    "exception" => Subject::Exception(method),
                    _ => return None,
                };
                annotate(model, &subject, &self.body, limits, shown)
            }
            (_, None) => return None,
        };
        if self.cut > 0 {
            section.mistake = None;
        }
        Some((section, outcome.ok().filter(|_| self.cut == 0)))
    }

    fn is_binary(&self) -> bool {
        let first = |at: usize| self.fields.get(at).map(|(name, value)| (name.as_str(), value.as_str()));
        let over_tcp = first(0).is_some_and(|(name, wire)| {
            name == "wire" && (wire == "binary" || first(1) == Some(("kind", "error")))
        });
        over_tcp
            || self.field("SOAPJMS_contentType").is_some_and(|found| {
                found.split(';').next().is_some_and(|name| name.trim().eq_ignore_ascii_case(BINARY))
            })
    }
}

/// What is wrong with a line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError {
    pub line: usize,
    pub message: String,
}

/// The messages of the binary wire in a log. Their first line may have something before it; other lines and messages are skipped.
pub fn read_log(text: &str) -> Result<Vec<Logged>, LogError> {
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line)).peekable();
    let mut found = Vec::new();
    while let Some((line, first)) = lines.next() {
        let Some(mut message) = head(line, first) else { continue };
        let mut rest = Vec::new();
        while let Some((line, more)) = lines.next_if(|(_, next)| continues(next)) {
            rest.push((line, more.strip_prefix("| ").unwrap_or_default()));
        }
        let end = rest.iter().position(|(_, text)| !is_field(text)).unwrap_or(rest.len());
        message.fields = rest[..end]
            .iter()
            .filter_map(|(_, text)| text.split_once(": "))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        if message.is_binary() {
            read_body(&mut message, &rest[end..])?;
            found.push(message);
        }
    }
    Ok(found)
}

fn continues(line: &str) -> bool {
    line.starts_with("| ") || line == "|"
}

fn is_field(text: &str) -> bool {
    text.contains(": ") && !text.starts_with('(')
}

fn head(line: usize, text: &str) -> Option<Logged> {
    HEADS.iter().find_map(|(words, sent, answer, way)| {
        text.match_indices(words).find_map(|(at, _)| {
            let rest = &text[at + words.len()..];
            let (method, rest) = match rest.strip_prefix(" of ") {
                Some(named) => named.split_once(way).map(|(method, rest)| (Some(method.to_owned()), rest))?,
                None => (None, rest.strip_prefix(way)?),
            };
            let (_, length) = rest.trim_end().strip_suffix(" bytes")?.rsplit_once(", ")?;
            Some(Logged {
                line,
                head: text[at..].trim_end().to_owned(),
                sent: *sent,
                answer: *answer,
                method,
                length: length.parse().ok()?,
                fields: Vec::new(),
                body: Vec::new(),
                cut: 0,
                hidden: None,
            })
        })
    })
}

fn read_body(message: &mut Logged, lines: &[(usize, &str)]) -> Result<(), LogError> {
    for &(line, text) in lines.iter().filter(|(_, text)| !text.is_empty()) {
        let wrong = |message: String| Err(LogError { line, message });
        if message.cut > 0 || message.hidden.is_some() {
            return wrong("more of a message whose end was before".to_owned());
        }
        if let Some(reason) = inner(text, "(the body is not shown: ", ")") {
            message.hidden = Some(reason.to_owned());
        } else if let Some(count) = inner(text, "(", " more bytes)") {
            match count.parse() {
                Ok(cut) if cut > 0 => message.cut = cut,
                _ => return wrong(format!("{count:?} is no number of bytes")),
            }
        } else if let Err(why) = read_row(&mut message.body, text) {
            return wrong(why);
        }
    }
    let read = message.body.len() as u64 + message.cut;
    if message.hidden.is_none() && read != message.length {
        let line = lines.last().map_or(message.line, |(line, _)| *line);
        let why =
            format!("the message of line {} has {} bytes, and {read} are here", message.line, message.length);
        return Err(LogError { line, message: why });
    }
    Ok(())
}

fn inner<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

/// A line of the body: the offset of its first byte, and up to 16 bytes.
fn read_row(body: &mut Vec<u8>, text: &str) -> Result<(), String> {
    let mut words = text.split_ascii_whitespace();
    let offset = words.next().unwrap_or_default();
    if offset.parse() != Ok(body.len()) {
        return Err(format!("the offset {} is due, not {offset:?}", body.len()));
    }
    for word in words {
        let digits = word.len() == 2 && word.bytes().all(|b| b.is_ascii_hexdigit());
        match u8::from_str_radix(word, 16) {
            Ok(byte) if digits => body.push(byte),
            _ => return Err(format!("a byte is two hexadecimal digits, not {word:?}")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_between_other_lines() {
        let log = "\
2026-11-29 INFO [creo.raw] sent request of a.B.c to h:1, 18 bytes
| wire: binary
| kind: request
| x: (y): z
| 
|      0  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f
|     16  10
| (1 more bytes)
something else, sent request, of no bytes
sent answer to h:1, status 200, 1 bytes
| wire: other
|
| x
received answer from h:1, 9 bytes
| wire: binary
|
| (the body is not shown: it is of the binary wire)
received request from h:1, 0 bytes
| wire: binary
received answer of a.B.c from h:1, 2 bytes
| wire: tdxml
| kind: response
|
| ok
received answer of a.B.c from h:1, 3 bytes
| wire: tdxml
| kind: error
|
|      0  0a 00 00
sent answer of a.B.c to h, 3 bytes
| SOAPJMS_contentType: Application/vnd.creo.binary
| Creo_kind: error
| (3 more bytes)
";
        let found = read_log(log).expect("a log");
        assert_eq!(found.iter().map(|m| m.line).collect::<Vec<_>>(), [1, 14, 18, 25, 30]);
        assert_eq!(found[0].head, "sent request of a.B.c to h:1, 18 bytes");
        assert_eq!(found[0].method.as_deref(), Some("a.B.c"));
        assert_eq!(found[0].field("x"), Some("(y): z"));
        assert_eq!(found[0].body, (0..17).collect::<Vec<u8>>());
        assert_eq!((found[0].cut, found[0].kind()), (1, "request"));
        assert_eq!(found[1].hidden.as_deref(), Some("it is of the binary wire"));
        assert_eq!((found[1].method.as_deref(), found[1].kind()), (None, "response"));
        assert_eq!((found[3].body.as_slice(), found[3].kind()), (&[10, 0, 0][..], "error"));
        assert_eq!((found[4].cut, found[4].kind()), (3, "error"));
    }

    #[test]
    fn what_is_wrong_says_its_line() {
        let wrong = |body: &str| {
            let log = format!("x\nsent request of a.B.c to h, 2 bytes\n| wire: binary\n| \n{body}");
            let error = read_log(&log).expect_err(body);
            format!("{}: {}", error.line, error.message)
        };
        assert_eq!(wrong("|      0  0 01"), "5: a byte is two hexadecimal digits, not \"0\"");
        assert_eq!(wrong("|      0  +1 01"), "5: a byte is two hexadecimal digits, not \"+1\"");
        assert_eq!(wrong("|      1  00 01"), "5: the offset 0 is due, not \"1\"");
        assert_eq!(wrong("|      0  00"), "5: the message of line 2 has 2 bytes, and 1 are here");
        assert_eq!(wrong(""), "4: the message of line 2 has 2 bytes, and 0 are here");
        assert_eq!(wrong("|      0  00\n| (x more bytes)"), "6: \"x\" is no number of bytes");
        assert_eq!(wrong("| (2 more bytes)\n|      0  00"), "6: more of a message whose end was before");
    }
}
