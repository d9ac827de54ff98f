//! A service on the binary wire that does as a test says.

use crate::scripted::{Call, Ended};
use creo_call::{Options, Source, Target, Wire};
use creo_inspect::PREAMBLE;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

/// A frame that a client sent: kind, flags, and what follows the call id.
#[derive(Debug, PartialEq)]
pub struct Frame {
    pub kind: u8,
    pub flags: u8,
    pub rest: Vec<u8>,
}

pub const CANCEL: u8 = 6;
pub const PONG: u8 = 8;
pub const ITEMS: u8 = 10;
pub const GRANT: u8 = 11;
pub const END: u8 = 8;

/// The service's side of the connection.
pub struct Peer(TcpStream);

impl Peer {
    /// The next frame; `None` at the end of the connection.
    pub fn next(&mut self) -> Option<Frame> {
        let mut head = [0; 10];
        self.0.read_exact(&mut head).ok()?;
        let length = u32::from_be_bytes(head[..4].try_into().expect("four bytes")) as usize;
        let mut rest = vec![0; length - 6];
        self.0.read_exact(&mut rest).ok()?;
        Some(Frame { kind: head[4], flags: head[5], rest })
    }

    pub fn expect(&mut self) -> Frame {
        self.next().expect("a frame")
    }

    /// The next frame of items, and what follows its count, which is below 128.
    pub fn items(&mut self) -> (u8, Vec<u8>, bool) {
        let Frame { kind, flags, rest } = self.expect();
        assert_eq!(kind, ITEMS);
        (rest[0], rest[1..].to_vec(), flags == END)
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).expect("the client reads");
    }

    /// The client says that it has ended the call.
    pub fn is_cancelled(&mut self) {
        while let Some(frame) = self.next() {
            if frame.kind == CANCEL {
                return;
            }
        }
        panic!("the connection ended without a cancel");
    }
}

pub fn raw(kind: u8, flags: u8, call: u32, rest: &[u8]) -> Vec<u8> {
    let length = u32::try_from(rest.len() + 6).expect("a short body");
    [&length.to_be_bytes()[..], &[kind, flags], &call.to_be_bytes(), rest].concat()
}

pub fn response(body: &[u8]) -> Vec<u8> {
    raw(2, 0, 1, body)
}

/// A frame with fewer than 128 numbers.
pub fn longs(numbers: &[i64]) -> Vec<u8> {
    let mut rest = vec![numbers.len() as u8];
    rest.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
    raw(ITEMS, 0, 1, &rest)
}

pub fn text(text: &str) -> Vec<u8> {
    let mut bytes = vec![text.len() as u8];
    bytes.extend(text.bytes());
    bytes
}

/// Calls a method of a service that has read the request already.
pub fn called(
    method: usize,
    value: &Value,
    source: Option<Box<dyn Source>>,
    options: &Options,
    mut sink: impl FnMut(&[Value]) -> bool,
    serve: impl FnOnce(&mut Peer, Frame) + Send + 'static,
) -> Ended {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let service = std::thread::spawn(move || {
        let mut peer = Peer(listener.accept().expect("a client").0);
        peer.0.read_exact(&mut [0; 8]).expect("a preamble");
        peer.send(&PREAMBLE);
        let request = peer.expect();
        assert_eq!(request.kind, 1);
        serve(&mut peer, request);
        // To close a connection with bytes that were not read would destroy what the client has not read yet. The client may be gone already.
        if peer.0.shutdown(Shutdown::Write).is_ok() {
            std::io::copy(&mut peer.0, &mut std::io::sink()).ok();
        }
    });
    let target = Target::Tcp { host: "127.0.0.1".to_owned(), port, tls: false };
    let ended = Call { target, wire: Wire::Binary, method, options }.run(value, source, &mut sink);
    service.join().expect("the service ends");
    ended
}
