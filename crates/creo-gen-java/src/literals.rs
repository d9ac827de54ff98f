//! Literals and comments of Java. All text of a description passes through here. Generated files are pure ASCII: no compiler reads them in
//! another encoding.

use crate::names::{ClassName, Scope};
use crate::scalars::scalar;
use creo_codegen::wrap_doc;
use creo_model::{Literal, Primitive};

/// The max characters of one string constant: a class file allows 65,535 bytes.
const LONGEST: usize = 10_000;

/// A quoted string.
pub fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Not as Unicode escapes, which Java replaces before it parses lines and strings.
            c if (c as u32) < 0x20 || c as u32 == 0x7f => out.push_str(&format!("\\{:03o}", c as u32)),
            c if c.is_ascii() => out.push(c),
            c => {
                let mut units = [0u16; 2];
                c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
            }
        }
    }
    out.push('"');
    out
}

/// A string of any length, as an expression.
pub fn long_string(text: &str, scope: &Scope) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= LONGEST {
        return string(text);
    }
    let parts: Vec<String> =
        chars.chunks(LONGEST).map(|part| string(&part.iter().collect::<String>())).collect();
    format!("{}.join(\"\", {})", scope.statics(&ClassName::new("java.lang", "String")), parts.join(", "))
}

/// A default value for a field of the primitive type `ty`, if it is one.
pub fn literal(value: &Literal, ty: Option<Primitive>, empty: &str, constant: &str, scope: &Scope) -> String {
    let (before, after) = ty.map_or(("", ""), |primitive| scalar(primitive).affixes);
    match value {
        Literal::Boolean(v) => v.to_string(),
        Literal::Integer(v) => format!("{before}{v}{after}"),
        Literal::Char(unit) => match u8::try_from(*unit) {
            Ok(c) if c.is_ascii_graphic() && c != b'\'' && c != b'\\' => format!("'{}'", c as char),
            _ => format!("(char) {unit}"),
        },
        Literal::Number(v) => number(*v, after),
        Literal::String(text) => long_string(text, scope),
        Literal::DateTime(seconds, nanos) => {
            format!(
                "{}.ofEpochSecond({seconds}L, {nanos})",
                scope.statics(&ClassName::new("java.time", "Instant"))
            )
        }
        Literal::Decimal(text) => format!("new {}({})", scope.jdk("java.math", "BigDecimal"), string(text)),
        Literal::Constant(..) => constant.to_owned(),
        Literal::Empty => empty.to_owned(),
    }
}

fn number(v: f64, suffix: &str) -> String {
    if v.is_nan() {
        return format!("0.0{suffix} / 0.0{suffix}");
    }
    if v.is_infinite() {
        return format!("{}1.0{suffix} / 0.0{suffix}", if v < 0.0 { "-" } else { "" });
    }
    // The shortest digits that round-trip.
    if suffix.is_empty() { format!("{v:?}") } else { format!("{:?}{suffix}", v as f32) }
}

/// Documentation as the lines of a Javadoc comment, without its stars. No text can end the comment, form a tag or markup, or be read as a
/// Unicode escape.
pub fn doc(text: &str) -> Vec<String> {
    wrap_doc(text).iter().map(|line| doc_line(line)).collect()
}

fn doc_line(line: &str) -> String {
    let mut out = String::new();
    for c in line.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            '\\' => out.push_str("&#92;"),
            '{' => out.push_str("&#123;"),
            '}' => out.push_str("&#125;"),
            '*' => out.push_str("&#42;"),
            c if c.is_ascii() => out.push(c),
            c => out.push_str(&format!("&#x{:x};", c as u32)),
        }
    }
    out
}

/// The lines of a Javadoc comment: a text, then tags with a name and a text each.
pub fn comment(text: &[String], tags: &[(String, Vec<String>)]) -> Vec<String> {
    let text: Vec<&String> = text.iter().collect();
    if text.len() == 1 && tags.is_empty() {
        return vec![format!("/** {} */", text[0])];
    }
    let mut lines = vec!["/**".to_owned()];
    let star = |line: &str| if line.is_empty() { " *".to_owned() } else { format!(" * {line}") };
    lines.extend(text.iter().map(|line| star(line)));
    if !text.is_empty() && !tags.is_empty() {
        lines.push(" *".to_owned());
    }
    for (tag, about) in tags {
        let mut about = about.iter();
        lines.push(format!(" * {tag} {}", about.next().map_or("", String::as_str)).trim_end().to_owned());
        lines.extend(about.map(|line| star(line)));
    }
    lines.push(" */".to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{Inside, Taken};

    #[test]
    fn strings_hold_no_character_that_ends_them() {
        assert_eq!(string("a\"b\\c\n\u{0}\u{7f}"), "\"a\\\"b\\\\c\\n\\000\\177\"");
        assert_eq!(string("\u{e9}\u{1f600}"), "\"\\u00e9\\ud83d\\ude00\"");
        assert_eq!(string("\\u0022"), "\"\\\\u0022\"");
    }

    #[test]
    fn docs_cannot_leave_their_comment() {
        assert_eq!(
            doc("*/ class X {} /* @param \\u002a\\u002f <b>\u{e9}"),
            ["&#42;/ class X &#123;&#125; /&#42; &#64;param &#92;u002a&#92;u002f &lt;b&gt;&#xe9;"]
        );
    }

    #[test]
    fn literals() {
        let taken = Taken::default();
        let scope = Scope::new("p", &taken, Inside::default());
        let of = |value: &Literal, ty: Primitive| literal(value, Some(ty), "", "", &scope);
        assert_eq!(of(&Literal::Integer(-128), Primitive::Byte), "(byte) -128");
        assert_eq!(of(&Literal::Integer(i64::MIN), Primitive::Long), "-9223372036854775808L");
        assert_eq!(of(&Literal::Integer(7), Primitive::Int), "7");
        assert_eq!(of(&Literal::Char(39), Primitive::Char), "(char) 39");
        assert_eq!(of(&Literal::Char(120), Primitive::Char), "'x'");
        assert_eq!(of(&Literal::Number(0.1f32 as f64), Primitive::Float), "0.1f");
        assert_eq!(of(&Literal::Number(-1.0e300), Primitive::Double), "-1e300");
        assert_eq!(of(&Literal::Number(-0.0), Primitive::Double), "-0.0");
        assert_eq!(of(&Literal::Number(f64::NEG_INFINITY), Primitive::Double), "-1.0 / 0.0");
    }

    #[test]
    fn a_very_long_string_is_joined() {
        let taken = Taken::default();
        let scope = Scope::new("p", &taken, Inside::default());
        assert!(long_string(&"x".repeat(30_000), &scope).starts_with("String.join(\"\", \"x"));
    }
}
