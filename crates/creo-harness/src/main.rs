//! Tests of the whole: every language against the same specification.
//!
//! `creo-harness KIND` runs one kind, `creo-harness all` runs all. The last line is `N passed, N failed`.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // Tests read files, start programs and wait.

mod cases;
mod certificates;
#[deny(clippy::wildcard_enum_match_arm)] // A new kind of value or type must be handled.
mod codec;
mod descriptions;
mod frames;
#[deny(clippy::wildcard_enum_match_arm)] // A new kind of value or type must be handled.
mod glue_c;
mod http;
mod kinds;
mod languages;
mod obstacles;
mod options;
mod process;
#[deny(clippy::wildcard_enum_match_arm)] // A new kind of value or type must be handled.
mod random;
mod repo;
mod report;
mod service;
mod values;

use clap::Parser;
use options::{Kind, Options};
use report::Report;
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = Options::parse();
    if options.share > 1 {
        println!("one case in {}, seed {}", options.share, options.seed);
    }
    let kinds: Vec<Kind> = match options.kind {
        Kind::All => Kind::EACH.to_vec(),
        one => vec![one],
    };
    let mut summaries = Vec::new();
    let (mut passed, mut failed) = (0, 0);
    for kind in kinds {
        let report = run(kind, &options);
        summaries.push(report.summary());
        passed += report.counts().0;
        failed += report.counts().1;
    }
    if let Err(why) = languages::finish() {
        println!("FAILED {why}");
        failed += 1;
    }
    for summary in summaries {
        println!("{summary}");
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(kind: Kind, options: &Options) -> Report {
    let mut report = Report::new(kind.name());
    for language in options.left_out() {
        if kind.speaks() {
            report.not_run(format!("{} (--without)", language.name()));
        }
    }
    let result = match kind {
        Kind::All => Ok(()),
        Kind::Vectors => kinds::vectors::run(options, &mut report),
        Kind::Malformed => kinds::malformed::run(options, &mut report),
        Kind::Frames => kinds::frames::run(options, &mut report),
        Kind::Answers => kinds::answers::run(options, &mut report),
        Kind::Retries => kinds::retries::run(options, &mut report),
        Kind::Streams => kinds::streams::run(options, &mut report),
        Kind::Http => kinds::http::run(options, &mut report),
        Kind::Matrix => kinds::matrix::run(options, &mut report),
        Kind::Random => kinds::random::run(options, &mut report),
        Kind::Operations => kinds::operations::run(options, &mut report),
        Kind::Golden => kinds::golden::run(options, &mut report),
        Kind::Compile => kinds::compile::run(options, &mut report),
        Kind::Copies => kinds::copies::run(options, &mut report),
        Kind::Determinism => kinds::determinism::run(options, &mut report),
        Kind::Format => kinds::format::run(options, &mut report),
        Kind::Corpus => kinds::corpus::run(options, &mut report),
        Kind::CorpusCompile => kinds::corpus_compile::run(options, &mut report),
    };
    if let Err(why) = result {
        report.fail("the test itself", why);
    }
    report
}
