//! Checks that the XML annotations of a description fit the types and are consistent (XML-30 to XML-39).

use crate::mistakes::XmlConflict;
use crate::resolve::{Resolved, is_void};
use crate::scope::UNKNOWN;
use crate::xml_annotations::argument_span;
use creo_diag::{Report, Span};
use creo_model::{BYTES_TYPES, DECIMAL_TYPES, INT_TYPES, LONG_TYPES, SHORT_TYPES, STRING_TYPES};
use creo_model::{Field, Method, Model, Primitive, Type, TypeId, TypeKind, XML_NAMESPACE, Xml, XmlWord};
use creo_syntax::{Annotation, DeclarationKind, Head};
use std::collections::BTreeMap;

/// The attributes of XML itself.
const XML_ATTRIBUTES: [&str; 4] = ["lang", "space", "base", "id"];

/// XML-30 to XML-39, each declaration separately.
pub fn facts(resolved: &Resolved, report: &mut Report) {
    let model = &resolved.model;
    for (decl, tree) in model.types.iter().zip(&resolved.types) {
        match (&decl.kind, &tree.kind) {
            (TypeKind::Struct(fields), DeclarationKind::Struct(trees))
            | (TypeKind::Exception(fields), DeclarationKind::Exception(trees)) => {
                let said: Vec<Said> =
                    fields.iter().zip(trees).map(|(field, tree)| Said::field(field, tree)).collect();
                said.iter().for_each(|said| value(model, said, "field", report));
                record(&said, report);
            }
            (TypeKind::Union(members), DeclarationKind::Union(trees)) => {
                let said: Vec<Said> =
                    members.iter().zip(trees).map(|(field, tree)| Said::field(field, tree)).collect();
                said.iter().for_each(|said| value(model, said, "member", report));
                union(model, decl.notes.xml().has(XmlWord::Derived), &tree.head, &said, report);
            }
            (TypeKind::Enum(constants), DeclarationKind::Enum(trees)) => {
                let texts = constants.iter().zip(trees).map(|(constant, tree)| {
                    let xml = constant.notes.xml();
                    let span =
                        if xml.name.is_some() { span_of(&tree.head, "Xml", "name") } else { tree.name.span };
                    (xml.name.as_ref().unwrap_or(&constant.name).as_str(), span, xml.name.is_some())
                });
                constant_texts(texts, decl.extensible, report);
            }
            (TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) | TypeKind::Enum(_), _) => {}
        }
    }
    for (interface, tree) in model.interfaces.iter().zip(&resolved.interfaces) {
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        interface.methods.iter().zip(trees).for_each(|(decl, tree)| method(model, decl, tree, report));
    }
}

/// A field, member, parameter or result with its annotations.
struct Said<'a> {
    xml: &'a Xml,
    ty: &'a Type,
    /// The declaration with the annotation.
    head: &'a Head,
    annotation: &'static str,
    text: &'a str,
    name: Span,
}

impl<'a> Said<'a> {
    fn field(field: &'a Field, tree: &'a creo_syntax::Field) -> Said<'a> {
        Said {
            xml: field.notes.xml(),
            ty: &field.ty,
            head: &tree.head,
            annotation: "Xml",
            text: &field.name,
            name: tree.name.span,
        }
    }

    fn has(&self, word: XmlWord) -> bool {
        self.xml.has(word)
    }

    /// The position of an argument.
    fn at(&self, word: &str) -> Span {
        span_of(self.head, self.annotation, word)
    }

    /// Whether it is an element, or content of elements.
    fn has_elements(&self) -> bool {
        ![XmlWord::Attribute, XmlWord::Text, XmlWord::AnyAttribute].into_iter().any(|word| self.has(word))
    }
}

/// The position of an argument in the named annotation of a head.
pub fn span_of(head: &Head, annotation: &str, word: &str) -> Span {
    let found = annotation_of(head, annotation);
    argument_span(found.expect("what is said stands in an annotation"), word)
}

