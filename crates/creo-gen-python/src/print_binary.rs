//! `creo_binary.py`: the binary codecs of a package's types.

use std::collections::BTreeSet;
use std::fmt::Display;

use crate::body::Body;
use crate::code::Code;
use crate::lang::{
    Arguments, BinaryModule, Block, Codec, Description, Direction, EnumCodec, Form, MethodCodec, Part,
    RecordCodec, ServiceCodec, UnionCodec,
};
use crate::layout::{Lines, import};
use crate::literals::string;
use crate::names::import_order;
use crate::print_binary_values::{
    charge, number, read, read_fields, unpack, value, with_keyword, write, write_fields,
};
use crate::print_project::{Head, Uses, other_imports, standard_imports};

/// Helpers of `codegen.columns`; the others are those of `codegen`.
const COLUMNS: [&str; 3] = ["read_checked_structs", "read_structs", "write_structs"];

/// The module of codecs.
pub fn binary_module(module: &BinaryModule, head: &Head) -> String {
    let mut functions = Functions { helpers: BTreeSet::new(), out: Lines::new() };
    module.codecs.iter().for_each(|codec| functions.codec(codec));
    module.methods.iter().for_each(|method| functions.method(method));
    module.parts.iter().for_each(|part| functions.part(part));
    module.descriptions.iter().for_each(|description| self::description(&mut functions.out, description));
    let mut out = Lines::new();
    standard_imports(&mut out, head, &module.imports, Uses::Codegen);
    if !functions.helpers.is_empty() {
        let mut sorted: Vec<&str> = functions.helpers.iter().copied().collect();
        sorted.sort_by_key(|name| import_order(name));
        let (columns, others): (Vec<&str>, Vec<&str>) =
            sorted.into_iter().partition(|name| COLUMNS.contains(name));
        for (module, names) in [("codegen", others), ("codegen.columns", columns)] {
            if !names.is_empty() {
                import(&mut out, &format!("{}.{module}", head.runtime), &names);
            }
        }
    }
    other_imports(&mut out, &module.imports);
    if !module.layouts.is_empty() {
        out.blank();
        for (index, layout) in module.layouts.iter().enumerate() {
            out.line(format!("_S{index} = _Struct(\"{layout}\")"));
        }
    }
    let mut text = out.finish();
    text.push_str(&functions.out.finish());
    text
}

fn description(out: &mut Lines, description: &Description) {
    let kind = format!("_creo.{}", description.kind);
    out.gap();
    out.line(format!("{}: {kind}[{}] = {kind}(", description.constant, description.class));
    out.indented(|l| description.arguments.iter().for_each(|argument| l.item(argument)));
    out.line(")");
}

struct Functions {
    /// Runtime names used by the functions.
    helpers: BTreeSet<&'static str>,
    out: Lines,
}

impl Functions {
    fn function(&mut self, name: &str, head: &[Code], result: impl Display, body: Body) {
        self.helpers.extend(body.helpers.iter().copied());
        self.out.gap();
        self.out.list(&format!("def {name}("), head, &format!(") -> {result}:"));
        self.out.indented(|l| if body.is_empty() { l.line("pass") } else { body.write(l) });
    }

    fn decoder(&mut self, name: &str, result: impl Display, body: Body) {
        let head = ["b: bytes", "p: int", "r: _creo.Reading"].map(Code::from);
        self.function(name, &head, format!("tuple[{result}, int]"), body);
    }

    fn encoder(&mut self, name: &str, value: impl Into<Code>, body: Body) {
        let head = ["w: _creo.Writing".into(), value.into().after("v: ")];
        self.function(name, &head, "None", body);
    }

    fn codec(&mut self, codec: &Codec) {
        match &codec.form {
            Form::Enum(enumeration) => self.enumeration(codec, enumeration),
            Form::Record(record) => self.record(codec, record),
            Form::Union(union) => self.union(codec, union),
        }
    }

    fn enumeration(&mut self, codec: &Codec, enumeration: &EnumCodec) {
        let class = &codec.class;
        let mut body = Body::default();
        match enumeration {
            EnumCodec::Byte(table) => body.line(format!("return {table}[b[p]], p + 1")),
            EnumCodec::Closed(table) => {
                let read = body.helper("read_count");
                body.line(format!("n, p = {read}(b, p)"));
                body.line(format!("return {table}[n], p"));
            }
            EnumCodec::Extensible => {
                let read = body.helper("read_count");
                body.line(format!("n, p = {read}(b, p)"));
                body.line(format!("return {class}(n), p"));
            }
        }
        match enumeration {
            EnumCodec::Byte(table) | EnumCodec::Closed(table) => {
                self.out.gap();
                self.out.line(format!("{table} = {{i.value: i for i in {class}}}"));
            }
            EnumCodec::Extensible => {}
        }
        self.decoder(&format!("decode_{}", codec.function), class, body);
        let mut body = Body::default();
        let count = body.helper("COUNT");
        body.line(format!("w.append({count}[v.value])"));
        self.encoder(&format!("encode_{}", codec.function), class, body);
    }

