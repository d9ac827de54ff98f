//! The last steps of an import: types are made finite, and everything gets its name.

use crate::import::draft::{DeclId, Draft, Field, Rank, Shape, Ty};
use crate::import::text::{Join, capitalised, constant, identifier};
use creo_check::is_word;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// All names of a draft.
#[derive(Debug, Default)]
pub struct Names {
    pub decls: Vec<String>,
    pub interfaces: Vec<String>,
    /// The names of fields, members or constants, by declaration.
    pub parts: Vec<Vec<String>>,
}

impl Names {
    pub fn of(&self, id: DeclId) -> &str {
        &self.decls[id.0]
    }
}

/// The order of declarations: those reached from methods first, each type before the types it names; then the rest.
pub fn order(draft: &Draft) -> Vec<usize> {
    let (mut order, _) = reached(draft);
    let seen: BTreeSet<usize> = order.iter().copied().collect();
    for start in (0..draft.decls.len()).filter(|index| !seen.contains(index)) {
        order.push(start);
    }
    order
}

/// The declarations reached from methods in that order, and a flag for each declaration.
fn reached(draft: &Draft) -> (Vec<usize>, Vec<bool>) {
    let mut order = Vec::new();
    let mut seen = vec![false; draft.decls.len()];
    for method in draft.interfaces.iter().flat_map(|interface| &interface.methods) {
        let values = method.parameters.iter().chain(&method.result);
        let mut waiting: Vec<usize> = values
            .filter_map(|field| field.ty.decl())
            .chain(method.throws.iter().copied())
            .map(|id| id.0)
            .collect();
        waiting.reverse();
        while let Some(next) = waiting.pop() {
            if std::mem::replace(&mut seen[next], true) {
                continue;
            }
            order.push(next);
            waiting.extend(
                draft.decls[next]
                    .shape
                    .fields()
                    .iter()
                    .rev()
                    .filter_map(|field| field.ty.decl())
                    .map(|id| id.0),
            );
        }
    }
    (order, seen)
}

/// Removes declarations that no method reaches: members of unions of simple types that became text, and unwrapped wrappers.
pub fn prune(draft: &mut Draft) {
    let (_, seen) = reached(draft);
    let mut numbers = Vec::with_capacity(seen.len());
    let mut next = 0;
    for is in &seen {
        numbers.push(DeclId(next));
        next += usize::from(*is);
    }
    let mut index = 0;
    draft.decls.retain(|_| {
        index += 1;
        seen[index - 1]
    });
    draft
        .decls
        .iter_mut()
        .flat_map(|decl| decl.shape.fields_mut())
        .for_each(|field| field.ty.renumber(&numbers));
    for method in draft.interfaces.iter_mut().flat_map(|interface| &mut interface.methods) {
        method.parameters.iter_mut().chain(&mut method.result).for_each(|field| field.ty.renumber(&numbers));
        method.throws.iter_mut().for_each(|id| *id = numbers[id.0]);
    }
}

/// Makes fields optional that would make a type infinite (LANG-14), and adds a note there.
pub fn make_finite(draft: &mut Draft) {
    // After this many single steps, all remaining fields are made optional at once: a hostile source could have any number.
    const STEPS: usize = 200;
    for step in 0.. {
        let finite = finite(draft);
        let mut endless = (0..draft.decls.len()).filter(|index| !finite[*index]);
        let found: Vec<usize> = if step < STEPS {
            endless.find(|index| is_record(draft, *index)).into_iter().collect()
        } else {
            endless.collect()
        };
        if found.is_empty() {
            return;
        }
        for index in found {
            if let Shape::Struct(fields) | Shape::Exception(fields) = &mut draft.decls[index].shape {
                for field in
                    fields.iter_mut().filter(|field| matches!(field.ty, Ty::Decl(id) if !finite[id.0]))
                {
                    field.ty = field.ty.clone().optional();
                    field.notes.comments.push("Required by the schema, which then has no end.".to_owned());
                    if step < STEPS {
                        break;
                    }
                }
            }
        }
    }
}

fn is_record(draft: &Draft, index: usize) -> bool {
    matches!(draft.decls[index].shape, Shape::Struct(_) | Shape::Exception(_))
}

/// Which declarations have a finite value.
fn finite(draft: &Draft) -> Vec<bool> {
    let count = draft.decls.len();
    let mut finite = vec![false; count];
    // How many fields each struct still waits for, and which structs wait for it.
    let mut missing = vec![0usize; count];
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut ready = Vec::new();
    for (index, decl) in draft.decls.iter().enumerate() {
        let needs = |fields: &[Field]| {
            fields
                .iter()
                .filter_map(|field| if let Ty::Decl(id) = field.ty { Some(id.0) } else { None })
                .collect::<Vec<_>>()
        };
        match &decl.shape {
            Shape::Enum(_) | Shape::Waiting => ready.push(index),
            Shape::Struct(fields) | Shape::Exception(fields) => {
                let needs = needs(fields);
                missing[index] = needs.len();
                if needs.is_empty() {
                    ready.push(index);
                }
                needs.into_iter().for_each(|other| waiting[other].push(index));
            }
            Shape::Union { members, .. } => {
                let needs = needs(members);
                missing[index] = 1;
                if needs.len() < members.len() {
                    ready.push(index);
                }
                needs.into_iter().for_each(|other| waiting[other].push(index));
            }
        }
    }
    while let Some(index) = ready.pop() {
        if std::mem::replace(&mut finite[index], true) {
            continue;
        }
        for other in std::mem::take(&mut waiting[index]) {
            missing[other] = missing[other].saturating_sub(1);
            if missing[other] == 0 {
                ready.push(other);
            }
        }
    }
    finite
}

