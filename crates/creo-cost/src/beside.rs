//! Properties of a message's XML that its parts do not show: elements, attributes, and elements kept as XML.

use crate::leaf::Leaf;
use crate::part::{Items, Part};
use crate::spread::saturated;
use creo_plan::{ArrayLayout, Field, Kind, Message, Node, Plan, Position, StringForm};

/// Averages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Beside {
    /// The number of elements below that of the message. One kept as XML is one.
    pub elements: f64,
    /// The number of attributes, including `xsi:nil` and `xsi:type` but not namespace declarations.
    pub attributes: f64,
    /// The number of elements kept as XML (XML-36).
    pub raw: f64,
    /// Their bytes.
    pub raw_text: f64,
    /// The extra bytes that they would have if they were escaped like other strings.
    pub unescaped: f64,
}

impl Beside {
    const NOTHING: Beside =
        Beside { elements: 0.0, attributes: 0.0, raw: 0.0, raw_text: 0.0, unescaped: 0.0 };
    const ELEMENT: Beside = Beside { elements: 1.0, ..Beside::NOTHING };
    const ATTRIBUTE: Beside = Beside { attributes: 1.0, ..Beside::NOTHING };

    fn raw(leaf: &Leaf) -> Beside {
        let unescaped = (leaf.xml.expected - leaf.raw.expected).max(0.0);
        Beside {
            raw: 1.0,
            raw_text: leaf.length.as_ref().map_or(0.0, |length| length.mean()),
            unescaped,
            ..Beside::NOTHING
        }
    }

    fn times(self, factor: f64) -> Beside {
        Beside {
            elements: saturated(factor * self.elements),
            attributes: saturated(factor * self.attributes),
            raw: saturated(factor * self.raw),
            raw_text: saturated(factor * self.raw_text),
            unescaped: saturated(factor * self.unescaped),
        }
    }

    fn and(self, other: Beside) -> Beside {
        Beside {
            elements: self.elements + other.elements,
            attributes: self.attributes + other.attributes,
            raw: self.raw + other.raw,
            raw_text: self.raw_text + other.raw_text,
            unescaped: self.unescaped + other.unescaped,
        }
    }
}

/// The sum of all.
fn sum(all: impl Iterator<Item = Beside>) -> Beside {
    all.fold(Beside::NOTHING, Beside::and)
}

/// The properties of a message as XML.
pub fn beside(plan: &Plan, message: &Message, part: &Part) -> Beside {
    of_fields(plan, &message.record.fields, part)
}

fn of_fields(plan: &Plan, fields: &[Field], part: &Part) -> Beside {
    let Part::Record { fields: parts, .. } = part else { return Beside::NOTHING };
    sum(fields.iter().zip(parts).map(|(field, part)| of_node(plan, &field.node, part)))
}

fn of_node(plan: &Plan, node: &Node, part: &Part) -> Beside {
    if let (Kind::Array { layout: ArrayLayout::Repeated, item, .. }, Part::Items(items)) = (&node.kind, part)
    {
        return each(items, |part| of_node(plan, item, part));
    }
    if let (Kind::Optional(inner), Part::Optional { share, part }) = (&node.kind, part) {
        let nothing = if node.xml.position == Position::Text {
            Beside::ATTRIBUTE
        } else if node.xml.nillable {
            Beside::ELEMENT.and(Beside::ATTRIBUTE)
        } else {
            Beside::NOTHING
        };
        return nothing
            .times(1.0 - share)
            .and(part.as_ref().map_or(Beside::NOTHING, |part| of_present(plan, inner, part).times(*share)));
    }
    of_present(plan, node, part)
}

/// The properties of a value that is present.
fn of_present(plan: &Plan, node: &Node, part: &Part) -> Beside {
    match node.xml.position {
        Position::Attribute => Beside::ATTRIBUTE,
        Position::AnyAttribute => match part {
            Part::Entries(items) => Beside::ATTRIBUTE.times(items.count().mean()),
            Part::Leaf(_)
            | Part::Record { .. }
            | Part::Union { .. }
            | Part::Optional { .. }
            | Part::Items(_) => Beside::NOTHING,
        },
        Position::Text => Beside::NOTHING,
        Position::Element | Position::Any | Position::Header => {
            Beside::ELEMENT.and(of_content(plan, node, part))
        }
        Position::Inline => of_content(plan, node, part),
    }
}

