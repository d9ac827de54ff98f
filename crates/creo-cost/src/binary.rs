//! Sizes on the binary wire (`spec/wires/binary.md`).

use crate::leaf::counts;
use crate::part::{Items, Part};
use crate::spread::Spread;
use creo_plan::count_size;

/// The bytes of a value, or of a message, which is a record of its parameters or result (BIN-14).
pub fn size(part: &Part) -> Spread {
    match part {
        Part::Leaf(leaf) => leaf.binary,
        Part::Record { fields, layout } => {
            Spread::sum(fields.iter().map(size)).and(region(layout.extensible))
        }
        Part::Union { members, extensible } => Spread::one_of(members.iter().map(|(index, share, part)| {
            (*share, size(part).and(count_size(*index as u64)).and(region(*extensible)))
        })),
        Part::Optional { share, part } => {
            part.as_ref().map_or(Spread::ZERO, |part| size(part).or(*share, Spread::ZERO)).and(1)
        }
        Part::Items(items) | Part::Entries(items) => {
            let inside = match items {
                Items::Alike { count, item } => size(item).times(count),
                Items::Each(items) => Spread::sum(items.iter().map(size)),
            };
            inside.plus(counts(&items.count()))
        }
    }
}

/// BIN-8
fn region(extensible: bool) -> u64 {
    if extensible { 4 } else { 0 }
}
