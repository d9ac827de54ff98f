//! `creo estimate`: bytes, times by a profile, formats, and what it says of wrong input.

#![allow(clippy::disallowed_methods)] // A test that compares profiles reads them.

mod common;

use common::{Place, profile};

#[test]
fn bytes_are_exact_on_the_binary_wire_and_the_rows_are_ranked() {
    let place = Place::with_data();
    let ran = place.creo("estimate data.creo --profile none --length Data.samples=1000 --method retrieveData --format json").exits(0);
    let rows = ran.json()["rows"].as_array().expect("rows").clone();
    assert_eq!(rows[0]["binding"], "binary+tcp");
    assert_eq!(rows[0]["response"]["body"]["exact"], true);
    // A string of 16 bytes, a long, a count of two bytes and a thousand doubles.
    assert_eq!(rows[0]["response"]["body"]["least"], 17 + 8 + 2 + 8000);
    assert_eq!(rows[0]["total"], serde_json::Value::Null);
    let of = |row: &serde_json::Value| {
        row["response"]["body"]["expected"].as_f64().expect("a number")
            + row["response"]["transport"]["expected"].as_f64().expect("a number")
    };
    assert!(rows.windows(2).all(|pair| of(&pair[0]) <= of(&pair[1])));
}

#[test]
fn a_profile_gives_times_with_intervals() {
    let place = Place::with_data();
    place.write("profile.json", profile(&["json"]));
    let ran = place.creo("estimate data.creo --profile profile.json --method retrieveData --binding json,tcp --rate 1000 --format json").exits(0);
    let rows = ran.json()["rows"].as_array().expect("rows").clone();
    // Rows with a time come before those without.
    assert_eq!((&rows[0]["binding"], &rows[0]["target"]), (&"json+http".into(), &"java".into()));
    assert_eq!(rows[1]["total"], serde_json::Value::Null);
    let serialize = &rows[0]["request"]["serialize"];
    // The object is {"description":"..."}: 18 bytes around a string of 16.
    assert_eq!(serialize["ns"], 1016.0);
    assert!(serialize["low"].as_f64() < Some(1016.0) && serialize["high"].as_f64() > Some(1016.0));
    assert!(rows[0]["cores"]["cores"].as_f64().is_some_and(|cores| cores > 0.002 && cores < 0.01));
    let text = place
        .creo("estimate data.creo --profile profile.json --method retrieveData --binding json --all")
        .exits(0)
        .out;
    assert!(text.contains("1.02 us") || text.contains("+-"), "{text}");
}

#[test]
fn security_adds_bytes_and_times_to_soap_alone() {
    let place = Place::with_data();
    let rows = |more: &str| {
        let said = format!(
            "estimate data.creo --method retrieveData --target java,c --binding soap+http,json --format json {more}"
        );
        place.creo(&said).exits(0).json()["rows"].as_array().expect("rows").clone()
    };
    let of = |rows: &[serde_json::Value], binding: &str, target: &str| {
        let is = |row: &&serde_json::Value| row["binding"] == binding && row["target"] == target;
        rows.iter().find(is).expect("a row").clone()
    };
    let (plain, signed) = (rows(""), rows("--security sign,token --security-response sign"));
    assert_eq!(of(&plain, "json+http", "java"), of(&signed, "json+http", "java"));
    assert_eq!(of(&plain, "soap+http", "java")["request"]["security"], serde_json::Value::Null);
    let row = of(&signed, "soap+http", "java");
    for way in ["request", "response"] {
        let added = row[way]["security"].as_f64().expect("bytes");
        let before = of(&plain, "soap+http", "java")[way]["body"]["expected"].as_f64().expect("bytes");
        assert!(added > 4000.0 && row[way]["body"]["expected"].as_f64() == Some(before + added), "{row}");
        assert!(row[way]["serialize"]["ns"].as_f64() > Some(5e5), "{row}");
    }
    // A token has no time of its own.
    let token =
        place.creo("estimate data.creo --binding soap+http --format json --security token").exits(0).json();
    assert!(of(token["rows"].as_array().expect("rows"), "soap+http", "c")["total"].is_object());
    assert_eq!(token["security"], serde_json::json!({}));
    let text = place.creo("estimate data.creo --target java,c --binding soap+http --security digest,timestamp --security-response sign,encrypt --all").exits(0).out;
    for part in [
        "  security  ",
        "Security of SOAP requests: token with a digest, timestamp; other wires have none.",
        "Security of SOAP responses: timestamp, signature, encryption; other wires have none.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for (wrong, why) in [
        ("--security saml", "there is no such part"),
        ("--security token,digest", "a message has one token"),
        ("--security token,encrypt", "an encrypted token is not priced"),
        ("--security user=3", "lengths alone are no security"),
        ("--security sign,certificate=0", "a length lies between 1 and 65536"),
        ("--security-response token", "only requests have tokens"),
    ] {
        let ran = place.creo(&format!("estimate data.creo {wrong}")).exits(1);
        assert!(ran.err.contains("invalid-assumption") && ran.err.contains(why), "{}", ran.err);
    }
}

