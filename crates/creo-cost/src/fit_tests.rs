//! Fits of numbers with known coefficients.

use crate::digits::Random;
use crate::feature::Feature;
use crate::features::Features;
use crate::fit::{Breaks, Fit, FitError, Measured, bend, broken_line, cut_off, line, percentile};
use crate::leaf::Kind;
use creo_model::Primitive;

const INT: Kind = Kind::Primitive(Primitive::Int);

/// Approximately normal noise with deviation 1.
fn noise(random: &mut Random) -> f64 {
    (0..12).map(|_| random.unit()).sum::<f64>() - 6.0
}

/// Messages of arrays and fields with the costs 100, 3, 5 and 0.5.
fn points(count: usize, error: f64) -> Vec<Measured> {
    let mut random = Random::new(7);
    (0..count)
        .map(|i| {
            let (items, fields, text) =
                (random.below(1000) as f64, random.below(50) as f64, random.below(400) as f64);
            let exact = 100.0 + 3.0 * items + 5.0 * fields + 0.5 * text;
            let features: Features = [
                (Feature::Message, 1.0),
                (Feature::Item(INT), items),
                (Feature::Field(INT), fields),
                (Feature::Text, text),
            ]
            .into_iter()
            .collect();
            Measured {
                name: format!("point {i}"),
                features,
                ns: exact * (1.0 + error * noise(&mut random)),
                weight: 1.0,
            }
        })
        .collect()
}

#[test]
fn known_coefficients_are_found() {
    let fit = Fit::new(&points(60, 0.0)).unwrap_or_else(|e| panic!("{e}"));
    for (feature, cost) in [
        (Feature::Message, 100.0),
        (Feature::Item(INT), 3.0),
        (Feature::Field(INT), 5.0),
        (Feature::Text, 0.5),
    ] {
        let found = fit.coefficient(feature).unwrap_or_else(|| panic!("{feature:?}"));
        assert!((found.ns - cost).abs() < 1e-6 * cost, "{feature:?}: {found:?}");
    }
    assert!(fit.r2 > 0.999_999 && fit.residual < 1e-9);
}

/// Ten messages in which an item costs 3 and one in which it costs 5: the fit weights them as one of each.
#[test]
fn weights_say_how_much_a_message_counts() {
    let point = |cost: f64, weight: f64| {
        let features: Features = [(Feature::Item(INT), 100.0)].into_iter().collect();
        Measured { name: format!("{cost}"), features, ns: 100.0 * cost, weight }
    };
    for scale in [1.0, 1e-3, 70.0] {
        let points: Vec<Measured> =
            (0..10).map(|_| point(3.0, scale * 0.1)).chain([point(5.0, scale)]).collect();
        let fit = Fit::new(&points).unwrap_or_else(|e| panic!("{e}"));
        let [cost, residual] = [fit.coefficient(Feature::Item(INT)).map_or(0.0, |t| t.ns), fit.residual];
        // The argument and value of the min of (c/3 - 1)² + (c/5 - 1)². Eleven messages share the error, with ten degrees of freedom.
        let (least, left) = ((1.0 / 3.0 + 1.0 / 5.0) / (1.0 / 9.0 + 1.0 / 25.0), |c: f64| {
            (c / 3.0 - 1.0).powi(2) + (c / 5.0 - 1.0).powi(2)
        });
        assert!((cost - least).abs() < 1e-9, "{cost} {least}");
        assert!((residual - (left(least) * 5.5 / 10.0).sqrt()).abs() < 1e-9, "{residual}");
    }
}

#[test]
fn intervals_hold_the_truth_and_shrink_with_points() {
    let width = |count: usize| {
        let fit = Fit::new(&points(count, 0.02)).unwrap_or_else(|e| panic!("{e}"));
        assert!(fit.r2 > 0.99 && (0.01..0.03).contains(&fit.residual), "{fit:?}");
        let item = fit.coefficient(Feature::Item(INT)).unwrap_or_else(|| panic!("items"));
        assert!(item.low <= 3.0 && 3.0 <= item.high, "{item:?}");
        item.high - item.low
    };
    assert!(width(1000) < width(40) / 2.0);
}

