//! Builds sections of annotated bytes from front to back.

use crate::annotate::{Item, Section, What};
use crate::{Code, WireError};
use serde_json::Value;

pub(crate) fn wire_error(code: Code, offset: usize, message: String) -> WireError {
    WireError { code, place: "frame".to_owned(), offset, message }
}

pub(crate) fn raw(start: usize, end: usize, ty: &str) -> Item {
    Item {
        start,
        end,
        depth: 0,
        place: String::new(),
        label: "body".to_owned(),
        what: What::Unknown,
        ty: ty.to_owned(),
        value: None,
    }
}

/// A section under construction.
pub(crate) struct Part<'a> {
    pub(crate) title: String,
    pub(crate) bytes: &'a [u8],
    pub(crate) base: usize,
    pub(crate) at: usize,
    items: Vec<Item>,
}

impl<'a> Part<'a> {
    pub(crate) fn new(bytes: &'a [u8], base: usize, title: String) -> Part<'a> {
        Part { title, bytes, base, at: 0, items: Vec::new() }
    }

    pub(crate) fn note(&mut self, size: usize, label: &str, ty: &str, value: Value) {
        let (start, end) = (self.at, self.at + size);
        let (label, ty) = (label.to_owned(), ty.to_owned());
        self.items.push(Item {
            start,
            end,
            depth: 0,
            place: String::new(),
            label,
            what: What::Frame,
            ty,
            value: Some(value),
        });
        self.at = end;
    }

    /// Adds items whose offsets count from the byte `start` of this section.
    pub(crate) fn inline(&mut self, items: Vec<Item>, start: usize) {
        self.items.extend(items.into_iter().map(|item| Item {
            start: item.start + start,
            end: item.end + start,
            ..item
        }));
    }

    /// The rest is a part of a body that spans several frames.
    pub(crate) fn part_of_body(&mut self, number: usize) {
        self.items.push(raw(self.at, self.bytes.len(), &format!("part {number} of the body")));
    }

    pub(crate) fn done(self) -> Section {
        Section {
            title: self.title,
            bytes: self.bytes.to_vec(),
            base: self.base,
            items: self.items,
            mistake: None,
        }
    }

    pub(crate) fn failed(self, at: usize, error: WireError) -> Section {
        Section { mistake: Some((at, error)), ..self.done() }
    }

    /// Ends with a mistake at a byte of the frame itself.
    pub(crate) fn ended(self, at: usize, code: Code, message: String) -> Section {
        let error = wire_error(code, self.base + at, message);
        self.failed(at, error)
    }
}
