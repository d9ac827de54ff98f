//! Instants: RFC 3339 text to seconds and nanoseconds, and back (VAL-6, BIN-11).

/// 0001-01-01T00:00:00Z
pub(crate) const FIRST_SECOND: i64 = -62_135_596_800;
/// 9999-12-31T23:59:59Z
pub(crate) const LAST_SECOND: i64 = 253_402_300_799;

const DAY: i64 = 86_400;

/// Days from 1970-01-01 to a date of the Gregorian calendar. Months count from 1.
fn days_from_date(year: i64, month: i64, day: i64) -> i64 {
    // Years that start in March put the leap day last, so one formula gives the days before a month.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days_before_month = (153 * m + 2) / 5;
    let days_before_year = 365 * y + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400);
    // There are 719468 days between 0000-03-01 and 1970-01-01.
    days_before_year + days_before_month + day - 1 - 719_468
}

/// The Gregorian date of a day counted from 1970-01-01.
fn date_from_days(days: i64) -> (i64, i64, i64) {
    // An early estimate of the year, a few steps from the right one.
    let mut year = 1970 + if days >= 0 { days / 366 } else { days.div_euclid(365) };
    while days_from_date(year + 1, 1, 1) <= days {
        year += 1;
    }
    let mut month = 1;
    while month < 12 && days_from_date(year, month + 1, 1) <= days {
        month += 1;
    }
    (year, month, days - days_from_date(year, month, 1) + 1)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    days_from_date(next_year, next_month, 1) - days_from_date(year, month, 1)
}

/// Parses an instant: seconds since 1970-01-01T00:00:00Z, nanoseconds. `None` if it is not RFC 3339, or outside the range of `DateTime`.
pub fn parse(text: &str) -> Option<(i64, u32)> {
    let (local, nanos, east) = parse_local(text)?;
    Some(instant_of(local, nanos, east))
}

/// The instant of a time `east` seconds ahead of UTC; the first or the last one if only the offset takes it out of the range of `DateTime` (XML-13).
pub fn instant_of(local: i64, nanos: u32, east: i64) -> (i64, u32) {
    match local - east {
        ..FIRST_SECOND => (FIRST_SECOND, 0),
        seconds @ FIRST_SECOND..=LAST_SECOND => (seconds, nanos),
        _ => (LAST_SECOND, 999_999_999),
    }
}

/// Reads an instant as its time of day in seconds since 1970, its nanoseconds and its offset in seconds.
pub fn parse_local(text: &str) -> Option<(i64, u32, i64)> {
    let digits = |from: usize, len: usize| -> Option<i64> {
        let part = text.get(from..from + len)?;
        part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok())?
    };
    let mark =
        |at: usize, wanted: &str| text.get(at..at + 1).filter(|c| c.eq_ignore_ascii_case(wanted)).map(|_| ());
    let (year, month, day) = (digits(0, 4)?, digits(5, 2)?, digits(8, 2)?);
    let (hour, minute, second) = (digits(11, 2)?, digits(14, 2)?, digits(17, 2)?);
    mark(4, "-").and(mark(7, "-")).and(mark(10, "T")).and(mark(13, ":")).and(mark(16, ":"))?;
    if year < 1
        || !(1..=12).contains(&month)
        || day < 1
        || day > days_in_month(year, month)
        || hour > 23
        || minute > 59
        || second > 59
    {
        return None;
    }
    let mut rest = text.get(19..)?;
    let mut nanos = 0u32;
    if let Some(fraction) = rest.strip_prefix('.') {
        let len = fraction.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=9).contains(&len) {
            return None;
        }
        nanos = format!("{:0<9}", &fraction[..len]).parse().ok()?;
        rest = &fraction[len..];
    }
    let offset = if rest.eq_ignore_ascii_case("z") {
        0
    } else {
        let at = text.len() - rest.len();
        let sign = match rest.get(..1)? {
            "+" => 1,
            "-" => -1,
            _ => return None,
        };
        let (hours, minutes) = (digits(at + 1, 2)?, digits(at + 4, 2)?);
        mark(at + 3, ":")?;
        if rest.len() != 6 || hours > 23 || minutes > 59 {
            return None;
        }
        sign * (hours * 3600 + minutes * 60)
    };
    let local = days_from_date(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
    Some((local, nanos, offset))
}

/// Formats an instant in UTC with the fewest sufficient digits of fraction: 0, 3, 6 or 9. The instant must be in the range of `DateTime`.
pub fn format(seconds: i64, nanos: u32) -> String {
    let (year, month, day) = date_from_days(seconds.div_euclid(DAY));
    let time = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    let mut text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    if nanos != 0 {
        let mut fraction = format!("{nanos:09}");
        while fraction.ends_with("000") {
            fraction.truncate(fraction.len() - 3);
        }
        text.push('.');
        text.push_str(&fraction);
    }
    text.push('Z');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_instants() {
        for (text, seconds, nanos) in [
            ("1970-01-01T00:00:00Z", 0, 0),
            ("1969-12-31T23:59:59.500Z", -1, 500_000_000),
            ("2000-02-29T12:30:45.000001Z", 951_827_445, 1_000),
            ("2026-11-21T10:31:56.250Z", 1_795_257_116, 250_000_000),
            ("0001-01-01T00:00:00Z", FIRST_SECOND, 0),
            ("9999-12-31T23:59:59.999999999Z", LAST_SECOND, 999_999_999),
        ] {
            assert_eq!(parse(text), Some((seconds, nanos)), "{text}");
            assert_eq!(format(seconds, nanos), text);
        }
    }

    #[test]
    fn readers_take_offsets_and_any_number_of_digits() {
        assert_eq!(parse("2026-11-21T11:31:56.25+01:00"), parse("2026-11-21T10:31:56.250Z"));
        assert_eq!(parse("1970-01-01t00:00:00.1z"), Some((0, 100_000_000)));
        assert_eq!(parse("0001-01-01T00:00:00-00:01"), Some((FIRST_SECOND + 60, 0)));
        assert_eq!(parse("0001-01-01T00:00:00+00:01"), Some((FIRST_SECOND, 0)));
        assert_eq!(parse("9999-12-31T23:59:59-00:01"), Some((LAST_SECOND, 999_999_999)));
    }

    #[test]
    fn what_is_no_instant_is_refused() {
        for text in [
            "",
            "2026-11-21",
            "2026-11-21T10:31:56",
            "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-06-30T23:59:60Z",
            "0000-12-31T00:00:00Z",
            "10000-01-01T00:00:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00.1234567890Z",
            "2026-01-01T00:00:00Zx",
            "2026-01-01T00:00:00+1:00",
            "2026-01-01T00:00:00+01:00x",
            "+026-01-01T00:00:00Z",
            "2026-01-01é00:00:00Z",
            "２０２６-01-01T00:00:00Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_of_the_calendar_comes_back() {
        let mut expected = (1, 1, 1);
        for days in days_from_date(1, 1, 1)..=days_from_date(9999, 12, 31) {
            if days % 97 == 0 {
                let (year, month, day) = date_from_days(days);
                assert_eq!(days_from_date(year, month, day), days);
                assert!((year, month, day) >= expected);
                expected = (year, month, day);
            }
        }
    }
}
