//! Awkward descriptions in each language, every warning an error: reserved words, names that clash once they are cased, hostile texts.

use crate::languages::Sources;
use crate::options::Options;
use crate::report::Report;
use crate::{descriptions, repo};
use creo_model::CheckedModel;
use std::path::PathBuf;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let mut paths: Vec<PathBuf> = vec![repo::path("conformance/schemas/matrix.creo"), repo::path("conformance/schemas/changed/matrix.creo")];
    paths.extend(repo::files_below(&repo::path("tests/compile"), "creo"));
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
    let all: Vec<&CheckedModel> = models.iter().map(|(_, model)| model).collect();
    for language in options.languages() {
        if let Err(why) = language.ready() {
            report.fail(language.name(), why);
            continue;
        }
        let work = repo::build("compile").join(language.name());
        // All at once: quick, and it shows whether packages disturb one another. If that fails, one by one, to name the culprits.
        let whole = Sources::generate(language, &all, &work.join("generated")).and_then(|sources| language.compile(&sources, &work));
        let Err(whole_why) = whole else {
            models.iter().for_each(|_| report.pass());
            continue;
        };
        let mut alone = 0;
        for (i, (name, model)) in models.iter().enumerate() {
            let work = work.join(format!("alone{i}"));
            let result = Sources::generate(language, &[model], &work.join("generated")).and_then(|sources| language.compile(&sources, &work));
            alone += usize::from(result.is_err());
            report.check(format!("{} {name}", language.name()), result);
        }
        if alone == 0 {
            report.fail(format!("{}: all descriptions together", language.name()), whole_why);
        }
    }
    Ok(())
}
