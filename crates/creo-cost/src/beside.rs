//! What the XML of a message has that its parts do not say: attributes, and elements that are kept as XML.

use crate::leaf::Leaf;
use crate::part::{Items, Part};
use creo_model::text::{Field, Message, Place, TextPlan, Value};

/// On average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Beside {
    /// The attributes of elements, `xsi:nil` and `xsi:type` among them; without declarations of namespaces.
    pub attributes: f64,
    /// Elements that are kept as XML (XML-36).
    pub raw: f64,
    /// Their bytes.
    pub raw_text: f64,
    /// Bytes that they would have more if they were escaped as other strings are.
    pub unescaped: f64,
}

impl Beside {
    const NOTHING: Beside = Beside { attributes: 0.0, raw: 0.0, raw_text: 0.0, unescaped: 0.0 };
    const ATTRIBUTE: Beside = Beside { attributes: 1.0, ..Beside::NOTHING };

    fn raw(leaf: &Leaf) -> Beside {
        let unescaped = (leaf.xml.expected - leaf.raw.expected).max(0.0);
        Beside { raw: 1.0, raw_text: leaf.length.as_ref().map_or(0.0, |length| length.mean()), unescaped, ..Beside::NOTHING }
    }

    fn times(self, factor: f64) -> Beside {
        Beside { attributes: factor * self.attributes, raw: factor * self.raw, raw_text: factor * self.raw_text, unescaped: factor * self.unescaped }
    }

    fn and(self, other: Beside) -> Beside {
        Beside {
            attributes: self.attributes + other.attributes,
            raw: self.raw + other.raw,
            raw_text: self.raw_text + other.raw_text,
            unescaped: self.unescaped + other.unescaped,
        }
    }
}

/// Of all of them together.
fn sum(all: impl Iterator<Item = Beside>) -> Beside {
    all.fold(Beside::NOTHING, Beside::and)
}

/// Of a message as XML.
pub fn beside(plan: &TextPlan, message: &Message, part: &Part) -> Beside {
    let Part::Record { fields, .. } = part else { return Beside::NOTHING };
    of_fields(plan, &message.record.fields, fields)
}

fn of_fields(plan: &TextPlan, fields: &[Field], parts: &[Part]) -> Beside {
    sum(fields.iter().zip(parts).map(|(field, part)| of_field(plan, field, part)))
}

fn of_field(plan: &TextPlan, field: &Field, part: &Part) -> Beside {
    match (&field.value, part) {
        (Value::Repeated(item), Part::Items(items)) => each(items, |part| of_field(plan, item, part)),
        (Value::Optional(value), Part::Optional { share, part }) => {
            let nil = field.nillable || field.place == Place::Text;
            let nothing = if nil { Beside::ATTRIBUTE.times(1.0 - share) } else { Beside::NOTHING };
            nothing.and(part.as_ref().map_or(Beside::NOTHING, |part| of_one(plan, field.place, value, part).times(*share)))
        }
        (value, part) => of_one(plan, field.place, value, part),
    }
}

/// Of a field that is there.
fn of_one(plan: &TextPlan, place: Place, value: &Value, part: &Part) -> Beside {
    match place {
        Place::Attribute => Beside::ATTRIBUTE,
        Place::AnyAttribute => match part {
            Part::Entries(items) => Beside::ATTRIBUTE.times(items.count().mean()),
            _ => Beside::NOTHING,
        },
        Place::Text => Beside::NOTHING,
        Place::Element | Place::Any | Place::Header | Place::Inline => of_value(plan, value, part),
    }
}

