//! Generates Java: records with their codecs, service interfaces, clients and endpoints.

mod file;
mod lang;
mod literals;
mod lower;
mod names;
mod render_codec;
mod render_document;
mod render_helpers;
mod render_service;
mod render_text;
mod render_text_fields;
mod render_text_service;
mod render_types;

#[cfg(test)]
mod tests;

use creo_codegen::{Document, Files, Framework, Input, Module, Refusal, Target, header};
use creo_model::CheckedModel;

include!(concat!(env!("OUT_DIR"), "/framework.rs"));

/// The target `java`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Java;

impl Target for Java {
    fn name(&self) -> &'static str {
        "java"
    }

    /// Records of any size have a builder; a method's parameters have no such way out.
    fn refusals(&self, model: &CheckedModel) -> Vec<Refusal> {
        let lowered = lower::lower(model);
        let methods = lowered.services.iter().flat_map(|service| service.methods.iter().map(move |method| (service, method)));
        let too_wide = methods.filter(|(_, method)| method.arguments.is_wide());
        let refusal = |(service, method): (&lang::Service, &lang::Method)| Refusal {
            code: "too-many-parameters",
            message: format!(
                "the method `{}.{}` has {} parameters that take the place of {}, and a method of Java takes {} (a `long` and a `double` count as two): put some of them into a struct",
                service.wire_name,
                method.wire_name,
                method.arguments.components.len(),
                method.arguments.slots(),
                lang::MOST_SLOTS,
            ),
        };
        too_wide.map(refusal).collect()
    }

    fn module(&self, module: Module) -> Option<&'static [(&'static str, &'static str)]> {
        match module {
            Module::Jms => Some(JMS),
        }
    }

    fn generate(&self, input: &Input) -> Files {
        let lowered = lower::lower(input.model);
        let out = file::Output { header: header(input.model), taken: &lowered.taken };
        let plan = creo_model::text::text_plan(input.model);
        let texts = render_text::Texts { plan: &plan, names: &lowered.names };
        let mut files = Files::new();
        for (id, ty) in input.model.type_ids().zip(&lowered.types) {
            render_types::render(&out, ty, &mut files);
            render_codec::render(&out, ty, &mut files);
            render_text::render(&out, &texts, id, ty, &mut files);
        }
        for (index, service) in lowered.services.iter().enumerate() {
            let documents: Vec<&Document> = input.documents.iter().filter(|document| document.interface == service.wire_name).collect();
            render_service::render(&out, service, &documents, &mut files);
            for document in documents {
                render_document::render(&out, service, document, &mut files);
            }
            render_text_service::render(&out, &texts, index, service, &mut files);
        }
        if input.framework == Framework::Emit {
            for (path, text) in FRAMEWORK {
                files.add(*path, *text);
            }
        }
        for (path, text) in input.with.iter().filter_map(|module| self.module(*module)).flatten() {
            files.add(*path, *text);
        }
        files
    }
}
