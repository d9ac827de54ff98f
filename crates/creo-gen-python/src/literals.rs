//! Literals and comments of Python. Texts from a description are hostile: all of them go through here.

use creo_codegen::wrap_doc;

/// The max width of generated lines.
pub const WIDTH: usize = 100;

/// An ASCII string literal, with the quotes that need fewer escapes.
pub fn string(text: &str) -> String {
    let quote = if text.matches('"').count() > text.matches('\'').count() { '\'' } else { '"' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(c),
            c if u32::from(c) < 0x100 => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c if u32::from(c) < 0x1_0000 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    out.push(quote);
    out
}

/// A string literal of one UTF-16 code unit, which may be a surrogate.
pub fn char(unit: u16) -> String {
    match char::from_u32(u32::from(unit)) {
        Some(c) => string(c.encode_utf8(&mut [0; 4])),
        None => format!("\"\\u{unit:04x}\""),
    }
}

/// A floating-point literal that round-trips.
pub fn float(value: f64) -> String {
    if value.is_nan() {
        "float(\"nan\")".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "float(\"inf\")".to_owned() } else { "float(\"-inf\")".to_owned() }
    } else {
        format!("{value:?}")
    }
}

/// The lines of a docstring with its quotes, for an indentation of `indent` columns.
///
/// A deprecation is added at the end. Long lines are broken between words.
pub fn docstring(doc: Option<&str>, deprecated: Option<&str>, indent: usize) -> Vec<String> {
    let mut text: Vec<String> = doc.map(wrap_doc).unwrap_or_default();
    if let Some(reason) = deprecated {
        if !text.is_empty() {
            text.push(String::new());
        }
        let reason = wrap_doc(reason).join(" ");
        text.push(if reason.trim().is_empty() {
            "Deprecated.".to_owned()
        } else {
            format!("Deprecated: {}", reason.trim())
        });
    }
    let mut lines: Vec<String> = Vec::new();
    for line in text {
        break_line(&line.replace('\\', "\\\\").replace('"', "\\\""), WIDTH - indent, &mut lines);
    }
    // As formatters do: no white space at the beginning, no empty lines at the end.
    while lines.last().is_some_and(|l| l.trim().is_empty()) {
        lines.pop();
    }
    while lines.first().is_some_and(|l| l.trim().is_empty()) {
        lines.remove(0);
    }
    let Some(first) = lines.first_mut() else { return Vec::new() };
    *first = format!("\"\"\"{}", unescape_quotes(first.trim_start()));
    for line in lines.iter_mut().skip(1) {
        *line = unescape_quotes(line);
    }
    // Formatters differ about a quote or a backslash before the closing quotes: it is written by its number.
    if let Some(last) = lines.last_mut() {
        for (end, code) in [("\\\"", "\\x22"), ("\\\\", "\\x5c")] {
            if let Some(text) = last.strip_suffix(end) {
                *last = format!("{text}{code}");
                break;
            }
        }
    }
    if lines.len() == 1 && lines[0].chars().count() + indent + 3 <= WIDTH {
        lines[0].push_str("\"\"\"");
    } else {
        lines.push("\"\"\"".to_owned());
    }
    lines
}

/// Escapes quotes only where three could be adjacent.
fn unescape_quotes(line: &str) -> String {
    if line.contains("\\\"\\\"") || line.ends_with("\\\"") || line.starts_with("\\\"") {
        line.to_owned()
    } else {
        line.replace("\\\"", "\"")
    }
}

fn break_line(line: &str, width: usize, out: &mut Vec<String>) {
    // Room for the quotes on the first line.
    let width = width.saturating_sub(3);
    if line.chars().count() <= width {
        out.push(line.to_owned());
        return;
    }
    let hang: String = line.chars().take_while(|c| *c == ' ').take(20).collect();
    let mut now = String::new();
    for word in line.split(' ').filter(|w| !w.is_empty()) {
        if !now.trim().is_empty() && now.chars().count() + 1 + word.chars().count() > width {
            out.push(std::mem::take(&mut now));
        }
        if now.is_empty() {
            now.push_str(&hang);
        } else {
            now.push(' ');
        }
        now.push_str(word);
    }
    out.push(now);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_ascii_and_escaped() {
        assert_eq!(string("a\\b\n"), r#""a\\b\n""#);
        assert_eq!(string("say \"hi\""), r#"'say "hi"'"#);
        assert_eq!(string("'\""), r#""'\"""#);
        assert_eq!(string("\u{e9}\u{20ac}\u{1f600}\0"), r#""\xe9\u20ac\U0001f600\x00""#);
        assert_eq!(char(0xd800), r#""\ud800""#);
        assert_eq!(char(b'\'' as u16), r#""'""#);
    }

    #[test]
    fn floats_read_back() {
        assert_eq!(float(0.5), "0.5");
        assert_eq!(float(-1.0e300), "-1e300");
        assert_eq!(float(f64::NEG_INFINITY), "float(\"-inf\")");
    }

    #[test]
    fn docs_cannot_end_their_string() {
        assert_eq!(docstring(Some("A \"quoted\" word."), None, 4), [r#""""A "quoted" word.""""#]);
        assert_eq!(docstring(Some("\"\"\"; import os"), None, 0), [r#""""\"\"\"; import os""""#]);
        assert_eq!(docstring(Some("ends in \\"), None, 0), [r#""""ends in \x5c""""#]);
        assert_eq!(docstring(Some("ends in \""), None, 0), [r#""""ends in \x22""""#]);
        assert_eq!(
            docstring(Some("two\nlines"), Some(""), 0),
            ["\"\"\"two", "lines", "", "Deprecated.", "\"\"\""]
        );
        assert!(docstring(None, None, 0).is_empty());
    }

    #[test]
    fn long_docs_are_broken_between_words() {
        let lines = docstring(Some(&"word ".repeat(60)), None, 8);
        assert!(lines.iter().all(|l| l.len() <= WIDTH - 8), "{lines:?}");
        assert!(lines.len() > 3);
    }
}
