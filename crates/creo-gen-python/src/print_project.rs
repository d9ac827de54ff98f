//! `__init__.py`, with the exports of a package, and the imports of all modules.

use creo_codegen::About;

use crate::lang::{Imports, Init, STANDARD};
use crate::layout::{Lines, import};
use crate::literals::string;

/// The interface of the runtime that generated code uses.
const INTERFACE: u32 = 2;

/// The beginning of all modules of a run.
pub struct Head<'a> {
    /// The first line, without its comment mark.
    pub line: String,
    /// The package of the runtime.
    pub runtime: &'a str,
}

/// The package's `__init__.py`: all names for its users, and the handshake with the runtime.
pub fn init_module(init: &Init, head: &Head) -> String {
    let mut out = Lines::new();
    out.line(format!("# {}", head.line));
    out.doc(&About { doc: Some(format!("The package `{}`.", init.package)), ..About::default() });
    out.blank();
    out.line("from __future__ import annotations");
    out.blank();
    out.line(format!("from {} import codegen as _creo", head.runtime));
    out.blank();
    out.list(
        "_creo.require(",
        &[INTERFACE.to_string(), string(env!("CARGO_PKG_VERSION")), string(&init.package)],
        ")",
    );
    out.blank();
    // Every import follows the handshake, so an old runtime is reported first.
    out.line("from . import creo_binary as creo_binary  # noqa: E402");
    for (module, names) in [(".creo_client", &init.clients), (".creo_types", &init.types)] {
        if names.is_empty() {
            continue;
        }
        let one_line = format!("from {module} import {}  # noqa: E402", names.join(", "));
        if out.fits(&one_line) {
            out.line(one_line);
        } else {
            out.list(&format!("from {module} import (  # noqa: E402"), names, ")");
        }
    }
    out.blank();
    for reader in &init.readers {
        out.line(format!("{} = creo_binary.{}.{}", reader.name, reader.constant, reader.method));
    }
    if !init.readers.is_empty() {
        out.blank();
    }
    let listed: Vec<String> = init.exported.iter().map(|name| string(name)).collect();
    out.list("__all__ = [", &listed, "]");
    out.finish()
}

/// A module's use of the runtime, under the name `_creo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    Nothing,
    Codegen,
    /// The descriptions for text wires, which a copy without such wires does not have.
    Text,
}

/// The head of a module: its header, and its imports from the standard library and the runtime.
pub fn standard_imports(out: &mut Lines, head: &Head, imports: &Imports, uses: Uses) {
    out.line(format!("# {}", head.line));
    out.blank();
    out.line("from __future__ import annotations");
    out.blank();
    if imports.standard.contains("enum") {
        out.line("import enum");
    }
    for (module, names) in STANDARD {
        let used: Vec<&str> = names.iter().copied().filter(|name| imports.standard.contains(name)).collect();
        if !used.is_empty() {
            import(out, module, &used);
        }
    }
    let (runtime, below) = match uses {
        Uses::Nothing => return,
        Uses::Codegen => (head.runtime.to_owned(), "codegen"),
        Uses::Text => (format!("{}.codegen", head.runtime), "text"),
    };
    if !imports.standard.is_empty() {
        out.blank();
    }
    out.line(format!("from {runtime} import {below} as _creo"));
    if imports.columns {
        out.line(format!("from {}.codegen import columns as _columns", head.runtime));
    }
    if imports.streams {
        out.line(format!("from {}.codegen import streams as _streams", head.runtime));
    }
}

/// The imports of other generated modules.
pub fn other_imports(out: &mut Lines, imports: &Imports) {
    if imports.foreign.is_empty() && imports.binary.is_empty() && imports.types.is_empty() {
        return;
    }
    out.blank();
    foreign_imports(out, imports, "");
    for (module, names) in [(".creo_binary", &imports.binary), (".creo_types", &imports.types)] {
        if !names.is_empty() {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            import(out, module, &names);
        }
    }
}

/// The imports of other packages, each with a comment.
pub fn foreign_imports(out: &mut Lines, imports: &Imports, comment: &str) {
    for foreign in &imports.foreign {
        let (package, module, alias) = (&foreign.package, foreign.module, &foreign.alias);
        out.line(format!("from {package} import {module} as {alias}{comment}"));
    }
}
