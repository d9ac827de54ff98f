//! How many attributes a SOAP message has.

use crate::part::{Items, Part};
use creo_model::text::{Field, Message, Place, TextPlan, Value};

/// The attributes of a message, `xsi:nil` and `xsi:type` among them, on average; without declarations of namespaces.
pub fn attributes(plan: &TextPlan, message: &Message, part: &Part) -> f64 {
    let Part::Record { fields, .. } = part else { return 0.0 };
    of_fields(plan, &message.record.fields, fields)
}

fn of_fields(plan: &TextPlan, fields: &[Field], parts: &[Part]) -> f64 {
    fields.iter().zip(parts).map(|(field, part)| of_field(plan, field, part)).sum()
}

fn of_field(plan: &TextPlan, field: &Field, part: &Part) -> f64 {
    match (&field.value, part) {
        (Value::Repeated(item), Part::Items(items)) => each(items, |part| of_field(plan, item, part)),
        (Value::Optional(value), Part::Optional { share, part }) => {
            let nothing = if field.nillable || field.place == Place::Text { 1.0 - share } else { 0.0 };
            nothing + part.as_ref().map_or(0.0, |part| share * of_one(plan, field.place, value, part))
        }
        (value, part) => of_one(plan, field.place, value, part),
    }
}

/// Of a field that is there.
fn of_one(plan: &TextPlan, place: Place, value: &Value, part: &Part) -> f64 {
    match place {
        Place::Attribute => 1.0,
        Place::AnyAttribute => match part {
            Part::Entries(items) => items.count().mean(),
            _ => 0.0,
        },
        Place::Text | Place::Any => 0.0,
        Place::Element | Place::Header | Place::Inline => of_value(plan, value, part),
    }
}

fn of_value(plan: &TextPlan, value: &Value, part: &Part) -> f64 {
    match (value, part) {
        (Value::Record(id), Part::Record { fields, .. }) => of_fields(plan, &plan.record(*id).fields, fields),
        (Value::Union(id), Part::Union { members, .. }) => {
            let union = plan.union(*id);
            let of = |(index, share, part): &(usize, f64, Part)| {
                let field = &union.members[*index];
                let typed = if union.derived && union.base != Some(*index) { 1.0 } else { 0.0 };
                share * (typed + of_field(plan, field, part))
            };
            members.iter().map(of).sum()
        }
        (Value::Wrapped(item), Part::Items(items)) => each(items, |part| of_field(plan, item, part)),
        (Value::Entries(key, item), Part::Entries(items)) => each(items, |part| match part {
            Part::Record { fields, .. } if fields.len() == 2 => of_field(plan, key, &fields[0]) + of_field(plan, item, &fields[1]),
            _ => 0.0,
        }),
        (Value::Optional(value), Part::Optional { share, part: Some(part) }) => share * of_value(plan, value, part),
        (_, _) => 0.0,
    }
}

fn each(items: &Items, of: impl Fn(&Part) -> f64) -> f64 {
    match items {
        Items::Alike { count, item } => count.mean() * of(item),
        Items::Each(parts) => parts.iter().map(of).sum(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Assumed, Assumptions, Direction, Paths, Sizes, Wire};
    use creo_model::compile;

    #[test]
    fn attributes_are_counted_where_they_may_stand() {
        let model = compile(&[(
            "x.creo",
            r#"struct Tag { @Xml(attribute) int a; @Xml(attribute) String? b; @Xml(text) String text; }
            struct Page { @Xml(anyAttribute) Map<String, String> rest; Tag[] tags; @Xml(nillable) int? number; int plain; }
            interface I { void f(Page page); Tag g(Tag[] tags); }"#,
        )])
        .expect("a description");
        let sizes = Sizes::new(&model);
        let mut assumptions = Assumptions::default();
        let paths = Paths::new(&model);
        for (name, share) in [("Tag.b", 0.5), ("Page.number", 0.25)] {
            let (path, _) = paths.find(name).unwrap_or_else(|_| panic!("{name}"));
            assumptions.present.insert(path.to_owned(), share);
        }
        let found: Vec<f64> = sizes
            .methods()
            .flat_map(|id| [Direction::Request, Direction::Response].map(|direction| (id, direction)))
            .filter_map(|(id, direction)| {
                let (interface, method) = sizes.method(id);
                let mut assumed = Assumed::new(sizes.model(), sizes.plan(), &assumptions);
                let part = match direction {
                    Direction::Request => assumed.request(interface, method),
                    Direction::Response => assumed.response(interface, method),
                };
                Some(sizes.on_wire(Wire::Soap, id, direction, &part.ok()?)?.attributes)
            })
            .collect();
        // Ten of any name, a tag for each of ten items with one and a half each, and nothing for three of four numbers; nothing; ten tags; one.
        assert_eq!(found, [10.0 + 15.0 + 0.75, 0.0, 15.0, 1.5]);
    }
}
