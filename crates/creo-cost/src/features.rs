//! The variables of the time model for a message (COST-20).

use crate::binding::{Direction, OnWire, Wire};
use crate::feature::Feature;
use crate::leaf::{Kind, Leaf};
use crate::length::Length;
use crate::part::{Items, Part, RecordLayout};
use crate::spread::saturated;
use creo_model::Primitive;
use std::collections::BTreeMap;

/// The average of each variable; those not listed are 0.
pub type Features = BTreeMap<Feature, f64>;

/// Context besides the parts of a message: where a wire's lines bend, and properties of strings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bends {
    /// The cut-off of strings, in bytes (COST-22).
    pub cut: Option<f64>,
    /// Whether strings beyond it have a higher fixed cost.
    pub jump: bool,
    /// The cut-off of `byte[]`, in bytes (COST-22).
    pub bytes: Option<f64>,
    /// Whether those beyond it have a higher fixed cost.
    pub bytes_jump: bool,
    /// The number of values beyond which each costs more (COST-29).
    pub many: Option<f64>,
    /// The share of strings with characters beyond ASCII.
    pub wide: f64,
}

/// The max count in one byte (BIN-2): longer values have the variable `long`.
pub(crate) const SHORT_COUNT: u64 = 127;

/// Every fourth character of a wide string is beyond ASCII, and takes two bytes (COST-5): shorter strings have none.
const WIDE_FROM: u64 = 5;

/// Analyzes a message.
pub fn features(wire: Wire, direction: Direction, part: &Part, on_wire: OnWire, bends: Bends) -> Features {
    let mut walk = Walk {
        wire,
        bends,
        found: Features::new(),
        texts: 0.0,
        values: 0.0,
        single: 0.0,
        cells: 0.0,
        depth: 0,
        in_run: false,
        plain: BTreeMap::new(),
    };
    let message = match (direction, is_empty(part)) {
        (Direction::Request, true) => Feature::Empty,
        (Direction::Request, false) => Feature::Message,
        (Direction::Response, true) => Feature::EmptyResponse,
        (Direction::Response, false) => Feature::Response,
    };
    walk.add(message, 1.0);
    if direction == Direction::Response
        && let Part::Record { fields, .. } = part
        && let [Part::Optional { share, part }] = &fields[..]
    {
        walk.add(Feature::MissingResponse, if part.is_some() { 1.0 - share } else { 1.0 });
    }
    let beside = on_wire.beside;
    walk.add(Feature::Attribute, beside.attributes);
    walk.add(Feature::Raw, beside.raw);
    walk.add(Feature::TextRaw, beside.raw_text);
    // The message is not a struct of the description. But in JSON, parameters form an object and a result does not (JSON-20, JSON-21).
    if wire == Wire::Json && direction == Direction::Request {
        walk.add(Feature::SingleRecord, 1.0);
    }
    if let Part::Record { fields, layout } = part {
        walk.fields(fields, *layout, 1.0, Place::Single);
    } else {
        walk.part(part, 1.0, Place::Single);
    }
    if wire != Wire::Binary {
        let markup = (on_wire.body + beside.unescaped - walk.texts).max(0.0);
        let of_rows = if walk.single > 0.0 { markup * walk.cells / walk.single } else { 0.0 };
        walk.add(Feature::MarkupRow, of_rows);
        walk.add(Feature::Markup, markup - of_rows);
    }
    if let Some(strings) = walk.found.get(&Feature::WideString).map(|wide| wide / bends.wide) {
        walk.add(Feature::Wide, 1.0 - (1.0 - bends.wide).powf(strings));
    }
    if let Some(bend) = bends.many {
        walk.add(Feature::Many, (walk.values - bend).max(0.0));
    }
    walk.found
}

/// The average number of values in a message, without the items of arrays of single values.
pub fn values(wire: Wire, part: &Part) -> f64 {
    features(wire, Direction::Request, part, OnWire::default(), Bends { many: Some(0.0), ..Bends::default() })
        .get(&Feature::Many)
        .copied()
        .unwrap_or(0.0)
}

/// The position of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Outside arrays, or in an array within a part that not all items share.
    Single,
    /// In a field of a struct that is an item.
    Field,
    Item,
    /// In a field of a plain struct that is an item.
    Cell,
}

impl Place {
    /// The position of a field of a struct here.
    fn field(self) -> Place {
        if self == Place::Single { Place::Single } else { Place::Field }
    }
}

