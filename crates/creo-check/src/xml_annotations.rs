//! Annotations about XML.
//!
//! Each argument is checked separately: whether it is known, allowed here, and has a possible value. `check` tests whether it fits the type
//! and the other arguments.

use crate::mistakes::InvalidAnnotation;
use creo_diag::{Report, Span};
use creo_model::{
    BYTES_TYPES, DECIMAL_TYPES, INT_TYPES, LONG_TYPES, SHORT_TYPES, STRING_TYPES, XML_NAMESPACE, Xml, XmlWord,
};
use creo_syntax::{Annotation, Argument, LiteralKind};
use std::collections::BTreeMap;

/// The namespaces of XML itself and of XML Schema instances, which descriptions must not use.
const RESERVED_NAMESPACES: [&str; 2] =
    ["http://www.w3.org/2000/xmlns/", "http://www.w3.org/2001/XMLSchema-instance"];

/// The max size of a local name: a prefix must fit as well (LIM-22).
const LARGEST_NAME: usize = 1_000;

/// The max size of a namespace, an action, and a constant's text.
const LARGEST_TEXT: usize = 2_048;

/// The construct with an XML annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XmlPlace {
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
    /// `@XmlResponse`
    Response,
    /// `@XmlResult`
    Result,
}

impl XmlPlace {
    /// The allowed arguments (XML-30, XML-39).
    fn arguments(self) -> &'static [&'static str] {
        match self {
            XmlPlace::Struct => &["name", "namespace", "unqualified", "parts"],
            XmlPlace::Exception => &["name", "namespace", "unqualified"],
            XmlPlace::Enum => &["name", "namespace"],
            XmlPlace::Union => &["name", "namespace", "unqualified", "derived"],
            XmlPlace::Interface => &["namespace", "soap12", "encoded", "addressing"],
            XmlPlace::Field => &[
                "name",
                "namespace",
                "attribute",
                "text",
                "list",
                "nillable",
                "inline",
                "any",
                "raw",
                "anyAttribute",
                "type",
                "header",
            ],
            XmlPlace::Constant => &["name"],
            XmlPlace::Member => &["name", "namespace", "nillable", "inline", "base", "type"],
            XmlPlace::Method => &["name", "namespace", "unqualified", "bare", "action"],
            XmlPlace::Parameter => &[
                "name",
                "namespace",
                "list",
                "nillable",
                "inline",
                "any",
                "raw",
                "anyAttribute",
                "type",
                "header",
            ],
            XmlPlace::Response => &["name", "namespace", "bare"],
            XmlPlace::Result => &["name", "namespace", "nillable", "list", "raw", "inline", "type"],
        }
    }

    fn words(self) -> &'static str {
        match self {
            XmlPlace::Struct => "a struct",
            XmlPlace::Exception => "an exception",
            XmlPlace::Enum => "an enum",
            XmlPlace::Union => "a union",
            XmlPlace::Interface => "an interface",
            XmlPlace::Field => "a field",
            XmlPlace::Constant => "a constant",
            XmlPlace::Member => "a member of a union",
            XmlPlace::Method => "a method",
            XmlPlace::Parameter => "a parameter",
            XmlPlace::Response => "a response",
            XmlPlace::Result => "a result",
        }
    }
}

fn schema_type(text: &str) -> Option<&'static str> {
    let all = [STRING_TYPES.as_slice(), &BYTES_TYPES, &DECIMAL_TYPES, &LONG_TYPES, &INT_TYPES, &SHORT_TYPES];
    all.into_iter().flatten().copied().find(|name| *name == text)
}

