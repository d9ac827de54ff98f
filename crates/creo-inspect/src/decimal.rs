//! `Decimal` in canonical form (BIN-12).

/// The maximum number of digits of a `Decimal`.
const MAX_DIGITS: usize = 1_000;

/// The problem with a decimal number's form, if any.
pub(crate) fn problem(text: &str) -> Option<&'static str> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !fraction.is_none_or(digits) {
        return Some("not a decimal number in canonical form");
    }
    if whole.len() > 1 && whole.starts_with('0') {
        return Some("a decimal number with needless zeros in front");
    }
    if text.starts_with('-') && unsigned.bytes().all(|b| b == b'0' || b == b'.') {
        return Some("a negative zero, which Decimal does not have");
    }
    if whole.len() + fraction.map_or(0, str::len) > MAX_DIGITS {
        return Some("a decimal number of more than 1000 digits");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn the_canonical_form_alone_is_taken() {
        for good in ["0", "0.0", "-1.50", "12345678901234567890.000", "10", "-0.1", &"9".repeat(1000)] {
            assert_eq!(problem(good), None, "{good}");
        }
        for bad in [
            "",
            "-",
            ".5",
            "1.",
            "+1",
            "01",
            "00",
            "-0",
            "-0.000",
            "1e3",
            "1E3",
            " 1",
            "1 ",
            "١",
            "1.2.3",
            "--1",
            &"9".repeat(1001),
        ] {
            assert!(problem(bad).is_some(), "{bad}");
        }
    }
}
