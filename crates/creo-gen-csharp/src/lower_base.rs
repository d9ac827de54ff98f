//! Decides how values are represented and encoded on the binary wire.

use crate::lang::{Classes, Code, Field, Fixed, Layout, Placed, Slot, Step, Ty, Value};
use crate::lower_names::{self, TopNames};
use crate::scalars::scalar;
use creo_check::CheckedModel;
use creo_model::{Primitive, TypeId, TypeKind};
use creo_plan::{Kind, Node, Plan, StringForm};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The max size of a struct that becomes a value type, in bytes on the wire.
const MAX_VALUE_STRUCT: u64 = 64;

/// The max size of a block, in bytes.
const MAX_BLOCK: u64 = 4096;

/// The data for all of lowering.
pub struct Lowering<'m> {
    pub model: &'m CheckedModel,
    pub plan: &'m Plan,
    pub names: &'m TopNames,
    /// By index of the type.
    pub classes: Vec<Rc<Classes>>,
    /// The names of the constants of enums, by index of the type.
    pub constants: Vec<Vec<String>>,
    /// The types in messages of SOAP encoding.
    pub encoded_types: BTreeSet<TypeId>,
    kept: Vec<Kept>,
}

/// The representation of a type's values.
#[derive(Clone, Copy, Debug)]
enum Kept {
    Object,
    Value {
        /// Whether writing never refuses a value.
        is_put: bool,
    },
}

impl<'m> Lowering<'m> {
    pub fn new(model: &'m CheckedModel, names: &'m TopNames) -> Lowering<'m> {
        let plan = model.plan();
        let mut search = KeptSearch { model, plan, known: vec![None; model.types.len()] };
        let kept: Vec<Kept> = model.type_ids().map(|id| search.of(id)).collect();
        let classes = |([class, codec, text], kept): (&[lower_names::File; 3], &Kept)| {
            Rc::new(Classes {
                class: class.class.clone(),
                codec: codec.class.clone(),
                text: text.class.clone(),
                is_value: matches!(kept, Kept::Value { .. }),
            })
        };
        Lowering {
            model,
            plan,
            names,
            classes: names.types.iter().zip(&kept).map(classes).collect(),
            constants: model.types.iter().map(lower_names::constants).collect(),
            encoded_types: plan.encoded_types(),
            kept,
        }
    }

    pub fn classes(&self, id: TypeId) -> Rc<Classes> {
        self.classes[id.0].clone()
    }

    pub fn value(&self, node: &Node) -> Value {
        let of = |primitive| {
            let scalar = scalar(primitive);
            (Ty::Scalar(scalar), Code::Word(scalar.word.to_owned()), None)
        };
        let boxed = |node: &Node| {
            let value = self.value(node);
            (Box::new(value.ty.clone()), Box::new(value))
        };
        let (ty, code, text_word) = match &node.kind {
            Kind::Scalar(scalar) => of(scalar.primitive()),
            Kind::String(StringForm::Plain | StringForm::Token | StringForm::QName) => of(Primitive::String),
            Kind::String(StringForm::Raw) => {
                let (ty, code, _) = of(Primitive::String);
                (ty, code, Some("Raw"))
            }
            Kind::Decimal => of(Primitive::Decimal),
            Kind::Bytes { .. } => (Ty::Bytes, Code::Word("Bytes".to_owned()), None),
            Kind::Array { bulk: Some(bulk), .. } => {
                let item = scalar(bulk.scalar().primitive());
                (Ty::Array(Box::new(Ty::Scalar(item))), Code::Word(format!("{}s", item.word)), None)
            }
            Kind::Array { item: node_of_item, bulk: None, .. } => {
                let (ty, item) = boxed(node_of_item);
                let min_size = min_size(node_of_item);
                (Ty::Array(ty), Code::Items { item, min_size, charge: node.charges.each }, None)
            }
            Kind::Map { key, value, attributes } => {
                let min_size = min_size(key) + min_size(value);
                let ((key_ty, key), (value_ty, value)) = (boxed(key), boxed(value));
                let code = Code::Entries { key, value, min_size, charge: node.charges.each };
                (Ty::Map(key_ty, value_ty), code, attributes.then_some("Attributes"))
            }
            Kind::Optional(item) => {
                let (ty, value) = boxed(item);
                (Ty::Optional(ty), Code::Optional { value, charge: node.charges.own }, None)
            }
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => {
                (Ty::Declared(self.classes(*id)), Code::Declared(self.classes(*id)), None)
            }
        };
        Value { ty, code, text_word, fixed: self.fixed(node) }
    }

    fn fixed(&self, node: &Node) -> Option<Fixed> {
        let size = node.shape.fixed_size?;
        let (slot, is_put) = match &node.kind {
            Kind::Scalar(fixed) => (Slot::Scalar(scalar(fixed.primitive()).block?), true),
            Kind::Enum(id) => (Slot::Enum(self.classes(*id)), false),
            Kind::Record(id) => match self.kept[id.0] {
                Kept::Value { is_put } => (Slot::Record(self.classes(*id)), is_put),
                Kept::Object => return None,
            },
            Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Union(_) => return None,
        };
        Some(Fixed { size, slot, is_put })
    }

    /// The steps of writing and of reading fields: two or more consecutive fixed-size fields are one block. Each field of an extensible
    /// record is a step, since its region may end between any two.
    pub fn steps(&self, plan: &creo_plan::Record, fields: &[Field]) -> (Vec<Step>, Vec<Step>) {
        let steps = |is_in_block: fn(&Fixed) -> bool| {
            let fixed = |node: &Node| self.fixed(node).filter(|fixed| !plan.extensible && is_in_block(fixed));
            let size = |node: &Node| fixed(node).map(|fixed| fixed.size);
            plan.steps_by(MAX_BLOCK, size).into_iter().map(|step| self::step(step, fields)).collect()
        };
        (steps(|fixed| fixed.is_put), steps(|_| true))
    }

    /// The layout of a value type; `None` for all others.
    pub fn layout(&self, id: TypeId, fields: &[Field]) -> Option<Layout> {
        let Kept::Value { is_put } = self.kept[id.0] else { return None };
        let (mut size, mut placed) = (0, Vec::new());
        for (index, field) in fields.iter().enumerate() {
            let fixed = field.value.fixed.as_ref()?;
            placed.push(Placed { index, offset: size, slot: fixed.slot.clone() });
            size += fixed.size;
        }
        Some(Layout { size, fields: placed, is_put })
    }
}

