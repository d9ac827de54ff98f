//! Names, places and forms of values.

use super::{Enum, Field, InterfaceText, Message, MethodText, Name, Place, Record, Text, TextPlan, Union, Value, namespaces};
use crate::model::{Interface, Method, Model, Primitive, Type, TypeDecl, TypeId, TypeKind, Xml, XmlWord};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a declared type is to a value that names it.
#[derive(Clone, Copy)]
pub enum Kind {
    Record,
    Union,
    Enum,
}

/// The plan without starts, namespaces and `xsi`.
pub fn lower(model: &Model) -> TextPlan {
    let namespaces = namespaces(model);
    let lower = Lower { model, namespaces: &namespaces };
    let types = model.types.iter().map(|decl| lower.ty(decl)).collect();
    let interfaces = model.interfaces.iter().map(|interface| lower.interface(interface)).collect();
    TextPlan { types, interfaces, namespaces: namespaces.into_keys().map(str::to_owned).collect(), weights: Vec::new() }
}

struct Lower<'m> {
    model: &'m Model,
    namespaces: &'m BTreeMap<&'m str, usize>,
}

impl Lower<'_> {
    /// The empty namespace is none.
    fn namespace(&self, text: &str) -> Option<usize> {
        self.namespaces.get(text).copied()
    }

    fn own(&self, xml: &Xml) -> Option<Option<usize>> {
        xml.namespace.as_deref().map(|text| self.namespace(text))
    }

    fn ty(&self, decl: &TypeDecl) -> Text {
        let xml = decl.notes.xml();
        let namespace = self.own(xml).unwrap_or_else(|| self.namespace(&self.model.package(decl.package).namespace));
        let name = Name { local: xml.name.clone().unwrap_or_else(|| decl.name.clone()), namespace };
        let elements = if xml.has(XmlWord::Unqualified) { None } else { namespace };
        match &decl.kind {
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
                let fields = fields.iter().map(|field| self.field(&field.name, &field.ty, field.notes.xml(), elements)).collect();
                Text::Record(record(name, fields, decl.extensible))
            }
            TypeKind::Union(members) => Text::Union(Union {
                xml: name,
                base: members.iter().position(|member| member.notes.xml().has(XmlWord::Base)),
                members: members.iter().map(|member| self.member(&member.name, &member.ty, member.notes.xml(), elements)).collect(),
                extensible: decl.extensible,
                derived: xml.has(XmlWord::Derived),
                starts: Vec::new(),
                ambiguous: false,
                namespaces: Vec::new(),
                xsi: false,
            }),
            TypeKind::Enum(constants) => Text::Enum(Enum {
                xml: name,
                texts: constants.iter().map(|constant| constant.notes.xml().name.as_ref().unwrap_or(&constant.name).clone()).collect(),
                extensible: decl.extensible,
            }),
        }
    }

    fn interface(&self, interface: &Interface) -> InterfaceText {
        let package = &self.model.package(interface.package).namespace;
        let namespace = interface.notes.xml().namespace.as_ref().unwrap_or(package);
        InterfaceText {
            namespace: self.namespace(namespace),
            soap12: interface.notes.xml().has(XmlWord::Soap12),
            methods: interface.methods.iter().map(|method| self.method(interface, namespace, method)).collect(),
        }
    }

    fn method(&self, interface: &Interface, namespace: &str, method: &Method) -> MethodText {
        let xml = method.notes.xml();
        let global = self.own(xml).unwrap_or_else(|| self.namespace(namespace));
        let local = if xml.has(XmlWord::Unqualified) { None } else { global };
        let name = xml.name.as_ref().unwrap_or(&method.name);
        let action = xml.action.clone().unwrap_or_else(|| default_action(namespace, &interface.name, &method.name));

        let bare = xml.has(XmlWord::Bare);
        let mut element = Name { local: name.clone(), namespace: global };
        let mut fields = Vec::new();
        for parameter in &method.parameters {
            let said = parameter.notes.xml();
            // The elements of headers and bodies stand for themselves, as those of a schema's top level do.
            let field = if said.has(XmlWord::Header) {
                Field { place: Place::Header, ..self.field(&parameter.name, &parameter.ty, said, global) }
            } else if bare {
                let field = self.body(&parameter.name, said, &parameter.ty, self.name(&parameter.name, said, global));
                element = field.xml.clone();
                field
            } else {
                self.field(&parameter.name, &parameter.ty, said, local)
            };
            fields.push(field);
        }
        let request = Message { bare, record: record(element.clone(), fields, false), element };
        let response = (!method.oneway).then(|| self.response(method, &format!("{name}Response"), global, local));
        MethodText { action, request, response }
    }

    fn response(&self, method: &Method, name: &str, global: Option<usize>, local: Option<usize>) -> Message {
        let xml = method.response_xml();
        let namespace = self.own(xml).unwrap_or(global);
        let element = Name { local: xml.name.as_deref().unwrap_or(name).to_owned(), namespace };
        let bare = xml.has(XmlWord::Bare);
        let said = method.result_xml();
        let field = method
            .result
            .as_ref()
            .map(|ty| if bare { self.body("result", said, ty, element.clone()) } else { self.field("result", ty, said, local) });
        Message { bare, record: record(element.clone(), field.into_iter().collect(), false), element }
    }

    fn name(&self, name: &str, xml: &Xml, namespace: Option<usize>) -> Name {
        Name { local: xml.name.as_deref().unwrap_or(name).to_owned(), namespace: self.own(xml).unwrap_or(namespace) }
    }

    /// A field, parameter or result, in a record whose elements have the namespace.
    fn field(&self, name: &str, ty: &Type, xml: &Xml, namespace: Option<usize>) -> Field {
        let place = if xml.has(XmlWord::Attribute) {
            Place::Attribute
        } else if xml.has(XmlWord::Text) {
            Place::Text
        } else if xml.has(XmlWord::Inline) {
            Place::Inline
        } else if xml.has(XmlWord::Any) {
            Place::Any
        } else if xml.has(XmlWord::AnyAttribute) {
            Place::AnyAttribute
        } else {
            Place::Element
        };
        let is_attribute = matches!(place, Place::Attribute | Place::AnyAttribute);
        let xml_name = self.name(name, xml, if is_attribute { None } else { namespace });
        let form = Form { kind: &|id| self.kind(id), xml, nillable: xml.has(XmlWord::Nillable) || place == Place::Text };
        form.field(name, xml_name, place, ty)
    }

    /// A member of a union: one element, always.
    fn member(&self, name: &str, ty: &Type, xml: &Xml, namespace: Option<usize>) -> Field {
        let inline = xml.has(XmlWord::Inline);
        let xml_name = self.name(name, xml, namespace);
        let form = Form { kind: &|id| self.kind(id), xml, nillable: true };
        if inline { form.field(name, xml_name, Place::Inline, ty) } else { form.one(name, xml_name, ty) }
    }

    /// What is the body's element itself.
    fn body(&self, name: &str, xml: &Xml, ty: &Type, element: Name) -> Field {
        Form { kind: &|id| self.kind(id), xml, nillable: true }.one(name, element, ty)
    }

    fn kind(&self, id: TypeId) -> Kind {
        match self.model.ty(id).kind {
            TypeKind::Struct(_) | TypeKind::Exception(_) => Kind::Record,
            TypeKind::Union(_) => Kind::Union,
            TypeKind::Enum(_) => Kind::Enum,
        }
    }
}

