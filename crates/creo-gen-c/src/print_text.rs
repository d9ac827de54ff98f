//! Prints the header and the source of the text wires' descriptors.

use crate::lang::{FieldText, Item, MessageText, NameText, RecordText, Root, Slot, SpacesText, Unit};
use crate::literals;
use crate::print_shared::{guard, header_name, text_header_name};
use creo_codegen::{Wire, Wires, Writer};

pub fn header(header: &str, unit: &Unit, wires: Wires) -> String {
    let mut w = Writer::new("    ");
    let guard = guard(&format!("{}_text", unit.stem));
    w.line(format!("/* {header} */"));
    w.line(format!("#ifndef {guard}"));
    w.line(format!("#define {guard}"));
    w.blank();
    w.line(format!("#include \"{}\"", header_name(&unit.stem)));
    w.blank();
    // Every runtime has the binary wire.
    let text: Vec<&str> = wires.iter().filter(|wire| *wire != Wire::Binary).map(Wire::name).collect();
    let lacks: Vec<String> =
        text.iter().map(|wire| format!("!defined(CREO_HAS_{})", wire.to_ascii_uppercase())).collect();
    w.line(format!("#if {}", lacks.join(" || ")));
    w.line(format!(
        "#error \"This code speaks {}, and the copy of the Creo runtime that was found does not: generate all descriptions of a program into one folder.\"",
        text.join(", ")
    ));
    w.line("#endif");
    w.blank();
    let streams = unit.text.items.iter().any(|item| matches!(item, Item::Interface { lines: true, .. }));
    if streams && wires.has(Wire::Json) {
        w.line("#ifndef CREO_HAS_LINES");
        w.line("#error \"This code has streams as JSON, and the copy of the Creo runtime that was found does not: generate all descriptions of a program into one folder.\"");
        w.line("#endif");
        w.blank();
    }
    w.line("#ifdef __cplusplus");
    w.line("extern \"C\" {");
    w.line("#endif");
    w.blank();
    w.line("/* What the text wires need to know of the types. */");
    unit.text.shared.iter().for_each(|(kind, name)| w.line(format!("extern const creo_text_{kind} {name};")));
    unit.text.roots.values().for_each(|root| w.line(format!("extern const creo_text_root {};", root.name)));
    w.blank();
    unit.text.roots.iter().for_each(|(ty, root)| functions(&mut w, ty, root, wires));
    for (service, name) in unit.services.iter().zip(&unit.text.interfaces) {
        w.line(format!(
            "/** The interface {} for the text wires: hand it to a client of one of them. */",
            service.full_name
        ));
        w.line(format!("extern const creo_text_interface {name};"));
        w.blank();
    }
    w.line("#ifdef __cplusplus");
    w.line("}");
    w.line("#endif");
    w.blank();
    w.line("#endif");
    w.finish()
}

/// The functions that write and read a standalone value.
fn functions(w: &mut Writer, ty: &str, root: &Root, wires: Wires) {
    let mut explained = false;
    // The first function documents where values are stored.
    let mut doc = |name: &str| {
        if std::mem::replace(&mut explained, true) {
            return format!("/** The same as {name}. */");
        }
        format!(
            "/** The value as {name}, which lives in the arena; and back: what the value points to lives in the arena. */"
        )
    };
    let mut function = |doc: Option<String>, head: String, body: String| {
        doc.into_iter().for_each(|doc| w.line(doc));
        w.line(format!("static inline bool {head}"));
        w.block("{", "}", |w| w.line(format!("return {body};")));
        w.blank();
    };
    let of = &root.name;
    for (wire, word, name, to, from) in [
        (Wire::Soap, "xml", "XML", &root.to_xml, &root.from_xml),
        (Wire::Json, "json", "JSON", &root.to_json, &root.from_json),
    ] {
        if !wires.has(wire) {
            continue;
        }
        function(
            Some(doc(name)),
            format!("{to}(const {ty} *value, creo_arena *arena, creo_bytes *{word}, creo_error *error)"),
            format!("creo_{word}_to_bytes(&{of}, value, arena, {word}, error)"),
        );
        function(
            None,
            format!("{from}(creo_bytes {word}, creo_arena *arena, {ty} *value, creo_error *error)"),
            format!("creo_{word}_from_bytes(&{of}, {word}, arena, value, error)"),
        );
    }
    if !wires.has(Wire::Tdxml) {
        return;
    }
    function(
        Some(doc("a table")),
        format!(
            "{}(const {ty} *value, creo_tdxml_options options, creo_arena *arena, creo_bytes *tdxml, creo_error *error)",
            root.to_tdxml
        ),
        format!("creo_tdxml_to_bytes(&{of}, value, options, arena, tdxml, error)"),
    );
    function(
        None,
        format!("{}(creo_bytes tdxml, creo_arena *arena, {ty} *value, creo_error *error)", root.from_tdxml),
        format!("creo_tdxml_from_bytes(&{of}, tdxml, arena, value, error)"),
    );
}

