//! Results as one page that opens without a network: its style, and drawings that stand in the page itself.

use crate::failure::Failure;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

const STYLE: &str = "body{font:16px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color:#1b1b1f;background:#fff}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.25rem .7rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}th{background:#f4f4f6}\
td.name,th.name{text-align:left}.wide{overflow-x:auto}svg{max-width:100%;height:auto}footer{margin-top:2rem;color:#555;font-size:.9rem}";

/// Colours that people with any sight tell apart (Okabe and Ito).
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

/// The begin of a page, up to its first heading.
pub fn begin(title: &str, heading: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{}</title><style>{STYLE}</style></head><body>\n<h1>{}</h1>\n",
        escaped(title),
        escaped(heading)
    )
}

/// The end of a page: what is to be known of the numbers.
pub fn end(notes: &[String]) -> String {
    format!(
        "<footer>{}</footer>\n</body></html>\n",
        notes.iter().map(|note| escaped(note)).collect::<Vec<_>>().join("<br>\n")
    )
}

/// A table; the first row is its head, and the first `named` columns are to the left.
pub fn table(rows: &[Vec<String>], named: usize) -> String {
    let mut out = String::from("<div class=\"wide\"><table>\n");
    for (number, cells) in rows.iter().enumerate() {
        let tag = if number == 0 { "th" } else { "td" };
        let cell = |(i, cell): (usize, &String)| {
            let class = if i < named { " class=\"name\"" } else { "" };
            format!("<{tag}{class}>{}</{tag}>", escaped(cell))
        };
        out.push_str(&format!("<tr>{}</tr>\n", cells.iter().enumerate().map(cell).collect::<String>()));
    }
    out.push_str("</table></div>\n");
    out
}

/// Names of a description are hostile.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A line of a drawing.
pub struct Line {
    /// In the legend; a line without a name belongs to the one before.
    pub name: String,
    pub points: Vec<(f64, f64)>,
    pub colour: usize,
    pub thick: Thickness,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thickness {
    Thick,
    Thin,
}

/// How the numbers of the horizontal axis are spread. The other is always logarithmic: costs span powers of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    Logarithmic,
}

/// A drawing.
pub struct Drawing<'a> {
    pub lines: &'a [Line],
    /// Where something changes, on the horizontal axis.
    pub marks: &'a [f64],
    pub scale: Scale,
    pub x: &'a str,
    pub y: &'a str,
    pub y_label: &'a dyn Fn(&f64) -> String,
}

type Bounds = (Range<f64>, Range<f64>);

impl Drawing<'_> {
    /// The drawing as a part of a page; nothing if there is nothing to draw.
    pub fn svg(&self) -> Result<String, Failure> {
        let Some(bounds) = self.bounds() else { return Ok(String::new()) };
        let mut svg = String::new();
        self.draw(&mut svg, bounds)
            .map_err(|error| Failure::new(format!("the plot cannot be drawn: {error}")))?;
        Ok(svg)
    }

    fn bounds(&self) -> Option<Bounds> {
        let points = || self.lines.iter().flat_map(|line| line.points.iter());
        let first = points().map(|p| p.0).fold(f64::INFINITY, f64::min);
        let last = points().map(|p| p.0).fold(0.0, f64::max);
        let low = points().map(|p| p.1).filter(|y| *y > 0.0).fold(f64::INFINITY, f64::min);
        let high = points().map(|p| p.1).fold(0.0, f64::max);
        (low.is_finite() && first < last).then_some((first..last, low * 0.8..high * 1.25))
    }

    fn draw(&self, svg: &mut String, (x, y): Bounds) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::with_string(svg, (1100, 560)).into_drawing_area();
        root.fill(&WHITE)?;
        let (plot, legend) = root.split_horizontally(800);
        match self.scale {
            Scale::Linear => self.chart(&plot, x, y)?,
            Scale::Logarithmic => self.chart(&plot, x.log_scale(), y)?,
        }
        let mut at = 6;
        for line in self.lines.iter().filter(|line| !line.name.is_empty()) {
            at += 24;
            legend.draw(&PathElement::new(vec![(6, at), (34, at)], style(line)))?;
            let font =
                TextStyle::from(("sans-serif", 14).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
            legend.draw(&Text::new(line.name.clone(), (42, at), font))?;
        }
        root.present()?;
        Ok(())
    }

    fn chart<X>(
        &self,
        area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
        x: X,
        y: Range<f64>,
    ) -> Result<(), Box<dyn std::error::Error>>
    where
        X: plotters::coord::ranged1d::AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
    {
        let low_high = y.clone();
        let mut chart = ChartBuilder::on(area)
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(80)
            .build_cartesian_2d(x, y.log_scale())?;
        chart
            .configure_mesh()
            .light_line_style(RGBColor(240, 240, 240))
            .x_desc(self.x)
            .y_desc(self.y)
            .x_label_formatter(&|value| format!("{value:.0}"))
            .y_label_formatter(&self.y_label)
            .label_style(("sans-serif", 14))
            .draw()?;
        for line in self.lines {
            chart.draw_series(LineSeries::new(line.points.iter().copied(), style(line)))?;
        }
        for x in self.marks {
            let mark = vec![(*x, low_high.start), (*x, low_high.end)];
            chart.draw_series(std::iter::once(PathElement::new(
                mark,
                RGBColor(110, 110, 110).stroke_width(1),
            )))?;
        }
        Ok(())
    }
}

fn style(line: &Line) -> ShapeStyle {
    let width = match line.thick {
        Thickness::Thick => 3,
        Thickness::Thin => 1,
    };
    COLOURS[line.colour % COLOURS.len()].stroke_width(width)
}

/// Where there are more lines than colours, those of the second round are thin.
pub fn thickness(colour: usize) -> Thickness {
    if colour < COLOURS.len() { Thickness::Thick } else { Thickness::Thin }
}
