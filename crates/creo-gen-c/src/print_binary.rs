//! Prints straight-line codecs of records, unions and enums.

use crate::lang::{Block, Enum, Field, Init, Leaf, LeafKind, Record, Slot, Step, Union};
use crate::literals;
use crate::print_shared::{check, function};
use crate::scalars::scalar;
use creo_codegen::Writer;

/// The charge for a union member that is kept as bytes (LIM-18).
const UNKNOWN_MEMBER_CHARGE: u32 = 32;

pub fn enumeration(w: &mut Writer, item: &Enum) {
    let name = &item.name;
    function(w, format!("const char *{name}_name({name} value)"), |w| {
        w.block("switch (value) {", "}", |w| {
            for constant in &item.constants {
                w.block(format!("case {}:", constant.name), "", |w| {
                    w.line(format!("return {};", literals::string(&constant.declared)))
                });
            }
            w.block("default:", "", |w| w.line("return NULL;"));
        });
    });
    function(w, format!("bool {name}_encode(creo_writer *writer, {name} value)"), |w| {
        if !item.extensible {
            w.block(format!("if (!{name}_valid((uint32_t)value))"), "", |w| {
                w.line("return creo_fail_value(writer->error, \"the enum has no constant of this number\");");
            });
        }
        w.line("return creo_write_count(writer, (size_t)value);");
    });
    function(w, format!("bool {name}_decode(creo_reader *reader, {name} *value)"), |w| {
        if item.extensible {
            w.line("return creo_read_count(reader, value);");
            return;
        }
        w.line("const uint8_t *at = reader->at;");
        w.line("uint32_t number = 0;");
        check(w, "creo_read_count(reader, &number)", "false");
        check(
            w,
            &format!("{name}_valid(number)"),
            "creo_reader_malformed(reader, at, \"the enum has no constant of this number\")",
        );
        w.line(format!("*value = ({name})number;"));
        w.line("return true;");
    });
}

pub fn record(w: &mut Writer, record: &Record) {
    record_init(w, record);
    record_encode(w, record);
    record_decode(w, record);
    standalone(w, &record.name);
}

/// `_to_bytes` and `_from_bytes`.
fn standalone(w: &mut Writer, name: &str) {
    function(
        w,
        format!(
            "bool {name}_to_bytes(const {name} *value, creo_arena *arena, creo_bytes *bytes, creo_error *error)"
        ),
        |w| {
            w.line("creo_writer writer;");
            w.line("creo_writer_init(&writer, arena, NULL, error);");
            check(w, &format!("{name}_encode(&writer, value)"), "false");
            w.line("*bytes = creo_writer_bytes(&writer);");
            w.line("return true;");
        },
    );
    function(
        w,
        format!(
            "bool {name}_from_bytes(creo_bytes bytes, creo_arena *arena, {name} *value, creo_error *error)"
        ),
        |w| {
            w.line("creo_reader reader;");
            check(w, "creo_reader_init(&reader, bytes, CREO_COPY, arena, NULL, error)", "false");
            w.line(format!("return {name}_decode(&reader, value) && creo_reader_finish(&reader);"));
        },
    );
}

fn record_init(w: &mut Writer, record: &Record) {
    function(w, format!("void {}_init({} *value)", record.name, record.name), |w| {
        w.line("memset(value, 0, sizeof *value);");
        for field in &record.fields {
            let place = format!("value->{}", field.name);
            for (index, init) in field.init.iter().enumerate() {
                initialise(w, &place, init, &format!("creo_text_{}_{index}", field.name));
            }
        }
    });
}

fn initialise(w: &mut Writer, place: &str, init: &Init, long_name: &str) {
    match init {
        Init::Assign(expression) => w.line(format!("{place} = {expression};")),
        Init::Text(text) => match literals::long_string(long_name, text) {
            Some(lines) => {
                w.lines(lines);
                w.line(format!("{place}.data = {long_name};"));
                w.line(format!("{place}.size = {};", text.len()));
            }
            None => {
                w.line(format!("{place}.data = {};", literals::string(text)));
                w.line(format!("{place}.size = {};", text.len()));
            }
        },
        Init::Instant(seconds, nanoseconds) => {
            w.line(format!("{place}.seconds = {};", literals::integer(*seconds)));
            w.line(format!("{place}.nanoseconds = {nanoseconds};"));
        }
        Init::Call(function) => w.line(format!("{function}(&{place});")),
    }
}

