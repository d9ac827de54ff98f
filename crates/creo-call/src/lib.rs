//! Calls a method of a running service, given a description, the name of the method and a value as JSON.
//!
//! The binary wire comes from `creo-inspect`. Everything from a peer is hostile: it is read within the limits of `spec/limits.md` and the
//! call's deadline, checked against the description, and escaped in errors.
// A new kind of value or type must be handled everywhere.
#![deny(clippy::wildcard_enum_match_arm)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]
// A call has a deadline: this crate looks at the clock.

mod addressing;
mod called;
mod duplex;
mod error;
mod http;
mod http_head;
mod json;
mod link;
mod soap;
mod streams;
mod target;
mod tcp;
mod tls;
mod xml_read;
#[cfg(test)]
mod xml_tests;
mod xml_text;
mod xml_tree;
mod xml_write;

pub use called::{Answer, Called, DEADLINE, Options, Side, Trace, check};
pub use error::CallError;
pub use streams::{Source, Streams};
pub use target::{Target, Wire};
pub use tls::Tls;

use serde_json::Value;

/// Calls a method, and waits for the answer until the deadline. [`call_streams`] calls those that have streams; here they are refused, as
/// CALL-47 says.
pub fn call(
    target: &Target,
    wire: Wire,
    called: &Called<'_>,
    value: &Value,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Answer, CallError> {
    if called.method().has_streams() {
        let message = format!(
            "{} has streams, which `creo call` carries on the binary wire alone, over TCP",
            called.name()
        );
        return Err(CallError::new("unknown-method", message));
    }
    let ended = match wire {
        Wire::Binary => tcp::call(target, called, value, options, trace),
        Wire::Json => json::call(target, called, value, options, trace),
        Wire::Soap => soap::call(target, called, value, options, trace),
    };
    ended.map_err(|error| error.at_peer(&target.authority()))
}

/// Calls a method that has streams, on the binary wire, and waits for its end.
pub fn call_streams(
    target: &Target,
    called: &Called<'_>,
    value: &Value,
    streams: Streams<'_>,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Answer, CallError> {
    let ended = streams::call(target, called, value, streams, options, trace);
    ended.map_err(|error| error.at_peer(&target.authority()))
}
