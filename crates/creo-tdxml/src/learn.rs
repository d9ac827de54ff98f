//! The first pass over a document, which learns the properties of each element name (TDX-62 to TDX-65). Memory grows only with the names.

use crate::error::{Result, too_large};
use crate::limits::{LONG_TEXT, MAX_SCHEMA};
use crate::nodes::{Before, Nodes};
use crate::xml::Attribute;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A parent with more pairs of neighbours than this has no order.
const MAX_EDGES: usize = 10_000;

/// Longer values cannot become defaults.
const MAX_DEFAULT: usize = 1_024;

/// Longer indentations cannot become units.
const MAX_UNIT: usize = 256;

#[derive(Debug)]
pub struct AttributeSeen {
    pub name: Rc<str>,
    pub count: u64,
    /// The value, if it was the same everywhere.
    pub constant: Option<String>,
}

#[derive(Debug)]
pub struct ChildSeen {
    pub name: Rc<str>,
    /// Its index among all elements.
    pub element: usize,
    /// Never had content other than text.
    pub leaf: bool,
    /// Occurred twice in one parent.
    pub repeats: bool,
    /// The number of parents with it, if its occurrences are always adjacent.
    pub parents: u64,
    /// Had a long text (TDX-69).
    pub long: bool,
}

/// The number of gaps of a kind, and their properties.
#[derive(Clone, Copy, Debug, Default)]
pub struct GapCount {
    pub all: u64,
    pub empty: u64,
    pub indented: u64,
}

/// Properties of all elements with one name.
#[derive(Debug, Default)]
pub struct Seen {
    pub name: Rc<str>,
    pub count: u64,
    pub attributes: Vec<AttributeSeen>,
    attribute_index: BTreeMap<Rc<str>, usize>,
    pub children: Vec<ChildSeen>,
    child_index: BTreeMap<Rc<str>, usize>,
    /// Pairs of children where the second directly followed the first.
    pub edges: BTreeSet<(usize, usize)>,
    pub unordered: bool,
    pub comments: bool,
    pub instructions: bool,
    /// The number of texts before the first node that are not gaps.
    pub leading_texts: u64,
    /// Whether one of these was long.
    pub long: bool,
    /// Before the first node.
    pub leading: GapCount,
    /// Everywhere else. Text counts as a gap of another kind.
    pub inner: GapCount,
    /// The first indented gap without the element's own indentation.
    pub unit: Option<String>,
}

struct Open {
    element: usize,
    /// The child's index in its parent.
    place: usize,
    previous: Option<usize>,
    has_nodes: bool,
    in_text: bool,
    leading_length: usize,
    leaf: bool,
}

#[derive(Default)]
pub struct Learner {
    pub elements: Vec<Seen>,
    index: BTreeMap<Rc<str>, usize>,
    open: Vec<Open>,
    size: usize,
    pub comment_outside: bool,
    pub instruction_outside: bool,
}

impl Learner {
    fn keep(&mut self, bytes: usize) -> Result<()> {
        self.size += bytes + 64;
        if self.size > MAX_SCHEMA {
            too_large(format!("the schema would be longer than {MAX_SCHEMA} bytes"))
        } else {
            Ok(())
        }
    }

    fn element(&mut self, name: &str) -> Result<usize> {
        if let Some(known) = self.index.get(name) {
            return Ok(*known);
        }
        self.keep(2 * name.len())?;
        let shared: Rc<str> = name.into();
        self.elements.push(Seen { name: Rc::clone(&shared), ..Seen::default() });
        self.index.insert(shared, self.elements.len() - 1);
        Ok(self.elements.len() - 1)
    }

    fn attribute(&mut self, element: usize, attribute: &Attribute) -> Result<()> {
        let seen = &mut self.elements[element];
        let (size, known) = match seen.attribute_index.get(attribute.name.as_str()) {
            Some(known) => (0, *known),
            None => {
                let name: Rc<str> = attribute.name.as_str().into();
                let constant = (attribute.value.len() <= MAX_DEFAULT).then(|| attribute.value.clone());
                seen.attributes.push(AttributeSeen { name: Rc::clone(&name), count: 0, constant });
                seen.attribute_index.insert(name, seen.attributes.len() - 1);
                (2 * attribute.name.len() + attribute.value.len().min(MAX_DEFAULT), seen.attributes.len() - 1)
            }
        };
        let known = &mut seen.attributes[known];
        known.count += 1;
        if known.constant.as_ref().is_some_and(|value| *value != attribute.value) {
            known.constant = None;
        }
        if size > 0 { self.keep(size) } else { Ok(()) }
    }

