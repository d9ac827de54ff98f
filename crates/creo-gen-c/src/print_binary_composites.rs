//! Prints the codecs of arrays, maps and optionals.

use crate::lang::{Array, Block, Map, Optional, Ty};
use crate::print_binary::{get_leaf, put_leaf};
use crate::print_shared::{check, function};
use creo_codegen::Writer;

/// The beginning of every array and map decoder: reads a count checked against the bytes and the limits, and allocates the items.
fn read_items(w: &mut Writer, least: u64, charge: u64, item: &str, list: &str) {
    w.line("uint32_t count = 0;");
    check(
        w,
        &format!("creo_read_items(reader, {}, {charge}, &count)", least.min(u64::from(u32::MAX))),
        "false",
    );
    w.line(format!("value->{list} = NULL;"));
    w.line("value->count = count;");
    w.block("if (count == 0)", "", |w| w.line("return true;"));
    w.line(format!("{item} *items = ({item} *)creo_read_take(reader, count, sizeof *items);"));
    w.block("if (items == NULL)", "", |w| w.line("return false;"));
}

pub fn array(w: &mut Writer, array: &Array) {
    let name = &array.name;
    function(w, format!("bool {name}_encode(creo_writer *writer, const {name} *value)"), |w| {
        check(w, "creo_write_items(writer, value->items, value->count)", "false");
        match &array.block {
            Some(block) => write_blocks(w, block, &array.item),
            None => w.block("for (size_t i = 0; i < value->count; i++)", "", |w| {
                check(w, &array.item.write("value->items[i]"), "creo_at_index(writer->error, i)");
            }),
        }
        w.line("return true;");
    });
    function(w, format!("bool {name}_decode(creo_reader *reader, {name} *value)"), |w| {
        read_items(w, array.least, array.charge, &array.item.c(), "items");
        match &array.block {
            Some(block) => read_blocks(w, block),
            None => w.block("for (size_t i = 0; i < count; i++)", "", |w| {
                check(w, &array.item.read("items[i]"), "creo_at_index(reader->error, i)");
            }),
        }
        w.line("value->items = items;");
        w.line("return true;");
    });
}

/// Fixed-size consecutive items: room is made once, followed by one loop without size checks.
fn write_blocks(w: &mut Writer, block: &Block, item: &Ty) {
    w.line(format!("uint8_t *CREO_RESTRICT at = creo_write_blocks(writer, value->count, {});", block.size));
    w.block("if (at == NULL)", "", |w| w.line("return false;"));
    w.line(format!("const {} *CREO_RESTRICT item = value->items;", item.c()));
    w.block(
        format!("for (size_t i = 0; i < value->count; i++, item++, at += {}) {{", block.size),
        "}",
        |w| {
            for leaf in &block.leaves {
                put_leaf(w, leaf, "at", "item->", "creo_at_index(writer->error, i)");
            }
        },
    );
}

fn read_blocks(w: &mut Writer, block: &Block) {
    w.line("const uint8_t *CREO_RESTRICT at = reader->at;");
    w.block(format!("for (size_t i = 0; i < count; i++, at += {}) {{", block.size), "}", |w| {
        for leaf in &block.leaves {
            get_leaf(w, leaf, "at", "items[i].", "creo_at_index(reader->error, i)");
        }
    });
    w.line("reader->at = at;");
}

/// The comparison of a map's keys: by bytes, or as texts.
fn key_kind(key: &Ty) -> String {
    match key {
        Ty::Text(_) => "CREO_KEY_STRING".to_owned(),
        Ty::Scalar(_) | Ty::Enum(_) | Ty::Bytes | Ty::Bulk(_) | Ty::Record(_) => {
            format!("(creo_key)sizeof({})", key.c())
        }
    }
}

pub fn map(w: &mut Writer, map: &Map) {
    let name = &map.name;
    let kind = key_kind(&map.key);
    function(w, format!("bool {name}_encode(creo_writer *writer, const {name} *value)"), |w| {
        check(w, "creo_write_items(writer, value->entries, value->count)", "false");
        check(
            w,
            &format!(
                "creo_writer_distinct(writer, value->entries, value->count, sizeof *value->entries, {kind})"
            ),
            "false",
        );
        w.block("for (size_t i = 0; i < value->count; i++) {", "}", |w| {
            check(w, &map.key.write("value->entries[i].key"), "creo_at_key(writer->error, i)");
            check(w, &map.value.write("value->entries[i].value"), "creo_at_value(writer->error, i)");
        });
        w.line("return true;");
    });
    function(w, format!("bool {name}_decode(creo_reader *reader, {name} *value)"), |w| {
        w.line("const uint8_t *start = reader->at;");
        read_items(w, map.least, map.charge, &map.entry, "entries");
        w.block("for (size_t i = 0; i < count; i++) {", "}", |w| {
            check(w, &map.key.read("items[i].key"), "creo_at_key(reader->error, i)");
            check(w, &map.value.read("items[i].value"), "creo_at_value(reader->error, i)");
        });
        check(
            w,
            &format!("creo_reader_distinct(reader, start, items, count, sizeof *items, {kind})"),
            "false",
        );
        w.line("value->entries = items;");
        w.line("return true;");
    });
}

pub fn optional(w: &mut Writer, optional: &Optional) {
    let name = &optional.name;
    function(w, format!("bool {name}_encode(creo_writer *writer, const {name} *value)"), |w| {
        w.line(format!(
            "return creo_write_boolean(writer, value->has) && (!value->has || {});",
            optional.item.write("value->value")
        ));
    });
    function(w, format!("bool {name}_decode(creo_reader *reader, {name} *value)"), |w| {
        check(w, &format!("creo_read_presence(reader, {}, &value->has)", optional.charge), "false");
        w.block("if (!value->has) {", "}", |w| {
            w.line("memset(&value->value, 0, sizeof value->value);");
            w.line("return true;");
        });
        w.line(format!("return {};", optional.item.read("value->value")));
    });
}
