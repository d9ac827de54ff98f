//! Sizes on the json wire (`spec/wires/json.md`).

use crate::leaf::Leaf;
use crate::part::{Items, Part};
use crate::spread::Spread;
use creo_model::{Field, Model, Type, TypeKind};

/// The bytes of a request: an object of the parameters (JSON-20).
pub fn request(model: &Model, parameters: &[Field], part: &Part) -> Spread {
    match part {
        Part::Record { fields, .. } => object(model, parameters, fields),
        other => value(model, None, other),
    }
}

/// The bytes of a response: the value itself (JSON-21).
pub fn response(model: &Model, result: Option<&Type>, part: &Part) -> Spread {
    match (result, part) {
        (Some(ty), Part::Record { fields, .. }) => fields.first().map_or(Spread::ZERO, |part| value(model, Some(ty), part)),
        (_, _) => Spread::ZERO,
    }
}

/// The bytes of a value. Without a type there is nothing but leaves.
pub fn value(model: &Model, ty: Option<&Type>, part: &Part) -> Spread {
    match (part, ty) {
        (Part::Leaf(leaf), _) => leaf.json,
        (Part::Optional { share, part }, Some(Type::Optional(item))) => {
            part.as_ref().map_or(Spread::ZERO, |part| value(model, Some(item), part)).or(*share, Spread::exact(4))
        }
        (Part::Items(items), Some(Type::Array(item))) => list(items, |part| value(model, Some(item), part)).and(2),
        (Part::Entries(items), Some(Type::Map(_, item))) => list(items, |part| match part {
            Part::Record { fields, .. } => match &fields[..] {
                [Part::Leaf(key), part] => key.key.plus(value(model, Some(item), part)).and(1),
                _ => Spread::ZERO,
            },
            _ => Spread::ZERO,
        })
        .and(2),
        (Part::Record { fields, .. }, Some(Type::Named(id))) => object(model, model.ty(*id).fields(), fields),
        (Part::Union { members, .. }, Some(Type::Named(id))) => {
            let declared = match &model.ty(*id).kind {
                TypeKind::Union(declared) => declared,
                TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Enum(_) => return Spread::ZERO,
            };
            Spread::one_of(members.iter().map(|(index, share, part)| {
                let member = &declared[*index];
                (*share, value(model, Some(&member.ty), part).and(member.name.len() as u64 + 5))
            }))
        }
        (_, _) => Spread::ZERO,
    }
}

/// A field that is nothing is left out (JSON-1).
fn object(model: &Model, declared: &[Field], parts: &[Part]) -> Spread {
    let mut sum = Spread::exact(2);
    // Of the members that are there, all but one have a comma: members that may be missing are told apart from those that are always there.
    let (mut always, mut maybe, mut none, mut there) = (0u64, 0u64, 1.0, 0.0);
    for (field, part) in declared.iter().zip(parts) {
        let name = field.name.len() as u64 + 3;
        match (part, &field.ty) {
            (Part::Optional { share, part }, Type::Optional(item)) => {
                let Some(part) = part else { continue };
                sum = sum.plus(value(model, Some(item), part).and(name).or(*share, Spread::ZERO));
                if *share >= 1.0 {
                    always += 1;
                } else {
                    maybe += 1;
                }
                there += share;
                none *= 1.0 - share;
            }
            _ => {
                sum = sum.plus(value(model, Some(&field.ty), part).and(name));
                always += 1;
                there += 1.0;
                none = 0.0;
            }
        }
    }
    sum.plus(Spread { least: always.saturating_sub(1), expected: there - (1.0 - none), most: (always + maybe).saturating_sub(1) })
}

/// Items with commas between them.
fn list(items: &Items, of: impl Fn(&Part) -> Spread) -> Spread {
    let inside = match items {
        Items::Alike { count, item } => of(item).times(count),
        Items::Each(items) => Spread::sum(items.iter().map(of)),
    };
    inside.plus(separators(items))
}

/// What stands between items: one less than there are.
pub fn separators(items: &Items) -> Spread {
    let count = items.count();
    Spread { least: count.least().saturating_sub(1), expected: count.expect(|n| n.saturating_sub(1) as f64), most: count.most().saturating_sub(1) }
}

/// The leaf of a value without parts.
pub fn leaf(part: &Part) -> Option<&Leaf> {
    match part {
        Part::Leaf(leaf) => Some(leaf),
        Part::Record { .. } | Part::Union { .. } | Part::Optional { .. } | Part::Items(_) | Part::Entries(_) => None,
    }
}