fn record_encode(w: &mut Writer, record: &Record) {
    function(
        w,
        format!("bool {}_encode(creo_writer *writer, const {} *value)", record.name, record.name),
        |w| {
            if record.fields.is_empty() {
                w.line("(void)value;");
                if !record.extensible {
                    w.line("(void)writer;");
                }
            }
            if record.recursive {
                check(w, "creo_writer_enter(writer)", "false");
            }
            if record.extensible {
                w.line("creo_region region;");
                check(w, "creo_write_region(writer, &region)", "false");
            }
            write_steps(w, &record.steps, &record.fields);
            if record.recursive {
                w.line("creo_writer_leave(writer);");
            }
            w.line(if record.extensible {
                "return creo_write_region_end(writer, region);"
            } else {
                "return true;"
            });
        },
    );
}

/// Writes the steps of a record or parameters at `value->`.
pub fn write_steps(w: &mut Writer, steps: &[Step], fields: &[Field]) {
    let mut blocks = 0;
    for step in steps {
        match step {
            Step::Block(block) => {
                let at = format!("at{blocks}");
                blocks += 1;
                w.line(format!("uint8_t *{at} = creo_write_block(writer, {});", block.size));
                w.block(format!("if ({at} == NULL)"), "", |w| w.line("return false;"));
                for leaf in &block.leaves {
                    put_leaf(w, leaf, &at, "value->", "false");
                }
            }
            Step::Field(index) => write_field(w, &fields[*index]),
        }
    }
}

/// `at`, or `at` plus an offset.
fn offset(at: &str, leaf: &Leaf) -> String {
    if leaf.offset == 0 { at.to_owned() } else { format!("{at} + {}", leaf.offset) }
}

/// Writes a part of a block; `otherwise` is the result of a failure after its path was set.
pub fn put_leaf(w: &mut Writer, leaf: &Leaf, at: &str, owner: &str, otherwise: &str) {
    let (to, place) = (offset(at, leaf), literals::string(&leaf.place));
    let value = format!("{owner}{}", leaf.path);
    match &leaf.kind {
        LeafKind::Scalar(primitive) => match scalar(*primitive).block_put {
            Some(put) => check(w, &format!("{put}(writer, {to}, {value}, {place})"), otherwise),
            None => w.line(format!("creo_put_{}({to}, {value});", scalar(*primitive).word)),
        },
        LeafKind::Enum(name) => {
            w.block(format!("if (!{name}_valid((uint32_t){value})) {{"), "}", |w| {
                w.line("(void)creo_fail_value(writer->error, \"the enum has no constant of this number\");");
                w.line(format!("(void)creo_at_field(writer->error, {place});"));
                w.line(format!("return {otherwise};"));
            });
            w.line(format!("*({to}) = (uint8_t){value};"));
        }
    }
}

fn write_field(w: &mut Writer, field: &Field) {
    let place = literals::string(&field.declared);
    let fail = format!("creo_at_field(writer->error, {place})");
    let value = format!("value->{}", field.name);
    match field.slot {
        Slot::Value => check(w, &field.ty.write(&value), &fail),
        Slot::Flag => {
            let flag = format!("value->has_{}", field.name);
            w.block(
                format!(
                    "if (!creo_write_boolean(writer, {flag}) || ({flag} && !{}))",
                    field.ty.write(&value)
                ),
                "",
                |w| {
                    w.line(format!("return {fail};"));
                },
            );
        }
        Slot::Pointer => {
            let write = field.ty.write(&format!("*{value}"));
            w.block(
                format!("if (!creo_write_boolean(writer, {value} != NULL) || ({value} != NULL && !{write}))"),
                "",
                |w| {
                    w.line(format!("return {fail};"));
                },
            );
        }
        Slot::Required => {
            required(w, &value, &place);
            check(w, &field.ty.write(&format!("*{value}")), &fail);
        }
    }
}

/// A pointer that must not be NULL.
fn required(w: &mut Writer, value: &str, place: &str) {
    w.block(format!("if ({value} == NULL) {{"), "}", |w| {
        w.line("(void)creo_fail_value(writer->error, \"the pointer to the value is NULL\");");
        w.line(format!("return creo_at_field(writer->error, {place});"));
    });
}

fn record_decode(w: &mut Writer, record: &Record) {
    function(w, format!("bool {}_decode(creo_reader *reader, {} *value)", record.name, record.name), |w| {
        if record.recursive {
            check(w, "creo_reader_enter(reader)", "false");
        }
        if record.extensible {
            w.line("const uint8_t *outer = NULL;");
            check(w, "creo_read_region(reader, &outer)", "false");
            w.line(format!("{}_init(value);", record.name));
        } else if record.fields.is_empty() {
            w.line("(void)reader;");
            w.line("value->creo_empty = 0;");
        }
        read_steps(w, &record.steps, &record.fields, record.extensible);
        if record.extensible {
            if record.fields.iter().any(|field| field.may_be_missing) {
                w.line("end:");
            }
            w.line("creo_region_leave(reader, outer);");
        }
        if record.recursive {
            w.line("creo_reader_leave(reader);");
        }
        w.line("return true;");
    });
}

