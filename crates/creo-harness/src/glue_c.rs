//! The C peer's table of types. C has no reflection, so functions that decode, encode and print each type are generated.

use creo_check::CheckedModel;
use creo_codegen::Writer;
use creo_gen_c::lang::{Definition, EnumRef, Field, Slot, Ty, Unit};
use creo_gen_c::{lower, scalar};
use creo_model::Primitive;

/// The text of a C file that defines `peer_types` of `conformance/peers/c/peer.h`.
pub fn glue(models: &[&CheckedModel]) -> String {
    let units: Vec<Unit> = models.iter().flat_map(|model| lower(model)).collect();
    let mut w = Writer::new("    ");
    w.line("/* Made from the model. */");
    w.line("#include \"peer.h\"");
    w.blank();
    units.iter().for_each(|unit| w.line(format!("#include \"{}.text.h\"", unit.stem)));
    w.blank();
    for unit in &units {
        unit.enums.iter().for_each(|item| w.line(format!("void {};", head(&item.name))));
        unit.definitions.iter().for_each(|definition| w.line(format!("void {};", head(name(definition)))));
    }
    w.blank();
    let mut rows = Vec::new();
    for unit in &units {
        for item in &unit.enums {
            show_function(&mut w, &item.name, |w| {
                w.line(format!("peer_show_enum(out, {}_name(*value), (uint32_t)*value);", item.name));
            });
            codec(&mut w, &item.name, "*(const TYPE *)value");
            rows.push(row(&item.full_name, &item.name, unit));
        }
        for definition in &unit.definitions {
            show(&mut w, definition);
            if let Definition::Record(_) | Definition::Union(_) = definition {
                codec(&mut w, name(definition), "(const TYPE *)value");
            }
            match definition {
                Definition::Record(item) => rows.push(row(&item.full_name, &item.name, unit)),
                Definition::Union(item) => rows.push(row(&item.full_name, &item.name, unit)),
                Definition::Array(_) | Definition::Map(_) | Definition::Optional(_) => {}
            }
        }
    }
    w.block("const peer_type peer_types[] = {", "};", |w| {
        w.lines(rows);
        w.line("{NULL, 0, NULL, NULL, NULL, NULL},");
    });
    w.finish()
}

fn name(definition: &Definition) -> &str {
    match definition {
        Definition::Record(item) => &item.name,
        Definition::Union(item) => &item.name,
        Definition::Array(item) => &item.name,
        Definition::Map(item) => &item.name,
        Definition::Optional(item) => &item.name,
    }
}

fn head(name: &str) -> String {
    format!("peer_show_{name}(FILE *out, const void *from)")
}

fn row(full_name: &str, name: &str, unit: &Unit) -> String {
    let xml = unit.text.roots.get(name).map_or_else(|| "NULL".to_owned(), |root| format!("&{}", root.name));
    format!("{{\"{full_name}\", sizeof({name}), decode_{name}, encode_{name}, peer_show_{name}, {xml}}},")
}

/// The functions of a type, with untyped pointers.
fn codec(w: &mut Writer, name: &str, value: &str) {
    w.line(format!("static bool decode_{name}(creo_reader *reader, void *value)"));
    w.block("{", "}", |w| w.line(format!("return {name}_decode(reader, ({name} *)value);")));
    w.blank();
    w.line(format!("static bool encode_{name}(creo_writer *writer, const void *value)"));
    w.block("{", "}", |w| w.line(format!("return {name}_encode(writer, {});", value.replace("TYPE", name))));
    w.blank();
}

fn show_function(w: &mut Writer, name: &str, body: impl FnOnce(&mut Writer)) {
    w.line(format!("void {}", head(name)));
    w.block("{", "}", |w| {
        w.line(format!("const {name} *value = (const {name} *)from;"));
        body(w);
    });
    w.blank();
}

/// A statement that prints the value at a place.
fn statement(ty: &Ty, place: &str) -> String {
    match ty {
        Ty::Scalar(primitive) | Ty::Text(primitive) => {
            format!("peer_show_{}(out, {place});", scalar(*primitive).word)
        }
        Ty::Bytes => format!("peer_show_bytes(out, {place});"),
        Ty::Bulk(word) => format!("PEER_SHOW_ARRAY(out, {place}, peer_show_{word});"),
        Ty::Enum(EnumRef { name, .. }) | Ty::Record(name) => {
            format!("peer_show_{name}(out, &{place});").replace("&*", "")
        }
    }
}

