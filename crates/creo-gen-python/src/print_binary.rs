//! `creo_binary.py`: the codecs of a package's types on the binary wire.

use std::collections::BTreeSet;
use std::fmt::Display;

use creo_model::{Literal, PackageId, TypeId, TypeKind};
use creo_plan::{Declared, Enum, Field, LeafKind, Message, Node, Record, Union};

use crate::body::{Body, Layouts};
use crate::code::Code;
use crate::lang::{Lowered, Scope, Side};
use crate::layout::{Lines, import, import_order};
use crate::literals::string;
use crate::lower_values::{Cell, default, has_default};
use crate::print_binary_values::{Codec, InnerFunction, charge};

/// What a member that is kept as its bytes is charged (LIM-18).
const UNKNOWN_MEMBER: u64 = 32;

/// Which bodies of methods have a codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bodies {
    /// What a client needs: it writes arguments, and reads results.
    Client,
    /// Also what only a service would need, for programs that measure.
    Both,
}

/// The module of codecs: those of the types, and those of the methods' bodies.
pub fn binary_module(lowered: &Lowered, package: PackageId, header: &str, bodies: Bodies) -> String {
    let mut scope = Scope::new(package);
    scope.through_module = true;
    let mut layouts = Layouts::default();
    let mut inner: Vec<InnerFunction> = Vec::new();
    let mut helpers: BTreeSet<&'static str> = BTreeSet::new();
    let mut body = Lines::new();
    let ids: Vec<TypeId> = lowered.types_of(package).collect();
    // Enums first: how structs lie in bytes names their tables.
    let is_enum = |id: &TypeId| matches!(lowered.model.ty(*id).kind, TypeKind::Enum(_));
    let (enums, others): (Vec<TypeId>, Vec<TypeId>) = ids.iter().copied().partition(is_enum);
    for id in enums.into_iter().chain(others) {
        let mut render = Render {
            lowered,
            scope: &mut scope,
            layouts: &mut layouts,
            inner: &mut inner,
            helpers: &mut helpers,
            out: &mut body,
        };
        render.type_codec(id);
    }
    for (index, _) in lowered.interfaces_of(package) {
        for (method, names) in
            lowered.plan.interface(index).methods.iter().zip(&lowered.interface(index).methods)
        {
            let mut render = Render {
                lowered,
                scope: &mut scope,
                layouts: &mut layouts,
                inner: &mut inner,
                helpers: &mut helpers,
                out: &mut body,
            };
            render.parameters(&method.request, &names.function, &names.parameters);
            if let Some(result) = method.result() {
                render.result(result, &names.function);
            }
            if bodies == Bodies::Both {
                render.service_side(&method.request, method.result(), &names.function);
            }
        }
    }
    for function in std::mem::take(&mut inner) {
        let mut render = Render {
            lowered,
            scope: &mut scope,
            layouts: &mut layouts,
            inner: &mut inner,
            helpers: &mut helpers,
            out: &mut body,
        };
        render.function(function.head, &function.name, &function.result, function.body);
    }
    let mut types = Lines::new();
    for id in &ids {
        let mut render = Render {
            lowered,
            scope: &mut scope,
            layouts: &mut layouts,
            inner: &mut inner,
            helpers: &mut helpers,
            out: &mut types,
        };
        render.described(*id);
    }
    let mut out = Lines::new();
    out.line(format!("# {header}"));
    out.blank();
    out.line("from __future__ import annotations");
    out.blank();
    let mut standard: Vec<String> = Vec::new();
    let abc: Vec<&str> =
        ["Iterable", "Mapping", "Sequence"].into_iter().filter(|n| scope.names.contains(n)).collect();
    if !abc.is_empty() {
        standard.push(format!("from collections.abc import {}", abc.join(", ")));
    }
    if scope.names.contains("Decimal") {
        standard.push("from decimal import Decimal".to_owned());
    }
    if layouts.definitions().next().is_some() {
        standard.push("from struct import Struct as _Struct".to_owned());
    }
    if helpers.remove("MappingProxyType") {
        standard.push("from types import MappingProxyType".to_owned());
    }
    if scope.names.contains("Any") {
        standard.push("from typing import Any".to_owned());
    }
    if !standard.is_empty() {
        out.lines(&standard);
        out.blank();
    }
    out.line("from creo import codegen as _creo");
    if !helpers.is_empty() {
        let mut sorted: Vec<&str> = helpers.iter().copied().collect();
        sorted.sort_by_key(|name| import_order(name));
        import(&mut out, "creo.codegen", &sorted);
    }
    let foreign = lowered.foreign_imports(&scope);
    let own: Vec<&str> = scope.own_types.iter().map(String::as_str).collect();
    if !foreign.is_empty() || !own.is_empty() {
        out.blank();
        out.lines(&foreign);
        if !own.is_empty() {
            let mut sorted = own;
            sorted.sort_by_key(|name| import_order(name));
            import(&mut out, ".creo_types", &sorted);
        }
    }
    if layouts.definitions().next().is_some() {
        out.blank();
        out.lines(layouts.definitions());
    }
    let mut text = out.finish();
    text.push_str(&body.finish());
    text.push_str(&types.finish());
    text
}

