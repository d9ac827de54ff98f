//! The plan of the text wires: what stands where in the XML of each type and message (`spec/wires/xml.md`, `spec/wires/soap.md`).
//!
//! Generators read it as they read [`crate::Plan`]; it holds every decision that XML-1 to XML-39 and SOAP-5 to SOAP-8 leave to a description.

pub(crate) mod build;
mod needs;
pub(crate) mod starts;

use crate::check::CheckedModel;
use crate::model::{Model, Primitive, Type, TypeId};
pub use crate::xml::{DECIMAL_TYPES, STRING_TYPES, XML_NAMESPACE};
pub use build::default_action;
use std::collections::{BTreeMap, BTreeSet};

/// The most namespaces of a description: a reader's limit of those in scope (LIM-23).
pub const MAX_NAMESPACES: usize = 1_000;

/// The name of an element, an attribute or a schema type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    pub local: String,
    /// Index into [`TextPlan::namespaces`]; `None`: no namespace.
    pub namespace: Option<usize>,
}

/// Where a field stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Element,
    /// XML-31.
    Attribute,
    /// XML-32.
    Text,
    /// XML-35: the content, without an element of its own. [`Field::xml`] means nothing.
    Inline,
    /// XML-36: any element that no other field takes. [`Field::xml`] means nothing.
    Any,
    /// XML-36. [`Field::xml`] means nothing.
    AnyAttribute,
    /// SOAP-8.
    Header,
}

/// A field, member, parameter, result, item, key or value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// As declared: for JSON, and for the places of errors. `item`, `key` and `value` for those without a name.
    pub name: String,
    pub xml: Name,
    pub place: Place,
    /// Whether nothing is written as an empty element with `xsi:nil="true"`; otherwise, as no element at all. Only where the value is optional.
    pub nillable: bool,
    pub value: Value,
}

/// The form of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text by XML, section 2.
    Scalar(Primitive),
    Bytes {
        /// XML-38: hexadecimal digits instead of base64.
        hex: bool,
    },
    Enum(TypeId),
    /// A struct or exception.
    Record(TypeId),
    Union(TypeId),
    /// A `String` that is read without white space around it (XML-38).
    Token,
    /// A `String` that is a qualified name (XML-48).
    QName,
    /// A `String` that is a whole element (XML-36).
    Raw,
    Optional(Box<Value>),
    /// `T[]`: an element for each item (XML-22). The item's field has the name and place of the array's.
    Repeated(Box<Field>),
    /// `T[]` within its own element (XML-23). The item's field is named `item`.
    Wrapped(Box<Field>),
    /// `T[]` in one text (XML-33).
    List(Box<Value>),
    /// Key and value (XML-24).
    Entries(Box<Field>, Box<Field>),
    /// `Map<String, String>` of attributes (XML-36).
    Attributes,
}

