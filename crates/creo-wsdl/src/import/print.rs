//! Prints a draft as the text of a description. The formatter then gives it its final form.

use crate::import::builtin::white_space;
use crate::import::draft::{Decl, DeclId, Draft, Field, Interface, Marks, Method, Notes, Shape, Ty};
use crate::import::fields::shown;
use crate::import::finish::{Names, fields_of, unique};
use crate::import::literals::literal;
use crate::import::text::{Join, doc_lines, identifier, string};
use creo_plan::default_action;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

pub struct Printer<'a> {
    pub draft: &'a Draft,
    pub names: &'a Names,
    pub package: &'a str,
    /// The namespace of the file.
    pub namespace: Rc<str>,
    /// The structs whose fields are the elements of bodies (SOAP-100).
    pub bodies: BTreeSet<DeclId>,
}

/// The arguments of an annotation under construction.
#[derive(Default)]
struct Arguments(Vec<String>);

impl Arguments {
    fn word(&mut self, word: &str, is: bool) {
        if is {
            self.0.push(word.to_owned());
        }
    }

    fn value(&mut self, name: &str, value: &str, is: bool) {
        if is {
            self.0.push(format!("{name} = {}", string(value)));
        }
    }

    fn text(self, annotation: &str) -> Option<String> {
        (!self.0.is_empty()).then(|| format!("@{annotation}({})", self.0.join(", ")))
    }
}

/// The most common namespace of some names; the first one in a tie.
pub fn most<'n>(namespaces: impl Iterator<Item = &'n Rc<str>>) -> Option<Rc<str>> {
    let mut counts: BTreeMap<&Rc<str>, usize> = BTreeMap::new();
    namespaces.for_each(|namespace| *counts.entry(namespace).or_default() += 1);
    let most = counts.values().copied().max()?;
    counts.into_iter().find(|(_, count)| *count == most).map(|(namespace, _)| namespace.clone())
}

