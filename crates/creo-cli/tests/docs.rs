//! The documentation's examples are correct: every ```console block is run, and its output must match the page.
//!
//! A block with a file name after its language (```java data.creo) is that file. A line `...` matches any lines, and `...` within a line
//! any text. `$` starts a command. In a block ```console measured, any number matches any other, since machines differ. A command that ends
//! with ` &` is a server: it runs until the page ends, and the next command waits for its port, [`PORT`], which is replaced by a free one.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::Place;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The port of the servers of the pages.
const PORT: &str = "7400";
/// How long a server may take to listen: Java, on a machine that does other things.
const START: Duration = Duration::from_secs(60);
/// Pages in the folder of an example, whose files the commands use.
const EXAMPLES: &str = "../examples/";
/// A block in which any number matches any other.
const MEASURED: &str = "measured";

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

/// Whether the lines match the page, where `...` matches any.
fn matches(page: &[&str], real: &[&str]) -> bool {
    match page.split_first() {
        None => real.is_empty(),
        Some((&"...", rest)) => (0..=real.len()).any(|skipped| matches(rest, &real[skipped..])),
        Some((line, rest)) => {
            real.split_first().is_some_and(|(first, real)| line_matches(line, first) && matches(rest, real))
        }
    }
}

/// Within a line `...` matches any text.
fn line_matches(page: &str, real: &str) -> bool {
    match page.split_once("...") {
        None => page == real,
        Some((start, rest)) => real.strip_prefix(start).is_some_and(|real| {
            (0..=real.len()).filter(|at| real.is_char_boundary(*at)).any(|at| line_matches(rest, &real[at..]))
        }),
    }
}

/// Each number as `#`.
fn without_numbers(line: &str) -> String {
    let mut out = String::new();
    for c in line.chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            c => out.push(c),
        }
    }
    out.replace("#.#", "#")
}

/// A server of a page, which ends with it.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs the commands of a page in a separate folder.
struct Shell<'a> {
    place: &'a Place,
    search: String,
    libraries: String,
    port: String,
    servers: Vec<Server>,
    last: i32,
}

impl<'a> Shell<'a> {
    fn new(place: &'a Place) -> Shell<'a> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let program = Path::new(env!("CARGO_BIN_EXE_creo"));
        // The tests' Python has NumPy and pandas; zeep, with which a page calls like a partner, has a separate folder.
        let search = format!(
            "{}:{}:{}",
            program.parent().expect("a folder").display(),
            root.join("build/venv/bin").display(),
            std::env::var("PATH").unwrap_or_default()
        );
        let zeep = std::fs::read_dir(root.join("build/interop/zeep/lib")).into_iter().flatten();
        let libraries: Vec<String> = zeep
            .filter_map(|folder| Some(folder.ok()?.path().join("site-packages").display().to_string()))
            .collect();
        // Below those that connections get: no other program gets it by chance before the page's server does.
        let first = 20_000 + (std::process::id() % 6_000) as u16;
        let free = (first..32_000).find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok());
        let port = free.expect("a free port").to_string();
        Shell { place, search, libraries: libraries.join(":"), port, servers: Vec::new(), last: 0 }
    }

    fn command(&self, text: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", text]).current_dir(self.place.root());
        shell.env("PATH", &self.search).env("PYTHONPATH", &self.libraries);
        shell.env("COLUMNS", "100").env_remove("NO_COLOR").stdin(Stdio::null());
        shell
    }

    /// The output of a command.
    fn run(&mut self, command: &str) -> String {
        let command = command.replace(PORT, &self.port);
        if let Some(server) = command.strip_suffix(" &") {
            let mut shell = self.command(&format!("exec {server}"));
            self.servers.push(Server(shell.stdout(Stdio::null()).spawn().expect("sh runs")));
            self.wait_for_port();
            return String::new();
        }
        let output = self.command(&format!("exec 2>&1\n(exit {})\n{command}", self.last)).output();
        let output = output.expect("sh runs");
        self.last = output.status.code().unwrap_or(-1);
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn wait_for_port(&mut self) {
        let begin = Instant::now();
        while TcpStream::connect(format!("127.0.0.1:{}", self.port)).is_err() {
            let ended = self.servers.last_mut().and_then(|server| server.0.try_wait().ok().flatten());
            assert!(ended.is_none(), "the server ended: {ended:?}");
            assert!(begin.elapsed() < START, "the server does not listen");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The files of an example, which its page calls by their names.
fn copy_example(folder: &Path, place: &Place) {
    for entry in std::fs::read_dir(folder).expect("the folder of the example") {
        let file = entry.expect("a file of the example").path();
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        if file.is_file() {
            place.write(name, std::fs::read_to_string(&file).expect("a text"));
        }
    }
}

fn check(page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let place = Place::new();
    if page.starts_with(EXAMPLES) {
        copy_example(path.parent().expect("the page's folder"), &place);
    }
    let mut shell = Shell::new(&place);
    let mut commands = 0;
    for block in blocks(&text) {
        if block.language != "console" {
            if !block.file.is_empty() {
                place.write(block.file, block.text.replace(PORT, &shell.port));
            }
            continue;
        }
        let shown = |text: &str| -> Vec<String> {
            let line =
                |line: &str| if block.file == MEASURED { without_numbers(line) } else { line.to_owned() };
            text.trim_end().lines().map(line).collect()
        };
        for example in block
            .text
            .strip_prefix("$ ")
            .unwrap_or_else(|| panic!("{page}:{}: no command", block.line))
            .split("\n$ ")
        {
            let (command, expected) = example.split_once('\n').unwrap_or((example, ""));
            let real = shell.run(command.trim_end());
            let (expected, real) = (shown(expected), shown(&real));
            let lines = |all: &'_ [String]| all.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
            assert!(
                matches(
                    &expected.iter().map(String::as_str).collect::<Vec<_>>(),
                    &real.iter().map(String::as_str).collect::<Vec<_>>()
                ),
                "{page}:{}: $ {command}\n--- on the page\n{}\n--- in truth\n{}",
                block.line,
                lines(&expected),
                lines(&real)
            );
            commands += 1;
        }
    }
    assert!(commands > 0, "{page} has no examples");
}

#[test]
fn any_number_stands_for_any_other_where_it_was_measured() {
    assert_eq!(without_numbers("266 us and 1.6 times"), without_numbers("81.25 us and 12 times"));
    assert_ne!(without_numbers("266 us"), without_numbers("266 ms"));
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
fn the_page_of_calls_is_true() {
    check("call.md");
}

#[test]
fn the_page_of_operations_is_true() {
    check("operations.md");
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

#[test]
fn the_page_of_two_designs_is_true() {
    check("../examples/price/README.md");
}
