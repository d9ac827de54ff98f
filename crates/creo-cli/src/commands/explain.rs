//! `creo explain`

use crate::args::ExplainArgs;
use crate::explanations::{self, Explanation};
use crate::failure::{Failure, Outcome};
use crate::terminal::{Paint, Terminal};

/// Explains one code, or lists all.
pub fn run(args: &ExplainArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let Some(code) = &args.code else {
        let width = explanations::all().map(|e| e.code.len()).max().unwrap_or(0);
        for Explanation { code, summary, .. } in explanations::all() {
            terminal.result(&format!("{code:<width$}  {summary}\n"))?;
        }
        return Ok(Outcome::Done);
    };
    match explanations::all().find(|e| e.code == code) {
        Some(Explanation { code, summary, text }) => {
            terminal.result(&format!(
                "{}: {summary}\n\n{}\n",
                terminal.paint(Paint::Bold, code),
                text.trim()
            ))?;
            Ok(Outcome::Done)
        }
        None => {
            Err(Failure::new(format!("there is no code {code:?}")).help("`creo explain` lists all codes"))
        }
    }
}