fn step(step: creo_plan::Step, fields: &[Field]) -> Step {
    match step {
        creo_plan::Step::Field(index) => Step::Field(index),
        creo_plan::Step::Run { fields: run, size } => match run.as_slice() {
            [only] => Step::Field(only.index),
            run => {
                let placed = |field: &creo_plan::RunField| {
                    let fixed = fields[field.index].value.fixed.as_ref();
                    let slot = fixed.expect("the values of a run have a fixed size").slot.clone();
                    Placed { index: field.index, offset: field.offset, slot }
                };
                Step::Block { fields: run.iter().map(placed).collect(), size }
            }
        },
    }
}

/// The min size of a value, as far as a count can use it.
fn min_size(node: &Node) -> u64 {
    node.shape.min_size.min(i32::MAX as u64 / 2)
}

/// Determines the representation of each type's values once.
struct KeptSearch<'m> {
    model: &'m CheckedModel,
    plan: &'m Plan,
    known: Vec<Option<Kept>>,
}

impl KeptSearch<'_> {
    fn of(&mut self, id: TypeId) -> Kept {
        if let Some(kept) = self.known[id.0] {
            return kept;
        }
        let kept = self.find(id);
        self.known[id.0] = Some(kept);
        kept
    }

    /// A struct becomes a value type if it is small, of fixed size, with fields of value types, and without defaults, which an
    /// unconstructed value would not have.
    fn find(&mut self, id: TypeId) -> Kept {
        let model = self.model;
        let decl = model.ty(id);
        let fields = match &decl.kind {
            TypeKind::Struct(fields) => fields,
            // An undeclared number is refused.
            TypeKind::Enum(_) => return Kept::Value { is_put: false },
            TypeKind::Exception(_) | TypeKind::Union(_) => return Kept::Object,
        };
        let is_small = self.plan.shape(id).fixed_size.is_some_and(|size| size <= MAX_VALUE_STRUCT);
        if !is_small || decl.extensible || fields.iter().any(|field| field.default.is_some()) {
            return Kept::Object;
        }
        let mut is_put = true;
        for held in self.plan.members(id).iter().filter_map(|field| creo_plan::named(&field.node.ty)) {
            match self.of(held) {
                Kept::Value { is_put: held } => is_put &= held,
                Kept::Object => return Kept::Object,
            }
        }
        Kept::Value { is_put }
    }
}
