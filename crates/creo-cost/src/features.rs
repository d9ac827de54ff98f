//! What a message is made of, as numbers: the variables of the time model (COST-20).

use crate::binding::{Direction, OnWire, Wire};
use crate::leaf::{Kind, Leaf};
use crate::length::Length;
use crate::part::{Items, Part};
use crate::spread::Spread;
use creo_model::Primitive;
use std::collections::BTreeMap;

/// A variable of the time model. Its order is that of profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// 1 in every request that holds something.
    Message,
    /// 1 in every response that holds something.
    Response,
    /// 1 in every request that holds nothing.
    Empty,
    /// 1 in every response that holds nothing.
    EmptyResponse,
    /// 1 in every response that is an optional, there or not.
    OptionalResponse,
    /// Values of a kind that stand alone: in parameters and fields beneath no array, in optionals, members and entries.
    Single(Kind),
    /// Values of a kind in fields that all items of an array have.
    Field(Kind),
    /// Values of a kind as items of arrays.
    Item(Kind),
    /// Values of a kind in fields of plain structs that are items of arrays.
    Cell(Kind),
    /// Arrays of single values of a kind.
    Array(Kind),
    /// Arrays of values with parts and of optionals.
    Arrays,
    /// Items of arrays that have parts themselves, but are no plain structs.
    Element,
    /// Plain structs that are items of arrays.
    Row,
    /// Structs within those.
    RowInner,
    /// Fields of a kind of plain structs, once for each array of these.
    Column(Kind),
    /// Optional fields of plain structs that are items of arrays, there or not.
    CellOptional,
    /// Fields of other structs that are items of arrays, and optional fields of plain ones, once for each array.
    Columns,
    /// Of fields that some structs of an array have and some have not: 1 for each struct where half of them have it, and less the more they are alike.
    Mixed,
    /// Arrays, maps and `byte[]` of 128 and more: on the binary wire, whose counts then take more than a byte (BIN-2).
    Long,
    /// On the binary wire, strings of arrays whose strings are all of one length.
    Alike,
    Map,
    Entry,
    /// Entries whose key is no string.
    Key,
    /// Structs and exceptions that stand alone.
    SingleRecord,
    /// Those that are items of arrays, or fields that all of these have; without rows.
    Record,
    /// Optionals, there or not.
    Optional,
    /// Those that are there and have parts: some targets hold them apart.
    OptionalParts,
    Union,
    /// Attributes of elements, on SOAP. The values in them count as others do.
    Attribute,
    /// Bytes of strings, in UTF-8.
    Text,
    /// Bytes of strings behind the cut-off (COST-22).
    TextBeyond,
    /// Strings that are longer than the cut-off, but are no items of arrays.
    TextOver,
    /// Those that are.
    TextOverItem,
    /// Bytes of strings that [`Feature::Alike`] counts.
    TextAlike,
    /// Bytes of strings in rows.
    TextCell,
    /// Bytes of strings with characters beyond ASCII.
    TextWide,
    /// Bytes of `byte[]`.
    Bytes,
    /// Those behind a cut-off of their own (COST-22).
    BytesBeyond,
    /// Bytes of the texts of `float` and `double`. None on the binary wire.
    RealDigits,
    /// Bytes of the text of all other values; on the binary wire, of `Decimal`s.
    Digits,
    /// Bytes that are no value's text: tags, names, indices, envelopes; without those of rows. None on the binary wire.
    Markup,
    /// Those of rows: of all such bytes as great a share as rows have of the values.
    MarkupRow,
    /// Values, without the items of arrays of single values, behind a number of them (COST-29).
    Many,
}

/// All kinds of leaves.
pub fn kinds() -> impl Iterator<Item = Kind> {
    Primitive::ALL.into_iter().map(Kind::Primitive).chain([Kind::Bytes, Kind::Enum])
}

