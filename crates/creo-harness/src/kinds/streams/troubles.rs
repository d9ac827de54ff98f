//! A host that breaks the rules, or dies.

use super::call::{Call, END, MORE};
use super::case::{Case, ask, case, ends, ends_within, ticks};
use super::host::FIRST_CREDIT;
use super::values::{Method, item};

/// Two good frames, then one whose bytes after the call id are these; the client cancels the call, and the host goes on for a while.
fn broken(call: &Call, rest: &[u8]) -> Result<(), String> {
    call.items(0..10)?;
    call.items(10..20)?;
    call.frame(10, 0, rest)?;
    call.until("the cancel of the call whose items are broken (TCP-34)", |seen| {
        seen.cancelled.then_some(())
    })?;
    call.late(&call.items_frame(20..30));
    call.cancelled()
}

/// Five items, then a frame that a client must not accept; it closes the connection.
fn refused(call: &Call, kind: u8, flags: u8, rest: &[u8]) -> Result<(), String> {
    call.items(0..5)?;
    call.frame(kind, flags, rest)?;
    call.closed()
}

/// A tick, after 1 of it.
fn one_tick() -> Vec<u8> {
    [vec![1], item(Method::Ticks, 5)].concat()
}

/// The items of a `sum`, so that the client waits for credit; then the frame.
fn refused_while_sending(call: &Call, kind: u8, flags: u8, rest: &[u8]) -> Result<(), String> {
    call.until("all the credit", |seen| (seen.allowed <= 0).then_some(()))?;
    call.frame(kind, flags, rest)?;
    call.closed()
}

const ENDLESS: i64 = 1 << 40;

pub fn cases() -> Vec<Case> {
    [broken_items(), frames(), credit(), ends_of_connections()].concat()
}

fn broken_items() -> Vec<Case> {
    let due = || ends("malformed", 20);
    // Of the broken frame, the items before the broken one may be given or lost.
    let some = |items: i64| ends_within(&["malformed"], 20..=20 + items);
    vec![
        case("broken/count-without-items", ticks(30), |call| broken(call, &[2]), due()),
        case("broken/large-count", ticks(30), |call| broken(call, &[0xff, 0xff, 0xff, 0xff, 0x07]), due()),
        case("broken/long-count", ticks(30), |call| broken(call, &[0x80, 0x00]), due()),
        case(
            "broken/count-too-long",
            ticks(30),
            |call| broken(call, &[0x80, 0x80, 0x80, 0x80, 0x80, 0x01]),
            due(),
        ),
        case(
            "broken/cut",
            ticks(30),
            |call| {
                let tick = item(Method::Ticks, 20);
                broken(call, &[&[1][..], &tick[..tick.len() - 1]].concat())
            },
            due(),
        ),
        case(
            "broken/second-item",
            ticks(30),
            |call| {
                let mut second = item(Method::Ticks, 21);
                second[9] = 0xff; // a letter of its text
                broken(call, &[&[2][..], &item(Method::Ticks, 20), &second].concat())
            },
            some(1),
        ),
        case(
            "broken/more-than-counted",
            ticks(30),
            |call| broken(call, &[&[1][..], &item(Method::Ticks, 20), &[0]].concat()),
            some(1),
        ),
        case(
            "broken/numbers",
            ask(Method::Stopping, 30),
            |call| broken(call, &[&[2][..], &[0; 15]].concat()),
            due(),
        ),
        case(
            "broken/answer",
            ticks(5),
            |call| {
                call.items(0..5)?;
                call.respond(&[0])
            },
            ends("malformed", 5),
        ),
        case(
            "broken/exception",
            ask(Method::Stopping, 5),
            |call| {
                call.items(0..5)?;
                call.frame(3, 0, &[1, 0, 0, 0, 5])
            },
            ends("malformed", 5),
        ),
        case(
            "broken/undeclared-exception",
            ticks(5),
            |call| {
                call.items(0..5)?;
                call.frame(3, 0, &[0, 0, 0, 0, 5])
            },
            ends("malformed", 5),
        ),
        case(
            "broken/answer-to-a-source",
            ask(Method::Sum, 5),
            |call| {
                call.take_all(FIRST_CREDIT)?;
                call.respond(&[0; 7])
            },
            ends("malformed", 0),
        ),
    ]
}