struct Walk {
    wire: Wire,
    bends: Bends,
    found: Features,
    /// Bytes of the texts of all values.
    texts: f64,
    /// All values except the items of arrays of single values.
    values: f64,
    /// Single values, and those in rows.
    single: f64,
    cells: f64,
    /// The number of arrays around.
    depth: usize,
    /// Whether it is within a struct that is part of a run of fixed-size values.
    in_run: bool,
    /// Cached results of whether structs are plain: outer structs ask again.
    plain: BTreeMap<*const Part, bool>,
}

impl Walk {
    fn add(&mut self, feature: Feature, amount: f64) {
        if amount > 0.0 {
            *self.found.entry(feature).or_insert(0.0) += amount;
        }
    }

    /// A part that is there `weight` times, which saturates as sizes do (COST-16).
    fn part(&mut self, part: &Part, weight: f64, place: Place) {
        let weight = saturated(weight);
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
            Part::Record { fields, layout } => {
                if place == Place::Single && fields.is_empty() {
                    self.add(Feature::SingleEmpty, weight);
                    return;
                }
                if !layout.elements && self.has_tags() {
                    self.add(Feature::Tagged, weight);
                }
                let feature = match place {
                    Place::Single if self.has_tags() && self.is_plain(part) => Feature::SingleRow,
                    Place::Single => Feature::SingleRecord,
                    Place::Field | Place::Item | Place::Cell => Feature::Record,
                };
                self.add(feature, weight);
                self.fields(fields, *layout, weight, place);
            }
            Part::Union { members, .. } => {
                self.add(Feature::Union, weight);
                for (_, share, part) in members {
                    self.alone(part, weight * share);
                    self.part(part, weight * share, Place::Single);
                }
            }
            Part::Optional { share, part } => {
                self.add(
                    if place == Place::Item { Feature::OptionalItem } else { Feature::Optional },
                    weight,
                );
                if let Some(part) = part {
                    let leaf = matches!(part.as_ref(), Part::Leaf(_));
                    if !leaf {
                        self.add(Feature::OptionalParts, weight * share);
                    }
                    self.alone(part, weight * share);
                    let beneath = match place {
                        Place::Item if self.wire != Wire::Binary => Place::Item,
                        // Items that may be missing are not moved in bulk.
                        Place::Item if !leaf => Place::Field,
                        Place::Single | Place::Field | Place::Item | Place::Cell => Place::Single,
                    };
                    self.part(part, weight * share, beneath);
                }
            }
            Part::Items(items) => self.items(items, weight),
            Part::Entries(items) => {
                self.add(Feature::Map, weight);
                self.inner(weight);
                self.long(&items.count(), weight);
                match items {
                    Items::Alike { count, item } => self.entry(item, weight * count.mean()),
                    Items::Each(parts) => parts.iter().for_each(|part| self.entry(part, weight)),
                }
            }
        }
    }

    /// Adds the contents of a plain struct that is an item, or within one.
    fn row(&mut self, fields: &[Part], weight: f64) {
        // On the binary wire all values of a row have a fixed size, and a row is moved at once.
        if self.wire != Wire::Binary {
            self.changes(Feature::ChangeRow, fields, weight);
        }
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
                Part::Leaf(_) | Part::Union { .. } | Part::Items(_) | Part::Entries(_) => {
                    self.part(field, weight, Place::Cell);
                }
            }
        }
    }

    /// Whether a value always has the same size on the binary wire.
    fn is_fixed(&self, part: &Part) -> bool {
        self.wire == Wire::Binary && part.is_fixed()
    }

    /// Adds the fields of a message, or of a struct that is not a row.
    fn fields(&mut self, fields: &[Part], layout: RecordLayout, weight: f64, place: Place) {
        if self.wire == Wire::Binary && !self.in_run {
            self.add(
                if place == Place::Single { Feature::SingleRun } else { Feature::Run },
                weight * layout.checks as f64,
            );
        }
        self.changes(Feature::Change, fields, weight);
        let around = self.in_run;
        for field in fields {
            self.in_run = around || self.is_fixed(field);
            self.part(field, weight, place.field());
        }
        self.in_run = around;
    }

    /// Counts present fields that follow one of another kind (COST-20).
    fn changes(&mut self, feature: Feature, fields: &[Part], weight: f64) {
        let mut before: Option<&Part> = None;
        for field in fields {
            let share = share_of(field);
            if share > 0.0 {
                if before.is_some_and(|before| !same_kind(before, field)) {
                    self.add(feature, weight * share);
                }
                before = Some(field);
            }
        }
    }

    /// Adds a single value in an optional, union or entry.
    fn alone(&mut self, part: &Part, weight: f64) {
        if matches!(part, Part::Leaf(_)) && self.is_fixed(part) {
            self.add(Feature::SingleRun, weight);
        }
    }

    /// Counts arrays and maps within the items of others.
    fn inner(&mut self, weight: f64) {
        if self.depth > 0 {
            self.add(Feature::Inner, weight);
        }
    }

    fn items(&mut self, items: &Items, weight: f64) {
        self.add(array(items), weight);
        self.inner(weight);
        self.depth += 1;
        self.of_items(items, weight);
        self.depth -= 1;
    }

    fn of_items(&mut self, items: &Items, weight: f64) {
        let count = match items {
            Items::Alike { count, .. } => count.mean(),
            Items::Each(parts) => parts.len() as f64,
        };
        if let Some((item @ Part::Record { fields, .. }, there)) = given(items) {
            let any = 1.0 - (1.0 - there).powf(count);
            let bulk = self.wire != Wire::Binary || !matches!(first(items), Some(Part::Optional { .. }));
            let plain = bulk && self.is_plain(item);
            self.columns(fields, plain, weight * any);
            let mixed: f64 =
                (0..fields.len()).map(|i| share(items, i)).map(|share| 4.0 * share * (1.0 - share)).sum();
            self.add(Feature::Mixed, weight * there * count * mixed);
        }
        self.long(&items.count(), weight);
        if let Some(length) = self.one_length(items) {
            self.add(Feature::Alike, weight * count);
            self.add(Feature::TextAlike, weight * count * length);
            self.wide(&Length::Fixed(length as u64), weight * count);
            return;
        }
        match items {
            Items::Alike { item, .. } => self.part(item, weight * count, Place::Item),
            Items::Each(parts) => parts.iter().for_each(|part| self.part(part, weight, Place::Item)),
        }
    }

    /// Counts the strings of a length with characters beyond ASCII, and their bytes.
    fn wide(&mut self, length: &Length, weight: f64) {
        let weight = weight * self.bends.wide;
        if weight > 0.0 {
            let long_enough = |n: u64| n >= WIDE_FROM;
            self.add(
                Feature::TextWide,
                weight * length.expect(|n| if long_enough(n) { n as f64 } else { 0.0 }),
            );
            self.add(Feature::WideString, weight * length.expect(|n| f64::from(u8::from(long_enough(n)))));
        }
    }

    /// Counts the fields of an array's structs, including nested ones.
    fn columns(&mut self, fields: &[Part], plain: bool, weight: f64) {
        for field in fields {
            match field {
                Part::Record { fields, .. } => self.columns(fields, plain, weight),
                Part::Leaf(leaf) if plain => self.add(Feature::Column(leaf.kind), weight),
                Part::Leaf(_)
                | Part::Union { .. }
                | Part::Optional { .. }
                | Part::Items(_)
                | Part::Entries(_) => self.add(Feature::Columns, weight),
            }
        }
    }

    /// The common length of an array's strings on the binary wire, if any, up to the cut-off.
    fn one_length(&self, items: &Items) -> Option<f64> {
        let length = |part: &Part| {
            let Part::Leaf(leaf) = part else { return None };
            let Some(Length::Fixed(length)) = leaf.length else { return None };
            (leaf.kind == Kind::Primitive(Primitive::String)).then_some(length)
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

    /// Whether structs have elements with attributes.
    fn has_tags(&self) -> bool {
        matches!(self.wire, Wire::Soap | Wire::Foreign(_))
    }

    /// Whether a struct has only single values and such structs: on the binary wire, only required values of fixed size; if structs have
    /// elements, no attributes and no text.
    fn is_plain(&mut self, part: &Part) -> bool {
        let Part::Record { fields, layout } = part else { return false };
        let key = std::ptr::from_ref(part);
        if let Some(known) = self.plain.get(&key) {
            return *known;
        }
        let text = self.wire != Wire::Binary;
        // In a table, a nested struct has separate rows.
        let nested = matches!(self.wire, Wire::Soap | Wire::Json | Wire::Foreign(_));
        let least = if text && !nested { 2 } else { 1 };
        let mut fits = |field: &Part| match field {
            Part::Leaf(_) => text || self.is_fixed(field),
            Part::Optional { part, .. } => {
                text && part.as_ref().is_none_or(|part| matches!(part.as_ref(), Part::Leaf(_)))
            }
            Part::Record { .. } => nested && self.is_plain(field),
            Part::Union { .. } | Part::Items(_) | Part::Entries(_) => false,
        };
        let mut plain = fields.len() >= least && fields.iter().all(&mut fits);
        plain &= !layout.extensible && (layout.elements || !self.has_tags());
        self.plain.insert(key, plain);
        plain
    }

    /// Counts long values.
    fn long(&mut self, count: &Length, weight: f64) {
        if self.wire == Wire::Binary {
            self.add(Feature::Long, weight * count.expect(|n| if n > SHORT_COUNT { 1.0 } else { 0.0 }));
        }
    }

    fn entry(&mut self, part: &Part, weight: f64) {
        self.add(Feature::Entry, weight);
        if let Part::Record { fields, .. } = part {
            if fields.first().is_some_and(|key| !is_string(key)) {
                self.add(Feature::Key, weight);
            }
            for field in fields {
                self.alone(field, weight);
                self.part(field, weight, Place::Single);
            }
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
                if let Some(length) = length {
                    self.wide(length, weight);
                }
                if let (Some(cut), Some(length)) = (self.bends.cut, length) {
                    self.add(Feature::TextBeyond, weight * length.expect(|n| (n as f64 - cut).max(0.0)));
                    if self.bends.jump {
                        let over =
                            if place == Place::Item { Feature::TextOverItem } else { Feature::TextOver };
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
                        if self.bends.bytes_jump {
                            self.add(
                                Feature::BytesOver,
                                weight * length.expect(|n| if n as f64 > cut { 1.0 } else { 0.0 }),
                            );
                        }
                    }
                }
            }
            Kind::Primitive(Primitive::Float | Primitive::Double) => {
                self.add(Feature::RealDigits, weight * text)
            }
            Kind::Primitive(Primitive::Decimal) if self.wire == Wire::Binary => {
                self.add(Feature::Digits, weight * mean)
            }
            Kind::Primitive(_) | Kind::Enum => self.add(Feature::Digits, weight * text),
        }
    }
}

