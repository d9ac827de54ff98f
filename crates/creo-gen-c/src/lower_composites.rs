//! Arrays, maps and optionals with their own C struct.

use crate::lang::Ty;
use creo_model::{PackageId, Type};
use creo_plan::Node;
use std::collections::BTreeMap;

/// An array, map or optional, with the C types and the nodes of its content.
#[derive(Clone, Debug)]
pub struct Composite<'m> {
    pub name: String,
    /// The package whose unit defines it.
    pub home: PackageId,
    pub shape: Shape<'m>,
    /// The charge for each item or entry, or for the value (LIM-18).
    pub charge: u64,
}

#[derive(Clone, Debug)]
pub enum Shape<'m> {
    Array(Ty, &'m Node),
    Map(Ty, &'m Node, Ty, &'m Node),
    Optional(Ty, &'m Node),
}

/// All composites of a model in the order of discovery, inner ones first.
#[derive(Debug, Default)]
pub struct Composites<'m> {
    all: Vec<Composite<'m>>,
    known: BTreeMap<(PackageId, &'m Type), usize>,
}

impl<'m> Composites<'m> {
    pub fn find(&self, home: PackageId, ty: &Type) -> Option<&str> {
        self.position(home, ty).map(|at| self.all[at].name.as_str())
    }

    pub fn add(&mut self, ty: &'m Type, composite: Composite<'m>) {
        self.known.insert((composite.home, ty), self.all.len());
        self.all.push(composite);
    }

    pub fn all(&self) -> impl Iterator<Item = &Composite<'m>> {
        self.all.iter()
    }

    pub fn get(&self, at: usize) -> &Composite<'m> {
        &self.all[at]
    }

    /// The index of the composite for a type.
    pub fn position(&self, home: PackageId, ty: &Type) -> Option<usize> {
        self.known.get(&(home, ty)).copied()
    }
}
