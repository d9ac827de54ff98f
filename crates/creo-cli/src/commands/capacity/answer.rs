//! The data of all outputs.

use super::options::Request;
use crate::commands::estimate;
use creo_cost::{Binding, MethodId, Network, Profile, Sizes};
use creo_queue::{Capacity, Load, Scenario};

/// A binding on a target, with the mix of calls.
pub struct Case {
    pub binding: Binding,
    pub target: Option<String>,
    pub scenario: Scenario,
}

/// The result of a case.
pub struct Row {
    pub case: Case,
    pub capacity: Option<Capacity>,
    /// `None`: more than the hosts can handle.
    pub outcome: Option<creo_queue::Outcome>,
    pub goal: Option<Goal>,
    pub loads: Vec<Load>,
}

/// The goal for the 99th percentile of response times.
pub struct Goal {
    pub rate: Option<f64>,
    pub hosts: Option<u32>,
}

impl Row {
    /// The served calls per second.
    pub fn served(&self) -> f64 {
        match (&self.outcome, self.capacity) {
            (Some(outcome), _) => outcome.throughput.value,
            (None, capacity) => capacity.map_or(0.0, |capacity| capacity.rate),
        }
    }

    /// The rank of a row: by the slowest of a hundred calls, followed by the overloaded ones, by their capacity.
    pub fn rank(&self) -> (bool, f64) {
        match &self.outcome {
            Some(outcome) => (false, outcome.p99.value),
            None => (true, -self.served()),
        }
    }
}

/// The data of all outputs.
pub struct Answer<'a> {
    pub sizes: &'a Sizes<'a>,
    pub request: &'a Request,
    pub profile: Option<&'a Profile>,
    /// Whether it is a built-in one.
    pub shipped: bool,
    pub network: Network,
    pub rows: Vec<Row>,
    pub left_out: LeftOut,
}

/// Bindings and targets that are not simulated, and why.
#[derive(Debug, Default)]
pub struct LeftOut {
    /// The profile has no times for what the messages have.
    pub unmeasured: Vec<String>,
    /// A message is longer than any `maxMessageSize` allows (COST-16).
    pub too_long: Vec<String>,
}

impl Answer<'_> {
    pub fn method(&self, id: MethodId) -> String {
        let (interface, method) = self.sizes.method(id);
        format!("{}.{}", interface.name, method.name)
    }

    /// The names of the methods with streams, whose items are not priced (COST-17); `None` for none.
    pub fn with_streams(&self) -> Option<String> {
        let methods = self.request.calls.iter().map(|call| call.method);
        estimate::streaming(self.sizes, methods, |id| self.method(id))
    }

    /// Calls per second of all methods.
    pub fn rate(&self) -> f64 {
        self.request.calls.iter().map(|call| call.rate).sum()
    }
}
