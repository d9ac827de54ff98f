//! The plan of a description: every value as a typed node, with its operation, its sizes, its memory and its XML form.
//!
//! Generators, exporters and the cost model know wires only through the plan: code, schemas and estimates cannot drift apart. The layouts
//! are those of `spec/wires/binary.md`, `spec/wires/xml.md` and `spec/wires/soap.md`.

// Every match must handle a new kind of value or type.
#![deny(clippy::wildcard_enum_match_arm)]

mod build;
mod encoded;
mod first;
mod json;
mod json_plan;
mod leaf;
mod memory;
mod namespaces;
mod node;
mod plan;
mod record;
mod scalar;
mod secrets;
mod shape;

pub use build::{default_action, draft, namespaces};
pub use encoded::EncodedType;
pub use first::{Grammar, InlineContent, MAX_FIRST, inline_edges, inline_type, is_repeated};
pub use json::{FORMAT, to_json};
pub use leaf::{Leaf, LeafKind, LeafLimits};
pub use node::{ArrayLayout, Charges, Kind, Name, Node, Position, Shape, StringForm, Xml};
pub use plan::{Plan, named};
pub use record::{
    Constant, Content, Declared, Enum, Field, Interface, Message, Method, Record, RunField, Step, Union,
};
pub use scalar::{BulkScalar, FixedScalar, SOAP_ENCODING, XML_SCHEMA, schema_type};
pub use secrets::secrets;
pub use shape::count_size;

use creo_model::{Model, TypeId};

/// Makes the plan of a model that `creo-check` has accepted.
///
/// # Panics
/// If the first sets of the model are larger than [`MAX_FIRST`].
pub fn plan(model: &Model) -> Plan {
    finish(draft(model))
}

fn finish(mut plan: Plan) -> Plan {
    let mut grammar = Grammar::new(&plan).expect("`check` counted the first sets");
    let namespaces = namespaces::Namespaces::new(&plan);
    let of_type = |index: usize| {
        let id = TypeId(index);
        let (namespaces, xsi) = namespaces.of_type(id);
        Content {
            first: grammar.named(grammar.first(id)),
            ambiguous: grammar.is_ambiguous_type(id),
            namespaces,
            xsi,
        }
    };
    let contents: Vec<Content> = (0..plan.types.len()).map(of_type).collect();
    let of_message = |(message, encoded): (&Message, bool)| {
        let fields = &message.record.fields;
        let first = grammar.first_set(fields).expect("`check` counted the first sets");
        let (namespaces, xsi) = namespaces.of_message(message);
        let namespaces = if encoded { plan.encoded_namespaces(message, namespaces) } else { namespaces };
        Content {
            first: grammar.named(&first),
            ambiguous: grammar.is_ambiguous(fields, &first, false),
            namespaces,
            xsi: xsi || encoded,
        }
    };
    let in_messages: Vec<Content> = plan.messages().map(of_message).collect();
    for (declared, content) in plan.types.iter_mut().zip(contents) {
        match declared {
            Declared::Record(record) => record.content = content,
            Declared::Union(union) => union.content = content,
            Declared::Enum(_) => {}
        }
    }
    for (message, content) in plan.messages_mut().zip(in_messages) {
        message.record.content = content;
    }
    plan
}
