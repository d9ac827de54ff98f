//! Peers that break, stall or lie: each call ends with one error of the list, and in time.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // Tests of deadlines look at the clock.

use creo_call::{Answer, CallError, Called, Options, Side, Target, Trace, Wire, call};
use creo_check::{CheckedModel, compile_files};
use creo_inspect::{Envelope, FRAME_HEAD, Limits, PREAMBLE, Section, Subject, encode, frame};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const LAB: &str = r#"
@PACKAGE("lab")
exception Missing { String what; }
interface Lab {
    double[] find(String name) throws Missing;
    oneway void touch(String name);
}
@Xml(addressing)
interface Addressed { double[] find(String name); oneway void touch(String name); }
@Xml(encoded)
interface Old { int length(String name); }
@Xml(parts)
struct Found { int count; @Xml(name = "Note", namespace = "urn:n") String? note; String[] names; }
interface Parted { @XmlResponse(bare) Found find(String name); }
"#;

fn model() -> CheckedModel {
    let mut load = |_: &str| Ok(LAB.as_bytes().to_vec());
    compile_files(&["lab.creo"], &mut load).expect("it loads").model.expect("it is right")
}

struct Silent;

impl Trace for Silent {
    fn bytes(&mut self, _: Side, _: &[Section]) {}
    fn text(&mut self, _: Side, _: &[u8]) {}
    fn items(&self) -> usize {
        0
    }
}

/// A server of one connection.
struct Server {
    port: u16,
    thread: JoinHandle<()>,
}

impl Server {
    fn new(serve: impl FnOnce(TcpStream) + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let thread = std::thread::spawn(move || serve(listener.accept().expect("a client").0));
        Server { port, thread }
    }

    /// One that reads a request whole, and then sends these bytes and closes.
    fn answering(bytes: impl Into<Vec<u8>>) -> Server {
        let bytes = bytes.into();
        Server::new(move |mut stream| {
            read_request(&mut stream);
            // A client that has seen enough is gone already.
            let _ = stream.write_all(&bytes);
        })
    }

    fn call_with(self, wire: Wire, method: usize, options: &Options) -> Result<Answer, CallError> {
        self.call_of(wire, (0, method), options)
    }

    fn call_of(self, wire: Wire, of: (usize, usize), options: &Options) -> Result<Answer, CallError> {
        let model = model();
        let target = match wire {
            Wire::Binary => Target::Tcp { host: "127.0.0.1".to_owned(), port: self.port, tls: false },
            _ => Target::Http {
                host: "127.0.0.1".to_owned(),
                port: self.port,
                path: String::new(),
                tls: false,
            },
        };
        let options = options.clone();
        // Values within the limits nest deeper than the stack of a test is large.
        let caller = std::thread::Builder::new().stack_size(64 << 20).spawn(move || {
            let called = Called { model: &model, interface: of.0, method: of.1 };
            call(&target, wire, &called, &json!({ "name": "x" }), &options, &mut Silent)
        });
        let ended = caller.expect("a thread").join().expect("no panic");
        self.thread.join().expect("the server ends");
        ended
    }

    fn call(self, wire: Wire) -> Result<Answer, CallError> {
        let deadline = Duration::from_secs(30);
        self.call_with(wire, 0, &Options { deadline: Some(deadline), ..Options::default() })
    }

    #[track_caller]
    fn fails(self, wire: Wire, code: &str, says: &str) {
        let error = self.call(wire).expect_err("the peer is wrong");
        assert_eq!(error.code, code, "{error}, and not {says}");
        assert!(error.to_string().contains(says), "{says:?} is not in: {error}");
    }
}

/// Reads a request of either kind: the preamble and frame, or head and body. Returns what of it is text.
fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4_096];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        let whole = match text.split_once("\r\n\r\n") {
            Some((_, body)) => body.ends_with('}') || body.ends_with('>'),
            None => bytes.starts_with(b"CREO") && bytes.len() >= PREAMBLE.len() + FRAME_HEAD + 14,
        };
        if whole {
            return text.into_owned();
        }
        let count = stream.read(&mut piece).expect("a request");
        assert!(count > 0, "the request is cut: {bytes:?}");
        bytes.extend_from_slice(&piece[..count]);
    }
}

