//! Decides everything about the Java code: names, types, helpers, steps.

use crate::lang::{
    About, Code, Component, Constant, DefaultValue, Enum, Helper, HelperKind, Kind, METHODS_A_CLASS, Member, Method, Part, Record, Service, Step, Ty,
    Type, Union, Value,
};
use crate::names::{self, ClassName, Taken};
use creo_codegen::{Names, Style};
use creo_model::{CheckedModel, Field, Item, Literal, Notes, Op, Plan, Primitive, Type as ModelType, TypeDecl, TypeId, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

const TARGET: &str = "java";

/// The largest block that is checked at once: a transport brings as many bytes in one piece.
const LARGEST_BLOCK: u64 = 1_024;

/// The whole of a description, in Java.
pub struct Lowered {
    pub types: Vec<Type>,
    pub services: Vec<Service>,
    /// The classes of each type of the model.
    pub names: Vec<TypeNames>,
    pub taken: Taken,
}

/// Classes of a type: of its values, and of its codecs.
#[derive(Clone)]
pub struct TypeNames {
    pub class: ClassName,
    codec: ClassName,
    pub text: ClassName,
    /// Constants of an enum.
    constants: Vec<String>,
}

struct ServiceNames {
    class: ClassName,
    asynchronous: ClassName,
    client: ClassName,
    async_client: ClassName,
    endpoint: ClassName,
    /// One for each [`METHODS_A_CLASS`] methods.
    methods: Vec<ClassName>,
    texts: Vec<ClassName>,
    wsdl: ClassName,
    open_api: ClassName,
}

struct Lowering<'m> {
    model: &'m CheckedModel,
    plan: Plan<'m>,
    types: Vec<TypeNames>,
    services: Vec<ServiceNames>,
    /// What packages begin with.
    roots: &'m BTreeSet<String>,
}

pub fn lower(model: &CheckedModel) -> Lowered {
    let (types, services, taken) = name_classes(model);
    let lowering = Lowering { model, plan: creo_model::plan(model), types, services, roots: &taken.roots };
    Lowered {
        types: model.type_ids().map(|id| lowering.declared(id)).collect(),
        services: (0..model.interfaces.len()).map(|i| lowering.service(i)).collect(),
        names: lowering.types,
        taken,
    }
}

/// The name that `@Name` gives, or the declared one: names of a description are in Java's own style.
fn wanted(name: &str, notes: &Notes) -> String {
    notes.target_name(TARGET).unwrap_or(name).to_owned()
}

fn name_classes(model: &CheckedModel) -> (Vec<TypeNames>, Vec<ServiceNames>, Taken) {
    let packages: Vec<String> = model.packages.iter().map(|p| names::package(p.name_for(TARGET))).collect();
    let mut scopes: BTreeMap<&str, Names> = BTreeMap::new();
    for package in &packages {
        let scope = scopes.entry(package).or_insert_with(|| Names::new(names::no_type).ignoring_case());
        for other in &packages {
            // A class may not be called like a package within its own, nor hide the root of one.
            scope.take(names::root(other));
            if let Some(rest) = other.strip_prefix(&format!("{package}.")) {
                scope.take(rest.split('.').next().unwrap_or(rest));
            }
        }
    }
    let mut declared: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    for (index, decl) in model.types.iter().enumerate() {
        declared.entry(&packages[decl.package.0]).or_default().push((format!("type {index}"), wanted(&decl.name, &decl.notes)));
    }
    for (index, interface) in model.interfaces.iter().enumerate() {
        declared.entry(&packages[interface.package.0]).or_default().push((format!("interface {index}"), wanted(&interface.name, &interface.notes)));
    }
    let mut given: BTreeMap<String, String> = BTreeMap::new();
    for (package, all) in &declared {
        let Some(scope) = scopes.get_mut(package) else { continue };
        for (key, name) in all {
            given.insert(key.clone(), scope.give(key, name));
        }
    }
    let mut helper = |package: &str, key: &str, base: &str, suffix: &str| {
        let name = scopes.get_mut(package).map_or_else(String::new, |scope| scope.give(&format!("{key} {suffix}"), &format!("{base}{suffix}")));
        ClassName::new(package, &name)
    };
    let mut types = Vec::new();
    for (index, decl) in model.types.iter().enumerate() {
        let (package, key) = (&packages[decl.package.0], format!("type {index}"));
        let base = given[&key].clone();
        let codec = helper(package, &key, &base, "Codec");
        let text = helper(package, &key, &base, "Text");
        types.push(TypeNames { class: ClassName::new(package, &base), codec, text, constants: constants(decl) });
    }
    let mut services = Vec::new();
    for (index, interface) in model.interfaces.iter().enumerate() {
        let (package, key) = (&packages[interface.package.0], format!("interface {index}"));
        let base = given[&key].clone();
        let mut class = |suffix: &str| helper(package, &key, &base, suffix);
        let mut spread = |suffix: &str| -> Vec<ClassName> {
            let parts = interface.methods.len().div_ceil(METHODS_A_CLASS).max(1);
            (0..parts).map(|part| if part == 0 { class(suffix) } else { class(&format!("{suffix}{}", part + 1)) }).collect()
        };
        let (methods, texts) = (spread("Methods"), spread("Texts"));
        services.push(ServiceNames {
            asynchronous: class("Async"),
            client: class("Client"),
            async_client: class("AsyncClient"),
            endpoint: class("Endpoint"),
            methods,
            texts,
            wsdl: class("Wsdl"),
            open_api: class("OpenApi"),
            class: ClassName::new(package, &base),
        });
    }
    let mut taken = Taken { roots: packages.iter().map(|package| names::root(package).to_owned()).collect(), ..Taken::default() };
    let mut own = |class: &ClassName| {
        taken.classes.entry(class.package.clone()).or_default().insert(class.name.clone());
    };
    types.iter().for_each(|t| [&t.class, &t.codec, &t.text].into_iter().for_each(&mut own));
    for s in &services {
        [&s.class, &s.asynchronous, &s.client, &s.async_client, &s.endpoint, &s.wsdl, &s.open_api]
            .into_iter()
            .chain(&s.methods)
            .chain(&s.texts)
            .for_each(&mut own);
    }
    (types, services, taken)
}

