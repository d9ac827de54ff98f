//! Names of Java: which may not be used, and where a class is known by its simple name.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

const KEYWORDS: &[&str] = &[
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

/// Words that Java does not let be names of types.
const NO_TYPES: &[&str] = &["permits", "record", "sealed", "var", "yield", "when"];

/// Methods of every object: a component or a method without parameters may not be called so.
const OBJECT: &[&str] = &["clone", "equals", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"];

const THROWABLE: &[&str] = &[
    "addSuppressed",
    "fillInStackTrace",
    "getCause",
    "getLocalizedMessage",
    "getMessage",
    "getStackTrace",
    "getSuppressed",
    "initCause",
    "printStackTrace",
    "setStackTrace",
];

/// Packages that generated code names in full when it must: a name in scope may not hide them.
const ROOTS: &[&str] = &["creo", "java", "javax"];

pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

pub fn no_type(name: &str) -> bool {
    is_keyword(name) || NO_TYPES.contains(&name) || ROOTS.contains(&name)
}

pub fn no_component(name: &str) -> bool {
    is_keyword(name) || OBJECT.contains(&name) || ROOTS.contains(&name) || name == "of" || name == "Values"
}

pub fn no_exception_component(name: &str) -> bool {
    no_component(name) || THROWABLE.contains(&name)
}

pub fn no_constant(name: &str) -> bool {
    is_keyword(name) || ROOTS.contains(&name)
}

pub fn no_method(name: &str) -> bool {
    is_keyword(name) || OBJECT.contains(&name) || name == "close" || name == "yield"
}

/// Parameters of methods, which are components of the record of its arguments, too.
pub fn no_parameter(name: &str) -> bool {
    no_component(name) || name == "CreoException"
}

/// A package in Java: parts that may not be names get an underscore, and so does what belongs to others.
pub fn package(name: &str) -> String {
    let parts: Vec<String> = name
        .split('.')
        .enumerate()
        .map(|(i, part)| {
            let foreign = i == 0 && (part == "java" || part == "javax");
            if is_keyword(part) || foreign { format!("{part}_") } else { part.to_owned() }
        })
        .collect();
    let joined = parts.join(".");
    if joined == "creo.runtime" || joined.starts_with("creo.runtime.") { format!("creo_{}", &joined[4..]) } else { joined }
}

/// A class: its package, and its name there, with the names of the classes around it (`Shape.Circle`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClassName {
    pub package: String,
    pub name: String,
}

impl ClassName {
    pub fn new(package: &str, name: &str) -> ClassName {
        ClassName { package: package.to_owned(), name: name.to_owned() }
    }

    pub fn nested(&self, name: &str) -> ClassName {
        ClassName { package: self.package.clone(), name: format!("{}.{name}", self.name) }
    }

    /// The name of the class itself, without those around it.
    pub fn simple(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    fn outermost(&self) -> &str {
        self.name.split('.').next().unwrap_or(&self.name)
    }
}

/// The classes that one file knows by their simple names: collects its imports by use.
#[derive(Debug)]
pub struct Scope<'a> {
    package: &'a str,
    /// Top-level classes of the package: they hide those of `java.lang`.
    own: &'a BTreeSet<String>,
    /// Classes within this file's class: they hide all others.
    nested: BTreeSet<String>,
    imports: RefCell<BTreeMap<String, String>>,
}

impl<'a> Scope<'a> {
    pub fn new(package: &'a str, own: &'a BTreeSet<String>, nested: BTreeSet<String>) -> Scope<'a> {
        Scope { package, own, nested, imports: RefCell::new(BTreeMap::new()) }
    }

    /// How the file writes a class.
    pub fn class(&self, class: &ClassName) -> String {
        let outer = class.outermost();
        let full = format!("{}.{}", class.package, class.name);
        if class.package == self.package {
            return if self.nested.contains(outer) { full } else { class.name.clone() };
        }
        if self.nested.contains(outer) || self.own.contains(outer) {
            return full;
        }
        if class.package == "java.lang" {
            return class.name.clone();
        }
        // An import that hides a class of java.lang would change what other lines mean.
        if IMPLICIT.contains(&outer) {
            return full;
        }
        let import = format!("{}.{outer}", class.package);
        let mut imports = self.imports.borrow_mut();
        match imports.get(outer) {
            Some(other) if *other != import => full,
            Some(_) => class.name.clone(),
            None => {
                imports.insert(outer.to_owned(), import);
                class.name.clone()
            }
        }
    }

    /// A class of `java.lang`.
    pub fn lang(&self, name: &str) -> String {
        self.class(&ClassName::new("java.lang", name))
    }

    /// A class of the runtime.
    pub fn creo(&self, name: &str) -> String {
        self.class(&ClassName::new("creo.runtime", name))
    }

    pub fn jdk(&self, package: &str, name: &str) -> String {
        self.class(&ClassName::new(package, name))
    }

    /// The imported classes, sorted.
    pub fn imports(&self) -> Vec<String> {
        let mut all: Vec<String> = self.imports.borrow().values().cloned().collect();
        all.sort();
        all
    }
}

/// Classes of `java.lang` that generated code uses by their simple names.
const IMPLICIT: &[&str] = &[
    "AutoCloseable",
    "Boolean",
    "Byte",
    "Character",
    "Class",
    "Deprecated",
    "Double",
    "Exception",
    "Float",
    "IllegalArgumentException",
    "Integer",
    "IllegalStateException",
    "Long",
    "Object",
    "Override",
    "Record",
    "RuntimeException",
    "Short",
    "String",
    "StringBuilder",
    "SuppressWarnings",
    "Throwable",
    "Void",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_escaped() {
        assert_eq!(package("org.example.int"), "org.example.int_");
        assert_eq!(package("java.util"), "java_.util");
        assert_eq!(package("creo.runtime"), "creo_.runtime");
        assert_eq!(package("creo.other"), "creo.other");
    }

    #[test]
    fn a_class_that_is_hidden_is_named_in_full() {
        let own = BTreeSet::from(["String".to_owned(), "List".to_owned()]);
        let scope = Scope::new("a.b", &own, BTreeSet::from(["Circle".to_owned()]));
        assert_eq!(scope.lang("String"), "java.lang.String");
        assert_eq!(scope.lang("Object"), "Object");
        assert_eq!(scope.jdk("java.util", "List"), "java.util.List");
        assert_eq!(scope.jdk("java.util", "Map"), "Map");
        assert_eq!(scope.class(&ClassName::new("a.b", "Circle")), "a.b.Circle");
        assert_eq!(scope.class(&ClassName::new("a.b", "String")), "String");
        assert_eq!(scope.class(&ClassName::new("c", "Data")), "Data");
        assert_eq!(scope.class(&ClassName::new("d", "Data")), "d.Data");
        assert_eq!(scope.class(&ClassName::new("d", "Object")), "d.Object");
        assert_eq!(scope.imports(), ["c.Data", "java.util.Map"]);
    }
}
