//! Java: `javac` and `java` of the path, the serial collector, a heap of a fixed size. Methods are compiled while their callers wait: so after the warm
//! rounds nothing runs any more as it did before, however busy the machine is.

use super::{compile, generated, write};
use crate::failure::Failure;
use crate::terminal::Terminal;
use creo_model::CheckedModel;
use std::path::Path;
use std::process::Command;

/// Classes of the driver; they stand in the framework's package, whose inner parts they use.
const DRIVER: [(&str, &str); 2] = [
    ("creo/runtime/Forms.java", include_str!("../../calibrate/java/Forms.java")),
    ("creo/runtime/Driver.java", include_str!("../../calibrate/java/Driver.java")),
];

/// The driver, compiled beside the code of a description; and the classes that hold its methods, which are the driver's last arguments.
pub fn program(model: &CheckedModel, folder: &Path, terminal: &Terminal) -> Result<(Command, Vec<String>), Failure> {
    let (sources, classes) = (folder.join("java"), folder.join("classes"));
    let files = generated("java", model)?;
    let mut list = String::new();
    for (path, text) in files.iter().chain(DRIVER) {
        let path = sources.join(path);
        write(&path, text.as_bytes())?;
        if path.extension().is_some_and(|ending| ending == "java") {
            list.push_str(&format!("\"{}\"\n", path.display()));
        }
    }
    let arguments = folder.join("sources.txt");
    write(&arguments, list.as_bytes())?;
    terminal.note("java: compiling");
    let mut javac = Command::new("javac");
    javac.args(["-nowarn", "-encoding", "UTF-8", "-d"]).arg(&classes).arg(format!("@{}", arguments.display()));
    compile(javac, "javac")?;
    let mut java = Command::new("java");
    java.args(["-XX:+UseSerialGC", "-Xbatch", "-Xms1g", "-Xmx1g", "-XX:-UsePerfData", "-cp"]).arg(&classes).arg("creo.runtime.Driver");
    let holders = files.iter().filter_map(|(path, _)| path.strip_suffix("Methods.java").map(|name| format!("{}Methods", name.replace('/', "."))));
    Ok((java, holders.filter(|name| !name.starts_with("creo.runtime.")).collect()))
}
