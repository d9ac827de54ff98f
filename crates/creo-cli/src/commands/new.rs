//! `creo new`

use crate::args::NewArgs;
use crate::failure::{Failure, Outcome};
use crate::terminal::Terminal;

pub fn run(_args: &NewArgs, _terminal: &Terminal) -> Result<Outcome, Failure> {
    Ok(Outcome::Done)
}
