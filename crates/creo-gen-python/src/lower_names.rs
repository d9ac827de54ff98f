//! The Python names of a model's packages, types, fields, interfaces and methods.

use creo_codegen::Names;
use creo_model::{Model, Notes, TypeId, TypeKind};

use crate::names::{Kind, TARGET, package_parts};

/// All names of a model.
#[derive(Debug)]
pub struct AllNames {
    pub packages: Vec<PackageNames>,
    pub types: Vec<TypeNames>,
    pub interfaces: Vec<InterfaceNames>,
}

/// A package in Python.
#[derive(Debug)]
pub struct PackageNames {
    /// `org`, `example`, `data`.
    pub parts: Vec<String>,
    /// The alias under which other packages import its `_types` and its `_binary`.
    pub types_alias: String,
    pub binary_alias: String,
    pub text_alias: String,
    /// In declared order.
    pub types: Vec<TypeId>,
    /// Indices into the model's interfaces.
    pub interfaces: Vec<usize>,
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
    /// For a union, the functions that read one, each with the method of its type (`from_xml`).
    pub readers: Vec<(String, &'static str)>,
}

/// The names of an interface.
#[derive(Debug, Default)]
pub struct InterfaceNames {
    pub client: String,
    pub async_client: String,
    /// The constant with its description.
    pub constant: String,
    pub methods: Vec<MethodNames>,
}

impl InterfaceNames {
    /// The constant of `creo_text` with the interface's methods.
    pub fn methods_constant(&self) -> String {
        format!("{}_METHODS", self.constant.trim_start_matches('_'))
    }
}

/// The names of a method.
#[derive(Debug)]
pub struct MethodNames {
    pub method: String,
    /// The constant with its description.
    pub constant: String,
    /// For functions: `encode_<function>_arguments`.
    pub function: String,
    pub parameters: Vec<String>,
}

/// Decides all names of a model.
pub fn name_all(model: &Model) -> AllNames {
    let packages = name_packages(model);
    let mut types: Vec<TypeNames> = model.types.iter().map(|_| TypeNames::default()).collect();
    let mut interfaces: Vec<InterfaceNames> =
        model.interfaces.iter().map(|_| InterfaceNames::default()).collect();
    for package in &packages {
        name_package(model, package, &mut types, &mut interfaces);
    }
    AllNames { packages, types, interfaces }
}

/// No `PackageScopes`, which is for languages in which packages may be called alike and then share one scope of classes. A package of Python is a
/// folder of its own, so its path is unlike all others; within it classes, functions and constants each have a scope, which [`name_package`] makes.
fn name_packages(model: &Model) -> Vec<PackageNames> {
    let mut paths = Names::new(|_| false);
    let mut aliases = Names::new(|name| matches!(name, "_creo" | "_columns" | "_streams"));
    let mut packages: Vec<PackageNames> = model
        .packages
        .iter()
        .map(|package| {
            let path = paths.give(&package.name, &package_parts(package.name_for(TARGET)).join("."));
            let parts: Vec<String> = path.split('.').map(str::to_owned).collect();
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

fn name_package(
    model: &Model,
    package: &PackageNames,
    types: &mut [TypeNames],
    interfaces: &mut [InterfaceNames],
) {
    let own = &package.types;
    // The exported names: declared types first, so derived names give way.
    let mut exported = Kind::Type.scope();
    let wanted = own.iter().map(|id| model.ty(*id));
    let wanted = wanted.map(|decl| (decl.name.as_str(), Kind::Type.wanted(&decl.name, &decl.notes)));
    let classes = exported.give_all(wanted);
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
                names.helpers = names
                    .members
                    .iter()
                    .map(|m| {
                        setters.give(&format!("{} {m}", decl.name), &format!("_set_{}_{m}", names.function))
                    })
                    .collect();
            }
            TypeKind::Enum(all) => {
                names.members = Kind::Constant.name_all(all.iter().map(|c| (c.name.as_str(), &c.notes)))
            }
            TypeKind::Union(members) => {
                names.members = Kind::Field.name_all(members.iter().map(|m| (m.name.as_str(), &m.notes)));
                names.helpers = members
                    .iter()
                    .map(|m| {
                        exported.give(
                            &format!("{}.{}", decl.name, m.name),
                            &format!("{class}{}", Kind::Type.wanted(&m.name, &m.notes)),
                        )
                    })
                    .collect();
                let words = ["from_bytes", "from_json", "from_tdxml", "from_xml"];
                names.readers = words
                    .map(|word| {
                        (exported.give(&format!("{} {word}", decl.name), &format!("{snake}_{word}")), word)
                    })
                    .to_vec();
            }
        }
    }
    // The functions of methods are in one file with those of types.
    let mut method_functions = Names::new(|_| false);
    for id in own {
        for ending in ["_arguments", "_result", "_items"] {
            if let Some(method) = types[id.0].function.strip_suffix(ending) {
                method_functions.take(method);
            }
        }
    }
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
                let key = format!("{}.{}", interface.name, m.name);
                let function = method_functions.give(&key, &format!("{snake}_{method}"));
                MethodNames {
                    constant: constants.give(&key, &format!("_{}", function.to_ascii_uppercase())),
                    function,
                    parameters: Kind::Parameter
                        .name_all(m.parameters.iter().map(|p| (p.name.as_str(), &p.notes))),
                    method,
                }
            })
            .collect();
        interfaces[*index] = InterfaceNames {
            client: exported.give(&format!("{} client", interface.name), &format!("{base}Client")),
            async_client: exported
                .give(&format!("{} async client", interface.name), &format!("Async{base}Client")),
            constant: constants.give(
                &format!("{} interface", interface.name),
                &format!("_{}_INTERFACE", snake.to_ascii_uppercase()),
            ),
            methods,
        };
    }
}

/// The words of a class's name, for functions and constants.
fn snake_of(class: &str) -> String {
    let trailing = class.len() - class.trim_end_matches('_').len();
    let mut snake = Kind::Field.wanted(class, &Notes::default());
    snake.push_str(&"_".repeat(trailing));
    snake
}
