//! A diagnostic: the mistake, its position, and its fix.

use crate::{Code, Severity, Span};

/// A span of text with a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    pub span: Span,
    /// If empty, only the span is shown.
    pub text: String,
}

/// A replacement that fixes the mistake, applied literally.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// Empty for an insertion.
    pub span: Span,
    pub text: String,
}

/// A mistake or a questionable spot in a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// One line, without a full stop. May contain text of the description: escape control characters when printing.
    pub message: String,
    /// The smallest span that shows the mistake.
    pub primary: Label,
    /// Related places, perhaps in other files.
    pub labels: Vec<Label>,
    pub help: Option<String>,
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Creates a diagnostic with the severity of its code.
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

    /// Sets the message at the primary span.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Adds a related place.
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

/// A mistake as a type that knows its positions and its message.
pub trait Diagnose {
    fn diagnose(&self) -> Diagnostic;
}

impl Diagnose for Diagnostic {
    fn diagnose(&self) -> Diagnostic {
        self.clone()
    }
}
