//! The cost model (`spec/cost.md`): the cost of a service's messages on each wire, from the description alone.
//!
//! [`Assumed`] builds the parts of a message from assumptions, [`Sizes`] computes bytes, [`features`] the variables, and a [`Profile`]
//! turns those into time. There is no input, output or clock: the caller supplies measurements.

// A new kind of value must be handled everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

mod assume;
mod beside;
mod binary;
mod binding;
pub mod calibration;
mod cases;
mod digits;
mod estimate;
#[cfg(test)]
mod estimate_tests;
mod feature;
mod features;
#[cfg(test)]
mod features_tests;
mod fit;
#[cfg(test)]
mod fit_tests;
mod forms;
mod json;
mod leaf;
mod length;
mod observed;
mod part;
mod paths;
mod prepared;
mod profile;
#[cfg(test)]
mod runs_tests;
mod security;
mod security_time;
mod spread;
mod table;
#[cfg(test)]
mod tests;
mod values;
mod xml;

pub use assume::{Assumed, Assumptions, TooLarge};
pub use beside::Beside;
pub use binding::{Binding, Direction, Foreign, MethodId, OnWire, Sizes, Transport, Wire};
pub use digits::{Random, Range};
pub use estimate::{
    Allowance, Crossover, MAX_BODY, Message, Network, Question, Row, Series, crossovers, estimate,
    over_lengths, spaced,
};
pub use feature::{Feature, kinds};
pub use features::{Bends, Features, features};
pub use fit::{CONFIDENCE, Cut, Fit, FitError, Line, Measured, Time, cut_off, line, percentile};
pub use leaf::{Kind, Leaf};
pub use length::{Length, MAX_LENGTH};
pub use observed::Observed;
pub use part::{Items, Part, RecordLayout};
pub use paths::{Facts, Paths, Unknown};
pub use profile::{
    Coefficient, CutProfile, FitProfile, LineProfile, PROFILE_FORMAT, Profile, ProfileError, TargetProfile,
    WireProfile,
};
pub use security::{Security, Token};
pub use security_time::{SecurityCost, SecurityCosts};
pub use spread::Spread;
pub use table::Scheme;
pub use values::Values;
