//! Python: CPython 3.9 or later, with code that both writes and reads each message.

use crate::failure::Failure;
use crate::language::{Job, Language, Program};
use crate::tools::{Tools, generated, runs, write};
use creo_cost::Wire;
use std::process::Command;

pub const LANGUAGE: Language = Language { name: "python", foreign: &[], missing, program };

const DRIVER: [(&str, &str); 2] = [
    ("creo_measure_forms.py", include_str!("../drivers/python/forms.py")),
    ("creo_measure.py", include_str!("../drivers/python/driver.py")),
];

fn missing(tools: &Tools, _: &[Wire]) -> Vec<String> {
    runs(&tools.python, &["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).into_iter().collect()
}

/// The driver with the code of a description. Its last arguments are the modules that hold methods.
fn program(job: &Job<'_>) -> Result<Program, Failure> {
    let files = generated("python", job.model)?;
    for (path, text) in files.iter().chain(DRIVER) {
        write(&job.folder.join(path), text.as_bytes())?;
    }
    let mut python = Command::new(&job.tools.python);
    // Excludes the user's site packages and settings.
    python.args(["-s", "-E"]).arg(job.folder.join("creo_measure.py"));
    let modules = files.iter().filter_map(|(path, _)| {
        path.strip_suffix("/creo_client.py").map(|name| format!("{}.creo_client", name.replace('/', ".")))
    });
    Ok(Program { command: python, last: modules.collect() })
}
