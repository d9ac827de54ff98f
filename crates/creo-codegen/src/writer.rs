//! The code writer: lines and indentation only.

/// Writes code line by line. Only [`Writer::block`] and [`Writer::indented`] change the indentation. The writer never reads its output, so
/// text from a description cannot change the layout.
#[derive(Debug)]
pub struct Writer {
    text: String,
    depth: usize,
    unit: &'static str,
}

impl Writer {
    /// A writer that indents each level with `unit`, such as four spaces.
    pub fn new(unit: &'static str) -> Writer {
        Writer { text: String::new(), depth: 0, unit }
    }

    /// Writes one line at the current level. An empty line gets no white space.
    ///
    /// # Panics
    /// If the line contains a line break: the caller splits text, since it knows how to continue in its language.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        assert!(!line.contains(['\n', '\r']), "a line break within a line: {line:?}");
        if !line.is_empty() {
            for _ in 0..self.depth {
                self.text.push_str(self.unit);
            }
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Writes several lines at the current level.
    pub fn lines<S: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = S>) {
        for line in lines {
            self.line(line);
        }
    }

    /// Writes an empty line.
    pub fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Writes `open`, the body one level deeper, and `close` (omitted if empty).
    pub fn block(&mut self, open: impl AsRef<str>, close: impl AsRef<str>, body: impl FnOnce(&mut Writer)) {
        self.line(open);
        self.indented(body);
        if !close.as_ref().is_empty() {
            self.line(close);
        }
    }

    /// Writes the body one level deeper.
    pub fn indented(&mut self, body: impl FnOnce(&mut Writer)) {
        self.depth += 1;
        body(self);
        self.depth -= 1;
    }

    /// The text so far, which ends with a line break unless it is empty.
    pub fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_nest() {
        let mut w = Writer::new("    ");
        w.block("if a {", "}", |w| {
            w.line("b;");
            w.blank();
            w.block("while c {", "}", |w| w.line("d;"));
        });
        assert_eq!(w.finish(), "if a {\n    b;\n\n    while c {\n        d;\n    }\n}\n");
    }

    #[test]
    #[should_panic(expected = "line break")]
    fn a_line_is_one_line() {
        Writer::new("  ").line("a\nb");
    }
}
