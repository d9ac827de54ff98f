//! Sizes on the binary wire.

use crate::node::Shape;
use creo_model::{Model, Primitive, Type, TypeDecl, TypeId, TypeKind};
use std::collections::VecDeque;

impl Shape {
    pub(crate) const fn fixed(size: u64, any_bits: bool) -> Shape {
        Shape { min_size: size, fixed_size: Some(size), any_bits }
    }

    pub(crate) const fn variable(min_size: u64) -> Shape {
        Shape { min_size, fixed_size: None, any_bits: false }
    }
}

/// The shapes of all declared types.
///
/// Min sizes shrink to a fixed point from "no finite value known yet": LANG-14 guarantees that all become finite. A type is computed again
/// when one that it contains has changed, so a long chain of types takes linear time.
pub fn shapes(model: &Model) -> Vec<Shape> {
    let mut users = vec![Vec::new(); model.types.len()];
    for id in model.type_ids() {
        for field in model.ty(id).fields() {
            if let Type::Named(held) = field.ty {
                users[held.0].push(id);
            }
        }
    }
    let mut shapes = vec![Shape::variable(u64::MAX); model.types.len()];
    let mut queue: VecDeque<TypeId> = model.type_ids().collect();
    let mut queued = vec![true; model.types.len()];
    while let Some(id) = queue.pop_front() {
        queued[id.0] = false;
        let shape = of_declaration(model.ty(id), &shapes);
        if shape == shapes[id.0] {
            continue;
        }
        shapes[id.0] = shape;
        for user in &users[id.0] {
            if !queued[user.0] {
                queued[user.0] = true;
                queue.push_back(*user);
            }
        }
    }
    shapes
}

fn of_declaration(decl: &TypeDecl, shapes: &[Shape]) -> Shape {
    match &decl.kind {
        TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
            if decl.extensible {
                // An older writer's value may end before any field with a default; it is empty if the first field has one.
                let min_size = fields
                    .iter()
                    .take_while(|f| f.default.is_none() && !matches!(f.ty, Type::Optional(_)))
                    .fold(0u64, |sum, f| sum.saturating_add(of_type(&f.ty, shapes).min_size));
                return Shape::variable(min_size.saturating_add(4));
            }
            fields.iter().map(|f| of_type(&f.ty, shapes)).fold(Shape::fixed(0, true), |sum, s| Shape {
                min_size: sum.min_size.saturating_add(s.min_size),
                fixed_size: sum.fixed_size.zip(s.fixed_size).map(|(a, b)| a.saturating_add(b)),
                any_bits: sum.any_bits && s.any_bits,
            })
        }
        TypeKind::Enum(constants) => {
            if !decl.extensible && constants.iter().all(|c| c.number < 0x80) {
                Shape::fixed(1, false)
            } else if decl.extensible {
                Shape::variable(1)
            } else {
                Shape::variable(
                    constants.iter().map(|c| count_size(c.number.into())).min().unwrap_or(u64::MAX),
                )
            }
        }
        TypeKind::Union(members) => {
            if decl.extensible {
                // An unknown member may be empty.
                return Shape::variable(5);
            }
            let size = |(index, member): (usize, &creo_model::Field)| {
                of_type(&member.ty, shapes).min_size.saturating_add(count_size(index as u64))
            };
            Shape::variable(members.iter().enumerate().map(size).min().unwrap_or(u64::MAX))
        }
    }
}

/// The shape of a type, from the shapes of the declared types.
pub fn of_type(ty: &Type, shapes: &[Shape]) -> Shape {
    match ty {
        Type::Primitive(p) => match p {
            Primitive::Boolean => Shape::fixed(1, false),
            Primitive::Byte => Shape::fixed(1, true),
            Primitive::Short | Primitive::Char => Shape::fixed(2, true),
            Primitive::Int | Primitive::Float => Shape::fixed(4, true),
            Primitive::Long | Primitive::Double => Shape::fixed(8, true),
            Primitive::DateTime => Shape::fixed(12, false),
            Primitive::String => Shape::variable(1),
            Primitive::Decimal => Shape::variable(2),
        },
        Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => Shape::variable(1),
        Type::Named(id) => shapes[id.0],
    }
}

/// The bytes of a count on the binary wire (BIN-2).
pub fn count_size(count: u64) -> u64 {
    match count {
        0..=0x7f => 1,
        0x80..=0x3fff => 2,
        0x4000..=0x1f_ffff => 3,
        0x20_0000..=0xfff_ffff => 4,
        _ => 5,
    }
}
