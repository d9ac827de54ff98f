//! `creo diff`

use crate::args::DiffArgs;
use crate::failure::{Failure, Outcome};
use crate::terminal::Terminal;

pub fn run(_args: &DiffArgs, _terminal: &Terminal) -> Result<Outcome, Failure> {
    Ok(Outcome::Done)
}
