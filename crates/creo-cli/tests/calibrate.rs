//! Measuring: the driver of a target is generated, compiled and run, and the sizes of what it writes are those of the model.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // The environment says which languages are taken out.

mod common;

use common::Place;
use creo_cost::{Feature, Features, Fit, FitProfile, Measured, PROFILE_FORMAT, Profile, Random, TargetProfile, Wire, WireProfile};

/// A profile in which everything costs a nanosecond.
fn profile() -> String {
    let points: Vec<Measured> = (0..150)
        .map(|i| {
            let mut random = Random::new(i);
            let features: Features = Feature::all().into_iter().map(|feature| (feature, random.below(1000) as f64 + 1.0)).collect();
            Measured { name: i.to_string(), ns: features.values().sum(), features }
        })
        .collect();
    let fit = FitProfile::new(&Fit::new(&points).expect("a fit"), None, 1.0, Vec::new());
    let wires = Wire::ALL.map(|wire| WireProfile { wire: wire.word().to_owned(), serialize: fit.clone(), deserialize: fit.clone() });
    let target = TargetProfile { target: "java".to_owned(), version: "any".to_owned(), wires: wires.to_vec() };
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

/// Every kind of type, so that the sizes of the runtime's messages are held against the model's on all seven wires. How long they take is nobody's
/// promise.
#[test]
fn what_is_verified_has_the_sizes_of_the_model() {
    if std::env::var("CREO_WITHOUT").unwrap_or_default().split(',').any(|name| name.trim() == "java") {
        eprintln!("java was taken out by CREO_WITHOUT");
        return;
    }
    let place = Place::new();
    place.write("profile.json", profile());
    place.write(
        "all.creo",
        "@PACKAGE(\"p.q\") enum Colour { RED, GREEN = 300 } union Shape { double circle; int[] sides; Colour colour; }
         struct All { boolean a; byte b; short c; char d; int e; long f; float g; double h; String i; DateTime j; Decimal k; byte[] l; Colour m; Shape n;
             int? o; String?[] p; Map<String, All2> q; double[][] r; @Xml(attribute) String s; }
         extensible struct All2 { int x = 5; String[] y = {}; @Xml(nillable) String? z; }
         struct Tree { String name; Tree[] children; Tree? next; }
         interface One { All[] all(All[] value, int number, @Xml(header) String? session); void none(); oneway void tree(Tree value); }
         interface Two { void all(Map<int, Shape> value); }",
    );
    let ran = place.creo_with(&[
        "estimate",
        "all.creo",
        "--profile",
        "profile.json",
        "--verify",
        "--quick",
        "--format",
        "csv",
        "--length",
        "One.all.value=3",
        "--present",
        "All.o=0.5",
        "--quiet",
    ]);
    let ran = ran.exits(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    // Four methods, seven wires, both ways.
    assert_eq!(lines.len(), 1 + 4 * 7 * 2, "{}", ran.out);
    for line in &lines[1..] {
        let cells: Vec<&str> = line.split(',').collect();
        assert!(cells[7].parse::<f64>().is_ok_and(|ns| ns > 0.0), "{line}");
    }
}

#[test]
fn what_cannot_be_measured_is_told() {
    let place = Place::with_data();
    for arguments in ["--target cobol", "--wire smtp"] {
        let ran = place.creo(&format!("calibrate -o p.json --error-format json {arguments}")).exits(1);
        assert!(ran.err.contains("\"invalid-assumption\""), "{}", ran.err);
        assert!(!place.exists("p.json"));
    }
    place.creo("estimate data.creo --verify").exits(2);
}