#[test]
fn times_of_security_are_those_of_the_profile_where_it_has_any() {
    let place = Place::with_data();
    let mut known: serde_json::Value = serde_json::from_str(&profile(&["soap"])).expect("JSON");
    let java = known["targets"][0].clone();
    let costs = [
        ("sign", 1),
        ("verify", 2),
        ("encrypt", 4),
        ("decrypt", 8),
        ("signEncrypt", 16),
        ("decryptVerify", 32),
    ];
    let cost = |(name, element): &(&str, u64)| {
        ((*name).to_owned(), serde_json::json!({ "ns": 5000, "byte": 0, "element": element * 1000 }))
    };
    let mut security: serde_json::Map<String, serde_json::Value> = costs.iter().map(cost).collect();
    security.insert("error".to_owned(), 0.25.into());
    let target = |name: &str, security: Option<&serde_json::Map<String, serde_json::Value>>| {
        let mut target = java.clone();
        target["target"] = name.into();
        if let Some(security) = security {
            target["security"] = security.clone().into();
        }
        target
    };
    known["targets"] =
        vec![target("java", None), target("python", Some(&security)), target("c", None)].into();
    place.write("profile.json", known.to_string());
    let estimate = |security: &str, format: &str| {
        let said = format!(
            "estimate data.creo --profile profile.json --method storeData --binding soap+http --length storeData.data=10 --length Data.samples=5 {security} {format}"
        );
        place.creo(&said).exits(0)
    };
    let ns = |security: &str, target: &str, way: &str| {
        let said = estimate(security, "--format json").json();
        let rows = said["rows"].as_array().expect("rows").clone();
        rows.iter().find(|row| row["target"] == target).expect("a row")["request"][way]["ns"].as_f64()
    };
    // Ten times a struct, its metadata with two fields, and five samples: nine elements.
    for (parts, way, element) in [
        ("sign", "serialize", 1.0),
        ("sign", "deserialize", 2.0),
        ("encrypt", "serialize", 4.0),
        ("encrypt", "deserialize", 8.0),
        ("sign,encrypt", "serialize", 16.0),
        ("sign,encrypt", "deserialize", 32.0),
    ] {
        let plain = ns("", "python", way).expect("a time");
        let secured = ns(&format!("--security {parts}"), "python", way).expect("a time");
        assert!(
            (secured - plain - 5000.0 - element * 1000.0 * 90.0).abs() < 1.0,
            "{parts} {way}: {plain} {secured}"
        );
    }
    assert_eq!(ns("--security sign", "c", "serialize"), None);
    assert!(ns("--security sign", "java", "serialize") > Some(5e5));
    let times = estimate("--security sign", "--format json").json()["security"].clone();
    assert_eq!(times, serde_json::json!({ "c": "none", "java": "default", "python": "measured" }));
    let text = estimate("--security sign", "--all").out;
    for part in [
        "Signatures and encryption in python by times of the profile.",
        "Signatures and encryption in java by default times, which were not measured with the profile.",
        "No times of signatures and encryption in c: the profile has none.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    known["targets"][1]["security"]["sign"]["element"] = (-1.0).into();
    place.write("profile.json", known.to_string());
    let ran = place.creo("estimate data.creo --profile profile.json").exits(1);
    assert!(ran.err.contains("malformed-profile") && ran.err.contains("\"security\""), "{}", ran.err);
}

/// The verdict comes first, and the tables only on request.
#[test]
fn a_verdict_comes_first_and_has_six_lines_at_most() {
    let place = Place::with_data();
    let labels = |arguments: &str| -> Vec<String> {
        let out = place.creo(&format!("estimate data.creo {arguments}")).exits(0).out;
        out.lines().map(|line| line.split("  ").next().unwrap_or("").to_owned()).collect()
    };
    let timed = labels("--rate 500 --length Data.samples=1000");
    assert_eq!(timed, ["cheapest", "others", "by language", "time goes to", "hosts", "basis"]);
    assert_eq!(labels("--profile none"), ["cheapest", "others", "time goes to", "basis"]);
    let grows = labels("--over Data.samples=1..1000 --profile none");
    assert_eq!(grows, ["cheapest", "others", "time goes to", "overtaking", "basis"]);

    // Which language is the quickest is no question of the length.
    let measured =
        place.creo("estimate data.creo --method retrieveData --over Data.samples=1..10000").exits(0).out;
    assert!(
        measured.contains("overtaking    Data.samples=1..10000: the cheapest stays the same\n"),
        "{measured}"
    );

    place.write("profile.json", profile(&["json", "soap"]));
    let said = "estimate data.creo --profile profile.json --method retrieveData --length Data.samples=1000 --rate 1000";
    let verdict = place.creo(said).exits(0).out;
    assert!(
        verdict.starts_with("cheapest      json+http: ")
            && verdict.contains(" for a call of DataService.retrieveData, java on both sides\n")
            && verdict.contains("\nothers        soap+http ")
            && verdict.contains("hosts         1 core: messages keep 0.020 of it busy at 1000 calls/s"),
        "{verdict}"
    );
    let all = place.creo(&format!("{said} --all")).exits(0).out;
    assert!(all.starts_with(&verdict) && all.contains("\nDataService.retrieveData\n  target"), "{all}");
    let none = place.creo("estimate data.creo --profile profile.json --binding tcp").exits(0).out;
    assert!(none.starts_with("cheapest  unknown"), "{none}");
}

/// Each profile in the folder is the one for its processor.
#[test]
fn profiles_of_several_processors_come_with_the_program() {
    let folder =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../creo-cost/profiles")).expect("the folder");
    let mut count = 0;
    for file in folder {
        let path = file.expect("a file").path();
        let profile: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&path).expect("a text")).expect("JSON");
        let shipped =
            creo_cost::Profile::shipped(profile["machine"]["processor"].as_str()).expect("a profile");
        assert_eq!(serde_json::json!(shipped.machine), profile["machine"], "{}", path.display());
        count += 1;
    }
    assert!(count >= 2, "{count}");
}

