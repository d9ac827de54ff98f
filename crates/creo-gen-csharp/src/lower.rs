//! Decides: names, files, and the facts of each type that the rendering needs.

use crate::literals;
use crate::names;
use creo_check::CheckedModel;
use creo_codegen::{Names, header};
use creo_model::{Field, Interface, Method, Primitive, Type, TypeDecl, TypeId, TypeKind};
use creo_plan::{Kind, Node, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// The largest struct that becomes a value type, in bytes on the wire.
const MAX_VALUE_STRUCT: u64 = 64;

/// Everything that is generated for one model.
pub struct Output<'m> {
    pub model: &'m CheckedModel,
    pub plan: &'m Plan,
    /// The first line of each file, without its comment mark.
    pub header: String,
    /// The name of the project, and of its file.
    pub project: String,
    /// By index of the type in the model.
    pub types: Vec<TypeUnit>,
    pub services: Vec<ServiceUnit>,
    /// Simple names that generated types and namespaces use: a name of the framework that is among them is written in full.
    pub taken: BTreeSet<String>,
}

/// A declared type.
pub struct TypeUnit {
    pub id: TypeId,
    pub namespace: String,
    pub name: String,
    pub codec: String,
    /// The class that knows it as text.
    pub text: String,
    pub path: String,
    pub codec_path: String,
    pub text_path: String,
    /// `readonly record struct` instead of `sealed record`: of a fixed, small size.
    pub value: bool,
    /// Whether its code touches something deprecated: warnings about that are for users.
    pub deprecated_inside: bool,
    /// Fields, members or constants, in declared order.
    pub members: Vec<MemberUnit>,
    /// The name of the member that stands for unknown ones, in an extensible union.
    pub unknown: Option<String>,
}

/// A field, a union's member or a constant.
pub struct MemberUnit {
    /// The property, nested type or constant.
    pub name: String,
    /// A local of the codec.
    pub local: String,
    /// The default of the property, as an expression; nothing if it must be given, or if the type's own default value will do.
    pub initializer: Option<String>,
    /// Whether a caller must give it.
    pub required: bool,
    /// The exception's own message: a text that the description calls so.
    pub is_message: bool,
}

/// An interface.
pub struct ServiceUnit {
    pub index: usize,
    pub namespace: String,
    pub methods: String,
    pub client: String,
    /// The class that knows the methods as text.
    pub texts: String,
    pub methods_path: String,
    pub client_path: String,
    pub texts_path: String,
    pub deprecated_inside: bool,
    /// In declared order.
    pub calls: Vec<CallUnit>,
}

pub struct CallUnit {
    /// The descriptor, a property of the methods' class.
    pub descriptor: String,
    /// The client's method; the asynchronous one ends in `Async`.
    pub name: String,
    pub parameters: Vec<String>,
    /// The parameters of our own, behind the user's.
    pub options: String,
    pub cancellation: String,
}

impl<'m> Output<'m> {
    pub fn unit(&self, id: TypeId) -> &TypeUnit {
        &self.types[id.0]
    }

    pub fn decl(&self, id: TypeId) -> &'m TypeDecl {
        let model: &'m CheckedModel = self.model;
        model.ty(id)
    }

    pub fn interface(&self, unit: &ServiceUnit) -> &'m Interface {
        let model: &'m CheckedModel = self.model;
        &model.interfaces[unit.index]
    }

    /// The size of a value that is read at a fixed place of a block.
    pub fn read_size(&self, node: &Node) -> Option<u64> {
        match node.kind {
            Kind::Scalar(scalar) => Some(scalar.size()),
            Kind::Enum(_) => node.shape.fixed_size,
            Kind::Record(id) => self.unit(id).value.then_some(node.shape.fixed_size).flatten(),
            Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Union(_) => None,
        }
    }

    /// The size of a value that is written at a fixed place of a block. Values that can be refused are written one after the other, so that the bytes
    /// before them say where they are.
    pub fn write_size(&self, node: &Node) -> Option<u64> {
        self.read_size(node).filter(|_| !self.plan.holds_enum(node))
    }
}

