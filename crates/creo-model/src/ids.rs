//! Signatures, method ids, fingerprints, and which types are recursive (`spec/model.md`, sections 1 and 3).

use crate::graph::on_cycles;
use crate::mistakes::{DuplicateId, TextsTooLarge};
use crate::model::{Field, Interface, Method, Model, Type, TypeId, TypeKind};
use crate::resolve::Resolved;
use creo_diag::{Report, Span};
use creo_syntax::DeclarationKind;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// LIM-17: the texts of all methods of a description, in bytes. They are hashed one after the other and never kept.
pub const MAX_TEXTS: u64 = 2 << 30;

/// MODEL-4, MODEL-5, MODEL-20: completes a model without mistakes.
pub fn set_ids(resolved: &mut Resolved, report: &mut Report) {
    let model = &mut resolved.model;
    let edges: Vec<Vec<usize>> = model.type_ids().map(|id| held_by(model, id)).collect();
    for (decl, recursive) in model.types.iter_mut().zip(on_cycles(&edges)) {
        decl.recursive = recursive;
    }
    let texts = Texts::new(model);
    let mut total = 0u64;
    for (interface, tree) in model.interfaces.iter().zip(&resolved.interfaces) {
        total += interface.methods.iter().map(|method| texts.size(interface, method)).sum::<u64>();
        if total > MAX_TEXTS {
            report.add(&TextsTooLarge { span: tree.name.span });
            return;
        }
    }
    let ids: Vec<(Vec<u64>, u64)> = model
        .interfaces
        .iter()
        .map(|interface| {
            let ids: Vec<u64> = interface.methods.iter().map(|method| texts.id(interface, method)).collect();
            let fingerprint = fingerprint(&model.interface_name(interface), &ids);
            (ids, fingerprint)
        })
        .collect();
    let mut seen: BTreeMap<u64, Span> = BTreeMap::new();
    for ((interface, tree), (ids, fingerprint)) in model.interfaces.iter_mut().zip(&resolved.interfaces).zip(ids) {
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        interface.fingerprint = fingerprint;
        for ((method, tree), id) in interface.methods.iter_mut().zip(trees).zip(ids) {
            method.id = id;
            if let Some(first) = seen.insert(id, tree.name.span) {
                report.add(&DuplicateId { span: tree.name.span, first, name: method.name.clone() });
            }
        }
    }
}

/// MODEL-3: the text of a method.
pub fn method_text(model: &Model, interface: &Interface, method: &Method) -> String {
    Texts::new(model).method(interface, method)
}

fn id_of<'t>(parts: impl IntoIterator<Item = &'t str>) -> u64 {
    let mut hash = Sha256::new();
    parts.into_iter().for_each(|part| hash.update(part.as_bytes()));
    hash.finalize().iter().take(8).fold(0, |id, byte| id << 8 | u64::from(*byte))
}

/// MODEL-5.
fn fingerprint(name: &str, ids: &[u64]) -> u64 {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    let mut text = format!("{name}\n");
    for id in ids {
        text.push_str(&format!("{id:016x}\n"));
    }
    id_of([text.as_str()])
}

/// The types that a declaration's fields or members name, through arrays, optionals and maps.
fn held_by(model: &Model, id: TypeId) -> Vec<usize> {
    let mut held = Vec::new();
    model.ty(id).fields().iter().for_each(|field| named(&field.ty, &mut held));
    held
}

fn named(ty: &Type, held: &mut Vec<usize>) {
    match ty {
        Type::Primitive(_) | Type::Bytes => {}
        Type::Array(item) | Type::Optional(item) => named(item, held),
        Type::Map(key, value) => {
            named(key, held);
            named(value, held);
        }
        Type::Named(id) => held.push(id.0),
    }
}

/// The texts of a model's types, made once, so that the text of a method is put together from parts.
struct Texts<'m> {
    model: &'m Model,
    names: Vec<String>,
    /// The signature of each type and a line feed.
    declarations: Vec<String>,
    /// The types that each type reaches in one step (MODEL-3): none for an extensible one.
    reached: Vec<Vec<usize>>,
    /// The place of each type in the order of full names by code point, which is that of UTF-8 bytes.
    ranks: Vec<usize>,
}

impl Texts<'_> {
    fn new(model: &Model) -> Texts<'_> {
        let names: Vec<String> = model.type_ids().map(|id| model.full_name(id)).collect();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_unstable_by_key(|index| &names[*index]);
        let mut ranks = vec![0; names.len()];
        order.iter().enumerate().for_each(|(rank, index)| ranks[*index] = rank);
        let reached = model.type_ids().map(|id| if model.ty(id).extensible { Vec::new() } else { held_by(model, id) }).collect();
        let mut texts = Texts { model, names, declarations: Vec::new(), reached, ranks };
        texts.declarations = model.type_ids().map(|id| texts.declaration(id) + "\n").collect();
        texts
    }

    fn id(&self, interface: &Interface, method: &Method) -> u64 {
        let signature = self.signature(interface, method);
        let types = self.reachable(method);
        id_of([signature.as_str(), "\n"].into_iter().chain(types.iter().map(|index| self.declarations[*index].as_str())))
    }

    fn method(&self, interface: &Interface, method: &Method) -> String {
        let types: String = self.reachable(method).iter().map(|index| self.declarations[*index].as_str()).collect();
        format!("{}\n{types}", self.signature(interface, method))
    }

    fn size(&self, interface: &Interface, method: &Method) -> u64 {
        let types: usize = self.reachable(method).iter().map(|index| self.declarations[*index].len()).sum();
        (self.signature(interface, method).len() + 1 + types) as u64
    }

    /// MODEL-3: the types that a method's text holds, in their order.
    fn reachable(&self, method: &Method) -> Vec<usize> {
        let mut work = Vec::new();
        method.parameters.iter().map(|p| &p.ty).chain(&method.result).for_each(|ty| named(ty, &mut work));
        work.extend(method.throws.iter().map(|id| id.0));
        let mut seen = vec![false; self.names.len()];
        let mut all = Vec::new();
        while let Some(index) = work.pop() {
            if !std::mem::replace(&mut seen[index], true) {
                all.push(index);
                work.extend(&self.reached[index]);
            }
        }
        all.sort_unstable_by_key(|index| self.ranks[*index]);
        all
    }

    fn signature(&self, interface: &Interface, method: &Method) -> String {
        let parameters: Vec<String> = method.parameters.iter().map(|field| self.field(field)).collect();
        let result = method.result.as_ref().map_or_else(|| "void".to_owned(), |ty| self.ty(ty));
        let mut text = format!("method {}.{}({})->{result}", self.model.interface_name(interface), method.name, parameters.join(","));
        if !method.throws.is_empty() {
            let names: Vec<&str> = method.throws.iter().map(|id| self.names[id.0].as_str()).collect();
            text.push_str(&format!(" throws {}", names.join(",")));
        }
        if method.oneway {
            text.push_str(" oneway");
        }
        text
    }

    fn declaration(&self, id: TypeId) -> String {
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
            TypeKind::Enum(constants) => constants.iter().map(|c| format!("{}={};", c.name, c.number)).collect(),
        };
        format!("{kind} {name}{{{members}}}")
    }

    fn field(&self, field: &Field) -> String {
        format!("{} {}", self.ty(&field.ty), field.name)
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
