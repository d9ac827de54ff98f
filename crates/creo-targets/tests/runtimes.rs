//! A runtime goes out whole for all wires on both sides, several addresses and retries: no part of a list is left that nothing needs, but for what others find in a runtime's package.

#![allow(clippy::disallowed_methods)] // It reads the lists.

use creo_codegen::{Input, Module, Runtime, Sides};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The list of a runtime's files.
fn list_of(target: &str) -> String {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes").join(target).join("emit.txt");
    std::fs::read_to_string(&list).unwrap_or_else(|e| panic!("{}: {e}", list.display()))
}

/// The paths of the files on a list as they go out.
fn emitted(list: &str) -> Vec<&str> {
    list.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with(['#', '[']))
        .map(|line| line.split_once(" -> ").map_or(line, |(_, emitted)| emitted))
        .collect()
}

#[test]
fn all_wires_on_both_sides_need_every_part() {
    let model =
        creo_check::compile(&[("lab.creo", "interface Lab { stream int samples(); }")]).expect("valid");
    for target in creo_targets::ALL {
        let input = Input::new(target, &model);
        let with = &Module::PARTS;
        let files = target.generate(&Input { runtime: Runtime::Copy, sides: Sides::Both, with, ..input });
        let list = list_of(target.name());
        // The runtime of C goes out in two files, in which comments name those on the list.
        let joined = |emitted: &str| {
            let name = emitted.trim_start_matches("include/").trim_start_matches("src/");
            let comment = format!("\n * {name}\n");
            target.name() == "c" && files.iter().any(|(_, text)| text.contains(&comment))
        };
        // A servlet container takes the runtime as a package.
        let (list, _) = list.split_once("\n[hosted: ").unwrap_or((&list, ""));
        let listed = emitted(list);
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

/// Copies with more modules, or for a description with streams, have all files of those with less, and the same bytes in them: descriptions share a copy.
#[test]
fn a_file_is_the_same_in_every_copy_that_has_it() {
    let compiled =
        |text| creo_check::compile(&[("lab.creo", text)]).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let plain = compiled("interface Lab { int sample(); }");
    let streams = compiled("interface Lab { stream int samples(); }");
    // Both files of C depend on the choice; its own tests read their sections.
    for target in creo_targets::ALL.into_iter().filter(|target| target.name() != "c") {
        let list = list_of(target.name());
        let copy = |model, with| {
            let input = Input { sides: Sides::Client, with, ..Input::new(target, model) };
            let files = target.generate(&Input { runtime: Runtime::Copy, ..input });
            let runtime = emitted(&list)
                .into_iter()
                .filter_map(|path| files.get(path).map(|text| (path.to_owned(), text.to_owned())));
            runtime.collect::<BTreeMap<_, _>>()
        };
        let most = copy(&streams, &Module::PARTS);
        let mut sizes = BTreeSet::new();
        for model in [&plain, &streams] {
            for with in [&[][..], &[Module::Balance], &[Module::Retries], &Module::PARTS] {
                let some = copy(model, with);
                for (path, text) in &some {
                    assert_eq!(most.get(path), Some(text), "{}: {path} with {with:?}", target.name());
                }
                sizes.insert(some.len());
            }
        }
        assert!(sizes.len() > 3, "{}: copies have {sizes:?} files", target.name());
    }
}
