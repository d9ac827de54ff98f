//! A value as the model sees it: its parts, their presence and their lengths, without the value itself.

use crate::forms;
use crate::leaf::Leaf;
use crate::length::Length;
use creo_plan::{Plan, Position, Step};

/// A value of any type.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Leaf(Box<Leaf>),
    /// A struct or exception, a message, or an entry of a map, with fields in declared order.
    Record {
        fields: Vec<Part>,
        layout: RecordLayout,
    },
    /// The possible members, each with its index and its probability.
    Union {
        members: Vec<(usize, f64, Part)>,
        extensible: bool,
    },
    /// Present with the probability `share`; the part is given unless that is 0.
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
    /// Items of the same form, and their number, which is independent of them (COST-13).
    Alike { count: Length, item: Box<Part> },
    /// Individually known items.
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
    /// Whether the value always has the same size on the binary wire.
    pub(crate) fn is_fixed(&self) -> bool {
        match self {
            Part::Leaf(leaf) => leaf.is_fixed,
            Part::Record { layout, .. } => layout.is_fixed,
            Part::Union { .. } | Part::Optional { .. } | Part::Items(_) | Part::Entries(_) => false,
        }
    }
}

/// The plan's properties of a record as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLayout {
    pub extensible: bool,
    /// Whether all values have the same size on the binary wire.
    pub is_fixed: bool,
    /// The number of steps of the binary codec that check the bounds of fixed-size values.
    pub checks: u64,
    /// Whether each field is a separate element in XML, and none is kept as XML.
    pub elements: bool,
}

impl RecordLayout {
    /// An entry of a map, whose key and value are read separately; also an empty message.
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
