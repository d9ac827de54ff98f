//! `creo_client.py`: the methods of a package's interfaces, and their clients, blocking and for asyncio.

use creo_model::{Interface, Method, PackageId};
use creo_plan::Node;

use crate::code::Code;
use crate::lang::{InterfaceNames, Lowered, MethodNames, Scope, Side, methods_constant};
use crate::layout::{Lines, import, import_order};
use crate::literals::string;

/// The module of clients; `None` if the package has no interface.
pub fn client_module(lowered: &Lowered, package: PackageId, header: &str) -> Option<String> {
    let interfaces: Vec<(usize, &Interface, &InterfaceNames)> =
        lowered.interfaces_of(package).map(|(index, i)| (index, i, lowered.interface(index))).collect();
    if interfaces.is_empty() {
        return None;
    }
    let mut scope = Scope::new(package);
    scope.through_module = true;
    let mut body = Lines::new();
    let mut codecs: Vec<String> = Vec::new();
    for (position, (index, interface, names)) in interfaces.iter().enumerate() {
        let mut render = Render { lowered, scope: &mut scope, codecs: &mut codecs, out: &mut body };
        let plans = &lowered.plan.interface(*index).methods;
        render.methods(interface, plans, names, position == 0);
        render.client(interface, plans, names, false);
        render.client(interface, plans, names, true);
    }
    let mut out = Lines::new();
    out.line(format!("# {header}"));
    out.blank();
    out.line("from __future__ import annotations");
    out.blank();
    let abc: Vec<&str> =
        ["Iterable", "Mapping", "Sequence"].into_iter().filter(|n| scope.names.contains(n)).collect();
    if !abc.is_empty() {
        out.line(format!("from collections.abc import {}", abc.join(", ")));
    }
    if scope.names.contains("Decimal") {
        out.line("from decimal import Decimal");
    }
    if !abc.is_empty() || scope.names.contains("Decimal") {
        out.blank();
    }
    out.line("from creo import codegen as _creo");
    let foreign = lowered.foreign_imports(&scope);
    if !foreign.is_empty() || !codecs.is_empty() || !scope.own_types.is_empty() {
        out.blank();
        out.lines(&foreign);
        for (module, mut names) in
            [(".creo_binary", codecs), (".creo_types", scope.own_types.iter().cloned().collect())]
        {
            names.sort_by_key(|name| import_order(name));
            names.dedup();
            if !names.is_empty() {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                import(&mut out, module, &names);
            }
        }
    }
    let mut text = out.finish();
    text.push_str(&body.finish());
    Some(text)
}

struct Render<'a, 'm> {
    lowered: &'a Lowered<'m>,
    scope: &'a mut Scope,
    codecs: &'a mut Vec<String>,
    out: &'a mut Lines,
}

impl Render<'_, '_> {
    /// What a call needs to know of each method, whatever its wire and transport.
    fn methods(
        &mut self,
        interface: &Interface,
        plans: &[creo_plan::Method],
        names: &InterfaceNames,
        is_first: bool,
    ) {
        let full_name = string(&self.lowered.model.interface_name(interface));
        self.out.blank();
        if !is_first {
            self.out.blank();
        }
        let arguments = [
            full_name,
            format!("0x{:016X}", interface.fingerprint),
            "__name__".to_owned(),
            string(&methods_constant(names)),
        ];
        self.out.list(&format!("{} = _creo.Interface(", names.constant), &arguments, ")");
        for ((method, plan), own) in interface.methods.iter().zip(plans).zip(&names.methods) {
            self.method(method, plan, own, names);
        }
    }

    fn method(
        &mut self,
        method: &Method,
        plan: &creo_plan::Method,
        names: &MethodNames,
        interface: &InterfaceNames,
    ) {
        let lowered = self.lowered;
        let encode = format!("encode_{}_arguments", names.function);
        self.codecs.push(encode.clone());
        let make = if plan.result().is_some() { "method" } else { "void_method" };
        self.out.line(format!("{} = _creo.{make}(", names.constant));
        let fields: Vec<Code> = plan
            .request
            .record
            .fields
            .iter()
            .zip(&names.parameters)
            .map(|(p, name)| {
                let described = self.described(&p.node);
                Code::call("_creo.Field", [string(&p.name).into(), string(name).into(), described])
            })
            .collect();
        let result = plan.result().map(|result| {
            let decode = format!("decode_{}_result", names.function);
            self.codecs.push(decode.clone());
            Code::tuple([decode.into(), self.described(result)]).after("lambda: ")
        });
        let throws: Vec<Code> =
            plan.throws.iter().map(|id| self.described(lowered.plan.value(*id))).collect();
        self.out.indented(|l| {
            l.line(format!("{},", interface.constant));
            l.line(format!("{},", string(&method.name)));
            l.line(format!("0x{:016X},", method.id));
            l.line(format!("{encode},"));
            l.item(&Code::call("lambda: _creo.Parameters", fields));
            if let Some(result) = &result {
                l.item(result);
            }
            if !throws.is_empty() {
                l.item(&Code::tuple(throws).after("lambda: "));
            }
            if method.oneway {
                l.line("oneway=True,");
            }
        });
        self.out.line(")");
    }

