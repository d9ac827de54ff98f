//! Measures what requests cost in a target: generates its code, adds a driver, compiles, runs. The driver is generic, so that calibration and the check of
//! an estimate measure in the same way; another target needs a driver of the same protocol, and a file like `java.rs`.

mod java;

use crate::failure::{Failure, reason};
use crate::terminal::Terminal;
use creo_cost::calibration::{Prepared, Sample};
use creo_cost::{Sizes, Wire};
use creo_inspect::{Limits, Subject, encode};
use creo_model::CheckedModel;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// The targets that can be measured.
pub const TARGETS: [&str; 1] = ["java"];

/// How long and how often.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub rounds: u32,
    /// Microseconds of a sample.
    pub sample: u32,
    /// Milliseconds that warming may take in all, where there are few requests: code that many of them share is warm sooner.
    pub warm: u32,
}

impl Effort {
    pub const FULL: Effort = Effort { rounds: 6, sample: 2_000, warm: 15_000 };
    /// Whether it works at all.
    pub const LOOK: Effort = Effort { rounds: 1, sample: 200, warm: 500 };
    pub const QUICK: Effort = Effort { rounds: 3, sample: 1_000, warm: 15_000 };
}

/// What a target measured.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Of the language's implementation.
    pub version: String,
    /// Nanoseconds that nothing at all seems to take.
    pub noise: f64,
    pub samples: Vec<(Wire, Sample)>,
}

/// Measures requests, on each of the wires. `folder` is empty, and stays with what was made.
pub fn measure(
    target: &str,
    sizes: &Sizes<'_>,
    requests: &[Prepared],
    wires: &[Wire],
    effort: Effort,
    folder: &Path,
    terminal: &Terminal,
) -> Result<Measurement, Failure> {
    let cases = write_cases(sizes, requests, folder)?;
    let (mut command, classes) = match target {
        "java" => java::program(sizes.model(), folder, terminal)?,
        other => {
            return Err(Failure::coded("invalid-assumption", format!("the target {other} cannot be measured"))
                .help(format!("these can: {}", TARGETS.join(", "))));
        }
    };
    let names: Vec<&str> = wires.iter().map(|wire| wire.word()).collect();
    command.arg(&cases).arg(effort.rounds.to_string()).arg(effort.sample.to_string()).arg(effort.warm.to_string()).arg(names.join(","));
    command.args(classes);
    run(command, target, requests.len(), terminal)
}

/// A line for each request: its number, its method, the file of its binary body.
fn write_cases(sizes: &Sizes<'_>, requests: &[Prepared], folder: &Path) -> Result<std::path::PathBuf, Failure> {
    let bodies = folder.join("bodies");
    fs::create_dir_all(&bodies).map_err(|error| Failure::file("make the folder", &bodies, &error))?;
    let mut lines = String::new();
    for (number, request) in requests.iter().enumerate() {
        let (interface, method) = sizes.method(request.method);
        let body = encode(sizes.model(), &Subject::Request(method), &request.value, &Limits::default());
        let body = body.map_err(|error| Failure::new(format!("{}: {error}", request.name)))?;
        let path = bodies.join(format!("{number}.bin"));
        write(&path, &body)?;
        let _ = writeln!(lines, "{number}\t{}.{}\t{}", sizes.model().interface_name(interface), method.name, path.display());
    }
    let path = folder.join("cases.txt");
    write(&path, lines.as_bytes())?;
    Ok(path)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file("make the folder", folder, &error))?;
    }
    fs::write(path, bytes).map_err(|error| Failure::file("write", path, &error))
}

