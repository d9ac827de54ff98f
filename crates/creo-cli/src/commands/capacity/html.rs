//! Capacity as one page that opens without a network: the verdict, a plot of response times against the load, and the tables.

use super::answer::{Answer, Row};
use super::{text, verdict};
use crate::commands::estimate::time;
use crate::page::{self, escaped};
use crate::plot::{Line, MAX_LINES, Mark, Plot, Scale};

pub fn render(answer: &Answer<'_>) -> String {
    let named = if answer.profile.is_some() { 3 } else { 2 };
    let mut out = page::begin("Capacity", &text::heading(answer), &verdict::verdict(answer));
    let drawn = drawn(answer);
    out.push_str("<h2>How slow are calls under more load?</h2>\n");
    out.push_str(&format!("<p>{}</p>\n", escaped(&conclusion(&drawn))));
    out.push_str(&plot(answer, &drawn));
    out.push_str("<h2>All bindings</h2>\n");
    out.push_str(&page::table(&text::cells(answer), named));
    if answer.request.calls.len() > 1 {
        out.push_str("<h2>Each method</h2>\n");
        out.push_str(&page::table(&text::methods(answer), named));
    }
    out.push_str(&page::end(&text::notes(answer)));
    out
}

/// The fastest row of each wire.
fn drawn<'a>(answer: &'a Answer<'_>) -> Vec<&'a Row> {
    let mut found: Vec<&Row> = Vec::new();
    for row in verdict::rows(answer) {
        if found.iter().all(|known| known.case.binding.wire != row.case.binding.wire) {
            found.push(row);
        }
    }
    found.truncate(MAX_LINES);
    found
}

fn conclusion(drawn: &[&Row]) -> String {
    let ends: Vec<String> = drawn.iter().map(|row| verdict::limit(row)).collect();
    match ends.split_first() {
        None => String::new(),
        Some((first, rest)) if rest.iter().all(|end| end == first) => {
            format!("Each of these {first}.")
        }
        _ => {
            let told: Vec<String> =
                drawn.iter().zip(&ends).map(|(row, end)| format!("{} {end}", row.name())).collect();
            format!("{}.", told.join("; "))
        }
    }
}

fn plot(answer: &Answer<'_>, drawn: &[&Row]) -> String {
    let lines: Vec<Line> = drawn
        .iter()
        .map(|row| Line {
            name: row.name(),
            points: row.loads.iter().map(|load| (load.rate, load.outcome.p99.value)).collect(),
        })
        .collect();
    let given = answer.rate();
    let plot = Plot {
        lines: &lines,
        marks: &[Mark { at: given, label: format!("the load: {}/s", text::number(given)) }],
        goal: answer.request.goal.map(|goal| Mark { at: goal, label: format!("the goal: {}", time(goal)) }),
        scale: Scale::Linear,
        x: "calls a second",
        y: "99 of 100 calls take at most",
        y_label: &time,
    };
    plot.render()
}
