//! Sizes of XML and of SOAP messages (`spec/wires/xml.md`, `spec/wires/soap.md`).

use crate::json::{leaf, separators};
use crate::leaf::text_sizes;
use crate::part::{Items, Part};
use crate::security::Envelope;
use crate::spread::Spread;
use creo_model::{TypeId, XML_NAMESPACE};
use creo_plan::{ArrayLayout, Kind, Message, Name, Node, Plan, Position, Record, StringForm};

/// `<soap:Envelope xmlns:soap="..">` with the required parts of SOAP-1, without the declarations of other prefixes.
const ENVELOPE: &str = "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body></soap:Body></soap:Envelope>";
/// The declaration in it.
const SOAP: &str = " xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"";
const HEADER: &str = "<soap:Header></soap:Header>";
const XSI: &str = " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
const NIL: &str = " xsi:nil=\"true\"";

/// The content of an element.
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
        Content {
            attributes: self.attributes.or(share, other.attributes),
            inside: self.inside.or(share, other.inside),
        }
    }
}

/// The prefixes that a message or value declares (XML-2).
struct Xml<'p> {
    plan: &'p Plan,
    declared: &'p [usize],
}

/// The bytes of an envelope without a table.
pub fn envelope() -> u64 {
    ENVELOPE.len() as u64
}

/// An envelope with a table, to be secured.
pub fn table_envelope(table: Spread) -> Envelope {
    Envelope {
        around: Spread::exact(envelope() + HEADER.len() as u64),
        content: table,
        elements: 1,
        declared: SOAP.len() as u64,
        prefixes: "soap".len() as u64,
    }
}

/// The bytes of a message as a SOAP 1.1 envelope.
pub fn soap(plan: &Plan, message: &Message, part: &Part) -> Spread {
    let Some(found) = parts(plan, message, part, false) else { return Spread::ZERO };
    found.around.plus(found.content)
}

/// The parts of a message as a SOAP 1.1 envelope, to be secured.
pub fn soap_envelope(plan: &Plan, message: &Message, part: &Part) -> Option<Envelope> {
    parts(plan, message, part, true)
}

/// The parts of an envelope, with the element `Header` in any case if there is security. `None`: the message is no record.
fn parts(plan: &Plan, message: &Message, part: &Part, is_secured: bool) -> Option<Envelope> {
    let Part::Record { fields, .. } = part else { return None };
    let xml = Xml { plan, declared: &message.record.content.namespaces };
    let xsi = message.record.content.xsi;
    let declared = xml.declarations(xsi);
    let mut around = Spread::exact(ENVELOPE.len() as u64).and(declared);
    let (mut body, mut header, mut headers) = (Content::NONE, Content::NONE, false);
    for (field, part) in message.record.fields.iter().zip(fields) {
        let content = xml.field(&field.node, part);
        if field.node.xml.position == Position::Header {
            header = header.plus(content);
            headers |= content.inside.most > 0;
        } else {
            body = body.plus(content);
        }
    }
    if headers || is_secured {
        // If all headers are optional, the element is written only if one is present.
        let wrapped = Spread::exact(HEADER.len() as u64);
        let is_optional = header.inside.least == 0 && !is_secured;
        let wrapped = if is_optional { Spread { least: 0, ..wrapped } } else { wrapped };
        around = around.plus(header.inside).plus(wrapped);
    }
    let content = if message.bare { body.inside } else { xml.element(&message.element, body) };
    let in_body = message.record.fields.iter().filter(|field| field.node.xml.position != Position::Header);
    let prefixes = (1..=xml.declared.len()).map(|index| index.to_string().len() + " n".len()).sum::<usize>();
    Some(Envelope {
        around,
        content,
        elements: if message.bare { in_body.count() as u64 } else { 1 },
        declared: SOAP.len() as u64 + declared,
        prefixes: ("soap".len() + prefixes + if xsi { " xsi".len() } else { 0 }) as u64,
    })
}

