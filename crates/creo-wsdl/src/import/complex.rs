//! Complex types: base types flattened into their extensions, attributes, text, and the particles of their content.

use crate::import::builtin::builtin;
use crate::import::draft::plain;
use crate::import::draft::{Field, Notes, Rank, Ty};
use crate::import::fields::{Owner, shown};
use crate::import::known;
use crate::import::load::{XML, is_xsd};
use crate::import::mapper::Mapper;
use crate::import::simple::Simple;
use crate::import::slots::{ChoiceSlot, ElementSlot, Slot, Value, choice, content, sequence};
use crate::import::table::{Kind, QName, Spot, is_true};
use crate::import::text::capitalised;
use crate::import::xml::is_name;
use creo_diag::quote;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The maximum length of a chain of base types.
const LONGEST_CHAIN: usize = 1_000;

/// One level of a chain of base types.
struct Level {
    /// The `complexType`, `extension` or `restriction` that holds particles and attributes.
    at: Spot,
    /// Whether its particles count: a restriction replaces its base's particles.
    content: bool,
    /// The name of the type, from which nested types are named.
    name: Option<String>,
}

/// A complex type as a chain.
struct Chain {
    /// Starts with the outermost base.
    levels: Vec<Level>,
    /// The text type of simple content.
    text: Option<Simple>,
    mixed: bool,
}

/// A type apart from its particles.
pub struct Parts {
    pub slots: Vec<Slot>,
    pub text: Option<Simple>,
    pub attributes: Vec<Field>,
    pub comments: Vec<String>,
}

