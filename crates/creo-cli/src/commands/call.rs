//! `creo call`

use crate::args::ErrorFormat;
use crate::args_call::{CallArgs, CallWire};
use crate::calling::{Shown, called, failure, target, tls};
use crate::failure::{Failure, Outcome};
use crate::items::Lines;
use crate::reflection::Host;
use crate::terminal::{Paint, Terminal};
use crate::{describe, input};
use creo_call::{
    Answer, DEADLINE, Login, Options, Reading, Source, Streams, Target, Wire, call, call_streams, check,
};
use creo_check::CheckedModel;
use creo_inspect::Limits;
use creo_json::{parse_json, print_json};
use serde_json::{Value, json};
use std::time::Duration;

/// Calls a method, and prints what it returns as JSON.
pub fn run(args: &CallArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let target = target(&args.target)?;
    let limits = Limits::default();
    let deadline = args.deadline.map(Duration::from_secs_f64);
    let mut options = Options {
        deadline: deadline.or(Some(DEADLINE)),
        metadata: args.metadata.clone(),
        headers: args.header.clone(),
        login: args.user.clone().map(Login::Basic).or(args.digest.clone().map(Login::Digest)),
        understood: args.understood.clone(),
        reading: if args.lenient { Reading::Lenient } else { Reading::Strict },
        tls: tls(&target, &args.tls)?,
        limits,
    };
    let model = match &args.description {
        Some(path) => describe::model(path, terminal)?,
        None if describe::is_of_host(&args.method) => describe::of_host(&args.method, terminal)?,
        None => match Host::new(target.clone(), &options, terminal)? {
            Some(host) => host.model_of(&args.method)?,
            None => None,
        },
    };
    let Some(model) = model else { return Ok(Outcome::Findings) };
    let wire = wire(args.wire, &target, &model)?;
    if args.lenient && wire != Wire::Soap {
        return Err(Failure::new("--lenient is for answers of the wire soap; the others are read strictly")
            .help("write --wire soap, or leave out --lenient"));
    }
    let called = called(&model, &args.method)?;
    let stream = called.method().stream_parameter();
    if stream.is_some() && ["-", "@-"].contains(&args.request.as_str()) {
        return Err(Failure::new("standard input has the items of the stream, and not the request")
            .help("write the request as an argument, or as @FILE"));
    }
    let value = request(&args.request)?;
    if let Some(stream) = stream.filter(|stream| value.get(&stream.name).is_some()) {
        return Err(Failure::coded("invalid-value", format!("{} is a stream (at $.{0})", stream.name))
            .help("its items come from standard input, one JSON value per line"));
    }
    check(&called, &value, &limits).map_err(|error| failure(error, &called))?;
    let mut shown = Shown { terminal, verbose: args.verbose };
    let mut printed = Ok(());
    let ended = if called.method().has_streams() {
        // CALL-44
        options.deadline = deadline;
        let source = stream.map(|_| Box::new(Lines::of_standard_input()) as Box<dyn Source>);
        let mut sink = |items: Vec<Value>| {
            printed = print(&items, terminal);
            printed.is_ok()
        };
        let streams = Streams { source, sink: &mut sink };
        call_streams(&target, wire, &called, &value, streams, &options, &mut shown)
    } else {
        call(&target, wire, &called, &value, &options, &mut shown)
    };
    printed?;
    match ended {
        Ok(Answer::Result(value)) => {
            print(&[value], terminal)?;
            Ok(Outcome::Done)
        }
        Ok(Answer::Nothing) => Ok(Outcome::Done),
        Ok(Answer::Exception(value)) => {
            thrown(&value, terminal);
            Ok(Outcome::Exception)
        }
        Err(error) => Err(failure(error, &called)),
    }
}

/// Values, one per line, which are there when this returns.
fn print(values: &[Value], terminal: &Terminal) -> Result<(), Failure> {
    let lines: String = values.iter().map(|value| print_json(value) + "\n").collect();
    terminal.result(&lines)?;
    terminal.finish()
}

/// The wire: the requested one, or the default of the address.
fn wire(asked: Option<CallWire>, target: &Target, model: &CheckedModel) -> Result<Wire, Failure> {
    if let (Target::Http { .. }, Some(name)) = (target, own(model)) {
        return Err(Failure::new(format!("{name} is on the binary wire alone"))
            .help("write host:port, without http://; GET /healthz tells the health over HTTP"));
    }
    let usual = match target {
        Target::Tcp { .. } => CallWire::Binary,
        Target::Http { .. } if model.has_xml() => CallWire::Soap,
        Target::Http { .. } => CallWire::Json,
    };
    let over_http = matches!(target, Target::Http { .. });
    match asked.unwrap_or(usual) {
        CallWire::Binary if over_http => {
            Err(Failure::new("the binary wire does not go over HTTP")
                .help("write host:port, without http://"))
        }
        CallWire::Json | CallWire::Soap if !over_http => {
            Err(Failure::new("the wires json and soap go over HTTP alone")
                .help("write http://host:port, or https://"))
        }
        CallWire::Binary => Ok(Wire::Binary),
        CallWire::Json => Ok(Wire::Json),
        CallWire::Soap => Ok(Wire::Soap),
        CallWire::Tdxml => Err(Failure::new("`creo call` does not speak the wire tdxml")
            .help("a generated client does; here --wire json and the binary wire carry the same values")),
    }
}

fn request(text: &str) -> Result<Value, Failure> {
    let text = input::argument(if text == "-" { "@-" } else { text })?;
    parse_json(&text).map_err(|error| {
        Failure::coded("invalid-value", format!("the request is not JSON: {error}"))
            .help("the parameters are the members of one object: '{\"city\": \"Oslo\"}'")
    })
}

/// A declared exception is neither a result nor a failure of the program.
fn thrown(value: &Value, terminal: &Terminal) {
    match terminal.errors {
        ErrorFormat::Json | ErrorFormat::Msbuild => {
            terminal.message_object(&json!({ "severity": "exception", "exception": value }));
        }
        ErrorFormat::Text => {
            let head = terminal.paint_message(Paint::Yellow, "exception");
            terminal.message(&format!("{head}: {}", print_json(value)));
        }
    }
}

/// The host's own interface, if the model is that one.
fn own(model: &CheckedModel) -> Option<String> {
    let name = model.interface_name(model.interfaces.first()?);
    ["creo.health.Health", "creo.reflection.Reflection"].contains(&name.as_str()).then_some(name)
}