    fn record(&mut self, codec: &Codec, record: &RecordCodec) {
        let class = &codec.class;
        let mut body = Body::default();
        enter(&mut body, record.recursive, "r");
        let mut result = "p";
        if record.extensible {
            result = "e";
            let open = body.helper("read_region");
            body.line(format!("p, e = {open}(b, p)"));
        }
        let values = read_fields(&mut body, &record.reads);
        if record.extensible {
            body.block("if p > e:", |b| b.line("raise _creo.Bad"));
        }
        leave(&mut body, record.recursive, "r");
        let keywords = record.keywords.iter().map(Option::as_deref);
        let arguments: Vec<Code> =
            keywords.zip(values).map(|(keyword, value)| with_keyword(keyword, value)).collect();
        let one_line = format!("return {}, {result}", Code::call(class, &arguments));
        if one_line.len() < 92 {
            body.line(one_line);
        } else {
            body.list(format!("value = {class}("), arguments, ")");
            body.line(format!("return value, {result}"));
        }
        self.decoder(&format!("decode_{}", codec.function), class, body);

        let mut body = Body::default();
        enter(&mut body, record.recursive, "w");
        if record.extensible {
            let open = body.helper("open_region");
            body.line(format!("start = {open}(w)"));
        }
        write_fields(&mut body, &record.writes, &record.values);
        if record.extensible {
            let close = body.helper("close_region");
            body.line(format!("{close}(w, start)"));
        }
        leave(&mut body, record.recursive, "w");
        self.encoder(&format!("encode_{}", codec.function), class, body);
        if let Some(block) = &record.block {
            self.block(codec, block);
        }
    }

    /// The layout of arrays of a struct.
    fn block(&mut self, codec: &Codec, block: &Block) {
        let (class, function) = (&codec.class, &codec.function);
        let (open, make, flatten) =
            (format!("_open_{function}"), format!("_make_{function}"), format!("_flatten_{function}"));
        self.out.gap();
        self.out.line(format!("{open} = _creo.opened({class})"));

        let mut body = Body::default();
        let locals: Vec<String> = (0..block.columns.len()).map(|index| format!("x{index}")).collect();
        unpack(&mut body, "for ", &locals, 70, " in numbers:");
        body.indented(|b| {
            b.line(format!("i: Any = {open}()"));
            let mut index = 0;
            let mut next = |_: &mut Body| {
                index += 1;
                format!("x{}", index - 1)
            };
            for (name, field) in &block.fields {
                let mut before = Vec::new();
                let value = value(b, field, &mut next, &mut before);
                for statement in before {
                    b.line(statement);
                }
                b.line(format!("i.{name} = {value}"));
            }
            b.line(format!("i.__class__ = {class}"));
            b.line("yield i");
        });
        let numbers = Code::from("numbers: _creo.Iterable[tuple[Any, ...]]");
        self.function(&make, &[numbers], format!("_creo.Iterator[{class}]"), body);

        let mut body = Body::default();
        let width = block.columns.len();
        body.line(format!("numbers: list[Any] = [None] * ({width} * len(items))"));
        for (index, column) in block.columns.iter().enumerate() {
            let number = number(&mut body, &column.number, &["i".to_owned()]);
            let place = if width == 1 { ":".to_owned() } else { format!("{index}::{width}") };
            body.line(format!("numbers[{place}] = [{number} for i in items]"));
        }
        body.line("return numbers");
        self.function(&flatten, &[Code::index("items: _creo.Sequence", [class])], "list[Any]", body);

        let columns = block.columns.iter().map(|column| {
            let table = column.table.as_ref().map(|table| Code::call("bytes", [table]));
            let described = [string(&column.name).into(), format!("\"{}\"", column.code).into()];
            Code::tuple(described.into_iter().chain(table).collect::<Vec<Code>>())
        });
        let functions = [class.into(), make.into(), flatten.into()];
        self.out.gap();
        self.out.list(
            &format!("{} = _columns.Block(", block.constant),
            functions.into_iter().chain(columns).collect::<Vec<Code>>(),
            ")",
        );
    }

