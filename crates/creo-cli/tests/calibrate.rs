//! `creo calibrate` and `creo estimate --verify`: what they refuse, and how measured times compare with a profile.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // The environment says which languages are taken out.

mod common;

use common::{Place, Ran};
use creo_cost::{
    Feature, Features, Fit, FitProfile, Foreign, LineProfile, Measured, PROFILE_FORMAT, Profile, Random,
    TargetProfile, Wire, WireProfile,
};

/// A profile in which everything costs a nanosecond.
fn profile(target: &str) -> String {
    let points: Vec<Measured> = (0..150)
        .map(|i| {
            let mut random = Random::new(i);
            let features: Features = Feature::all()
                .into_iter()
                .map(|feature| (feature, random.below(1000) as f64 + 1.0))
                .collect();
            Measured { name: i.to_string(), ns: features.values().sum(), features, weight: 1.0 }
        })
        .collect();
    let fit = FitProfile::new(&Fit::new(&points).expect("a fit"), None, None, None, 1.0, Vec::new());
    let line = LineProfile {
        of: "soap".to_owned(),
        intercept: 0.0,
        slope: 1.0,
        r2: 1.0,
        rise: 3.0,
        points: 3,
        own_break: None,
    };
    let wires =
        Wire::ALL.into_iter().chain([Wire::Foreign(Foreign::XmlSerializer)]).map(|wire| WireProfile {
            wire: wire.word().to_owned(),
            size: matches!(wire, Wire::Foreign(_)).then(|| line.clone()),
            serialize: fit.clone(),
            deserialize: fit.clone(),
        });
    let target = TargetProfile {
        target: target.to_owned(),
        version: "any".to_owned(),
        reference: 1.0,
        security: None,
        wires: wires.collect(),
    };
    let profile = Profile {
        format: PROFILE_FORMAT,
        creo: env!("CARGO_PKG_VERSION").to_owned(),
        date: "2026-11-21".to_owned(),
        machine: Default::default(),
        quick: true,
        targets: vec![target],
    };
    profile.to_json().expect("JSON")
}

/// Verifies an estimate of one message in C. The program is compiled without optimization, which takes most of the time.
fn verify_in_c(place: &Place, arguments: &str) -> Ran {
    let arguments =
        format!("estimate data.creo --verify --quick --binding binary+tcp --method retrieveData {arguments}");
    let compiler = format!("{} -O0", std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()));
    let mut command = place.command();
    command.args(arguments.split_whitespace()).env("CC", compiler);
    Ran::of(command.output().expect("creo runs"), &arguments)
}

#[test]
fn what_cannot_be_measured_is_told() {
    let place = Place::with_data();
    for arguments in ["--target cobol", "--wire smtp"] {
        let ran = place.creo(&format!("calibrate -o p.json --error-format json {arguments}")).exits(1);
        assert!(ran.err.contains("\"invalid-assumption\""), "{}", ran.err);
        assert!(!place.exists("p.json"));
    }
    let ran = place.creo("estimate data.creo --verify --profile none --error-format json").exits(1);
    assert!(ran.err.contains("\"invalid-assumption\""), "{}", ran.err);
    // A missing toolchain is an error if its target is requested by name, or if no other target is left.
    place.write("profile.json", profile("c"));
    for (arguments, wanted) in
        [("", "c is not measured: "), ("", "nothing can be measured"), ("--target c", "--target c: ")]
    {
        let arguments = format!("estimate data.creo --verify --quick --profile profile.json {arguments}");
        let mut command = place.command();
        let ran = Ran::of(
            command.args(arguments.split_whitespace()).env("CC", "nowhere").output().expect("creo runs"),
            &arguments,
        )
        .exits(1);
        assert!(ran.err.contains(wanted), "{}", ran.err);
    }
}

