//! `creo import`

use crate::args::ImportArgs;
use crate::commands::count;
use crate::failure::{Failure, Outcome};
use crate::input::{name_of, open_regular, url_failure};
use crate::output::write_whole;
use crate::snippets;
use crate::terminal::Terminal;
use creo_diag::Severity;
use creo_diag::reason;
use creo_wsdl::import::{Files, Options, Unread, import};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest file that is read.
const MAX_FILE: u64 = 256 << 20;

/// The max number of files in a folder of --include.
const MAX_FOLDER: usize = 10_000;

/// Reads the importer's files from the disk: regular files below the folder of the imported file, and those named by the user. A partner's
/// WSDL cannot make the program read any other file.
pub struct Disk {
    /// Absolute paths without symbolic links.
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Disk {
    /// Allows the file at a path, and all below its folder.
    pub fn beside(file: &Path) -> Disk {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut disk = Disk { folders: Vec::new(), files: Vec::new() };
        disk.folders.extend(fs::canonicalize(folder));
        disk.files.extend(fs::canonicalize(file));
        disk
    }

    fn allows(&self, real: &Path) -> bool {
        self.files.iter().any(|file| file == real)
            || self.folders.iter().any(|folder| real.starts_with(folder))
    }
}

impl Files for Disk {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Unread> {
        let path = Path::new(path);
        let real = fs::canonicalize(path);
        // A path without a file is judged by its nearest folder: messages do not reveal which files exist elsewhere.
        let judged = real
            .as_ref()
            .ok()
            .cloned()
            .or_else(|| path.ancestors().skip(1).find_map(|folder| fs::canonicalize(here(folder)).ok()));
        if !judged.is_some_and(|judged| self.allows(&judged)) {
            return Err(Unread::Refused(
                "it is outside the folder of the imported file, and --include does not name it".to_owned(),
            ));
        }
        let real = real.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Unread::Missing,
            _ => Unread::Refused(reason(&error)),
        })?;
        read(&real).map_err(|error| Unread::Refused(reason(&error)))
    }
}

/// The folder of an empty path.
fn here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Imports a WSDL or schema into one description, which is written only if it is valid.
pub fn run(args: &ImportArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    if let Some(failure) = url_failure(&args.file) {
        return Err(failure);
    }
    let mut disk = Disk::beside(&args.file);
    let options = options(args, &mut disk)?;
    // An unreadable file is a failure; a readable but invalid one is a finding.
    read(&args.file).map_err(|error| Failure::file("read", &args.file, &error))?;
    let root = name_of(&args.file);
    let imported = import(&root, &options, &mut disk);
    snippets::report(&imported.report, &imported.sources, terminal);
    let Some(text) = imported.text else { return Ok(Outcome::Findings) };
    let left_out =
        imported.report.diagnostics().iter().filter(|told| told.severity == Severity::Warning).count();
    if args.strict && left_out > 0 {
        terminal.note(&format!("nothing is written: {} (--strict)", count(left_out, "warning")));
        return Ok(Outcome::Findings);
    }
    let target = args.out.join(file_name(&args.file));
    write(&target, &text, args.force)?;
    let methods = count(imported.methods, "method");
    let of = if imported.methods == imported.operations {
        String::new()
    } else {
        format!(" of {}", count(imported.operations, "operation"))
    };
    terminal.note(&format!("{}: {methods}{of}, {}", name_of(&target), count(imported.types, "type")));
    Ok(Outcome::Done)
}

/// The options of an import. Files named by --include are also allowed on the disk.
fn options(args: &ImportArgs, disk: &mut Disk) -> Result<Options, Failure> {
    let mut options = Options {
        package: args.package.clone(),
        all_types: args.all_types,
        lenient: args.lenient,
        ports: args.port.clone(),
        operations: args.operation.clone(),
        ..Options::default()
    };
    if let Some(package) = args.package.as_deref()
        && let Some(problem) = creo_check::package_problem(package)
    {
        return Err(Failure::new(format!("{package:?} is no name of a package: {problem}"))
            .help("a package is names joined by dots: org.example.stock"));
    }
    for include in &args.include {
        let folder = Path::new(include);
        if folder.is_dir() {
            options.catalogue.extend(schemas(folder)?);
            disk.folders.extend(fs::canonicalize(folder));
            continue;
        }
        let Some((location, file)) = mapping(include) else {
            return Err(Failure::new(format!("{include} is no folder"))
                .help("write --include LOCATION=FILE, or name a folder that holds the files"));
        };
        if Path::new(file).is_dir() {
            return Err(Failure::new(format!("{file} is a folder"))
                .help("write --include FOLDER alone: its files are found by their names and namespaces"));
        }
        read(Path::new(file)).map_err(|error| Failure::file("read", Path::new(file), &error))?;
        disk.files.extend(fs::canonicalize(file));
        options.include.push((location.to_owned(), name_of(Path::new(file))));
    }
    Ok(options)
}