fn record(xml: Name, fields: Vec<Field>, extensible: bool) -> Record {
    Record {
        xml,
        extensible,
        attributes: fields.iter().any(|field| matches!(field.place, Place::Attribute | Place::AnyAttribute)),
        text: fields.iter().position(|field| field.place == Place::Text),
        any: fields.iter().position(|field| field.place == Place::Any),
        fields,
        starts: Vec::new(),
        ambiguous: false,
        namespaces: Vec::new(),
        xsi: false,
    }
}

/// A value alone.
pub fn alone(name: &str, xml: Name, ty: &Type, kind: &dyn Fn(TypeId) -> Kind) -> Field {
    Form { kind, xml: &Xml::NONE, nillable: true }.one(name, xml, ty)
}

/// How the type of one field becomes the form of its value. Types nest to a limit, so this ends early.
struct Form<'a> {
    kind: &'a dyn Fn(TypeId) -> Kind,
    xml: &'a Xml,
    /// Whether the field's own `T?` is written with `xsi:nil`.
    nillable: bool,
}

impl Form<'_> {
    /// XML-22: an array is an element for each item.
    fn field(&self, name: &str, xml: Name, place: Place, ty: &Type) -> Field {
        match ty {
            Type::Array(item) if !self.xml.has(XmlWord::List) => {
                let inner = Field { name: name.to_owned(), xml: xml.clone(), place, nillable: is_optional(item), value: self.value(item, &xml) };
                Field { name: name.to_owned(), xml, place, nillable: false, value: Value::Repeated(Box::new(inner)) }
            }
            Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) | Type::Named(_) => {
                let nillable = self.nillable && is_optional(ty);
                Field { name: name.to_owned(), place, nillable, value: self.value(ty, &xml), xml }
            }
        }
    }

    /// XML-23: one element, whatever the type.
    fn one(&self, name: &str, xml: Name, ty: &Type) -> Field {
        Field { name: name.to_owned(), place: Place::Element, nillable: self.nillable && is_optional(ty), value: self.value(ty, &xml), xml }
    }

    /// The value within an element of the name.
    fn value(&self, ty: &Type, element: &Name) -> Value {
        let said = self.xml;
        match ty {
            Type::Primitive(Primitive::String) if said.has(XmlWord::Any) || said.has(XmlWord::Raw) => Value::Raw,
            Type::Primitive(Primitive::String) if said.schema_type == Some("QName") => Value::QName,
            Type::Primitive(Primitive::String) if said.schema_type.is_some_and(|ty| !matches!(ty, "normalizedString" | "anySimpleType")) => {
                Value::Token
            }
            Type::Primitive(primitive) => Value::Scalar(*primitive),
            Type::Bytes => Value::Bytes { hex: said.schema_type == Some("hexBinary") },
            Type::Optional(item) => Value::Optional(Box::new(self.value(item, element))),
            Type::Array(item) if said.has(XmlWord::List) => Value::List(Box::new(match item.as_ref() {
                Type::Primitive(Primitive::String) if said.schema_type == Some("QName") => Value::QName,
                // The items of a list hold no white space, whatever they are called.
                Type::Primitive(primitive) => Value::Scalar(*primitive),
                other => self.value(other, element),
            })),
            Type::Array(item) => Value::Wrapped(Box::new(self.part("item", element, item, is_optional(item)))),
            Type::Map(..) if said.has(XmlWord::AnyAttribute) => Value::Attributes,
            Type::Map(key, value) => {
                let key = self.part("key", element, key, false);
                Value::Entries(Box::new(key), Box::new(self.part("value", element, value, false)))
            }
            Type::Named(id) => match (self.kind)(*id) {
                Kind::Record => Value::Record(*id),
                Kind::Union => Value::Union(*id),
                Kind::Enum => Value::Enum(*id),
            },
        }
    }

    fn part(&self, name: &str, element: &Name, ty: &Type, nillable: bool) -> Field {
        let xml = Name { local: name.to_owned(), namespace: element.namespace };
        Field { name: name.to_owned(), place: Place::Element, nillable, value: self.value(ty, &xml), xml }
    }
}

