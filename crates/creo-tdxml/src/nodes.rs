//! A document as nodes, each with what directly precedes it: white space that may be layout, or text (TDX-65).

use crate::error::Result;
use crate::limits::MAX_GAP;
use crate::xml::{Attribute, Handler, Tag};

/// What separates a node or end tag from the node or start tag before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before<'a> {
    /// White space or nothing.
    Gap(&'a str),
    /// Text, which has been reported already.
    Text,
}

/// Receives the nodes of a document in order.
pub trait Nodes {
    /// `indent` is the indentation of the element that holds the node, here and below.
    fn start(&mut self, name: &str, attributes: &[Attribute], before: Before<'_>, indent: &str)
    -> Result<()>;
    /// `indent` is that of the element that ends.
    fn end(&mut self, before: Before<'_>, indent: &str) -> Result<()>;
    /// A piece of text that is more than a gap.
    fn text(&mut self, text: &str) -> Result<()>;
    fn comment(&mut self, text: &str, before: Before<'_>, indent: &str) -> Result<()>;
    /// Target and data as TDX-66 writes them.
    fn instruction(&mut self, value: &str, before: Before<'_>, indent: &str) -> Result<()>;
}

pub fn is_gap(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n'))
}

/// The indentation of an element after a gap, within a parent indented by `parent`.
pub fn indentation<'a>(gap: &'a str, parent: &'a str) -> &'a str {
    gap.rsplit_once('\n').map_or(parent, |(_, behind)| behind)
}

/// Holds white space back until it is known to be a gap or text.
pub struct Gaps<N> {
    pub nodes: N,
    gap: String,
    in_text: bool,
    /// The indentations of all open elements, and their start offsets.
    indents: String,
    open: Vec<usize>,
}

impl<N: Nodes> Gaps<N> {
    pub fn new(nodes: N) -> Gaps<N> {
        Gaps { nodes, gap: String::new(), in_text: false, indents: String::new(), open: Vec::new() }
    }

    fn indent(&self) -> &str {
        &self.indents[self.open.last().copied().unwrap_or(0)..]
    }

    fn passed(&mut self) {
        self.gap.clear();
        self.in_text = false;
    }
}

impl<N: Nodes> Handler for Gaps<N> {
    fn start(&mut self, tag: &Tag<'_>) -> Result<()> {
        let indent =
            if self.in_text { self.indent() } else { indentation(&self.gap, self.indent()) }.to_owned();
        let before = if self.in_text { Before::Text } else { Before::Gap(&self.gap) };
        self.nodes.start(
            tag.name,
            tag.attributes,
            before,
            &self.indents[self.open.last().copied().unwrap_or(0)..],
        )?;
        self.open.push(self.indents.len());
        self.indents.push_str(&indent);
        self.passed();
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        let from = self.open.pop().unwrap_or(0);
        let before = if self.in_text { Before::Text } else { Before::Gap(&self.gap) };
        self.nodes.end(before, &self.indents[from..])?;
        self.indents.truncate(from);
        self.passed();
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<()> {
        if !self.in_text {
            if self.gap.len() + text.len() <= MAX_GAP && is_gap(text) {
                self.gap.push_str(text);
                return Ok(());
            }
            if !self.gap.is_empty() {
                self.nodes.text(&self.gap)?;
            }
            self.in_text = true;
        }
        self.nodes.text(text)
    }

    fn comment(&mut self, text: &str) -> Result<()> {
        let before = if self.in_text { Before::Text } else { Before::Gap(&self.gap) };
        self.nodes.comment(text, before, &self.indents[self.open.last().copied().unwrap_or(0)..])?;
        self.passed();
        Ok(())
    }

    fn instruction(&mut self, target: &str, data: &str) -> Result<()> {
        let joined = format!("{target} {data}");
        let value = if data.is_empty() { target } else { &joined };
        let before = if self.in_text { Before::Text } else { Before::Gap(&self.gap) };
        self.nodes.instruction(value, before, &self.indents[self.open.last().copied().unwrap_or(0)..])?;
        self.passed();
        Ok(())
    }

    fn doctype(&mut self) -> Result<()> {
        Ok(())
    }
}