#[test]
fn predictions_come_with_intervals() {
    let fit = Fit::new(&points(200, 0.02)).unwrap_or_else(|e| panic!("{e}"));
    let fresh = points(400, 0.02);
    let inside = fresh[200..]
        .iter()
        .filter(|point| fit.time(&point.features).is_some_and(|t| t.low <= point.ns && point.ns <= t.high))
        .count();
    assert!((180..=200).contains(&inside), "{inside} of 200");
    let unknown: Features = [(Feature::Map, 1.0)].into_iter().collect();
    assert_eq!(fit.time(&unknown), None);
}

#[test]
fn what_costs_nothing_does_not_cost_less() {
    let mut all = points(80, 0.01);
    let mut random = Random::new(3);
    all.iter_mut().for_each(|point| {
        point.features.insert(Feature::Union, random.below(3) as f64);
    });
    all.iter_mut().for_each(|point| point.ns -= 2.0 * point.features[&Feature::Union]);
    let fit = Fit::new(&all).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(fit.coefficient(Feature::Union).map(|t| t.ns), Some(0.0));
}

#[test]
fn equal_costs_are_told_from_different_ones() {
    let fit = Fit::new(&points(200, 0.01)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(fit.differ(Feature::Item(INT), Feature::Field(INT)), Some(true));
    assert_eq!(fit.differ(Feature::Item(INT), Feature::Item(INT)), Some(false));
    assert_eq!(fit.differ(Feature::Item(INT), Feature::Map), None);
}

#[test]
fn wrong_measurements_are_refused() {
    assert_eq!(Fit::new(&points(4, 0.0)), Err(FitError::TooFewPoints(4, 5)));
    let mut zero = points(10, 0.0);
    zero[3].ns = 0.0;
    assert_eq!(Fit::new(&zero), Err(FitError::NoTime("point 3".to_owned())));
    let mut twice = points(30, 0.0);
    twice.iter_mut().for_each(|point| {
        let items = point.features[&Feature::Item(INT)];
        point.features.insert(Feature::Digits, 2.0 * items);
    });
    let Err(FitError::Dependent(names)) = Fit::new(&twice) else { panic!("dependent") };
    assert_eq!(names, ["item.int", "digits"]);
}

#[test]
fn lines_know_how_well_they_fit() {
    let exact =
        line(&[(1.0, 12.0), (2.0, 14.0), (10.0, 30.0)], Breaks::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(
        (exact.slope - 2.0).abs() < 1e-12 && (exact.intercept - 10.0).abs() < 1e-12 && exact.r2 > 0.999_999
    );
    assert_eq!(line(&[(1.0, 1.0), (2.0, 2.0)], Breaks::default()), Err(FitError::TooFewPoints(2, 3)));
    assert!(line(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)], Breaks::default()).is_err());
    assert!((exact.rise - 2.5).abs() < 1e-12);
    let mut random = Random::new(1);
    let cloud: Vec<(f64, f64)> = (0..50).map(|i| (f64::from(i), 100.0 * random.unit())).collect();
    assert!(line(&cloud, Breaks::default()).is_ok_and(|line| line.r2 < 0.3));
}