fn constants(decl: &TypeDecl) -> Vec<String> {
    let TypeKind::Enum(constants) = &decl.kind else { return Vec::new() };
    let mut scope = Names::new(names::no_constant);
    let all: Vec<(&str, String)> = constants.iter().map(|c| (c.name.as_str(), wanted(&c.name, &c.notes))).collect();
    scope.give_all(&all)
}

fn about(notes: &Notes) -> About {
    About { doc: notes.doc.clone(), deprecated: notes.deprecated.clone() }
}

/// `UpperCamel`, but a name that is one already stays as it is.
fn class_case(name: &str) -> String {
    let mut chars = name.chars();
    match chars.next() {
        Some(first) if !name.contains('_') => first.to_ascii_uppercase().to_string() + chars.as_str(),
        _ => Style::UpperCamel.apply(name),
    }
}

/// The helpers of one class: a pair of methods a composite type.
#[derive(Default)]
struct Helpers {
    list: Vec<Helper>,
    by_type: BTreeMap<String, usize>,
    taken: BTreeSet<String>,
}

impl Helpers {
    fn add(&mut self, key: String, name: String, ty: Ty, kind: HelperKind) -> String {
        if let Some(index) = self.by_type.get(&key) {
            return self.list[*index].name.clone();
        }
        let mut free = name;
        while !self.taken.insert(free.clone()) {
            free.push('_');
        }
        self.by_type.insert(key, self.list.len());
        self.list.push(Helper { name: free.clone(), ty, kind });
        free
    }
}

