//! `creo estimate --verify`: the same messages, built and measured, next to the profile's prediction (COST-34).

use super::text::time;
use crate::failure::Failure;
use crate::measuring::{is_ready, nothing_is_ready, tools};
use crate::terminal::Terminal;
use creo_cost::calibration::{Prepared, check_size, prepare};
use creo_cost::{
    Assumed, Assumptions, Direction, FitProfile, MethodId, Profile, Question, Sizes, Time, Wire, features,
    percentile,
};
use creo_measure::{Effort, Language, Task, find, measure};

/// The seed of the values, different from all of calibration's.
const SEED: u64 = 1 << 32;

/// A ranking must be right only where measured times differ by more than this.
const CLEAR: f64 = 1.2;

/// The min difference of clock rates that is reported.
const TOLD: f64 = 0.02;

/// A direction of a message on a wire.
pub struct Checked {
    target: String,
    method: MethodId,
    direction: Direction,
    wire: Wire,
    serialize: bool,
    /// `None` if the message contains something without a time in the profile.
    predicted: Option<Time>,
    measured: f64,
}

impl Checked {
    /// Relative to the measured time.
    fn error(&self) -> Option<f64> {
        self.predicted.map(|time| time.ns / self.measured - 1.0)
    }

    fn is_inside(&self) -> bool {
        self.predicted.is_some_and(|time| time.low <= self.measured && self.measured <= time.high)
    }

    fn way(&self) -> &'static str {
        if self.serialize { "serialize" } else { "deserialize" }
    }

    fn message(&self) -> &'static str {
        match self.direction {
            Direction::Request => "request",
            Direction::Response => "response",
        }
    }
}

/// The targets of the question that this machine can measure, each with its wires.
fn languages(
    profile: &Profile,
    question: &Question<'_>,
    asked: bool,
    terminal: &Terminal,
) -> Result<Vec<(Language, Vec<Wire>)>, Failure> {
    let mut wires: Vec<Wire> = question.bindings.iter().map(|binding| binding.wire).collect();
    wires.sort();
    wires.dedup();
    let mut ready = Vec::new();
    for target in &question.targets {
        let wires: Vec<Wire> =
            wires.iter().copied().filter(|wire| profile.wire(target, *wire).is_some()).collect();
        let language = find(target);
        let language = language.ok_or_else(|| {
            Failure::coded("invalid-assumption", format!("the target {target} cannot be measured"))
        })?;
        if is_ready(language, &wires, asked, terminal)? {
            ready.push((language, wires));
        }
    }
    if ready.is_empty() { Err(nothing_is_ready()) } else { Ok(ready) }
}

