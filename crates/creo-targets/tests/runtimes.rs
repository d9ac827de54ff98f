//! A runtime goes out whole for all wires on both sides: no part of a list is left that nothing needs.

#![allow(clippy::disallowed_methods)] // It reads the lists.

use creo_codegen::{Input, Runtime, Sides};
use std::path::Path;

#[test]
fn all_wires_on_both_sides_need_every_part() {
    let model = creo_check::compile(&[("lab.creo", "struct Sample { int value; }")]).expect("valid");
    for target in creo_targets::ALL {
        let input = Input::new(target, &model);
        let files = target.generate(&Input { runtime: Runtime::Copy, sides: Sides::Both, ..input });
        let list =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes").join(target.name()).join("emit.txt");
        let list = std::fs::read_to_string(&list).unwrap_or_else(|e| panic!("{}: {e}", list.display()));
        for emitted in list
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once(" -> "))
            .map(|(_, emitted)| emitted)
        {
            assert!(
                files.get(emitted).is_some(),
                "{}: {emitted} is in no part that is needed",
                target.name()
            );
        }
    }
}
