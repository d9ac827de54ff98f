//! Which declaration of the old description is which of the new one.

use crate::model::{Interface, Method, Model, Type, TypeDecl, TypeId, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

pub struct Matching {
    /// Old package name to new.
    packages: BTreeMap<String, String>,
    /// For each old type its new one.
    types: Vec<Option<TypeId>>,
    old_types: BTreeSet<TypeId>,
    /// For each old type its name in the new description, or its own if it is gone.
    old_names: Vec<String>,
    new_names: Vec<String>,
}

impl Matching {
    pub fn new(old: &Model, new: &Model) -> Matching {
        let packages = match_packages(old, new);
        let new_names: Vec<String> = new.type_ids().map(|id| new.full_name(id)).collect();
        let by_name: BTreeMap<&str, TypeId> = new_names.iter().map(String::as_str).zip(new.type_ids()).collect();
        let renamed_package = |decl: &TypeDecl| {
            let package = &old.package(decl.package).name;
            packages.get(package).unwrap_or(package).clone()
        };
        let mut old_names: Vec<String> = old.types.iter().map(|decl| format!("{}.{}", renamed_package(decl), decl.name)).collect();
        let mut types: Vec<Option<TypeId>> = old_names.iter().map(|name| by_name.get(name.as_str()).copied()).collect();
        let mut old_types: BTreeSet<TypeId> = types.iter().flatten().copied().collect();
        // A type that is gone and one that is new are the same under another name if they hold the same, and no other does.
        let gone: Vec<usize> = (0..types.len()).filter(|index| types[*index].is_none()).collect();
        let mut added: BTreeMap<String, Vec<TypeId>> = BTreeMap::new();
        for id in new.type_ids().filter(|id| !old_types.contains(id)) {
            added.entry(content(new, id, &new_names)).or_default().push(id);
        }
        let mut lost: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for index in gone {
            lost.entry(content(old, TypeId(index), &old_names)).or_default().push(index);
        }
        for (content, lost) in lost {
            if let ([index], Some([id])) = (lost.as_slice(), added.get(&content).map(Vec::as_slice)) {
                types[*index] = Some(*id);
                old_types.insert(*id);
                old_names[*index] = new_names[id.0].clone();
            }
        }
        Matching { packages, types, old_types, old_names, new_names }
    }

    /// The new name of a package, if it is still there.
    pub fn package(&self, name: &str) -> Option<&str> {
        self.packages.get(name).map(String::as_str)
    }

    pub fn ty(&self, old: TypeId) -> Option<TypeId> {
        self.types[old.0]
    }

    pub fn is_old_type(&self, new: TypeId) -> bool {
        self.old_types.contains(&new)
    }

    /// The name of an old type in the new description.
    pub fn old_name(&self, id: TypeId) -> String {
        self.old_names[id.0].clone()
    }

    pub fn new_name(&self, id: TypeId) -> String {
        self.new_names[id.0].clone()
    }

    /// The text of an old type in the words of the new description.
    pub fn old_type(&self, ty: &Type) -> String {
        type_text(ty, &self.old_names)
    }

    pub fn new_type(&self, ty: &Type) -> String {
        type_text(ty, &self.new_names)
    }

    /// The index of the new interface.
    pub fn interface(&self, old: &Model, new: &Model, interface: &Interface) -> Option<usize> {
        let package = &old.package(interface.package).name;
        let package = self.packages.get(package).unwrap_or(package);
        new.interfaces.iter().position(|other| other.name == interface.name && new.package(other.package).name == *package)
    }

    pub fn is_old_interface(&self, old: &Model, new: &Model, interface: &Interface) -> bool {
        old.interfaces.iter().any(|other| self.interface(old, new, other).is_some_and(|index| std::ptr::eq(&new.interfaces[index], interface)))
    }

    /// For each old method the index of the new one: of the same name, or else one that is new, has the same signature, and is the only such.
    pub fn methods(&self, before: &Interface, after: &Interface) -> Vec<Option<usize>> {
        let mut pairs: Vec<Option<usize>> =
            before.methods.iter().map(|method| after.methods.iter().position(|other| other.name == method.name)).collect();
        let added: Vec<usize> = (0..after.methods.len()).filter(|index| !pairs.contains(&Some(*index))).collect();
        let signature = |method: &Method, names: &[String]| {
            let parameters: Vec<String> = method.parameters.iter().map(|p| format!("{} {}", type_text(&p.ty, names), p.name)).collect();
            let throws: Vec<&String> = method.throws.iter().map(|id| &names[id.0]).collect();
            (parameters, method.result.as_ref().map(|ty| type_text(ty, names)), throws.into_iter().cloned().collect::<Vec<_>>(), method.oneway)
        };
        for index in 0..pairs.len() {
            if pairs[index].is_some() {
                continue;
            }
            let wanted = signature(&before.methods[index], &self.old_names);
            let same: Vec<usize> = added.iter().copied().filter(|at| signature(&after.methods[*at], &self.new_names) == wanted).collect();
            let rivals = (0..pairs.len()).filter(|at| pairs[*at].is_none() && signature(&before.methods[*at], &self.old_names) == wanted).count();
            if let ([only], 1) = (same.as_slice(), rivals) {
                pairs[index] = Some(*only);
            }
        }
        pairs
    }
}

/// A package that is gone is the one that is new and shares the most names with it.
fn match_packages(old: &Model, new: &Model) -> BTreeMap<String, String> {
    let names_in = |model: &Model, package: &str| -> BTreeSet<String> {
        let types = model.types.iter().filter(|decl| model.package(decl.package).name == package).map(|decl| decl.name.clone());
        let interfaces = model.interfaces.iter().filter(|decl| model.package(decl.package).name == package).map(|decl| decl.name.clone());
        types.chain(interfaces).collect()
    };
    let mut matched: BTreeMap<String, String> = BTreeMap::new();
    let has = |model: &Model, name: &str| model.packages.iter().any(|package| package.name == name);
    let mut added: Vec<&str> = new.packages.iter().map(|p| p.name.as_str()).filter(|name| !has(old, name)).collect();
    for package in &old.packages {
        if has(new, &package.name) {
            matched.insert(package.name.clone(), package.name.clone());
            continue;
        }
        let names = names_in(old, &package.name);
        let best = added
            .iter()
            .enumerate()
            .map(|(at, name)| (names_in(new, name).intersection(&names).count(), at))
            .max_by_key(|(shared, at)| (*shared, usize::MAX - at));
        if let Some((shared, at)) = best
            && shared > 0
        {
            matched.insert(package.name.clone(), added.remove(at).to_owned());
        }
    }
    matched
}

/// What a type holds, without its name.
fn content(model: &Model, id: TypeId, names: &[String]) -> String {
    let decl = model.ty(id);
    let members = match &decl.kind {
        TypeKind::Enum(constants) => constants.iter().map(|c| format!("{}={};", c.name, c.number)).collect::<String>(),
        TypeKind::Struct(fields) | TypeKind::Exception(fields) | TypeKind::Union(fields) => {
            fields.iter().map(|f| format!("{} {};", self_text(&f.ty, id, names), f.name)).collect()
        }
    };
    format!("{:?} {} {members}", std::mem::discriminant(&decl.kind), decl.extensible)
}

/// The text of a type in which the type itself is called the same whatever its name.
fn self_text(ty: &Type, itself: TypeId, names: &[String]) -> String {
    match ty {
        Type::Named(id) if *id == itself => "itself".to_owned(),
        Type::Array(item) => self_text(item, itself, names) + "[]",
        Type::Optional(item) => self_text(item, itself, names) + "?",
        Type::Map(key, value) => format!("Map<{},{}>", self_text(key, itself, names), self_text(value, itself, names)),
        Type::Primitive(_) | Type::Bytes | Type::Named(_) => type_text(ty, names),
    }
}

/// MODEL-2's text of a type, with the given names.
fn type_text(ty: &Type, names: &[String]) -> String {
    match ty {
        Type::Primitive(primitive) => primitive.keyword().to_owned(),
        Type::Bytes => "byte[]".to_owned(),
        Type::Array(item) => type_text(item, names) + "[]",
        Type::Optional(item) => type_text(item, names) + "?",
        Type::Map(key, value) => format!("Map<{},{}>", type_text(key, names), type_text(value, names)),
        Type::Named(id) => names[id.0].clone(),
    }
}
