//! Turns a document's elements into definitions of a schema (TDX-62 to TDX-65), and writes their text (TDX-61).

use crate::Scheme;
use crate::learn::{Learner, Seen};
use crate::schema::{WORDS, quoted};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// `UTF8String`
    Leaf,
    Definition(usize),
}

#[derive(Debug)]
pub struct PlannedAttribute {
    pub name: Rc<str>,
    pub default: Option<String>,
    optional: bool,
}

#[derive(Debug)]
pub struct Member {
    pub name: Rc<str>,
    pub target: Target,
    pub repeats: bool,
    optional: bool,
}

/// How an element's content is represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// TDX-63: elements in the order of their numbers.
    Ordered,
    /// TDX-64: nodes, with the numbers of those that are not elements.
    Mixed { text: usize, comment: usize, instruction: usize },
}

#[derive(Debug)]
pub struct Definition {
    pub name: Rc<str>,
    number: usize,
    pub attributes: Vec<PlannedAttribute>,
    pub attribute_numbers: BTreeMap<Rc<str>, usize>,
    pub members: Vec<Member>,
    pub member_numbers: BTreeMap<Rc<str>, usize>,
    pub content: Content,
    /// `Some` if some occurrence has text before the first node; the flag says whether others have none.
    text: Option<bool>,
    /// Whether that text is a separate node (TDX-70).
    pub text_is_node: bool,
    pub unit: Option<String>,
    comments: bool,
    instructions: bool,
    texts: bool,
}

/// The schema of one document.
#[derive(Debug)]
pub struct Plan {
    /// The root's definition comes first.
    pub definitions: Vec<Definition>,
    comment_outside: bool,
    instruction_outside: bool,
}

/// The numbers of the definitions of comments and processing instructions outside the root.
pub const COMMENT_OUTSIDE: u32 = 1;
pub const INSTRUCTION_OUTSIDE: u32 = 2;

impl Plan {
    pub fn new(learned: &Learner, scheme: Scheme) -> Plan {
        // The elements that need a definition, breadth first, and the number of the first member that refers to each.
        let mut order: Vec<(usize, usize)> = Vec::new();
        let mut index = BTreeMap::new();
        if !learned.elements.is_empty() {
            order.push((0, 0));
            index.insert(0, 0);
        }
        let mut sorted: Vec<Option<Vec<usize>>> = Vec::new();
        let mut next = 0;
        while let Some((element, _)) = order.get(next).copied() {
            let seen = &learned.elements[element];
            let ordered = ordered(seen);
            let members = ordered.clone().unwrap_or_else(|| (0..seen.children.len()).collect());
            for (number, child) in members.iter().enumerate() {
                let child = &seen.children[*child];
                if !child.leaf && !index.contains_key(&child.element) {
                    index.insert(child.element, order.len());
                    order.push((child.element, number));
                }
            }
            sorted.push(ordered);
            next += 1;
        }
        let definitions = order.iter().zip(sorted).map(|((element, number), sorted)| {
            define(&learned.elements[*element], *number, sorted, &index, scheme)
        });
        Plan {
            definitions: definitions.collect(),
            comment_outside: learned.comment_outside,
            instruction_outside: learned.instruction_outside,
        }
    }

    /// The lines of the data schema.
    pub fn schema(&self) -> String {
        let mut text = String::new();
        for definition in &self.definitions {
            definition.write(&self.definitions, &mut text);
        }
        if self.comment_outside {
            let _ = writeln!(text, "comment [{COMMENT_OUTSIDE}] ::= COMMENT");
        }
        if self.instruction_outside {
            let _ = writeln!(text, "instruction [{INSTRUCTION_OUTSIDE}] ::= INSTRUCTION");
        }
        text
    }
}

/// The children in an order that every occurrence keeps, or `None` if the content must be mixed.
fn ordered(seen: &Seen) -> Option<Vec<usize>> {
    let regular =
        seen.inner.all == seen.inner.empty || (seen.unit.is_some() && seen.inner.all == seen.inner.indented);
    let node = seen.long && !seen.attributes.is_empty();
    if seen.unordered || seen.comments || seen.instructions || !regular || node {
        return None;
    }
    let count = seen.children.len();
    let mut before = vec![0; count];
    let mut behind = vec![Vec::new(); count];
    for (from, to) in &seen.edges {
        before[*to] += 1;
        behind[*from].push(*to);
    }
    let mut ready: BTreeSet<usize> = (0..count).filter(|child| before[*child] == 0).collect();
    let mut order = Vec::with_capacity(count);
    while let Some(child) = ready.pop_first() {
        order.push(child);
        for next in &behind[child] {
            before[*next] -= 1;
            if before[*next] == 0 {
                ready.insert(*next);
            }
        }
    }
    (order.len() == count).then_some(order)
}

