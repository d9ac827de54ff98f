//! The generated files: a sorted map from relative path to text.

use std::collections::BTreeMap;

/// Generated files, sorted by path: output does not depend on the order of generation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(BTreeMap<String, String>);

impl Files {
    pub fn new() -> Files {
        Files::default()
    }

    /// Adds a file.
    ///
    /// # Panics
    /// If the path already exists or is not a plain relative path: both are bugs of the generator, never errors of a description.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) {
        let path = path.into();
        if let Err(problem) = check_path(&path) {
            panic!("generator made a wrong path {path:?}: {problem:?}");
        }
        let text = text.into();
        if self.0.insert(path.clone(), text).is_some() {
            panic!("generator made {path:?} twice");
        }
    }

    /// Path and text of each file, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(p, t)| (p.as_str(), t.as_str()))
    }

    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Why a path is refused (MODEL-31).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathProblem {
    Empty,
    Absolute,
    /// An empty part, `.` or `..`.
    BadPart,
    /// A backslash, a colon or a control character.
    BadCharacter,
}

/// Checks that a relative path stays within its folder on every system.
pub fn check_path(path: &str) -> Result<(), PathProblem> {
    if path.is_empty() {
        return Err(PathProblem::Empty);
    }
    if path.starts_with('/') {
        return Err(PathProblem::Absolute);
    }
    if path.chars().any(|c| c == '\\' || c == ':' || c.is_control()) {
        return Err(PathProblem::BadCharacter);
    }
    if path.split('/').any(|part| part.is_empty() || part == "." || part == "..") {
        return Err(PathProblem::BadPart);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        assert_eq!(check_path("a/b.java"), Ok(()));
        for (path, problem) in [
            ("", PathProblem::Empty),
            ("/etc/passwd", PathProblem::Absolute),
            ("a/../b", PathProblem::BadPart),
            ("a//b", PathProblem::BadPart),
            ("./a", PathProblem::BadPart),
            ("a\\b", PathProblem::BadCharacter),
            ("c:b", PathProblem::BadCharacter),
            ("a\nb", PathProblem::BadCharacter),
        ] {
            assert_eq!(check_path(path), Err(problem), "{path:?}");
        }
    }

    #[test]
    #[should_panic(expected = "twice")]
    fn the_same_path_twice_is_a_bug() {
        let mut files = Files::new();
        files.add("a", "");
        files.add("a", "");
    }
}
