//! Records, unions, enums and messages: fields with their nodes, and their grouping on the binary wire.

use crate::node::{Name, Node, Position, Shape};
use creo_model::{Literal, TypeId};

/// A field of a struct, exception or message, or a member of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The declared name; `result` for a result. JSON and the paths of errors use it.
    pub name: String,
    pub node: Node,
    pub default: Option<Literal>,
    /// Whether an absent field has its default on a text wire (XML-20, XML-31).
    pub default_if_missing: bool,
}

impl Field {
    /// Whether the field may be absent on a text wire: its value is optional, or it has a default.
    pub fn may_be_missing(&self) -> bool {
        self.default_if_missing || self.node.may_be_missing()
    }
}

/// A struct, an exception, or the content of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The name of the schema type, a standalone value, an exception's element, or a message's element.
    pub xml: Name,
    pub fields: Vec<Field>,
    pub extensible: bool,
    pub recursive: bool,
    pub shape: Shape,
    /// The memory of a value (LIM-18), in bytes. Zero for a message.
    pub weight: u64,
    /// Whether any field is an attribute, or takes attributes.
    pub has_attributes: bool,
    /// The text field.
    pub text: Option<usize>,
    /// The field for any element.
    pub any: Option<usize>,
    pub content: Content,
}

/// Facts about a record or union as a whole for readers and writers of XML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The name of each element that begins a field, including inline ones, and the field's index. Names are unique. In the order of the fields.
    pub first: Vec<(Name, usize)>,
    /// Whether an element can belong to two inline parts, of which the first that can take it does (XML-35). Schemas cannot express that.
    pub ambiguous: bool,
    /// The namespaces that a standalone value or a message may need, sorted: the first has the prefix `n1` (XML-2). That of `xml:lang` is
    /// never included.
    pub namespaces: Vec<usize>,
    /// Whether a value may contain `xsi:nil` or `xsi:type`.
    pub xsi: bool,
}

/// One step of a record's codec on the binary wire, in wire order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Consecutive fixed-size fields that share one bounds check.
    Run { fields: Vec<RunField>, size: u64 },
    /// The index of a field that is read and written separately.
    Field(usize),
}

/// A field in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunField {
    pub index: usize,
    /// In bytes, from the start of the run.
    pub offset: u64,
    pub size: u64,
}

impl Record {
    /// The steps of the record's codec. Runs have at most `max_run` bytes; a larger field is a separate step. Each field of an extensible
    /// record is one, since its region may end between any two (BIN-8).
    pub fn steps(&self, max_run: u64) -> Vec<Step> {
        if self.extensible {
            return (0..self.fields.len()).map(Step::Field).collect();
        }
        self.steps_by(max_run, |node| node.shape.fixed_size)
    }

    /// As [`Record::steps`], where `size` decides which fields may join a run, for any record.
    pub fn steps_by(&self, max_run: u64, size: impl Fn(&Node) -> Option<u64>) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for (index, field) in self.fields.iter().enumerate() {
            let Some(bytes) = size(&field.node).filter(|bytes| *bytes <= max_run) else {
                steps.push(Step::Field(index));
                continue;
            };
            match steps.last_mut() {
                // Sizes saturate, so a sum may be out of range.
                Some(Step::Run { fields, size: total })
                    if total.checked_add(bytes).is_some_and(|sum| sum <= max_run) =>
                {
                    fields.push(RunField { index, offset: *total, size: bytes });
                    *total += bytes;
                }
                _ => steps.push(Step::Run {
                    fields: vec![RunField { index, offset: 0, size: bytes }],
                    size: bytes,
                }),
            }
        }
        steps
    }

    /// Whether a field of the record may be absent in JSON: it is optional (JSON-1), or has a default that an older writer does not know.
    /// Unlike in XML, arrays and maps are always present.
    pub fn json_may_miss(&self, field: &Field) -> bool {
        field.node.is_optional() || (self.extensible && field.default.is_some())
    }

    /// The number of each field in tables: attributes and elements are counted separately, the text has none (TDX-11, TDX-21).
    pub fn table_numbers(&self) -> Vec<Option<usize>> {
        let (mut attributes, mut elements) = (0, 0);
        let number = |field: &Field| {
            let count = match field.node.xml.position {
                Position::Attribute => &mut attributes,
                Position::Text => return None,
                Position::Element
                | Position::Inline
                | Position::Any
                | Position::AnyAttribute
                | Position::Header => &mut elements,
            };
            *count += 1;
            Some(*count - 1)
        };
        self.fields.iter().map(number).collect()
    }
}

/// A union.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// The name of the schema type and of a standalone value.
    pub xml: Name,
    /// The members of a derived union have no elements of their own.
    pub members: Vec<Field>,
    pub extensible: bool,
    pub recursive: bool,
    pub shape: Shape,
    /// XML-37: `xsi:type` identifies the member by the [`Record::xml`] of its struct.
    pub derived: bool,
    /// The member that is written without `xsi:type`.
    pub base: Option<usize>,
    /// [`Content::first`] is empty if derived.
    pub content: Content,
}

