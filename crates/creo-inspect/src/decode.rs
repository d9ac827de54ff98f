//! Decodes bytes into values, with every check of `spec/wires/binary.md`, and annotates every byte.

use crate::annotate::{Item, Section, What};
use crate::least::least;
use crate::reader::{Reader, Result, bytes};
use crate::spell::spell;
use crate::values::{
    char_value, default_value, double_value, exception_name, float_value, key_text, long_value,
};
use crate::{Code, Limits, Step, Subject, decimal, encode, time};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use creo_model::{Field, Method, Model, Primitive, Type, TypeId, TypeKind};
use serde_json::{Map, Value};

/// Reads a value, or a message body, that fills `bytes`.
pub fn decode(model: &Model, subject: &Subject<'_>, bytes: &[u8], limits: &Limits) -> Result<Value> {
    Reader::new(model, subject, bytes, limits, 0).whole(subject)
}

/// Like [`decode`], and annotates every byte. At most `shown` items of an array or map are listed; all are checked. After a mistake, the
/// items before it are returned.
pub fn annotate(
    model: &Model,
    subject: &Subject<'_>,
    bytes: &[u8],
    limits: &Limits,
    shown: usize,
) -> (Section, Result<Value>) {
    let (items, outcome) = annotate_items(model, subject, bytes, limits, shown);
    let mistake = outcome.as_ref().err().map(|error| (error.offset.min(bytes.len()), error.clone()));
    (Section { title: title(model, subject), bytes: bytes.to_vec(), base: 0, items, mistake }, outcome)
}

pub(crate) fn annotate_items(
    model: &Model,
    subject: &Subject<'_>,
    bytes: &[u8],
    limits: &Limits,
    shown: usize,
) -> (Vec<Item>, Result<Value>) {
    let mut reader = Reader::new(model, subject, bytes, limits, shown);
    reader.quiet = 0;
    let outcome = reader.whole(subject);
    (reader.items, outcome)
}

fn title(model: &Model, subject: &Subject<'_>) -> String {
    match subject {
        Subject::Type(ty) | Subject::Items(ty) => spell(model, ty),
        Subject::Request(method) => format!("request of {}", method.name),
        Subject::Response(method) => format!("response of {}", method.name),
        Subject::Exception(method) => format!("exception of {}", method.name),
    }
}

impl<'a> Reader<'a> {
    /// A body with nothing after it (BIN-14).
    fn whole(&mut self, subject: &Subject<'a>) -> Result<Value> {
        if self.bytes.len() > self.limits.max_message_size {
            let message =
                format!("{} bytes, and maxMessageSize is {}", self.bytes.len(), self.limits.max_message_size);
            return Err(self.error(Code::TooLarge, 0, message));
        }
        self.charge(1, self.bytes.len() as u64, 0)?;
        let value = match subject {
            Subject::Type(ty) | Subject::Items(ty) => self.value(ty)?,
            Subject::Request(method) => {
                let mut object = Map::new();
                for parameter in method.arguments() {
                    self.member(parameter, &mut object)?;
                }
                Value::Object(object)
            }
            Subject::Response(method) => match method.returns() {
                Some(ty) => self.value(ty)?,
                None => Value::Null,
            },
            Subject::Exception(method) => self.exception(method)?,
        };
        if self.at < self.bytes.len() {
            let message = format!("{} left after the last value", bytes(self.bytes.len() - self.at));
            return Err(self.error(Code::Malformed, self.at, message));
        }
        Ok(value)
    }

    fn exception(&mut self, method: &'a Method) -> Result<Value> {
        let start = self.at;
        let index = self.count()?;
        let Some(id) = method.throws.get(index) else {
            return Err(self.error(
                Code::Malformed,
                start,
                format!("exception {index}, and {} throws {}", method.name, method.throws.len()),
            ));
        };
        let name = exception_name(self.model, method, *id);
        self.note(start, What::Index, "exception", Some(index.into()));
        Ok(Value::Object([(name, self.named(*id)?)].into_iter().collect()))
    }

    // ---- values

