//! Random values of a model's types, in the notation of `spec/values.md`, with a preference for edge cases.

use super::Random;
use creo_model::{Field, Model, Primitive, Type, TypeId, TypeKind, date_time_text};
use serde_json::{Map, Number, Value, json};

/// The approximate max number of items, entries and fields in a value.
const BUDGET: usize = 400;

/// The max depth of recursive values.
const DEPTH: usize = 12;

/// Generates values of one model.
#[derive(Debug)]
pub struct Values<'a> {
    model: &'a Model,
    random: Random,
    left: usize,
}

impl<'a> Values<'a> {
    pub fn new(model: &'a Model, random: Random) -> Values<'a> {
        Values { model, random, left: BUDGET }
    }

    /// A value of a declared type.
    pub fn named(&mut self, id: TypeId) -> Value {
        self.left = BUDGET;
        self.declared(id, 0)
    }

    fn value(&mut self, ty: &Type, depth: usize) -> Value {
        match ty {
            Type::Primitive(primitive) => self.primitive(*primitive),
            Type::Bytes => {
                let length = self.length();
                Value::String(base64(&(0..length).map(|_| self.random.bits() as u8).collect::<Vec<_>>()))
            }
            Type::Array(item) => {
                let length = if depth > DEPTH { 0 } else { self.length() };
                (0..length).map(|_| self.value(item, depth + 1)).collect()
            }
            Type::Optional(inner) => {
                if depth > DEPTH || self.left == 0 || self.random.one_in(3) {
                    Value::Null
                } else {
                    self.value(inner, depth + 1)
                }
            }
            Type::Map(key, value) => {
                let length = if depth > DEPTH { 0 } else { self.length() };
                let mut entries = Map::new();
                for _ in 0..length {
                    let key = self.value(key, depth + 1);
                    let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
                    entries.insert(key, self.value(value, depth + 1));
                }
                Value::Object(entries)
            }
            Type::Named(id) => self.declared(*id, depth + 1),
        }
    }

    fn declared(&mut self, id: TypeId, depth: usize) -> Value {
        let decl = self.model.ty(id);
        match &decl.kind {
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => self.record(fields, depth),
            TypeKind::Enum(constants) => {
                if decl.extensible && self.random.one_in(4) {
                    let largest = if self.random.one_in(2) { 200 } else { 0x7fff_ffff };
                    let number = self.random.between(0, largest);
                    if constants.iter().all(|c| i64::from(c.number) != number) {
                        return json!(number);
                    }
                }
                json!(self.random.pick(constants).name)
            }
            TypeKind::Union(members) => {
                if decl.extensible && self.random.one_in(4) {
                    let index = members.len() + self.random.below(300);
                    let bytes: Vec<u8> =
                        (0..self.random.below(20)).map(|_| self.random.bits() as u8).collect();
                    return json!({ format!("#{index}"): base64(&bytes) });
                }
                // The first member is finite.
                let member = if depth > DEPTH { &members[0] } else { self.random.pick(members) };
                json!({ member.name.clone(): self.value(&member.ty, depth + 1) })
            }
        }
    }

    fn record(&mut self, fields: &[Field], depth: usize) -> Value {
        let mut object = Map::new();
        for field in fields {
            let value = self.value(&field.ty, depth + 1);
            if !value.is_null() {
                object.insert(field.name.clone(), value);
            }
        }
        Value::Object(object)
    }

    /// A length: mostly small, sometimes near the limit of a one-byte count.
    fn length(&mut self) -> usize {
        let length = match self.random.below(12) {
            0..=2 => 0,
            3..=5 => 1,
            6..=9 => self.random.below(6),
            10 => self.random.below(40),
            _ => 126 + self.random.below(5),
        };
        let length = length.min(self.left);
        self.left -= length;
        length
    }

    fn integer(&mut self, from: i64, to: i64) -> i64 {
        match self.random.below(6) {
            0 => from,
            1 => to,
            2 => 0,
            3 => self.random.between(-2, 2),
            _ => self.random.between(from, to),
        }
    }

    fn primitive(&mut self, primitive: Primitive) -> Value {
        match primitive {
            Primitive::Boolean => json!(self.random.one_in(2)),
            Primitive::Byte => json!(self.integer(-128, 127)),
            Primitive::Short => json!(self.integer(-32_768, 32_767)),
            Primitive::Int => json!(self.integer(-2_147_483_648, 2_147_483_647)),
            Primitive::Long => {
                let value = self.integer(i64::MIN, i64::MAX);
                if value.unsigned_abs() < 1 << 53 { json!(value) } else { json!(value.to_string()) }
            }
            Primitive::Char => match self.random.below(5) {
                0 => json!(self.random.between(0xd800, 0xdfff)),
                1 => json!("\u{0}"),
                _ => json!(self.character(0xffff).to_string()),
            },
            Primitive::Float => {
                let value = f32::from_bits(self.random.bits() as u32);
                let value = *self.random.pick(&[
                    value,
                    value,
                    0.1,
                    -0.0,
                    f32::INFINITY,
                    f32::NAN,
                    f32::MIN_POSITIVE,
                    16_777_216.0,
                ]);
                number(f64::from(value), format!("{value:?}"))
            }
            Primitive::Double => {
                let value = f64::from_bits(self.random.bits());
                let value =
                    *self.random.pick(&[value, value, 0.1, -0.0, f64::NEG_INFINITY, f64::NAN, 5e-324, 1e23]);
                number(value, format!("{value:?}"))
            }
            Primitive::String => {
                let length = self.length();
                let wide = *self.random.pick(&[0x7f, 0x7f, 0xff, 0xffff, 0x10_ffff]);
                json!((0..length).map(|_| self.character(wide)).collect::<String>())
            }
            Primitive::DateTime => {
                let seconds = self.integer(-62_135_596_800, 253_402_300_799);
                let nanoseconds = *self.random.pick(&[0, 0, 500_000_000, 1_000, 999_999_999, 1]);
                json!(date_time_text(seconds, nanoseconds))
            }
            Primitive::Decimal => json!(self.decimal()),
        }
    }

    fn character(&mut self, largest: u32) -> char {
        loop {
            let least = if self.random.one_in(20) { 0 } else { 32 };
            let code = self.random.between(least, i64::from(largest)) as u32;
            if let Some(character) = char::from_u32(code) {
                return character;
            }
        }
    }

    fn decimal(&mut self) -> String {
        let digits = |random: &mut Random, count: usize| -> String {
            (0..count).map(|_| char::from(b'0' + random.below(10) as u8)).collect()
        };
        let longest = *self.random.pick(&[2, 10, 40]);
        let whole = self.random.below(longest);
        let mut text = digits(&mut self.random, whole).trim_start_matches('0').to_owned();
        if text.is_empty() {
            text.push('0');
        }
        let longest = *self.random.pick(&[1, 4, 30]);
        let scale = self.random.below(longest);
        if scale > 0 {
            text = format!("{text}.{}", digits(&mut self.random, scale));
        }
        if text.bytes().any(|b| (b'1'..=b'9').contains(&b)) && self.random.one_in(2) {
            format!("-{text}")
        } else {
            text
        }
    }
}

/// A floating-point number by VAL-3; `text` is its shortest form.
fn number(value: f64, text: String) -> Value {
    match value {
        v if v.is_nan() => json!("NaN"),
        v if v.is_infinite() => json!(if v > 0.0 { "Infinity" } else { "-Infinity" }),
        _ => Value::Number(text.parse::<Number>().expect("a number of Rust is one of JSON")),
    }
}

/// RFC 4648, section 4.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            text.push(if i <= chunk.len() {
                char::from(DIGITS[(bits >> (18 - 6 * i) & 63) as usize])
            } else {
                '='
            });
        }
    }
    text
}

/// Bytes with a few mistakes.
pub fn mutate(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at.min(bytes.len()), random.bits() as u8),
            2 if !bytes.is_empty() => drop(bytes.remove(at)),
            3 if !bytes.is_empty() => bytes[at] = *random.pick(&[0, 1, 2, 0x7f, 0x80, 0xff]),
            _ if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            _ => bytes.push(0),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_as_in_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
