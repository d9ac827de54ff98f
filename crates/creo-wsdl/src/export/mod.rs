//! WSDL from a description: what `creo export wsdl` writes, and what a service answers to `?wsdl`.
//!
//! One document, WSDL 1.1, with a schema for each namespace (`docs/wsdl.md`). It says of the XML of messages what `spec/wires/xml.md` and `spec/wires/soap.md` say,
//! and is the same text for the same description.

mod attributes;
mod content;
mod derive;
mod literals;
mod names;
mod node;
mod schema;
mod service;

use creo_check::CheckedModel;
use creo_codegen::{Document, DocumentKind};
use creo_plan::Plan;
use std::fmt;

/// What stands for the address of a service where it is not known yet: one that answers to `?wsdl` puts its own there.
pub use creo_codegen::ADDRESS;

/// The most elements of a document.
const MAX_NODES: usize = 1_000_000;

/// How a WSDL is written.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the service is.
    pub address: String,
    /// Whether there may be a port for SOAP 1.2: next to that for SOAP 1.1, or alone (SOAP-24).
    pub soap12: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { address: ADDRESS.to_owned(), soap12: true }
    }
}

/// Why XML Schema or WSDL cannot say what a description does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Two elements of one name stand at the top of a schema, with different content.
    SameElement {
        name: String,
        namespace: String,
    },
    /// Two types that `xsi:type` names have one name.
    SameType {
        name: String,
        namespace: String,
    },
    TooLarge,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::SameElement { name, namespace } => {
                let advice = "give one another name or namespace by `@Xml`";
                write!(
                    f,
                    "two different elements are called `{name}` in the namespace `{namespace}`, and a schema has one: {advice}"
                )
            }
            Problem::SameType { name, namespace } => {
                let advice = "give one another name or namespace by `@Xml`";
                write!(
                    f,
                    "two types that `xsi:type` tells apart are called `{name}` in the namespace `{namespace}`, and a schema has one: {advice}"
                )
            }
            Problem::TooLarge => {
                write!(f, "so much stands inline that the schema has more than {MAX_NODES} elements")
            }
        }
    }
}

/// The WSDL of each interface, for services to show. Those that no schema can describe are left out.
pub fn documents(model: &CheckedModel, plan: &Plan) -> Vec<Document> {
    let all = model.interfaces.iter().enumerate().filter_map(|(index, interface)| {
        let text = wsdl(model, plan, index, &Options::default()).ok()?;
        Some(Document { kind: DocumentKind::Wsdl, interface: model.interface_name(interface), text })
    });
    all.collect()
}

/// The WSDL of the interface at `interface` of the model's interfaces.
pub fn wsdl(
    model: &CheckedModel,
    plan: &Plan,
    interface: usize,
    options: &Options,
) -> Result<String, Problem> {
    let mut schemas = schema::Schemas::new(model, plan, interface)?;
    let service = service::definitions(&mut schemas, options)?;
    Ok(service.document())
}
