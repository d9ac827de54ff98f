//! What calibration measures, and what becomes of it (COST-23, COST-33). Measuring itself is somebody else's.

use crate::assume::{Assumed, Assumptions, TooLarge};
use crate::binding::{Direction, MethodId, Sizes, Wire};
use crate::digits::Range;
use crate::features::{Strings, features};
use crate::fit::{Fit, FitError, Line, Measured, cut_off, line};
use crate::length::Length;
use crate::observed::Observed;
use crate::part::Part;
use crate::paths::Paths;
use crate::profile::{FitProfile, WireProfile};
use crate::values::Values;
use serde_json::Value;
use std::fmt;

/// The description whose requests are measured.
pub const DESCRIPTION: &str = include_str!("../calibration.creo");

/// A time below so many times the noise tells nothing about a line.
const ABOVE_NOISE: f64 = 3.0;

/// A request with given lengths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    pub method: &'static str,
    /// By short paths, beneath the method or a type.
    pub lengths: Vec<(String, u64)>,
    pub present: Vec<(&'static str, f64)>,
    pub ranges: Vec<(&'static str, Range)>,
    /// Strings with characters beyond ASCII.
    pub wide: bool,
    /// The line to which it belongs, and its place on it.
    pub line: Option<(String, u64)>,
}

impl Case {
    fn new(method: &'static str) -> Case {
        Case { method, ..Case::default() }
    }

    fn long(mut self, path: &str, length: u64) -> Case {
        self.lengths.push((path.to_owned(), length));
        self
    }

    fn on(mut self, line: &str, at: u64) -> Case {
        self.line = Some((line.to_owned(), at));
        self
    }

    /// A name for people: the method and the lengths.
    pub fn name(&self) -> String {
        let lengths = self.lengths.iter().map(|(path, length)| format!(" {path}={length}")).collect::<String>();
        format!("{}{lengths}{}", self.method, if self.wide { " wide" } else { "" })
    }
}

/// Methods of arrays, and what their items are called.
const ARRAYS: [(&str, &str); 15] = [
    ("booleans", "boolean"),
    ("shorts", "short"),
    ("chars", "char"),
    ("ints", "int"),
    ("longs", "long"),
    ("floats", "float"),
    ("doubles", "double"),
    ("strings", "String"),
    ("instants", "DateTime"),
    ("decimals", "Decimal"),
    ("blobs", "bytes"),
    ("colours", "enum"),
    ("maybeBytes", "byte?"),
    ("maybeInts", "int?"),
    ("maybeStrings", "String?"),
];

/// Methods of arrays of structs, each of fields of one kind.
const FIELDS: [&str; 13] = [
    "booleanFields",
    "byteFields",
    "shortFields",
    "charFields",
    "intFields",
    "longFields",
    "floatFields",
    "doubleFields",
    "stringFields",
    "instantFields",
    "decimalFields",
    "blobFields",
    "colourFields",
];

/// All requests that are measured; fewer lengths of each kind if it must be quick.
pub fn cases(quick: bool) -> Vec<Case> {
    let arrays: &[u64] =
        if quick { &[1, 10, 50, 200, 500, 1_000] } else { &[1, 10, 20, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000, 10_000] };
    let texts: &[u64] = if quick {
        &[1, 10, 50, 100, 200, 300, 500, 1_000, 5_000, 20_000, 100_000]
    } else {
        &[1, 4, 10, 20, 50, 80, 100, 128, 150, 200, 256, 300, 400, 500, 700, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]
    };
    let few: &[u64] = if quick { &[1, 10, 100] } else { &[1, 2, 5, 10, 20, 50, 100, 200] };
    let mut all = vec![Case::new("nothing"), Case::new("several"), Case::new("one"), Case::new("person")];
    for (method, kind) in ARRAYS {
        all.extend(arrays.iter().map(|n| Case::new(method).long(&format!("{method}.v"), *n).long_items(method).on(&format!("{kind}[]"), *n)));
    }
    for method in FIELDS {
        all.extend(few.iter().map(|n| {
            let case = Case::new(method).long(&format!("{method}.v"), *n);
            if method == "blobFields" { ["a", "b", "c", "d"].iter().fold(case, |case, f| case.long(&format!("Blobs.{f}"), 60)) } else { case }
        }));
    }
    for n in texts {
        all.push(Case::new("text").long("text.v", *n).on("String", *n));
        all.push(Case { wide: true, ..Case::new("text").long("text.v", *n) });
        all.push(Case::new("blob").long("blob.v", *n).on("byte[]", *n));
    }
    for n in if quick { &CUTS[..9] } else { CUTS } {
        all.push(Case::new("strings").long("strings.v", 100).long("strings.v[]", *n).on(CUT_LINE, *n));
    }
    all.extend([2, 6, 10, 14, 18].map(|n| Case::new("decimal").long("decimal.v", n)));
    for n in few {
        all.push(Case {
            ranges: vec![("smallInts.v[]", Range { low: 0.0, high: 99.0, decimals: None })],
            ..Case::new("smallInts").long("smallInts.v", 5 * n)
        });
        all.push(Case {
            ranges: vec![("shortReals.v[]", Range { low: 0.0, high: 500.0, decimals: Some(2) })],
            ..Case::new("shortReals").long("shortReals.v", 5 * n)
        });
        for length in [1, 4, 50, 200, 1_000] {
            all.push(Case::new("strings").long("strings.v", *n).long("strings.v[]", length));
        }
        all.push(Case { wide: true, ..Case::new("strings").long("strings.v", *n).long("strings.v[]", 20) });
        for method in ["longNames", "shortNames", "ones", "people", "groups", "holders", "lists", "shapes", "counts", "names"] {
            all.push(Case::new(method).long(&format!("{method}.v"), *n));
        }
        for share in [0.0, 0.5, 1.0] {
            let fields = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|f| (OPTIONALS[usize::from(f.as_bytes()[0] - b'a')], share));
            all.push(Case { present: fields.to_vec(), ..Case::new("optionals").long("optionals.v", *n) });
        }
        for inner in [1, 10, 60] {
            all.push(Case::new("intLists").long("intLists.v", *n).long("intLists.v[]", inner));
            all.push(Case::new("holders").long("holders.v", *n).long("Holder.parts", inner));
        }
        for inner in [1, 4, 10] {
            all.push(Case::new("nested").long("nested.v", *n).long("nested.v.value", inner));
        }
    }
    all
}

