//! Converts single values between XML texts (XML-10 to XML-16, XML-48) and JSON (`spec/values.md`).
// A new kind of value must be handled here.
#![deny(clippy::wildcard_enum_match_arm)]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use creo_inspect::{format_instant, instant_of, parse_instant_local};
use creo_plan::{Enum, FixedScalar};
use serde_json::Value;

const DAY: i64 = 86_400;
const LAST_SECOND: i64 = 253_402_300_799;

pub fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// XML-12: the first character that XML does not allow.
pub fn forbidden(text: &str) -> Option<char> {
    let wrong = |c: char| c < ' ' && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().find(|c| wrong(*c))
}

/// The text of a number, instant or flag from its JSON.
pub fn write_scalar(scalar: FixedScalar, value: &Value) -> String {
    match scalar {
        FixedScalar::Float => write_number(value, |text| text.parse::<f32>().map(|f| format!("{f:e}"))),
        FixedScalar::Double => write_number(value, |text| text.parse::<f64>().map(|f| format!("{f:e}"))),
        FixedScalar::Char => match value.as_str().and_then(|text| text.chars().next()) {
            Some(c) => u32::from(c).to_string(),
            None => value.to_string(),
        },
        FixedScalar::Boolean
        | FixedScalar::Byte
        | FixedScalar::Short
        | FixedScalar::Int
        | FixedScalar::Long
        | FixedScalar::DateTime => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
    }
}

/// XML-11
fn write_number<E>(value: &Value, shortest: impl Fn(&str) -> Result<String, E>) -> String {
    match value.as_str() {
        Some("Infinity") => "INF".to_owned(),
        Some("-Infinity") => "-INF".to_owned(),
        Some(other) => other.to_owned(),
        None => shortest(&value.to_string()).map_or_else(|_| value.to_string(), |text| lay_out(&text)),
    }
}

/// Lays out digits and exponent in Rust's `{:e}` form as ECMAScript's Number::toString does.
fn lay_out(text: &str) -> String {
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (mantissa, exponent) = rest.split_once('e').unwrap_or((rest, "0"));
    let digits = mantissa.replace('.', "");
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let body = if digits == "0" {
        digits
    } else if (count..=21).contains(&point) {
        format!("{digits}{}", zeros(point - count))
    } else if (1..=21).contains(&point) {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
        format!("{whole}.{fraction}")
    } else if (-5..=0).contains(&point) {
        format!("0.{}{digits}", zeros(-point))
    } else {
        let (first, more) = digits.split_at(1);
        let fraction = if more.is_empty() { String::new() } else { format!(".{more}") };
        format!("{first}{fraction}e{}{}", if point > 0 { "+" } else { "-" }, (point - 1).abs())
    };
    format!("{sign}{body}")
}

pub fn write_bytes(value: &Value, hex: bool) -> String {
    let text = value.as_str().unwrap_or_default();
    if !hex {
        return text.to_owned();
    }
    STANDARD.decode(text).unwrap_or_default().iter().map(|b| format!("{b:02X}")).collect()
}

/// XML-16
pub fn write_constant(of: &Enum, value: &Value) -> String {
    let constant = of.constants.iter().find(|constant| value.as_str() == Some(&constant.name));
    constant.map_or_else(|| format!("#{value}"), |constant| constant.text.clone())
}

/// The JSON for the text of a number, instant or flag; `None` if the text is invalid. Ranges are not checked.
pub fn read_scalar(scalar: FixedScalar, text: &str) -> Option<Value> {
    let text = trim(text);
    match scalar {
        FixedScalar::Boolean => match text {
            "true" | "1" => Some(true.into()),
            "false" | "0" => Some(false.into()),
            _ => None,
        },
        FixedScalar::Byte | FixedScalar::Short | FixedScalar::Int | FixedScalar::Long => {
            integer(text).map(Value::from)
        }
        FixedScalar::Char => {
            let unit = u16::try_from(integer(text)?).ok()?;
            Some(char::from_u32(unit.into()).map_or_else(|| unit.into(), |c| c.to_string().into()))
        }
        FixedScalar::Float => {
            read_number(text, |text| text.parse::<f32>().ok().filter(|f| f.is_finite()).map(Value::from))
        }
        FixedScalar::Double => {
            read_number(text, |text| text.parse::<f64>().ok().filter(|f| f.is_finite()).map(Value::from))
        }
        FixedScalar::DateTime => read_instant(text).map(Value::from),
    }
}

fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let short = digits.trim_start_matches('0');
    format!("{}{}", if negative { "-" } else { "" }, if short.is_empty() { "0" } else { short }).parse().ok()
}

