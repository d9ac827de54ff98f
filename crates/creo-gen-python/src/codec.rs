//! Straight-line code for one value: its reading and its writing on the binary wire.

use creo_model::{BlockField, Item, Op, Primitive, Step, Type};

use crate::body::{Body, Layouts};
use crate::lower::{Lowered, Scope, Side, bulk_word};

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
    pub head: Vec<String>,
    pub result: String,
    pub body: Body,
}

/// Python nests at most twenty loops; lines get narrow long before.
const DEEPEST: usize = 6;

impl Codec<'_, '_> {
    // Writing

    /// Writes the value that `value` is the code of. It is evaluated more than once, so it is a name or an attribute.
    pub fn write(&mut self, body: &mut Body, ty: &Type, value: &str) {
        let item = self.lowered.plan.item(ty);
        if item.shape.fixed.is_some() {
            self.write_fixed(body, &[(item, value.to_owned())]);
            return;
        }
        if body.depth() >= DEEPEST && matches!(item.op, Op::Each(_) | Op::Entries(..) | Op::Optional(_)) {
            let mut inner = Body::default();
            self.write(&mut inner, ty, "v");
            let annotation = self.lowered.annotation(ty, Side::Held, self.scope);
            let head = vec!["w: _creo.Writing".to_owned(), format!("v: {annotation}")];
            let name = self.inner_function("encode", head, "None".to_owned(), inner);
            body.line(format!("{name}(w, {value})"));
            return;
        }
        match &item.op {
            Op::Text(Primitive::Decimal) => {
                let write = body.helper("write_decimal");
                body.line(format!("{write}(w, {value})"));
            }
            Op::Text(_) => {
                let text = body.local("t");
                body.prepare(format!("{text} = {value}.encode()"));
                self.count(body, &text);
                body.part(text);
            }
            Op::Bytes => {
                self.count(body, value);
                body.part(value.to_owned());
            }
            Op::Bulk(p) => {
                let write = body.helper(if *p == Primitive::Char { "write_chars" } else { "write_array" });
                body.line(format!("{write}(w, {value})"));
            }
            Op::Each(_) => self.write_items(body, ty, value),
            Op::Entries(..) => {
                let Type::Map(key, item) = ty else { return };
                self.count(body, value);
                let empty = self.lowered.plan.item(item).shape.fixed == Some(0);
                let (k, v) = (body.local("k"), if empty { "_".to_owned() } else { body.local("v") });
                body.block(format!("for {k}, {v} in {value}.items():"), |b| {
                    self.write(b, key, &k);
                    self.write(b, item, &v);
                    if b.is_empty() {
                        b.line("pass");
                    }
                });
            }
            Op::Optional(_) => {
                let Type::Optional(inner) = ty else { return };
                body.block(format!("if {value} is None:"), |b| b.line("w.append(b\"\\0\")"));
                body.block("else:", |b| {
                    b.part("b\"\\1\"".to_owned());
                    self.write(b, inner, value);
                });
            }
            Op::Record(id) | Op::Variant(id) => {
                let name = format!("encode_{}", self.lowered.names(*id).function);
                let function = self.lowered.of_binary(*id, name, self.scope);
                body.line(format!("{function}(w, {value})"));
            }
            Op::Number(_) => {
                let count = body.helper("COUNT");
                body.part(format!("{count}[{value}.value]"));
            }
            Op::Scalar(_) => {}
        }
    }

    fn inner_function(&mut self, verb: &str, head: Vec<String>, result: String, body: Body) -> String {
        let name = format!("_{verb}_part{}", self.inner.len());
        self.inner.push(InnerFunction { name: name.clone(), head, result, body });
        name
    }

    fn count(&mut self, body: &mut Body, value: &str) {
        let count = body.helper("COUNT");
        body.part(format!("{count}[len({value})]"));
    }

    fn write_items(&mut self, body: &mut Body, ty: &Type, value: &str) {
        let Type::Array(inner) = ty else { return };
        if **inner == Type::Primitive(Primitive::String) {
            let write = body.helper("write_strings");
            body.line(format!("{write}(w, {value})"));
            return;
        }
        if let Some(id) = self.lowered.block_item(inner) {
            let write = body.helper("write_structs");
            let block = self.lowered.of_binary(id, format!("{}_BLOCK", self.lowered.names(id).constant), self.scope);
            body.line(format!("{write}(w, {value}, {block})"));
            return;
        }
        self.count(body, value);
        if self.lowered.plan.item(inner).shape.fixed == Some(0) {
            return;
        }
        let local = body.local("i");
        body.block(format!("for {local} in {value}:"), |b| self.write(b, inner, &local));
    }

