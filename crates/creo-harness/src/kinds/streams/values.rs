//! The methods of `Streams` that a peer's mode `streams` calls, and their items as bytes, written by hand from the specification.

use crate::frames::{leb128, method_id, split_count, tick};
use creo_model::Model;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Ticks,
    Stopping,
    Sum,
    First,
    Talk,
}

impl Method {
    const ALL: [Method; 5] = [Method::Ticks, Method::Stopping, Method::Sum, Method::First, Method::Talk];

    pub fn word(self) -> &'static str {
        match self {
            Method::Ticks => "ticks",
            Method::Stopping => "stopping",
            Method::Sum => "sum",
            Method::First => "first",
            Method::Talk => "talk",
        }
    }

    /// Whether its result is a stream.
    pub fn gives(self) -> bool {
        matches!(self, Method::Ticks | Method::Stopping | Method::Talk)
    }

    /// Whether its parameter is a stream.
    pub fn takes(self) -> bool {
        matches!(self, Method::Sum | Method::First | Method::Talk)
    }

    /// The body of a request whose stream has, or which asks for, so many items.
    pub fn arguments(self, count: i64) -> Vec<u8> {
        match self {
            Method::Ticks => count.to_be_bytes().to_vec(),
            Method::Stopping => (count as i32).to_be_bytes().to_vec(),
            Method::First => 10_i32.to_be_bytes().to_vec(),
            Method::Sum | Method::Talk => Vec::new(),
        }
    }

    /// The number of the result's item at `index`.
    pub fn number(self, index: i64) -> i64 {
        if self == Method::Talk { 2 * index } else { index }
    }
}

/// The methods by their ids.
#[derive(Clone, Copy, Debug)]
pub struct Ids([u64; 5]);

impl Ids {
    pub fn of(model: &Model) -> Result<Ids, String> {
        let mut ids = [0; 5];
        for (id, method) in ids.iter_mut().zip(Method::ALL) {
            *id = method_id(model, &format!("Streams.{}", method.word()))?;
        }
        Ok(Ids(ids))
    }

    pub fn method(&self, id: u64) -> Option<Method> {
        self.0.iter().position(|known| *known == id).map(|at| Method::ALL[at])
    }
}

/// A tick with a text of this many letters, which no `tick(i)` has.
pub fn long_tick(letters: usize) -> Vec<u8> {
    [&[0; 8][..], &leb128(letters), &vec![b'x'; letters], &[0]].concat()
}

/// The item at `index` of the method's result.
pub fn item(method: Method, index: i64) -> Vec<u8> {
    match method {
        Method::Ticks | Method::Talk => tick(index, method.number(index)),
        Method::Stopping | Method::Sum | Method::First => index.to_be_bytes().to_vec(),
    }
}

/// What an items frame of the method's result has after the call id.
pub fn items(method: Method, range: Range<i64>) -> Vec<u8> {
    let mut bytes = leb128((range.end - range.start) as usize);
    range.for_each(|index| bytes.extend(item(method, index)));
    bytes
}

/// How many items a client sent, after `before` others; each must be as the source gives it, and fill the frame exactly.
pub fn sent_items(method: Method, before: i64, bytes: &[u8]) -> Result<i64, String> {
    let (claimed, mut rest) = split_count(bytes).ok_or("the client sent items without a count")?;
    for index in before..before + claimed as i64 {
        let due = if method == Method::Talk { tick(index, index) } else { index.to_be_bytes().to_vec() };
        rest = rest
            .strip_prefix(due.as_slice())
            .ok_or_else(|| format!("the item {index} of the client is not as its source gives it"))?;
    }
    if rest.is_empty() {
        Ok(claimed as i64)
    } else {
        Err(format!("{} bytes follow the client's items", rest.len()))
    }
}