/// Reads the steps of a record or parameters to `value->`; an extensible one may end before a field.
pub fn read_steps(w: &mut Writer, steps: &[Step], fields: &[Field], extensible: bool) {
    let mut blocks = 0;
    for step in steps {
        match step {
            Step::Block(block) => {
                read_block(w, block, blocks);
                blocks += 1;
            }
            Step::Field(index) => {
                let field = &fields[*index];
                if extensible && field.may_be_missing {
                    w.block("if (creo_region_ends(reader))", "", |w| w.line("goto end;"));
                }
                read_field(w, field);
            }
        }
    }
}

fn read_block(w: &mut Writer, block: &Block, number: usize) {
    if let [Leaf { path, place, kind: LeafKind::Scalar(primitive), .. }] = block.leaves.as_slice() {
        let fail = format!("creo_at_field(reader->error, {})", literals::string(place));
        check(w, &format!("creo_read_{}(reader, &value->{path})", scalar(*primitive).word), &fail);
        return;
    }
    let (at, parts) = (format!("at{number}"), format!("parts{number}"));
    let list: Vec<String> = block
        .leaves
        .iter()
        .map(|leaf| format!("{{{}, {}}}", literals::string(&leaf.place), leaf.size))
        .collect();
    w.line(format!("static const creo_part {parts}[] = {{{}}};", list.join(", ")));
    w.line(format!("const uint8_t *{at} = creo_read_block(reader, {});", block.size));
    w.block(format!("if ({at} == NULL)"), "", |w| {
        w.line(format!("return creo_reader_block_short(reader, {parts}, {});", block.leaves.len()))
    });
    for leaf in &block.leaves {
        get_leaf(w, leaf, &at, "value->", "false");
    }
}

/// Reads a part of a block; `otherwise` is the result of a failure after its path was set.
pub fn get_leaf(w: &mut Writer, leaf: &Leaf, at: &str, owner: &str, otherwise: &str) {
    let (from, place) = (offset(at, leaf), literals::string(&leaf.place));
    let value = format!("{owner}{}", leaf.path);
    match &leaf.kind {
        LeafKind::Scalar(primitive) => match scalar(*primitive).block_get {
            Some(get) => check(w, &format!("{get}(reader, {from}, &{value}, {place})"), otherwise),
            None => w.line(format!("{value} = creo_get_{}({from});", scalar(*primitive).word)),
        },
        LeafKind::Enum(name) => {
            w.block(format!("if (!{name}_valid(*({from}))) {{"), "}", |w| {
                w.line(format!("(void)creo_block_malformed(reader, {from}, {place}, \"the enum has no constant of this number\");"));
                w.line(format!("return {otherwise};"));
            });
            w.line(format!("{value} = ({name})*({from});"));
        }
    }
}

fn read_field(w: &mut Writer, field: &Field) {
    let fail = format!("creo_at_field(reader->error, {})", literals::string(&field.declared));
    let value = format!("value->{}", field.name);
    match field.slot {
        Slot::Value => check(w, &field.ty.read(&value), &fail),
        Slot::Flag => {
            let flag = format!("value->has_{}", field.name);
            check(w, &format!("creo_read_presence(reader, {}, &{flag})", field.charge), &fail);
            w.block(format!("if (!{flag})"), "", |w| w.line(format!("memset(&{value}, 0, sizeof {value});")));
            w.block(format!("else if (!{})", field.ty.read(&value)), "", |w| {
                w.line(format!("return {fail};"))
            });
        }
        Slot::Pointer => w.block("{", "}", |w| {
            w.line("bool there = false;");
            check(w, &format!("creo_read_presence(reader, {}, &there)", field.charge), &fail);
            w.line(format!("{value} = NULL;"));
            w.block("if (there) {", "}", |w| {
                read_behind_pointer(w, &field.ty.c(), &field.ty.read("*item"), &value, &fail)
            });
        }),
        Slot::Required => w.block("{", "}", |w| {
            read_behind_pointer(w, &field.ty.c(), &field.ty.read("*item"), &value, &fail)
        }),
    }
}

