//! Compares a reported path with the expected one.

/// A path may be cut after this many bytes (BIN-15).
const CUT: usize = 250;

/// Whether a reported path is acceptable: it equals the expected one, or names an array or map around it (BIN-15); if bytes are missing,
/// also another field of the same record, since a run of fixed fields may be checked at once.
pub(super) fn names(reported: &str, meant: &str, truncated: bool) -> bool {
    if reported == meant {
        return true;
    }
    if let Some(rest) = meant.strip_prefix(reported)
        && (rest.starts_with(['[', '{']) || reported.len() >= CUT)
    {
        return true;
    }
    truncated && parent(reported) == parent(meant)
}

fn parent(place: &str) -> &str {
    place.rfind(['.', '[', '{']).map_or("", |at| &place[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        assert!(names("$.a[3].b", "$.a[3].b", false));
        assert!(names("$.a", "$.a[3].b", false));
        assert!(!names("$", "$.a[3].b", false));
        assert!(!names("$.a[3]", "$.a[3].b", false));
        assert!(!names("$.c", "$.b", false));
        assert!(names("$.c", "$.b", true));
        assert!(!names("$.c.d", "$.b", true));
        let long = format!("${}", ".next".repeat(100));
        assert!(names(&long[..250], &long, false));
        assert!(!names(&long[..240], &long, false));
    }
}
