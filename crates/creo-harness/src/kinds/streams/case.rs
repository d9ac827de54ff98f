//! A case: what the client is asked, what the host does with its call, and how the call must end.

use super::call::Call;
use super::host::Seen;
use super::values::Method;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// The bytes that a client may have granted and its program not taken (LIM-38).
const WINDOW: i64 = 1 << 20;

/// A line for the mode `streams` of a peer.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    pub method: Method,
    pub count: i64,
    pub take: Option<i64>,
    pub fail_after: Option<i64>,
    pub lockstep: bool,
    pub deadline: u64,
    pub pause: u64,
}

pub const fn ask(method: Method, count: i64) -> Ask {
    Ask { method, count, take: None, fail_after: None, lockstep: false, deadline: 20_000, pause: 0 }
}

pub const fn ticks(count: i64) -> Ask {
    ask(Method::Ticks, count)
}

impl Ask {
    pub const fn take(mut self, items: i64) -> Ask {
        self.take = Some(items);
        self
    }

    pub const fn fail_after(mut self, items: i64) -> Ask {
        self.fail_after = Some(items);
        self
    }

    pub const fn lockstep(mut self) -> Ask {
        self.lockstep = true;
        self
    }

    pub const fn deadline(mut self, milliseconds: u64) -> Ask {
        self.deadline = milliseconds;
        self
    }

    pub const fn pause(mut self, milliseconds: u64) -> Ask {
        self.pause = milliseconds;
        self
    }

    pub fn line(&self, port: u16, is_async: bool, fresh: bool) -> Value {
        json!({
            "port": port, "method": self.method.word(), "count": self.count, "take": self.take, "failAfter": self.fail_after,
            "lockstep": self.lockstep, "deadline": self.deadline, "pause": self.pause, "async": is_async, "fresh": fresh,
        })
    }
}

/// What the peer answers.
#[derive(Clone, Debug)]
pub struct Due {
    /// Any of these.
    ends: Vec<&'static str>,
    /// How many items the client reads.
    items: RangeInclusive<i64>,
    /// The result, where it is not a stream.
    result: Option<i64>,
    /// How many items are taken from the client's source.
    taken: Option<RangeInclusive<i64>>,
}

pub fn ends(end: &'static str, items: i64) -> Due {
    ends_within(&[end], items..=items)
}

pub fn ends_within(ends: &[&'static str], items: RangeInclusive<i64>) -> Due {
    Due { ends: ends.to_vec(), items, result: None, taken: None }
}

/// The value of `sum` or `first`.
pub fn result(number: i64) -> Due {
    Due { result: Some(number), ..ends("value", 0) }
}

impl Due {
    pub fn taken(self, items: RangeInclusive<i64>) -> Due {
        Due { taken: Some(items), ..self }
    }
}

/// What becomes of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The next call uses it. A blocking client, whose connection nobody else uses, may close it with a cancel.
    Same,
    /// The client closes it.
    Closed,
    /// The next call uses another one.
    Another,
    Either,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub name: &'static str,
    pub ask: Ask,
    pub play: fn(&Call) -> Result<(), String>,
    pub due: Due,
    pub after: After,
}

pub fn case(name: &'static str, ask: Ask, play: fn(&Call) -> Result<(), String>, due: Due) -> Case {
    Case { name, ask, play, due, after: After::Same }
}

impl Case {
    /// After which the client closes the connection.
    pub fn closed(self) -> Case {
        Case { after: After::Closed, ..self }
    }

    pub fn another(self) -> Case {
        Case { after: After::Another, ..self }
    }

    pub fn either(self) -> Case {
        Case { after: After::Either, ..self }
    }

    /// Checks the peer's answer.
    pub fn answered(&self, answer: &Value) -> Result<(), String> {
        let number = |name: &str| answer[name].as_i64();
        let end = answer["end"].as_str().unwrap_or_default();
        if !self.due.ends.contains(&end) {
            return Err(format!("the end should be {}", self.due.ends.join(" or ")));
        }
        let method = self.ask.method;
        if method.gives() {
            let items = number("items").ok_or("it should say how many items were read")?;
            if !self.due.items.contains(&items) {
                return Err(format!("{:?} items should have been read", self.due.items));
            }
            let sum = (0..items).map(|index| method.number(index)).sum();
            if end != "wrong-value" && number("sum") != Some(sum) {
                return Err(format!("the sum of the items should be {sum}"));
            }
        } else if let Some(result) = self.due.result
            && number("sum") != Some(result)
        {
            return Err(format!("the sum should be {result}"));
        }
        match &self.due.taken {
            Some(range) if !number("taken").is_some_and(|taken| range.contains(&taken)) => {
                Err(format!("{range:?} items should have been taken from the source"))
            }
            _ => Ok(()),
        }
    }

    /// Checks what the client sent for the call besides its items.
    pub fn called(&self, answer: &Value, seen: &Seen) -> Result<(), String> {
        let deadline = u64::from(seen.deadline);
        if self.ask.deadline == 0 && deadline != 0 || deadline > self.ask.deadline {
            return Err(format!("the request has a deadline of {deadline} ms (CALL-44)"));
        }
        let arguments = self.ask.method.arguments(self.ask.count);
        if seen.method != self.ask.method || seen.arguments != arguments {
            return Err(format!(
                "the request's body should be {arguments:02x?}, and is {:02x?}",
                seen.arguments
            ));
        }
        if let Some(taken) = answer["taken"].as_i64()
            && seen.method.takes()
            && taken < seen.items
        {
            return Err(format!("{} items came, and {taken} were taken from the source", seen.items));
        }
        self.granted(answer["items"].as_i64().unwrap_or(0), seen)
    }

    /// TCP-32: what was granted and not taken is at most the window. The program has taken no more items than it says at the end, and
    /// before that no more than its pauses allow.
    fn granted(&self, items: i64, seen: &Seen) -> Result<(), String> {
        let begun = seen.begun;
        for (time, granted) in &seen.grants {
            let elapsed = begun.map_or(0, |begun| time.duration_since(begun).as_millis());
            // A timer may be a little early.
            let pauses = elapsed * 4 / 3 / u128::from(self.ask.pause.max(1)) + 1;
            let taken = if self.ask.pause == 0 { items } else { items.min(pauses as i64) };
            let allowed = WINDOW + seen.bytes_of(taken);
            if *granted > allowed {
                return Err(format!(
                    "after {elapsed} ms the client had granted {granted} bytes; with at most {taken} items taken there may be {allowed} (TCP-32)"
                ));
            }
        }
        Ok(())
    }
}