/// Names everything by priority, in an order that does not depend on the order of files.
pub fn name(draft: &Draft, main: &Rc<str>) -> Names {
    let mut names =
        Names { decls: vec![String::new(); draft.decls.len()], interfaces: Vec::new(), parts: Vec::new() };
    let mut taken = Taken::default();
    let mut order: Vec<(Rank, bool, Rc<str>, String, usize)> = draft
        .decls
        .iter()
        .enumerate()
        .map(|(index, decl)| {
            (decl.rank, decl.namespace != *main, decl.namespace.clone(), decl.name.clone(), index)
        })
        .collect();
    order.sort();
    let split = order.partition_point(|entry| entry.0 == Rank::Type);
    for (_, _, _, _, index) in &order[..split] {
        let decl = &draft.decls[*index];
        names.decls[*index] = pick(&identifier(&decl.name, Join::Hump, "Type"), decl.suffix, &mut taken);
    }
    for interface in &draft.interfaces {
        names.interfaces.push(pick(
            &identifier(&interface.name, Join::Hump, "Service"),
            "Service",
            &mut taken,
        ));
    }
    for (_, _, _, _, index) in &order[split..] {
        let decl = &draft.decls[*index];
        let mut wanted = identifier(&decl.name, Join::Hump, "Type");
        if matches!(decl.rank, Rank::Anonymous) {
            wanted = capitalised(&wanted);
        }
        names.decls[*index] = pick(&wanted, decl.suffix, &mut taken);
    }
    names.parts = draft
        .decls
        .iter()
        .map(|decl| match &decl.shape {
            Shape::Struct(fields) | Shape::Exception(fields) | Shape::Union { members: fields, .. } => {
                fields_of(fields)
            }
            Shape::Enum(constants) => unique(constants.iter().map(|c| (constant(&c.text), ""))),
            Shape::Waiting => Vec::new(),
        })
        .collect();
    names
}

/// The names of fields, members or parameters.
pub fn fields_of(fields: &[Field]) -> Vec<String> {
    unique(fields.iter().map(|field| {
        (identifier(&field.name, Join::Hump, "value"), if field.marks.attribute { "Attribute" } else { "" })
    }))
}

/// Makes names unique: duplicates get their suffix, or a number.
pub fn unique(wanted: impl Iterator<Item = (String, &'static str)>) -> Vec<String> {
    let wanted: Vec<(String, &str)> = wanted.collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let first: BTreeSet<String> = wanted.iter().map(|(name, _)| name.clone()).collect();
    let mut found = Vec::with_capacity(wanted.len());
    for (name, suffix) in &wanted {
        let mut chosen = name.clone();
        if taken.contains(&chosen) && !suffix.is_empty() {
            chosen = format!("{name}{suffix}");
        }
        while taken.contains(&chosen) || (chosen != *name && first.contains(&chosen)) {
            let count = counts.entry(name).or_insert(1);
            *count += 1;
            chosen = format!("{name}{count}");
        }
        taken.insert(chosen.clone());
        found.push(chosen);
    }
    found
}

/// A name that no other declaration has, ignoring case: some targets name files after it.
fn pick(wanted: &str, suffix: &str, taken: &mut Taken) -> String {
    let fold = |name: &str| name.replace('_', "").to_lowercase();
    let free = |name: &str, taken: &Taken| !is_word(name) && !taken.names.contains(&fold(name));
    let mut name = wanted.to_owned();
    if !free(&name, taken) {
        name = format!("{wanted}{suffix}");
    }
    while !free(&name, taken) {
        let number = taken.numbers.entry(wanted.to_owned()).or_insert(1);
        *number += 1;
        name = format!("{wanted}{number}");
    }
    taken.names.insert(fold(&name));
    name
}

/// The taken names in lower case, and the last number appended to each.
#[derive(Default)]
struct Taken {
    names: BTreeSet<String>,
    numbers: BTreeMap<String, usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let names = unique(
            [("a", ""), ("a", "Attribute"), ("a", ""), ("a2", ""), ("b", "")]
                .map(|(n, s)| (n.to_owned(), s))
                .into_iter(),
        );
        assert_eq!(names, ["a", "aAttribute", "a3", "a2", "b"]);
        let mut taken = Taken::default();
        assert_eq!(pick("Map", "Type", &mut taken), "MapType");
        assert_eq!(pick("status", "Type", &mut taken), "status");
        assert_eq!(pick("Status", "Type", &mut taken), "StatusType");
        assert_eq!(pick("STATUS", "Type", &mut taken), "STATUS2");
    }
}
