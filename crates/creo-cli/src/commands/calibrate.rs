//! `creo calibrate`: a profile of this machine (COST-30 to COST-33).

use crate::args::CalibrateArgs;
use crate::failure::{Failure, Outcome};
use crate::measuring::{is_ready, nothing_is_ready, tools};
use crate::output::{writable, write_whole};
use crate::terminal::Terminal;
use creo_check::{CheckedModel, compile};
use creo_cost::calibration::{
    self, COMMON, Case, DESCRIPTION, Sample, cases, common_cases, fit_wire, prepare_cases,
};
use creo_cost::{
    CutProfile, Feature, FitProfile, PROFILE_FORMAT, Profile, Sizes, TargetProfile, Wire, kinds,
};
use creo_measure::{Effort, LANGUAGES, Language, Task, find, machine, measure, names as known};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The min R2 of a good line.
const GOOD: f64 = 0.99;

pub fn run(args: &CalibrateArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    look_at_outputs(args)?;
    let wires = wires(&args.wire, args.foreign)?;
    let languages = languages(&args.target, &wires, terminal)?;
    let effort = if args.quick { Effort::QUICK } else { Effort::FULL };
    let (foreign, own): (Vec<Wire>, Vec<Wire>) = wires.iter().partition(|wire| wire.is_foreign());
    // Other stacks represent elements kept as XML in their own ways: they are measured without them, and separately (COST-35).
    let subjects = [
        Subject { model: model(&DESCRIPTION)?, cases: cases(args.quick), wires: own },
        Subject { model: model(&[COMMON])?, cases: common_cases(args.quick), wires: foreign },
    ];
    let mut targets = Vec::new();
    let mut residuals = String::from("target,wire,way,request,bytes,measured_ns,fitted_ns\n");
    // One after the other: two at a time would disturb each other.
    for language in languages {
        let mut found: Option<TargetProfile> = None;
        for subject in &subjects {
            found = measured(language, subject, effort, found, &mut residuals, terminal)?;
        }
        targets.extend(found);
    }
    let profile = Profile {
        format: PROFILE_FORMAT,
        creo: env!("CARGO_PKG_VERSION").to_owned(),
        date: today(),
        machine: machine::known(),
        quick: args.quick,
        targets,
    };
    write_profile(&args.out, &profile)?;
    if let Some(path) = &args.residuals {
        write_whole(path, residuals.as_bytes(), None)?;
    }
    if let Some(path) = &args.brief {
        write_profile(path, &profile.brief())?;
    }
    terminal.note(&format!("{} written", args.out.display()));
    Ok(Outcome::Done)
}

/// Compiles files of calibration's own description.
fn model(files: &[(&str, &str)]) -> Result<CheckedModel, Failure> {
    compile(files).map_err(|report| Failure::new(format!("calibration's own description is wrong: {report}")))
}

/// A subject of measurement on some wires.
struct Subject {
    model: CheckedModel,
    cases: Vec<Case>,
    wires: Vec<Wire>,
}

/// Adds a subject's times in a target, on the wires that the target has, to earlier results, at their clock rate; and their deviations from the fits.
fn measured(
    language: Language,
    subject: &Subject,
    effort: Effort,
    before: Option<TargetProfile>,
    residuals: &mut String,
    terminal: &Terminal,
) -> Result<Option<TargetProfile>, Failure> {
    let wires = language.wires(&subject.wires);
    if wires.is_empty() {
        return Ok(before);
    }
    let target = language.name;
    let sizes = Sizes::new(&subject.model);
    let requests = prepare_cases(&sizes, &subject.cases)
        .map_err(|error| Failure::coded(error.code(), error.to_string()))?;
    let folder =
        tempfile::tempdir().map_err(|error| Failure::new(format!("cannot make a folder: {error}")))?;
    let task = Task { sizes: &sizes, messages: &requests, wires: &wires, effort };
    let mut measured = measure(language, &task, &tools(), folder.path(), terminal)?;
    if let Some(before) = &before {
        measured = measured.at(before.reference);
    }
    let mut fitted = Vec::new();
    for wire in wires {
        let samples = measured.of_wire(wire);
        let profile = fit_wire(&sizes, wire, &requests, &samples, measured.noise);
        let profile = profile.map_err(|error| Failure::coded(error.code(), format!("{target}: {error}")))?;
        for (way, fit) in [("serialize", &profile.serialize), ("deserialize", &profile.deserialize)] {
            tell(target, wire, way, fit, terminal);
            let time: fn(&Sample) -> f64 =
                if way == "serialize" { |s| s.serialize } else { |s| s.deserialize };
            for found in calibration::residuals(&sizes, wire, &requests, &samples, fit, time) {
                let fitted = found.fitted.map_or(String::new(), |ns| ns.to_string());
                residuals.push_str(&format!(
                    "{target},{},{way},{},{},{},{fitted}\n",
                    wire.word(),
                    found.name,
                    found.bytes,
                    found.ns
                ));
            }
        }
        fitted.push(profile);
    }
    let found = TargetProfile {
        target: target.to_owned(),
        version: measured.version,
        reference: measured.reference,
        // Another program measures it (COST-39).
        security: None,
        wires: fitted,
    };
    Ok(Some(joined(before, found)))
}

/// The wires of both, with the version of the later one, which includes those of other stacks.
fn joined(before: Option<TargetProfile>, mut found: TargetProfile) -> TargetProfile {
    if let Some(before) = before {
        found.wires.splice(0..0, before.wires);
    }
    found
}

