//! What calibration measures, and how the results are used (COST-23, COST-33). Another crate does the measuring.

pub use crate::cases::{Case, cases, common_cases};

use crate::binding::{Direction, MethodId, OnWire, Sizes, Wire};
use crate::cases::{BYTES_LINE, CUT_LINE, TEXT_LINE};
use crate::feature::Feature;
use crate::features::{Bends, Features, SHORT_COUNT, features, values};
use crate::fit::{Breaks, Cut, Fit, FitError, Line, Measured, bend, broken_line, cut_off, relative_line};
use crate::leaf::Kind;
use crate::part::Part;
pub use crate::prepared::{CalibrationError, Prepared, prepare, prepare_cases};
use crate::profile::{FitProfile, LineProfile, WireProfile};
use creo_model::Primitive;
use std::collections::{BTreeMap, BTreeSet};

/// The files of the measured description, with their names. The first imports the other.
pub const DESCRIPTION: [(&str, &str); 2] =
    [("calibration-raw.creo", include_str!("../calibration-raw.creo")), COMMON];

/// The file with the messages that other stacks also support: [`common_cases`].
pub const COMMON: (&str, &str) = ("calibration.creo", include_str!("../calibration.creo"));

/// A time below this multiple of the noise says nothing about a line.
const ABOVE_NOISE: f64 = 3.0;

/// The min number of points of a useful line, including one that bends and jumps.
const LEAST_POINTS: usize = 5;

/// The measured times of a request on a wire, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The index of the request.
    pub request: usize,
    pub bytes: u64,
    pub serialize: f64,
    pub deserialize: f64,
}

/// The size of a message by the model; for another stack, that of Creo's SOAP message with the same values.
fn modelled(sizes: &Sizes<'_>, wire: Wire, request: &Prepared) -> u64 {
    sizes.body(wire, request.method, request.direction, &request.part).map_or(0, |size| size.least)
}

/// Checks the size of a sample against the model's. Other stacks may have any size.
pub fn check_size(
    sizes: &Sizes<'_>,
    wire: Wire,
    request: &Prepared,
    bytes: u64,
) -> Result<(), CalibrationError> {
    let model = modelled(sizes, wire, request);
    if model == bytes || wire.is_foreign() {
        Ok(())
    } else {
        Err(CalibrationError::Size(request.name.clone(), wire.word(), model, bytes))
    }
}

/// Fits both directions of a wire.
pub fn fit_wire(
    sizes: &Sizes<'_>,
    wire: Wire,
    requests: &[Prepared],
    samples: &[Sample],
    noise: f64,
) -> Result<WireProfile, CalibrationError> {
    for sample in samples {
        check_size(sizes, wire, &requests[sample.request], sample.bytes)?;
    }
    let wrong = |e| CalibrationError::Fit(wire.word(), e);
    let one = |time: fn(&Sample) -> f64| fit_one(sizes, wire, requests, samples, noise, time).map_err(wrong);
    let (serialize, deserialize) = (one(|s| s.serialize)?, one(|s| s.deserialize)?);
    let size = if wire.is_foreign() {
        let points =
            samples.iter().map(|s| (modelled(sizes, wire, &requests[s.request]) as f64, s.bytes as f64));
        Some(LineProfile::new(Wire::Soap.word(), &relative_line(&points.collect::<Vec<_>>()).map_err(wrong)?))
    } else {
        None
    };
    Ok(WireProfile { wire: wire.word().to_owned(), size, serialize, deserialize })
}

