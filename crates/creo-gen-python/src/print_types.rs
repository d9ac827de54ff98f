//! `creo_types.py`: the value types of a package.

use creo_model::{Field, Literal, PackageId, TypeDecl, TypeId, TypeKind};

use crate::code::Code;
use crate::lang::{Lowered, Scope, Side};
use crate::layout::Lines;
use crate::literals::string;
use crate::lower_values::default;

/// The module of value types; `None` if the package has none.
pub fn types_module(lowered: &Lowered, package: PackageId, header: &str) -> Option<String> {
    lowered.types_of(package).next()?;
    let mut scope = Scope::new(package);
    let mut body = Lines::new();
    // Enums first: defaults name their constants when a class is made.
    let (enums, others): (Vec<TypeId>, Vec<TypeId>) =
        lowered.types_of(package).partition(|id| matches!(lowered.model.ty(*id).kind, TypeKind::Enum(_)));
    for id in enums.into_iter().chain(others) {
        let mut render = Render { lowered, scope: &mut scope, out: &mut body };
        match &lowered.model.ty(id).kind {
            TypeKind::Enum(_) => render.enum_class(id),
            TypeKind::Struct(fields) => render.struct_class(id, fields),
            TypeKind::Exception(fields) => render.exception_class(id, fields),
            TypeKind::Union(members) => render.union_classes(id, members),
        }
    }
    let mut out = Lines::new();
    out.line(format!("# {header}"));
    out.blank();
    out.line("from __future__ import annotations");
    out.blank();
    let mut imports: Vec<String> = Vec::new();
    let abc: Vec<&str> =
        ["Iterable", "Mapping", "Sequence"].into_iter().filter(|n| scope.names.contains(n)).collect();
    if scope.names.contains("enum") {
        imports.push("import enum".to_owned());
    }
    if !abc.is_empty() {
        imports.push(format!("from collections.abc import {}", abc.join(", ")));
    }
    if scope.names.contains("Decimal") {
        imports.push("from decimal import Decimal".to_owned());
    }
    let typing: Vec<&str> =
        ["ClassVar", "Final", "Union", "final"].into_iter().filter(|n| scope.names.contains(n)).collect();
    if !typing.is_empty() {
        imports.push(format!("from typing import {}", typing.join(", ")));
    }
    // Plain enums need nothing of the framework.
    if lowered
        .types_of(package)
        .any(|id| lowered.model.ty(id).extensible || !matches!(lowered.model.ty(id).kind, TypeKind::Enum(_)))
    {
        if !imports.is_empty() {
            imports.push(String::new());
        }
        imports.push("from creo import codegen as _creo".to_owned());
    }
    out.lines(&imports);
    let mut text = out.finish();
    text.push_str(&body.finish());
    let foreign = lowered.foreign_imports(&scope);
    if !foreign.is_empty() {
        // Packages may need one another: each defines its own types before it looks at others'.
        text.push('\n');
        text.push('\n');
        for line in foreign {
            text.push_str(&line);
            text.push_str("  # noqa: E402\n");
        }
    }
    Some(text)
}

struct Render<'a, 'm> {
    lowered: &'a Lowered<'m>,
    scope: &'a mut Scope,
    out: &'a mut Lines,
}

/// A field as constructors see it.
struct Parameter {
    name: String,
    taken: Code,
    held: Code,
    /// The default's code; for a constant of another package, what the default stands for, see `late`.
    default: Option<Code>,
    /// A default that can only be named once all packages are there.
    late: Option<String>,
    /// Makes the attribute of the argument.
    value: Code,
}

impl Render<'_, '_> {
    fn decl(&self, id: TypeId) -> &TypeDecl {
        self.lowered.model.ty(id)
    }

    fn class_doc(&mut self, decl: &TypeDecl) {
        if self.out.doc(decl.notes.doc.as_deref(), decl.notes.deprecated.as_deref()) {
            self.out.blank();
        }
    }

    fn enum_class(&mut self, id: TypeId) {
        let lowered = self.lowered;
        let decl = lowered.model.ty(id);
        let TypeKind::Enum(constants) = &decl.kind else { return };
        let names = lowered.names(id);
        self.out.gap();
        if decl.extensible {
            self.scope.names.insert("final");
            self.scope.names.insert("ClassVar");
            let numbers: Vec<String> = names
                .members
                .iter()
                .zip(constants)
                .map(|(name, c)| format!("{}: {}", string(name), c.number))
                .collect();
            self.out.line("@final");
            let one_line =
                format!("class {}(_creo.ExtensibleEnum, constants={{{}}}):", names.class, numbers.join(", "));
            if self.out.fits(&one_line) {
                self.out.line(one_line);
            } else {
                self.out.line(format!("class {}(", names.class));
                self.out.indented(|l| {
                    l.line("_creo.ExtensibleEnum,");
                    l.list("constants={", &numbers, "},");
                });
                self.out.line("):");
            }
        } else {
            self.scope.names.insert("enum");
            self.out.line(format!("class {}(enum.Enum):", names.class));
        }
        let out = &mut *self.out;
        out.indented(|l| {
            if l.doc(decl.notes.doc.as_deref(), decl.notes.deprecated.as_deref()) {
                l.blank();
            }
            if decl.extensible {
                l.line("__slots__ = ()");
                l.blank();
            }
            for (name, constant) in names.members.iter().zip(constants) {
                if decl.extensible {
                    l.line(format!("{name}: ClassVar[{}]", names.class));
                } else {
                    l.line(format!("{name} = {}", constant.number));
                }
                l.doc(constant.notes.doc.as_deref(), constant.notes.deprecated.as_deref());
            }
        });
    }