/// Each result must be writable, to its own file.
fn look_at_outputs(args: &CalibrateArgs) -> Result<(), Failure> {
    let mut known: Vec<(PathBuf, &str)> = Vec::new();
    for (option, path) in [
        ("--out", Some(&args.out)),
        ("--brief", args.brief.as_ref()),
        ("--residuals", args.residuals.as_ref()),
    ] {
        let Some(path) = path else { continue };
        let whole = writable(path)?;
        if let Some((_, other)) = known.iter().find(|(known, _)| *known == whole) {
            return Err(Failure::coded(
                "invalid-assumption",
                format!("{other} and {option} are the same file: {}", path.display()),
            ));
        }
        known.push((whole, option));
    }
    Ok(())
}

fn write_profile(path: &Path, profile: &Profile) -> Result<(), Failure> {
    let text =
        profile.to_json().map_err(|error| Failure::new(format!("the profile cannot be written: {error}")))?;
    write_whole(path, format!("{text}\n").as_bytes(), None)
}

/// Prints a line for each fit: its quality, and whether fields and items cost the same (COST-26).
fn tell(target: &str, wire: Wire, way: &str, part: &FitProfile, terminal: &Terminal) {
    let fit = part.fit();
    let (mut same, mut other) = (Vec::new(), Vec::new());
    for kind in kinds() {
        match fit.differ(Feature::Field(kind), Feature::Item(kind)) {
            Some(false) => same.push(kind.word()),
            Some(true) => other.push(kind.word()),
            None => {}
        }
    }
    let cut_off = |cut: Option<CutProfile>| match cut {
        Some(cut) => format!(
            "{} ({:.0}..{:.0}){}",
            cut.at,
            cut.low,
            cut.high,
            if cut.jump { " with a jump" } else { "" }
        ),
        None => "none".to_owned(),
    };
    let (rising, flat): (Vec<_>, Vec<_>) = part.lines.iter().partition(|line| line.rises());
    let low: Vec<String> = rising
        .iter()
        .filter(|line| line.r2 < GOOD)
        .map(|line| format!("{} {:.3}", line.of, line.r2))
        .collect();
    let flat: Vec<&str> = flat.iter().map(|line| line.of.as_str()).collect();
    terminal.note(&format!(
        "{target} {} {way}: R2 {:.4}, errors {:.1} % (median) and {:.1} % (90th percentile) of {} points, cut-off of strings {}, of byte[] {}",
        wire.word(),
        part.r2,
        part.median_error * 100.0,
        part.high_error * 100.0,
        part.points,
        cut_off(part.cut),
        cut_off(part.bytes_cut),
    ));
    let below = if low.is_empty() { String::new() } else { format!(", below: {}", low.join(", ")) };
    let flat = if flat.is_empty() { String::new() } else { format!("; flat: {}", list(&flat)) };
    terminal.note(&format!(
        "  R2 of {} of {} lines at least {GOOD}{below}{flat}",
        rising.len() - low.len(),
        rising.len()
    ));
    terminal.note(&format!("  item and field cost the same: {}; not: {}", list(&same), list(&other)));
}

fn list(words: &[&str]) -> String {
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

/// The targets to measure: the requested ones, or all with tools on this machine. Missing tools are reported.
fn languages(names: &[String], wires: &[Wire], terminal: &Terminal) -> Result<Vec<Language>, Failure> {
    let wrong = |what: String| Failure::coded("invalid-assumption", what);
    let mut found: Vec<Language> = Vec::new();
    for name in names {
        let language = find(name.trim());
        let language = language.ok_or_else(|| {
            wrong(format!("--target {name}: calibration does not know it"))
                .help(format!("it knows {}", known()))
        })?;
        if !found.iter().any(|known| known.name == language.name) {
            found.push(language);
        }
    }
    let asked = !found.is_empty();
    if !asked {
        found = LANGUAGES.to_vec();
    }
    // Requesting only another stack means the targets that have it.
    found.retain(|language| asked || !language.wires(wires).is_empty());
    let mut ready = Vec::new();
    for language in found {
        let wires = language.wires(wires);
        if wires.is_empty() {
            return Err(wrong(format!(
                "--target {}: it has none of the wires that are asked for",
                language.name
            )));
        }
        if is_ready(language, &wires, asked, terminal)? {
            ready.push(language);
        }
    }
    if ready.is_empty() { Err(nothing_is_ready()) } else { Ok(ready) }
}

/// The requested wires, or all of Creo's; those of other stacks only on request.
fn wires(names: &[String], foreign: bool) -> Result<Vec<Wire>, Failure> {
    let find = |name: &String| {
        Wire::from_word(name.trim()).ok_or_else(|| {
            let all: Vec<&str> = Wire::known().map(Wire::word).collect();
            Failure::coded("invalid-assumption", format!("--wire {name}: there is no such wire"))
                .help(format!("there are {}", all.join(", ")))
        })
    };
    let mut found = names.iter().map(find).collect::<Result<Vec<Wire>, Failure>>()?;
    if found.is_empty() {
        found.extend(Wire::ALL);
    }
    if foreign {
        found.extend(Wire::known().filter(|wire| wire.is_foreign()));
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// The day, in UTC.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    creo_model::date_time_text(seconds as i64, 0).chars().take(10).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_another_stack_is_kept() {
        let target = |version: &str| TargetProfile {
            target: "java".to_owned(),
            version: version.to_owned(),
            reference: 1.0,
            security: None,
            wires: Vec::new(),
        };
        assert_eq!(joined(Some(target("Java 17")), target("Java 17, JAXB 4")), target("Java 17, JAXB 4"));
        assert_eq!(joined(None, target("Java 17")), target("Java 17"));
    }
}