    fn value(&mut self, ty: &'a Type) -> Result<Value> {
        match ty {
            Type::Primitive(primitive) => self.primitive(*primitive),
            Type::Bytes => {
                let (start, count) = self.counted("bytes", 1, 0)?;
                let start_of_bytes = self.at;
                let value = Value::String(BASE64_STANDARD.encode(self.take(count, start)?));
                self.note(start_of_bytes, What::Scalar, "byte[]", Some(value.clone()));
                Ok(value)
            }
            Type::Array(item) => self.array(ty, item),
            Type::Optional(item) => {
                let start = self.at;
                let present = self.flag("the byte before an optional value")?;
                self.note(start, What::Presence, &self.spelled(ty), Some(present.into()));
                if !present {
                    return Ok(Value::Null);
                }
                self.charge(1, self.meter.optional(item), start)?;
                self.value(item)
            }
            Type::Map(key, value) => self.map(ty, key, value),
            Type::Named(id) => self.named(*id),
        }
    }

    fn primitive(&mut self, primitive: Primitive) -> Result<Value> {
        let start = self.at;
        let value = match primitive {
            Primitive::Boolean => self.flag("a boolean")?.into(),
            Primitive::Byte => i8::from_be_bytes(self.fixed()?).into(),
            Primitive::Short => i16::from_be_bytes(self.fixed()?).into(),
            Primitive::Char => char_value(u16::from_be_bytes(self.fixed()?)),
            Primitive::Int => i32::from_be_bytes(self.fixed()?).into(),
            Primitive::Long => long_value(i64::from_be_bytes(self.fixed()?)),
            Primitive::Float => float_value(f32::from_be_bytes(self.fixed()?)),
            Primitive::Double => double_value(f64::from_be_bytes(self.fixed()?)),
            Primitive::DateTime => self.instant()?,
            Primitive::String => return self.text(primitive),
            Primitive::Decimal => return self.text(primitive),
        };
        self.note(start, What::Scalar, primitive.keyword(), Some(value.clone()));
        Ok(value)
    }

    /// BIN-11
    fn instant(&mut self) -> Result<Value> {
        let start = self.at;
        let bytes: [u8; 12] = self.fixed()?;
        let (seconds, nanos) = bytes.split_at(8);
        let seconds = i64::from_be_bytes(seconds.try_into().expect("eight bytes"));
        let nanos = u32::from_be_bytes(nanos.try_into().expect("four bytes"));
        if !(time::FIRST_SECOND..=time::LAST_SECOND).contains(&seconds) {
            return Err(self.error(
                Code::Malformed,
                start,
                format!("{seconds} seconds is outside the years 1 to 9999"),
            ));
        }
        if nanos >= 1_000_000_000 {
            return Err(self.error(
                Code::Malformed,
                start,
                format!("{nanos} nanoseconds make more than a second"),
            ));
        }
        Ok(Value::String(time::format(seconds, nanos)))
    }

    /// `String` (BIN-4) and `Decimal` (BIN-12).
    fn text(&mut self, primitive: Primitive) -> Result<Value> {
        let (count_start, count) = self.counted("bytes", 1, 0)?;
        let start = self.at;
        let bytes = self.take(count, count_start)?;
        let text = std::str::from_utf8(bytes).map_err(|e| {
            self.error(Code::Malformed, start + e.valid_up_to(), "bytes that are not UTF-8".to_owned())
        })?;
        if primitive == Primitive::Decimal
            && let Some(problem) = decimal::problem(text)
        {
            return Err(self.error(Code::Malformed, start, problem.to_owned()));
        }
        let value = Value::String(text.to_owned());
        self.note(start, What::Scalar, primitive.keyword(), Some(value.clone()));
        Ok(value)
    }

    fn array(&mut self, ty: &'a Type, item: &'a Type) -> Result<Value> {
        let group = self.open(&self.spelled(ty));
        let (_, count) = self.counted("items", least(item, &self.least), self.meter.item(item))?;
        let mut values = Vec::new();
        self.nest(|this| {
            this.listed(count, |this, index| {
                this.place.steps.push(Step::Item(index));
                values.push(this.value(item)?);
                this.place.steps.pop();
                Ok(())
            })
        })?;
        self.close(group);
        Ok(Value::Array(values))
    }

