//! What a message is made of, as numbers: the variables of the time model (COST-20).

use crate::binding::Wire;
use crate::leaf::{Kind, Leaf};
use crate::length::Length;
use crate::part::{Items, Part};
use crate::spread::Spread;
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
    /// Values of a kind in fields of plain structs that are items of arrays.
    Cell(Kind),
    /// Arrays of values with parts, of `Decimal`s, of `byte[]`s, of optionals.
    Array,
    /// Arrays of strings.
    ArrayText,
    /// Arrays of numbers, booleans, instants and enums.
    ArrayNumbers,
    /// Items of arrays that have parts themselves, but are no plain structs.
    Element,
    /// Plain structs that are items of arrays.
    Row,
    /// Fields of a kind of plain structs, once for each array of these.
    Column(Kind),
    /// Arrays, maps and `byte[]` of 128 and more: on the binary wire, whose counts then take more than a byte (BIN-2).
    Long,
    /// On the binary wire, strings of arrays whose strings are all of one length.
    Alike,
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
    /// Strings that are longer than the cut-off.
    TextOver,
    /// Bytes of strings that [`Feature::Alike`] counts.
    TextAlike,
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
            Feature::Row,
            Feature::Long,
            Feature::Alike,
            Feature::Map,
            Feature::Entry,
            Feature::Record,
            Feature::Optional,
            Feature::Union,
        ];
        let bytes = [
            Feature::Text,
            Feature::TextBeyond,
            Feature::TextOver,
            Feature::TextAlike,
            Feature::TextWide,
            Feature::Bytes,
            Feature::RealDigits,
            Feature::Digits,
            Feature::Markup,
        ];
        let leaves =
            kinds().map(Feature::Field).chain(kinds().map(Feature::Item)).chain(kinds().map(Feature::Cell)).chain(kinds().map(Feature::Column));
        std::iter::once(Feature::Message).chain(leaves).chain(structure).chain(bytes).collect()
    }

    /// The name in a profile.
    pub fn word(self) -> String {
        match self {
            Feature::Message => "message".to_owned(),
            Feature::Field(kind) => format!("field.{}", kind.word()),
            Feature::Item(kind) => format!("item.{}", kind.word()),
            Feature::Cell(kind) => format!("cell.{}", kind.word()),
            Feature::Array => "array".to_owned(),
            Feature::ArrayText => "array.text".to_owned(),
            Feature::ArrayNumbers => "array.numbers".to_owned(),
            Feature::Element => "element".to_owned(),
            Feature::Row => "row".to_owned(),
            Feature::Column(kind) => format!("column.{}", kind.word()),
            Feature::Long => "long".to_owned(),
            Feature::Alike => "alike".to_owned(),
            Feature::Map => "map".to_owned(),
            Feature::Entry => "entry".to_owned(),
            Feature::Record => "record".to_owned(),
            Feature::Optional => "optional".to_owned(),
            Feature::Union => "union".to_owned(),
            Feature::Text => "text".to_owned(),
            Feature::TextBeyond => "text.beyond".to_owned(),
            Feature::TextOver => "text.over".to_owned(),
            Feature::TextAlike => "text.alike".to_owned(),
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
    /// Whether strings behind it cost more by themselves.
    pub jump: bool,
    /// The share of strings with characters beyond ASCII.
    pub wide: f64,
}

/// Takes a message apart. `body` is its expected size on the wire.
pub fn features(wire: Wire, part: &Part, body: f64, strings: Strings) -> Features {
    let mut walk = Walk { wire, strings, found: Features::new(), texts: 0.0 };
    walk.add(Feature::Message, 1.0);
    // The message itself is no struct of the description.
    match part {
        Part::Record { fields, .. } => fields.iter().for_each(|field| walk.part(field, 1.0, Place::Field)),
        other => walk.part(other, 1.0, Place::Field),
    }
    if wire != Wire::Binary {
        let markup = (body - walk.texts).max(0.0);
        walk.add(Feature::Markup, markup);
    }
    walk.found
}

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Field,
    Item,
    /// In a field of a plain struct that is an item.
    Cell,
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
    fn part(&mut self, part: &Part, weight: f64, place: Place) {
        let plain = place == Place::Item && self.is_plain(part);
        if place == Place::Item && !matches!(part, Part::Leaf(_) | Part::Optional { .. }) {
            self.add(if plain { Feature::Row } else { Feature::Element }, weight);
        }
        match part {
            Part::Leaf(leaf) => self.leaf(leaf, weight, place),
            Part::Record { fields, .. } if plain => fields.iter().for_each(|field| self.part(field, weight, Place::Cell)),
            Part::Record { fields, .. } => {
                self.add(Feature::Record, weight);
                fields.iter().for_each(|field| self.part(field, weight, Place::Field));
            }
            Part::Union { members, .. } => {
                self.add(Feature::Union, weight);
                members.iter().for_each(|(_, share, part)| self.part(part, weight * share, Place::Field));
            }
            Part::Optional { share, part } => {
                self.add(Feature::Optional, weight);
                if let Some(part) = part {
                    // What may be missing is never moved in bulk.
                    self.part(part, weight * share, Place::Field);
                }
            }
            Part::Items(items) => self.items(items, weight),
            Part::Entries(items) => {
                self.add(Feature::Map, weight);
                self.long(&items.count(), weight);
                match items {
                    Items::Alike { count, item } => self.entry(item, weight * count.mean()),
                    Items::Each(parts) => parts.iter().for_each(|part| self.entry(part, weight)),
                }
            }
        }
    }

    fn items(&mut self, items: &Items, weight: f64) {
        self.add(array(items), weight);
        let (first, count) = match items {
            Items::Alike { count, item } => (Some(item.as_ref()), count.mean()),
            Items::Each(parts) => (parts.first(), parts.len() as f64),
        };
        if let Some(Part::Record { fields, .. }) = first.filter(|part| self.is_plain(part)) {
            for field in fields {
                if let Part::Leaf(leaf) = field {
                    self.add(Feature::Column(leaf.kind), weight);
                }
            }
        }
        self.long(&items.count(), weight);
        if let Some(length) = self.one_length(items) {
            self.add(Feature::Alike, weight * count);
            self.add(Feature::TextAlike, weight * count * length);
            self.add(Feature::TextWide, weight * count * length * self.strings.wide);
            return;
        }
        match items {
            Items::Alike { item, .. } => self.part(item, weight * count, Place::Item),
            Items::Each(parts) => parts.iter().for_each(|part| self.part(part, weight, Place::Item)),
        }
    }

    /// The length of all strings of an array, if they have one on the binary wire, up to the cut-off.
    fn one_length(&self, items: &Items) -> Option<f64> {
        let length = |part: &Part| match part {
            Part::Leaf(leaf) if leaf.kind == Kind::Primitive(Primitive::String) => match leaf.length {
                Some(Length::Fixed(length)) => Some(length),
                _ => None,
            },
            _ => None,
        };
        let found = match items {
            Items::Alike { item, .. } => length(item)?,
            Items::Each(parts) => {
                let first = length(parts.first()?)?;
                parts.iter().all(|part| length(part) == Some(first)).then_some(first)?
            }
        };
        let found = found as f64;
        (self.wire == Wire::Binary && self.strings.cut.is_none_or(|cut| found <= cut)).then_some(found)
    }

    /// A struct of single values that are always there; on the binary wire, of such whose size is fixed.
    fn is_plain(&self, part: &Part) -> bool {
        let fits = |field: &Part| match field {
            Part::Leaf(leaf) => match leaf.kind {
                Kind::Primitive(Primitive::String | Primitive::Decimal) | Kind::Bytes => self.wire != Wire::Binary,
                Kind::Enum => self.wire != Wire::Binary || leaf.binary == Spread::exact(1),
                Kind::Primitive(_) => true,
            },
            _ => false,
        };
        matches!(part, Part::Record { fields, extensible: false } if !fields.is_empty() && fields.iter().all(fits))
    }

    /// Counts those that are long.
    fn long(&mut self, count: &Length, weight: f64) {
        if self.wire == Wire::Binary {
            self.add(Feature::Long, weight * count.expect(|n| if n > 127 { 1.0 } else { 0.0 }));
        }
    }

    fn entry(&mut self, part: &Part, weight: f64) {
        self.add(Feature::Entry, weight);
        if let Part::Record { fields, .. } = part {
            fields.iter().for_each(|field| self.part(field, weight, Place::Field));
        }
    }

    fn leaf(&mut self, leaf: &Leaf, weight: f64, place: Place) {
        let feature = match place {
            Place::Field => Feature::Field(leaf.kind),
            Place::Item => Feature::Item(leaf.kind),
            Place::Cell => Feature::Cell(leaf.kind),
        };
        self.add(feature, weight);
        let text = match self.wire {
            Wire::Binary => 0.0,
            Wire::Soap | Wire::Foreign(_) => leaf.xml.expected,
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
                    if self.strings.jump {
                        self.add(Feature::TextOver, weight * length.expect(|n| if n as f64 > cut { 1.0 } else { 0.0 }));
                    }
                }
            }
            Kind::Bytes => {
                self.add(Feature::Bytes, weight * mean);
                if let Some(length) = length {
                    self.long(length, weight);
                }
            }
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

    const INT: Kind = Kind::Primitive(Primitive::Int);
    const STRING: Kind = Kind::Primitive(Primitive::String);

    fn leaf(primitive: Primitive, length: Length) -> Part {
        Part::Leaf(Box::new(Leaf::assumed(primitive, &length, None)))
    }

    fn record(fields: Vec<Part>) -> Part {
        Part::Record { fields, extensible: false }
    }

    /// A message of one array.
    fn found(wire: Wire, count: u64, item: Part, strings: Strings) -> Features {
        let items = Part::Items(Items::Alike { count: Length::Fixed(count), item: Box::new(item) });
        features(wire, &record(vec![items]), 0.0, strings)
    }

    #[test]
    fn fields_of_plain_structs_are_cells_where_these_are_items() {
        let point = || record(vec![leaf(Primitive::Int, Length::Fixed(0)), leaf(Primitive::Int, Length::Fixed(0))]);
        for wire in Wire::ALL {
            let many = found(wire, 5, point(), Strings::default());
            assert_eq!((many[&Feature::Row], many[&Feature::Cell(INT)], many[&Feature::Column(INT)]), (5.0, 10.0, 2.0), "{}", wire.word());
            assert!(!many.contains_key(&Feature::Record) && !many.contains_key(&Feature::Field(INT)) && !many.contains_key(&Feature::Element));
        }
        let alone = features(Wire::Binary, &record(vec![point()]), 0.0, Strings::default());
        assert_eq!((alone[&Feature::Record], alone[&Feature::Field(INT)]), (1.0, 2.0));
        // On the binary wire a string has no fixed size; on the others it is a text like any.
        let named = || record(vec![leaf(Primitive::Int, Length::Fixed(0)), leaf(Primitive::String, Length::Fixed(3))]);
        assert_eq!(found(Wire::Binary, 5, named(), Strings::default())[&Feature::Field(STRING)], 5.0);
        assert_eq!(found(Wire::Soap, 5, named(), Strings::default())[&Feature::Cell(STRING)], 5.0);
        // Neither is plain what holds an array.
        let loose = record(vec![leaf(Primitive::Int, Length::Fixed(0)), Part::Items(Items::Each(Vec::new()))]);
        assert_eq!(found(Wire::Soap, 5, loose, Strings::default())[&Feature::Element], 5.0);
    }

    #[test]
    fn optional_items_count_as_fields() {
        let item = Part::Optional { share: 0.5, part: Some(Box::new(leaf(Primitive::Int, Length::Fixed(0)))) };
        let many = found(Wire::Binary, 10, item, Strings::default());
        assert_eq!((many[&Feature::Optional], many[&Feature::Field(INT)]), (10.0, 5.0));
        assert!(!many.contains_key(&Feature::Item(INT)));
    }

    #[test]
    fn strings_of_one_length_and_long_ones() {
        let cut = Strings { cut: Some(100.0), jump: true, wide: 0.0 };
        let alike = found(Wire::Binary, 200, leaf(Primitive::String, Length::Fixed(10)), cut);
        assert_eq!((alike[&Feature::Alike], alike[&Feature::TextAlike], alike[&Feature::Long]), (200.0, 2_000.0, 1.0));
        assert!(!alike.contains_key(&Feature::Item(STRING)));
        let unlike = found(Wire::Binary, 100, leaf(Primitive::String, Length::Uniform(9, 11)), cut);
        assert_eq!((unlike[&Feature::Item(STRING)], unlike[&Feature::Text]), (100.0, 1_000.0));
        assert!(!unlike.contains_key(&Feature::Long) && !unlike.contains_key(&Feature::TextOver));
        let over = found(Wire::Binary, 100, leaf(Primitive::String, Length::Fixed(150)), cut);
        assert_eq!((over[&Feature::Item(STRING)], over[&Feature::TextOver], over[&Feature::TextBeyond]), (100.0, 100.0, 5_000.0));
        let text = found(Wire::Json, 200, leaf(Primitive::String, Length::Fixed(10)), cut);
        assert_eq!(text[&Feature::Item(STRING)], 200.0);
        assert!(!text.contains_key(&Feature::Alike) && !text.contains_key(&Feature::Long));
    }
}
