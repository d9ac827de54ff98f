//! A connection on which every wait ends at the call's deadline.

use crate::called::Options;
use crate::duplex::Duplex;
use crate::error::CallError;
use crate::target::Target;
use crate::tls;
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// LIM-11
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The number of bytes read at once. Memory for data is allocated only as it arrives.
pub const PIECE: usize = 64 << 10;

/// For the bytes after which a connection is closed.
pub const LAST_WRITE: Duration = Duration::from_secs(1);

pub struct Link {
    stream: Stream,
    address: String,
    until: Option<Instant>,
}

impl Link {
    /// Connects to the host's first address that answers.
    pub fn connect(target: &Target, options: &Options) -> Result<Link, CallError> {
        let address = target.authority();
        let until = options.deadline.map(|deadline| Instant::now() + deadline);
        let session = if target.tls() { Some(options.tls.session(target.host())?) } else { None };
        let found = (target.host(), target.port()).to_socket_addrs().map_err(|error| {
            CallError::new("unavailable", format!("cannot find the host {}: {error}", target.host()))
        })?;
        let mut failure = CallError::new("unavailable", format!("the host {} has no address", target.host()));
        for each in found {
            let left = left_until(until, &address)?;
            let within = left.map_or(CONNECT_TIMEOUT, |left| left.min(CONNECT_TIMEOUT));
            match TcpStream::connect_timeout(&each, within) {
                Ok(stream) => {
                    // A failure only makes the call slower.
                    let _ = stream.set_nodelay(true);
                    let mut link = Link { stream: Stream::Plain(stream), address, until };
                    if let Some(session) = session {
                        link.secure(session)?;
                    }
                    return Ok(link);
                }
                Err(error) if timed_out(&error) && left == Some(within) => return Err(exceeded(&address)),
                Err(error) => failure = refused(&address, &error),
            }
        }
        Err(failure)
    }

    /// The handshake of TLS, within the deadline and `connectTimeout`.
    fn secure(&mut self, session: ClientConnection) -> Result<(), CallError> {
        let within = Instant::now() + CONNECT_TIMEOUT;
        let Stream::Plain(socket) = &self.stream else { return Ok(()) };
        let socket = socket.try_clone().map_err(|error| refused(&self.address, &error))?;
        let mut secured = StreamOwned::new(session, socket);
        while secured.conn.is_handshaking() {
            let left = earlier(self.left()?, within);
            if left.is_zero() {
                return Err(tls::silent(&self.address));
            }
            let wait = set_timeouts(&secured.sock, Some(left));
            match wait.and_then(|()| secured.conn.complete_io(&mut secured.sock)) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted || timed_out(&error) => {}
                Err(error) => return Err(tls::failed(&self.address, &error)),
            }
        }
        self.stream = Stream::Secured(Box::new(secured));
        Ok(())
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// The milliseconds left, rounded up; 0 without a deadline (TCP-12).
    pub fn milliseconds_left(&self) -> u32 {
        let Some(until) = self.until else { return 0 };
        let left = until.saturating_duration_since(Instant::now());
        u32::try_from(left.as_nanos().div_ceil(1_000_000)).unwrap_or(u32::MAX).max(1)
    }

    fn left(&self) -> Result<Option<Duration>, CallError> {
        left_until(self.until, &self.address)
    }

    /// The connection for both directions at once.
    pub fn duplex(self) -> Result<Duplex, CallError> {
        let (socket, session) = match self.stream {
            Stream::Plain(socket) => (socket, None),
            Stream::Secured(secured) => {
                let (session, socket) = secured.into_parts();
                (socket, Some(session))
            }
        };
        Duplex::new(socket, session, self.address, self.until)
    }

