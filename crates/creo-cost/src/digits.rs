//! The text lengths of numbers (XML-11, VAL-1 to VAL-3), and the numbers assumed by default (COST-5).

use crate::spread::Spread;
use creo_model::Primitive;
use std::sync::LazyLock;

/// Integers that a JSON reader with doubles keeps exactly (VAL-2).
const EXACT: i128 = (1 << 53) - 1;

/// The number of samples for the mean text length of real numbers.
const SAMPLES: u64 = 4_096;

/// The assumed numbers of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub low: f64,
    pub high: f64,
    /// The number of decimals before trailing zeros are dropped, if it is fixed; only for real numbers.
    pub decimals: Option<u32>,
}

/// The min and max of an integer type; `None` for other types.
pub fn integers(primitive: Primitive) -> Option<(i128, i128)> {
    match primitive {
        Primitive::Byte => Some((i8::MIN.into(), i8::MAX.into())),
        Primitive::Short => Some((i16::MIN.into(), i16::MAX.into())),
        Primitive::Int => Some((i32::MIN.into(), i32::MAX.into())),
        Primitive::Long => Some((i64::MIN.into(), i64::MAX.into())),
        Primitive::Boolean
        | Primitive::Char
        | Primitive::Float
        | Primitive::Double
        | Primitive::String
        | Primitive::DateTime
        | Primitive::Decimal => None,
    }
}

/// The texts of equally likely integers, and the share of integers beyond [`EXACT`].
pub fn integer_text(low: i128, high: i128) -> (Spread, f64) {
    let all = (high - low + 1) as f64;
    // The numbers from `a` to `b`, none negative, grouped by length.
    let digits = |a: i128, b: i128| {
        let (mut sum, mut from, mut length) = (0.0, a, 1u32);
        while from <= b {
            let end = 10i128.pow(length) - 1;
            if from <= end {
                sum += (b.min(end) - from + 1) as f64 * f64::from(length);
                from = end + 1;
            }
            length += 1;
        }
        sum
    };
    let mut sum = 0.0;
    if low < 0 {
        let (a, b) = (-(high.min(-1)), -low);
        sum += digits(a, b) + (b - a + 1) as f64;
    }
    if high >= 0 {
        sum += digits(low.max(0), high);
    }
    let length = |n: i128| n.to_string().len() as u64;
    // Texts grow in both directions from 0.
    let least = if low <= 0 && high >= 0 { 1 } else { length(low).min(length(high)) };
    let beyond = |from: i128, to: i128| (to - from + 1).max(0) as f64;
    let large = (beyond(low, high.min(-EXACT - 1)) + beyond(low.max(EXACT + 1), high)) / all;
    (Spread { least, expected: sum / all, most: length(low).max(length(high)) }, large)
}

/// The length of a real number in ECMAScript's form (XML-11), given the shortest digits in Rust's form: `-1.25e-7`.
fn layout(scientific: &str) -> u64 {
    let (sign, text) = scientific.strip_prefix('-').map_or((0, scientific), |rest| (1, rest));
    let Some((digits, exponent)) = text.split_once('e') else { return sign + text.len() as u64 };
    let k = digits.bytes().filter(u8::is_ascii_digit).count() as i64;
    // The point follows the n-th digit.
    let n = exponent.parse::<i64>().unwrap_or(0) + 1;
    let length = if k <= n && n <= 21 {
        n
    } else if 0 < n && n <= 21 {
        k + 1
    } else if -6 < n && n <= 0 {
        2 - n + k
    } else {
        let point = i64::from(k > 1);
        k + point + 2 + (n - 1).abs().to_string().len() as i64
    };
    sign + length as u64
}

/// The text of a `double` in XML. In JSON, non-finite numbers have quotes and other names.
pub fn double_text(value: f64) -> u64 {
    match value {
        v if v.is_nan() => 3,
        f64::INFINITY => 3,
        f64::NEG_INFINITY => 4,
        // Keeps the sign of zero.
        v => layout(&format!("{v:e}")),
    }
}

/// The text of a `float` in XML.
pub fn float_text(value: f32) -> u64 {
    match value {
        v if v.is_nan() => 3,
        f32::INFINITY => 3,
        f32::NEG_INFINITY => 4,
        v => layout(&format!("{v:e}")),
    }
}

