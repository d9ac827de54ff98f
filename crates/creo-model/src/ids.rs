//! Signatures, method ids, fingerprints and recursive types (`spec/model.md`, sections 1 and 3).

use crate::graph::{components, on_cycles};
use crate::model::{Field, Interface, Method, Model, Type, TypeId, TypeKind};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// MODEL-4, MODEL-5, MODEL-20: sets recursive types, method ids and interface fingerprints.
pub fn set_ids(model: &mut Model) {
    let edges: Vec<Vec<usize>> = model.type_ids().map(|id| held_by(model, id)).collect();
    for (decl, recursive) in model.types.iter_mut().zip(on_cycles(&edges)) {
        decl.recursive = recursive;
    }
    let texts = Texts::new(model, edges);
    let ids: Vec<(Vec<u64>, u64)> = model
        .interfaces
        .iter()
        .map(|interface| {
            let ids: Vec<u64> =
                interface.methods.iter().map(|method| id_of(&texts.method(interface, method))).collect();
            let fingerprint = fingerprint(&model.interface_name(interface), &ids);
            (ids, fingerprint)
        })
        .collect();
    for (interface, (ids, fingerprint)) in model.interfaces.iter_mut().zip(ids) {
        interface.fingerprint = fingerprint;
        interface.methods.iter_mut().zip(ids).for_each(|(method, id)| method.id = id);
    }
}

/// MODEL-4: the text of a method. Its cost is that of the whole model.
pub fn method_text(model: &Model, interface: &Interface, method: &Method) -> String {
    Texts::of(model).method(interface, method)
}

fn id_of(text: &str) -> u64 {
    Sha256::digest(text.as_bytes()).iter().take(8).fold(0, |id, byte| id << 8 | u64::from(*byte))
}

/// MODEL-5.
fn fingerprint(name: &str, ids: &[u64]) -> u64 {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    let mut text = format!("{name}\n");
    for id in ids {
        text.push_str(&format!("{id:016x}\n"));
    }
    id_of(&text)
}

/// The types that a declaration's fields or members refer to, through arrays, optionals and maps.
fn held_by(model: &Model, id: TypeId) -> Vec<usize> {
    model.ty(id).fields().iter().flat_map(|field| field.ty.names()).map(|id| id.0).collect()
}

/// The parts of the texts of a model's methods. Their total length is that of the description with full names.
pub struct Texts<'m> {
    model: &'m Model,
    names: Vec<String>,
    /// The rank of each type by full name in code point order, which is the order of UTF-8 bytes.
    ranks: Vec<usize>,
    /// MODEL-3: the hash of each type's group in lower-case hexadecimal.
    hashes: Vec<String>,
}

impl Texts<'_> {
    pub fn of(model: &Model) -> Texts<'_> {
        Texts::new(model, model.type_ids().map(|id| held_by(model, id)).collect())
    }

    /// MODEL-3: the hash of the type's group.
    pub fn hash(&self, id: TypeId) -> &str {
        &self.hashes[id.0]
    }

    /// `edges` lists the types that each type's fields or members refer to.
    fn new(model: &Model, mut edges: Vec<Vec<usize>>) -> Texts<'_> {
        let names: Vec<String> = model.type_ids().map(|id| model.full_name(id)).collect();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_unstable_by_key(|index| &names[*index]);
        let mut ranks = vec![0; names.len()];
        order.iter().enumerate().for_each(|(rank, index)| ranks[*index] = rank);
        // An extensible type counts only by its name.
        edges
            .iter_mut()
            .zip(&model.types)
            .filter(|(_, decl)| decl.extensible)
            .for_each(|(mentioned, _)| mentioned.clear());
        let mut texts = Texts { model, hashes: vec![String::new(); names.len()], names, ranks };
        for mut group in components(&edges) {
            texts.sort(&mut group);
            let mut text: String =
                group.iter().map(|index| texts.declaration(TypeId(*index)) + "\n").collect();
            // The types that a group mentions have hashes already, except those in the group.
            let outside = group
                .iter()
                .flat_map(|index| &edges[*index])
                .copied()
                .filter(|index| !texts.hashes[*index].is_empty());
            texts.uses(outside.collect(), &mut text);
            let hash = hexadecimal(&Sha256::digest(text.as_bytes()));
            group.iter().for_each(|index| texts.hashes[*index].clone_from(&hash));
        }
        texts
    }

    fn method(&self, interface: &Interface, method: &Method) -> String {
        let mentioned = method.names().map(|id| id.0).collect();
        let mut text = self.signature(interface, method) + "\n";
        self.uses(mentioned, &mut text);
        text
    }

    /// MODEL-3: a line for each of the types.
    fn uses(&self, mut types: Vec<usize>, text: &mut String) {
        self.sort(&mut types);
        types.dedup();
        for index in types {
            text.extend(["uses ", &self.names[index], " ", &self.hashes[index], "\n"]);
        }
    }

    fn sort(&self, types: &mut [usize]) {
        types.sort_unstable_by_key(|index| self.ranks[*index]);
    }

    /// MODEL-2: the signature of a method.
    pub fn signature(&self, interface: &Interface, method: &Method) -> String {
        let parameters: Vec<String> = method.parameters.iter().map(|field| self.field(field)).collect();
        let result = method.result.as_ref().map_or_else(|| "void".to_owned(), |ty| self.ty(ty));
        let result = if method.streams_result { format!("stream {result}") } else { result };
        let mut text = format!(
            "method {}.{}({})->{result}",
            self.model.interface_name(interface),
            method.name,
            parameters.join(",")
        );
        if !method.throws.is_empty() {
            let names: Vec<&str> = method.throws.iter().map(|id| self.names[id.0].as_str()).collect();
            text.push_str(&format!(" throws {}", names.join(",")));
        }
        if method.oneway {
            text.push_str(" oneway");
        }
        text
    }

    /// MODEL-2: the declaration of a type.
    pub fn declaration(&self, id: TypeId) -> String {
        let decl = self.model.ty(id);
        let kind = match &decl.kind {
            TypeKind::Struct(_) => "struct",
            TypeKind::Exception(_) => "exception",
            TypeKind::Enum(_) => "enum",
            TypeKind::Union(_) => "union",
        };
        let name = &self.names[id.0];
        if decl.extensible {
            return format!("extensible {kind} {name}");
        }
        let members: String = match &decl.kind {
            TypeKind::Struct(fields) | TypeKind::Exception(fields) | TypeKind::Union(fields) => {
                fields.iter().map(|field| self.field(field) + ";").collect()
            }
            TypeKind::Enum(constants) => {
                constants.iter().map(|c| format!("{}={};", c.name, c.number)).collect()
            }
        };
        format!("{kind} {name}{{{members}}}")
    }

    fn field(&self, field: &Field) -> String {
        let stream = if field.streams { "stream " } else { "" };
        format!("{stream}{} {}", self.ty(&field.ty), field.name)
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Primitive(primitive) => primitive.keyword().to_owned(),
            Type::Bytes => "byte[]".to_owned(),
            Type::Array(item) => self.ty(item) + "[]",
            Type::Optional(item) => self.ty(item) + "?",
            Type::Map(key, value) => format!("Map<{},{}>", self.ty(key), self.ty(value)),
            Type::Named(id) => self.names[id.0].clone(),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