    fn parameters(&mut self, id: TypeId) -> Vec<Parameter> {
        let names = &self.lowered.names(id).members;
        let fields = &self.lowered.plan.record(id).fields;
        fields
            .iter()
            .zip(names)
            .map(|(field, name)| {
                let node = &field.node;
                let taken = self.lowered.annotation(node, Side::Taken, self.scope);
                let held = self.lowered.annotation(node, Side::Held, self.scope);
                let place = string(&format!("$.{}", field.name));
                let value =
                    self.lowered.held(node, name, &place, self.scope, 0).unwrap_or_else(|| name.into());
                let mut parameter =
                    Parameter { name: name.clone(), taken, held, default: None, late: None, value };
                if let Some(Literal::Constant(enum_, index)) = &field.default {
                    let constant = format!(
                        "{}.{}",
                        self.lowered.class(*enum_, self.scope),
                        self.lowered.names(*enum_).members[*index]
                    );
                    if self.decl(*enum_).package == self.scope.package {
                        parameter.default = Some(constant.into());
                    } else {
                        parameter.value = Code::choice(&constant, format!("{name} is None"), name.into());
                        parameter.late = Some(constant);
                    }
                } else {
                    parameter.default = default(field, self.scope);
                }
                parameter
            })
            .collect()
    }

    fn init(&mut self, id: TypeId, parameters: &[Parameter]) {
        let keywords = self.lowered.keywords(id);
        let mut list = vec![Code::from("self")];
        let mut starred = false;
        for (parameter, keyword) in parameters.iter().zip(&keywords) {
            if keyword.is_some() && !starred {
                list.push("*".into());
                starred = true;
            }
            list.push(match (&parameter.default, &parameter.late) {
                (Some(default), _) => Code::parameter(&parameter.name, &parameter.taken, Some(default)),
                (None, Some(_)) => {
                    Code::Text(format!("{}: {} | None = None", parameter.name, parameter.taken))
                }
                (None, None) => Code::parameter(&parameter.name, &parameter.taken, None),
            });
        }
        self.out.list("def __init__(", &list, ") -> None:");
    }

    fn struct_class(&mut self, id: TypeId, fields: &[Field]) {
        let parameters = self.parameters(id);
        let lowered = self.lowered;
        let decl = lowered.model.ty(id);
        let names = lowered.names(id);
        self.scope.names.insert("final");
        self.out.gap();
        self.out.line("@final");
        self.out.line(format!("class {}(_creo.Struct):", names.class));
        let attributes: Vec<String> = names.members.iter().map(|n| string(n)).collect();
        let Render { out, scope, .. } = self;
        out.indented(|l| {
            let mut inner = Render { lowered, scope, out: l };
            inner.class_doc(decl);
            if attributes.is_empty() {
                inner.out.line("__slots__ = ()");
                return;
            }
            let mut sorted = attributes.clone();
            sorted.sort();
            inner.out.code(&Code::tuple(&sorted).after("__slots__ = "), "");
            inner.out.code(&Code::tuple(&attributes).after("__match_args__ = "), "");
            inner.out.blank();
            inner.attributes(fields, &parameters, Code::to_string);
            inner.out.blank();
            inner.init(id, &parameters);
            inner.out.indented(|l| {
                for (parameter, setter) in parameters.iter().zip(&names.helpers) {
                    l.list(&format!("{setter}("), [&"self".into(), &parameter.value], ")");
                }
            });
            inner.out.blank();
            inner.replace(id, &parameters);
        });
        if !names.helpers.is_empty() {
            self.out.gap();
            self.setters(&names.class, &names.helpers);
        }
    }

    /// The functions that set the attributes of a class.
    fn setters(&mut self, class: &str, setters: &[String]) {
        let right = format!("= _creo.setters({class})");
        let left = if setters.len() > 1 { setters.join(", ") } else { Code::tuple(setters).to_string() };
        let one_line = format!("{left} {right}");
        if self.out.fits(&one_line) {
            self.out.line(one_line);
        } else {
            self.out.code(&Code::tuple(setters), &format!(" {right}"));
        }
    }

