//! Files of a target's folder: compared, written atomically, never through a link, never over foreign files.

use crate::failure::Failure;
use crate::manifest::{self, Manifest, hash};
use creo_codegen::{Files, Needs};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The max size of a manifest.
const MAX_MANIFEST: u64 = 64 << 20;

/// Permissions to overwrite and remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Also files that creo did not write.
    pub force: bool,
    /// Also remove files that are no longer generated.
    pub prune: bool,
}

/// The wanted content of a folder.
#[derive(Clone, Debug)]
pub struct Content {
    pub files: Files,
    /// The needs of the code from a runtime.
    pub needs: Needs,
    /// The needs of other descriptions in the folder when the files were made ([`Folder::needs_of_others`]).
    pub others: Needs,
}

/// The differences of a folder from its wanted content. All paths are relative to the folder, and sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub missing: Vec<String>,
    pub different: Vec<String>,
    /// Generated earlier but no longer.
    pub stale: Vec<String>,
    /// Stale and changed by someone: they are never removed.
    pub stale_and_changed: Vec<String>,
    pub unchanged: usize,
}

impl Changes {
    /// Whether the folder has its wanted content, and nothing stale.
    pub fn is_empty(&self) -> bool {
        self.missing.is_empty()
            && self.different.is_empty()
            && self.stale.is_empty()
            && self.stale_and_changed.is_empty()
    }
}

/// A target's folder.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    /// The name of the manifest.
    manifest: String,
    /// The files generated earlier from the same description.
    before: Manifest,
    /// The files generated from other descriptions, by the name of the manifest.
    others: BTreeMap<String, Manifest>,
    /// Names of manifests written by the same run.
    siblings: BTreeSet<String>,
}

/// The kind of entry at a path.
enum Found {
    Nothing,
    File(Vec<u8>),
    Link,
    Folder,
    Other,
}

impl Folder {
    /// Reads the manifests of the folder `name` in `out`; neither need exist. `siblings` are the names of manifests that the same run
    /// writes there for other descriptions.
    pub fn open(
        out: &Path,
        name: &str,
        descriptions: &[&str],
        siblings: BTreeSet<String>,
    ) -> Result<Folder, Failure> {
        let root = out.join(name);
        for path in [out, &root] {
            match fs::metadata(path) {
                Ok(data) if !data.is_dir() => {
                    return Err(Failure::new(format!(
                        "{} is in the way: it is not a folder",
                        path.display()
                    )));
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Failure::file("look at", path, &error)),
            }
        }
        // A link as the target's folder could lead anywhere; `out` itself is the user's choice.
        if fs::symlink_metadata(&root).is_ok_and(|data| data.is_symlink()) {
            return Err(Failure::new(format!(
                "{} is a symbolic link, which creo does not follow",
                root.display()
            )));
        }
        let mut folder = Folder {
            root,
            manifest: manifest::name(descriptions),
            before: Manifest::default(),
            others: BTreeMap::new(),
            siblings,
        };
        folder.read_manifests()?;
        Ok(folder)
    }

