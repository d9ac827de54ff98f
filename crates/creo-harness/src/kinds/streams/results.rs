//! Streams of results: how their items and their end arrive, and what the client does with its credit.

use super::call::{Call, MORE, OTHER};
use super::case::{Case, ask, case, ends, ends_within, ticks};
use super::host::FIRST_CREDIT;
use super::values::{Method, item, long_tick};
use crate::frames::{frame, leb128};

/// A stream that no client reads to its end.
const ENDLESS: i64 = 1 << 62;

/// About 64 KiB of ticks.
const FULL: i64 = 1_900;

fn end(call: &Call) -> Result<(), String> {
    call.respond(&[])
}

/// Items, each in a frame, and an end, all in one write.
fn at_once(call: &Call, count: i64, end: Vec<u8>) -> Result<(), String> {
    let mut bytes: Vec<u8> = (0..count).flat_map(|index| call.items_frame(index..index + 1)).collect();
    bytes.extend(end);
    call.send(&bytes)
}

/// How many ticks from `first` on fit into a frame of so many bytes after the call id, and how many bytes are left then.
fn fit(first: i64, bytes: i64) -> (i64, i64) {
    let (mut items, mut size) = (0, 0);
    loop {
        let next = size + item(Method::Ticks, first + items).len() as i64;
        if next + leb128(items as usize + 1).len() as i64 > bytes {
            return (items, bytes - size - leb128(items as usize).len() as i64);
        }
        (items, size) = (items + 1, next);
    }
}

