//! A scripted service for testing clients: the first connections follow a case, all later calls are served well. It contains no runtime.

use super::answers::{AnswerCase, SECRET_METADATA, Step};
use super::connection::Frame;
use super::script::{frame as frame_bytes, method_id, split_count};
use crate::repo;
use creo_model::Model;
use std::collections::{HashSet, VecDeque};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The max time to wait for a client.
const LIMIT: Duration = Duration::from_secs(20);

/// The flag of a frame that begins with metadata (TCP-5).
const METADATA: u8 = 4;

/// The bytes of a client that are read and dropped before its connection is closed.
const MAX_DRAINED: u64 = 65_536;

/// The state of a client and its connections.
#[derive(Debug, Default)]
struct Seen {
    /// In the order of their opening; `None` once one has ended.
    connections: Vec<Option<TcpStream>>,
    /// Which of them the client has closed.
    closed: Vec<bool>,
    /// Violations by the client.
    problems: Vec<String>,
    inflates: bool,
    /// A request came before the case's call ended.
    asked_in_time: bool,
    /// The case's call has ended, which stops endless steps.
    ended: bool,
    /// The case is over: later events are ignored.
    over: bool,
}

/// The served methods: id, arguments, result.
type Known = Vec<(u64, Vec<u8>, Vec<u8>)>;

#[derive(Debug)]
pub struct Player {
    pub port: u16,
    seen: Arc<Mutex<Seen>>,
}

