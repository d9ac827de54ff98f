//! Sizes on the tdxml wire (`spec/wires/tdxml.md`), without the data schema.

use crate::json::leaf;
use crate::length::Length;
use crate::part::{Items, Part};
use crate::spread::{Spread, saturated};
use crate::xml::text;
#[cfg(test)]
use creo_model::TypeId;
use creo_plan::{ArrayLayout, Kind, Message, Node, Plan, Position, Record};

/// The table format (TDX-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scheme {
    Record,
    Aggregated,
}

/// The document without rows and without `of`: both schemes have the same length.
const DOCUMENT: &str = "<Env xmlns=\"urn:creo:tdxml\"><RT>\n</RT></Env>";

/// The rows of a value, without the index prefix of the surrounding element.
#[derive(Clone, Copy, Debug)]
struct Rows {
    count: Spread,
    bytes: Spread,
    /// The probability of no rows.
    none: f64,
}

impl Rows {
    const NONE: Rows = Rows { count: Spread::ZERO, bytes: Spread::ZERO, none: 1.0 };

    /// One row with this size after its index.
    fn one(bytes: Spread) -> Rows {
        Rows { count: Spread::exact(1), bytes, none: 0.0 }
    }

    fn plus(self, other: Rows) -> Rows {
        Rows {
            count: self.count.plus(other.count),
            bytes: self.bytes.plus(other.bytes),
            none: self.none * other.none,
        }
    }

    /// The rows below an index of this size.
    fn beneath(self, index: u64) -> Rows {
        Rows { bytes: self.bytes.plus(self.count.by(index)), ..self }
    }

    /// These rows with a probability, otherwise others.
    fn or(self, share: f64, other: Rows) -> Rows {
        Rows {
            count: self.count.or(share, other.count),
            bytes: self.bytes.or(share, other.bytes),
            none: self.none * share.clamp(0.0, 1.0) + other.none * (1.0 - share.clamp(0.0, 1.0)),
        }
    }

    /// TDX-22: with a presence row if there are no others.
    fn present(self) -> Rows {
        if self.none <= 0.0 {
            return self;
        }
        let row = Spread {
            least: u64::from(self.count.least == 0),
            expected: self.none,
            most: u64::from(self.count.most == 0),
        };
        Rows { count: self.count.plus(row), bytes: self.bytes.plus(row), none: 0.0 }
    }
}

/// The attribute `of` (TDX-3).
fn of(name: &str) -> u64 {
    (" of=\"\"".len() + name.len()) as u64
}

/// A single request or response. Within SOAP, the attribute `of` of a request names its method.
pub fn message(plan: &Plan, scheme: Scheme, message: &Message, part: &Part, name: Option<&str>) -> Spread {
    let Part::Record { fields, .. } = part else { return Spread::ZERO };
    let table = Table { plan, scheme };
    let rows = table.fields(nodes(&message.record), fields, false).beneath(ROOT);
    rows.bytes.and(DOCUMENT.len() as u64 + name.map_or(0, of))
}

/// A single value, with the full name of its type.
#[cfg(test)]
pub fn alone(plan: &Plan, scheme: Scheme, id: TypeId, part: &Part, name: &str) -> Spread {
    let table = Table { plan, scheme };
    let rows = table.value(plan.value(id), part).beneath(ROOT);
    rows.bytes.and(DOCUMENT.len() as u64 + of(name))
}

fn nodes(record: &Record) -> impl Iterator<Item = &Node> {
    record.fields.iter().map(|field| &field.node)
}

/// `[0]`
const ROOT: u64 = 3;

struct Table<'p> {
    plan: &'p Plan,
    scheme: Scheme,
}

