//! Decides everything about the C# code: names, types, files, steps.

use crate::lang::{Kind, Output, Service, Type};
use crate::lower_base::Lowering;
use crate::{lower_calls, lower_names, lower_types};
use creo_check::CheckedModel;
use creo_codegen::header;
use std::collections::BTreeSet;

pub fn lower(model: &CheckedModel) -> Output {
    let names = lower_names::name_all(model);
    let lowering = Lowering::new(model, &names);
    let codecs: BTreeSet<&str> = names.types.iter().map(|[_, codec, _]| codec.class.name.as_str()).collect();
    let types: Vec<Type> = model.type_ids().map(|id| lower_types::declared(&lowering, id)).collect();
    let services: Vec<Service> =
        (0..model.interfaces.len()).map(|index| lower_calls::service(&lowering, &codecs, index)).collect();
    let mut taken: BTreeSet<String> =
        names.namespaces.iter().flat_map(|namespace| namespace.split('.')).map(str::to_owned).collect();
    taken.extend(names.types.iter().chain(&names.services).flatten().map(|file| file.class.name.clone()));
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
        project: lower_names::project(model, &names.namespaces),
        types,
        services,
        taken,
    }
}
