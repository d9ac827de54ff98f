//! From named texts to a checked model: loads imports, parses, resolves, checks.

use crate::check::{CheckedModel, check};
use crate::file::File;
use crate::limits::MAX_FILES;
use crate::mistakes::{ImportNotFound, InvalidImport, LoadError, TooManyFiles};
use crate::resolve::resolve;
use creo_diag::{FileId, Report, Sources};
use creo_syntax::parse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The result of compiling a description.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// All files that were read, the roots first. Spans of the report point into them.
    pub sources: Sources,
    /// Errors and warnings.
    pub report: Report,
    /// Absent after an error.
    pub model: Option<CheckedModel>,
}

/// Compiles the files `roots` and their imports into one model. A root that is named twice, or imported by another one, counts once.
///
/// `load` reads a file's bytes. It is called once per file, with a root as given and, for imports, with the normalised path relative to the
/// importer's: an import of `"../c.creo"` in `a/b.creo` loads `c.creo`. An error for a root is returned with the root's name; one for an
/// import is a diagnostic.
pub fn compile_files<'r>(
    roots: &[&'r str],
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, LoadError>,
) -> Result<Compilation, (&'r str, LoadError)> {
    compile_identified(roots, load, &mut normalise)
}

/// [`compile_files`] where one file may have several names: those with the same identity are read once.
pub fn compile_identified<'r>(
    roots: &[&'r str],
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, LoadError>,
    identity: &mut dyn FnMut(&str) -> String,
) -> Result<Compilation, (&'r str, LoadError)> {
    let mut sources = Sources::new();
    let mut report = Report::new();
    // By identity: the file, or why it could not be loaded.
    let mut known: BTreeMap<String, Result<usize, LoadError>> = BTreeMap::new();
    for root in roots {
        if let Entry::Vacant(place) = known.entry(identity(root)) {
            let bytes = load(root).map_err(|error| (*root, error))?;
            place.insert(Ok(sources.add(*root, bytes).0 as usize));
        }
    }
    let named = sources.len();
    let mut files: Vec<File> = Vec::new();
    // Files in the order of imports, breadth first.
    while files.len() < sources.len() {
        let id = FileId(files.len() as u32);
        let tree = parse(sources.file(id), &mut report);
        let mut imports = Vec::new();
        for import in &tree.imports {
            let span = import.path_span;
            let Some(path) = &import.path else {
                imports.push(None);
                continue;
            };
            if let Some(problem) = path_problem(path) {
                report.add(&InvalidImport { span, problem });
                imports.push(None);
                continue;
            }
            let target = join(sources.file(id).name(), path);
            let same = identity(&target);
            if !known.contains_key(&same) {
                if sources.len() >= MAX_FILES {
                    report.add(&TooManyFiles { span });
                    imports.push(None);
                    continue;
                }
                let loaded = load(&target).map(|bytes| sources.add(target.clone(), bytes).0 as usize);
                known.insert(same.clone(), loaded);
            }
            match &known[&same] {
                Ok(file) => imports.push(Some(*file)),
                Err(error) => {
                    report.add(&ImportNotFound { span, path: target, error: error.clone() });
                    imports.push(None);
                }
            }
        }
        files.push(File { tree, imports, base_name: sources.file(id).base_name().to_owned() });
    }
    let resolved = resolve(&files, named, &mut report);
    let interfaces: Vec<usize> =
        resolved.interfaces.iter().map(|tree| tree.name.span.file.0 as usize).collect();
    let model = check(resolved, &mut report).map(|model| model.made_of(&sources, &files, &interfaces));
    Ok(Compilation { sources, report, model })
}

/// Compiles texts in memory, as `(name, text)`. The first is the root; the others can be imported by their names.
pub fn compile(files: &[(&str, &str)]) -> Result<CheckedModel, Report> {
    let Some((root, _)) = files.first() else {
        return Err(Report::new());
    };
    let mut load = |name: &str| match files.iter().find(|(path, _)| *path == name) {
        Some((_, text)) => Ok(text.as_bytes().to_vec()),
        None => Err(LoadError::NotFound),
    };
    match compile_files(&[root], &mut load) {
        Ok(Compilation { model: Some(model), .. }) => Ok(model),
        Ok(Compilation { report, .. }) => Err(report),
        Err(_) => Err(Report::new()),
    }
}

/// LANG-18: what is wrong with an import's path.
fn path_problem(path: &str) -> Option<&'static str> {
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    if path.is_empty() {
        Some("the path of an import is empty")
    } else if path.contains('\\') {
        Some("the path of an import holds a backslash")
    } else if path.starts_with('/') || drive {
        Some("the path of an import is absolute")
    } else if path.chars().any(char::is_control) {
        Some("the path of an import holds a control character")
    } else if path.ends_with('/') {
        Some("the path of an import names a folder")
    } else if !path.ends_with(".creo") {
        // Prevents diagnostics from showing lines of other files.
        Some("the path of an import does not end in .creo")
    } else {
        None
    }
}

/// The path of the import `path` in `importer`.
fn join(importer: &str, path: &str) -> String {
    match importer.rsplit_once('/') {
        Some((folder, _)) => normalise(&format!("{folder}/{path}")),
        None => normalise(path),
    }
}

/// Removes `.`, empty parts, and parts before `..`. A leading `/` stays, as does `..` at the start.
pub fn normalise(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if path.starts_with('/') && parts.is_empty() => {}
            other => parts.push(other),
        }
    }
    let joined = parts.join("/");
    if path.starts_with('/') { format!("/{joined}") } else { joined }
}

#[cfg(test)]
mod tests {
    use super::{join, normalise};

    #[test]
    fn paths_are_normalised() {
        assert_eq!(normalise("a/./b//../c.creo"), "a/c.creo");
        assert_eq!(normalise("../../a/../b"), "../../b");
        assert_eq!(normalise("/../a"), "/a");
        assert_eq!(join("a/b.creo", "../c.creo"), "c.creo");
        assert_eq!(join("b.creo", "../c.creo"), "../c.creo");
        assert_eq!(join("/x/b.creo", "c.creo"), "/x/c.creo");
    }
}
