//! Cases of `conformance/malformed/http-client/*.json`: an HTTP service's answer to a client's call, and how the call must end. Then the
//! same client makes a good call, which must succeed.

use super::probe::{Probe, SLACK, one_of};
use super::raw_messages::{self, Transport};
use super::sessions::Session;
use crate::cases::{Entry, entries};
use crate::frames::{Outcome, read_outcome};
use crate::repo;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The max time to wait for a client's bytes.
const READ_LIMIT: Duration = Duration::from_secs(60);

/// The answer to the first request.
#[derive(Clone, Debug)]
struct Script {
    /// The pause before the answer.
    pause: Duration,
    bytes: Vec<u8>,
    /// Whether to answer before the body of the request has come.
    early: bool,
    /// Whether to close the connection afterwards.
    close: bool,
}

#[derive(Debug)]
pub struct HttpCase {
    pub name: String,
    wire: String,
    call: String,
    deadline_ms: u64,
    max_message_size: Option<u64>,
    /// The client reads leniently (XML-50).
    lenient: bool,
    /// The names of header elements that the client takes as understood (SOAP-25), with spaces between them.
    understood: Option<String>,
    script: Script,
    outcome: Vec<Outcome>,
    /// What the client's hook for raw messages is to be shown (CALL-60); null for no hook.
    shown: Value,
    /// What the client does beyond one request and its answer (HTTP-40).
    session: Option<Session>,
    /// Whether the end of the connection may make the next call fail once.
    unsettled: bool,
}

pub fn load(only: &str) -> Result<Vec<HttpCase>, String> {
    let mut cases = Vec::new();
    for entry in entries("malformed/http-client", "cases")? {
        let name = format!("http/{}", entry.name);
        if name.contains(only) {
            cases.push(read(name.clone(), &entry).map_err(|why| format!("{name}: {why}"))?);
        }
    }
    Ok(cases)
}

