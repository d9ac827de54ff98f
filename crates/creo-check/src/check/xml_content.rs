//! Checks that XML is readable: every element and attribute must be identified by its name.

use super::addressing::addressing;
use super::encoded::encoded;
use super::xml::{nil_within_optional, span_of};
use crate::mistakes::{XmlConflict, XmlTooLarge};
use crate::resolve::Resolved;
use creo_diag::{Report, Span};
use creo_model::graph::on_cycles;
use creo_model::{Type, TypeId, TypeKind};
use creo_plan::{
    Field, Grammar, InlineContent, Kind, Name, Plan, Position, draft, inline_edges, inline_type, is_repeated,
};
use creo_syntax::{DeclarationKind, Head};
use std::collections::BTreeMap;

/// The max number of namespaces of a description: a reader's limit of those in scope (LIM-23).
const MAX_NAMESPACES: usize = 1_000;

/// The max nesting of inline content.
const MAX_INLINE_DEPTH: usize = 32;

/// XML-20, XML-31, XML-32, XML-35 to XML-37, SOAP-13, for a description whose annotations all fit.
pub fn readable(resolved: &Resolved, report: &mut Report) {
    let model = &resolved.model;
    let Some(last) = resolved.types.iter().chain(&resolved.interfaces).map(|tree| tree.name.span).next_back()
    else {
        return;
    };
    let count = creo_plan::namespaces(model).len();
    if count > MAX_NAMESPACES {
        let message =
            format!("a description has at most {MAX_NAMESPACES} XML namespaces, and this one has {count}");
        return report.add(&XmlTooLarge { span: last, message });
    }
    nils(resolved, report);
    let plan = draft(model);
    encoded(resolved, &plan, report);
    addressing(resolved, &plan, report);
    if cycles(resolved, &plan, report) {
        return;
    }
    if let Err(span) = contents(resolved, &plan, report) {
        let message = "too much is inline in too many types to list their beginnings".to_owned();
        report.add(&XmlTooLarge { span, message });
    }
    faults(resolved, &plan, report);
}

/// The position of a field in the source.
#[derive(Clone, Copy)]
struct Source<'t> {
    head: &'t Head,
    annotation: &'static str,
    name: Span,
}

impl<'t> Source<'t> {
    fn all(trees: &'t [creo_syntax::Field]) -> Vec<Source<'t>> {
        trees
            .iter()
            .map(|tree| Source { head: &tree.head, annotation: "Xml", name: tree.name.span })
            .collect()
    }

    fn at(&self, word: &str) -> Span {
        span_of(self.head, self.annotation, word)
    }
}

fn members<'t>(resolved: &Resolved<'t>, id: TypeId) -> &'t [creo_syntax::Field] {
    match &resolved.types[id.0].kind {
        DeclarationKind::Struct(fields)
        | DeclarationKind::Exception(fields)
        | DeclarationKind::Union(fields) => fields,
        DeclarationKind::Enum(_) | DeclarationKind::Interface(_) => &[],
    }
}

/// XML-32: `xsi:nil` of the text within an optional would be taken for that of the optional.
fn nils(resolved: &Resolved, report: &mut Report) {
    let model = &resolved.model;
    let mut look = |ty: &Type, span: Span| {
        if let Some(id) = nil_within_optional(model, ty) {
            let message =
                format!("no `{}` at all cannot be told from one whose text is nothing", model.ty(id).name);
            let other = Some((resolved.types[id.0].name.span, "its text may be nothing".to_owned()));
            report.add(&XmlConflict {
                span,
                message,
                other,
                help: Some("make one of the two not optional".into()),
            });
        }
    };
    for id in model.type_ids() {
        model
            .ty(id)
            .fields()
            .iter()
            .zip(members(resolved, id))
            .for_each(|(field, tree)| look(&field.ty, tree.ty.span));
    }
    for (interface, tree) in model.interfaces.iter().zip(&resolved.interfaces) {
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        for (method, tree) in interface.methods.iter().zip(trees) {
            method
                .arguments()
                .iter()
                .zip(&tree.parameters)
                .for_each(|(parameter, tree)| look(&parameter.ty, tree.ty.span));
            method.returns().iter().for_each(|ty| look(ty, tree.result.span));
        }
    }
}

/// XML-35: no type is inline in itself. Returns whether any is.
fn cycles(resolved: &Resolved, plan: &Plan, report: &mut Report) -> bool {
    let cyclic = on_cycles(&inline_edges(plan));
    for id in resolved.model.type_ids().filter(|id| cyclic[id.0]) {
        for (field, source) in plan.members(id).iter().zip(Source::all(members(resolved, id))) {
            if let Some(inner) = inline_type(field).filter(|inner| cyclic[inner.0]) {
                let message =
                    format!("`{}` is inline within itself, without end", resolved.model.ty(id).name);
                let other =
                    (inner != id).then(|| (resolved.types[inner.0].name.span, "by way of this".to_owned()));
                report.add(&XmlConflict {
                    span: source.at("inline"),
                    message,
                    other,
                    help: Some("leave `inline` out in one of them".into()),
                });
            }
        }
    }
    cyclic.contains(&true)
}

