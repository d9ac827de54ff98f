//! Runs the driver of a target, and collects its output.

use crate::effort::Effort;
use crate::failure::Failure;
use crate::language::{Job, Language, Program, Progress};
use crate::measurement::Measurement;
use crate::tools::{Tools, write};
use creo_cost::calibration::Prepared;
use creo_cost::{Direction, Sizes, Wire};
use creo_diag::reason;
use creo_inspect::{Limits, Subject, encode};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// The messages to measure, and the effort.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub sizes: &'a Sizes<'a>,
    pub messages: &'a [Prepared],
    /// Of these, the wires that the target supports are measured.
    pub wires: &'a [Wire],
    pub effort: Effort,
}

/// Measures each message of a task on each wire. `folder` is empty before, and keeps the generated files.
pub fn measure(
    language: Language,
    task: &Task<'_>,
    tools: &Tools,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Measurement, Failure> {
    let Task { sizes, messages, wires, effort } = *task;
    let cases = folder.join("cases.txt");
    let own = folder.join(language.name);
    fs::create_dir_all(&own).map_err(|error| Failure::file("make the folder", &own, &error))?;
    let wires = language.wires(wires);
    let Program { mut command, last } =
        (language.program)(&Job { model: sizes.model(), wires: &wires, tools, folder: &own, progress })?;
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
            progress.note(&format!(
                "{}: measuring, {of_parts}process {process} of {}",
                language.name, effort.processes
            ));
            let found = run(&mut command, language.name, messages.len(), progress)?;
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

/// Divides messages, given their methods, into parts: consecutive methods go to different parts, a method's messages to one.
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

/// Writes a line for each message of a part: its number, direction and method, and the file of its binary body.
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

/// Starts a driver and reads its output.
fn run(
    command: &mut Command,
    target: &str,
    requests: usize,
    progress: &dyn Progress,
) -> Result<Measurement, Failure> {
    let fail = |error: &std::io::Error| {
        Failure::new(format!("the driver of {target} cannot be run: {}", reason(error)))
    };
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(|error| fail(&error))?;
    let mut found = Measurement::default();
    let mut wrong = None;
    for line in child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines) {
        let line = line.map_err(|error| fail(&error))?;
        if let Some((done, all)) = line.strip_prefix("progress ").and_then(|rest| rest.split_once(' ')) {
            progress.advance(Some(&format!("{target}: {done} of {all}")));
        } else if let Err(why) = found.read_line(&line, requests) {
            wrong.get_or_insert(format!("{why}: {line:?}"));
        }
    }
    progress.advance(None);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_in_one_part() {
        assert_eq!(parts(&['a', 'a', 'b', 'c', 'd', 'a', 'c'], 3), [vec![0, 1, 4, 5], vec![2], vec![3, 6]]);
        assert_eq!(parts(&['a', 'b'], 6), [[0], [1]]);
        assert_eq!(parts(&['a', 'b'], 1), [[0, 1]]);
        assert!(parts::<char>(&[], 6).is_empty());
    }
}
