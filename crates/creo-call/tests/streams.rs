//! Calls with streams, against scripted services: what is sent and when, and how each call ends.

mod frames;
mod scripted;

use creo_call::{Answer, Options, Source};
use creo_inspect::credit;
use frames::{END, Frame, GRANT, ITEMS, PONG, Peer, called, longs, raw, response, text};
use scripted::{BYTES, Batches, Ended, LINES, SUM, TALK, TEXTS, TICKS, Waiting, long};
use serde_json::{Value, json};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

const CREDIT: usize = 262_144;

/// A method whose result is a stream, and nothing else.
fn ticks(serve: impl FnOnce(&mut Peer, Frame) + Send + 'static) -> Ended {
    called(TICKS, &json!({ "count": 3 }), None, &long(), |_| true, serve)
}

fn sum(
    batches: Vec<Result<Vec<Value>, String>>,
    serve: impl FnOnce(&mut Peer, Frame) + Send + 'static,
) -> Ended {
    called(SUM, &json!({ "first": 7 }), Some(Box::new(Batches(batches))), &long(), |_| true, serve)
}

#[test]
fn items_come_in_order_before_the_end() {
    let ended = ticks(|peer, request| {
        // No deadline (CALL-44), and the parameters without the stream.
        assert_eq!(request.rest[8..], [0, 0, 0, 0, 0, 0, 0, 3]);
        peer.send(&longs(&[0, 1]));
        peer.send(&longs(&[]));
        peer.send(&raw(7, 0, 5, &[]));
        assert_eq!(peer.expect(), Frame { kind: PONG, flags: 0, rest: vec![] });
        peer.send(&raw(9, 0, 0, &[]));
        peer.send(&longs(&[2]));
        // Of calls that are not under way, whatever it is.
        peer.send(&raw(ITEMS, 0, 2, &[9]));
        peer.send(&raw(GRANT, 0, 2, &[0, 0, 0, 1]));
        peer.send(&raw(2, 0, 3, &[]));
        peer.send(&response(&[]));
    });
    assert_eq!(ended.answer, Ok(Answer::Nothing));
    assert_eq!(ended.frames, [vec![json!(0), json!(1)], vec![], vec![json!(2)]]);
}

#[test]
fn items_come_before_an_exception_or_error() {
    let ended = ticks(|peer, _| {
        peer.send(&longs(&[5]));
        // In two frames.
        let body = [vec![0], text("x")].concat();
        peer.send(&raw(3, 1, 1, &body[..1]));
        peer.send(&raw(5, 0, 1, &body[1..]));
    });
    assert_eq!(ended.answer, Ok(Answer::Exception(json!({ "Missing": { "what": "x" } }))));
    assert_eq!(ended.items(), [json!(5)]);
    let ended = ticks(|peer, _| {
        peer.send(&longs(&[5]));
        peer.send(&raw(4, 0, 1, &[vec![8], text("later"), vec![0]].concat()));
    });
    ended.fails("overloaded", "later");
    assert_eq!(ended.items(), [json!(5)]);
    let ended = ticks(|peer, _| {
        peer.send(&longs(&[5]));
        peer.send(&raw(4, 0, 0, &[vec![7], text("gone"), vec![0]].concat()));
    });
    ended.fails("unavailable", "gone");
}

#[test]
fn a_connection_that_ends_gives_its_items() {
    let ended = ticks(|peer, _| {
        peer.send(&longs(&[1]));
        // A frame that is not complete.
        peer.send(&longs(&[2])[..12]);
    });
    ended.fails("unavailable", "closed the connection before its answer");
    assert_eq!(ended.items(), [json!(1)]);
    ticks(|_, _| {}).fails("unavailable", "closed the connection before its answer");
}