    fn read_manifests(&mut self) -> Result<(), Failure> {
        self.before = self.read_manifest(&self.manifest)?;
        self.others.clear();
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Failure::file("read", &self.root, &error)),
        };
        for entry in entries {
            let name = entry.map_err(|error| Failure::file("read", &self.root, &error))?.file_name();
            if let Some(name) =
                name.to_str().filter(|name| manifest::is_manifest(name) && *name != self.manifest)
            {
                let other = self.read_manifest(name)?;
                self.others.insert(name.to_owned(), other);
            }
        }
        Ok(())
    }

    fn read_manifest(&self, name: &str) -> Result<Manifest, Failure> {
        let path = self.root.join(name);
        match found(&path, MAX_MANIFEST) {
            Ok(Found::File(bytes)) => Ok(Manifest::parse(&String::from_utf8_lossy(&bytes))),
            Ok(Found::Nothing) => Ok(Manifest::default()),
            Ok(Found::Link | Found::Folder | Found::Other) => {
                Err(Failure::new(format!("{} is in the way: it is not a file", path.display())))
            }
            Err(error) => Err(Failure::file("read", &path, &error)),
        }
    }

    /// The needs of code that earlier runs made from other descriptions.
    pub fn needs_of_others(&self) -> Needs {
        let mut needs = Needs::none().clone();
        for (_, manifest) in self.others.iter().filter(|(name, _)| !self.siblings.contains(*name)) {
            needs.add(&manifest.needs());
        }
        needs
    }

    /// Whether a file belongs to another description.
    fn is_of_others(&self, path: &str) -> bool {
        self.others.values().any(|manifest| manifest.has(path))
    }

    /// The files that the folder shall have: those made now, but of a file of another description that differs from the present one in the names of
    /// its sources alone, the present text. Packages that two descriptions import are such files.
    pub fn settled(&self, files: &Files) -> Result<Files, Failure> {
        let mut settled = Files::new();
        for (path, text) in files.iter() {
            let present = match self.found(path) {
                Ok(Found::File(bytes)) if self.is_of_others(path) => String::from_utf8(bytes).ok(),
                _ => None,
            };
            settled
                .add(path, present.filter(|present| is_same_code(present, text)).unwrap_or(text.to_owned()));
        }
        Ok(settled)
    }

    /// Fails if a file is in the way.
    pub fn check_free(&mut self, files: &Files) -> Result<(), Failure> {
        let refuse = |folder: &Folder| {
            let files = folder.settled(files)?;
            folder.refuse_what_is_in_the_way(&files, &folder.compare(&files)?.different)
        };
        refuse(self).or_else(|_| {
            // Another run may be writing: its manifest says what it wrote.
            let _lock = lock(&self.root, || {});
            self.read_manifests()?;
            refuse(self)
        })
    }

    /// The differences of the folder from `files`.
    pub fn compare(&self, files: &Files) -> Result<Changes, Failure> {
        let mut changes = Changes::default();
        for (path, text) in files.iter() {
            match self.found(path)? {
                Found::Nothing => changes.missing.push(path.to_owned()),
                Found::File(bytes) if bytes == text.as_bytes() => changes.unchanged += 1,
                Found::File(_) | Found::Link | Found::Folder | Found::Other => {
                    changes.different.push(path.to_owned())
                }
            }
        }
        for path in self.before.paths().filter(|path| files.get(path).is_none() && !self.is_of_others(path)) {
            match self.found(path) {
                Ok(Found::File(bytes)) if self.before.holds(path, &hash(&bytes)) => {
                    changes.stale.push(path.to_owned())
                }
                Ok(Found::File(_)) => changes.stale_and_changed.push(path.to_owned()),
                // An existing entry there, perhaps a link's target, is not creo's: it is forgotten.
                Ok(Found::Nothing | Found::Link | Found::Folder | Found::Other) | Err(_) => {}
            }
        }
        Ok(changes)
    }

    /// Writes the content to the folder. Nothing is written if a file is in the way. `waiting` is called if another run is active in the
    /// folder. `None` if such a run has changed the needs of other descriptions: the files must then be made again.
    pub fn write(
        mut self,
        content: &Content,
        rules: Rules,
        waiting: impl FnOnce(),
    ) -> Result<Option<Changes>, Failure> {
        fs::create_dir_all(&self.root).map_err(|e| Failure::file("make the folder", &self.root, &e))?;
        let _lock = lock(&self.root, waiting);
        // The awaited run has written its manifest.
        self.read_manifests()?;
        if self.needs_of_others() != content.others {
            return Ok(None);
        }
        let files = &self.settled(&content.files)?;
        let changes = self.compare(files)?;
        if !rules.force {
            self.refuse_what_is_in_the_way(files, &changes.different)?;
        }
        let mut during = self.before.clone();
        let mut after = self.before.clone();
        during.add_needs(&content.needs);
        after.set_needs(&content.needs);
        for (path, text) in files.iter() {
            let hash = hash(text.as_bytes());
            during.add(path, hash.clone());
            after.set(path, hash);
        }
        for path in self.before.paths().filter(|path| files.get(path).is_none()) {
            let gone = !changes.stale.iter().chain(&changes.stale_and_changed).any(|stale| stale == path);
            if gone || (rules.prune && changes.stale.iter().any(|stale| stale == path)) {
                after.remove(path);
            }
        }
        self.write_manifest(&during)?;
        for path in changes.missing.iter().chain(&changes.different) {
            self.write_file(path, files.get(path).unwrap_or_default())?;
        }
        if rules.prune {
            for path in &changes.stale {
                self.remove_file(path)?;
            }
        }
        self.write_manifest(&after)?;
        Ok(Some(changes))
    }

    fn refuse_what_is_in_the_way(&self, files: &Files, different: &[String]) -> Result<(), Failure> {
        for path in different {
            let what = match self.found(path)? {
                Found::File(bytes) if self.wrote(path, &bytes) => {
                    let present = String::from_utf8_lossy(&bytes);
                    let wanted = files.get(path).unwrap_or_default();
                    if self.is_of_others_alone(path) && have_no_source_in_common(&present, wanted) {
                        return Err(two_codes(&self.root.join(path).display().to_string()));
                    }
                    continue;
                }
                Found::File(_) if self.before.has(path) || self.is_of_others(path) => {
                    "it was changed since creo generated it"
                }
                Found::File(_) => "creo did not generate it",
                Found::Link => "it is a symbolic link",
                Found::Folder => "it is a folder",
                Found::Other => "it is not a file",
                Found::Nothing => continue,
            };
            let failure = Failure::new(format!("{} is in the way: {what}", self.root.join(path).display()));
            return Err(failure.help("move it, or overwrite it with --force; nothing was written"));
        }
        Ok(())
    }

    /// Whether only other descriptions have had a file.
    fn is_of_others_alone(&self, path: &str) -> bool {
        let of = |name: &str| self.others.get(name).is_some_and(|manifest| manifest.has(path));
        !self.before.has(path)
            && !self
                .others
                .keys()
                .any(|name| of(name) && manifest::have_a_description_in_common(name, &self.manifest))
    }

    /// Whether creo wrote this content of the file, from any description.
    fn wrote(&self, path: &str, bytes: &[u8]) -> bool {
        let hash = hash(bytes);
        self.before.holds(path, &hash) || self.others.values().any(|manifest| manifest.holds(path, &hash))
    }

    /// The entry at a path of the folder. No part of the path may be a link (which could lead out of the folder) or a file.
    fn found(&self, path: &str) -> Result<Found, Failure> {
        let mut at = self.root.clone();
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            at.push(part);
            if parts.peek().is_some() {
                match fs::symlink_metadata(&at) {
                    Ok(data) if data.is_dir() => {}
                    Ok(data) if data.is_symlink() => {
                        return Err(Failure::new(format!(
                            "{} is a symbolic link, which creo does not follow",
                            at.display()
                        )));
                    }
                    Ok(_) => {
                        return Err(Failure::new(format!(
                            "{} is in the way: it is not a folder",
                            at.display()
                        )));
                    }
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
                    Err(error) => return Err(Failure::file("look at", &at, &error)),
                }
            }
        }
        found(&at, u64::MAX).map_err(|e| Failure::file("read", &at, &e))
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), Failure> {
        let path = self.root.join(&self.manifest);
        let text = manifest.text();
        match found(&path, MAX_MANIFEST) {
            Ok(Found::File(bytes)) if bytes == text.as_bytes() => Ok(()),
            Ok(Found::Nothing) if manifest.is_empty() => Ok(()),
            _ => write_whole(&path, text.as_bytes(), None),
        }
    }

    fn write_file(&self, path: &str, text: &str) -> Result<(), Failure> {
        let target = self.root.join(path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(|e| Failure::file("make the folder", parent, &e))?;
        }
        write_whole(&target, text.as_bytes(), None)
    }

    /// Removes a file, and folders that become empty.
    fn remove_file(&self, path: &str) -> Result<(), Failure> {
        let target = self.root.join(path);
        fs::remove_file(&target).map_err(|e| Failure::file("remove", &target, &e))?;
        let mut folder = target.parent();
        while let Some(at) = folder.filter(|at| *at != self.root) {
            // This fails if the folder is not empty.
            if fs::remove_dir(at).is_err() {
                break;
            }
            folder = at.parent();
        }
        Ok(())
    }
}

