//! Lowers the plan of the text wires: descriptors, which say where each value lies in its C struct.

use crate::lang::{Definition, EnumConstant, Field as Held, Member, Method, Service, Slot, Ty, Unit};
use crate::lower::Lower;
use crate::text_items::{FieldText, Item, MessageText, MethodText, NameText, RecordText, Root, SpacesText, Text, UnionText};
use creo_model::text::{Field, InterfaceText, Message, Name, Place, Record, TextPlan, Value, text_plan};
use creo_model::{PackageId, Primitive, Type, TypeId};
use std::collections::BTreeMap;

/// Where a value lies: in a member of a struct, or by itself.
#[derive(Clone)]
enum Base<'a> {
    /// Owner's type and path within it.
    Member(&'a str, String),
    /// Of that C type.
    Alone(String),
}

impl Base<'_> {
    fn offset(&self) -> String {
        match self {
            Base::Member(owner, path) => format!("offsetof({owner}, {path})"),
            Base::Alone(_) => "0".to_owned(),
        }
    }

    /// The offset of a member of the struct that lies there.
    fn inside(&self, member: &str) -> String {
        match self {
            Base::Member(owner, path) => format!("offsetof({owner}, {path}.{member})"),
            Base::Alone(ty) => format!("offsetof({ty}, {member})"),
        }
    }
}

/// How the value is held there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hold {
    /// By itself; nothing is a struct of a flag and a value.
    Plain,
    Slot(Slot),
    /// Behind a pointer that may not be NULL.
    Boxed,
}

/// What lowering a unit's text knows.
struct Work<'l, 'm> {
    lower: &'l mut Lower<'m>,
    plan: &'l TextPlan,
    /// The descriptor of each type.
    types: &'l [String],
    stem: String,
    text: Text,
    spaces: BTreeMap<usize, String>,
}

/// Gives each unit its descriptors.
pub fn lower_text(lower: &mut Lower<'_>, units: &mut [Unit]) {
    let plan = text_plan(lower.model);
    let names: Vec<String> = lower.types.clone();
    let types: Vec<String> = names.iter().map(|name| lower.globals.claim(&format!("{name}_text"), &[])).collect();
    for unit in units {
        let mut work = Work { lower, plan: &plan, types: &types, stem: unit.stem.clone(), text: Text::default(), spaces: BTreeMap::new() };
        work.unit(unit);
        unit.text = work.text;
    }
}

fn counted<T>(name: &str, list: &[T]) -> Option<(String, usize)> {
    (!list.is_empty()).then(|| (name.to_owned(), list.len()))
}

impl Work<'_, '_> {
    fn unit(&mut self, unit: &Unit) {
        for item in &unit.enums {
            self.enumeration(&item.name, &item.full_name, &item.constants);
        }
        for definition in &unit.definitions {
            match definition {
                Definition::Record(record) => self.record(&record.name, &record.full_name, &record.fields),
                Definition::Union(union) => self.union(&union.name, &union.full_name, &union.members),
                Definition::Array(_) | Definition::Map(_) | Definition::Optional(_) => {}
            }
        }
        for service in &unit.services {
            self.service(service);
        }
    }

    fn id(&self, name: &str) -> TypeId {
        TypeId(self.lower.types.iter().position(|known| known == name).unwrap_or_else(|| unreachable!("every declared type has a name")))
    }

