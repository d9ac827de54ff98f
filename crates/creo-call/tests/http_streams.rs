//! Calls with a stream over HTTP, against scripted services: what is sent and when, and how each call ends.

mod scripted;

use creo_call::{Answer, Options, Source, Target, Wire};
use creo_inspect::Limits;
use scripted::{BYTES, Batches, Call, Ended, LINES, SUM, TALK, TEXTS, TICKS, Waiting, long};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

const HEAD: &str =
    "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n";

/// The service's side of the connection.
struct Peer(BufReader<TcpStream>);

impl Peer {
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("a line");
        line
    }

    /// The head of the request.
    fn head(&mut self) -> String {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let line = self.line();
            assert_ne!(line, "", "the head is cut: {head}");
            head += &line;
        }
        head
    }

    /// The body of a call of `ticks`.
    fn body(&mut self) -> String {
        let mut body = vec![0; 11];
        self.0.read_exact(&mut body).expect("a body");
        String::from_utf8(body).expect("UTF-8")
    }

    /// The next chunk of the request, empty for its end; `None` if the client closed the connection.
    fn chunk(&mut self) -> Option<String> {
        let line = self.line();
        let size = usize::from_str_radix(line.strip_suffix("\r\n")?, 16).expect("a size");
        let mut chunk = vec![0; size + 2];
        self.0.read_exact(&mut chunk).ok()?;
        assert!(chunk.ends_with(b"\r\n"));
        chunk.truncate(size);
        Some(String::from_utf8(chunk).expect("UTF-8"))
    }

    fn send(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).expect("the client reads");
    }

    /// Sends a piece of the body as a chunk.
    fn piece(&mut self, text: &str) {
        self.send(&format!("{:x}\r\n{text}\r\n", text.len()));
    }

    fn answer(&mut self, status: &str, media: &str, body: &str) {
        let length = body.len();
        self.send(&format!(
            "HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {length}\r\n\r\n{body}"
        ));
    }

    /// Waits until the client closes the connection.
    fn is_left(&mut self) {
        // A client that does not read all closes with a reset.
        std::io::copy(&mut self.0, &mut std::io::sink()).ok();
    }
}

/// Calls a method of a service that has read the head of the request already.
fn called(
    method: usize,
    value: &Value,
    source: Option<Box<dyn Source>>,
    options: &Options,
    sink: &mut dyn FnMut(&[Value]) -> bool,
    serve: impl FnOnce(&mut Peer, String) + Send + 'static,
) -> Ended {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let service = std::thread::spawn(move || {
        let mut peer = Peer(BufReader::new(listener.accept().expect("a client").0));
        let head = peer.head();
        serve(&mut peer, head);
        // To close a connection with bytes that were not read would destroy what the client has not read yet. The client may be gone already.
        if peer.0.get_ref().shutdown(Shutdown::Write).is_ok() {
            std::io::copy(&mut peer.0, &mut std::io::sink()).ok();
        }
    });
    let target = Target::Http { host: "127.0.0.1".to_owned(), port, path: String::new(), tls: false };
    let ended = Call { target, wire: Wire::Json, method, options }.run(value, source, sink);
    service.join().expect("the service ends");
    ended
}

/// A method whose result is a stream.
fn ticks(serve: impl FnOnce(&mut Peer, String) + Send + 'static) -> Ended {
    called(TICKS, &json!({ "count": 3 }), None, &long(), &mut |_| true, |peer, head| {
        assert_eq!(peer.body(), "{\"count\":3}");
        serve(peer, head);
    })
}

fn sum(
    batches: Vec<Result<Vec<Value>, String>>,
    serve: impl FnOnce(&mut Peer, String) + Send + 'static,
) -> Ended {
    let source: Box<dyn Source> = Box::new(Batches(batches));
    called(SUM, &json!({ "first": 7 }), Some(source), &long(), &mut |_| true, serve)
}

/// An answer of these lines in one chunk.
fn lines(text: &str) -> Ended {
    let text = text.to_owned();
    ticks(move |peer, _| {
        peer.send(HEAD);
        peer.piece(&text);
        peer.send("0\r\n\r\n");
    })
}

#[test]
fn items_come_in_order_before_the_end() {
    let ended = ticks(|peer, head| {
        let (line, fields) = head.split_once("\r\n").expect("lines");
        assert_eq!(line, "POST /Lab/ticks HTTP/1.1");
        for field in [
            "Content-Type: application/json\r\n",
            "Accept: application/x-ndjson, application/problem+json\r\n",
            "Content-Length: 11\r\n",
            // Without a deadline (CALL-44).
            "Creo-Timeout: 999999999\r\n",
        ] {
            assert!(fields.contains(field), "{field} is not in {fields}");
        }
        peer.send("HTTP/1.1 102 Wait\r\n\r\n");
        peer.send(HEAD);
        peer.piece("{\"item\":0}\n \t\r\n{\"item\":\"1\"}\r\n{\"it");
        peer.piece("em\": 2 }\n");
        peer.piece("{\"end\":true}\n");
        // What follows a last line is not read (HTTP-37).
        peer.piece("{\"item\":3}\nand");
    });
    assert_eq!(ended.answer, Ok(Answer::Nothing));
    assert_eq!(ended.items(), [json!(0), json!(1), json!(2)]);
}

