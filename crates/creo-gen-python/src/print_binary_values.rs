//! Straight-line code for one value: its reading and its writing on the binary wire.

use creo_plan::{Kind, LeafKind, Node, Record, Step};

use crate::body::{Body, Layouts};
use crate::code::Code;
use crate::lang::{Lowered, Scope, Side};
use crate::lower_values::Cell;
use crate::scalars;

/// What codec code needs around it.
pub struct Codec<'a, 'm> {
    pub lowered: &'a Lowered<'m>,
    pub scope: &'a mut Scope,
    pub layouts: &'a mut Layouts,
    /// Functions for what lies so deep that the language could not nest its loops.
    pub inner: &'a mut Vec<InnerFunction>,
}

/// A codec function of a part of a value.
pub struct InnerFunction {
    pub name: String,
    pub head: Vec<Code>,
    pub result: String,
    pub body: Body,
}

/// Python nests at most twenty loops; lines get narrow long before.
const DEEPEST: usize = 6;

impl Codec<'_, '_> {
    // Writing

    /// Writes the value that `value` is the code of. It is evaluated more than once, so it is a name or an attribute.
    pub fn write(&mut self, body: &mut Body, node: &Node, value: &str) {
        if node.shape.fixed_size.is_some() {
            self.write_fixed(body, &[(node, value.to_owned())]);
            return;
        }
        if body.depth() >= DEEPEST && has_block(node) {
            let mut inner = Body::default();
            self.write_parts(&mut inner, node, "v");
            let annotation = self.lowered.annotation(node, Side::Held, self.scope);
            let head = vec!["w: _creo.Writing".into(), annotation.after("v: ")];
            let name = self.inner_function("encode", head, "None".to_owned(), inner);
            body.line(format!("{name}(w, {value})"));
            return;
        }
        self.write_parts(body, node, value);
    }

    fn write_parts(&mut self, body: &mut Body, node: &Node, value: &str) {
        match &node.kind {
            Kind::Decimal => {
                let write = body.helper("write_decimal");
                body.line(format!("{write}(w, {value})"));
            }
            Kind::String(_) => {
                let text = body.local("t");
                body.prepare(format!("{text} = {value}.encode()"));
                self.count(body, &text);
                body.part(text);
            }
            Kind::Bytes { .. } => {
                self.count(body, value);
                body.part(value);
            }
            Kind::Array { bulk: Some(bulk), .. } => {
                let write = body.helper(scalars::bulk(*bulk).writer);
                body.line(format!("{write}(w, {value})"));
            }
            Kind::Array { item, bulk: None, .. } => self.write_items(body, item, value),
            Kind::Map { key, value: item, .. } => {
                self.count(body, value);
                let empty = item.shape.fixed_size == Some(0);
                let (k, v) = (body.local("k"), if empty { "_".to_owned() } else { body.local("v") });
                body.block(format!("for {k}, {v} in {value}.items():"), |b| {
                    self.write(b, key, &k);
                    self.write(b, item, &v);
                    if b.is_empty() {
                        b.line("pass");
                    }
                });
            }
            Kind::Optional(inner) => {
                body.block(format!("if {value} is None:"), |b| b.line("w.append(b\"\\0\")"));
                body.block("else:", |b| {
                    b.part("b\"\\1\"");
                    self.write(b, inner, value);
                });
            }
            Kind::Record(id) | Kind::Union(id) => {
                let name = format!("encode_{}", self.lowered.names(*id).function);
                let function = self.lowered.of_binary(*id, name, self.scope);
                body.line(format!("{function}(w, {value})"));
            }
            Kind::Enum(_) => {
                let count = body.helper("COUNT");
                body.part(Code::index(count, [format!("{value}.value")]));
            }
            Kind::Scalar(_) => self.write_fixed(body, &[(node, value.to_owned())]),
        }
    }

    fn inner_function(&mut self, verb: &str, head: Vec<Code>, result: String, body: Body) -> String {
        let name = format!("_{verb}_part{}", self.inner.len());
        self.inner.push(InnerFunction { name: name.clone(), head, result, body });
        name
    }

    fn count(&mut self, body: &mut Body, value: &str) {
        let count = body.helper("COUNT");
        body.part(Code::index(count, [Code::call("len", [value])]));
    }

    fn write_items(&mut self, body: &mut Body, inner: &Node, value: &str) {
        if matches!(inner.kind, Kind::String(_)) {
            let write = body.helper("write_strings");
            body.line(format!("{write}(w, {value})"));
            return;
        }
        if let Some(id) = self.lowered.block_item(inner) {
            let write = body.helper("write_structs");
            let block =
                self.lowered.of_binary(id, format!("{}_BLOCK", self.lowered.names(id).constant), self.scope);
            body.line(format!("{write}(w, {value}, {block})"));
            return;
        }
        self.count(body, value);
        if inner.shape.fixed_size == Some(0) {
            return;
        }
        let local = body.local("i");
        body.block(format!("for {local} in {value}:"), |b| self.write(b, inner, &local));
    }

