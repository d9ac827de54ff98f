//! Suggests the name that was probably meant.

/// Finds similar names within a budget of work: a file with many unknown names takes no longer than one with a few.
pub struct Nearest {
    budget: usize,
}

/// The names of primitives in other languages.
const ALIASES: [(&str, &str); 24] = [
    ("string", "String"),
    ("str", "String"),
    ("text", "String"),
    ("bool", "boolean"),
    ("integer", "int"),
    ("int8", "byte"),
    ("uint8", "byte"),
    ("bytes", "byte[]"),
    ("int16", "short"),
    ("int32", "int"),
    ("int64", "long"),
    ("i8", "byte"),
    ("i16", "short"),
    ("i32", "int"),
    ("i64", "long"),
    ("float32", "float"),
    ("float64", "double"),
    ("f32", "float"),
    ("f64", "double"),
    ("character", "char"),
    ("instant", "DateTime"),
    ("timestamp", "DateTime"),
    ("date", "DateTime"),
    ("bigdecimal", "Decimal"),
];

impl Nearest {
    pub fn new() -> Nearest {
        Nearest { budget: 20_000_000 }
    }

    /// Whether `work` more is within the budget; takes it.
    pub fn can_afford(&mut self, work: usize) -> bool {
        let can = self.budget >= work;
        self.budget = self.budget.saturating_sub(work);
        can
    }

    /// The known name most similar to `name`, if similar enough. The first of equals.
    pub fn find(&mut self, name: &str, known: &[&str]) -> Option<String> {
        if let Some(same) = known.iter().find(|k| k.eq_ignore_ascii_case(name)) {
            return Some((*same).to_owned());
        }
        if let Some((_, meant)) = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)) {
            return Some((*meant).to_owned());
        }
        self.find_plain(name, known)
    }

    /// As [`Nearest::find`], without the names of primitives in other languages.
    pub fn find_plain(&mut self, name: &str, known: &[&str]) -> Option<String> {
        let most = (name.len() / 3).max(1);
        let mut best: Option<(usize, &str)> = None;
        for candidate in known {
            let cost = 1 + name.len() * candidate.len();
            if self.budget < cost {
                return None;
            }
            if name.len().abs_diff(candidate.len()) > most {
                self.budget -= 1;
                continue;
            }
            self.budget -= cost;
            let distance = distance(name.as_bytes(), candidate.as_bytes());
            if distance <= most && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, candidate));
            }
        }
        best.map(|(_, name)| name.to_owned())
    }
}

/// The edit distance of two names: insert, delete, replace, swap neighbours.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
            let mut least = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{Nearest, distance};

    #[test]
    fn distances() {
        assert_eq!(distance(b"Data", b"Dta"), 1);
        assert_eq!(distance(b"Data", b"Daat"), 1);
        assert_eq!(distance(b"", b"abc"), 3);
    }

    #[test]
    fn nearest_names() {
        let known = ["MetaData", "Data", "String"];
        let find = |name| Nearest::new().find(name, &known);
        assert_eq!(find("Metadata").as_deref(), Some("MetaData"));
        assert_eq!(find("Dtaa").as_deref(), Some("Data"));
        assert_eq!(find("bool").as_deref(), Some("boolean"));
        assert_eq!(find("Quality"), None);
    }
}