/// Splits `LOCATION=FILE`. Both may contain `=`, as in `Service.svc?xsd=xsd0`: the split with the shortest existing file is chosen.
fn mapping(include: &str) -> Option<(&str, &str)> {
    let all = include.rmatch_indices('=').map(|(at, _)| (&include[..at], &include[at + 1..]));
    let all: Vec<(&str, &str)> =
        all.filter(|(location, file)| !location.is_empty() && !file.is_empty()).collect();
    all.iter().find(|(_, file)| Path::new(file).exists()).or(all.first()).copied()
}

/// Whether a file's name is that of a schema or WSDL: by its extension, or by the query under which services publish them
/// (`Service.svc?xsd=xsd0`).
fn is_schema(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let query = name.split_once('?').map(|(_, query)| query);
    name.ends_with(".xsd")
        || name.ends_with(".wsdl")
        || query.is_some_and(|query| query.contains("xsd") || query.contains("wsdl"))
}

/// The schemas and WSDLs of a folder and its subfolders, sorted. Links are not followed.
fn schemas(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| Failure::file("read", &folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Failure::file("read", &folder, &error))?;
            let kind = entry.file_type().map_err(|error| Failure::file("read", &entry.path(), &error))?;
            let path = entry.path();
            let schema = is_schema(&entry.file_name().to_string_lossy());
            if kind.is_dir() {
                waiting.push(path);
            } else if kind.is_file() && schema {
                found.push(name_of(&path));
            }
            if found.len() + waiting.len() > MAX_FOLDER {
                return Err(Failure::new(format!("{} holds more than {MAX_FOLDER} files", folder.display())));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The description gets the name of its source.
fn file_name(path: &Path) -> PathBuf {
    let mut name = path.file_stem().map_or_else(|| "service".into(), |stem| stem.to_os_string());
    name.push(".creo");
    name.into()
}

/// An existing description belongs to the user: it is replaced only with --force.
fn write(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    match fs::symlink_metadata(path) {
        Ok(data) if data.is_file() => {
            let old = read(path).map_err(|error| Failure::file("read", path, &error))?;
            if old == text.as_bytes() {
                return Ok(());
            }
            if !force {
                let failure =
                    Failure::new(format!("{} is in the way: it is there with another text", path.display()));
                return Err(failure.help("move it, or overwrite it with --force"));
            }
        }
        Ok(_) => return Err(Failure::new(format!("{} is in the way: it is not a file", path.display()))),
        Err(_) => {}
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file("make the folder", folder, &error))?;
    }
    write_whole(path, text.as_bytes(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_what_they_come_from() {
        assert_eq!(file_name(Path::new("a/b.c.wsdl")), Path::new("b.c.creo"));
        assert_eq!(file_name(Path::new("b")), Path::new("b.creo"));
        assert!(
            ["a.xsd", "a.WSDL", "S.svc?xsd=xsd0", "s.asmx?WSDL", "s?singleWsdl"].into_iter().all(is_schema)
        );
        assert!(!["a.txt", "xsd", "wsdl?x", "S.svc?disco"].into_iter().any(is_schema));
        assert_eq!(mapping("urn:a=b.xsd"), Some(("urn:a", "b.xsd")));
        assert_eq!(mapping("http://h/S.svc?xsd=xsd0=b.xsd"), Some(("http://h/S.svc?xsd=xsd0", "b.xsd")));
        assert_eq!((mapping("a"), mapping("=b"), mapping("a=")), (None, None, None));
    }
}
