//! A value without parts, and its size in each form.

use crate::digits::{Range, integer_text, integers, real_range_text, real_text};
use crate::length::Length;
use crate::spread::Spread;
use creo_model::Primitive;
use creo_plan::{Constant, Enum, FixedScalar, count_size};

/// The kind of a leaf in the time model; calibration measures each (COST-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Primitive(Primitive),
    Bytes,
    Enum,
}

impl Kind {
    /// The keyword in a profile.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Primitive(primitive) => primitive.keyword(),
            Kind::Bytes => "bytes",
            Kind::Enum => "enum",
        }
    }
}

/// A primitive, enum or `byte[]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    pub kind: Kind,
    /// The bytes of a `String` in UTF-8, of a `Decimal`'s text, or of a `byte[]`.
    pub length: Option<Length>,
    /// The range of the numbers, if given.
    pub range: Option<Range>,
    /// Whether all values of the type have the same size on the binary wire.
    pub is_fixed: bool,
    pub binary: Spread,
    /// In an element, escaped (XML-12).
    pub xml: Spread,
    /// In an attribute.
    pub attribute: Spread,
    /// In a row (TDX-12).
    pub table: Spread,
    /// Including quotes.
    pub json: Spread,
    /// As a member's name, including quotes (VAL-12).
    pub key: Spread,
    /// Without any escape: `any`, `raw`.
    pub raw: Spread,
    /// Two digits per byte, for `hexBinary`.
    pub hex: Spread,
}

impl Leaf {
    /// A text without escapes.
    pub fn plain(kind: Kind, binary: Spread, text: Spread, json: Spread) -> Leaf {
        let is_fixed = match kind {
            Kind::Primitive(primitive) => FixedScalar::of(primitive).is_some(),
            Kind::Bytes | Kind::Enum => false,
        };
        Leaf {
            kind,
            length: None,
            range: None,
            is_fixed,
            binary,
            xml: text,
            attribute: text,
            table: text,
            json,
            key: text.and(2),
            raw: text,
            hex: text,
        }
    }

    /// A value of which only the type is known, and perhaps its length and range.
    pub fn assumed(primitive: Primitive, length: &Length, range: Option<Range>) -> Leaf {
        let kind = Kind::Primitive(primitive);
        let number = |size, text: Spread| Leaf::plain(kind, Spread::exact(size), text, text);
        match primitive {
            Primitive::Boolean => number(1, Spread { least: 4, expected: 4.5, most: 5 }),
            Primitive::Byte => integer(primitive, 1, range),
            Primitive::Short => integer(primitive, 2, range),
            Primitive::Int => integer(primitive, 4, range),
            Primitive::Long => integer(primitive, 8, range),
            Primitive::Float => {
                number(4, range.map_or_else(|| real_text(true), |range| real_range_text(range, true)))
                    .or_named(range)
            }
            Primitive::Double => {
                number(8, range.map_or_else(|| real_text(false), |range| real_range_text(range, false)))
                    .or_named(range)
            }
            // A small letter: 97 to 122. At most a five-digit number, or an escape of JSON.
            Primitive::Char => Leaf {
                key: Spread { least: 3, expected: 3.0, most: 8 },
                ..Leaf::plain(
                    kind,
                    Spread::exact(2),
                    Spread { least: 1, expected: LETTER_DIGITS, most: 5 },
                    Spread { least: 3, expected: 3.0, most: 8 },
                )
            },
            // Milliseconds; one in a thousand instants has none.
            Primitive::DateTime => {
                let text = Spread { least: 20, expected: 23.996, most: 30 };
                Leaf { key: text.and(2), ..Leaf::plain(kind, Spread::exact(12), text, text.and(2)) }
            }
            Primitive::Decimal => {
                let size = sizes(length);
                Leaf { length: Some(length.clone()), ..Leaf::plain(kind, counted(length), size, size.and(2)) }
            }
            Primitive::String => {
                let size = sizes(length);
                // Bounds: every character takes the max (XML-12, TDX-12, JSON-2). Expected: none is escaped.
                let escaped = |factor| Spread { most: size.most.saturating_mul(factor), ..size };
                Leaf {
                    kind,
                    length: Some(length.clone()),
                    range: None,
                    is_fixed: false,
                    binary: counted(length),
                    xml: escaped(5),
                    attribute: escaped(6),
                    table: escaped(2),
                    json: escaped(6).and(2),
                    key: escaped(6).and(2),
                    raw: size,
                    hex: size,
                }
            }
        }
    }

