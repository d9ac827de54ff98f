//! `creo inspect`

use super::inspect_log::{self, section_json};
use crate::args::{InspectArgs, InspectFormat};
use crate::failure::{Failure, Outcome};
use crate::terminal::Terminal;
use crate::{hexdump, input, type_text};
use creo_check::CheckedModel;
use creo_inspect::{
    Envelope, Limits, PREAMBLE, Section, Style, Subject, WireError, annotate, encode, frame, read_stream,
    render, sample, spell,
};
use creo_json::{parse_json, print_json};
use creo_model::{Interface, Method};
use serde_json::{Map, Value, json};

/// The deadline in the frame of an example: the default of LIM-12, in milliseconds.
const DEADLINE: u32 = 60_000;

/// Shows a value, a body, or frames, byte by byte.
pub fn run(args: &InspectArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    input::with_model(&args.file, terminal, |model| {
        if let Some(log) = &args.log {
            return inspect_log::run(model, args, &input::argument(log)?, terminal);
        }
        let ty = args.ty.as_deref().map(|text| type_text::parse(model, text)).transpose()?;
        let method = args.method.as_deref().map(|name| type_text::find_method(model, name)).transpose()?;
        let inspection = Inspection { model, args, limits: Limits::default() };
        let shown = match (&ty, method) {
            (Some(ty), _) => inspection.body(&Subject::Type(ty), None)?,
            (None, Some((interface, method))) => inspection.message(interface, method)?,
            (None, None) if args.frame => inspection.frames(&inspection.bytes()?, None),
            (None, None) => {
                return Err(Failure::new("what the bytes are is not said")
                    .help("give --type or --method, or --frame for whole frames"));
            }
        };
        shown.write(args.format, terminal)
    })
}

struct Inspection<'a> {
    model: &'a CheckedModel,
    args: &'a InspectArgs,
    limits: Limits,
}

impl Inspection<'_> {
    fn message(&self, interface: &Interface, method: &Method) -> Result<Shown, Failure> {
        let (subject, envelope) = match (self.args.response, self.args.exception) {
            (true, _) => (Subject::Response(method), Envelope::Response),
            (_, true) => (Subject::Exception(method), Envelope::Exception),
            _ => (
                Subject::Request(method),
                Envelope::Request { method, milliseconds: DEADLINE, metadata: &[] },
            ),
        };
        if method.oneway && !matches!(subject, Subject::Request(_)) {
            return Err(Failure::new(format!("{} is oneway: it has requests alone", method.name)));
        }
        if !self.args.frame {
            return self.body(&subject, Some((interface, method)));
        }
        if self.args.hex.is_some() {
            return Ok(self.frames(&self.bytes()?, Some(method)));
        }
        let mut bytes = PREAMBLE.to_vec();
        bytes.extend(frame(&envelope, 1, &self.encoded(&subject)?));
        Ok(self.frames(&bytes, Some(method)))
    }

    /// A value or body: from a value, from bytes, or an example.
    fn body(&self, subject: &Subject<'_>, method: Option<(&Interface, &Method)>) -> Result<Shown, Failure> {
        let bytes = if self.args.hex.is_some() { self.bytes()? } else { self.encoded(subject)? };
        let (section, outcome) = annotate(self.model, subject, &bytes, &self.limits, self.args.items);
        let mut about = Map::new();
        match (subject, method) {
            (Subject::Type(ty), _) => {
                about.insert("type".into(), spell(self.model, ty).into());
            }
            (_, Some((interface, method))) => {
                about.insert(
                    "method".into(),
                    format!("{}.{}", self.model.interface_name(interface), method.name).into(),
                );
                about.insert("id".into(), format!("{:016x}", method.id).into());
            }
            (_, None) => {}
        }
        if let Ok(value) = &outcome {
            about.insert("value".into(), value.clone());
        }
        Ok(Shown { about, bytes, sections: vec![section] })
    }

    fn frames(&self, bytes: &[u8], method: Option<&Method>) -> Shown {
        let conversation = read_stream(self.model, bytes, method, &self.limits, self.args.items);
        let messages = conversation.messages.iter().map(|message| {
            let mut object = json!({ "kind": message.kind, "call": message.call });
            let parts = [
                ("method", message.method.clone().map(Value::from)),
                ("milliseconds", message.milliseconds.map(Value::from)),
                (
                    "metadata",
                    Some(Value::Object(message.metadata.clone())).filter(|_| !message.metadata.is_empty()),
                ),
                ("value", message.value.clone()),
            ];
            for (name, part) in parts {
                if let Some(part) = part {
                    object[name] = part;
                }
            }
            object
        });
        let about = [("messages".to_owned(), messages.collect())].into_iter().collect();
        Shown { about, bytes: bytes.to_vec(), sections: conversation.sections }
    }

    fn bytes(&self) -> Result<Vec<u8>, Failure> {
        match &self.args.hex {
            Some(text) => hexdump::parse(&input::argument(text)?).map_err(Failure::new),
            None => Err(Failure::new("a value alone is no message")
                .help("give the method of the value with --method")),
        }
    }

    fn encoded(&self, subject: &Subject<'_>) -> Result<Vec<u8>, Failure> {
        let value = match &self.args.value {
            Some(text) => parse_json(&input::argument(text)?)
                .map_err(|e| Failure::new(format!("the value is not JSON: {e}")))?,
            None => sample(self.model, subject).ok_or_else(|| Failure::new(no_sample(subject)))?,
        };
        encode(self.model, subject, &value, &self.limits).map_err(|e| Failure::new(e.to_string()))
    }
}