impl Lowering<'_> {
    fn declared(&self, id: TypeId) -> Type {
        let decl = self.model.ty(id);
        let given = &self.types[id.0];
        let mut helpers = Helpers::default();
        let kind = match &decl.kind {
            TypeKind::Struct(fields) => Kind::Struct(self.declared_record(id, fields, names::no_component, &mut helpers)),
            TypeKind::Exception(fields) => Kind::Exception(self.declared_record(id, fields, names::no_exception_component, &mut helpers)),
            TypeKind::Enum(constants) => Kind::Enum(Enum {
                constants: constants
                    .iter()
                    .zip(&given.constants)
                    .map(|(c, name)| Constant { name: name.clone(), wire_name: c.name.clone(), number: c.number, about: about(&c.notes) })
                    .collect(),
                extensible: decl.extensible,
                one_byte: self.plan.shape(id).fixed == Some(1),
            }),
            TypeKind::Union(members) => Kind::Union(self.union(decl, &given.class, members, &mut helpers)),
        };
        Type {
            class: given.class.clone(),
            codec: given.codec.clone(),
            text: given.text.clone(),
            wire_name: decl.name.clone(),
            full_name: self.model.full_name(id),
            about: about(&decl.notes),
            kind,
            helpers: helpers.list,
            uses_deprecated: decl.fields().iter().any(|f| f.notes.deprecated.is_some() || self.is_deprecated(&f.ty) || self.default_is_deprecated(f))
                || matches!(&decl.kind, TypeKind::Enum(all) if all.iter().any(|c| c.notes.deprecated.is_some()))
                || decl.notes.deprecated.is_some(),
        }
    }

    fn declared_record(&self, id: TypeId, fields: &[Field], reserved: fn(&str) -> bool, helpers: &mut Helpers) -> Record {
        let decl = self.model.ty(id);
        let shape = self.plan.shape(id);
        let mut record = self.record(self.types[id.0].class.clone(), fields, reserved, decl.extensible, helpers);
        record.recursive = decl.recursive;
        record.fixed = shape.fixed.filter(|size| *size <= LARGEST_BLOCK);
        record.any_bits = shape.any_bits;
        record
    }

    fn record(&self, class: ClassName, fields: &[Field], reserved: fn(&str) -> bool, extensible: bool, helpers: &mut Helpers) -> Record {
        let mut scope = Names::new(reserved);
        let all: Vec<(&str, String)> = fields.iter().map(|f| (f.name.as_str(), wanted(&f.name, &f.notes))).collect();
        let given = scope.give_all(&all);
        let mut withers = Names::new(|_| false);
        let components: Vec<Component> = fields.iter().zip(given).map(|(field, name)| self.component(field, name, &mut withers, helpers)).collect();
        let steps = steps(&components, !extensible);
        Record { class, components, steps, extensible, recursive: false, fixed: None, any_bits: false }
    }

    fn component(&self, field: &Field, name: String, withers: &mut Names, helpers: &mut Helpers) -> Component {
        let item = self.plan.item(&field.ty);
        let wither = withers.give(&field.name, &format!("with{}", class_case(&name)));
        let primitive = match field.ty {
            ModelType::Primitive(p) => Some(p),
            ModelType::Bytes | ModelType::Array(_) | ModelType::Optional(_) | ModelType::Map(..) | ModelType::Named(_) => None,
        };
        let default = field.default.as_ref().map(|literal| DefaultValue {
            literal: literal.clone(),
            primitive,
            constant: match literal {
                Literal::Constant(id, index) => Some((self.types[id.0].class.clone(), self.types[id.0].constants[*index].clone())),
                Literal::Boolean(_)
                | Literal::Integer(_)
                | Literal::Char(_)
                | Literal::Number(_)
                | Literal::String(_)
                | Literal::DateTime(..)
                | Literal::Decimal(_)
                | Literal::Empty => None,
            },
        });
        Component {
            name,
            wire_name: field.name.clone(),
            fixed: item.shape.fixed.filter(|size| *size <= LARGEST_BLOCK),
            any_bits: item.shape.any_bits,
            is_enum: matches!(item.op, Op::Number(_)),
            value: self.value(&field.ty, helpers),
            optional: matches!(field.ty, ModelType::Optional(_)),
            default,
            about: about(&field.notes),
            wither,
        }
    }

    fn union(&self, decl: &TypeDecl, class: &ClassName, members: &[Field], helpers: &mut Helpers) -> Union {
        let mut scope = Names::new(names::no_type).ignoring_case();
        scope.take(&class.name);
        if decl.extensible {
            scope.take("Unknown");
        }
        let mut withers = Names::new(|_| false);
        Union {
            charges: members.iter().map(|m| self.plan.weight(&m.ty)).collect(),
            members: members
                .iter()
                .map(|m| {
                    let wanted = m.notes.target_name(TARGET).map_or_else(|| class_case(&m.name), str::to_owned);
                    Member {
                        class: scope.give(&m.name, &self.no_root(wanted)),
                        component: self.component(m, "value".to_owned(), &mut withers, helpers),
                    }
                })
                .collect(),
            extensible: decl.extensible,
            recursive: decl.recursive,
        }
    }

    /// The name of a class within another, which may not hide what a package begins with.
    fn no_root(&self, wanted: String) -> String {
        if self.roots.contains(&wanted) { wanted + "_" } else { wanted }
    }

    fn value(&self, ty: &ModelType, helpers: &mut Helpers) -> Value {
        let item = self.plan.item(ty);
        Value { ty: self.ty(ty), code: self.code(ty, &item, helpers), least: item.shape.least }
    }

    fn ty(&self, ty: &ModelType) -> Ty {
        match ty {
            ModelType::Primitive(p) => primitive(*p),
            ModelType::Bytes => Ty::Array("byte"),
            ModelType::Array(item) => match self.plan.item(ty).op {
                Op::Bulk(p) => match primitive(p) {
                    Ty::Primitive(name, _) => Ty::Array(name),
                    other => Ty::List(Box::new(other)),
                },
                _ => Ty::List(Box::new(self.ty(item))),
            },
            ModelType::Optional(item) => self.ty(item).boxed(),
            ModelType::Map(key, value) => Ty::Map(Box::new(self.ty(key)), Box::new(self.ty(value))),
            ModelType::Named(id) => Ty::Class(self.types[id.0].class.clone()),
        }
    }

    fn code(&self, ty: &ModelType, item: &Item, helpers: &mut Helpers) -> Code {
        match &item.op {
            Op::Scalar(p) => Code::Scalar(*p),
            Op::Text(p) => Code::Text(*p),
            Op::Bytes => Code::Bytes,
            Op::Bulk(p) => Code::Bulk(*p),
            Op::Record(id) | Op::Variant(id) | Op::Number(id) => Code::Coded(self.types[id.0].codec.clone()),
            Op::Each(inner) if inner.op == Op::Text(Primitive::String) => Code::Texts,
            Op::Each(_) | Op::Entries(..) | Op::Optional(_) => self.helper(ty, helpers),
        }
    }

    fn helper(&self, ty: &ModelType, helpers: &mut Helpers) -> Code {
        let kind = match ty {
            ModelType::Array(inner) => {
                let fixed = match inner.as_ref() {
                    ModelType::Named(id) => self.plan.shape(*id).fixed,
                    ModelType::Primitive(Primitive::DateTime) => Some(12),
                    _ => None,
                };
                let fixed = fixed.filter(|size| (1..=LARGEST_BLOCK).contains(size));
                HelperKind::Each { item: self.value(inner, helpers), fixed, charge: self.plan.item_charge(inner) }
            }
            ModelType::Map(key, value) => {
                let charge = self.plan.entry_charge(key, value);
                HelperKind::Entries { key: self.value(key, helpers), value: self.value(value, helpers), charge }
            }
            ModelType::Optional(inner) => HelperKind::Optional { item: self.value(inner, helpers), charge: self.plan.optional_charge(inner) },
            ModelType::Primitive(_) | ModelType::Bytes | ModelType::Named(_) => unreachable!("only composite types have helpers"),
        };
        Code::Helper(helpers.add(format!("{ty:?}"), self.spell(ty), self.ty(ty), kind))
    }

    /// The name of a type within the name of a method.
    fn spell(&self, ty: &ModelType) -> String {
        match ty {
            ModelType::Primitive(p) => class_case(p.keyword()),
            ModelType::Bytes => "Bytes".to_owned(),
            ModelType::Array(item) => format!("ListOf{}", self.spell(item)),
            ModelType::Optional(item) => format!("Optional{}", self.spell(item)),
            ModelType::Map(key, value) => format!("MapOf{}To{}", self.spell(key), self.spell(value)),
            ModelType::Named(id) => class_case(&self.types[id.0].class.name),
        }
    }

    fn is_deprecated(&self, ty: &ModelType) -> bool {
        match ty {
            ModelType::Primitive(_) | ModelType::Bytes => false,
            ModelType::Array(item) | ModelType::Optional(item) => self.is_deprecated(item),
            ModelType::Map(key, value) => self.is_deprecated(key) || self.is_deprecated(value),
            ModelType::Named(id) => self.model.ty(*id).notes.deprecated.is_some(),
        }
    }

    fn default_is_deprecated(&self, field: &Field) -> bool {
        let Some(Literal::Constant(id, index)) = &field.default else { return false };
        matches!(&self.model.ty(*id).kind, TypeKind::Enum(all) if all[*index].notes.deprecated.is_some())
    }

    fn service(&self, index: usize) -> Service {
        let interface = &self.model.interfaces[index];
        let given = &self.services[index];
        let mut helpers: Vec<Helpers> = given.methods.iter().map(|_| Helpers::default()).collect();
        let mut scope = Names::new(names::no_method);
        let all: Vec<(&str, String)> = interface.methods.iter().map(|m| (m.name.as_str(), wanted(&m.name, &m.notes))).collect();
        let method_names = scope.give_all(&all);
        let mut constants = Names::new(names::no_method_constant);
        constants.take("INTERFACE");
        constants.take("FORMAT");
        let mut records = Names::new(names::no_type).ignoring_case();
        given.methods.iter().for_each(|class| records.take(&class.name));
        let methods = interface.methods.iter().zip(method_names).enumerate().map(|(number, (method, name))| {
            let (holder, helpers) = (&given.methods[number / METHODS_A_CLASS], &mut helpers[number / METHODS_A_CLASS]);
            let class = holder.nested(&records.give(&method.name, &self.no_root(class_case(&method.name))));
            // Parameters of methods are components of the record of its arguments, too.
            let arguments = self.record(class, &method.parameters, names::no_component, false, helpers);
            Method {
                constant: constants.give(&method.name, &Style::Screaming.apply(&method.name)),
                name,
                wire_name: method.name.clone(),
                id: method.id,
                oneway: method.oneway,
                arguments,
                result: method.result.as_ref().map(|ty| self.value(ty, helpers)),
                throws: method.throws.iter().map(|id| (self.types[id.0].class.clone(), self.types[id.0].codec.clone())).collect(),
                thrown_texts: method.throws.iter().map(|id| self.types[id.0].text.clone()).collect(),
                about: about(&method.notes),
            }
        });
        let methods: Vec<Method> = methods.collect();
        let uses_deprecated = interface.notes.deprecated.is_some()
            || interface.methods.iter().any(|m| {
                m.notes.deprecated.is_some()
                    || m.parameters.iter().any(|p| self.is_deprecated(&p.ty))
                    || m.result.as_ref().is_some_and(|ty| self.is_deprecated(ty))
                    || m.throws.iter().any(|id| self.model.ty(*id).notes.deprecated.is_some())
            });
        Service {
            class: given.class.clone(),
            asynchronous: given.asynchronous.clone(),
            client: given.client.clone(),
            async_client: given.async_client.clone(),
            endpoint: given.endpoint.clone(),
            parts: given.methods.iter().zip(&given.texts).zip(helpers).map(part).collect(),
            wsdl_class: given.wsdl.clone(),
            open_api_class: given.open_api.clone(),
            wire_name: self.model.interface_name(interface),
            fingerprint: interface.fingerprint,
            about: about(&interface.notes),
            methods,
            uses_deprecated,
        }
    }
}

