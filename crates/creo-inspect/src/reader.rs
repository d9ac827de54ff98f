//! Reads bytes of the binary wire, and annotates each of them.

use crate::annotate::{Item, What};
use crate::least::least_sizes;
use crate::memory::Meter;
use crate::spell::spell;
use crate::{Code, Limits, MAX_NESTING, Place, Subject, WireError};
use creo_model::{Model, Type};
use serde_json::Value;

pub(crate) type Result<T> = std::result::Result<T, WireError>;

/// The input, the position, and the annotations.
pub(crate) struct Reader<'a> {
    pub(crate) model: &'a Model,
    pub(crate) least: Vec<u64>,
    pub(crate) limits: &'a Limits,
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
    /// The end of the innermost region (BIN-8), or of the body.
    pub(crate) end: usize,
    /// The number of recursive values around the current one (BIN-13).
    pub(crate) depth: usize,
    pub(crate) nesting: usize,
    pub(crate) empty_items: usize,
    pub(crate) meter: Meter,
    pub(crate) place: Place<'a>,
    pub(crate) items: Vec<Item>,
    /// The number of groups around the next item.
    pub(crate) groups: usize,
    /// Items are not recorded while this is above 0.
    pub(crate) quiet: usize,
    pub(crate) shown: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        model: &'a Model,
        subject: &Subject<'a>,
        bytes: &'a [u8],
        limits: &'a Limits,
        shown: usize,
    ) -> Reader<'a> {
        Reader {
            model,
            least: least_sizes(model),
            limits,
            bytes,
            at: 0,
            end: bytes.len(),
            depth: 0,
            nesting: 0,
            empty_items: 0,
            meter: Meter::new(model, limits.memory()),
            place: Place::new(subject),
            items: Vec::new(),
            groups: 0,
            quiet: 1,
            shown,
        }
    }

    /// Takes `needed` bytes; `start` is the start of the value that needs them.
    pub(crate) fn take(&mut self, needed: usize, start: usize) -> Result<&'a [u8]> {
        let left = self.end - self.at;
        if needed > left {
            let what = if self.end < self.bytes.len() { "region" } else { "body" };
            return Err(self.error(
                Code::Malformed,
                start,
                format!("{} needed, and {left} left in the {what}", bytes(needed)),
            ));
        }
        let taken = &self.bytes[self.at..self.at + needed];
        self.at += needed;
        Ok(taken)
    }

    pub(crate) fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.take(N, self.at)?.try_into().expect("as many as were taken"))
    }

    /// BIN-3
    pub(crate) fn flag(&mut self, what: &str) -> Result<bool> {
        let start = self.at;
        match self.fixed::<1>()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => Err(self.error(Code::Malformed, start, format!("{other} where {what} is 0 or 1"))),
        }
    }

    /// BIN-2
    pub(crate) fn count(&mut self) -> Result<usize> {
        let start = self.at;
        let mut count = 0u64;
        for position in 0..5 {
            let byte = self.take(1, start)?[0];
            count |= u64::from(byte & 0x7f) << (7 * position);
            if byte & 0x80 == 0 {
                if byte == 0 && position > 0 {
                    return Err(self.error(
                        Code::Malformed,
                        start,
                        "a count that is not in its shortest form".to_owned(),
                    ));
                }
                if count > 0x7fff_ffff {
                    return Err(self.error(
                        Code::Malformed,
                        start,
                        format!("a count of {count}, which is 2^31 or more"),
                    ));
                }
                return Ok(usize::try_from(count).expect("below 2^31"));
            }
        }
        Err(self.error(Code::Malformed, start, "a count that goes on after five bytes".to_owned()))
    }

    /// Reads a count of elements with a min size and a charge each, and checks it (BIN-5, BIN-6, LIM-18). Returns its start, too.
    pub(crate) fn counted(&mut self, what: &'static str, least: u64, charge: u64) -> Result<(usize, usize)> {
        let start = self.at;
        let count = self.count()?;
        self.note(start, What::Count, what, Some(count.into()));
        let left = self.end - self.at;
        if (count as u64).saturating_mul(least) > left as u64 {
            let message = format!(
                "{count} {what} of at least {} each, and {left} left",
                bytes(usize::try_from(least).unwrap_or(usize::MAX))
            );
            return Err(self.error(Code::Malformed, start, message));
        }
        if least == 0 {
            self.empty_items += count;
            if self.empty_items > self.limits.max_empty_items {
                let message = format!(
                    "{} items without bytes, and maxEmptyItems is {}",
                    self.empty_items, self.limits.max_empty_items
                );
                return Err(self.error(Code::TooLarge, start, message));
            }
        }
        self.charge(count, charge, start)?;
        Ok((start, count))
    }

    pub(crate) fn charge(&mut self, count: usize, each: u64, start: usize) -> Result<()> {
        self.meter.charge(count as u64, each).map_err(|message| self.error(Code::TooLarge, start, message))
    }

    /// Opens the region of an extensible value, reads it, and returns to the outer region (BIN-8). Its content ends at the region's end.
    pub(crate) fn region<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let start = self.at;
        let size = u32::from_be_bytes(self.fixed()?) as usize;
        self.note(start, What::Size, "bytes", Some(size.into()));
        let left = self.end - self.at;
        if size > left {
            return Err(self.error(
                Code::Malformed,
                start,
                format!("a region of {}, and {left} left in the one that holds it", bytes(size)),
            ));
        }
        let outer = std::mem::replace(&mut self.end, self.at + size);
        let value = inside(self)?;
        self.end = outer;
        Ok(value)
    }

    pub(crate) fn nest<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.error(
                Code::TooLarge,
                self.at,
                format!("nested deeper than {MAX_NESTING} levels"),
            ));
        }
        let value = inside(self)?;
        self.nesting -= 1;
        Ok(value)
    }

    pub(crate) fn error(&self, code: Code, offset: usize, message: String) -> WireError {
        WireError { code, place: self.place.write(), offset, message }
    }

    /// The type in words, if items are recorded.
    pub(crate) fn spelled(&self, ty: &Type) -> String {
        if self.quiet == 0 { spell(self.model, ty) } else { String::new() }
    }

    /// Reads `count` items, and lists only the first ones if there are many.
    pub(crate) fn listed(
        &mut self,
        count: usize,
        mut read: impl FnMut(&mut Self, usize) -> Result<()>,
    ) -> Result<()> {
        // One more item takes no more room than the line that would replace it.
        let listed = if count <= self.shown.saturating_add(1) { count } else { self.shown };
        for index in 0..listed {
            read(self, index)?;
        }
        let start = self.at;
        self.quiet += 1;
        for index in listed..count {
            read(self, index)?;
        }
        self.quiet -= 1;
        if listed < count {
            self.note(start, What::Elided, "items", Some((count - listed).into()));
        }
        Ok(())
    }

    /// Records the bytes from `start` to the current position.
    pub(crate) fn note(&mut self, start: usize, what: What, ty: &str, value: Option<Value>) {
        if self.quiet == 0 {
            self.items.push(Item {
                start,
                end: self.at,
                depth: self.groups,
                place: self.place.write(),
                label: self.place.label(),
                what,
                ty: ty.to_owned(),
                value,
            });
        }
    }

    /// Records a group, whose end is set on closing. Returns its number.
    pub(crate) fn open(&mut self, ty: &str) -> usize {
        self.note(self.at, What::Group, ty, None);
        self.groups += 1;
        self.items.len()
    }

    pub(crate) fn close(&mut self, group: usize) {
        self.groups -= 1;
        if self.quiet == 0 {
            self.items[group - 1].end = self.at;
        }
    }
}

/// `1 byte`, `2 bytes`.
pub(crate) fn bytes(count: usize) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}
