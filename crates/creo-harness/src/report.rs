//! The results of a kind of test: counts, failures as they occur, and what was skipped.

/// The max output of one failure: enough to reproduce it.
const MAX_FAILURE: usize = 6_000;

/// After this many failures of a kind, the rest is only counted.
const MAX_FAILURES: usize = 200;

/// Collects the results of one kind of test. Failures are printed at once.
#[derive(Debug)]
pub struct Report {
    kind: &'static str,
    passed: usize,
    failed: usize,
    not_run: Vec<String>,
}

impl Report {
    pub fn new(kind: &'static str) -> Report {
        Report { kind, passed: 0, failed: 0, not_run: Vec::new() }
    }

    pub fn pass(&mut self) {
        self.passed += 1;
    }

    pub fn fail(&mut self, name: impl AsRef<str>, why: impl AsRef<str>) {
        self.failed += 1;
        if self.failed <= MAX_FAILURES {
            println!("FAILED {} {}: {}", self.kind, name.as_ref(), cut(why.as_ref()));
        } else if self.failed == MAX_FAILURES + 1 {
            println!("FAILED {}: further failures are only counted", self.kind);
        }
    }

    pub fn check(&mut self, name: impl AsRef<str>, result: Result<(), String>) {
        match result {
            Ok(()) => self.pass(),
            Err(why) => self.fail(name, why),
        }
    }

    /// Records something that was excluded explicitly. Anything else that is missing is a failure.
    pub fn not_run(&mut self, what: impl Into<String>) {
        self.not_run.push(what.into());
    }

    /// One line for readers, and for the table of all suites.
    pub fn summary(&self) -> String {
        let mut line = format!("{}: {} passed, {} failed", self.kind, self.passed, self.failed);
        if !self.not_run.is_empty() {
            line.push_str(&format!(", not run: {}", self.not_run.join("; ")));
        }
        line
    }

    pub fn counts(&self) -> (usize, usize) {
        (self.passed, self.failed)
    }
}

/// The start and the end of a long text.
pub fn cut(text: &str) -> String {
    let text = text.trim_end();
    if text.len() <= MAX_FAILURE {
        return text.to_owned();
    }
    let head: String = text.chars().take(MAX_FAILURE / 2).collect();
    let tail: Vec<char> = text.chars().rev().take(MAX_FAILURE / 2).collect();
    format!("{head}\n[...]\n{}", tail.into_iter().rev().collect::<String>())
}
