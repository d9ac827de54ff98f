//! Decides everything about the C code for a model: names, types, orders, representations.

use crate::lang::Unit;
use crate::lower_base::{Lower, items};
use crate::lower_order;
use crate::lower_text::lower_text;
use creo_check::CheckedModel;
use creo_model::graph::component_of;
use creo_model::{PackageId, TypeId, TypeKind};
use std::collections::BTreeSet;

/// Lowers a model to the units of C.
pub fn lower(model: &CheckedModel) -> Vec<Unit> {
    let plan = model.plan();
    let mut lower = Lower::names(model, plan);
    lower.find_composites();
    let edges = lower.containment();
    lower.circles = component_of(&edges);
    lower.members = model.type_ids().map(|id| lower.record_members(id)).collect();
    let order = lower_order::dependencies_first(&lower.without_pointers(edges));
    let mut units = units(&mut lower, &order);
    lower_text(&mut lower, &mut units);
    units
}

fn units(lower: &mut Lower<'_>, order: &[usize]) -> Vec<Unit> {
    let package_edges = package_edges(lower);
    let component = component_of(&package_edges);
    let count = component.iter().max().map_or(0, |last| last + 1);
    let mut units: Vec<Unit> = (0..count).map(|_| Unit::default()).collect();
    for (package, &at) in component.iter().enumerate() {
        let unit = &mut units[at];
        unit.packages.push(lower.model.packages[package].name.clone());
        if unit.stem.is_empty() {
            unit.stem.clone_from(&lower.prefixes[package])
        } else {
            unit.forwards.push(lower.prefixes[package].clone())
        }
    }
    for (package, used) in package_edges.iter().enumerate() {
        let stems: Vec<String> = used.iter().map(|&other| units[component[other]].stem.clone()).collect();
        let unit = &mut units[component[package]];
        unit.includes.extend(stems.into_iter().filter(|stem| *stem != unit.stem));
        unit.includes.sort();
        unit.includes.dedup();
    }
    for (id, decl) in lower.model.type_ids().zip(&lower.model.types) {
        if let TypeKind::Enum(constants) = &decl.kind {
            units[component[decl.package.0]].enums.push(lower.lower_enum(id, constants));
        }
    }
    for &node in order {
        let (package, definition) = match node.checked_sub(lower.model.types.len()) {
            None => (lower.model.types[node].package, lower.lower_type(TypeId(node))),
            Some(at) => (lower.composites.get(at).home, Some(lower.lower_composite(at))),
        };
        units[component[package.0]].definitions.extend(definition);
    }
    for (index, interface) in lower.model.interfaces.iter().enumerate() {
        let service = lower.lower_service(index);
        units[component[interface.package.0]].services.push(service);
    }
    units
}

/// The packages that each package's types and methods refer to.
fn package_edges(lower: &Lower<'_>) -> Vec<Vec<usize>> {
    let mut used: Vec<BTreeSet<PackageId>> = vec![BTreeSet::new(); lower.model.packages.len()];
    for id in lower.model.type_ids() {
        for field in lower.plan.members(id) {
            lower.packages_of(&field.node, &mut used[lower.model.ty(id).package.0]);
        }
    }
    for (interface, plan) in lower.model.interfaces.iter().zip(lower.plan.interfaces()) {
        let of = &mut used[interface.package.0];
        for method in &plan.methods {
            method.request.record.fields.iter().for_each(|parameter| lower.packages_of(&parameter.node, of));
            method.result().into_iter().chain(items(method)).for_each(|value| lower.packages_of(value, of));
            of.extend(method.throws.iter().map(|id| lower.model.ty(*id).package));
        }
    }
    used.into_iter()
        .enumerate()
        .map(|(own, set)| set.into_iter().map(|id| id.0).filter(|&id| id != own).collect())
        .collect()
}
