//! `creo calibrate`: a profile of this machine (COST-30 to COST-33).

use crate::args::CalibrateArgs;
use crate::failure::{Failure, Outcome};
use crate::measure::{self, Effort, of_wire};
use crate::output::write_whole;
use crate::terminal::Terminal;
use creo_cost::calibration::{self, DESCRIPTION, Sample, cases, fit_wire, prepare_cases};
use creo_cost::{Feature, FitProfile, PROFILE_FORMAT, Profile, Sizes, TargetProfile, Wire, kinds};
use creo_model::compile;
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

pub fn run(args: &CalibrateArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let wires = wires(&args.wire)?;
    if let Some(unknown) = args.target.iter().find(|target| !measure::TARGETS.contains(&target.as_str())) {
        let failure = Failure::coded("invalid-assumption", format!("--target {unknown}: calibration does not know it"));
        return Err(failure.help(format!("it knows {}", measure::TARGETS.join(", "))));
    }
    let model = compile(&[("calibration.creo", DESCRIPTION)]);
    let model = model.map_err(|report| Failure::new(format!("calibration's own description is wrong: {report}")))?;
    let sizes = Sizes::new(&model);
    let requests = prepare_cases(&sizes, &cases(args.quick)).map_err(|error| Failure::coded(error.code(), error.to_string()))?;
    let effort = if args.quick { Effort::QUICK } else { Effort::FULL };
    let mut targets = Vec::new();
    let mut residuals = String::from("target,wire,way,request,measured_ns,fitted_ns\n");
    for target in &args.target {
        let folder = tempfile::tempdir().map_err(|error| Failure::new(format!("cannot make a folder: {error}")))?;
        let measured = measure::measure(target, &sizes, &requests, &wires, effort, folder.path(), terminal)?;
        let mut fitted = Vec::new();
        for wire in &wires {
            let profile = fit_wire(&sizes, *wire, &requests, &of_wire(&measured, *wire), measured.noise);
            let profile = profile.map_err(|error| Failure::coded(error.code(), format!("{target}: {error}")))?;
            for (way, fit) in [("serialize", &profile.serialize), ("deserialize", &profile.deserialize)] {
                tell(target, *wire, way, fit, terminal);
                let time: fn(&Sample) -> f64 = if way == "serialize" { |s| s.serialize } else { |s| s.deserialize };
                for found in calibration::residuals(*wire, &requests, &of_wire(&measured, *wire), fit, time) {
                    let fitted = found.fitted.map_or(String::new(), |ns| ns.to_string());
                    residuals.push_str(&format!("{target},{},{way},{},{},{fitted}\n", wire.word(), found.name, found.ns));
                }
            }
            fitted.push(profile);
        }
        targets.push(TargetProfile { target: target.clone(), version: measured.version, wires: fitted });
    }
    let profile =
        Profile { format: PROFILE_FORMAT, creo: env!("CARGO_PKG_VERSION").to_owned(), date: today(), machine: machine(), quick: args.quick, targets };
    let text = profile.to_json().map_err(|error| Failure::new(format!("the profile cannot be written: {error}")))?;
    write_whole(&args.out, format!("{text}\n").as_bytes(), None)?;
    if let Some(path) = &args.residuals {
        write_whole(path, residuals.as_bytes(), None)?;
    }
    terminal.note(&format!("{} written", args.out.display()));
    Ok(Outcome::Done)
}

/// A line for each fit: how good it is, and whether fields and items cost the same (COST-26).
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
    let cut = part.cut.map_or("none".to_owned(), |cut| format!("{} ({:.0}..{:.0})", cut.at, cut.low, cut.high));
    terminal.note(&format!(
        "{target} {} {way}: R2 {:.4}, errors {:.1} % (median) and {:.1} % (90th percentile) of {} points, cut-off {cut}, lines above 0.99: {} of {}",
        wire.word(),
        part.r2,
        part.median_error * 100.0,
        part.high_error * 100.0,
        part.points,
        part.lines.iter().filter(|line| line.r2 >= 0.99).count(),
        part.lines.len(),
    ));
    terminal.note(&format!("  item and field cost the same: {}; not: {}", list(&same), list(&other)));
}

fn list(words: &[&str]) -> String {
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

fn wires(names: &[String]) -> Result<Vec<Wire>, Failure> {
    if names.is_empty() {
        return Ok(Wire::ALL.to_vec());
    }
    let find = |name: &String| {
        Wire::from_word(name.trim()).ok_or_else(|| {
            let all: Vec<&str> = Wire::ALL.iter().map(|wire| wire.word()).collect();
            Failure::coded("invalid-assumption", format!("--wire {name}: there is no such wire")).help(format!("there are {}", all.join(", ")))
        })
    };
    let mut found = names.iter().map(find).collect::<Result<Vec<Wire>, Failure>>()?;
    found.sort();
    found.dedup();
    Ok(found)
}

/// The day, in UTC.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    creo_model::date_time_text(seconds as i64, 0).chars().take(10).collect()
}

/// What is known of the machine without asking other programs.
fn machine() -> BTreeMap<String, String> {
    let mut machine = BTreeMap::new();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            machine.insert(name.to_owned(), value);
        }
    };
    // Linux tells these in files; elsewhere they stay out.
    let line = |path: &str, name: &str| {
        let text = std::fs::read_to_string(path).ok()?;
        let found = text.lines().find(|line| line.starts_with(name))?;
        Some(found.split_once(':')?.1.trim().to_owned())
    };
    add("processor", line("/proc/cpuinfo", "model name"));
    add("memory", line("/proc/meminfo", "MemTotal"));
    add("cores", std::thread::available_parallelism().ok().map(|cores| cores.to_string()));
    add("system", Some(format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)));
    machine
}