    pub fn bytes(length: &Length) -> Leaf {
        let of = |size: fn(u64) -> u64| Spread {
            least: size(length.least()),
            expected: length.expect(|n| size(n) as f64),
            most: size(length.most()),
        };
        let base64 = of(|n| n.div_ceil(3).saturating_mul(4));
        Leaf {
            length: Some(length.clone()),
            hex: of(|n| n.saturating_mul(2)),
            ..Leaf::plain(Kind::Bytes, counted(length), base64, base64.and(2))
        }
    }

    /// A value among some constants of an enum.
    pub fn constants(enumeration: &Enum, some: &[Constant]) -> Leaf {
        let share = 1.0 / some.len().max(1) as f64;
        let of = |size: &dyn Fn(&Constant) -> u64| {
            Spread::one_of(some.iter().map(|constant| (share, Spread::exact(size(constant)))))
        };
        Leaf {
            kind: Kind::Enum,
            length: None,
            range: None,
            is_fixed: enumeration.shape.fixed_size.is_some(),
            binary: of(&|c| count_size(c.number.into())),
            xml: of(&|c| text_sizes(&c.text).xml),
            attribute: of(&|c| text_sizes(&c.text).attribute),
            table: of(&|c| text_sizes(&c.text).table),
            json: of(&|c| text_sizes(&c.name).json + 2),
            key: of(&|c| text_sizes(&c.name).json + 2),
            raw: of(&|c| c.text.len() as u64),
            hex: of(&|c| c.text.len() as u64),
        }
    }

    /// Non-finite numbers, which may occur unless a range is given, have names: in JSON `"-Infinity"`.
    fn or_named(self, range: Option<Range>) -> Leaf {
        let longest = if range.is_some() { 0 } else { 11 };
        Leaf { json: Spread { most: self.json.most.max(longest), ..self.json }, range, ..self }
    }
}

/// The mean number of digits of a small letter's code unit: `a`, `b` and `c` have two, the others three.
const LETTER_DIGITS: f64 = (3.0 * 2.0 + 23.0 * 3.0) / 26.0;

fn integer(primitive: Primitive, size: u64, range: Option<Range>) -> Leaf {
    let (low, high) = integers(primitive).unwrap_or((0, 0));
    let (low, high) = range.map_or((low, high), |range: Range| {
        ((range.low as i128).clamp(low, high), (range.high as i128).clamp(low, high))
    });
    let (text, large) = integer_text(low, high);
    // VAL-2: integers that a double cannot hold are quoted.
    let quoted = Spread {
        least: text.least,
        expected: text.expected + 2.0 * large,
        most: text.most + if large > 0.0 { 2 } else { 0 },
    };
    Leaf { range, ..Leaf::plain(Kind::Primitive(primitive), Spread::exact(size), text, quoted) }
}

fn sizes(length: &Length) -> Spread {
    Spread { least: length.least(), expected: length.mean(), most: length.most() }
}

/// A count, and as many bytes.
pub fn counted(length: &Length) -> Spread {
    counts(length).plus(sizes(length))
}

/// The bytes of the count of a length (BIN-2).
pub fn counts(length: &Length) -> Spread {
    Spread {
        least: count_size(length.least()),
        expected: length.expect(|n| count_size(n) as f64),
        most: count_size(length.most()),
    }
}

/// The bytes of a given text, escaped; in JSON without quotes.
pub struct TextSizes {
    pub xml: u64,
    pub attribute: u64,
    pub table: u64,
    pub json: u64,
}

pub fn text_sizes(text: &str) -> TextSizes {
    let mut sizes = TextSizes { xml: 0, attribute: 0, table: 0, json: 0 };
    for (index, c) in text.chars().enumerate() {
        let plain = c.len_utf8() as u64;
        // XML-12
        sizes.xml += match c {
            '&' | '\r' => 5,
            '<' | '>' => 4,
            _ => plain,
        };
        sizes.attribute += match c {
            '&' | '\r' | '\n' => 5,
            '"' => 6,
            '<' | '>' | '\t' => 4,
            _ => plain,
        };
        // TDX-12
        sizes.table += match c {
            '\n' | '\r' | '|' | '\\' | '&' | '<' | '>' => 2,
            '~' if index == 0 => 2,
            _ => plain,
        };
        // JSON-2
        sizes.json += match c {
            '"' | '\\' | '\u{8}' | '\u{c}' | '\n' | '\r' | '\t' => 2,
            '\0'..='\u{1f}' => 6,
            _ => plain,
        };
    }
    sizes
}