/// The strings that tell the cut-off: a hundred in an array, so that what a message costs by itself hides nothing.
const CUT_LINE: &str = "100 String";
const CUTS: &[u64] = &[1, 6, 12, 20, 32, 64, 128, 256, 512, 3, 8, 16, 24, 40, 50, 80, 100, 150, 200, 300, 400, 800, 1_200, 2_000];

const OPTIONALS: [&str; 8] = ["Optionals.a", "Optionals.b", "Optionals.c", "Optionals.d", "Optionals.e", "Optionals.f", "Optionals.g", "Optionals.h"];

impl Case {
    /// Items that have a length of their own.
    fn long_items(self, method: &str) -> Case {
        if method == "blobs" { self.long("blobs.v[]", 60) } else { self }
    }
}

/// A request that is ready to be measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    pub name: String,
    pub method: MethodId,
    /// In the notation of `spec/values.md`.
    pub value: Value,
    /// Its parts, as they are.
    pub part: Part,
    pub wide: bool,
    pub line: Option<(String, u64)>,
}

/// Why calibration gives nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum CalibrationError {
    TooLarge(TooLarge),
    /// A path or method that the description does not have.
    Unknown(String),
    /// A request has another size than the model says: its name, the wire, the size by the model and the one that was measured.
    Size(String, &'static str, u64, u64),
    Fit(&'static str, FitError),
}

impl CalibrationError {
    /// COST-40
    pub fn code(&self) -> &'static str {
        match self {
            CalibrationError::TooLarge(_) => "too-large",
            CalibrationError::Unknown(_) => "unknown-field",
            CalibrationError::Size(..) => "invalid-measurement",
            CalibrationError::Fit(_, error) => error.code(),
        }
    }
}

impl fmt::Display for CalibrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CalibrationError::TooLarge(error) => error.fmt(f),
            CalibrationError::Unknown(name) => write!(f, "the description has no {name}"),
            CalibrationError::Size(name, wire, model, real) => {
                write!(f, "{name} on the wire {wire}: {real} bytes were written, and the model says {model}")
            }
            CalibrationError::Fit(wire, error) => write!(f, "{wire}: {error}"),
        }
    }
}

impl std::error::Error for CalibrationError {}

/// Makes the value of a request by its assumptions, from a seed.
pub fn prepare(sizes: &Sizes<'_>, method: MethodId, assumptions: &Assumptions, seed: u64, wide: bool) -> Result<Prepared, CalibrationError> {
    let (interface, declared) = sizes.method(method);
    let assumed = Assumed::new(sizes.model(), sizes.plan(), assumptions).request(interface, declared).map_err(CalibrationError::TooLarge)?;
    let value = Values::new(sizes.model(), seed, wide).record(&declared.parameters, &assumed);
    let part = Observed::new(sizes.model(), sizes.plan()).record(&declared.parameters, &value);
    let part = part.ok_or_else(|| CalibrationError::Unknown(format!("value of {}", declared.name)))?;
    Ok(Prepared { name: declared.name.clone(), method, value, part, wide, line: None })
}

