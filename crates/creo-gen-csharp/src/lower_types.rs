//! Decides the code of declared types: names of members, defaults, layouts.

use crate::lang::{Constant, Enum, Fact, Field, Kind, Needs, Record, TextRecord, Ty, Type, Union};
use crate::literals;
use crate::lower_base::Lowering;
use crate::lower_names::give_all;
use crate::lower_text::Texts;
use crate::names;
use creo_codegen::{About, Names, ranges, type_uses_deprecated};
use creo_model::{Literal, Notes, TypeId, TypeKind};

/// A field without a default in C#.
pub fn plain_field(
    lowering: &Lowering,
    plan: &creo_plan::Field,
    notes: &Notes,
    name: String,
    local: String,
) -> Field {
    let value = lowering.value(&plan.node);
    let absent = match (&plan.default, &value.ty) {
        (Some(_), _) => Some("default".to_owned()),
        (None, Ty::Optional(_)) => Some("null".to_owned()),
        (None, Ty::Scalar(_) | Ty::Bytes | Ty::Array(_) | Ty::Map(..) | Ty::Declared(_)) => None,
    };
    let unread = match &value.ty {
        Ty::Optional(_) => "null",
        Ty::Map(..) => "[]",
        Ty::Scalar(_) | Ty::Bytes | Ty::Array(_) | Ty::Declared(_) => {
            if value.ty.is_value() {
                "default"
            } else {
                "null!"
            }
        }
    };
    Field {
        wire_name: plan.name.clone(),
        name,
        local,
        value,
        initializer: None,
        is_required: false,
        is_message: false,
        absent,
        unread: unread.to_owned(),
        about: About::of(notes),
    }
}

pub fn record(lowering: &Lowering, plan: &creo_plan::Record, fields: Vec<Field>, text: TextRecord) -> Record {
    let (writes, reads) = lowering.steps(plan, &fields);
    Record { fields, writes, reads, is_extensible: plan.extensible, layout: None, text }
}

pub fn declared(lowering: &Lowering, id: TypeId) -> Type {
    let (decl, plan) = (lowering.model.ty(id), lowering.plan);
    let classes = lowering.classes(id);
    let full_name = lowering.model.full_name(id);
    let mut texts = Texts::new(lowering, lowering.encoded_types.contains(&id));
    let mut root_facts = vec![Fact::Type(None)];
    let kind = match &decl.kind {
        TypeKind::Struct(fields) => {
            let fields = properties(lowering, id, fields, names::is_record_member, |_| false);
            let text = texts.record(plan.record(id), &full_name, "", true);
            let layout = lowering.layout(id, &fields);
            Kind::Struct(Record { layout, ..record(lowering, plan.record(id), fields, text) })
        }
        TypeKind::Exception(fields) => {
            let is_message = |field: &creo_plan::Field| {
                field.name == "message" && matches!(field.node.kind, creo_plan::Kind::String(_))
            };
            let fields = properties(lowering, id, fields, names::is_exception_member, is_message);
            let text = texts.record(plan.record(id), &full_name, "", true);
            Kind::Exception(record(lowering, plan.record(id), fields, text))
        }
        TypeKind::Enum(constants) => {
            root_facts = vec![Fact::Form("Enum")];
            Kind::Enum(enumeration(lowering, id, constants))
        }
        TypeKind::Union(members) => Kind::Union(union(lowering, id, members, &mut texts)),
    };
    let (namespaces, xsi) = plan.value_needs(id);
    let needs = Needs { xsi, namespaces };
    texts.name_all(&needs);
    let [file, codec_file, text_file] = &lowering.names.types[id.0];
    Type {
        path: file.path.clone(),
        codec_path: codec_file.path.clone(),
        text_path: text_file.path.clone(),
        wire_name: decl.name.clone(),
        about: About::of(&decl.notes),
        kind,
        is_extensible: decl.extensible,
        is_recursive: decl.recursive,
        touches_deprecated: type_uses_deprecated(lowering.model, decl),
        root: texts.element(plan.type_name(id), root_facts),
        needs,
        namespaces: texts.namespaces(),
        classes,
        full_name,
    }
}

