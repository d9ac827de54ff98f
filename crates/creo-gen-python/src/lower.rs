//! Lowering: names, packages and types of Python for the things of a model. Rendering prints what is decided here.

use std::collections::{BTreeMap, BTreeSet};

use creo_codegen::Names;
use creo_model::{CheckedModel, Interface, Model, Notes, PackageId, TypeId, TypeKind};
use creo_plan::{Plan, plan};

use crate::names::{Kind, package_parts};

/// A model with the names and facts of Python.
#[derive(Debug)]
pub struct Lowered<'m> {
    pub model: &'m Model,
    pub plan: Plan,
    packages: Vec<PackageNames>,
    types: Vec<TypeNames>,
    interfaces: Vec<InterfaceNames>,
}

/// A package as Python sees it.
#[derive(Debug)]
pub struct PackageNames {
    /// `org`, `example`, `data`.
    pub parts: Vec<String>,
    /// The name under which other packages import its `_types` and its `_binary`.
    types_alias: String,
    binary_alias: String,
    text_alias: String,
    /// In declared order.
    types: Vec<TypeId>,
    /// Indices into the model's interfaces.
    interfaces: Vec<usize>,
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

/// Decides all names of a model.
pub fn lower(model: &CheckedModel) -> Lowered<'_> {
    let packages = lower_packages(model);
    let mut types: Vec<TypeNames> = model.types.iter().map(|_| TypeNames::default()).collect();
    let mut interfaces: Vec<Option<InterfaceNames>> = model.interfaces.iter().map(|_| None).collect();
    for package in &packages {
        lower_package(model, package, &mut types, &mut interfaces);
    }
    let interfaces = interfaces.into_iter().flatten().collect();
    Lowered { model, plan: plan(model), packages, types, interfaces }
}

fn lower_packages(model: &Model) -> Vec<PackageNames> {
    let mut taken: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut aliases = Names::new(|_| false);
    let mut packages: Vec<PackageNames> = model
        .packages
        .iter()
        .map(|package| {
            let mut parts = package_parts(package.name_for(crate::names::TARGET));
            while !taken.insert(parts.clone()) {
                if let Some(last) = parts.last_mut() {
                    last.push('_');
                }
            }
            let joined = parts.join("_");
            PackageNames {
                types_alias: aliases.give(&format!("types {}", package.name), &format!("_{joined}")),
                binary_alias: aliases.give(&format!("binary {}", package.name), &format!("_{joined}_binary")),
                text_alias: aliases.give(&format!("text {}", package.name), &format!("_{joined}_text")),
                parts,
                types: Vec::new(),
                interfaces: Vec::new(),
            }
        })
        .collect();
    for id in model.type_ids() {
        packages[model.ty(id).package.0].types.push(id);
    }
    for (index, interface) in model.interfaces.iter().enumerate() {
        packages[interface.package.0].interfaces.push(index);
    }
    packages
}

fn lower_package(model: &Model, package: &PackageNames, types: &mut [TypeNames], interfaces: &mut [Option<InterfaceNames>]) {
    let own = &package.types;
    // Names that the package exports: declared types first, so that what is made beside them gives way.
    let mut exported = Kind::Type.scope();
    let wanted: Vec<(&str, String)> =
        own.iter().map(|id| (model.ty(*id).name.as_str(), Kind::Type.wanted(&model.ty(*id).name, &model.ty(*id).notes))).collect();
    let classes = exported.give_all(&wanted);
    let mut functions = Names::new(|_| false);
    let mut constants = Names::new(|_| false);
    let mut setters = Names::new(|_| false);
    for (id, class) in own.iter().zip(&classes) {
        let decl = model.ty(*id);
        let snake = snake_of(class);
        let names = &mut types[id.0];
        names.class.clone_from(class);
        names.function = functions.give(&decl.name, &snake);
        names.constant = constants.give(&decl.name, &snake.to_ascii_uppercase());
        match &decl.kind {
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
                names.members = Kind::Field.name_all(fields.iter().map(|f| (f.name.as_str(), &f.notes)));
                names.helpers =
                    names.members.iter().map(|m| setters.give(&format!("{} {m}", decl.name), &format!("_set_{}_{m}", names.function))).collect();
            }
            TypeKind::Enum(all) => names.members = Kind::Constant.name_all(all.iter().map(|c| (c.name.as_str(), &c.notes))),
            TypeKind::Union(members) => {
                names.members = Kind::Field.name_all(members.iter().map(|m| (m.name.as_str(), &m.notes)));
                names.helpers = members
                    .iter()
                    .map(|m| exported.give(&format!("{}.{}", decl.name, m.name), &format!("{class}{}", Kind::Type.wanted(&m.name, &m.notes))))
                    .collect();
                let words = ["from_bytes", "from_json", "from_tdxml", "from_xml"];
                names.readers = words.map(|word| (exported.give(&format!("{} {word}", decl.name), &format!("{snake}_{word}")), word)).to_vec();
            }
        }
    }
    let mut method_functions = Names::new(|_| false);
    for index in &package.interfaces {
        let interface = &model.interfaces[*index];
        let base = Kind::Type.wanted(&interface.name, &interface.notes);
        let methods = Kind::Method.name_all(interface.methods.iter().map(|m| (m.name.as_str(), &m.notes)));
        let snake = snake_of(&base);
        let methods = interface
            .methods
            .iter()
            .zip(methods)
            .map(|(m, method)| {
                let function = method_functions.give(&format!("{}.{}", interface.name, m.name), &format!("{snake}_{method}"));
                MethodNames {
                    constant: format!("_{}", function.to_ascii_uppercase()),
                    function,
                    parameters: Kind::Parameter.name_all(m.parameters.iter().map(|p| (p.name.as_str(), &p.notes))),
                    method,
                }
            })
            .collect();
        interfaces[*index] = Some(InterfaceNames {
            client: exported.give(&format!("{} client", interface.name), &format!("{base}Client")),
            async_client: exported.give(&format!("{} async client", interface.name), &format!("Async{base}Client")),
            constant: format!(
                "_{}",
                method_functions.give(&format!("{} interface", interface.name), &format!("{snake}_interface")).to_ascii_uppercase()
            ),
            methods,
        });
    }
}

/// The words of a class's name, for functions and constants.
fn snake_of(class: &str) -> String {
    let trailing = class.len() - class.trim_end_matches('_').len();
    let mut snake = Kind::Field.wanted(class, &Notes::default());
    snake.push_str(&"_".repeat(trailing));
    snake
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
        (0..self.packages.len()).map(PackageId).filter(|p| !self.package(*p).types.is_empty() || !self.package(*p).interfaces.is_empty())
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
            let from = if common == 0 { other.join(".") } else { format!("{}{}", ".".repeat(1 + own.len() - common), other[common..].join(".")) };
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