    /// Writes consecutive values of fixed size with one call.
    pub fn write_fixed(&mut self, body: &mut Body, values: &[(&Node, String)]) {
        let cells: Vec<_> = values.iter().flat_map(|(node, value)| self.lowered.cells(node, value)).collect();
        match cells.as_slice() {
            [] => {}
            [flag] if flag.is_flag() => {
                let table = body.helper("FLAG_BYTE");
                body.part(Code::index(table, [&flag.value]));
            }
            [number] if matches!(number.leaf, LeafKind::Enum(_)) => {
                let count = body.helper("COUNT");
                body.part(Code::index(count, [number.code()]));
            }
            _ => {
                if cells.iter().any(Cell::is_flag) {
                    body.helper("FLAG");
                }
                let codes: String = cells.iter().map(|c| c.number.code).collect();
                let layout = self.layouts.constant(&codes);
                body.part(Code::call(format!("{layout}.pack"), cells.iter().map(Cell::code)));
            }
        }
    }

    /// Writes the fields of a record; `value` gives the code of each.
    pub fn write_fields(&mut self, body: &mut Body, record: &Record, value: impl Fn(usize) -> String) {
        for step in record.steps(u64::MAX) {
            match step {
                Step::Run { fields, .. } => {
                    let values: Vec<(&Node, String)> =
                        fields.iter().map(|f| (&record.fields[f.index].node, value(f.index))).collect();
                    self.write_fixed(body, &values);
                }
                Step::Field(index) => self.write(body, &record.fields[index].node, &value(index)),
            }
        }
    }

    // Reading

    /// Reads a value; gives the code for it, to be used once, before `p` moves on only if it names locals alone: it does.
    pub fn read(&mut self, body: &mut Body, node: &Node) -> Code {
        if let Some(size) = node.shape.fixed_size {
            return self.read_fixed(body, &[node], size).remove(0);
        }
        if body.depth() >= DEEPEST && has_block(node) {
            let mut inner = Body::default();
            let value = self.read_parts(&mut inner, node);
            inner.line(format!("return {value}, p"));
            let annotation = self.lowered.annotation(node, Side::Held, self.scope);
            let head = ["b: bytes", "p: int", "r: _creo.Reading"].map(Code::from).to_vec();
            let name = self.inner_function("decode", head, format!("tuple[{annotation}, int]"), inner);
            let local = body.local("v");
            body.line(format!("{local}, p = {name}(b, p, r)"));
            return local.into();
        }
        self.read_parts(body, node)
    }

    fn read_parts(&mut self, body: &mut Body, node: &Node) -> Code {
        match &node.kind {
            Kind::Decimal => self.read_by(body, "read_decimal", ""),
            Kind::String(_) => self.read_by(body, "read_string", ""),
            Kind::Bytes { .. } => self.read_by(body, "read_bytes", ""),
            Kind::Array { bulk: Some(bulk), .. } => self.read_by(body, scalars::bulk(*bulk).reader, ""),
            Kind::Array { item, bulk: None, .. } => self.read_items(body, item, node.charges.each),
            Kind::Map { key, value, .. } => {
                let min_size = key.shape.min_size + value.shape.min_size;
                let charge = node.charges.each;
                let (count, map) = (body.local("c"), body.local("m"));
                let read_items = body.helper("read_items");
                body.line(format!("{count}, p = {read_items}(b, p, r, {min_size}, {charge})"));
                let key_text = self.lowered.annotation(key, Side::Held, self.scope);
                let value_text = self.lowered.annotation(value, Side::Held, self.scope);
                body.line(format!("{map}: dict[{key_text}, {value_text}] = {{}}"));
                body.block(format!("for _ in range({count}):"), |b| {
                    let k = self.read(b, key);
                    let held = b.local("k");
                    b.line(format!("{held} = {k}"));
                    let v = self.read(b, value);
                    b.line(format!("{map}[{held}] = {v}"));
                });
                body.block(format!("if len({map}) != {count}:"), |b| b.line("raise _creo.Bad"));
                let proxy = body.helper("MappingProxyType");
                Code::call(proxy, [map])
            }
            Kind::Optional(inner) => {
                let local = body.local("o");
                let annotation = self.lowered.annotation(node, Side::Held, self.scope);
                body.line(format!("{local}: {annotation} = None"));
                body.line("n = b[p]");
                body.line("p += 1");
                body.block("if n:", |b| {
                    b.block("if n != 1:", |b| b.line("raise _creo.Bad"));
                    charge(b, node.charges.own);
                    let value = self.read(b, inner);
                    b.line(format!("{local} = {value}"));
                });
                local.into()
            }
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => {
                let name = format!("decode_{}", self.lowered.names(*id).function);
                let function = self.lowered.of_binary(*id, name, self.scope);
                let local = body.local("v");
                body.line(format!("{local}, p = {function}(b, p, r)"));
                local.into()
            }
            Kind::Scalar(scalar) => self.read_fixed(body, &[node], scalar.size()).remove(0),
        }
    }

