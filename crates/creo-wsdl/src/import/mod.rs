//! Imports a WSDL 1.1 or an XML Schema as a description: `docs/wsdl.md`.
//!
//! Data flows in one direction: bytes -> trees (`decode`, `xml`, `load`) -> one table of components (`table`, `wsdl`, `ports`) -> content models
//! (`slots`) -> declarations (`mapper`, `simple_types`, `complex`, `fields`, `faults`, `methods`, `document`) -> names (`finish`) -> text (`print`).
//! Nothing here reads a file or the network.

mod actions;
mod builtin;
mod complex;
mod decode;
mod document;
mod draft;
mod encoded;
mod faults;
mod fields;
mod files;
mod finish;
mod headers;
mod known;
mod lenient;
mod literals;
mod load;
mod mapper;
mod methods;
mod policy;
mod ports;
mod print;
mod selection;
mod simple;
mod simple_types;
mod slots;
mod table;
mod text;
mod wsdl;
mod xml;

pub use crate::import::files::{Files, Options, Unread};
use crate::import::load::load;
use crate::import::mapper::Mapper;
use crate::import::print::{Printer, most};
use crate::import::selection::Selection;
use crate::import::table::{Kind, Table};
use creo_diag::{Code, Diagnostic, Report, Sources, Span};
use std::rc::Rc;

/// The outcome of an import.
#[derive(Debug)]
pub struct Import {
    /// All files that were read. The report's spans point into them.
    pub sources: Sources,
    /// Errors for what could not be read, and warnings for what was skipped or changed.
    pub report: Report,
    /// The description; `None` if there was an error.
    pub text: Option<String>,
    /// The number of operations found, and of methods created from them.
    pub operations: usize,
    pub methods: usize,
    /// The number of declared types.
    pub types: usize,
}

/// Imports the file at `root`.
pub fn import(root: &str, options: &Options, files: &mut dyn Files) -> Import {
    let mut sources = Sources::new();
    let mut report = Report::new();
    let mut result = Import {
        sources: Sources::new(),
        report: Report::new(),
        text: None,
        operations: 0,
        methods: 0,
        types: 0,
    };
    if let Some(loaded) = load(root, options, files, &mut sources, &mut report) {
        let table = Table::new(loaded, &mut report);
        describe(&table, root, options, &mut report, &mut result);
    }
    result.sources = sources;
    result.report = report;
    if result.report.has_errors() {
        result.text = None;
    }
    result
}

fn describe(table: &Table, root: &str, options: &Options, report: &mut Report, result: &mut Import) {
    let target: Rc<str> = match (table.definitions().next(), table.schemas().next()) {
        (Some(spot), _) | (None, Some(spot)) => table.unit(spot).target.clone(),
        (None, None) => "".into(),
    };
    let mut selection = Selection::new(table, options, report);
    let demands = policy::check(table, &selection, report);
    let mut mapper = Mapper::new(table, report);
    let counts = mapper.interfaces(&mut selection, &demands);
    selection.finish(table, mapper.report);
    (result.operations, result.methods) = (counts.operations, counts.methods);
    if options.all_types || counts.operations == 0 {
        mapper.all_types();
    }
    mapper.build();
    if mapper.exhausted() {
        return;
    }
    let mut draft = mapper.draft;
    if draft.decls.is_empty() && draft.interfaces.is_empty() {
        let span = table.definitions().chain(table.schemas()).next().map(|spot| table.span(spot));
        let span = span.unwrap_or(Span::new(creo_diag::FileId(0), 0, 0));
        let (why, help) = if counts.plain_http {
            let why = "no operation is left to import: the bindings are plain HTTP, without SOAP";
            (why, Some("call their addresses with any client of HTTP; `--all-types` imports the types alone"))
        } else if counts.operations > 0 {
            ("no operation is left to import", None)
        } else {
            ("there is neither an operation nor a type to import", None)
        };
        let nothing = Diagnostic::new(Code::NothingToImport, span, why);
        report.add(&match help {
            Some(help) => nothing.help(help),
            None => nothing,
        });
        return;
    }
    if !(options.all_types || counts.operations == 0) {
        finish::prune(&mut draft);
    }
    if options.lenient {
        lenient::loosen(&mut draft);
    }
    finish::make_finite(&mut draft);
    let namespaces = draft
        .decls
        .iter()
        .map(|decl| &decl.namespace)
        .chain(draft.interfaces.iter().map(|interface| &interface.namespace));
    if check_namespaces(table, report) {
        return;
    }
    // The target namespace, unless most types are in another.
    let of_target = namespaces.clone().filter(|namespace| **namespace == target).count();
    let most_common = most(namespaces.clone().filter(|namespace| !namespace.is_empty()));
    let of_most = namespaces.filter(|namespace| Some(*namespace) == most_common.as_ref()).count();
    let most_common =
        if !target.is_empty() && of_target * 2 >= of_most { Some(target.clone()) } else { most_common };
    let package = options.package.clone().unwrap_or_else(|| {
        text::package(if target.is_empty() { most_common.as_deref().unwrap_or("") } else { &target })
    });
    let namespace = most_common.unwrap_or_else(|| format!("urn:creo:{package}").into());
    let names = finish::name(&draft, &namespace);
    draft.notes.comments.push(format!("Imported from {}.", root.rsplit('/').next().unwrap_or(root)));
    if options.lenient {
        draft.notes.comments.push(lenient::COMMENT.to_owned());
    }
    let order = finish::order(&draft);
    result.types = draft.decls.len();
    let bodies = draft.bodies();
    let printed =
        Printer { draft: &draft, names: &names, package: &package, namespace, bodies }.print(&order);
    let text = formatted(&printed);
    match refused(&text) {
        None => result.text = Some(text),
        Some(why) => {
            let message = format!("the description that came of this file is refused by `creo check`: {why}");
            let help = "this is a bug of the importer: nothing is written; report it with the WSDL";
            report.add(
                &Diagnostic::new(Code::ImportRefused, Span::new(creo_diag::FileId(0), 0, 0), message)
                    .help(help),
            );
        }
    }
}

