//! Bytes to values, every check of `spec/wires/binary.md` on the way, every stretch of bytes noted.

use crate::annotate::{Item, Section, What};
use crate::least::{least, least_sizes};
use crate::memory::Meter;
use crate::spell::spell;
use crate::values::{
    char_value, default_value, double_value, exception_name, float_value, key_text, long_value,
};
use crate::{Code, Limits, MAX_NESTING, Place, Step, Subject, WireError, decimal, encode, time};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use creo_model::{Field, Method, Model, Primitive, Type, TypeId, TypeKind};
use serde_json::{Map, Value};

type Result<T> = std::result::Result<T, WireError>;

/// Reads a value, or the body of a message, that takes up all of `bytes`.
pub fn decode(model: &Model, subject: &Subject<'_>, bytes: &[u8], limits: &Limits) -> Result<Value> {
    Decoder::new(model, subject, bytes, limits, 0).whole(subject)
}

/// Reads as [`decode`] does and notes the meaning of every byte. Of an array or map at most `shown` items are listed one by one; all are checked.
/// After a mistake, what was read before it is there.
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
    let mut decoder = Decoder::new(model, subject, bytes, limits, shown);
    decoder.quiet = 0;
    let outcome = decoder.whole(subject);
    (decoder.items, outcome)
}

fn title(model: &Model, subject: &Subject<'_>) -> String {
    match subject {
        Subject::Type(ty) => spell(model, ty),
        Subject::Request(method) => format!("request of {}", method.name),
        Subject::Response(method) => format!("response of {}", method.name),
        Subject::Exception(method) => format!("exception of {}", method.name),
    }
}

struct Decoder<'a> {
    model: &'a Model,
    least: Vec<u64>,
    limits: &'a Limits,
    bytes: &'a [u8],
    at: usize,
    /// The end of the innermost region (BIN-8), or of the body.
    end: usize,
    /// Recursive values that hold the one at hand (BIN-13).
    depth: usize,
    nesting: usize,
    empty_items: usize,
    meter: Meter,
    place: Place<'a>,
    items: Vec<Item>,
    /// Groups that hold what is noted next.
    groups: usize,
    /// Nothing is noted while this is above 0.
    quiet: usize,
    shown: usize,
}

