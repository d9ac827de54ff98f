//! A value as the model sees it: its parts, how often each is there, and how long it is; without the value itself.

use crate::forms;
use crate::leaf::Leaf;
use crate::length::Length;
use creo_model::TypeId;
use creo_model::text::{Place, TextPlan};

/// A value of any type.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Leaf(Box<Leaf>),
    /// A struct or exception, a message, an entry of a map; its fields in declared order.
    Record {
        fields: Vec<Part>,
        extensible: bool,
        /// Whether each field is an element of its own in XML: no attribute, no text.
        elements: bool,
    },
    /// Members that may stand there, each with its index and its probability.
    Union {
        members: Vec<(usize, f64, Part)>,
        extensible: bool,
    },
    /// There with the probability `share`; what would be there, unless that is 0.
    Optional {
        share: f64,
        part: Option<Box<Part>>,
    },
    Items(Items),
    /// Each item is a record of key and value.
    Entries(Items),
}

/// The items of an array, or the entries of a map.
#[derive(Clone, Debug, PartialEq)]
pub enum Items {
    /// Items that are alike, and their number, independent of each other (COST-13).
    Alike { count: Length, item: Box<Part> },
    /// Known one by one.
    Each(Vec<Part>),
}

impl Items {
    pub fn count(&self) -> Length {
        match self {
            Items::Alike { count, .. } => count.clone(),
            Items::Each(items) => Length::Fixed(items.len() as u64),
        }
    }
}

/// Whether each field of a struct or exception is an element of its own in XML, and none is kept as it stands.
pub(crate) fn elements(plan: &TextPlan, id: TypeId) -> bool {
    plan.record(id).fields.iter().all(|field| field.place == Place::Element && forms::least(plan, field) == 0)
}
