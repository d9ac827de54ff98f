//! `creo list`

use crate::args_call::{ListArgs, ListFormat};
use crate::calling::{target, tls};
use crate::failure::{Failure, Outcome};
use crate::output::write_whole;
use crate::reflection::Host;
use crate::terminal::{Paint, Terminal};
use creo_call::Options;
use creo_diag::{escape_controls, reason};
use creo_json::print_json;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Duration;

/// Asks a host what it serves (SVC-11).
pub fn run(args: &ListArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let target = target(&args.target)?;
    let options = Options {
        deadline: Some(Duration::from_secs_f64(args.deadline)),
        metadata: args.metadata.clone(),
        tls: tls(&target, &args.tls)?,
        ..Options::default()
    };
    let Some(host) = Host::new(target, &options, terminal)? else { return Ok(Outcome::Findings) };
    let interfaces = host.interfaces()?;
    if let Some(folder) = &args.save {
        return save(&host, &interfaces, folder, terminal);
    }
    let methods = host.methods()?;
    match args.format {
        ListFormat::Text => terminal.result(&text(&interfaces, &methods, terminal))?,
        ListFormat::Json => {
            let all: Vec<Value> =
                interfaces.iter().map(|(name, print)| described(name, print, &methods)).collect();
            terminal.result(&format!("{}\n", print_json(&json!({ "interfaces": all }))))?;
        }
    }
    Ok(Outcome::Done)
}

/// Writes the descriptions of all interfaces to a folder, shared ones once. Existing files are not overwritten.
fn save(
    host: &Host<'_>,
    interfaces: &Map<String, Value>,
    folder: &Path,
    terminal: &Terminal,
) -> Result<Outcome, Failure> {
    let mut files: Vec<(String, String)> = Vec::new();
    for name in interfaces.keys() {
        let Some(described) = host.description(name)? else {
            terminal.warning(&format!("the host does not have the description of {name:?}"));
            continue;
        };
        for (name, text) in described {
            match files.iter().find(|(known, _)| *known == name) {
                Some((_, known)) if *known != text => {
                    return Err(Failure::new(format!("the host has two files {name:?}, which differ")));
                }
                Some(_) => {}
                None => files.push((name, text)),
            }
        }
    }
    for (name, text) in &files {
        let path = folder.join(name);
        let failed = |error: std::io::Error| {
            Failure::new(format!("cannot write {}: {}", path.display(), reason(&error)))
        };
        if path.symlink_metadata().is_ok() {
            return Err(
                Failure::new(format!("{} is there already", path.display())).help("give a new folder")
            );
        }
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        write_whole(&path, text.as_bytes(), None)?;
        terminal.result(&format!("{}\n", path.display()))?;
    }
    Ok(Outcome::Done)
}

/// The methods of an interface, by their own names: the full name, a dot, and a name without dots.
fn methods_of<'m>(interface: &str, methods: &'m Map<String, Value>) -> Vec<(&'m str, &'m str)> {
    let own = methods.iter().filter_map(|(name, id)| {
        let name = name.strip_prefix(interface)?.strip_prefix('.')?;
        (!name.contains('.')).then(|| (name, id.as_str().unwrap_or_default()))
    });
    own.collect()
}

fn described(name: &str, fingerprint: &Value, methods: &Map<String, Value>) -> Value {
    let methods: Vec<Value> =
        methods_of(name, methods).into_iter().map(|(name, id)| json!({ "name": name, "id": id })).collect();
    json!({ "name": name, "fingerprint": fingerprint, "methods": methods })
}

fn text(interfaces: &Map<String, Value>, methods: &Map<String, Value>, terminal: &Terminal) -> String {
    // Text from a host must not control the terminal or begin a new line.
    let line = |text: &str| escape_controls(&text.replace('\n', "\\n"));
    let mut out = String::new();
    for (name, fingerprint) in interfaces {
        let fingerprint = line(fingerprint.as_str().unwrap_or_default());
        out.push_str(&format!("{} {fingerprint}\n", terminal.paint(Paint::Bold, &line(name))));
        for (method, id) in methods_of(name, methods) {
            out.push_str(&format!("  {} {}\n", line(method), line(id)));
        }
    }
    out
}
