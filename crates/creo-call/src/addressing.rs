//! The headers of WS-Addressing (SOAP-41, SOAP-42).

use crate::error::{CallError, shown};
use crate::xml_text::is_space;
use crate::xml_tree::{Element, write_text};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

const NAMESPACE: &str = "http://www.w3.org/2005/08/addressing";
/// The number of characters of a peer's id in an error.
const MAX_SHOWN: usize = 300;

/// The addressing properties of a request.
pub struct Addressing {
    id: String,
    pub blocks: String,
}

/// The blocks of a request to a method with this action, at this URL.
pub fn request(action: &str, url: &str, oneway: bool) -> Addressing {
    let id = format!("urn:uuid:{}", random_uuid());
    let reply = format!("{NAMESPACE}/{}", if oneway { "none" } else { "anonymous" });
    let mut blocks = String::new();
    let mut block = |name: &str, content: &str| {
        blocks.push_str(&format!("<wsa:{name} xmlns:wsa=\"{NAMESPACE}\">{content}</wsa:{name}>"));
    };
    let text = |text: &str| {
        let mut out = String::new();
        write_text(&mut out, text);
        out
    };
    block("Action", &text(action));
    block("MessageID", &id);
    block("ReplyTo", &format!("<wsa:Address>{reply}</wsa:Address>"));
    block("To", &text(url));
    Addressing { id, blocks }
}

/// Whether a header block belongs to WS-Addressing.
pub fn is_block(block: &Element) -> bool {
    *block.namespace == *NAMESPACE
}

impl Addressing {
    /// Fails if the answer belongs to another request.
    pub fn check(&self, envelope: &Element) -> Result<(), CallError> {
        let header = envelope.child("Header").into_iter().flat_map(Element::elements);
        let replies: Vec<String> = header
            .filter(|block| is_block(block) && block.local() == "RelatesTo")
            .filter(|block| {
                block
                    .attribute("", "RelationshipType")
                    .is_none_or(|kind| kind.trim_matches(is_space) == format!("{NAMESPACE}/reply"))
            })
            .map(|block| block.text().trim_matches(is_space).to_owned())
            .collect();
        if replies.is_empty() || replies.contains(&self.id) {
            return Ok(());
        }
        let message = format!("an answer to another message, {}", shown(&replies[0], MAX_SHOWN));
        Err(CallError::new("protocol-mismatch", message))
    }
}

/// RFC 9562, version 4. The standard library seeds hashers from the system's random source.
fn random_uuid() -> String {
    let random = || RandomState::new().build_hasher().finish();
    let (high, low) = (random() & !0xf000 | 0x4000, random() & !(0b11 << 62) | 1 << 63);
    let (a, b, c) = (high >> 32, high >> 16 & 0xffff, high & 0xffff);
    format!("{a:08x}-{b:04x}-{c:04x}-{:04x}-{:012x}", low >> 48, low & 0xffff_ffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_of_version_4_and_differ() {
        let ids: Vec<String> = (0..100).map(|_| random_uuid()).collect();
        for id in &ids {
            let parts: Vec<&str> = id.split('-').collect();
            assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{id}");
            assert!(parts[2].starts_with('4') && "89ab".contains(&parts[3][..1]), "{id}");
        }
        let mut different = ids.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), ids.len());
    }
}
