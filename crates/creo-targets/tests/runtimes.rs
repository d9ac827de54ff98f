//! A runtime goes out whole for all wires on both sides and several addresses: no part of a list is left that nothing needs, but for what others find in a runtime's package.

#![allow(clippy::disallowed_methods)] // It reads the lists.

use creo_codegen::{Input, Module, Runtime, Sides};
use std::path::Path;

#[test]
fn all_wires_on_both_sides_need_every_part() {
    let model =
        creo_check::compile(&[("lab.creo", "interface Lab { stream int samples(); }")]).expect("valid");
    for target in creo_targets::ALL {
        let input = Input::new(target, &model);
        let with: &[Module] = &[Module::Balance];
        let files = target.generate(&Input { runtime: Runtime::Copy, sides: Sides::Both, with, ..input });
        let list =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes").join(target.name()).join("emit.txt");
        let list = std::fs::read_to_string(&list).unwrap_or_else(|e| panic!("{}: {e}", list.display()));
        // The runtime of C goes out in two files, in which comments name those on the list.
        let joined = |emitted: &str| {
            let name = emitted.trim_start_matches("include/").trim_start_matches("src/");
            let comment = format!("\n * {name}\n");
            target.name() == "c" && files.iter().any(|(_, text)| text.contains(&comment))
        };
        // A servlet container takes the runtime as a package.
        let (list, _) = list.split_once("\n[hosted: ").unwrap_or((&list, ""));
        let listed: Vec<&str> = list
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with(['#', '[']))
            .map(|line| line.split_once(" -> ").map_or(line, |(_, emitted)| emitted))
            .collect();
        assert!(listed.len() > 10, "{}: {listed:?}", target.name());
        for emitted in listed {
            assert!(
                files.get(emitted).is_some() || joined(emitted),
                "{}: {emitted} is in no part that is needed",
                target.name()
            );
        }
    }
}