impl Mapper<'_> {
    /// The fields of a complex type, and comments about it.
    pub fn fields_of(&mut self, spot: Spot, owner: &str) -> (Vec<Field>, Vec<String>) {
        let Parts { slots, text, attributes, comments } = self.parts(spot, owner);
        let owner = Owner { name: owner.to_owned(), namespace: self.namespace(spot) };
        let mut fields = Vec::new();
        if let Some(text) = text {
            let mut field = plain("value", text.ty);
            field.marks.text = true;
            field.marks.list = text.list;
            field.marks.xsd = text.xsd;
            field.notes.comments.extend(text.comment);
            fields.push(field);
        }
        fields.extend(self.fields(content(slots), &owner));
        fields.extend(attributes);
        (fields, comments)
    }

    /// The parts of a type, with its attributes and text.
    pub fn parts(&mut self, spot: Spot, owner: &str) -> Parts {
        let chain = self.chain(spot);
        let mut slots = Vec::new();
        for level in chain.levels.iter().filter(|level| level.content) {
            let owner = level.name.as_deref().unwrap_or(owner);
            for child in self.table.children(level.at).collect::<Vec<_>>() {
                if matches!(
                    self.table.element(child).local.as_str(),
                    "sequence" | "choice" | "all" | "group" | "any"
                ) {
                    slots.extend(self.particle(child, owner, &mut Vec::new()));
                }
            }
        }
        let mut comments = Vec::new();
        if chain.mixed && chain.text.is_none() {
            comments.push("The schema allows text between the elements; it is not kept.".to_owned());
        }
        if chain.text.is_some() {
            slots.clear();
        }
        let attributes = self.attributes(&chain.levels, owner);
        Parts { slots, text: chain.text, attributes, comments }
    }

    fn chain(&mut self, spot: Spot) -> Chain {
        let mut chain = Chain { levels: Vec::new(), text: None, mixed: false };
        let mut at = spot;
        let mut counts = true;
        let mut seen = BTreeSet::new();
        while seen.insert(at) && seen.len() <= LONGEST_CHAIN {
            chain.mixed |= is_true(self.table.element(at).attribute("mixed"));
            // An unwrapped type takes its name from the method.
            let name = if at == spot {
                None
            } else {
                self.table.element(at).attribute("name").map(|name| name.trim().to_owned())
            };
            let Some(body) = self.table.child(at, &["complexContent", "simpleContent"]) else {
                chain.levels.push(Level { at, content: counts, name });
                break;
            };
            chain.mixed |= is_true(self.table.element(body).attribute("mixed"));
            let simple = self.table.element(body).local == "simpleContent";
            let Some(derivation) = self.table.child(body, &["extension", "restriction"]) else { break };
            chain.levels.push(Level { at: derivation, content: counts, name });
            counts &= self.table.element(derivation).local == "extension";
            if simple && let Some(inner) = self.table.child(derivation, &["simpleType"]) {
                let name = self.table.element(at).attribute("name").unwrap_or("Value").to_owned();
                chain.text.get_or_insert(self.simple_at(inner, &name));
            }
            let Some(base) = self.table.element(derivation).attribute("base") else { break };
            let base = self.table.resolve(derivation, base, self.report);
            if base.builtin() {
                if simple {
                    let text = builtin(&base.local).map_or(Value::plain(Ty::Word("String")), |known| Value {
                        xsd: known.xsd,
                        ..Value::plain(known.ty())
                    });
                    chain.text.get_or_insert(Simple {
                        ty: text.ty,
                        list: false,
                        xsd: text.xsd,
                        comment: None,
                    });
                }
                break;
            }
            match self.table.look_up(Kind::Type, &base, derivation, self.report) {
                Some((_, next)) if self.table.element(next).local == "complexType" => at = next,
                Some((base, next)) => {
                    let text = self.simple_at(next, &base.local);
                    chain.text.get_or_insert(text);
                    break;
                }
                None => {
                    if simple {
                        chain.text.get_or_insert(Value::plain(Ty::Word("String")).into());
                    }
                    break;
                }
            }
        }
        chain.levels.reverse();
        chain
    }

    /// The slots of a particle.
    fn particle(&mut self, spot: Spot, owner: &str, groups: &mut Vec<QName>) -> Vec<Slot> {
        if !self.spend(spot) {
            return Vec::new();
        }
        let element = self.table.element(spot);
        let max = element.attribute("maxOccurs").map_or("1", str::trim);
        let many = max == "unbounded"
            || max.parse::<u64>().map_or(max.bytes().all(|b| b.is_ascii_digit()), |n| n > 1);
        let optional = element.attribute("minOccurs").is_some_and(|min| min.trim().parse::<u64>() == Ok(0));
        if max.parse::<u64>() == Ok(0) {
            return Vec::new();
        }
        match element.local.as_str() {
            "element" => self.element_slots(spot, owner, optional, many),
            "any" => vec![Slot::Any { optional, many, comment: None }],
            "choice" => {
                let branches = self.table.children(spot).collect::<Vec<_>>();
                let branches =
                    branches.into_iter().map(|child| self.particle(child, owner, groups)).collect();
                choice(branches, optional, many, None, Notes::default())
            }
            "group" => {
                let Some(reference) = element.attribute("ref") else { return Vec::new() };
                let name = self.table.resolve(spot, reference, self.report);
                let Some((name, group)) = self.table.look_up(Kind::Group, &name, spot, self.report) else {
                    return Vec::new();
                };
                if groups.contains(&name) {
                    return Vec::new();
                }
                groups.push(name);
                let mut slots = Vec::new();
                for child in self.table.children(group).collect::<Vec<_>>() {
                    slots.extend(self.particle(child, owner, groups));
                }
                groups.pop();
                sequence(slots, optional, many)
            }
            "sequence" | "all" => {
                let mut slots = Vec::new();
                for child in self.table.children(spot).collect::<Vec<_>>() {
                    slots.extend(self.particle(child, owner, groups));
                }
                sequence(slots, optional, many)
            }
            _ => Vec::new(),
        }
    }

    fn element_slots(&mut self, spot: Spot, owner: &str, optional: bool, many: bool) -> Vec<Slot> {
        let Some(reference) = self.table.element(spot).attribute("ref") else {
            let Some(slot) = self.local_element(spot, owner) else { return Vec::new() };
            return vec![Slot::Element(Box::new(ElementSlot { optional, many, ..slot }))];
        };
        let name = self.table.resolve(spot, reference, self.report);
        let notes = self.notes(spot);
        let opaque = |value: Value| {
            let slot = ElementSlot {
                xml: name.clone(),
                value,
                optional,
                many,
                nillable: false,
                default: None,
                notes: notes.clone(),
            };
            vec![Slot::Element(Box::new(slot))]
        };
        if is_xsd(&name.namespace) {
            return opaque(Value::raw("A schema: the whole element, as XML."));
        }
        let Some((name, global)) = self.table.look_up(Kind::Element, &name, spot, self.report) else {
            return opaque(Value::raw(
                "The element is declared in none of the files: the whole element, as XML.",
            ));
        };
        let mut choices: Vec<Vec<Slot>> = Vec::new();
        let abstract_head = self.table.is_abstract(global);
        // The declaration may be in another namespace, and so may its substitutes.
        let declared = self.table.find(Kind::Element, &name).map_or_else(|| name.clone(), |(real, _)| real);
        let substitutes = self.table.substitutes(&declared);
        for one in std::iter::once(&declared).chain(&substitutes) {
            let Some((one, at)) = self.table.find(Kind::Element, one) else { continue };
            if !self.table.is_abstract(at) && self.spend(at) {
                let slot = self.global_element(if one == declared { &name } else { &one }, at);
                choices.push(vec![Slot::Element(Box::new(slot))]);
            }
        }
        match (choices.pop(), choices.len()) {
            // Only an element of a missing schema could occur here.
            (None, _) => vec![Slot::Any { optional, many, comment: None }],
            (Some(mut only), 0) if !abstract_head => {
                if let Some(Slot::Element(slot)) = only.first_mut() {
                    (slot.optional, slot.many) = (optional, many);
                    if self.encoded {
                        slot.xml.namespace = "".into();
                    }
                    if !notes.doc.is_empty() {
                        slot.notes.doc = notes.doc;
                    }
                }
                only
            }
            (Some(last), _) => {
                choices.push(last);
                let comments = vec![format!("One of the elements that can stand for `{}`.", name.local)];
                let head = Some(name.local.to_string());
                vec![Slot::Choice(Box::new(ChoiceSlot {
                    branches: choices,
                    optional,
                    many,
                    head,
                    notes: Notes { doc: notes.doc, comments },
                }))]
            }
        }
    }

    fn local_element(&mut self, spot: Spot, owner: &str) -> Option<ElementSlot> {
        let element = self.table.element(spot);
        let unit = self.table.unit(spot);
        let name = element.attribute("name")?.trim();
        if !is_name(name) {
            self.left_out(
                element.span,
                format!("the element {} is left out: this is no name of XML", quote(name)),
            );
            return None;
        }
        let qualified =
            element.attribute("form").map_or(unit.elements_qualified, |form| form.trim() == "qualified");
        let namespace: Rc<str> = if qualified && !self.encoded { unit.target.clone() } else { "".into() };
        let xml = QName::new(namespace, name);
        let context = format!("{owner}{}", capitalised(name));
        Some(self.declared(spot, xml, &context, Rank::Anonymous))
    }

    /// A top-level element declaration.
    pub fn global_element(&mut self, name: &QName, spot: Spot) -> ElementSlot {
        self.declared(spot, name.clone(), &name.local, Rank::Element)
    }

    fn declared(&mut self, spot: Spot, xml: QName, context: &str, rank: Rank) -> ElementSlot {
        let value = self.element_value(spot, context, rank);
        let element = self.table.element(spot);
        let nillable = is_true(element.attribute("nillable"));
        let default = element.attribute("default").or(element.attribute("fixed")).map(str::to_owned);
        ElementSlot { xml, value, optional: false, many: false, nillable, default, notes: self.notes(spot) }
    }

    /// The type of an element declaration: named, nested, that of its substitution head, or any.
    pub fn element_value(&mut self, spot: Spot, context: &str, rank: Rank) -> Value {
        let mut at = spot;
        let mut seen = BTreeSet::new();
        while seen.insert(at) {
            if let Some(name) = self.table.element(at).attribute("type") {
                let name = self.table.resolve(at, name, self.report);
                return self.value(&name, at);
            }
            if let Some(inner) = self.table.child(at, &["complexType"]) {
                return match self.opaque(inner) {
                    Some(raw) => raw,
                    None => Value::plain(Ty::Decl(self.anonymous(inner, context, rank))),
                };
            }
            if let Some(inner) = self.table.child(at, &["simpleType"]) {
                return self.simple_at(inner, context).value();
            }
            let head = self
                .table
                .element(at)
                .attribute("substitutionGroup")
                .and_then(|heads| heads.split_whitespace().next());
            let Some(head) = head else { break };
            let head = self.table.resolve(at, head, self.report);
            match self.table.find(Kind::Element, &head) {
                Some((_, next)) => at = next,
                None => break,
            }
        }
        Value::raw("xs:anyType: the whole element, as XML.")
    }

    /// The attributes of all levels. A nearer attribute replaces one of a base with the same name.
    fn attributes(&mut self, levels: &[Level], owner: &str) -> Vec<Field> {
        // In the order of first appearance. `None` where a derived type prohibits the attribute.
        let mut fields: Vec<Option<Field>> = Vec::new();
        let mut places: BTreeMap<QName, usize> = BTreeMap::new();
        let mut any = false;
        for level in levels {
            let owner = level.name.as_deref().unwrap_or(owner);
            let mut seen = BTreeSet::new();
            let mut waiting: Vec<Spot> = self.table.children(level.at).collect::<Vec<_>>();
            waiting.reverse();
            while let Some(at) = waiting.pop() {
                match self.table.element(at).local.as_str() {
                    "anyAttribute" => any = true,
                    "attribute" => {
                        if !self.spend(at) {
                            return Vec::new();
                        }
                        let Some((name, field)) = self.attribute(at, owner) else { continue };
                        let place = *places.entry(name).or_insert(fields.len());
                        if place == fields.len() {
                            fields.push(field);
                        } else {
                            fields[place] = field;
                        }
                    }
                    "attributeGroup" => {
                        let Some(reference) = self.table.element(at).attribute("ref") else { continue };
                        let name = self.table.resolve(at, reference, self.report);
                        if known::is_soap_encoding(&name.namespace) {
                            continue;
                        }
                        let Some((name, group)) =
                            self.table.look_up(Kind::AttributeGroup, &name, at, self.report)
                        else {
                            continue;
                        };
                        if seen.insert(name) {
                            let inner: Vec<Spot> = self.table.children(group).collect();
                            waiting.extend(inner.into_iter().rev());
                        }
                    }
                    _ => {}
                }
            }
        }
        if any {
            let mut field = plain("anyAttribute", Ty::Attributes);
            field.marks.any_attribute = true;
            fields.push(Some(field));
        }
        fields.into_iter().flatten().collect()
    }

    /// The name and field of an attribute; no field if it is prohibited.
    fn attribute(&mut self, spot: Spot, owner: &str) -> Option<(QName, Option<Field>)> {
        let element = self.table.element(spot);
        let unit = self.table.unit(spot);
        let mut notes = self.notes(spot);
        let usage = element.attribute("use").map(str::trim);
        let text = |name: &str| element.attribute(name).map(str::to_owned);
        let mut default = text("default").or(text("fixed"));
        let (name, declared) = match element.attribute("ref") {
            Some(reference) => {
                let name = self.table.resolve(spot, reference, self.report);
                if known::is_soap_encoding(&name.namespace) {
                    return None;
                }
                match self.table.look_up(Kind::Attribute, &name, spot, self.report) {
                    Some((name, at)) => (name, Some(at)),
                    None => (name, None),
                }
            }
            None => {
                let name = element.attribute("name")?.trim();
                if !is_name(name) {
                    self.left_out(
                        element.span,
                        format!("the attribute {} is left out: this is no name of XML", quote(name)),
                    );
                    return None;
                }
                let qualified = element
                    .attribute("form")
                    .map_or(unit.attributes_qualified, |form| form.trim() == "qualified");
                (QName::new(if qualified { unit.target.clone() } else { "".into() }, name), Some(spot))
            }
        };
        if usage == Some("prohibited") {
            return Some((name, None));
        }
        let simple = match declared {
            Some(at) => {
                if at != spot {
                    let global = self.table.element(at);
                    default = default
                        .or(global.attribute("default").or(global.attribute("fixed")).map(str::to_owned));
                    if notes.doc.is_empty() {
                        notes = self.notes(at);
                    }
                }
                match self.table.element(at).attribute("type").map(str::to_owned) {
                    Some(ty) => self.simple_named(&ty, at, 0),
                    None => match self.table.child(at, &["simpleType"]) {
                        Some(inner) => self.simple_at(inner, &format!("{owner}{}", capitalised(&name.local))),
                        None => Value::plain(Ty::Word("String")).into(),
                    },
                }
            }
            None => Value::plain(Ty::Word("String")).into(),
        };
        let mut field = plain(name.local.to_string(), simple.ty);
        field.xml = Some(name.clone());
        field.marks.attribute = true;
        field.marks.list = simple.list;
        field.marks.xsd = simple.xsd;
        if &*name.namespace == XML {
            // The attribute is well known, and XML's schema has long documentation for it.
            notes = Notes::default();
        } else {
            notes.comments.extend(simple.comment);
        }
        match default {
            // The printer checks whether the literal fits, and makes the field optional if not.
            Some(default) if usage != Some("required") => field.default = Some(default),
            Some(default) => notes.comments.push(format!("The schema's default: {}", shown(&default))),
            None if usage != Some("required") => field.ty = field.ty.optional(),
            None => {}
        }
        field.notes = notes;
        Some((name, Some(field)))
    }
}
