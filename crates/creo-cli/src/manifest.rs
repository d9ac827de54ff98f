//! The list of what was generated into a folder from a description, with the hash of each file: what creo may overwrite and remove, and nothing else.
//! Each description has its own list, so that several can be generated into one folder.

use creo_codegen::check_path;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// What the names of all manifests begin with.
const PREFIX: &str = ".creo-manifest-";

/// The longest part of a manifest's name that comes from descriptions.
const MAX_LABEL: usize = 100;

/// The name of the manifest for descriptions that are generated together, in any order: `.creo-manifest-lab` for `a/lab.creo`.
pub fn name(descriptions: &[&str]) -> String {
    let stem = |name: &&str| {
        let base = name.rsplit('/').next().unwrap_or(name);
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
        base.strip_suffix(".creo").unwrap_or(base).chars().map(plain).collect::<String>()
    };
    let mut label =
        descriptions.iter().map(stem).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("+");
    if label.len() > MAX_LABEL {
        label = hash(label.as_bytes());
    }
    format!("{PREFIX}{label}")
}

/// Whether a file of this name is a manifest, so that nothing may be generated in its place.
pub fn is_manifest(name: &str) -> bool {
    name.starts_with(PREFIX)
}

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
                && !is_manifest(path)
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

    /// Takes over what another manifest knows.
    pub fn merge(&mut self, other: Manifest) {
        for (path, hashes) in other.0 {
            self.0.entry(path).or_default().extend(hashes);
        }
    }

    pub fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
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
    fn each_description_has_a_manifest() {
        assert_eq!(name(&["lab.creo"]), ".creo-manifest-lab");
        assert_eq!(name(&["stock.creo", "../x/lab.creo", "stock.creo"]), ".creo-manifest-lab+stock");
        assert_eq!(name(&["a b\u{1b}.creo"]), ".creo-manifest-a_b_");
        assert!(name(&[&"x".repeat(300)]).len() < 200);
    }

    #[test]
    fn hostile_lines_are_left_out() {
        let hash = hash(b"");
        let text = format!(
            "{hash}  ../x\n{hash}  /etc/passwd\n{hash}  a\\b\n{hash} one-space\nxyz  a\n{hash}  \n{hash}  .creo-manifest-x\n<<<<<<< ours\n{hash}  good\n"
        );
        assert_eq!(Manifest::parse(&text).paths().collect::<Vec<_>>(), ["good"]);
    }
}
