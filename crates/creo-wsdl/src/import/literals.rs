//! Defaults of the schema as literals of the language (LANG-21).

use crate::import::draft::{Constant, Ty};
use crate::import::text::string;

/// The literal for a text of a type; `None` if the language has none. `constants` holds an enum's constants and their names.
pub fn literal(ty: &Ty, text: &str, constants: Option<(&[Constant], &[String])>) -> Option<String> {
    let trimmed = text.trim();
    match ty {
        Ty::Word("String") => (!text.contains(['\0'])).then(|| string(text)),
        Ty::Word("boolean") => match trimmed {
            "true" | "1" => Some("true".to_owned()),
            "false" | "0" => Some("false".to_owned()),
            _ => None,
        },
        Ty::Word("byte") => integer(trimmed, i64::from(i8::MIN), i64::from(i8::MAX)),
        Ty::Word("short") => integer(trimmed, i64::from(i16::MIN), i64::from(i16::MAX)),
        Ty::Word("int") => integer(trimmed, i64::from(i32::MIN), i64::from(i32::MAX)),
        Ty::Word("long") => integer(trimmed, i64::MIN, i64::MAX),
        Ty::Word(word @ ("float" | "double")) => match trimmed {
            "INF" | "+INF" => Some("Infinity".to_owned()),
            "-INF" => Some("-Infinity".to_owned()),
            "NaN" => Some("NaN".to_owned()),
            _ => number(trimmed, true).filter(|literal| fits(word, literal)),
        },
        Ty::Word("Decimal") => number(trimmed, false),
        Ty::Decl(_) => {
            let (constants, names) = constants?;
            let index = constants.iter().position(|constant| constant.text == trimmed)?;
            names.get(index).cloned()
        }
        Ty::Word(_) | Ty::Bytes | Ty::Attributes | Ty::Array(_) | Ty::Optional(_) => None,
    }
}

fn integer(text: &str, least: i64, most: i64) -> Option<String> {
    let value: i64 = text.strip_prefix('+').unwrap_or(text).parse().ok()?;
    (least..=most).contains(&value).then(|| value.to_string())
}

/// Whether a number is finite in the type: a greater one is infinite in XML Schema, and wrong in the language.
fn fits(word: &str, literal: &str) -> bool {
    match word {
        "float" => literal.parse::<f32>().is_ok_and(f32::is_finite),
        _ => literal.parse::<f64>().is_ok_and(f64::is_finite),
    }
}

/// A number of LANG-5: digits on both sides of the point.
fn number(text: &str, exponent: bool) -> Option<String> {
    let (sign, rest) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (if text.starts_with('-') { "-" } else { "" }, rest),
        None => ("", text),
    };
    let (mantissa, power) = match rest.split_once(['e', 'E']) {
        Some((mantissa, power)) if exponent => (mantissa, format!("e{}", power.parse::<i32>().ok()?)),
        Some(_) => return None,
        None => (rest, String::new()),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole)
        || !digits(fraction)
        || (whole.is_empty() && fraction.is_empty())
        || mantissa.len() > 300
    {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    // A whole number has no negative zero.
    let negative_zero = exponent && sign == "-" && whole == "0";
    if fraction.is_empty() && power.is_empty() && !negative_zero {
        return Some(format!("{sign}{whole}"));
    }
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    Some(format!("{sign}{whole}.{fraction}{power}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_those_of_the_language() {
        let of = |word, text| literal(&Ty::Word(word), text, None);
        assert_eq!(of("int", " +07 ").as_deref(), Some("7"));
        assert_eq!(of("byte", "200"), None);
        assert_eq!(of("double", "1E3").as_deref(), Some("1.0e3"));
        assert_eq!(of("double", "-.5").as_deref(), Some("-0.5"));
        assert_eq!(of("float", "INF").as_deref(), Some("Infinity"));
        assert_eq!(of("double", "-0").as_deref(), Some("-0.0"));
        assert_eq!(of("float", "1e40"), None);
        assert_eq!(of("double", "-1e400"), None);
        assert_eq!(of("double", "1e40").as_deref(), Some("1.0e40"));
        let large = "18446744073709551615";
        assert_eq!((of("Decimal", large).as_deref(), of("long", large)), (Some(large), None));
        assert_eq!(of("Decimal", "00").as_deref(), Some("0"));
        assert_eq!(of("Decimal", "1e3"), None);
        assert_eq!(of("boolean", "yes"), None);
        assert_eq!(of("String", "a\"b").as_deref(), Some("\"a\\\"b\""));
        assert_eq!(of("DateTime", "2020-01-01T00:00:00"), None);
    }
}
