//! Values and texts as C source. All strings go through one function: any content of a description becomes a single literal.

use creo_codegen::wrap_doc;
use std::fmt::Write as _;

/// The max length of a string literal in every C11 compiler.
const LONGEST_LITERAL: usize = 4000;

/// Text as a C expression of type `const char *`: printable ASCII unchanged, everything else in octal, `?` escaped against trigraphs.
pub fn string(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for byte in text.bytes() {
        match byte {
            b'"' => literal.push_str("\\\""),
            b'\\' => literal.push_str("\\\\"),
            b'?' => literal.push_str("\\?"),
            b'\n' => literal.push_str("\\n"),
            b' '..=b'~' => literal.push(char::from(byte)),
            _ => {
                let _ = write!(literal, "\\{byte:03o}");
            }
        }
    }
    literal.push('"');
    literal
}

/// The lines that declare a static array with the bytes of a text that is too long for a literal, or nothing.
pub fn long_string(name: &str, text: &str) -> Option<Vec<String>> {
    if text.len() <= LONGEST_LITERAL {
        return None;
    }
    let bytes: Vec<String> = text.bytes().map(|byte| format!("'\\{byte:03o}'")).collect();
    let mut lines = vec![format!("static const char {name}[] = {{")];
    lines.extend(bytes.chunks(16).map(|chunk| format!("    {},", chunk.join(", "))));
    lines.push("};".to_owned());
    Some(lines)
}

/// An integer that fits `int`, or a wider one with the right suffix.
pub fn integer(value: i64) -> String {
    if value == i64::MIN {
        "INT64_MIN".to_owned()
    } else if value == i64::from(i32::MIN) {
        "INT32_MIN".to_owned()
    } else if i32::try_from(value).is_ok() {
        value.to_string()
    } else {
        format!("INT64_C({value})")
    }
}

pub fn double(value: f64) -> String {
    if value.is_finite() {
        format!("{value:?}")
    } else {
        format!("creo_double_of(UINT64_C(0x{:016x}))", value.to_bits())
    }
}

/// A `float`, from the value rounded to binary32.
#[allow(clippy::cast_possible_truncation)] // The model's value is already rounded.
pub fn float(value: f64) -> String {
    let value = value as f32;
    if value.is_finite() {
        format!("{value:?}f")
    } else {
        format!("creo_float_of(0x{:08x}u)", value.to_bits())
    }
}

/// The lines of a documentation comment. No text can end it early: `*/`, `/*`, trigraphs and a backslash at the end of a line are broken up.
pub fn comment(doc: Option<&str>, deprecated: Option<&str>) -> Vec<String> {
    let mut lines: Vec<String> =
        doc.map(|doc| wrap_doc(doc).iter().map(|line| tame(line)).collect()).unwrap_or_default();
    if let Some(text) = deprecated {
        let mut reason = wrap_doc(text).into_iter();
        let first = reason.next().unwrap_or_default();
        lines.push(format!("@deprecated {}", tame(&first)).trim_end().to_owned());
        lines.extend(reason.map(|line| tame(&line)));
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    match lines.as_slice() {
        [] => Vec::new(),
        [one] => vec![format!("/** {one} */")],
        many => {
            let body =
                many.iter().map(|line| if line.is_empty() { " *".to_owned() } else { format!(" * {line}") });
            std::iter::once("/**".to_owned()).chain(body).chain(std::iter::once(" */".to_owned())).collect()
        }
    }
}

fn tame(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for letter in line.chars() {
        let last = text.chars().next_back();
        let joins = matches!((last, letter), (Some('*'), '/') | (Some('/'), '*') | (Some('?'), '?'));
        if joins {
            text.push(' ');
        }
        text.push(letter);
    }
    // A line of the comment begins with `*` and a space, and its end is followed by ` */` or a line break.
    if text.ends_with('\\') {
        text.push_str(" .");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_hold_anything() {
        assert_eq!(string("a\"b\\c??/\n\u{e9}\u{0}1"), "\"a\\\"b\\\\c\\?\\?/\\n\\303\\251\\0001\"");
        assert!(long_string("x", "short").is_none());
        let lines = long_string("x", &"a".repeat(5000)).unwrap_or_default();
        assert_eq!(lines[0], "static const char x[] = {");
        assert!(lines[1].starts_with("    '\\141', "));
    }

    #[test]
    fn numbers() {
        assert_eq!(integer(i64::MIN), "INT64_MIN");
        assert_eq!(integer(-2_147_483_648), "INT32_MIN");
        assert_eq!(integer(2_147_483_648), "INT64_C(2147483648)");
        assert_eq!(integer(-1), "-1");
        assert_eq!(double(-1.0e300), "-1e300");
        assert_eq!(double(1.0), "1.0");
        assert_eq!(double(f64::INFINITY), "creo_double_of(UINT64_C(0x7ff0000000000000))");
        assert_eq!(float(0.5), "0.5f");
        assert_eq!(double(-0.0), "-0.0");
    }

    #[test]
    fn comments_end_where_they_should() {
        let lines = comment(Some("evil */ int x; /* ??/\nline\\\n/\u{202e}"), Some("because */"));
        let text = lines.join("\n");
        assert_eq!(text.matches("*/").count(), 1, "{text}");
        assert_eq!(text.matches("/*").count(), 1, "{text}");
        assert!(!text.contains("??"), "{text}");
        assert!(!text.lines().any(|line| line.ends_with('\\')), "{text}");
        assert_eq!(comment(Some("One."), None), ["/** One. */"]);
        assert_eq!(comment(Some("/"), None), ["/** / */"]);
        assert!(comment(None, None).is_empty());
        assert_eq!(comment(None, Some("")), ["/** @deprecated */"]);
    }
}
