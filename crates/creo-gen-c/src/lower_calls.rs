//! Lowers interfaces to client functions.

use crate::lang::{Fault, Field, Method, ReadItems, Service, Slot, Streams, Ty};
use crate::lower_base::Lower;
use crate::lower_blocks::{self, Held};
use crate::names::{self, Endings, Members, TARGET, Wanted};
use crate::scalars::BYTE;
use creo_codegen::{About, Style};
use creo_model::PackageId;
use creo_plan::{Kind, Node, secrets};

/// The suffixes of a method's name in generated code.
const METHOD_ENDINGS: Endings =
    &["_arguments", "_outcome", "_kind", "_encode", "_decode_result", "_decode_exception", "_method"];

/// The same for a method with streams.
const STREAM_ENDINGS: Endings = &[
    "_arguments",
    "_outcome",
    "_kind",
    "_encode",
    "_decode_result",
    "_decode_exception",
    "_method",
    "_streams",
    "_encode_item",
    "_decode_item",
    "_write",
    "_next",
    "_finish",
];

/// The names of a client function's own parameters.
const OWN_PARAMETERS: &[&str] = &["client", "arena", "result", "outcome", "error"];
const STREAM_PARAMETERS: &[&str] = &["client", "stream", "error"];

impl<'m> Lower<'m> {
    /// Lowers the interface at an index of the model's.
    pub fn lower_service(&mut self, index: usize) -> Service {
        let (interface, plan) = (&self.model.interfaces[index], self.plan.interface(index));
        let prefix = &self.prefixes[interface.package.0];
        let own = names::styled(&interface.name, interface.notes.target_name(TARGET), Style::Snake);
        let name = self.globals.claim(&format!("{prefix}_{own}"), &["_interface"]);
        let methods = interface.methods.iter().zip(&plan.methods);
        Service {
            index,
            full_name: self.model.interface_name(interface),
            fingerprint: interface.fingerprint,
            about: About::of(&interface.notes),
            methods: methods
                .map(|(method, plan)| self.lower_method(&name, interface.package, method, plan))
                .collect(),
            name,
        }
    }

    fn lower_method(
        &mut self,
        service: &str,
        package: PackageId,
        method: &creo_model::Method,
        plan: &'m creo_plan::Method,
    ) -> Method {
        let own = names::styled(&method.name, method.notes.target_name(TARGET), Style::Snake);
        let (endings, taken) = match method.has_streams() {
            true => (STREAM_ENDINGS, STREAM_PARAMETERS),
            false => (METHOD_ENDINGS, OWN_PARAMETERS),
        };
        let name = self.globals.claim(&format!("{service}_{own}"), endings);
        let wanted: Vec<Wanted> = method
            .arguments()
            .iter()
            .map(|p| Wanted {
                declared: p.name.clone(),
                name: names::styled(&p.name, p.notes.target_name(TARGET), Style::Snake),
                flag: false,
            })
            .collect();
        let parameter_names = Members::new(&self.globals, taken).give(&wanted);
        let request = &plan.request.record;
        let steps = lower_blocks::steps(self, request, &parameter_names, Held::ByPointer);
        let parameters = request.fields.iter().zip(method.arguments()).zip(parameter_names).map(
            |((field, declared), name)| Field {
                name,
                declared: field.name.clone(),
                ty: self.ty(field.node.inner(), package),
                slot: parameter_slot(&field.node),
                charge: field.node.charges.own,
                about: About::of(&declared.notes),
                init: Vec::new(),
                may_be_missing: false,
            },
        );
        let parameters = parameters.collect();
        let result = plan.result().map(|result| self.ty(result, package));
        let (result_member, result_constant, faults) = self.lower_faults(&name, method);
        let streams = method.has_streams().then(|| Streams {
            written: plan.stream_parameter.as_ref().map(|field| {
                let by_pointer = parameter_slot(&field.node.stream_item()) != Slot::Value;
                (self.item(&field.node, package), by_pointer)
            }),
            read: plan.stream_result.as_ref().map(|field| ReadItems {
                ty: self.item(&field.node, package),
                constant: self.globals.claim(&format!("{}_ITEM", name.to_ascii_uppercase()), &[]),
                member: result_member.clone(),
                least: field.node.stream_item().shape.min_size,
                // Items that other arrays move in bulk are charged nothing.
                charge: if matches!(field.node.kind, Kind::Array { bulk: Some(_), .. }) {
                    0
                } else {
                    field.node.charges.each
                },
            }),
        });
        Method {
            declared: method.name.clone(),
            id: method.id,
            oneway: method.oneway,
            idempotent: method.idempotent,
            secret: !secrets(self.model, self.plan, plan).is_empty(),
            about: About::of(&method.notes),
            parameters,
            steps,
            result,
            faults,
            result_constant,
            result_member,
            streams,
            name,
        }
    }

    /// The type of an item of a stream, which the plan has as an array.
    fn item(&mut self, items: &'m Node, package: PackageId) -> Ty {
        items.children().next().map_or(Ty::Scalar(BYTE), |item| self.ty(item, package))
    }

    /// The result's name and constant in the outcome, and the declared exceptions.
    fn lower_faults(&mut self, name: &str, method: &creo_model::Method) -> (String, String, Vec<Fault>) {
        if method.throws.is_empty() && !method.streams_result {
            return (String::new(), String::new(), Vec::new());
        }
        let upper = name.to_ascii_uppercase();
        let (end, content) = if method.streams_result { ("END", "item") } else { ("RESULT", "result") };
        let result_constant = self.globals.claim(&format!("{upper}_{end}"), &[]);
        let mut wanted = vec![Wanted { declared: content.to_owned(), name: content.to_owned(), flag: false }];
        wanted.extend(method.throws.iter().map(|id| {
            let decl = self.model.ty(*id);
            Wanted {
                declared: self.model.full_name(*id),
                name: names::styled(&decl.name, decl.notes.target_name(TARGET), Style::Snake),
                flag: false,
            }
        }));
        let mut members = Members::new(&self.globals, &[]).give(&wanted).into_iter();
        let result_member = members.next().unwrap_or_default();
        let faults = method.throws.iter().zip(members).map(|(id, member)| Fault {
            constant: self.globals.claim(&format!("{upper}_{}", member.to_ascii_uppercase()), &[]),
            member,
            id: *id,
            ty: self.types[id.0].clone(),
        });
        let faults = faults.collect();
        (result_member, result_constant, faults)
    }
}

/// The form of a parameter of a client function.
fn parameter_slot(node: &Node) -> Slot {
    match node.kind {
        Kind::Optional(_) => Slot::Pointer,
        Kind::Record(_) | Kind::Union(_) => Slot::Required,
        Kind::Scalar(_)
        | Kind::String(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Array { .. }
        | Kind::Map { .. }
        | Kind::Enum(_) => Slot::Value,
    }
}
