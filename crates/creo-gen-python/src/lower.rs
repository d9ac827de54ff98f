//! Lowering: decides the content of each package.

use creo_check::CheckedModel;
use creo_model::{PackageId, TypeKind};

use crate::lang::{Init, Package, Reader};
use crate::lower_binary::{Bodies, binary_module};
use crate::lower_calls::client_module;
use crate::lower_scope::Lower;
use crate::lower_text::text_module;
use crate::lower_types::types_module;
use crate::names::{export_order, import_order};

/// The packages with content.
pub fn lower(model: &CheckedModel, bodies: Bodies) -> Vec<Package> {
    let lower = Lower::new(model);
    let all = (0..model.packages.len()).map(PackageId);
    let filled = all.filter(|id| {
        let names = lower.package(*id);
        !names.types.is_empty() || !names.interfaces.is_empty()
    });
    filled.map(|id| package(&lower, id, bodies)).collect()
}

fn package(lower: &Lower, id: PackageId, bodies: Bodies) -> Package {
    Package {
        folder: lower.package(id).parts.join("/"),
        init: init(lower, id),
        types: types_module(lower, id),
        binary: binary_module(lower, id, bodies),
        text: text_module(lower, id),
        clients: client_module(lower, id),
    }
}

/// The exports of a package.
fn init(lower: &Lower, id: PackageId) -> Init {
    let names = lower.package(id);
    let (mut types, mut readers) = (Vec::new(), Vec::new());
    for id in &names.types {
        let names = lower.ty(*id);
        types.push(names.class.clone());
        if matches!(lower.model.ty(*id).kind, TypeKind::Union(_)) {
            types.extend(names.helpers.iter().cloned());
            let constant = format!("{}_TYPE", names.constant);
            readers.extend(names.readers.iter().map(|(name, method)| Reader {
                name: name.clone(),
                constant: constant.clone(),
                method,
            }));
        }
    }
    let interfaces = names.interfaces.iter().map(|index| lower.interface(*index));
    let mut clients: Vec<String> =
        interfaces.flat_map(|names| [names.async_client.clone(), names.client.clone()]).collect();
    let mut exported: Vec<String> =
        types.iter().chain(&clients).chain(readers.iter().map(|reader| &reader.name)).cloned().collect();
    for names in [&mut types, &mut clients] {
        names.sort_by_key(|name| import_order(name));
    }
    exported.sort_by_key(|name| export_order(name));
    Init { package: lower.model.package(id).name.clone(), types, clients, readers, exported }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::{BinaryModule, FieldRead, FieldWrite, FixedWrite, Form, Read, Value, Write};
    use creo_check::compile;

    fn binary_module(text: &str) -> BinaryModule {
        let model = compile(&[("main.creo", text)]).unwrap_or_else(|report| panic!("{report}"));
        lower(&model, Bodies::Both).remove(0).binary
    }

    /// Structs each of which contains the previous one twice.
    fn doubling(first: &str, levels: usize) -> String {
        let structs: Vec<String> =
            (1..=levels).map(|level| format!("struct S{level} {{ S{0} a; S{0} b; }}", level - 1)).collect();
        format!(
            "struct S0 {{ {first} }} {} interface I {{ S{levels} f(S{levels}[] all); }}",
            structs.join(" ")
        )
    }

    fn parts(value: &Value) -> usize {
        match value {
            Value::Number | Value::Constant(_) => 1,
            Value::Made(_, numbers) => numbers.len(),
            Value::Struct(_, fields) => 1 + fields.iter().map(|(_, field)| parts(field)).sum::<usize>(),
        }
    }

    /// The parts of the values and the numbers in a module's codecs.
    fn parts_and_numbers(module: &BinaryModule) -> (usize, usize) {
        let (mut all, mut numbers) = (0, 0);
        for codec in &module.codecs {
            let Form::Record(record) = &codec.form else { continue };
            for read in &record.reads {
                if let FieldRead::Run(run) = read {
                    all += run.values.iter().map(parts).sum::<usize>();
                }
            }
            for write in &record.writes {
                if let FieldWrite::Run(FixedWrite::Pack(_, packed)) = write {
                    numbers += packed.len();
                }
            }
            if let Some(block) = &record.block {
                all += block.fields.iter().map(|(_, field)| parts(field)).sum::<usize>();
                numbers += block.columns.len();
            }
        }
        (all, numbers)
    }

    #[test]
    fn structs_that_double_take_linear_work() {
        for first in ["int v;", "DateTime v; boolean w;", ""] {
            let (parts, numbers) = parts_and_numbers(&binary_module(&doubling(first, 70)));
            let (more_parts, more_numbers) = parts_and_numbers(&binary_module(&doubling(first, 80)));
            assert_eq!((more_parts, more_numbers), (parts, numbers), "{first}");
            assert!(parts > 0 && parts < 10_000 && numbers < 10_000, "{first}: {parts}, {numbers}");
        }
    }

    #[test]
    fn a_struct_beyond_the_limits_is_read_and_written_by_a_call_for_each_field() {
        let module = binary_module(&doubling("int v;", 11));
        let codec = module.codecs.last().expect("there are types");
        let Form::Record(record) = &codec.form else { panic!("{codec:?}") };
        assert!(record.block.is_none());
        let is_call =
            |read: &FieldRead| matches!(read, FieldRead::Field(Read::Function(name)) if name == "decode_s10");
        assert!(record.reads.len() == 2 && record.reads.iter().all(is_call), "{record:?}");
        let is_call = |write: &FieldWrite| matches!(write, FieldWrite::Field(_, Write::Function(name)) if name == "encode_s10");
        assert!(record.writes.len() == 2 && record.writes.iter().all(is_call), "{record:?}");
    }

    #[test]
    fn structs_within_structs_are_flattened_up_to_a_depth() {
        let structs: Vec<String> =
            (1..=17).map(|level| format!("struct S{level} {{ S{} a; }}", level - 1)).collect();
        let module = binary_module(&format!("struct S0 {{ int v; }} {}", structs.join(" ")));
        let blocks: Vec<bool> = module
            .codecs
            .iter()
            .map(|codec| matches!(&codec.form, Form::Record(record) if record.block.is_some()))
            .collect();
        assert_eq!(blocks.iter().position(|has_block| !has_block), Some(16));
    }

    #[test]
    fn locals_of_parameters_differ() {
        let module = binary_module("interface I { void f(int[] a_b, int[] b, long[] a_a_b, String a); }");
        let mut values = module.methods[0].arguments.values.clone();
        assert_eq!(values, ["h_a_b", "h_b", "h_a_a_b", "a_a"]);
        values.sort();
        values.dedup();
        assert_eq!(values.len(), 4);
    }
}
