//! Finds which calls carry which types.

use super::change::Names;
use super::matching::Matching;
use creo_model::graph::components;
use creo_model::{Method, Model, PackageId, Type, TypeId};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// A method in both descriptions.
struct Call {
    name: Arc<str>,
    /// Whether both descriptions give the method the same id, so the two sides talk to each other.
    same_id: bool,
    /// Whether the text wires carry it in either description.
    on_text: bool,
}

/// A call that carries a type.
#[derive(Clone, Copy)]
pub struct Carrier {
    call: usize,
    /// Whether both descriptions give the method the same id, so the two sides talk to each other.
    pub same_id: bool,
    /// Whether the text wires carry it in either description.
    pub on_text: bool,
    /// Whether its parameters carry it.
    pub to_service: bool,
    /// Whether its result or exceptions carry it.
    pub to_client: bool,
}

/// Calls, sorted by name.
pub struct Found {
    pub calls: Vec<Carrier>,
    /// The names of all calls, computed on demand.
    names: OnceCell<Names>,
}

pub type Carriers = Rc<Found>;

/// Calls are searched on demand: there may be as many as all calls for every type. A search takes time linear in its result, and types that
/// refer to each other share it.
pub struct Reach {
    /// Sorted by name.
    calls: Vec<Call>,
    /// The calls of each old package.
    by_package: Vec<Vec<usize>>,
    old: Side,
    new: Side,
    /// Results for types that refer to each other, by group.
    shared: RefCell<BTreeMap<(usize, usize), Carriers>>,
    /// The last result: all changes of a type need the same.
    last: RefCell<Option<((TypeId, TypeId), Carriers)>>,
    lists: RefCell<BTreeSet<Names>>,
}

impl Reach {
    pub fn new(old: &Model, new: &Model, matching: &Matching) -> Reach {
        let mut found: Vec<(Call, PackageId, &Method, &Method)> = Vec::new();
        for (index, before) in old.interfaces.iter().enumerate() {
            let Some(after) = matching.interface(index).map(|index| &new.interfaces[index]) else { continue };
            for (method, other) in before.methods.iter().zip(matching.methods(before, after)) {
                let Some(other) = other.map(|index| &after.methods[index]) else { continue };
                let name = format!("{}.{}", old.interface_name(before), method.name).into();
                let on_text = !method.has_streams() || !other.has_streams();
                let call = Call { name, same_id: method.id == other.id, on_text };
                found.push((call, before.package, method, other));
            }
        }
        found.sort_by(|a, b| a.0.name.cmp(&b.0.name));
        let mut reach = Reach {
            calls: Vec::new(),
            by_package: vec![Vec::new(); old.packages.len()],
            old: Side::new(old),
            new: Side::new(new),
            shared: RefCell::default(),
            last: RefCell::default(),
            lists: RefCell::default(),
        };
        for (index, (call, package, before, after)) in found.into_iter().enumerate() {
            reach.calls.push(call);
            reach.by_package[package.0].push(index);
            reach.old.add(index, before);
            reach.new.add(index, after);
        }
        reach
    }

    /// The calls that carry a type before or after the change, sorted by name.
    pub fn carriers(&self, before: TypeId, after: TypeId) -> Carriers {
        if let Some((asked, carriers)) = &*self.last.borrow()
            && *asked == (before, after)
        {
            return carriers.clone();
        }
        let groups = (self.old.groups[before.0], self.new.groups[after.0]);
        let known = self.shared.borrow().get(&groups).cloned();
        let carriers = known.unwrap_or_else(|| self.carriers_of(&[before], &[after]));
        if self.old.sizes[groups.0] > 1 && self.new.sizes[groups.1] > 1 {
            self.shared.borrow_mut().insert(groups, carriers.clone());
        }
        *self.last.borrow_mut() = Some(((before, after), carriers.clone()));
        carriers
    }

    /// The calls of interfaces in an old package, and those that carry its types.
    pub fn calls_of_package(&self, package: PackageId) -> Carriers {
        let mut calls = self.carriers_of(&self.old.by_package[package.0], &[]).calls.clone();
        let own = self.by_package[package.0].iter();
        calls.extend(own.map(|call| Carrier {
            call: *call,
            same_id: self.calls[*call].same_id,
            on_text: self.calls[*call].on_text,
            to_service: false,
            to_client: false,
        }));
        calls.sort_by_key(|carrier| carrier.call);
        calls.dedup_by_key(|carrier| carrier.call);
        Rc::new(Found { calls, names: OnceCell::new() })
    }

