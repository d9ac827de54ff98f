//! What the scripts of the cases do with a call.

use super::host::{LIMIT, Line, Seen, State};
use super::values::{self, Method};
use crate::frames::frame;
use creo_inspect::ERROR_CODES;
use std::ops::Range;

/// Flags of a frame.
pub const MORE: u8 = 1;
pub const END: u8 = 8;

/// A call id that no call has.
pub const OTHER: u32 = 4_000_000_000;

/// The call that a script answers.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    line: &'a Line,
    pub id: u32,
    method: Method,
}

impl<'a> Call<'a> {
    pub fn new(line: &'a Line, id: u32) -> Call<'a> {
        let method = line.state().calls[&id].method;
        Call { line, id, method }
    }

    pub fn seen(&self) -> Seen {
        self.line.state().calls[&self.id].clone()
    }

    /// Waits until `done` finds something in what the client sent for the call.
    pub fn until<T>(&self, what: &str, mut done: impl FnMut(&mut Seen) -> Option<T>) -> Result<T, String> {
        self.line.until(what, |state| done(state.calls.get_mut(&self.id)?))
    }

    pub fn send(&self, bytes: &[u8]) -> Result<(), String> {
        self.line.send(bytes)
    }

    /// Sends a frame of the call, whatever it is.
    pub fn frame(&self, kind: u8, flags: u8, rest: &[u8]) -> Result<(), String> {
        self.send(&frame(kind, flags, self.id, rest))
    }

    /// An items frame, which is in the account from now on.
    pub fn items_frame(&self, range: Range<i64>) -> Vec<u8> {
        let rest = values::items(self.method, range.clone());
        self.enter(range.end - range.start, rest.len());
        frame(10, 0, self.id, &rest)
    }

    /// Enters items into the account.
    pub fn enter(&self, items: i64, bytes: usize) {
        let mut state = self.line.state();
        let seen = state.calls.get_mut(&self.id).expect("a call of this connection");
        seen.begun.get_or_insert_with(std::time::Instant::now);
        seen.sent.push((seen.sent_items() + items, seen.sent_bytes() + bytes as i64));
    }

    /// What the host may send, once that is above 0; `None`: the call was cancelled.
    pub fn credit_or_cancel(&self) -> Result<Option<i64>, String> {
        self.until("credit, although everything was taken (TCP-32)", |seen| {
            let left = seen.granted - seen.sent_bytes();
            if seen.cancelled { Some(None) } else { (left > 0).then_some(Some(left)) }
        })
    }

    /// Sends one frame of items as soon as there is credit.
    pub fn items(&self, range: Range<i64>) -> Result<(), String> {
        if self.credit_or_cancel()?.is_none() {
            return Err("the client cancelled the call".to_owned());
        }
        self.send(&self.items_frame(range))
    }

    /// Sends items without end, `size` in a frame, as far as there is credit, until the client cancels the call.
    pub fn flood(&self, size: i64) -> Result<(), String> {
        let mut next = self.seen().sent_items();
        while self.credit_or_cancel()?.is_some() {
            let sent = self.send(&self.items_frame(next..next + size));
            if sent.is_err() {
                return self.cancelled();
            }
            next += size;
        }
        self.late(&error_frame(self.id, "cancelled"));
        Ok(())
    }

    /// Sends items in frames of some size for which there may be no credit, until the call is cancelled, the client closes the connection
    /// or `bytes` were sent.
    pub fn overrun(&self, size: i64, bytes: i64) -> Result<(), String> {
        while self.seen().sent_bytes() < bytes {
            let next = self.seen().sent_items();
            let sent = self.send(&self.items_frame(next..next + size));
            let state = self.line.state();
            if state.closed || sent.is_err() || state.calls[&self.id].cancelled {
                return Ok(());
            }
        }
        Err(format!("the client read {bytes} bytes, far beyond the credit that it gave (TCP-33)"))
    }

    pub fn respond(&self, result: &[u8]) -> Result<(), String> {
        self.frame(2, 0, result)
    }

    /// The sum of the numbers that were read, as the response.
    pub fn respond_number(&self, number: i64) -> Result<(), String> {
        self.respond(&number.to_be_bytes())
    }

    /// The declared exception.
    pub fn stopped(&self, after: i32) -> Result<(), String> {
        self.frame(3, 0, &[&[0][..], &after.to_be_bytes()].concat())
    }

    pub fn error(&self, code: &str) -> Result<(), String> {
        self.send(&error_frame(self.id, code))
    }

    /// Gives credit.
    pub fn credit(&self, bytes: i64) -> Result<(), String> {
        self.until("the call", |seen| {
            seen.allowed += bytes;
            Some(())
        })?;
        self.frame(11, 0, &(bytes as u32).to_be_bytes())
    }

    /// Waits for so many items of the client's stream, giving credit when there is none.
    pub fn take(&self, items: i64, credit: i64) -> Result<(), String> {
        loop {
            let came = |seen: &mut Seen| (seen.items >= items || seen.allowed <= 0).then(|| seen.clone());
            let seen = self.until(&format!("item {items} of the client"), came)?;
            if seen.items >= items {
                return Ok(());
            }
            self.credit(credit - seen.allowed)?;
        }
    }

    /// Waits for the end of the client's stream, giving credit when there is none.
    pub fn take_all(&self, credit: i64) -> Result<Seen, String> {
        loop {
            let came = |seen: &mut Seen| (seen.end || seen.allowed <= 0).then(|| seen.clone());
            let seen = self.until("the end of the client's stream", came)?;
            if seen.end {
                return Ok(seen);
            }
            self.credit(credit - seen.allowed)?;
        }
    }

    /// Waits for the cancel, and answers it.
    pub fn cancelled(&self) -> Result<(), String> {
        self.until("the cancel of its call", |seen| seen.cancelled.then_some(()))?;
        self.late(&error_frame(self.id, "cancelled"));
        Ok(())
    }

    /// Sends something after the client's cancel, with which it may have closed the connection.
    pub fn late(&self, bytes: &[u8]) {
        let _ = self.send(bytes);
    }

    /// Sends a ping, and waits for its pong.
    pub fn ping(&self, number: u32) -> Result<(), String> {
        self.send(&frame(7, 0, number, &[]))?;
        self.line.until("the pong of a ping (TCP-14)", |state: &mut State| {
            state.pongs.contains(&number).then_some(())
        })
    }

    /// Closes the connection.
    pub fn leave(&self) {
        self.line.leave();
    }

    /// Waits until the client closes the connection.
    pub fn closed(&self) -> Result<(), String> {
        let closed = self.line.until("its end", |state| state.closed.then_some(()));
        closed.map_err(|why| {
            format!("the client should close the connection within {} s: {why}", LIMIT.as_secs())
        })
    }
}

pub fn error_frame(call: u32, code: &str) -> Vec<u8> {
    let number = ERROR_CODES.iter().position(|known| *known == code).expect("a code") as u8 + 1;
    let message = b"by the test";
    frame(4, 0, call, &[&[number, message.len() as u8], &message[..], &[0]].concat())
}
