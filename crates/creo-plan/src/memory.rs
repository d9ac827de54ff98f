//! The memory of values, by the nominal sizes of LIM-18.

use crate::node::{Charges, Kind, Shape};
use creo_model::{Model, Primitive, Type, TypeId, TypeKind};

/// The 8 bytes of a field, or of an item of a non-bulk array.
const SLOT: u64 = 8;
const ENTRY: u64 = 64;
const STRUCT: u64 = 40;
const FIXED_STRUCT: u64 = 16;
/// The min charge of an optional's value: in some languages it is a separate object.
const MIN_OPTIONAL: u64 = 16;
/// A `String`, a `byte[]`, a `DateTime`; also a union, and an extensible enum.
const TEXT: u64 = 32;
const MAP: u64 = 96;
const MAX_WEIGHT: u64 = 0x7fff_ffff;

/// The weight of each declared type.
pub fn weights(model: &Model, shapes: &[Shape]) -> Vec<u64> {
    // The structs that a struct contains come before it. There is no recursion, since chains of types may exceed the stack.
    let mut weights: Vec<Option<u64>> = vec![None; model.types.len()];
    for id in model.type_ids() {
        let mut open = vec![id];
        while let Some(&top) = open.last() {
            let before = open.len();
            open.extend(held(model, top).filter(|other| weights[other.0].is_none()));
            if open.len() == before {
                weights[top.0] = Some(of_declaration(model, shapes, &weights, top));
                open.pop();
            }
        }
    }
    weights.into_iter().map(Option::unwrap_or_default).collect()
}

/// The types of a struct's fields without an array, an optional or a map in between. They are acyclic (LANG-14), except through unions,
/// whose weight does not depend on their members.
fn held(model: &Model, id: TypeId) -> impl Iterator<Item = TypeId> + '_ {
    let fields = match &model.ty(id).kind {
        TypeKind::Struct(fields) | TypeKind::Exception(fields) => fields.as_slice(),
        TypeKind::Enum(_) | TypeKind::Union(_) => &[],
    };
    fields.iter().filter_map(|field| crate::named(&field.ty))
}

fn of_declaration(model: &Model, shapes: &[Shape], weights: &[Option<u64>], id: TypeId) -> u64 {
    let decl = model.ty(id);
    let of = |ty: &Type| weight(ty, |held| weights[held.0].unwrap_or_default());
    let sum = match &decl.kind {
        TypeKind::Enum(_) => return if decl.extensible { TEXT } else { 0 },
        TypeKind::Union(_) => return TEXT,
        TypeKind::Struct(fields) | TypeKind::Exception(fields) if shapes[id.0].fixed_size.is_some() => {
            let sizes = fields.iter().map(|field| match field.ty {
                Type::Named(held) if !matches!(model.ty(held).kind, TypeKind::Enum(_)) => of(&field.ty),
                Type::Primitive(Primitive::DateTime) => of(&field.ty),
                Type::Named(held) => shapes[held.0].fixed_size.unwrap_or_default(),
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

/// The memory of a value without its slot, by the weights of the declared types.
pub fn weight(ty: &Type, declared: impl Fn(TypeId) -> u64) -> u64 {
    match ty {
        Type::Primitive(p) => match p {
            Primitive::String | Primitive::DateTime => TEXT,
            Primitive::Decimal => 64,
            Primitive::Boolean
            | Primitive::Byte
            | Primitive::Short
            | Primitive::Char
            | Primitive::Int
            | Primitive::Long
            | Primitive::Float
            | Primitive::Double => 0,
        },
        Type::Bytes => TEXT,
        Type::Optional(_) => 0,
        Type::Array(item) => match item.as_ref() {
            Type::Primitive(p) if scalar_size(*p) > 0 => 128,
            Type::Primitive(_)
            | Type::Bytes
            | Type::Array(_)
            | Type::Optional(_)
            | Type::Map(..)
            | Type::Named(_) => 64,
        },
        Type::Map(..) => MAP,
        Type::Named(id) => declared(*id),
    }
}

/// The size of a number, a boolean or a char on the binary wire; 0 for all other primitives.
fn scalar_size(p: Primitive) -> u64 {
    match p {
        Primitive::Boolean | Primitive::Byte => 1,
        Primitive::Short | Primitive::Char => 2,
        Primitive::Int | Primitive::Float => 4,
        Primitive::Long | Primitive::Double => 8,
        Primitive::String | Primitive::Decimal | Primitive::DateTime => 0,
    }
}

/// A reader's charges for a value of this kind.
pub fn charges(kind: &Kind) -> Charges {
    match kind {
        Kind::Optional(inner) => Charges { own: inner.weight.max(MIN_OPTIONAL), each: inner.charges.each },
        Kind::Array { item, bulk, .. } => {
            let each = bulk.map_or_else(|| (SLOT + item.weight).min(MAX_WEIGHT), |bulk| bulk.scalar().size());
            Charges { own: 0, each }
        }
        Kind::Map { key, value, .. } => {
            Charges { own: 0, each: (ENTRY + key.weight + value.weight).min(MAX_WEIGHT) }
        }
        Kind::Scalar(_)
        | Kind::String(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Record(_)
        | Kind::Union(_)
        | Kind::Enum(_) => Charges::default(),
    }
}
