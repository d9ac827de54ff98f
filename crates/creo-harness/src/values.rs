//! Compares values in the notation of `spec/values.md`.

use serde_json::Value;

/// Whether two values are equal: the order of members matters (VAL-9, VAL-12), a null member may be omitted (VAL-8), and numbers are
/// compared by value, not text (`1e3`, `1000.0`), including the sign of zero.
pub fn same(expected: &Value, actual: &Value) -> Result<(), String> {
    compare(expected, actual, "$")
}

fn compare(expected: &Value, actual: &Value, place: &str) -> Result<(), String> {
    let differs = || Err(format!("at {place}: {} instead of {}", short(actual), short(expected)));
    match (expected, actual) {
        (Value::Null, Value::Null) => Ok(()),
        (Value::Bool(a), Value::Bool(b)) if a == b => Ok(()),
        (Value::String(a), Value::String(b)) if a == b => Ok(()),
        (Value::Number(a), Value::Number(b)) if same_number(&a.to_string(), &b.to_string()) => Ok(()),
        (Value::Array(a), Value::Array(b)) => {
            if a.len() != b.len() {
                return Err(format!("at {place}: {} items instead of {}", b.len(), a.len()));
            }
            a.iter().zip(b).enumerate().try_for_each(|(i, (a, b))| compare(a, b, &format!("{place}[{i}]")))
        }
        (Value::Object(a), Value::Object(b)) => {
            let mut a = a.iter().filter(|(_, v)| !v.is_null());
            let mut b = b.iter().filter(|(_, v)| !v.is_null());
            loop {
                match (a.next(), b.next()) {
                    (None, None) => return Ok(()),
                    (Some((name, _)), None) => {
                        return Err(format!("at {place}: the member {name:?} is missing"));
                    }
                    (None, Some((name, _))) => {
                        return Err(format!("at {place}: there should be no member {name:?}"));
                    }
                    (Some((name, _)), Some((other, _))) if name != other => {
                        return Err(format!("at {place}: the member {other:?} where {name:?} is due"));
                    }
                    (Some((name, a)), Some((_, b))) => compare(a, b, &format!("{place}.{name}"))?,
                }
            }
        }
        _ => differs(),
    }
}

fn same_number(a: &str, b: &str) -> bool {
    let integer = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'-') && text != "-0";
    if integer(a) && integer(b) {
        return a == b;
    }
    if let (Ok(a), Ok(b)) = (a.parse::<f64>(), b.parse::<f64>())
        && a.to_bits() == b.to_bits()
    {
        return true;
    }
    // The shortest texts of a `float` may differ if its value lies halfway between them: 2000568.2 and 2000568.3.
    match (a.parse::<f32>(), b.parse::<f32>()) {
        (Ok(x), Ok(y)) => x.to_bits() == y.to_bits() && [a, b].iter().all(|text| digits(text) <= 9),
        _ => false,
    }
}

/// The number of digits before the exponent.
fn digits(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    mantissa.bytes().filter(u8::is_ascii_digit).skip_while(|d| *d == b'0').count()
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 200 { text } else { text.chars().take(200).chain("...".chars()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str) -> bool {
        same(&serde_json::from_str(a).expect("JSON"), &serde_json::from_str(b).expect("JSON")).is_ok()
    }

    #[test]
    fn numbers_by_value() {
        assert!(check("1e3", "1000.0"));
        assert!(check("1.0", "1"));
        assert!(!check("-0.0", "0.0"));
        assert!(check("-0.0", "-0"));
        assert!(!check("0.1", "0.10000000149011612"));
        assert!(!check("9007199254740993", "9007199254740992"));
        assert!(check("2000568.2", "2000568.3"));
        assert!(!check("2000568.2", "2000568.4"));
        assert!(!check("1", "\"1\""));
    }

    #[test]
    fn members_in_order_without_nothing() {
        assert!(check(r#"{"a": 1, "b": null}"#, r#"{"a": 1}"#));
        assert!(!check(r#"{"a": 1, "b": 2}"#, r#"{"b": 2, "a": 1}"#));
        assert!(!check(r#"{"a": 1}"#, r#"{"a": 1, "b": 2}"#));
        assert!(!check("[null]", "[]"));
    }
}
