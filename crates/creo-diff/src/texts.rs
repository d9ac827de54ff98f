//! The XML mapping of the two descriptions.

use creo_check::CheckedModel;
use creo_model::{Model, Type, TypeId, TypeKind, XmlWord};
use creo_plan::Plan;
use std::collections::BTreeSet;

/// The XML mapping of the two descriptions.
pub struct Texts<'m> {
    pub old: &'m Plan,
    pub new: &'m Plan,
    /// Types whose names are sent: exceptions, and the members of derived unions.
    old_named: BTreeSet<TypeId>,
    new_named: BTreeSet<TypeId>,
    /// Types that are used inline somewhere, so their order matters.
    old_inline: BTreeSet<TypeId>,
    new_inline: BTreeSet<TypeId>,
}

impl<'m> Texts<'m> {
    pub fn new(old: &'m CheckedModel, new: &'m CheckedModel) -> Texts<'m> {
        Texts {
            old_named: named_types(old),
            new_named: named_types(new),
            old_inline: inline_types(old),
            new_inline: inline_types(new),
            old: old.plan(),
            new: new.plan(),
        }
    }

    /// Whether the name of a type is sent.
    pub fn is_named(&self, before: TypeId, after: TypeId) -> bool {
        self.old_named.contains(&before) || self.new_named.contains(&after)
    }

    /// Whether a type is used inline somewhere, so its order matters.
    pub fn is_inline(&self, before: TypeId, after: TypeId) -> bool {
        self.old_inline.contains(&before) || self.new_inline.contains(&after)
    }
}

fn named_types(model: &Model) -> BTreeSet<TypeId> {
    let mut named = BTreeSet::new();
    for id in model.type_ids() {
        let decl = model.ty(id);
        match &decl.kind {
            TypeKind::Exception(_) => _ = named.insert(id),
            TypeKind::Union(members) if decl.notes.xml().has(XmlWord::Derived) => {
                named.extend(
                    members
                        .iter()
                        .filter_map(|member| if let Type::Named(id) = member.ty { Some(id) } else { None }),
                );
            }
            TypeKind::Struct(_) | TypeKind::Union(_) | TypeKind::Enum(_) => {}
        }
    }
    named
}

fn inline_types(model: &Model) -> BTreeSet<TypeId> {
    let fields = model.types.iter().flat_map(|decl| decl.fields());
    let parameters = model
        .interfaces
        .iter()
        .flat_map(|interface| &interface.methods)
        .flat_map(|method| &method.parameters);
    let results = model
        .interfaces
        .iter()
        .flat_map(|interface| &interface.methods)
        .filter(|method| method.result_xml().has(XmlWord::Inline));
    let said = fields
        .chain(parameters)
        .filter(|field| field.notes.xml().has(XmlWord::Inline))
        .map(|field| &field.ty);
    said.chain(results.filter_map(|method| method.result.as_ref())).filter_map(inner).collect()
}

fn inner(ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Named(id) => Some(*id),
        Type::Array(item) | Type::Optional(item) => inner(item),
        Type::Primitive(_) | Type::Bytes | Type::Map(..) => None,
    }
}
