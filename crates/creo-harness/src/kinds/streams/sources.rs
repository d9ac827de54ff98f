//! Streams of arguments: how the client sends them, and when it stops.

use super::call::Call;
use super::case::{Ask, Case, ask, case, ends, ends_within, result};
use super::host::FIRST_CREDIT;
use super::values::Method;
use crate::frames::frame;

/// A source that no client takes to its end.
const ENDLESS: i64 = 1 << 40;

/// The numbers that a client may have taken from its source, at the first credit: what was sent, and what it gathers for a frame.
const AHEAD: i64 = (FIRST_CREDIT + 2 * 65_536) / 8 + 1;

const fn sum(count: i64) -> Ask {
    ask(Method::Sum, count)
}

const fn talk(count: i64) -> Ask {
    ask(Method::Talk, count).lockstep()
}

/// Answers with the sum of what came, which is that of a source of so many.
fn respond_sum(call: &Call, count: i64) -> Result<(), String> {
    let seen = call.seen();
    if seen.items != count {
        return Err(format!("{} items came, and the source has {count}", seen.items));
    }
    call.respond_number(count * (count - 1) / 2)
}

/// Answers each tick when it has come.
fn answer_each(call: &Call, count: i64) -> Result<(), String> {
    (0..count).try_for_each(|index| {
        call.take(index + 1, FIRST_CREDIT)?;
        let seen = call.seen();
        if seen.items > index + 1 {
            return Err(format!("{} ticks came before the answer {index}", seen.items));
        }
        call.items(index..index + 1)
    })
}

