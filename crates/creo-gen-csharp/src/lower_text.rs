//! Decides the text descriptions of fields and records.

use crate::lang::{Fact, Namespaces, Needs, TextField, TextRecord, TextStep, TextUnion};
use crate::lower_base::Lowering;
use crate::scalars::scalar;
use creo_model::Primitive;
use creo_plan::{ArrayLayout, Charges, Field, Kind, Name, Node, Position, Record, StringForm, Union};
use std::collections::BTreeSet;

/// The text descriptions of one class.
pub struct Texts<'l, 'm> {
    lowering: &'l Lowering<'m>,
    /// The namespaces in the class.
    used: BTreeSet<usize>,
    /// Whether the described values occur in encoded messages (SOAP-31).
    encoded: bool,
}

/// Facts about a field besides the field itself.
#[derive(Clone, Copy)]
struct Extra<'a> {
    /// Whether an absent value has a default.
    may_be_missing: bool,
    /// The first names of inline content in the field's record or union, and its index there.
    first: &'a [(Name, usize)],
    index: usize,
    charges: Charges,
}

impl<'l, 'm> Texts<'l, 'm> {
    pub fn new(lowering: &'l Lowering<'m>, encoded: bool) -> Texts<'l, 'm> {
        Texts { lowering, used: BTreeSet::new(), encoded }
    }

    /// The namespaces in the class so far.
    pub fn namespaces(&self) -> Namespaces {
        self.used.iter().map(|index| (*index, self.lowering.plan.namespaces()[*index].clone())).collect()
    }

    /// Adds all namespaces of some needs.
    pub fn name_all(&mut self, needs: &Needs) {
        self.used.extend(&needs.namespaces);
    }

    /// An element that is not a field.
    pub fn element(&mut self, name: &Name, facts: Vec<Fact>) -> TextField {
        TextField { name: None, xml: Some(self.name(name)), place: None, facts }
    }

    fn name(&mut self, name: &Name) -> Name {
        self.used.extend(name.namespace);
        name.clone()
    }

    /// `named`: whether the fields have names.
    pub fn record(&mut self, plan: &Record, name: &str, suffix: &str, named: bool) -> TextRecord {
        let field = |(index, field): (usize, &Field)| {
            let extra = Extra {
                may_be_missing: field.default_if_missing,
                first: &plan.content.first,
                index,
                charges: field.node.charges,
            };
            self.field(&field.node, named.then_some(&field.name), extra)
        };
        let fields = plan.fields.iter().enumerate().map(field).collect();
        let is_inline = |(index, field): (usize, &Field)| {
            (field.node.xml.position == Position::Inline && matches!(field.node.kind, Kind::Record(_)))
                .then_some(index)
        };
        TextRecord {
            suffix: suffix.to_owned(),
            name: name.to_owned(),
            xml: self.name(&plan.xml),
            fields,
            facts: true_ones([(plan.extensible, "IsExtensible"), (plan.recursive, "IsRecursive")]),
            writes: writes(plan),
            inline: plan.fields.iter().enumerate().filter_map(is_inline).collect(),
        }
    }

    pub fn union(&mut self, plan: &Union) -> TextUnion {
        let member = |(index, member): (usize, &Field)| match (&member.node.kind, plan.derived) {
            (Kind::Record(id), true) => self.derived(member, *id, plan.base == Some(index)),
            (
                Kind::Scalar(_)
                | Kind::String(_)
                | Kind::Decimal
                | Kind::Bytes { .. }
                | Kind::Array { .. }
                | Kind::Map { .. }
                | Kind::Optional(_)
                | Kind::Union(_)
                | Kind::Enum(_),
                true,
            )
            | (_, false) => {
                let charges = member.node.member_charges();
                let extra = Extra { may_be_missing: false, first: &plan.content.first, index, charges };
                self.field(&member.node, Some(&member.name), extra)
            }
        };
        TextUnion {
            members: plan.members.iter().enumerate().map(member).collect(),
            facts: true_ones([
                (plan.extensible, "IsExtensible"),
                (plan.derived, "IsDerived"),
                (plan.recursive, "IsRecursive"),
            ]),
        }
    }

