//! Plans as one page that opens without a network: tables, and a plot of response times against the load.

use super::answer::{Answer, Row};
use super::text;
use crate::commands::estimate::time;
use crate::failure::Failure;
use crate::page::{self, Drawing, Line, Scale, Thickness, escaped};

/// As many bindings and targets are drawn: more lines than colours cannot be told apart.
const DRAWN: usize = 8;

pub fn render(answer: &Answer<'_>) -> Result<String, Failure> {
    let named = if answer.profile.is_some() { 3 } else { 2 };
    let mut out = page::begin("Capacity", &text::heading(answer));
    out.push_str(&page::table(&text::cells(answer), named));
    out.push_str("<h2>Response time and load</h2>\n<p>Thick: the 99th percentile. Thin: the median. The vertical line: the load that was asked for.");
    if answer.rows.len() > DRAWN {
        out.push_str(&format!(" The first {DRAWN} of the table."));
    }
    out.push_str("</p>\n");
    out.push_str(&plot(answer)?);
    if answer.request.calls.len() > 1 {
        out.push_str(&format!("<h2>{}</h2>\n", escaped("Each method")));
        out.push_str(&page::table(&text::methods(answer), named));
    }
    out.push_str(&page::end(&text::notes(answer)));
    Ok(out)
}

fn plot(answer: &Answer<'_>) -> Result<String, Failure> {
    let lines = |(colour, row): (usize, &Row)| {
        let name = row
            .case
            .target
            .as_ref()
            .map_or_else(|| row.case.binding.to_string(), |target| format!("{target} {}", row.case.binding));
        let line = |name: String, thick: Thickness, of: fn(&creo_queue::Outcome) -> f64| Line {
            name,
            points: row.loads.iter().map(|load| (load.rate, of(&load.outcome))).collect(),
            colour,
            thick,
        };
        [
            line(name, Thickness::Thick, |found| found.p99.value),
            line(String::new(), Thickness::Thin, |found| found.median.value),
        ]
    };
    let lines: Vec<Line> = answer.rows.iter().take(DRAWN).enumerate().flat_map(lines).collect();
    let last = lines.iter().flat_map(|line| &line.points).map(|point| point.0).fold(0.0, f64::max);
    let given = answer.rate();
    // A load beyond all that can be served would stand outside.
    let marks: Vec<f64> = (given <= last).then_some(given).into_iter().collect();
    let drawing = Drawing {
        lines: &lines,
        marks: &marks,
        scale: Scale::Linear,
        x: "calls a second",
        y: "response time",
        y_label: &|value: &f64| time(*value),
    };
    drawing.svg()
}
