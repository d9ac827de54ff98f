//! The names of schemas: simple, or full if two would be the same (JSON-30).

use creo_check::CheckedModel;
use creo_model::TypeId;
use creo_plan::Plan;
use std::collections::BTreeMap;

/// The schema of every error's problem document.
pub const PROBLEM: &str = "Problem";

/// The types that an interface uses, in the order of the model, and their names.
pub fn names(model: &CheckedModel, plan: &Plan, interface: usize) -> BTreeMap<TypeId, String> {
    let reached = plan.reached_by_json(interface);
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
