//! Straight-line code for reading and writing values on the binary wire.

use crate::body::Body;
use crate::code::Code;
use crate::lang::{FieldRead, FieldWrite, FixedRead, FixedWrite, Packed, Read, Unpack, Value, Write};
use crate::scalars::Made;

// Writing

/// Writes the fields of a record; `values` is the code of each.
pub fn write_fields(body: &mut Body, writes: &[FieldWrite], values: &[String]) {
    for write in writes {
        match write {
            FieldWrite::Run(run) => write_fixed(body, run, values),
            FieldWrite::Field(index, write) => self::write(body, write, &values[*index]),
        }
    }
}

/// Writes the value of the code `value`. It is evaluated more than once, so it is a name or an attribute.
pub fn write(body: &mut Body, write: &Write, value: &str) {
    match write {
        Write::Fixed(run) => write_fixed(body, run, &[value.to_owned()]),
        Write::Helper(name, more) => {
            let helper = body.helper(name);
            body.line(format!("{helper}(w, {value}{more})"));
        }
        Write::Function(name) => body.line(format!("{name}(w, {value})")),
        Write::Text => {
            let text = body.local("t");
            body.prepare(format!("{text} = {value}.encode()"));
            count(body, &text);
            body.part(text);
        }
        Write::Bytes => {
            count(body, value);
            body.part(value);
        }
        Write::Number => {
            let table = body.helper("COUNT");
            body.part(Code::index(table, [format!("{value}.value")]));
        }
        Write::Items(item) => {
            count(body, value);
            if let Some(item) = item {
                let local = body.local("i");
                body.block(format!("for {local} in {value}:"), |b| self::write(b, item, &local));
            }
        }
        Write::Entries { key, value: item } => {
            count(body, value);
            let key_local = body.local("k");
            let has_bytes = !matches!(**item, Write::Fixed(FixedWrite::Nothing));
            let item_local = if has_bytes { body.local("v") } else { "_".to_owned() };
            body.block(format!("for {key_local}, {item_local} in {value}.items():"), |b| {
                self::write(b, key, &key_local);
                self::write(b, item, &item_local);
            });
        }
        Write::Optional(inner) => {
            body.block(format!("if {value} is None:"), |b| b.line("w.append(b\"\\0\")"));
            body.block("else:", |b| {
                b.part("b\"\\1\"");
                self::write(b, inner, value);
            });
        }
    }
}

fn count(body: &mut Body, value: &str) {
    let table = body.helper("COUNT");
    body.part(Code::index(table, [Code::call("len", [value])]));
}

/// Writes consecutive fixed-size values with one call.
fn write_fixed(body: &mut Body, write: &FixedWrite, values: &[String]) {
    match write {
        FixedWrite::Nothing => {}
        FixedWrite::Bytes(table, number) => {
            let table = body.helper(table);
            let number = self::number(body, number, values);
            body.part(Code::index(table, [number]));
        }
        FixedWrite::Pack(layout, numbers) => {
            let numbers: Vec<Code> =
                numbers.iter().map(|number| self::number(body, number, values)).collect();
            body.part(Code::call(format!("{layout}.pack"), numbers));
        }
    }
}

/// A number of one of the values.
pub fn number(body: &mut Body, number: &Packed, values: &[String]) -> Code {
    let attribute = format!("{}{}", values[number.value], number.path);
    made(body, number.made, vec![attribute.into()])
}

fn made(body: &mut Body, made: Made, mut items: Vec<Code>) -> Code {
    match made {
        Made::Same => items.remove(0),
        Made::Call(function) => Code::call(function, items),
        Made::Index(table) => Code::index(body.helper(table), items),
    }
}

// Reading

/// Reads the fields of a record; returns the code of each, in order.
pub fn read_fields(body: &mut Body, reads: &[FieldRead]) -> Vec<Code> {
    let mut values = Vec::new();
    for read in reads {
        match read {
            FieldRead::Run(run) => values.extend(read_fixed(body, run)),
            FieldRead::Field(read) => values.push(self::read(body, read)),
            FieldRead::Growing { annotation, default, read } => {
                let local = body.local("f");
                body.line(format!("{local}: {annotation} = {default}"));
                body.block("if p < e:", |b| {
                    let value = self::read(b, read);
                    b.line(format!("{local} = {value}"));
                });
                values.push(local.into());
            }
        }
    }
    values
}