/// The content of all types and messages. The error is the span where it exceeds the limit.
fn contents(resolved: &Resolved, plan: &Plan, report: &mut Report) -> Result<(), Span> {
    let model = &resolved.model;
    let mut grammar = Grammar::new(plan).map_err(|id| resolved.types[id.0].name.span)?;
    for id in model.type_ids() {
        let sources = Source::all(members(resolved, id));
        let fields = plan.members(id);
        let is_union = matches!(model.ty(id).kind, TypeKind::Union(_));
        if is_union && plan.union(id).derived {
            derived(plan, fields, &sources, report);
        } else {
            let fields = Fields { resolved, plan, grammar: &grammar, fields, sources: &sources };
            fields.check(grammar.first(id), is_union, report);
        }
    }
    for (index, tree) in resolved.interfaces.iter().enumerate() {
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        for (method, tree) in plan.interface(index).methods.iter().zip(trees) {
            let fields = &method.request.record.fields;
            let first = grammar.first_set(fields).ok_or(tree.name.span)?;
            // The text wires do not carry streams.
            if method.has_streams() {
                continue;
            }
            Fields { resolved, plan, grammar: &grammar, fields, sources: &Source::all(&tree.parameters) }
                .check(&first, false, report);
            let Some(response) = &method.response else { continue };
            let fields = &response.record.fields;
            let first = grammar.first_set(fields).ok_or(tree.name.span)?;
            let sources = [Source { head: &tree.head, annotation: "XmlResult", name: tree.name.span }];
            Fields { resolved, plan, grammar: &grammar, fields, sources: &sources }
                .check(&first, false, report);
        }
        let declared = &model.interfaces[index].methods;
        for (method, declared) in plan.interface(index).methods.iter().zip(declared) {
            let (Some(response), Some(id)) = (&method.soap_response, model.result_in_parts(declared)) else {
                continue;
            };
            let fields = &response.record.fields;
            let first = grammar.first_set(fields).ok_or(resolved.types[id.0].name.span)?;
            let sources = Source::all(members(resolved, id));
            Fields { resolved, plan, grammar: &grammar, fields, sources: &sources }
                .check(&first, false, report);
        }
    }
    Ok(())
}

/// The fields of a struct, the members of a union, or the parameters or result of a method.
struct Fields<'a, 't> {
    resolved: &'a Resolved<'t>,
    plan: &'a Plan,
    grammar: &'a Grammar,
    fields: &'a [Field],
    sources: &'a [Source<'t>],
}

impl Fields<'_, '_> {
    fn check(&self, first: &[(usize, usize)], is_union: bool, report: &mut Report) {
        self.inline(is_union, report);
        self.same_names(Position::Attribute, "attribute", report);
        self.same_names(Position::Header, "header", report);
        let mut owners: BTreeMap<usize, usize> = BTreeMap::new();
        for (name, field) in first {
            match owners.get(name) {
                Some(owner) if owner != field => self.same_element(*name, *owner, *field, report),
                Some(_) => {}
                None => {
                    owners.insert(*name, *field);
                }
            }
        }
    }

    fn same_element(&self, name: usize, owner: usize, field: usize, report: &mut Report) {
        let message = format!("an element `{}` could be of two fields", self.name(name));
        let other = Some((self.sources[owner].name, "it begins this one already".to_owned()));
        let help = "give one of them another name or namespace by `@Xml`, or make them one array".to_owned();
        report.add(&XmlConflict { span: self.sources[field].name, message, other, help: Some(help) });
    }

    /// Attributes and headers are checked separately, like elements.
    fn same_names(&self, position: Position, noun: &str, report: &mut Report) {
        let mut seen: BTreeMap<&Name, usize> = BTreeMap::new();
        for (index, field) in
            self.fields.iter().enumerate().filter(|(_, field)| field.node.xml.position == position)
        {
            if let Some(first) = seen.get(&field.node.xml.name) {
                let message = format!("two {noun}s are called `{}`", field.node.xml.name.local);
                let other = Some((self.sources[*first].name, "this is one already".to_owned()));
                report.add(&XmlConflict {
                    span: self.sources[index].name,
                    message,
                    other,
                    help: Some("give one of them another name by `@Xml`".into()),
                });
            } else {
                seen.insert(&field.node.xml.name, index);
            }
        }
    }

