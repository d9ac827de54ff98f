//! `creo generate`

use crate::args::{GenerateArgs, RuntimeMode, SidesOfCalls};
use crate::commands::count;
use crate::config::{self, Generate};
use crate::failure::{Failure, Outcome};
use crate::manifest;
use crate::output::{Changes, Content, Folder, Rules, check_together};
use crate::plugin::{self, Answer};
use crate::terminal::Terminal;
use crate::{input, snippets, uncarried};
use creo_check::CheckedModel;
use creo_codegen::{Document, Files, Input, Module, Needs, Refusal, Runtime, Sides, Target, Wire, Wires};
use creo_diag::Severity;
use creo_targets::{ALL, documents, find, is_name};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of all wires on the command line and in `creo.toml`.
const EVERY_WIRE: &str = "all";

/// The max length of a runtime's package name.
const MAX_PACKAGE: usize = 200;

/// A job without errors, as far as can be checked before code is made.
struct Ready<'a> {
    job: &'a Generate,
    model: CheckedModel,
    documents: Vec<Document>,
    wires: Wires,
    with: Vec<Module>,
    /// By name.
    targets: Vec<(&'a str, Maker)>,
}

/// The source of a target's files.
enum Maker {
    BuiltIn(&'static dyn Target, Sides),
    /// An external program has made them.
    Outside(Files),
}

impl Ready<'_> {
    /// The names of the description's files.
    fn names(&self) -> Vec<String> {
        self.job.descriptions.iter().map(|path| input::name_of(path)).collect()
    }

    fn manifest(&self) -> String {
        let names = self.names();
        manifest::name(&names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The needs of the code from a runtime.
    fn needs(&self) -> Needs {
        Needs::of(&self.model, self.wires, &self.with)
    }

    fn has(&self, target: &str) -> bool {
        self.targets.iter().any(|(name, _)| *name == target)
    }

    /// The target's folder. `siblings` are the jobs of this run that also generate into it.
    fn folder(&self, target: &str, siblings: &[&Ready]) -> Result<Folder, Failure> {
        let names = self.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let siblings: BTreeSet<String> = siblings.iter().map(|other| other.manifest()).collect();
        Folder::open(&self.job.out, target, &names, siblings)
    }

    /// The files of a target for a folder.
    fn content(&self, maker: &Maker, folder: &Folder, siblings: &[&Ready]) -> Content {
        let others = folder.needs_of_others();
        let mut all = others.clone();
        siblings.iter().for_each(|other| all.add(&other.needs()));
        let files = match maker {
            Maker::BuiltIn(target, sides) => target.generate(&self.input(*target, *sides, &all)),
            Maker::Outside(files) => files.clone(),
        };
        Content { files, needs: self.needs(), others }
    }

    fn input<'b>(&'b self, target: &'b dyn Target, sides: Sides, others: &'b Needs) -> Input<'b> {
        Input {
            runtime: self.job.runtime.into(),
            runtime_package: self.job.runtime_package.as_deref(),
            wires: self.wires,
            sides,
            documents: &self.documents,
            with: &self.with,
            others,
            ..Input::new(target, &self.model)
        }
    }
}

