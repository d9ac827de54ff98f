//! Measures what messages cost in a target: generates its code, adds a driver, compiles, runs. The driver is generic, so that calibration and the check of
//! an estimate measure in the same way. A target that can be measured is a file here that says what it needs and how its program is made, and a folder of
//! `calibrate/` with a driver of the same protocol:
//!
//! - its arguments are the file of the cases, the rounds, the microseconds of a sample, the milliseconds that all warming may take, and the words of the
//!   wires with commas between them; behind them what the target's own file adds;
//! - a case is a line of four words with tabs between them: its number, `request` or `response`, `package.Interface.method`, and the file of its body
//!   on the binary wire;
//! - it holds against each other what it reads and writes again, and prints `version TEXT`, `progress DONE ALL`, `noise NANOSECONDS`,
//!   `reference NANOSECONDS`, and `point NUMBER WIRE BYTES SERIALIZE DESERIALIZE`: nanoseconds of processor time of the thread, the lower quartile of the slices
//!   of all rounds, at the clock rate at which its reference takes so long;
//! - its reference is a fixed amount of work, some ten microseconds, that nothing but the clock's rate makes longer (COST-38). It takes its time around each
//!   slice, and says the median. It is the same in all its processes.

mod c;
mod csharp;
mod java;
mod jaxb;
mod python;
mod xmlserializer;

use crate::failure::{Failure, reason};
use crate::terminal::Terminal;
use creo_check::CheckedModel;
use creo_codegen::{Input, Runtime};
use creo_cost::calibration::{Prepared, Sample};
use creo_cost::{Direction, Foreign, Sizes, Wire};
use creo_inspect::{Limits, Subject, encode};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// A target that can be measured.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    pub name: &'static str,
    /// Stacks that are not Creo's and can be measured beside its wires.
    pub foreign: &'static [Foreign],
    /// What measuring these wires needs and this machine does not have, in words.
    pub missing: fn(&[Wire]) -> Vec<String>,
    pub program: fn(&Job<'_>) -> Result<Program, Failure>,
}

/// What a driver is made for.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    pub model: &'a CheckedModel,
    pub wires: &'a [Wire],
    /// Empty, the target's own.
    pub folder: &'a Path,
    pub terminal: &'a Terminal,
}

/// A driver that is ready to run; the arguments of all drivers stand between its own.
#[derive(Debug)]
pub struct Program {
    pub command: Command,
    pub last: Vec<String>,
}

/// The targets that can be measured, in the order in which they are.
pub const LANGUAGES: &[Language] = &[java::LANGUAGE, python::LANGUAGE, c::LANGUAGE, csharp::LANGUAGE];

impl Language {
    pub fn find(name: &str) -> Option<Language> {
        LANGUAGES.iter().find(|language| language.name == name).copied()
    }

    /// Those of the wires that the target has: all of Creo's own, and its foreign stacks.
    pub fn wires(&self, asked: &[Wire]) -> Vec<Wire> {
        let has = |wire: &&Wire| match wire {
            Wire::Foreign(stack) => self.foreign.contains(stack),
            _ => true,
        };
        asked.iter().filter(has).copied().collect()
    }
}

/// Whether this machine has what measuring a language on these wires needs. What it lacks is a mistake where the language was asked for, and is said otherwise.
pub fn is_ready(
    language: Language,
    wires: &[Wire],
    asked: bool,
    terminal: &Terminal,
) -> Result<bool, Failure> {
    let missing = (language.missing)(wires).join("; ");
    if asked && !missing.is_empty() {
        return Err(Failure::coded("invalid-assumption", format!("--target {}: {missing}", language.name)));
    }
    if !missing.is_empty() {
        terminal.warning(&format!("{} is not measured: {missing}", language.name));
    }
    Ok(missing.is_empty())
}

/// This machine has the tools of no language that was meant.
pub fn nothing_is_ready() -> Failure {
    Failure::coded("invalid-assumption", "nothing can be measured: this machine has the tools of no target")
        .help(format!("targets are {}", names()))
}

/// Names of the targets that can be measured.
pub fn names() -> String {
    LANGUAGES.iter().map(|language| language.name).collect::<Vec<_>>().join(", ")
}

/// However few messages there are.
const MOST_ROUNDS: u32 = 100;

/// How long and how often.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Parts of the messages, each method's in one, that are measured apart: a compiler that works while the program runs decides by what it sees of it, and what it decides in
    /// one program would be in all times alike.
    pub parts: usize,
    /// Of each part, one after the other: where a process has its memory, and when its code is compiled, is different in each, and some are slower than others.
    pub processes: u32,
    /// Of each process, at least.
    pub rounds: u32,
    /// Milliseconds that a process measures at least: where there are few messages it measures them more often. A machine is slow for some tenths of a second at times, and
    /// compilers take their time.
    pub least: u32,
    /// Microseconds of a sample.
    pub sample: u32,
    /// Milliseconds that the warming of a process may take in all, where there are few requests: code that many of them share is warm sooner.
    pub warm: u32,
}

