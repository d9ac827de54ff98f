//! XML documents as tables of the tdxml wire, and back: `spec/wires/tdxml.md`, section 8.
//!
//! Both directions stream: memory grows with the depth of a document and the number of its different names, not with its size. Nothing here
//! opens files: the caller supplies an input that can be read twice.

mod decode;
mod encode;
mod error;
mod escape;
mod learn;
mod limits;
mod nodes;
mod plan;
mod rows;
mod schema;
mod sort;
mod streams;
mod table;
mod tokens;
pub mod xml;

pub use error::{Code, Failure, Mistake, Result};
pub use streams::{Input, Scheme, Scratch};

use encode::Rows;
use learn::Learner;
use nodes::Gaps;
use plan::Plan;
use std::io::{self, Write};

/// Writes an XML document as a table with its schema. Nothing is written if the document has a mistake.
pub fn encode(input: &mut dyn Input, scheme: Scheme, out: &mut dyn Write) -> Result<()> {
    let mut learner = Gaps::new(Learner::default());
    xml::parse(input.open().map_err(Failure::Read)?, xml::Options::default(), &mut learner)?;
    let plan = Plan::new(&learner.nodes, scheme);
    drop(learner);
    let table = match scheme {
        Scheme::Aggregated => "CT",
        Scheme::Record => "RT",
    };
    write!(out, "<Env xmlns=\"{}\"><DS>\n{}</DS><{table}>\n", table::NAMESPACE, plan.schema())
        .map_err(Failure::Write)?;
    let mut rows = Gaps::new(Rows::new(&plan, scheme, out));
    xml::parse(input.open().map_err(Failure::Read)?, xml::Options::default(), &mut rows)?;
    writeln!(out, "</{table}></Env>").and_then(|()| out.flush()).map_err(Failure::Write)
}

/// Writes the XML document of a table with its schema. Nothing is written if the table has a mistake. `scratch` creates a temporary file
/// for large tables whose rows are not in schema order.
pub fn decode(
    input: &mut dyn Input,
    scratch: &mut dyn FnMut() -> io::Result<Box<dyn Scratch>>,
    out: &mut dyn Write,
) -> Result<()> {
    match decode::stream(input, &mut io::sink()) {
        Ok(()) => decode::stream(input, out),
        Err(Failure::Refused(mistake)) if mistake.order => decode::sorted(input, scratch, out),
        Err(failure) => Err(failure),
    }?;
    out.flush().map_err(Failure::Write)
}
