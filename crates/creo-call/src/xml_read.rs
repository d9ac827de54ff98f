//! Reads values from XML (`spec/wires/xml.md`) as JSON. The later check of that JSON covers ranges, depth and memory.
// A new kind of value or type must be handled here.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::called::Reading;
use crate::error::{CallError, Hint, shown};
use crate::xml_text::{is_space, read_bytes, read_constant, read_decimal, read_scalar, trim};
use crate::xml_tree::{Attribute, Child, Element, XML, XSI};
use creo_model::TypeId;
use creo_plan::{ArrayLayout, Field, FixedScalar, Kind, Name, Node, Plan, Position, Record, StringForm};
use serde_json::{Map, Value};

pub type Result<T> = std::result::Result<T, CallError>;

/// Reads the values of one message.
pub struct Reader<'p> {
    pub plan: &'p Plan,
    pub reading: Reading,
    root: &'static str,
    /// The path to the current value.
    place: Vec<String>,
    /// The number of open values of recursive types (LIM-4).
    depth: usize,
}

/// LIM-4
const MAX_DEPTH: usize = 100;

/// Consecutive elements that are read one after the other.
pub struct Elements<'e> {
    all: Vec<&'e Element>,
    /// The number already read.
    pub at: usize,
}

impl<'e> Elements<'e> {
    pub fn new(all: Vec<&'e Element>) -> Elements<'e> {
        Elements { all, at: 0 }
    }

    pub fn next(&self) -> Option<&'e Element> {
        self.all.get(self.at).copied()
    }
}

