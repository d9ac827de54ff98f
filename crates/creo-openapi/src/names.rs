//! The names of schemas: simple ones, full ones where two would be the same (JSON-30).

use creo_model::{CheckedModel, Interface, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// The schema of every error's problem document.
pub const PROBLEM: &str = "Problem";

/// The types that an interface reaches, in the order of the model, and what each is called.
pub fn names(model: &CheckedModel, interface: &Interface) -> BTreeMap<TypeId, String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<TypeId> = Vec::new();
    for method in &interface.methods {
        method.parameters.iter().map(|parameter| &parameter.ty).chain(&method.result).for_each(|ty| mentioned(ty, &mut open));
        open.extend(&method.throws);
    }
    while let Some(id) = open.pop() {
        if reached.insert(id) {
            model.ty(id).fields().iter().for_each(|field| mentioned(&field.ty, &mut open));
        }
    }
    let mut uses: BTreeMap<&str, usize> = BTreeMap::from([(PROBLEM, 1)]);
    for id in &reached {
        *uses.entry(&model.ty(*id).name).or_default() += 1;
    }
    let name = |id: TypeId| match uses[model.ty(id).name.as_str()] {
        1 => model.ty(id).name.clone(),
        _ => model.full_name(id),
    };
    reached.iter().map(|id| (*id, name(*id))).collect()
}

fn mentioned(ty: &Type, found: &mut Vec<TypeId>) {
    match ty {
        Type::Primitive(_) | Type::Bytes => {}
        Type::Array(item) | Type::Optional(item) => mentioned(item, found),
        Type::Map(key, value) => {
            mentioned(key, found);
            mentioned(value, found);
        }
        Type::Named(id) => found.push(*id),
    }
}
