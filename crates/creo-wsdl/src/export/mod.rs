//! WSDL from a description: the output of `creo export wsdl`, and a service's answer to `?wsdl`.
//!
//! One WSDL 1.1 document with a schema for each namespace (`docs/wsdl.md`). It describes the XML of `spec/wires/xml.md` and
//! `spec/wires/soap.md`. The same description always gives the same text.

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

pub use crate::jms::is_address as is_jms;
/// The placeholder for a service address that is not known yet. A service that answers `?wsdl` replaces it with its own address.
pub use creo_codegen::ADDRESS;
pub use options::Options;
pub use problem::Problem;

/// The WSDL of each interface, for services to publish. Interfaces that no schema can describe are skipped.
pub fn documents(model: &CheckedModel, plan: &Plan) -> Vec<Document> {
    let all = model.interfaces.iter().enumerate().filter_map(|(index, interface)| {
        let text = wsdl(model, plan, index, &Options::default()).ok()?;
        Some(Document { kind: DocumentKind::Wsdl, interface: model.interface_name(interface), text })
    });
    all.collect()
}

/// The WSDL of the interface with this index in the model.
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
