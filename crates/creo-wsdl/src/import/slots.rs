//! A content model in the forms of a description: a sequence of elements, choices, repeated groups, and `any` (XML-20, XML-35, XML-36).

use crate::import::draft::{Notes, Ty};
use crate::import::table::QName;
use std::collections::{BTreeMap, BTreeSet};

/// The type of an element or attribute as a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    pub ty: Ty,
    /// Whether the type is an array in one text (XML-33).
    pub list: bool,
    /// Whether the type is a `String` that holds the whole element (XML-36).
    pub raw: bool,
    pub xsd: Option<&'static str>,
    /// A note about a surprising mapping.
    pub comment: Option<String>,
}

impl Value {
    pub fn plain(ty: Ty) -> Value {
        Value { ty, list: false, raw: false, xsd: None, comment: None }
    }

    pub fn raw(comment: impl Into<String>) -> Value {
        Value { raw: true, comment: Some(comment.into()), ..Value::plain(Ty::Word("String")) }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementSlot {
    pub xml: QName,
    pub value: Value,
    pub optional: bool,
    pub many: bool,
    pub nillable: bool,
    /// `default` or `fixed`, as text.
    pub default: Option<String>,
    pub notes: Notes,
}

impl ElementSlot {
    /// Whether its field may be without an element (XML-35). Readers accept a nillable one that is missing (XML-34).
    fn may_be_missing(&self) -> bool {
        let nil = self.nillable && !self.value.raw;
        self.optional || self.many || nil || matches!(self.value.ty, Ty::Optional(_))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceSlot {
    /// Each has at least one slot.
    pub branches: Vec<Vec<Slot>>,
    pub optional: bool,
    pub many: bool,
    /// The head of a substitution group, which names the choice.
    pub head: Option<String>,
    pub notes: Notes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    Element(Box<ElementSlot>),
    Choice(Box<ChoiceSlot>),
    /// A group that repeats any number of times.
    Group(Vec<Slot>),
    Any {
        optional: bool,
        many: bool,
        comment: Option<String>,
    },
}

impl Slot {
    /// Whether its fields may be without an element.
    fn nullable(&self) -> bool {
        match self {
            Slot::Element(element) => element.may_be_missing(),
            Slot::Choice(choice) => {
                choice.optional
                    || choice.many
                    || choice.branches.iter().any(|branch| !is_member(branch) && nullable(branch))
            }
            Slot::Group(_) => true,
            Slot::Any { .. } => true,
        }
    }

    /// Whether the schema lets it match no element.
    fn is_omissible(&self) -> bool {
        match self {
            Slot::Element(element) => element.optional || element.many,
            Slot::Choice(_) | Slot::Group(_) | Slot::Any { .. } => self.nullable(),
        }
    }

    /// Whether several elements repeat together in it.
    fn repeats(&self) -> bool {
        match self {
            Slot::Element(_) | Slot::Any { .. } => false,
            Slot::Choice(choice) => choice.many || choice.branches.iter().flatten().any(Slot::repeats),
            Slot::Group(_) => true,
        }
    }

    fn holds_any(&self) -> bool {
        match self {
            Slot::Element(_) => false,
            Slot::Choice(choice) => choice.branches.iter().any(|branch| holds_any(branch)),
            Slot::Group(slots) => holds_any(slots),
            Slot::Any { .. } => true,
        }
    }

    /// The names that can begin it.
    fn first(&self) -> BTreeSet<&QName> {
        match self {
            Slot::Element(element) => BTreeSet::from([&element.xml]),
            Slot::Choice(choice) => choice.branches.iter().flat_map(|branch| first(branch)).collect(),
            Slot::Group(slots) => first(slots),
            Slot::Any { .. } => BTreeSet::new(),
        }
    }

    /// The names that can continue a complete value of it.
    fn tail(&self) -> BTreeSet<&QName> {
        match self {
            Slot::Element(_) | Slot::Any { .. } => BTreeSet::new(),
            Slot::Choice(choice) => {
                let mut tail: BTreeSet<&QName> =
                    choice.branches.iter().flat_map(|branch| branch_tail(branch)).collect();
                if choice.many {
                    tail.extend(self.first());
                }
                tail
            }
            Slot::Group(slots) => tail(slots).into_iter().chain(first(slots)).collect(),
        }
    }

    fn is_inline(&self) -> bool {
        matches!(self, Slot::Choice(_) | Slot::Group(_))
    }
}

pub fn nullable(slots: &[Slot]) -> bool {
    slots.iter().all(Slot::nullable)
}

fn holds_any(slots: &[Slot]) -> bool {
    slots.iter().any(Slot::holds_any)
}

fn first(slots: &[Slot]) -> BTreeSet<&QName> {
    let mut found = BTreeSet::new();
    for slot in slots {
        found.extend(slot.first());
        if !slot.nullable() {
            break;
        }
    }
    found
}

fn tail(slots: &[Slot]) -> BTreeSet<&QName> {
    let mut found = BTreeSet::new();
    for slot in slots.iter().rev() {
        // A repeated element can continue itself. Its own sequence handles that, but it matters to what follows the sequence.
        found.extend(slot.tail());
        if let Slot::Element(element) = slot
            && element.many
        {
            found.insert(&element.xml);
        }
        if !slot.nullable() {
            break;
        }
        found.extend(slot.first());
    }
    found
}

/// Whether a branch is a member of a union with an element of its own, which is there even if the value is nothing (XML-25).
fn is_member(branch: &[Slot]) -> bool {
    match branch {
        [Slot::Element(element)] => !(element.many || element.nillable && element.value.list),
        _ => false,
    }
}

fn branch_tail(branch: &[Slot]) -> BTreeSet<&QName> {
    if is_member(branch) { BTreeSet::new() } else { tail(branch) }
}

/// A sequence with its own occurrence.
pub fn sequence(slots: Vec<Slot>, optional: bool, many: bool) -> Vec<Slot> {
    let slots = merge_neighbours(slots);
    if many {
        return match slots.len() {
            0 => Vec::new(),
            1 => slots.into_iter().map(repeated).collect(),
            _ if holds_any(&slots)
                || nullable(&slots)
                || !tail(&slots).is_disjoint(&first(&slots))
                || !follows(&slots) =>
            {
                irregular(slots)
            }
            _ => vec![Slot::Group(slots)],
        };
    }
    if optional { slots.into_iter().map(made_optional).collect() } else { slots }
}

fn repeated(slot: Slot) -> Slot {
    match slot {
        Slot::Element(mut element) => {
            (element.many, element.optional) = (true, false);
            Slot::Element(element)
        }
        Slot::Choice(choice) => {
            let ChoiceSlot { branches, head, notes, .. } = *choice;
            let mut slots = self::choice(branches, false, true, head, notes);
            // A repeated choice is always one slot, except for `any`.
            if slots.len() == 1 { slots.remove(0) } else { Slot::Group(slots) }
        }
        Slot::Group(slots) => Slot::Group(slots),
        Slot::Any { comment, .. } => Slot::Any { optional: false, many: true, comment },
    }
}

fn made_optional(slot: Slot) -> Slot {
    match slot {
        Slot::Element(mut element) => {
            element.optional = true;
            Slot::Element(element)
        }
        Slot::Choice(mut choice) => {
            choice.optional = true;
            Slot::Choice(choice)
        }
        Slot::Group(slots) => Slot::Group(slots),
        Slot::Any { many, comment, .. } => Slot::Any { optional: true, many, comment },
    }
}

/// A choice with its own occurrence.
pub fn choice(
    branches: Vec<Vec<Slot>>,
    mut optional: bool,
    many: bool,
    head: Option<String>,
    notes: Notes,
) -> Vec<Slot> {
    let mut found: Vec<Vec<Slot>> = Vec::new();
    for mut branch in branches.into_iter().map(merge_neighbours) {
        optional |= branch.iter().all(|slot| match slot {
            Slot::Element(element) => element.optional,
            Slot::Choice(_) | Slot::Group(_) | Slot::Any { .. } => slot.nullable(),
        });
        match (branch.pop(), branch.len()) {
            (None, _) => {}
            (Some(Slot::Choice(inner)), 0) if many || !inner.many => {
                optional |= inner.optional;
                found.extend(inner.branches);
            }
            (Some(Slot::Group(slots)), 0) if many => found.push(slots),
            (Some(Slot::Element(mut element)), 0) => {
                element.optional = false;
                element.many &= !many;
                found.push(vec![Slot::Element(element)]);
            }
            (Some(last), _) => {
                branch.push(last);
                found.push(branch);
            }
        }
    }
    let mut seen: BTreeSet<QName> = BTreeSet::new();
    found.retain(|branch| match branch.as_slice() {
        [Slot::Element(element)] => seen.insert(element.xml.clone()),
        _ => true,
    });
    if found.len() <= 1 && head.is_none() {
        return found.pop().map_or(Vec::new(), |only| sequence(only, optional, many));
    }
    let scattered = found.iter().any(|branch| !follows(branch));
    // Elements that are each optional could neither come in turns nor in several places.
    let in_turns = many || scattered || found.iter().flatten().any(Slot::repeats);
    if found.iter().any(|branch| holds_any(branch)) {
        let slots = vec![Slot::Choice(Box::new(ChoiceSlot { branches: found, optional, many, head, notes }))];
        return if in_turns { irregular(slots) } else { loose(slots) };
    }
    let mut begun: BTreeSet<&QName> = BTreeSet::new();
    let clash = found.iter().flat_map(|branch| first(branch)).any(|name| !begun.insert(name));
    let goes_on = many && found.iter().any(|branch| !branch_tail(branch).is_disjoint(&begun));
    let wrong = clash || goes_on || scattered;
    let empty = found.iter().any(|branch| branch.len() > 1 && branch.iter().all(Slot::is_omissible));
    let slot = Slot::Choice(Box::new(ChoiceSlot { branches: found, optional, many, head, notes }));
    if !(wrong || empty) {
        vec![slot]
    } else if in_turns {
        irregular(vec![slot])
    } else {
        loose(vec![slot])
    }
}

/// The same element twice in a row becomes a repeated element.
fn merge_neighbours(slots: Vec<Slot>) -> Vec<Slot> {
    let mut merged: Vec<Slot> = Vec::new();
    for slot in slots {
        match (merged.last_mut(), slot) {
            (Some(Slot::Element(last)), Slot::Element(next)) if last.xml == next.xml => {
                (last.many, last.optional) = (true, false);
                last.nillable |= next.nillable;
            }
            (Some(Slot::Any { many, comment, .. }), Slot::Any { comment: other, .. }) => {
                *many = true;
                *comment = comment.take().or(other);
            }
            (_, slot) => merged.push(slot),
        }
    }
    merged
}

/// Whether each name begins only one slot, and no name can both continue a slot and begin a later one.
fn follows(slots: &[Slot]) -> bool {
    let mut begun: BTreeSet<&QName> = BTreeSet::new();
    if slots.iter().flat_map(Slot::first).any(|name| !begun.insert(name)) {
        return false;
    }
    slots.iter().enumerate().filter(|(_, slot)| slot.is_inline()).all(|(index, slot)| {
        let tail = slot.tail();
        for next in &slots[index + 1..] {
            if !tail.is_disjoint(&next.first()) {
                return false;
            }
            if !next.nullable() {
                break;
            }
        }
        true
    })
}

/// The content of a type in a form that a reader can follow: unchanged, or looser.
pub fn content(slots: Vec<Slot>) -> Vec<Slot> {
    let mut slots = merge_neighbours(slots);
    let anys = slots.iter().filter(|slot| matches!(slot, Slot::Any { .. })).count();
    if anys > 1 {
        // One field takes them all, in the position of the last one.
        let last = slots.iter().rposition(|slot| matches!(slot, Slot::Any { .. })).unwrap_or(0);
        let mut index = 0;
        slots.retain(|slot| {
            index += 1;
            index - 1 == last || !matches!(slot, Slot::Any { .. })
        });
        slots.iter_mut().for_each(|slot| {
            if let Slot::Any { many, .. } = slot {
                *many = true;
            }
        });
    }
    if follows(&slots) { slots } else { irregular(slots) }
}

/// All elements in any order and number. With `any` among them all become `any`, which also keeps their order.
fn irregular(slots: Vec<Slot>) -> Vec<Slot> {
    let any = holds_any(&slots);
    let mut elements = once_each(slots);
    for element in &mut elements {
        (element.optional, element.many) = (false, false);
    }
    if any {
        let names: BTreeSet<&QName> = elements.iter().map(|element| &element.xml).collect();
        let names: Vec<String> = names.into_iter().take(20).map(|name| name.local.to_string()).collect();
        return vec![Slot::Any {
            optional: false,
            many: true,
            comment: Some(format!("As XML, as they come: {}, and any others.", names.join(", "))),
        }];
    }
    let elements: Vec<Slot> = elements.into_iter().map(|element| Slot::Element(Box::new(element))).collect();
    if elements.len() == 1 {
        return elements.into_iter().map(repeated).collect();
    }
    let notes = Notes {
        doc: String::new(),
        comments: vec![
            "The schema's order of these elements is looser here: they are taken as they come.".to_owned(),
        ],
    };
    vec![Slot::Choice(Box::new(ChoiceSlot {
        branches: elements.into_iter().map(|element| vec![element]).collect(),
        optional: false,
        many: true,
        head: None,
        notes,
    }))]
}

/// The elements of a choice that a union cannot tell apart, or that contains `any`. Each becomes optional.
fn loose(slots: Vec<Slot>) -> Vec<Slot> {
    let any = holds_any(&slots);
    let mut elements = once_each(slots);
    elements.iter_mut().for_each(|element| element.optional = true);
    if let Some(first) = elements.first_mut() {
        first.notes.comments.push(
            "From here on the schema has a choice that a description cannot say: all are optional."
                .to_owned(),
        );
    }
    let mut found: Vec<Slot> = elements.into_iter().map(|element| Slot::Element(Box::new(element))).collect();
    if any {
        found.push(Slot::Any { optional: false, many: true, comment: None });
    }
    found
}

/// The elements of slots at any depth, each where it comes first, and repeated or nillable if any of its name is.
fn once_each(slots: Vec<Slot>) -> Vec<ElementSlot> {
    let mut elements: Vec<ElementSlot> = Vec::new();
    let mut by_name: BTreeMap<QName, usize> = BTreeMap::new();
    for element in flatten(slots) {
        match by_name.get(&element.xml) {
            Some(known) => {
                elements[*known].many |= element.many;
                elements[*known].nillable |= element.nillable;
            }
            None => {
                by_name.insert(element.xml.clone(), elements.len());
                elements.push(element);
            }
        }
    }
    elements
}

/// The elements of slots at any depth, in order.
fn flatten(slots: Vec<Slot>) -> Vec<ElementSlot> {
    let mut elements = Vec::new();
    let mut waiting: Vec<Slot> = slots.into_iter().rev().collect();
    while let Some(slot) = waiting.pop() {
        match slot {
            Slot::Element(element) => elements.push(*element),
            Slot::Choice(choice) => {
                waiting.extend(choice.branches.into_iter().flatten().rev().collect::<Vec<_>>())
            }
            Slot::Group(slots) => waiting.extend(slots.into_iter().rev()),
            Slot::Any { .. } => {}
        }
    }
    elements
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(name: &str, optional: bool, many: bool) -> Slot {
        let value = Value::plain(Ty::Word("int"));
        let xml = QName::new("", name);
        Slot::Element(Box::new(ElementSlot {
            xml,
            value,
            optional,
            many,
            nillable: false,
            default: None,
            notes: Notes::default(),
        }))
    }

    fn one(name: &str) -> Slot {
        element(name, false, false)
    }

    fn nillable(name: &str, list: bool) -> Slot {
        let Slot::Element(mut slot) = one(name) else { unreachable!() };
        (slot.nillable, slot.value.list) = (true, list);
        Slot::Element(slot)
    }

    const ANY: Slot = Slot::Any { optional: true, many: true, comment: None };

    fn either(branches: Vec<Vec<Slot>>, optional: bool, many: bool) -> Vec<Slot> {
        choice(branches, optional, many, None, Notes::default())
    }

    /// `a` `a?` `a*`, `(a|b c)`, `{a b}*`, `any`.
    fn show(slots: &[Slot]) -> String {
        let texts: Vec<String> = slots
            .iter()
            .map(|slot| match slot {
                Slot::Element(e) => format!(
                    "{}{}",
                    e.xml.local,
                    if e.many {
                        "*"
                    } else if e.optional {
                        "?"
                    } else {
                        ""
                    }
                ),
                Slot::Choice(c) => {
                    let branches: Vec<String> = c.branches.iter().map(|b| show(b)).collect();
                    format!(
                        "({}){}",
                        branches.join("|"),
                        if c.many {
                            "*"
                        } else if c.optional {
                            "?"
                        } else {
                            ""
                        }
                    )
                }
                Slot::Group(slots) => format!("{{{}}}*", show(slots)),
                Slot::Any { .. } => "any".to_owned(),
            })
            .collect();
        texts.join(" ")
    }

    #[test]
    fn sequences() {
        assert_eq!(show(&sequence(vec![one("a"), one("b")], true, false)), "a? b?");
        assert_eq!(show(&sequence(vec![one("a")], false, true)), "a*");
        assert_eq!(show(&sequence(vec![one("a"), one("b")], false, true)), "{a b}*");
        assert_eq!(
            show(&sequence(vec![element("a", true, false), element("b", true, false)], false, true)),
            "(a|b)*"
        );
        assert_eq!(show(&sequence(vec![one("a"), ANY], false, true)), "any");
        assert_eq!(show(&sequence(vec![one("a"), one("a")], false, false)), "a*");
        assert_eq!(show(&sequence(Vec::new(), false, true)), "");
    }

    #[test]
    fn choices() {
        assert_eq!(show(&either(vec![vec![one("a")], vec![one("b"), one("c")]], false, false)), "(a|b c)");
        assert_eq!(
            show(&either(vec![vec![element("a", true, false)], vec![one("b")]], false, false)),
            "(a|b)?"
        );
        assert_eq!(show(&either(vec![vec![one("a")], vec![]], false, false)), "a?");
        let inner = either(vec![vec![one("b")], vec![one("c")]], false, false);
        assert_eq!(show(&either(vec![vec![one("a")], inner], false, true)), "(a|b|c)*");
        assert_eq!(
            show(&either(vec![vec![one("a"), one("b")], vec![one("a"), one("c")]], false, false)),
            "a? b? c?"
        );
        assert_eq!(show(&either(vec![vec![one("a")], vec![ANY]], false, false)), "a? any");
        let pairs = sequence(vec![one("b"), one("c")], false, true);
        let either_way = [vec![one("a")], pairs].concat();
        assert_eq!(show(&either(vec![either_way.clone(), vec![one("d")]], false, false)), "(a {b c}*|d)");
        assert_eq!(show(&either(vec![either_way.clone(), vec![one("a")]], false, false)), "(a|b|c)*");
        assert_eq!(show(&either(vec![either_way, vec![ANY]], false, false)), "any");
        let twice = vec![one("a"), one("b"), one("a")];
        assert_eq!(show(&either(vec![twice, vec![one("c")]], false, false)), "(a|b|c)*");
        assert_eq!(
            show(&either(vec![vec![element("a", false, true)], vec![one("b")]], false, false)),
            "(a*|b)"
        );
    }

    /// XML-35: a group has an element that is always there.
    #[test]
    fn what_is_nil_may_be_missing() {
        let ab = || vec![nillable("a", false), nillable("b", false)];
        assert_eq!(show(&sequence(ab(), false, true)), "(a|b)*");
        assert_eq!(show(&sequence([ab(), vec![one("c")]].concat(), false, true)), "{a b c}*");
        assert_eq!(show(&sequence([vec![one("c")], ab()].concat(), false, true)), "{c a b}*");
        assert_eq!(show(&either(vec![ab(), vec![one("c")]], false, true)), "(a|b|c)*");
        assert_eq!(show(&either(vec![ab(), vec![one("c")]], false, false)), "(a b|c)");
        assert_eq!(show(&either(vec![vec![nillable("a", false)], vec![one("b")]], false, false)), "(a|b)");
        let list = vec![nillable("a", true)];
        assert_eq!(show(&either(vec![list.clone(), vec![one("b"), one("c")]], false, false)), "(a|b c)");
        assert_eq!(show(&either(vec![list, vec![one("b"), one("c")]], false, true)), "(a|b|c)*");
        let inner = either(vec![vec![nillable("a", false)], vec![one("b")]], false, false);
        assert_eq!(show(&sequence([inner, vec![one("c")]].concat(), false, true)), "{(a|b) c}*");
    }

    #[test]
    fn what_a_reader_cannot_follow_is_looser() {
        assert_eq!(show(&content(vec![one("a"), one("b"), one("a")])), "(a|b)*");
        let choices = either(vec![vec![one("a")], vec![one("b")]], true, true);
        assert_eq!(show(&content([choices, vec![one("a")]].concat())), "(a|b)*");
        assert_eq!(show(&content(vec![one("a"), ANY, one("b"), ANY])), "a b any");
        assert_eq!(show(&content(vec![one("a"), one("b"), one("a"), ANY])), "any");
        let optional_end = sequence(vec![one("a"), element("b", true, false)], false, true);
        assert_eq!(show(&content([optional_end, vec![one("b")]].concat())), "(a|b)*");
    }
}
