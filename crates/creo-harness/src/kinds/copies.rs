//! Copied runtimes with parts: each compiles without warnings, a client of one wire is small, and several can share a program.

use crate::languages::{Copied, Language, Sources, Unit};
use crate::options::Options;
use crate::report::Report;
use crate::{descriptions, repo};
use creo_check::CheckedModel;
use creo_codegen::{Input, Module, Runtime, Sides, Wire, Wires};

/// The descriptions of a program without streams, and of one with them, by their names in `tests/golden`.
const PLAIN: &[&str] = &["paper_program", "data_service", "aggregates", "extensible"];
const STREAMS: &[&str] = &["streams"];

/// A name, the descriptions, the wires, the sides if the target has both, and the modules.
type Choice = (&'static str, &'static [&'static str], &'static [Wire], Sides, &'static [Module]);

/// The copied parts.
const CHOICES: [Choice; 16] = [
    ("binary client", PLAIN, &[Wire::Binary], Sides::Client, &[]),
    ("binary client of several hosts", PLAIN, &[Wire::Binary], Sides::Client, &[Module::Balance]),
    ("binary client that repeats calls", PLAIN, &[Wire::Binary], Sides::Client, &[Module::Retries]),
    ("json client", PLAIN, &[Wire::Json], Sides::Client, &[]),
    ("soap client", PLAIN, &[Wire::Soap], Sides::Client, &[]),
    ("tdxml client", PLAIN, &[Wire::Tdxml], Sides::Client, &[]),
    ("binary and json client", PLAIN, &[Wire::Binary, Wire::Json], Sides::Client, &[]),
    ("soap and tdxml client", PLAIN, &[Wire::Soap, Wire::Tdxml], Sides::Client, &[]),
    ("binary service", PLAIN, &[Wire::Binary], Sides::Service, &[]),
    ("json and soap on both sides", PLAIN, &[Wire::Json, Wire::Soap], Sides::Both, &[Module::Retries]),
    ("binary with tables on both sides", PLAIN, &[Wire::Binary, Wire::Tdxml], Sides::Both, &[]),
    ("client with streams", STREAMS, &[Wire::Binary], Sides::Client, &[]),
    ("client with streams of several hosts", STREAMS, &[Wire::Binary], Sides::Client, &[Module::Balance]),
    ("client with streams that repeats calls", STREAMS, &[Wire::Binary], Sides::Client, &[Module::Retries]),
    ("client with streams and all modules", STREAMS, &[Wire::Binary], Sides::Client, &Module::PARTS),
    ("streams and json on both sides", STREAMS, &[Wire::Binary, Wire::Json], Sides::Both, &[]),
];

/// The max files and lines of runtime for a client of the paper's first program on the binary wire over TCP. The goal is 15 and 4,500; in C
/// there are two files, and each operating system adds 150 lines.
const MAX_CLIENT: [(Language, usize, usize); 4] = [
    (Language::Java, 59, 9_500),
    (Language::Python, 24, 6_450),
    (Language::C, 2, 6_250),
    (Language::CSharp, 17, 5_950),
];

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let plain = compiled(PLAIN)?;
    for language in options.languages() {
        if let Err(why) = language.ready() {
            report.fail(language.name(), why);
            continue;
        }
        let mut units = Vec::new();
        let mut names = Vec::new();
        let mut add = |name: String, inputs: &[Input], folder: String| {
            let work = repo::build("copies").join(folder);
            match Sources::generate_inputs(language, inputs, &work.join("generated")) {
                Ok(sources) => {
                    units.push(Unit { sources, work });
                    names.push(name);
                }
                Err(why) => report.fail(name, why),
            }
        };
        for (number, (name, descriptions, wires, sides, with)) in CHOICES.into_iter().enumerate() {
            let name = format!("{} {name}", language.name());
            if !options.wants(&name) {
                continue;
            }
            let sides = if language.target().sides() == Sides::Both { sides } else { Sides::Client };
            let input = |model| Input {
                runtime: Runtime::Copy,
                wires: Wires::of(wires.iter().copied()),
                sides,
                with,
                ..Input::new(language.target(), model)
            };
            let models = compiled(descriptions)?;
            let inputs: Vec<Input> = models.iter().map(input).collect();
            add(name, &inputs, format!("{}-{number}", language.name()));
        }
        let name = format!("{} two copies in one program", language.name());
        if language.target().runtime_package().is_some() && options.wants(&name) {
            let apart = |model, package, wires: &[Wire]| Input {
                runtime: Runtime::Copy,
                runtime_package: Some(package),
                wires: Wires::of(wires.iter().copied()),
                ..Input::new(language.target(), model)
            };
            let inputs = [
                apart(&plain[0], "packagename.creo", &[Wire::Binary]),
                apart(&plain[1], "elsewhere.runtime", &[Wire::Json, Wire::Soap]),
                apart(&plain[2], "third", &Wire::ALL),
            ];
            add(name, &inputs, format!("{}-apart", language.name()));
        }
        for (name, result) in names.iter().zip(language.compile_each(&units, Copied::Parts)) {
            report.check(name, result);
        }
        let name = format!("{} size of a binary client", language.name());
        if options.wants(&name) {
            report.check(name, size(language, &plain[0]));
        }
    }
    Ok(())
}

fn compiled(names: &[&str]) -> Result<Vec<CheckedModel>, String> {
    let compile = |name| descriptions::compile_file(&repo::path(&format!("tests/golden/{name}/in.creo")));
    names.iter().map(compile).collect()
}

/// It comes only with a copied runtime, and does not count.
const MAVEN: &str = "pom.xml";

/// Counts the files and lines of the runtime for a client of the binary wire.
fn size(language: Language, model: &CheckedModel) -> Result<(), String> {
    let wires = Wires::of([Wire::Binary]);
    let input = Input { wires, sides: Sides::Client, ..Input::new(language.target(), model) };
    let own = language.target().generate(&input);
    let all = language.target().generate(&Input { runtime: Runtime::Copy, ..input });
    let copied: Vec<&str> = all
        .iter()
        .filter(|(path, _)| own.get(path).is_none() && *path != MAVEN)
        .map(|(_, text)| text)
        .collect();
    let (files, lines) = (copied.len(), copied.iter().map(|text| text.lines().count()).sum::<usize>());
    let (_, max_files, max_lines) =
        MAX_CLIENT.into_iter().find(|(of, ..)| *of == language).ok_or("no size is known of this language")?;
    if files > max_files || lines > max_lines {
        return Err(format!(
            "{files} files and {lines} lines of runtime, at most {max_files} and {max_lines} are expected"
        ));
    }
    Ok(())
}