struct Render<'a, 'm> {
    lowered: &'a Lowered<'m>,
    scope: &'a mut Scope,
    layouts: &'a mut Layouts,
    inner: &'a mut Vec<InnerFunction>,
    helpers: &'a mut BTreeSet<&'static str>,
    out: &'a mut Lines,
}

impl Render<'_, '_> {
    fn codec(&mut self) -> Codec<'_, '_> {
        Codec { lowered: self.lowered, scope: self.scope, layouts: self.layouts, inner: self.inner }
    }

    fn function(&mut self, head: Vec<Code>, name: &str, result: &str, body: Body) {
        self.helpers.extend(body.helpers.iter().copied());
        self.out.gap();
        self.out.list(&format!("def {name}("), &head, &format!(") -> {result}:"));
        self.out.indented(|l| if body.is_empty() { l.line("pass") } else { body.write(l) });
    }

    fn decoder(&mut self, name: &str, result: impl Display, body: Body) {
        let head = ["b: bytes", "p: int", "r: _creo.Reading"].map(Code::from).to_vec();
        self.function(head, &format!("decode_{name}"), &format!("tuple[{result}, int]"), body);
    }

    fn encoder(&mut self, name: &str, value: impl Into<Code>, body: Body) {
        let head = vec!["w: _creo.Writing".into(), value.into().after("v: ")];
        self.function(head, &format!("encode_{name}"), "None", body);
    }

    fn type_codec(&mut self, id: TypeId) {
        let lowered = self.lowered;
        match lowered.plan.declared(id) {
            Declared::Record(record) => self.record(id, record),
            Declared::Enum(enumeration) => self.enum_(id, enumeration),
            Declared::Union(union) => self.union(id, union),
        }
    }

    fn enum_(&mut self, id: TypeId, enumeration: &Enum) {
        let lowered = self.lowered;
        let names = lowered.names(id);
        let class = lowered.class(id, self.scope);
        if !enumeration.extensible {
            self.out.gap();
            self.out.line(format!("{}_BY_NUMBER = {{i.value: i for i in {class}}}", names.constant));
        }
        let mut body = Body::default();
        if enumeration.is_one_byte() {
            body.line(format!("return {}_BY_NUMBER[b[p]], p + 1", names.constant));
        } else {
            let read = body.helper("read_count");
            body.line(format!("n, p = {read}(b, p)"));
            let value = if enumeration.extensible {
                format!("{class}(n)")
            } else {
                format!("{}_BY_NUMBER[n]", names.constant)
            };
            body.line(format!("return {value}, p"));
        }
        self.decoder(&names.function, &class, body);
        let mut body = Body::default();
        let count = body.helper("COUNT");
        body.line(format!("w.append({count}[v.value])"));
        self.encoder(&names.function, &class, body);
    }

    fn record(&mut self, id: TypeId, record: &Record) {
        let lowered = self.lowered;
        let names = lowered.names(id);
        let class = lowered.class(id, self.scope);
        let keywords = lowered.keywords(id);

        let mut body = Body::default();
        if record.recursive {
            let enter = body.helper("enter");
            body.line(format!("{enter}(r)"));
        }
        let mut result = "p";
        let values = if record.extensible {
            result = "e";
            let open = body.helper("read_region");
            body.line(format!("p, e = {open}(b, p)"));
            let values = record.fields.iter().map(|f| self.growing_field(&mut body, f)).collect();
            body.block("if p > e:", |b| b.line("raise _creo.Bad"));
            values
        } else {
            self.codec().read_fields(&mut body, record)
        };
        if record.recursive {
            body.line("r.depth += 1");
        }
        let arguments: Vec<Code> = values
            .iter()
            .zip(&keywords)
            .map(|(v, k)| k.as_ref().map_or_else(|| v.clone(), |k| v.after(format!("{k}="))))
            .collect();
        let one_line = format!("return {}, {result}", Code::call(&class, &arguments));
        if one_line.len() < 92 {
            body.line(one_line);
        } else {
            body.list(format!("value = {class}("), arguments, ")");
            body.line(format!("return value, {result}"));
        }
        self.decoder(&names.function, &class, body);

        let mut body = Body::default();
        if record.recursive {
            let enter = body.helper("enter");
            body.line(format!("{enter}(w)"));
        }
        if record.extensible {
            let open = body.helper("open_region");
            body.line(format!("start = {open}(w)"));
        }
        self.codec().write_fields(&mut body, record, |index| format!("v.{}", names.members[index]));
        if record.extensible {
            let close = body.helper("close_region");
            body.line(format!("{close}(w, start)"));
        }
        if record.recursive {
            body.line("w.depth += 1");
        }
        self.encoder(&names.function, &class, body);
        if lowered.block_item(lowered.plan.value(id)).is_some() {
            self.block(id);
        }
    }

