//! `creo capacity`: the simulation, its output, and errors of wrong input.

mod common;

use common::{Place, profile};
use serde_json::Value;

const CALLS: &str = "--call retrieveData=500/s --work retrieveData=2ms --sample 5000";

/// Of a scenario with the profile that is named, otherwise without one.
fn rows(place: &Place, arguments: &str) -> Vec<Value> {
    let arguments = if arguments.contains("--profile") {
        arguments.to_owned()
    } else {
        format!("{arguments} --profile none")
    };
    let ran = place.creo(&format!("capacity data.creo {arguments} --format json")).exits(0);
    ran.json()["rows"].as_array().expect("rows").clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_numbers_are_those_of_the_queues() {
    let place = Place::with_data();
    let all = rows(&place, &format!("{CALLS} --binding binary+tcp --hosts 2 --goal 20ms --latency 1ms"));
    let row = &all[0];
    // 500 calls of 2 ms on two cores.
    assert!((number(&row["outcome"]["utilisation"]["value"]) - 0.5).abs() < 0.02, "{row}");
    assert_eq!(
        (&row["capacity"]["limit"], number(&row["capacity"]["rate"]).round()),
        (&"cores".into(), 1000.0)
    );
    assert_eq!(
        (&row["sharing"], &row["threads"], &row["saturated"]),
        (&"round-robin".into(), &Value::Null, &false.into())
    );
    // Nothing is faster than the work and the way to and fro.
    assert!(
        number(&row["outcome"]["median"]["value"]) >= 4e6 && number(&row["outcome"]["p99"]["value"]) < 30e6
    );
    assert!(number(&row["outcome"]["p99"]["low"]) <= number(&row["outcome"]["p99"]["value"]));
    let rate = number(&row["goal"]["rate"]);
    assert!((500.0..1000.0).contains(&rate), "{row}");
    assert!([1, 2].contains(&row["goal"]["hosts"].as_u64().expect("hosts")), "{row}");
    let loads = row["loads"].as_array().expect("loads");
    assert!(
        loads.len() == 10 && loads.windows(2).all(|pair| number(&pair[0]["p99"]) <= number(&pair[1]["p99"])),
        "{row}"
    );
}

#[test]
fn sharing_follows_the_transport_unless_it_is_said() {
    let place = Place::with_data();
    let sharing = |more: &str| {
        let of = |row: &Value| {
            (
                row["binding"].as_str().unwrap_or("").to_owned(),
                row["sharing"].as_str().unwrap_or("").to_owned(),
                row["threads"].clone(),
            )
        };
        let mut all: Vec<_> =
            rows(&place, &format!("{CALLS} --hosts 3 --binding binary {more}")).iter().map(of).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.into_iter().map(|(_, sharing, threads)| (sharing, threads)).collect::<Vec<_>>()
    };
    assert_eq!(sharing(""), [("queue".to_owned(), Value::from(4)), ("round-robin".to_owned(), Value::Null)]);
    assert_eq!(
        sharing("--balance least-busy --threads 7"),
        vec![("least-busy".to_owned(), Value::from(7)); 2]
    );
}

#[test]
fn a_profile_makes_messages_cost_and_says_what_it_does_not_know() {
    let place = Place::with_data();
    place.write("profile.json", profile(&["json"]));
    let with = "--call retrieveData=100 --sample 2000 --binding json,binary+tcp --profile profile.json --length Data.samples=10..1000";
    let ran = place.creo(&format!("capacity data.creo {with} --format json")).exits(0).json();
    let all = ran["rows"].as_array().expect("rows");
    assert_eq!((all.len(), &all[0]["binding"], &all[0]["target"]), (1, &"json+http".into(), &"java".into()));
    assert_eq!(ran["leftOut"][0], "java binary+tcp");
    // A microsecond for each message, and a nanosecond for each byte of its digits and markup; the response is as long as its array.
    let found = &all[0]["outcome"];
    assert!(number(&found["p99"]["value"]) > number(&found["median"]["value"]) * 1.05, "{found}");
    let capacity = number(&all[0]["capacity"]["rate"]);
    assert!((1e4..4e5).contains(&capacity), "{capacity}");
    // A target is called as the profile calls it, but says nothing to a terminal.
    place.write(
        "odd.json",
        profile(&["json"]).replace("\"target\":\"java\"", "\"target\":\"j,\\u001b[31m\\n\""),
    );
    let odd = with.replace("profile.json", "odd.json");
    for format in ["text", "csv"] {
        let out = place.creo(&format!("capacity data.creo {odd} --format {format}")).exits(0).out;
        assert!(
            !out.contains('\u{1b}')
                && (format == "text"
                    || out.contains("\n\"j,\\u001b[31m\\n\",json") && out.lines().count() == 3),
            "{out}"
        );
    }
    let overhead = rows(&place, &format!("{with} --overhead 1ms"));
    assert!(
        (900.0..1000.0).contains(&number(&overhead[0]["capacity"]["rate"])),
        "{}",
        overhead[0]["capacity"]
    );
    place
        .creo("capacity data.creo --call retrieveData=1 --binding tcp --profile profile.json")
        .exits(1)
        .says("the profile has no times");
}

#[test]
fn a_profile_comes_with_the_program() {
    let place = Place::with_data();
    let text = place
        .creo("capacity data.creo --call retrieveData=100 --sample 1000 --binding binary+tcp --all")
        .exits(0)
        .out;
    assert!(
        text.contains("binary+tcp  round-robin")
            && text.contains("the profile that comes with creo, measured on 20"),
        "{text}"
    );
}

#[test]
fn the_same_seed_gives_the_same() {
    let place = Place::with_data();
    let of = |seed: u32| {
        place
            .creo(&format!("capacity data.creo {CALLS} --work retrieveData=exponential(2ms) --hosts 2 --seed {seed} --profile none --format json"))
            .exits(0)
            .out
    };
    assert_eq!(of(3), of(3));
    assert_ne!(of(3), of(4).replace("\"seed\": 4", "\"seed\": 3"));
}

#[test]
fn a_scenario_can_come_from_a_file() {
    let place = Place::with_data();
    place.write(
        "load/data.toml",
        "hosts = 2\ncores = 1\nlatency = \"1ms\"\nbinding = [\"binary+tcp\"]\nsample = 5000\n\n[call]\nretrieveData = 500\n\n[work]\nretrieveData = \"2ms\"\n\n[length]\n\"Data.samples\" = 10\n",
    );
    let file = rows(&place, "--scenario load/data.toml");
    let said = rows(
        &place,
        &format!("{CALLS} --hosts 2 --latency 1ms --binding binary+tcp --length Data.samples=10"),
    );
    assert_eq!(file, said);
    // Command-line options win.
    let more = rows(&place, "--scenario load/data.toml --hosts 4 --call retrieveData=1000/s");
    assert_eq!(number(&more[0]["capacity"]["rate"]).round(), 2000.0);
    for (text, code) in [
        ("host = 2", "invalid-scenario"),
        ("[call", "invalid-scenario"),
        ("[call]\nretrieveData = []", "invalid-scenario"),
        ("[call]\nnope = 3", "unknown-method"),
    ] {
        place.write("wrong.toml", text);
        let ran = place.creo("capacity data.creo --scenario wrong.toml --error-format json").exits(1);
        let told: Value =
            serde_json::from_str(ran.err.trim()).unwrap_or_else(|e| panic!("{text}: {e}: {}", ran.err));
        assert_eq!(told["code"], code, "{text}: {}", ran.err);
    }
    place.write("wrong.toml", [0xff, 0xfe]);
    place.creo("capacity data.creo --scenario wrong.toml").exits(1).says("not UTF-8");
    place.creo("capacity data.creo --scenario nowhere.toml").exits(1).says("cannot read nowhere.toml");
    place.write("wrong.toml", vec![b'#'; (1 << 20) + 1]);
    place.creo("capacity data.creo --scenario wrong.toml").exits(1).says("larger than 1 MiB");
}

#[test]
fn every_format_has_every_row() {
    let place = Place::with_data();
    let mix = "--call retrieveData=300/s --call storeData=200/s --call touch=30/min --work storeData=lognormal(2ms,1ms) --binding tcp --sample 2000";
    let text = place.creo(&format!("capacity data.creo {mix} --profile none --all")).exits(0).out;
    assert!(
        text.starts_with("load          500 calls/s on 1 host of 1 core\n")
            && text.contains("Each method")
            && text.contains("DataService.touch"),
        "{text}"
    );
    let csv = place.creo(&format!("capacity data.creo {mix} --profile none --format csv")).exits(0).out;
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    // Three tables over TCP: each with a line for all and one for each of three methods.
    assert_eq!(columns.len(), 1 + 3 * 4, "{csv}");
    assert!(columns.iter().all(|count| *count == columns[0]), "{csv}");
    place.write(
        "profile.json",
        profile(&["binary", "tdxml-record"]).replace("2026-11-21", "<script>alert(1)</script>"),
    );
    place
        .creo(&format!("capacity data.creo {mix} --profile profile.json --format html -o page.html"))
        .exits(0)
        .says("page.html written");
    let page = place.read("page.html");
    assert!(page.contains("<svg") && page.contains("java binary+tcp") && page.ends_with("</html>\n"));
    assert!(
        !page.contains("<script")
            && !page.contains("src=")
            && !page.contains("href=")
            && !page.contains("url("),
        "{page}"
    );
}

#[test]
fn a_verdict_comes_first_and_has_six_lines_at_most() {
    let place = Place::with_data();
    place.write("profile.json", profile(&["binary", "json", "soap", "tdxml-record"]));
    let said = format!("capacity data.creo {CALLS} --hosts 2 --goal 50ms --profile profile.json");
    let verdict = place.creo(&said).exits(0).out;
    let labels: Vec<&str> = verdict.lines().map(|line| line.split("  ").next().unwrap_or("")).collect();
    assert_eq!(labels, ["load", "fastest", "others", "time goes to", "hosts", "basis"]);
    assert!(verdict.contains("needed for 99 of 100 calls within 50.0 ms"), "{verdict}");
    let all = place.creo(&format!("{said} --all")).exits(0).out;
    assert!(all.starts_with(&verdict) && all.contains("\n500 calls/s on 2 hosts of 1 core\n"), "{all}");
}

#[test]
fn more_than_can_be_served_is_saturated() {
    let place = Place::with_data();
    let text = place.creo("capacity data.creo --call retrieveData=1000/s --work retrieveData=2ms --binding binary+tcp --profile none --all").exits(0).out;
    assert!(
        text.contains("fastest  none can serve the load; binary+tcp saturates at 500/s (cores)\n"),
        "{text}"
    );
    assert!(text.contains("saturated") && text.contains("500/s (cores)"), "{text}");
    let goal = rows(
        &place,
        "--call retrieveData=1000/s --work retrieveData=2ms --binding binary+tcp --goal 20ms --sample 5000",
    );
    let hosts = goal[0]["goal"]["hosts"].as_u64().expect("hosts");
    assert!((3..=4).contains(&hosts), "{hosts}");
    let never = rows(
        &place,
        "--call retrieveData=1000/s --work retrieveData=2ms --binding binary+tcp --goal 1ms --sample 2000",
    );
    assert_eq!((&never[0]["goal"]["hosts"], &never[0]["goal"]["rate"]), (&Value::Null, &Value::Null));
}

#[test]
fn wrong_input_has_codes() {
    let place = Place::with_data();
    for (arguments, code) in [
        ("", "invalid-scenario"),
        ("--call nope=5", "unknown-method"),
        ("--call retrieveData", "invalid-scenario"),
        ("--call retrieveData=", "invalid-scenario"),
        ("--call retrieveData=fast", "invalid-scenario"),
        ("--call retrieveData=-1/s", "invalid-scenario"),
        ("--call retrieveData=0", "invalid-scenario"),
        ("--call retrieveData=1e10/s", "invalid-scenario"),
        ("--call retrieveData=9e8 --call storeData=9e8", "invalid-scenario"),
        ("--call retrieveData=5/day", "invalid-scenario"),
        ("--call retrieveData=5 --work storeData=2ms", "invalid-scenario"),
        ("--call retrieveData=5 --work nope=2ms", "unknown-method"),
        ("--call retrieveData=5 --work retrieveData=2", "invalid-scenario"),
        ("--call retrieveData=5 --work retrieveData=pareto(2ms)", "invalid-scenario"),
        ("--call retrieveData=5 --wait retrieveData=lognormal(1ns,1s)", "invalid-scenario"),
        ("--call retrieveData=5 --wait retrieveData=1e300s", "invalid-scenario"),
        ("--call retrieveData=5 --hosts 0", "invalid-scenario"),
        ("--call retrieveData=5 --hosts 4000000000", "invalid-scenario"),
        ("--call retrieveData=5 --cores 0", "invalid-scenario"),
        ("--call retrieveData=5 --threads 0", "invalid-scenario"),
        ("--call retrieveData=5 --sample 1", "invalid-scenario"),
        ("--call retrieveData=5 --sample 100000000000", "invalid-scenario"),
        ("--call retrieveData=5 --arrivals sometimes", "invalid-scenario"),
        ("--call retrieveData=5 --arrivals burst(0)", "invalid-scenario"),
        ("--call retrieveData=5 --balance fairly", "invalid-scenario"),
        ("--call retrieveData=5 --overhead exponential(1ms)", "invalid-scenario"),
        ("--call retrieveData=5 --broker soon", "invalid-scenario"),
        ("--call retrieveData=5 --goal 0", "invalid-scenario"),
        ("--call retrieveData=5 --goal nan", "invalid-scenario"),
        ("--call retrieveData=5 --length Data.nope=3", "unknown-field"),
        ("--call retrieveData=5 --latency 3", "invalid-assumption"),
        ("--call retrieveData=5 --bandwidth 1e-300", "invalid-assumption"),
        ("--call retrieveData=5 --binding smtp", "invalid-assumption"),
        ("--call retrieveData=5 --target cobol", "invalid-assumption"),
    ] {
        let ran = place
            .creo(&format!("capacity data.creo --profile none --error-format json {arguments}"))
            .exits(1);
        let told: Value =
            serde_json::from_str(ran.err.trim()).unwrap_or_else(|e| panic!("{arguments}: {e}: {}", ran.err));
        assert_eq!(told["code"], code, "{arguments}: {}", ran.err);
    }
    place.creo("capacity data.creo --hosts many").exits(2);
    place.creo("capacity nowhere.creo --call retrieveData=5").exits(1).says("cannot read nowhere.creo");
    place.write("wrong.creo", "struct A { Nope n; }");
    place.creo("capacity wrong.creo --call a=5").exits(100).says("unknown-type");
}

#[test]
fn the_old_name_of_the_command_says_the_new_one() {
    let place = Place::with_data();
    place
        .creo("plan data.creo --call retrieveData=100 --sample 1000 --binding binary+tcp --profile none")
        .exits(0)
        .says("`creo plan` is called `creo capacity` now");
}
