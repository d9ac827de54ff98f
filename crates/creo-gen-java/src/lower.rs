//! Decides everything about the Java code: names, types, helpers, steps.

use crate::lang::{
    Classes, Code, Component, Constant, Enum, Fixed, FixedField, Helper, HelperKind, Items, Kind, Layout,
    METHODS_A_CLASS, Member, Method, Part, Record, Service, Slot, Step, StreamParameter, Ty, Type, TypeNames,
    Union, Value,
};
use crate::names::{self, ClassName, Taken};
use creo_check::CheckedModel;
use creo_codegen::{About, Names, PackageScopes, Style, method_uses_deprecated, type_uses_deprecated};
use creo_model::{Field, Literal, Notes, PackageId, Type as ModelType, TypeDecl, TypeId, TypeKind};
use creo_plan::{Node, Plan, RunField, secrets};
use std::collections::{BTreeMap, BTreeSet};

const TARGET: &str = "java";

/// The max size of a block that is checked at once: a transport provides this many bytes in one piece.
const MAX_BLOCK: u64 = 1_024;

/// A whole description in Java.
pub struct Lowered<'p> {
    pub types: Vec<Type<'p>>,
    pub services: Vec<Service<'p>>,
    pub classes: Classes,
    pub taken: Taken,
}

struct ServiceNames {
    class: ClassName,
    asynchronous: ClassName,
    client: ClassName,
    async_client: ClassName,
    endpoint: ClassName,
    /// One per [`METHODS_A_CLASS`] methods.
    methods: Vec<ClassName>,
    texts: Vec<ClassName>,
    wsdl: ClassName,
    open_api: ClassName,
    description: ClassName,
}

struct Lowering<'a, 'p> {
    model: &'a CheckedModel,
    plan: &'p Plan,
    classes: &'a Classes,
    services: &'a [ServiceNames],
    /// The first parts of packages.
    roots: &'a BTreeSet<String>,
}

/// `runtime`: the package of the runtime.
pub fn lower<'p>(model: &CheckedModel, plan: &'p Plan, runtime: &str) -> Lowered<'p> {
    let (types, services, mut taken) = name_classes(model);
    taken.runtime = runtime.to_owned();
    let classes = Classes(types);
    let (types, services) = {
        let lowering = Lowering { model, plan, classes: &classes, services: &services, roots: &taken.roots };
        let types: Vec<Type> = model.type_ids().map(|id| lowering.declared(id)).collect();
        let services: Vec<Service> = (0..model.interfaces.len()).map(|i| lowering.service(i)).collect();
        (types, services)
    };
    Lowered { types, services, classes, taken }
}

/// The name from `@Name`, or the declared one: names of a description are already in Java's style.
fn wanted(name: &str, notes: &Notes) -> String {
    notes.target_name(TARGET).unwrap_or(name).to_owned()
}

