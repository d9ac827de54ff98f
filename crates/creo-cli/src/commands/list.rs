//! `creo list`

use crate::args_call::{ListArgs, ListFormat};
use crate::commands::call::{Shown, called, failure, target};
use crate::describe;
use crate::failure::{Failure, Outcome};
use crate::terminal::{Paint, Terminal};
use creo_call::{Answer, CallError, Options, Target, Wire, call};
use creo_check::CheckedModel;
use creo_diag::escape_controls;
use creo_json::print_json;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Asks a host what it serves (SVC-11).
pub fn run(args: &ListArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let target = target(&args.target)?;
    if matches!(target, Target::Http { .. }) {
        return Err(Failure::new("hosts tell what they serve on the binary wire alone")
            .help("write host:port, without http://"));
    }
    let Some(model) = describe::of_host("creo.reflection", terminal)? else { return Ok(Outcome::Findings) };
    let options = Options {
        deadline: Duration::from_secs_f64(args.deadline),
        metadata: args.metadata.clone(),
        ..Options::default()
    };
    let interfaces = ask(&target, &model, "interfaces", &options, terminal)?;
    let methods = ask(&target, &model, "methods", &options, terminal)?;
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

fn ask(
    target: &Target,
    model: &CheckedModel,
    method: &str,
    options: &Options,
    terminal: &Terminal,
) -> Result<Map<String, Value>, Failure> {
    let called = called(model, method)?;
    let mut shown = Shown { terminal, verbose: false };
    match call(target, Wire::Binary, &called, &json!({}), options, &mut shown) {
        Ok(Answer::Result(Value::Object(texts))) => Ok(texts),
        Ok(_) => Err(Failure::new("the host does not tell what it serves")),
        Err(error) => Err(switched_off(&error).unwrap_or_else(|| failure(error, &called))),
    }
}

/// A host without reflection says which interfaces it offers all the same (ERR-5).
fn switched_off(error: &CallError) -> Option<Failure> {
    if error.code != "unknown-method" || !error.from_peer {
        return None;
    }
    let offers: Vec<&str> =
        error.details.iter().map(|(key, _)| key.as_str()).filter(|key| key.contains('.')).collect();
    let failed = Failure::coded(
        "unknown-method",
        "the host does not tell its methods: reflection is not switched on there",
    );
    Some(if offers.is_empty() { failed } else { failed.help(format!("it serves {}", offers.join(", "))) })
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
    // What a host says must neither drive the terminal nor begin a line of its own.
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
