//! Paths in the repository, and reading files.

use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// The repository that this program was built from.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository exists")
}

pub fn path(relative: &str) -> PathBuf {
    root().join(relative)
}

/// A folder for build output, which git ignores. `CREO_HARNESS_BUILD` names another, for concurrent runs.
pub fn build(relative: &str) -> PathBuf {
    std::env::var_os("CREO_HARNESS_BUILD")
        .map_or_else(|| root().join("build/harness"), PathBuf::from)
        .join(relative)
}

pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// The files below a folder with an extension, sorted; empty if there is no such folder.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, &mut found);
    found.retain(|p| p.extension().is_some_and(|e| e == extension));
    found.sort();
    found
}

/// The files directly in a folder with an extension, sorted.
pub fn files_in(folder: &Path, extension: &str) -> Vec<PathBuf> {
    files_below(folder, extension).into_iter().filter(|p| p.parent() == Some(folder)).collect()
}

/// All files below a folder, sorted.
pub fn all_files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Writes a file and its folders, unless it already has this text: build tools then see no change.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let folder = path.parent().expect("files are within folders");
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Creates an empty folder.
pub fn fresh(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

/// A hash of files and a text, for skipping what is already built.
pub fn fingerprint(files: &[PathBuf], further: &str) -> String {
    let mut hasher = DefaultHasher::new();
    further.hash(&mut hasher);
    for file in files {
        file.hash(&mut hasher);
        std::fs::read(file).unwrap_or_default().hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// Waits until no other thread or process has the folder, and has it until the result is dropped.
pub fn hold(folder: &Path) -> Result<File, String> {
    let lock = folder.with_extension("lock");
    let parent = lock.parent().expect("folders for build output are within folders");
    let held = std::fs::create_dir_all(parent).and_then(|()| File::create(&lock));
    held.and_then(|file| file.lock().map(|()| file)).map_err(|e| format!("{}: {e}", lock.display()))
}

/// What stands for work that succeeded: a file in a folder, with a fingerprint of what the work depends on.
#[derive(Debug)]
pub struct Stamp {
    file: PathBuf,
    fingerprint: String,
}

impl Stamp {
    pub fn new(folder: &Path, fingerprint: String) -> Stamp {
        Stamp { file: folder.join(".done"), fingerprint }
    }

    /// Whether the work has succeeded before. If not, it is now regarded as undone.
    pub fn is_set(&self) -> Result<bool, String> {
        if std::fs::read_to_string(&self.file).is_ok_and(|s| s == self.fingerprint) {
            return Ok(true);
        }
        if self.file.exists() {
            std::fs::remove_file(&self.file).map_err(|e| format!("{}: {e}", self.file.display()))?;
        }
        Ok(false)
    }

    pub fn set(&self) -> Result<(), String> {
        write(&self.file, &self.fingerprint)
    }
}

/// Runs `work` unless it succeeded before with the same fingerprint, which is stored in `folder`.
pub fn once(
    folder: &Path,
    fingerprint: &str,
    work: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    let stamp = Stamp::new(folder, fingerprint.to_owned());
    if stamp.is_set()? { Ok(()) } else { work().and_then(|()| stamp.set()) }
}

/// Bytes from hexadecimal digits; spaces are ignored.
pub fn unhex(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    if !digits.len().is_multiple_of(2) {
        return Err(format!("an odd number of hexadecimal digits: {text}"));
    }
    digits
        .chunks(2)
        .map(|pair| {
            let pair = std::str::from_utf8(pair).unwrap_or("??");
            u8::from_str_radix(pair, 16).map_err(|_| format!("not hexadecimal: {pair}"))
        })
        .collect()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
