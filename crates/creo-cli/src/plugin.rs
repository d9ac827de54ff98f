//! Third-party targets: a program `creo-gen-NAME` that reads the model as JSON and writes files as JSON (MODEL-30, MODEL-31).

use crate::failure::Failure;
use creo_check::CheckedModel;
use creo_codegen::{Files, check_path};
use creo_diag::{Severity, reason};
use creo_json::parse_json;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The largest answer that is read.
const MAX_ANSWER: u64 = 256 << 20;

/// The max size of the reported standard error.
const MAX_ERRORS: u64 = 64 << 10;

/// The interval for checking whether a program has ended.
const LOOK: Duration = Duration::from_millis(10);

/// A diagnostic of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub severity: Severity,
    pub code: String,
    pub message: String,
}

/// The program's answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub files: Files,
    pub diagnostics: Vec<Told>,
}

/// Runs `creo-gen-NAME` with options of the run (MODEL-30). It always ends: after `patience` the program is killed.
pub fn run(name: &str, model: &CheckedModel, options: Value, patience: Duration) -> Result<Answer, Failure> {
    let program = format!("creo-gen-{name}");
    let mut question = creo_plan::to_json(model, model.plan());
    question["options"] = options;
    let mut child = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => Failure::new(format!("there is no target {name:?}")).help(format!(
                "built in are {}; another one is a program {program} on the PATH",
                creo_targets::names()
            )),
            _ => Failure::new(format!("cannot run {program}: {}", reason(&error))),
        })?;
    let talk = Talk::start(&mut child, question.to_string());
    let ended = talk.finish(&mut child, patience);
    if ended.is_err() {
        // It may have ended meanwhile.
        let _ = child.kill();
        let _ = child.wait();
    }
    let (status, output, errors) = ended.map_err(|why| Failure::new(format!("{program} {why}")))?;
    if !status.success() {
        let said = errors.trim();
        let failure = Failure::new(format!("{program} failed: {status}"));
        return Err(if said.is_empty() { failure } else { failure.help(format!("it said: {said}")) });
    }
    read_answer(&output)
        .map_err(|why| Failure::new(format!("{program} answered what creo cannot use: {why}")))
}

/// The threads that feed and drain the program's pipes. A program that passes its pipes to a child must not keep creo from ending, so the
/// threads themselves are not joined.
struct Talk {
    output: Receiver<Vec<u8>>,
    errors: Receiver<Vec<u8>>,
}

type Ended = (ExitStatus, Vec<u8>, String);

impl Talk {
    fn start(child: &mut Child, question: String) -> Talk {
        if let Some(mut pipe) = child.stdin.take() {
            // A program that ignores its input may close the pipe.
            thread::spawn(move || {
                let _ = pipe.write_all(question.as_bytes());
            });
        }
        Talk {
            output: reader(child.stdout.take(), MAX_ANSWER),
            errors: reader(child.stderr.take(), MAX_ERRORS),
        }
    }

    fn finish(&self, child: &mut Child, patience: Duration) -> Result<Ended, String> {
        let deadline = Instant::now() + patience;
        let late = || format!("did not end within {} seconds", patience.as_secs());
        let left = || deadline.saturating_duration_since(Instant::now());
        let output = self.output.recv_timeout(left()).map_err(|_| late())?;
        if output.len() as u64 > MAX_ANSWER {
            return Err(format!("answered more than {} MiB", MAX_ANSWER >> 20));
        }
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if left().is_zero() => return Err(late()),
                Ok(None) => thread::sleep(LOOK),
                Err(error) => return Err(format!("cannot be waited for: {}", reason(&error))),
            }
        };
        let errors = self.errors.recv_timeout(left().min(Duration::from_secs(1))).unwrap_or_default();
        Ok((status, output, String::from_utf8_lossy(&errors).into_owned()))
    }
}

/// Reads a pipe to its end, or one byte more than allowed.
fn reader(pipe: Option<impl Read + Send + 'static>, most: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    if let Some(pipe) = pipe {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.take(most + 1).read_to_end(&mut bytes);
            let _ = sender.send(bytes);
        });
    }
    receiver
}