/// The preamble, and these bytes.
fn creo(parts: &[&[u8]]) -> Vec<u8> {
    [&PREAMBLE[..], &parts.concat()].concat()
}

fn body(value: &Value) -> Vec<u8> {
    let model = model();
    let method = &model.interfaces[0].methods[0];
    encode(&model, &Subject::Response(method), value, &Limits::default()).expect("a body")
}

/// A frame of a kind, with flags, of a call.
fn raw(kind: u8, flags: u8, call: u32, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 6).expect("a short body");
    [&length.to_be_bytes()[..], &[kind, flags], &call.to_be_bytes(), body].concat()
}

fn response() -> Vec<u8> {
    frame(&Envelope::Response, 1, &body(&json!([1.0, 2.5])))
}

#[test]
fn an_answer_in_one_frame_in_several_and_among_others() {
    let result = Ok(Answer::Result(json!([1.0, 2.5])));
    assert_eq!(Server::answering(creo(&[&response()])).call(Wire::Binary), result);
    let whole = body(&json!([1.0, 2.5]));
    let chain = creo(&[
        &raw(7, 0, 9, b""),
        &raw(2, 1, 1, &whole[..3]),
        &raw(5, 1, 1, b""),
        &raw(5, 0, 1, &whole[3..]),
    ]);
    assert_eq!(Server::answering(chain).call(Wire::Binary), result);
    let after_others = creo(&[
        &raw(9, 0, 0, b""),
        &raw(2, 0, 77, b"other"),
        &raw(10, 0, 77, &[1, 2]),
        &raw(11, 0, 77, &[0, 0, 0, 1]),
        &response(),
    ]);
    assert_eq!(Server::answering(after_others).call(Wire::Binary), result);
    let many: Vec<u8> = (0..20_000).flat_map(|_| raw(7, 0, 3, b"")).chain(response()).collect();
    let pings = Server::new(move |mut stream| {
        read_request(&mut stream);
        let mut reader = stream.try_clone().expect("a clone");
        let pongs = std::thread::spawn(move || {
            let mut read = Vec::new();
            // The client closes with pongs of ours unread.
            let _ = reader.read_to_end(&mut read);
            assert!(read.starts_with(&raw(8, 0, 3, b"")));
        });
        stream.write_all(&creo(&[&many])).expect("it reads");
        pongs.join().expect("pongs");
    });
    assert_eq!(pings.call(Wire::Binary), result);
}

#[test]
fn an_exception_and_an_error() {
    let thrown = [&[0u8][..], &[5], b"a\x1b[1m"].concat();
    let ended = Server::answering(creo(&[&raw(3, 0, 1, &thrown)])).call(Wire::Binary);
    assert_eq!(ended, Ok(Answer::Exception(json!({ "Missing": { "what": "a\u{1b}[1m" } }))));
    let error = |number: u8, call: u32| raw(4, 0, call, &[&[number, 3][..], b"n\x1bo", &[0]].concat());
    Server::answering(creo(&[&error(8, 1)])).fails(Wire::Binary, "overloaded", "n\\u001bo");
    Server::answering(creo(&[&error(8, 0)])).fails(Wire::Binary, "overloaded", "n\\u001bo");
    Server::answering(creo(&[&error(99, 1)])).fails(Wire::Binary, "internal", "99");
}