/// Reads an XML annotation.
pub fn lower_xml(annotation: &Annotation, place: XmlPlace, report: &mut Report) -> Xml {
    let mut xml = Xml::default();
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    if annotation.arguments.is_empty() && !annotation.is_lossy {
        let help = format!("on {} it takes {}", place.words(), list(place.arguments()));
        report.add(&wrong(annotation.span, format!("`@{}` says nothing", annotation.name.text), Some(help)));
    }
    for argument in &annotation.arguments {
        let Some((word, span)) = argument_name(argument, place, report) else { continue };
        if !place.arguments().contains(&word) {
            let help =
                format!("on {} `@{}` takes {}", place.words(), annotation.name.text, list(place.arguments()));
            if is_known(word) {
                report.add(&wrong(
                    span,
                    format!("`{word}` does not belong on {}", place.words()),
                    Some(help),
                ));
            } else {
                let nearest = crate::nearest::Nearest::new().find_plain(word, place.arguments());
                let help = nearest.map_or(help, |nearest| format!("did you mean `{nearest}`?"));
                report.add(&wrong(span, format!("`{word}` says nothing about XML"), Some(help)));
            }
            continue;
        }
        if let Some(first) = seen.get(word) {
            report.add(&InvalidAnnotation {
                span,
                message: format!("`{word}` is said twice"),
                first: Some(*first),
                help: Some("leave one out".into()),
            });
            continue;
        }
        seen.insert(word, span);
        match XmlWord::ALL.into_iter().find(|known| known.word() == word) {
            Some(known) => xml.add(known),
            None => value(word, argument, place, &mut xml, report),
        }
    }
    xml
}

fn list(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn wrong(span: Span, message: String, help: Option<String>) -> InvalidAnnotation {
    InvalidAnnotation { span, message, first: None, help }
}

const VALUES: [&str; 4] = ["name", "namespace", "action", "type"];

fn is_known(word: &str) -> bool {
    VALUES.contains(&word) || XmlWord::ALL.iter().any(|known| known.word() == word)
}

/// The word of an argument, or the name before its string. Nothing after a reported error.
fn argument_name<'t>(
    argument: &'t Argument,
    place: XmlPlace,
    report: &mut Report,
) -> Option<(&'t str, Span)> {
    let span = argument.value.span;
    match (&argument.name, &argument.value.kind) {
        (_, LiteralKind::Unknown) => None,
        (None, LiteralKind::Word(word))
            if VALUES.contains(&word.as_str()) && place.arguments().contains(&word.as_str()) =>
        {
            report.add(&wrong(
                span,
                format!("`{word}` needs a value"),
                Some(format!("write `{word} = \"..\"`")),
            ));
            None
        }
        (None, LiteralKind::Word(word)) => Some((word, span)),
        (None, _) => {
            let message =
                format!("an argument is a word or a named string, and this is {}", argument.value.describe());
            report.add(&wrong(span, message, Some("write `@Xml(attribute, name = \"lang\")`".into())));
            None
        }
        (Some(name), kind) => {
            if XmlWord::ALL.iter().any(|known| known.word() == name.text) {
                report.add(&wrong(
                    name.span.to(span),
                    format!("`{}` has no value", name.text),
                    Some(format!("write `{}` alone", name.text)),
                ));
                return None;
            }
            if !matches!(kind, LiteralKind::String(_)) && VALUES.contains(&name.text.as_str()) {
                let message = format!(
                    "the value of `{}` is a string, and this is {}",
                    name.text,
                    argument.value.describe()
                );
                report.add(&wrong(span, message, Some("put it between double quotes".into())));
                return None;
            }
            Some((&name.text, name.span))
        }
    }
}

/// `name = "x"` etc.
fn value(word: &str, argument: &Argument, place: XmlPlace, xml: &mut Xml, report: &mut Report) {
    let LiteralKind::String(text) = &argument.value.kind else { return };
    let problem = match word {
        "name" if place == XmlPlace::Constant => constant_problem(text),
        "name" => name_problem(text).map(|problem| {
            (
                problem,
                "a name starts with a letter or `_`, and holds letters, digits, `-`, `_` and `.`".into(),
            )
        }),
        "namespace" => namespace_problem(text, place),
        "action" => action_problem(text),
        _ if schema_type(text).is_none() => {
            let help = "XML Schema types that may be named here are those of XML-38, such as `date`, `token` or `hexBinary`";
            Some((format!("`{text}` is not a type that a text may have"), help.into()))
        }
        _ => None,
    };
    if let Some((message, help)) = problem {
        report.add(&wrong(argument.value.span, message, Some(help)));
        return;
    }
    match word {
        "name" => xml.name = Some(text.clone()),
        "namespace" => xml.namespace = Some(text.clone()),
        "action" => xml.action = Some(text.clone()),
        _ => xml.schema_type = schema_type(text),
    }
}