    /// A field of an extensible record: its default, if the region ends before it.
    fn growing_field(&mut self, body: &mut Body, field: &Field) -> Code {
        if !has_default(field) {
            return self.codec().read(body, &field.node);
        }
        let local = body.local("f");
        let annotation = self.lowered.annotation(&field.node, Side::Held, self.scope);
        let value = if let Some(Literal::Constant(id, index)) = &field.default {
            Code::Text(format!(
                "{}.{}",
                self.lowered.class(*id, self.scope),
                self.lowered.names(*id).members[*index]
            ))
        } else {
            let plain = default(field, self.scope).unwrap_or_else(|| "None".into());
            self.lowered
                .held(&field.node, &plain.to_string(), "\"$\"", self.scope, 0)
                .filter(|_| field.default.is_some())
                .unwrap_or(plain)
        };
        body.line(format!("{local}: {annotation} = {value}"));
        body.block("if p < e:", |b| {
            let read = self.codec().read(b, &field.node);
            b.line(format!("{local} = {read}"));
        });
        local.into()
    }

    /// How arrays of this struct lie in bytes.
    fn block(&mut self, id: TypeId) {
        let lowered = self.lowered;
        let names = lowered.names(id);
        let class = lowered.class(id, self.scope);
        let cells = lowered.cells(lowered.plan.value(id), "i");
        let locals: Vec<String> = (0..cells.len()).map(|i| format!("x{i}")).collect();
        if cells.iter().any(Cell::is_flag) {
            self.helpers.insert("FLAG");
        }
        self.scope.names.insert("Any");
        let open = format!("_open_{}", names.function);
        self.out.gap();
        self.out.line(format!("{open} = _creo.opened({class})"));

        let mut body = Body::default();
        match locals.join(", ") {
            joined if locals.len() > 1 && joined.len() < 70 => body.line(format!("for {joined} in numbers:")),
            _ if locals.len() > 1 => {
                body.list("for (", locals.iter().map(Code::from).collect(), ") in numbers:")
            }
            only => body.line(format!("for ({only},) in numbers:")),
        }
        body.indented(|b| {
            b.line(format!("i: Any = {open}()"));
            let mut values = locals.iter().cloned();
            for (field, name) in lowered.plan.record(id).fields.iter().zip(&names.members) {
                let value = lowered.rebuilt(&field.node, &mut values, true, self.scope);
                b.line(format!("i.{name} = {value}"));
            }
            b.line(format!("i.__class__ = {class}"));
            b.line("yield i");
        });
        let make = format!("_make_{}", names.function);
        let numbers = "numbers: _creo.Iterable[tuple[Any, ...]]".to_owned();
        self.function(vec![numbers.into()], &make, &format!("_creo.Iterator[{class}]"), body);

        let mut body = Body::default();
        let width = cells.len();
        body.line(format!("numbers: list[Any] = [None] * ({width} * len(items))"));
        for (index, cell) in cells.iter().enumerate() {
            let column = format!("[{} for i in items]", cell.code());
            body.line(if width == 1 {
                format!("numbers[:] = {column}")
            } else {
                format!("numbers[{index}::{width}] = {column}")
            });
        }
        body.line("return numbers");
        let items = Code::index("items: _creo.Sequence", [&class]);
        self.function(vec![items], &format!("_flatten_{}", names.function), "list[Any]", body);
        let mut arguments: Vec<Code> =
            [class, make, format!("_flatten_{}", names.function)].map(Code::from).to_vec();
        for cell in &cells {
            let mut column = vec![string(&cell.path).into(), format!("\"{}\"", cell.number.column).into()];
            match cell.leaf {
                LeafKind::Scalar(_) => {}
                LeafKind::Enum(enum_) => {
                    let table = lowered.of_binary(
                        enum_,
                        format!("{}_BY_NUMBER", lowered.names(enum_).constant),
                        self.scope,
                    );
                    column.push(Code::call("bytes", [table]));
                }
            }
            arguments.push(Code::tuple(column));
        }
        self.out.gap();
        self.out.list(&format!("{}_BLOCK = _creo.Block(", names.constant), &arguments, ")");
    }

