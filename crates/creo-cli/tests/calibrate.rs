//! Measuring: the driver of a target is generated, compiled and run, and the sizes of what it writes are those of the model.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // The environment says which languages are taken out.

mod common;

use common::{Place, Ran};
use creo_cost::{
    Feature, Features, Fit, FitProfile, Foreign, LineProfile, Measured, PROFILE_FORMAT, Profile, Random,
    TargetProfile, Wire, WireProfile,
};
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Every kind of type: the sizes of the runtime's messages are held against the model's on all seven wires. How long they take is nobody's promise.
fn what_is_verified_has_the_sizes_of_the_model(target: &str) {
    let all = "@PACKAGE(\"p.q\") enum Colour { RED, GREEN = 300 } union Shape { double circle; int[] sides; Colour colour; }
         struct All { boolean a; byte b; short c; char d; int e; long f; float g; double h; String i; DateTime j; Decimal k; byte[] l; Colour m; Shape n;
             int? o; String?[] p; Map<String, All2> q; double[][] r; @Xml(attribute) String s; }
         extensible struct All2 { int x = 5; String[] y = {}; @Xml(nillable) String? z; }
         struct Tree { String name; Tree[] children; Tree? next; }
         struct Tag { @Xml(attribute) int a0; @Xml(attribute) int? a1; @Xml(attribute) int a2; @Xml(attribute) int a3; @Xml(attribute) int a4; @Xml(attribute) int a5;
             @Xml(attribute) int a6; @Xml(attribute) int a7; @Xml(attribute) int a8; @Xml(attribute) int a9; @Xml(any) String[] any; @Xml(anyAttribute) Map<String, String> more; }
         interface One { All[] all(All[] value, int number, @Xml(header) String? session); void none(); oneway void tree(Tree value); }
         interface Two { void all(Map<int, Shape> value); void tags(Tag?[] value); @Xml(bare) void page(@Xml(raw) String text); }";
    // The requests of six methods and the response of the one that has a result.
    verify(target, all, &["--length", "One.all.value=3", "--present", "All.o=0.5"], 6 + 1);
}

/// Measures each message on seven wires, both ways.
fn verify(target: &str, description: &str, assumptions: &[&str], messages: usize) {
    verify_on(7, target, description, assumptions, messages);
}

/// Measures each message on a number of wires, both ways.
fn verify_on(wires: usize, target: &str, description: &str, assumptions: &[&str], messages: usize) {
    if std::env::var("CREO_WITHOUT").unwrap_or_default().split(',').any(|name| name.trim() == target) {
        eprintln!("{target} was taken out by CREO_WITHOUT");
        return;
    }
    let place = Place::new();
    place.write("profile.json", profile(target));
    place.write("all.creo", description);
    let fixed = [
        "estimate",
        "all.creo",
        "--profile",
        "profile.json",
        "--verify",
        "--quick",
        "--format",
        "csv",
        "--quiet",
    ];
    let ran = place
        .command()
        .envs(tools(target))
        .args([&fixed[..], assumptions].concat())
        .output()
        .expect("creo runs");
    let ran = Ran::of(ran, "estimate --verify").exits(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 1 + messages * wires * 2, "{}", ran.out);
    for line in &lines[1..] {
        let cells: Vec<&str> = line.split(',').collect();
        assert!(cells[8].parse::<f64>().is_ok_and(|ns| ns > 0.0), "{line}");
    }
}

