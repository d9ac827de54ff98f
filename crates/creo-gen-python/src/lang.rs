//! The names of Python for the things of a model, and what a module imports.

use std::collections::{BTreeMap, BTreeSet};

use creo_model::{Interface, Model, PackageId, TypeId};
use creo_plan::Plan;

/// A model with the names and facts of Python.
#[derive(Debug)]
pub struct Lowered<'m> {
    pub model: &'m Model,
    pub plan: &'m Plan,
    pub(crate) packages: Vec<PackageNames>,
    pub(crate) types: Vec<TypeNames>,
    pub(crate) interfaces: Vec<InterfaceNames>,
}

/// A package as Python sees it.
#[derive(Debug)]
pub struct PackageNames {
    /// `org`, `example`, `data`.
    pub parts: Vec<String>,
    /// The name under which other packages import its `_types` and its `_binary`.
    pub(crate) types_alias: String,
    pub(crate) binary_alias: String,
    pub(crate) text_alias: String,
    /// In declared order.
    pub(crate) types: Vec<TypeId>,
    /// Indices into the model's interfaces.
    pub(crate) interfaces: Vec<usize>,
}

/// The names of a declared type.
#[derive(Debug, Default)]
pub struct TypeNames {
    /// The class, or the alias of a union.
    pub class: String,
    /// For functions: `encode_meta_data`.
    pub function: String,
    /// For constants: `META_DATA_TYPE`.
    pub constant: String,
    /// Attributes of fields, or constants of an enum; for a union the words of its members.
    pub members: Vec<String>,
    /// For a union, the classes of its members; for a struct, the functions that set its fields.
    pub helpers: Vec<String>,
    /// For a union, the functions that read one, each with the word of its type's own (`from_xml`).
    pub readers: Vec<(String, &'static str)>,
}

/// The names of an interface.
#[derive(Debug)]
pub struct InterfaceNames {
    pub client: String,
    pub async_client: String,
    /// The constant that describes it.
    pub constant: String,
    pub methods: Vec<MethodNames>,
}

/// The names of a method.
#[derive(Debug)]
pub struct MethodNames {
    pub method: String,
    /// The constant that describes it.
    pub constant: String,
    /// For functions: `encode_<function>_arguments`.
    pub function: String,
    pub parameters: Vec<String>,
}

/// Which module a piece of code stands in: what it must import, it asks here.
#[derive(Debug)]
pub struct Scope {
    pub package: PackageId,
    pub names: BTreeSet<&'static str>,
    pub foreign_types: BTreeSet<PackageId>,
    pub foreign_binaries: BTreeSet<PackageId>,
    pub foreign_texts: BTreeSet<PackageId>,
    /// Whether types of the own package are imported from `creo_types`.
    pub through_module: bool,
    pub own_types: BTreeSet<String>,
}

impl Scope {
    pub fn new(package: PackageId) -> Scope {
        Scope {
            package,
            names: BTreeSet::new(),
            foreign_types: BTreeSet::new(),
            foreign_binaries: BTreeSet::new(),
            foreign_texts: BTreeSet::new(),
            through_module: false,
            own_types: BTreeSet::new(),
        }
    }
}

/// Whether a type is that of a value that comes in, or that a value object holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What constructors and methods take.
    Taken,
    /// What attributes hold and methods return.
    Held,
}

/// The name of the constant that holds an interface's methods.
pub fn methods_constant(names: &InterfaceNames) -> String {
    format!("{}_METHODS", names.constant.trim_start_matches('_'))
}

impl Lowered<'_> {
    pub fn package(&self, id: PackageId) -> &PackageNames {
        &self.packages[id.0]
    }

    pub fn names(&self, id: TypeId) -> &TypeNames {
        &self.types[id.0]
    }

    pub fn interface(&self, index: usize) -> &InterfaceNames {
        &self.interfaces[index]
    }

    /// The packages that hold anything.
    pub fn filled_packages(&self) -> impl Iterator<Item = PackageId> + '_ {
        (0..self.packages.len())
            .map(PackageId)
            .filter(|p| !self.package(*p).types.is_empty() || !self.package(*p).interfaces.is_empty())
    }

    /// The types of a package, in declared order.
    pub fn types_of(&self, package: PackageId) -> impl Iterator<Item = TypeId> + '_ {
        self.package(package).types.iter().copied()
    }

    /// The interfaces of a package, with their indices in the model.
    pub fn interfaces_of(&self, package: PackageId) -> impl Iterator<Item = (usize, &Interface)> + '_ {
        self.package(package).interfaces.iter().map(|index| (*index, &self.model.interfaces[*index]))
    }

    /// The class of a type, as code in this scope names it.
    pub fn class(&self, id: TypeId, scope: &mut Scope) -> String {
        self.of_types(id, self.names(id).class.clone(), scope)
    }

    /// A name of the module `creo_types` that `id` stands in, as code in this scope names it.
    pub fn of_types(&self, id: TypeId, name: String, scope: &mut Scope) -> String {
        let package = self.model.ty(id).package;
        if package != scope.package {
            scope.foreign_types.insert(package);
            return format!("{}.{name}", self.packages[package.0].types_alias);
        }
        if scope.through_module {
            scope.own_types.insert(name.clone());
        }
        name
    }

    /// A name of the module `creo_binary` that `id` stands in.
    pub fn of_binary(&self, id: TypeId, name: String, scope: &mut Scope) -> String {
        let package = self.model.ty(id).package;
        if package == scope.package {
            return name;
        }
        scope.foreign_binaries.insert(package);
        format!("{}.{name}", self.packages[package.0].binary_alias)
    }

    /// A name of the module `creo_text` that `id` stands in.
    pub fn of_text(&self, id: TypeId, name: String, scope: &mut Scope) -> String {
        let package = self.model.ty(id).package;
        if package == scope.package {
            return name;
        }
        scope.foreign_texts.insert(package);
        format!("{}.{name}", self.packages[package.0].text_alias)
    }

    /// The lines that import other packages' modules.
    pub fn foreign_imports(&self, scope: &Scope) -> Vec<String> {
        let own = &self.package(scope.package).parts;
        let mut lines: BTreeMap<String, String> = BTreeMap::new();
        let mut import = |id: PackageId, module: &str, alias: &str| {
            let other = &self.packages[id.0].parts;
            let common = own.iter().zip(other).take_while(|(a, b)| a == b).count();
            let from = if common == 0 {
                other.join(".")
            } else {
                format!("{}{}", ".".repeat(1 + own.len() - common), other[common..].join("."))
            };
            lines.insert(format!("{from} {module}"), format!("from {from} import {module} as {alias}"));
        };
        for id in &scope.foreign_types {
            import(*id, "creo_types", &self.packages[id.0].types_alias);
        }
        for id in &scope.foreign_binaries {
            import(*id, "creo_binary", &self.packages[id.0].binary_alias);
        }
        for id in &scope.foreign_texts {
            import(*id, "creo_text", &self.packages[id.0].text_alias);
        }
        lines.into_values().collect()
    }
}
