//! Calls that clients hedge (CALL-29, CALL-80 to CALL-84), against hosts that keep an attempt until another one has come. No host waits for a time,
//! but where a client must not send anything.

use super::http_answers::request;
use super::probe::Probe;
use crate::frames::{frame as frame_bytes, greet, read_frame};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// For the calls of one question, and for what a host must notice.
const LIMIT: Duration = Duration::from_secs(30);

/// How long a host waits for an attempt that must not come: longer than any client waits before it hedges.
const QUIET: Duration = Duration::from_millis(150);

/// The answer to an attempt.
#[derive(Clone, Copy, Debug)]
enum Say {
    Value,
    /// An error with these details.
    Error(&'static str, &'static [(&'static str, &'static str)]),
}

/// When a host answers attempts of a call, by their number.
#[derive(Clone, Copy, Debug)]
enum When {
    /// So many attempts of this call have come.
    Come(usize),
    /// So many have come, or more, and no other one came for a while.
    Quiet(usize),
    Never,
}

/// What becomes of an attempt.
type Step = (When, Say);

struct Case {
    name: &'static str,
    method: &'static str,
    attempts: usize,
    hosts: usize,
    calls: u64,
    /// The attempts of each call, in the order in which they come.
    script: fn(entry: u64, number: usize) -> Step,
    /// How each call ends: a word, and the number of the attempt whose answer the program is given, if there is one.
    end: (&'static str, Option<usize>),
    /// The details `attempts` and `started` of its error.
    details: (Option<&'static str>, Option<&'static str>),
    /// How many attempts come. 0: at least two and fewer than the max, since the client hedges until it has read an answer.
    come: usize,
    /// The time after which the client hedges, in milliseconds.
    soon: u64,
    /// The attempts that the client cancels.
    cancelled: &'static [usize],
    /// Whether the program cancels the call when all attempts have come.
    cancels: bool,
    deadline: u64,
    tcp_only: bool,
}

const PLAIN: Case = Case {
    name: "",
    method: "look",
    attempts: 3,
    hosts: 1,
    calls: 1,
    script: |_, _| (When::Come(1), Say::Value),
    end: ("value", Some(1)),
    details: (None, None),
    come: 1,
    soon: 2,
    cancelled: &[],
    cancels: false,
    deadline: 60_000,
    tcp_only: false,
};

const CASES: [Case; 14] = [
    Case {
        name: "second",
        end: ("value", Some(2)),
        come: 2,
        cancelled: &[1],
        script: |_, number| {
            if number == 1 { (When::Never, Say::Value) } else { (When::Come(2), Say::Value) }
        },
        attempts: 2,
        ..PLAIN
    },
    Case {
        name: "first",
        come: 2,
        cancelled: &[2],
        attempts: 2,
        script: |_, number| {
            if number == 1 { (When::Come(2), Say::Value) } else { (When::Never, Say::Value) }
        },
        ..PLAIN
    },
    Case {
        name: "third",
        end: ("value", Some(3)),
        come: 3,
        cancelled: &[1, 2],
        script: |_, number| {
            if number == 3 { (When::Come(3), Say::Value) } else { (When::Never, Say::Value) }
        },
        ..PLAIN
    },
    Case { name: "not-idempotent", method: "book", script: |_, _| (When::Quiet(1), Say::Value), ..PLAIN },
    Case {
        name: "max-attempts",
        attempts: 2,
        come: 2,
        cancelled: &[2],
        script: |_, number| {
            if number == 1 { (When::Quiet(2), Say::Value) } else { (When::Never, Say::Value) }
        },
        ..PLAIN
    },
    // The 500 tokens are for 124 hedges, since each call gives back one.
    Case {
        name: "no-tokens",
        calls: 125,
        attempts: 2,
        come: 2,
        script: |entry, _| {
            if entry < 124 { (When::Come(2), Say::Value) } else { (When::Quiet(1), Say::Value) }
        },
        end: ("value", None),
        ..PLAIN
    },
    Case {
        name: "decides",
        end: ("internal", Some(2)),
        details: (Some("2"), None),
        come: 2,
        cancelled: &[1],
        attempts: 2,
        script: |_, number| {
            if number == 1 {
                (When::Never, Say::Value)
            } else {
                (When::Come(2), Say::Error("internal", &[("started", "no")]))
            }
        },
        ..PLAIN
    },
    Case {
        name: "repeated",
        end: ("value", Some(3)),
        come: 3,
        cancelled: &[1],
        script: |_, number| match number {
            1 => (When::Never, Say::Value),
            2 => (When::Come(2), Say::Error("unavailable", &[])),
            _ => (When::Come(3), Say::Value),
        },
        ..PLAIN
    },
    Case {
        name: "retry-after",
        attempts: 10,
        come: 0,
        soon: 50,
        script: |_, number| match number {
            1 => (When::Quiet(2), Say::Value),
            _ => (When::Come(2), Say::Error("unavailable", &[("retry-after", "5000")])),
        },
        ..PLAIN
    },
    Case {
        name: "overloaded",
        attempts: 10,
        come: 0,
        soon: 50,
        cancelled: &[3],
        script: |_, number| match number {
            1 => (When::Quiet(3), Say::Value),
            2 => (When::Come(2), Say::Error("overloaded", &[])),
            _ => (When::Never, Say::Value),
        },
        ..PLAIN
    },
    Case {
        name: "all-fail",
        end: ("unavailable", Some(1)),
        details: (Some("2"), Some("no")),
        come: 2,
        attempts: 2,
        script: |_, number| match number {
            1 => (When::Quiet(2), Say::Error("unavailable", &[("started", "no")])),
            _ => (When::Come(2), Say::Error("overloaded", &[("started", "no")])),
        },
        ..PLAIN
    },
    Case {
        name: "elsewhere",
        hosts: 3,
        end: ("value", Some(3)),
        come: 3,
        cancelled: &[1, 2],
        script: |_, number| {
            if number == 3 { (When::Come(3), Say::Value) } else { (When::Never, Say::Value) }
        },
        ..PLAIN
    },
    Case {
        name: "deadline",
        end: ("deadline-exceeded", None),
        details: (Some("2"), None),
        come: 2,
        attempts: 2,
        cancelled: &[1, 2],
        script: |_, _| (When::Never, Say::Value),
        deadline: 3_000,
        ..PLAIN
    },
    Case {
        name: "cancelled",
        end: ("cancelled", None),
        come: 3,
        cancelled: &[1, 2, 3],
        cancels: true,
        script: |_, _| (When::Never, Say::Value),
        tcp_only: true,
        ..PLAIN
    },
];

/// An attempt that has come.
struct Arrival {
    entry: u64,
    host: usize,
    /// The connection, and the call's id on it.
    connection: usize,
    call: u32,
    answered: bool,
    /// A cancel frame came, or over HTTP the end of the connection.
    cancelled: bool,
}

#[derive(Default)]
struct Events {
    arrivals: Vec<Arrival>,
    connections: usize,
    over: bool,
}

impl Events {
    fn come(&self, entry: u64) -> usize {
        self.arrivals.iter().filter(|arrival| arrival.entry == entry).count()
    }
}

/// What hosts know together.
#[derive(Default)]
struct Shared {
    events: Mutex<Events>,
    changed: Condvar,
}

impl Shared {
    /// Changes the events, and wakes those that wait for a change.
    fn change<T>(&self, change: impl FnOnce(&mut Events) -> T) -> T {
        let result = change(&mut self.events.lock().expect("no panic"));
        self.changed.notify_all();
        result
    }

