//! `creo check`

use crate::args::CheckArgs;
use crate::failure::{Failure, Outcome};
use crate::snippets::Shown;
use crate::terminal::Terminal;
use crate::{input, snippets};

/// Checks each description with its imports. An error in a file that several import is reported once.
pub fn run(args: &CheckArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let mut shown = Shown::default();
    let mut failure = None;
    for path in &args.files {
        match input::compile(&[path]) {
            Ok(compilation) => shown.show(&compilation.report, &compilation.sources, terminal),
            // The other files are still checked.
            Err(error) => {
                if let Some(earlier) = failure.replace(error) {
                    terminal.failure(&earlier);
                }
            }
        }
    }
    snippets::summary(&shown, terminal);
    match failure {
        Some(failure) => Err(failure),
        None => {
            if shown.errors() == 0 {
                terminal.note(&format!("{} OK", super::count(args.files.len(), "file")));
            }
            Ok(Outcome::found(shown.errors() > 0))
        }
    }
}