fn annotation_of<'t>(head: &'t Head, name: &str) -> Option<&'t Annotation> {
    head.annotations.iter().find(|annotation| annotation.name.text == name)
}

fn conflict(span: Span, message: impl Into<String>, help: &str) -> XmlConflict {
    XmlConflict { span, message: message.into(), other: None, help: Some(help.to_owned()) }
}

/// Contradictory arguments: the first with any of the others.
const CONTRADICTIONS: [(&str, &[&str]); 7] = [
    ("attribute", &["text", "inline", "any", "raw", "anyAttribute", "nillable", "header"]),
    ("text", &["inline", "any", "raw", "anyAttribute", "name", "namespace", "header"]),
    (
        "inline",
        &["any", "raw", "anyAttribute", "list", "nillable", "type", "name", "namespace", "header", "base"],
    ),
    ("any", &["raw", "anyAttribute", "list", "nillable", "type", "name", "namespace", "header"]),
    ("raw", &["anyAttribute", "list", "nillable", "type"]),
    ("anyAttribute", &["list", "nillable", "type", "name", "namespace", "header"]),
    ("base", &["name", "namespace", "nillable", "type"]),
];

fn says(xml: &Xml, word: &str) -> bool {
    match word {
        "name" => xml.name.is_some(),
        "namespace" => xml.namespace.is_some(),
        "type" => xml.schema_type.is_some(),
        _ => xml.words().iter().any(|known| known.word() == word),
    }
}

/// The annotations of one field, member, parameter or result.
fn value(model: &Model, said: &Said, noun: &str, report: &mut Report) {
    for (word, others) in CONTRADICTIONS.into_iter().filter(|(word, _)| says(said.xml, word)) {
        if let Some(other) = others.iter().find(|other| says(said.xml, other)) {
            let why = match *other {
                "name" | "namespace" => format!("what is `{word}` has no name of its own"),
                _ => format!("`{word}` and `{other}` contradict each other"),
            };
            let place = Some((said.at(word), format!("`{word}` is said here")));
            report.add(&XmlConflict {
                span: said.at(other),
                message: why,
                other: place,
                help: Some("leave one out".into()),
            });
            return;
        }
    }
    if said.xml.namespace.as_deref() == Some(XML_NAMESPACE) {
        let is_known = XML_ATTRIBUTES.contains(&said.xml.name.as_deref().unwrap_or(said.text));
        if !said.has(XmlWord::Attribute) || !is_known {
            let message =
                "in this namespace are the attributes `lang`, `space`, `base` and `id` of XML alone";
            report.add(&conflict(
                said.at("namespace"),
                message,
                "write `@Xml(attribute, name = \"lang\", namespace = \"..\")`",
            ));
        }
    }
    if !is_known(said.ty) {
        return;
    }
    let (item, _) = strip_optional(said.ty);
    for word in said.xml.words() {
        let fits = match word {
            XmlWord::Attribute | XmlWord::Text => is_simple(model, said),
            XmlWord::List => {
                matches!(item, Type::Array(item) if matches!(**item, Type::Primitive(_) | Type::Bytes) || is_enum(model, item))
            }
            XmlWord::Nillable => {
                matches!(said.ty, Type::Optional(_))
                    || matches!(said.ty, Type::Array(item) if matches!(**item, Type::Optional(_)))
            }
            XmlWord::Inline => may_be_inline(model, said.ty, noun),
            XmlWord::Any | XmlWord::Raw => match said.ty {
                Type::Array(item) | Type::Optional(item) => **item == STRING,
                Type::Primitive(_) | Type::Bytes | Type::Map(..) | Type::Named(_) => *said.ty == STRING,
            },
            XmlWord::AnyAttribute => {
                matches!(said.ty, Type::Map(key, value) if **key == STRING && **value == STRING)
            }
            XmlWord::Unqualified
            | XmlWord::Derived
            | XmlWord::Base
            | XmlWord::Header
            | XmlWord::Parts
            | XmlWord::Bare
            | XmlWord::Soap12
            | XmlWord::Encoded
            | XmlWord::Addressing => true,
        };
        if !fits {
            let (message, help) = misfit(*word, noun);
            report.add(&conflict(said.at(word.word()), message, help));
        }
    }
    if let Some(name) = said.xml.schema_type
        && let Some(allowed) = misfit_type(name, said.ty)
    {
        let help = if allowed.is_empty() {
            "types of XML Schema are given to `String`, `byte[]`, `Decimal`, `long`, `int` and `short`"
                .to_owned()
        } else {
            format!("it takes `{}`", allowed.join("`, `"))
        };
        report.add(&XmlConflict {
            span: said.at("type"),
            message: format!("`{name}` does not fit the type of this {noun}"),
            other: None,
            help: Some(help),
        });
    }
}

