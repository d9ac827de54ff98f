//! Fixed-size values, flattened to their scalars and enums.

use crate::{FixedScalar, Kind, Node, Plan};
use creo_model::TypeId;

/// A scalar or enum in a fixed-size value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The struct and the index of its field at each level, outermost first. Empty if the value itself is the leaf.
    pub path: Vec<(TypeId, usize)>,
    /// In bytes, from the start of the value.
    pub offset: u64,
    pub size: u64,
    pub kind: LeafKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafKind {
    Scalar(FixedScalar),
    /// An enum with one-byte numbers.
    Enum(TypeId),
}

/// The limits of flattening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafLimits {
    pub max_leaves: usize,
    /// The nesting depth of structs.
    pub max_depth: usize,
}

impl Plan {
    /// The leaves of a value in wire order; `None` if its size is not fixed or it exceeds the limits. A struct without fields has none.
    pub fn leaves(&self, node: &Node, limits: LeafLimits) -> Option<Vec<Leaf>> {
        node.shape.fixed_size?;
        let mut walk = Walk { plan: self, limits, path: Vec::new(), offset: 0, leaves: Vec::new() };
        walk.node(node)?;
        Some(walk.leaves)
    }
}

struct Walk<'p> {
    plan: &'p Plan,
    limits: LeafLimits,
    path: Vec<(TypeId, usize)>,
    offset: u64,
    leaves: Vec<Leaf>,
}

impl Walk<'_> {
    fn node(&mut self, node: &Node) -> Option<()> {
        match node.kind {
            Kind::Scalar(scalar) => self.leaf(LeafKind::Scalar(scalar), scalar.size()),
            Kind::Enum(id) => self.leaf(LeafKind::Enum(id), node.shape.fixed_size?),
            // A struct without any fields, even nested ones: visiting it could take exponential time.
            Kind::Record(_) if node.shape.fixed_size == Some(0) => Some(()),
            Kind::Record(id) => {
                if self.path.len() >= self.limits.max_depth {
                    return None;
                }
                let plan = self.plan;
                for (index, field) in plan.record(id).fields.iter().enumerate() {
                    self.path.push((id, index));
                    self.node(&field.node)?;
                    self.path.pop();
                }
                Some(())
            }
            Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Union(_) => None,
        }
    }

    fn leaf(&mut self, kind: LeafKind, size: u64) -> Option<()> {
        if self.leaves.len() >= self.limits.max_leaves {
            return None;
        }
        self.leaves.push(Leaf { path: self.path.clone(), offset: self.offset, size, kind });
        self.offset += size;
        Some(())
    }
}
