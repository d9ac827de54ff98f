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
                l.broken(item);
            }
        });
        self.line(close);
    }

    /// As [`Lines::list`], of a tuple's items: a single one has its comma wherever it stands.
    pub fn tuple(&mut self, before: &str, items: &[String], behind: &str) {
        let one_line = format!("{before}{}{behind}", tuple(items));
        if self.fits(&one_line) || items.is_empty() {
            self.line(one_line);
            return;
        }
        self.line(format!("{before}("));
        self.indented(|l| items.iter().for_each(|item| l.broken(item)));
        self.line(format!("){behind}"));
    }

    /// An item of a list, with its comma; one that does not fit is broken within its last brackets.
    pub fn broken(&mut self, item: &str) {
        self.broken_before(item, ",");
    }

    fn broken_before(&mut self, item: &str, end: &str) {
        let one_line = format!("{item}{end}");
        if let Some((value, condition, other)) = ternary(item).filter(|_| !self.fits(&one_line)) {
            self.line(value);
            self.line(condition);
            self.broken_before(other, end);
            return;
        }
        if let Some((left, default)) = item.split_once("] = ").filter(|_| !self.fits(&one_line)) {
            // A parameter with its default: the annotation is broken.
            self.broken_before(&format!("{left}]"), &format!(" = {default}{end}"));
            return;
        }
        match last_brackets(item) {
            Some((open, inner, close)) if !self.fits(&one_line) && !inner.is_empty() => {
                // A comma behind the only index would make a tuple of it.
                let is_index = close == "]" && inner.len() == 1 && !open.ends_with("tuple[") && open.len() > 1;
                self.line(open);
                self.indented(|l| {
                    for part in inner {
                        l.broken_before(part, if is_index { "" } else { "," });
                    }
                });
                self.line(format!("{close}{end}"));
            }
            _ => self.line(one_line),
        }
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

/// `a if b else c`, outside of brackets and strings: its three parts, with their words.
fn ternary(code: &str) -> Option<(&str, &str, &str)> {
    let condition = code.find(" if ")?;
    let other = code.find(" else ").filter(|at| *at > condition)?;
    let plain = |text: &str| !text.contains(['(', '[', '{', '"', '\'']);
    plain(&code[..other]).then(|| (&code[..condition], &code[condition + 1..other], &code[other + 1..]))
}

/// Code that ends with a bracket: what stands before it, what its brackets hold, split at commas, and the bracket.
fn last_brackets(code: &str) -> Option<(&str, Vec<&str>, &str)> {
    let mut open: Vec<usize> = Vec::new();
    let mut commas: Vec<(usize, usize)> = Vec::new();
    let mut last = None;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in code.char_indices() {
        if let Some(q) = quote {
            if c == q && !escaped {
                quote = None;
            }
            escaped = c == '\\' && !escaped;
            continue;
        }
        match c {
            '"' | '\'' => quote = Some(c),
            '(' | '[' | '{' => open.push(at),
            ')' | ']' | '}' => {
                let start = open.pop()?;
                last = open.is_empty().then_some((start, at));
            }
            ',' => commas.push((open.len(), at)),
            _ => {}
        }
    }
    let (start, end) = last.filter(|(_, end)| *end + 1 == code.len())?;
    let mut parts = Vec::new();
    let mut from = start + 1;
    for (_, at) in commas.iter().filter(|(depth, at)| *depth == 1 && *at > start) {
        parts.push(code[from..*at].trim());
        from = at + 1;
    }
    let rest = code[from..end].trim();
    if !rest.is_empty() {
        parts.push(rest);
    }
    Some((&code[..=start], parts, &code[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_broken_where_they_must() {
        let mut l = Lines::new();
        let long = format!("tuple[int, f(\"{}, (\", b)]", "x".repeat(90));
        l.list("def f(", &["a".to_owned(), long.clone()], ") -> None:");
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
            l.tuple("a = ", std::slice::from_ref(&item), ",");
            assert_eq!(l.finish().split_whitespace().collect::<String>(), format!("a=({item},),"));
        }
    }

    #[test]
    fn one_line_stays_one_line() {
        let mut l = Lines::new();
        l.list("f(", &["a", "b"], ")");
        assert_eq!(l.finish(), "f(a, b)\n");
    }
}