/// The position of an argument; the whole annotation if it is absent.
pub fn argument_span(annotation: &Annotation, word: &str) -> Span {
    let found =
        annotation.arguments.iter().find_map(|argument| match (&argument.name, &argument.value.kind) {
            (Some(name), _) if name.text == word => Some(name.span.to(argument.value.span)),
            (None, LiteralKind::Word(text)) if text == word => Some(argument.value.span),
            _ => None,
        });
    found.unwrap_or(annotation.span)
}

/// Why a text is not an NCName.
fn name_problem(text: &str) -> Option<String> {
    let mut chars = text.chars();
    match chars.next() {
        None => return Some("this name is empty".into()),
        Some(c) if !is_name_start(c) => return Some("a name of XML does not start like this".into()),
        Some(_) => {}
    }
    if text.contains(':') {
        return Some("this name holds a colon: the namespace is said apart from it".into());
    }
    if !chars.all(is_name_char) {
        return Some("this is not a name of XML".into());
    }
    (text.len() > LARGEST_NAME).then(|| format!("this name has more than {LARGEST_NAME} bytes"))
}

/// NameStartChar of XML 1.0 (fifth edition), without the colon.
fn is_name_start(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// NameChar of XML 1.0 (fifth edition), without the colon.
fn is_name_char(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// A character that is not allowed in URIs, and so not in actions.
fn is_out_of_uri(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`' | '\u{FFFE}' | '\u{FFFF}')
}

/// Whether a namespace belongs to XML itself.
fn is_reserved_namespace(text: &str) -> bool {
    text == XML_NAMESPACE || RESERVED_NAMESPACES.contains(&text)
}

/// Why a text is not allowed as a namespace. Namespaces are compared as strings and need not be URIs.
pub fn namespace_text_problem(text: &str) -> Option<String> {
    let not_in_one = |c: &char| {
        c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '\u{FFFE}' | '\u{FFFF}')
    };
    if let Some(c) = text.chars().find(not_in_one) {
        Some(format!("a namespace does not hold {}", char_words(c)))
    } else if text.len() > LARGEST_TEXT {
        Some(format!("this namespace has more than {LARGEST_TEXT} bytes"))
    } else {
        is_reserved_namespace(text).then(|| "this namespace belongs to XML itself".into())
    }
}

fn namespace_problem(text: &str, place: XmlPlace) -> Option<(String, String)> {
    const HELP: &str =
        "a namespace looks like `http://example.org/data` or `urn:example:data`; `\"\"` is none";
    if text == XML_NAMESPACE && place == XmlPlace::Field {
        return None;
    }
    let problem = namespace_text_problem(text)?;
    if !is_reserved_namespace(text) {
        Some((problem, HELP.into()))
    } else {
        Some((problem, "attributes alone may be in that of `xml:lang`, and nothing in the others".into()))
    }
}

/// An action is written in an HTTP header, in double quotes.
fn action_problem(text: &str) -> Option<(String, String)> {
    const HELP: &str = "an action looks like `http://example.org/data/retrieve`; characters beyond ASCII are written as `%C3%A9`";
    if let Some(c) = text.chars().find(|c| is_out_of_uri(*c) || !c.is_ascii()) {
        Some((format!("an action does not hold {}", char_words(c)), HELP.into()))
    } else {
        (text.len() > LARGEST_TEXT)
            .then(|| (format!("this action has more than {LARGEST_TEXT} bytes"), HELP.into()))
    }
}

/// XML-12, and XML-10: surrounding white space would be lost when the text is read.
fn constant_problem(text: &str) -> Option<(String, String)> {
    const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
    if let Some(c) = text.chars().find(
        |c| matches!(c, '\u{0}'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}'),
    ) {
        Some((format!("XML cannot hold {}", char_words(c)), "leave it out".into()))
    } else if text.starts_with(SPACE) || text.ends_with(SPACE) {
        Some(("a constant's text neither starts nor ends with white space".into(), "readers skip it".into()))
    } else {
        (text.len() > LARGEST_TEXT)
            .then(|| (format!("this text has more than {LARGEST_TEXT} bytes"), "shorten it".into()))
    }
}

fn char_words(c: char) -> String {
    if c.is_control() || c.is_whitespace() || c == '\u{FFFE}' || c == '\u{FFFF}' {
        format!("U+{:04X}", u32::from(c))
    } else {
        format!("`{c}`")
    }
}