/// A struct or exception, or what a message holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Of the schema type, of a value alone, of an exception's element.
    pub xml: Name,
    pub fields: Vec<Field>,
    pub extensible: bool,
    /// Whether any field is an attribute, or takes any.
    pub attributes: bool,
    /// The field that is the text.
    pub text: Option<usize>,
    /// The field that takes any element.
    pub any: Option<usize>,
    /// The name of each element that begins a field, also within inline ones, and the field's index. No name stands twice. In the order of the fields.
    pub starts: Vec<(Name, usize)>,
    /// Whether an element may have its place in two inline parts, of which the first that can take it does (XML-35). No schema can say that.
    pub ambiguous: bool,
    /// The namespaces that a value alone may need, sorted: the first has the prefix `n1` (XML-2). That of `xml:lang` is never among them.
    pub namespaces: Vec<usize>,
    /// Whether a value may hold `xsi:nil` or `xsi:type`.
    pub xsi: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Union {
    /// Of the schema type and of a value alone.
    pub xml: Name,
    /// The members. Those of a derived union have no elements of their own.
    pub members: Vec<Field>,
    pub extensible: bool,
    /// XML-37: `xsi:type` names the member by the [`Record::xml`] of its struct.
    pub derived: bool,
    /// The member that is written without `xsi:type`.
    pub base: Option<usize>,
    /// As of a record: the name of each element that begins a member. Empty if derived.
    pub starts: Vec<(Name, usize)>,
    /// As of a record.
    pub ambiguous: bool,
    /// As of a record.
    pub namespaces: Vec<usize>,
    pub xsi: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    pub xml: Name,
    /// The text of each constant.
    pub texts: Vec<String>,
    pub extensible: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceText {
    pub namespace: Option<usize>,
    /// SOAP-24: clients speak SOAP 1.2 unless they are told otherwise.
    pub soap12: bool,
    pub methods: Vec<MethodText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodText {
    /// SOAP-7. Printable ASCII; may be empty.
    pub action: String,
    pub request: Message,
    /// `None`: the method is `oneway`.
    pub response: Option<Message>,
}

/// What stands in the body of an envelope, and the parameters that stand in its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The body's element; if there is none, that of the method all the same.
    pub element: Name,
    /// SOAP-6: the element is that of the one field that is no header. If there is no such field, the body is empty.
    pub bare: bool,
    /// The parameters, headers among them; or the result, named `result`. Its namespaces are all that the message may need.
    pub record: Record,
}

#[derive(Clone, Debug)]
enum Text {
    Record(Record),
    Union(Union),
    Enum(Enum),
}

/// The plan of all types and interfaces of a model.
#[derive(Clone, Debug)]
pub struct TextPlan {
    namespaces: Vec<String>,
    types: Vec<Text>,
    interfaces: Vec<InterfaceText>,
    /// Of each type (LIM-18).
    pub(crate) weights: Vec<u64>,
}

/// Makes the plan of a model.
pub fn text_plan(model: &CheckedModel) -> TextPlan {
    let mut plan = build::lower(model);
    starts::set(model, &mut plan);
    needs::set(&mut plan);
    plan.weights = crate::plan(model).into_weights();
    plan
}

impl TextPlan {
    /// All namespaces of the description, sorted. That of `xml:lang` ([`XML_NAMESPACE`]), whose prefix is `xml`, is among them if an attribute is in it.
    pub fn namespaces(&self) -> &[String] {
        &self.namespaces
    }

    /// A struct or exception.
    pub fn record(&self, id: TypeId) -> &Record {
        match &self.types[id.0] {
            Text::Record(record) => record,
            Text::Union(_) | Text::Enum(_) => panic!("the type is a struct or exception"),
        }
    }

    pub fn union(&self, id: TypeId) -> &Union {
        match &self.types[id.0] {
            Text::Union(union) => union,
            Text::Record(_) | Text::Enum(_) => panic!("the type is a union"),
        }
    }

    pub fn enumeration(&self, id: TypeId) -> &Enum {
        match &self.types[id.0] {
            Text::Enum(enumeration) => enumeration,
            Text::Record(_) | Text::Union(_) => panic!("the type is an enum"),
        }
    }

    /// The interface at `index` of the model's interfaces.
    pub fn interface(&self, index: usize) -> &InterfaceText {
        &self.interfaces[index]
    }

    /// A value alone (XML-3, XML-23): named as its type, or `value` without namespace.
    pub fn value(&self, ty: &Type) -> Field {
        let xml = match ty {
            Type::Named(id) => self.type_name(*id).clone(),
            Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => Name { local: "value".into(), namespace: None },
        };
        let kinds = |id: TypeId| match &self.types[id.0] {
            Text::Record(_) => build::Kind::Record,
            Text::Union(_) => build::Kind::Union,
            Text::Enum(_) => build::Kind::Enum,
        };
        build::alone("value", xml, ty, &kinds)
    }

    /// The namespaces that a value alone of the type may need, sorted, and whether it may need `xsi`.
    pub fn value_needs(&self, ty: &Type) -> (Vec<usize>, bool) {
        needs::of_field(self, &self.value(ty))
    }

    /// The name of a schema type.
    pub fn type_name(&self, id: TypeId) -> &Name {
        match &self.types[id.0] {
            Text::Record(record) => &record.xml,
            Text::Union(union) => &union.xml,
            Text::Enum(enumeration) => &enumeration.xml,
        }
    }
}

impl TextPlan {
    /// The fields of a struct or exception, the members of a union; none of an enum.
    pub fn members(&self, id: TypeId) -> &[Field] {
        match &self.types[id.0] {
            Text::Record(record) => &record.fields,
            Text::Union(union) => &union.members,
            Text::Enum(_) => &[],
        }
    }

    fn messages(&self) -> impl Iterator<Item = &Message> {
        self.interfaces.iter().flat_map(|interface| &interface.methods).flat_map(|method| std::iter::once(&method.request).chain(&method.response))
    }

    fn messages_mut(&mut self) -> impl Iterator<Item = &mut Message> {
        let methods = self.interfaces.iter_mut().flat_map(|interface| &mut interface.methods);
        methods.flat_map(|method| std::iter::once(&mut method.request).chain(&mut method.response))
    }
}

impl Field {
    /// Whether there may be no value at all.
    pub(crate) fn value_may_be_missing(&self) -> bool {
        matches!(self.value, Value::Optional(_) | Value::Repeated(_))
    }
}

impl Value {
    /// The types that the value names.
    fn types(&self, found: &mut Vec<TypeId>) {
        match self {
            Value::Enum(id) | Value::Record(id) | Value::Union(id) => found.push(*id),
            Value::Optional(value) | Value::List(value) => value.types(found),
            Value::Repeated(item) | Value::Wrapped(item) => item.value.types(found),
            Value::Entries(key, value) => {
                key.value.types(found);
                value.value.types(found);
            }
            Value::Scalar(_) | Value::Bytes { .. } | Value::Token | Value::QName | Value::Raw | Value::Attributes => {}
        }
    }
}

/// All namespaces that a description names, with their places.
pub(crate) fn namespaces(model: &Model) -> BTreeMap<&str, usize> {
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
            all.extend(method.parameters.iter().filter_map(|parameter| parameter.notes.xml().namespace.as_deref()));
        }
    }
    all.remove("");
    all.into_iter().enumerate().map(|(index, namespace)| (namespace, index)).collect()
}
