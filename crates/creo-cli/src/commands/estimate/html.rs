//! Estimates as one page that opens without a network: tables, and a plot of the cost against the length that grows.

use super::{Answer, Growth, text};
use crate::failure::Failure;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const STYLE: &str = "body{font:16px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color:#1b1b1f;background:#fff}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.25rem .7rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}th{background:#f4f4f6}\
td.name,th.name{text-align:left}.wide{overflow-x:auto}svg{max-width:100%;height:auto}footer{margin-top:2rem;color:#555;font-size:.9rem}";

pub fn render(answer: &Answer<'_>) -> Result<String, Failure> {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Estimate</title><style>{STYLE}</style></head><body>\n<h1>What the methods cost</h1>\n"
    );
    for (id, rows) in answer.methods() {
        out.push_str(&format!("<h2>{}</h2>\n<div class=\"wide\"><table>\n", escaped(&answer.name(id))));
        for (number, cells) in text::cells(answer, &rows).iter().enumerate() {
            let tag = if number == 0 { "th" } else { "td" };
            let named = if answer.profile.is_some() { 2 } else { 1 };
            let cell = |(i, cell): (usize, &String)| {
                let class = if i < named { " class=\"name\"" } else { "" };
                format!("<{tag}{class}>{}</{tag}>", escaped(cell))
            };
            out.push_str(&format!("<tr>{}</tr>\n", cells.iter().enumerate().map(cell).collect::<String>()));
        }
        out.push_str("</table></div>\n");
        let growth = answer.over.as_ref().and_then(|(said, all)| all.iter().find(|growth| growth.method == id).map(|growth| (said, growth)));
        if let Some((said, growth)) = growth {
            out.push_str(&plot(answer, said, growth)?);
            out.push_str("<ul>\n");
            if growth.crossovers.is_empty() {
                out.push_str("<li>The cheapest stays the same.</li>\n");
            }
            for c in &growth.crossovers {
                out.push_str(&format!("<li>From {} on, {} is cheaper than {}.</li>\n", c.length, escaped(&c.to), escaped(&c.from)));
            }
            out.push_str("</ul>\n");
        }
    }
    out.push_str(&format!(
        "<footer>{}</footer>\n</body></html>\n",
        text::notes(answer).iter().map(|note| escaped(note)).collect::<Vec<_>>().join("<br>\n")
    ));
    Ok(out)
}

/// A drawing in the page itself. Both axes are logarithmic: lengths and costs span powers of ten.
fn plot(answer: &Answer<'_>, said: &str, growth: &Growth) -> Result<String, Failure> {
    let points = || growth.series.iter().flat_map(|series| series.points.iter());
    let (Some(first), Some(last)) = (points().map(|p| p.0).min(), points().map(|p| p.0).max()) else { return Ok(String::new()) };
    let low = points().map(|p| p.1).filter(|y| *y > 0.0).fold(f64::INFINITY, f64::min);
    let high = points().map(|p| p.1).fold(0.0, f64::max);
    if !low.is_finite() || first >= last {
        return Ok(String::new());
    }
    let mut svg = String::new();
    draw(&mut svg, answer, said, growth, (first.max(1) as f64..last as f64, low * 0.8..high * 1.25))
        .map_err(|error| Failure::new(format!("the plot cannot be drawn: {error}")))?;
    Ok(svg)
}

type Bounds = (std::ops::Range<f64>, std::ops::Range<f64>);

fn draw(svg: &mut String, answer: &Answer<'_>, said: &str, growth: &Growth, (x, y): Bounds) -> Result<(), Box<dyn std::error::Error>> {
    // Colours that people with any sight tell apart (Okabe and Ito).
    const COLOURS: [RGBColor; 8] = [
        RGBColor(0, 114, 178),
        RGBColor(213, 94, 0),
        RGBColor(0, 158, 115),
        RGBColor(204, 121, 167),
        RGBColor(86, 180, 233),
        RGBColor(230, 159, 0),
        RGBColor(0, 0, 0),
        RGBColor(140, 140, 60),
    ];
    let timed = answer.profile.is_some();
    let root = SVGBackend::with_string(svg, (1100, 560)).into_drawing_area();
    root.fill(&WHITE)?;
    let (plot, legend) = root.split_horizontally(800);
    let mut chart =
        ChartBuilder::on(&plot).margin(16).x_label_area_size(44).y_label_area_size(80).build_cartesian_2d(x.log_scale(), y.log_scale())?;
    let label = |value: &f64| if timed { text::time(*value) } else { format!("{value:.0}") };
    let path = said.split('=').next().unwrap_or(said);
    chart
        .configure_mesh()
        .light_line_style(RGBColor(240, 240, 240))
        .x_desc(format!("length of {path}"))
        .y_desc(if timed { "total time of a call" } else { "bytes of a call" })
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&label)
        .label_style(("sans-serif", 14))
        .draw()?;
    for (index, series) in growth.series.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        // A second round of the colours has thin lines.
        let style = colour.stroke_width(if index < COLOURS.len() { 3 } else { 1 });
        chart.draw_series(LineSeries::new(series.points.iter().map(|(x, y)| ((*x).max(1) as f64, *y)), style))?;
        let at = 30 + 24 * index as i32;
        legend.draw(&PathElement::new(vec![(6, at), (34, at)], style))?;
        let font = TextStyle::from(("sans-serif", 14).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
        legend.draw(&Text::new(series.name(), (42, at), font))?;
    }
    for crossover in &growth.crossovers {
        let x = crossover.length as f64;
        let bounds = chart.as_coord_spec().get_y_range();
        chart.draw_series(std::iter::once(PathElement::new(vec![(x, bounds.start), (x, bounds.end)], RGBColor(150, 150, 150).stroke_width(1))))?;
    }
    root.present()?;
    Ok(())
}

/// Names of a description are hostile.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