const STRING: Type = Type::Primitive(Primitive::String);

/// The message for a word that does not fit the type.
fn misfit(word: XmlWord, noun: &str) -> (String, &'static str) {
    match word {
        XmlWord::Attribute => (
            format!("the type of this {noun} is not that of an attribute"),
            "an attribute is a primitive, an enum, `byte[]`, an optional of these, or an array with `list`",
        ),
        XmlWord::Text => (
            format!("the type of this {noun} is not that of a text"),
            "a text is a primitive, an enum, `byte[]`, an optional of these, or an array with `list`",
        ),
        XmlWord::List => (
            format!("the type of this {noun} is not that of a list"),
            "a list is an array of primitives, enums or `byte[]`: `int[]`",
        ),
        XmlWord::Nillable => (format!("this {noun} is never nothing"), "make its type optional: `String?`"),
        XmlWord::Inline if noun == "member" => (
            "the type of this member has no content that could be inline".to_owned(),
            "inline are structs and unions that are not `derived`, and arrays of these; a member is always there, so it is no optional",
        ),
        XmlWord::Inline => (
            format!("the type of this {noun} has no content that could be inline"),
            "inline are structs and unions that are not `derived`, and optionals and arrays of these",
        ),
        XmlWord::Any => (
            format!("the type of this {noun} does not hold any element"),
            "what is `any` is a `String`, `String?` or `String[]`",
        ),
        XmlWord::Raw => (
            format!("the type of this {noun} does not hold an element"),
            "what is `raw` is a `String`, `String?` or `String[]`",
        ),
        XmlWord::AnyAttribute => (
            format!("the type of this {noun} does not hold attributes"),
            "what is `anyAttribute` is a `Map<String, String>`",
        ),
        XmlWord::Unqualified
        | XmlWord::Derived
        | XmlWord::Base
        | XmlWord::Header
        | XmlWord::Parts
        | XmlWord::Bare
        | XmlWord::Soap12
        | XmlWord::Encoded
        | XmlWord::Addressing => (format!("`{}` does not fit this {noun}", word.word()), "leave it out"),
    }
}

/// Whether all names in a type are known.
fn is_known(ty: &Type) -> bool {
    match ty {
        Type::Primitive(_) | Type::Bytes => true,
        Type::Array(item) | Type::Optional(item) => is_known(item),
        Type::Map(key, value) => is_known(key) && is_known(value),
        Type::Named(id) => *id != UNKNOWN,
    }
}

fn strip_optional(ty: &Type) -> (&Type, bool) {
    match ty {
        Type::Optional(item) => (item, true),
        Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Map(..) | Type::Named(_) => (ty, false),
    }
}

fn is_enum(model: &Model, ty: &Type) -> bool {
    matches!(ty, Type::Named(id) if matches!(model.ty(*id).kind, TypeKind::Enum(_)))
}

