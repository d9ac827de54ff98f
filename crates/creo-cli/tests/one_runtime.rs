//! `creo generate` into one folder, several times: the runtime that all code there shares.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::Place;

/// C has its runtime in one file: it is what all descriptions in the folder need, whatever is generated first.
#[test]
fn a_runtime_in_one_file_serves_all_descriptions_of_its_folder() {
    let place = Place::new();
    let text = |name: &str| format!("@PACKAGE(\"{name}\") interface S {{ int get(); }}");
    for name in ["a", "b", "d"] {
        place.write(&format!("{name}.creo"), text(name));
    }
    let parts = |place: &Place| -> Vec<&str> {
        let source = place.read("out/c/src/creo.c");
        ["tcp", "json", "soap", "tdxml"]
            .into_iter()
            .filter(|part| source.contains(&format!("\n * {part}/")))
            .collect()
    };
    let fresh = |description: &str, wires: &str| {
        place.creo(&format!("generate {description}.creo -t c -o out --wires {wires} --check")).exits(0);
    };
    place.creo("generate a.creo -t c -o out --wires binary").exits(0);
    assert_eq!(parts(&place), ["tcp"]);
    place.creo("generate b.creo -t c -o out --wires json").exits(0);
    assert_eq!(parts(&place), ["tcp", "json"]);
    fresh("a", "binary");
    fresh("b", "json");
    place.creo("generate a.creo -t c -o out --wires soap").exits(0);
    assert_eq!(parts(&place), ["tcp", "json", "soap"]);
    fresh("b", "json");
    place.creo("generate a.creo -t c -o out --wires binary --prune").exits(0);
    assert_eq!(parts(&place), ["tcp", "json"]);
    // A module includes the parts it needs, and its files only for jobs that request it.
    place.creo("generate d.creo -t c -o out --wires binary --with jms").exits(0);
    place.creo("generate a.creo -t c -o out --wires binary").exits(0);
    assert_eq!(parts(&place), ["tcp", "json", "soap", "tdxml"]);
    assert!(place.exists("out/c/src/creo_jms.c"));
    assert!(place.read("out/c/d.mk").contains("build/creo_jms.o"));
    assert!(!place.read("out/c/a.mk").contains("jms"));
    // A manifest that says nothing of wires, from an earlier version, may be of code that speaks all.
    let manifest = place.read("out/c/.creo-manifest-b");
    let old: String =
        manifest.lines().filter(|line| !line.contains("wires")).map(|line| format!("{line}\n")).collect();
    place.write("out/c/.creo-manifest-b", old);
    std::fs::remove_file(place.path("out/c/.creo-manifest-d")).expect("it is there");
    place.creo("generate a.creo -t c -o out --wires binary").exits(0);
    assert_eq!(parts(&place), ["tcp", "json", "soap", "tdxml"]);
}

#[test]
fn jobs_of_a_config_file_share_a_runtime_from_the_first_run_on() {
    let place = Place::new();
    for name in ["a", "b"] {
        place.write(&format!("{name}.creo"), format!("@PACKAGE(\"{name}\") interface S {{ int get(); }}"));
    }
    let config = |first: &str, second: &str| {
        let job = |name: &str, wires: &str| {
            format!(
                "[[generate]]\ndescriptions = [\"{name}.creo\"]\ntargets = [\"c\"]\nout = \"out\"\nwires = [\"{wires}\"]\n\n"
            )
        };
        place.write("creo.toml", job("a", first) + &job("b", second));
    };
    let has = |part: &str| place.read("out/c/src/creo.c").contains(&format!("\n * {part}/"));
    config("json", "binary");
    place.creo("generate").exits(0);
    assert!(has("json") && !has("soap"));
    place.creo("generate --check").exits(0);
    // Parts needed by an earlier run of the same jobs do not linger.
    config("binary", "soap");
    place.creo("generate --check").exits(100);
    place.creo("generate --prune").exits(0);
    assert!(has("soap") && !has("json"));
    place.creo("generate --check").exits(0);
}

#[test]
fn runs_at_the_same_time_make_a_runtime_for_all() {
    let place = Place::new();
    let wires = ["binary", "json", "soap", "tdxml"];
    for wire in wires {
        place.write(&format!("{wire}.creo"), format!("@PACKAGE(\"{wire}\") interface S {{ int get(); }}"));
    }
    std::thread::scope(|scope| {
        for wire in wires {
            let place = &place;
            scope.spawn(move || {
                place.creo(&format!("generate {wire}.creo -t c -o out --wires {wire}")).exits(0);
            });
        }
    });
    for wire in wires {
        place.creo(&format!("generate {wire}.creo -t c -o out --wires {wire} --check")).exits(0);
    }
}
