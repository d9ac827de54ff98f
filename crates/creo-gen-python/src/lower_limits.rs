//! Which structs are flattened: fixed-size ones, up to limits.

use creo_model::TypeId;
use creo_plan::{Kind, Node, Plan};

/// The max number of numbers and structs in a flattened value; in a larger one, each struct has its own call. The count doubles with each
/// level of structs that contain others twice.
const MAX_PARTS: usize = 1024;

/// The nesting depth of structs, which is that of calls.
const MAX_DEPTH: usize = 16;

/// The structs that are read and written as sequences of numbers.
#[derive(Debug)]
pub struct FlatTypes(Vec<bool>);

impl FlatTypes {
    pub fn new(plan: &Plan, types: usize) -> FlatTypes {
        let is_flat = |id| {
            let node = plan.value(id);
            node.shape.fixed_size.is_some() && (Count { plan, parts: 0 }).is_within(node, 0)
        };
        FlatTypes((0..types).map(TypeId).map(is_flat).collect())
    }

    pub fn has(&self, id: TypeId) -> bool {
        self.0[id.0]
    }
}

/// Counts the parts of a value.
struct Count<'p> {
    plan: &'p Plan,
    parts: usize,
}

impl Count<'_> {
    /// Whether a value is within the limits. Stops as soon as it is not.
    fn is_within(&mut self, node: &Node, depth: usize) -> bool {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return false;
        }
        match node.kind {
            Kind::Scalar(_) | Kind::Enum(_) => true,
            Kind::Record(id) => {
                depth < MAX_DEPTH
                    && self.plan.record(id).fields.iter().all(|field| self.is_within(&field.node, depth + 1))
            }
            Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Union(_) => false,
        }
    }
}