    /// Writes consecutive values of fixed size with one call.
    pub fn write_fixed(&mut self, body: &mut Body, values: &[(Item, String)]) {
        let cells: Vec<_> = values.iter().flat_map(|(item, value)| self.lowered.cells(item, value, "")).collect();
        match cells.as_slice() {
            [] => {}
            [flag] if flag.kind == "?" => {
                let table = body.helper("FLAG_BYTE");
                body.part(flag.number.replacen("FLAG", table, 1));
            }
            [number] if number.kind == "E" => {
                let count = body.helper("COUNT");
                body.part(format!("{count}[{}]", number.number));
            }
            _ => {
                if cells.iter().any(|c| c.kind == "?") {
                    body.helper("FLAG");
                }
                let codes: String = cells.iter().map(|c| c.code).collect();
                let layout = self.layouts.constant(&codes);
                let numbers: Vec<String> = cells.iter().map(|c| c.number.clone()).collect();
                body.part(format!("{layout}.pack({})", numbers.join(", ")));
            }
        }
    }

    /// Writes the steps of a record; `value` gives the code of each field.
    pub fn write_steps(&mut self, body: &mut Body, steps: &[Step], types: &[&Type], value: impl Fn(usize) -> String) {
        for step in steps {
            match step {
                Step::Block { fields, .. } => {
                    let values: Vec<(Item, String)> = fields.iter().map(|f| (f.item.clone(), value(f.index))).collect();
                    self.write_fixed(body, &values);
                }
                Step::Field { index, .. } => self.write(body, types[*index], &value(*index)),
            }
        }
    }

    // Reading

    /// Reads a value; gives the code for it, to be used once, before `p` moves on only if it names locals alone: it does.
    pub fn read(&mut self, body: &mut Body, ty: &Type) -> String {
        let item = self.lowered.plan.item(ty);
        if let Some(size) = item.shape.fixed {
            return self.read_fixed(body, std::slice::from_ref(&item), size).remove(0);
        }
        if body.depth() >= DEEPEST && matches!(item.op, Op::Each(_) | Op::Entries(..) | Op::Optional(_)) {
            let mut inner = Body::default();
            let value = self.read(&mut inner, ty);
            inner.line(format!("return {value}, p"));
            let annotation = self.lowered.annotation(ty, Side::Held, self.scope);
            let head = vec!["b: bytes".to_owned(), "p: int".to_owned(), "r: _creo.Reading".to_owned()];
            let name = self.inner_function("decode", head, format!("tuple[{annotation}, int]"), inner);
            let local = body.local("v");
            body.line(format!("{local}, p = {name}(b, p, r)"));
            return local;
        }
        match &item.op {
            Op::Text(Primitive::Decimal) => self.read_by(body, "read_decimal", ""),
            Op::Text(_) => self.read_by(body, "read_string", ""),
            Op::Bytes => self.read_by(body, "read_bytes", ""),
            Op::Bulk(p) => match p {
                Primitive::Boolean => self.read_by(body, "read_booleans", ""),
                Primitive::Char => self.read_by(body, "read_chars", ""),
                Primitive::Byte
                | Primitive::Short
                | Primitive::Int
                | Primitive::Long
                | Primitive::Float
                | Primitive::Double
                | Primitive::String
                | Primitive::DateTime
                | Primitive::Decimal => self.read_by(body, bulk_reader(*p), ""),
            },
            Op::Each(inner) => self.read_items(body, ty, inner),
            Op::Entries(key, value) => {
                let Type::Map(key_type, value_type) = ty else { return String::new() };
                let least = key.shape.least + value.shape.least;
                let charge = self.lowered.plan.entry_charge(key_type, value_type);
                let (count, map) = (body.local("c"), body.local("m"));
                let read_items = body.helper("read_items");
                body.line(format!("{count}, p = {read_items}(b, p, r, {least}, {charge})"));
                let key_text = self.lowered.annotation(key_type, Side::Held, self.scope);
                let value_text = self.lowered.annotation(value_type, Side::Held, self.scope);
                body.line(format!("{map}: dict[{key_text}, {value_text}] = {{}}"));
                body.block(format!("for _ in range({count}):"), |b| {
                    let k = self.read(b, key_type);
                    let held = b.local("k");
                    b.line(format!("{held} = {k}"));
                    let v = self.read(b, value_type);
                    b.line(format!("{map}[{held}] = {v}"));
                });
                body.block(format!("if len({map}) != {count}:"), |b| b.line("raise _creo.Bad"));
                let proxy = body.helper("MappingProxyType");
                format!("{proxy}({map})")
            }
            Op::Optional(_) => {
                let Type::Optional(inner) = ty else { return String::new() };
                let local = body.local("o");
                let annotation = self.lowered.annotation(ty, Side::Held, self.scope);
                body.line(format!("{local}: {annotation} = None"));
                body.line("n = b[p]");
                body.line("p += 1");
                body.block("if n:", |b| {
                    b.block("if n != 1:", |b| b.line("raise _creo.Bad"));
                    charge(b, self.lowered.plan.optional_charge(inner));
                    let value = self.read(b, inner);
                    b.line(format!("{local} = {value}"));
                });
                local
            }
            Op::Record(id) | Op::Variant(id) | Op::Number(id) => {
                let name = format!("decode_{}", self.lowered.names(*id).function);
                let function = self.lowered.of_binary(*id, name, self.scope);
                let local = body.local("v");
                body.line(format!("{local}, p = {function}(b, p, r)"));
                local
            }
            Op::Scalar(_) => String::new(),
        }
    }

