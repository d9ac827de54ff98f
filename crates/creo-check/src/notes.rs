//! The meaning of annotations (LANG-16, LANG-24).

use crate::file::File;
use crate::mistakes::{
    DuplicateAnnotation, InvalidAnnotation, MisplacedAnnotation, UnknownAnnotation, UnknownTarget,
};
use crate::nearest::Nearest;

use crate::xml_annotations::{XmlPlace, lower_xml, namespace_text_problem};
use creo_diag::{Report, Span};
use creo_model::{Annotation, AnnotationArgument, AnnotationValue, Notes, Package, TargetNames};
use creo_model::{DEFAULT_PACKAGE, Xml};
use creo_syntax::{Argument, Head, Literal, LiteralKind};
use std::collections::BTreeMap;

/// The construct with an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Struct,
    Exception,
    Enum,
    Union,
    Interface,
    Field,
    Constant,
    Member,
    Method,
    Parameter,
}

impl Place {
    fn xml(self) -> XmlPlace {
        match self {
            Place::Struct => XmlPlace::Struct,
            Place::Exception => XmlPlace::Exception,
            Place::Enum => XmlPlace::Enum,
            Place::Union => XmlPlace::Union,
            Place::Interface => XmlPlace::Interface,
            Place::Field => XmlPlace::Field,
            Place::Constant => XmlPlace::Constant,
            Place::Member => XmlPlace::Member,
            Place::Method => XmlPlace::Method,
            Place::Parameter => XmlPlace::Parameter,
        }
    }

    /// The name in messages.
    fn words(self) -> &'static str {
        match self {
            Place::Struct => "a struct",
            Place::Exception => "an exception",
            Place::Enum => "an enum",
            Place::Union => "a union",
            Place::Interface => "an interface",
            Place::Field => "a field",
            Place::Constant => "a constant",
            Place::Member => "a member",
            Place::Method => "a method",
            Place::Parameter => "a parameter",
        }
    }
}

/// The known annotations of declarations and members.
const KNOWN: [&str; 7] = ["Deprecated", "Idempotent", "Name", "Secret", "Xml", "XmlResponse", "XmlResult"];

/// The targets that can have their own names: all other code derives from this list.
pub const TARGETS: [&str; 4] = ["java", "python", "c", "csharp"];

/// The annotations of a method other than its [`Notes`].
#[derive(Default)]
pub struct MethodNotes {
    pub idempotent: bool,
    pub response: Option<Box<Xml>>,
    pub result: Option<Box<Xml>>,
}

/// The annotations of a declaration or member other than a method.
pub fn lower_head(head: &Head, place: Place, report: &mut Report) -> Notes {
    lower(head, place, &mut MethodNotes::default(), report)
}

/// The annotations of a method.
pub fn lower_method_head(head: &Head, report: &mut Report) -> (Notes, MethodNotes) {
    let mut method = MethodNotes::default();
    (lower(head, Place::Method, &mut method, report), method)
}

fn lower(head: &Head, place: Place, method: &mut MethodNotes, report: &mut Report) -> Notes {
    let mut notes = Notes { doc: head.doc.clone(), ..Notes::default() };
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for annotation in &head.annotations {
        let name = annotation.name.text.as_str();
        if is_second(&mut seen, annotation, report) {
            continue;
        }
        match name {
            "Deprecated" if place == Place::Parameter => misplaced(annotation, place, report),
            "Idempotent" | "XmlResponse" | "XmlResult" if place != Place::Method => {
                misplaced(annotation, place, report)
            }
            "Secret" if !matches!(place, Place::Field | Place::Member) => {
                misplaced(annotation, place, report)
            }
            "Deprecated" => notes.deprecated = deprecated(annotation, report),
            "Idempotent" => method.idempotent = marked(annotation, report),
            "Secret" => notes.secret = marked(annotation, report),
            "Name" => {
                notes.targets = target_names(annotation, &annotation.arguments, identifier_problem, report)
            }
            "Xml" => {
                notes.xml = Some(Box::new(lower_xml(annotation, place.xml(), report)));
                notes.annotations.push(kept(annotation, report));
            }
            "XmlResponse" => {
                method.response = Some(Box::new(lower_xml(annotation, XmlPlace::Response, report)));
                notes.annotations.push(kept(annotation, report));
            }
            "XmlResult" => {
                method.result = Some(Box::new(lower_xml(annotation, XmlPlace::Result, report)));
                notes.annotations.push(kept(annotation, report));
            }
            _ => notes.annotations.push(unknown(annotation, &KNOWN, report)),
        }
    }
    notes
}