fn no_sample(subject: &Subject<'_>) -> String {
    match subject {
        Subject::Exception(method) => format!("{} throws nothing", method.name),
        Subject::Type(_) | Subject::Items(_) | Subject::Request(_) | Subject::Response(_) => {
            "even the smallest value is too large to be an example".to_owned()
        }
    }
}

/// Output in one of the formats.
struct Shown {
    about: Map<String, Value>,
    bytes: Vec<u8>,
    sections: Vec<Section>,
}

impl Shown {
    fn write(mut self, format: InspectFormat, terminal: &Terminal) -> Result<Outcome, Failure> {
        let mistakes: Vec<WireError> =
            self.sections.iter().filter_map(|s| s.mistake.as_ref().map(|(_, error)| error.clone())).collect();
        let hex: String = self.bytes.iter().map(|b| format!("{b:02x}")).collect();
        match format {
            InspectFormat::Text => {
                let style = if terminal.colour_out() { Style::Coloured } else { Style::Plain };
                terminal.result(&render(&self.sections, style))?;
            }
            InspectFormat::Hex => {
                terminal.result(&format!("{hex}\n"))?;
                mistakes.iter().for_each(|error| terminal.failure(&Failure::new(error.to_string())));
            }
            InspectFormat::Json => {
                self.about.insert("bytes".into(), hex.into());
                let sections = self.sections.iter().map(section_json);
                self.about.insert("sections".into(), sections.collect());
                terminal.result(&format!("{}\n", pretty(&self.about)))?;
            }
        }
        Ok(Outcome::found(!mistakes.is_empty()))
    }
}

/// Readable JSON: one line per member, and per item of a section.
fn pretty(members: &Map<String, Value>) -> String {
    let line =
        |indent: &str, name: &str, text: &str| format!("\n{indent}{}: {text}", print_json(&name.into()));
    let joined = |indent: &str, items: Vec<String>| {
        if items.is_empty() { "[]".to_owned() } else { format!("[{}\n{indent}]", items.join(",")) }
    };
    let section = |section: &Value| {
        let Value::Object(members) = section else { return print_json(section) };
        let members = members.iter().map(|(name, member)| match member {
            Value::Array(items) => line(
                "      ",
                name,
                &joined(
                    "      ",
                    items.iter().map(|item| format!("\n        {}", print_json(item))).collect(),
                ),
            ),
            other => line("      ", name, &print_json(other)),
        });
        format!("\n    {{{}\n    }}", members.collect::<Vec<_>>().join(","))
    };
    let members = members.iter().map(|(name, member)| match member {
        Value::Array(sections) if name == "sections" => {
            line("  ", name, &joined("  ", sections.iter().map(section).collect()))
        }
        Value::Array(messages) if name == "messages" => line(
            "  ",
            name,
            &joined("  ", messages.iter().map(|message| format!("\n    {}", print_json(message))).collect()),
        ),
        other => line("  ", name, &print_json(other)),
    });
    format!("{{{}\n}}", members.collect::<Vec<_>>().join(","))
}