#[test]
fn lines_bend_and_jump_where_it_is_said() {
    let times = |slope: f64, jump: f64| -> Vec<(f64, f64)> {
        let time = |n: f64| 80.0 + 0.5 * n + if n > 50.0 { jump + slope * (n - 50.0) } else { 0.0 };
        LENGTHS[..8].iter().map(|n| (*n, time(*n))).collect()
    };
    let (bend, jumps) = (Some(50.0), [Some(50.0), None]);
    // Two jumps between the same two lengths count as one.
    let both = [Some(50.0), Some(70.0)];
    for (slope, high, breaks) in [
        (10.0, 0.0, Breaks { bend, ..Breaks::default() }),
        (0.0, 900.0, Breaks { jumps, ..Breaks::default() }),
        (10.0, 900.0, Breaks { bend, jumps, own: None }),
        (10.0, 900.0, Breaks { own: bend, ..Breaks::default() }),
        (10.0, 900.0, Breaks { bend, jumps: both, own: None }),
    ] {
        let points = times(slope, high);
        let straight = line(&points, Breaks::default()).unwrap_or_else(|e| panic!("{e}"));
        let found = line(&points, breaks).unwrap_or_else(|e| panic!("{e}"));
        assert!(straight.r2 < 0.98 && found.r2 > 0.999_999, "{straight:?} {found:?}");
        assert!((found.intercept - 80.0).abs() < 1e-6 && (found.slope - 0.5).abs() < 1e-6, "{found:?}");
    }
    // A break after all points is ignored.
    let beyond = Breaks { bend: Some(500.0), jumps: [Some(500.0); 2], own: Some(500.0) };
    assert_eq!(line(&times(1.0, 1.0), beyond), line(&times(1.0, 1.0), Breaks::default()));
    let few = [(10.0, 1.0), (40.0, 2.0), (60.0, 3.0), (80.0, 4.0)];
    assert_eq!(line(&few, Breaks { bend, jumps, own: None }), Err(FitError::TooFewPoints(4, 5)));
    // Two jumps, and a bend at one of them.
    let twice: Vec<(f64, f64)> = times(10.0, 900.0)
        .into_iter()
        .map(|(n, time)| (n, if n > 10.0 { time + 40.0 } else { time }))
        .collect();
    let found = line(&twice, Breaks { bend, jumps: [Some(50.0), Some(10.0)], own: None })
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(found.r2 > 0.999_999 && (found.intercept - 80.0).abs() < 1e-6, "{found:?}");
}

#[test]
fn a_line_that_explains_too_little_has_a_break_of_its_own() {
    let mut random = Random::new(9);
    let mut times = |cost: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
        LENGTHS[..15].iter().map(|n| (*n, cost(*n) * (1.0 + 0.01 * noise(&mut random)))).collect()
    };
    // The jump where counts take a second byte is known already.
    let known = Breaks { jumps: [Some(127.0), None], ..Breaks::default() };
    let before = |n: f64| 300.0 + 0.01 * n + if n > 127.0 { 20.0 } else { 0.0 };
    let points = times(&|n| before(n) + if n > 500.0 { 200.0 + 0.02 * (n - 500.0) } else { 0.0 });
    let found = broken_line(&points, known).unwrap_or_else(|e| panic!("{e}"));
    assert!(line(&points, known).is_ok_and(|line| line.r2 < 0.97) && found.r2 > 0.99, "{found:?}");
    assert_eq!(found.own_break, Some(400.0), "the last length in front of it");
    // No break in a straight line, in one that bends where allowed, in a cloud, or with few points.
    let straight = times(&before);
    assert_eq!(broken_line(&straight, known), line(&straight, known));
    let bent = times(&|n| before(n) + 3.0 * (n - 200.0).max(0.0));
    let said = Breaks { bend: Some(200.0), ..known };
    assert_eq!(broken_line(&bent, said), line(&bent, said));
    let mut random = Random::new(2);
    let cloud: Vec<(f64, f64)> = (0..40).map(|i| (f64::from(i), 100.0 * random.unit())).collect();
    assert_eq!(broken_line(&cloud, Breaks::default()), line(&cloud, Breaks::default()));
    let few =
        [(1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (4.0, 9.0), (5.0, 9.0), (6.0, 9.0), (7.0, 9.0), (8.0, 9.0)];
    assert_eq!(broken_line(&few, Breaks::default()), line(&few, Breaks::default()));
}

