//! Values of the description as C# source.

use crate::scalars::{Ty, scalar};
use creo_model::{Literal, Type};

/// A string literal. Everything except printable ASCII is escaped: no text can end it or change the direction of the line.
pub fn string(text: &str) -> String {
    let mut literal = String::from("\"");
    for unit in text.encode_utf16() {
        push(&mut literal, unit, '"');
    }
    literal.push('"');
    literal
}

/// A character literal.
pub fn character(unit: u16) -> String {
    let mut literal = String::from("'");
    push(&mut literal, unit, '\'');
    literal.push('\'');
    literal
}

fn push(literal: &mut String, unit: u16, quote: char) {
    match u8::try_from(unit).map(char::from) {
        Ok('\\') => literal.push_str("\\\\"),
        Ok('\n') => literal.push_str("\\n"),
        Ok('\r') => literal.push_str("\\r"),
        Ok('\t') => literal.push_str("\\t"),
        Ok(c) if c == quote => {
            literal.push('\\');
            literal.push(c);
        }
        Ok(c) if c == ' ' || c.is_ascii_graphic() => literal.push(c),
        _ => literal.push_str(&format!("\\u{unit:04x}")),
    }
}

/// The suffix of a type's literals.
fn suffix(ty: &Type) -> &'static str {
    match ty {
        Type::Primitive(primitive) => scalar(*primitive).suffix,
        Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) | Type::Named(_) => "",
    }
}

/// A number; only a float has a suffix.
fn number(value: f64, suffix: &str) -> String {
    let kind = if suffix.is_empty() { "double" } else { "float" };
    if value.is_nan() {
        format!("{kind}.NaN")
    } else if value.is_infinite() {
        format!("{kind}.{}Infinity", if value < 0.0 { "Negative" } else { "Positive" })
    } else if suffix.is_empty() {
        format!("{value:?}")
    } else {
        format!("{:?}{suffix}", value as f32)
    }
}

/// An integer: the minimum of a type has a special form, since `-` is an operator in C#. Only a long has a suffix.
fn integer(value: i64, suffix: &str) -> String {
    if value == i64::MIN {
        "long.MinValue".to_owned()
    } else if value == i64::from(i32::MIN) && suffix.is_empty() {
        "int.MinValue".to_owned()
    } else {
        format!("{value}{suffix}")
    }
}

/// The expression for a default; `None` if it is the type's own default value. `runtime` is the namespace of the runtime, `constant` names
/// a constant of an enum.
pub fn default(
    literal: &Literal,
    ty: &Type,
    runtime: &str,
    constant: impl Fn(creo_model::TypeId, usize) -> String,
) -> Option<String> {
    Some(match literal {
        Literal::Boolean(value) => value.to_string(),
        Literal::Integer(value) => integer(*value, suffix(ty)),
        Literal::Char(unit) => character(*unit),
        Literal::Number(value) => number(*value, suffix(ty)),
        Literal::String(text) => string(text),
        Literal::DateTime(seconds, nanoseconds) => {
            format!("new global::{runtime}.Instant({seconds}L, {nanoseconds})")
        }
        Literal::Decimal(text) => decimal(text, runtime),
        Literal::Constant(id, index) => constant(*id, *index),
        Literal::Empty => return empty(ty),
    })
}

/// The empty value of a type, as an expression; `None` if there is none, or it is the type's own default value.
pub fn empty(ty: &Type) -> Option<String> {
    match ty {
        Type::Map(..) => Some("[]".to_owned()),
        Type::Primitive(primitive) => match scalar(*primitive).ty {
            Ty::Object(_) => Some("\"\"".to_owned()),
            Ty::Keyword(_) | Ty::Runtime(_) => None,
        },
        Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Named(_) => None,
    }
}

/// A decimal number: from its digits if they fit, since a property's default is made anew for each value.
fn decimal(text: &str, runtime: &str) -> String {
    let scale = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let digits: String = text.chars().filter(|c| *c != '.').collect();
    match digits.parse::<i64>() {
        Ok(unscaled) if unscaled != i64::MIN => {
            format!("new global::{runtime}.BigDecimal({unscaled}L, {scale})")
        }
        _ => format!("global::{runtime}.BigDecimal.Parse({})", string(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use creo_model::Primitive;

    fn plain(literal: Literal, primitive: Primitive) -> String {
        let constant = |_, _| panic!("no constant of an enum");
        default(&literal, &Type::Primitive(primitive), "Creo", constant).expect("not empty")
    }

    #[test]
    fn texts_cannot_end_their_literal() {
        assert_eq!(string("a\"b\\\n\u{202e}\u{1f600}{0}"), "\"a\\\"b\\\\\\n\\u202e\\ud83d\\ude00{0}\"");
        assert_eq!(character(u16::from(b'\'')), "'\\''");
        assert_eq!(character(0xd800), "'\\ud800'");
        assert_eq!(character(u16::from(b'"')), "'\"'");
    }

    #[test]
    fn numbers_keep_their_value() {
        assert_eq!(plain(Literal::Number(-1e300), Primitive::Double), "-1e300");
        assert_eq!(plain(Literal::Number(-0.0), Primitive::Double), "-0.0");
        assert_eq!(plain(Literal::Number(0.1f32.into()), Primitive::Float), "0.1F");
        assert_eq!(plain(Literal::Number(f64::NEG_INFINITY), Primitive::Float), "float.NegativeInfinity");
        assert_eq!(plain(Literal::Number(3.0), Primitive::Double), "3.0");
        assert_eq!(plain(Literal::Integer(i64::MIN), Primitive::Long), "long.MinValue");
        assert_eq!(plain(Literal::Integer(-128), Primitive::Byte), "-128");
        assert_eq!(plain(Literal::Integer(7), Primitive::Long), "7L");
    }

    #[test]
    fn decimals() {
        assert_eq!(
            plain(Literal::Decimal("-12.50".into()), Primitive::Decimal),
            "new global::Creo.BigDecimal(-1250L, 2)"
        );
        let long = "1".repeat(40);
        assert_eq!(
            plain(Literal::Decimal(long.clone()), Primitive::Decimal),
            format!("global::Creo.BigDecimal.Parse(\"{long}\")")
        );
    }
}
