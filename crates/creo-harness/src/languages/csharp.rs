//! C#: the compiler of `scripts/dotnet`, which uses the SDK if present, with nullable enabled and warnings as errors.

use super::sources::{Sources, Unit, compile_limit};
use crate::process::Program;
use crate::repo::{self, Stamp};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub fn ready() -> Result<(), String> {
    Program::new(repo::path("scripts/dotnet/setup.sh")).run(Duration::from_secs(900)).map(|_| ())
}

/// One compilation.
#[derive(Debug)]
struct Compilation {
    out: PathBuf,
    files: Vec<PathBuf>,
    work: PathBuf,
    arguments: Vec<String>,
}

impl Compilation {
    fn new(kind: &str, out: PathBuf, files: Vec<PathBuf>, work: &Path, symbols: &[&str]) -> Compilation {
        let options = [format!("-target:{kind}"), "-nullable".to_owned(), "-warnaserror".to_owned()];
        let arguments = std::iter::once(format!("-out:{}", out.display()))
            .chain(options)
            .chain(symbols.iter().map(|symbol| format!("-define:{symbol}")))
            .chain(files.iter().map(|file| file.display().to_string()))
            .collect();
        Compilation { out, files, work: work.to_owned(), arguments }
    }

    fn stamp(&self) -> Stamp {
        Stamp::new(&self.work, repo::fingerprint(&self.files, &self.arguments.join("\n")))
    }

    /// Compiles, with the arguments in a file, since there may be more than a command line takes.
    fn run(&self) -> Result<(), String> {
        repo::fresh(self.out.parent().expect("a folder"))?;
        let list = self.work.join("arguments.txt");
        repo::write(&list, &self.arguments.join("\n"))?;
        csc(&format!("@{}", list.display()), compile_limit(&self.files))
    }
}

fn csc(arguments: &str, limit: Duration) -> Result<(), String> {
    Program::new(repo::path("scripts/dotnet/csc.sh")).arg(arguments).run(limit).map(|_| ())
}

/// Compiles what was not compiled before.
fn compiled(compilation: &Compilation) -> Result<(), String> {
    let stamp = compilation.stamp();
    if stamp.is_set()? { Ok(()) } else { compilation.run().and_then(|()| stamp.set()) }
}

/// Compiles all in one process, which gets warm once. What it does not compile is compiled again alone, so that the messages are its own.
fn batch(compilations: &[&Compilation]) -> Result<(), String> {
    let Some(first) = compilations.first() else { return Ok(()) };
    let mut lines = String::new();
    for compilation in compilations {
        repo::fresh(compilation.out.parent().expect("a folder"))?;
        lines = lines + &compilation.arguments.join("\t") + "\n";
    }
    let list = first.work.join("batch.txt");
    repo::write(&list, &lines)?;
    let files = compilations.iter().flat_map(|compilation| &compilation.files);
    let all = csc(&format!("-batch:{}", list.display()), compile_limit(files));
    for compilation in compilations.iter().filter(|compilation| all.is_ok() || compilation.out.is_file()) {
        compilation.stamp().set()?;
    }
    Ok(())
}

pub fn compile_each(units: &[Unit]) -> Vec<Result<(), String>> {
    let library = |unit: &Unit| {
        let files = unit.sources.with_extension("cs");
        Compilation::new("library", unit.work.join("out/generated.dll"), files, &unit.work, &[])
    };
    let all: Vec<Compilation> = units.iter().map(library).collect();
    let due: Vec<&Compilation> = all.iter().filter(|of| of.stamp().is_set() == Ok(false)).collect();
    let together = if due.len() > 1 { batch(&due) } else { Ok(()) };
    all.iter().map(|compilation| together.clone().and_then(|()| compiled(compilation))).collect()
}

pub fn peer(sources: &Sources, work: &Path) -> Result<Program, String> {
    build(sources, work, &["conformance/peers/csharp"], &[])
}

/// The peer over JMS: the ordinary one with its JMS files.
pub fn jms_peer(sources: &Sources, work: &Path) -> Result<Program, String> {
    build(sources, work, &["conformance/peers/csharp", "conformance/peers/csharp/Jms"], &["JMS"])
}

fn build(sources: &Sources, work: &Path, folders: &[&str], symbols: &[&str]) -> Result<Program, String> {
    let mut files = sources.with_extension("cs");
    for folder in folders {
        let own = repo::files_in(&repo::path(folder), "cs");
        if own.is_empty() {
            return Err(format!("{folder} holds no program yet"));
        }
        files.extend(own);
    }
    let out = work.join("out/peer.dll");
    compiled(&Compilation::new("exe", out.clone(), files, work, symbols))?;
    Ok(Program::new(repo::path("scripts/dotnet/run.sh")).arg(out))
}
