//! Prints the value types: records, exceptions, enums and unions.

use crate::lang::{About, Component, Enum, Kind, Record, Ty, Type, Union};
use crate::literals::{doc, literal};
use crate::names::{ClassName, Inside, Scope};
use crate::print_project::{Output, about, suppress};
use creo_codegen::{Files, Writer};
use std::collections::BTreeSet;

pub fn render(out: &Output, ty: &Type, files: &mut Files) {
    let types = match &ty.kind {
        Kind::Union(union) => union
            .members
            .iter()
            .map(|m| m.class.clone())
            .chain(union.plan.extensible.then(|| "Unknown".to_owned()))
            .collect(),
        Kind::Struct(record) | Kind::Exception(record) if record.is_wide() => {
            BTreeSet::from(["Builder".to_owned()])
        }
        // What it inherits.
        Kind::Enum(e) if !e.plan.extensible => BTreeSet::from(["EnumDesc".to_owned()]),
        Kind::Struct(_) | Kind::Exception(_) | Kind::Enum(_) => BTreeSet::new(),
    };
    let variables = match &ty.kind {
        Kind::Struct(record) | Kind::Exception(record) => {
            record.components.iter().map(|c| c.name.clone()).collect()
        }
        Kind::Enum(e) => e.constants.iter().map(|c| c.name.clone()).collect(),
        Kind::Union(_) => BTreeSet::new(),
    };
    out.file(files, &ty.class, Inside { types, variables }, |w, scope| match &ty.kind {
        Kind::Struct(record) | Kind::Exception(record) if record.is_wide() => wide(w, scope, ty, record),
        Kind::Struct(record) => structure(w, scope, ty, record),
        Kind::Exception(record) => exception(w, scope, ty, record),
        Kind::Enum(e) if e.plan.extensible => open_enum(w, scope, ty, e),
        Kind::Enum(e) => closed_enum(w, scope, ty, e),
        Kind::Union(union) => self::union(w, scope, ty, union),
    });
}

/// The tags that say what a component is, and that it may be null.
fn parameters(components: &[Component]) -> Vec<(String, Vec<String>)> {
    components
        .iter()
        .filter_map(|c| {
            let mut text = c.about.doc.as_deref().map(doc).unwrap_or_default();
            if c.is_optional() {
                text.push(if text.is_empty() {
                    "or null".to_owned()
                } else {
                    "<p>Null for nothing.".to_owned()
                });
            }
            (!text.is_empty()).then(|| (format!("@param {}", c.name), text))
        })
        .collect()
}

/// `int a, String b`.
pub fn declarations(components: &[Component], scope: &Scope) -> String {
    components.iter().map(|c| format!("{} {}", c.value.ty.text(scope), c.name)).collect::<Vec<_>>().join(", ")
}

