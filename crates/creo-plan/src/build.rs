//! Builds the plan of a model: names, positions and forms of values.

use crate::Plan;
use crate::node::{ArrayLayout, Kind, Name, Node, Position, Shape, StringForm, Xml};
use crate::record::{Constant, Content, Declared, Enum, Field, Interface, Message, Method, Record, Union};
use crate::scalar::{FixedScalar, SOAP_ENCODING, XML_SCHEMA, schema_type};
use crate::{memory, shape};
use creo_model::{Literal, Model, Primitive, Type, TypeDecl, TypeId, TypeKind, XmlWord};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The plan without first sets and without the namespaces of messages and values.
pub fn draft(model: &Model) -> Plan {
    let namespaces = namespaces(model);
    let shapes = shape::shapes(model);
    let weights = memory::weights(model, &shapes);
    let build = Build { model, namespaces: &namespaces, shapes, weights };
    let types: Vec<Declared> = model.type_ids().map(|id| build.declared(id)).collect();
    let values = model.type_ids().map(|id| build.alone(id)).collect();
    let interfaces = model.interfaces.iter().map(|interface| build.interface(interface)).collect();
    Plan { namespaces: namespaces.into_keys().map(str::to_owned).collect(), types, values, interfaces }
}

/// All namespaces of a description, with their indices.
pub fn namespaces(model: &Model) -> BTreeMap<&str, usize> {
    let mut all: BTreeSet<&str> = model.packages.iter().map(|package| package.namespace.as_str()).collect();
    for decl in &model.types {
        all.extend(decl.notes.xml().namespace.as_deref());
        all.extend(decl.fields().iter().filter_map(|field| field.notes.xml().namespace.as_deref()));
    }
    for interface in &model.interfaces {
        all.extend(interface.notes.xml().namespace.as_deref());
        for method in &interface.methods {
            let own = [method.notes.xml(), method.response_xml(), method.result_xml()];
            all.extend(own.into_iter().filter_map(|xml| xml.namespace.as_deref()));
            all.extend(
                method.parameters.iter().filter_map(|parameter| parameter.notes.xml().namespace.as_deref()),
            );
        }
    }
    if model.interfaces.iter().any(|interface| interface.notes.xml().has(XmlWord::Encoded)) {
        all.extend([XML_SCHEMA, SOAP_ENCODING]);
    }
    all.remove("");
    all.into_iter().enumerate().map(|(index, namespace)| (namespace, index)).collect()
}

struct Build<'m> {
    model: &'m Model,
    namespaces: &'m BTreeMap<&'m str, usize>,
    shapes: Vec<Shape>,
    weights: Vec<u64>,
}

