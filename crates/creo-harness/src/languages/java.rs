//! Java: one run of `javac` for everything, all warnings on and errors.

use super::{COMPILE_LIMIT, Sources, runs};
use crate::process::Program;
use crate::repo;
use std::path::{Path, PathBuf};

/// The class with the peer's `main`.
const PEER: &str = "creo.conformance.Peer";

pub fn ready() -> Result<(), String> {
    runs("javac", "-version").and_then(|()| runs("java", "-version")).map_err(|e| format!("no JDK: {e}"))
}

fn javac(files: &[PathBuf], classes: &Path, work: &Path) -> Result<(), String> {
    repo::once(work, &repo::fingerprint(files, "javac"), || {
        repo::fresh(classes)?;
        let list = work.join("sources.list");
        repo::write(&list, &files.iter().map(|f| format!("\"{}\"\n", f.display())).collect::<String>())?;
        Program::new("javac")
            .args(["--release", "17", "-encoding", "UTF-8", "-Xlint:all", "-Werror", "-Xmaxerrs", "20", "-d"])
            .arg(classes)
            .arg(format!("@{}", list.display()))
            .run(COMPILE_LIMIT)
            .map(|_| ())
    })
}

pub fn compile(sources: &Sources, work: &Path) -> Result<(), String> {
    javac(&sources.with_extension("java"), &work.join("classes"), work)
}

pub fn peer(sources: &Sources, work: &Path) -> Result<Program, String> {
    let mut files = sources.with_extension("java");
    // The peer is a program on the class path: a module of the framework would hide the packages of the description from it.
    files.retain(|f| f.file_name().is_some_and(|n| n != "module-info.java"));
    let own = repo::files_below(&repo::path("conformance/peers/java"), "java");
    if own.is_empty() {
        return Err("conformance/peers/java holds no program yet".to_owned());
    }
    files.extend(own);
    let classes = work.join("classes");
    javac(&files, &classes, work)?;
    Ok(Program::new("java").args(["-ea", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx2g", "-cp"]).arg(classes).arg(PEER))
}