    fn union(&mut self, id: TypeId, union: &Union) {
        let lowered = self.lowered;
        let names = lowered.names(id);
        let alias = lowered.class(id, self.scope);
        let classes: Vec<String> =
            names.helpers.iter().map(|h| lowered.of_types(id, h.clone(), self.scope)).collect();

        let mut body = Body::default();
        if union.recursive {
            let enter = body.helper("enter");
            body.line(format!("{enter}(r)"));
        }
        let read = body.helper("read_count");
        body.line(format!("index, p = {read}(b, p)"));
        if union.extensible {
            let open = body.helper("read_region");
            body.line(format!("p, e = {open}(b, p)"));
        }
        body.line(format!("v: {alias}"));
        for (index, (member, class)) in union.members.iter().zip(&classes).enumerate() {
            let word = if index == 0 { "if" } else { "elif" };
            body.block(format!("{word} index == {index}:"), |b| {
                charge(b, member.node.weight);
                let value = self.codec().read(b, &member.node);
                b.line(format!("v = {class}({value})"));
            });
        }
        if union.extensible {
            body.block("else:", |b| {
                charge(b, UNKNOWN_MEMBER);
                b.line("v = _creo.UnknownMember(index, b[p:e])");
                b.line("p = e");
            });
            body.block("if p != e:", |b| b.line("raise _creo.Bad"));
        } else {
            body.block("else:", |b| b.line("raise _creo.Bad"));
        }
        if union.recursive {
            body.line("r.depth += 1");
        }
        body.line("return v, p");
        self.decoder(&names.function, &alias, body);

        let mut body = Body::default();
        if union.recursive {
            let enter = body.helper("enter");
            body.line(format!("{enter}(w)"));
        }
        let count = body.helper("COUNT");
        if union.extensible {
            // Behind the index and the room for the size.
            body.line("start = len(w) + 2");
        }
        for (index, (member, class)) in union.members.iter().zip(&classes).enumerate() {
            let word = if index == 0 { "if" } else { "elif" };
            body.block(format!("{word} isinstance(v, {class}):"), |b| {
                b.part(Code::index(count, [index.to_string()]));
                if union.extensible {
                    b.part("b\"\"");
                }
                self.codec().write(b, &member.node, "v.value");
                if union.extensible {
                    let close = b.helper("close_region");
                    b.line(format!("{close}(w, start)"));
                }
            });
        }
        if union.extensible {
            let u32_ = body.helper("u32");
            body.block("elif isinstance(v, _creo.UnknownMember):", |b| {
                b.part(Code::index(count, ["v.index"]));
                b.part(Code::call(u32_, [Code::call("len", ["v.data"])]));
                b.part("v.data");
            });
        }
        body.block("else:", |b| b.line("raise _creo.Bad"));
        if union.recursive {
            body.line("w.depth += 1");
        }
        // Whatever comes is told apart here: a member of another union has a `value`, too.
        self.encoder(&names.function, "object", body);
    }

    fn parameters(&mut self, request: &Message, function: &str, names: &[String]) {
        let lowered = self.lowered;
        let parameters = &request.record.fields;
        let taken: Vec<Code> =
            parameters.iter().map(|p| lowered.annotation(&p.node, Side::Taken, self.scope)).collect();
        let annotation = if taken.is_empty() { "tuple[()]".into() } else { Code::tuple_type(taken) };
        let mut body = Body::default();
        // Locals of parameters have a prefix of their own: `w` and `v` may be parameters.
        let empty = |p: &Field| p.node.shape.fixed_size == Some(0);
        let locals: Vec<String> = names
            .iter()
            .zip(parameters)
            .map(|(n, p)| format!("{}a_{n}", if empty(p) { "_" } else { "" }))
            .collect();
        match locals.as_slice() {
            [] => {}
            [one] => body.line(format!("({one},) = v")),
            _ if locals.join(", ").len() < 85 => body.line(format!("{} = v", locals.join(", "))),
            _ => body.list("(", locals.iter().map(Code::from).collect(), ") = v"),
        }
        let mut values = locals.clone();
        for ((parameter, local), value) in parameters.iter().zip(&locals).zip(&mut values) {
            let place = string(&format!("$.{}", parameter.name));
            if let Some(held) = lowered.held(&parameter.node, local, &place, self.scope, 0) {
                *value = format!("h_{}", local.trim_start_matches("a_"));
                body.line(format!("{value} = {held}"));
            }
        }
        self.codec().write_fields(&mut body, &request.record, |index| values[index].clone());
        self.encoder(&format!("{function}_arguments"), annotation, body);
    }