fn read(name: String, entry: &Entry) -> Result<HttpCase, String> {
    let case = &entry.json;
    let outcome: Vec<Outcome> = match &case["outcome"] {
        Value::Array(several) => several.iter().map(read_outcome).collect::<Result<_, _>>()?,
        one => vec![read_outcome(one)?],
    };
    Ok(HttpCase {
        name,
        wire: entry.wire.clone().ok_or("no wire")?,
        call: case["call"].as_str().unwrap_or("add").to_owned(),
        deadline_ms: case["deadline"].as_u64().unwrap_or(20_000),
        max_message_size: case["maxMessageSize"].as_u64(),
        lenient: case["lenient"] == true,
        understood: case["understood"]
            .as_array()
            .map(|names| names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")),
        script: Script {
            pause: Duration::from_millis(case["pause"].as_u64().unwrap_or(0)),
            bytes: response(case)?,
            early: case["early"] == true,
            close: case["close"] == true,
        },
        outcome,
        shown: case["shown"].clone(),
        session: Session::read(case, response)?,
        unsettled: case["unsettled"] == true,
    })
}

/// The bytes of the answer: `raw` unchanged, or composed of status, headers and body.
fn response(case: &Value) -> Result<Vec<u8>, String> {
    if let Some(raw) = case["raw"].as_str() {
        return Ok(raw.as_bytes().to_vec());
    }
    let mut body = match (case["bytes"].as_str(), case["body"].as_str()) {
        (Some(hex), _) => repo::unhex(hex)?,
        (None, text) => text.unwrap_or_default().as_bytes().to_vec(),
    };
    let length = body.len();
    if let Some(more) = case["zeros"].as_u64() {
        body.resize(length + more as usize, b' ');
    }
    let status = case["status"].as_u64().ok_or("no status")?;
    let mut head = format!("HTTP/1.1 {status} {}\r\n", case["reason"].as_str().unwrap_or("Words"));
    let mut named = false;
    for (name, value) in case["headers"].as_object().into_iter().flatten() {
        named |= ["content-length", "transfer-encoding"].contains(&name.to_ascii_lowercase().as_str());
        for value in value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice) {
            head.push_str(&format!("{name}: {}\r\n", value.as_str().ok_or("a field is a text or several")?));
        }
    }
    if case["chunked"] == true {
        head.push_str("Transfer-Encoding: chunked\r\n\r\n");
        let mut bytes = head.into_bytes();
        for chunk in body.chunks(7) {
            bytes.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
            bytes.extend(chunk);
            bytes.extend(b"\r\n");
        }
        bytes.extend(b"0\r\n\r\n");
        return Ok(bytes);
    }
    // 204 and 304 have no body and no length.
    if !named && status != 204 && status != 304 {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    Ok([head.as_bytes(), b"\r\n", &body].concat())
}

impl HttpCase {
    /// Whether the method that is called has a stream.
    fn has_stream(&self) -> bool {
        ["ticks", "stopping", "sum", "first"].contains(&self.call.as_str())
    }

    pub fn run(&self, probe: &mut Probe, is_async: bool) -> Result<(), String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
        let port = listener.local_addr().map_err(|e| e.to_string())?.port();
        let over = Arc::new(AtomicBool::new(false));
        let heads = Arc::new(Mutex::new(Vec::new()));
        let server = {
            let mut script = vec![self.script.clone()];
            if let Some(session) = &self.session {
                script[0].bytes = session.placed(&script[0].bytes, port);
                script.extend(session.answers(port).map(|bytes| Script {
                    pause: Duration::ZERO,
                    bytes,
                    early: false,
                    close: false,
                }));
            }
            let (wire, over, heads) = (self.wire.clone(), Arc::clone(&over), Arc::clone(&heads));
            thread::spawn(move || serve(&listener, &script, &wire, &over, &heads))
        };
        let mut result = self.calls(probe, port, is_async);
        if let Some(session) = &self.session {
            let heads = heads.lock().map_err(|e| e.to_string())?;
            result = result.and_then(|()| session.check(&heads, port));
        }
        over.store(true, Ordering::Release);
        // Wakes the server, which waits for a connection.
        drop(TcpStream::connect(("127.0.0.1", port)));
        drop(server.join());
        result
    }

    fn calls(&self, probe: &mut Probe, port: u16, is_async: bool) -> Result<(), String> {
        let mut question = json!({"port": port, "wire": self.wire, "method": self.call, "deadline": self.deadline_ms, "async": is_async, "fresh": true});
        if let Some(size) = self.max_message_size {
            question["maxMessageSize"] = json!(size);
        }
        if self.lenient {
            question["lenient"] = json!(true);
        }
        if let Some(names) = &self.understood {
            question["understood"] = json!(names);
        }
        if let Some(session) = &self.session {
            session.ask(&mut question);
        }
        if !self.shown.is_null() {
            question["shown"] = json!(self.shown["max"].as_u64().unwrap_or(65_536));
        }
        let answer = probe.ask(&question, Duration::from_millis(self.deadline_ms) + SLACK)?;
        one_of(&self.outcome, &answer)?;
        if !self.shown.is_null() {
            question["method"] = json!("shown");
            question["fresh"] = json!(false);
            question.as_object_mut().expect("an object").remove("shown");
            let found = probe.ask(&question, SLACK)?;
            raw_messages::check(&self.shown, &self.call, port, Transport::Http, &found)?;
        }
        let (method, value) = match self.call.as_str() {
            "add" => ("add", "3"),
            "ask" => ("ask", ASKED),
            "mark" => ("mark", MARKED),
            "part" => ("part", PARTED),
            _ if self.has_stream() => ("sum", "6"),
            _ => ("fail", "fine"),
        };
        question["method"] = json!(method);
        question["deadline"] = json!(20_000);
        question["fresh"] = json!(false);
        let after = |why: String| format!("after {answer}: {why}");
        let mut next = probe.ask(&question, Duration::from_secs(20) + SLACK).map_err(after)?;
        if self.unsettled && next["error"] == "unavailable" {
            next = probe.ask(&question, Duration::from_secs(20) + SLACK).map_err(after)?;
        }
        if next["value"] == value {
            Ok(())
        } else {
            Err(format!("after {answer}: the next call of the same client ended with {next}"))
        }
    }
}

