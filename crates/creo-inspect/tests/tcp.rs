//! Whole messages: the worked example of `spec/transports/tcp.md`, and what its clauses refuse.

mod common;

use common::{hex, method, model};
use creo_check::{CheckedModel, compile};
use creo_inspect::{
    Code, Conversation, Envelope, Limits, PREAMBLE, READS_METADATA, Style, Subject, encode, frame,
    read_stream, render,
};
use creo_json::{parse_json, print_json};

const DESCRIPTION: &str = r#"
@PACKAGE("org.example.data")
struct MetaData { String description; long timestamp; }
struct Data { MetaData metadata; double[] samples; }
exception NotFound { String description; }
interface DataService {
    void storeData(Data[] data);
    Data retrieveData(String description) throws NotFound;
    oneway void touch(String description);
}
"#;

/// The request of the worked example.
fn request(model: &CheckedModel) -> Vec<u8> {
    let method = method(model, "retrieveData");
    frame(&Envelope::Request { method, milliseconds: 1000, metadata: &[] }, 1, &hex("03 434f32"))
}

const RESPONSE: &str =
    "00000023 02 00 00000001 03434f32 0000000000000001 02 3ff0000000000000 c004000000000000";

fn read(model: &CheckedModel, bytes: &[u8]) -> Conversation {
    read_stream(model, bytes, None, &Limits::default(), 16)
}

fn mistake(conversation: &Conversation) -> (Code, usize) {
    let section = conversation.sections.iter().find(|s| s.mistake.is_some()).expect("a mistake");
    let (at, error) = section.mistake.as_ref().expect("a mistake");
    (error.code, section.base + at)
}

fn refused(bytes: &str) -> (Code, usize) {
    let model = model(DESCRIPTION);
    mistake(&read(&model, &hex(bytes)))
}

/// TCP-1, TDX-52: the bodies of a connection whose client chose tables are no binary values.
#[test]
fn bodies_of_the_tdxml_wire_are_shown_as_they_stand() {
    let model = model(DESCRIPTION);
    let document = "<Env xmlns=\"urn:creo:tdxml\"><RT>\n[0]|CO2\n</RT></Env>";
    let mut bytes = hex("4352454f01010100");
    bytes.extend(frame(
        &Envelope::Request { method: method(&model, "retrieveData"), milliseconds: 1000, metadata: &[] },
        1,
        document.as_bytes(),
    ));
    bytes.extend(PREAMBLE);
    bytes.extend(frame(&Envelope::Response, 1, document.as_bytes()));
    let found = read(&model, &bytes);
    assert_eq!(found.mistakes().count(), 0, "{found:?}");
    let values: Vec<_> = found
        .messages
        .iter()
        .map(|message| message.value.as_ref().and_then(|value| value.as_str()))
        .collect();
    assert_eq!(values, [Some(document); 2]);
    assert_eq!(refused("4352454f01010700"), (Code::ProtocolMismatch, 6));
}

