//! Options of the WSDL export.

use creo_codegen::ADDRESS;

/// Options of the WSDL export.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address of the service: a URL of HTTP, or a `jms:` URI.
    pub address: String,
    /// Whether to write a port for SOAP 1.2, either next to the SOAP 1.1 port or alone (SOAP-24).
    pub soap12: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { address: ADDRESS.to_owned(), soap12: true }
    }
}