    /// Waits until the events are as asked; false if they are not in that time, or the case is over.
    fn until(&self, time: Duration, is: impl Fn(&Events) -> bool) -> bool {
        let events = self.events.lock().expect("no panic");
        let (events, _) = self
            .changed
            .wait_timeout_while(events, time, |events| !is(events) && !events.over)
            .expect("no panic");
        is(&events)
    }

    /// Enters an attempt; returns its index and its number.
    fn enter(&self, entry: u64, host: usize, connection: usize, call: u32) -> (usize, usize) {
        self.change(|events| {
            events.arrivals.push(Arrival {
                entry,
                host,
                connection,
                call,
                answered: false,
                cancelled: false,
            });
            (events.arrivals.len() - 1, events.come(entry))
        })
    }

    /// Waits until the attempt is to be answered; false if it is not.
    fn due(&self, case: &Case, index: usize, entry: u64, number: usize) -> bool {
        let is_due = match (case.script)(entry, number).0 {
            // The second call of a case in which the program cancels the first one tells it that all attempts have come.
            _ if case.cancels && entry == 1 => self.until(LIMIT, |events| events.come(0) == case.come),
            When::Never => false,
            When::Come(count) => self.until(LIMIT, |events| events.come(entry) >= count),
            When::Quiet(count) => {
                let mut come = count;
                while self
                    .until(if come == count { LIMIT } else { QUIET }, |events| events.come(entry) >= come)
                {
                    come = self.events.lock().expect("no panic").come(entry) + 1;
                }
                come > count
            }
        };
        if is_due {
            self.change(|events| events.arrivals[index].answered = true);
        }
        is_due
    }
}

/// Hosts of one case, which end with it.
struct Hosts {
    ports: Vec<u16>,
    shared: Arc<Shared>,
}

impl Hosts {
    fn start(case: &'static Case, wire: &'static str) -> Result<Hosts, String> {
        let mut hosts = Hosts { ports: Vec::new(), shared: Arc::default() };
        for host in 0..case.hosts {
            let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|e| e.to_string())?;
            hosts.ports.push(listener.local_addr().map_err(|e| e.to_string())?.port());
            let shared = Arc::clone(&hosts.shared);
            thread::spawn(move || {
                for stream in listener.incoming() {
                    let connection = shared.change(|events| {
                        events.connections += 1;
                        (!events.over).then_some(events.connections)
                    });
                    let (Some(connection), Ok(stream)) = (connection, stream) else { return };
                    let shared = Arc::clone(&shared);
                    thread::spawn(move || {
                        let _ = stream.set_nodelay(true);
                        let at = Place { case, host, connection };
                        // The end of a connection is an end of reading or writing; over HTTP it cancels what was not answered.
                        let _ = match wire {
                            "" => serve_frames(stream, &shared, at),
                            _ => serve_json(stream, &shared, at),
                        };
                    });
                }
            });
        }
        Ok(hosts)
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        self.shared.change(|events| events.over = true);
        for port in &self.ports {
            // Wakes the listener, which then ends.
            drop(TcpStream::connect(("127.0.0.1", *port)));
        }
    }
}

