//! The rules for types and their positions.

use crate::mistakes::{DoubleOptional, EmptyType, ExceptionAsValue, InvalidMapKey, VoidNotAllowed};
use crate::resolve::{Resolved, is_void};
use crate::scope::UNKNOWN;
use creo_diag::Report;
use creo_model::{Model, Primitive, Type, TypeKind};
use creo_syntax::{DeclarationKind, TypeRef, TypeRefKind};

/// LANG-15. A list with unreadable members is not empty.
pub fn not_empty(resolved: &Resolved, report: &mut Report) {
    for declaration in resolved.types.iter().filter(|declaration| !declaration.is_lossy) {
        let empty = match &declaration.kind {
            DeclarationKind::Enum(constants) => constants.is_empty(),
            DeclarationKind::Union(members) => members.is_empty(),
            DeclarationKind::Struct(_) | DeclarationKind::Exception(_) | DeclarationKind::Interface(_) => {
                false
            }
        };
        if empty {
            report.add(&EmptyType {
                span: declaration.name.span,
                name: declaration.name.text.clone(),
                keyword: declaration.kind.keyword(),
            });
        }
    }
}

/// LANG-12, LANG-13.
pub fn places(resolved: &Resolved, report: &mut Report) {
    let model = &resolved.model;
    for (decl, tree) in model.types.iter().zip(&resolved.types) {
        let (fields, of) = match &tree.kind {
            DeclarationKind::Struct(fields) | DeclarationKind::Exception(fields) => (fields, "field"),
            DeclarationKind::Union(members) => (members, "member"),
            DeclarationKind::Enum(_) | DeclarationKind::Interface(_) => continue,
        };
        for (field, tree) in decl.fields().iter().zip(fields) {
            place(model, &field.ty, &tree.ty, of, report);
        }
    }
    for (interface, tree) in model.interfaces.iter().zip(&resolved.interfaces) {
        let DeclarationKind::Interface(methods) = &tree.kind else { continue };
        for (method, tree) in interface.methods.iter().zip(methods) {
            for (parameter, tree) in method.parameters.iter().zip(&tree.parameters) {
                place(model, &parameter.ty, &tree.ty, "parameter", report);
            }
            if let Some(result) = &method.result {
                place(model, result, &tree.result, "result", report);
            }
        }
    }
}

/// A type and its inner types, alongside their tree.
fn place(model: &Model, ty: &Type, tree: &TypeRef, of: &'static str, report: &mut Report) {
    match (&tree.kind, ty) {
        (TypeRefKind::Array(item_tree), Type::Array(item)) => place(model, item, item_tree, of, report),
        (TypeRefKind::Optional(item_tree), Type::Optional(item)) => {
            if matches!(item_tree.kind, TypeRefKind::Optional(_)) {
                // Only the second question mark is too many.
                report.add(&DoubleOptional {
                    span: creo_diag::Span::new(tree.span.file, tree.span.end - 1, tree.span.end),
                });
            }
            place(model, item, item_tree, of, report);
        }
        (TypeRefKind::Map(key_tree, value_tree), Type::Map(key, value)) => {
            if !may_be_key(model, key) && !is_void(key_tree) {
                report.add(&InvalidMapKey { span: key_tree.span });
            }
            place(model, key, key_tree, of, report);
            place(model, value, value_tree, of, report);
        }
        (TypeRefKind::Name(name), ty) => {
            if is_void(tree) {
                report.add(&VoidNotAllowed { span: tree.span, of });
            }
            if let Type::Named(id) = ty
                && *id != UNKNOWN
                && matches!(model.ty(*id).kind, TypeKind::Exception(_))
            {
                report.add(&ExceptionAsValue { span: tree.span, name: name.text(), of });
            }
        }
        // `byte[]`, and errors already reported.
        (
            TypeRefKind::Array(_) | TypeRefKind::Optional(_) | TypeRefKind::Map(..) | TypeRefKind::Unknown,
            _,
        ) => {}
    }
}

fn may_be_key(model: &Model, ty: &Type) -> bool {
    match ty {
        Type::Primitive(primitive) => match primitive {
            Primitive::Boolean
            | Primitive::Byte
            | Primitive::Short
            | Primitive::Char
            | Primitive::Int
            | Primitive::Long
            | Primitive::String => true,
            Primitive::Float | Primitive::Double | Primitive::DateTime | Primitive::Decimal => false,
        },
        Type::Named(id) => *id == UNKNOWN || matches!(model.ty(*id).kind, TypeKind::Enum(_)),
        Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => false,
    }
}