impl Build<'_> {
    /// The empty namespace means none.
    fn namespace(&self, text: &str) -> Option<usize> {
        self.namespaces.get(text).copied()
    }

    fn own(&self, said: &creo_model::Xml) -> Option<Option<usize>> {
        said.namespace.as_deref().map(|text| self.namespace(text))
    }

    fn type_name(&self, decl: &TypeDecl) -> Name {
        let said = decl.notes.xml();
        let namespace =
            self.own(said).unwrap_or_else(|| self.namespace(&self.model.package(decl.package).namespace));
        Name { local: said.name.clone().unwrap_or_else(|| decl.name.clone()), namespace }
    }

    /// The namespace of the elements that a type declares, unless their annotations give another.
    fn elements(&self, decl: &TypeDecl) -> Option<usize> {
        let unqualified = decl.notes.xml().has(XmlWord::Unqualified);
        self.type_name(decl).namespace.filter(|_| !unqualified)
    }

    fn declared(&self, id: TypeId) -> Declared {
        let decl = self.model.ty(id);
        let said = decl.notes.xml();
        let (name, shape) = (self.type_name(decl), self.shapes[id.0]);
        let elements = self.elements(decl);
        match &decl.kind {
            TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
                let fields = fields.iter().map(|field| {
                    let node = self.field(&field.name, &field.ty, field.notes.xml(), elements);
                    made(&field.name, node, field.default.as_ref(), decl.extensible)
                });
                let record = record(name, fields.collect(), decl.extensible);
                Declared::Record(Record {
                    recursive: decl.recursive,
                    shape,
                    weight: self.weights[id.0],
                    ..record
                })
            }
            TypeKind::Union(members) => {
                let fields = members.iter().map(|member| {
                    let node = self.member(&member.name, &member.ty, member.notes.xml(), elements);
                    made(&member.name, node, None, false)
                });
                Declared::Union(Union {
                    xml: name,
                    base: members.iter().position(|member| member.notes.xml().has(XmlWord::Base)),
                    members: fields.collect(),
                    extensible: decl.extensible,
                    recursive: decl.recursive,
                    shape,
                    derived: said.has(XmlWord::Derived),
                    content: Content::default(),
                })
            }
            TypeKind::Enum(constants) => {
                let constants = constants.iter().map(|constant| Constant {
                    name: constant.name.clone(),
                    number: constant.number,
                    text: constant.notes.xml().name.as_ref().unwrap_or(&constant.name).clone(),
                });
                Declared::Enum(Enum {
                    xml: name,
                    constants: constants.collect(),
                    extensible: decl.extensible,
                    shape,
                })
            }
        }
    }

    /// A standalone value of a declared type (XML-3).
    fn alone(&self, id: TypeId) -> Node {
        let name = self.type_name(self.model.ty(id));
        self.node(
            &Type::Named(id),
            creo_model::Xml::none(),
            Xml { name, position: Position::Element, nillable: false },
        )
    }

    fn interface(&self, interface: &creo_model::Interface) -> Interface {
        let package = &self.model.package(interface.package).namespace;
        let namespace = interface.notes.xml().namespace.as_ref().unwrap_or(package);
        Interface {
            namespace: self.namespace(namespace),
            soap12: interface.notes.xml().has(XmlWord::Soap12),
            encoded: interface.notes.xml().has(XmlWord::Encoded),
            addressing: interface.notes.xml().has(XmlWord::Addressing),
            methods: interface
                .methods
                .iter()
                .map(|method| self.method(interface, namespace, method))
                .collect(),
        }
    }

    fn method(
        &self,
        interface: &creo_model::Interface,
        namespace: &str,
        method: &creo_model::Method,
    ) -> Method {
        let said = method.notes.xml();
        let global = self.own(said).unwrap_or_else(|| self.namespace(namespace));
        let unqualified = said.has(XmlWord::Unqualified) || interface.notes.xml().has(XmlWord::Encoded);
        let local = if unqualified { None } else { global };
        let name = said.name.as_ref().unwrap_or(&method.name);

        let bare = said.has(XmlWord::Bare);
        let mut element = Name { local: name.clone(), namespace: global };
        let mut fields = Vec::new();
        for parameter in method.arguments() {
            let said = parameter.notes.xml();
            // The elements of headers and bodies are global, like those at the top level of a schema.
            let node = if said.has(XmlWord::Header) {
                in_header(self.field(&parameter.name, &parameter.ty, said, global))
            } else if bare {
                let name = self.name(&parameter.name, said, global);
                // SOAP-91: the first element names the method.
                if fields.iter().all(|field: &Field| field.node.xml.position == Position::Header) {
                    element = name.clone();
                }
                self.one(&parameter.ty, said, name, true)
            } else {
                self.field(&parameter.name, &parameter.ty, said, local)
            };
            fields.push(made(&parameter.name, node, None, false));
        }
        let stream = |name: &str, item: &Type| {
            let node = self.field(name, &array_of(item), creo_model::Xml::none(), local);
            made(name, node, None, false)
        };
        let given = method.result.as_ref().filter(|_| method.streams_result);
        let item = match (method.stream_parameter(), given) {
            (Some(field), None) => Some(&field.ty),
            (None, item) => item,
            (Some(_), Some(_)) => None,
        };
        Method {
            item: item.map(|item| {
                let node = self.field("item", item, creo_model::Xml::none(), local);
                let element = Name { local: "item".to_owned(), namespace: local };
                let fields = vec![made("item", node, None, false)];
                Message { bare: false, record: record(element.clone(), fields, false), element }
            }),
            stream_parameter: method.stream_parameter().map(|field| stream(&field.name, &field.ty)),
            stream_result: given.map(|item| stream("items", item)),
            action: said
                .action
                .clone()
                .unwrap_or_else(|| default_action(namespace, &interface.name, &method.name)),
            request: Message { bare, record: record(element.clone(), fields, false), element },
            response: (!method.oneway)
                .then(|| self.response(method, &format!("{name}Response"), global, local)),
            soap_response: self.soap_response(method, &format!("{name}Response"), global),
            throws: method.throws.clone(),
        }
    }

    fn response(
        &self,
        method: &creo_model::Method,
        name: &str,
        global: Option<usize>,
        local: Option<usize>,
    ) -> Message {
        let (element, bare) = self.response_element(method, name, global);
        let said = method.result_xml();
        let result = method.returns().map(|ty| {
            let node = if bare {
                self.one(ty, said, element.clone(), true)
            } else {
                self.field("result", ty, said, local)
            };
            made("result", node, None, false)
        });
        Message { bare, record: record(element.clone(), result.into_iter().collect(), false), element }
    }

    /// SOAP-26, SOAP-100: the fields of the result as parts of the message. Their elements are those that the struct has alone.
    fn soap_response(
        &self,
        method: &creo_model::Method,
        name: &str,
        global: Option<usize>,
    ) -> Option<Message> {
        let result = self.model.ty(self.model.result_in_parts(method)?);
        let elements = self.elements(result);
        let (mut element, bare) = self.response_element(method, name, global);
        let mut body = result.fields().iter().filter(|field| !field.notes.xml().has(XmlWord::Header));
        let first = body.next();
        let has_several = body.next().is_some();
        if let Some(first) = first.filter(|_| bare && has_several) {
            element = self.name(&first.name, first.notes.xml(), elements);
        }
        let fields = result.fields().iter().map(|field| {
            let said = field.notes.xml();
            let node = if said.has(XmlWord::Header) {
                in_header(self.field(&field.name, &field.ty, said, elements))
            } else if !bare {
                self.field(&field.name, &field.ty, said, elements)
            } else if has_several {
                self.one(&field.ty, said, self.name(&field.name, said, elements), true)
            } else {
                self.one(&field.ty, said, element.clone(), true)
            };
            made(&field.name, node, None, false)
        });
        Some(Message { bare, record: record(element.clone(), fields.collect(), false), element })
    }

    /// The element of a response, and whether it is bare.
    fn response_element(
        &self,
        method: &creo_model::Method,
        name: &str,
        global: Option<usize>,
    ) -> (Name, bool) {
        let said = method.response_xml();
        let namespace = self.own(said).unwrap_or(global);
        let local = said.name.as_deref().unwrap_or(name).to_owned();
        (Name { local, namespace }, said.has(XmlWord::Bare))
    }

    fn name(&self, name: &str, said: &creo_model::Xml, namespace: Option<usize>) -> Name {
        Name {
            local: said.name.as_deref().unwrap_or(name).to_owned(),
            namespace: self.own(said).unwrap_or(namespace),
        }
    }

    /// A field, parameter or result in a record whose elements have the namespace. An array has an element for each item (XML-22).
    fn field(&self, name: &str, ty: &Type, said: &creo_model::Xml, namespace: Option<usize>) -> Node {
        let position = position(said);
        let is_attribute = matches!(position, Position::Attribute | Position::AnyAttribute);
        let name = self.name(name, said, if is_attribute { None } else { namespace });
        let nillable = said.has(XmlWord::Nillable) || position == Position::Text;
        self.placed(ty, said, name, position, nillable)
    }

    /// A union member, which is always one element.
    fn member(&self, name: &str, ty: &Type, said: &creo_model::Xml, namespace: Option<usize>) -> Node {
        let name = self.name(name, said, namespace);
        if said.has(XmlWord::Inline) {
            self.placed(ty, said, name, Position::Inline, true)
        } else {
            self.one(ty, said, name, true)
        }
    }

    fn placed(
        &self,
        ty: &Type,
        said: &creo_model::Xml,
        name: Name,
        position: Position,
        nillable: bool,
    ) -> Node {
        match ty {
            Type::Array(item) if !said.has(XmlWord::List) => {
                let item =
                    self.node(item, said, Xml { name: name.clone(), position, nillable: is_optional(item) });
                self.array(ty, item, ArrayLayout::Repeated, Xml { name, position, nillable: false })
            }
            Type::Primitive(_)
            | Type::Bytes
            | Type::Array(_)
            | Type::Optional(_)
            | Type::Map(..)
            | Type::Named(_) => {
                self.node(ty, said, Xml { name, position, nillable: nillable && is_optional(ty) })
            }
        }
    }

    /// XML-23: one element for any type.
    fn one(&self, ty: &Type, said: &creo_model::Xml, name: Name, nillable: bool) -> Node {
        self.node(ty, said, Xml { name, position: Position::Element, nillable: nillable && is_optional(ty) })
    }

    /// The value, with its own element if it is an array.
    fn node(&self, ty: &Type, said: &creo_model::Xml, xml: Xml) -> Node {
        let element = xml.name.namespace;
        let kind = match ty {
            Type::Primitive(Primitive::String) => Kind::String(string_form(said)),
            Type::Primitive(Primitive::Decimal) => Kind::Decimal,
            Type::Primitive(primitive) => Kind::Scalar(FixedScalar::of(*primitive).expect("texts are above")),
            Type::Bytes => Kind::Bytes { hex: said.schema_type == Some("hexBinary") },
            Type::Optional(inner) => {
                Kind::Optional(Box::new(self.node(inner, said, Xml { nillable: false, ..xml.clone() })))
            }
            Type::Array(item) if said.has(XmlWord::List) => {
                let nameless = Xml {
                    name: Name { local: String::new(), namespace: None },
                    position: Position::Text,
                    nillable: false,
                };
                // Items of a list contain no white space, whatever their schema type, but names still have prefixes.
                let plain = matches!(item.as_ref(), Type::Primitive(_)) && said.schema_type != Some("QName");
                let item = self.node(item, if plain { creo_model::Xml::none() } else { said }, nameless);
                return self.array(ty, item, ArrayLayout::List, xml);
            }
            Type::Array(item) => {
                let item = self.part("item", element, item, said, is_optional(item));
                return self.array(ty, item, ArrayLayout::Wrapped, xml);
            }
            Type::Map(key, value) => {
                let attributes = said.has(XmlWord::AnyAttribute);
                let (namespace, said) =
                    if attributes { (None, creo_model::Xml::none()) } else { (element, said) };
                let part = |name: &str, ty: &Type| Box::new(self.part(name, namespace, ty, said, false));
                Kind::Map { key: part("key", key), value: part("value", value), attributes }
            }
            Type::Named(id) => match self.model.ty(*id).kind {
                TypeKind::Struct(_) | TypeKind::Exception(_) => Kind::Record(*id),
                TypeKind::Union(_) => Kind::Union(*id),
                TypeKind::Enum(_) => Kind::Enum(*id),
            },
        };
        Node { schema: schema(&kind, said), ..self.finish(ty, kind, xml) }
    }

    /// An item, key or value in the element of an array or a map.
    fn part(
        &self,
        name: &str,
        namespace: Option<usize>,
        ty: &Type,
        said: &creo_model::Xml,
        nillable: bool,
    ) -> Node {
        let name = Name { local: name.to_owned(), namespace };
        self.node(ty, said, Xml { name, position: Position::Element, nillable })
    }

    fn array(&self, ty: &Type, item: Node, layout: ArrayLayout, xml: Xml) -> Node {
        let bulk = match item.kind {
            Kind::Scalar(scalar) => scalar.bulk(),
            Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => None,
        };
        self.finish(ty, Kind::Array { item: Box::new(item), bulk, layout }, xml)
    }

    fn finish(&self, ty: &Type, kind: Kind, xml: Xml) -> Node {
        Node {
            ty: ty.clone(),
            shape: shape::of_type(ty, &self.shapes),
            weight: memory::weight(ty, |id| self.weights[id.0]),
            charges: memory::charges(&kind),
            kind,
            xml,
            schema: None,
        }
    }
}