#[test]
fn without_a_profile_the_one_that_comes_with_creo_is_verified() {
    if std::env::var("CREO_WITHOUT").unwrap_or_default().split(',').any(|name| name.trim() == "c") {
        eprintln!("c was taken out by CREO_WITHOUT");
        return;
    }
    let ran = verify_in_c(&Place::with_data(), "--target c").exits(0);
    assert!(ran.err.contains("predicted by the profile that comes with creo, measured on "), "{}", ran.err);
    assert!(ran.out.contains("c: of "), "{}", ran.out);
}

/// Where the reference took longer when the profile was measured, all takes longer by as much (COST-38).
#[test]
fn times_are_at_the_clock_rate_of_the_profile() {
    if std::env::var("CREO_WITHOUT").unwrap_or_default().split(',').any(|name| name.trim() == "c") {
        eprintln!("c was taken out by CREO_WITHOUT");
        return;
    }
    let place = Place::with_data();
    let measured = |reference: &str, clock: &str| -> f64 {
        place.write(
            "profile.json",
            profile("c").replace("\"reference\":1.0", &format!("\"reference\":{reference}")),
        );
        let ran = verify_in_c(&place, "--profile profile.json --format csv").exits(0);
        assert!(
            ran.err.contains(&format!("c: the clock is {clock} than that of the profile")),
            "{}",
            ran.err
        );
        ran.out
            .lines()
            .skip(1)
            .map(|line| line.split(',').nth(8).and_then(|ns| ns.parse::<f64>().ok()).expect("a time"))
            .sum()
    };
    let (fast, slow) = (measured("1.0", "slower"), measured("1e7", "faster"));
    assert!((1e6..1e8).contains(&(slow / fast)), "{fast} and {slow}");
}

#[test]
fn results_that_cannot_be_written_are_told_before_anything_is_measured() {
    let place = Place::with_data();
    for (arguments, wanted) in [
        ("-o p.json --brief ./p.json", "--out and --brief are the same file: ./p.json"),
        ("-o p.json --brief b.json --residuals b.json", "--brief and --residuals are the same file: b.json"),
        ("-o nowhere/p.json", "cannot write nowhere/p.json: there is no such file or folder"),
        ("-o data.creo/p.json", "cannot write data.creo/p.json: a part of the path is not a folder"),
        ("-o .", "cannot write .: it is a folder"),
    ] {
        let ran = place.creo(&format!("calibrate --target c --wire binary --quick {arguments}")).exits(1);
        assert!(ran.err.contains(wanted) && !ran.err.contains("measuring"), "{}", ran.err);
        assert!(!place.exists("p.json"));
    }
    for (arguments, wanted) in [
        ("-o nowhere/c.csv", "cannot write nowhere/c.csv"),
        ("--format json", "--verify is written as text or csv"),
    ] {
        let ran = place.creo(&format!("estimate data.creo --verify --quick --target c {arguments}")).exits(1);
        assert!(ran.err.contains(wanted) && !ran.err.contains("measuring"), "{}", ran.err);
    }
}

/// JAXB is no part of the JDK; tests/interop measures with it.
#[test]
fn jaxb_is_asked_for_by_name() {
    if std::env::var("CREO_WITHOUT").unwrap_or_default().split(',').any(|name| name.trim() == "java") {
        eprintln!("java was taken out by CREO_WITHOUT");
        return;
    }
    let place = Place::new();
    for (path, wanted) in [
        ("", "CREO_JAXB must be the class path with jaxb-runtime, jaxb-xjc"),
        ("nowhere.jar", "CREO_JAXB is not the class path"),
    ] {
        let mut command = place.command();
        let arguments = "calibrate --target java --wire jaxb -o p.json";
        let ran = Ran::of(
            command.args(arguments.split(' ')).env("CREO_JAXB", path).output().expect("creo runs"),
            arguments,
        )
        .exits(1);
        assert!(ran.err.contains(wanted), "{}", ran.err);
        assert!(!place.exists("p.json"));
    }
}
