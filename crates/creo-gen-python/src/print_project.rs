//! `__init__.py`: what a package exports.

use creo_model::{PackageId, TypeKind};

use crate::lang::Lowered;
use crate::layout::{Lines, import_order};
use crate::literals::string;

/// The interface of the framework that this generator's code stands on.
const INTERFACE: u32 = 1;

/// The package's face: all names that its user needs, and the handshake with the framework.
pub fn init_module(lowered: &Lowered, package: PackageId, header: &str) -> String {
    let name = &lowered.model.package(package).name;
    let mut types: Vec<String> = Vec::new();
    let mut unions: Vec<(String, String)> = Vec::new();
    for id in lowered.types_of(package) {
        let names = lowered.names(id);
        types.push(names.class.clone());
        if matches!(lowered.model.ty(id).kind, TypeKind::Union(_)) {
            types.extend(names.helpers.iter().cloned());
            unions.extend(
                names
                    .readers
                    .iter()
                    .map(|(function, word)| (function.clone(), format!("{}_TYPE.{word}", names.constant))),
            );
        }
    }
    let mut clients: Vec<String> = Vec::new();
    for (index, _) in lowered.interfaces_of(package) {
        clients.push(lowered.interface(index).async_client.clone());
        clients.push(lowered.interface(index).client.clone());
    }
    let mut exported: Vec<String> =
        types.iter().chain(&clients).cloned().chain(unions.iter().map(|(f, _)| f.clone())).collect();
    for names in [&mut types, &mut clients, &mut exported] {
        names.sort_by_key(|name| import_order(name));
    }

    let mut out = Lines::new();
    out.line(format!("# {header}"));
    out.doc(Some(&format!("The package `{name}`.")), None);
    out.blank();
    out.line("from __future__ import annotations");
    out.blank();
    out.line("from creo import codegen as _creo");
    out.blank();
    out.list(
        "_creo.require(",
        &[INTERFACE.to_string(), string(env!("CARGO_PKG_VERSION")), string(name)],
        ")",
    );
    out.blank();
    // Every import stands behind the handshake, so that an old framework is the first thing that is said.
    out.line("from . import creo_binary as creo_binary  # noqa: E402");
    for (module, names) in [(".creo_client", &clients), (".creo_types", &types)] {
        if names.is_empty() {
            continue;
        }
        let one_line = format!("from {module} import {}  # noqa: E402", names.join(", "));
        if out.fits(&one_line) {
            out.line(one_line);
        } else {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            out.list(&format!("from {module} import (  # noqa: E402"), &names, ")");
        }
    }
    out.blank();
    for (function, constant) in &unions {
        out.line(format!("{function} = creo_binary.{constant}"));
    }
    if !unions.is_empty() {
        out.blank();
    }
    let listed: Vec<String> = exported.iter().map(|n| string(n)).collect();
    out.list("__all__ = [", &listed, "]");
    out.finish()
}