/// Lowers a model.
pub fn lower(model: &CheckedModel) -> Output<'_> {
    let namespaces = namespaces(model);
    let (type_names, service_names) = top_names(model, &namespaces);
    let paths = paths(model, &namespaces, &type_names, &service_names);
    let mut output = Output {
        model,
        plan: model.plan(),
        header: header(model),
        project: project(model, &namespaces),
        types: Vec::new(),
        services: Vec::new(),
        taken: BTreeSet::new(),
    };
    for id in model.type_ids() {
        let decl = model.ty(id);
        let [name, codec, text] = &type_names[id.0];
        let value = is_value(&output, decl, id);
        let (members, unknown) = members(&output, &namespaces, &type_names, decl, name);
        output.types.push(TypeUnit {
            id,
            namespace: namespaces[decl.package.0].clone(),
            name: name.clone(),
            codec: codec.clone(),
            text: text.clone(),
            path: paths.types[id.0][0].clone(),
            codec_path: paths.types[id.0][1].clone(),
            text_path: paths.types[id.0][2].clone(),
            value,
            deprecated_inside: touches_deprecated(model, decl),
            members,
            unknown,
        });
    }
    for (index, interface) in model.interfaces.iter().enumerate() {
        let [methods, client, texts] = &service_names[index];
        output.services.push(ServiceUnit {
            index,
            namespace: namespaces[interface.package.0].clone(),
            methods: methods.clone(),
            client: client.clone(),
            texts: texts.clone(),
            methods_path: paths.services[index][0].clone(),
            client_path: paths.services[index][1].clone(),
            texts_path: paths.services[index][2].clone(),
            deprecated_inside: interface.notes.deprecated.is_some()
                || interface.methods.iter().any(|m| method_touches_deprecated(model, m)),
            calls: calls(interface, &type_names, methods, client, texts),
        });
    }
    output.taken = taken(&output, &namespaces);
    output
}

/// By index of the package.
fn namespaces(model: &CheckedModel) -> Vec<String> {
    let of = |package: &creo_model::Package| {
        names::namespace(
            package.name_for(names::TARGET),
            package.targets.iter().any(|(t, _)| t == names::TARGET),
        )
    };
    model.packages.iter().map(of).collect()
}

/// The project is named after the package that offers services, or else the one that declares the first type.
fn project(model: &CheckedModel, namespaces: &[String]) -> String {
    let first = model.interfaces.first().map(|i| i.package).or(model.types.first().map(|t| t.package));
    first.map_or("Service".to_owned(), |package| namespaces[package.0].clone())
}

/// Of a type, its codec and its text; of an interface's descriptors, its client and its texts.
type Triples = Vec<[String; 3]>;