impl<'p> Reader<'p> {
    /// `root` is the first step of paths (BIN-15).
    pub fn new(plan: &'p Plan, root: &'static str, reading: Reading) -> Reader<'p> {
        Reader { plan, reading, root, place: Vec::new(), depth: 0 }
    }

    pub fn wrong<T>(&self, message: impl AsRef<str>) -> Result<T> {
        let place = shown(&format!("{}{}", self.root, self.place.concat()), 250);
        Err(CallError { place: Some(place), ..CallError::new("malformed", message) })
    }

    pub fn is(&self, element: &Element, name: &Name) -> bool {
        element.local() == name.local && self.namespace(name) == &*element.namespace
    }

    pub fn namespace(&self, name: &Name) -> &'p str {
        name.namespace.map_or("", |index| &self.plan.namespaces()[index])
    }

    pub fn within<T>(&mut self, step: String, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.place.push(step);
        let value = read(self);
        self.place.pop();
        value
    }

    /// A value of a recursive type is one level deeper than the one around it (BIN-13).
    fn deeper<T>(&mut self, recursive: bool, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if !recursive {
            return read(self);
        }
        if self.depth >= MAX_DEPTH {
            let message = format!("values nest deeper than maxDepth, which is {MAX_DEPTH}");
            return self.wrong(message).map_err(|error| CallError { code: "too-large", ..error });
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// XML-21: whether an element is nil.
    fn nil(&self, element: &Element) -> Result<bool> {
        match element.attribute(XSI, "nil").map(trim) {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(other) => self.wrong(format!("xsi:nil is true or false, not {other:?}")),
        }
    }

    /// XML-21: an element that is nil, and thus empty.
    fn empty(&self, element: &Element) -> Result<()> {
        if element.elements().next().is_some() {
            return self.wrong("an element with xsi:nil holds an element");
        }
        if element.text().chars().all(is_space) {
            Ok(())
        } else {
            self.skip("an element with xsi:nil holds a text")
        }
    }

    /// The value of the element of a field, an item or a member.
    pub fn element(&mut self, node: &Node, element: &Element) -> Result<Value> {
        if let Kind::Optional(inner) = &node.kind {
            if self.nil(element)? {
                return self.empty(element).map(|()| Value::Null);
            }
            return self.present(inner, element);
        }
        let nil = self.nil(element)?;
        if nil && !self.nil_is_its_text(node) {
            return self.wrong("xsi:nil is on what is not optional");
        }
        match &node.kind {
            Kind::Record(id) => {
                let recursive = self.plan.record(*id).recursive;
                self.deeper(recursive, |r| r.record(*id, element, nil))
            }
            Kind::Union(id) => {
                let recursive = self.plan.union(*id).recursive;
                self.deeper(recursive, |r| r.union(*id, element))
            }
            Kind::String(StringForm::Raw) => Ok(element.source().into()),
            Kind::Array { item, layout: ArrayLayout::Wrapped | ArrayLayout::Repeated, .. } => {
                self.no_attributes(element, false)?;
                let children = self.children(element)?;
                let mut items = Vec::new();
                for child in children {
                    if !self.is(child, &item.xml.name) {
                        return self.unexpected(child, &item.xml.name.local);
                    }
                    items.extend(self.within(format!("[{}]", items.len()), |r| r.taken(item, child, true))?);
                }
                Ok(items.into())
            }
            Kind::Map { key, value, .. } => self.map(key, value, &node.xml.name, element),
            Kind::Array { layout: ArrayLayout::List, .. }
            | Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Enum(_) => {
                let extensible = matches!(node.kind, Kind::Enum(id) if self.plan.enumeration(id).extensible);
                self.no_attributes(element, extensible)?;
                let text = self.only_text(element)?;
                self.leaf(node, element, &text)
            }
            Kind::Optional(_) => self.wrong("an optional within another"),
        }
    }

    /// XML-24
    fn map(&mut self, key: &Node, value: &Node, name: &Name, element: &Element) -> Result<Value> {
        self.no_attributes(element, false)?;
        let entry = Name { local: "entry".to_owned(), namespace: name.namespace };
        let mut entries = Map::new();
        for (index, child) in self.children(element)?.into_iter().enumerate() {
            if !self.is(child, &entry) {
                return self.unexpected(child, "entry");
            }
            self.within(format!("{{{index}}}"), |r| {
                r.no_attributes(child, false)?;
                let (mut found, mut held) = (None, None);
                for part in r.children(child)? {
                    let (step, node, read) = if r.is(part, &key.xml.name) {
                        (".key", key, &mut found)
                    } else if r.is(part, &value.xml.name) {
                        (".value", value, &mut held)
                    } else {
                        r.skip(undeclared(part, "key, value"))?;
                        continue;
                    };
                    if read.is_some() {
                        return r.wrong(format!("the element {} comes again", part.described()));
                    }
                    *read = r.within(step.to_owned(), |r| r.taken(node, part, false))?;
                }
                let Some(found) = found else { return r.wrong("an entry has no key") };
                let held = match held {
                    Some(held) => held,
                    None if value.is_optional() => Value::Null,
                    None => return r.wrong("an entry has no value"),
                };
                let text = found.as_str().map_or_else(|| found.to_string(), str::to_owned);
                match entries.insert(text, held) {
                    Some(_) => r.wrong("a key comes twice"),
                    None => Ok(()),
                }
            })?;
        }
        Ok(entries.into())
    }

    pub fn unexpected<T>(&self, element: &Element, wanted: &str) -> Result<T> {
        self.wrong(undeclared(element, wanted))
    }

    /// The elements within that of a message.
    pub fn message<'e>(&self, element: &'e Element) -> Result<Vec<&'e Element>> {
        self.no_attributes(element, false)?;
        if self.nil(element)? {
            return self.wrong("xsi:nil is on the element of a message");
        }
        self.children(element)
    }

    /// The child elements of an element without text.
    pub fn children<'e>(&self, element: &'e Element) -> Result<Vec<&'e Element>> {
        let text = |child: &Child| matches!(child, Child::Text(text) if !text.chars().all(is_space));
        if element.children.iter().any(text) {
            self.skip(format!("text is within {}, which holds elements", element.described()))?;
        }
        Ok(element.elements().collect())
    }

    fn only_text(&self, element: &Element) -> Result<String> {
        match element.elements().next() {
            Some(child) => self.wrong(format!("the element {} is within a text", child.described())),
            None => Ok(element.text()),
        }
    }

    /// XML-26, of an element whose type has no attributes.
    pub fn no_attributes(&self, element: &Element, extensible: bool) -> Result<()> {
        match element.attributes.iter().find(|attribute| attribute.namespace.is_empty()) {
            Some(attribute) if !extensible => {
                self.skip(format!("the attribute {} is not declared", attribute.local))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// A struct from its element; `nil` if its text is nil (XML-32).
    fn record(&mut self, id: TypeId, element: &Element, nil: bool) -> Result<Value> {
        let plan = self.plan;
        let record = plan.record(id);
        let mut object = Map::new();
        self.attributes(record, element, &mut object)?;
        if let Some(field) = record.text.map(|index| &record.fields[index]) {
            if nil {
                self.empty(element)?;
                return Ok(object.into());
            }
            let text = self.only_text(element)?;
            match self.single(field, element, &text)? {
                Some(value) => {
                    object.insert(field.name.clone(), value);
                }
                None if field.may_be_missing() => {}
                None => return self.wrong(format!("the text of {} is missing", element.described())),
            }
        } else {
            let mut elements = Elements::new(self.children(element)?);
            self.fields(record, &mut elements, &mut object)?;
        }
        Ok(object.into())
    }

    /// XML-31, XML-36, XML-26
    fn attributes(
        &mut self,
        record: &Record,
        element: &Element,
        object: &mut Map<String, Value>,
    ) -> Result<()> {
        let at = |position: Position| {
            record.fields.iter().filter(move |field| field.node.xml.position == position)
        };
        let any = at(Position::AnyAttribute).next();
        let mut others = Map::new();
        let used: Vec<&str> =
            at(Position::Attribute).map(|field| self.namespace(&field.node.xml.name)).collect();
        for Attribute { namespace, local, value } in &element.attributes {
            let field = at(Position::Attribute).find(|field| {
                field.node.xml.name.local == *local && *self.namespace(&field.node.xml.name) == **namespace
            });
            if let Some(field) = field {
                if let Some(read) = self.single(field, element, value)? {
                    object.insert(field.name.clone(), read);
                }
                continue;
            }
            if **namespace == *XSI {
                continue;
            }
            if any.is_some() {
                let name =
                    if namespace.is_empty() { local.clone() } else { format!("{{{namespace}}}{local}") };
                others.insert(name, value.clone().into());
                continue;
            }
            let skipped = record.extensible
                || **namespace == *XML
                || (!namespace.is_empty() && !used.contains(&&**namespace));
            if !skipped {
                self.skip(format!("the attribute {local} is not declared"))?;
            }
        }
        for field in at(Position::Attribute) {
            if !object.contains_key(&field.name) && !field.may_be_missing() {
                return self.wrong(format!("the attribute {} is missing", field.node.xml.name.local));
            }
        }
        if let Some(field) = any {
            object.insert(field.name.clone(), others.into());
        }
        Ok(())
    }

    /// The elements of a record or message, in any order, each once (XML-20).
    pub fn fields(
        &mut self,
        record: &Record,
        elements: &mut Elements<'_>,
        object: &mut Map<String, Value>,
    ) -> Result<()> {
        let mut read = vec![false; record.fields.len()];
        while let Some(element) = elements.next() {
            let named =
                record.content.first.iter().find(|(name, _)| self.is(element, name)).map(|(_, index)| *index);
            let Some(index) = named.or(record.any) else {
                if !record.extensible {
                    self.skip(undeclared(element, &expected(record)))?;
                }
                elements.at += 1;
                continue;
            };
            let field = &record.fields[index];
            if read[index] && !self.again(field, element)? {
                elements.at += 1;
                continue;
            }
            let before = object.get(&field.name).and_then(Value::as_array).map_or(0, Vec::len);
            let value =
                self.within(format!(".{}", field.name), |r| r.field(field, elements, record, before))?;
            read[index] |= value.is_some();
            match (object.get_mut(&field.name), value) {
                (Some(Value::Array(items)), Some(Value::Array(more))) => items.extend(more),
                (_, Some(value)) => {
                    object.insert(field.name.clone(), value);
                }
                (_, None) => {}
            }
        }
        for (field, read) in record.fields.iter().zip(read) {
            if !read {
                self.missing(field, object)?;
            }
        }
        Ok(())
    }

    /// Handles an element of a field that was read: whether it has more items of it, or is skipped.
    fn again(&self, field: &Field, element: &Element) -> Result<bool> {
        let message = format!("the element {} comes again", element.described());
        let many = matches!(field.node.kind, Kind::Array { layout: ArrayLayout::Repeated, .. });
        match field.node.xml.position {
            Position::Any => {
                let described = element.described();
                self.skip(format!("the element {described} is apart from others that are kept as texts"))?;
                Ok(matches!(field.node.inner().kind, Kind::Array { .. }))
            }
            Position::Element | Position::Header if many && self.is_lenient() => Ok(true),
            Position::Element | Position::Header if many => {
                self.wrong(message).map_err(|error| error.hinted(Hint::Accepts))
            }
            Position::Element
            | Position::Header
            | Position::Inline
            | Position::Attribute
            | Position::AnyAttribute
            | Position::Text => self.wrong(message),
        }
    }

    /// SOAP-6: the one element of a body, or none.
    pub fn bare(
        &mut self,
        record: &Record,
        elements: &mut Elements<'_>,
        object: &mut Map<String, Value>,
    ) -> Result<()> {
        let field = record.fields.iter().find(|field| field.node.xml.position != Position::Header);
        match (field, elements.next()) {
            (Some(field), Some(element)) => {
                if !self.begins(&field.node, element) {
                    return self.unexpected(element, &expected(record));
                }
                let read =
                    self.within(format!(".{}", field.name), |r| r.field(field, elements, record, 0))?;
                let Some(value) = read else {
                    return self.wrong(format!("the element {} cannot be missing", element.described()));
                };
                object.insert(field.name.clone(), value);
            }
            (Some(field), None) => self.missing(field, object)?,
            (None, _) => {}
        }
        match elements.next() {
            Some(more) => self.unexpected(more, "nothing"),
            None => Ok(()),
        }
    }

    /// Handles a missing field.
    pub fn missing(&mut self, field: &Field, object: &mut Map<String, Value>) -> Result<()> {
        match field.node.xml.position {
            Position::Attribute | Position::AnyAttribute | Position::Text | Position::Header => return Ok(()),
            Position::Element | Position::Any | Position::Inline => {}
        }
        let value = match &field.node.kind {
            _ if field.default_if_missing => return Ok(()),
            Kind::Optional(_) => return Ok(()),
            Kind::Array { layout: ArrayLayout::Repeated, .. } => Value::Array(Vec::new()),
            Kind::Array { .. } if field.node.xml.position != Position::Element => Value::Array(Vec::new()),
            Kind::Record(id) if field.node.xml.position == Position::Inline => {
                // A group whose elements are all optional.
                self.within(format!(".{}", field.name), |r| {
                    r.inline_record(*id, &mut Elements::new(Vec::new()))
                })?
            }
            Kind::Array { .. }
            | Kind::Record(_)
            | Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Map { .. }
            | Kind::Union(_)
            | Kind::Enum(_) => {
                let element = field.node.xml.position == Position::Element;
                let name = if element { &field.node.xml.name.local } else { &field.name };
                return self.wrong(format!("the element {name} is missing"));
            }
        };
        object.insert(field.name.clone(), value);
        Ok(())
    }

    /// The value of a field whose first element comes next; `None` if that is taken as missing. `before`: the number of its items that were
    /// read.
    pub fn field(
        &mut self,
        field: &Field,
        elements: &mut Elements<'_>,
        record: &Record,
        before: usize,
    ) -> Result<Option<Value>> {
        match field.node.xml.position {
            Position::Inline => self.inline(&field.node, elements).map(Some),
            Position::Any => self.any(&field.node, elements, record).map(Some),
            Position::Element
            | Position::Header
            | Position::Attribute
            | Position::AnyAttribute
            | Position::Text => self.repeated(field, elements, before),
        }
    }

    /// One element, or those of an array (XML-22).
    fn repeated(
        &mut self,
        field: &Field,
        elements: &mut Elements<'_>,
        before: usize,
    ) -> Result<Option<Value>> {
        let node = &field.node;
        let Kind::Array { item, layout: ArrayLayout::Repeated, .. } = &node.inner().kind else {
            let Some(element) = elements.next() else { return self.wrong("an element is missing") };
            elements.at += 1;
            return self.taken(node, element, field.may_be_missing());
        };
        let mut items = Vec::new();
        while let Some(element) = elements.next().filter(|element| self.is(element, &node.xml.name)) {
            elements.at += 1;
            if node.is_optional() && items.is_empty() && self.nil(element)? {
                return self.empty(element).map(|()| Some(Value::Null));
            }
            let step = format!("[{}]", before + items.len());
            items.extend(self.within(step, |r| r.taken(item, element, true))?);
        }
        Ok(Some(items.into()))
    }

    /// XML-36
    fn any(&mut self, node: &Node, elements: &mut Elements<'_>, record: &Record) -> Result<Value> {
        let named =
            |r: &Self, element: &Element| record.content.first.iter().any(|(name, _)| r.is(element, name));
        let many = matches!(node.inner().kind, Kind::Array { .. });
        let mut sources: Vec<Value> = Vec::new();
        while let Some(element) = elements.next().filter(|element| !named(self, element)) {
            if !many && !sources.is_empty() {
                break;
            }
            elements.at += 1;
            sources.push(element.source().into());
        }
        Ok(if many { sources.into() } else { sources.into_iter().next().unwrap_or(Value::Null) })
    }

    /// XML-48: replaces a name's prefix with its namespace.
    pub fn expanded(&self, element: &Element, text: &str) -> Result<String> {
        let name = trim(text);
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let fine = |part: &str| {
            part.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\u{b7}'))
        };
        if !fine(local) || (name.contains(':') && !fine(prefix)) {
            return self.wrong(format!("{name:?} is no name"));
        }
        match element.bound(prefix) {
            Some("") => Ok(local.to_owned()),
            Some(namespace) => Ok(format!("{{{namespace}}}{local}")),
            None => self.wrong(format!("the prefix {prefix} is not bound to a namespace")),
        }
    }

    /// The value of a text.
    pub fn leaf(&mut self, node: &Node, element: &Element, text: &str) -> Result<Value> {
        let read = match &node.kind {
            Kind::Scalar(scalar) => read_scalar(*scalar, text),
            Kind::Decimal => read_decimal(text).map(Value::from),
            Kind::Bytes { hex } => read_bytes(text, *hex).map(Value::from),
            Kind::Enum(id) => read_constant(self.plan.enumeration(*id), text),
            Kind::String(StringForm::Plain | StringForm::Raw) => Some(text.into()),
            Kind::String(StringForm::Token) => Some(trim(text).into()),
            Kind::String(StringForm::QName) => Some(self.expanded(element, text)?.into()),
            Kind::Optional(inner) => return self.leaf(inner, element, text),
            Kind::Array { item, .. } => {
                let mut items = Vec::new();
                for each in text.split(is_space).filter(|each| !each.is_empty()) {
                    items.push(self.within(format!("[{}]", items.len()), |r| r.leaf(item, element, each))?);
                }
                Some(items.into())
            }
            Kind::Map { .. } | Kind::Record(_) | Kind::Union(_) => None,
        };
        match (read, &node.kind) {
            (Some(value), _) => Ok(value),
            (None, Kind::Scalar(FixedScalar::Boolean)) => self.flag(text),
            (None, _) => self.no_value(text),
        }
    }

    pub fn no_value(&self, text: &str) -> Result<Value> {
        self.wrong(format!("the text {:?} is no value of the type", shown(text, 60)))
    }
}

fn undeclared(element: &Element, wanted: &str) -> String {
    format!("the element {} is here, where there could be: {wanted}", element.described())
}

/// The names of the elements that a record can have.
fn expected(record: &Record) -> String {
    let names: Vec<&str> = record.content.first.iter().map(|(name, _)| name.local.as_str()).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
