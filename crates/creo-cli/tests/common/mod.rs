//! Shared by the tests of the program: a separate folder, and runs of the built `creo`.
#![allow(dead_code)] // Each test file uses its part.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // Tests of a program run it, and look at its files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The description of the specification's introduction.
pub const DATA: &str = r#"@PACKAGE("org.example.data")

/** Where a series of samples came from. */
struct MetaData {
    String description;
    long timestamp;
}

struct Data {
    MetaData metadata;
    double[] samples;
}

exception NotFound { String description; }

interface DataService {
    void storeData(Data[] data);
    Data retrieveData(String description) throws NotFound;
    oneway void touch(String description);
}
"#;

/// A profile in which a message costs a microsecond and each byte of markup and digits a nanosecond, and nothing else anything.
pub fn profile(wires: &[&str]) -> String {
    let features = [
        "message",
        "response",
        "empty",
        "empty.response",
        "single.String",
        "single.long",
        "field.String",
        "field.long",
        "item.double",
        "array",
        "array.double",
        "element",
        "columns",
        "inner",
        "run",
        "single.run",
        "single.record",
        "single.row",
        "record",
        "change",
        "text",
        "digits.real",
        "digits",
        "markup",
    ];
    let cost = |feature: &str| match feature {
        "message" | "response" | "empty" | "empty.response" => 1000,
        "digits" | "digits.real" | "markup" => 1,
        _ => 0,
    };
    let coefficients: Vec<String> = features
        .iter()
        .map(|f| format!(r#"{{"feature":"{f}","ns":{0},"low":{0},"high":{0}}}"#, cost(f)))
        .collect();
    let covariance = vec!["0"; features.len() * (features.len() + 1) / 2].join(",");
    let fit = format!(
        r#"{{"coefficients":[{}],"covariance":[{covariance}],"residual":0.05,"freedom":100,"points":109,"r2":0.999,"medianError":0.03,"highError":0.08,"noise":5,"lines":[]}}"#,
        coefficients.join(",")
    );
    let wires: Vec<String> = wires
        .iter()
        .map(|wire| format!(r#"{{"wire":"{wire}","serialize":{fit},"deserialize":{fit}}}"#))
        .collect();
    format!(
        r#"{{"format":2,"creo":"{}","date":"2026-11-21","machine":{{"processor":"a processor"}},"quick":false,"targets":[{{"target":"java","version":"17","reference":10000,"wires":[{}]}}]}}"#,
        env!("CARGO_PKG_VERSION"),
        wires.join(",")
    )
}

/// A folder in which a test works; it goes when the test ends.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Place {
        Place { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A place with `data.creo` in it.
    pub fn with_data() -> Place {
        let place = Place::new();
        place.write("data.creo", DATA);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn exists(&self, name: &str) -> bool {
        fs::symlink_metadata(self.path(name)).is_ok()
    }

    /// Every file under `name`, by relative path.
    pub fn files(&self, name: &str) -> Vec<String> {
        fn walk(root: &Path, at: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(at).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    walk(root, &path, found);
                } else {
                    found.push(path.strip_prefix(root).expect("inside").display().to_string());
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.path(name), &self.path(name), &mut found);
        found.sort();
        found
    }

    /// The program, to be run in this place, with an environment that says nothing.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_creo"));
        command
            .current_dir(self.root())
            .env_remove("NO_COLOR")
            .env_remove("TERM")
            .env_remove("CLICOLOR_FORCE")
            .env("COLUMNS", "100")
            .stdin(Stdio::null());
        command
    }

    /// Runs the program with arguments that white space parts.
    pub fn creo(&self, arguments: &str) -> Ran {
        self.creo_with(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs the program in a folder of this place.
    pub fn creo_in(&self, folder: &str, arguments: &str) -> Ran {
        let mut command = self.command();
        command.current_dir(self.path(folder)).args(arguments.split_whitespace());
        Ran::of(command.output().expect("creo runs"), &format!("{arguments} in {folder}"))
    }

    pub fn creo_with(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command().args(arguments).output().expect("creo runs"), &arguments.join(" "))
    }

    /// Runs the program with a text on its standard input.
    pub fn creo_reading(&self, arguments: &str, input: &[u8]) -> Ran {
        let mut command = self.command();
        let child = command
            .args(arguments.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = child.spawn().expect("creo runs");
        let mut pipe = child.stdin.take().expect("a pipe");
        let input = input.to_vec();
        let writer = std::thread::spawn(move || std::io::Write::write_all(&mut pipe, &input));
        let ran = Ran::of(child.wait_with_output().expect("creo ends"), arguments);
        let _ = writer.join().expect("the writer ends");
        ran
    }
}

/// The result of running the program.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    arguments: String,
}

impl Ran {
    pub fn of(output: Output, arguments: &str) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what creo writes is UTF-8");
        Ran {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
            arguments: arguments.to_owned(),
        }
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "creo {}\n{}{}", self.arguments, self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    #[track_caller]
    pub fn says(self, text: &str) -> Ran {
        assert!(
            self.err.contains(text),
            "creo {}: no {text:?} in standard error:\n{}",
            self.arguments,
            self.err
        );
        self
    }

    #[track_caller]
    pub fn prints(self, text: &str) -> Ran {
        assert!(
            self.out.contains(text),
            "creo {}: no {text:?} in standard output:\n{}",
            self.arguments,
            self.out
        );
        self
    }

    #[track_caller]
    pub fn writes_nothing(self) -> Ran {
        assert_eq!((self.out.as_str(), self.err.as_str()), ("", ""), "creo {}", self.arguments);
        self
    }

    /// Standard error as JSON, an object a line.
    #[track_caller]
    pub fn messages(&self) -> Vec<serde_json::Value> {
        self.err
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect()
    }

    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out))
    }
}