    fn claim(&mut self, name: &str) -> String {
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

    fn starts(&mut self, base: &str, starts: &[(Name, usize)]) -> Option<(String, usize)> {
        let starts: Vec<(NameText, usize)> = starts.iter().map(|(name, field)| (self.name(name), *field)).collect();
        let name = self.claim(&format!("{base}_starts"));
        let list = counted(&name, &starts);
        if list.is_some() {
            self.text.items.push(Item::Starts { name, starts });
        }
        list
    }

    /// The descriptor of a value alone.
    fn root(&mut self, name: &str, id: TypeId) {
        let ty = Type::Named(id);
        let (namespaces, xsi) = self.plan.value_needs(&ty);
        let root = self.claim(&format!("{name}_xml"));
        let spaces = self.spaces(&root, &namespaces, xsi);
        let field = Field { name: String::new(), ..self.plan.value(&ty) };
        let package = self.lower.model.ty(id).package;
        let field = self.field(&root, &field, &ty, package, &Base::Alone(name.to_owned()), Hold::Plain);
        self.text.items.push(Item::Root { name: root.clone(), field, spaces });
        let mut function = |verb: &str| self.claim(&format!("{name}_{verb}"));
        let (to_xml, from_xml) = (function("to_xml"), function("from_xml"));
        let (to_json, from_json) = (function("to_json"), function("from_json"));
        let (to_tdxml, from_tdxml) = (function("to_tdxml"), function("from_tdxml"));
        self.text.roots.insert(name.to_owned(), Root { name: root, to_xml, from_xml, to_json, from_json, to_tdxml, from_tdxml });
    }

    fn enumeration(&mut self, name: &str, full_name: &str, constants: &[EnumConstant]) {
        let id = self.id(name);
        let plan = self.plan.enumeration(id);
        let xml = self.name(&plan.xml);
        let constants =
            constants.iter().zip(&plan.texts).map(|(constant, text)| (constant.declared.clone(), text.clone(), constant.number)).collect();
        let text = self.types[id.0].clone();
        self.text.shared.push(("enum", text.clone()));
        let list = self.claim(&format!("{text}_constants"));
        self.text.items.push(Item::Enum { name: text, full_name: full_name.to_owned(), xml, list, constants, extensible: plan.extensible });
        self.root(name, id);
    }

    fn record(&mut self, name: &str, full_name: &str, held: &[Held]) {
        let id = self.id(name);
        let decl = self.lower.model.ty(id);
        let plan = self.plan.record(id);
        let mut flags = Vec::new();
        if plan.extensible {
            flags.push("CREO_RECORD_EXTENSIBLE");
        }
        if decl.recursive {
            flags.push("CREO_RECORD_RECURSIVE");
        }
        let mut defaults = plan.extensible;
        let mut fields = Vec::new();
        let text = self.types[id.0].clone();
        for (index, ((field, declared), member)) in plan.fields.iter().zip(decl.fields()).zip(held).enumerate() {
            let base = format!("{text}_{index}");
            let mut lowered = self.field(&base, field, &declared.ty, decl.package, &Base::Member(name, member.name.clone()), Hold::Slot(member.slot));
            let attribute = matches!(field.place, Place::Attribute);
            if declared.default.is_some() && (plan.extensible || attribute) {
                defaults = true;
                may_miss(&mut lowered);
                lowered.flags.push("CREO_FIELD_DEFAULT");
            }
            if member.slot == Slot::Flag {
                lowered.flag = format!("offsetof({name}, has_{})", member.name);
            }
            fields.push(lowered);
        }
        let record = self.record_text(&text, full_name, name, plan, fields, flags, defaults.then(|| name.to_owned()), held.is_empty());
        self.text.shared.push(("record", text.clone()));
        self.text.items.push(Item::Record { name: text, record });
        self.root(name, id);
    }

    /// The parts of a record's descriptor that stand before it. `init`: the type whose `_init` makes its defaults.
    #[allow(clippy::too_many_arguments)] // Each is one part of the descriptor.
    fn record_text(
        &mut self,
        text: &str,
        full_name: &str,
        ty: &str,
        plan: &Record,
        mut fields: Vec<FieldText>,
        mut flags: Vec<&'static str>,
        init: Option<String>,
        empty: bool,
    ) -> RecordText {
        if plan.attributes {
            flags.push("CREO_RECORD_ATTRIBUTES");
        }
        number(plan, &mut fields);
        let xml = self.name(&plan.xml);
        let starts = self.starts(text, &plan.starts);
        let list = self.claim(&format!("{text}_fields"));
        let count = counted(&list, &fields);
        if count.is_some() {
            self.text.items.push(Item::Fields { name: list, fields });
        }
        let clear = init.map(|init| {
            let name = self.claim(&format!("{text}_clear"));
            self.text.items.push(Item::Clear { name: name.clone(), init: format!("{init}_init"), ty: init });
            name
        });
        let size = if empty && ty.is_empty() { "0".to_owned() } else { format!("sizeof({ty})") };
        RecordText { full_name: full_name.to_owned(), xml, fields: count, flags, size, text: plan.text, any: plan.any, starts, clear }
    }

    fn union(&mut self, name: &str, full_name: &str, held: &[Member]) {
        let id = self.id(name);
        let decl = self.lower.model.ty(id);
        let plan = self.plan.union(id);
        let mut flags = Vec::new();
        if plan.extensible {
            flags.push("CREO_RECORD_EXTENSIBLE");
        }
        if decl.recursive {
            flags.push("CREO_RECORD_RECURSIVE");
        }
        if plan.derived {
            flags.push("CREO_UNION_DERIVED");
        }
        let text = self.types[id.0].clone();
        let members = plan.members.iter().zip(decl.fields()).zip(held).enumerate();
        let members: Vec<FieldText> = members
            .map(|(index, ((field, declared), member))| {
                let hold = if member.pointer { Hold::Boxed } else { Hold::Plain };
                let base = Base::Member(name, format!("as.{}", member.name));
                let lowered = self.field(&format!("{text}_{index}"), field, &declared.ty, decl.package, &base, hold);
                FieldText { number: index, value_charge: self.plan.member_charges(field).own, ..lowered }
            })
            .collect();
        let xml = self.name(&plan.xml);
        let starts = self.starts(&text, &plan.starts);
        let list = self.claim(&format!("{text}_members"));
        let count = members.len();
        self.text.items.push(Item::Fields { name: list.clone(), fields: members });
        let union = UnionText { full_name: full_name.to_owned(), xml, members: (list, count), flags, ty: name.to_owned(), base: plan.base, starts };
        self.text.shared.push(("union", text.clone()));
        self.text.items.push(Item::Union { name: text, union });
        self.root(name, id);
    }

    /// A field's descriptor; those of its items, keys and values are added before it.
    fn field(&mut self, base: &str, field: &Field, ty: &Type, package: PackageId, place: &Base<'_>, hold: Hold) -> FieldText {
        let mut flags = Vec::new();
        if field.nillable {
            flags.push("CREO_FIELD_NILLABLE");
        }
        let (value, inner_type, optional) = match (&field.value, ty) {
            (Value::Optional(value), Type::Optional(inner)) => (value.as_ref(), inner.as_ref(), true),
            (value, ty) => (value, ty, false),
        };
        let c = self.lower.ty(inner_type, package).c();
        let whole = self.lower.ty(ty, package).c();
        let (slot, offset, flag, inner, size) = match hold {
            Hold::Plain if optional => ("CREO_SLOT_FLAG", place.inside("value"), place.inside("has"), "0".to_owned(), whole),
            Hold::Plain => ("CREO_SLOT_VALUE", place.offset(), "0".to_owned(), "0".to_owned(), whole),
            Hold::Boxed if optional => {
                ("CREO_SLOT_BOXED", place.offset(), format!("offsetof({whole}, has)"), format!("offsetof({whole}, value)"), whole)
            }
            Hold::Boxed | Hold::Slot(Slot::Required) => ("CREO_SLOT_REQUIRED", place.offset(), "0".to_owned(), "0".to_owned(), c),
            Hold::Slot(Slot::Value) => ("CREO_SLOT_VALUE", place.offset(), "0".to_owned(), "0".to_owned(), c),
            Hold::Slot(Slot::Flag) => ("CREO_SLOT_FLAG", place.offset(), "0".to_owned(), "0".to_owned(), c),
            Hold::Slot(Slot::Pointer) => ("CREO_SLOT_POINTER", place.offset(), "0".to_owned(), "0".to_owned(), c),
        };
        let (kind, ty) = self.kind(base, value, inner_type, package);
        let place = match field.place {
            Place::Element => "CREO_PLACE_ELEMENT",
            Place::Attribute | Place::AnyAttribute => "CREO_PLACE_ATTRIBUTE",
            Place::Text => "CREO_PLACE_TEXT",
            Place::Inline => "CREO_PLACE_INLINE",
            Place::Any => "CREO_PLACE_ANY",
            Place::Header => "CREO_PLACE_HEADER",
        };
        let mut lowered = FieldText {
            name: (!field.name.is_empty()).then(|| field.name.clone()),
            xml: self.name(&field.xml),
            place,
            kind,
            slot,
            flags,
            number: 0,
            offset,
            flag,
            inner,
            size: format!("sizeof({size})"),
            value_charge: self.plan.charges(field).own,
            item_charge: 0,
            ty,
        };
        if optional || matches!(value, Value::Repeated(_) | Value::Attributes) {
            may_miss(&mut lowered);
        }
        lowered
    }

    /// What a value is, and the descriptor that its kind points to.
    fn kind(&mut self, base: &str, value: &Value, ty: &Type, package: PackageId) -> (String, String) {
        let none = || "NULL".to_owned();
        let each = self.plan.value_charges(value).each;
        let kind = |word: &str| format!("CREO_TEXT_{word}");
        match value {
            Value::Scalar(primitive) => (kind(&scalar(*primitive)), none()),
            Value::Bytes { hex: true } => (kind("HEX"), none()),
            Value::Bytes { hex: false } => (kind("BYTES"), none()),
            Value::Token => (kind("TOKEN"), none()),
            Value::QName => (kind("QNAME"), none()),
            Value::Raw => (kind("RAW"), none()),
            Value::Enum(id) => (kind("ENUM"), format!("&{}", self.types[id.0])),
            Value::Record(id) => (kind("RECORD"), format!("&{}", self.types[id.0])),
            Value::Union(id) => (kind("UNION"), format!("&{}", self.types[id.0])),
            // An optional within an optional does not exist.
            Value::Optional(value) => self.kind(base, value, ty, package),
            Value::Repeated(item) => (kind("REPEATED"), self.item(base, item, each, ty, package)),
            Value::Wrapped(item) => (kind("WRAPPED"), self.item(base, item, each, ty, package)),
            Value::List(value) => {
                let item = Field {
                    name: String::new(),
                    xml: Name { local: String::new(), namespace: None },
                    place: Place::Text,
                    nillable: false,
                    value: value.as_ref().clone(),
                };
                (kind("LIST"), self.item(base, &item, each, ty, package))
            }
            Value::Entries(key, value) => (kind("MAP"), self.map(base, (key, value), each, ty, package)),
            Value::Attributes => {
                let text = |name: &str| Field {
                    name: name.to_owned(),
                    xml: Name { local: name.to_owned(), namespace: None },
                    place: Place::Element,
                    nillable: false,
                    value: Value::Scalar(Primitive::String),
                };
                (kind("ATTRIBUTES"), self.map(base, (&text("key"), &text("value")), each, ty, package))
            }
        }
    }

    fn item(&mut self, base: &str, item: &Field, charge: u64, ty: &Type, package: PackageId) -> String {
        let Type::Array(inner) = ty else {
            // `byte[]` is a type of its own, and all others with items are arrays.
            unreachable!("a value with items is an array")
        };
        let home = self.lower.home(ty, package);
        let c = self.lower.ty(inner, home).c();
        let item = Field { name: String::new(), ..item.clone() };
        let name = self.claim(&format!("{base}_item"));
        let field = FieldText { item_charge: charge, ..self.field(&name, &item, inner, home, &Base::Alone(c), Hold::Plain) };
        self.text.items.push(Item::Fields { name: name.clone(), fields: vec![field] });
        name
    }

    fn map(&mut self, base: &str, (key, value): (&Field, &Field), charge: u64, ty: &Type, package: PackageId) -> String {
        let Type::Map(key_type, value_type) = ty else { unreachable!("a value with entries is a map") };
        let home = self.lower.home(ty, package);
        let entry = format!("{}_entry", self.lower.ty(ty, package).c());
        let name = self.claim(&format!("{base}_map"));
        let mut part = |part: &Field, ty: &Type, member: &str| {
            let own = self.claim(&format!("{name}_{member}"));
            let part = Field { name: String::new(), ..part.clone() };
            let lowered = self.field(&own, &part, ty, home, &Base::Member(&entry, member.to_owned()), Hold::Plain);
            let field = FieldText { number: usize::from(member == "value"), ..lowered };
            self.text.items.push(Item::Fields { name: own.clone(), fields: vec![field] });
            own
        };
        let key_name = part(key, key_type, "key");
        let value_name = part(value, value_type, "value");
        let keys = match self.lower.ty(key_type, home) {
            Ty::Text(_) => "CREO_KEY_STRING".to_owned(),
            other => format!("(creo_key)sizeof({})", other.c()),
        };
        self.text.items.push(Item::Map { name: name.clone(), key: key_name, value: value_name, entry, keys, charge });
        format!("&{name}")
    }

    fn service(&mut self, service: &Service) {
        let model = self.lower.model;
        let Some(index) = model.interfaces.iter().position(|interface| model.interface_name(interface) == service.full_name) else { return };
        let plan = self.plan;
        let InterfaceText { soap12, methods: texts, .. } = plan.interface(index);
        let interface = &model.interfaces[index];
        let methods: Vec<MethodText> = service
            .methods
            .iter()
            .zip(&interface.methods)
            .zip(texts)
            .map(|((method, declared), text)| MethodText {
                id: method.id,
                action: text.action.clone(),
                request: self.request(method, declared, &text.request, interface.package),
                response: text.response.as_ref().map(|message| self.response(method, declared, message, interface.package)),
                exceptions: self.exceptions(method),
                kind: if method.faults.is_empty() { "0".to_owned() } else { format!("offsetof({}_outcome, kind)", method.name) },
            })
            .collect();
        let name = self.claim(&format!("{}_text", service.name));
        let list = self.claim(&format!("{name}_methods"));
        let count = counted(&list, &methods);
        if count.is_some() {
            self.text.items.push(Item::Methods { name: list, methods });
        }
        self.text.items.push(Item::Interface { name: name.clone(), full_name: service.full_name.clone(), methods: count, soap12: *soap12 });
        self.text.interfaces.push(name);
    }

    fn message(&mut self, base: &str, method: &str, message: &Message, ty: &str, fields: Vec<FieldText>) -> MessageText {
        let spaces = self.spaces(base, &message.record.namespaces, message.record.xsi);
        let empty = fields.is_empty();
        let record = self.record_text(base, method, ty, &message.record, fields, Vec::new(), None, empty);
        MessageText { element: self.name(&message.element), bare: message.bare, record, spaces }
    }

    fn request(&mut self, method: &Method, declared: &creo_model::Method, message: &Message, package: PackageId) -> MessageText {
        let arguments = format!("{}_arguments", method.name);
        if !method.parameters.is_empty() {
            let parameters = method.parameters.iter().map(|p| (p.ty.c(), p.slot, p.name.clone())).collect();
            self.text.items.push(Item::Arguments { name: arguments.clone(), parameters });
        }
        let base = format!("{}_request", method.name);
        let parts = message.record.fields.iter().zip(&declared.parameters).zip(&method.parameters).enumerate();
        let fields: Vec<FieldText> = parts
            .map(|(index, ((field, parameter), held))| {
                let place = Base::Member(&arguments, held.name.clone());
                self.field(&format!("{base}_{index}"), field, &parameter.ty, package, &place, Hold::Slot(held.slot))
            })
            .collect();
        let ty = if fields.is_empty() { "" } else { arguments.as_str() };
        self.message(&base, &declared.name, message, ty, fields)
    }

    fn response(&mut self, method: &Method, declared: &creo_model::Method, message: &Message, package: PackageId) -> MessageText {
        let base = format!("{}_response", method.name);
        let outcome = format!("{}_outcome", method.name);
        let result = match (&declared.result, &method.result) {
            (Some(ty), Some(held)) => {
                let place =
                    if method.faults.is_empty() { Base::Alone(held.c()) } else { Base::Member(&outcome, format!("as.{}", method.result_member)) };
                let field = message.record.fields.first().map(|field| Field { name: String::new(), ..field.clone() });
                field.map(|field| self.field(&format!("{base}_0"), &field, ty, package, &place, Hold::Plain))
            }
            _ => None,
        };
        let ty = match (&method.result, method.faults.is_empty()) {
            (_, false) => outcome,
            (Some(held), true) => held.c(),
            (None, true) => String::new(),
        };
        self.message(&base, &declared.name, message, &ty, result.into_iter().collect())
    }

    fn exceptions(&mut self, method: &Method) -> Option<(String, usize)> {
        let exceptions: Vec<(String, String)> = method
            .faults
            .iter()
            .map(|fault| (format!("&{}", self.types[self.id(&fault.ty).0]), format!("offsetof({}_outcome, as.{})", method.name, fault.member)))
            .collect();
        let name = self.claim(&format!("{}_exceptions", method.name));
        let count = counted(&name, &exceptions);
        if count.is_some() {
            self.text.items.push(Item::Exceptions { name, exceptions });
        }
        count
    }
}

/// TDX-11, TDX-21: attributes and elements are counted apart, the text not at all.
fn number(plan: &Record, fields: &mut [FieldText]) {
    let (mut attributes, mut elements) = (0, 0);
    for (field, lowered) in plan.fields.iter().zip(fields) {
        let count = match field.place {
            Place::Attribute => &mut attributes,
            Place::Text => continue,
            Place::Element | Place::Inline | Place::Any | Place::AnyAttribute | Place::Header => &mut elements,
        };
        lowered.number = *count;
        *count += 1;
    }
}

fn may_miss(field: &mut FieldText) {
    if !field.flags.contains(&"CREO_FIELD_MAY_MISS") {
        field.flags.push("CREO_FIELD_MAY_MISS");
    }
}

fn scalar(primitive: Primitive) -> String {
    crate::lang::word(primitive).to_ascii_uppercase()
}
