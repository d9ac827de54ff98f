//! The list of what was generated into a folder, with the hash of each file: what creo may overwrite and remove, and nothing else.

use creo_codegen::check_path;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// The manifest's name in each target's folder.
pub const NAME: &str = ".creo-manifest";

const HEADER: &str = "# What creo generated in this folder: SHA-256 and path of each file. Do not edit.\n";

/// Paths, and the hashes that creo's own versions of them have: one, or two while a run is under way, so that a run which was interrupted leaves nothing
/// that the next one would take for somebody else's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest(BTreeMap<String, BTreeSet<String>>);

impl Manifest {
    /// Reads a manifest. Lines that are not of one are left out: then the file they were for counts as somebody else's.
    pub fn parse(text: &str) -> Manifest {
        let mut manifest = Manifest::default();
        for line in text.lines() {
            if let Some((hash, path)) = line.split_once("  ")
                && hash.len() == 64
                && hash.bytes().all(|b| b.is_ascii_hexdigit())
                && check_path(path).is_ok()
                && path != NAME
            {
                manifest.add(path, hash.to_owned());
            }
        }
        manifest
    }

    pub fn add(&mut self, path: &str, hash: String) {
        self.0.entry(path.to_owned()).or_default().insert(hash);
    }

    pub fn remove(&mut self, path: &str) {
        self.0.remove(path);
    }

    /// Forgets other hashes of a path.
    pub fn set(&mut self, path: &str, hash: String) {
        self.0.insert(path.to_owned(), BTreeSet::from([hash]));
    }

    /// Whether creo wrote this text of the file.
    pub fn holds(&self, path: &str, hash: &str) -> bool {
        self.0.get(path).is_some_and(|hashes| hashes.contains(hash))
    }

    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The manifest's text, sorted by path.
    pub fn text(&self) -> String {
        let lines = self
            .0
            .iter()
            .flat_map(|(path, hashes)| hashes.iter().map(move |hash| format!("{hash}  {path}\n")));
        std::iter::once(HEADER.to_owned()).chain(lines).collect()
    }
}

/// The SHA-256 of a file, in hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut manifest = Manifest::default();
        manifest.add("b/c.txt", hash(b"x"));
        manifest.add("a", hash(b"y"));
        manifest.add("a", hash(b"z"));
        assert_eq!(Manifest::parse(&manifest.text()), manifest);
        assert!(manifest.holds("a", &hash(b"z")));
        manifest.set("a", hash(b"y"));
        assert!(!manifest.holds("a", &hash(b"z")));
        assert_eq!(hash(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn hostile_lines_are_left_out() {
        let hash = hash(b"");
        let text = format!(
            "{hash}  ../x\n{hash}  /etc/passwd\n{hash}  a\\b\n{hash} one-space\nxyz  a\n{hash}  \n{hash}  {NAME}\n<<<<<<< ours\n{hash}  good\n"
        );
        assert_eq!(Manifest::parse(&text).paths().collect::<Vec<_>>(), ["good"]);
    }
}
