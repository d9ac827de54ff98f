//! Lowering of `creo_binary.py`.

use creo_model::{PackageId, TypeId};
use creo_plan::{Declared, Enum, Field, Method, Record, Union};

use crate::code::Code;
use crate::lang::{
    Arguments, BinaryModule, Codec, Description, EnumCodec, Form, ItemsCodec, MemberCodec, MethodCodec,
    RecordCodec, ResultCodec, ServiceCodec, UnionCodec,
};
use crate::literals::string;
use crate::lower_binary_values::{Coder, is_empty};
use crate::lower_layouts::Layouts;
use crate::lower_names::MethodNames;
use crate::lower_scope::{Lower, Module, Scope, has_default};
use crate::lower_values::Side;

/// The charge of a member that is kept as its bytes (LIM-18).
const UNKNOWN_MEMBER: u64 = 32;

/// The method bodies with a codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bodies {
    /// For a client: it writes arguments and reads results.
    Client,
    /// Also for services, for programs that measure.
    Both,
}

/// The module of codecs: those of the types, and those of the methods' bodies.
pub fn binary_module(lower: &Lower, package: PackageId, bodies: Bodies) -> BinaryModule {
    let scope = Scope::new(lower, package, Some(Module::Binary));
    let mut coder = Coder { scope, layouts: Layouts::default(), parts: Vec::new() };
    // The layouts of structs refer to the tables of enums.
    let codecs = lower.enums_first(package).into_iter().map(|id| coder.codec(id)).collect();
    let mut methods = Vec::new();
    for index in &lower.package(package).interfaces {
        let planned = &lower.plan.interface(*index).methods;
        for (method, names) in planned.iter().zip(&lower.interface(*index).methods) {
            methods.push(coder.method(method, names, bodies));
        }
    }
    let Coder { mut scope, layouts, parts } = coder;
    let descriptions = lower.package(package).types.iter().map(|id| description(&mut scope, *id)).collect();
    let layouts = layouts.definitions();
    if !layouts.is_empty() {
        scope.standard("Struct as _Struct");
    }
    BinaryModule { layouts, codecs, methods, parts, descriptions, imports: scope.imports() }
}

impl Coder<'_> {
    fn codec(&mut self, id: TypeId) -> Codec {
        let lower = self.scope.lower;
        let form = match lower.plan.declared(id) {
            Declared::Record(record) => Form::Record(self.record(id, record)),
            Declared::Enum(enumeration) => Form::Enum(self.enumeration(id, enumeration)),
            Declared::Union(union) => Form::Union(self.union(id, union)),
        };
        Codec { function: lower.ty(id).function.clone(), class: self.scope.class(id), form }
    }

    fn enumeration(&mut self, id: TypeId, enumeration: &Enum) -> EnumCodec {
        if enumeration.extensible {
            EnumCodec::Extensible
        } else if enumeration.is_one_byte() {
            EnumCodec::Byte(self.scope.table(id))
        } else {
            EnumCodec::Closed(self.scope.table(id))
        }
    }

    fn record(&mut self, id: TypeId, record: &Record) -> RecordCodec {
        let lower = self.scope.lower;
        RecordCodec {
            recursive: record.recursive,
            extensible: record.extensible,
            reads: self.read_fields(record),
            keywords: lower.keywords(id),
            values: lower.ty(id).members.iter().map(|name| format!("v.{name}")).collect(),
            writes: self.write_fields(record),
            block: self.scope.block_of(id),
        }
    }

    fn union(&mut self, id: TypeId, union: &Union) -> UnionCodec {
        let nodes = || union.members.iter().map(|member| &member.node);
        let reads: Vec<_> = nodes().map(|node| self.read(node, 1)).collect();
        let writes: Vec<_> = nodes().map(|node| self.write(node, 1)).collect();
        let classes = member_classes(&mut self.scope, id);
        let members = classes.into_iter().zip(union.charges()).zip(reads.into_iter().zip(writes));
        UnionCodec {
            recursive: union.recursive,
            unknown: union.extensible.then_some(UNKNOWN_MEMBER),
            members: members
                .map(|((class, charge), (read, write))| MemberCodec { class, charge, read, write })
                .collect(),
        }
    }

    fn method(&mut self, method: &Method, names: &MethodNames, bodies: Bodies) -> MethodCodec {
        let arguments = self.arguments(&method.request.record, &names.parameters);
        let mut decoded = |node| ResultCodec {
            annotation: self.scope.annotation(node, Side::Held),
            read: self.read(node, 0),
        };
        let result = method.result().map(&mut decoded);
        let items = method.stream_result.as_ref().map(|field| decoded(&field.node));
        let sent = method.stream_parameter.as_ref().map(|field| ItemsCodec {
            annotation: self.scope.annotation(&field.node, Side::Taken),
            held: self.scope.held(&field.node, "v", "$items"),
            write: self.write(&field.node, 0),
        });
        let service = (bodies == Bodies::Both).then(|| ServiceCodec {
            annotation: self.annotations(&method.request.record, Side::Held),
            reads: self.read_fields(&method.request.record),
            result: method
                .result()
                .map(|node| (self.scope.annotation(node, Side::Held), self.write(node, 0))),
        });
        MethodCodec { function: names.function.clone(), arguments, result, items, sent, service }
    }

    /// The annotation of a tuple of parameters.
    fn annotations(&mut self, request: &Record, side: Side) -> Code {
        let all: Vec<Code> =
            request.fields.iter().map(|field| self.scope.annotation(&field.node, side)).collect();
        if all.is_empty() { "tuple[()]".into() } else { Code::tuple_type(all) }
    }

    fn arguments(&mut self, request: &Record, names: &[String]) -> Arguments {
        let annotation = self.annotations(request, Side::Taken);
        let (mut locals, mut made, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (parameter, name) in request.fields.iter().zip(names) {
            // Local variables of parameters have a prefix: `w` and `v` may be parameters. Unused ones begin with an underscore.
            let local = format!("{}a_{name}", if is_empty(&parameter.node) { "_" } else { "" });
            match self.scope.held(&parameter.node, &local, &format!("$.{}", parameter.name)) {
                Some(held) => {
                    values.push(format!("h_{name}"));
                    made.push((format!("h_{name}"), held));
                }
                None => values.push(local.clone()),
            }
            locals.push(local);
        }
        Arguments { annotation, locals, made, values, writes: self.write_fields(request) }
    }
}

