//! Decides everything about the C# code: names, types, files, steps.

use crate::lang::{Kind, Output, Service, Type};
use crate::lower_base::Lowering;
use crate::{lower_calls, lower_names, lower_types, names};
use creo_check::CheckedModel;
use creo_codegen::{Wire, Wires, header};
use std::collections::BTreeSet;

/// `runtime` is the namespace of the runtime.
pub fn lower(model: &CheckedModel, runtime: &str, wires: Wires) -> Output {
    let top = lower_names::name_all(model, runtime);
    let lowering = Lowering::new(model, &top);
    let codecs: BTreeSet<&str> = top.types.iter().map(|[_, codec, _]| codec.class.name.as_str()).collect();
    let types: Vec<Type> = model.type_ids().map(|id| lower_types::declared(&lowering, id)).collect();
    let has_lines = wires.has(Wire::Json);
    let services: Vec<Service> = (0..model.interfaces.len())
        .map(|index| lower_calls::service(&lowering, &codecs, index, has_lines))
        .collect();
    let namespaces = top.namespaces.iter().chain((runtime != names::RUNTIME).then_some(&top.runtime));
    let mut taken: BTreeSet<String> =
        namespaces.flat_map(|namespace| namespace.split('.')).map(str::to_owned).collect();
    taken.extend(top.types.iter().chain(&top.services).flatten().map(|file| file.class.name.clone()));
    for ty in &types {
        match &ty.kind {
            Kind::Union(union) => {
                taken.extend(union.members.iter().map(|member| &member.name).chain(&union.unknown).cloned())
            }
            Kind::Struct(_) | Kind::Exception(_) | Kind::Enum(_) => {}
        }
    }
    Output {
        header: header(model),
        runtime: runtime.to_owned(),
        project: lower_names::project(model, &top.namespaces),
        types,
        services,
        taken,
    }
}