/// MODEL-31
fn read_answer(bytes: &[u8]) -> Result<Answer, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())?;
    let answer = parse_json(text).map_err(|e| format!("not JSON: {e}"))?;
    let Value::Object(members) = &answer else { return Err("not a JSON object".to_owned()) };
    let list = |name: &str| match members.get(name) {
        None => Ok(&[][..]),
        Some(Value::Array(items)) => Ok(&items[..]),
        Some(_) => Err(format!("`{name}` is not an array")),
    };
    let text_of = |object: &Value, name: &str| {
        object.get(name).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| format!("no text `{name}`"))
    };
    let mut files = Files::new();
    let mut seen = BTreeSet::new();
    for (index, file) in list("files")?.iter().enumerate() {
        let path = text_of(file, "path").map_err(|e| format!("file {index}: {e}"))?;
        let text = text_of(file, "text").map_err(|e| format!("file {path:?}: {e}"))?;
        check_path(&path).map_err(|problem| {
            format!("the path {path:?} is not allowed ({})", words(&format!("{problem:?}")))
        })?;
        if crate::manifest::is_manifest(&path) {
            return Err(format!("the path {path:?} is creo's own"));
        }
        if !seen.insert(path.clone()) {
            return Err(format!("the path {path:?} twice"));
        }
        files.add(path, text);
    }
    if let Some((inner, outer)) = nested(&seen) {
        return Err(format!("{outer:?} is both a file and the folder of {inner:?}"));
    }
    let mut diagnostics = Vec::new();
    for (index, told) in list("diagnostics")?.iter().enumerate() {
        let part = |name: &str| text_of(told, name).map_err(|e| format!("diagnostic {index}: {e}"));
        let severity = match part("severity")?.as_str() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            other => {
                return Err(format!(
                    "diagnostic {index}: the severity {other:?} is neither \"error\" nor \"warning\""
                ));
            }
        };
        diagnostics.push(Told { severity, code: part("code")?, message: part("message")? });
    }
    Ok(Answer { files, diagnostics })
}

/// A path that is both a file and a folder of another file.
fn nested(paths: &BTreeSet<String>) -> Option<(&String, String)> {
    paths.iter().find_map(|path| {
        let folders = path.match_indices('/').map(|(at, _)| path[..at].to_owned());
        folders.into_iter().find(|folder| paths.contains(folder)).map(|folder| (path, folder))
    })
}

/// `BadPart` as `bad part`.
fn words(camel: &str) -> String {
    let mut out = String::new();
    for c in camel.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push(' ');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_good_answer() {
        let text = r#"{"files":[{"path":"a/b.go","text":"x"}],"diagnostics":[{"severity":"warning","code":"w","message":"m"}],"later":1}"#;
        let answer = read_answer(text.as_bytes()).expect("a good answer");
        assert_eq!(answer.files.get("a/b.go"), Some("x"));
        assert_eq!(
            answer.diagnostics,
            [Told { severity: Severity::Warning, code: "w".to_owned(), message: "m".to_owned() }]
        );
        assert!(read_answer(b"{}").expect("nothing is an answer").files.is_empty());
    }

    #[test]
    fn bad_answers() {
        let files = |paths: &[&str]| {
            json!({ "files": paths.iter().map(|p| json!({ "path": p, "text": "" })).collect::<Vec<_>>() })
                .to_string()
        };
        for text in [
            "".to_owned(),
            "[]".to_owned(),
            "{\"files\":1}".to_owned(),
            "{\"files\":[1]}".to_owned(),
            "{\"files\":[{\"path\":\"a\"}]}".to_owned(),
            "{} {}".to_owned(),
            "{\"diagnostics\":[{\"severity\":\"note\",\"code\":\"\",\"message\":\"\"}]}".to_owned(),
            files(&["../x"]),
            files(&["/x"]),
            files(&["a/./b"]),
            files(&["a//b"]),
            files(&["a\\b"]),
            files(&["c:b"]),
            files(&["a\u{1b}b"]),
            files(&[""]),
            files(&["a", "a"]),
            files(&["a", "a/b"]),
            files(&["a/b", "a-c", "a"]),
            files(&[".creo-manifest-data"]),
        ] {
            assert!(read_answer(text.as_bytes()).is_err(), "{text}");
        }
        assert!(read_answer(b"\xff").is_err());
    }
}
