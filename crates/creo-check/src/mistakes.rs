//! The errors of `resolve` and `check`: a type each.

use crate::limits::{MAX_FILES, MAX_TYPES};
use creo_diag::{Code, Diagnose, Diagnostic, Span, quote};

/// Why a file could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    NotFound,
    /// It exists but cannot be read; the text says why.
    Unreadable(String),
}

pub struct TooManyFiles {
    pub span: Span,
}

impl Diagnose for TooManyFiles {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(Code::FileTooLarge, self.span, format!("a description has at most {MAX_FILES} files"))
    }
}

pub struct TooManyTypes {
    pub span: Span,
    pub count: usize,
}

impl Diagnose for TooManyTypes {
    fn diagnose(&self) -> Diagnostic {
        let message = format!(
            "a description has at most {MAX_TYPES} types and interfaces, and this one has {}",
            self.count
        );
        Diagnostic::new(Code::FileTooLarge, self.span, message)
    }
}

pub struct InvalidImport {
    pub span: Span,
    pub problem: &'static str,
}

impl Diagnose for InvalidImport {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(Code::InvalidImport, self.span, self.problem)
            .help("a path is relative to this file, and uses `/`: \"../common/types.creo\"")
    }
}

pub struct ImportNotFound {
    pub span: Span,
    pub path: String,
    pub error: LoadError,
}

impl Diagnose for ImportNotFound {
    fn diagnose(&self) -> Diagnostic {
        let diagnostic = |message| Diagnostic::new(Code::ImportNotFound, self.span, message);
        match &self.error {
            LoadError::NotFound => diagnostic(format!("there is no file {}", quote(&self.path)))
                .help("a path is relative to this file"),
            LoadError::Unreadable(reason) => {
                diagnostic(format!("the file {} cannot be read: {reason}", quote(&self.path)))
            }
        }
    }
}

pub struct UnusedImport {
    pub span: Span,
    /// Whether the file was already imported.
    pub again: bool,
}

impl Diagnose for UnusedImport {
    fn diagnose(&self) -> Diagnostic {
        let message =
            if self.again { "this file is imported already" } else { "nothing of this import is used" };
        Diagnostic::new(Code::UnusedImport, self.span, message).help("leave it out")
    }
}

pub struct DuplicateName {
    pub span: Span,
    pub first: Span,
    pub name: String,
    /// The kind of the name: "field".
    pub of: &'static str,
}

impl Diagnose for DuplicateName {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(
            Code::DuplicateName,
            self.span,
            format!("the {} `{}` is there twice", self.of, self.name),
        )
        .label("again")
        .also(self.first, "first")
    }
}

pub struct DuplicateId {
    pub span: Span,
    pub first: Span,
    pub name: String,
}

impl Diagnose for DuplicateId {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(
            Code::DuplicateName,
            self.span,
            format!("the method `{}` has the id of another", self.name),
        )
        .also(self.first, "the other")
        .help("give it another name: ids are made of names")
    }
}

pub struct ReservedName {
    pub span: Span,
    pub name: String,
}

impl Diagnose for ReservedName {
    fn diagnose(&self) -> Diagnostic {
        let message =
            format!("`{}` is a word of the language, and not the name of a type or interface", self.name);
        Diagnostic::new(Code::ReservedName, self.span, message)
    }
}

pub struct ReservedPrefix {
    pub span: Span,
    pub name: String,
}

impl Diagnose for ReservedPrefix {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(Code::ReservedName, self.span, format!("`{}` starts with `creo_`", self.name))
            .help("generated code uses that for its own names: give it another")
    }
}

pub struct UnknownType {
    pub span: Span,
    pub name: String,
    pub nearest: Option<String>,
    /// The declaration of a type with that name in a file that is not imported, and the file's name.
    pub elsewhere: Option<(Span, String)>,
}

impl Diagnose for UnknownType {
    fn diagnose(&self) -> Diagnostic {
        let diagnostic =
            Diagnostic::new(Code::UnknownType, self.span, format!("there is no type `{}` here", self.name))
                .label("not known");
        match (&self.elsewhere, &self.nearest) {
            (Some((span, file)), _) => diagnostic
                .also(*span, "declared in a file that is not imported here")
                .help(format!("import `{file}`")),
            (None, Some(nearest)) => {
                diagnostic.help(format!("did you mean `{nearest}`?")).fix(self.span, nearest.clone())
            }
            (None, None) if self.name == "Map" => {
                diagnostic.help("a map is written with the types of its keys and values: `Map<String, int>`")
            }
            (None, None) => diagnostic,
        }
    }
}

pub struct NotAType {
    pub span: Span,
    pub name: String,
    pub interface: Span,
}

impl Diagnose for NotAType {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(
            Code::UnknownType,
            self.span,
            format!("`{}` is an interface, and not the type of a value", self.name),
        )
        .also(self.interface, "declared here")
    }
}