pub fn cases() -> Vec<Case> {
    vec![
        case(
            "sources/none",
            sum(0),
            |call| {
                call.take_all(FIRST_CREDIT)?;
                respond_sum(call, 0)
            },
            result(0).taken(0..=0),
        ),
        case(
            "sources/some",
            sum(10),
            |call| {
                call.take_all(FIRST_CREDIT)?;
                respond_sum(call, 10)
            },
            result(45).taken(10..=10),
        ),
        case(
            "sources/without-deadline",
            sum(10).deadline(0),
            |call| {
                call.take_all(FIRST_CREDIT)?;
                respond_sum(call, 10)
            },
            result(45).taken(10..=10),
        ),
        case(
            "sources/many",
            sum(100_000),
            |call| {
                call.take_all(1 << 20)?;
                respond_sum(call, 100_000)
            },
            result(4_999_950_000).taken(100_000..=100_000),
        ),
        // After each frame there is credit for one byte.
        case(
            "sources/little-credit",
            sum(50_000),
            |call| {
                call.take_all(1)?;
                respond_sum(call, 50_000)
            },
            result(1_249_975_000).taken(50_000..=50_000),
        ),
        case(
            "sources/most-credit",
            sum(50_000),
            |call| {
                // With the first credit it is all that there may be.
                call.credit((1 << 31) - 1 - FIRST_CREDIT)?;
                call.until("the end", |seen| seen.end.then_some(()))?;
                call.credit(1)?;
                respond_sum(call, 50_000)
            },
            result(1_249_975_000).taken(50_000..=50_000),
        ),
        case(
            "sources/pings",
            sum(100_000),
            |call| {
                call.until("all the credit", |seen| (seen.allowed <= 0).then_some(()))?;
                call.ping(1)?;
                call.take_all(1 << 20)?;
                call.ping(2)?;
                respond_sum(call, 100_000)
            },
            result(4_999_950_000),
        ),
        case(
            "sources/goodbye",
            sum(100_000),
            |call| {
                call.until("all the credit", |seen| (seen.allowed <= 0).then_some(()))?;
                call.send(&frame(9, 0, 0, &[]))?;
                call.take_all(1 << 20)?;
                respond_sum(call, 100_000)
            },
            result(4_999_950_000),
        )
        .another(),
        // The client waits for credit, not longer than its deadline.
        case(
            "sources/no-credit",
            sum(ENDLESS).deadline(700),
            |call| call.cancelled(),
            ends("deadline-exceeded", 0).taken(0..=AHEAD),
        ),
        case(
            "sources/no-credit-but-an-answer",
            sum(ENDLESS),
            |call| {
                call.until("all the credit", |seen| (seen.allowed <= 0).then_some(()))?;
                call.respond_number(7)
            },
            result(7).taken(FIRST_CREDIT / 9..=AHEAD),
        ),
        case(
            "sources/no-credit-but-an-end",
            sum(ENDLESS),
            |call| {
                call.until("all the credit", |seen| (seen.allowed <= 0).then_some(()))?;
                call.leave();
                Ok(())
            },
            ends("unavailable", 0).taken(FIRST_CREDIT / 9..=AHEAD),
        )
        .another(),
        case(
            "sources/credit-after-the-answer",
            sum(ENDLESS),
            |call| {
                call.until("all the credit", |seen| (seen.allowed <= 0).then_some(()))?;
                call.respond_number(7)?;
                call.credit(1 << 20)
            },
            result(7).taken(FIRST_CREDIT / 9..=AHEAD),
        ),
        case(
            "early/value",
            ask(Method::First, ENDLESS),
            |call| {
                call.take(10, FIRST_CREDIT)?;
                call.respond_number(45)
            },
            result(45).taken(10..=AHEAD),
        ),
        case(
            "early/value-at-once",
            ask(Method::First, ENDLESS),
            |call| call.respond_number(45),
            result(45).taken(0..=AHEAD),
        ),
        case(
            "early/declared",
            ask(Method::First, ENDLESS),
            |call| {
                call.take(5, FIRST_CREDIT)?;
                call.stopped(5)
            },
            ends("declared", 0).taken(5..=AHEAD),
        ),
        case(
            "early/error",
            sum(ENDLESS),
            |call| {
                call.take(5, FIRST_CREDIT)?;
                call.error("permission-denied")
            },
            ends("permission-denied", 0).taken(5..=AHEAD),
        ),
        case(
            "early/overloaded",
            sum(ENDLESS),
            |call| call.error("overloaded"),
            ends("overloaded", 0).taken(0..=AHEAD),
        ),
        case(
            "early/killed",
            sum(ENDLESS),
            |call| {
                call.take(5, FIRST_CREDIT)?;
                call.leave();
                Ok(())
            },
            ends("unavailable", 0).taken(5..=AHEAD),
        )
        .another(),
        case(
            "source-fails/later",
            sum(100).fail_after(10),
            |call| {
                call.cancelled()?;
                let seen = call.seen();
                if seen.end {
                    Err("the client sent an end, although its source failed".to_owned())
                } else {
                    Ok(())
                }
            },
            ends("source", 0).taken(10..=10),
        ),
        case(
            "source-fails/at-once",
            sum(100).fail_after(0),
            |call| call.cancelled(),
            ends("source", 0).taken(0..=0),
        ),
        case(
            "source-fails/without-credit",
            sum(ENDLESS).fail_after(100_000),
            |call| {
                call.until("all the credit", |seen| (seen.allowed <= 0).then_some(()))?;
                call.credit(1 << 20)?;
                call.cancelled()
            },
            ends("source", 0).taken(100_000..=100_000),
        ),
        case(
            "source-fails/within-talk",
            talk(100).fail_after(5),
            |call| {
                answer_each(call, 5)?;
                call.cancelled()
            },
            ends("source", 5).taken(5..=5),
        ),
        case(
            "talk/lockstep",
            talk(50),
            |call| {
                answer_each(call, 50)?;
                call.take_all(FIRST_CREDIT)?;
                call.respond(&[])
            },
            ends("value", 50).taken(50..=50),
        ),
        case(
            "talk/answer-before-the-end",
            talk(50),
            |call| {
                answer_each(call, 10)?;
                call.respond(&[])
            },
            ends("value", 10).taken(10..=11),
        ),
        case(
            "talk/close",
            talk(ENDLESS).take(5),
            |call| {
                answer_each(call, 5)?;
                call.cancelled()
            },
            ends("closed", 5).taken(5..=6),
        ),
        case(
            "talk/deadline",
            talk(ENDLESS).deadline(1_500),
            |call| {
                answer_each(call, 5)?;
                call.cancelled()
            },
            ends("deadline-exceeded", 5).taken(6..=6),
        ),
        // Nobody reads the client's ticks until its source has used up the credit.
        case(
            "talk/no-credit",
            ask(Method::Talk, ENDLESS).deadline(2_000),
            |call| {
                call.until("all the credit", |seen| (seen.allowed <= 0).then_some(()))?;
                call.items(0..100)?;
                call.cancelled()
            },
            ends_within(&["deadline-exceeded"], 0..=100),
        ),
        case(
            "talk/killed",
            talk(ENDLESS),
            |call| {
                answer_each(call, 5)?;
                call.leave();
                Ok(())
            },
            ends("unavailable", 5),
        )
        .another(),
        case(
            "talk/both-at-once",
            ask(Method::Talk, 20_000),
            |call| {
                // The host takes what comes, also while it waits for credit of its own.
                let mut answered = 0;
                loop {
                    let seen = call.until("a tick, or credit", |seen| {
                        let ready = seen.granted > seen.sent_bytes() && seen.items > answered;
                        (ready
                            || seen.end && seen.items == answered
                            || !seen.end && seen.allowed <= FIRST_CREDIT / 2)
                            .then(|| seen.clone())
                    })?;
                    if !seen.end && seen.allowed <= FIRST_CREDIT / 2 {
                        call.credit(FIRST_CREDIT)?;
                    } else if seen.items > answered {
                        let next = seen.items.min(answered + 500);
                        call.items(answered..next)?;
                        answered = next;
                    } else {
                        return call.respond(&[]);
                    }
                }
            },
            ends("value", 20_000).taken(20_000..=20_000),
        ),
    ]
}