    /// Inline content has only elements, at least one if necessary, and limited nesting.
    fn inline(&self, is_union: bool, report: &mut Report) {
        for (field, source) in self.fields.iter().zip(self.sources) {
            let Some(id) = inline_type(field) else { continue };
            let decl = self.resolved.model.ty(id);
            let mut refuse = |message: String, span: Span, text: &str, help: &str| {
                let other = Some((span, text.to_owned()));
                report.add(&XmlConflict {
                    span: source.at("inline"),
                    message,
                    other,
                    help: Some(help.to_owned()),
                });
            };
            let held = self.plan.members(id).iter().zip(members(self.resolved, id));
            if let Some((_, tree)) = held
                .into_iter()
                .find(|(held, _)| !matches!(held.node.xml.position, Position::Element | Position::Inline))
            {
                let message =
                    format!("`{}` does not consist of elements alone, and so cannot be inline", decl.name);
                refuse(
                    message,
                    tree.name.span,
                    "this is none",
                    "omit `inline`, or put this field in place of the struct",
                );
                continue;
            }
            let content: &InlineContent = self.grammar.content(id);
            let name = self.resolved.types[id.0].name.span;
            // Deeper content contains one that is just too deep.
            if content.depth == MAX_INLINE_DEPTH {
                let message = format!("inline content nests deeper than {MAX_INLINE_DEPTH}");
                refuse(message, name, "here", "leave `inline` out in one of them");
            } else if is_union && content.first.is_empty() {
                refuse(
                    format!("`{}` has no element that it could be known by", decl.name),
                    name,
                    "it is empty",
                    "leave `inline` out",
                );
            } else if !is_union && content.nullable && field.node.may_be_missing() {
                let message = format!("no `{}` at all cannot be told from one without elements", decl.name);
                let help = if field.node.is_optional() { "leave the `?` out" } else { "leave `inline` out" };
                refuse(message, name, "all of its elements may be missing", help);
            } else if is_repeated(&field.node.kind)
                && let Some(common) = content.tail.iter().find(|name| content.first.contains(name))
            {
                let message = format!(
                    "an element `{}` could go on with one `{}` or begin the next",
                    self.name(*common),
                    decl.name
                );
                refuse(message, name, "declared here", "leave `inline` out");
            }
        }
    }

    fn name(&self, number: usize) -> String {
        self.grammar.name(number).local.clone()
    }
}

/// XML-37: `xsi:type` identifies the members.
fn derived(plan: &Plan, fields: &[Field], sources: &[Source], report: &mut Report) {
    let mut seen: BTreeMap<&Name, Span> = BTreeMap::new();
    for (field, source) in fields.iter().zip(sources) {
        let Kind::Record(id) = field.node.kind else { continue };
        let name = plan.type_name(id);
        if let Some(first) = seen.get(name) {
            let message = format!("`xsi:type` names two members `{}`", name.local);
            let other = Some((*first, "this is one already".to_owned()));
            let help = "the types of the members of a derived union have different names".to_owned();
            report.add(&XmlConflict { span: source.name, message, other, help: Some(help) });
        } else {
            seen.insert(name, source.name);
        }
    }
}

/// SOAP-13: the element in a fault's detail identifies the exception, and that it is one.
fn faults(resolved: &Resolved, plan: &Plan, report: &mut Report) {
    let model = &resolved.model;
    for id in model.type_ids().filter(|id| matches!(model.ty(*id).kind, TypeKind::Exception(_))) {
        let name = plan.type_name(id);
        if name.local == "error"
            && name.namespace.is_some_and(|namespace| plan.namespaces()[namespace] == "urn:creo:error")
        {
            let message =
                "the element `error` in the namespace `urn:creo:error` means an error of another kind"
                    .to_owned();
            let help = "give the exception another name or namespace by `@Xml`".to_owned();
            report.add(&XmlConflict {
                span: resolved.types[id.0].name.span,
                message,
                other: None,
                help: Some(help),
            });
        }
    }
    for (interface, tree) in model.interfaces.iter().zip(&resolved.interfaces) {
        let DeclarationKind::Interface(trees) = &tree.kind else { continue };
        for (method, tree) in interface.methods.iter().zip(trees) {
            let mut seen: BTreeMap<&Name, Span> = BTreeMap::new();
            for (id, thrown) in method.throws.iter().zip(&tree.throws) {
                let name = plan.type_name(*id);
                if let Some(first) = seen.get(name) {
                    let message = format!("two exceptions of this method have the element `{}`", name.local);
                    let other = Some((*first, "this is one already".to_owned()));
                    let help = "give one of them another name or namespace by `@Xml`".to_owned();
                    report.add(&XmlConflict { span: thrown.span, message, other, help: Some(help) });
                } else {
                    seen.insert(name, thrown.span);
                }
            }
        }
    }
}