    fn read_by(&mut self, body: &mut Body, helper: &'static str, more: &str) -> Code {
        let helper = body.helper(helper);
        let local = body.local("v");
        body.line(format!("{local}, p = {helper}(b, p{more})"));
        local.into()
    }

    fn read_items(&mut self, body: &mut Body, item: &Node, charge: u64) -> Code {
        if matches!(item.kind, Kind::String(_)) {
            return self.read_by(body, "read_strings", ", r");
        }
        if let Some(id) = self.lowered.block_item(item) {
            let block =
                self.lowered.of_binary(id, format!("{}_BLOCK", self.lowered.names(id).constant), self.scope);
            let helper = if item.shape.any_bits { "read_structs" } else { "read_checked_structs" };
            return self.read_by(body, helper, &format!(", r, {block}, {charge}"));
        }
        let (count, list) = (body.local("c"), body.local("l"));
        if item.shape.min_size == 0 {
            let read = body.helper("read_empty_items");
            body.line(format!("{count}, p = {read}(b, p, r, {charge})"));
            let mut none = std::iter::empty();
            let value = self.lowered.rebuilt(item, &mut none, false, self.scope);
            return Code::Text(format!("({value},) * {count}"));
        }
        let read = body.helper("read_items");
        body.line(format!("{count}, p = {read}(b, p, r, {}, {charge})", item.shape.min_size));
        let annotation = self.lowered.annotation(item, Side::Held, self.scope);
        body.line(format!("{list}: list[{annotation}] = []"));
        body.block(format!("for _ in range({count}):"), |b| {
            let value = self.read(b, item);
            b.line(format!("{list}.append({value})"));
        });
        Code::call("tuple", [list])
    }

    /// Reads consecutive values of fixed size, `size` bytes together, with one call; gives the code of each.
    fn read_fixed(&mut self, body: &mut Body, nodes: &[&Node], size: u64) -> Vec<Code> {
        let cells: Vec<_> = nodes.iter().flat_map(|node| self.lowered.cells(node, "")).collect();
        let locals: Vec<String> = cells.iter().map(|_| body.local("x")).collect();
        let codes: String = cells.iter().map(|c| c.number.code).collect();
        match locals.as_slice() {
            [] => {}
            [one] if codes == "B" => body.line(format!("{one} = b[p]")),
            [one] => {
                let layout = self.layouts.constant(&codes);
                body.line(format!("({one},) = {layout}.unpack_from(b, p)"));
            }
            _ => {
                let layout = self.layouts.constant(&codes);
                let left = locals.join(", ");
                if left.len() < 70 {
                    body.line(format!("{left} = {layout}.unpack_from(b, p)"));
                } else {
                    body.list(
                        "(",
                        locals.iter().map(Code::from).collect(),
                        format!(") = {layout}.unpack_from(b, p)"),
                    );
                }
            }
        }
        if size > 0 {
            body.line(format!("p += {size}"));
        }
        if cells.iter().any(Cell::is_flag) {
            body.helper("FLAGS");
        }
        let mut locals = locals.into_iter();
        nodes.iter().map(|node| self.lowered.rebuilt(node, &mut locals, false, self.scope)).collect()
    }

    /// Reads the fields of a record; gives the code of each, by its index.
    pub fn read_fields(&mut self, body: &mut Body, record: &Record) -> Vec<Code> {
        let mut values = vec![Code::Text(String::new()); record.fields.len()];
        for step in record.steps(u64::MAX) {
            match step {
                Step::Run { fields, size } => {
                    let nodes: Vec<&Node> = fields.iter().map(|f| &record.fields[f.index].node).collect();
                    for (field, value) in fields.iter().zip(self.read_fixed(body, &nodes, size)) {
                        values[field.index] = value;
                    }
                }
                Step::Field(index) => values[index] = self.read(body, &record.fields[index].node),
            }
        }
        values
    }
}

/// Whether the code for a value of variable size holds a block of its own.
fn has_block(node: &Node) -> bool {
    match node.kind {
        Kind::Array { bulk: None, .. } | Kind::Map { .. } | Kind::Optional(_) => true,
        Kind::Array { bulk: Some(_), .. }
        | Kind::Scalar(_)
        | Kind::String(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Record(_)
        | Kind::Union(_)
        | Kind::Enum(_) => false,
    }
}

/// Charges the message for the value that comes (LIM-18).
pub fn charge(body: &mut Body, charge: u64) {
    if charge > 0 {
        // Through a local variable, type checkers lose its type in functions of hundreds of charges.
        body.block(format!("if r.memory < {charge}:"), |b| b.line("raise _creo.Bad"));
        body.line(format!("r.memory -= {charge}"));
    }
}
