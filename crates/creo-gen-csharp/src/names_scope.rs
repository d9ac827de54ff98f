//! The names of types in one file and its imports; the local variables of a method.

use creo_codegen::Names;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A generated class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    pub namespace: String,
    pub name: String,
}

impl Class {
    /// The full name, for positions where a member of the same name would be found.
    pub fn in_full(&self) -> String {
        format!("global::{}.{}", self.namespace, self.name)
    }
}

/// A file being printed.
pub struct Scope<'a> {
    /// Simple names of generated code: other types with such a name are written in full.
    taken: &'a BTreeSet<String>,
    /// The namespace of the runtime.
    runtime: &'a str,
    namespace: &'a str,
    /// Whether classes of the file's own namespace are written in full, because nested types could hide them.
    nests: bool,
    /// Namespaces that the file imports.
    imports: RefCell<BTreeSet<String>>,
}

impl<'a> Scope<'a> {
    pub fn new(taken: &'a BTreeSet<String>, runtime: &'a str, namespace: &'a str, nests: bool) -> Scope<'a> {
        Scope { taken, runtime, namespace, nests, imports: RefCell::default() }
    }

    /// A type of the runtime.
    pub fn runtime(&self, name: &str) -> String {
        self.imported(self.runtime, name)
    }

    /// A type or member of the runtime, in full.
    pub fn runtime_in_full(&self, name: &str) -> String {
        format!("global::{}.{name}", self.runtime)
    }

    /// A type of the platform, from one of the namespaces that generated code imports.
    pub fn platform(&self, name: &str) -> String {
        let namespace = match name {
            "BinaryPrimitives" => "System.Buffers.Binary",
            "KeyValuePair" | "IEnumerable" | "IAsyncEnumerable" => "System.Collections.Generic",
            "MethodImpl" | "MethodImplOptions" => "System.Runtime.CompilerServices",
            "CancellationToken" => "System.Threading",
            "ValueTask" => "System.Threading.Tasks",
            _ => "System",
        };
        self.imported(namespace, name)
    }

    /// A type by its simple name, unless generated code uses the name.
    fn imported(&self, namespace: &str, name: &str) -> String {
        if self.taken.contains(name) || self.taken.contains(&format!("{name}Attribute")) {
            return format!("global::{namespace}.{name}");
        }
        self.imports.borrow_mut().insert(namespace.to_owned());
        name.to_owned()
    }

    /// A generated class.
    pub fn class(&self, class: &Class) -> String {
        if class.namespace == self.namespace && !self.nests { class.name.clone() } else { class.in_full() }
    }

    /// The imports of the file: those of the platform come first, by convention.
    pub fn imports(&self) -> Vec<String> {
        let imports = self.imports.borrow();
        let (runtime, mut all): (Vec<String>, Vec<String>) =
            imports.iter().cloned().partition(|namespace| *namespace == self.runtime);
        all.extend(runtime);
        all
    }
}

/// The local variables of one method.
pub struct Locals {
    names: Names,
    /// How often each name was wanted.
    wanted: BTreeMap<String, usize>,
    /// The number of loops around the next statement.
    loops: usize,
}

impl Locals {
    /// `taken` are the names of parameters and fields.
    pub fn new<'s>(taken: impl IntoIterator<Item = &'s str>) -> Locals {
        let mut names = Names::new(|_| false);
        taken.into_iter().for_each(|name| names.take(name));
        Locals { names, wanted: BTreeMap::new(), loops: 0 }
    }

    /// An unused local variable: `item`, `item2` and so on.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let count = self.wanted.entry(wanted.to_owned()).or_default();
        *count += 1;
        let name = if *count == 1 { wanted.to_owned() } else { format!("{wanted}{count}") };
        self.names.give(&format!("#{name}"), &name)
    }

    /// The variable of a loop, which is free again after the loop.
    pub fn enter_loop(&mut self) -> String {
        self.loops += 1;
        let wanted = if self.loops == 1 { "i".to_owned() } else { format!("i{}", self.loops) };
        self.names.give(&format!("#loop {wanted}"), &wanted)
    }

    pub fn leave_loop(&mut self) {
        self.loops -= 1;
    }
}
