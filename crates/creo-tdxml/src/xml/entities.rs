//! Entities and attributes as the internal subset declares them.

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

/// What the internal subset says.
#[derive(Debug, Default)]
pub struct Dtd {
    pub entities: BTreeMap<Rc<str>, Entity>,
    /// Those of the DTD itself; `None`: external.
    pub parameters: BTreeMap<Rc<str>, Option<Rc<str>>>,
    pub attributes: BTreeMap<String, Vec<Rule>>,
    /// Some declarations were not read. Those that stand in the document are taken all the same, also behind a reference to an external entity, as
    /// libxml2 does it: without them more documents could not be read at all.
    pub unread: bool,
    pub standalone: bool,
    /// The bytes of all that is kept.
    pub size: usize,
}

impl Dtd {
    /// Normalises attributes that are not CDATA, and adds those that are missing and have a default: so many bytes.
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

    /// What is said of a general entity whose reference cannot be replaced.
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

/// A value of tokens: one space between them, none around (XML 1.0, 3.3.3).
pub fn tokens(value: &str) -> String {
    value.split(' ').filter(|token| !token.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The five entities that need no declaration.
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

/// The character of a reference, of which `text` is what stands between `&#` and `;`.
pub fn character(text: &str) -> Result<char> {
    let (digits, radix) = match text.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let right = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    // Leading zeros may be many; what does not fit is no character.
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