/// The line that names the descriptions which a file comes from. The runtime and files of a build have none.
fn sources_of(text: &str) -> Option<&str> {
    text.lines().take(3).find(|line| line.contains("Generated by creo from "))
}

/// Whether two texts come from descriptions, and differ in the names of these alone.
fn is_same_code(one: &str, other: &str) -> bool {
    let rest = |text: &str| sources_of(text).map(|line| text.replacen(line, "", 1));
    rest(one).is_some_and(|rest_of_one| rest(other) == Some(rest_of_one))
}

/// Whether two texts come from descriptions, and none of these is the same: what both import may be in a file of either.
fn have_no_source_in_common(one: &str, other: &str) -> bool {
    let names = |text: &'_ str| -> Option<BTreeSet<String>> {
        let (_, names) = sources_of(text)?.split_once("Generated by creo from ")?;
        let (names, _) = names.split_once(". Do not edit.")?;
        Some(names.split(", ").map(str::to_owned).collect())
    };
    names(one).zip(names(other)).is_some_and(|(one, other)| one.is_disjoint(&other))
}

/// Two descriptions give different code for one file.
fn two_codes(path: &str) -> Failure {
    Failure::coded("file-clash", format!("{path} is part of the code of another description, which has it in another form"))
        .help("generate these descriptions together (creo generate one.creo other.creo), or into different folders; nothing was written")
}

