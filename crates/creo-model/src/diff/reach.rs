//! Which calls carry which types.

use super::matching::Matching;
use crate::model::{Method, Model, PackageId, Type, TypeId};
use std::collections::BTreeSet;

/// A method that both descriptions have.
struct Call {
    name: String,
    /// The old package of its interface.
    package: PackageId,
    same_id: bool,
    before: Roots,
    after: Roots,
}

/// The types that a method names itself. What they hold is looked for when it is asked for: it may be all types, for every method.
struct Roots {
    to_service: Vec<TypeId>,
    to_client: Vec<TypeId>,
}

impl Roots {
    fn of(method: &Method) -> Roots {
        let (mut to_service, mut to_client) = (Vec::new(), method.throws.clone());
        method.parameters.iter().for_each(|parameter| named(&parameter.ty, &mut to_service));
        method.result.iter().for_each(|ty| named(ty, &mut to_client));
        Roots { to_service, to_client }
    }
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
    /// Sorted by name.
    calls: Vec<Call>,
    old_holders: Holders,
    new_holders: Holders,
}

impl Reach {
    pub fn new(old: &Model, new: &Model, matching: &Matching) -> Reach {
        let mut calls = Vec::new();
        for before in &old.interfaces {
            let Some(after) = matching.interface(old, new, before).map(|index| &new.interfaces[index]) else { continue };
            for (method, index) in before.methods.iter().zip(matching.methods(before, after)) {
                let Some(other) = index.map(|index| &after.methods[index]) else { continue };
                calls.push(Call {
                    name: format!("{}.{}", old.interface_name(before), method.name),
                    package: before.package,
                    same_id: method.id == other.id,
                    before: Roots::of(method),
                    after: Roots::of(other),
                });
            }
        }
        calls.sort_by(|a, b| a.name.cmp(&b.name));
        Reach { calls, old_holders: Holders::new(old), new_holders: Holders::new(new) }
    }

    /// The calls that carry a type, before or after.
    pub fn carriers(&self, before: TypeId, after: TypeId) -> Vec<Carrier> {
        self.carriers_of(&self.old_holders.around([before]), &self.new_holders.around([after]))
    }

    /// The calls whose interface is in an old package, and those that carry a type of it.
    pub fn calls_of_package(&self, old: &Model, package: PackageId) -> Vec<Carrier> {
        let types = old.type_ids().filter(|id| old.ty(*id).package == package);
        let mut calls = self.carriers_of(&self.old_holders.around(types), &BTreeSet::new());
        let own = self.calls.iter().filter(|call| call.package == package);
        calls.extend(own.map(|call| Carrier { name: call.name.clone(), same_id: call.same_id, to_service: false, to_client: false }));
        calls.sort_by(|a, b| a.name.cmp(&b.name));
        calls.dedup_by(|a, b| a.name == b.name);
        calls
    }

    fn carriers_of(&self, old: &BTreeSet<TypeId>, new: &BTreeSet<TypeId>) -> Vec<Carrier> {
        let any = |types: &[TypeId], of: &BTreeSet<TypeId>| types.iter().any(|id| of.contains(id));
        let carriers = self.calls.iter().filter_map(|call| {
            let to_service = any(&call.before.to_service, old) || any(&call.after.to_service, new);
            let to_client = any(&call.before.to_client, old) || any(&call.after.to_client, new);
            (to_service || to_client).then(|| Carrier { name: call.name.clone(), same_id: call.same_id, to_service, to_client })
        });
        carriers.collect()
    }
}

/// For each type those whose fields or members name it, extensible ones as well.
struct Holders(Vec<Vec<TypeId>>);

impl Holders {
    fn new(model: &Model) -> Holders {
        let mut holders = vec![Vec::new(); model.types.len()];
        for holder in model.type_ids() {
            let mut held = Vec::new();
            model.ty(holder).fields().iter().for_each(|field| named(&field.ty, &mut held));
            held.iter().for_each(|id| holders[id.0].push(holder));
        }
        Holders(holders)
    }

    /// The types themselves, and all that hold one of them at any depth.
    fn around(&self, types: impl IntoIterator<Item = TypeId>) -> BTreeSet<TypeId> {
        let mut work: Vec<TypeId> = types.into_iter().collect();
        let mut around = BTreeSet::new();
        while let Some(id) = work.pop() {
            if around.insert(id) {
                work.extend(&self.0[id.0]);
            }
        }
        around
    }
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