/// First makes all files of all targets in memory: if a target fails, nothing is changed.
pub fn run(args: &GenerateArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let jobs = jobs(args)?;
    let mut ready = Vec::new();
    for job in &jobs {
        match prepare(job, args, terminal)? {
            Some(made) => ready.push(made),
            None => return Ok(Outcome::Findings),
        }
    }
    let mut made = Vec::new();
    for (at, own) in ready.iter().enumerate() {
        for (target, maker) in &own.targets {
            let siblings: Vec<&Ready> = ready
                .iter()
                .enumerate()
                .filter(|(other, job)| *other != at && job.job.out == own.job.out && job.has(target))
                .map(|(_, job)| job)
                .collect();
            let mut folder = own.folder(target, &siblings)?;
            let content = own.content(maker, &folder, &siblings);
            if !args.check && !args.force {
                folder.check_free(&content.files)?;
            }
            made.push((own, *target, maker, siblings, content));
        }
    }
    for (at, (own, target, _, _, content)) in made.iter().enumerate() {
        for (other, same, _, _, others) in &made[..at] {
            if other.job.out == own.job.out && same == target {
                check_together(&own.job.out.join(target), others, content)?;
            }
        }
    }
    let mut outcome = Outcome::Done;
    for (own, target, maker, siblings, mut content) in made {
        let found = loop {
            let folder = own.folder(target, &siblings)?;
            if args.check {
                break check(target, &folder, &folder.settled(&content.files)?, &own.job.out, terminal)?;
            }
            if let Some(found) = write(target, folder, &content, own.job, args, terminal)? {
                break found;
            }
            content = own.content(maker, &own.folder(target, &siblings)?, &siblings);
        };
        outcome = outcome.and(found);
    }
    Ok(outcome)
}

/// The jobs: from the arguments, or else from `creo.toml`.
fn jobs(args: &GenerateArgs) -> Result<Vec<Generate>, Failure> {
    let Some(out) = args.out.clone() else {
        return config::find(Path::new("."));
    };
    Ok(vec![Generate {
        descriptions: args.files.clone(),
        targets: args.target.clone(),
        out,
        runtime: args.runtime.unwrap_or_default(),
        runtime_package: args.runtime_package.clone(),
        wires: args.wires.clone(),
        sides: args.sides.unwrap_or_default(),
        with: args.with.clone(),
    }])
}

/// Prepares a job; `None` after errors, which were reported.
fn prepare<'a>(
    job: &'a Generate,
    args: &GenerateArgs,
    terminal: &Terminal,
) -> Result<Option<Ready<'a>>, Failure> {
    let mut names: Vec<&str> = job.targets.iter().map(|name| name.trim()).collect();
    names.sort_unstable();
    names.dedup();
    if let Some(wrong) = names.iter().find(|name| !is_name(name)) {
        return Err(Failure::new(format!("{wrong:?} is no name of a target"))
            .help("a target's name has small letters, digits, `-` and `_`"));
    }
    let with = modules(job, &names)?;
    let asked = asked_wires(&job.wires)?;
    if let Some(package) = &job.runtime_package {
        check_runtime_package(package, job, &names)?;
    }
    let paths: Vec<&Path> = job.descriptions.iter().map(PathBuf::as_path).collect();
    let Some(model) = input::model(&paths, terminal)? else { return Ok(None) };
    let wires = asked.unwrap_or_else(|| usual_wires(&model, job.runtime, &with));
    if !uncarried::check(&model, wires, terminal) {
        return Ok(None);
    }
    let documents = documents(&model);
    let mut ready = Ready { job, model, documents, wires, with, targets: Vec::new() };
    let mut targets = Vec::new();
    let mut refused = false;
    for name in names {
        let maker = match find(name) {
            Some(target) => {
                let sides = sides(target, job.sides.into())?;
                let input = ready.input(target, sides, Needs::none());
                accepts(target, &input, terminal).then_some(Maker::BuiltIn(target, sides))
            }
            None => {
                let options = json!({
                    "target": name,
                    "wires": wires.iter().map(Wire::name).collect::<Vec<_>>(),
                    "sides": job.sides,
                    "runtime": job.runtime,
                });
                let timeout = Duration::from_secs(args.timeout);
                from_outside(name, &ready.model, options, timeout, terminal)?.map(Maker::Outside)
            }
        };
        match maker {
            Some(maker) => targets.push((name, maker)),
            None => refused = true,
        }
    }
    ready.targets = targets;
    Ok((!refused).then_some(ready))
}