/// Where a connection is.
#[derive(Clone, Copy)]
struct Place {
    case: &'static Case,
    host: usize,
    connection: usize,
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    bytes.push(text.len() as u8);
    bytes.extend(text.as_bytes());
}

fn serve_frames(mut stream: TcpStream, shared: &Arc<Shared>, at: Place) -> std::io::Result<()> {
    greet(&mut stream)?;
    loop {
        let frame = read_frame(&mut stream)?;
        let call = u32::from_be_bytes([frame[2], frame[3], frame[4], frame[5]]);
        match frame[0] {
            1 => {}
            6 => {
                shared.change(|events| {
                    let mut all = events.arrivals.iter_mut();
                    if let Some(arrival) = all.find(|a| a.connection == at.connection && a.call == call) {
                        arrival.cancelled = true;
                    }
                });
                continue;
            }
            7 => {
                stream.write_all(&frame_bytes(8, 0, call, &[]))?;
                continue;
            }
            _ => continue,
        }
        assert!(frame[1] == 0 && frame.len() == 26, "a request is {frame:?}");
        let entry = u64::from_be_bytes(frame[18..26].try_into().expect("eight bytes"));
        let (index, number) = shared.enter(entry, at.host, at.connection, call);
        let (shared, mut stream) = (Arc::clone(shared), stream.try_clone()?);
        thread::spawn(move || {
            if !shared.due(at.case, index, entry, number) {
                return;
            }
            let mut body = vec![1];
            text(&mut body, "attempt");
            text(&mut body, &number.to_string());
            let kind = match (at.case.script)(entry, number).1 {
                Say::Value => {
                    body.extend(&frame[18..]);
                    2
                }
                Say::Error(code, details) => {
                    body.push(match code {
                        "unavailable" => 7,
                        "overloaded" => 8,
                        _ => 12,
                    });
                    text(&mut body, "by the test");
                    body.push(details.len() as u8);
                    for (key, value) in details {
                        text(&mut body, key);
                        text(&mut body, value);
                    }
                    4
                }
            };
            // A client that has closed its connection misses nothing.
            let _ = stream.write_all(&frame_bytes(kind, 4, call, &body));
        });
    }
}

