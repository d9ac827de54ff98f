//! The methods that tests of streams call, and how they are called.

use creo_call::{
    Answer, CallError, Called, Options, Side, Source, Streams, Target, Trace, Wire, call_streams,
};
use creo_check::{CheckedModel, compile_files};
use creo_inspect::Section;
use serde_json::Value;
use std::sync::mpsc::Receiver;

/// The methods by their position.
pub const TICKS: usize = 0;
pub const SUM: usize = 1;
pub const TALK: usize = 2;
pub const BYTES: usize = 3;
pub const TEXTS: usize = 4;
pub const LINES: usize = 5;

const LAB: &str = r#"
@PACKAGE("lab")
exception Missing { String what; }
struct Ask { String word; }
struct Reply { String word; int number; }
interface Lab {
    stream long ticks(int count) throws Missing;
    long sum(int first, stream long numbers) throws Missing;
    stream Reply talk(stream Ask asks);
    stream byte bytes(stream byte bytes);
    void texts(stream String texts);
    stream String lines();
}
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

pub fn long() -> Options {
    Options { deadline: None, ..Options::default() }
}

/// Batches of items, then the end.
pub struct Batches(pub Vec<Result<Vec<Value>, String>>);

impl Source for Batches {
    fn take(&mut self) -> Result<Vec<Value>, String> {
        if self.0.is_empty() { Ok(Vec::new()) } else { self.0.remove(0) }
    }
}

/// Some items, then none until the other end of the channel is dropped.
pub struct Waiting {
    pub first: Vec<Value>,
    pub more: Receiver<()>,
}

impl Source for Waiting {
    fn take(&mut self) -> Result<Vec<Value>, String> {
        if self.first.is_empty() {
            let _ = self.more.recv();
        }
        Ok(std::mem::take(&mut self.first))
    }
}

/// How a call ended, and the items in the frames that came.
pub struct Ended {
    pub answer: Result<Answer, CallError>,
    pub frames: Vec<Vec<Value>>,
}

impl Ended {
    pub fn items(&self) -> Vec<Value> {
        self.frames.concat()
    }

    #[track_caller]
    pub fn fails(&self, code: &str, says: &str) {
        let error = self.answer.as_ref().expect_err("the call fails");
        assert_eq!(error.code, code, "{error}");
        assert!(error.to_string().contains(says), "{says:?} is not in: {error}");
    }
}

/// A call of a method, by its position.
pub struct Call<'a> {
    pub target: Target,
    pub wire: Wire,
    pub method: usize,
    pub options: &'a Options,
}

impl Call<'_> {
    pub fn run(
        &self,
        value: &Value,
        source: Option<Box<dyn Source>>,
        sink: &mut dyn FnMut(&[Value]) -> bool,
    ) -> Ended {
        let model = model();
        let called = Called { model: &model, interface: 0, method: self.method };
        let mut frames = Vec::new();
        let mut take = |items: Vec<Value>| {
            let goes_on = sink(&items);
            frames.push(items);
            goes_on
        };
        let streams = Streams { source, sink: &mut take };
        let answer =
            call_streams(&self.target, self.wire, &called, value, streams, self.options, &mut Silent);
        Ended { answer, frames }
    }
}