/// Whatever machine it was measured on: it is said on which, and when.
#[test]
fn a_profile_comes_with_the_program() {
    let place = Place::with_data();
    let ran =
        place.creo("estimate data.creo --method retrieveData --binding json --format json").exits(0).json();
    assert_eq!(ran["profile"]["shipped"], true);
    assert!(
        ran["rows"]
            .as_array()
            .is_some_and(|rows| rows.iter().all(|row| row["total"]["ns"].as_f64() > Some(0.0)))
    );
    let text = place.creo("estimate data.creo --method retrieveData --binding json --all").exits(0).out;
    assert!(text.contains("the profile that comes with creo, measured on 20"), "{text}");
    place.write("profile.json", profile(&["json"]));
    let own = place
        .creo("estimate data.creo --profile profile.json --method retrieveData --format json")
        .exits(0)
        .json();
    assert_eq!(own["profile"]["shipped"], false);
}

#[test]
fn the_page_needs_no_network_and_escapes_names() {
    let place = Place::with_data();
    place.write(
        "profile.json",
        profile(&["json", "binary", "soap"]).replace("a processor", "<script>alert(1)</script>"),
    );
    place.creo("estimate data.creo --profile profile.json --over Data.samples=1..5000 --format html -o page.html").exits(0);
    let page = place.read("page.html");
    assert!(
        page.contains("<svg") && page.contains("DataService.retrieveData") && page.ends_with("</html>\n")
    );
    assert!(
        !page.contains("<script")
            && !page.contains("src=")
            && !page.contains("href=")
            && !page.contains("url("),
        "{page}"
    );
}

