//! Calls that clients repeat (CALL-20 to CALL-38), against hosts that fail before and after they execute. Each entry of `Ledger` is a call: the
//! hosts count how often it arrived and was executed, and what they did decides what the client has to do.

use super::hedges;
use super::http_answers::request;
use super::probe::{Probe, SLACK};
use crate::descriptions;
use crate::frames::{frame as frame_bytes, greet, method_id, read_frame};
use crate::languages::Language;
use crate::options::Options;
use crate::repo;
use crate::report::Report;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const ATTEMPTS: usize = 3;

/// The entry whose first arrival is answered with `retry-after`.
const PATIENT: u64 = 5;

/// A port at which nothing listens.
const REFUSED: u16 = 1;

/// For the whole of the calls of one question.
const LIMIT: Duration = Duration::from_secs(300);

/// How long a client must wait before it repeats [`PATIENT`]: over HTTP the header counts, which has whole seconds.
fn patience(wire: &str) -> Duration {
    Duration::from_millis(if wire.is_empty() { 200 } else { 1_000 })
}

/// What a host does with a call that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Executes, and answers.
    Answered,
    /// Executes, and closes the connection.
    Killed,
    /// Closes the connection without executing, which the client cannot know.
    Dropped,
    /// Executes, and answers with an error that leaves open whether it did.
    Unclear(Code),
    /// Does not execute, and says so.
    NotStarted(Code),
    /// Executes, and answers with an error after which no call is repeated.
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    Unavailable,
    Overloaded,
}

impl Code {
    fn word(self) -> &'static str {
        match self {
            Code::Unavailable => "unavailable",
            Code::Overloaded => "overloaded",
        }
    }
}