/// Makes the values of all cases.
pub fn prepare_cases(sizes: &Sizes<'_>, cases: &[Case]) -> Result<Vec<Prepared>, CalibrationError> {
    let paths = Paths::new(sizes.model());
    let full = |name: &str| paths.find(name).map(|(path, _)| path.to_owned()).map_err(|_| CalibrationError::Unknown(name.to_owned()));
    cases
        .iter()
        .enumerate()
        .map(|(seed, case)| {
            let mut assumptions = Assumptions::default();
            for (path, length) in &case.lengths {
                assumptions.lengths.insert(full(path)?, Length::Fixed(*length));
            }
            for (path, share) in &case.present {
                assumptions.present.insert(full(path)?, *share);
            }
            for (path, range) in &case.ranges {
                assumptions.ranges.insert(full(path)?, *range);
            }
            let method = sizes.methods().find(|id| sizes.method(*id).1.name == case.method);
            let method = method.ok_or_else(|| CalibrationError::Unknown(case.method.to_owned()))?;
            let prepared = prepare(sizes, method, &assumptions, seed as u64, case.wide)?;
            Ok(Prepared { name: case.name(), line: case.line.clone(), ..prepared })
        })
        .collect()
}

/// What was measured of a request on a wire, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The index of the request.
    pub request: usize,
    pub bytes: u64,
    pub serialize: f64,
    pub deserialize: f64,
}

/// Holds the size of a sample against the model's.
pub fn check_size(sizes: &Sizes<'_>, wire: Wire, request: &Prepared, bytes: u64) -> Result<(), CalibrationError> {
    let model = sizes.body(wire, request.method, Direction::Request, &request.part).map_or(0, |size| size.least);
    if model == bytes { Ok(()) } else { Err(CalibrationError::Size(request.name.clone(), wire.word(), model, bytes)) }
}

/// Fits both ways of a wire.
pub fn fit_wire(sizes: &Sizes<'_>, wire: Wire, requests: &[Prepared], samples: &[Sample], noise: f64) -> Result<WireProfile, CalibrationError> {
    for sample in samples {
        check_size(sizes, wire, &requests[sample.request], sample.bytes)?;
    }
    let one = |time: fn(&Sample) -> f64| fit_one(wire, requests, samples, noise, time).map_err(|e| CalibrationError::Fit(wire.word(), e));
    Ok(WireProfile { wire: wire.word().to_owned(), serialize: one(|s| s.serialize)?, deserialize: one(|s| s.deserialize)? })
}

/// What requests are made of, with their times.
fn measured(wire: Wire, requests: &[Prepared], samples: &[Sample], cut: Option<f64>, time: fn(&Sample) -> f64) -> Vec<Measured> {
    let one = |sample: &Sample| {
        let request = &requests[sample.request];
        let strings = Strings { cut, wide: if request.wide { 1.0 } else { 0.0 } };
        Measured { name: request.name.clone(), features: features(wire, &request.part, sample.bytes as f64, strings), ns: time(sample) }
    };
    samples.iter().map(one).collect()
}

/// Of each request its name, the time that was measured and the one that the fit says; the last is `None` where the fit knows nothing of a part.
pub fn residuals(wire: Wire, requests: &[Prepared], samples: &[Sample], profile: &FitProfile, time: fn(&Sample) -> f64) -> Vec<Residual> {
    let fit = profile.fit();
    let points = measured(wire, requests, samples, profile.cut.map(|cut| cut.at), time);
    points.into_iter().map(|point| Residual { fitted: fit.time(&point.features).map(|t| t.ns), name: point.name, ns: point.ns }).collect()
}

/// A measured time beside the fitted one.
#[derive(Clone, Debug, PartialEq)]
pub struct Residual {
    pub name: String,
    pub ns: f64,
    pub fitted: Option<f64>,
}

