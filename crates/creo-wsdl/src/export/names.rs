//! Which types an interface needs, what their schema types are called, and which prefixes stand for which namespaces.

use super::Problem;
use creo_model::text::{Field, Message, Name, TextPlan, Value, XML_NAMESPACE};
use creo_model::{Model, Type, TypeId, TypeKind, XmlWord};
use std::collections::{BTreeMap, BTreeSet};

/// The types that the methods of an interface reach, in the order of their declaration.
pub fn reachable(model: &Model, interface: usize) -> Vec<TypeId> {
    let mut work: Vec<TypeId> = Vec::new();
    for method in &model.interfaces[interface].methods {
        method.parameters.iter().for_each(|parameter| named(&parameter.ty, &mut work));
        method.result.iter().for_each(|ty| named(ty, &mut work));
        work.extend(&method.throws);
    }
    let mut found = BTreeSet::new();
    while let Some(id) = work.pop() {
        if found.insert(id) {
            model.ty(id).fields().iter().for_each(|field| named(&field.ty, &mut work));
        }
    }
    found.into_iter().collect()
}

fn named(ty: &Type, found: &mut Vec<TypeId>) {
    match ty {
        Type::Primitive(_) | Type::Bytes => {}
        Type::Array(item) | Type::Optional(item) => named(item, found),
        Type::Map(key, value) => {
            named(key, found);
            named(value, found);
        }
        Type::Named(id) => found.push(*id),
    }
}

/// The names of schema types: one each, also where a description calls two types the same, and where only the classes that others make of them
/// are called the same (`tree` and `Tree`).
pub struct TypeNames {
    names: BTreeMap<TypeId, Name>,
    /// By namespace, what is left of a name in that of a class.
    taken: BTreeSet<(Option<usize>, String)>,
    /// The same of all namespaces.
    classes: BTreeSet<String>,
}

impl TypeNames {
    pub fn new(model: &Model, plan: &TextPlan, types: &[TypeId]) -> Result<TypeNames, Problem> {
        let mut names = TypeNames { names: BTreeMap::new(), taken: BTreeSet::new(), classes: BTreeSet::new() };
        let mut on_wire: BTreeSet<&Name> = BTreeSet::new();
        // What `xsi:type` names is called as it is on the wire.
        for id in types {
            let decl = model.ty(*id);
            if !matches!(decl.kind, TypeKind::Union(_)) || !decl.notes.xml().has(XmlWord::Derived) {
                continue;
            }
            for member in decl.fields() {
                let Type::Named(member) = member.ty else { continue };
                let name = plan.type_name(member);
                if names.names.contains_key(&member) {
                    continue;
                }
                names.take(name);
                if !on_wire.insert(name) {
                    let namespace = name.namespace.map(|namespace| plan.namespaces()[namespace].clone()).unwrap_or_default();
                    return Err(Problem::SameType { name: name.local.clone(), namespace });
                }
                names.names.insert(member, name.clone());
            }
        }
        for id in types {
            // Those of exceptions have none: they are those of their elements.
            let is_exception = matches!(model.ty(*id).kind, TypeKind::Exception(_));
            if !is_exception && !names.names.contains_key(id) {
                let name = names.free(plan.type_name(*id));
                names.names.insert(*id, name);
            }
        }
        Ok(names)
    }

    pub fn get(&self, id: TypeId) -> &Name {
        &self.names[&id]
    }

    /// Takes the name, if no class of its namespace is called so.
    fn take(&mut self, name: &Name) -> bool {
        let class = class(name);
        self.classes.insert(class.clone());
        self.taken.insert((name.namespace, class))
    }

    /// Takes the name, if no class of any namespace is called so: they are often put into one package.
    pub fn take_alone(&mut self, name: &Name) -> bool {
        !self.classes.contains(&class(name)) && self.take(name)
    }

    /// The name, or one made of it that no type has.
    pub fn free(&mut self, wanted: &Name) -> Name {
        let mut name = wanted.clone();
        let mut count = 2;
        while !self.take(&name) {
            name.local = format!("{}_{count}", wanted.local);
            count += 1;
        }
        name
    }
}

/// What is left of a name in that of a class.
fn class(name: &Name) -> String {
    name.local.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The prefixes of all namespaces that an interface needs: `tns` is its own.
pub fn prefixes(plan: &TextPlan, interface: usize, types: &[TypeId]) -> BTreeMap<usize, String> {
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let text = plan.interface(interface);
    used.extend(text.namespace);
    for id in types {
        used.extend(plan.type_name(*id).namespace);
        plan.members(*id).iter().for_each(|field| of_field(field, &mut used));
    }
    for message in text.methods.iter().flat_map(|method| std::iter::once(&method.request).chain(&method.response)) {
        of_message(message, &mut used);
    }
    used.retain(|namespace| plan.namespaces()[*namespace] != XML_NAMESPACE);
    let others = used.iter().filter(|namespace| Some(**namespace) != text.namespace).enumerate();
    let mut prefixes: BTreeMap<usize, String> = others.map(|(index, namespace)| (*namespace, format!("n{}", index + 1))).collect();
    if let Some(namespace) = text.namespace {
        prefixes.insert(namespace, "tns".to_owned());
    }
    prefixes
}

fn of_message(message: &Message, used: &mut BTreeSet<usize>) {
    used.extend(message.element.namespace);
    message.record.fields.iter().for_each(|field| of_field(field, used));
}

fn of_field(field: &Field, used: &mut BTreeSet<usize>) {
    used.extend(field.xml.namespace);
    match &field.value {
        Value::Repeated(item) | Value::Wrapped(item) => of_field(item, used),
        // All others are within the namespace of their field.
        Value::Scalar(_)
        | Value::Bytes { .. }
        | Value::Enum(_)
        | Value::Record(_)
        | Value::Union(_)
        | Value::Token
        | Value::QName
        | Value::Raw
        | Value::Optional(_)
        | Value::List(_)
        | Value::Entries(..)
        | Value::Attributes => {}
    }
}
