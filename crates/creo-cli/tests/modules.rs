//! `creo generate --with`: the modules of a runtime.

mod common;

use common::Place;

#[test]
fn modules_go_out_only_when_they_are_asked_for() {
    let place = Place::with_data();
    place.creo("generate data.creo -t java,python,c,csharp -o without --wires all").exits(0);
    place.creo("generate data.creo -t java,python,c,csharp -o with --with jms,jms").exits(0);
    for (target, one) in [
        ("java", "creo/jms/JmsHost.java"),
        ("python", "creo/jms.py"),
        ("c", "include/creo/jms.h"),
        ("csharp", "Creo/Jms/JmsBroker.cs"),
    ] {
        let (without, with) =
            (place.files(&format!("without/{target}")), place.files(&format!("with/{target}")));
        let more: Vec<&String> = with.iter().filter(|path| !without.contains(path)).collect();
        assert!(more.iter().all(|path| path.to_lowercase().contains("jms")), "{target}: {more:?}");
        assert!(more.iter().any(|path| path.ends_with(one)), "{target}: {more:?}");
        // Maven would need coordinates for what modules need.
        assert!(without.iter().all(|path| path == "pom.xml" || with.contains(path)), "{target}");
    }
    place.creo("generate data.creo -t java -o broker --with jms-broker").exits(0);
    let broker = place.files("broker/java");
    assert!(broker.iter().any(|path| path.ends_with("creo/jms/broker/EmbeddedBroker.java")));
    assert!(
        place
            .files("with/java")
            .iter()
            .all(|path| !path.contains("Broker") || path.ends_with("JmsBroker.java"))
    );
    place
        .creo("generate data.creo -t python -o out --with jms-broker")
        .exits(1)
        .says("the target python has no module jms-broker");
    place.creo("generate data.creo -t java -o with").exits(0).says("JmsHost.java is stale");
    place
        .creo("generate data.creo -t java -o out --with smtp")
        .exits(1)
        .says("\"smtp\" is no module")
        .says("--with takes balance, retries, jms, jms-broker, opentelemetry, wss");
    place
        .creo("generate data.creo -t java,other -o out --with jms")
        .exits(1)
        .says("the target other has no module jms")
        .says("these have it: java, ");
    assert!(!place.exists("out"));
}

/// Telemetry comes with what it needs of others, and leaves the wires as they are.
#[test]
fn telemetry_goes_out_on_request() {
    let place = Place::with_data();
    for (target, files) in [
        (
            "java",
            &[
                "creo/opentelemetry/ClientTelemetry.java",
                "creo/opentelemetry/Conventions.java",
                "creo/opentelemetry/ServerTelemetry.java",
            ][..],
        ),
        ("python", &["creo/opentelemetry.py"]),
        ("csharp", &["Creo/ClientTelemetry.cs"]),
    ] {
        place.creo(&format!("generate data.creo -t {target} -o without")).exits(0);
        place.creo(&format!("generate data.creo -t {target} -o with --with opentelemetry")).exits(0);
        let (without, with) =
            (place.files(&format!("without/{target}")), place.files(&format!("with/{target}")));
        let more: Vec<&String> = with.iter().filter(|path| !without.contains(path)).collect();
        assert_eq!(more, files, "{target}");
    }
    place
        .creo("generate data.creo -t java -o moved --with opentelemetry --runtime-package org.example.own")
        .exits(0);
    let moved = place.read("moved/java/org/example/own/opentelemetry/ServerTelemetry.java");
    assert!(moved.contains("package org.example.own.opentelemetry;"), "{moved}");
    assert!(moved.contains("import io.opentelemetry.api.OpenTelemetry;"), "{moved}");
    place
        .creo("generate data.creo -t c -o out --with opentelemetry")
        .exits(1)
        .says("the target c has no module opentelemetry")
        .says("these have it: java, python, csharp");
}

