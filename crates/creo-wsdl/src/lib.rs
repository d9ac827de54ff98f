//! WSDL and XML Schema beside descriptions: `docs/wsdl.md`.

pub mod export;
pub mod import;
