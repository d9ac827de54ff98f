//! A connection that speaks frames by hand, without any runtime.

use super::script::frame;
use crate::http::connect;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// The max time to wait for required bytes.
const READ_LIMIT: Duration = Duration::from_secs(20);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub kind: u8,
    pub flags: u8,
    pub call: u32,
    pub rest: Vec<u8>,
}

/// The result if no frame came.
#[derive(Debug)]
pub enum Missing {
    /// The service closed the connection.
    Closed,
    /// Nothing came in time, or the bytes are not a frame.
    Wrong(String),
}

#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    /// Whether the service's preamble was read.
    greeted: bool,
}

impl Connection {
    pub fn open(port: u16) -> Result<Connection, String> {
        Ok(Connection { stream: connect(port, READ_LIMIT)?, greeted: false })
    }

    /// Sends bytes. A service that has closed the connection may refuse the rest, which shows when reading.
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    pub fn close(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// The next frame. The service's preamble before its first frame is checked and skipped.
    pub fn frame(&mut self) -> Result<Frame, Missing> {
        if !self.greeted {
            let mut preamble = [0; 8];
            self.fill(&mut preamble)?;
            if &preamble[..5] != b"CREO\x01" {
                return Err(Missing::Wrong(format!("the preamble is {preamble:02x?} (TCP-1)")));
            }
            self.greeted = true;
        }
        let mut length = [0; 4];
        self.fill(&mut length)?;
        let length = u32::from_be_bytes(length) as usize;
        if !(6..=200_000_000).contains(&length) {
            return Err(Missing::Wrong(format!("the service sent a frame of length {length}")));
        }
        let mut rest = vec![0; length];
        self.fill(&mut rest)?;
        let call = u32::from_be_bytes([rest[2], rest[3], rest[4], rest[5]]);
        Ok(Frame { kind: rest[0], flags: rest[1], call, rest: rest.split_off(6) })
    }

    /// An answer with its complete body, whatever its frames.
    pub fn answer(&mut self) -> Result<Frame, Missing> {
        let mut first = self.frame()?;
        while first.flags & 1 != 0 {
            let next = self.frame()?;
            if next.kind == 5 && next.call == first.call {
                first.flags = (first.flags & !1) | (next.flags & 1);
                first.rest.extend(next.rest);
            } else if !(7..=9).contains(&next.kind) {
                return Err(Missing::Wrong(format!(
                    "within a chain came a frame of kind {} (TCP-6)",
                    next.kind
                )));
            }
        }
        Ok(first)
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), Missing> {
        self.stream.read_exact(buffer).map_err(|e| match e.kind() {
            ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe => Missing::Closed,
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                Missing::Wrong(format!("nothing came within {} s", READ_LIMIT.as_secs()))
            }
            _ => Missing::Wrong(e.to_string()),
        })
    }

    /// Everything until the service closes the connection.
    pub fn rest(&mut self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => return Ok(bytes),
                Ok(n) => bytes.extend(&buffer[..n]),
                Err(e)
                    if matches!(
                        e.kind(),
                        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe
                    ) =>
                {
                    return Ok(bytes);
                }
                Err(_) => {
                    return Err(format!(
                        "the connection is still open after {} s; until then came {bytes:02x?}",
                        READ_LIMIT.as_secs()
                    ));
                }
            }
        }
    }

    /// Calls a method without parameters that returns 42. Other frames before its answer are passed to `other`.
    pub fn good_call(
        &mut self,
        method: u64,
        call: u32,
        other: &mut dyn FnMut(&Frame) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut rest = method.to_be_bytes().to_vec();
        rest.extend([0; 4]);
        if !self.send(&frame(1, 0, call, &rest)) {
            return Err("a good call cannot be sent".to_owned());
        }
        loop {
            match self.answer() {
                Ok(answer) if answer.call != call => other(&answer)?,
                Ok(answer) if answer.kind == 2 && answer.rest == [0, 0, 0, 42] => return Ok(()),
                Ok(answer) => return Err(format!("a good call is answered by {answer:02x?}")),
                Err(missing) => return Err(format!("a good call is not answered: {missing:?}")),
            }
        }
    }
}
