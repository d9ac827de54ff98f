//! Generates C11: structs, codecs and client functions, with the runtime in two files, a Makefile and a CMakeLists.txt.
//!
//! `lower*.rs` decide names, types and orders; `print_*.rs` print them. [`shapes`] says what a program needs that walks values of the same model.

// Every match must handle a new kind of value or type.
#![deny(clippy::wildcard_enum_match_arm)]

mod amalgamate;
mod lang;
mod literals;
mod lower;
mod lower_base;
mod lower_blocks;
mod lower_calls;
mod lower_composites;
mod lower_order;
mod lower_text;
mod lower_text_responses;
mod lower_types;
mod names;
mod print_binary;
mod print_binary_composites;
mod print_calls;
mod print_calls_messages;
mod print_calls_streams;
mod print_project;
mod print_shared;
mod print_text;
mod print_types;
mod scalars;
pub mod shapes;

mod runtime {
    include!(concat!(env!("OUT_DIR"), "/runtime.rs"));
}

pub use amalgamate::{Amalgamation, HEADER, SOURCE};

use amalgamate::{amalgamate, amalgamate_module};
use creo_codegen::{
    Files, Input, Module, Needs, Part, Runtime, Target, Wire, Wires, header, needed_parts, parts_below,
};
use lower::lower;

/// The runtime in two files, reduced to what is needed.
///
/// # Panics
/// If a file of the runtime includes one of a part that is not below its own: a bug of the runtime, which its tests find.
pub fn amalgamated_runtime(needs: &Needs) -> Amalgamation {
    // Generated headers include the TCP client.
    let wires = Wires::of(needs.wires.iter().chain([Wire::Binary]));
    let modules: Vec<&Part> = needs.with.iter().filter_map(|module| C.module(*module)).collect();
    let parts = needed_parts(&runtime::RUNTIME, wires, C.sides(), needs.streams, &modules);
    amalgamate(&parts).unwrap_or_else(|why| panic!("{why}"))
}

/// The files of a module, by path, with those for streams if code in the same folder has some.
///
/// # Panics
/// As [`amalgamated_runtime`].
fn module_files(module: &Part, streams: Option<&Part>) -> Vec<(String, String)> {
    let needs = module.needs.iter().chain(streams.iter().flat_map(|part| part.needs)).copied();
    let parts = parts_below(&runtime::RUNTIME, needs.collect());
    amalgamate_module(module, streams, &parts).unwrap_or_else(|why| panic!("{why}"))
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
            Module::Balance => Some(&Module::BALANCE),
            Module::Retries => Some(&Module::RETRIES),
            Module::Jms => Some(&*runtime::JMS),
            Module::Wss => Some(&*runtime::WSS),
            Module::JmsBroker | Module::OpenTelemetry => None,
        }
    }

    fn module_streams(&self, module: Module) -> Option<&'static Part> {
        match module {
            Module::Jms => Some(&*runtime::JMS_STREAMS),
            Module::Balance | Module::Retries | Module::JmsBroker | Module::OpenTelemetry | Module::Wss => {
                None
            }
        }
    }

    fn generate(&self, input: &Input) -> Files {
        let mut files = Files::new();
        let header = header(input.model);
        let mut sources = Vec::new();
        let units = lower(input.model);
        for unit in &units {
            files.add(
                format!("include/{}", print_shared::header_name(&unit.stem)),
                print_project::header(&header, unit),
            );
            for stem in &unit.forwards {
                files.add(
                    format!("include/{}", print_shared::header_name(stem)),
                    print_project::forward(&header, stem, &unit.stem),
                );
            }
            let source = format!("src/{}.creo.c", unit.stem);
            files.add(source.clone(), print_project::source(&header, unit));
            sources.push(source);
            if input.wires.any_text() {
                files.add(
                    format!("include/{}", print_shared::text_header_name(&unit.stem)),
                    print_text::header(&header, unit, input.wires),
                );
                let source = format!("src/{}.text.c", unit.stem);
                files.add(source.clone(), print_text::source(&header, unit, input.wires));
                sources.push(source);
            }
        }
        if input.sides.service() {
            // C has no server: these are for programs that measure both sides of a call.
            print_calls_messages::print(&units, &mut files);
        }
        let mut runtime = Vec::new();
        if input.runtime == Runtime::Copy {
            let made = amalgamated_runtime(&input.needs());
            runtime.extend([(HEADER.to_owned(), made.header), (SOURCE.to_owned(), made.source)]);
        }
        let streams = input.needs().streams;
        for module in input.with {
            if let Some(part) = self.module(*module).filter(|part| !part.files.is_empty()) {
                runtime.extend(module_files(part, self.module_streams(*module).filter(|_| streams)));
            }
        }
        for (path, text) in runtime {
            sources.extend(path.ends_with(".c").then(|| path.clone()));
            files.add(path, text);
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