/// XML-31.
fn is_simple(model: &Model, said: &Said) -> bool {
    match strip_optional(said.ty).0 {
        Type::Primitive(_) | Type::Bytes => true,
        // Its items are checked with `list` itself.
        Type::Array(_) => said.has(XmlWord::List),
        ty @ Type::Named(_) => is_enum(model, ty),
        Type::Map(..) | Type::Optional(_) => false,
    }
}

/// XML-35.
fn may_be_inline(model: &Model, ty: &Type, noun: &str) -> bool {
    let item = match ty {
        Type::Array(item) => item,
        Type::Optional(item) if noun != "member" => item,
        Type::Primitive(_) | Type::Bytes | Type::Optional(_) | Type::Map(..) | Type::Named(_) => ty,
    };
    let Type::Named(id) = item else { return false };
    let decl = model.ty(*id);
    match decl.kind {
        TypeKind::Struct(_) => true,
        TypeKind::Union(_) => !decl.notes.xml().has(XmlWord::Derived),
        TypeKind::Enum(_) | TypeKind::Exception(_) => false,
    }
}

/// XML-38: the XML Schema types that would fit instead; nothing if the named one does.
fn misfit_type(name: &str, ty: &Type) -> Option<&'static [&'static str]> {
    let mut item = ty;
    while let Type::Optional(inner) | Type::Array(inner) = item {
        item = inner;
    }
    let allowed: &'static [&'static str] = match item {
        Type::Bytes => &BYTES_TYPES,
        Type::Primitive(primitive) => match primitive {
            Primitive::String => &STRING_TYPES,
            Primitive::Decimal => &DECIMAL_TYPES,
            Primitive::Long => &LONG_TYPES,
            Primitive::Int => &INT_TYPES,
            Primitive::Short => &SHORT_TYPES,
            Primitive::Boolean
            | Primitive::Byte
            | Primitive::Char
            | Primitive::Float
            | Primitive::Double
            | Primitive::DateTime => &[],
        },
        Type::Array(_) | Type::Optional(_) | Type::Map(..) | Type::Named(_) => &[],
    };
    (!allowed.contains(&name)).then_some(allowed)
}

/// The annotations of a struct's or exception's fields together.
fn record(fields: &[Said], report: &mut Report) {
    for word in [XmlWord::Text, XmlWord::Any, XmlWord::AnyAttribute] {
        let mut said = fields.iter().filter(|field| field.has(word));
        let Some(first) = said.next() else { continue };
        for again in said {
            let message = format!("a struct has one field that is `{}`", word.word());
            let other = Some((first.at(word.word()), "this is one already".to_owned()));
            report.add(&XmlConflict {
                span: again.at(word.word()),
                message,
                other,
                help: Some("put the others into structs of their own".into()),
            });
        }
    }
    if let Some(text) = fields.iter().find(|field| field.has(XmlWord::Text))
        && let Some(element) = fields.iter().find(|field| field.has_elements())
    {
        let message = "beside a text there are attributes alone".to_owned();
        let other = Some((element.name, "this field is an element".to_owned()));
        report.add(&XmlConflict {
            span: text.at("text"),
            message,
            other,
            help: Some("make the other fields attributes: `@Xml(attribute)`".into()),
        });
    }
}

