//! A scenario in a file: the options under the same names.

use crate::args::{AssumeArgs, CapacityArgs};
use crate::failure::Failure;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::path::Path;

/// The code of a scenario that cannot be simulated.
pub const WRONG: &str = "invalid-scenario";

/// The largest file that is read.
const MAX_FILE: u64 = 1 << 20;

/// A text, or an equivalent number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Word {
    Text(String),
    Whole(i64),
    Real(f64),
    // Gives a message with the key, instead of one about variants.
    Other(IgnoredAny),
}

impl Word {
    fn text(self) -> String {
        match self {
            Word::Text(text) => text,
            Word::Whole(number) => number.to_string(),
            Word::Real(number) => number.to_string(),
            Word::Other(_) => String::new(),
        }
    }
}

type Table = BTreeMap<String, Word>;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScenarioFile {
    call: Table,
    work: Table,
    wait: Table,
    length: Table,
    present: Table,
    value: Table,
    overhead: Option<String>,
    arrivals: Option<String>,
    hosts: Option<u32>,
    cores: Option<u32>,
    threads: Option<u32>,
    balance: Option<String>,
    broker: Option<String>,
    goal: Option<String>,
    binding: Vec<String>,
    target: Vec<String>,
    profile: Option<std::path::PathBuf>,
    depth: Option<u8>,
    wide: Option<f64>,
    bandwidth: Option<String>,
    latency: Option<String>,
    sample: Option<usize>,
    seed: Option<u64>,
}

pub fn read(path: &Path) -> Result<ScenarioFile, Failure> {
    let size = std::fs::metadata(path).map_err(|error| Failure::file("read", path, &error))?.len();
    if size > MAX_FILE {
        return Err(Failure::coded(WRONG, format!("{} is larger than 1 MiB", path.display())));
    }
    let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::coded(WRONG, format!("{} is not UTF-8 text", path.display())))?;
    parse(&text).map_err(|why| Failure::coded(WRONG, format!("{}{why}", path.display())))
}

/// The message begins with the line.
fn parse(text: &str) -> Result<ScenarioFile, String> {
    let file: ScenarioFile = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(String::new(), |span| {
            format!(":{}", text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1)
        });
        format!("{line}: {}", error.message())
    })?;
    for (name, table) in [
        ("call", &file.call),
        ("work", &file.work),
        ("wait", &file.wait),
        ("length", &file.length),
        ("present", &file.present),
        ("value", &file.value),
    ] {
        if let Some((key, _)) = table.iter().find(|(_, word)| matches!(word, Word::Other(_))) {
            return Err(format!(": {name}.{key} is no text and no number"));
        }
    }
    if file.depth.is_some_and(|depth| !(1..=20).contains(&depth)) {
        return Err(": depth lies between 1 and 20".to_owned());
    }
    Ok(file)
}

/// Entries of the file, followed by those of the command line, which take precedence.
fn both(table: Table, said: &[String]) -> Vec<String> {
    table
        .into_iter()
        .map(|(key, word)| format!("{key}={}", word.text()))
        .chain(said.iter().cloned())
        .collect()
}

fn either(file: Vec<String>, said: &[String]) -> Vec<String> {
    if said.is_empty() { file } else { said.to_vec() }
}

impl ScenarioFile {
    /// Merges the file with the options of the command line, which take precedence. Its profile is relative to it.
    pub fn under(self, args: &CapacityArgs, path: &Path) -> CapacityArgs {
        let said = args.clone();
        let folder = path.parent().unwrap_or(Path::new(""));
        CapacityArgs {
            file: said.file,
            scenario: said.scenario,
            call: both(self.call, &said.call),
            work: both(self.work, &said.work),
            wait: both(self.wait, &said.wait),
            overhead: said.overhead.or(self.overhead),
            arrivals: said.arrivals.or(self.arrivals),
            hosts: said.hosts.or(self.hosts),
            cores: said.cores.or(self.cores),
            threads: said.threads.or(self.threads),
            balance: said.balance.or(self.balance),
            broker: said.broker.or(self.broker),
            goal: said.goal.or(self.goal),
            binding: either(self.binding, &said.binding),
            target: either(self.target, &said.target),
            profile: said.profile.or_else(|| {
                self.profile
                    .map(|profile| if profile == Path::new("none") { profile } else { folder.join(profile) })
            }),
            assume: AssumeArgs {
                length: both(self.length, &said.assume.length),
                present: both(self.present, &said.assume.present),
                value: both(self.value, &said.assume.value),
                depth: said.assume.depth.or(self.depth),
                wide: said.assume.wide.or(self.wide),
                bandwidth: said.assume.bandwidth.or(self.bandwidth),
                latency: said.assume.latency.or(self.latency),
            },
            sample: said.sample.or(self.sample),
            seed: said.seed.or(self.seed),
            all: said.all,
            format: said.format,
            out: said.out,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_say_where_they_are() {
        let wrong = |text: &str| parse(text).err().unwrap_or_default();
        assert!(parse("hosts = 3\n[call]\nfind = 5\n\"S.keep\" = \"3/min\"\n").is_ok());
        assert!(wrong("hosts = 3\nhost = 4\n").starts_with(":2: unknown field `host`"));
        assert!(wrong("hosts = -3\n").starts_with(":1: "));
        assert!(wrong("hosts = \"three\"\n").starts_with(":1: "));
        assert!(wrong("[call\n").starts_with(":1: "));
        assert!(wrong("[call]\nfind = [1]\n").contains("call.find is no text"));
        assert!(wrong("depth = 99\n").contains("depth"));
        assert!(wrong("# é\nhosts = é\n").starts_with(":2: "));
        assert!(parse(&"a = [".repeat(100_000)).is_err());
        assert!(parse(&format!("call = {}1{}", "{ a = ".repeat(50_000), " }".repeat(50_000))).is_err());
    }
}