fn of_value(plan: &TextPlan, value: &Value, part: &Part) -> Beside {
    match (value, part) {
        (Value::Raw, Part::Leaf(leaf)) => Beside::raw(leaf),
        (Value::Record(id), Part::Record { fields, .. }) => of_fields(plan, &plan.record(*id).fields, fields),
        (Value::Union(id), Part::Union { members, .. }) => {
            let union = plan.union(*id);
            sum(members.iter().map(|(index, share, part)| {
                let field = &union.members[*index];
                let typed = if union.derived && union.base != Some(*index) { Beside::ATTRIBUTE } else { Beside::NOTHING };
                typed.and(of_field(plan, field, part)).times(*share)
            }))
        }
        (Value::Wrapped(item), Part::Items(items)) => each(items, |part| of_field(plan, item, part)),
        (Value::Entries(key, item), Part::Entries(items)) => each(items, |part| match part {
            Part::Record { fields, .. } if fields.len() == 2 => of_field(plan, key, &fields[0]).and(of_field(plan, item, &fields[1])),
            _ => Beside::NOTHING,
        }),
        (Value::Optional(value), Part::Optional { share, part: Some(part) }) => of_value(plan, value, part).times(*share),
        (_, _) => Beside::NOTHING,
    }
}

fn each(items: &Items, of: impl Fn(&Part) -> Beside) -> Beside {
    match items {
        Items::Alike { count, item } => of(item).times(count.mean()),
        Items::Each(parts) => sum(parts.iter().map(of)),
    }
}

#[cfg(test)]
mod tests {
    use super::Beside;
    use crate::{Assumed, Assumptions, Direction, Length, OnWire, Paths, Scheme, Sizes, Wire};
    use creo_model::compile;

    /// Of the messages of a description that have any, on a wire.
    fn of(text: &str, shares: &[(&str, f64)], lengths: &[(&str, u64)], wire: Wire) -> Vec<OnWire> {
        let model = compile(&[("x.creo", text)]).expect("a description");
        let sizes = Sizes::new(&model);
        let mut assumptions = Assumptions::default();
        let paths = Paths::new(&model);
        let full = |name: &str| paths.find(name).unwrap_or_else(|_| panic!("{name}")).0.to_owned();
        assumptions.present.extend(shares.iter().map(|(name, share)| (full(name), *share)));
        assumptions.lengths.extend(lengths.iter().map(|(name, length)| (full(name), Length::Fixed(*length))));
        let both = |id| [Direction::Request, Direction::Response].map(|direction| (id, direction));
        let one = |(id, direction)| {
            let mut assumed = Assumed::new(sizes.model(), sizes.plan(), &assumptions);
            sizes.on_wire(wire, id, direction, &assumed.message(id, direction).ok()?)
        };
        sizes.methods().flat_map(both).filter_map(one).collect()
    }

    #[test]
    fn attributes_are_counted_where_they_may_stand() {
        let text = r#"struct Tag { @Xml(attribute) int a; @Xml(attribute) String? b; @Xml(text) String text; }
            struct Page { @Xml(anyAttribute) Map<String, String> rest; Tag[] tags; @Xml(nillable) int? number; int plain; }
            interface I { void f(Page page); Tag g(Tag[] tags); }"#;
        let found = of(text, &[("Tag.b", 0.5), ("Page.number", 0.25)], &[], Wire::Soap);
        // Ten of any name, a tag for each of ten items with one and a half each, and nothing for three of four numbers; nothing; ten tags; one.
        assert_eq!(found.iter().map(|on| on.beside.attributes).collect::<Vec<_>>(), [10.0 + 15.0 + 0.75, 0.0, 15.0, 1.5]);
        assert!(of(text, &[], &[], Wire::Json).iter().all(|on| on.beside == Beside::default()));
    }

    #[test]
    fn elements_kept_as_xml_are_counted_where_their_text_is_looked_at() {
        let text = r#"struct Page { int number; @Xml(any) String? any; @Xml(raw) String body; }
            interface I { Page f(Page[] pages); }"#;
        let shares = [("Page.any", 0.5)];
        let lengths = [("Page.any", 100), ("Page.body", 60), ("f.pages", 4)];
        for (wire, raw) in [(Wire::Soap, 1.0), (Wire::Table(Scheme::Record), 1.0), (Wire::Json, 0.0), (Wire::Binary, 0.0)] {
            let found: Vec<(f64, f64)> = of(text, &shares, &lengths, wire).iter().map(|on| (on.beside.raw, on.beside.raw_text)).collect();
            assert_eq!(found, [(6.0 * raw, 440.0 * raw), (1.5 * raw, 110.0 * raw)], "{}", wire.word());
        }
    }
}