/// TCP-32: the credit comes back as items are taken.
#[test]
fn the_service_gets_credit_for_what_was_taken() {
    let count = 300;
    let ended = called(
        LINES,
        &json!({}),
        None,
        &long(),
        |_| true,
        move |peer, _| {
            let line = "x".repeat(100);
            let frame = raw(ITEMS, 0, 1, &[vec![100], text(&line).repeat(100)].concat());
            let size = frame.len() - 10;
            let mut credit = CREDIT as i64;
            for _ in 0..count {
                while credit <= 0 {
                    let grant = peer.expect();
                    assert_eq!((grant.kind, grant.flags), (GRANT, 0));
                    credit += i64::from(u32::from_be_bytes(grant.rest.try_into().expect("four bytes")));
                    assert!(credit <= CREDIT as i64, "never more than at first");
                }
                peer.send(&frame);
                credit -= size as i64;
            }
            peer.send(&response(&[]));
        },
    );
    assert_eq!(ended.answer, Ok(Answer::Nothing));
    assert_eq!(ended.items().len(), 100 * count);
    // One item that is larger than all credit.
    let ended = called(
        LINES,
        &json!({}),
        None,
        &long(),
        |_| true,
        |peer, _| {
            let large = vec![b'y'; 1_000_000];
            peer.send(&raw(ITEMS, 0, 1, &[&[1, 0xc0, 0x84, 0x3d][..], &large].concat()));
            assert_eq!(peer.expect().rest, 1_000_004u32.to_be_bytes());
            peer.send(&response(&[]));
        },
    );
    assert_eq!(ended.items()[0].as_str().map(str::len), Some(1_000_000));
}

#[test]
fn items_are_sent_and_the_end() {
    let ended = sum(vec![Ok(vec![json!(1), json!("2")]), Ok(vec![json!(-1)])], |peer, request| {
        assert_eq!(request.rest[12..], [0, 0, 0, 7]);
        assert_eq!(peer.items(), (2, [1i64.to_be_bytes(), 2i64.to_be_bytes()].concat(), false));
        assert_eq!(peer.items(), (1, (-1i64).to_be_bytes().to_vec(), false));
        assert_eq!(peer.items(), (0, vec![], true));
        peer.send(&response(&9i64.to_be_bytes()));
    });
    assert_eq!(ended.answer, Ok(Answer::Result(json!(9))));
    // Without a source, the end alone.
    let ended = called(
        SUM,
        &json!({ "first": 7 }),
        None,
        &long(),
        |_| true,
        |peer, _| {
            assert_eq!(peer.items(), (0, vec![], true));
            peer.send(&response(&0i64.to_be_bytes()));
        },
    );
    assert_eq!(ended.answer, Ok(Answer::Result(json!(0))));
}

/// The service may answer before it has all items; the source is then not asked for more.
#[test]
fn an_answer_ends_the_items() {
    let (asked, more) = mpsc::channel::<()>();
    let ended = called(
        SUM,
        &json!({ "first": 7 }),
        Some(Box::new(Waiting { first: vec![json!(1)], more })),
        &long(),
        |_| true,
        |peer, _| {
            assert_eq!(peer.items().0, 1);
            peer.send(&response(&1i64.to_be_bytes()));
        },
    );
    assert_eq!(ended.answer, Ok(Answer::Result(json!(1))));
    drop(asked);
}

/// TCP-30, TCP-32: frames are short, and none is sent without credit.
#[test]
fn credit_is_obeyed() {
    struct Endless;
    impl Source for Endless {
        fn take(&mut self) -> Result<Vec<Value>, String> {
            Ok(vec![json!(1); 50_000])
        }
    }
    let ended = called(
        SUM,
        &json!({ "first": 7 }),
        Some(Box::new(Endless)),
        &long(),
        |_| true,
        |peer, _| {
            let mut given = CREDIT;
            for _ in 0..3 {
                let mut taken = 0;
                while taken < given {
                    let frame = peer.expect();
                    assert_eq!((frame.kind, frame.flags), (ITEMS, 0));
                    assert!(frame.rest.len() <= 65_536, "{}", frame.rest.len());
                    taken += frame.rest.len();
                }
                // The answer to a ping comes after all that was sent before.
                peer.send(&raw(7, 0, 1, &[]));
                assert_eq!(peer.expect().kind, PONG, "without credit there are no items");
                // What exceeded the credit counts.
                peer.send(&credit(1, 200_000));
                given = 200_000 - (taken - given);
            }
            peer.send(&response(&1i64.to_be_bytes()));
        },
    );
    assert_eq!(ended.answer, Ok(Answer::Result(json!(1))));
}