impl Feature {
    pub fn all() -> Vec<Feature> {
        let structure = [
            Feature::Arrays,
            Feature::Element,
            Feature::Row,
            Feature::RowInner,
            Feature::CellOptional,
            Feature::Columns,
            Feature::Mixed,
            Feature::Long,
            Feature::Alike,
            Feature::Map,
            Feature::Entry,
            Feature::Key,
            Feature::SingleRecord,
            Feature::Record,
            Feature::Optional,
            Feature::OptionalParts,
            Feature::Union,
            Feature::Attribute,
        ];
        let bytes = [
            Feature::Text,
            Feature::TextBeyond,
            Feature::TextOver,
            Feature::TextOverItem,
            Feature::TextAlike,
            Feature::TextCell,
            Feature::TextWide,
            Feature::Bytes,
            Feature::BytesBeyond,
            Feature::RealDigits,
            Feature::Digits,
            Feature::Markup,
            Feature::MarkupRow,
            Feature::Many,
        ];
        let leaves = [Feature::Single, Feature::Field, Feature::Item, Feature::Array, Feature::Cell, Feature::Column]
            .into_iter()
            .flat_map(|of| kinds().map(of));
        let messages = [Feature::Message, Feature::Response, Feature::Empty, Feature::EmptyResponse, Feature::OptionalResponse];
        messages.into_iter().chain(leaves).chain(structure).chain(bytes).collect()
    }

    /// The name in a profile.
    pub fn word(self) -> String {
        match self {
            Feature::Message => "message".to_owned(),
            Feature::Response => "response".to_owned(),
            Feature::Empty => "empty".to_owned(),
            Feature::EmptyResponse => "empty.response".to_owned(),
            Feature::OptionalResponse => "optional.response".to_owned(),
            Feature::Single(kind) => format!("single.{}", kind.word()),
            Feature::Field(kind) => format!("field.{}", kind.word()),
            Feature::Item(kind) => format!("item.{}", kind.word()),
            Feature::Cell(kind) => format!("cell.{}", kind.word()),
            Feature::Array(kind) => format!("array.{}", kind.word()),
            Feature::Arrays => "array".to_owned(),
            Feature::Element => "element".to_owned(),
            Feature::Row => "row".to_owned(),
            Feature::RowInner => "row.inner".to_owned(),
            Feature::Column(kind) => format!("column.{}", kind.word()),
            Feature::CellOptional => "cell.optional".to_owned(),
            Feature::Columns => "columns".to_owned(),
            Feature::Mixed => "mixed".to_owned(),
            Feature::Long => "long".to_owned(),
            Feature::Alike => "alike".to_owned(),
            Feature::Map => "map".to_owned(),
            Feature::Entry => "entry".to_owned(),
            Feature::Key => "key".to_owned(),
            Feature::SingleRecord => "single.record".to_owned(),
            Feature::Record => "record".to_owned(),
            Feature::Optional => "optional".to_owned(),
            Feature::OptionalParts => "optional.parts".to_owned(),
            Feature::Union => "union".to_owned(),
            Feature::Attribute => "attribute".to_owned(),
            Feature::Text => "text".to_owned(),
            Feature::TextBeyond => "text.beyond".to_owned(),
            Feature::TextOver => "text.over".to_owned(),
            Feature::TextOverItem => "text.over.item".to_owned(),
            Feature::TextAlike => "text.alike".to_owned(),
            Feature::TextCell => "text.cell".to_owned(),
            Feature::TextWide => "text.wide".to_owned(),
            Feature::Bytes => "bytes".to_owned(),
            Feature::BytesBeyond => "bytes.beyond".to_owned(),
            Feature::RealDigits => "digits.real".to_owned(),
            Feature::Digits => "digits".to_owned(),
            Feature::Markup => "markup".to_owned(),
            Feature::MarkupRow => "markup.row".to_owned(),
            Feature::Many => "many".to_owned(),
        }
    }

    /// A byte behind a cut-off may cost less than one before it, and an attribute less than an element.
    pub fn may_be_negative(self) -> bool {
        matches!(self, Feature::TextBeyond | Feature::BytesBeyond | Feature::Attribute)
    }

