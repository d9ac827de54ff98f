//! The identity of a package, common to all registries.

use crate::name::Name;
use crate::version::Version;

/// The name of a package, and its content.
#[derive(Clone, Debug)]
pub struct Identity {
    pub name: Name,
    pub version: Version,
    /// Base names of the descriptions.
    pub sources: Vec<String>,
    /// Full names of the interfaces.
    pub interfaces: Vec<String>,
    pub runtime: RuntimeOf,
}

/// Where a package's code finds its runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuntimeOf {
    /// In the package, in a private place.
    Inside,
    /// In another package, with its coordinates if known.
    Package(Option<String>),
}

/// The file with the runtime's licence, which accompanies the runtime.
pub const LICENCE: &str = "LICENSE-creo.txt";

const LICENCE_TEXT: &str = include_str!("../../../LICENSE");

/// A file to distribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl Identity {
    /// A one-line description of the package.
    pub fn summary(&self) -> String {
        match self.interfaces.as_slice() {
            [] => format!("Types of {}", self.name.as_str()),
            [one] => format!("Client of the service {one}"),
            [one, .., last] => format!("Clients of {} services, {one} to {last}", self.interfaces.len()),
        }
    }

    /// The runtime's licence, if the runtime is in the package.
    pub fn licence(&self) -> Option<&'static str> {
        match self.runtime {
            RuntimeOf::Inside => Some(LICENCE_TEXT),
            RuntimeOf::Package(_) => None,
        }
    }

    /// A readme for the package. `usage` explains how to install and use it.
    pub fn readme(&self, usage: &str) -> String {
        let mut text = format!("# {} {}\n\n{}.", self.name.as_str(), self.version, self.summary());
        text.push_str(&format!(" Made by `creo pack` from {}.\n\n{usage}\n", self.sources.join(", ")));
        text
    }
}

/// Whether a registry accepts the dependency's coordinates: they must not inject anything else into a package's file.
pub fn is_coordinates(target: &str, text: &str) -> bool {
    let word = |text: &str, more: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    text.len() <= 200
        && match target {
            // GROUP:ARTIFACT:VERSION
            "java" => {
                let parts: Vec<&str> = text.split(':').collect();
                parts.len() == 3 && parts.iter().all(|part| word(part, "._-"))
            }
            // A requirement of PEP 508, without a URL: creo>=0.1,<2
            "python" => text.starts_with(|c: char| c.is_ascii_alphanumeric()) && word(text, "._-<>=!~,"),
            // A pkg-config module, optionally with a version: creo >= 0.1
            "c" => text.starts_with(|c: char| c.is_ascii_alphanumeric()) && word(text, "._+-<>= "),
            // ID/VERSION
            "csharp" => {
                text.split_once('/').is_some_and(|(id, version)| word(id, "._-") && word(version, ".-"))
            }
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_words() {
        for (target, text) in [
            ("java", "org.acme:creo-runtime:0.1.0"),
            ("python", "acme-creo>=0.1,<2"),
            ("c", "creo >= 0.1"),
            ("csharp", "Acme.Creo/0.1.0"),
        ] {
            assert!(is_coordinates(target, text), "{text}");
        }
        for (target, text) in [
            ("java", "a:b"),
            ("java", "a:b:<x>"),
            ("python", "x\nRequires-Dist: y"),
            ("python", "x @ https://y"),
            ("c", "x\nCflags: -y"),
            ("csharp", "a/\"><x"),
            ("go", "x"),
        ] {
            assert!(!is_coordinates(target, text), "{text:?}");
        }
    }
}
