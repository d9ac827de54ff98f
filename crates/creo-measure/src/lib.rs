//! Measures the cost of messages in a target: generates code, adds a driver, compiles, runs. The driver is generic, so calibration and the
//! check of an estimate measure in the same way. A measurable target has a file here with its requirements and build steps, and a folder in
//! `drivers/` with a driver for this protocol:
//!
//! - its arguments are the file of cases, the rounds, the microseconds per sample, the milliseconds for all warming up, and the wires
//!   separated by commas, followed by arguments of the target's file;
//! - a case is a line of four words separated by tabs: its number, `request` or `response`, `package.Interface.method`, and the file of its
//!   body on the binary wire;
//! - it compares what it reads and writes, and prints `version TEXT`, `progress DONE ALL`, `noise NANOSECONDS`, `reference NANOSECONDS`,
//!   and `point NUMBER WIRE BYTES SERIALIZE DESERIALIZE`: nanoseconds of the thread's processor time, the lower quartile of the slices of
//!   all rounds, at the clock rate at which its reference takes that long;
//! - its reference is a fixed amount of work, some ten microseconds, that depends only on the clock rate (COST-38). It is timed around each
//!   slice, and the median is printed. It is the same in all processes.
//!
//! Measuring writes files and starts programs, so this crate does input and output. It prints nothing, and reports to a [`Progress`].

// A new kind of value or type must be handled everywhere.
#![deny(clippy::wildcard_enum_match_arm)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // Compilers and drivers are files and processes.

mod c;
mod csharp;
mod effort;
mod failure;
mod java;
mod jaxb;
mod language;
pub mod machine;
mod measurement;
mod python;
mod run;
mod tools;
mod xmlserializer;

pub use effort::Effort;
pub use failure::Failure;
pub use language::{Job, Language, Program, Progress};
pub use measurement::Measurement;
pub use run::{Task, measure};
pub use tools::Tools;

/// The targets that can be measured, in this order.
pub const LANGUAGES: &[Language] = &[java::LANGUAGE, python::LANGUAGE, c::LANGUAGE, csharp::LANGUAGE];

/// The target with this name, if it can be measured.
pub fn find(name: &str) -> Option<Language> {
    LANGUAGES.iter().find(|language| language.name == name).copied()
}

/// Names of the targets that can be measured.
pub fn names() -> String {
    LANGUAGES.iter().map(|language| language.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_can_be_measured() {
        assert_eq!(names(), creo_targets::names());
    }
}
