//! An element that is being written.

use crate::rows::Component;
use crate::schema::TypeId;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The value of an attribute or text in a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Given {
    #[default]
    Missing,
    /// Absent, whatever the default.
    Gone,
    Value(String),
}

#[derive(Debug)]
pub struct Frame {
    pub ty: TypeId,
    pub name: Rc<str>,
    pub component: Component,
    /// Its own indentation (TDX-65).
    pub indent: String,
    /// Whether its own row has come.
    pub own: bool,
    /// Whether it is `xsi:nil`.
    pub nothing: bool,
    /// Whether its start tag is written.
    pub started: bool,
    attributes: Vec<Given>,
    /// Text before the first node, as far as it is held.
    pub text: Option<Given>,
    /// Columns of a record that are elements.
    pub columns: BTreeMap<usize, String>,
    /// The last member and its occurrence.
    pub last: Option<(usize, Option<u32>)>,
    /// The number of members of a choice, or of nodes of a mixed element.
    pub nodes: u32,
    /// Whether there are nodes other than text.
    pub has_nodes: bool,
    /// Whether text comes directly before the next node.
    pub behind_text: bool,
    /// That text, while it is short white space.
    pub gap: Option<String>,
}

impl Frame {
    pub fn new(ty: TypeId, name: Rc<str>, component: Component, indent: String) -> Frame {
        Frame {
            ty,
            name,
            component,
            indent,
            own: false,
            nothing: false,
            started: false,
            attributes: Vec::new(),
            text: None,
            columns: BTreeMap::new(),
            last: None,
            nodes: 0,
            has_nodes: false,
            behind_text: false,
            gap: Some(String::new()),
        }
    }

    pub fn given(&self, place: usize) -> &Given {
        self.attributes.get(place).unwrap_or(&Given::Missing)
    }

    pub fn has_given(&self) -> bool {
        !self.attributes.is_empty()
    }

    pub fn given_mut(&mut self, place: usize) -> &mut Given {
        if self.attributes.len() <= place {
            self.attributes.resize(place + 1, Given::Missing);
        }
        &mut self.attributes[place]
    }

    /// A node other than text has been written, or begun.
    pub fn passed(&mut self) {
        self.has_nodes = true;
        self.behind_text = false;
        self.gap = Some(String::new());
    }
}
