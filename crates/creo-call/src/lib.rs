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
mod digest;
mod digest_challenge;
mod duplex;
mod error;
mod hidden;
mod http;
mod http_head;
mod http_read;
mod http_streams;
mod json;
mod lines;
mod link;
mod soap;
mod source;
mod streams;
mod target;
mod tcp;
mod tls;
mod xml_inline;
mod xml_lenient;
mod xml_read;
#[cfg(test)]
mod xml_tests;
mod xml_text;
mod xml_tree;
mod xml_write;

pub use called::{Answer, Called, DEADLINE, Login, Options, Reading, Side, Trace, check};
pub use error::{CallError, Hint};
pub use source::{Source, Streams};
pub use target::{Target, Wire};
pub use tls::Tls;

use serde_json::Value;

/// Calls a method, and waits for the answer until the deadline. Panics if the method has streams: [`call_streams`] calls it.
pub fn call(
    target: &Target,
    wire: Wire,
    called: &Called<'_>,
    value: &Value,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Answer, CallError> {
    assert!(!called.method().has_streams(), "{} has streams", called.name());
    let ended = match wire {
        Wire::Binary => tcp::call(target, called, value, options, trace),
        Wire::Json => json::call(target, called, value, options, trace),
        Wire::Soap => soap::call(target, called, value, options, trace),
    };
    ended.map_err(|error| error.at_peer(&target.authority()))
}

/// Calls a method that has streams, and waits for its end. A wire that does not carry the method refuses it, as CALL-47 says. Panics if the
/// method has none.
pub fn call_streams(
    target: &Target,
    wire: Wire,
    called: &Called<'_>,
    value: &Value,
    streams: Streams<'_>,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Answer, CallError> {
    let method = called.method();
    assert!(method.has_streams(), "{} has no streams", called.name());
    let two = method.streams_result && method.stream_parameter().is_some();
    let ended = match wire {
        Wire::Binary => streams::call(target, called, value, streams, options, trace),
        Wire::Json if two => Err(not_carried(called, "two streams, which the binary wire carries, over TCP")),
        Wire::Json => http_streams::call(target, called, value, streams, options, trace),
        Wire::Soap if two => Err(not_carried(called, "streams, which the binary wire carries, over TCP")),
        Wire::Soap => {
            Err(not_carried(called, "a stream, which the binary wire carries over TCP, and json over HTTP"))
        }
    };
    ended.map_err(|error| error.at_peer(&target.authority()))
}

fn not_carried(called: &Called<'_>, what: &str) -> CallError {
    CallError::new("unknown-method", format!("{} has {what}", called.name()))
}
