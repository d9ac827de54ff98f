//! Strict JSON: a duplicate member is an error (VAL-9), which `serde_json` alone does not report.

use creo_diag::escape_controls;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// The max nesting of JSON: enough for the deepest value of LIM-4, but safe for the stack.
const MAX_DEPTH: usize = 4_000;

/// The member with which `serde_json` passes a number that keeps its digits.
const NUMBER: &str = "$serde_json::private::Number";

/// JSON text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError(String);

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for JsonError {}

/// Parses one JSON value. Numbers keep their digits, members their order; duplicate members are refused.
pub fn parse_json(text: &str) -> Result<Value, JsonError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let value = Strict { depth: 0 }
        .deserialize(&mut deserializer)
        .map_err(|e| JsonError(escape_controls(&e.to_string())))?;
    deserializer.end().map_err(|e| JsonError(e.to_string()))?;
    Ok(value)
}

/// Writes JSON on one line, escaped for terminals.
pub fn print_json(value: &Value) -> String {
    escape_controls(&value.to_string())
}

#[derive(Clone, Copy)]
struct Strict {
    depth: usize,
}

impl Strict {
    fn deeper<E: Error>(self) -> Result<Strict, E> {
        if self.depth >= MAX_DEPTH {
            return Err(E::custom(format!("nested deeper than {MAX_DEPTH} levels")));
        }
        Ok(Strict { depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if name == NUMBER {
                let digits: String = members.next_value()?;
                return digits.parse::<Number>().map(Value::Number).map_err(A::Error::custom);
            }
            let value = members.next_value_seed(inner)?;
            if object.insert(name.clone(), value).is_some() {
                return Err(A::Error::custom(format!("the member {name:?} stands twice in one object")));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits_and_members_their_order() {
        let text = r#"{"z":-0.0,"a":[9007199254740993,1e400,0.1],"m":{"k":null,"é":"\"x"}}"#;
        assert_eq!(print_json(&parse_json(text).expect("it is JSON")), text.replace("1e400", "1e+400"));
    }

    #[test]
    fn a_member_twice_is_refused() {
        let error = parse_json(r#"{"a": 1, "b": {"c": 1, "c": 1}}"#).expect_err("twice");
        assert!(error.to_string().contains("\"c\" stands twice"), "{error}");
    }

    #[test]
    fn deep_nesting_is_bounded_and_never_overflows() {
        std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(|| {
                assert!(parse_json(&("[".repeat(3_999) + &"]".repeat(3_999))).is_ok());
                assert!(parse_json(&"[".repeat(1_000_000)).is_err());
            })
            .expect("a thread")
            .join()
            .expect("no overflow");
    }

    #[test]
    fn what_is_not_json_is_an_error() {
        for text in
            ["", "nul", "{", "1 2", "{\"a\":}", "\"\u{1}\"", "{\"$serde_json::private::Number\":\"x\"}"]
        {
            assert!(parse_json(text).is_err(), "{text}");
        }
    }
}
