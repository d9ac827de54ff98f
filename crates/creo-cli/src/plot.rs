//! A plot as a part of a page: few lines, labelled axes, colours and dashes by the classes of the page's style.

use crate::page::escaped;

/// The max number of distinguishable lines: the number of colours in the style.
pub const MAX_LINES: usize = 5;

/// Small, so that letters are large enough when a phone shrinks the drawing.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 340.0;
/// The mean width of a letter.
const LETTER: f64 = 7.2;
/// The room for labels around the lines.
const LEFT: f64 = 72.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 52.0;

pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// A position on an axis with a line through it.
pub struct Mark {
    pub at: f64,
    pub label: String,
}

/// The scale of the horizontal axis. The other is always logarithmic: costs span powers of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    Logarithmic,
}

pub struct Plot<'a> {
    pub lines: &'a [Line],
    /// On the horizontal axis.
    pub marks: &'a [Mark],
    /// On the vertical axis.
    pub goal: Option<Mark>,
    pub scale: Scale,
    pub x: &'a str,
    pub y: &'a str,
    pub y_label: &'a dyn Fn(f64) -> String,
}

/// An axis: maps numbers to positions.
struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    /// The positions of `low` and `high`.
    from: f64,
    to: f64,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let of = |value: f64| if self.logarithmic { value.ln() } else { value };
        let share = (of(value) - of(self.low)) / (of(self.high) - of(self.low));
        self.from + share * (self.to - self.from)
    }

    fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    fn ticks(&self) -> Vec<f64> {
        if self.logarithmic {
            let decades = (self.high / self.low).log10();
            let steps: &[f64] = if decades > 2.5 { &[1.0] } else { &[1.0, 2.0, 5.0] };
            let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
            // At most eight powers of ten have labels.
            let stride = ((last - first) as usize / 8 + 1).max(1);
            let found: Vec<f64> = (first..=last)
                .step_by(stride)
                .flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)))
                .filter(|tick| self.holds(*tick))
                .collect();
            if found.len() > 1 {
                return found;
            }
        }
        let rough = (self.high - self.low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|nice| nice * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|count| count as f64 * step).collect()
    }
}

impl Plot<'_> {
    /// Empty if there is nothing to draw.
    pub fn render(&self) -> String {
        let Some((x, y)) = self.axes() else { return String::new() };
        let mut out = format!(
            "<figure class=\"plot\">\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
            escaped(&format!("{} against {}", self.y, self.x))
        );
        for tick in y.ticks() {
            let at = y.place(tick);
            out.push_str(&rule(x.from, at, x.to, at, "grid"));
            out.push_str(&text(LEFT - 8.0, at + 5.0, "end", "", &(self.y_label)(tick)));
        }
        for tick in x.ticks() {
            let at = x.place(tick);
            out.push_str(&rule(at, y.from, at, y.from + 5.0, "grid"));
            out.push_str(&text(at, y.from + 21.0, "middle", "", &count(tick)));
        }
        out.push_str(&rule(x.from, y.from, x.to, y.from, "grid"));
        out.push_str(&text(4.0, 16.0, "start", "", self.y));
        out.push_str(&text((x.from + x.to) / 2.0, HEIGHT - 8.0, "middle", "", self.x));
        for mark in self.marks.iter().filter(|mark| x.holds(mark.at)) {
            let at = x.place(mark.at);
            out.push_str(&rule(at, y.from, at, y.to, "mark"));
            let half = (mark.label.chars().count() as f64 * LETTER / 2.0).min(WIDTH / 2.0);
            out.push_str(&text(at.clamp(half, WIDTH - half), y.to - 6.0, "middle", "mark", &mark.label));
        }
        if let Some(goal) = self.goal.as_ref().filter(|goal| y.holds(goal.at)) {
            let at = y.place(goal.at);
            out.push_str(&rule(x.from, at, x.to, at, "mark"));
            out.push_str(&text(x.from + 6.0, at - 6.0, "start", "mark", &goal.label));
        }
        for (number, line) in self.lines.iter().enumerate() {
            let points: Vec<String> = line
                .points
                .iter()
                .map(|(a, b)| format!("{:.1},{:.1}", x.place(*a), y.place(b.max(y.low))))
                .collect();
            out.push_str(&format!("<polyline class=\"line c{number}\" points=\"{}\"/>\n", points.join(" ")));
        }
        out.push_str("</svg>\n<ul class=\"legend\">\n");
        for (number, line) in self.lines.iter().enumerate() {
            out.push_str(&format!(
                "<li><svg viewBox=\"0 0 36 10\" aria-hidden=\"true\"><line class=\"line c{number}\" x1=\"0\" y1=\"5\" x2=\"36\" y2=\"5\"/></svg>{}</li>\n",
                escaped(&line.name)
            ));
        }
        out.push_str("</ul>\n</figure>\n");
        out
    }

    fn axes(&self) -> Option<(Axis, Axis)> {
        let points = || self.lines.iter().flat_map(|line| line.points.iter());
        let (first, last) = range(points().map(|point| point.0))?;
        let goal = self.goal.as_ref().map(|goal| goal.at);
        let (low, high) = range(points().map(|point| point.1).chain(goal).filter(|y| *y > 0.0))?;
        let x = Axis {
            low: first,
            high: last,
            logarithmic: self.scale == Scale::Logarithmic,
            from: LEFT,
            to: WIDTH - RIGHT,
        };
        let y = Axis { low: low * 0.8, high: high * 1.25, logarithmic: true, from: HEIGHT - BOTTOM, to: TOP };
        (first < last).then_some((x, y))
    }
}

fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |found, value| match found {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    })
}

fn rule(x1: f64, y1: f64, x2: f64, y2: f64, class: &str) -> String {
    format!("<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>\n")
}

fn text(x: f64, y: f64, anchor: &str, class: &str, words: &str) -> String {
    format!(
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n",
        escaped(words)
    )
}

/// `1500`, `20k`, `3M`: labels that fit next to each other.
fn count(number: f64) -> String {
    let (number, unit) = match number {
        n if n >= 1e6 => (n / 1e6, "M"),
        n if n >= 1e4 => (n / 1e3, "k"),
        n => (n, ""),
    };
    let digits = if number == number.trunc() { 0 } else { 1 };
    format!("{number:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(low: f64, high: f64, logarithmic: bool) -> Axis {
        Axis { low, high, logarithmic, from: 0.0, to: 100.0 }
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(axis(1.0, 1e5, true).ticks(), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5]);
        assert_eq!(axis(80.0, 400.0, true).ticks(), [100.0, 200.0]);
        assert_eq!(axis(0.0, 950.0, false).ticks(), [0.0, 200.0, 400.0, 600.0, 800.0]);
        // Less than one power of ten, and none of 1, 2, 5 in between.
        assert!(axis(210.0, 260.0, true).ticks().len() > 1);
        assert!(axis(1.0, 1e18, true).ticks().len() <= 9);
    }

    #[test]
    fn numbers_have_places() {
        assert_eq!(axis(1.0, 100.0, true).place(10.0), 50.0);
        assert_eq!(axis(0.0, 200.0, false).place(50.0), 25.0);
        assert_eq!([950.0, 20_000.0, 1.5e6].map(count), ["950", "20k", "1.5M"]);
    }

    #[test]
    fn nothing_to_draw_is_nothing() {
        let of = |lines: &[Line]| {
            Plot {
                lines,
                marks: &[],
                goal: None,
                scale: Scale::Linear,
                x: "x",
                y: "y",
                y_label: &|y| y.to_string(),
            }
            .render()
        };
        assert_eq!(of(&[]), "");
        assert_eq!(of(&[Line { name: "a".to_owned(), points: vec![(1.0, 2.0)] }]), "");
        let drawn = of(&[Line { name: "<a>".to_owned(), points: vec![(1.0, 2.0), (2.0, 3.0)] }]);
        assert!(drawn.contains("&lt;a&gt;") && drawn.contains("class=\"line c0\""), "{drawn}");
    }
}
