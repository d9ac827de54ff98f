//! Descriptions and arguments, read from files.

use crate::failure::{Failure, Outcome};
use crate::git::Commit;
use crate::snippets;
use crate::terminal::Terminal;
use creo_check::{CheckedModel, Compilation, LoadError, compile_files, compile_identified, normalise};
use creo_diag::reason;
use creo_syntax::MAX_FILE_SIZE;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The max size of an argument's file or of standard input: a dump of the largest body (LIM-1).
const MAX_INPUT: u64 = 1 << 30;

/// Opens a file that another file may name. It must be a regular file: the program would wait for a pipe, and a device may be endless.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "it is not a regular file"));
    }
    File::open(path)
}

/// Opens a file named by the user.
fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(file)
}

/// Reads a description's bytes: one more than allowed (LANG-10), so the front end detects a file that is too large.
fn read_description(file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(MAX_FILE_SIZE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Compiles the descriptions at `paths` and their imports into one model. Fails if one of these files is unreadable.
pub fn compile(paths: &[&Path]) -> Result<Compilation, Failure> {
    if let Some(failure) = paths.iter().find_map(|path| url_failure(path)) {
        return Err(failure);
    }
    let names: Vec<String> = paths.iter().map(|path| name_of(path)).collect();
    let mut load = |asked: &str| {
        let root = names.iter().position(|name| name == asked);
        let file = match root {
            Some(root) => open(paths[root]),
            None => open_regular(&imported(asked, paths, &names)),
        };
        let bytes = file.and_then(read_description).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput => {
                LoadError::NotFound
            }
            _ => LoadError::Unreadable(reason(&error)),
        })?;
        description(bytes)
    };
    let roots: Vec<&str> = names.iter().map(String::as_str).collect();
    // A file is one file under all its names: `../lab/x.creo` within `lab`, or a link.
    let mut identity = |asked: &str| {
        let path = match names.iter().position(|name| name == asked) {
            Some(root) => paths[root].to_path_buf(),
            None => imported(asked, paths, &names),
        };
        path.canonicalize().map_or_else(|_| normalise(asked), |path| path.to_string_lossy().into_owned())
    };
    compile_identified(&roots, &mut load, &mut identity).map_err(|(name, error)| {
        let why = match error {
            LoadError::NotFound => "there is no such file".to_owned(),
            LoadError::Unreadable(why) => why,
        };
        Failure::new(format!("cannot read {name}: {why}"))
    })
}

/// The bytes of a file, unless it is XML.
fn description(bytes: Vec<u8>) -> Result<Vec<u8>, LoadError> {
    if is_xml(&bytes) { Err(LoadError::Unreadable(XML.to_owned())) } else { Ok(bytes) }
}

/// Compiles the descriptions at `paths` as of a commit, with their imports there. Reports all errors, and returns the model if there is one.
pub fn model_in(
    commit: &Commit,
    paths: &[&Path],
    terminal: &Terminal,
) -> Result<Option<CheckedModel>, Failure> {
    let names = paths.iter().map(|path| commit.name_of(path)).collect::<Result<Vec<_>, _>>()?;
    let roots: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut load = |asked: &str| commit.read(asked, MAX_FILE_SIZE + 1).and_then(description);
    let Compilation { sources, report, model } =
        compile_files(&roots, &mut load).map_err(|(name, error)| match error {
            LoadError::NotFound => commit.has_no(name),
            LoadError::Unreadable(why) => Failure::new(format!("cannot read {name}: {why}")),
        })?;
    snippets::report(&report, &sources, terminal);
    Ok(model)
}

/// The path of an import, relative to its importer's name. Restores a folder whose name is not UTF-8.
fn imported(asked: &str, roots: &[&Path], names: &[String]) -> PathBuf {
    let beside = roots.iter().zip(names).find_map(|(root, name)| {
        let (folder, _) = name.rsplit_once('/')?;
        let rest = asked.strip_prefix(folder)?.strip_prefix('/')?;
        Some(root.parent()?.join(rest))
    });
    beside.unwrap_or_else(|| PathBuf::from(asked))
}

