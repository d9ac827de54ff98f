//! Golden cases: `tests/golden/NAME/in.creo`, and all output for it in `tests/golden/NAME/out/`.
//!
//! A missing file is expected to be empty. `--refresh` writes the output, and the run still fails, so new output is not mistaken for a
//! passed test.

use super::format::difference;
use crate::languages::{Language, generate};
use crate::options::Options;
use crate::process::Program;
use crate::report::Report;
use crate::{descriptions, repo};
use creo_codegen::Input;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let creo = creo()?;
    let mut folders: Vec<PathBuf> = repo::files_below(&repo::path("tests/golden"), "creo")
        .into_iter()
        .filter(|p| p.ends_with("in.creo"))
        .filter_map(|p| p.parent().map(Path::to_owned))
        .collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !options.wants(&name) {
            continue;
        }
        match produce(&creo, &folder) {
            Ok(made) => compare(&name, &folder.join("out"), &made, options.refresh, report)?,
            Err(why) => report.fail(&name, why),
        }
    }
    if options.refresh {
        report.fail(
            "golden",
            "the outputs were written anew: look at the difference, then run without --refresh",
        );
    }
    Ok(())
}

/// The `creo` program that was built together with this one.
pub fn creo() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let creo = own.with_file_name("creo");
    if creo.exists() {
        Ok(creo)
    } else {
        Err("there is no `creo` program: run `cargo build` first".to_owned())
    }
}

/// The output for a description: messages, formatted text, model, and code for the targets listed in the file `targets`.
fn produce(creo: &Path, folder: &Path) -> Result<BTreeMap<String, String>, String> {
    let limit = Duration::from_secs(60);
    let program = |arguments: &[&str]| {
        Program::new(creo).args(arguments.iter().copied()).folder(folder).env("NO_COLOR", "1").output(limit)
    };
    let mut made = BTreeMap::new();
    let check = program(&["check", "in.creo"])?;
    let code = check.code.ok_or("`creo check` was ended by a signal")?;
    made.insert(
        "diagnostics.txt".to_owned(),
        if check.stderr.trim().is_empty() {
            String::new()
        } else {
            format!("{}exit code {code}\n", check.stderr)
        },
    );
    made.insert("formatted.creo".to_owned(), formatted(folder)?);
    if code == 0 {
        let model = program(&["model", "in.creo"])?;
        // The program's version is not compared.
        made.insert(
            "model.json".to_owned(),
            model
                .stdout
                .replace(&format!("\"creo\": \"{}\"", env!("CARGO_PKG_VERSION")), "\"creo\": \"VERSION\""),
        );
        let model = descriptions::compile_file(&folder.join("in.creo"))?;
        let targets = std::fs::read_to_string(folder.join("targets")).unwrap_or_default();
        for name in targets.split_whitespace() {
            let language = Language::from_name(name).ok_or_else(|| format!("targets: no target {name}"))?;
            let input = Input::new(language.target(), &model);
            for (path, text) in generate(language, &input)?.iter() {
                made.insert(format!("{name}/{path}"), text.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
            }
        }
    }
    Ok(made)
}

/// The formatter's output if it differs from the input.
fn formatted(folder: &Path) -> Result<String, String> {
    let bytes = std::fs::read(folder.join("in.creo")).map_err(|e| e.to_string())?;
    let mut sources = creo_diag::Sources::new();
    let id = sources.add("in.creo", bytes.clone());
    let mut mistakes = creo_diag::Report::new();
    let source = sources.file(id);
    let tree = creo_syntax::parse(source, &mut mistakes);
    if mistakes.has_errors() {
        return Ok(String::new());
    }
    let text = creo_syntax::format(source, &tree);
    Ok(if text.as_bytes() == bytes { String::new() } else { text })
}

fn compare(
    name: &str,
    out: &Path,
    made: &BTreeMap<String, String>,
    refresh: bool,
    report: &mut Report,
) -> Result<(), String> {
    let known: Vec<String> = repo::all_files_below(out)
        .iter()
        .filter_map(|p| p.strip_prefix(out).ok())
        .map(|p| p.display().to_string())
        .collect();
    for path in known.iter().chain(made.keys().filter(|p| !known.contains(p))) {
        let expected = std::fs::read_to_string(out.join(path)).unwrap_or_default();
        let actual = made.get(path).map(String::as_str).unwrap_or_default();
        if expected == actual {
            report.pass();
            continue;
        }
        report
            .fail(format!("{name}/{path}"), format!("the output differs\n{}", difference(&expected, actual)));
        if refresh {
            match actual {
                "" => std::fs::remove_file(out.join(path)).map_err(|e| e.to_string())?,
                _ => repo::write(&out.join(path), actual)?,
            }
        }
    }
    Ok(())
}
