//! Calls that log in by digest (HTTP-48 to HTTP-51), against scripted services.

use creo_call::{Answer, CallError, Called, Login, Options, Side, Streams, Target, Trace, Wire};
use creo_check::{CheckedModel, compile_files};
use creo_inspect::Section;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

const LAB: &str = r#"
@PACKAGE("lab")
@NAMESPACE("urn:lab")
interface Lab { int find(String name); stream int count(String name); void put(stream int numbers); }
"#;
const CHALLENGE: &str = r#"Digest realm="lab", nonce="a", algorithm=SHA-256, qop="auth""#;

struct Silent;

impl Trace for Silent {
    fn bytes(&mut self, _: Side, _: &[Section]) {}
    fn text(&mut self, _: Side, _: &[u8]) {}
    fn items(&self) -> usize {
        0
    }
}

fn model() -> CheckedModel {
    let mut load = |_: &str| Ok(LAB.as_bytes().to_vec());
    compile_files(&["lab.creo"], &mut load).expect("it loads").model.expect("it is right")
}

/// A service that takes one connection for each answer. Its thread returns the requests.
fn service(answers: Vec<String>) -> (Target, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let thread = std::thread::spawn(move || {
        let serve = |answer: String| {
            let mut stream = listener.accept().expect("a client").0;
            let request = read_request(&mut stream);
            stream.write_all(answer.as_bytes()).expect("the client reads");
            request
        };
        answers.into_iter().map(serve).collect()
    });
    (Target::Http { host: "127.0.0.1".to_owned(), port, path: String::new(), tls: false }, thread)
}

fn read_request(stream: &mut TcpStream) -> String {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4_096]);
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if text.split_once("\r\n\r\n").is_some_and(|(_, body)| body.ends_with(['}', '>'])) {
            return text.into_owned();
        }
        let count = stream.read(&mut piece).expect("a request");
        assert!(count > 0, "the request is cut: {text}");
        bytes.extend_from_slice(&piece[..count]);
    }
}

fn options() -> Options {
    let login = Some(Login::Digest("me:hunter2".to_owned()));
    Options { deadline: Some(Duration::from_secs(30)), login, ..Options::default() }
}

fn call(answers: &[String], options: &Options) -> (Result<Answer, CallError>, Vec<String>) {
    let (target, thread) = service(answers.to_vec());
    let model = model();
    let called = Called { model: &model, interface: 0, method: 0 };
    let ended = creo_call::call(&target, Wire::Json, &called, &json!({ "name": "x" }), options, &mut Silent);
    (ended, thread.join().expect("the service ends"))
}

fn asks(challenge: &str) -> String {
    format!("HTTP/1.1 401 No\r\nWWW-Authenticate: {challenge}\r\nContent-Length: 3\r\n\r\nno!")
}

fn seven() -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n7".to_owned()
}

#[test]
fn the_same_request_again_with_credentials() {
    let (ended, requests) = call(&[asks(CHALLENGE), seven()], &options());
    assert_eq!(ended, Ok(Answer::Result(json!(7))));
    assert!(!requests[0].contains("Authorization"), "{}", requests[0]);
    let due =
        "Authorization: Digest username=\"me\", realm=\"lab\", nonce=\"a\", uri=\"/Lab/find\", response=\"";
    assert!(requests[1].contains(due), "{}", requests[1]);
    assert!(requests[1].contains(", algorithm=SHA-256, qop=auth, nc=00000001, cnonce=\""), "{}", requests[1]);
    assert!(
        requests.iter().all(|request| request.ends_with("{\"name\":\"x\"}") && !request.contains("hunter2"))
    );
}

#[test]
fn a_service_that_asks_for_nothing_gets_nothing() {
    let (ended, requests) = call(&[seven()], &options());
    assert_eq!(ended, Ok(Answer::Result(json!(7))));
    assert!(!requests[0].contains("Authorization"));
}

#[test]
fn a_nonce_that_is_too_old() {
    let stale = CHALLENGE.replace("\"a\"", "\"b\"") + ", stale=true";
    let (ended, requests) = call(&[asks(CHALLENGE), asks(&stale), seven()], &options());
    assert_eq!(ended, Ok(Answer::Result(json!(7))));
    assert!(requests[2].contains("nonce=\"b\"") && requests[2].contains("nc=00000001"), "{}", requests[2]);
}

#[track_caller]
fn fails(answers: &[String], says: &[&str]) {
    let (ended, requests) = call(answers, &options());
    let error = ended.expect_err("it is refused");
    assert_eq!((error.code, requests.len()), ("unauthenticated", answers.len()), "{error}");
    let text = error.to_string();
    assert!(says.iter().all(|part| text.contains(part)) && !text.contains("hunter2"), "{text}");
}

#[test]
fn calls_that_are_refused() {
    let again = asks(&CHALLENGE.replace("\"a\"", "\"b\""));
    fails(&[asks(CHALLENGE), again], &["401", "Digest realm", "no!"]);
    let stale = asks(&(CHALLENGE.to_owned() + ", stale=true"));
    fails(&[asks(CHALLENGE), stale.clone(), stale], &["401"]);
    fails(&[asks("Basic realm=\"x\"")], &["Basic realm"]);
    let other = asks(&CHALLENGE.replace("\"auth\"", "\"auth-int\""));
    fails(&[other], &["digest authentication is not possible", "qop=auth", "answered 401 No"]);
}

#[test]
fn a_stream_of_results() {
    let lines = "{\"item\":5}\n{\"item\":6}\n{\"end\":true}\n";
    let stream = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: {}\r\n\r\n{lines}",
        lines.len()
    );
    let (target, thread) = service(vec![asks(CHALLENGE), stream]);
    let model = model();
    let called = Called { model: &model, interface: 0, method: 1 };
    let mut found = Vec::new();
    let mut sink = |items: Vec<Value>| {
        found.extend(items);
        true
    };
    let streams = Streams { source: None, sink: &mut sink };
    let value = json!({ "name": "x" });
    let ended =
        creo_call::call_streams(&target, Wire::Json, &called, &value, streams, &options(), &mut Silent);
    assert_eq!(ended, Ok(Answer::Nothing));
    assert_eq!(found, [json!(5), json!(6)]);
    assert_eq!(thread.join().expect("the service ends").len(), 2);
}

/// Nothing is sent.
#[test]
fn what_digests_do_not_go_with() {
    let model = model();
    let target = Target::Http { host: "127.0.0.1".to_owned(), port: 1, path: String::new(), tls: false };
    let called = Called { model: &model, interface: 0, method: 2 };
    let mut sink = |_: Vec<Value>| true;
    let streams = Streams { source: None, sink: &mut sink };
    let error =
        creo_call::call_streams(&target, Wire::Json, &called, &json!({}), streams, &options(), &mut Silent)
            .expect_err("items cannot be sent again");
    assert!(error.code == "invalid-value" && error.message.contains("stream"), "{error}");
    let called = Called { model: &model, interface: 0, method: 0 };
    let long = "x".repeat(1_025);
    let headers = vec![("authorization".to_owned(), "Bearer x".to_owned())];
    for wrong in [
        Options { headers, ..options() },
        Options { login: Some(Login::Digest("me:\r\n".to_owned())), ..options() },
        Options { login: Some(Login::Digest(long)), ..options() },
    ] {
        let value = json!({ "name": "x" });
        let ended = creo_call::call(&target, Wire::Json, &called, &value, &wrong, &mut Silent);
        assert_eq!(ended.expect_err("it is refused").code, "invalid-value");
    }
}
