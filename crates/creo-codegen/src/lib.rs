//! What all generators share: the code writer, the files, the names, and the interface of a target.
//!
//! Lowering decides, printing prints: a generator's `lower*.rs` make a model of its language (names, types, imports, helpers), its
//! `print_*.rs` print what they are handed through the [`Writer`].

// A new kind of value or type must be met everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

mod about;
mod files;
mod names;
mod ranges;
mod runtime;
mod scopes;
mod text;
mod writer;

pub use about::{About, method_uses_deprecated, type_uses_deprecated};
pub use files::{Files, PathProblem, check_path};
pub use names::{Names, Style, words};
pub use ranges::ranges;
pub use runtime::{Module, Needs, Part, Runtime, Sides, Wire, Wires, needed_parts, parts_below};
pub use scopes::PackageScopes;
pub use text::{header, wrap_doc};
pub use writer::Writer;

use creo_check::CheckedModel;

/// What a target is handed.
#[derive(Debug)]
pub struct Input<'a> {
    pub model: &'a CheckedModel,
    pub runtime: Runtime,
    /// The package to which the copied runtime moves, in the target's own form; `None` for its usual one.
    pub runtime_package: Option<&'a str>,
    /// The wires that the code speaks.
    pub wires: Wires,
    /// The sides of calls that the code takes.
    pub sides: Sides,
    /// What a service may show of its interfaces.
    pub documents: &'a [Document],
    /// What goes out beside the runtime, and is not a part of it.
    pub with: &'a [Module],
    /// What code of other descriptions in the same folder asks of a runtime that is copied. A target whose runtime is one file makes it for all of them.
    pub others: &'a Needs,
}

impl<'a> Input<'a> {
    /// What a target generates unless more is said: all wires, the sides that it has, its runtime in a package.
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

    /// What this code, and that of the other descriptions, asks of a runtime.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs { wires: self.wires, with: self.with.iter().copied().collect() };
        needs.add(self.others);
        needs
    }

    /// Paths and texts of the files that go out beside the code of a target, whose runtime has these parts: those that it needs, if they are to be copied, and
    /// the modules that were asked for.
    pub fn runtime_files(
        &self,
        target: &dyn Target,
        parts: &'static [Part],
    ) -> Vec<(&'static str, &'static str)> {
        let modules: Vec<&Part> = self.with.iter().filter_map(|module| target.module(*module)).collect();
        let mut copied = match self.runtime {
            Runtime::Copy => needed_parts(parts, self.wires, self.sides, &modules),
            Runtime::Package => Vec::new(),
        };
        copied.extend(modules);
        copied.into_iter().flat_map(|part| part.files).copied().collect()
    }
}

/// What a [`Document`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// [`ADDRESS`] stands in it twice, within attributes between double quotes.
    Wsdl,
    /// [`ADDRESS`] stands in it once, within a JSON string.
    OpenApi,
    /// The files of the description itself (SVC-12). It has no address.
    Description,
}

impl DocumentKind {
    /// The wire that it describes, or that it is asked for on.
    pub fn wire(self) -> Wire {
        match self {
            DocumentKind::Wsdl => Wire::Soap,
            DocumentKind::OpenApi => Wire::Json,
            DocumentKind::Description => Wire::Binary,
        }
    }
}

/// What others read instead of a description. A generator only embeds it: who calls the generator has made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub kind: DocumentKind,
    /// The full name of the interface that it describes (MODEL-1).
    pub interface: String,
    /// A whole document, in which [`ADDRESS`] stands for the address of the service, if it has one.
    pub text: String,
}

/// What stands in a [`Document`] for the address of the service.
pub const ADDRESS: &str = "CREO-ADDRESS";

/// Something that a language cannot say. Descriptions are for all languages, so `check` does not know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A word, as of a diagnostic.
    pub code: &'static str,
    /// Names what it is about, in full.
    pub message: String,
}

/// A language that code is generated for.
pub trait Target {
    /// The word on the command line, which also names the folder of its output.
    fn name(&self) -> &'static str;

    /// What of a description this language cannot say, though others can: nothing, as a rule. Then nothing is generated for it.
    fn refusals(&self, _model: &CheckedModel) -> Vec<Refusal> {
        Vec::new()
    }

    /// The sides of calls that the target's runtime takes: all have a client, few a host of services.
    fn sides(&self) -> Sides {
        Sides::Client
    }

    /// The package of the target's runtime, if a copy can move to another one.
    fn runtime_package(&self) -> Option<&'static str> {
        None
    }

    /// Whether a generated file belongs to a package of the target, or to one within it.
    fn is_in_package(&self, path: &str, package: &str) -> bool {
        path.starts_with(&format!("{}/", package.replace('.', "/")))
    }

    /// Whether a word cannot be a part of a package's name.
    fn is_reserved(&self, _word: &str) -> bool {
        false
    }

    /// A module's files, and the parts of the runtime that they need; `None` if the language has no such module.
    fn module(&self, module: Module) -> Option<&'static Part>;

    /// The files for a description, with paths relative to the target's folder. Never fails: a [`CheckedModel`] has no mistakes left,
    /// the target has not refused it, and it has the modules that are asked for.
    fn generate(&self, input: &Input) -> Files;
}