/// Whether it has only structs without fields.
fn is_empty(part: &Part) -> bool {
    matches!(part, Part::Record { fields, .. } if fields.iter().all(is_empty))
}

fn is_string(part: &Part) -> bool {
    matches!(part, Part::Leaf(leaf) if leaf.kind == Kind::Primitive(Primitive::String))
}

/// The item if present, and the share of present items.
fn there(item: &Part) -> Option<(&Part, f64)> {
    match item {
        Part::Optional { share, part } => part.as_deref().filter(|_| *share > 0.0).map(|part| (part, *share)),
        Part::Leaf(_) | Part::Record { .. } | Part::Union { .. } | Part::Items(_) | Part::Entries(_) => {
            Some((item, 1.0))
        }
    }
}

fn first(items: &Items) -> Option<&Part> {
    match items {
        Items::Alike { item, .. } => Some(item.as_ref()),
        Items::Each(parts) => parts.first(),
    }
}

/// One of an array's present items, and the share of present items.
fn given(items: &Items) -> Option<(&Part, f64)> {
    match items {
        Items::Alike { item, .. } => there(item),
        Items::Each(parts) => {
            let all = || parts.iter().filter_map(there);
            all()
                .next()
                .map(|(one, _)| (one, all().map(|(_, share)| share).sum::<f64>() / parts.len() as f64))
        }
    }
}

