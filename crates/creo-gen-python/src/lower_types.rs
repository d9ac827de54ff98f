//! Lowering of `creo_types.py`.

use creo_codegen::About;
use creo_model::{Constant as Declared, Field, Literal, PackageId, TypeId, TypeKind};

use crate::code::Code;
use crate::lang::{
    Class, ClassField, Constant, DefaultValue, EnumClass, MemberClass, Type, TypesModule, UnionClasses,
};
use crate::lower_scope::{Lower, Module, Scope};
use crate::lower_values::Side;

/// The module of value types; `None` if the package has none.
pub fn types_module(lower: &Lower, package: PackageId) -> Option<TypesModule> {
    // Defaults refer to enum constants when a class is made.
    let ids = lower.enums_first(package);
    if ids.is_empty() {
        return None;
    }
    let mut scope = Scope::new(lower, package, Some(Module::Types));
    let uses_runtime = |ty: &Type| !matches!(ty, Type::Enum(EnumClass { extensible: false, .. }));
    let types: Vec<Type> = ids.into_iter().map(|id| declared(&mut scope, id)).collect();
    Some(TypesModule { uses_runtime: types.iter().any(uses_runtime), types, imports: scope.imports() })
}

fn declared(scope: &mut Scope, id: TypeId) -> Type {
    match &scope.lower.model.ty(id).kind {
        TypeKind::Enum(constants) => Type::Enum(enumeration(scope, id, constants)),
        TypeKind::Struct(fields) => Type::Struct(class(scope, id, fields)),
        TypeKind::Exception(fields) => {
            if !fields.is_empty() {
                scope.standard("Final");
            }
            Type::Exception(class(scope, id, fields))
        }
        TypeKind::Union(members) => Type::Union(union(scope, id, members)),
    }
}

fn enumeration(scope: &mut Scope, id: TypeId, constants: &[Declared]) -> EnumClass {
    let (decl, names) = (scope.lower.model.ty(id), scope.lower.ty(id));
    let needed: &[&str] = if decl.extensible { &["final", "ClassVar"] } else { &["enum"] };
    for name in needed {
        scope.standard(name);
    }
    let constants = names.members.iter().zip(constants).map(|(name, constant)| Constant {
        name: name.clone(),
        number: constant.number,
        about: About::of(&constant.notes),
    });
    EnumClass {
        name: names.class.clone(),
        about: About::of(&decl.notes),
        extensible: decl.extensible,
        constants: constants.collect(),
    }
}

fn class(scope: &mut Scope, id: TypeId, declared: &[Field]) -> Class {
    let lower = scope.lower;
    let names = lower.ty(id);
    scope.standard("final");
    let mut fields = Vec::new();
    for (index, (field, keyword)) in lower.plan.record(id).fields.iter().zip(lower.keywords(id)).enumerate() {
        let name = &names.members[index];
        let taken = scope.annotation(&field.node, Side::Taken);
        let held = scope.annotation(&field.node, Side::Held);
        let value = scope.held(&field.node, name, &format!("$.{}", field.name));
        let mut value = value.unwrap_or_else(|| name.into());
        let mut default = scope.default(field).map_or(DefaultValue::None, DefaultValue::Code);
        if let (Some(Literal::Constant(enum_, _)), DefaultValue::Code(constant)) = (&field.default, &default)
            && lower.model.ty(*enum_).package != scope.package
        {
            value = Code::choice(&constant.to_string(), format!("{name} is None"), name.into());
            default = DefaultValue::Late;
        }
        fields.push(ClassField {
            name: name.clone(),
            about: About::of(&declared[index].notes),
            taken,
            held,
            default,
            value,
            by_keyword: keyword.is_some(),
            setter: names.helpers[index].clone(),
        });
    }
    let is_fixed = lower.block_item(lower.plan.value(id)).is_some();
    scope.columns |= is_fixed;
    let base = if is_fixed { "_columns.FixedStruct" } else { "_creo.Struct" };
    Class { name: names.class.clone(), base, about: About::of(&lower.model.ty(id).notes), fields }
}

fn union(scope: &mut Scope, id: TypeId, declared: &[Field]) -> UnionClasses {
    let lower = scope.lower;
    let (decl, names) = (lower.model.ty(id), lower.ty(id));
    scope.standard("final");
    scope.standard("Union");
    let mut members = Vec::new();
    for ((member, planned), class) in declared.iter().zip(lower.plan.members(id)).zip(&names.helpers) {
        let node = &planned.node;
        let own = || format!("`{}` of `{}`.", member.name, decl.name);
        let about = About::of(&member.notes);
        members.push(MemberClass {
            name: class.clone(),
            about: About { doc: Some(about.doc.unwrap_or_else(own)), ..about },
            taken: scope.annotation(node, Side::Taken),
            held: scope.annotation(node, Side::Held),
            value: scope.held(node, "value", &format!("$.{}", member.name)).unwrap_or_else(|| "value".into()),
        });
    }
    UnionClasses {
        alias: names.class.clone(),
        about: About::of(&decl.notes),
        members,
        extensible: decl.extensible,
    }
}
