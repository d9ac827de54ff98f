//! Sizes on the json wire (`spec/wires/json.md`).

use crate::leaf::Leaf;
use crate::part::{Items, Part};
use crate::spread::Spread;
use creo_plan::{Field, Kind, Node, Plan};

/// The bytes of a request: an object of the parameters (JSON-20).
pub fn request(plan: &Plan, parameters: &[Field], part: &Part) -> Spread {
    let Part::Record { fields, .. } = part else { return Spread::ZERO };
    object(plan, parameters, fields)
}

/// The bytes of a response: the value itself (JSON-21).
pub fn response(plan: &Plan, result: Option<&Node>, part: &Part) -> Spread {
    match (result, part) {
        (Some(node), Part::Record { fields, .. }) => {
            fields.first().map_or(Spread::ZERO, |part| value(plan, node, part))
        }
        (_, _) => Spread::ZERO,
    }
}

/// The bytes of a value.
pub fn value(plan: &Plan, node: &Node, part: &Part) -> Spread {
    match (&node.kind, part) {
        (Kind::Optional(inner), Part::Optional { share, part }) => {
            part.as_ref().map_or(Spread::ZERO, |part| value(plan, inner, part)).or(*share, Spread::exact(4))
        }
        (Kind::Array { item, .. }, Part::Items(items)) => list(items, |part| value(plan, item, part)).and(2),
        (Kind::Map { value: item, .. }, Part::Entries(items)) => list(items, |part| {
            let Part::Record { fields, .. } = part else { return Spread::ZERO };
            let [Part::Leaf(key), part] = &fields[..] else { return Spread::ZERO };
            key.key.plus(value(plan, item, part)).and(1)
        })
        .and(2),
        (Kind::Record(id), Part::Record { fields, .. }) => object(plan, &plan.record(*id).fields, fields),
        (Kind::Union(id), Part::Union { members, .. }) => {
            Spread::one_of(members.iter().map(|(index, share, part)| {
                let member = &plan.union(*id).members[*index];
                (*share, value(plan, &member.node, part).and(member.name.len() as u64 + 5))
            }))
        }
        (Kind::Scalar(_) | Kind::String(_) | Kind::Decimal | Kind::Bytes { .. } | Kind::Enum(_), part) => {
            leaf(part).map_or(Spread::ZERO, |leaf| leaf.json)
        }
        (Kind::Optional(_) | Kind::Array { .. } | Kind::Map { .. } | Kind::Record(_) | Kind::Union(_), _) => {
            Spread::ZERO
        }
    }
}

/// A null field is omitted (JSON-1).
fn object(plan: &Plan, declared: &[Field], parts: &[Part]) -> Spread {
    let mut sum = Spread::exact(2);
    // All present members but one have a comma: optional members are counted apart from required ones.
    let (mut always, mut maybe, mut none, mut there) = (0u64, 0u64, 1.0, 0.0);
    for (field, part) in declared.iter().zip(parts) {
        let name = field.name.len() as u64 + 3;
        match (part, &field.node.kind) {
            (Part::Optional { share, part }, Kind::Optional(inner)) => {
                let Some(part) = part else { continue };
                sum = sum.plus(value(plan, inner, part).and(name).or(*share, Spread::ZERO));
                if *share >= 1.0 {
                    always += 1;
                } else {
                    maybe += 1;
                }
                there += share;
                none *= 1.0 - share;
            }
            _ => {
                sum = sum.plus(value(plan, &field.node, part).and(name));
                always += 1;
                there += 1.0;
                none = 0.0;
            }
        }
    }
    sum.plus(Spread {
        least: always.saturating_sub(1),
        expected: there - (1.0 - none),
        most: (always + maybe).saturating_sub(1),
    })
}

/// Items separated by commas.
fn list(items: &Items, of: impl Fn(&Part) -> Spread) -> Spread {
    let inside = match items {
        Items::Alike { count, item } => of(item).times(count),
        Items::Each(items) => Spread::sum(items.iter().map(of)),
    };
    inside.plus(separators(items))
}

/// The separators of items: one fewer than the items.
pub fn separators(items: &Items) -> Spread {
    let count = items.count();
    Spread {
        least: count.least().saturating_sub(1),
        expected: count.expect(|n| n.saturating_sub(1) as f64),
        most: count.most().saturating_sub(1),
    }
}

/// The leaf of a value without parts.
pub fn leaf(part: &Part) -> Option<&Leaf> {
    match part {
        Part::Leaf(leaf) => Some(leaf),
        Part::Record { .. }
        | Part::Union { .. }
        | Part::Optional { .. }
        | Part::Items(_)
        | Part::Entries(_) => None,
    }
}
