//! `creo pack`

use crate::args::{PackArgs, RuntimeMode};
use crate::commands::generate;
use crate::config;
use crate::failure::{Failure, Outcome};
use crate::jdk::{Compiled, Jdk};
use crate::output::write_whole;
use crate::terminal::Terminal;
use crate::{input, snippets, uncarried};
use creo_check::CheckedModel;
use creo_codegen::{Files, Input, Module, Runtime, Target, Wires};
use creo_diag::Severity;
use creo_pack::{Artifact, Identity, Name, Placed, RuntimeOf, Version};
use creo_targets::{ALL, documents, find};
use std::fs;
use std::path::{Path, PathBuf};

/// A packing job: sources, targets, wires.
struct Job {
    descriptions: Vec<PathBuf>,
    targets: Vec<&'static dyn Target>,
    /// The defaults if none is named.
    wires: Option<Wires>,
    name: Name,
    version: Version,
    /// Coordinates of the runtime's package by target.
    runtime_from: Vec<(String, String)>,
}

/// First makes all packages in memory: a failure changes nothing.
pub fn run(args: &PackArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let job = job(args)?;
    let paths: Vec<&Path> = job.descriptions.iter().map(PathBuf::as_path).collect();
    let Some(model) = input::model(&paths, terminal)? else { return Ok(Outcome::Findings) };
    let refusals: Vec<_> = job.targets.iter().flat_map(|target| target.refusals(&model)).collect();
    for refusal in &refusals {
        snippets::foreign(Severity::Error, refusal.code, &refusal.message, terminal);
    }
    let wires = job.wires.unwrap_or_else(|| generate::usual_wires(&model, args.runtime, &[]));
    if !uncarried::check(&model, wires, terminal) || !refusals.is_empty() {
        return Ok(Outcome::Findings);
    }
    let mut artifacts = Vec::new();
    for target in &job.targets {
        artifacts.extend(pack(*target, &model, &job, args, terminal)?);
    }
    fs::create_dir_all(&args.out).map_err(|e| Failure::file("make the folder", &args.out, &e))?;
    for Artifact { name, bytes } in &artifacts {
        let path = args.out.join(name);
        write_whole(&path, bytes, None)?;
        terminal.note(&format!("{}: {} bytes", path.display(), bytes.len()));
    }
    Ok(Outcome::Done)
}

fn job(args: &PackArgs) -> Result<Job, Failure> {
    let version = Version::parse(&args.version).ok_or_else(|| {
        Failure::coded(
            "invalid-version",
            format!("{:?} is no version that every registry can order", args.version),
        )
        .help("MAJOR.MINOR.PATCH, as 1.4.0, or one before it: 1.4.0-alpha.1, 1.4.0-beta.2, 1.4.0-rc.3")
    })?;
    let mut descriptions = args.files.clone();
    let mut targets = args.target.clone();
    let mut wires = args.wires.clone();
    if descriptions.is_empty() {
        let all = config::find(Path::new("."))?;
        for entry in &all {
            descriptions.extend(entry.descriptions.iter().cloned());
        }
        if targets.is_empty() {
            // Third-party targets have no known kind of package.
            let known =
                all.iter().flat_map(|entry| &entry.targets).filter(|name| find(name.trim()).is_some());
            targets.extend(known.cloned());
        }
        if wires.is_empty() && all.iter().all(|entry| !entry.wires.is_empty()) {
            wires.extend(all.iter().flat_map(|entry| entry.wires.iter().cloned()));
        }
    }
    let names: Vec<&str> = targets.iter().map(|name| name.trim()).collect();
    if let Some(unknown) = names.iter().find(|name| find(name).is_none()) {
        return Err(Failure::new(format!("there is no package for the target {unknown:?}"))
            .help(format!("there are {}", creo_targets::names())));
    }
    let chosen = ALL.into_iter().filter(|target| names.is_empty() || names.contains(&target.name()));
    if let Some(package) = &args.package {
        check_package(package)?;
    }
    Ok(Job {
        name: name(args, &descriptions)?,
        descriptions,
        targets: chosen.collect(),
        wires: generate::asked_wires(&wires)?,
        version,
        runtime_from: runtime_from(args)?,
    })
}

/// The given name, or that of the first description.
fn name(args: &PackArgs, descriptions: &[PathBuf]) -> Result<Name, Failure> {
    let stem = || descriptions.first().and_then(|path| path.file_stem()).unwrap_or_default();
    let wanted = args.name.clone().unwrap_or_else(|| stem().to_string_lossy().into_owned());
    Name::parse(&wanted).ok_or_else(|| {
        Failure::coded("invalid-name", format!("{wanted:?} is no name that every registry takes")).help(
            "--name takes letters and digits with `-`, `_` or `.` between them, and begins with a letter",
        )
    })
}