impl Effort {
    pub const FULL: Effort =
        Effort { parts: 6, processes: 2, rounds: 2, least: 6_000, sample: 2_000, warm: 15_000 };
    pub const QUICK: Effort =
        Effort { parts: 1, processes: 1, rounds: 3, least: 6_000, sample: 1_000, warm: 15_000 };
    /// Of few messages, to hold an estimate against: as many processes as are behind a profile, since more of them would find a lesser time.
    pub const CHECK: Effort =
        Effort { parts: 1, processes: 2, rounds: 3, least: 6_000, sample: 2_000, warm: 15_000 };
    /// Whether it works at all.
    pub const LOOK: Effort = Effort { parts: 1, processes: 1, rounds: 1, least: 0, sample: 200, warm: 500 };

    /// Of so many messages, each on one wire.
    fn rounds_of(&self, messages: usize) -> u32 {
        let round = 2 * u64::from(self.sample) * messages.max(1) as u64;
        let wanted = (1_000 * u64::from(self.least)).div_ceil(round);
        self.rounds.max(u32::try_from(wanted).unwrap_or(MOST_ROUNDS).min(MOST_ROUNDS))
    }
}

/// What a target measured.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Of the language's implementation.
    pub version: String,
    /// Nanoseconds that nothing at all seems to take.
    pub noise: f64,
    /// Nanoseconds that the driver's reference takes at the clock rate of all times.
    pub reference: f64,
    pub samples: Vec<(Wire, Sample)>,
}

impl Measurement {
    /// The times at the clock rate at which the reference takes so many nanoseconds.
    #[must_use]
    pub fn at(mut self, reference: f64) -> Measurement {
        let factor = reference / self.reference;
        for (_, sample) in &mut self.samples {
            sample.serialize *= factor;
            sample.deserialize *= factor;
        }
        self.noise *= factor;
        self.reference = reference;
        self
    }

    /// What a process measured of other messages, at the clock rate of these.
    fn add(&mut self, other: Measurement) {
        let other = other.at(self.reference);
        self.noise = self.noise.min(other.noise);
        self.samples.extend(other.samples);
    }

    /// The least of two processes that measured the same messages.
    fn take(&mut self, other: Measurement) -> Result<(), String> {
        let other = other.at(self.reference);
        self.noise = self.noise.min(other.noise);
        for ((wire, sample), (other_wire, other)) in self.samples.iter_mut().zip(&other.samples) {
            if (*wire, sample.request, sample.bytes) != (*other_wire, other.request, other.bytes) {
                return Err(format!(
                    "message {} on {} has {} bytes, and {} on {} has {}",
                    sample.request,
                    wire.word(),
                    sample.bytes,
                    other.request,
                    other_wire.word(),
                    other.bytes
                ));
            }
            sample.serialize = sample.serialize.min(other.serialize);
            sample.deserialize = sample.deserialize.min(other.deserialize);
        }
        Ok(())
    }
}

/// Measures messages, on each of the wires that the target has. `folder` is empty, and stays with what was made.
pub fn measure(
    language: Language,
    sizes: &Sizes<'_>,
    messages: &[Prepared],
    wires: &[Wire],
    effort: Effort,
    folder: &Path,
    terminal: &Terminal,
) -> Result<Measurement, Failure> {
    let cases = folder.join("cases.txt");
    let own = folder.join(language.name);
    fs::create_dir_all(&own).map_err(|error| Failure::file("make the folder", &own, &error))?;
    let wires = language.wires(wires);
    let Program { mut command, last } =
        (language.program)(&Job { model: sizes.model(), wires: &wires, folder: &own, terminal })?;
    let names: Vec<&str> = wires.iter().map(|wire| wire.word()).collect();
    let parts = parts(&messages.iter().map(|message| message.method).collect::<Vec<_>>(), effort.parts);
    let most = parts.iter().map(Vec::len).max().unwrap_or(0);
    let rounds = effort.rounds_of(most * wires.len());
    command
        .arg(&cases)
        .arg(rounds.to_string())
        .arg(effort.sample.to_string())
        .arg(effort.warm.to_string())
        .arg(names.join(","));
    command.args(last);
    let mut all: Option<Measurement> = None;
    for (number, part) in parts.iter().enumerate() {
        write_cases(sizes, messages, part, folder, &cases)?;
        let wanted = part.len() * wires.len();
        let mut least: Option<Measurement> = None;
        for process in 1..=effort.processes {
            let of_parts = if parts.len() > 1 {
                format!("part {} of {}, ", number + 1, parts.len())
            } else {
                String::new()
            };
            terminal.note(&format!(
                "{}: measuring, {of_parts}process {process} of {}",
                language.name, effort.processes
            ));
            let found = run(&mut command, language.name, messages.len(), terminal)?;
            if found.samples.len() != wanted {
                return Err(Failure::new(format!(
                    "the driver of {} measured {} of {wanted} messages",
                    language.name,
                    found.samples.len()
                )));
            }
            match &mut least {
                None => least = Some(found),
                Some(least) => least.take(found).map_err(|why| {
                    Failure::new(format!("two processes of {} differ: {why}", language.name))
                })?,
            }
        }
        match (&mut all, least) {
            (Some(all), Some(part)) => all.add(part),
            (all, part) => *all = part,
        }
    }
    all.ok_or_else(|| Failure::new("nothing was measured".to_owned()))
}