/// XML-37.
fn union(model: &Model, derived: bool, head: &Head, members: &[Said], report: &mut Report) {
    let mut base: Option<&Said> = None;
    for member in members {
        if member.has(XmlWord::Base) {
            if !derived {
                report.add(&conflict(
                    member.at("base"),
                    "a union that is not `derived` has no base",
                    "write `@Xml(derived)` before the union",
                ));
            } else if let Some(first) = base {
                let other = Some((first.at("base"), "this is one already".to_owned()));
                let message = "a union has one base".to_owned();
                report.add(&XmlConflict {
                    span: member.at("base"),
                    message,
                    other,
                    help: Some("leave one out".into()),
                });
            }
            base.get_or_insert(member);
        }
        if !derived {
            continue;
        }
        let is_struct = matches!(member.ty, Type::Named(id) if *id == UNKNOWN || matches!(model.ty(*id).kind, TypeKind::Struct(_)));
        if !is_struct && is_known(member.ty) {
            let message = "the members of a derived union are structs".to_owned();
            let other = Some((member.name, "this member is none".to_owned()));
            report.add(&XmlConflict {
                span: span_of(head, "Xml", "derived"),
                message,
                other,
                help: Some("put its value into a struct".into()),
            });
        }
        for word in ["name", "namespace", "nillable", "inline", "type"]
            .into_iter()
            .filter(|word| says(member.xml, word))
        {
            let other = Some((span_of(head, "Xml", "derived"), "the union is derived".to_owned()));
            let message = "a member of a derived union has no element of its own".to_owned();
            let help = "its struct's own name and namespace are what `xsi:type` names".to_owned();
            report.add(&XmlConflict { span: member.at(word), message, other, help: Some(help) });
        }
    }
}

/// XML-16: texts are unique, and none is that of an unknown number.
fn constant_texts<'t>(
    texts: impl Iterator<Item = (&'t str, Span, bool)>,
    extensible: bool,
    report: &mut Report,
) {
    let mut seen: BTreeMap<&str, (Span, bool)> = BTreeMap::new();
    for (text, span, said) in texts {
        match seen.get(text) {
            // A duplicate name was already reported.
            Some((first, said_before)) if said || *said_before => {
                let other = Some((*first, "here first".to_owned()));
                let message = format!("two constants have the text {}", creo_diag::quote(text));
                report.add(&XmlConflict { span, message, other, help: Some("give each its own".into()) });
            }
            Some(_) => {}
            None => {
                seen.insert(text, (span, said));
            }
        }
        let is_number = text
            .strip_prefix('#')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
        if said && extensible && is_number {
            let message = "in an extensible enum this text means a number that is not known";
            report.add(&conflict(span, message, "give the constant another text, or leave out `extensible`"));
        }
    }
}

fn method(model: &Model, method: &Method, tree: &creo_syntax::Method, report: &mut Report) {
    let parameters: Vec<Said> = method
        .arguments()
        .iter()
        .zip(&tree.parameters)
        .map(|(field, tree)| Said::field(field, tree))
        .collect();
    parameters.iter().for_each(|said| value(model, said, "parameter", report));
    for word in [XmlWord::Any, XmlWord::AnyAttribute] {
        let said: Vec<&Said> = parameters.iter().filter(|parameter| parameter.has(word)).collect();
        if let [first, again, ..] = said.as_slice() {
            let message = format!("a method has one parameter that is `{}`", word.word());
            let other = Some((first.at(word.word()), "this is one already".to_owned()));
            report.add(&XmlConflict {
                span: again.at(word.word()),
                message,
                other,
                help: Some("put the others into structs of their own".into()),
            });
        }
    }
    let xml = method.notes.xml();
    if xml.has(XmlWord::Bare) {
        let bare = span_of(&tree.head, "Xml", "bare");
        let body: Vec<&Said> =
            parameters.iter().filter(|parameter| !parameter.has(XmlWord::Header)).collect();
        for parameter in body {
            for word in [XmlWord::Inline, XmlWord::Any, XmlWord::AnyAttribute]
                .into_iter()
                .filter(|word| parameter.has(*word))
            {
                let other = Some((bare, "the method is bare".to_owned()));
                let message = format!("the parameter is an element of the body, and not `{}`", word.word());
                report.add(&XmlConflict {
                    span: parameter.at(word.word()),
                    message,
                    other,
                    help: Some("leave one out".into()),
                });
            }
        }
        if parameters.iter().all(|parameter| parameter.has(XmlWord::Header))
            && xml.action.as_deref() == Some("")
        {
            let message = "the body of this request is empty, so the action alone names the method";
            report.add(&conflict(span_of(&tree.head, "Xml", "action"), message, "give it an action"));
        }
    }
    // Of streams, LANG-30 says what is allowed.
    if !method.has_streams() {
        response(model, method, tree, report);
    }
}

