//! The actions of methods (SOAP-7, SOAP-55).

use crate::import::mapper::Mapper;
use crate::import::table::QName;
use crate::import::wsdl::{BoundOperation, Operation};
use creo_diag::quote;

impl Mapper<'_> {
    /// The action in a form that a header can hold. With WS-Addressing each method has one.
    pub fn action(&mut self, port_type: &QName, operation: &Operation, says: &BoundOperation) -> String {
        let mut action = says.action.clone().unwrap_or_default();
        if self.addressing && action.is_empty() {
            action = operation.input_action.clone().unwrap_or_else(|| default_action(port_type, operation));
        }
        let mut escaped = String::new();
        for c in action.chars() {
            if uri_character(c) && c.is_ascii() {
                escaped.push(c);
            } else {
                let mut bytes = [0; 4];
                escaped.extend(c.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")));
            }
        }
        if escaped != action {
            let told = format!(
                "the action {} of {} holds characters that no action has: they are escaped",
                quote(&action),
                quote(&operation.name)
            );
            self.left_out(self.table.span(operation.spot), told);
        }
        escaped
    }
}

/// The default WS-Addressing action of an input (WS-Addressing 1.0, metadata, 4.4.4).
fn default_action(port_type: &QName, operation: &Operation) -> String {
    let space = &*port_type.namespace;
    let delimiter = if space.starts_with("urn:") { ":" } else { "/" };
    let own = operation.input.as_ref().and_then(|(_, name)| name.clone());
    let suffix = if operation.output.is_some() { "Request" } else { "" };
    let name = own.unwrap_or_else(|| format!("{}{suffix}", operation.name));
    let space = space.strip_suffix(delimiter).unwrap_or(space);
    format!("{space}{delimiter}{}{delimiter}{name}", port_type.local)
}

/// Whether a URI may hold the character; characters beyond ASCII are allowed here.
pub fn uri_character(c: char) -> bool {
    !(c.is_whitespace()
        || c.is_control()
        || matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`' | '\u{fffe}' | '\u{ffff}'))
}
