//! Names: split into words, cased for a language, escaped, and free of collisions.

use std::collections::{BTreeMap, BTreeSet};

/// The style of names in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As declared.
    Keep,
    /// `retrieveData`
    LowerCamel,
    /// `RetrieveData`
    UpperCamel,
    /// `retrieve_data`
    Snake,
    /// `RETRIEVE_DATA`
    Screaming,
}

/// The words of a declared name: `retrieveHTTPData_v2` is `retrieve`, `HTTP`, `Data`, `v2`.
pub fn words(name: &str) -> Vec<&str> {
    let bytes = name.as_bytes();
    let mut words = Vec::new();
    let mut start = 0;
    let mut cut = |start: usize, end: usize| {
        if start < end {
            words.push(&name[start..end]);
        }
    };
    for i in 0..bytes.len() {
        if bytes[i] == b'_' {
            cut(start, i);
            start = i + 1;
        } else if i > start && bytes[i].is_ascii_uppercase() {
            let after_small = !bytes[i - 1].is_ascii_uppercase();
            let before_small = bytes.get(i + 1).is_some_and(u8::is_ascii_lowercase);
            if after_small || before_small {
                cut(start, i);
                start = i;
            }
        }
    }
    cut(start, bytes.len());
    words
}

impl Style {
    /// Writes a declared name in this style. A name of underscores alone is kept.
    pub fn apply(self, name: &str) -> String {
        let parts = words(name);
        if parts.is_empty() || self == Style::Keep {
            return name.to_owned();
        }
        let capital = |word: &str| {
            let lower = word.to_ascii_lowercase();
            lower[..1].to_ascii_uppercase() + &lower[1..]
        };
        // A word after one that ends with a digit may start with a digit ("a_1"): joined without a separator, only case distinguishes them.
        let joined = match self {
            Style::Keep => name.to_owned(),
            Style::UpperCamel => parts.iter().map(|w| capital(w)).collect(),
            Style::LowerCamel => {
                let mut text = parts[0].to_ascii_lowercase();
                parts[1..].iter().for_each(|w| text.push_str(&capital(w)));
                text
            }
            Style::Snake => parts.join("_").to_ascii_lowercase(),
            Style::Screaming => parts.join("_").to_ascii_uppercase(),
        };
        if joined.starts_with(|c: char| c.is_ascii_digit()) { format!("_{joined}") } else { joined }
    }
}

/// The names of one scope: gives each declared name a name of the language, escaped and unique, and always the same for the same input.
#[derive(Debug)]
pub struct Names {
    reserved: fn(&str) -> bool,
    /// Names for comparison: folded if the language or its file system ignores case.
    fold: bool,
    taken: BTreeSet<String>,
    given: BTreeMap<String, String>,
}

impl Names {
    /// A scope; `reserved` says which names are not allowed.
    pub fn new(reserved: fn(&str) -> bool) -> Names {
        Names { reserved, fold: false, taken: BTreeSet::new(), given: BTreeMap::new() }
    }

    /// Ignores case, for names of files.
    pub fn ignoring_case(mut self) -> Names {
        self.fold = true;
        self
    }

    /// Reserves a name used by generated code itself.
    pub fn take(&mut self, name: &str) {
        let key = self.key(name);
        self.taken.insert(key);
    }

    /// Returns the name for `declared` (a unique key in this scope): `wanted`, followed by underscores while it is reserved or taken.
    ///
    /// Callers first pass the names that need no change: an escaped name then never displaces a plain one. See [`Names::give_all`].
    pub fn give(&mut self, declared: &str, wanted: &str) -> String {
        if let Some(name) = self.given.get(declared) {
            return name.clone();
        }
        let mut name = wanted.to_owned();
        while (self.reserved)(&name) || self.taken.contains(&self.key(&name)) {
            name.push('_');
        }
        let key = self.key(&name);
        self.taken.insert(key);
        self.given.insert(declared.to_owned(), name.clone());
        name
    }

    /// Returns the names for a whole scope, in order, from `(declared, wanted)`. Unchanged names come first.
    pub fn give_all<'a>(&mut self, all: impl IntoIterator<Item = (&'a str, String)>) -> Vec<String> {
        let all: Vec<(&str, String)> = all.into_iter().collect();
        for (declared, wanted) in &all {
            if *declared == wanted.as_str()
                && !(self.reserved)(wanted)
                && !self.taken.contains(&self.key(wanted))
            {
                self.give(declared, wanted);
            }
        }
        all.iter().map(|(declared, wanted)| self.give(declared, wanted)).collect()
    }

    fn key(&self, name: &str) -> String {
        if self.fold { name.to_ascii_lowercase() } else { name.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words() {
        assert_eq!(words("retrieveHTTPData_v2"), ["retrieve", "HTTP", "Data", "v2"]);
        assert_eq!(words("RAW"), ["RAW"]);
        assert_eq!(words("SHOUTING_CASE"), ["SHOUTING", "CASE"]);
        assert_eq!(words("_x__y_"), ["x", "y"]);
        assert_eq!(words("__"), Vec::<&str>::new());
        assert_eq!(words("x2Y"), ["x2", "Y"]);
    }

    #[test]
    fn styles() {
        assert_eq!(Style::Snake.apply("retrieveHTTPData"), "retrieve_http_data");
        assert_eq!(Style::UpperCamel.apply("retrieve_http_data"), "RetrieveHttpData");
        assert_eq!(Style::LowerCamel.apply("RetrieveData"), "retrieveData");
        assert_eq!(Style::Screaming.apply("retrieveData"), "RETRIEVE_DATA");
        assert_eq!(Style::UpperCamel.apply("_1x"), "_1x");
        assert_eq!(Style::Snake.apply("__"), "__");
    }

    #[test]
    fn clashes_are_resolved_alike_in_every_order_of_case() {
        let mut names = Names::new(|name| name == "class");
        let all = [("aB", "a_b".to_owned()), ("a_b", "a_b".to_owned()), ("class", "class".to_owned())];
        assert_eq!(names.give_all(all), ["a_b_", "a_b", "class_"]);
    }
}
