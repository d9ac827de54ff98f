//! The version of a package, and its form for each registry.

use std::fmt;

/// The max number in a version: the limit of .NET assemblies.
const MAX_NUMBER: u32 = 65_534;

/// `MAJOR.MINOR.PATCH`, or a pre-release: `1.4.0-alpha.1`, `1.4.0-beta.2`, `1.4.0-rc.3`. PEP 440 orders no other words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    numbers: [u32; 3],
    before: Option<(Stage, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Alpha,
    Beta,
    Candidate,
}

impl Stage {
    const ALL: [Stage; 3] = [Stage::Alpha, Stage::Beta, Stage::Candidate];

    fn word(self) -> &'static str {
        match self {
            Stage::Alpha => "alpha",
            Stage::Beta => "beta",
            Stage::Candidate => "rc",
        }
    }

    fn python(self) -> &'static str {
        match self {
            Stage::Alpha => "a",
            Stage::Beta => "b",
            Stage::Candidate => "rc",
        }
    }
}

impl Version {
    /// Parses a version; `None` if it is invalid.
    pub fn parse(text: &str) -> Option<Version> {
        let (release, before) = match text.split_once('-') {
            Some((release, before)) => (release, Some(before)),
            None => (text, None),
        };
        let numbers: Vec<u32> = release.split('.').map(number).collect::<Option<_>>()?;
        let before = match before {
            Some(before) => {
                let (word, count) = before.split_once('.')?;
                let stage = Stage::ALL.into_iter().find(|stage| stage.word() == word)?;
                Some((stage, number(count)?))
            }
            None => None,
        };
        Some(Version { numbers: numbers.try_into().ok()?, before })
    }

    /// The version without its pre-release suffix: for tools that accept only numbers.
    pub fn release(&self) -> String {
        self.numbers.map(|number| number.to_string()).join(".")
    }

    /// In the form of PEP 440.
    pub fn python(&self) -> String {
        let before = self.before.map(|(stage, count)| format!("{}{count}", stage.python()));
        self.release() + &before.unwrap_or_default()
    }

    /// In a form that pkg-config orders correctly, as RPM and Debian do.
    pub fn pkg_config(&self) -> String {
        let before = self.before.map(|(stage, count)| format!("~{}.{count}", stage.word()));
        self.release() + &before.unwrap_or_default()
    }
}

/// In the form of Maven, NuGet and SemVer.
impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.release())?;
        match self.before {
            Some((stage, count)) => write!(f, "-{}.{count}", stage.word()),
            None => Ok(()),
        }
    }
}

fn number(text: &str) -> Option<u32> {
    let plain = !text.is_empty() && text.len() <= 5 && text.bytes().all(|b| b.is_ascii_digit());
    let shortest = text == "0" || !text.starts_with('0');
    text.parse().ok().filter(|number| plain && shortest && *number <= MAX_NUMBER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_registry_has_its_form() {
        let version = Version::parse("1.4.0").expect("a version");
        assert_eq!((version.to_string().as_str(), version.python().as_str()), ("1.4.0", "1.4.0"));
        for (text, python, pkg_config) in [
            ("1.4.0-alpha.1", "1.4.0a1", "1.4.0~alpha.1"),
            ("0.0.1-beta.20", "0.0.1b20", "0.0.1~beta.20"),
            ("10.20.65534-rc.0", "10.20.65534rc0", "10.20.65534~rc.0"),
        ] {
            let version = Version::parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(version.to_string(), text);
            assert_eq!(version.python(), python);
            assert_eq!(version.pkg_config(), pkg_config);
        }
    }

    #[test]
    fn what_a_registry_could_not_order_is_no_version() {
        for text in [
            "",
            "1",
            "1.4",
            "1.4.0.0",
            "01.4.0",
            "1.4.x",
            "1.4.0-",
            "1.4.0-rc",
            "1.4.0-rc1",
            "1.4.0-SNAPSHOT",
            "1.4.0-rc.01",
            "1.4.0-rc.1.2",
            "1.4.0+x",
            "v1.4.0",
            " 1.4.0",
            "1.4.0\n",
            "1.4.65535",
            "1.4.-1",
            "1.+4.0",
            "../1.4.0",
            "1.4.99999999999999999999",
        ] {
            assert_eq!(Version::parse(text), None, "{text:?}");
        }
    }
}