    pub fn from_word(word: &str) -> Option<Feature> {
        Feature::all().into_iter().find(|feature| feature.word() == word)
    }
}

/// How much of each there is, on average; what is not named is 0.
pub type Features = BTreeMap<Feature, f64>;

/// What is known beside the parts of a message: where the lines of a wire bend, and what strings are beyond their lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bends {
    /// The cut-off of strings, in bytes (COST-22).
    pub cut: Option<f64>,
    /// Whether strings behind it cost more by themselves.
    pub jump: bool,
    /// The cut-off of `byte[]`, in bytes (COST-22).
    pub bytes: Option<f64>,
    /// The number of values behind which each costs more (COST-29).
    pub many: Option<f64>,
    /// The share of strings with characters beyond ASCII.
    pub wide: f64,
}

/// Takes a message apart.
pub fn features(wire: Wire, direction: Direction, part: &Part, on_wire: OnWire, bends: Bends) -> Features {
    let mut walk = Walk { wire, bends, found: Features::new(), texts: 0.0, values: 0.0, single: 0.0, cells: 0.0 };
    let message = match (direction, is_empty(part)) {
        (Direction::Request, true) => Feature::Empty,
        (Direction::Request, false) => Feature::Message,
        (Direction::Response, true) => Feature::EmptyResponse,
        (Direction::Response, false) => Feature::Response,
    };
    walk.add(message, 1.0);
    if direction == Direction::Response && matches!(part, Part::Record { fields, .. } if matches!(fields[..], [Part::Optional { .. }])) {
        walk.add(Feature::OptionalResponse, 1.0);
    }
    walk.add(Feature::Attribute, on_wire.attributes);
    // The message itself is no struct of the description; but in JSON the parameters stand in an object, and a result does not (JSON-20, JSON-21).
    if wire == Wire::Json && direction == Direction::Request {
        walk.add(Feature::SingleRecord, 1.0);
    }
    match part {
        Part::Record { fields, .. } => fields.iter().for_each(|field| walk.part(field, 1.0, Place::Single)),
        other => walk.part(other, 1.0, Place::Single),
    }
    if wire != Wire::Binary {
        let markup = (on_wire.body - walk.texts).max(0.0);
        let of_rows = if walk.single > 0.0 { markup * walk.cells / walk.single } else { 0.0 };
        walk.add(Feature::MarkupRow, of_rows);
        walk.add(Feature::Markup, markup - of_rows);
    }
    if let Some(bend) = bends.many {
        walk.add(Feature::Many, (walk.values - bend).max(0.0));
    }
    walk.found
}

/// How many values a message has, on average, without the items of arrays of single values.
pub fn values(wire: Wire, part: &Part) -> f64 {
    features(wire, Direction::Request, part, OnWire::default(), Bends { many: Some(0.0), ..Bends::default() })
        .get(&Feature::Many)
        .copied()
        .unwrap_or(0.0)
}

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Beneath no array, or beneath one within something that not all items have alike.
    Single,
    /// In a field of a struct that is an item.
    Field,
    Item,
    /// In a field of a plain struct that is an item.
    Cell,
}

impl Place {
    /// Of a field of a struct at this place.
    fn field(self) -> Place {
        if self == Place::Single { Place::Single } else { Place::Field }
    }
}

struct Walk {
    wire: Wire,
    bends: Bends,
    found: Features,
    /// Bytes of all values' texts.
    texts: f64,
    /// All values but the items of arrays of single values.
    values: f64,
    /// Single values, and those of them in rows.
    single: f64,
    cells: f64,
}

impl Walk {
    fn add(&mut self, feature: Feature, amount: f64) {
        if amount > 0.0 {
            *self.found.entry(feature).or_insert(0.0) += amount;
        }
    }

