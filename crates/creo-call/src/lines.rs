//! The lines of a stream over HTTP (HTTP-30).

use crate::called::Called;
use crate::error::CallError;
use crate::json::parsed_text;
use crate::source::of_item;
use creo_inspect::{Limits, Subject, decode, encode};
use creo_model::Type;
use serde_json::Value;

/// The media type of a stream.
pub const LINES: &str = "application/x-ndjson";
/// The last line of a stream that ends.
pub const LAST: &str = "{\"end\":true}\n";

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// White space.
    Nothing,
    Item(Value),
    End,
    /// The problem document that ends a stream of results.
    Error(Value),
}

/// Cuts a body into lines.
pub struct Lines {
    bytes: Vec<u8>,
    /// Up to where there is no LF.
    scanned: usize,
    most: usize,
}

impl Lines {
    /// Of at most so many bytes each (HTTP-36).
    pub fn new(most: usize) -> Lines {
        Lines { bytes: Vec::new(), scanned: 0, most }
    }

    /// Adds what has come, and takes the lines that are complete, without their LF. An error is that of the line after those.
    pub fn add(&mut self, piece: &[u8], complete: &mut Vec<Vec<u8>>) -> Result<(), CallError> {
        self.bytes.extend_from_slice(piece);
        let mut start = 0;
        let fits = loop {
            let lf = self.bytes[self.scanned..].iter().position(|b| *b == b'\n');
            let end = lf.map_or(self.bytes.len(), |lf| self.scanned + lf);
            if end - start > self.most {
                break false;
            }
            if lf.is_none() {
                self.scanned = end;
                break true;
            }
            complete.push(self.bytes[start..end].to_vec());
            start = end + 1;
            self.scanned = start;
        };
        self.bytes.drain(..start);
        self.scanned -= start;
        if fits { Ok(()) } else { Err(too_large(self.most)) }
    }
}

fn too_large(most: usize) -> CallError {
    let message = format!("a line has more bytes than maxMessageSize, which is {most}");
    CallError { place: Some("$items".to_owned()), ..CallError::new("too-large", message) }
}

fn malformed(message: &str) -> CallError {
    CallError { place: Some("$items".to_owned()), ..CallError::new("malformed", message) }
}

/// What a line without its LF says.
pub fn read(line: &[u8]) -> Result<Line, CallError> {
    let line = trim(line);
    if line.is_empty() {
        return Ok(Line::Nothing);
    }
    let members = line.strip_prefix(b"{").and_then(|rest| rest.strip_suffix(b"}")).map(trim);
    let members = members.ok_or_else(|| malformed("a line is not an object with one member"))?;
    let of = |name: &[u8]| {
        let value = trim(members.strip_prefix(name)?).strip_prefix(b":")?;
        Some(trim(value))
    };
    // What follows a first member is no JSON here.
    let value = |bytes| {
        parsed_text(bytes, "the member of a line").map_err(|error| CallError {
            place: Some("$items".to_owned()),
            offset: None,
            ..error
        })
    };
    if let Some(item) = of(b"\"item\"") {
        return value(item).map(Line::Item);
    }
    if let Some(problem) = of(b"\"error\"") {
        return value(problem).map(Line::Error);
    }
    match of(b"\"end\"") {
        Some(b"true") => Ok(Line::End),
        Some(_) => Err(malformed("the end of a stream is not true")),
        None => Err(malformed("the member of a line is not \"item\", \"end\" or \"error\"")),
    }
}

/// Without the white space of JSON at both ends.
fn trim(bytes: &[u8]) -> &[u8] {
    let is_space = |b: &u8| b" \t\r\n".contains(b);
    let start = bytes.iter().position(|b| !is_space(b)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|b| !is_space(b)).map_or(start, |last| last + 1);
    &bytes[start..end]
}

