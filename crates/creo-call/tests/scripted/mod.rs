//! A service that does as a test says, and the call of a method of it.

use creo_call::{Answer, CallError, Called, Options, Side, Source, Streams, Target, Trace, call_streams};
use creo_check::{CheckedModel, compile_files};
use creo_inspect::{PREAMBLE, Section};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

const LAB: &str = r#"
@PACKAGE("lab")
exception Missing { String what; }
struct Ask { String word; }
struct Reply { String word; int number; }
interface Lab {
    stream long ticks(int count) throws Missing;
    long sum(int first, stream long numbers) throws Missing;
    stream Reply talk(stream Ask asks);
    stream byte bytes(stream byte bytes);
    void texts(stream String texts);
    stream String lines();
}
"#;

pub fn model() -> CheckedModel {
    let mut load = |_: &str| Ok(LAB.as_bytes().to_vec());
    compile_files(&["lab.creo"], &mut load).expect("it loads").model.expect("it is right")
}

pub struct Silent;

impl Trace for Silent {
    fn bytes(&mut self, _: Side, _: &[Section]) {}
    fn text(&mut self, _: Side, _: &[u8]) {}
    fn items(&self) -> usize {
        0
    }
}

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

/// How a call ended, and the items in the frames that came.
pub struct Ended {
    pub answer: Result<Answer, CallError>,
    pub frames: Vec<Vec<Value>>,
}

impl Ended {
    pub fn items(&self) -> Vec<Value> {
        self.frames.concat()
    }

    #[track_caller]
    pub fn fails(&self, code: &str, says: &str) {
        let error = self.answer.as_ref().expect_err("the call fails");
        assert_eq!(error.code, code, "{error}");
        assert!(error.to_string().contains(says), "{says:?} is not in: {error}");
    }
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
    let model = model();
    let target = Target::Tcp { host: "127.0.0.1".to_owned(), port, tls: false };
    let called = Called { model: &model, interface: 0, method };
    let mut frames = Vec::new();
    let mut take = |items: Vec<Value>| {
        let goes_on = sink(&items);
        frames.push(items);
        goes_on
    };
    let answer =
        call_streams(&target, &called, value, Streams { source, sink: &mut take }, options, &mut Silent);
    service.join().expect("the service ends");
    Ended { answer, frames }
}
