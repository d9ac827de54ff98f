//! One diagnostic: what, where, and how to mend it.

use crate::{Code, Severity, Span};

/// A stretch of text with what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    pub span: Span,
    /// May be empty: then the span alone is shown.
    pub text: String,
}

/// A replacement that mends the mistake, to be applied as it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// Empty for an insertion.
    pub span: Span,
    pub text: String,
}

/// A mistake, or something worth a second look, in a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// One line, without a full stop. May hold text of the description: escape control characters when printing.
    pub message: String,
    /// The smallest span that shows the mistake.
    pub primary: Label,
    /// Further places, perhaps in other files.
    pub labels: Vec<Label>,
    pub help: Option<String>,
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A diagnostic with the severity of its code.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            primary: Label { span, text: String::new() },
            labels: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// What to say at the primary span.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// A further place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    pub fn fix(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.fix = Some(Fix { span, text: text.into() });
        self
    }
}

/// A mistake as a type: it knows its places, and how to say what it is.
pub trait Diagnose {
    fn diagnose(&self) -> Diagnostic;
}

impl Diagnose for Diagnostic {
    fn diagnose(&self) -> Diagnostic {
        self.clone()
    }
}
