//! `creo diff`: breaking changes as text, JSON and exit code.

mod common;

use common::{DATA, Place};

fn place(new: &str) -> Place {
    let place = Place::new();
    place.write("old.creo", DATA);
    place.write("new.creo", new);
    place
}

#[test]
fn nothing_changed() {
    let ran = place(DATA).creo("diff old.creo new.creo").exits(0);
    assert_eq!(ran.out, "no changes\n");
}

#[test]
fn compatible_changes_exit_with_0() {
    let new = DATA.replace("interface DataService {", "interface DataService {\n    int count();");
    let ran = place(&new).creo("diff old.creo new.creo").exits(0);
    assert_eq!(
        ran.out,
        "compatible: method-added org.example.data.DataService.count\n    the method is new; an old service answers `unknown-method`\n0 breaking changes, 1 compatible\n"
    );
}

#[test]
fn breaking_changes_exit_with_100() {
    let new = DATA.replace("double[] samples", "float[] samples");
    let place = place(&new);
    place
        .creo("diff old.creo new.creo")
        .exits(100)
        .prints("breaking: field-altered org.example.data.Data.samples")
        .prints("on the binary wire it breaks old clients of the new service and new clients of the old one")
        .prints("in org.example.data.DataService.retrieveData, org.example.data.DataService.storeData")
        .prints("1 breaking change, 0 compatible");
    let json = place.creo("diff old.creo new.creo --format json").exits(100).json();
    assert_eq!(json["breaking"], 1);
    assert_eq!(json["changes"][0]["code"], "field-altered");
    assert_eq!(json["changes"][0]["binary"]["oldClients"], true);
    assert_eq!(json["changes"][0]["methods"][0], "org.example.data.DataService.retrieveData");
}

#[test]
fn descriptions_with_mistakes_are_not_compared() {
    let place = place("struct A { Nope n; }");
    place.creo("diff old.creo new.creo").exits(100).says("error[unknown-type]");
    place.creo("diff old.creo nope.creo").exits(1).says("cannot read nope.creo");
    place.creo("diff old.creo").exits(2);
}