fn misplaced(annotation: &creo_syntax::Annotation, place: Place, report: &mut Report) {
    let name = &annotation.name;
    report.add(&MisplacedAnnotation { span: name.span, name: name.text.clone(), on: place.words() });
}

/// The packages of all files, sorted by name, and the name of each file's package.
pub fn lower_packages(files: &[File], report: &mut Report) -> (Vec<Package>, Vec<String>) {
    let mut packages: BTreeMap<String, Gathered> = BTreeMap::new();
    let mut names = Vec::new();
    for file in files {
        let notes = file_notes(file, report);
        let name = notes.name.unwrap_or_else(|| DEFAULT_PACKAGE.to_owned());
        let package = packages.entry(name.clone()).or_default();
        for (target, value, span) in notes.targets {
            match package.targets.get(&target) {
                Some((other, first)) if *other != value => {
                    report.add(&disagree(span, *first, &format!("the package's name in {target}")))
                }
                Some(_) => {}
                None => {
                    package.targets.insert(target, (value, span));
                }
            }
        }
        if let Some((value, span)) = notes.namespace {
            match &package.namespace {
                Some((other, first)) if *other != value => {
                    report.add(&disagree(span, *first, "the package's namespace"))
                }
                Some(_) => {}
                None => package.namespace = Some((value, span)),
            }
        }
        package.annotations.extend(notes.annotations);
        names.push(name);
    }
    let packages = packages
        .into_iter()
        .map(|(name, gathered)| Package {
            namespace: gathered.namespace.map_or_else(|| format!("urn:creo:{name}"), |(value, _)| value),
            targets: gathered.targets.into_iter().map(|(target, (value, _))| (target, value)).collect(),
            annotations: gathered.annotations,
            place: None,
            name,
        })
        .collect();
    (packages, names)
}

/// The annotations of a package from all its files.
#[derive(Default)]
struct Gathered {
    targets: BTreeMap<String, (String, Span)>,
    namespace: Option<(String, Span)>,
    annotations: Vec<Annotation>,
}

/// The annotations of a package in one file.
#[derive(Default)]
struct FileNotes {
    name: Option<String>,
    targets: Vec<(String, String, Span)>,
    namespace: Option<(String, Span)>,
    annotations: Vec<Annotation>,
}

fn file_notes(file: &File, report: &mut Report) -> FileNotes {
    let mut notes = FileNotes::default();
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for annotation in &file.tree.notes {
        if is_second(&mut seen, annotation, report) {
            continue;
        }
        match annotation.name.text.as_str() {
            "PACKAGE" => package(annotation, &mut notes, report),
            "NAMESPACE" => notes.namespace = namespace(annotation, report),
            _ => notes.annotations.push(unknown(annotation, &["PACKAGE", "NAMESPACE"], report)),
        }
    }
    notes
}

fn is_second<'t>(
    seen: &mut BTreeMap<&'t str, Span>,
    annotation: &'t creo_syntax::Annotation,
    report: &mut Report,
) -> bool {
    let name = &annotation.name;
    match seen.get(name.text.as_str()) {
        Some(first) => {
            report.add(&DuplicateAnnotation { span: name.span, first: *first, name: name.text.clone() });
            true
        }
        None => {
            seen.insert(&name.text, name.span);
            false
        }
    }
}

fn disagree(span: Span, first: Span, what: &str) -> InvalidAnnotation {
    InvalidAnnotation {
        span,
        message: format!("{what} is said to be something else before"),
        first: Some(first),
        help: None,
    }
}

fn wrong(span: Span, message: impl Into<String>, help: &str) -> InvalidAnnotation {
    InvalidAnnotation { span, message: message.into(), first: None, help: Some(help.to_owned()) }
}