/// Signatures are a module that the soap wire of a copied runtime does not know.
#[test]
fn signatures_go_out_only_when_they_are_asked_for() {
    let place = Place::with_data();
    for (target, module, file) in [
        ("java", "creo/wss/", "creo/wss/WsSecurity.java"),
        ("python", "creo/_wss/", "creo/wss.py"),
        ("csharp", "Creo/Wss/", "Creo/Wss/WsSecurity.cs"),
    ] {
        place.creo(&format!("generate data.creo -t {target} -o without --wires soap")).exits(0);
        place.creo(&format!("generate data.creo -t {target} -o with --wires soap --with wss")).exits(0);
        let (without, with) =
            (place.files(&format!("without/{target}")), place.files(&format!("with/{target}")));
        assert!(without.iter().all(|path| with.contains(path)));
        let more: Vec<&String> = with.iter().filter(|path| !without.contains(path)).collect();
        assert!(more.iter().all(|path| path.starts_with(module) || *path == file), "{more:?}");
        assert!(more.iter().any(|path| *path == file), "{more:?}");
    }
}

/// In C they are a pair of files that needs libraries of others.
#[test]
fn signatures_in_c_are_a_pair_of_files() {
    let place = Place::with_data();
    place.creo("generate data.creo -t c -o without --wires soap").exits(0);
    place.creo("generate data.creo -t c -o with --wires soap --with wss").exits(0);
    let (without, with) = (place.files("without/c"), place.files("with/c"));
    let more: Vec<&String> = with.iter().filter(|path| !without.contains(path)).collect();
    assert_eq!(more, ["include/creo/wss.h", "src/creo_wss.c"]);
    let runtime = place.read("with/c/src/creo.c");
    assert_eq!(runtime, place.read("without/c/src/creo.c"), "the runtime does not know the module");
    assert!(!runtime.contains("openssl") && !runtime.contains("libxml"));
    assert!(place.read("with/c/data.mk").contains("--cflags libxml-2.0 libcrypto"));
}

/// Several addresses for one client, and repeated calls, are parts of a copied runtime that are only there if they are asked for; no other packages are
/// needed.
#[test]
fn a_copied_runtime_balances_and_repeats_on_request() {
    let place = Place::with_data();
    for (target, attempts, balance, retries) in [
        (
            "java",
            "AttemptingChannel",
            &["Addresses", "BalancedChannel", "Balancing", "BalancingChannel"][..],
            &["HedgedCall", "RetryPolicy", "RetryingChannel"][..],
        ),
        ("python", "attempts", &["balance"], &["hedging", "retries"]),
        ("c", "", &[], &[]),
        ("csharp", "RepeatedCall", &["BalancedBinding", "Balancer"], &["HedgedCall", "Retries"]),
    ] {
        place.creo(&format!("generate data.creo -t {target} --sides client -o without")).exits(0);
        let without = place.files(&format!("without/{target}"));
        for (with, expected) in [
            ("balance", balance.to_vec()),
            ("retries", retries.to_vec()),
            ("balance,retries", [balance, retries].concat()),
        ] {
            place
                .creo(&format!("generate data.creo -t {target} --sides client -o {with} --with {with}"))
                .exits(0);
            let files = place.files(&format!("{with}/{target}"));
            assert!(without.iter().all(|path| files.contains(path)), "{target}: {with}");
            let more = files.iter().filter(|path| !without.contains(path));
            let mut more: Vec<&str> = more
                .map(|path| path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or(path))
                .collect();
            more.sort_unstable();
            let mut expected = expected;
            expected.extend((!attempts.is_empty()).then_some(attempts));
            expected.sort_unstable();
            assert_eq!(more, expected, "{target}: {with}");
        }
    }
    // The runtime of C is in two files.
    for (out, balances, repeats) in [
        ("without", false, false),
        ("balance", true, false),
        ("retries", false, true),
        ("balance,retries", true, true),
    ] {
        let header = place.read(&format!("{out}/c/include/creo/creo.h"));
        assert_eq!(header.contains("creo_client_set_addresses"), balances, "{out}");
        assert_eq!(header.contains("creo_client_set_retry"), repeats, "{out}");
    }
}
