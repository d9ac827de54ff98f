//! The targets that this machine can measure, and messages about the others.

use crate::failure::Failure;
use crate::terminal::Terminal;
use creo_cost::Wire;
use creo_measure::{Language, Tools, names};

/// The programs named by the environment.
pub fn tools() -> Tools {
    Tools::named(|name| std::env::var_os(name))
}

/// Whether this machine has the tools to measure a language on these wires. Missing tools are an error if the language was requested, and a note otherwise.
pub fn is_ready(
    language: Language,
    wires: &[Wire],
    asked: bool,
    terminal: &Terminal,
) -> Result<bool, Failure> {
    let missing = (language.missing)(&tools(), wires).join("; ");
    if asked && !missing.is_empty() {
        return Err(Failure::coded("invalid-assumption", format!("--target {}: {missing}", language.name)));
    }
    if !missing.is_empty() {
        terminal.warning(&format!("{} is not measured: {missing}", language.name));
    }
    Ok(missing.is_empty())
}

/// The failure if no language has its tools on this machine.
pub fn nothing_is_ready() -> Failure {
    Failure::coded("invalid-assumption", "nothing can be measured: this machine has the tools of no target")
        .help(format!("targets are {}", names()))
}
