//! LANG-14: every type has a finite value.

use crate::mistakes::InfiniteType;
use crate::resolve::Resolved;
use crate::scope::UNKNOWN;
use creo_diag::{Report, Span};
use creo_model::{Type, TypeKind};
use creo_syntax::DeclarationKind;

/// Reports each cycle of types once, at its first declaration. Types that only contain an infinite one follow from it.
pub fn finite(resolved: &Resolved, report: &mut Report) {
    let needs = needs(resolved);
    let is_finite = find_finite(resolved, &needs);
    let mut told = vec![false; needs.len()];
    for start in 0..needs.len() {
        if is_finite[start] || told[start] {
            continue;
        }
        // Follows infinite types until one repeats, which closes the cycle.
        let mut path: Vec<usize> = Vec::new();
        let mut steps: Vec<(Span, usize)> = Vec::new();
        let mut position = std::collections::BTreeMap::new();
        let mut at = start;
        while !told[at] && !position.contains_key(&at) {
            position.insert(at, path.len());
            path.push(at);
            let Some(step) = needs[at].iter().find(|(_, target)| !is_finite[*target]) else { break };
            steps.push(*step);
            at = step.1;
        }
        path.iter().for_each(|node| told[*node] = true);
        let Some(&first) = position.get(&at) else { continue };
        let circle = &path[first..];
        let Some(least) = (0..circle.len()).min_by_key(|index| circle[*index]) else { continue };
        let name = &resolved.types[circle[least]].name;
        let fields = (0..circle.len())
            .filter_map(|index| steps.get(first + (least + index) % circle.len()))
            .map(|(span, _)| *span)
            .collect();
        let union = matches!(resolved.model.types[circle[least]].kind, TypeKind::Union(_));
        report.add(&InfiniteType { span: name.span, name: name.text.clone(), fields, union });
    }
}

/// For each type, the types that its value always contains: the span of the field's type, and the type.
fn needs(resolved: &Resolved) -> Vec<Vec<(Span, usize)>> {
    let decls = resolved.model.types.iter().zip(&resolved.types);
    decls
        .map(|(decl, tree)| {
            let (DeclarationKind::Struct(fields)
            | DeclarationKind::Exception(fields)
            | DeclarationKind::Union(fields)) = &tree.kind
            else {
                return Vec::new();
            };
            decl.fields()
                .iter()
                .zip(fields)
                .filter_map(|(field, tree)| match field.ty {
                    Type::Named(id) if id != UNKNOWN => Some((tree.ty.span, id.0)),
                    Type::Named(_)
                    | Type::Primitive(_)
                    | Type::Bytes
                    | Type::Array(_)
                    | Type::Optional(_)
                    | Type::Map(..) => None,
                })
                .collect()
        })
        .collect()
}

/// Finds the types with a finite value, bottom-up: a struct when its last field has one, a union when its first member has.
fn find_finite(resolved: &Resolved, needs: &[Vec<(Span, usize)>]) -> Vec<bool> {
    let types = &resolved.model.types;
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); needs.len()];
    let mut missing: Vec<usize> = needs.iter().map(Vec::len).collect();
    for (user, targets) in needs.iter().enumerate() {
        targets.iter().for_each(|(_, target)| users[*target].push(user));
    }
    for (index, decl) in types.iter().enumerate() {
        if let TypeKind::Union(members) = &decl.kind
            && (members.len() > needs[index].len() || members.is_empty())
        {
            // A member that contains no other type.
            missing[index] = 0;
        }
    }
    let mut is_finite: Vec<bool> = missing.iter().map(|count| *count == 0).collect();
    let mut work: Vec<usize> = (0..needs.len()).filter(|index| is_finite[*index]).collect();
    while let Some(index) = work.pop() {
        for &user in &users[index] {
            if is_finite[user] {
                continue;
            }
            missing[user] -= 1;
            if missing[user] == 0 || matches!(types[user].kind, TypeKind::Union(_)) {
                is_finite[user] = true;
                work.push(user);
            }
        }
    }
    is_finite
}
