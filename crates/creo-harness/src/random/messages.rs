//! Random values that a WSDL's schemas also accept: texts of the named XML Schema types, whole elements where a description has them as
//! text, and nonempty arrays, since a description does not say how many items are required.

use super::Random;
use super::value::base64;
use creo_model::{Model, Primitive, Type, TypeId, TypeKind, Xml, XmlWord, date_time_text};
use creo_plan::{Name, Plan};
use serde_json::{Map, Value, json};

/// The approximate max number of parts of a value: beyond it, optionals are null and arrays have one item.
const MAX_PARTS: usize = 300;

/// From this depth on, optional values are null and arrays have one item: a schema may require one.
const MAX_DEPTH: usize = 10;

/// From this depth on, arrays are empty, which ends recursive types.
const MAX_ARRAY_DEPTH: usize = 30;

/// The same in values with more parts than this.
const MAX_ARRAY_PARTS: usize = 3_000;

/// Generates values of one model.
pub struct Messages<'a> {
    model: &'a Model,
    plan: &'a Plan,
    random: Random,
    parts: usize,
    /// The local names of the last value's elements that the description has as text: their content need not fit the schema.
    pub opaque: Vec<String>,
    /// Whether an array of the last value has fewer than two items: a schema may require two.
    pub few: bool,
}

impl<'a> Messages<'a> {
    pub fn new(model: &'a Model, plan: &'a Plan, random: Random) -> Messages<'a> {
        Messages { model, plan, random, parts: 0, opaque: Vec::new(), few: false }
    }

    /// A value of a declared type.
    pub fn named(&mut self, id: TypeId) -> Value {
        self.parts = 0;
        self.opaque.clear();
        self.few = false;
        self.declared(id, 0)
    }

    fn declared(&mut self, id: TypeId, depth: usize) -> Value {
        self.parts += 1;
        match &self.model.ty(id).kind {
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
                let mut object = Map::new();
                for (i, field) in fields.iter().enumerate() {
                    let name = &self.plan.record(id).fields[i].node.xml.name;
                    let value = self.value(&field.ty, field.notes.xml(), name, depth + 1);
                    if !value.is_null() {
                        object.insert(field.name.clone(), value);
                    }
                }
                Value::Object(object)
            }
            TypeKind::Enum(constants) => json!(self.random.pick(constants).name),
            TypeKind::Union(members) => {
                let at = if depth > MAX_DEPTH { 0 } else { self.random.below(members.len()) };
                let (member, name) = (&members[at], &self.plan.union(id).members[at].node.xml.name);
                json!({ member.name.clone(): self.value(&member.ty, member.notes.xml(), name, depth + 1) })
            }
        }
    }

    fn value(&mut self, ty: &Type, xml: &Xml, name: &Name, depth: usize) -> Value {
        let ends = depth > MAX_DEPTH || self.parts > MAX_PARTS;
        match ty {
            Type::Optional(_) if ends || self.random.one_in(3) => Value::Null,
            Type::Optional(inner) => self.value(inner, xml, name, depth),
            Type::Array(item) => {
                let length = if depth > MAX_ARRAY_DEPTH || self.parts > MAX_ARRAY_PARTS {
                    0
                } else if ends {
                    1
                } else {
                    1 + self.random.below(2)
                };
                self.few |= length < 2;
                (0..length).map(|_| self.value(item, xml, name, depth + 1)).collect()
            }
            // A schema's wildcard need not accept attributes of other namespaces, so there are none.
            Type::Map(..) => json!({}),
            Type::Bytes => {
                let length = self.random.below(6);
                json!(base64(&(0..length).map(|_| self.random.bits() as u8).collect::<Vec<_>>()))
            }
            Type::Named(id) => self.declared(*id, depth + 1),
            Type::Primitive(Primitive::String) if xml.has(XmlWord::Any) => {
                json!("<other xmlns=\"urn:creo:other\">1</other>")
            }
            Type::Primitive(Primitive::String) if xml.has(XmlWord::Raw) => {
                self.opaque.push(name.local.clone());
                let namespace = name.namespace.map_or("", |at| self.plan.namespaces()[at].as_str());
                let escaped = namespace.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
                json!(format!("<{0} xmlns=\"{escaped}\">{1}</{0}>", name.local, self.random.below(100)))
            }
            Type::Primitive(primitive) => self.primitive(*primitive, xml),
        }
    }

    fn primitive(&mut self, primitive: Primitive, xml: &Xml) -> Value {
        let number = self.random.between(1, 100);
        let sign = match xml.schema_type {
            Some("nonPositiveInteger" | "negativeInteger") => -1,
            Some(_) => 1,
            None => *self.random.pick(&[1, -1]),
        };
        match primitive {
            Primitive::Boolean => json!(self.random.one_in(2)),
            Primitive::Byte | Primitive::Short | Primitive::Int | Primitive::Long => json!(number * sign),
            Primitive::Char => json!(char::from(b'A' + self.random.below(26) as u8).to_string()),
            Primitive::Float | Primitive::Double => json!(*self.random.pick(&[0.25, -1.5, 12.0])),
            Primitive::DateTime => json!(date_time_text(self.random.between(0, 2_000_000_000), 0)),
            Primitive::Decimal if xml.schema_type.is_some() => json!((number * sign).to_string()),
            Primitive::Decimal => json!(format!("{}.5", number * sign)),
            Primitive::String => json!(self.text(xml, number)),
        }
    }

    /// A text of the XML Schema type.
    fn text(&mut self, xml: &Xml, number: i64) -> String {
        match xml.schema_type {
            Some("date") => format!("20{:02}-0{}-1{}", number % 100, 1 + number % 9, number % 10),
            Some("time") => format!("1{}:2{}:30", number % 10, number % 10),
            Some("gYear") => format!("{}", 1900 + number),
            Some("gYearMonth") => format!("{}-0{}", 1900 + number, 1 + number % 9),
            Some("gMonth") => format!("--0{}", 1 + number % 9),
            Some("gMonthDay") => format!("--0{}-1{}", 1 + number % 9, number % 10),
            Some("gDay") => format!("---1{}", number % 10),
            Some("duration") => format!("P{number}DT2H"),
            Some("dateTime") => format!("{}-01-02T03:04:05", 1900 + number),
            Some("language") => "en-GB".to_owned(),
            Some("anyURI") => format!("urn:x:{number}"),
            Some(
                "ID" | "IDREF" | "IDREFS" | "ENTITY" | "ENTITIES" | "QName" | "NOTATION" | "Name" | "NCName"
                | "NMTOKEN" | "NMTOKENS",
            ) => {
                format!("n{number}")
            }
            // An item of a list has no white space.
            Some("normalizedString" | "token" | "anySimpleType") if xml.has(XmlWord::List) => {
                format!("w{number}")
            }
            Some(_) => format!("token {number}"),
            None if xml.has(XmlWord::List) => format!("w{number}"),
            None => {
                format!("{}{number}", self.random.pick(&["", "x ", "a<b&c> ", "\u{e9}\u{4e2d} ", "\"' "]))
            }
        }
    }
}