/// A text too large for the type means infinity (XML-11).
fn read_number(text: &str, finite: impl Fn(&str) -> Option<Value>) -> Option<Value> {
    match text {
        "NaN" => return Some("NaN".into()),
        "INF" | "+INF" => return Some("Infinity".into()),
        "-INF" => return Some("-Infinity".into()),
        _ => {}
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let exponent_fits = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    if whole.len() + fraction.len() == 0 || !digits(whole) || !digits(fraction) || !exponent_fits {
        return None;
    }
    let infinite = if text.starts_with('-') { "-Infinity" } else { "Infinity" };
    Some(finite(text).unwrap_or_else(|| infinite.into()))
}

/// XML-13
fn read_instant(text: &str) -> Option<String> {
    let at = text.get(..19)?;
    let mut rest = text.get(19..)?;
    let mut fraction = "";
    if let Some(digits) = rest.strip_prefix('.') {
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        fraction = digits[..end].trim_end_matches('0');
        if end == 0 || fraction.len() > 9 {
            return None;
        }
        rest = &digits[end..];
    }
    let zone = match rest {
        "" => "Z",
        other => other,
    };
    let offset = zone.strip_prefix(['+', '-']).unwrap_or("00:00");
    if (zone != "Z" && zone.len() != 6) || offset > "14:00" || zone.starts_with('z') {
        return None;
    }
    let midnight = at.get(10..)? == "T24:00:00";
    if midnight && !fraction.is_empty() {
        return None;
    }
    let at = if midnight { at.replace("T24:", "T00:") } else { at.to_owned() };
    let fraction = if fraction.is_empty() { String::new() } else { format!(".{fraction}") };
    let (local, nanos, east) = parse_instant_local(&format!("{at}{fraction}{zone}"))?;
    let local = if midnight { local + DAY } else { local };
    let (seconds, nanos) = instant_of(local, nanos, east);
    (at.as_bytes()[10] == b'T' && local <= LAST_SECOND).then(|| format_instant(seconds, nanos))
}

/// XML-14
pub fn read_decimal(text: &str) -> Option<String> {
    let text = trim(text);
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        _ => ("", text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let numeric = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !numeric(whole) || !numeric(fraction) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let zero = whole == "0" && fraction.bytes().all(|b| b == b'0');
    let sign = if zero { "" } else { sign };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{sign}{whole}{point}{fraction}"))
}

/// XML-15, XML-38
pub fn read_bytes(text: &str, hex: bool) -> Option<String> {
    if hex {
        let digits = trim(text).as_bytes();
        let pairs = digits.chunks(2).map(|pair| match pair {
            [high, low] => Some((digit(*high)? << 4) | digit(*low)?),
            _ => None,
        });
        return pairs.collect::<Option<Vec<u8>>>().map(|bytes| STANDARD.encode(bytes));
    }
    let compact: String = text.chars().filter(|c| !is_space(*c)).collect();
    STANDARD.decode(&compact).ok()?;
    Some(compact)
}

fn digit(b: u8) -> Option<u8> {
    char::from(b).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// XML-16
pub fn read_constant(of: &Enum, text: &str) -> Option<Value> {
    let text = trim(text);
    if let Some(constant) = of.constants.iter().find(|constant| constant.text == text) {
        return Some(constant.name.clone().into());
    }
    let digits = text.strip_prefix('#').filter(|_| of.extensible)?;
    if digits.is_empty()
        || !digits.bytes().all(|b| b.is_ascii_digit())
        || (digits.len() > 1 && digits.starts_with('0'))
    {
        return None;
    }
    let number = digits.parse::<u32>().ok().filter(|number| number >> 31 == 0)?;
    let known = of.constants.iter().find(|constant| constant.number == number);
    Some(known.map_or_else(|| number.into(), |constant| constant.name.clone().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_laid_out_as_by_ecmascript() {
        let double =
            |text: &str| write_scalar(FixedScalar::Double, &serde_json::from_str(text).expect("a number"));
        for (value, text) in [
            ("1.0", "1"),
            ("-0.0", "-0"),
            ("0.1", "0.1"),
            ("1.5e-7", "1.5e-7"),
            ("0.000001", "0.000001"),
            ("1e21", "1e+21"),
            ("123456789012345680000", "123456789012345680000"),
            ("1e20", "100000000000000000000"),
            ("12.5", "12.5"),
            ("5e-324", "5e-324"),
            ("-1.7976931348623157e308", "-1.7976931348623157e+308"),
        ] {
            assert_eq!(double(value), text);
        }
    }

    #[test]
    fn instants() {
        for (text, read) in [
            ("2026-11-27T24:00:00", Some("2026-11-28T00:00:00Z")),
            ("2026-11-27T10:00:00.1200000000000+02:00", Some("2026-11-27T08:00:00.120Z")),
            ("2026-11-27T10:00:00.1234567891", None),
            ("2026-11-27T10:00:00+14:01", None),
            ("9999-12-31T24:00:00Z", None),
            ("0001-01-01T24:00:00+14:00", Some("0001-01-01T10:00:00Z")),
            ("0001-01-01T00:00:00+01:00", Some("0001-01-01T00:00:00Z")),
            ("9999-12-31T23:59:59-14:00", Some("9999-12-31T23:59:59.999999999Z")),
            ("2026-11-27t10:00:00Z", None),
        ] {
            assert_eq!(read_instant(text).as_deref(), read, "{text}");
        }
    }
}
