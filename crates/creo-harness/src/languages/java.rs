//! Java: one compilation for everything, with all warnings enabled and as errors.

use super::javac;
use super::sources::{Sources, Unit, compile_limit, runs};
use crate::process::Program;
use crate::repo;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The class with the peer's `main`.
const PEER: &str = "creo.conformance.Peer";
const JMS_PEER: &str = "creo.conformance.JmsPeer";

pub fn ready() -> Result<(), String> {
    runs("javac", "-version").and_then(|()| runs("java", "-version")).map_err(|e| format!("no JDK: {e}"))
}

fn compiled(files: &[PathBuf], classes: &Path, work: &Path, libraries: &[PathBuf]) -> Result<(), String> {
    repo::once(work, &repo::fingerprint(&[files, libraries].concat(), "javac"), || {
        repo::fresh(classes)?;
        let path = (!libraries.is_empty()).then(|| class_path(libraries));
        let paths = files.iter().map(|file| file.display().to_string());
        // Excludes warnings about other people's class files, and about annotations without a processor.
        let options =
            "--release 17 -encoding UTF-8 -Xlint:all,-classfile,-processing -Werror -Xmaxerrs 20\n-d\n";
        let words = std::iter::once(classes.display().to_string())
            .chain(path.into_iter().flat_map(|path| ["-cp".to_owned(), path.to_string_lossy().into_owned()]))
            .chain(paths);
        let arguments = work.join("arguments.txt");
        let quoted: String = words.map(|word| format!("\"{word}\"\n")).collect();
        repo::write(&arguments, &format!("{options}{quoted}"))?;
        javac::compile(&arguments, compile_limit(files))
    })
}

pub fn compile(unit: &Unit) -> Result<(), String> {
    compiled(&unit.sources.with_extension("java"), &unit.work.join("classes"), &unit.work, &[])
}

fn class_path(parts: &[PathBuf]) -> OsString {
    std::env::join_paths(parts).expect("no path here holds a colon")
}

/// The generated code and the runtime without its module, which would hide the description's packages from a program on the class path.
fn unnamed(sources: &Sources) -> Vec<PathBuf> {
    let mut files = sources.with_extension("java");
    files.retain(|f| f.file_name().is_some_and(|n| n != "module-info.java"));
    files
}

fn java() -> Program {
    Program::new("java").args(["-ea", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx2g", "-cp"])
}

pub fn peer(sources: &Sources, work: &Path) -> Result<Program, String> {
    let mut files = unnamed(sources);
    let own = repo::files_below(&repo::path("conformance/peers/java"), "java");
    if own.is_empty() {
        return Err("conformance/peers/java holds no program yet".to_owned());
    }
    files.extend(own);
    let classes = work.join("classes");
    compiled(&files, &classes, work, &[])?;
    Ok(java().arg(classes).arg(PEER))
}

/// The peer over JMS: the ordinary one with `conformance/peers/java-jms` and the libraries from `scripts/setup.sh`.
pub fn jms_peer(sources: &Sources, work: &Path) -> Result<Program, String> {
    let libraries = repo::files_in(&repo::path("build/jms"), "jar");
    if libraries.is_empty() {
        return Err("no libraries in build/jms: run scripts/setup.sh first".to_owned());
    }
    let mut files = unnamed(sources);
    for folder in ["conformance/peers/java", "conformance/peers/java-jms"] {
        files.extend(repo::files_below(&repo::path(folder), "java"));
    }
    let classes = work.join("classes");
    compiled(&files, &classes, work, &libraries)?;
    Ok(java().arg(class_path(&[&[classes][..], &libraries].concat())).arg(JMS_PEER))
}
