//! Defaults of fields.

use crate::literal::{date_time, decimal, integer};
use crate::mistakes::{DefaultRequired, InvalidDefault};
use crate::nearest::Nearest;
use crate::resolve::Resolved;
use crate::scope::UNKNOWN;
use creo_diag::Report;
use creo_model::{Literal, Model, Primitive, Type, TypeId, TypeKind};
use creo_syntax::{DeclarationKind, LiteralKind};
use std::collections::BTreeMap;

/// LANG-21: gives every field with a default its value.
pub fn set_defaults(resolved: &mut Resolved, report: &mut Report) {
    let mut constants = Constants { by_name: BTreeMap::new(), nearest: Nearest::new() };
    for index in 0..resolved.types.len() {
        let (DeclarationKind::Struct(trees) | DeclarationKind::Exception(trees)) =
            &resolved.types[index].kind
        else {
            continue;
        };
        for (at, tree) in trees.iter().enumerate() {
            let Some(literal) = &tree.default else { continue };
            let value = match convert(
                &resolved.model,
                &resolved.model.types[index].fields()[at].ty,
                literal,
                &mut constants,
            ) {
                Ok(value) => value,
                Err(problem) => {
                    report.add(&InvalidDefault {
                        span: literal.span,
                        message: problem.message,
                        help: problem.help,
                    });
                    None
                }
            };
            if let TypeKind::Struct(fields) | TypeKind::Exception(fields) =
                &mut resolved.model.types[index].kind
            {
                fields[at].default = value;
            }
        }
    }
}

/// LANG-23: all fields after an optional or defaulted one must be optional or defaulted too.
pub fn growing_types(resolved: &Resolved, report: &mut Report) {
    for (decl, tree) in resolved.model.types.iter().zip(&resolved.types) {
        let (DeclarationKind::Struct(trees) | DeclarationKind::Exception(trees)) = &tree.kind else {
            continue;
        };
        if !decl.extensible {
            continue;
        }
        let mut first = None;
        for (field, tree) in decl.fields().iter().zip(trees) {
            let optional = matches!(field.ty, Type::Optional(_));
            if optional || tree.default.is_some() {
                first = first.or(Some((tree.name.span, optional)));
            } else if let Some((span, optional)) = first {
                report.add(&DefaultRequired {
                    span: tree.name.span,
                    name: field.name.clone(),
                    first: span,
                    optional,
                });
            }
        }
    }
}

/// The constants of the enums in defaults, by name.
struct Constants {
    by_name: BTreeMap<TypeId, BTreeMap<String, usize>>,
    nearest: Nearest,
}

impl Constants {
    fn find(&mut self, model: &Model, id: TypeId, name: &str) -> Option<usize> {
        let TypeKind::Enum(constants) = &model.ty(id).kind else { return None };
        let by_name = self.by_name.entry(id).or_insert_with(|| {
            // Of two with the same name, which is an error, the first is used.
            constants
                .iter()
                .enumerate()
                .rev()
                .map(|(index, constant)| (constant.name.clone(), index))
                .collect()
        });
        by_name.get(name).copied()
    }

    fn nearest(&mut self, id: TypeId, name: &str) -> Option<String> {
        let known = self.by_name.get(&id)?;
        if !self.nearest.can_afford(known.len()) {
            return None;
        }
        let known: Vec<&str> = known.keys().map(String::as_str).collect();
        self.nearest.find_plain(name, &known)
    }
}

struct Problem {
    message: String,
    help: Option<String>,
}

fn problem(message: impl Into<String>) -> Problem {
    Problem { message: message.into(), help: None }
}

fn mismatch(literal: &creo_syntax::Literal, of: &str, wanted: &str) -> Problem {
    let is_null = literal.kind == LiteralKind::Word("null".into());
    Problem {
        message: format!("the default of {of} is {wanted}, and this is {}", literal.describe()),
        help: is_null.then(|| "a value that may be nothing is optional: put `?` behind the type".into()),
    }
}

