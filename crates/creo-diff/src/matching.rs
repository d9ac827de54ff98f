//! Matches the declarations of the old description with those of the new one.

use creo_model::{Interface, Method, Model, Type, TypeDecl, TypeId, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

pub struct Matching {
    /// New package names by old name.
    packages: BTreeMap<String, String>,
    /// The new type of each old type.
    types: Vec<Option<TypeId>>,
    old_types: BTreeSet<TypeId>,
    /// The new name of each old type, or its old name if it was removed.
    old_names: Vec<String>,
    new_names: Vec<String>,
    /// The new index of each old interface.
    interfaces: Vec<Option<usize>>,
    old_interfaces: BTreeSet<usize>,
}

impl Matching {
    pub fn new(old: &Model, new: &Model) -> Matching {
        let packages = match_packages(old, new);
        let new_names: Vec<String> = new.type_ids().map(|id| new.full_name(id)).collect();
        let by_name: BTreeMap<&str, TypeId> =
            new_names.iter().map(String::as_str).zip(new.type_ids()).collect();
        let renamed_package = |decl: &TypeDecl| {
            let package = &old.package(decl.package).name;
            packages.get(package).unwrap_or(package).clone()
        };
        let mut old_names: Vec<String> =
            old.types.iter().map(|decl| format!("{}.{}", renamed_package(decl), decl.name)).collect();
        let mut types: Vec<Option<TypeId>> =
            old_names.iter().map(|name| by_name.get(name.as_str()).copied()).collect();
        let mut old_types: BTreeSet<TypeId> = types.iter().flatten().copied().collect();
        // A removed type and a new one are the same, renamed, if only these two have the same content.
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
        let by_name: BTreeMap<(&str, &str), usize> = new
            .interfaces
            .iter()
            .enumerate()
            .map(|(index, i)| ((new.package(i.package).name.as_str(), i.name.as_str()), index))
            .collect();
        let new_interface = |interface: &Interface| {
            let package = &old.package(interface.package).name;
            by_name
                .get(&(packages.get(package).unwrap_or(package).as_str(), interface.name.as_str()))
                .copied()
        };
        let interfaces: Vec<Option<usize>> = old.interfaces.iter().map(new_interface).collect();
        let old_interfaces = interfaces.iter().flatten().copied().collect();
        Matching { packages, types, old_types, old_names, new_names, interfaces, old_interfaces }
    }

    /// The new name of a package if it still exists.
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

    /// The text of an old type with names of the new description.
    pub fn old_type(&self, ty: &Type) -> String {
        type_text(ty, &self.old_names)
    }

    pub fn new_type(&self, ty: &Type) -> String {
        type_text(ty, &self.new_names)
    }

    /// The index of the new interface.
    pub fn interface(&self, old: usize) -> Option<usize> {
        self.interfaces[old]
    }

    pub fn is_old_interface(&self, new: usize) -> bool {
        self.old_interfaces.contains(&new)
    }

    /// The new index of each old method: that with the same name, or else the only new one with the same signature.
    pub fn methods(&self, before: &Interface, after: &Interface) -> Vec<Option<usize>> {
        let by_name: BTreeMap<&str, usize> =
            after.methods.iter().enumerate().map(|(index, method)| (method.name.as_str(), index)).collect();
        let mut pairs: Vec<Option<usize>> =
            before.methods.iter().map(|method| by_name.get(method.name.as_str()).copied()).collect();
        let kept: BTreeSet<usize> = pairs.iter().flatten().copied().collect();
        let mut added: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, method) in after.methods.iter().enumerate().filter(|(index, _)| !kept.contains(index)) {
            added.entry(nameless(method, &self.new_names)).or_default().push(index);
        }
        let mut lost: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, method) in before.methods.iter().enumerate().filter(|(index, _)| pairs[*index].is_none())
        {
            lost.entry(nameless(method, &self.old_names)).or_default().push(index);
        }
        for (signature, lost) in lost {
            if let ([old], Some([new])) = (lost.as_slice(), added.get(&signature).map(Vec::as_slice)) {
                pairs[*old] = Some(*new);
            }
        }
        pairs
    }
}