fn position(said: &creo_model::Xml) -> Position {
    if said.has(XmlWord::Attribute) {
        Position::Attribute
    } else if said.has(XmlWord::Text) {
        Position::Text
    } else if said.has(XmlWord::Inline) {
        Position::Inline
    } else if said.has(XmlWord::Any) {
        Position::Any
    } else if said.has(XmlWord::AnyAttribute) {
        Position::AnyAttribute
    } else {
        Position::Element
    }
}

/// The items of an array are still elements.
fn in_header(mut node: Node) -> Node {
    node.xml.position = Position::Header;
    if let Kind::Optional(inner) = &mut node.kind {
        inner.xml.position = Position::Header;
    }
    node
}

/// The XML Schema type of a text.
fn schema(kind: &Kind, said: &creo_model::Xml) -> Option<&'static str> {
    let own = match kind {
        Kind::String(StringForm::Raw)
        | Kind::Array { .. }
        | Kind::Map { .. }
        | Kind::Optional(_)
        | Kind::Record(_)
        | Kind::Union(_)
        | Kind::Enum(_) => return None,
        Kind::Scalar(scalar) => schema_type(scalar.primitive()),
        Kind::String(_) => schema_type(Primitive::String),
        Kind::Decimal => schema_type(Primitive::Decimal),
        Kind::Bytes { .. } => "base64Binary",
    };
    Some(said.schema_type.unwrap_or(own))
}