fn check_package(package: &str) -> Result<(), Failure> {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    if package.len() <= 200 && package.split('.').all(part) {
        return Ok(());
    }
    Err(Failure::coded("invalid-name", format!("{package:?} is no name of a package in every language"))
        .help("--package takes small letters, digits and `_`, with dots between them: org.example.lab"))
}

/// The given coordinates, which must be in the form of the target's registry.
fn runtime_from(args: &PackArgs) -> Result<Vec<(String, String)>, Failure> {
    if args.runtime == RuntimeMode::Copy && !args.runtime_from.is_empty() {
        return Err(
            Failure::new("the runtime is in the packages").help("--runtime-from goes with --runtime package")
        );
    }
    let mut all = Vec::new();
    for given in &args.runtime_from {
        let pair = given.split_once('=').filter(|(target, text)| creo_pack::is_coordinates(target, text));
        let Some((target, text)) = pair else {
            return Err(Failure::coded("invalid-coordinates", format!("{given:?} says no package"))
                .help("--runtime-from takes java=GROUP:ARTIFACT:VERSION, python=REQUIREMENT, c=MODULE, csharp=ID/VERSION"));
        };
        all.push((target.to_owned(), text.to_owned()));
    }
    Ok(all)
}

/// The files of a target: those of the description, and all with the runtime in the pack's package.
struct Generated {
    own: Files,
    all: Files,
    placed: Placed,
}

fn pack(
    target: &dyn Target,
    model: &CheckedModel,
    job: &Job,
    args: &PackArgs,
    terminal: &Terminal,
) -> Result<Vec<Artifact>, Failure> {
    let given = job.runtime_from.iter().find(|(name, _)| name == target.name());
    let identity = Identity {
        name: job.name.clone(),
        version: job.version,
        sources: model.sources.clone(),
        interfaces: model.interfaces.iter().map(|interface| model.interface_name(interface)).collect(),
        runtime: match args.runtime {
            RuntimeMode::Copy => RuntimeOf::Inside,
            RuntimeMode::Package => RuntimeOf::Package(given.map(|(_, text)| text.clone())),
        },
    };
    // Without a JDK, generating would be in vain.
    let jdk = if target.name() == "java" { Some(Jdk::find(!args.no_docs)?) } else { None };
    let Generated { own, all, placed } = files(target, model, job, args)?;
    Ok(match (target.name(), jdk) {
        ("java", Some(jdk)) => {
            let package = creo_pack::home_folder(&own, &placed.home).replace('/', ".");
            let sources = creo_pack::java_sources(&identity, &own, &all, &package);
            let Compiled { classes, documentation, said } = jdk.compile(&sources, !args.no_docs)?;
            if !said.trim().is_empty() {
                terminal.warning(said.trim());
            }
            creo_pack::jars(&identity, &sources, classes, documentation)
        }
        ("python", _) => {
            let package = creo_pack::home_folder(&own, &placed.home).replace('/', ".");
            let files = if args.runtime == RuntimeMode::Copy { &all } else { &own };
            vec![creo_pack::wheel(&identity, files, &package)]
        }
        ("c", _) => vec![creo_pack::source_archive(&identity, &own, &all)],
        ("csharp", _) => {
            let files = if args.runtime == RuntimeMode::Copy { &all } else { &own };
            vec![creo_pack::nuget(&identity, files)]
        }
        (name, _) => {
            return Err(Failure::new(format!("there is no package for the target {name}")));
        }
    })
}

fn files(
    target: &dyn Target,
    model: &CheckedModel,
    job: &Job,
    args: &PackArgs,
) -> Result<Generated, Failure> {
    let placed = creo_pack::place(model, target.name(), &job.name, args.package.as_deref());
    let documents = documents(&placed.model);
    let plain = Input {
        wires: job.wires.unwrap_or_else(|| generate::usual_wires(model, args.runtime, &[])),
        sides: generate::sides(target, args.sides.into())?,
        documents: &documents,
        ..Input::new(target, &placed.model)
    };
    let own = target.generate(&plain);
    let moved = (args.runtime == RuntimeMode::Copy && target.runtime_package().is_some())
        .then(|| creo_pack::runtime_package(target, &own, &placed.home));
    // Who is given a package cannot ask for more.
    let copy =
        Input { runtime: Runtime::Copy, runtime_package: moved.as_deref(), with: &Module::PARTS, ..plain };
    let all = target.generate(&copy);
    // References to the runtime use its new name.
    let own = match &moved {
        Some(_) => target.generate(&Input { runtime: Runtime::Package, ..copy }),
        None => own,
    };
    Ok(Generated { own, all, placed })
}
