//! Answers of SOAP that clients of every language are tested with (`conformance/malformed/http-client`).
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // Tests read files.

use creo_call::{Answer, CallError, Called, Options, Reading, Side, Target, Trace, Wire, call};
use creo_check::{CheckedModel, compile_files};
use creo_inspect::Section;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn conformance() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

fn model() -> CheckedModel {
    let mut load =
        |name: &str| Ok(std::fs::read(conformance().join("schemas").join(name)).expect("a description"));
    compile_files(&["matrix.creo"], &mut load).expect("it loads").model.expect("it is right")
}

struct Silent;

impl Trace for Silent {
    fn bytes(&mut self, _: Side, _: &[Section]) {}
    fn text(&mut self, _: Side, _: &[u8]) {}
    fn items(&self) -> usize {
        0
    }
}

fn request_came(stream: &mut TcpStream) {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4_096]);
    while !bytes.ends_with(b"</soap:Envelope>") {
        let count = stream.read(&mut piece).expect("a request");
        assert!(count > 0, "the request is cut: {bytes:?}");
        bytes.extend_from_slice(&piece[..count]);
    }
}

/// How the call of a case ends.
fn ended(model: &CheckedModel, case: &Value) -> Result<Answer, CallError> {
    let body = case["body"].as_str().expect("a body");
    let mut head = format!("HTTP/1.1 {} Words\r\nContent-Length: {}\r\n", case["status"], body.len());
    for (name, value) in case["headers"].as_object().expect("fields") {
        head.push_str(&format!("{name}: {}\r\n", value.as_str().expect("one text")));
    }
    let bytes = format!("{head}\r\n{body}");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let server = std::thread::spawn(move || {
        let mut stream = listener.accept().expect("a client").0;
        request_came(&mut stream);
        stream.write_all(bytes.as_bytes()).expect("it reads");
    });
    let (name, value) = match case["call"].as_str().unwrap_or("add") {
        "add" => ("Echo.add", json!({ "left": 1, "right": 2 })),
        "fail" => ("Trouble.fail", json!({ "kind": "fine" })),
        "ask" => ("Careless.ask", json!({})),
        "mark" => ("Careless.mark", json!({})),
        "part" => ("Careless.part", json!({})),
        other => panic!("no case calls {other}"),
    };
    let (interface, method) = name.split_once('.').expect("two names");
    let interface = model.interfaces.iter().position(|each| each.name == interface).expect("an interface");
    let methods = &model.interfaces[interface].methods;
    let method = methods.iter().position(|each| each.name == method).expect("a method");
    let target = Target::Http { host: "127.0.0.1".to_owned(), port, path: String::new(), tls: false };
    let understood = case["understood"].as_array().into_iter().flatten();
    let options = Options {
        deadline: Some(Duration::from_secs(30)),
        reading: if case["lenient"] == true { Reading::Lenient } else { Reading::Strict },
        understood: understood.map(|name| name.as_str().expect("a name").to_owned()).collect(),
        ..Options::default()
    };
    let called = Called { model, interface, method };
    let ended = call(&target, Wire::Soap, &called, &value, &options, &mut Silent);
    server.join().expect("the server ends");
    ended
}

/// A value as it is compared: an element kept as text has both tags here (XML-36), and 2 is 2.0.
fn comparable(value: Value) -> Value {
    match value {
        Value::String(text) => match text.strip_suffix("/>") {
            Some(start) => {
                let name = start[1..].split(' ').next().unwrap_or_default();
                format!("{start}></{name}>").into()
            }
            None => text.into(),
        },
        Value::Array(items) => items.into_iter().map(comparable).collect(),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (name, comparable(value))).collect())
        }
        Value::Number(number) => number.as_f64().into(),
        other @ (Value::Null | Value::Bool(_)) => other,
    }
}

/// Why an end is not the due one. A case of XML-51 with an error has a hint only if it says so (XML-52).
fn problem(case: &Value, due: &Value, ended: &Result<Answer, CallError>) -> Option<String> {
    match ended {
        Ok(Answer::Result(value)) => {
            let Some(text) = due["value"].as_str() else { return Some(format!("{due} is due")) };
            // A text is not written as JSON there.
            let due = creo_json::parse_json(text).map_or_else(|_| text.into(), comparable);
            (comparable(value.clone()) != due).then(|| format!("{due} is due"))
        }
        Ok(Answer::Exception(value)) => {
            let same = due["exception"] == "not-found" && value.get("NotFound").is_some();
            (!same).then(|| "no NotFound is due".to_owned())
        }
        Ok(Answer::Nothing) => Some("no method is without a result".to_owned()),
        Err(error) => {
            if due["error"] != error.code {
                return Some(format!("the code {} is due", due["error"]));
            }
            let place = due["place"].as_str();
            if place.is_some() && place != error.place.as_deref() {
                return Some(format!("the place {} is due", due["place"]));
            }
            if due["fromPeer"].as_bool().is_some_and(|from_peer| from_peer != error.from_peer) {
                return Some(format!("fromPeer is {}", due["fromPeer"]));
            }
            let said = format!("{}: {error}", error.code);
            let words: Vec<&str> =
                due["message"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            if case["clause"] == "XML-51" && error.hint.is_some() && words.is_empty() {
                return Some("no hint is due".to_owned());
            }
            words.into_iter().find(|words| !said.contains(words)).map(|words| format!("{words:?} is due"))
        }
    }
}

#[track_caller]
fn run(subject: &str, least: usize) {
    let path = conformance().join(format!("malformed/http-client/{subject}.json"));
    let text = std::fs::read_to_string(path).expect("a file");
    let file = creo_json::parse_json(&text).expect("JSON");
    let model = model();
    // `creo call` reads no attachments, and says so.
    let in_parts = |case: &&Value| {
        case["headers"]["Content-Type"].as_str().is_some_and(|it| it.starts_with("multipart/"))
    };
    let cases: Vec<&Value> =
        file["cases"].as_array().expect("a list").iter().filter(|case| !in_parts(case)).collect();
    let mut wrong = Vec::new();
    for case in &cases {
        let ended = ended(&model, case);
        let due = case["outcome"].as_array().map_or(std::slice::from_ref(&case["outcome"]), Vec::as_slice);
        let problems: Vec<String> = due.iter().filter_map(|due| problem(case, due, &ended)).collect();
        if problems.len() == due.len() {
            wrong.push(format!("{subject}/{}: {}\n    {ended:?}", case["id"], problems.join("; or ")));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert!(cases.len() >= least);
}

#[test]
fn answers_that_do_not_follow_the_description() {
    run("lenient", 140);
}

#[test]
fn parts_in_headers() {
    run("headers", 24);
}

#[test]
fn elements_of_a_body() {
    run("bodies", 32);
}

#[test]
fn headers_that_must_be_understood() {
    run("understood", 14);
}