    /// The description of a value. Its constants of the own package are imported.
    fn described(&mut self, node: &Node) -> Code {
        let mut named = Vec::new();
        node.add_named(&mut named);
        for id in named {
            if self.lowered.model.ty(id).package == self.scope.package {
                self.codecs.push(self.lowered.type_constant(id, self.scope));
            }
        }
        self.lowered.described(node, self.scope)
    }

    fn result_type(&mut self, plan: &creo_plan::Method) -> Code {
        plan.result().map_or("None".into(), |r| self.lowered.annotation(r, Side::Held, self.scope))
    }

    fn client(
        &mut self,
        interface: &Interface,
        plans: &[creo_plan::Method],
        names: &InterfaceNames,
        is_async: bool,
    ) {
        let (class, base) =
            if is_async { (&names.async_client, "AsyncClient") } else { (&names.client, "Client") };
        self.out.gap();
        self.out.line(format!("class {class}(_creo.{base}):"));
        let lowered = self.lowered;
        let Render { out, scope, codecs, .. } = self;
        out.indented(|l| {
            let kind = if is_async { "An asyncio client" } else { "A blocking client" };
            let own = format!("{kind} of `{}`.", interface.name);
            let doc = interface.notes.doc.as_ref().map_or(own.clone(), |doc| format!("{own}\n\n{doc}"));
            l.doc(Some(&doc), interface.notes.deprecated.as_deref());
            for ((method, plan), own) in interface.methods.iter().zip(plans).zip(&names.methods) {
                l.blank();
                let mut inner = Render { lowered, scope, codecs, out: l };
                inner.client_method(method, plan, own, is_async);
            }
        });
    }

    fn client_method(
        &mut self,
        method: &Method,
        plan: &creo_plan::Method,
        names: &MethodNames,
        is_async: bool,
    ) {
        let lowered = self.lowered;
        let result = self.result_type(plan);
        let parameters = &plan.request.record.fields;
        if let Some(reason) = &method.notes.deprecated {
            let text = if reason.is_empty() { "this method is deprecated" } else { reason.as_str() };
            self.out.list("@_creo.deprecated(", &[string(text)], ")");
        }
        let mut list = vec![Code::from("self")];
        // What may be nothing may be left out, if nothing that is needed follows.
        let needed = parameters.iter().rposition(|p| !p.node.is_optional()).map_or(0, |last| last + 1);
        list.extend(parameters.iter().zip(&names.parameters).enumerate().map(|(index, (p, name))| {
            let default = (index >= needed).then(|| Code::from("None"));
            Code::parameter(name, &lowered.annotation(&p.node, Side::Taken, self.scope), default.as_ref())
        }));
        let def = if is_async { "async def" } else { "def" };
        self.out.list(&format!("{def} {}(", names.method), &list, &format!(") -> {result}:"));
        let doc = self.method_doc(method, names);
        let awaited = if is_async { "await " } else { "" };
        let call = if plan.result().is_some() {
            format!("return {awaited}self._call(")
        } else {
            format!("{awaited}self._call(")
        };
        self.out.indented(|l| {
            l.doc(doc.as_deref(), method.notes.deprecated.as_deref());
            let arguments = Code::tuple(&names.parameters);
            let one_line = format!("{call}{}, {arguments})", names.constant);
            if l.fits(&one_line) {
                l.line(one_line);
            } else if l.fits(&format!("    {}, {arguments}", names.constant)) {
                l.line(call);
                l.indented(|l| l.line(format!("{}, {arguments}", names.constant)));
                l.line(")");
            } else {
                l.line(call);
                l.indented(|l| {
                    l.line(format!("{},", names.constant));
                    l.item(&arguments);
                });
                l.line(")");
            }
        });
    }

    /// A method's documentation, with that of its parameters and what it raises.
    fn method_doc(&mut self, method: &Method, names: &MethodNames) -> Option<String> {
        let mut parts: Vec<String> = method.notes.doc.iter().cloned().collect();
        let fields: Vec<String> = method
            .parameters
            .iter()
            .zip(&names.parameters)
            .filter_map(|(p, name)| {
                p.notes
                    .doc
                    .as_ref()
                    .map(|doc| format!(":param {name}: {}", doc.split('\n').collect::<Vec<_>>().join(" ")))
            })
            .chain(
                method
                    .throws
                    .iter()
                    .map(|id| format!(":raises {}: declared.", self.lowered.names(*id).class)),
            )
            .collect();
        if !fields.is_empty() {
            parts.push(fields.join("\n"));
        }
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    }
}