/// The classes of a union's members.
fn member_classes(scope: &mut Scope, id: TypeId) -> Vec<String> {
    let names = scope.lower.ty(id);
    names.helpers.iter().map(|class| scope.refer(Module::Types, id, class.clone())).collect()
}

/// The description of a type, with its codecs.
fn description(scope: &mut Scope, id: TypeId) -> Description {
    let lower = scope.lower;
    let names = lower.ty(id);
    let class = scope.class(id);
    let name: Code = string(&lower.model.full_name(id)).into();
    let [decode, encode] = ["decode", "encode"].map(|verb| Code::Text(scope.codec(id, verb)));
    let fact = |name: &str, holds: bool| holds.then(|| Code::Text(format!("{name}=True")));
    let min_size = Code::Text(format!("least={}", lower.plan.shape(id).min_size));
    let mut arguments = vec![name];
    let kind = match lower.plan.declared(id) {
        Declared::Record(record) => {
            let fields = fields(scope, &record.fields, &names.members, has_default);
            arguments.extend([class.clone().into(), decode, encode, fields, min_size]);
            arguments.extend(fact("extensible", record.extensible));
            arguments.extend(fact("recursive", record.recursive));
            "StructType"
        }
        Declared::Enum(enumeration) => {
            let constants =
                enumeration.constants.iter().map(|c| format!("{}: {}", c.number, string(&c.name)));
            arguments.extend([class.clone().into(), decode, encode, Code::dict(constants), min_size]);
            arguments.extend(fact("extensible", enumeration.extensible));
            "EnumType"
        }
        Declared::Union(union) => {
            let classes = Code::tuple(member_classes(scope, id));
            let members = fields(scope, &union.members, &names.members, |_| false);
            arguments.extend([decode, encode, classes, members, min_size]);
            arguments.extend(fact("extensible", union.extensible));
            arguments.extend(fact("recursive", union.recursive));
            let charges = Code::tuple(union.charges().map(|charge| charge.to_string()));
            arguments.push(Code::Text(format!("charges={charges}")));
            "UnionType"
        }
    };
    Description { constant: scope.type_constant(id), kind, class, arguments }
}

/// The descriptions of fields, including whether a text wire may omit them.
fn fields(scope: &mut Scope, fields: &[Field], names: &[String], may_miss: fn(&Field) -> bool) -> Code {
    let described = fields.iter().zip(names).map(|(field, name)| {
        let mut arguments =
            vec![string(&field.name).into(), string(name).into(), scope.described(&field.node)];
        if may_miss(field) {
            arguments.push("True".into());
        }
        Code::call("_creo.Field", arguments)
    });
    Code::tuple(described.collect::<Vec<Code>>()).after("lambda: ")
}
