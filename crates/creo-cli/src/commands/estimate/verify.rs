//! `creo estimate --verify`: the same requests, built and measured, beside what the profile says (COST-34).

use super::text::time;
use crate::failure::Failure;
use crate::measure::{self, Effort};
use crate::terminal::Terminal;
use creo_cost::calibration::{Prepared, check_size, prepare};
use creo_cost::{Assumed, Assumptions, Direction, FitProfile, MethodId, Question, Sizes, Strings, Time, Wire, features, percentile};

/// The seed of the values: another than any of calibration's.
const SEED: u64 = 1 << 32;

/// Only where measured times differ by more than this must a ranking be right.
const CLEAR: f64 = 1.2;

/// One way of a request on a wire.
pub struct Checked {
    target: String,
    method: MethodId,
    wire: Wire,
    serialize: bool,
    predicted: Time,
    measured: f64,
}

impl Checked {
    /// Of the measured time.
    fn error(&self) -> f64 {
        self.predicted.ns / self.measured - 1.0
    }

    fn way(&self) -> &'static str {
        if self.serialize { "serialize" } else { "deserialize" }
    }
}

/// Measures a request of each method, with a value that is made by chance as the assumptions say.
pub fn run(
    sizes: &Sizes<'_>,
    assumptions: &Assumptions,
    question: &Question<'_>,
    effort: Effort,
    terminal: &Terminal,
) -> Result<Vec<Checked>, Failure> {
    let Some(profile) = question.profile else { return Ok(Vec::new()) };
    let mut wires: Vec<Wire> = question.bindings.iter().map(|binding| binding.wire).collect();
    wires.sort();
    wires.dedup();
    let coded = |code: &'static str, what: String| Failure::coded(code, what);
    let mut requests: Vec<Prepared> = Vec::new();
    for (index, method) in question.methods.iter().enumerate() {
        let wide = question.wide >= 0.5;
        let request = prepare(sizes, *method, assumptions, SEED + index as u64, wide).map_err(|e| coded(e.code(), e.to_string()))?;
        requests.push(request);
    }
    let mut checked = Vec::new();
    for target in &question.targets {
        let wires: Vec<Wire> = wires.iter().copied().filter(|wire| profile.wire(target, *wire).is_some()).collect();
        let folder = tempfile::tempdir().map_err(|error| Failure::new(format!("cannot make a folder: {error}")))?;
        let measured = measure::measure(target, sizes, &requests, &wires, effort, folder.path(), terminal)?;
        for (wire, sample) in &measured.samples {
            let request = &requests[sample.request];
            check_size(sizes, *wire, request, sample.bytes).map_err(|e| coded(e.code(), e.to_string()))?;
            let Some(found) = profile.wire(target, *wire) else { continue };
            let (interface, method) = sizes.method(request.method);
            // What was assumed, not what the value turned out to be: that is what an estimate knows.
            let part = Assumed::new(sizes.model(), sizes.plan(), assumptions).request(interface, method);
            let part = part.map_err(|e| coded("too-large", e.to_string()))?;
            let body = sizes.body(*wire, request.method, Direction::Request, &part).map_or(0.0, |size| size.expected);
            for serialize in [true, false] {
                let fit: &FitProfile = if serialize { &found.serialize } else { &found.deserialize };
                let strings = Strings { cut: fit.cut.map(|cut| cut.at), wide: question.wide };
                let Some(predicted) = fit.fit().time(&features(*wire, &part, body, strings)) else { continue };
                let measured = if serialize { sample.serialize } else { sample.deserialize };
                checked.push(Checked { target: target.clone(), method: request.method, wire: *wire, serialize, predicted, measured });
            }
        }
    }
    Ok(checked)
}

/// A line for each, and the errors of each target and wire.
pub fn text(sizes: &Sizes<'_>, checked: &[Checked]) -> String {
    let mut out = String::new();
    for one in checked {
        let (interface, method) = sizes.method(one.method);
        out.push_str(&format!(
            "{} {:<24} {:<11} predicted {:>9} ({} .. {}), measured {:>9}: {:+.1} %  {}.{}\n",
            one.target,
            one.wire.word(),
            one.way(),
            time(one.predicted.ns),
            time(one.predicted.low),
            time(one.predicted.high),
            time(one.measured),
            one.error() * 100.0,
            interface.name,
            method.name,
        ));
    }
    out.push('\n');
    let mut groups: Vec<(&str, Wire)> = checked.iter().map(|one| (one.target.as_str(), one.wire)).collect();
    groups.sort_unstable();
    groups.dedup();
    for (target, wire) in groups {
        let of_group = || checked.iter().filter(move |one| one.target == target && one.wire == wire);
        let mut errors: Vec<f64> = of_group().map(|one| one.error().abs()).collect();
        let inside = of_group().filter(|one| one.predicted.low <= one.measured && one.measured <= one.predicted.high).count();
        out.push_str(&format!(
            "{target} {:<24} error {:.1} % (median), {:.1} % (90th percentile); {inside} of {} within their intervals\n",
            wire.word(),
            percentile(&mut errors, 0.5) * 100.0,
            percentile(&mut errors, 0.9) * 100.0,
            errors.len(),
        ));
    }
    let (right, all) = ranking(checked);
    out.push_str(&format!("of {all} pairs of wires whose measured times differ by more than 20 %, {right} are ranked right\n"));
    out
}

/// Pairs of wires of one method and way that differ clearly, and how many of them the prediction ranks right.
fn ranking(checked: &[Checked]) -> (usize, usize) {
    let (mut right, mut all) = (0, 0);
    for (index, one) in checked.iter().enumerate() {
        for other in &checked[index + 1..] {
            let alike = one.target == other.target && one.method == other.method && one.serialize == other.serialize;
            if alike && (one.measured > CLEAR * other.measured || other.measured > CLEAR * one.measured) {
                all += 1;
                right += usize::from((one.measured > other.measured) == (one.predicted.ns > other.predicted.ns));
            }
        }
    }
    (right, all)
}

pub fn csv(sizes: &Sizes<'_>, checked: &[Checked]) -> String {
    let mut out = String::from("target,wire,way,method,predicted_ns,low_ns,high_ns,measured_ns\n");
    for one in checked {
        let (interface, method) = sizes.method(one.method);
        let Time { ns, low, high } = one.predicted;
        out.push_str(&format!(
            "{},{},{},{}.{},{ns},{low},{high},{}\n",
            one.target,
            one.wire.word(),
            one.way(),
            interface.name,
            method.name,
            one.measured
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranking_counts_where_times_differ_clearly() {
        let id = MethodId { interface: 0, method: 0 };
        let one = |wire, predicted, measured| Checked {
            target: "java".to_owned(),
            method: id,
            wire,
            serialize: true,
            predicted: Time::exact(predicted),
            measured,
        };
        let checked = [one(Wire::Binary, 10.0, 10.0), one(Wire::Json, 9.0, 20.0), one(Wire::Soap, 40.0, 21.0)];
        // Binary and JSON are ranked wrong, JSON and SOAP are as good as equal.
        assert_eq!(ranking(&checked), (1, 2));
        assert!((checked[1].error() + 0.55).abs() < 1e-9);
    }
}