fn name_classes(model: &CheckedModel) -> (Vec<TypeNames>, Vec<ServiceNames>, Taken) {
    let packages: Vec<String> = model.packages.iter().map(|p| names::package(p.name_for(TARGET))).collect();
    let roots: BTreeSet<String> = packages.iter().map(|package| names::root(package).to_owned()).collect();
    let mut scopes = PackageScopes::new(packages, &[], || Names::new(names::no_type).ignoring_case());
    // Nor may a class hide the first part of a package.
    roots.iter().for_each(|root| scopes.take(root));
    let mut class = |package: PackageId, key: &str, wanted: &str| {
        let name = scopes.give(package, key, wanted);
        ClassName::new(scopes.package(package), &name)
    };
    // All declarations are named before the classes derived from them.
    let types = model.types.iter().enumerate();
    let types: Vec<ClassName> = types
        .map(|(index, decl)| class(decl.package, &format!("type {index}"), &wanted(&decl.name, &decl.notes)))
        .collect();
    let interfaces = model.interfaces.iter().enumerate();
    let interfaces: Vec<ClassName> = interfaces
        .map(|(index, interface)| {
            let wanted = wanted(&interface.name, &interface.notes);
            class(interface.package, &format!("interface {index}"), &wanted)
        })
        .collect();
    let types = model.types.iter().zip(types).enumerate().map(|(index, (decl, own))| {
        let mut helper = |suffix: &str| {
            class(decl.package, &format!("type {index} {suffix}"), &format!("{}{suffix}", own.name))
        };
        let (codec, text) = (helper("Codec"), helper("Text"));
        TypeNames { class: own, codec, text, constants: constants(decl) }
    });
    let types: Vec<TypeNames> = types.collect();
    let services = model.interfaces.iter().zip(interfaces).enumerate().map(|(index, (interface, own))| {
        let mut helper = |suffix: &str| {
            class(interface.package, &format!("interface {index} {suffix}"), &format!("{}{suffix}", own.name))
        };
        let mut spread = |suffix: &str| -> Vec<ClassName> {
            let parts = interface.methods.len().div_ceil(METHODS_A_CLASS).max(1);
            (0..parts)
                .map(|part| if part == 0 { helper(suffix) } else { helper(&format!("{suffix}{}", part + 1)) })
                .collect()
        };
        let (methods, texts) = (spread("Methods"), spread("Texts"));
        ServiceNames {
            asynchronous: helper("Async"),
            client: helper("Client"),
            async_client: helper("AsyncClient"),
            endpoint: helper("Endpoint"),
            methods,
            texts,
            wsdl: helper("Wsdl"),
            open_api: helper("OpenApi"),
            description: helper("Description"),
            class: own,
        }
    });
    let services: Vec<ServiceNames> = services.collect();
    let mut taken = Taken { roots, ..Taken::default() };
    let mut own = |class: &ClassName| {
        taken.classes.entry(class.package.clone()).or_default().insert(class.name.clone());
    };
    types.iter().for_each(|t| [&t.class, &t.codec, &t.text].into_iter().for_each(&mut own));
    for s in &services {
        [
            &s.class,
            &s.asynchronous,
            &s.client,
            &s.async_client,
            &s.endpoint,
            &s.wsdl,
            &s.open_api,
            &s.description,
        ]
        .into_iter()
        .chain(&s.methods)
        .chain(&s.texts)
        .for_each(&mut own);
    }
    (types, services, taken)
}

fn constants(decl: &TypeDecl) -> Vec<String> {
    let TypeKind::Enum(constants) = &decl.kind else { return Vec::new() };
    let wanted = constants.iter().map(|c| (c.name.as_str(), wanted(&c.name, &c.notes)));
    Names::new(names::no_constant).give_all(wanted)
}

/// `UpperCamel`; a name that already is stays unchanged.
fn class_case(name: &str) -> String {
    let mut chars = name.chars();
    match chars.next() {
        Some(first) if !name.contains('_') => first.to_ascii_uppercase().to_string() + chars.as_str(),
        _ => Style::UpperCamel.apply(name),
    }
}

/// The helpers of one class: two methods per composite type.
#[derive(Default)]
struct Helpers {
    list: Vec<Helper>,
    by_type: BTreeMap<ModelType, usize>,
    taken: BTreeSet<String>,
}

impl Helpers {
    fn add(&mut self, key: &ModelType, name: String, ty: Ty, kind: HelperKind) -> String {
        if let Some(index) = self.by_type.get(key) {
            return self.list[*index].name.clone();
        }
        let mut free = name;
        while !self.taken.insert(free.clone()) {
            free.push('_');
        }
        self.by_type.insert(key.clone(), self.list.len());
        self.list.push(Helper { name: free.clone(), ty, kind });
        free
    }
}

