//! The input of lowering, and a module's references to other modules.

use std::collections::{BTreeMap, BTreeSet};

use creo_check::CheckedModel;
use creo_model::{Model, PackageId, TypeId};
use creo_plan::{Field, Kind, Plan};

use crate::lang::{Foreign, Imports, STANDARD};
use crate::lower_limits::FlatTypes;
use crate::lower_names::{self, AllNames, InterfaceNames, PackageNames, TypeNames};
use crate::names::import_order;

/// A model with its plan and its Python names.
#[derive(Debug)]
pub struct Lower<'m> {
    pub model: &'m Model,
    pub plan: &'m Plan,
    pub names: AllNames,
    pub flat: FlatTypes,
}

impl<'m> Lower<'m> {
    pub fn new(model: &'m CheckedModel) -> Lower<'m> {
        let plan = model.plan();
        Lower {
            model,
            plan,
            names: lower_names::name_all(model),
            flat: FlatTypes::new(plan, model.types.len()),
        }
    }

    pub fn package(&self, id: PackageId) -> &PackageNames {
        &self.names.packages[id.0]
    }

    pub fn ty(&self, id: TypeId) -> &TypeNames {
        &self.names.types[id.0]
    }

    /// The interface at `index` of the model's interfaces.
    pub fn interface(&self, index: usize) -> &InterfaceNames {
        &self.names.interfaces[index]
    }

    /// The types of a package: enums first, since code that runs when a module is loaded refers to them.
    pub fn enums_first(&self, package: PackageId) -> Vec<TypeId> {
        let is_enum = |id: &TypeId| matches!(self.plan.value(*id).kind, Kind::Enum(_));
        let (enums, others): (Vec<TypeId>, Vec<TypeId>) =
            self.package(package).types.iter().copied().partition(is_enum);
        enums.into_iter().chain(others).collect()
    }

    /// For each field of a record, its keyword if it is keyword-only in the constructor: it follows a default and has none.
    pub fn keywords(&self, id: TypeId) -> Vec<Option<String>> {
        let mut defaulted = false;
        let mut by_keyword = false;
        self.plan
            .record(id)
            .fields
            .iter()
            .zip(&self.ty(id).members)
            .map(|(field, name)| {
                let has_default = has_default(field);
                by_keyword |= defaulted && !has_default;
                defaulted |= has_default;
                by_keyword.then(|| name.clone())
            })
            .collect()
    }
}

/// Whether a constructor has a default for the field, as does a reader of an extensible type.
pub fn has_default(field: &Field) -> bool {
    field.default.is_some() || field.node.is_optional()
}

/// A module of a package that others can import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Module {
    Types,
    Binary,
    Text,
}

impl Module {
    fn name(self) -> &'static str {
        match self {
            Module::Types => "creo_types",
            Module::Binary => "creo_binary",
            Module::Text => "creo_text",
        }
    }
}

/// A module being made, which collects its imports.
#[derive(Debug)]
pub struct Scope<'a> {
    pub lower: &'a Lower<'a>,
    pub package: PackageId,
    /// None if no other module imports it.
    module: Option<Module>,
    standard: BTreeSet<&'static str>,
    /// Whether it needs the names for arrays of fixed-size structs.
    pub columns: bool,
    pub streams: bool,
    foreign: BTreeSet<(PackageId, Module)>,
    /// Names from other modules of the package.
    own: BTreeSet<(Module, String)>,
}

impl<'a> Scope<'a> {
    pub fn new(lower: &'a Lower<'a>, package: PackageId, module: Option<Module>) -> Scope<'a> {
        Scope {
            lower,
            package,
            module,
            standard: BTreeSet::new(),
            columns: false,
            streams: false,
            foreign: BTreeSet::new(),
            own: BTreeSet::new(),
        }
    }

    /// A name of the standard library, or one that needs no import.
    pub fn standard(&mut self, name: &'static str) -> &'static str {
        if name == "enum" || STANDARD.iter().any(|(_, names)| names.contains(&name)) {
            self.standard.insert(name);
        }
        name
    }

    /// The class of a type.
    pub fn class(&mut self, id: TypeId) -> String {
        self.refer(Module::Types, id, self.lower.ty(id).class.clone())
    }

    /// The constant with a type's description.
    pub fn type_constant(&mut self, id: TypeId) -> String {
        self.binary(id, "", "_TYPE")
    }

    /// The table of an enum's constants by number.
    pub fn table(&mut self, id: TypeId) -> String {
        self.binary(id, "", "_BY_NUMBER")
    }

    /// The layout of arrays of a struct.
    pub fn block(&mut self, id: TypeId) -> String {
        self.binary(id, "", "_BLOCK")
    }

    fn binary(&mut self, id: TypeId, before: &str, after: &str) -> String {
        self.refer(Module::Binary, id, format!("{before}{}{after}", self.lower.ty(id).constant))
    }

    /// The function that encodes or decodes values of a type.
    pub fn codec(&mut self, id: TypeId, verb: &str) -> String {
        self.refer(Module::Binary, id, format!("{verb}_{}", self.lower.ty(id).function))
    }

    /// A type on the text wires.
    pub fn text(&mut self, id: TypeId) -> String {
        self.refer(Module::Text, id, format!("{}_TEXT", self.lower.ty(id).constant))
    }

    /// A name from the module of `id`'s package.
    pub fn refer(&mut self, module: Module, id: TypeId, name: String) -> String {
        let package = self.lower.model.ty(id).package;
        if package == self.package {
            return self.own(module, name);
        }
        self.foreign.insert((package, module));
        format!("{}.{name}", self.alias(package, module))
    }

    /// A name from a module of this package.
    pub fn own(&mut self, module: Module, name: String) -> String {
        if Some(module) != self.module {
            self.own.insert((module, name.clone()));
        }
        name
    }

    /// The alias under which other packages import a module.
    fn alias(&self, package: PackageId, module: Module) -> &'a str {
        let names = self.lower.package(package);
        match module {
            Module::Types => &names.types_alias,
            Module::Binary => &names.binary_alias,
            Module::Text => &names.text_alias,
        }
    }

    /// The imports of the module.
    pub fn imports(self) -> Imports {
        let own = &self.lower.package(self.package).parts;
        let mut foreign: BTreeMap<(String, &str), Foreign> = BTreeMap::new();
        for (id, module) in &self.foreign {
            let other = &self.lower.package(*id).parts;
            let common = own.iter().zip(other).take_while(|(a, b)| a == b).count();
            let package = if common == 0 {
                other.join(".")
            } else {
                format!("{}{}", ".".repeat(1 + own.len() - common), other[common..].join("."))
            };
            let alias = self.alias(*id, *module).to_owned();
            let module = module.name();
            foreign.insert((package.clone(), module), Foreign { package, module, alias });
        }
        let names = |of: Module| {
            let mut names: Vec<String> =
                self.own.iter().filter(|(module, _)| *module == of).map(|(_, name)| name.clone()).collect();
            names.sort_by_key(|name| import_order(name));
            names
        };
        Imports {
            foreign: foreign.into_values().collect(),
            binary: names(Module::Binary),
            types: names(Module::Types),
            standard: self.standard,
            columns: self.columns,
            streams: self.streams,
        }
    }
}