fn define(
    seen: &Seen,
    number: usize,
    sorted: Option<Vec<usize>>,
    index: &BTreeMap<usize, usize>,
    scheme: Scheme,
) -> Definition {
    let mixed = sorted.is_none();
    let order = sorted.unwrap_or_else(|| (0..seen.children.len()).collect());
    let inner_indented = seen.inner.indented == seen.inner.all && seen.inner.all > 0;
    let indented = seen.unit.is_some()
        && if mixed {
            seen.inner.indented + seen.leading.indented > seen.inner.empty + seen.leading.empty
        } else {
            inner_indented
        };
    let leading_texts = seen.leading_texts + seen.leading.all
        - if indented { seen.leading.indented } else { seen.leading.empty };
    let mut columns = scheme == Scheme::Record && !mixed;
    let members: Vec<Member> = order
        .iter()
        .map(|child| {
            let child = &seen.children[*child];
            let target = if child.leaf {
                Target::Leaf
            } else {
                Target::Definition(index.get(&child.element).copied().unwrap_or(0))
            };
            // TDX-69
            let was_column = columns;
            columns &= child.leaf && !child.repeats && !child.long;
            let becomes =
                scheme == Scheme::Record && target == Target::Leaf && !mixed && !(was_column && columns);
            let repeats = !mixed && (child.repeats || becomes);
            Member {
                name: Rc::clone(&child.name),
                target,
                repeats,
                optional: !mixed && !repeats && child.parents < seen.count,
            }
        })
        .collect();
    let attributes = seen.attributes.iter().map(|attribute| {
        let everywhere = attribute.count == seen.count;
        let namespace = &*attribute.name == "xmlns" || attribute.name.starts_with("xmlns:");
        let default = attribute.constant.clone().filter(|_| everywhere && (namespace || attribute.count > 1));
        PlannedAttribute { name: Rc::clone(&attribute.name), optional: !everywhere, default }
    });
    let attributes: Vec<PlannedAttribute> = attributes.collect();
    let count = members.len();
    let text_is_node = seen.long && !attributes.is_empty();
    Definition {
        name: Rc::clone(&seen.name),
        number,
        attribute_numbers: attributes
            .iter()
            .enumerate()
            .map(|(number, a)| (Rc::clone(&a.name), number))
            .collect(),
        attributes,
        member_numbers: members.iter().enumerate().map(|(number, m)| (Rc::clone(&m.name), number)).collect(),
        members,
        content: if mixed {
            Content::Mixed { text: count, comment: count + 1, instruction: count + 2 }
        } else {
            Content::Ordered
        },
        text: (leading_texts > 0).then_some(leading_texts < seen.count),
        texts: text_is_node || seen.inner.all > if indented { seen.inner.indented } else { seen.inner.empty },
        text_is_node,
        unit: seen.unit.clone().filter(|_| indented),
        comments: seen.comments,
        instructions: seen.instructions,
    }
}

impl Definition {
    /// Whether text before the first node is a column of a record.
    pub fn has_text(&self) -> bool {
        self.text.is_some()
    }

    /// The line of the schema.
    fn write(&self, all: &[Definition], text: &mut String) {
        let _ = write!(text, "{} [{}] ::= ", name(&self.name), self.number);
        match self.members.as_slice() {
            [Member { target: Target::Definition(only), repeats: true, .. }]
                if self.content == Content::Ordered && self.attributes.is_empty() && self.text.is_none() =>
            {
                let _ = write!(text, "SET OF {}", name(&all[*only].name));
            }
            members => self.write_members(members, all, text),
        }
        if let Some(unit) = &self.unit {
            let _ = write!(text, " INDENTED ({})", quoted(unit));
        }
        text.push('\n');
    }

    fn write_members(&self, members: &[Member], all: &[Definition], text: &mut String) {
        let mut parts = Vec::new();
        for (number, attribute) in self.attributes.iter().enumerate() {
            let default =
                attribute.default.as_ref().map_or_else(String::new, |value| format!(" ({})", quoted(value)));
            let optional = if attribute.optional { " OPTIONAL" } else { "" };
            parts.push(format!(
                "{} ({number}) [ATTRIBUTE] UTF8String{optional}{default}",
                name(&attribute.name)
            ));
        }
        if let Some(optional) = self.text.filter(|_| self.content == Content::Ordered) {
            parts.push(format!("text TEXT UTF8String{}", if optional { " OPTIONAL" } else { "" }));
        }
        for (number, member) in members.iter().enumerate() {
            let set = if member.repeats { "SET OF " } else { "" };
            let target = match member.target {
                Target::Leaf => "UTF8String".to_owned(),
                Target::Definition(index) => name(&all[index].name),
            };
            let optional = if member.optional { " OPTIONAL" } else { "" };
            parts.push(format!("{} [{number}] {set}{target}{optional}", name(&member.name)));
        }
        let word = match self.content {
            Content::Ordered => "SEQUENCE OF",
            Content::Mixed { text, comment, instruction } => {
                let kinds =
                    [(self.texts, "text", text, "TEXT"), (self.comments, "comment", comment, "COMMENT")];
                let kinds =
                    kinds.into_iter().chain([(self.instructions, "instruction", instruction, "INSTRUCTION")]);
                parts.extend(
                    kinds
                        .filter(|kind| kind.0)
                        .map(|(_, name, number, word)| format!("{name} [{number}] {word}")),
                );
                "MIXED"
            }
        };
        let _ = write!(text, "{word} {{{}}}", parts.join(", "));
    }
}

/// A name as written in the schema.
fn name(name: &str) -> String {
    if WORDS.contains(&name) { format!("\"{name}\"") } else { name.to_owned() }
}
