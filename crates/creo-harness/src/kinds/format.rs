//! LANG-27: formatting is idempotent and never changes the model. Tested with every description of the repository, valid or not.

use crate::options::Options;
use crate::report::Report;
use crate::{descriptions, repo};
use creo_diag::Sources;
use std::path::{Path, PathBuf};

/// Folders with descriptions.
const FOLDERS: [&str; 5] = ["conformance", "examples", "tests", "bench", "docs"];

/// Every description of the repository, sorted, without build output.
fn all_descriptions() -> Vec<PathBuf> {
    FOLDERS
        .iter()
        .flat_map(|folder| repo::files_below(&repo::path(folder), "creo"))
        .filter(|p| {
            !p.components()
                .any(|c| ["build", "target", "node_modules"].iter().any(|built| c.as_os_str() == *built))
        })
        .collect()
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    for path in all_descriptions() {
        let name = path.strip_prefix(repo::root()).unwrap_or(&path).display().to_string();
        if options.wants(&name) {
            report.check(&name, check(&path));
        }
    }
    Ok(())
}

/// The formatted text; `None` if the formatter leaves an unreadable text unchanged.
fn format(name: &str, text: &str) -> Option<String> {
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    let mut mistakes = creo_diag::Report::new();
    let source = sources.file(id);
    let tree = creo_syntax::parse(source, &mut mistakes);
    (!mistakes.has_errors()).then(|| creo_syntax::format(source, &tree))
}

fn check(path: &Path) -> Result<(), String> {
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(()) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(once) = format(&name, &text) else { return Ok(()) };
    let twice = format(&name, &once).ok_or_else(|| format!("the formatted text cannot be read:\n{once}"))?;
    if once != twice {
        return Err(format!("formatting again changes it:\n{}", difference(&once, &twice)));
    }
    // Only a text that compiles alone has a model. It is compared as text, since a NaN default is not equal to itself.
    let Ok(before) = descriptions::compile_text(&name, &text) else { return Ok(()) };
    match descriptions::compile_text(&name, &once) {
        Err(why) => Err(format!("the formatted text is no correct description any more: {why}\n{once}")),
        Ok(after) if format!("{before:?}") != format!("{after:?}") => {
            Err("formatting changes the model".to_owned())
        }
        Ok(_) => Ok(()),
    }
}

/// Two texts, line by line.
pub fn difference(expected: &str, actual: &str) -> String {
    similar::TextDiff::from_lines(expected, actual)
        .unified_diff()
        .context_radius(2)
        .header("expected", "actual")
        .to_string()
}
