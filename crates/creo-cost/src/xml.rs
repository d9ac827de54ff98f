//! Sizes of XML and of SOAP messages (`spec/wires/xml.md`, `spec/wires/soap.md`).

use crate::json::{leaf, separators};
use crate::leaf::text_sizes;
use crate::part::{Items, Part};
use crate::spread::Spread;
#[cfg(test)]
use creo_model::Type;
use creo_model::TypeId;
use creo_model::text::{Field, Message, Name, Place, Record, TextPlan, Union, Value, XML_NAMESPACE};

/// `<soap:Envelope xmlns:soap="..">` with what SOAP-1 always has, without the declarations of other prefixes.
const ENVELOPE: &str = "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body></soap:Body></soap:Envelope>";
const HEADER: &str = "<soap:Header></soap:Header>";
const XSI: &str = " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
const NIL: &str = " xsi:nil=\"true\"";

/// What stands within an element.
#[derive(Clone, Copy, Debug)]
struct Content {
    attributes: Spread,
    inside: Spread,
}

impl Content {
    const NONE: Content = Content { attributes: Spread::ZERO, inside: Spread::ZERO };

    fn inside(inside: Spread) -> Content {
        Content { inside, ..Content::NONE }
    }

    fn plus(self, other: Content) -> Content {
        Content { attributes: self.attributes.plus(other.attributes), inside: self.inside.plus(other.inside) }
    }

    fn or(self, share: f64, other: Content) -> Content {
        Content { attributes: self.attributes.or(share, other.attributes), inside: self.inside.or(share, other.inside) }
    }
}

/// The prefixes that a message or value declares (XML-2).
struct Xml<'p> {
    plan: &'p TextPlan,
    declared: &'p [usize],
}

/// The bytes of an envelope without table.
pub fn envelope() -> u64 {
    ENVELOPE.len() as u64
}

/// The bytes of a message as a SOAP 1.1 envelope.
pub fn soap(plan: &TextPlan, message: &Message, part: &Part) -> Spread {
    let Part::Record { fields, .. } = part else { return Spread::ZERO };
    let xml = Xml { plan, declared: &message.record.namespaces };
    let mut sum = Spread::exact(ENVELOPE.len() as u64).and(xml.declarations(message.record.xsi));
    let (mut body, mut header, mut headers) = (Content::NONE, Content::NONE, false);
    for (field, part) in message.record.fields.iter().zip(fields) {
        let content = xml.field(field, part);
        if field.place == Place::Header {
            header = header.plus(content);
            headers |= content.inside.most > 0;
        } else {
            body = body.plus(content);
        }
    }
    if headers {
        // Headers that may all be missing: the element is written for those that are there.
        let wrapped = Spread::exact(HEADER.len() as u64);
        let wrapped = if header.inside.least == 0 { Spread { least: 0, ..wrapped } } else { wrapped };
        sum = sum.plus(header.inside).plus(wrapped);
    }
    sum.plus(if message.bare { body.inside } else { xml.element(&message.element, body) })
}

/// The bytes of a value alone (XML-3).
#[cfg(test)]
pub fn alone(plan: &TextPlan, ty: &Type, part: &Part) -> Spread {
    let (declared, xsi) = plan.value_needs(ty);
    let xml = Xml { plan, declared: &declared };
    xml.field(&plan.value(ty), part).inside.and(xml.declarations(xsi))
}

