//! What a message is made of, as numbers: the variables of the time model (COST-20).

use crate::binding::Wire;
use crate::leaf::{Kind, Leaf};
use crate::part::{Items, Part};
use creo_model::Primitive;
use std::collections::BTreeMap;

/// A variable of the time model. Its order is that of profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// 1 in every message.
    Message,
    /// Values of a kind in fields, parameters, members and entries.
    Field(Kind),
    /// Values of a kind as items of arrays.
    Item(Kind),
    /// Arrays of values with parts, of `Decimal`s, of `byte[]`s, of optionals.
    Array,
    /// Arrays of strings.
    ArrayText,
    /// Arrays of numbers, booleans, instants and enums.
    ArrayNumbers,
    /// Items of arrays that have parts themselves.
    Element,
    Map,
    Entry,
    /// Structs and exceptions.
    Record,
    /// Optionals, there or not.
    Optional,
    Union,
    /// Bytes of strings, in UTF-8.
    Text,
    /// Bytes of strings behind the cut-off (COST-22).
    TextBeyond,
    /// Bytes of strings with characters beyond ASCII.
    TextWide,
    /// Bytes of `byte[]`.
    Bytes,
    /// Bytes of the texts of `float` and `double`. None on the binary wire.
    RealDigits,
    /// Bytes of the text of all other values; on the binary wire, of `Decimal`s.
    Digits,
    /// Bytes that are no value's text: tags, names, indices, envelopes. None on the binary wire.
    Markup,
}

/// All kinds of leaves.
pub fn kinds() -> impl Iterator<Item = Kind> {
    Primitive::ALL.into_iter().map(Kind::Primitive).chain([Kind::Bytes, Kind::Enum])
}

impl Feature {
    pub fn all() -> Vec<Feature> {
        let structure = [
            Feature::Array,
            Feature::ArrayText,
            Feature::ArrayNumbers,
            Feature::Element,
            Feature::Map,
            Feature::Entry,
            Feature::Record,
            Feature::Optional,
            Feature::Union,
        ];
        let bytes = [Feature::Text, Feature::TextBeyond, Feature::TextWide, Feature::Bytes, Feature::RealDigits, Feature::Digits, Feature::Markup];
        let leaves = kinds().map(Feature::Field).chain(kinds().map(Feature::Item));
        std::iter::once(Feature::Message).chain(leaves).chain(structure).chain(bytes).collect()
    }

    /// The name in a profile.
    pub fn word(self) -> String {
        match self {
            Feature::Message => "message".to_owned(),
            Feature::Field(kind) => format!("field.{}", kind.word()),
            Feature::Item(kind) => format!("item.{}", kind.word()),
            Feature::Array => "array".to_owned(),
            Feature::ArrayText => "array.text".to_owned(),
            Feature::ArrayNumbers => "array.numbers".to_owned(),
            Feature::Element => "element".to_owned(),
            Feature::Map => "map".to_owned(),
            Feature::Entry => "entry".to_owned(),
            Feature::Record => "record".to_owned(),
            Feature::Optional => "optional".to_owned(),
            Feature::Union => "union".to_owned(),
            Feature::Text => "text".to_owned(),
            Feature::TextBeyond => "text.beyond".to_owned(),
            Feature::TextWide => "text.wide".to_owned(),
            Feature::Bytes => "bytes".to_owned(),
            Feature::RealDigits => "digits.real".to_owned(),
            Feature::Digits => "digits".to_owned(),
            Feature::Markup => "markup".to_owned(),
        }
    }

    pub fn from_word(word: &str) -> Option<Feature> {
        Feature::all().into_iter().find(|feature| feature.word() == word)
    }
}

/// How much of each there is, on average; what is not named is 0.
pub type Features = BTreeMap<Feature, f64>;

/// What strings are, beyond their lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strings {
    /// The cut-off of the wire, in bytes.
    pub cut: Option<f64>,
    /// The share of strings with characters beyond ASCII.
    pub wide: f64,
}

/// Takes a message apart. `body` is its expected size on the wire.
pub fn features(wire: Wire, part: &Part, body: f64, strings: Strings) -> Features {
    let mut walk = Walk { wire, strings, found: Features::new(), texts: 0.0 };
    walk.add(Feature::Message, 1.0);
    // The message itself is no struct of the description.
    match part {
        Part::Record { fields, .. } => fields.iter().for_each(|field| walk.part(field, 1.0, false)),
        other => walk.part(other, 1.0, false),
    }
    if wire != Wire::Binary {
        let markup = (body - walk.texts).max(0.0);
        walk.add(Feature::Markup, markup);
    }
    walk.found
}