/// The features of messages and their times. Each method has the same weight whatever its number of messages (COST-23).
fn measured(
    sizes: &Sizes<'_>,
    wire: Wire,
    requests: &[Prepared],
    samples: &[Sample],
    bends: Bends,
    time: fn(&Sample) -> f64,
) -> Vec<Measured> {
    let mut of_method: BTreeMap<MethodId, f64> = BTreeMap::new();
    samples.iter().for_each(|sample| *of_method.entry(requests[sample.request].method).or_default() += 1.0);
    let one = |sample: &Sample| {
        let request = &requests[sample.request];
        let bends = Bends { wide: request.wide, ..bends };
        let on_wire =
            sizes.on_wire(wire, request.method, request.direction, &request.part).unwrap_or_default();
        let features = features(wire, request.direction, &request.part, on_wire, bends);
        let count = if several_kinds(&features) { SEVERAL } else { 1.0 };
        Measured {
            name: request.name.clone(),
            features,
            ns: time(sample),
            weight: count / of_method[&request.method],
        }
    };
    samples.iter().map(one).collect()
}

/// The weight of a method whose messages hold values of several kinds, as real services do.
const SEVERAL: f64 = 3.0;

/// Whether a message holds values of at least three kinds.
fn several_kinds(features: &Features) -> bool {
    let kind = |feature: &Feature| {
        let (Feature::Single(kind) | Feature::Field(kind) | Feature::Item(kind) | Feature::Cell(kind)) =
            feature
        else {
            return None;
        };
        Some(*kind)
    };
    features.keys().filter_map(kind).collect::<BTreeSet<_>>().len() >= 3
}

/// For each request its name, the measured time and the fitted one, which is `None` if the fit lacks one of its features.
pub fn residuals(
    sizes: &Sizes<'_>,
    wire: Wire,
    requests: &[Prepared],
    samples: &[Sample],
    profile: &FitProfile,
    time: fn(&Sample) -> f64,
) -> Vec<Residual> {
    let fit = profile.fit();
    let points = measured(sizes, wire, requests, samples, profile.bends(0.0), time);
    let one = |(point, sample): (Measured, &Sample)| Residual {
        fitted: fit.time(&point.features).map(|t| t.ns),
        name: point.name,
        ns: point.ns,
        bytes: sample.bytes,
    };
    points.into_iter().zip(samples).map(one).collect()
}

/// A measured and a fitted time.
#[derive(Clone, Debug, PartialEq)]
pub struct Residual {
    pub name: String,
    pub bytes: u64,
    pub ns: f64,
    pub fitted: Option<f64>,
}

/// The mean length of the strings of a message.
fn mean_text(part: &Part) -> Option<f64> {
    let found = features(Wire::Soap, Direction::Request, part, OnWire::default(), Bends::default());
    let strings = Kind::Primitive(Primitive::String);
    let count: f64 = [Feature::Item(strings), Feature::Field(strings), Feature::Single(strings)]
        .iter()
        .filter_map(|feature| found.get(feature))
        .sum();
    found.get(&Feature::Text).filter(|_| count > 0.0).map(|bytes| bytes / count)
}

