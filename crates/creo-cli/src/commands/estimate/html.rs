//! Estimates as one page that opens without a network: the verdict, a plot of the cost against the growing length for each method, and the tables.

use super::answer::{Answer, Growth};
use super::text::{self, TOO_LONG};
use super::verdict;
use crate::page::{self, escaped};
use crate::plot::{Line, MAX_LINES, Mark, Plot, Scale};
use creo_cost::{Row, Series};

pub fn render(answer: &Answer<'_>) -> String {
    let mut out = page::begin("Estimate", "What the methods cost", &verdict::verdict(answer));
    for (id, rows) in answer.methods() {
        out.push_str(&format!("<h2>{}</h2>\n", escaped(&answer.name(id))));
        let growth = answer.over.as_ref().and_then(|(said, all)| {
            all.iter().find(|growth| growth.method == id).map(|growth| (said, growth))
        });
        if let Some((said, growth)) = growth {
            out.push_str(&plot(answer, said, growth));
        }
        out.push_str(&tables(answer, &rows));
    }
    out.push_str(&page::end(&text::notes(answer)));
    out
}

/// The rows of the representative target, and those of all, folded.
fn tables(answer: &Answer<'_>, rows: &[&Row]) -> String {
    let named = if answer.profile.is_some() { 2 } else { 1 };
    let all = page::table(&text::cells(answer, rows), named);
    let target = verdict::standing(rows.iter().filter_map(|row| row.target.as_deref()));
    let standing: Vec<&Row> = rows.iter().copied().filter(|row| row.target.as_deref() == target).collect();
    if standing.len() == rows.len() {
        return all;
    }
    format!(
        "{}<details><summary>All {} rows, of every target</summary>\n{all}</details>\n",
        page::table(&text::cells(answer, &standing), named),
        rows.len()
    )
}

/// A sentence about the plot, and a line for each wire. Both axes are logarithmic: lengths and costs span powers of ten.
fn plot(answer: &Answer<'_>, said: &str, growth: &Growth) -> String {
    let timed = answer.profile.is_some();
    let label = |value: f64| if timed { text::time(value) } else { format!("{value:.0}") };
    let drawn = drawn(&growth.series);
    let lines: Vec<Line> = drawn
        .iter()
        .map(|series| Line {
            name: series.name(),
            points: series.points.iter().map(|(x, y)| ((*x).max(1) as f64, *y)).collect(),
        })
        .collect();
    let path = said.split('=').next().unwrap_or(said);
    let changes = changes(&lines);
    let mut sentences: Vec<String> = Vec::new();
    if lines.is_empty() {
        sentences.push(format!("A message has {TOO_LONG} at every length, and cannot be sent."));
    }
    if let Some((_, name)) = changes.first() {
        let end = if changes.len() == 1 { " at every length drawn" } else { "" };
        sentences.push(format!("{name} is the cheapest{end}."));
    }
    for (at, name) in changes.iter().skip(1) {
        sentences.push(format!("From about {at} on it is {name}."));
    }
    for found in growth.overtaking() {
        sentences
            .push(format!("Exactly: from {} on, {} is cheaper than {}.", found.length, found.to, found.from));
    }
    let marks: Vec<Mark> = changes
        .iter()
        .skip(1)
        .map(|(at, name)| Mark { at: *at, label: format!("from here {name}") })
        .collect();
    let plot = Plot {
        lines: &lines,
        marks: &marks,
        goal: None,
        scale: Scale::Logarithmic,
        x: &format!("length of {path}"),
        y: if timed { "total time of a call" } else { "bytes of a call" },
        y_label: &label,
    };
    format!("<p>{}</p>\n{}", escaped(&sentences.join(" ")), plot.render())
}

/// One target, since targets do not compete; and for each wire the transport on which it is cheapest at the end. Lines that end earlier, where
/// messages become too long, follow the others: so the first line has a point for each length.
fn drawn(all: &[Series]) -> Vec<&Series> {
    let last = |series: &Series| series.points.last().map_or(f64::INFINITY, |point| point.1);
    let target = verdict::standing(all.iter().filter_map(|series| series.target.as_deref()));
    let mut of_target: Vec<&Series> =
        all.iter().filter(|series| series.target.as_deref() == target).collect();
    of_target.sort_by(|a, b| b.points.len().cmp(&a.points.len()).then(last(a).total_cmp(&last(b))));
    let mut found: Vec<&Series> = Vec::new();
    for series in of_target {
        if found.iter().all(|known| known.binding.wire != series.binding.wire) {
            found.push(series);
        }
    }
    // The last one shows the cost of a bad choice.
    if found.len() > MAX_LINES {
        found.drain(MAX_LINES - 1..found.len() - 1);
    }
    found
}

/// Where the lowest line changes; the first is the start of the lines.
fn changes(lines: &[Line]) -> Vec<(f64, &str)> {
    let mut found: Vec<(f64, &str)> = Vec::new();
    let Some(first) = lines.first() else { return found };
    for (number, (x, _)) in first.points.iter().enumerate() {
        let at = |line: &Line| line.points.get(number).map_or(f64::INFINITY, |point| point.1);
        let lowest = lines.iter().min_by(|a, b| at(a).total_cmp(&at(b)));
        if let Some(line) = lowest.filter(|line| found.last().is_none_or(|(_, name)| *name != line.name)) {
            found.push((*x, &line.name));
        }
    }
    found
}
