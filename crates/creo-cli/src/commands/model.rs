//! `creo model`

use crate::args::ModelArgs;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::terminal::Terminal;
use creo_diag::escape_controls;

/// Writes the model as JSON (MODEL-30), indented for people.
pub fn run(args: &ModelArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    input::with_model(&args.file, terminal, |model| {
        let json = creo_plan::to_json(model, model.plan());
        terminal.result(&escape_controls(&format!("{json:#}\n")))?;
        Ok(Outcome::Done)
    })
}
