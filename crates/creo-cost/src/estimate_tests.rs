//! Estimates of whole methods.

use crate::estimate::{Allowance, Network, Question, crossovers, estimate, over_lengths, spaced};
use crate::feature::Feature;
use crate::profile::{Coefficient, FitProfile, PROFILE_FORMAT, Profile, TargetProfile, WireProfile};
use crate::{Assumptions, Binding, Length, MAX_LENGTH, Paths, Sizes, Spread};
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
        security: [crate::Security::default(); 2],
    }
}

/// A fit in which a message costs `message` and each other variable `item`, with an error of a hundredth.
fn fit(message: f64, item: f64) -> FitProfile {
    let messages = [Feature::Message, Feature::Response, Feature::Empty, Feature::EmptyResponse];
    let coefficients: Vec<Coefficient> = Feature::all()
        .into_iter()
        .map(|feature| {
            let ns = if messages.contains(&feature) { message } else { item };
            Coefficient { feature: feature.word(), ns, low: ns, high: ns }
        })
        .collect();
    let error = |i: usize, j: usize| if i == j { (coefficients[i].ns / 100.0).powi(2) } else { 0.0 };
    FitProfile {
        covariance: (0..coefficients.len())
            .flat_map(|i| (0..=i).map(move |j| (i, j)))
            .map(|(i, j)| error(i, j))
            .collect(),
        coefficients,
        residual: 0.01,
        freedom: 100,
        points: 200,
        r2: 1.0,
        median_error: 0.01,
        high_error: 0.02,
        noise: 1.0,
        cut: None,
        bytes_cut: None,
        many: None,
        lines: Vec::new(),
    }
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
            security: None,
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
    assert_eq!(rows[0].request.network.map(|time| time.ns), Some(1e5 + 26.0 * 8.0));
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
    let network = rows[0].network().unwrap_or_else(|| panic!("a time")).ns;
    assert!((share - 3.0 * (request + response) / (3.0 * (request + response) + network)).abs() < 1e-3);
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

/// The numbers of all rows, on every binding, for lengths and shares by short names.
fn all_numbers(
    description: &str,
    lengths: &[(String, Length)],
    shares: &[(String, f64)],
    profile: &Profile,
) -> Vec<(Allowance, Vec<f64>)> {
    let model = compile(&[("a.creo", description)]).unwrap_or_else(|report| panic!("{report}"));
    let sizes = Sizes::new(&model);
    let mut question = question(&sizes, &["tcp", "http", "jms"]);
    (question.profile, question.targets) = (Some(profile), vec!["java".to_owned()]);
    let paths = Paths::new(&model);
    let mut assumptions = Assumptions::default();
    assumptions.lengths.extend(lengths.iter().map(|(name, length)| (full(&paths, name), length.clone())));
    assumptions.present.extend(shares.iter().map(|(name, share)| (full(&paths, name), *share)));
    let rows = estimate(&sizes, &assumptions, &question).unwrap_or_else(|e| panic!("{e}"));
    assert!(rows.len() >= Binding::all().len());
    let of = |time: Option<crate::Time>| time.into_iter().flat_map(|time| [time.ns, time.low, time.high]);
    let numbers = |row: &crate::Row| {
        let mut all = vec![row.bytes().expected, row.measure()];
        all.extend(
            of(row.processor()).chain(of(row.network())).chain(of(row.total())).chain(of(row.cores(1e9))),
        );
        all.extend(row.share());
        all
    };
    rows.iter().map(|row| (row.allowance(), numbers(row))).collect()
}

/// A profile of all wires, which cost the same.
fn every_wire() -> Profile {
    let mut profile = profile(&[("binary", 1000.0, 2.0)]);
    let wires = &mut profile.targets[0].wires;
    *wires = crate::Wire::ALL
        .iter()
        .map(|wire| WireProfile { wire: wire.word().to_owned(), ..wires[0].clone() })
        .collect();
    profile
}

/// The full path of a short name.
fn full(paths: &Paths, name: &str) -> String {
    paths.find(name).unwrap_or_else(|why| panic!("{name}: {why:?}")).0.to_owned()
}

/// A chain of structs, each of which holds `next` of the next one, `#`.
fn chain(length: usize, next: &str) -> String {
    let mut text: String = (1..length)
        .map(|i| format!("struct S{i} {{ int a; {} next; }}\n", next.replace('#', &format!("S{}", i + 1))))
        .collect();
    text.push_str(&format!("struct S{length} {{ int a; }}\ninterface I {{ S1 m(int a); }}\n"));
    text
}

/// COST-16: whatever nests, and however long it is, numbers are numbers, and what is too long says so.
#[test]
fn lengths_that_multiply_give_no_infinite_numbers() {
    const DEPTH: usize = 150;
    let profile = every_wire();
    let every = |length: &Length| -> Vec<(String, Length)> {
        (1..DEPTH).map(|i| (format!("S{i}.next"), length.clone())).collect()
    };
    for next in ["#[]", "Map<int, #>", "#[]?", "#[][]", "Map<String, #[]>"] {
        let found = all_numbers(&chain(DEPTH, next), &every(&Length::Uniform(900, 1100)), &[], &profile);
        for (allowance, numbers) in found {
            assert_eq!(allowance, Allowance::Never, "{next}");
            assert!(numbers.iter().all(|number| number.is_finite()), "{next}: {numbers:?}");
        }
    }
    // Two arrays, as long as they can be, of the longest strings.
    let text = "struct T { String[][] texts; } interface I { void m(T t); }";
    let longest =
        ["T.texts", "T.texts[]", "T.texts[][]"].map(|path| (path.to_owned(), Length::Fixed(MAX_LENGTH)));
    for (allowance, numbers) in all_numbers(text, &longest, &[], &profile) {
        assert_eq!(allowance, Allowance::Never);
        assert!(numbers.iter().all(|number| number.is_finite()), "{numbers:?}");
    }
    // What is hardly ever there.
    let seldom: Vec<(String, f64)> = (1..DEPTH).map(|i| (format!("S{i}.next"), 1e-300)).collect();
    let longest = every(&Length::Fixed(MAX_LENGTH));
    for (allowance, numbers) in all_numbers(&chain(DEPTH, "#[]?"), &longest, &seldom, &profile) {
        assert_eq!(allowance, Allowance::Default);
        assert!(numbers.iter().all(|number| number.is_finite()), "{numbers:?}");
    }
}

/// A profile in which nothing takes time, and one in which everything takes the longest that can be said.
#[test]
fn profiles_of_nothing_and_of_the_most_give_no_infinite_numbers() {
    let mut profile = every_wire();
    for ns in [0.0, 5e-324, 1e15] {
        for wire in profile.targets.iter_mut().flat_map(|target| &mut target.wires) {
            for fit in [&mut wire.serialize, &mut wire.deserialize] {
                fit.coefficients.iter_mut().for_each(|coefficient| coefficient.ns = ns);
            }
        }
        for (allowance, numbers) in all_numbers(DATA, &[], &[], &profile) {
            assert_eq!(allowance, Allowance::Default);
            assert!(numbers.iter().all(|number| number.is_finite()), "{ns}: {numbers:?}");
        }
    }
}

/// LIM-1: the same message, a byte shorter and a byte longer than is allowed.
#[test]
fn what_may_be_sent_is_told_from_what_may_not() {
    let model =
        compile(&[("a.creo", "interface I { void m(byte[] data); }")]).unwrap_or_else(|e| panic!("{e}"));
    let sizes = Sizes::new(&model);
    let question = question(&sizes, &["binary+tcp"]);
    for (length, expected) in [
        ((128 << 20) - 4, Allowance::Default),
        ((128 << 20) - 3, Allowance::Raised),
        (MAX_LENGTH - 5, Allowance::Raised),
        (MAX_LENGTH - 4, Allowance::Never),
    ] {
        let mut assumptions = Assumptions::default();
        assumptions.lengths.insert(full(&Paths::new(&model), "m.data"), Length::Fixed(length));
        let rows = estimate(&sizes, &assumptions, &question).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(rows[0].allowance(), expected, "{length}: {:?}", rows[0].request.body);
        assert_eq!(rows[0].network().is_none(), expected == Allowance::Never);
    }
}

/// A line ends where its messages become too long, and another binding takes its place.
#[test]
fn lines_end_where_messages_become_too_long() {
    let model = model();
    let sizes = Sizes::new(&model);
    // A number costs nothing in JSON, and much on the binary wire; but as a text it is longer.
    let profile = profile(&[("binary", 1e6, 1.0), ("json", 1.0, 0.0)]);
    let mut question = question(&sizes, &["binary+tcp", "json+http"]);
    question.network = Network { bandwidth: 1e15, latency: 0.0 };
    question.methods.truncate(1);
    (question.profile, question.targets) = (Some(&profile), vec!["java".to_owned()]);
    let lengths = [1_000, 100_000_000, 200_000_000];
    let series = over_lengths(&sizes, &Assumptions::default(), &question, "p.Data.samples", &lengths)
        .unwrap_or_else(|e| panic!("{e}"));
    let points: Vec<usize> = series.iter().map(|series| series.points.len()).collect();
    assert_eq!(points, [3, 2]);
    let found = crossovers(&sizes, &Assumptions::default(), &question, "p.Data.samples", &lengths)
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].from.as_str(), found[0].to.as_str()), ("java json+http", "java binary+tcp"));
}
