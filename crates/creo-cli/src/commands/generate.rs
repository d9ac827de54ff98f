//! `creo generate`

use crate::args::GenerateArgs;
use crate::commands::count;
use crate::failure::{Failure, Outcome};
use crate::output::{Changes, Folder, Rules};
use crate::plugin::{self, Answer};
use crate::terminal::Terminal;
use crate::{input, snippets};
use creo_check::CheckedModel;
use creo_codegen::{Document, Files, Framework, Input, Module};
use creo_diag::Severity;
use creo_targets::{ALL, documents, find, is_name};
use std::time::Duration;

/// Makes all files of all targets in memory first; so a target that fails leaves everything as it was.
pub fn run(args: &GenerateArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let mut names: Vec<&str> = args.target.iter().map(|name| name.trim()).collect();
    names.sort_unstable();
    names.dedup();
    if let Some(wrong) = names.iter().find(|name| !is_name(name)) {
        return Err(Failure::new(format!("{wrong:?} is no name of a target"))
            .help("a target's name has small letters, digits, `-` and `_`"));
    }
    let with = modules(args, &names)?;
    input::with_model(&args.file, terminal, |model| {
        let documents = documents(model);
        let mut generated = Vec::new();
        let mut refused = false;
        for name in &names {
            match files(name, model, &documents, &with, args, terminal)? {
                Some(files) => generated.push((*name, files)),
                None => refused = true,
            }
        }
        if refused {
            return Ok(Outcome::Findings);
        }
        let mut outcome = Outcome::Done;
        for (name, files) in &generated {
            let folder = Folder::open(&args.out, name)?;
            outcome = outcome.and(if args.check {
                check(name, &folder, files, args, terminal)?
            } else {
                write(name, folder, files, args, terminal)?
            });
        }
        Ok(outcome)
    })
}

/// The modules that are asked for, each once. All targets must have them: a program that lacks what it was meant to have is noticed late.
fn modules(args: &GenerateArgs, targets: &[&str]) -> Result<Vec<Module>, Failure> {
    let mut with = Vec::new();
    for name in args.with.iter().map(|name| name.trim()) {
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

/// The files of one target; `None` if the description has something that the target cannot say, or a third-party target found mistakes.
fn files(
    name: &str,
    model: &CheckedModel,
    documents: &[Document],
    with: &[Module],
    args: &GenerateArgs,
    terminal: &Terminal,
) -> Result<Option<Files>, Failure> {
    if let Some(target) = find(name) {
        let refusals = target.refusals(model);
        for refusal in &refusals {
            snippets::foreign(Severity::Error, refusal.code, &refusal.message, terminal);
        }
        if !refusals.is_empty() {
            return Ok(None);
        }
        let framework = if args.no_framework { Framework::Omit } else { Framework::Emit };
        return Ok(Some(target.generate(&Input { model, framework, documents, with })));
    }
    let Answer { files, diagnostics } = plugin::run(name, model, Duration::from_secs(args.timeout))?;
    for told in &diagnostics {
        snippets::foreign(told.severity, &told.code, &told.message, terminal);
    }
    let mistakes = diagnostics.iter().any(|told| told.severity == Severity::Error);
    Ok((!mistakes).then_some(files))
}

fn check(
    name: &str,
    folder: &Folder,
    files: &Files,
    args: &GenerateArgs,
    terminal: &Terminal,
) -> Result<Outcome, Failure> {
    let changes = folder.compare(files)?;
    let Changes { missing, different, stale, stale_and_changed, unchanged } = &changes;
    for (word, paths) in
        [("missing", missing), ("different", different), ("stale", stale), ("stale", stale_and_changed)]
    {
        for path in paths {
            let path = args.out.join(name).join(path);
            terminal.result(&creo_diag::escape_controls(&format!("{word}: {}\n", path.display())))?;
        }
    }
    if changes.is_empty() {
        terminal.note(&format!("{name}: {} as generated", count(*unchanged, "file")));
    }
    Ok(Outcome::found(!changes.is_empty()))
}

fn write(
    name: &str,
    folder: Folder,
    files: &Files,
    args: &GenerateArgs,
    terminal: &Terminal,
) -> Result<Outcome, Failure> {
    let rules = Rules { force: args.force, prune: args.prune };
    let waiting = || {
        terminal
            .note(&format!("{name}: waiting for another run of creo in {}", args.out.join(name).display()))
    };
    let changes = folder.write(files, rules, waiting)?;
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
            args.out.join(name).join(path).display()
        ));
    }
    for path in stale_and_changed {
        terminal.warning(&format!(
            "{} is stale, and was changed since it was generated: creo leaves it",
            args.out.join(name).join(path).display()
        ));
    }
    Ok(Outcome::Done)
}
