//! The types that an interface needs, their schema names, and the prefixes of namespaces.

use super::problem::Problem;
use creo_model::{Model, TypeId, TypeKind, XML_NAMESPACE};
use creo_plan::{ArrayLayout, Declared, Kind, Message, Method, Name, Node, Plan, named};
use std::collections::{BTreeMap, BTreeSet};

/// The names of schema types. Each is unique, even if the description uses a name twice, or if two names give the same class name in other
/// tools (`tree` and `Tree`).
pub struct TypeNames {
    names: BTreeMap<TypeId, Name>,
    /// The normalized class names taken in each namespace.
    taken: BTreeSet<(Option<usize>, String)>,
    /// The normalized class names taken in any namespace.
    classes: BTreeSet<String>,
}

impl TypeNames {
    pub fn new(model: &Model, plan: &Plan, types: &[TypeId]) -> Result<TypeNames, Problem> {
        let mut names =
            TypeNames { names: BTreeMap::new(), taken: BTreeSet::new(), classes: BTreeSet::new() };
        let mut on_wire: BTreeSet<&Name> = BTreeSet::new();
        // Types that `xsi:type` names keep their names on the wire.
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
            // Exceptions have no type name; their elements have names.
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

    /// Takes the name unless its namespace already has the same class name.
    fn take(&mut self, name: &Name) -> bool {
        let class = class(name);
        self.classes.insert(class.clone());
        self.taken.insert((name.namespace, class))
    }

    /// Takes the name unless any namespace has the same class name: tools often put them in one package.
    pub fn take_alone(&mut self, name: &Name) -> bool {
        !self.classes.contains(&class(name)) && self.take(name)
    }

    /// The name, or a variant of it that no other type has.
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

/// The normalized class name of a name.
fn class(name: &Name) -> String {
    name.local.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The prefixes of all namespaces that an interface needs. `tns` is the interface's own namespace.
pub fn prefixes(plan: &Plan, interface: usize, types: &[TypeId]) -> BTreeMap<usize, String> {
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let planned = plan.interface(interface);
    used.extend(planned.namespace);
    for id in types {
        used.extend(plan.type_name(*id).namespace);
        plan.members(*id).iter().for_each(|field| of_value(&field.node, &mut used));
    }
    let methods = planned.methods.iter().filter(|method| !method.has_streams());
    methods.flat_map(Method::messages).for_each(|message| of_message(message, &mut used));
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
        // All others belong to their field's namespace.
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
