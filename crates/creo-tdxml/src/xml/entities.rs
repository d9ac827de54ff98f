//! Entities and attributes declared in the internal subset.

use super::Attribute;
use super::chars::is_char;
use crate::error::{Result, malformed, shown};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A general entity.
#[derive(Debug)]
pub enum Entity {
    Internal(Rc<str>),
    External,
    Unparsed,
}

/// A declared attribute.
#[derive(Debug)]
pub struct Rule {
    pub name: String,
    /// Whether spaces in its value are significant.
    pub cdata: bool,
    pub default: Option<String>,
}

/// The declarations of the internal subset.
#[derive(Debug, Default)]
pub struct Dtd {
    pub entities: BTreeMap<Rc<str>, Entity>,
    /// Parameter entities; `None` if external.
    pub parameters: BTreeMap<Rc<str>, Option<Rc<str>>>,
    pub attributes: BTreeMap<String, Vec<Rule>>,
    /// Some declarations were not read. Later declarations in the document still count, even after a reference to an external entity, as in
    /// libxml2: otherwise fewer documents could be read.
    pub unread: bool,
    pub standalone: bool,
    /// The bytes of all kept declarations.
    pub size: usize,
}

impl Dtd {
    /// Normalizes attributes that are not CDATA, and adds defaults of missing ones. Returns the number of added bytes.
    pub fn apply(&self, element: &str, attributes: &mut Vec<Attribute>, used: &mut usize) -> usize {
        let Some(rules) = self.attributes.get(element) else { return 0 };
        let mut added = 0;
        for rule in rules {
            match attributes[..*used].iter_mut().find(|attribute| attribute.name == rule.name) {
                Some(_) if rule.cdata => {}
                Some(attribute) => attribute.value = tokens(&attribute.value),
                None => {
                    let Some(default) = &rule.default else { continue };
                    attributes.truncate(*used);
                    attributes.push(Attribute { name: rule.name.clone(), value: default.clone() });
                    *used += 1;
                    added += rule.name.len() + default.len();
                }
            }
        }
        added
    }

    /// The error for a reference to an entity that cannot be replaced.
    pub fn refuse<T>(&self, name: &str) -> Result<T> {
        let found = self.entities.get(name);
        let name = shown(name);
        match found {
            Some(Entity::External) => {
                malformed(format!("the entity `{name}` is external: it is not fetched"))
            }
            Some(Entity::Unparsed) => {
                malformed(format!("the entity `{name}` is not XML: it cannot be referred to here"))
            }
            Some(Entity::Internal(_)) => malformed(format!("the entity `{name}` refers to itself")),
            None if self.unread => malformed(format!(
                "the entity `{name}` is not declared in the document; external declarations are not fetched"
            )),
            None => malformed(format!("the entity `{name}` is not declared")),
        }
    }
}

/// A value of tokens: single spaces between them, none around (XML 1.0, 3.3.3).
pub fn tokens(value: &str) -> String {
    value.split(' ').filter(|token| !token.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The five predefined entities.
pub fn built_in(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "apos" => '\'',
        "quot" => '"',
        _ => return None,
    })
}

/// The character of a reference, given the text between `&#` and `;`.
pub fn character(text: &str) -> Result<char> {
    let (digits, radix) = match text.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let right = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    // There may be many leading zeros. A number that does not fit is not a character.
    let number = right.then(|| {
        digits
            .chars()
            .fold(0_u32, |sum, c| sum.saturating_mul(radix).saturating_add(c.to_digit(radix).unwrap_or(0)))
    });
    match number.and_then(char::from_u32).filter(|c| is_char(*c)) {
        Some(c) => Ok(c),
        None => malformed(format!("`&#{};` is no character of XML", shown(text))),
    }
}
