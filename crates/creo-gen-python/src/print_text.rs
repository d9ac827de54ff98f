//! `creo_text.py`: a package's types and methods for text wires. It has only constants, from which the runtime makes functions.

use crate::lang::{TextInterface, TextModule, TextType};
use crate::layout::Lines;
use crate::literals::string;
use crate::print_project::{Head, Uses, other_imports, standard_imports};

/// The module of descriptions.
pub fn text_module(module: &TextModule, head: &Head) -> String {
    let mut out = Lines::new();
    standard_imports(&mut out, head, &module.imports, Uses::Text);
    other_imports(&mut out, &module.imports);
    if !module.namespaces.is_empty() {
        out.blank();
        for (constant, namespace) in &module.namespaces {
            let literal = string(namespace);
            let one_line = format!("{constant} = {literal}");
            if out.fits(&one_line) {
                out.line(one_line);
            } else {
                out.line(format!("{constant} = ("));
                out.indented(|l| l.line(&literal));
                out.line(")");
            }
        }
    }
    module.types.iter().for_each(|ty| self::ty(&mut out, ty));
    module.interfaces.iter().for_each(|interface| self::interface(&mut out, interface));
    out.finish()
}

fn ty(out: &mut Lines, ty: &TextType) {
    let (constant, kind) = (&ty.constant, ty.kind);
    out.gap();
    let open = format!("{constant}: _creo.{kind} = _creo.{kind}(");
    if out.fits(&open) {
        out.list(&open, &ty.arguments, ")");
    } else {
        out.line(format!("{constant}: _creo.{kind} = ("));
        out.indented(|l| l.list(&format!("_creo.{kind}("), &ty.arguments, ")"));
        out.line(")");
    }
}

fn interface(out: &mut Lines, interface: &TextInterface) {
    out.gap();
    if interface.methods.is_empty() {
        out.line(format!("{}: dict[str, _creo.TextMethod] = {{}}", interface.constant));
        return;
    }
    out.line(format!("{} = {{", interface.constant));
    out.indented(|l| {
        for (name, arguments) in &interface.methods {
            l.list(&format!("{}: _creo.TextMethod(", string(name)), arguments, "),");
        }
    });
    out.line("}");
}
