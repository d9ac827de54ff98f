//! Measures what messages cost in a target: generates its code, adds a driver, compiles, runs. The driver is generic, so that calibration and the check of
//! an estimate measure in the same way. A target that can be measured is a file here that says what it needs and how its program is made, and a folder of
//! `drivers/` with a driver of the same protocol:
//!
//! - its arguments are the file of the cases, the rounds, the microseconds of a sample, the milliseconds that all warming may take, and the words of the
//!   wires with commas between them; behind them what the target's own file adds;
//! - a case is a line of four words with tabs between them: its number, `request` or `response`, `package.Interface.method`, and the file of its body
//!   on the binary wire;
//! - it holds against each other what it reads and writes again, and prints `version TEXT`, `progress DONE ALL`, `noise NANOSECONDS`,
//!   `reference NANOSECONDS`, and `point NUMBER WIRE BYTES SERIALIZE DESERIALIZE`: nanoseconds of processor time of the thread, the lower quartile of the slices
//!   of all rounds, at the clock rate at which its reference takes so long;
//! - its reference is a fixed amount of work, some ten microseconds, that nothing but the clock's rate makes longer (COST-38). It takes its time around each
//!   slice, and says the median. It is the same in all its processes.
//!
//! Measuring writes files and starts programs, so this crate does input and output; it prints nothing, and tells a [`Progress`] what it does.

// A new kind of value or type must be met everywhere.
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

/// The targets that can be measured, in the order in which they are.
pub const LANGUAGES: &[Language] = &[java::LANGUAGE, python::LANGUAGE, c::LANGUAGE, csharp::LANGUAGE];

/// The target of a name, if it can be measured.
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