/// Reads a value into new memory.
fn read_behind_pointer(w: &mut Writer, ty: &str, read: &str, value: &str, fail: &str) {
    w.line(format!("{ty} *item = ({ty} *)creo_read_take(reader, 1, sizeof *item);"));
    w.block(format!("if (item == NULL || !{read})"), "", |w| w.line(format!("return {fail};")));
    w.line(format!("{value} = item;"));
}

pub fn union(w: &mut Writer, union: &Union) {
    let name = &union.name;
    function(w, format!("void {name}_init({name} *value)"), |w| {
        w.line("memset(value, 0, sizeof *value);");
        w.line(format!("value->kind = {};", union.members[0].constant));
        if let Some(init) = &union.first_init {
            initialise(w, &format!("value->as.{}", union.members[0].name), init, "creo_text");
        }
    });
    union_encode(w, union);
    union_decode(w, union);
    standalone(w, name);
}

fn union_encode(w: &mut Writer, union: &Union) {
    let name = &union.name;
    function(w, format!("bool {name}_encode(creo_writer *writer, const {name} *value)"), |w| {
        if union.recursive {
            check(w, "creo_writer_enter(writer)", "false");
        }
        if union.extensible {
            w.line("creo_region region;");
            w.block(
                "if (!creo_write_count(writer, value->kind) || !creo_write_region(writer, &region))",
                "",
                |w| w.line("return false;"),
            );
        }
        w.block("switch (value->kind) {", "}", |w| {
            for (index, member) in union.members.iter().enumerate() {
                w.block(format!("case {}:", member.constant), "", |w| {
                    let place = literals::string(&member.declared);
                    let value = format!("value->as.{}", member.name);
                    if member.pointer {
                        required(w, &value, &place);
                    }
                    let write = member.ty.write(&if member.pointer { format!("*{value}") } else { value });
                    let attempt = if union.extensible {
                        write
                    } else {
                        format!("creo_write_count(writer, {index}) || !{write}")
                    };
                    check(w, &attempt, &format!("creo_at_field(writer->error, {place})"));
                    w.line("break;");
                });
            }
            w.block("default:", "", |w| {
                if union.extensible {
                    check(w, "creo_write_raw(writer, value->as.unknown)", "false");
                    w.line("break;");
                } else {
                    w.line(
                        "return creo_fail_value(writer->error, \"the union has no member of this kind\");",
                    );
                }
            });
        });
        if union.recursive {
            w.line("creo_writer_leave(writer);");
        }
        w.line(if union.extensible {
            "return creo_write_region_end(writer, region);"
        } else {
            "return true;"
        });
    });
}

fn union_decode(w: &mut Writer, union: &Union) {
    let name = &union.name;
    function(w, format!("bool {name}_decode(creo_reader *reader, {name} *value)"), |w| {
        w.line("const uint8_t *at = reader->at;");
        w.line("uint32_t kind = 0;");
        if union.recursive {
            check(w, "creo_reader_enter(reader)", "false");
        }
        check(w, "creo_read_count(reader, &kind)", "false");
        if union.extensible {
            w.line("const uint8_t *outer = NULL;");
            check(w, "creo_read_region(reader, &outer)", "false");
        }
        w.block("switch (kind) {", "}", |w| {
            for (index, member) in union.members.iter().enumerate() {
                let fail = format!("creo_at_field(reader->error, {})", literals::string(&member.declared));
                let value = format!("value->as.{}", member.name);
                let (open, close) = if member.pointer { (format!("case {index}: {{"), "}") } else { (format!("case {index}:"), "") };
                w.block(open, close, |w| {
                    if member.charge != 0 {
                        check(w, &format!("creo_reader_charge(reader, at, {})", member.charge), "false");
                    }
                    if member.pointer {
                        read_behind_pointer(w, &member.ty.c(), &member.ty.read("*item"), &value, &fail);
                    } else {
                        check(w, &member.ty.read(&value), &fail);
                    }
                    if union.extensible {
                        check(w, "creo_region_leave_full(reader, outer)", &fail);
                    }
                    w.line("break;");
                });
            }
            w.block("default:", "", |w| {
                if union.extensible {
                    check(w, &format!("creo_reader_charge(reader, at, {UNKNOWN_MEMBER_CHARGE})"), "false");
                    check(w, "creo_read_raw(reader, creo_left(reader), &value->as.unknown)", "false");
                    w.line("creo_region_leave(reader, outer);");
                    w.line("break;");
                } else {
                    w.line("return creo_reader_malformed(reader, at, \"the union has no member of this index\");");
                }
            });
        });
        w.line(format!("value->kind = ({name}_kind)kind;"));
        if union.recursive {
            w.line("creo_reader_leave(reader);");
        }
        w.line("return true;");
    });
}
