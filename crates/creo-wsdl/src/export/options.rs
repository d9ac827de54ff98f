//! How a WSDL is written.

use creo_codegen::ADDRESS;

/// How a WSDL is written.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the service is.
    pub address: String,
    /// Whether there may be a port for SOAP 1.2: next to that for SOAP 1.1, or alone (SOAP-24).
    pub soap12: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { address: ADDRESS.to_owned(), soap12: true }
    }
}