/// The error of `creo check` for a description, if any.
fn refused(text: &str) -> Option<String> {
    let compiled = creo_check::compile(&[("imported.creo", text)]).err()?;
    let first = compiled
        .diagnostics()
        .into_iter()
        .find(|diagnostic| diagnostic.severity == creo_diag::Severity::Error);
    Some(first.map_or_else(|| "it has an error".to_owned(), |first| first.message.clone()))
}

/// Reports target namespaces that no description can have, and those that are not URIs. Returns whether any is of the first kind.
fn check_namespaces(table: &Table, report: &mut Report) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    let mut invalid = false;
    for spot in table.definitions().chain(table.schemas()) {
        let unit = table.unit(spot);
        // The namespace of `xml:lang` has only attributes.
        if unit.known
            || !seen.insert(unit.target.clone())
            || unit.target.is_empty()
            || *unit.target == *load::XML
        {
            continue;
        }
        let quoted = creo_diag::quote(&unit.target);
        if let Some(problem) = creo_check::namespace_problem(&unit.target) {
            invalid = true;
            report.add(&Diagnostic::new(
                Code::InvalidNamespace,
                table.span(spot),
                format!("{quoted} cannot be a target namespace: {problem}"),
            ));
        } else if !is_uri(&unit.target) {
            let message = format!("the target namespace {quoted} is not a URI; it is taken as it is");
            report.add(&Diagnostic::new(Code::OddNamespace, table.span(spot), message));
        }
    }
    invalid
}

/// Whether a namespace is a URI or an IRI: it has a scheme and only valid characters.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    if !rest.chars().all(actions::uri_character) {
        return false;
    }
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// The text after `creo fmt`.
fn formatted(text: &str) -> String {
    let mut sources = Sources::new();
    let id = sources.add("imported.creo", text);
    let source = sources.file(id);
    let mut mistakes = Report::new();
    let tree = creo_syntax::parse(source, &mut mistakes);
    if mistakes.has_errors() { text.to_owned() } else { creo_syntax::format(source, &tree) }
}

impl Mapper<'_> {
    /// Declares all types of the files, and the elements with anonymous types.
    fn all_types(&mut self) {
        let types: Vec<_> = self.table.all(Kind::Type).map(|(name, spot)| (name.clone(), spot)).collect();
        for (name, spot) in types {
            if self.table.unit(spot).known || name.builtin() {
                continue;
            }
            if self.table.element(spot).local == "complexType" {
                self.value(&name, spot);
                if self.opaque(spot).is_none() && !self.table.is_abstract(spot) {
                    self.complex(spot, &name);
                }
            } else {
                self.simple_at(spot, &name.local);
            }
        }
        let elements: Vec<_> =
            self.table.all(Kind::Element).map(|(name, spot)| (name.clone(), spot)).collect();
        for (name, spot) in elements {
            if !self.table.unit(spot).known {
                self.global_element(&name, spot);
            }
        }
    }
}
