//! Text and attributes as XML-12 writes them.

use std::io::{self, Write};

fn escaped(text: &str, out: &mut dyn Write, escape: impl Fn(u8) -> Option<&'static str>) -> io::Result<()> {
    let mut from = 0;
    for (at, b) in text.bytes().enumerate() {
        if let Some(reference) = escape(b) {
            out.write_all(&text.as_bytes()[from..at])?;
            out.write_all(reference.as_bytes())?;
            from = at + 1;
        }
    }
    out.write_all(&text.as_bytes()[from..])
}

pub fn text(text: &str, out: &mut dyn Write) -> io::Result<()> {
    escaped(text, out, |b| match b {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'\r' => Some("&#13;"),
        _ => None,
    })
}

pub fn attribute(name: &str, value: &str, out: &mut dyn Write) -> io::Result<()> {
    write!(out, " {name}=\"")?;
    escaped(value, out, |b| match b {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'"' => Some("&quot;"),
        b'\r' => Some("&#13;"),
        b'\t' => Some("&#9;"),
        b'\n' => Some("&#10;"),
        _ => None,
    })?;
    out.write_all(b"\"")
}