/// Each item is given as it comes, and does not wait for the end of its chunk.
#[test]
fn an_item_waits_for_no_other() {
    let (taken, takes) = mpsc::channel();
    let ended = called(
        TICKS,
        &json!({ "count": 3 }),
        None,
        &long(),
        &mut |items| taken.send(items.to_vec()).is_ok(),
        move |peer, _| {
            peer.send(HEAD);
            peer.send("100\r\n");
            for number in 0..20 {
                peer.send(&format!("{{\"item\":{number}}}\n"));
                assert_eq!(takes.recv(), Ok(vec![json!(number)]));
            }
            peer.send("{\"end\":true}\n");
        },
    );
    assert_eq!(ended.answer, Ok(Answer::Nothing));
}

#[test]
fn items_come_before_an_exception_or_error() {
    let thrown =
        r#"{"type":"urn:creo:exception:lab.Missing","title":"Missing","status":422,"value":{"what":"x"}}"#;
    let ended = lines(&format!("{{\"item\":5}}\n{{\"error\":{thrown}}}\n"));
    assert_eq!(ended.answer, Ok(Answer::Exception(json!({ "Missing": { "what": "x" } }))));
    assert_eq!(ended.items(), [json!(5)]);
    let error = r#"{"type":"urn:creo:error:overloaded","title":"overloaded","status":503,"detail":"later"}"#;
    let ended = lines(&format!("{{\"item\":5}}\n{{\"error\":{error}}}\n"));
    ended.fails("overloaded", "later");
    assert_eq!(ended.items(), [json!(5)]);
    let ended = lines("{\"item\":5}\n{\"error\":{\"title\":\"Teapot\",\"detail\":\"short\"}}\n");
    ended.fails("protocol-mismatch", "says neither an exception nor an error: Teapot: short");
    assert_eq!(ended.items(), [json!(5)]);
    // Before the first item it is an answer as of other methods (HTTP-31).
    let ended = ticks(move |peer, _| peer.answer("422 No", "application/problem+json", thrown));
    assert_eq!(ended.answer, Ok(Answer::Exception(json!({ "Missing": { "what": "x" } }))));
    ticks(move |peer, _| peer.answer("503 No", "application/problem+json", error))
        .fails("overloaded", "later");
}

#[test]
fn other_answers_are_no_streams() {
    let last = "{\"end\":true}\n";
    for (status, media) in [
        ("200 OK", "application/json"),
        ("200 OK", "text/event-stream"),
        ("200 OK", "application/x-ndjson; charset=utf-16"),
        ("201 Created", "application/x-ndjson"),
        ("500 No", "application/x-ndjson"),
        ("200 OK", "application/x-ndjson\r\nX: y\r\nContent-Encoding: gzip"),
    ] {
        ticks(move |peer, _| peer.answer(status, media, last)).fails("protocol-mismatch", "");
    }
    ticks(move |peer, _| peer.answer("404 No", "text/plain", "gone"))
        .fails("unavailable", "404 No, text/plain: gone");
    ticks(move |peer, _| peer.answer("204 OK", "text/plain", "")).fails("protocol-mismatch", "204");
    for media in
        ["Application/X-NDJSON;charset=\"UTF-8\"", "application/x-ndjson\r\nContent-Encoding: identity"]
    {
        let ended = ticks(move |peer, _| peer.answer("200 OK", media, last));
        assert_eq!(ended.answer, Ok(Answer::Nothing));
    }
    // HTTP/1.0: the body ends with the connection.
    let ended = ticks(move |peer, _| {
        peer.send(&format!("HTTP/1.0 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n{last}"));
    });
    assert_eq!(ended.answer, Ok(Answer::Nothing));
}

