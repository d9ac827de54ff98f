//! Java names: reserved ones, and classes that are known by their simple name.

use crate::names_reserved::{
    IMPLICIT, KEYWORDS, LANG, NO_TYPES, NUMBERED, OBJECT, ROOTS, SERIAL, THROWABLE, VARIABLES,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

pub fn no_type(name: &str) -> bool {
    is_keyword(name) || NO_TYPES.contains(&name) || ROOTS.contains(&name)
}

pub fn no_parameter(name: &str) -> bool {
    is_keyword(name) || OBJECT.contains(&name) || ROOTS.contains(&name) || name == "of"
}

/// Values also have a builder, and are serializable.
pub fn no_component(name: &str) -> bool {
    no_parameter(name) || name == "builder" || name == "toBuilder" || SERIAL.contains(&name)
}

pub fn no_exception_component(name: &str) -> bool {
    no_component(name) || THROWABLE.contains(&name)
}

pub fn no_constant(name: &str) -> bool {
    is_keyword(name) || ROOTS.contains(&name) || SERIAL.contains(&name)
}

pub fn no_method(name: &str) -> bool {
    is_keyword(name) || OBJECT.contains(&name) || name == "close" || name == "yield"
}

/// Constants that generated code derives from the names of methods, in addition to its numbered ones.
pub fn no_method_constant(name: &str) -> bool {
    no_constant(name) || is_numbered(name)
}

/// Never with a trailing underscore, which is how names avoid a collision.
fn is_numbered(name: &str) -> bool {
    let at = name.find(|c: char| c.is_ascii_digit() || c == '_').unwrap_or(name.len());
    let (stem, number) = name.split_at(at);
    NUMBERED.contains(&stem)
        && number.ends_with(|c: char| c.is_ascii_digit() || matches!(c, 'i' | 'r'))
        && number.contains(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '_' | 'i' | 'r'))
}

/// The default package of the runtime.
pub const RUNTIME: &str = "creo.runtime";

/// The subpackage of the runtime for generated code.
const CODEGEN: &str = "codegen";

/// The classes that generated code uses from the package for users.
const RUNTIME_API: &[&str] = &[
    "Authenticator",
    "CallContext",
    "CallOptions",
    "Channel",
    "ClientCertificates",
    "ClientOptions",
    "CreoException",
    "DeclaredException",
    "Documents",
    "Endpoint",
    "ErrorCode",
    "FaultCode",
    "Generated",
    "Json",
    "JsonChannel",
    "Limits",
    "Nullable",
    "Server",
    "SoapChannel",
    "Table",
    "TableOptions",
    "TableScheme",
    "TcpChannel",
    "Tdxml",
    "TdxmlChannel",
    "TdxmlSoapChannel",
    "Version",
    "Wire",
    "Xml",
];

/// A Java package: parts that are not valid names get an underscore, as do parts that belong to others.
pub fn package(name: &str) -> String {
    let parts: Vec<String> = name
        .split('.')
        .enumerate()
        .map(|(i, part)| {
            let foreign = i == 0 && (part == "java" || part == "javax" || LANG.contains(&part));
            if is_keyword(part) || foreign { format!("{part}_") } else { part.to_owned() }
        })
        .collect();
    let joined = parts.join(".");
    if joined == RUNTIME || joined.starts_with("creo.runtime.") {
        format!("creo_{}", &joined[4..])
    } else {
        joined
    }
}

/// The first part of a package.
pub fn root(package: &str) -> &str {
    package.split('.').next().unwrap_or(package)
}

/// A class: its package, and its name there, with the names of enclosing classes (`Shape.Circle`).
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

    /// The name of the class itself, without enclosing ones.
    pub fn simple(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    fn outermost(&self) -> &str {
        self.name.split('.').next().unwrap_or(&self.name)
    }

    fn root(&self) -> &str {
        root(&self.package)
    }

    fn full(&self) -> String {
        format!("{}.{}", self.package, self.name)
    }
}

/// The names that a file's class brings into scope.
#[derive(Debug, Default)]
pub struct Inside {
    /// Nested classes: they hide all others.
    pub types: BTreeSet<String>,
    /// Names of the description that are variables there. Expressions resolve them before classes and packages.
    pub variables: BTreeSet<String>,
}

/// The names of a run that affect every file.
#[derive(Debug, Default)]
pub struct Taken {
    /// The top-level classes of each package: they hide those of `java.lang` there.
    pub classes: BTreeMap<String, BTreeSet<String>>,
    /// The first parts of the description's packages.
    pub roots: BTreeSet<String>,
    /// The package of the runtime.
    pub runtime: String,
}

/// The classes that a file knows by simple name: collects its imports by use.
#[derive(Debug)]
pub struct Scope<'a> {
    package: &'a str,
    taken: &'a Taken,
    inside: Inside,
    imports: RefCell<BTreeMap<String, String>>,
    casts: Cell<bool>,
    may_cast: bool,
}

