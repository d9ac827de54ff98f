//! The min size of a value in bytes (MODEL-21), by the specification of the binary wire.

use creo_model::{Field, Model, Primitive, Type, TypeDecl, TypeKind};
use std::collections::VecDeque;

/// The min size of each type of a model, by index. It saturates, and is finite for a checked model (LANG-14).
pub(crate) fn least_sizes(model: &Model) -> Vec<u64> {
    least_values(model, declared)
}

/// The min of a measure for each type, where the measure depends on the named types. Values shrink from "no finite value known" to a fixed
/// point. A type is visited again only when a type it names has shrunk, which keeps long chains of types fast.
pub(crate) fn least_values(model: &Model, measure: impl Fn(&TypeDecl, &[u64]) -> u64) -> Vec<u64> {
    let mut users = vec![Vec::new(); model.types.len()];
    for (user, decl) in model.types.iter().enumerate() {
        for field in decl.fields() {
            if let Some(used) = named(&field.ty) {
                users[used].push(user);
            }
        }
    }
    let mut values = vec![u64::MAX; model.types.len()];
    let mut waiting: VecDeque<usize> = (0..model.types.len()).collect();
    while let Some(index) = waiting.pop_front() {
        let value = measure(&model.types[index], &values);
        if value < values[index] {
            values[index] = value;
            waiting.extend(&users[index]);
        }
    }
    values
}

/// The declared type that every value of `ty` contains.
fn named(ty: &Type) -> Option<usize> {
    match ty {
        Type::Named(id) => Some(id.0),
        Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => None,
    }
}

fn declared(decl: &TypeDecl, sizes: &[u64]) -> u64 {
    let of = |field: &Field| least(&field.ty, sizes);
    match &decl.kind {
        // The size, then the fields up to the first that an older writer may omit (BIN-8).
        TypeKind::Struct(fields) | TypeKind::Exception(fields) if decl.extensible => {
            let required =
                fields.iter().take_while(|f| f.default.is_none() && !matches!(f.ty, Type::Optional(_)));
            required.map(of).fold(4, u64::saturating_add)
        }
        TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
            fields.iter().map(of).fold(0, u64::saturating_add)
        }
        TypeKind::Enum(_) if decl.extensible => 1,
        TypeKind::Enum(constants) => constants.iter().map(|c| count_size(c.number.into())).min().unwrap_or(1),
        // Index and size; an unknown member may be empty.
        TypeKind::Union(_) if decl.extensible => 5,
        TypeKind::Union(members) => members
            .iter()
            .enumerate()
            .map(|(index, m)| of(m).saturating_add(count_size(index as u64)))
            .min()
            .unwrap_or(u64::MAX),
    }
}

/// The min size of a type's value, given those of the declared types.
pub(crate) fn least(ty: &Type, sizes: &[u64]) -> u64 {
    match ty {
        Type::Primitive(primitive) => match primitive {
            Primitive::Boolean | Primitive::Byte => 1,
            Primitive::Short | Primitive::Char => 2,
            Primitive::Int | Primitive::Float => 4,
            Primitive::Long | Primitive::Double => 8,
            Primitive::DateTime => 12,
            Primitive::String => 1,
            // A count and one digit.
            Primitive::Decimal => 2,
        },
        Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => 1,
        Type::Named(id) => sizes[id.0],
    }
}

/// The bytes of a count in its shortest form (BIN-2).
fn count_size(count: u64) -> u64 {
    match count {
        0..=0x7f => 1,
        0x80..=0x3fff => 2,
        0x4000..=0x1f_ffff => 3,
        0x20_0000..=0xfff_ffff => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use creo_check::compile;

    #[test]
    fn the_plan_knows_the_same_least_sizes() {
        let model = compile(&[("values.creo", include_str!("../../../conformance/schemas/values.creo"))])
            .unwrap_or_else(|report| panic!("{report}"));
        let (plan, sizes) = (model.plan(), least_sizes(&model));
        for id in model.type_ids() {
            assert_eq!(plan.shape(id).min_size, sizes[id.0], "{}", model.full_name(id));
        }
    }

    #[test]
    fn recursive_types_have_the_size_of_their_shortest_value() {
        let text = "union E { Sum sum; double n; } struct Sum { E left; E right; } struct L { L? next; int i; } struct T { T[] parts; }";
        let model = compile(&[("a.creo", text)]).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(least_sizes(&model), [9, 18, 5, 1]);
    }
}