fn part(((methods, texts), helpers): ((&ClassName, &ClassName), Helpers)) -> Part {
    Part { methods: methods.clone(), texts: texts.clone(), helpers: helpers.list }
}

fn primitive(p: Primitive) -> Ty {
    match p {
        Primitive::Boolean => Ty::Primitive("boolean", "Boolean"),
        Primitive::Byte => Ty::Primitive("byte", "Byte"),
        Primitive::Short => Ty::Primitive("short", "Short"),
        Primitive::Char => Ty::Primitive("char", "Character"),
        Primitive::Int => Ty::Primitive("int", "Integer"),
        Primitive::Long => Ty::Primitive("long", "Long"),
        Primitive::Float => Ty::Primitive("float", "Float"),
        Primitive::Double => Ty::Primitive("double", "Double"),
        Primitive::String => Ty::Class(ClassName::new("java.lang", "String")),
        Primitive::DateTime => Ty::Class(ClassName::new("java.time", "Instant")),
        Primitive::Decimal => Ty::Class(ClassName::new("java.math", "BigDecimal")),
    }
}

/// Joins consecutive components of fixed size, two at least, to blocks that one check serves.
fn steps(components: &[Component], blocks: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut open: Vec<(usize, u64)> = Vec::new();
    let mut size = 0;
    let mut close = |open: &mut Vec<(usize, u64)>, size: &mut u64| {
        match open.as_slice() {
            [] => {}
            [(index, _)] => steps.push(Step::Field(*index)),
            _ => steps.push(Step::Block { fields: open.clone(), size: *size }),
        }
        open.clear();
        *size = 0;
    };
    for (index, component) in components.iter().enumerate() {
        match component.fixed {
            Some(bytes) if blocks => {
                if size + bytes > LARGEST_BLOCK {
                    close(&mut open, &mut size);
                }
                open.push((index, size));
                size += bytes;
            }
            _ => {
                close(&mut open, &mut size);
                open.push((index, 0));
                close(&mut open, &mut size);
            }
        }
    }
    close(&mut open, &mut size);
    steps
}