fn is_optional(ty: &Type) -> bool {
    matches!(ty, Type::Optional(_))
}

/// The action of a method that names none (SOAP-7). Characters beyond ASCII, which no header holds, are written as in URIs.
pub fn default_action(namespace: &str, interface: &str, method: &str) -> String {
    let mut action = String::new();
    for byte in namespace.bytes() {
        if byte.is_ascii() && !b"{}|\\^`".contains(&byte) {
            action.push(char::from(byte));
        } else {
            let _ = write!(action, "%{byte:02X}");
        }
    }
    if !action.is_empty() && !action.ends_with(['/', ':', '#']) {
        let is_urn = action.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("urn:"));
        action.push(if is_urn { ':' } else { '/' });
    }
    let _ = write!(action, "{interface}/{method}");
    action
}

#[cfg(test)]
mod tests {
    use super::default_action;

    /// SOAP-7
    #[test]
    fn actions() {
        assert_eq!(default_action("urn:creo:org.example.data", "DataService", "find"), "urn:creo:org.example.data:DataService/find");
        assert_eq!(default_action("URN:x", "I", "m"), "URN:x:I/m");
        assert_eq!(default_action("http://example.org/data", "I", "m"), "http://example.org/data/I/m");
        assert_eq!(default_action("http://example.org/data/", "I", "m"), "http://example.org/data/I/m");
        assert_eq!(default_action("http://example.org/data#", "I", "m"), "http://example.org/data#I/m");
        assert_eq!(default_action("urn:x:", "I", "m"), "urn:x:I/m");
        assert_eq!(default_action("http://example.org/\u{e9}", "I", "m"), "http://example.org/%C3%A9/I/m");
        assert_eq!(default_action("", "I", "m"), "I/m");
    }
}
