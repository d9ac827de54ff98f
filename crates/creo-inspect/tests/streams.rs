//! Streams in frames: `spec/transports/tcp.md`, section 4.

mod common;

use common::{hex, method, model};
use creo_inspect::{
    Code, Conversation, Envelope, From, Limits, PREAMBLE, Style, Subject, credit, encode, frame, read_side,
    read_stream, render,
};
use creo_json::{parse_json, print_json};
use creo_model::Type;

const DESCRIPTION: &str = "
    struct Ask { String word; }
    struct Reply { long number; byte[] raw; }
    exception Busy { int seconds; }
    interface I {
        stream int count(int to);
        long sum(int first, stream long numbers);
        stream Reply talk(stream Ask asks) throws Busy;
        stream byte bytes(stream byte bytes);
        int plain();
    }";

fn id(name: &str) -> String {
    method(&model(DESCRIPTION), name).id.to_be_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The messages as `kind call value`.
fn messages(found: &Conversation) -> Vec<String> {
    let value = |value: &serde_json::Value| format!(" {}", print_json(value));
    found
        .messages
        .iter()
        .map(|message| {
            let value = message.value.as_ref().map_or(String::new(), value);
            format!("{} {}{value}", message.kind, message.call)
        })
        .collect()
}

fn mistake(text: &str) -> (Code, usize, String) {
    let model = model(DESCRIPTION);
    let found = read_stream(&model, &hex(text), None, &Limits::default(), 16);
    let section = found.sections.iter().find(|section| section.mistake.is_some()).expect("a mistake");
    let (at, error) = section.mistake.as_ref().expect("a mistake");
    (error.code, section.base + at, error.place.clone())
}

#[test]
fn the_specification_prints_what_is_read() {
    let page = include_str!("../../../spec/transports/tcp.md");
    let listing =
        page.split("## 4. Streams").nth(1).expect("the section").split("```").nth(1).expect("a listing");
    let mut text = String::new();
    for line in listing.lines() {
        let bytes = line.split_whitespace().take_while(|word| {
            word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        });
        text.extend(bytes);
    }
    let text = text.replace("0102030405060708", &id("count"));
    let model = model(DESCRIPTION);
    let found = read_stream(&model, &hex(&text), None, &Limits::default(), 16);
    assert_eq!(found.mistakes().count(), 0, "{}", render(&found.sections, Style::Plain));
    assert_eq!(messages(&found), ["request 1 {\"to\":3}", "items 1 [0,1]", "items 1 [2]", "response 1 null"]);
    assert_eq!(found.messages[1].method.as_deref(), Some("service.I.count"));
}

#[test]
fn a_listing_shows_every_field() {
    let model = model(DESCRIPTION);
    let bytes = hex("0000000a 0a 08 00000007 02 0161 00 0000000a 0b 00 00000007 00040000");
    let found = read_side(&model, &bytes, From::Client, method(&model, "talk"), &Limits::default(), 16);
    assert_eq!(
        render(&found.sections, Style::Plain),
        "\
items frame, call 7, 14 bytes

     0  00 00 00 0a              length = 10
     4  0a                       kind = items
     5  08                       flags = end
     6  00 00 00 07              call = 7
                                 $items: Ask[]
    10  02                         $items: count of items = 2
                                   [0]: Ask
    11  01                           word: count of bytes = 1
    12  61                           word: String = \"a\"
                                   [1]: Ask
    13  00                           word: count of bytes = 0
    14                               word: String = \"\"

credit frame, call 7, 14 bytes

    14  00 00 00 0a              length = 10
    18  0b                       kind = credit
    19  00                       flags = none
    20  00 00 00 07              call = 7
    24  00 04 00 00              bytes = 262144
"
    );
}

#[test]
fn each_direction_has_its_items() {
    let model = model(DESCRIPTION);
    let (asks, replies) =
        ("00000009 0a 00 00000001 01 0161", "00000011 0a 00 00000001 01 0000000000000002 0103");
    let request = format!("00000012 01 00 00000001 {} 00000000", id("talk"));
    let read = |text: &str| {
        let found = read_stream(&model, &hex(text), None, &Limits::default(), 16);
        assert_eq!(found.mistakes().count(), 0, "{}", render(&found.sections, Style::Plain));
        messages(&found)
    };
    let (ask, reply) = ("items 1 [{\"word\":\"a\"}]", "items 1 [{\"number\":2,\"raw\":\"Aw==\"}]");
    let asked = "request 1 {}";
    // One side after the other, with and without its preamble, and both mixed.
    assert_eq!(read(&format!("{request}{asks}")), [asked, ask]);
    let preamble = "4352454f01010000";
    assert_eq!(read(&format!("{preamble}{request}{asks}{preamble}{replies}")), [asked, ask, reply]);
    assert_eq!(read(&format!("{request}{replies}{asks}")), [asked, reply, ask]);
    // The end is the client's, and needs no item.
    assert_eq!(read(&format!("{request}00000007 0a 08 00000001 00")), [asked, "items 1 []"]);
    // What one side sent can be said.
    let of = |from, text: &str| {
        messages(&read_side(&model, &hex(text), from, method(&model, "talk"), &Limits::default(), 16))
    };
    assert_eq!(of(From::Client, asks), [ask]);
    assert_eq!(of(From::Service, replies), [reply]);
    // Of an unknown call nothing is known but the bytes.
    assert_eq!(read(asks), ["items 1"]);
    // `byte[]` is the byte string.
    let request = format!("00000012 01 00 00000001 {} 00000000", id("bytes"));
    assert_eq!(read(&format!("{request}00000009 0a 00 00000001 02 0102")), [asked, "items 1 \"AQI=\""]);
}

#[test]
fn what_breaks_the_rules() {
    let asked = |name: &str, body: &str| {
        format!("{:08x} 01 00 00000001 {} 00000000 {body}", 18 + hex(body).len(), id(name))
    };
    let sum = asked("sum", "00000005");
    let malformed = |text: &str, at: usize| {
        let (code, found, _) = mistake(text);
        assert_eq!((code, found), (Code::Malformed, at), "{text}");
    };
    // TCP-33: a method without a stream.
    malformed(&format!("{} 00000007 0a 00 00000001 00", asked("plain", "")), 26);
    // Flags, lengths, and other frames within a chain (TCP-5, TCP-6).
    malformed("00000007 0a 01 00000001 00", 5);
    malformed("00000007 0a 02 00000001 00", 5);
    malformed("0000000a 0b 08 00000001 00000001", 5);
    malformed("00000009 0b 00 00000001 000001", 0);
    malformed("0000000b 0b 00 00000001 00000001 00", 14);
    malformed("0000000a 0b 00 00000001 0000", 12);
    malformed("00000006 02 01 00000001 00000007 0a 00 00000001 00", 14);
    malformed("00000006 02 01 00000001 0000000a 0b 00 00000001 00000001", 14);
    // TCP-32: credit from 1 to 2^31 - 1.
    malformed("0000000a 0b 00 00000001 00000000", 10);
    malformed("0000000a 0b 00 00000001 80000000", 10);
    // Items that do not follow the wire, by their place; the connection goes on (TCP-34).
    let broken = format!("{sum} 00000010 0a 00 00000001 02 0000000000000001 00 00000007 0a 08 00000001 00");
    assert_eq!(mistake(&broken).2, "$items");
    let found = read_stream(&model(DESCRIPTION), &hex(&broken), None, &Limits::default(), 16);
    assert_eq!(messages(&found), ["request 1 {\"first\":5}", "items 1", "items 1 []"]);
    let talk = format!("{} 0000000a 0a 08 00000001 01 02 61 ff", asked("talk", ""));
    assert_eq!(mistake(&talk).2, "$items[0].word");
    malformed(&format!("{sum} 00000006 0a 00 00000001"), 36);
    // Cut short.
    malformed(&format!("{sum} 00000010 0a 00 00000001 02 00"), 38);
}

#[test]
fn frames_are_written_as_they_are_read() {
    let model = model(DESCRIPTION);
    let sum = method(&model, "sum");
    let array = Type::Array(Box::new(sum.parameters[1].ty.clone()));
    let items = parse_json("[1,\"-2\"]").expect("JSON");
    let body = encode(&model, &Subject::Items(&array), &items, &Limits::default()).expect("a body");
    let request = encode(
        &model,
        &Subject::Request(sum),
        &parse_json("{\"first\":1}").expect("JSON"),
        &Limits::default(),
    )
    .expect("a request without the stream");
    let bytes = [
        PREAMBLE.to_vec(),
        frame(&Envelope::Request { method: sum, milliseconds: 0, metadata: &[] }, 9, &request),
        frame(&Envelope::Items { end: false }, 9, &body),
        credit(9, 131_072),
        frame(&Envelope::Items { end: true }, 9, &[0]),
    ]
    .concat();
    let found = read_stream(&model, &bytes, None, &Limits::default(), 16);
    assert_eq!(found.mistakes().count(), 0, "{}", render(&found.sections, Style::Plain));
    assert_eq!(
        messages(&found),
        ["request 9 {\"first\":1}", "items 9 [1,-2]", "credit 9 131072", "items 9 []"]
    );
    let error =
        encode(&model, &Subject::Items(&array), &parse_json("[1,true]").expect("JSON"), &Limits::default());
    assert_eq!(error.map_err(|error| error.place), Err("$items[1]".to_owned()));
}

/// Any byte of any frame may be anything.
#[test]
fn no_change_of_a_byte_makes_the_reader_panic() {
    let model = model(DESCRIPTION);
    let text = format!(
        "00000012 01 00 00000001 {} 00000000 00000009 0a 00 00000001 01 0161 0000000a 0b 00 00000001 00040000 \
         00000011 0a 00 00000001 01 0000000000000002 0103 00000006 02 00 00000001",
        id("talk")
    );
    let bytes = hex(&text);
    for at in 0..bytes.len() {
        for value in [0, 1, 7, 0x0a, 0x0b, 0x7f, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] = value;
            let _ = read_stream(&model, &changed, None, &Limits::default(), 16);
        }
    }
}