/// The type of a parameter or result, by the type of its value or of its items.
pub fn streamed(is_stream: bool, ty: String) -> String {
    if is_stream { format!("stream {ty}") } else { ty }
}

/// The signature of a method (MODEL-2), without its name.
fn nameless(method: &Method, names: &[String]) -> String {
    let parameters: Vec<String> = method
        .parameters
        .iter()
        .map(|p| format!("{} {}", streamed(p.streams, type_text(&p.ty, names)), p.name))
        .collect();
    let result = method.result.as_ref().map_or_else(|| "void".to_owned(), |ty| type_text(ty, names));
    let result = streamed(method.streams_result, result);
    let throws: Vec<&str> = method.throws.iter().map(|id| names[id.0].as_str()).collect();
    format!("({})->{result} throws {} {}", parameters.join(","), throws.join(","), method.oneway)
}

/// A removed package matches the new one that shares the most names with it.
fn match_packages(old: &Model, new: &Model) -> BTreeMap<String, String> {
    let (old_names, new_names) = (names_by_package(old), names_by_package(new));
    let has = |model: &Model| -> BTreeSet<String> {
        model.packages.iter().map(|package| package.name.clone()).collect()
    };
    let (in_old, in_new) = (has(old), has(new));
    let mut added: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, _) in new.packages.iter().enumerate().filter(|(_, package)| !in_old.contains(&package.name)) {
        new_names[index].iter().for_each(|name| added.entry(name).or_default().push(index));
    }
    let mut matched: BTreeMap<String, String> = BTreeMap::new();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for (package, names) in old.packages.iter().zip(&old_names) {
        if in_new.contains(&package.name) {
            matched.insert(package.name.clone(), package.name.clone());
            continue;
        }
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for index in
            names.iter().filter_map(|name| added.get(name)).flatten().filter(|index| !taken.contains(index))
        {
            *shared.entry(*index).or_default() += 1;
        }
        if let Some((index, _)) = shared.into_iter().max_by_key(|(index, count)| (*count, usize::MAX - index))
        {
            taken.insert(index);
            matched.insert(package.name.clone(), new.packages[index].name.clone());
        }
    }
    matched
}

/// The names of types and interfaces in each package.
fn names_by_package(model: &Model) -> Vec<BTreeSet<&str>> {
    let mut names = vec![BTreeSet::new(); model.packages.len()];
    let types = model.types.iter().map(|decl| (decl.package, decl.name.as_str()));
    for (package, name) in types.chain(model.interfaces.iter().map(|decl| (decl.package, decl.name.as_str())))
    {
        names[package.0].insert(name);
    }
    names
}

/// The content of a type, without its name.
fn content(model: &Model, id: TypeId, names: &[String]) -> String {
    let decl = model.ty(id);
    let members = match &decl.kind {
        TypeKind::Enum(constants) => {
            constants.iter().map(|c| format!("{}={};", c.name, c.number)).collect::<String>()
        }
        TypeKind::Struct(fields) | TypeKind::Exception(fields) | TypeKind::Union(fields) => {
            fields.iter().map(|f| format!("{} {};", self_text(&f.ty, id, names), f.name)).collect()
        }
    };
    format!("{:?} {} {members}", std::mem::discriminant(&decl.kind), decl.extensible)
}

/// The text of a type in which a reference to itself does not depend on its name.
fn self_text(ty: &Type, itself: TypeId, names: &[String]) -> String {
    match ty {
        Type::Named(id) if *id == itself => "itself".to_owned(),
        Type::Array(item) => self_text(item, itself, names) + "[]",
        Type::Optional(item) => self_text(item, itself, names) + "?",
        Type::Map(key, value) => {
            format!("Map<{},{}>", self_text(key, itself, names), self_text(value, itself, names))
        }
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