    pub fn all_names(&self, carriers: &Carriers) -> Names {
        carriers.names.get_or_init(|| self.names(carriers.calls.iter().copied())).clone()
    }

    /// The names of calls; equal lists are shared.
    pub fn names(&self, carriers: impl IntoIterator<Item = Carrier>) -> Names {
        let list: Vec<Arc<str>> =
            carriers.into_iter().map(|carrier| self.calls[carrier.call].name.clone()).collect();
        let mut lists = self.lists.borrow_mut();
        if let Some(known) = lists.get(list.as_slice()) {
            return known.clone();
        }
        let list: Names = list.into();
        lists.insert(list.clone());
        list
    }

    fn carriers_of(&self, old: &[TypeId], new: &[TypeId]) -> Carriers {
        let mut found: Vec<(usize, bool)> = Vec::new();
        for (side, types) in [(&self.old, old), (&self.new, new)] {
            for id in side.around(types) {
                found.extend(side.to_service[id.0].iter().map(|call| (*call, true)));
                found.extend(side.to_client[id.0].iter().map(|call| (*call, false)));
            }
        }
        found.sort_unstable();
        let carrier = |of_one: &[(usize, bool)]| {
            let call = of_one[0].0;
            let to = |service: bool| of_one.iter().any(|(_, to_service)| *to_service == service);
            let Call { same_id, on_text, .. } = self.calls[call];
            Carrier { call, same_id, on_text, to_service: to(true), to_client: to(false) }
        };
        let calls = found.chunk_by(|a, b| a.0 == b.0).map(carrier).collect();
        Rc::new(Found { calls, names: OnceCell::new() })
    }
}

/// One of the two descriptions.
struct Side {
    /// For each type, the types whose fields or members refer to it, including extensible ones.
    holders: Vec<Vec<TypeId>>,
    /// For each type, the calls that refer to it directly in requests, and in answers.
    to_service: Vec<Vec<usize>>,
    to_client: Vec<Vec<usize>>,
    by_package: Vec<Vec<TypeId>>,
    /// The group of each type: types that contain each other are carried by the same calls.
    groups: Vec<usize>,
    sizes: Vec<usize>,
    /// All `false` between walks, so a short walk need not reset all types.
    seen: RefCell<Vec<bool>>,
}

impl Side {
    fn new(model: &Model) -> Side {
        let count = model.types.len();
        let (mut holders, mut edges) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut by_package = vec![Vec::new(); model.packages.len()];
        for holder in model.type_ids() {
            for id in model.ty(holder).fields().iter().flat_map(|field| field.ty.names()) {
                holders[id.0].push(holder);
                edges[holder.0].push(id.0);
            }
            by_package[model.ty(holder).package.0].push(holder);
        }
        let (mut groups, mut sizes) = (vec![0; count], Vec::new());
        for members in components(&edges) {
            members.iter().for_each(|member| groups[*member] = sizes.len());
            sizes.push(members.len());
        }
        Side {
            holders,
            to_service: vec![Vec::new(); count],
            to_client: vec![Vec::new(); count],
            by_package,
            groups,
            sizes,
            seen: RefCell::new(vec![false; count]),
        }
    }

    fn add(&mut self, call: usize, method: &Method) {
        let to_service = method.parameters.iter().flat_map(|parameter| parameter.ty.names());
        let to_client = method.throws.iter().copied().chain(method.result.iter().flat_map(Type::names));
        to_service.for_each(|id| self.to_service[id.0].push(call));
        to_client.for_each(|id| self.to_client[id.0].push(call));
    }

    /// The types and everything that contains one of them at any depth.
    fn around(&self, types: &[TypeId]) -> Vec<TypeId> {
        let mut seen = self.seen.borrow_mut();
        let mut around: Vec<TypeId> = Vec::new();
        let mut work = types.to_vec();
        while let Some(id) = work.pop() {
            if !std::mem::replace(&mut seen[id.0], true) {
                around.push(id);
                work.extend(&self.holders[id.0]);
            }
        }
        around.iter().for_each(|id| seen[id.0] = false);
        around
    }
}