impl Table<'_> {
    /// The rows of an element below its index.
    fn value(&self, node: &Node, part: &Part) -> Rows {
        match (&node.kind, part) {
            (Kind::Record(id), Part::Record { fields, .. }) => {
                self.fields(nodes(self.plan.record(*id)), fields, true)
            }
            (Kind::Union(id), Part::Union { members, .. }) => {
                let declared = &self.plan.union(*id).members;
                let all: Vec<(f64, Rows)> = members
                    .iter()
                    .map(|(index, share, part)| {
                        // A null member is `~` (TDX-24).
                        let rows = self.element(&declared[*index].node, part, Rows::one(Spread::exact(2)));
                        (*share, rows.beneath(2 + digits(*index as u64)))
                    })
                    .collect();
                Rows {
                    count: Spread::one_of(all.iter().map(|(share, rows)| (*share, rows.count))),
                    bytes: Spread::one_of(all.iter().map(|(share, rows)| (*share, rows.bytes))),
                    none: 0.0,
                }
            }
            (Kind::Array { layout: ArrayLayout::Wrapped, item, .. }, Part::Items(items)) => {
                self.repeated(item, items, 3).present()
            }
            (Kind::Map { key, value, attributes: false }, Part::Entries(items)) => self
                .occurrences(items, 3, |part| {
                    let Part::Record { fields: parts, .. } = part else { return Rows::NONE };
                    self.fields([key.as_ref(), value.as_ref()].into_iter(), parts, true)
                })
                .present(),
            (Kind::Optional(inner), Part::Optional { share, part }) => {
                part.as_ref().map_or(Rows::NONE, |part| self.value(inner, part).or(*share, Rows::NONE))
            }
            (
                Kind::Scalar(_)
                | Kind::String(_)
                | Kind::Decimal
                | Kind::Bytes { .. }
                | Kind::Array { .. }
                | Kind::Map { .. }
                | Kind::Optional(_)
                | Kind::Record(_)
                | Kind::Union(_)
                | Kind::Enum(_),
                part,
            ) => Rows::one(text(node, part, |leaf| leaf.table).and(2)),
        }
    }

    /// The rows of an element that is a member or an item; `nothing` are those of an absent one.
    fn element(&self, node: &Node, part: &Part, nothing: Rows) -> Rows {
        if let (Kind::Optional(inner), Part::Optional { share, part }) = (&node.kind, part) {
            return part.as_ref().map_or(nothing, |part| self.value(inner, part).or(*share, nothing));
        }
        if let (Kind::Array { layout: ArrayLayout::Repeated, item, .. }, Part::Items(items)) =
            (&node.kind, part)
        {
            return self.repeated(item, items, 3).present();
        }
        self.value(node, part)
    }

    /// The items of an array; `index` is the length of `[n]`, without the occurrence.
    fn repeated(&self, item: &Node, items: &Items, index: u64) -> Rows {
        if self.scheme == Scheme::Record && is_scalar(item) {
            // TDX-31: the items are the columns of one row.
            let column = |part: &Part| match part {
                Part::Optional { share, part } => part.as_ref().map_or(Spread::exact(2), |part| {
                    text(item.inner(), part, |l| l.table).and(1).or(*share, Spread::exact(2))
                }),
                Part::Leaf(_)
                | Part::Record { .. }
                | Part::Union { .. }
                | Part::Items(_)
                | Part::Entries(_) => text(item, part, |l| l.table).and(1),
            };
            let count = items.count();
            let columns = match items {
                Items::Alike { count, item } => column(item).times(count),
                Items::Each(parts) => Spread::sum(parts.iter().map(column)),
            };
            let none = count.none();
            let row = Spread {
                least: u64::from(count.least() > 0),
                expected: 1.0 - none,
                most: u64::from(count.most() > 0),
            };
            return Rows { count: row, bytes: columns.plus(row), none }.beneath(index);
        }
        self.occurrences(items, index, |part| self.element(item, part, Rows::one(Spread::exact(2))))
    }

    /// `[n]0`, `[n]1` and so on.
    fn occurrences(&self, items: &Items, index: u64, rows: impl Fn(&Part) -> Rows) -> Rows {
        match items {
            Items::Alike { count, item } => {
                let rows = rows(item);
                // Each row of the k-th item contains the digits of k.
                let numbers = digits_below(count);
                let numbered = Spread {
                    least: rows.count.least.saturating_mul(numbers.least),
                    expected: saturated(rows.count.expected * numbers.expected),
                    most: rows.count.most.saturating_mul(numbers.most),
                };
                let all = Rows {
                    count: rows.count.times(count),
                    bytes: rows.bytes.times(count).plus(numbered),
                    none: count.none(),
                };
                all.beneath(index)
            }
            Items::Each(parts) => parts
                .iter()
                .enumerate()
                .fold(Rows::NONE, |sum, (k, part)| sum.plus(rows(part).beneath(index + digits(k as u64)))),
        }
    }

    /// The fields of a struct. `present`: adds a presence row if there are no others (TDX-22).
    fn fields<'n>(&self, nodes: impl Iterator<Item = &'n Node>, parts: &[Part], present: bool) -> Rows {
        let (mut attributes, mut elements, mut text) = (0u64, 0u64, 0u64);
        let mut beneath = Rows::NONE;
        let mut columns: Vec<(bool, Column)> = Vec::new();
        for (node, part) in nodes.zip(parts) {
            let position = node.xml.position;
            let number = match position {
                Position::Attribute => &mut attributes,
                // The text uses the element's index.
                Position::Text => &mut text,
                Position::Element
                | Position::Inline
                | Position::Any
                | Position::AnyAttribute
                | Position::Header => &mut elements,
            };
            let index = if position == Position::Text { 0 } else { 2 + digits(*number) };
            *number += 1;
            if self.scheme == Scheme::Record && is_scalar(node) {
                columns.push((
                    !matches!(position, Position::Attribute | Position::AnyAttribute),
                    column(node, part),
                ));
                continue;
            }
            let rows = match (&node.kind, part) {
                (Kind::Array { layout: ArrayLayout::Repeated, item, .. }, Part::Items(items)) => {
                    self.repeated(item, items, index)
                }
                (Kind::Map { attributes: true, .. }, part) => any_rows(self, part).beneath(index),
                // A null field has no row.
                (_, part) => self.element(node, part, Rows::NONE).beneath(index),
            };
            beneath = beneath.plus(rows);
        }
        if columns.is_empty() {
            return if present { beneath.present() } else { beneath };
        }
        columns.sort_by_key(|(element, _)| *element);
        let columns = joined(columns.into_iter().map(|(_, column)| column).collect());
        own_row(&columns, beneath, present)
    }
}