fn frames() -> Vec<Case> {
    let due = || ends("malformed", 5);
    vec![
        case("refused/end-flag", ticks(10), |call| refused(call, 10, END, &one_tick()), due()).closed(),
        case("refused/more-flag", ticks(10), |call| refused(call, 10, MORE, &one_tick()), due()).closed(),
        case("refused/compressed-flag", ticks(10), |call| refused(call, 10, 2, &one_tick()), due()).closed(),
        case("refused/metadata-flag", ticks(10), |call| refused(call, 10, 4, &one_tick()), due()).closed(),
        case("refused/flag-10", ticks(10), |call| refused(call, 10, 0x10, &one_tick()), due()).closed(),
        case("refused/flag-80", ticks(10), |call| refused(call, 10, 0x80, &one_tick()), due()).closed(),
        case("refused/kind-12", ticks(10), |call| refused(call, 12, 0, &[]), due()).closed(),
        case("refused/request", ticks(10), |call| refused(call, 1, 0, &[0; 12]), due()).closed(),
        case("refused/data-without-a-chain", ticks(10), |call| refused(call, 5, 0, &one_tick()), due())
            .closed(),
        case(
            "refused/items-within-a-chain",
            ticks(10),
            |call| {
                call.items(0..5)?;
                call.frame(2, MORE, &[])?;
                call.frame(10, 0, &one_tick())?;
                call.closed()
            },
            due(),
        )
        .closed(),
        // An array has at least a count. Whether its lack is one of the frame or of the items is left open.
        case(
            "refused/no-count",
            ticks(10),
            |call| {
                call.items(0..5)?;
                call.frame(10, 0, &[])
            },
            due(),
        )
        .either(),
        case(
            "refused/items-where-none-are",
            ask(Method::Sum, ENDLESS),
            |call| refused_while_sending(call, 10, 0, &[1, 0, 0, 0, 0, 0, 0, 0, 1]),
            ends("malformed", 0),
        )
        .closed(),
        case(
            "refused/error-of-the-connection",
            ticks(10),
            |call| {
                call.items(0..5)?;
                call.send(&super::call::error_frame(0, "overloaded"))?;
                call.closed()
            },
            ends("overloaded", 5),
        )
        .closed(),
    ]
}

fn credit() -> Vec<Case> {
    let wrong = |name, play| case(name, ask(Method::Sum, ENDLESS), play, ends("malformed", 0)).closed();
    vec![
        wrong("refused/credit-of-0", |call| refused_while_sending(call, 11, 0, &[0; 4])),
        wrong("refused/credit-of-2-to-31", |call| refused_while_sending(call, 11, 0, &[0x80, 0, 0, 0])),
        wrong("refused/credit-of-2-to-32-less-1", |call| refused_while_sending(call, 11, 0, &[0xff; 4])),
        wrong("refused/credit-of-3-bytes", |call| refused_while_sending(call, 11, 0, &[0, 0, 1])),
        wrong("refused/credit-of-5-bytes", |call| refused_while_sending(call, 11, 0, &[0, 0, 0, 1, 0])),
        wrong("refused/credit-without-bytes", |call| refused_while_sending(call, 11, 0, &[])),
        wrong("refused/credit-with-a-flag", |call| refused_while_sending(call, 11, 1, &[0, 0, 0, 1])),
        wrong("refused/credit-with-end", |call| refused_while_sending(call, 11, END, &[0, 0, 0, 1])),
        // One tick was sent, and the client waits for its answer: with the credit that is left it would be too much.
        case(
            "refused/credit-overflow",
            ask(Method::Talk, 10).lockstep(),
            |call| {
                call.take(1, 1)?;
                call.frame(11, 0, &[0x7f, 0xff, 0xff, 0xff])?;
                call.closed()
            },
            ends("malformed", 0),
        )
        .closed(),
        case(
            "refused/credit-overflow-in-steps",
            ask(Method::Talk, 10).lockstep(),
            |call| {
                call.take(1, 1)?;
                for _ in 0..3 {
                    call.frame(11, 0, &[0x3f, 0xff, 0xff, 0xff])?;
                }
                call.closed()
            },
            ends("malformed", 0),
        )
        .closed(),
    ]
}

fn ends_of_connections() -> Vec<Case> {
    vec![
        case(
            "killed/between-frames",
            ticks(10),
            |call| {
                call.items(0..5)?;
                call.leave();
                Ok(())
            },
            ends("unavailable", 5),
        )
        .another(),
        case(
            "killed/within-a-frame",
            ticks(10),
            |call| {
                call.items(0..5)?;
                let next = call.items_frame(5..10);
                call.send(&next[..next.len() / 2])?;
                call.leave();
                Ok(())
            },
            ends("unavailable", 5),
        )
        .another(),
        case(
            "killed/at-once",
            ticks(10),
            |call| {
                call.leave();
                Ok(())
            },
            ends("unavailable", 0),
        )
        .another(),
        // More than the socket holds: what has arrived comes first.
        case(
            "killed/after-many",
            ticks(1_000_000),
            |call| {
                for index in 0..100 {
                    call.items(index * 1_000..(index + 1) * 1_000)?;
                }
                call.leave();
                Ok(())
            },
            ends("unavailable", 100_000),
        )
        .another(),
        case(
            "killed/after-goodbye",
            ticks(10),
            |call| {
                call.items(0..5)?;
                call.send(&crate::frames::frame(9, 0, 0, &[]))?;
                call.items(5..6)?;
                call.leave();
                Ok(())
            },
            ends("unavailable", 6),
        )
        .another(),
        case(
            "killed/within-the-answer",
            ticks(10),
            |call| {
                call.items(0..5)?;
                call.frame(2, MORE, &[])?;
                call.leave();
                Ok(())
            },
            ends("unavailable", 5),
        )
        .another(),
    ]
}
