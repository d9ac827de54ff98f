//! `creo tdxml`: what it reads, what it writes where, and how it fails.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::Place;
use std::process::Stdio;

const DOCUMENT: &str = "<r a=\"1\"><!--c-->x</r>\n";

#[test]
fn files_and_pipes_both_ways() {
    let place = Place::new();
    place.write("r.xml", DOCUMENT);
    let table = place.creo("tdxml encode r.xml").exits(0).out;
    assert!(table.starts_with("<Env xmlns=\"urn:creo:tdxml\"><DS>\nr [0] ::= MIXED {"), "{table}");
    assert_eq!(place.creo_reading("tdxml encode -", DOCUMENT.as_bytes()).exits(0).out, table);
    place.write("r.tdxml", &table);
    assert_eq!(place.creo("tdxml decode r.tdxml").exits(0).out, DOCUMENT);
    assert_eq!(place.creo_reading("tdxml decode -", table.as_bytes()).exits(0).out, DOCUMENT);
    let record = place.creo("tdxml encode --scheme record r.xml").exits(0).out;
    assert!(record.contains("<RT>\n[0]|1\n"), "{record}");
    assert_eq!(place.creo_reading("tdxml decode -", record.as_bytes()).exits(0).out, DOCUMENT);
}

/// Anything but a regular file is copied before it is read twice.
#[cfg(unix)]
#[test]
fn a_device_is_read() {
    let place = Place::new();
    let ran = place.creo_reading("tdxml encode /dev/stdin", DOCUMENT.as_bytes()).exits(0);
    assert!(ran.out.contains("<CT>\n[0](0)|1\n"), "{}", ran.out);
}

#[test]
fn mistakes_are_findings_and_write_nothing() {
    let place = Place::new();
    place.write("r.xml", "<r>\n  <a></b>\n</r>");
    let ran = place
        .creo("tdxml encode r.xml")
        .exits(100)
        .says("error[malformed]: the end tag of `a` is missing or another\n --> r.xml:2:8");
    assert_eq!(ran.out, "");
    let ran = place.creo("tdxml encode --error-format json r.xml").exits(100);
    assert_eq!(
        ran.err,
        "{\"severity\":\"error\",\"code\":\"malformed\",\"message\":\"the end tag of `a` is missing or another\",\"file\":\"r.xml\",\"line\":2,\"column\":8}\n"
    );
    let table = "<Env xmlns='urn:creo:tdxml'><DS>r [0] ::= SEQUENCE OF {a [0] Integer}</DS><CT>\n[0][0]|1\n[0][1]|2\n</CT></Env>";
    let ran = place.creo_reading("tdxml decode --error-format json -", table.as_bytes()).exits(100);
    assert_eq!(
        ran.err,
        "{\"severity\":\"error\",\"code\":\"malformed\",\"message\":\"the element has no child with the number 1 (at r)\",\"file\":\"standard input\",\
         \"row\":2,\"text\":\"[0][1]|2\"}\n"
    );
    assert_eq!(ran.out, "");
    // Control characters of a hostile document do not reach the terminal.
    let ran =
        place.creo_reading("tdxml decode -", table.replace("[1]|2", "[1]|\u{9b}31m").as_bytes()).exits(100);
    assert!(!ran.err.contains('\u{9b}'), "{}", ran.err);
}

#[test]
fn what_cannot_be_read_is_a_failure() {
    let place = Place::new();
    place
        .creo("tdxml encode missing.xml")
        .exits(1)
        .says("cannot read missing.xml: there is no such file or folder");
    place.creo("tdxml decode .").exits(1).says("cannot read .: it is a folder");
    place.creo("tdxml").exits(2);
    place.creo("tdxml encode").exits(2);
}

/// A reader that closes the pipe has read enough.
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let place = Place::new();
    place.write("r.xml", format!("<r>{}</r>", "<a>text</a>".repeat(200_000)));
    let mut child = place
        .command()
        .args(["tdxml", "encode", "r.xml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("creo runs");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("creo ends");
    assert_eq!((ended.status.code(), String::from_utf8_lossy(&ended.stderr).as_ref()), (Some(0), ""));
}
