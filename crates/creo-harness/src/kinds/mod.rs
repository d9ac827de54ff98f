//! The kinds of tests. Each is a function that takes the options and fills a report.

pub mod answers;
pub mod compile;
pub mod copies;
pub mod corpus;
pub mod corpus_compile;
pub mod determinism;
pub mod format;
pub mod frames;
pub mod golden;
pub mod http;
mod http_answers;
mod http_framing;
pub mod malformed;
pub mod matrix;
mod members;
mod memory;
pub mod operations;
mod places;
mod probe;
pub mod random;
mod raw_messages;
pub mod retries;
mod sessions;
pub mod streams;
pub mod updates;
pub mod vectors;
mod writer;
