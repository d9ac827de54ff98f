//! Lowers interfaces to client functions.

use crate::blocks;
use crate::lang::{Fault, Field, Method, Service, Slot, Ty};
use crate::lower::{Lower, docs};
use crate::names::{self, Members, TARGET, Wanted};
use creo_codegen::Style;
use creo_model::{Interface, Type};

/// What may stand behind a method's name in generated code.
const METHOD_ENDINGS: &[&str] = &["_arguments", "_outcome", "_kind", "_encode", "_decode_result", "_decode_exception", "_method"];

/// The names that a client function uses for its own parameters.
const OWN_PARAMETERS: &[&str] = &["client", "arena", "result", "outcome", "error"];

impl Lower<'_> {
    pub fn lower_service(&mut self, interface: &Interface) -> Service {
        let prefix = &self.prefixes[interface.package.0];
        let own = names::styled(&interface.name, interface.notes.target_name(TARGET), Style::Snake);
        let name = self.globals.claim(&format!("{prefix}_{own}"), &["_interface"]);
        Service {
            full_name: self.model.interface_name(interface),
            fingerprint: interface.fingerprint,
            docs: docs(&interface.notes),
            methods: interface.methods.iter().map(|method| self.lower_method(&name, interface, method)).collect(),
            name,
        }
    }

    fn lower_method(&mut self, service: &str, interface: &Interface, method: &creo_model::Method) -> Method {
        let own = names::styled(&method.name, method.notes.target_name(TARGET), Style::Snake);
        let name = self.globals.claim(&format!("{service}_{own}"), METHOD_ENDINGS);
        let wanted: Vec<Wanted> = method
            .parameters
            .iter()
            .map(|p| Wanted { declared: p.name.clone(), name: names::styled(&p.name, p.notes.target_name(TARGET), Style::Snake), flag: false })
            .collect();
        let parameter_names = Members::new(&self.globals, OWN_PARAMETERS).give(&wanted);
        let plan = self.plan.parameters(&method.parameters);
        let steps = blocks::steps(self, &plan, &method.parameters, &parameter_names, blocks::Held::ByPointer);
        let parameters = method.parameters.iter().zip(parameter_names).map(|(parameter, name)| {
            let (ty, slot) = match &parameter.ty {
                Type::Optional(item) => (self.ty(item, interface.package), Slot::Pointer),
                other => {
                    let ty = self.ty(other, interface.package);
                    let slot = if matches!((other, &ty), (Type::Named(_), Ty::Record(_))) { Slot::Required } else { Slot::Value };
                    (ty, slot)
                }
            };
            Field {
                name,
                declared: parameter.name.clone(),
                ty,
                slot,
                charge: self.field_charge(&parameter.ty),
                docs: docs(&parameter.notes),
                init: Vec::new(),
                may_be_missing: false,
            }
        });
        let parameters = parameters.collect();
        let result = method.result.as_ref().map(|ty| self.ty(ty, interface.package));
        let (result_member, result_constant, faults) = self.lower_faults(&name, method);
        Method {
            declared: method.name.clone(),
            id: method.id,
            oneway: method.oneway,
            docs: docs(&method.notes),
            parameters,
            steps,
            result,
            faults,
            result_constant,
            result_member,
            name,
        }
    }

    /// The result's name and constant in the outcome, and the declared exceptions.
    fn lower_faults(&mut self, name: &str, method: &creo_model::Method) -> (String, String, Vec<Fault>) {
        if method.throws.is_empty() {
            return (String::new(), String::new(), Vec::new());
        }
        let upper = name.to_ascii_uppercase();
        let result_constant = self.globals.claim(&format!("{upper}_RESULT"), &[]);
        let mut wanted = vec![Wanted { declared: "result".to_owned(), name: "result".to_owned(), flag: false }];
        wanted.extend(method.throws.iter().map(|id| {
            let decl = self.model.ty(*id);
            Wanted { declared: self.model.full_name(*id), name: names::styled(&decl.name, decl.notes.target_name(TARGET), Style::Snake), flag: false }
        }));
        let mut members = Members::new(&self.globals, &[]).give(&wanted).into_iter();
        let result_member = members.next().unwrap_or_default();
        let faults = method.throws.iter().zip(members).map(|(id, member)| Fault {
            constant: self.globals.claim(&format!("{upper}_{}", member.to_ascii_uppercase()), &[]),
            member,
            ty: self.types[id.0].clone(),
        });
        let faults = faults.collect();
        (result_member, result_constant, faults)
    }
}