    /// A union member that is identified by `xsi:type`.
    fn derived(&mut self, member: &Field, id: creo_model::TypeId, is_base: bool) -> TextField {
        let mut facts: Vec<Fact> = is_base.then_some(Fact::Is("IsBase")).into_iter().collect();
        self.form(&member.node, (&[], 0), &mut facts);
        charges(member.node.member_charges(), &mut facts);
        let xml = Some(self.name(&self.lowering.plan.record(id).xml));
        TextField { name: Some(member.name.clone()), xml, place: Some("Derived"), facts }
    }

    fn field(&mut self, node: &Node, name: Option<&String>, extra: Extra) -> TextField {
        let mut facts = Vec::new();
        let (has_name, place) = match node.xml.position {
            Position::Element => (true, None),
            Position::Header => {
                facts.push(Fact::Is("IsHeader"));
                (true, None)
            }
            Position::Attribute => (true, Some("Attribute")),
            Position::Text => (false, Some("Text")),
            Position::Inline => {
                facts.extend(self.starts(extra.first, extra.index));
                (false, Some("Inline"))
            }
            Position::Any => (false, Some("Any")),
            Position::AnyAttribute => (false, Some("AnyAttribute")),
        };
        if extra.may_be_missing {
            facts.push(Fact::Is("MayBeMissing"));
        }
        if node.xml.nillable {
            facts.push(Fact::Is("IsNillable"));
        }
        self.form(node, (extra.first, extra.index), &mut facts);
        if has_name && place.is_none() {
            self.schema(node, &mut facts);
        }
        charges(extra.charges, &mut facts);
        TextField { name: name.cloned(), xml: has_name.then(|| self.name(&node.xml.name)), place, facts }
    }

    /// The type of a value's element in an encoded message (SOAP-31). Raw elements contain their own, and derived unions that of their member.
    fn schema(&mut self, node: &Node, facts: &mut Vec<Fact>) {
        let held = if let Kind::Optional(inner) = &node.kind { &**inner } else { node };
        let is_own = matches!(held.kind, Kind::String(StringForm::Raw) | Kind::Union(_));
        let Some(said) = self.lowering.plan.encoded_type(held).filter(|_| self.encoded && !is_own) else {
            return;
        };
        facts.push(Fact::Schema("SchemaType", self.name(&said.name)));
        facts.extend(said.items.map(|items| Fact::Schema("SchemaItems", self.name(&items))));
    }

    /// The first names of an inline field, by namespace.
    fn starts(&mut self, first: &[(Name, usize)], index: usize) -> Option<Fact> {
        let own: Vec<Name> =
            first.iter().filter(|(_, i)| *i == index).map(|(name, _)| self.name(name)).collect();
        let part = |part: &[Name]| (part[0].namespace, part.iter().map(|name| name.local.clone()).collect());
        let parts = own.chunk_by(|a, b| a.namespace == b.namespace).map(part);
        (!own.is_empty()).then(|| Fact::Starts(parts.collect()))
    }