    fn attributes(&mut self, fields: &[Field], parameters: &[Parameter], annotate: impl Fn(&Code) -> String) {
        for (field, parameter) in fields.iter().zip(parameters) {
            self.out.line(format!("{}: {}", parameter.name, annotate(&parameter.held)));
            self.out.doc(field.notes.doc.as_deref(), field.notes.deprecated.as_deref());
        }
    }

    fn replace(&mut self, id: TypeId, parameters: &[Parameter]) {
        let lowered = self.lowered;
        let class = lowered.names(id).class.clone();
        let keywords = lowered.keywords(id);
        let mut list = vec![Code::from("self"), Code::from("*")];
        let same = Code::from("_creo.SAME");
        list.extend(
            parameters
                .iter()
                .map(|p| Code::parameter(&p.name, &Code::index("_creo.Change", [&p.taken]), Some(&same))),
        );
        self.out.list("def replace(", &list, &format!(") -> {class}:"));
        self.out.indented(|l| {
            l.line("\"\"\"A copy with other values for the given fields.\"\"\"");
            let arguments: Vec<Code> = parameters
                .iter()
                .zip(&keywords)
                .map(|(p, keyword)| {
                    let value = Code::choice(
                        &format!("self.{}", p.name),
                        format!("{} is _creo.SAME", p.name),
                        (&p.name).into(),
                    );
                    keyword.as_ref().map_or(value.clone(), |k| value.after(format!("{k}=")))
                })
                .collect();
            l.list(&format!("return {class}("), &arguments, ")");
        });
    }

    fn exception_class(&mut self, id: TypeId, fields: &[Field]) {
        let parameters = self.parameters(id);
        let lowered = self.lowered;
        let decl = lowered.model.ty(id);
        let names = lowered.names(id);
        self.scope.names.insert("final");
        if !fields.is_empty() {
            self.scope.names.insert("Final");
        }
        self.out.gap();
        self.out.line("@final");
        self.out.line(format!("class {}(_creo.DeclaredError):", names.class));
        let attributes: Vec<String> = names.members.iter().map(|n| string(n)).collect();
        let Render { out, scope, .. } = self;
        out.indented(|l| {
            let mut inner = Render { lowered, scope, out: l };
            inner.class_doc(decl);
            inner.out.code(&Code::tuple(&attributes).after("__match_args__ = "), "");
            inner.out.blank();
            if !fields.is_empty() {
                inner.attributes(fields, &parameters, |held| format!("Final[{held}]"));
                inner.out.blank();
            }
            inner.init(id, &parameters);
            inner.out.indented(|l| {
                for parameter in &parameters {
                    l.line(format!("self.{} = {}", parameter.name, parameter.value));
                }
                let arguments: Vec<String> = parameters.iter().map(|p| format!("self.{}", p.name)).collect();
                l.list("super().__init__(", &arguments, ")");
            });
        });
    }

    fn union_classes(&mut self, id: TypeId, members: &[Field]) {
        let lowered = self.lowered;
        let decl = lowered.model.ty(id);
        let names = lowered.names(id);
        self.scope.names.insert("final");
        self.scope.names.insert("Union");
        let nodes = lowered.plan.members(id).iter().map(|member| &member.node);
        for ((member, node), class) in members.iter().zip(nodes).zip(&names.helpers) {
            let taken = lowered.annotation(node, Side::Taken, self.scope);
            let held = lowered.annotation(node, Side::Held, self.scope);
            let place = string(&format!("$.{}", member.name));
            let value = lowered.held(node, "value", &place, self.scope, 0).unwrap_or_else(|| "value".into());
            self.out.gap();
            self.out.line("@final");
            self.out.line(format!("class {class}(_creo.UnionMember):"));
            self.out.indented(|l| {
                let own = member
                    .notes
                    .doc
                    .clone()
                    .unwrap_or_else(|| format!("`{}` of `{}`.", member.name, decl.name));
                l.doc(Some(&own), member.notes.deprecated.as_deref());
                l.blank();
                l.line("__slots__ = (\"value\",)");
                l.line("__match_args__ = (\"value\",)");
                l.blank();
                l.line(format!("value: {held}"));
                l.blank();
                l.list(
                    "def __init__(",
                    ["self".into(), Code::parameter("value", &taken, None)],
                    ") -> None:",
                );
                l.indented(|l| {
                    l.list("object.__setattr__(", ["self".into(), "\"value\"".into(), value], ")")
                });
            });
        }
        let mut alternatives = names.helpers.clone();
        if decl.extensible {
            alternatives.push("_creo.UnknownMember".to_owned());
        }
        self.out.gap();
        self.out.list(&format!("{} = Union[", names.class), &alternatives, "]");
        self.out.doc(decl.notes.doc.as_deref(), decl.notes.deprecated.as_deref());
    }
}
