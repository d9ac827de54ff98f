//! Lowers the plan of the text wires to descriptors, which say where each value is in its C struct.

use crate::lang::{Definition, Enum, Method, Service, Slot, Ty, Union, Unit};
use crate::lang::{
    FieldText, Item, MessageText, MethodText, NameText, RecordText, Root, SpacesText, Text, UnionText,
};
use crate::literals;
use crate::lower_base::{self, Lower};
use crate::scalars::scalar;
use creo_model::{PackageId, Primitive, TypeId};
use creo_plan::{ArrayLayout, Content, Kind, Message, Name, Node, Plan, Record, StringForm, secrets};
use std::collections::{BTreeMap, BTreeSet};

const MAY_MISS: &str = "CREO_FIELD_MAY_MISS";

/// The position of a value: in a member of a struct, or standalone.
#[derive(Clone)]
pub enum Base<'a> {
    /// The owner's type and the path in it.
    Member(&'a str, String),
    /// With this C type.
    Alone(String),
}

impl Base<'_> {
    fn offset(&self) -> String {
        match self {
            Base::Member(owner, path) => format!("offsetof({owner}, {path})"),
            Base::Alone(_) => "0".to_owned(),
        }
    }

    /// The offset of a member of the struct there.
    fn inside(&self, member: &str) -> String {
        match self {
            Base::Member(owner, path) => format!("offsetof({owner}, {path}.{member})"),
            Base::Alone(ty) => format!("offsetof({ty}, {member})"),
        }
    }
}

/// The representation of the value there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Directly; an optional is a struct of a flag and a value.
    Plain,
    Slot(Slot),
    /// A pointer that must not be NULL.
    Boxed,
}

/// A value in C, with the data for its descriptor.
pub struct Place<'a> {
    /// The prefix of the descriptors' names for its items, keys and values.
    pub descriptor: &'a str,
    /// The name of a field, for JSON and for the paths of errors.
    pub name: Option<&'a str>,
    /// The package of the value.
    pub package: PackageId,
    pub base: Base<'a>,
    pub hold: Hold,
}

/// The C side of a record's or message's descriptor.
pub struct Struct<'a> {
    /// The prefix of its parts' names.
    descriptor: &'a str,
    full_name: &'a str,
    /// `None` if there is no struct, since a message without values has none.
    ty: Option<&'a str>,
    flags: Vec<&'static str>,
    /// Whether its `_init` sets defaults.
    clears: bool,
}

/// The state of lowering a unit's text.
pub struct Work<'l, 'm> {
    lower: &'l mut Lower<'m>,
    plan: &'m Plan,
    /// The descriptor of each type.
    pub types: &'l [String],
    stem: String,
    pub text: Text,
    spaces: BTreeMap<usize, String>,
    /// Whether the described values occur in encoded messages (SOAP-31).
    encoded: bool,
    /// Whether the requests of the interface have WS-Addressing blocks (SOAP-40).
    addressed: bool,
    /// The types in encoded messages.
    encoded_types: &'l BTreeSet<TypeId>,
    /// The members of structs whose fields are the parts of answers (SOAP-26, SOAP-100).
    pub in_parts: &'l BTreeMap<TypeId, Vec<(String, Slot)>>,
}

/// Adds the descriptors to each unit.
pub fn lower_text(lower: &mut Lower<'_>, units: &mut [Unit]) {
    let names: Vec<String> = lower.types.clone();
    let types: Vec<String> =
        names.iter().map(|name| lower.globals.claim(&format!("{name}_text"), &[])).collect();
    let encoded_types = lower.plan.encoded_types();
    let records = units.iter().flat_map(|unit| &unit.definitions).filter_map(|definition| match definition {
        Definition::Record(record) => Some(record),
        Definition::Union(_) | Definition::Array(_) | Definition::Map(_) | Definition::Optional(_) => None,
    });
    let in_parts = records.filter(|record| lower.model.is_parts(record.id)).map(|record| {
        let members = record.fields.iter().map(|member| (member.name.clone(), member.slot));
        (record.id, members.collect())
    });
    let in_parts = in_parts.collect();
    for unit in units {
        let mut work = Work {
            plan: lower.plan,
            lower,
            types: &types,
            stem: unit.stem.clone(),
            text: Text::default(),
            spaces: BTreeMap::new(),
            encoded: false,
            addressed: false,
            encoded_types: &encoded_types,
            in_parts: &in_parts,
        };
        work.unit(unit);
        unit.text = work.text;
    }
}

pub fn counted<T>(name: &str, list: &[T]) -> Option<(String, usize)> {
    (!list.is_empty()).then(|| (name.to_owned(), list.len()))
}