#[test]
fn worked_example() {
    let model = model(DESCRIPTION);
    let mut bytes = PREAMBLE.to_vec();
    assert_eq!(bytes, hex("43 52 45 4f 01 01 00 00"));
    let request = request(&model);
    let id: String =
        method(&model, "retrieveData").id.to_be_bytes().iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(request, hex(&format!("00000016 01 00 00000001 {id} 000003e8 03 434f32")));
    bytes.extend(request);
    bytes.extend(PREAMBLE);
    let data =
        parse_json(r#"{"metadata":{"description":"CO2","timestamp":1},"samples":[1.0,-2.5]}"#).expect("JSON");
    let body = encode(&model, &Subject::Response(method(&model, "retrieveData")), &data, &Limits::default())
        .expect("a value");
    let response = frame(&Envelope::Response, 1, &body);
    assert_eq!(response, hex(RESPONSE));
    bytes.extend(response);

    let found = read(&model, &bytes);
    assert_eq!(found.mistakes().count(), 0, "{}", render(&found.sections, Style::Plain));
    let [request, response] = &found.messages[..] else { panic!("{:?}", found.messages) };
    assert_eq!((request.kind, request.call, request.milliseconds), ("request", 1, Some(1000)));
    assert_eq!(request.method.as_deref(), Some("org.example.data.DataService.retrieveData"));
    assert_eq!(request.value.as_ref().map(print_json).as_deref(), Some(r#"{"description":"CO2"}"#));
    // The answer is that of the request before it.
    assert_eq!((response.kind, response.call), ("response", 1));
    assert_eq!(response.value, Some(data));
}

#[test]
fn the_specification_prints_what_is_written() {
    let page = include_str!("../../../spec/transports/tcp.md");
    let example = page
        .split("## 5. Worked example")
        .nth(1)
        .expect("the section")
        .split("```")
        .nth(1)
        .expect("a listing");
    let mut bytes = Vec::new();
    for line in example.lines() {
        for word in line.split_whitespace() {
            match u8::from_str_radix(word, 16) {
                Ok(byte) if word.len() == 2 => bytes.push(byte),
                _ => break,
            }
        }
    }
    let model = model(DESCRIPTION);
    let mut expected = PREAMBLE.to_vec();
    expected[5] |= READS_METADATA;
    expected.extend(request(&model));
    expected.extend(PREAMBLE);
    expected.extend(hex(RESPONSE));
    assert_eq!(bytes, expected);
}

#[test]
fn a_listing_shows_every_field() {
    let model = model(DESCRIPTION);
    let found =
        read_stream(&model, &hex(RESPONSE), Some(method(&model, "retrieveData")), &Limits::default(), 16);
    assert_eq!(
        render(&found.sections, Style::Plain),
        "\
response frame, call 1, 39 bytes

     0  00 00 00 23              length = 35
     4  02                       kind = response
     5  00                       flags = none
     6  00 00 00 01              call = 1
                                 $result: Data
                                   metadata: MetaData
    10  03                           description: count of bytes = 3
    11  43 4f 32                     description: String = \"CO2\"
    14  00 00 00 00 00 00 00 01      timestamp: long = 1
                                   samples: double[]
    22  02                           samples: count of items = 2
    23  3f f0 00 00 00 00 00 00      [0]: double = 1.0
    31  c0 04 00 00 00 00 00 00      [1]: double = -2.5
"
    );
}

#[test]
fn exceptions_errors_and_frames_without_a_body() {
    let model = model(DESCRIPTION);
    let mut bytes = request(&model);
    bytes.extend(hex("00000009 03 00 00000001 00 01 61")); // NotFound("a")
    bytes.extend(hex("0000000e 04 00 00000002 0c 01 78 01 01 6b 01 76")); // internal, "x", {k: v}
    bytes.extend(hex(
        "00000006 06 00 00000009 00000006 07 00 00000007 00000006 08 00 00000007 00000006 09 00 00000000",
    ));
    let found = read(&model, &bytes);
    assert_eq!(found.mistakes().count(), 0, "{}", render(&found.sections, Style::Plain));
    let kinds: Vec<(&str, u32)> = found.messages.iter().map(|m| (m.kind, m.call)).collect();
    assert_eq!(
        kinds,
        [
            ("request", 1),
            ("exception", 1),
            ("error", 2),
            ("cancel", 9),
            ("ping", 7),
            ("pong", 7),
            ("goodbye", 0)
        ]
    );
    let value = |index: usize| found.messages[index].value.as_ref().map(print_json).unwrap_or_default();
    assert_eq!(value(1), r#"{"NotFound":{"description":"a"}}"#);
    assert_eq!(value(2), r#"{"code":"internal","message":"x","details":{"k":"v"}}"#);
}

#[test]
fn metadata_is_shown_and_checked() {
    let model = model(DESCRIPTION);
    let touch = method(&model, "touch");
    let send = |pairs: &[(&str, &str)]| {
        let metadata: Vec<(String, String)> =
            pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        read(
            &model,
            &frame(
                &Envelope::Request { method: touch, milliseconds: 0, metadata: &metadata },
                5,
                &hex("01 61"),
            ),
        )
    };
    let found = send(&[("traceparent", "00-a"), ("x-test", "é")]);
    assert_eq!(found.mistakes().count(), 0);
    assert_eq!(found.messages[0].metadata["x-test"], "é");
    assert_eq!(found.messages[0].milliseconds, None);
    assert_eq!(found.messages[0].value.as_ref().map(print_json).as_deref(), Some(r#"{"description":"a"}"#));
    assert_eq!(mistake(&send(&[("Big", "")])).0, Code::Malformed);
    assert_eq!(mistake(&send(&[("", "")])).0, Code::Malformed);
    assert_eq!(mistake(&send(&[("a", ""), ("a", "")])).0, Code::Malformed);
    assert_eq!(mistake(&send(&[("a", &"x".repeat(16_384))])).0, Code::TooLarge);
    let many: Vec<String> = (0..65).map(|i| i.to_string()).collect();
    let pairs: Vec<(&str, &str)> = many.iter().map(|key| (key.as_str(), "")).collect();
    assert_eq!(send(&pairs[..64]).mistakes().count(), 0);
    assert_eq!(mistake(&send(&pairs)).0, Code::TooLarge);
}

#[test]
fn chains_are_put_together() {
    let model = model(DESCRIPTION);
    let mut bytes = request(&model);
    bytes.extend(hex("0000000b 02 01 00000001 03434f3200")); // more follows
    bytes.extend(hex("00000006 07 00 00000003")); // a ping in between
    bytes.extend(hex("00000006 05 01 00000001")); // an empty part
    bytes.extend(hex("0000001e 05 00 00000001 00000000000001 02 3ff0000000000000 c004000000000000"));
    let found = read(&model, &bytes);
    assert_eq!(found.mistakes().count(), 0, "{}", render(&found.sections, Style::Plain));
    let kinds: Vec<&str> = found.messages.iter().map(|m| m.kind).collect();
    assert_eq!(kinds, ["request", "ping", "response"]);
    assert_eq!(
        found.messages[2].value.as_ref().map(print_json).as_deref(),
        Some(r#"{"metadata":{"description":"CO2","timestamp":1},"samples":[1.0,-2.5]}"#)
    );
    assert_eq!(
        found.sections.last().map(|s| s.title.as_str()),
        Some("body of the response of call 1, from 3 frames")
    );
}

#[test]
fn compressed_bodies_are_inflated() {
    let model = model(DESCRIPTION);
    let deflated = zlib_stored(&hex("03 434f32"));
    let id: String =
        method(&model, "retrieveData").id.to_be_bytes().iter().map(|b| format!("{b:02x}")).collect();
    let head = hex(&format!("{:08x} 01 02 00000001 {id} 00000000", 18 + deflated.len()));
    let found = read(&model, &[head.clone(), deflated.clone()].concat());
    assert_eq!(found.messages[0].value.as_ref().map(print_json).as_deref(), Some(r#"{"description":"CO2"}"#));
    assert_eq!(found.sections[1].title, "body of the request of call 1, from 1 frame, inflated");
    let mut broken = deflated;
    broken[2] ^= 0xff;
    assert_eq!(
        read(&model, &[head, broken].concat()).mistakes().next().map(|e| e.code),
        Some(Code::Malformed)
    );
}

/// A zlib stream with one stored block: written by hand from RFC 1950 and RFC 1951.
fn zlib_stored(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01, 0x01];
    out.extend((bytes.len() as u16).to_le_bytes());
    out.extend((!(bytes.len() as u16)).to_le_bytes());
    out.extend(bytes);
    let (mut a, mut b) = (1u32, 0u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    out.extend((b << 16 | a).to_be_bytes());
    out
}

#[test]
fn frames_that_break_the_rules() {
    // No kind, an undefined flag, a length that is too small, bytes after a frame that has none.
    assert_eq!(refused("00000006 00 00 00000001"), (Code::Malformed, 4));
    assert_eq!(refused("00000006 0c 00 00000001"), (Code::Malformed, 4));
    assert_eq!(refused("00000006 07 01 00000001"), (Code::Malformed, 5));
    assert_eq!(refused("00000006 02 08 00000001"), (Code::Malformed, 5));
    assert_eq!(refused("00000006 05 02 00000001"), (Code::Malformed, 4 + 1));
    assert_eq!(refused("00000005 07 00 00000001"), (Code::Malformed, 0));
    assert_eq!(refused("00000011 01 00 00000001 0000000000000000 000000"), (Code::Malformed, 0));
    assert_eq!(refused("00000007 07 00 00000001 00"), (Code::Malformed, 10));
    assert_eq!(refused("80000000 02 00 00000001"), (Code::TooLarge, 0));
    assert_eq!(refused("08000007 02 00 00000001"), (Code::TooLarge, 10));
    // Out of order: data without a chain, another frame within one, a request of call 0.
    assert_eq!(refused("00000006 05 00 00000001"), (Code::Malformed, 4));
    assert_eq!(refused("00000006 02 01 00000001 00000006 02 00 00000002"), (Code::Malformed, 14));
    assert_eq!(refused("00000006 02 01 00000001 00000006 05 00 00000002"), (Code::Malformed, 14));
    assert_eq!(refused("00000006 02 01 00000001"), (Code::Malformed, 10));
    assert_eq!(refused("00000012 01 00 00000000 0000000000000000 00000000"), (Code::Malformed, 6));
    // Cut short.
    assert_eq!(refused("000000"), (Code::Malformed, 3));
    assert_eq!(refused("00000008 02 00 00000001 00"), (Code::Malformed, 11));
    assert_eq!(refused("43 52 45 4f 01"), (Code::Malformed, 5));
}

#[test]
fn a_cancel_ends_a_chain() {
    let model = model(DESCRIPTION);
    let found = read(&model, &hex("00000006 02 01 00000001 00000006 06 00 00000001 00000006 02 00 00000002"));
    assert_eq!(found.mistakes().count(), 0);
}

#[test]
fn other_protocols_are_named() {
    let name = |bytes: &[u8]| {
        let model = model(DESCRIPTION);
        let found = read(&model, bytes);
        found.mistakes().next().map(|e| (e.code, e.message.clone())).expect("a mistake")
    };
    assert_eq!(
        name(b"GET / HTTP/1.1\r\n"),
        (Code::ProtocolMismatch, "the bytes look like HTTP, not like Creo".to_owned())
    );
    assert_eq!(
        name(b"HTTP/1.1 400"),
        (Code::ProtocolMismatch, "the bytes look like HTTP, not like Creo".to_owned())
    );
    assert_eq!(
        name(&hex("16 03 01 02")),
        (Code::ProtocolMismatch, "the bytes look like TLS, not like Creo".to_owned())
    );
    assert_eq!(name(&hex("4352454f 02 00 0000")), (Code::ProtocolMismatch, "version 2 of Creo".to_owned()));
}

#[test]
fn a_mistake_in_a_body_is_one_calls() {
    let model = model(DESCRIPTION);
    let mut bytes = request(&model);
    bytes.extend(hex("00000007 03 00 00000001 05")); // exception 5 of one
    bytes.extend(hex("00000006 07 00 00000003"));
    let found = read(&model, &bytes);
    assert_eq!(mistake(&found), (Code::Malformed, 36));
    assert_eq!(found.messages.last().map(|m| m.kind), Some("ping"));
}

#[test]
fn an_unknown_method_is_named() {
    let model = model(DESCRIPTION);
    let found = read(&model, &hex("00000016 01 00 00000001 1122334455667788 000003e8 03 434f32"));
    let error = found.mistakes().next().expect("a mistake");
    assert_eq!(
        (error.code, error.message.as_str()),
        (Code::UnknownMethod, "no method of the description has the id 1122334455667788")
    );
}

#[test]
fn exceptions_of_one_name_have_full_names() {
    let model = compile(&[
        ("a.creo", "import \"b.creo\"; exception E { int a; } interface I { void f() throws E, other.E; }"),
        ("b.creo", "@PACKAGE(\"other\") exception E { int b; }"),
    ])
    .unwrap_or_else(|report| panic!("{report}"));
    let f = method(&model, "f");
    let value = parse_json(r#"{"other.E":{"b":1}}"#).expect("JSON");
    assert_eq!(encode(&model, &Subject::Exception(f), &value, &Limits::default()), Ok(hex("01 00000001")));
}

#[test]
fn no_change_of_a_byte_makes_the_reader_panic() {
    let model = model(DESCRIPTION);
    let mut bytes = PREAMBLE.to_vec();
    bytes.extend(request(&model));
    bytes.extend(hex("0000000b 02 01 00000001 03434f3200 0000001e 05 00 00000001 00000000000001 02 3ff0000000000000 c004000000000000"));
    for at in 0..bytes.len() {
        for byte in 0..=255u8 {
            let mut changed = bytes.clone();
            changed[at] = byte;
            let found = read(&model, &changed);
            let _ = render(&found.sections, Style::Coloured);
        }
        let found = read(&model, &bytes[..at]);
        let _ = render(&found.sections, Style::Plain);
    }
}

/// TCP-23: pairs before the body of an answer, also of one that is a chain or cannot be decoded.
#[test]
fn answers_have_metadata_before_their_bodies() {
    let model = model(DESCRIPTION);
    let asked = Some(method(&model, "retrieveData"));
    let read = |bytes: &str| read_stream(&model, &hex(bytes), asked, &Limits::default(), 16);
    let pairs = |found: &Conversation| print_json(&found.messages[0].metadata.clone().into());
    let whole = read("0000000e 04 04 00000001 01 0161 0162 0a 00 00");
    assert_eq!(whole.mistakes().count(), 0, "{}", render(&whole.sections, Style::Plain));
    assert_eq!(pairs(&whole), r#"{"a":"b"}"#);
    assert_eq!(
        whole.messages[0].value.as_ref().map(print_json).as_deref(),
        Some(r#"{"code":"permission-denied","message":"","details":{}}"#)
    );
    let none = read("0000000a 04 04 00000001 00 0a 00 00");
    assert_eq!((none.mistakes().count(), pairs(&none)), (0, "{}".to_owned()));
    let chain = read(
        "0000000c 02 05 00000001 01 0161 0162 03  00000022 05 00 00000001 434f32 0000000000000001 02 3ff0000000000000 c004000000000000",
    );
    assert_eq!(pairs(&chain), r#"{"a":"b"}"#);
    for (wrong, code, at) in [
        ("0000000e 04 04 00000000 01 0161 0162 0a 00 00", Code::Malformed, 5),
        ("0000000e 04 04 00000001 01 0141 0162 0a 00 00", Code::Malformed, 10),
        ("00000006 02 04 00000001", Code::Malformed, 10),
    ] {
        assert_eq!(mistake(&read(wrong)), (code, at), "{wrong}");
    }
}
