//! An element that is being written.

use crate::rows::Component;
use crate::schema::TypeId;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a table says of an attribute or text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Given {
    #[default]
    Missing,
    /// It is not there, whatever the default.
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
    /// Its own row has come.
    pub own: bool,
    /// It is `xsi:nil`.
    pub nothing: bool,
    /// Its start tag is written.
    pub started: bool,
    attributes: Vec<Given>,
    /// Text before the first node, as far as it was held.
    pub text: Option<Given>,
    /// Columns of a record that are elements.
    pub columns: BTreeMap<usize, String>,
    /// The member that was last, and its occurrence.
    pub last: Option<(usize, Option<u32>)>,
    /// Members of a choice, nodes of a mixed element.
    pub nodes: u32,
    /// There are nodes that are no text.
    pub has_nodes: bool,
    /// Text stands directly before what comes next.
    pub behind_text: bool,
    /// That text as long as it is white space, and not too long.
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

    /// A node that is no text has been written, or begun.
    pub fn passed(&mut self) {
        self.has_nodes = true;
        self.behind_text = false;
        self.gap = Some(String::new());
    }
}
