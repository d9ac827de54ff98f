//! Annotated bytes as text, field by field, and as JSON.

use crate::annotate::{Item, Section, What};
use crate::reader::bytes;
use creo_diag::escape_controls;
use serde_json::{Value, json};

/// The number of bytes per line of the listing.
const WIDTH: usize = 8;

/// The maximum number of bytes listed of one value.
const MAX_BYTES: usize = 32;

/// The maximum number of characters listed of one value.
const MAX_CHARS: usize = 60;

/// The maximum depth shown by indentation; deeper groups get this indentation.
const MAX_INDENT: usize = 40;

/// The style of the listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    /// For terminals: aggregated types and frames in red, as in the paper's figure; offsets dim.
    Coloured,
}

impl Style {
    fn paint(self, sequence: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Coloured if text.is_empty() => String::new(),
            Style::Coloured => format!("\u{1b}[{sequence}m{text}\u{1b}[0m"),
        }
    }
}

const RED: &str = "31";
const BOLD_RED: &str = "1;31";
const BOLD: &str = "1";
const DIM: &str = "2";

/// Writes sections as text: the offset, the bytes and their meaning, one line per item.
pub fn render(sections: &[Section], style: Style) -> String {
    let last = sections.iter().map(|s| s.base + s.bytes.len()).max().unwrap_or(0);
    let digits = last.to_string().len().max(6);
    let mut out = String::new();
    for section in sections {
        if !out.is_empty() {
            out.push('\n');
        }
        let size = section.bytes.len();
        let title = format!("{}, {}", escape_controls(&section.title), bytes(size));
        out.push_str(&style.paint(BOLD, &title));
        out.push_str("\n\n");
        for item in &section.items {
            render_item(&mut out, section, item, digits, style);
        }
        if let Some((at, error)) = &section.mistake {
            let next: &[u8] = &section.bytes[(*at).min(size)..];
            let offset = format!("{:>digits$}", section.base + at);
            let mark = style.paint(BOLD_RED, &escape_controls(&one_line(&error.to_string())));
            line(
                &mut out,
                &style.paint(DIM, &offset),
                &hex(&next[..next.len().min(WIDTH)]),
                &format!("^ {mark}"),
            );
        }
    }
    out
}

fn render_item(out: &mut String, section: &Section, item: &Item, digits: usize, style: Style) {
    let indent = "  ".repeat(item.depth.min(MAX_INDENT));
    let meaning = escape_controls(&meaning(item));
    if matches!(item.what, What::Group | What::Default) {
        let text = if item.what == What::Group { style.paint(RED, &meaning) } else { meaning };
        line(out, &" ".repeat(digits), "", &format!("{indent}{text}"));
        return;
    }
    let all = &section.bytes[item.start..item.end];
    let cut = all.len() > MAX_BYTES;
    let listed = if cut { &all[..MAX_BYTES - WIDTH] } else { all };
    let text =
        if matches!(item.what, What::Frame | What::Size) { style.paint(RED, &meaning) } else { meaning };
    let mut text = format!("{indent}{text}");
    if listed.is_empty() {
        line(out, &style.paint(DIM, &format!("{:>digits$}", section.base + item.start)), "", &text);
        return;
    }
    for (row, chunk) in listed.chunks(WIDTH).enumerate() {
        let offset = format!("{:>digits$}", section.base + item.start + row * WIDTH);
        line(out, &style.paint(DIM, &offset), &hex(chunk), &text);
        text.clear();
    }
    if cut {
        line(out, &" ".repeat(digits), &format!("... {} more", all.len() - listed.len()), "");
    }
}

fn line(out: &mut String, offset: &str, bytes: &str, text: &str) {
    let line = format!("{offset}  {bytes:<width$}  {text}", width = WIDTH * 3 - 1);
    out.push_str(line.trim_end());
    out.push('\n');
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ")
}

fn one_line(text: &str) -> String {
    text.replace('\n', "\\n")
}

fn meaning(item: &Item) -> String {
    let Item { label, ty, .. } = item;
    let value = item.value.as_ref().map(short).unwrap_or_default();
    match item.what {
        What::Group => format!("{label}: {ty}"),
        What::Scalar => format!("{label}: {ty} = {value}"),
        What::Count => format!("{label}: count of {ty} = {value}"),
        What::Size => format!("{label}: size of what follows = {value}"),
        What::Presence => match &item.value {
            Some(Value::Bool(true)) => format!("{label}: {ty}, is there"),
            _ => format!("{label}: {ty}, is not there"),
        },
        What::Index => format!("{label}: {ty} {value}"),
        What::Default => format!("{label}: {ty} = {value} (left out: its default)"),
        What::Unknown => format!("{label}: {ty}, {}", bytes(item.end - item.start)),
        What::Elided => format!("{label}: {value} more {ty}"),
        What::Frame => format!("{label} = {}", item.value.as_ref().map(plain).unwrap_or_default()),
    }
}

fn plain(value: &Value) -> String {
    if let Value::String(text) = value { text.clone() } else { value.to_string() }
}

/// A value on one line, shortened if long.
fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= MAX_CHARS {
        return text;
    }
    text.chars().take(MAX_CHARS - 3).chain("...".chars()).collect()
}

/// The items of a section as JSON: `[{"offset", "size", "depth", "place", "label", "what", "type", "value"}]`.
pub fn items_json(section: &Section) -> Value {
    let items = section.items.iter().map(|item| {
        let mut object = json!({
            "offset": section.base + item.start,
            "size": item.end - item.start,
            "depth": item.depth,
            "place": item.place,
            "label": item.label,
            "what": item.what.word(),
            "type": item.ty,
        });
        if let Some(value) = &item.value {
            object["value"] = value.clone();
        }
        object
    });
    Value::Array(items.collect())
}