impl<'m> Work<'_, 'm> {
    fn unit(&mut self, unit: &Unit) {
        for item in &unit.enums {
            self.enumeration(item);
        }
        for definition in &unit.definitions {
            match definition {
                Definition::Record(item) => self.record(item),
                Definition::Union(item) => self.union(item),
                Definition::Array(_) | Definition::Map(_) | Definition::Optional(_) => {}
            }
        }
        for service in &unit.services {
            self.service(service);
        }
    }

    pub fn claim(&mut self, name: &str) -> String {
        self.lower.globals.claim(name, &[])
    }

    fn space(&mut self, index: usize) -> String {
        if let Some(name) = self.spaces.get(&index) {
            return name.clone();
        }
        let name = self.claim(&format!("{}_space_{}", self.stem, self.spaces.len() + 1));
        self.spaces.insert(index, name.clone());
        self.text.items.push(Item::Space { name: name.clone(), uri: self.plan.namespaces()[index].clone() });
        name
    }

    fn name(&mut self, name: &Name) -> NameText {
        NameText { local: name.local.clone(), space: name.namespace.map(|index| self.space(index)) }
    }

    fn spaces(&mut self, base: &str, namespaces: &[usize], xsi: bool) -> SpacesText {
        let items: Vec<String> = namespaces.iter().map(|&index| self.space(index)).collect();
        let name = self.claim(&format!("{base}_spaces"));
        let list = counted(&name, &items);
        if list.is_some() {
            self.text.items.push(Item::Spaces { name, items });
        }
        SpacesText { list, xsi }
    }

    fn starts(&mut self, base: &str, content: &Content) -> Option<(String, usize)> {
        let starts: Vec<(NameText, usize)> =
            content.first.iter().map(|(name, field)| (self.name(name), *field)).collect();
        let name = self.claim(&format!("{base}_starts"));
        let list = counted(&name, &starts);
        if list.is_some() {
            self.text.items.push(Item::Starts { name, starts });
        }
        list
    }

    /// The descriptor of a standalone value.
    fn root(&mut self, name: &str, id: TypeId) {
        let (namespaces, xsi) = self.plan.value_needs(id);
        let root = self.claim(&format!("{name}_xml"));
        let spaces = self.spaces(&root, &namespaces, xsi);
        let package = self.lower.model.ty(id).package;
        let place = Place {
            descriptor: &root,
            name: None,
            package,
            base: Base::Alone(name.to_owned()),
            hold: Hold::Plain,
        };
        let field = self.field(self.plan.value(id), &place);
        self.text.items.push(Item::Root { name: root.clone(), field, spaces });
        let mut function = |verb: &str| self.claim(&format!("{name}_{verb}"));
        let (to_xml, from_xml) = (function("to_xml"), function("from_xml"));
        let (to_json, from_json) = (function("to_json"), function("from_json"));
        let (to_tdxml, from_tdxml) = (function("to_tdxml"), function("from_tdxml"));
        self.text.roots.insert(
            name.to_owned(),
            Root { name: root, to_xml, from_xml, to_json, from_json, to_tdxml, from_tdxml },
        );
    }

    fn enumeration(&mut self, item: &Enum) {
        let plan = self.plan.enumeration(item.id);
        let xml = self.name(&plan.xml);
        let constants = plan
            .constants
            .iter()
            .map(|constant| (constant.name.clone(), constant.text.clone(), constant.number))
            .collect();
        let text = self.types[item.id.0].clone();
        self.text.shared.push(("enum", text.clone()));
        let list = self.claim(&format!("{text}_constants"));
        let full_name = item.full_name.clone();
        self.text.items.push(Item::Enum {
            name: text,
            full_name,
            xml,
            list,
            constants,
            extensible: plan.extensible,
        });
        self.root(&item.name, item.id);
    }

    fn record(&mut self, item: &crate::lang::Record) {
        let plan = self.plan.record(item.id);
        self.encoded = self.encoded_types.contains(&item.id);
        let package = self.lower.model.ty(item.id).package;
        let text = self.types[item.id.0].clone();
        let mut fields = Vec::new();
        for (index, (field, member)) in plan.fields.iter().zip(&item.fields).enumerate() {
            let descriptor = format!("{text}_{index}");
            let base = Base::Member(&item.name, member.name.clone());
            let place = Place {
                descriptor: &descriptor,
                name: Some(&field.name),
                package,
                base,
                hold: Hold::Slot(member.slot),
            };
            let mut lowered = self.field(&field.node, &place);
            if field.default_if_missing {
                if !field.node.may_be_missing() {
                    lowered.flags.push(MAY_MISS);
                }
                lowered.flags.push("CREO_FIELD_DEFAULT");
            }
            if member.slot == Slot::Flag {
                lowered.flag = format!("offsetof({}, has_{})", item.name, member.name);
            }
            fields.push(lowered);
        }
        let clears = plan.extensible || plan.fields.iter().any(|field| field.default_if_missing);
        let flags =
            set([(plan.extensible, "CREO_RECORD_EXTENSIBLE"), (plan.recursive, "CREO_RECORD_RECURSIVE")]);
        let held =
            Struct { descriptor: &text, full_name: &item.full_name, ty: Some(&item.name), flags, clears };
        let record = self.record_text(plan, held, fields);
        self.text.shared.push(("record", text.clone()));
        self.text.items.push(Item::Record { name: text, record });
        self.root(&item.name, item.id);
    }

    /// The descriptor of a record or message; its parts come before it.
    fn record_text(&mut self, plan: &Record, held: Struct<'_>, mut fields: Vec<FieldText>) -> RecordText {
        let Struct { descriptor, full_name, ty, mut flags, clears } = held;
        if plan.has_attributes {
            flags.push("CREO_RECORD_ATTRIBUTES");
        }
        // TDX-11, TDX-21: the text has no number.
        for (field, number) in fields.iter_mut().zip(plan.table_numbers()) {
            field.number = number.unwrap_or(0);
        }
        let xml = self.name(&plan.xml);
        let starts = self.starts(descriptor, &plan.content);
        let list = self.claim(&format!("{descriptor}_fields"));
        let count = counted(&list, &fields);
        if count.is_some() {
            self.text.items.push(Item::Fields { name: list, fields });
        }
        let clear = ty.filter(|_| clears).map(|ty| {
            let name = self.claim(&format!("{descriptor}_clear"));
            self.text.items.push(Item::Clear {
                name: name.clone(),
                init: format!("{ty}_init"),
                ty: ty.to_owned(),
            });
            name
        });
        let size = ty.map_or_else(|| "0".to_owned(), |ty| format!("sizeof({ty})"));
        RecordText {
            full_name: full_name.to_owned(),
            xml,
            fields: count,
            flags,
            size,
            text: plan.text,
            any: plan.any,
            starts,
            clear,
        }
    }

    fn union(&mut self, item: &Union) {
        let plan = self.plan.union(item.id);
        self.encoded = self.encoded_types.contains(&item.id);
        let package = self.lower.model.ty(item.id).package;
        let flags = set([
            (plan.extensible, "CREO_RECORD_EXTENSIBLE"),
            (plan.recursive, "CREO_RECORD_RECURSIVE"),
            (plan.derived, "CREO_UNION_DERIVED"),
        ]);
        let text = self.types[item.id.0].clone();
        let members = plan.members.iter().zip(&item.members).enumerate().map(|(index, (field, member))| {
            let hold = if member.pointer { Hold::Boxed } else { Hold::Plain };
            let base = Base::Member(&item.name, format!("as.{}", member.name));
            let descriptor = format!("{text}_{index}");
            let place = Place { descriptor: &descriptor, name: Some(&field.name), package, base, hold };
            FieldText {
                number: index,
                value_charge: field.node.member_charges().own,
                ..self.field(&field.node, &place)
            }
        });
        let members: Vec<FieldText> = members.collect();
        let xml = self.name(&plan.xml);
        let starts = self.starts(&text, &plan.content);
        let list = self.claim(&format!("{text}_members"));
        let count = members.len();
        self.text.items.push(Item::Fields { name: list.clone(), fields: members });
        let (full_name, ty) = (item.full_name.clone(), item.name.clone());
        let union = UnionText { full_name, xml, members: (list, count), flags, ty, base: plan.base, starts };
        self.text.shared.push(("union", text.clone()));
        self.text.items.push(Item::Union { name: text, union });
        self.root(&item.name, item.id);
    }

    /// A field's descriptor; those of its items, keys and values come before it.
    pub fn field(&mut self, node: &'m Node, place: &Place<'_>) -> FieldText {
        let Place { base, package, .. } = place;
        let optional = node.is_optional();
        let c = self.lower.ty(node.inner(), *package).c();
        let whole = self.lower.ty(node, *package).c();
        let zero = || "0".to_owned();
        let (slot, offset, flag, inner, size) = match place.hold {
            Hold::Plain if optional => {
                ("CREO_SLOT_FLAG", base.inside("value"), base.inside("has"), zero(), whole)
            }
            Hold::Plain => ("CREO_SLOT_VALUE", base.offset(), zero(), zero(), whole),
            Hold::Boxed if optional => (
                "CREO_SLOT_BOXED",
                base.offset(),
                format!("offsetof({whole}, has)"),
                format!("offsetof({whole}, value)"),
                whole,
            ),
            Hold::Boxed | Hold::Slot(Slot::Required) => {
                ("CREO_SLOT_REQUIRED", base.offset(), zero(), zero(), c)
            }
            Hold::Slot(Slot::Value) => ("CREO_SLOT_VALUE", base.offset(), zero(), zero(), c),
            Hold::Slot(Slot::Flag) => ("CREO_SLOT_FLAG", base.offset(), zero(), zero(), c),
            Hold::Slot(Slot::Pointer) => ("CREO_SLOT_POINTER", base.offset(), zero(), zero(), c),
        };
        let (kind, ty) = self.kind(place.descriptor, node.inner(), *package);
        let mut flags = Vec::new();
        if node.xml.nillable {
            flags.push("CREO_FIELD_NILLABLE");
        }
        if node.may_be_missing() {
            flags.push(MAY_MISS);
        }
        FieldText {
            name: place.name.map(str::to_owned),
            xml: self.name(&node.xml.name),
            place: lower_base::place(node.xml.position),
            kind,
            slot,
            flags,
            number: 0,
            offset,
            flag,
            inner,
            size: format!("sizeof({size})"),
            value_charge: node.charges.own,
            item_charge: 0,
            ty,
        }
    }

    /// The kind of a value, and the descriptor that the kind points to.
    fn kind(&mut self, base: &str, node: &'m Node, package: PackageId) -> (String, String) {
        let schema = || node.own_schema().filter(|_| self.encoded).map_or("NULL".into(), literals::string);
        let kind = |word: &str| format!("CREO_TEXT_{word}");
        match &node.kind {
            Kind::Scalar(fixed) => (scalar(fixed.primitive()).text_kind.to_owned(), schema()),
            Kind::String(StringForm::Plain) => (scalar(Primitive::String).text_kind.to_owned(), schema()),
            Kind::String(StringForm::Token) => (kind("TOKEN"), schema()),
            Kind::String(StringForm::QName) => (kind("QNAME"), schema()),
            Kind::String(StringForm::Raw) => (kind("RAW"), schema()),
            Kind::Decimal => (scalar(Primitive::Decimal).text_kind.to_owned(), schema()),
            Kind::Bytes { hex } => (kind(if *hex { "HEX" } else { "BYTES" }), schema()),
            Kind::Enum(id) => (kind("ENUM"), format!("&{}", self.types[id.0])),
            Kind::Record(id) => (kind("RECORD"), format!("&{}", self.types[id.0])),
            Kind::Union(id) => (kind("UNION"), format!("&{}", self.types[id.0])),
            // There are no nested optionals.
            Kind::Optional(inner) => self.kind(base, inner, package),
            Kind::Array { item, layout, .. } => {
                let layout = match layout {
                    ArrayLayout::Repeated => "REPEATED",
                    ArrayLayout::Wrapped => "WRAPPED",
                    ArrayLayout::List => "LIST",
                };
                (kind(layout), self.item(base, node, item, package))
            }
            Kind::Map { key, value, attributes } => (
                kind(if *attributes { "ATTRIBUTES" } else { "MAP" }),
                self.map(base, node, (key, value), package),
            ),
        }
    }

    fn item(&mut self, base: &str, array: &Node, item: &'m Node, package: PackageId) -> String {
        let package = self.lower.home(array, package);
        let c = self.lower.ty(item, package).c();
        let name = self.claim(&format!("{base}_item"));
        let place = Place { descriptor: &name, name: None, package, base: Base::Alone(c), hold: Hold::Plain };
        let field = FieldText { item_charge: array.charges.each, ..self.field(item, &place) };
        self.text.items.push(Item::Fields { name: name.clone(), fields: vec![field] });
        name
    }

    fn map(
        &mut self,
        base: &str,
        map: &'m Node,
        (key, value): (&'m Node, &'m Node),
        package: PackageId,
    ) -> String {
        let home = self.lower.home(map, package);
        let entry = format!("{}_entry", self.lower.ty(map, package).c());
        let name = self.claim(&format!("{base}_map"));
        let mut part = |node: &'m Node, number: usize, member: &str| {
            let own = self.claim(&format!("{name}_{member}"));
            let base = Base::Member(&entry, member.to_owned());
            let place = Place { descriptor: &own, name: None, package: home, base, hold: Hold::Plain };
            let field = FieldText { number, ..self.field(node, &place) };
            self.text.items.push(Item::Fields { name: own.clone(), fields: vec![field] });
            own
        };
        let key_name = part(key, 0, "key");
        let value_name = part(value, 1, "value");
        let keys = match self.lower.ty(key, home) {
            Ty::Text(_) => "CREO_KEY_STRING".to_owned(),
            other @ (Ty::Scalar(_) | Ty::Bytes | Ty::Bulk(_) | Ty::Enum(_) | Ty::Record(_)) => {
                format!("(creo_key)sizeof({})", other.c())
            }
        };
        self.text.items.push(Item::Map {
            name: name.clone(),
            key: key_name,
            value: value_name,
            entry,
            keys,
            charge: map.charges.each,
        });
        format!("&{name}")
    }

    fn service(&mut self, service: &Service) {
        let plan = self.plan.interface(service.index);
        self.encoded = plan.encoded;
        self.addressed = plan.addressing;
        let package = self.lower.model.interfaces[service.index].package;
        let methods: Vec<MethodText> = service
            .methods
            .iter()
            .zip(&plan.methods)
            .filter(|(_, plan)| plan.is_carried_by_json())
            .map(|(method, plan)| MethodText {
                id: method.id,
                action: plan.action.clone(),
                request: self.request(method, &plan.request, package),
                response: plan.response.as_ref().map(|message| self.response(method, message, package)),
                exceptions: self.exceptions(method),
                kind: if method.has_outcome() {
                    format!("offsetof({}_outcome, kind)", method.name)
                } else {
                    "0".to_owned()
                },
                secrets: secrets(self.lower.model, self.plan, plan),
                soap_response: plan
                    .soap_response
                    .as_ref()
                    .filter(|_| !plan.has_streams())
                    .map(|message| self.soap_response(method, plan, message, package)),
                item: self.stream_item(method, plan, package),
            })
            .collect();
        let name = self.claim(&format!("{}_text", service.name));
        let list = self.claim(&format!("{name}_methods"));
        let lines = methods.iter().any(|method| method.item.is_some());
        let count = counted(&list, &methods);
        if count.is_some() {
            self.text.items.push(Item::Methods { name: list, methods });
        }
        self.text.items.push(Item::Interface {
            name: name.clone(),
            full_name: service.full_name.clone(),
            methods: count,
            soap12: plan.soap12,
            lines,
        });
        self.text.interfaces.push(name);
    }

    pub fn message(&mut self, message: &Message, held: Struct<'_>, fields: Vec<FieldText>) -> MessageText {
        let content = &message.record.content;
        let spaces = self.spaces(held.descriptor, &content.namespaces, content.xsi);
        let record = self.record_text(&message.record, held, fields);
        MessageText { element: self.name(&message.element), bare: message.bare, record, spaces }
    }

    /// The C side of a message.
    pub fn message_struct<'a>(
        &self,
        descriptor: &'a str,
        method: &'a Method,
        ty: Option<&'a str>,
    ) -> Struct<'a> {
        let flags = set([(self.encoded, "CREO_RECORD_ENCODED"), (self.addressed, "CREO_RECORD_ADDRESSED")]);
        Struct { descriptor, full_name: &method.declared, ty, flags, clears: false }
    }

    fn request(&mut self, method: &Method, message: &'m Message, package: PackageId) -> MessageText {
        let arguments = format!("{}_arguments", method.name);
        if !method.parameters.is_empty() {
            let parameters = method.parameters.iter().map(|p| (p.ty.c(), p.slot, p.name.clone())).collect();
            self.text.items.push(Item::Arguments { name: arguments.clone(), parameters });
        }
        let descriptor = format!("{}_request", method.name);
        let parts = message.record.fields.iter().zip(&method.parameters).enumerate();
        let fields: Vec<FieldText> = parts
            .map(|(index, (field, held))| {
                let base = Base::Member(&arguments, held.name.clone());
                let descriptor = format!("{descriptor}_{index}");
                let place = Place {
                    descriptor: &descriptor,
                    name: Some(&field.name),
                    package,
                    base,
                    hold: Hold::Slot(held.slot),
                };
                self.field(&field.node, &place)
            })
            .collect();
        let ty = (!fields.is_empty()).then_some(arguments.as_str());
        self.message(message, self.message_struct(&descriptor, method, ty), fields)
    }
}

fn set<const N: usize>(flags: [(bool, &'static str); N]) -> Vec<&'static str> {
    flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag).collect()
}
