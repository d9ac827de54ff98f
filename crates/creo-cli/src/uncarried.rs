//! Methods that only the binary wire carries: those with streams (CALL-47).

use crate::snippets;
use crate::terminal::Terminal;
use creo_codegen::{Wire, Wires};
use creo_diag::Severity;
use creo_model::{Interface, Model};

const CODE: &str = "stream-not-carried";

/// The max number of names in a message.
const MAX_NAMES: usize = 5;

/// Whether code for these wires can call every method of the description. If not, an error says so.
pub fn check(model: &Model, wires: Wires, terminal: &Terminal) -> bool {
    let names: Vec<String> = model.interfaces.iter().flat_map(|interface| names(model, interface)).collect();
    let is_fine = wires.has(Wire::Binary) || names.is_empty();
    if !is_fine {
        let message = format!(
            "{} streams, which the binary wire alone carries: add `binary` to the wires",
            have(&names)
        );
        snippets::foreign(Severity::Error, CODE, &message, terminal);
    }
    is_fine
}

/// Warns of the methods that a document of an interface leaves out.
pub fn warn(model: &Model, interface: &Interface, document: &str, terminal: &Terminal) {
    let names = names(model, interface);
    if !names.is_empty() {
        let message = format!(
            "{} streams, which the binary wire alone carries: the {document} leaves {} out",
            have(&names),
            if names.len() == 1 { "it" } else { "them" }
        );
        snippets::foreign(Severity::Warning, CODE, &message, terminal);
    }
}

fn names(model: &Model, interface: &Interface) -> Vec<String> {
    let methods = interface.methods.iter().filter(|method| method.has_streams());
    methods.map(|method| format!("`{}.{}`", model.interface_name(interface), method.name)).collect()
}

/// `` `a.B.c`, `a.B.d` and 3 more have ``
fn have(names: &[String]) -> String {
    match names {
        [name] => format!("{name} has"),
        _ if names.len() <= MAX_NAMES => format!("{} have", names.join(", ")),
        _ => format!("{} and {} more have", names[..MAX_NAMES].join(", "), names.len() - MAX_NAMES),
    }
}
