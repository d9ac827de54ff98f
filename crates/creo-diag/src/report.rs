//! The diagnostics of all stages, in an order independent of the stages.

use crate::{Code, Diagnose, Diagnostic, Severity};
use std::collections::BTreeSet;
use std::fmt;

/// Collects diagnostics. Every stage takes `&mut Report`, adds to it and continues.
#[derive(Clone, Debug, Default)]
pub struct Report {
    found: Vec<Diagnostic>,
    /// The code and primary span of kept diagnostics: duplicates are dropped.
    seen: BTreeSet<(Code, crate::Span)>,
    errors: usize,
    warnings: usize,
    omitted: usize,
}

impl Report {
    /// The max number of errors, and of warnings, that are kept. More are only counted, which protects memory from hostile files.
    pub const MOST: usize = 1_000;

    pub fn new() -> Report {
        Report::default()
    }

    /// Adds a mistake, unless the same place already has one with the same code.
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

    /// The number of errors, including those not kept.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The number of diagnostics that were not kept.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All kept diagnostics, ordered by file, position and code.
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

/// One line per diagnostic, without positions: for tests and logs. `creo-cli` renders for users.
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