impl<'a> Decoder<'a> {
    fn new(
        model: &'a Model,
        subject: &Subject<'a>,
        bytes: &'a [u8],
        limits: &'a Limits,
        shown: usize,
    ) -> Decoder<'a> {
        Decoder {
            model,
            least: least_sizes(model),
            limits,
            bytes,
            at: 0,
            end: bytes.len(),
            depth: 0,
            nesting: 0,
            empty_items: 0,
            meter: Meter::new(model, limits.memory()),
            place: Place::new(subject),
            items: Vec::new(),
            groups: 0,
            quiet: 1,
            shown,
        }
    }

    /// A body, and nothing after it (BIN-14).
    fn whole(&mut self, subject: &Subject<'a>) -> Result<Value> {
        if self.bytes.len() > self.limits.max_message_size {
            let message =
                format!("{} bytes, and maxMessageSize is {}", self.bytes.len(), self.limits.max_message_size);
            return Err(self.error(Code::TooLarge, 0, message));
        }
        self.charge(1, self.bytes.len() as u64, 0)?;
        let value = match subject {
            Subject::Type(ty) => self.value(ty)?,
            Subject::Request(method) => {
                let mut object = Map::new();
                for parameter in &method.parameters {
                    self.member(parameter, &mut object)?;
                }
                Value::Object(object)
            }
            Subject::Response(method) => match &method.result {
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

    /// The fields that a region holds; defaults for those that it ends before; what is left is of a newer description (BIN-8, MODEL-11).
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
                // Without a default the field must be there; one of no bytes is.
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

    /// Reads a field; one that is nothing is left out of the object (VAL-8).
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

    // ---- bytes

    /// `needed` bytes; `start` is where the value that needs them begins.
    fn take(&mut self, needed: usize, start: usize) -> Result<&'a [u8]> {
        let left = self.end - self.at;
        if needed > left {
            let what = if self.end < self.bytes.len() { "region" } else { "body" };
            return Err(self.error(
                Code::Malformed,
                start,
                format!("{} needed, and {left} left in the {what}", bytes(needed)),
            ));
        }
        let taken = &self.bytes[self.at..self.at + needed];
        self.at += needed;
        Ok(taken)
    }

    fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.take(N, self.at)?.try_into().expect("as many as were taken"))
    }

    /// BIN-3
    fn flag(&mut self, what: &str) -> Result<bool> {
        let start = self.at;
        match self.fixed::<1>()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => Err(self.error(Code::Malformed, start, format!("{other} where {what} is 0 or 1"))),
        }
    }

    /// BIN-2
    fn count(&mut self) -> Result<usize> {
        let start = self.at;
        let mut count = 0u64;
        for position in 0..5 {
            let byte = self.take(1, start)?[0];
            count |= u64::from(byte & 0x7f) << (7 * position);
            if byte & 0x80 == 0 {
                if byte == 0 && position > 0 {
                    return Err(self.error(
                        Code::Malformed,
                        start,
                        "a count that is not in its shortest form".to_owned(),
                    ));
                }
                if count > 0x7fff_ffff {
                    return Err(self.error(
                        Code::Malformed,
                        start,
                        format!("a count of {count}, which is 2^31 or more"),
                    ));
                }
                return Ok(usize::try_from(count).expect("below 2^31"));
            }
        }
        Err(self.error(Code::Malformed, start, "a count that goes on after five bytes".to_owned()))
    }

    /// A count of things of a least size and a charge each, checked against what is there (BIN-5, BIN-6, LIM-18). Gives where it started, too.
    fn counted(&mut self, what: &'static str, least: u64, charge: u64) -> Result<(usize, usize)> {
        let start = self.at;
        let count = self.count()?;
        self.note(start, What::Count, what, Some(count.into()));
        let left = self.end - self.at;
        if (count as u64).saturating_mul(least) > left as u64 {
            let message = format!(
                "{count} {what} of at least {} each, and {left} left",
                bytes(usize::try_from(least).unwrap_or(usize::MAX))
            );
            return Err(self.error(Code::Malformed, start, message));
        }
        if least == 0 {
            self.empty_items += count;
            if self.empty_items > self.limits.max_empty_items {
                let message = format!(
                    "{} items without bytes, and maxEmptyItems is {}",
                    self.empty_items, self.limits.max_empty_items
                );
                return Err(self.error(Code::TooLarge, start, message));
            }
        }
        self.charge(count, charge, start)?;
        Ok((start, count))
    }

    fn charge(&mut self, count: usize, each: u64, start: usize) -> Result<()> {
        self.meter.charge(count as u64, each).map_err(|message| self.error(Code::TooLarge, start, message))
    }

    /// Opens the region of an extensible value, reads it, and goes back to the enclosing one (BIN-8). What is inside ends at the region's end.
    fn region<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let start = self.at;
        let size = u32::from_be_bytes(self.fixed()?) as usize;
        self.note(start, What::Size, "bytes", Some(size.into()));
        let left = self.end - self.at;
        if size > left {
            return Err(self.error(
                Code::Malformed,
                start,
                format!("a region of {}, and {left} left in the one that holds it", bytes(size)),
            ));
        }
        let outer = std::mem::replace(&mut self.end, self.at + size);
        let value = inside(self)?;
        self.end = outer;
        Ok(value)
    }

    fn nest<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.error(
                Code::TooLarge,
                self.at,
                format!("nested deeper than {MAX_NESTING} levels"),
            ));
        }
        let value = inside(self)?;
        self.nesting -= 1;
        Ok(value)
    }

    fn error(&self, code: Code, offset: usize, message: String) -> WireError {
        WireError { code, place: self.place.write(), offset, message }
    }

    // ---- notes

    /// A type in words, where they are wanted.
    fn spelled(&self, ty: &Type) -> String {
        if self.quiet == 0 { spell(self.model, ty) } else { String::new() }
    }

    /// Reads `count` items, and lists the first ones alone if there are many.
    fn listed(&mut self, count: usize, mut read: impl FnMut(&mut Self, usize) -> Result<()>) -> Result<()> {
        // One item more than is shown takes no more room than the line that replaces it.
        let listed = if count <= self.shown.saturating_add(1) { count } else { self.shown };
        for index in 0..listed {
            read(self, index)?;
        }
        let start = self.at;
        self.quiet += 1;
        for index in listed..count {
            read(self, index)?;
        }
        self.quiet -= 1;
        if listed < count {
            self.note(start, What::Elided, "items", Some((count - listed).into()));
        }
        Ok(())
    }

    /// Notes the bytes from `start` to here.
    fn note(&mut self, start: usize, what: What, ty: &str, value: Option<Value>) {
        if self.quiet == 0 {
            self.items.push(Item {
                start,
                end: self.at,
                depth: self.groups,
                place: self.place.write(),
                label: self.place.label(),
                what,
                ty: ty.to_owned(),
                value,
            });
        }
    }

    /// Notes a group, whose end is set when it is closed. Gives its number.
    fn open(&mut self, ty: &str) -> usize {
        self.note(self.at, What::Group, ty, None);
        self.groups += 1;
        self.items.len()
    }

    fn close(&mut self, group: usize) {
        self.groups -= 1;
        if self.quiet == 0 {
            self.items[group - 1].end = self.at;
        }
    }
}

/// `1 byte`, `2 bytes`.
pub(crate) fn bytes(count: usize) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}

/// The body of an error (ERR-3), read with the rules of values: number, message, details.
pub(crate) fn annotate_error(
    model: &Model,
    bytes: &[u8],
    limits: &Limits,
    shown: usize,
) -> (Vec<Item>, Result<Value>) {
    let text = Type::Primitive(Primitive::String);
    let details = texts_by_text();
    let mut decoder = Decoder::new(model, &Subject::Type(&text), bytes, limits, shown);
    decoder.place.root = "$error";
    decoder.quiet = 0;
    let outcome = decoder.error_body(&text, &details);
    (decoder.items, outcome)
}

/// Pairs of metadata, and the bytes that they take up.
pub(crate) type Metadata = (Map<String, Value>, usize);

/// The metadata at the start of `bytes`, whose layout is that of a map of texts.
pub(crate) fn annotate_metadata(
    model: &Model,
    bytes: &[u8],
    limits: &Limits,
    shown: usize,
) -> (Vec<Item>, Result<Metadata>) {
    let ty = texts_by_text();
    let mut decoder = Decoder::new(model, &Subject::Type(&ty), bytes, limits, shown);
    decoder.place.root = "$metadata";
    decoder.quiet = 0;
    let outcome = decoder.value(&ty).map(|value| match value {
        Value::Object(pairs) => (pairs, decoder.at),
        _ => unreachable!("a map is an object"),
    });
    (decoder.items, outcome)
}

fn texts_by_text() -> Type {
    let text = || Box::new(Type::Primitive(Primitive::String));
    Type::Map(text(), text())
}

impl<'a> Decoder<'a> {
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