/// `@PACKAGE("name", target = "name")`
fn package(annotation: &creo_syntax::Annotation, notes: &mut FileNotes, report: &mut Report) {
    const HELP: &str = "write `@PACKAGE(\"org.example.data\")`";
    match annotation.arguments.first() {
        Some(Argument { name: None, value }) => match &value.kind {
            LiteralKind::String(text) => match package_problem(text) {
                None => notes.name = Some(text.clone()),
                Some(problem) => report.add(&wrong(
                    value.span,
                    problem,
                    "a package's name is made of names joined by dots",
                )),
            },
            LiteralKind::Unknown => {}
            LiteralKind::Character(_)
            | LiteralKind::Integer(_)
            | LiteralKind::Decimal(_)
            | LiteralKind::Word(_)
            | LiteralKind::Empty => report.add(&wrong(
                value.span,
                format!("the package's name is a string, and this is {}", value.describe()),
                HELP,
            )),
        },
        Some(Argument { value, .. }) => {
            report.add(&wrong(value.span, "the package's name comes first", HELP))
        }
        None if annotation.is_lossy => {}
        None => report.add(&wrong(annotation.span, "the package's name is missing", HELP)),
    }
    let others = annotation.arguments.get(1..).unwrap_or(&[]);
    for argument in others {
        if let Some((target, value)) = target_name(argument, package_problem, report) {
            match notes.targets.iter().find(|(known, _, _)| *known == target) {
                Some((_, _, first)) => report.add(&twice(argument, *first)),
                None => notes.targets.push((target, value, argument.value.span)),
            }
        }
    }
}

/// `@NAMESPACE("uri")`
fn namespace(annotation: &creo_syntax::Annotation, report: &mut Report) -> Option<(String, Span)> {
    const HELP: &str = "write `@NAMESPACE(\"http://example.org/data\")`";
    if annotation.is_lossy {
        return None;
    }
    let [Argument { name: None, value }] = annotation.arguments.as_slice() else {
        report.add(&wrong(annotation.span, "`@NAMESPACE` has one argument, a URI", HELP));
        return None;
    };
    match &value.kind {
        LiteralKind::String(text) if text.is_empty() => {
            report.add(&wrong(value.span, "this namespace is empty", HELP));
            None
        }
        LiteralKind::String(text) => match namespace_text_problem(text) {
            None => Some((text.clone(), value.span)),
            Some(problem) => {
                report.add(&wrong(value.span, problem, HELP));
                None
            }
        },
        LiteralKind::Unknown => None,
        LiteralKind::Character(_)
        | LiteralKind::Integer(_)
        | LiteralKind::Decimal(_)
        | LiteralKind::Word(_)
        | LiteralKind::Empty => {
            report.add(&wrong(
                value.span,
                format!("the namespace is a string, and this is {}", value.describe()),
                HELP,
            ));
            None
        }
    }
}

/// `@Deprecated`, `@Deprecated("text")`
fn deprecated(annotation: &creo_syntax::Annotation, report: &mut Report) -> Option<String> {
    match annotation.arguments.as_slice() {
        [] => Some(String::new()),
        [Argument { name: None, value: Literal { kind: LiteralKind::String(text), .. } }] => {
            Some(text.clone())
        }
        [Argument { name: None, value: Literal { kind: LiteralKind::Unknown, .. } }] => None,
        _ if annotation.is_lossy => None,
        [first, ..] => {
            report.add(&wrong(
                first.value.span,
                "`@Deprecated` has at most one argument, a string",
                "write `@Deprecated(\"use the other\")`",
            ));
            None
        }
    }
}

/// `@Idempotent`, `@Secret`
fn marked(annotation: &creo_syntax::Annotation, report: &mut Report) -> bool {
    if let [first, ..] = annotation.arguments.as_slice() {
        let name = &annotation.name.text;
        report.add(&wrong(first.value.span, format!("`@{name}` has no arguments"), "remove the arguments"));
    }
    true
}

/// `@Name(target = "name")`
fn target_names(
    annotation: &creo_syntax::Annotation,
    arguments: &[Argument],
    problem: fn(&str) -> Option<&'static str>,
    report: &mut Report,
) -> TargetNames {
    let mut names: BTreeMap<String, (String, Span)> = BTreeMap::new();
    if arguments.is_empty() && !annotation.is_lossy {
        report.add(&wrong(
            annotation.span,
            "`@Name` says a name for at least one target",
            "write `@Name(java = \"name\")`",
        ));
    }
    for argument in arguments {
        if let Some((target, value)) = target_name(argument, problem, report) {
            match names.get(&target) {
                Some((_, first)) => report.add(&twice(argument, *first)),
                None => {
                    names.insert(target, (value, argument.value.span));
                }
            }
        }
    }
    names.into_iter().map(|(target, (value, _))| (target, value)).collect()
}

fn twice(argument: &Argument, first: Span) -> InvalidAnnotation {
    let span = argument.name.as_ref().map_or(argument.value.span, |name| name.span);
    InvalidAnnotation {
        span,
        message: "this target has a name already".into(),
        first: Some(first),
        help: None,
    }
}

