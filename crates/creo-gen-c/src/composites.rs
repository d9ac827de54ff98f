//! Arrays, maps and optionals that have a struct of their own in C.

use crate::blocks;
use crate::lang::{Array, Definition, Map, Optional, Ty};
use crate::lower::Lower;
use creo_model::{PackageId, Type};

/// An array, map or optional, with the places and the types of what it holds.
#[derive(Clone, Debug)]
pub struct Composite {
    pub name: String,
    /// The package in whose unit it is defined.
    pub home: PackageId,
    pub shape: Shape,
}

#[derive(Clone, Debug)]
pub enum Shape {
    Array(Ty, Type),
    Map(Ty, Type, Ty, Type),
    Optional(Ty, Type),
}

/// All composites of a model, in the order in which they were found, those that others hold first.
#[derive(Debug, Default)]
pub struct Composites {
    all: Vec<Composite>,
    /// Package, type, name.
    named: Vec<(PackageId, Type, String)>,
}

impl Composites {
    pub fn find(&self, home: PackageId, ty: &Type) -> Option<&str> {
        self.named.iter().find(|(package, known, _)| *package == home && known == ty).map(|(_, _, name)| name.as_str())
    }

    pub fn reserve(&mut self, home: PackageId, ty: &Type, name: &str) {
        self.named.push((home, ty.clone(), name.to_owned()));
    }

    pub fn add(&mut self, composite: Composite) {
        self.all.push(composite);
    }

    pub fn all(&self) -> impl Iterator<Item = &Composite> {
        self.all.iter()
    }

    pub fn get(&self, at: usize) -> &Composite {
        &self.all[at]
    }

    /// Where the composite of that type stands among all.
    pub fn position(&self, home: PackageId, ty: &Type) -> Option<usize> {
        let name = self.find(home, ty)?;
        self.all.iter().position(|composite| composite.name == name)
    }
}

impl Lower<'_> {
    pub fn lower_composite(&self, at: usize) -> Definition {
        let composite = self.composites.get(at);
        let name = composite.name.clone();
        match &composite.shape {
            Shape::Array(item, ty) => Definition::Array(Array {
                name,
                item: item.clone(),
                least: self.plan.item(ty).shape.least,
                charge: self.plan.item_charge(ty),
                block: blocks::whole(self, ty),
            }),
            Shape::Map(key, key_type, value, value_type) => Definition::Map(Map {
                entry: format!("{name}_entry"),
                name,
                key: key.clone(),
                value: value.clone(),
                least: self.plan.item(key_type).shape.least.saturating_add(self.plan.item(value_type).shape.least),
                charge: self.plan.entry_charge(key_type, value_type),
            }),
            Shape::Optional(item, ty) => Definition::Optional(Optional { name, item: item.clone(), charge: self.plan.optional_charge(ty) }),
        }
    }
}
