//! Estimates as one page that opens without a network: tables, and a plot of the cost against the length that grows.

use super::answer::{Answer, Growth};
use super::text;
use crate::failure::Failure;
use crate::page::{self, Drawing, Line, Scale, escaped, thickness};

pub fn render(answer: &Answer<'_>) -> Result<String, Failure> {
    let mut out = page::begin("Estimate", "What the methods cost");
    for (id, rows) in answer.methods() {
        out.push_str(&format!("<h2>{}</h2>\n", escaped(&answer.name(id))));
        out.push_str(&page::table(&text::cells(answer, &rows), if answer.profile.is_some() { 2 } else { 1 }));
        let growth = answer.over.as_ref().and_then(|(said, all)| {
            all.iter().find(|growth| growth.method == id).map(|growth| (said, growth))
        });
        if let Some((said, growth)) = growth {
            out.push_str(&plot(answer, said, growth)?);
            out.push_str("<ul>\n");
            if growth.crossovers.is_empty() {
                out.push_str("<li>The cheapest stays the same.</li>\n");
            }
            for c in &growth.crossovers {
                out.push_str(&format!(
                    "<li>From {} on, {} is cheaper than {}.</li>\n",
                    c.length,
                    escaped(&c.to),
                    escaped(&c.from)
                ));
            }
            out.push_str("</ul>\n");
        }
    }
    out.push_str(&page::end(&text::notes(answer)));
    Ok(out)
}

/// A line for each binding and target. Both axes are logarithmic: lengths and costs span powers of ten.
fn plot(answer: &Answer<'_>, said: &str, growth: &Growth) -> Result<String, Failure> {
    let timed = answer.profile.is_some();
    let label = |value: &f64| if timed { text::time(*value) } else { format!("{value:.0}") };
    let line = |(colour, series): (usize, &creo_cost::Series)| Line {
        name: series.name(),
        points: series.points.iter().map(|(x, y)| ((*x).max(1) as f64, *y)).collect(),
        colour,
        thick: thickness(colour),
    };
    let drawing = Drawing {
        lines: &growth.series.iter().enumerate().map(line).collect::<Vec<Line>>(),
        marks: &growth.crossovers.iter().map(|crossover| crossover.length as f64).collect::<Vec<f64>>(),
        scale: Scale::Logarithmic,
        x: &format!("length of {}", said.split('=').next().unwrap_or(said)),
        y: if timed { "total time of a call" } else { "bytes of a call" },
        y_label: &label,
    };
    drawing.svg()
}