impl Printer<'_> {
    pub fn print(&self, order: &[usize]) -> String {
        let mut out = String::new();
        self.notes(&mut out, &self.draft.notes, "");
        if !self.draft.notes.comments.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(out, "@PACKAGE({})", string(self.package));
        if *self.namespace != *format!("urn:creo:{}", self.package) {
            let _ = writeln!(out, "@NAMESPACE({})", string(&self.namespace));
        }
        for index in order {
            out.push('\n');
            self.decl(&mut out, *index);
        }
        for (index, interface) in self.draft.interfaces.iter().enumerate() {
            out.push('\n');
            self.interface(&mut out, interface, &self.names.interfaces[index]);
        }
        out
    }

    fn notes(&self, out: &mut String, notes: &Notes, indent: &str) {
        for comment in &notes.comments {
            for line in doc_lines(comment) {
                let _ = writeln!(out, "{indent}// {line}");
            }
        }
        doc(out, &notes.doc, indent);
    }

    fn decl(&self, out: &mut String, index: usize) {
        let decl = &self.draft.decls[index];
        let name = &self.names.decls[index];
        let parts = &self.names.parts[index];
        let elements = elements_of(decl);
        self.notes(out, &decl.notes, "");
        let mut arguments = Arguments::default();
        let (word, fields) = match &decl.shape {
            Shape::Struct(fields) => ("struct", fields.as_slice()),
            Shape::Exception(fields) => ("exception", fields.as_slice()),
            Shape::Union { members, .. } => ("union", members.as_slice()),
            Shape::Enum(_) | Shape::Waiting => ("enum", [].as_slice()),
        };
        // A field in the header says it, too.
        let of_parts = self.bodies.contains(&DeclId(index)) && fields.iter().all(|field| !field.marks.header);
        arguments.word("parts", of_parts);
        arguments.word("derived", matches!(decl.shape, Shape::Union { derived: true, .. }));
        // The namespace of a declaration without its own name and elements has no effect.
        let seen = decl.xml.is_some() || elements.as_deref().is_some_and(|elements| !elements.is_empty());
        let said = seen && decl.namespace != self.namespace;
        let effective = if said { &decl.namespace } else { &self.namespace };
        arguments.word("unqualified", elements.as_deref() == Some("") && !effective.is_empty());
        if let Some(xml) = &decl.xml {
            arguments.value("name", xml, **xml != **name);
        }
        arguments.value("namespace", &decl.namespace, said);
        if let Some(text) = arguments.text("Xml") {
            let _ = writeln!(out, "{text}");
        }
        let _ = writeln!(out, "{word} {name} {{");
        if let Shape::Enum(constants) = &decl.shape {
            for (constant, name) in constants.iter().zip(parts) {
                self.notes(out, &constant.notes, "    ");
                let annotation = if constant.text == *name {
                    String::new()
                } else {
                    format!("@Xml(name = {}) ", string(&constant.text))
                };
                let _ = writeln!(out, "    {annotation}{name},");
            }
        }
        let expected = if let (Shape::Enum(_), _) | (_, None) = (&decl.shape, &elements) {
            decl.namespace.clone()
        } else {
            elements.unwrap_or_default()
        };
        for (field, name) in fields.iter().zip(parts) {
            self.field(out, field, name, &expected, word != "union");
        }
        out.push_str("}\n");
    }

    /// A field with its annotation. A field whose default has no literal becomes optional.
    fn field(&self, out: &mut String, field: &Field, name: &str, elements: &str, defaults: bool) {
        let mut notes = field.notes.clone();
        let mut ty = self.ty(&field.ty);
        let mut default = None;
        if let Some(text) = field.default.as_ref().filter(|_| defaults) {
            let constants = field.ty.decl().and_then(|id| match &self.draft.decls[id.0].shape {
                Shape::Enum(constants) => Some((constants.as_slice(), self.names.parts[id.0].as_slice())),
                Shape::Struct(_) | Shape::Exception(_) | Shape::Union { .. } | Shape::Waiting => None,
            });
            // A prefix means nothing without its document.
            let value = white_space(field.marks.xsd, text);
            default =
                if field.marks.xsd == Some("QName") { None } else { literal(&field.ty, &value, constants) };
            if default.is_none() {
                notes.comments.push(format!("The schema's default: {}", shown(text)));
                if field.marks.attribute && !matches!(field.ty, Ty::Optional(_)) {
                    ty.push('?');
                }
            }
        }
        self.notes(out, &notes, "    ");
        let annotation = annotation(field, name, elements).map(|text| text + " ").unwrap_or_default();
        let default = default.map(|literal| format!(" = {literal}")).unwrap_or_default();
        let _ = writeln!(out, "    {annotation}{ty} {name}{default};");
    }

    fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Word(word) => (*word).to_owned(),
            Ty::Bytes => "byte[]".to_owned(),
            Ty::Attributes => "Map<String, String>".to_owned(),
            Ty::Decl(id) => self.names.of(*id).to_owned(),
            Ty::Array(inner) => format!("{}[]", self.ty(inner)),
            Ty::Optional(inner) => format!("{}?", self.ty(inner)),
        }
    }

    fn interface(&self, out: &mut String, interface: &Interface, name: &str) {
        self.notes(out, &interface.notes, "");
        let mut arguments = Arguments::default();
        arguments.word("soap12", interface.soap12);
        arguments.word("encoded", interface.encoded);
        arguments.word("addressing", interface.addressing);
        arguments.value("namespace", &interface.namespace, interface.namespace != self.namespace);
        if let Some(text) = arguments.text("Xml") {
            let _ = writeln!(out, "{text}");
        }
        let _ = writeln!(out, "interface {name} {{");
        let methods =
            unique(interface.methods.iter().map(|method| (identifier(&method.name, Join::Hump, "call"), "")));
        for (index, (method, method_name)) in interface.methods.iter().zip(&methods).enumerate() {
            if index > 0 {
                out.push('\n');
            }
            self.method(out, interface, name, method, method_name);
        }
        out.push_str("}\n");
    }

    fn method(
        &self,
        out: &mut String,
        interface: &Interface,
        interface_name: &str,
        method: &Method,
        name: &str,
    ) {
        let parameters = fields_of(&method.parameters);
        let mut notes = method.notes.clone();
        for (field, name) in method.parameters.iter().zip(&parameters) {
            notes.comments.extend(field.notes.comments.iter().map(|comment| format!("{name}: {comment}")));
            if !field.notes.doc.is_empty() {
                let gap = if notes.doc.is_empty() { "" } else { "\n\n" };
                notes.doc = format!("{}{gap}{name}: {}", notes.doc, field.notes.doc);
            }
        }
        notes.comments.extend(
            method
                .result
                .iter()
                .flat_map(|result| &result.notes.comments)
                .map(|comment| format!("The result: {comment}")),
        );
        self.notes(out, &notes, "    ");

        let bodies = method.parameters.iter().filter(|parameter| !parameter.marks.header);
        let bare_element =
            if method.wrapper.is_none() { bodies.clone().find_map(|body| body.xml.as_ref()) } else { None };
        let global = match (&method.wrapper, bare_element, &method.response) {
            (Some(wrapper), _, _) => wrapper.namespace.clone(),
            (None, Some(element), _) => element.namespace.clone(),
            (None, None, Some(response)) if method.result.is_some() || !response.bare => {
                response.element.namespace.clone()
            }
            (None, None, _) => interface.namespace.clone(),
        };
        let wrapped_response = method.response.as_ref().is_some_and(|response| !response.bare);
        let within: Vec<&str> = bodies
            .filter(|_| method.wrapper.is_some())
            .chain(method.result.iter().filter(|_| wrapped_response))
            .filter_map(|field| field.xml.as_ref().map(|xml| &*xml.namespace))
            .collect();
        let unqualified =
            !global.is_empty() && !within.is_empty() && within.iter().all(|namespace| namespace.is_empty());
        let local: &str = if unqualified { "" } else { &global };

        let mut arguments = Arguments::default();
        arguments.word("bare", method.wrapper.is_none());
        arguments.word("unqualified", unqualified && !interface.encoded);
        let element_name = method.wrapper.as_ref().map_or(name, |wrapper| &wrapper.local);
        arguments.value("name", element_name, element_name != name);
        arguments.value("namespace", &global, global != interface.namespace);
        if let Some(action) = &method.action {
            arguments.value(
                "action",
                action,
                *action != default_action(&interface.namespace, interface_name, name),
            );
        }
        out.extend(arguments.text("Xml").map(|text| format!("    {text}\n")));

        if let Some(response) = &method.response {
            let mut arguments = Arguments::default();
            arguments.word("bare", response.bare);
            // An empty body has no element.
            let there = !response.bare || (method.result.is_some() && !response.several);
            arguments.value(
                "name",
                &response.element.local,
                there && *response.element.local != *format!("{element_name}Response"),
            );
            arguments.value(
                "namespace",
                &response.element.namespace,
                there && response.element.namespace != global,
            );
            out.extend(arguments.text("XmlResponse").map(|text| format!("    {text}\n")));
            if let Some(result) = &method.result {
                let mut bare = result.clone();
                if response.bare {
                    bare.xml = None;
                }
                let bare = Field {
                    marks: Marks { nillable: bare.marks.nillable && !response.bare, ..bare.marks },
                    ..bare
                };
                out.extend(
                    annotation_as("XmlResult", &bare, "result", local).map(|text| format!("    {text}\n")),
                );
            }
        }
        out.push_str("    ");
        if method.oneway {
            out.push_str("oneway ");
        }
        let result = method.result.as_ref().map_or("void".to_owned(), |result| self.ty(&result.ty));
        let _ = write!(out, "{result} {name}(");
        let shown: Vec<String> = method
            .parameters
            .iter()
            .zip(&parameters)
            .map(|(field, name)| {
                let own = field.marks.header || method.wrapper.is_none();
                let mut field = field.clone();
                field.marks.nillable &= method.wrapper.is_some();
                let annotation = annotation(&field, name, if own { &global } else { local })
                    .map(|text| text + " ")
                    .unwrap_or_default();
                format!("{annotation}{} {name}", self.ty(&field.ty))
            })
            .collect();
        out.push_str(&shown.join(", "));
        out.push(')');
        if !method.throws.is_empty() {
            let throws: Vec<&str> = method.throws.iter().map(|id| self.names.of(*id)).collect();
            let _ = write!(out, " throws {}", throws.join(", "));
        }
        out.push_str(";\n");
    }
}

