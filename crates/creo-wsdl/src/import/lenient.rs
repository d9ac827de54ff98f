//! Makes optional what a partner may leave out, whatever its schema says (XML-53).

use crate::import::draft::{DeclId, Draft, Field, Shape, Ty};
use crate::import::fields::shown;

/// The comment of a description that was imported in this way.
pub const COMMENT: &str =
    "Imported with --lenient: elements and attributes are optional, whatever the schema says.";

/// Makes every element and attribute that is not repeated optional: the fields of structs and exceptions, and results.
pub fn loosen(draft: &mut Draft) {
    let mut fixed = inline_in_others(draft);
    bare_answers(draft).for_each(|id| fixed[id.0] = true);
    let unions: Vec<bool> =
        draft.decls.iter().map(|decl| matches!(decl.shape, Shape::Union { .. })).collect();
    for (decl, fixed) in draft.decls.iter_mut().zip(fixed) {
        match &mut decl.shape {
            Shape::Struct(fields) | Shape::Exception(fields) if !fixed => {
                fields.iter_mut().for_each(|each| field(each, &unions));
            }
            Shape::Struct(_)
            | Shape::Exception(_)
            | Shape::Enum(_)
            | Shape::Union { .. }
            | Shape::Waiting => {}
        }
    }
    for method in draft.interfaces.iter_mut().flat_map(|interface| &mut interface.methods) {
        // A bare result is the body itself.
        if method.response.as_ref().is_some_and(|response| response.bare) {
            continue;
        }
        if let Some(result) = &mut method.result {
            field(result, &unions);
        }
    }
}

/// The results of bare responses that have headers beside a body of one element at most. The headers are optional anyway.
fn bare_answers(draft: &Draft) -> impl Iterator<Item = DeclId> + '_ {
    let methods = draft.interfaces.iter().flat_map(|interface| &interface.methods);
    let bare = methods
        .filter(|method| method.response.as_ref().is_some_and(|response| response.bare && !response.several));
    let results = bare.filter_map(|method| method.result.as_ref()?.ty.decl());
    results.filter(|id| draft.decls[id.0].shape.fields().iter().any(|field| field.marks.header))
}

/// By declaration: whether it is inline in a union, an array or an optional. Such a value must have an element of its own (XML-35).
fn inline_in_others(draft: &Draft) -> Vec<bool> {
    let mut found = vec![false; draft.decls.len()];
    for decl in &draft.decls {
        let in_union = matches!(decl.shape, Shape::Union { .. });
        for field in decl.shape.fields().iter().filter(|field| field.marks.inline) {
            if let Some(id) = field.ty.decl()
                && (in_union || !matches!(field.ty, Ty::Decl(_)))
            {
                found[id.0] = true;
            }
        }
    }
    found
}

fn field(field: &mut Field, unions: &[bool]) {
    let repeated = matches!(field.ty, Ty::Array(_)) && !field.marks.list;
    // The elements of an inline struct are optional themselves.
    let inline_struct = field.marks.inline && matches!(field.ty, Ty::Decl(id) if !unions[id.0]);
    // An attribute with a default may be missing as it is.
    let defaulted = field.marks.attribute && field.default.is_some();
    if repeated || inline_struct || defaulted || field.marks.text || field.marks.any_attribute {
        return;
    }
    if let Some(default) = field.default.take() {
        field.notes.comments.push(format!("The schema's default: {}", shown(&default)));
    }
    field.ty = field.ty.clone().optional();
}
