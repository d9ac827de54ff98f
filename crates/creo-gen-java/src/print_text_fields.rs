//! Prints the constants of fields, records and namespaces for text wires.

use crate::lang::{Classes, Record};
use crate::literals::string;
use crate::names::Scope;
use crate::scalars::scalar;
use creo_codegen::Writer;
use creo_model::{Primitive, TypeId};
use creo_plan::{
    ArrayLayout, Charges, Content, EncodedType, Field, Kind, Name, Node, Plan, Position, StringForm, Union,
};
use std::collections::BTreeSet;

/// Shared by the texts of all types.
pub struct Texts<'a> {
    pub plan: &'a Plan,
    pub classes: &'a Classes,
    /// The types in encoded messages (SOAP-30).
    pub encoded: BTreeSet<TypeId>,
}

/// The descriptors of one class, which collect its namespaces.
pub struct Descriptors<'a> {
    texts: &'a Texts<'a>,
    scope: &'a Scope<'a>,
    namespaces: BTreeSet<usize>,
    /// Whether the described values occur in encoded messages (SOAP-31).
    encoded: bool,
}

/// The first names of the fields of a record or union, and the index of one of them, for an inline field.
#[derive(Clone, Copy)]
struct First<'a> {
    content: &'a Content,
    index: usize,
}

