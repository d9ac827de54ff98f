//! A diagnostic as JSON, for `--error-format json`.

use crate::{Diagnostic, Sources, Span};
use serde_json::{Map, Value, json};

/// One diagnostic as an object: code, severity, message, the primary place, labels, help, fix.
///
/// A place is `{file, line, column, endLine, endColumn, start, end}`: lines and columns from 1, columns in Unicode scalar values, `start`
/// and `end` in bytes from 0, with `end` exclusive. Empty `labels`, `help` and `fix` are omitted.
pub fn to_json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let mut object = Map::new();
    object.insert("severity".into(), json!(diagnostic.severity.word()));
    object.insert("code".into(), json!(diagnostic.code.word()));
    object.insert("message".into(), json!(diagnostic.message));
    object.extend(place(diagnostic.primary.span, sources));
    if !diagnostic.primary.text.is_empty() {
        object.insert("label".into(), json!(diagnostic.primary.text));
    }
    if !diagnostic.labels.is_empty() {
        let labels =
            diagnostic.labels.iter().map(|label| with_text(label.span, &label.text, sources)).collect();
        object.insert("labels".into(), Value::Array(labels));
    }
    if let Some(help) = &diagnostic.help {
        object.insert("help".into(), json!(help));
    }
    if let Some(fix) = &diagnostic.fix {
        object.insert("fix".into(), with_text(fix.span, &fix.text, sources));
    }
    Value::Object(object)
}

fn with_text(span: Span, text: &str, sources: &Sources) -> Value {
    let mut object = place(span, sources);
    object.insert("text".into(), json!(text));
    Value::Object(object)
}

fn place(span: Span, sources: &Sources) -> Map<String, Value> {
    let file = sources.file(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    [
        ("file", json!(file.name())),
        ("line", json!(start.line)),
        ("column", json!(start.column)),
        ("endLine", json!(end.line)),
        ("endColumn", json!(end.column)),
        ("start", json!(span.start)),
        ("end", json!(span.end)),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_owned(), value))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, Report};

    #[test]
    fn json_says_all() {
        let mut sources = Sources::new();
        let id = sources.add("a.creo", "é\nxy");
        let span = Span::new(id, 3, 5);
        let diagnostic = Diagnostic::new(Code::UnknownType, span, "m")
            .label("l")
            .also(span.after(), "o")
            .help("h")
            .fix(span, "t");
        let text = to_json(&diagnostic, &sources).to_string();
        assert_eq!(
            text,
            concat!(
                r#"{"severity":"error","code":"unknown-type","message":"m","file":"a.creo","line":2,"column":1,"endLine":2,"endColumn":3,"start":3,"end":5,"label":"l","#,
                r#""labels":[{"file":"a.creo","line":2,"column":3,"endLine":2,"endColumn":3,"start":5,"end":5,"text":"o"}],"help":"h","#,
                r#""fix":{"file":"a.creo","line":2,"column":1,"endLine":2,"endColumn":3,"start":3,"end":5,"text":"t"}}"#
            )
        );
    }

    #[test]
    fn a_report_is_sorted_and_bounded() {
        let mut sources = Sources::new();
        let id = sources.add("a.creo", "x".repeat(3_000));
        let mut report = Report::new();
        for at in (0..2_000).rev() {
            let span = Span::new(id, at, at + 1);
            report.add(&Diagnostic::new(Code::UnusedImport, span, "w"));
            report.add(&Diagnostic::new(Code::UnusedImport, span, "the same place again"));
        }
        assert!(!report.has_errors());
        report.add(&Diagnostic::new(Code::UnknownType, Span::new(id, 0, 1), "e"));
        assert_eq!((report.errors(), report.omitted(), report.diagnostics().len()), (1, 2_000, 1_001));
        assert!(report.diagnostics().is_sorted_by_key(|d| d.primary.span));
    }
}
