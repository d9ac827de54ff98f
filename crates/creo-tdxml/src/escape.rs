//! TDX-12: values in rows.

use std::io::{self, Write};

fn letter(b: u8) -> Option<&'static [u8]> {
    Some(match b {
        b'\n' => b"\\n",
        b'\r' => b"\\r",
        b'|' => b"\\|",
        b'\\' => b"\\\\",
        b'&' => b"\\a",
        b'<' => b"\\l",
        b'>' => b"\\g",
        _ => return None,
    })
}

/// Writes a piece of a value. `first`: it begins the value.
pub fn write(text: &str, first: bool, out: &mut dyn Write) -> io::Result<()> {
    if first && text.starts_with('~') {
        out.write_all(b"\\")?;
    }
    let mut from = 0;
    for (at, b) in text.bytes().enumerate() {
        if let Some(escape) = letter(b) {
            out.write_all(&text.as_bytes()[from..at])?;
            out.write_all(escape)?;
            from = at + 1;
        }
    }
    out.write_all(&text.as_bytes()[from..])
}

/// The meaning of an escaped character.
pub fn meaning(c: char) -> Option<char> {
    Some(match c {
        'n' => '\n',
        'r' => '\r',
        'a' => '&',
        'l' => '<',
        'g' => '>',
        '|' | '\\' | '~' => c,
        _ => return None,
    })
}
