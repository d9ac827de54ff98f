//! The body of a codec function while it is made: statements, and the layouts that the module needs for them.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::Code;
use crate::layout::Lines;

/// Constants of a module: one `struct.Struct` for each combination of codes.
#[derive(Debug, Default)]
pub struct Layouts {
    codes: Vec<String>,
    indices: BTreeMap<String, usize>,
}

impl Layouts {
    /// The constant that packs these codes.
    pub fn constant(&mut self, codes: &str) -> String {
        if let Some(index) = self.indices.get(codes) {
            return format!("_S{index}");
        }
        let index = self.codes.len();
        self.codes.push(codes.to_owned());
        self.indices.insert(codes.to_owned(), index);
        format!("_S{index}")
    }

    pub fn definitions(&self) -> impl Iterator<Item = String> + '_ {
        self.codes
            .iter()
            .enumerate()
            .map(|(index, codes)| format!("_S{index} = _Struct(\">{}\")", counted(codes)))
    }
}

/// Runs of a code with their length, as `struct` takes them: `dddh` is `3dh`.
fn counted(codes: &str) -> String {
    let mut out = String::new();
    let mut rest = codes;
    while let Some(code) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches(code).len();
        if run > 1 {
            out.push_str(&run.to_string());
        }
        out.push(code);
        rest = &rest[run..];
    }
    out
}

/// Statements at their depth.
#[derive(Debug, Default)]
pub struct Body {
    lines: Vec<(usize, Statement)>,
    depth: usize,
    /// Parts of the message that are appended together.
    parts: Vec<Code>,
    /// Helpers of the framework that the statements use.
    pub helpers: BTreeSet<&'static str>,
    next_local: usize,
}

#[derive(Debug)]
enum Statement {
    Line(String),
    List(String, Vec<Code>, String),
}

impl Body {
    /// A local name that nothing else has.
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

    /// A statement that only sets a local: parts may be appended together across it.
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

    /// How deep the next statement stands.
    pub fn depth(&self) -> usize {
        self.depth
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
    fn layouts_are_shared_and_short() {
        let mut layouts = Layouts::default();
        assert_eq!(layouts.constant("dddh"), "_S0");
        assert_eq!(layouts.constant("q"), "_S1");
        assert_eq!(layouts.constant("dddh"), "_S0");
        assert_eq!(
            layouts.definitions().collect::<Vec<_>>(),
            ["_S0 = _Struct(\">3dh\")", "_S1 = _Struct(\">q\")"]
        );
    }

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