fn string_form(said: &creo_model::Xml) -> StringForm {
    if said.has(XmlWord::Any) || said.has(XmlWord::Raw) {
        StringForm::Raw
    } else if said.schema_type == Some("QName") {
        StringForm::QName
    } else if said.schema_type.is_some_and(|ty| !matches!(ty, "normalizedString" | "anySimpleType")) {
        StringForm::Token
    } else {
        StringForm::Plain
    }
}

fn made(name: &str, node: Node, default: Option<&Literal>, extensible: bool) -> Field {
    let default_if_missing = default.is_some() && (extensible || node.xml.position == Position::Attribute);
    Field { name: name.to_owned(), node, default: default.cloned(), default_if_missing }
}

fn record(xml: Name, fields: Vec<Field>, extensible: bool) -> Record {
    let at = |position: Position| fields.iter().position(|field| field.node.xml.position == position);
    Record {
        xml,
        extensible,
        recursive: false,
        shape: Shape::variable(0),
        weight: 0,
        has_attributes: at(Position::Attribute).is_some() || at(Position::AnyAttribute).is_some(),
        text: at(Position::Text),
        any: at(Position::Any),
        fields,
        content: Content::default(),
    }
}

/// `T[]`, which is the byte string if `T` is `byte`.
fn array_of(item: &Type) -> Type {
    if *item == Type::Primitive(Primitive::Byte) { Type::Bytes } else { Type::Array(Box::new(item.clone())) }
}

fn is_optional(ty: &Type) -> bool {
    matches!(ty, Type::Optional(_))
}

/// The action of a method that declares none (SOAP-7). Characters that URIs do not allow are written as `%` and two digits.
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
        assert_eq!(
            default_action("urn:creo:org.example.data", "DataService", "find"),
            "urn:creo:org.example.data:DataService/find"
        );
        assert_eq!(default_action("URN:x", "I", "m"), "URN:x:I/m");
        assert_eq!(default_action("http://example.org/data", "I", "m"), "http://example.org/data/I/m");
        assert_eq!(default_action("http://example.org/data/", "I", "m"), "http://example.org/data/I/m");
        assert_eq!(default_action("http://example.org/data#", "I", "m"), "http://example.org/data#I/m");
        assert_eq!(default_action("urn:x:", "I", "m"), "urn:x:I/m");
        assert_eq!(default_action("http://example.org/\u{e9}", "I", "m"), "http://example.org/%C3%A9/I/m");
        assert_eq!(default_action("${a}\\|^`", "I", "m"), "$%7Ba%7D%5C%7C%5E%60/I/m");
        assert_eq!(default_action("", "I", "m"), "I/m");
    }
}
