//! The mistakes found by the lexer and the parser, with a type for each.

use creo_diag::{Code, Diagnose, Diagnostic, Span, quote};

pub struct InvalidEncoding {
    pub span: Span,
}

impl Diagnose for InvalidEncoding {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(Code::InvalidEncoding, self.span, "the file is not UTF-8 from here on")
            .label("the first byte that is not UTF-8")
            .help("save the file as UTF-8")
    }
}

pub struct FileTooLarge {
    pub span: Span,
    pub size: usize,
}

impl Diagnose for FileTooLarge {
    fn diagnose(&self) -> Diagnostic {
        let message = format!("the file has {} bytes, and {} are the most", self.size, crate::MAX_FILE_SIZE);
        Diagnostic::new(Code::FileTooLarge, self.span, message)
            .help("split it, and join the parts by `import`")
    }
}

pub struct InvalidCharacter {
    pub span: Span,
    pub text: String,
    pub in_name: bool,
}

impl Diagnose for InvalidCharacter {
    fn diagnose(&self) -> Diagnostic {
        let text = quote(&self.text);
        if self.in_name {
            Diagnostic::new(Code::InvalidCharacter, self.span, format!("a name cannot hold {text}"))
                .help("names are made of the letters A to Z and a to z, digits and `_`")
        } else {
            Diagnostic::new(Code::InvalidCharacter, self.span, format!("nothing starts with {text}"))
        }
    }
}

pub struct UnterminatedComment {
    pub span: Span,
}

impl Diagnose for UnterminatedComment {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(Code::UnterminatedComment, self.span, "this comment has no end")
            .label("starts here")
            .help("end it with `*/`")
    }
}

pub struct UnterminatedString {
    pub span: Span,
    pub quote: char,
}

impl Diagnose for UnterminatedString {
    fn diagnose(&self) -> Diagnostic {
        let what = if self.quote == '"' { "string" } else { "character" };
        Diagnostic::new(Code::UnterminatedString, self.span, format!("this {what} has no end on its line"))
            .label("starts here")
            .help(format!("end it with `{}`", self.quote))
    }
}

pub struct InvalidEscape {
    pub span: Span,
    pub text: String,
    pub lone_surrogate: bool,
}

impl Diagnose for InvalidEscape {
    fn diagnose(&self) -> Diagnostic {
        let text = quote(&self.text);
        if self.lone_surrogate {
            Diagnostic::new(Code::InvalidEscape, self.span, format!("{text} is half of a surrogate pair"))
                .help("write both halves, or the character itself")
        } else {
            Diagnostic::new(Code::InvalidEscape, self.span, format!("{text} is not an escape"))
                .help(r#"the escapes are \b \t \n \f \r \" \' \\ and \u with four hexadecimal digits"#)
        }
    }
}

pub struct InvalidLiteral {
    pub span: Span,
    pub message: String,
    pub help: Option<&'static str>,
}

impl Diagnose for InvalidLiteral {
    fn diagnose(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(Code::InvalidLiteral, self.span, self.message.clone());
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

pub struct NameTooLong {
    pub span: Span,
    pub length: usize,
}

impl Diagnose for NameTooLong {
    fn diagnose(&self) -> Diagnostic {
        let message =
            format!("this name has {} characters, and {} are the most", self.length, crate::MAX_NAME_LENGTH);
        Diagnostic::new(Code::NameTooLong, self.span, message)
    }
}

pub struct ExpectedToken {
    pub span: Span,
    pub expected: String,
    pub found: String,
    /// What to insert before the found token.
    pub insert: Option<&'static str>,
    /// A related place, such as an unclosed brace.
    pub because: Option<(Span, &'static str)>,
    pub help: Option<String>,
}

impl Diagnose for ExpectedToken {
    fn diagnose(&self) -> Diagnostic {
        let message = format!("expected {}, found {}", self.expected, self.found);
        let mut diagnostic = Diagnostic::new(Code::ExpectedToken, self.span, message)
            .label(format!("expected {}", self.expected));
        if let Some((span, text)) = self.because {
            diagnostic = diagnostic.also(span, text);
        }
        if let Some(text) = self.insert {
            let place = Span::new(self.span.file, self.span.start, self.span.start);
            diagnostic = diagnostic.help(format!("insert `{text}`")).fix(place, text);
        }
        if let Some(help) = &self.help {
            diagnostic = diagnostic.help(help.clone());
        }
        diagnostic
    }
}

pub struct TooDeep {
    pub span: Span,
}

impl Diagnose for TooDeep {
    fn diagnose(&self) -> Diagnostic {
        let message = format!("types nest at most {} deep", crate::MAX_TYPE_DEPTH);
        Diagnostic::new(Code::TooDeep, self.span, message)
            .label("one level too many")
            .help("give a part of the type a name: declare a struct")
    }
}

pub struct MisplacedFileAnnotation {
    pub span: Span,
    pub name: String,
    pub first_declaration: Option<Span>,
}

impl Diagnose for MisplacedFileAnnotation {
    fn diagnose(&self) -> Diagnostic {
        let message =
            format!("`@{}` belongs to the file, and stands before the first declaration", self.name);
        let diagnostic = Diagnostic::new(Code::MisplacedAnnotation, self.span, message)
            .help("move it to the top of the file");
        match self.first_declaration {
            Some(span) => diagnostic.also(span, "the first declaration"),
            None => diagnostic,
        }
    }
}

pub struct MisplacedAnnotation {
    pub span: Span,
    pub name: String,
}

impl Diagnose for MisplacedAnnotation {
    fn diagnose(&self) -> Diagnostic {
        let message = format!("`@{}` stands before nothing that it could belong to", self.name);
        Diagnostic::new(Code::MisplacedAnnotation, self.span, message)
    }
}

pub struct UnattachedDoc {
    pub span: Span,
}

impl Diagnose for UnattachedDoc {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(Code::UnattachedDoc, self.span, "this documentation belongs to nothing")
            .help("put it right before what it describes, or make it a comment that starts with `/*`")
    }
}