pub struct AmbiguousType {
    pub span: Span,
    pub name: String,
    /// Each declaration with its package.
    pub places: Vec<(Span, String)>,
}

impl Diagnose for AmbiguousType {
    fn diagnose(&self) -> Diagnostic {
        let message = format!("`{}` is declared in several packages", self.name);
        let mut diagnostic = Diagnostic::new(Code::AmbiguousType, self.span, message);
        for (span, package) in &self.places {
            diagnostic = diagnostic.also(*span, format!("in `{package}`"));
        }
        let names: Vec<String> =
            self.places.iter().map(|(_, package)| format!("`{package}.{}`", self.name)).collect();
        diagnostic.help(format!("write {}", names.join(" or ")))
    }
}

pub struct DuplicateAnnotation {
    pub span: Span,
    pub first: Span,
    pub name: String,
}

impl Diagnose for DuplicateAnnotation {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(Code::DuplicateAnnotation, self.span, format!("`@{}` is there twice", self.name))
            .label("again")
            .also(self.first, "first")
    }
}

pub struct InvalidAnnotation {
    pub span: Span,
    pub message: String,
    pub first: Option<Span>,
    pub help: Option<String>,
}

impl Diagnose for InvalidAnnotation {
    fn diagnose(&self) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(Code::InvalidAnnotation, self.span, self.message.clone());
        if let Some(first) = self.first {
            diagnostic = diagnostic.also(first, "said here before");
        }
        match &self.help {
            Some(help) => diagnostic.help(help.clone()),
            None => diagnostic,
        }
    }
}

/// An XML annotation that does not fit the type, or another annotation.
pub struct XmlConflict {
    pub span: Span,
    pub message: String,
    /// The other annotation.
    pub other: Option<(Span, String)>,
    pub help: Option<String>,
}

impl Diagnose for XmlConflict {
    fn diagnose(&self) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(Code::InvalidAnnotation, self.span, self.message.clone());
        if let Some((span, text)) = &self.other {
            diagnostic = diagnostic.also(*span, text.clone());
        }
        match &self.help {
            Some(help) => diagnostic.help(help.clone()),
            None => diagnostic,
        }
    }
}

pub struct XmlTooLarge {
    pub span: Span,
    pub message: String,
}

impl Diagnose for XmlTooLarge {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(Code::FileTooLarge, self.span, self.message.clone())
            .help("divide it into several descriptions")
    }
}

pub struct MisplacedAnnotation {
    pub span: Span,
    pub name: String,
    pub on: &'static str,
}

impl Diagnose for MisplacedAnnotation {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(
            Code::MisplacedAnnotation,
            self.span,
            format!("`@{}` does not belong on {}", self.name, self.on),
        )
    }
}

pub struct UnknownAnnotation {
    pub span: Span,
    pub name: String,
    pub nearest: Option<String>,
}

impl Diagnose for UnknownAnnotation {
    fn diagnose(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(
            Code::UnknownAnnotation,
            self.span,
            format!("`@{}` is not known here, and is only kept", self.name),
        );
        match &self.nearest {
            Some(nearest) => {
                diagnostic.help(format!("did you mean `@{nearest}`?")).fix(self.span, nearest.clone())
            }
            None => diagnostic,
        }
    }
}

/// A name for an unknown target.
pub struct UnknownTarget {
    pub span: Span,
    pub name: String,
    pub nearest: Option<String>,
}

impl Diagnose for UnknownTarget {
    fn diagnose(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(
            Code::UnknownAnnotation,
            self.span,
            format!("`{}` is not a built-in target, and its name is only kept", self.name),
        );
        match &self.nearest {
            Some(nearest) => {
                diagnostic.help(format!("did you mean `{nearest}`?")).fix(self.span, nearest.clone())
            }
            None => diagnostic,
        }
    }
}

pub struct EmptyType {
    pub span: Span,
    pub name: String,
    pub keyword: &'static str,
}

impl Diagnose for EmptyType {
    fn diagnose(&self) -> Diagnostic {
        let member = if self.keyword == "enum" { "constant" } else { "member" };
        let article = if self.keyword == "enum" { "an" } else { "a" };
        let message =
            format!("`{}` has no {member}, and {article} {} has at least one", self.name, self.keyword);
        Diagnostic::new(Code::EmptyType, self.span, message)
    }
}

pub struct InvalidMapKey {
    pub span: Span,
}

impl Diagnose for InvalidMapKey {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(Code::InvalidMapKey, self.span, "this type is not the key of a map")
            .help("a key is a `boolean`, `byte`, `short`, `char`, `int`, `long`, `String` or an enum")
    }
}

pub struct DoubleOptional {
    pub span: Span,
}

impl Diagnose for DoubleOptional {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(Code::DoubleOptional, self.span, "this type is optional already")
            .help("leave the second `?` out")
            .fix(self.span, "")
    }
}

pub struct VoidNotAllowed {
    pub span: Span,
    pub of: &'static str,
}