    fn union(&mut self, codec: &Codec, union: &UnionCodec) {
        let words = || std::iter::once("if").chain(std::iter::repeat("elif"));
        let extensible = union.unknown.is_some();
        let mut body = Body::default();
        enter(&mut body, union.recursive, "r");
        let read_count = body.helper("read_count");
        body.line(format!("index, p = {read_count}(b, p)"));
        if extensible {
            let open = body.helper("read_region");
            body.line(format!("p, e = {open}(b, p)"));
        }
        body.line(format!("v: {}", codec.class));
        for ((index, member), word) in union.members.iter().enumerate().zip(words()) {
            body.block(format!("{word} index == {index}:"), |b| {
                charge(b, member.charge);
                let value = read(b, &member.read);
                b.line(format!("v = {}({value})", member.class));
            });
        }
        if let Some(unknown) = union.unknown {
            body.block("else:", |b| {
                charge(b, unknown);
                b.line("v = _creo.UnknownMember(index, b[p:e])");
                b.line("p = e");
            });
            body.block("if p != e:", |b| b.line("raise _creo.Bad"));
        } else {
            body.block("else:", |b| b.line("raise _creo.Bad"));
        }
        leave(&mut body, union.recursive, "r");
        body.line("return v, p");
        self.decoder(&format!("decode_{}", codec.function), &codec.class, body);

        let mut body = Body::default();
        enter(&mut body, union.recursive, "w");
        let count = body.helper("COUNT");
        if extensible {
            // After the index and the room for the size.
            body.line("start = len(w) + 2");
        }
        for ((index, member), word) in union.members.iter().enumerate().zip(words()) {
            body.block(format!("{word} isinstance(v, {}):", member.class), |b| {
                b.part(Code::index(count, [index.to_string()]));
                if extensible {
                    b.part("b\"\"");
                }
                write(b, &member.write, "v.value");
                if extensible {
                    let close = b.helper("close_region");
                    b.line(format!("{close}(w, start)"));
                }
            });
        }
        if extensible {
            let u32_ = body.helper("u32");
            body.block("elif isinstance(v, _creo.UnknownMember):", |b| {
                b.part(Code::index(count, ["v.index"]));
                b.part(Code::call(u32_, [Code::call("len", ["v.data"])]));
                b.part("v.data");
            });
        }
        body.block("else:", |b| b.line("raise _creo.Bad"));
        leave(&mut body, union.recursive, "w");
        // The function distinguishes all values itself: a member of another union has a `value` too.
        self.encoder(&format!("encode_{}", codec.function), "object", body);
    }

    fn method(&mut self, method: &MethodCodec) {
        self.arguments(&method.function, &method.arguments);
        for (result, what) in [(&method.result, "result"), (&method.items, "items")] {
            if let Some(result) = result {
                let mut body = Body::default();
                let value = read(&mut body, &result.read);
                body.line(format!("return {value}, p"));
                self.decoder(&format!("decode_{}_{what}", method.function), &result.annotation, body);
            }
        }
        if let Some(sent) = &method.sent {
            let mut body = Body::default();
            let value = sent.held.as_ref().map_or("v", |held| {
                body.line(format!("h = {held}"));
                "h"
            });
            write(&mut body, &sent.write, value);
            self.encoder(&format!("encode_{}_items", method.function), sent.annotation.clone(), body);
        }
        if let Some(service) = &method.service {
            self.service(&method.function, service);
        }
    }

    fn arguments(&mut self, function: &str, arguments: &Arguments) {
        let mut body = Body::default();
        unpack(&mut body, "", &arguments.locals, 85, " = v");
        for (local, held) in &arguments.made {
            body.line(format!("{local} = {held}"));
        }
        write_fields(&mut body, &arguments.writes, &arguments.values);
        self.encoder(&format!("encode_{function}_arguments"), &arguments.annotation, body);
    }

    /// `decode_<function>_arguments`, which returns a tuple, and `encode_<function>_result`.
    fn service(&mut self, function: &str, service: &ServiceCodec) {
        let mut body = Body::default();
        let values = read_fields(&mut body, &service.reads);
        body.line(format!("return {}, p", Code::tuple(values)));
        self.decoder(&format!("decode_{function}_arguments"), &service.annotation, body);
        if let Some((annotation, result)) = &service.result {
            let mut body = Body::default();
            write(&mut body, result, "v");
            self.encoder(&format!("encode_{function}_result"), annotation, body);
        }
    }

    fn part(&mut self, part: &Part) {
        let mut body = Body::default();
        match &part.direction {
            Direction::Read(read) => {
                let value = self::read(&mut body, read);
                body.line(format!("return {value}, p"));
                self.decoder(&part.name, &part.annotation, body);
            }
            Direction::Write(write) => {
                self::write(&mut body, write, "v");
                self.encoder(&part.name, &part.annotation, body);
            }
        }
    }
}

/// Counts a level of recursion in the state with this local name.
fn enter(body: &mut Body, recursive: bool, local: &str) {
    if recursive {
        let enter = body.helper("enter");
        body.line(format!("{enter}({local})"));
    }
}

fn leave(body: &mut Body, recursive: bool, local: &str) {
    if recursive {
        body.line(format!("{local}.depth += 1"));
    }
}
