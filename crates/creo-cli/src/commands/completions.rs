//! `creo completions`

use crate::args::{Args, CompletionsArgs};
use crate::failure::{Failure, Outcome};
use crate::terminal::Terminal;
use clap::CommandFactory;

/// Writes the completions of all commands for a shell.
pub fn run(args: &CompletionsArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    // The generator panics on a failed write; it writes to memory, which cannot fail.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "creo", &mut script);
    terminal.result_bytes(&script)?;
    Ok(Outcome::Done)
}