/// `target = "name"`. The name goes into generated code, so the rules for names apply.
fn target_name(
    argument: &Argument,
    problem: fn(&str) -> Option<&'static str>,
    report: &mut Report,
) -> Option<(String, String)> {
    let Some(target) = &argument.name else {
        report.add(&wrong(argument.value.span, "it is not said for which target", "write `java = \"name\"`"));
        return None;
    };
    if !TARGETS.contains(&target.text.as_str()) {
        // It may be that of a program `creo-gen-NAME`, which gets it in the model's JSON.
        report.add(&UnknownTarget {
            span: target.span,
            name: target.text.clone(),
            nearest: Nearest::new().find_plain(&target.text, &TARGETS),
        });
    }
    match &argument.value.kind {
        LiteralKind::String(text) => match problem(text) {
            None => Some((target.text.clone(), text.clone())),
            Some(problem) => {
                report.add(&wrong(
                    argument.value.span,
                    problem,
                    "names are made of the letters A to Z and a to z, digits and `_`",
                ));
                None
            }
        },
        LiteralKind::Unknown => None,
        LiteralKind::Character(_)
        | LiteralKind::Integer(_)
        | LiteralKind::Decimal(_)
        | LiteralKind::Word(_)
        | LiteralKind::Empty => {
            let message = format!("a target's name is a string, and this is {}", argument.value.describe());
            report.add(&wrong(argument.value.span, message, "put it between double quotes"));
            None
        }
    }
}

/// LANG-3: why a text is not a name.
fn identifier_problem(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        Some("this name is empty")
    } else if !text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        Some("this name holds something else than letters, digits and `_`")
    } else if text.as_bytes()[0].is_ascii_digit() {
        Some("this name starts with a digit")
    } else if text.len() > creo_syntax::MAX_NAME_LENGTH {
        Some("this name has more than 128 characters")
    } else if is_reserved_prefix(text) {
        Some("this name starts with `creo_`, which generated code uses for its own")
    } else {
        None
    }
}

/// LANG-16: why a text is not a dotted name.
pub fn package_problem(text: &str) -> Option<&'static str> {
    match text.split('.').find_map(identifier_problem) {
        _ if text.len() > 1_024 => Some("this name has more than 1024 characters"),
        Some("this name is empty") if !text.is_empty() => Some("a part of this name is empty"),
        problem => problem,
    }
}

/// LANG-3.
pub fn is_reserved_prefix(name: &str) -> bool {
    name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("creo_"))
}

fn unknown(annotation: &creo_syntax::Annotation, known: &[&str], report: &mut Report) -> Annotation {
    let name = &annotation.name;
    let nearest = Nearest::new().find_plain(&name.text, known);
    report.add(&UnknownAnnotation { span: name.span, name: name.text.clone(), nearest });
    kept(annotation, report)
}

/// The annotation in the form of the model.
fn kept(annotation: &creo_syntax::Annotation, report: &mut Report) -> Annotation {
    let name = &annotation.name;
    let arguments = annotation
        .arguments
        .iter()
        .filter_map(|argument| {
            Some(AnnotationArgument {
                name: argument.name.as_ref().map(|name| name.text.clone()),
                value: value(&argument.value, report)?,
            })
        })
        .collect();
    Annotation { name: name.text.clone(), arguments }
}

fn value(literal: &Literal, report: &mut Report) -> Option<AnnotationValue> {
    Some(match &literal.kind {
        LiteralKind::String(text) => AnnotationValue::String(text.clone()),
        LiteralKind::Character(unit) => AnnotationValue::String(String::from_utf16_lossy(&[*unit])),
        LiteralKind::Integer(text) => {
            match crate::literal::integer(text).and_then(|value| i64::try_from(value).ok()) {
                Some(value) => AnnotationValue::Integer(value),
                None => {
                    report.add(&wrong(
                        literal.span,
                        "this number does not fit into 64 bits",
                        "write it as a string",
                    ));
                    return None;
                }
            }
        }
        LiteralKind::Decimal(text) => match text.parse::<f64>() {
            Ok(value) if value.is_finite() || text == "-Infinity" => AnnotationValue::Number(value),
            _ => {
                report.add(&wrong(literal.span, "this number is too large", "write it as a string"));
                return None;
            }
        },
        LiteralKind::Word(word) => match word.as_str() {
            "true" => AnnotationValue::Boolean(true),
            "false" => AnnotationValue::Boolean(false),
            "NaN" => AnnotationValue::Number(f64::NAN),
            "Infinity" => AnnotationValue::Number(f64::INFINITY),
            _ => AnnotationValue::Word(word.clone()),
        },
        LiteralKind::Empty => AnnotationValue::Empty,
        LiteralKind::Unknown => return None,
    })
}