/// Reads a value; returns the code for it, to be used once. It does not read from `b`, so `p` may move first.
pub fn read(body: &mut Body, read: &Read) -> Code {
    match read {
        Read::Fixed(run) => read_fixed(body, run).remove(0),
        Read::Helper(name, more) => {
            let helper = body.helper(name);
            let local = body.local("v");
            body.line(format!("{local}, p = {helper}(b, p{more})"));
            local.into()
        }
        Read::Function(name) => {
            let local = body.local("v");
            body.line(format!("{local}, p = {name}(b, p, r)"));
            local.into()
        }
        Read::Items { min_size, charge, annotation, item } => {
            let (count, list) = (body.local("c"), body.local("l"));
            let helper = body.helper("read_items");
            body.line(format!("{count}, p = {helper}(b, p, r, {min_size}, {charge})"));
            body.line(format!("{list}: list[{annotation}] = []"));
            body.block(format!("for _ in range({count}):"), |b| {
                let value = self::read(b, item);
                b.line(format!("{list}.append({value})"));
            });
            Code::call("tuple", [list])
        }
        Read::EmptyItems { charge, item } => {
            let count = body.local("c");
            let helper = body.helper("read_empty_items");
            body.line(format!("{count}, p = {helper}(b, p, r, {charge})"));
            let value = self::read(body, item);
            Code::Text(format!("({value},) * {count}"))
        }
        Read::Entries { min_size, charge, key, value } => {
            let (count, map) = (body.local("c"), body.local("m"));
            let helper = body.helper("read_items");
            body.line(format!("{count}, p = {helper}(b, p, r, {min_size}, {charge})"));
            body.line(format!("{map}: dict[{}, {}] = {{}}", key.0, value.0));
            body.block(format!("for _ in range({count}):"), |b| {
                let read_key = self::read(b, &key.1);
                let held = b.local("k");
                b.line(format!("{held} = {read_key}"));
                let read_value = self::read(b, &value.1);
                b.line(format!("{map}[{held}] = {read_value}"));
            });
            body.block(format!("if len({map}) != {count}:"), |b| b.line("raise _creo.Bad"));
            Code::call("MappingProxyType", [map])
        }
        Read::Optional { annotation, charge, value } => {
            let local = body.local("o");
            body.line(format!("{local}: {annotation} = None"));
            body.line("n = b[p]");
            body.line("p += 1");
            body.block("if n:", |b| {
                b.block("if n != 1:", |b| b.line("raise _creo.Bad"));
                self::charge(b, *charge);
                let value = self::read(b, value);
                b.line(format!("{local} = {value}"));
            });
            local.into()
        }
    }
}

/// Reads consecutive fixed-size values with one call; returns the code of each.
fn read_fixed(body: &mut Body, read: &FixedRead) -> Vec<Code> {
    let mut locals = Vec::new();
    let mut next = |body: &mut Body| {
        let local = body.local("x");
        locals.push(local.clone());
        local
    };
    let mut before = Vec::new();
    let values = read.values.iter().map(|value| self::value(body, value, &mut next, &mut before)).collect();
    match &read.unpack {
        Unpack::Nothing => {}
        Unpack::Byte => body.line(format!("{} = b[p]", locals.join(", "))),
        Unpack::By(layout) => unpack(body, "", &locals, 70, &format!(" = {layout}.unpack_from(b, p)")),
    }
    if read.size > 0 {
        body.line(format!("p += {}", read.size));
    }
    for statement in before {
        body.line(statement);
    }
    values
}

/// A statement that unpacks a tuple into local variables, on one line if they are shorter than `width`.
pub fn unpack(body: &mut Body, open: &str, locals: &[String], width: usize, close: &str) {
    let joined = locals.join(", ");
    match locals {
        [] => {}
        [one] => body.line(format!("{open}({one},){close}")),
        _ if joined.len() < width => body.line(format!("{open}{joined}{close}")),
        _ => body.list(format!("{open}("), locals.iter().map(Code::from).collect(), format!("){close}")),
    }
}

/// Calls of constructors within each other, at most. Pyright takes twice as long for each level: minutes for sixteen.
const MAX_CALLS: usize = 6;

/// The code of a value; `next` returns a local variable for each of its numbers. `before` gets statements that the code needs before it.
pub fn value(
    body: &mut Body,
    value: &Value,
    next: &mut impl FnMut(&mut Body) -> String,
    before: &mut Vec<String>,
) -> Code {
    nested(body, value, next, before).0
}

/// The code, and how many calls of constructors are within each other in it.
fn nested(
    body: &mut Body,
    value: &Value,
    next: &mut impl FnMut(&mut Body) -> String,
    before: &mut Vec<String>,
) -> (Code, usize) {
    match value {
        Value::Number => (next(body).into(), 0),
        Value::Made(how, parts) => {
            let parts = parts.iter().map(|part| nested(body, part, next, before).0).collect();
            (made(body, *how, parts), 0)
        }
        Value::Constant(table) => (Code::index(table, [next(body)]), 0),
        Value::Struct(class, arguments) => {
            let mut deepest = 0;
            let mut codes = Vec::new();
            for (keyword, argument) in arguments {
                let (mut code, mut calls) = nested(body, argument, next, before);
                if calls == MAX_CALLS {
                    let local = body.local("s");
                    before.push(format!("{local} = {code}"));
                    (code, calls) = (local.into(), 0);
                }
                deepest = deepest.max(calls);
                codes.push(with_keyword(keyword.as_deref(), code));
            }
            (Code::call(class, codes), deepest + 1)
        }
    }
}

/// An argument of a constructor.
pub fn with_keyword(keyword: Option<&str>, argument: Code) -> Code {
    match keyword {
        Some(keyword) => argument.after(format!("{keyword}=")),
        None => argument,
    }
}

/// Charges the message for the next value (LIM-18).
pub fn charge(body: &mut Body, charge: u64) {
    if charge > 0 {
        // With a local variable instead, type checkers lose its type in functions with hundreds of charges.
        body.block(format!("if r.memory < {charge}:"), |b| b.line("raise _creo.Bad"));
        body.line(format!("r.memory -= {charge}"));
    }
}