fn record_head(components: &[Component], scope: &Scope) -> String {
    let one = |c: &Component| {
        let deprecated = if c.about.deprecated.is_some() {
            format!("@{} ", scope.lang("Deprecated"))
        } else {
            String::new()
        };
        format!("{deprecated}{} {}", c.value.ty.text(scope), c.name)
    };
    components.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// What a component has when it is left out: `null`, or its default.
pub fn absent(c: &Component, scope: &Scope) -> String {
    let Some(default) = &c.field.default else { return "null".to_owned() };
    let empty = match &c.value.ty {
        Ty::Array(item) => format!("new {item}[0]"),
        Ty::Map(..) => format!("{}.of()", scope.statics(&ClassName::new("java.util", "Map"))),
        Ty::List(_) | Ty::Class(_) | Ty::Primitive(..) => {
            format!("{}.of()", scope.statics(&ClassName::new("java.util", "List")))
        }
    };
    let constant = c
        .constant
        .as_ref()
        .map_or_else(String::new, |(class, name)| format!("{}.{name}", scope.statics(class)));
    literal(default, c.primitive(), &empty, &constant, scope)
}

fn structure(w: &mut Writer, scope: &Scope, ty: &Type, record: &Record) {
    about(w, scope, &ty.about, "", parameters(&record.components));
    suppress(w, scope, ty.uses_deprecated);
    w.block(
        format!("public record {}({}) {{", ty.class.simple(), record_head(&record.components, scope)),
        "}",
        |w| {
            let mut first = true;
            if record.has_optionals() {
                factory(w, scope, record, ty.class.simple());
                record.components.iter().for_each(|c| wither(w, scope, record, c, ty.class.simple()));
                first = false;
            }
            if record.components.iter().any(|c| c.value.ty.holds_array()) {
                by_items(w, scope, &record.components, ty.class.simple(), first);
            }
        },
    );
}

fn factory(w: &mut Writer, scope: &Scope, record: &Record, class: &str) {
    let required: Vec<Component> =
        record.components.iter().filter(|c| !c.may_be_left_out()).cloned().collect();
    let all: Vec<String> = record
        .components
        .iter()
        .map(|c| if c.may_be_left_out() { absent(c, scope) } else { c.name.clone() })
        .collect();
    w.line("/** A value with what must be given; all else is absent, or has its default. */");
    w.block(format!("public static {class} of({}) {{", declarations(&required, scope)), "}", |w| {
        w.line(format!("return new {class}({});", all.join(", ")));
    });
}

fn wither(w: &mut Writer, scope: &Scope, record: &Record, changed: &Component, class: &str) {
    let all: Vec<String> = record
        .components
        .iter()
        .map(|c| if c.name == changed.name { c.name.clone() } else { format!("this.{}", c.name) })
        .collect();
    w.blank();
    w.line(format!("/** The same with another {{@code {}}}. */", changed.name));
    if changed.about.deprecated.is_some() {
        w.line(format!("@{}", scope.lang("Deprecated")));
    }
    w.block(
        format!("public {class} {}({} {}) {{", changed.wither, changed.value.ty.text(scope), changed.name),
        "}",
        |w| {
            w.line(format!("return new {class}({});", all.join(", ")));
        },
    );
}

/// Equality, hash code and text that look into arrays, as those that a record has by itself would not.
fn by_items(w: &mut Writer, scope: &Scope, components: &[Component], class: &str, first: bool) {
    let values = scope.statics(&scope.runtime_class("Values"));
    let comparison = |c: &Component| match &c.value.ty {
        Ty::Primitive("float" | "double", _) | Ty::Array(_) | Ty::Class(_) | Ty::List(_) | Ty::Map(..) => {
            format!("{values}.equal(this.{0}, creo_that.{0})", c.name)
        }
        Ty::Primitive(..) => format!("this.{0} == creo_that.{0}", c.name),
    };
    let comparisons: Vec<String> = components.iter().map(comparison).collect();
    if !first {
        w.blank();
    }
    w.line(format!("@{}", scope.lang("Override")));
    w.block(format!("public boolean equals({} creo_other) {{", scope.lang("Object")), "}", |w| {
        w.line(format!("return creo_other instanceof {class} creo_that"));
        w.indented(|w| {
            let last = comparisons.len() - 1;
            comparisons
                .iter()
                .enumerate()
                .for_each(|(i, c)| w.line(format!("&& {c}{}", if i == last { ";" } else { "" })));
        });
    });
    w.blank();
    w.line(format!("@{}", scope.lang("Override")));
    w.block("public int hashCode() {", "}", |w| {
        w.line("int creo_hash = 1;");
        components
            .iter()
            .for_each(|c| w.line(format!("creo_hash = 31 * creo_hash + {values}.hash(this.{});", c.name)));
        w.line("return creo_hash;");
    });
    w.blank();
    text(w, scope, components, class, "toString");
}

fn text(w: &mut Writer, scope: &Scope, components: &[Component], class: &str, method: &str) {
    let values = scope.statics(&scope.runtime_class("Values"));
    w.line(format!("@{}", scope.lang("Override")));
    w.block(format!("public {} {method}() {{", scope.lang("String")), "}", |w| {
        let parts: Vec<String> = components
            .iter()
            .enumerate()
            .map(|(i, c)| {
                format!(
                    "\"{}{}=\" + {}.text(this.{})",
                    if i == 0 { "" } else { ", " },
                    c.name,
                    values,
                    c.name
                )
            })
            .collect();
        if parts.is_empty() {
            w.line(format!("return \"{class}[]\";"));
            return;
        }
        w.line(format!("return \"{class}[\""));
        w.indented(|w| {
            parts.iter().for_each(|part| w.line(format!("+ {part}")));
            w.line("+ \"]\";");
        });
    });
}

fn exception(w: &mut Writer, scope: &Scope, ty: &Type, record: &Record) {
    let class = ty.class.simple();
    about(w, scope, &ty.about, "", Vec::new());
    suppress(w, scope, ty.uses_deprecated);
    w.block(format!("public final class {class} extends {} {{", scope.lang("Exception")), "}", |w| {
        w.line("private static final long serialVersionUID = 1L;");
        w.blank();
        record
            .components
            .iter()
            .for_each(|c| w.line(format!("private final transient {} {};", c.value.ty.text(scope), c.name)));
        if !record.components.is_empty() {
            w.blank();
        }
        w.block(format!("public {class}({}) {{", declarations(&record.components, scope)), "}", |w| {
            record.components.iter().for_each(|c| w.line(format!("this.{0} = {0};", c.name)));
        });
        if record.has_optionals() {
            w.blank();
            factory(w, scope, record, class);
        }
        for c in &record.components {
            w.blank();
            let null = if c.is_optional() {
                vec![("@return".to_owned(), vec!["null for nothing".to_owned()])]
            } else {
                Vec::new()
            };
            about(w, scope, &c.about, "", null);
            w.block(format!("public {} {}() {{", c.value.ty.text(scope), c.name), "}", |w| {
                w.line(format!("return {};", c.name))
            });
        }
        w.blank();
        text(w, scope, &record.components, class, "getMessage");
    });
}

/// A struct or exception with more fields than a constructor takes.
fn wide(w: &mut Writer, scope: &Scope, ty: &Type, record: &Record) {
    let class = ty.class.simple();
    let thrown = matches!(ty.kind, Kind::Exception(_));
    about(w, scope, &ty.about, "", Vec::new());
    suppress(w, scope, ty.uses_deprecated);
    let extends = if thrown { format!(" extends {}", scope.lang("Exception")) } else { String::new() };
    w.block(format!("public final class {class}{extends} {{"), "}", |w| {
        if thrown {
            w.line("private static final long serialVersionUID = 1L;");
            w.blank();
        }
        let transient = if thrown { "transient " } else { "" };
        record
            .components
            .iter()
            .for_each(|c| w.line(format!("private final {transient}{} {};", c.value.ty.text(scope), c.name)));
        w.blank();
        w.block(format!("private {class}(Builder creo_builder) {{"), "}", |w| {
            record.components.iter().for_each(|c| w.line(format!("this.{0} = creo_builder.{0};", c.name)));
        });
        for c in &record.components {
            w.blank();
            let null = if c.is_optional() {
                vec![("@return".to_owned(), vec!["null for nothing".to_owned()])]
            } else {
                Vec::new()
            };
            about(w, scope, &c.about, "", null);
            w.block(format!("public {} {}() {{", c.value.ty.text(scope), c.name), "}", |w| {
                w.line(format!("return {};", c.name))
            });
        }
        w.blank();
        if thrown {
            text(w, scope, &record.components, class, "getMessage");
        } else {
            by_items(w, scope, &record.components, class, true);
        }
        w.blank();
        builder(w, scope, record, class);
    });
}

fn builder(w: &mut Writer, scope: &Scope, record: &Record, class: &str) {
    w.line("/** Collects the fields of a value: what is not given is absent, or has its default. */");
    w.block("public static final class Builder {", "}", |w| {
        for c in &record.components {
            let default =
                if c.field.default.is_some() { format!(" = {}", absent(c, scope)) } else { String::new() };
            w.line(format!("private {} {}{default};", c.value.ty.text(scope), c.name));
        }
        for c in &record.components {
            w.blank();
            if c.about.deprecated.is_some() {
                w.line(format!("@{}", scope.lang("Deprecated")));
            }
            w.block(format!("public Builder {0}({1} {0}) {{", c.name, c.value.ty.text(scope)), "}", |w| {
                w.line(format!("this.{0} = {0};", c.name));
                w.line("return this;");
            });
        }
        w.blank();
        w.block(format!("public {class} build() {{"), "}", |w| w.line(format!("return new {class}(this);")));
    });
}

fn closed_enum(w: &mut Writer, scope: &Scope, ty: &Type, e: &Enum) {
    let class = ty.class.simple();
    about(w, scope, &ty.about, "", Vec::new());
    suppress(w, scope, ty.uses_deprecated);
    w.block(format!("public enum {class} {{"), "}", |w| {
        let last = e.constants.len() - 1;
        for (i, c) in e.constants.iter().enumerate() {
            about(w, scope, &c.about, "", Vec::new());
            w.line(format!("{}({}){}", c.name, c.number, if i == last { ";" } else { "," }));
        }
        w.blank();
        w.line("private final int creo_number;");
        w.blank();
        w.block(format!("{class}(int creo_number) {{"), "}", |w| w.line("this.creo_number = creo_number;"));
        w.blank();
        w.line("/** The number that stands for the constant. */");
        w.block("public int number() {", "}", |w| w.line("return creo_number;"));
        w.blank();
        w.line("/** The constant of a number, or null. */");
        w.block(format!("public static {} of(int creo_number) {{", scope.class(&ty.class)), "}", |w| {
            w.block("return switch (creo_number) {", "};", |w| {
                e.constants.iter().for_each(|c| w.line(format!("case {} -> {};", c.number, c.name)));
                w.line("default -> null;");
            });
        });
    });
}

fn open_enum(w: &mut Writer, scope: &Scope, ty: &Type, e: &Enum) {
    let class = ty.class.simple();
    let (string, list) = (scope.lang("String"), scope.jdk("java.util", "List"));
    let lists = scope.statics(&ClassName::new("java.util", "List"));
    about(w, scope, &ty.about, "", vec![]);
    suppress(w, scope, ty.uses_deprecated);
    w.line("// May grow: a number that is not known here is kept as it is.");
    w.block(format!("public final class {class} {{"), "}", |w| {
        for c in &e.constants {
            about(w, scope, &c.about, "", Vec::new());
            w.line(format!(
                "public static final {class} {} = new {class}({}, \"{}\");",
                c.name, c.number, c.name
            ));
        }
        w.blank();
        w.line("private final int creo_number;");
        w.line(format!("private final {string} creo_name;"));
        w.blank();
        w.block(format!("private {class}(int creo_number, {string} creo_name) {{"), "}", |w| {
            w.line("this.creo_number = creo_number;");
            w.line("this.creo_name = creo_name;");
        });
        w.blank();
        w.line("/** The constants that are known here. */");
        w.block(format!("public static {list}<{class}> values() {{"), "}", |w| {
            w.line(format!(
                "return {lists}.of({});",
                e.constants.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ")
            ));
        });
        w.blank();
        w.line("/** The constant of a number, from 0 up; known here or not. */");
        w.block(format!("public static {class} of(int creo_number) {{"), "}", |w| {
            w.block("return switch (creo_number) {", "};", |w| {
                e.constants.iter().for_each(|c| w.line(format!("case {} -> {};", c.number, c.name)));
                w.block("default -> {", "}", |w| {
                    w.block("if (creo_number < 0) {", "}", |w| {
                        w.line(format!(
                            "throw new {}(\"a number is from 0 up, not \" + creo_number);",
                            scope.lang("IllegalArgumentException")
                        ));
                    });
                    w.line(format!("yield new {class}(creo_number, null);"));
                });
            });
        });
        w.blank();
        w.line("/** The number that stands for the constant. */");
        w.block("public int number() {", "}", |w| w.line("return creo_number;"));
        w.blank();
        w.line("/** Whether the number is one of those that are known here. */");
        w.block("public boolean isKnown() {", "}", |w| w.line("return creo_name != null;"));
        w.blank();
        w.line(format!("@{}", scope.lang("Override")));
        w.block(format!("public boolean equals({} creo_other) {{", scope.lang("Object")), "}", |w| {
            w.line(format!(
                "return creo_other instanceof {class} creo_that && creo_number == creo_that.creo_number;"
            ));
        });
        w.blank();
        w.line(format!("@{}", scope.lang("Override")));
        w.block("public int hashCode() {", "}", |w| w.line("return creo_number;"));
        w.blank();
        w.line(format!("@{}", scope.lang("Override")));
        w.block(format!("public {string} toString() {{"), "}", |w| {
            w.line("return creo_name != null ? creo_name : \"#\" + creo_number;")
        });
    });
}

fn union(w: &mut Writer, scope: &Scope, ty: &Type, union: &Union) {
    let class = ty.class.simple();
    about(w, scope, &ty.about, "", Vec::new());
    suppress(w, scope, ty.uses_deprecated);
    w.block(format!("public sealed interface {class} {{"), "}", |w| {
        let mut first = true;
        for member in &union.members {
            if !std::mem::take(&mut first) {
                w.blank();
            }
            let components = std::slice::from_ref(&member.component);
            let mut held = member.component.clone();
            held.about = About::default();
            let nulls = parameters(std::slice::from_ref(&held));
            about(
                w,
                scope,
                &member.component.about,
                &format!("The member {{@code {}}}.", member.component.field.name),
                nulls,
            );
            w.block(
                format!("record {}({}) implements {class} {{", member.class, declarations(components, scope)),
                "}",
                |w| {
                    if member.component.value.ty.holds_array() {
                        by_items(w, scope, components, &member.class, true);
                    }
                },
            );
        }
        if union.plan.extensible {
            w.blank();
            unknown(w, scope, class, union.members.len());
        }
    });
}

fn unknown(w: &mut Writer, scope: &Scope, class: &str, known: usize) {
    let (values, object, string) =
        (scope.statics(&scope.runtime_class("Values")), scope.lang("Object"), scope.lang("String"));
    w.lines([
        "/**".to_owned(),
        " * A member that is not known here, kept as it came.".to_owned(),
        " *".to_owned(),
        format!(" * @param index its index, from {known} up"),
        " * @param bytes its value on the binary wire".to_owned(),
        " */".to_owned(),
    ]);
    w.block(format!("record Unknown(int index, byte[] bytes) implements {class} {{"), "}", |w| {
        w.block("public Unknown {", "}", |w| {
            w.block(format!("if (index < {known}) {{"), "}", |w| {
                w.line(format!("throw new {}(\"the member \" + index + \" is known here\");", scope.lang("IllegalArgumentException")));
            });
        });
        w.blank();
        w.line(format!("@{}", scope.lang("Override")));
        w.block(format!("public boolean equals({object} other) {{"), "}", |w| {
            w.line(format!("return other instanceof Unknown that && index == that.index && {values}.equal(bytes, that.bytes);"));
        });
        w.blank();
        w.line(format!("@{}", scope.lang("Override")));
        w.block("public int hashCode() {", "}", |w| w.line(format!("return 31 * index + {values}.hash(bytes);")));
        w.blank();
        w.line(format!("@{}", scope.lang("Override")));
        w.block(format!("public {string} toString() {{"), "}", |w| {
            w.line(format!("return \"Unknown[index=\" + index + \", bytes=\" + {values}.text(bytes) + \"]\";"));
        });
    });
}