pub fn cases() -> Vec<Case> {
    vec![
        case(
            "results/one-frame",
            ticks(10),
            |call| {
                call.items(0..10)?;
                end(call)
            },
            ends("value", 10),
        ),
        case(
            "results/item-a-frame",
            ticks(100),
            |call| {
                (0..100).try_for_each(|index| call.items(index..index + 1))?;
                end(call)
            },
            ends("value", 100),
        ),
        case(
            "results/one-write",
            ticks(100),
            |call| at_once(call, 100, frame(2, 0, call.id, &[])),
            ends("value", 100),
        ),
        case(
            "results/byte-by-byte",
            ticks(4),
            |call| {
                let mut bytes = call.items_frame(0..1);
                bytes.extend(call.items_frame(1..4));
                bytes.extend(frame(2, 0, call.id, &[]));
                bytes.iter().try_for_each(|byte| call.send(&[*byte]))
            },
            ends("value", 4),
        ),
        case(
            "results/empty-frames",
            ticks(2),
            |call| {
                for index in 0..2 {
                    (0..10).try_for_each(|_| call.items(index..index))?;
                    call.items(index..index + 1)?;
                }
                call.items(2..2)?;
                end(call)
            },
            ends("value", 2),
        ),
        case("results/none", ticks(0), end, ends("value", 0)),
        case("results/without-deadline", ticks(0).deadline(0), end, ends("value", 0)),
        case(
            "results/large-frame",
            ticks(60_000),
            |call| {
                call.items(0..60_000)?;
                end(call)
            },
            ends("value", 60_000),
        ),
        case(
            "results/large-item",
            ticks(1),
            |call| {
                let rest = [vec![1], long_tick(5_000_000)].concat();
                call.enter(1, rest.len());
                call.frame(10, 0, &rest)?;
                // A client may close the stream when it sees that the item is not the one it waits for.
                call.credit_or_cancel()?;
                end(call)
            },
            ends_within(&["wrong-value"], 0..=1),
        ),
        case(
            "results/many",
            ticks(40 * FULL),
            |call| {
                (0..40).try_for_each(|round| call.items(round * FULL..(round + 1) * FULL))?;
                end(call)
            },
            ends("value", 40 * FULL),
        ),
        case(
            "declared/after-items",
            ask(Method::Stopping, 10),
            |call| {
                (0..10).try_for_each(|index| call.items(index..index + 1))?;
                call.stopped(10)
            },
            ends("declared", 10),
        ),
        case(
            "declared/one-write",
            ask(Method::Stopping, 10),
            |call| at_once(call, 10, frame(3, 0, call.id, &[0, 0, 0, 0, 10])),
            ends("declared", 10),
        ),
        case("declared/at-once", ask(Method::Stopping, 0), |call| call.stopped(0), ends("declared", 0)),
        case(
            "declared/in-two-frames",
            ask(Method::Stopping, 5),
            |call| {
                call.items(0..5)?;
                call.frame(3, MORE, &[0, 0])?;
                call.ping(7)?;
                call.frame(5, 0, &[0, 0, 5])
            },
            ends("declared", 5),
        ),
        case(
            "error/after-items",
            ticks(10),
            |call| {
                call.items(0..5)?;
                call.error("permission-denied")
            },
            ends("permission-denied", 5),
        ),
        case(
            "error/one-write",
            ticks(10),
            |call| at_once(call, 5, super::call::error_frame(call.id, "internal")),
            ends("internal", 5),
        ),
        case("error/at-once", ticks(10), |call| call.error("overloaded"), ends("overloaded", 0)),
        case(
            "between/pings",
            ticks(20),
            |call| {
                for index in 0..20 {
                    call.items(index..index + 1)?;
                    call.ping(index as u32)?;
                }
                end(call)
            },
            ends("value", 20),
        ),
        case(
            "between/chain-of-an-unknown-call",
            ticks(20),
            |call| {
                call.items(0..10)?;
                call.send(&frame(2, MORE, OTHER, &[1, 2, 3]))?;
                call.ping(1)?;
                call.send(&frame(5, 0, OTHER, &[4]))?;
                call.items(10..20)?;
                end(call)
            },
            ends("value", 20),
        ),
        case(
            "between/chain-of-the-answer",
            ticks(20),
            |call| {
                call.items(0..20)?;
                call.frame(2, MORE, &[])?;
                call.ping(1)?;
                call.frame(5, 0, &[])
            },
            ends("value", 20),
        ),
        case(
            "between/unknown-calls",
            ticks(20),
            |call| {
                call.items(0..10)?;
                call.send(&frame(10, 0, OTHER, &[1, 2, 3]))?;
                call.send(&frame(11, 0, OTHER, &[0, 0, 0, 1]))?;
                call.send(&frame(2, 0, OTHER, &[]))?;
                call.items(10..20)?;
                end(call)
            },
            ends("value", 20),
        ),
        case(
            "between/goodbye",
            ticks(20),
            |call| {
                call.items(0..10)?;
                call.send(&frame(9, 0, 0, &[]))?;
                call.items(10..20)?;
                end(call)
            },
            ends("value", 20),
        )
        .another(),
        case(
            "after/items",
            ticks(10),
            |call| {
                call.items(0..10)?;
                end(call)?;
                call.frame(10, 0, &[1, 2, 3])?;
                call.frame(11, 0, &[0, 0, 0, 1])?;
                end(call)
            },
            ends("value", 10),
        ),
        case("close/endless", ticks(ENDLESS).take(10), |call| call.flood(1), ends("closed", 10)),
        case(
            "close/endless-in-full-frames",
            ticks(ENDLESS).take(10),
            |call| call.flood(FULL),
            ends("closed", 10),
        ),
        case(
            "close/between-frames",
            ticks(ENDLESS).take(10),
            |call| {
                call.items(0..10)?;
                call.cancelled()
            },
            ends("closed", 10),
        ),
        case(
            "close/late-answer",
            ticks(ENDLESS).take(10),
            |call| {
                call.items(0..15)?;
                call.until("the cancel", |seen| seen.cancelled.then_some(()))?;
                call.late(&call.items_frame(15..30));
                call.late(&frame(2, 0, call.id, &[]));
                Ok(())
            },
            ends("closed", 10),
        ),
        case(
            "deadline/silent",
            ticks(10).deadline(300),
            |call| {
                call.send(&call.items_frame(0..5))?;
                call.cancelled()
            },
            ends_within(&["deadline-exceeded"], 0..=5),
        ),
        case(
            "deadline/at-once",
            ticks(10).deadline(200),
            |call| call.cancelled(),
            ends("deadline-exceeded", 0),
        ),
        case(
            "deadline/endless",
            ticks(ENDLESS).deadline(300),
            |call| call.flood(20),
            ends_within(&["deadline-exceeded"], 0..=i64::MAX),
        ),
        case(
            "credit/used-up-exactly",
            ticks(ENDLESS).deadline(60_000),
            |call| {
                // Frames after which no credit is left, so that the client has to give some as soon as it has taken everything.
                for _ in 0..4 {
                    let left = call.credit_or_cancel()?.ok_or("the client cancelled the call")?;
                    let first = call.seen().sent_items();
                    let (items, empty) = fit(first, left);
                    call.send(&call.items_frame(first..first + items))?;
                    // An empty frame has one byte.
                    (0..empty).try_for_each(|_| call.send(&call.items_frame(0..0)))?;
                }
                call.credit_or_cancel()?;
                end(call)
            },
            ends_within(&["value"], 4..=i64::MAX),
        ),
        case(
            "credit/far-below-zero",
            ticks(90_000),
            |call| {
                call.items(0..60_000)?;
                call.items(60_000..60_001)?;
                call.items(60_001..90_000)?;
                call.credit_or_cancel()?;
                end(call)
            },
            ends("value", 90_000),
        ),
        case(
            "credit/of-a-slow-reader",
            ticks(ENDLESS).pause(5).take(200),
            |call| call.flood(20),
            ends("closed", 200),
        ),
        case(
            "credit/of-a-stopped-reader",
            ticks(ENDLESS).pause(1_500).take(1),
            |call| {
                call.items(0..1)?;
                call.flood(FULL)
            },
            ends("closed", 1),
        ),
        case(
            "credit/overrun",
            ticks(ENDLESS).pause(1_000).take(2),
            |call| {
                call.items(0..1)?;
                call.overrun(FULL, 256 * FIRST_CREDIT)
            },
            // A client that reads from the connection while its program pauses finds out at once, others later or not at all: their memory is
            // bounded in any case.
            ends_within(&["closed", "malformed"], 1..=2),
        )
        .either(),
    ]
}