#[test]
fn wrong_input_has_codes() {
    let place = Place::with_data();
    place.write("old.json", profile(&["json"]).replace("\"format\":2", "\"format\":7"));
    place.write(
        "other.json",
        profile(&["json"]).replace(concat!("\"creo\":\"", env!("CARGO_PKG_VERSION")), "\"creo\":\"0.0.1"),
    );
    place.write("broken.json", "{\"format\":2");
    for (arguments, code) in [
        ("--length Data.sample=3", "unknown-field"),
        ("--length Data=3", "unknown-field"),
        ("--length Data.samples", "invalid-assumption"),
        ("--length Data.samples=many", "invalid-assumption"),
        ("--length Data.samples=9..3", "invalid-assumption"),
        ("--length Data.samples=-3", "invalid-assumption"),
        ("--length MetaData.timestamp=3", "invalid-assumption"),
        ("--present Data.samples=0.5", "invalid-assumption"),
        ("--value Data.samples=1..2", "invalid-assumption"),
        ("--value Data.samples[]=2..1", "invalid-assumption"),
        ("--wide 2", "invalid-assumption"),
        ("--bandwidth fast", "invalid-assumption"),
        ("--latency 3", "invalid-assumption"),
        ("--latency 1e300s", "invalid-assumption"),
        ("--bandwidth 1e-300", "invalid-assumption"),
        ("--bandwidth 1e300G", "invalid-assumption"),
        ("--rate 1e300", "invalid-assumption"),
        ("--rate -1", "invalid-assumption"),
        ("--rate nan", "invalid-assumption"),
        ("--binding smtp", "invalid-assumption"),
        ("--profile none --target java", "invalid-assumption"),
        ("--target cobol", "invalid-assumption"),
        ("--over Data.samples=5", "invalid-assumption"),
        ("--profile old.json", "profile-version"),
        ("--profile other.json", "profile-version"),
        ("--profile broken.json", "malformed-profile"),
    ] {
        let arguments = format!(
            "estimate data.creo --error-format json {}",
            arguments.replacen("--rate -", "--rate=-", 1)
        );
        let ran = place.creo(&arguments).exits(1);
        let told: serde_json::Value =
            serde_json::from_str(ran.err.trim()).unwrap_or_else(|e| panic!("{arguments}: {e}: {}", ran.err));
        assert_eq!(told["code"], code, "{arguments}: {}", ran.err);
    }
    place.creo("estimate data.creo --profile nowhere.json").exits(1);
    place.creo("estimate data.creo --method nothing").exits(1);
}

#[test]
fn a_wsdl_costs_what_its_description_costs() {
    let place = Place::with_data();
    place.creo("export wsdl data.creo -o data.wsdl").exits(0);
    let of = |file: &str| {
        let ran = place.creo_with(&[
            "estimate",
            file,
            "--method",
            "storeData",
            "--binding",
            "soap+http",
            "--length",
            "Data.samples=7",
            "--format",
            "json",
        ]);
        let rows = ran.exits(0).json()["rows"].clone();
        rows[0]["request"]["body"].clone()
    };
    assert_eq!(of("data.creo"), of("data.wsdl"));
}

#[test]
fn a_message_without_end_is_told() {
    let place = Place::new();
    let types: String = (0..30).map(|i| format!("struct T{i} {{ T{0} a; T{0} b; }}\n", i + 1)).collect();
    place
        .write("wide.creo", format!("{types}struct T30 {{ int x; }}\ninterface I {{ void m(T0 value); }}\n"));
    let ran = place.creo("estimate wide.creo --error-format json").exits(1);
    assert!(ran.err.contains("\"too-large\""), "{}", ran.err);
}

