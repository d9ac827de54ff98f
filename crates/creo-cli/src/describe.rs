//! The model of a service that is called: of its description, or of its WSDL.

use crate::commands::import::Disk;
use crate::failure::Failure;
use crate::input::{self, name_of};
use crate::snippets;
use crate::terminal::Terminal;
use creo_check::{CheckedModel, Compilation, LoadError, compile_files};
use creo_diag::Severity;
use creo_wsdl::import::{Options, import};
use std::path::Path;

/// Reads a description, or imports a WSDL. `None` if there are mistakes, which were told.
pub fn model(path: &Path, terminal: &Terminal) -> Result<Option<CheckedModel>, Failure> {
    if !input::is_xml_file(path)? {
        return input::model(&[path], terminal);
    }
    let imported = import(&name_of(path), &Options::default(), &mut Disk::beside(path));
    // What an import leaves out of the description matters to those who keep it.
    if imported.report.diagnostics().iter().any(|told| told.severity == Severity::Error) {
        snippets::report(&imported.report, &imported.sources, terminal);
    }
    match imported.text {
        Some(text) => of_text(&name_of(path), text.as_bytes(), terminal),
        None => Ok(None),
    }
}

/// Compiles a description that is in no file.
fn of_text(name: &str, text: &[u8], terminal: &Terminal) -> Result<Option<CheckedModel>, Failure> {
    let mut load = |asked: &str| if asked == name { Ok(text.to_vec()) } else { Err(LoadError::NotFound) };
    let Compilation { sources, report, model } = compile_files(&[name], &mut load)
        .map_err(|(name, _)| Failure::new(format!("cannot read {name}: there is no such file")))?;
    if model.is_none() {
        snippets::report(&report, &sources, terminal);
    }
    Ok(model)
}
