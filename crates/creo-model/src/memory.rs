//! What values take in memory, by the nominal sizes of LIM-18.

use crate::model::{Model, Primitive, Type, TypeId, TypeKind};
use crate::plan::{Plan, Shape};
use crate::text::{Field, TextPlan, Value};

/// The 8 bytes of a field, or of an item that is not moved in bulk.
const SLOT: u64 = 8;
const ENTRY: u64 = 64;
const STRUCT: u64 = 40;
const FIXED_STRUCT: u64 = 16;
/// What a value of an optional is charged at least: in some languages it is an object of its own.
const LEAST_OPTIONAL: u64 = 16;
/// A `String`, a `byte[]`, a `DateTime`; also a union, and an extensible enum.
const TEXT: u64 = 32;
const MAP: u64 = 96;
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
        TypeKind::Enum(_) => return if decl.extensible { TEXT } else { 0 },
        TypeKind::Union(_) => return TEXT,
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
        Type::Primitive(p) => primitive(*p),
        Type::Bytes => TEXT,
        Type::Optional(_) => 0,
        Type::Array(item) => array(bulk_size(item)),
        Type::Map(..) => MAP,
        Type::Named(id) => declared(*id),
    }
}

fn primitive(p: Primitive) -> u64 {
    match p {
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
    }
}

/// The weight of an array, of which the items have this size if they are moved in bulk.
fn array(bulk: Option<u64>) -> u64 {
    if bulk.is_some() { 128 } else { 64 }
}

/// The size of the items of an array that is moved in bulk.
fn bulk_size(item: &Type) -> Option<u64> {
    match item {
        Type::Primitive(p) => Some(scalar_size(*p)).filter(|size| *size > 0),
        Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) | Type::Named(_) => None,
    }
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

    /// What each item of an array of such items is charged; 0 where they are moved in bulk, and are bytes of the body.
    pub fn item_charge(&self, item: &Type) -> u64 {
        bulk_size(item).map_or_else(|| item_charge(self.weight(item)), |_| 0)
    }

    /// What each entry of a map is charged.
    pub fn entry_charge(&self, key: &Type, value: &Type) -> u64 {
        entry_charge(self.weight(key), self.weight(value))
    }

    /// What the value of an optional is charged.
    pub fn optional_charge(&self, item: &Type) -> u64 {
        self.weight(item).max(LEAST_OPTIONAL)
    }
}

fn item_charge(weight: u64) -> u64 {
    (SLOT + weight).min(MAX_WEIGHT)
}

fn entry_charge(key: u64, value: u64) -> u64 {
    (ENTRY + key + value).min(MAX_WEIGHT)
}

/// What a field is charged when a text wire brings it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Charges {
    /// For its value, if it is an optional that has one, or a member of a union.
    pub own: u64,
    /// For each item of its array, or entry of its map.
    pub each: u64,
}

impl TextPlan {
    /// What a field, an item, a key or a value of an entry is charged.
    pub fn charges(&self, field: &Field) -> Charges {
        self.value_charges(&field.value)
    }

    /// What a value of this form is charged.
    pub fn value_charges(&self, value: &Value) -> Charges {
        match value {
            Value::Optional(value) => Charges { own: self.weight(value).max(LEAST_OPTIONAL), each: self.each(value) },
            value => Charges { own: 0, each: self.each(value) },
        }
    }

    /// What a member of a union is charged.
    pub fn member_charges(&self, member: &Field) -> Charges {
        let charges = self.charges(member);
        Charges { own: charges.own.max(self.weight(&member.value)), ..charges }
    }

    fn each(&self, value: &Value) -> u64 {
        let item = |item: &Value| text_bulk_size(item).unwrap_or_else(|| item_charge(self.weight(item)));
        match value {
            Value::Repeated(field) | Value::Wrapped(field) => item(&field.value),
            Value::List(value) => item(value),
            Value::Entries(key, value) => entry_charge(self.weight(&key.value), self.weight(&value.value)),
            Value::Attributes => entry_charge(TEXT, TEXT),
            Value::Scalar(_)
            | Value::Bytes { .. }
            | Value::Enum(_)
            | Value::Record(_)
            | Value::Union(_)
            | Value::Token
            | Value::QName
            | Value::Raw
            | Value::Optional(_) => 0,
        }
    }

    /// What a value takes besides its slot.
    pub fn weight(&self, value: &Value) -> u64 {
        match value {
            Value::Scalar(p) => primitive(*p),
            Value::Bytes { .. } | Value::Token | Value::QName | Value::Raw => TEXT,
            Value::Enum(id) | Value::Record(id) | Value::Union(id) => self.weights[id.0],
            Value::Optional(_) => 0,
            Value::Repeated(field) | Value::Wrapped(field) => array(text_bulk_size(&field.value)),
            Value::List(value) => array(text_bulk_size(value)),
            Value::Entries(..) | Value::Attributes => MAP,
        }
    }
}

fn text_bulk_size(item: &Value) -> Option<u64> {
    match item {
        Value::Scalar(p) => Some(scalar_size(*p)).filter(|size| *size > 0),
        _ => None,
    }
}
