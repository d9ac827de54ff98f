//! The languages: how generated code is compiled, and how peers are built. A new language needs a file and a row in [`Language::ALL`].

mod c;
mod csharp;
mod java;
mod javac;
pub mod jms;
mod python;
mod sources;

pub use sources::{Copied, Sources, Unit};

use crate::process::Program;
use crate::repo;
use creo_check::CheckedModel;
use creo_codegen::{Input, Module, Needs, Runtime, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// A language that the compiler generates for, in the order of [`creo_targets::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    Java,
    Python,
    C,
    CSharp,
}

impl Language {
    pub const ALL: [Language; creo_targets::ALL.len()] =
        [Language::Java, Language::Python, Language::C, Language::CSharp];

    pub fn target(self) -> &'static dyn Target {
        creo_targets::ALL[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.target().name()
    }

    pub fn from_name(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|l| l.name() == name)
    }

    /// Fails if the toolchain is missing, with the reason. That is a test failure unless the language is excluded explicitly.
    pub fn ready(self) -> Result<(), String> {
        match self {
            Language::Java => java::ready(),
            Language::Python => python::ready(),
            Language::C => c::ready(),
            Language::CSharp => csharp::ready(),
        }
    }

    /// Compiles generated code alone, with warnings as errors and checks as strict as the language's users have.
    pub fn compile(self, unit: Unit) -> Result<(), String> {
        self.compile_each(&[unit], Copied::Whole).pop().unwrap_or_else(|| Err("no result".to_owned()))
    }

    /// Compiles units like [`compile`](Language::compile), each by itself, but where that is faster in one run of a compiler. The units of
    /// a call have neighbouring folders.
    pub fn compile_each(self, units: &[Unit], copied: Copied) -> Vec<Result<(), String>> {
        match self {
            Language::Java => units.iter().map(java::compile).collect(),
            Language::Python => python::compile_each(units, copied),
            Language::C => units.iter().map(c::compile).collect(),
            Language::CSharp => csharp::compile_each(units),
        }
    }

    /// Builds the conformance peer with generated code, which includes that of the conformance schemas.
    pub fn peer(self, sources: &Sources, models: &[&CheckedModel], work: &Path) -> Result<Program, String> {
        match self {
            Language::Java => java::peer(sources, work),
            Language::Python => python::peer(sources),
            Language::C => c::peer(sources, models, work),
            Language::CSharp => csharp::peer(sources, work),
        }
    }

    /// The ways in which a peer runs, with their names: unchanged, and for Python also with the accelerator.
    pub fn ways(self, peer: Result<Program, String>) -> Vec<(&'static str, Result<Program, String>)> {
        let accelerated = match (self, &peer) {
            (Language::Python, Ok(program)) => {
                Some(("python+accelerator", python::accelerated(program.clone())))
            }
            (Language::Java | Language::Python | Language::C | Language::CSharp, _) => None,
        };
        std::iter::once((self.name(), peer)).chain(accelerated).collect()
    }

    /// The language's name for one of its [`Language::ways`].
    pub fn of_way(name: &str) -> &str {
        name.split('+').next().unwrap_or(name)
    }

    /// The peer of the conformance schemas, built in a separate folder.
    pub fn conformance_peer(self) -> Result<Program, String> {
        let models = crate::descriptions::conformance()?;
        let models: Vec<&CheckedModel> = models.iter().collect();
        let work = repo::build("peers").join(self.name());
        // Kinds that run beside each other share it.
        let _held = repo::hold(&work)?;
        let sources = Sources::generate(self, &models, &work.join("generated"))?;
        self.peer(&sources, &models, &work)
    }
}

/// Ends the compilers that still run.
pub fn finish() -> Result<(), String> {
    javac::finish()
}

/// Build files for a single description: with several in one folder the last one wins.
fn is_build_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    [".mk", ".cmake", ".csproj"].iter().any(|ending| name.ends_with(ending))
}

impl Sources {
    /// Generates code for descriptions with the runtime as peers need it, and removes anything else from the folder. It is an error if two descriptions
    /// produce different texts for the same path.
    pub fn generate(language: Language, models: &[&CheckedModel], folder: &Path) -> Result<Sources, String> {
        Sources::generate_with(language, models, folder, &Module::PARTS)
    }

    /// Like [`generate`], with modules for the runtime.
    pub fn generate_with<'m>(
        language: Language,
        models: &[&'m CheckedModel],
        folder: &Path,
        with: &'m [Module],
    ) -> Result<Sources, String> {
        let input = |model: &&'m CheckedModel| Input {
            runtime: Runtime::Copy,
            with,
            ..Input::new(language.target(), model)
        };
        Sources::generate_inputs(language, &models.iter().map(input).collect::<Vec<_>>(), folder)
    }

    /// Like [`generate`], for any choice of wires, sides and modules.
    pub fn generate_inputs(language: Language, inputs: &[Input], folder: &Path) -> Result<Sources, String> {
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        // They share a runtime.
        let streams = inputs.iter().any(|input| input.needs().streams);
        for input in inputs {
            let others = Needs { streams, ..input.others.clone() };
            for (path, text) in generate(language, &Input { others: &others, ..*input })?.iter() {
                let old = texts.insert(path.to_owned(), text.to_owned());
                if old.is_some_and(|old| old != text) && !is_build_file(path) {
                    return Err(format!("{}: two descriptions give {path} different texts", language.name()));
                }
            }
        }
        let wanted: BTreeSet<PathBuf> = texts.keys().map(|p| folder.join(p)).collect();
        for stale in repo::all_files_below(folder).into_iter().filter(|p| !wanted.contains(p)) {
            std::fs::remove_file(&stale).map_err(|e| format!("{}: {e}", stale.display()))?;
        }
        for (path, text) in &texts {
            repo::write(&folder.join(path), text)?;
        }
        Ok(Sources { folder: folder.to_owned(), paths: texts.into_keys().collect() })
    }
}

/// The max time of a generator for one description: far more than needed, even on a busy machine.
const GENERATE_LIMIT: Duration = Duration::from_secs(600);

/// Generates code, including the program's documents. A generator that panics or does not finish gives an error.
pub fn generate(language: Language, input: &Input) -> Result<creo_codegen::Files, String> {
    let (sender, receiver) = channel();
    let (runtime, wires, sides) = (input.runtime, input.wires, input.sides);
    let package = input.runtime_package.map(str::to_owned);
    let (model, with, others) = (input.model.clone(), input.with.to_vec(), input.others.clone());
    let worker = std::thread::spawn(move || {
        let documents = creo_targets::documents(&model);
        // After a timeout there is no receiver.
        let input = Input {
            model: &model,
            runtime,
            runtime_package: package.as_deref(),
            wires,
            sides,
            documents: &documents,
            with: &with,
            others: &others,
        };
        drop(sender.send(language.target().generate(&input)));
    });
    match receiver.recv_timeout(GENERATE_LIMIT) {
        Ok(files) => Ok(files),
        Err(RecvTimeoutError::Timeout) => {
            Err(format!("the {} generator does not come to an end", language.name()))
        }
        Err(RecvTimeoutError::Disconnected) => {
            let panic = worker.join().err();
            let text = panic.as_ref().and_then(|p| {
                p.downcast_ref::<String>().map(String::as_str).or(p.downcast_ref::<&str>().copied())
            });
            Err(format!("the {} generator panicked: {}", language.name(), text.unwrap_or("without a text")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_the_target_of_its_name() {
        for language in Language::ALL {
            assert_eq!(format!("{language:?}").to_lowercase(), language.name());
        }
    }
}