#[test]
fn bytes_that_are_no_answer() {
    let cases: [(Vec<u8>, &str, &str); 13] = [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(), "protocol-mismatch", "HTTP"),
        (b"\x15\x03\x01\0\x02\x02\x28".to_vec(), "protocol-mismatch", "TLS"),
        (b"SSH-2.0-x\r\n".to_vec(), "protocol-mismatch", "53 53 48 2d"),
        (b"CREO\x02\0\0\0".to_vec(), "protocol-mismatch", "version 2"),
        (b"CRE".to_vec(), "unavailable", "closed the connection"),
        (creo(&[&raw(12, 0, 1, b"")]), "malformed", "12 is no kind of frame"),
        (creo(&[&raw(10, 0, 1, &[0])]), "malformed", "no such stream"),
        (creo(&[&raw(2, 0x80, 1, b"")]), "malformed", "flags"),
        (creo(&[&raw(5, 0, 1, b"")]), "malformed", "without a chain"),
        (creo(&[&[0, 0, 0, 1, 2, 0, 0, 0, 0, 1]]), "malformed", "length"),
        (creo(&[&raw(1, 0, 1, &[0; 12])]), "unknown-method", "no method"),
        (creo(&[&[0x7f, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1]]), "too-large", "maxMessageSize"),
        (creo(&[&raw(2, 0, 1, &[3, 0])]), "malformed", "$result"),
    ];
    for (bytes, code, says) in cases {
        Server::answering(bytes).fails(Wire::Binary, code, says);
    }
    // A count that claims what has not come takes no memory.
    Server::answering(creo(&[&raw(2, 0, 1, &[0xff, 0xff, 0xff, 0xff, 0x07])])).fails(
        Wire::Binary,
        "malformed",
        "$result",
    );
    // Compressed zeros beyond the limit.
    let chain = raw(2, 2, 1, b"not zlib");
    Server::answering(creo(&[&chain])).fails(Wire::Binary, "malformed", "zlib");
    let endless: Vec<u8> = (0..100_002).flat_map(|i| raw(if i == 0 { 2 } else { 5 }, 1, 1, b"")).collect();
    Server::answering(creo(&[&endless])).fails(Wire::Binary, "too-large", "frames");
}

#[test]
fn a_peer_that_is_killed_is_unavailable() {
    let whole = creo(&[&response()]);
    for end in [0, 3, 8, 12, whole.len() - 1] {
        Server::answering(&whole[..end]).fails(Wire::Binary, "unavailable", "closed the connection");
    }
    let http = http("200 OK", "application/json", "[1,2.5]");
    for end in [0, 20, http.len() - 1] {
        Server::answering(&http.as_bytes()[..end]).fails(Wire::Json, "unavailable", "closed the connection");
    }
    let model = model();
    let called = Called { model: &model, interface: 0, method: 0 };
    // No program listens at port 1.
    let target = Target::Tcp { host: "127.0.0.1".to_owned(), port: 1, tls: false };
    let value = json!({ "name": "x" });
    let error = call(&target, Wire::Binary, &called, &value, &Options::default(), &mut Silent);
    assert!(error.is_err_and(|e| e.code == "unavailable" && e.message.contains("connection refused")));
}

#[test]
fn a_peer_that_is_slow_meets_the_deadline() {
    let drip = |bytes: Vec<u8>| {
        Server::new(move |mut stream| {
            for byte in bytes {
                std::thread::sleep(Duration::from_millis(20));
                if stream.write_all(&[byte]).is_err() {
                    return;
                }
            }
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest);
        })
    };
    let deadline = Duration::from_millis(300);
    let options = Options { deadline: Some(deadline), ..Options::default() };
    let endless = http("200 OK", "application/json", &" ".repeat(1_000));
    for (wire, bytes) in [
        (Wire::Binary, Vec::new()),
        (Wire::Binary, creo(&[&raw(2, 0, 1, &[0; 1_000])])),
        (Wire::Json, Vec::new()),
        (Wire::Json, endless.into_bytes()),
    ] {
        let begin = Instant::now();
        let error = drip(bytes).call_with(wire, 0, &options).expect_err("it never ends");
        assert_eq!(error.code, "deadline-exceeded", "{error}");
        assert!(begin.elapsed() >= deadline);
    }
}