impl Fate {
    /// Three of four calls are answered, so that the budget of CALL-25 stays full.
    fn of(seed: u64, entry: u64, arrival: usize) -> Fate {
        if entry == PATIENT && arrival == 0 {
            return Fate::NotStarted(Code::Overloaded);
        }
        let mut bits = seed ^ (entry + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((arrival as u64) << 56);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        match (bits ^ (bits >> 31)) % 32 {
            0 => Fate::Killed,
            1 => Fate::Dropped,
            2 => Fate::Unclear(Code::Unavailable),
            3 => Fate::Unclear(Code::Overloaded),
            4 | 5 => Fate::NotStarted(Code::Unavailable),
            6 => Fate::NotStarted(Code::Overloaded),
            7 => Fate::Failed,
            _ => Fate::Answered,
        }
    }

    fn executes(self) -> bool {
        !matches!(self, Fate::Dropped | Fate::NotStarted(_))
    }

    /// The code and the details of the error, if it is one.
    fn error(self, patient: bool) -> Option<(&'static str, Vec<(&'static str, &'static str)>)> {
        match self {
            Fate::Answered | Fate::Killed | Fate::Dropped => None,
            Fate::Failed => Some(("internal", Vec::new())),
            Fate::Unclear(code) => Some((code.word(), Vec::new())),
            Fate::NotStarted(code) if patient => {
                Some((code.word(), vec![("started", "no"), ("retry-after", "200")]))
            }
            Fate::NotStarted(code) => Some((code.word(), vec![("started", "no")])),
        }
    }
}

/// What arrived, by entry.
type Ledger = BTreeMap<u64, Vec<(Fate, Instant)>>;

/// Hosts that keep one ledger.
struct Hosts {
    ports: Vec<u16>,
    ledger: Arc<Mutex<Ledger>>,
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Hosts {
    fn start(count: usize, wire: &'static str, seed: u64, answers: [u64; 2]) -> Result<Hosts, String> {
        let mut hosts =
            Hosts { ports: Vec::new(), ledger: Arc::default(), over: Arc::default(), threads: Vec::new() };
        for _ in 0..count {
            let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|e| e.to_string())?;
            hosts.ports.push(listener.local_addr().map_err(|e| e.to_string())?.port());
            let (ledger, over) = (Arc::clone(&hosts.ledger), Arc::clone(&hosts.over));
            hosts.threads.push(thread::spawn(move || {
                for stream in listener.incoming() {
                    if over.load(Ordering::Acquire) {
                        return;
                    }
                    let Ok(stream) = stream else { continue };
                    let ledger = Arc::clone(&ledger);
                    thread::spawn(move || {
                        let _ = stream.set_nodelay(true);
                        // The end of a connection is an end of reading or writing, and no matter here.
                        let _ = match wire {
                            "" => serve_frames(stream, &ledger, seed, answers),
                            _ => serve_json(stream, &ledger, seed),
                        };
                    });
                }
            }));
        }
        Ok(hosts)
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        for port in &self.ports {
            // Wakes the listener, which then ends.
            drop(TcpStream::connect(("127.0.0.1", *port)));
        }
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Enters an arrival, and says what becomes of it.
fn enter(ledger: &Mutex<Ledger>, seed: u64, entry: u64) -> (Fate, bool) {
    let mut ledger = ledger.lock().expect("no panic");
    let arrivals = ledger.entry(entry).or_default();
    let fate = Fate::of(seed, entry, arrivals.len());
    let patient = entry == PATIENT && arrivals.is_empty();
    arrivals.push((fate, Instant::now()));
    (fate, patient)
}

fn serve_frames(
    mut stream: TcpStream,
    ledger: &Mutex<Ledger>,
    seed: u64,
    known: [u64; 2],
) -> std::io::Result<()> {
    greet(&mut stream)?;
    loop {
        let frame = read_frame(&mut stream)?;
        let call = u32::from_be_bytes([frame[2], frame[3], frame[4], frame[5]]);
        match frame[0] {
            1 => {}
            7 => {
                stream.write_all(&frame_bytes(8, 0, call, &[]))?;
                continue;
            }
            _ => continue,
        }
        let number = |at: usize| u64::from_be_bytes(frame[at..at + 8].try_into().expect("eight bytes"));
        assert!(frame[1] == 0 && frame.len() == 26 && known.contains(&number(6)), "a request is {frame:?}");
        let (fate, patient) = enter(ledger, seed, number(18));
        match fate.error(patient) {
            Some((code, details)) => {
                let mut body = vec![match code {
                    "unavailable" => 7,
                    "overloaded" => 8,
                    _ => 12,
                }];
                let mut text = |text: &str| {
                    body.push(text.len() as u8);
                    body.extend(text.as_bytes());
                };
                text("by the test");
                let count = details.len() as u8;
                let mut pairs = vec![count];
                for (key, value) in details {
                    pairs.push(key.len() as u8);
                    pairs.extend(key.as_bytes());
                    pairs.push(value.len() as u8);
                    pairs.extend(value.as_bytes());
                }
                body.extend(pairs);
                stream.write_all(&frame_bytes(4, 0, call, &body))?;
            }
            None if fate == Fate::Answered => {
                stream.write_all(&frame_bytes(2, 0, call, &frame[18..]))?;
            }
            None => return Ok(()),
        }
    }
}

fn serve_json(mut stream: TcpStream, ledger: &Mutex<Ledger>, seed: u64) -> std::io::Result<()> {
    let mut rest = Vec::new();
    while let Some((_, body)) = request(&mut stream, &mut rest) {
        let said: Value = serde_json::from_slice(&body)?;
        let entry = &said["entry"];
        let entry = entry.as_u64().or_else(|| entry.as_str()?.parse().ok()).expect("a request has its entry");
        let (fate, patient) = enter(ledger, seed, entry);
        let (status, media, header, text) = match fate.error(patient) {
            Some((code, details)) => {
                // Where both are, the detail counts (CALL-24); here the header is alone.
                let details: BTreeMap<_, _> =
                    details.into_iter().filter(|(key, _)| *key != "retry-after").collect();
                let status = if code == "internal" { 500 } else { 503 };
                let problem = json!({"type": format!("urn:creo:error:{code}"), "title": code, "status": status, "detail": "by the test", "details": details});
                let header = if patient { "Retry-After: 1\r\n" } else { "" };
                (status, "application/problem+json", header, problem.to_string())
            }
            None if fate == Fate::Answered => (200, "application/json", "", said["entry"].to_string()),
            None => return Ok(()),
        };
        write!(
            stream,
            "HTTP/1.1 {status} Said\r\nContent-Type: {media}\r\n{header}Content-Length: {}\r\n\r\n{text}",
            text.len()
        )?;
    }
    Ok(())
}

/// A run of calls of one method, of a client with some hosts.
struct Case {
    name: &'static str,
    wire: &'static str,
    method: &'static str,
    /// One in so many of the calls that are asked for.
    share: u64,
    /// Living hosts; `refused`: and an address at which nothing listens.
    hosts: usize,
    refused: bool,
    /// Whether the policy hedges, which changes nothing for a method that is not idempotent.
    hedges: bool,
}

/// The method, the hosts, and one in how many of the calls.
const fn case(name: &'static str, method: &'static str, hosts: usize, share: u64) -> Case {
    let wire = if name.as_bytes()[0] == b'j' { "json" } else { "" };
    Case { name, wire, method, share, hosts, refused: hosts > 1, hedges: false }
}

const CASES: [Case; 7] = [
    case("tcp/book", "book", 1, 1),
    Case { hedges: true, ..case("tcp/hedged/book", "book", 2, 5) },
    case("tcp/look", "look", 1, 5),
    case("tcp/several/book", "book", 2, 5),
    case("tcp/several/look", "look", 2, 5),
    case("json/book", "book", 1, 5),
    case("json/several/look", "look", 2, 5),
];

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let model = descriptions::compile_file(&repo::path("conformance/schemas/matrix.creo"))?;
    let known = [method_id(&model, "Ledger.book")?, method_id(&model, "Ledger.look")?];
    for (language, program) in options.peers() {
        let program = match program {
            Ok(program) => program.arg("retries"),
            Err(why) => {
                report.fail(language, why);
                continue;
            }
        };
        let mut probe = Probe::new(program);
        let ways: &[bool] =
            if Language::from_name(language) == Some(Language::C) { &[false] } else { &[false, true] };
        // Clients in C do not hedge (CALL-29).
        let hedges = matches!(
            Language::from_name(language),
            Some(Language::Java | Language::Python | Language::CSharp)
        );
        for case in CASES.iter().filter(|case| options.names(case.name) && (hedges || !case.hedges)) {
            for is_async in ways {
                let way = if *is_async { "async" } else { "blocking" };
                let name = format!("{language} {way} {}", case.name);
                report.check(name, case.run(&mut probe, options, known, *is_async));
            }
        }
        if hedges {
            for is_async in ways {
                let way = if *is_async { "async" } else { "blocking" };
                hedges::run(
                    &mut probe,
                    *is_async,
                    |name| options.names(name),
                    |name, verdict| report.check(format!("{language} {way} {name}"), verdict),
                );
            }
        }
        if let Some(running) = probe.running.take() {
            report.check(format!("{language}: the peer ends with its input"), running.finish(SLACK));
        }
    }
    Ok(())
}

impl Case {
    fn run(
        &self,
        probe: &mut Probe,
        options: &Options,
        known: [u64; 2],
        is_async: bool,
    ) -> Result<(), String> {
        let hosts = Hosts::start(self.hosts, self.wire, options.seed, known)?;
        let mut ports = hosts.ports.clone();
        if self.refused {
            ports.insert(1, REFUSED);
        }
        let calls = (options.calls / self.share).max(2 * PATIENT);
        let mut question = json!({
            "ports": ports, "wire": self.wire, "method": self.method, "calls": calls, "attempts": ATTEMPTS,
            "baseDelay": 1, "maxDelay": 5, "deadline": 20_000, "async": is_async,
        });
        if self.hedges {
            question["hedgeAfter"] = json!(1);
        }
        let answer = probe.ask(&question, LIMIT)?;
        let ledger = hosts.ledger.lock().expect("no panic");
        self.verdict(&answer, &ledger, calls, ports.len()).map_err(|why| format!("{answer}: {why}"))
    }

