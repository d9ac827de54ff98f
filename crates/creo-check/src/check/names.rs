//! The rules for names.

use crate::mistakes::{DuplicateName, ReservedName, ReservedPrefix};
use crate::notes::is_reserved_prefix;
use crate::resolve::Resolved;
use creo_diag::{Report, Span};
use creo_syntax::{DeclarationKind, Name};
use std::collections::BTreeMap;

/// LANG-4: the words of the language.
const WORDS: [&str; 26] = [
    "boolean",
    "byte",
    "short",
    "char",
    "int",
    "long",
    "float",
    "double",
    "String",
    "DateTime",
    "Decimal",
    "Map",
    "struct",
    "enum",
    "union",
    "exception",
    "interface",
    "extensible",
    "oneway",
    "stream",
    "throws",
    "void",
    "import",
    "true",
    "false",
    "null",
];

/// Whether a name is a word of the language, which types and interfaces must not have (LANG-4).
pub fn is_word(name: &str) -> bool {
    WORDS.contains(&name)
}

/// LANG-3, LANG-4.
pub fn reserved(resolved: &Resolved, report: &mut Report) {
    for declaration in resolved.types.iter().chain(&resolved.interfaces) {
        let name = &declaration.name;
        if is_word(&name.text) {
            report.add(&ReservedName { span: name.span, name: name.text.clone() });
        }
        prefix(name, report);
        for (_, names) in scopes(&declaration.kind) {
            names.into_iter().for_each(|name| prefix(name, report));
        }
    }
}

fn prefix(name: &Name, report: &mut Report) {
    if is_reserved_prefix(&name.text) {
        report.add(&ReservedPrefix { span: name.span, name: name.text.clone() });
    }
}

/// LANG-17, except for types and interfaces, which were compared when they were collected.
pub fn distinct(resolved: &Resolved, report: &mut Report) {
    for declaration in resolved.types.iter().chain(&resolved.interfaces) {
        for (of, names) in scopes(&declaration.kind) {
            let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
            for name in names {
                if let Some(first) = seen.get(name.text.as_str()) {
                    report.add(&DuplicateName {
                        span: name.span,
                        first: *first,
                        name: name.text.clone(),
                        of,
                    });
                } else {
                    seen.insert(&name.text, name.span);
                }
            }
        }
    }
}

/// The namespaces in a declaration, with the kind of their names.
fn scopes(kind: &DeclarationKind) -> Vec<(&'static str, Vec<&Name>)> {
    match kind {
        DeclarationKind::Struct(fields) | DeclarationKind::Exception(fields) => {
            vec![("field", fields.iter().map(|f| &f.name).collect())]
        }
        DeclarationKind::Union(members) => vec![("member", members.iter().map(|m| &m.name).collect())],
        DeclarationKind::Enum(constants) => vec![("constant", constants.iter().map(|c| &c.name).collect())],
        DeclarationKind::Interface(methods) => {
            let parameters =
                methods.iter().map(|m| ("parameter", m.parameters.iter().map(|p| &p.name).collect()));
            std::iter::once(("method", methods.iter().map(|m| &m.name).collect())).chain(parameters).collect()
        }
    }
}
