//! Finds the changes and what each of them breaks.

use crate::change::{Breaks, Change, Names, Noun, Verb};
use crate::matching::{Matching, streamed};
use crate::reach::{Carrier, Carriers, Reach};
use crate::texts::Texts;
use creo_model::{Annotation, Interface, Method, Model, Notes, PackageId, TypeId, TypeKind};
use std::collections::BTreeSet;
use std::sync::Arc;

pub struct Differ<'m> {
    pub old: &'m Model,
    pub new: &'m Model,
    pub matching: Matching,
    pub reach: Reach,
    pub texts: Texts<'m>,
    pub changes: Vec<Change>,
}

/// The effect of a change before it is described.
pub struct Effect {
    pub binary: Breaks,
    pub named: Breaks,
    pub unnoticed: bool,
    pub methods: Names,
}

impl Effect {
    pub fn none() -> Effect {
        Effect { binary: Breaks::NOBODY, named: Breaks::NOBODY, unnoticed: false, methods: Names::default() }
    }
}

impl Differ<'_> {
    pub fn add(&mut self, noun: Noun, verb: Verb, place: String, text: String, effect: Effect) {
        let Effect { binary, named, unnoticed, mut methods } = effect;
        if binary.is_nobody() && named.is_nobody() {
            methods = Names::default();
        }
        self.changes.push(Change { noun, verb, place, text, binary, named, unnoticed, methods });
    }

    pub fn packages(&mut self) {
        for (index, package) in self.old.packages.iter().enumerate() {
            let Some(name) = self.matching.package(&package.name) else { continue };
            let Ok(after) = self.new.packages.binary_search_by(|p| p.name.as_str().cmp(name)) else {
                continue;
            };
            let after = &self.new.packages[after];
            let effect = || {
                self.names_effect(
                    &self.reach.calls_of_package(PackageId(index)),
                    package.namespace != after.namespace,
                )
            };
            if name != package.name {
                let effect = effect();
                let text = format!(
                    "the package `{}` is now `{name}`, which is a part of all names in it",
                    package.name
                );
                self.add(Noun::Package, Verb::Renamed, package.name.clone(), text, effect);
            } else if package.namespace != after.namespace {
                let effect = effect();
                let text = format!("the namespace is now `{}`", after.namespace);
                self.add(
                    Noun::Package,
                    Verb::Altered,
                    package.name.clone(),
                    text,
                    Effect { binary: Breaks::NOBODY, ..effect },
                );
            }
            if package.targets != after.targets || package.annotations != after.annotations {
                let text = "annotations changed, which may change the names in generated code".to_owned();
                self.add(Noun::Package, Verb::Described, package.name.clone(), text, Effect::none());
            }
        }
    }

    pub fn types(&mut self) {
        for id in self.old.type_ids() {
            let place = self.old.full_name(id);
            match self.matching.ty(id) {
                None => self.add(
                    Noun::Type,
                    Verb::Removed,
                    place,
                    "the type is gone; what used it is told of where it did".into(),
                    Effect::none(),
                ),
                Some(after) => self.ty(id, after, place),
            }
        }
        for id in self.new.type_ids().filter(|id| !self.matching.is_old_type(*id)).collect::<Vec<_>>() {
            self.add(
                Noun::Type,
                Verb::Added,
                self.new.full_name(id),
                "the type is new".into(),
                Effect::none(),
            );
        }
    }

    pub fn ty(&mut self, before: TypeId, after: TypeId, place: String) {
        let (old, new) = (self.old.ty(before), self.new.ty(after));
        let (package, new_package) = (self.old.package(old.package), self.new.package(new.package));
        if self.matching.package(&package.name) != Some(&new_package.name) {
            let effect = self.names_effect(
                &self.reach.carriers(before, after),
                package.namespace != new_package.namespace,
            );
            let text = format!("the type is now `{}`, in another package", self.new.full_name(after));
            self.add(Noun::Type, Verb::Renamed, place.clone(), text, effect);
        } else if old.name != new.name {
            let effect = self.ids(before, after);
            self.add(
                Noun::Type,
                Verb::Renamed,
                place.clone(),
                format!("the type is now called `{}`", new.name),
                effect,
            );
        }
        self.described(Noun::Type, &place, &old.notes, &new.notes);
        if std::mem::discriminant(&old.kind) != std::mem::discriminant(&new.kind) {
            let effect =
                Effect { named: self.readers(before, after, true, true), ..self.layout(before, after) };
            self.add(
                Noun::Type,
                Verb::Altered,
                place,
                format!("it was {} and is {}", kind_words(&old.kind), kind_words(&new.kind)),
                effect,
            );
            return;
        }
        if old.extensible != new.extensible {
            let text = if new.extensible {
                "the type is extensible now"
            } else {
                "the type is not extensible any more"
            };
            let effect = self.layout(before, after);
            self.add(Noun::Type, Verb::Altered, place.clone(), text.into(), effect);
        }
        self.xml_of_type(before, after, &place);
        self.members(before, after, &place);
    }

    pub fn interfaces(&mut self) {
        let old = self.old;
        for (index, interface) in old.interfaces.iter().enumerate() {
            let place = old.interface_name(interface);
            match self.matching.interface(index) {
                None => {
                    let methods = interface
                        .methods
                        .iter()
                        .map(|method| format!("{place}.{}", method.name).into())
                        .collect();
                    let gone = Breaks { old_clients: true, new_clients: false };
                    let effect = Effect { binary: gone, named: gone, unnoticed: false, methods };
                    self.add(Noun::Interface, Verb::Removed, place, "the interface is gone".into(), effect);
                }
                Some(after) => self.interface(interface, (index, after), &place),
            }
        }
        for (index, interface) in self.new.interfaces.iter().enumerate() {
            if !self.matching.is_old_interface(index) {
                self.add(
                    Noun::Interface,
                    Verb::Added,
                    self.new.interface_name(interface),
                    "the interface is new".into(),
                    Effect::none(),
                );
            }
        }
    }

    pub fn interface(&mut self, old: &Interface, (before, after): (usize, usize), place: &str) {
        let new = &self.new.interfaces[after];
        let new_place = self.new.interface_name(new);
        self.described(Noun::Interface, place, &old.notes, &new.notes);
        self.xml_of_interface((before, after), old, new, place);
        let pairs = self.matching.methods(old, new);
        for ((at, method), pair) in old.methods.iter().enumerate().zip(&pairs) {
            let method_place = format!("{place}.{}", method.name);
            match pair {
                None => {
                    let gone = Breaks { old_clients: true, new_clients: false };
                    let named = gone.on_text(method, method);
                    let effect =
                        Effect { binary: gone, named, unnoticed: false, methods: one(&method_place) };
                    self.add(Noun::Method, Verb::Removed, method_place, "the method is gone".into(), effect);
                }
                Some(index) => {
                    self.method((method, &new.methods[*index]), (before, at), (after, *index), method_place)
                }
            }
        }
        let kept: BTreeSet<usize> = pairs.into_iter().flatten().collect();
        for (index, method) in new.methods.iter().enumerate() {
            if !kept.contains(&index) {
                let text = "the method is new; an old service answers `unknown-method`".to_owned();
                self.add(
                    Noun::Method,
                    Verb::Added,
                    format!("{new_place}.{}", method.name),
                    text,
                    Effect::none(),
                );
            }
        }
    }

    /// Compares a method of both versions, given the indices of its interface and itself, before and after.
    pub fn method(
        &mut self,
        (old, new): (&Method, &Method),
        before: (usize, usize),
        after: (usize, usize),
        place: String,
    ) {
        let both = |named: Breaks| Effect {
            binary: Breaks::EVERYBODY,
            named: named.on_text(old, new),
            unnoticed: false,
            methods: one(&place),
        };
        if old.name != new.name {
            self.add(
                Noun::Method,
                Verb::Renamed,
                place.clone(),
                format!("the method is now called `{}`", new.name),
                both(Breaks::EVERYBODY),
            );
        }
        self.described(Noun::Method, &place, &old.notes, &new.notes);
        if old.oneway != new.oneway {
            let text =
                if new.oneway { "the method is `oneway` now" } else { "the method is not `oneway` any more" };
            self.add(Noun::Method, Verb::Altered, place.clone(), text.into(), both(Breaks::EVERYBODY));
        }
        if old.idempotent != new.idempotent {
            let text = if new.idempotent {
                "the method is idempotent: new clients may repeat its calls"
            } else {
                "the method is not idempotent any more: old clients may still repeat its calls"
            };
            self.add(Noun::Method, Verb::Altered, place.clone(), text.into(), Effect::none());
        }
        let text_of = |ty: &Option<_>, of_old: bool| match ty {
            None => "void".to_owned(),
            Some(ty) if of_old => self.matching.old_type(ty),
            Some(ty) => self.matching.new_type(ty),
        };
        let was = streamed(old.streams_result, text_of(&old.result, true));
        let is = streamed(new.streams_result, text_of(&new.result, false));
        if was != is {
            let text = format!("the result was `{was}` and is `{is}`");
            self.add(Noun::Method, Verb::Altered, place.clone(), text, both(Breaks::EVERYBODY));
        }
        let was: Vec<String> = old.throws.iter().map(|id| self.matching.old_name(*id)).collect();
        let is: Vec<String> = new.throws.iter().map(|id| self.matching.new_name(*id)).collect();
        if was != is {
            // A service fails that throws an exception its client does not know; a client that knows more does not.
            let named = Breaks {
                old_clients: is.iter().any(|name| !was.contains(name)),
                new_clients: was.iter().any(|name| !is.contains(name)),
            };
            let list = |names: &[String]| {
                if names.is_empty() { "nothing".to_owned() } else { format!("`{}`", names.join(", ")) }
            };
            let text = format!("the method threw {} and throws {}", list(&was), list(&is));
            self.add(Noun::Method, Verb::Altered, place.clone(), text, both(named));
        }
        if !old.has_streams() && !new.has_streams() {
            self.xml_of_method((old, new), before, after, &place);
        }
        self.parameters((old, new), before, after, &place);
    }

    /// Documentation and annotations.
    pub fn described(&mut self, noun: Noun, place: &str, old: &Notes, new: &Notes) {
        let what = if old.targets != new.targets {
            "a target's own name changed, and with it the names in generated code"
        } else if old.deprecated != new.deprecated {
            if new.deprecated.is_some() { "it is deprecated" } else { "it is not deprecated any more" }
        } else if old.secret != new.secret {
            if new.secret { "texts of it show `***`" } else { "texts of it show its value" }
        } else if !kept(old).eq(kept(new)) {
            "annotations changed"
        } else if old.doc != new.doc {
            "the documentation changed"
        } else {
            return;
        };
        self.add(noun, Verb::Described, place.to_owned(), what.into(), Effect::none());
    }

    /// The effect of another layout of a type: it breaks every call that carries the type, in both directions.
    pub fn layout(&self, before: TypeId, after: TypeId) -> Effect {
        let carriers = self.reach.carriers(before, after);
        let binary = if carriers.calls.is_empty() { Breaks::NOBODY } else { Breaks::EVERYBODY };
        Effect {
            binary,
            named: Breaks::NOBODY,
            unnoticed: carriers.calls.iter().any(|c| c.same_id),
            methods: self.reach.all_names(&carriers),
        }
    }

    /// The effect of a new name that is not part of the bytes: it breaks the calls whose ids include it.
    pub fn ids(&self, before: TypeId, after: TypeId) -> Effect {
        self.names_effect(&self.reach.carriers(before, after), false)
    }

    /// Whom it breaks on the text wires if an old writer's output is invalid for a new reader, or the reverse.
    pub fn readers(&self, before: TypeId, after: TypeId, old_to_new: bool, new_to_old: bool) -> Breaks {
        let carriers = self.reach.carriers(before, after);
        breaks(carriers.calls.iter().filter(|carrier| carrier.on_text), old_to_new, new_to_old)
    }

    /// The same on the binary wire.
    pub fn binary_readers(
        &self,
        before: TypeId,
        after: TypeId,
        old_to_new: bool,
        new_to_old: bool,
    ) -> Breaks {
        breaks(&self.reach.carriers(before, after).calls, old_to_new, new_to_old)
    }

    /// The effect of new names on the calls that carry them: ids change on the binary wire; on the text wires only a namespace matters.
    fn names_effect(&self, calls: &Carriers, other_namespace: bool) -> Effect {
        let breaks = |whom: bool| if whom { Breaks::EVERYBODY } else { Breaks::NOBODY };
        let (binary, named) = (
            breaks(calls.calls.iter().any(|call| !call.same_id)),
            breaks(other_namespace && calls.calls.iter().any(|call| call.on_text)),
        );
        if calls.calls.iter().all(|call| other_namespace || !call.same_id) {
            return Effect { binary, named, unnoticed: false, methods: self.reach.all_names(calls) };
        }
        let told = calls.calls.iter().copied().filter(|call| other_namespace || !call.same_id);
        Effect { binary, named, unnoticed: false, methods: self.reach.names(told) }
    }
}

fn breaks<'c>(carriers: impl IntoIterator<Item = &'c Carrier>, old_to_new: bool, new_to_old: bool) -> Breaks {
    let mut breaks = Breaks::NOBODY;
    for carrier in carriers {
        breaks.old_clients |= (carrier.to_service && old_to_new) || (carrier.to_client && new_to_old);
        breaks.new_clients |= (carrier.to_service && new_to_old) || (carrier.to_client && old_to_new);
    }
    breaks
}

/// Annotations that the language does not know. XML annotations are reported by their effects.
pub fn kept(notes: &Notes) -> impl Iterator<Item = &Annotation> {
    notes.annotations.iter().filter(|annotation| !annotation.name.starts_with("Xml"))
}

pub fn one(name: &str) -> Names {
    [Arc::from(name)].into()
}

fn kind_words(kind: &TypeKind) -> &'static str {
    match kind {
        TypeKind::Struct(_) => "a struct",
        TypeKind::Exception(_) => "an exception",
        TypeKind::Enum(_) => "an enum",
        TypeKind::Union(_) => "a union",
    }
}
