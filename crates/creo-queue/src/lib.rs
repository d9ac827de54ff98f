//! The simulation of `creo capacity` (`spec/cost.md`, section 6): calls arrive at hosts, wait for threads, cores and links, and end.
//!
//! A [`Scenario`] defines arrivals and costs, [`simulate`] returns the outcome, and [`Search`] finds the limits. Times are nanoseconds.
//! There is no input, output or clock: the same scenario and seed give the same numbers everywhere.

mod cores;
mod duration;
mod priority;
mod scenario;
mod search;
mod simulation;
mod statistics;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod theory;

pub use duration::{Duration, MAX_TIME};
pub use scenario::{
    Arrivals, BATCHES, Call, Cost, Invalid, MAX_BURST, MAX_CALLS, MAX_CORES, MAX_HOSTS, MAX_RATE,
    MAX_THREADS, MIN_CALLS, MIN_RATE, Run, Scenario, Sharing,
};
pub use search::{Capacity, Limit, Load, Search};
pub use simulation::simulate;
pub use statistics::{Found, OfCall, Outcome};
