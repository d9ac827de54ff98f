//! Real WSDLs through the importer, where there is a folder of them: how many come in whole, with parts left out, or not at all, and why. What comes out is
//! a correct description in its final form, the same each time.
//!
//! The files belong to others and are no part of the repository: `CREO_CORPUS` names the folder, or it is `../shared/corpus/wsdl` beside the repository. Without it
//! the WSDLs of `tests/import` alone are run.

use crate::languages::{Language, Sources};
use crate::options::Options;
use crate::repo;
use crate::report::Report;
use creo_model::CheckedModel;
use creo_wsdl::import::{Files, Import, Options as ImportOptions, import};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// Of the roots whose messages are literal, so many hundredths are imported.
const LEAST: usize = 95;

struct Folder(PathBuf);

impl Files for Folder {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.0.join(path)).map_err(|e| e.to_string())
    }
}

/// A WSDL of the corpus.
struct Root {
    path: String,
    literal: bool,
    /// Whether node-soap, the importer that takes most of them, takes it.
    reference: bool,
}

fn folder() -> PathBuf {
    std::env::var_os("CREO_CORPUS").map_or_else(|| repo::path("../shared/corpus/wsdl"), PathBuf::from)
}

/// The rows of a table with names on top.
fn table(path: &Path) -> Result<Vec<BTreeMap<String, String>>, String> {
    let text = repo::read(path)?;
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().unwrap_or_default();
    Ok(lines.map(|cells| head.iter().cloned().zip(cells).collect()).collect())
}

fn roots(folder: &Path) -> Result<Vec<Root>, String> {
    let reference = table(&folder.join("REFERENCE_IMPORTERS.tsv"))?;
    let taken = |root: &str| {
        let row = reference.iter().find(|row| row.get("root").is_some_and(|path| path == root));
        row.is_some_and(|row| row.iter().any(|(name, result)| name.starts_with("node-soap") && result == "ok"))
    };
    let census = table(&folder.join("CENSUS.tsv"))?;
    let root = |row: &BTreeMap<String, String>| {
        let count = |name: &str| row.get(name).and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
        let path = row.get("root")?.clone();
        Some(Root { literal: count("use_literal") > 0 && count("use_encoded") == 0, reference: taken(&path), path })
    };
    Ok(census.iter().filter_map(root).collect())
}

fn options(folder: &Path) -> ImportOptions {
    let catalogue = repo::files_in(&folder.join("_catalog"), "xsd");
    let catalogue = catalogue.iter().filter_map(|path| Some(format!("_catalog/{}", path.file_name()?.to_str()?))).collect();
    ImportOptions { catalogue, ..ImportOptions::default() }
}

fn import_root(folder: &Path, path: &str) -> Result<Import, String> {
    let options = options(folder);
    let once = || catch_unwind(|| import(path, &options, &mut Folder(folder.to_owned()))).map_err(|_| "the importer panicked".to_owned());
    let first = once()?;
    if once()?.text != first.text {
        return Err("importing again gives another description".to_owned());
    }
    Ok(first)
}

/// The model of what was imported, which must be right and in its final form.
fn check(path: &str, text: &str) -> Result<CheckedModel, String> {
    let name = format!("{}.creo", path.rsplit('/').next().unwrap_or(path).trim_end_matches(".wsdl"));
    repo::write(&repo::build("corpus").join(path.replace('/', "__")).with_extension("creo"), text)?;
    let mut load = |_: &str| Ok(text.as_bytes().to_vec());
    let compilation = creo_model::compile_files(&name, &mut load).map_err(|e| format!("{e:?}"))?;
    if !compilation.report.is_empty() {
        return Err(compilation.report.to_string());
    }
    let mut sources = creo_diag::Sources::new();
    let id = sources.add(name.as_str(), text);
    let tree = creo_syntax::parse(sources.file(id), &mut creo_diag::Report::new());
    if creo_syntax::format(sources.file(id), &tree) != text {
        return Err("the description is not formatted".to_owned());
    }
    compilation.model.ok_or_else(|| "there is no model".to_owned())
}

