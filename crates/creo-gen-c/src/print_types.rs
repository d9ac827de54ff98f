//! Prints types, then their functions.

use crate::lang::{Array, Definition, Enum, Field, Map, Optional, Record, Slot, Union, Unit};
use crate::print_shared::comment;
use creo_codegen::{Writer, ranges};
use std::collections::BTreeSet;

/// The types of a unit, and their functions.
pub fn declare(w: &mut Writer, unit: &Unit) {
    unit.enums.iter().for_each(|item| enumeration(w, item));
    declarations(w, unit);
    for definition in unit.definitions.iter().filter(|d| holds_pointers_only(d)) {
        self::definition(w, definition);
    }
    for definition in &unit.definitions {
        match definition {
            Definition::Map(map) => entry(w, map),
            Definition::Array(_) => {}
            Definition::Record(_) | Definition::Union(_) | Definition::Optional(_) => {
                self::definition(w, definition)
            }
        }
    }
    unit.enums.iter().for_each(|item| enum_functions(w, item));
    unit.definitions.iter().for_each(|definition| functions(w, definition));
}

fn enumeration(w: &mut Writer, item: &Enum) {
    comment(w, &item.about);
    let constants = |w: &mut Writer| {
        let last = item.constants.len() - 1;
        for (index, constant) in item.constants.iter().enumerate() {
            comment(w, &constant.about);
            w.line(format!(
                "{} = {}{}",
                constant.name,
                constant.number,
                if index == last { "" } else { "," }
            ));
        }
    };
    if item.extensible {
        // Unknown numbers are kept, so the type is not the C enum.
        w.line(format!("typedef uint32_t {};", item.name));
        w.block("enum {", "};", constants);
    } else {
        w.block(format!("typedef enum {} {{", item.name), format!("}} {};", item.name), constants);
    }
    w.blank();
}

fn name(definition: &Definition) -> &str {
    match definition {
        Definition::Record(Record { name, .. })
        | Definition::Union(Union { name, .. })
        | Definition::Array(Array { name, .. })
        | Definition::Map(Map { name, .. })
        | Definition::Optional(Optional { name, .. }) => name,
    }
}

fn declarations(w: &mut Writer, unit: &Unit) {
    let mut names: BTreeSet<&str> = unit.definitions.iter().map(name).collect();
    names.extend(unit.definitions.iter().filter_map(|d| match d {
        Definition::Map(map) => Some(map.entry.as_str()),
        Definition::Record(_) | Definition::Union(_) | Definition::Array(_) | Definition::Optional(_) => None,
    }));
    for name in &names {
        w.line(format!("typedef struct {name} {name};"));
    }
    if !names.is_empty() {
        w.blank();
    }
}

/// Arrays and maps only contain pointers: they come first, so everything else can contain them.
fn holds_pointers_only(definition: &Definition) -> bool {
    match definition {
        Definition::Array(_) | Definition::Map(_) => true,
        Definition::Record(_) | Definition::Union(_) | Definition::Optional(_) => false,
    }
}

fn definition(w: &mut Writer, definition: &Definition) {
    match definition {
        Definition::Record(item) => record(w, item),
        Definition::Union(item) => union(w, item),
        Definition::Array(item) => {
            w.block(format!("struct {} {{", item.name), "};", |w| {
                w.line(format!("const {} *items;", item.item.c()));
                w.line("size_t count;");
            });
            w.blank();
        }
        Definition::Map(item) => {
            w.block(format!("struct {} {{", item.name), "};", |w| {
                w.line(format!("const {} *entries;", item.entry));
                w.line("size_t count;");
            });
            w.blank();
        }
        Definition::Optional(item) => {
            w.block(format!("struct {} {{", item.name), "};", |w| {
                w.line("bool has;");
                w.line(format!("{} value;", item.item.c()));
            });
            w.blank();
        }
    }
}

fn entry(w: &mut Writer, map: &Map) {
    w.block(format!("struct {} {{", map.entry), "};", |w| {
        w.line(format!("{} key;", map.key.c()));
        w.line(format!("{} value;", map.value.c()));
    });
    w.blank();
}

