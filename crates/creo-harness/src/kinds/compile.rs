//! Awkward descriptions compiled in each language with warnings as errors: reserved words, names that clash once cased, hostile texts.

use crate::languages::{Copied, Language, Sources, Unit, generate};
use crate::options::Options;
use crate::report::Report;
use crate::{descriptions, obstacles, repo};
use creo_check::CheckedModel;
use creo_codegen::{Input, Runtime};
use std::path::PathBuf;

/// A description's file name appears at the top of generated files. This one tries to end a comment in every language, and to begin a line.
const HOSTILE_NAME: &str = "a *\\u002f ??\n evil(); \u{2028} evil(); \"\"\" \u{202e} <b> \\";

const HOSTILE_FILE: &str = "@PACKAGE(\"obstacles.file_name\")\nstruct Value { int value; }\ninterface Values { Value get(Value value); }\n";

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let mut paths: Vec<PathBuf> = vec![
        repo::path("conformance/schemas/matrix.creo"),
        repo::path("conformance/schemas/changed/matrix.creo"),
    ];
    paths.extend(repo::files_in(&repo::path("tests/compile"), "creo"));
    let mut models = Vec::new();
    for path in paths {
        let name = path.strip_prefix(repo::root()).unwrap_or(&path).display().to_string();
        if !options.wants(&name) {
            continue;
        }
        match descriptions::compile_file(&path) {
            Ok(model) => models.push((name, model)),
            Err(why) => report.fail(name, why),
        }
    }
    if options.wants("a hostile file name") {
        models.push((
            "a hostile file name".to_owned(),
            descriptions::compile_text(HOSTILE_NAME, HOSTILE_FILE)?,
        ));
    }
    for language in options.languages() {
        if let Err(why) = language.ready() {
            report.fail(language.name(), why);
            continue;
        }
        // Each is generated separately first, to name the one that fails.
        let (good, bad): (Vec<_>, Vec<_>) = models
            .iter()
            .map(|(name, model)| (name, model, try_generate(language, model)))
            .partition(|(_, _, r)| r.is_ok());
        for (name, _, result) in &bad {
            report.check(format!("{} {name}", language.name()), result.clone());
        }
        let mut units = Vec::new();
        let mut meanings = Vec::new();
        let mut add = |models: &[&CheckedModel], folder: &str, meaning: Meaning| {
            let work = repo::build("compile").join(folder);
            match Sources::generate(language, models, &work.join("generated")) {
                Ok(sources) => {
                    units.push(Unit { sources, work });
                    meanings.push(meaning);
                }
                Err(why) => meaning.report(language, Err(why), report),
            }
        };
        // Then all together, which is fast and reveals conflicts between packages. The compiler's messages name the faulty packages.
        let all: Vec<&CheckedModel> = good.iter().map(|(_, model, _)| *model).collect();
        if !all.is_empty() {
            add(&all, language.name(), Meaning::Together(all.len()));
        }
        for (number, (name, model)) in obstacles::courses(language)?.iter().enumerate() {
            if options.wants(name) {
                let folder = format!("{}-names-{number}", language.name());
                add(&[model], &folder, Meaning::Course(name.clone()));
            }
        }
        let results = language.compile_each(&units, Copied::Whole);
        for (meaning, result) in meanings.iter().zip(results) {
            meaning.report(language, result, report);
        }
    }
    Ok(())
}

/// What the compilation of a unit tests.
enum Meaning {
    /// So many descriptions.
    Together(usize),
    /// An obstacle course.
    Course(String),
}

impl Meaning {
    fn report(&self, language: Language, result: Result<(), String>, report: &mut Report) {
        match (self, result) {
            (Meaning::Together(count), Ok(())) => (0..*count).for_each(|_| report.pass()),
            (Meaning::Together(count), Err(why)) => {
                report.fail(format!("{}: {count} descriptions together", language.name()), why);
            }
            (Meaning::Course(name), result) => report.check(format!("{} {name}", language.name()), result),
        }
    }
}

fn try_generate(language: Language, model: &CheckedModel) -> Result<(), String> {
    generate(language, &Input { runtime: Runtime::Copy, ..Input::new(language.target(), model) }).map(|_| ())
}
