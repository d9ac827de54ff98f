//! Names of Python: casing, reserved words, escapes.
//!
//! A name from a description never starts with an underscore here: generated code can use such names itself.

use creo_codegen::{Names, Style};
use creo_model::Notes;

use crate::names_reserved::{
    ANNOTATIONS, BUILTINS, CODECS, ENUMS, HELPERS, KEYWORDS, STANDARD_LIBRARY, TYPES, USED,
};

/// The name of the target, also in `@Name(python = ..)`.
pub const TARGET: &str = "python";

/// The default package of the runtime.
pub const RUNTIME: &str = "creo";

/// The purpose of a name. Each kind has its style, and words reserved for generated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A part of a package's name.
    Package,
    /// A class, or the alias of a union.
    Type,
    /// A field of a struct or exception; also the name of a constructor's parameter.
    Field,
    /// A constant of an enum.
    Constant,
    /// A method of a client.
    Method,
    /// A parameter of a method.
    Parameter,
}

pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// `w`, `x0`, `c1`: local variables of generated functions are one lower-case letter, with a number if there are several.
fn is_local(name: &str) -> bool {
    name.strip_prefix(|c: char| c.is_ascii_lowercase())
        .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

impl Kind {
    fn style(self) -> Style {
        match self {
            Kind::Package | Kind::Field | Kind::Method | Kind::Parameter => Style::Snake,
            Kind::Type => Style::UpperCamel,
            Kind::Constant => Style::Screaming,
        }
    }

    fn reserved(self) -> fn(&str) -> bool {
        match self {
            Kind::Package => is_keyword,
            Kind::Constant => |name| is_keyword(name) || ENUMS.contains(&name),
            Kind::Type => |name| {
                is_keyword(name)
                    || [TYPES, USED, BUILTINS, HELPERS].into_iter().any(|list| list.contains(&name))
                    || is_local(name)
            },
            Kind::Field => |name| {
                is_keyword(name)
                    || ANNOTATIONS.contains(&name)
                    || TYPES.contains(&name)
                    || ["self", "cls", "replace", "args", "with_traceback", "add_note"].contains(&name)
                    || CODECS.contains(&name)
            },
            Kind::Method => |name| {
                is_keyword(name)
                    || ANNOTATIONS.contains(&name)
                    || TYPES.contains(&name)
                    || ["close", "json", "over", "soap", "tdxml", "with_options"].contains(&name)
            },
            Kind::Parameter => |name| is_keyword(name) || name == "self",
        }
    }

    /// The prefix of a name that would start with a digit or be empty.
    fn prefix(self) -> &'static str {
        match self {
            Kind::Package => "package_",
            Kind::Type => "Type",
            Kind::Constant => "VALUE_",
            Kind::Field | Kind::Method | Kind::Parameter => "value_",
        }
    }

    /// The scope of names of this kind.
    pub fn scope(self) -> Names {
        Names::new(self.reserved())
    }

    /// The wanted form of a declared name, before reserved words and collisions are considered.
    pub fn wanted(self, declared: &str, notes: &Notes) -> String {
        match notes.target_name(TARGET) {
            Some(own) => self.tidy(own),
            None => self.tidy(&self.style().apply(declared)),
        }
    }

    /// Makes an identifier from any text: only letters, digits and underscores, not starting with an underscore or a digit.
    fn tidy(self, name: &str) -> String {
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let bare = plain.trim_start_matches('_');
        if bare.is_empty() || bare.starts_with(|c: char| c.is_ascii_digit()) {
            format!("{}{bare}", self.prefix())
        } else {
            bare.to_owned()
        }
    }

    /// The names of a whole scope.
    pub fn name_all<'a>(self, all: impl IntoIterator<Item = (&'a str, &'a Notes)>) -> Vec<String> {
        self.scope()
            .give_all(all.into_iter().map(|(declared, notes)| (declared, self.wanted(declared, notes))))
    }
}

/// The parts of a package's name, `org`, `example`, `data`. The first is never a module that the runtime needs.
pub fn package_parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in name.split('.') {
        let mut part = Kind::Package.tidy(&Style::Snake.apply(part));
        while is_keyword(&part) || (parts.is_empty() && STANDARD_LIBRARY.contains(&part.as_str())) {
            part.push('_');
        }
        parts.push(part);
    }
    parts
}

/// The formatters' order of imported names: constants, classes, the rest.
pub fn import_order(name: &str) -> (u8, String) {
    (rank(name), natural(&name.to_ascii_lowercase()))
}

