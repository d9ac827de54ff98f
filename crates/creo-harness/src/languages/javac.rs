//! One process of `javac` for all compilations of a run of the harness.

use crate::process::{Program, Running};
use crate::repo;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// The process, if it runs and is not in use.
static COMPILER: Mutex<Option<Running>> = Mutex::new(None);

/// What a line with the exit code begins with.
const END: char = '\0';

/// Compiles with the arguments in a file. A process that dies or exceeds the limit is replaced for the next compilation.
pub fn compile(arguments: &Path, limit: Duration) -> Result<(), String> {
    let mut free = COMPILER.lock().map_err(|_| "a compilation before this one panicked")?;
    let mut running = match free.take() {
        Some(running) => running,
        None => Program::new("java")
            .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8"])
            .arg(repo::path("crates/creo-harness/src/languages/Javac.java"))
            .start()?,
    };
    let told = |why: String| format!("javac @{}: {why}", arguments.display());
    running.say(&arguments.display().to_string()).map_err(told)?;
    let mut output = String::new();
    loop {
        let line = running.line(limit).map_err(told)?;
        match line.strip_prefix(END) {
            None => output = output + &line + "\n",
            Some(code) => {
                *free = Some(running);
                return if code == "0" {
                    Ok(())
                } else {
                    Err(format!("javac @{} ended with exit code {code}\n{output}", arguments.display()))
                };
            }
        }
    }
}

/// Ends the process, if there is one.
pub fn finish() -> Result<(), String> {
    let free = COMPILER.lock().map_err(|_| "a compilation panicked")?.take();
    free.map_or(Ok(()), |running| running.finish(Duration::from_secs(60)))
        .map_err(|why| format!("javac: {why}"))
}