/// A statement that prints the key of a map (VAL-12).
fn key(ty: &Ty, place: &str) -> String {
    match ty {
        Ty::Text(_) => format!("peer_show_string(out, {place});"),
        Ty::Scalar(Primitive::Char) => format!("peer_key_char(out, {place});"),
        Ty::Scalar(Primitive::Boolean) => format!("peer_key_boolean(out, {place});"),
        Ty::Enum(EnumRef { name, .. }) => {
            format!("peer_key_enum(out, {name}_name({place}), (uint32_t){place});")
        }
        Ty::Scalar(_) | Ty::Bytes | Ty::Bulk(_) | Ty::Record(_) => format!("peer_key_long(out, {place});"),
    }
}

fn show(w: &mut Writer, definition: &Definition) {
    match definition {
        Definition::Record(record) => show_function(w, &record.name, |w| {
            w.line("int shown = 0;");
            w.line("(void)value;");
            w.line("fputc('{', out);");
            record.fields.iter().for_each(|field| show_field(w, field));
            w.line("(void)shown;");
            w.line("fputc('}', out);");
        }),
        Definition::Union(union) => show_function(w, &union.name, |w| {
            w.block("switch (value->kind) {", "}", |w| {
                for member in &union.members {
                    w.block(format!("case {}:", member.constant), "", |w| {
                        w.line(format!("fputs(\"{{\\\"{}\\\":\", out);", member.declared));
                        let star = if member.pointer { "*" } else { "" };
                        w.line(statement(&member.ty, &format!("{star}value->as.{}", member.name)));
                        w.line("break;");
                    });
                }
                w.block("default:", "", |w| {
                    if union.extensible {
                        w.line("fprintf(out, \"{\\\"#%u\\\":\", (unsigned)value->kind);");
                        w.line("peer_show_bytes(out, value->as.unknown);");
                    } else {
                        w.line("fputs(\"{\", out);");
                    }
                    w.line("break;");
                });
            });
            w.line("fputc('}', out);");
        }),
        Definition::Array(array) => show_function(w, &array.name, |w| {
            w.block("for (size_t i = 0; i < value->count; i++) {", "}", |w| {
                w.line("fputc(i == 0 ? '[' : ',', out);");
                w.line(statement(&array.item, "value->items[i]"));
            });
            w.line("fputs(value->count == 0 ? \"[]\" : \"]\", out);");
        }),
        Definition::Map(map) => show_function(w, &map.name, |w| {
            w.block("for (size_t i = 0; i < value->count; i++) {", "}", |w| {
                w.line("fputc(i == 0 ? '{' : ',', out);");
                w.line(key(&map.key, "value->entries[i].key"));
                w.line("fputc(':', out);");
                w.line(statement(&map.value, "value->entries[i].value"));
            });
            w.line("fputs(value->count == 0 ? \"{}\" : \"}\", out);");
        }),
        Definition::Optional(optional) => show_function(w, &optional.name, |w| {
            w.block("if (!value->has) {", "}", |w| {
                w.line("fputs(\"null\", out);");
                w.line("return;");
            });
            w.line(statement(&optional.item, "value->value"));
        }),
    }
}

/// A field that is nothing is left out (VAL-8).
fn show_field(w: &mut Writer, field: &Field) {
    let place = format!("value->{}", field.name);
    let named = |w: &mut Writer, place: &str| {
        w.line(format!("fputs(shown++ == 0 ? \"\\\"{0}\\\":\" : \",\\\"{0}\\\":\", out);", field.declared));
        w.line(statement(&field.ty, place));
    };
    match field.slot {
        Slot::Value => named(w, &place),
        Slot::Flag => w.block(format!("if (value->has_{}) {{", field.name), "}", |w| named(w, &place)),
        Slot::Pointer | Slot::Required => {
            w.block(format!("if ({place} != NULL) {{"), "}", |w| named(w, &format!("*{place}")))
        }
    }
}
