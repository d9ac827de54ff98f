//! `creo.toml`: what a project generates from which descriptions.

use crate::args::{RuntimeMode, SidesOfCalls};
use crate::failure::Failure;
use crate::input::{name_of, open_regular};
use crate::manifest;
use creo_diag::reason;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file's name, in the root of a project.
pub const NAME: &str = "creo.toml";

/// The largest file that is read.
const MAX_SIZE: u64 = 1 << 20;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    generate: Vec<Generate>,
}

/// A table `[[generate]]`. Paths are relative to the file's folder.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Generate {
    pub descriptions: Vec<PathBuf>,
    pub targets: Vec<String>,
    pub out: PathBuf,
    #[serde(default)]
    pub runtime: RuntimeMode,
    #[serde(default, rename = "runtime-package")]
    pub runtime_package: Option<String>,
    /// Empty for the defaults.
    #[serde(default)]
    pub wires: Vec<String>,
    #[serde(default)]
    pub sides: SidesOfCalls,
    #[serde(default)]
    pub with: Vec<String>,
}

/// The content of the nearest `creo.toml` in `folder` or above it, with paths relative to `folder`.
pub fn find(folder: &Path) -> Result<Vec<Generate>, Failure> {
    let absolute = folder.canonicalize().map_err(|e| Failure::file("look at", folder, &e))?;
    let mut up = PathBuf::new();
    for _ in absolute.ancestors() {
        let path = folder.join(&up).join(NAME);
        match open_regular(&path) {
            Ok(mut file) => return read(&mut file, &up.join(NAME), &up),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => up.push(".."),
            Err(error) => return Err(Failure::file("read", &path, &error)),
        }
    }
    Err(Failure::new(format!("there is no {NAME} here, nor in a folder above"))
        .help("name a description: creo generate lab.creo --target java,python --out generated"))
}

fn read(file: &mut impl Read, path: &Path, root: &Path) -> Result<Vec<Generate>, Failure> {
    let shown = path.display();
    let mut bytes = Vec::new();
    file.take(MAX_SIZE + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| Failure::new(format!("cannot read {shown}: {}", reason(&e))))?;
    if bytes.len() as u64 > MAX_SIZE {
        return Err(Failure::new(format!("{shown} is larger than 1 MiB")));
    }
    let text = String::from_utf8(bytes).map_err(|_| Failure::new(format!("{shown} is not UTF-8 text")))?;
    let mut generate =
        parse(&text).map_err(|why| Failure::coded("invalid-config", format!("{shown}{why}")))?;
    for entry in &mut generate {
        for path in entry.descriptions.iter_mut().chain([&mut entry.out]) {
            *path = root.join(&*path);
        }
    }
    Ok(generate)
}

/// The error begins with `:LINE:COLUMN: `, or with `: ` if it has no line.
fn parse(text: &str) -> Result<Vec<Generate>, String> {
    let config: Config = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(String::new(), |span| {
            let before = &text[..span.start];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            format!(":{line}:{column}")
        });
        format!("{at}: {}", error.message().trim_end())
    })?;
    if config.generate.is_empty() {
        return Err(": it has no [[generate]]".to_owned());
    }
    let mut outputs = BTreeSet::new();
    for entry in &config.generate {
        let names: Vec<String> = entry.descriptions.iter().map(|path| name_of(path)).collect();
        let manifest = manifest::name(&names.iter().map(String::as_str).collect::<Vec<_>>());
        for target in &entry.targets {
            if !outputs.insert((&entry.out, target, manifest.clone())) {
                return Err(format!(
                    ": two [[generate]] have descriptions of the same name, the target {target} and the folder {}",
                    entry.out.display()
                ));
            }
        }
        let empty = [
            ("descriptions", entry.descriptions.is_empty()),
            ("targets", entry.targets.is_empty()),
            ("out", entry.out.as_os_str().is_empty()),
        ];
        if let Some((name, _)) = empty.into_iter().find(|(_, empty)| *empty) {
            return Err(format!(": `{name}` is empty"));
        }
    }
    Ok(config.generate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_file() {
        let text = "[[generate]]\ndescriptions = [\"a.creo\"]\ntargets = [\"java\"]\nout = \"generated\"\nruntime = \"copy\"\nruntime-package = \"a.creo\"\nwires = [\"binary\"]\nsides = \"client\"\nwith = [\"jms\"]\n";
        let entries = parse(text).expect("valid");
        assert_eq!(
            entries,
            [Generate {
                descriptions: vec!["a.creo".into()],
                targets: vec!["java".to_owned()],
                out: "generated".into(),
                runtime: RuntimeMode::Copy,
                runtime_package: Some("a.creo".to_owned()),
                wires: vec!["binary".to_owned()],
                sides: SidesOfCalls::Client,
                with: vec!["jms".to_owned()],
            }]
        );
    }

    #[test]
    fn errors_name_line_and_column() {
        for (text, error) in [
            ("", "missing field `generate`"),
            ("generate = []", ": it has no [[generate]]"),
            ("\n[[generate]]\ntarget = 1", ":3:1: unknown field `target`"),
            (
                "[[generate]]\ndescriptions = [\"a\"]\ntargets = [\"c\"]\nout = \"o\"\nsides = \"server\"",
                ":5:9: unknown variant `server`",
            ),
            ("[[generate]]\ndescriptions = []\ntargets = [\"c\"]\nout = \"o\"", ": `descriptions` is empty"),
            ("[[generate]]\ndescriptions = [\"a\"]\ntargets = [\"c\"]\nout = \"\"", ": `out` is empty"),
            ("é = [", ":1:6: unclosed array"),
            (
                "[[generate]]\ndescriptions = [\"a.creo\"]\ntargets = [\"c\"]\nout = \"o\"\n[[generate]]\ndescriptions = [\"b/a.creo\"]\ntargets = [\"java\", \"c\"]\nout = \"o\"",
                ": two [[generate]] have descriptions of the same name, the target c and the folder o",
            ),
        ] {
            let found = parse(text).expect_err("invalid");
            assert!(found.contains(error), "{text:?}: {found}");
        }
    }
}