/// Checks an item that came, by its position in the stream.
pub fn received(
    called: &Called<'_>,
    ty: &Type,
    item: &Value,
    number: u64,
    limits: &Limits,
) -> Result<Value, CallError> {
    let subject = Subject::Type(ty);
    encode(called.model, &subject, item, limits)
        .map_err(CallError::of_received)
        .and_then(|bytes| decode(called.model, &subject, &bytes, limits).map_err(CallError::of_wire))
        .map_err(|error| of_item(error, number))
}

/// The line of an item to send, by its position in the stream.
pub fn line(
    called: &Called<'_>,
    ty: &Type,
    item: &Value,
    number: u64,
    limits: &Limits,
) -> Result<String, CallError> {
    let subject = Subject::Type(ty);
    let normal = encode(called.model, &subject, item, limits)
        .map_err(CallError::of_value)
        .and_then(|bytes| decode(called.model, &subject, &bytes, limits).map_err(CallError::of_wire))
        .map_err(|error| of_item(error, number))?;
    let line = format!("{{\"item\":{normal}}}\n");
    // Without its LF.
    if line.len() - 1 > limits.max_message_size {
        let place = Some(format!("$items[{number}]"));
        return Err(CallError { place, ..too_large(limits.max_message_size) });
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn cut(lines: &mut Lines, piece: &str) -> (Vec<String>, bool) {
        let mut complete = Vec::new();
        let fits = lines.add(piece.as_bytes(), &mut complete).is_ok();
        (complete.into_iter().map(|line| String::from_utf8(line).expect("UTF-8")).collect(), fits)
    }

    #[test]
    fn pieces_become_lines() {
        let mut lines = Lines::new(5);
        let text = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        assert_eq!(cut(&mut lines, "ab"), (vec![], true));
        assert_eq!(cut(&mut lines, "c\n\nd\r\ne"), (text(&["abc", "", "d\r"]), true));
        assert_eq!(cut(&mut lines, "1234\n"), (text(&["e1234"]), true));
        assert_eq!(cut(&mut lines, "1\n123456\n2\n"), (text(&["1"]), false));
        assert_eq!(cut(&mut Lines::new(5), "12345"), (vec![], true));
        assert_eq!(cut(&mut Lines::new(5), "123456"), (vec![], false));
    }

    #[test]
    fn a_line_has_one_member() {
        let read = |line: &str| read(line.as_bytes()).map_err(|error| (error.code, error.place));
        assert_eq!(read(" \t\r"), Ok(Line::Nothing));
        assert_eq!(read(""), Ok(Line::Nothing));
        assert_eq!(read("{\"item\":[1,{}]}"), Ok(Line::Item(json!([1, {}]))));
        assert_eq!(read("\t{ \"item\" : null } \r"), Ok(Line::Item(Value::Null)));
        assert_eq!(read("{\"end\": true }"), Ok(Line::End));
        assert_eq!(read("{\"error\":{\"type\":\"x\"}}"), Ok(Line::Error(json!({ "type": "x" }))));
        for wrong in [
            "{}",
            "{",
            "}",
            "[1]",
            "\u{feff}{\"end\":true}",
            "{\"end\":false}",
            "{\"end\":1}",
            "{\"end\":true,\"item\":1}",
            "{\"item\":1,\"item\":1}",
            "{\"item\":1,\"end\":true}",
            "{\"item\":1}{\"item\":2}",
            "{\"item\":}",
            "{\"item\"}",
            "{\"item\" 1}",
            "{\"items\":1}",
            "{\"\\u0069tem\":1}",
            "{\"Item\":1}",
            "{\"error\":{}x}",
            "{\"item\":\"\u{1}\"}",
            "data: {\"item\":1}",
        ] {
            assert_eq!(read(wrong), Err(("malformed", Some("$items".to_owned()))), "{wrong}");
        }
        let deep = format!("{{\"item\":{}{}}}", "[".repeat(501), "]".repeat(501));
        assert_eq!(read(&deep), Err(("too-large", Some("$items".to_owned()))));
        assert_eq!(super::read(b"{\"item\":\"\xff\"}").map_err(|error| error.code), Err("malformed"));
    }
}