/// Starts a driver and reads what it says.
fn run(mut command: Command, target: &str, requests: usize, terminal: &Terminal) -> Result<Measurement, Failure> {
    let fail = |error: &std::io::Error| Failure::new(format!("the driver of {target} cannot be run: {}", reason(error)));
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(|error| fail(&error))?;
    let mut found = Measurement { version: String::new(), noise: 0.0, samples: Vec::new() };
    let shown = std::io::stderr().is_terminal() && !terminal.is_quiet();
    let mut wrong = None;
    for line in child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines) {
        let line = line.map_err(|error| fail(&error))?;
        if let Some((done, all)) = line.strip_prefix("progress ").and_then(|rest| rest.split_once(' ')) {
            if shown {
                let _ = write!(std::io::stderr(), "\r{target}: {done} of {all}");
            }
        } else if let Err(why) = said(&line, requests, &mut found) {
            wrong.get_or_insert(format!("{why}: {line:?}"));
        }
    }
    if shown {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    let status = child.wait().map_err(|error| fail(&error))?;
    if !status.success() {
        return Err(Failure::new(format!("the driver of {target} failed: {status}")));
    }
    match wrong {
        Some(why) => Err(Failure::new(format!("the driver of {target} said what cannot be used: {why}"))),
        None => Ok(found),
    }
}

/// Takes a line of a driver.
fn said(line: &str, requests: usize, found: &mut Measurement) -> Result<(), String> {
    let (word, rest) = line.split_once(' ').ok_or("no word")?;
    match word {
        "version" => found.version = rest.to_owned(),
        "noise" => found.noise = rest.parse().map_err(|_| "no number")?,
        "point" => {
            let words: Vec<&str> = rest.split(' ').collect();
            let [request, wire, bytes, serialize, deserialize] = words[..] else { return Err("not five words".to_owned()) };
            let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite()).ok_or("no number");
            let request = request.parse().ok().filter(|n| *n < requests).ok_or("no request of that number")?;
            let sample =
                Sample { request, bytes: bytes.parse().map_err(|_| "no size")?, serialize: number(serialize)?, deserialize: number(deserialize)? };
            found.samples.push((Wire::from_word(wire).ok_or("no such wire")?, sample));
        }
        _ => return Err("an unknown word".to_owned()),
    }
    Ok(())
}

/// The samples of one wire.
pub fn of_wire(measurement: &Measurement, wire: Wire) -> Vec<Sample> {
    measurement.samples.iter().filter(|(found, _)| *found == wire).map(|(_, sample)| *sample).collect()
}

/// Generated code, for the files of a target.
fn generated(target: &str, model: &CheckedModel) -> Result<creo_codegen::Files, Failure> {
    let found = crate::targets::find(target).ok_or_else(|| Failure::new(format!("there is no target {target}")))?;
    if let Some(refusal) = found.refusals(model).first() {
        return Err(Failure::new(format!("{target}: {}", refusal.message)));
    }
    let documents = crate::project::documents(model);
    Ok(found.generate(&creo_codegen::Input { model, framework: creo_codegen::Framework::Emit, documents: &documents, with: &[] }))
}

/// Runs a compiler, and says what it said if it fails.
fn compile(mut command: Command, what: &str) -> Result<(), Failure> {
    let output = command.stdin(Stdio::null()).output();
    let output =
        output.map_err(|error| Failure::new(format!("{what} cannot be started: {}", reason(&error))).help(format!("calibration needs {what}")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first: String = said.lines().take(8).collect::<Vec<_>>().join("; ");
    Err(Failure::new(format!("{what} failed: {first}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_driver_says() {
        let mut found = Measurement { version: String::new(), noise: 0.0, samples: Vec::new() };
        for line in ["version OpenJDK 17", "noise 1.5", "point 2 soap 100 1500.5 2000"] {
            assert_eq!(said(line, 3, &mut found), Ok(()), "{line}");
        }
        assert_eq!((found.version.as_str(), found.noise), ("OpenJDK 17", 1.5));
        assert_eq!(of_wire(&found, Wire::Soap), [Sample { request: 2, bytes: 100, serialize: 1500.5, deserialize: 2000.0 }]);
        for line in ["", "hello world", "noise x", "point 3 soap 1 1 1", "point 0 soup 1 1 1", "point 0 soap 1 1", "point 0 soap 1 NaN 1"] {
            assert!(said(line, 3, &mut found).is_err(), "{line}");
        }
    }
}