impl<'p> Lowering<'_, 'p> {
    fn declared(&self, id: TypeId) -> Type<'p> {
        let decl = self.model.ty(id);
        let given = self.classes.of(id);
        let mut helpers = Helpers::default();
        let kind = match &decl.kind {
            TypeKind::Struct(fields) => {
                Kind::Struct(self.declared_record(id, fields, names::no_component, &mut helpers))
            }
            TypeKind::Exception(fields) => {
                Kind::Exception(self.declared_record(id, fields, names::no_exception_component, &mut helpers))
            }
            TypeKind::Enum(constants) => {
                let constant = |(declared, name): (&creo_model::Constant, &String)| Constant {
                    name: name.clone(),
                    number: declared.number,
                    about: About::of(&declared.notes),
                };
                let constants = constants.iter().zip(&given.constants).map(constant).collect();
                Kind::Enum(Enum { plan: self.plan.enumeration(id), constants })
            }
            TypeKind::Union(members) => {
                Kind::Union(self.union(self.plan.union(id), &given.class, members, &mut helpers))
            }
        };
        Type {
            id,
            class: given.class.clone(),
            codec: given.codec.clone(),
            text: given.text.clone(),
            wire_name: decl.name.clone(),
            full_name: self.model.full_name(id),
            about: About::of(&decl.notes),
            kind,
            helpers: helpers.list,
            uses_deprecated: type_uses_deprecated(self.model, decl)
                || matches!(&decl.kind, TypeKind::Enum(all) if all.iter().any(|c| c.notes.deprecated.is_some())),
        }
    }

    fn declared_record(
        &self,
        id: TypeId,
        fields: &[Field],
        reserved: fn(&str) -> bool,
        helpers: &mut Helpers,
    ) -> Record<'p> {
        let plan = self.plan.record(id);
        let record = self.record(self.classes.of(id).class.clone(), plan, fields, reserved, helpers);
        let thrown = matches!(self.model.ty(id).kind, TypeKind::Exception(_));
        // It would hide an equal name of its enclosing class, and the first part of a package.
        let mut builder = "Builder".to_owned();
        while builder == record.class.name || self.roots.contains(&builder) {
            builder.push('_');
        }
        Record { layout: self.layout(plan), thrown, builder, ..record }
    }

    /// SOAP-26, SOAP-100.
    fn soap_response(&self, method: &creo_model::Method, plan: &'p creo_plan::Method) -> Option<Record<'p>> {
        let (id, message) = (self.model.result_in_parts(method)?, plan.soap_response.as_ref()?);
        let fields = self.model.ty(id).fields();
        let record = self.declared_record(id, fields, names::no_component, &mut Helpers::default());
        let parts = record.components.into_iter().zip(&message.record.fields);
        let components = parts.map(|(component, field)| Component { field, ..component }).collect();
        Some(Record { plan: &message.record, components, ..record })
    }

    fn record(
        &self,
        class: ClassName,
        plan: &'p creo_plan::Record,
        declared: &[Field],
        reserved: fn(&str) -> bool,
        helpers: &mut Helpers,
    ) -> Record<'p> {
        let mut scope = Names::new(reserved);
        let given = scope.give_all(declared.iter().map(|f| (f.name.as_str(), wanted(&f.name, &f.notes))));
        let mut withers = Names::new(|_| false);
        let fields = plan.fields.iter().zip(declared).zip(given);
        let component = |((field, declared), name): ((&'p creo_plan::Field, &Field), String)| {
            self.component(field, &declared.notes, name, &mut withers, helpers)
        };
        let components: Vec<Component> = fields.map(component).collect();
        Record {
            class,
            plan,
            components,
            steps: self.steps(plan),
            layout: None,
            thrown: false,
            builder: String::new(),
            stream: None,
        }
    }

    fn component(
        &self,
        field: &'p creo_plan::Field,
        notes: &Notes,
        name: String,
        withers: &mut Names,
        helpers: &mut Helpers,
    ) -> Component<'p> {
        let wither = withers.give(&field.name, &format!("with{}", class_case(&name)));
        let constant = match &field.default {
            Some(Literal::Constant(id, index)) => {
                let names = self.classes.of(*id);
                Some((names.class.clone(), names.constants[*index].clone()))
            }
            Some(
                Literal::Boolean(_)
                | Literal::Integer(_)
                | Literal::Char(_)
                | Literal::Number(_)
                | Literal::String(_)
                | Literal::DateTime(..)
                | Literal::Decimal(_)
                | Literal::Empty,
            )
            | None => None,
        };
        Component {
            name,
            field,
            value: self.value(&field.node, helpers),
            constant,
            about: About::of(notes),
            wither,
        }
    }

    /// The steps of a record's codec: runs of at least two fields are blocks that share one check.
    fn steps(&self, plan: &creo_plan::Record) -> Vec<Step> {
        let field = |field: &RunField| {
            let fixed =
                self.fixed(&plan.fields[field.index].node).expect("the values of a run have a fixed size");
            FixedField { index: field.index, offset: field.offset, fixed }
        };
        let step = |step| match step {
            creo_plan::Step::Field(index) => Step::Field(index),
            creo_plan::Step::Run { fields, size } => match fields.as_slice() {
                [only] => Step::Field(only.index),
                fields => Step::Block { fields: fields.iter().map(field).collect(), size },
            },
        };
        plan.steps(MAX_BLOCK).into_iter().map(step).collect()
    }

    fn layout(&self, plan: &creo_plan::Record) -> Option<Layout> {
        let size = plan.shape.fixed_size.filter(|size| *size <= MAX_BLOCK)?;
        let mut offset = 0;
        let mut fields = Vec::new();
        for (index, field) in plan.fields.iter().enumerate() {
            let fixed = self.fixed(&field.node)?;
            let size = fixed.size;
            fields.push(FixedField { index, offset, fixed });
            offset += size;
        }
        Some(Layout { size, fields })
    }

    fn union(
        &self,
        plan: &'p creo_plan::Union,
        class: &ClassName,
        declared: &[Field],
        helpers: &mut Helpers,
    ) -> Union<'p> {
        let mut scope = Names::new(names::no_type).ignoring_case();
        scope.take(&class.name);
        if plan.extensible {
            scope.take("Unknown");
        }
        let mut withers = Names::new(|_| false);
        let member = |(member, declared): (&'p creo_plan::Field, &Field)| {
            let wanted =
                declared.notes.target_name(TARGET).map_or_else(|| class_case(&member.name), str::to_owned);
            Member {
                class: scope.give(&member.name, &self.no_root(wanted)),
                component: self.component(member, &declared.notes, "value".to_owned(), &mut withers, helpers),
            }
        };
        Union { plan, members: plan.members.iter().zip(declared).map(member).collect() }
    }

    /// The name of a nested class, which must not hide the first part of a package.
    fn no_root(&self, wanted: String) -> String {
        if self.roots.contains(&wanted) { wanted + "_" } else { wanted }
    }

    fn items(&self, items: &creo_plan::Field, helpers: &mut Helpers) -> Items {
        Items { value: self.value(&items.node.stream_item(), helpers), charge: items.node.charges.each }
    }

    fn stream_parameter(
        &self,
        plan: &creo_plan::Method,
        method: &creo_model::Method,
        helpers: &mut Helpers,
    ) -> Option<StreamParameter> {
        let items = self.items(plan.stream_parameter.as_ref()?, helpers);
        let wanted = method.parameters.iter().map(|p| (p.name.as_str(), wanted(&p.name, &p.notes)));
        let name = Names::new(names::no_parameter).give_all(wanted).pop()?;
        let about = About::of(&method.stream_parameter()?.notes);
        Some(StreamParameter { name, items, about })
    }

    fn value(&self, node: &Node, helpers: &mut Helpers) -> Value {
        Value { ty: self.classes.ty(node), code: self.code(node, helpers), min_size: node.shape.min_size }
    }

    /// A fixed-size value, if it is small enough to be read and written at an index.
    fn fixed(&self, node: &Node) -> Option<Fixed> {
        let size = node.shape.fixed_size.filter(|size| *size <= MAX_BLOCK)?;
        let slot = match &node.kind {
            creo_plan::Kind::Scalar(scalar) => Slot::Scalar(*scalar),
            creo_plan::Kind::Enum(id) => Slot::Enum(self.classes.of(*id).codec.clone()),
            creo_plan::Kind::Record(id) => Slot::Record(self.classes.of(*id).codec.clone()),
            creo_plan::Kind::String(_)
            | creo_plan::Kind::Decimal
            | creo_plan::Kind::Bytes { .. }
            | creo_plan::Kind::Array { .. }
            | creo_plan::Kind::Map { .. }
            | creo_plan::Kind::Optional(_)
            | creo_plan::Kind::Union(_) => return None,
        };
        Some(Fixed { size, slot })
    }

    fn code(&self, node: &Node, helpers: &mut Helpers) -> Code {
        let kind = match &node.kind {
            creo_plan::Kind::Scalar(scalar) => return Code::Scalar(*scalar),
            creo_plan::Kind::String(_) => return Code::String,
            creo_plan::Kind::Decimal => return Code::Decimal,
            creo_plan::Kind::Bytes { .. } => return Code::Bytes,
            creo_plan::Kind::Array { bulk: Some(bulk), .. } => return Code::Bulk(*bulk),
            creo_plan::Kind::Record(id) | creo_plan::Kind::Union(id) | creo_plan::Kind::Enum(id) => {
                return Code::Coded(self.classes.of(*id).codec.clone());
            }
            creo_plan::Kind::Array { item, bulk: None, .. }
                if matches!(item.kind, creo_plan::Kind::String(_)) =>
            {
                return Code::Strings;
            }
            creo_plan::Kind::Array { item, bulk: None, .. } => HelperKind::Each {
                item: self.value(item, helpers),
                fixed: self.fixed(item).filter(|fixed| fixed.size > 0),
                charge: node.charges.each,
            },
            creo_plan::Kind::Map { key, value, .. } => HelperKind::Entries {
                key: self.value(key, helpers),
                value: self.value(value, helpers),
                charge: node.charges.each,
            },
            creo_plan::Kind::Optional(item) => {
                HelperKind::Optional { item: self.value(item, helpers), charge: node.charges.own }
            }
        };
        Code::Helper(helpers.add(&node.ty, self.spell(&node.ty), self.classes.ty(node), kind))
    }

    /// The name of a type as part of a method's name.
    fn spell(&self, ty: &ModelType) -> String {
        match ty {
            ModelType::Primitive(p) => class_case(p.keyword()),
            ModelType::Bytes => "Bytes".to_owned(),
            ModelType::Array(item) => format!("ListOf{}", self.spell(item)),
            ModelType::Optional(item) => format!("Optional{}", self.spell(item)),
            ModelType::Map(key, value) => format!("MapOf{}To{}", self.spell(key), self.spell(value)),
            ModelType::Named(id) => class_case(&self.classes.of(*id).class.name),
        }
    }

    fn service(&self, index: usize) -> Service<'p> {
        let plan = self.plan.interface(index);
        let interface = &self.model.interfaces[index];
        let given = &self.services[index];
        let mut helpers: Vec<Helpers> = given.methods.iter().map(|_| Helpers::default()).collect();
        let wanted = interface.methods.iter().map(|m| (m.name.as_str(), wanted(&m.name, &m.notes)));
        let method_names = Names::new(names::no_method).give_all(wanted);
        let mut constants = Names::new(names::no_method_constant);
        constants.take("INTERFACE");
        constants.take("FORMAT");
        let mut records = Names::new(names::no_type).ignoring_case();
        given.methods.iter().for_each(|class| records.take(&class.name));
        let methods = interface.methods.iter().zip(&plan.methods).zip(method_names).enumerate();
        let methods = methods.map(|(number, ((method, plan), name))| {
            let (holder, helpers) =
                (&given.methods[number / METHODS_A_CLASS], &mut helpers[number / METHODS_A_CLASS]);
            let class = holder.nested(&records.give(&method.name, &self.no_root(class_case(&method.name))));
            // Parameters of methods are also components of the record of arguments.
            let mut arguments =
                self.record(class, &plan.request.record, &method.parameters, names::no_parameter, helpers);
            arguments.stream = self.stream_parameter(plan, method, helpers);
            Method {
                plan,
                soap: self.soap_response(method, plan),
                constant: constants.give(&method.name, &Style::Screaming.apply(&method.name)),
                name,
                wire_name: method.name.clone(),
                id: method.id,
                idempotent: method.idempotent,
                secrets: secrets(self.model, self.plan, plan),
                arguments,
                result: plan.result().map(|node| self.value(node, helpers)),
                gives: plan.stream_result.as_ref().map(|items| self.items(items, helpers)),
                throws: method
                    .throws
                    .iter()
                    .map(|id| (self.classes.of(*id).class.clone(), self.classes.of(*id).codec.clone()))
                    .collect(),
                thrown_texts: method.throws.iter().map(|id| self.classes.of(*id).text.clone()).collect(),
                about: About::of(&method.notes),
            }
        });
        let methods: Vec<Method> = methods.collect();
        let uses_deprecated = interface.notes.deprecated.is_some()
            || interface
                .methods
                .iter()
                .any(|m| m.notes.deprecated.is_some() || method_uses_deprecated(self.model, m));
        Service {
            class: given.class.clone(),
            asynchronous: given.asynchronous.clone(),
            client: given.client.clone(),
            async_client: given.async_client.clone(),
            endpoint: given.endpoint.clone(),
            parts: given.methods.iter().zip(&given.texts).zip(helpers).map(part).collect(),
            wsdl_class: given.wsdl.clone(),
            open_api_class: given.open_api.clone(),
            description_class: given.description.clone(),
            wire_name: self.model.interface_name(interface),
            fingerprint: interface.fingerprint,
            about: About::of(&interface.notes),
            methods,
            soap12: self.plan.interface(index).soap12,
            encoded: self.plan.interface(index).encoded,
            addressing: self.plan.interface(index).addressing,
            uses_deprecated,
        }
    }
}

fn part(((methods, texts), helpers): ((&ClassName, &ClassName), Helpers)) -> Part {
    Part { methods: methods.clone(), texts: texts.clone(), helpers: helpers.list }
}