fn of_content(plan: &Plan, node: &Node, part: &Part) -> Beside {
    match (&node.kind, part) {
        (Kind::String(StringForm::Raw), Part::Leaf(leaf)) => Beside::raw(leaf),
        (Kind::Record(id), part) => of_fields(plan, &plan.record(*id).fields, part),
        (Kind::Union(id), Part::Union { members, .. }) => {
            let union = plan.union(*id);
            sum(members.iter().map(|(index, share, part)| {
                let node = &union.members[*index].node;
                let member = if !union.derived {
                    of_node(plan, node, part)
                } else if union.base == Some(*index) {
                    of_content(plan, node, part)
                } else {
                    Beside::ATTRIBUTE.and(of_content(plan, node, part))
                };
                member.times(*share)
            }))
        }
        (Kind::Array { layout: ArrayLayout::Wrapped, item, .. }, Part::Items(items)) => {
            each(items, |part| of_node(plan, item, part))
        }
        (Kind::Map { key, value, attributes: false }, Part::Entries(items)) => {
            each(items, |part| match part {
                Part::Record { fields, .. } if fields.len() == 2 => {
                    let inside = of_node(plan, key, &fields[0]).and(of_node(plan, value, &fields[1]));
                    Beside::ELEMENT.and(inside)
                }
                Part::Record { .. }
                | Part::Leaf(_)
                | Part::Union { .. }
                | Part::Optional { .. }
                | Part::Items(_)
                | Part::Entries(_) => Beside::NOTHING,
            })
        }
        (Kind::Optional(inner), Part::Optional { share, part: Some(part) }) => {
            of_content(plan, inner, part).times(*share)
        }
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
            _,
        ) => Beside::NOTHING,
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
    use creo_check::compile;

    /// The nonzero properties of a description's messages on a wire.
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
        // Ten with any name, a tag for each of ten items with one and a half each, and none for three of four numbers; none; ten tags; one.
        assert_eq!(
            found.iter().map(|on| on.beside.attributes).collect::<Vec<_>>(),
            [10.0 + 15.0 + 0.75, 0.0, 15.0, 1.5]
        );
        assert!(of(text, &[], &[], Wire::Json).iter().all(|on| on.beside == Beside::default()));
    }

    #[test]
    fn elements_are_counted_as_they_are_written() {
        let text = r#"struct Tag { @Xml(attribute) int a; @Xml(text) String text; }
            struct Small { int a; } struct Large { int a; int b; int c; }
            @Xml(derived) union Either { Small small; Large large; } union Or { Small small; Large large; }
            struct Page { Tag[] tags; @Xml(nillable) int? number; int? other; Map<String, int> map; int[] list; }
            interface I { void f(Page page); void g(@Xml(raw) String any, Either either, Or or); }"#;
        let found = of(text, &[("Page.number", 0.25), ("Page.other", 0.5)], &[("Page.map", 3)], Wire::Soap);
        let elements: Vec<f64> = found.iter().map(|on| on.beside.elements).collect();
        // The page, ten tags, a number or nil, half of another, a map with three entries of two, ten items.
        assert_eq!(elements[0], 1.0 + 10.0 + 1.0 + 0.5 + 10.0 + 10.0);
        // One kept as XML; a union with one field or three; another with an element more for its member.
        assert_eq!(elements[2], 1.0 + (1.0 + 2.0) + (1.0 + 1.0 + 2.0));
        assert!(
            of(text, &[], &[], Wire::TableInSoap(Scheme::Record)).iter().all(|on| on.beside.elements == 0.0)
        );
    }

    #[test]
    fn elements_kept_as_xml_are_counted_where_their_text_is_looked_at() {
        let text = r#"struct Page { int number; @Xml(any) String? any; @Xml(raw) String body; }
            interface I { Page f(Page[] pages); }"#;
        let shares = [("Page.any", 0.5)];
        let lengths = [("Page.any", 100), ("Page.body", 60), ("f.pages", 4)];
        for (wire, raw) in
            [(Wire::Soap, 1.0), (Wire::Table(Scheme::Record), 1.0), (Wire::Json, 0.0), (Wire::Binary, 0.0)]
        {
            let found: Vec<(f64, f64)> = of(text, &shares, &lengths, wire)
                .iter()
                .map(|on| (on.beside.raw, on.beside.raw_text))
                .collect();
            assert_eq!(found, [(6.0 * raw, 440.0 * raw), (1.5 * raw, 110.0 * raw)], "{}", wire.word());
        }
    }
}
