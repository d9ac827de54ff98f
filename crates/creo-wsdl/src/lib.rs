//! WSDL and XML Schema beside descriptions: `docs/wsdl.md`.

// A new kind of value or type must be met everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

pub mod export;
pub mod import;
