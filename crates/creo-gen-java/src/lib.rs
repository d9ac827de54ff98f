//! Generates Java: records with their codecs, service interfaces, clients and endpoints.

mod file;
mod lang;
mod literals;
mod lower;
mod names;
mod render_codec;
mod render_helpers;
mod render_service;
mod render_types;

#[cfg(test)]
mod tests;

use creo_codegen::{Files, Framework, Input, Target, header};

include!(concat!(env!("OUT_DIR"), "/framework.rs"));

/// The target `java`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Java;

impl Target for Java {
    fn name(&self) -> &'static str {
        "java"
    }

    fn generate(&self, input: &Input) -> Files {
        let lowered = lower::lower(input.model);
        let out = file::Output { header: header(input.model), classes: &lowered.classes };
        let mut files = Files::new();
        for ty in &lowered.types {
            render_types::render(&out, ty, &mut files);
            render_codec::render(&out, ty, &mut files);
        }
        for service in &lowered.services {
            render_service::render(&out, service, &mut files);
        }
        if input.framework == Framework::Emit {
            for (path, text) in FRAMEWORK {
                files.add(*path, *text);
            }
        }
        files
    }
}