/// The names of types with their codecs, and of descriptors with their clients. Packages that share a namespace share its names.
fn top_names(model: &CheckedModel, namespaces: &[String]) -> (Triples, Triples) {
    let mut scopes: BTreeMap<&str, Names> = BTreeMap::new();
    for namespace in namespaces {
        let names = scopes.entry(namespace).or_insert_with(|| Names::new(names::is_reserved_type));
        // A type may not be called like a namespace within its own.
        for other in namespaces {
            if let Some(rest) = other.strip_prefix(namespace.as_str()).and_then(|rest| rest.strip_prefix('.'))
            {
                names.take(rest.split('.').next().unwrap_or(rest));
            }
        }
    }
    let wanted = |decl: &TypeDecl| {
        names::own(decl.notes.target_name(names::TARGET)).unwrap_or_else(|| {
            let name = names::pascal(&decl.name);
            match decl.kind {
                TypeKind::Exception(_) if !name.ends_with("Exception") => name + "Exception",
                TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Enum(_) | TypeKind::Union(_) => name,
            }
        })
    };
    // First the types that are named as declared, then the other types, then what is made beside them.
    let mut types: Triples = vec![Default::default(); model.types.len()];
    for exact in [true, false] {
        for id in model.type_ids() {
            let decl = model.ty(id);
            let name = wanted(decl);
            if (name == decl.name) == exact {
                let scope =
                    scopes.get_mut(namespaces[decl.package.0].as_str()).expect("every namespace has a scope");
                types[id.0][0] = scope.give(&model.full_name(id), &name);
            }
        }
    }
    for id in model.type_ids() {
        let scope =
            scopes.get_mut(namespaces[model.ty(id).package.0].as_str()).expect("every namespace has a scope");
        for (index, (what, end)) in [("codec", "Codec"), ("text", "Text")].into_iter().enumerate() {
            types[id.0][1 + index] =
                scope.give(&format!("{} {what}", model.full_name(id)), &format!("{}{end}", types[id.0][0]));
        }
    }
    let services = model
        .interfaces
        .iter()
        .map(|interface| {
            let scope = scopes
                .get_mut(namespaces[interface.package.0].as_str())
                .expect("every namespace has a scope");
            let name = names::own(interface.notes.target_name(names::TARGET))
                .unwrap_or_else(|| names::pascal(&interface.name));
            let key = model.interface_name(interface);
            [("methods", "Methods"), ("client", "Client"), ("texts", "Texts")]
                .map(|(what, end)| scope.give(&format!("{key} {what}"), &format!("{name}{end}")))
        })
        .collect();
    (types, services)
}

struct Paths {
    types: Triples,
    services: Triples,
}

/// A file for each, in the folder of its namespace; names of files differ by more than case.
fn paths(model: &CheckedModel, namespaces: &[String], types: &Triples, services: &Triples) -> Paths {
    let mut scope = Names::new(names::never).ignoring_case();
    let mut path = |namespace: &str, name: &str| {
        let wanted = format!("{namespace}/{name}");
        scope.give(&wanted, &wanted) + ".cs"
    };
    let mut of = |package: creo_model::PackageId, names: &[String; 3]| {
        names.each_ref().map(|name| path(&namespaces[package.0], name))
    };
    Paths {
        types: model.types.iter().zip(types).map(|(decl, names)| of(decl.package, names)).collect(),
        services: model
            .interfaces
            .iter()
            .zip(services)
            .map(|(interface, names)| of(interface.package, names))
            .collect(),
    }
}

/// Whether a struct becomes a value type: small, of fixed size, with fields that are values themselves, and without defaults, which a value type that
/// nobody constructed would not have.
fn is_value(output: &Output, decl: &TypeDecl, id: TypeId) -> bool {
    let TypeKind::Struct(fields) = &decl.kind else { return false };
    let small = output.plan.shape(id).fixed_size.is_some_and(|size| size <= MAX_VALUE_STRUCT);
    small
        && !decl.extensible
        && fields.iter().all(|f| {
            f.default.is_none()
                && match &f.ty {
                    Type::Named(inner) => match output.model.ty(*inner).kind {
                        TypeKind::Enum(_) => true,
                        TypeKind::Struct(_) => is_value(output, output.model.ty(*inner), *inner),
                        TypeKind::Exception(_) | TypeKind::Union(_) => false,
                    },
                    Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => {
                        true
                    }
                }
        })
}