pub fn source(header: &str, unit: &Unit, wires: Wires) -> String {
    let mut w = Writer::new("    ");
    w.line(format!("/* {header} */"));
    w.line(format!("#include \"{}\"", text_header_name(&unit.stem)));
    w.blank();
    unit.includes.iter().for_each(|stem| w.line(format!("#include \"{}\"", text_header_name(stem))));
    if !unit.includes.is_empty() {
        w.blank();
    }
    unit.text.items.iter().for_each(|item| self::item(&mut w, item, wires));
    w.finish()
}

fn name(name: &NameText) -> String {
    let space = name.space.as_ref().map_or_else(|| "NULL".to_owned(), |space| format!("&{space}"));
    format!("{{{}, {}, {space}}}", literals::string(&name.local), name.local.len())
}

fn flags(flags: &[&str]) -> String {
    if flags.is_empty() { "0".to_owned() } else { flags.join(" | ") }
}

fn list(list: Option<&(String, usize)>) -> (String, usize) {
    list.map_or_else(|| ("NULL".to_owned(), 0), |(name, count)| (name.clone(), *count))
}

fn index(index: Option<usize>) -> String {
    index.map_or_else(|| "-1".to_owned(), |index| index.to_string())
}

fn field(field: &FieldText) -> String {
    let own = field.name.as_deref().map_or_else(|| "NULL".to_owned(), literals::string);
    let parts = [
        own,
        name(&field.xml),
        field.place.to_owned(),
        field.kind.clone(),
        field.slot.to_owned(),
        flags(&field.flags),
        field.name.as_deref().map_or(0, str::len).to_string(),
        field.number.to_string(),
        field.offset.clone(),
        field.flag.clone(),
        field.inner.clone(),
        field.size.clone(),
        field.value_charge.to_string(),
        field.item_charge.to_string(),
        field.ty.clone(),
    ];
    format!("{{{}}}", parts.join(", "))
}

fn record(record: &RecordText) -> String {
    let (fields, count) = list(record.fields.as_ref());
    let (starts, start_count) = list(record.starts.as_ref());
    let parts = [
        literals::string(&record.full_name),
        name(&record.xml),
        fields,
        count.to_string(),
        flags(&record.flags),
        record.size.clone(),
        index(record.text),
        index(record.any),
        start_count.to_string(),
        starts,
        record.clear.clone().unwrap_or_else(|| "NULL".to_owned()),
    ];
    format!("{{{}}}", parts.join(", "))
}

fn spaces(spaces: &SpacesText) -> String {
    let (items, count) = list(spaces.list.as_ref());
    format!("{{{items}, {count}, {}}}", spaces.xsi)
}

fn message(message: &MessageText) -> String {
    format!(
        "{{{}, {}, {}, {}}}",
        name(&message.element),
        message.bare,
        record(&message.record),
        spaces(&message.spaces)
    )
}

fn table(w: &mut Writer, ty: &str, own: &str, rows: impl IntoIterator<Item = String>) {
    w.block(format!("static const {ty} {own}[] = {{"), "};", |w| {
        rows.into_iter().for_each(|row| w.line(format!("{row},")))
    });
    w.blank();
}

fn constant(w: &mut Writer, ty: &str, own: &str, value: &str) {
    w.line(format!("{ty} {own} = {value};"));
    w.blank();
}

/// The indices of texts in the runtime's search order: by size, then by bytes.
fn ordered<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut all: Vec<(usize, &str)> = texts.enumerate().collect();
    all.sort_by_key(|(_, text)| (text.len(), text.as_bytes()));
    all.into_iter().map(|(index, _)| index).collect()
}

