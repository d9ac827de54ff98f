//! The same input gives the same output, in another folder, after other work, and in another order. It contains no dates or absolute paths.

use super::golden::creo;
use crate::languages::{Language, generate};
use crate::options::Options;
use crate::process::Program;
use crate::report::Report;
use crate::{descriptions, repo};
use creo_check::CheckedModel;
use creo_codegen::Input;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let mut paths = vec![repo::path("conformance/schemas/matrix.creo")];
    paths.extend(repo::files_in(&repo::path("tests/compile"), "creo"));
    let names: Vec<String> =
        paths.iter().map(|p| p.file_name().unwrap_or_default().to_string_lossy().into_owned()).collect();
    let wanted = || paths.iter().zip(&names).filter(|(_, name)| options.wants(name));

    let mut first = BTreeMap::new();
    for (path, name) in wanted() {
        match descriptions::compile_file(path).and_then(|model| generate_all(&model)) {
            Ok(files) => drop(first.insert(name.clone(), files)),
            Err(why) => report.fail(name, why),
        }
    }
    // Again, from copies elsewhere and in reverse order.
    let elsewhere = repo::build("determinism/copy/of/all");
    repo::fresh(&elsewhere)?;
    for path in &paths {
        copy_with_neighbours(path, &elsewhere)?;
    }
    for (_, name) in wanted().collect::<Vec<_>>().into_iter().rev() {
        let Some(before) = first.get(name) else { continue };
        let result = descriptions::compile_file(&elsewhere.join(name))
            .and_then(|model| generate_all(&model))
            .and_then(|files| same(before, &files));
        report.check(format!("{name} again"), result);
        let own = with_neighbours(&elsewhere.join(name))?;
        report.check(
            format!("{name}: no date and no absolute path"),
            before.iter().try_for_each(|(path, text)| clean(path, text, &own)),
        );
    }
    if options.wants("the program") {
        report.check("the program, in two folders", program(&paths[0]));
    }
    Ok(())
}

type Output = BTreeMap<String, String>;

fn generate_all(model: &CheckedModel) -> Result<Output, String> {
    let mut all = BTreeMap::new();
    for language in Language::ALL {
        let input = Input::new(language.target(), model);
        all.extend(
            generate(language, &input)?
                .iter()
                .map(|(path, text)| (format!("{}/{path}", language.name()), text.to_owned())),
        );
    }
    Ok(all)
}

fn copy_with_neighbours(path: &Path, folder: &Path) -> Result<(), String> {
    for file in repo::files_below(path.parent().expect("a folder"), "creo") {
        let relative = file.strip_prefix(path.parent().expect("a folder")).map_err(|e| e.to_string())?;
        repo::write(&folder.join(relative), &repo::read(&file)?)?;
    }
    Ok(())
}

/// The text of a description and of all possible imports.
fn with_neighbours(path: &Path) -> Result<String, String> {
    repo::files_below(path.parent().expect("a folder"), "creo").iter().map(|file| repo::read(file)).collect()
}

fn same(before: &Output, after: &Output) -> Result<(), String> {
    if before.keys().ne(after.keys()) {
        return Err(format!("other files: {:?} and {:?}", before.keys(), after.keys()));
    }
    match before.iter().find(|(path, text)| after.get(*path) != Some(text)) {
        None => Ok(()),
        Some((path, text)) => {
            Err(format!("{path} differs\n{}", super::format::difference(text, &after[path])))
        }
    }
}

/// A description's text may look like anything. So only the paths and times of this run are searched for, and only if the text lacks them.
fn clean(path: &str, text: &str, description: &str) -> Result<(), String> {
    let root = repo::root().display().to_string();
    let home = std::env::var("HOME").unwrap_or_default();
    let mut forbidden = vec![root, std::env::temp_dir().display().to_string() + "/", today()];
    if home.len() > 1 {
        forbidden.push(home + "/");
    }
    match forbidden.iter().find(|word| text.contains(word.as_str()) && !description.contains(word.as_str())) {
        None => Ok(()),
        Some(word) => Err(format!("{path} holds {word:?}")),
    }
}

fn today() -> String {
    let seconds =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    creo_model::date_time_text(seconds as i64, 0).chars().take(10).collect()
}

/// Runs `creo generate` from two folders, with the description named in two ways.
fn program(description: &Path) -> Result<(), String> {
    let creo = creo()?;
    let targets = Language::ALL.map(Language::name).join(",");
    let mut outputs = Vec::new();
    for (folder, name) in [
        (repo::root(), description.to_owned()),
        (
            description.parent().expect("a folder").to_owned(),
            PathBuf::from(description.file_name().expect("a name")),
        ),
    ] {
        let out = repo::build("determinism/program").join(outputs.len().to_string());
        repo::fresh(&out)?;
        Program::new(&creo)
            .args(["generate", "--target", &targets, "--out"])
            .arg(&out)
            .arg(name)
            .folder(folder)
            .run(Duration::from_secs(60))?;
        let files: Result<Output, String> = repo::all_files_below(&out)
            .iter()
            .map(|p| {
                Ok((p.strip_prefix(&out).map_err(|e| e.to_string())?.display().to_string(), repo::read(p)?))
            })
            .collect();
        outputs.push(files?);
    }
    if outputs[0].is_empty() {
        return Err("`creo generate` wrote nothing".to_owned());
    }
    same(&outputs[0], &outputs[1])
}