/// A chain of structs, each of which has an array of the next.
fn chain(place: &Place, length: usize) {
    let types: String =
        (1..length).map(|i| format!("struct T{i} {{ int a; T{}[] next; }}\n", i + 1)).collect();
    let text = format!(
        "{types}struct T{length} {{ int a; }}\ninterface I {{ T1 get(int id); void put(int id); }}\n"
    );
    place.write("chain.creo", text);
}

/// COST-16: the lengths of arrays within arrays multiply, beyond what a number of any kind can be.
#[test]
fn messages_that_cannot_be_sent_are_told_in_words() {
    let place = Place::new();
    chain(&place, 1_100);
    for output in [
        "",
        "--all",
        "--all --profile none",
        "--format csv",
        "--format html",
        "--format json",
        "--format html --over T1.next=1..100 --profile none",
    ] {
        let out = place.creo(&format!("estimate chain.creo {output} --rate 5")).exits(0).out;
        let numbers: Vec<&str> = out
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| ["inf", "nan", "infinity"].contains(&word.to_ascii_lowercase().as_str()))
            .collect();
        assert!(numbers.is_empty(), "{output}: {numbers:?}");
        if !output.contains("csv") && !output.contains("json") {
            assert!(
                out.contains(
                    "a message of I.get has over 2 GiB on each binding, more than any maxMessageSize allows"
                ),
                "{output}: {out}"
            );
        }
    }
    let json = place.creo("estimate chain.creo --format json").exits(0).json();
    for row in json["rows"].as_array().expect("rows") {
        let long = row["method"] == "I.get";
        assert_eq!(row["total"].is_null(), long, "{row}");
        assert_eq!(row["request"]["exceeds"], serde_json::Value::Null);
        assert!(row["request"]["network"]["ns"].as_f64().is_some_and(|ns| ns > 0.0), "{row}");
        let response = &row["response"];
        assert_eq!(response["exceeds"].as_str(), long.then_some("any"), "{row}");
        assert!(
            response["body"]["expected"].is_number() && (!long || response["body"]["exact"] == false),
            "{row}"
        );
        assert_eq!(response["network"].is_null() && response["serialize"].is_null(), long, "{row}");
    }
    // The other method has its verdict.
    let other = place.creo("estimate chain.creo --method put").exits(0).out;
    assert!(other.starts_with("cheapest      binary+tcp: ") && !other.contains("GiB"), "{other}");
    let capacity = place.creo("capacity chain.creo --call get=10/s --error-format json").exits(1);
    assert!(
        capacity.err.contains("\"too-large\"") && capacity.err.contains("over 2 GiB"),
        "{}",
        capacity.err
    );
}

#[test]
fn a_message_beyond_the_default_limit_says_so_and_wires_on_which_it_is_too_long_are_named() {
    let place = Place::with_data();
    let verdict = |length: u64| {
        place
            .creo(&format!("estimate data.creo --method storeData --length Data.samples={length}"))
            .exits(0)
            .out
    };
    assert!(!verdict(1_000_000).contains("maxMessageSize"));
    let raised = verdict(2_000_000);
    assert!(
        raised.contains("; set maxMessageSize above its 128 MiB\n") && !raised.contains("2 GiB"),
        "{raised}"
    );
    let some = verdict(6_000_000);
    assert!(some.contains("; over 2 GiB on soap, ") && some.contains("json+http"), "{some}");
    assert!(verdict(20_000_000).contains("; over 2 GiB on all other wires\n"));
    let simulated = place
        .creo("capacity data.creo --call storeData=0.01/s --length Data.samples=20000000 --format json --sample 1000")
        .exits(0)
        .json();
    assert!(simulated["tooLong"].as_array().is_some_and(|names| !names.is_empty()), "{simulated}");
}

/// Values of such lengths would fill the memory before anything is measured.
#[test]
fn what_is_too_long_to_be_measured_is_refused_before_it_is_made() {
    let place = Place::with_data();
    let ran = place
        .creo("estimate data.creo --verify --target c --length Data.samples=2000000000 --error-format json")
        .exits(1);
    assert!(ran.err.contains("\"too-large\""), "{}", ran.err);
}