impl Player {
    pub fn start(model: &Model, case: &AnswerCase) -> Result<Player, String> {
        let known = if case.tables { known_tables(model)? } else { known(model)? };
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|e| e.to_string())?;
        let port = listener.local_addr().map_err(|e| e.to_string())?.port();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let (scripted, script, shared) = (case.connections, case.serve.clone(), Arc::clone(&seen));
        let (is_shown, reads_items) = (!case.shown.is_null(), case.reads_items());
        let wire = u8::from(case.tables);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { break };
                let Ok(kept) = stream.try_clone() else { break };
                let number = {
                    let mut seen = shared.lock().expect("no panic");
                    if seen.over {
                        break;
                    }
                    seen.connections.push(Some(kept));
                    seen.closed.push(false);
                    seen.connections.len()
                };
                let steps = if number <= scripted { script.clone() } else { Vec::new() };
                let (seen, known) = (Arc::clone(&shared), known.clone());
                thread::spawn(move || {
                    let mut line = Line {
                        stream,
                        asked: 0,
                        pongs: 0,
                        pings: Vec::new(),
                        early: VecDeque::new(),
                        requested: HashSet::new(),
                        greeted: false,
                        said: false,
                        is_shown,
                        reads_items,
                        wire,
                        number,
                        known,
                        seen,
                    };
                    let end = line.play(&steps).and_then(|()| line.serve());
                    line.finish(end);
                });
            }
        });
        Ok(Player { port, seen })
    }

    /// Marks the case's call as ended.
    pub fn call_ended(&self) {
        self.seen.lock().expect("no panic").ended = true;
    }

    /// Whether a request came before the case's call ended.
    pub fn was_asked_in_time(&self) -> bool {
        self.seen.lock().expect("no panic").asked_in_time
    }

    /// Whether the client announced support for compressed bodies.
    pub fn client_inflates(&self) -> bool {
        self.seen.lock().expect("no panic").inflates
    }

    /// Reports violations by the client, and whether the first connection was closed by it or stays usable, as expected.
    pub fn verdict(&self, closed: Option<bool>, another: bool) -> Result<(), String> {
        let end = Instant::now() + LIMIT;
        loop {
            let seen = self.seen.lock().expect("no panic");
            if let Some(problem) = seen.problems.first() {
                return Err(problem.clone());
            }
            if another && seen.connections.len() == 1 {
                return Err("the next call went over the connection whose server drains (TCP-15)".to_owned());
            }
            match closed {
                None => return Ok(()),
                Some(false) if seen.connections.len() == 1 => return Ok(()),
                Some(false) => {
                    return Err(format!(
                        "the client made {} connections, where the first was in order",
                        seen.connections.len()
                    ));
                }
                Some(true) if seen.closed.first() == Some(&true) => return Ok(()),
                Some(true) if Instant::now() > end => {
                    return Err("the client did not close the connection, whose frames are lost".to_owned());
                }
                Some(true) => {}
            }
            drop(seen);
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let mut seen = self.seen.lock().expect("no panic");
        seen.ended = true;
        seen.over = true;
        for connection in seen.connections.iter().flatten() {
            let _ = connection.shutdown(Shutdown::Both);
        }
        drop(seen);
        // Wakes the listener, which then ends.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

/// The requests of every probe, and a good service's answers.
fn known(model: &Model) -> Result<Known, String> {
    let rows = [
        ("Echo.add", "00000001 0000000000000002", "0000000000000003"),
        ("Trouble.fail", "04 66696e65", "04 66696e65"),
        ("Trouble.bytes", "00000004", "04 00010203"),
        ("Trouble.blocks", "00000002", "02 00000000000000000000 3fe00000000000000001"),
        ("Trouble.old", "", ""),
        ("Trouble.note", "04 66696e65", ""),
        ("Answer.answer", "", "0000002a"),
    ];
    rows.iter()
        .map(|(name, arguments, result)| {
            Ok((method_id(model, name)?, repo::unhex(arguments)?, repo::unhex(result)?))
        })
        .collect()
}

/// The request by tables that every probe makes after a case, and a good service's answer.
fn known_tables(model: &Model) -> Result<Known, String> {
    let table = |rows: &str| format!("<Env xmlns=\"urn:creo:tdxml\"><RT>\n{rows}</RT></Env>").into_bytes();
    Ok(vec![(method_id(model, "Answer.answer")?, table(""), table("[0]|42\n"))])
}

/// Metadata, each with its key.
type Pairs<'b> = Vec<(&'b str, &'b str)>;

/// The metadata at the front, and what follows them.
fn split_pairs(bytes: &[u8]) -> Option<(Pairs<'_>, &[u8])> {
    let (count, mut rest) = split_count(bytes)?;
    let mut text = || {
        let (size, after) = split_count(rest)?;
        let (text, after) = after.split_at_checked(size)?;
        rest = after;
        std::str::from_utf8(text).ok()
    };
    let pairs = (0..count).map(|_| Some((text()?, text()?))).collect::<Option<_>>()?;
    Some((pairs, rest))
}

/// Why playing on a connection ended.
enum End {
    /// The client closed it.
    Client,
    /// The script ended it.
    Script,
    Problem(String),
}

/// One connection.
struct Line {
    stream: TcpStream,
    asked: u32,
    pongs: usize,
    /// Requests that arrived while waiting for something else.
    early: VecDeque<Frame>,
    /// The calls whose requests were read.
    requested: HashSet<u32>,
    /// The client's pings that are not answered yet.
    pings: Vec<u32>,
    /// Whether the client's preamble was read.
    greeted: bool,
    /// Whether anything was sent.
    said: bool,
    /// Whether the client shows raw messages: then it sends metadata.
    is_shown: bool,
    /// Whether the client reads a stream: then it may give credit.
    reads_items: bool,
    /// The wire that the client's preamble names.
    wire: u8,
    number: usize,
    known: Known,
    seen: Arc<Mutex<Seen>>,
}

impl Line {
    fn play(&mut self, steps: &[Step]) -> Result<(), End> {
        let set = self.stream.set_nodelay(true).and_then(|()| self.stream.set_read_timeout(Some(LIMIT)));
        set.and_then(|()| self.stream.set_write_timeout(Some(LIMIT)))
            .map_err(|e| End::Problem(e.to_string()))?;
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step) -> Result<(), End> {
        match step {
            Step::Request => {
                self.request()?;
            }
            Step::Cancel => {
                let asked = self.asked;
                self.until("the cancel of its call (TCP-12)", |_, frame| {
                    Ok(frame.kind == 6 && frame.call == asked)
                })?;
            }
            Step::Pongs(count) => {
                while self.pongs < *count {
                    self.until("a pong (TCP-14)", |_, frame| Ok(frame.kind == 8))?;
                }
            }
            Step::Times(count, steps) => {
                (0..*count).try_for_each(|_| steps.iter().try_for_each(|step| self.step(step)))?
            }
            Step::Forever(steps) => {
                while !self.seen.lock().expect("no panic").ended {
                    steps.iter().try_for_each(|step| self.step(step))?;
                }
            }
            Step::Drip(steps) => {
                let bytes: Vec<u8> =
                    steps.iter().filter_map(|step| step.bytes(self.asked)).flatten().collect();
                for byte in bytes {
                    self.send(&[byte])?;
                    thread::sleep(Duration::from_millis(1));
                }
            }
            Step::Pause(milliseconds) => thread::sleep(Duration::from_millis(*milliseconds)),
            Step::Close => return Err(End::Script),
            Step::Bytes(_) | Step::Zeros(_) | Step::Frame { .. } | Step::Pings(_) => {
                let bytes = step.bytes(self.asked).unwrap_or_default();
                self.send(&bytes)?;
            }
        }
        Ok(())
    }

    /// Answers every call correctly.
    fn serve(&mut self) -> Result<(), End> {
        loop {
            let (method, body, call) = self.request()?;
            self.greet()?;
            // Not earlier: a script may be in the middle of a frame.
            for ping in std::mem::take(&mut self.pings) {
                self.send(&frame_bytes(8, 0, ping, &[]))?;
            }
            let Some((id, arguments, result)) = self.known.iter().find(|(id, ..)| *id == method).cloned()
            else {
                return Err(End::Problem(format!(
                    "a request of the method {method:016x} came, which nobody called"
                )));
            };
            if arguments != body {
                return Err(End::Problem(format!("the arguments of {id:016x} are {}", repo::hex(&body))));
            }
            self.send(&frame_bytes(2, 0, call, &result))?;
        }
    }

    /// Sends the preamble, unless the case has sent a replacement.
    fn greet(&mut self) -> Result<(), End> {
        if self.said { Ok(()) } else { self.send(b"CREO\x01\0\0\0") }
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), End> {
        self.said = true;
        match self.stream.write_all(bytes) {
            Ok(()) => Ok(()),
            // Only reading shows whether the client has closed the connection, perhaps because of earlier bytes.
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                Err(End::Problem("the client stopped reading".to_owned()))
            }
            Err(_) => Err(End::Client),
        }
    }

    /// The next request: its method, body and call id.
    fn request(&mut self) -> Result<(u64, Vec<u8>, u32), End> {
        let mut request = (0, Vec::new(), 0);
        self.until("a request", |line, frame| {
            if frame.kind != 1 {
                return Ok(false);
            }
            // Probes send neither compressed bodies nor several frames.
            if frame.flags & !METADATA != 0 || frame.rest.len() < 12 {
                return Err(End::Problem(format!("the request is {frame:02x?}")));
            }
            let method = u64::from_be_bytes(frame.rest[..8].try_into().expect("eight bytes"));
            let body = line.body(frame)?;
            line.asked = frame.call;
            let mut seen = line.seen.lock().expect("no panic");
            seen.asked_in_time |= !seen.ended;
            drop(seen);
            request = (method, body.to_vec(), frame.call);
            Ok(true)
        })?;
        Ok(request)
    }

    /// The body of a request, after its metadata. The first request of a client that shows raw messages has some, its later ones may have the same, and no
    /// other has any. What is secret in them is hidden from the hook alone, not from the service.
    fn body<'f>(&self, request: &'f Frame) -> Result<&'f [u8], End> {
        let is_first = self.number == 1 && self.asked == 0;
        let rest = &request.rest[12..];
        let problem =
            || End::Problem(format!("the metadata of the request {request:02x?} are not those of the probe"));
        if request.flags & METADATA == 0 {
            return if self.is_shown && is_first { Err(problem()) } else { Ok(rest) };
        }
        let (mut found, body) = split_pairs(rest).ok_or_else(problem)?;
        found.sort_unstable();
        if self.is_shown && found == SECRET_METADATA { Ok(body) } else { Err(problem()) }
    }

    /// Checks every frame of a client, and answers where required.
    fn ordinary(&mut self, frame: &Frame) -> Result<(), End> {
        let bare = frame.flags == 0 && frame.rest.is_empty();
        match frame.kind {
            1 if frame.call != 0 => {
                self.requested.insert(frame.call);
                Ok(())
            }
            6 if bare && self.requested.contains(&frame.call) => Ok(()),
            6 if bare => Err(End::Problem(format!(
                "the client cancelled the call {} without a request (TCP-22)",
                frame.call
            ))),
            8 if bare => {
                // Of several pings that came together, the pong of the last answers all (TCP-14); they are numbered from 0.
                self.pongs = (self.pongs + 1).max(frame.call as usize + 1);
                Ok(())
            }
            11 if self.reads_items
                && frame.flags == 0
                && frame.rest.len() == 4
                && self.requested.contains(&frame.call) =>
            {
                Ok(())
            }
            7 if bare => {
                self.pings.push(frame.call);
                Ok(())
            }
            _ => Err(End::Problem(format!("the client sent {frame:02x?}"))),
        }
    }

    fn until(
        &mut self,
        what: &str,
        mut found: impl FnMut(&mut Line, &Frame) -> Result<bool, End>,
    ) -> Result<(), End> {
        let mut at = 0;
        loop {
            // Requests that an earlier step skipped come first.
            let (frame, is_early) = match self.early.get(at) {
                Some(early) => (early.clone(), true),
                None => (self.frame(what)?, false),
            };
            if !is_early {
                self.ordinary(&frame)?;
            }
            if found(self, &frame)? {
                if is_early {
                    self.early.remove(at);
                }
                return Ok(());
            }
            // The next request may arrive before the cancel of the previous call, and is kept.
            if !is_early && frame.kind == 1 {
                self.early.push_back(frame);
            }
            at = (at + 1).min(self.early.len());
        }
    }

    fn frame(&mut self, what: &str) -> Result<Frame, End> {
        if !self.greeted {
            let mut preamble = [0; 8];
            self.fill(&mut preamble, what)?;
            if &preamble[..5] != b"CREO\x01" || preamble[6] != self.wire {
                return Err(End::Problem(format!("the client's preamble is {preamble:02x?} (TCP-1)")));
            }
            self.greeted = true;
            self.seen.lock().expect("no panic").inflates = preamble[5] & 1 != 0;
        }
        let mut length = [0; 4];
        self.fill(&mut length, what)?;
        let length = u32::from_be_bytes(length) as usize;
        if !(6..=1000).contains(&length) {
            return Err(End::Problem(format!("the client sent a frame of length {length}")));
        }
        let mut rest = vec![0; length];
        self.fill(&mut rest, what)?;
        let call = u32::from_be_bytes([rest[2], rest[3], rest[4], rest[5]]);
        Ok(Frame { kind: rest[0], flags: rest[1], call, rest: rest.split_off(6) })
    }

    fn fill(&mut self, buffer: &mut [u8], what: &str) -> Result<(), End> {
        self.stream.read_exact(buffer).map_err(|e| match e.kind() {
            ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe => End::Client,
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                End::Problem(format!("within {} s came not {what}", LIMIT.as_secs()))
            }
            _ => End::Problem(e.to_string()),
        })
    }

    /// Records how the connection ended, and drops it.
    fn finish(&mut self, end: Result<(), End>) {
        let mut seen = self.seen.lock().expect("no panic");
        if !seen.over {
            match end {
                Ok(()) | Err(End::Script) => {}
                Err(End::Client) => seen.closed[self.number - 1] = true,
                Err(End::Problem(problem)) => {
                    seen.problems.push(format!("on connection {}: {problem}", self.number))
                }
            }
        }
        let kept = seen.connections[self.number - 1].take();
        drop(seen);
        let _ = self.stream.shutdown(Shutdown::Write);
        // Dropping the last handle closes the connection, and resets it if unread data is left: only for a long request.
        let _ = std::io::copy(&mut (&self.stream).take(MAX_DRAINED), &mut std::io::sink());
        drop(kept);
    }
}
