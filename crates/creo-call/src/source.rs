//! The items of a call with streams: where they come from, where they go, and what happens to a call meanwhile.

use crate::duplex::{Duplex, Heard};
use crate::error::CallError;
use crate::link::exceeded;
use serde_json::Value;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};

/// What may wait for the caller's thread: pieces of what the service sends.
const QUEUE: usize = 4;

/// Where the items of a parameter come from. Called by a thread of its own, when items can be sent.
pub trait Source: Send {
    /// Waits for the next items, at least one. None: the stream has ended. The error is the message of an `invalid-value`, with which the
    /// call ends.
    fn take(&mut self) -> Result<Vec<Value>, String>;
}

/// The streams of a call.
pub struct Streams<'a> {
    /// The items of the parameter; without a source there are none.
    pub source: Option<Box<dyn Source>>,
    /// Takes the items of the result as they come. `false`: it wants no more, and the call ends with `cancelled`.
    pub sink: &'a mut dyn FnMut(Vec<Value>) -> bool,
}

impl Streams<'_> {
    /// Gives items to the program.
    pub fn give(&mut self, items: Vec<Value>) -> Result<(), CallError> {
        if (self.sink)(items) {
            Ok(())
        } else {
            Err(CallError::new("cancelled", "the items were not taken to their end"))
        }
    }
}

/// What happens to a call.
pub enum Event {
    Heard(Heard),
    /// What the source gave.
    Taken(Result<Vec<Value>, CallError>),
}

/// All events of a call, in a short queue: a slow program slows its peer down.
pub struct Events {
    sender: SyncSender<Event>,
    happened: Receiver<Event>,
}

impl Events {
    pub fn new() -> Events {
        let (sender, happened) = mpsc::sync_channel(QUEUE);
        Events { sender, happened }
    }

    /// Begins to read a connection.
    pub fn hear(&self, duplex: &Duplex) -> Result<(), CallError> {
        let sender = self.sender.clone();
        duplex.listen(move |heard| sender.send(Event::Heard(heard)).is_ok())
    }

    /// Starts a thread for a source.
    pub fn of(&self, mut source: Box<dyn Source>) -> Asked {
        let (ask, asked) = mpsc::channel();
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            while asked.recv().is_ok() {
                let items = source.take().map_err(|message| CallError::new("invalid-value", message));
                if sender.send(Event::Taken(items)).is_err() {
                    return;
                }
            }
        });
        Asked { ask, is_asked: false }
    }

    /// Waits for the next event, until the deadline of the connection.
    pub fn wait(&self, duplex: &Duplex) -> Result<Event, CallError> {
        let event = match duplex.left()? {
            None => self.happened.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(left) => self.happened.recv_timeout(left),
        };
        match event {
            Ok(event) => Ok(event),
            Err(RecvTimeoutError::Timeout) => Err(exceeded(duplex.address())),
            Err(RecvTimeoutError::Disconnected) => Ok(Event::Heard(Heard::End)),
        }
    }

    /// An event that has happened already.
    pub fn next(&self) -> Option<Event> {
        self.happened.try_recv().ok()
    }
}

/// A source in its thread, which takes items only when it is asked.
pub struct Asked {
    ask: Sender<()>,
    is_asked: bool,
}

impl Asked {
    /// Asks for items, unless it was asked already.
    pub fn ask(&mut self) {
        if !self.is_asked {
            self.is_asked = self.ask.send(()).is_ok();
        }
    }

    /// It gave what it was asked for.
    pub fn gave(&mut self) {
        self.is_asked = false;
    }
}

/// The error of an item, by its position in the stream (BIN-15).
pub fn of_item(mut error: CallError, number: u64) -> CallError {
    error.place = error.place.map(|place| place.replacen('$', &format!("$items[{number}]"), 1));
    error
}
