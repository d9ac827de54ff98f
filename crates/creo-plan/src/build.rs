//! Makes a plan of a model.

use crate::node::{ArrayLayout, Charges, Kind, Name, Node, Position, Shape, StringForm, Xml};
use crate::record::{Constant, Content, Declared, Enum, Field, Interface, Message, Method, Record, Union};
use crate::scalar::FixedScalar;
use crate::Plan;
use creo_model::text::{self, TextPlan};
use creo_model::{CheckedModel, Literal, Primitive, Type, TypeId, TypeKind};

pub fn plan(model: &CheckedModel) -> Plan {
    let build = Build { model, plan: creo_model::plan(model), text: text::text_plan(model) };
    Plan {
        namespaces: build.text.namespaces().to_vec(),
        types: model.type_ids().map(|id| build.declared(id)).collect(),
        values: model.type_ids().map(|id| build.alone(id)).collect(),
        interfaces: (0..model.interfaces.len()).map(|index| build.interface(index)).collect(),
    }
}

struct Build<'m> {
    model: &'m CheckedModel,
    plan: creo_model::Plan<'m>,
    text: TextPlan,
}

impl Build<'_> {
    fn declared(&self, id: TypeId) -> Declared {
        let decl = self.model.ty(id);
        let shape = shape(self.plan.shape(id));
        match &decl.kind {
            TypeKind::Struct(declared) | TypeKind::Exception(declared) => {
                let defaults: Vec<(&Type, Option<&Literal>)> = declared.iter().map(|field| (&field.ty, field.default.as_ref())).collect();
                let record = self.record(self.text.record(id), &defaults);
                let weight = self.plan.weight(&Type::Named(id));
                Declared::Record(Record { recursive: decl.recursive, shape, weight, ..record })
            }
            TypeKind::Union(declared) => {
                let union = self.text.union(id);
                let members = union.members.iter().zip(declared).map(|(member, declared)| self.field(member, &declared.ty, None, false)).collect();
                Declared::Union(Union {
                    xml: name(&union.xml),
                    members,
                    extensible: decl.extensible,
                    recursive: decl.recursive,
                    shape,
                    derived: union.derived,
                    base: union.base,
                    content: content(&union.starts, union.ambiguous, &union.namespaces, union.xsi),
                })
            }
            TypeKind::Enum(declared) => {
                let enumeration = self.text.enumeration(id);
                let constants = declared.iter().zip(&enumeration.texts);
                Declared::Enum(Enum {
                    xml: name(&enumeration.xml),
                    constants: constants
                        .map(|(constant, text)| Constant { name: constant.name.clone(), number: constant.number, text: text.clone() })
                        .collect(),
                    extensible: decl.extensible,
                    shape,
                })
            }
        }
    }

    fn record(&self, record: &text::Record, declared: &[(&Type, Option<&Literal>)]) -> Record {
        let fields = record.fields.iter().zip(declared);
        Record {
            xml: name(&record.xml),
            fields: fields.map(|(field, (ty, default))| self.field(field, ty, *default, record.extensible)).collect(),
            extensible: record.extensible,
            recursive: false,
            shape: Shape { min_size: 0, fixed_size: None, any_bits: false },
            weight: 0,
            has_attributes: record.attributes,
            text: record.text,
            any: record.any,
            content: content(&record.starts, record.ambiguous, &record.namespaces, record.xsi),
        }
    }

    fn field(&self, field: &text::Field, ty: &Type, default: Option<&Literal>, extensible: bool) -> Field {
        Field {
            name: field.name.clone(),
            node: self.node(ty, &field.value, xml(field)),
            default: default.cloned(),
            default_if_missing: default.is_some() && (extensible || field.place == text::Place::Attribute),
        }
    }

    /// The one place in which a type and its form in XML are walked side by side.
    fn node(&self, ty: &Type, value: &text::Value, xml: Xml) -> Node {
        let creo_model::Charges { own, each } = self.text.value_charges(value);
        let kind = match (ty, value) {
            (Type::Primitive(Primitive::String), text::Value::Token) => Kind::String(StringForm::Token),
            (Type::Primitive(Primitive::String), text::Value::Raw) => Kind::String(StringForm::Raw),
            (Type::Primitive(Primitive::String), _) => Kind::String(StringForm::Plain),
            (Type::Primitive(Primitive::Decimal), _) => Kind::Decimal,
            (Type::Primitive(primitive), _) => Kind::Scalar(FixedScalar::of(*primitive).expect("texts are above")),
            (Type::Bytes, value) => Kind::Bytes { hex: *value == text::Value::Bytes { hex: true } },
            (Type::Optional(ty), text::Value::Optional(value)) => {
                Kind::Optional(Box::new(self.node(ty, value, Xml { nillable: false, ..xml.clone() })))
            }
            (Type::Array(ty), text::Value::Repeated(item)) => self.array(ty, ArrayLayout::Repeated, &item.value, crate::build::xml(item)),
            (Type::Array(ty), text::Value::Wrapped(item)) => self.array(ty, ArrayLayout::Wrapped, &item.value, crate::build::xml(item)),
            (Type::Array(ty), text::Value::List(item)) => {
                let nameless = Name { local: String::new(), namespace: None };
                self.array(ty, ArrayLayout::List, item, Xml { name: nameless, position: Position::Text, nillable: false })
            }
            (Type::Map(key, value), text::Value::Entries(key_form, value_form)) => Kind::Map {
                key: Box::new(self.node(key, &key_form.value, crate::build::xml(key_form))),
                value: Box::new(self.node(value, &value_form.value, crate::build::xml(value_form))),
                attributes: false,
            },
            (Type::Map(key, value), text::Value::Attributes) => {
                let part = |local: &str, ty: &Type| {
                    let name = Name { local: local.to_owned(), namespace: None };
                    let form = text::Value::Scalar(Primitive::String);
                    Box::new(self.node(ty, &form, Xml { name, position: Position::Element, nillable: false }))
                };
                Kind::Map { key: part("key", key), value: part("value", value), attributes: true }
            }
            (Type::Named(_), text::Value::Record(id)) => Kind::Record(*id),
            (Type::Named(_), text::Value::Union(id)) => Kind::Union(*id),
            (Type::Named(_), text::Value::Enum(id)) => Kind::Enum(*id),
            (ty, value) => unreachable!("{value:?} is no form of {ty:?}"),
        };
        Node { shape: shape(self.plan.item(ty).shape), weight: self.plan.weight(ty), ty: ty.clone(), kind, charges: Charges { own, each }, xml }
    }

    fn array(&self, item: &Type, layout: ArrayLayout, value: &text::Value, xml: Xml) -> Kind {
        let item = Box::new(self.node(item, value, xml));
        let bulk = match item.kind {
            Kind::Scalar(scalar) => scalar.bulk(),
            _ => None,
        };
        Kind::Array { item, bulk, layout }
    }

    fn alone(&self, id: TypeId) -> Node {
        let ty = Type::Named(id);
        let field = self.text.value(&ty);
        self.node(&ty, &field.value, xml(&field))
    }

    fn interface(&self, index: usize) -> Interface {
        let text = self.text.interface(index);
        let methods = text.methods.iter().zip(&self.model.interfaces[index].methods);
        Interface { namespace: text.namespace, methods: methods.map(|(text, method)| self.method(text, method)).collect() }
    }

    fn method(&self, text: &text::MethodText, method: &creo_model::Method) -> Method {
        let parameters: Vec<(&Type, Option<&Literal>)> = method.parameters.iter().map(|parameter| (&parameter.ty, None)).collect();
        let result: Vec<(&Type, Option<&Literal>)> = method.result.iter().map(|ty| (ty, None)).collect();
        Method {
            action: text.action.clone(),
            request: self.message(&text.request, &parameters),
            response: text.response.as_ref().map(|response| self.message(response, &result)),
            throws: method.throws.clone(),
        }
    }

    fn message(&self, message: &text::Message, declared: &[(&Type, Option<&Literal>)]) -> Message {
        Message { element: name(&message.element), bare: message.bare, record: self.record(&message.record, declared) }
    }
}

fn shape(shape: creo_model::Shape) -> Shape {
    Shape { min_size: shape.least, fixed_size: shape.fixed, any_bits: shape.any_bits }
}

fn name(name: &text::Name) -> Name {
    Name { local: name.local.clone(), namespace: name.namespace }
}

fn xml(field: &text::Field) -> Xml {
    let position = match field.place {
        text::Place::Element => Position::Element,
        text::Place::Attribute => Position::Attribute,
        text::Place::Text => Position::Text,
        text::Place::Inline => Position::Inline,
        text::Place::Any => Position::Any,
        text::Place::AnyAttribute => Position::AnyAttribute,
        text::Place::Header => Position::Header,
    };
    Xml { name: name(&field.xml), position, nillable: field.nillable }
}

fn content(first: &[(text::Name, usize)], ambiguous: bool, namespaces: &[usize], xsi: bool) -> Content {
    Content { first: first.iter().map(|(first, index)| (name(first), *index)).collect(), ambiguous, namespaces: namespaces.to_vec(), xsi }
}

