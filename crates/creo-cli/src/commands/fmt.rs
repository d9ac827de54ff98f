//! `creo fmt`

use crate::args::FmtArgs;
use crate::commands::count;
use crate::failure::{Failure, Outcome};
use crate::output::write_whole;
use crate::snippets::Shown;
use crate::terminal::{Paint, Terminal};
use crate::{input, snippets};
use creo_diag::escape_controls;
use creo_diag::reason;
use creo_diag::{Report, Sources};
use creo_syntax::{format, parse};
use similar::{ChangeTag, TextDiff};
use std::fs;
use std::path::Path;

/// Formats each file; one with syntax errors is not changed.
pub fn run(args: &FmtArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let mut run = Run { args, terminal, shown: Shown::default(), differ: 0 };
    let mut failure: Option<Failure> = None;
    for path in &args.files {
        let result = if path.as_os_str() == "-" { run.standard_input() } else { run.file(path) };
        match result {
            Ok(()) => {}
            Err(Failure::PipeClosed) => return Err(Failure::PipeClosed),
            // The other files are still formatted.
            Err(error) => {
                if let Some(earlier) = failure.replace(error) {
                    terminal.failure(&earlier);
                }
            }
        }
    }
    let Run { shown, differ, .. } = run;
    snippets::summary(&shown, terminal);
    if args.check && differ > 0 {
        terminal.note(&format!("{} not formatted", count(differ, "file")));
    }
    match failure {
        Some(failure) => Err(failure),
        None => Ok(Outcome::found(shown.errors() > 0 || (args.check && differ > 0))),
    }
}

struct Run<'a> {
    args: &'a FmtArgs,
    terminal: &'a Terminal,
    shown: Shown,
    /// Files that formatting would change.
    differ: usize,
}

impl Run<'_> {
    fn standard_input(&mut self) -> Result<(), Failure> {
        let bytes = input::read_standard_source()?;
        let Some((old, new)) = self.formatted("<stdin>", bytes) else { return Ok(()) };
        if self.args.check || self.args.diff {
            self.compare("<stdin>", &old, &new)
        } else {
            self.terminal.result(&new)
        }
    }

    fn file(&mut self, path: &Path) -> Result<(), Failure> {
        let name = input::name_of(path);
        let Some((old, new)) = self.formatted(&name, input::read_source(path)?) else { return Ok(()) };
        if self.args.check || self.args.diff {
            return self.compare(&name, &old, &new);
        }
        if old != new {
            // A link stays a link; its target is formatted.
            let target = fs::canonicalize(path).map_err(|e| Failure::file("read", path, &e))?;
            if fs::metadata(&target).map_err(|e| Failure::file("read", path, &e))?.permissions().readonly() {
                return Err(Failure::new(format!(
                    "cannot write {name}: {}",
                    reason(&std::io::ErrorKind::PermissionDenied.into())
                )));
            }
            write_whole(&target, new.as_bytes(), Some(&target))?;
            self.terminal.note(&format!("formatted {name}"));
        }
        Ok(())
    }

    /// The text before and after; `None` after syntax errors, which are reported.
    fn formatted(&mut self, name: &str, bytes: Vec<u8>) -> Option<(String, String)> {
        let mut sources = Sources::new();
        let id = sources.add(name, bytes);
        let mut report = Report::new();
        let source = sources.file(id);
        let tree = parse(source, &mut report);
        if report.has_errors() {
            self.shown.show(&report, &sources, self.terminal);
            return None;
        }
        Some((source.text().to_owned(), format(source, &tree)))
    }

    fn compare(&mut self, name: &str, old: &str, new: &str) -> Result<(), Failure> {
        if old == new {
            return Ok(());
        }
        self.differ += 1;
        if self.args.diff {
            return self.terminal.result(&self.unified(name, old, new));
        }
        self.terminal.result(&escape_controls(&format!("{}\n", name.replace('\n', "\\n"))))
    }

    /// A unified diff in the form of `patch`.
    fn unified(&self, name: &str, old: &str, new: &str) -> String {
        let name = escape_controls(&name.replace('\n', "\\n"));
        // Lines as in `patch`: a carriage return alone does not end one.
        let (old, new): (Vec<&str>, Vec<&str>) =
            (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
        let diff = TextDiff::from_slices(&old, &new);
        let mut out = self.terminal.paint(Paint::Bold, &format!("--- {name}\n+++ {name} (formatted)")) + "\n";
        for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
            out.push_str(&self.terminal.paint(Paint::Cyan, &hunk.header().to_string()));
            out.push('\n');
            for change in hunk.iter_changes() {
                let (sign, paint) = match change.tag() {
                    ChangeTag::Delete => ("-", Some(Paint::Red)),
                    ChangeTag::Insert => ("+", Some(Paint::Green)),
                    ChangeTag::Equal => (" ", None),
                };
                let line = format!("{sign}{}", escape_line(change.value().trim_end_matches('\n')));
                out.push_str(&paint.map_or_else(|| line.clone(), |paint| self.terminal.paint(paint, &line)));
                out.push('\n');
                if !change.value().ends_with('\n') {
                    out.push_str("\\ No newline at end of file\n");
                }
            }
        }
        out
    }
}

/// A line that is safe to show. Tabs and carriage returns stay, since a line of a patch equals the line of the file.
fn escape_line(line: &str) -> String {
    line.split_inclusive(['\t', '\r'])
        .map(|part| {
            let text = part.trim_end_matches(['\t', '\r']);
            escape_controls(text) + &part[text.len()..]
        })
        .collect()
}