impl Diagnose for VoidNotAllowed {
    fn diagnose(&self) -> Diagnostic {
        let message = if self.of == "result" {
            "`void` is a result by itself, and not a part of one".to_owned()
        } else {
            format!("`void` is not the type of a {}", self.of)
        };
        Diagnostic::new(Code::VoidNotAllowed, self.span, message)
    }
}

pub struct ExceptionAsValue {
    pub span: Span,
    pub name: String,
    pub of: &'static str,
}

impl Diagnose for ExceptionAsValue {
    fn diagnose(&self) -> Diagnostic {
        let message = format!("the exception `{}` is thrown, and not the type of a {}", self.name, self.of);
        Diagnostic::new(Code::ExceptionAsValue, self.span, message).help("put what both need into a struct")
    }
}

pub struct InfiniteType {
    pub span: Span,
    pub name: String,
    /// The types of the fields that lead from the type to itself.
    pub fields: Vec<Span>,
    pub union: bool,
}

impl Diagnose for InfiniteType {
    fn diagnose(&self) -> Diagnostic {
        const MOST: usize = 8;
        let message = format!("every `{}` holds another, without end", self.name);
        let mut diagnostic = Diagnostic::new(Code::InfiniteType, self.span, message);
        let count = self.fields.len();
        for (index, span) in self.fields.iter().enumerate().take(MOST) {
            let text = if index + 1 == count {
                format!("holds `{}` again", self.name)
            } else {
                "holds this".to_owned()
            };
            diagnostic = diagnostic.also(*span, text);
        }
        if self.union {
            diagnostic.help("give the union a member that can end, or make one of these an array or optional")
        } else {
            diagnostic.help("make one of these an optional or an array")
        }
    }
}

pub struct InvalidNumber {
    pub span: Span,
    /// Whether the number follows from the previous constant.
    pub counted: bool,
}

impl Diagnose for InvalidNumber {
    fn diagnose(&self) -> Diagnostic {
        let message = if self.counted {
            "the number of this constant, one more than that of the last, is above 2147483647"
        } else {
            "the number of a constant is from 0 to 2147483647"
        };
        Diagnostic::new(Code::InvalidNumber, self.span, message)
    }
}

pub struct DuplicateNumber {
    pub span: Span,
    pub first: Span,
    pub number: u32,
}

impl Diagnose for DuplicateNumber {
    fn diagnose(&self) -> Diagnostic {
        Diagnostic::new(Code::DuplicateNumber, self.span, format!("the number {} is taken", self.number))
            .label("again")
            .also(self.first, format!("{} first", self.number))
    }
}

pub struct InvalidDefault {
    pub span: Span,
    pub message: String,
    pub help: Option<String>,
}

impl Diagnose for InvalidDefault {
    fn diagnose(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(Code::InvalidDefault, self.span, self.message.clone());
        match &self.help {
            Some(help) => diagnostic.help(help.clone()),
            None => diagnostic,
        }
    }
}

pub struct DefaultRequired {
    pub span: Span,
    pub name: String,
    pub first: Span,
    /// Whether the previous field is optional; otherwise it has a default.
    pub optional: bool,
}

impl Diagnose for DefaultRequired {
    fn diagnose(&self) -> Diagnostic {
        let because = if self.optional {
            "this field before it is optional"
        } else {
            "this field before it has a default"
        };
        Diagnostic::new(
            Code::DefaultRequired,
            self.span,
            format!("`{}` has no default and is not optional", self.name),
        )
        .also(self.first, because)
        .help("a value may end before it, so give it a default, make it optional, or move it up")
    }
}

pub struct InvalidOneway {
    pub span: Span,
    pub oneway: Span,
    pub returns: bool,
}

impl Diagnose for InvalidOneway {
    fn diagnose(&self) -> Diagnostic {
        let message = if self.returns {
            "a `oneway` method returns `void`"
        } else {
            "a `oneway` method throws nothing"
        };
        Diagnostic::new(Code::InvalidOneway, self.span, message)
            .also(self.oneway, "a `oneway` call has no answer")
    }
}

pub struct InvalidStream {
    pub span: Span,
    pub message: &'static str,
    pub because: (Span, &'static str),
    pub help: Option<&'static str>,
}

impl Diagnose for InvalidStream {
    fn diagnose(&self) -> Diagnostic {
        let (place, why) = self.because;
        let diagnostic = Diagnostic::new(Code::InvalidStream, self.span, self.message).also(place, why);
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

pub struct NotAnException {
    pub span: Span,
    pub name: String,
    pub keyword: &'static str,
    pub declared: Span,
}

impl Diagnose for NotAnException {
    fn diagnose(&self) -> Diagnostic {
        let article = if self.keyword == "enum" { "an" } else { "a" };
        Diagnostic::new(
            Code::NotAnException,
            self.span,
            format!("`{}` is {article} {}, and only exceptions are thrown", self.name, self.keyword),
        )
        .also(self.declared, "declared here")
    }
}
