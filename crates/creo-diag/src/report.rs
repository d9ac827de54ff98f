//! What the stages found, in an order that does not depend on how they found it.

use crate::{Code, Diagnose, Diagnostic, Severity};
use std::collections::BTreeSet;
use std::fmt;

/// Collects diagnostics. Every stage takes `&mut Report`, adds to it and goes on.
#[derive(Clone, Debug, Default)]
pub struct Report {
    found: Vec<Diagnostic>,
    /// Code and primary span of what is kept: one place has one mistake of a kind.
    seen: BTreeSet<(Code, crate::Span)>,
    errors: usize,
    warnings: usize,
    omitted: usize,
}

impl Report {
    /// More errors than this, and more warnings than this, are counted and not kept, so that a hostile file cannot fill the memory.
    pub const MOST: usize = 1_000;

    pub fn new() -> Report {
        Report::default()
    }

    /// Adds a mistake, unless the same place has one with the same code already.
    pub fn add(&mut self, mistake: &dyn Diagnose) {
        let diagnostic = mistake.diagnose();
        let key = (diagnostic.code, diagnostic.primary.span);
        if self.seen.contains(&key) {
            return;
        }
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count > Report::MOST {
            self.omitted += 1;
            return;
        }
        self.seen.insert(key);
        self.found.push(diagnostic);
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors were found, those that were not kept included.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// How many diagnostics were not kept.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All that is kept: by file, then place, then code.
    pub fn diagnostics(&self) -> Vec<&Diagnostic> {
        let mut sorted: Vec<&Diagnostic> = self.found.iter().collect();
        sorted.sort_by(|a, b| {
            (a.primary.span, a.code, &a.message, &a.labels).cmp(&(
                b.primary.span,
                b.code,
                &b.message,
                &b.labels,
            ))
        });
        sorted
    }
}

/// One line a diagnostic, without places: for tests and logs. `creo-cli` renders for people.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for d in self.diagnostics() {
            writeln!(f, "{}[{}]: {}", d.severity, d.code, d.message)?;
        }
        if self.omitted > 0 {
            writeln!(f, "and {} more", self.omitted)?;
        }
        Ok(())
    }
}

impl std::error::Error for Report {}
