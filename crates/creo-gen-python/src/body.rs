//! The body of a codec function being built: statements with their depth.

use std::collections::BTreeSet;

use crate::code::Code;
use crate::layout::Lines;

/// Statements with their depth.
#[derive(Debug, Default)]
pub struct Body {
    lines: Vec<(usize, Statement)>,
    depth: usize,
    /// Parts of the message that are appended together.
    parts: Vec<Code>,
    /// The runtime helpers used by the statements.
    pub helpers: BTreeSet<&'static str>,
    next_local: usize,
}

#[derive(Debug)]
enum Statement {
    Line(String),
    List(String, Vec<Code>, String),
}

impl Body {
    /// An unused local name.
    pub fn local(&mut self, prefix: &str) -> String {
        self.next_local += 1;
        format!("{prefix}{}", self.next_local)
    }

    pub fn line(&mut self, line: impl Into<String>) {
        self.flush();
        self.lines.push((self.depth, Statement::Line(line.into())));
    }

    /// A statement that is broken between its items if it is too long.
    pub fn list(&mut self, open: impl Into<String>, items: Vec<Code>, close: impl Into<String>) {
        self.flush();
        self.lines.push((self.depth, Statement::List(open.into(), items, close.into())));
    }

    pub fn indented(&mut self, body: impl FnOnce(&mut Body)) {
        self.flush();
        self.depth += 1;
        body(self);
        self.flush();
        self.depth -= 1;
    }

    pub fn block(&mut self, open: impl Into<String>, body: impl FnOnce(&mut Body)) {
        self.line(open);
        self.indented(body);
    }

    /// A statement that just sets a local: parts may be appended together across it.
    pub fn prepare(&mut self, line: impl Into<String>) {
        self.lines.push((self.depth, Statement::Line(line.into())));
    }

    /// Appends a part of the message.
    pub fn part(&mut self, code: impl Into<Code>) {
        self.parts.push(code.into());
    }

    pub fn helper(&mut self, name: &'static str) -> &'static str {
        self.helpers.insert(name);
        name
    }

    fn flush(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        let statement = match parts.as_slice() {
            [] => return,
            [one] => Statement::List("w.append(".to_owned(), vec![one.clone()], ")".to_owned()),
            _ => Statement::List("w += (".to_owned(), parts, ")".to_owned()),
        };
        self.lines.push((self.depth, statement));
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.parts.is_empty()
    }

    pub fn write(mut self, out: &mut Lines) {
        self.flush();
        for (depth, statement) in &self.lines {
            write(out, *depth, statement);
        }
    }
}

fn write(out: &mut Lines, depth: usize, statement: &Statement) {
    if depth > 0 {
        out.indented(|l| write(l, depth - 1, statement));
        return;
    }
    match statement {
        Statement::Line(line) => out.line(line),
        Statement::List(open, items, close) => out.list(open, items, close),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_appended_together() {
        let mut body = Body::default();
        body.part("a".to_owned());
        body.prepare("t = 1");
        body.part("t".to_owned());
        body.block("if x:", |b| b.part("b".to_owned()));
        let mut lines = Lines::new();
        body.write(&mut lines);
        assert_eq!(lines.finish(), "t = 1\nw += (a, t)\nif x:\n    w.append(b)\n");
    }
}