#[derive(Default)]
struct Tally {
    roots: usize,
    whole: usize,
    partly: usize,
    refused: usize,
    literal: usize,
    literal_in: usize,
    reference: usize,
    reference_literal: usize,
    operations: usize,
    methods: usize,
    types: usize,
    /// Roots by the code of what is left out or refused.
    causes: BTreeMap<String, usize>,
}

impl Tally {
    fn add(&mut self, root: &Root, found: &Import) {
        self.roots += 1;
        self.reference += usize::from(root.reference);
        self.reference_literal += usize::from(root.reference && root.literal);
        self.literal += usize::from(root.literal);
        self.operations += found.operations;
        self.methods += found.methods;
        self.types += found.types;
        let mut codes: Vec<String> = found.report.diagnostics().iter().map(|d| d.code.to_string()).collect();
        codes.sort();
        codes.dedup();
        match (&found.text, codes.is_empty()) {
            (None, _) => self.refused += 1,
            (Some(_), true) => self.whole += 1,
            (Some(_), false) => self.partly += 1,
        }
        self.literal_in += usize::from(root.literal && found.text.is_some());
        codes.into_iter().for_each(|code| *self.causes.entry(code).or_default() += 1);
    }

    fn print(&self) {
        println!("corpus: {} roots: {} whole, {} with parts left out, {} refused", self.roots, self.whole, self.partly, self.refused);
        println!("corpus: {} imported; node-soap takes {} of the same", self.whole + self.partly, self.reference);
        println!(
            "corpus: {} of {} whose messages are literal are imported; node-soap takes {} of them",
            self.literal_in, self.literal, self.reference_literal
        );
        println!("corpus: {} of {} operations became methods, with {} types", self.methods, self.operations, self.types);
        for (code, count) in &self.causes {
            println!("corpus: {count} roots with {code}");
        }
    }
}

/// The repository's own WSDLs: a folder for each.
fn own() -> Vec<PathBuf> {
    repo::files_below(&repo::path("tests/import"), "wsdl").into_iter().filter(|path| path.ends_with("in.wsdl")).collect()
}

/// Imports one of the repository's own.
fn import_own(path: &Path) -> Result<(String, CheckedModel), String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = format!("{}/in.wsdl", folder.file_name().unwrap_or_default().to_string_lossy());
    let found = import_root(folder, "in.wsdl")?;
    let text = found.text.ok_or_else(|| found.report.to_string())?;
    Ok((name.clone(), check(&name, &text)?))
}

/// Imports each root and checks what comes of it.
pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    for path in own() {
        let name = path.display().to_string();
        if options.wants(&name) {
            report.check(&name, import_own(&path).map(|_| ()));
        }
    }
    let folder = folder();
    if !folder.is_dir() {
        println!("corpus: there is no folder of WSDLs at {}: only those of tests/import were run", folder.display());
        report.not_run("the corpus is not there");
        return Ok(());
    }
    let mut tally = Tally::default();
    for root in roots(&folder)?.iter().filter(|root| options.wants(&root.path)) {
        match import_root(&folder, &root.path) {
            Err(why) => report.fail(&root.path, why),
            Ok(found) => {
                tally.add(root, &found);
                if std::env::var_os("CREO_CORPUS_LIST").is_some() {
                    list(&root.path, &found);
                }
                let result = match &found.text {
                    Some(text) => check(&root.path, text).map(|_| ()),
                    None if found.report.has_errors() => Ok(()),
                    None => Err("refused without a reason".to_owned()),
                };
                report.check(&root.path, result);
            }
        }
    }
    tally.print();
    if options.only.is_empty() {
        let enough = tally.literal_in * 100 >= tally.literal * LEAST;
        report.check("literal roots", if enough { Ok(()) } else { Err(format!("fewer than {LEAST} of 100 are imported")) });
        // It reads encoded messages too, which are refused by name here.
        let ahead = tally.literal_in >= tally.reference_literal;
        report.check("beside node-soap", if ahead { Ok(()) } else { Err("node-soap takes more of them".to_owned()) });
    }
    Ok(())
}

