//! `creo_types.py`: the value types of a package.

use creo_codegen::About;

use crate::code::Code;
use crate::lang::{Class, ClassField, DefaultValue, EnumClass, Type, TypesModule, UnionClasses};
use crate::layout::Lines;
use crate::literals::string;
use crate::print_project::{Head, Uses, foreign_imports, standard_imports};

/// The module of value types.
pub fn types_module(module: &TypesModule, head: &Head) -> String {
    let mut out = Lines::new();
    let uses = if module.uses_runtime { Uses::Codegen } else { Uses::Nothing };
    standard_imports(&mut out, head, &module.imports, uses);
    for ty in &module.types {
        match ty {
            Type::Enum(enumeration) => enum_class(&mut out, enumeration),
            Type::Struct(class) => struct_class(&mut out, class),
            Type::Exception(class) => exception_class(&mut out, class),
            Type::Union(union) => union_classes(&mut out, union),
        }
    }
    if !module.imports.foreign.is_empty() {
        // Packages may be mutually dependent: each defines its own types before it imports others.
        out.gap();
        foreign_imports(&mut out, &module.imports, "  # noqa: E402");
    }
    out.finish()
}

fn class_doc(out: &mut Lines, about: &About) {
    if out.doc(about) {
        out.blank();
    }
}

fn enum_class(out: &mut Lines, class: &EnumClass) {
    out.gap();
    if class.extensible {
        out.line("@final");
        let numbers: Vec<String> = class
            .constants
            .iter()
            .map(|constant| format!("{}: {}", string(&constant.name), constant.number))
            .collect();
        let one_line =
            format!("class {}(_creo.ExtensibleEnum, constants={{{}}}):", class.name, numbers.join(", "));
        if out.fits(&one_line) {
            out.line(one_line);
        } else {
            out.line(format!("class {}(", class.name));
            out.indented(|l| {
                l.line("_creo.ExtensibleEnum,");
                l.list("constants={", &numbers, "},");
            });
            out.line("):");
        }
    } else {
        out.line(format!("class {}(enum.Enum):", class.name));
    }
    out.indented(|l| {
        class_doc(l, &class.about);
        if class.extensible {
            l.line("__slots__ = ()");
            l.blank();
        }
        for constant in &class.constants {
            if class.extensible {
                l.line(format!("{}: ClassVar[{}]", constant.name, class.name));
            } else {
                l.line(format!("{} = {}", constant.name, constant.number));
            }
            l.doc(&constant.about);
        }
    });
}

fn init(out: &mut Lines, fields: &[ClassField]) {
    let mut list = vec![Code::from("self")];
    let first_by_keyword = fields.iter().position(|field| field.by_keyword);
    for (index, field) in fields.iter().enumerate() {
        if Some(index) == first_by_keyword {
            list.push("*".into());
        }
        list.push(match &field.default {
            DefaultValue::None => Code::parameter(&field.name, &field.taken, None),
            DefaultValue::Code(default) => Code::parameter(&field.name, &field.taken, Some(default)),
            DefaultValue::Late => Code::Text(format!("{}: {} | None = None", field.name, field.taken)),
        });
    }
    out.list("def __init__(", &list, ") -> None:");
}

/// The attributes that texts do not show.
fn secrets(out: &mut Lines, fields: &[ClassField]) {
    let secret = fields.iter().filter(|field| field.about.secret).map(|field| string(&field.name));
    let secret: Vec<String> = secret.collect();
    if !secret.is_empty() {
        out.code(&Code::tuple(secret).after("_creo_secret = "), "");
    }
}

fn names(fields: &[ClassField]) -> Vec<String> {
    fields.iter().map(|field| string(&field.name)).collect()
}

