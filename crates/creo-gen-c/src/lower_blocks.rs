//! Runs of fixed-size values, flattened to parts at fixed offsets.

use crate::lang::{Block, Leaf, LeafKind, Step};
use crate::lower_base::Lower;
use creo_plan::{Kind, LeafLimits, Node, Record};

/// A struct with more parts, or with more levels of nested structs, uses its own codec.
const LIMITS: LeafLimits = LeafLimits { max_leaves: 64, max_depth: 16 };

/// Items of an array may be one level deeper, since they are the structs themselves.
const ITEM_LIMITS: LeafLimits = LeafLimits { max_depth: LIMITS.max_depth + 1, ..LIMITS };

/// The C representation of a step's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// A struct is contained by value.
    ByValue,
    /// A struct is a pointer, as with parameters: only scalars are parts of a block.
    ByPointer,
}

/// The steps of a record or of parameters with the C names `names`.
pub fn steps(lower: &Lower<'_>, record: &Record, names: &[String], held: Held) -> Vec<Step> {
    let part = |node: &Node| match node.kind {
        Kind::Record(_) if held == Held::ByPointer => None,
        Kind::Scalar(_)
        | Kind::String(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Array { .. }
        | Kind::Map { .. }
        | Kind::Optional(_)
        | Kind::Record(_)
        | Kind::Union(_)
        | Kind::Enum(_) => flatten(lower, node, LIMITS),
    };
    let size = |node: &Node| node.shape.fixed_size.filter(|_| !record.extensible && part(node).is_some());
    let steps = record.steps_by(u64::MAX, size).into_iter().map(|step| match step {
        creo_plan::Step::Field(index) => Step::Field(index),
        creo_plan::Step::Run { fields, size } => {
            let leaves = fields.iter().flat_map(|field| {
                let declared = &record.fields[field.index];
                let leaves = part(&declared.node).into_iter().flatten();
                leaves.map(|leaf| Leaf {
                    path: join(&names[field.index], &leaf.path),
                    place: join(&declared.name, &leaf.place),
                    offset: field.offset + leaf.offset,
                    ..leaf
                })
            });
            Step::Block(Block { size, leaves: leaves.collect() })
        }
    });
    steps.collect()
}

/// The parts of a value, if it is a fixed-size struct.
pub fn whole(lower: &Lower<'_>, node: &Node) -> Option<Block> {
    let Kind::Record(_) = node.kind else { return None };
    Some(Block { size: node.shape.fixed_size?, leaves: flatten(lower, node, ITEM_LIMITS)? })
}

fn join(outer: &str, inner: &str) -> String {
    match (outer, inner) {
        ("", only) | (only, "") => only.to_owned(),
        (outer, inner) => format!("{outer}.{inner}"),
    }
}

/// The parts of a value, or `None` if it has none or too many, or contains a struct without fields, whose codec sets its one byte.
fn flatten(lower: &Lower<'_>, node: &Node, limits: LeafLimits) -> Option<Vec<Leaf>> {
    if node.shape.fixed_size? == 0 {
        return None;
    }
    let plan = lower.plan;
    let leaf = |leaf: creo_plan::Leaf| {
        let (mut path, mut place) = (String::new(), String::new());
        for (id, index) in leaf.path {
            let fields = &plan.record(id).fields;
            if fields.iter().any(|field| field.node.shape.fixed_size == Some(0)) {
                return None;
            }
            path = join(&path, &lower.members[id.0][index]);
            place = join(&place, &fields[index].name);
        }
        let kind = match leaf.kind {
            creo_plan::LeafKind::Scalar(scalar) => LeafKind::Scalar(scalar.primitive()),
            creo_plan::LeafKind::Enum(id) => LeafKind::Enum(lower.types[id.0].clone()),
        };
        Some(Leaf { path, place, offset: leaf.offset, size: leaf.size, kind })
    };
    plan.leaves(node, limits)?.into_iter().map(leaf).collect()
}