/// Checks that the runtime can be moved to a package: the target's language must be able to name it, and the target must copy the runtime.
fn check_runtime_package(package: &str, job: &Generate, targets: &[&str]) -> Result<(), Failure> {
    let fail = |why: String| Failure::new(format!("the runtime cannot move to {package:?}: {why}"));
    if job.runtime == RuntimeMode::Package {
        return Err(fail("it is a package that the code depends on".to_owned())
            .help("--runtime-package goes with --runtime copy"));
    }
    for name in targets {
        let found = find(name).filter(|target| target.runtime_package().is_some());
        let Some(target) = found else {
            return Err(fail(format!("the runtime of {name} is in no package"))
                .help("generate for this target without --runtime-package"));
        };
        let fine = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_alphabetic())
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
                && !target.is_reserved(part)
        };
        if package.len() > MAX_PACKAGE || !package.split('.').all(fine) {
            return Err(fail(format!("that is no name of a package in {name}"))
                .help("names of letters, digits and `_`, with dots between them: org.example.lab.creo"));
        }
    }
    Ok(())
}

/// Whether a built-in target supports everything in the description.
fn accepts(target: &dyn Target, input: &Input, terminal: &Terminal) -> bool {
    let mut refusals = target.refusals(input.model);
    refusals.extend(input.runtime_package.and_then(|package| package_clash(target, input, package)));
    for refusal in &refusals {
        snippets::foreign(Severity::Error, refusal.code, &refusal.message, terminal);
    }
    refusals.is_empty()
}

/// The error if a description has the runtime's package, or a subpackage of it.
fn package_clash(target: &dyn Target, input: &Input, package: &str) -> Option<Refusal> {
    let own = target.generate(&Input { runtime: Runtime::Package, with: &[], ..*input });
    let message = format!("the runtime cannot move to {package}: the description has that package");
    own.iter()
        .any(|(path, _)| target.is_in_package(path, package))
        .then_some(Refusal { code: "package-clash", message })
}

/// The files of a third-party target; `None` if it reported errors.
fn from_outside(
    name: &str,
    model: &CheckedModel,
    options: Value,
    timeout: Duration,
    terminal: &Terminal,
) -> Result<Option<Files>, Failure> {
    let Answer { files, diagnostics } = plugin::run(name, model, options, timeout)?;
    for told in &diagnostics {
        snippets::foreign(told.severity, &told.code, &told.message, terminal);
    }
    let mistakes = diagnostics.iter().any(|told| told.severity == Severity::Error);
    Ok((!mistakes).then_some(files))
}

impl From<RuntimeMode> for Runtime {
    fn from(mode: RuntimeMode) -> Runtime {
        match mode {
            RuntimeMode::Copy => Runtime::Copy,
            RuntimeMode::Package => Runtime::Package,
        }
    }
}

impl From<SidesOfCalls> for Sides {
    fn from(sides: SidesOfCalls) -> Sides {
        match sides {
            SidesOfCalls::Client => Sides::Client,
            SidesOfCalls::Service => Sides::Service,
            SidesOfCalls::Both => Sides::Both,
        }
    }
}

/// The requested sides that a target supports. Requesting only a service is an error if the target has no hosts.
pub fn sides(target: &dyn Target, asked: Sides) -> Result<Sides, Failure> {
    match (target.sides(), asked) {
        (Sides::Both, asked) => Ok(asked),
        (Sides::Client, Sides::Service) => {
            Err(Failure::new(format!("the target {} has no service hosts", target.name()))
                .help("generate for this target without --sides service"))
        }
        (has, _) => Ok(has),
    }
}

/// The requested wires; `None` for none.
pub fn asked_wires(names: &[String]) -> Result<Option<Wires>, Failure> {
    let mut wires = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        match Wire::find(name) {
            Some(wire) => wires.push(wire),
            None if name == EVERY_WIRE => wires.extend(Wire::ALL),
            None => {
                let known: Vec<&str> = Wire::ALL.iter().map(|wire| wire.name()).collect();
                return Err(Failure::new(format!("{name:?} is no wire"))
                    .help(format!("--wires takes {}, {EVERY_WIRE}", known.join(", "))));
            }
        }
    }
    Ok((!wires.is_empty()).then(|| Wires::of(wires)))
}