fn struct_class(out: &mut Lines, class: &Class) {
    out.gap();
    out.line("@final");
    out.line(format!("class {}({}):", class.name, class.base));
    out.indented(|l| {
        class_doc(l, &class.about);
        if class.fields.is_empty() {
            l.line("__slots__ = ()");
            return;
        }
        let attributes = names(&class.fields);
        let mut sorted = attributes.clone();
        sorted.sort();
        l.code(&Code::tuple(sorted).after("__slots__ = "), "");
        l.code(&Code::tuple(attributes).after("__match_args__ = "), "");
        secrets(l, &class.fields);
        l.blank();
        self::attributes(l, &class.fields, Code::to_string);
        l.blank();
        init(l, &class.fields);
        l.indented(|l| {
            for field in &class.fields {
                l.list(&format!("{}(", field.setter), [&"self".into(), &field.value], ")");
            }
        });
        l.blank();
        replace(l, class);
    });
    if !class.fields.is_empty() {
        out.gap();
        setters(out, class);
    }
}

/// The functions that set the attributes of a class.
fn setters(out: &mut Lines, class: &Class) {
    let setters: Vec<&str> = class.fields.iter().map(|field| field.setter.as_str()).collect();
    let right = format!("= _creo.setters({})", class.name);
    let left = if setters.len() > 1 { setters.join(", ") } else { Code::tuple(&setters).to_string() };
    let one_line = format!("{left} {right}");
    if out.fits(&one_line) {
        out.line(one_line);
    } else {
        out.code(&Code::tuple(setters), &format!(" {right}"));
    }
}

fn attributes(out: &mut Lines, fields: &[ClassField], annotate: impl Fn(&Code) -> String) {
    for field in fields {
        out.line(format!("{}: {}", field.name, annotate(&field.held)));
        out.doc(&field.about);
    }
}

fn replace(out: &mut Lines, class: &Class) {
    let mut list = vec![Code::from("self"), Code::from("*")];
    let same = Code::from("_creo.SAME");
    list.extend(class.fields.iter().map(|field| {
        Code::parameter(&field.name, &Code::index("_creo.Change", [&field.taken]), Some(&same))
    }));
    out.list("def replace(", &list, &format!(") -> {}:", class.name));
    out.indented(|l| {
        l.line("\"\"\"A copy with other values for the given fields.\"\"\"");
        let arguments = class.fields.iter().map(|field| {
            let name = &field.name;
            let value = Code::choice(&format!("self.{name}"), format!("{name} is _creo.SAME"), name.into());
            if field.by_keyword { value.after(format!("{name}=")) } else { value }
        });
        l.list(&format!("return {}(", class.name), arguments, ")");
    });
}

fn exception_class(out: &mut Lines, class: &Class) {
    out.gap();
    out.line("@final");
    out.line(format!("class {}(_creo.DeclaredError):", class.name));
    out.indented(|l| {
        class_doc(l, &class.about);
        l.code(&Code::tuple(names(&class.fields)).after("__match_args__ = "), "");
        secrets(l, &class.fields);
        l.blank();
        if !class.fields.is_empty() {
            attributes(l, &class.fields, |held| format!("Final[{held}]"));
            l.blank();
        }
        init(l, &class.fields);
        l.indented(|l| {
            for field in &class.fields {
                l.line(format!("self.{} = {}", field.name, field.value));
            }
            l.list("super().__init__(", class.fields.iter().map(|field| format!("self.{}", field.name)), ")");
        });
    });
}

fn union_classes(out: &mut Lines, union: &UnionClasses) {
    for member in &union.members {
        out.gap();
        out.line("@final");
        out.line(format!("class {}(_creo.UnionMember):", member.name));
        out.indented(|l| {
            l.doc(&member.about);
            l.blank();
            l.line("__slots__ = (\"value\",)");
            l.line("__match_args__ = (\"value\",)");
            if member.about.secret {
                l.line("_creo_secret = (\"value\",)");
            }
            l.blank();
            l.line(format!("value: {}", member.held));
            l.blank();
            l.list(
                "def __init__(",
                ["self".into(), Code::parameter("value", &member.taken, None)],
                ") -> None:",
            );
            let arguments = ["self".into(), "\"value\"".into(), member.value.clone()];
            l.indented(|l| l.list("object.__setattr__(", arguments, ")"));
        });
    }
    let unknown = union.extensible.then_some("_creo.UnknownMember");
    let alternatives = union.members.iter().map(|member| member.name.as_str()).chain(unknown);
    out.gap();
    out.list(&format!("{} = Union[", union.alias), alternatives, "]");
    out.doc(&union.about);
}
