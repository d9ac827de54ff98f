//! A value as the model sees it: its parts, how often each is there, and how long it is; without the value itself.

use crate::forms;
use crate::leaf::Leaf;
use crate::length::Length;
use creo_plan::{Plan, Position, Step};

/// A value of any type.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Leaf(Box<Leaf>),
    /// A struct or exception, a message, an entry of a map; its fields in declared order.
    Record {
        fields: Vec<Part>,
        layout: RecordLayout,
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

impl Part {
    /// Whether the value always takes the same bytes on the binary wire.
    pub(crate) fn is_fixed(&self) -> bool {
        match self {
            Part::Leaf(leaf) => leaf.is_fixed,
            Part::Record { layout, .. } => layout.is_fixed,
            Part::Union { .. } | Part::Optional { .. } | Part::Items(_) | Part::Entries(_) => false,
        }
    }
}

/// What the plan says of a record as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLayout {
    pub extensible: bool,
    /// Whether all values take the same bytes on the binary wire.
    pub is_fixed: bool,
    /// How many steps of the binary codec check the bounds of values of fixed size.
    pub checks: u64,
    /// Whether each field is an element of its own in XML, and none is kept as it is.
    pub elements: bool,
}

impl RecordLayout {
    /// An entry of a map, whose key and value are read one by one; also a message that holds nothing.
    pub(crate) const ENTRY: RecordLayout =
        RecordLayout { extensible: false, is_fixed: false, checks: 0, elements: true };

    pub(crate) fn of(plan: &Plan, record: &creo_plan::Record) -> RecordLayout {
        let is_checked = |step: &Step| match step {
            Step::Run { .. } => true,
            Step::Field(index) => record.fields[*index].node.shape.fixed_size.is_some(),
        };
        let is_element = |field: &creo_plan::Field| {
            field.node.xml.position == Position::Element && forms::min_text(plan, &field.node) == 0
        };
        RecordLayout {
            extensible: record.extensible,
            is_fixed: record.shape.fixed_size.is_some(),
            checks: record.steps(u64::MAX).iter().filter(|step| is_checked(step)).count() as u64,
            elements: record.fields.iter().all(is_element),
        }
    }
}
