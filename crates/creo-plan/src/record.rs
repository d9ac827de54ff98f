//! Records, unions, enums and messages: fields with their nodes, and how the binary wire groups them.

use crate::node::{Name, Node, Position, Shape};
use creo_model::{Literal, TypeId};

/// A field of a struct, exception or message, or a member of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// As declared; `result` of a result. JSON and the paths of errors use it.
    pub name: String,
    pub node: Node,
    pub default: Option<Literal>,
    /// Whether the default takes the place of a field that a text wire does not bring (XML-20, XML-31).
    pub default_if_missing: bool,
}

impl Field {
    /// Whether a text wire may bring nothing for the field: its value may be missing, or a default takes its place.
    pub fn may_be_missing(&self) -> bool {
        self.default_if_missing || self.node.may_be_missing()
    }
}

/// A struct, an exception, or what a message holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Of the schema type, of a value alone, of an exception's element, of a message's element.
    pub xml: Name,
    pub fields: Vec<Field>,
    pub extensible: bool,
    pub recursive: bool,
    pub shape: Shape,
    /// The memory of a value (LIM-18), in bytes. Zero of a message.
    pub weight: u64,
    /// Whether any field is an attribute, or takes any.
    pub has_attributes: bool,
    /// The field that is the text.
    pub text: Option<usize>,
    /// The field that takes any element.
    pub any: Option<usize>,
    pub content: Content,
}

/// What a reader and a writer of XML must know of a record or union as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The name of each element that begins a field, also within inline ones, and the field's index. No name occurs twice. In the order of the fields.
    pub first: Vec<(Name, usize)>,
    /// Whether an element may belong to two inline parts, of which the first that can take it does (XML-35). No schema can say that.
    pub ambiguous: bool,
    /// The namespaces that a value alone or a message may need, sorted: the first has the prefix `n1` (XML-2). That of `xml:lang` is never among them.
    pub namespaces: Vec<usize>,
    /// Whether a value may hold `xsi:nil` or `xsi:type`.
    pub xsi: bool,
}

/// One step of a record's codec on the binary wire, in wire order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Consecutive fields of fixed size, which one check of bounds serves.
    Run { fields: Vec<RunField>, size: u64 },
    /// The index of a field that is read and written by itself.
    Field(usize),
}

/// A field within a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunField {
    pub index: usize,
    /// In bytes, from the start of the run.
    pub offset: u64,
    pub size: u64,
}

impl Record {
    /// The steps of the record's codec. Runs hold `max_run` bytes at most; a field above that is a step of its own. Each field of an
    /// extensible record is one, since its region may end between any two (BIN-8).
    pub fn steps(&self, max_run: u64) -> Vec<Step> {
        if self.extensible {
            return (0..self.fields.len()).map(Step::Field).collect();
        }
        self.steps_by(max_run, |node| node.shape.fixed_size)
    }

    /// As [`Record::steps`], where `size` says which fields may join a run, whatever the record is.
    pub fn steps_by(&self, max_run: u64, size: impl Fn(&Node) -> Option<u64>) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for (index, field) in self.fields.iter().enumerate() {
            let Some(bytes) = size(&field.node).filter(|bytes| *bytes <= max_run) else {
                steps.push(Step::Field(index));
                continue;
            };
            match steps.last_mut() {
                // Sizes saturate, so that a sum may be beyond all numbers.
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

    /// Whether JSON may bring nothing for a field of the record: it is optional (JSON-1), or has a default that an older writer does not know.
    /// Unlike in XML, arrays and maps are always there.
    pub fn json_may_miss(&self, field: &Field) -> bool {
        field.node.is_optional() || (self.extensible && field.default.is_some())
    }

    /// For each field, its number on the wire of tables: attributes and elements are counted apart, the text has none (TDX-11, TDX-21).
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
    /// Of the schema type and of a value alone.
    pub xml: Name,
    /// Those of a derived union have no elements of their own.
    pub members: Vec<Field>,
    pub extensible: bool,
    pub recursive: bool,
    pub shape: Shape,
    /// XML-37: `xsi:type` names the member by the [`Record::xml`] of its struct.
    pub derived: bool,
    /// The member that is written without `xsi:type`.
    pub base: Option<usize>,
    /// [`Content::first`] is empty if derived.
    pub content: Content,
}

impl Union {
    /// What each member is charged when the binary wire brings it, in bytes (LIM-18).
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
    /// As declared.
    pub name: String,
    pub number: u32,
    /// In XML.
    pub text: String,
}

impl Enum {
    /// Whether a blank text in XML is one of the constants (XML-16).
    pub fn may_be_blank(&self) -> bool {
        self.constants.iter().any(|constant| constant.text.is_empty())
    }

    /// Whether XML writes any constant by another text than its declared name.
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
    /// Clients write SOAP 1.2, not 1.1, unless they are told otherwise.
    pub soap12: bool,
    /// SOAP-30: messages are rpc/encoded.
    pub encoded: bool,
    /// SOAP-40: clients write the blocks of WS-Addressing unless they are told otherwise.
    pub addressing: bool,
    pub methods: Vec<Method>,
}

/// A method: both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// SOAP-7. Printable ASCII; may be empty.
    pub action: String,
    /// The parameters.
    pub request: Message,
    /// `None`: the method is `oneway`. The one field is the result; there is none if the method is `void`.
    pub response: Option<Message>,
    /// Exceptions, in declared order.
    pub throws: Vec<TypeId>,
}

/// What the body of an envelope holds, and the parameters that its header holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The body's element; if there is none, that of the method all the same.
    pub element: Name,
    /// SOAP-6: the element is that of the one field that is no header. If there is no such field, the body is empty.
    pub bare: bool,
    pub record: Record,
}

impl Method {
    /// The request, and the response if there is one.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        std::iter::once(&self.request).chain(&self.response)
    }

    /// The node of the result; `None` if there is none.
    pub fn result(&self) -> Option<&Node> {
        self.response.as_ref()?.record.fields.first().map(|field| &field.node)
    }
}
