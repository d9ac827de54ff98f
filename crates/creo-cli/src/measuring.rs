//! Which targets this machine can measure, and what is said of the others.

use crate::failure::Failure;
use crate::terminal::Terminal;
use creo_cost::Wire;
use creo_measure::{Language, Tools, names};

/// The programs that the environment names.
pub fn tools() -> Tools {
    Tools::named(|name| std::env::var_os(name))
}

/// Whether this machine has what measuring a language on these wires needs. What it lacks is a mistake where the language was asked for, and is said otherwise.
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

/// This machine has the tools of no language that was meant.
pub fn nothing_is_ready() -> Failure {
    Failure::coded("invalid-assumption", "nothing can be measured: this machine has the tools of no target")
        .help(format!("targets are {}", names()))
}