    fn read_by(&mut self, body: &mut Body, helper: &'static str, more: &str) -> String {
        let helper = body.helper(helper);
        let local = body.local("v");
        body.line(format!("{local}, p = {helper}(b, p{more})"));
        local
    }

    fn read_items(&mut self, body: &mut Body, ty: &Type, item: &Item) -> String {
        let Type::Array(inner) = ty else { return String::new() };
        let charge = self.lowered.plan.item_charge(inner);
        if **inner == Type::Primitive(Primitive::String) {
            return self.read_by(body, "read_strings", ", r");
        }
        if let Some(id) = self.lowered.block_item(inner) {
            let block = self.lowered.of_binary(id, format!("{}_BLOCK", self.lowered.names(id).constant), self.scope);
            let helper = if item.shape.any_bits { "read_structs" } else { "read_checked_structs" };
            return self.read_by(body, helper, &format!(", r, {block}, {charge}"));
        }
        let (count, list) = (body.local("c"), body.local("l"));
        if item.shape.least == 0 {
            let read = body.helper("read_empty_items");
            body.line(format!("{count}, p = {read}(b, p, r, {charge})"));
            let mut none = std::iter::empty();
            let value = self.lowered.rebuilt(item, &mut none, false, self.scope);
            return format!("({value},) * {count}");
        }
        let read = body.helper("read_items");
        body.line(format!("{count}, p = {read}(b, p, r, {}, {charge})", item.shape.least));
        let annotation = self.lowered.annotation(inner, Side::Held, self.scope);
        body.line(format!("{list}: list[{annotation}] = []"));
        body.block(format!("for _ in range({count}):"), |b| {
            let value = self.read(b, inner);
            b.line(format!("{list}.append({value})"));
        });
        format!("tuple({list})")
    }

    /// Reads consecutive values of fixed size, `size` bytes together, with one call; gives the code of each.
    fn read_fixed(&mut self, body: &mut Body, items: &[Item], size: u64) -> Vec<String> {
        let cells: Vec<_> = items.iter().flat_map(|item| self.lowered.cells(item, "", "")).collect();
        let locals: Vec<String> = cells.iter().map(|_| body.local("x")).collect();
        let codes: String = cells.iter().map(|c| c.code).collect();
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
                    body.list("(", locals.clone(), format!(") = {layout}.unpack_from(b, p)"));
                }
            }
        }
        if size > 0 {
            body.line(format!("p += {size}"));
        }
        if cells.iter().any(|c| c.kind == "?") {
            body.helper("FLAGS");
        }
        let mut locals = locals.into_iter();
        items.iter().map(|item| self.lowered.rebuilt(item, &mut locals, false, self.scope)).collect()
    }

    /// Reads the steps of a record; gives the code of each field, by its index.
    pub fn read_steps(&mut self, body: &mut Body, steps: &[Step], types: &[&Type]) -> Vec<String> {
        let mut values = vec![String::new(); types.len()];
        for step in steps {
            match step {
                Step::Block { fields, size } => {
                    let items: Vec<Item> = fields.iter().map(|f: &BlockField| f.item.clone()).collect();
                    for (field, value) in fields.iter().zip(self.read_fixed(body, &items, *size)) {
                        values[field.index] = value;
                    }
                }
                Step::Field { index, .. } => values[*index] = self.read(body, types[*index]),
            }
        }
        values
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

fn bulk_reader(p: Primitive) -> &'static str {
    match bulk_word(p) {
        "shorts" => "read_shorts",
        "ints" => "read_ints",
        "longs" => "read_longs",
        "floats" => "read_floats",
        _ => "read_doubles",
    }
}
