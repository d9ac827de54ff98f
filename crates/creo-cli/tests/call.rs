//! `creo call`: the options of a login. `tests/call` has calls of real services.

mod common;

use common::Place;
use std::io::{Read, Write};
use std::net::TcpListener;

/// A service that asks for digest authentication, then answers; and what it was sent.
#[test]
fn a_login_by_digest() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let service = std::thread::spawn(move || {
        let challenge = "WWW-Authenticate: Digest realm=\"lab\", nonce=\"a\", qop=\"auth\"\r\n";
        let result = r#"{"metadata":{"description":"CO2","timestamp":1},"samples":[]}"#;
        let length = result.len();
        let answers = [
            format!("HTTP/1.1 401 No\r\n{challenge}Content-Length: 0\r\n\r\n"),
            format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{result}"
            ),
        ];
        answers.map(|answer| {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut request = Vec::new();
            let mut piece = [0; 4_096];
            while !request.ends_with(b"}") {
                let count = stream.read(&mut piece).expect("a request");
                assert!(count > 0, "the request is cut");
                request.extend_from_slice(&piece[..count]);
            }
            stream.write_all(answer.as_bytes()).expect("the client reads");
            String::from_utf8(request).expect("text")
        })
    });
    let place = Place::with_data();
    let request = r#"{"description":"CO2"}"#;
    let ran = place.creo_with(&[
        "call",
        &address,
        "retrieveData",
        request,
        "-d",
        "data.creo",
        "--digest",
        "me:hunter2",
        "-v",
    ]);
    let ran = ran.exits(0).prints("\"CO2\"").says("> Authorization: ***\n");
    assert!(!ran.err.contains("hunter2") && !ran.err.contains("username="), "{}", ran.err);
    let [first, second] = service.join().expect("the service ends");
    assert!(!first.contains("Authorization"), "{first}");
    assert!(second.contains("Authorization: Digest username=\"me\", realm=\"lab\", nonce=\"a\""), "{second}");
}

#[test]
fn one_login_alone() {
    let place = Place::with_data();
    let common = "call http://127.0.0.1:1 touch {} -d data.creo";
    place.creo(&format!("{common} --user a:b --digest a:b")).exits(2).says("cannot be used with");
    place
        .creo("call 127.0.0.1:1 touch {\"description\":\"x\"} -d data.creo --digest a:b")
        .exits(1)
        .says("over TCP");
}
