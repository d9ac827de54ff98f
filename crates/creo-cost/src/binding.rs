//! Wires and transports, and the bytes of messages on them (COST-10 to COST-16).

use crate::beside::{Beside, beside};
use crate::part::Part;
use crate::security::Security;
use crate::spread::Spread;
use crate::table::{self, Scheme};
use crate::{binary, json, xml};
use creo_check::CheckedModel;
use creo_model::{Interface, Method, Model};
use creo_plan::{Message, Plan};
use std::fmt;

/// The form of a message's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wire {
    Binary,
    Soap,
    Table(Scheme),
    /// TDX-50
    TableInSoap(Scheme),
    Json,
    /// Another stack's XML for the same values, for comparison (COST-35).
    Foreign(Foreign),
}

/// An XML stack other than Creo's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Foreign {
    /// Jakarta XML Binding, in Java.
    Jaxb,
    /// .NET's XmlSerializer, in C#.
    XmlSerializer,
}

impl Wire {
    /// Creo's wires.
    pub const ALL: [Wire; 7] = [
        Wire::Binary,
        Wire::Soap,
        Wire::Table(Scheme::Record),
        Wire::Table(Scheme::Aggregated),
        Wire::TableInSoap(Scheme::Record),
        Wire::TableInSoap(Scheme::Aggregated),
        Wire::Json,
    ];

    /// The name in options, tables and profiles.
    pub fn word(self) -> &'static str {
        match self {
            Wire::Binary => "binary",
            Wire::Soap => "soap",
            Wire::Table(Scheme::Record) => "tdxml-record",
            Wire::Table(Scheme::Aggregated) => "tdxml-aggregated",
            Wire::TableInSoap(Scheme::Record) => "tdxml-record-in-soap",
            Wire::TableInSoap(Scheme::Aggregated) => "tdxml-aggregated-in-soap",
            Wire::Json => "json",
            Wire::Foreign(Foreign::Jaxb) => "jaxb",
            Wire::Foreign(Foreign::XmlSerializer) => "xmlserializer",
        }
    }

    /// Creo's wires and those of other stacks.
    pub fn known() -> impl Iterator<Item = Wire> {
        Wire::ALL.into_iter().chain([Foreign::Jaxb, Foreign::XmlSerializer].map(Wire::Foreign))
    }

    pub fn from_word(word: &str) -> Option<Wire> {
        Wire::known().find(|wire| wire.word() == word)
    }

    pub fn is_foreign(self) -> bool {
        matches!(self, Wire::Foreign(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Transport {
    Tcp,
    Http,
    Jms,
}

impl Transport {
    pub fn word(self) -> &'static str {
        match self {
            Transport::Tcp => "tcp",
            Transport::Http => "http",
            Transport::Jms => "jms",
        }
    }
}

/// A wire over a transport: `soap+http`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Binding {
    pub wire: Wire,
    pub transport: Transport,
}

impl Binding {
    /// All bindings that the specification allows.
    pub fn all() -> Vec<Binding> {
        Wire::ALL.into_iter().flat_map(Binding::of).collect()
    }

    /// The bindings of a wire.
    fn of(wire: Wire) -> Vec<Binding> {
        let transports = match wire {
            Wire::Binary => vec![Transport::Tcp, Transport::Jms],
            Wire::Table(_) => vec![Transport::Tcp, Transport::Http, Transport::Jms],
            Wire::Soap | Wire::TableInSoap(_) => vec![Transport::Http, Transport::Jms],
            Wire::Json | Wire::Foreign(_) => vec![Transport::Http],
        };
        transports.into_iter().map(|transport| Binding { wire, transport }).collect()
    }

    /// Parses `soap+http`, or a wire or transport alone, which selects all its bindings. Another stack may omit its transport.
    pub fn named(name: &str) -> Vec<Binding> {
        let is_meant = |b: &Binding| {
            b.to_string() == name
                || b.wire.word() == name
                || (b.transport.word() == name && !b.wire.is_foreign())
        };
        Wire::known().flat_map(Binding::of).filter(is_meant).collect()
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.wire.word(), self.transport.word())
    }
}

/// One of the two messages of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    Request,
    Response,
}

/// A method, by its indices in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MethodId {
    pub interface: usize,
    pub method: usize,
}

/// Averages of a message on a wire that depend on the description rather than on the parts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OnWire {
    /// The size of the body in bytes.
    pub body: f64,
    /// Properties of the XML. In tables, only elements kept as XML count; on the binary wire and in JSON, nothing.
    pub beside: Beside,
}

/// Computes the bytes of a description's messages.
#[derive(Debug)]
pub struct Sizes<'m> {
    model: &'m CheckedModel,
    plan: &'m Plan,
}