/// TCP-12
#[test]
fn a_call_whose_time_is_over_is_cancelled() {
    let server = Server::new(|mut stream| {
        read_request(&mut stream);
        stream.write_all(&PREAMBLE).expect("it reads");
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).expect("the client closes");
        assert!(rest.ends_with(&raw(6, 0, 1, b"")), "{rest:?}");
    });
    let options = Options { deadline: Some(Duration::from_millis(200)), ..Options::default() };
    let error = server.call_with(Wire::Binary, 0, &options).expect_err("it never ends");
    assert_eq!(error.code, "deadline-exceeded");
}

#[test]
fn a_oneway_call_ends_when_it_was_read() {
    let taken = Server::new(|mut stream| {
        let mut bytes = vec![0; PREAMBLE.len() + FRAME_HEAD + 14];
        stream.read_exact(&mut bytes).expect("a request");
        let mut ping = [0; 10];
        stream.read_exact(&mut ping).expect("a ping");
        stream.write_all(&creo(&[&raw(8, 0, 1, b"")])).expect("it reads");
    });
    let options = Options { deadline: Some(Duration::from_secs(30)), ..Options::default() };
    assert_eq!(taken.call_with(Wire::Binary, 1, &options), Ok(Answer::Nothing));
    let gone = Server::answering(PREAMBLE).call_with(Wire::Binary, 1, &options);
    assert!(gone.is_err_and(|error| error.code == "unavailable"));
}

