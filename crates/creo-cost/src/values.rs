//! Random values by the assumptions of the model: they are measured in calibration, and expected sizes are checked against them (COST-5).

use crate::digits::{REALS, Random, integers};
use crate::leaf::Leaf;
use crate::length::Length;
use crate::part::{Items, Part};
use creo_model::Primitive;
use creo_plan::{Field, Kind, Node, Plan};
use serde_json::{Map, Value};

/// The letters of strings; no wire escapes them.
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .-";

/// Letters of two bytes in UTF-8.
const WIDE: [char; 8] = ['á', 'é', 'í', 'ó', 'ö', 'ő', 'ü', 'ж'];

/// Milliseconds of the year 2026: real instants are close to each other, and a runtime may cache days.
const INSTANTS: (u64, u64) = (1_767_225_600_000, 1_798_761_600_000);

/// The number of attempts for a new key.
const ATTEMPTS: usize = 20;

/// Generates values from parts, reproducible from the seed.
#[derive(Debug)]
pub struct Values<'a> {
    plan: &'a Plan,
    random: Random,
    /// The share of strings with characters beyond ASCII, if long enough.
    wide: f64,
}

impl<'a> Values<'a> {
    pub fn new(plan: &'a Plan, seed: u64, wide: f64) -> Values<'a> {
        Values { plan, random: Random::new(seed), wide }
    }

    /// An object of fields, such as a method's parameters, from the part of its request.
    pub fn record(&mut self, fields: &[Field], part: &Part) -> Value {
        let Part::Record { fields: parts, .. } = part else { return Value::Null };
        let mut object = Map::new();
        for (field, part) in fields.iter().zip(parts) {
            let value = self.value(&field.node, part);
            if !value.is_null() {
                object.insert(field.name.clone(), value);
            }
        }
        Value::Object(object)
    }

    /// A value of a type from its part; null if the part has another type.
    pub fn value(&mut self, node: &Node, part: &Part) -> Value {
        let plan = self.plan;
        match (&node.kind, part) {
            (Kind::Scalar(scalar), Part::Leaf(leaf)) => self.primitive(scalar.primitive(), leaf),
            (Kind::String(_), Part::Leaf(leaf)) => self.primitive(Primitive::String, leaf),
            (Kind::Decimal, Part::Leaf(leaf)) => self.primitive(Primitive::Decimal, leaf),
            (Kind::Bytes { .. }, Part::Leaf(leaf)) => {
                let count = self.length(leaf.length.as_ref());
                base64(&(0..count).map(|_| self.random.bits() as u8).collect::<Vec<u8>>()).into()
            }
            (Kind::Array { item, .. }, Part::Items(items)) => match items {
                Items::Alike { count, item: part } => {
                    (0..self.length(Some(count))).map(|_| self.value(item, part)).collect()
                }
                Items::Each(parts) => parts.iter().map(|part| self.value(item, part)).collect(),
            },
            (Kind::Map { key, value, .. }, Part::Entries(items)) => self.map(key, value, items),
            (Kind::Optional(inner), Part::Optional { share, part: Some(part) })
                if self.random.unit() < *share =>
            {
                self.value(inner, part)
            }
            (Kind::Record(id), part) => self.record(&plan.record(*id).fields, part),
            (Kind::Enum(id), _) => {
                let constants = &plan.enumeration(*id).constants;
                constants[self.random.below(constants.len() as u64) as usize].name.clone().into()
            }
            (Kind::Union(id), Part::Union { members, .. }) => {
                let declared = &plan.union(*id).members;
                let (index, _, part) = &members[self.random.below(members.len() as u64) as usize];
                let value = self.value(&declared[*index].node, part);
                Value::Object([(declared[*index].name.clone(), value)].into_iter().collect())
            }
            (
                Kind::Scalar(_)
                | Kind::String(_)
                | Kind::Decimal
                | Kind::Bytes { .. }
                | Kind::Array { .. }
                | Kind::Map { .. }
                | Kind::Optional(_)
                | Kind::Union(_),
                _,
            ) => Value::Null,
        }
    }

    fn length(&mut self, length: Option<&Length>) -> u64 {
        let at = self.random.unit();
        match length {
            None => 0,
            Some(Length::Fixed(n)) => *n,
            Some(Length::Uniform(low, high)) => low + self.random.below(high - low + 1),
            // Uses the points of its expectation.
            Some(other) => {
                let point = std::cell::Cell::new((0u64, 0u64));
                let wanted = (at * 2_048.0) as u64;
                other.expect(|n| {
                    let (index, found) = point.get();
                    point.set((index + 1, if index == wanted { n } else { found }));
                    0.0
                });
                point.get().1
            }
        }
    }

    fn map(&mut self, key: &Node, value: &Node, items: &Items) -> Value {
        let mut entries = Map::new();
        let (count, part) = match items {
            Items::Alike { count, item } => (self.length(Some(count)), item.as_ref()),
            Items::Each(_) => return Value::Object(entries),
        };
        let Part::Record { fields, .. } = part else { return Value::Object(entries) };
        let [key_part, value_part] = &fields[..] else { return Value::Object(entries) };
        for _ in 0..count {
            // A map with few possible keys has fewer entries.
            let found = (0..ATTEMPTS).find_map(|_| {
                let name = match self.value(key, key_part) {
                    Value::String(text) => text,
                    other @ (Value::Null
                    | Value::Bool(_)
                    | Value::Number(_)
                    | Value::Array(_)
                    | Value::Object(_)) => other.to_string(),
                };
                (!entries.contains_key(&name)).then_some(name)
            });
            let Some(name) = found else { break };
            let value = self.value(value, value_part);
            entries.insert(name, value);
        }
        Value::Object(entries)
    }

    fn primitive(&mut self, primitive: Primitive, leaf: &Leaf) -> Value {
        match primitive {
            Primitive::Boolean => Value::Bool(self.random.bits() & 1 == 1),
            Primitive::Byte | Primitive::Short | Primitive::Int | Primitive::Long => {
                let (low, high) = integers(primitive).unwrap_or((0, 0));
                let (low, high) = leaf.range.map_or((low, high), |range| {
                    ((range.low as i128).clamp(low, high), (range.high as i128).clamp(low, high))
                });
                let span = (high - low + 1) as u128;
                let number = low + ((u128::from(self.random.bits()) * span) >> 64) as i128;
                // VAL-2
                if number.unsigned_abs() < 1 << 53 {
                    Value::from(number as i64)
                } else {
                    number.to_string().into()
                }
            }
            Primitive::Float => Value::from(self.real(leaf) as f32),
            Primitive::Double => Value::from(self.real(leaf)),
            Primitive::Char => char::from(b'a' + self.random.below(26) as u8).to_string().into(),
            Primitive::DateTime => instant(INSTANTS.0 + self.random.below(INSTANTS.1 - INSTANTS.0)).into(),
            Primitive::Decimal => {
                let length = self.length(leaf.length.as_ref());
                let digits: Vec<u8> = (0..length)
                    .map(|i| {
                        if i == 0 {
                            b'1' + self.random.below(9) as u8
                        } else {
                            b'0' + self.random.below(10) as u8
                        }
                    })
                    .collect();
                let mut text = String::from_utf8(digits).unwrap_or_default();
                // Two decimals if there is room.
                if length >= 4 {
                    let at = text.len() - 3;
                    text.replace_range(at..=at, ".");
                }
                text.into()
            }
            Primitive::String => {
                let length = self.length(leaf.length.as_ref()) as usize;
                let wide = self.wide >= 1.0 || (self.wide > 0.0 && self.random.unit() < self.wide);
                let (mut text, mut letters) = (String::with_capacity(length), 0);
                while text.len() < length {
                    // Every fourth letter is wide, so branch prediction works no better in short texts than in long ones.
                    letters += 1;
                    if wide && text.len() + 2 <= length && letters % 4 == 0 {
                        text.push(WIDE[self.random.below(WIDE.len() as u64) as usize]);
                    } else {
                        text.push(char::from(LETTERS[self.random.below(LETTERS.len() as u64) as usize]));
                    }
                }
                text.into()
            }
        }
    }

    fn real(&mut self, leaf: &Leaf) -> f64 {
        match leaf.range {
            None => self.random.unit() * REALS,
            Some(range) => {
                let value = range.low + self.random.unit() * (range.high - range.low);
                match range.decimals {
                    Some(decimals) => {
                        let scale = 10f64.powi(decimals as i32);
                        (value * scale).round() / scale
                    }
                    None => value,
                }
            }
        }
    }
}

/// RFC 3339 with the digits of VAL-6, of milliseconds since 1970.
fn instant(milliseconds: u64) -> String {
    let (days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000);
    // Civil from days, of the proleptic Gregorian calendar.
    let z = days as i64 + 719_468;
    let era = z / 146_097;
    let doe = z - era * 146_097;
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (day, month) = (doy - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    let year = yoe + era * 400 + i64::from(month <= 2);
    let (hours, minutes, seconds, millis) =
        (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60, rest % 1_000);
    let fraction = if millis == 0 { String::new() } else { format!(".{millis:03}") };
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}{fraction}Z")
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().enumerate().fold(0u32, |bits, (i, b)| bits | u32::from(*b) << (16 - 8 * i));
        for i in 0..4 {
            text.push(if i <= group.len() {
                char::from(DIGITS[(bits >> (18 - 6 * i) & 63) as usize])
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_and_base64() {
        assert_eq!(instant(0), "1970-01-01T00:00:00Z");
        assert_eq!(instant(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(instant(1_795_257_116_250), "2026-11-21T10:31:56.250Z");
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }
}