fn item(w: &mut Writer, item: &Item, wires: Wires) {
    match item {
        Item::Space { name, uri } => constant(w, "static const creo_namespace", name, &format!("{{{}, {}}}", literals::string(uri), uri.len())),
        Item::Arguments { name, parameters } => {
            w.block(format!("typedef struct {name} {{"), format!("}} {name};"), |w| {
                for (ty, slot, own) in parameters {
                    match slot {
                        Slot::Value | Slot::Flag => w.line(format!("{ty} {own};")),
                        Slot::Pointer | Slot::Required => w.line(format!("const {ty} *{own};")),
                    }
                }
            });
            w.blank();
        }
        Item::Clear { name, init, ty } => {
            w.line(format!("static void {name}(void *value)"));
            w.block("{", "}", |w| w.line(format!("{init}(({ty} *)value);")));
            w.blank();
        }
        Item::Fields { name, fields } => table(w, "creo_text_field", name, fields.iter().map(field)),
        Item::Starts { name: own, starts } => {
            table(w, "creo_text_start", own, starts.iter().map(|(start, field)| format!("{{{}, {field}}}", name(start))))
        }
        Item::Map { name, key, value, entry, keys, charge } => {
            constant(w, "static const creo_text_map", name, &format!("{{{key}, {value}, sizeof({entry}), {keys}, {charge}}}"));
        }
        Item::Record { name, record: text } => constant(w, "const creo_text_record", name, &record(text)),
        Item::Union { name: own, union } => {
            let (starts, count) = list(union.starts.as_ref());
            let parts = [
                literals::string(&union.full_name),
                name(&union.xml),
                union.members.0.clone(),
                union.members.1.to_string(),
                flags(&union.flags),
                format!("sizeof({})", union.ty),
                format!("offsetof({}, kind)", union.ty),
                index(union.base),
                count.to_string(),
                starts,
            ];
            constant(w, "const creo_text_union", own, &format!("{{{}}}", parts.join(", ")));
        }
        Item::Enum { name: own, full_name, xml, list, constants, extensible } => {
            let names = ordered(constants.iter().map(|(declared, _, _)| declared.as_str()));
            let texts = ordered(constants.iter().map(|(_, text, _)| text.as_str()));
            let rows = constants.iter().zip(names.iter().zip(&texts)).map(|((declared, text, number), (by_name, by_text))| {
                let (name, size) = (literals::string(declared), declared.len());
                format!("{{{name}, {size}, {}, {}, {number}, {by_name}, {by_text}}}", literals::string(text), text.len())
            });
            table(w, "creo_text_constant", list, rows);
            let parts = [literals::string(full_name), name(xml), list.clone(), constants.len().to_string(), extensible.to_string()];
            constant(w, "const creo_text_enum", own, &format!("{{{}}}", parts.join(", ")));
        }
        Item::Spaces { name, items } => table(w, "creo_namespace *const", name, items.iter().map(|item| format!("&{item}"))),
        Item::Root { name, field: text, spaces: needed } => {
            constant(w, "const creo_text_root", name, &format!("{{{}, {}}}", field(text), spaces(needed)))
        }
        Item::Exceptions { name, exceptions } => {
            table(w, "creo_text_exception", name, exceptions.iter().map(|(record, offset)| format!("{{{record}, {offset}}}")))
        }
        Item::Methods { name, methods } => table(
            w,
            "creo_text_method",
            name,
            methods.iter().map(|method| {
                let (exceptions, count) = list(method.exceptions.as_ref());
                let response = method.response.as_ref().map_or_else(
                    || "{{NULL, 0, NULL}, false, {NULL, {NULL, 0, NULL}, NULL, 0, 0, 0, -1, -1, 0, NULL, NULL}, {NULL, 0, false}}".to_owned(),
                    message,
                );
                let parts = [
                    format!("UINT64_C(0x{:016x})", method.id),
                    literals::string(&method.action),
                    message(&method.request),
                    response,
                    exceptions,
                    count.to_string(),
                    method.kind.clone(),
                    if method.secrets.is_empty() {
                        "NULL".to_owned()
                    } else {
                        literals::string(&method.secrets.join(" "))
                    },
                    method.soap_response.as_ref().map_or_else(|| "NULL".to_owned(), |name| format!("&{name}")),
                    method.item.clone().unwrap_or_else(|| "NULL".to_owned()),
                ];
                format!("{{{}}}", parts.join(", "))
            }),
        ),
        Item::Message { name, message: text } => {
            constant(w, "static const creo_text_message", name, &message(text));
        }
        Item::Interface { name, full_name, methods, soap12, lines } => {
            let (methods, count) = list(methods.as_ref());
            let lines = if *lines && wires.has(Wire::Json) { "&creo_json_lines" } else { "NULL" };
            constant(w, "const creo_text_interface", name, &format!("{{{}, {methods}, {count}, {soap12}, {lines}}}", literals::string(full_name)));
        }
    }
}
