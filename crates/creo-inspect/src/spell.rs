//! Types in readable form.

use creo_model::{Model, Type, TypeId};

/// A type as its description writes it. A declared type has its simple name, or its full name if the simple one is ambiguous.
pub fn spell(model: &Model, ty: &Type) -> String {
    match ty {
        Type::Primitive(primitive) => primitive.keyword().to_owned(),
        Type::Bytes => "byte[]".to_owned(),
        Type::Array(item) => format!("{}[]", spell(model, item)),
        Type::Optional(item) => format!("{}?", spell(model, item)),
        Type::Map(key, value) => format!("Map<{}, {}>", spell(model, key), spell(model, value)),
        Type::Named(id) => declared_name(model, *id),
    }
}

/// The simple name of a declared type, or its full name if the simple one is ambiguous.
fn declared_name(model: &Model, id: TypeId) -> String {
    let name = &model.ty(id).name;
    let alone = model.types.iter().filter(|decl| decl.name == *name).count() == 1;
    if alone { name.clone() } else { model.full_name(id) }
}
