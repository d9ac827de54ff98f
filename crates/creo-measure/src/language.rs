//! The measured targets: their requirements, and how drivers are built.

use crate::failure::Failure;
use crate::tools::Tools;
use creo_check::CheckedModel;
use creo_cost::{Foreign, Wire};
use std::path::Path;
use std::process::Command;

/// Reports progress to the caller.
pub trait Progress {
    /// The current step.
    fn note(&self, text: &str);
    /// The progress of a driver, which replaces the previous report. `None`: the driver has ended.
    fn advance(&self, text: Option<&str>);
}

/// A target that can be measured.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    pub name: &'static str,
    /// Other stacks that can be measured besides Creo's wires.
    pub foreign: &'static [Foreign],
    /// Missing requirements of these wires on this machine, in words.
    pub missing: fn(&Tools, &[Wire]) -> Vec<String>,
    pub program: fn(&Job<'_>) -> Result<Program, Failure>,
}

/// The input for building a driver.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub model: &'a CheckedModel,
    pub wires: &'a [Wire],
    pub tools: &'a Tools,
    /// An empty folder for the target.
    pub folder: &'a Path,
    pub progress: &'a dyn Progress,
}

/// A driver ready to run. The common arguments come before `last`.
#[derive(Debug)]
pub struct Program {
    pub command: Command,
    pub last: Vec<String>,
}

impl Language {
    /// The requested wires that the target supports: all of Creo's, and its foreign stacks.
    pub fn wires(&self, asked: &[Wire]) -> Vec<Wire> {
        let has = |wire: &&Wire| match wire {
            Wire::Foreign(stack) => self.foreign.contains(stack),
            Wire::Binary | Wire::Soap | Wire::Table(_) | Wire::TableInSoap(_) | Wire::Json => true,
        };
        asked.iter().filter(has).copied().collect()
    }
}