fn members(
    output: &Output,
    namespaces: &[String],
    types: &Triples,
    decl: &TypeDecl,
    owner: &str,
) -> (Vec<MemberUnit>, Option<String>) {
    let model = output.model;
    let constant = |id: TypeId, index: usize| {
        let decl = model.ty(id);
        let TypeKind::Enum(constants) = &decl.kind else { unreachable!("a constant's type is an enum") };
        let name = &constant_names(constants)[index];
        format!("global::{}.{}.{name}", namespaces[decl.package.0], types[id.0][0])
    };
    match &decl.kind {
        TypeKind::Enum(constants) => {
            (constant_names(constants).into_iter().map(plain_member).collect(), None)
        }
        TypeKind::Union(fields) => {
            let mut scope = Names::new(names::is_reserved_type);
            scope.take(owner);
            // The property that holds the value may not be called like the type around it.
            scope.take("Value");
            if decl.extensible {
                // Nor like the properties of the member that stands for unknown ones.
                scope.take("Index");
                scope.take("Bytes");
            }
            let names = give_all(&mut scope, fields);
            let unknown = decl.extensible.then(|| scope.give("#unknown", "Unknown"));
            (names.into_iter().map(plain_member).collect(), unknown)
        }
        TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
            let exception = matches!(decl.kind, TypeKind::Exception(_));
            let is_message =
                |f: &Field| exception && f.name == "message" && f.ty == Type::Primitive(Primitive::String);
            let mut scope =
                Names::new(if exception { names::is_exception_member } else { names::is_record_member });
            scope.take(owner);
            let (messages, others): (Vec<&Field>, Vec<&Field>) = fields.iter().partition(|f| is_message(f));
            let given = give_all(&mut scope, others.iter().copied());
            let mut given = given.into_iter();
            debug_assert!(messages.len() <= 1);
            let mut locals = Names::new(names::never);
            ["reader", "writer", "value", "block"].iter().for_each(|name| locals.take(name));
            let members = fields
                .iter()
                .map(|f| {
                    let name = if is_message(f) {
                        "Message".to_owned()
                    } else {
                        given.next().expect("a name for each")
                    };
                    let initializer = match &f.default {
                        Some(literal) => {
                            Some(literals::default(literal, &f.ty, constant)).filter(|text| text != "default")
                        }
                        None => f.notes.deprecated.is_some().then(|| empty_value(&f.ty)).flatten(),
                    };
                    // A deprecated field need not be given where its type has an empty value: otherwise nobody could leave it alone.
                    let may_be_left = f.default.is_some()
                        || matches!(f.ty, Type::Optional(_))
                        || (f.notes.deprecated.is_some()
                            && (initializer.is_some() || has_default_value(&f.ty)));
                    let local = locals.give(&f.name, &names::camel(&f.name));
                    MemberUnit { name, local, initializer, required: !may_be_left, is_message: is_message(f) }
                })
                .collect();
            (members, None)
        }
    }
}

fn plain_member(name: String) -> MemberUnit {
    MemberUnit { name, local: String::new(), initializer: None, required: false, is_message: false }
}

fn constant_names(constants: &[creo_model::Constant]) -> Vec<String> {
    let mut scope = Names::new(names::is_enum_member);
    let wanted: Vec<(&str, String)> = constants
        .iter()
        .map(|c| {
            (
                c.name.as_str(),
                names::own(c.notes.target_name(names::TARGET)).unwrap_or_else(|| names::pascal(&c.name)),
            )
        })
        .collect();
    scope.give_all(&wanted)
}

fn give_all<'a>(scope: &mut Names, fields: impl IntoIterator<Item = &'a Field>) -> Vec<String> {
    let wanted: Vec<(&str, String)> = fields
        .into_iter()
        .map(|f| {
            (
                f.name.as_str(),
                names::own(f.notes.target_name(names::TARGET)).unwrap_or_else(|| names::pascal(&f.name)),
            )
        })
        .collect();
    scope.give_all(&wanted)
}

/// The empty value of a reference type that has one.
fn empty_value(ty: &Type) -> Option<String> {
    match ty {
        Type::Primitive(Primitive::String) => Some("\"\"".to_owned()),
        Type::Map(..) => Some("[]".to_owned()),
        Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Named(_) => None,
    }
}

/// Whether the type's own default value is one of the description.
fn has_default_value(ty: &Type) -> bool {
    match ty {
        Type::Primitive(Primitive::String) | Type::Map(..) | Type::Named(_) => false,
        Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) => true,
    }
}