fn fit_one(
    sizes: &Sizes<'_>,
    wire: Wire,
    requests: &[Prepared],
    samples: &[Sample],
    noise: f64,
    time: fn(&Sample) -> f64,
) -> Result<FitProfile, FitError> {
    let on_line = |sample: &&Sample| {
        let request = &requests[sample.request];
        let (name, at) = request.line.as_ref()?;
        // Strings around a length have a different mean.
        let at = if name == CUT_LINE { mean_text(&request.part).unwrap_or(*at as f64) } else { *at as f64 };
        Some((name.clone(), at))
    };
    let mut lines: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for sample in samples {
        let Some((name, at)) = on_line(&sample) else { continue };
        let point = (at, time(sample));
        match lines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => lines.push((name, vec![point])),
        }
    }
    let cut_of = |line: &str, longer: f64| match lines.iter().find(|(name, _)| name == line) {
        Some((_, points)) => {
            cut_off(&points.iter().copied().filter(|(length, _)| *length > longer).collect::<Vec<_>>())
        }
        None => Ok(None),
    };
    let cut = cut_of(CUT_LINE, 0.0)?;
    // The binary wire already has a variable for the jump where counts take a second byte.
    let long = (wire == Wire::Binary).then_some(SHORT_COUNT as f64);
    let bytes = cut_of(BYTES_LINE, long.unwrap_or(0.0))?;
    let jump = |cut: Option<Cut>| cut.filter(|cut| cut.jump).map(|cut| cut.at);
    let at = |cut: Option<Cut>| cut.map(|cut| cut.at);
    let known = Bends {
        cut: at(cut),
        jump: jump(cut).is_some(),
        bytes: at(bytes),
        bytes_jump: jump(bytes).is_some(),
        ..Bends::default()
    };
    let points = measured(sizes, wire, requests, samples, known, time);
    let counts: Vec<f64> =
        samples.iter().map(|sample| values(wire, &requests[sample.request].part)).collect();
    let straight = Fit::new(&points)?;
    let many = bend(&straight, &points, &counts);
    let fit = match many {
        Some(_) => Fit::new(&measured(sizes, wire, requests, samples, Bends { many, ..known }, time))?,
        None => straight,
    };
    let mut fitted: Vec<(String, Line)> = Vec::new();
    for (name, points) in lines {
        let above: Vec<(f64, f64)> = points.into_iter().filter(|(_, ns)| *ns > ABOVE_NOISE * noise).collect();
        let breaks = match name.as_str() {
            CUT_LINE | TEXT_LINE => Breaks { bend: at(cut), jumps: [jump(cut), None], own: None },
            BYTES_LINE => Breaks { bend: at(bytes), jumps: [jump(bytes), long], own: None },
            _ => Breaks { jumps: [long, None], ..Breaks::default() },
        };
        if above.len() >= LEAST_POINTS {
            fitted.push((name, broken_line(&above, breaks)?));
        }
    }
    Ok(FitProfile::new(&fit, cut, bytes, many, noise, fitted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assume::Assumptions;
    use crate::paths::Paths;
    use creo_check::{CheckedModel, compile};
    use serde_json::Value;
    use std::sync::LazyLock;

    fn model() -> &'static CheckedModel {
        static MODEL: LazyLock<CheckedModel> =
            LazyLock::new(|| compile(&DESCRIPTION).unwrap_or_else(|report| panic!("{report}")));
        &MODEL
    }

    /// The messages of the cases. To make them takes seconds, so all tests have the same.
    fn prepared(quick: bool) -> &'static [Prepared] {
        static PREPARED: [LazyLock<Vec<Prepared>>; 2] =
            [LazyLock::new(|| made(false)), LazyLock::new(|| made(true))];
        &PREPARED[usize::from(quick)]
    }

    fn made(quick: bool) -> Vec<Prepared> {
        prepare_cases(&Sizes::new(model()), &cases(quick)).unwrap_or_else(|e| panic!("{e}"))
    }

    /// The measurements of a machine that costs `cost` for each variable.
    fn samples(
        sizes: &Sizes<'_>,
        wire: Wire,
        requests: &[Prepared],
        cost: impl Fn(Feature) -> f64,
        cut: Option<f64>,
    ) -> Vec<Sample> {
        requests
            .iter()
            .enumerate()
            .map(|(request, prepared)| {
                let on_wire = sizes
                    .on_wire(wire, prepared.method, prepared.direction, &prepared.part)
                    .unwrap_or_default();
                let bends = Bends {
                    cut,
                    jump: cut.is_some(),
                    bytes: cut,
                    bytes_jump: cut.is_some(),
                    many: None,
                    wide: prepared.wide,
                };
                let found = features(wire, prepared.direction, &prepared.part, on_wire, bends);
                let ns: f64 = found.iter().map(|(feature, amount)| cost(*feature) * amount).sum();
                Sample { request, bytes: on_wire.body as u64, serialize: ns, deserialize: 2.0 * ns }
            })
            .collect()
    }

    /// The cases distinguish all variables on every wire, even the quick ones, and fitting recovers their costs.
    #[test]
    fn the_cases_find_every_cost() {
        let model = model();
        let sizes = Sizes::new(model);
        let all = Feature::all();
        let cost = |feature: Feature| all.iter().position(|f| *f == feature).map_or(0.0, |i| 2.0 + i as f64);
        for quick in [true, false] {
            let requests = prepared(quick);
            for wire in Wire::ALL {
                let measured = samples(&sizes, wire, requests, cost, None);
                let profile = fit_wire(&sizes, wire, requests, &measured, 1.0)
                    .unwrap_or_else(|e| panic!("quick {quick}: {e}"));
                for found in &profile.serialize.coefficients {
                    let feature =
                        Feature::from_word(&found.feature).unwrap_or_else(|| panic!("{}", found.feature));
                    assert!(
                        (found.ns - cost(feature)).abs() < 0.01 * cost(feature),
                        "{} on {}: {found:?}",
                        cost(feature),
                        wire.word()
                    );
                }
                let missing: Vec<String> = all
                    .iter()
                    .filter(|f| !never(wire, **f))
                    .map(|f| f.word())
                    .filter(|word| profile.serialize.coefficients.iter().all(|c| c.feature != *word))
                    .collect();
                assert_eq!(missing, Vec::<String>::new(), "{}", wire.word());
                assert!(
                    profile.deserialize.lines.len() > 15
                        && profile
                            .deserialize
                            .lines
                            .iter()
                            .all(|line| line.r2 > 0.99 || line.of.contains('?'))
                );
            }
        }
    }

    #[test]
    fn as_many_strings_are_wide_as_is_assumed() {
        let model = model();
        let sizes = Sizes::new(model);
        let method = sizes
            .methods()
            .find(|id| sizes.method(*id).1.name == "strings")
            .unwrap_or_else(|| panic!("strings"));
        let of_length = |length: u64, wide: f64| -> (usize, usize) {
            let (paths, mut assumptions) = (Paths::new(sizes.model()), Assumptions::default());
            for (path, count) in [("strings.v", 1000), ("strings.v[]", length)] {
                let (full, _) = paths.find(path).unwrap_or_else(|e| panic!("{e:?}"));
                assumptions.lengths.insert(full.to_owned(), crate::length::Length::Fixed(count));
            }
            let prepared = prepare(&sizes, method, Direction::Request, &assumptions, 5, wide)
                .unwrap_or_else(|e| panic!("{e}"));
            let texts: Vec<&str> =
                prepared.value["v"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            assert!(texts.iter().all(|text| text.len() as u64 == length));
            (texts.len(), texts.iter().filter(|text| !text.is_ascii()).count())
        };
        assert_eq!(
            [of_length(5, 0.0), of_length(5, 1.0), of_length(4, 1.0)],
            [(1000, 0), (1000, 1000), (1000, 0)]
        );
        let (_, wide) = of_length(20, 0.25);
        assert!((200..300).contains(&wide), "{wide}");
    }

    #[test]
    fn methods_count_alike_and_those_of_several_kinds_more_often() {
        let model = model();
        let sizes = Sizes::new(model);
        let requests = prepared(true);
        let samples = samples(&sizes, Wire::Json, requests, |_| 1.0, None);
        let mut of_method: BTreeMap<MethodId, (f64, f64)> = BTreeMap::new();
        for (point, request) in
            measured(&sizes, Wire::Json, requests, &samples, Bends::default(), |s| s.serialize)
                .iter()
                .zip(requests)
        {
            let (messages, weight) = of_method.entry(request.method).or_default();
            (*messages, *weight) = (*messages + 1.0, *weight + point.weight);
        }
        assert!(
            of_method.values().all(|(_, weight)| (1.0 - 1e-9..SEVERAL + 1e-9).contains(weight)),
            "{of_method:?}"
        );
        let of = |name: &str| {
            of_method
                .iter()
                .find(|(id, _)| sizes.method(**id).1.name == name)
                .map(|(_, (_, weight))| weight.round())
        };
        assert_eq!(
            [of("ints"), of("nested"), of("invoices"), of("station")],
            [Some(1.0), Some(1.0), Some(SEVERAL), Some(SEVERAL)]
        );
        assert!(
            of_method.values().any(|(messages, _)| *messages == 1.0)
                && of_method.values().any(|(messages, _)| *messages > 5.0)
        );
    }

    /// Features that no message of a wire can have, or none without a cut-off.
    fn never(wire: Wire, feature: Feature) -> bool {
        let on_text_alone = matches!(
            feature,
            Feature::Markup | Feature::MarkupRow | Feature::RealDigits | Feature::ChangeRow
        );
        let on_binary_alone = matches!(
            feature,
            Feature::Alike | Feature::TextAlike | Feature::Long | Feature::Run | Feature::SingleRun
        );
        let of_no_size = matches!(
            feature,
            Feature::Cell(Kind::Bytes | Kind::Primitive(Primitive::String | Primitive::Decimal))
                | Feature::Column(Kind::Bytes | Kind::Primitive(Primitive::String | Primitive::Decimal))
                | Feature::CellOptional
                | Feature::TextCell
        );
        // A `byte[]` has no items (LANG-11).
        matches!(
            feature,
            Feature::Item(Kind::Primitive(Primitive::Byte))
                | Feature::Array(Kind::Primitive(Primitive::Byte))
        ) || matches!(
            feature,
            Feature::TextBeyond
                | Feature::TextOver
                | Feature::TextOverItem
                | Feature::BytesBeyond
                | Feature::BytesOver
                | Feature::Many
        ) || matches!(feature, Feature::Attribute | Feature::Tagged | Feature::SingleRow)
            && wire != Wire::Soap
            || matches!(feature, Feature::Raw | Feature::TextRaw) && matches!(wire, Wire::Binary | Wire::Json)
            || feature == Feature::RowInner && !matches!(wire, Wire::Soap | Wire::Json)
            || if wire == Wire::Binary { on_text_alone || of_no_size } else { on_binary_alone }
    }

    #[test]
    fn a_jump_at_the_cut_off_becomes_a_variable() {
        let model = model();
        let sizes = Sizes::new(model);
        let requests = prepared(false);
        let costs = [
            (Feature::Message, 50.0),
            (Feature::TextOver, 400.0),
            (Feature::TextOverItem, 400.0),
            (Feature::TextBeyond, 0.5),
        ];
        let cost = |feature: Feature| costs.iter().find(|(of, _)| *of == feature).map_or(1.0, |(_, ns)| *ns);
        // No string is that long.
        let measured = samples(&sizes, Wire::Binary, requests, cost, Some(145.0));
        let profile =
            fit_wire(&sizes, Wire::Binary, requests, &measured, 1.0).unwrap_or_else(|e| panic!("{e}"));
        let cut = profile.serialize.cut.unwrap_or_else(|| panic!("a cut-off"));
        assert!(cut.jump && (141.0..=150.0).contains(&cut.at), "{cut:?}");
        let over = profile
            .serialize
            .coefficients
            .iter()
            .find(|c| c.feature == "text.over")
            .unwrap_or_else(|| panic!("over"));
        assert!((over.ns - 400.0).abs() < 4.0, "{over:?}");
    }

    /// Variables that older profiles lack: elements kept as XML, and `item.byte` on the text wires.
    const LATER: [(&str, &[&str]); 2] = [
        ("AMD EPYC, family 26, model 2", &["pass", "page", "answerPage", "wrapp", "extension"]),
        ("AMD EPYC, family 23, model 1", &["pass", "page", "answerPage", "wrapp", "extension", "maybeBytes"]),
    ];

    /// A profile with fewer variables could not estimate a message that uses another.
    #[test]
    fn the_shipped_profiles_have_every_variable_of_the_cases() {
        let model = model();
        let sizes = Sizes::new(model);
        let requests = prepared(false);
        let shipped: Vec<_> = crate::profile::shipped_texts()
            .unwrap_or_else(|e| panic!("{e}"))
            .iter()
            .map(|text| crate::profile::Profile::from_json(text).unwrap_or_else(|e| panic!("{e}")))
            .collect();
        let mut on_wires: BTreeMap<&str, Vec<OnWire>> = BTreeMap::new();
        for (of, target) in shipped.iter().flat_map(|of| of.targets.iter().map(move |target| (of, target))) {
            let lacks = |name: &str| {
                LATER.iter().any(|(processor, methods)| {
                    of.is_of(Some(processor)) && methods.iter().any(|method| name.starts_with(method))
                })
            };
            for found in &target.wires {
                let wire = Wire::from_word(&found.wire).unwrap_or_else(|| panic!("{}", found.wire));
                // They are the same in all profiles.
                let on_wires = &*on_wires.entry(wire.word()).or_insert_with(|| {
                    let on_wire = |of: &Prepared| {
                        sizes.on_wire(wire, of.method, of.direction, &of.part).unwrap_or_default()
                    };
                    requests.iter().map(on_wire).collect()
                });
                for profile in [&found.serialize, &found.deserialize] {
                    let fit = profile.fit();
                    for (prepared, on_wire) in
                        requests.iter().zip(on_wires).filter(|(request, _)| !lacks(&request.name))
                    {
                        let features =
                            features(wire, prepared.direction, &prepared.part, *on_wire, profile.bends(1.0));
                        assert!(
                            fit.time(&features).is_some(),
                            "{} {} {}: it lacks one of {features:?}",
                            target.target,
                            wire.word(),
                            prepared.name
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_cut_off_of_strings_becomes_a_variable() {
        let model = model();
        let sizes = Sizes::new(model);
        let requests = prepared(false);
        let costs = [
            (Feature::Message, 50.0),
            (Feature::TextBeyond, 3.0),
            (Feature::BytesBeyond, 2.0),
            (Feature::BytesOver, 300.0),
        ];
        let cost = |feature: Feature| costs.iter().find(|(of, _)| *of == feature).map_or(1.0, |(_, ns)| *ns);
        let measured = samples(&sizes, Wire::Soap, requests, cost, Some(256.0));
        let profile =
            fit_wire(&sizes, Wire::Soap, requests, &measured, 1.0).unwrap_or_else(|e| panic!("{e}"));
        let cut = profile.serialize.cut.unwrap_or_else(|| panic!("a cut-off"));
        assert!((230.0..290.0).contains(&cut.at), "{cut:?}");
        let beyond = profile
            .serialize
            .coefficients
            .iter()
            .find(|c| c.feature == "text.beyond")
            .unwrap_or_else(|| panic!("beyond"));
        assert!((beyond.ns - 3.0).abs() < 0.1, "{beyond:?}");
        // The cut-off of `byte[]` is searched separately.
        let bytes = profile.serialize.bytes_cut.unwrap_or_else(|| panic!("a cut-off"));
        assert!(bytes.jump && (256.0..300.0).contains(&bytes.at), "{bytes:?}");
        let beyond = profile
            .serialize
            .coefficients
            .iter()
            .find(|c| c.feature == "bytes.beyond")
            .unwrap_or_else(|| panic!("beyond"));
        assert!((beyond.ns - 2.0).abs() < 0.1, "{beyond:?}");
    }

    #[test]
    fn another_size_than_the_models_is_refused() {
        let model = model();
        let sizes = Sizes::new(model);
        let requests = prepared(true);
        let mut measured = samples(&sizes, Wire::Json, requests, |_| 1.0, None);
        measured[7].bytes += 1;
        let error = fit_wire(&sizes, Wire::Json, requests, &measured, 1.0).map_err(|e| e.code());
        assert_eq!(error.map(|_| ()), Err("invalid-measurement"));
    }
}
