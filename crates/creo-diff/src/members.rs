//! Fields, members, constants and parameters.

use super::change::{Breaks, Noun, Verb};
use super::differ::{Differ, Effect, one};
use super::matching::streamed;
use creo_model::{Constant, Field, Method, Type, TypeId, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// How the lists of two versions match.
struct Pairing {
    /// The new index of each old member.
    pairs: Vec<Option<usize>>,
    reordered: bool,
    /// New members, and whether each follows all old ones.
    added: Vec<(usize, bool)>,
}

/// Pairs members by name. A removed one is paired with the new one that `same` returns, if any.
fn pair(old: &[&str], new: &[&str], same: impl Fn(usize) -> Option<usize>) -> Pairing {
    let by_name: BTreeMap<&str, usize> = new.iter().enumerate().map(|(index, name)| (*name, index)).collect();
    let mut pairs: Vec<Option<usize>> = old.iter().map(|name| by_name.get(name).copied()).collect();
    let mut taken: BTreeSet<usize> = pairs.iter().flatten().copied().collect();
    for (before, pair) in pairs.iter_mut().enumerate() {
        if pair.is_none() {
            *pair = same(before).filter(|after| taken.insert(*after));
        }
    }
    let kept: Vec<usize> = pairs.iter().flatten().copied().collect();
    let last = kept.iter().max().copied();
    let added = (0..new.len())
        .filter(|index| !taken.contains(index))
        .map(|index| (index, last.is_none_or(|last| index > last)))
        .collect();
    Pairing { reordered: !kept.is_sorted(), pairs, added }
}

/// Whether a value without the field is still readable.
fn may_miss(field: &Field) -> bool {
    field.default.is_some() || matches!(field.ty, Type::Optional(_))
}

impl Differ<'_> {
    /// Compares the members of a type whose kind did not change.
    pub(super) fn members(&mut self, before: TypeId, after: TypeId, place: &str) {
        let (old, new) = (self.old.ty(before), self.new.ty(after));
        match (&old.kind, &new.kind) {
            (TypeKind::Struct(was), TypeKind::Struct(is))
            | (TypeKind::Exception(was), TypeKind::Exception(is)) => {
                self.fields(before, after, (was, is), Noun::Field, place);
            }
            (TypeKind::Union(was), TypeKind::Union(is)) => {
                self.fields(before, after, (was, is), Noun::Member, place)
            }
            (TypeKind::Enum(was), TypeKind::Enum(is)) => self.constants(before, after, was, is, place),
            // A new kind was reported, and its members are not compared.
            (TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) | TypeKind::Enum(_), _) => {}
        }
    }

    fn fields(
        &mut self,
        before: TypeId,
        after: TypeId,
        (was, is): (&[Field], &[Field]),
        noun: Noun,
        place: &str,
    ) {
        let grows = self.old.ty(before).extensible && self.new.ty(after).extensible;
        let is_union = noun == Noun::Member;
        let Pairing { pairs, reordered, added } = self.pair_fields(was, is);
        for ((at, old), pair) in was.iter().enumerate().zip(&pairs) {
            let field_place = format!("{place}.{}", old.name);
            let Some((index, new)) = pair.map(|index| (index, &is[index])) else {
                // A reader refuses an unknown name except in an extensible struct, and a missing one without a default.
                let named = self.readers(before, after, is_union || !grows, !is_union && !may_miss(old));
                let effect = Effect { named, ..self.layout(before, after) };
                self.add(noun, Verb::Removed, field_place, format!("the {} is gone", noun.word()), effect);
                continue;
            };
            self.described(noun, &field_place, &old.notes, &new.notes);
            self.xml_of_field((before, after), noun, &field_place, (old, new), (at, index));
            if old.name != new.name {
                let named = self.readers(before, after, true, true);
                // In an extensible type, names are part of neither the ids nor the bytes.
                let binary = if grows { Effect::none() } else { self.ids(before, after) };
                let methods = self.layout(before, after).methods;
                let text = format!("the {} is now called `{}`", noun.word(), new.name);
                self.add(noun, Verb::Renamed, field_place.clone(), text, Effect { named, methods, ..binary });
            }
            let (was, is) = (self.matching.old_type(&old.ty), self.matching.new_type(&new.ty));
            if was != is {
                let effect =
                    Effect { named: self.readers(before, after, true, true), ..self.layout(before, after) };
                self.add(
                    noun,
                    Verb::Altered,
                    field_place,
                    format!("the type was `{was}` and is `{is}`"),
                    effect,
                );
            } else if self.default_text(old, true) != self.default_text(new, false) {
                let text = if grows {
                    "the default changed: the two sides fill in different values for a field that was not sent"
                } else {
                    "the default changed"
                };
                // Foreign writers leave out what has a default.
                let (text, refused) = if may_miss(old) && !may_miss(new) {
                    ("the field has no default any more: messages without it are refused", !is_union)
                } else {
                    (text, false)
                };
                let effect = Effect { named: self.readers(before, after, refused, false), ..Effect::none() };
                let methods = self.layout(before, after).methods;
                self.add(noun, Verb::Defaulted, field_place, text.into(), Effect { methods, ..effect });
            }
        }
        if reordered {
            let mut effect = self.layout(before, after);
            if !is_union && self.texts.is_inline(before, after) {
                effect.named = self.readers(before, after, true, true);
            }
            self.add(
                noun,
                Verb::Reordered,
                place.to_owned(),
                format!("the {}s are in another order", noun.word()),
                effect,
            );
        }
        for (index, at_end) in added {
            let new = &is[index];
            let unknown = self.readers(before, after, !is_union && !may_miss(new), is_union || !grows);
            let effect = if grows && at_end {
                // An old side does not send the field; a field without a default is missed.
                let missing = self.binary_readers(before, after, !is_union && !may_miss(new), false);
                Effect {
                    binary: missing,
                    named: unknown,
                    unnoticed: !missing.is_nobody(),
                    methods: self.layout(before, after).methods,
                }
            } else {
                Effect { named: unknown, ..self.layout(before, after) }
            };
            let text = match (grows, at_end) {
                (true, false) => format!("the {} is new, and not at the end", noun.word()),
                (true, true) if !is_union && !may_miss(new) => {
                    "the field is new, has no default and is not optional".to_owned()
                }
                _ => format!("the {} is new", noun.word()),
            };
            self.add(noun, Verb::Added, format!("{}.{}", self.new.full_name(after), new.name), text, effect);
        }
    }

    /// A renamed field is the one of the same type at the same position.
    fn pair_fields(&self, was: &[Field], is: &[Field]) -> Pairing {
        pair(&field_names(was), &field_names(is), |index| {
            let is = is.get(index)?;
            (self.matching.old_type(&was[index].ty) == self.matching.new_type(&is.ty)).then_some(index)
        })
    }

    /// Constants are identified by name on the text wires and by number on the binary one; their order has no meaning.
    fn constants(&mut self, before: TypeId, after: TypeId, was: &[Constant], is: &[Constant], place: &str) {
        let grows = self.old.ty(before).extensible && self.new.ty(after).extensible;
        let by_number: BTreeMap<u32, usize> =
            is.iter().enumerate().map(|(index, constant)| (constant.number, index)).collect();
        let Pairing { pairs, added, .. } =
            pair(&constant_names(was), &constant_names(is), |old| by_number.get(&was[old].number).copied());
        for (old, pair) in was.iter().zip(&pairs) {
            let constant_place = format!("{place}.{}", old.name);
            let Some(new) = pair.map(|index| &is[index]) else {
                let named = self.readers(before, after, true, false);
                // A reader of an extensible enum keeps unknown numbers.
                let effect = if grows {
                    Effect { named, methods: self.layout(before, after).methods, ..Effect::none() }
                } else {
                    Effect { named, ..self.layout(before, after) }
                };
                self.add(
                    Noun::Constant,
                    Verb::Removed,
                    constant_place,
                    "the constant is gone".into(),
                    effect,
                );
                continue;
            };
            self.described(Noun::Constant, &constant_place, &old.notes, &new.notes);
            self.xml_of_constant((before, after), &constant_place, old, new);
            if old.name != new.name {
                let named = self.readers(before, after, true, true);
                let binary = if grows { Effect::none() } else { self.ids(before, after) };
                let methods = self.layout(before, after).methods;
                let text = format!("the constant is now called `{}`", new.name);
                self.add(
                    Noun::Constant,
                    Verb::Renamed,
                    constant_place.clone(),
                    text,
                    Effect { named, methods, ..binary },
                );
            }
            if old.number != new.number {
                let text = format!("the number was {} and is {}", old.number, new.number);
                let effect = self.layout(before, after);
                self.add(Noun::Constant, Verb::Altered, constant_place, text, effect);
            }
        }
        let numbers: Vec<u32> = pairs.iter().flatten().map(|index| is[*index].number).collect();
        let kept: BTreeSet<u32> = numbers.iter().copied().collect();
        let in_new_order: Vec<u32> =
            is.iter().map(|c| c.number).filter(|number| kept.contains(number)).collect();
        let same_numbers =
            was.iter().zip(&pairs).all(|(old, pair)| pair.is_none_or(|index| is[index].number == old.number));
        if same_numbers && !grows && numbers != in_new_order {
            // The order is part of ids and of nothing else.
            let effect = self.ids(before, after);
            self.add(
                Noun::Constant,
                Verb::Reordered,
                place.to_owned(),
                "the constants are in another order".into(),
                effect,
            );
        }
        for (index, _) in added {
            let named = self.readers(before, after, false, true);
            let methods = self.layout(before, after).methods;
            let effect = if grows {
                Effect { named, methods, ..Effect::none() }
            } else {
                Effect { named, ..self.layout(before, after) }
            };
            let name = format!("{}.{}", self.new.full_name(after), is[index].name);
            self.add(Noun::Constant, Verb::Added, name, "the constant is new".into(), effect);
        }
    }

    /// Compares a method's parameters: a struct sent to the service, whose fields are part of the method's id.
    pub(super) fn parameters(
        &mut self,
        (old, new): (&Method, &Method),
        before: (usize, usize),
        after: (usize, usize),
        place: &str,
    ) {
        let Pairing { pairs, reordered, added } = self.pair_fields(&old.parameters, &new.parameters);
        let broken = |named: Breaks| Effect {
            binary: Breaks::EVERYBODY,
            named: named.on_text(old, new),
            unnoticed: false,
            methods: one(place),
        };
        for ((at, was), pair) in old.parameters.iter().enumerate().zip(&pairs) {
            let parameter_place = format!("{place}.{}", was.name);
            let Some((index, is)) = pair.map(|index| (index, &new.parameters[index])) else {
                let named = Breaks { old_clients: true, new_clients: !may_miss(was) };
                self.add(
                    Noun::Parameter,
                    Verb::Removed,
                    parameter_place,
                    "the parameter is gone".into(),
                    broken(named),
                );
                continue;
            };
            self.described(Noun::Parameter, &parameter_place, &was.notes, &is.notes);
            if !old.has_streams() && !new.has_streams() {
                self.xml_of_parameter(
                    (was, is),
                    [before.0, before.1, at],
                    [after.0, after.1, index],
                    place,
                    &parameter_place,
                );
            }
            if was.name != is.name {
                let text = format!("the parameter is now called `{}`", is.name);
                self.add(
                    Noun::Parameter,
                    Verb::Renamed,
                    parameter_place.clone(),
                    text,
                    broken(Breaks::EVERYBODY),
                );
            }
            let was = streamed(was.streams, self.matching.old_type(&was.ty));
            let is = streamed(is.streams, self.matching.new_type(&is.ty));
            if was != is {
                let text = format!("the type was `{was}` and is `{is}`");
                self.add(Noun::Parameter, Verb::Altered, parameter_place, text, broken(Breaks::EVERYBODY));
            }
        }
        if reordered {
            let text = "the parameters are in another order".to_owned();
            self.add(Noun::Parameter, Verb::Reordered, place.to_owned(), text, broken(Breaks::NOBODY));
        }
        for (index, _) in added {
            let is = &new.parameters[index];
            let named = Breaks { old_clients: !may_miss(is), new_clients: true };
            self.add(
                Noun::Parameter,
                Verb::Added,
                format!("{place}.{}", is.name),
                "the parameter is new".into(),
                broken(named),
            );
        }
    }

    /// A default for comparison. Constants appear by name, since their positions may differ.
    fn default_text(&self, field: &Field, of_old: bool) -> String {
        let model = if of_old { self.old } else { self.new };
        match &field.default {
            Some(creo_model::Literal::Constant(id, index)) => match &model.ty(*id).kind {
                TypeKind::Enum(constants) => constants[*index].name.clone(),
                TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) => String::new(),
            },
            other => format!("{other:?}"),
        }
    }
}

fn field_names(fields: &[Field]) -> Vec<&str> {
    fields.iter().map(|field| field.name.as_str()).collect()
}

fn constant_names(constants: &[Constant]) -> Vec<&str> {
    constants.iter().map(|constant| constant.name.as_str()).collect()
}