/// Fails if two contents for one folder have different code at one path.
pub fn check_together(folder: &Path, one: &Content, other: &Content) -> Result<(), Failure> {
    for (path, text) in one.files.iter() {
        let differs = |other: &str| have_no_source_in_common(text, other);
        if other.files.get(path).is_some_and(differs) {
            return Err(two_codes(&folder.join(path).display().to_string()));
        }
    }
    Ok(())
}

/// The entry at a path, without following links; for a file its first `most` bytes.
fn found(path: &Path, most: u64) -> io::Result<Found> {
    let data = match fs::symlink_metadata(path) {
        Ok(data) => data,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(error),
    };
    Ok(if data.is_symlink() {
        Found::Link
    } else if data.is_dir() {
        Found::Folder
    } else if data.is_file() {
        let mut bytes = Vec::new();
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
        Found::File(bytes)
    } else {
        Found::Other
    })
}

/// Locks a folder against other runs until dropped. Where the system cannot lock folders, files are still written atomically.
fn lock(folder: &Path, waiting: impl FnOnce()) -> Option<File> {
    let handle = File::open(folder).ok()?;
    match handle.try_lock() {
        Ok(()) => Some(handle),
        Err(fs::TryLockError::WouldBlock) => {
            waiting();
            handle.lock().ok().map(|()| handle)
        }
        Err(fs::TryLockError::Error(_)) => None,
    }
}

/// The folder of a path.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that a file can be written, before long work; leaves nothing behind. Returns the file's full path.
pub fn writable(path: &Path) -> Result<PathBuf, Failure> {
    let fail = |error: &io::Error| Failure::file("write", path, error);
    let name = path
        .file_name()
        .filter(|_| !path.is_dir())
        .ok_or_else(|| fail(&io::ErrorKind::IsADirectory.into()))?;
    let folder = folder_of(path);
    tempfile::tempfile_in(folder).map_err(|e| fail(&e))?;
    Ok(folder.canonicalize().map_err(|e| fail(&e))?.join(name))
}

/// Writes a file atomically: to a temporary file next to it, which is then renamed. A failure leaves the old file. With `like`, the new
/// file gets that file's permissions.
pub fn write_whole(path: &Path, bytes: &[u8], like: Option<&Path>) -> Result<(), Failure> {
    let fail = |error: &io::Error| Failure::file("write", path, error);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".creo-").suffix(".tmp");
    #[cfg(unix)]
    let all = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(all);
    let mut file = builder.tempfile_in(folder_of(path)).map_err(|e| fail(&e))?;
    file.write_all(bytes).map_err(|e| fail(&e))?;
    if let Some(like) = like {
        let permissions = fs::metadata(like).map_err(|e| fail(&e))?.permissions();
        file.as_file().set_permissions(permissions).map_err(|e| fail(&e))?;
    }
    file.persist(path).map_err(|e| fail(&e.error))?;
    Ok(())
}
