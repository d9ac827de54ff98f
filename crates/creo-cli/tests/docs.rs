//! The examples of the documentation are true: every ```console block is run, and must give what the page prints.
//!
//! A block with a file's name behind its language (```java data.creo) is that file. A line of `...` stands for any lines, and within a line for any text. `$` starts a command.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::Place;
use std::path::Path;
use std::process::{Command, Stdio};

struct Block<'a> {
    language: &'a str,
    file: &'a str,
    line: usize,
    text: String,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (index, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let (language, file) = info.split_once(' ').unwrap_or((info, ""));
                open = Some(Block { language, file, line: index + 1, text: String::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block without an end");
    blocks
}

/// Whether the lines are those of the page, where `...` stands for any.
fn matches(page: &[&str], real: &[&str]) -> bool {
    match page.split_first() {
        None => real.is_empty(),
        Some((&"...", rest)) => (0..=real.len()).any(|skipped| matches(rest, &real[skipped..])),
        Some((line, rest)) => {
            real.split_first().is_some_and(|(first, real)| line_matches(line, first) && matches(rest, real))
        }
    }
}

/// Within a line `...` stands for any text.
fn line_matches(page: &str, real: &str) -> bool {
    match page.split_once("...") {
        None => page == real,
        Some((start, rest)) => real.strip_prefix(start).is_some_and(|real| {
            (0..=real.len()).filter(|at| real.is_char_boundary(*at)).any(|at| line_matches(rest, &real[at..]))
        }),
    }
}

fn check(page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let place = Place::new();
    let program = Path::new(env!("CARGO_BIN_EXE_creo"));
    // The Python of the tests has NumPy and pandas.
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build/venv/bin");
    let search = format!(
        "{}:{}:{}",
        program.parent().expect("a folder").display(),
        python.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut commands = 0;
    for block in blocks(&text) {
        if !block.file.is_empty() {
            place.write(block.file, &block.text);
        }
        if block.language != "console" {
            continue;
        }
        let mut last = 0;
        for example in block
            .text
            .strip_prefix("$ ")
            .unwrap_or_else(|| panic!("{page}:{}: no command", block.line))
            .split("\n$ ")
        {
            let (command, expected) = example.split_once('\n').unwrap_or((example, ""));
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("exec 2>&1\n(exit {last})\n{command}")]).current_dir(place.root());
            shell.env("PATH", &search).env("COLUMNS", "100").env_remove("NO_COLOR").stdin(Stdio::null());
            let output = shell.output().expect("sh runs");
            let real = String::from_utf8(output.stdout).expect("UTF-8");
            last = output.status.code().unwrap_or(-1);
            let (expected, real): (Vec<&str>, Vec<&str>) =
                (expected.trim_end().lines().collect(), real.trim_end().lines().collect());
            assert!(
                matches(&expected, &real),
                "{page}:{}: $ {command}\n--- on the page\n{}\n--- in truth\n{}",
                block.line,
                expected.join("\n"),
                real.join("\n")
            );
            commands += 1;
        }
    }
    assert!(commands > 0, "{page} has no examples");
}

#[test]
fn the_readme_is_true() {
    check("../README.md");
}

#[test]
fn the_page_of_commands_is_true() {
    check("cli.md");
}

#[test]
fn the_guide_is_true() {
    check("guide.md");
}

#[test]
fn the_page_of_imports_is_true() {
    check("wsdl.md");
}

#[test]
fn the_page_of_tables_is_true() {
    check("tdxml.md");
}

#[test]
fn the_page_of_costs_is_true() {
    check("cost.md");
}

#[test]
fn the_page_of_capacity_is_true() {
    check("capacity.md");
}

#[test]
fn the_page_of_numpy_is_true() {
    check("numpy.md");
}

#[test]
fn the_page_of_packages_is_true() {
    check("ship.md");
}

#[test]
fn the_page_of_partners_is_true() {
    check("soap.md");
}
