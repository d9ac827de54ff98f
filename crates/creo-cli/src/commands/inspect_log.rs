//! `creo inspect --log`: the messages of the binary wire in a log of raw messages.

use crate::args::{InspectArgs, InspectFormat};
use crate::failure::{Failure, Outcome};
use crate::terminal::Terminal;
use creo_check::CheckedModel;
use creo_diag::escape_controls;
use creo_inspect::{Limits, Logged, Section, Style, items_json, read_log, render};
use creo_json::print_json;
use creo_model::Method;
use serde_json::{Map, Value, json};

/// Shows each message of the binary wire in a log (CALL-68).
pub fn run(
    model: &CheckedModel,
    args: &InspectArgs,
    log: &str,
    terminal: &Terminal,
) -> Result<Outcome, Failure> {
    if args.format == InspectFormat::Hex {
        return Err(Failure::new("a log is more than the bytes of one message")
            .help("give --format text or --format json"));
    }
    let found =
        read_log(log).map_err(|e| Failure::new(format!("line {} of the log: {}", e.line, e.message)))?;
    if found.is_empty() {
        return Err(Failure::new("the log has no message of the binary wire")
            .help("a message begins with a line such as `sent request of METHOD to PEER, 4 bytes`"));
    }
    let shown: Vec<_> = found.iter().map(|message| Shown::new(model, message, args.items)).collect();
    match args.format {
        InspectFormat::Text | InspectFormat::Hex => {
            let style = if terminal.colour_out() { Style::Coloured } else { Style::Plain };
            let texts: Vec<_> = shown.iter().map(|each| each.text(style)).collect();
            terminal.result(&texts.join("\n"))?;
        }
        InspectFormat::Json => {
            let messages: Vec<_> =
                shown.iter().map(|each| format!("\n  {}", print_json(&each.json()))).collect();
            terminal.result(&format!("{{\"messages\": [{}\n]}}\n", messages.join(",")))?;
        }
    }
    let wrong = |each: &Shown<'_>| each.section.as_ref().is_some_and(|section| section.mistake.is_some());
    Ok(Outcome::found(shown.iter().any(wrong)))
}

/// A section as JSON.
pub(super) fn section_json(section: &Section) -> Value {
    let mut object = json!({ "title": section.title, "items": items_json(section) });
    if let Some((at, error)) = &section.mistake {
        object["error"] = json!({ "code": error.code.word(), "place": error.place, "offset": error.offset, "position": section.base + at, "message": error.message });
    }
    object
}

/// A message with what is known of its bytes.
struct Shown<'a> {
    message: &'a Logged,
    section: Option<Section>,
    value: Option<Value>,
    /// What is missing, and why.
    note: Option<String>,
}

impl<'a> Shown<'a> {
    fn new(model: &CheckedModel, message: &'a Logged, items: usize) -> Shown<'a> {
        let method = find(model, message);
        let read = message.annotate(model, method, &Limits::default(), items);
        let (section, value, note) = match (&message.hidden, read) {
            (Some(reason), _) => (None, None, Some(format!("the body is not shown: {reason}"))),
            (None, None) if method.is_none() => {
                (None, None, Some("the description has no such method".to_owned()))
            }
            (None, None) => {
                (None, None, Some(format!("a message of the kind {:?} is not known", message.kind())))
            }
            (None, Some((section, value))) => {
                let cut = format!("cut: {} more bytes were left out of the log", message.cut);
                (Some(section), value, Some(cut).filter(|_| message.cut > 0))
            }
        };
        Shown { message, section, value, note }
    }

    fn text(&self, style: Style) -> String {
        let mut text = format!("{}\n", escape_controls(&self.message.head));
        for (name, value) in &self.message.fields {
            text.push_str(&escape_controls(&format!("{name}: {value}")));
            text.push('\n');
        }
        if let Some(section) = &self.section {
            text.push('\n');
            text.push_str(&render(std::slice::from_ref(section), style));
        }
        if let Some(note) = &self.note {
            text.push_str(&format!("\n({})\n", escape_controls(note)));
        }
        text
    }

    fn json(&self) -> Value {
        let message = self.message;
        let fields: Vec<Value> = message.fields.iter().map(|(name, value)| json!([name, value])).collect();
        let mut object = Map::new();
        object.insert("line".into(), message.line.into());
        object.insert("message".into(), message.head.as_str().into());
        object.insert("kind".into(), message.kind().into());
        object.insert("length".into(), message.length.into());
        object.insert("fields".into(), fields.into());
        let parts = [
            ("method", message.method.as_deref().map(Value::from)),
            ("value", self.value.clone()),
            ("section", self.section.as_ref().map(section_json)),
            ("note", self.note.as_deref().map(Value::from)),
        ];
        object.extend(parts.into_iter().filter_map(|(name, part)| Some((name.to_owned(), part?))));
        object.into()
    }
}

/// The method of a message, by its full name or, over JMS, by its id.
fn find<'m>(model: &'m CheckedModel, message: &Logged) -> Option<&'m Method> {
    let mut all = model.interfaces.iter().flat_map(|i| i.methods.iter().map(move |m| (i, m)));
    let id = message.field("Creo_method").and_then(|text| u64::from_str_radix(text, 16).ok());
    let found = match &message.method {
        Some(name) => all.find(|(i, m)| format!("{}.{}", model.interface_name(i), m.name) == *name),
        None => all.find(|(_, m)| Some(m.id) == id),
    };
    found.map(|(_, method)| method)
}