/// The order of names in `__all__`, as in ruff: like that of imports, but case-sensitive.
pub fn export_order(name: &str) -> (u8, String) {
    (rank(name), natural(name))
}

/// Constants come before classes, and classes before the rest.
fn rank(name: &str) -> u8 {
    let has_lower = name.chars().any(|c| c.is_ascii_lowercase());
    if !has_lower && name.len() > 1 {
        0
    } else if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        1
    } else {
        2
    }
}

/// Numbers in names are compared by value, as in `Point2`, `Point10`.
fn natural(name: &str) -> String {
    let mut key = String::new();
    let mut digits = String::new();
    for c in name.chars().chain(['\0']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if !digits.is_empty() {
            key.push_str(&format!("{digits:0>130}"));
            digits.clear();
        }
        key.push(c);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(kind: Kind, names: &[&str]) -> Vec<String> {
        let notes = Notes::default();
        kind.name_all(names.iter().map(|n| (*n, &notes)))
    }

    #[test]
    fn exported_names_are_in_the_order_of_ruff() {
        let wanted = ["ABC", "AC", "A_B", "B2", "B10", "A", "Aa", "Ab", "a2", "a10", "aB", "a_b"];
        let mut names = wanted;
        names.reverse();
        names.sort_by_key(|name| export_order(name));
        assert_eq!(names, wanted);
    }

    #[test]
    fn names_are_cased_and_escaped() {
        assert_eq!(
            named(Kind::Field, &["retryAfter", "class", "list", "int", "self", "to_bytes", "match"]),
            ["retry_after", "class_", "list", "int_", "self_", "to_bytes_", "match"]
        );
        assert_eq!(
            named(Kind::Type, &["metaData", "none", "Sequence", "_Hidden", "__", "_1"]),
            ["MetaData", "None_", "Sequence_", "Hidden", "Type", "Type1"]
        );
        assert_eq!(
            named(Kind::Constant, &["RED", "darkRed", "_2nd", "None"]),
            ["RED", "DARK_RED", "VALUE_2ND", "NONE"]
        );
        assert_eq!(
            named(Kind::Method, &["close", "getAll", "import", "withOptions"]),
            ["close_", "get_all", "import_", "with_options_"]
        );
        assert_eq!(named(Kind::Method, &["json", "soap", "tdxml"]), ["json_", "soap_", "tdxml_"]);
        assert_eq!(
            named(Kind::Field, &["toJson", "fromTdxml", "toXml"]),
            ["to_json_", "from_tdxml_", "to_xml_"]
        );
    }

    #[test]
    fn names_do_not_clash() {
        assert_eq!(named(Kind::Field, &["aB", "a_b", "__a_b"]), ["a_b_", "a_b", "a_b__"]);
        assert_eq!(named(Kind::Field, &["__init__", "init"]), ["init_", "init"]);
    }

    #[test]
    fn names_of_ones_own_are_made_identifiers() {
        let notes = Notes { targets: vec![("python".into(), "import os; x".into())], ..Notes::default() };
        assert_eq!(Kind::Field.name_all([("a", &notes)]), ["import_os__x"]);
        let own = |kind: Kind, name: &str| {
            let notes = Notes { targets: vec![("python".into(), name.into())], ..Notes::default() };
            kind.name_all([("a", &notes)])
        };
        for name in ["mro", "name", "value", "known", "None"] {
            assert_eq!(own(Kind::Constant, name), [format!("{name}_")]);
        }
        for name in ["int", "type", "Exception", "Warning", "v", "x12", "final", "read_string", "COUNT"] {
            assert_eq!(own(Kind::Type, name), [format!("{name}_")]);
        }
        assert_eq!(own(Kind::Type, "xml"), ["xml"]);
        for name in ["Decimal", "Mapping", "Iterable"] {
            assert_eq!(
                (own(Kind::Field, name), own(Kind::Method, name)),
                (vec![format!("{name}_")], vec![format!("{name}_")])
            );
        }
    }

    #[test]
    fn packages_hide_nothing() {
        assert_eq!(package_parts("org.example.Data"), ["org", "example", "data"]);
        assert_eq!(package_parts("json.types"), ["json_", "types"]);
        assert_eq!(package_parts("creo"), ["creo_"]);
        assert_eq!(package_parts("a.class._1"), ["a", "class_", "package_1"]);
    }
}
