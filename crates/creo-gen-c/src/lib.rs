//! Generates C11: structs, codecs and client functions, with the runtime, a Makefile and a CMakeLists.txt beside them.
//!
//! `lower.rs` decides names, types and orders; `render_*.rs` print them. [`lower`] is there for those who make further C code for the same model, and so need
//! its names.

mod blocks;
mod composites;
pub mod lang;
mod literals;
mod lower;
mod names;
mod order;
mod render_build;
mod render_codec;
mod render_composites;
mod render_service;
mod render_text;
mod render_types;
mod services;
mod text;
pub mod text_items;

mod framework {
    include!(concat!(env!("OUT_DIR"), "/framework.rs"));
}

pub use lower::lower;
pub use render_service::{request_decoder, response_encoder};

use creo_codegen::{Files, Framework, Input, Module, Target, header};

/// The target `c`.
#[derive(Clone, Copy, Debug, Default)]
pub struct C;

impl Target for C {
    fn name(&self) -> &'static str {
        names::TARGET
    }

    fn module(&self, module: Module) -> Option<&'static [(&'static str, &'static str)]> {
        match module {
            Module::Jms => Some(framework::JMS),
        }
    }

    fn generate(&self, input: &Input) -> Files {
        let mut files = Files::new();
        let header = header(input.model);
        let mut sources = Vec::new();
        for unit in lower(input.model) {
            files.add(format!("include/{}", render_types::header_name(&unit.stem)), render_types::header(&header, &unit));
            for stem in &unit.forwards {
                files.add(format!("include/{}", render_types::header_name(stem)), render_types::forward(&header, stem, &unit.stem));
            }
            let source = format!("src/{}.creo.c", unit.stem);
            files.add(source.clone(), render_codec::source(&header, &unit));
            sources.push(source);
            files.add(format!("include/{}", render_text::text_header_name(&unit.stem)), render_text::header(&header, &unit));
            let source = format!("src/{}.text.c", unit.stem);
            files.add(source.clone(), render_text::source(&header, &unit));
            sources.push(source);
        }
        match input.framework {
            Framework::Emit => {
                for (path, text) in framework::FRAMEWORK {
                    files.add(*path, *text);
                }
                sources.extend(framework::FRAMEWORK.iter().map(|(path, _)| (*path).to_owned()).filter(|path| path.ends_with(".c")));
            }
            Framework::Omit => {}
        }
        for (path, text) in input.with.iter().filter_map(|module| self.module(*module)).flatten() {
            files.add(*path, *text);
            sources.extend(path.ends_with(".c").then(|| (*path).to_owned()));
        }
        sources.sort();
        files.add("Makefile", render_build::makefile(&header, &sources, input));
        files.add("CMakeLists.txt", render_build::cmake(&header, &sources, input));
        files
    }
}
