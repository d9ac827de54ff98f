//! Diagnostics for people: the line, a caret under the smallest span, the code, the help.

use crate::args::ErrorFormat;
use crate::commands::count;
use crate::terminal::{Paint, Terminal};
use annotate_snippets::{AnnotationKind, Level, Message, Origin, Renderer, Snippet};
use creo_diag::escape_controls;
use creo_diag::{Diagnostic, Label, Report, Severity, SourceFile, Sources, to_json};
use std::collections::BTreeSet;
use std::ops::Range;

/// For a longer line only the position is shown: no person wrote it. (The renderer cuts lines that are wider than a terminal.)
const LONGEST_LINE: usize = 16 << 10;

/// A span over more lines is shown by its first line.
const MOST_LINES: usize = 6;

/// The max number of diagnostics shown to people by default.
const MAX_SHOWN: usize = 50;

/// Places that are this many lines apart share one snippet.
const NEAR: usize = 100;

/// Shows all diagnostics of a report, and a summary.
pub fn report(report: &Report, sources: &Sources, terminal: &Terminal) {
    let mut shown = Shown::default();
    shown.show(report, sources, terminal);
    summary(&shown, terminal);
}

/// The diagnostics shown so far: equal ones of a file are shown once.
#[derive(Debug, Default)]
pub struct Shown {
    seen: BTreeSet<String>,
    errors: usize,
    warnings: usize,
    told: usize,
    omitted: usize,
}

impl Shown {
    /// The number of errors, including those not shown.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Shows new diagnostics of a report.
    pub fn show(&mut self, report: &Report, sources: &Sources, terminal: &Terminal) {
        let mut told = 0;
        let mut diagnostics = report.diagnostics();
        if !terminal.shows_all() && diagnostics.len() > MAX_SHOWN {
            // Warnings must not displace errors.
            diagnostics.sort_by_key(|diagnostic| diagnostic.severity != Severity::Error);
        }
        for diagnostic in diagnostics {
            let json = to_json(diagnostic, sources);
            if !self.seen.insert(json.to_string()) {
                told += usize::from(diagnostic.severity == Severity::Error);
                continue;
            }
            match diagnostic.severity {
                Severity::Error => {
                    self.errors += 1;
                    told += 1;
                }
                Severity::Warning => self.warnings += 1,
            }
            if !terminal.shows_all() && self.told == MAX_SHOWN {
                self.omitted += 1;
                continue;
            }
            self.told += 1;
            match terminal.errors {
                ErrorFormat::Json | ErrorFormat::Msbuild => terminal.message_object(&json),
                ErrorFormat::Text => {
                    terminal.message(&render(diagnostic, sources, terminal.colour_err()));
                    terminal.message("");
                }
            }
        }
        self.errors += report.errors().saturating_sub(told);
        self.omitted += report.omitted();
    }
}

/// `2 errors, 1 warning`, if there are any. Programs count themselves.
pub fn summary(shown: &Shown, terminal: &Terminal) {
    if terminal.is_for_programs() || (shown.errors == 0 && shown.warnings == 0) {
        return;
    }
    let mut parts = Vec::new();
    if shown.errors > 0 {
        parts.push(count(shown.errors, "error"));
    }
    if shown.warnings > 0 {
        parts.push(count(shown.warnings, "warning"));
    }
    let mut text = parts.join(", ");
    if shown.omitted > 0 {
        let how = if terminal.shows_all() { "" } else { "; --all shows more" };
        text.push_str(&format!(" ({} not shown{how})", shown.omitted));
    }
    terminal.message(&text);
}

/// One diagnostic as several lines of text.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level
        .primary_title(line(&diagnostic.message))
        .id(diagnostic.code.word())
        .elements(std::iter::empty::<Message<'_>>());
    for window in windows(diagnostic, sources) {
        let file = window.file;
        let Some(text) = window.text.clone() else {
            let at = file.position(window.labels[0].span.start);
            group = group.element(Origin::path(line(file.name())).line(at.line).char_column(at.column));
            continue;
        };
        let mut snippet = Snippet::source(text).line_start(window.first_line).path(line(file.name()));
        for (index, label) in window.labels.iter().enumerate() {
            let kind =
                if window.primary && index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let text = Some(line(&label.text)).filter(|text| !text.is_empty());
            snippet = snippet.annotation(kind.span(window.range(label)).label(text));
        }
        group = group.element(snippet);
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(line(help)));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// The part of a file in one snippet.
struct Window<'a> {
    file: &'a SourceFile,
    labels: Vec<&'a Label>,
    /// Whether the first label is the diagnostic's own.
    primary: bool,
    /// Offset of the window's first byte in the file.
    start: usize,
    first_line: usize,
    /// Whole lines; `None` if one of them is too long to be shown.
    text: Option<String>,
}

