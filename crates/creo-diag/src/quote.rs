//! Text of a description within a message.

use std::fmt::Write;

/// A text of the description between backticks, for a message: short, on one line, and with nothing in it that cannot be seen.
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

/// Control characters, and marks that turn the direction of text or have no width.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn what_cannot_be_seen_is_spelt_out() {
        assert_eq!(quote("a\u{1b}[2J\u{202e}é"), "`aU+001B[2JU+202Eé`");
        assert_eq!(quote(&"x".repeat(61)), format!("`{}…`", "x".repeat(60)));
    }
}