impl<'a> Scope<'a> {
    pub fn new(package: &'a str, taken: &'a Taken, inside: Inside) -> Scope<'a> {
        Scope {
            package,
            taken,
            inside,
            imports: RefCell::new(BTreeMap::new()),
            casts: Cell::new(false),
            may_cast: false,
        }
    }

    /// The same scope for a file that is known to use casts.
    pub fn with_casts(self) -> Scope<'a> {
        Scope { may_cast: true, ..Scope::new(self.package, self.taken, self.inside) }
    }

    /// Whether the file accesses static members through a cast, which compilers warn about.
    pub fn casts(&self) -> bool {
        self.casts.get()
    }

    pub fn may_cast(&self) -> bool {
        self.may_cast
    }

    /// The name of a class where a type is expected.
    pub fn class(&self, class: &ClassName) -> String {
        let outer = class.outermost();
        let full = class.full();
        if self.inside.types.contains(outer) {
            return full;
        }
        if class.package == self.package {
            return class.name.clone();
        }
        if self.taken.classes.get(self.package).is_some_and(|own| own.contains(outer))
            || self.taken.roots.contains(outer)
        {
            return full;
        }
        if class.package == "java.lang" {
            return class.name.clone();
        }
        // An import that hides a class of java.lang would change the meaning of other lines.
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

    /// A class in an expression that uses its static members: a variable may hide the class, and the first part of its package.
    pub fn statics(&self, class: &ClassName) -> String {
        if !self.is_variable(class.outermost()) {
            let written = self.class(class);
            if written == class.name || !self.is_variable(class.root()) {
                return written;
            }
        }
        // A cast names a type regardless of variables; only static methods of interfaces cannot be called this way, and no variable is named `java`.
        if !self.is_variable(class.root()) {
            return class.full();
        }
        self.casts.set(true);
        format!("(({}) null)", class.full())
    }

    fn is_variable(&self, name: &str) -> bool {
        self.inside.variables.contains(name) || VARIABLES.contains(&name) || is_numbered(name)
    }

    /// A class of `java.lang`.
    pub fn lang(&self, name: &str) -> String {
        self.class(&ClassName::new("java.lang", name))
    }

    /// A class of the runtime.
    pub fn creo(&self, name: &str) -> String {
        self.class(&self.runtime_class(name))
    }

    /// A class of the runtime, in the package for users or for generated code.
    pub fn runtime_class(&self, name: &str) -> ClassName {
        let runtime = &self.taken.runtime;
        if RUNTIME_API.contains(&name) {
            ClassName::new(runtime, name)
        } else {
            ClassName::new(&format!("{runtime}.{CODEGEN}"), name)
        }
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

    fn taken(own: &[&str]) -> Taken {
        let own = own.iter().map(|name| (*name).to_owned()).collect();
        Taken {
            classes: BTreeMap::from([("a.b".to_owned(), own)]),
            roots: BTreeSet::from(["a".to_owned(), "Zone".to_owned()]),
            runtime: RUNTIME.to_owned(),
        }
    }

    #[test]
    fn a_class_that_is_hidden_is_named_in_full() {
        let taken = taken(&["String", "List"]);
        let scope = Scope::new(
            "a.b",
            &taken,
            Inside { types: BTreeSet::from(["Circle".to_owned()]), ..Inside::default() },
        );
        assert_eq!(scope.lang("String"), "java.lang.String");
        assert_eq!(scope.lang("Object"), "Object");
        assert_eq!(scope.jdk("java.util", "List"), "java.util.List");
        assert_eq!(scope.jdk("java.util", "Map"), "Map");
        assert_eq!(scope.jdk("java.time", "Zone"), "java.time.Zone");
        assert_eq!(scope.class(&ClassName::new("a.b", "Circle")), "a.b.Circle");
        assert_eq!(scope.class(&ClassName::new("a.b", "String")), "String");
        assert_eq!(scope.class(&ClassName::new("c", "Data")), "Data");
        assert_eq!(scope.class(&ClassName::new("d", "Data")), "d.Data");
        assert_eq!(scope.class(&ClassName::new("d", "Object")), "d.Object");
        assert_eq!(scope.imports(), ["c.Data", "java.util.Map"]);
    }

    #[test]
    fn an_expression_does_not_take_a_variable_for_a_class() {
        let taken = taken(&["Colour"]);
        let variables = ["List", "Colour", "org"].map(str::to_owned).into();
        let scope = Scope::new("a.b", &taken, Inside { variables, ..Inside::default() });
        assert_eq!(scope.statics(&ClassName::new("java.util", "List")), "java.util.List");
        assert_eq!(scope.statics(&ClassName::new("java.util", "Map")), "Map");
        assert_eq!(scope.statics(&ClassName::new("org.x", "Shape")), "Shape");
        assert_eq!(scope.statics(&ClassName::new("org.x", "Colour")), "((org.x.Colour) null)");
        // `a` is a local variable of generated code.
        assert_eq!(scope.statics(&ClassName::new("a.b", "Colour")), "((a.b.Colour) null)");
        assert_eq!(scope.class(&ClassName::new("a.b", "Colour")), "Colour");
        assert_eq!(scope.imports(), ["java.util.Map", "org.x.Shape"]);
    }

    #[test]
    fn variables_of_generated_code_are_known() {
        for name in ["f12", "BLOCK_0_3", "E_7r", "F_0r_0", "N0", "RECORD_1"] {
            assert!(no_method_constant(name), "{name}");
        }
        for name in ["F", "RECORD", "RECORD_SALE", "E_r", "X1", "N_", "F1_", "RECORD_1_"] {
            assert!(!no_method_constant(name), "{name}");
        }
    }
}