    /// A part that is there `weight` times.
    fn part(&mut self, part: &Part, weight: f64, place: Place) {
        if place != Place::Item || !matches!(part, Part::Leaf(_)) {
            self.values += weight;
        }
        if let (Place::Item, Part::Record { fields, .. }) = (place, part)
            && self.is_plain(part)
        {
            self.add(Feature::Row, weight);
            self.row(fields, weight);
            return;
        }
        if place == Place::Item && !matches!(part, Part::Leaf(_) | Part::Optional { .. }) {
            self.add(Feature::Element, weight);
        }
        match part {
            Part::Leaf(leaf) => self.leaf(leaf, weight, place),
            Part::Record { fields, .. } => {
                self.add(if place == Place::Single { Feature::SingleRecord } else { Feature::Record }, weight);
                fields.iter().for_each(|field| self.part(field, weight, place.field()));
            }
            Part::Union { members, .. } => {
                self.add(Feature::Union, weight);
                members.iter().for_each(|(_, share, part)| self.part(part, weight * share, Place::Single));
            }
            Part::Optional { share, part } => {
                self.add(Feature::Optional, weight);
                if let Some(part) = part {
                    if !matches!(part.as_ref(), Part::Leaf(_)) {
                        self.add(Feature::OptionalParts, weight * share);
                    }
                    // What may be missing is never moved in bulk.
                    self.part(part, weight * share, Place::Single);
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

    /// What is in a plain struct that is an item, or within one.
    fn row(&mut self, fields: &[Part], weight: f64) {
        for field in fields {
            match field {
                Part::Record { fields, .. } => {
                    self.values += weight;
                    self.add(Feature::RowInner, weight);
                    self.row(fields, weight);
                }
                Part::Optional { share, part } => {
                    self.add(Feature::CellOptional, weight);
                    if let Some(part) = part {
                        self.part(part, weight * share, Place::Cell);
                    }
                }
                single => self.part(single, weight, Place::Cell),
            }
        }
    }

    fn items(&mut self, items: &Items, weight: f64) {
        self.add(array(items), weight);
        let (first, count) = match items {
            Items::Alike { count, item } => (Some(item.as_ref()), count.mean()),
            Items::Each(parts) => (parts.first(), parts.len() as f64),
        };
        if let Some(item @ Part::Record { fields, .. }) = first {
            self.columns(fields, self.is_plain(item), weight);
            let mixed: f64 = (0..fields.len()).map(|i| share(items, i)).map(|share| 4.0 * share * (1.0 - share)).sum();
            self.add(Feature::Mixed, weight * count * mixed);
        }
        self.long(&items.count(), weight);
        if let Some(length) = self.one_length(items) {
            self.add(Feature::Alike, weight * count);
            self.add(Feature::TextAlike, weight * count * length);
            self.add(Feature::TextWide, weight * count * length * self.bends.wide);
            return;
        }
        match items {
            Items::Alike { item, .. } => self.part(item, weight * count, Place::Item),
            Items::Each(parts) => parts.iter().for_each(|part| self.part(part, weight, Place::Item)),
        }
    }

    /// The fields of the structs of an array, and of structs within them.
    fn columns(&mut self, fields: &[Part], plain: bool, weight: f64) {
        for field in fields {
            match field {
                Part::Record { fields, .. } => self.columns(fields, plain, weight),
                Part::Leaf(leaf) if plain => self.add(Feature::Column(leaf.kind), weight),
                _ => self.add(Feature::Columns, weight),
            }
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
        (self.wire == Wire::Binary && self.bends.cut.is_none_or(|cut| found <= cut)).then_some(found)
    }

    /// A struct of single values and of such structs; on the binary wire, of values alone that are always there and whose size is fixed.
    fn is_plain(&self, part: &Part) -> bool {
        let text = self.wire != Wire::Binary;
        // In a table a struct within another has rows of its own.
        let nested = matches!(self.wire, Wire::Soap | Wire::Json | Wire::Foreign(_));
        let least = if text && !nested { 2 } else { 1 };
        let fits = |field: &Part| match field {
            Part::Leaf(leaf) => match leaf.kind {
                Kind::Primitive(Primitive::String | Primitive::Decimal) | Kind::Bytes => text,
                Kind::Enum => text || leaf.binary == Spread::exact(1),
                Kind::Primitive(_) => true,
            },
            Part::Optional { part, .. } => text && part.as_ref().is_none_or(|part| matches!(part.as_ref(), Part::Leaf(_))),
            Part::Record { .. } => nested && self.is_plain(field),
            _ => false,
        };
        matches!(part, Part::Record { fields, extensible: false } if fields.len() >= least && fields.iter().all(fits))
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
            if fields.first().is_some_and(|key| !is_string(key)) {
                self.add(Feature::Key, weight);
            }
            fields.iter().for_each(|field| self.part(field, weight, Place::Single));
        }
    }

    fn leaf(&mut self, leaf: &Leaf, weight: f64, place: Place) {
        let feature = match place {
            Place::Single => Feature::Single(leaf.kind),
            Place::Field => Feature::Field(leaf.kind),
            Place::Item => Feature::Item(leaf.kind),
            Place::Cell => Feature::Cell(leaf.kind),
        };
        self.add(feature, weight);
        self.single += weight;
        if place == Place::Cell {
            self.cells += weight;
        }
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
                self.add(if place == Place::Cell { Feature::TextCell } else { Feature::Text }, weight * mean);
                self.add(Feature::TextWide, weight * mean * self.bends.wide);
                if let (Some(cut), Some(length)) = (self.bends.cut, length) {
                    self.add(Feature::TextBeyond, weight * length.expect(|n| (n as f64 - cut).max(0.0)));
                    if self.bends.jump {
                        let over = if place == Place::Item { Feature::TextOverItem } else { Feature::TextOver };
                        self.add(over, weight * length.expect(|n| if n as f64 > cut { 1.0 } else { 0.0 }));
                    }
                }
            }
            Kind::Bytes => {
                self.add(Feature::Bytes, weight * mean);
                if let Some(length) = length {
                    self.long(length, weight);
                    if let Some(cut) = self.bends.bytes {
                        self.add(Feature::BytesBeyond, weight * length.expect(|n| (n as f64 - cut).max(0.0)));
                    }
                }
            }
            Kind::Primitive(Primitive::Float | Primitive::Double) => self.add(Feature::RealDigits, weight * text),
            Kind::Primitive(Primitive::Decimal) if self.wire == Wire::Binary => self.add(Feature::Digits, weight * mean),
            Kind::Primitive(_) | Kind::Enum => self.add(Feature::Digits, weight * text),
        }
    }
}

/// Nothing but structs without fields.
fn is_empty(part: &Part) -> bool {
    matches!(part, Part::Record { fields, .. } if fields.iter().all(is_empty))
}

fn is_string(part: &Part) -> bool {
    matches!(part, Part::Leaf(leaf) if leaf.kind == Kind::Primitive(Primitive::String))
}

/// The share of the structs of an array that have a field; 1 of a field that is not optional.
fn share(items: &Items, field: usize) -> f64 {
    let of = |part: &Part| match part {
        Part::Record { fields, .. } => match fields.get(field) {
            Some(Part::Optional { share, .. }) => *share,
            _ => 1.0,
        },
        _ => 1.0,
    };
    match items {
        Items::Alike { item, .. } => of(item),
        Items::Each(parts) => parts.iter().map(of).sum::<f64>() / parts.len().max(1) as f64,
    }
}

/// Arrays cost by what they hold: on the binary wire, numbers are moved in bulk (BIN-7).
fn array(items: &Items) -> Feature {
    let item = match items {
        Items::Alike { item, .. } => Some(item.as_ref()),
        Items::Each(parts) => parts.first(),
    };
    match item {
        Some(Part::Leaf(leaf)) => Feature::Array(leaf.kind),
        _ => Feature::Arrays,
    }
}
