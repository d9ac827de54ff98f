//! Generates C11: structs, codecs and client functions, with the runtime, a Makefile and a CMakeLists.txt beside them.
//!
//! `lower*.rs` decide names, types and orders; `print_*.rs` print them. [`lower`] and [`lang`] are for code that is made for the same model and needs its names.

// A new kind of value or type must be met everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

pub mod amalgamate;
pub mod lang;
mod literals;
mod lower;
mod lower_base;
mod lower_blocks;
mod lower_calls;
mod lower_composites;
mod lower_order;
mod lower_text;
mod lower_types;
mod names;
mod print_binary;
mod print_binary_composites;
mod print_calls;
mod print_project;
mod print_shared;
mod print_text;
mod print_types;
mod scalars;
mod service;

mod runtime {
    include!(concat!(env!("OUT_DIR"), "/runtime.rs"));
}

pub use lower::lower;
pub use scalars::{Scalar, scalar};
pub use service::{ServiceMethod, ServiceSide, service_side};

use creo_codegen::{Files, Input, Module, Part, Target, Wire, Wires, as_they_are, header};

/// The runtime's parts, lowest first, and after them those of the optional modules.
pub fn runtime_parts() -> Vec<amalgamate::Part> {
    let lists =
        [include_str!("../../../runtimes/c/emit.txt"), include_str!("../../../runtimes/c/emit-jms.txt")];
    lists.into_iter().flat_map(amalgamate::parts).collect()
}

/// The runtime in two files, for the chosen parts and those that they need.
///
/// # Errors
/// When the runtime has no such part.
pub fn amalgamated_runtime(chosen: &[&str]) -> Result<amalgamate::Amalgamation, String> {
    let runtime = runtime::RUNTIME.iter().flat_map(|part| part.files);
    let files = runtime.chain(runtime::JMS.files).copied().collect();
    amalgamate::amalgamate(&runtime_parts(), &files, chosen)
}

/// The target `c`.
#[derive(Clone, Copy, Debug, Default)]
pub struct C;

impl Target for C {
    fn name(&self) -> &'static str {
        names::TARGET
    }

    fn module(&self, module: Module) -> Option<&'static Part> {
        match module {
            Module::Jms => Some(&runtime::JMS),
        }
    }

    fn generate(&self, input: &Input) -> Files {
        let mut files = Files::new();
        let header = header(input.model);
        let mut sources = Vec::new();
        for unit in lower(input.model) {
            files.add(
                format!("include/{}", print_shared::header_name(&unit.stem)),
                print_project::header(&header, &unit),
            );
            for stem in &unit.forwards {
                files.add(
                    format!("include/{}", print_shared::header_name(stem)),
                    print_project::forward(&header, stem, &unit.stem),
                );
            }
            let source = format!("src/{}.creo.c", unit.stem);
            files.add(source.clone(), print_project::source(&header, &unit));
            sources.push(source);
            if input.wires.any_text() {
                files.add(
                    format!("include/{}", print_shared::text_header_name(&unit.stem)),
                    print_text::header(&header, &unit, input.wires),
                );
                let source = format!("src/{}.text.c", unit.stem);
                files.add(source.clone(), print_text::source(&header, &unit));
                sources.push(source);
            }
        }
        let mut copied = Files::new();
        let modules: Vec<_> = input.with.iter().filter_map(|module| self.module(*module)).collect();
        // Generated headers include the runtime's own, which has the client over TCP.
        let wires = Wires::of(input.wires.iter().chain([Wire::Binary]));
        Input { wires, ..*input }.add_runtime(&mut copied, runtime::RUNTIME, &modules, as_they_are);
        for (path, text) in copied.iter() {
            files.add(path, text);
            sources.extend(path.ends_with(".c").then(|| path.to_owned()));
        }
        sources.sort();
        let name = print_project::description(input);
        let library = format!("creo_{name}");
        files.add("Makefile", print_project::makefile());
        files.add(format!("{name}.mk"), print_project::make_part(&header, &library, &sources, input));
        files.add("CMakeLists.txt", print_project::cmake());
        files.add(format!("{name}.cmake"), print_project::cmake_part(&header, &library, &sources, input));
        files
    }
}