#[test]
fn an_item_may_be_larger_than_a_frame_should_be() {
    let texts = vec![json!("a"), json!("b".repeat(400_000)), json!("c"), json!("d")];
    let source: Box<dyn Source> = Box::new(Batches(vec![Ok(texts)]));
    let ended = called(
        TEXTS,
        &json!({}),
        Some(source),
        &long(),
        |_| true,
        |peer, _| {
            let sizes = [2, 400_003, 4].map(|size| {
                let (_, items, end) = peer.items();
                assert!(!end);
                if items.len() > CREDIT {
                    peer.send(&credit(1, 500_000));
                }
                (items.len(), size)
            });
            assert!(sizes.iter().all(|(found, expected)| found == expected), "{sizes:?}");
            assert_eq!(peer.items(), (0, vec![], true));
            peer.send(&response(&[]));
        },
    );
    assert_eq!(ended.answer, Ok(Answer::Nothing));
}

/// Neither side keeps an item back to wait for further ones.
#[test]
fn a_talk_goes_to_and_fro() {
    /// Asks again only when the reply is there.
    struct Asking {
        left: usize,
        replied: Receiver<()>,
    }
    impl Source for Asking {
        fn take(&mut self) -> Result<Vec<Value>, String> {
            self.replied.recv().map_err(|_| "nobody replies".to_owned())?;
            if self.left == 0 {
                return Ok(Vec::new());
            }
            self.left -= 1;
            Ok(vec![json!({ "word": format!("w{}", self.left) })])
        }
    }
    let (reply, replied) = mpsc::channel();
    reply.send(()).expect("it waits");
    let source: Box<dyn Source> = Box::new(Asking { left: 20, replied });
    let ended = called(
        TALK,
        &json!({}),
        Some(source),
        &long(),
        move |_| reply.send(()).is_ok(),
        |peer, _| {
            loop {
                let (count, item, end) = peer.items();
                if end {
                    break;
                }
                assert_eq!(count, 1);
                peer.send(&raw(ITEMS, 0, 1, &[vec![1], item, vec![0, 0, 0, 5]].concat()));
            }
            peer.send(&response(&[]));
        },
    );
    assert_eq!(ended.answer, Ok(Answer::Nothing));
    let words: Vec<String> = (0..20).rev().map(|number| format!("w{number}")).collect();
    let expected: Vec<Value> = words.iter().map(|word| json!({ "word": word, "number": 5 })).collect();
    assert_eq!(ended.items(), expected);
}

/// The items of `stream byte` are a byte string on the wire, and numbers for the program.
#[test]
fn bytes_are_items_too() {
    let source: Box<dyn Source> = Box::new(Batches(vec![Ok(vec![json!(-1), json!(0), json!(127)])]));
    let ended = called(
        BYTES,
        &json!({}),
        Some(source),
        &long(),
        |_| true,
        |peer, _| {
            assert_eq!(peer.items(), (3, vec![255, 0, 127], false));
            peer.send(&raw(ITEMS, 0, 1, &[2, 0x80, 5]));
            peer.send(&response(&[]));
        },
    );
    assert_eq!(ended.items(), [json!(-128), json!(5)]);
}

#[test]
fn a_source_that_fails_cancels_the_call() {
    let ended = sum(vec![Ok(vec![json!(1)]), Err("line 2 is wrong".to_owned())], |peer, _| {
        assert_eq!(peer.items().0, 1);
        peer.is_cancelled();
    });
    ended.fails("invalid-value", "line 2 is wrong");
    let ended = sum(vec![Ok(vec![json!(1)]), Ok(vec![json!(2), json!("x")])], |peer, _| peer.is_cancelled());
    ended.fails("invalid-value", "(at $items[2])");
    let source: Box<dyn Source> = Box::new(Batches(vec![Ok(vec![json!({ "word": 5 })])]));
    let ended = called(TALK, &json!({}), Some(source), &long(), |_| true, |peer, _| peer.is_cancelled());
    ended.fails("invalid-value", "(at $items[0].word)");
}