impl Window<'_> {
    /// A label's range in the window's text, limited to few lines.
    fn range(&self, label: &Label) -> Range<usize> {
        let text = self.text.as_deref().unwrap_or_default();
        let start = label.span.start.saturating_sub(self.start).min(text.len());
        let end = label.span.end.saturating_sub(self.start).clamp(start, text.len());
        let covered = &text[start..end];
        match covered.find('\n') {
            Some(first) if covered.matches('\n').count() >= MOST_LINES => start..start + first,
            _ => start..end,
        }
    }
}

/// The primary label first, then the others; close labels of one file share a window.
fn windows<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Window<'a>> {
    let mut groups: Vec<Vec<&Label>> = Vec::new();
    for label in std::iter::once(&diagnostic.primary).chain(&diagnostic.labels) {
        let file = sources.file(label.span.file);
        let at = file.position(label.span.start).line;
        let near = |group: &&mut Vec<&Label>| {
            group[0].span.file == label.span.file
                && file.position(group[0].span.start).line.abs_diff(at) <= NEAR
                && !has_long_line(file, &[group[0], label])
        };
        match groups.iter_mut().find(near) {
            Some(group) => group.push(label),
            None => groups.push(vec![label]),
        }
    }
    groups
        .into_iter()
        .enumerate()
        .map(|(index, labels)| window(sources.file(labels[0].span.file), labels, index == 0))
        .collect()
}

fn has_long_line(file: &SourceFile, labels: &[&Label]) -> bool {
    let (start, end) = lines_around(file, labels);
    file.text()[start..end].split('\n').any(|line| line.len() > LONGEST_LINE)
}

/// The whole lines with the starts of all labels, and their ends if close.
fn lines_around(file: &SourceFile, labels: &[&Label]) -> (usize, usize) {
    let text = file.text();
    let first = labels.iter().map(|l| l.span.start).min().unwrap_or(0).min(text.len());
    let last = labels.iter().map(|l| near_end(text, l)).max().unwrap_or(0).min(text.len());
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = text[last..].find('\n').map_or(text.len(), |at| last + at);
    (start, end)
}

/// The end of a span, or of its first line if it covers many.
fn near_end(text: &str, label: &Label) -> usize {
    let covered = text.get(label.span.start..label.span.end.min(text.len())).unwrap_or("");
    let mut breaks = covered.match_indices('\n').map(|(at, _)| at);
    // As in `Window::range`: the first line break, and the last one within the limit.
    match (breaks.next(), breaks.nth(MOST_LINES - 2)) {
        (Some(first), Some(_)) => label.span.start + first,
        _ => label.span.start + covered.len(),
    }
}

fn window<'a>(file: &'a SourceFile, labels: Vec<&'a Label>, primary: bool) -> Window<'a> {
    let (start, end) = lines_around(file, &labels);
    let text = (!has_long_line(file, &labels)).then(|| tame(&file.text()[start..end]));
    Window { file, primary, start, first_line: file.position(start).line, text, labels }
}

/// The same text with each character that could control a terminal or change text direction replaced by a harmless one of the same length,
/// so offsets stay the same.
fn tame(text: &str) -> String {
    text.chars()
        .map(|c| {
            let mut buffer = [0; 4];
            if matches!(c, '\n' | '\t' | '\r')
                || escape_controls(c.encode_utf8(&mut buffer)).len() == c.len_utf8()
            {
                return c;
            }
            match c.len_utf8() {
                1 => '?',
                2 => '\u{bf}',
                3 => '\u{fffd}',
                _ => '\u{1fbc4}',
            }
        })
        .collect()
}

/// A text of a description on one line.
fn line(text: &str) -> String {
    escape_controls(&text.replace('\n', "\\n"))
}

/// A diagnostic of a target, whose message includes the position.
pub fn foreign(severity: Severity, code: &str, message: &str, terminal: &Terminal) {
    match terminal.errors {
        ErrorFormat::Json | ErrorFormat::Msbuild => terminal.message_object(
            &serde_json::json!({ "severity": severity.word(), "code": code, "message": message }),
        ),
        ErrorFormat::Text => {
            let paint = match severity {
                Severity::Error => Paint::Red,
                Severity::Warning => Paint::Yellow,
            };
            let head = terminal.paint_message(paint, &format!("{severity}[{}]", line(code)));
            terminal.message(&format!("{head}: {}", line(message)));
        }
    }
}
