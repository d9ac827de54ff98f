//! Generates Python from the model: a package of typed, immutable classes with their codecs and clients, beside the framework `creo`.
//!
//! `names` and `literals` hold what Python asks of names and texts, `lower` decides, `render_*` prints.

mod body;
mod codec;
mod layout;
mod literals;
mod lower;
mod names;
mod render_codec;
mod render_package;
mod render_service;
mod render_types;

use creo_codegen::{Files, Framework, Input, Target, header};

include!(concat!(env!("OUT_DIR"), "/framework.rs"));

/// The target `python`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Python;

impl Target for Python {
    fn name(&self) -> &'static str {
        names::TARGET
    }

    fn generate(&self, input: &Input) -> Files {
        let lowered = lower::lower(input.model);
        let header = header(input.model);
        let mut files = Files::new();
        for package in lowered.filled_packages() {
            let folder = lowered.package(package).parts.join("/");
            files.add(format!("{folder}/__init__.py"), render_package::init_module(&lowered, package, &header));
            if let Some(types) = render_types::types_module(&lowered, package, &header) {
                files.add(format!("{folder}/creo_types.py"), types);
            }
            files.add(format!("{folder}/creo_binary.py"), render_codec::binary_module(&lowered, package, &header));
            if let Some(clients) = render_service::client_module(&lowered, package, &header) {
                files.add(format!("{folder}/creo_client.py"), clients);
            }
            files.add(format!("{folder}/py.typed"), "");
        }
        if input.framework == Framework::Emit {
            for (path, text) in FRAMEWORK {
                files.add(*path, *text);
            }
        }
        files
    }
}
