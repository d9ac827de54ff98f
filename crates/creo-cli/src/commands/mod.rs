//! One thin file per command: its input, its calls, its output.

pub mod calibrate;
pub mod call;
pub mod capacity;
pub mod check;
pub mod completions;
pub mod diff;
pub mod estimate;
pub mod explain;
pub mod export;
pub mod fmt;
pub mod generate;
pub mod import;
pub mod inspect;
mod inspect_log;
pub mod list;
pub mod model;
pub mod new;
pub mod pack;
pub mod tdxml;

/// `1 file`, `2 files`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
