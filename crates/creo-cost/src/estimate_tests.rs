//! Estimates of whole methods.

use crate::estimate::{Network, Question, crossovers, estimate, over_lengths, spaced};
use crate::feature::Feature;
use crate::features::Features;
use crate::fit::{Fit, Measured};
use crate::profile::{FitProfile, PROFILE_FORMAT, Profile, TargetProfile, WireProfile};
use crate::{Assumptions, Binding, Length, Sizes, Spread};
use creo_check::{CheckedModel, compile};
use std::collections::BTreeMap;

const DATA: &str = "@PACKAGE(\"p\") struct Data { String description; double[] samples; } interface Store { Data find(int id); oneway void note(String text); }";

fn model() -> CheckedModel {
    compile(&[("a.creo", DATA)]).unwrap_or_else(|report| panic!("{report}"))
}

fn bindings(names: &[&str]) -> Vec<Binding> {
    names.iter().flat_map(|name| Binding::named(name)).collect()
}

fn question<'a>(sizes: &Sizes<'_>, names: &[&str]) -> Question<'a> {
    Question {
        methods: sizes.methods().collect(),
        bindings: bindings(names),
        targets: Vec::new(),
        profile: None,
        network: Network { bandwidth: 1e9, latency: 1e5 },
        wide: 0.0,
    }
}

/// A fit in which a message costs `message` and each byte `byte`, whatever its content.
fn fit(message: f64, item: f64) -> FitProfile {
    let points: Vec<Measured> = (0..200u64)
        .map(|i| {
            let mut random = crate::Random::new(i);
            let mut features: Features =
                Feature::all().into_iter().map(|feature| (feature, random.below(1000) as f64)).collect();
            // Each message is a request, a response, or an empty one.
            let each = [Feature::Message, Feature::Response, Feature::Empty, Feature::EmptyResponse];
            for (k, feature) in each.iter().enumerate() {
                features.insert(*feature, if i % 4 == k as u64 { 1.0 } else { 0.0 });
            }
            let ns = message
                + features.iter().filter(|(f, _)| !each.contains(f)).map(|(_, n)| n * item).sum::<f64>();
            Measured { name: i.to_string(), features, ns, weight: 1.0 }
        })
        .collect();
    FitProfile::new(&Fit::new(&points).unwrap_or_else(|e| panic!("{e}")), None, None, None, 1.0, Vec::new())
}

fn profile(wires: &[(&str, f64, f64)]) -> Profile {
    let wires = wires.iter().map(|(wire, message, item)| WireProfile {
        size: None,
        wire: (*wire).to_owned(),
        serialize: fit(*message, *item),
        deserialize: fit(2.0 * message, 2.0 * item),
    });
    Profile {
        format: PROFILE_FORMAT,
        creo: env!("CARGO_PKG_VERSION").to_owned(),
        date: String::new(),
        machine: BTreeMap::new(),
        quick: false,
        targets: vec![TargetProfile {
            target: "java".to_owned(),
            version: String::new(),
            reference: 1.0,
            wires: wires.collect(),
        }],
    }
}

#[test]
fn binary_bytes_are_exact_for_given_lengths() {
    let model = model();
    let sizes = Sizes::new(&model);
    let mut assumptions = Assumptions::default();
    assumptions.lengths.insert("p.Data.samples".to_owned(), Length::Fixed(1000));
    let rows =
        estimate(&sizes, &assumptions, &question(&sizes, &["binary+tcp"])).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[0].request.body, rows[0].request.transport), (Spread::exact(4), Spread::exact(22)));
    let response = rows[0].response.unwrap_or_else(|| panic!("a response"));
    assert_eq!((response.body, response.transport), (Spread::exact(17 + 2 + 8000), Spread::exact(10)));
    assert_eq!(rows[1].response, None);
    // A tenth of a millisecond, and a nanosecond for each bit.
    assert_eq!(rows[0].request.network.ns, 1e5 + 26.0 * 8.0);
    assert_eq!(rows[0].total(), None);
}

#[test]
fn ranges_become_bounds_and_means() {
    let model = model();
    let sizes = Sizes::new(&model);
    let mut assumptions = Assumptions::default();
    assumptions.lengths.insert("p.Data.samples".to_owned(), Length::Uniform(10, 20));
    let rows =
        estimate(&sizes, &assumptions, &question(&sizes, &["binary+tcp"])).unwrap_or_else(|e| panic!("{e}"));
    let body = rows[0].response.unwrap_or_else(|| panic!("a response")).body;
    assert_eq!((body.least, body.expected, body.most), (17 + 1 + 80, (17 + 1 + 120) as f64, 17 + 1 + 160));
}

#[test]
fn rows_are_ranked_by_bytes_without_a_profile() {
    let model = model();
    let sizes = Sizes::new(&model);
    let rows = estimate(&sizes, &Assumptions::default(), &question(&sizes, &["http", "tcp"]))
        .unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<String> =
        rows.iter().filter(|row| row.method.method == 0).map(|row| row.binding.to_string()).collect();
    assert_eq!(names.first().map(String::as_str), Some("binary+tcp"));
    assert_eq!(names.last().map(String::as_str), Some("soap+http"));
}

