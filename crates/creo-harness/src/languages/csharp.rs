//! C#: the compiler of `scripts/dotnet`, which uses the SDK where there is one; nullable on, every warning an error.

use super::{COMPILE_LIMIT, Sources};
use crate::process::Program;
use crate::repo;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub fn ready() -> Result<(), String> {
    Program::new(repo::path("scripts/dotnet/setup.sh")).run(Duration::from_secs(900)).map(|_| ())
}

fn csc(kind: &str, out: &Path, files: &[PathBuf], work: &Path) -> Result<(), String> {
    repo::once(work, &repo::fingerprint(files, kind), || {
        repo::fresh(out.parent().expect("a folder"))?;
        Program::new(repo::path("scripts/dotnet/csc.sh"))
            .arg(format!("-out:{}", out.display()))
            .arg(format!("-target:{kind}"))
            .args(["-nullable", "-warnaserror"])
            .args(files)
            .run(COMPILE_LIMIT)
            .map(|_| ())
    })
}

pub fn compile(sources: &Sources, work: &Path) -> Result<(), String> {
    csc("library", &work.join("out/generated.dll"), &sources.with_extension("cs"), work)
}

pub fn peer(sources: &Sources, work: &Path) -> Result<Program, String> {
    let own = repo::files_below(&repo::path("conformance/peers/csharp"), "cs");
    if own.is_empty() {
        return Err("conformance/peers/csharp holds no program yet".to_owned());
    }
    let mut files = sources.with_extension("cs");
    files.extend(own);
    let out = work.join("out/peer.dll");
    csc("exe", &out, &files, work)?;
    Ok(Program::new(repo::path("scripts/dotnet/run.sh")).arg(out))
}