/// The fields of a struct or exception.
pub fn properties(
    lowering: &Lowering,
    id: TypeId,
    declared: &[creo_model::Field],
    reserved: fn(&str) -> bool,
    is_message: impl Fn(&creo_plan::Field) -> bool,
) -> Vec<Field> {
    let mut scope = Names::new(reserved);
    scope.take(&lowering.classes(id).class.name);
    let fields = lowering.plan.members(id).iter().zip(declared);
    let named = fields.clone().filter(|(plan, _)| !is_message(plan));
    let mut given = give_all(&mut scope, named.map(|(_, declared)| declared)).into_iter();
    let mut locals = Names::new(names::never);
    ["reader", "writer", "value", "block"].iter().for_each(|name| locals.take(name));
    let property = |(plan, declared): (&creo_plan::Field, &creo_model::Field)| {
        let name = if is_message(plan) { None } else { given.next() };
        let local = locals.give(&declared.name, &names::camel(&declared.name));
        let mut field =
            plain_field(lowering, plan, &declared.notes, name.unwrap_or_else(|| "Message".to_owned()), local);
        field.is_message = is_message(plan);
        let is_deprecated = declared.notes.deprecated.is_some();
        match &declared.default {
            Some(literal) => {
                field.initializer = default(lowering, literal, &declared.ty);
                if let Some(text) = &field.initializer {
                    (field.absent, field.unread) = (Some(text.clone()), text.clone());
                }
            }
            None => {
                field.initializer = is_deprecated.then(|| literals::empty(&declared.ty)).flatten();
                let has_own_default = match &field.value.ty {
                    Ty::Scalar(_) | Ty::Bytes | Ty::Array(_) | Ty::Optional(_) | Ty::Map(..) => {
                        field.value.ty.is_value()
                    }
                    Ty::Declared(_) => false,
                };
                // A deprecated field is not required if its type has an empty value: otherwise no caller could avoid it.
                let may_be_left = is_deprecated && (field.initializer.is_some() || has_own_default);
                field.is_required = field.absent.is_none() && !may_be_left;
            }
        }
        field
    };
    fields.map(property).collect()
}

fn default(lowering: &Lowering, literal: &Literal, ty: &creo_model::Type) -> Option<String> {
    let constant = |id: TypeId, index: usize| {
        format!("{}.{}", lowering.classes(id).class.in_full(), lowering.constants[id.0][index])
    };
    literals::default(literal, ty, &lowering.names.runtime, constant)
}

fn union(lowering: &Lowering, id: TypeId, members: &[creo_model::Field], texts: &mut Texts) -> Union {
    let plan = lowering.plan.union(id);
    let mut scope = Names::new(names::is_reserved_type);
    scope.take(&lowering.classes(id).class.name);
    // The property of the value must not have the name of its enclosing type.
    scope.take("Value");
    if plan.extensible {
        // Nor the names of the unknown member's properties.
        scope.take("Index");
        scope.take("Bytes");
    }
    let given = give_all(&mut scope, members);
    let member = |((plan, declared), name): ((&creo_plan::Field, &creo_model::Field), String)| {
        plain_field(lowering, plan, &declared.notes, name, String::new())
    };
    Union {
        members: plan.members.iter().zip(members).zip(given).map(member).collect(),
        charges: plan.charges().collect(),
        unknown: plan.extensible.then(|| scope.give("#unknown", "Unknown")),
        text: texts.union(plan),
    }
}

fn enumeration(lowering: &Lowering, id: TypeId, declared: &[creo_model::Constant]) -> Enum {
    let plan = lowering.plan.enumeration(id);
    let all = plan.constants.iter().zip(declared).zip(&lowering.constants[id.0]);
    let constant =
        |((plan, declared), name): ((&creo_plan::Constant, &creo_model::Constant), &String)| Constant {
            wire_name: plan.name.clone(),
            name: name.clone(),
            number: plan.number,
            text: plan.text.clone(),
            about: About::of(&declared.notes),
        };
    Enum {
        constants: all.map(constant).collect(),
        is_extensible: plan.extensible,
        ranges: ranges(plan.constants.iter().map(|constant| constant.number)),
        has_own_texts: plan.has_own_texts(),
    }
}