/// The default wires: all in a package, and for modules that carry calls. A copy has binary and JSON, and SOAP if the description defines its XML, as one
/// imported from a partner does.
pub fn usual_wires(model: &CheckedModel, runtime: RuntimeMode, with: &[Module]) -> Wires {
    match runtime {
        RuntimeMode::Copy if !with.iter().any(|module| module.is_transport()) => {
            let soap = model.has_xml().then_some(Wire::Soap);
            Wires::of([Wire::Binary, Wire::Json].into_iter().chain(soap))
        }
        RuntimeMode::Copy | RuntimeMode::Package => Wires::ALL,
    }
}

/// The requested modules without duplicates. All targets must have them: a missing module would be noticed too late.
fn modules(job: &Generate, targets: &[&str]) -> Result<Vec<Module>, Failure> {
    let mut with = Vec::new();
    for name in job.with.iter().map(|name| name.trim()) {
        let Some(module) = Module::find(name) else {
            let known: Vec<&str> = Module::ALL.iter().map(|module| module.name()).collect();
            return Err(Failure::new(format!("{name:?} is no module"))
                .help(format!("--with takes {}", known.join(", "))));
        };
        if let Some(lacking) =
            targets.iter().find(|target| find(target).is_none_or(|found| found.module(module).is_none()))
        {
            let have: Vec<&str> = ALL
                .into_iter()
                .filter(|target| target.module(module).is_some())
                .map(|target| target.name())
                .collect();
            return Err(Failure::new(format!("the target {lacking} has no module {name}"))
                .help(format!("these have it: {}", have.join(", "))));
        }
        with.push(module);
    }
    with.sort_unstable();
    with.dedup();
    Ok(with)
}

fn check(
    name: &str,
    folder: &Folder,
    files: &Files,
    out: &Path,
    terminal: &Terminal,
) -> Result<Outcome, Failure> {
    let changes = folder.compare(files)?;
    let Changes { missing, different, stale, stale_and_changed, unchanged } = &changes;
    for (word, paths) in
        [("missing", missing), ("different", different), ("stale", stale), ("stale", stale_and_changed)]
    {
        for path in paths {
            let path = out.join(name).join(path);
            terminal.result(&creo_diag::escape_controls(&format!("{word}: {}\n", path.display())))?;
        }
    }
    if changes.is_empty() {
        terminal.note(&format!("{name}: {} as generated", count(*unchanged, "file")));
    }
    Ok(Outcome::found(!changes.is_empty()))
}

/// `None` if the files must be made again ([`Folder::write`]).
fn write(
    name: &str,
    folder: Folder,
    content: &Content,
    job: &Generate,
    args: &GenerateArgs,
    terminal: &Terminal,
) -> Result<Option<Outcome>, Failure> {
    let rules = Rules { force: args.force, prune: args.prune };
    let waiting = || {
        terminal.note(&format!("{name}: waiting for another run of creo in {}", job.out.join(name).display()))
    };
    let Some(changes) = folder.write(content, rules, waiting)? else { return Ok(None) };
    let Changes { missing, different, stale, stale_and_changed, unchanged } = &changes;
    let mut text =
        format!("{name}: {} written, {unchanged} unchanged", count(missing.len() + different.len(), "file"));
    if args.prune && !stale.is_empty() {
        text.push_str(&format!(", {} removed", stale.len()));
    }
    terminal.note(&text);
    let left = if args.prune { &[][..] } else { &stale[..] };
    for path in left {
        terminal.warning(&format!(
            "{} is stale: it is not generated any more; --prune removes it",
            job.out.join(name).join(path).display()
        ));
    }
    for path in stale_and_changed {
        terminal.warning(&format!(
            "{} is stale, and was changed since it was generated: creo leaves it",
            job.out.join(name).join(path).display()
        ));
    }
    Ok(Some(Outcome::Done))
}
