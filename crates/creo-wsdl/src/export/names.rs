//! Which types an interface needs, what their schema types are called, and which prefixes stand for which namespaces.

use super::problem::Problem;
use creo_model::{Model, TypeId, TypeKind, XML_NAMESPACE};
use creo_plan::{ArrayLayout, Declared, Kind, Message, Name, Node, Plan, named};
use std::collections::{BTreeMap, BTreeSet};

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
    pub fn new(model: &Model, plan: &Plan, types: &[TypeId]) -> Result<TypeNames, Problem> {
        let mut names =
            TypeNames { names: BTreeMap::new(), taken: BTreeSet::new(), classes: BTreeSet::new() };
        let mut on_wire: BTreeSet<&Name> = BTreeSet::new();
        // What `xsi:type` names is called as it is on the wire.
        for id in types {
            let Declared::Union(union) = plan.declared(*id) else { continue };
            for member in union.members.iter().filter(|_| union.derived) {
                let Some(member) = named(&member.node.ty) else { continue };
                let name = plan.type_name(member);
                if names.names.contains_key(&member) {
                    continue;
                }
                names.take(name);
                if !on_wire.insert(name) {
                    let namespace = name
                        .namespace
                        .map(|namespace| plan.namespaces()[namespace].clone())
                        .unwrap_or_default();
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
pub fn prefixes(plan: &Plan, interface: usize, types: &[TypeId]) -> BTreeMap<usize, String> {
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let planned = plan.interface(interface);
    used.extend(planned.namespace);
    for id in types {
        used.extend(plan.type_name(*id).namespace);
        plan.members(*id).iter().for_each(|field| of_value(&field.node, &mut used));
    }
    for message in
        planned.methods.iter().flat_map(|method| std::iter::once(&method.request).chain(&method.response))
    {
        of_message(message, &mut used);
    }
    used.retain(|namespace| plan.namespaces()[*namespace] != XML_NAMESPACE);
    let others = used.iter().filter(|namespace| Some(**namespace) != planned.namespace).enumerate();
    let mut prefixes: BTreeMap<usize, String> =
        others.map(|(index, namespace)| (*namespace, format!("n{}", index + 1))).collect();
    if let Some(namespace) = planned.namespace {
        prefixes.insert(namespace, "tns".to_owned());
    }
    prefixes
}

fn of_message(message: &Message, used: &mut BTreeSet<usize>) {
    used.extend(message.element.namespace);
    message.record.fields.iter().for_each(|field| of_value(&field.node, used));
}

fn of_value(node: &Node, used: &mut BTreeSet<usize>) {
    used.extend(node.xml.name.namespace);
    match &node.kind {
        Kind::Array { layout: ArrayLayout::Repeated | ArrayLayout::Wrapped, item, .. } => {
            of_value(item, used)
        }
        // All others are within the namespace of their field.
        Kind::Array { layout: ArrayLayout::List, .. }
        | Kind::Scalar(_)
        | Kind::String(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Map { .. }
        | Kind::Optional(_)
        | Kind::Record(_)
        | Kind::Union(_)
        | Kind::Enum(_) => {}
    }
}
