//! Generates C# from the model: value types, codecs of the binary wire, what text wires know of types and methods, method descriptors and clients.

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

use creo_check::CheckedModel;
use creo_codegen::{Files, Framework, Input, Module, Target};

mod framework {
    include!(concat!(env!("OUT_DIR"), "/framework.rs"));
}

/// The target `csharp`: .NET 8, C# 12, nullable on.
#[derive(Clone, Copy, Debug, Default)]
pub struct CSharp;

impl Target for CSharp {
    fn name(&self) -> &'static str {
        names::TARGET
    }

    fn module(&self, module: Module) -> Option<&'static [(&'static str, &'static str)]> {
        match module {
            Module::Jms => Some(framework::JMS),
        }
    }

    fn generate(&self, input: &Input) -> Files {
        generate_sides(input, &[Side::Client])
    }
}

/// What a program may be of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// What is generated for a description.
    Client,
    /// What reads requests and writes results too, next to what clients have. It needs a class `Creo.Measured.Message<T>`.
    Service,
}

fn generate_sides(input: &Input, sides: &[Side]) -> Files {
    let output = lower::lower(input.model);
    let mut files = Files::new();
    if sides.contains(&Side::Client) {
        for ty in &output.types {
            files.add(&ty.path, print_types::print(&output, ty));
            files.add(&ty.codec_path, print_binary::print(&output, ty));
            files.add(&ty.text_path, print_text::print(&output, ty));
        }
        for service in &output.services {
            files.add(&service.methods_path, print_calls::methods(&output, service));
            files.add(&service.client_path, print_calls::client(&output, service));
            files.add(&service.texts_path, print_text_calls::print(&output, service));
        }
        files.add(format!("{}.csproj", output.project), print_project::print(&output, input.framework));
        if input.framework == Framework::Emit {
            framework::FRAMEWORK.iter().for_each(|(path, text)| files.add(*path, *text));
        }
        let modules = input.with.iter().filter_map(|module| CSharp.module(*module)).flatten();
        modules.for_each(|(path, text)| files.add(*path, *text));
    }
    if sides.contains(&Side::Service) {
        print_calls_messages::print(&output, &mut files);
    }
    files
}

/// What writes and reads both messages of every method, to be compiled with what is generated for the same description.
pub fn messages(model: &CheckedModel) -> Files {
    let input = Input { model, framework: Framework::Omit, documents: &[], with: &[] };
    generate_sides(&input, &[Side::Service])
}

#[cfg(test)]
mod tests;