/// The value of a default, or nothing if an error was already reported for it or its type.
fn convert(
    model: &Model,
    ty: &Type,
    literal: &creo_syntax::Literal,
    constants: &mut Constants,
) -> Result<Option<Literal>, Problem> {
    if literal.kind == LiteralKind::Unknown {
        return Ok(None);
    }
    match ty {
        Type::Primitive(primitive) => convert_primitive(*primitive, literal).map(Some),
        Type::Bytes | Type::Array(_) | Type::Map(..) if literal.kind == LiteralKind::Empty => {
            Ok(Some(Literal::Empty))
        }
        Type::Bytes | Type::Array(_) | Type::Map(..) => {
            Err(mismatch(literal, "an array, byte string or map", "`{}`"))
        }
        Type::Optional(_) => Err(Problem {
            message: "the default of an optional is nothing, and it takes no other".into(),
            help: Some("leave the default or the `?` out".into()),
        }),
        Type::Named(id) if *id == UNKNOWN => Ok(None),
        Type::Named(id) => match &model.ty(*id).kind {
            TypeKind::Struct(_) | TypeKind::Exception(_) => Err(problem("a struct takes no default")),
            TypeKind::Union(_) => Err(problem("a union takes no default")),
            TypeKind::Enum(_) => {
                let LiteralKind::Word(word) = &literal.kind else {
                    return Err(mismatch(literal, "an enum", "the name of one of its constants"));
                };
                if let Some(index) = constants.find(model, *id, word) {
                    return Ok(Some(Literal::Constant(*id, index)));
                }
                let help = constants.nearest(*id, word).map(|name| format!("did you mean `{name}`?"));
                Err(Problem { message: format!("`{}` has no constant `{word}`", model.ty(*id).name), help })
            }
        },
    }
}

fn convert_primitive(primitive: Primitive, literal: &creo_syntax::Literal) -> Result<Literal, Problem> {
    let article = if primitive == Primitive::Int { "an" } else { "a" };
    let of = format!("{article} `{}`", primitive.keyword());
    let expected = |what: &str| Err(mismatch(literal, &of, what));
    let whole = |bits: u32| {
        let LiteralKind::Integer(text) = &literal.kind else { return expected("a whole number") };
        let min = -(1i128 << (bits - 1));
        let max = -min - 1;
        let value = integer(text).filter(|value| (min..=max).contains(value));
        match value.and_then(|value| i64::try_from(value).ok()) {
            Some(value) => Ok(Literal::Integer(value)),
            None => Err(problem(format!("the default of {of} is from {min} to {max}"))),
        }
    };
    match primitive {
        Primitive::Byte => whole(8),
        Primitive::Short => whole(16),
        Primitive::Int => whole(32),
        Primitive::Long => whole(64),
        Primitive::Boolean => {
            let LiteralKind::Word(word) = &literal.kind else { return expected("`true` or `false`") };
            word.parse().map(Literal::Boolean).or_else(|_| expected("`true` or `false`"))
        }
        Primitive::Char => {
            let LiteralKind::Character(unit) = &literal.kind else {
                return expected("a character between single quotes");
            };
            Ok(Literal::Char(*unit))
        }
        Primitive::String => {
            let LiteralKind::String(text) = &literal.kind else { return expected("a string") };
            Ok(Literal::String(text.clone()))
        }
        Primitive::Float | Primitive::Double => number(primitive, &of, literal),
        Primitive::Decimal => {
            let (LiteralKind::Integer(text) | LiteralKind::Decimal(text)) = &literal.kind else {
                return expected("a number");
            };
            if text == "-Infinity" {
                return expected("a number");
            }
            decimal(text).map(Literal::Decimal).ok_or_else(|| problem("a `Decimal` has at most 1,000 digits"))
        }
        Primitive::DateTime => {
            let LiteralKind::String(text) = &literal.kind else {
                return expected("a string such as `\"2026-11-21T10:31:56Z\"`");
            };
            match date_time(text) {
                Ok((seconds, nanoseconds)) => Ok(Literal::DateTime(seconds, nanoseconds)),
                Err(reason) => Err(problem(format!("this is no instant: {reason}"))),
            }
        }
    }
}

fn number(primitive: Primitive, of: &str, literal: &creo_syntax::Literal) -> Result<Literal, Problem> {
    let text = match &literal.kind {
        // Hexadecimal digits are a whole number too; the standard library parses decimal ones.
        LiteralKind::Integer(text) => {
            decimal(text).ok_or_else(|| problem(format!("this number does not fit into {of}")))?
        }
        LiteralKind::Decimal(text) if text == "-Infinity" => return Ok(Literal::Number(f64::NEG_INFINITY)),
        LiteralKind::Decimal(text) => text.clone(),
        LiteralKind::Word(word) if word == "NaN" => return Ok(Literal::Number(f64::NAN)),
        LiteralKind::Word(word) if word == "Infinity" => return Ok(Literal::Number(f64::INFINITY)),
        LiteralKind::Word(_)
        | LiteralKind::String(_)
        | LiteralKind::Character(_)
        | LiteralKind::Empty
        | LiteralKind::Unknown => return Err(mismatch(literal, of, "a number")),
    };
    // A float is parsed directly: rounding twice would not give the nearest.
    let value =
        if primitive == Primitive::Float { text.parse::<f32>().map(f64::from) } else { text.parse::<f64>() };
    match value {
        Ok(value) if value.is_finite() => Ok(Literal::Number(value)),
        _ => Err(problem(format!("this number does not fit into {of}"))),
    }
}