    fn map(&mut self, ty: &'a Type, key: &'a Type, value: &'a Type) -> Result<Value> {
        let group = self.open(&self.spelled(ty));
        let least = least(key, &self.least).saturating_add(least(value, &self.least));
        let (_, count) = self.counted("entries", least, self.meter.entry(key, value))?;
        let mut object = Map::new();
        self.nest(|this| {
            this.listed(count, |this, index| {
                this.place.steps.push(Step::Entry(index));
                let entry = this.open("entry");
                this.place.steps.push(Step::Key);
                let start = this.at;
                let name = key_text(&this.value(key)?);
                if object.contains_key(&name) {
                    return Err(this.error(Code::Malformed, start, format!("the key {name:?} occurs twice")));
                }
                this.place.steps.pop();
                this.place.steps.push(Step::Value);
                object.insert(name, this.value(value)?);
                this.place.steps.pop();
                this.close(entry);
                this.place.steps.pop();
                Ok(())
            })
        })?;
        self.close(group);
        Ok(Value::Object(object))
    }

    fn named(&mut self, id: TypeId) -> Result<Value> {
        let decl = self.model.ty(id);
        if decl.recursive {
            self.depth += 1;
            if self.depth > self.limits.max_depth {
                let message = format!("nested deeper than maxDepth, which is {}", self.limits.max_depth);
                return Err(self.error(Code::TooLarge, self.at, message));
            }
        }
        let value = self.nest(|this| match &decl.kind {
            TypeKind::Enum(_) => this.constant(id),
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
                let group = this.open(&this.spelled(&Type::Named(id)));
                let value = if decl.extensible {
                    this.region(|this| this.extensible_record(fields))?
                } else {
                    this.record(fields)?
                };
                this.close(group);
                Ok(value)
            }
            TypeKind::Union(members) => {
                let group = this.open(&this.spelled(&Type::Named(id)));
                let value = this.union(members, decl.extensible)?;
                this.close(group);
                Ok(value)
            }
        })?;
        if decl.recursive {
            self.depth -= 1;
        }
        Ok(value)
    }

    fn record(&mut self, fields: &'a [Field]) -> Result<Value> {
        let mut object = Map::new();
        for field in fields {
            self.member(field, &mut object)?;
        }
        Ok(Value::Object(object))
    }

    /// Reads a region's fields. Missing fields get defaults, and the rest belongs to a newer description (BIN-8, MODEL-11).
    fn extensible_record(&mut self, fields: &'a [Field]) -> Result<Value> {
        let mut object = Map::new();
        for field in fields {
            let default = match (&field.default, &field.ty) {
                (Some(literal), ty) => Some(default_value(self.model, ty, literal)),
                (None, Type::Optional(_)) => Some(Value::Null),
                (None, _) => None,
            };
            match default {
                Some(value) if self.at == self.end => {
                    self.place.steps.push(Step::Field(&field.name));
                    self.note(self.at, What::Default, &self.spelled(&field.ty), Some(value.clone()));
                    self.place.steps.pop();
                    if !value.is_null() {
                        object.insert(field.name.clone(), value);
                    }
                }
                // A field without a default is required; it may have no bytes.
                _ => self.member(field, &mut object)?,
            }
        }
        if self.at < self.end {
            let start = self.at;
            self.at = self.end;
            self.note(start, What::Unknown, "fields of a newer description", None);
        }
        Ok(Value::Object(object))
    }

    /// Reads a field. A null field is omitted from the object (VAL-8).
    fn member(&mut self, field: &'a Field, object: &mut Map<String, Value>) -> Result<()> {
        self.place.steps.push(Step::Field(&field.name));
        let value = self.value(&field.ty)?;
        self.place.steps.pop();
        if !value.is_null() {
            object.insert(field.name.clone(), value);
        }
        Ok(())
    }

    /// BIN-9, MODEL-12
    fn constant(&mut self, id: TypeId) -> Result<Value> {
        let decl = self.model.ty(id);
        let TypeKind::Enum(constants) = &decl.kind else { unreachable!("asked for enums alone") };
        let start = self.at;
        let number = self.count()?;
        let value = match constants.iter().find(|c| c.number as usize == number) {
            Some(constant) => Value::String(constant.name.clone()),
            None if decl.extensible => number.into(),
            None => {
                return Err(self.error(
                    Code::Malformed,
                    start,
                    format!("{number} is no constant of {}", decl.name),
                ));
            }
        };
        self.note(start, What::Scalar, &self.spelled(&Type::Named(id)), Some(value.clone()));
        Ok(value)
    }

    /// BIN-8, BIN-9, MODEL-13
    fn union(&mut self, members: &'a [Field], extensible: bool) -> Result<Value> {
        let start = self.at;
        let index = self.count()?;
        let member = members.get(index);
        if member.is_none() && !extensible {
            return Err(self.error(
                Code::Malformed,
                start,
                format!("member {index} of a union of {}", members.len()),
            ));
        }
        self.note(start, What::Index, "member", Some(index.into()));
        self.charge(1, self.meter.member(member.map(|member| &member.ty)), start)?;
        let value = match member {
            Some(member) => {
                self.place.steps.push(Step::Field(&member.name));
                let value = if extensible {
                    self.region(|this| this.filling(&member.ty))?
                } else {
                    self.value(&member.ty)?
                };
                self.place.steps.pop();
                (member.name.clone(), value)
            }
            None => self.region(|this| {
                let start = this.at;
                this.at = this.end;
                let value = Value::String(BASE64_STANDARD.encode(&this.bytes[start..this.end]));
                this.note(start, What::Unknown, "member of a newer description", Some(value.clone()));
                Ok((format!("#{index}"), value))
            })?,
        };
        Ok(Value::Object([value].into_iter().collect()))
    }

    /// A value that fills its region.
    fn filling(&mut self, ty: &'a Type) -> Result<Value> {
        let value = self.value(ty)?;
        if self.at < self.end {
            return Err(self.error(
                Code::Malformed,
                self.at,
                format!("{} left in the region of the member", bytes(self.end - self.at)),
            ));
        }
        Ok(value)
    }
}

