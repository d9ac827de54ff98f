//! The name of a package, and its form for each registry.

/// The max length.
const MAX_LENGTH: usize = 64;

/// Words of letters and digits separated by `-`, `_` or `.`, starting with a letter: a name that every registry accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// Parses a name; `None` if some registry would not accept it.
    pub fn parse(text: &str) -> Option<Name> {
        let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric());
        let fine = text.len() <= MAX_LENGTH
            && text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.split(['-', '_', '.']).all(word);
        fine.then(|| Name(text.to_owned()))
    }

    /// The unchanged name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name as an identifier: `water_level` for `Water-Level`.
    pub fn word(&self) -> String {
        self.0.to_ascii_lowercase().replace(['-', '.'], "_")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (text, word) in [("lab", "lab"), ("Water-Level.v2", "water_level_v2"), ("a_1", "a_1")] {
            assert_eq!(Name::parse(text).map(|name| name.word()), Some(word.to_owned()), "{text}");
        }
        for text in
            ["", "1a", "-a", "a-", "a--b", "a/b", "../a", "a b", "a\n", "é", ".a", "a.", &"a".repeat(65)]
        {
            assert_eq!(Name::parse(text), None, "{text:?}");
        }
    }
}
