//! Values without an element of their own (XML-35), and unions (XML-25, XML-37).
// A new kind of value must be handled here.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::xml_read::{Elements, Reader, Result};
use crate::xml_tree::{Element, XSI};
use creo_model::TypeId;
use creo_plan::{Field, Kind, Node, Position};
use serde_json::{Map, Value};

impl Reader<'_> {
    /// Whether a value can begin with an element.
    pub fn begins(&self, node: &Node, element: &Element) -> bool {
        if node.xml.position != Position::Inline {
            return node.xml.position == Position::Any || self.is(element, &node.xml.name);
        }
        match &node.kind {
            Kind::Optional(inner) => self.begins(inner, element),
            Kind::Array { item, .. } => self.begins(item, element),
            Kind::Record(id) => {
                self.plan.record(*id).content.first.iter().any(|(name, _)| self.is(element, name))
            }
            Kind::Union(id) => {
                self.plan.union(*id).content.first.iter().any(|(name, _)| self.is(element, name))
            }
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Map { .. }
            | Kind::Enum(_) => false,
        }
    }

    /// XML-35
    pub fn inline(&mut self, node: &Node, elements: &mut Elements<'_>) -> Result<Value> {
        match &node.kind {
            Kind::Optional(inner) => match elements.next() {
                Some(element) if self.begins(inner, element) => self.inline(inner, elements),
                Some(_) | None => Ok(Value::Null),
            },
            Kind::Array { item, .. } => {
                let mut items = Vec::new();
                while elements.next().is_some_and(|element| self.begins(item, element)) {
                    let before = elements.at;
                    items.push(self.within(format!("[{}]", items.len()), |r| r.inline(item, elements))?);
                    if elements.at == before {
                        return self.wrong("an item that is inline has no elements");
                    }
                }
                Ok(items.into())
            }
            Kind::Record(id) => self.inline_record(*id, elements),
            Kind::Union(id) => self.member(*id, elements),
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Map { .. }
            | Kind::Enum(_) => self.wrong("only structs and unions are inline"),
        }
    }

    /// In declared order: an element that is not expected next ends the struct.
    pub fn inline_record(&mut self, id: TypeId, elements: &mut Elements<'_>) -> Result<Value> {
        let plan = self.plan;
        let record = plan.record(id);
        let mut object = Map::new();
        let mut read = vec![false; record.fields.len()];
        let mut from = 0;
        while let Some(element) = elements.next() {
            let next = (from..record.fields.len()).find(|i| self.begins(&record.fields[*i].node, element));
            let Some(index) = next else { break };
            let field = &record.fields[index];
            let value = self.within(format!(".{}", field.name), |r| r.field(field, elements, record, 0))?;
            if let Some(value) = value {
                object.insert(field.name.clone(), value);
                read[index] = true;
                from = index + 1;
            }
        }
        for (field, read) in record.fields.iter().zip(read) {
            if !read {
                self.missing(field, &mut object)?;
            }
        }
        Ok(object.into())
    }

    /// XML-25, XML-37
    pub fn union(&mut self, id: TypeId, element: &Element) -> Result<Value> {
        let plan = self.plan;
        let union = plan.union(id);
        if !union.derived {
            self.no_attributes(element, union.extensible)?;
            let mut elements = Elements::new(self.children(element)?);
            let value = self.member(id, &mut elements)?;
            return match elements.next() {
                Some(element) => self.unexpected(element, "nothing"),
                None => Ok(value),
            };
        }
        let index = match element.attribute(XSI, "type") {
            None => union.base,
            Some(said) => {
                let name = self.expanded(element, said)?;
                let of = |member: &Field| match member.node.kind {
                    Kind::Record(id) => {
                        let xml = &plan.record(id).xml;
                        let namespace = self.namespace(xml);
                        if namespace.is_empty() {
                            xml.local.clone()
                        } else {
                            format!("{{{namespace}}}{}", xml.local)
                        }
                    }
                    Kind::Scalar(_)
                    | Kind::String(_)
                    | Kind::Decimal
                    | Kind::Bytes { .. }
                    | Kind::Array { .. }
                    | Kind::Map { .. }
                    | Kind::Optional(_)
                    | Kind::Union(_)
                    | Kind::Enum(_) => String::new(),
                };
                match union.members.iter().position(|member| of(member) == name) {
                    Some(index) => Some(index),
                    None => return self.wrong(format!("xsi:type names {name}, which is no member")),
                }
            }
        };
        let Some(member) = index.map(|index| &union.members[index]) else {
            return self.wrong("xsi:type is missing, which says what it is");
        };
        let value = self.within(format!(".{}", member.name), |r| r.element(&member.node, element))?;
        Ok(Value::Object([(member.name.clone(), value)].into_iter().collect()))
    }

    fn member(&mut self, id: TypeId, elements: &mut Elements<'_>) -> Result<Value> {
        let plan = self.plan;
        let union = plan.union(id);
        let Some(element) = elements.next() else { return self.wrong("a union has no member") };
        let Some(member) = union.members.iter().find(|member| self.begins(&member.node, element)) else {
            let names: Vec<&str> = union.members.iter().map(|member| member.name.as_str()).collect();
            return self.unexpected(element, &names.join(", "));
        };
        let value = self.within(format!(".{}", member.name), |r| match member.node.xml.position {
            Position::Inline => r.inline(&member.node, elements),
            Position::Element
            | Position::Any
            | Position::Attribute
            | Position::AnyAttribute
            | Position::Text
            | Position::Header => {
                elements.at += 1;
                r.element(&member.node, element)
            }
        })?;
        Ok(Value::Object([(member.name.clone(), value)].into_iter().collect()))
    }
}