#[test]
fn a_sink_that_wants_no_more_cancels_the_call() {
    let ended = called(
        TICKS,
        &json!({ "count": 3 }),
        None,
        &long(),
        |items| items != [json!(1)],
        |peer, _| {
            peer.send(&longs(&[0]));
            peer.send(&longs(&[1]));
            peer.is_cancelled();
        },
    );
    ended.fails("cancelled", "");
    assert_eq!(ended.items(), [json!(0), json!(1)]);
}

#[test]
fn the_deadline_is_of_the_whole_call() {
    let deadline = Some(Duration::from_millis(300));
    let options = Options { deadline, ..Options::default() };
    let (waits, more) = mpsc::channel::<()>();
    let source: Box<dyn Source> = Box::new(Waiting { first: vec![json!({ "word": "a" })], more });
    let ended = called(
        TALK,
        &json!({}),
        Some(source),
        &options,
        |_| true,
        |peer, request| {
            assert_ne!(request.rest[8..12], [0, 0, 0, 0]);
            let reply = raw(ITEMS, 0, 1, &[vec![1], text("b"), vec![0, 0, 0, 5]].concat());
            peer.send(&reply);
            peer.is_cancelled();
        },
    );
    ended.fails("deadline-exceeded", "");
    assert_eq!(ended.items().len(), 1);
    drop(waits);
}

/// What breaks the rules ends the call with `malformed`, and the items before it were given.
#[test]
fn services_that_break_the_rules() {
    let malformed = |method: usize, says: &str, bytes: Vec<u8>| {
        let source = (method != TICKS).then(|| Box::new(Batches(Vec::new())) as Box<dyn Source>);
        let value = if method == TICKS { json!({ "count": 3 }) } else { json!({ "first": 7 }) };
        let ended = called(
            method,
            &value,
            source,
            &long(),
            |_| true,
            move |peer, _| {
                peer.send(&longs(&[8]));
                if method == TICKS {
                    peer.send(&bytes);
                }
                // It closes the connection.
                while peer.next().is_some() {}
            },
        );
        ended.fails("malformed", says);
        assert_eq!(ended.items().len(), usize::from(method == TICKS), "{says}");
    };
    // TCP-34: by the place.
    malformed(TICKS, "$items", raw(ITEMS, 0, 1, &[2, 0, 0, 0, 0, 0, 0, 0, 1]));
    malformed(TICKS, "$items", raw(ITEMS, 0, 1, &[]));
    // TCP-33, TCP-5
    malformed(SUM, "which has no such stream", Vec::new());
    malformed(TICKS, "the end is for clients to say", raw(ITEMS, END, 1, &[0]));
    malformed(TICKS, "the method takes no stream", raw(GRANT, 0, 1, &[0, 0, 0, 1]));
    malformed(TICKS, "a frame that no service sends", raw(1, 0, 1, &[0; 12]));
    malformed(TICKS, "12 is no kind of frame", raw(12, 0, 1, &[]));
    malformed(TICKS, "flags", raw(ITEMS, 1, 1, &[0]));
    malformed(TICKS, "within its answer", [raw(3, 1, 1, &[0]), longs(&[1])].concat());
    malformed(TICKS, "$result", response(&[1]));
    malformed(TICKS, "", raw(5, 0, 1, &[]));
    for amount in [[0, 0, 0, 0], [0x80, 0, 0, 0], [0x7f, 0xff, 0xff, 0xff]] {
        let (waits, more) = mpsc::channel::<()>();
        let source: Box<dyn Source> = Box::new(Waiting { first: Vec::new(), more });
        let ended = called(
            SUM,
            &json!({ "first": 7 }),
            Some(source),
            &long(),
            |_| true,
            move |peer, _| {
                peer.send(&raw(GRANT, 0, 1, &amount));
                peer.is_cancelled();
            },
        );
        ended.fails("malformed", "credit");
        drop(waits);
    }
    let ended = ticks(|peer, _| {
        peer.send(
            &0x1000_0000u32.to_be_bytes().iter().chain(&[10, 0, 0, 0, 0, 1]).copied().collect::<Vec<_>>(),
        )
    });
    ended.fails("too-large", "maxMessageSize");
}
