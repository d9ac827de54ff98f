//! Shared by the targets: generated code, files, compilers.

use crate::failure::Failure;
use creo_check::CheckedModel;
use creo_codegen::{Input, Runtime, Sides};
use creo_diag::reason;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The programs used for measuring.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The C compiler with optional arguments: `ccache gcc`.
    pub cc: String,
    pub python: String,
    pub dotnet: String,
    /// A C# compiler that replaces the SDK's.
    pub csc: Option<String>,
    /// The class path of JAXB.
    pub jaxb: Option<OsString>,
}

impl Tools {
    /// The programs in environment variables, or their usual names.
    pub fn named(variable: impl Fn(&str) -> Option<OsString>) -> Tools {
        let text = |name: &str| {
            let text = variable(name).and_then(|value| value.into_string().ok());
            text.filter(|text| !text.trim().is_empty())
        };
        let named = |name: &str, usual: &str| text(name).unwrap_or_else(|| usual.to_owned());
        Tools {
            cc: named("CC", "cc"),
            python: named("CREO_PYTHON", "python3"),
            dotnet: named("CREO_DOTNET", "dotnet"),
            csc: text("CREO_CSC"),
            jaxb: variable(JAXB).filter(|path| !path.is_empty()),
        }
    }
}

/// The environment variable with the class path of JAXB.
pub const JAXB: &str = "CREO_JAXB";

/// Writes a file, creating its folder.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file("make the folder", folder, &error))?;
    }
    fs::write(path, bytes).map_err(|error| Failure::file("write", path, &error))
}

/// A target's code for both sides of calls, with its runtime.
pub fn generated(target: &str, model: &CheckedModel) -> Result<creo_codegen::Files, Failure> {
    let found =
        creo_targets::find(target).ok_or_else(|| Failure::new(format!("there is no target {target}")))?;
    if let Some(refusal) = found.refusals(model).first() {
        return Err(Failure::new(format!("{target}: {}", refusal.message)));
    }
    let documents = creo_targets::documents(model);
    let input = Input::new(found, model);
    let (runtime, sides) = (Runtime::Copy, Sides::Both);
    Ok(found.generate(&Input { runtime, sides, documents: &documents, ..input }))
}

/// What is missing unless a program runs successfully.
pub fn runs(program: &str, arguments: &[&str]) -> Option<String> {
    let ended = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match ended {
        Ok(status) if status.success() => None,
        Ok(_) => Some(format!("{program} does not run: `{program} {}` fails", arguments.join(" "))),
        Err(error) => Some(format!("{program} cannot be started: {}", reason(&error))),
    }
}

/// Runs a compiler; on failure returns its output.
pub fn compile(mut command: Command, what: &str) -> Result<(), Failure> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| {
        Failure::new(format!("{what} cannot be started: {}", reason(&error)))
            .help(format!("calibration needs {what}"))
    })?;
    if output.status.success() {
        return Ok(());
    }
    // JAXB's compiler prints errors to standard output.
    let said =
        String::from_utf8_lossy(if output.stderr.is_empty() { &output.stdout } else { &output.stderr });
    let first: String = said.lines().take(8).collect::<Vec<_>>().join("; ");
    Err(Failure::new(format!("{what} failed: {first}")))
}
