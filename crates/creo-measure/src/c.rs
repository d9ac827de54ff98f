//! C: the compiler in `CC`, or `cc`, with the optimization of the generated Makefile unless `CC` has another: `gcc -O0`.

use crate::failure::Failure;
use crate::language::{Job, Language, Program};
use crate::tools::{Tools, compile, generated, runs, write};
use creo_cost::Wire;
use std::process::Command;

pub const LANGUAGE: Language = Language { name: "c", foreign: &[], missing, program };

const DRIVER: [(&str, &str); 3] = [
    ("driver/driver.h", include_str!("../drivers/c/driver.h")),
    ("driver/driver.c", include_str!("../drivers/c/driver.c")),
    ("driver/wires.c", include_str!("../drivers/c/wires.c")),
];

/// As in the generated Makefile.
const OPTIMIZE: &str = "-O3";

const PROGRAM: &str = "measure";

/// A program and its arguments: `ccache gcc`.
fn compiler(tools: &Tools) -> Vec<String> {
    tools.cc.split_whitespace().map(str::to_owned).collect()
}

fn missing(tools: &Tools, _: &[Wire]) -> Vec<String> {
    let compiler = compiler(tools);
    let mut arguments: Vec<&str> = compiler[1..].iter().map(String::as_str).collect();
    arguments.push("--version");
    runs(&compiler[0], &arguments).into_iter().collect()
}

/// The driver, compiled and linked with the code of a description.
fn program(job: &Job<'_>) -> Result<Program, Failure> {
    let mut sources = Vec::new();
    for (path, text) in generated("c", job.model)?.iter().chain(DRIVER) {
        // A unit's code and the runtime are compiled as part of the files that include them.
        if path.ends_with(".c") && !path.ends_with(".creo.c") && path != creo_gen_c::SOURCE {
            sources.push(path.to_owned());
        }
        write(&job.folder.join(path), text.as_bytes())?;
    }
    job.progress.note("c: compiling");
    let compiler = compiler(job.tools);
    let program = job.folder.join(PROGRAM);
    let mut cc = Command::new(&compiler[0]);
    cc.args(&compiler[1..]).arg("-std=c11");
    if !compiler.iter().any(|argument| argument.starts_with("-O")) {
        cc.arg(OPTIMIZE);
    }
    for include in ["include", "src", "driver"] {
        cc.arg("-I").arg(job.folder.join(include));
    }
    cc.arg("-o").arg(&program).args(sources.iter().map(|source| job.folder.join(source)));
    compile(cc, "the C compiler")?;
    Ok(Program { command: Command::new(program), last: Vec::new() })
}
