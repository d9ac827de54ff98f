//! The called method, the options and the outcome; values are checked against the description.

use crate::error::CallError;
use crate::tls::Tls;
use creo_check::CheckedModel;
use creo_inspect::{Limits, Section, Subject, decode, encode};
use creo_model::{Interface, Method, TypeId};
use serde_json::Value;
use std::time::Duration;

/// The default deadline of a call (LIM-12).
pub const DEADLINE: Duration = Duration::from_secs(60);

/// The method that is called.
#[derive(Clone, Copy, Debug)]
pub struct Called<'m> {
    pub model: &'m CheckedModel,
    /// Indices in the model.
    pub interface: usize,
    pub method: usize,
}

impl<'m> Called<'m> {
    pub fn interface(&self) -> &'m Interface {
        &self.model.interfaces[self.interface]
    }

    pub fn method(&self) -> &'m Method {
        &self.interface().methods[self.method]
    }

    /// Interface and method, as shown in messages.
    pub fn name(&self) -> String {
        format!("{}.{}", self.model.interface_name(self.interface()), self.method().name)
    }

    /// The name of an exception in JSON: simple, unless the method throws two with that name.
    pub(crate) fn exception_name(&self, id: TypeId) -> String {
        let name = &self.model.ty(id).name;
        let same = self.method().throws.iter().filter(|other| self.model.ty(**other).name == *name).count();
        if same == 1 { name.clone() } else { self.model.full_name(id) }
    }
}

/// How a client reads the answers of the soap wire (XML-50).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    #[default]
    Strict,
    Lenient,
}

/// How the caller logs in over HTTP: a user and a password with a colon between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Login {
    /// HTTP-46, through TLS or on this machine.
    Basic(String),
    /// HTTP-48. Each call waits to be asked, and does so with a request that the service refuses. Not for a call that sends a stream.
    Digest(String),
}

/// Options of a call.
#[derive(Clone, Debug)]
pub struct Options {
    /// `None`: the call takes as long as it takes, which is for streams (CALL-44). Connecting does not.
    pub deadline: Option<Duration>,
    /// TCP-17, HTTP-8.
    pub metadata: Vec<(String, String)>,
    /// Additional fields of an HTTP request.
    pub headers: Vec<(String, String)>,
    /// Over HTTP.
    pub login: Option<Login>,
    /// The names of header elements of SOAP answers that are taken as understood, each `{namespace}name` (SOAP-25).
    pub understood: Vec<String>,
    /// Has no meaning on other wires than soap.
    pub reading: Reading,
    pub tls: Tls,
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            deadline: Some(DEADLINE),
            metadata: Vec::new(),
            headers: Vec::new(),
            login: None,
            understood: Vec::new(),
            reading: Reading::Strict,
            tls: Tls::default(),
            limits: Limits::default(),
        }
    }
}

/// The outcome of an answered call.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Result(Value),
    /// A method without a result returned, or a `oneway` call was accepted.
    Nothing,
    /// A declared exception: an object with one member named after it.
    Exception(Value),
}

/// Which side sent the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Client,
    Service,
}

/// Receives what is sent and received, unescaped. Credentials in heads of HTTP and in SOAP are `***`.
pub trait Trace {
    /// Frames and their content, byte by byte.
    fn bytes(&mut self, side: Side, sections: &[Section]);
    /// The head of an HTTP message, or a text body.
    fn text(&mut self, side: Side, text: &[u8]);
    /// The max number of array items in [`Trace::bytes`].
    fn items(&self) -> usize;
}

/// Checks a value against the parameters of a method. An error gives its path in the value.
pub fn check(called: &Called<'_>, value: &Value, limits: &Limits) -> Result<(), CallError> {
    encoded(called, value, limits).map(|_| ())
}

pub(crate) fn encoded(called: &Called<'_>, value: &Value, limits: &Limits) -> Result<Vec<u8>, CallError> {
    encode(called.model, &Subject::Request(called.method()), value, limits).map_err(CallError::of_value)
}

/// The normalized request for all wires: members in declared order, with defaults.
pub(crate) fn canonical(called: &Called<'_>, value: &Value, limits: &Limits) -> Result<Value, CallError> {
    let bytes = encoded(called, value, limits)?;
    decode(called.model, &Subject::Request(called.method()), &bytes, limits).map_err(CallError::of_wire)
}

/// A value from a text wire, checked against the description, with members in declared order.
pub(crate) fn received(
    called: &Called<'_>,
    subject: &Subject<'_>,
    value: &Value,
    limits: &Limits,
) -> Result<Value, CallError> {
    let bytes = encode(called.model, subject, value, limits).map_err(CallError::of_received)?;
    decode(called.model, subject, &bytes, limits).map_err(CallError::of_wire)
}
