//! Namespaces in XML 1.0: those in scope, and checks of start tags.

use super::Attribute;
use super::chars::qualified;
use crate::error::{Result, malformed, shown, too_large};
use crate::limits::MAX_NAMESPACES;
use std::collections::BTreeSet;

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The declarations in scope, innermost last.
#[derive(Debug, Default)]
pub struct Namespaces {
    bindings: Vec<(String, String)>,
    /// The number of declarations outside each open element.
    open: Vec<usize>,
}

impl Namespaces {
    /// Declares a prefix for the whole document.
    pub fn with(prefix: &str, namespace: &str) -> Namespaces {
        Namespaces { bindings: vec![(prefix.to_owned(), namespace.to_owned())], open: Vec::new() }
    }

    /// Enters an element if its names and attributes are valid.
    pub fn open(&mut self, name: &str, attributes: &[Attribute]) -> Result<()> {
        self.open.push(self.bindings.len());
        for attribute in attributes {
            if attribute.name == "xmlns" {
                self.declare("", &attribute.value)?;
            } else if let Some(prefix) = attribute.name.strip_prefix("xmlns:") {
                self.declare(prefix, &attribute.value)?;
            }
        }
        let Some((prefix, _)) = qualified(name) else {
            return malformed(format!("`{}` is no name of an element", shown(name)));
        };
        self.bound(prefix.unwrap_or(""))?;
        self.check(attributes)
    }

    pub fn close(&mut self) {
        if let Some(count) = self.open.pop() {
            self.bindings.truncate(count);
        }
    }

    fn declare(&mut self, prefix: &str, namespace: &str) -> Result<()> {
        let wrong = match prefix {
            "xmlns" => true,
            "xml" => namespace != XML,
            "" => namespace == XML || namespace == XMLNS,
            _ => namespace.is_empty() || namespace == XML || namespace == XMLNS,
        };
        if wrong {
            return malformed(format!(
                "the prefix `{}` cannot be bound to `{}`",
                shown(prefix),
                shown(namespace)
            ));
        }
        if self.bindings.len() >= MAX_NAMESPACES {
            return too_large(format!("more than {MAX_NAMESPACES} namespace declarations are in force"));
        }
        self.bindings.push((prefix.to_owned(), namespace.to_owned()));
        Ok(())
    }

    /// The meaning of a prefix; the empty prefix always has one.
    fn bound(&self, prefix: &str) -> Result<&str> {
        match self.bindings.iter().rev().find(|(known, _)| known == prefix) {
            Some((_, namespace)) => Ok(namespace),
            None if prefix.is_empty() => Ok(""),
            None if prefix == "xml" => Ok(XML),
            None => malformed(format!("the prefix `{}` is not bound to a namespace", shown(prefix))),
        }
    }

    /// The namespace of the element opened last, by its name.
    pub fn of(&self, name: &str) -> &str {
        let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
        self.bound(prefix).unwrap_or("")
    }

    /// The meaning of an attribute's name.
    fn meaning<'n>(&'n self, name: &'n str) -> Result<(&'n str, &'n str)> {
        match qualified(name) {
            Some((Some("xmlns"), local)) => Ok((XMLNS, local)),
            Some((Some(prefix), local)) => Ok((self.bound(prefix)?, local)),
            Some((None, local)) => Ok(("", local)),
            None => malformed(format!("`{}` is no name of an attribute", shown(name))),
        }
    }

    /// Checks that names of attributes are valid and distinct, also after namespaces are resolved.
    fn check(&self, attributes: &[Attribute]) -> Result<()> {
        // A few are compared in pairs, many with a set.
        let mut few: [(&str, &str); 6] = [("", ""); 6];
        let mut many = BTreeSet::new();
        for (index, attribute) in attributes.iter().enumerate() {
            let meaning = self.meaning(&attribute.name)?;
            let twice = if attributes.len() <= few.len() {
                let twice = few[..index].contains(&meaning);
                few[index] = meaning;
                twice
            } else {
                !many.insert(meaning)
            };
            if twice {
                return malformed(format!("the attribute `{}` comes twice", shown(&attribute.name)));
            }
        }
        Ok(())
    }
}
