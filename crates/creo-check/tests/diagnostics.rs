//! Every mistake as data: `diagnostics/<code>*.creo` with its diagnostics in `<name>.txt`. A missing file means that there are none.
//!
//! With `CREO_UPDATE` set, the expected files are rewritten, and the test still fails: review the changes first.
#![allow(clippy::disallowed_methods)]

use creo_check::{LoadError, compile_files};
use creo_diag::{Code, Diagnostic, Report, Sources, Span};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

#[test]
fn diagnostics_are_as_expected() {
    let update = std::env::var("CREO_UPDATE").is_ok();
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder is there")
        .filter_map(|entry| {
            entry
                .expect("it can be read")
                .file_name()
                .into_string()
                .ok()?
                .strip_suffix(".creo")
                .map(str::to_owned)
        })
        .collect();
    names.sort();
    let mut wrong = Vec::new();
    for name in &names {
        let expected_path = folder().join(format!("{name}.txt"));
        let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
        let found = diagnostics(&format!("{name}.creo"));
        if found != expected {
            wrong.push(format!("{name}: expected\n{expected}\nfound\n{found}"));
            if update && found.is_empty() {
                std::fs::remove_file(&expected_path).expect("it was there");
            } else if update {
                std::fs::write(&expected_path, &found).expect("it can be written");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A file is named after its code, which reveals a code without a test.
#[test]
fn every_code_has_a_file() {
    for code in Code::ALL {
        // 16 MiB are no file to keep: see `tests/limits.rs`.
        if *code == Code::FileTooLarge {
            continue;
        }
        let path = folder().join(format!("{code}.txt"));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(text.contains(&format!("[{code}]")), "{} tells of no {code}", path.display());
    }
}

fn diagnostics(name: &str) -> String {
    let mut load = |path: &str| std::fs::read(folder().join(path)).map_err(|_| LoadError::NotFound);
    let compilation = compile_files(&[name], &mut load).expect("the file is there");
    assert_eq!(compilation.model.is_none(), compilation.report.has_errors());
    render(&compilation.report, &compilation.sources)
}

fn render(report: &Report, sources: &Sources) -> String {
    report.diagnostics().into_iter().map(|diagnostic| one(diagnostic, sources)).collect()
}

fn one(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let mut text = format!("{}[{}]: {}\n", diagnostic.severity, diagnostic.code, diagnostic.message);
    let _ = writeln!(text, "  at {}", place(diagnostic.primary.span, &diagnostic.primary.text, sources));
    for label in &diagnostic.labels {
        let _ = writeln!(text, "  and {}", place(label.span, &label.text, sources));
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(text, "  help: {help}");
    }
    if let Some(fix) = &diagnostic.fix {
        let _ = writeln!(text, "  fix: {}", place(fix.span, &format!("{:?}", fix.text), sources));
    }
    text
}

fn place(span: Span, text: &str, sources: &Sources) -> String {
    let file = sources.file(span.file);
    let start = file.position(span.start);
    let end = file.position(span.end);
    let slice = file.slice(span).escape_debug().to_string();
    assert!(
        span.end <= file.text().len()
            && file.text().is_char_boundary(span.start)
            && file.text().is_char_boundary(span.end)
    );
    let place =
        format!("{}:{}:{}-{}:{} `{slice}`", file.name(), start.line, start.column, end.line, end.column);
    if text.is_empty() { place } else { format!("{place}: {text}") }
}
