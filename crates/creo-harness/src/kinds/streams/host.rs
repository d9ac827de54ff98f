//! A host that plays `Streams` by a script. It contains no runtime, keeps account of the credit of both directions (TCP-32), and reports
//! everything that a client must not send.

use super::values::{Ids, Method, sent_items};
use crate::frames::frame;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// The max time to wait for a client.
pub const LIMIT: Duration = Duration::from_secs(20);

/// The credit of each direction when a call begins.
pub const FIRST_CREDIT: i64 = 262_144;

const MAX_CREDIT: i64 = (1 << 31) - 1;

/// A frame of more bytes of items than this holds one (TCP-30).
const FULL_FRAME: usize = 65_536;

/// A count of items.
const COUNT: usize = 5;

/// A call, as the host sees it.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: Method,
    pub deadline: u32,
    pub arguments: Vec<u8>,
    /// The items that came, the bytes of their frames after the call id, and whether `end` came.
    pub items: i64,
    pub bytes: i64,
    pub end: bool,
    /// What the client may still send.
    pub allowed: i64,
    pub cancelled: bool,
    /// What the client has granted so far, the first credit included, and when.
    pub granted: i64,
    pub grants: Vec<(Instant, i64)>,
    /// What was sent, frame by frame: the items and the bytes so far.
    pub sent: Vec<(i64, i64)>,
    /// When the first items were sent.
    pub begun: Option<Instant>,
}

impl Seen {
    pub fn sent_items(&self) -> i64 {
        self.sent.last().map_or(0, |(items, _)| *items)
    }

    pub fn sent_bytes(&self) -> i64 {
        self.sent.last().map_or(0, |(_, bytes)| *bytes)
    }

    /// The bytes of the frames that a program has begun when it has taken so many items and looks for the next one.
    pub fn bytes_of(&self, items: i64) -> i64 {
        let frame = self.sent.iter().find(|(before, _)| *before > items);
        frame.map_or(self.sent_bytes(), |(_, bytes)| *bytes)
    }
}

#[derive(Debug, Default)]
pub struct State {
    pub calls: BTreeMap<u32, Seen>,
    /// Requests that no script has begun to answer.
    waiting: Vec<u32>,
    pub pongs: Vec<u32>,
    /// The client has closed the connection.
    pub closed: bool,
    /// The host has.
    left: bool,
    problems: Vec<String>,
}

/// One connection.
#[derive(Debug)]
pub struct Line {
    stream: TcpStream,
    /// Held while a frame is written.
    writing: Mutex<()>,
    state: Mutex<State>,
    changed: Condvar,
}

