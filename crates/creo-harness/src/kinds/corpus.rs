//! Imports real WSDLs, if there is a folder of them: how many are imported completely, in part or not at all, and why. The result is a
//! valid, formatted and reproducible description.
//!
//! The files belong to others and are not part of the repository: `CREO_CORPUS` names the folder, by default `../shared/corpus/wsdl` next
//! to the repository. Without it, only the WSDLs of `tests/import` are used.

use crate::options::Options;
use crate::repo;
use crate::report::Report;
use creo_check::CheckedModel;
use creo_wsdl::import::{Files, Import, Options as ImportOptions, Unread, import};
use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// The min percentage of roots with literal messages that must be imported.
const LEAST: usize = 95;

struct Folder(PathBuf);

impl Files for Folder {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Unread> {
        std::fs::read(self.0.join(path)).map_err(|_| Unread::Missing)
    }
}

/// A WSDL of the corpus.
pub struct Root {
    pub path: String,
    /// Whether all its messages are literal.
    pub literal: bool,
    /// Whether its operations have the style `rpc` instead of `document`.
    pub rpc: bool,
    /// Whether node-soap, the most tolerant other importer, accepts it.
    reference: bool,
}

pub fn folder() -> PathBuf {
    std::env::var_os("CREO_CORPUS").map_or_else(|| repo::path("../shared/corpus/wsdl"), PathBuf::from)
}

/// The rows of a table with a header.
fn table(path: &Path) -> Result<Vec<BTreeMap<String, String>>, String> {
    let text = repo::read(path)?;
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().unwrap_or_default();
    Ok(lines.map(|cells| head.iter().cloned().zip(cells).collect()).collect())
}

pub fn roots(folder: &Path) -> Result<Vec<Root>, String> {
    let reference = table(&folder.join("REFERENCE_IMPORTERS.tsv"))?;
    let taken = |root: &str| {
        let row = reference.iter().find(|row| row.get("root").is_some_and(|path| path == root));
        row.is_some_and(|row| {
            row.iter().any(|(name, result)| name.starts_with("node-soap") && result == "ok")
        })
    };
    let census = table(&folder.join("CENSUS.tsv"))?;
    let root = |row: &BTreeMap<String, String>| {
        let count = |name: &str| row.get(name).and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
        let path = row.get("root")?.clone();
        let literal = count("use_literal") > 0 && count("use_encoded") == 0;
        Some(Root { literal, rpc: count("style_rpc") > 0, reference: taken(&path), path })
    };
    Ok(census.iter().filter_map(root).collect())
}

fn options(folder: &Path) -> ImportOptions {
    let catalogue = repo::files_in(&folder.join("_catalog"), "xsd");
    let catalogue = catalogue
        .iter()
        .filter_map(|path| Some(format!("_catalog/{}", path.file_name()?.to_str()?)))
        .collect();
    ImportOptions { catalogue, ..ImportOptions::default() }
}

pub fn import_root(folder: &Path, path: &str) -> Result<Import, String> {
    let options = options(folder);
    let once = || {
        catch_unwind(|| import(path, &options, &mut Folder(folder.to_owned())))
            .map_err(|_| "the importer panicked".to_owned())
    };
    let first = once()?;
    if once()?.text != first.text {
        return Err("importing again gives another description".to_owned());
    }
    Ok(first)
}

/// The model of an imported description, which must be valid and formatted.
pub fn check(path: &str, text: &str) -> Result<CheckedModel, String> {
    let name = format!("{}.creo", path.rsplit('/').next().unwrap_or(path).trim_end_matches(".wsdl"));
    repo::write(&repo::build("corpus").join(path.replace('/', "__")).with_extension("creo"), text)?;
    let mut load = |_: &str| Ok(text.as_bytes().to_vec());
    let compilation = creo_check::compile_files(&[name.as_str()], &mut load).map_err(|e| format!("{e:?}"))?;
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
    /// Roots by the code of what was omitted or refused.
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
        println!(
            "corpus: {} roots: {} whole, {} with parts left out, {} refused",
            self.roots, self.whole, self.partly, self.refused
        );
        println!(
            "corpus: {} imported; node-soap takes {} of the same",
            self.whole + self.partly,
            self.reference
        );
        println!(
            "corpus: {} of {} whose messages are literal are imported; node-soap takes {} of them",
            self.literal_in, self.literal, self.reference_literal
        );
        println!(
            "corpus: {} of {} operations became methods, with {} types",
            self.methods, self.operations, self.types
        );
        for (code, count) in &self.causes {
            println!("corpus: {count} roots with {code}");
        }
    }
}

/// The repository's WSDLs, each in a folder.
pub fn own() -> Vec<PathBuf> {
    repo::files_below(&repo::path("tests/import"), "wsdl")
        .into_iter()
        .filter(|path| path.ends_with("in.wsdl"))
        .collect()
}

/// Imports one of the repository's WSDLs.
pub fn import_own(path: &Path) -> Result<(String, CheckedModel), String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = format!("{}/in.wsdl", folder.file_name().unwrap_or_default().to_string_lossy());
    let found = import_root(folder, "in.wsdl")?;
    let text = found.text.ok_or_else(|| found.report.to_string())?;
    Ok((name.clone(), check(&name, &text)?))
}

/// Imports each root and checks the result.
pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    for path in own() {
        let name = path.display().to_string();
        if options.wants(&name) {
            report.check(&name, import_own(&path).map(|_| ()));
        }
    }
    let folder = folder();
    if !folder.is_dir() {
        println!(
            "corpus: there is no folder of WSDLs at {}: only those of tests/import were run",
            folder.display()
        );
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
        report.check(
            "literal roots",
            if enough { Ok(()) } else { Err(format!("fewer than {LEAST} of 100 are imported")) },
        );
        // The reference also accepts encoded messages, which are not counted here.
        let ahead = tally.literal_in >= tally.reference_literal;
        report.check(
            "beside node-soap",
            if ahead { Ok(()) } else { Err("node-soap takes more of them".to_owned()) },
        );
    }
    Ok(())
}

/// Lists the diagnostics of one root with their positions.
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
        println!(
            "    {}:{line}: {}[{}]: {}",
            file.name(),
            diagnostic.severity,
            diagnostic.code,
            diagnostic.message
        );
    }
}