/// A column: its size when present, and its probability.
struct Column {
    size: Spread,
    share: f64,
}

fn column(node: &Node, part: &Part) -> Column {
    match part {
        Part::Optional { share, part: Some(part) } => {
            Column { size: text(node.inner(), part, |leaf| leaf.table).and(1), share: *share }
        }
        Part::Optional { part: None, .. } => Column { size: Spread::ZERO, share: 0.0 },
        Part::Leaf(_) | Part::Record { .. } | Part::Union { .. } | Part::Items(_) | Part::Entries(_) => {
            Column { size: text(node, part, |leaf| leaf.table).and(1), share: 1.0 }
        }
    }
}

/// All columns: absent ones are `|~`, except trailing ones, which are omitted (TDX-30); and the probability that there are none.
fn joined(columns: Vec<Column>) -> (Spread, f64) {
    // From the end: whether a column certainly or possibly follows, and the probability that none does.
    let (mut sum, mut behind_surely, mut behind_maybe, mut nothing_behind) =
        (Spread::ZERO, false, false, 1.0);
    for column in columns.iter().rev() {
        let absent = Spread {
            least: if behind_surely { 2 } else { 0 },
            expected: 2.0 * (1.0 - nothing_behind),
            most: if behind_maybe { 2 } else { 0 },
        };
        sum = sum.plus(column.size.or(column.share, absent));
        behind_surely |= column.share >= 1.0;
        behind_maybe |= column.share > 0.0;
        nothing_behind *= 1.0 - column.share.clamp(0.0, 1.0);
    }
    (sum, nothing_behind)
}

/// The row of a struct with columns; omitted if no column is left and there are rows below.
fn own_row((columns, empty): &(Spread, f64), beneath: Rows, present: bool) -> Rows {
    let left_out = if present { empty * (1.0 - beneath.none) } else { *empty };
    let surely = *empty <= 0.0 || (present && beneath.count.most == 0);
    let maybe = *empty < 1.0 || (present && (beneath.count.least == 0));
    let row = Spread { least: u64::from(surely), expected: 1.0 - left_out, most: u64::from(maybe) };
    Rows { count: row, bytes: columns.plus(row), none: left_out }.plus_rows(beneath)
}

impl Rows {
    /// Adds dependent rows: an own row exists if there are none below.
    fn plus_rows(self, other: Rows) -> Rows {
        let least = self.count.least.saturating_add(other.count.least);
        Rows {
            count: Spread { least, ..self.count.plus(other.count) },
            bytes: self.bytes.plus(other.bytes),
            none: self.none.min(other.none),
        }
    }
}

/// `anyAttribute` is a map of texts.
fn any_rows(table: &Table<'_>, part: &Part) -> Rows {
    let Part::Entries(items) = part else { return Rows::NONE };
    let entry = |part: &Part| {
        let Part::Record { fields, .. } = part else { return Rows::NONE };
        let texts: Vec<Spread> = fields.iter().filter_map(leaf).map(|leaf| leaf.table).collect();
        match table.scheme {
            Scheme::Record => Rows::one(Spread::sum(texts.into_iter().map(|text| text.and(1))).and(1)),
            Scheme::Aggregated => {
                texts.into_iter().map(|text| Rows::one(text.and(2)).beneath(3)).fold(Rows::NONE, Rows::plus)
            }
        }
    };
    table.occurrences(items, 3, entry).present()
}

/// Whether a value is a single text: a column in the record scheme (TDX-20).
fn is_scalar(node: &Node) -> bool {
    match &node.kind {
        Kind::Scalar(_)
        | Kind::String(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Enum(_)
        | Kind::Array { layout: ArrayLayout::List, .. } => true,
        Kind::Optional(inner) => is_scalar(inner),
        Kind::Record(_)
        | Kind::Union(_)
        | Kind::Array { layout: ArrayLayout::Repeated | ArrayLayout::Wrapped, .. }
        | Kind::Map { .. } => false,
    }
}

fn digits(number: u64) -> u64 {
    u64::from(number.checked_ilog10().unwrap_or(0)) + 1
}

/// The digits of all numbers below a length.
fn digits_below(count: &Length) -> Spread {
    let below = |n: u64| {
        let (mut sum, mut from, mut power, mut length) = (0u64, 0u64, 10u64, 1u64);
        while from < n {
            let end = n.min(power);
            sum = sum.saturating_add((end - from).saturating_mul(length));
            from = end;
            power = power.saturating_mul(10);
            length += 1;
        }
        sum
    };
    Spread {
        least: below(count.least()),
        expected: count.expect(|n| below(n) as f64),
        most: below(count.most()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_all_numbers_below() {
        for n in [0, 1, 9, 10, 11, 100, 101, 12_345] {
            let all: u64 = (0..n).map(|k: u64| k.to_string().len() as u64).sum();
            assert_eq!(digits_below(&Length::Fixed(n)), Spread::exact(all), "{n}");
        }
    }
}
