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
mod options;
mod problem;
mod schema;
mod schemas;
mod service;

use creo_check::CheckedModel;
use creo_codegen::{Document, DocumentKind};
use creo_plan::Plan;

/// What stands for the address of a service where it is not known yet: one that answers to `?wsdl` puts its own there.
pub use creo_codegen::ADDRESS;
pub use options::Options;
pub use problem::Problem;

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
    let mut schemas = schemas::Schemas::new(model, plan, interface)?;
    let service = service::definitions(&mut schemas, options)?;
    Ok(service.document())
}