fn calls(interface: &Interface, types: &Triples, methods: &str, client: &str, texts: &str) -> Vec<CallUnit> {
    let mut descriptors = Names::new(names::is_client_member);
    descriptors.take(methods);
    descriptors.take(texts);
    // What the descriptors refer to must not be hidden by one of them.
    ["Service", "Reader", "Writer", "BinaryPrimitives", "GC"].iter().for_each(|name| descriptors.take(name));
    types.iter().for_each(|[_, codec, _]| descriptors.take(codec));
    let mut names_in_client = Names::new(names::is_client_member);
    names_in_client.take(client);
    names_in_client.take(methods);
    names_in_client.take("_binding");
    names_in_client.take("_own");
    let mut given = BTreeSet::new();
    interface
        .methods
        .iter()
        .map(|method| {
            let wanted = names::own(method.notes.target_name(names::TARGET))
                .unwrap_or_else(|| names::pascal(&method.name));
            let mut name = names_in_client.give(&method.name, &wanted);
            // Both names of a method must be free.
            while given.contains(&name)
                || given.contains(&format!("{name}Async"))
                || names::is_client_member(&format!("{name}Async"))
            {
                name.push('_');
            }
            given.insert(name.clone());
            given.insert(format!("{name}Async"));
            let mut scope = Names::new(names::never);
            // What the body refers to must not be hidden by a parameter.
            ["_binding", "_own", methods].iter().for_each(|name| scope.take(name));
            let parameters: Vec<(&str, String)> = method
                .parameters
                .iter()
                .map(|p| {
                    (
                        p.name.as_str(),
                        names::own(p.notes.target_name(names::TARGET))
                            .unwrap_or_else(|| names::camel(&p.name)),
                    )
                })
                .collect();
            CallUnit {
                descriptor: descriptors.give(&method.name, &wanted),
                name,
                parameters: scope.give_all(&parameters),
                options: scope.give("#options", "options"),
                cancellation: scope.give("#cancellation", "cancellationToken"),
            }
        })
        .collect()
}

fn type_deprecated(model: &CheckedModel, ty: &Type) -> bool {
    match ty {
        Type::Primitive(_) | Type::Bytes => false,
        Type::Array(item) | Type::Optional(item) => type_deprecated(model, item),
        Type::Map(key, value) => type_deprecated(model, key) || type_deprecated(model, value),
        Type::Named(id) => model.ty(*id).notes.deprecated.is_some(),
    }
}

fn touches_deprecated(model: &CheckedModel, decl: &TypeDecl) -> bool {
    let default_is = |f: &Field| match &f.default {
        Some(creo_model::Literal::Constant(id, index)) => match &model.ty(*id).kind {
            TypeKind::Enum(constants) => constants[*index].notes.deprecated.is_some(),
            TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) => false,
        },
        _ => false,
    };
    decl.notes.deprecated.is_some()
        || decl
            .fields()
            .iter()
            .any(|f| f.notes.deprecated.is_some() || type_deprecated(model, &f.ty) || default_is(f))
}

fn method_touches_deprecated(model: &CheckedModel, method: &Method) -> bool {
    method.parameters.iter().any(|p| type_deprecated(model, &p.ty))
        || method.result.iter().any(|ty| type_deprecated(model, ty))
        || method.throws.iter().any(|id| model.ty(*id).notes.deprecated.is_some())
}

fn taken(output: &Output, namespaces: &[String]) -> BTreeSet<String> {
    let mut taken: BTreeSet<String> =
        namespaces.iter().flat_map(|n| n.split('.')).map(str::to_owned).collect();
    for unit in &output.types {
        taken.extend([unit.name.clone(), unit.codec.clone(), unit.text.clone()]);
        if matches!(output.decl(unit.id).kind, TypeKind::Union(_)) {
            taken.extend(unit.members.iter().map(|m| m.name.clone()));
            taken.extend(unit.unknown.clone());
        }
    }
    for unit in &output.services {
        taken.extend([unit.methods.clone(), unit.client.clone(), unit.texts.clone()]);
    }
    taken
}