    fn result(&mut self, result: &Node, function: &str) {
        let annotation = self.lowered.annotation(result, Side::Held, self.scope);
        let mut body = Body::default();
        let value = self.codec().read(&mut body, result);
        body.line(format!("return {value}, p"));
        self.decoder(&format!("{function}_result"), annotation, body);
    }

    /// What a service would do: `decode_<function>_arguments`, which gives a tuple, and `encode_<function>_result`.
    fn service_side(&mut self, request: &Message, result: Option<&Node>, function: &str) {
        let lowered = self.lowered;
        let parameters = &request.record.fields;
        let held: Vec<Code> =
            parameters.iter().map(|p| lowered.annotation(&p.node, Side::Held, self.scope)).collect();
        let annotation = if held.is_empty() { "tuple[()]".into() } else { Code::tuple_type(held) };
        let mut body = Body::default();
        let values = self.codec().read_fields(&mut body, &request.record);
        body.line(format!("return {}, p", Code::tuple(values)));
        self.decoder(&format!("{function}_arguments"), annotation, body);
        if let Some(result) = result {
            let annotation = lowered.annotation(result, Side::Held, self.scope);
            let mut body = Body::default();
            self.codec().write(&mut body, result, "v");
            self.encoder(&format!("{function}_result"), annotation, body);
        }
    }

    /// What the codecs of a type hang on.
    fn described(&mut self, id: TypeId) {
        let lowered = self.lowered;
        let declared = lowered.plan.declared(id);
        let names = lowered.names(id);
        let class = lowered.class(id, self.scope);
        let full_name = string(&lowered.model.full_name(id));
        let codecs =
            [format!("decode_{}", names.function), format!("encode_{}", names.function)].map(Code::from);
        let mut arguments = vec![Code::Text(full_name)];
        let mut lists: Vec<Code> = Vec::new();
        let (kind, extensible, recursive) = match declared {
            Declared::Record(record) => {
                arguments.push(class.clone().into());
                arguments.extend(codecs);
                lists = self.fields(&record.fields, &names.members, true);
                ("StructType", record.extensible, record.recursive)
            }
            Declared::Enum(enumeration) => {
                arguments.push(class.clone().into());
                arguments.extend(codecs);
                arguments.push(Code::dict(
                    enumeration.constants.iter().map(|c| format!("{}: {}", c.number, string(&c.name))),
                ));
                ("EnumType", enumeration.extensible, false)
            }
            Declared::Union(union) => {
                arguments.extend(codecs);
                let classes: Vec<String> =
                    names.helpers.iter().map(|h| lowered.of_types(id, h.clone(), self.scope)).collect();
                arguments.push(Code::tuple(classes));
                lists = self.fields(&union.members, &names.members, false);
                ("UnionType", union.extensible, union.recursive)
            }
        };
        let mut facts = vec![format!("least={}", lowered.plan.shape(id).min_size)];
        if extensible {
            facts.push("extensible=True".to_owned());
        }
        if recursive {
            facts.push("recursive=True".to_owned());
        }
        if let Declared::Union(union) = declared {
            let charges = Code::tuple(union.charges().map(|charge| charge.to_string()));
            facts.push(format!("charges={charges}"));
        }
        self.out.gap();
        let annotation = format!("_creo.{kind}[{class}]");
        self.out.line(format!("{}_TYPE: {annotation} = _creo.{kind}(", names.constant));
        let is_enum = kind == "EnumType";
        self.out.indented(|l| {
            for argument in &arguments {
                l.item(argument);
            }
            if !is_enum {
                l.item(&Code::tuple(lists).after("lambda: "));
            }
            for fact in &facts {
                l.line(format!("{fact},"));
            }
        });
        self.out.line(")");
    }

    fn fields(&mut self, fields: &[Field], names: &[String], may_miss_too: bool) -> Vec<Code> {
        fields
            .iter()
            .zip(names)
            .map(|(field, name)| {
                let mut arguments = vec![
                    string(&field.name).into(),
                    string(name).into(),
                    self.lowered.described(&field.node, self.scope),
                ];
                if may_miss_too && has_default(field) {
                    arguments.push("True".into());
                }
                Code::call("_creo.Field", arguments)
            })
            .collect()
    }
}