impl<'m> Sizes<'m> {
    pub fn new(model: &'m CheckedModel) -> Sizes<'m> {
        Sizes { model, plan: model.plan() }
    }

    pub fn model(&self) -> &'m CheckedModel {
        self.model
    }

    pub fn plan(&self) -> &Plan {
        self.plan
    }

    pub fn methods(&self) -> impl Iterator<Item = MethodId> + use<'m> {
        let model: &'m Model = self.model;
        model
            .interfaces
            .iter()
            .enumerate()
            .flat_map(|(interface, i)| (0..i.methods.len()).map(move |method| MethodId { interface, method }))
    }

    pub fn method(&self, id: MethodId) -> (&'m Interface, &'m Method) {
        let model: &'m Model = self.model;
        let interface = &model.interfaces[id.interface];
        (interface, &interface.methods[id.method])
    }

    /// The plan of a message. `None`: a oneway method has no response.
    pub(crate) fn message(&self, id: MethodId, direction: Direction) -> Option<&Message> {
        let planned = &self.plan.interface(id.interface).methods[id.method];
        match direction {
            Direction::Request => Some(&planned.request),
            Direction::Response => planned.response.as_ref(),
        }
    }

    /// The response on the soap wire, if it differs from that of other wires (SOAP-26).
    fn soap_response(&self, id: MethodId, direction: Direction) -> Option<&Message> {
        let planned = &self.plan.interface(id.interface).methods[id.method];
        planned.soap_response.as_ref().filter(|_| direction == Direction::Response)
    }

    /// The bytes of a message's body. `None`: a oneway method has no response.
    pub fn body(&self, wire: Wire, id: MethodId, direction: Direction, part: &Part) -> Option<Spread> {
        let (_, method) = self.method(id);
        let message = self.message(id, direction)?;
        // TDX-3: within SOAP, requests name their method.
        let of = (direction == Direction::Request).then_some(method.name.as_str());
        Some(match wire {
            Wire::Binary => binary::size(part),
            // Another stack's size is estimated from this (COST-35).
            Wire::Soap | Wire::Foreign(_) => match (self.soap_response(id, direction), part) {
                // Its fields are those of the result.
                (Some(message), Part::Record { fields, .. }) => {
                    xml::soap(self.plan, message, fields.first()?)
                }
                (None | Some(_), _) => xml::soap(self.plan, message, part),
            },
            Wire::Table(scheme) => table::message(self.plan, scheme, message, part, None),
            Wire::TableInSoap(scheme) => {
                table::message(self.plan, scheme, message, part, of).and(xml::envelope())
            }
            Wire::Json => match direction {
                Direction::Request => json::request(self.plan, &message.record.fields, part),
                Direction::Response => {
                    json::response(self.plan, message.record.fields.first().map(|field| &field.node), part)
                }
            },
        })
    }

    /// The bytes of a message's body with security, on a wire of SOAP (COST-18). `None`: a oneway method has no response, and other wires
    /// have no security.
    pub fn secured(
        &self,
        wire: Wire,
        id: MethodId,
        direction: Direction,
        part: &Part,
        security: &Security,
    ) -> Option<Spread> {
        let (_, method) = self.method(id);
        let message = self.message(id, direction)?;
        let envelope = match wire {
            Wire::Soap => match (self.soap_response(id, direction), part) {
                (Some(message), Part::Record { fields, .. }) => {
                    xml::soap_envelope(self.plan, message, fields.first()?)
                }
                (None | Some(_), _) => xml::soap_envelope(self.plan, message, part),
            }?,
            Wire::TableInSoap(scheme) => {
                let of = (direction == Direction::Request).then_some(method.name.as_str());
                xml::table_envelope(table::message(self.plan, scheme, message, part, of))
            }
            Wire::Binary | Wire::Table(_) | Wire::Json | Wire::Foreign(_) => return None,
        };
        Some(security.size(&envelope))
    }

    /// The averages of a message's body that depend on the description. `None`: a oneway method has no response.
    pub fn on_wire(&self, wire: Wire, id: MethodId, direction: Direction, part: &Part) -> Option<OnWire> {
        Some(OnWire {
            body: self.body(wire, id, direction, part)?.expected,
            beside: self.beside(wire, id, direction, part),
        })
    }

    /// The averages of a message besides its parts.
    pub(crate) fn beside(&self, wire: Wire, id: MethodId, direction: Direction, part: &Part) -> Beside {
        let found = || {
            self.message(id, direction).map_or(Beside::default(), |message| beside(self.plan, message, part))
        };
        match wire {
            Wire::Soap | Wire::Foreign(_) => found(),
            // Tables have no elements, and escape these texts like all others.
            Wire::Table(_) | Wire::TableInSoap(_) => {
                Beside { elements: 0.0, attributes: 0.0, unescaped: 0.0, ..found() }
            }
            Wire::Binary | Wire::Json => Beside::default(),
        }
    }

    /// The bytes of a body on a binding. Over HTTP, an empty table or JSON has no body (TDX-51, JSON-21). `None`: a oneway method has no
    /// response, and only the binary wire over TCP carries a method with streams.
    pub fn body_on(
        &self,
        binding: Binding,
        id: MethodId,
        direction: Direction,
        part: &Part,
    ) -> Option<Spread> {
        let (_, method) = self.method(id);
        if method.has_streams() && (binding.wire, binding.transport) != (Wire::Binary, Transport::Tcp) {
            return None;
        }
        let body = self.body(binding.wire, id, direction, part)?;
        let nothing = direction == Direction::Response && method.result.is_none();
        Some(match (binding.wire, binding.transport) {
            (Wire::Table(_) | Wire::Json, Transport::Http) if nothing => Spread::ZERO,
            _ => body,
        })
    }

    /// The bytes that the transport adds to a body (COST-15).
    pub fn transport(&self, binding: Binding, id: MethodId, direction: Direction, body: Spread) -> Spread {
        match binding.transport {
            Transport::Tcp => Spread::exact(match direction {
                Direction::Request => 22,
                Direction::Response => 10,
            }),
            Transport::Http => self.http(binding.wire, id, direction, body),
            Transport::Jms => Spread::exact(self.jms(binding.wire, id, direction)),
        }
    }

    fn action(&self, id: MethodId) -> &str {
        &self.plan.interface(id.interface).methods[id.method].action
    }

    /// HTTP-1 to HTTP-9: the required lines, for the host `localhost` and a deadline of 60 seconds.
    fn http(&self, wire: Wire, id: MethodId, direction: Direction, body: Spread) -> Spread {
        let (interface, method) = self.method(id);
        let media = media_type(wire);
        let mut head = match direction {
            Direction::Request => {
                let place = match wire {
                    Wire::Soap | Wire::TableInSoap(_) | Wire::Foreign(_) => format!("/{}", interface.name),
                    Wire::Binary | Wire::Table(_) | Wire::Json => {
                        format!("/{}/{}", interface.name, method.name)
                    }
                };
                let action = match wire {
                    Wire::Soap | Wire::TableInSoap(_) | Wire::Foreign(_) => {
                        format!("SOAPAction: \"{}\"\r\n", self.action(id))
                    }
                    Wire::Binary | Wire::Table(_) | Wire::Json => String::new(),
                };
                format!("POST {place} HTTP/1.1\r\nHost: localhost\r\nCreo-Timeout: 60000\r\n{action}")
            }
            Direction::Response if body.most == 0 => {
                return Spread::exact("HTTP/1.1 204 No Content\r\n\r\n".len() as u64);
            }
            Direction::Response => "HTTP/1.1 200 OK\r\n".to_owned(),
        };
        head.push_str(&format!("Content-Type: {media}\r\nContent-Length: \r\n\r\n"));
        let digits = |n: u64| n.to_string().len() as u64;
        let length = Spread {
            least: digits(body.least),
            expected: digits(body.expected.round() as u64) as f64,
            most: digits(body.most),
        };
        length.and(head.len() as u64)
    }

    /// JMS-4: names and values of the properties.
    fn jms(&self, wire: Wire, id: MethodId, direction: Direction) -> u64 {
        let (interface, _) = self.method(id);
        let mut properties = vec![
            ("SOAPJMS_requestURI", format!("jms:queue:{}", interface.name)),
            ("SOAPJMS_bindingVersion", "1.0".to_owned()),
            ("SOAPJMS_contentType", media_type(wire).to_owned()),
        ];
        let is_soap = matches!(wire, Wire::Soap | Wire::TableInSoap(_) | Wire::Foreign(_));
        match direction {
            Direction::Request => {
                properties.push(("Creo_timeout", "60000".to_owned()));
                if is_soap {
                    properties.push(("SOAPJMS_soapAction", format!("\"{}\"", self.action(id))));
                } else {
                    properties.push(("Creo_method", "0".repeat(16)));
                }
            }
            Direction::Response if is_soap => {}
            Direction::Response => properties.push(("Creo_kind", "response".to_owned())),
        }
        properties.iter().map(|(name, value)| (name.len() + value.len()) as u64).sum()
    }
}

fn media_type(wire: Wire) -> &'static str {
    match wire {
        Wire::Soap | Wire::TableInSoap(_) | Wire::Foreign(_) => "text/xml; charset=utf-8",
        Wire::Table(_) => "application/vnd.creo.tdxml",
        Wire::Json => "application/json",
        Wire::Binary => "application/vnd.creo.binary",
    }
}