/// A documentation comment.
fn doc(out: &mut String, text: &str, indent: &str) {
    let lines = doc_lines(text);
    match lines.as_slice() {
        [] => {}
        [line] => drop(writeln!(out, "{indent}/** {line} */")),
        lines => {
            let _ = writeln!(out, "{indent}/**");
            for line in lines {
                let _ = writeln!(out, "{indent} * {line}").map(|()| trim_end(out));
            }
            let _ = writeln!(out, "{indent} */");
        }
    }
}

/// Removes trailing spaces of the last line.
fn trim_end(out: &mut String) {
    if out.ends_with(" \n") {
        out.truncate(out.trim_end_matches([' ', '\n']).len());
        out.push('\n');
    }
}

/// The default namespace of a declaration's elements: its own or none, whichever more of them have.
fn elements_of(decl: &Decl) -> Option<Rc<str>> {
    let fields = match &decl.shape {
        Shape::Struct(fields) | Shape::Exception(fields) | Shape::Union { members: fields, .. } => fields,
        Shape::Enum(_) | Shape::Waiting => return None,
    };
    let elements =
        || fields.iter().filter(|field| !field.marks.attribute).filter_map(|field| field.xml.as_ref());
    let own = elements().filter(|xml| xml.namespace == decl.namespace).count();
    let none = elements().filter(|xml| xml.namespace.is_empty()).count();
    if own + none == 0 {
        return elements().next().map(|_| decl.namespace.clone());
    }
    Some(if none > own { "".into() } else { decl.namespace.clone() })
}

fn annotation(field: &Field, name: &str, elements: &str) -> Option<String> {
    annotation_as("Xml", field, name, elements)
}

fn annotation_as(annotation: &str, field: &Field, name: &str, elements: &str) -> Option<String> {
    let Marks { attribute, text, list, nillable, inline, any, raw, any_attribute, base, header, xsd } =
        field.marks;
    let mut arguments = Arguments::default();
    let words = [
        ("header", header),
        ("attribute", attribute),
        ("text", text),
        ("list", list),
        ("nillable", nillable),
        ("inline", inline),
        ("any", any),
        ("raw", raw),
        ("anyAttribute", any_attribute),
        ("base", base),
    ];
    words.into_iter().for_each(|(word, is)| arguments.word(word, is));
    if let Some(xml) = &field.xml {
        arguments.value("name", &xml.local, *xml.local != *name);
        arguments.value(
            "namespace",
            &xml.namespace,
            *xml.namespace != *(if attribute { "" } else { elements }),
        );
    }
    if let Some(xsd) = xsd {
        arguments.value("type", xsd, true);
    }
    arguments.text(annotation)
}
