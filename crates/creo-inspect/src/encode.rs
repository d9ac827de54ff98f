//! Encodes values, directly by `spec/wires/binary.md` and `spec/values.md`.

use crate::values::{default_value, exception_name};
use crate::{Code, Limits, MAX_NESTING, Place, Step, Subject, ValueError, decimal, time};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use creo_model::{Field, Method, Model, Primitive, Type, TypeId, TypeKind};
use serde_json::{Map, Number, Value};
use std::collections::BTreeSet;

type Result<T> = std::result::Result<T, ValueError>;

/// The error codes of ERR-1 that are sent, starting with number 1; `untrusted-peer` is not (ERR-2).
pub const ERROR_CODES: [&str; 12] = [
    "malformed",
    "invalid-value",
    "too-large",
    "unknown-method",
    "deadline-exceeded",
    "cancelled",
    "unavailable",
    "overloaded",
    "unauthenticated",
    "permission-denied",
    "protocol-mismatch",
    "internal",
];

/// Writes a value, or the body of a message.
pub fn encode(model: &Model, subject: &Subject<'_>, value: &Value, limits: &Limits) -> Result<Vec<u8>> {
    let mut encoder =
        Encoder { model, limits, out: Vec::new(), depth: 0, nesting: 0, place: Place::new(subject) };
    match subject {
        Subject::Type(ty) | Subject::Items(ty) => encoder.value(ty, value)?,
        Subject::Request(method) => encoder.record(method.arguments(), value, false)?,
        Subject::Response(method) => match method.returns() {
            Some(ty) => encoder.value(ty, value)?,
            None if value.is_null() => {}
            None => return Err(encoder.wrong("null, as the method is void", value)),
        },
        Subject::Exception(method) => encoder.exception(method, value)?,
    }
    if encoder.out.len() > limits.max_message_size {
        let message =
            format!("{} bytes, and maxMessageSize is {}", encoder.out.len(), limits.max_message_size);
        return Err(encoder.error(Code::TooLarge, message));
    }
    Ok(encoder.out)
}

/// An unsigned LEB128 number in its shortest form (BIN-2).
pub(crate) fn write_count(out: &mut Vec<u8>, mut count: usize) {
    while count > 0x7f {
        out.push((count & 0x7f) as u8 | 0x80);
        count >>= 7;
    }
    out.push(count as u8);
}

struct Encoder<'a> {
    model: &'a Model,
    limits: &'a Limits,
    out: Vec<u8>,
    depth: usize,
    nesting: usize,
    place: Place<'a>,
}

impl<'a> Encoder<'a> {
    fn exception(&mut self, method: &Method, value: &'a Value) -> Result<()> {
        let (name, inner) = self.only_member(value, "an object with one member, named by the exception")?;
        let index = method.throws.iter().position(|id| {
            exception_name(self.model, method, *id) == *name || self.model.full_name(*id) == *name
        });
        let Some(index) = index else {
            let names: Vec<String> =
                method.throws.iter().map(|id| exception_name(self.model, method, *id)).collect();
            let known = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            return Err(self.invalid(format!("{} throws {known}, not {name:?}", method.name)));
        };
        self.count(index)?;
        self.named(method.throws[index], inner)
    }

    fn value(&mut self, ty: &'a Type, value: &'a Value) -> Result<()> {
        match ty {
            Type::Primitive(primitive) => self.primitive(*primitive, value),
            Type::Bytes => {
                let text = value.as_str().ok_or_else(|| self.wrong("a string in base64", value))?;
                let bytes =
                    BASE64_STANDARD.decode(text).map_err(|e| self.invalid(format!("not base64: {e}")))?;
                self.count(bytes.len())?;
                self.out.extend(bytes);
                Ok(())
            }
            Type::Array(item) => {
                let values = value.as_array().ok_or_else(|| self.wrong("an array", value))?;
                self.count(values.len())?;
                self.nest(|this| {
                    for (index, value) in values.iter().enumerate() {
                        this.at(Step::Item(index), |this| this.value(item, value))?;
                    }
                    Ok(())
                })
            }
            Type::Optional(item) => {
                self.out.push(u8::from(!value.is_null()));
                if value.is_null() { Ok(()) } else { self.value(item, value) }
            }
            Type::Map(key, item) => self.map(key, item, value),
            Type::Named(id) => self.named(*id, value),
        }
    }

