//! Prints the value types: enums and unions here, records and exceptions through `print_records`.

use crate::lang::{Enum, Kind, Ty, Type, Union};
use crate::names::{ClassName, Inside, Scope};
use crate::print_project::{Output, about, generated};
use crate::print_records::{checks, exception, head, own_methods, parameters, structure, wide};
use creo_codegen::{About, Files, Writer};
use std::collections::BTreeSet;

pub fn render(out: &Output, ty: &Type, files: &mut Files) {
    let types = match &ty.kind {
        Kind::Union(union) => union
            .members
            .iter()
            .map(|m| m.class.clone())
            .chain(union.plan.extensible.then(|| "Unknown".to_owned()))
            .collect(),
        Kind::Struct(record) => BTreeSet::from([record.builder.clone()]),
        Kind::Exception(record) if record.is_wide() => BTreeSet::from([record.builder.clone()]),
        // Its inherited members.
        Kind::Enum(e) if !e.plan.extensible => BTreeSet::from(["EnumDesc".to_owned()]),
        Kind::Exception(_) | Kind::Enum(_) => BTreeSet::new(),
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

fn closed_enum(w: &mut Writer, scope: &Scope, ty: &Type, e: &Enum) {
    let class = ty.class.simple();
    about(w, scope, &ty.about, "", Vec::new());
    generated(w, scope, ty.uses_deprecated);
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
        let found = Ty::Nullable(Box::new(Ty::Class(ty.class.clone()))).declared(scope);
        w.block(format!("public static {found} of(int creo_number) {{"), "}", |w| {
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
    generated(w, scope, ty.uses_deprecated);
    w.line("// May grow: a number that is not known here is kept as it is.");
    let serializable = scope.jdk("java.io", "Serializable");
    w.block(format!("public final class {class} implements {serializable} {{"), "}", |w| {
        w.line("private static final long serialVersionUID = 1L;");
        w.blank();
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
        w.blank();
        w.line("/** The constant itself, where it is known here. */");
        w.block(format!("private {} readResolve() {{", scope.lang("Object")), "}", |w| {
            w.line("return of(creo_number);")
        });
    });
}

fn union(w: &mut Writer, scope: &Scope, ty: &Type, union: &Union) {
    let class = ty.class.simple();
    about(w, scope, &ty.about, "", Vec::new());
    generated(w, scope, ty.uses_deprecated);
    let serializable = scope.jdk("java.io", "Serializable");
    w.block(format!("public sealed interface {class} extends {serializable} {{"), "}", |w| {
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
                format!("record {}({}) implements {class} {{", member.class, head(&[held], scope)),
                "}",
                |w| {
                    let mut first = !checks(w, scope, components, &member.class);
                    own_methods(w, scope, components, &member.class, &mut first);
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
    let objects = scope.statics(&ClassName::new("java.util", "Objects"));
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
            w.line(format!("{objects}.requireNonNull(bytes, \"bytes\");"));
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
