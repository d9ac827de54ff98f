//! C#: the compiler of `scripts/dotnet`, which uses the SDK if present, with nullable enabled and warnings as errors.

use super::sources::{COMPILE_LIMIT, Sources};
use crate::process::Program;
use crate::repo;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub fn ready() -> Result<(), String> {
    Program::new(repo::path("scripts/dotnet/setup.sh")).run(Duration::from_secs(900)).map(|_| ())
}

fn csc(kind: &str, out: &Path, files: &[PathBuf], work: &Path, symbols: &[&str]) -> Result<(), String> {
    repo::once(work, &repo::fingerprint(files, &format!("{kind} {symbols:?}")), || {
        repo::fresh(out.parent().expect("a folder"))?;
        let mut arguments = format!("-out:{}\n-target:{kind}\n-nullable\n-warnaserror\n", out.display());
        symbols.iter().for_each(|symbol| writeln!(arguments, "-define:{symbol}").expect("to memory"));
        files.iter().for_each(|file| writeln!(arguments, "{}", file.display()).expect("to memory"));
        // There may be more files than a command line takes.
        let list = work.join("arguments.txt");
        repo::write(&list, &arguments)?;
        Program::new(repo::path("scripts/dotnet/csc.sh"))
            .arg(format!("@{}", list.display()))
            .run(COMPILE_LIMIT)
            .map(|_| ())
    })
}

pub fn compile(sources: &Sources, work: &Path) -> Result<(), String> {
    csc("library", &work.join("out/generated.dll"), &sources.with_extension("cs"), work, &[])
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
    csc("exe", &out, &files, work, symbols)?;
    Ok(Program::new(repo::path("scripts/dotnet/run.sh")).arg(out))
}