fn http(status: &str, media: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn answers_over_http_in_every_framing() {
    let result = Ok(Answer::Result(json!([1.0, 2.5])));
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n";
    for answer in [
        http("200 OK", "application/json", "[1.0,2.5]"),
        format!("HTTP/1.1 100 Continue\r\n\r\n{}", http("200", "application/json", "[1,2.5]")),
        format!("{head}\r\n[1.0, 2.5]"),
        format!(
            "{head}Transfer-Encoding: chunked\r\n\r\n4;a=b\r\n[1.0\r\n0005\r\n,2.5]\r\n0\r\nA: b\r\n\r\n"
        ),
    ] {
        let ended = Server::answering(answer.clone()).call(Wire::Json).map(|answer| match answer {
            // `1` is the double as well as `1.0`.
            Answer::Result(value) => Answer::Result(json!([value[0].as_f64(), value[1].as_f64()])),
            other => other,
        });
        assert_eq!(ended, result, "{answer}");
    }
}

#[test]
fn answers_over_http_that_are_none() {
    let json = |body: &str| http("200 OK", "application/json", body);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    let cases: [(String, &str, &str); 20] = [
        ("CREO\u{1}\u{1}\0\0".to_owned(), "protocol-mismatch", "Creo's binary wire"),
        ("\u{15}\u{3}\u{1}\0\u{2}".to_owned(), "protocol-mismatch", "TLS"),
        ("220 mail.example\r\n".to_owned(), "protocol-mismatch", "220 mail.example"),
        (format!("{head}X: {}\r\n\r\n", "x".repeat(70_000)), "too-large", "head"),
        (format!("{head}Content-Length: 99999999999\r\n\r\n"), "too-large", "maxMessageSize"),
        (format!("{head}Content-Length: 1, 2\r\n\r\n[]"), "protocol-mismatch", "length"),
        (format!("{head}Transfer-Encoding: chunked\r\n\r\nxyz\r\n"), "protocol-mismatch", "chunk"),
        (
            format!("{head}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"),
            "protocol-mismatch",
            "chunk",
        ),
        (
            format!("{head}Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n"),
            "too-large",
            "maxMessageSize",
        ),
        (format!("{head}Transfer-Encoding: chunked\r\n\r\n1\r\n[]\r\n"), "protocol-mismatch", "chunk"),
        (format!("{head}Content-Encoding: br\r\nContent-Length: 2\r\n\r\n[]"), "protocol-mismatch", "br"),
        (json("[1,"), "malformed", "not JSON"),
        (json(r#"["x"]"#), "malformed", "$result[0]"),
        (json("[1e400]"), "malformed", "$result[0]"),
        (json(&format!("{}{}", "[".repeat(3_000), "]".repeat(3_000))), "too-large", "maxXmlDepth"),
        (http("200 OK", "text/html", "<p>hello\u{1b}[2J"), "protocol-mismatch", "hello\\u001b[2J"),
        (http("401 No", "text/plain", "who?"), "unauthenticated", "401 No, text/plain: who?"),
        (
            "HTTP/1.1 302 Found\r\nLocation: http://other/\r\nContent-Length: 0\r\n\r\n".to_owned(),
            "unavailable",
            "http://other/",
        ),
        (
            http(
                "422 X",
                "application/problem+json",
                r#"{"type":"urn:creo:exception:lab.Other","value":{}}"#,
            ),
            "internal",
            "lab.Other",
        ),
        (
            http(
                "503 X",
                "application/problem+json",
                r#"{"type":"urn:creo:error:overloaded","detail":"busy"}"#,
            ),
            "overloaded",
            "busy",
        ),
    ];
    for (answer, code, says) in cases {
        Server::answering(answer).fails(Wire::Json, code, says);
    }
    let thrown = http(
        "422 X",
        "application/problem+json",
        r#"{"type":"urn:creo:exception:lab.Missing","value":{"what":"w"}}"#,
    );
    let ended = Server::answering(thrown).call(Wire::Json);
    assert_eq!(ended, Ok(Answer::Exception(json!({ "Missing": { "what": "w" } }))));
    let wrong = http(
        "422 X",
        "application/problem+json",
        r#"{"type":"urn:creo:exception:lab.Missing","value":{"what":1}}"#,
    );
    Server::answering(wrong).fails(Wire::Json, "malformed", "what");
}

const ENVELOPE: &str =
    r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:l="urn:creo:lab"><e:Body>"#;
const END: &str = "</e:Body></e:Envelope>";

#[test]
fn answers_of_soap() {
    let answer =
        |status: &str, body: &str| http(status, "text/xml; charset=utf-8", &format!("{ENVELOPE}{body}{END}"));
    let result = "<l:findResponse><l:result>1</l:result><l:result> 2.50 </l:result></l:findResponse>";
    let ended = Server::answering(answer("200 OK", result)).call(Wire::Soap);
    assert_eq!(ended, Ok(Answer::Result(json!([1.0, 2.5]))));
    let thrown = "<e:Fault><faultcode>e:Server</faultcode><faultstring>Missing</faultstring><detail><l:Missing><l:what>w</l:what></l:Missing></detail></e:Fault>";
    let ended = Server::answering(answer("500 X", thrown)).call(Wire::Soap);
    assert_eq!(ended, Ok(Answer::Exception(json!({ "Missing": { "what": "w" } }))));
    let error = "<e:Fault><faultcode>e:Server</faultcode><faultstring>busy</faultstring><detail><c:error xmlns:c='urn:creo:error' code='overloaded'/></detail></e:Fault>";
    Server::answering(answer("503 X", error)).fails(Wire::Soap, "overloaded", "busy");
    let broken = thrown.replace("l:what>", "l:other>");
    let other = "<e:Fault><faultcode>e:Client.Auth</faultcode><faultstring>no\u{7f}</faultstring></e:Fault>";
    let doctype = "<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>";
    let deep = format!("{}{}", "<x>".repeat(600), "</x>".repeat(600));
    let many = format!("<x {}/>", (0..300).map(|i| format!("a{i}='' ")).collect::<String>());
    for (answer, code, says) in [
        (answer("500 X", &broken), "internal", "Missing"),
        (answer("500 X", other), "malformed", "no\\u007f"),
        (answer("200 OK", ""), "malformed", "empty"),
        (answer("200 OK", "<l:other/>"), "malformed", "findResponse"),
        (answer("200 OK", &result.replace("2.50", "x")), "malformed", "$result[1]"),
        (answer("200 OK", &result.replace("2.50 <", "2.50<l:a/><")), "malformed", "within a text"),
        (answer("200 OK", &deep), "too-large", "maxXmlDepth"),
        (answer("200 OK", &many), "too-large", "maxXmlAttributes"),
        (http("200 OK", "text/xml", doctype), "malformed", "document type"),
        (http("200 OK", "text/xml", "<a><b></a>"), "malformed", "line 1"),
        (http("200 OK", "text/xml", "<Envelope xmlns='urn:x'/>"), "protocol-mismatch", "urn:x"),
        (http("200 OK", "text/html", "<html>hi</html>"), "protocol-mismatch", "text/html"),
        (http("200 OK", "multipart/related", "--x"), "protocol-mismatch", "MTOM"),
        (http("502 X", "text/html", "<p>proxy"), "unavailable", "502"),
    ] {
        Server::answering(answer).fails(Wire::Soap, code, says);
    }
}

/// SOAP-100: the members of the result are the elements of the body.
#[test]
fn several_elements_of_soap() {
    let ended = |body: &str| {
        let answer = http("200 OK", "text/xml; charset=utf-8", &format!("{ENVELOPE}{body}{END}"));
        Server::answering(answer).call_of(Wire::Soap, (3, 0), &Options::default())
    };
    let note = "<n:Note xmlns:n='urn:n'>a</n:Note>";
    let names = "<l:names><l:item>x</l:item></l:names>";
    let found = ended(&format!("<l:count>2</l:count>{note}{names}"));
    assert_eq!(found, Ok(Answer::Result(json!({ "count": 2, "note": "a", "names": ["x"] }))));
    let found = ended(&format!("{names} <!-- in another order --><l:count>2</l:count>"));
    assert_eq!(found, Ok(Answer::Result(json!({ "count": 2, "names": ["x"] }))));
    for (body, says) in [
        (String::new(), "count"),
        (format!("<l:count>2</l:count>{note}"), "names"),
        (format!("<l:count>2</l:count>{names}<l:count>2</l:count>"), "count"),
        (format!("<l:count>2</l:count>{names}<l:more/>"), "more"),
        (format!("<l:count>two</l:count>{names}"), "$result.count"),
        (format!("<l:count>2</l:count>text{names}"), "text"),
        (format!("<l:findResponse><l:count>2</l:count>{names}</l:findResponse>"), "findResponse"),
    ] {
        let error = ended(&body).expect_err("the peer is wrong");
        assert_eq!(error.code, "malformed", "{error}, and not {says}");
        assert!(error.to_string().contains(says), "{says:?} is not in: {error}");
    }
}

/// SOAP-25: a header that is named is skipped, and nothing else.
#[test]
fn headers_that_must_be_understood() {
    let block = "<e:Header><t:Trace xmlns:t='urn:t' e:mustUnderstand='1'/></e:Header><e:Body>";
    let envelope = ENVELOPE.replace("<e:Body>", block);
    let body = "<l:findResponse><l:result>1</l:result></l:findResponse>";
    let answer = http("200 OK", "text/xml; charset=utf-8", &format!("{envelope}{body}{END}"));
    Server::answering(answer.as_str()).fails(Wire::Soap, "protocol-mismatch", "--understood");
    for (name, is_skipped) in [("{urn:t}Trace", true), ("{urn:u}Trace", false), ("Trace", false)] {
        let options = Options { understood: vec![name.to_owned()], ..Options::default() };
        let ended = Server::answering(answer.as_str()).call_with(Wire::Soap, 0, &options);
        assert_eq!(ended == Ok(Answer::Result(json!([1.0]))), is_skipped, "{name}: {ended:?}");
    }
}

/// SOAP-41, SOAP-42.
#[test]
fn headers_of_addressing() {
    const SPACE: &str = "http://www.w3.org/2005/08/addressing";
    let ended = |method: usize, relates: &'static str| {
        let server = Server::new(move |mut stream| {
            let request = read_request(&mut stream);
            let between = |start: &str, end: &str| {
                let rest = request.split_once(start).unwrap_or_else(|| panic!("no {start} in {request}")).1;
                rest.split_once(end).expect("it ends").0.to_owned()
            };
            let id = between(&format!("<wsa:MessageID xmlns:wsa=\"{SPACE}\">"), "</wsa:MessageID>");
            assert!(id.starts_with("urn:uuid:") && id.len() == 45, "{id}");
            let host = between("Host: ", "\r\n");
            let name = ["find", "touch"][method];
            let reply = ["anonymous", "none"][method];
            let blocks = format!(
                "<soap:Header><wsa:Action xmlns:wsa=\"{SPACE}\">urn:creo:lab:Addressed/{name}</wsa:Action><wsa:MessageID xmlns:wsa=\"{SPACE}\">{id}</wsa:MessageID><wsa:ReplyTo xmlns:wsa=\"{SPACE}\"><wsa:Address>{SPACE}/{reply}</wsa:Address></wsa:ReplyTo><wsa:To xmlns:wsa=\"{SPACE}\">http://{host}/Addressed</wsa:To></soap:Header><soap:Body>"
            );
            assert!(request.contains(&blocks), "{blocks} in {request}");
            let relates = relates.replace("ID", &id);
            let body = "<l:findResponse><l:result>1</l:result></l:findResponse>";
            let envelope = ENVELOPE.replace("<e:Body>", &format!("<e:Header>{relates}</e:Header><e:Body>"));
            let answer = match method {
                0 => http("200 OK", "text/xml", &format!("{envelope}{body}{END}")),
                _ => "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n".to_owned(),
            };
            stream.write_all(answer.as_bytes()).expect("the client reads");
        });
        let deadline = Duration::from_secs(30);
        server.call_of(Wire::Soap, (1, method), &Options { deadline: Some(deadline), ..Options::default() })
    };
    let reply = "<w:RelatesTo xmlns:w='http://www.w3.org/2005/08/addressing'> ID </w:RelatesTo>";
    let other = "<w:RelatesTo xmlns:w='http://www.w3.org/2005/08/addressing'>urn:x</w:RelatesTo>";
    let must = "<w:Action xmlns:w='http://www.w3.org/2005/08/addressing' e:mustUnderstand='1'>urn:y</w:Action><w:RelatesTo xmlns:w='http://www.w3.org/2005/08/addressing' RelationshipType='urn:z'>urn:x</w:RelatesTo>";
    let both = "<w:RelatesTo xmlns:w='http://www.w3.org/2005/08/addressing'>urn:x</w:RelatesTo><w:RelatesTo xmlns:w='http://www.w3.org/2005/08/addressing' RelationshipType='http://www.w3.org/2005/08/addressing/reply'>ID</w:RelatesTo>";
    for relates in ["", reply, must, both] {
        assert_eq!(ended(0, relates), Ok(Answer::Result(json!([1.0]))), "{relates}");
    }
    let error = ended(0, other).expect_err("it is the answer to another request");
    assert!(error.code == "protocol-mismatch" && error.to_string().contains("urn:x"), "{error}");
    assert_eq!(ended(1, ""), Ok(Answer::Nothing));
}

#[test]
fn encoded_messages_are_not_written() {
    let model = model();
    let target = Target::Http { host: "127.0.0.1".to_owned(), port: 1, path: String::new(), tls: false };
    let called = Called { model: &model, interface: 2, method: 0 };
    let ended = call(&target, Wire::Soap, &called, &json!({ "name": "x" }), &Options::default(), &mut Silent);
    let error = ended.expect_err("it cannot be written");
    assert!(error.code == "invalid-value" && error.to_string().contains("rpc/encoded"), "{error}");
}
