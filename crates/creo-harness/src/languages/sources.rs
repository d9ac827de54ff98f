//! Generated code in a folder, and the helpers that compiling it needs in every language.

use crate::process::Program;
use std::path::PathBuf;
use std::time::Duration;

/// The max time of a compiler run.
pub const COMPILE_LIMIT: Duration = Duration::from_secs(600);

/// Generated code in a folder.
#[derive(Debug)]
pub struct Sources {
    pub folder: PathBuf,
    /// Relative paths, sorted.
    pub paths: Vec<String>,
}

impl Sources {
    /// The files with an extension, as full paths.
    pub fn with_extension(&self, extension: &str) -> Vec<PathBuf> {
        self.paths
            .iter()
            .map(|p| self.folder.join(p))
            .filter(|p| p.extension().is_some_and(|e| e == extension))
            .collect()
    }

    pub fn all(&self) -> Vec<PathBuf> {
        self.paths.iter().map(|p| self.folder.join(p)).collect()
    }
}

/// Fails if a program cannot be started.
pub fn runs(program: &str, argument: &str) -> Result<(), String> {
    Program::new(program).arg(argument).output(Duration::from_secs(60)).map(|_| ())
}