/// The failure for a URL instead of a file: nothing is ever fetched.
pub fn url_failure(path: &Path) -> Option<Failure> {
    let text = path.to_str()?;
    let scheme = text.split_once("://")?.0;
    if !["http", "https", "ftp"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return None;
    }
    let shown = creo_diag::escape_controls(text);
    let failure = Failure::coded("remote-file", format!("{shown} is a URL, and nothing is fetched"));
    // A command proposed for copying contains no control characters.
    let plain = shown == text && text.chars().all(|c| !c.is_control());
    Some(if plain {
        failure.help(format!(
            "save it first: curl --globoff -o service.wsdl -- '{}'",
            text.replace('\'', "'\\''")
        ))
    } else {
        failure.help("save it first, with curl for example; the URL holds control characters")
    })
}

const XML: &str = "it is XML, not a description; `creo import` makes a description of a WSDL or a schema";

/// Whether a file begins like XML, in UTF-8 or UTF-16.
fn is_xml(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .find(|byte| !matches!(byte, 0xef | 0xbb | 0xbf | 0xfe | 0xff | 0 | b' ' | b'\t' | b'\r' | b'\n'))
        == Some(&b'<')
}

/// Whether a user's file is a WSDL instead of a description.
pub fn is_xml_file(path: &Path) -> Result<bool, Failure> {
    if let Some(failure) = url_failure(path) {
        return Err(failure);
    }
    let mut start = Vec::new();
    let read = open(path).and_then(|file| file.take(4_096).read_to_end(&mut start));
    read.map_err(|error| Failure::file("read", path, &error))?;
    Ok(is_xml(&start))
}

/// Compiles, reports all errors, and returns the model if there is one.
pub fn model(paths: &[&Path], terminal: &Terminal) -> Result<Option<CheckedModel>, Failure> {
    let Compilation { sources, report, model } = compile(paths)?;
    snippets::report(&report, &sources, terminal);
    Ok(model)
}

/// Runs a command that needs the model.
pub fn with_model(
    path: &Path,
    terminal: &Terminal,
    go_on: impl FnOnce(&CheckedModel) -> Result<Outcome, Failure>,
) -> Result<Outcome, Failure> {
    match model(&[path], terminal)? {
        Some(model) => go_on(&model),
        None => Ok(Outcome::Findings),
    }
}

/// A path in diagnostics, with `/` between its parts.
pub fn name_of(path: &Path) -> String {
    let name = path.to_string_lossy();
    if cfg!(windows) { name.replace('\\', "/") } else { name.into_owned() }
}

/// Reads a source file for the formatter.
pub fn read_source(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = open(path).and_then(read_description).map_err(|e| Failure::file("read", path, &e))?;
    if is_xml(&bytes) {
        Err(Failure::new(format!("cannot read {}: {XML}", name_of(path))))
    } else {
        Ok(bytes)
    }
}

/// All of standard input, as a source text.
pub fn read_standard_source() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_FILE_SIZE as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|e| Failure::new(format!("cannot read standard input: {}", reason(&e))))?;
    Ok(bytes)
}

/// An argument's text: itself, or the content of the file named with `@`.
pub fn argument(text: &str) -> Result<String, Failure> {
    let Some(path) = text.strip_prefix('@') else { return Ok(text.to_owned()) };
    let mut bytes = Vec::new();
    let (read, name) = if path == "-" {
        (io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut bytes), "standard input")
    } else {
        (File::open(path).and_then(|file| file.take(MAX_INPUT + 1).read_to_end(&mut bytes)), path)
    };
    read.map_err(|e| Failure::new(format!("cannot read {name}: {}", reason(&e))))?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(Failure::new(format!("{name} is larger than 1 GiB")));
    }
    String::from_utf8(bytes).map_err(|_| Failure::new(format!("{name} is not UTF-8 text")))
}