struct Walk {
    wire: Wire,
    strings: Strings,
    found: Features,
    /// Bytes of all values' texts.
    texts: f64,
}

impl Walk {
    fn add(&mut self, feature: Feature, amount: f64) {
        if amount > 0.0 {
            *self.found.entry(feature).or_insert(0.0) += amount;
        }
    }

    /// A part that is there `weight` times.
    fn part(&mut self, part: &Part, weight: f64, item: bool) {
        if item && !matches!(part, Part::Leaf(_) | Part::Optional { .. }) {
            self.add(Feature::Element, weight);
        }
        match part {
            Part::Leaf(leaf) => self.leaf(leaf, weight, item),
            Part::Record { fields, .. } => {
                self.add(Feature::Record, weight);
                fields.iter().for_each(|field| self.part(field, weight, false));
            }
            Part::Union { members, .. } => {
                self.add(Feature::Union, weight);
                members.iter().for_each(|(_, share, part)| self.part(part, weight * share, false));
            }
            Part::Optional { share, part } => {
                self.add(Feature::Optional, weight);
                if let Some(part) = part {
                    self.part(part, weight * share, item);
                }
            }
            Part::Items(items) => {
                self.add(array(items), weight);
                match items {
                    Items::Alike { count, item } => self.part(item, weight * count.mean(), true),
                    Items::Each(parts) => parts.iter().for_each(|part| self.part(part, weight, true)),
                }
            }
            Part::Entries(items) => {
                self.add(Feature::Map, weight);
                match items {
                    Items::Alike { count, item } => self.entry(item, weight * count.mean()),
                    Items::Each(parts) => parts.iter().for_each(|part| self.entry(part, weight)),
                }
            }
        }
    }

    fn entry(&mut self, part: &Part, weight: f64) {
        self.add(Feature::Entry, weight);
        if let Part::Record { fields, .. } = part {
            fields.iter().for_each(|field| self.part(field, weight, false));
        }
    }

    fn leaf(&mut self, leaf: &Leaf, weight: f64, item: bool) {
        self.add(if item { Feature::Item(leaf.kind) } else { Feature::Field(leaf.kind) }, weight);
        let text = match self.wire {
            Wire::Binary => 0.0,
            Wire::Soap => leaf.xml.expected,
            Wire::Table(_) | Wire::TableInSoap(_) => leaf.table.expected,
            Wire::Json => leaf.json.expected,
        };
        self.texts += weight * text;
        let length = leaf.length.as_ref();
        let mean = length.map_or(0.0, |length| length.mean());
        match leaf.kind {
            Kind::Primitive(Primitive::String) => {
                self.add(Feature::Text, weight * mean);
                self.add(Feature::TextWide, weight * mean * self.strings.wide);
                if let (Some(cut), Some(length)) = (self.strings.cut, length) {
                    self.add(Feature::TextBeyond, weight * length.expect(|n| (n as f64 - cut).max(0.0)));
                }
            }
            Kind::Bytes => self.add(Feature::Bytes, weight * mean),
            Kind::Primitive(Primitive::Float | Primitive::Double) => self.add(Feature::RealDigits, weight * text),
            Kind::Primitive(Primitive::Decimal) if self.wire == Wire::Binary => self.add(Feature::Digits, weight * mean),
            Kind::Primitive(_) | Kind::Enum => self.add(Feature::Digits, weight * text),
        }
    }
}

/// Arrays cost by what they hold: on the binary wire, numbers are moved in bulk (BIN-7).
fn array(items: &Items) -> Feature {
    let item = match items {
        Items::Alike { item, .. } => Some(item.as_ref()),
        Items::Each(parts) => parts.first(),
    };
    match item {
        Some(Part::Leaf(leaf)) => match leaf.kind {
            Kind::Primitive(Primitive::String) => Feature::ArrayText,
            Kind::Primitive(Primitive::Decimal) | Kind::Bytes => Feature::Array,
            Kind::Primitive(_) | Kind::Enum => Feature::ArrayNumbers,
        },
        _ => Feature::Array,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unlike_one_another() {
        for feature in Feature::all() {
            assert_eq!(Feature::from_word(&feature.word()), Some(feature));
        }
    }
}
