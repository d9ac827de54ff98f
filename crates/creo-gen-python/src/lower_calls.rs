//! Lowering of `creo_client.py`.

use creo_codegen::About;
use creo_model::{Method as Declared, PackageId};
use creo_plan::{Field, Method as Planned, Node, secrets};

use crate::code::Code;
use crate::lang::{Client, ClientModule, Interface, Method, Parameter, Streams};
use crate::literals::string;
use crate::lower_names::MethodNames;
use crate::lower_scope::{Lower, Module, Scope};
use crate::lower_values::Side;

/// The module of clients; `None` if the package has no interface.
pub fn client_module(lower: &Lower, package: PackageId) -> Option<ClientModule> {
    let indices = &lower.package(package).interfaces;
    if indices.is_empty() {
        return None;
    }
    let mut scope = Scope::new(lower, package, None);
    let interfaces = indices.iter().map(|index| interface(&mut scope, *index)).collect();
    Some(ClientModule { interfaces, imports: scope.imports() })
}

fn interface(scope: &mut Scope, index: usize) -> Interface {
    let lower = scope.lower;
    let (declared, names) = (&lower.model.interfaces[index], lower.interface(index));
    let own = About::of(&declared.notes);
    let client = |kind: &str, name: &str| {
        let what = format!("{kind} client of `{}`.", declared.name);
        let text = own.doc.as_ref().map_or(what.clone(), |text| format!("{what}\n\n{text}"));
        Client { name: name.to_owned(), about: About { doc: Some(text), ..own.clone() } }
    };
    let methods = declared.methods.iter().zip(&lower.plan.interface(index).methods).zip(&names.methods);
    Interface {
        constant: names.constant.clone(),
        full_name: lower.model.interface_name(declared),
        fingerprint: declared.fingerprint,
        text_constant: names.methods_constant(),
        methods: methods
            .map(|((declared, planned), names)| method(scope, declared, planned, names))
            .collect(),
        client: client("A blocking", &names.client),
        async_client: client("An asyncio", &names.async_client),
    }
}

fn method(scope: &mut Scope, declared: &Declared, planned: &Planned, names: &MethodNames) -> Method {
    let lower = scope.lower;
    let fields = &planned.request.record.fields;
    let described = fields.iter().zip(&names.parameters).map(|(field, name)| {
        let value = scope.described(&field.node);
        Code::call("_creo.Field", [string(&field.name).into(), string(name).into(), value])
    });
    let described = described.collect();
    // Optional parameters may be omitted if no required one follows.
    let needed = match planned.stream_parameter {
        Some(_) => fields.len(),
        None => fields.iter().rposition(|field| !field.node.is_optional()).map_or(0, |last| last + 1),
    };
    let parameters = fields.iter().zip(&names.parameters).enumerate();
    let parameters = parameters.map(|(index, (field, name))| Parameter {
        name: name.clone(),
        annotation: scope.annotation(&field.node, Side::Taken),
        may_be_left_out: index >= needed,
    });
    let parameters = parameters.collect();
    let mut codec = |name: String, node: &Node| (scope.own(Module::Binary, name), scope.described(node));
    let result = planned.result().map(|node| codec(format!("decode_{}_result", names.function), node));
    Method {
        name: names.method.clone(),
        about: method_about(lower, declared, names),
        constant: names.constant.clone(),
        declared: declared.name.clone(),
        id: declared.id,
        encoder: scope.own(Module::Binary, format!("encode_{}_arguments", names.function)),
        fields: described,
        result,
        result_annotation: planned.result().map_or("None".into(), |node| scope.annotation(node, Side::Held)),
        streams: planned.has_streams().then(|| streams(scope, planned, names)),
        throws: planned.throws.iter().map(|id| scope.described(lower.plan.value(*id))).collect(),
        oneway: declared.oneway,
        idempotent: declared.idempotent,
        secrets: secrets(lower.model, lower.plan, planned),
        parameters,
    }
}

fn streams(scope: &mut Scope, planned: &Planned, names: &MethodNames) -> Streams {
    scope.streams = true;
    let mut codec = |verb: &str, field: &Field| {
        let function = scope.own(Module::Binary, format!("{verb}_{}_items", names.function));
        (function, scope.described(&field.node))
    };
    Streams {
        items: planned.stream_result.as_ref().map(|field| codec("decode", field)),
        sent: planned.stream_parameter.as_ref().map(|field| codec("encode", field)),
        result: planned
            .stream_result
            .as_ref()
            .map(|field| scope.annotation(&field.node.stream_item(), Side::Held)),
        parameter: planned.stream_parameter.as_ref().zip(names.parameters.last()).map(|(field, name)| {
            let annotation = scope.annotation(&field.node.stream_item(), Side::Taken);
            scope.standard("Iterable");
            Parameter { name: name.clone(), annotation, may_be_left_out: false }
        }),
    }
}

/// A method's documentation, including its parameters and exceptions.
fn method_about(lower: &Lower, declared: &Declared, names: &MethodNames) -> About {
    let own = About::of(&declared.notes);
    let mut lines = Vec::new();
    for (parameter, name) in declared.parameters.iter().zip(&names.parameters) {
        if let Some(text) = &parameter.notes.doc {
            lines.push(format!(":param {name}: {}", text.replace('\n', " ")));
        }
    }
    lines.extend(declared.throws.iter().map(|id| format!(":raises {}: declared.", lower.ty(*id).class)));
    let fields = (!lines.is_empty()).then(|| lines.join("\n"));
    let parts: Vec<String> = own.doc.iter().cloned().chain(fields).collect();
    About { doc: (!parts.is_empty()).then(|| parts.join("\n\n")), ..own }
}