fn fit_one(wire: Wire, requests: &[Prepared], samples: &[Sample], noise: f64, time: fn(&Sample) -> f64) -> Result<FitProfile, FitError> {
    let on_line = |sample: &&Sample| requests[sample.request].line.as_ref().map(|(name, at)| (name.clone(), *at as f64));
    let mut lines: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for sample in samples {
        let Some((name, at)) = on_line(&sample) else { continue };
        let point = (at, time(sample));
        match lines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => lines.push((name, vec![point])),
        }
    }
    let strings = lines.iter().find(|(name, _)| name == CUT_LINE).map_or(&[][..], |(_, points)| &points[..]);
    let cut = if strings.is_empty() { None } else { cut_off(strings)? };
    let points = measured(wire, requests, samples, cut.map(|cut| cut.at), time);
    let fit = Fit::new(&points)?;
    let mut fitted: Vec<(String, Line)> = Vec::new();
    for (name, points) in lines {
        let above: Vec<(f64, f64)> = points.into_iter().filter(|(_, ns)| *ns > ABOVE_NOISE * noise).collect();
        if above.len() >= 3 {
            fitted.push((name, line(&above)?));
        }
    }
    Ok(FitProfile::new(&fit, cut, noise, fitted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;
    use creo_model::{CheckedModel, compile};

    fn model() -> CheckedModel {
        compile(&[("calibration.creo", DESCRIPTION)]).unwrap_or_else(|report| panic!("{report}"))
    }

    /// What a machine would measure that costs `cost` for each variable.
    fn samples(sizes: &Sizes<'_>, wire: Wire, requests: &[Prepared], cost: impl Fn(Feature) -> f64, cut: Option<f64>) -> Vec<Sample> {
        requests
            .iter()
            .enumerate()
            .map(|(request, prepared)| {
                let bytes = sizes.body(wire, prepared.method, Direction::Request, &prepared.part).map_or(0, |size| size.least);
                let strings = Strings { cut, wide: if prepared.wide { 1.0 } else { 0.0 } };
                let found = features(wire, &prepared.part, bytes as f64, strings);
                let ns: f64 = found.iter().map(|(feature, amount)| cost(*feature) * amount).sum();
                Sample { request, bytes, serialize: ns, deserialize: 2.0 * ns }
            })
            .collect()
    }

    /// The cases tell every variable from all others, on every wire, also the quick ones; and what they cost is found again.
    #[test]
    fn the_cases_find_every_cost() {
        let model = model();
        let sizes = Sizes::new(&model);
        let all = Feature::all();
        let cost = |feature: Feature| all.iter().position(|f| *f == feature).map_or(0.0, |i| 2.0 + i as f64);
        for quick in [true, false] {
            let requests = prepare_cases(&sizes, &cases(quick)).unwrap_or_else(|e| panic!("{e}"));
            for wire in Wire::ALL {
                let measured = samples(&sizes, wire, &requests, cost, None);
                let profile = fit_wire(&sizes, wire, &requests, &measured, 1.0).unwrap_or_else(|e| panic!("quick {quick}: {e}"));
                for found in &profile.serialize.coefficients {
                    let feature = Feature::from_word(&found.feature).unwrap_or_else(|| panic!("{}", found.feature));
                    assert!((found.ns - cost(feature)).abs() < 0.01 * cost(feature), "{} on {}: {found:?}", cost(feature), wire.word());
                }
                let missing: Vec<String> = all
                    .iter()
                    .filter(|f| !(wire == Wire::Binary && matches!(f, Feature::Markup | Feature::RealDigits) || **f == Feature::TextBeyond))
                    .map(|f| f.word())
                    .filter(|word| profile.serialize.coefficients.iter().all(|c| c.feature != *word))
                    .collect();
                assert_eq!(missing, Vec::<String>::new(), "{}", wire.word());
                assert!(profile.deserialize.lines.len() > 15 && profile.deserialize.lines.iter().all(|line| line.r2 > 0.99 || line.of.contains('?')));
            }
        }
    }

    #[test]
    fn a_cut_off_of_strings_becomes_a_variable() {
        let model = model();
        let sizes = Sizes::new(&model);
        let requests = prepare_cases(&sizes, &cases(false)).unwrap_or_else(|e| panic!("{e}"));
        let cost = |feature: Feature| match feature {
            Feature::Message => 50.0,
            Feature::TextBeyond => 3.0,
            _ => 1.0,
        };
        let measured = samples(&sizes, Wire::Soap, &requests, cost, Some(256.0));
        let profile = fit_wire(&sizes, Wire::Soap, &requests, &measured, 1.0).unwrap_or_else(|e| panic!("{e}"));
        let cut = profile.serialize.cut.unwrap_or_else(|| panic!("a cut-off"));
        assert!((230.0..290.0).contains(&cut.at), "{cut:?}");
        let beyond = profile.serialize.coefficients.iter().find(|c| c.feature == "text.beyond").unwrap_or_else(|| panic!("beyond"));
        assert!((beyond.ns - 3.0).abs() < 0.1, "{beyond:?}");
    }

    #[test]
    fn another_size_than_the_models_is_refused() {
        let model = model();
        let sizes = Sizes::new(&model);
        let requests = prepare_cases(&sizes, &cases(true)).unwrap_or_else(|e| panic!("{e}"));
        let mut measured = samples(&sizes, Wire::Json, &requests, |_| 1.0, None);
        measured[7].bytes += 1;
        let error = fit_wire(&sizes, Wire::Json, &requests, &measured, 1.0).map_err(|e| e.code());
        assert_eq!(error.map(|_| ()), Err("invalid-measurement"));
    }
}