impl Xml<'_> {
    fn declarations(&self, xsi: bool) -> u64 {
        let prefixes = self.declared.iter().enumerate().map(|(index, namespace)| {
            let uri = text_sizes(&self.plan.namespaces()[*namespace]).attribute;
            " xmlns:n=\"\"".len() as u64 + (index + 1).to_string().len() as u64 + uri
        });
        prefixes.sum::<u64>() + if xsi { XSI.len() as u64 } else { 0 }
    }

    fn name(&self, name: &Name) -> u64 {
        let prefix = match name.namespace {
            None => 0,
            Some(namespace) if self.plan.namespaces()[namespace] == XML_NAMESPACE => 4,
            Some(namespace) => {
                let at = self.declared.iter().position(|known| *known == namespace).unwrap_or(0);
                2 + (at + 1).to_string().len()
            }
        };
        (prefix + name.local.len()) as u64
    }

    fn element(&self, name: &Name, content: Content) -> Spread {
        content.attributes.plus(content.inside).and(2 * self.name(name) + "<></>".len() as u64)
    }

    fn nil(&self, name: &Name) -> Spread {
        self.element(name, Content::NONE).and(NIL.len() as u64)
    }

    /// What a field adds to the element around it.
    fn field(&self, field: &Field, part: &Part) -> Content {
        match (&field.value, part) {
            (Value::Repeated(item), Part::Items(items)) => match items {
                Items::Alike { count, item: part } => Content::inside(self.field(item, part).inside.times(count)),
                Items::Each(parts) => Content::inside(Spread::sum(parts.iter().map(|part| self.field(item, part).inside))),
            },
            (Value::Optional(value), Part::Optional { share, part }) => {
                let nothing = match field.place {
                    Place::Text => Content { attributes: Spread::exact(NIL.len() as u64), inside: Spread::ZERO },
                    _ if field.nillable => Content::inside(self.nil(&field.xml)),
                    _ => Content::NONE,
                };
                part.as_ref().map_or(nothing, |part| self.one(field, value, part).or(*share, nothing))
            }
            (value, part) => self.one(field, value, part),
        }
    }

    /// A field that is there.
    fn one(&self, field: &Field, value: &Value, part: &Part) -> Content {
        match field.place {
            Place::Attribute => Content {
                attributes: self.text(value, part, |leaf| leaf.attribute).and(self.name(&field.xml) + " =\"\"".len() as u64),
                inside: Spread::ZERO,
            },
            Place::Text => Content::inside(self.text(value, part, |leaf| leaf.xml)),
            Place::Inline => self.value(value, part),
            Place::Any => Content::inside(leaf(part).map_or(Spread::ZERO, |leaf| leaf.raw)),
            Place::AnyAttribute => Content { attributes: any_attributes(part), inside: Spread::ZERO },
            Place::Element | Place::Header => Content::inside(match (value, leaf(part)) {
                (Value::Raw, Some(leaf)) => leaf.raw,
                _ => self.element(&field.xml, self.value(value, part)),
            }),
        }
    }

    fn value(&self, value: &Value, part: &Part) -> Content {
        match (value, part) {
            (Value::Record(id), Part::Record { fields, .. }) => self.record(self.plan.record(*id), fields),
            (Value::Union(id), Part::Union { members, .. }) => self.union(*id, members),
            (Value::Wrapped(item), Part::Items(items)) => Content::inside(each(items, |part| self.field(item, part).inside)),
            (Value::Entries(key, item), Part::Entries(items)) => Content::inside(each(items, |part| {
                let Part::Record { fields, .. } = part else { return Spread::ZERO };
                let [key_part, item_part] = &fields[..] else { return Spread::ZERO };
                let entry = Name { local: "entry".to_owned(), namespace: key.xml.namespace };
                self.element(&entry, self.field(key, key_part).plus(self.field(item, item_part)))
            })),
            (Value::Optional(value), Part::Optional { share, part }) => {
                part.as_ref().map_or(Content::NONE, |part| self.value(value, part).or(*share, Content::NONE))
            }
            (value, part) => Content::inside(self.text(value, part, |leaf| leaf.xml)),
        }
    }

    fn record(&self, record: &Record, parts: &[Part]) -> Content {
        record.fields.iter().zip(parts).fold(Content::NONE, |sum, (field, part)| sum.plus(self.field(field, part)))
    }

    fn union(&self, id: TypeId, members: &[(usize, f64, Part)]) -> Content {
        let union: &Union = self.plan.union(id);
        let member = |(index, _, part): &(usize, f64, Part)| {
            let field = &union.members[*index];
            if !union.derived {
                return self.field(field, part);
            }
            let content = self.value(&field.value, part);
            match &field.value {
                Value::Record(id) if union.base != Some(*index) => {
                    let name = self.name(&self.plan.record(*id).xml);
                    Content { attributes: content.attributes.and(" xsi:type=\"\"".len() as u64 + name), ..content }
                }
                _ => content,
            }
        };
        let all: Vec<(f64, Content)> = members.iter().map(|found| (found.1, member(found))).collect();
        Content {
            attributes: Spread::one_of(all.iter().map(|(share, content)| (*share, content.attributes))),
            inside: Spread::one_of(all.iter().map(|(share, content)| (*share, content.inside))),
        }
    }

    /// One text: of a leaf, or of a list (XML-33).
    fn text(&self, value: &Value, part: &Part, of: fn(&crate::leaf::Leaf) -> Spread) -> Spread {
        text(value, part, of)
    }
}

/// The text of a value that has one.
pub fn text(value: &Value, part: &Part, of: fn(&crate::leaf::Leaf) -> Spread) -> Spread {
    match (value, part) {
        (Value::Bytes { hex: true }, Part::Leaf(leaf)) => leaf.hex,
        (_, Part::Leaf(leaf)) => of(leaf),
        (Value::List(item), Part::Items(items)) => each(items, |part| text(item, part, of)).plus(separators(items)),
        (Value::Optional(value), Part::Optional { share, part }) => {
            part.as_ref().map_or(Spread::ZERO, |part| text(value, part, of).or(*share, Spread::ZERO))
        }
        (_, _) => Spread::ZERO,
    }
}

fn each(items: &Items, of: impl Fn(&Part) -> Spread) -> Spread {
    match items {
        Items::Alike { count, item } => of(item).times(count),
        Items::Each(parts) => Spread::sum(parts.iter().map(of)),
    }
}

/// Names without namespace (XML-36): others would declare theirs.
fn any_attributes(part: &Part) -> Spread {
    let Part::Entries(items) = part else { return Spread::ZERO };
    each(items, |part| match part {
        Part::Record { fields, .. } => match &fields[..] {
            [Part::Leaf(key), Part::Leaf(value)] => key.raw.plus(value.attribute).and(" =\"\"".len() as u64),
            _ => Spread::ZERO,
        },
        _ => Spread::ZERO,
    })
}