    /// The index of an element among its parent's children.
    fn child(&mut self, parent: usize, element: usize, previous: Option<usize>) -> Result<usize> {
        let name = Rc::clone(&self.elements[element].name);
        let seen = &mut self.elements[parent];
        let (mut size, place) = match seen.child_index.get(&name) {
            Some(place) => (0, *place),
            None => {
                seen.children.push(ChildSeen {
                    name: Rc::clone(&name),
                    element,
                    leaf: true,
                    repeats: false,
                    parents: 0,
                    long: false,
                });
                seen.child_index.insert(name, seen.children.len() - 1);
                (64, seen.children.len() - 1)
            }
        };
        if previous == Some(place) {
            seen.children[place].repeats = true;
        } else {
            seen.children[place].parents += 1;
            if let Some(previous) = previous.filter(|_| !seen.unordered) {
                size += usize::from(seen.edges.insert((previous, place)));
                if seen.edges.len() > MAX_EDGES {
                    seen.unordered = true;
                    seen.edges.clear();
                }
            }
        }
        if size > 0 { self.keep(size) } else { Ok(()) }?;
        Ok(place)
    }

    /// Takes the gap before a node or the end of the innermost element.
    fn gap(&mut self, before: Before<'_>, indent: &str, at_end: bool) {
        let Some(open) = self.open.last_mut() else { return };
        let first = !open.has_nodes;
        open.in_text = false;
        open.has_nodes |= !at_end;
        let Before::Gap(gap) = before else { return };
        let seen = &mut self.elements[open.element];
        let count = if first { &mut seen.leading } else { &mut seen.inner };
        count.all += 1;
        count.empty += u64::from(gap.is_empty());
        let Some(more) = gap
            .strip_prefix('\n')
            .and_then(|rest| rest.strip_prefix(indent))
            .filter(|more| !more.contains('\n'))
        else {
            return;
        };
        let fits = match &seen.unit {
            _ if at_end => more.is_empty(),
            Some(unit) => unit == more,
            None => {
                let short = more.len() <= MAX_UNIT;
                seen.unit = short.then(|| more.to_owned());
                short
            }
        };
        count.indented += u64::from(fits);
    }
}

impl Nodes for Learner {
    fn start(
        &mut self,
        name: &str,
        attributes: &[Attribute],
        before: Before<'_>,
        indent: &str,
    ) -> Result<()> {
        self.gap(before, indent, false);
        let element = self.element(name)?;
        self.elements[element].count += 1;
        for attribute in attributes {
            self.attribute(element, attribute)?;
        }
        let place = match self.open.last() {
            Some(parent) => {
                let place = self.child(parent.element, element, parent.previous)?;
                if let Some(parent) = self.open.last_mut() {
                    parent.previous = Some(place);
                }
                place
            }
            None => 0,
        };
        let leaf = attributes.is_empty();
        self.open.push(Open {
            element,
            place,
            previous: None,
            has_nodes: false,
            in_text: false,
            leading_length: 0,
            leaf,
        });
        Ok(())
    }

    fn end(&mut self, before: Before<'_>, indent: &str) -> Result<()> {
        let Some(open) = self.open.last() else { return Ok(()) };
        if open.has_nodes {
            self.gap(before, indent, true);
        } else if matches!(before, Before::Gap(gap) if !gap.is_empty()) {
            self.elements[open.element].leading_texts += 1;
        }
        let Some(closed) = self.open.pop() else { return Ok(()) };
        let long = closed.leading_length > LONG_TEXT;
        self.elements[closed.element].long |= long;
        if let Some(parent) = self.open.last() {
            let place = &mut self.elements[parent.element].children[closed.place];
            place.leaf &= closed.leaf && !closed.has_nodes;
            place.long |= long;
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<()> {
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        let seen = &mut self.elements[open.element];
        if !open.in_text {
            open.in_text = true;
            if open.has_nodes {
                seen.inner.all += 1;
            } else {
                seen.leading_texts += 1;
            }
        }
        if !open.has_nodes {
            open.leading_length = open.leading_length.saturating_add(text.len());
        }
        Ok(())
    }

    fn comment(&mut self, _: &str, before: Before<'_>, indent: &str) -> Result<()> {
        self.gap(before, indent, false);
        match self.open.last() {
            Some(open) => self.elements[open.element].comments = true,
            None => self.comment_outside = true,
        }
        Ok(())
    }

    fn instruction(&mut self, _: &str, before: Before<'_>, indent: &str) -> Result<()> {
        self.gap(before, indent, false);
        match self.open.last() {
            Some(open) => self.elements[open.element].instructions = true,
            None => self.instruction_outside = true,
        }
        Ok(())
    }
}