/// The bytes of a single value (XML-3).
#[cfg(test)]
pub fn alone(plan: &Plan, id: TypeId, part: &Part) -> Spread {
    let (declared, xsi) = plan.value_needs(id);
    let xml = Xml { plan, declared: &declared };
    xml.field(plan.value(id), part).inside.and(xml.declarations(xsi))
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

    /// What a field adds to the surrounding element.
    fn field(&self, node: &Node, part: &Part) -> Content {
        if let (Kind::Array { layout: ArrayLayout::Repeated, item, .. }, Part::Items(items)) =
            (&node.kind, part)
        {
            return Content::inside(each(items, |part| self.field(item, part).inside));
        }
        if let (Kind::Optional(inner), Part::Optional { share, part }) = (&node.kind, part) {
            let nothing = if node.xml.position == Position::Text {
                Content { attributes: Spread::exact(NIL.len() as u64), inside: Spread::ZERO }
            } else if node.xml.nillable {
                Content::inside(self.nil(&node.xml.name))
            } else {
                Content::NONE
            };
            return part.as_ref().map_or(nothing, |part| self.present(inner, part).or(*share, nothing));
        }
        self.present(node, part)
    }

    /// A field that is present.
    fn present(&self, node: &Node, part: &Part) -> Content {
        match node.xml.position {
            Position::Attribute => Content {
                attributes: text(node, part, |leaf| leaf.attribute)
                    .and(self.name(&node.xml.name) + " =\"\"".len() as u64),
                inside: Spread::ZERO,
            },
            Position::Text => Content::inside(text(node, part, |leaf| leaf.xml)),
            Position::Inline => self.value(node, part),
            Position::Any => Content::inside(leaf(part).map_or(Spread::ZERO, |leaf| leaf.raw)),
            Position::AnyAttribute => Content { attributes: any_attributes(part), inside: Spread::ZERO },
            Position::Element | Position::Header => Content::inside(match (&node.kind, leaf(part)) {
                (Kind::String(StringForm::Raw), Some(leaf)) => leaf.raw,
                _ => self.element(&node.xml.name, self.value(node, part)),
            }),
        }
    }

    fn value(&self, node: &Node, part: &Part) -> Content {
        match (&node.kind, part) {
            (Kind::Record(id), Part::Record { fields, .. }) => self.record(self.plan.record(*id), fields),
            (Kind::Union(id), Part::Union { members, .. }) => self.union(*id, members),
            (Kind::Array { layout: ArrayLayout::Wrapped, item, .. }, Part::Items(items)) => {
                Content::inside(each(items, |part| self.field(item, part).inside))
            }
            (Kind::Map { key, value, attributes: false }, Part::Entries(items)) => {
                Content::inside(each(items, |part| {
                    let Part::Record { fields, .. } = part else { return Spread::ZERO };
                    let [key_part, value_part] = &fields[..] else { return Spread::ZERO };
                    let entry = Name { local: "entry".to_owned(), namespace: key.xml.name.namespace };
                    self.element(&entry, self.field(key, key_part).plus(self.field(value, value_part)))
                }))
            }
            (Kind::Optional(inner), Part::Optional { share, part }) => {
                part.as_ref().map_or(Content::NONE, |part| self.value(inner, part).or(*share, Content::NONE))
            }
            (
                Kind::Scalar(_)
                | Kind::String(_)
                | Kind::Decimal
                | Kind::Bytes { .. }
                | Kind::Array { .. }
                | Kind::Map { .. }
                | Kind::Optional(_)
                | Kind::Record(_)
                | Kind::Union(_)
                | Kind::Enum(_),
                part,
            ) => Content::inside(text(node, part, |leaf| leaf.xml)),
        }
    }

    fn record(&self, record: &Record, parts: &[Part]) -> Content {
        record
            .fields
            .iter()
            .zip(parts)
            .fold(Content::NONE, |sum, (field, part)| sum.plus(self.field(&field.node, part)))
    }

    fn union(&self, id: TypeId, members: &[(usize, f64, Part)]) -> Content {
        let union = self.plan.union(id);
        let member = |(index, _, part): &(usize, f64, Part)| {
            let node = &union.members[*index].node;
            if !union.derived {
                return self.field(node, part);
            }
            let content = self.value(node, part);
            match creo_plan::named(&node.ty) {
                Some(id) if union.base != Some(*index) => {
                    let name = self.name(self.plan.type_name(id));
                    Content {
                        attributes: content.attributes.and(" xsi:type=\"\"".len() as u64 + name),
                        ..content
                    }
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
}

/// The text of a value: of a leaf, or of a list (XML-33).
pub fn text(node: &Node, part: &Part, of: fn(&crate::leaf::Leaf) -> Spread) -> Spread {
    match (&node.kind, part) {
        (Kind::Bytes { hex: true }, Part::Leaf(leaf)) => leaf.hex,
        (Kind::Array { layout: ArrayLayout::List, item, .. }, Part::Items(items)) => {
            each(items, |part| text(item, part, of)).plus(separators(items))
        }
        (Kind::Optional(inner), Part::Optional { share, part }) => {
            part.as_ref().map_or(Spread::ZERO, |part| text(inner, part, of).or(*share, Spread::ZERO))
        }
        (
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_),
            part,
        ) => leaf(part).map_or(Spread::ZERO, of),
    }
}

fn each(items: &Items, of: impl Fn(&Part) -> Spread) -> Spread {
    match items {
        Items::Alike { count, item } => of(item).times(count),
        Items::Each(parts) => Spread::sum(parts.iter().map(of)),
    }
}

/// Names without a namespace (XML-36): others would need declarations.
fn any_attributes(part: &Part) -> Spread {
    let Part::Entries(items) = part else { return Spread::ZERO };
    each(items, |part| {
        let Part::Record { fields, .. } = part else { return Spread::ZERO };
        let [Part::Leaf(key), Part::Leaf(value)] = &fields[..] else { return Spread::ZERO };
        key.raw.plus(value.attribute).and(" =\"\"".len() as u64)
    })
}
