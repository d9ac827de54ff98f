//! Java: `javac` and `java` from the path, with the serial collector and a fixed heap size. Callers wait for the compilation of methods, so
//! code no longer changes after warming up, however busy the machine is.

use crate::failure::Failure;
use crate::jaxb;
use crate::language::{Job, Language, Program};
use crate::tools::{Tools, compile, generated, runs, write};
use creo_cost::{Foreign, Wire};
use std::ffi::OsString;
use std::process::Command;

pub const LANGUAGE: Language = Language { name: "java", foreign: &[Foreign::Jaxb], missing, program };

/// The separator of class paths.
const BETWEEN: &str = if cfg!(windows) { ";" } else { ":" };

/// Classes of the driver, in the runtime's package, whose internals they use.
const DRIVER: [(&str, &str); 2] = [
    ("creo/runtime/Forms.java", include_str!("../drivers/java/Forms.java")),
    ("creo/runtime/Driver.java", include_str!("../drivers/java/Driver.java")),
];

fn missing(tools: &Tools, wires: &[Wire]) -> Vec<String> {
    let mut missing: Vec<String> =
        ["javac", "java"].iter().filter_map(|program| runs(program, &["-version"])).collect();
    if missing.is_empty() && with_jaxb(wires) {
        missing.extend(jaxb::missing(tools));
    }
    missing
}

fn with_jaxb(wires: &[Wire]) -> bool {
    wires.contains(&Wire::Foreign(Foreign::Jaxb))
}

/// The class of a file that holds methods: `IMethods`, and `IMethods2` and so on if there are many.
fn holder(path: &str) -> Option<String> {
    let class = path.strip_suffix(".java")?;
    class.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with("Methods").then(|| class.replace('/', "."))
}

/// The driver, compiled with a description's code. Its last arguments are the classes with methods, and JAXB's packages.
fn program(job: &Job<'_>) -> Result<Program, Failure> {
    let (sources, classes) = (job.folder.join("java"), job.folder.join("classes"));
    let files = generated("java", job.model)?;
    let jars = if with_jaxb(job.wires) {
        Some(
            job.tools
                .jaxb
                .as_ref()
                .ok_or_else(|| Failure::new(jaxb::missing(job.tools).unwrap_or_default()))?,
        )
    } else {
        None
    };
    let mut list = String::new();
    let mut listed = |path: &std::path::Path| {
        if path.extension().is_some_and(|ending| ending == "java") {
            list.push_str(&format!("\"{}\"\n", path.display()));
        }
    };
    for (path, text) in files.iter().chain(DRIVER).chain(jars.as_ref().map(|_| jaxb::DRIVER)) {
        let path = sources.join(path);
        write(&path, text.as_bytes())?;
        listed(&path);
    }
    let mut last: Vec<String> = files
        .iter()
        .filter_map(|(path, _)| holder(path))
        .filter(|name| !name.starts_with("creo.runtime."))
        .collect();
    let mut path = OsString::from(&classes);
    if let Some(jars) = jars {
        let made = jaxb::classes(job, jars)?;
        made.sources.iter().for_each(|source| listed(source));
        last.extend(made.packages);
        path.push(BETWEEN);
        path.push(jars);
    }
    let arguments = job.folder.join("sources.txt");
    write(&arguments, list.as_bytes())?;
    job.progress.note("java: compiling");
    let mut javac = Command::new("javac");
    javac
        .args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "-cp"])
        .arg(&path)
        .arg("-d")
        .arg(&classes)
        .arg(format!("@{}", arguments.display()));
    compile(javac, "javac")?;
    let mut java = Command::new("java");
    java.args(["-XX:+UseSerialGC", "-Xbatch", "-Xms1g", "-Xmx1g", "-XX:-UsePerfData", "-cp"])
        .arg(&path)
        .arg("creo.runtime.Driver");
    Ok(Program { command: java, last })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_that_hold_methods() {
        assert_eq!(holder("org/x/IMethods.java").as_deref(), Some("org.x.IMethods"));
        assert_eq!(holder("org/x/IMethods2.java").as_deref(), Some("org.x.IMethods2"));
        assert_eq!([holder("org/x/Methods.txt"), holder("org/x/Method.java")], [None, None]);
    }
}