impl Line {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic")
    }

    /// Waits until `done` finds something.
    pub fn until<T>(&self, what: &str, mut done: impl FnMut(&mut State) -> Option<T>) -> Result<T, String> {
        let end = Instant::now() + LIMIT;
        let mut state = self.state();
        loop {
            if let Some(found) = done(&mut state) {
                return Ok(found);
            }
            if let Some(problem) = state.problems.first() {
                return Err(problem.clone());
            }
            if state.closed {
                return Err(format!("the client closed the connection before {what}"));
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(format!("within {} s came not {what}", LIMIT.as_secs()));
            }
            state = self.changed.wait_timeout(state, left).expect("no panic").0;
        }
    }

    pub fn send(&self, bytes: &[u8]) -> Result<(), String> {
        let _held = self.writing.lock().expect("no panic");
        (&self.stream).write_all(bytes).map_err(|e| match e.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => "the client stopped reading".to_owned(),
            _ => format!("the client closed the connection: {e}"),
        })
    }

    /// Closes the connection.
    pub fn leave(&self) {
        self.state().left = true;
        let _ = self.stream.shutdown(Shutdown::Both);
        self.changed.notify_all();
    }

    /// Reads frames until the connection ends.
    fn read(&self, mut stream: TcpStream, ids: Ids) {
        let end = self.read_frames(&mut stream, ids);
        let mut state = self.state();
        state.closed = !state.left;
        if let Err(Some(problem)) = end {
            state.problems.push(problem);
            // The client need not wait for the end of its call.
            let _ = self.stream.shutdown(Shutdown::Both);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Ends with the client's mistake, or with nothing at the end of the connection.
    fn read_frames(&self, stream: &mut TcpStream, ids: Ids) -> Result<(), Option<String>> {
        let mut fill = |buffer: &mut [u8]| stream.read_exact(buffer).map_err(|_| None);
        let mut preamble = [0; 8];
        fill(&mut preamble)?;
        if &preamble[..5] != b"CREO\x01" || preamble[6] != 0 {
            return Err(Some(format!("the client's preamble is {preamble:02x?}")));
        }
        loop {
            let mut header = [0; 10];
            fill(&mut header)?;
            let [a, b, c, d, kind, flags, e, f, g, h] = header;
            let length = u32::from_be_bytes([a, b, c, d]) as usize;
            if !(6..=1 << 20).contains(&length) {
                return Err(Some(format!("the client sent a frame of length {length}")));
            }
            let mut rest = vec![0; length - 6];
            fill(&mut rest)?;
            let call = u32::from_be_bytes([e, f, g, h]);
            let mut state = self.state();
            state.take(kind, flags, call, &rest, ids).map_err(Some)?;
            drop(state);
            self.changed.notify_all();
            if kind == 7 {
                // The end of the connection shows in reading.
                let _ = self.send(&frame(8, 0, call, &[]));
            }
        }
    }
}

impl State {
    fn take(&mut self, kind: u8, flags: u8, call: u32, rest: &[u8], ids: Ids) -> Result<(), String> {
        let wrong = |why: &str| {
            let shown: Vec<String> = rest.iter().take(40).map(|byte| format!("{byte:02x}")).collect();
            Err(format!(
                "the client sent kind {kind}, flags {flags:02x}, call {call}, then {}: {why}",
                shown.concat()
            ))
        };
        if flags != 0 && (kind, flags) != (10, 8) {
            return wrong("it has flags");
        }
        match kind {
            1 => {
                if rest.len() < 12 || call == 0 || self.calls.contains_key(&call) {
                    return wrong("no such request is due");
                }
                let id = u64::from_be_bytes(rest[..8].try_into().expect("eight bytes"));
                let Some(method) = ids.method(id) else { return wrong("nobody calls that method") };
                let seen = Seen {
                    method,
                    deadline: u32::from_be_bytes(rest[8..12].try_into().expect("four bytes")),
                    arguments: rest[12..].to_vec(),
                    items: 0,
                    bytes: 0,
                    end: false,
                    allowed: FIRST_CREDIT,
                    cancelled: false,
                    granted: FIRST_CREDIT,
                    grants: Vec::new(),
                    sent: Vec::new(),
                    begun: None,
                };
                self.calls.insert(call, seen);
                self.waiting.push(call);
                return Ok(());
            }
            7 | 8 if !rest.is_empty() => return wrong("it has no body"),
            7 => return Ok(()),
            8 => {
                self.pongs.push(call);
                return Ok(());
            }
            _ => {}
        }
        let Some(seen) = self.calls.get_mut(&call) else { return wrong("no such call was made (TCP-22)") };
        match kind {
            6 if rest.is_empty() => seen.cancelled = true,
            10 => {
                if !seen.method.takes() {
                    return wrong("its method takes no stream (TCP-33)");
                }
                if seen.end || seen.allowed <= 0 {
                    return wrong("there is no credit for it, or it comes after the end (TCP-33)");
                }
                let items = sent_items(seen.method, seen.items, rest)?;
                if rest.len() > FULL_FRAME + COUNT && items > 1 {
                    return wrong("a frame of several items has more than 65,536 bytes (TCP-30)");
                }
                seen.items += items;
                seen.bytes += rest.len() as i64;
                seen.allowed -= rest.len() as i64;
                seen.end = flags == 8;
            }
            11 => {
                let Ok(four) = <[u8; 4]>::try_from(rest) else { return wrong("credit has four bytes") };
                let bytes = i64::from(u32::from_be_bytes(four));
                seen.granted += bytes;
                seen.grants.push((Instant::now(), seen.granted));
                let sent = seen.sent_bytes();
                if !seen.method.gives()
                    || bytes == 0
                    || bytes > MAX_CREDIT
                    || seen.granted - sent > MAX_CREDIT
                {
                    return wrong("no such credit is in order (TCP-33)");
                }
            }
            _ => return wrong("a client sends no such frame"),
        }
        Ok(())
    }

    /// The next call without an answer.
    fn next(&mut self) -> Option<u32> {
        (!self.waiting.is_empty()).then(|| self.waiting.remove(0))
    }
}

/// What a script does with the first call. Its error is what the client did wrong.
pub type Script = Box<dyn FnOnce(&Line, u32) -> Result<(), String> + Send>;

/// A host whose first call is played by a script; all later ones are answered by `good`.
#[derive(Debug)]
pub struct Host {
    pub port: u16,
    pub lines: Arc<Mutex<Vec<Arc<Line>>>>,
    played: Receiver<Result<(), String>>,
    over: Arc<Mutex<bool>>,
}

impl Host {
    pub fn start(
        ids: Ids,
        script: Script,
        good: fn(&Line, u32) -> Result<(), String>,
    ) -> Result<Host, String> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|e| e.to_string())?;
        let port = listener.local_addr().map_err(|e| e.to_string())?.port();
        let (sender, played) = channel();
        let host = Host { port, lines: Arc::default(), played, over: Arc::default() };
        let (lines, over) = (Arc::clone(&host.lines), Arc::clone(&host.over));
        let script = Arc::new(Mutex::new(Some(script)));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { break };
                if *over.lock().expect("no panic") {
                    break;
                }
                let Ok(line) = open(&stream) else { break };
                lines.lock().expect("no panic").push(Arc::clone(&line));
                let reader = Arc::clone(&line);
                thread::spawn(move || reader.read(stream, ids));
                let (script, sender) = (Arc::clone(&script), sender.clone());
                thread::spawn(move || serve(&line, &script, good, &sender));
            }
        });
        Ok(host)
    }

    /// What became of the script.
    pub fn played(&self) -> Result<(), String> {
        self.played
            .recv_timeout(2 * LIMIT)
            .unwrap_or_else(|_| Err("the script did not come to its end".to_owned()))
    }

    /// The number of connections, and what the client did wrong on one of them.
    pub fn problem(&self) -> (usize, Option<String>) {
        let lines = self.lines.lock().expect("no panic");
        (lines.len(), lines.iter().find_map(|line| line.state().problems.first().cloned()))
    }

    /// Waits until the client has closed the first connection.
    pub fn first_is_closed(&self) -> Result<(), String> {
        let first = self.lines.lock().expect("no panic").first().cloned();
        first.ok_or("there is no connection")?.until("its end", |state| state.closed.then_some(()))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        *self.over.lock().expect("no panic") = true;
        for line in self.lines.lock().expect("no panic").iter() {
            line.leave();
        }
        // Wakes the listener, which then ends.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

fn open(stream: &TcpStream) -> std::io::Result<Arc<Line>> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(LIMIT))?;
    let mut own = stream.try_clone()?;
    own.write_all(b"CREO\x01\0\0\0")?;
    Ok(Arc::new(Line {
        stream: own,
        writing: Mutex::new(()),
        state: Mutex::default(),
        changed: Condvar::new(),
    }))
}

/// Answers the calls of a connection, one after another.
fn serve(
    line: &Line,
    script: &Mutex<Option<Script>>,
    good: fn(&Line, u32) -> Result<(), String>,
    sender: &Sender<Result<(), String>>,
) {
    loop {
        let call = {
            let mut state = line.state();
            loop {
                if let Some(call) = state.next() {
                    break call;
                }
                if state.closed || state.left {
                    return;
                }
                state = line.changed.wait(state).expect("no panic");
            }
        };
        let script = script.lock().expect("no panic").take();
        match script {
            // After a case there is nobody to tell.
            Some(script) => drop(sender.send(script(line, call))),
            None => {
                if let Err(problem) = good(line, call) {
                    line.state().problems.push(format!("the next call: {problem}"));
                }
            }
        }
    }
}