fn serve_json(mut stream: TcpStream, shared: &Arc<Shared>, at: Place) -> std::io::Result<()> {
    let mut rest = Vec::new();
    let mut call = 0;
    while let Some((_, body)) = request(&mut stream, &mut rest) {
        call += 1;
        let said: Value = serde_json::from_slice(&body)?;
        let entry = &said["entry"];
        let entry = entry.as_u64().or_else(|| entry.as_str()?.parse().ok()).expect("a request has its entry");
        let (index, number) = shared.enter(entry, at.host, at.connection, call);
        let (watched, mut watch) = (Arc::clone(shared), stream.try_clone()?);
        if matches!((at.case.script)(entry, number).0, When::Never) {
            // The client sends nothing more on this connection than its end.
            let _ = watch.read(&mut [0]);
            watched.change(|events| events.arrivals[index].cancelled = true);
            let _ = watch.shutdown(Shutdown::Both);
            return Ok(());
        }
        if !shared.due(at.case, index, entry, number) {
            return Ok(());
        }
        let (status, media, answer) = match (at.case.script)(entry, number).1 {
            Say::Value => (200, "application/json", said["entry"].to_string()),
            Say::Error(code, details) => {
                let status = if code == "internal" { 500 } else { 503 };
                let details: serde_json::Map<String, Value> =
                    details.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect();
                let problem = json!({"type": format!("urn:creo:error:{code}"), "title": code, "status": status, "detail": "by the test", "details": details});
                (status, "application/problem+json", problem.to_string())
            }
        };
        write!(
            stream,
            "HTTP/1.1 {status} Said\r\nContent-Type: {media}\r\nCreo-Meta-Attempt: {number}\r\nContent-Length: {}\r\n\r\n{answer}",
            answer.len()
        )?;
    }
    Ok(())
}

/// The cases of a client, by the word of its way of calling.
pub(super) fn run(
    probe: &mut Probe,
    is_async: bool,
    wanted: impl Fn(&str) -> bool,
    mut check: impl FnMut(&str, Result<(), String>),
) {
    for case in &CASES {
        for wire in ["", "json"] {
            if (wire == "json" && case.tcp_only) || (case.cancels && !is_async) {
                continue;
            }
            let name = format!("{}/hedge/{}", if wire.is_empty() { "tcp" } else { wire }, case.name);
            if wanted(&name) {
                check(&name, case.run(probe, wire, is_async));
            }
        }
    }
}

impl Case {
    fn run(&'static self, probe: &mut Probe, wire: &'static str, is_async: bool) -> Result<(), String> {
        let hosts = Hosts::start(self, wire)?;
        let question = json!({
            "ports": hosts.ports, "wire": wire, "method": self.method, "calls": self.calls, "attempts": self.attempts,
            "baseDelay": 0, "maxDelay": 0, "deadline": self.deadline, "hedgeAfter": self.soon, "cancel": self.cancels, "witness": true, "async": is_async,
        });
        let begun = Instant::now();
        let answer = probe.ask(&question, LIMIT)?;
        self.verdict(&answer, &hosts.shared)
            .map_err(|why| format!("{answer} after {:?}: {why}", begun.elapsed()))
    }

    fn verdict(&self, answer: &Value, shared: &Shared) -> Result<(), String> {
        let (word, given) = self.end;
        if word == "value" && answer["values"].as_u64() != Some(self.calls) {
            return Err("each call has its value".to_owned());
        }
        let seen = answer["seen"].as_array().ok_or("the peer does not say what it saw")?;
        if seen.len() as u64 != self.calls || seen.iter().any(|call| call["begun"] != 1 || call["ended"] != 1)
        {
            return Err("interceptors see a call once (CALL-27)".to_owned());
        }
        let (attempts, started) = self.details;
        for call in seen {
            if call["end"] != word || call["attempts"] != json!(attempts) || call["started"] != json!(started)
            {
                return Err(format!(
                    "a call ends with {word}, and has the details {attempts:?} and {started:?}"
                ));
            }
            if self.calls == 1 && call["answer"] != json!(given.map(|number| number.to_string())) {
                return Err(format!("the program is given the answer of {given:?} (CALL-84)"));
            }
        }
        let is_cancelled = |events: &Events| {
            let first: Vec<&Arrival> = events.arrivals.iter().filter(|each| each.entry == 0).collect();
            self.cancelled.iter().all(|number| first.get(number - 1).is_some_and(|each| each.cancelled))
        };
        if !shared.until(LIMIT, is_cancelled) {
            return Err(format!("the attempts {:?} are cancelled (CALL-82)", self.cancelled));
        }
        let events = shared.events.lock().expect("no panic");
        for entry in 0..self.calls {
            let arrivals: Vec<&Arrival> = events.arrivals.iter().filter(|each| each.entry == entry).collect();
            let come = if self.calls > 1 && entry == self.calls - 1 { 1 } else { self.come };
            let is_right =
                if come == 0 { (2..self.attempts).contains(&arrivals.len()) } else { arrivals.len() == come };
            if !is_right {
                return Err(format!("{} attempts of call {entry} came, not {come}", arrivals.len()));
            }
            let mut places: Vec<usize> = arrivals.iter().map(|each| each.host).collect();
            places.sort_unstable();
            places.dedup();
            if places.len() < self.hosts {
                return Err("attempts go to different addresses (CALL-81)".to_owned());
            }
        }
        Ok(())
    }
}
