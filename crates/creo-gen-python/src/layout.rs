//! Lines of Python as formatters lay them out: what does not fit on a line goes one item a line, with a comma behind the last.

use creo_codegen::Writer;

use crate::literals::{WIDTH, docstring};

/// A code writer that knows how deep it is, so that it can tell what fits.
pub struct Lines {
    writer: Writer,
    depth: usize,
}

impl Lines {
    pub fn new() -> Lines {
        Lines { writer: Writer::new("    "), depth: 0 }
    }

    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        fn write(writer: &mut Writer, depth: usize, line: &str) {
            if depth == 0 { writer.line(line) } else { writer.indented(|w| write(w, depth - 1, line)) }
        }
        write(&mut self.writer, self.depth, line);
    }

    pub fn lines<S: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = S>) {
        for line in lines {
            self.line(line);
        }
    }

    pub fn blank(&mut self) {
        self.writer.blank();
    }

    /// Two empty lines, as before a class or a function of a module.
    pub fn gap(&mut self) {
        self.blank();
        self.blank();
    }

    pub fn block(&mut self, open: impl AsRef<str>, body: impl FnOnce(&mut Lines)) {
        self.line(open);
        self.indented(body);
    }

    pub fn indented(&mut self, body: impl FnOnce(&mut Lines)) {
        self.depth += 1;
        body(self);
        self.depth -= 1;
    }

    /// Columns before a line's text.
    fn indent(&self) -> usize {
        self.depth * 4
    }

    pub fn fits(&self, line: &str) -> bool {
        self.indent() + line.chars().count() <= WIDTH
    }

    /// `open`, items joined by commas, `close`: on one line if they fit, else one item a line.
    pub fn list<S: AsRef<str>>(&mut self, open: &str, items: &[S], close: &str) {
        let joined: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
        let one_line = format!("{open}{}{close}", joined.join(", "));
        if self.fits(&one_line) || items.is_empty() {
            self.line(one_line);
            return;
        }
        self.line(open);
        self.indented(|l| {
            for item in joined {
                l.item(item);
            }
        });
        self.line(close);
    }

    /// An item on a line of its own; a call within it that does not fit is broken in turn.
    fn item(&mut self, item: &str) {
        self.line(format!("{item},"));
    }

    pub fn doc(&mut self, doc: Option<&str>, deprecated: Option<&str>) -> bool {
        let lines = docstring(doc, deprecated, self.indent());
        self.lines(&lines);
        !lines.is_empty()
    }

    pub fn finish(self) -> String {
        self.writer.finish()
    }
}

/// A tuple's code: one item needs its comma.
pub fn tuple(items: &[String]) -> String {
    match items {
        [one] => format!("({one},)"),
        _ => format!("({})", items.join(", ")),
    }
}
