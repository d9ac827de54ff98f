//! What values take in memory, by the nominal sizes of LIM-18.

use crate::model::{Model, Primitive, Type, TypeId, TypeKind};
use crate::plan::{Op, Plan, Shape};

/// The 8 bytes of a field, or of an item that is not moved in bulk.
const SLOT: u64 = 8;
const ENTRY: u64 = 64;
const STRUCT: u64 = 40;
const FIXED_STRUCT: u64 = 16;
/// What a value of an optional is charged at least: in some languages it is an object of its own.
const LEAST_OPTIONAL: u64 = 16;
const MAX_WEIGHT: u64 = 0x7fff_ffff;

/// The weight of each declared type.
pub(crate) fn weights(model: &Model, shapes: &[Shape]) -> Vec<u64> {
    // The structs that a struct holds come before it. No recursion: chains of types may be longer than the stack.
    let mut weights: Vec<Option<u64>> = vec![None; model.types.len()];
    for id in model.type_ids() {
        let mut open = vec![id];
        while let Some(&top) = open.last() {
            let before = open.len();
            open.extend(held(model, top).filter(|other| weights[other.0].is_none()));
            if open.len() == before {
                weights[top.0] = Some(declared(model, shapes, &weights, top));
                open.pop();
            }
        }
    }
    weights.into_iter().map(Option::unwrap_or_default).collect()
}

/// The types that a struct's fields name without an array, an optional or a map in between. They form no circle (LANG-14), but for unions, which weigh the same whatever they hold.
fn held(model: &Model, id: TypeId) -> impl Iterator<Item = TypeId> + '_ {
    let fields = match &model.ty(id).kind {
        TypeKind::Struct(fields) | TypeKind::Exception(fields) => fields.as_slice(),
        TypeKind::Enum(_) | TypeKind::Union(_) => &[],
    };
    fields.iter().filter_map(|field| match field.ty {
        Type::Named(held) => Some(held),
        _ => None,
    })
}

fn declared(model: &Model, shapes: &[Shape], weights: &[Option<u64>], id: TypeId) -> u64 {
    let decl = model.ty(id);
    let of = |ty: &Type| weight(ty, |held| weights[held.0].unwrap_or_default());
    let sum = match &decl.kind {
        TypeKind::Enum(_) => return if decl.extensible { 32 } else { 0 },
        TypeKind::Union(_) => return 32,
        TypeKind::Struct(fields) | TypeKind::Exception(fields) if shapes[id.0].fixed.is_some() => {
            let sizes = fields.iter().map(|field| match field.ty {
                Type::Named(held) if !matches!(model.ty(held).kind, TypeKind::Enum(_)) => of(&field.ty),
                Type::Primitive(Primitive::DateTime) => of(&field.ty),
                Type::Named(held) => shapes[held.0].fixed.unwrap_or_default(),
                Type::Primitive(p) => scalar_size(p),
                Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => 0,
            });
            sizes.fold(FIXED_STRUCT, u64::saturating_add)
        }
        TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
            fields.iter().map(|field| of(&field.ty)).fold(STRUCT, |sum, w| sum.saturating_add(SLOT + w))
        }
    };
    sum.min(MAX_WEIGHT)
}

fn weight(ty: &Type, declared: impl Fn(TypeId) -> u64) -> u64 {
    match ty {
        Type::Primitive(Primitive::String | Primitive::DateTime) | Type::Bytes => 32,
        Type::Primitive(Primitive::Decimal) => 64,
        Type::Primitive(_) | Type::Optional(_) => 0,
        Type::Array(item) if is_bulk(item) => 128,
        Type::Array(_) => 64,
        Type::Map(..) => 96,
        Type::Named(id) => declared(*id),
    }
}

fn is_bulk(item: &Type) -> bool {
    matches!(item, Type::Primitive(p) if scalar_size(*p) > 0)
}

/// The bytes of a number, a boolean or a char on the binary wire; 0 of what is none.
fn scalar_size(p: Primitive) -> u64 {
    match p {
        Primitive::Boolean | Primitive::Byte => 1,
        Primitive::Short | Primitive::Char => 2,
        Primitive::Int | Primitive::Float => 4,
        Primitive::Long | Primitive::Double => 8,
        Primitive::String | Primitive::Decimal | Primitive::DateTime => 0,
    }
}

impl Plan<'_> {
    /// What a value takes besides its slot: the charge of a union's member, too.
    pub fn weight(&self, ty: &Type) -> u64 {
        weight(ty, |id| self.declared_weight(id))
    }

    /// What each item of an array of such items is charged; of an array that is moved in bulk, on text wires alone.
    pub fn item_charge(&self, item: &Type) -> u64 {
        match self.item(&Type::Array(Box::new(item.clone()))).op {
            Op::Bulk(p) => scalar_size(p),
            _ => (SLOT + self.weight(item)).min(MAX_WEIGHT),
        }
    }

    /// What each entry of a map is charged.
    pub fn entry_charge(&self, key: &Type, value: &Type) -> u64 {
        (ENTRY + self.weight(key) + self.weight(value)).min(MAX_WEIGHT)
    }

    /// What the value of an optional is charged.
    pub fn optional_charge(&self, item: &Type) -> u64 {
        self.weight(item).max(LEAST_OPTIONAL)
    }
}