/// Answers the first requests by the script, and all others well; keeps the heads of all.
fn serve(
    listener: &TcpListener,
    script: &[Script],
    wire: &str,
    over: &Arc<AtomicBool>,
    heads: &Arc<Mutex<Vec<String>>>,
) {
    for stream in listener.incoming() {
        if over.load(Ordering::Acquire) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let (script, wire, heads) = (script.to_vec(), wire.to_owned(), Arc::clone(heads));
        thread::spawn(move || connection(stream, &script, &wire, &heads));
    }
}

fn connection(mut stream: TcpStream, script: &[Script], wire: &str, heads: &Mutex<Vec<String>>) {
    let _ = stream.set_nodelay(true).and_then(|()| stream.set_read_timeout(Some(READ_LIMIT)));
    let mut rest = Vec::new();
    if script.first().is_some_and(|first| first.early) && heads.lock().is_ok_and(|heads| heads.is_empty()) {
        while !rest.windows(4).any(|w| w == b"\r\n\r\n") {
            if !more(&mut stream, &mut rest) {
                return;
            }
        }
        let Ok(mut heads) = heads.lock() else { return };
        heads.push(String::from_utf8_lossy(&rest).into_owned());
        drop(heads);
        if stream.write_all(&script[0].bytes).is_err() || script[0].close {
            return;
        }
    }
    while let Some((request, body)) = request(&mut stream, &mut rest) {
        let answer = good(wire, &request, &body);
        let Ok(mut heads) = heads.lock() else { return };
        let scripted = script.get(heads.len());
        heads.push(request);
        drop(heads);
        let sent = if let Some(scripted) = scripted {
            thread::sleep(scripted.pause);
            stream.write_all(&scripted.bytes).is_ok() && !scripted.close
        } else {
            stream.write_all(&answer).is_ok()
        };
        if !sent {
            return;
        }
    }
}

/// The head and the body of the next request; `None` at the end of the connection.
pub(super) fn request(stream: &mut TcpStream, rest: &mut Vec<u8>) -> Option<(String, Vec<u8>)> {
    loop {
        if let Some(end) = rest.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&rest[..end]).into_owned();
            let body = &rest[end + 4..];
            let header = |name: &str| {
                head.lines().find_map(|line| {
                    line.split_once(':').filter(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.trim())
                })
            };
            let used = match header("content-length").map(str::parse::<usize>) {
                Some(Ok(length)) => (body.len() >= length).then_some(length),
                _ if header("transfer-encoding").is_some() => {
                    body.windows(5).position(|w| w == b"0\r\n\r\n").map(|at| at + 5)
                }
                _ => Some(0),
            };
            if let Some(used) = used {
                let body = rest.drain(..end + 4 + used).skip(end + 4).collect();
                return Some((head, body));
            }
        }
        if !more(stream, rest) {
            return None;
        }
    }
}

/// Reads what has come. `false` at the end of the connection.
fn more(stream: &mut TcpStream, into: &mut Vec<u8>) -> bool {
    let mut buffer = [0; 65_536];
    match stream.read(&mut buffer) {
        Ok(count @ 1..) => {
            into.extend_from_slice(&buffer[..count]);
            true
        }
        _ => false,
    }
}

/// The stream of a good call of `Streams.sum` (HTTP-33).
const SUMMED: &str = "{}\n{\"item\":1}\n{\"item\":2}\n{\"item\":3}\n{\"end\":true}\n";