/// A reproducible sequence of random numbers: SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 up to, but excluding, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From 0 up to, but excluding, `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(end)) >> 64) as u64
    }
}

/// The real numbers of COST-5: from 0 up to 1,000, with full precision.
pub const REALS: f64 = 1_000.0;

static DOUBLES: LazyLock<f64> = LazyLock::new(|| {
    let mut random = Random::new(1);
    (0..SAMPLES).map(|_| double_text(random.unit() * REALS) as f64).sum::<f64>() / SAMPLES as f64
});

static FLOATS: LazyLock<f64> = LazyLock::new(|| {
    let mut random = Random::new(1);
    (0..SAMPLES).map(|_| float_text((random.unit() * REALS) as f32) as f64).sum::<f64>() / SAMPLES as f64
});

/// The texts of `double`s or `float`s without a given range.
pub fn real_text(float: bool) -> Spread {
    // The longest text: `-0.0000012345678901234567`; for floats, integers below 10^21 with a sign.
    if float {
        Spread { least: 1, expected: *FLOATS, most: 22 }
    } else {
        Spread { least: 1, expected: *DOUBLES, most: 25 }
    }
}

/// The texts of real numbers within a range.
pub fn real_range_text(range: Range, float: bool) -> Spread {
    let mut random = Random::new(1);
    let text = |value: f64| if float { float_text(value as f32) } else { double_text(value) };
    let scale = range.decimals.map(|d| 10f64.powi(d as i32));
    let pick = |unit: f64| {
        let value = range.low + unit * (range.high - range.low);
        scale.map_or(value, |scale| (value * scale).round() / scale)
    };
    let expected = (0..SAMPLES).map(|_| text(pick(random.unit())) as f64).sum::<f64>() / SAMPLES as f64;
    let whole = |value: f64| (value.trunc().abs() as u128).to_string().len() as u64 + u64::from(value < 0.0);
    let free = real_text(float);
    let most = match range.decimals {
        Some(0) => whole(range.low).max(whole(range.high)),
        Some(decimals) => whole(range.low).max(whole(range.high)) + 1 + u64::from(decimals),
        None => free.most,
    };
    let shortest =
        if range.low < 1.0 && range.high > -1.0 { 1 } else { whole(range.low).min(whole(range.high)) };
    Spread { least: shortest, expected, most: most.min(free.most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_as_long_as_ecmascript_writes_them() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (0.1, "0.1"),
            (1.5e-7, "1.5e-7"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (123.456, "123.456"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (-1.2345678901234567e-6, "-0.0000012345678901234567"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "INF"),
            (f64::NEG_INFINITY, "-INF"),
        ] {
            assert_eq!(double_text(value), text.len() as u64, "{text}");
        }
        assert_eq!(float_text(0.1), 3);
        assert_eq!(float_text(16_777_216.0), 8);
    }

    #[test]
    fn integers_have_their_exact_mean() {
        for (low, high) in [(0, 9), (-128, 127), (-5, -2), (95, 105), (-1000, 3), (7, 7)] {
            let all: Vec<u64> = (low..=high).map(|n: i128| n.to_string().len() as u64).collect();
            let (spread, large) = integer_text(low, high);
            assert_eq!(
                (Some(&spread.least), Some(&spread.most)),
                (all.iter().min(), all.iter().max()),
                "{low}..{high}"
            );
            assert!(
                (spread.expected - all.iter().sum::<u64>() as f64 / all.len() as f64).abs() < 1e-9,
                "{low}..{high}"
            );
            assert_eq!(large, 0.0);
        }
        let (long, large) = integer_text(i64::MIN.into(), i64::MAX.into());
        assert_eq!((long.least, long.most), (1, 20));
        assert!(large > 0.999 && large < 1.0);
    }

    #[test]
    fn reals_within_bounds() {
        let text = real_range_text(Range { low: 400.0, high: 450.0, decimals: Some(2) }, false);
        assert_eq!((text.least, text.most), (3, 6));
        assert!(text.expected > 5.8 && text.expected < 6.0);
        assert!(real_text(false).expected > 16.0 && real_text(false).expected < 18.0);
    }
}