/// The indices of messages, given their methods, in so many parts, at most: methods that follow one another are in different ones, all messages of a method in one.
fn parts<T: PartialEq + Copy>(methods: &[T], most: usize) -> Vec<Vec<usize>> {
    let mut known: Vec<T> = Vec::new();
    let mut parts = vec![Vec::new(); most.max(1)];
    for (index, method) in methods.iter().enumerate() {
        let number = known.iter().position(|known| known == method).unwrap_or_else(|| {
            known.push(*method);
            known.len() - 1
        });
        let part = number % parts.len();
        parts[part].push(index);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// A line for each message of a part: its number, which of the two it is, its method, the file of its binary body.
fn write_cases(
    sizes: &Sizes<'_>,
    messages: &[Prepared],
    part: &[usize],
    folder: &Path,
    cases: &Path,
) -> Result<(), Failure> {
    let bodies = folder.join("bodies");
    fs::create_dir_all(&bodies).map_err(|error| Failure::file("make the folder", &bodies, &error))?;
    let mut lines = String::new();
    for number in part {
        let message = &messages[*number];
        let (interface, method) = sizes.method(message.method);
        let (part, subject) = match message.direction {
            Direction::Request => ("request", Subject::Request(method)),
            Direction::Response => ("response", Subject::Response(method)),
        };
        let body = encode(sizes.model(), &subject, &message.value, &Limits::default());
        let body = body.map_err(|error| Failure::new(format!("{}: {error}", message.name)))?;
        let path = bodies.join(format!("{number}.bin"));
        write(&path, &body)?;
        let _ = writeln!(
            lines,
            "{number}\t{part}\t{}.{}\t{}",
            sizes.model().interface_name(interface),
            method.name,
            path.display()
        );
    }
    write(cases, lines.as_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file("make the folder", folder, &error))?;
    }
    fs::write(path, bytes).map_err(|error| Failure::file("write", path, &error))
}

/// Starts a driver and reads what it says.
fn run(
    command: &mut Command,
    target: &str,
    requests: usize,
    terminal: &Terminal,
) -> Result<Measurement, Failure> {
    let fail = |error: &std::io::Error| {
        Failure::new(format!("the driver of {target} cannot be run: {}", reason(error)))
    };
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(|error| fail(&error))?;
    let mut found = Measurement { version: String::new(), noise: 0.0, reference: 0.0, samples: Vec::new() };
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
    if wrong.is_none() && found.reference <= 0.0 {
        wrong = Some("no time of its reference".to_owned());
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
        "reference" => {
            found.reference =
                rest.parse().ok().filter(|n: &f64| n.is_finite() && *n > 0.0).ok_or("no time")?
        }
        "point" => {
            let words: Vec<&str> = rest.split(' ').collect();
            let [request, wire, bytes, serialize, deserialize] = words[..] else {
                return Err("not five words".to_owned());
            };
            let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite()).ok_or("no number");
            let request =
                request.parse().ok().filter(|n| *n < requests).ok_or("no request of that number")?;
            let sample = Sample {
                request,
                bytes: bytes.parse().map_err(|_| "no size")?,
                serialize: number(serialize)?,
                deserialize: number(deserialize)?,
            };
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
    let found =
        crate::targets::find(target).ok_or_else(|| Failure::new(format!("there is no target {target}")))?;
    if let Some(refusal) = found.refusals(model).first() {
        return Err(Failure::new(format!("{target}: {}", refusal.message)));
    }
    let documents = crate::project::documents(model);
    let input = Input::new(found.as_ref(), model);
    Ok(found.generate(&Input { runtime: Runtime::Copy, documents: &documents, ..input }))
}

/// A program that the environment may name, or its usual name.
fn tool(variable: &str, usual: &str) -> String {
    std::env::var(variable).ok().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| usual.to_owned())
}

/// What is missing unless a program starts and says that all is well.
fn runs(program: &str, arguments: &[&str]) -> Option<String> {
    let ended = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match ended {
        Ok(status) if status.success() => None,
        Ok(_) => Some(format!("{program} does not run: `{program} {}` fails", arguments.join(" "))),
        Err(error) => Some(format!("{program} cannot be started: {}", reason(&error))),
    }
}

/// Runs a compiler, and says what it said if it fails.
fn compile(mut command: Command, what: &str) -> Result<(), Failure> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| {
        Failure::new(format!("{what} cannot be started: {}", reason(&error)))
            .help(format!("calibration needs {what}"))
    })?;
    if output.status.success() {
        return Ok(());
    }
    // JAXB's complains where others print results.
    let said =
        String::from_utf8_lossy(if output.stderr.is_empty() { &output.stdout } else { &output.stderr });
    let first: String = said.lines().take(8).collect::<Vec<_>>().join("; ");
    Err(Failure::new(format!("{what} failed: {first}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_messages_are_measured_more_often() {
        let effort = Effort { parts: 1, processes: 1, rounds: 3, least: 6_000, sample: 2_000, warm: 0 };
        // A round of one message takes 4 ms, both ways of it.
        assert_eq!(
            [effort.rounds_of(1_000), effort.rounds_of(50), effort.rounds_of(1), effort.rounds_of(0)],
            [3, 30, 100, 100]
        );
        assert_eq!(Effort { least: 0, ..effort }.rounds_of(1), 3);
    }

    #[test]
    fn a_method_is_in_one_part() {
        assert_eq!(parts(&['a', 'a', 'b', 'c', 'd', 'a', 'c'], 3), [vec![0, 1, 4, 5], vec![2], vec![3, 6]]);
        assert_eq!(parts(&['a', 'b'], 6), [[0], [1]]);
        assert_eq!(parts(&['a', 'b'], 1), [[0, 1]]);
        assert!(parts::<char>(&[], 6).is_empty());
    }

    #[test]
    fn other_messages_are_added_at_the_same_clock() {
        let sample = |request, time| {
            (Wire::Soap, Sample { request, bytes: 100, serialize: time, deserialize: 2.0 * time })
        };
        let mut all = Measurement {
            version: String::new(),
            noise: 1.0,
            reference: 1000.0,
            samples: vec![sample(1, 300.0)],
        };
        all.add(Measurement {
            version: String::new(),
            noise: 1.0,
            reference: 1250.0,
            samples: vec![sample(0, 500.0)],
        });
        assert_eq!((all.noise, all.samples), (0.8, vec![sample(1, 300.0), sample(0, 400.0)]));
    }

    #[test]
    fn what_a_driver_says() {
        let nothing = Measurement { version: String::new(), noise: 0.0, reference: 0.0, samples: Vec::new() };
        let mut found = nothing.clone();
        for line in ["version OpenJDK 17", "noise 1.5", "reference 1000", "point 2 soap 100 1500.5 2000"] {
            assert_eq!(said(line, 3, &mut found), Ok(()), "{line}");
        }
        assert_eq!((found.version.as_str(), found.noise), ("OpenJDK 17", 1.5));
        assert_eq!(
            of_wire(&found, Wire::Soap),
            [Sample { request: 2, bytes: 100, serialize: 1500.5, deserialize: 2000.0 }]
        );
        // The clock was slower by a quarter: 2000 are 1600, and 2375 are 1900.
        let mut other = Measurement { noise: 2.0, reference: 1250.0, ..nothing };
        assert_eq!(said("point 2 soap 100 2000 2375", 3, &mut other), Ok(()));
        assert_eq!(found.take(other.clone()), Ok(()));
        let least = Sample { request: 2, bytes: 100, serialize: 1500.5, deserialize: 1900.0 };
        assert_eq!((found.noise, found.reference, of_wire(&found, Wire::Soap)), (1.5, 1000.0, vec![least]));
        other.samples[0].1.bytes += 1;
        assert!(found.take(other).is_err());
        for line in [
            "",
            "hello world",
            "noise x",
            "reference 0",
            "reference x",
            "point 3 soap 1 1 1",
            "point 0 soup 1 1 1",
            "point 0 soap 1 1",
            "point 0 soap 1 NaN 1",
        ] {
            assert!(said(line, 3, &mut found).is_err(), "{line}");
        }
    }
}