/// XML-39.
fn response(model: &Model, method: &Method, tree: &creo_syntax::Method, report: &mut Report) {
    let (response, result) =
        (annotation_of(&tree.head, "XmlResponse"), annotation_of(&tree.head, "XmlResult"));
    if let (Some(oneway), Some(annotation)) = (tree.oneway, response.or(result)) {
        let other = Some((oneway, "a `oneway` call has no answer".to_owned()));
        report.add(&XmlConflict {
            span: annotation.span,
            message: "a `oneway` method has no response".into(),
            other,
            help: Some("leave it out".into()),
        });
        return;
    }
    let bare = method.response_xml().has(XmlWord::Bare);
    if is_void(&tree.result) {
        if let Some(annotation) = result {
            let other = Some((tree.result.span, "this is no result".to_owned()));
            report.add(&XmlConflict {
                span: annotation.span,
                message: "this method has no result".into(),
                other,
                help: Some("leave it out".into()),
            });
        }
        let named = ["name", "namespace"].into_iter().find(|word| says(method.response_xml(), word));
        if let (true, Some(word)) = (bare, named) {
            let message = "the body of this response is empty, so no element has a name";
            report.add(&conflict(
                span_of(&tree.head, "XmlResponse", word),
                message,
                "leave out `bare`, or the name",
            ));
        }
        return;
    }
    let Some(ty) = &method.result else { return };
    if result.is_some() {
        let said = Said {
            xml: method.result_xml(),
            ty,
            head: &tree.head,
            annotation: "XmlResult",
            text: "result",
            name: tree.name.span,
        };
        value(model, &said, "result", report);
        for word in ["name", "namespace", "inline"].into_iter().filter(|word| bare && says(said.xml, word)) {
            let other = Some((span_of(&tree.head, "XmlResponse", "bare"), "the response is bare".to_owned()));
            let message = "the result is the body's element itself".to_owned();
            let help = "name the element by `@XmlResponse(bare, name = \"..\")`".to_owned();
            report.add(&XmlConflict { span: said.at(word), message, other, help: Some(help) });
        }
    }
}

/// XML-32: a struct whose text may be null cannot be distinguished from no struct. Returns the type, if it is one within an optional.
pub fn nil_within_optional(model: &Model, ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Primitive(_) | Type::Bytes | Type::Named(_) => None,
        Type::Optional(item) => match item.as_ref() {
            Type::Named(id) if nil_text(model, *id) => Some(*id),
            Type::Primitive(_)
            | Type::Bytes
            | Type::Array(_)
            | Type::Optional(_)
            | Type::Map(..)
            | Type::Named(_) => nil_within_optional(model, item),
        },
        Type::Array(item) => nil_within_optional(model, item),
        Type::Map(key, value) => {
            nil_within_optional(model, key).or_else(|| nil_within_optional(model, value))
        }
    }
}

fn nil_text(model: &Model, id: TypeId) -> bool {
    let decl = model.ty(id);
    match &decl.kind {
        TypeKind::Struct(fields) => fields.iter().any(|field| field.notes.xml().has(XmlWord::Text) && matches!(field.ty, Type::Optional(_))),
        TypeKind::Union(members) if decl.notes.xml().has(XmlWord::Derived) => members.iter().any(
            |member| matches!(member.ty, Type::Named(id) if id != UNKNOWN && !matches!(model.ty(id).kind, TypeKind::Union(_)) && nil_text(model, id)),
        ),
        TypeKind::Exception(_) | TypeKind::Union(_) | TypeKind::Enum(_) => false,
    }
}