    /// Adds the facts from the form of the value.
    fn form(&mut self, value: &Node, first: (&[(Name, usize)], usize), facts: &mut Vec<Fact>) {
        match &value.kind {
            Kind::String(StringForm::Plain) | Kind::Map { attributes: true, .. } => {}
            Kind::String(StringForm::Raw) => facts.push(Fact::Is("IsRaw")),
            Kind::String(StringForm::Token) => facts.push(Fact::Is("IsToken")),
            Kind::String(StringForm::QName) => {
                facts.extend([Fact::Is("IsToken"), Fact::Is("IsQualifiedName")])
            }
            Kind::Scalar(fixed) => facts.extend(scalar(fixed.primitive()).form.map(Fact::Form)),
            Kind::Decimal => facts.extend(scalar(Primitive::Decimal).form.map(Fact::Form)),
            Kind::Enum(id) => {
                facts.push(Fact::Form("Enum"));
                let blank = self.lowering.plan.enumeration(*id).may_be_blank();
                facts.extend(blank.then_some(Fact::Is("MayBeBlank")));
            }
            Kind::Record(id) | Kind::Union(id) => facts.push(Fact::Type(Some(self.lowering.classes(*id)))),
            Kind::Bytes { hex } => {
                facts.push(Fact::Form("Bytes"));
                facts.extend(hex.then_some(Fact::Is("IsHex")));
            }
            Kind::Optional(inner) => {
                facts.push(Fact::Is("IsOptional"));
                self.form(inner, first, facts);
            }
            Kind::Array { item, layout: ArrayLayout::Repeated, .. } => {
                facts.push(self.part("Item", item, first))
            }
            Kind::Array { item, layout: ArrayLayout::Wrapped, .. } => {
                facts.extend([Fact::Is("IsWrapped"), self.part("Item", item, first)])
            }
            Kind::Array { item, layout: ArrayLayout::List, .. } => {
                let mut inner = Vec::new();
                self.form(item, first, &mut inner);
                let item = TextField { name: None, xml: None, place: Some("Listed"), facts: inner };
                facts.extend([Fact::Is("IsWrapped"), Fact::Field("Item", item)]);
            }
            Kind::Map { key, value, attributes: false } => {
                facts.extend([self.part("Key", key, first), self.part("Value", value, first)])
            }
        }
    }

    /// An inner field of a fact.
    fn part(
        &mut self,
        property: &'static str,
        node: &Node,
        (first, index): (&[(Name, usize)], usize),
    ) -> Fact {
        let extra = Extra { may_be_missing: false, first, index, charges: node.charges };
        Fact::Field(property, self.field(node, None, extra))
    }
}

/// The charges of a field (LIM-18).
fn charges(charges: Charges, facts: &mut Vec<Fact>) {
    let all = [("ValueCharge", charges.own), ("EachCharge", charges.each)];
    facts.extend(all.into_iter().filter(|(_, charge)| *charge > 0).map(|(fact, n)| Fact::Charge(fact, n)));
}

fn true_ones<const N: usize>(all: [(bool, &'static str); N]) -> Vec<&'static str> {
    all.into_iter().filter(|(is_true, _)| *is_true).map(|(_, property)| property).collect()
}

/// Writes the fields in the record's own element: its attributes first.
fn writes(plan: &Record) -> Vec<TextStep> {
    let mut steps = Vec::new();
    if plan.has_attributes || plan.text.is_some_and(|i| plan.fields[i].node.is_optional()) {
        for (i, field) in plan.fields.iter().enumerate() {
            match field.node.xml.position {
                Position::Attribute | Position::AnyAttribute => steps.push(TextStep::Field(i)),
                Position::Text if field.node.is_optional() => steps.push(TextStep::AbsentText(i)),
                Position::Text | Position::Element | Position::Inline | Position::Any | Position::Header => {}
            }
        }
        steps.push(TextStep::Content);
    }
    for (i, field) in plan.fields.iter().enumerate() {
        match field.node.xml.position {
            Position::Attribute | Position::Header => {}
            Position::AnyAttribute => steps.push(TextStep::AttributeMap(i)),
            Position::Text | Position::Element | Position::Inline | Position::Any => {
                steps.push(TextStep::Field(i))
            }
        }
    }
    steps
}

/// Writes all fields in order, regardless of position.
pub fn all_writes(plan: &Record) -> Vec<TextStep> {
    let step = |(i, field): (usize, &Field)| match field.node.xml.position {
        Position::AnyAttribute => TextStep::AttributeMap(i),
        Position::Element
        | Position::Attribute
        | Position::Text
        | Position::Inline
        | Position::Any
        | Position::Header => TextStep::Field(i),
    };
    plan.fields.iter().enumerate().map(step).collect()
}
