//! The list of files generated into a folder from a description, with their hashes: only these may be overwritten and removed. Each
//! description has its own list, so several can share a folder; the list also has the needs of the code from their shared runtime.

use creo_codegen::{Module, Needs, Wire, Wires, check_path};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// The prefix of all manifests' names.
const PREFIX: &str = ".creo-manifest-";

/// The max length of the part of a manifest's name that comes from descriptions.
const MAX_LABEL: usize = 100;

/// The name of the manifest for descriptions generated together, in any order: `.creo-manifest-lab` for `a/lab.creo`.
pub fn name(descriptions: &[&str]) -> String {
    let stem = |name: &&str| {
        let base = name.rsplit('/').next().unwrap_or(name);
        let base = base.strip_suffix(".creo").unwrap_or(base);
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let plain: String = base.chars().map(plain).collect();
        // Names that differ in other characters have different manifests.
        if plain == base { plain } else { format!("{plain}-{}", &hash(base.as_bytes())[..8]) }
    };
    let mut label =
        descriptions.iter().map(stem).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("+");
    if label.len() > MAX_LABEL {
        label = hash(label.as_bytes());
    }
    format!("{PREFIX}{label}")
}

/// Whether two names of manifests are of runs that had a description in common; so it may be if one of them is too long to say.
pub fn have_a_description_in_common(one: &str, other: &str) -> bool {
    let stems = |name: &str| -> BTreeSet<String> {
        name.strip_prefix(PREFIX).unwrap_or(name).split('+').map(str::to_owned).collect()
    };
    let is_hash = |name: &str| name.len() == PREFIX.len() + 64;
    is_hash(one) || is_hash(other) || !stems(one).is_disjoint(&stems(other))
}

/// Whether a file has the name of a manifest, which must not be generated.
pub fn is_manifest(name: &str) -> bool {
    name.starts_with(PREFIX)
}

const HEADER: &str = "# What creo generated in this folder: SHA-256 and path of each file. Do not edit.\n";

/// The prefixes of lines with needs.
const WIRES: &str = "# wires:";
const WITH: &str = "# with:";
/// The line of code for methods that have streams.
const STREAMS: &str = "# streams";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Paths with the hashes of creo's versions: one, or two during a run. An interrupted run thus leaves no file that the next one would
    /// not recognize.
    files: BTreeMap<String, BTreeSet<String>>,
    needs: Option<Needs>,
}

impl Manifest {
    /// Parses a manifest. Invalid lines are ignored: their files then count as foreign.
    pub fn parse(text: &str) -> Manifest {
        let mut manifest = Manifest::default();
        for line in text.lines() {
            if let Some(words) = line.strip_prefix(WIRES) {
                let wires = Wires::of(words.split_whitespace().filter_map(Wire::find));
                manifest.add_needs(&Needs { wires, ..Needs::none().clone() });
            } else if let Some(words) = line.strip_prefix(WITH) {
                let with = words.split_whitespace().filter_map(Module::find).collect();
                manifest.add_needs(&Needs { with, ..Needs::none().clone() });
            } else if line == STREAMS {
                manifest.add_needs(&Needs { streams: true, ..Needs::none().clone() });
            } else if let Some((hash, path)) = line.split_once("  ")
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
        self.files.entry(path.to_owned()).or_default().insert(hash);
    }

    pub fn add_needs(&mut self, needs: &Needs) {
        self.needs.get_or_insert_with(|| Needs::none().clone()).add(needs);
    }

    pub fn set_needs(&mut self, needs: &Needs) {
        self.needs = Some(needs.clone());
    }

    /// The needs of the code from a runtime. If the manifest has none, the code may use every wire and streams.
    pub fn needs(&self) -> Needs {
        let wires = if self.is_empty() { Wires::NONE } else { Wires::ALL };
        let unknown = || Needs { wires, streams: !self.is_empty(), ..Needs::none().clone() };
        self.needs.clone().unwrap_or_else(unknown)
    }

    pub fn remove(&mut self, path: &str) {
        self.files.remove(path);
    }

    /// Forgets other hashes of a path.
    pub fn set(&mut self, path: &str, hash: String) {
        self.files.insert(path.to_owned(), BTreeSet::from([hash]));
    }

    /// Whether creo wrote this content of the file.
    pub fn holds(&self, path: &str, hash: &str) -> bool {
        self.files.get(path).is_some_and(|hashes| hashes.contains(hash))
    }

    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The manifest's text, sorted by path.
    pub fn text(&self) -> String {
        let lines = self
            .files
            .iter()
            .flat_map(|(path, hashes)| hashes.iter().map(move |hash| format!("{hash}  {path}\n")));
        let words = |start: &str, words: Vec<&str>| format!("{start} {}\n", words.join(" "));
        let needs = self.needs.iter().flat_map(|needs| {
            let with: Vec<&str> = needs.with.iter().map(|module| module.name()).collect();
            let with = (!with.is_empty()).then(|| words(WITH, with));
            let streams = needs.streams.then(|| format!("{STREAMS}\n"));
            let wires = words(WIRES, needs.wires.iter().map(Wire::name).collect());
            std::iter::once(wires).chain(with).chain(streams)
        });
        std::iter::once(HEADER.to_owned()).chain(needs).chain(lines).collect()
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
        assert_eq!(manifest.needs().wires, Wires::ALL, "an old manifest");
        for with in [BTreeSet::new(), BTreeSet::from([Module::Jms])] {
            let streams = !with.is_empty();
            let needs = Needs { wires: Wires::of([Wire::Json, Wire::Binary]), with, streams };
            manifest.set_needs(&needs);
            assert_eq!(manifest.needs(), needs);
            assert_eq!(Manifest::parse(&manifest.text()), manifest);
        }
        assert!(manifest.text().contains("\n# wires: binary json\n# with: jms\n# streams\n"));
        assert_eq!(Manifest::default().needs(), *Needs::none());
        assert!(manifest.holds("a", &hash(b"z")));
        manifest.set("a", hash(b"y"));
        assert!(!manifest.holds("a", &hash(b"z")));
        assert_eq!(hash(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn each_description_has_a_manifest() {
        assert_eq!(name(&["lab.creo"]), ".creo-manifest-lab");
        assert_eq!(name(&["stock.creo", "../x/lab.creo", "stock.creo"]), ".creo-manifest-lab+stock");
        assert_eq!(name(&["a b\u{1b}.creo"]), ".creo-manifest-a_b_-d7f8cb5f");
        assert!(name(&[&"x".repeat(300)]).len() < 200);
    }

    #[test]
    fn hostile_lines_are_left_out() {
        let hash = hash(b"");
        let text = format!(
            "{hash}  ../x\n{hash}  /etc/passwd\n{hash}  a\\b\n{hash} one-space\nxyz  a\n{hash}  \n{hash}  .creo-manifest-x\n<<<<<<< ours\n{hash}  good\n# wires: binary ../x carrier\n# with: smtp\n"
        );
        let manifest = Manifest::parse(&text);
        assert_eq!(manifest.paths().collect::<Vec<_>>(), ["good"]);
        assert_eq!(
            manifest.needs(),
            Needs { wires: Wires::of([Wire::Binary]), with: BTreeSet::new(), streams: false }
        );
    }
}