impl<'a> Descriptors<'a> {
    /// `encoded`: whether the described values occur in encoded messages.
    pub fn new(texts: &'a Texts<'a>, scope: &'a Scope<'a>, encoded: bool) -> Descriptors<'a> {
        Descriptors { texts, scope, namespaces: BTreeSet::new(), encoded }
    }

    /// A namespace in the class.
    fn namespace(&mut self, namespace: Option<usize>) -> String {
        match namespace {
            Some(index) => {
                self.namespaces.insert(index);
                format!("N{index}")
            }
            None => "\"\"".to_owned(),
        }
    }

    pub fn name(&mut self, name: &Name) -> String {
        format!("{}, {}", self.namespace(name.namespace), string(&name.local))
    }

    /// Namespaces as further arguments of a call.
    pub fn list(&mut self, all: &[usize]) -> String {
        all.iter().map(|index| format!(", {}", self.namespace(Some(*index)))).collect()
    }

    /// Writes the constants of the namespaces.
    pub fn constants(&self, w: &mut Writer) {
        for index in &self.namespaces {
            let namespace = string(&self.texts.plan.namespaces()[*index]);
            w.line(format!("private static final {} N{index} = {namespace};", self.scope.lang("String")));
        }
    }

    /// The constants of a record: its fields, and itself, `RECORD{of}`.
    pub fn record_constants(&mut self, w: &mut Writer, record: &Record, declared: &str, of: &str) {
        for (index, component) in record.components.iter().enumerate() {
            let first = First { content: &record.plan.content, index };
            let made = self.field(component.field, first, component.field.node.charges);
            w.line(format!(
                "private static final {} {} = {made};",
                self.scope.creo("TextField"),
                constant(of, index)
            ));
        }
        self.record_constant(w, record.plan, declared, of);
    }

    /// The constants of the result of a method, a field without a name.
    pub fn result_constants(&mut self, w: &mut Writer, record: &creo_plan::Record, of: &str) {
        for (index, field) in record.fields.iter().enumerate() {
            let made = self.unnamed(&field.node, First { content: &record.content, index });
            w.line(format!(
                "private static final {} {} = {made};",
                self.scope.creo("TextField"),
                constant(of, index)
            ));
        }
        self.record_constant(w, record, "result", of);
    }

    /// The constants of a union: its members, and itself, `UNION`.
    pub fn union_constants(&mut self, w: &mut Writer, union: &Union, declared: &str) {
        let class = self.scope.creo("TextField");
        for (index, member) in union.members.iter().enumerate() {
            let own = member.node.member_charges();
            let made = match &member.node.kind {
                Kind::Record(id) if union.derived => {
                    let base = if union.base == Some(index) { ".base()" } else { "" };
                    let name = self.name(&self.texts.plan.record(*id).xml);
                    format!("{class}.derived({}, {name}){base}{}", string(&member.name), charges(own))
                }
                Kind::Record(_)
                | Kind::Union(_)
                | Kind::Enum(_)
                | Kind::Scalar(_)
                | Kind::String(_)
                | Kind::Decimal
                | Kind::Bytes { .. }
                | Kind::Array { .. }
                | Kind::Map { .. }
                | Kind::Optional(_) => self.field(member, First { content: &union.content, index }, own),
            };
            w.line(format!("private static final {class} M{index} = {made};"));
        }
        let members: Vec<String> = (0..union.members.len()).map(|i| format!("M{i}")).collect();
        let class = self.scope.creo("TextUnion");
        let mut made = format!("{class}.of({}).members({})", string(declared), members.join(", "));
        made.push_str(&self.holds(&union.members));
        if union.extensible {
            made.push_str(".extensible()");
        }
        if union.derived {
            made.push_str(".derived()");
        }
        if union.recursive {
            made.push_str(".recursive()");
        }
        w.line(format!("private static final {class} UNION = {made};"));
    }

    fn record_constant(&mut self, w: &mut Writer, record: &creo_plan::Record, declared: &str, of: &str) {
        let fields: Vec<String> = (0..record.fields.len()).map(|i| constant(of, i)).collect();
        let class = self.scope.creo("TextRecord");
        let mut made = format!("{class}.of({}, {})", string(declared), self.name(&record.xml));
        made.push_str(&format!(".fields({})", fields.join(", ")));
        made.push_str(&self.holds(&record.fields));
        if record.extensible {
            made.push_str(".extensible()");
        }
        if record.recursive {
            made.push_str(".recursive()");
        }
        w.line(format!("private static final {class} RECORD{of} = {made};"));
    }

    fn field(&mut self, field: &Field, first: First, charges: Charges) -> String {
        let missing = if field.default_if_missing { ".mayBeMissing()" } else { "" };
        self.described(&string(&field.name), &field.node, first, missing, charges)
    }

    /// The expression that makes the unnamed field of an item, a key, a value or a result.
    fn unnamed(&mut self, node: &Node, first: First) -> String {
        self.described("null", node, first, "", node.charges)
    }

    fn described(&mut self, name: &str, node: &Node, first: First, missing: &str, own: Charges) -> String {
        let class = self.scope.creo("TextField");
        let made = match node.xml.position {
            Position::Element => format!("{class}.element({name}, {})", self.name(&node.xml.name)),
            Position::Header => format!("{class}.element({name}, {}).header()", self.name(&node.xml.name)),
            Position::Attribute => format!("{class}.attribute({name}, {})", self.name(&node.xml.name)),
            Position::Text => format!("{class}.text({name})"),
            Position::Inline => format!("{class}.inline({name}){}", self.starts(first)),
            Position::Any => format!("{class}.any({name})"),
            Position::AnyAttribute => format!("{class}.anyAttribute({name})"),
        };
        let nillable = if node.xml.nillable { ".nillable()" } else { "" };
        let typed = if self.encoded { self.typed(node) } else { String::new() };
        format!("{made}{missing}{nillable}{}{typed}{}", self.form(node, first), charges(own))
    }

    /// The type in SOAP encoding. That of a record is in its own descriptor.
    fn typed(&mut self, node: &Node) -> String {
        let is_record = matches!(node.inner().kind, Kind::Record(_) | Kind::Union(_));
        let Some(EncodedType { name, items }) = self
            .texts
            .plan
            .encoded_type(node)
            .filter(|_| !is_record && node.xml.position == Position::Element)
        else {
            return String::new();
        };
        let items = items.map(|items| format!(".items({})", self.name(&items))).unwrap_or_default();
        format!(".typed({}){items}", self.name(&name))
    }

    /// The first names of an inline field, by namespace.
    fn starts(&mut self, first: First) -> String {
        let all = &first.content.first;
        let start = all.partition_point(|(_, index)| *index < first.index);
        let own: Vec<&Name> = all[start..]
            .iter()
            .take_while(|(_, index)| *index == first.index)
            .map(|(name, _)| name)
            .collect();
        let mut out = String::new();
        for part in own.chunk_by(|a, b| a.namespace == b.namespace) {
            let locals: Vec<String> = part.iter().map(|name| string(&name.local)).collect();
            out.push_str(&format!(".starts({}, {})", self.namespace(part[0].namespace), locals.join(", ")));
        }
        out
    }

    /// The calls that set the form of the value on its field.
    fn form(&mut self, node: &Node, first: First) -> String {
        match &node.kind {
            Kind::Scalar(fixed) => self.is_primitive(fixed.primitive()),
            Kind::String(StringForm::Plain) => self.is_primitive(Primitive::String),
            Kind::String(StringForm::Token) => ".token()".to_owned(),
            Kind::String(StringForm::QName) => ".qualifiedName()".to_owned(),
            Kind::String(StringForm::Raw) => ".raw()".to_owned(),
            Kind::Decimal => self.is_primitive(Primitive::Decimal),
            Kind::Enum(id) => {
                let blank =
                    if self.texts.plan.enumeration(*id).may_be_blank() { ".mayBeBlank()" } else { "" };
                format!("{}{blank}", self.is("ENUM"))
            }
            Kind::Record(_) => self.is("RECORD"),
            Kind::Union(_) => self.is("UNION"),
            Kind::Bytes { hex: false } => self.is("BYTES"),
            Kind::Bytes { hex: true } => format!("{}.hex()", self.is("BYTES")),
            Kind::Optional(inner) => format!(".optional(){}", self.form(inner, first)),
            Kind::Array { item, layout, .. } => match layout {
                ArrayLayout::Repeated => format!(".repeated({})", self.unnamed(item, first)),
                ArrayLayout::Wrapped => format!(".wrapping({})", self.unnamed(item, first)),
                ArrayLayout::List => {
                    format!(".wrapping({}.listed(){})", self.scope.creo("TextField"), self.form(item, first))
                }
            },
            Kind::Map { attributes: true, .. } => ".mayBeMissing()".to_owned(),
            Kind::Map { key, value, attributes: false } => {
                let key = self.unnamed(key, first);
                format!(".entries({key}, {})", self.unnamed(value, first))
            }
        }
    }

    fn is_primitive(&self, primitive: Primitive) -> String {
        scalar(primitive).text_type.map_or_else(String::new, |text_type| self.is(text_type))
    }

    fn is(&self, text_type: &str) -> String {
        format!(".is({}.{text_type})", self.scope.creo("TextType"))
    }

    /// The call that sets the structs and unions of a record's or union's fields; empty if there are none.
    fn holds(&self, fields: &[Field]) -> String {
        let mut held = Vec::new();
        fields.iter().for_each(|field| add_held(&field.node, &mut held));
        if held.is_empty() {
            return String::new();
        }
        let codec = |id: &TypeId| format!("{}.CODEC", self.scope.statics(&self.texts.classes.of(*id).text));
        let codecs: Vec<String> = held.iter().map(codec).collect();
        format!(".holds(() -> new {}<?>[] {{{}}})", self.scope.creo("TextCodec"), codecs.join(", "))
    }
}

/// Adds the structs and unions of a value in the order in which the runtime asks for them.
fn add_held(node: &Node, held: &mut Vec<TypeId>) {
    match &node.kind {
        Kind::Record(id) | Kind::Union(id) => held.push(*id),
        Kind::Optional(inner) => add_held(inner, held),
        Kind::Array { item, layout: ArrayLayout::Repeated | ArrayLayout::Wrapped, .. } => {
            add_held(item, held)
        }
        Kind::Map { value, attributes: false, .. } => add_held(value, held),
        Kind::Scalar(_)
        | Kind::String(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Enum(_)
        | Kind::Array { layout: ArrayLayout::List, .. }
        | Kind::Map { attributes: true, .. } => {}
    }
}

/// The charges of the field (LIM-18).
fn charges(charges: Charges) -> String {
    if charges == Charges::default() {
        String::new()
    } else {
        format!(".charges({}, {})", charges.own, charges.each)
    }
}

/// The constant of the field at an index. `of` distinguishes the records of a class.
pub fn constant(of: &str, index: usize) -> String {
    if of.is_empty() { format!("F{index}") } else { format!("F{of}_{index}") }
}
