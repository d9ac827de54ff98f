//! Prints records and exceptions: checks and copies in their constructors, builders, equality and text.

use crate::lang::{Component, Record, Ty, Type};
use crate::literals::{doc, literal, string};
use crate::names::{ClassName, Scope};
use crate::print_project::{about, generated};
use creo_codegen::{HIDDEN, Writer};
use creo_model::Literal;

/// The tags that document a component and its nullability.
pub fn parameters(components: &[Component]) -> Vec<(String, Vec<String>)> {
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
    components
        .iter()
        .map(|c| format!("{} {}", c.value.ty.declared(scope), c.name))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The components as the head of a record.
pub fn head(components: &[Component], scope: &Scope) -> String {
    let one = |c: &Component| {
        let deprecated = if c.about.deprecated.is_some() {
            format!("@{} ", scope.lang("Deprecated"))
        } else {
            String::new()
        };
        format!("{deprecated}{} {}", c.value.ty.declared(scope), c.name)
    };
    components.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The value of an omitted component: `null`, or its default.
pub fn absent(c: &Component, scope: &Scope) -> String {
    let Some(default) = &c.field.default else { return "null".to_owned() };
    // Only names that are written are imported.
    let empty =
        if matches!(default, Literal::Empty) { empty(c.value.ty.present(), scope) } else { String::new() };
    let constant = c
        .constant
        .as_ref()
        .map_or_else(String::new, |(class, name)| format!("{}.{name}", scope.statics(class)));
    literal(default, c.primitive(), &empty, &constant, scope)
}

fn empty(ty: &Ty, scope: &Scope) -> String {
    match ty {
        Ty::Array(item) => format!("new {item}[0]"),
        Ty::Map(..) => format!("{}.of()", scope.statics(&ClassName::new("java.util", "Map"))),
        Ty::List(_) | Ty::Class(_) | Ty::Primitive(..) | Ty::Nullable(_) => {
            format!("{}.of()", scope.statics(&ClassName::new("java.util", "List")))
        }
    }
}

fn objects(scope: &Scope) -> String {
    scope.statics(&ClassName::new("java.util", "Objects"))
}

/// An unmodifiable copy of the list or map `from`, including nested ones. `path` is for errors.
fn copied(ty: &Ty, from: &str, path: &str, depth: usize, scope: &Scope) -> String {
    let (held, inside) = match ty.present() {
        Ty::List(item) => (&**item, "[]"),
        Ty::Map(_, value) => (&**value, "{}"),
        Ty::Primitive(..) | Ty::Array(_) | Ty::Class(_) | Ty::Nullable(_) => return from.to_owned(),
    };
    let word = if held.is_nullable() { "copyOfNullable" } else { "copyOf" };
    let deeper = if held.is_collection() {
        let each = format!("creo_{depth}");
        format!(", {each} -> {}", copied(held, &each, &format!("{path}{inside}"), depth + 1, scope))
    } else {
        String::new()
    };
    format!("{}.{word}({from}, {}{deeper})", scope.statics(&scope.runtime_class("Lists")), string(path))
}

/// The constructor's value for the component `from`: it refuses null where not allowed, and copies lists and maps.
fn kept(c: &Component, from: &str, scope: &Scope) -> String {
    match &c.value.ty {
        Ty::Primitive(..) => from.to_owned(),
        Ty::Nullable(inner) if inner.is_collection() => {
            format!("{from} == null ? null : {}", copied(inner, from, &c.name, 0, scope))
        }
        Ty::Nullable(_) => from.to_owned(),
        Ty::Array(_) | Ty::Class(_) => required(from, &c.name, scope),
        Ty::List(_) | Ty::Map(..) => copied(&c.value.ty, from, &c.name, 0, scope),
    }
}

fn required(from: &str, name: &str, scope: &Scope) -> String {
    format!("{}.requireNonNull({from}, {})", objects(scope), string(name))
}

/// The constructor of a record, if there is anything to check or copy. Returns whether there is.
pub fn checks(w: &mut Writer, scope: &Scope, components: &[Component], class: &str) -> bool {
    let mut lines = Vec::new();
    for c in components {
        let kept = kept(c, &c.name, scope);
        if c.value.ty.is_collection() {
            lines.push(format!("{} = {kept};", c.name));
        } else if kept != c.name {
            lines.push(format!("{kept};"));
        }
    }
    if lines.is_empty() {
        return false;
    }
    w.block(format!("public {class} {{"), "}", |w| w.lines(lines));
    true
}

pub fn structure(w: &mut Writer, scope: &Scope, ty: &Type, record: &Record) {
    let (class, components) = (ty.class.simple(), &record.components);
    about(w, scope, &ty.about, "", parameters(components));
    generated(w, scope, ty.uses_deprecated);
    let serializable = scope.jdk("java.io", "Serializable");
    let open = format!("public record {class}({}) implements {serializable} {{", head(components, scope));
    w.block(open, "}", |w| {
        let mut first = !checks(w, scope, components, class);
        if record.has_optionals() {
            if !std::mem::take(&mut first) {
                w.blank();
            }
            factory(w, scope, record, class);
            components.iter().for_each(|c| wither(w, scope, c, class));
        }
        own_methods(w, scope, components, class, &mut first);
        if !components.is_empty() {
            if !first {
                w.blank();
            }
            builder(w, scope, record, class);
        }
    });
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

fn wither(w: &mut Writer, scope: &Scope, c: &Component, class: &str) {
    w.blank();
    w.line(format!("/** The same with another {{@code {}}}. */", c.name));
    if c.about.deprecated.is_some() {
        w.line(format!("@{}", scope.lang("Deprecated")));
    }
    w.block(format!("public {class} {}({} {}) {{", c.wither, c.value.ty.declared(scope), c.name), "}", |w| {
        w.line(format!("return toBuilder().{0}({0}).build();", c.name))
    });
}

/// The methods of a record that are not those of every record: arrays count by their items, and texts hide secrets.
pub fn own_methods(w: &mut Writer, scope: &Scope, components: &[Component], class: &str, first: &mut bool) {
    if components.iter().any(|c| c.value.ty.holds_array()) {
        by_items(w, scope, components, class, std::mem::take(first));
    } else if components.iter().any(|c| c.about.secret) {
        if !std::mem::take(first) {
            w.blank();
        }
        text(w, scope, components, class);
    }
}

/// Equality, hash code and text.
fn by_items(w: &mut Writer, scope: &Scope, components: &[Component], class: &str, first: bool) {
    if !first {
        w.blank();
    }
    w.line(format!("@{}", scope.lang("Override")));
    w.block(format!("public boolean equals({} creo_other) {{", scope.lang("Object")), "}", |w| {
        w.line(format!("return creo_other instanceof {class} creo_that"));
        w.indented(|w| {
            let last = components.len() - 1;
            for (i, c) in components.iter().enumerate() {
                w.line(format!("&& {}{}", equal(c, scope), if i == last { ";" } else { "" }));
            }
        });
    });
    w.blank();
    w.line(format!("@{}", scope.lang("Override")));
    w.block("public int hashCode() {", "}", |w| {
        w.line("int creo_hash = 1;");
        components.iter().for_each(|c| w.line(format!("creo_hash = 31 * creo_hash + {};", hash(c, scope))));
        w.line("return creo_hash;");
    });
    w.blank();
    text(w, scope, components, class);
}

fn text(w: &mut Writer, scope: &Scope, components: &[Component], class: &str) {
    w.line(format!("@{}", scope.lang("Override")));
    w.block(format!("public {} toString() {{", scope.lang("String")), "}", |w| {
        w.line(format!("return \"{class}[\""));
        w.indented(|w| {
            shown(scope, components).iter().for_each(|part| w.line(format!("+ {part}")));
            w.line("+ \"]\";");
        });
    });
}

fn values(scope: &Scope) -> String {
    scope.statics(&scope.runtime_class("Values"))
}

fn equal(c: &Component, scope: &Scope) -> String {
    let (ty, name) = (&c.value.ty, &c.name);
    match ty {
        Ty::Primitive("float" | "double", _) => {
            format!("{}.equal(this.{name}, creo_that.{name})", values(scope))
        }
        Ty::Primitive(..) => format!("this.{name} == creo_that.{name}"),
        Ty::Array(_) | Ty::Class(_) | Ty::List(_) | Ty::Map(..) | Ty::Nullable(_) => {
            if ty.holds_array() {
                format!("{}.equal(this.{name}, creo_that.{name})", values(scope))
            } else if ty.is_nullable() {
                format!("{}.equals(this.{name}, creo_that.{name})", objects(scope))
            } else {
                format!("this.{name}.equals(creo_that.{name})")
            }
        }
    }
}

fn hash(c: &Component, scope: &Scope) -> String {
    let (ty, name) = (&c.value.ty, &c.name);
    match ty {
        Ty::Primitive(_, boxed) => {
            format!("{}.hashCode(this.{name})", scope.statics(&ClassName::new("java.lang", boxed)))
        }
        Ty::Array(_) | Ty::Class(_) | Ty::List(_) | Ty::Map(..) | Ty::Nullable(_) => {
            if ty.holds_array() {
                format!("{}.hash(this.{name})", values(scope))
            } else if ty.is_nullable() {
                format!("{}.hashCode(this.{name})", objects(scope))
            } else {
                format!("this.{name}.hashCode()")
            }
        }
    }
}

/// The components as parts of a text: `"x=" + this.x`.
fn shown(scope: &Scope, components: &[Component]) -> Vec<String> {
    let value = |c: &Component| {
        if c.value.ty.holds_array() {
            format!("{}.text(this.{})", values(scope), c.name)
        } else {
            format!("this.{}", c.name)
        }
    };
    let one = |(i, c): (usize, &Component)| {
        let separator = if i == 0 { "" } else { ", " };
        if c.about.secret {
            return format!("\"{separator}{}={HIDDEN}\"", c.name);
        }
        format!("\"{separator}{}=\" + {}", c.name, value(c))
    };
    components.iter().enumerate().map(one).collect()
}

/// The fields of a class that is not a record.
fn fields(w: &mut Writer, scope: &Scope, components: &[Component]) {
    for c in components {
        let field = format!("private final {} {};", c.value.ty.declared(scope), c.name);
        if c.value.ty.is_collection() {
            w.line(format!(
                "@{}(\"serial\") // What a constructor copies is serializable.",
                scope.lang("SuppressWarnings")
            ));
        }
        w.line(field);
    }
}

fn accessors(w: &mut Writer, scope: &Scope, components: &[Component]) {
    for c in components {
        w.blank();
        let null = if c.is_optional() {
            vec![("@return".to_owned(), vec!["null for nothing".to_owned()])]
        } else {
            Vec::new()
        };
        about(w, scope, &c.about, "", null);
        w.block(format!("public {} {}() {{", c.value.ty.declared(scope), c.name), "}", |w| {
            w.line(format!("return {};", c.name))
        });
    }
}

/// The message of an exception: its fields. It omits the name, with which the text of every exception begins.
fn message(w: &mut Writer, scope: &Scope, components: &[Component]) {
    if components.is_empty() {
        return;
    }
    w.blank();
    w.line(format!("@{}", scope.lang("Override")));
    w.block(format!("public {} getMessage() {{", scope.lang("String")), "}", |w| {
        let parts = shown(scope, components);
        let last = parts.len() - 1;
        let end = |i: usize| if i == last { ";" } else { "" };
        w.line(format!("return {}{}", parts[0], end(0)));
        w.indented(|w| {
            parts.iter().enumerate().skip(1).for_each(|(i, part)| w.line(format!("+ {part}{}", end(i))));
        });
    });
}

/// The name of the parameter with the cause of an exception.
fn cause(components: &[Component]) -> &'static str {
    if components.iter().any(|c| c.name == "cause") { "creo_cause" } else { "cause" }
}

pub fn exception(w: &mut Writer, scope: &Scope, ty: &Type, record: &Record) {
    let (class, components) = (ty.class.simple(), &record.components);
    about(w, scope, &ty.about, "", Vec::new());
    generated(w, scope, ty.uses_deprecated);
    let base = scope.creo("DeclaredException");
    w.block(format!("public final class {class} extends {base} {{"), "}", |w| {
        w.line("private static final long serialVersionUID = 1L;");
        w.blank();
        fields(w, scope, components);
        if !components.is_empty() {
            w.blank();
        }
        let declared = declarations(components, scope);
        let given: Vec<&str> = components.iter().map(|c| c.name.as_str()).chain(["null"]).collect();
        w.block(format!("public {class}({declared}) {{"), "}", |w| {
            w.line(format!("this({});", given.join(", ")));
        });
        w.blank();
        let throwable = nullable(&Ty::Class(ClassName::new("java.lang", "Throwable")));
        let cause = cause(components);
        let all = [declared, format!("{} {cause}", throwable.declared(scope))];
        let all: Vec<&str> = all.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        w.block(format!("public {class}({}) {{", all.join(", ")), "}", |w| {
            w.line(format!("super({cause});"));
            components.iter().for_each(|c| w.line(format!("this.{} = {};", c.name, kept(c, &c.name, scope))));
        });
        if record.has_optionals() {
            w.blank();
            factory(w, scope, record, class);
        }
        accessors(w, scope, components);
        message(w, scope, components);
    });
}

/// A struct or exception with more fields than a constructor can have.
pub fn wide(w: &mut Writer, scope: &Scope, ty: &Type, record: &Record) {
    let (class, components) = (ty.class.simple(), &record.components);
    about(w, scope, &ty.about, "", Vec::new());
    generated(w, scope, ty.uses_deprecated);
    let super_type = if record.thrown {
        format!("extends {}", scope.creo("DeclaredException"))
    } else {
        format!("implements {}", scope.jdk("java.io", "Serializable"))
    };
    w.block(format!("public final class {class} {super_type} {{"), "}", |w| {
        w.line("private static final long serialVersionUID = 1L;");
        w.blank();
        fields(w, scope, components);
        w.blank();
        let throwable = nullable(&Ty::Class(ClassName::new("java.lang", "Throwable")));
        let cause =
            if record.thrown { format!(", {} creo_cause", throwable.declared(scope)) } else { String::new() };
        w.block(format!("private {class}({} creo_builder{cause}) {{", record.builder), "}", |w| {
            if record.thrown {
                w.line("super(creo_cause);");
            }
            for c in components {
                w.line(format!(
                    "this.{} = {};",
                    c.name,
                    kept_of_builder(c, &format!("creo_builder.{}", c.name), scope)
                ));
            }
        });
        accessors(w, scope, components);
        if record.thrown {
            message(w, scope, components);
        } else {
            by_items(w, scope, components, class, false);
        }
        w.blank();
        builder(w, scope, record, class);
    });
}

/// Whether a builder represents a missing component by null: a number without a default.
fn is_boxed(c: &Component) -> bool {
    c.value.ty.is_primitive() && c.field.default.is_none()
}

fn kept_of_builder(c: &Component, from: &str, scope: &Scope) -> String {
    if is_boxed(c) { required(from, &c.name, scope) } else { kept(c, from, scope) }
}

/// The builder of a value, and the method that creates one.
fn builder(w: &mut Writer, scope: &Scope, record: &Record, class: &str) {
    let (components, name) = (&record.components, &record.builder);
    w.line("/** A builder. {@code build} fails if a field was not given that has no default and may not be absent. */");
    w.block(format!("public static {name} builder() {{"), "}", |w| w.line(format!("return new {name}();")));
    w.blank();
    w.line("/** A builder with the fields of this value. */");
    w.block(format!("public {name} toBuilder() {{"), "}", |w| {
        w.line(format!("{name} creo_builder = new {name}();"));
        components.iter().for_each(|c| w.line(format!("creo_builder.{0} = {0};", c.name)));
        w.line("return creo_builder;");
    });
    w.blank();
    w.line("/** Collects the fields of a value. */");
    w.block(format!("public static final class {name} {{"), "}", |w| {
        for c in components {
            let default =
                if c.field.default.is_some() { format!(" = {}", absent(c, scope)) } else { String::new() };
            let ty = if is_boxed(c) { c.value.ty.boxed() } else { c.value.ty.clone() };
            w.line(format!("private {} {}{default};", ty.text(scope), c.name));
        }
        w.blank();
        w.line(format!("{name}() {{}}"));
        for c in components {
            w.blank();
            if c.about.deprecated.is_some() {
                w.line(format!("@{}", scope.lang("Deprecated")));
            }
            w.block(format!("public {name} {0}({1} {0}) {{", c.name, c.value.ty.declared(scope)), "}", |w| {
                w.line(format!("this.{0} = {0};", c.name));
                w.line("return this;");
            });
        }
        build(w, scope, record, class);
    });
}

fn nullable(ty: &Ty) -> Ty {
    if ty.is_nullable() { ty.clone() } else { Ty::Nullable(Box::new(ty.boxed())) }
}

fn build(w: &mut Writer, scope: &Scope, record: &Record, class: &str) {
    w.blank();
    if !record.is_wide() {
        let given =
            |c: &Component| if is_boxed(c) { required(&c.name, &c.name, scope) } else { c.name.clone() };
        let all: Vec<String> = record.components.iter().map(given).collect();
        w.block(format!("public {class} build() {{"), "}", |w| {
            w.line(format!("return new {class}({});", all.join(", ")))
        });
        return;
    }
    if !record.thrown {
        w.block(format!("public {class} build() {{"), "}", |w| w.line(format!("return new {class}(this);")));
        return;
    }
    w.block(format!("public {class} build() {{"), "}", |w| w.line("return build(null);"));
    w.blank();
    w.line("/** An exception with a cause. */");
    let throwable = nullable(&Ty::Class(ClassName::new("java.lang", "Throwable")));
    w.block(format!("public {class} build({} creo_cause) {{", throwable.declared(scope)), "}", |w| {
        w.line(format!("return new {class}(this, creo_cause);"));
    });
}
