//! C: the compiler that `CC` names, or `cc`, with the optimizing of the generated Makefile. Generated code is a client's: the service side of
//! the binary wire is made next to it, of the same steps.

use crate::failure::Failure;
use crate::language::{Job, Language, Program};
use crate::tools::{Tools, compile, generated, runs, write};
use creo_codegen::Writer;
use creo_cost::Wire;
use creo_gen_c::{ServiceSide, service_side};
use std::process::Command;

pub const LANGUAGE: Language = Language { name: "c", foreign: &[], missing, program };

const DRIVER: [(&str, &str); 3] = [
    ("driver/driver.h", include_str!("../drivers/c/driver.h")),
    ("driver/driver.c", include_str!("../drivers/c/driver.c")),
    ("driver/wires.c", include_str!("../drivers/c/wires.c")),
];

/// What the generated Makefile says.
const OPTIMIZE: &str = "-O3";

const PROGRAM: &str = "measure";

/// A program, and arguments of its own: `ccache gcc`.
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
    let units = service_side(job.model);
    let mut wrapped: Vec<String> = units.iter().map(|unit| format!("src/{}.creo.c", unit.stem)).collect();
    wrapped.push(creo_gen_c::SOURCE.to_owned());
    let mut sources = Vec::new();
    let mut add = |path: &str, text: &str| {
        // A unit's own code, and the runtime, are compiled within the files that wrap them.
        if path.ends_with(".c") && !wrapped.iter().any(|unit| unit == path) {
            sources.push(path.to_owned());
        }
        write(&job.folder.join(path), text.as_bytes())
    };
    for (path, text) in generated("c", job.model)?.iter().chain(DRIVER) {
        add(path, text)?;
    }
    for (number, unit) in units.iter().enumerate() {
        add(&format!("driver/methods_{number}.c"), &methods(number, unit))?;
    }
    add("driver/methods.c", &table(units.len()))?;
    job.progress.note("c: compiling");
    let compiler = compiler(job.tools);
    let program = job.folder.join(PROGRAM);
    let mut cc = Command::new(&compiler[0]);
    cc.args(&compiler[1..]).args(["-std=c11", OPTIMIZE]);
    for include in ["include", "src", "driver"] {
        cc.arg("-I").arg(job.folder.join(include));
    }
    cc.arg("-o").arg(&program).args(sources.iter().map(|source| job.folder.join(source)));
    compile(cc, "the C compiler")?;
    Ok(Program { command: Command::new(program), last: Vec::new() })
}

/// The name of a unit's list of methods. No generated name begins with `creo_`, nor one of the runtime's with this.
fn list(number: usize) -> String {
    format!("creo_measured_{number}")
}

/// A unit's code, and what is to be known of its methods.
fn methods(number: usize, unit: &ServiceSide) -> String {
    let mut w = Writer::new("    ");
    w.line(format!("#include \"{}.creo.c\"", unit.stem));
    w.line(format!("#include \"{}.text.h\"", unit.stem));
    w.line("#include \"driver.h\"");
    w.blank();
    w.lines(unit.code.lines());
    let rows = unit.methods.iter().map(|method| {
        let size = method.outcome.as_ref().map_or("0".to_owned(), |ty| format!("sizeof({ty})"));
        format!(
            "{{&{}, &{}, {}, {}, {size}}},",
            method.method, method.interface, method.read_request, method.write_response
        )
    });
    w.line(format!("extern const measured_method {}[];", list(number)));
    w.block(format!("const measured_method {}[] = {{", list(number)), "};", |w| {
        w.lines(rows);
        w.line("{NULL, NULL, NULL, NULL, 0},");
    });
    w.finish()
}

/// The lists of all units.
fn table(units: usize) -> String {
    let mut w = Writer::new("    ");
    w.line("#include \"driver.h\"");
    w.blank();
    (0..units).for_each(|number| w.line(format!("extern const measured_method {}[];", list(number))));
    w.block("const measured_method *const measured_methods[] = {", "};", |w| {
        (0..units).for_each(|number| w.line(format!("{},", list(number))));
    });
    w.line(format!("const size_t measured_methods_count = {units};"));
    w.finish()
}
