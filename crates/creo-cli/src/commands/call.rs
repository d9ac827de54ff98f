//! `creo call`

use crate::args::ErrorFormat;
use crate::args_call::{CallArgs, CallWire};
use crate::failure::{Failure, Outcome};
use crate::reflection::Host;
use crate::terminal::{Paint, Terminal};
use crate::{describe, input, type_text};
use creo_call::{Answer, CallError, Called, Options, Side, Target, Trace, Wire, call, check};
use creo_check::CheckedModel;
use creo_inspect::{Limits, Section, Style, render};
use creo_json::{parse_json, print_json};
use serde_json::{Value, json};
use std::time::Duration;

/// Items of an array that are listed with --verbose.
const SHOWN_ITEMS: usize = 10;
/// Bytes of a body of text that are shown with --verbose.
const SHOWN_TEXT: usize = 64 << 10;

/// Calls a method, and prints what it returns as JSON.
pub fn run(args: &CallArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let target = target(&args.target)?;
    let limits = Limits::default();
    let options = Options {
        deadline: Duration::from_secs_f64(args.deadline),
        metadata: args.metadata.clone(),
        headers: args.header.clone(),
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
    let called = called(&model, &args.method)?;
    let value = request(&args.request)?;
    check(&called, &value, &limits).map_err(|error| failure(error, &called))?;
    let mut shown = Shown { terminal, verbose: args.verbose };
    match call(&target, wire, &called, &value, &options, &mut shown) {
        Ok(Answer::Result(value)) => {
            terminal.result(&format!("{}\n", print_json(&value)))?;
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

pub fn target(text: &str) -> Result<Target, Failure> {
    Target::parse(text).map_err(|why| Failure::new(format!("{text:?} is no address of a service: {why}")))
}

/// The wire: the one that was asked for, or the usual one of the address.
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
            Err(Failure::new("the wires json and soap go over HTTP alone").help("write http://host:port"))
        }
        CallWire::Binary => Ok(Wire::Binary),
        CallWire::Json => Ok(Wire::Json),
        CallWire::Soap => Ok(Wire::Soap),
        CallWire::Tdxml => Err(Failure::new("`creo call` does not speak the wire tdxml")
            .help("a generated client does; here --wire json and the binary wire carry the same values")),
    }
}

pub fn called<'m>(model: &'m CheckedModel, name: &str) -> Result<Called<'m>, Failure> {
    let (interface, method) = type_text::find_method(model, name)?;
    let at = model.interfaces.iter().position(|each| std::ptr::eq(each, interface));
    let of = interface.methods.iter().position(|each| std::ptr::eq(each, method));
    match (at, of) {
        (Some(interface), Some(method)) => Ok(Called { model, interface, method }),
        _ => Err(Failure::new(format!("the description has no method {name:?}"))),
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

pub fn failure(error: CallError, called: &Called<'_>) -> Failure {
    let by = if error.from_peer { "the service says: " } else { "" };
    let failed = Failure::coded(error.code, format!("{by}{error}"));
    if error.code != "unknown-method" || !error.from_peer {
        let details: Vec<String> = error
            .details
            .iter()
            .filter(|(key, _)| !["place", "offset", "peer"].contains(&key.as_str()))
            .map(|(key, value)| format!("{key}: {value}"))
            .collect();
        return if details.is_empty() { failed } else { failed.help(details.join("; ")) };
    }
    // ERR-5
    let interface = called.interface();
    let (name, own) = (called.model.interface_name(interface), format!("{:016x}", interface.fingerprint));
    let offers = error.details.iter().filter(|(key, _)| key.contains('.') || *key == name);
    let offered: Vec<String> = offers.map(|(key, value)| format!("{key} ({value})")).collect();
    let mut help = format!("{} of {name} ({own}) was called; ", called.method().name);
    let other = error.details.iter().find(|(key, _)| *key == name).filter(|(_, theirs)| *theirs != own);
    if offered.is_empty() {
        help.push_str("the service does not say what it offers");
    } else {
        help.push_str(&format!("the service offers {}", offered.join(", ")));
    }
    if other.is_some() {
        help.push_str("; it was generated from another description of the interface");
    }
    failed.help(help)
}

/// The interface that hosts have of their own, if the model is its.
fn own(model: &CheckedModel) -> Option<String> {
    let name = model.interface_name(model.interfaces.first()?);
    ["creo.health.Health", "creo.reflection.Reflection"].contains(&name.as_str()).then_some(name)
}

/// Shows on standard error what is sent and received.
pub struct Shown<'t> {
    pub terminal: &'t Terminal,
    pub verbose: bool,
}

impl Shown<'_> {
    fn mark(side: Side) -> &'static str {
        match side {
            Side::Client => ">",
            Side::Service => "<",
        }
    }
}

impl Trace for Shown<'_> {
    fn bytes(&mut self, side: Side, sections: &[Section]) {
        if !self.verbose || sections.is_empty() {
            return;
        }
        let style = if self.terminal.colour_err() { Style::Coloured } else { Style::Plain };
        let text = render(sections, style);
        self.terminal.message(&format!("{} {}", Shown::mark(side), text.trim_end()));
    }

    fn text(&mut self, side: Side, text: &[u8]) {
        if !self.verbose {
            return;
        }
        let cut = &text[..text.len().min(SHOWN_TEXT)];
        let mark = Shown::mark(side);
        for line in String::from_utf8_lossy(cut).lines() {
            self.terminal.message(&format!("{mark} {}", creo_diag::escape_controls(line)));
        }
        if cut.len() < text.len() {
            self.terminal.message(&format!("{mark} and {} more bytes", text.len() - cut.len()));
        }
    }

    fn items(&self) -> usize {
        if self.verbose { SHOWN_ITEMS } else { 0 }
    }
}
