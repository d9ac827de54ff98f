//! Generates C# from the model: value types, codecs of the binary wire, what text wires know of types and methods, method descriptors and clients.
//!
//! Lowering decides names, types and the shape of each codec; the `render_*` modules print what they are handed.

mod runtime {
    include!(concat!(env!("OUT_DIR"), "/runtime.rs"));
}

mod context;
mod literals;
mod lower;
mod names;
mod render_codec;
mod render_messages;
mod render_project;
mod render_service;
mod render_text;
mod render_text_fields;
mod render_text_service;
mod render_text_values;
mod render_types;
mod render_union;
mod render_values;
mod system_types;
mod text;

use creo_check::CheckedModel;
use creo_codegen::{Files, Input, Module, Target, add_runtime};

/// The target `csharp`: .NET 8, C# 12, nullable on.
#[derive(Clone, Copy, Debug, Default)]
pub struct CSharp;

impl Target for CSharp {
    fn name(&self) -> &'static str {
        names::TARGET
    }

    fn module(&self, module: Module) -> Option<&'static [(&'static str, &'static str)]> {
        match module {
            Module::Jms => Some(runtime::JMS),
        }
    }

    fn generate(&self, input: &Input) -> Files {
        let output = lower::lower(input.model);
        let mut files = Files::new();
        for unit in &output.types {
            files.add(unit.path.clone(), render_types::render(&output, unit));
            files.add(unit.codec_path.clone(), render_codec::render(&output, unit));
            files.add(unit.text_path.clone(), render_text::render(&output, unit));
        }
        for unit in &output.services {
            files.add(unit.methods_path.clone(), render_service::methods(&output, unit));
            files.add(unit.client_path.clone(), render_service::client(&output, unit));
            files.add(unit.texts_path.clone(), render_text_service::render(&output, unit));
        }
        files.add(format!("{}.csproj", output.project), render_project::render(&output, input.runtime));
        let modules: Vec<_> = input.with.iter().filter_map(|module| self.module(*module)).collect();
        add_runtime(&mut files, runtime::RUNTIME, &modules, input);
        files
    }
}

/// Both messages of every method, each written and read, for who measures them: beside what is generated for the same description, and beside a class
/// `Creo.Measured.Message<T>`.
pub fn messages(model: &CheckedModel) -> Files {
    render_messages::render(&lower::lower(model))
}

#[cfg(test)]
mod tests;
