//! WSDL and XML Schema for descriptions: `docs/wsdl.md`.

// A new kind of value or type must be handled everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

pub mod export;
pub mod import;
mod jms;