impl Union {
    /// The charge for each member on the binary wire, in bytes (LIM-18).
    pub fn charges(&self) -> impl Iterator<Item = u64> {
        self.members.iter().map(|member| member.node.weight)
    }
}

/// An enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    pub xml: Name,
    pub constants: Vec<Constant>,
    pub extensible: bool,
    pub shape: Shape,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The declared name.
    pub name: String,
    pub number: u32,
    /// The text in XML.
    pub text: String,
}

impl Enum {
    /// Whether a blank text in XML is one of the constants (XML-16).
    pub fn may_be_blank(&self) -> bool {
        self.constants.iter().any(|constant| constant.text.is_empty())
    }

    /// Whether the XML text of any constant differs from its declared name.
    pub fn has_own_texts(&self) -> bool {
        self.constants.iter().any(|constant| constant.name != constant.text)
    }

    /// Whether each number is one byte on the binary wire.
    pub fn is_one_byte(&self) -> bool {
        self.shape.fixed_size == Some(1)
    }
}

/// A declared type.
#[derive(Clone, Debug, PartialEq)]
pub enum Declared {
    /// A struct or exception.
    Record(Record),
    Union(Union),
    Enum(Enum),
}

/// An interface.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    pub namespace: Option<usize>,
    /// Clients write SOAP 1.2 instead of 1.1 by default.
    pub soap12: bool,
    /// SOAP-30: messages are rpc/encoded.
    pub encoded: bool,
    /// SOAP-40: clients write WS-Addressing blocks by default.
    pub addressing: bool,
    pub methods: Vec<Method>,
}

/// A method: both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// SOAP-7. Printable ASCII; may be empty.
    pub action: String,
    /// The parameters that are values.
    pub request: Message,
    /// `None` for a `oneway` method. The only field is the result; a `void` method and one whose result is a stream have none.
    pub response: Option<Message>,
    /// SOAP-26, SOAP-100: the response on the soap wire, if the fields of the result are its parts. Its fields are those of the result.
    /// It is [`Method::response`] on all other wires.
    pub soap_response: Option<Message>,
    /// The parameter that is a stream, with the node of the array `T[]` that an items frame holds (TCP-30). If `T` is `byte`, that is
    /// [`Kind::Bytes`]. [`Node::stream_item`] is the node of an item.
    pub stream_parameter: Option<Field>,
    /// The same of the result, with the name `items`.
    pub stream_result: Option<Field>,
    /// A message whose only field, `item`, is an item of the stream, if there is one: on the json wire (HTTP-30). `None` for two streams.
    pub item: Option<Message>,
    /// Declared exceptions, in declared order.
    pub throws: Vec<TypeId>,
}

/// The content of an envelope's body, and the header parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The body's element, of several the first; if it has none, still that of the method.
    pub element: Name,
    /// SOAP-6, SOAP-91, SOAP-100: the non-header fields are the elements of the body. Without such a field, the body is empty.
    pub bare: bool,
    pub record: Record,
}

impl Interface {
    /// The methods that the json wire carries (CALL-47), each with its declaration in `declared`, the same interface of the model.
    pub fn json_methods<'a>(
        &'a self,
        declared: &'a creo_model::Interface,
    ) -> impl Iterator<Item = (&'a creo_model::Method, &'a Method)> {
        declared.methods.iter().zip(&self.methods).filter(|(_, method)| method.is_carried_by_json())
    }

    /// The methods that all text wires carry (CALL-47), each with its declaration in `declared`, the same interface of the model.
    pub fn text_methods<'a>(
        &'a self,
        declared: &'a creo_model::Interface,
    ) -> impl Iterator<Item = (&'a creo_model::Method, &'a Method)> {
        declared.methods.iter().zip(&self.methods).filter(|(_, method)| !method.has_streams())
    }
}

impl Method {
    /// The request, the response if there is one, and its form on the soap wire if that differs.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        std::iter::once(&self.request).chain(&self.response).chain(&self.soap_response)
    }

    /// Whether the json wire carries it: it has one stream at most (CALL-47).
    pub fn is_carried_by_json(&self) -> bool {
        !self.has_streams() || self.item.is_some()
    }

    /// Whether its result or a parameter is a stream, which text wires other than json do not carry.
    pub fn has_streams(&self) -> bool {
        self.streams().next().is_some()
    }

    /// The streams of its parameters and its result.
    pub fn streams(&self) -> impl Iterator<Item = &Field> {
        self.stream_parameter.iter().chain(&self.stream_result)
    }

    /// The node of an item, if there is [one stream](Method::item).
    pub fn item_node(&self) -> Option<&Node> {
        self.item.as_ref()?.record.fields.first().map(|field| &field.node)
    }

    /// The node of the result; `None` for none, and for a stream.
    pub fn result(&self) -> Option<&Node> {
        self.response.as_ref()?.record.fields.first().map(|field| &field.node)
    }
}
