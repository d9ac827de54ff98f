//! A connection that is read by a thread of its own while it is written, so that a call can wait for its peer and for its own items.

use crate::error::CallError;
use crate::link::{LAST_WRITE, Link, PIECE, left_until, timed_out};
use crate::tls;
use rustls::ClientConnection;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// What the reading thread finds.
#[derive(Debug)]
pub enum Heard {
    /// Bytes as they came: [`Duplex::received`] decrypts them.
    Bytes(Vec<u8>),
    /// The peer closed the connection, or it was lost.
    End,
    Failure(io::Error),
}

/// What a peer took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    All,
    /// Perhaps nothing: it takes its time.
    Part,
    /// It accepts no more.
    Refused,
}

/// The writing side, which ends the connection when it is dropped.
pub struct Duplex {
    socket: TcpStream,
    session: Option<ClientConnection>,
    address: String,
    until: Option<Instant>,
}

impl Duplex {
    pub fn new(link: Link) -> Result<Duplex, CallError> {
        let (socket, session, address, until) = link.into_parts();
        let duplex = Duplex { socket, session, address, until };
        // The deadline is that of the whole call, not of a read.
        duplex.socket.set_read_timeout(None).map_err(|error| duplex.lost(&error))?;
        Ok(duplex)
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// The time left; `None` without a deadline.
    pub fn left(&self) -> Result<Option<Duration>, CallError> {
        left_until(self.until, &self.address)
    }

    /// Reads in a thread until the connection ends, or `hear` says that nobody listens any more. `hear` may wait.
    pub fn listen(&self, hear: impl Fn(Heard) -> bool + Send + 'static) -> Result<(), CallError> {
        let mut socket = self.socket.try_clone().map_err(|error| self.lost(&error))?;
        std::thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE];
                let heard = match socket.read(&mut piece) {
                    Ok(0) => Heard::End,
                    Ok(count) => {
                        piece.truncate(count);
                        Heard::Bytes(piece)
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted || timed_out(&error) => continue,
                    Err(error)
                        if matches!(
                            error.kind(),
                            ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted
                        ) =>
                    {
                        Heard::End
                    }
                    Err(error) => Heard::Failure(error),
                };
                let is_last = !matches!(heard, Heard::Bytes(_));
                if !hear(heard) || is_last {
                    return;
                }
            }
        });
        Ok(())
    }

    /// Appends what the bytes say to `into`. No bytes give what had come before the thread began to read.
    pub fn received(&mut self, bytes: &[u8], into: &mut Vec<u8>) -> Result<(), CallError> {
        let Some(session) = &mut self.session else {
            into.extend_from_slice(bytes);
            return Ok(());
        };
        let mut rest = bytes;
        loop {
            let read = if rest.is_empty() { Ok(0) } else { session.read_tls(&mut rest) };
            let state = read.and_then(|_| session.process_new_packets().map_err(io::Error::other));
            let state = state.map_err(|error| tls::failed(&self.address, &error))?;
            let start = into.len();
            into.resize(start + state.plaintext_bytes_to_read(), 0);
            session
                .reader()
                .read_exact(&mut into[start..])
                .map_err(|error| tls::failed(&self.address, &error))?;
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    /// Writes all bytes. `Ok(false)` if the peer accepts no more: what it has sent can still be read.
    pub fn write(&mut self, bytes: &[u8]) -> Result<bool, CallError> {
        let mut rest = bytes;
        loop {
            match self.write_within(&mut rest, None)? {
                Written::All => return Ok(true),
                Written::Part => {}
                Written::Refused => return Ok(false),
            }
        }
    }

    /// Writes what the peer takes within a time, and removes it from `rest`.
    pub fn write_within(&mut self, rest: &mut &[u8], time: Option<Duration>) -> Result<Written, CallError> {
        let left = self.left()?.into_iter().chain(time).min();
        match self.socket.set_write_timeout(left).and_then(|()| self.write_some(rest)) {
            Ok(true) => Ok(Written::All),
            Ok(false) => Ok(Written::Part),
            Err(error) if error.kind() == ErrorKind::Interrupted || timed_out(&error) => Ok(Written::Part),
            Err(_) => Ok(Written::Refused),
        }
    }

    /// Writes some last bytes, also after the deadline, unless the peer does not take them at once.
    pub fn write_last(&mut self, bytes: &[u8]) {
        self.until = Some(Instant::now() + LAST_WRITE);
        let _ = self.write(bytes);
    }

    /// Writes once; whether all was written.
    fn write_some(&mut self, rest: &mut &[u8]) -> io::Result<bool> {
        let Some(session) = &mut self.session else {
            let count = self.socket.write(&rest[..rest.len().min(PIECE)])?;
            *rest = &rest[count..];
            return if count == 0 && !rest.is_empty() {
                Err(ErrorKind::WriteZero.into())
            } else {
                Ok(rest.is_empty())
            };
        };
        if !session.wants_write() {
            let count = session.writer().write(rest)?;
            *rest = &rest[count..];
        }
        while session.wants_write() {
            if session.write_tls(&mut self.socket)? == 0 {
                return Err(ErrorKind::WriteZero.into());
            }
        }
        Ok(rest.is_empty())
    }

    /// The error for a failure that the reading thread found.
    pub fn lost(&self, error: &io::Error) -> CallError {
        tls::failed(&self.address, error)
    }
}

impl Drop for Duplex {
    fn drop(&mut self) {
        // The reading thread ends with it. If the connection is gone already, so has the thread.
        let _ = self.socket.shutdown(Shutdown::Both);
    }
}