/// What was found of one root, with places.
fn list(path: &str, found: &Import) {
    println!(
        "{path}: {} of {} operations, {} types{}",
        found.methods,
        found.operations,
        found.types,
        if found.text.is_some() { "" } else { ", refused" }
    );
    for diagnostic in found.report.diagnostics() {
        let file = found.sources.file(diagnostic.primary.span.file);
        let line = file.position(diagnostic.primary.span.start).line;
        println!("    {}:{line}: {}[{}]: {}", file.name(), diagnostic.severity, diagnostic.code, diagnostic.message);
    }
}

/// As many packages are compiled at once: the framework is then compiled once for all of them.
const BATCH: usize = 24;

/// Generates a package from each root that is imported, in each language, and compiles it.
pub fn compile(options: &Options, report: &mut Report) -> Result<(), String> {
    let mut models: Vec<(String, CheckedModel)> = Vec::new();
    for path in own().into_iter().filter(|path| options.wants(&path.display().to_string())) {
        models.push(import_own(&path)?);
    }
    let folder = folder();
    let roots = if folder.is_dir() { roots(&folder)? } else { Vec::new() };
    if roots.is_empty() {
        println!("corpus: there is no folder of WSDLs at {}: only those of tests/import were run", folder.display());
        report.not_run("the corpus is not there");
    }
    for root in roots.iter().filter(|root| options.wants(&root.path)) {
        let Some(text) = import_root(&folder, &root.path)?.text else { continue };
        match check(&root.path, &text) {
            Ok(model) => models.push((root.path.clone(), model)),
            Err(why) => report.fail(&root.path, why),
        }
    }
    for language in options.languages() {
        if let Err(why) = language.ready() {
            report.fail(language.name(), why);
            continue;
        }
        let mut compiled = 0;
        for batch in batches(&models) {
            let together: Vec<&CheckedModel> = batch.iter().map(|(_, model)| model).collect();
            if compile_in(language, &together).is_ok() {
                compiled += batch.len();
                batch.iter().for_each(|_| report.pass());
                continue;
            }
            // One by one, to name the ones at fault.
            for (path, model) in batch {
                let result = compile_in(language, &[model]);
                compiled += usize::from(result.is_ok());
                report.check(format!("{} {path}", language.name()), result);
            }
        }
        println!("corpus: {compiled} of {} packages compile in {}", models.len(), language.name());
    }
    Ok(())
}

/// Models whose packages do not disturb one another: neither their names nor the last parts of them are the same.
fn batches(models: &[(String, CheckedModel)]) -> Vec<Vec<&(String, CheckedModel)>> {
    type Batch<'m> = (BTreeSet<String>, Vec<&'m (String, CheckedModel)>);
    let mut batches: Vec<Batch<'_>> = Vec::new();
    for model in models {
        let names: Vec<String> = model.1.packages.iter().map(|package| package.name.rsplit('.').next().unwrap_or("").to_lowercase()).collect();
        let free = batches.iter_mut().find(|(taken, batch)| batch.len() < BATCH && names.iter().all(|name| !taken.contains(name)));
        match free {
            Some((taken, batch)) => {
                taken.extend(names);
                batch.push(model);
            }
            None => batches.push((names.into_iter().collect(), vec![model])),
        }
    }
    batches.into_iter().map(|(_, batch)| batch).collect()
}

fn compile_in(language: Language, models: &[&CheckedModel]) -> Result<(), String> {
    let work = repo::build("corpus-compile").join(language.name());
    repo::fresh(&work)?;
    Sources::generate(language, models, &work.join("generated")).and_then(|sources| language.compile(&sources, &work))
}
