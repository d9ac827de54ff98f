//! Which calls carry which types.

use super::matching::Matching;
use crate::model::{Interface, Method, Model, Type, TypeId};
use std::collections::BTreeSet;

/// A method that both descriptions have.
struct Call {
    name: String,
    package: String,
    same_id: bool,
    old_to_service: BTreeSet<TypeId>,
    old_to_client: BTreeSet<TypeId>,
    new_to_service: BTreeSet<TypeId>,
    new_to_client: BTreeSet<TypeId>,
}

/// A call that carries a type.
pub struct Carrier {
    /// The old full name of the method.
    pub name: String,
    /// Whether the two descriptions give the method the same id, so that the two sides talk.
    pub same_id: bool,
    /// In its parameters.
    pub to_service: bool,
    /// In its result or exceptions.
    pub to_client: bool,
}

pub struct Reach {
    calls: Vec<Call>,
}

impl Reach {
    pub fn new(old: &Model, new: &Model, matching: &Matching) -> Reach {
        let mut calls = Vec::new();
        for before in &old.interfaces {
            let Some(after) = matching.interface(old, new, before).map(|index| &new.interfaces[index]) else { continue };
            for (method, index) in before.methods.iter().zip(matching.methods(before, after)) {
                if let Some(index) = index {
                    calls.push(call(old, new, before, method, &after.methods[index]));
                }
            }
        }
        calls.sort_by(|a, b| a.name.cmp(&b.name));
        Reach { calls }
    }

    /// The calls that carry a type, before or after.
    pub fn carriers(&self, before: TypeId, after: TypeId) -> Vec<Carrier> {
        let carriers = self.calls.iter().map(|call| Carrier {
            name: call.name.clone(),
            same_id: call.same_id,
            to_service: call.old_to_service.contains(&before) || call.new_to_service.contains(&after),
            to_client: call.old_to_client.contains(&before) || call.new_to_client.contains(&after),
        });
        carriers.filter(|carrier| carrier.to_service || carrier.to_client).collect()
    }

    /// The methods of a package that both descriptions have.
    pub fn methods_of_package(&self, package: &str) -> Vec<String> {
        self.calls.iter().filter(|call| call.package == package).map(|call| call.name.clone()).collect()
    }
}

fn call(old: &Model, new: &Model, interface: &Interface, before: &Method, after: &Method) -> Call {
    Call {
        name: format!("{}.{}", old.interface_name(interface), before.name),
        package: old.package(interface.package).name.clone(),
        same_id: before.id == after.id,
        old_to_service: reachable(old, before.parameters.iter().map(|p| &p.ty), &[]),
        old_to_client: reachable(old, before.result.iter(), &before.throws),
        new_to_service: reachable(new, after.parameters.iter().map(|p| &p.ty), &[]),
        new_to_client: reachable(new, after.result.iter(), &after.throws),
    }
}

/// All types within the given ones; extensible types are walked as well.
fn reachable<'m>(model: &'m Model, types: impl Iterator<Item = &'m Type>, throws: &[TypeId]) -> BTreeSet<TypeId> {
    let mut work: Vec<TypeId> = throws.to_vec();
    types.for_each(|ty| named(ty, &mut work));
    let mut reached = BTreeSet::new();
    while let Some(id) = work.pop() {
        if reached.insert(id) {
            model.ty(id).fields().iter().for_each(|field| named(&field.ty, &mut work));
        }
    }
    reached
}

fn named(ty: &Type, found: &mut Vec<TypeId>) {
    match ty {
        Type::Primitive(_) | Type::Bytes => {}
        Type::Array(item) | Type::Optional(item) => named(item, found),
        Type::Map(key, value) => {
            named(key, found);
            named(value, found);
        }
        Type::Named(id) => found.push(*id),
    }
}
