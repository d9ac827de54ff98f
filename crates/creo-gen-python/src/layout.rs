//! Lays out Python lines like formatters: a list that does not fit on a line gets one line per item, with a trailing comma.

use creo_codegen::{About, Writer};

use crate::code::{Code, Comma};
use crate::literals::{WIDTH, docstring};

/// A code writer that knows its depth, and thus what fits.
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

    /// Two empty lines, as before a top-level class or function.
    pub fn gap(&mut self) {
        self.blank();
        self.blank();
    }

    pub fn indented(&mut self, body: impl FnOnce(&mut Lines)) {
        self.depth += 1;
        body(self);
        self.depth -= 1;
    }

    /// The columns before a line's text.
    fn indent(&self) -> usize {
        self.depth * 4
    }

    pub fn fits(&self, line: &str) -> bool {
        self.indent() + line.chars().count() <= WIDTH
    }

    /// `open`, items joined by commas, `close`: on one line if they fit, else one item per line, each with a comma.
    pub fn list<T: Into<Code>>(&mut self, open: &str, items: impl IntoIterator<Item = T>, close: &str) {
        let items: Vec<Code> = items.into_iter().map(Into::into).collect();
        let joined: Vec<String> = items.iter().map(Code::to_string).collect();
        let one_line = format!("{open}{}{close}", joined.join(", "));
        if self.fits(&one_line) || items.is_empty() {
            self.line(one_line);
            return;
        }
        self.line(open);
        self.indented(|l| items.iter().for_each(|item| l.item(item)));
        self.line(close);
    }

    /// An item of a list, with its comma.
    pub fn item(&mut self, code: &Code) {
        self.code(code, ",");
    }

    /// Code followed by a text, broken if it does not fit.
    pub fn code(&mut self, code: &Code, end: &str) {
        let one_line = format!("{code}{end}");
        match code {
            Code::Choice { value, condition, other } if !self.fits(&one_line) => {
                self.line(value);
                self.line(format!("if {condition}"));
                self.code(&other.after("else "), end);
            }
            Code::Followed(code, more) if !self.fits(&one_line) => self.code(code, &format!("{more}{end}")),
            Code::List { open, items, close, comma } if !self.fits(&one_line) && !items.is_empty() => {
                let comma = if *comma == Comma::Never { "" } else { "," };
                self.line(open);
                self.indented(|l| items.iter().for_each(|item| l.code(item, comma)));
                self.line(format!("{close}{end}"));
            }
            Code::Text(_) | Code::List { .. } | Code::Choice { .. } | Code::Followed(..) => {
                self.line(one_line)
            }
        }
    }

    pub fn doc(&mut self, about: &About) -> bool {
        let lines = docstring(about.doc.as_deref(), about.deprecated.as_deref(), self.indent());
        self.lines(&lines);
        !lines.is_empty()
    }

    pub fn finish(self) -> String {
        self.writer.finish()
    }
}

pub fn import(out: &mut Lines, module: &str, names: &[&str]) {
    let one_line = format!("from {module} import {}", names.join(", "));
    if out.fits(&one_line) {
        out.line(one_line);
    } else {
        out.list(&format!("from {module} import ("), names, ")");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_broken_where_they_must() {
        let mut l = Lines::new();
        let call = Code::call("f", [format!("\"{}, (\"", "x".repeat(90)), "b".to_owned()]);
        l.list("def f(", [Code::from("a"), Code::tuple_type([Code::from("int"), call])], ") -> None:");
        let text = l.finish();
        let expected = format!(
            "def f(\n    a,\n    tuple[\n        int,\n        f(\n            \"{}, (\",\n            b,\n        ),\n    ],\n) -> None:\n",
            "x".repeat(90)
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn a_tuple_of_one_item_has_its_comma_however_long_it_is() {
        for length in 1..120 {
            let mut l = Lines::new();
            let item = "x".repeat(length);
            l.code(&Code::tuple([&item]).after("a = "), ",");
            assert_eq!(l.finish().split_whitespace().collect::<String>(), format!("a=({item},),"));
        }
    }

    #[test]
    fn texts_that_look_like_code_change_no_layout() {
        let text = format!("\"{} if [ else ] = (, '\"", "x".repeat(90));
        let mut l = Lines::new();
        l.list("f(", [&text], ")");
        assert_eq!(l.finish(), format!("f(\n    {text},\n)\n"));
    }

    #[test]
    fn an_only_index_gets_no_comma() {
        let mut l = Lines::new();
        let item = "x".repeat(99);
        l.code(&Code::index("T", [Code::call("f", [&item])]), "");
        assert_eq!(l.finish(), format!("T[\n    f(\n        {item},\n    )\n]\n"));
    }

    #[test]
    fn one_line_stays_one_line() {
        let mut l = Lines::new();
        l.list("f(", ["a", "b"], ")");
        assert_eq!(l.finish(), "f(a, b)\n");
    }
}