/// The answer to a good call of `Streams.sum`, or to one whose lines are not as they should be.
fn summed(head: &str, body: &[u8]) -> Vec<u8> {
    let media = head.lines().any(|line| line.eq_ignore_ascii_case("content-type: application/x-ndjson"));
    let said = String::from_utf8_lossy(body);
    let mut rest = said.as_ref();
    let mut lines = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or_default();
        lines += after.get(..size).unwrap_or_default();
        rest = after.get(size + 2..).unwrap_or_default();
    }
    let (status, media, body) = if media && lines == SUMMED {
        (200, "application/json", "6".to_owned())
    } else {
        (418, "text/plain", format!("{head} {said}"))
    };
    format!(
        "HTTP/1.1 {status} Words\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// What a good answer to `Careless.ask` holds, as JSON.
const ASKED: &str = r#"{"limit":100,"number":1,"many":[],"texts":[],"some":[],"rated":[],"others":[]}"#;

/// What a good answer to `Careless.mark` holds, as JSON.
const MARKED: &str = r#"{"said":"good","mark":{"text":"m","level":2},"round":3,"numbers":[4,5]}"#;

/// That answer, as SOAP: two of its parts are in the header.
fn good_mark() -> Vec<u8> {
    let body = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:m=\"urn:creo:conformance.matrix\" xmlns:h=\"urn:h\"><s:Header><h:Mark><m:text>m</m:text><m:level>2</m:level></h:Mark><h:round>3</h:round></s:Header><s:Body><m:markResponse><m:said>good</m:said><m:numbers>4</m:numbers><m:numbers>5</m:numbers></m:markResponse></s:Body></s:Envelope>";
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}

/// What a good answer to `Careless.part` holds, as JSON.
const PARTED: &str = r#"{"said":"good","mark":{"text":"m","level":2},"bytes":"AQI=","numbers":[4,5]}"#;

/// That answer, as SOAP: its parts are the elements of the body.
fn good_part() -> Vec<u8> {
    let body = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:m=\"urn:creo:conformance.matrix\" xmlns:h=\"urn:h\"><s:Body><m:Said>good</m:Said><h:Mark><m:text>m</m:text><m:level>2</m:level></h:Mark><m:bytes>AQI=</m:bytes><m:Numbers><m:item>4</m:item><m:item>5</m:item></m:Numbers></s:Body></s:Envelope>";
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}

/// A good answer to a call of `Echo.add`, `Trouble.fail`, `Careless.ask` or `Streams.sum`.
fn good(wire: &str, head: &str, body: &[u8]) -> Vec<u8> {
    if head.starts_with("POST /Streams") {
        return summed(head, body);
    }
    let fail = head.starts_with("POST /Trouble");
    let row = if fail { "[0]|fine" } else { "[0]|3" };
    let table = format!("<Env xmlns=\"urn:creo:tdxml\"><RT>\n{row}\n</RT></Env>");
    let (method, text) = if fail {
        ("failResponse", "fine")
    } else if head.contains("Careless/mark") {
        return good_mark();
    } else if head.contains("Careless/part") {
        return good_part();
    } else if head.starts_with("POST /Careless") {
        ("askResponse", "<m:number>1</m:number>")
    } else {
        ("addResponse", "3")
    };
    let envelope = |body: &str| {
        format!(
            "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>{body}</s:Body></s:Envelope>"
        )
    };
    let (media, body) = match wire {
        "json" if head.starts_with("POST /Careless") => ("application/json", ASKED.to_owned()),
        "json" => ("application/json", if fail { "\"fine\"" } else { "3" }.to_owned()),
        "tdxml" => ("application/vnd.creo.tdxml", table),
        "tables" => ("text/xml; charset=utf-8", envelope(&table)),
        _ => (
            "text/xml; charset=utf-8",
            envelope(&format!(
                "<m:{method} xmlns:m=\"urn:creo:conformance.matrix\"><m:result>{text}</m:result></m:{method}>"
            )),
        ),
    };
    format!("HTTP/1.1 200 OK\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}
