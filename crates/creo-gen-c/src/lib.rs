//! Generates C11: structs, codecs and client functions, with the runtime, a Makefile and a CMakeLists.txt beside them.
//!
//! `lower*.rs` decide names, types and orders; `print_*.rs` print them. [`lower`] and [`lang`] are for code that is made for the same model and needs its names.

// A new kind of value or type must be met everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

mod amalgamate;
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

pub use amalgamate::{Amalgamation, HEADER, SOURCE};
pub use lower::lower;
pub use scalars::{Scalar, scalar};
pub use service::{ServiceMethod, ServiceSide, service_side};

use amalgamate::amalgamate;
use creo_codegen::{Files, Input, Module, Part, Target, Wire, Wires, header, parts_below};

/// The runtime in two files: the chosen parts and those that they need, and modules.
///
/// # Errors
/// When a file includes one of a part that is not among them.
pub fn amalgamated_runtime(chosen: &[&'static str], modules: &[Module]) -> Result<Amalgamation, String> {
    let modules: Vec<&Part> = modules.iter().filter_map(|module| C.module(*module)).collect();
    let wanted = chosen.iter().chain(modules.iter().flat_map(|module| module.needs)).copied().collect();
    let mut parts = parts_below(runtime::RUNTIME, wanted);
    parts.extend(modules);
    amalgamate(&parts)
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
            Module::JmsBroker => None,
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
        // Generated headers include the runtime's own, which has the client over TCP.
        let wires = Wires::of(input.wires.iter().chain([Wire::Binary]));
        for (path, text) in (Input { wires, ..*input }).runtime_files(self, runtime::RUNTIME) {
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