/// The share of a field's presence.
fn share_of(field: &Part) -> f64 {
    if let Part::Optional { share, .. } = field { *share } else { 1.0 }
}

/// The share of an array's present structs that have a field; 1 for a required field.
fn share(items: &Items, field: usize) -> f64 {
    let of = |part: &Part| {
        let Part::Record { fields, .. } = part else { return 1.0 };
        fields.get(field).map_or(1.0, share_of)
    };
    match items {
        Items::Alike { item, .. } => there(item).map_or(1.0, |(part, _)| of(part)),
        Items::Each(parts) => {
            let given: Vec<f64> = parts.iter().filter_map(there).map(|(part, _)| of(part)).collect();
            given.iter().sum::<f64>() / given.len().max(1) as f64
        }
    }
}

/// The cost of an array depends on its items: on the binary wire, numbers are moved in bulk (BIN-7).
fn array(items: &Items) -> Feature {
    match first(items) {
        Some(Part::Leaf(leaf)) => Feature::Array(leaf.kind),
        _ => Feature::Arrays,
    }
}

/// Single values of one kind, or optionals of such.
fn same_kind(one: &Part, other: &Part) -> bool {
    match (one, other) {
        (Part::Leaf(one), Part::Leaf(other)) => one.kind == other.kind,
        (Part::Optional { part: Some(one), .. }, Part::Optional { part: Some(other), .. }) => {
            same_kind(one, other)
        }
        (_, _) => false,
    }
}