/// Measures the messages of each method, with random values that follow the assumptions. `asked`: the targets were named.
pub fn run(
    sizes: &Sizes<'_>,
    assumptions: &Assumptions,
    question: &Question<'_>,
    asked: bool,
    effort: Effort,
    terminal: &Terminal,
) -> Result<Vec<Checked>, Failure> {
    let Some(profile) = question.profile else {
        return Err(Failure::coded(
            "invalid-assumption",
            "--verify holds the times of a profile against measured ones, and `--profile none` has none",
        ));
    };
    let languages = languages(profile, question, asked, terminal)?;
    let coded = |code: &'static str, what: String| Failure::coded(code, what);
    let mut messages: Vec<Prepared> = Vec::new();
    let plain = question.methods.iter().filter(|method| !sizes.method(**method).1.has_streams());
    for (index, method) in plain.enumerate() {
        // An empty response cannot be measured.
        let answered = sizes.method(*method).1.result.is_some();
        for direction in std::iter::once(Direction::Request).chain(answered.then_some(Direction::Response)) {
            let seed = SEED + 2 * index as u64 + u64::from(direction == Direction::Response);
            messages.push(
                prepare(sizes, *method, direction, assumptions, seed, question.wide)
                    .map_err(|e| coded(e.code(), e.to_string()))?,
            );
        }
    }
    let mut checked = Vec::new();
    for (language, wires) in languages {
        let target = language.name;
        let folder =
            tempfile::tempdir().map_err(|error| Failure::new(format!("cannot make a folder: {error}")))?;
        let task = Task { sizes, messages: &messages, wires: &wires, effort };
        let mut measured = measure(language, &task, &tools(), folder.path(), terminal)?;
        if let Some(known) = profile.target(target) {
            let slower = measured.reference / known.reference;
            if (slower - 1.0).abs() > TOLD {
                let other = if slower > 1.0 { "slower" } else { "faster" };
                terminal.note(&format!(
                    "{target}: the clock is {other} than that of the profile: the reference takes {}, and took {}; times are at the profile's (COST-38)",
                    time(measured.reference),
                    time(known.reference),
                ));
            }
            measured = measured.at(known.reference);
        }
        for (wire, sample) in &measured.samples {
            let message = &messages[sample.request];
            check_size(sizes, *wire, message, sample.bytes).map_err(|e| coded(e.code(), e.to_string()))?;
            let Some(found) = profile.wire(target, *wire) else { continue };
            // Uses the assumptions instead of the actual value, as an estimate does.
            let mut assumed = Assumed::new(sizes.model(), sizes.plan(), assumptions);
            let part = assumed
                .message(message.method, message.direction)
                .map_err(|e| coded("too-large", e.to_string()))?;
            let on_wire = sizes.on_wire(*wire, message.method, message.direction, &part).unwrap_or_default();
            for serialize in [true, false] {
                let fit: &FitProfile = if serialize { &found.serialize } else { &found.deserialize };
                let predicted = fit.fit().time(&features(
                    *wire,
                    message.direction,
                    &part,
                    on_wire,
                    fit.bends(question.wide),
                ));
                let measured = if serialize { sample.serialize } else { sample.deserialize };
                checked.push(Checked {
                    target: target.to_owned(),
                    method: message.method,
                    direction: message.direction,
                    wire: *wire,
                    serialize,
                    predicted,
                    measured,
                });
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
        let (target, wire, way, measured) = (&one.target, one.wire.word(), one.way(), time(one.measured));
        let told = match one.predicted.zip(one.error()) {
            Some((Time { ns, low, high }, error)) => {
                format!(
                    "predicted {:>9} ({} .. {}), measured {measured:>9}: {:+.1} %",
                    time(ns),
                    time(low),
                    time(high),
                    error * 100.0
                )
            }
            None => format!("not predicted, it has what the profile has no time of; measured {measured:>9}"),
        };
        out.push_str(&format!(
            "{target} {wire:<24} {way:<11} {told}  {}.{} {}\n",
            interface.name,
            method.name,
            one.message()
        ));
    }
    out.push('\n');
    let mut groups: Vec<(&str, Wire)> = checked.iter().map(|one| (one.target.as_str(), one.wire)).collect();
    groups.sort_unstable();
    groups.dedup();
    for (target, wire) in groups {
        let of_group = || checked.iter().filter(move |one| one.target == target && one.wire == wire);
        let mut errors: Vec<f64> = of_group().filter_map(|one| one.error().map(f64::abs)).collect();
        let unknown = of_group().count() - errors.len();
        let unknown = if unknown == 0 { String::new() } else { format!("; {unknown} not predicted") };
        if errors.is_empty() {
            out.push_str(&format!("{target} {:<24} no errors{unknown}\n", wire.word()));
            continue;
        }
        out.push_str(&format!(
            "{target} {:<24} error {:.1} % (median), {:.1} % (90th percentile); {} of {} within their intervals{unknown}\n",
            wire.word(),
            percentile(&mut errors, 0.5) * 100.0,
            percentile(&mut errors, 0.9) * 100.0,
            of_group().filter(|one| one.is_inside()).count(),
            errors.len(),
        ));
    }
    let mut targets: Vec<&str> = checked.iter().map(|one| one.target.as_str()).collect();
    targets.dedup();
    for target in targets {
        let (right, all) = ranking(checked.iter().filter(|one| one.target == target));
        out.push_str(&format!("{target}: of {all} pairs of wires whose measured times differ by more than 20 %, {right} are ranked right\n"));
    }
    out
}

/// Pairs of wires with clearly different times for one method and direction, and how many of them the prediction ranks correctly.
fn ranking<'a>(checked: impl Iterator<Item = &'a Checked>) -> (usize, usize) {
    let checked: Vec<&Checked> = checked.collect();
    let (mut right, mut all) = (0, 0);
    for (index, one) in checked.iter().enumerate() {
        for other in &checked[index + 1..] {
            let alike = one.target == other.target
                && one.method == other.method
                && one.direction == other.direction
                && one.serialize == other.serialize;
            let Some((first, second)) = one.predicted.zip(other.predicted) else { continue };
            if alike && (one.measured > CLEAR * other.measured || other.measured > CLEAR * one.measured) {
                all += 1;
                right += usize::from((one.measured > other.measured) == (first.ns > second.ns));
            }
        }
    }
    (right, all)
}

pub fn csv(sizes: &Sizes<'_>, checked: &[Checked]) -> String {
    let mut out = String::from("target,wire,way,method,message,predicted_ns,low_ns,high_ns,measured_ns\n");
    for one in checked {
        let (interface, method) = sizes.method(one.method);
        let predicted =
            one.predicted.map_or(",,".to_owned(), |Time { ns, low, high }| format!("{ns},{low},{high}"));
        out.push_str(&format!(
            "{},{},{},{}.{},{},{predicted},{}\n",
            one.target,
            one.wire.word(),
            one.way(),
            interface.name,
            method.name,
            one.message(),
            one.measured
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use creo_check::compile;

    fn one(wire: Wire, predicted: Option<f64>, measured: f64) -> Checked {
        Checked {
            target: "java".to_owned(),
            method: MethodId { interface: 0, method: 0 },
            direction: Direction::Request,
            wire,
            serialize: true,
            predicted: predicted.map(Time::exact),
            measured,
        }
    }

    #[test]
    fn a_ranking_counts_where_times_differ_clearly() {
        let checked = [
            one(Wire::Binary, Some(10.0), 10.0),
            one(Wire::Json, Some(9.0), 20.0),
            one(Wire::Soap, Some(40.0), 21.0),
        ];
        // Binary and JSON are ranked wrong; JSON and SOAP are nearly equal.
        assert_eq!(ranking(checked.iter()), (1, 2));
        assert!(checked[1].error().is_some_and(|error| (error + 0.55).abs() < 1e-9));
    }

    #[test]
    fn what_has_no_time_is_said() {
        let model = compile(&[("x.creo", "interface I { int f(int a); }")]).expect("a description");
        let sizes = Sizes::new(&model);
        let checked =
            [one(Wire::Binary, Some(10.0), 10.0), one(Wire::Json, None, 20.0), one(Wire::Binary, None, 30.0)];
        let text = text(&sizes, &checked);
        for line in [
            "not predicted, it has what the profile has no time of; measured   20.0 ns  I.f request",
            "java binary                   error 0.0 % (median), 0.0 % (90th percentile); 1 of 1 within their intervals; 1 not predicted",
            "java json                     no errors; 1 not predicted",
            "java: of 0 pairs of wires whose measured times differ by more than 20 %, 0 are ranked right",
        ] {
            assert!(text.contains(line), "{line:?} in {text}");
        }
        assert!(csv(&sizes, &checked).contains("java,json,serialize,I.f,request,,,,20\n"));
    }
}
