//! The names of classes and files. Packages that share a namespace share its names.

use crate::names;
use crate::names_scope::Class;
use creo_check::CheckedModel;
use creo_codegen::{Names, PackageScopes};
use creo_model::{Field, Notes, PackageId, TypeDecl, TypeKind};

/// The names of all classes, by index of the type and of the interface.
pub struct TopNames {
    /// The namespace of the runtime.
    pub runtime: String,
    /// By index of the package.
    pub namespaces: Vec<String>,
    /// The class of a type, its codec, and its text description.
    pub types: Vec<[File; 3]>,
    /// The class of an interface's descriptors, its client, and its methods' text descriptions.
    pub services: Vec<[File; 3]>,
}

/// A class with its file, without the extension.
#[derive(Clone, Debug)]
pub struct File {
    pub class: Class,
    pub path: String,
}

/// The name from `@Name`, if it is a C# name, or the declared one in C#'s style.
pub fn wanted(name: &str, notes: &Notes, style: fn(&str) -> String) -> String {
    names::own(notes.target_name(names::TARGET)).unwrap_or_else(|| style(name))
}

/// The names of fields or members in a scope.
pub fn give_all<'a>(scope: &mut Names, fields: impl IntoIterator<Item = &'a Field>) -> Vec<String> {
    scope.give_all(fields.into_iter().map(|f| (f.name.as_str(), wanted(&f.name, &f.notes, names::pascal))))
}

/// The names of an enum's constants; none for another type.
pub fn constants(decl: &TypeDecl) -> Vec<String> {
    match &decl.kind {
        TypeKind::Enum(constants) => {
            let wanted =
                constants.iter().map(|c| (c.name.as_str(), wanted(&c.name, &c.notes, names::pascal)));
            Names::new(names::is_enum_member).give_all(wanted)
        }
        TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) => Vec::new(),
    }
}

/// The project is named after the package with services, or else the one that declares the first type.
pub fn project(model: &CheckedModel, namespaces: &[String]) -> String {
    let first = model.interfaces.first().map(|i| i.package).or(model.types.first().map(|t| t.package));
    first.map_or("Service".to_owned(), |package| namespaces[package.0].clone())
}

fn wanted_class(decl: &TypeDecl) -> String {
    let exception = |name: &str| {
        let name = names::pascal(name);
        if name.ends_with("Exception") { name } else { name + "Exception" }
    };
    match decl.kind {
        TypeKind::Exception(_) => wanted(&decl.name, &decl.notes, exception),
        TypeKind::Struct(_) | TypeKind::Enum(_) | TypeKind::Union(_) => {
            wanted(&decl.name, &decl.notes, names::pascal)
        }
    }
}

pub fn name_all(model: &CheckedModel, runtime: &str) -> TopNames {
    let of = |package: &creo_model::Package| {
        let given = package.targets.iter().any(|(target, _)| target == names::TARGET);
        names::namespace(package.name_for(names::TARGET), given)
    };
    let namespaces: Vec<String> = model.packages.iter().map(of).collect();
    let mut scopes = PackageScopes::new(namespaces, &[runtime], || Names::new(names::is_reserved_type));
    let mut give = |package: PackageId, key: &str, wanted: &str| Class {
        namespace: scopes.package(package).to_owned(),
        name: scopes.give(package, key, wanted),
    };
    // First the types named as declared, then the other types, then the classes derived from them.
    let mut classes: Vec<Class> = vec![Class::default(); model.types.len()];
    for exact in [true, false] {
        for id in model.type_ids() {
            let decl = model.ty(id);
            let name = wanted_class(decl);
            if (name == decl.name) == exact {
                classes[id.0] = give(decl.package, &model.full_name(id), &name);
            }
        }
    }
    let with_helpers = |(id, class): (creo_model::TypeId, Class)| {
        let package = model.ty(id).package;
        let [codec, text] = [("codec", "Codec"), ("text", "Text")].map(|(what, end)| {
            let key = format!("{} {what}", model.full_name(id));
            give(package, &key, &format!("{}{end}", class.name))
        });
        [class, codec, text]
    };
    let types: Vec<[Class; 3]> = model.type_ids().zip(classes).map(with_helpers).collect();
    let of_service = |interface: &creo_model::Interface| {
        let name = wanted(&interface.name, &interface.notes, names::pascal);
        let key = model.interface_name(interface);
        [("methods", "Methods"), ("client", "Client"), ("texts", "Texts")]
            .map(|(what, end)| give(interface.package, &format!("{key} {what}"), &format!("{name}{end}")))
    };
    let services: Vec<[Class; 3]> = model.interfaces.iter().map(of_service).collect();
    // File names differ by more than case. Each is in the folder of its namespace.
    let mut paths = Names::new(names::never).ignoring_case();
    let mut file = |class: Class| {
        let wanted = format!("{}/{}", class.namespace, class.name);
        File { path: paths.give(&wanted, &wanted) + ".cs", class }
    };
    let types = types.into_iter().map(|all| all.map(&mut file)).collect();
    let services = services.into_iter().map(|all| all.map(&mut file)).collect();
    TopNames { runtime: runtime.to_owned(), namespaces: scopes.packages().to_vec(), types, services }
}