    fn primitive(&mut self, primitive: Primitive, value: &Value) -> Result<()> {
        match primitive {
            Primitive::Boolean => {
                let value = value.as_bool().ok_or_else(|| self.wrong("true or false", value))?;
                self.out.push(value.into());
            }
            Primitive::Byte => self.integer::<i8>(value).map(|v| self.out.extend(v.to_be_bytes()))?,
            Primitive::Short => self.integer::<i16>(value).map(|v| self.out.extend(v.to_be_bytes()))?,
            Primitive::Int => self.integer::<i32>(value).map(|v| self.out.extend(v.to_be_bytes()))?,
            Primitive::Long => self.long(value).map(|v| self.out.extend(v.to_be_bytes()))?,
            Primitive::Char => self.char_unit(value).map(|v| self.out.extend(v.to_be_bytes()))?,
            Primitive::Float => match self.named_number(value)? {
                Some(named) => self.out.extend((named as f32).to_be_bytes()),
                // Digits are parsed as a float directly: through a double they could be rounded twice.
                None => match self.number(value)?.as_str().parse::<f32>() {
                    Ok(number) if number.is_finite() => self.out.extend(number.to_be_bytes()),
                    _ => return Err(self.invalid(format!("{value} is outside the range of float"))),
                },
            },
            Primitive::Double => match self.named_number(value)? {
                Some(named) => self.out.extend(named.to_be_bytes()),
                None => match self.number(value)?.as_str().parse::<f64>() {
                    Ok(number) if number.is_finite() => self.out.extend(number.to_be_bytes()),
                    _ => return Err(self.invalid(format!("{value} is outside the range of double"))),
                },
            },
            Primitive::String => {
                let text = value.as_str().ok_or_else(|| self.wrong("a string", value))?;
                self.text(text)?;
            }
            Primitive::DateTime => {
                let text = value.as_str().ok_or_else(|| self.wrong("an instant as a string", value))?;
                let (seconds, nanos) = time::parse(text).ok_or_else(|| {
                    self.invalid(format!("{text:?} is no instant of RFC 3339 in the years 1 to 9999"))
                })?;
                self.out.extend(seconds.to_be_bytes());
                self.out.extend(nanos.to_be_bytes());
            }
            Primitive::Decimal => {
                let text = value.as_str().ok_or_else(|| self.wrong("a decimal number as a string", value))?;
                if let Some(problem) = decimal::problem(text) {
                    return Err(self.invalid(problem.to_owned()));
                }
                self.text(text)?;
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<()> {
        self.count(text.len())?;
        self.out.extend(text.as_bytes());
        Ok(())
    }

    fn map(&mut self, key: &'a Type, item: &'a Type, value: &'a Value) -> Result<()> {
        let entries = value.as_object().ok_or_else(|| self.wrong("an object", value))?;
        self.count(entries.len())?;
        let mut written = BTreeSet::new();
        self.nest(|this| {
            for (index, (name, value)) in entries.iter().enumerate() {
                this.at(Step::Entry(index), |this| {
                    this.at(Step::Key, |this| {
                        let start = this.out.len();
                        this.key(key, name)?;
                        // Two texts may give the same key: "A" and "65" (BIN-10).
                        if !written.insert(this.out[start..].to_vec()) {
                            return Err(this.invalid(format!("the key {name:?} occurs twice")));
                        }
                        Ok(())
                    })?;
                    this.at(Step::Value, |this| this.value(item, value))
                })?;
            }
            Ok(())
        })
    }

    /// A key is the text of its JSON value (VAL-12). A one-character `char` is that character.
    fn key(&mut self, ty: &Type, name: &str) -> Result<()> {
        let parsed = match ty {
            Type::Primitive(Primitive::Boolean) => match name {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                _ => Value::String(name.to_owned()),
            },
            Type::Primitive(Primitive::Byte | Primitive::Short | Primitive::Int | Primitive::Long) => {
                number_or_text(name)
            }
            Type::Primitive(Primitive::Char) if name.chars().count() != 1 => number_or_text(name),
            Type::Named(_) => number_or_text(name),
            Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => {
                Value::String(name.to_owned())
            }
        };
        match ty {
            Type::Named(id) => self.constant(*id, &parsed),
            Type::Primitive(primitive) => self.primitive(*primitive, &parsed),
            Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => {
                Err(self.invalid("not a type of keys".to_owned()))
            }
        }
    }

    fn named(&mut self, id: TypeId, value: &'a Value) -> Result<()> {
        let model = self.model;
        let decl = model.ty(id);
        if decl.recursive {
            self.depth += 1;
            if self.depth > self.limits.max_depth {
                return Err(self.error(
                    Code::TooLarge,
                    format!("nested deeper than maxDepth, which is {}", self.limits.max_depth),
                ));
            }
        }
        self.nest(|this| match &decl.kind {
            TypeKind::Enum(_) => this.constant(id, value),
            TypeKind::Struct(fields) | TypeKind::Exception(fields) if decl.extensible => {
                this.region(|this| this.record(fields, value, true))
            }
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => this.record(fields, value, false),
            TypeKind::Union(members) => this.union(members, decl.extensible, value),
        })?;
        if decl.recursive {
            self.depth -= 1;
        }
        Ok(())
    }

    /// Fields in declared order (VAL-9). An omitted field is null or has its default.
    fn record(&mut self, fields: &'a [Field], value: &'a Value, extensible: bool) -> Result<()> {
        let object = value.as_object().ok_or_else(|| self.wrong("an object", value))?;
        if let Some(unknown) =
            object.keys().find(|name| !extensible && fields.iter().all(|f| f.name != **name))
        {
            return Err(self.invalid(format!("there is no field {unknown:?}")));
        }
        for field in fields {
            self.at(Step::Field(&field.name), |this| {
                match (object.get(&field.name), &field.default, &field.ty) {
                    (Some(value), _, ty) => this.value(ty, value),
                    (None, Some(literal), ty) => {
                        let value = default_value(this.model, ty, literal);
                        let mut inner = Encoder {
                            model: this.model,
                            limits: this.limits,
                            out: Vec::new(),
                            depth: 0,
                            nesting: 0,
                            place: Place { root: "$", steps: Vec::new() },
                        };
                        inner.value(ty, &value)?;
                        this.out.extend(inner.out);
                        Ok(())
                    }
                    (None, None, Type::Optional(_)) => {
                        this.out.push(0);
                        Ok(())
                    }
                    (None, None, _) => Err(this.invalid("is missing, and has no default".to_owned())),
                }
            })?;
        }
        Ok(())
    }

    /// VAL-10
    fn constant(&mut self, id: TypeId, value: &Value) -> Result<()> {
        let decl = self.model.ty(id);
        let TypeKind::Enum(constants) = &decl.kind else { unreachable!("asked for enums alone") };
        let number = match value {
            Value::String(name) => constants.iter().find(|c| c.name == *name).map(|c| c.number as usize),
            Value::Number(number) => {
                let number = number.as_str().parse::<usize>().ok().filter(|n| *n <= 0x7fff_ffff);
                number.filter(|n| decl.extensible || constants.iter().any(|c| c.number as usize == *n))
            }
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        };
        let number = number.ok_or_else(|| self.wrong(&format!("a constant of {}", decl.name), value))?;
        self.count(number)
    }

    /// VAL-11
    fn union(&mut self, members: &'a [Field], extensible: bool, value: &'a Value) -> Result<()> {
        let (name, inner) = self.only_member(value, "an object with one member")?;
        if let Some(index) = members.iter().position(|m| m.name == *name) {
            self.count(index)?;
            let member = &members[index];
            return self.at(Step::Field(&member.name), |this| {
                if extensible {
                    this.region(|this| this.value(&member.ty, inner))
                } else {
                    this.value(&member.ty, inner)
                }
            });
        }
        let unknown =
            name.strip_prefix('#').filter(|_| extensible).and_then(|digits| digits.parse::<usize>().ok());
        match unknown {
            Some(index) if index >= members.len() && index <= 0x7fff_ffff => {
                let text = inner.as_str().ok_or_else(|| self.wrong("a string in base64", inner))?;
                let bytes =
                    BASE64_STANDARD.decode(text).map_err(|e| self.invalid(format!("not base64: {e}")))?;
                self.count(index)?;
                self.region(|this| {
                    this.out.extend(bytes);
                    Ok(())
                })
            }
            _ => Err(self.invalid(format!("there is no member {name:?}"))),
        }
    }

    // ---- bytes

    fn count(&mut self, count: usize) -> Result<()> {
        if count > 0x7fff_ffff {
            return Err(self.error(Code::TooLarge, format!("a count of {count}, which is 2^31 or more")));
        }
        write_count(&mut self.out, count);
        Ok(())
    }

    /// Writes the size of what `inside` writes, then the bytes themselves (BIN-8).
    fn region(&mut self, inside: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let start = self.out.len();
        self.out.extend([0; 4]);
        inside(self)?;
        let size = u32::try_from(self.out.len() - start - 4)
            .map_err(|_| self.error(Code::TooLarge, "a region of 4 GiB or more".to_owned()))?;
        self.out[start..start + 4].copy_from_slice(&size.to_be_bytes());
        Ok(())
    }

    fn at(&mut self, step: Step<'a>, inside: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.place.steps.push(step);
        inside(self)?;
        self.place.steps.pop();
        Ok(())
    }

    fn nest(&mut self, inside: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.error(Code::TooLarge, format!("nested deeper than {MAX_NESTING} levels")));
        }
        inside(self)?;
        self.nesting -= 1;
        Ok(())
    }

    // ---- JSON

    fn number<'v>(&self, value: &'v Value) -> Result<&'v Number> {
        if let Value::Number(number) = value { Ok(number) } else { Err(self.wrong("a number", value)) }
    }

    /// A number without fraction or exponent, in range (VAL-1).
    fn integer<T: std::str::FromStr>(&self, value: &Value) -> Result<T> {
        let text = self.number(value)?.as_str();
        if text.bytes().any(|b| !b.is_ascii_digit() && b != b'-') {
            return Err(self.wrong("a number without fraction or exponent", value));
        }
        text.parse().map_err(|_| self.invalid(format!("{text} is out of range")))
    }

    /// VAL-2
    fn long(&self, value: &Value) -> Result<i64> {
        let Value::String(text) = value else { return self.integer(value) };
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || digits.bytes().any(|b| !b.is_ascii_digit()) {
            return Err(self.wrong("a number, or its digits as a string", value));
        }
        text.parse().map_err(|_| self.invalid(format!("{text} is out of range")))
    }

    /// VAL-4
    fn char_unit(&self, value: &Value) -> Result<u16> {
        let Value::String(text) = value else { return self.integer(value) };
        let mut units = text.encode_utf16();
        match (units.next(), units.next()) {
            (Some(unit), None) => Ok(unit),
            _ => Err(self.wrong("one character, or the number of a code unit", value)),
        }
    }

    /// `NaN` and the infinities, which are not JSON numbers (VAL-3).
    fn named_number(&self, value: &Value) -> Result<Option<f64>> {
        let Value::String(text) = value else { return Ok(None) };
        match text.as_str() {
            "NaN" => Ok(Some(f64::NAN)),
            "Infinity" => Ok(Some(f64::INFINITY)),
            "-Infinity" => Ok(Some(f64::NEG_INFINITY)),
            _ => Err(self.wrong("a number, \"NaN\", \"Infinity\" or \"-Infinity\"", value)),
        }
    }

    fn only_member<'v>(&self, value: &'v Value, expected: &str) -> Result<(&'v String, &'v Value)> {
        let object: Option<&Map<String, Value>> = value.as_object().filter(|o| o.len() == 1);
        object.and_then(|o| o.iter().next()).ok_or_else(|| self.wrong(expected, value))
    }

    fn wrong(&self, expected: &str, value: &Value) -> ValueError {
        let mut found = value.to_string();
        if found.chars().count() > 60 {
            found = found.chars().take(57).chain("...".chars()).collect();
        }
        self.invalid(format!("expected {expected}, found {found}"))
    }

    fn invalid(&self, message: String) -> ValueError {
        self.error(Code::InvalidValue, message)
    }

    fn error(&self, code: Code, message: String) -> ValueError {
        ValueError { code, place: self.place.write(), message }
    }
}

fn number_or_text(text: &str) -> Value {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    text.parse::<Number>()
        .ok()
        .filter(|_| plain)
        .map_or_else(|| Value::String(text.to_owned()), Value::Number)
}