const LENGTHS: [f64; 16] = [
    1.0, 4.0, 10.0, 20.0, 50.0, 100.0, 150.0, 200.0, 300.0, 400.0, 600.0, 1_000.0, 2_000.0, 5_000.0,
    10_000.0, 100_000.0,
];

#[test]
fn the_cut_off_is_found_where_it_is() {
    let mut random = Random::new(5);
    let points: Vec<(f64, f64)> = LENGTHS
        .iter()
        .map(|n| (*n, (80.0 + 0.5 * n + 1.5 * (n - 256.0).max(0.0)) * (1.0 + 0.01 * noise(&mut random))))
        .collect();
    let cut = cut_off(&points).unwrap_or_else(|e| panic!("{e}")).unwrap_or_else(|| panic!("a cut-off"));
    assert!((200.0..320.0).contains(&cut.at) && cut.low <= 256.0 && 256.0 <= cut.high * 1.05, "{cut:?}");
}

#[test]
fn a_jump_is_told_from_a_bend() {
    let mut random = Random::new(5);
    let mut times = |cost: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
        LENGTHS.iter().map(|n| (*n, cost(*n) * (1.0 + 0.01 * noise(&mut random)))).collect()
    };
    let found = |points: &[(f64, f64)]| {
        cut_off(points).unwrap_or_else(|e| panic!("{e}")).unwrap_or_else(|| panic!("a cut-off"))
    };
    let steps = times(&|n| 80.0 + 0.2 * n + if n > 120.0 { 150.0 } else { 0.0 });
    let step = found(&steps);
    assert!(step.jump && (100.0..150.0).contains(&step.at), "{step:?}");
    let bend = found(&times(&|n| 80.0 + 0.5 * n + 1.5 * (n - 256.0).max(0.0)));
    assert!(!bend.jump, "{bend:?}");
}

#[test]
fn there_is_no_cut_off_in_a_line() {
    let mut random = Random::new(5);
    let points: Vec<(f64, f64)> =
        LENGTHS.iter().map(|n| (*n, (80.0 + 0.5 * n) * (1.0 + 0.01 * noise(&mut random)))).collect();
    assert_eq!(cut_off(&points), Ok(None));
    assert!(matches!(cut_off(&points[..5]), Err(FitError::TooFewPoints(5, 6))));
}

#[test]
fn percentiles() {
    assert_eq!(percentile(&mut [3.0, 1.0, 2.0], 0.5), 2.0);
    assert_eq!(percentile(&mut [1.0, 2.0], 0.5), 1.5);
    assert_eq!(percentile(&mut [], 0.5), 0.0);
}

/// Values after the first 4,000 cost twice as much, or they do not.
#[test]
fn the_number_of_values_behind_which_each_costs_more_is_found() {
    for (more, expected) in [(2.0, true), (0.0, false)] {
        let mut random = Random::new(3);
        let counts: Vec<f64> = (0..200).map(|i| (10.0 * 1.04_f64.powi(i)).round()).collect();
        let point = |count: &f64| {
            let features: Features =
                [(Feature::Message, 1.0), (Feature::Field(INT), *count)].into_iter().collect();
            let exact = 50.0 + 2.0 * count + more * (count - 4_000.0).max(0.0);
            Measured {
                name: format!("{count} values"),
                features,
                ns: exact * (1.0 + 0.02 * noise(&mut random)),
                weight: 1.0,
            }
        };
        let points: Vec<Measured> = counts.iter().map(point).collect();
        let fit = Fit::new(&points).unwrap_or_else(|e| panic!("{e}"));
        let found = bend(&fit, &points, &counts);
        assert_eq!(found.is_some(), expected, "{found:?}");
        assert!(found.is_none_or(|at| (3_000.0..5_000.0).contains(&at)), "{found:?}");
    }
}
