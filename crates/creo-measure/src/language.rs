//! What a target is to the measuring: what it needs, and how its driver is made.

use crate::failure::Failure;
use crate::tools::Tools;
use creo_check::CheckedModel;
use creo_cost::{Foreign, Wire};
use std::path::Path;
use std::process::Command;

/// What a caller is told while it waits.
pub trait Progress {
    /// What is done now.
    fn note(&self, text: &str);
    /// How far a driver is; it takes the place of what was told before. `None`: the driver has ended.
    fn advance(&self, text: Option<&str>);
}

/// A target that can be measured.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    pub name: &'static str,
    /// Stacks that are not Creo's and can be measured beside its wires.
    pub foreign: &'static [Foreign],
    /// What measuring these wires needs and this machine does not have, in words.
    pub missing: fn(&Tools, &[Wire]) -> Vec<String>,
    pub program: fn(&Job<'_>) -> Result<Program, Failure>,
}

/// What a driver is made for.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub model: &'a CheckedModel,
    pub wires: &'a [Wire],
    pub tools: &'a Tools,
    /// Empty, the target's own.
    pub folder: &'a Path,
    pub progress: &'a dyn Progress,
}

/// A driver that is ready to run; the arguments of all drivers are passed before `last`.
#[derive(Debug)]
pub struct Program {
    pub command: Command,
    pub last: Vec<String>,
}

impl Language {
    /// Those of the wires that the target has: all of Creo's own, and its foreign stacks.
    pub fn wires(&self, asked: &[Wire]) -> Vec<Wire> {
        let has = |wire: &&Wire| match wire {
            Wire::Foreign(stack) => self.foreign.contains(stack),
            Wire::Binary | Wire::Soap | Wire::Table(_) | Wire::TableInSoap(_) | Wire::Json => true,
        };
        asked.iter().filter(has).copied().collect()
    }
}