/// What the environment says where a language is not on the path: .NET, as the repository sets it up.
fn tools(target: &str) -> Vec<(&'static str, PathBuf)> {
    if target != "csharp" {
        return Vec::new();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let scripts = root.join("scripts/dotnet");
    let ready = Command::new(scripts.join("setup.sh")).status().expect("a shell");
    assert!(ready.success(), "scripts/dotnet/setup.sh");
    vec![("CREO_DOTNET", root.join("build/tools/dotnet/dotnet")), ("CREO_CSC", scripts.join("csc.sh"))]
}

#[test]
fn csharp_has_the_sizes_of_the_model() {
    what_is_verified_has_the_sizes_of_the_model("csharp");
}

/// Generated code of C# is a client's, too; the names of what is made for measuring are those of the description here.
#[test]
fn csharp_reads_requests_and_writes_responses_of_any_method() {
    let hostile = "@PACKAGE(\"measured\") struct Message { int value; String writer; int reader; } union Reader { Message f0; String[] object; }
         exception Bad { String message; } enum TextField { All, Of } extensible struct Writer { Message[] more = {}; }
         interface Messages0 {
             Message message(Message value, int reader, String? writer, Message? f0, Reader element) throws Bad;
             int?[] optional(Map<String, int?> value);
             int? maybe();
             TextField kind(TextField kind, TextField[] kinds);
             Reader union(Reader writer, Writer more);
             void head(@Xml(header) String session, Message value, @Xml(header) int? number);
             @Xml(bare) @XmlResponse(bare) Message bare(@Xml(header) String session, Message value) throws Bad;
             @Xml(bare) void none();
             @Xml(bare) void headerOnly(@Xml(header) String session);
             @XmlResponse(bare) int[] ints(int x);
             Map<String, byte[][]> large(int a, int b, int c, int d, int e, int f, int g, int h, int i);
         }
         interface AllMessages { oneway void all(int x); }";
    verify("csharp", hostile, &[], 12 + 8);
}

/// The driver holds what the stack reads and writes against Creo's values.
#[test]
fn xml_serializer_has_the_values_of_the_model() {
    let all = "@PACKAGE(\"p.q\") enum Colour { RED, GREEN = 300 } union Shape { double circle; int[] sides; Colour colour; All2 all; }
         struct All { boolean a; byte b; short c; char d; int e; long f; float g; double h; String i; DateTime j; Decimal k; byte[] l; Colour m; Shape n;
             int? o; String?[] p; Map<String, All2> q; double[][] r; @Xml(attribute) String s; Colour? t; byte[][] u; DateTime?[] v; Shape[]? w; @Xml(attribute) int? x; }
         extensible struct All2 { int x = 5; String[] y = {}; @Xml(nillable) int? z; }
         interface One { All[] all(All[] value, int number); Map<int, Shape> map(Map<String, int?> value); }";
    verify_on(
        1,
        "csharp",
        all,
        &[
            "--binding",
            "xmlserializer",
            "--length",
            "One.all.value=3",
            "--present",
            "All.o=0.5",
            "--present",
            "All.t=0.5",
        ],
        2 + 2,
    );
}

#[test]
fn java_has_the_sizes_of_the_model() {
    what_is_verified_has_the_sizes_of_the_model("java");
}

#[test]
fn python_has_the_sizes_of_the_model() {
    what_is_verified_has_the_sizes_of_the_model("python");
}

#[test]
fn c_has_the_sizes_of_the_model() {
    what_is_verified_has_the_sizes_of_the_model("c");
}

/// C has clients alone, so what reads requests and writes responses is made for measuring: by the generator's names, whatever those of the description are,
/// with outcomes that may be exceptions, and bodies without a wrapper.
#[test]
fn c_reads_requests_and_writes_responses_of_any_method() {
    let hostile = "@PACKAGE(\"errno.unix\") struct errno { int errno; String value; int reader; } union linux { errno errno; String[] class; }
         exception Bad { String why; errno[] e; } exception Worse { int why; } enum E { A, B }
         interface stdin {
             errno reader(errno value, int reader, String? item, errno? there, linux from) throws Bad, Worse;
             void to(int to, String? value) throws Bad;
             int?[] optional(Map<String, int?> value);
             int? maybe();
             E kind(E kind, E[] kinds);
             linux union(linux writer);
             void head(@Xml(header) String session, errno value);
             @Xml(bare) @XmlResponse(bare) errno bare(@Xml(header) String session, errno value) throws Bad;
             @Xml(bare) void none();
             @Xml(bare) void headerOnly(@Xml(header) String session);
             @XmlResponse(bare) int[] ints(int x);
         }
         interface measured_methods { oneway void table(int x); }";
    verify("c", hostile, &[], 12 + 7);
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
    // What a machine lacks is a mistake where it is asked for by name, or if nothing else is left.
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
    let ran = Place::with_data()
        .creo("estimate data.creo --verify --quick --target c --binding binary+tcp --method retrieveData")
        .exits(0);
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
        let ran =
            place.creo("estimate data.creo --verify --quick --profile profile.json --binding binary+tcp --method retrieveData --format csv").exits(0);
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
