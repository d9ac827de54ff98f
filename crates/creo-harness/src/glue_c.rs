//! The C peer's table of types. C has no reflection, so functions that decode, encode and print each type are generated.

use creo_check::CheckedModel;
use creo_codegen::Writer;
use creo_gen_c::shapes::{CType, Declared, Held, Member, Shape, Value, shapes};

/// The text of a C file that defines `peer_types` of `conformance/peers/c/peer.h`.
pub fn glue(models: &[&CheckedModel]) -> String {
    let headers: Vec<_> = models.iter().flat_map(|model| shapes(model)).collect();
    let types = || headers.iter().flat_map(|header| &header.types);
    let mut w = Writer::new("    ");
    w.line("/* Made from the model. */");
    w.line("#include \"peer.h\"");
    w.blank();
    headers.iter().for_each(|header| w.line(format!("#include \"{}\"", header.name)));
    w.blank();
    types().for_each(|ty| w.line(format!("void {};", head(&ty.name))));
    w.blank();
    let mut rows = Vec::new();
    for ty in types() {
        show(&mut w, ty);
        if let Some(declared) = &ty.declared {
            let is_enum = matches!(ty.shape, Shape::Enum);
            codec(&mut w, &ty.name, if is_enum { "*(const TYPE *)value" } else { "(const TYPE *)value" });
            rows.push(row(declared, &ty.name));
        }
    }
    w.block("const peer_type peer_types[] = {", "};", |w| {
        w.lines(rows);
        w.line("{NULL, 0, NULL, NULL, NULL, NULL},");
    });
    w.finish()
}

fn head(name: &str) -> String {
    format!("peer_show_{name}(FILE *out, const void *from)")
}

fn row(declared: &Declared, name: &str) -> String {
    let xml = declared.xml.as_ref().map_or_else(|| "NULL".to_owned(), |root| format!("&{root}"));
    format!(
        "{{\"{}\", sizeof({name}), decode_{name}, encode_{name}, peer_show_{name}, {xml}}},",
        declared.full_name
    )
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
fn statement(value: &Value, place: &str) -> String {
    match value {
        Value::Scalar(word) => format!("peer_show_{word}(out, {place});"),
        Value::Bytes => format!("peer_show_bytes(out, {place});"),
        Value::Bulk(word) => format!("PEER_SHOW_ARRAY(out, {place}, peer_show_{word});"),
        Value::Enum(name) | Value::Struct(name) => {
            format!("peer_show_{name}(out, &{place});").replace("&*", "")
        }
    }
}

/// A statement that prints the key of a map (VAL-12).
fn key(value: &Value, place: &str) -> String {
    match value {
        Value::Scalar("string") => format!("peer_show_string(out, {place});"),
        Value::Scalar("char") => format!("peer_key_char(out, {place});"),
        Value::Scalar("boolean") => format!("peer_key_boolean(out, {place});"),
        Value::Enum(name) => format!("peer_key_enum(out, {name}_name({place}), (uint32_t){place});"),
        Value::Scalar(_) | Value::Bytes | Value::Bulk(_) | Value::Struct(_) => {
            format!("peer_key_long(out, {place});")
        }
    }
}

fn show(w: &mut Writer, ty: &CType) {
    show_function(w, &ty.name, |w| match &ty.shape {
        Shape::Enum => w.line(format!("peer_show_enum(out, {}_name(*value), (uint32_t)*value);", ty.name)),
        Shape::Struct(members) => {
            w.line("int shown = 0;");
            w.line("(void)value;");
            w.line("fputc('{', out);");
            members.iter().for_each(|member| show_member(w, member));
            w.line("(void)shown;");
            w.line("fputc('}', out);");
        }
        Shape::Union { members, extensible } => {
            w.block("switch (value->kind) {", "}", |w| {
                for member in members {
                    w.block(format!("case {}:", member.constant), "", |w| {
                        w.line(format!("fputs(\"{{\\\"{}\\\":\", out);", member.declared));
                        let star = if member.pointer { "*" } else { "" };
                        w.line(statement(&member.value, &format!("{star}value->as.{}", member.name)));
                        w.line("break;");
                    });
                }
                w.block("default:", "", |w| {
                    if *extensible {
                        w.line("fprintf(out, \"{\\\"#%u\\\":\", (unsigned)value->kind);");
                        w.line("peer_show_bytes(out, value->as.unknown);");
                    } else {
                        w.line("fputs(\"{\", out);");
                    }
                    w.line("break;");
                });
            });
            w.line("fputc('}', out);");
        }
        Shape::Array(item) => {
            w.block("for (size_t i = 0; i < value->count; i++) {", "}", |w| {
                w.line("fputc(i == 0 ? '[' : ',', out);");
                w.line(statement(item, "value->items[i]"));
            });
            w.line("fputs(value->count == 0 ? \"[]\" : \"]\", out);");
        }
        Shape::Map { key: of_key, value } => {
            w.block("for (size_t i = 0; i < value->count; i++) {", "}", |w| {
                w.line("fputc(i == 0 ? '{' : ',', out);");
                w.line(key(of_key, "value->entries[i].key"));
                w.line("fputc(':', out);");
                w.line(statement(value, "value->entries[i].value"));
            });
            w.line("fputs(value->count == 0 ? \"{}\" : \"}\", out);");
        }
        Shape::Optional(item) => {
            w.block("if (!value->has) {", "}", |w| {
                w.line("fputs(\"null\", out);");
                w.line("return;");
            });
            w.line(statement(item, "value->value"));
        }
    });
}

/// A field that is nothing is left out (VAL-8).
fn show_member(w: &mut Writer, member: &Member) {
    let place = format!("value->{}", member.name);
    let named = |w: &mut Writer, place: &str| {
        w.line(format!("fputs(shown++ == 0 ? \"\\\"{0}\\\":\" : \",\\\"{0}\\\":\", out);", member.declared));
        w.line(statement(&member.value, place));
    };
    match member.held {
        Held::Value => named(w, &place),
        Held::Flag => w.block(format!("if (value->has_{}) {{", member.name), "}", |w| named(w, &place)),
        Held::Pointer => w.block(format!("if ({place} != NULL) {{"), "}", |w| named(w, &format!("*{place}"))),
    }
}