    /// Writes all bytes. `Ok(false)` if the peer accepts no more: what it has sent can still be read.
    pub fn write(&mut self, bytes: &[u8]) -> Result<bool, CallError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let left = self.left()?;
            let written = set_timeouts(self.stream.socket(), left)
                .and_then(|()| self.stream.write(&rest[..rest.len().min(PIECE)]));
            match written {
                Ok(0) => return Ok(false),
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted || timed_out(&error) => {}
                Err(_) => return Ok(false),
            }
        }
        // A write to a secured stream only fills its buffer.
        loop {
            let left = self.left()?;
            match set_timeouts(self.stream.socket(), left).and_then(|()| self.stream.flush()) {
                Ok(()) => return Ok(true),
                Err(error) if error.kind() == ErrorKind::Interrupted || timed_out(&error) => {}
                Err(_) => return Ok(false),
            }
        }
    }

    /// Writes some last bytes, also after the deadline, unless the peer does not take them at once.
    pub fn write_last(&mut self, bytes: &[u8]) {
        self.until = Some(Instant::now() + LAST_WRITE);
        let _ = self.write(bytes);
    }

    /// Waits for bytes, and appends at most `most` of them to `into`. `false` at the end of the connection. `within` limits the peer's
    /// silence if that is shorter than the deadline.
    pub fn read(
        &mut self,
        into: &mut Vec<u8>,
        most: usize,
        within: Option<Instant>,
    ) -> Result<Came, CallError> {
        let mut piece = vec![0; most.min(PIECE)];
        loop {
            let mut left = self.left()?;
            if let Some(within) = within {
                let shorter = earlier(left, within);
                if shorter.is_zero() {
                    return Ok(Came::Silence);
                }
                left = Some(shorter);
            }
            let read = set_timeouts(self.stream.socket(), left).and_then(|()| self.stream.read(&mut piece));
            match read {
                Ok(0) => return Ok(Came::End),
                Ok(count) => {
                    into.extend_from_slice(&piece[..count]);
                    return Ok(Came::Bytes);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted || timed_out(&error) => {}
                Err(error)
                    if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted) =>
                {
                    return Ok(Came::End);
                }
                Err(error) if self.stream.is_secured() => return Err(tls::failed(&self.address, &error)),
                Err(error) => return Err(refused(&self.address, &error)),
            }
        }
    }
}

/// The bytes of a connection.
enum Stream {
    Plain(TcpStream),
    Secured(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Stream {
    fn socket(&self) -> &TcpStream {
        match self {
            Stream::Plain(socket) => socket,
            Stream::Secured(secured) => &secured.sock,
        }
    }

    fn is_secured(&self) -> bool {
        matches!(self, Stream::Secured(_))
    }
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(socket) => socket.read(into),
            Stream::Secured(secured) => secured.read(into),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(socket) => socket.write(bytes),
            Stream::Secured(secured) => secured.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Stream::Plain(socket) => socket.flush(),
            Stream::Secured(secured) => secured.flush(),
        }
    }
}

/// A secured stream reads while it writes, and the other way round.
fn set_timeouts(socket: &TcpStream, left: Option<Duration>) -> io::Result<()> {
    socket.set_read_timeout(left)?;
    socket.set_write_timeout(left)
}

/// The time left; `None` without a deadline. Never zero, since a timeout of zero would mean none.
pub fn left_until(until: Option<Instant>, address: &str) -> Result<Option<Duration>, CallError> {
    let left = until.map(|until| until.saturating_duration_since(Instant::now()));
    if left.is_some_and(|left| left.is_zero()) { Err(exceeded(address)) } else { Ok(left) }
}

/// The time until the earlier of the end of `left` and `within`.
fn earlier(left: Option<Duration>, within: Instant) -> Duration {
    let other = within.saturating_duration_since(Instant::now());
    left.map_or(other, |left| left.min(other))
}

/// The outcome of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Came {
    Bytes,
    /// The peer closed the connection, or it was lost.
    End,
    Silence,
}

pub fn timed_out(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock)
}

pub fn exceeded(address: &str) -> CallError {
    CallError::new("deadline-exceeded", format!("the time for the call of {address} is over"))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the standard library adds kinds of errors")]
fn refused(address: &str, error: &io::Error) -> CallError {
    let why = match error.kind() {
        ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        ErrorKind::TimedOut | ErrorKind::WouldBlock => "no answer in time".to_owned(),
        _ => error.to_string(),
    };
    CallError::new("unavailable", format!("cannot reach {address}: {why}"))
}

/// The time by which a peer that accepted a connection must have sent something (TCP-19).
pub fn first_bytes_until() -> Instant {
    Instant::now() + CONNECT_TIMEOUT
}