fn record(w: &mut Writer, record: &Record) {
    comment(w, &record.about);
    w.block(format!("struct {} {{", record.name), "};", |w| {
        if record.fields.is_empty() {
            w.line("/** C has no empty structs. */");
            w.line("uint8_t creo_empty;");
        }
        record.fields.iter().for_each(|f| field(w, f));
    });
    w.blank();
}

fn field(w: &mut Writer, field: &Field) {
    let (name, ty) = (&field.name, field.ty.c());
    if field.slot == Slot::Flag {
        w.line(format!("bool has_{name};"));
    }
    comment(w, &field.about);
    match field.slot {
        Slot::Value | Slot::Flag => w.line(format!("{ty} {name};")),
        Slot::Pointer | Slot::Required => w.line(format!("const {ty} *{name};")),
    }
}

fn union(w: &mut Writer, union: &Union) {
    let last = union.members.len() - 1;
    let constants = |w: &mut Writer| {
        for (index, member) in union.members.iter().enumerate() {
            w.line(format!("{} = {index}{}", member.constant, if index == last { "" } else { "," }));
        }
    };
    if union.extensible {
        w.line(format!("typedef uint32_t {}_kind;", union.name));
        w.block("enum {", "};", constants);
    } else {
        w.block(
            format!("typedef enum {}_kind {{", union.name),
            format!("}} {}_kind;", union.name),
            constants,
        );
    }
    w.blank();
    comment(w, &union.about);
    w.block(format!("struct {} {{", union.name), "};", |w| {
        if union.extensible {
            w.line("/** A member of this description, or the index of one that is not known: then `as.unknown` holds its bytes. */");
        }
        w.line(format!("{}_kind kind;", union.name));
        w.block("union {", "} as;", |w| {
            for member in &union.members {
                comment(w, &member.about);
                let pointer = if member.pointer { format!("const {} *", member.ty.c()) } else { format!("{} ", member.ty.c()) };
                w.line(format!("{pointer}{};", member.name));
            }
            if union.extensible {
                w.line("creo_bytes unknown;");
            }
        });
    });
    w.blank();
}

fn enum_functions(w: &mut Writer, item: &Enum) {
    let name = &item.name;
    w.line(format!("/** Whether {name} has a constant of that number. */"));
    w.line(format!("static inline bool {name}_valid(uint32_t number)"));
    w.block("{", "}", |w| w.line(format!("return {};", valid_expression(item))));
    w.blank();
    w.line("/** The declared name of a constant, or NULL. */");
    w.line(format!("const char *{name}_name({name} value);"));
    w.line(format!("bool {name}_encode(creo_writer *writer, {name} value);"));
    w.line(format!("bool {name}_decode(creo_reader *reader, {name} *value);"));
    w.blank();
}

/// Whether `number` belongs to an enum.
fn valid_expression(item: &Enum) -> String {
    let tests: Vec<String> = ranges(item.constants.iter().map(|c| c.number))
        .into_iter()
        .map(|(first, last)| match (first, last) {
            (first, last) if first == last => format!("number == {first}"),
            (0, last) => format!("number <= {last}"),
            (first, last) => format!("(number >= {first} && number <= {last})"),
        })
        .collect();
    tests.join(" || ")
}

fn functions(w: &mut Writer, definition: &Definition) {
    let name = name(definition);
    let standalone = match definition {
        Definition::Record(_) => {
            w.line("/** Sets every field to its default: the declared one, else zero, empty or nothing. */");
            true
        }
        Definition::Union(_) => {
            w.line("/** Makes it the first member, with that member's default. */");
            true
        }
        Definition::Array(_) | Definition::Map(_) | Definition::Optional(_) => false,
    };
    if standalone {
        w.line(format!("void {name}_init({name} *value);"));
    }
    w.line(format!("bool {name}_encode(creo_writer *writer, const {name} *value);"));
    w.line(format!("bool {name}_decode(creo_reader *reader, {name} *value);"));
    if standalone {
        w.line("/** The value as bytes, which live in the arena; and back: what the value points to lives in the arena. */");
        w.line(format!("bool {name}_to_bytes(const {name} *value, creo_arena *arena, creo_bytes *bytes, creo_error *error);"));
        w.line(format!(
            "bool {name}_from_bytes(creo_bytes bytes, creo_arena *arena, {name} *value, creo_error *error);"
        ));
    }
    w.blank();
}
