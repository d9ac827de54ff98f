//! The values of literals: numbers, decimals, instants.

/// The value of an integer literal, if it fits into 128 bits.
pub fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<i128>().ok()?,
    };
    Some(if negative { -value } else { value })
}

/// BIN-12: the canonical form of a decimal or integer literal. `None` if it has too many digits for a `Decimal`.
pub fn decimal(text: &str) -> Option<String> {
    const MOST: usize = 1_000;
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, text),
    };
    let unsigned = match unsigned.strip_prefix("0x") {
        Some(hex) => from_hex(hex, MOST)?,
        None => unsigned.to_owned(),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (unsigned.as_str(), 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // Leading zeros are meaningless, and an exponent may remove them.
    let digits = format!("{whole}{fraction}");
    let total = i64::try_from(digits.len()).ok()?;
    let mut point = i64::try_from(whole.len()).ok()?.saturating_add(exponent);
    if digits.bytes().all(|b| b == b'0') {
        // Zeros after a zero are meaningless.
        point = point.min(total);
    }
    let most = i64::try_from(MOST).ok()?;
    // A limit well above the final one, before zeros are allocated.
    if point > most + total || point < -most {
        return None;
    }
    let mut whole = String::new();
    let mut fraction = String::new();
    for at in 0..point.max(0) {
        whole.push(
            usize::try_from(at).ok().and_then(|at| digits.as_bytes().get(at)).map_or('0', |b| char::from(*b)),
        );
    }
    for at in point..total {
        fraction.push(
            usize::try_from(at).ok().and_then(|at| digits.as_bytes().get(at)).map_or('0', |b| char::from(*b)),
        );
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if whole.len() + fraction.len() > MOST {
        return None;
    }
    let zero = whole == "0" && fraction.bytes().all(|b| b == b'0');
    let sign = if negative && !zero { "-" } else { "" };
    Some(if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") })
}

/// The decimal digits of a hexadecimal number, if there are at most `most`.
fn from_hex(hex: &str, most: usize) -> Option<String> {
    // Digits from the lowest; each step multiplies by 16.
    let mut digits: Vec<u8> = vec![0];
    for hex_digit in hex.chars() {
        let mut carry = hex_digit.to_digit(16)?;
        for digit in &mut digits {
            let value = u32::from(*digit) * 16 + carry;
            *digit = (value % 10) as u8;
            carry = value / 10;
        }
        while carry > 0 {
            digits.push((carry % 10) as u8);
            carry /= 10;
        }
        if digits.len() > most {
            return None;
        }
    }
    Some(digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect())
}

/// The value of an RFC 3339 text as seconds since 1970-01-01T00:00:00Z and nanoseconds; or what is wrong with it.
pub fn date_time(text: &str) -> Result<(i64, u32), &'static str> {
    const FORM: &str = "it is not of the form `2026-11-21T10:31:56.250Z`";
    let bytes = text.as_bytes();
    let number = |start: usize, length: usize| -> Result<i64, &'static str> {
        let part = bytes.get(start..start + length).ok_or(FORM)?;
        if !part.iter().all(u8::is_ascii_digit) {
            return Err(FORM);
        }
        Ok(part.iter().fold(0, |value, b| value * 10 + i64::from(b - b'0')))
    };
    let mark =
        |at: usize, allowed: &[u8]| bytes.get(at).filter(|b| allowed.contains(b)).map(|_| ()).ok_or(FORM);
    let (year, month, day) = (number(0, 4)?, number(5, 2)?, number(8, 2)?);
    let (hour, minute, second) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
    mark(4, b"-")?;
    mark(7, b"-")?;
    mark(10, b"Tt")?;
    mark(13, b":")?;
    mark(16, b":")?;
    let mut at = 19;
    let mut nanoseconds = 0u32;
    if bytes.get(at) == Some(&b'.') {
        let digits = bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        match digits {
            0 => return Err(FORM),
            1..=9 => {}
            _ => return Err("its fraction of a second has more than nine digits"),
        }
        let value = number(at + 1, digits)?;
        nanoseconds = u32::try_from(value).unwrap_or(0) * 10u32.pow(9 - digits as u32);
        at += 1 + digits;
    }
    let offset = match bytes.get(at) {
        Some(b'Z' | b'z') => {
            at += 1;
            0
        }
        Some(sign @ (b'+' | b'-')) => {
            mark(at + 3, b":")?;
            let (hours, minutes) = (number(at + 1, 2)?, number(at + 4, 2)?);
            if hours > 23 || minutes > 59 {
                return Err("there is no such offset from UTC");
            }
            at += 6;
            (hours * 60 + minutes) * 60 * if *sign == b'-' { -1 } else { 1 }
        }
        _ => return Err("it does not end in `Z` or an offset from UTC"),
    };
    if at != bytes.len() {
        return Err(FORM);
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return Err("there is no such month"),
    };
    if day < 1 || day > days {
        return Err("there is no such day");
    }
    if hour > 23 || minute > 59 || second > 59 {
        return Err("there is no such time of day");
    }
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset;
    if (MIN_SECONDS..=MAX_SECONDS).contains(&seconds) {
        Ok((seconds, nanoseconds))
    } else {
        Err("it is not between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z")
    }
}

/// BIN-11.
const MIN_SECONDS: i64 = -62_135_596_800;
const MAX_SECONDS: i64 = 253_402_300_799;

/// Days of the proleptic Gregorian calendar, in years that begin in March: the leap day is the last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use creo_model::date_time_text;

    #[test]
    fn integers() {
        assert_eq!(integer("-9223372036854775808"), Some(i128::from(i64::MIN)));
        assert_eq!(integer("0xFf"), Some(255));
        assert_eq!(integer("-0x1"), Some(-1));
        assert_eq!(integer(&"9".repeat(50)), None);
    }

    #[test]
    fn decimals_are_canonical() {
        let of = |text: &str| decimal(text);
        assert_eq!(of("1.50").as_deref(), Some("1.50"));
        assert_eq!(of("-0.00").as_deref(), Some("0.00"));
        assert_eq!(of("007.5").as_deref(), Some("7.5"));
        assert_eq!(of("1e3").as_deref(), Some("1000"));
        assert_eq!(of("1.25e1").as_deref(), Some("12.5"));
        assert_eq!(of("-1.5e-3").as_deref(), Some("-0.0015"));
        assert_eq!(of("0e5").as_deref(), Some("0"));
        assert_eq!(of("-0.00e5000").as_deref(), Some("0"));
        assert_eq!(of("0e-3").as_deref(), Some("0.000"));
        assert_eq!(
            of("0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF").as_deref(),
            Some("87112285931760246646623899502532662132735")
        );
        assert_eq!(of(&"9".repeat(1_000)).map(|d| d.len()), Some(1_000));
        assert_eq!(of(&"9".repeat(1_001)), None);
        assert_eq!(of("1e1000"), None);
        assert_eq!(of("1e999").map(|d| d.len()), Some(1_000));
        assert_eq!(of("1e-999").map(|d| d.len()), Some(1_001));
        assert_eq!(of("1e-1000"), None);
        assert_eq!(of("1e999999999999999999999"), None);
        assert_eq!(of("1e-9223372036854775808"), None);
        assert_eq!(of(&format!("0x{}", "f".repeat(2_000))), None);
    }

    #[test]
    fn instants_both_ways() {
        for (text, value) in [
            ("1969-12-31T23:59:59.500Z", (-1, 500_000_000)),
            ("1970-01-01T00:00:00Z", (0, 0)),
            ("0001-01-01T00:00:00Z", (MIN_SECONDS, 0)),
            ("9999-12-31T23:59:59.999999999Z", (MAX_SECONDS, 999_999_999)),
            ("2024-02-29T12:00:00.000001Z", (1_709_208_000, 1_000)),
            ("2000-03-01T00:00:00Z", (951_868_800, 0)),
        ] {
            assert_eq!(date_time(text), Ok(value), "{text}");
            assert_eq!(date_time_text(value.0, value.1), text);
        }
        assert_eq!(date_time("2026-11-21T10:31:56+01:30"), date_time("2026-11-21T09:01:56Z"));
        for text in [
            "",
            "2026-11-21",
            "2026-11-21T10:31:56",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-11-21T24:00:00Z",
            "2026-11-21T10:31:60Z",
            "2026-11-21T10:31:56.Z",
            "2026-11-21T10:31:56.1234567890Z",
            "0000-12-31T00:00:00Z",
            "0001-01-01T00:00:00+00:01",
            "2026-11-21T10:31:56Zx",
            "2026-11-21T10:31:56+0130",
            "２026-11-21T10:31:56Z",
        ] {
            assert!(date_time(text).is_err(), "{text}");
        }
    }
}