    fn verdict(&self, answer: &Value, ledger: &Ledger, calls: u64, places: usize) -> Result<(), String> {
        let idempotent = self.method == "look";
        let values = answer["values"].as_u64().ok_or("the peer does not say how many values came")?;
        let errors = answer["errors"].as_object().ok_or("the peer does not say which errors came")?;
        let failed: u64 = errors.values().filter_map(Value::as_u64).sum();
        if values + failed != calls {
            return Err(format!("{calls} calls have {values} values and {failed} errors"));
        }
        let known = ["unavailable", "overloaded", "internal"];
        if let Some(other) = errors.keys().find(|code| !known.contains(&code.as_str())) {
            return Err(format!("no call ends with {other}"));
        }
        let mut answered = 0;
        for entry in 0..calls {
            let arrivals = ledger.get(&entry).ok_or_else(|| format!("the call {entry} never arrived"))?;
            let fates: Vec<Fate> = arrivals.iter().map(|(fate, _)| *fate).collect();
            let wrong = |why: &str| Err(format!("call {entry}, {fates:?}: {why}"));
            let executed = fates.iter().filter(|fate| fate.executes()).count();
            if !idempotent && executed > 1 {
                return wrong("it was executed twice (CALL-22)");
            }
            if fates.len() > ATTEMPTS * places {
                return wrong("it was attempted too often (CALL-23)");
            }
            let (last, before) = fates.split_last().expect("an entry has an arrival");
            let ends = |fate: &Fate| match fate {
                Fate::Answered | Fate::Failed => true,
                Fate::NotStarted(_) => false,
                Fate::Killed | Fate::Dropped | Fate::Unclear(_) => !idempotent,
            };
            if before.iter().any(ends) {
                return wrong("it was repeated, and must not be (CALL-22)");
            }
            if !ends(last) && fates.len() < ATTEMPTS {
                return wrong("it was not repeated (CALL-22)");
            }
            answered += u64::from(*last == Fate::Answered);
            if entry == PATIENT && arrivals[1].1 - arrivals[0].1 < patience(self.wire) {
                return wrong("it was repeated too early (CALL-24)");
            }
        }
        if values == answered {
            Ok(())
        } else {
            Err(format!("{answered} calls were answered, and {values} values came"))
        }
    }
}
