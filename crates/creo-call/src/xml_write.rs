//! Writes values as XML (`spec/wires/xml.md`), from JSON that was checked against the description.
// A new kind of value or type must be handled here.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::called::Reading;
use crate::error::CallError;
use crate::xml_text::{forbidden, is_space, write_bytes, write_constant, write_scalar};
use crate::xml_tree::{XML, XSI, read, write_attribute, write_text};
use creo_inspect::Limits;
use creo_model::TypeId;
use creo_plan::{ArrayLayout, Field, Kind, Name, Node, Plan, Position, StringForm};
use serde_json::{Map, Value};

type Result<T> = std::result::Result<T, CallError>;

const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// Writes the values of one message.
pub struct Writer<'p> {
    plan: &'p Plan,
    /// Indices in the plan of namespaces with a prefix (XML-2).
    namespaces: &'p [usize],
    pub out: String,
    limits: Limits,
    /// The names of fields on the path to the current value.
    place: Vec<String>,
}

/// The prefix declarations of the outermost element.
pub fn declarations(plan: &Plan, namespaces: &[usize], xsi: bool) -> String {
    let mut out = String::new();
    for (number, index) in namespaces.iter().enumerate() {
        write_attribute(&mut out, &format!("xmlns:n{}", number + 1), &plan.namespaces()[*index]);
    }
    if xsi {
        write_attribute(&mut out, "xmlns:xsi", XSI);
    }
    out
}

/// Texts of an element's attributes or content, with the prefixes they need.
#[derive(Default)]
struct Declared {
    /// Namespaces of `q1`, `q2`, ... (XML-48).
    names: Vec<String>,
    /// Those that are not declared by an attribute yet.
    pending: String,
}

