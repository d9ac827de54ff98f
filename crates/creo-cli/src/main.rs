//! The `creo` program. All input and output of the compiler is in this crate: files, the environment, other programs, the terminal.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // This crate does all input and output; the core does none.

mod args;
mod args_call;
mod calling;
mod commands;
mod config;
mod describe;
mod explanations;
mod failure;
mod git;
mod hexdump;
mod input;
mod items;
mod jdk;
mod manifest;
mod measuring;
mod output;
mod page;
mod plot;
mod plugin;
mod project;
mod reflection;
mod snippets;
mod terminal;
#[deny(clippy::wildcard_enum_match_arm)] // Every match must handle a new kind of type.
mod type_text;
mod uncarried;
mod verdict;

use args::{Args, Command};
use clap::Parser;
use failure::{Failure, Outcome};
use std::process::ExitCode;
use std::sync::Arc;
use terminal::Terminal;

/// Descriptions may nest types deeply, and every stage that visits types is recursive: the work runs on a stack that is large enough for
/// the deepest description within the limits. Only touched pages use memory; smaller sizes are tried where so much address space is not
/// available.
const STACKS: [usize; 3] = [1 << 30, 1 << 28, 1 << 23];

/// The exit code after a panic, that of Rust's programs.
const PANICKED: u8 = 101;

fn main() -> ExitCode {
    // Where panics do not unwind, as in release builds, the program ends with the same exit code instead of a signal.
    #[cfg(panic = "abort")]
    {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            report(panic);
            std::process::exit(i32::from(PANICKED));
        }));
    }
    let args = Arc::new(Args::parse());
    for size in STACKS {
        let args = Arc::clone(&args);
        if let Ok(worker) =
            std::thread::Builder::new().name("creo".to_owned()).stack_size(size).spawn(move || run(&args))
        {
            // A panic was reported by its thread.
            return worker.join().unwrap_or(ExitCode::from(PANICKED));
        }
    }
    run(&args)
}

fn run(args: &Args) -> ExitCode {
    let terminal = Terminal::new(&args.common);
    let outcome = match &args.command {
        Command::Check(args) => commands::check::run(args, &terminal),
        Command::Fmt(args) => commands::fmt::run(args, &terminal),
        Command::Generate(args) => commands::generate::run(args, &terminal),
        Command::Pack(args) => commands::pack::run(args, &terminal),
        Command::Import(args) => commands::import::run(args, &terminal),
        Command::Model(args) => commands::model::run(args, &terminal),
        Command::Inspect(args) => commands::inspect::run(args, &terminal),
        Command::Call(args) => commands::call::run(args, &terminal),
        Command::List(args) => commands::list::run(args, &terminal),
        Command::Export(args) => commands::export::run(args, &terminal),
        Command::Tdxml(args) => commands::tdxml::run(&args.command, &terminal),
        Command::Calibrate(args) => commands::calibrate::run(args, &terminal),
        Command::Estimate(args) => commands::estimate::run(args, &terminal),
        Command::Capacity(args) => commands::capacity::run(args, &terminal),
        Command::Plan(args) => {
            terminal
                .warning("`creo plan` is called `creo capacity` now; the next version drops the old name");
            commands::capacity::run(args, &terminal)
        }
        Command::New(args) => commands::new::run(args, &terminal),
        Command::Diff(args) => commands::diff::run(args, &terminal),
        Command::Explain(args) => commands::explain::run(args, &terminal),
        Command::Completions(args) => commands::completions::run(args, &terminal),
    };
    match outcome.and_then(|outcome| terminal.finish().map(|()| outcome)) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(100),
        Ok(Outcome::Exception) => ExitCode::from(3),
        // The reader closed the pipe because it has read enough.
        Err(Failure::PipeClosed) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal.failure(&failure);
            ExitCode::FAILURE
        }
    }
}
