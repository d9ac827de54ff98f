//! Generates C# from the model: value types, codecs of the binary wire, text descriptions of types and methods, method descriptors and clients.

// Every match must handle a new kind of value or type.
#![deny(clippy::wildcard_enum_match_arm)]

mod lang;
mod literals;
mod lower;
mod lower_base;
mod lower_calls;
mod lower_names;
mod lower_text;
mod lower_types;
mod names;
mod names_scope;
mod names_system;
mod place;
mod print_binary;
mod print_binary_values;
mod print_calls;
mod print_calls_messages;
mod print_project;
mod print_shared;
mod print_text;
mod print_text_calls;
mod print_text_fields;
mod print_text_values;
mod print_types;
mod scalars;

use creo_codegen::{Files, Input, Module, Part, Target, Wire};

mod runtime {
    include!(concat!(env!("OUT_DIR"), "/runtime.rs"));
}

/// The target `csharp`: .NET 8, C# 12, nullable on.
#[derive(Clone, Copy, Debug, Default)]
pub struct CSharp;

impl Target for CSharp {
    fn name(&self) -> &'static str {
        names::TARGET
    }

    fn runtime_package(&self) -> Option<&'static str> {
        Some(names::RUNTIME)
    }

    fn is_in_package(&self, path: &str, package: &str) -> bool {
        let namespace = names::namespace(package, false);
        let folder = path.split('/').next().unwrap_or(path);
        folder.strip_prefix(&namespace).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    fn module(&self, module: Module) -> Option<&'static Part> {
        match module {
            Module::Balance => Some(&Module::BALANCE),
            Module::Retries => Some(&Module::RETRIES),
            Module::Jms => Some(&*runtime::JMS),
            Module::OpenTelemetry => Some(&*runtime::OPEN_TELEMETRY),
            Module::Wss => Some(&*runtime::WSS),
            Module::JmsBroker => None,
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
        // A package's name means the namespace of a description's package with that name.
        let runtime = input
            .runtime_package
            .map_or_else(|| names::RUNTIME.to_owned(), |package| names::namespace(package, false));
        let output = lower::lower(input.model, &runtime, input.wires);
        let text = input.wires.any_text();
        let mut files = Files::new();
        for ty in &output.types {
            files.add(&ty.path, print_types::print(&output, ty));
            files.add(&ty.codec_path, print_binary::print(&output, ty));
            if text {
                files.add(&ty.text_path, print_text::print(&output, ty, input.wires));
            }
        }
        for service in &output.services {
            files.add(&service.methods_path, print_calls::methods(&output, service, text));
            files.add(
                &service.client_path,
                print_calls::client(&output, service, input.wires.has(Wire::Binary)),
            );
            if text {
                files.add(&service.texts_path, print_text_calls::print(&output, service));
            }
        }
        if input.sides.service() {
            // C# has no server: these are for programs that measure both sides of a call, with their own class `Creo.Measured.Message<T>`.
            print_calls_messages::print(&output, &mut files);
        }
        print_project::add(&output, input.runtime, &mut files);
        for (path, text) in input.runtime_files(self, &runtime::RUNTIME) {
            let (path, text) = place::place(&output.runtime, path, text);
            files.add(path, text);
        }
        files
    }
}

#[cfg(test)]
mod tests;
