//! A host's description of its interfaces (SVC-10 to SVC-12). All of it comes from a peer: names and texts are checked before use.

use crate::calling::{Shown, called, failure};
use crate::describe;
use crate::failure::Failure;
use crate::terminal::Terminal;
use creo_call::{Answer, CallError, Called, Options, Target, Wire, call};
use creo_check::{CheckedModel, LoadError};
use creo_json::parse_json;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A host with reflection.
pub struct Host<'a> {
    target: Target,
    model: CheckedModel,
    options: Options,
    terminal: &'a Terminal,
}

impl<'a> Host<'a> {
    /// A host by an address of any wire: it answers on the binary one. `None` after a reported error.
    pub fn new(
        target: Target,
        options: &Options,
        terminal: &'a Terminal,
    ) -> Result<Option<Host<'a>>, Failure> {
        let target = match target {
            Target::Http { host, port, tls, .. } => Target::Tcp { host, port, tls },
            tcp => tcp,
        };
        // HTTP header fields are useless there.
        let options = Options { headers: Vec::new(), login: None, ..options.clone() };
        let model = describe::of_host("creo.reflection", terminal)?;
        Ok(model.map(|model| Host { target, model, options, terminal }))
    }

    /// The fingerprint of each interface, by its full name.
    pub fn interfaces(&self) -> Result<Map<String, Value>, Failure> {
        self.texts("interfaces")
    }

    /// The id of each method, by its full name.
    pub fn methods(&self) -> Result<Map<String, Value>, Failure> {
        self.texts("methods")
    }

    fn texts(&self, method: &str) -> Result<Map<String, Value>, Failure> {
        match self.ask(method, &json!({}))? {
            Value::Object(texts) => Ok(texts),
            _ => Err(Failure::new("the host does not tell what it serves")),
        }
    }

    /// The files of an interface's description, by name; `None` if the host does not have them.
    pub fn description(&self, interface: &str) -> Result<Option<BTreeMap<String, String>>, Failure> {
        let answer = self.ask("description", &json!({ "interfaceName": interface }))?;
        let text = answer.as_str().unwrap_or_default();
        if text.is_empty() {
            return Ok(None);
        }
        let wrong = |what: &str| Failure::new(format!("the host's description of {interface:?} {what}"));
        let Ok(Value::Object(files)) = parse_json(text) else { return Err(wrong("is no JSON object")) };
        let mut named = BTreeMap::new();
        for (name, text) in files {
            let Value::String(text) = text else { return Err(wrong(&format!("has no text for {name:?}"))) };
            if !is_name(&name) {
                return Err(wrong(&format!("has a file {name:?}, which is no name of a description")));
            }
            named.insert(name, text);
        }
        Ok(Some(named))
    }

    /// The model of the interface with a method: `find`, `Lab.find` or the full name. `None` after errors in it, which were reported.
    pub fn model_of(&self, method: &str) -> Result<Option<CheckedModel>, Failure> {
        let methods = self.methods()?;
        let having: Vec<&str> = methods
            .keys()
            .filter(|full| *full == method || full.ends_with(&format!(".{method}")))
            .filter_map(|full| full.rsplit_once('.').map(|(interface, _)| interface))
            .collect();
        let interface = match having[..] {
            [interface] => interface,
            [] => {
                return Err(Failure::new(format!("the host has no method {method:?}"))
                    .help("`creo list` shows which it has"));
            }
            _ => {
                return Err(Failure::new(format!("several interfaces of the host have a method {method:?}"))
                    .help(format!("they are {}", having.join(", "))));
            }
        };
        let Some(files) = self.description(interface)? else {
            return Err(Failure::new(format!("the host does not have the description of {interface:?}"))
                .help("give its description or its WSDL with --description FILE"));
        };
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        let mut load = |asked: &str| {
            let text = files.get(asked).ok_or(LoadError::NotFound)?;
            Ok(text.clone().into_bytes())
        };
        let Some(model) = describe::compiled(&names, &mut load, self.terminal)? else { return Ok(None) };
        let print = self.interfaces()?.get(interface).cloned().unwrap_or_default();
        let own = model.interfaces.iter().find(|own| model.interface_name(own) == *interface);
        if own.is_none_or(|own| print != json!(format!("{:016x}", own.fingerprint))) {
            return Err(Failure::new(format!(
                "the host's description of {interface:?} is not of what it serves"
            )));
        }
        Ok(Some(model))
    }

    fn ask(&self, method: &str, value: &Value) -> Result<Value, Failure> {
        let called = called(&self.model, method)?;
        let mut shown = Shown { terminal: self.terminal, verbose: false };
        match call(&self.target, Wire::Binary, &called, value, &self.options, &mut shown) {
            Ok(Answer::Result(value)) => Ok(value),
            Ok(_) => Err(Failure::new("the host does not tell what it serves")),
            Err(error) => Err(switched_off(&error, &called).unwrap_or_else(|| failure(error, &called))),
        }
    }
}

/// A host without reflection still names its interfaces in this error (ERR-5).
fn switched_off(error: &CallError, called: &Called<'_>) -> Option<Failure> {
    if error.code != "unknown-method" || !error.from_peer {
        return None;
    }
    let offers: Vec<&str> =
        error.details.iter().map(|(key, _)| key.as_str()).filter(|key| key.contains('.')).collect();
    let what = if called.method().name == "description" { "descriptions" } else { "methods" };
    let failed = Failure::coded(
        "unknown-method",
        format!("the host does not tell its {what}: reflection is not switched on there"),
    );
    let serves = if offers.is_empty() { String::new() } else { format!("it serves {}; ", offers.join(", ")) };
    Some(failed.help(format!("{serves}to call it, give its description or its WSDL with --description FILE")))
}

/// Whether a host's name for a file is safe: a path below a folder, which leads nowhere else.
fn is_name(name: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part != "." && part != "..";
    name.ends_with(".creo")
        && name.len() <= 1_024
        && !name.contains(['\\', ':'])
        && !name.chars().any(char::is_control)
        && name.split('/').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_lead_nowhere_else() {
        for fine in ["lab.creo", "types/t.creo", "\u{fc}ber/a b.creo"] {
            assert!(is_name(fine), "{fine}");
        }
        for wrong in [
            "",
            "/etc/x.creo",
            "../x.creo",
            "a/../../x.creo",
            "a//b.creo",
            "./a.creo",
            "C:/x.creo",
            "a\\b.creo",
            "a\n.creo",
            "x.txt",
            ".creo/",
            "a/\u{1b}.creo",
        ] {
            assert!(!is_name(wrong), "{wrong}");
        }
    }
}