/// Reads the body of an error (ERR-3) by the rules of values: number, message, details.
pub(crate) fn annotate_error(
    model: &Model,
    bytes: &[u8],
    limits: &Limits,
    shown: usize,
) -> (Vec<Item>, Result<Value>) {
    let text = Type::Primitive(Primitive::String);
    let details = texts_by_text();
    let mut reader = Reader::new(model, &Subject::Type(&text), bytes, limits, shown);
    reader.place.root = "$error";
    reader.quiet = 0;
    let outcome = reader.error_body(&text, &details);
    (reader.items, outcome)
}

/// Pairs of metadata and their size in bytes.
pub(crate) type Metadata = (Map<String, Value>, usize);

/// Reads the metadata at the start of `bytes`, encoded as a map of texts.
pub(crate) fn annotate_metadata(
    model: &Model,
    bytes: &[u8],
    limits: &Limits,
    shown: usize,
) -> (Vec<Item>, Result<Metadata>) {
    let ty = texts_by_text();
    let mut reader = Reader::new(model, &Subject::Type(&ty), bytes, limits, shown);
    reader.place.root = "$metadata";
    reader.quiet = 0;
    let outcome = reader.value(&ty).map(|value| {
        let Value::Object(pairs) = value else { unreachable!("a map is an object") };
        (pairs, reader.at)
    });
    (reader.items, outcome)
}

fn texts_by_text() -> Type {
    let text = || Box::new(Type::Primitive(Primitive::String));
    Type::Map(text(), text())
}

impl<'a> Reader<'a> {
    fn error_body(&mut self, text: &'a Type, details: &'a Type) -> Result<Value> {
        self.place.steps.push(Step::Field("code"));
        let start = self.at;
        let [number] = self.fixed()?;
        let word = encode::ERROR_CODES.get(usize::from(number).wrapping_sub(1));
        let code: Value = word.map_or_else(|| number.into(), |word| (*word).into());
        self.note(start, What::Scalar, "error code", Some(code.clone()));
        self.place.steps.pop();
        let mut object: Map<String, Value> = [("code".to_owned(), code)].into_iter().collect();
        for (name, ty) in [("message", text), ("details", details)] {
            self.place.steps.push(Step::Field(name));
            object.insert(name.to_owned(), self.value(ty)?);
            self.place.steps.pop();
        }
        if self.at < self.end {
            return Err(self.error(
                Code::Malformed,
                self.at,
                format!("{} left after the error", bytes(self.end - self.at)),
            ));
        }
        Ok(Value::Object(object))
    }
}