#[test]
fn times_loads_and_shares_follow_from_the_coefficients() {
    let model = model();
    let sizes = Sizes::new(&model);
    let profile = profile(&[("binary", 1000.0, 2.0)]);
    let mut question = question(&sizes, &["binary+tcp"]);
    (question.profile, question.targets) = (Some(&profile), vec!["java".to_owned()]);
    let mut assumptions = Assumptions::default();
    assumptions.lengths.insert("p.Data.samples".to_owned(), Length::Fixed(100));
    assumptions.lengths.insert("p.Data.description".to_owned(), Length::Fixed(50));
    let rows = estimate(&sizes, &assumptions, &question).unwrap_or_else(|e| panic!("{e}"));
    let near = |found: Option<crate::Time>, ns: f64| {
        assert!(found.is_some_and(|t| (t.ns - ns).abs() < 1e-3 * ns), "{found:?}, not {ns}")
    };
    // A message and one int, which is a run; a message, a record, a string of 50 bytes, an array after it and 100 doubles.
    let (request, response) = (1000.0 + 2.0 * 2.0, 1000.0 + 2.0 * (1.0 + 1.0 + 50.0 + 1.0 + 1.0 + 100.0));
    near(rows[0].request.serialize, request);
    near(rows[0].request.deserialize, 2.0 * request);
    near(rows[0].response.and_then(|r| r.serialize), response);
    near(rows[0].processor(), 3.0 * (request + response));
    let cores = rows[0].cores(1e6).unwrap_or_else(|| panic!("cores"));
    assert!((cores.ns - (2.0 * request + response) / 1e3).abs() < 0.01, "{cores:?}");
    let share = rows[0].share().unwrap_or_else(|| panic!("a share"));
    assert!(
        (share - 3.0 * (request + response) / (3.0 * (request + response) + rows[0].network().ns)).abs()
            < 1e-3
    );
}

#[test]
fn one_wire_overtakes_another_where_their_lines_cross() {
    let model = model();
    let sizes = Sizes::new(&model);
    // Serializing and deserializing both messages: 3 * (1000 + 1000) to 3 * (100 + 100) at first, 3 * 2 to 3 * 20 for each item.
    let profile = profile(&[("binary", 10_000.0, 1.0), ("json", 100.0, 10.0)]);
    let mut question = question(&sizes, &["binary+tcp", "json+http"]);
    question.network = Network { bandwidth: 1e15, latency: 0.0 };
    question.methods.truncate(1);
    (question.profile, question.targets) = (Some(&profile), vec!["java".to_owned()]);
    let lengths = spaced(1, 10_000, 20);
    let found = crossovers(&sizes, &Assumptions::default(), &question, "p.Data.samples", &lengths)
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].from.as_str(), found[0].to.as_str()), ("java json+http", "java binary+tcp"));
    let at = |length: u64| {
        let series = over_lengths(&sizes, &Assumptions::default(), &question, "p.Data.samples", &[length])
            .unwrap_or_else(|e| panic!("{e}"));
        let of =
            |wire: &str| series.iter().find(|s| s.binding.to_string() == wire).map_or(0.0, |s| s.points[0].1);
        of("binary+tcp") < of("json+http")
    };
    assert!(at(found[0].length) && !at(found[0].length - 1));
}

#[test]
fn spaces_are_even_and_whole() {
    assert_eq!(spaced(1, 1000, 4), [1, 10, 100, 1000]);
    assert_eq!(spaced(5, 5, 3), [5]);
    assert_eq!(spaced(0, 3, 5), [1, 2, 3]);
}

/// TDX-51, TDX-52, JSON-21: the response of a void method.
#[test]
fn answers_of_void_methods() {
    let model =
        compile(&[("a.creo", "interface I { void m(int x); }")]).unwrap_or_else(|report| panic!("{report}"));
    let sizes = Sizes::new(&model);
    let rows =
        estimate(&sizes, &Assumptions::default(), &question(&sizes, &["tdxml-record", "json", "binary+tcp"]))
            .unwrap_or_else(|e| panic!("{e}"));
    for row in rows {
        let answer = row.response.unwrap_or_else(|| panic!("an answer"));
        let body = match row.binding.to_string().as_str() {
            "tdxml-record+tcp" | "tdxml-record+jms" => {
                "<Env xmlns=\"urn:creo:tdxml\"><RT>\n</RT></Env>".len() as u64
            }
            _ => 0,
        };
        assert_eq!(answer.body, Spread::exact(body), "{}", row.binding);
        if row.binding.to_string() == "json+http" {
            assert_eq!(answer.transport, Spread::exact("HTTP/1.1 204 No Content\r\n\r\n".len() as u64));
        }
    }
}

/// If the plan has other steps, the time differs though the bytes are the same.
#[test]
fn times_follow_the_steps_of_the_plan() {
    let profile = profile(&[("binary", 1000.0, 2.0)]);
    let estimated = |types: &str| {
        let model = compile(&[("a.creo", &format!("{types} interface I {{ void m(S s); }}"))])
            .unwrap_or_else(|report| panic!("{report}"));
        let sizes = Sizes::new(&model);
        let mut question = question(&sizes, &["binary+tcp"]);
        (question.profile, question.targets) = (Some(&profile), vec!["java".to_owned()]);
        let rows = estimate(&sizes, &Assumptions::default(), &question).unwrap_or_else(|e| panic!("{e}"));
        (
            rows[0].request.body,
            rows[0].request.serialize.map(|time| time.ns).unwrap_or_else(|| panic!("a time")),
        )
    };
    let fields = "struct S { int a; E e; int b; E f; int c; }";
    let (closed, open) = (
        estimated(&format!("enum E {{ A }} {fields}")),
        estimated(&format!("extensible enum E {{ A }} {fields}")),
    );
    assert_eq!(closed.0, open.0);
    // Three runs instead of one.
    assert!((open.1 - closed.1 - 2.0 * 2.0).abs() < 1e-6, "{closed:?}, {open:?}");
    let (plain, growing) =
        (estimated("struct S { int a; int b; }"), estimated("extensible struct S { int a; int b; }"));
    assert_eq!(plain.0.and(4), growing.0);
    assert!((growing.1 - plain.1 - 2.0).abs() < 1e-6, "{plain:?}, {growing:?}");
}
