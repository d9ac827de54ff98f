//! Writes the whole runtime, but its module for brokers, as two files into a folder, for the archive that `make dist` makes: `amalgamate FOLDER`.
#![allow(clippy::disallowed_methods)] // A tool of the build writes files.

use creo_codegen::{Module, Needs, Wires};
use creo_gen_c::{HEADER, SOURCE, amalgamated_runtime};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder] = &arguments[..] else {
        eprintln!("usage: amalgamate FOLDER");
        return ExitCode::from(2);
    };
    match write(Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path) -> Result<(), String> {
    let made =
        amalgamated_runtime(&Needs { wires: Wires::ALL, with: BTreeSet::from(Module::PARTS), streams: true });
    for (name, text) in [(HEADER, made.header), (SOURCE, made.source)] {
        let path = folder.join(name);
        let parent = path.parent().expect("it is in a folder");
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
