//! Shared by all generators: the code writer, the files, the names, and the interface of a target.
//!
//! Lowering decides and printing prints: a generator's `lower*.rs` make a model of its language (names, types, imports, helpers), and its
//! `print_*.rs` print it through the [`Writer`].

// Every match must handle a new kind of value or type.
#![deny(clippy::wildcard_enum_match_arm)]

mod about;
mod files;
mod names;
mod ranges;
mod runtime;
mod scopes;
mod text;
mod writer;

pub use about::{About, HIDDEN, method_uses_deprecated, type_uses_deprecated};
pub use files::{Files, PathProblem, check_path};
pub use names::{Names, Style, words};
pub use ranges::ranges;
pub use runtime::{
    Module, Needs, Part, Runtime, Sides, Wire, Wires, needed_parts, parts_below, texts, unpacked,
};
pub use scopes::PackageScopes;
pub use text::{header, wrap_doc};
pub use writer::Writer;

use creo_check::CheckedModel;

/// The input of a target.
#[derive(Debug)]
pub struct Input<'a> {
    pub model: &'a CheckedModel,
    pub runtime: Runtime,
    /// The package of the copied runtime, in the target's form; `None` for the default.
    pub runtime_package: Option<&'a str>,
    /// The wires of the code.
    pub wires: Wires,
    /// The sides of calls in the code.
    pub sides: Sides,
    /// The documents that a service offers for its interfaces.
    pub documents: &'a [Document],
    /// The modules to add to the runtime.
    pub with: &'a [Module],
    /// The needs of code for other descriptions in the same folder from a copied runtime. A runtime of one file is made for all of them.
    pub others: &'a Needs,
}

impl<'a> Input<'a> {
    /// The defaults of a target: all wires, its sides, its runtime in a package.
    pub fn new(target: &dyn Target, model: &'a CheckedModel) -> Input<'a> {
        Input {
            model,
            runtime: Runtime::Package,
            runtime_package: None,
            wires: Wires::ALL,
            sides: target.sides(),
            documents: &[],
            with: &[],
            others: Needs::none(),
        }
    }

    /// The needs of this code and that of the other descriptions from a runtime.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::of(self.model, self.wires, self.with);
        needs.add(self.others);
        needs
    }

    /// Paths and texts of the files to add to a target's code, by the parts of its runtime: the needed parts, if they are to be copied, and
    /// the requested modules.
    pub fn runtime_files(
        &self,
        target: &dyn Target,
        parts: &'static [Part],
    ) -> Vec<(&'static str, &'static str)> {
        self.runtime_files_for(target, parts, &[])
    }

    /// As [`Input::runtime_files`], for code that needs further parts of a copied runtime.
    pub fn runtime_files_for(
        &self,
        target: &dyn Target,
        parts: &'static [Part],
        further: &[&'static Part],
    ) -> Vec<(&'static str, &'static str)> {
        let streams = self.model.plan().has_streams();
        let module = |module: &Module| {
            [target.module(*module), target.module_streams(*module).filter(|_| streams)].into_iter().flatten()
        };
        let modules: Vec<&Part> = self.with.iter().flat_map(module).collect();
        let needing = [&modules, further].concat();
        let mut copied = match self.runtime {
            Runtime::Copy => needed_parts(parts, self.wires, self.sides, streams, &needing),
            Runtime::Package => Vec::new(),
        };
        copied.extend(modules);
        copied.into_iter().flat_map(|part| part.files).copied().collect()
    }
}

/// The kind of a [`Document`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// Contains [`ADDRESS`] twice, in double-quoted attributes.
    Wsdl,
    /// Contains [`ADDRESS`] once, in a JSON string.
    OpenApi,
    /// The files of the description itself (SVC-12). It has no address.
    Description,
}

impl DocumentKind {
    /// The wire that it describes, or on which it is requested.
    pub fn wire(self) -> Wire {
        match self {
            DocumentKind::Wsdl => Wire::Soap,
            DocumentKind::OpenApi => Wire::Json,
            DocumentKind::Description => Wire::Binary,
        }
    }
}

/// A document that others read instead of a description. Generators only embed it; their caller makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub kind: DocumentKind,
    /// The full name of the interface that it describes (MODEL-1).
    pub interface: String,
    /// A whole document, with [`ADDRESS`] in place of the service's address, if it has one.
    pub text: String,
}

/// The placeholder for the address of the service in a [`Document`].
pub const ADDRESS: &str = "CREO-ADDRESS";

/// A construct that a language does not support. Descriptions are for all languages, so `check` does not know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A word, as for a diagnostic.
    pub code: &'static str,
    /// Contains the full name of the construct.
    pub message: String,
}

/// A language for which code is generated.
pub trait Target {
    /// The word on the command line and the name of the output folder.
    fn name(&self) -> &'static str;

    /// Constructs of a description that this language does not support, though others do; usually none. If there are any, nothing is
    /// generated.
    fn refusals(&self, _model: &CheckedModel) -> Vec<Refusal> {
        Vec::new()
    }

    /// The sides of calls that the target's runtime supports: all have a client, few a server.
    fn sides(&self) -> Sides {
        Sides::Client
    }

    /// The package of the target's runtime, if a copy can be moved to another one.
    fn runtime_package(&self) -> Option<&'static str> {
        None
    }

    /// Whether a generated file belongs to a package of the target, or to a subpackage.
    fn is_in_package(&self, path: &str, package: &str) -> bool {
        path.starts_with(&format!("{}/", package.replace('.', "/")))
    }

    /// Whether a word cannot be part of a package's name.
    fn is_reserved(&self, _word: &str) -> bool {
        false
    }

    /// A module's files, and the parts of the runtime that it needs; `None` if the language does not have the module.
    fn module(&self, module: Module) -> Option<&'static Part>;

    /// The files of a module for descriptions with streams, if it has any.
    fn module_streams(&self, _module: Module) -> Option<&'static Part> {
        None
    }

    /// The files for a description, with paths relative to the target's folder. It cannot fail: a [`CheckedModel`] has no errors, the
    /// target has not refused it, and has the requested modules.
    fn generate(&self, input: &Input) -> Files;
}