#[test]
fn a_cut_gives_its_items() {
    let cut = |says: &str, text: &'static str| {
        let ended = ticks(move |peer, _| peer.send(text));
        ended.fails("unavailable", says);
        assert_eq!(ended.items().len(), usize::from(text.contains("item")), "{text}");
    };
    cut("before its answer", "");
    cut("before its answer", "HTTP/1.1 200 OK\r\n");
    cut(
        "in the middle of its answer",
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n{\"item\":1}\n\r\n",
    );
    cut(
        "in the middle of its answer",
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 50\r\n\r\n{\"item\":1}\n{\"",
    );
    cut(
        "has no last line",
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n{\"item\":1}\n{\"end\":true}",
    );
    lines("{\"item\":1}\n").fails("unavailable", "has no last line");
    lines("").fails("unavailable", "has no last line");
}

/// What breaks the rules ends the call, and the items before it were given.
#[test]
fn services_that_break_the_rules() {
    for (line, says) in [
        ("{\"what\":1}", "(at $items)"),
        ("{\"item\":2,\"end\":true}", "(at $items)"),
        ("{\"item\":2", "(at $items)"),
        ("{\"end\":false}", "is not true"),
        ("{\"item\":\"x\"}", "(at $items[1])"),
        ("{\"item\":null}", "(at $items[1])"),
        ("{\"item\":9223372036854775808}", "(at $items[1])"),
    ] {
        let ended = lines(&format!("{{\"item\":1}}\n{line}\n{{\"end\":true}}\n"));
        ended.fails("malformed", says);
        assert_eq!(ended.items(), [json!(1)], "{line}");
    }
    let options = Options { limits: Limits { max_message_size: 100, ..Limits::default() }, ..long() };
    let limited = |size: usize| {
        called(LINES, &json!({}), None, &options, &mut |_| true, move |peer, _| {
            peer.send(HEAD);
            peer.piece("{\"item\":\"a\"}\n");
            // The whole body has more bytes than a line may have.
            peer.piece(&format!("{{\"item\":\"{}\"}}\n", "b".repeat(size)).repeat(3));
            peer.piece("{\"end\":true}\n0\r\n\r\n");
        })
    };
    assert_eq!(limited(89).items().len(), 4);
    limited(90).fails("too-large", "a line has more bytes than maxMessageSize, which is 100 (at $items)");
    assert_eq!(limited(90).items(), [json!("a")]);
    // A line without an end is refused as soon as it is too long.
    called(LINES, &json!({}), None, &options, &mut |_| true, |peer, _| {
        peer.send(HEAD);
        peer.send(&format!("ffffff\r\n{}", "x".repeat(101)));
        peer.is_left();
    })
    .fails("too-large", "maxMessageSize");
    ticks(|peer, _| peer.send(&format!("{HEAD}b\r\n{{\"item\":1}}\nxx")))
        .fails("protocol-mismatch", "a chunk of the answer has no end");
}

#[test]
fn a_sink_that_wants_no_more_closes_the_connection() {
    let ended =
        called(TICKS, &json!({ "count": 3 }), None, &long(), &mut |items| items != [json!(1)], |peer, _| {
            peer.body();
            peer.send(HEAD);
            peer.piece("{\"item\":0}\n");
            peer.piece("{\"item\":1}\n");
            peer.is_left();
        });
    ended.fails("cancelled", "");
}

#[test]
fn items_are_sent_and_the_end() {
    let ended = sum(vec![Ok(vec![json!(1), json!("2")]), Ok(vec![json!(-1)])], |peer, head| {
        let (line, fields) = head.split_once("\r\n").expect("lines");
        assert_eq!(line, "POST /Lab/sum HTTP/1.1");
        for field in [
            "Content-Type: application/x-ndjson\r\n",
            "Accept: application/json, application/problem+json\r\n",
            "Transfer-Encoding: chunked\r\n",
        ] {
            assert!(fields.contains(field), "{field} is not in {fields}");
        }
        assert!(!fields.contains("Content-Length"));
        assert_eq!(peer.chunk().as_deref(), Some("{\"first\":7}\n"));
        assert_eq!(peer.chunk().as_deref(), Some("{\"item\":1}\n{\"item\":2}\n"));
        assert_eq!(peer.chunk().as_deref(), Some("{\"item\":-1}\n"));
        assert_eq!(peer.chunk().as_deref(), Some("{\"end\":true}\n"));
        assert_eq!(peer.chunk().as_deref(), Some(""));
        peer.answer("200 OK", "application/json", "9");
    });
    assert_eq!(ended.answer, Ok(Answer::Result(json!(9))));
    // Without a source, the end alone; without other parameters, an empty object.
    let ended = called(TEXTS, &json!({}), None, &long(), &mut |_| true, |peer, _| {
        assert_eq!(peer.chunk().as_deref(), Some("{}\n{\"end\":true}\n"));
        assert_eq!(peer.chunk().as_deref(), Some(""));
        peer.send("HTTP/1.1 204 OK\r\n\r\n");
    });
    assert_eq!(ended.answer, Ok(Answer::Nothing));
}

/// The service may answer before it has all items; the source is then not asked for more.
#[test]
fn an_answer_ends_the_items() {
    let (asked, more) = mpsc::channel::<()>();
    let source: Box<dyn Source> = Box::new(Waiting { first: vec![json!(1)], more });
    let ended = called(SUM, &json!({ "first": 7 }), Some(source), &long(), &mut |_| true, |peer, _| {
        peer.send("HTTP/1.1 100 Continue\r\n\r\n");
        peer.chunk();
        assert_eq!(peer.chunk().as_deref(), Some("{\"item\":1}\n"));
        peer.answer("200 OK", "application/json", "1");
        peer.is_left();
    });
    assert_eq!(ended.answer, Ok(Answer::Result(json!(1))));
    drop(asked);
}

#[test]
fn an_answer_comes_in_the_middle_of_a_chunk() {
    /// More than all buffers between the two sides, once.
    struct Large {
        items: Vec<Value>,
        /// Dropped when the call is over.
        _alive: mpsc::Sender<()>,
    }
    impl Source for Large {
        fn take(&mut self) -> Result<Vec<Value>, String> {
            Ok(std::mem::take(&mut self.items))
        }
    }
    let (alive, ends) = mpsc::channel();
    let source: Box<dyn Source> =
        Box::new(Large { items: vec![json!("y".repeat(4_000_000)); 10], _alive: alive });
    let ended = called(TEXTS, &json!({}), Some(source), &long(), &mut |_| true, move |peer, _| {
        assert_eq!(peer.chunk().as_deref(), Some("{}\n"));
        assert_eq!(peer.line(), format!("{:x}\r\n", 40_000_120));
        peer.answer("503 No", "text/plain", "later");
        // It reads nothing until the call is over.
        assert!(ends.recv().is_err());
    });
    ended.fails("unavailable", "503 No, text/plain: later");
}

#[test]
fn a_source_that_fails_closes_the_connection() {
    let ended = sum(vec![Ok(vec![json!(1)]), Err("line 2 is wrong".to_owned())], |peer, _| {
        peer.chunk();
        assert_eq!(peer.chunk().as_deref(), Some("{\"item\":1}\n"));
        assert_eq!(peer.chunk(), None);
    });
    ended.fails("invalid-value", "line 2 is wrong");
    let ended =
        sum(
            vec![Ok(vec![json!(1)]), Ok(vec![json!(2), json!("x")])],
            |peer, _| {
                while peer.chunk().is_some() {}
            },
        );
    ended.fails("invalid-value", "(at $items[2])");
    let options = Options { limits: Limits { max_message_size: 100, ..Limits::default() }, ..long() };
    let texts = vec![json!("a".repeat(89)), json!("b".repeat(90))];
    let source: Box<dyn Source> = Box::new(Batches(vec![Ok(texts)]));
    called(
        TEXTS,
        &json!({}),
        Some(source),
        &options,
        &mut |_| true,
        |peer, _| {
            while peer.chunk().is_some() {}
        },
    )
    .fails("too-large", "(at $items[1])");
}

#[test]
fn the_deadline_is_of_the_whole_call() {
    let options = Options { deadline: Some(Duration::from_millis(300)), ..Options::default() };
    let ended = called(TICKS, &json!({ "count": 3 }), None, &options, &mut |_| true, |peer, head| {
        assert!(!head.contains("Creo-Timeout: 999999999"), "{head}");
        peer.body();
        peer.send(HEAD);
        peer.piece("{\"item\":0}\n");
        peer.is_left();
    });
    ended.fails("deadline-exceeded", "");
    assert_eq!(ended.items(), [json!(0)]);
    let (waits, more) = mpsc::channel::<()>();
    let source: Box<dyn Source> = Box::new(Waiting { first: vec![json!(1)], more });
    let ended = called(SUM, &json!({ "first": 7 }), Some(source), &options, &mut |_| true, |peer, _| {
        while peer.chunk().is_some() {}
    });
    ended.fails("deadline-exceeded", "");
    drop(waits);
}

#[test]
fn a_connection_that_ends_early() {
    let ended = sum(vec![Ok(vec![json!(1)])], |peer, _| {
        peer.chunk();
    });
    ended.fails("unavailable", "closed the connection before its answer");
}

/// CALL-47, HTTP-35: before anything is sent, and even before a connection is opened.
#[test]
fn what_a_wire_does_not_carry() {
    for (method, wire, says) in [
        (TALK, Wire::Json, "lab.Lab.talk has two streams, which the binary wire carries, over TCP"),
        (BYTES, Wire::Soap, "lab.Lab.bytes has streams, which the binary wire carries, over TCP"),
        (
            TICKS,
            Wire::Soap,
            "lab.Lab.ticks has a stream, which the binary wire carries over TCP, and json over HTTP",
        ),
    ] {
        let target = Target::Http { host: "127.0.0.1".to_owned(), port: 1, path: String::new(), tls: false };
        let call = Call { target, wire, method, options: &Options::default() };
        let ended = call.run(&json!({}), None, &mut |_| true);
        ended.fails("unknown-method", says);
    }
}
