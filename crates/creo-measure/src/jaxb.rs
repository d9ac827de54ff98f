//! JAXB for comparison with Creo in Java. Its compiler generates classes from the exported WSDL, as a user of JAXB would. It is not part of
//! the JDK: `CREO_JAXB` is the class path with its runtime, its compiler (`jaxb-runtime`, `jaxb-xjc`), their dependencies, and optionally
//! another parser than the JDK's.

use crate::failure::Failure;
use crate::language::Job;
use crate::tools::{JAXB, Tools, compile, runs, write};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

const COMPILER: &str = "com.sun.tools.xjc.XJCFacade";

/// The part of the driver that needs JAXB.
pub const DRIVER: (&str, &str) = ("creo/runtime/Jaxb.java", include_str!("../drivers/java/Jaxb.java"));

pub fn missing(tools: &Tools) -> Option<String> {
    let needed = "the class path with jaxb-runtime, jaxb-xjc and what they need";
    match tools.jaxb.as_ref().map(|path| path.to_str()) {
        None => Some(format!("JAXB is no part of the JDK: {JAXB} must be {needed}")),
        Some(None) => Some(format!("{JAXB} is no text")),
        Some(Some(path)) => runs("java", &["--dry-run", "-cp", path, COMPILER])
            .map(|_| format!("{JAXB} is not {needed}: {path}")),
    }
}

/// The output of JAXB's compiler.
#[derive(Debug)]
pub struct Classes {
    pub sources: Vec<PathBuf>,
    /// `INTERFACE=PACKAGE`, for the driver.
    pub packages: Vec<String>,
}

/// Classes for the messages of each interface in a separate package: elements of two interfaces may have the same name.
pub fn classes(job: &Job<'_>, path: &OsString) -> Result<Classes, Failure> {
    let folder = job.folder.join("jaxb");
    let documents = creo_wsdl::export::documents(job.model, job.model.plan());
    let mut made = Classes { sources: Vec::new(), packages: Vec::new() };
    job.progress.note("java: JAXB's compiler makes classes");
    for (number, document) in documents.iter().enumerate() {
        let (file, package) = (folder.join(format!("{number}.wsdl")), format!("creo.jaxb.i{number}"));
        write(&file, document.text.as_bytes())?;
        let mut xjc = Command::new("java");
        xjc.arg("-cp")
            .arg(path)
            .args([COMPILER, "-wsdl", "-quiet", "-p", &package, "-d"])
            .arg(&folder)
            .arg(&file);
        compile(xjc, "JAXB's compiler")?;
        made.sources.extend(listed(&folder.join(package.replace('.', "/")))?);
        made.packages.push(format!("{}={package}", document.interface));
    }
    Ok(made)
}

/// The files of a folder, sorted.
fn listed(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let fail = |error: std::io::Error| Failure::file("read the folder", folder, &error);
    let entries = std::fs::read_dir(folder).map_err(fail)?;
    let mut found =
        entries.map(|entry| entry.map(|entry| entry.path()).map_err(fail)).collect::<Result<Vec<_>, _>>()?;
    found.sort();
    Ok(found)
}
