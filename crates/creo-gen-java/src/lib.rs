//! Generates Java: records with their codecs, service interfaces, clients and endpoints.

// Every match must handle a new kind of value or type.
#![deny(clippy::wildcard_enum_match_arm)]

mod lang;
mod literals;
mod lower;
mod names;
mod names_reserved;
mod print_binary;
mod print_binary_values;
mod print_build;
mod print_calls;
mod print_calls_documents;
mod print_project;
mod print_records;
mod print_text;
mod print_text_calls;
mod print_text_fields;
mod print_text_values;
mod print_types;
mod scalars;

#[cfg(test)]
mod tests;

use creo_check::CheckedModel;
use creo_codegen::{Document, Files, Input, Module, Part, Refusal, Sides, Target, header};
use creo_model::TypeKind;

include!(concat!(env!("OUT_DIR"), "/runtime.rs"));

/// The target `java`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Java;

impl Target for Java {
    fn name(&self) -> &'static str {
        "java"
    }

    fn sides(&self) -> Sides {
        Sides::Both
    }

    fn runtime_package(&self) -> Option<&'static str> {
        Some(names::RUNTIME)
    }

    fn is_reserved(&self, word: &str) -> bool {
        names::is_keyword(word)
    }

    /// Records of any size have a builder; a method's parameters do not.
    fn refusals(&self, model: &CheckedModel) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        for interface in &model.interfaces {
            for method in &interface.methods {
                let slots: usize =
                    method.parameters.iter().map(|parameter| scalars::slots(&parameter.ty)).sum();
                if slots > lang::MAX_SLOTS {
                    refusals.push(Refusal {
                        code: "too-many-parameters",
                        message: format!(
                            "the method `{}.{}` has {} parameters that take the place of {slots}, and a method of Java takes {} (a `long` and a `double` count as two): put some of them into a struct",
                            model.interface_name(interface),
                            method.name,
                            method.parameters.len(),
                            lang::MAX_SLOTS,
                        ),
                    });
                }
            }
        }
        for id in model.type_ids() {
            if let TypeKind::Enum(constants) = &model.ty(id).kind
                && constants.len() > lang::MAX_CONSTANTS
            {
                refusals.push(Refusal {
                    code: "too-many-constants",
                    message: format!(
                        "the enum `{}` has {} constants, and a class of Java initializes {}: use a `String` for such a list",
                        model.full_name(id),
                        constants.len(),
                        lang::MAX_CONSTANTS,
                    ),
                });
            }
        }
        refusals
    }

    fn module(&self, module: Module) -> Option<&'static Part> {
        match module {
            Module::Balance => Some(&Module::BALANCE),
            Module::Retries => Some(&Module::RETRIES),
            Module::Jms => Some(&*JMS),
            Module::JmsBroker => Some(&*JMS_BROKER),
            Module::OpenTelemetry => Some(&*OPEN_TELEMETRY),
            Module::Wss => Some(&*WSS),
        }
    }

    fn generate(&self, input: &Input) -> Files {
        let plan = input.model.plan();
        let runtime = input.runtime_package.unwrap_or(names::RUNTIME);
        let lowered = lower::lower(input.model, plan, runtime);
        let (wires, sides) = (input.wires, input.sides);
        let out = print_project::Output { header: header(input.model), taken: &lowered.taken, wires, sides };
        let texts =
            print_text_fields::Texts { plan, classes: &lowered.classes, encoded: plan.encoded_types() };
        let mut files = Files::new();
        for ty in &lowered.types {
            print_types::render(&out, ty, &mut files);
            print_binary::render(&out, ty, &mut files);
            if wires.any_text() {
                print_text::render(&out, &texts, ty, &mut files);
            }
        }
        for service in &lowered.services {
            let shown = |document: &&Document| {
                document.interface == service.wire_name && sides.service() && wires.has(document.kind.wire())
            };
            let documents: Vec<&Document> = input.documents.iter().filter(shown).collect();
            print_calls::render(&out, service, &documents, &mut files);
            for document in documents {
                print_calls_documents::render(&out, service, document, &mut files);
            }
            if wires.any_text() {
                print_text_calls::render(&out, &texts, service, &mut files);
            }
        }
        print_build::add(input, &mut files);
        for (path, text) in input.runtime_files(self, &RUNTIME) {
            let (path, text) = place(runtime, path, text);
            files.add(path, text);
        }
        files
    }
}

/// A file of the runtime in the package `runtime`, with modules in subpackages.
fn place(runtime: &str, path: &str, text: &str) -> (String, String) {
    if runtime == names::RUNTIME {
        return (path.to_owned(), text.to_owned());
    }
    let folder = runtime.replace('.', "/");
    let path = path
        .strip_prefix("creo/runtime/")
        .map(|rest| format!("{folder}/{rest}"))
        .or_else(|| path.strip_prefix("creo/").map(|rest| format!("{folder}/{rest}")))
        .unwrap_or_else(|| path.to_owned());
    let mut text = text.replace(names::RUNTIME, runtime);
    for module in ["jms", "opentelemetry", "wss"] {
        text = text.replace(&format!("creo.{module}"), &format!("{runtime}.{module}"));
    }
    (path, text)
}
