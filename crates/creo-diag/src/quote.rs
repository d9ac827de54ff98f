//! Makes hostile text safe to show.

use std::fmt::Write;

/// A text of the description in backticks for a message: short, on one line, without invisible characters.
pub fn quote(text: &str) -> String {
    const MOST: usize = 60;
    let mut quoted = String::from("`");
    for c in text.chars().take(MOST) {
        if is_hidden(c) {
            let _ = write!(quoted, "U+{:04X}", u32::from(c));
        } else {
            quoted.push(c);
        }
    }
    quoted.push_str(if text.chars().nth(MOST).is_some() { "…`" } else { "`" });
    quoted
}

/// Writes control characters, and characters that change the direction of text, as `\uXXXX`: hostile text can then neither control a
/// terminal nor disguise itself. Line feeds stay: escape those of foreign text first. JSON text stays equivalent.
pub fn escape_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && is_hidden(c) {
            let mut units = [0u16; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Control characters, and marks without width or that change the direction of text.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::{escape_controls, quote};

    #[test]
    fn what_cannot_be_seen_is_spelt_out() {
        assert_eq!(quote("a\u{1b}[2J\u{202e}é"), "`aU+001B[2JU+202Eé`");
        assert_eq!(quote(&"x".repeat(61)), format!("`{}…`", "x".repeat(60)));
    }

    #[test]
    fn nothing_that_drives_a_terminal_comes_through() {
        assert_eq!(
            escape_controls("a\u{1b}[31m\u{202e}b\u{85}\u{7f}é\u{e0001}\n"),
            "a\\u001b[31m\\u202eb\\u0085\\u007fé\\udb40\\udc01\n"
        );
    }
}
