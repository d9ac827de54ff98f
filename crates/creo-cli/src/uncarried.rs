//! Methods that not every wire carries: those with streams (CALL-47).

use crate::snippets;
use crate::terminal::Terminal;
use creo_codegen::{Wire, Wires};
use creo_diag::Severity;
use creo_model::{Interface, Method, Model};

const CODE: &str = "stream-not-carried";

/// The max number of names in a message.
const MAX_NAMES: usize = 5;

/// Whether code for these wires can call every method of the description. If not, an error says so.
pub fn check(model: &Model, wires: Wires, terminal: &Terminal) -> bool {
    if wires.has(Wire::Binary) {
        return true;
    }
    let lost = |holds: fn(&Method) -> bool| -> Vec<String> {
        model.interfaces.iter().flat_map(|interface| names(model, interface, holds)).collect()
    };
    let (all, two) = (lost(Method::has_streams), lost(has_two));
    let message = match (wires.has(Wire::Json), all.is_empty(), two.is_empty()) {
        (_, true, _) | (true, _, true) => return true,
        (true, _, false) => {
            format!(
                "{} two streams, which the binary wire alone carries: add `binary` to the wires",
                have(&two)
            )
        }
        (false, ..) => format!(
            "{} streams, which the wires binary and json carry: add `binary` to the wires{}",
            have(&all),
            if two.is_empty() { ", or `json`" } else { "" }
        ),
    };
    snippets::foreign(Severity::Error, CODE, &message, terminal);
    false
}

/// Warns of the methods that the WSDL of an interface leaves out.
pub fn warn_of_wsdl(model: &Model, interface: &Interface, terminal: &Terminal) {
    warn(
        &names(model, interface, Method::has_streams),
        "streams, which the wires binary and json carry: the WSDL",
        terminal,
    );
}

/// Warns of the methods that the OpenAPI document of an interface leaves out.
pub fn warn_of_openapi(model: &Model, interface: &Interface, terminal: &Terminal) {
    warn(
        &names(model, interface, has_two),
        "two streams, which the binary wire alone carries: the OpenAPI document",
        terminal,
    );
}

fn warn(names: &[String], what: &str, terminal: &Terminal) {
    if !names.is_empty() {
        let them = if names.len() == 1 { "it" } else { "them" };
        snippets::foreign(
            Severity::Warning,
            CODE,
            &format!("{} {what} leaves {them} out", have(names)),
            terminal,
        );
    }
}

/// Whether its result and a parameter are streams.
fn has_two(method: &Method) -> bool {
    method.streams_result && method.stream_parameter().is_some()
}

fn names(model: &Model, interface: &Interface, holds: fn(&Method) -> bool) -> Vec<String> {
    let methods = interface.methods.iter().filter(|method| holds(method));
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
