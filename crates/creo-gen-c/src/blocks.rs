//! Runs of values of fixed size, flattened to parts at fixed offsets.

use crate::lang::{Block, Leaf, LeafKind, Step};
use crate::lower::Lower;
use creo_model::{Field, Item, Op, Step as PlanStep, Type, TypeId};

/// A struct with more parts than this is left to its own codec.
const MOST_PARTS: usize = 64;

/// Structs within structs deeper than this are left to their own codecs.
const MOST_DEPTH: usize = 16;

/// How a step's value stands in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// A struct stands within the struct that holds it.
    ByValue,
    /// A struct stands behind a pointer, as with parameters: only scalars are parts of a block.
    ByPointer,
}

/// The steps of a record or of parameters, whose C names are `names`.
pub fn steps(lower: &Lower<'_>, plan: &[PlanStep], fields: &[Field], names: &[String], held: Held) -> Vec<Step> {
    let mut steps = Vec::new();
    for step in plan {
        match step {
            PlanStep::Field { index, .. } => steps.push(Step::Field(*index)),
            PlanStep::Block { fields: parts, .. } => {
                let mut block = Block { size: 0, leaves: Vec::new() };
                for part in parts {
                    let by_pointer = held == Held::ByPointer && matches!(part.item.op, Op::Record(_));
                    let leaves = if by_pointer { None } else { flatten(lower, &part.item, &names[part.index], &fields[part.index].name, 0) };
                    match leaves {
                        Some(leaves) => append(&mut block, leaves),
                        None => {
                            finish(&mut steps, &mut block);
                            steps.push(Step::Field(part.index));
                        }
                    }
                }
                finish(&mut steps, &mut block);
            }
        }
    }
    steps
}

/// The parts of a value of that type, if its size is fixed and it is a struct.
pub fn whole(lower: &Lower<'_>, ty: &Type) -> Option<Block> {
    let item = lower.plan.item(ty);
    let Op::Record(id) = item.op else { return None };
    item.shape.fixed?;
    let mut block = Block { size: 0, leaves: Vec::new() };
    append(&mut block, record(lower, id, "", "", 0)?);
    Some(block)
}

fn append(block: &mut Block, leaves: Vec<Leaf>) {
    for mut leaf in leaves {
        leaf.offset = block.size;
        block.size += leaf.size;
        block.leaves.push(leaf);
    }
}

fn finish(steps: &mut Vec<Step>, block: &mut Block) {
    let done = std::mem::replace(block, Block { size: 0, leaves: Vec::new() });
    if !done.leaves.is_empty() {
        steps.push(Step::Block(done));
    }
}

/// The parts of a value, or `None` if it has none or too many.
fn flatten(lower: &Lower<'_>, item: &Item, path: &str, place: &str, depth: usize) -> Option<Vec<Leaf>> {
    let size = item.shape.fixed?;
    let leaf = |kind| Some(vec![Leaf { path: path.to_owned(), place: place.to_owned(), offset: 0, size, kind }]);
    match &item.op {
        Op::Scalar(primitive) => leaf(LeafKind::Scalar(*primitive)),
        Op::Number(id) => leaf(LeafKind::Enum(lower.types[id.0].clone())),
        Op::Record(id) => record(lower, *id, path, place, depth + 1),
        Op::Text(_) | Op::Bytes | Op::Bulk(_) | Op::Each(_) | Op::Entries(..) | Op::Optional(_) | Op::Variant(_) => None,
    }
}

fn record(lower: &Lower<'_>, id: TypeId, path: &str, place: &str, depth: usize) -> Option<Vec<Leaf>> {
    if depth > MOST_DEPTH {
        return None;
    }
    let names = lower.record_members(id);
    let fields = lower.model.ty(id).fields();
    let join = |outer: &str, inner: &str| if outer.is_empty() { inner.to_owned() } else { format!("{outer}.{inner}") };
    let mut leaves = Vec::new();
    for (field, name) in fields.iter().zip(&names) {
        leaves.extend(flatten(lower, &lower.plan.item(&field.ty), &join(path, name), &join(place, &field.name), depth)?);
        if leaves.len() > MOST_PARTS {
            return None;
        }
    }
    (!leaves.is_empty()).then_some(leaves)
}
