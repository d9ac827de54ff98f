//! Parts of content models: occurrence, documentation, and content that no schema can describe.

use super::node::Node;
use creo_model::Notes;
use creo_plan::{ArrayLayout, Field, Kind};
use std::collections::BTreeMap;

/// How often an element occurs.
#[derive(Clone, Copy)]
pub struct Occurs {
    pub least: u32,
    pub unbounded: bool,
}

pub const ONCE: Occurs = Occurs { least: 1, unbounded: false };

impl Occurs {
    /// The occurrence of a field's element.
    pub fn of(field: &Field) -> Occurs {
        let unbounded = matches!(field.node.kind, Kind::Array { layout: ArrayLayout::Repeated, .. });
        let is_missing =
            field.default_if_missing || (field.node.may_be_missing() && !field.node.xml.nillable);
        Occurs { least: if is_missing { 0 } else { 1 }, unbounded }
    }

    pub fn on(self, node: Node) -> Node {
        let node = if self.least == 0 { node.with("minOccurs", "0") } else { node };
        if self.unbounded { node.with("maxOccurs", "unbounded") } else { node }
    }
}

/// Whether elements with the same name in one content have the same type, as XML Schema requires.
pub fn is_consistent(content: &Node) -> bool {
    let mut elements = Vec::new();
    elements_of(content, &mut elements);
    let mut known = BTreeMap::new();
    elements.into_iter().all(|element| {
        let key = (element.attribute("ref"), element.attribute("name"), element.attribute("form"));
        let other: &mut &Node = known.entry(key).or_insert(element);
        let ty = |node: &Node| node.children.iter().find(|child| child.name != "xs:annotation").cloned();
        let says = |word| element.attribute(word) == other.attribute(word);
        says("type") && says("nillable") && ty(element) == ty(other)
    })
}

/// The elements of a content, without their children.
fn elements_of<'n>(node: &'n Node, found: &mut Vec<&'n Node>) {
    for child in &node.children {
        match child.name {
            "xs:element" => found.push(child),
            "xs:sequence" | "xs:choice" => elements_of(child, found),
            _ => {}
        }
    }
}

/// Whether an element of another namespace may be next to a wildcard for other namespaces.
pub fn meets_any(content: &Node) -> bool {
    let is_open = content
        .children
        .iter()
        .any(|child| child.name == "xs:any" && child.attribute("namespace") == Some("##other"));
    let mut elements = Vec::new();
    elements_of(content, &mut elements);
    is_open
        && elements.into_iter().any(|element| element.attribute("ref").is_some_and(|name| name.contains(':')))
}

/// Content that no schema can describe, since a reader could not tell which field an element belongs to (XML-35).
pub fn anything() -> Node {
    let any = Node::new("xs:any").with("namespace", "##any").with("processContents", "lax");
    Node::new("xs:sequence").child(Occurs { least: 0, unbounded: true }.on(any))
}

/// Adds the description's documentation.
pub fn documented(node: Node, notes: &Notes) -> Node {
    commented(node, notes.doc.as_deref())
}

/// The documentation comes before all other children.
pub fn commented(mut node: Node, doc: Option<&str>) -> Node {
    if let Some(doc) = doc {
        node.children.insert(0, Node::new("xs:annotation").child(Node::new("xs:documentation").text(doc)));
    }
    node
}

/// Counts the elements of each form.
pub fn forms(node: &Node, qualified: &mut usize, unqualified: &mut usize) {
    if node.name == "xs:element" {
        match node.attribute("form") {
            Some("qualified") => *qualified += 1,
            Some(_) => *unqualified += 1,
            None => {}
        }
    }
    node.children.iter().for_each(|child| forms(child, qualified, unqualified));
}

/// Removes `form` attributes that equal the default.
pub fn drop_forms(node: &mut Node, default: &str) {
    if node.name == "xs:element" {
        node.attributes.retain(|(name, value)| name != "form" || value != default);
    }
    node.children.iter_mut().for_each(|child| drop_forms(child, default));
}
