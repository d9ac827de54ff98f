//! The service side of the binary wire, which clients do not need: the code that measures what messages cost is compiled with it.

use crate::lower::lower;
use crate::print_calls;
use creo_check::CheckedModel;
use creo_codegen::Writer;

/// The service side of a generated source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceSide {
    /// `data` for `data.creo.c` and `data.text.h`.
    pub stem: String,
    /// The functions of all methods. They are to follow the text of the source file, since they use its static types.
    pub code: String,
    pub methods: Vec<ServiceMethod>,
}

/// What C calls the parts of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceMethod {
    /// The `creo_method`.
    pub method: String,
    /// The `creo_text_interface` of its interface.
    pub interface: String,
    /// The function that reads a request into the struct from which the client function writes it.
    pub read_request: String,
    /// The function that writes a response from the outcome into which the client function reads it.
    pub write_response: String,
    /// The type of that outcome, if there is one.
    pub outcome: Option<String>,
}

/// The service side of each generated source file.
pub fn service_side(model: &CheckedModel) -> Vec<ServiceSide> {
    lower(model)
        .into_iter()
        .map(|unit| {
            let mut w = Writer::new("    ");
            let mut methods = Vec::new();
            for (service, interface) in unit.services.iter().zip(&unit.text.interfaces) {
                for method in &service.methods {
                    // No name from a description begins with `creo_`.
                    let read_request = format!("creo_{}_read_request", method.name);
                    let write_response = format!("creo_{}_write_response", method.name);
                    print_calls::request_decoder(&mut w, &read_request, method);
                    let outcome = print_calls::response_encoder(&mut w, &write_response, method);
                    let (method, interface) = (format!("{}_method", method.name), interface.clone());
                    methods.push(ServiceMethod { method, interface, read_request, write_response, outcome });
                }
            }
            ServiceSide { stem: unit.stem, code: w.finish(), methods }
        })
        .collect()
}
