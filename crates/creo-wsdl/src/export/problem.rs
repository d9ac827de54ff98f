//! Features of a description that no schema can express.

use std::fmt;

/// The maximum number of elements in a document.
pub const MAX_NODES: usize = 1_000_000;

/// Why XML Schema or WSDL cannot express a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Two top-level elements of a schema have the same name and different content.
    SameElement {
        name: String,
        namespace: String,
    },
    /// Two types that `xsi:type` names have the same name.
    SameType {
        name: String,
        namespace: String,
    },
    TooLarge,
    /// An address of JMS is invalid.
    Address {
        address: String,
        why: String,
    },
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
            Problem::Address { address, why } => {
                write!(f, "{} is no address of JMS: {why}", creo_diag::quote(address))
            }
            Problem::TooLarge => {
                write!(f, "so much is inline that the schema has more than {MAX_NODES} elements")
            }
        }
    }
}