impl<'p> Writer<'p> {
    pub fn new(plan: &'p Plan, namespaces: &'p [usize], limits: Limits) -> Writer<'p> {
        Writer { plan, namespaces, out: String::new(), limits, place: Vec::new() }
    }

    fn wrong<T>(&self, message: impl AsRef<str>) -> Result<T> {
        let place: String = self.place.iter().map(|step| format!(".{step}")).collect();
        Err(CallError { place: Some(format!("${place}")), ..CallError::new("invalid-value", message) })
    }

    pub fn qualified(&self, name: &Name) -> String {
        let Some(index) = name.namespace else { return name.local.clone() };
        match self.namespaces.iter().position(|known| *known == index) {
            Some(at) => format!("n{}:{}", at + 1, name.local),
            None => format!("xml:{}", name.local),
        }
    }

    fn open(&mut self, name: &str, attributes: &str) {
        self.out.push('<');
        self.out.push_str(name);
        self.out.push_str(attributes);
        self.out.push('>');
    }

    fn close(&mut self, name: &str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    fn nil(&mut self, name: &str) {
        self.open(name, " xsi:nil=\"true\"");
        self.close(name);
    }

    /// Writes a field of a record or message, or a member of a union.
    pub fn field(&mut self, field: &Field, value: &Value) -> Result<()> {
        self.place.push(field.name.clone());
        match field.node.xml.position {
            Position::Element | Position::Header => self.element(&field.node.xml.name, &field.node, value)?,
            Position::Inline => self.inline(&field.node, value)?,
            Position::Any => self.any(&field.node, value)?,
            // Attributes are in the start tag, and the text is the content.
            Position::Attribute | Position::AnyAttribute | Position::Text => {}
        }
        self.place.pop();
        Ok(())
    }

    fn field_of<'v>(object: &'v Map<String, Value>, field: &Field) -> &'v Value {
        object.get(&field.name).unwrap_or(&Value::Null)
    }

    /// Writes a value in its element, or in several (XML-20 to XML-25).
    pub fn element(&mut self, name: &Name, node: &Node, value: &Value) -> Result<()> {
        let tag = self.qualified(name);
        match &node.kind {
            Kind::Optional(_) if value.is_null() => {
                if node.xml.nillable {
                    self.nil(&tag);
                }
                Ok(())
            }
            Kind::Optional(inner) => self.element(name, inner, value),
            Kind::Array { item, layout: ArrayLayout::Repeated, .. } => {
                for each in items(value) {
                    if each.is_null() {
                        self.nil(&tag);
                    } else {
                        self.element(name, item.inner(), each)?;
                    }
                }
                Ok(())
            }
            Kind::Array { item, layout: ArrayLayout::Wrapped, .. } => {
                self.open(&tag, "");
                let inner = self.qualified(&item.xml.name);
                for each in items(value) {
                    if each.is_null() {
                        self.nil(&inner);
                    } else {
                        self.element(&item.xml.name, item.inner(), each)?;
                    }
                }
                self.close(&tag);
                Ok(())
            }
            Kind::Map { key, value: entry, .. } => {
                self.open(&tag, "");
                let outer = self.qualified(&Name { local: "entry".to_owned(), namespace: name.namespace });
                for (text, each) in value.as_object().into_iter().flatten() {
                    self.open(&outer, "");
                    self.element(&key.xml.name, key, &key_value(key, text))?;
                    self.element(&entry.xml.name, entry, each)?;
                    self.close(&outer);
                }
                self.close(&tag);
                Ok(())
            }
            Kind::Record(id) => self.record(&tag, "", *id, value),
            Kind::Union(id) => self.union(&tag, *id, value),
            Kind::String(StringForm::Raw) => self.raw(name, value),
            Kind::Array { layout: ArrayLayout::List, .. }
            | Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Enum(_) => {
                let mut declared = Declared::default();
                let text = self.text(node, value, &mut declared)?;
                self.open(&tag, &declared.pending);
                write_text(&mut self.out, &text);
                self.close(&tag);
                Ok(())
            }
        }
    }

    /// Writes an element with the attributes, text and elements of a struct; the attributes `said` come first.
    pub fn record(&mut self, tag: &str, said: &str, id: TypeId, value: &Value) -> Result<()> {
        let record = self.plan.record(id);
        let empty = Map::new();
        let object = value.as_object().unwrap_or(&empty);
        let mut declared = Declared::default();
        let mut attributes = said.to_owned();
        for field in &record.fields {
            let value = Writer::field_of(object, field);
            self.place.push(field.name.clone());
            match field.node.xml.position {
                Position::Attribute if !value.is_null() => {
                    let text = self.text(field.node.inner(), value, &mut declared)?;
                    write_attribute(&mut attributes, &self.qualified(&field.node.xml.name), &text);
                    attributes.push_str(&std::mem::take(&mut declared.pending));
                }
                Position::AnyAttribute => self.any_attributes(value, &mut attributes)?,
                Position::Attribute
                | Position::Text
                | Position::Element
                | Position::Inline
                | Position::Any
                | Position::Header => {}
            }
            self.place.pop();
        }
        if let Some(text) = record.text.map(|index| &record.fields[index]) {
            let value = Writer::field_of(object, text);
            if value.is_null() && text.node.is_optional() {
                attributes.push_str(" xsi:nil=\"true\"");
                self.open(tag, &attributes);
            } else {
                self.place.push(text.name.clone());
                let content = self.text(text.node.inner(), value, &mut declared)?;
                self.place.pop();
                attributes.push_str(&declared.pending);
                self.open(tag, &attributes);
                write_text(&mut self.out, &content);
            }
        } else {
            self.open(tag, &attributes);
            self.fields(id, object)?;
        }
        self.close(tag);
        Ok(())
    }

    fn fields(&mut self, id: TypeId, object: &Map<String, Value>) -> Result<()> {
        let plan = self.plan;
        plan.record(id).fields.iter().try_for_each(|field| self.field(field, Writer::field_of(object, field)))
    }

    /// XML-25, XML-37
    fn union(&mut self, tag: &str, id: TypeId, value: &Value) -> Result<()> {
        let union = self.plan.union(id);
        let (index, member, value) = self.member(id, value)?;
        if !union.derived {
            self.open(tag, "");
            self.of_union(member, value)?;
            self.close(tag);
            return Ok(());
        }
        let Kind::Record(of) = member.node.kind else {
            return self.wrong("a member of a derived union is a struct");
        };
        let mut said = String::new();
        if union.base != Some(index) {
            write_attribute(&mut said, "xsi:type", &self.qualified(&self.plan.record(of).xml));
        }
        self.record(tag, &said, of, value)
    }

    fn member<'v>(&self, id: TypeId, value: &'v Value) -> Result<(usize, &'p Field, &'v Value)> {
        let found = value.as_object().and_then(|object| object.iter().next());
        let Some((name, value)) = found else { return self.wrong("a union has one member") };
        let members = &self.plan.union(id).members;
        match members.iter().position(|member| member.name == *name) {
            Some(index) => Ok((index, &members[index], value)),
            None => {
                self.wrong(format!("text wires do not carry {name}, a member that the description has not"))
            }
        }
    }

    fn of_union(&mut self, member: &Field, value: &Value) -> Result<()> {
        if value.is_null() && member.node.xml.position == Position::Element {
            let tag = self.qualified(&member.node.xml.name);
            self.nil(&tag);
            return Ok(());
        }
        self.field(member, value)
    }

    /// XML-35
    pub fn inline(&mut self, node: &Node, value: &Value) -> Result<()> {
        match &node.kind {
            Kind::Optional(_) if value.is_null() => Ok(()),
            Kind::Optional(inner) => self.inline(inner, value),
            Kind::Array { item, .. } => items(value).iter().try_for_each(|each| self.inline(item, each)),
            Kind::Record(_) | Kind::Union(_) => {
                let before = self.out.len();
                match node.kind {
                    Kind::Union(id) => {
                        let (_, member, value) = self.member(id, value)?;
                        self.of_union(member, value)?;
                        if self.out.len() == before {
                            return self.wrong("a member that is inline has at least one element");
                        }
                    }
                    Kind::Record(id) => self.fields(id, value.as_object().unwrap_or(&Map::new()))?,
                    Kind::Scalar(_)
                    | Kind::String(_)
                    | Kind::Decimal
                    | Kind::Bytes { .. }
                    | Kind::Array { .. }
                    | Kind::Map { .. }
                    | Kind::Optional(_)
                    | Kind::Enum(_) => {}
                }
                Ok(())
            }
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Map { .. }
            | Kind::Enum(_) => self.wrong("only structs and unions are inline"),
        }
    }

    /// XML-36: raw elements of the message.
    fn any(&mut self, node: &Node, value: &Value) -> Result<()> {
        match &node.kind {
            Kind::Array { .. } => items(value).iter().try_for_each(|each| self.whole(each, None)),
            Kind::Optional(_) if value.is_null() => Ok(()),
            Kind::Optional(inner) => self.any(inner, value),
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Map { .. }
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => self.whole(value, None),
        }
    }

    fn raw(&mut self, name: &Name, value: &Value) -> Result<()> {
        let namespace = name.namespace.map_or("", |index| self.plan.namespaces()[index].as_str());
        let wanted = (namespace.to_owned(), name.local.clone());
        self.whole(value, Some(&wanted))
    }

    fn whole(&mut self, value: &Value, wanted: Option<&(String, String)>) -> Result<()> {
        let text = value.as_str().unwrap_or_default();
        let root = match read(text.as_bytes(), Reading::Strict, &self.limits) {
            Ok(root) => root,
            Err(error) => return self.wrong(format!("the text is no element of XML: {}", error.message)),
        };
        if wanted.is_some_and(|(namespace, local)| *root.namespace != **namespace || root.local() != local) {
            return self.wrong(format!("the element {} is not that of the field", root.described()));
        }
        self.out.push_str(text.trim_matches(is_space));
        Ok(())
    }

    fn any_attributes(&self, value: &Value, attributes: &mut String) -> Result<()> {
        let mut own = 0;
        for (name, value) in value.as_object().into_iter().flatten() {
            let text = value.as_str().unwrap_or_default();
            let (namespace, local) = self.expanded(name)?;
            self.check_text(text)?;
            let tag = match self.prefix(namespace) {
                Some(prefix) if prefix.is_empty() => local.to_owned(),
                Some(prefix) => format!("{prefix}:{local}"),
                None => {
                    own += 1;
                    write_attribute(attributes, &format!("xmlns:a{own}"), namespace);
                    format!("a{own}:{local}")
                }
            };
            write_attribute(attributes, &tag, text);
        }
        Ok(())
    }

    /// The prefix of a namespace in this message; empty if it needs none.
    fn prefix(&self, namespace: &str) -> Option<String> {
        match namespace {
            "" => Some(String::new()),
            XML => Some("xml".to_owned()),
            _ => {
                let known = |index: &usize| self.plan.namespaces()[*index] == namespace;
                self.namespaces.iter().position(known).map(|at| format!("n{}", at + 1))
            }
        }
    }

    /// `{uri}local` or `local` (XML-48).
    fn expanded<'n>(&self, name: &'n str) -> Result<(&'n str, &'n str)> {
        let (namespace, local) = match name.strip_prefix('{') {
            Some(rest) => match rest.split_once('}') {
                Some((namespace, local)) if !namespace.is_empty() => (namespace, local),
                Some(_) | None => {
                    return self.wrong(format!("{name:?} is no name: write {{uri}}local, or local"));
                }
            },
            None => ("", name),
        };
        let ncname = !local.contains(':')
            && local.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
            && local.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !ncname || namespace == XMLNS || forbidden(namespace).is_some() {
            return self.wrong(format!("{name:?} is no name: write {{uri}}local, or local"));
        }
        Ok((namespace, local))
    }

    fn check_text(&self, text: &str) -> Result<()> {
        match forbidden(text) {
            Some(c) => self.wrong(format!("XML has no character U+{:04X}", u32::from(c))),
            None => Ok(()),
        }
    }

    /// The text of a value.
    fn text(&self, node: &Node, value: &Value, declared: &mut Declared) -> Result<String> {
        match &node.kind {
            Kind::Scalar(scalar) => Ok(write_scalar(*scalar, value)),
            Kind::Decimal => Ok(value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
            Kind::Bytes { hex } => Ok(write_bytes(value, *hex)),
            Kind::Enum(id) => Ok(write_constant(self.plan.enumeration(*id), value)),
            Kind::Optional(inner) => self.text(inner, value, declared),
            Kind::String(StringForm::QName) => {
                let (namespace, local) = self.expanded(value.as_str().unwrap_or_default())?;
                let prefix = match self.prefix(namespace) {
                    Some(prefix) => prefix,
                    None => {
                        let known = declared.names.iter().position(|known| known == namespace);
                        let at = known.unwrap_or(declared.names.len());
                        if known.is_none() {
                            declared.names.push(namespace.to_owned());
                            write_attribute(&mut declared.pending, &format!("xmlns:q{}", at + 1), namespace);
                        }
                        format!("q{}", at + 1)
                    }
                };
                Ok(if prefix.is_empty() { local.to_owned() } else { format!("{prefix}:{local}") })
            }
            Kind::String(StringForm::Plain | StringForm::Token | StringForm::Raw) => {
                let text = value.as_str().unwrap_or_default();
                self.check_text(text)?;
                Ok(text.to_owned())
            }
            Kind::Array { item, .. } => {
                let mut texts = Vec::new();
                for each in items(value) {
                    let text = self.text(item, each, declared)?;
                    if text.is_empty() || text.contains(is_space) {
                        return self.wrong("an item of a list is empty or holds white space");
                    }
                    texts.push(text);
                }
                Ok(texts.join(" "))
            }
            Kind::Map { .. } | Kind::Record(_) | Kind::Union(_) => self.wrong("the value has no text"),
        }
    }
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The key of an entry, from its member's name (VAL-12).
fn key_value(key: &Node, text: &str) -> Value {
    match key.kind {
        Kind::String(_) | Kind::Enum(_) | Kind::Decimal | Kind::Bytes { .. } => text.into(),
        Kind::Scalar(scalar) => match scalar {
            creo_plan::FixedScalar::DateTime => text.into(),
            // A single character is itself; longer texts are its number.
            creo_plan::FixedScalar::Char if text.chars().count() == 1 => text.into(),
            creo_plan::FixedScalar::Boolean
            | creo_plan::FixedScalar::Byte
            | creo_plan::FixedScalar::Short
            | creo_plan::FixedScalar::Char
            | creo_plan::FixedScalar::Int
            | creo_plan::FixedScalar::Long
            | creo_plan::FixedScalar::Float
            | creo_plan::FixedScalar::Double => {
                serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
            }
        },
        Kind::Array { .. } | Kind::Map { .. } | Kind::Optional(_) | Kind::Record(_) | Kind::Union(_) => {
            text.into()
        }
    }
}
