//! Descriptions of an earlier commit, read from a Git repository by the program `git`.
//!
//! Only objects of the repository are read: no file of the work tree, no index, no filter or hook, and nothing is fetched. The user's name
//! for the commit, and every path, are passed to `git` in a way that excludes options and patterns.

use crate::failure::Failure;
use creo_check::LoadError;
use creo_diag::{escape_controls, reason};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

/// The max size of an answer of `git` other than a file: one line, or one folder entry.
const MAX_LINE: usize = 64 << 10;

/// A user's name for a commit: printable characters, and not an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitRef(String);

impl FromStr for GitRef {
    type Err = String;

    fn from_str(text: &str) -> Result<GitRef, String> {
        let name = text.strip_prefix("git:").ok_or("it is written git:REF, such as git:main")?;
        if name.is_empty() {
            return Err("the name of a commit, branch or tag is missing".to_owned());
        }
        if name.starts_with('-') || name.chars().any(char::is_control) {
            return Err("no commit, branch or tag has such a name".to_owned());
        }
        Ok(GitRef(name.to_owned()))
    }
}

/// A commit of the descriptions' repository.
#[derive(Debug)]
pub struct Commit {
    /// The user's name for it.
    name: String,
    id: String,
    /// The root of the work tree.
    root: PathBuf,
}

impl Commit {
    /// Finds the commit in the repository that contains all of `files`, of which there must be at least one.
    pub fn find(name: &GitRef, files: &[&Path]) -> Result<Commit, Failure> {
        let GitRef(name) = name;
        let roots = files.iter().map(|file| root_of(file)).collect::<Result<Vec<_>, _>>()?;
        let root = roots.first().expect("a file").clone();
        if let Some(other) = roots.iter().position(|other| *other != root) {
            return Err(Failure::new(format!(
                "{} and {} are in different repositories",
                files[0].display(),
                files[other].display()
            )));
        }
        let found =
            run(&root, &["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")], MAX_LINE)?;
        let id = found.text.as_deref().map(str::trim_end).unwrap_or_default();
        if !found.worked || id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Failure::new(format!("there is no commit {name} in {}", root.display())).help(
                "fetch it first: nothing is fetched here, and clones in CI often hold the newest commit alone",
            ));
        }
        Ok(Commit { name: name.clone(), id: id.to_owned(), root })
    }

    /// The name of the commit's folder in the names of its files.
    fn folder(&self) -> String {
        format!("git:{}/", self.name)
    }

    /// The name of a user's file for reading and display: `git:main/services/lab.creo`.
    pub fn name_of(&self, file: &Path) -> Result<String, Failure> {
        let base = file.file_name().and_then(|name| name.to_str());
        let found = run(&folder_of(file), &["rev-parse", "--show-prefix"], MAX_LINE)?.succeeded(file)?;
        let prefix = found.strip_suffix('\n').unwrap_or(&found);
        match base {
            Some(base) => Ok(format!("{}{prefix}{base}", self.folder())),
            None => Err(Failure::new(format!("{} is no name of a file in UTF-8", file.display()))),
        }
    }

    /// Reads at most `max` bytes of a file of the commit by its name.
    pub fn read(&self, name: &str, max: usize) -> Result<Vec<u8>, LoadError> {
        let folder = self.folder();
        let outside = || LoadError::Unreadable("it is outside of the repository".to_owned());
        let path = name.strip_prefix(&folder).ok_or_else(outside)?;
        if path.split('/').any(|part| part == "..") {
            return Err(outside());
        }
        let unreadable = |failure: Failure| LoadError::Unreadable(failure.to_string());
        let listed =
            run(&self.root, &["ls-tree", "-z", &self.id, "--", path], MAX_LINE).map_err(unreadable)?;
        let entry = listed.succeeded(Path::new(path)).map_err(unreadable)?;
        // `100644 blob ID<tab>PATH<NUL>`, or empty.
        let mut words = entry.split_whitespace();
        let id = match (words.next(), words.next(), words.next()) {
            (None, ..) => return Err(LoadError::NotFound),
            (Some("120000"), ..) => {
                return Err(LoadError::Unreadable("it is a symbolic link there".to_owned()));
            }
            (Some(_), Some("blob"), Some(id)) => id,
            _ => return Err(LoadError::Unreadable("it is a folder there".to_owned())),
        };
        let file = run(&self.root, &["cat-file", "blob", id], max).map_err(unreadable)?;
        if file.worked { Ok(file.bytes) } else { Err(LoadError::Unreadable(file.said())) }
    }

    /// The failure for a user's file that is not in the commit.
    pub fn has_no(&self, name: &str) -> Failure {
        let path = name.strip_prefix(&self.folder()).unwrap_or(name);
        Failure::new(format!("there is no {path} in {}", self.name))
            .help("a description that is new breaks nobody: leave it out")
    }
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The root of the work tree of a file.
fn root_of(file: &Path) -> Result<PathBuf, Failure> {
    let found = run(&folder_of(file), &["rev-parse", "--show-toplevel"], MAX_LINE)?.succeeded(file)?;
    Ok(PathBuf::from(found.strip_suffix('\n').unwrap_or(&found)))
}

/// The answer of `git`.
struct Answer {
    worked: bool,
    bytes: Vec<u8>,
    /// The same, if it is UTF-8.
    text: Option<String>,
    errors: Vec<u8>,
}

impl Answer {
    /// The error message of `git`, in one line that a terminal can show.
    fn said(&self) -> String {
        let errors = String::from_utf8_lossy(&self.errors);
        let line = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or("git failed");
        escape_controls(line.strip_prefix("fatal: ").unwrap_or(line))
    }

    fn succeeded(self, file: &Path) -> Result<String, Failure> {
        match self.text {
            Some(text) if self.worked => Ok(text),
            Some(_) => {
                Err(Failure::new(format!("git cannot tell what {} was: {}", file.display(), self.said())))
            }
            None => {
                Err(Failure::new(format!("the path of {} in its repository is not UTF-8", file.display())))
            }
        }
    }
}

/// Runs `git` in a folder, and reads at most `max` bytes of its answer.
fn run(folder: &Path, arguments: &[&str], max: usize) -> Result<Answer, Failure> {
    let failed = |error: &std::io::Error| Failure::new(format!("cannot run git: {}", reason(error)));
    let mut child = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .env("GIT_LITERAL_PATHSPECS", "1")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => Failure::new("there is no program git on the PATH").help(
                "--against reads a Git repository by it; without it, compare two files: creo diff OLD NEW",
            ),
            _ => failed(&error),
        })?;
    // Error messages of git are short, and fit into an unread pipe.
    let (output, errors) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let mut bytes = Vec::new();
    output.take(max as u64).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    let mut said = Vec::new();
    let cut = bytes.len() == max;
    if cut {
        // It may be blocked on its output.
        let _ = child.kill();
    } else {
        errors.take(MAX_LINE as u64).read_to_end(&mut said).map_err(|error| failed(&error))?;
    }
    let status = child.wait().map_err(|error| failed(&error))?;
    let text = String::from_utf8(bytes.clone()).ok();
    Ok(Answer { worked: cut || status.success(), bytes, text, errors: said })
}
